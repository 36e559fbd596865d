//! Tables of figures: all cells of a CSV, nothing left out.

use maud::{Markup, html};

use crate::drawing::plain;

/// A cell's text; a dash where it is empty.
pub(super) fn shown(cell: &str) -> String {
    if cell.is_empty() { "–".to_owned() } else { plain(cell) }
}

/// The rows of a CSV as they are, in a box of its own that can be scrolled.
pub(super) fn wide(id: &str, caption: &str, header: &[&str], rows: &[Vec<String>]) -> Markup {
    html! {
        div class="scroll wide" role="region" tabindex="0" aria-labelledby=(id) {
            table class="figures" {
                caption id=(id) { span {
                    (caption) " The columns are those of the CSV; – where nothing is known or there is nothing."
                } }
                thead { tr { @for name in header { th scope="col" { (name.replace('_', " ")) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (i, cell) in row.iter().enumerate() {
                                @if i == 0 { th scope="row" { (shown(cell)) } } @else { td { (shown(cell)) } }
                            }
                        }
                        "\n"
                    }
                }
            }
        }
    }
}

/// The rows of a CSV as columns, for a few that stand side by side: a line for each figure. `heads` are the names of the
/// columns.
pub(super) fn side_by_side(id: &str, caption: &str, header: &[&str], heads: &[String], rows: &[Vec<String>]) -> Markup {
    html! {
        div class="scroll" role="region" tabindex="0" aria-labelledby=(id) {
            table class="figures" {
                caption id=(id) { span { (caption) " – where nothing is known or there is nothing." } }
                thead {
                    tr {
                        th scope="col" { "Figure" }
                        @for head in heads { th scope="col" { (head) } }
                    }
                }
                tbody {
                    @for (column, name) in header.iter().enumerate() {
                        tr {
                            th scope="row" { (name.replace('_', " ")) }
                            @if rows.len() > 1 && rows.iter().all(|row| row[column] == rows[0][column]) {
                                td colspan=(rows.len()) { (shown(&rows[0][column])) }
                            } @else {
                                @for row in rows { td { (shown(&row[column])) } }
                            }
                        }
                        "\n"
                    }
                }
            }
        }
    }
}
