//! `pods prove`

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::check_proof::failure;
use super::failure::{Exit, Failure, Outcome};
use super::format::{PlainFormat, json_line};
use super::limits::{LimitArgs, Stopper};
use super::outputs::ForceArg;
use super::progress::SolverProgress;
use super::setup::SetupArgs;
use super::tables::TablesArg;
use crate::answer::Answerer;
use crate::certificate::{Claim, ProofError, may_replace, prove_and_check};
use crate::position::Position;
use crate::report::sha256_hex;

/// Writes a certificate: a file that proves the value of a position to anyone, without a solver.
///
/// The file holds the setup, the claim, and a strategy that bears it out: an action for every position of the winner,
/// whatever the loser does; for a draw, one strategy for each side. It is checked as `pods check-proof` does before it is
/// written. A file that is no certificate of this position, or proves more, is not replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods prove --board nook9 --pods four --white-hand bdt --black-hand bdt --out win.jsonl
  pods prove start --exact --board ring8 --pods trio --rules advanced --out exact.jsonl
  pods prove '3/1B1/2q w dt bt -' --board nook9 --pods four --rules very-advanced --out here.jsonl

Without --exact the certificate proves who wins, with it also in how many plies. The format is described in the \
documentation of pods::certificate. Games that only the mirror theorem settles have no certificate.")]
pub(super) struct Args {
    /// A position's text, or `start`
    #[arg(value_name = "POSITION", default_value = "start")]
    position: String,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArg,

    /// Prove the distance in plies too, not only the outcome
    #[arg(long)]
    exact: bool,

    /// How to write the answer
    #[arg(long, value_enum, default_value = "text")]
    format: PlainFormat,

    #[command(flatten)]
    tables: TablesArg,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

#[derive(Debug, Serialize)]
struct Proven<'a> {
    position: String,
    value: &'static str,
    plies: Option<u32>,
    file: &'a Path,
    lines: u64,
    bytes: usize,
    sha256: String,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let setting = args.setup.read()?;
    let position = setting.position(&args.position)?;
    let inputs = args.setup.inputs();
    let judge = |head: &[u8]| may_replace(head, &setting.game, &position, args.exact);
    let output = args.force.output(&args.out, &inputs, &judge)?;
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let limits = args.limits.read().with_interrupt(stopper.flag());
    let mut answerer = Answerer::with_tables(&setting.game, tables.as_ref())?;
    let proof = prove_and_check(&mut answerer, &position, args.exact, limits, &SolverProgress::default());
    let proof = proof.map_err(|error| match error {
        ProofError::Solve(error) => Failure::from(error),
        ProofError::Certificate(error) => failure(&args.out, error),
    })?;
    output.write_bytes(&proof.bytes)?;
    let claim = proof.checked.claim;
    let Claim { value, plies } = claim;
    let proven = Proven {
        position: position.text(&setting.game),
        value: value.name(),
        plies,
        file: &args.out,
        lines: proof.checked.lines,
        bytes: proof.bytes.len(),
        sha256: sha256_hex(&proof.bytes),
    };
    match args.format {
        PlainFormat::Json => json_line(out, &proven)?,
        PlainFormat::Text => text(out, &proven, claim, &position)?,
    }
    Ok(Exit::Good)
}

fn text(out: &mut dyn Write, proven: &Proven<'_>, claim: Claim, position: &Position) -> Result<(), Failure> {
    writeln!(out, "position  {}", proven.position)?;
    writeln!(out, "claim     {claim} for {}", position.to_move())?;
    let strategies = match (claim.value.name(), claim.plies) {
        ("draw", _) => "a strategy for each side",
        (_, Some(_)) => "the winner's strategy and the loser's",
        _ => "the winner's strategy",
    };
    writeln!(out, "lines     {}, {strategies}; checked with the reference engine", proven.lines)?;
    Ok(writeln!(out, "file      {}, {} bytes, sha256 {}", proven.file.display(), proven.bytes, proven.sha256)?)
}
