//! `pods replay`

use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use super::failure::{CommandResult, Exit, Failure, interrupted};
use super::format::{Format, csv_rows, json_line};
use super::limits::Stopper;
use super::progress::Progress;
use crate::files::{count as counted, escaped, open, record};
use crate::matches::{ReplayError, Replayed, UNCLOSED, replay};

/// Play the games of a file again, and check every action and every result.
///
/// The reference engine alone decides what is legal and how each game ends. An illegal action is
/// reported with the clause that forbids it. So are results, draws and openings that differ from
/// the file, and files that are cut short, have no games, or repeat or misplace one.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods match random random --board nook9 --pods four --pairs 10 --out games.jsonl
  pods replay games.jsonl
  pods replay games.jsonl --game 3
  pods replay games.jsonl --format csv

`pods rules formats` describes the file. A file of version 1 (of `pods report play`, or older) has
no closing line, so games missing at its end are not noticed.

Exit status: 1 a game is not as it should be, or the file is not whole; 2 the file cannot be read,
or is no file of games.")]
pub(super) struct Args {
    /// The file, as `pods match --out` writes it
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Play only the game of this number, and show the position after each action
    #[arg(long, value_name = "N")]
    game: Option<u64>,

    /// Format of the findings
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

record! {
    /// The findings of a game.
    pub(super) struct ReplayedRow {
        /// Line of the file.
        file_line: usize,
        /// Number of the game, from 1.
        game: u64,
        /// Number of its setup in the file.
        setup: usize,
        /// The pair that it belongs to; the two games of a pair have the same opening.
        pair: u64,
        /// The player who has White: 1 or 2.
        white: u8,
        /// Plies played.
        plies: usize,
        /// Result in the file: `white`, `black` or `draw`.
        result: String,
        /// End in the file: `empty-hand`, `no-action`, `repetition`, `length`, or `fault`.
        end: String,
        /// The fault of the game; empty if there is none.
        fault: Option<String>,
    }
}

/// The findings of a game that was asked for alone, with its positions.
#[derive(Serialize)]
struct ShownRow<'a> {
    #[serde(flatten)]
    row: ReplayedRow,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<&'a [String]>,
}

impl From<&Replayed> for ReplayedRow {
    fn from(replayed: &Replayed) -> ReplayedRow {
        let said = &replayed.said;
        ReplayedRow {
            file_line: replayed.line,
            game: said.game,
            setup: said.setup,
            pair: said.pair,
            white: said.white,
            plies: replayed.plies(),
            result: said.result.clone(),
            end: said.end.clone(),
            fault: replayed.fault.clone(),
        }
    }
}

/// A reader that counts the bytes read.
struct Counting<'a, R> {
    inner: R,
    read: &'a AtomicU64,
}

impl<R: Read> Read for Counting<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Counts of what was played again.
#[derive(Default)]
struct Count {
    games: u64,
    plies: u64,
    faulty: u64,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let at = |failure: Failure| failure.at(args.file.display());
    let file = open(&args.file).map_err(|e| at(Failure::wrong(e)))?;
    let stopper = Stopper::reading(&args.file)?;
    let (progress, read_so_far) = (Progress::new("replay", "bytes"), AtomicU64::new(0));
    let total = file.metadata().ok().filter(|there| there.is_file()).map(|there| there.len());
    let (mut count, mut failed, mut header) = (Count::default(), None, false);
    let mut visit = |replayed: Replayed| {
        if stopper.is_set() {
            return ControlFlow::Break(());
        }
        if args.game.is_some_and(|game| game != replayed.said.game) {
            return ControlFlow::Continue(());
        }
        count.games += 1;
        count.plies += replayed.plies() as u64;
        count.faulty += u64::from(replayed.fault.is_some());
        progress.message(format!("replay, {}", counted(count.games, "game")));
        progress.update(read_so_far.load(Ordering::Relaxed), total);
        match write(args, &replayed, &mut header, out) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                failed = Some(failure);
                ControlFlow::Break(())
            }
        }
    };
    let read = replay(&mut BufReader::new(Counting { inner: file, read: &read_so_far }), &mut visit);
    drop(progress);
    if let Some(failure) = failed {
        return Err(failure);
    }
    let header = read.map_err(|error| match error {
        ReplayError::NotWhole(cause) => at(Failure::Discrepancy(cause)),
        other => at(Failure::wrong(other)),
    })?;
    if let Some(game) = args.game.filter(|_| count.games == 0 && !stopper.is_set()) {
        return Err(at(Failure::wrong(format_args!("it has no game {game}"))));
    }
    if args.format == Format::Text {
        let Count { games, plies, faulty } = count;
        let [first, second] = header.players.map(|player| escaped(&player));
        writeln!(out, "players   {first} against {second}")?;
        let verdict = match faulty {
            0 => "every action is legal and every result right".to_owned(),
            1 => "1 of them is not as it should be".to_owned(),
            _ => format!("{faulty} of them are not as they should be"),
        };
        writeln!(out, "replayed  {games} games, {plies} plies: {verdict}")?;
        if header.version == UNCLOSED && args.game.is_none() {
            writeln!(
                out,
                "closed    no, as all files of version 1: games that are missing at its end are not noticed"
            )?;
        }
    }
    if stopper.is_set() {
        return interrupted(out, format_args!("{} games were played again", count.games));
    }
    Ok(if count.faulty == 0 { Exit::Good } else { Exit::Discrepancy })
}

/// Writes the findings of a game: in text its fault, or the whole game where only one was asked
/// for.
fn write(args: &Args, replayed: &Replayed, begun: &mut bool, out: &mut dyn Write) -> Result<(), Failure> {
    let alone = args.game.is_some();
    let row = ReplayedRow::from(replayed);
    match args.format {
        Format::Json => json_line(out, &ShownRow { row, positions: alone.then_some(&replayed.positions) })?,
        Format::Csv => csv_rows(out, !std::mem::replace(begun, true), [row])?,
        Format::Text => {
            if alone {
                let actions = replayed.said.actions.split(' ').filter(|action| !action.is_empty());
                writeln!(out, "{:5} {:9} {}", 0, "", replayed.positions[0])?;
                for (ply, (action, position)) in (1..).zip(actions.zip(&replayed.positions[1..])) {
                    writeln!(out, "{ply:5} {action:9} {position}")?;
                }
                let said = &replayed.said;
                writeln!(out, "result    {}, by {}", escaped(&said.result), escaped(&said.end))?;
            }
            if let Some(fault) = &replayed.fault {
                writeln!(out, "line {}, game {}: {fault}", replayed.line, replayed.said.game)?;
            }
        }
    }
    Ok(())
}
