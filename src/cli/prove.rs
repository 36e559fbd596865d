//! `pods prove`

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use super::check_proof::failure;
use super::checkpoint::{self, CheckpointArgs};
use super::failure::{Exit, Failure, Outcome};
use super::format::{PlainFormat, json_line};
use super::limits::{BudgetArgs, LimitArgs, Stopper};
use super::outputs::ForceArg;
use super::progress::SolverProgress;
use super::setup::{Setting, SetupArgs};
use super::tables::TablesArg;
use crate::answer::{Answerer, SolveError};
use crate::certificate::{Checked, Claim, Proof, ProofError, WALK, may_replace, prove, prove_and_check, prove_placing};
use crate::position::Position;
use crate::report::sha256_hex;
use crate::solver::Limits;
use crate::solver::search::Search;
use crate::table::Tablebase;

/// Writes a certificate: a file that proves the value of a position to anyone, without a solver.
///
/// The file holds the setup, the claim, and a strategy that bears it out: an action for every position of the winner,
/// whatever the loser does; for a draw, one strategy for each side. Of a placement game too large for that it holds the choices of
/// a search: the winner's placements, and the replies that are refuted together. It is checked as `pods check-proof` does
/// before it is written. A file that is no certificate of this position, or proves more, is not replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods prove --board nook9 --pods four --white-hand bdt --black-hand bdt --out win.jsonl
  pods prove start --exact --board ring8 --pods trio --rules advanced --out exact.jsonl
  pods prove '3/1B1/2q w dt bt -' --board nook9 --pods four --rules very-advanced --out here.jsonl
  pods prove '6/6/1H3D/1t2b1/B2C2/3p2 w fgjkopqtvy cdfghjkoqvy -' --method search --out late.jsonl

Without --exact the certificate proves who wins, with it also in how many plies. The format is described in the \
documentation of pods::certificate. A position that the mirror theorem settles is proven by one look.")]
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

    /// How to prove it: by default by a strategy, and where that has too many positions by a search
    #[arg(long, value_enum)]
    method: Option<ProofMethodArg>,

    /// How to write the answer
    #[arg(long, value_enum, default_value = "text")]
    format: PlainFormat,

    #[command(flatten)]
    tables: TablesArg,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    budget: BudgetArgs,

    #[command(flatten)]
    checkpoint: CheckpointArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProofMethodArg {
    /// An action for each position in which the winner is to move, from solvers or tables
    Strategy,
    /// The choices of a search for the outcome, for placement games of any size
    Search,
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
    let inputs = args.setup.inputs().with(&args.checkpoint.checkpoint_from);
    let judge = |head: &[u8]| may_replace(head, &setting.game, &position, args.exact);
    let output = args.force.output(&args.out, &inputs, &judge)?;
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let limits = args.budget.read(args.limits.read(), &stopper);
    let (proof, saved) = make(args, &setting, &position, tables.as_ref(), limits)?;
    let Proof { bytes, checked } = proof;
    output.write_bytes(&bytes)?;
    let Claim { value, plies } = checked.claim;
    let proven = Proven {
        position: position.text(&setting.game),
        value: value.name(),
        plies,
        file: &args.out,
        lines: checked.lines,
        bytes: bytes.len(),
        sha256: sha256_hex(&bytes),
    };
    match args.format {
        PlainFormat::Json => json_line(out, &proven)?,
        PlainFormat::Text => text(out, &proven, &checked, &position)?,
    }
    saved.map(|()| Exit::Good)
}

/// The proof; and whether what a search knew is in its checkpoint.
fn make(
    args: &Args,
    setting: &Setting,
    position: &Position,
    tables: Option<&Tablebase>,
    limits: Limits<'_>,
) -> Result<(Proof, Result<(), Failure>), Failure> {
    let game = &setting.game;
    let by_search = args.method == Some(ProofMethodArg::Search);
    if args.exact && by_search {
        return Err(Failure::wrong(
            "--method search proves who wins, and no distance: leave --exact out, or take strategy",
        ));
    }
    let observer = SolverProgress::default();
    let checked = |certificate| Proof::of(certificate, limits, &observer).map_err(|error| failed(args, error));
    if let Some(path) = &args.checkpoint.checkpoint {
        if !by_search {
            return Err(Failure::wrong("--checkpoint is for --method search"));
        }
        let made = checkpoint::kept(&args.checkpoint, (path, &args.setup.inputs()), game, limits, |search, keeper| {
            Ok(prove_placing(search, position, limits, keeper)?)
        });
        let (certificate, saved) = made?;
        return Ok((checked(certificate)?, saved));
    }
    let proof = match args.method {
        Some(ProofMethodArg::Search) => {
            let search = Search::new(game, limits.memory).ok_or(SolveError::NotPlacement)?;
            checked(prove_placing(&search, position, limits, &observer)?)?
        }
        Some(ProofMethodArg::Strategy) => {
            let mut answerer = Answerer::with_tables(game, tables)?;
            checked(prove(&mut answerer, position, args.exact, limits, &observer)?)?
        }
        None => {
            let mut answerer = Answerer::with_tables(game, tables)?;
            let proof = prove_and_check(&mut answerer, position, args.exact, limits, &observer);
            proof.map_err(|error| failed(args, error))?
        }
    };
    Ok((proof, Ok(())))
}

fn failed(args: &Args, error: ProofError) -> Failure {
    match error {
        ProofError::Solve(error) => Failure::from(error),
        ProofError::Certificate(error) => failure(&args.out, error),
    }
}

fn text(out: &mut dyn Write, proven: &Proven<'_>, checked: &Checked, position: &Position) -> Result<(), Failure> {
    let claim = checked.claim;
    writeln!(out, "position  {}", proven.position)?;
    writeln!(out, "claim     {claim} for {}", position.to_move())?;
    let strategies = match (claim.value.name(), claim.plies) {
        _ if checked.version == WALK => "the choices of a search",
        ("draw", _) => "a strategy for each side",
        (_, Some(_)) => "the winner's strategy and the loser's",
        _ => "the winner's strategy",
    };
    writeln!(out, "lines     {}, {strategies}; checked with the reference engine", proven.lines)?;
    Ok(writeln!(out, "file      {}, {} bytes, sha256 {}", proven.file.display(), proven.bytes, proven.sha256)?)
}
