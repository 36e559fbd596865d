//! Questions from standard input, one a line, and an answer for each.

use std::io::{self, BufRead, Write};

use super::failure::{Exit, Failure, Outcome};

/// Whether an argument stands for standard input.
pub(super) fn is_stream(argument: &str) -> bool {
    argument == "-"
}

/// Answers each line of standard input in order, and at once, so that a program can ask and wait. The first wrong line
/// ends the run, with its number.
pub(super) fn each_line(
    out: &mut dyn Write,
    mut answer: impl FnMut(&str, &mut dyn Write) -> Result<(), Failure>,
) -> Outcome {
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    for number in 1_u64.. {
        let at = |failure: Failure| failure.at(format_args!("standard input, line {number}"));
        bytes.clear();
        let read = input.read_until(b'\n', &mut bytes).map_err(|e| at(Failure::wrong(e)))?;
        if read == 0 {
            break;
        }
        let line = std::str::from_utf8(&bytes).map_err(|e| at(Failure::wrong(e)))?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        answer(line.strip_suffix('\r').unwrap_or(line), out).map_err(at)?;
        out.flush()?;
    }
    Ok(Exit::Good)
}
