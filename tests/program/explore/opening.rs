//! `pods explore --open`: a browser gets the address that is printed.

use crate::common::program;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Starts the server with this folder as the whole search path; the address, and what it says of
/// the browser.
fn opened(path: &Path) -> (Child, String, String) {
    let mut command = program();
    command.args(["explore", "--port", "0", "--open"]).env("PATH", path).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut address, mut said) = (String::new(), String::new());
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    (child, address, said)
}

#[test]
fn a_browser_gets_the_address_or_it_is_said_that_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, address, said) = opened(folder.path());
    assert!(address.starts_with("http://127.0.0.1:") && said.contains("no browser could be started"), "{said}");
    child.kill().unwrap();
    child.wait().unwrap();
    let (browser, got) = (folder.path().join("xdg-open"), folder.path().join("got"));
    assert!(Command::new("mkfifo").arg(&got).status().unwrap().success());
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > '{}'\n", got.display())).unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let (mut child, address, said) = opened(folder.path());
    assert!(said.contains("this address opens in a browser"), "{said}");
    // Everybody sees the arguments of programs; the token stands in a file of the owner's alone.
    let file = fs::read_to_string(&got).unwrap();
    let token = address.trim().split_once("token=").unwrap().1;
    assert!(!file.contains(token), "{file}");
    let file = Path::new(file.trim());
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::read_to_string(file).unwrap().contains(&format!("url={}\"", address.trim())));
    child.kill().unwrap();
    child.wait().unwrap();
}
