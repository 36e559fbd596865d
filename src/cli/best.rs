//! `pods best`

use std::io::Write;
use std::time::{Duration, Instant};

use super::ask::{AskArgs, certificate};
use super::failure::{CommandResult, Failure};
use super::format::{Format, csv_rows, json_line};
use super::limits::Stopper;
use super::progress::SolverProgress;
use super::setup::SetupArgs;
use super::stream::{for_each_position, is_stream};
use crate::answer::best::{Best, Guess, Judgement};
use crate::answer::{Answerer, over};
use crate::engine::Status;
use crate::position::{Action, Position, Setup};
use crate::report::BestRow;
use crate::solver::{Outcome, Verdict};

/// Choose an action to play, and say what is proven and what is guessed.
///
/// Exact methods are tried first. Where they do not finish within the budget, a heuristic search
/// chooses; it never takes an action that is proven to lose while there is another. Works with all
/// rule sets and boards of any size.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods best start
  pods best start --rules advanced --time 20
  pods best '3/1B1/2q w dt bt -' --board nook9 --pods four --max-nodes 10000
  pods best - --max-nodes 100000 --format json < positions.txt

`proven` is the value of the position for the side to move; the action keeps that value.

A `guess` is no value: its number is above 0 if the side to move is thought to be ahead.

Without --time and --max-nodes it takes 5 seconds. One ply is always searched.

With --threads 1 and --max-nodes the answer is the same in every run.")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions on standard input
    #[arg(value_name = "POSITION")]
    position: String,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    ask: AskArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

const DEFAULT_TIME: Duration = Duration::from_secs(5);

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    let tables = args.ask.tables.open()?;
    let streamed = is_stream(&args.position);
    let stopper = Stopper::new(!streamed)?;
    // One for each line: the answer to a question without a time must not depend on the questions
    // before it.
    let answerer = || args.ask.answerer(setup.game(), tables.as_ref());
    let header = |out: &mut dyn Write| match args.format {
        Format::Csv => csv_rows::<BestRow>(out, true, []),
        _ => Ok(()),
    };
    for_each_position(&args.position, out, header, |text, out| {
        answer(args, &setup, &mut answerer()?, &stopper, &setup.parse_position(text)?, out)
    })
}

fn answer(
    args: &Args,
    setup: &Setup,
    answerer: &mut Answerer<'_>,
    stopper: &Stopper,
    position: &Position,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut limits = args.ask.budget.limits(stopper);
    if args.ask.budget.is_open() {
        limits = limits.with_time(DEFAULT_TIME);
    }
    let time = limits.time;
    let begun = Instant::now();
    let best = answerer.best(position, limits, &SolverProgress::default())?;
    let seconds = time.map(|_| (begun.elapsed().as_secs_f64() * 1000.0).round() / 1000.0);
    let row = BestRow::of(setup.game(), position, &best, seconds, certificate(answerer, position));
    match args.format {
        Format::Text if is_stream(&args.position) => Ok(writeln!(out, "{}", short(setup, position, &best))?),
        Format::Text => write_text(setup, position, &best, &row, out),
        Format::Json => json_line(out, &row),
        Format::Csv => csv_rows(out, false, [row]),
    }
}

fn proven(verdict: Verdict) -> String {
    match (verdict.outcome(), verdict.plies()) {
        (Outcome::Draw, _) => "proven draw".to_owned(),
        (outcome, None) => format!("proven {}", outcome.name()),
        (outcome, Some(1)) => format!("proven {} in 1 ply", outcome.name()),
        (outcome, Some(plies)) => format!("proven {} in {plies} plies", outcome.name()),
    }
}

fn guessed(guess: Guess) -> String {
    format!("guess {guess}")
}

/// Returns the answer to a line of standard input: the action, and what is known.
fn short(setup: &Setup, position: &Position, best: &Best) -> String {
    match &best.choice {
        None => format!("- {}", over(position, best.status).map(Verdict::Value).map(proven).unwrap_or_default()),
        Some(choice) => {
            let judged = match choice.judgement {
                Judgement::Proven(verdict, _) => proven(verdict),
                Judgement::Guessed(guess) => guessed(guess),
            };
            format!("{} {judged}", choice.action.display(setup.game()))
        }
    }
}

fn write_text(
    setup: &Setup,
    position: &Position,
    best: &Best,
    row: &BestRow,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let texts = |actions: &[Action]| setup.game().texts(actions).join(" ");
    writeln!(out, "position  {}", position.display(setup.game()))?;
    let side = position.to_move();
    let Some(choice) = &best.choice else {
        let Status::Won(winner) = best.status else { return Ok(()) };
        return Ok(writeln!(out, "status    {}: the game is over, {winner} has won", best.status.name())?);
    };
    writeln!(out, "action    {}", texts(&[choice.action]))?;
    match choice.judgement {
        Judgement::Proven(verdict, method) => {
            let by = row.certificate.as_deref().unwrap_or(method.name());
            writeln!(out, "value     {} for {side}, by {by}", proven(verdict))?
        }
        Judgement::Guessed(guess) => writeln!(out, "value     unknown, {} for {side}", guessed(guess))?,
    }
    writeln!(out, "line      {}", texts(&choice.line))?;
    if choice.judgement.proven().is_none() && !choice.losing.is_empty() {
        writeln!(out, "losing    {}", texts(&choice.losing))?;
    }
    let time = row.seconds.map(|seconds| format!(", {seconds:.3} s")).unwrap_or_default();
    Ok(writeln!(out, "positions {}{time}", row.positions)?)
}
