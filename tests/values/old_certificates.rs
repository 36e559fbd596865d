//! Certificates of versions 2 and 3, which are still read, and those of the corpus.

use std::path::PathBuf;

use crate::certificates::{sealed, split};
use hashbrown::HashMap;
use pods::certificate::{CODED, CertificateError, CheckOptions, Checked, Claimed, Fault, check, rewrite};
use pods::engine::Reference;
use pods::solver::{Limits, Outcome, Silent, plain_exhaustive};

/// Returns the certificates of the corpus whose names begin with some letters: names, and bytes.
fn corpus(start: &str) -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/certificates");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let named = files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path));
    let mut found: Vec<_> = named
        .filter(|(name, _)| name.starts_with(start))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{start}");
    found
}

fn all_of(bytes: &[u8]) -> Result<Checked, CertificateError> {
    check(bytes, CheckOptions::default())
}

/// Checks that a certificate that passes is true.
fn checked(bytes: &[u8], truths: &mut HashMap<String, Claimed>) -> Result<Checked, CertificateError> {
    let proven = all_of(bytes)?;
    let (game, root) = (&proven.game, &proven.root);
    let header = split(bytes).0;
    let truth = truths.entry(header).or_insert_with(|| {
        match plain_exhaustive(&Reference::new(game.clone()), root, &mut HashMap::new()).outcome() {
            Outcome::Win => Claimed::Win,
            Outcome::Loss => Claimed::Loss,
            Outcome::Draw => unreachable!("placements end"),
        }
    });
    assert_eq!(proven.claim.value, *truth, "a false claim passes: {}", String::from_utf8_lossy(bytes));
    Ok(proven)
}

#[test]
fn the_corpus_is_proven_and_forgeries_in_it_are_refused() {
    for (name, bytes) in corpus("") {
        match name.rsplit_once('.') {
            Some((name, "proof")) => {
                let proven = all_of(&bytes);
                let is_good = !name.starts_with("forged") && !name.starts_with("damaged");
                assert_eq!(proven.as_ref().map(|proven| proven.version).ok(), is_good.then_some(CODED), "{name}");
                let sections = proven.map_or(0, |proven| proven.sections);
                assert_eq!(sections > 1, name.starts_with("sections"), "{name}");
            }
            Some((name, "jsonl")) => {
                let proven = all_of(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
                let value = format!("{:?}", proven.claim.value);
                assert!(name.ends_with(&value) && name.starts_with(&format!("v{}", proven.version)), "{name}");
            }
            _ => assert_eq!(name, "README.md"),
        }
    }
}

#[test]
fn version_2_is_rewritten_as_version_4() {
    for (name, bytes) in corpus("v2") {
        let old = all_of(&bytes).unwrap();
        let limits = Limits::default().with_memory(1 << 20);
        let proof = rewrite(&bytes[..], limits, &Silent).unwrap();
        let new = &proof.checked;
        let about = |proven: &Checked| (proven.claim, proven.root.clone(), proven.game.board().orientation());
        assert_eq!((new.version, about(new)), (CODED, about(&old)), "{name}");
        // What was altered is not rewritten, nor is another version.
        let (header, mut lines) = split(&bytes);
        lines.pop();
        assert!(rewrite(&sealed(&header, &lines)[..], limits, &Silent).is_err());
        assert!(rewrite(&proof.bytes[..], limits, &Silent).is_err());
    }
}

#[test]
fn forged_lines_of_old_versions_prove_nothing_false() {
    let mut truths = HashMap::new();
    for start in ["v2", "v3"] {
        let (mut refused, mut passed) = (HashMap::<(&str, Fault), usize>::new(), 0);
        for (_, bytes) in corpus(start) {
            let (header, lines) = split(&bytes);
            assert_eq!(sealed(&header, &lines), bytes);
            let mut forge = |what: &'static str, header: &str, lines: &[String]| {
                let forged = sealed(header, lines);
                match checked(&forged, &mut truths) {
                    _ if forged == bytes => {}
                    Ok(_) => passed += 1,
                    Err(error) => *refused.entry((what, error.fault)).or_default() += 1,
                }
            };
            let turned =
                |from: &str, to: &str| header.replace(&format!("\"value\":\"{from}\""), &format!("\"value\":\"{to}\""));
            forge("claim", &turned("win", "loss"), &lines);
            forge("claim", &turned("loss", "win"), &lines);
            let (this, other) = if start == "v2" { (2, 3) } else { (3, 2) };
            forge("version", &header.replace(&format!("\"version\":{this}"), &format!("\"version\":{other}")), &lines);
            forge("nothing", &header, &[]);
            for at in 0..lines.len() {
                let mut dropped = lines.clone();
                dropped.remove(at);
                forge("dropped", &header, &dropped);
                let mut twice = lines.clone();
                twice.insert(at, lines[at].clone());
                forge("twice", &header, &twice);
                let mut swapped = lines.clone();
                swapped.swap(at, lines.len() - 1 - at);
                forge("swapped", &header, &swapped);
                for line in ["{\"covered\":[]}", "{\"covered\":[\"a1\"]}", "{\"later\":null}", "{\"shown\":null}"] {
                    let mut changed = lines.clone();
                    line.clone_into(&mut changed[at]);
                    forge("changed", &header, &changed);
                }
                for other in lines.iter().step_by(25) {
                    let mut changed = lines.clone();
                    changed[at].clone_from(other);
                    forge("changed", &header, &changed);
                }
            }
        }
        for what in ["claim", "dropped", "twice", "swapped", "changed"] {
            assert!(refused.iter().any(|((w, _), n)| *w == what && *n > 2), "{start}, {what}: {refused:?} {passed}");
        }
    }
}
