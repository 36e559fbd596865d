//! `pods solve POSITION --every-action`: how the answer is written.

use std::io::{BufReader, Write};
use std::path::Path;

use super::failure::Failure;
use super::format::{Format, csv_rows, json_rows};
use super::limits::with_way_out;
use super::terminal::note;
use crate::answer::AfterAction;
use crate::engine::{Bitboard, Engine as _, Reference};
use crate::files::{Thousands, count, open, record};
use crate::position::{Action, Position, Setup};
use crate::solver::{Finding, Outcome, Verdict};

record! {
    /// An action as a row for other programs.
    #[derive(Debug)]
    pub(super) struct ActionRow {
        /// The action.
        action: String,
        /// `win`, `draw` or `loss` for the side that takes the action, or `unknown`.
        value: &'static str,
        /// Plies to the end, counted from before the action, where they are known.
        plies: Option<u16>,
        /// Reply that wins for the other side, where it is known.
        reply: Option<String>,
        /// Positions that the method went through, or nodes of a search.
        positions: u64,
        /// The method.
        method: &'static str,
        /// The limit that left the value open.
        stopped: Option<String>,
        /// The position after the action.
        position: String,
    }
}

impl ActionRow {
    fn new(setup: &Setup, one: &AfterAction) -> ActionRow {
        let (solved, stopped) = match &one.finding {
            Finding::Solved(solution) => (Some(solution), None),
            Finding::Unknown(unsolved) => (None, Some(with_way_out(&unsolved.stopped))),
        };
        let reply = solved
            .filter(|_| one.outcome() == Some(Outcome::Loss))
            .and_then(|solution| solution.winning.or_else(|| solution.best.as_ref()?.first().copied()));
        ActionRow {
            action: one.action.display(setup.game()).to_string(),
            value: one.outcome().map_or("unknown", Outcome::name),
            plies: one.verdict().and_then(Verdict::plies),
            reply: reply.map(|action| action.display(setup.game()).to_string()),
            positions: one.positions,
            method: one.finding.method().name(),
            stopped,
            position: one.next.display(setup.game()).to_string(),
        }
    }

    /// Formats the action for people.
    fn text(&self) -> String {
        let plies = self.plies.map(|plies| format!(" in {plies}")).unwrap_or_default();
        let reply = self.reply.as_ref().map(|reply| format!(" by {reply}")).unwrap_or_default();
        format!("{:9} {}{plies}{reply}", self.action, self.value)
    }
}

/// Returns the actions that are asked for, of a position; `None` for all.
///
/// # Errors
///
/// If one is not an action of this game, or not legal; the message says why.
pub(super) fn only(
    setup: &Setup,
    position: &Position,
    texts: Option<&[String]>,
) -> Result<Option<Vec<Action>>, Failure> {
    let Some(texts) = texts else { return Ok(None) };
    let engine = Reference::new(setup.game().clone());
    let read = |text: &String| {
        let action = setup.parse_action(text).map_err(|error| Failure::wrong(format!("--only: {error}")))?;
        match engine.turn(position, action) {
            Ok(_) => Ok(action),
            Err(illegal) => Err(Failure::wrong(format!("--only {text}: {}", illegal.explain(setup.game(), action)))),
        }
    };
    texts.iter().map(read).collect::<Result<_, _>>().map(Some)
}

/// Reads actions, and what refutes each, from a file with such columns; rows without a reply say
/// nothing.
///
/// # Errors
///
/// If the file cannot be read, is no such table, or names an action that this game does not have;
/// the message says where.
pub(super) fn replies(setup: &Setup, path: &Path) -> Result<Vec<(Action, Action)>, Failure> {
    let at = |failure: Failure| failure.at(path.display());
    let file = open(path).map_err(|error| at(Failure::wrong(error)))?;
    let mut reader = csv::Reader::from_reader(BufReader::new(file));
    let not_so = |error: csv::Error| at(Failure::wrong(describe_fault(&error)));
    let header = reader.headers().map_err(not_so)?;
    let [Some(action), Some(reply)] = ["action", "reply"].map(|name| header.iter().position(|column| column == name))
    else {
        return Err(at(Failure::wrong("line 1: the columns action and reply are wanted")));
    };
    let mut replies = Vec::new();
    for record in reader.records() {
        let record = record.map_err(not_so)?;
        if record[reply].is_empty() {
            continue;
        }
        let line = record.position().map_or(0, csv::Position::line);
        let read = |column: usize| {
            let read = setup.game().parse_action(&record[column]);
            read.map_err(|error| at(Failure::wrong(format_args!("line {line}: {error}"))))
        };
        replies.push((read(action)?, read(reply)?));
    }
    Ok(replies)
}

/// Says what is wrong with a table.
fn describe_fault(error: &csv::Error) -> String {
    let line = error.position().map_or(1, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let columns = count(*len, "column");
            format!("line {line}: this row has {columns}, and the first line {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => format!("line {line}: this is not UTF-8"),
        _ => error.to_string(),
    }
}

/// Writes who wins after each action.
pub(super) fn write(
    setup: &Setup,
    position: &Position,
    found: &[AfterAction],
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let lines = found.iter().map(|one| ActionRow::new(setup, one));
    if found.is_empty() && format != Format::Text {
        note("the game is over, so there are no actions");
    }
    match format {
        Format::Json => json_rows(out, lines),
        Format::Csv => csv_rows(out, true, lines),
        Format::Text => {
            writeln!(out, "position  {}", position.display(setup.game()))?;
            writeln!(out, "value     {}", summary(setup, position, found))?;
            let mut stopped = Vec::new();
            for line in lines {
                writeln!(out, "{}", line.text())?;
                stopped.extend(line.stopped);
            }
            if let Some(last) = stopped.last() {
                writeln!(out, "unknown   {} of {}: {last}", stopped.len(), found.len())?;
            }
            let sum: u64 = found.iter().map(|one| one.positions).sum();
            Ok(writeln!(out, "positions {}", Thousands(sum.into()))?)
        }
    }
}

/// Returns the value of the position, as far as those of its actions give it.
fn summary(setup: &Setup, position: &Position, found: &[AfterAction]) -> String {
    let count = |outcome| found.iter().filter(|one| one.outcome() == outcome).count();
    let [wins, draws, losses, unknown] =
        [Some(Outcome::Win), Some(Outcome::Draw), Some(Outcome::Loss), None].map(count);
    let left_out = Bitboard::new(setup.game().clone()).sorted_actions(position).len() - found.len();
    let value = match () {
        () if found.is_empty() => "the game is over",
        () if wins > 0 => "win",
        () if unknown + left_out > 0 => "unknown",
        () if draws > 0 => "draw",
        () => "loss",
    };
    let side = position.to_move();
    let rest = if left_out > 0 { format!(", {left_out} not asked for") } else { String::new() };
    format!("{value} for {side}: {wins} actions win, {draws} draw, {losses} lose, {unknown} unknown{rest}")
}
