//! The rules' Markdown as text for a terminal.

use std::io::{self, IsTerminal as _};

use textwrap::{Options, WordSplitter};

/// The widest text, in columns: longer lines are hard to read.
const WIDEST: usize = 100;

/// Indentation of a clause's text under its heading.
const INDENT: &str = "    ";

/// Returns the width of text in columns: that of the terminal, within reason; 80 where there is
/// none.
pub(super) fn width() -> usize {
    if io::stdout().is_terminal() { textwrap::termwidth().clamp(40, WIDEST) } else { 80 }
}

/// Breaks text in lines of at most `width` columns. The first line begins with `mark`, the others
/// with as many blanks.
pub(super) fn hanging(mark: &str, text: &str, width: usize) -> String {
    let blanks = " ".repeat(mark.chars().count());
    let options = Options::new(width)
        .initial_indent(mark)
        .subsequent_indent(&blanks)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(&text.replace("**", ""), options) + "\n"
}

/// Returns a Markdown text of the kind that the rules are written in: headings, paragraphs, lists
/// and lists in them, tables, blocks of code. Paragraphs and lists are wrapped; what stands under a
/// heading of the third level is indented.
pub(super) fn markdown(text: &str, width: usize) -> String {
    let mut page = Page { text: String::new(), open: None, indent: "", titled: false, width };
    let mut in_code = false;
    let mut table: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        if !line.starts_with('|') && !table.is_empty() {
            page.table(&std::mem::take(&mut table));
        }
        if line.starts_with("```") {
            page.close();
            in_code = !in_code;
        } else if in_code {
            page.line(&format!("{INDENT}{line}"));
        } else if line.starts_with('|') {
            page.close();
            table.push(line.trim_matches('|').split('|').map(str::trim).collect());
        } else if let Some(title) = line.strip_prefix("### ") {
            page.close();
            page.indent = "";
            page.line(title);
            page.indent = INDENT;
            page.titled = true;
        } else if let Some(title) = line.strip_prefix("## ") {
            page.heading(title, '-');
        } else if let Some(title) = line.strip_prefix("# ") {
            page.heading(title, '=');
        } else {
            page.text(line);
        }
    }
    page.close();
    page.table(&table);
    page.text.trim_matches('\n').to_owned() + "\n"
}

struct Page {
    text: String,
    /// The paragraph or item that is being collected, with its mark.
    open: Option<(String, String)>,
    indent: &'static str,
    /// True if the last line is a heading of the third level, under which the text follows at once.
    titled: bool,
    width: usize,
}

impl Page {
    fn line(&mut self, line: &str) {
        let line = format!("{}{line}", self.indent);
        self.text.push_str(line.trim_end());
        self.text.push('\n');
        self.titled = false;
    }

    /// Writes what has been collected.
    fn close(&mut self) {
        if let Some((mark, text)) = self.open.take() {
            self.text.push_str(&hanging(&format!("{}{mark}", self.indent), &text, self.width));
        }
    }

    fn heading(&mut self, title: &str, underline: char) {
        self.close();
        self.indent = "";
        self.line(title);
        self.line(&underline.to_string().repeat(title.chars().count()));
    }

    fn text(&mut self, line: &str) {
        if line.is_empty() {
            self.close();
            if !self.titled {
                self.text.push('\n');
            }
            return;
        }
        let item = line.trim_start();
        let depth = line.len() - item.len();
        let digits = item.bytes().take_while(u8::is_ascii_digit).count();
        let mark = match item {
            _ if item.starts_with("- ") => 2,
            _ if digits > 0 && item[digits..].starts_with(". ") => digits + 2,
            _ => 0,
        };
        if mark > 0 || self.open.is_none() {
            self.close();
            self.titled = false;
            // A paragraph that goes on in an item stands under its text.
            let (mark, text) = line.split_at(depth + mark);
            self.open = Some((mark.to_owned(), text.to_owned()));
        } else if let Some((_, text)) = &mut self.open {
            text.push(' ');
            text.push_str(line.trim_start());
        }
    }

    /// Renders a table, its columns as wide as their widest cells.
    fn table(&mut self, rows: &[Vec<&str>]) {
        let cells: Vec<Vec<String>> = rows
            .iter()
            .filter(|row| !row.iter().all(|cell| cell.chars().all(|c| c == '-')))
            .map(|row| row.iter().map(|cell| cell.replace('`', "")).collect())
            .collect();
        let column = |i: usize| cells.iter().filter_map(|row| row.get(i)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..cells.first().map_or(0, Vec::len)).filter_map(column).collect();
        for row in &cells {
            let line: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            self.line(&line.join("  "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_lists_are_wrapped_tables_and_code_are_not() {
        let source = "\
# Title

A paragraph of
two lines, **bold**.

## Part

### R1 entry

Its first
paragraph.

Its second.

- item one that goes on
  and on
- item two
  - item in
    an item

  more of item two

1. first

```text
  code  as   it is written, however long it may be
```

| a    | bcd |
| ---- | --- |
| `ef` | g   |
";
        let expected = "\
Title
=====

A paragraph of two
lines, bold.

Part
----

R1 entry
    Its first
    paragraph.

    Its second.

    - item one that
      goes on and on
    - item two
      - item in an
        item

      more of item
      two

    1. first

          code  as   it is written, however long it may be

    a   bcd
    ef  g
";
        assert_eq!(markdown(source, 20), expected);
    }

    #[test]
    fn what_is_longer_than_a_line_stays_whole() {
        assert_eq!(hanging("R1  ", "placement-liberty=on or off", 12), "R1  placement-liberty=on\n    or off\n");
    }
}
