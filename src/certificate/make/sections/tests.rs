//! Proofs in sections pass the check however they were made and interrupted, and forged ones do
//! not.

use std::sync::LazyLock;

use hashbrown::HashMap;

use super::super::unfinished::read_unfinished;
use super::*;
use crate::certificate::lines::sealed;
use crate::certificate::{CertificateError, CheckOptions, Checked, Fault, check};
use crate::engine::crosscheck::case;
use crate::engine::{Bitboard, Reference};
use crate::position::Game;
use crate::solver::{Exhaustive, Outcome, Silent, Stopped, plain_exhaustive};

const TINY: [Cuts; 3] = [
    Cuts { long: 1, longest: 1, short: 0 },
    Cuts { long: 1, longest: 4, short: 1 },
    Cuts { long: 2, longest: 3, short: 1 },
];

/// Small games of placements, each with a position and whether the side to move wins: made once for
/// all tests.
static GAMES: LazyLock<Vec<(Game, Position, Outcome)>> = LazyLock::new(|| {
    let games = (0..1_000).filter_map(|number| {
        let case = case(17, number);
        let game = case.game();
        let engine = Bitboard::new(game.clone());
        let small = Limits::default().with_nodes(300);
        let position = case.walked(&engine).into_iter().find(|position| {
            !game.rules().can_cycle()
                && Exhaustive::new(engine.clone(), &[position], small).value(position, &Silent).is_ok()
        })?;
        let truth = plain_exhaustive(&Reference::new(game.clone()), &position, &mut HashMap::new()).outcome();
        Some((game, position, truth))
    });
    games.collect()
});

fn games() -> impl Iterator<Item = (Game, Position, Outcome)> {
    GAMES.iter().cloned()
}

/// Returns a source of numbers below a bound, always the same ones.
fn below(mut state: u64) -> impl FnMut(usize) -> usize {
    move |bound| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    }
}

fn made(game: &Game, root: &Position, cuts: Cuts, threads: usize) -> Vec<u8> {
    let search = Search::new(game, 1 << 20).unwrap();
    let limits = Limits::default().with_threads(threads);
    let winner = winner(&search, root, &mut Tracker::new(limits, &Silent)).unwrap();
    let (so_far, secret) = (SoFar::nothing(game, root, winner), Statement::new(game, winner).secret());
    let there = Unfinished::new(so_far, ShownBefore::within(1 << 20), secret);
    let mut bytes = Vec::new();
    finish(&search, root, (there, cuts), limits, &Silent, &mut bytes).unwrap();
    bytes
}

fn checked(bytes: &[u8], truth: Outcome) -> Result<Checked, CertificateError> {
    let checked = check(bytes, CheckOptions::default())?;
    let claimed =
        if truth == Outcome::Win { crate::certificate::Claimed::Win } else { crate::certificate::Claimed::Loss };
    assert_eq!(checked.claim.value, claimed, "a false claim passes: {bytes:?}");
    Ok(checked)
}

/// Returns the header with its line feed, and the sections.
fn parts(bytes: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let (header, mut rest) = bytes.split_at(end);
    let mut sections = Vec::new();
    loop {
        let (length, after) = rest.split_first_chunk().unwrap();
        let length = u32::from_le_bytes(*length) as usize;
        if length == 0 {
            return (header.to_vec(), sections);
        }
        sections.push(after[..length].to_vec());
        rest = &after[length..];
    }
}

/// Checks a forgery of these parts, whose digest and number of lines are right.
fn forged(header: &[u8], sections: &[Vec<u8>], truth: Outcome) -> Result<Checked, CertificateError> {
    let first = checked(&sealed(header, sections, 0), truth);
    let count = |error: &CertificateError| error.cause.split(", there are ").nth(1)?.parse().ok();
    match first.as_ref().err().and_then(count) {
        Some(lines) => checked(&sealed(header, sections, lines), truth),
        None => first,
    }
}

#[test]
fn proofs_in_sections_pass_the_check() {
    let (mut sections, mut compared) = (0, 0);
    for (number, (game, root, truth)) in games().enumerate() {
        let cuts = TINY[number % TINY.len()];
        for threads in [1, 3] {
            let bytes = made(&game, &root, cuts, threads);
            let checked = checked(&bytes, truth).unwrap_or_else(|error| panic!("{error}: {bytes:?}"));
            let (header, parts) = parts(&bytes);
            assert_eq!(sealed(&header, &parts, checked.lines), bytes);
            assert_eq!(checked.sections, parts.len() as u64);
            assert_eq!(checked.version, CODED);
            sections += checked.sections;
            compared += checked.compared.unwrap().virtual_pods;
        }
    }
    assert!(sections > 1_000 && compared > 100, "{sections} {compared}");
}

/// A file with a buffer: what is in the buffer is lost when the process is killed.
#[derive(Default)]
struct Buffered {
    buffer: Vec<u8>,
    file: Vec<u8>,
}

impl Write for Buffered {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.buffer.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.append(&mut self.buffer);
        Ok(())
    }
}

#[test]
fn search_and_proof_share_a_limit_of_nodes_and_what_is_done_is_in_the_file() {
    let (mut stopped, mut kept) = (0, 0);
    for (number, (game, root, truth)) in games().enumerate().step_by(4) {
        let search = |nodes| {
            let search = Search::new(&game, 1 << 20).unwrap();
            let mut tracker = Tracker::new(Limits::default().with_nodes(nodes), &Silent);
            let winner = winner(&search, &root, &mut tracker);
            (search, tracker.nodes(), winner)
        };
        let (_, found, winner) = search(u64::MAX);
        let winner = winner.unwrap();
        for more in [0, 1, 5] {
            let limits = Limits::default().with_nodes(found + more).with_threads(1 + number % 2);
            let (searched, _, _) = search(0);
            let mut out = Buffered::default();
            if let Err(error) = prove_in_sections(&searched, &root, None, limits, &Silent, &mut out) {
                let all = Stopped::NodesReached { nodes: found + more }.to_string();
                assert_eq!(error.to_string(), all);
                stopped += 1;
            }
            // The same in sections of a few verdicts.
            let (so_far, secret) = (SoFar::nothing(&game, &root, winner), Statement::new(&game, winner).secret());
            let there = Unfinished::new(so_far, ShownBefore::within(1 << 20), secret);
            let (few, mut out) = (Limits::default().with_nodes(more), Buffered::default());
            let made = finish(&searched, &root, (there, TINY[number % TINY.len()]), few, &Silent, &mut out);
            assert!(out.buffer.is_empty(), "{made:?}");
            if made.is_ok() {
                checked(&out.file, truth).unwrap();
            }
            kept += u32::from(made.is_err() && !out.file.is_empty());
        }
    }
    assert!(stopped > 10 && kept > 2, "{stopped} {kept}");
}

#[test]
fn what_was_interrupted_goes_on() {
    let mut below = below(5);
    let (mut begun, mut gone_on) = (0, 0);
    for (number, (game, root, truth)) in games().enumerate().step_by(4) {
        let cuts = TINY[number % TINY.len()];
        let bytes = made(&game, &root, cuts, 1);
        let (header, sections) = parts(&bytes);
        if sections.len() == 1 {
            continue;
        }
        let first = header.len() + 4 + sections[0].len();
        for _ in 0..8 {
            let cut = below(bytes.len());
            let Some(there) = read_unfinished(&bytes[..cut], &game, &root, 1 << 22).unwrap() else {
                assert!(cut < first, "the first section is there");
                begun += 1;
                continue;
            };
            assert!(there.bytes as usize <= cut && !there.complete);
            let mut again = bytes[..there.bytes as usize].to_vec();
            let search = Search::new(&game, 1 << 20).unwrap();
            let limits = Limits::default().with_threads(1 + cut % 2);
            finish(&search, &root, (there, cuts), limits, &Silent, &mut again).unwrap();
            checked(&again, truth).unwrap();
            gone_on += 1;
        }
        let whole = read_unfinished(&bytes[..], &game, &root, 1 << 22).unwrap().expect("all of it");
        assert!(whole.complete);
        // Something else is not gone on with.
        let other = String::from_utf8(header).unwrap().replace("\"position\":\"", "\"position\":\" ");
        assert!(read_unfinished(&sealed(other.as_bytes(), &sections, 1)[..], &game, &root, 1 << 22).is_err());
    }
    assert!(begun > 20 && gone_on > 15, "{begun} {gone_on}");
}

/// Returns small proofs of several sections.
fn in_sections(least: usize) -> impl Iterator<Item = (Game, Position, Outcome, Vec<u8>)> {
    let all = games().enumerate().map(|(number, (game, root, truth))| {
        let bytes = made(&game, &root, TINY[number % TINY.len()], 1);
        (game, root, truth, bytes)
    });
    all.filter(move |(_, _, _, bytes)| parts(bytes).1.len() >= least)
}

#[test]
fn what_was_made_to_harm_is_not_gone_on_with() {
    let (game, root, _, bytes) = in_sections(4).next().unwrap();
    let (header, sections) = parts(&bytes);
    let read = |more: &[u8], memory| {
        let first = [&header[..], &length_of(&sections[0]).unwrap(), &sections[0]].concat();
        let there = read_unfinished(&[&first, more].concat()[..], &game, &root, memory);
        there.map(|there| there.map(|there| there.sections())).map_err(|error| error.fault)
    };
    assert_eq!(read(&[], 1 << 22), Ok(Some(1)));
    // Sections that are longer than the file, one of them than all memory too.
    assert_eq!(read(&[255; 100], 1 << 22), Ok(Some(1)));
    assert_eq!(read(&[255, 0, 0, 0, 0, 1, 2], 1 << 22), Ok(Some(1)));
    // More bytes than the walk asks for, fewer, and other ones.
    let with = |section: &[u8]| [&length_of(section).unwrap(), section].concat();
    assert_eq!(read(&with(&[&sections[1][..], &[0]].concat()), 1 << 22), Err(Fault::Damaged));
    assert_eq!(read(&with(&sections[1][..sections[1].len() - 1]), 1 << 22), Err(Fault::Damaged));
    assert_eq!(read(&with(&[1; 40]), 1 << 22), Err(Fault::Damaged));
    assert_eq!(read(&with(&[]), 1 << 22), Ok(Some(1)));
    // More than fits.
    assert_eq!(read(&[], 64), Err(Fault::Memory));
}

#[test]
fn forged_sections_prove_nothing_false() {
    let mut below = below(6);
    let (mut refused, mut passed) = (HashMap::<&str, usize>::new(), HashMap::<&str, usize>::new());
    for (_, _, truth, bytes) in in_sections(2).step_by(5) {
        let (header, sections) = parts(&bytes);
        let mut forge = |what, header: &[u8], sections: &[Vec<u8>]| {
            let is_other = (header, sections) != (&parts(&bytes).0[..], &parts(&bytes).1[..]);
            match forged(header, sections, truth) {
                _ if !is_other => {}
                Ok(_) => *passed.entry(what).or_default() += 1,
                Err(_) => *refused.entry(what).or_default() += 1,
            }
        };
        let (one, other) = (below(sections.len()), below(sections.len()));
        let whole = sections[one].len();
        let with = |change: &dyn Fn(&mut Vec<Vec<u8>>)| {
            let mut sections = sections.clone();
            change(&mut sections);
            sections
        };
        let text = String::from_utf8(header.clone()).unwrap();
        let replaced = |from: &str, to: &str| text.replace(from, to).into_bytes();
        forge("win", &replaced("\"value\":\"win\"", "\"value\":\"loss\""), &sections);
        forge("loss", &replaced("\"value\":\"loss\"", "\"value\":\"win\""), &sections);
        forge("version", &replaced("\"version\":4", "\"version\":3"), &sections);
        forge("none", &header, &[]);
        forge("first", &header, &sections[..1]);
        forge("last", &header, &sections[..sections.len() - 1]);
        forge("missing", &header, &with(&|sections| drop(sections.remove(one))));
        forge("twice", &header, &with(&|sections| sections.insert(one, sections[one].clone())));
        forge("swapped", &header, &with(&|sections| sections.swap(one, other)));
        forge("empty", &header, &with(&|sections| sections[one] = vec![0; 5]));
        forge("short", &header, &with(&|sections| sections[one].truncate(whole - 1)));
        forge("long", &header, &with(&|sections| sections[one].push(0)));
        for section in 0..sections.len() {
            for byte in 0..sections[section].len() {
                for other in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                    forge("byte", &header, &with(&|sections| sections[section][byte] ^= other));
                }
            }
        }
    }
    let kinds =
        ["win", "loss", "version", "none", "first", "last", "missing", "twice", "empty", "short", "long", "byte"];
    assert!(kinds.iter().all(|kind| refused.get(kind).is_some_and(|&n| n > 3)), "{refused:?} {passed:?}");
    // Some bytes are another proof of the same.
    assert!(passed.get("byte").is_some_and(|&n| n > 5) && refused["byte"] > 5_000, "{refused:?} {passed:?}");
}

#[test]
fn every_byte_of_a_certificate_matters() {
    for (_, _, truth, bytes) in in_sections(2).step_by(40) {
        for at in 0..bytes.len() {
            for other in [1, 4, 32, 128] {
                let mut changed = bytes.clone();
                changed[at] ^= other;
                assert!(checked(&changed, truth).is_err(), "{at}");
            }
            assert!(checked(&bytes[..at], truth).is_err(), "{at}");
        }
        assert!(checked(&[&bytes[..], b"\n"].concat(), truth).is_err());
    }
}

#[test]
fn a_certificate_takes_no_more_memory_than_it_may() {
    let mut ended = HashMap::<_, usize>::new();
    for (_, _, truth, bytes) in in_sections(1).step_by(5) {
        for memory in [0, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 30] {
            let within = check(&bytes[..], CheckOptions::default().with_memory(memory));
            *ended.entry(within.as_ref().err().map(|error| error.fault)).or_default() += 1;
            let lines = |checked: Checked| checked.lines;
            assert!(
                memory < 1 << 30 || within.is_ok_and(|within| lines(within) == lines(checked(&bytes, truth).unwrap()))
            );
        }
    }
    assert_eq!(ended.keys().filter(|fault| !matches!(fault, None | Some(Fault::Memory))).count(), 0, "{ended:?}");
    assert!(ended.values().all(|&n| n > 20) && ended.len() == 2, "{ended:?}");
}

/// Writes samples for other checkers: `cargo test --lib samples -- --ignored`.
#[test]
#[ignore = "writes files"]
fn samples() {
    let folder = std::path::Path::new("target/samples");
    std::fs::create_dir_all(folder).unwrap();
    for (number, (_, _, truth, bytes)) in in_sections(3).step_by(7).enumerate() {
        let (header, sections) = parts(&bytes);
        std::fs::write(folder.join(format!("sections-{number}.proof")), &bytes).unwrap();
        let mut wrong = sections.clone();
        let last = wrong.len() - 1;
        wrong.swap(0, last);
        let lines = forged(&header, &wrong, truth).err().map_or(0, |error| error.line);
        std::fs::write(folder.join(format!("forged-{number}.proof")), sealed(&header, &wrong, lines)).unwrap();
    }
}
