//! Pieces of a drawing, one below another, and how numbers and long lines of text are written.

use std::fmt;

use maud::{Markup, html};

/// Units from a point of the grid to the next one in its row.
pub(super) const STEP: f64 = 60.0;

/// Width of a letter, as a share of the size of its font: more than most letters need.
const LETTER: f64 = 0.58;

/// A number with at most two decimals, so that drawings are the same everywhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Num(pub(super) f64);

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Place {
    /// Returns the attribute that moves the origin here.
    pub(super) fn shift(self) -> String {
        format!("translate({} {})", Num(self.x), Num(self.y))
    }
}

/// A piece of a drawing, with its origin at the top left.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) markup: Markup,
}

/// Returns the parts one below another, each in the middle of the width.
pub(super) fn stack(parts: Vec<Part>) -> Part {
    let width = parts.iter().map(|part| part.width).fold(0.0, f64::max);
    let mut height = 0.0;
    let markup = html! {
        @for part in &parts {
            @let at = Place { x: (width - part.width) / 2.0, y: height };
            g transform=(at.shift()) { (part.markup) }
            "\n"
            ({ height += part.height; "" })
        }
    };
    Part { width, height, markup }
}

/// Returns the parts in rows of so many, each in a column as wide as the widest.
pub(super) fn rows_of(parts: Vec<Part>, columns: usize) -> Part {
    let columns = columns.clamp(1, parts.len().max(1));
    let width = parts.iter().map(|part| part.width).fold(0.0, f64::max);
    let mut rows = Vec::new();
    for row in parts.chunks(columns) {
        let height = row.iter().map(|part| part.height).fold(0.0, f64::max);
        let markup = html! {
            @for (part, column) in row.iter().zip(0_u32..) {
                g transform=(Place { x: f64::from(column) * width, y: 0.0 }.shift()) { (part.markup) }
                "\n"
            }
        };
        rows.push(Part { width: columns as f64 * width, height, markup });
    }
    stack(rows)
}

/// Breaks a text into lines of at most `most` characters: at blanks, or in the middle of a word
/// that is longer.
pub(super) fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line: Vec<char> = Vec::new();
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        if !line.is_empty() && line.len() + 1 + word.len() > most {
            lines.push(std::mem::take(&mut line).into_iter().collect());
        }
        if !line.is_empty() {
            line.push(' ');
        }
        while line.len() + word.len() > most {
            let rest = word.split_off(most - line.len());
            line.extend(word);
            lines.push(std::mem::take(&mut line).into_iter().collect());
            word = rest;
        }
        line.extend(word);
    }
    if !line.is_empty() {
        lines.push(line.into_iter().collect());
    }
    lines
}

/// Returns the lines of text of a font size, `width` wide, with a class.
pub(super) fn text(text: &str, size: f64, width: f64, class: &str) -> Part {
    let most = ((width / (size * LETTER)) as usize).max(1);
    let lines = wrapped(text, most);
    let markup = html! {
        @for (i, line) in lines.iter().enumerate() {
            text class=(class) x="0" y=(Num(size * (1.1 + 1.3 * i as f64))) font-size=(Num(size)) { (line) }
        }
    };
    Part { width, height: size * 1.3 * lines.len() as f64 + size * 0.4, markup }
}

pub(super) fn gap(height: f64) -> Part {
    Part { width: 0.0, height, markup: html! {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_idle_zeros() {
        let texts = [0.0, -0.001, 1.5, -2.0, 10.005, 0.333_333, 100.0].map(|number| Num(number).to_string());
        assert_eq!(texts, ["0", "0", "1.5", "-2", "10.01", "0.33", "100"]);
    }

    #[test]
    fn lines_break_at_blanks_and_in_words_that_are_too_long() {
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrapped("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrapped("ab  \n cdefg", 3), ["ab", "cde", "fg"]);
        assert!(wrapped("  ", 4).is_empty());
        for most in 1..9 {
            let lines = wrapped("one twothree four ünf", most);
            assert!(lines.iter().all(|line| (1..=most).contains(&line.chars().count())), "{lines:?}");
            assert_eq!(lines.concat().replace(' ', ""), "onetwothreefourünf");
        }
    }
}
