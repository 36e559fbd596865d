//! The README: its answers are what the program prints, and its commands work.

use crate::common::program;
use std::env;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

const README: &str = include_str!("../../README.md");

/// Returns the contents of the README's code blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    README.split(&begin).skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

/// Returns the commands of the README's `console` blocks, each with the output that is shown for
/// it.
fn shown() -> Vec<(String, String)> {
    let mut shown: Vec<(String, String)> = Vec::new();
    for block in blocks("console") {
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => shown.push((command.to_owned(), String::new())),
                None => {
                    let (_, output) = shown.last_mut().expect("a block begins with a command");
                    output.push_str(line.trim_end());
                    output.push('\n');
                }
            }
        }
    }
    shown
}

#[test]
fn every_command_of_the_tour_prints_what_the_readme_says() {
    let mut commands = 0;
    for (command, wanted) in shown() {
        let words = shell_words::split(&command).unwrap();
        assert_eq!(words[0], "pods", "{command}");
        let ran = program().args(&words[1..]).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        let trimmed = |text: String| text.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>();
        assert_eq!(trimmed(String::from_utf8(ran.stdout).unwrap()), wanted, "{command}");
        assert_eq!(String::from_utf8(ran.stderr).unwrap(), "", "{command}");
        commands += 1;
    }
    assert!(commands >= 5, "{commands} commands");
}

/// Runs a script in a folder with the program on the search path; it ends at the first command that
/// fails.
fn run(script: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_pods")).parent().unwrap();
    let mut path = program.as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    Command::new("sh").args(["-e", "-c", script]).env("PATH", path).current_dir(folder).output().unwrap()
}

/// Commands that a test runs in place of a line that takes minutes or builds the program: the same,
/// on less. The README's first lines are there to be typed in a clone; that they build is for the
/// tests that this one is part of.
const FOR_TESTS: &[(&str, &str)] = &[
    ("cargo run --release -- report --format csv", "pods report --format csv --board nook9 --pods four --hands bdt"),
    ("cargo test", ""),
];

#[test]
#[cfg(unix)]
fn every_line_to_be_typed_works() {
    let (mut lines, mut replaced) = (0, 0);
    for block in blocks("sh") {
        let mut script = String::new();
        for line in block.lines() {
            let command = line.split(" #").next().unwrap().trim();
            let instead = FOR_TESTS.iter().find(|(shown, _)| *shown == command);
            replaced += usize::from(instead.is_some());
            let command = instead.map_or(command, |(_, instead)| instead);
            assert!(command.is_empty() || command.starts_with("pods "), "{line}");
            let _ = writeln!(script, "{command}");
            lines += 1;
        }
        let folder = tempfile::tempdir().unwrap();
        let ran = run(&script, folder.path());
        let err = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.success() && !err.contains("error"), "{script}\n{}\n{err}", ran.status);
        assert!(!ran.stdout.is_empty(), "{script}");
    }
    assert_eq!(replaced, FOR_TESTS.len());
    assert!(lines >= 10, "{lines} lines");
}

#[test]
fn every_command_that_the_readme_names_is_there() {
    let help = program().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let listed: Vec<&str> = help
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(listed.len() > 15, "{listed:?}");
    let mut named: Vec<&str> = Vec::new();
    for (at, _) in README.match_indices("`pods ") {
        let rest = &README[at + "`pods ".len()..];
        named.push(rest.split(|c: char| c.is_whitespace() || c == '`').next().unwrap());
    }
    assert!(named.len() > 20, "{named:?}");
    for name in &named {
        assert!(listed.contains(name), "the README names pods {name}");
    }
    // The table of questions leaves out nothing but what is about the program itself.
    for name in listed.iter().filter(|name| !["completions", "man", "help", "engine"].contains(name)) {
        assert!(named.contains(name), "the README leaves out pods {name}");
    }
}
