//! Texts shared by both reports of `--full`.

use std::io::Write;
use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::format::json_line;
use crate::files::AppendedError;
use crate::report::full::Interval;
use crate::report::{NamedSetup, json_object};

/// Returns the reason why a file that lines are appended to cannot be continued.
pub(super) fn refused(path: &Path, error: AppendedError) -> Failure {
    match error {
        AppendedError::Output(error) => Failure::wrong(format_args!("{error}; name another folder")),
        other => Failure::wrong(other).at(path.display()),
    }
}

/// Writes a row as an object: numbers as numbers, in the columns that have them, and what is not
/// known as null.
pub(super) fn json_row(
    out: &mut dyn Write,
    header: impl IntoIterator<Item = &'static str>,
    cells: impl IntoIterator<Item = String>,
    has_numbers: impl Fn(&str) -> bool,
) -> Result<(), Failure> {
    json_line(out, &json_object(header, cells, has_numbers))
}

/// Returns a share in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns the ends of an interval in per cent; nothing where there is none.
pub(super) fn range(interval: Option<Interval>) -> String {
    interval.map(|i| format!("{} to {}", percent(i.low), percent(i.high))).unwrap_or_default()
}

/// Returns the setup of a row in words.
pub(super) fn setup_words(setup: &NamedSetup) -> String {
    let [board, orientation, pods, white, black, rules] = setup.cells();
    let hands = if white == black { format!("both {white}") } else { format!("White {white}, Black {black}") };
    format!("{board} at {orientation}°, {pods}: {hands}; {rules}")
}
