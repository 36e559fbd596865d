//! `pods moves`

use std::io::Write;

use serde::Serialize;

use super::engines::{EngineKind, engine, play};
use super::failure::{Exit, Failure, Outcome};
use super::format::{Format, csv_rows, json_line};
use super::setup::SetupArgs;
use super::stream::{each_line, is_stream};
use crate::engine::{Engine, Status};
use crate::material::{PodKind, PodSet};
use crate::position::Position;

/// List the legal actions of a position, and the position that each leads to.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods moves start --board nook9 --pods duo
  pods moves '3/1B1/2q w dt bt -' --board nook9 --rules advanced --format json
  pods moves - --format json < positions.txt

From standard input, each answer in text is one line: the status and the actions.")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions on standard input
    #[arg(value_name = "POSITION")]
    position: String,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Engine that answers
    #[arg(long, value_enum, default_value = "reference")]
    engine: EngineKind,

    #[command(flatten)]
    setup: SetupArgs,
}

/// The line of an oracle set, without what a solver adds.
#[derive(Debug, Serialize)]
struct Moves {
    position: String,
    status: &'static str,
    actions: Vec<ListedAction>,
}

#[derive(Debug, Serialize)]
struct ListedAction {
    action: String,
    position: String,
    returned: Vec<String>,
    removed: Vec<String>,
    /// Side that has won by it.
    #[serde(skip)]
    ends: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let setup = args.setup.read()?;
    let engine = engine(args.engine, setup.game());
    if is_stream(&args.position) {
        if args.format == Format::Csv {
            return Err(Failure::wrong("a CSV answer is more than a line: with - use --format json or text"));
        }
        return each_line(out, |line, out| {
            let moves = moves(&*engine, &setup.position(line)?)?;
            match args.format {
                Format::Json => json_line(out, &moves),
                Format::Text | Format::Csv => {
                    let actions: String = moves.actions.iter().map(|entry| format!(" {}", entry.action)).collect();
                    Ok(writeln!(out, "{}{actions}", moves.status)?)
                }
            }
        });
    }
    let position = setup.position(&args.position)?;
    let moves = moves(&*engine, &position)?;
    match args.format {
        Format::Json => json_line(out, &moves)?,
        Format::Csv => {
            let row = |e: ListedAction| vec![e.action, e.position, e.returned.concat(), e.removed.concat()];
            csv_rows(out, &["action", "position", "returned", "removed"], moves.actions.into_iter().map(row))?;
        }
        Format::Text => text(out, &position, &moves)?,
    }
    Ok(Exit::Good)
}

fn moves(engine: &dyn Engine, position: &Position) -> Result<Moves, Failure> {
    let game = engine.game();
    let entry = |action| {
        let transition = play(engine, position, action)?;
        Ok(ListedAction {
            action: game.action_text(action),
            position: transition.next.text(game),
            returned: ids(game.pods(), &transition.returned),
            removed: ids(game.pods(), &transition.removed),
            ends: match engine.status(&transition.next) {
                Status::Ongoing => None,
                Status::Won(side) => Some(format!("{side} wins")),
            },
        })
    };
    Ok(Moves {
        position: position.text(game),
        status: engine.status(position).name(),
        actions: engine.actions(position).into_iter().map(entry).collect::<Result<_, Failure>>()?,
    })
}

/// Returns the letters of pods, one text each.
pub(super) fn ids(pods: &PodSet, kinds: &[PodKind]) -> Vec<String> {
    kinds.iter().map(|&kind| pods.id(kind).to_string()).collect()
}

fn text(out: &mut dyn Write, position: &Position, moves: &Moves) -> Result<(), Failure> {
    let count = moves.actions.len();
    if count == 0 {
        return Ok(writeln!(out, "{}", moves.status)?);
    }
    writeln!(
        out,
        "{}, {} to move, {count} action{}",
        moves.status,
        position.to_move(),
        if count == 1 { "" } else { "s" }
    )?;
    let width = moves.actions.iter().map(|entry| entry.action.len()).max().unwrap_or(0);
    for entry in &moves.actions {
        let mut notes = Vec::new();
        if !entry.returned.is_empty() {
            notes.push(format!("{} back to hand", entry.returned.join(" ")));
        }
        if !entry.removed.is_empty() {
            notes.push(format!("{} out of the game", entry.removed.join(" ")));
        }
        notes.extend(entry.ends.clone());
        writeln!(out, "{}", format_args!("{:width$}  {}", entry.action, notes.join(", ")).to_string().trim_end())?;
    }
    Ok(())
}
