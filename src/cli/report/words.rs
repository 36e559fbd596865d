//! Texts shared by both reports of `--full`.

use std::path::Path;

use crate::cli::failure::Failure;
use crate::files::AppendedError;
use crate::report::full::Interval;

/// Returns the reason why a file that lines are appended to cannot be continued.
pub(super) fn refused(path: &Path, error: AppendedError) -> Failure {
    match error {
        AppendedError::Output(error) => Failure::wrong(format_args!("{error}; name another folder")),
        other => Failure::wrong(other).at(path.display()),
    }
}

/// Returns a share in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns the ends of an interval in per cent; nothing where there is none.
pub(super) fn range(interval: Option<Interval>) -> String {
    interval.map(|i| format!("{} to {}", percent(i.low), percent(i.high))).unwrap_or_default()
}
