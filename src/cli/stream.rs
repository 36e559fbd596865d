//! Questions from standard input, one a line, and an answer for each.

use std::ffi::OsStr;
use std::io::{self, Write};

use super::failure::{CommandResult, Exit, Failure};
use crate::files::{read_line, without_bom};

/// The most bytes of a line; the text of a position of 64 points takes a hundredth of it.
const LINE_LIMIT: usize = 1 << 16;

/// Returns `true` if an argument stands for standard input.
pub(super) fn is_stream(argument: impl AsRef<OsStr>) -> bool {
    argument.as_ref() == "-"
}

/// Answers a question about one position, or about each position on standard input for `-`, after
/// `begin`.
pub(super) fn for_each_position(
    argument: &str,
    out: &mut dyn Write,
    begin: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    mut answer: impl FnMut(&str, &mut dyn Write) -> Result<(), Failure>,
) -> CommandResult {
    begin(out)?;
    if is_stream(argument) {
        return each_line(out, answer);
    }
    answer(argument, out)?;
    Ok(Exit::Good)
}

/// Answers each line of standard input in order, and at once, so that a program can ask and wait.
/// The first wrong line ends the run, with its number.
pub(super) fn each_line(
    out: &mut dyn Write,
    mut answer: impl FnMut(&str, &mut dyn Write) -> Result<(), Failure>,
) -> CommandResult {
    let mut input = without_bom(io::stdin().lock());
    let mut line = String::new();
    for number in 1_u64.. {
        let at = |failure: Failure| failure.at(format_args!("standard input, line {number}"));
        if !read_line(&mut input, LINE_LIMIT, &mut line).map_err(|e| at(Failure::wrong(e)))? {
            break;
        }
        answer(line.strip_suffix('\r').unwrap_or(&line), out).map_err(at)?;
        out.flush()?;
    }
    Ok(Exit::Good)
}
