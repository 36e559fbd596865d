//! `pods report --full`: what it says of small games is true, and a run that was killed goes on.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

use pods::answer::{Request, solve};
use pods::geometry::Orientation;
use pods::material::Side;
use pods::report::Entry;
use pods::report::full::{Plan, Policy, Row, Source, summaries};
use pods::solver::{Outcome, Silent};

fn plan(count: u64) -> Plan {
    let entry = |orientation| Entry {
        board: "nook9".to_owned(),
        orientation,
        pods: "four".to_owned(),
        white_hand: "bdt".to_owned(),
        black_hand: "bdt".to_owned(),
        rules: "standard".parse().unwrap(),
    };
    Plan {
        entries: Orientation::ALL.map(entry).into(),
        plies: vec![1, 2, 3],
        count,
        seed: 5,
        nodes: 100_000,
        opening_nodes: 100_000,
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
            &ready[task.entry],
            &plan.settings(&plan.entries[task.entry]).unwrap(),
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
        let (game, ..) = row.entry.game().unwrap();
        let position = game.position(&row.position).unwrap();
        let solution = solve(&game, &position, request, &Silent).unwrap();
        let mover = position.to_move();
        let winner = if solution.verdict.outcome() == Outcome::Win { mover } else { mover.other() };
        assert_eq!(row.winner, Some(winner), "{row:?}");
    }
    // The first player's openings, as the balance report has them (README): by orientation, wins of all.
    let known = HashMap::from([(0, (2, 13)), (90, (1, 14)), (180, (0, 14)), (270, (1, 12))]);
    let summaries = summaries(&plan, &rows);
    let mut openings = 0;
    for summary in summaries.iter().filter(|summary| summary.source == Source::Opening) {
        let share = summary.share;
        assert_eq!((share.wins, share.positions()), known[&summary.entry.orientation.degrees()]);
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
        let cells = summary.cells();
        if summary.share.wins + summary.share.losses == 0 {
            assert_eq!(cells[13..16], ["", "", ""], "{cells:?}");
            assert_eq!(cells[16..18], ["0.0000", "1.0000"], "{cells:?}");
        }
    }
}

#[test]
fn a_larger_count_goes_on_where_a_smaller_one_ended() {
    let (small, large) = (rows(&plan(2)), rows(&plan(3)));
    assert_eq!(small[..], large[..small.len()]);
}

#[test]
fn games_with_moves_are_refused() {
    let mut plan = plan(1);
    plan.entries[1].rules = "advanced".parse().unwrap();
    let Err(error) = plan.ready() else { panic!("not refused") };
    assert!(error.to_string().contains("nothing moves"), "{error}");
}

/// A run on the board of the real size that takes some seconds.
fn command(out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pods"));
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
    let mut foreign = b"board,orientation\r\n".to_vec();
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
