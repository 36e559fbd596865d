//! `pods perft`

use std::io::Write;

use serde::Serialize;

use super::engines::{EngineKind, engine, play};
use super::failure::{Exit, Failure, Outcome};
use super::format::{Format, csv_rows, json_line};
use super::progress::Progress;
use super::setup::SetupArgs;
use super::stream::{each_line, is_stream};
use crate::engine::Engine;
use crate::position::Position;

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

#[derive(Debug, Serialize)]
struct Perft {
    position: String,
    depth: u32,
    nodes: u64,
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
        return each_line(out, |line, out| {
            let perft = perft(&*engine, &setting.position(line)?, args)?;
            match args.format {
                Format::Json => json_line(out, &perft),
                Format::Text | Format::Csv => Ok(writeln!(out, "{}", perft.nodes)?),
            }
        });
    }
    let perft = perft(&*engine, &setting.position(&args.position)?, args)?;
    match (args.format, perft.divide) {
        (Format::Json, divide) => json_line(out, &Perft { divide, ..perft })?,
        (Format::Csv, None) => {
            let row = vec![perft.position, perft.depth.to_string(), perft.nodes.to_string()];
            csv_rows(out, &["position", "depth", "nodes"], [row])?;
        }
        (Format::Csv, Some(branches)) => {
            let row = |branch: Branch| vec![branch.action, branch.nodes.to_string()];
            csv_rows(out, &["action", "nodes"], branches.into_iter().map(row))?;
        }
        (Format::Text, None) => writeln!(out, "{}", perft.nodes)?,
        (Format::Text, Some(branches)) => {
            for branch in branches {
                writeln!(out, "{} {}", branch.action, branch.nodes)?;
            }
            writeln!(out, "total {}", perft.nodes)?;
        }
    }
    Ok(Exit::Good)
}

/// Counts branch by branch, so that progress can be shown.
fn perft(engine: &dyn Engine, position: &Position, args: &Args) -> Result<Perft, Failure> {
    let game = engine.game();
    let text = position.text(game);
    if args.depth == 0 {
        return Ok(Perft { position: text, depth: 0, nodes: engine.perft(position, 0), divide: None });
    }
    let actions = engine.actions(position);
    let progress = Progress::new("perft", "actions");
    let mut branches = Vec::with_capacity(actions.len());
    for &action in &actions {
        progress.update(branches.len() as u64, Some(actions.len() as u64));
        let next = play(engine, position, action)?.next;
        branches.push(Branch { action: game.action_text(action), nodes: engine.perft(&next, args.depth - 1) });
    }
    let nodes = branches.iter().try_fold(0_u64, |sum, branch| sum.checked_add(branch.nodes));
    let nodes = nodes.ok_or_else(|| Failure::wrong("the count does not fit into 64 bits: choose a smaller --depth"))?;
    Ok(Perft { position: text, depth: args.depth, nodes, divide: args.divide.then_some(branches) })
}
