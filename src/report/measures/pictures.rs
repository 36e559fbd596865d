//! Pictures of the rows of a setup: figures by ply with their intervals, and boards shaded by what
//! points are worth.

use super::measure::Measure;
use super::row::{MeasureRow, Method};
use crate::drawing::{Chart, Curve, Drawing, Heat, Knot, Scale};
use crate::report::NamedSetup;
use crate::report::page::setup_words;

/// Measures by ply in their order, with the unit of their scale.
pub(super) const BY_PLY: [(Measure, &str); 12] = [
    (Measure::Ongoing, "share of the games"),
    (Measure::Won, "share of the decisions"),
    (Measure::Drawn, "share of the decisions"),
    (Measure::Lost, "share of the decisions"),
    (Measure::Distance, "plies to the end"),
    (Measure::BranchingFactor, "actions"),
    (Measure::WinningActions, "actions"),
    (Measure::OnlyAction, "share of the decisions"),
    (Measure::LosingActions, "share of the actions"),
    (Measure::DecisiveAction, "share of the decisions"),
    (Measure::BoardSitesOccupied, "share of the points"),
    (Measure::LeadChange, "share of the games"),
];

/// Measures by point, with the unit of their numbers.
const BY_POINT: [(Measure, &str); 2] =
    [(Measure::PointUse, "actions a game"), (Measure::PointGain, "score against the mean action")];

/// Play that was measured in one way: a series of a picture.
#[derive(Clone, Copy, PartialEq)]
struct Series<'r> {
    play: &'r str,
    method: Method,
    games: Option<u64>,
}

impl<'r> Series<'r> {
    fn of(row: &'r MeasureRow) -> Series<'r> {
        Series { play: &row.play, method: row.method, games: row.games }
    }

    fn all(rows: impl Iterator<Item = &'r MeasureRow>) -> Vec<Series<'r>> {
        let mut all = Vec::new();
        for series in rows.map(Series::of) {
            if !all.contains(&series) {
                all.push(series);
            }
        }
        all
    }

    fn words(self) -> String {
        let Series { play, method, games } = self;
        let games = games.map_or(String::new(), |games| format!(", {games} games"));
        format!("{play}: {}{games}", method.name())
    }
}

fn title(named: &NamedSetup) -> String {
    format!("{}, turned by {}°; {}", setup_words(named), named.orientation(), named.rules())
}

/// Draws all measures by ply as SVG; `None` if no row has any.
///
/// The rows are those of `named` in [`super::measures`].
#[must_use]
pub(crate) fn by_ply_picture(named: &NamedSetup, rows: &[MeasureRow]) -> Option<String> {
    let by_ply = || rows.iter().filter(|row| row.ply.is_some());
    let all = Series::all(by_ply());
    let last = by_ply().filter_map(|row| row.ply).max().unwrap_or(0);
    let mut charts = Vec::new();
    for (measure, unit) in BY_PLY {
        let of = |series: Series<'_>| {
            let of = rows.iter().filter(move |row| row.measure == measure && Series::of(row) == series);
            let of: Vec<&MeasureRow> = of.filter(|row| row.ply.is_some()).collect();
            let knot = |ply: u32| of.iter().find(|row| row.ply == Some(ply)).map_or(unknown(ply), |row| knot(ply, row));
            let end = of.iter().filter_map(|row| row.ply).max()?;
            Some((0..=end).map(knot).collect::<Vec<Knot>>())
        };
        let curves = all.iter().enumerate();
        let curves = curves
            .filter_map(|(series, &of_series)| Some(Curve { name: of_series.words(), series, knots: of(of_series)? }));
        let curves: Vec<Curve> = curves.collect();
        if !curves.is_empty() {
            let plies = (0..=last).map(f64::from);
            charts.push(chart(measure, Scale::around("plies before the decision", plies), unit, curves));
        }
    }
    let words = "Bands are 95 % intervals of games that were played; no band: exact, or not known. strong-N looks at N \
                 positions before each action.";
    (!charts.is_empty()).then(|| Drawing::default().charts(&charts, 2, &title(named), words))
}

fn unknown(ply: u32) -> Knot {
    Knot { across: f64::from(ply), value: None, band: None }
}

fn knot(ply: u32, row: &MeasureRow) -> Knot {
    let band = row.low.zip(row.high).map(|(low, high)| [low.0, high.0]);
    Knot { across: f64::from(ply), value: Some(row.value.0), band }
}

fn chart(measure: Measure, across: Scale, unit: &str, curves: Vec<Curve>) -> Chart {
    let knots = || curves.iter().flat_map(|curve| &curve.knots);
    let ends = knots().filter_map(|knot| knot.value).chain(knots().filter_map(|knot| knot.band).flatten());
    let up = Scale::around(unit, ends);
    Chart { title: measure.name().to_owned(), across, up, curves, field: [340.0, 150.0] }
}

/// Draws the board shaded by each measure of points, for each kind of play, as SVG; `None` if no
/// row has any.
///
/// The rows are those of `named` in [`super::measures`].
#[must_use]
pub(crate) fn points_picture(named: &NamedSetup, rows: &[MeasureRow]) -> Option<String> {
    let board = named.game().board();
    let names: Vec<String> = board.points().map(|point| board.coord(point).to_string()).collect();
    let mut heats = Vec::new();
    for (measure, unit) in BY_POINT {
        let of_measure = || rows.iter().filter(|row| row.measure == measure);
        let full = of_measure().map(|row| row.value.0.abs()).fold(0.0, f64::max);
        for series in Series::all(of_measure()) {
            let number = |name: &String| {
                let mut of = of_measure().filter(|row| Series::of(row) == series);
                of.find(|row| row.item.as_ref() == Some(name)).map(|row| row.value.0)
            };
            let numbers = names.iter().map(number).collect();
            heats.push(Heat { board, title: format!("{measure}, {unit}. {}", series.words()), numbers, full });
        }
    }
    let words = "The stronger the shade, the further from 0; blue above, orange below. ? is not known. Boards of one \
                 measure have the same shades.";
    (!heats.is_empty()).then(|| Drawing::default().heats(&heats, 3, &title(named), words))
}
