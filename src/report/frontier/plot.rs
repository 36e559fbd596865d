//! The picture of effort by ply: nodes and seconds, a dot for each position, a line through the
//! medians.

use maud::{Markup, html};

use super::row::{ByPly, FrontierRow, by_ply};

const SOLVED: &str = "#1f77b4";
const UNSOLVED: &str = "#c83c28";
/// Shorter times, in seconds, are drawn at this one: a logarithmic scale has no place for 0.
const SHORTEST: f64 = 1e-4;

/// The height of a chart, and where its field begins and ends in it, across and down.
const HEIGHT: f64 = 450.0;
const ACROSS: [f64; 2] = [98.0, 785.0];
const DOWN: [f64; 2] = [39.0, 393.0];

/// One of the two charts.
struct Chart<'a> {
    title: &'a str,
    unit: &'a str,
    of_row: fn(&FrontierRow) -> f64,
    median: fn(&ByPly) -> f64,
}

/// Returns an SVG picture of one or more rows. The dots of a ply are spread sideways by orientation
/// and seed.
#[must_use]
pub fn plot(rows: &[FrontierRow]) -> String {
    let charts = [
        Chart {
            title: "Nodes until solved, by ply",
            unit: "nodes",
            of_row: |row| row.nodes.max(1) as f64,
            median: |of| of.median_nodes.0.max(1.0),
        },
        Chart {
            title: "Seconds until solved, one thread, by ply (0.1 ms or less in one line)",
            unit: "seconds",
            of_row: |row| row.seconds.0.max(SHORTEST),
            median: |of| of.median_seconds.0.max(SHORTEST),
        },
    ];
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width="800" height="900" viewBox="0 0 800 900" font-family="sans-serif" font-size="12" {
            rect width="800" height="900" fill="#fff" {}
            @for (chart, at) in charts.iter().zip(0..) {
                g transform=(format!("translate(0 {})", HEIGHT * f64::from(at))) { (drawn(rows, chart)) }
            }
        }
        "\n"
    };
    svg.into_string()
}

fn drawn(rows: &[FrontierRow], chart: &Chart<'_>) -> Markup {
    let by_ply = by_ply(rows);
    let (first, last) = (by_ply.first().map_or(0, |of| of.ply), by_ply.last().map_or(0, |of| of.ply));
    let logs = || rows.iter().map(|row| (chart.of_row)(row).log10());
    let low = logs().fold(f64::INFINITY, f64::min).floor() as i32;
    let high = (logs().fold(f64::NEG_INFINITY, f64::max) + 1e-9).floor() as i32 + 1;
    let x = |ply: f64| {
        ACROSS[0] + (ACROSS[1] - ACROSS[0]) * (ply - f64::from(first) + 0.8) / (f64::from(last - first) + 1.6)
    };
    let y = |number: f64| DOWN[1] - (DOWN[1] - DOWN[0]) * (number.log10() - f64::from(low)) / f64::from(high - low);
    let spread = |row: &FrontierRow| {
        // Dots stand from -0.3 to 0.3 beside their ply: by orientation, then by the last digit of
        // the seed.
        f64::from(row.ply) - 0.3 + 0.18 * f64::from(row.orientation / 90) + 0.006 * (row.seed % 10) as f64
    };
    let dot = |x, y| html! { circle cx=(short(x)) cy=(short(y)) r="3" fill=(SOLVED) fill-opacity="0.55" {} };
    let triangle =
        |x: f64, y: f64| html! { path d=(format!("M{x:.1} {:.1}l4.3 7.5h-8.6Z", y - 5.0)) fill=(UNSOLVED) {} };
    let medians: Vec<[f64; 2]> = by_ply.iter().map(|of| [x(f64::from(of.ply)), y((chart.median)(of))]).collect();
    let line: Vec<String> = medians.iter().map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
    html! {
        "\n"
        text x="400" y="28" text-anchor="middle" font-size="16" { (chart.title) }
        text x="442" y="436" text-anchor="middle" { "random plies before the search" }
        text text-anchor="middle" transform="translate(24 216) rotate(-90)" { (chart.unit) }
        "\n"
        @for ply in first..=last {
            @let x = short(x(f64::from(ply)));
            path d=(format!("M{x} {}V{}", DOWN[0], DOWN[1] + 5.0)) stroke="#000" stroke-opacity="0.2" {}
            text x=(x) y=(DOWN[1] + 18.0) text-anchor="middle" { (ply) }
        }
        "\n"
        @for power in low..=high {
            @let at = y(10_f64.powi(power));
            path d=(format!("M{} {at:.1}H{}", ACROSS[0] - 5.0, ACROSS[1])) stroke="#000" stroke-opacity="0.2" {}
            text x=(ACROSS[0] - 9.0) y=(short(at + 4.0)) text-anchor="end" { (label(10_f64.powi(power))) }
        }
        @for row in rows {
            "\n"
            @let (x, y) = (x(spread(row)), y((chart.of_row)(row)));
            @if row.value.is_some() { (dot(x, y)) } @else { (triangle(x, y)) }
        }
        "\n"
        path d=(format!("M{}", line.join("L"))) fill="none" stroke="#000" stroke-width="2" {}
        @for [x, y] in &medians { circle cx=(short(*x)) cy=(short(*y)) r="4" {} }
        "\n"
        (dot(520.0, 56.0))
        text x="532" y="60" { "a position, solved" }
        path d="M512 76h16" stroke="#000" stroke-width="2" {}
        text x="532" y="80" { "median" }
        @if rows.iter().any(|row| row.value.is_none()) {
            (triangle(520.0, 97.0))
            text x="532" y="100" { "not solved at the limit of nodes: takes more" }
        }
        "\n"
    }
}

/// Returns a coordinate, to a tenth.
fn short(number: f64) -> String {
    format!("{number:.1}")
}

/// Returns a power of ten as people write it.
fn label(number: f64) -> String {
    if (0.001..1e6).contains(&number) { format!("{number}") } else { format!("{number:.0e}") }
}
