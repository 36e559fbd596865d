//! `pods check`

mod captions;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};

use super::failure::{CommandResult, Exit, Failure};
use super::format::{Format, csv_rows, json_line};
use super::stream::is_stream;
use super::terminal::complain;
use crate::files::all_text;
use crate::material::{Board, MAX_BYTES, Material, MaterialError, PodSet, find_material, material_from_toml};
use crate::report::{Found, FoundRecord, found_together};

/// Check board and pod files against what is known of the real game.
///
/// The answer lists the lines at each point, the legs of each pod, and the points on which it may
/// open. Compare them with the board and the pods on your table. Every file is checked; the exit
/// status is 2 if any is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods check my-board.toml my-pods.toml
  pods check --board cave36 --pods pods14 --format csv
  pods new pods | pods check -
  pods check --captions my-board.toml my-pods.toml

With --captions, each caption of the rules texts is tried on the board in all orientations. The
answer shows a place where it holds, or the reason why there is none.

Exit status with --captions: 1 a caption does not hold, so these are not the printed board and pods.
If all hold, that proves nothing.")]
pub(super) struct Args {
    /// Board or pod files, names of built-in ones, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["board", "pods"])]
    files: Vec<OsString>,

    /// A board, built in or a file
    #[arg(long, value_name = "NAME|FILE")]
    board: Option<OsString>,

    /// Pods, built in or a file
    #[arg(long, value_name = "NAME|FILE")]
    pods: Option<OsString>,

    /// Check the captions of the rules texts on one board with one set of pods
    #[arg(long)]
    captions: bool,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    if args.files.iter().filter(|file| is_stream(file)).count() > 1 {
        return Err(Failure::wrong("`-` is given twice, and standard input can be read once"));
    }
    let mut all_good = true;
    let mut boards: Vec<(Cow<'_, str>, Board)> = Vec::new();
    let mut sets: Vec<(Cow<'_, str>, PodSet)> = Vec::new();
    let mut rows = Vec::new();
    for (argument, file) in args.inputs() {
        let name = file.to_string_lossy();
        let found = match read(argument, file) {
            Ok(Material::Board(board)) => {
                boards.push((name, board));
                boards.last().map(|(file, board)| Found::board(file, board))
            }
            Ok(Material::Pods(pods)) => {
                sets.push((name, pods));
                sets.last().map(|(file, pods)| Found::pods(file, pods))
            }
            Err(error) => {
                all_good = false;
                // Before the message, so that a terminal shows both in the order of the files.
                out.flush()?;
                complain(format_args!("pods: error: {argument}{error}\n"));
                None
            }
        };
        if let Some(found) = found.filter(|_| !args.captions) {
            write(args.format, found, &mut rows, out)?;
        }
    }
    if args.captions {
        if !all_good {
            return Ok(Exit::Wrong);
        }
        let ([(_, board)], [(_, pods)]) = (&boards[..], &sets[..]) else {
            return Err(Failure::wrong(
                "--captions takes one board and one set of pods: pods check --captions BOARD PODS",
            ));
        };
        return captions::run(board, pods, args.format, out);
    }
    for (board_file, board) in &boards {
        for (pods_file, pods) in &sets {
            write(args.format, found_together(board_file, board, pods_file, pods), &mut rows, out)?;
        }
    }
    if args.format == Format::Csv {
        csv_rows(out, true, rows)?;
    }
    Ok(if all_good { Exit::Good } else { Exit::Wrong })
}

impl Args {
    /// Returns the inputs, each with the option that it was given to.
    fn inputs(&self) -> impl Iterator<Item = (&'static str, &OsStr)> {
        let files = self.files.iter().map(|file| ("", file.as_os_str()));
        let board = self.board.iter().map(|file| ("--board: ", file.as_os_str()));
        let pods = self.pods.iter().map(|file| ("--pods: ", file.as_os_str()));
        files.chain(board).chain(pods)
    }
}

fn read(argument: &str, file: &OsStr) -> Result<Material, MaterialError> {
    let material = if is_stream(file) { read_standard_input()? } else { find_material(file)? };
    match argument {
        "--board: " => material.board(&file.to_string_lossy()).map(Material::Board),
        "--pods: " => material.pods(&file.to_string_lossy()).map(Material::Pods),
        _ => Ok(material),
    }
}

fn read_standard_input() -> Result<Material, MaterialError> {
    const NAME: &str = "standard input";
    let text = all_text(io::stdin().lock(), MAX_BYTES).map_err(|e| MaterialError::new(NAME, e.to_string()))?;
    material_from_toml(NAME, &text)
}

/// Writes what was found, or keeps it for the table.
fn write(format: Format, found: Found, rows: &mut Vec<FoundRecord>, out: &mut dyn Write) -> Result<(), Failure> {
    match format {
        Format::Text => Ok(found.text(out)?),
        Format::Json => json_line(out, &found.record),
        Format::Csv => {
            rows.push(found.record);
            Ok(())
        }
    }
}
