//! Serves the local page for a moment:
//! `cargo run --example explore --no-default-features --features explore`

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use pods::explore::{Options, Server};

fn main() -> Result<(), Box<dyn Error>> {
    // On the loopback interface, on any free port; the address has a token.
    let server = Server::bind(Options::new(1 << 28))?;
    let address = server.address();
    println!("{address}");
    let (host, path) = address.strip_prefix("http://").and_then(|rest| rest.split_once('/')).ok_or("no address")?;

    let stop = AtomicBool::new(false);
    let answer = thread::scope(|scope| {
        let served = scope.spawn(|| server.run(&stop));
        let ask = || -> Result<String, std::io::Error> {
            let mut stream = TcpStream::connect(host)?;
            write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        let answer = ask();
        stop.store(true, Ordering::Relaxed);
        served.join().map_err(|_| "the server panicked")??;
        Ok::<_, Box<dyn Error>>(answer?)
    })?;
    println!("{}", answer.lines().next().unwrap_or_default());
    // The token becomes a cookie, and a page leads on.
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.to_lowercase().contains("set-cookie: "));
    Ok(())
}
