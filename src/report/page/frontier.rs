//! The page of `pods frontier --from`: how much work positions take, by ply.

use maud::{Markup, Render as _, html};

use super::table::{self, Line, Table};
use super::{About, Page};
use crate::drawing::plain;
use crate::files::Thousands;
use crate::report::frontier::{ByPly, FrontierRow, by_ply};

/// Returns the rows and their sums by ply as a page.
#[must_use]
pub fn frontier_page(rows: &[FrontierRow], about: About<'_>) -> String {
    let sums = by_ply(rows);
    let mut boards: Vec<String> = rows.iter().map(|row| plain(&format!("{}, {}", row.board, row.rules))).collect();
    boards.sort();
    boards.dedup();
    let page = Page {
        title: "How early positions can be solved: nodes by ply",
        introduction: html! {
            p {
                "Each seed stands for a position that uniformly random play comes to; one thread searches it for the winner. "
                (boards.join("; ")) "."
            }
        },
        sections: Vec::new(),
        body: html! {
            section aria-labelledby="nodes" {
                h2 id="nodes" { "Nodes until solved" }
                (strips(rows, &sums))
                (table::wide("figures", "All sums.", &sums))
            }
        },
        about,
    };
    page.text()
}

/// Returns the powers of ten around all nodes.
fn span(rows: &[FrontierRow]) -> (i32, i32) {
    let log = |row: &FrontierRow| (row.nodes.max(1) as f64).log10();
    let low = rows.iter().map(log).fold(f64::INFINITY, f64::min);
    let high = rows.iter().map(log).fold(0.0, f64::max);
    let low = if low.is_finite() { low.floor() as i32 } else { 0 };
    (low, (high.floor() as i32 + 1).max(low + 1))
}

fn strips(rows: &[FrontierRow], sums: &[ByPly]) -> Markup {
    let (low, high) = span(rows);
    let line = |of: &ByPly| {
        // If the middle position was not solved, the median is only a lower bound.
        let more_than = if 2 * of.solved <= of.positions { "more than " } else { "" };
        let cells = [
            format!("{} of {}", of.solved, of.positions),
            format!("{more_than}{}", Thousands(of.median_nodes.0.round() as u128)),
        ];
        let picture = html! { td class="picture" { (strip(rows, of, (low, high))) } };
        Line::new(html! { (of.ply) }, cells.into_iter().map(table::cell).chain([picture]))
    };
    let span = html! { "10" sup { (low) } " to 10" sup { (high) } " nodes" };
    let table = Table {
        id: "nodes-caption",
        class: "strips",
        caption: html! {
            "In the picture, from " (span) ", a step for each power of ten: a dot for each solved position, a triangle where the \
             search stopped at its limit, a line at the median."
        },
        heads: table::texts(["Ply", "Solved", "Median nodes"]).into_iter().chain([span]).collect(),
        lines: sums.iter().map(line).collect(),
    };
    table.render()
}

fn strip(rows: &[FrontierRow], of: &ByPly, (low, high): (i32, i32)) -> Markup {
    let x = |nodes: f64| 6.0 + 388.0 * (nodes.max(1.0).log10() - f64::from(low)) / f64::from(high - low);
    let grid: String = (low..=high).map(|power| format!("M{:.1} 2V38", x(10_f64.powi(power)))).collect();
    let rows = rows.iter().filter(|row| row.ply == of.ply);
    html! {
        svg class="strip" viewBox="0 0 400 40" aria-hidden="true" {
            path class="grid" d=(grid) {}
            @for (i, row) in rows.enumerate() {
                // Dots are spread over a few lines, so that equal ones are seen.
                @let (x, y) = (x(row.nodes as f64), 6.0 + 7.0 * (i % 5) as f64);
                @if row.value.is_some() {
                    circle class="dot" cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="2.6" {}
                } @else {
                    path class="stopped" d=(format!("M{:.1} {:.1}l4 7h-8Z", x, y - 4.0)) {}
                }
            }
            @let median = x(of.median_nodes.0);
            path class="median" d=(format!("M{median:.1} 1V39")) {}
        }
    }
}
