//! Certificates of placement games that a search makes: what it proves is true, and no forgery
//! proves what is not.

use crate::common::{Random, board, on_progress, placement_rule_sets, pods};
use hashbrown::HashMap;
use pods::answer::Answerer;
use pods::certificate::{
    CODED, CertificateError, CheckOptions, Checked, Claimed, Fault, Proof, ProofError, ProofMethod, check, prove,
};
use pods::engine::Reference;
use pods::material::Side;
use pods::position::{Game, Hand, Position};
use pods::rules::RuleSet;
use pods::solver::search::Search;
use pods::solver::{Limits, Outcome, Silent, plain_exhaustive};
use sha2::{Digest as _, Sha256};

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

/// Proves a position by a search with so many bytes.
fn proof(game: &Game, root: &Position, memory: u64, limits: Limits<'_>) -> Result<Proof, ProofError> {
    let search = Search::new(game, memory).unwrap();
    prove(&mut Answerer::new(game), root, ProofMethod::Search(&search), limits, &Silent)
}

fn certificate(game: &Game, root: &Position) -> Vec<u8> {
    let proof = proof(game, root, 1 << 20, Limits::default()).unwrap();
    assert_eq!(proof.checked.version, CODED);
    proof.bytes
}

fn truth(game: &Game, root: &Position) -> Claimed {
    match plain_exhaustive(&Reference::new(game.clone()), root, &mut HashMap::new()).outcome() {
        Outcome::Win => Claimed::Win,
        Outcome::Loss => Claimed::Loss,
        Outcome::Draw => unreachable!("placements end"),
    }
}

fn checked(bytes: &[u8]) -> Result<Checked, CertificateError> {
    let proven = check(bytes, CheckOptions::default())?;
    assert_eq!(proven.claim.value, truth(&proven.game, &proven.root), "a false claim passes: {bytes:?}");
    Ok(proven)
}

/// Returns the header with its line feed, and the one section.
fn parts(bytes: &[u8]) -> (String, Vec<u8>) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let length = u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap()) as usize;
    (String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end + 4..end + 4 + length].to_vec())
}

/// Returns a certificate of this section with a digest that fits.
fn sealed(header: &str, section: &[u8], lines: u64) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend((section.len() as u32).to_le_bytes());
    bytes.extend(section);
    bytes.extend([0; 4]);
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.extend(format!("{{\"lines\":{lines},\"sha256\":\"{digest}\"}}\n").into_bytes());
    bytes
}

/// Forges a certificate: mends the digest and the number of lines.
fn forged(header: &str, section: &[u8]) -> Result<Checked, CertificateError> {
    let first = checked(&sealed(header, section, 0));
    let count = |error: &CertificateError| error.cause.split(", there are ").nth(1)?.parse().ok();
    match first.as_ref().err().and_then(count) {
        Some(lines) => checked(&sealed(header, section, lines)),
        None => first,
    }
}

#[test]
fn every_placement_game_can_be_proven_and_checks() {
    let mut random = Random(21);
    let mut seen: HashMap<(Claimed, bool), usize> = HashMap::new();
    for _ in 0..12 {
        for rules in placement_rule_sets() {
            let (game, root) = setup(&mut random, rules);
            let bytes = certificate(&game, &root);
            let proven = checked(&bytes).unwrap_or_else(|e| panic!("{} {}: {e}", game.rules(), root.display(&game)));
            assert_eq!(bytes, certificate(&game, &root), "the same every time");
            let (header, section) = parts(&bytes);
            assert_eq!(sealed(&header, &section, proven.lines), bytes);
            let compared = proven.compared.unwrap();
            assert!(compared.positions >= proven.lines.min(64), "{compared:?}");
            *seen.entry((proven.claim.value, compared.virtual_pods > 0)).or_default() += 1;
        }
    }
    assert!([Claimed::Win, Claimed::Loss].iter().all(|&value| seen.get(&(value, true)) > Some(&5)), "{seen:?}");
}

#[test]
fn forgers_who_mend_the_digest_prove_nothing_false() {
    let mut random = Random(22);
    let (mut refused, mut passed) = (HashMap::<(&str, Fault), usize>::new(), HashMap::<&str, usize>::new());
    for round in 0..4 {
        for rules in placement_rule_sets() {
            let (game, root) = setup(&mut random, rules);
            let bytes = certificate(&game, &root);
            let (header, section) = parts(&bytes);
            let mut forge = |what: &'static str, header: &str, section: &[u8]| {
                if (header, section) == (&*parts(&bytes).0, &*parts(&bytes).1) {
                    return;
                }
                match forged(header, section) {
                    Ok(_) => *passed.entry(what).or_default() += 1,
                    Err(error) => *refused.entry((what, error.fault)).or_default() += 1,
                }
            };
            let turned =
                |from: &str, to: &str| header.replace(&format!("\"value\":\"{from}\""), &format!("\"value\":\"{to}\""));
            forge("claim", &turned("win", "loss"), &section);
            forge("claim", &turned("loss", "win"), &section);
            forge("claim", &turned("loss", "draw"), &section);
            forge("distance", &header.replace("\"plies\":null", "\"plies\":4"), &section);
            forge("version", &header.replace("\"version\":4", "\"version\":2"), &section);
            for (from, to) in [("\"N", "\"n"), ("\"e", "\"E"), (" s", " S"), ("\"count\":2", "\"count\":1")] {
                forge("pods", &header.replacen(from, to, 1), &section);
            }
            forge("nothing", &header, &[0; 5]);
            forge("long", &header, &[&section[..], &[0]].concat());
            for at in 0..section.len() {
                forge("short", &header, &section[..at]);
                // All values, a fifth of them at each byte, and in the other rounds some.
                let (first, step) = if round == 0 { (1 + at % 5, 5) } else { (1, 21) };
                for other in (first as u8..=255).step_by(step) {
                    let mut changed = section.clone();
                    changed[at] ^= other;
                    forge("byte", &header, &changed);
                }
            }
        }
    }
    for what in ["claim", "distance", "version", "pods", "nothing", "long", "short", "byte"] {
        assert!(refused.iter().any(|((w, _), n)| *w == what && *n > 10), "{what}: {refused:?}");
    }
    assert!(["distance", "long"].iter().all(|what| !passed.contains_key(what)), "{passed:?}");
    // Some changes leave a proof: then of something true.
    assert!(passed.get("byte").is_some_and(|&n| n > 1), "{passed:?}");
}

#[test]
fn a_position_of_the_full_game_is_proven_in_some_hundred_lines() {
    // Ply 12 of a random game on cave36; a line for each position of a strategy would be some ten
    // thousand.
    let game = crate::common::builtin_game("cave36", 0, "pods14", "standard");
    let root = game.parse_position("c1k3/3KT1/1B3V/1f2G1/2p1C1/1o1g2 w dfhjopqy bdhjqtvy -").unwrap();
    let certificate = proof(&game, &root, 1 << 24, Limits::default()).unwrap().bytes;
    let proven = check(&certificate[..], CheckOptions::default()).unwrap();
    assert_eq!((proven.claim.value, proven.claim.plies), (Claimed::Loss, None));
    assert!((100..5_000).contains(&proven.lines), "{}", proven.lines);
    assert!(proven.compared.is_some_and(|compared| compared.virtual_pods > 50), "{:?}", proven.compared);
    // It stops where it is told to.
    let error = check(&certificate[..], CheckOptions::default().with_observer(&on_progress(|_| false))).unwrap_err();
    assert_eq!(error.fault, Fault::Stopped);
    // It takes no more memory than it may: some 40 bytes for each situation that is listed.
    let within = |memory| check(&certificate[..], CheckOptions::default().with_memory(memory));
    let reached =
        [0, 1 << 10, 1 << 13, 1 << 30].map(|memory| within(memory).map_err(|error| (error.fault, error.line)));
    let lines = reached.each_ref().map(|r| r.as_ref().map_or_else(|&(_, line)| line, |checked| checked.lines));
    assert!(lines.is_sorted() && lines[0] < lines[2] && lines[2] < lines[3], "{lines:?}");
    assert!(reached[..3].iter().all(|r| matches!(r, Err((Fault::Memory, _)))) && reached[3].is_ok());
    let few = Limits::default().with_nodes(10);
    assert!(proof(&game, &root, 1 << 20, few).is_err());
}

#[test]
fn a_symmetric_start_of_the_full_game_is_proven_by_one_look() {
    for rules in ["standard+opening=any", "standard+opening=any+captures=after-moves"] {
        let game = crate::common::builtin_game("mirror36", 0, "pods14", rules);
        let hand = Hand::whole(game.pods());
        let root = game.start(hand, hand, Side::White).unwrap();
        let proven = check(&certificate(&game, &root)[..], CheckOptions::default()).unwrap();
        assert_eq!((proven.claim.value, proven.lines, proven.answers), (Claimed::Loss, 1, 0), "{rules}");
    }
}
