//! `pods solve POSITION --max-plies N`

use std::io::Write;

use super::failure::Failure;
use super::format::{Format, csv_rows, json_line};
use super::progress::SolverProgress;
use crate::engine::{Bitboard, Engine};
use crate::files::record;
use crate::position::{Action, Position, Setup};
use crate::solver::Limits;
use crate::solver::forced::{Forced, forced_win};

/// Forced win that is looked for in every position, and the format of the answer.
pub(super) struct ForcedQuery<'a> {
    /// Within how many plies.
    pub(super) plies: u16,
    pub(super) limits: Limits<'a>,
    pub(super) format: Format,
}

record! {
    /// A forced win as a row for other programs.
    #[derive(Debug)]
    pub(super) struct ForcedLine {
        /// The position's text.
        position: String,
        /// `ongoing`, `white_won` or `black_won`.
        status: &'static str,
        /// `win` for the side to move, or `unknown`.
        value: &'static str,
        /// Plies to the end of the forced win.
        plies: Option<u16>,
        /// The longest defence.
        line: Vec<String>,
        /// Plies within which there is no forced win: below the number asked for if a limit was
        /// reached, empty for a win.
        not_within: Option<u16>,
        /// The method, `forced`.
        method: &'static str,
        /// The first action of the win.
        best: Vec<String>,
    }
}

pub(super) fn answer(
    query: &ForcedQuery<'_>,
    setup: &Setup,
    position: &Position,
    streamed: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let engine = Bitboard::new(setup.game().clone());
    let forced = forced_win(&engine, position, query.plies, query.limits, &SolverProgress::default()).found;
    let text = |action: &Action| action.display(setup.game()).to_string();
    let (value, plies, line, not_within) = match &forced {
        Forced::Win { plies, line, .. } => ("win", Some(*plies), setup.game().texts(line), None),
        Forced::NotWithin(plies) => ("unknown", None, Vec::new(), Some(*plies)),
        Forced::Unknown { not_within, .. } => ("unknown", None, Vec::new(), Some(*not_within)),
    };
    let answered = ForcedLine {
        position: position.display(setup.game()).to_string(),
        status: engine.status(position).name(),
        value,
        plies,
        best: line.first().cloned().into_iter().collect(),
        line,
        not_within,
        method: "forced",
    };
    let said = match &forced {
        Forced::Win { plies, .. } => format!("win in {plies} for {}", position.to_move()),
        Forced::NotWithin(plies) => format!("no forced win within {plies} plies"),
        Forced::Unknown { cause, not_within } => format!("{cause}; no forced win within {not_within} plies"),
    };
    match query.format {
        Format::Json => json_line(out, &answered),
        Format::Csv => csv_rows(out, false, [answered]),
        Format::Text if streamed => Ok(writeln!(out, "{}", format!("{said} {}", answered.line.join(" ")).trim_end())?),
        Format::Text => {
            writeln!(out, "position  {}", answered.position)?;
            writeln!(out, "status    {}", answered.status)?;
            writeln!(out, "answer    {said}")?;
            if let Forced::Win { replies, .. } = &forced {
                writeln!(out, "line      {}", answered.line.join(" "))?;
                for reply in replies {
                    let next = reply.refutation.as_ref().map_or_else(|| "won".to_owned(), text);
                    writeln!(out, "after     {} {next} (win in {})", text(&reply.answer), reply.plies)?;
                }
            }
            Ok(())
        }
    }
}
