//! Files that the build of a table keeps: files and parts of other setups, what users have put in
//! its way, and the work of another build.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::{build_options, builtin_game, message, on_steps, program, refused, succeeded};
use pods::material::{Board, builtin_board, builtin_pods};
use pods::position::{Game, Hand, Setup};
use pods::progress::Silent;
use pods::rules::Preset;
use pods::table::{BuildOptions, BuildStep, Table, TableError, Verification, build, parts_folder, table_path};
use tempfile::tempdir;

const DUO: &str = "--board ring8 --pods duo --rules advanced";
const TRIO: &str = "--board ring8 --pods trio --rules advanced";

fn pods(name: &Path, arguments: &str) -> Output {
    let mut command = program();
    command.args(["table", "build"]).arg(name).args(arguments.split(' ')).output().unwrap()
}

#[track_caller]
fn succeeds(name: &Path, arguments: &str) {
    succeeded(&pods(name, arguments));
}

#[track_caller]
fn refuses(name: &Path, arguments: &str, words: &[&str]) {
    refused(&pods(name, arguments), words);
}

/// Returns every file below a folder with its bytes; links and folders by what they are.
fn all(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            found.extend(all(&path));
            found.insert(path, b"folder".to_vec());
        } else if kind.is_file() {
            // Who holds it changes with each run, and it is no user's.
            let bytes = if path.ends_with("lock") { Vec::new() } else { fs::read(&path).unwrap() };
            found.insert(path, bytes);
        } else {
            found.insert(path, format!("{kind:?}").into_bytes());
        }
    }
    found
}

/// Begins a build that ends in the middle, with parts on disk.
fn interrupted(game: &Game, name: &Path) {
    let hands = [Hand::whole(game.pods()); 2];
    let options = BuildOptions { checkpoint: Duration::ZERO, ..build_options() };
    let run = || {
        build(
            &Setup::new(game.clone(), hands),
            name,
            options,
            &on_steps(|step| assert!(step != BuildStep::Solved(4), "interrupted")),
        )
    };
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    let parts = fs::read_dir(parts_folder(name)).unwrap().flatten();
    assert!(parts.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "part")).count() > 2);
}

fn trio() -> Game {
    builtin_game("ring8", 0, "trio", "advanced")
}

#[test]
fn files_of_another_setup_are_kept() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    succeeds(&name, TRIO);
    let before = all(folder.path());
    refuses(&name, DUO, &["kept: ", "a table of another setup: its hands are bdt", "--force"]);
    refuses(&name, &format!("{DUO} --discard"), &["kept: ", "--force"]);
    assert_eq!(all(folder.path()), before);
    succeeds(&name, &format!("{DUO} --force"));
    // Nothing of the first is left beside the second.
    let game = builtin_game("ring8", 0, "duo", "advanced");
    let table = Table::open(&name)
        .and_then(|table| table.of(&Setup::new(game.clone(), [Hand::whole(game.pods()); 2])))
        .unwrap();
    let nothing = Verification { fast_every: 0, reference_every: 0 };
    table.verify(nothing, &pods::solver::Silent).unwrap();
    assert_eq!(all(folder.path()).len(), 1);
    // What is no table at all, and one that is damaged.
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    let file = table_path(&name);
    for there in [&b"Dear Ada"[..], &[7; 4096]] {
        fs::write(&file, there).unwrap();
        refuses(&name, DUO, &["kept: ", "not a table", "--force"]);
        assert!(fs::read(&file).unwrap() == there);
    }
    succeeds(&name, &format!("{DUO} --force"));
}

#[test]
fn parts_of_another_setup_are_kept_and_a_renamed_copy_goes_on() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    interrupted(&trio(), &name);
    let before = all(folder.path());
    for other in [
        DUO,
        "--board ring8 --pods trio --rules standard",
        "--board ring8 --pods trio --orientation 90 --rules advanced",
    ] {
        refuses(&name, other, &["t.building", "unfinished build of another setup", "--discard"]);
        refuses(&name, &format!("{other} --force"), &["--discard"]);
        assert!(all(folder.path()) == before, "{other}");
    }
    // The same content by other names.
    let ring = builtin_board("ring8").unwrap();
    let lines = ring.points().flat_map(|p| ring.lines(p).iter().map(move |d| (p, d)).collect::<Vec<_>>());
    let lines: Vec<_> = lines.map(|(p, d)| (ring.coord(p), d)).collect();
    let copy = Board::new("copy", "elsewhere", ring.points().map(|p| ring.coord(p)).collect::<Vec<_>>(), lines);
    let copy = Game::new(copy.unwrap(), builtin_pods("trio").unwrap(), Preset::Advanced.into());
    let hands = [Hand::whole(copy.pods()); 2];
    let mut resumed = 0;
    build(
        &Setup::new(copy.clone(), hands),
        &name,
        build_options(),
        &on_steps(|step| {
            if let BuildStep::Resumed(tiers) = step {
                resumed = tiers;
            }
        }),
    )
    .unwrap();
    assert!(resumed > 2, "{resumed}");
    Table::open(&name)
        .and_then(|table| table.of(&Setup::new(trio(), hands)))
        .unwrap()
        .verify(Verification { fast_every: 1, reference_every: 50 }, &pods::solver::Silent)
        .unwrap();
    assert!(!parts_folder(&name).exists());
    // And away with them on request.
    let other = folder.path().join("other");
    interrupted(&trio(), &other);
    succeeds(&other, &format!("{DUO} --discard"));
    assert!(!parts_folder(&other).exists());
    let (made, new) = (folder.path().join("made"), table_path(&other));
    succeeds(&made, DUO);
    assert!(fs::read(table_path(&made)).unwrap() == fs::read(new).unwrap());
}

#[test]
fn a_folder_that_the_program_did_not_make_is_left_alone() {
    let words = &["t.building", "move it away"];
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    let building = parts_folder(&name);
    // Empty, with files that look like those of a build, with a link to such a folder, with a file.
    fs::create_dir(&building).unwrap();
    refuses(&name, DUO, words);
    for file in ["tiers-from-00000.part", "tier-00000.log", ".pods-a.tmp", "notes.log", "lock"] {
        fs::write(building.join(file), "mine").unwrap();
    }
    let before = all(folder.path());
    for more in ["", " --discard", " --force"] {
        refuses(&name, &format!("{DUO}{more}"), words);
        assert_eq!(all(folder.path()), before);
    }
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&building, &elsewhere).unwrap();
    symlink("elsewhere", &building).unwrap();
    let before = all(folder.path());
    for more in ["", " --discard", " --force"] {
        refuses(&name, &format!("{DUO}{more}"), &["t.building", "is a link"]);
        assert_eq!(all(folder.path()), before);
    }
    // Also where it leads to a folder that the program made.
    fs::remove_file(&building).unwrap();
    interrupted(&trio(), &folder.path().join("x"));
    symlink("x.building", &building).unwrap();
    let before = all(folder.path());
    refuses(&name, &format!("{DUO} --discard"), &["is a link"]);
    assert_eq!(all(folder.path()), before);
    fs::remove_file(&building).unwrap();
    fs::write(&building, "mine").unwrap();
    refuses(&name, DUO, &["is no folder"]);
    assert_eq!(fs::read(&building).unwrap(), b"mine");
    // A folder of a build by another version, or of another program.
    fs::remove_file(&building).unwrap();
    for (ours, other) in [("\"version\": 2", "\"version\": 3"), ("\"pods-", "\"other-")] {
        interrupted(&trio(), &name);
        let marker = fs::read_to_string(building.join("build.json")).unwrap();
        assert!(marker.contains(ours), "{marker}");
        fs::write(building.join("build.json"), marker.replacen(ours, other, 1)).unwrap();
        let before = all(folder.path());
        for more in ["", " --discard", " --force"] {
            refuses(&name, &format!("{DUO}{more}"), &["t.building", "another version"]);
            assert_eq!(all(folder.path()), before);
        }
        fs::remove_dir_all(&building).unwrap();
    }
    // With a table that is there, too.
    succeeds(&name, DUO);
    fs::rename(&elsewhere, &building).unwrap();
    let before = all(folder.path());
    succeeds(&name, DUO);
    assert_eq!(all(folder.path()), before);
}

#[test]
fn files_that_a_user_put_into_the_folder_of_a_build_stay() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    interrupted(&trio(), &name);
    let mine = ["notes.log", "my.tmp", "tier.log", "tiers-from-x.part"].map(|file| parts_folder(&name).join(file));
    mine.iter().for_each(|file| fs::write(file, "mine").unwrap());
    let ran = pods(&name, TRIO);
    assert!(ran.status.success() && message(&ran).contains("t.building is kept: it has files"), "{}", message(&ran));
    let left: Vec<PathBuf> = all(&parts_folder(&name)).into_keys().collect();
    let mut wanted = mine.to_vec();
    wanted.sort();
    assert_eq!(left, wanted);
}

#[test]
fn what_a_kill_left_of_a_folder_that_was_going_away_goes() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    let half = |i: u32| folder.path().join(format!(".t.building.pods-half{i}.tmp"));
    let leave = || {
        for i in 0..3 {
            let other = folder.path().join(format!("other{i}"));
            interrupted(&trio(), &other);
            fs::rename(parts_folder(&other), half(i)).unwrap();
        }
        // The second was killed later, just before its end; the third has a file of somebody
        // else's.
        fs::remove_dir_all(half(1)).unwrap();
        fs::create_dir(half(1)).unwrap();
        fs::write(half(2).join("notes.txt"), "mine").unwrap();
    };
    let swept = || {
        assert!(!half(0).exists() && !half(1).exists());
        assert_eq!(fs::read(half(2).join("notes.txt")).unwrap(), b"mine");
        fs::remove_dir_all(half(2)).unwrap();
    };
    leave();
    succeeds(&name, TRIO);
    swept();
    // Also by a build that has nothing left to do.
    leave();
    succeeds(&name, TRIO);
    swept();
    assert_eq!(all(folder.path()).len(), 1);
}

#[test]
fn one_build_at_a_time_has_a_name() {
    let made = tempdir().unwrap();
    succeeds(&made.path().join("t"), TRIO);
    succeeds(&made.path().join("other"), DUO);
    let same = |a: &Path, b: &Path| fs::read(table_path(a)).unwrap() == fs::read(table_path(b)).unwrap();
    for round in 0..12 {
        let folder = tempdir().unwrap();
        let name = folder.path().join("t");
        let mixed = round % 2 == 1;
        let start = |i: usize| {
            let mut command = program();
            let setup = if mixed && i % 2 == 1 { DUO } else { TRIO };
            command.args(["table", "build"]).arg(&name).args(setup.split(' ')).args(["--checkpoint", "0"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let running: Vec<_> = (0..4).map(start).collect();
        let ids: Vec<u32> = running.iter().map(std::process::Child::id).collect();
        let ended: Vec<Output> = running.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        assert!(ended.iter().any(|output| output.status.success()));
        for output in ended.iter().filter(|output| !output.status.success()) {
            let said = message(output);
            let busy = ids.iter().any(|id| said.contains(&format!("process {id} on ")));
            let kept = mixed && (said.contains("kept: ") || said.contains("another setup"));
            assert!(output.status.code() == Some(2) && (busy && said.contains("wait for its end") || kept), "{said}");
        }
        assert!(
            same(&name, &made.path().join("t")) || mixed && same(&name, &made.path().join("other")),
            "round {round}"
        );
        assert_eq!(all(folder.path()).len(), 1, "{:?}", all(folder.path()).keys());
    }
    // In one process, too, and the message names the holder.
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    let (game, mut second) = (trio(), None);
    let hands = [Hand::whole(game.pods()); 2];
    build(
        &Setup::new(game.clone(), hands),
        &name,
        build_options(),
        &on_steps(|step| {
            if step == BuildStep::Solved(2) {
                second = Some(build(&Setup::new(game.clone(), hands), &name, build_options(), &Silent));
            }
        }),
    )
    .unwrap();
    let Some(Err(TableError::Busy(_, holder))) = second else { panic!("{second:?}") };
    assert!(holder.starts_with(&format!("process {} on ", std::process::id())), "{holder}");
}

#[test]
fn the_files_follow_links_and_keep_modes_and_nothing_else_is_written_over() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    let file = table_path(&name);
    refuses(&folder.path().join("t/"), DUO, &["it names a folder"]);
    assert!(all(folder.path()).is_empty());
    // Tables are read again: only plain files will do.
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    refuses(&name, DUO, &["t.pods-table"]);
    refuses(&name, &format!("{DUO} --force"), &["t.pods-table", "no plain file"]);
    assert!(fs::symlink_metadata(&file).unwrap().file_type().is_fifo());
    fs::remove_file(&file).unwrap();
    fs::create_dir(folder.path().join("disk")).unwrap();
    symlink("disk/elsewhere", &file).unwrap();
    refuses(&name, DUO, &["t.pods-table", "a link to a file that is missing"]);
    fs::write(folder.path().join("disk/elsewhere"), b"").unwrap();
    succeeds(&name, &format!("{DUO} --force"));
    assert!(fs::symlink_metadata(&file).unwrap().file_type().is_symlink());
    let target = folder.path().join("disk/elsewhere");
    let bytes = fs::read(&target).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&target, b"").unwrap();
    succeeds(&name, &format!("{DUO} --force"));
    assert!(fs::read(&target).unwrap() == bytes);
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o7777, 0o600);
    assert!(!parts_folder(&name).exists());
}
