//! Certificates: what is proven is true, what is true can be proven, and nothing that was tampered
//! with passes.

use crate::common::{Random, builtin_game, on_progress};
use hashbrown::HashMap;
use pods::answer::Answerer;
use pods::certificate::{CertificateError, CheckOptions, Claim, Claimed, Fault, ProofMethod, check, prove};
use pods::engine::Reference;
use pods::material::Side;
use pods::position::{Game, Hand, Position};
use pods::rules::{Opening, Preset, RuleSet};
use pods::solver::{Limits, Silent, Value, plain_exhaustive, plain_retrograde};
use proptest::prelude::*;
use sha2::{Digest as _, Sha256};

fn certificate(game: &Game, root: &Position, exact: bool) -> Vec<u8> {
    let method = ProofMethod::Strategies { exact };
    prove(&mut Answerer::new(game), root, method, Limits::default(), &Silent).unwrap().bytes
}

fn checked(bytes: &[u8]) -> Result<Claim, CertificateError> {
    check(bytes, CheckOptions::default()).map(|checked| checked.claim)
}

/// Returns the value by the plain solver, which shares nothing with those that certificates are
/// made from.
fn plain_value(game: &Game, root: &Position) -> Value {
    let reference = Reference::new(game.clone());
    if game.rules().can_cycle() {
        plain_retrograde(&reference, &[root])[root]
    } else {
        plain_exhaustive(&reference, root, &mut HashMap::new())
    }
}

fn claim(value: Value, exact: bool) -> Claim {
    let value_name = match value {
        Value::Win(_) => Claimed::Win,
        Value::Loss(_) => Claimed::Loss,
        Value::Draw => Claimed::Draw,
    };
    Claim { value: value_name, plies: value.plies().filter(|_| exact).map(u32::from) }
}

/// Returns a small random setup: board of 2 to 6 points, two kinds of pods or three, hands of one
/// to three.
fn random_setup(random: &mut Random, rules: RuleSet) -> (Game, Position) {
    let pictures = [
        "o-o-o",
        "o-o\n|X|\no-o",
        "o-o\n|/\no",
        "o-o-o\n|\\| |\no o-o",
        "o o\n|X\no-o\n|/|\no o",
        "o-o-o\n   X\no-o-o",
        "o-o-o-o",
        "o-o o\n|/|/|\no o-o",
    ];
    let lists =
        ["b: e w, d: N s", "b: E nw, t: n S w", "b*2: e W, u: N", "a: s, b: n SE, q: N E s w", "b: N s, c*2: E sw"];
    loop {
        let (picture, list) = (random.pick(&pictures), random.pick(&lists));
        let turn = random.pick(&pods::geometry::Orientation::ALL);
        let game = Game::new(crate::common::board(picture).turned(turn), crate::common::pods(list), rules);
        let mut hands = [Hand::whole(game.pods()); 2];
        for hand in &mut hands {
            for kind in game.pods().kinds() {
                if random.below(4) == 0 {
                    let _ = hand.take(kind);
                }
            }
        }
        if let Ok(root) = game.start(hands[0], hands[1], random.pick(&Side::BOTH)) {
            return (game, root);
        }
    }
}

/// Calls a function with small random setups under every preset and under rules drawn option by
/// option.
fn random_setups(seed: u64, each: usize, mut look: impl FnMut(&mut Random, &Game, &Position)) {
    let mut random = Random(seed);
    for round in 0..each {
        for preset in Preset::ALL {
            let rules = if round % 3 == 2 { random.rules() } else { preset.into() };
            let (game, root) = random_setup(&mut random, rules);
            look(&mut random, &game, &root);
        }
    }
}

#[test]
fn every_value_of_small_setups_can_be_proven_and_checks() {
    let mut seen: HashMap<(Claimed, bool), usize> = HashMap::new();
    random_setups(1, 60, |_, game, root| {
        let value = plain_value(game, root);
        for exact in [false, true] {
            let bytes = certificate(game, root, exact);
            let proven = check(&bytes[..], CheckOptions::default());
            let proven = proven.unwrap_or_else(|e| panic!("{} {}: {value}: {e}", game.rules(), root.display(game)));
            assert_eq!(proven.claim, claim(value, exact), "{} {}", game.rules(), root.display(game));
            assert_eq!(
                (proven.root.display(&proven.game).to_string(), proven.game.rules()),
                (root.display(game).to_string(), game.rules())
            );
            assert!(proven.game.board().same_shape(game.board()) && proven.game.pods() == game.pods());
            assert_eq!(proven.game.board().orientation(), game.board().orientation());
            assert_eq!(bytes, certificate(game, root, exact), "the same every time");
            *seen.entry((proven.claim.value, proven.lines > 0)).or_default() += 1;
        }
    });
    for value in [Claimed::Win, Claimed::Loss, Claimed::Draw] {
        assert!(seen.get(&(value, true)).is_some_and(|&n| n > 20), "{seen:?}");
    }
}

/// Names in a file may be long, and each error about a line has one: together they must stay small.
#[test]
fn errors_about_many_lines_with_long_names_stay_short() {
    let game = builtin_game("nook9", 0, "four", "standard");
    let root = game.whole_start().unwrap();
    let bytes = certificate(&game, &root, false);
    let text = String::from_utf8(bytes).unwrap();
    let (header, _) = text.split_once('\n').unwrap();
    let long = "n".repeat(500_000);
    let mut forged = header.replacen("\"name\":\"four\"", &format!("\"name\":\"{long}\""), 1);
    assert!(forged.len() > long.len());
    forged.push('\n');
    for row in ["zzz", "yyy", "xxx"] {
        forged += &format!("{{\"position\":\"{row}/zyx/{row} w b b -\",\"action\":\"b@a1\",\"plies\":1}}\n");
    }
    let error = checked(forged.as_bytes()).unwrap_err();
    assert!(error.line == 2 && error.cause.len() < 5_000, "line {}, {} bytes", error.line, error.cause.len());
    assert!(error.cause.contains("Black's pod z is not in the set"), "{:.200}", error.cause);
}

/// Returns the lines of a certificate without header and trailer.
pub fn split(bytes: &[u8]) -> (String, Vec<String>) {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.pop();
    let header = lines.remove(0);
    (header, lines)
}

/// Returns a certificate of these lines with a trailer that fits them: what a forger would write.
pub fn sealed(header: &str, lines: &[String]) -> Vec<u8> {
    let mut text = format!("{header}\n");
    lines.iter().for_each(|line| text += &format!("{line}\n"));
    let digest: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    text += &format!("{{\"lines\":{},\"sha256\":\"{digest}\"}}\n", lines.len());
    text.into_bytes()
}

/// Checks a certificate; if it passes, its claim must be true.
fn is_true(bytes: &[u8]) -> Result<Claim, CertificateError> {
    let proven = check(bytes, CheckOptions::default())?;
    let value = plain_value(&proven.game, &proven.root);
    assert_eq!(proven.claim, claim(value, proven.claim.plies.is_some()), "{}", String::from_utf8_lossy(bytes));
    Ok(proven.claim)
}

#[test]
fn forgers_who_mend_the_digest_prove_nothing_false() {
    let (mut refused, mut passed) = (HashMap::<(&str, Fault), usize>::new(), HashMap::<&str, usize>::new());
    random_setups(2, 40, |random, game, root| {
        for exact in [false, true] {
            let bytes = certificate(game, root, exact);
            let (header, lines) = split(&bytes);
            assert_eq!(sealed(&header, &lines), bytes);
            let mut forge = |what: &'static str, header: &str, lines: &[String]| {
                let forged = sealed(header, lines);
                if forged == bytes {
                    return;
                }
                match is_true(&forged) {
                    Ok(_) => *passed.entry(what).or_default() += 1,
                    Err(error) => *refused.entry((what, error.fault)).or_default() += 1,
                }
            };
            for value in ["win", "loss", "draw"] {
                for plies in ["null", "0", "1", "2", "3", "4", "5", "7"] {
                    let (start, rest) = header.split_once("\"value\":").unwrap();
                    let (_, rest) = rest.split_once("\"board\":").unwrap();
                    let forged = format!("{start}\"value\":\"{value}\",\"plies\":{plies},\"board\":{rest}");
                    forge("claim", &forged, &lines);
                }
            }
            let other = random.rules();
            let options = |rules: &RuleSet| {
                let option = |name: &&str| format!("\"{name}\":\"{}\"", rules.value(name).unwrap());
                let mut options: Vec<String> = pods::rules::OPTION_NAMES.iter().map(option).collect();
                options.sort();
                format!("\"rules\":{{\"name\":\"{rules}\",\"options\":{{{}}}}}", options.join(","))
            };
            assert!(header.contains(&options(game.rules())), "{header} {}", options(game.rules()));
            forge("rules", &header.replace(&options(game.rules()), &options(&other)), &lines);
            if lines.is_empty() {
                continue;
            }
            let at = random.below(lines.len());
            let changed = |line: String| {
                let mut lines = lines.clone();
                lines[at] = line;
                lines
            };
            let mut dropped = lines.clone();
            dropped.remove(at);
            forge("dropped", &header, &dropped);
            let mut twice = lines.clone();
            twice.insert(at, lines[at].clone());
            forge("twice", &header, &twice);
            let mut reordered = lines.clone();
            reordered.swap(at, random.below(lines.len()));
            forge("reordered", &header, &reordered);
            if let Some((start, plies)) = lines[at].split_once("\"plies\":") {
                let plies: u32 = plies.trim_end_matches('}').parse().unwrap();
                for plies in [plies.saturating_sub(1), plies.saturating_sub(2), plies + 1, plies + 2, 0, u32::MAX] {
                    forge("plies", &header, &changed(format!("{start}\"plies\":{plies}}}")));
                }
            }
            let value: serde_json::Value = serde_json::from_str(&lines[at]).unwrap();
            let here = game.parse_position(value["position"].as_str().unwrap()).unwrap();
            use pods::engine::Engine as _;
            for action in Reference::new(game.clone()).sorted_actions(&here) {
                let (was, is) = (value["action"].as_str().unwrap(), action.display(game).to_string());
                let forged = lines[at].replace(&format!("\"action\":\"{was}\""), &format!("\"action\":\"{is}\""));
                forge("action", &header, &changed(forged));
            }
        }
    });
    for what in ["claim", "rules", "dropped", "twice", "reordered", "plies", "action"] {
        assert!(refused.iter().any(|((w, _), n)| *w == what && *n > 20), "{what}: {refused:?}");
    }
    // A line dropped, repeated or out of its place is never let pass; other values and actions may
    // be as true.
    assert!(!["dropped", "twice", "reordered"].iter().any(|what| passed.contains_key(what)), "{passed:?}");
}

/// Returns a draw, a win and a loss with their distances, and a mere outcome.
fn samples() -> Vec<Vec<u8>> {
    let mut samples = Vec::new();
    for (rules, exact) in [("advanced", false), ("very-advanced", true), ("standard", true), ("standard", false)] {
        for degrees in [0, 90] {
            let game = builtin_game("ring8", degrees, "trio", rules);
            let hand = Hand::parse("bt", game.pods()).unwrap();
            samples.push(certificate(&game, &game.start(hand, hand, Side::White).unwrap(), exact));
        }
    }
    samples
}

#[test]
fn cut_files_are_refused_with_the_line() {
    for bytes in samples() {
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        for length in (0..bytes.len()).step_by(bytes.len() / 300 + 1).chain(bytes.len() - 3..bytes.len()) {
            let error = checked(&bytes[..length]).unwrap_err();
            assert!(error.line <= lines, "{error}");
        }
        let error = checked(&[&bytes[..], b"\n"].concat()).unwrap_err();
        assert_eq!((error.fault, error.line), (Fault::Damaged, lines + 1));
        let error = checked(&bytes[..bytes.len() - 1]).unwrap_err();
        assert_eq!((error.line, error.cause.as_str()), (lines, "the file ends in the middle of this line"));
    }
}

#[test]
fn a_line_that_is_there_twice_or_out_of_order_is_told_with_its_number() {
    for bytes in samples() {
        let (header, lines) = split(&bytes);
        for at in 1..lines.len() {
            let mut twice = lines.clone();
            twice.insert(at, lines[at - 1].clone());
            let mut swapped = lines.clone();
            swapped.swap(at - 1, at);
            for (lines, words) in [(twice, "is there twice"), (swapped, "is out of order")] {
                let error = checked(&sealed(&header, &lines)).unwrap_err();
                // A line of play may be missed before the order is looked at.
                let missed = error.cause.contains("no line");
                assert!(error.cause.contains(words) || missed && words.contains("order"), "{error}");
                assert!(error.fault == Fault::Damaged && error.line == at as u64 + 2 || missed, "{error}");
            }
        }
    }
}

#[test]
fn a_check_that_is_ended_early_proves_nothing_and_says_how_far_it_came() {
    let game = builtin_game("cave16", 0, "trio", "standard");
    let hand = Hand::whole(game.pods());
    let bytes = certificate(&game, &game.start(hand, hand, Side::White).unwrap(), true);
    assert!(checked(&bytes).is_ok());
    let mut done = 0;
    let stop = on_progress(|lines| {
        done = lines;
        false
    });
    let error = check(&bytes[..], CheckOptions::default().with_observer(&stop));
    drop(stop);
    let error = error.unwrap_err();
    assert!(done > 0 && error.cause.contains(&format!("there is no fault in the {} lines before it", done)), "{error}");
    assert_eq!((error.fault, error.line), (Fault::Stopped, done + 1));
}

/// A limit of memory ends a check, and never lets anything pass that would not.
#[test]
fn a_check_takes_no_more_memory_than_it_may() {
    let game = builtin_game("cave16", 0, "trio", "standard");
    let hand = Hand::whole(game.pods());
    let bytes = certificate(&game, &game.start(hand, hand, Side::White).unwrap(), true);
    let within = |bytes: &[u8], memory| check(bytes, CheckOptions::default().with_memory(memory));
    let (header, lines) = split(&bytes);
    // Each entry takes some hundred bytes more than the text of its position.
    let positions: u64 = lines.iter().map(|line| line.len() as u64).sum();
    assert!(within(&bytes, positions / 8).is_err_and(|error| error.fault == Fault::Memory));
    assert!(within(&bytes, positions * 8).is_ok());
    // The lines before the one where it stops are checked as ever.
    let mut forged = lines.clone();
    forged[0] = forged[0].replacen("\"position\"", "\"posture\"", 1);
    assert_ne!(forged, lines);
    let forged = sealed(&header, &forged);
    assert!(within(&forged, 1 << 20).is_err_and(|error| error.fault == Fault::Damaged && error.line == 2));
    // More memory gets further.
    let reached: Vec<u64> =
        (0..12).map(|i| within(&bytes, positions * i / 16).map_or_else(|error| error.line, |_| u64::MAX)).collect();
    assert!(reached.is_sorted() && reached[0] < reached[11], "{reached:?}");
}

#[test]
fn a_claim_that_the_rules_refute_at_the_root_fails_in_the_first_line() {
    let game = builtin_game("nook9", 0, "duo", "standard");
    let root = game.parse_position("1B1/3/3 w - b -").unwrap();
    let bytes = certificate(&game, &root, true);
    let (header, lines) = split(&bytes);
    let forged = header.replace("\"value\":\"loss\"", "\"value\":\"win\"");
    assert_ne!(forged, header);
    let error = checked(&sealed(&forged, &lines)).unwrap_err();
    assert_eq!((error.fault, error.line), (Fault::Unproven, 1), "{error}");
}

#[test]
fn other_files_are_no_certificates() {
    let good = String::from_utf8(samples().remove(0)).unwrap();
    for (text, words) in [
        (String::new(), "line 1: the file ends here"),
        ("name = 'x'\n".to_owned(), "no header of a certificate"),
        ("{}\n".to_owned(), "begins with {\"format\":\"pods-certificate\",…}"),
        ("[1]\n".to_owned(), "begins with {\"format\""),
        (good.replace("\"version\":1,", "\"version\":5,"), "this program reads 1 and 4"),
        ("x".repeat(3 << 20), "longer than 1048576 bytes"),
    ] {
        let error = checked(text.as_bytes()).unwrap_err();
        assert!(error.fault == Fault::NoCertificate && error.to_string().contains(words), "{error}");
    }
    let spaced = good.replacen("\",\"plies", "\", \"plies", 2);
    let error = checked(spaced.as_bytes()).unwrap_err();
    assert_eq!((error.fault, error.line), (Fault::Damaged, 1));
}

#[test]
fn a_certificate_needs_no_names() {
    let bytes = samples().remove(0);
    let (header, lines) = split(&bytes);
    let forged = header.replace("\"name\":\"ring8\"", "\"name\":\"anything\"");
    assert!(forged != header && is_true(&sealed(&forged, &lines)).is_ok());
}

#[test]
fn finished_games_are_proven_by_their_rules() {
    for (rules, text, truth) in [
        ("advanced", "1B1/3/3 b - b -", Claimed::Loss),
        ("standard", "1B1/3/3 w - b -", Claimed::Loss),
        ("basic-author", "1B1/3/3 w - b -", Claimed::Win),
    ] {
        let game = builtin_game("nook9", 0, "duo", rules);
        let root = game.parse_position(text).unwrap();
        for exact in [false, true] {
            let claim = Claim { value: truth, plies: exact.then_some(0) };
            assert_eq!(checked(&certificate(&game, &root, exact)), Ok(claim));
        }
    }
}

#[test]
fn the_checker_uses_no_solver() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/certificate");
    let of = |folder: &std::path::Path| -> Vec<_> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
    };
    let walk = of(&folder.join("walk")).into_iter().filter(|path| !path.ends_with("mod.rs"));
    let top = ["header.rs", "lines.rs", "error.rs", "summary.rs", "shown_before.rs"].map(|name| folder.join(name));
    let files: Vec<_> = of(&folder.join("check")).into_iter().chain(walk).chain(top).collect();
    assert!(files.len() > 15, "{files:?}");
    for path in files {
        let file = path.display();
        let text = std::fs::read_to_string(&path).unwrap();
        for module in ["solver", "bitboard", "Bitboard", "crate::table"] {
            assert!(!text.lines().any(|line| line.contains(module) && !line.trim_start().starts_with("//")), "{file}");
        }
    }
}

#[test]
fn the_start_needs_no_bipod_under_an_open_opening() {
    let game = builtin_game("ring8", 0, "trio", "advanced-dutch+opening=any");
    assert_eq!(game.rules().options().opening, Opening::Any);
    let hand = Hand::parse("t", game.pods()).unwrap();
    let root = game.start(hand, hand, Side::White).unwrap();
    assert_eq!(checked(&certificate(&game, &root, true)), Ok(claim(plain_value(&game, &root), true)));
}

thread_local! {
    static SAMPLES: Vec<Vec<u8>> = samples();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_flipped_byte_passes(which in 0..8_usize, at in any::<proptest::sample::Index>(), flip in 1..=255_u8) {
        SAMPLES.with(|samples| {
            let mut bytes = samples[which].clone();
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            prop_assert!(checked(&bytes).is_err());
            Ok(())
        })?;
    }

    #[test]
    fn no_edited_file_passes(
        which in 0..8_usize,
        edits in proptest::collection::vec((any::<proptest::sample::Index>(), 0..4_usize, any::<Vec<u8>>()), 1..4),
    ) {
        SAMPLES.with(|samples| {
            let mut bytes = samples[which].clone();
            for (at, cut, put) in edits {
                let at = at.index(bytes.len());
                let end = (at + cut).min(bytes.len());
                bytes.splice(at..end, put);
            }
            if bytes != samples[which] {
                prop_assert!(checked(&bytes).is_err());
            }
            Ok(())
        })?;
    }

    #[test]
    fn sealed_nonsense_does_not_panic(
        which in 0..8_usize,
        in_header in any::<bool>(),
        at in any::<proptest::sample::Index>(),
        put in "[ -~]{0,3}",
        cut in 0..4_usize,
    ) {
        SAMPLES.with(|samples| {
            let (mut header, mut lines) = split(&samples[which]);
            let count = lines.len();
            let line = if in_header || count == 0 { &mut header } else { &mut lines[at.index(count)] };
            let from = at.index(line.len());
            let mut bytes = line.clone().into_bytes();
            bytes.splice(from..(from + cut).min(line.len()), put.bytes());
            // Header names may hold more than ASCII: a cut in the middle of a letter is left alone.
            if let Ok(text) = String::from_utf8(bytes) {
                *line = text;
                let _ = is_true(&sealed(&header, &lines));
            }
        });
    }

    #[test]
    fn any_bytes_are_refused_in_peace(bytes in any::<Vec<u8>>()) {
        prop_assert!(checked(&bytes).is_err());
    }
}
