//! What is written for people: nothing from a file, an argument or another program acts on the terminal.

use std::fmt::Display;
use std::io::{self, Write};

/// Passes text on with its control characters escaped as `\u001b`, line ends and tabs apart, which JSON reads as well.
#[derive(Debug)]
pub struct Escaping<W> {
    inner: W,
    /// A byte held back until the next one is known: one that may begin a control character of two bytes (U+0080 to
    /// U+009F), or a carriage return, which a line feed makes a line end (RFC 4180).
    held: Option<u8>,
}

/// The first of the two bytes.
const LEAD: u8 = 0xc2;

/// A carriage return.
const RETURN: u8 = b'\r';

impl<W: Write> Escaping<W> {
    /// A writer to this one.
    pub fn new(inner: W) -> Escaping<W> {
        Escaping { inner, held: None }
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut from = 0;
        for (i, &byte) in bytes.iter().enumerate() {
            let held = self.held.take();
            let two_bytes = held == Some(LEAD) && (0x80..=0x9f).contains(&byte);
            match held {
                Some(LEAD) if !two_bytes => self.inner.write_all(&[LEAD])?,
                Some(RETURN) if byte == b'\n' => self.inner.write_all(&[RETURN])?,
                Some(RETURN) => write!(self.inner, "\\u{RETURN:04x}")?,
                _ => {}
            }
            self.held = Some(byte).filter(|&byte| !two_bytes && (byte == LEAD || byte == RETURN));
            let escape = two_bytes || self.held.is_none() && is_control(byte);
            if escape || self.held.is_some() {
                self.inner.write_all(&bytes[from..i])?;
                from = i + 1;
            }
            if escape {
                write!(self.inner, "\\u{byte:04x}")?;
            }
        }
        self.inner.write_all(&bytes[from..])?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

const fn is_control(byte: u8) -> bool {
    byte == 0x7f || byte < 0x20 && byte != b'\n' && byte != b'\t'
}

/// Writes to standard error. If that is closed too, nothing can be done.
pub fn complain(text: impl Display) {
    let _ = write!(Escaping::new(io::stderr()), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(pieces: &[&[u8]]) -> String {
        let mut out = Escaping::new(Vec::new());
        for piece in pieces {
            out.write_all(piece).unwrap();
        }
        String::from_utf8(out.inner).unwrap()
    }

    #[test]
    fn control_characters_are_escaped_and_the_rest_passes() {
        for (text, expected) in [
            ("plain\ttext\n", "plain\ttext\n"),
            ("\u{1b}[2Jgone\r\u{7f}\0", "\\u001b[2Jgone\\u000d\\u007f\\u0000"),
            ("\u{9b}2J, °, ○, é, Â", "\\u009b2J, °, ○, é, Â"),
            ("\u{80}\u{9f}\u{a0}", "\\u0080\\u009f\u{a0}"),
            ("a,b\r\nc\rd\r\re\r\n", "a,b\r\nc\\u000dd\\u000d\\u000de\r\n"),
            ("", ""),
        ] {
            assert_eq!(escaped(&[text.as_bytes()]), expected);
            // However it is cut.
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(escaped(&bytes), expected);
        }
        let json = escaped(&[&serde_json::to_vec("a\u{7f}\u{9b}").unwrap()]);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "a\u{7f}\u{9b}");
    }
}
