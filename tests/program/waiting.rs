//! Nothing waits in silence: on a terminal a long job shows how far it is.

#![cfg(target_os = "linux")]

use crate::common::{cannot_run, program};
use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};

/// Commands that go on for minutes, each with what it shows soon.
const LONG: &[(&str, &str)] = &[
    ("perft start --depth 9", "positions looked at"),
    ("crosscheck --cases 1000000000", " left"),
    ("solve start --no-library", "first actions lose"),
    ("solve start --rules advanced --max-plies 25", "positions"),
    ("search start --every-action", "first actions lose"),
    ("best start --time 9999 --no-library", "positions"),
    ("match random random --pairs 1000000", "openings"),
    ("match 'best --max-nodes 1000000000' random --rules advanced", "match"),
    ("replay TEMP/games", " left"),
    ("report --board cave36 --pods pods14 --no-library --orientation 0", "balance, "),
    ("report readings --board cave36 --pods pods14", "readings, "),
    ("report readings advanced advanced-dutch --board cave36 --pods pods14", "compare, "),
    ("report measures --board cave36 --pods pods14", "measures, "),
    ("report play --rules advanced --strength 1000000000:50", "play"),
    ("prove start --method search --out TEMP/c", "first actions lose"),
    ("prove start --method search --out TEMP/d --rules standard+opening=any --orientation 90", "positions searched"),
    ("check-proof results/solved/0-start.proof", " left"),
    ("oracle export --count 1000000 --out TEMP/set", "oracle set"),
    ("conform --positions 1000000000 --engine 'PODS engine'", "conform, constructed"),
    ("table build TEMP/large --board cave25 --pods four --rules advanced", "table, tier"),
    ("table verify TEMP/small --plain --reference-every 1", "verify"),
    ("table export TEMP/small", " left"),
];

#[test]
fn long_jobs_show_how_far_they_are() {
    if Command::new("script").arg("--version").output().is_err() {
        return cannot_run("script", "nothing else gives a program a terminal");
    }
    let folder = tempfile::tempdir().unwrap();
    let small = ["--board", "lair16", "--pods", "four", "--hands", ":bdt", "--rules", "advanced"];
    let built = program().args(["table", "build"]).arg(folder.path().join("small")).args(small).output().unwrap();
    assert!(built.status.success());
    fs::write(folder.path().join("games"), long_match()).unwrap();
    for (command, words) in LONG {
        let command = command.replace("TEMP", folder.path().to_str().unwrap());
        // Whoever runs the tests by `nohup` has SIGHUP ignored, and the program would leave it so.
        let command = format!("stty cols 200; exec env --default-signal=HUP PODS {command} > /dev/null");
        let command = command.replace("PODS", env!("CARGO_BIN_EXE_pods"));
        let mut script = Command::new("script");
        script.args(["-qefc", &command, "/dev/null"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = script.spawn().unwrap();
        let (mut shown, mut bytes) = (Vec::new(), [0; 1024]);
        let mut out = child.stdout.take().unwrap();
        while !String::from_utf8_lossy(&shown).contains(words) {
            let read = out.read(&mut bytes).unwrap();
            assert!(read > 0, "{command}: ended after {:?}", String::from_utf8_lossy(&shown));
            shown.extend(&bytes[..read]);
        }
        // With its terminal gone the program ends.
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Returns a file of games that takes long to replay: a kept one, with its games twenty times.
fn long_match() -> String {
    let kept = fs::read_to_string("results/full-advanced/games-4000.jsonl").unwrap();
    let games = kept.lines().filter(|line| line.contains(r#""type":"game""#)).map(|line| format!("{line}\n"));
    kept.clone() + &games.collect::<String>().repeat(19)
}
