//! Charts: curves with bands over two scales.
//!
//! Series are told apart by their dashes beside their colours. For readers of the markup, a curve
//! and its band have `data-series`, a tick has `data-tick`.

use maud::{Markup, html};

use super::part::{Num, Part};

#[derive(Clone, Debug)]
pub(crate) struct Scale {
    label: String,
    low: f64,
    high: f64,
    ticks: Vec<(f64, String)>,
}

/// Most ticks of a scale, about.
const TICKS: f64 = 6.0;

impl Scale {
    /// Returns a scale from 0 or below to the highest number, with round ticks.
    pub(crate) fn around(label: impl Into<String>, numbers: impl IntoIterator<Item = f64>) -> Scale {
        let (low, high) = numbers.into_iter().fold((0.0_f64, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
        let span = if high > low { high - low } else { 1.0 };
        let power = 10.0_f64.powf((span / TICKS).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|of| of * power).into_iter().find(|step| span / step <= TICKS);
        let step = step.unwrap_or(10.0 * power);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let (first, last) = ((low / step - 1e-9).ceil() as i64, (high.max(low + span) / step - 1e-9).ceil() as i64);
        let first = if first as f64 * step > low { first - 1 } else { first };
        let ticks: Vec<(f64, String)> =
            (first..=last).map(|n| (n as f64 * step, format!("{:.decimals$}", n as f64 * step))).collect();
        let low = ticks.first().map_or(0.0, |tick| tick.0);
        let high = ticks.last().map_or(0.0, |tick| tick.0);
        Scale { label: label.into(), low, high, ticks }
    }

    /// Returns the part of the scale below a number, from 0 to 1.
    fn part(&self, number: f64) -> f64 {
        if self.high > self.low { (number - self.low) / (self.high - self.low) } else { 0.5 }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot {
    pub(crate) across: f64,
    /// `None` where it is not known: the curve has a gap there.
    pub(crate) value: Option<f64>,
    pub(crate) band: Option<[f64; 2]>,
}

#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) name: String,
    /// Place among the series, by which it is dashed and coloured.
    pub(crate) series: usize,
    pub(crate) knots: Vec<Knot>,
}

#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) across: Scale,
    pub(crate) up: Scale,
    pub(crate) curves: Vec<Curve>,
    /// Width and height of the field between the scales.
    pub(crate) field: [f64; 2],
}

/// Number of series that look different.
pub(crate) const SERIES: usize = 4;

/// Space around the field: left, above, right, below.
const AROUND: [f64; 4] = [66.0, 34.0, 18.0, 46.0];

impl Chart {
    pub(super) fn part(&self) -> Part {
        let [width, height] = self.field;
        let [left, above, right, below] = AROUND;
        let (bottom, middle) = (above + height, left + width / 2.0);
        let legend = self.legend(bottom + below);
        let markup = html! {
            text class="pods-label" x=(Num(middle)) y="16" text-anchor="middle" font-size="15" { (self.title) }
            @for (at, label) in &self.across.ticks {
                @let x = Num(self.x(*at));
                path class="pods-grid" d=(format!("M{x} {}V{}", Num(above), Num(bottom + 5.0))) {}
                text class="pods-note" data-tick="across" x=(x) y=(Num(bottom + 19.0)) text-anchor="middle" font-size="12" {
                    (label)
                }
            }
            @for (at, label) in &self.up.ticks {
                @let y = self.y(*at);
                path class="pods-grid" d=(format!("M{} {}H{}", Num(left - 5.0), Num(y), Num(left + width))) {}
                text class="pods-note" data-tick="up" x=(Num(left - 9.0)) y=(Num(y)) dy=".35em" text-anchor="end" font-size="12" {
                    (label)
                }
            }
            text class="pods-note" x=(Num(middle)) y=(Num(bottom + 38.0)) text-anchor="middle" font-size="13" {
                (self.across.label)
            }
            text class="pods-note" text-anchor="middle" font-size="13"
                transform=(format!("translate(16 {}) rotate(-90)", Num(above + height / 2.0))) { (self.up.label) }
            "\n"
            @for curve in &self.curves { (self.bands(curve)) }
            @for curve in &self.curves { (self.curve(curve)) }
            (legend.markup)
        };
        Part { width: left + width + right, height: bottom + below + legend.height, markup }
    }

    fn x(&self, across: f64) -> f64 {
        AROUND[0] + self.field[0] * self.across.part(across)
    }

    fn y(&self, value: f64) -> f64 {
        AROUND[1] + self.field[1] * (1.0 - self.up.part(value))
    }

    fn curve(&self, curve: &Curve) -> Markup {
        let mut path = String::new();
        for run in curve.knots.chunk_by(|a, b| a.value.is_some() && b.value.is_some()) {
            let ends: Vec<String> = run.iter().filter_map(|knot| Some(self.place(knot.across, knot.value?))).collect();
            match ends.len() {
                0 => {}
                // A line of no length has round ends.
                1 => path.push_str(&format!("M{}h0", ends[0])),
                _ => path.push_str(&format!("M{}", ends.join("L"))),
            }
        }
        html! { path class=(class("pods-curve", curve.series)) data-series=(curve.name) d=(path) {} "\n" }
    }

    fn bands(&self, curve: &Curve) -> Markup {
        let mut path = String::new();
        for run in curve.knots.chunk_by(|a, b| a.band.is_some() && b.band.is_some()) {
            let of = |knot: &Knot, end: usize| Some(self.place(knot.across, knot.band?[end]));
            let around: Vec<String> = run
                .iter()
                .filter_map(|knot| of(knot, 0))
                .chain(run.iter().rev().filter_map(|knot| of(knot, 1)))
                .collect();
            if !around.is_empty() {
                path.push_str(&format!("M{}Z", around.join("L")));
            }
        }
        html! {
            @if !path.is_empty() {
                path class=(class("pods-band", curve.series)) data-series=(curve.name) d=(path) {}
                "\n"
            }
        }
    }

    fn place(&self, across: f64, value: f64) -> String {
        format!("{:.1} {:.1}", self.x(across), self.y(value))
    }

    fn legend(&self, top: f64) -> Part {
        const LINE: f64 = 19.0;
        let left = AROUND[0];
        let markup = html! {
            @for (i, Curve { name, series, .. }) in self.curves.iter().enumerate() {
                @let y = top + LINE * (i as f64 + 0.5);
                path class=(class("pods-curve", *series)) d=(format!("M{} {}h34", Num(left), Num(y))) {}
                text class="pods-label" x=(Num(left + 44.0)) y=(Num(y)) dy=".35em" font-size="12" { (name) }
                "\n"
            }
        };
        Part { width: 0.0, height: LINE * self.curves.len() as f64 + 8.0, markup }
    }
}

fn class(what: &str, series: usize) -> String {
    format!("{what} pods-series-{}", series % SERIES)
}
