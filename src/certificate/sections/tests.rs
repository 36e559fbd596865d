//! Proofs in sections pass the check however they were made and interrupted, and forged ones do
//! not.

use std::io::Cursor;
use std::ops::ControlFlow;

use hashbrown::HashMap;

use sha2::Sha256;

use super::*;
use crate::certificate::{Checked, Fault, check, check_within, read_unfinished};
use crate::engine::crosscheck::case;
use crate::engine::{Bitboard, Reference};
use crate::position::Game;
use crate::solver::{Exhaustive, Outcome, Silent, plain_exhaustive};

const TINY: [Cuts; 3] = [
    Cuts { long: 1, longest: 1, short: 0 },
    Cuts { long: 1, longest: 4, short: 1 },
    Cuts { long: 2, longest: 3, short: 1 },
];

/// Small games of placements, each with a position and whether the side to move wins.
fn games() -> impl Iterator<Item = (Game, Position, Outcome)> {
    (0..1_000).filter_map(|number| {
        let case = case(17, number);
        let game = case.game();
        let engine = Bitboard::new(game.clone());
        let small = Limits::default().with_positions(300);
        let position = case.walked(&engine).into_iter().find(|position| {
            !game.rules().can_cycle()
                && Exhaustive::new(engine.clone(), &[position], small).value(position, &Silent).is_ok()
        })?;
        let truth = plain_exhaustive(&Reference::new(game.clone()), &position, &mut HashMap::new()).outcome();
        Some((game, position, truth))
    })
}

/// Numbers below others, always the same ones.
fn below(mut state: u64) -> impl FnMut(usize) -> usize {
    move |bound| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    }
}

fn made(game: &Game, root: &Position, cuts: Cuts, threads: usize) -> Vec<u8> {
    let search = Search::new(game, 1 << 20).unwrap();
    let limits = Limits::default().with_threads(threads);
    let winner = winner(&search, root, limits, &Silent).unwrap();
    let mut bytes = Vec::new();
    finish(&search, root, (SoFar::nothing(winner), ShownBefore::within(1 << 20), cuts), limits, &Silent, &mut bytes)
        .unwrap();
    bytes
}

fn passes(bytes: &[u8], truth: Outcome) -> Option<Checked> {
    let checked = check(bytes, &|_| ControlFlow::Continue(())).ok()?;
    let claimed = if truth == Outcome::Win { super::super::Claimed::Win } else { super::super::Claimed::Loss };
    assert_eq!(checked.claim.value, claimed, "a false claim passes: {}", String::from_utf8_lossy(bytes));
    Some(checked)
}

/// The header, and the sections, each a list of lines: those behind the first with their headings.
fn parts(bytes: &[u8]) -> (String, Vec<Vec<String>>) {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut sections = vec![Vec::new()];
    for line in &lines[1..lines.len() - 1] {
        if line.starts_with("{\"section\"") {
            sections.push(Vec::new());
        }
        sections.last_mut().unwrap().push((*line).to_owned());
    }
    (lines[0].to_owned(), sections)
}

/// The file of these parts, with the right trailer.
fn sealed(header: &str, sections: &[Vec<String>]) -> Vec<u8> {
    let mut text = format!("{header}\n");
    let mut lines = 0;
    for line in sections.iter().flatten() {
        text += line;
        text += "\n";
        lines += 1;
    }
    let trailer = Trailer { lines, sha256: hex(&Sha256::digest(&text)) };
    (text + &serde_json::to_string(&trailer).unwrap() + "\n").into_bytes()
}

#[test]
fn proofs_in_sections_pass_the_check() {
    let (mut sections, mut nested, mut shown) = (0, 0, 0);
    for (number, (game, root, truth)) in games().enumerate() {
        let cuts = TINY[number % TINY.len()];
        for threads in [1, 3] {
            let bytes = made(&game, &root, cuts, threads);
            let checked =
                passes(&bytes, truth).unwrap_or_else(|| panic!("refused: {}", String::from_utf8_lossy(&bytes)));
            let (header, parts) = parts(&bytes);
            assert_eq!(sealed(&header, &parts), bytes);
            assert_eq!(checked.sections, parts.len() as u64 - 1);
            assert_eq!(checked.version, SECTIONS);
            sections += checked.sections;
            let lines = |what: &str| parts[1..].iter().flatten().filter(|line| line.contains(what)).count();
            nested += lines("later");
            shown += lines("shown");
        }
    }
    assert!(sections > 1_000 && nested > 100 && shown > 100, "{sections} {nested} {shown}");
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
        let first = header.len() + 1 + sections[0].iter().map(|line| line.len() + 1).sum::<usize>();
        for _ in 0..8 {
            let cut = below(bytes.len());
            let Some(there) = read_unfinished(Cursor::new(&bytes[..cut]), &game, &root, 1 << 22).unwrap() else {
                assert!(cut < first + sections[1][0].len() + 1, "the first section is there");
                begun += 1;
                continue;
            };
            assert!(there.bytes as usize <= cut && !there.complete);
            let mut again = bytes[..there.bytes as usize].to_vec();
            assert_eq!(there.lines(), again.iter().filter(|&&byte| byte == b'\n').count() as u64 - 1);
            let search = Search::new(&game, 1 << 20).unwrap();
            let limits = Limits::default().with_threads(1 + cut % 2);
            finish(&search, &root, (there.so_far, there.shown, cuts), limits, &Silent, &mut again).unwrap();
            assert!(passes(&again, truth).is_some(), "{}", String::from_utf8_lossy(&again));
            gone_on += 1;
        }
        let whole = read_unfinished(Cursor::new(&bytes[..]), &game, &root, 1 << 22).unwrap().expect("all of it");
        assert!(whole.complete);
        // Something else is not gone on with.
        let other = header.replace("\"position\":\"", "\"position\":\" ");
        assert!(read_unfinished(Cursor::new(sealed(&other, &sections)), &game, &root, 1 << 22).is_err());
    }
    assert!(begun > 20 && gone_on > 30, "{begun} {gone_on}");
}

#[test]
fn what_was_made_to_harm_is_not_gone_on_with() {
    let (game, root, bytes) = games()
        .map(|(game, root, _)| (made(&game, &root, TINY[0], 1), game, root))
        .find_map(|(bytes, game, root)| (parts(&bytes).1.len() > 3).then_some((game, root, bytes)))
        .unwrap();
    let (header, sections) = parts(&bytes);
    let read =
        |text: String, memory| read_unfinished(Cursor::new(text), &game, &root, memory).map(|there| there.is_some());
    let fault = |text: String, memory| read(text, memory).unwrap_err().fault;
    let first = format!("{header}\n{}", sections[0].iter().map(|line| format!("{line}\n")).collect::<String>());
    assert_eq!(read(format!("{first}{{\"section\":1}}\n"), 1 << 22), Ok(true));
    // A line without an end, with and without something that may be gone on with before it.
    assert_eq!(fault(format!("{header}\n{}", "x".repeat(1 << 17)), 1 << 22), Fault::Damaged);
    assert_eq!(fault(format!("{first}{{\"section\":1}}\n{}", "[".repeat(1 << 17)), 1 << 22), Fault::Damaged);
    // More lines than the walk asks for: what follows would be read again and again.
    let more = "{\"later\":null}\n".repeat(1000);
    assert_eq!(fault(format!("{first}{more}{{\"section\":1}}\n"), 1 << 22), Fault::Damaged);
    // More than fits; with more memory it may be gone on with.
    assert_eq!(fault(format!("{first}{{\"section\":1}}\n"), 64), Fault::Memory);
}

#[test]
fn forged_sections_prove_nothing_false() {
    let mut below = below(6);
    let (mut refused, mut passed) = (HashMap::<&str, usize>::new(), 0);
    for (number, (game, root, truth)) in games().enumerate().step_by(3) {
        let bytes = made(&game, &root, TINY[number % TINY.len()], 1);
        let (header, sections) = parts(&bytes);
        if sections.len() == 1 {
            continue;
        }
        let mut forge = |what, header: &str, sections: &[Vec<String>]| {
            let forged = sealed(header, sections);
            match passes(&forged, truth) {
                _ if forged == bytes => {}
                Some(_) => passed += 1,
                None => *refused.entry(what).or_default() += 1,
            }
        };
        let (one, other) = (1 + below(sections.len() - 1), 1 + below(sections.len() - 1));
        let with = |change: &dyn Fn(&mut Vec<Vec<String>>)| {
            let mut sections = sections.clone();
            change(&mut sections);
            sections
        };
        forge("win", &header.replace("\"value\":\"win\"", "\"value\":\"loss\""), &sections);
        forge("loss", &header.replace("\"value\":\"loss\"", "\"value\":\"win\""), &sections);
        forge("version", &header.replace("\"version\":3", "\"version\":2"), &sections);
        forge("none", &header, &sections[..1]);
        forge("last", &header, &sections[..sections.len() - 1]);
        forge("missing", &header, &with(&|sections| drop(sections.remove(one))));
        forge("twice", &header, &with(&|sections| sections.insert(one, sections[one].clone())));
        forge("swapped", &header, &with(&|sections| sections.swap(one, other)));
        forge(
            "swapped lines",
            &header,
            &with(&|sections| {
                let (a, b) = (sections[one][1..].to_vec(), sections[other][1..].to_vec());
                sections[one].splice(1.., b);
                sections[other].splice(1.., a);
            }),
        );
        forge("emptied", &header, &with(&|sections| sections[one].truncate(1)));
        for what in ["later", "shown"] {
            let alone = |sections: &mut Vec<Vec<String>>| {
                sections[one].truncate(1);
                sections[one].push(format!("{{\"{what}\":null}}"));
            };
            forge(what, &header, &with(&alone));
        }
        let at = 1 + below(sections[one].len() - 1);
        for keep in 0..sections[one].len() - at {
            forge(
                "shown line",
                &header,
                &with(&|sections| {
                    let lines = &mut sections[one];
                    lines.splice(at..lines.len() - keep, ["{\"shown\":null}".to_owned()]);
                }),
            );
        }
        let end = sections.len();
        forge(
            "always later",
            &header,
            &with(&|sections| {
                sections[0] = vec!["{\"later\":null}".to_owned()];
                sections.truncate(1);
            }),
        );
        forge("one more", &header, &with(&|sections| sections.push(vec![format!("{{\"section\":{end}}}")])));
        let line = below(sections[one].len());
        forge("line", &header, &with(&|sections| drop(sections[one].remove(line))));
    }
    let kinds = [
        "shown",
        "shown line",
        "win",
        "loss",
        "version",
        "none",
        "missing",
        "twice",
        "emptied",
        "later",
        "always later",
        "one more",
        "line",
    ];
    assert!(kinds.iter().all(|kind| refused.get(kind).is_some_and(|&n| n > 3)), "{refused:?} {passed}");
}

#[test]
fn a_certificate_takes_no_more_memory_than_it_may() {
    let mut ended = HashMap::<_, usize>::new();
    for (game, root, truth) in games().step_by(3) {
        let bytes = made(&game, &root, TINY[0], 1);
        for memory in [0, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 30] {
            let checked = check_within(&bytes[..], memory, &|_| ControlFlow::Continue(()));
            *ended.entry(checked.as_ref().err().map(|error| error.fault)).or_default() += 1;
            assert!(
                memory < 1 << 30
                    || checked
                        .is_ok_and(|checked| passes(&bytes, truth).is_some_and(|again| again.lines == checked.lines))
            );
        }
    }
    assert_eq!(ended.keys().filter(|fault| !matches!(fault, None | Some(Fault::Memory))).count(), 0, "{ended:?}");
    assert!(ended.values().all(|&n| n > 20) && ended.len() == 2, "{ended:?}");
}
