//! The picture of effort by ply: nodes and seconds, a dot for each position, a line through the medians.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::row::{ByPly, FrontierRow, by_ply};

/// Why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PlotError(String);

const SIZE: (u32, u32) = (800, 900);
const SOLVED: RGBColor = RGBColor(31, 119, 180);
const UNSOLVED: RGBColor = RGBColor(200, 60, 40);
/// Shorter times, in seconds, are drawn at this one: a logarithmic scale has no place for 0.
const SHORTEST: f64 = 1e-4;

/// One of the two charts.
struct Chart<'a> {
    title: &'a str,
    unit: &'a str,
    of_row: fn(&FrontierRow) -> f64,
    median: fn(&ByPly) -> f64,
}

/// An SVG picture of one or more rows. The dots of a ply are spread sideways by orientation and seed.
///
/// # Errors
///
/// If the drawing fails.
pub fn plot(rows: &[FrontierRow]) -> Result<String, PlotError> {
    let charts = [
        Chart {
            title: "Nodes until solved, by ply",
            unit: "nodes",
            of_row: |row| row.nodes.max(1) as f64,
            median: |of| of.median_nodes.max(1.0),
        },
        Chart {
            title: "Seconds until solved, one thread, by ply (0.1 ms or less in one line)",
            unit: "seconds",
            of_row: |row| row.seconds.max(SHORTEST),
            median: |of| of.median_seconds.max(SHORTEST),
        },
    ];
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let failed = |e: DrawingAreaErrorKind<std::io::Error>| PlotError(e.to_string());
        root.fill(&WHITE).map_err(failed)?;
        for (area, chart) in root.split_evenly((2, 1)).iter().zip(&charts) {
            draw(area, rows, chart).map_err(|e| PlotError(e.to_string()))?;
        }
        root.present().map_err(failed)?;
    }
    Ok(svg)
}

/// The power of ten at or below a number; with `up`, the next one above it.
fn power(number: f64, up: bool) -> f64 {
    let log = number.log10();
    10_f64.powf(if up { (log + 1e-9).floor() + 1.0 } else { log.floor() })
}

fn draw(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    rows: &[FrontierRow],
    chart: &Chart<'_>,
) -> Result<(), Box<dyn std::error::Error>> {
    let by_ply = by_ply(rows);
    let plies = || by_ply.iter().map(|of| of.ply);
    let (first, last) = (plies().min().unwrap_or(0), plies().max().unwrap_or(0));
    let numbers = || rows.iter().map(chart.of_row);
    let low = power(numbers().fold(f64::INFINITY, f64::min), false);
    let high = power(numbers().fold(0.0, f64::max), true);
    let x = f64::from(first) - 0.8..f64::from(last) + 0.8;
    let mut context = ChartBuilder::on(area)
        .margin(14)
        .caption(chart.title, ("sans-serif", 18))
        .x_label_area_size(42)
        .y_label_area_size(84)
        .build_cartesian_2d(x, (low..high).log_scale())?;
    context
        .configure_mesh()
        .max_light_lines(0)
        .x_desc("random plies before the search")
        .y_desc(chart.unit)
        .x_labels((last - first + 2) as usize)
        .x_label_formatter(&|x| if x.fract().abs() < 1e-6 { format!("{x:.0}") } else { String::new() })
        .y_label_formatter(&|y| label(*y))
        .label_style(("sans-serif", 13))
        .draw()?;
    let spread = |row: &FrontierRow| {
        // Dots stand from -0.3 to 0.3 beside their ply: by orientation, then by the last digit of the seed.
        f64::from(row.ply) - 0.3 + 0.18 * f64::from(row.orientation / 90) + 0.006 * (row.seed % 10) as f64
    };
    let solved = rows.iter().filter(|row| row.value.is_some());
    context
        .draw_series(solved.map(|row| Circle::new((spread(row), (chart.of_row)(row)), 3, SOLVED.mix(0.55).filled())))?
        .label("a position, solved")
        .legend(|(x, y)| Circle::new((x + 8, y), 3, SOLVED.mix(0.55).filled()));
    let mut unsolved = rows.iter().filter(|row| row.value.is_none()).peekable();
    if unsolved.peek().is_some() {
        context
            .draw_series(unsolved.map(|row| TriangleMarker::new((spread(row), (chart.of_row)(row)), 5, UNSOLVED)))?
            .label("not solved at the limit of nodes: takes more")
            .legend(|(x, y)| TriangleMarker::new((x + 8, y), 5, UNSOLVED));
    }
    let medians: Vec<(f64, f64)> = by_ply.iter().map(|of| (f64::from(of.ply), (chart.median)(of))).collect();
    context
        .draw_series([PathElement::new(medians.clone(), BLACK.stroke_width(2))])?
        .label("median")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 16, y)], BLACK.stroke_width(2)));
    context.draw_series(medians.into_iter().map(|at| Circle::new(at, 4, BLACK.filled())))?;
    context
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.4))
        .label_font(("sans-serif", 13))
        .draw()?;
    Ok(())
}

/// A power of ten as people write it.
fn label(number: f64) -> String {
    if (0.001..1e6).contains(&number) { format!("{number}") } else { format!("{number:.0e}") }
}
