//! A list of hosts, one for each process.

use std::net::{IpAddr, Ipv4Addr};

/// The default port of process 0; that of process `i` is `i` higher.
const PORT: u16 = 2101;

/// The most processes.
const MAX_HOSTS: usize = 1 << 10;

/// Addresses of the processes of a build: `host:port` for each, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(pub(super) Vec<String>);

/// The reason why a text is no list of hosts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {cause}")]
pub struct HostsError {
    /// The line, counted from 1.
    pub line: usize,
    /// The cause.
    pub cause: String,
}

impl Hosts {
    /// Reads a list with a line for each process, `host` or `host:port`. `#` begins a comment.
    ///
    /// # Errors
    ///
    /// If a line has no host or an invalid port, or there are more than 1024 hosts.
    pub fn parse(text: &str) -> Result<Hosts, HostsError> {
        let mut hosts = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line_text = line.split('#').next().unwrap_or_default().trim();
            if line_text.is_empty() {
                continue;
            }
            let wrong = |cause: String| HostsError { line: number + 1, cause };
            if hosts.len() == MAX_HOSTS {
                return Err(wrong(format!("more than {MAX_HOSTS} hosts")));
            }
            let bare_v6 = line_text.matches(':').count() > 1 && !line_text.starts_with('[');
            let with_port = (!bare_v6 && !line_text.ends_with(']')).then(|| line_text.rsplit_once(':')).flatten();
            let (host, port) = match with_port {
                Some((host, port)) => match port.parse::<u16>() {
                    Ok(port) => (host.to_owned(), port),
                    Err(_) => return Err(wrong(format!("{port:?} is no port: it must be a number up to 65535"))),
                },
                None if bare_v6 => (format!("[{line_text}]"), PORT + hosts.len() as u16),
                None => (line_text.to_owned(), PORT + hosts.len() as u16),
            };
            if host.is_empty() || host.contains(char::is_whitespace) {
                return Err(wrong(format!(
                    "{line_text:?} names no host: write `host` or `host:port`, a line a process"
                )));
            }
            hosts.push(format!("{host}:{port}"));
        }
        Ok(Hosts(hosts))
    }

    /// Creates a list of processes on the loopback interface: process 0 listens on `port`, the
    /// others on ports that the system chooses.
    pub(crate) fn loopback(processes: usize, port: u16) -> Hosts {
        let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Hosts((0..processes).map(|process| format!("{host}:{}", if process == 0 { port } else { 0 })).collect())
    }

    /// Returns the number.
    #[must_use]
    pub fn number(&self) -> usize {
        self.0.len()
    }

    /// Returns the text that [`Hosts::parse`] reads.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.iter().map(|host| format!("{host}\n")).collect()
    }

    /// Returns only the first `processes` of them; `None` if there are fewer.
    #[must_use]
    pub fn first(mut self, processes: usize) -> Option<Hosts> {
        let enough = self.0.len() >= processes;
        self.0.truncate(processes);
        enough.then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_line_by_line() {
        let text = "# two racks\nnode1\n node2:99 # the fast one\n\n[::1]:7\nfe80::1\n10.0.0.7\n";
        let hosts = Hosts::parse(text).unwrap();
        assert_eq!(hosts.0, ["node1:2101", "node2:99", "[::1]:7", "[fe80::1]:2104", "10.0.0.7:2105"]);
        assert_eq!(Hosts::parse(&hosts.text()), Ok(hosts.clone()));
        assert_eq!(hosts.clone().first(2).unwrap().number(), 2);
        assert_eq!(hosts.first(6), None);
        assert_eq!(Hosts::loopback(2, 5).0, ["127.0.0.1:5", "127.0.0.1:0"]);
        for (text, line) in [("a\nb:c", 2), ("x:70000", 1), (":5", 1), ("a b", 1), ("a\n\n#\nb:", 4)] {
            assert_eq!(Hosts::parse(text).unwrap_err().line, line, "{text}");
        }
    }
}
