//! Predictions of memory at the peak, against measurements.

use std::fs;
use std::process::Command;

use crate::common::builtin_game;
use pods::engine::Bitboard;
use pods::material::Side;
use pods::position::{Game, Hand, Position};
use pods::report::{SetupRecord, suite};
use pods::solver::{Exhaustive, Limits, Retrograde, Silent, Stopped};
use pods::table::MemoryPlan;

/// Says to a test that runs again as a child which job to do.
const JOB: &str = "PODS_TEST_JOB";

/// Returns the jobs: what solves, board, orientation, pods, hand, rules.
fn setups() -> Vec<[String; 6]> {
    let mut all = Vec::new();
    for named in suite() {
        let SetupRecord { board, orientation, pods, white_hand: hand, rules, .. } = named.record();
        let turn = orientation.to_string();
        // One turn of each.
        let shown = if board == "ring8" { "90" } else { "0" };
        if named.rules().can_cycle() && turn == shown {
            all.push(["retrograde".to_owned(), board, turn, pods, hand, rules]);
        }
    }
    let more = [
        ["retrograde", "lair16", "0", "trio", "bdt", "advanced"],
        ["retrograde", "den12", "90", "trio", "bdt", "advanced-author"],
        ["retrograde", "nook9", "0", "four", "bdt", "standard"],
        ["retrograde", "ring8", "0", "trio", "bdt", "very-advanced"],
        ["memory", "lair16", "0", "trio", "bdt", "advanced"],
        ["memory", "cave25", "90", "trio", "bdt", "advanced"],
        ["memory", "nook9", "0", "four", "bdqt", "advanced-author"],
        ["memory", "nook9", "0", "trio", "bdt", "very-advanced"],
        ["memory", "lair16", "0", "trio", "bdt", "standard"],
        ["exhaustive", "cave25", "0", "pods14", "bdhot", "standard"],
        ["exhaustive", "cave25", "90", "pods14", "bdhot", "basic-author"],
        ["exhaustive", "cave36", "0", "pods14", "bdot", "standard"],
    ];
    all.extend(more.map(|setup| setup.map(str::to_owned)));
    all
}

fn game([_, board, turn, pods, hand, rules]: &[String; 6]) -> (Game, [Position; 2]) {
    let game = builtin_game(board, turn.parse().unwrap(), pods, rules);
    let hand = Hand::parse(hand, game.pods()).unwrap();
    let starts = Side::BOTH.map(|side| game.start(hand, hand, side).unwrap());
    (game, starts)
}

/// Returns the bytes of memory of this process at its peak.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

/// Does the job that a parent asks for; alone in its process, since it measures memory.
#[test]
fn child() {
    let Ok(job) = std::env::var(JOB) else { return };
    let setup: Vec<String> = job.split(' ').map(str::to_owned).collect();
    let setup: [String; 6] = setup.try_into().unwrap();
    let (game, starts) = game(&setup);
    let roots = [&starts[0], &starts[1]];
    let engine = Bitboard::new(game.clone());
    let begun = peak();
    let (predicted, positions) = match setup[0].as_str() {
        "retrograde" => {
            // The smallest power of two with which it ends.
            let mut bytes = 1 << 16;
            let table = loop {
                match Retrograde::build(&engine, &roots, Limits::default().with_memory(bytes), &Silent) {
                    Ok(table) => break table,
                    Err(stopped) => assert!(matches!(stopped, Stopped::MemoryFull { .. }), "{stopped}"),
                }
                bytes *= 2;
            };
            (bytes.into(), table.positions())
        }
        "memory" => {
            let plan = MemoryPlan::for_position(&game, roots[0]).unwrap();
            let (bytes, positions) = (plan.bytes(), plan.positions());
            plan.solve(Limits::default(), &Silent).unwrap();
            (bytes.into(), positions)
        }
        "exhaustive" => {
            let predicted = Exhaustive::predict(&engine, roots[0]).bytes;
            let mut search = Exhaustive::new(engine, &roots[..1], Limits::default());
            search.value(roots[0], &Silent).unwrap();
            (predicted, search.positions())
        }
        "limited" => {
            let limits = Limits::default().with_memory(LITTLE);
            let mut search = Exhaustive::new(engine, &roots[..1], limits);
            assert_eq!(search.value(roots[0], &Silent), Err(Stopped::MemoryFull { limit: limits.memory_limit() }));
            (LITTLE.into(), search.positions())
        }
        "retrograde-limited" => {
            let limits = Limits::default().with_memory(LITTLE);
            let ended = Retrograde::build(&engine, &roots, limits, &Silent).err();
            assert_eq!(ended, Some(Stopped::MemoryFull { limit: limits.memory_limit() }));
            (LITTLE.into(), 0)
        }
        other => panic!("{other}"),
    };
    println!("measured {predicted} {} {positions} {begun}", peak());
}

/// The memory of a solver that needs more.
const LITTLE: u64 = 20 << 20;

/// Bytes of a job that neither the sample nor the plan can know of: buffers, the heap's own.
const APART: f64 = 3e6;

#[test]
#[cfg(target_os = "linux")]
fn memory_is_as_predicted_and_as_limited_within_a_factor() {
    for setup in setups() {
        let [predicted, peak, positions, begun] = measured(&setup);
        let (job, used) = (setup.join(" "), if setup[0] == "memory" { peak } else { peak - begun });
        // Of two measured searches √N is 6 and 12 times as much as they took.
        let less = match setup[0].as_str() {
            "memory" => 3.0,
            "retrograde" => 6.0,
            _ => 20.0,
        };
        assert!(predicted < less * used + APART, "{job}: {predicted} bytes predicted, {used} used");
        assert!(used < 2.0 * predicted + APART, "{job}: {predicted} bytes predicted, {used} used");
        println!("{job} predicted {predicted} used {used} positions {positions} ratio {:.2}", predicted / used);
    }
}

/// Returns the prediction, the peak, the positions, and the peak before.
#[cfg(target_os = "linux")]
fn measured(setup: &[String; 6]) -> [f64; 4] {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "predictions::child", "--nocapture"]).env(JOB, setup.join(" "));
    let output = child.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line =
        text.lines().find_map(|line| line.split_once("measured ")).unwrap_or_else(|| panic!("{setup:?}: {text}"));
    let numbers: Vec<f64> = line.1.split(' ').map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn exhaustive_search_keeps_to_its_memory() {
    let setup = ["limited", "cave25", "0", "pods14", "bdhot", "standard"].map(str::to_owned);
    let [limit, peak, positions, begun] = measured(&setup);
    assert!(peak - begun < limit + APART, "{} bytes used of {limit}", peak - begun);
    // And makes use of it: a third at least, since a table is full before it doubles.
    assert!(peak - begun > limit / 3.0, "{} bytes used of {limit}, {positions} positions", peak - begun);
}

#[test]
#[cfg(target_os = "linux")]
fn retrograde_analysis_keeps_to_its_memory() {
    // Positions with hundreds of actions.
    let setup = ["retrograde-limited", "cave36", "0", "pods14", "bdghot", "very-advanced"].map(str::to_owned);
    let [limit, peak, _, begun] = measured(&setup);
    assert!(peak - begun < 1.5 * limit + APART, "{} bytes used of {limit}", peak - begun);
}

#[test]
fn positions_of_exhaustive_search_are_hardly_more_than_predicted() {
    let (mut lowest, mut highest) = (f64::MAX, 0.0_f64);
    for (board, pods, hands) in [
        ("nook9", "four", &["bd", "bdt", "bdqt"][..]),
        ("ring8", "four", &["bdt", "bdqt"]),
        ("den12", "mini7", &["bdt", "bdqt"]),
        ("lair16", "pods14", &["bdt", "bdot", "bdhot"]),
        ("cave16", "pods14", &["bdt", "bdot", "bdhot"]),
        ("cave25", "pods14", &["bdt"]),
    ] {
        for (hand, turn, rules) in hands.iter().flat_map(|hand| {
            [0, 90].into_iter().flat_map(move |turn| ["standard", "basic-author"].map(|rules| (*hand, turn, rules)))
        }) {
            let setup = ["exhaustive", board, &turn.to_string(), pods, hand, rules].map(str::to_owned);
            let (game, [start, _]) = game(&setup);
            let engine = Bitboard::new(game);
            let predicted = Exhaustive::predict(&engine, &start).positions as f64;
            let mut search = Exhaustive::new(engine, &[&start], Limits::default());
            search.value(&start, &Silent).unwrap();
            let ratio = predicted / search.positions() as f64;
            println!("{} {ratio:.2}", setup.join(" "));
            assert!(ratio < 40.0 && ratio > 0.8, "{}: {ratio}", setup.join(" "));
            (lowest, highest) = (lowest.min(ratio), highest.max(ratio));
        }
    }
    println!("predicted / needed: {lowest:.2} to {highest:.2}");
}

#[test]
fn a_job_ends_at_the_limit_of_memory_or_of_positions() {
    let game = builtin_game("cave36", 0, "four", "advanced");
    let hand = Hand::whole(game.pods());
    let start = game.start(hand, hand, Side::White).unwrap();
    let engine = Bitboard::new(game);
    let limits = Limits::default().with_memory(64 << 20);
    let build = |limits| Retrograde::build(&engine, &[&start], limits, &Silent).err();
    assert!(matches!(build(limits), Some(Stopped::MemoryFull { .. })));
    assert!(matches!(build(limits.with_nodes(5_000)), Some(Stopped::LimitReached { positions }) if positions == 5_000));
}
