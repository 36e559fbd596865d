//! `pods new`

use std::io::Write;

use clap::{Subcommand, ValueEnum};

use super::failure::{Exit, Failure, Outcome};
use crate::geometry::{Coord, Direction, MAX_POINTS, MAX_SPAN};
use crate::material::Board;

/// Writes a board or pod file to begin with, to standard output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods new board 6x6 > my-board.toml
  pods new pods > my-pods.toml
  pods check my-board.toml my-pods.toml")]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Board(BoardArgs),
    Pods(PodsArgs),
}

/// Writes a board file with every line drawn, to delete from, or with none, to draw into.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods new board 6x6 > my-board.toml
  pods new board 8x4 --lines none")]
struct BoardArgs {
    /// Columns and rows: at most 26 of each and 64 points
    #[arg(value_name = "COLUMNSxROWS", value_parser = size)]
    size: (u8, u8),

    /// Which lines are drawn
    #[arg(long, value_enum, default_value = "all")]
    lines: Lines,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Lines {
    /// Between all neighbours
    All,
    /// None
    None,
}

/// Writes a pod file with as many pods as the real game has, with legs made up, to put the true ones in.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  pods new pods > my-pods.toml")]
struct PodsArgs {}

fn size(text: &str) -> Result<(u8, u8), String> {
    let wrong = || format!("write columns and rows, as in 6x6: at most {MAX_SPAN} of each and {MAX_POINTS} points");
    let (columns, rows) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let number = |text: &str| text.parse().ok().filter(|&n: &u8| (1..=MAX_SPAN).contains(&n.into())).ok_or_else(wrong);
    let (columns, rows): (u8, u8) = (number(columns)?, number(rows)?);
    if usize::from(columns) * usize::from(rows) > MAX_POINTS {
        return Err(wrong());
    }
    Ok((columns, rows))
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.what {
        What::Board(BoardArgs { size, lines }) => board(*size, *lines, out)?,
        What::Pods(PodsArgs {}) => out.write_all(PODS.as_bytes())?,
    }
    Ok(Exit::Good)
}

fn board((columns, rows): (u8, u8), lines: Lines, out: &mut dyn Write) -> Result<(), Failure> {
    let points: Vec<Coord> = (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column })).collect();
    let joined = |from: Coord| {
        Direction::ALL.into_iter().filter_map(move |direction| {
            let to = from.step(direction)?;
            (to.row < rows && to.column < columns).then_some((from, direction))
        })
    };
    let joined: Vec<(Coord, Direction)> = match lines {
        Lines::All => points.iter().copied().flat_map(joined).collect(),
        Lines::None => Vec::new(),
    };
    let board = Board::new("", "", points, joined).map_err(Failure::wrong)?;
    let todo = match lines {
        Lines::All => "Every line is drawn: delete those that your board does not have.",
        Lines::None => "No line is drawn: put in those that your board has.",
    };
    write!(
        out,
        "\
# A board of {columns} columns and {rows} rows. {todo}
# Points are o. Lines stand between them: - | / \\ and X, where both diagonals cross; a blank is no line.
# A blank in the place of a point is a hole. The top row is Black's side, the bottom row White's.
# `pods check` counts the lines at each point, to be compared with the board on the table.

name = \"my-board\"
source = \"where this board comes from\"
points = '''
{}'''
",
        board.picture()
    )?;
    Ok(())
}

const PODS: &str = include_str!("new_pods.toml");
