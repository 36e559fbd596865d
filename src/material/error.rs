//! What can be wrong with a board or pod file, and where.

use std::fmt;
use std::ops::Range;

/// A board or pod file that cannot be used: the file, the place in it as far as it is known, the cause, a way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialError {
    /// The file's path, or the name of the built-in set.
    pub file: String,
    /// Line and column, both counted from 1; columns count characters.
    pub place: Option<(usize, usize)>,
    /// What is wrong.
    pub cause: String,
}

impl MaterialError {
    pub(super) fn new(file: &str, cause: impl Into<String>) -> MaterialError {
        MaterialError { file: file.to_owned(), place: None, cause: cause.into() }
    }

    pub(super) fn at(mut self, line: usize, column: usize) -> MaterialError {
        self.place = Some((line, column));
        self
    }

    /// The error with the place of the first byte of `span` in the file's text.
    pub(super) fn at_span(self, text: &str, span: Range<usize>) -> MaterialError {
        let (line, column) = line_and_column(text, span.start);
        self.at(line, column)
    }

    /// An error of the TOML reader.
    pub(super) fn toml(file: &str, text: &str, error: &toml::de::Error) -> MaterialError {
        let plain = MaterialError::new(file, error.message().replace('\n', "; "));
        match error.span() {
            Some(span) => plain.at_span(text, span),
            None => plain,
        }
    }
}

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {}", self.file, self.cause),
            None => write!(f, "{}: {}", self.file, self.cause),
        }
    }
}

impl std::error::Error for MaterialError {}

/// Line and column, both from 1, of a byte of a text.
pub(super) fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
