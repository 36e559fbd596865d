//! Damage at random, and the run of one reader on what was damaged.
//!
//! A run without further word takes the same cases each time. With `PODS_FUZZ_SECONDS` each reader
//! is fed new cases for so long, from a seed that is printed (`PODS_FUZZ_SEED` repeats it);
//! `scripts/fuzz.sh` does that for all of them.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const SEED: &[u8; 32] = b"the same texts in each run: pods";
const CASES: u32 = 6000;

/// A damage: what is done, where in the text (in 65536ths), and a number for it.
type Damage = (u8, u16, u16);

/// Bits of text that mean something to some reader.
const WORDS: &[&str] = &[
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "-1",
    "1e99",
    "18446744073709551616",
    "\\u0000",
    "\u{e4}",
    "\u{1f419}",
    "''",
    "'''",
    "\n",
    "o-o",
    "X",
    "/",
    "@",
    ">",
    "+",
    "+0",
    "+255",
    "+256",
    "26",
    "27",
    "0",
    "65",
    "999999999999",
    "open",
    " ",
    "b",
    "B",
    "a1",
    "z26",
    "a27",
    "=",
    "count",
    "id",
    "\"id\":",
    "[[pod]]",
    "NE",
    "Ne",
    "\t",
    "\r",
    "%",
    "$",
    "'",
];

fn damaged(bytes: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for &(what, place, number) in damages {
        let at = place as usize * bytes.len() / 65536;
        let end = (at + number as usize % 40).min(bytes.len());
        match what % 6 {
            0 if at < bytes.len() => bytes[at] = number as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << (number % 8),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            4 => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, WORDS[number as usize % WORDS.len()].bytes())),
        }
    }
    bytes
}

/// Returns a number that the environment gives.
fn given(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// Feeds the samples to a reader, whole and damaged; `cases` of these, or as many as the time
/// allows.
pub fn fuzz(samples: &[Vec<u8>], cases: u32, read: impl Fn(&[u8])) {
    assert!(!samples.is_empty());
    for sample in samples {
        read(sample);
    }
    let damages = proptest::collection::vec(any::<Damage>(), 1..6);
    draw(&(0..samples.len(), damages), cases, |(sample, damages)| read(&damaged(&samples[sample], &damages)));
}

/// Feeds what a strategy draws to a reader; `cases` times, or as often as the time allows.
pub fn draw<T: std::fmt::Debug>(strategy: &impl Strategy<Value = T>, cases: u32, read: impl Fn(T)) {
    let run = |seed: [u8; 32], cases: u32| {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        runner.run(strategy, |drawn| {
            read(drawn);
            Ok(())
        })
    };
    let Some(seconds) = given("PODS_FUZZ_SECONDS") else {
        return run(*SEED, cases).unwrap_or_else(|error| panic!("{error}"));
    };
    let now = || std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
    let (mut number, begun) = (given("PODS_FUZZ_SEED").unwrap_or_else(now), Instant::now());
    while begun.elapsed() < Duration::from_secs(seconds) {
        let mut seed = *SEED;
        seed[..8].copy_from_slice(&number.to_le_bytes());
        run(seed, 1000).unwrap_or_else(|error| panic!("PODS_FUZZ_SEED={number}: {error}"));
        number = number.wrapping_add(1);
    }
}

/// Damages texts as `fuzz` does bytes; what is no text any more has marks in the place of the
/// letters that were lost.
pub fn fuzz_texts(samples: &[String], read: impl Fn(&str)) {
    let samples: Vec<Vec<u8>> = samples.iter().map(|text| text.as_bytes().to_vec()).collect();
    fuzz(&samples, CASES, |bytes| read(&String::from_utf8_lossy(bytes)));
}
