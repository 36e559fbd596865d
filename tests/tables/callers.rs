//! Builds by several processes among callers that are silent, or not what they say.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use crate::cluster::{SMALL, Started, bytes, command_alone, ended, text};
use crate::common::wait_a_moment;
use tempfile::tempdir;

/// Returns a connection to process 0 as soon as it listens.
fn called(hosts: &Path) -> TcpStream {
    let list = fs::read_to_string(hosts).unwrap();
    let first = list.lines().find(|line| !line.starts_with('#')).unwrap();
    loop {
        if let Ok(stream) = TcpStream::connect(first) {
            return stream;
        }
        wait_a_moment();
    }
}

#[test]
fn callers_that_say_nothing_or_something_else_are_not_heard() {
    let folder = tempdir().unwrap();
    let whole = command_alone(&folder.path().join("whole"), &SMALL);
    let started = Started::new(&SMALL, 2);
    let hosts = started.hosts();
    let first = started.command(&hosts, 0, "", &[]).spawn().unwrap();
    let beginnings: [&[u8]; 5] = [b"", b"\0", &[0; 16], &[0xff; 16], b"GET / HTTP/1.1\r\n\r\n"];
    let strangers = beginnings.map(|beginning| {
        let mut caller = called(&hosts);
        // It may be gone already.
        let _ = caller.write_all(beginning);
        caller
    });
    let second = started.command(&hosts, 1, "", &[]).spawn().unwrap();
    let outputs = ended(vec![first, second]);
    assert!(outputs.iter().all(|output| output.status.success()), "{outputs:?}");
    assert!(bytes(&started.name()) == whole);
    drop(strangers);
}

#[test]
fn a_process_that_sends_nonsense_is_lost() {
    let head = |fields: [u64; 6]| fields.map(u64::to_be_bytes).concat();
    let mut sent = vec![
        head([1, 1, 0, 1, 1 << 62, 0]),
        head([1, 1, 0, 1, 8, 0])[..20].to_vec(),
        [head([0; 6]), vec![1]].concat(),
        Vec::new(),
    ];
    // Well framed, and nothing that timely can read, on every channel that there may be.
    for channel in 0..6 {
        sent.push([head([channel, 1, 0, 1, 64, 0]), vec![0xff; 64]].concat());
    }
    for bytes in sent {
        let started = Started::new(&SMALL, 2);
        let hosts = started.hosts();
        let first = started.command(&hosts, 0, "", &["--peer-timeout", "20"]).spawn().unwrap();
        let mut caller = called(&hosts);
        caller.write_all([1_u64, 2].map(u64::to_be_bytes).as_flattened()).unwrap();
        // It has taken this one for process 1: it says something.
        caller.read_exact(&mut [0; 8]).unwrap();
        let _ = caller.write_all(&bytes);
        drop(caller);
        let output = first.wait_with_output().unwrap();
        let text = text(&output);
        assert!(output.status.code() == Some(2), "{bytes:?}: {text}");
        assert!(!text.contains("panicked") && text.contains("start all processes again"), "{bytes:?}: {text}");
    }
}
