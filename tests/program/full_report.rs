//! `pods report --full`: what it says of small games is true, and a run that was killed goes on.

use crate::common::program;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

use pods::answer::{Request, solve};
use pods::files::Decimal;
use pods::material::Side;
use pods::report::full::{KnownOpenings, Plan, Policy, Row, Source, summaries};
use pods::report::{NamedSetup, material_text, sha256_hex};
use pods::solver::{Outcome, Silent};

fn plan(count: u64) -> Plan {
    Plan {
        setups: NamedSetup::read_turns("nook9", "four", "bdt", "standard".parse().unwrap()).unwrap().into(),
        plies: vec![1, 2, 3],
        count,
        seed: 5,
        nodes: 100_000,
        opening_nodes: 100_000,
        known: KnownOpenings::default(),
        policy: Policy { nodes: 30, margin: 16 },
        table: 1 << 16,
    }
}

fn rows(plan: &Plan) -> Vec<Row> {
    let ready = plan.ready().unwrap();
    let perform = |task: &_| {
        let task: &pods::report::full::Task = task;
        plan.perform(
            task,
            &ready[task.setup],
            &plan.settings(&plan.setups[task.setup]).unwrap(),
            &AtomicBool::new(false),
        )
        .unwrap()
    };
    plan.tasks(&ready).iter().map(perform).collect()
}

#[test]
fn small_games_are_reported_as_the_exhaustive_solver_solves_them() {
    let plan = plan(12);
    let rows = rows(&plan);
    let request = Request::default().unverified();
    for row in &rows {
        let game = row.setup.game();
        let position = game.parse_position(&row.position).unwrap();
        let solution = solve(game, &position, request, &Silent).unwrap();
        let mover = position.to_move();
        let winner = if solution.verdict.outcome() == Outcome::Win { mover } else { mover.other() };
        assert_eq!(row.winner, Some(winner), "{row:?}");
    }
    // The first player's openings, as the balance report has them (README): by orientation, wins of
    // all.
    let known = HashMap::from([(0, (2, 13)), (90, (1, 14)), (180, (0, 14)), (270, (1, 12))]);
    let summaries = summaries(&plan, &rows);
    let mut openings = 0;
    for summary in summaries.iter().filter(|summary| summary.source == Source::Opening) {
        let share = summary.share;
        assert_eq!((share.wins, share.positions()), known[&summary.setup.orientation().degrees()]);
        assert_eq!((share.unknown, summary.interval()), (0, None));
        openings += 1;
    }
    assert_eq!(openings, 4);
    // Four orientations, two kinds of play, three plies; and every row is in one of them.
    assert_eq!(summaries.len(), 4 + 4 * 2 * 3);
    let counted: u64 = summaries.iter().map(|summary| summary.share.positions()).sum();
    assert_eq!(counted, rows.len() as u64);
    // Strong play wins its won openings more often than random play does.
    let wins = |source| {
        let of = rows.iter().filter(|row| row.task.source == source && row.task.ply == 1);
        of.filter(|row| row.winner == Some(Side::White)).count()
    };
    assert!(wins(Source::Strong) >= wins(Source::Random));
}

#[test]
fn nothing_is_claimed_of_what_was_not_solved() {
    let plan = Plan { nodes: 1, opening_nodes: 1, ..plan(3) };
    let rows = rows(&plan);
    let unknown = rows.iter().filter(|row| row.winner.is_none()).count();
    assert!(unknown > 10, "{unknown}");
    for summary in summaries(&plan, &rows) {
        let record = summary.record();
        if summary.share.wins + summary.share.losses == 0 {
            assert_eq!([record.share, record.low, record.high], [None; 3], "{record:?}");
            assert_eq!([record.least, record.most], [0.0, 1.0].map(|end| Some(Decimal(end))), "{record:?}");
        }
    }
}

#[test]
fn a_larger_count_goes_on_where_a_smaller_one_ended() {
    let (small, large) = (rows(&plan(2)), rows(&plan(3)));
    assert_eq!(small[..], large[..small.len()]);
}

/// Writes rows of openings of nook9 with four kinds of pods, and their manifest with the digests of
/// such files.
fn write_openings(folder: &Path, rows: &str, inputs: [&str; 2]) -> PathBuf {
    let path = folder.join("openings.csv");
    let csv = format!("board,orientation,rules,opening,value,reply,nodes,position\n{rows}");
    let inputs = inputs.map(|name| format!("{{ \"name\": \"{name}\", \"sha256\": \"{}\" }}", digest_of(name)));
    let manifest = format!(
        "{{ \"inputs\": [{}], \"result\": \"openings.csv\", \"sha256\": \"{}\" }}",
        inputs.join(", "),
        sha256_hex(csv.as_bytes())
    );
    fs::write(&path, csv).unwrap();
    fs::write(folder.join("openings.manifest.json"), manifest).unwrap();
    path
}

fn digest_of(name: &str) -> String {
    sha256_hex(material_text(name).unwrap().0.as_bytes())
}

#[test]
fn openings_whose_winner_is_known_are_not_solved_again() {
    let folder = tempfile::tempdir().unwrap();
    // Values that are not the true ones show where they come from. The last three rows are about
    // another position, other rules, and no opening.
    let known = "nook9,90,standard,b@a2,win,,17,3/B2/3 b dt bdt -\n\
                 nook9,90,standard,b@b3,loss,b@b1,18,1B1/3/3 b dt bdt -\n\
                 nook9,90,standard,b@a3,unknown,,19,B2/3/3 b dt bdt -\n\
                 nook9,90,standard,b@c3,win,,20,2B/3/3 b dqt bdqt -\n\
                 nook9,90,basic-author,b@c1,win,,21,3/3/2B b dt bdt -\n\
                 nook9,90,standard,b@a1,win,,22,3/3/B2 b dt bdt -\n";
    let path = write_openings(folder.path(), known, ["nook9", "four"]);
    let without = Plan { opening_nodes: 1, ..plan(2) };
    let with = Plan { known: KnownOpenings::read(&path).unwrap(), ..without.clone() };
    for (before, after) in rows(&without).into_iter().zip(rows(&with)) {
        let told = match (after.setup.orientation().degrees(), after.task.opening.as_deref()) {
            (90, Some("b@a2")) => Some((Some(Side::White), 17)),
            (90, Some("b@b3")) => Some((Some(Side::Black), 18)),
            _ => None,
        };
        assert_eq!((after.winner, after.nodes), told.unwrap_or((before.winner, before.nodes)), "{after:?}");
        // Rows of runs with and without a file, or with another one, are not mixed.
        assert_ne!(before.settings, after.settings);
        assert_eq!(before.position, after.position);
    }
    // Other pods under the same names know nothing.
    let other = write_openings(folder.path(), known, ["nook9", "duo"]);
    let other = Plan { known: KnownOpenings::read(&other).unwrap(), ..without };
    assert!(other.ready().unwrap().iter().all(|setup| setup.known.is_empty()));
    assert!(with.ready().unwrap().iter().any(|setup| setup.known.len() == 2));
}

#[test]
fn files_of_openings_are_named_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let row = "nook9,90,standard,b@a2,loss,d@c2,17,3/B2/3 b dt bdt -\n";
    let path = write_openings(folder.path(), row, ["nook9", "four"]);
    let run = |board: &str, out: &Path| {
        let mut command = program();
        command.args(["report", "--full", "--pods", "four", "--hands", "bdt", "--count", "1", "--ply", "2"]);
        command.args(["--board", board, "--openings"]).arg(&path).arg("--out").arg(out).output().unwrap()
    };
    let out = folder.path().join("out");
    let first = good(&run("nook9", &out));
    assert!(first.contains("nook9,90,four,bdt,bdt,standard,opening,1,14,14,1,13,0,"), "{first}");
    let manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("full.manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["openings"]["sha256"], sha256_hex(&fs::read(&path).unwrap()));
    assert!(fs::read_to_string(out.join("rows.csv")).unwrap().contains(",b@a2,3/B2/3 b dt bdt -,black,17,"));

    let refused = |ran: &Output, words: &str| {
        let message = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{message}");
        assert!(message.contains(words), "{message}");
    };
    refused(&run("den12", &folder.path().join("den12")), "knows no opening of these setups");
    fs::write(&path, fs::read_to_string(&path).unwrap().replace(",loss,", ",win,")).unwrap();
    refused(&run("nook9", &out), "its name or digest differs");
    write_openings(folder.path(), "nook9,90,standard,b@a2,lost,,17,3/B2/3 b dt bdt -\n", ["nook9", "four"]);
    refused(&run("nook9", &out), "value (win, loss or unknown)");
    fs::remove_file(folder.path().join("openings.manifest.json")).unwrap();
    refused(&run("nook9", &out), "openings.csv");
}

#[test]
fn games_with_moves_are_refused() {
    let mut plan = plan(1);
    plan.setups[1] = plan.setups[1].with_rules("advanced".parse().unwrap());
    let Err(error) = plan.ready() else { panic!("not refused") };
    assert!(error.to_string().contains("nothing moves"), "{error}");
}

/// Returns a run on the board of the real size that takes some seconds.
fn command(out: &Path, more: &[&str]) -> Command {
    let mut command = program();
    command.args(["report", "--full", "--ply", "14", "--ply", "13", "--count", "3", "--policy-nodes", "500"]);
    command.args(["--opening-nodes", "20", "--max-nodes", "20000", "--table", "1MiB", "--out"]).arg(out).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(out: &Path, more: &[&str]) -> Output {
    command(out, more).output().unwrap()
}

#[track_caller]
fn good(ran: &Output) -> String {
    assert_eq!((ran.status.code(), String::from_utf8_lossy(&ran.stderr).as_ref()), (Some(0), ""));
    String::from_utf8(ran.stdout.clone()).unwrap()
}

#[test]
fn a_run_that_was_killed_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let report = good(&run(&whole, &["--threads", "2"]));
    let rows = fs::read(whole.join("rows.csv")).unwrap();
    assert_eq!(report, fs::read_to_string(whole.join("summary.csv")).unwrap());

    // Killed in the middle, more than once, then on another number of threads.
    let killed = folder.path().join("killed");
    for lines in [50, 212, 230] {
        let mut child = command(&killed, &[]).spawn().unwrap();
        let written = || fs::read(killed.join("rows.csv")).map_or(0, |b| b.iter().filter(|&&b| b == b'\n').count());
        while written() < lines && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let so_far = fs::read(killed.join("rows.csv")).unwrap();
        assert!(rows.starts_with(&so_far), "what is written is the front of the whole");
    }
    assert_eq!(good(&run(&killed, &["--threads", "1"])), report);
    assert!(fs::read(killed.join("rows.csv")).unwrap() == rows);
    assert_eq!(fs::read_to_string(killed.join("summary.csv")).unwrap(), report);

    // Torn at any place, the header included; a finished run has nothing left to do.
    let file = killed.join("rows.csv");
    for length in [60, rows.len() / 2, rows.len() - 1, rows.len()] {
        fs::write(&file, &rows[..length]).unwrap();
        assert_eq!(good(&run(&killed, &[])), report, "torn at {length}");
        assert!(fs::read(&file).unwrap() == rows, "torn at {length}");
    }

    // What does not fit is refused, and left alone.
    let line = rows.iter().position(|&byte| byte == b'\n').unwrap() + 20;
    let mut damaged = rows.clone();
    damaged[line] ^= 1;
    let mut foreign = b"board,orientation\n".to_vec();
    foreign.extend(&rows);
    for (bytes, arguments, words) in [
        (&damaged, &[][..], "line 2 is damaged"),
        (&foreign, &[], "no file of rows"),
        (&rows, &["--margin", "3"], "other setups, limits or seeds"),
        (&rows, &["--seed", "3"], "other setups, limits or seeds"),
    ] {
        fs::write(&file, bytes).unwrap();
        let ran = run(&killed, arguments);
        let message = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{message}");
        assert!(message.contains(words) && message.contains("rows.csv"), "{message}");
        assert!(fs::read(&file).unwrap() == *bytes, "changed: {words}");
    }

    // A second run on the same file waits for nobody.
    let mut child = command(&folder.path().join("both"), &[]).spawn().unwrap();
    let both = folder.path().join("both").join("rows.csv");
    while fs::metadata(&both).map_or(0, |file| file.len()) == 0 {
        std::thread::yield_now();
    }
    let second = run(&folder.path().join("both"), &[]);
    let still_running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    let message = String::from_utf8_lossy(&second.stderr);
    assert!(!still_running || message.contains("another run"), "{message}");
}
