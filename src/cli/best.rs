//! `pods best`

use std::io::Write;
use std::time::{Duration, Instant};

use super::failure::{CommandResult, Exit, Failure};
use super::format::{Format, csv_rows, json_line};
use super::library::{LibraryArg, certificate};
use super::limits::{Stopper, memory};
use super::progress::SolverProgress;
use super::setup::SetupArgs;
use super::stream::{each_line, is_stream};
use super::tables::TablesArg;
use super::threads::threads;
use crate::answer::best::{Best, Guess, Judgement};
use crate::answer::{Answerer, Player, over};
use crate::engine::Status;
use crate::position::{Action, Position, Setup};
use crate::report::BestRow;
use crate::solver::{Limits, Method, Outcome as Value, Verdict};

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

With one thread and no --time the answer is the same in every run.")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions on standard input
    #[arg(value_name = "POSITION")]
    position: String,

    /// Stop after this many seconds for each position [default: 5, or no limit with --max-nodes]
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,

    /// Stop after looking at this many positions, by all threads together; one ply is always
    /// searched
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,

    /// Use at most this much memory for tables, such as 500MiB
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = memory)]
    memory: u64,

    /// Search with this many threads, at most 256; with more than one the answer may differ from
    /// run to run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    threads: usize,

    /// Guess with this search: alpha-beta or tree [default: tree where pods move]
    #[arg(long, value_name = "NAME")]
    player: Option<Player>,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    tables: TablesArg,

    #[command(flatten)]
    library: LibraryArg,

    #[command(flatten)]
    setup: SetupArgs,
}

const DEFAULT_TIME: Duration = Duration::from_secs(5);

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "write a number of seconds, as in 0.5 or 20".to_owned())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    let tables = args.tables.open()?;
    let streamed = is_stream(&args.position);
    let stopper = Stopper::new(!streamed)?;
    // One for each line: the answer to a question without a time must not depend on the questions
    // before it.
    let answerer = || {
        let answerer = Answerer::with_tables(setup.game(), tables.as_ref());
        answerer.map(|answerer| answerer.with_player(args.player).with_library(args.library.is_wanted()))
    };
    if streamed {
        if args.format == Format::Csv {
            csv_rows::<BestRow>(out, true, [])?;
        }
        return each_line(out, |line, out| {
            answer(args, &setup, &mut answerer()?, &stopper, &setup.parse_position(line)?, out)
        });
    }
    answer(args, &setup, &mut answerer()?, &stopper, &setup.parse_position(&args.position)?, out)?;
    Ok(Exit::Good)
}

fn answer(
    args: &Args,
    setup: &Setup,
    answerer: &mut Answerer<'_>,
    stopper: &Stopper,
    position: &Position,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let time = args.time.or(args.max_nodes.is_none().then_some(DEFAULT_TIME));
    let mut limits = Limits::default().with_memory(args.memory).with_nodes(args.max_nodes.unwrap_or(u64::MAX));
    limits.time = time;
    limits.threads = args.threads;
    let limits = limits.with_interrupt(stopper.flag());
    let begun = Instant::now();
    let best = answerer.best(position, limits, &SolverProgress::default())?;
    let seconds = time.map(|_| (begun.elapsed().as_secs_f64() * 1000.0).round() / 1000.0);
    match args.format {
        Format::Text if is_stream(&args.position) => Ok(writeln!(out, "{}", short(setup, position, &best))?),
        Format::Text => {
            let certificate = certificate(answerer, position);
            write_text(setup, position, &best, seconds, certificate.as_deref(), out)
        }
        Format::Json => json_line(out, &BestRow::of(setup.game(), position, &best, seconds)),
        Format::Csv => csv_rows(out, !is_stream(&args.position), [BestRow::of(setup.game(), position, &best, seconds)]),
    }
}

fn said(verdict: Verdict) -> String {
    match (verdict.outcome(), verdict.plies()) {
        (Value::Draw, _) => "proven draw".to_owned(),
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
        None => format!("- {}", over(position, best.status).map(Verdict::Value).map(said).unwrap_or_default()),
        Some(choice) => {
            let judged = match choice.judgement {
                Judgement::Proven(verdict, _) => said(verdict),
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
    seconds: Option<f64>,
    certificate: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let texts = |actions: &[Action]| {
        actions.iter().map(|&action| action.display(setup.game()).to_string()).collect::<Vec<String>>().join(" ")
    };
    writeln!(out, "position  {}", position.display(setup.game()))?;
    let side = position.to_move();
    let Some(choice) = &best.choice else {
        let Status::Won(winner) = best.status else { return Ok(()) };
        return Ok(writeln!(out, "status    {}: the game is over, {winner} has won", best.status.name())?);
    };
    writeln!(out, "action    {}", texts(&[choice.action]))?;
    match choice.judgement {
        Judgement::Proven(verdict, method) => {
            let by = certificate.filter(|_| method == Method::Library).unwrap_or(method.name());
            writeln!(out, "status    {} for {side}, by {by}", said(verdict))?
        }
        Judgement::Guessed(guess) => writeln!(out, "status    {} for {side}", guessed(guess))?,
    }
    writeln!(out, "line      {}", texts(&choice.line))?;
    if choice.judgement.proven().is_none() && !choice.losing.is_empty() {
        writeln!(out, "losing    {}", texts(&choice.losing))?;
    }
    let time = seconds.map(|seconds| format!(", {seconds:.3} s")).unwrap_or_default();
    Ok(writeln!(out, "nodes     {}{time}", best.nodes)?)
}
