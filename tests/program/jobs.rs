//! Searches cut into jobs: what several workers find together is what one search finds, whatever
//! happens to workers and files.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pods::certificate::{Claimed, check};
use pods::files::Lock;
use pods::jobs::{Ended, JobsError, Merged, SplitOptions, WorkOptions, merge, split, work};
use pods::material::Side;
use pods::position::{Game, Hand, Position};
use pods::report::sha256_hex;
use pods::rules::RuleSet;
use pods::solver::search::Search;
use pods::solver::{Limits, Outcome, Silent};

use crate::common::{Random, board, placement_rule_sets, pods};
use crate::run::{answer, run, spawn};

fn setup(random: &mut Random, rules: RuleSet) -> (Game, Position) {
    let pictures =
        ["o-o-o\n|X|X|\no-o-o", "o-o-o-o\n|X| |\no-o o", "o-o-o\n|X|X|\no-o-o\n|/|\\|\no-o o", "o-o o\n|/|/|\no o-o"];
    let lists =
        ["b: e w, d: N s, t: n S w", "b*2: E nw, t: n S w", "a: s, b: n SE, q: N E s w", "b: N s, c*2: E sw, d: n e w"];
    loop {
        let turn = random.pick(&pods::geometry::Orientation::ALL);
        let game = Game::new(board(random.pick(&pictures)).turned(turn), pods(random.pick(&lists)), rules);
        let hand = Hand::whole(game.pods());
        if let Ok(root) = game.start(hand, hand, random.pick(&Side::BOTH)) {
            return (game, root);
        }
    }
}

fn truth(game: &Game, root: &Position) -> Side {
    let answer = Search::new(game, 1 << 20).unwrap().solve(root, Limits::default(), &Silent);
    if answer.outcome == Ok(Outcome::Win) { root.to_move() } else { root.to_move().other() }
}

fn cut(game: &Game, root: &Position, folder: &Path, depth: usize, probe: u64) -> usize {
    let options = SplitOptions { depth, jobs: None, probe, force: false };
    split(game, root, folder, options, Limits::default().with_memory(1 << 20), &Silent).unwrap().jobs
}

/// A worker that goes on until nothing is left, and looks again at once where others are at work.
fn options(name: &str) -> WorkOptions<'_> {
    WorkOptions {
        worker: Some(name),
        slice: None,
        first_nodes: 4,
        limits: Limits::default().with_memory(1 << 20),
        proofs: true,
        reclaim_after: Duration::from_secs(3600),
        wait: None,
        commit: None,
        cpu: &|| Duration::ZERO,
    }
}

fn works(folder: &Path, options: WorkOptions<'_>) -> Result<Ended, JobsError> {
    work(folder, &options, &Silent, &mut |_, _| ())
}

fn merged(folder: &Path) -> Merged {
    merge(folder, None).unwrap().0
}

/// Joins the certificates and checks what comes of it: who wins.
fn certified(folder: &Path, root: &Position) -> Result<Side, JobsError> {
    let (_, proof) = merge(folder, Some((Limits::default().with_memory(1 << 20), &Silent)))?;
    let checked = check(&proof.unwrap().bytes[..], &|_| ControlFlow::Continue(())).unwrap();
    assert_eq!(checked.root.text(&checked.game), root.text(&checked.game));
    Ok(if checked.claim.value == Claimed::Win { root.to_move() } else { root.to_move().other() })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in files(from) {
        let name = path.file_name().unwrap();
        if path.is_dir() {
            copy(&path, &to.join(name))
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

#[test]
fn workers_together_find_and_prove_what_one_search_finds() {
    let mut random = Random(31);
    let (mut seen, mut jobs, mut results, mut covers) = (BTreeSet::new(), 0, 0, 0);
    for round in 0..4 {
        for rules in placement_rule_sets() {
            let (game, root) = setup(&mut random, rules);
            let folder = tempfile::tempdir().unwrap();
            let at = || format!("round {round}: {} {}\n{:?}", game.rules(), root.text(&game), game.board());
            jobs += cut(&game, &root, folder.path(), 1 + random.below(3), random.pick(&[0, 0, 5]));
            let workers = 1 + random.below(4);
            let names: Vec<String> = (0..workers).map(|number| number.to_string()).collect();
            std::thread::scope(|scope| {
                for name in &names {
                    scope.spawn(|| {
                        works(folder.path(), WorkOptions { wait: Some(Duration::ZERO), ..options(name) }).unwrap()
                    });
                }
            });
            let winner = truth(&game, &root);
            let all = merged(folder.path());
            assert_eq!((all.winner, all.open.len()), (Some(winner), 0), "{}", at());
            assert_eq!((all.damaged, all.others, all.missing_proofs), (Vec::new(), 0, Some(0)), "{}", at());
            assert_eq!(certified(folder.path(), &root).unwrap(), winner, "{}", at());
            let left: Vec<PathBuf> =
                ["claims", "workers"].iter().flat_map(|name| files(&folder.path().join(name))).collect();
            assert_eq!(left, Vec::<PathBuf>::new());
            let text = fs::read_to_string(folder.path().join("jobs.jsonl")).unwrap();
            covers += text.matches("\"covers\":").count();
            results += all.results;
            seen.insert((winner == root.to_move(), workers, all.results > 0));
        }
    }
    assert!(seen.len() >= 12 && jobs > 2_000 && results > 500 && covers > 500, "{seen:?} {jobs} {results} {covers}");
}

/// A position that takes some jobs, with all their results.
fn done(folder: &Path) -> (Game, Position, Side) {
    let game = crate::common::builtin_game("nook9", 270, "four", "standard");
    let hand = Hand::whole(game.pods());
    let root = game.start(hand, hand, Side::White).unwrap();
    assert!(cut(&game, &root, folder, 2, 0) > 100);
    let winner = truth(&game, &root);
    assert_eq!(works(folder, options("first")).unwrap(), Ended::Decided(winner));
    (game, root, winner)
}

#[test]
fn what_is_damaged_is_named_and_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let (_, root, winner) = done(folder.path());
    let results = files(&folder.path().join("results"));
    assert!(results.len() > 5, "{results:?}");
    let mut made_anew = 0;
    for (number, path) in results.iter().enumerate().step_by(results.len() / 5) {
        let good = fs::read(path).unwrap();
        let other = fs::read(&results[(number + 1) % results.len()]).unwrap();
        let mut flipped = good.clone();
        flipped[number * 7 % good.len()] ^= 1;
        for bad in [&flipped[..], &good[..good.len() / 2], &good[..good.len() - 1], b"", &other[..]] {
            let tried = tempfile::tempdir().unwrap();
            copy(folder.path(), tried.path());
            let path = tried.path().join("results").join(path.file_name().unwrap());
            fs::write(&path, bad).unwrap();
            let all = merged(tried.path());
            assert_eq!(all.damaged.iter().map(|(path, _)| path).collect::<Vec<_>>(), [&path]);
            assert!(all.winner.is_none_or(|found| found == winner) && all.results == results.len() - 1);
            made_anew += usize::from(all.winner.is_none());
            assert_eq!(works(tried.path(), options("second")).unwrap(), Ended::Decided(winner));
            assert_eq!(certified(tried.path(), &root).unwrap(), winner);
        }
    }
    assert!(made_anew > 0, "{made_anew}");
}

/// Writes a result with another value; its name fits.
fn forge(path: &Path) -> PathBuf {
    let text = fs::read_to_string(path).unwrap();
    let forged = match text.contains("\"value\":\"win\"") {
        true => text.replace("\"value\":\"win\"", "\"value\":\"loss\""),
        false => text.replace("\"value\":\"loss\"", "\"value\":\"win\""),
    };
    assert_ne!(text, forged);
    let (job, _) = path.file_name().unwrap().to_str().unwrap().split_once('-').unwrap();
    let path = path.with_file_name(format!("{job}-{}.json", &sha256_hex(forged.as_bytes())[..16]));
    fs::write(&path, forged).unwrap();
    path
}

#[test]
fn forgers_contradict_somebody_or_prove_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (_, root, winner) = done(folder.path());
    let (mut contradicted, mut unproven, mut misled) = (0, 0, 0);
    for path in files(&folder.path().join("results")) {
        if fs::read_to_string(&path).unwrap().contains("\"unknown\"") {
            continue;
        }
        let tried = tempfile::tempdir().unwrap();
        copy(folder.path(), tried.path());
        let path = tried.path().join("results").join(path.file_name().unwrap());
        let forged = forge(&path);
        // Beside the true one.
        let error = merge(tried.path(), None).unwrap_err().to_string();
        for name in [&path, &forged] {
            assert!(error.contains(name.to_str().unwrap()), "{error}");
        }
        let ran = run(&["jobs", "merge", tried.path().to_str().unwrap()], "");
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
        // In its place.
        fs::remove_file(&path).unwrap();
        match merge(tried.path(), None) {
            Ok((all, _)) => misled += usize::from(all.winner.is_some_and(|found| found != winner)),
            Err(error) => {
                assert!(matches!(error, JobsError::Contradiction(_)), "{error}");
                contradicted += 1;
            }
        }
        match certified(tried.path(), &root) {
            Ok(found) => assert_eq!(found, winner),
            Err(JobsError::Part { path, .. }) => {
                assert!(path.starts_with(tried.path().join("proofs")));
                unproven += 1;
            }
            Err(JobsError::Contradiction(_) | JobsError::Open | JobsError::NoParts { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    // A value may be believed that is forged, but not its certificate.
    assert!(unproven > 0 && unproven >= misled, "{contradicted} {unproven} {misled}");
}

#[test]
fn results_of_another_folder_count_and_those_that_come_twice_do_no_harm() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (game, root, winner) = done(one.path());
    cut(&game, &root, two.path(), 2, 0);
    let slices = |index, of| WorkOptions { slice: Some((index, of)), first_nodes: 100, ..options("slices") };
    for index in 0..3 {
        let ended = works(two.path(), slices(index, 3)).unwrap();
        assert!(matches!(ended, Ended::Decided(_) | Ended::NothingLeft { held: 0, .. }), "{ended:?}");
    }
    assert_eq!(merged(two.path()).winner, Some(winner));
    assert_eq!(files(&two.path().join("claims")), Vec::<PathBuf>::new());
    for name in ["results", "proofs"] {
        copy(&one.path().join(name), &two.path().join(name));
    }
    let all = merged(two.path());
    assert!(all.duplicates > 0 && all.workers == 2 && all.damaged.is_empty(), "{all:?}");
    assert_eq!(certified(two.path(), &root).unwrap(), winner);
    // A deeper split has other jobs; what stands for its positions counts.
    let deeper = tempfile::tempdir().unwrap();
    cut(&game, &root, deeper.path(), 3, 0);
    copy(&one.path().join("results"), &deeper.path().join("results"));
    let all = merged(deeper.path());
    assert!(all.others > 0 && all.winner.is_none_or(|found| found == winner), "{all:?}");
}

#[test]
fn claims_keep_others_out_as_long_as_their_worker_lives() {
    let folder = tempfile::tempdir().unwrap();
    let game = crate::common::builtin_game("nook9", 270, "four", "standard");
    let hand = Hand::whole(game.pods());
    let root = game.start(hand, hand, Side::White).unwrap();
    let jobs = cut(&game, &root, folder.path(), 1, 0);
    let text = fs::read_to_string(folder.path().join("jobs.jsonl")).unwrap();
    let names: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("{\"job\":\"")).map(|line| &line[..32]).collect();
    assert_eq!(names.len(), jobs);
    let (workers, claims) = (folder.path().join("workers"), folder.path().join("claims"));
    fs::create_dir_all(&workers).unwrap();
    fs::create_dir_all(&claims).unwrap();
    let host = gethostname::gethostname().to_string_lossy().into_owned();
    let claim = |host: &str| {
        for name in &names {
            fs::write(claims.join(name), format!("{{\"worker\":\"other\",\"host\":\"{host}\"}}")).unwrap();
        }
    };
    let all_held = Ended::NothingLeft { held: jobs, open: jobs };
    // A worker of this machine that lives; by its name nobody else begins.
    let lock = Lock::take(&workers.join("other")).unwrap();
    claim(&host);
    assert_eq!(works(folder.path(), options("here")).unwrap(), all_held);
    assert!(matches!(works(folder.path(), options("other")), Err(JobsError::WorkerInUse { .. })));
    assert_eq!(
        merged(folder.path()).open.iter().filter(|open| open.claimed_by.as_deref() == Some("other")).count(),
        jobs
    );
    drop(lock);
    // One of another machine: by the age of its file, whoever has the lock.
    claim("elsewhere");
    assert_eq!(works(folder.path(), options("here")).unwrap(), all_held);
    let file = fs::File::options().write(true).open(workers.join("other")).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3500)).unwrap();
    assert_eq!(works(folder.path(), options("here")).unwrap(), all_held);
    file.set_modified(SystemTime::now() - Duration::from_secs(3700)).unwrap();
    let winner = truth(&game, &root);
    assert_eq!(works(folder.path(), options("here")).unwrap(), Ended::Decided(winner));
    // One of this machine that is gone, at once.
    let again = tempfile::tempdir().unwrap();
    cut(&game, &root, again.path(), 1, 0);
    copy(&claims, &again.path().join("claims"));
    assert_eq!(works(again.path(), options("here")).unwrap(), Ended::Decided(winner));
}

#[test]
fn a_kill_leaves_nothing_half_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let small = ["--board", "cave16", "--pods", "mini7", "--probe", "0", "--out", path];
    answer(&[&["jobs", "split", "start"], &small[..]].concat(), "");
    let work = ["jobs", "run", path, "--memory", "16MiB", "--first-nodes", "100", "--proofs"];
    let (mut killed, mut results) = (0, 0);
    while killed < 12 {
        let mut child = spawn(&work);
        let mut line = String::new();
        // At its first result, or while it looks what there is.
        if killed % 3 > 0 {
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
        let all = merged(folder.path());
        assert!(all.damaged.is_empty() && all.results >= results + usize::from(!line.is_empty()), "{all:?}");
        results = all.results;
    }
    let left = files(&folder.path().join("claims")).len();
    let ran = run(&work, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("wins, see `pods jobs merge"), "{}", ran.err);
    let game = crate::common::builtin_game("cave16", 0, "mini7", "standard");
    let hand = Hand::whole(game.pods());
    let root = game.start(hand, hand, Side::White).unwrap();
    assert_eq!(certified(folder.path(), &root).unwrap(), truth(&game, &root), "{left} claims were left");
    assert!(merged(folder.path()).results > results);
}

#[test]
fn the_commands_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let jobs = path("jobs");
    let small = ["--board", "nook9", "--pods", "four", "--out", &jobs];
    let split = |more: &[&str]| run(&[&["jobs", "split", "start"], &small[..], more].concat(), "");
    let wrong = |args: &[&str], code: i32, words: &str| {
        let ran = run(args, "");
        assert!(ran.code == code && ran.out.is_empty() && ran.err.contains(words), "{args:?} {} {}", ran.code, ran.err);
    };
    for command in ["run", "merge"] {
        wrong(&["jobs", command, &path("none")], 2, "no job file is here");
        wrong(&["jobs", command, &jobs], 2, "no job file is here");
    }
    assert_eq!(split(&["--rules", "advanced"]).code, 2);
    let made = split(&["--probe", "0"]);
    assert!(
        made.code == 0 && made.out.contains(&format!("next      pods jobs run {jobs}\n")),
        "{} {}",
        made.out,
        made.err
    );
    assert_eq!(split(&["--probe", "0"]).code, 0, "the same again");
    let other = split(&["--probe", "0", "--orientation", "90"]);
    assert!(other.code == 2 && other.err.contains("another job file is here"), "{}", other.err);
    wrong(&["jobs", "merge", &jobs, "--certificate", &path("c")], 2, "who wins is not known yet");
    wrong(&["jobs", "run", &jobs, "--index", "3", "--of", "3"], 2, "the last one is 2");
    wrong(&["jobs", "run", &jobs, "--worker", "../x"], 2, "is no name of a worker");
    let open = answer(&["jobs", "merge", &jobs, "--format", "csv"], "");
    assert!(open.starts_with("job,path,position,tried,claimed_by\n") && open.lines().count() > 10, "{open}");
    let json = answer(&["jobs", "merge", &jobs, "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["open"].as_array().unwrap().len() + 1, open.lines().count());
    assert_eq!((&json["value"], &json["board"]), (&"unknown".into(), &"nook9".into()));
    // Too few nodes: unknown, and never a draw; more later.
    let ran = run(&["jobs", "run", &jobs, "--max-nodes", "1"], "");
    assert!(ran.code == 0 && ran.err.contains("raise --max-nodes"), "{}", ran.err);
    assert!(answer(&["jobs", "merge", &jobs], "").contains("value     unknown for White\n"));
    let ran = run(&["jobs", "run", &jobs, "--format", "json"], "");
    assert!(
        ran.code == 0 && ran.out.lines().all(|line| line.starts_with("{\"format\":\"pods-job-result\"")),
        "{}",
        ran.err
    );
    wrong(&["jobs", "merge", &jobs, "--certificate", &path("c")], 2, "of its parts are missing");
    assert_eq!(run(&["jobs", "run", &jobs, "--proofs"], "").code, 0);
    fs::write(path("letter"), "Dear Ada").unwrap();
    wrong(&["jobs", "merge", &jobs, "--certificate", &path("letter")], 2, "--force");
    let proven = answer(&["jobs", "merge", &jobs, "--certificate", &path("c")], "");
    assert!(proven.contains("; checked"), "{proven}");
    answer(&["check-proof", &path("c"), "--about", "start", "--board", "nook9", "--pods", "four"], "");
    // Each line of the job file is needed as it is.
    let good = fs::read_to_string(folder.path().join("jobs/jobs.jsonl")).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let without =
        |at: usize| lines.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, line)| format!("{line}\n")).collect();
    let bad: [(String, &str); 6] = [
        (String::new(), "line 1"),
        ("Dear Ada\n".to_owned(), "does not begin as a job file does"),
        (good.replacen("\"version\":1", "\"version\":2", 1), "this program reads version 1"),
        (without(3), "its lines are not those"),
        (good[..good.len() / 2].to_owned(), "line "),
        (good.clone() + "\n", "something follows"),
    ];
    for (bad, words) in bad {
        fs::write(folder.path().join("jobs/jobs.jsonl"), bad).unwrap();
        wrong(&["jobs", "merge", &jobs], 2, words);
    }
    assert_eq!(split(&["--probe", "0", "--orientation", "90", "--force"]).code, 0);
    assert!(answer(&["jobs", "merge", &jobs], "").contains("of no job here"));
}
