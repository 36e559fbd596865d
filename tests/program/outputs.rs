//! Every option that names a file to write: nothing that a user has is lost.

#![cfg(unix)]

use crate::common::{message, program, refused, succeeded};
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use tempfile::{TempDir, tempdir};

const PLAYED: &str = "report play --board ring8 --pods duo --orientation 0 --strength 5 --count 2 --out .";

/// Each command that writes a file, run in a folder of its own, and a file that it writes there.
const WRITERS: &[(&str, &str)] = &[
    ("prove start --board board.toml --pods duo --out win.jsonl", "win.jsonl"),
    ("prove start --board ring8 --pods duo --exact --out new/folder/exact.jsonl", "new/folder/exact.jsonl"),
    ("report --board board.toml --pods duo --orientation 0 --out .", "balance.csv"),
    ("report --board board.toml --pods duo --orientation 0 --out .", "balance.manifest.json"),
    ("report --board board.toml --pods duo --orientation 0 --format html --out page.html", "page.html"),
    ("report --board board.toml --pods duo --orientation 0 --format html --out .", "balance.html"),
    ("report --board ring8 --pods duo --orientation 0 --certificates .", "ring8-0-duo-bt-standard-white-first.jsonl"),
    ("report readings --board nook9 --pods duo --orientation 0 --out .", "readings.csv"),
    (PLAYED, "played.csv"),
    (PLAYED, "played.manifest.json"),
    ("oracle export --board board.toml --pods duo --count 1 --out .", "positions.jsonl"),
    ("oracle export --board board.toml --pods duo --count 1 --out .", "manifest.json"),
];

/// Those of them that are read again by the same command when it goes on.
const KEPT: &[(&str, &str)] =
    &[(PLAYED, "games-5.jsonl"), ("search start --board ring8 --pods duo --checkpoint search.saved", "search.saved")];

const BOARD: &str = "name = 'four'\nsource = 'test'\npoints = '''\no-o-o\n|X|\\|\no-o-o\n'''\n";
const LETTER: &[u8] = b"Dear Ada,\nthis took me a whole evening.\n";

/// Returns a folder with what the commands read.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("board.toml"), BOARD).unwrap();
    folder
}

fn pods(folder: &Path, command: &str) -> Output {
    program().args(command.split(' ')).current_dir(folder).output().unwrap()
}

#[track_caller]
fn succeeds(folder: &Path, command: &str) {
    succeeded(&pods(folder, command));
}

#[track_caller]
fn refuses(folder: &Path, command: &str, words: &[&str]) {
    refused(&pods(folder, command), words);
}

/// Returns every file in a folder and below whose name begins as a temporary one.
fn litter(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(litter(&entry.path()));
        } else if name.starts_with('.') || name.ends_with(".tmp") {
            found.push(name);
        }
    }
    found
}

/// Returns the files that each command writes where nothing stands.
fn written(command: &str, file: &str) -> Vec<u8> {
    let folder = folder();
    succeeds(folder.path(), command);
    assert_eq!(litter(folder.path()), [""; 0]);
    let bytes = fs::read(folder.path().join(file)).unwrap();
    assert!(!bytes.is_empty(), "{file}");
    bytes
}

fn make_way(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
}

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn what_is_written_goes_into_fifos_and_devices() {
    // `prove` reads its certificate again, so it refuses these: see `unfinished`.
    for (command, file) in WRITERS.iter().filter(|(command, _)| !command.starts_with("prove ")) {
        let wanted = written(command, file);
        let at = folder();
        let path = at.path().join(file);
        make_way(&path);
        mkfifo(&path);
        let reader = thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        succeeds(at.path(), command);
        assert!(reader.join().unwrap() == wanted, "{command}: {file}");
        assert!(fs::symlink_metadata(&path).unwrap().file_type().is_fifo(), "{command}: {file}");
        fs::remove_file(&path).unwrap();

        // A socket is no file to write into, whatever is asked for.
        let _listener = UnixListener::bind(&path).unwrap();
        refuses(at.path(), &format!("{command} --force"), &[file, "no plain file"]);
        assert!(fs::symlink_metadata(&path).unwrap().file_type().is_socket(), "{command}: {file}");
        fs::remove_file(&path).unwrap();

        // A device of this folder's own, as /dev/full; where none may be made, the FIFO stands for
        // it.
        if Command::new("mknod").arg(&path).args(["c", "1", "7"]).output().unwrap().status.success() {
            refuses(at.path(), command, &[file, "No space left"]);
            assert!(fs::symlink_metadata(&path).unwrap().file_type().is_char_device(), "{command}: {file}");
        }
        assert_eq!(litter(at.path()), [""; 0]);
    }
}

#[test]
fn links_are_followed_and_modes_kept() {
    for (command, file) in WRITERS {
        let wanted = written(command, file);
        let at = folder();
        let (path, target) = (at.path().join(file), at.path().join("elsewhere"));
        make_way(&path);
        let (middle, there) = (at.path().join("middle"), fs::canonicalize(at.path()).unwrap().join("elsewhere"));
        symlink(&middle, &path).unwrap();
        symlink("elsewhere", &middle).unwrap();
        // First the links lead to nothing, then to a file.
        refuses(at.path(), command, &[file, "a link to a file that is missing"]);
        assert!(!target.exists());
        fs::write(&target, "").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        succeeds(at.path(), command);
        assert!(fs::read(&target).unwrap() == wanted, "{command}: {file}");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o7777, 0o640);
        assert_eq!(fs::canonicalize(&path).unwrap(), there);
        assert_eq!(fs::read_link(&path).unwrap(), middle);
        // A link that leads round in a circle, and one into a folder that is not there.
        for end in ["middle", "missing/x"] {
            fs::remove_file(&middle).unwrap();
            symlink(end, &middle).unwrap();
            refuses(at.path(), command, &["cannot be written"]);
            assert!(!at.path().join("missing").exists());
        }
        assert_eq!(litter(at.path()), [""; 0]);
    }
}

#[test]
fn what_is_worth_something_is_kept_unless_forced() {
    for (command, file) in WRITERS {
        let at = folder();
        let path = at.path().join(file);
        make_way(&path);
        let forced = format!("{command} --force");
        let unchanged = |wanted: &[u8]| assert!(fs::read(&path).unwrap() == wanted, "{command}: {file}");
        // Something else.
        fs::write(&path, LETTER).unwrap();
        refuses(at.path(), command, &[file, "is kept", "--force"]);
        unchanged(LETTER);
        succeeds(at.path(), &forced);
        assert!(fs::read(&path).unwrap() != LETTER);
        // The same, read-only: root may write to it, and does not.
        let before = fs::read(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        refuses(at.path(), command, &[file, "read-only", "--force"]);
        unchanged(&before);
        succeeds(at.path(), &forced);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o444);
        // An empty file has nothing to lose; a folder is no file.
        fs::remove_file(&path).unwrap();
        fs::write(&path, b"").unwrap();
        succeeds(at.path(), command);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        refuses(at.path(), &forced, &[file, "folder"]);
        assert!(path.is_dir());
        assert_eq!(litter(at.path()), [""; 0]);
    }
}

/// The files are written even if the reader of the answer has gone, and the status is 0 only with
/// them.
#[test]
fn files_are_written_though_nobody_reads_the_answer() {
    let more = [
        ("match random random --board ring8 --pods duo --pairs 1 --opening-plies 1 --out games.jsonl", "games.jsonl"),
        ("table build small --board ring8 --pods duo --rules advanced", "small."),
        ("report measures --board ring8 --pods duo --orientation 0 --count 1 --strength 5 --out .", "estimates.csv"),
    ];
    for (command, file) in WRITERS.iter().chain(&more) {
        let at = folder();
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran = program().args(command.split(' ')).current_dir(at.path()).stdout(writer).output().unwrap();
        assert_eq!((ran.status.code(), message(&ran).as_str()), (Some(0), ""), "{command}");
        let mut files = fs::read_dir(at.path().join(file).parent().unwrap()).into_iter().flatten();
        let begins = |name: &str| name.starts_with(file.rsplit('/').next().unwrap());
        assert!(files.any(|one| begins(one.unwrap().file_name().to_str().unwrap())), "{command}: {file}");
    }
}

/// The status tells a discrepancy even if the reader of the answer has gone.
#[test]
fn a_discrepancy_is_told_though_nobody_reads_the_answer() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ran = program().args(["check", "--captions", "nook9", "four"]).stdout(writer).output().unwrap();
    assert_eq!((ran.status.code(), message(&ran).as_str()), (Some(1), ""));
}

/// Certificate and checkpoint would each take the place of the other.
#[test]
fn a_certificate_and_its_checkpoint_are_two_files() {
    let at = folder();
    let prove = "prove start --board ring8 --pods duo --method search";
    for checkpoint in ["both", "./both"] {
        refuses(at.path(), &format!("{prove} --out both --checkpoint {checkpoint}"), &["name another one"]);
    }
    assert!(!at.path().join("both").exists() && litter(at.path()).is_empty());
}

#[test]
fn a_result_about_another_setup_is_kept() {
    let measures = "report measures --pods duo --orientation 0 --count 2 --strength 5 --out .";
    for (command, file, other) in [
        (
            "report --pods duo --orientation 0 --out .",
            "balance.csv",
            "is about another setup: nook9 at 0°, duo: both bt",
        ),
        ("report readings --pods duo --orientation 0 --out .", "readings.csv", "is about another setup: nook9"),
        (measures, "measures.csv", "is about another setup: nook9 at 0°"),
        (
            "report --pods duo --orientation 0 --format html --out page.html",
            "page.html",
            "is about another setup: nook9",
        ),
        ("oracle export --pods duo --count 1 --out .", "manifest.json", "the set of another setup: board nook9"),
    ] {
        let at = folder();
        let there = || fs::read(at.path().join(file)).unwrap();
        let [first, second] = ["nook9", "ring8"].map(|board| format!("{command} --board {board}"));
        succeeds(at.path(), &first);
        let before = there();
        refuses(at.path(), &second, &[file, other, "--force"]);
        assert!(there() == before, "{command}");
        // The same setup again is no loss, nor is one more.
        succeeds(at.path(), &first);
        if command.starts_with("report") {
            succeeds(at.path(), &format!("{first} --board ring8"));
            refuses(at.path(), &first, &["is about another setup: ring8"]);
        }
        succeeds(at.path(), &format!("{second} --force"));
        assert!(there() != before, "{command}");
    }
}

#[test]
fn a_page_needs_its_format_and_a_page_without_setups_is_kept() {
    let at = folder();
    let report = "--board nook9 --pods duo --orientation 0";
    for mode in ["", " readings", " measures", " play --strength 5 --count 1"] {
        let way_out = "--out nook.html names a page: add --format html, or name a folder";
        refuses(at.path(), &format!("report{mode} {report} --format csv --out nook.html"), &[way_out]);
        assert!(!at.path().join("nook.html").exists(), "{mode}");
    }
    let report = format!("report {report} --format html --out page.html");
    succeeds(at.path(), &report);
    let page = fs::read_to_string(at.path().join("page.html")).unwrap();
    fs::write(at.path().join("page.html"), page.replace("name=\"setup\"", "name=\"other\"")).unwrap();
    refuses(at.path(), &report, &["page.html", "it does not say which setups it is about"]);
    succeeds(at.path(), &format!("{report} --force"));
}

#[test]
fn what_a_command_reads_is_not_written_over() {
    for (command, input) in [
        ("prove start --board board.toml --pods duo --out board.toml", "board.toml"),
        ("prove start --board board.toml --pods duo --out link", "board.toml"),
        ("prove start --board board.toml --pods duo --out hard", "board.toml"),
        ("report --board hard --pods duo --out .", "board.toml"),
        ("report play --board hard --pods duo --count 1 --out .", "board.toml"),
    ] {
        let at = folder();
        let path = |name: &str| at.path().join(name);
        symlink("board.toml", path("link")).unwrap();
        fs::hard_link(path("board.toml"), path("hard")).unwrap();
        fs::hard_link(path("board.toml"), path("balance.csv")).unwrap();
        if command.contains("play") {
            fs::rename(path("board.toml"), path("played.csv")).unwrap();
            symlink("played.csv", path("board.toml")).unwrap();
        }
        let before = fs::read(path(input)).unwrap();
        refuses(at.path(), command, &["this command reads that file"]);
        assert!(fs::read(path(input)).unwrap() == before, "{command}");
    }
}

#[test]
fn a_path_without_a_file_name_and_standard_output_are_told_apart() {
    let at = folder();
    for out in ["new/", "new/..", ".", "/"] {
        let command = format!("prove start --board board.toml --pods duo --out {out}");
        refuses(at.path(), &command, &["this names no file"]);
    }
    refuses(at.path(), "prove start --board ring8 --pods duo --out board.toml/x", &["board.toml/x"]);
    // A certificate is read again when it is written.
    refuses(at.path(), "prove start --board ring8 --pods duo --out /dev/stdout", &["no plain file"]);
}

#[test]
fn a_certificate_that_proves_more_is_kept() {
    let at = folder();
    let file = at.path().join("c.jsonl");
    let weak = "prove start --board board.toml --pods duo --rules standard --out c.jsonl";
    let exact = format!("{weak} --exact");
    succeeds(at.path(), weak);
    let first = fs::read(&file).unwrap();
    succeeds(at.path(), &exact);
    let second = fs::read(&file).unwrap();
    assert!(first != second);
    refuses(at.path(), weak, &["c.jsonl", "it proves more", "--force"]);
    assert!(fs::read(&file).unwrap() == second);
    succeeds(at.path(), &exact);
    // Another position, other rules, another board: not replaced; a renamed copy of the board is
    // the same one.
    for other in ["--rules advanced", "--hands b:", "--orientation 90"] {
        let command = format!("prove start --board board.toml --pods duo {other} --exact --out c.jsonl");
        refuses(at.path(), &command, &["another position or setup"]);
    }
    fs::write(at.path().join("copy.toml"), BOARD.replace("four", "copy")).unwrap();
    succeeds(at.path(), "prove start --board copy.toml --pods duo --exact --out c.jsonl");
    succeeds(at.path(), &format!("{weak} --force"));
    assert!(fs::read(&file).unwrap() == first);
}

#[test]
fn what_is_read_again_must_be_a_plain_file() {
    for (command, file) in KEPT {
        let at = folder();
        let path = at.path().join(file);
        mkfifo(&path);
        refuses(at.path(), command, &[file, "no plain file"]);
        assert!(fs::symlink_metadata(&path).unwrap().file_type().is_fifo());
        fs::remove_file(&path).unwrap();
        fs::write(&path, LETTER).unwrap();
        refuses(at.path(), command, &[file]);
        assert!(fs::read(&path).unwrap() == LETTER);
        fs::remove_file(&path).unwrap();
        // A link is followed; the mode is kept; a read-only file is left alone.
        symlink("elsewhere", &path).unwrap();
        refuses(at.path(), command, &[file, "a link to a file that is missing"]);
        fs::remove_file(&path).unwrap();
        succeeds(at.path(), command);
        fs::rename(&path, at.path().join("elsewhere")).unwrap();
        symlink("elsewhere", &path).unwrap();
        succeeds(at.path(), command);
        let target = at.path().join("elsewhere");
        assert!(fs::symlink_metadata(&path).unwrap().file_type().is_symlink() && target.is_file());
        fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
        succeeds(at.path(), command);
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o7777, 0o600);
        fs::set_permissions(&target, fs::Permissions::from_mode(0o400)).unwrap();
        let before = fs::read(&target).unwrap();
        refuses(at.path(), command, &[file, "read-only"]);
        assert!(fs::read(&target).unwrap() == before);
        assert_eq!(litter(at.path()), [""; 0]);
    }
}

/// A second run on a file that a first one writes to would lose the work of one of them.
#[test]
fn two_runs_on_one_file_are_refused() {
    let game = "--board ring8 --pods duo --opening-plies 1";
    for (command, file) in [
        (PLAYED.to_owned(), "games-5.jsonl"),
        (format!("match random random {game} --pairs 1 --out games.jsonl"), "games.jsonl"),
        ("prove start --board ring8 --pods duo --method search --out c.proof".to_owned(), "c.proof.part"),
    ] {
        let at = folder();
        let path = at.path().join(file);
        if file.ends_with(".part") {
            fs::write(&path, "").unwrap();
        } else {
            succeeds(at.path(), &command);
        }
        let before = fs::read(&path).unwrap();
        let held = fs::File::options().append(true).open(&path).unwrap();
        held.lock().unwrap();
        refuses(at.path(), &command, &[file, "name another file"]);
        assert!(fs::read(&path).unwrap() == before, "{command}");
        drop(held);
        succeeds(at.path(), &command);
    }
}

#[test]
fn what_a_killed_process_left_is_cleared_away_and_what_is_a_user_s_is_not() {
    let at = folder();
    let path = |name: &str| at.path().join(name);
    fs::write(path(".win.jsonl.pods-a1b2c3.tmp"), LETTER).unwrap();
    fs::write(path(".other.pods-a1b2c3.tmp"), LETTER).unwrap();
    fs::write(path("win.jsonl.tmp"), LETTER).unwrap();
    let held = fs::File::create(path(".win.jsonl.pods-inuse0.tmp")).unwrap();
    held.lock().unwrap();
    succeeds(at.path(), "prove start --board board.toml --pods duo --out win.jsonl");
    let mut left = litter(at.path());
    left.sort();
    assert_eq!(left, [".other.pods-a1b2c3.tmp", ".win.jsonl.pods-inuse0.tmp", "win.jsonl.tmp"]);
}
