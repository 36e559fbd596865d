//! TOML files read with everything that is wrong with them, each fault at its place.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Fault, MaterialError, Place};
use super::suggest::nearest;
use crate::files::{char_start, shortened};

/// The most characters of a name, which every row about a board or pods repeats.
const MAX_NAME: usize = 1_000;

/// A file being read: its text, and what was found wrong so far.
pub(super) struct TomlFile<'t> {
    file: &'t str,
    text: &'t str,
    /// By the place in the text; faults without a place come last.
    faults: Vec<(usize, Fault)>,
    /// The places where the text is not TOML.
    syntax: Vec<(usize, Fault)>,
    /// True if a key that belongs there was found.
    has_key: bool,
}

pub(super) struct Fields<'d, 't> {
    values: BTreeMap<&'static str, &'d Spanned<DeValue<'t>>>,
    /// Span of the table's beginning; `None` for the whole file.
    place: Option<Range<usize>>,
}

/// A text of a file, and where each of its characters is.
pub(super) struct Text {
    pub(super) value: String,
    /// The whole, with its quotes.
    pub(super) span: Range<usize>,
    /// The bytes of the file at which the characters begin, and at which the content ends.
    offsets: Vec<usize>,
}

impl Text {
    pub(super) fn span_of(&self, chars: Range<usize>) -> Range<usize> {
        let at = |char: usize| self.offsets.get(char).or(self.offsets.last()).copied().unwrap_or(self.span.start);
        at(chars.start)..at(chars.end)
    }
}

impl<'t> TomlFile<'t> {
    pub(super) fn new(file: &'t str, text: &'t str) -> TomlFile<'t> {
        TomlFile { file, text, faults: Vec::new(), syntax: Vec::new(), has_key: false }
    }

    /// Parses the text as TOML. Where it is not TOML, the faults are noted, and the rest is parsed.
    /// Nothing is where lines end with carriage returns alone: all of it would be at fault.
    pub(super) fn parse(&mut self) -> DeTable<'t> {
        let bare = |&(at, _): &(usize, &str)| !self.text[at + 1..].starts_with('\n');
        if let Some((at, _)) = self.text.match_indices('\r').find(bare) {
            let place = Some(Place::new(self.text, at..at));
            let cause = "a carriage return alone ends no line: save the file with line feeds".to_owned();
            self.syntax.push((at, Fault { place, cause }));
            self.has_key = true;
            return DeTable::new();
        }
        let (table, errors) = DeTable::parse_recoverable(self.text);
        for error in errors {
            let span = error.span().unwrap_or(self.text.len()..self.text.len());
            let place = Some(Place::new(self.text, span.clone()));
            self.syntax.push((span.start, Fault { place, cause: error.message().replace('\n', "; ") }));
        }
        table.into_inner()
    }

    /// Notes what is wrong at a place.
    pub(super) fn fault(&mut self, span: Range<usize>, cause: impl Into<String>) {
        let fault = Fault { place: Some(Place::new(self.text, span.clone())), cause: cause.into() };
        self.faults.push((span.start, fault));
    }

    /// Notes what is wrong with the file, or with the table that begins at a place.
    pub(super) fn fault_of(&mut self, table: &Fields<'_, '_>, cause: impl Into<String>) {
        match &table.place {
            Some(span) => self.fault(span.clone(), cause),
            None => self.faults.push((usize::MAX, Fault { place: None, cause: cause.into() })),
        }
    }

    /// Returns the line of a byte, from 1.
    pub(super) fn line(&self, byte: usize) -> usize {
        Place::new(self.text, byte..byte).line
    }

    /// Returns the values of a table whose keys are known. An unknown key that is close to a known
    /// one is reported, and read as that one.
    pub(super) fn fields<'d>(
        &mut self,
        table: &'d DeTable<'t>,
        place: Option<Range<usize>>,
        known: &[&'static str],
    ) -> Fields<'d, 't> {
        let mut values = BTreeMap::new();
        let mut others = Vec::new();
        for (key, value) in table {
            match known.iter().find(|name| **name == key.get_ref()) {
                Some(name) => drop(values.insert(*name, value)),
                None => others.push((key, value)),
            }
        }
        for (key, value) in others {
            let free = known.iter().copied().filter(|name| !values.contains_key(name));
            let meant = nearest(key.get_ref(), free).first().and_then(|near| known.iter().find(|name| *name == near));
            let cause = format!("the key `{}` is not known here", shortened(key.get_ref()));
            match meant {
                Some(name) => {
                    let brackets = if *name == "pod" { ", as in [[pod]]" } else { "" };
                    self.fault(key.span(), format!("{cause}; did you mean `{name}`{brackets}?"));
                    values.insert(*name, value);
                }
                None => self.fault(key.span(), format!("{cause}; there are {}", listed(known))),
            }
        }
        self.has_key |= !values.is_empty();
        Fields { values, place }
    }

    /// Returns the text of a key. A key that is missing, or whose value is no text, is reported
    /// with an example.
    pub(super) fn text(&mut self, fields: &Fields<'_, 't>, key: &'static str, example: &str) -> Option<Text> {
        let Some(value) = fields.values.get(key) else {
            self.fault_of(fields, format!("`{key}` is missing, as in {key} = {example}"));
            return None;
        };
        let span = value.span();
        match value.get_ref() {
            DeValue::String(content) if key == "name" && content.chars().nth(MAX_NAME).is_some() => {
                self.fault(span, format!("`name` has more than {MAX_NAME} characters"));
                None
            }
            DeValue::String(content) => {
                let offsets = char_offsets(self.text, span.clone(), content);
                Some(Text { value: content.to_string(), span, offsets })
            }
            DeValue::Array(parts) if key == "legs" => {
                let legs: Vec<&str> = parts.iter().filter_map(|part| part.get_ref().as_str()).collect();
                let legs = if legs.is_empty() { example.to_owned() } else { format!("{:?}", legs.join(" ")) };
                self.fault(span, format!("`legs` is one text, with blanks between the legs: legs = {legs}"));
                None
            }
            other => {
                let found = other.type_str();
                self.fault(span, format!("`{key}` is a text, as in {key} = {example}, not of type {found}"));
                None
            }
        }
    }

    /// Returns the value read, or all faults. `None` stands for something that could not be read
    /// and was reported.
    ///
    /// # Panics
    ///
    /// If `read` is `None` and no fault was reported.
    pub(super) fn finish<T>(self, read: Option<T>) -> Result<T, MaterialError> {
        let TomlFile { file, mut faults, mut syntax, has_key, .. } = self;
        if !syntax.is_empty() && !has_key {
            // A file of another kind: the first place says enough.
            syntax.sort_by_key(|(at, _)| *at);
            syntax.truncate(1);
            for (_, Fault { cause, .. }) in &mut syntax {
                *cause = format!("the file is not TOML: {cause}; `pods new` writes a file to begin with");
            }
        }
        if let Some(first) = syntax.iter().map(|(at, _)| *at).min() {
            // What follows an error of syntax may have been misread.
            faults.retain(|(at, _)| *at < first);
        }
        faults.extend(syntax);
        faults.sort_by_key(|(at, _)| *at);
        match read {
            Some(read) if faults.is_empty() => Ok(read),
            _ => {
                assert!(!faults.is_empty(), "what cannot be read is told");
                Err(MaterialError { file: file.to_owned(), faults: faults.into_iter().map(|(_, f)| f).collect() })
            }
        }
    }
}

impl<'d, 't> Fields<'d, 't> {
    pub(super) fn get(&self, key: &str) -> Option<&'d Spanned<DeValue<'t>>> {
        self.values.get(key).copied()
    }
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Returns the offsets of a string's characters in the file, and the end of its content. Quotes,
/// the line break after three opening quotes, and escapes are skipped.
fn char_offsets(text: &str, span: Range<usize>, content: &str) -> Vec<usize> {
    let raw = &text[span.clone()];
    // The content that the parser returns can be shorter than the text in the file.
    let rest = |at: usize| raw.get(at..).unwrap_or_default();
    let quote = if raw.starts_with('"') { '"' } else { '\'' };
    let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
    let mut at = quotes.min(raw.len());
    if quotes == 3 {
        at += raw[at..]
            .find('\n')
            .filter(|&end| raw[at..at + end].trim_matches('\r').is_empty())
            .map_or(0, |end| end + 1);
    }
    let mut offsets = Vec::with_capacity(content.len() + 1);
    for c in content.chars() {
        // A backslash at the end of a line, with the white space after it, stands for nothing.
        while quote == '"' && rest(at).starts_with('\\') && rest(at + 1).starts_with(char::is_whitespace) {
            at = raw.len() - rest(at + 1).trim_start().len();
        }
        if rest(at).starts_with("\r\n") && c == '\n' {
            at += 1;
        }
        offsets.push(span.start + at);
        let escape = if quote == '"' && rest(at).starts_with('\\') { rest(at + 1).chars().next() } else { None };
        at += match escape {
            Some('u') => 6,
            Some('U') => 10,
            Some('x') => 4,
            Some(_) => 2,
            None => rest(at).chars().next().map_or(0, char::len_utf8),
        };
        at = char_start(raw, at);
    }
    offsets.push(span.start + at);
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_kind_gets_one_error() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nbin:x:1:1::/bin:/bin/sh\n";
        let error = crate::material::board_from_toml("passwd", passwd).unwrap_err();
        assert_eq!(error.faults.len(), 1, "{error}");
        assert!(error.to_string().starts_with("passwd:1:5: the file is not TOML: "), "{error}");
        // A board with slips shows them all.
        let error = crate::material::board_from_toml("b", "name = \"b\"\npoints o\nlines ?\n").unwrap_err();
        assert!(error.faults.len() > 1 && !error.to_string().contains("not TOML"), "{error}");
    }

    #[test]
    fn the_characters_of_strings_are_found_behind_quotes_and_escapes() {
        for (raw, content) in [
            ("'ab'", "ab"),
            ("\"a\\\\b\"", "a\\b"),
            ("'''\na\nb'''", "a\nb"),
            ("'''a'''", "a"),
            ("\"\"\"\r\na\\tb\"\"\"", "a\tb"),
            ("\"a\\u00e9b\\U0001F600c\"", "aéb😀c"),
            ("\"\"\"a\\\n   b\"\"\"", "ab"),
            ("''", ""),
        ] {
            let text = format!("k = {raw}\n");
            let table: toml::Table = toml::from_str(&text).unwrap_or_else(|e| panic!("{raw}: {e}"));
            assert_eq!(table["k"].as_str(), Some(content));
            let offsets = char_offsets(&text, 4..4 + raw.len(), content);
            assert_eq!(offsets.len(), content.chars().count() + 1, "{raw}");
            for (c, &at) in content.chars().zip(&offsets) {
                assert!(text[at..].starts_with(c) || text[at..].starts_with('\\'), "{raw}: {c} at {at}");
            }
            let end = text[..*offsets.last().unwrap()].len();
            assert!(text[end..].starts_with(['"', '\'']), "{raw}");
        }
    }
}
