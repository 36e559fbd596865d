//! `pods moves`

use std::io::Write;

use serde::Serialize;

use super::engines::{EngineKind, engine, play};
use super::failure::{CommandResult, Exit, Failure};
use super::format::{Format, csv_rows, json_line};
use super::setup::SetupArgs;
use super::stream::{each_line, is_stream};
use crate::engine::{Engine, Status};
use crate::files::{Cell, record};
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
    /// For people: for each action, the side that has won by it.
    #[serde(skip)]
    ends: Vec<Option<String>>,
}

record! {
    /// A legal action.
    #[derive(Debug)]
    pub(super) struct ListedAction {
        /// The action.
        action: String,
        /// The position after it.
        position: String,
        /// Pods captured and back in the hand of who takes the action (R18).
        returned: Captured,
        /// Pods captured and out of the game.
        removed: Captured,
    }
}

/// Letters of pods; in CSV without blanks between them.
#[derive(Debug, Serialize)]
struct Captured(Vec<String>);

impl Cell for Captured {
    fn kind() -> String {
        String::kind()
    }

    fn cell(&self) -> String {
        self.0.concat()
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    let engine = engine(args.engine, setup.game());
    if is_stream(&args.position) {
        if args.format == Format::Csv {
            return Err(Failure::wrong(
                "--format csv answers one position: with - use --format json (an object a position) or text",
            ));
        }
        return each_line(out, |line, out| {
            let moves = moves(&*engine, &setup.parse_position(line)?)?;
            match args.format {
                Format::Json => json_line(out, &moves),
                Format::Text | Format::Csv => {
                    let actions: String = moves.actions.iter().map(|entry| format!(" {}", entry.action)).collect();
                    Ok(writeln!(out, "{}{actions}", moves.status)?)
                }
            }
        });
    }
    let position = setup.parse_position(&args.position)?;
    let moves = moves(&*engine, &position)?;
    match args.format {
        Format::Json => json_line(out, &moves)?,
        Format::Csv => csv_rows(out, true, moves.actions)?,
        Format::Text => text(out, &position, &moves)?,
    }
    Ok(Exit::Good)
}

fn moves(engine: &dyn Engine, position: &Position) -> Result<Moves, Failure> {
    let game = engine.game();
    let (mut actions, mut ends) = (Vec::new(), Vec::new());
    for action in engine.sorted_actions(position) {
        let transition = play(engine, position, action)?;
        ends.push(match engine.status(&transition.next) {
            Status::Ongoing => None,
            Status::Won(side) => Some(format!("{side} wins")),
        });
        actions.push(ListedAction {
            action: action.display(game).to_string(),
            position: transition.next.display(game).to_string(),
            returned: Captured(game.pods().ids(&transition.returned)),
            removed: Captured(game.pods().ids(&transition.removed)),
        });
    }
    Ok(Moves { position: position.display(game).to_string(), status: engine.status(position).name(), actions, ends })
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
    for (entry, ends) in moves.actions.iter().zip(&moves.ends) {
        let fates = fates([&entry.returned.0, &entry.removed.0]);
        let notes: Vec<String> = fates.chain(ends.clone()).collect();
        writeln!(out, "{}", format_args!("{:width$}  {}", entry.action, notes.join(", ")).to_string().trim_end())?;
    }
    Ok(())
}

/// Says what becomes of the mover's and of the opponent's pods that an action takes off the board.
pub(super) fn fates(ids: [impl AsRef<[String]>; 2]) -> impl Iterator<Item = String> {
    let taken = ids.into_iter().zip(["back to hand", "out of the game"]);
    taken.filter(|(ids, _)| !ids.as_ref().is_empty()).map(|(ids, fate)| format!("{} {fate}", ids.as_ref().join(" ")))
}
