//! `pods table probe`

use std::io::Write;

use serde::Serialize;

use super::TableArg;
use crate::cli::failure::{CommandResult, Exit, Failure};
use crate::cli::format::{Format, csv_rows, json_line};
use crate::cli::stream::{each_line, is_stream};
use crate::files::record;
use crate::position::{Action, Position};
use crate::solver::Value;
use crate::table::{Reader, Table};

/// Look up a position: its value and distance, and those of every action.
///
/// Values are for the side to move; the value of an action is for the player who takes it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods table probe small start
  pods table probe small '4/4/4/4 b bdt bdt -' --format json
  pods table probe small - --format csv < positions.txt")]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArg,

    /// A position's text, `start`, or `-` for positions on standard input
    #[arg(value_name = "POSITION")]
    position: String,

    /// Format of the answer; csv has a row for the position, json has its actions too, and from
    /// standard input text is the value alone
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

record! {
    /// A position and its value in a table.
    pub(in crate::cli) struct ProbedRow {
        /// The position's text.
        position: String,
        /// `ongoing`, `white_won` or `black_won`.
        status: &'static str,
        /// `win`, `draw` or `loss` for the side to move.
        value: &'static str,
        /// Plies to the end; empty for a draw.
        plies: Option<u16>,
        /// All actions that keep value and distance.
        best: Vec<String>,
    }
}

#[derive(Serialize)]
struct ProbeLine {
    #[serde(flatten)]
    row: ProbedRow,
    actions: Vec<ActionLine>,
}

#[derive(Serialize)]
struct ActionLine {
    action: String,
    position: String,
    value: &'static str,
    plies: Option<u16>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let table = args.table.open()?;
    let mut reader = table.reader()?;
    if args.format == Format::Csv {
        csv_rows::<ProbedRow>(out, true, [])?;
    }
    if is_stream(&args.position) {
        return each_line(out, |line, out| {
            let position = read(&table, line)?;
            match args.format {
                Format::Text => Ok(writeln!(out, "{}", reader.value(&position)?)?),
                Format::Csv => csv_rows(out, false, [answer(&mut reader, &position)?.row]),
                Format::Json => json_line(out, &answer(&mut reader, &position)?),
            }
        });
    }
    let position = read(&table, &args.position)?;
    let line = answer(&mut reader, &position)?;
    match args.format {
        Format::Json => json_line(out, &line)?,
        Format::Csv => csv_rows(out, false, [line.row])?,
        Format::Text => {
            writeln!(out, "{} for {}", reader.value(&position)?, position.to_move())?;
            for action in line.actions {
                let best = if line.row.best.contains(&action.action) { " best" } else { "" };
                match action.plies {
                    Some(plies) => writeln!(out, "{} {} in {plies}{best}", action.action, action.value)?,
                    None => writeln!(out, "{} {}{best}", action.action, action.value)?,
                }
            }
        }
    }
    Ok(Exit::Good)
}

fn read(table: &Table, text: &str) -> Result<Position, Failure> {
    table.setup().parse_position(text).map_err(Failure::wrong)
}

fn answer(reader: &mut Reader<'_>, position: &Position) -> Result<ProbeLine, Failure> {
    let (table, probe) = (reader.table(), reader.probe(position)?);
    let game = table.game();
    let best = probe
        .actions
        .iter()
        .filter(|(_, value)| *value == probe.value)
        .map(|&(a, _): &(Action, _)| a.display(game).to_string())
        .collect();
    let action = |(action, value): &(Action, Value)| ActionLine {
        action: action.display(game).to_string(),
        position: table.after(position, *action).display(game).to_string(),
        value: value.outcome().name(),
        plies: value.plies(),
    };
    let row = ProbedRow {
        position: position.display(game).to_string(),
        status: probe.status.name(),
        value: probe.value.outcome().name(),
        plies: probe.value.plies(),
        best,
    };
    Ok(ProbeLine { row, actions: probe.actions.iter().map(action).collect() })
}
