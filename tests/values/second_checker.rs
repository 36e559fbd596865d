//! The second checker of certificates, `scripts/check-proof.c`, which shares nothing with the
//! program: both judge every certificate the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Random, cannot_run, program};
use pods::certificate::{CheckOptions, check};
use sha2::{Digest as _, Sha256};

/// The most lines of a kept certificate that is checked here: larger ones, such as those of
/// `0-start.proof`, take the two programs a minute and more.
const MOST_LINES: u64 = 500_000;

/// Small certificates whose bytes are changed: with counting, covers and the mirror, with several
/// sections, and where an empty hand wins.
const CHANGED: [&str; 5] = ["mirror-1", "nook9-0", "nook9-1", "sections-0", "sections-1"];

/// Changes of each of them.
const CHANGES: usize = 200;

const TRAILER: &[u8] = b"{\"lines\":";

/// Compiles the checker into a folder; `None` where there is no compiler.
fn compiled(folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check-proof.c");
    let program = folder.join("check-proof");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-std=c11", "-o"]).args([&program, &source]);
    match compiler.output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(program)
        }
        Err(error) => {
            cannot_run("cc", &format!("the second checker is a C program ({error})"));
            None
        }
    }
}

/// Runs a command; returns its exit status and output.
fn ran(command: &mut Command) -> (Option<i32>, String) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.code(), texts.concat())
}

/// Returns the certificates of version 4 in a folder of the repository, by name.
fn proofs(folder: &str) -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut found: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "proof"))
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path))
        .collect();
    found.sort();
    assert!(found.len() >= 10, "{found:?}");
    found
}

/// Returns the place at which the last line begins.
fn trailer_at(bytes: &[u8]) -> usize {
    bytes.windows(TRAILER.len()).rposition(|window| window == TRAILER).unwrap()
}

/// Returns the lines that the last line counts.
fn lines(bytes: &[u8]) -> u64 {
    let trailer: serde_json::Value = serde_json::from_slice(&bytes[trailer_at(bytes)..]).unwrap();
    trailer["lines"].as_u64().unwrap()
}

#[test]
fn the_second_checker_agrees_on_every_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let Some(checker) = compiled(folder.path()) else { return };
    let (mut held, mut refused) = (0, 0);
    for (name, path) in proofs("tests/corpus/certificates").into_iter().chain(proofs("results/solved")) {
        if lines(&std::fs::read(&path).unwrap()) > MOST_LINES {
            continue;
        }
        let is_good = !name.starts_with("forged") && !name.starts_with("damaged");
        let (first, message) = ran(program().arg("check-proof").arg(&path));
        assert_eq!(first, Some(i32::from(!is_good)), "{name}: {message}");
        let (second, message) = ran(Command::new(&checker).arg(&path));
        assert_eq!(second, first, "{name}: {message}");
        held += usize::from(is_good);
        refused += usize::from(!is_good);
    }
    assert!(held > 15 && refused > 2, "{held} hold, {refused} do not");
}

/// Returns the bytes before the last line, and a last line that fits them and counts so many lines.
fn sealed(bytes: &[u8], lines: u64) -> Vec<u8> {
    let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    [bytes, format!("{{\"lines\":{lines},\"sha256\":\"{digest}\"}}\n").as_bytes()].concat()
}

/// Returns the place of the name of the rules. The program wants it to fit the options, the checker
/// does not look at it (`pods rules formats`).
fn name_of_the_rules(bytes: &[u8]) -> std::ops::Range<usize> {
    let [before, after] = [&b"\"rules\":{\"name\":\""[..], b"\",\"options\":"];
    let find = |text: &[u8]| bytes.windows(text.len()).position(|window| window == text).unwrap();
    find(before) + before.len()..find(after)
}

#[test]
fn the_second_checker_agrees_on_changed_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compiled(folder.path()) else { return };
    let file = folder.path().join("changed.proof");
    let (mut random, mut held, mut refused) = (Random(11), 0, 0);
    for (name, path) in proofs("tests/corpus/certificates") {
        if !CHANGED.contains(&name.as_str()) {
            continue;
        }
        let good = std::fs::read(path).unwrap();
        let (end, lines, name_of_rules) = (trailer_at(&good), lines(&good), name_of_the_rules(&good));
        let header = good.iter().position(|&byte| byte == b'\n').unwrap();
        for number in 0..CHANGES {
            // Every second change is behind the header, which is the longer part.
            let at = match number % 2 {
                0 => random.below(good.len()),
                _ => header + random.below(end - header),
            };
            let byte = 1 + random.below(255) as u8;
            if name_of_rules.contains(&at) {
                continue;
            }
            let mut changed = good.clone();
            changed[at] ^= byte;
            // A digest that fits: what is wrong has to be found.
            if at < end {
                changed = sealed(&changed[..end], lines);
            }
            let first = check(&changed[..], CheckOptions::default());
            std::fs::write(&file, &changed).unwrap();
            let (second, message) = ran(Command::new(&program).arg(&file));
            let change = format!("{name}: byte {at} is {} and was {}", changed[at], good[at]);
            // A header that is refused is a 2 there.
            assert!(matches!(second, Some(0..=2)), "{change}: {message}");
            assert_eq!(second == Some(0), first.is_ok(), "{change}: {message}{:?}", first.err());
            *if first.is_ok() { &mut held } else { &mut refused } += 1;
        }
    }
    assert!(held > 8 && refused > 500, "{held} hold, {refused} do not");
}

#[test]
fn the_second_checker_agrees_on_the_form_of_headers() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compiled(folder.path()) else { return };
    let good =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/certificates/nook9-0.proof")).unwrap();
    let (end, lines) = (trailer_at(&good), lines(&good));
    let header = good.iter().position(|&byte| byte == b'\n').unwrap();
    let agree = |bytes: &[u8], holds: bool, change: &str| {
        let file = folder.path().join("changed.proof");
        std::fs::write(&file, bytes).unwrap();
        let first = check(bytes, CheckOptions::default());
        let (second, message) = ran(Command::new(&program).arg(&file));
        assert_eq!((first.is_ok(), second == Some(0)), (holds, holds), "{change}: {:?}; {message}", first.err());
    };
    let changed = |from: &str, to: &str| {
        let text = std::str::from_utf8(&good[..header]).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        sealed(&[text.replacen(from, to, 1).as_bytes(), &good[header..end]].concat(), lines)
    };
    let name = "\"name\":\"nook9";
    for (to, holds) in [
        (r"\t", true),
        (r"\u001f\u0000\u000b", true),
        (r"\u0009", false),
        (r"\u001F", false),
        (r"\u006b", false),
        (r"\/", false),
        (r"\", false),
    ] {
        agree(&changed(name, &format!("{name}{to}")), holds, to);
    }
    for (count, holds) in [("64", true), ("65", false), ("0", false), ("01", false)] {
        agree(&changed("\"count\":1", &format!("\"count\":{count}")), holds, count);
    }
    let room = (1 << 20) - header - 1;
    for (more, holds) in [(0, true), (1, false)] {
        agree(&changed(name, &format!("{name}{}", "x".repeat(room + more))), holds, "a long name");
    }
    // A byte order mark is in no digest.
    agree(&[b"\xef\xbb\xbf", &good[..]].concat(), true, "a byte order mark");
    agree(&[b"\xef\xbb", &good[..]].concat(), false, "a part of a byte order mark");
}
