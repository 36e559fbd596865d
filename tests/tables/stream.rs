//! Tiers solved from disk: the same bytes as in memory, also after builds that were stopped, and
//! never from a damaged log.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::common::{Random, on_steps, program, wait_a_moment};
use pods::position::{Game, Hand, Setup};
use pods::progress::Silent;
use pods::rules::Preset;
use pods::table::{BuildOptions, BuildStep, Index, Sweeps, TableError, TablePlan, build, table_path};
use tempfile::tempdir;

const CROWDED: &str = "o-o\n|/\no";

fn options(stream: bool) -> BuildOptions {
    BuildOptions { stream, ..crate::common::build_options() }
}

fn whole_hands(game: &Game) -> [Hand; 2] {
    [Hand::whole(game.pods()); 2]
}

fn bytes(name: &Path) -> Vec<u8> {
    fs::read(table_path(name)).unwrap()
}

fn made(name: &Path, game: &Game, options: BuildOptions) -> Vec<u8> {
    build(&Setup::new(game.clone(), whole_hands(game)), name, options, &Silent).unwrap();
    bytes(name)
}

/// Returns small games under a preset, some with alike pods, some with more pods than points.
fn games(preset: Preset) -> Vec<Game> {
    let rules = preset.name();
    let mut games = vec![
        crate::common::builtin_game("ring8", 0, "duo", rules),
        crate::common::game("o-o-o\n|\\| |\no-o-o", "b*2: w e, q: n E se SW", rules),
        crate::common::game(CROWDED, "b: w e, d*2: n, q: N E S W", rules),
    ];
    if preset == Preset::Advanced {
        games.push(crate::common::builtin_game("nook9", 0, "trio", rules));
        games.push(crate::common::game("o-o-o-o\n|/| |/|\no-o-o-o", "b*3: w E, q: n E se SW", rules));
    }
    games
}

#[test]
fn the_bytes_are_those_of_a_build_in_memory() {
    let folder = tempdir().unwrap();
    let threads = [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let mut tiers = 0;
    for preset in Preset::ALL {
        for (number, game) in games(preset).into_iter().enumerate() {
            let name = |way: &str| folder.path().join(format!("{}-{number}-{way}", preset.name()));
            let whole = made(&name("memory"), &game, options(false));
            let threads = &threads[number % 2];
            let streamed = threads.install(|| made(&name("streamed"), &game, options(true)));
            assert!(streamed == whole, "{preset:?}, game {number}, {} threads", threads.current_num_threads());
            tiers += Index::new(&Setup::new(game.clone(), whole_hands(&game))).unwrap().tiers().len();
        }
    }
    assert!(tiers > 100, "{tiers}");
    let game = crate::common::builtin_game("ring8", 0, "duo", "advanced");
    let plain = BuildOptions { sweeps: Sweeps::Direct, ..options(true) };
    assert!(made(&folder.path().join("plain"), &game, plain) == bytes(&folder.path().join("advanced-0-memory")));
}

#[test]
fn a_tier_is_streamed_where_the_memory_is_too_small_for_it() {
    let folder = tempdir().unwrap();
    let game = crate::common::builtin_game("den12", 0, "four", "standard");
    let hands = ["bdqt", "bdt"].map(|hand| Hand::parse(hand, game.pods()).unwrap());
    let total = TablePlan::new(&game, &Index::new(&Setup::new(game.clone(), hands)).unwrap()).total;
    assert!(total.streamed < total.least && total.least <= total.memory, "{total:?}");
    let mut made = Vec::new();
    for memory in [total.streamed, total.least - 1, total.least] {
        let name = folder.path().join(format!("{memory}"));
        let log = folder.path().join(format!("{memory}.building/tier-00000-00000.log"));
        let mut streamed = false;
        build(
            &Setup::new(game.clone(), hands),
            &name,
            BuildOptions { memory, ..options(false) },
            &on_steps(|_| streamed |= log.exists()),
        )
        .unwrap();
        assert_eq!(streamed, memory < total.least);
        made.push(bytes(&name));
    }
    assert!(made.windows(2).all(|two| two[0] == two[1]));
    let too_little = BuildOptions { memory: total.streamed - 1, ..options(false) };
    let refused = build(&Setup::new(game.clone(), hands), &folder.path().join("no"), too_little, &Silent);
    assert!(matches!(refused, Err(TableError::Memory { needed, .. }) if needed == total.streamed), "{refused:?}");
    assert!(!folder.path().join("no.building").exists());
}

/// Returns the log of the tier that was solved when a build was stopped.
fn log(folder: &Path) -> PathBuf {
    let logs: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "log"))
        .collect();
    assert_eq!(logs.len(), 1, "{logs:?}");
    logs.into_iter().next().unwrap()
}

/// Builds until `sweeps` sweeps are done; whether it was stopped.
fn stopped_after(name: &Path, game: &Game, sweeps: usize) -> bool {
    let mut done = 0;
    let options = BuildOptions { checkpoint: Duration::ZERO, ..options(true) };
    catch_unwind(AssertUnwindSafe(|| {
        build(
            &Setup::new(game.clone(), whole_hands(game)),
            name,
            options,
            &on_steps(|step| {
                done += usize::from(matches!(step, BuildStep::Swept(..)));
                if done > sweeps {
                    resume_unwind(Box::new("stopped"));
                }
            }),
        )
    }))
    .is_err()
}

#[test]
fn builds_stopped_in_a_tier_go_on_in_it_with_a_log_that_is_whole_or_not() {
    let folder = tempdir().unwrap();
    let game = crate::common::builtin_game("nook9", 0, "duo", "advanced");
    let whole = made(&folder.path().join("whole"), &game, options(false));
    let mut sweeps = 0;
    build(
        &Setup::new(game.clone(), whole_hands(&game)),
        &folder.path().join("counted"),
        options(true),
        &on_steps(|step| {
            sweeps += usize::from(matches!(step, BuildStep::Swept(..)));
        }),
    )
    .unwrap();
    let mut random = Random(5);
    let mut logs = 0;
    for round in 0..40 {
        let name = folder.path().join(format!("t{round}"));
        if stopped_after(&name, &game, sweeps / 3 + random.below(sweeps - sweeps / 3)) {
            let path = log(&folder.path().join(format!("t{round}.building")));
            let mut log = fs::read(&path).unwrap();
            logs += usize::from(log.len() > 100);
            // As it is; cut off; with a byte changed; with something behind it; of another tier.
            match round % 5 {
                0 => {}
                1 => log.truncate(random.below(log.len())),
                2 => {
                    let at = random.below(log.len());
                    log[at] ^= 1 << random.below(8);
                }
                3 => log.extend((0..random.below(300)).map(|i| i as u8)),
                _ => log[40] ^= 1,
            }
            fs::write(&path, log).unwrap();
        }
        // In memory, the log is not looked at.
        assert!(made(&name, &game, options(round % 7 != 3)) == whole, "round {round}");
        assert!(!folder.path().join(format!("t{round}.building")).exists());
    }
    assert!(logs > 30, "{logs}");
}

#[test]
fn what_is_sealed_is_not_solved_again() {
    let folder = tempdir().unwrap();
    let game = crate::common::builtin_game("den12", 0, "trio", "advanced");
    let name = folder.path().join("t");
    // In the last tier, by far the largest, when most sweeps are done.
    let hands = whole_hands(&game);
    let last = Index::new(&Setup::new(game.clone(), hands)).unwrap().tiers().len() - 1;
    let options = BuildOptions { checkpoint: Duration::ZERO, ..options(true) };
    let mut sweeps = 0;
    build(
        &Setup::new(game.clone(), hands),
        &folder.path().join("whole"),
        options,
        &on_steps(|step| {
            sweeps += usize::from(matches!(step, BuildStep::Swept(tier, _) if tier == last));
        }),
    )
    .unwrap();
    let mut done = 0;
    let stopped = catch_unwind(AssertUnwindSafe(|| {
        build(
            &Setup::new(game.clone(), hands),
            &name,
            options,
            &on_steps(|step| {
                done += usize::from(matches!(step, BuildStep::Swept(tier, _) if tier == last));
                if done == sweeps {
                    resume_unwind(Box::new("stopped"));
                }
            }),
        )
    }));
    assert!(stopped.is_err());
    let path = log(&folder.path().join("t.building"));
    let before = fs::read(&path).unwrap();
    let mut grown = Vec::new();
    build(
        &Setup::new(game.clone(), hands),
        &name,
        options,
        &on_steps(|step| {
            if let BuildStep::Swept(..) = step {
                grown.push(fs::metadata(&path).unwrap().len());
            }
        }),
    )
    .unwrap();
    assert!(grown.len() == sweeps && grown.iter().all(|&len| len <= before.len() as u64), "{grown:?}");
    assert!(bytes(&name) == bytes(&folder.path().join("whole")));
}

#[test]
fn a_log_damaged_while_it_is_written_is_no_value() {
    let folder = tempdir().unwrap();
    let game = crate::common::builtin_game("nook9", 0, "duo", "advanced");
    let name = folder.path().join("t");
    let hands = whole_hands(&game);
    let last = Index::new(&Setup::new(game.clone(), hands)).unwrap().tiers().len() - 1;
    let mut damaged = false;
    let options = BuildOptions { checkpoint: Duration::ZERO, ..options(true) };
    let found = build(
        &Setup::new(game.clone(), hands),
        &name,
        options,
        &on_steps(|step| {
            if matches!(step, BuildStep::Swept(tier, swept) if tier == last && swept.distance == 3) && !damaged {
                use std::io::{Seek, SeekFrom, Write};
                let path = log(&folder.path().join("t.building"));
                let mut file = fs::File::options().write(true).open(&path).unwrap();
                file.seek(SeekFrom::Start(70)).unwrap();
                file.write_all(&[0x55; 9]).unwrap();
                damaged = true;
            }
        }),
    );
    assert!(
        matches!(&found, Err(error @ TableError::Damaged { .. }) if error.to_string().contains(".log")),
        "{found:?}"
    );
    assert!(!table_path(&name).exists());
}

/// Returns the length of the log of the last tier; `None` while there is none.
fn log_len(name: &Path) -> Option<u64> {
    let log = PathBuf::from(format!("{}.building/tier-00048-00000.log", name.display()));
    fs::metadata(log).ok().map(|of_log| of_log.len())
}

/// Lets a build run until its log is as `enough` wants it, and kills it; whether it was still
/// running then.
fn killed_when(mut child: Child, name: &Path, mut enough: impl FnMut(Option<u64>) -> bool) -> bool {
    while child.try_wait().unwrap().is_none() {
        if enough(log_len(name)) {
            // SIGKILL: nothing can be cleared away.
            child.kill().unwrap();
            return !child.wait().unwrap().success();
        }
        wait_a_moment();
    }
    false
}

#[test]
fn the_command_goes_on_after_kills() {
    let folder = tempdir().unwrap();
    let start = |name: &Path, more: &[&str]| {
        let mut command = program();
        command.args(["table", "build"]).arg(name).args(["--board", "den12", "--pods", "trio", "--rules", "advanced"]);
        command.args(["--checkpoint", "0"]).args(more).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let (whole, streamed) = (folder.path().join("whole"), folder.path().join("streamed"));
    assert!(start(&whole, &[]).status().unwrap().success());
    let mut most = 0;
    let child = start(&streamed, &["--stream"]).spawn().unwrap();
    assert!(!killed_when(child, &streamed, |len| {
        most = most.max(len.unwrap_or(0));
        false
    }));
    assert!(bytes(&streamed) == bytes(&whole) && most > 1000, "{most}");
    let mut random = Random(11);
    let mut kills = 0;
    for round in 0..6 {
        let name = folder.path().join(format!("t{round}"));
        // In the last tier, from its beginning to its end; then while its blocks are written, with
        // the log complete.
        let mut moments: Vec<u64> = (0..3).map(|_| random.below(most as usize) as u64).collect();
        moments.sort_unstable();
        moments.push(most);
        for moment in moments {
            let child = start(&name, &["--stream"]).spawn().unwrap();
            kills += u32::from(killed_when(child, &name, |len| len.is_some_and(|len| len >= moment)));
        }
        assert!(start(&name, if round == 3 { &[] } else { &["--stream"] }).status().unwrap().success());
        assert!(bytes(&name) == bytes(&whole), "round {round}");
        assert!(!folder.path().join(format!("t{round}.building")).exists());
    }
    assert!(kills >= 12, "{kills}");
}
