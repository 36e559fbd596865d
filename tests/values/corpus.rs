//! The certificates of the corpus, forged ones and those of versions that are no longer read.

use std::path::PathBuf;

use pods::certificate::{CODED, CertificateError, CheckOptions, Checked, Fault, check};
use rayon::ThreadPoolBuilder;

/// Returns the certificates of the corpus whose names begin with some letters: names, and bytes.
pub(crate) fn corpus(start: &str) -> Vec<(String, Vec<u8>)> {
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

/// Checks by some threads.
fn checked_by(threads: usize, bytes: &[u8], options: CheckOptions<'_>) -> Result<Checked, CertificateError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| check(bytes, CheckOptions::default().with_memory(options.memory)))
}

/// Checks by one thread and by several, which must say the same; returns that.
fn checked(bytes: &[u8]) -> Result<Checked, CertificateError> {
    let by = |threads| checked_by(threads, bytes, CheckOptions::default());
    let (one, three) = (by(1), by(3));
    assert_eq!(one.as_ref().err(), three.as_ref().err());
    one
}

#[test]
fn the_corpus_is_proven_and_forgeries_in_it_are_refused() {
    for (name, bytes) in corpus("") {
        match name.rsplit_once('.') {
            Some((name, "proof")) => {
                let proven = checked(&bytes);
                let is_good = !name.starts_with("forged") && !name.starts_with("damaged");
                assert_eq!(proven.as_ref().map(|proven| proven.version).ok(), is_good.then_some(CODED), "{name}");
                let sections = proven.map_or(1, |proven| proven.sections);
                assert_eq!(sections > 1, name.starts_with("sections"), "{name}");
            }
            Some((name, "jsonl")) => {
                let error = checked(&bytes).expect_err(name);
                let said = error.to_string();
                let way_out = "release 0.3.0 of this program reads versions 2 and 3";
                assert!(error.fault == Fault::NoCertificate && said.contains(way_out), "{name}: {said}");
            }
            _ => assert_eq!(name, "README.md"),
        }
    }
}

/// Returns the places in a certificate of several sections: where each begins, with its length, and
/// where they end.
fn sections(bytes: &[u8]) -> Vec<usize> {
    let mut places = vec![bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1];
    loop {
        let at = *places.last().unwrap();
        let length = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        if length == 0 {
            return places;
        }
        places.push(at + 4 + length);
    }
}

/// Seals the first bytes of a certificate with the trailer of `lines` lines.
fn sealed(bytes: &[u8], lines: u64) -> Vec<u8> {
    let trailer = format!("{{\"lines\":{lines},\"sha256\":\"{}\"}}\n", pods::files::sha256_hex(bytes));
    [bytes, trailer.as_bytes()].concat()
}

#[test]
fn an_end_mark_between_sections_is_refused_by_any_number_of_threads() {
    for (name, bytes) in corpus("sections") {
        let lines = checked(&bytes).unwrap().lines;
        let places = sections(&bytes);
        let end = places.last().unwrap() + 4;
        assert_eq!(sealed(&bytes[..end], lines), bytes);
        for &at in &places[..places.len() - 1] {
            let marked = sealed(&[&bytes[..at], &[0; 4], &bytes[at..end]].concat(), lines);
            for threads in [1, 2, 3, 8] {
                let error = checked_by(threads, &marked, CheckOptions::default()).expect_err(&name);
                assert!(matches!(error.fault, Fault::Damaged | Fault::Unproven), "{name}, {threads}: {error}");
            }
        }
    }
}

#[test]
fn a_length_that_is_not_true_is_a_fault_of_the_file() {
    for (name, bytes) in corpus("sections") {
        let places = sections(&bytes);
        let end = places.last().unwrap() + 4;
        for memory in [u64::MAX, 500 << 20, 1 << 20] {
            let options = CheckOptions::default().with_memory(memory);
            for &at in &places[..places.len() - 1] {
                let mut longer = bytes.clone();
                longer[at + 3] ^= 0x80;
                // Without the last sections and the end, the length of the next one is text.
                for other in [longer, [&bytes[..at], &bytes[end..]].concat()] {
                    let error = checked_by(2, &other, options).expect_err(&name);
                    let said = error.to_string();
                    assert!(error.fault == Fault::Damaged, "{name}: {said}");
                    assert!(said.contains("the file ends in the middle of a section"), "{name}: {said}");
                }
            }
        }
    }
}
