//! `pods prove`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;

use super::check_proof::{failed, lines};
use super::checkpoint::{self, CheckpointArgs};
use super::failure::{CommandResult, Exit, Failure};
use super::format::{PlainFormat, json_line};
use super::limits::{BudgetArgs, Stopper};
use super::outputs::ForceArg;
use super::progress::SolverProgress;
use super::setup::SetupArgs;
use super::tables::TablesArg;
use super::terminal::note;
use super::unfinished;
use crate::answer::Answerer;
use crate::certificate::{
    Checked, Claim, Finished, Proof, ProofError, ProofMethod, has_too_many_positions, may_replace, prove,
};
use crate::files::{Output, Overwrite, record, sha256_hex};
use crate::position::{Position, Setup};
use crate::solver::Limits;
use crate::table::Tablebase;

/// Write a certificate, which proves the value of a position without a solver.
///
/// The file holds the setup, the claim, and a strategy: an action for every position of the winner,
/// whatever the loser does; for a draw, one strategy for each side.
///
/// A placement game may be too large for that. Then the file holds the choices of a search, in some
/// three bits each: the winner's placements, and the replies that are refuted together.
///
/// The file is checked as by `pods check-proof` before it takes its place. A search writes
/// FILE.part first, in sections, and a run that was stopped resumes there. A fourth of --memory is
/// for the situations that sections have shown.
///
/// A file that is no certificate of this position, or proves more, is not replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods prove --board nook9 --pods four --hands bdt --out win.jsonl
  pods prove start --exact --board ring8 --pods trio --rules advanced --out exact.jsonl
  pods prove '3/1B1/2q w dt bt -' --board nook9 --pods four --rules very-advanced --out here.jsonl
  pods prove '6/6/1H3D/1t2b1/B2C2/3p2 w fgjkopqtvy cdfghjkoqvy -' --method search --out late.proof

The certificate proves the winner; with --exact the number of plies too. Here strategies are named
.jsonl and searches .proof; the name does not matter.

`pods rules formats` describes the file, `pods rules lemmas` the lemmas that it rests on. A position that
the mirror theorem settles takes one line.

If a limit is reached first, the answer is `unknown` with exit status 0, as with `pods solve`. FILE
is then not written; FILE.part stays if there is one.")]
pub(super) struct Args {
    /// A position's text, or `start`
    #[arg(value_name = "POSITION", default_value = "start")]
    position: String,

    /// Write the certificate to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArg,

    /// Prove the distance in plies too, not only the outcome
    #[arg(long)]
    exact: bool,

    /// Prove by this method [default: strategy, and search where that has too many positions]
    #[arg(long, value_enum)]
    method: Option<ProofMethodArg>,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: PlainFormat,

    #[command(flatten)]
    tables: TablesArg,

    #[command(flatten)]
    budget: BudgetArgs,

    /// Use what a search has proven in this file of `pods search`, and add to it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    setup: SetupArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProofMethodArg {
    /// An action for each position in which the winner is to move, from solvers or tables
    Strategy,
    /// The choices of a search for the winner, for placement games of any size
    Search,
}

record! {
    /// A certificate that was written, and its claim.
    #[derive(Debug)]
    pub(super) struct Proven {
        /// The position's text.
        position: String,
        /// `win`, `draw` or `loss` for the side to move, or `unknown`.
        value: &'static str,
        /// Plies to the end, where they are claimed.
        plies: Option<u32>,
        /// The certificate's file; empty where a limit was reached first, and none is written.
        file: Option<String>,
        /// Lines of strategies, or verdicts of a walk.
        lines: Option<u64>,
        /// Sections of a walk; 0 for strategies.
        sections: Option<u64>,
        /// Bytes of the file.
        bytes: Option<u64>,
        /// The SHA-256 of the file.
        file_sha256: Option<String>,
        /// The limit that was reached first.
        stopped: Option<String>,
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    let position = setup.parse_position(&args.position)?;
    let inputs = args.setup.inputs();
    let judge = |head: &[u8]| may_replace(head, setup.game(), &position, args.exact);
    let overwrite = Overwrite { force: args.force.is_given(), inputs: &inputs, judge: &judge };
    let output = Output::to_keep(&args.out, overwrite)?;
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let limits = args.budget.limits(&stopper);
    if args.exact && args.method == Some(ProofMethodArg::Search) {
        return Err(Failure::wrong(
            "--method search proves who wins, and no distance: leave --exact out, or take strategy",
        ));
    }
    if args.checkpoint.is_some() && args.method != Some(ProofMethodArg::Search) {
        return Err(Failure::wrong("--checkpoint saves what a search proves: add --method search"));
    }
    let (finished, saved) = match made(args, &setup, &position, tables.as_ref(), &output, limits) {
        Err(Failure::Limit(why)) => return unknown(args, position.display(setup.game()).to_string(), why, out),
        made => made?,
    };
    let Finished { checked, bytes, sha256 } = finished;
    let Claim { value, plies } = checked.claim;
    let proven = Proven {
        position: position.display(setup.game()).to_string(),
        value: value.name(),
        plies,
        file: Some(args.out.display().to_string()),
        lines: Some(checked.lines),
        sections: Some(checked.sections),
        bytes: Some(bytes),
        file_sha256: Some(sha256),
        stopped: None,
    };
    match args.format {
        PlainFormat::Json => json_line(out, &proven)?,
        PlainFormat::Text => text(args, out, &proven, &checked, &position)?,
    }
    saved.map(|()| Exit::Good)
}

/// Makes the certificate and puts it in its place. Returns also whether the checkpoint has
/// everything that a search knew.
fn made(
    args: &Args,
    setup: &Setup,
    position: &Position,
    tables: Option<&Tablebase>,
    output: &Output<'_>,
    limits: Limits<'_>,
) -> Result<(Finished, Result<(), Failure>), Failure> {
    // Both methods share the time.
    let begun = Instant::now();
    let strategy = match args.method {
        Some(ProofMethodArg::Search) => None,
        _ => by_strategy(args, setup, position, tables, limits)?,
    };
    match strategy {
        Some(proof) => Ok((written(proof, output)?, Ok(()))),
        None => {
            let left = limits.time.map(|time| time.saturating_sub(begun.elapsed()));
            by_search(args, setup, position, output, left.map_or(limits, |left| limits.with_time(left)))
        }
    }
}

/// Says that a limit was reached before the position was proven.
fn unknown(args: &Args, position: String, why: String, out: &mut dyn Write) -> CommandResult {
    match args.format {
        PlainFormat::Json => {
            note(&why);
            let (plies, file, lines, sections, bytes, file_sha256) = (None, None, None, None, None, None);
            let (value, stopped) = ("unknown", Some(why));
            json_line(out, &Proven { position, value, plies, file, lines, sections, bytes, file_sha256, stopped })?;
        }
        PlainFormat::Text => {
            writeln!(out, "position  {position}")?;
            writeln!(out, "claim     unknown: {why}")?;
            writeln!(out, "file      {} is not written", args.out.display())?;
        }
    }
    Ok(Exit::Good)
}

/// Proves by strategies; `None` if that would be too large, and a search may do.
fn by_strategy(
    args: &Args,
    setup: &Setup,
    position: &Position,
    tables: Option<&Tablebase>,
    limits: Limits<'_>,
) -> Result<Option<Proof>, Failure> {
    let observer = SolverProgress::default();
    let mut answerer = Answerer::with_tables(setup.game(), tables)?;
    let method = ProofMethod::Strategies { exact: args.exact };
    match prove(&mut answerer, position, method, limits, &observer) {
        Err(ProofError::Solve(error)) if has_too_many_positions(&error) && may_search(args, setup) => Ok(None),
        made => made.map(Some).map_err(|error| failed(&args.out, error, limits.memory)),
    }
}

/// Proves by a search, and puts the certificate in its place. Returns also whether the checkpoint
/// has everything that the search knew.
fn by_search(
    args: &Args,
    setup: &Setup,
    position: &Position,
    output: &Output<'_>,
    limits: Limits<'_>,
) -> Result<(Finished, Result<(), Failure>), Failure> {
    let progress = SolverProgress::default();
    let others: Vec<&Path> = args.checkpoint.iter().map(|path| &**path).collect();
    let mut part = unfinished::open(&args.out, &others, limits.memory)?;
    let there = unfinished::read(&part, setup.game(), position, args.force.is_given(), limits.memory)?;
    let (checkpoint, inputs) = (CheckpointArgs::of(args.checkpoint.clone()), args.setup.inputs());
    let ((), saved) = checkpoint::kept(&checkpoint, &inputs, setup.game(), limits, |search, observer| {
        unfinished::make(&mut part, search, position, there, limits, observer)
    })?;
    Ok((unfinished::finish(part, output, limits, &progress)?, saved))
}

/// Returns `true` if a search may prove it where strategies cannot.
fn may_search(args: &Args, setup: &Setup) -> bool {
    !args.exact && args.method.is_none() && !setup.game().rules().can_cycle()
}

fn written(proof: Proof, output: &Output<'_>) -> Result<Finished, Failure> {
    let Proof { bytes, checked } = proof;
    output.write_bytes(&bytes)?;
    Ok(Finished { checked, bytes: bytes.len() as u64, sha256: sha256_hex(&bytes) })
}

fn text(
    args: &Args,
    out: &mut dyn Write,
    proven: &Proven,
    checked: &Checked,
    position: &Position,
) -> Result<(), Failure> {
    let claim = checked.claim;
    writeln!(out, "position  {}", proven.position)?;
    writeln!(out, "claim     {claim} for {}", position.to_move())?;
    let strategies = match (claim.value.name(), claim.plies) {
        _ if checked.is_walk() => "the choices of a search",
        ("draw", _) => "a strategy for each side",
        (_, Some(_)) => "the winner's strategy and the loser's",
        _ => "the winner's strategy",
    };
    let how = if checked.is_walk() { "checked" } else { "checked with the reference engine" };
    writeln!(out, "lines     {}, {strategies}; {how}", lines(checked))?;
    let sha256 = proven.file_sha256.as_deref().unwrap_or_default();
    Ok(writeln!(out, "file      {}, {} bytes, sha256 {sha256}", args.out.display(), proven.bytes.unwrap_or_default())?)
}
