//! Tables in trouble: damaged bytes, full disks, too little memory, builds that are killed.

use crate::common::{on_steps, program, wait_a_moment};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use pods::material::Side;
use pods::position::{Hand, Setup};
use pods::table::{BuildOptions, BuildStep, Place, Table, TableError, Verification, VerifyError, table_path};
use tempfile::tempdir;

const SETUP: [&str; 8] = ["--board", "lair16", "--pods", "trio", "--rules", "advanced", "--checkpoint", "0"];
const SMALL: [&str; 6] = ["--board", "ring8", "--pods", "duo", "--rules", "advanced"];

fn build(name: &Path, setup: &[&str]) -> Command {
    let mut command = program();
    command.args(["table", "build"]).arg(name).args(setup).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Builds a table to its end; how long that took.
fn whole(name: &Path, setup: &[&str]) -> Duration {
    let begun = Instant::now();
    assert!(build(name, setup).status().unwrap().success());
    begun.elapsed()
}

fn assert_same_files(one: &Path, other: &Path) {
    assert!(fs::read(table_path(one)).unwrap() == fs::read(table_path(other)).unwrap(), "{}", other.display());
}

/// Lists the files in a folder and the folders in it.
fn names(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        names.insert(path.file_name().unwrap().to_str().unwrap().to_owned());
        if path.is_dir() {
            names.extend(self::names(&path));
        }
    }
    names
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns pseudo-random numbers, the same each run.
fn numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |limit| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % limit
    }
}

#[test]
fn a_flipped_byte_of_a_larger_table_is_found_by_file() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    whole(&name, &SETUP);
    let mut random = numbers(4);
    let bytes_only = Verification { fast_every: 0, reference_every: 0 };
    {
        let path = table_path(&name);
        let mut bytes = fs::read(&path).unwrap();
        let len = bytes.len() as u64;
        assert!(len > 10_000, "{len}");
        // Header, blocks, list of blocks, hashes, each by themselves, and anywhere.
        let ends = [0, 8, 12, 20, len - 1, len - 33, len - 65, len - 73, len - 200];
        let places: Vec<u64> = ends.into_iter().chain((0..60).map(|_| random(len))).collect();
        for at in places {
            let at = at as usize;
            let bit = 1 << random(8);
            bytes[at] ^= bit;
            fs::write(&path, &bytes).unwrap();
            let found = match Table::open(&name).map(|table| table.verify(bytes_only, &pods::solver::Silent)) {
                Err(error) | Ok(Err(VerifyError::Table(error))) => error,
                other => panic!("byte {at} of {}: {other:?}", path.display()),
            };
            let by_name = found.to_string().contains(path.to_str().unwrap());
            assert!(by_name && !matches!(found, TableError::Io { .. }), "byte {at}: {found}");
            bytes[at] ^= bit;
        }
        fs::write(&path, &bytes).unwrap();
    }
    Table::open(&name).unwrap().verify(bytes_only, &pods::solver::Silent).unwrap();
}

#[test]
fn a_table_that_is_cut_or_changed_while_it_is_open_gives_errors_and_no_values() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    whole(&name, &SETUP);
    let mut random = numbers(7);
    let paths = [table_path(&name)];
    let whole_bytes = paths.clone().map(|path| fs::read(path).unwrap());
    let right = Table::open(&name).unwrap();
    let mut right = right.reader().unwrap();
    let index = right.table().index().clone();
    let tier = index.tiers().len() - 1;
    let places: Vec<Place> = std::iter::repeat_with(|| {
        let row = random(index.tiers()[tier].rows());
        Place { tier, row, cell: random(index.points() as u64) as u8 }
    })
    .filter(|&place| index.position(place, Side::White).is_some())
    .take(300)
    .collect();
    let answers: Vec<_> = places.iter().map(|&place| right.at(place, Side::White).unwrap()).collect();
    let bytes_only = Verification { fast_every: 0, reference_every: 0 };
    let (mut refused, mut answered) = (0, 0);
    for round in 0..30 {
        for (path, bytes) in paths.iter().zip(&whole_bytes) {
            fs::write(path, bytes).unwrap();
        }
        let table = Table::open_keeping(&name, 0).unwrap();
        let mut reader = table.reader().unwrap();
        // The larger of the files has exactly as many bytes as are kept at most.
        let most = whole_bytes.iter().map(Vec::len).max().unwrap() as u64;
        let kept = Table::open_keeping(&name, most).unwrap();
        let mut of_kept = kept.reader().unwrap();
        for (path, bytes) in paths.iter().zip(&whole_bytes) {
            let file = fs::OpenOptions::new().write(true).open(path).unwrap();
            let len = bytes.len() as u64;
            if round % 3 == 0 {
                // Cut anywhere, to nothing in the end.
                file.set_len(if round == 27 { 0 } else { random(len) }).unwrap();
            } else {
                // A hole of zeros, or bytes that are others, somewhere in place.
                let at = random(len) as usize;
                let end = (at + 64 + random(600) as usize).min(bytes.len());
                let at = at.min(end - 64);
                let flip = if round % 3 == 1 { 0 } else { 1 + random(255) as u8 };
                let other: Vec<u8> =
                    bytes[at..end].iter().map(|byte| if flip == 0 { 0 } else { byte ^ flip }).collect();
                std::os::unix::fs::FileExt::write_all_at(&file, &other, at as u64).unwrap();
            }
        }
        for (&place, right) in places.iter().zip(&answers) {
            // What is small was read whole when it was opened.
            assert_eq!(of_kept.at(place, Side::White).unwrap(), *right);
            match reader.at(place, Side::White) {
                Ok(answer) => {
                    assert_eq!(answer, *right, "round {round}: {place:?}");
                    answered += 1;
                }
                Err(TableError::Damaged { .. } | TableError::Shorter { .. }) => refused += 1,
                Err(other) => panic!("round {round}: {other}"),
            }
        }
        for table in [&table, &kept] {
            let found = table.verify(bytes_only, &pods::solver::Silent);
            assert!(matches!(found, Err(VerifyError::Table(_))), "round {round}: {found:?}");
        }
    }
    assert!(refused > 1_000 && answered > 1_000, "{refused} refused, {answered} answered");
}

#[test]
fn too_little_memory_is_refused_with_the_plan_before_anything_is_written() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("t");
    let setup = ["--board", "cave36", "--pods", "four", "--rules", "advanced", "--memory", "400MiB"];
    let mut command = build(&name, &setup);
    let refused = command.stderr(Stdio::piped()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let message = text(&refused);
    assert!(message.contains("not started: ") && message.contains("the limit is 400.0 MiB"), "{message}");
    assert!(message.contains("allow more"), "{message}");
    let plan = program().args(["table", "plan"]).args(&setup[..6]).output().unwrap();
    let plan = String::from_utf8(plan.stdout).unwrap();
    assert!(plan.contains("memory ") && message.contains(plan.trim_end()), "{message}");
    assert!(names(folder.path()).is_empty());
}

/// Runs a build by a shell script, which has the program and its arguments as `$@`; its standard
/// error is kept.
fn under(script: &str, name: &Path, setup: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_pods")]);
    command.args(["table", "build"]).arg(name).args(setup).output().unwrap()
}

#[test]
fn a_file_that_may_not_grow_leaves_nothing_half_written() {
    let folder = tempdir().unwrap();
    let made = folder.path().join("whole");
    whole(&made, &SETUP);
    let size = fs::metadata(table_path(&made)).unwrap().len();
    let mut messages = BTreeSet::new();
    // In blocks of 512 bytes: too small for the first part, for some part, for the file.
    for blocks in [1, size / 2048, size / 1024] {
        let at = tempdir().unwrap();
        let name = at.path().join("t");
        let script = format!("ulimit -f {blocks}; exec \"$@\"");
        let stopped = under(&script, &name, &SETUP);
        let message = text(&stopped);
        assert_eq!(stopped.status.code(), Some(2), "{blocks} blocks: {message}");
        assert!(message.contains("File too large") && message.contains("start again"), "{message}");
        messages.insert(message.split(at.path().to_str().unwrap()).nth(1).unwrap().to_owned());
        check_remains(at.path(), &name);
        whole(&name, &SETUP);
        assert_same_files(&made, &name);
    }
    assert!(messages.len() > 1, "{messages:?}");
}

/// Checks the remains of an interrupted build: parts of the build.
fn check_remains(folder: &Path, name: &Path) {
    let left = names(folder);
    assert!(left.iter().all(|name| !is_temporary(Path::new(name))), "{left:?}");
    assert!(!table_path(name).exists(), "{left:?}");
}

/// Names the small disk for the test that fills it, which is run once more there.
const DISK: &str = "PODS_TESTS_DISK";

#[test]
fn a_full_disk_is_told_and_leaves_nothing_half_written() {
    if let Some(disk) = std::env::var_os(DISK) {
        return fill_while_building(Path::new(&disk));
    }
    let folder = tempdir().unwrap();
    let probe = Command::new("unshare").args(["--mount", "--map-root-user", "true"]).output();
    if !probe.is_ok_and(|ran| ran.status.success()) {
        crate::common::cannot_run("mounts", "no small disk can be made (unshare --mount --map-root-user)");
        return;
    }
    // Only the shell and its children see the disk.
    let disk = folder.path().join("disk");
    fs::create_dir_all(&disk).unwrap();
    let small_disk = |size: &str, then: &str| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh", "-c"]).env(DISK, &disk);
        command.arg(format!("mount -t tmpfs -o size={size} pods \"${DISK}\" || exit 77; {then}")).arg("sh");
        command
    };
    let leftovers = "find \"$PODS_TESTS_DISK\" -name '*.tmp' -o -name '*.pods-*' | sed 's/^/left: /' >&2";
    let mut command = small_disk("32k", &format!("\"$@\"; status=$?; {leftovers}; exit $status"));
    command.arg(env!("CARGO_BIN_EXE_pods")).args(["table", "build"]).arg(disk.join("t")).args(SETUP).arg("--stream");
    let refused = command.output().unwrap();
    let message = text(&refused);
    if refused.status.code() == Some(77) {
        crate::common::cannot_run("mounts", &message);
        return;
    }
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("32.0 KiB are free") && message.contains("make room"), "{message}");
    assert!(!message.contains("left: "), "{message}");

    let mut command = small_disk("2m", "exec \"$@\"");
    let name = "trouble::a_full_disk_is_told_and_leaves_nothing_half_written";
    command.arg(std::env::current_exe().unwrap()).args(["--exact", name, "--nocapture"]);
    let ran = command.output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && said.contains("two builds met a full disk"), "{said}{}", text(&ran));
}

/// Builds a table on a disk that has room for it at first, and none from the first sweep on.
fn fill_while_building(disk: &Path) {
    let game = crate::common::builtin_game("lair16", 0, "trio", "advanced");
    let hands = [Hand::whole(game.pods()); 2];
    for stream in [false, true] {
        let filler = disk.join("filler");
        let mut step = |_| {
            if !filler.exists() {
                let full = std::io::copy(&mut std::io::repeat(0), &mut fs::File::create(&filler).unwrap());
                assert_eq!(full.unwrap_err().kind(), std::io::ErrorKind::StorageFull);
            }
        };
        let options = BuildOptions { checkpoint: Duration::ZERO, stream, ..crate::common::build_options() };
        let stopped =
            pods::table::build(&Setup::new(game.clone(), hands), &disk.join("t"), options, &on_steps(&mut step))
                .unwrap_err();
        let message = stopped.to_string();
        assert!(message.contains("No space left on device") && message.contains("make room"), "{message}");
        check_remains(disk, &disk.join("t"));
        let left = names(disk);
        assert!(left.iter().all(|name| !name.contains(".pods-")), "{left:?}");
        fs::remove_file(&filler).unwrap();
    }
    println!("two builds met a full disk");
}

#[test]
fn a_build_that_fails_before_its_file_has_its_name_goes_on_to_the_same_bytes() {
    let folder = tempdir().unwrap();
    let (made, name) = (folder.path().join("whole"), folder.path().join("t"));
    whole(&made, &SMALL);
    let file = table_path(&name);
    // A folder comes to stand where the file belongs while it is written.
    let game = crate::common::builtin_game("ring8", 0, "duo", "advanced");
    let hands = [Hand::whole(game.pods()); 2];
    let blocked = pods::table::build(
        &Setup::new(game.clone(), hands),
        &name,
        crate::common::build_options(),
        &on_steps(|step| {
            if let BuildStep::Writing(0, _) = step {
                fs::create_dir(&file).unwrap();
            }
        }),
    );
    assert!(blocked.unwrap_err().to_string().contains("it is a folder"));
    let workshop = folder.path().join("t.building");
    assert!(workshop.exists());
    // Next time it is seen at once.
    assert_eq!(build(&name, &SMALL).status().unwrap().code(), Some(2));
    fs::remove_dir(&file).unwrap();
    // One that was killed after its file was in place and before it had cleared away its parts
    // clears them away.
    let parts = folder.path().join("parts");
    fs::rename(&workshop, &parts).unwrap();
    whole(&name, &SMALL);
    fs::rename(&parts, &workshop).unwrap();
    assert_same_files(&made, &name);
    whole(&name, &SMALL);
    assert!(!workshop.exists());
    assert_same_files(&made, &name);
}

fn is_temporary(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "tmp")
}

/// Returns `true` if a build was killed before its end, and its running time.
fn killed_when(mut child: Child, now: impl Fn(Duration) -> bool) -> (bool, Duration) {
    let begun = Instant::now();
    loop {
        if child.try_wait().unwrap().is_some() {
            return (false, begun.elapsed());
        }
        if now(begun.elapsed()) {
            // SIGKILL: nothing can be cleared away.
            child.kill().unwrap();
            return (!child.wait().unwrap().success(), begun.elapsed());
        }
        wait_a_moment();
    }
}

#[test]
fn builds_killed_at_random_moments_and_while_writing_end_with_the_same_bytes() {
    let folder = tempdir().unwrap();
    let made = folder.path().join("whole");
    let mut takes = whole(&made, &SETUP);
    let mut random = numbers(9);
    let (mut round, mut kills) = (0, 0);
    // How fast a build is changes with what runs beside it, so the rounds go on until enough were
    // hit.
    while round < 6 || kills < 12 {
        assert!(round < 60, "{kills} builds were killed in {round} rounds of at most 4");
        let name = folder.path().join(format!("t{round}"));
        for attempt in 0..3 {
            let moment = takes.mul_f64(random(1000) as f64 / 1000.0);
            let (killed, ran) = killed_when(build(&name, &SETUP).spawn().unwrap(), |since| since >= moment);
            kills += u32::from(killed);
            if attempt == 0 && !killed {
                takes = takes.min(ran);
            }
            if table_path(&name).exists() {
                Table::open(&name).unwrap_or_else(|error| panic!("{error}"));
            }
        }
        // The file is written at the end: killed when it begins, or has its name.
        let file = table_path(&name);
        let workshop = folder.path().join(format!("t{round}.building"));
        let in_work = || fs::read_dir(&workshop).is_ok_and(|mut all| all.any(|e| is_temporary(&e.unwrap().path())));
        let writing = |_| match round % 2 {
            0 => file.exists() && workshop.exists(),
            _ => in_work(),
        };
        kills += u32::from(killed_when(build(&name, &SETUP).spawn().unwrap(), writing).0);
        whole(&name, &SETUP);
        assert_same_files(&made, &name);
        assert!(!workshop.exists());
        let left: Vec<PathBuf> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        let left: Vec<(&PathBuf, Vec<PathBuf>)> = left
            .iter()
            .filter(|path| is_temporary(path))
            .map(|path| (path, fs::read_dir(path).map_or(Vec::new(), |all| all.map(|e| e.unwrap().path()).collect())))
            .collect();
        assert!(left.is_empty(), "round {round}: {left:?}");
        round += 1;
    }
}
