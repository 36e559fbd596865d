//! Editing a board.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{disown, quoted};
use crate::drawing::Drawing;
use crate::explore::material::{board_of, check_text};
use crate::explore::refusal::Refusal;
use crate::geometry::{Coord, Direction, NameError, Orientation, Symmetry};
use crate::material::{BUILTIN_BOARDS, Board, board_from_toml, builtin_board};
use crate::report::Found;

/// One change of a board.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(in crate::explore) enum BoardChange {
    /// Adds lines between neighbours, or removes them.
    Lines { lines: Vec<(String, String)>, on: bool },
    /// Adds a point, or removes it with its lines.
    Point { at: String },
    /// Adds a row or column of points at this side: n, e, s or w.
    Grow { side: String },
    /// A board of this size, with all lines or none.
    New { columns: u8, rows: u8, lines: bool },
    /// A quarter turn clockwise.
    Turn {},
    /// Mirrors left and right.
    Mirror {},
    /// Sets the name.
    Name { name: String },
    /// Sets the source.
    Source { source: String },
}

/// One of the two directions of each line, with its stroke.
const STROKES: [(Direction, char); 4] =
    [(Direction::N, '|'), (Direction::Ne, '/'), (Direction::E, '-'), (Direction::Se, '\\')];

/// A board as points and lines.
struct Parts {
    name: String,
    source: String,
    points: Vec<Coord>,
    lines: Vec<(Coord, Direction)>,
}

impl Parts {
    fn of(board: &Board) -> Parts {
        let lines = board.points().flat_map(|p| board.lines(p).iter().map(move |d| (p, d)));
        Parts {
            name: board.name().to_owned(),
            source: board.source().to_owned(),
            points: board.points().map(|p| board.coord(p)).collect(),
            lines: lines.map(|(p, d)| (board.coord(p), d)).collect(),
        }
    }

    fn board(self) -> Result<Board, Refusal> {
        Ok(Board::new(self.name, self.source, self.points, self.lines)?)
    }

    /// Adds or removes a line.
    fn line(&mut self, from: &str, to: &str, on: bool) -> Result<(), Refusal> {
        let (from, to) = (place(from)?, place(to)?);
        let towards = Direction::ALL.into_iter().find(|&d| from.step(d) == Some(to));
        let direction = towards.ok_or_else(|| Refusal(format!("{from} and {to} are no neighbours (R1)")))?;
        let ends = [(from, direction), (to, direction.opposite())];
        self.lines.retain(|line| !ends.contains(line));
        if on {
            self.lines.push(ends[0]);
        }
        Ok(())
    }

    fn toggle_point(&mut self, at: Coord) {
        if self.points.contains(&at) {
            self.points.retain(|&point| point != at);
            self.lines.retain(|&(from, d)| from != at && from.step(d) != Some(at));
        } else {
            self.points.push(at);
        }
    }

    /// Moves everything right and up, to make room at the left or below.
    fn shift(&mut self, columns: u8, rows: u8) {
        let shifted = |c: &mut Coord| *c = Coord { row: c.row + rows, column: c.column + columns };
        self.points.iter_mut().for_each(shifted);
        self.lines.iter_mut().for_each(|(from, _)| shifted(from));
    }
}

fn place(name: &str) -> Result<Coord, Refusal> {
    name.parse().map_err(|error: NameError| Refusal(error.to_string()))
}

/// Returns a board without holes.
fn full(columns: u8, rows: u8, with_lines: bool) -> Parts {
    let points: Vec<Coord> = (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column })).collect();
    let joined = |&from: &Coord| {
        let ends = STROKES.map(|(d, _)| (from, d)).into_iter();
        ends.filter(move |(from, d)| from.step(*d).is_some_and(|to| to.row < rows && to.column < columns))
    };
    let lines = if with_lines { points.iter().flat_map(joined).collect() } else { Vec::new() };
    Parts { name: "my-board".to_owned(), source: "where this board comes from".to_owned(), points, lines }
}

/// Makes a change; what is no longer a built-in board has neither its name nor its source.
fn changed(board: &Board, change: BoardChange) -> Result<Board, Refusal> {
    let is_said = matches!(change, BoardChange::Name { .. } | BoardChange::Source { .. });
    let board = board_after(board, change)?;
    if is_said || builtin_board(board.name()).as_ref() == Some(&board) {
        return Ok(board);
    }
    let mut parts = Parts::of(&board);
    let source_of = |name: &str| Some(builtin_board(name)?.source().to_owned());
    disown((&mut parts.name, &mut parts.source), BUILTIN_BOARDS, source_of);
    parts.board()
}

fn board_after(board: &Board, change: BoardChange) -> Result<Board, Refusal> {
    let mut parts = Parts::of(board);
    match change {
        BoardChange::Lines { lines, on } => lines.iter().try_for_each(|(from, to)| parts.line(from, to, on))?,
        BoardChange::Point { at } => parts.toggle_point(place(&at)?),
        BoardChange::Grow { side } => {
            let (columns, rows) = (board.columns(), board.rows());
            match side.as_str() {
                "w" => parts.shift(1, 0),
                "s" => parts.shift(0, 1),
                _ => {}
            }
            let new: Vec<Coord> = match side.as_str() {
                "n" => (0..columns).map(|column| Coord { row: rows, column }).collect(),
                "s" => (0..columns).map(|column| Coord { row: 0, column }).collect(),
                "e" => (0..rows).map(|row| Coord { row, column: columns }).collect(),
                "w" => (0..rows).map(|row| Coord { row, column: 0 }).collect(),
                _ => return Err(Refusal("a board grows to n, e, s or w".to_owned())),
            };
            parts.points.extend(new);
        }
        BoardChange::New { columns, rows, lines } => parts = full(columns.min(64), rows.min(64), lines),
        BoardChange::Turn {} => return Parts::of(&board.image(Symmetry::from(Orientation::R90))).board(),
        BoardChange::Mirror {} => return Ok(board.image(Symmetry { mirrored: true, ..Symmetry::IDENTITY })),
        BoardChange::Name { name } => parts.name = name,
        BoardChange::Source { source } => parts.source = source,
    }
    parts.board()
}

/// Returns the file of a board.
fn written(board: &Board) -> String {
    let (name, source) = (quoted(board.name()), quoted(board.source()));
    format!("name = {name}\nsource = {source}\npoints = '''\n{}'''\n", board.picture())
}

/// Returns the board of a text after a change: its file, all places of the grid, all pairs of
/// neighbours with the stroke of their line, whether there or not, and the output of `pods check`.
pub(super) fn edit(text: &str, change: Option<BoardChange>) -> Result<Value, Refusal> {
    let board = board_of(text)?;
    let board = match change {
        None => board,
        Some(change) => changed(&board, change)?,
    };
    let written = written(&board);
    // Checks that the file can be read again.
    board_from_toml("board", &written)?;
    let coords = (0..board.rows()).flat_map(|row| (0..board.columns()).map(move |column| Coord { row, column }));
    let places = coords.map(|at| {
        json!({ "name": at.to_string(), "is_point": board.point_at(at).is_some(), "column": at.column, "row": at.row })
    });
    let pairs = board.points().flat_map(|p| STROKES.map(|(d, stroke)| (p, d, stroke)));
    let lines = pairs.filter_map(|(from, d, stroke)| {
        let [start, end] = [from, board.neighbour(from, d)?].map(|p| board.coord(p).to_string());
        Some(json!({ "from": start, "to": end, "stroke": stroke, "is_line": board.lines(from).contains(d) }))
    });
    Ok(json!({
        "name": board.name(),
        "source": board.source(),
        "columns": board.columns(),
        "rows": board.rows(),
        "places": places.collect::<Value>(),
        "lines": lines.collect::<Value>(),
        "check": check_text(&Found::board("board", &board)),
        "svg": Drawing::default().embedded().for_scripts().board(&board, &[]),
        "text": written,
    }))
}
