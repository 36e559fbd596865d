//! Readers of files that the program wrote: damaged ones are refused or say what they said before,
//! and nothing panics.

use std::fs;
use std::sync::atomic::AtomicBool;

use crate::common::{build_options, builtin_game};
use crate::damage::fuzz;
use pods::answer::Answerer;
use pods::certificate::{CheckOptions, ProofMethod, check, prove};
use pods::files::Inputs;
use pods::material::Side;
use pods::position::{Hand, Setup};
use pods::report::frontier::read_rows;
use pods::report::full::{KnownOpenings, Ledger, Plan, Policy, Row};
use pods::report::suite;
use pods::solver::search::Search;
use pods::solver::{Limits, Silent};
use pods::table::{Content, Table, build, table_path};
use tempfile::tempdir;

#[test]
fn certificates() {
    let game = builtin_game("nook9", 0, "duo", "advanced");
    let hand = Hand::whole(game.pods());
    let samples: Vec<Vec<u8>> = Side::BOTH
        .iter()
        .flat_map(|&side| [false, true].map(|exact| (side, exact)))
        .map(|(side, exact)| {
            let root = game.start(hand, hand, side).unwrap();
            let method = ProofMethod::Strategies { exact };
            prove(&mut Answerer::new(&game), &root, method, Limits::default(), &Silent).unwrap().bytes
        })
        .collect();
    fuzz(&samples, 2000, |bytes| {
        let checked = check(bytes, CheckOptions::default());
        assert!(checked.is_err() || samples.iter().any(|sample| sample == bytes), "a damaged certificate passes");
    });
}

#[test]
fn tables() {
    let folder = tempdir().unwrap();
    let game = builtin_game("ring8", 0, "duo", "advanced");
    let hands = [Hand::parse("b", game.pods()).unwrap(); 2];
    let name = folder.path().join("t");
    build(&Setup::new(game.clone(), hands), &name, build_options(), &Silent).unwrap();
    let start = game.start(hands[0], hands[1], Side::White).unwrap();
    let truth = Table::open(&name).unwrap().reader().unwrap().probe(&start).unwrap();
    for content in [Content::Outcomes, Content::Plies] {
        let path = table_path(&name, content);
        let whole = fs::read(&path).unwrap();
        fuzz(std::slice::from_ref(&whole), 500, |bytes| {
            fs::write(&path, bytes).unwrap();
            let Ok(table) = Table::open(&name) else { return };
            let all_good = table.files().all(|file| file.check_bytes().is_ok());
            assert!(!all_good || whole == bytes, "damage of {} goes unseen", path.display());
            if let Ok(mut reader) = table.reader()
                && let Ok(probe) = reader.probe(&start)
            {
                assert_eq!(probe, truth, "a damaged table says something else");
            }
        });
        fs::write(&path, &whole).unwrap();
    }
}

#[test]
fn saved_searches() {
    let game = builtin_game("cave16", 0, "mini5", "standard");
    let hand = Hand::whole(game.pods());
    let start = game.start(hand, hand, Side::White).unwrap();
    let search = Search::new(&game, 1 << 16).unwrap();
    assert!(search.solve(&start, Limits::default().with_nodes(300), &Silent).outcome.is_err());
    let mut whole = Vec::new();
    search.save(&mut whole, u64::MAX).unwrap();
    fuzz(std::slice::from_ref(&whole), 1000, |bytes| {
        let mut search = Search::new(&game, 1 << 16).unwrap();
        let loaded = search.load(&mut &bytes[..]);
        assert!(loaded.is_err() || bytes == whole, "a damaged search is gone on with");
    });
}

#[test]
fn rows_of_frontiers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/results/frontier/frontier.csv");
    let text = fs::read_to_string(path).unwrap();
    let few: Vec<&str> = text.lines().take(12).collect();
    fuzz(&[few.join("\n").into_bytes()], 2000, |bytes| drop(read_rows(bytes)));
}

#[test]
fn rows_of_full_reports() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    let setup = suite().into_iter().find(|setup| !setup.rules().can_cycle()).unwrap();
    let policy = Policy { nodes: 100, margin: 10 };
    let plan = Plan {
        setups: vec![setup],
        plies: vec![2],
        count: 2,
        seed: 1,
        nodes: 1000,
        opening_nodes: 0,
        known: KnownOpenings::default(),
        policy,
        table: 1 << 16,
    };
    let ready = plan.ready().unwrap();
    let settings = [plan.settings(&plan.setups[0]).unwrap()];
    let tasks = plan.tasks(&ready);
    let inputs = Inputs::default();
    let (mut ledger, _) = Ledger::open(&path, &inputs, &plan, &settings, &tasks).unwrap();
    let rows: Vec<Row> = tasks
        .iter()
        .map(|task| plan.perform(task, &ready[0], &settings[0], &AtomicBool::new(false)).unwrap())
        .inspect(|row| ledger.append(row).unwrap())
        .collect();
    assert_eq!(rows.len(), 4);
    drop(ledger);
    let whole = fs::read(&path).unwrap();
    fuzz(&[whole], 300, |bytes| {
        fs::write(&path, bytes).unwrap();
        if let Ok((_, read)) = Ledger::open(&path, &inputs, &plan, &settings, &tasks) {
            assert!(rows.starts_with(&read), "{read:?}");
        }
    });
}
