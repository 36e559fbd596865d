//! Builds with less memory than all values take: they read values back from disk, and end with the
//! same bytes.

use crate::common::{on_steps, program, wait_a_moment};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use pods::material::{builtin_board, builtin_pods};
use pods::position::{Game, Hand, Setup};
use pods::progress::Silent;
use pods::rules::Preset;
use pods::table::{BuildOptions, BuildStep, Index, TableError, TablePlan, build, table_path};
use tempfile::tempdir;

/// More pods than points: then no tier is by far the largest, and builds with little memory read
/// much back.
const CROWDED: &str = "o-o\n|/\no";

/// Returns a game on a built-in board or a picture of one.
fn game(board: &str, pods: &str, preset: Preset) -> (Game, [Hand; 2]) {
    let pods = builtin_pods(pods).unwrap();
    let hand = Hand::whole(&pods);
    let board = if board.contains('\n') { crate::common::board(board) } else { builtin_board(board).unwrap() };
    (Game::new(board, pods, preset.into()), [hand, hand])
}

/// Returns options under which finished tiers wait for the end, or for the moment when they must be
/// on disk.
fn options(memory: u64) -> BuildOptions {
    BuildOptions { memory, ..crate::common::build_options() }
}

fn bytes(name: &Path) -> Vec<u8> {
    fs::read(table_path(name)).unwrap()
}

/// Builds a table; how often a tier was read back.
fn made(name: &Path, game: &Game, hands: &[Hand; 2], memory: u64) -> usize {
    let mut read_back = 0;
    build(
        &Setup::new(game.clone(), hands),
        name,
        options(memory),
        &on_steps(|step| {
            read_back += usize::from(matches!(step, BuildStep::ReadBack(_)));
        }),
    )
    .unwrap();
    read_back
}

#[test]
fn the_bytes_do_not_depend_on_the_memory() {
    let folder = tempdir().unwrap();
    let mut cases: Vec<(&str, &str, Preset)> = Preset::ALL.map(|preset| ("ring8", "duo", preset)).to_vec();
    cases.extend([(CROWDED, "four", Preset::Advanced), (CROWDED, "four", Preset::AdvancedAuthor)]);
    for (case, (board, pods, preset)) in cases.into_iter().enumerate() {
        let (game, hands) = game(board, pods, preset);
        let index = Index::new(&Setup::new(game.clone(), hands)).unwrap();
        let plan = TablePlan::new(&game, &index).total;
        let name = |memory: u64| folder.path().join(format!("{case}-{memory}"));
        assert_eq!(made(&name(plan.memory), &game, &hands, plan.memory), 0);
        if index.tiers().len() == 1 {
            assert_eq!(plan.least, plan.memory);
            continue;
        }
        assert!(plan.least < plan.memory, "{board} {pods} {preset:?}");
        let mut before = 0;
        for memory in [(plan.least + plan.memory) / 2, plan.least] {
            let read_back = made(&name(memory), &game, &hands, memory);
            assert!(read_back >= before, "less memory, less read back: {read_back} after {before}");
            before = read_back;
            assert!(bytes(&name(memory)) == bytes(&name(plan.memory)), "{board} {pods} {preset:?} with {memory} bytes");
        }
        assert!(before > 0 || board != CROWDED, "{board} {pods} {preset:?}: nothing was read back");
        let refused = build(&Setup::new(game.clone(), hands), &name(0), options(plan.streamed - 1), &Silent);
        match refused {
            Err(TableError::Memory { needed, limit, .. }) => {
                assert_eq!((needed, limit), (plan.streamed, plan.streamed - 1));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn builds_stopped_after_any_tier_go_on_with_any_memory() {
    let folder = tempdir().unwrap();
    let (game, hands) = game(CROWDED, "four", Preset::Advanced);
    let index = Index::new(&Setup::new(game.clone(), hands)).unwrap();
    let plan = TablePlan::new(&game, &index).total;
    let whole = folder.path().join("whole");
    made(&whole, &game, &hands, plan.memory);
    let limits = [plan.least, (plan.least + plan.memory) / 2, plan.memory];
    let mut read_back = 0;
    for stop in (10..index.tiers().len()).step_by(20) {
        let name = folder.path().join(format!("t{stop}"));
        for round in 1..=2 {
            // The first build stops after some tier, the second after more; each with its own
            // limit.
            let mut solved = 0;
            let options = BuildOptions { checkpoint: Duration::from_millis(5), ..options(limits[(stop + round) % 3]) };
            let stopped = catch_unwind(AssertUnwindSafe(|| {
                build(
                    &Setup::new(game.clone(), hands),
                    &name,
                    options,
                    &on_steps(|step| {
                        solved += usize::from(matches!(step, BuildStep::Solved(_)));
                        if solved == stop / round {
                            resume_unwind(Box::new("stopped"));
                        }
                    }),
                )
            }));
            assert!(stopped.is_err() || round == 2, "it should have been stopped after tier {stop}");
        }
        if !table_path(&name).exists() {
            read_back += made(&name, &game, &hands, limits[stop % 3]);
        }
        assert!(bytes(&name) == bytes(&whole), "stopped after {stop} tiers");
    }
    assert!(read_back > 0);
}

#[test]
fn a_part_damaged_after_it_was_written_is_no_value() {
    let folder = tempdir().unwrap();
    let (game, hands) = game(CROWDED, "four", Preset::Advanced);
    let index = Index::new(&Setup::new(game.clone(), hands)).unwrap();
    let plan = TablePlan::new(&game, &index).total;
    let name = folder.path().join("t");
    let parts = folder.path().join("t.building");
    let mut damaged = false;
    let found = build(
        &Setup::new(game.clone(), hands),
        &name,
        options(plan.least),
        &on_steps(|step| {
            // The first tier that is read back shows that a part is there and in use.
            if matches!(step, BuildStep::ReadBack(_)) && !damaged {
                for entry in fs::read_dir(&parts).unwrap() {
                    let path = entry.unwrap().path();
                    let len = fs::metadata(&path).unwrap().len() as usize;
                    fs::write(&path, vec![0x55; len]).unwrap();
                }
                damaged = true;
            }
        }),
    );
    assert!(damaged && matches!(found, Err(TableError::Damaged { .. })), "{found:?}");
}

/// Returns the first tier of the last part that a build has written.
fn last_part(name: &Path) -> Option<usize> {
    let folder = fs::read_dir(format!("{}.building", name.display())).ok()?;
    let first = |file: String| file.strip_prefix("tiers-from-")?.strip_suffix(".part")?.parse().ok();
    folder.filter_map(|entry| first(entry.unwrap().file_name().into_string().unwrap())).max()
}

#[test]
fn the_command_goes_on_with_less_memory_after_a_kill() {
    let folder = tempdir().unwrap();
    let setup = ["--board", "lair16", "--pods", "trio", "--rules", "advanced"];
    let pods = || program();
    let plan = pods().args(["table", "plan", "--tiers", "--format", "json"]).args(setup).output().unwrap();
    let rows = String::from_utf8(plan.stdout).unwrap();
    let rows: Vec<serde_json::Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let peak = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).max().unwrap();
    let (least, all) = (peak("least"), peak("memory"));
    assert!(rows.iter().all(|row| row["least"].as_u64() <= row["memory"].as_u64()) && least < all);
    let start = |name: &Path, memory: u64| {
        let mut command = pods();
        command.args(["table", "build"]).arg(name).args(setup).args(["--checkpoint", "0", "--memory"]);
        command.arg(memory.to_string()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let whole = folder.path().join("whole");
    assert!(start(&whole, all).status().unwrap().success());
    // Killed as soon as that many tiers are done.
    for (round, tiers) in [rows.len() / 4, rows.len() / 2, rows.len() - 2].into_iter().enumerate() {
        let name = folder.path().join(format!("t{round}"));
        let mut child = start(&name, if round == 1 { least } else { all }).spawn().unwrap();
        while last_part(&name) < Some(tiers) {
            assert!(child.try_wait().unwrap().is_none(), "done before it was killed");
            wait_a_moment();
        }
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        assert!(start(&name, if round == 1 { all } else { least }).status().unwrap().success());
        assert!(bytes(&name) == bytes(&whole));
    }
    let refused = start(&folder.path().join("no"), peak("streamed") - 1).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(text.contains("need at least") && text.contains("if tiers are solved from disk too: the least"), "{text}");
}
