//! Shapes of marks, and their meanings in words.

use maud::{Markup, html};

use super::marks::{Mark, Worth};
use super::part::{Num, Part, Place};
use crate::material::Side;

/// Returns a sign for a point that one or both sides attack, around the origin.
pub(super) fn attacked(white: bool, black: bool) -> Markup {
    let class = match (white, black) {
        (true, true) => "pods-attacked pods-both",
        (true, false) => "pods-attacked pods-white",
        _ => "pods-attacked pods-black",
    };
    html! {
        @match (white, black) {
            (true, true) => g class=(class) {
                path class="pods-white" d="M-10 0L0 -11L10 0Z" {}
                path class="pods-black" d="M-10 0L0 11L10 0Z" {}
            },
            (true, false) => path class=(class) d="M-9.5 7L0 -9.5L9.5 7Z" {},
            _ => path class=(class) d="M-9.5 -7L0 9.5L9.5 -7Z" {},
        }
    }
}

/// Returns the sign of a value around the origin: a full disc for a win, a full diamond for a loss,
/// a square for a draw, a broken ring for what is not known.
pub(super) fn value(worth: Worth) -> Markup {
    html! {
        g class=(format!("pods-value pods-{}", worth.name())) {
            @match worth {
                Worth::Win(_) => circle r="17" {},
                Worth::Loss(Some(_)) => path d="M-23 0L0 -20L23 0L0 20Z" {},
                Worth::Loss(None) => path d="M-18 0L0 -17L18 0L0 17Z" {},
                Worth::Draw => rect x="-14" y="-14" width="28" height="28" {},
                Worth::Unknown => circle r="14" {},
            }
            text dy=".35em" { (worth.sign()) }
        }
    }
}

pub(super) fn liberty() -> Markup {
    html! { circle class="pods-liberty" r="14.5" {} }
}

pub(super) fn blocked() -> Markup {
    html! { path class="pods-blocked" d="M-7 -7L7 7M-7 7L7 -7" {} }
}

/// Draws corners around a point that is spoken of.
pub(super) fn chosen() -> Markup {
    html! { path class="pods-chosen" d="M-26 -18V-26H-18M18 -26H26V-18M26 18V26H18M-18 26H-26V18" {} }
}

/// Draws a legend of the marks that are used, one below another.
pub(super) fn legend(marks: &[Mark], width: f64) -> Part {
    const LINE: f64 = 34.0;
    let by = |side| marks.iter().any(|mark| matches!(mark, Mark::Attacked { by, .. } if *by == side));
    let worth = |name: &str| marks.iter().any(|mark| matches!(mark, Mark::Value { worth, .. } if worth.name() == name));
    let both = |mark: &Mark| match *mark {
        Mark::Attacked { point, by } => marks.contains(&Mark::Attacked { point, by: by.other() }),
        _ => false,
    };
    let any = |of: fn(&Mark) -> bool| marks.iter().any(of);
    let mut entries: Vec<(Markup, &str)> = Vec::new();
    let mut add = |is: bool, sign: Markup, words: &'static str| is.then(|| entries.push((sign, words)));
    add(by(Side::White), attacked(true, false), "attacked by White");
    add(by(Side::Black), attacked(false, true), "attacked by Black");
    add(marks.iter().any(both), attacked(true, true), "attacked by both");
    add(any(|mark| matches!(mark, Mark::Liberty { .. })), liberty(), "liberty");
    add(any(|mark| matches!(mark, Mark::Blocked { .. })), blocked(), "blocked");
    add(worth("win"), value(Worth::Win(None)), "wins (in so many plies)");
    add(worth("draw"), value(Worth::Draw), "draws");
    add(worth("loss"), value(Worth::Loss(None)), "loses (in so many plies)");
    add(worth("unknown"), value(Worth::Unknown), "not known");
    let columns = if width >= 380.0 { 2 } else { 1 };
    let markup = html! {
        g class="pods-legend" {
            @for (i, (sign, words)) in entries.iter().enumerate() {
                @let at = Place {
                    x: width / f64::from(columns) * (i % columns as usize) as f64 + 18.0,
                    y: LINE * ((i / columns as usize) as f64 + 0.5),
                };
                g transform=(format!("{} scale(.75)", at.shift())) { (sign) }
                text class="pods-label" x=(Num(at.x + 24.0)) y=(Num(at.y)) dy=".35em" font-size="14" { (words) }
            }
        }
    };
    Part { width, height: LINE * entries.len().div_ceil(columns as usize) as f64, markup }
}
