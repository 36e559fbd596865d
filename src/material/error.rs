//! Faults of board and pod files, with their places.

use std::fmt;
use std::ops::Range;

use crate::files::char_start;

/// A board or pod file that cannot be used, with everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialError {
    /// The file's path, or the name of the built-in set.
    pub file: String,
    /// Faults in the order of the file; at least one.
    pub faults: Vec<Fault>,
}

/// One fault of a file: its place if it has one, the cause, and a way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Place in the file.
    pub place: Option<Place>,
    /// The cause.
    pub cause: String,
}

/// A place in a file, with the line that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1; columns count characters.
    pub column: usize,
    /// The line of the file, a long one cut, and below it the marks.
    excerpt: [String; 2],
}

/// Largest number of a file's faults that are written out; the others are counted.
const SHOWN: usize = 20;

/// Characters of a line that an excerpt shows, and how many of them before the place.
const EXCERPT: usize = 100;
const BEFORE: usize = 60;

impl MaterialError {
    /// Creates an error of the file as a whole.
    #[must_use]
    pub fn new(file: &str, cause: impl Into<String>) -> MaterialError {
        MaterialError { file: file.to_owned(), faults: vec![Fault { place: None, cause: cause.into() }] }
    }
}

impl Place {
    pub(super) fn new(text: &str, span: Range<usize>) -> Place {
        let start = char_start(text, span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line = text[line_start..].split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        let column = text[line_start..start].chars().count();
        let marked = text[start..char_start(text, span.end).max(start)].split('\n').next().unwrap_or_default();
        let marked = marked.chars().count().clamp(1, line.chars().count().saturating_sub(column).max(1));
        let from = column.saturating_sub(BEFORE);
        let [mut shown, mut marks] = [String::new(), String::new()];
        let cut = |shown: &mut String, marks: &mut String, cut: bool| {
            if cut {
                shown.push('…');
                marks.push(' ');
            }
        };
        cut(&mut shown, &mut marks, from > 0);
        for (i, c) in line.chars().enumerate().skip(from).take(EXCERPT) {
            let visible = visible(c);
            let mark = if (column..column + marked).contains(&i) { '^' } else { ' ' };
            marks.extend(std::iter::repeat_n(mark, visible.chars().count()));
            shown.push_str(&visible);
        }
        cut(&mut shown, &mut marks, line.chars().count() > from + EXCERPT);
        if column >= line.chars().count() {
            // The place lies beyond the end of the line.
            marks.push('^');
        }
        let marks = marks.trim_end().to_owned();
        Place { line: text[..start].matches('\n').count() + 1, column: column + 1, excerpt: [shown, marks] }
    }
}

/// Returns the character made visible, without effect on a terminal.
fn visible(c: char) -> String {
    if c.is_control() { c.escape_default().to_string() } else { c.to_string() }
}

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().take(SHOWN).enumerate() {
            let between = if i == 0 { "" } else { "\n" };
            match &fault.place {
                None => write!(f, "{between}{}: {}", self.file, fault.cause)?,
                Some(Place { line, column, excerpt: [shown, marks] }) => {
                    let number = line.to_string();
                    let margin = " ".repeat(number.len());
                    write!(f, "{between}{}:{line}:{column}: {}", self.file, fault.cause)?;
                    write!(f, "\n  {number} | {shown}\n  {margin} | {marks}")?;
                }
            }
        }
        match self.faults.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n{}: and {more} more errors", self.file),
        }
    }
}

impl std::error::Error for MaterialError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, span: Range<usize>) -> (usize, usize, String) {
        let Place { line, column, excerpt } = Place::new(text, span);
        (line, column, excerpt.join("\n"))
    }

    #[test]
    fn the_marks_stand_below_what_they_mean() {
        assert_eq!(excerpt("one\ntwo three\n", 8..13), (2, 5, "two three\n    ^^^^^".to_owned()));
        assert_eq!(excerpt("a\r\nbc\r\n", 4..5), (2, 2, "bc\n ^".to_owned()));
        // Beyond the end of a line, of the text, in the middle of a character, over several lines.
        assert_eq!(excerpt("ab\nc", 2..3), (1, 3, "ab\n  ^".to_owned()));
        assert_eq!(excerpt("ab", 99..100), (1, 3, "ab\n  ^".to_owned()));
        assert_eq!(excerpt("öö", 3..4), (1, 2, "öö\n ^".to_owned()));
        assert_eq!(excerpt("ab\ncd", 1..5), (1, 2, "ab\n ^".to_owned()));
        assert_eq!(excerpt("", 0..0), (1, 1, "\n^".to_owned()));
    }

    #[test]
    fn control_characters_are_shown_and_do_nothing() {
        assert_eq!(excerpt("a\tb\u{1b}[2J", 3..4), (1, 4, "a\\tb\\u{1b}[2J\n    ^^^^^^".to_owned()));
    }

    #[test]
    fn a_long_line_is_cut() {
        let long = format!("{}x{}", "a".repeat(5_000), "b".repeat(5_000));
        let (line, column, shown) = excerpt(&long, 5_000..5_001);
        assert_eq!((line, column), (1, 5_001));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0].chars().count(), EXCERPT + 2);
        assert_eq!(lines[0].chars().position(|c| c == 'x'), lines[1].chars().position(|c| c == '^'));
    }

    #[test]
    fn no_fault_is_left_out_in_silence() {
        let fault = |i: usize| Fault { place: None, cause: format!("number {i}") };
        let error = MaterialError { file: "f".to_owned(), faults: (0..23).map(fault).collect() };
        assert!(error.to_string().ends_with("f: number 19\nf: and 3 more errors"), "{error}");
    }
}
