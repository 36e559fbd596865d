//! Builds by several processes among callers that are silent, slow, or not what they say.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use crate::cluster::{SMALL, Started, bytes, command_alone, ended, text};
use serde_json::{Value, json};
use tempfile::tempdir;

/// Returns a connection to process 0 as soon as it listens.
fn called(hosts: &Path) -> TcpStream {
    let list = fs::read_to_string(hosts).unwrap();
    let first = list.lines().find(|line| !line.starts_with('#')).unwrap();
    loop {
        if let Ok(stream) = TcpStream::connect(first) {
            return stream;
        }
        std::thread::yield_now();
    }
}

fn said(message: &Value) -> Vec<u8> {
    let text = message.to_string();
    [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
}

fn heard(stream: &mut TcpStream) -> Vec<u8> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut text = vec![0; u32::from_le_bytes(length) as usize];
    stream.read_exact(&mut text).unwrap();
    [&length, &text[..]].concat()
}

#[test]
fn silent_callers_do_not_delay_a_build() {
    let folder = tempdir().unwrap();
    let whole = command_alone(&folder.path().join("whole"), &SMALL);
    let started = Started::new(&SMALL, 2);
    let hosts = started.hosts();
    let first = started.command(&hosts, 0, "", &[]).spawn().unwrap();
    // One after the other these would take five minutes, and a process waits for one.
    let silent: Vec<TcpStream> = (0..150)
        .map(|number| {
            let mut caller = called(&hosts);
            let beginnings: [&[u8]; 5] = [b"", b"\0", &[0, 0, 1, 0], &[9, 0, 0, 0, b'{'], b"GET / HTTP/1.1\r\n\r\n"];
            // It may be gone already.
            let _ = caller.write_all(beginnings[number % 5]);
            caller
        })
        .collect();
    let second = started.command(&hosts, 1, "", &[]).spawn().unwrap();
    let outputs = ended(vec![first, second]);
    assert!(outputs.iter().all(|output| output.status.success()), "{outputs:?}");
    assert!(bytes(&started.name()) == whole);
    drop(silent);
}

#[test]
fn a_caller_that_drips_has_one_deadline() {
    let started = Started::new(&SMALL, 2);
    let hosts = started.hosts();
    let mut first = started.command(&hosts, 0, "", &["--peer-timeout", "1"]).spawn().unwrap();
    let mut caller = called(&hosts);
    let _ = caller.write_all(&(1_u32 << 18).to_le_bytes());
    caller.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let mut drips = 0;
    while first.try_wait().unwrap().is_none() {
        let _ = caller.write_all(b" ");
        // Nothing comes: this waits.
        let _ = caller.read(&mut [0]);
        drips += 1;
        if drips > 1000 && caller.write_all(b" ").is_ok() {
            first.kill().unwrap();
            panic!("it listens on, {drips} drips later");
        }
    }
    let output = first.wait_with_output().unwrap();
    assert!(output.status.code() == Some(2), "{}", text(&output));
    assert!(text(&output).contains("process 1 did not come within 1 s"), "{}", text(&output));
}

/// Returns a listener in the place of process 0, and the list of hosts with it.
fn in_place_of_first(started: &Started) -> (TcpListener, PathBuf) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let hosts = started.hosts().with_file_name("hosts-of-a-liar");
    let rest = "127.0.0.1:0\n".repeat(2);
    fs::write(&hosts, format!("{}\n{rest}", listener.local_addr().unwrap())).unwrap();
    (listener, hosts)
}

#[test]
fn a_welcome_is_checked_before_it_is_used() {
    let place = "127.0.0.1:1";
    let welcome = |places: &[&str]| said(&json!({"Welcome": {"session": 1, "mark": "x", "places": places}}));
    let answers = [
        (welcome(&[]), "gives 0 addresses for 3 processes"),
        (welcome(&[place; 2]), "gives 2 addresses for 3 processes"),
        (welcome(&[place; 900]), "gives 900 addresses for 3 processes"),
        (welcome(&[place; 3]), "process 1 is not there"),
        (welcome(&["somewhere"; 3]), "process 0 at 127.0.0.1"),
        (said(&json!({"Refused": "no".repeat(100_000)})), "nonono"),
        (said(&json!({"Refused": ""})), "refuses this process and says \"\""),
        (said(&json!({"Refused": null})), "process 0 at 127.0.0.1"),
        (said(&json!([])), "process 0 at 127.0.0.1"),
        (vec![0; 4], "process 0 at 127.0.0.1"),
        (vec![255; 40], "process 0 at 127.0.0.1"),
        (Vec::new(), "process 0 at 127.0.0.1"),
    ];
    for (answer, wanted) in answers {
        let started = Started::new(&SMALL, 3);
        let (listener, hosts) = in_place_of_first(&started);
        let last = started.command(&hosts, 2, "", &["--peer-timeout", "1"]).spawn().unwrap();
        let (mut caller, _) = listener.accept().unwrap();
        heard(&mut caller);
        caller.write_all(&answer).unwrap();
        drop(caller);
        let output = last.wait_with_output().unwrap();
        let text = text(&output);
        assert!(output.status.code() == Some(2) && text.contains(wanted) && text.len() < 4000, "{wanted}: {text}");
    }
}

/// Returns a process 0, with one in the place of process 1 that it has welcomed.
fn welcomed(started: &Started, hosts: &Path) -> (Child, TcpStream) {
    // What the greeting has to say is learnt from a process that calls here.
    let (listener, elsewhere) = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let list = hosts.with_file_name("hosts-elsewhere");
        fs::write(&list, format!("{}\n127.0.0.1:0\n", listener.local_addr().unwrap())).unwrap();
        (listener, list)
    };
    let mut honest = started.command(&elsewhere, 1, "", &[]).spawn().unwrap();
    let hello = heard(&mut listener.accept().unwrap().0);
    honest.kill().unwrap();
    honest.wait().unwrap();
    let first = started.command(hosts, 0, "", &["--peer-timeout", "20"]).spawn().unwrap();
    let mut caller = called(hosts);
    caller.write_all(&hello).unwrap();
    heard(&mut caller);
    (first, caller)
}

#[test]
fn a_process_that_sends_nonsense_is_lost() {
    let head = |fields: [u64; 6]| fields.map(u64::to_be_bytes).concat();
    let strange = "process 1 at 127.0.0.1:";
    let mut sent = vec![
        (head([1, 1, 0, 1, 1 << 62, 0]), strange),
        (head([1, 1, 0, 1, 1 << 34, 0]), strange),
        (head([1, 1, 0, 1, u64::MAX, 0]), strange),
        (head([1, 1, 0, 1 << 40, 8, 0]), strange),
        (head([1, 0, 0, 1, 8, 0]), strange),
        ([head([0; 6]), vec![1]].concat(), "process "),
        (head([1, 1, 0, 1, 8, 0])[..20].to_vec(), strange),
    ];
    // Well framed, and nothing that timely can read, on every channel that there may be.
    for channel in 0..12 {
        sent.push(([head([channel, 1, 0, 1, 64, 0]), vec![0xff; 64]].concat(), ""));
    }
    for (bytes, wanted) in sent {
        let started = Started::new(&SMALL, 2);
        let hosts = started.hosts();
        let (first, mut caller) = welcomed(&started, &hosts);
        // It may have given up while this is written.
        let _ = caller.write_all(&bytes);
        drop(caller);
        let output = first.wait_with_output().unwrap();
        let text = text(&output);
        assert!(output.status.code() == Some(2) && text.contains(wanted), "{bytes:?}: {text}");
        assert!(!text.contains("panicked") && text.contains("start all processes again"), "{bytes:?}: {text}");
    }
}
