//! Board files: TOML with a picture of the points and lines.

use std::path::Path;

use super::picture::{PictureFault, read_picture};
use super::toml_file::TomlFile;
use super::{Board, MAX_BYTES, MaterialError};
use crate::files::read_text;

/// Reads a board file.
///
/// # Errors
///
/// If the file cannot be read or does not hold a board, with line, column and cause.
pub(crate) fn read_board(path: &Path) -> Result<Board, MaterialError> {
    let file = path.display().to_string();
    let text = read_text(path, MAX_BYTES).map_err(|e| MaterialError::new(&file, e.to_string()))?;
    board_from_toml(&file, &text)
}

/// Reads a board from the text of a board file; `file` is named in errors.
///
/// # Errors
///
/// If the text is not a board file, with everything that is wrong with it.
pub fn board_from_toml(file: &str, text: &str) -> Result<Board, MaterialError> {
    let mut reading = TomlFile::new(file, text);
    let table = reading.parse();
    if table.contains_key("pod") && !table.contains_key("points") {
        return Err(MaterialError::new(file, "this is a pod file: it has [[pod]] and no picture of `points`"));
    }
    let fields = reading.fields(&table, None, &["name", "source", "points"]);
    let name = reading.text(&fields, "name", "\"my board\"");
    let source = reading.text(&fields, "source", "\"where it comes from\"");
    let points = reading.text(&fields, "points", PICTURE);
    let board = points.and_then(|picture| {
        let ((points, lines), faults) = read_picture(&picture.value);
        let sound = faults.is_empty();
        for PictureFault { chars, cause } in faults {
            reading.fault(picture.span_of(chars), cause);
        }
        let made = |name: String, source: String| Board::new(name, source, points, lines);
        let made =
            sound.then(|| made(name.map(|n| n.value).unwrap_or_default(), source.map(|s| s.value).unwrap_or_default()));
        made?.map_err(|e| reading.fault(picture.span_of(0..1), e.to_string())).ok()
    });
    reading.finish(board)
}

/// Example of a picture, for messages.
const PICTURE: &str = "'o-o-o' (several rows: in three quotes, ''' … ''')";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Direction;
    use crate::material::Fault;

    fn read(picture: &str) -> Result<Board, MaterialError> {
        board_from_toml("t.toml", &format!("name = 't'\nsource = 'test'\npoints = '''\n{picture}'''\n"))
    }

    #[test]
    fn the_picture_of_the_format_reads() {
        let board = read("o-o o\n|\\|/|\no-o-o\n|X| |\no-o-o\n").unwrap();
        assert_eq!((board.len(), board.columns(), board.rows(), board.line_count()), (9, 3, 3, 15));
        let b2 = board.point_at("b2".parse().unwrap()).unwrap();
        assert_eq!(
            board.lines(b2).iter().map(Direction::name).collect::<Vec<_>>(),
            ["n", "ne", "e", "s", "sw", "w", "nw"]
        );
        assert!(read(&board.picture()).unwrap().same_shape(&board));
    }

    fn faults(error: &MaterialError) -> Vec<((usize, usize), &str)> {
        let place = |fault: &Fault| fault.place.as_ref().map_or((0, 0), |place| (place.line, place.column));
        error.faults.iter().map(|fault| (place(fault), fault.cause.as_str())).collect()
    }

    #[test]
    fn errors_name_line_and_column() {
        for (picture, place, words) in [
            ("o-o\n| |\no- \n", (5, 3), "leads into a hole"),
            // One hole is one fault, however many lines lead there.
            ("o-o-o\n|\\|/|\no-  o\n|/|\\|\no-o-o\n", (5, 2), "the line '\\' leads into a hole"),
            (
                "o-o-o\n|\\|/|\no-  o\n|/|\\|\no-o-o\n",
                (5, 2),
                "in row 3, column 3 of the picture; 6 more lines lead there",
            ),
            ("o-o\n-  \no o\n", (5, 1), "'|'"),
            ("o|o\n", (4, 2), "'-'"),
            ("o o\n ?\no o\n", (5, 2), "'X'"),
            ("o o\n\nx o\n", (6, 1), "a small letter x where a point 'o'"),
            ("   \n", (4, 1), "at least one point"),
            ("ö\n", (4, 1), "'o'"),
            ("o-O\n", (4, 3), "a capital letter O where a point 'o' or a blank (a hole) belongs: write 'o'"),
            ("0-o\n", (4, 1), "the digit 0"),
            ("o-○\n", (4, 3), "the sign ○ (U+25CB)"),
            ("o–o\n", (4, 2), "the sign – (U+2013) where a line '-' or a blank belongs: write '-'"),
            ("o\u{a0}o\n", (4, 2), "another kind of blank (U+00A0)"),
            ("o o\n x\no o\n", (5, 2), "write 'X'"),
            ("o-o\n|\t|\no-o\n", (5, 2), "a tab: the picture is read by columns, so write blanks"),
            ("oo\n", (4, 2), "points stand in rows and columns 1, 3, 5"),
            ("o.o\n", (4, 2), "a full stop where a line '-' or a blank belongs: write a blank"),
        ] {
            let error = read(picture).unwrap_err();
            let found = faults(&error);
            // Nothing else is told: what a wrong character would be an end of is not judged.
            assert!(found[0].0 == place && found[0].1.contains(words), "{picture} {error}");
            assert!(found.len() == 1 || picture.contains("- \n"), "{error}");
        }
        let wide = format!("o{}", "-o".repeat(26));
        assert_eq!(faults(&read(&wide).unwrap_err())[0].0, (4, 53));
        let many = format!("{}\n", "o o o o o\n\n".repeat(13));
        assert!(read(&many).unwrap_err().to_string().contains("has 65"));
        let inline = board_from_toml("t.toml", "name = 't'\nsource = 's'\npoints = 'o-'\n").unwrap_err();
        assert_eq!(faults(&inline)[0].0, (3, 12));
        let escaped = "name = 't'\nsource = 's'\npoints = \"\"\"\no o\n\\\\?\no o\"\"\"\n";
        assert_eq!(faults(&board_from_toml("t.toml", escaped).unwrap_err())[0].0, (5, 1));
    }

    #[test]
    fn all_errors_of_a_file_are_told_at_once_with_an_excerpt() {
        let text = "nmae = 't'\nsource = 3\npoint = '''\no-O\n|x|\no-o\n'''\ncolour = 'red'\n";
        let error = board_from_toml("t.toml", text).unwrap_err().to_string();
        assert_eq!(
            error,
            "t.toml:1:1: the key `nmae` is not known here; did you mean `name`?
  1 | nmae = 't'
    | ^^^^
t.toml:2:10: `source` is a text, as in source = \"where it comes from\", not of type integer
  2 | source = 3
    |          ^
t.toml:3:1: the key `point` is not known here; did you mean `points`?
  3 | point = '''
    | ^^^^^
t.toml:4:3: found a capital letter O where a point 'o' or a blank (a hole) belongs: write 'o'
  4 | o-O
    |   ^
t.toml:5:2: found a small letter x where a line '/', '\\', 'X' or a blank belongs: write 'X'
  5 | |x|
    |  ^
t.toml:8:1: the key `colour` is not known here; there are `name`, `source`, `points`
  8 | colour = 'red'
    | ^^^^^^"
        );
    }

    #[test]
    fn a_file_that_is_no_toml_or_of_the_other_kind_is_named() {
        let error = board_from_toml("t.toml", "name = 't'\nsorce = 's'\npoints = o\nx\n").unwrap_err();
        let found = faults(&error);
        assert_eq!(found.iter().map(|(place, _)| place.0).collect::<Vec<_>>(), [2, 3, 4], "{error}");
        assert!(found[0].1.contains("did you mean `source`"), "{error}");
        let missing = board_from_toml("t.toml", "name = 't'\n").unwrap_err();
        assert_eq!(missing.faults.iter().map(|f| f.place.is_none()).collect::<Vec<_>>(), [true, true], "{missing}");
        let pods = board_from_toml("t.toml", "name = 't'\nsource = 's'\n[[pod]]\nid = 'b'\nlegs = 'n'\n").unwrap_err();
        assert!(pods.to_string().contains("this is a pod file"), "{pods}");
        for (text, line) in
            [("name = 't'\rsource = 's'\rpoints = '''\ro-o\r'''\r", 1), ("name = 't'\npoints = '''\no\r|\no\n'''\n", 3)]
        {
            let bare = board_from_toml("t.toml", text).unwrap_err();
            assert_eq!(bare.faults.len(), 1, "{bare}");
            assert_eq!(bare.faults[0].place.as_ref().map(|place| place.line), Some(line), "{bare}");
            assert!(bare.faults[0].cause.contains("save the file with line feeds"), "{bare}");
        }
    }
}
