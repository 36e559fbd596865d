//! `pods table stats`

use std::io::Write;

use super::TableArg;
use super::plan::alive_text;
use crate::cli::failure::{Exit, Failure, Outcome};
use crate::cli::format::{Format, csv_records, json_line};
use crate::material::Side;
use crate::position::{Action, Position};
use crate::solver::{Plies, Thousands};
use crate::table::{Counts, Place, Reader};

/// Count wins, losses and draws, and show the longest wins and losses, tier by tier.
///
/// The longest win of each tier comes with a line of best play. Counts are for the side to move and
/// of the positions that the table holds. Open positions are not counted, nor are those with
/// blocked pods where no action leads to one.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods table stats small
  pods table stats small --format csv > small.csv")]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArg,

    /// Format of the counts; csv and json have a row for each tier and side to move
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(serde::Serialize)]
struct Row {
    white: String,
    black: String,
    to_move: &'static str,
    positions: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    longest_win: Option<Plies>,
    longest_win_position: Option<String>,
    longest_loss: Option<Plies>,
    longest_loss_position: Option<String>,
    longest_win_line: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let table = args.table.open()?;
    let index = table.index();
    let mut reader = table.reader()?;
    let mut rows = Vec::new();
    let mut total = [Counts::default(), Counts::default()];
    for (number, tier) in index.tiers().iter().enumerate() {
        for ((side, counts), total) in Side::BOTH.into_iter().zip(table.counts(number)?).zip(&mut total) {
            *total = std::mem::take(total).plus(&counts);
            let names = Side::BOTH.map(|of| alive_text(table.game().pods(), index, tier.alive(), of));
            rows.push(row(&mut reader, names, side, &counts)?);
        }
    }
    match args.format {
        Format::Text => {
            for (side, counts) in Side::BOTH.into_iter().zip(&total) {
                rows.push(row(&mut reader, ["all", "all"].map(str::to_owned), side, counts)?);
            }
            for r in rows {
                writeln!(
                    out,
                    "{} {} {}: {} positions, {} won, {} lost, {} drawn",
                    r.white,
                    r.black,
                    r.to_move,
                    Thousands(r.positions.into()),
                    Thousands(r.wins.into()),
                    Thousands(r.losses.into()),
                    Thousands(r.draws.into())
                )?;
                for (what, plies, position, line) in [
                    ("win", r.longest_win, r.longest_win_position, r.longest_win_line),
                    ("loss", r.longest_loss, r.longest_loss_position, None),
                ] {
                    if let (Some(plies), Some(position)) = (plies, position) {
                        writeln!(out, "  longest {what} {plies} plies: {position}")?;
                    }
                    if let Some(line) = line {
                        writeln!(out, "    {line}")?;
                    }
                }
            }
        }
        Format::Csv => csv_records(out, true, rows)?,
        Format::Json => {
            for row in rows {
                json_line(out, &row)?;
            }
        }
    }
    Ok(Exit::Good)
}

/// Returns a row, and with it the way from its longest win to the end.
fn row(reader: &mut Reader<'_>, [white, black]: [String; 2], side: Side, counts: &Counts) -> Result<Row, Failure> {
    let table = reader.table();
    let at = |longest: Option<(Plies, Place)>| longest.and_then(|(_, place)| table.position(place, side));
    let text = |position: &Option<Position>| position.as_ref().map(|p| p.text(table.game()));
    let (win, loss) = (at(counts.longest_win), at(counts.longest_loss));
    let line = win.as_ref().map(|position| reader.line(position)).transpose()?;
    let notation = |line: Vec<Action>| {
        let texts: Vec<String> = line.into_iter().map(|action| table.game().action_text(action)).collect();
        texts.join(" ")
    };
    Ok(Row {
        white,
        black,
        to_move: if side == Side::White { "w" } else { "b" },
        positions: counts.positions(),
        wins: counts.wins,
        losses: counts.losses,
        draws: counts.draws,
        longest_win: counts.longest_win.map(|(plies, _)| plies),
        longest_win_position: text(&win),
        longest_win_line: line.map(notation),
        longest_loss: counts.longest_loss.map(|(plies, _)| plies),
        longest_loss_position: text(&loss),
    })
}
