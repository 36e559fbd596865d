//! Tables of pages, also with all figures of a CSV.

use maud::{Markup, Render, html};

use crate::drawing::plain;
use crate::files::Record;
use crate::geometry::Orientation;

/// A table with a caption, in a box of its own that can be scrolled.
pub(crate) struct Table<'a> {
    /// The id of the caption, which names the box.
    pub(crate) id: &'a str,
    pub(crate) class: &'static str,
    pub(crate) caption: Markup,
    /// The heads of the columns; the first is above the heads of the lines.
    pub(crate) heads: Vec<Markup>,
    pub(crate) lines: Vec<Line>,
}

pub(crate) struct Line {
    pub(crate) class: Option<&'static str>,
    pub(crate) head: Markup,
    pub(crate) cells: Vec<Markup>,
}

impl Line {
    pub(crate) fn new(head: Markup, cells: impl IntoIterator<Item = Markup>) -> Line {
        Line { class: None, head, cells: cells.into_iter().collect() }
    }
}

impl Render for Table<'_> {
    fn render(&self) -> Markup {
        html! {
            div class={ "scroll " (self.class) } role="region" tabindex="0" aria-labelledby=(self.id) {
                table {
                    caption id=(self.id) { span { (self.caption) } }
                    thead { tr { @for head in &self.heads { th scope="col" { (head) } } } }
                    tbody {
                        @for Line { class, head, cells } in &self.lines {
                            tr class=[*class] {
                                th scope="row" { (head) }
                                @for cell in cells { (cell) }
                            }
                            "\n"
                        }
                    }
                }
            }
        }
    }
}

/// Returns plain texts as heads of columns.
pub(crate) fn texts(texts: impl IntoIterator<Item = impl Render>) -> Vec<Markup> {
    texts.into_iter().map(|text| html! { (text) }).collect()
}

/// Returns the heads of columns: `first`, then one for each turn of the board.
pub(crate) fn by_turn(first: &str, turns: &[Orientation]) -> Vec<Markup> {
    let turns = turns.iter().map(|turn| format!("{turn}°"));
    texts([first.to_owned()].into_iter().chain(turns))
}

pub(crate) fn cell(content: impl Render) -> Markup {
    html! { td { (content) } }
}

/// Returns a cell's text; a dash where it is empty.
pub(crate) fn shown(cell: &str) -> String {
    if cell.is_empty() { "–".to_owned() } else { plain(cell) }
}

/// Returns a cell of a CSV. Its line may break where an option or its value begins.
fn breakable(text: &str) -> Markup {
    let shown = shown(text);
    html! { @for part in shown.split_inclusive(['+', '=']) { (part) @if part.ends_with(['+', '=']) { wbr; } } }
}

/// Number of columns that fit on a sheet of paper in portrait format.
const UPRIGHT: usize = 12;

/// Returns a table with the rows and columns of a CSV.
pub(crate) fn wide<R: Record>(id: &str, caption: &str, rows: &[R]) -> Markup {
    some(id, caption, &R::header(), rows)
}

pub(crate) fn some<R: Record>(id: &str, caption: &str, columns: &[&str], rows: &[R]) -> Markup {
    let kept: Vec<bool> = R::header().iter().map(|name| columns.contains(name)).collect();
    let line = |row: &R| {
        let mut cells = row.cells().into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(text, _)| breakable(&text));
        let head = cells.next().unwrap_or_else(|| breakable(""));
        Line::new(head, cells.map(cell))
    };
    let table = Table {
        id,
        class: if columns.len() > UPRIGHT { "figures wide" } else { "figures" },
        caption: html! { (caption) " The columns are those of the CSV; – where nothing is known or there is nothing." },
        heads: texts(columns.iter().map(|name| name.replace('_', " "))),
        lines: rows.iter().map(line).collect(),
    };
    table.render()
}

/// Returns a table with a few rows of a CSV as columns, side by side, and a line for each figure.
/// `heads` are the names of these columns.
pub(crate) fn side_by_side<R: Record>(id: &str, caption: &str, heads: &[String], rows: &[R]) -> Markup {
    let rows: Vec<Vec<String>> = rows.iter().map(R::cells).collect();
    let line = |(column, name): (usize, &str)| {
        let all_same = rows.len() > 1 && rows.iter().all(|row| row[column] == rows[0][column]);
        let cells = if all_same {
            vec![html! { td colspan=(rows.len()) { (shown(&rows[0][column])) } }]
        } else {
            rows.iter().map(|row| cell(shown(&row[column]))).collect()
        };
        Line::new(html! { (name.replace('_', " ")) }, cells)
    };
    let table = Table {
        id,
        class: "figures",
        caption: html! { (caption) " – where nothing is known or there is nothing." },
        heads: texts(["Figure"].into_iter().chain(heads.iter().map(String::as_str))),
        lines: R::header().into_iter().enumerate().map(line).collect(),
    };
    table.render()
}
