//! Reports of setups that are too large to be solved say so beforehand, and who is favoured by
//! play.

#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Command;

use crate::run::{answer, run, spawn};

#[test]
fn the_owner_of_a_board_is_told_what_can_be_known() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mine = |text: String| text.replace("source = \"pods new", "source = \"my table, pods new");
    let board = file("mine.toml", mine(answer(&["new", "board", "--random", "--seed", "3"], "")));
    let pods = file("pods.toml", mine(answer(&["new", "pods", "--random", "--seed", "3"], "")));
    let setup = ["--board", &board, "--pods", &pods, "--orientation", "0"];
    let mut child = spawn(&[&["report", "--format", "csv"], &setup[..]].concat());
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    // The last line of the estimate.
    while !said.contains("Pods random-pods-3, as the file says: my table, pods new pods --random --seed 3\n") {
        assert!(errors.read_line(&mut said).unwrap() > 0, "{said}");
    }
    let more = format!("pods report play --board {board} --pods {pods} --rules standard --format text");
    for words in [
        &format!("pods: note: {board}, {pods}, standard: too large to be solved for certain: some 10^"),
        &format!("An estimate by play, not exact; more of it, with intervals: {more}\n"),
        "500 nodes an action, White starts: 6 games, first player wins ",
        "Board random-6x6-3, as the file says: my table, pods new board 6x6 --random --seed 3\n",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("reconstruction"), "{said}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    let ran = child.wait_with_output().unwrap();
    assert_eq!((ran.status.code(), ran.stdout.starts_with(b"board,")), (Some(130), true), "{rest}");
    // The signal finds the row begun, which is written then, or not begun yet.
    let none = format!("pods: stopped early: 0 of 1 setups are done; who is favoured by play: {more}\n");
    let partly = "pods: stopped early: 0 of 1 setups are done, 1 more have what was known by then\n";
    assert!([none.as_str(), partly].contains(&rest.trim_start()), "{rest}");
    // Within limits the row comes, and nothing else is said.
    let ran = run(&[&["report", "--max-nodes", "1000", "--format", "csv"], &setup[..]].concat(), "");
    assert_eq!((ran.code, ran.err.as_str(), ran.out.lines().count()), (0, "", 2), "{}", ran.out);
    // Within a time, half of it is for games, beside the row.
    let within = ["--rules", "advanced", "--time", "4", "--threads", "1"];
    let begun = std::time::Instant::now();
    let ran = run(&[&["report", "--format", "text"], &within[..], &setup[..]].concat(), "");
    assert!(ran.code == 0 && begun.elapsed().as_secs() < 60, "{}", ran.err);
    for words in
        ["unknown", "An estimate by play, not exact", "500 nodes an action, White starts", "no game here is solved"]
    {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    // A start that is solved needs no games.
    let small =
        ["report", "--board", "lair16", "--pods", "duo", "--rules", "standard", "--time", "60", "--format", "text"];
    assert!(!run(&small, "").out.contains("estimate"));
}
