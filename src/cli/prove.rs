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
use super::progress::{Progress, SolverProgress};
use super::setup::{Setting, SetupArgs};
use super::tables::TablesArg;
use crate::answer::{Answerer, SolveError};
use crate::certificate::{Certificate, Claim, WALK, check, may_replace, prove, prove_placing};
use crate::position::Position;
use crate::report::sha256_hex;
use crate::solver::search::Search;
use crate::solver::{Limits, Stopped};
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

    /// How to prove it: by default by a strategy, and where that has too many positions by a search
    #[arg(long, value_enum)]
    method: Option<MethodArg>,

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
enum MethodArg {
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
    let inputs = args.setup.inputs();
    let judge = |head: &[u8]| may_replace(head, &setting.game, &position, args.exact);
    let output = args.force.output(&args.out, &inputs, &judge)?;
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let limits = args.budget.read(args.limits.read(), &stopper);
    let (certificate, saved) = make(args, &setting, &position, tables.as_ref(), limits)?;
    let bytes = certificate.bytes();
    let progress = Progress::new("check", "lines");
    let checked = check(&bytes[..], &|done| {
        progress.update(done, Some(certificate.lines()));
        ControlFlow::Continue(())
    })
    .map_err(|e| failure(&args.out, e))?;
    drop(progress);
    output.write_bytes(&bytes)?;
    let Claim { value, plies } = certificate.claim();
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
        PlainFormat::Text => text(out, &proven, &certificate, &position)?,
    }
    saved.map(|()| Exit::Good)
}

/// The certificate; and whether what a search knew is in its checkpoint.
fn make(
    args: &Args,
    setting: &Setting,
    position: &Position,
    tables: Option<&Tablebase>,
    limits: Limits<'_>,
) -> Result<(Certificate, Result<(), Failure>), Failure> {
    let game = &setting.game;
    if args.exact && args.method == Some(MethodArg::Search) {
        return Err(Failure::wrong("--method search proves who wins, and no distance: leave --exact out, or take strategy"));
    }
    if let Some(path) = &args.checkpoint.checkpoint {
        if args.method != Some(MethodArg::Search) {
            return Err(Failure::wrong("--checkpoint is for --method search"));
        }
        let kept = (args.checkpoint.checkpoint_every, args.checkpoint.checkpoint_size);
        return checkpoint::kept((path, &args.setup.inputs()), kept, game, limits, |search, keeper| {
            Ok(prove_placing(search, position, limits, keeper)?)
        });
    }
    let progress = SolverProgress::default();
    let by_search = || {
        let search = Search::new(game, limits.memory).ok_or(SolveError::NotPlacement)?;
        Ok((prove_placing(&search, position, limits, &progress)?, Ok(())))
    };
    if args.method == Some(MethodArg::Search) {
        return by_search();
    }
    let mut answerer = Answerer::with_tables(game, tables)?;
    match prove(&mut answerer, position, args.exact, limits, &progress) {
        Err(SolveError::Stopped(reason))
            if !args.exact
                && args.method.is_none()
                && !matches!(reason, Stopped::Interrupted | Stopped::TimeUp { .. })
                && Search::fits(game) =>
        {
            eprintln!("pods: note: no strategy for each position ({reason}): the proof is made by --method search");
            by_search()
        }
        made => Ok((made?, Ok(()))),
    }
}

fn text(
    out: &mut dyn Write,
    proven: &Proven<'_>,
    certificate: &Certificate,
    position: &Position,
) -> Result<(), Failure> {
    let claim = certificate.claim();
    writeln!(out, "position  {}", proven.position)?;
    writeln!(out, "claim     {claim} for {}", position.to_move())?;
    let strategies = match (claim.value.name(), claim.plies) {
        _ if certificate.version() == WALK => "the choices of a search",
        ("draw", _) => "a strategy for each side",
        (_, Some(_)) => "the winner's strategy and the loser's",
        _ => "the winner's strategy",
    };
    writeln!(out, "lines     {}, {strategies}; checked with the reference engine", proven.lines)?;
    Ok(writeln!(out, "file      {}, {} bytes, sha256 {}", proven.file.display(), proven.bytes, proven.sha256)?)
}
