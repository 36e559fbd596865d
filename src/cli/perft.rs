//! `pods perft`

use std::io::Write;

use serde::Serialize;

use super::engines::{EngineKind, engine, play};
use super::failure::{Exit, Failure, Outcome, interrupted};
use super::format::{Format, csv_rows, json_line};
use super::limits::Stopper;
use super::progress::Progress;
use super::setup::SetupArgs;
use super::stream::{each_line, is_stream};
use crate::engine::Engine;
use crate::position::Position;
use crate::solver::Thousands;

/// Counts the action sequences of exactly that length.
///
/// A finished game has none to add: it counts 1 at depth 0 and 0 beyond.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods perft start --depth 3 --board cave16 --pods trio
  pods perft start --depth 2 --divide --board nook9 --pods duo")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions on standard input
    #[arg(value_name = "POSITION")]
    position: String,

    /// Length of the sequences, in plies
    #[arg(long, value_name = "N")]
    depth: u32,

    /// A line for each first action, and the total on the last line
    #[arg(long)]
    divide: bool,

    /// How to write the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Which engine counts
    #[arg(long, value_enum, default_value = "fast")]
    engine: EngineKind,

    #[command(flatten)]
    setup: SetupArgs,
}

/// What was counted.
struct Perft {
    position: String,
    depth: u32,
    /// `None` if Ctrl-C ended the count.
    nodes: Option<u64>,
    /// The first actions that are done, none at depth 0.
    branches: Vec<Branch>,
}

impl Perft {
    fn line(self, args: &Args) -> Line {
        let Perft { position, depth, nodes, branches } = self;
        Line { position, depth, nodes, divide: args.divide.then_some(branches) }
    }
}

#[derive(Debug, Serialize)]
struct Line {
    position: String,
    depth: u32,
    /// `null` if Ctrl-C ended the count.
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

#[derive(Debug, Serialize)]
struct Branch {
    action: String,
    nodes: u64,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    if args.divide && args.depth == 0 {
        return Err(Failure::wrong("--divide has no first action to divide by at --depth 0"));
    }
    let setting = args.setup.read()?;
    let engine = engine(args.engine, &setting.game);
    if is_stream(&args.position) {
        if args.format == Format::Csv || (args.divide && args.format == Format::Text) {
            return Err(Failure::wrong("this answer is more than a line: with - use --format json"));
        }
        let stopper = Stopper::new(false)?;
        return each_line(out, |line, out| {
            let perft = perft(&*engine, &setting.position(line)?, args, &stopper)?;
            match (args.format, perft.nodes) {
                (Format::Text | Format::Csv, Some(nodes)) => Ok(writeln!(out, "{nodes}")?),
                _ => json_line(out, &perft.line(args)),
            }
        });
    }
    let position = setting.position(&args.position)?;
    let actions = engine.actions(&position).len();
    let perft = perft(&*engine, &position, args, &Stopper::new(true)?)?;
    let Some(nodes) = perft.nodes else {
        let done = perft.branches.len();
        let so_far = perft.branches.iter().map(|branch| u128::from(branch.nodes)).sum();
        let so_far = format!("{done} of {actions} actions counted, with {} sequences", Thousands(so_far));
        write_branches(out, args, perft, None)?;
        return interrupted(out, so_far);
    };
    if args.divide || args.format == Format::Json {
        write_branches(out, args, perft, Some(nodes))?;
    } else if args.format == Format::Csv {
        let row = vec![perft.position, perft.depth.to_string(), nodes.to_string()];
        csv_rows(out, &["position", "depth", "nodes"], [row])?;
    } else {
        writeln!(out, "{nodes}")?;
    }
    Ok(Exit::Good)
}

/// Writes the branches, if they were asked for, with the total if it is known.
fn write_branches(out: &mut dyn Write, args: &Args, perft: Perft, total: Option<u64>) -> Result<(), Failure> {
    match args.format {
        Format::Json => json_line(out, &perft.line(args))?,
        _ if !args.divide => {}
        Format::Csv => {
            let row = |branch: Branch| vec![branch.action, branch.nodes.to_string()];
            csv_rows(out, &["action", "nodes"], perft.branches.into_iter().map(row))?;
        }
        Format::Text => {
            for branch in perft.branches {
                writeln!(out, "{} {}", branch.action, branch.nodes)?;
            }
            if let Some(total) = total {
                writeln!(out, "total {total}")?;
            }
        }
    }
    Ok(())
}

/// The sequences of a length from a position, a ply at a time down to two, so that Ctrl-C is seen soon.
fn count(engine: &dyn Engine, position: &Position, depth: u32, stopper: &Stopper) -> Result<Option<u64>, Failure> {
    if depth <= 2 {
        return Ok((!stopper.is_set()).then(|| engine.perft(position, depth)));
    }
    let mut sum = 0;
    for action in engine.actions(position) {
        let Some(nodes) = count(engine, &play(engine, position, action)?.next, depth - 1, stopper)? else {
            return Ok(None);
        };
        sum = add(sum, nodes)?;
    }
    Ok(Some(sum))
}

fn add(sum: u64, nodes: u64) -> Result<u64, Failure> {
    let too_many = || Failure::wrong("the count does not fit into 64 bits: choose a smaller --depth");
    sum.checked_add(nodes).ok_or_else(too_many)
}

/// Counts branch by branch, so that progress can be shown.
fn perft(engine: &dyn Engine, position: &Position, args: &Args, stopper: &Stopper) -> Result<Perft, Failure> {
    let game = engine.game();
    let mut perft = Perft { position: position.text(game), depth: args.depth, nodes: None, branches: Vec::new() };
    if args.depth == 0 {
        perft.nodes = Some(engine.perft(position, 0));
        return Ok(perft);
    }
    let actions = engine.actions(position);
    let progress = Progress::new("perft", "actions");
    let mut sum = 0;
    for &action in &actions {
        progress.update(perft.branches.len() as u64, Some(actions.len() as u64));
        let next = play(engine, position, action)?.next;
        let Some(nodes) = count(engine, &next, args.depth - 1, stopper)? else { return Ok(perft) };
        sum = add(sum, nodes)?;
        perft.branches.push(Branch { action: game.action_text(action), nodes });
    }
    perft.nodes = Some(sum);
    Ok(perft)
}
