//! `pods table stats`

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use super::TableArg;
use super::plan::alive_text;
use crate::cli::failure::{CommandResult, Exit, Failure};
use crate::cli::format::{Format, csv_rows, json_rows};
use crate::cli::progress::Progress;
use crate::files::{Thousands, record};
use crate::material::Side;
use crate::position::Position;
use crate::solver::Plies;
use crate::table::{Counts, Place, Reader};

/// Count wins, losses and draws, and show the longest wins and losses, tier by tier.
///
/// The longest win of each tier comes with a line of best play. Counts are for the side to move and
/// of the positions that the table holds. Left out are those that an empty hand has won, open ones,
/// and, where captures follow every action, those with blocked pods where no action leads to one.
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

record! {
    /// Counts of a tier with one side to move.
    pub(in crate::cli) struct StatsRow {
        /// White's pods in the game.
        white: String,
        /// Black's pods in the game.
        black: String,
        /// Side to move: `w` or `b`.
        to_move: &'static str,
        /// Positions that the table holds.
        positions: u64,
        /// Those that the side to move wins.
        wins: u64,
        /// Those that it loses.
        losses: u64,
        /// Those that are drawn.
        draws: u64,
        /// Plies of the longest win.
        longest_win: Option<Plies>,
        /// A position with that win.
        longest_win_position: Option<String>,
        /// Plies of the longest loss.
        longest_loss: Option<Plies>,
        /// A position with that loss.
        longest_loss_position: Option<String>,
        /// Best play from the position of the longest win to the end.
        longest_win_line: Option<String>,
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let table = args.table.open()?;
    let index = table.index();
    let mut reader = table.reader()?;
    let mut rows = Vec::new();
    let mut total = [Counts::default(), Counts::default()];
    let (progress, far) = (Progress::new("count", "rows"), AtomicU64::new(0));
    let all = index.tiers().iter().map(|tier| tier.rows()).sum();
    let counted = |rows| progress.update(far.fetch_add(rows, Ordering::Relaxed) + rows, Some(all));
    for (number, tier) in index.tiers().iter().enumerate() {
        for ((side, counts), total) in Side::BOTH.into_iter().zip(table.counts(number, &counted)?).zip(&mut total) {
            *total = std::mem::take(total).plus(&counts);
            let names = Side::BOTH.map(|of| alive_text(table.game().pods(), index, tier.alive(), of));
            rows.push(row(&mut reader, names, side, &counts)?);
        }
    }
    drop(progress);
    match args.format {
        Format::Text => {
            for (side, counts) in Side::BOTH.into_iter().zip(&total) {
                rows.push(row(&mut reader, ["all", "all"].map(str::to_owned), side, counts)?);
            }
            writeln!(out, "white's pods, black's pods, side to move: positions")?;
            for r in rows {
                writeln!(
                    out,
                    "{} {} {}: {}, {} won, {} lost, {} drawn",
                    r.white,
                    r.black,
                    r.to_move,
                    if r.positions == 1 {
                        "1 position".to_owned()
                    } else {
                        format!("{} positions", Thousands(r.positions.into()))
                    },
                    Thousands(r.wins.into()),
                    Thousands(r.losses.into()),
                    Thousands(r.draws.into())
                )?;
                for (what, plies, position, line) in [
                    ("win", r.longest_win, r.longest_win_position, r.longest_win_line),
                    ("loss", r.longest_loss, r.longest_loss_position, None),
                ] {
                    if let (Some(plies), Some(position)) = (plies, position) {
                        let s = if plies == 1 { "y" } else { "ies" };
                        writeln!(out, "  longest {what} {plies} pl{s}: {position}")?;
                    }
                    if let Some(line) = line {
                        writeln!(out, "    {line}")?;
                    }
                }
            }
        }
        Format::Csv => csv_rows(out, true, rows)?,
        Format::Json => json_rows(out, rows)?,
    }
    Ok(Exit::Good)
}

/// Returns a row, and with it the way from its longest win to the end.
fn row(reader: &mut Reader<'_>, [white, black]: [String; 2], side: Side, counts: &Counts) -> Result<StatsRow, Failure> {
    let table = reader.table();
    let at = |longest: Option<(Plies, Place)>| longest.and_then(|(_, place)| table.position(place, side));
    let text = |position: &Option<Position>| position.as_ref().map(|p| p.display(table.game()).to_string());
    let (win, loss) = (at(counts.longest_win), at(counts.longest_loss));
    let line = win.as_ref().map(|position| reader.line(position)).transpose()?;
    Ok(StatsRow {
        white,
        black,
        to_move: if side == Side::White { "w" } else { "b" },
        positions: counts.positions(),
        wins: counts.wins,
        losses: counts.losses,
        draws: counts.draws,
        longest_win: counts.longest_win.map(|(plies, _)| plies),
        longest_win_position: text(&win),
        longest_win_line: line.map(|line| table.game().texts(&line).join(" ")),
        longest_loss: counts.longest_loss.map(|(plies, _)| plies),
        longest_loss_position: text(&loss),
    })
}
