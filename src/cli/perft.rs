//! `pods perft`

use std::fmt;
use std::io::Write;

use serde::{Serialize, Serializer};

use super::engines::{EngineKind, engine, play};
use super::failure::{CommandResult, Exit, Failure, interrupted};
use super::format::{Format, csv_rows, json_line};
use super::limits::Stopper;
use super::progress::{Progress, Stoppable};
use super::setup::SetupArgs;
use super::stream::{each_line, is_stream};
use crate::engine::{Engine, Sequences};
use crate::files::{Cell, Thousands, record};
use crate::position::Position;

/// Count the action sequences of exactly a given length.
///
/// A finished game has no sequence but the empty one: it counts 1 at depth 0 and 0 beyond. Counts
/// are remembered by position and depth. From 2^64 on, the answer is "2^64 or more".
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods perft start --depth 3 --board cave16 --pods trio
  pods perft start --depth 2 --divide --board nook9 --pods duo")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions on standard input
    #[arg(value_name = "POSITION")]
    position: String,

    /// Count sequences of this many plies
    #[arg(long, value_name = "N")]
    depth: u32,

    /// Count for each first action, with the total on the last line
    #[arg(long)]
    divide: bool,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Engine that counts
    #[arg(long, value_enum, default_value = "fast")]
    engine: EngineKind,

    #[command(flatten)]
    setup: SetupArgs,
}

struct Perft {
    position: String,
    depth: u32,
    /// `None` if Ctrl-C ended the count.
    nodes: Option<Nodes>,
    /// The first actions that are done, none at depth 0.
    branches: Vec<Branch>,
}

/// A number of sequences; `None` for 2^64 or more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nodes(Option<u64>);

impl Nodes {
    fn plus(self, more: Nodes) -> Nodes {
        Nodes(self.0.zip(more.0).and_then(|(sum, more)| sum.checked_add(more)))
    }
}

impl fmt::Display for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(nodes) => write!(f, "{nodes}"),
            None => f.write_str("2^64 or more"),
        }
    }
}

impl Serialize for Nodes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(nodes) => serializer.serialize_u64(nodes),
            None => serializer.collect_str(self),
        }
    }
}

impl Cell for Nodes {
    fn kind() -> String {
        u64::kind()
    }

    fn cell(&self) -> String {
        self.to_string()
    }
}

impl Perft {
    fn line(self, args: &Args) -> PerftLine {
        let Perft { position, depth, nodes, branches } = self;
        PerftLine { row: PerftRow { position, depth, nodes }, divide: args.divide.then_some(branches) }
    }
}

record! {
    /// A count.
    #[derive(Debug)]
    pub(super) struct PerftRow {
        /// The position's text.
        position: String,
        /// Plies of the sequences.
        depth: u32,
        /// Number of sequences, or `2^64 or more`; empty if Ctrl-C ended the count.
        nodes: Option<Nodes>,
    }
}

#[derive(Debug, Serialize)]
struct PerftLine {
    #[serde(flatten)]
    row: PerftRow,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

record! {
    /// The count after a first action.
    #[derive(Debug)]
    pub(super) struct Branch {
        /// The first action.
        action: String,
        /// Number of sequences that begin with it, or `2^64 or more`.
        nodes: Nodes,
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    if args.divide && args.depth == 0 {
        return Err(Failure::wrong("--divide has no first action to divide by at --depth 0"));
    }
    if args.depth > Sequences::MAX_PLIES {
        let most = Sequences::MAX_PLIES;
        return Err(Failure::wrong(format_args!("--depth {} is too large: the most is {most} plies", args.depth)));
    }
    let setup = args.setup.read()?;
    let engine = engine(args.engine, setup.game());
    if is_stream(&args.position) {
        if args.format == Format::Csv || (args.divide && args.format == Format::Text) {
            return Err(Failure::wrong(
                "a table answers one position: with - use --format json (an object a position)",
            ));
        }
        let stopper = Stopper::new(false)?;
        return each_line(out, |line, out| {
            let perft = perft(&*engine, &setup.parse_position(line)?, args, &stopper)?;
            match (args.format, perft.nodes) {
                (Format::Text | Format::Csv, Some(nodes)) => Ok(writeln!(out, "{nodes}")?),
                _ => json_line(out, &perft.line(args)),
            }
        });
    }
    let position = setup.parse_position(&args.position)?;
    let actions = engine.sorted_actions(&position).len();
    let perft = perft(&*engine, &position, args, &Stopper::new(true)?)?;
    let Some(nodes) = perft.nodes else {
        let done = perft.branches.len();
        let so_far = perft.branches.iter().fold(Nodes(Some(0)), |sum, branch| sum.plus(branch.nodes));
        let so_far = format!("{done} of {actions} actions counted, with {so_far} sequences");
        write_branches(out, args, perft, None)?;
        return interrupted(out, so_far);
    };
    if args.divide || args.format == Format::Json {
        write_branches(out, args, perft, Some(nodes))?;
    } else if args.format == Format::Csv {
        csv_rows(out, true, [perft.line(args).row])?;
    } else {
        writeln!(out, "{nodes}")?;
    }
    Ok(Exit::Good)
}

/// Writes the branches, if they were asked for, with the total if it is known.
fn write_branches(out: &mut dyn Write, args: &Args, perft: Perft, total: Option<Nodes>) -> Result<(), Failure> {
    match args.format {
        Format::Json => json_line(out, &perft.line(args))?,
        _ if !args.divide => {}
        Format::Csv => csv_rows(out, true, perft.branches)?,
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

/// Counts branch by branch, so that progress can be shown.
fn perft(engine: &dyn Engine, position: &Position, args: &Args, stopper: &Stopper) -> Result<Perft, Failure> {
    let game = engine.game();
    let mut perft =
        Perft { position: position.display(game).to_string(), depth: args.depth, nodes: None, branches: Vec::new() };
    if args.depth == 0 {
        perft.nodes = Some(Nodes(Some(engine.perft(position, 0))));
        return Ok(perft);
    }
    let actions = engine.sorted_actions(position);
    let progress = Progress::new("perft", "actions");
    let mut sequences = Sequences::new(engine);
    let tell = |_, done: u64, _| {
        if done.is_multiple_of(64) {
            progress.detail(format_args!("{} positions looked at", Thousands(done.into())));
        }
    };
    let observer = Stoppable { tell, stopper };
    let mut sum = Nodes(Some(0));
    for &action in &actions {
        progress.update(perft.branches.len() as u64, Some(actions.len() as u64));
        let next = play(engine, position, action)?.next;
        let Ok(nodes) = sequences.count(&next, args.depth - 1, &observer) else { return Ok(perft) };
        if stopper.is_set() {
            return Ok(perft);
        }
        sum = sum.plus(Nodes(nodes));
        perft.branches.push(Branch { action: action.display(game).to_string(), nodes: Nodes(nodes) });
    }
    perft.nodes = Some(sum);
    Ok(perft)
}
