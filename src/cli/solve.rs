//! `pods solve`

use std::io::Write;

use clap::ValueEnum;
use serde::Serialize;

use super::failure::{Exit, Failure, Outcome};
use super::forced;
use super::format::{Format, csv_rows, json_line};
use super::limits::LimitArgs;
use super::progress::SolverProgress;
use super::setup::{Setting, SetupArgs};
use super::stream::{each_line, is_stream};
use super::tables::TablesArg;
use crate::engine::{Bitboard, Engine};
use crate::position::Position;
use crate::solver::{Method, Request, Solution, SolveError, Stopped, solve};

/// Solves a position exactly: value, distance in plies, best actions, a main line.
///
/// Games that cannot cycle are searched to the end; the others are solved backward from every position that can be
/// reached. The value is then derived again, position by position, with the reference engine.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods solve start --board nook9 --pods four --white-hand bdt --black-hand bdt
  pods solve start --board ring8 --pods trio --rules advanced --format json
  pods solve '3/1B1/2q w dt bt -' --board nook9 --pods four --rules very-advanced
  pods solve - --format json < positions.txt
  pods solve start --rules advanced --max-plies 3
  pods solve - --board lair16 --pods trio --rules advanced --tables my-tables < positions.txt

An answer 'unknown' means that a limit was reached, never a draw. Where the mirror theorem settles a position that no \
search can, the distance and the best actions stay unknown.")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions on standard input
    #[arg(value_name = "POSITION")]
    position: String,

    /// How to get the value [default: what fits the rules]
    #[arg(long, value_enum)]
    method: Option<MethodArg>,

    /// Ask only whether the side to move can force a win within so many plies, in any game of any size
    #[arg(long, value_name = "N", conflicts_with_all = ["method", "no_verify"])]
    max_plies: Option<u16>,

    /// Do not derive the value again with the reference engine
    #[arg(long)]
    no_verify: bool,

    /// How to write the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    tables: TablesArg,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MethodArg {
    /// Alpha-beta search to the end, for rules under which play cannot cycle
    Exhaustive,
    /// Backward from the finished games, for all rules
    Retrograde,
    /// The mirror theorem, for symmetric positions of placement games
    Mirror,
    /// Search for the outcome alone, for placement games of any size
    Search,
    /// Look it up in a table of --tables
    Table,
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Method {
        match method {
            MethodArg::Exhaustive => Method::Exhaustive,
            MethodArg::Retrograde => Method::Retrograde,
            MethodArg::Mirror => Method::Mirror,
            MethodArg::Search => Method::Search,
            MethodArg::Table => Method::Table,
        }
    }
}

/// The line that other programs read.
#[derive(Debug, Serialize)]
struct Solved {
    position: String,
    status: &'static str,
    value: &'static str,
    plies: Option<u16>,
    best: Vec<String>,
    positions: u64,
    method: &'static str,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let setting = args.setup.read()?;
    if let Some(plies) = args.max_plies {
        let question = forced::Question { plies, limits: args.limits.read(), format: args.format };
        if is_stream(&args.position) {
            return each_line(out, |line, out| {
                forced::answer(&question, &setting, &setting.position(line)?, true, out)
            });
        }
        forced::answer(&question, &setting, &setting.position(&args.position)?, false, out)?;
        return Ok(Exit::Good);
    }
    let shelf = args.tables.open()?;
    let wanted = matches!(args.method, None | Some(MethodArg::Table));
    let mut tables = shelf.as_ref().filter(|_| wanted).map(|shelf| shelf.of(&setting.game)).transpose()?;
    let mut from_table = |position: &Position| -> Result<Option<Solution>, Failure> {
        // A table is asked as long as no other method is asked for by name.
        Ok(tables.as_mut().map(|tables| tables.solve(position, !args.no_verify)).transpose()?.flatten())
    };
    if is_stream(&args.position) {
        return each_line(out, |line, out| {
            let position = setting.position(line)?;
            if let Some(solution) = from_table(&position)? {
                return write(args, &setting, &position, solution, out);
            }
            match answer(args, &setting, &position) {
                // A job too large is an answer here: the lines behind it may be smaller.
                Err(SolveError::Stopped(stopped)) => unknown(args, &setting, &position, stopped, out),
                other => write(args, &setting, &position, other?, out),
            }
        });
    }
    let position = setting.position(&args.position)?;
    if let Some(solution) = from_table(&position)? {
        write(args, &setting, &position, solution, out)?;
        return Ok(Exit::Good);
    }
    match answer(args, &setting, &position) {
        Err(SolveError::Stopped(stopped @ Stopped::LimitReached { .. })) => {
            unknown(args, &setting, &position, stopped, out)?;
        }
        other => write(args, &setting, &position, other?, out)?,
    }
    Ok(Exit::Good)
}

fn answer(args: &Args, setting: &Setting, position: &Position) -> Result<Solution, SolveError> {
    let method = args.method.map(Method::from);
    let request = Request { method, verify: !args.no_verify, limits: args.limits.read() };
    solve(&setting.game, position, request, &SolverProgress::default())
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        match error {
            SolveError::Discrepancy(discrepancy) => Failure::Discrepancy(discrepancy.to_string()),
            other => Failure::wrong(other),
        }
    }
}

fn write(
    args: &Args,
    setting: &Setting,
    position: &Position,
    solution: Solution,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let texts = |actions: &[crate::position::Action]| -> Vec<String> {
        actions.iter().map(|&action| setting.game.action_text(action)).collect()
    };
    let solved = Solved {
        position: position.text(&setting.game),
        status: solution.status.name(),
        value: solution.verdict.outcome().name(),
        plies: solution.verdict.plies(),
        best: texts(&solution.best),
        positions: solution.positions,
        method: solution.method.name(),
    };
    match args.format {
        Format::Json => return json_line(out, &solved),
        Format::Csv => return write_csv(args, solved, out),
        Format::Text => {}
    }
    let plies = solved.plies.map(|n| format!(" in {n} {}", if n == 1 { "ply" } else { "plies" })).unwrap_or_default();
    let verified = match solution.verified {
        Some(1) if solution.method == Method::Table => {
            "; derived again with the reference engine from the table's values of the next positions".to_owned()
        }
        Some(n) => format!("; {n} positions derived again with the reference engine"),
        None if solution.method == Method::Mirror => "; by theorem, see the docs of pods::solver".to_owned(),
        None => "; not verified".to_owned(),
    };
    if is_stream(&args.position) {
        return Ok(writeln!(out, "{}{plies} {}", solved.value, solved.best.join(" "))?);
    }
    writeln!(out, "position  {}", solved.position)?;
    writeln!(out, "status    {}", solved.status)?;
    writeln!(out, "value     {}{plies} for {}", solved.value, position.to_move())?;
    if !solved.best.is_empty() {
        writeln!(out, "best      {}", solved.best.join(" "))?;
    }
    if let Some(action) = solution.winning {
        writeln!(out, "wins by   {}", setting.game.action_text(action))?;
    }
    if !solution.line.is_empty() {
        writeln!(out, "line      {}", texts(&solution.line).join(" "))?;
    }
    let s = if solved.positions == 1 { "" } else { "s" };
    Ok(writeln!(out, "method    {}, {} position{s}{verified}", solved.method, solved.positions)?)
}

/// The answer of a job that stopped at a limit.
fn unknown(
    args: &Args,
    setting: &Setting,
    position: &Position,
    stopped: Stopped,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    eprintln!("pods: note: {stopped}");
    let by_rules = if setting.game.rules().can_cycle() { Method::Retrograde } else { Method::Exhaustive };
    let positions = match stopped {
        Stopped::LimitReached { positions } => positions,
        Stopped::WouldNotFit { .. } => 0,
    };
    let solved = Solved {
        position: position.text(&setting.game),
        status: Bitboard::new(setting.game.clone()).status(position).name(),
        value: "unknown",
        plies: None,
        best: Vec::new(),
        positions,
        method: args.method.map_or(by_rules, Method::from).name(),
    };
    match args.format {
        Format::Json => json_line(out, &solved),
        Format::Csv => write_csv(args, solved, out),
        Format::Text => Ok(writeln!(out, "unknown")?),
    }
}

/// The answer as a row; streamed answers have no header, since each must be one line.
fn write_csv(args: &Args, solved: Solved, out: &mut dyn Write) -> Result<(), Failure> {
    let header: &[&str] = &["position", "status", "value", "plies", "best", "positions", "method"];
    let plies = solved.plies.map(|n| n.to_string()).unwrap_or_default();
    let row = vec![
        solved.position,
        solved.status.to_owned(),
        solved.value.to_owned(),
        plies,
        solved.best.join(" "),
        solved.positions.to_string(),
        solved.method.to_owned(),
    ];
    csv_rows(out, if is_stream(&args.position) { &[] } else { header }, [row])
}
