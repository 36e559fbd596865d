//! The second checker of certificates, `scripts/check-proof.c`, which shares nothing with the
//! program: both judge every certificate the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Random, cannot_run, program};
use pods::certificate::{CertificateError, CheckOptions, Fault, check};
use pods::rules::{Clause, RuleSet, option_entries, option_values};
use sha2::{Digest as _, Sha256};

/// The most lines of a kept certificate that is checked here: larger ones, such as those of
/// `0-start.proof`, take the two programs a minute and more.
const MAX_LINES: u64 = 500_000;

/// Small certificates whose bytes are changed: with counting, covers and the mirror, with several
/// sections, and where an empty hand wins.
const CHANGED: [&str; 5] = ["mirror-1", "nook9-0", "nook9-1", "sections-0", "sections-1"];

/// Changed files in a test.
const CHANGES: usize = 1_000;

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
        if lines(&std::fs::read(&path).unwrap()) > MAX_LINES {
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

/// Returns the section and the verdict that a message names.
fn place(message: &str) -> Option<&str> {
    let from = message.find("section ").filter(|&at| at == 0 || message[..at].ends_with("hold: "))?;
    message[from..].split(": ").next()
}

/// Both checkers, one of them compiled, and a file for it.
struct Both {
    checker: PathBuf,
    file: PathBuf,
    held: usize,
    refused: usize,
}

impl Both {
    fn new(folder: &Path) -> Option<Both> {
        let checker = compiled(folder)?;
        Some(Both { checker, file: folder.join("changed.proof"), held: 0, refused: 0 })
    }

    /// Gives both the same bytes, and fails if they do not say the same; returns true if they are
    /// proven, else what the program says is wrong.
    fn judge(&mut self, bytes: &[u8], change: &str) -> Result<(), CertificateError> {
        let first = check(bytes, CheckOptions::default());
        std::fs::write(&self.file, bytes).unwrap();
        let (second, message) = ran(Command::new(&self.checker).arg(&self.file));
        let said = || format!("{change}: {:?}; {second:?} {message}", first.as_ref().err());
        match &first {
            Ok(_) => assert_eq!(second, Some(0), "{}", said()),
            Err(error) if error.fault == Fault::NoCertificate => assert_eq!(second, Some(2), "{}", said()),
            // A header that is refused may be a 2 (`pods rules formats`).
            Err(error) if error.line == 1 => assert!(matches!(second, Some(1 | 2)), "{}", said()),
            Err(error) => {
                assert_eq!(second, Some(1), "{}", said());
                // Whole sections are read before they are walked: where one is cut, the program
                // names no more.
                if !error.cause.contains("the file ends") && !message.contains("the file ends") {
                    assert_eq!(place(&error.to_string()), place(&message), "{}", said());
                }
            }
        }
        *if first.is_ok() { &mut self.held } else { &mut self.refused } += 1;
        first.map(|_| ())
    }

    /// The same of bytes before the last line, which is made to fit: the digest, and so many lines
    /// as there are.
    fn judge_sealed(&mut self, bytes: &[u8], lines: u64, change: &str) -> Result<(), CertificateError> {
        let first = self.judge(&sealed(bytes, lines), change);
        let count = |error: &CertificateError| error.cause.split(", there are ").nth(1)?.parse().ok();
        match first.as_ref().err().and_then(count) {
            Some(lines) => self.judge(&sealed(bytes, lines), change),
            None => first,
        }
    }
}

/// Changes bytes at random places of certificates, and their sections, as long as `go_on` says.
fn change_bytes(both: &mut Both, random: &mut Random, mut go_on: impl FnMut(usize) -> bool) {
    let corpus: Vec<_> = proofs("tests/corpus/certificates")
        .into_iter()
        .filter(|(name, _)| CHANGED.contains(&name.as_str()))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect();
    for number in (0..).take_while(|&number| go_on(number)) {
        let (name, good) = &corpus[number % corpus.len()];
        let (end, lines, name_of_rules) = (trailer_at(good), lines(good), name_of_the_rules(good));
        let header = good.iter().position(|&byte| byte == b'\n').unwrap();
        let mut changed = good.clone();
        let mut change = format!("{name}, change {number}:");
        // Mostly behind the header, which is the longer part.
        let (from, to) = [(0, good.len()), (header + 5, end - 4), (header, end)][random.below(3)];
        for _ in 0..1 + random.below(3) {
            let at = from + random.below(to - from);
            if name_of_rules.contains(&at) {
                continue;
            }
            let byte = if random.below(2) == 0 { 1 << random.below(8) } else { 1 + random.below(255) as u8 };
            changed[at] ^= byte;
            change += &format!(" byte {at} is {}", changed[at]);
        }
        // A section that is longer or shorter, with a length that fits.
        if random.below(8) == 0 {
            let mut parts = parts(&changed[header + 1..end]).unwrap_or_default();
            if let Some(number) = (!parts.is_empty()).then(|| random.below(parts.len())) {
                let other = random.below(parts.len());
                match random.below(5) {
                    0 => parts[number].push(random.below(256) as u8),
                    1 => {
                        let _ = parts[number].pop();
                    }
                    2 => parts.swap(number, other),
                    3 => drop(parts.remove(number)),
                    _ => parts.insert(number, parts[other].clone()),
                }
                changed.splice(header + 1.., joined(&parts));
                change += &format!(" and its sections {number} and {other} are others");
                let _ = both.judge_sealed(&changed, lines, &change);
                continue;
            }
        }
        // A digest that fits: what is wrong has to be found.
        let _ = match changed[end..] == good[end..] {
            true => both.judge_sealed(&changed[..end], lines, &change),
            false => both.judge(&changed, &change),
        };
    }
}

#[test]
fn the_second_checker_agrees_on_changed_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut both) = Both::new(folder.path()) else { return };
    change_bytes(&mut both, &mut Random(11), |number| number < CHANGES);
    assert!(both.held > 8 && both.refused > 500, "{} hold, {} do not", both.held, both.refused);
}

/// `PODS_CHANGES_SECONDS=300 PODS_SEED=1 cargo test --test values any_number_of_changes -- --ignored
/// --nocapture` does the same for so long.
#[test]
#[ignore = "takes as long as it is told to"]
fn the_second_checker_agrees_on_any_number_of_changes() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (seconds, seed) = (number("PODS_CHANGES_SECONDS").unwrap_or(60), number("PODS_SEED").unwrap_or(1));
    println!("seed {seed}");
    let folder = tempfile::tempdir().unwrap();
    let mut both = Both::new(folder.path()).expect("a C compiler");
    let begun = Instant::now();
    change_bytes(&mut both, &mut Random(seed), |_| begun.elapsed() < Duration::from_secs(seconds));
    println!("{} changed files were proven by both checkers, {} were refused by both", both.held, both.refused);
}

/// Sections with their lengths, as they stand before the last line; `None` if they do not.
fn parts(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut sections = Vec::new();
    loop {
        let (length, rest) = bytes.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        if length == 0 {
            return rest.is_empty().then_some(sections);
        }
        sections.push(rest.get(..length)?.to_vec());
        bytes = &rest[length..];
    }
}

fn joined(sections: &[Vec<u8>]) -> Vec<u8> {
    let with_length = |section: &Vec<u8>| [&(section.len() as u32).to_le_bytes()[..], section].concat();
    sections.iter().flat_map(with_length).chain([0; 4]).collect()
}

#[test]
fn the_second_checker_agrees_on_cut_and_rearranged_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut both) = Both::new(folder.path()) else { return };
    for (name, path) in proofs("tests/corpus/certificates") {
        if !["sections-0", "nook9-1", "mirror-1"].contains(&name.as_str()) {
            continue;
        }
        let good = std::fs::read(path).unwrap();
        let (end, lines) = (trailer_at(&good), lines(&good));
        let header = good.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let refuse = |both: &mut Both, bytes: &[u8], what: &str| {
            assert!(both.judge(bytes, &format!("{name}: {what}")).is_err(), "{name}: {what}");
        };
        // Cut anywhere behind the header, and in some places before.
        (0..header).step_by(50).chain(header..good.len()).for_each(|at| refuse(&mut both, &good[..at], "cut"));
        for more in [&b"\n"[..], b" ", b"\0", &good, &good[end..]] {
            refuse(&mut both, &[&good[..], more].concat(), "something behind it");
        }
        // Other last lines.
        let trailer = std::str::from_utf8(&good[end..]).unwrap();
        let (digest_at, count) = (trailer.len() - 67, format!(":{lines},"));
        for other in [
            trailer.replace(&count, &format!(":{},", lines + 1)),
            trailer.replace(&count, &format!(":{},", lines - 1)),
            trailer.replace(&count, &format!(":0{lines},")),
            trailer.replace(&count, &format!(":{lines}.0,")),
            trailer.replace(&count, &format!(": {lines},")),
            trailer.replace(':', "\n:"),
            trailer.trim_end().to_owned(),
            trailer.replace('\n', "\r\n"),
            trailer.replace("}\n", ",\"more\":1}\n"),
            trailer[..digest_at].to_owned() + &trailer[digest_at..].to_uppercase(),
            trailer[..digest_at].to_owned() + &"0".repeat(64) + "\"}\n",
        ] {
            assert_ne!(other, trailer);
            refuse(&mut both, &[&good[..end], other.as_bytes()].concat(), &other);
        }
        // Sections that are others, in other places, too few or too many, longer or shorter.
        let sections = parts(&good[header..end]).unwrap();
        let mut arrange = |what: &str, change: &dyn Fn(&mut Vec<Vec<u8>>)| {
            let mut other = sections.clone();
            change(&mut other);
            if other != sections {
                let bytes = [&good[..header], &joined(&other)].concat();
                let what = format!("{name}: {what}");
                assert!(both.judge_sealed(&bytes, lines, &what).is_err(), "{what}");
            }
        };
        arrange("no section", &|sections| sections.clear());
        arrange("one more", &|sections| sections.push(vec![0; 5]));
        for one in 0..sections.len() {
            arrange("one is missing", &|sections| drop(sections.remove(one)));
            arrange("one is there twice", &|sections| sections.insert(one, sections[one].clone()));
            arrange("one is empty", &|sections| sections[one] = vec![0; 5]);
            arrange("one is too short to be one", &|sections| sections[one] = vec![0; 4]);
            arrange("one has a byte less", &|sections| {
                let _ = sections[one].pop();
            });
            arrange("one has a byte more", &|sections| sections[one].push(0));
            arrange("one begins with another byte", &|sections| sections[one][0] = 1);
            arrange("one begins with bytes that none has", &|sections| sections[one][1..5].fill(255));
            for other in 0..one {
                arrange("two are swapped", &|sections| sections.swap(one, other));
                arrange("two are one", &|sections| {
                    let more = sections.remove(one);
                    sections[other].extend(more);
                });
            }
        }
        for (what, length) in [("longer than the file", u32::MAX), ("longer by one", sections[0].len() as u32 + 1)] {
            let mut bytes = good.clone();
            bytes[header..header + 4].copy_from_slice(&length.to_le_bytes());
            assert!(both.judge_sealed(&bytes[..end], lines, what).is_err(), "{name}: {what}");
        }
    }
    assert!(both.refused > 500 && both.held == 0, "{} {}", both.held, both.refused);
}

#[test]
fn the_second_checker_agrees_on_other_setups() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut both) = Both::new(folder.path()) else { return };
    for (name, path) in proofs("tests/corpus/certificates") {
        if !CHANGED.contains(&name.as_str()) {
            continue;
        }
        let good = std::fs::read(path).unwrap();
        let (end, lines) = (trailer_at(&good), lines(&good));
        let header = good.iter().position(|&byte| byte == b'\n').unwrap();
        let text = std::str::from_utf8(&good[..header]).unwrap();
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut with = |from: &str, to: &str| {
            assert!(text.contains(from), "{from} in {text}");
            let bytes = [text.replacen(from, to, 1).as_bytes(), &good[header..end]].concat();
            both.judge_sealed(&bytes, lines, &format!("{name}: {to} for {from}"))
        };
        let refused = |result: Result<(), CertificateError>| assert!(result.is_err(), "{name}");
        // The claim.
        let value = json["value"].as_str().unwrap();
        let claim = format!("\"value\":\"{value}\",\"plies\":null");
        for other in ["win", "loss", "draw"] {
            let to = format!("\"value\":\"{other}\",\"plies\":null");
            if other != value {
                refused(with(&claim, &to));
            }
        }
        refused(with("\"plies\":null", "\"plies\":3"));
        // The checker reads no versions before 4.
        for version in [0, 5] {
            refused(with("\"version\":4", &format!("\"version\":{version}")));
        }
        // Each option with its other values, and with none, in a place of its own, or twice.
        let rules: RuleSet = json["rules"]["name"].as_str().unwrap().parse().unwrap();
        let options = |rules: &RuleSet| {
            let options: BTreeMap<_, _> = rules.values().collect();
            format!("\"rules\":{{\"name\":\"{rules}\",\"options\":{}}}", serde_json::to_string(&options).unwrap())
        };
        let written = options(&rules);
        for (option, value) in rules.values() {
            for other in option_values(option).unwrap().iter().filter(|&&other| other != value) {
                // Those of shoves and kicks do nothing in placement games.
                let entry = option_entries().iter().find(|entry| entry.name == option).unwrap();
                let idle = entry.clauses.iter().all(|clause| (Clause::R22..=Clause::R28).contains(clause));
                let changed = rules.with(option, other).unwrap();
                let result = with(&written, &options(&changed));
                assert!(result.is_ok() || !idle, "{name}: {changed}: {result:?}");
            }
            let entry = format!("\"{option}\":\"{value}\"");
            refused(with(&entry, &format!("\"{option}\":\"\"")));
            refused(with(&entry, &format!("\"{option}\":\"maybe\"")));
            refused(with(&entry, &format!("{entry},{entry}")));
            refused(with(&entry, &format!("{entry},\"{option}x\":\"off\"")));
            let (before, after) = (format!("{entry},"), format!(",{entry}"));
            refused(with(if text.contains(&before) { &before } else { &after }, ""));
        }
        // Other lines, other legs, other counts, other hands.
        for line in json["board"]["lines"].as_array().unwrap() {
            let entry = line.to_string();
            let before = format!("{entry},");
            let from = if text.contains(&before) { before } else { format!(",{entry}") };
            if text.contains(&from) {
                let _ = with(&from, "");
            }
            refused(with(&entry, &format!("{entry},{entry}")));
        }
        for kind in json["pods"]["kinds"].as_array().unwrap() {
            let (id, legs) = (kind["id"].as_str().unwrap(), kind["legs"].as_str().unwrap());
            let from = format!("\"legs\":\"{legs}\"");
            let all: Vec<&str> = legs.split(' ').collect();
            for (number, leg) in all.iter().enumerate() {
                let mut other = all.clone();
                other.remove(number);
                if !other.is_empty() {
                    let _ = with(&from, &format!("\"legs\":\"{}\"", other.join(" ")));
                }
                let turned = if leg.starts_with(char::is_lowercase) { leg.to_uppercase() } else { leg.to_lowercase() };
                let mut other = all.clone();
                other[number] = &turned;
                let _ = with(&from, &format!("\"legs\":\"{}\"", other.join(" ")));
            }
            let _ = with(&format!("\"id\":\"{id}\""), "\"id\":\"z\"");
            let count = format!("\"legs\":\"{legs}\",\"count\":{}", kind["count"]);
            let more = format!("\"legs\":\"{legs}\",\"count\":{}", kind["count"].as_u64().unwrap() + 1);
            with(&count, &more).unwrap_or_else(|error| panic!("{name}: a count above what is there: {error}"));
        }
        let position = json["position"].as_str().unwrap();
        let mut fields: Vec<&str> = position.split(' ').collect();
        fields[1] = if fields[1] == "w" { "b" } else { "w" };
        let _ = with(position, &fields.join(" "));
        fields[4] = if fields[4] == "-" { "open" } else { "-" };
        let _ = with(position, &fields.join(" "));
    }
    assert!(both.refused > 300 && both.held > 20, "{} {}", both.held, both.refused);
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
    // A byte order mark is in no digest, and no part of the header.
    let marked = [b"\xef\xbb\xbf", &changed(name, &format!("{name}{}", "x".repeat(room)))[..]].concat();
    agree(&marked, true, "a byte order mark before the longest header");
    agree(&[b"\xef\xbb\xbf", &good[..]].concat(), true, "a byte order mark");
    agree(&[b"\xef\xbb", &good[..]].concat(), false, "a part of a byte order mark");
}
