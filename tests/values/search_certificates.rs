//! Certificates of placement games that a search makes: what it proves is true, and no forgery
//! proves what is not.

use std::ops::ControlFlow;

use crate::certificates::{sealed, split};
use crate::common::{Random, board, placement_rule_sets, pods};
use hashbrown::HashMap;
use pods::certificate::{CertificateError, Claim, Claimed, Fault, WALK, check, check_within, prove_placing};
use pods::engine::Reference;
use pods::material::Side;
use pods::position::{Game, Hand, Position};
use pods::rules::RuleSet;
use pods::solver::search::Search;
use pods::solver::{Limits, Outcome, Silent, plain_exhaustive};

fn setup(random: &mut Random, rules: RuleSet) -> (Game, Position) {
    let pictures = [
        "o-o\n|X|\no-o",
        "o-o-o\n|\\| |\no o-o",
        "o-o o\n|/|/|\no o-o",
        "o-o-o\n|X|X|\no-o-o",
        "o-o-o-o\n|X| |\no-o o",
    ];
    let lists = [
        "b: e w, d: N s",
        "b*2: E nw, t: n S w",
        "b*2: e W, u: N",
        "a: s, b: n SE, q: N E s w",
        "b: N s, c*2: E sw, d: n e w",
    ];
    loop {
        let (picture, list) = (random.pick(&pictures), random.pick(&lists));
        let turn = random.pick(&pods::geometry::Orientation::ALL);
        let game = Game::new(board(picture).turned(turn), pods(list), rules);
        let mut hands = [Hand::whole(game.pods()); 2];
        for hand in &mut hands {
            for kind in game.pods().kinds() {
                if random.below(5) == 0 {
                    let _ = hand.take(kind);
                }
            }
        }
        if let Ok(root) = game.start(hands[0], hands[1], random.pick(&Side::BOTH)) {
            return (game, root);
        }
    }
}

fn certificate(game: &Game, root: &Position) -> Vec<u8> {
    let search = Search::new(game, 1 << 20).unwrap();
    let certificate = prove_placing(&search, root, Limits::default(), &Silent).unwrap();
    assert_eq!(certificate.version(), WALK);
    certificate.bytes()
}

fn truth(game: &Game, root: &Position) -> Claimed {
    match plain_exhaustive(&Reference::new(game.clone()), root, &mut HashMap::new()).outcome() {
        Outcome::Win => Claimed::Win,
        Outcome::Loss => Claimed::Loss,
        Outcome::Draw => unreachable!("placements end"),
    }
}

fn checked(bytes: &[u8]) -> Result<Claim, CertificateError> {
    let proven = check(bytes, &|_| ControlFlow::Continue(()))?;
    let claim = Claim { value: truth(&proven.game, &proven.root), plies: None };
    assert_eq!(proven.claim, claim, "a false claim passes: {}", String::from_utf8_lossy(bytes));
    Ok(proven.claim)
}

#[test]
fn every_placement_game_can_be_proven_and_checks() {
    let mut random = Random(21);
    let mut seen: HashMap<(Claimed, bool, bool), usize> = HashMap::new();
    for _ in 0..12 {
        for rules in placement_rule_sets() {
            let (game, root) = setup(&mut random, rules);
            let bytes = certificate(&game, &root);
            let claim = checked(&bytes).unwrap_or_else(|e| panic!("{} {}: {e}", game.rules(), root.text(&game)));
            assert_eq!(bytes, certificate(&game, &root), "the same every time");
            let (_, lines) = split(&bytes);
            let covers = lines.iter().any(|line| line.starts_with("{\"covered\":[\""));
            *seen.entry((claim.value, lines.is_empty(), covers)).or_default() += 1;
        }
    }
    for value in [Claimed::Win, Claimed::Loss] {
        let with_covers: usize = seen.iter().filter(|((v, _, covers), _)| *v == value && *covers).map(|(_, n)| n).sum();
        assert!(with_covers > 5, "{seen:?}");
    }
}

#[test]
fn forgers_who_mend_the_digest_prove_nothing_false() {
    let mut random = Random(22);
    let (mut refused, mut passed) = (HashMap::<(&str, Fault), usize>::new(), HashMap::<&str, usize>::new());
    for _ in 0..6 {
        for rules in placement_rule_sets() {
            let (game, root) = setup(&mut random, rules);
            let bytes = certificate(&game, &root);
            let (header, lines) = split(&bytes);
            assert_eq!(sealed(&header, &lines), bytes);
            let mut forge = |what: &'static str, header: &str, lines: &[String]| {
                let forged = sealed(header, lines);
                if forged == bytes {
                    return;
                }
                match checked(&forged) {
                    Ok(_) => *passed.entry(what).or_default() += 1,
                    Err(error) => *refused.entry((what, error.fault)).or_default() += 1,
                }
            };
            let turned =
                |from: &str, to: &str| header.replace(&format!("\"value\":\"{from}\""), &format!("\"value\":\"{to}\""));
            forge("claim", &turned("win", "loss"), &lines);
            forge("claim", &turned("loss", "win"), &lines);
            forge("claim", &turned("loss", "draw"), &lines);
            forge("distance", &header.replace("\"plies\":null", "\"plies\":4"), &lines);
            forge("version", &header.replace("\"version\":2", "\"version\":1"), &lines);
            for (from, to) in [("\"N", "\"n"), ("\"e", "\"E"), (" s", " S"), ("\"count\":2", "\"count\":1")] {
                forge("pods", &header.replacen(from, to, 1), &lines);
            }
            forge("nothing", &header, &[]);
            for at in 0..lines.len() {
                let mut dropped = lines.clone();
                dropped.remove(at);
                forge("dropped", &header, &dropped);
                let mut twice = lines.clone();
                twice.insert(at, lines[at].clone());
                forge("twice", &header, &twice);
                let mut swapped = lines.clone();
                swapped.swap(at, random.below(lines.len()));
                forge("swapped", &header, &swapped);
                let changed = |line: String| {
                    let mut lines = lines.clone();
                    lines[at] = line;
                    lines
                };
                let names: Vec<String> = game.board().points().map(|p| game.board().coord(p).to_string()).collect();
                if lines[at].starts_with("{\"covered\"") {
                    let all: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
                    forge("covered", &header, &changed(format!("{{\"covered\":[{}]}}", all.join(","))));
                    for name in &all {
                        forge("covered", &header, &changed(format!("{{\"covered\":[{name}]}}")));
                    }
                    forge("covered", &header, &changed("{\"covered\":[]}".to_owned()));
                } else {
                    for kind in game.pods().kinds() {
                        for name in &names {
                            let action = format!("{}@{name}", game.pods().id(kind));
                            forge("action", &header, &changed(format!("{{\"action\":\"{action}\"}}")));
                        }
                    }
                }
            }
        }
    }
    for what in ["claim", "distance", "version", "pods", "nothing", "dropped", "twice", "swapped", "covered", "action"]
    {
        assert!(refused.iter().any(|((w, _), n)| *w == what && *n > 10), "{what}: {refused:?}");
    }
    assert!(["distance", "twice"].iter().all(|what| !passed.contains_key(what)), "{passed:?}");
    // Some changes leave a proof: then of something true.
    assert!(passed.get("covered").is_some_and(|&n| n > 5), "{passed:?}");
}

#[test]
fn a_position_of_the_full_game_is_proven_in_some_hundred_lines() {
    // Ply 12 of a random game on cave36; a line for each position of a strategy would be some ten
    // thousand.
    let game = crate::common::builtin_game("cave36", 0, "pods14", "standard");
    let root = game.position("c1k3/3KT1/1B3V/1f2G1/2p1C1/1o1g2 w dfhjopqy bdhjqtvy -").unwrap();
    let search = Search::new(&game, 1 << 24).unwrap();
    let certificate = prove_placing(&search, &root, Limits::default(), &Silent).unwrap();
    let proven = check(&certificate.bytes()[..], &|_| ControlFlow::Continue(())).unwrap();
    assert_eq!((proven.claim.value, proven.claim.plies), (Claimed::Loss, None));
    assert!((100..5_000).contains(&proven.lines), "{}", proven.lines);
    // It stops where it is told to.
    let error = check(&certificate.bytes()[..], &|_| ControlFlow::Break(())).unwrap_err();
    assert_eq!(error.fault, Fault::Stopped);
    // It takes no more memory than it may: some 40 bytes for each position shown, which are several
    // a line.
    let within = |memory| check_within(&certificate.bytes()[..], memory, &|_| ControlFlow::Continue(()));
    let reached =
        [0, 1 << 10, 1 << 13, 1 << 30].map(|memory| within(memory).map_err(|error| (error.fault, error.line)));
    let lines = reached.each_ref().map(|r| r.as_ref().map_or_else(|&(_, line)| line, |checked| checked.lines));
    assert!(lines.is_sorted() && lines[0] < lines[2] && lines[2] < lines[3], "{lines:?}");
    assert!(reached[..3].iter().all(|r| matches!(r, Err((Fault::Memory, _)))) && reached[3].is_ok());
    let few = Limits::default().with_nodes(10);
    assert!(prove_placing(&Search::new(&game, 1 << 20).unwrap(), &root, few, &Silent).is_err());
}

#[test]
fn a_symmetric_start_of_the_full_game_is_proven_by_one_look() {
    for rules in ["standard+opening=any", "standard+opening=any+captures=after-moves"] {
        let game = crate::common::builtin_game("mirror36", 0, "pods14", rules);
        let hand = Hand::whole(game.pods());
        let root = game.start(hand, hand, Side::White).unwrap();
        let search = Search::new(&game, 1 << 20).unwrap();
        let certificate = prove_placing(&search, &root, Limits::default(), &Silent).unwrap();
        let proven = check(&certificate.bytes()[..], &|_| ControlFlow::Continue(())).unwrap();
        assert_eq!((proven.claim.value, proven.lines, proven.answers), (Claimed::Loss, 0, 0), "{rules}");
    }
}
