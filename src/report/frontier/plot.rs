//! The picture of effort by ply: nodes and seconds, a dot for each position, a curve through the
//! medians.

use super::row::{ByPly, FrontierRow, by_ply};
use crate::drawing::{Chart, Curve, Dot, Dots, Drawing, Knot, Scale};

/// Shorter times, in seconds, are drawn at this one: a logarithmic scale has no place for 0.
const SHORTEST: f64 = 1e-4;

/// One of the two charts.
struct Effort<'a> {
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
        Effort {
            title: "Nodes until solved, by ply",
            unit: "nodes",
            of_row: |row| row.nodes.max(1) as f64,
            median: |of| of.median_nodes.0.max(1.0),
        },
        Effort {
            title: "Seconds until solved, one thread, by ply (0.1 ms or less in one line)",
            unit: "seconds",
            of_row: |row| row.seconds.0.max(SHORTEST),
            median: |of| of.median_seconds.0.max(SHORTEST),
        },
    ];
    let words = "A dot for each position, at the ply before which random play came to it.";
    Drawing::default().charts(&charts.map(|of| chart(rows, &of)), 1, "Effort by ply", words)
}

fn chart(rows: &[FrontierRow], effort: &Effort<'_>) -> Chart {
    let by_ply = by_ply(rows);
    let (first, last) = (by_ply.first().map_or(0, |of| of.ply), by_ply.last().map_or(0, |of| of.ply));
    let log = |row: &FrontierRow| (effort.of_row)(row).log10();
    let low = rows.iter().map(log).fold(f64::INFINITY, f64::min).floor() as i32;
    let high = (rows.iter().map(log).fold(f64::NEG_INFINITY, f64::max) + 1e-9).floor() as i32 + 1;
    let spread = |row: &FrontierRow| {
        // Dots stand from -0.3 to 0.3 beside their ply: by orientation, then by the last digit of
        // the seed.
        f64::from(row.ply) - 0.3 + 0.18 * f64::from(row.orientation / 90) + 0.006 * (row.seed % 10) as f64
    };
    let dots = |name: &str, dot, solved: bool| {
        let rows = rows.iter().filter(|row| row.value.is_some() == solved);
        let at: Vec<[f64; 2]> = rows.map(|row| [spread(row), log(row)]).collect();
        (!at.is_empty()).then(|| Dots { name: name.to_owned(), dot, at })
    };
    let solved = dots("a position, solved", Dot::Disc, true);
    let unsolved = dots("not solved at the limit of nodes: takes more", Dot::Triangle, false);
    let knot = |of: &ByPly| Knot { across: f64::from(of.ply), value: Some((effort.median)(of).log10()), band: None };
    let plies = (first..=last).map(|ply| (f64::from(ply), ply.to_string())).collect();
    let powers = (low..=high).map(|power| (f64::from(power), label(10_f64.powi(power)))).collect();
    Chart {
        title: effort.title.to_owned(),
        across: Scale::with_ticks("random plies before the search", plies).with_margin(0.8),
        up: Scale::with_ticks(effort.unit, powers),
        curves: vec![Curve { name: "median".to_owned(), series: 0, knots: by_ply.iter().map(knot).collect() }],
        dots: solved.into_iter().chain(unsolved).collect(),
        field: [690.0, 354.0],
    }
}

/// Returns a power of ten as people write it.
fn label(number: f64) -> String {
    if (0.001..1e6).contains(&number) { format!("{number}") } else { format!("{number:.0e}") }
}
