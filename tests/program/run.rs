//! One run of the program, with what stands on its standard input.

use crate::common::{program, run_with_input, without_progress};
use std::process::{Child, Output, Stdio};

/// The exit code of a run, and its output.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Starts the program with pipes at all three ends.
pub fn spawn(args: &[&str]) -> Child {
    program().args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs the program to its end, without input.
pub fn pods(args: &[&str]) -> Output {
    program().args(args).output().unwrap()
}

/// Runs the program to its end.
pub fn run(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let ran = run_with_input(program().args(args), input.as_ref());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: ran.status.code().unwrap(), out: text(ran.stdout), err: without_progress(&text(ran.stderr)) }
}

/// Returns the answer to a question that must go well.
#[track_caller]
pub fn answer(args: &[&str], input: &str) -> String {
    let ran = run(args, input);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?} {}", ran.out);
    ran.out
}

/// Returns the names of the commands that a help text lists, but for `help`.
pub fn commands_of(help: &str) -> Vec<String> {
    const HEADINGS: [&str; 7] =
        ["Play and look:", "Solve and prove:", "Report:", "Test others:", "Tables:", "Program:", "Commands:"];
    let (mut listed, mut names) = (false, Vec::new());
    for line in help.lines() {
        match line.strip_prefix("  ") {
            Some(line) if listed && !line.starts_with(' ') => {
                names.extend(line.split(' ').next().filter(|name| *name != "help").map(str::to_owned));
            }
            Some(_) => {}
            None => listed = HEADINGS.contains(&line),
        }
    }
    names
}
