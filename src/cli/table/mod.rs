//! `pods table`: tables that know every position of a setup.

mod build;
mod cluster;
mod export;
mod plan;
mod probe;
mod stats;
mod verify;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use indicatif::HumanDuration;

pub(super) use self::build::BuiltRow;
pub(super) use self::cluster::ProcessRow;
pub(super) use self::plan::PlanRow;
pub(super) use self::probe::ProbedRow;
pub(super) use self::stats::StatsRow;
pub(super) use self::verify::VerifiedRow;
use super::failure::{CommandResult, Failure};
use super::setup::SetupArgs;
use crate::answer::SolveError;
use crate::position::Setup;
use crate::table::{Index, Table, TableError, VerifyError};

/// Build, verify and read tables of all positions of a setup.
///
/// A table holds the value and distance of every position, in the file NAME.pods-table. It holds
/// the whole setup, so only NAME is needed to read it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods table plan --board cave36 --pods four --hands :bdt --rules advanced
  pods table build small --board lair16 --pods trio --rules advanced
  pods table probe small start")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Plan(plan::Args),
    Build(build::Args),
    Verify(verify::Args),
    Probe(probe::Args),
    Stats(stats::Args),
    Export(export::Args),
}

impl Args {
    pub(super) fn has_files(&self) -> bool {
        matches!(&self.command, Command::Build(_))
    }

    pub(super) fn writes_bytes(&self) -> bool {
        matches!(&self.command, Command::Export(args) if args.writes_bytes())
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    match &args.command {
        Command::Plan(args) => plan::run(args, out),
        Command::Build(args) => build::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Probe(args) => probe::run(args, out),
        Command::Stats(args) => stats::run(args, out),
        Command::Export(args) => export::run(args, out),
    }
}

/// The name of a table.
#[derive(Clone, Debug, clap::Args)]
struct TableArg {
    /// Name of the table: its file without the ending
    #[arg(value_name = "NAME", value_parser = PathBufValueParser::new().try_map(table_name))]
    name: PathBuf,
}

/// Reads the name of a table. A folder is none: its files would be hidden ones in it.
fn table_name(name: PathBuf) -> Result<PathBuf, String> {
    let text = name.to_string_lossy();
    let last = text.rsplit(std::path::is_separator).next().unwrap_or_default();
    if ["", ".", ".."].contains(&last) {
        let folder = text.trim_end_matches(std::path::is_separator);
        return Err(format!("it names a folder: put the name of the table behind it, as in {folder}/small"));
    }
    Ok(name)
}

/// Returns the index of a setup; a refusal also names the board and the pods that nobody asked for.
fn index_of(args: &SetupArgs, setup: &Setup) -> Result<Index, Failure> {
    Index::new(setup).map_err(|error| match args.defaults() {
        Some(defaults) => Failure::wrong(format_args!("{error}\n{defaults}")),
        None => Failure::wrong(error),
    })
}

impl TableArg {
    fn open(&self) -> Result<Table, Failure> {
        Ok(Table::open(&self.name)?)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        match error {
            TableError::Output(error) => error.into(),
            TableError::InTheWay(_) => {
                Failure::wrong(format_args!("{error}; take another name, or replace it with --force"))
            }
            TableError::Busy { .. } => Failure::wrong(format_args!("{error}; wait for its end, or take another name")),
            TableError::OtherParts { .. } => Failure::wrong(format_args!(
                "{error}; finish that build, take another name, or remove what it has done with --discard"
            )),
            TableError::NotOurs { .. } => Failure::wrong(format_args!("{error}; move it away, or take another name")),
            TableError::Damaged { .. } | TableError::Shorter { .. } => Failure::Discrepancy(error.to_string()),
            TableError::Memory { .. } => Failure::wrong(format_args!("{error} (--memory)")),
            other => Failure::wrong(other),
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Failure {
        match error {
            VerifyError::Table(error) => error.into(),
            VerifyError::Discrepancy(found) => Failure::Discrepancy(found.to_string()),
            VerifyError::Stopped(stopped) => SolveError::Stopped(stopped).into(),
        }
    }
}

fn time_text(seconds: f64) -> String {
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    if seconds < 1.0 { "under a second".to_owned() } else { HumanDuration(time).to_string() }
}
