//! Escapes text for terminals, so that nothing from a file, an argument or another program acts on
//! them.

use std::borrow::Cow;
use std::io::{self, Write};

/// Returns `true` if a character can act on a terminal: control characters, and those that turn the
/// direction of writing or end a line.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes such a character as `\u001b`, which JSON allows and no terminal obeys.
fn write_escaped(out: &mut impl Write, c: char) -> io::Result<()> {
    write!(out, "\\u{:04x}", c as u32)
}

/// Returns the text with each character that can act on a terminal written as `\u001b`: control
/// characters, line ends and tabs too, and those that turn the direction of writing.
///
/// ```
/// assert_eq!(pods::files::escaped("a\u{1b}[31mb\n○"), "a\\u001b[31mb\\u000a○");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut shown = Vec::with_capacity(text.len());
    for c in text.chars() {
        // A vector takes everything.
        let _ = if is_obeyed(c) { write_escaped(&mut shown, c) } else { write!(shown, "{c}") };
    }
    String::from_utf8_lossy(&shown).into_owned()
}

/// The most characters that a message repeats of what somebody else wrote.
const MAX_CHARS: usize = 200;

/// The number of characters by which a text must be longer to be cut: the mark of a cut takes as
/// many.
const MARK: usize = 20;

/// Number of them that are the last ones: the end of a message often says what was expected.
const LAST: usize = 50;

/// Returns the text, shortened if it has more than 220 characters: the first 150 and the last 50,
/// with the number of bytes left out between them. For messages that repeat input of a page, a
/// peer, an engine or an argument.
///
/// ```
/// let text = format!("{}z", "a".repeat(1000));
/// assert_eq!(pods::files::shortened(&text), format!("{}… 801 bytes …{}z", "a".repeat(150), "a".repeat(49)));
/// ```
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    if text.chars().nth(MAX_CHARS + MARK).is_none() {
        return Cow::Borrowed(text);
    }
    let begin = text.char_indices().nth(MAX_CHARS - LAST).map_or(text.len(), |(at, _)| at);
    let end = text.char_indices().nth_back(LAST - 1).map_or(begin, |(at, _)| at);
    Cow::Owned(format!("{}… {} bytes …{}", &text[..begin], end - begin, &text[end..]))
}

/// The most characters of a line of a message; a longer one repeats a text of the caller's with
/// blanks.
const LONGEST_LINE: usize = 1_000;

/// Returns a message in which each word of more than 200 characters is cut, and each line of more
/// than a thousand is [shortened], for messages that repeat names, numbers and texts of a caller.
/// Whoever wrote more knows what it was.
///
/// ```
/// let text = format!("{} is no board", "a".repeat(1000));
/// assert_eq!(pods::files::with_short_words(&text), format!("{}… is no board", "a".repeat(200)));
/// let text = pods::files::with_short_words(&format!("{:?} is no board\n", "be ".repeat(1000)));
/// assert!(text.chars().count() < 250 && text.ends_with(" is no board\n"));
/// ```
#[must_use]
pub fn with_short_words(text: &str) -> String {
    fn line(line: &str) -> Cow<'_, str> {
        if line.chars().nth(LONGEST_LINE).is_some() { shortened(line) } else { Cow::Borrowed(line) }
    }
    let (mut short, mut length) = (String::with_capacity(text.len()), 0);
    for c in text.chars() {
        length = if c.is_whitespace() { 0 } else { length + 1 };
        match length {
            0..=MAX_CHARS => short.push(c),
            _ if length == MAX_CHARS + 1 => short.push('…'),
            _ => {}
        }
    }
    short.split_inclusive('\n').map(line).collect()
}

/// Returns the start of the character that a byte belongs to; the end of the text for bytes beyond.
pub(crate) fn char_start(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0)
}

/// Returns the text, cut behind so many bytes where it is longer, with an ellipsis.
#[cfg(feature = "check")]
pub(crate) fn cut(mut text: String, longest: usize) -> String {
    if text.len() > longest {
        text.truncate(char_start(&text, longest));
        text.shrink_to_fit();
        text.push('…');
    }
    text
}

/// Writer that passes text on, escaped as by [`escaped`] but for line ends (a line feed, with or
/// without a carriage return before it, RFC 4180) and tabs. Bytes that are no text pass as they
/// are.
#[derive(Debug)]
pub(crate) struct Escaping<W> {
    inner: W,
    /// Bytes held back until the next ones complete them: the beginning of a character, or a
    /// carriage return.
    held: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    pub(crate) fn new(inner: W) -> Escaping<W> {
        Escaping { inner, held: Vec::new() }
    }

    /// Passes characters on; a carriage return at the end is held back.
    fn pass(&mut self, text: &str, last: bool) -> io::Result<()> {
        let mut from = 0;
        for (at, c) in text.char_indices().filter(|&(_, c)| is_obeyed(c) && c != '\n' && c != '\t') {
            self.inner.write_all(&text.as_bytes()[from..at])?;
            from = at + c.len_utf8();
            match (c, text.as_bytes().get(from)) {
                ('\r', Some(b'\n')) => self.inner.write_all(b"\r")?,
                ('\r', None) if last => self.held.push(b'\r'),
                _ => write_escaped(&mut self.inner, c)?,
            }
        }
        self.inner.write_all(&text.as_bytes()[from..])
    }
}

/// The most bytes of a character that is not whole.
const PART: usize = 3;

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let whole = if self.held.is_empty() {
            Cow::Borrowed(bytes)
        } else {
            self.held.extend_from_slice(bytes);
            Cow::Owned(std::mem::take(&mut self.held))
        };
        let mut chunks = whole.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            let last = chunks.peek().is_none();
            self.pass(chunk.valid(), last && chunk.invalid().is_empty())?;
            if last && chunk.invalid().len() <= PART && is_part(chunk.invalid()) {
                self.held.extend_from_slice(chunk.invalid());
            } else {
                self.inner.write_all(chunk.invalid())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Returns `true` if more bytes may make a character of these.
fn is_part(bytes: &[u8]) -> bool {
    // What is wrong for good has an error of some length, what is only too short has none.
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(pieces: &[&[u8]]) -> Vec<u8> {
        let mut out = Escaping::new(Vec::new());
        for piece in pieces {
            out.write_all(piece).unwrap();
        }
        out.inner
    }

    #[test]
    fn what_a_terminal_obeys_is_spelled_out() {
        assert_eq!(escaped("a\u{1b}[31mb\u{9b}2J\u{7f}\tö○\u{202e}"), "a\\u001b[31mb\\u009b2J\\u007f\\u0009ö○\\u202e");
        // As JSON reads it.
        let escaped = escaped("\u{1b}\u{9b}\u{2028}");
        assert_eq!(escaped, "\\u001b\\u009b\\u2028");
    }

    #[test]
    fn a_long_text_keeps_its_ends() {
        for characters in [0, 1, 200, 220] {
            let text = "é".repeat(characters);
            assert_eq!(shortened(&text), text);
        }
        let text = format!("{}{}", "é".repeat(220), "z");
        assert_eq!(shortened(&text), format!("{}… 42 bytes …{}z", "é".repeat(150), "é".repeat(49)));
    }

    #[test]
    fn line_ends_and_tabs_pass_however_the_bytes_are_cut() {
        for (text, expected) in [
            ("plain\ttext\n", "plain\ttext\n"),
            ("\u{1b}[2Jgone\r\u{7f}\0", "\\u001b[2Jgone\\u000d\\u007f\\u0000"),
            ("\u{9b}2J, °, ○, é, Â, 𝄞", "\\u009b2J, °, ○, é, Â, 𝄞"),
            ("\u{80}\u{9f}\u{a0}\u{202e}abc\u{2069}", "\\u0080\\u009f\u{a0}\\u202eabc\\u2069"),
            ("a,b\r\nc\rd\r\re\r\n", "a,b\r\nc\\u000dd\\u000d\\u000de\r\n"),
            ("", ""),
        ] {
            for size in [1, 2, 3, 5, 100] {
                let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
                assert_eq!(String::from_utf8(passed(&pieces)).unwrap(), expected, "pieces of {size} bytes");
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_pass() {
        for bytes in [&b"a\xffb"[..], b"\xc2x", b"\x9b2J\n", b"\xf0\x9f\x98x"] {
            for size in [1, 2, 100] {
                let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
                assert_eq!(passed(&pieces), bytes);
            }
        }
    }
}
