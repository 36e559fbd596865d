//! The arguments that say how much a solver may use.

use super::failure::Failure;
use crate::solver::Limits;

/// The limits as they were typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// Memory for tables, such as 500MiB or 16GiB
    #[arg(long, value_name = "SIZE", default_value = "8GiB", value_parser = memory)]
    memory: u64,

    /// Stop without an answer when a table has this many positions
    #[arg(long, value_name = "N")]
    max_positions: Option<u64>,
}

impl LimitArgs {
    pub(super) fn read(&self) -> Limits {
        Limits { memory: self.memory, positions: self.max_positions.unwrap_or(u64::MAX) }
    }
}

/// Reads a size in bytes: a number, perhaps with a unit.
pub(super) fn memory(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let unit: f64 = match &text[digits..] {
        "" | "B" => 1.0,
        "K" | "KiB" => 1024.0,
        "M" | "MiB" => 1024.0 * 1024.0,
        "G" | "GiB" => 1024.0 * 1024.0 * 1024.0,
        other => return Err(format!("{other:?} is no unit of memory: KiB, MiB or GiB, as in 500MiB")),
    };
    let number: f64 = text[..digits].parse().map_err(|_| "a number is missing, as in 500MiB or 16GiB".to_owned())?;
    let bytes = number * unit;
    if bytes < 1.0 || bytes > u64::MAX as f64 {
        return Err("the size is out of range".to_owned());
    }
    Ok(bytes as u64)
}

/// Sets up the threads of the jobs that use several; for a command that has such an argument.
pub(super) fn use_threads(threads: Option<usize>) -> Result<(), Failure> {
    match threads {
        None => Ok(()),
        Some(0) => Err(Failure::wrong("--threads must be at least 1")),
        Some(n) => rayon::ThreadPoolBuilder::new().num_threads(n).build_global().map_err(Failure::wrong),
    }
}
