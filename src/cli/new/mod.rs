//! `pods new`

mod random;

use std::io::Write;

use clap::{Subcommand, ValueEnum};

use super::failure::{CommandResult, Exit, Failure};
use crate::geometry::{Coord, Direction, MAX_POINTS, MAX_SPAN};
use crate::material::{BOARD_TEMPLATE_SOURCE, Board, Legs, POD_TEMPLATE};

/// Columns and rows of the real board.
const SIZE: (u8, u8) = (6, 6);

/// Write a template of a board or pod file to standard output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods new board 6x6 > my-board.toml
  pods new pods > my-pods.toml
  pods check my-board.toml my-pods.toml
  pods new board --random --seed 7 > random.toml")]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Board(BoardArgs),
    Pods(PodsArgs),
}

/// Write a board file with every possible line, with none, or with random ones.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods new board 6x6 > my-board.toml
  pods new board 8x4 --lines none
  pods new board --random --seed 7
  pods new board --random --captions --seed 7

A random board has no holes and is connected. It keeps as large a share of the grid's lines as
cave36: 43 of 60 straight ones, 21 of 50 diagonal ones, and at least two at each point. The same
seed gives the same board.

With --captions, boards and pods are drawn together until `pods check --captions` finds nothing
against a pair: this is the board of the first such pair, and `pods new pods` with the same options
writes its pods.")]
struct BoardArgs {
    /// Columns and rows: at most 26 of each and 64 points [default with --random: 6x6]
    #[arg(value_name = "COLUMNSxROWS", value_parser = size, required_unless_present = "random")]
    size: Option<(u8, u8)>,

    /// Lines that are drawn
    #[arg(long, value_enum, default_value = "all")]
    lines: Lines,

    /// Draw random lines, as many as the real board is thought to have
    #[arg(long, conflicts_with = "lines")]
    random: bool,

    /// Draw until the board and the pods of this seed agree with all captions of the rules texts
    #[arg(long, requires = "random")]
    captions: bool,

    /// Seed of the random board
    #[arg(long, value_name = "N", default_value = "0", requires = "random")]
    seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Lines {
    /// Between all neighbours
    All,
    /// None
    None,
}

/// Write a pod file with made-up or random legs, as many pods as the real game has.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods new pods > my-pods.toml
  pods new pods --random --seed 7
  pods new pods --random --captions --seed 7

Random pods are 2 bipods, 3 tripods, 6 quadripods, 2 hexapods and 1 octopod, all different; 23 of
57 legs are long on average, as in pods14. The same seed gives the same pods. With --captions, they
agree with all captions of the rules texts on the board that `pods new board` draws with the same
options.")]
struct PodsArgs {
    /// Draw random legs
    #[arg(long)]
    random: bool,

    /// Draw until the board and the pods of this seed agree with all captions of the rules texts
    #[arg(long, requires = "random")]
    captions: bool,

    /// Seed of the random pods
    #[arg(long, value_name = "N", default_value = "0", requires = "random")]
    seed: u64,
}

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

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    match &args.what {
        What::Board(BoardArgs { size, captions: true, seed, .. }) => {
            if size.is_some_and(|size| size != SIZE) {
                return Err(Failure::wrong(format_args!(
                    "the captions speak of a board of 36 points: leave the size out, or write 6x6"
                )));
            }
            let lines = random::pair_of_captions(*seed).map_err(Failure::wrong)?.lines;
            random_board(SIZE, lines, ("captions", "--random --captions", *seed), out)?;
        }
        What::Board(BoardArgs { size, random: true, seed, .. }) => {
            let (columns, rows) = size.unwrap_or(SIZE);
            let name = format!("random-{columns}x{rows}");
            let lines = random::lines(columns, rows, *seed);
            random_board((columns, rows), lines, (&name, "--random", *seed), out)?;
        }
        What::Board(BoardArgs { size, lines, .. }) => board(size.unwrap_or(SIZE), *lines, out)?,
        What::Pods(PodsArgs { captions: true, seed, .. }) => {
            let pods = random::pair_of_captions(*seed).map_err(Failure::wrong)?.pods;
            random_pods(&pods, ("captions-pods", "--random --captions", *seed), out)?;
        }
        What::Pods(PodsArgs { random: true, seed, .. }) => {
            random_pods(&random::pods(*seed), ("random-pods", "--random", *seed), out)?;
        }
        What::Pods(PodsArgs { .. }) => out.write_all(POD_TEMPLATE.as_bytes())?,
    }
    Ok(Exit::Good)
}

fn board((columns, rows): (u8, u8), lines: Lines, out: &mut dyn Write) -> Result<(), Failure> {
    let points = random::grid(columns, rows);
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
source = \"{BOARD_TEMPLATE_SOURCE}\"
points = '''
{}'''
",
        board.picture()
    )?;
    Ok(())
}

/// Writes a random board with its name, the options that draw it again, and its seed.
fn random_board(
    (columns, rows): (u8, u8),
    lines: Vec<(Coord, Direction)>,
    (name, options, seed): (&str, &str, u64),
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let board = Board::new("", "", random::grid(columns, rows), lines).map_err(Failure::wrong)?;
    write!(
        out,
        "\
# A random board of {columns} columns and {rows} rows with {} lines. It stands for no board on a table.

name = \"{name}-{seed}\"
source = \"pods new board {columns}x{rows} {options} --seed {seed}\"
points = '''
{}'''
",
        board.line_count(),
        board.picture()
    )?;
    Ok(())
}

/// Writes random pods with their name, the options that draw them again, and their seed.
fn random_pods(pods: &[Legs], (name, options, seed): (&str, &str, u64), out: &mut dyn Write) -> Result<(), Failure> {
    write!(
        out,
        "\
# Random pods, as many with each number of legs as the real game has. They stand for no pods on a table.

name = \"{name}-{seed}\"
source = \"pods new pods {options} --seed {seed}\"
"
    )?;
    for (id, legs) in random::IDS.zip(pods) {
        write!(out, "\n[[pod]]\nid = \"{id}\"\nlegs = \"{legs}\"\n")?;
    }
    Ok(())
}
