//! The commands that keep what a search proves in a file, and go on from it.

use crate::checkpoints::{game, sorted_entries};
use crate::common::{program, wait_a_moment};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use pods::solver::search::Search;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use sha2::{Digest as _, Sha256};

fn pods(arguments: &[&str], file: &Path) -> Output {
    program().args(START).args(arguments).arg("--checkpoint").arg(file).output().unwrap()
}

const START: [&str; 6] = ["search", "start", "--threads", "1", "--memory", "32MiB"];

fn nodes(ran: &Output) -> u64 {
    let text = String::from_utf8(ran.stdout.clone()).unwrap();
    assert!(matches!(ran.status.code(), Some(0 | 130)), "{text} {}", String::from_utf8_lossy(&ran.stderr));
    let line = text.lines().find_map(|line| line.strip_prefix("method    search, ")).unwrap();
    line.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_command_goes_on_and_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("start.search");
    let limit = ["--max-nodes", "20000"];
    let first = pods(&limit, &file);
    assert!(nodes(&first) >= 20_000 && first.stderr.is_empty());
    let second = pods(&limit, &file);
    assert!(nodes(&second) >= 40_000, "{}", nodes(&second));
    let note = String::from_utf8(second.stderr).unwrap();
    assert!(note.contains("resuming from") && note.contains("positions are known after 20,00"), "{note}");
    let refused = |arguments: &[&str], file: &Path, code: i32, words: &str| {
        let before = std::fs::read(file).ok();
        let ran = pods(arguments, file);
        let error = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(code), "{error}");
        assert!(error.contains(words) && ran.stdout.is_empty(), "{error}");
        assert_eq!(std::fs::read(file).ok(), before);
    };
    refused(&["--orientation", "90"], &file, 2, "another setup, cave36 turned by 0°, pods14, standard; asked for is");
    refused(&["--rules", "standard+opening=any"], &file, 2, "name another file");
    refused(&["--checkpoint-size", "much"], &file, 2, "no unit of memory");
    refused(&["--checkpoint-every", "soon"], &file, 2, "write a number of seconds");
    let good = std::fs::read(&file).unwrap();
    for (at, code, words) in [(0, 2, "not a saved search"), (8, 2, "this program reads version"), (5_000, 1, "damaged")]
    {
        let mut bytes = good.clone();
        bytes[at] ^= 4;
        std::fs::write(&file, bytes).unwrap();
        refused(&limit, &file, code, words);
    }
    refused(&limit, &folder.path().join("no/such/file"), 2, "cannot be written");
    refused(&limit, folder.path(), 2, "it is a folder");
    for (wrong, words) in [
        (&["solve", "start"][..], "`pods solve --checkpoint` is now `pods search --checkpoint`"),
        (&["prove", "start", "--out", "no.proof"], "add --method search"),
    ] {
        let ran = program().args(wrong).arg("--checkpoint").arg(&file).stdin(Stdio::null()).output().unwrap();
        assert_eq!(ran.status.code(), Some(2));
        assert!(String::from_utf8(ran.stderr).unwrap().contains(words), "{wrong:?}");
    }
    std::fs::write(&file, good).unwrap();
    // With less memory the file would lose what does not fit.
    let before = std::fs::read(&file).unwrap();
    let few = program().args(["search", "start", "--memory", "16KiB", "--checkpoint"]).arg(&file).output().unwrap();
    let error = String::from_utf8(few.stderr).unwrap();
    assert!(few.status.code() == Some(2) && error.contains("do not fit; raise --memory"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    // As much as it may, and no more: head and checksum come on top.
    nodes(&pods(&["--max-nodes", "1000", "--checkpoint-size", "16KiB"], &file));
    assert_eq!(sorted_entries(&std::fs::read(&file).unwrap()).len(), 1 << 10);
    // Nothing else was left in the folder.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Returns a checkpoint with so many entries more, of positions that no search meets.
fn enlarged(checkpoint: &[u8], more: u64) -> Vec<u8> {
    let mut random = Pcg64::seed_from_u64(7);
    let names = u32::from_le_bytes(checkpoint[12..16].try_into().unwrap()) as usize;
    let (count, entries) = (16 + names + 32, 16 + names + 32 + 8);
    let mut bytes = checkpoint[..checkpoint.len() - 8 - 32].to_vec();
    let all = (bytes.len() - entries) as u64 / 16 + more;
    bytes[count..entries].copy_from_slice(&all.to_le_bytes());
    for _ in 0..more {
        // Lost for the mover, after some 2^20 nodes.
        let [high, low] = [random.random::<u64>(), random.random::<u64>()];
        bytes.extend(high.to_le_bytes());
        bytes.extend((low >> 30 << 30 | 20 << 24 | 1).to_le_bytes());
    }
    bytes.extend(&checkpoint[checkpoint.len() - 8 - 32..checkpoint.len() - 32]);
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

/// Tests that a command without a size of its own keeps what a file of more than 64 MiB knows.
#[test]
fn a_large_file_does_not_become_small() {
    const MORE: u64 = 4_500_000;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("start.search");
    nodes(&pods(&["--max-nodes", "1000"], &file));
    let large = enlarged(&std::fs::read(&file).unwrap(), MORE);
    let known = |file: &Path| sorted_entries(&std::fs::read(file).unwrap()).len() as u64;
    let ran = |arguments: &[&str]| {
        let mut command = program();
        command.args(arguments).args(["--max-nodes", "1000", "--memory", "1GiB", "--checkpoint"]).arg(&file);
        let ran = command.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    };
    let proof = folder.path().join("start.proof");
    std::fs::write(&file, &large).unwrap();
    // What is found meanwhile may take the place of a few.
    let most = MORE / 100 * 99;
    ran(&["prove", "start", "--method", "search", "--out", proof.to_str().unwrap()]);
    assert!(known(&file) >= most, "{}", known(&file));
    ran(&["search", "start"]);
    assert!(known(&file) >= most, "{}", known(&file));
    // A size that is asked for holds.
    ran(&["search", "start", "--checkpoint-size", "16KiB"]);
    assert_eq!(known(&file), 1 << 10);
}

#[test]
fn what_was_saved_before_a_kill_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("start.search");
    let mut known = 0;
    for _ in 0..3 {
        let before = std::fs::read(&file).ok();
        let mut child = program()
            .args(START)
            .args(["--checkpoint-every", "0.01", "--checkpoint"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while std::fs::read(&file).ok() == before {
            assert!(child.try_wait().unwrap().is_none(), "ended before anything was saved");
            wait_a_moment();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let mut search = Search::new(&game("cave36", "pods14", "standard"), 32 << 20).unwrap();
        search.load(&mut &std::fs::read(&file).unwrap()[..]).unwrap();
        assert!(search.nodes() > known, "{} after {known}", search.nodes());
        known = search.nodes();
    }
    assert!(nodes(&pods(&["--max-nodes", "1000"], &file)) >= known + 1_000);
}

#[test]
fn what_others_put_there_meanwhile_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("start.search"), folder.path().join("other.search"));
    nodes(&pods(&["--max-nodes", "1000"], &other));
    let other = std::fs::read(other).unwrap();
    for (there, then) in [(false, &b"a letter"[..]), (true, b"a letter"), (false, &other)] {
        let _ = std::fs::remove_file(&file);
        if there {
            nodes(&pods(&["--max-nodes", "1000"], &file));
        }
        let mut run = program();
        run.args(START).args(["--time", "1", "--checkpoint-every", "100", "--checkpoint"]).arg(&file);
        let run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        while !folder.path().join("start.search.lock").exists() {
            wait_a_moment();
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
        std::fs::write(&file, then).unwrap();
        let ended = run.wait_with_output().unwrap();
        let error = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.code() == Some(2) && error.contains("meanwhile, and it is kept"), "{error}");
        assert!(std::fs::read(&file).unwrap() == then);
    }
}

#[test]
fn a_file_with_the_name_of_the_lock_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (file, lock) = (folder.path().join("Cargo"), folder.path().join("Cargo.lock"));
    std::fs::write(&lock, "precious").unwrap();
    let ran = pods(&["--max-nodes", "1000"], &file);
    let error = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.code() == Some(2) && error.contains("Cargo.lock is no lock file of this program"), "{error}");
    assert!(std::fs::read(&lock).unwrap() == b"precious" && !file.exists());
}

/// Two runs would write over each other's work.
#[test]
fn a_second_run_on_one_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("start.search");
    let mut first = program();
    first.args(START).args(["--checkpoint-every", "0.01", "--checkpoint"]).arg(&file);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !file.exists() {
        wait_a_moment();
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let mut names = vec![file.clone()];
    #[cfg(unix)]
    {
        names.push(elsewhere.path().join("link.search"));
        std::os::unix::fs::symlink(&file, &names[1]).unwrap();
    }
    for name in names {
        let second = pods(&["--max-nodes", "1000"], &name);
        let error = String::from_utf8(second.stderr).unwrap();
        assert!(second.status.code() == Some(2) && error.contains("in use by process"), "{error}");
    }
    first.kill().unwrap();
    first.wait().unwrap();
    // A kill leaves nothing in the way.
    assert!(nodes(&pods(&["--max-nodes", "1000"], &file)) >= 1_000);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("start.search");
        let known = nodes(&pods(&["--max-nodes", "1000"], &file));
        let mut child = program()
            .args(START)
            .arg("--checkpoint")
            .arg(&file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The note comes after signals are listened to.
        let mut note = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut note).unwrap();
        assert!(note.contains("resuming from"), "{note}");
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130), "{signal}");
        assert!(String::from_utf8_lossy(&ended.stdout).contains("value     unknown: interrupted\n"), "{signal}");
        let after = nodes(&ended);
        assert!(after >= known);
        let mut search = Search::new(&game("cave36", "pods14", "standard"), 32 << 20).unwrap();
        search.load(&mut &std::fs::read(&file).unwrap()[..]).unwrap();
        assert_eq!(search.nodes(), after);
    }
}
