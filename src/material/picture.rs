//! The picture in a board file: points and lines drawn with characters.

use std::ops::Range;

use super::look_alike::look_alike;
use crate::geometry::{Coord, Direction, MAX_SPAN};

/// Points and lines, each line from one of its ends.
pub(super) type Drawing = (Vec<Coord>, Vec<(Coord, Direction)>);

#[derive(Debug)]
pub(super) struct PictureFault {
    /// The characters, counted from the beginning of the picture.
    pub(super) chars: Range<usize>,
    pub(super) cause: String,
}

/// A character of the picture as it was meant, and its number.
#[derive(Clone, Copy)]
struct Cell {
    stroke: Stroke,
    number: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stroke {
    Blank,
    Point,
    Line(char),
    /// A wrong character that was reported; it may stand for anything.
    Told,
}

/// Returns the characters allowed at a place of the picture, by the parity of its row and column,
/// counted from 0.
fn belongs(y: usize, x: usize) -> (&'static [char], &'static str) {
    match (y % 2, x % 2) {
        (0, 0) => (&['o'], "a point 'o' or a blank (a hole)"),
        (0, _) => (&['-'], "a line '-' or a blank"),
        (_, 0) => (&['|'], "a line '|' or a blank"),
        _ => (&['/', '\\', 'X'], "a line '/', '\\', 'X' or a blank"),
    }
}

/// Returns the points and lines of a picture, as coordinates counted from its bottom left; with all
/// that is wrong with it.
pub(super) fn read_picture(picture: &str) -> (Drawing, Vec<PictureFault>) {
    let mut faults = Vec::new();
    let grid = read_cells(picture, &mut faults);
    let at = |y: usize, x: usize| {
        let row: &[Cell] = grid.get(y).map_or(&[], Vec::as_slice);
        // After a tab, the columns are not known.
        let behind = row.last().is_some_and(|last| last.stroke == Stroke::Told && x >= row.len());
        row.get(x).map_or(if behind { Stroke::Told } else { Stroke::Blank }, |cell| cell.stroke)
    };
    let point_rows = grid.len().div_ceil(2);
    let coord = |y: usize, x: usize| Coord { row: (point_rows - 1 - y / 2) as u8, column: (x / 2) as u8 };
    let (mut points, mut lines) = (Vec::new(), Vec::new());
    // Each hole that a line leads into, with the line that was reported, and the number of others.
    let mut holes: Vec<((usize, usize), usize, usize)> = Vec::new();
    for (y, row) in grid.iter().enumerate() {
        for (x, cell) in row.iter().enumerate().filter(|(_, cell)| cell.stroke != Stroke::Blank) {
            let fault = |cause: String| PictureFault { chars: cell.number..cell.number + 1, cause };
            if x / 2 >= MAX_SPAN || point_rows > MAX_SPAN {
                faults.push(fault(format!("a board has at most {MAX_SPAN} columns and {MAX_SPAN} rows")));
                return ((points, lines), faults);
            }
            // The two ends of each line: from the upper (or left) one, in a direction.
            let ends: &[(usize, usize, Direction)] = match cell.stroke {
                Stroke::Point => {
                    points.push(coord(y, x));
                    continue;
                }
                Stroke::Line('-') => &[(y, x - 1, Direction::E)],
                Stroke::Line('|') => &[(y - 1, x, Direction::S)],
                Stroke::Line('\\') => &[(y - 1, x - 1, Direction::Se)],
                Stroke::Line('/') => &[(y - 1, x + 1, Direction::Sw)],
                Stroke::Line(_) => &[(y - 1, x - 1, Direction::Se), (y - 1, x + 1, Direction::Sw)],
                Stroke::Blank | Stroke::Told => continue,
            };
            for &(fy, fx, direction) in ends {
                let (right, up) = direction.delta();
                let ty = fy.wrapping_add_signed(-2 * isize::from(up));
                let tx = fx.wrapping_add_signed(2 * isize::from(right));
                let hole = [(fy, fx), (ty, tx)].into_iter().find(|&(y, x)| at(y, x) != Stroke::Point);
                match hole {
                    None => lines.push((coord(fy, fx), direction)),
                    Some((y, x)) if at(y, x) == Stroke::Told => {}
                    Some((y, x)) => {
                        if let Some((.., more)) = holes.iter_mut().find(|(known, ..)| *known == (y, x)) {
                            *more += 1;
                            break;
                        }
                        holes.push(((y, x), faults.len(), 0));
                        let there = format!("row {}, column {} of the picture", y + 1, x + 1);
                        faults.push(fault(format!(
                            "the line '{}' leads into a hole: both its ends must be points 'o', and there is none in {there}",
                            stroke_char(cell.stroke)
                        )));
                        break;
                    }
                }
            }
        }
    }
    for (_, at, more) in holes.into_iter().filter(|(.., more)| *more > 0) {
        let lead = if more == 1 { "line leads" } else { "lines lead" };
        faults[at].cause.push_str(&format!("; {more} more {lead} there"));
    }
    ((points, lines), faults)
}

fn stroke_char(stroke: Stroke) -> char {
    match stroke {
        Stroke::Line(c) => c,
        Stroke::Point => 'o',
        Stroke::Blank | Stroke::Told => ' ',
    }
}

/// Returns the characters row by row; those that do not belong to their place are reported.
fn read_cells(picture: &str, faults: &mut Vec<PictureFault>) -> Vec<Vec<Cell>> {
    let mut grid = Vec::new();
    let mut number = 0;
    for (y, line) in picture.trim_end().split('\n').enumerate() {
        let row = line.trim_end();
        let mut cells = Vec::new();
        for (x, c) in row.chars().enumerate() {
            let mut fault = |cause| faults.push(PictureFault { chars: number + x..number + x + 1, cause });
            if c == '\t' {
                fault("a tab: the picture is read by columns, so write blanks".to_owned());
                cells.push(Cell { stroke: Stroke::Told, number: number + x });
                break;
            }
            let stroke = match read_cell(y, x, c) {
                Ok(stroke) => stroke,
                Err(cause) => {
                    fault(cause);
                    Stroke::Told
                }
            };
            cells.push(Cell { stroke, number: number + x });
        }
        number += line.chars().count() + 1;
        grid.push(cells);
    }
    grid
}

fn read_cell(y: usize, x: usize, c: char) -> Result<Stroke, String> {
    let (allowed, what) = belongs(y, x);
    match c {
        ' ' => return Ok(Stroke::Blank),
        'o' if allowed == ['o'] => return Ok(Stroke::Point),
        c if allowed.contains(&c) => return Ok(Stroke::Line(c)),
        _ => {}
    }
    Err(match look_alike(c) {
        Some((meant, name)) if allowed.contains(&meant) || meant == ' ' => {
            let write = if meant == ' ' { "a blank".to_owned() } else { format!("{meant:?}") };
            format!("found {name} where {what} belongs: write {write}")
        }
        Some((_, name)) => format!("found {name} where {what} belongs"),
        None if c == 'o' => format!(
            "found 'o' where {what} belongs: points stand in rows and columns 1, 3, 5, … of the picture, lines between them"
        ),
        None => format!("found {c:?} where {what} belongs"),
    })
}
