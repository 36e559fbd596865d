//! Board files: TOML with a picture of the points and lines.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::error::line_and_column;
use super::{Board, MaterialError};
use crate::geometry::{Coord, Direction, MAX_SPAN};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardFile {
    name: String,
    source: String,
    points: Spanned<String>,
}

/// Reads a board file.
///
/// # Errors
///
/// If the file cannot be read or does not hold a board, with line, column and cause.
pub fn read_board(path: &Path) -> Result<Board, MaterialError> {
    let file = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|e| MaterialError::new(&file, format!("cannot be read: {e}")))?;
    board_from_toml(&file, &text)
}

/// Reads a board from the text of a board file; `file` is named in errors.
///
/// # Errors
///
/// If the text is not a board file, with line, column and cause.
pub fn board_from_toml(file: &str, text: &str) -> Result<Board, MaterialError> {
    let parsed: BoardFile = toml::from_str(text).map_err(|e| MaterialError::toml(file, text, &e))?;
    let start = parsed.points.span().start;
    let picture = parsed.points.get_ref();
    // The content of a multi-line string starts on the next line when the quotes end theirs.
    let literal = text[start..].trim_start_matches(['\'', '"']);
    let quotes = text[start..].len() - literal.len();
    let (line, column) = if literal.starts_with(['\n', '\r']) {
        (line_and_column(text, start).0 + 1, 1)
    } else {
        line_and_column(text, start + quotes)
    };
    let place = |y: usize, x: usize| (line + y, if y == 0 { column + x } else { x + 1 });
    let error = |y: usize, x: usize, cause: String| {
        let (line, column) = place(y, x);
        MaterialError::new(file, cause).at(line, column)
    };
    let (points, lines) = read_picture(picture).map_err(|e| error(e.y, e.x, e.cause))?;
    Board::new(parsed.name, parsed.source, points, lines).map_err(|e| error(0, 0, e.to_string()))
}

struct PictureError {
    y: usize,
    x: usize,
    cause: String,
}

/// Points and lines, each line from one of its ends.
type Drawing = (Vec<Coord>, Vec<(Coord, Direction)>);

/// Points and lines of a picture, as coordinates counted from its bottom left.
fn read_picture(picture: &str) -> Result<Drawing, PictureError> {
    let cells: Vec<Vec<char>> = picture.trim_end().lines().map(|l| l.trim_end().chars().collect()).collect();
    let cell = |y: usize, x: usize| cells.get(y).and_then(|row| row.get(x)).copied().unwrap_or(' ');
    let point_rows = cells.len().div_ceil(2);
    let coord = |y: usize, x: usize| Coord { row: (point_rows - 1 - y / 2) as u8, column: (x / 2) as u8 };
    let (mut points, mut lines) = (Vec::new(), Vec::new());
    for (y, row) in cells.iter().enumerate() {
        for (x, &stroke) in row.iter().enumerate().filter(|(_, c)| **c != ' ') {
            let fail = |cause: String| Err(PictureError { y, x, cause });
            if x / 2 >= MAX_SPAN || point_rows > MAX_SPAN {
                return fail(format!("a board has at most {MAX_SPAN} columns and {MAX_SPAN} rows"));
            }
            // The two ends of each line: from the upper (or left) one, in a direction.
            let ends: &[(usize, usize, Direction)] = match (y % 2, x % 2, stroke) {
                (0, 0, 'o') => {
                    points.push(coord(y, x));
                    continue;
                }
                (0, 1, '-') => &[(y, x - 1, Direction::E)],
                (1, 0, '|') => &[(y - 1, x, Direction::S)],
                (1, 1, '\\') => &[(y - 1, x - 1, Direction::Se)],
                (1, 1, '/') => &[(y - 1, x + 1, Direction::Sw)],
                (1, 1, 'X') => &[(y - 1, x - 1, Direction::Se), (y - 1, x + 1, Direction::Sw)],
                (0, 0, _) => return fail(format!("found {stroke:?} where a point 'o' or a blank (a hole) belongs")),
                (0, 1, _) => return fail(format!("found {stroke:?} where a line '-' or a blank belongs")),
                (1, 0, _) => return fail(format!("found {stroke:?} where a line '|' or a blank belongs")),
                _ => return fail(format!("found {stroke:?} where a line '/', '\\', 'X' or a blank belongs")),
            };
            for &(fy, fx, direction) in ends {
                let (right, up) = direction.delta();
                let ty = fy.wrapping_add_signed(-2 * isize::from(up));
                let tx = fx.wrapping_add_signed(2 * isize::from(right));
                if cell(fy, fx) != 'o' || cell(ty, tx) != 'o' {
                    return fail(format!("the line {stroke:?} leads into a hole: both its ends must be points 'o'"));
                }
                lines.push((coord(fy, fx), direction));
            }
        }
    }
    Ok((points, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(picture: &str) -> Result<Board, MaterialError> {
        board_from_toml("t.toml", &format!("name = 't'\nsource = 'test'\npoints = '''\n{picture}'''\n"))
    }

    #[test]
    fn the_picture_of_the_format_reads() {
        let board = read("o-o o\n|\\|/|\no-o-o\n|X| |\no-o-o\n").unwrap();
        assert_eq!((board.len(), board.columns(), board.rows(), board.line_count()), (9, 3, 3, 15));
        let b2 = board.point_at(Coord::parse("b2").unwrap()).unwrap();
        assert_eq!(
            board.lines(b2).iter().map(Direction::name).collect::<Vec<_>>(),
            ["n", "ne", "e", "s", "sw", "w", "nw"]
        );
        assert!(read(&board.picture()).unwrap().same_shape(&board));
    }

    #[test]
    fn errors_name_line_and_column() {
        for (picture, place, words) in [
            ("o-o\n| |\no- \n", (5, 3), "leads into a hole"),
            ("o-o\n-  \no o\n", (5, 1), "'|'"),
            ("o|o\n", (4, 2), "'-'"),
            ("o o\n ?\no o\n", (5, 2), "'X'"),
            ("o o\n\nx o\n", (6, 1), "'o'"),
            ("   \n", (4, 1), "at least one point"),
            ("ö\n", (4, 1), "'o'"),
        ] {
            let error = read(picture).unwrap_err();
            assert_eq!(error.place, Some(place), "{picture} {error}");
            assert!(error.to_string().contains(words), "{error}");
        }
        let wide = format!("o{}", "-o".repeat(26));
        assert_eq!(read(&wide).unwrap_err().place, Some((4, 53)));
        let many = format!("{}\n", "o o o o o\n\n".repeat(13));
        assert!(read(&many).unwrap_err().to_string().contains("has 65"));
        let error = board_from_toml("t.toml", "name = 't'\nsource = 's'\npoint = 'o'\n").unwrap_err();
        assert_eq!(error.place.map(|p| p.0), Some(3));
        let inline = board_from_toml("t.toml", "name = 't'\nsource = 's'\npoints = 'o-'\n").unwrap_err();
        assert_eq!(inline.place, Some((3, 12)));
    }
}
