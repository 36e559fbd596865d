//! Readers of files that the program wrote: damaged ones are refused or say what they said before,
//! and nothing panics.

use std::fs;
use std::sync::atomic::AtomicBool;

use crate::common::{build_options, builtin_game};
use crate::damage::fuzz;
use pods::answer::Answerer;
use pods::certificate::{CheckOptions, ProofMethod, check, prove};
use pods::files::Inputs;
use pods::matches::Conventions;
use pods::matches::balance::{Balance, Ledger, Strength};
use pods::material::Side;
use pods::position::{Hand, Setup};
use pods::report::suite;
use pods::solver::search::Search;
use pods::solver::{Limits, Silent};
use pods::table::{Table, build, table_path};
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
    {
        let path = table_path(&name);
        let whole = fs::read(&path).unwrap();
        fuzz(std::slice::from_ref(&whole), 500, |bytes| {
            fs::write(&path, bytes).unwrap();
            let Ok(table) = Table::open(&name) else { return };
            let all_good = table.file().is_some_and(|file| file.check_bytes().is_ok());
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
fn games_of_reports_of_play() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let setup = suite().into_iter().find(|setup| !setup.rules().can_cycle()).unwrap();
    let strength = Strength { nodes: 10, games: 2 };
    let conventions = Conventions { repetitions: 3, plies: 40 };
    let balance = Balance { setups: vec![setup], strengths: vec![strength], opening_plies: 2, seed: 1, conventions };
    let never = AtomicBool::new(false);
    let prepared = balance.prepare(&never).unwrap().unwrap();
    let inputs = Inputs::default();
    let (mut ledger, _) = Ledger::open(&path, &inputs, &balance, &prepared, strength).unwrap();
    for number in 0..prepared.games(strength) {
        ledger.append(&balance.play(&prepared, strength, number, &never).unwrap().unwrap()).unwrap();
    }
    drop(ledger);
    let whole = fs::read(&path).unwrap();
    let (_, games) = Ledger::open(&path, &inputs, &balance, &prepared, strength).unwrap();
    assert!(games.len() >= 2);
    fuzz(&[whole], 300, |bytes| {
        fs::write(&path, bytes).unwrap();
        if let Ok((_, read)) = Ledger::open(&path, &inputs, &balance, &prepared, strength) {
            assert!(read.len() <= games.len());
        }
    });
}
