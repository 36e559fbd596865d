//! Tables built by several processes, threads in the place of these: the same bytes, whatever each
//! does, may use or is stopped in.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::cluster::{bytes, whole_hands};
use crate::common::{Random, on_steps};
use pods::position::{Game, Hand, Setup};
use pods::progress::Silent;
use pods::rules::Preset;
use pods::table::{
    BuildOptions, BuildStep, Index, Member, Sweeps, TableError, TablePlan, Teamwork, build, build_together,
};
use tempfile::tempdir;

fn options() -> BuildOptions {
    // Every tier is solved together, however small it is.
    BuildOptions { stream: true, ..crate::common::build_options() }
}

/// Returns the bytes of a build in memory, by this process alone.
fn alone(name: &Path, game: &Game, hands: &[Hand; 2]) -> Vec<u8> {
    build(&Setup::new(game.clone(), hands), name, crate::common::build_options(), &Silent).unwrap();
    bytes(name)
}

/// Builds with threads in the place of processes; `observe` is told the number of each.
fn by_threads(
    name: &Path,
    (game, hands): (&Game, &[Hand; 2]),
    count: usize,
    options: BuildOptions,
    observe: impl Fn(usize, BuildStep) + Sync,
) -> Vec<Option<Result<Teamwork, TableError>>> {
    by_different_threads(name, (game, hands), count, |_| options, observe)
}

/// Returns the same with options for each.
fn by_different_threads(
    name: &Path,
    (game, hands): (&Game, &[Hand; 2]),
    count: usize,
    options: impl Fn(usize) -> BuildOptions + Sync,
    observe: impl Fn(usize, BuildStep) + Sync,
) -> Vec<Option<Result<Teamwork, TableError>>> {
    let (options, observe) = (&options, &observe);
    std::thread::scope(|scope| {
        let member = |member: Member| {
            scope.spawn(move || {
                let number = member.process();
                let observer = on_steps(|step| observe(number, step));
                let build =
                    || build_together(&Setup::new(game.clone(), hands), name, options(number), member, &observer);
                catch_unwind(AssertUnwindSafe(build)).ok()
            })
        };
        let threads: Vec<_> = Member::threads(count).into_iter().map(member).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn games(preset: Preset) -> Vec<Game> {
    let rules = preset.name();
    let mut games = vec![
        crate::common::builtin_game("ring8", 0, "duo", rules),
        crate::common::game("o-o\n|/\no", "b: w e, d*2: n", rules),
    ];
    if preset == Preset::Advanced {
        games.push(crate::common::builtin_game("nook9", 0, "duo", rules));
        games.push(crate::common::game("o-o-o-o\n|/| |/|\no-o-o-o", "b*3: w E, q: n E se SW", rules));
    }
    games
}

#[test]
fn the_bytes_are_those_of_one_process() {
    let folder = tempdir().unwrap();
    let (mut sent, mut blocks) = ([0; 5], [0; 4]);
    for preset in Preset::ALL {
        for (number, game) in games(preset).into_iter().enumerate() {
            let hands = whole_hands(&game);
            let whole = alone(&folder.path().join(format!("{}-{number}", preset.name())), &game, &hands);
            let mut all_cells = 0;
            let few = matches!(preset, Preset::BasicAuthor | Preset::AdvancedDutch | Preset::AdvancedAuthor);
            for count in if few { 3..=3 } else { 1..=4 } {
                let name = folder.path().join(format!("{}-{number}-{count}", preset.name()));
                let done = by_threads(&name, (&game, &hands), count, options(), |_, _| ());
                let done: Vec<Teamwork> = done.into_iter().map(|done| done.unwrap().unwrap()).collect();
                assert!(bytes(&name) == whole, "{preset:?}, game {number}, {count} processes");
                assert!(
                    done.iter().all(|of| of.processes.iter().eq(&done[0].processes)),
                    "all know what all have done"
                );
                assert_eq!(done[0].processes.len(), count);
                let cells: u64 = done[0].processes.iter().map(|of| of.cells).sum();
                assert!(cells > 0 && (all_cells == 0 || cells == all_cells), "{cells}, {all_cells}");
                all_cells = cells;
                // The others make blocks too, as far as there are enough, and process 0 gets them
                // all.
                let others: Vec<u64> = done[1..].iter().map(|of| of.blocks).collect();
                assert!(others.first().is_none_or(|&blocks| blocks > 0), "{preset:?}, game {number}: {others:?}");
                assert_eq!(done[0].blocks, others.iter().sum::<u64>());
                others.into_iter().enumerate().for_each(|(other, of)| blocks[other + 1] += of);
                sent[count] += done[0].processes.iter().map(|of| of.sent).sum::<u64>();
            }
        }
    }
    assert!(sent[1] == 0 && sent[2] > 10_000 && sent[4] > sent[2], "{sent:?}");
    assert!(blocks[1..].iter().all(|&of| of > 1_000), "{blocks:?}");
}

#[test]
fn small_tiers_are_solved_by_process_0_alone_and_the_others_read_them() {
    let folder = tempdir().unwrap();
    let game = crate::common::builtin_game("den12", 0, "four", "advanced");
    let hands = ["bdqt", "bdt"].map(|hand| Hand::parse(hand, game.pods()).unwrap());
    let whole = alone(&folder.path().join("whole"), &game, &hands);
    let shared = AtomicUsize::new(0);
    let tiers = Index::new(&Setup::new(game.clone(), hands)).unwrap().tiers().len();
    let name = folder.path().join("t");
    let options = crate::common::build_options();
    let done = by_threads(&name, (&game, &hands), 3, options, |number, step| {
        if number == 1 && matches!(step, BuildStep::Solved(_)) {
            shared.fetch_add(1, Ordering::Relaxed);
        }
    });
    let done: Vec<Teamwork> = done.into_iter().map(|done| done.unwrap().unwrap()).collect();
    assert!(bytes(&name) == whole);
    // As the plan has it.
    let index = Index::new(&Setup::new(game.clone(), hands)).unwrap();
    let planned = TablePlan::new(&game, &index).of_processes(&index, 3, options.memory, false);
    assert_eq!(planned.shared, done[0].positions);
    assert!((1.0..1.2).contains(&planned.balance), "{planned:?}");
    // Where a share fits in memory it is not on disk, and is swept faster.
    let small = TablePlan::new(&game, &index).of_processes(&index, 3, planned.memory, false);
    assert!(planned.scratch == 0 && small.scratch > 0, "{planned:?} {small:?}");
    assert!(planned.seconds < small.seconds, "{planned:?} {small:?}");
    let shared = shared.into_inner();
    assert!(0 < shared && shared < tiers / 2, "{shared}");
    let plain = BuildOptions { sweeps: Sweeps::Direct, stream: true, ..options };
    let small = crate::common::builtin_game("ring8", 0, "duo", "advanced");
    let hands = whole_hands(&small);
    let whole = alone(&folder.path().join("small"), &small, &hands);
    let done = by_threads(&folder.path().join("plain"), (&small, &hands), 2, plain, |_, _| ());
    assert!(done.into_iter().all(|done| done.unwrap().is_ok()) && bytes(&folder.path().join("plain")) == whole);
}

#[test]
fn a_process_with_less_memory_than_process_0_needs_makes_no_blocks() {
    let folder = tempdir().unwrap();
    let game = crate::common::builtin_game("nook9", 0, "duo", "advanced");
    let hands = whole_hands(&game);
    let whole = alone(&folder.path().join("whole"), &game, &hands);
    let index = Index::new(&Setup::new(game.clone(), hands)).unwrap();
    let planned = TablePlan::new(&game, &index).of_processes(&index, 3, options().memory, true);
    assert!(planned.memory < planned.memory_of_first, "{planned:?}");
    let name = folder.path().join("t");
    let less = BuildOptions { memory: planned.memory_of_first - 1, ..options() };
    let options = |process: usize| if process == 1 { less } else { options() };
    let done = by_different_threads(&name, (&game, &hands), 3, options, |_, _| ());
    let blocks: Vec<u64> = done.into_iter().map(|done| done.unwrap().unwrap().blocks).collect();
    assert!(blocks[1] == 0 && blocks[2] > 0 && blocks[0] == blocks[2], "{blocks:?}");
    assert!(bytes(&name) == whole);
}

#[test]
fn a_process_that_ends_in_the_middle_ends_all_and_all_go_on_from_there() {
    let folder = tempdir().unwrap();
    let game = crate::common::builtin_game("nook9", 0, "duo", "advanced");
    let hands = whole_hands(&game);
    let whole = alone(&folder.path().join("whole"), &game, &hands);
    let sweeps = AtomicUsize::new(0);
    by_threads(&folder.path().join("counted"), (&game, &hands), 2, options(), |number, step| {
        sweeps.fetch_add(usize::from(number == 0 && matches!(step, BuildStep::Swept(..))), Ordering::Relaxed);
    });
    let sweeps = sweeps.into_inner();
    let mut random = Random(7);
    let mut stops = 0;
    for round in 0..12 {
        let name = folder.path().join(format!("t{round}"));
        let count = 2 + round % 3;
        let options = BuildOptions { checkpoint: Duration::ZERO, ..options() };
        // Each time from where the last one was stopped.
        for _ in 0..3 {
            let (who, at, done) = (random.below(count), random.below(sweeps), AtomicUsize::new(0));
            let ended = by_threads(&name, (&game, &hands), count, options, |number, step| {
                if number == who && matches!(step, BuildStep::Swept(..)) && done.fetch_add(1, Ordering::Relaxed) == at {
                    resume_unwind(Box::new("stopped"));
                }
            });
            if ended.iter().all(|ended| matches!(ended, Some(Ok(_)))) {
                break;
            }
            stops += 1;
            for (number, ended) in ended.into_iter().enumerate() {
                match ended {
                    None => assert_eq!(number, who),
                    Some(Err(error @ TableError::Peers { .. })) => {
                        let text = error.to_string();
                        assert!(text.starts_with(&format!("process {who} gave up: it ended in the middle")), "{text}");
                    }
                    Some(other) => panic!("process {number}, {who} was stopped: {other:?}"),
                }
            }
        }
        let done = by_threads(&name, (&game, &hands), count, options, |_, _| ());
        if !done.iter().all(|done| matches!(done, Some(Ok(_)))) {
            panic!("round {round}: {done:?}");
        }
        assert!(bytes(&name) == whole, "round {round}");
        assert!(!folder.path().join(format!("t{round}.building")).exists());
    }
    assert!(stops > 20, "{stops}");
}
