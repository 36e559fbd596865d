//! `pods explore`, asked as any program on the machine could ask it: raw HTTP over a socket.

mod answers;
mod certificates;
mod guard;
mod jobs;
#[cfg(target_os = "linux")]
mod opening;

use crate::common::program;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// A server of one test's own, ended with it.
pub struct Served {
    pub child: Child,
    port: u16,
    token: String,
    cookie: String,
}

/// An answer: the status, the head as it came, the body.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    /// Returns the value of a header, by its name in small letters.
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value))
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

/// Longer than any limit of the server: what takes so long hangs.
const HANGS: Duration = Duration::from_secs(60);

impl Served {
    pub fn new(args: &[&str]) -> Served {
        let mut command = program();
        command.args(["explore", "--port", "0"]).args(args);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line:?}"));
        let (port, token) = rest.split_once("/?token=").unwrap();
        let mut served = Served { child, port: port.parse().unwrap(), token: token.to_owned(), cookie: String::new() };
        let let_in = served.ask(&format!("GET /?token={token} HTTP/1.1\r\nHost: {}\r\n\r\n", served.host()), b"");
        assert_eq!(let_in.status, 200, "{let_in:?}");
        let cookie = let_in.header("set-cookie").unwrap();
        served.cookie = cookie.split(';').next().unwrap().to_owned();
        served
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(HANGS)).unwrap();
        stream.set_write_timeout(Some(HANGS)).unwrap();
        stream
    }

    /// Sends a head as it stands and a body, and reads the whole answer.
    fn ask(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        read_answer(&mut BufReader::new(stream)).unwrap()
    }

    /// Returns the head of a question that is let in.
    fn head(&self, path: &str, length: usize) -> String {
        let (host, cookie) = (self.host(), &self.cookie);
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        )
    }

    fn post_text(&self, path: &str, body: &str) -> Answer {
        self.ask(&self.head(path, body.len()), body.as_bytes())
    }

    /// Returns a question that is let in.
    fn post(&self, path: &str, question: &Value) -> Answer {
        self.post_text(path, &question.to_string())
    }

    /// Returns the answer to a question that must go well.
    #[track_caller]
    fn good(&self, path: &str, question: &Value) -> Value {
        let answer = self.post(path, question);
        assert_eq!(answer.status, 200, "{question} {answer:?}");
        answer.json()
    }

    fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", self.host(), self.cookie), b"")
    }

    /// Begins a job; its events come one by one.
    fn job(&self, question: &Value) -> Job {
        let body = question.to_string();
        let mut stream = self.connect();
        stream.write_all(self.head("/api/job", body.len()).as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let (status, head) = read_head(&mut reader).unwrap();
        Job { status, head, reader, waiting: String::new() }
    }

    /// Returns all events of a job.
    pub fn events(&self, question: &Value) -> Vec<(String, Value)> {
        let mut job = self.job(question);
        assert_eq!(job.status, 200, "{}", job.head);
        std::iter::from_fn(|| job.event()).collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A stream of events; hangs up when it is dropped.
pub struct Job {
    status: u16,
    head: String,
    reader: BufReader<TcpStream>,
    waiting: String,
}

impl Job {
    /// Returns the next event: its name and its data; nothing at the end.
    fn event(&mut self) -> Option<(String, Value)> {
        while !self.waiting.contains("\n\n") {
            let chunk = read_chunk(&mut self.reader).ok().filter(|chunk| !chunk.is_empty())?;
            self.waiting.push_str(&String::from_utf8(chunk).unwrap());
        }
        let (event, rest) = self.waiting.split_once("\n\n").unwrap();
        let (name, data) = event.split_once('\n').unwrap();
        let name = name.strip_prefix("event: ").unwrap().to_owned();
        let data = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        self.waiting = rest.to_owned();
        Some((name, data))
    }

    /// Reads on to an event of this name.
    fn until(&mut self, name: &str) -> Value {
        std::iter::from_fn(|| self.event()).find(|event| event.0 == name).unwrap_or_else(|| panic!("no {name}")).1
    }
}

fn read_head(reader: &mut BufReader<TcpStream>) -> io::Result<(u16, String)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok((status.unwrap_or_else(|| panic!("{head}")), head))
}

/// Returns a chunk of a body that comes in chunks; empty at the end.
fn read_chunk(reader: &mut BufReader<TcpStream>) -> io::Result<Vec<u8>> {
    let mut size = String::new();
    reader.read_line(&mut size)?;
    let size = usize::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
    let mut chunk = vec![0; size + 2];
    reader.read_exact(&mut chunk)?;
    chunk.truncate(size);
    Ok(chunk)
}

fn read_answer(reader: &mut BufReader<TcpStream>) -> io::Result<Answer> {
    let (status, head) = read_head(reader)?;
    let mut answer = Answer { status, head, body: String::new() };
    let mut body = Vec::new();
    if let Some(length) = answer.header("content-length") {
        body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body)?;
    } else if answer.header("transfer-encoding") == Some("chunked") {
        loop {
            let chunk = read_chunk(reader)?;
            if chunk.is_empty() {
                break;
            }
            body.extend(chunk);
        }
    }
    answer.body = String::from_utf8(body).unwrap();
    Ok(answer)
}

/// Returns a setup and a position, as the page tells them.
pub fn setting(board: &str, pods: &str, rules: &str, position: &str, actions: &[&str]) -> Value {
    json!({ "board": board, "pods": pods, "rules": rules, "position": position, "actions": actions })
}
