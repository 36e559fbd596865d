//! Pods: a round body for White, a square one for Black, and the legs around it.

use maud::{Markup, html};

use super::part::{Num, Part, Place, STEP, stack, text, wrapped};
use super::words::{self, letter, plain, side_name};
use crate::geometry::Direction;
use crate::material::{PodKind, PodSet, Reach, Side};
use crate::position::{Hand, Pod};

/// Distances from the middle of a pod: the edge of its body, the ends of its legs.
const BODY: f64 = 13.5;
const SHORT: f64 = 20.5;
const LONG: f64 = 29.0;

/// Factor by which diagonal legs are drawn longer.
const DIAGONAL: f64 = 1.25;

/// Half of a leg's width, half of the width of a long leg's head, and the head's length.
const LEG: f64 = 3.0;
const HEAD: (f64, f64) = (6.5, 9.0);

/// The space that a pod takes with all its legs, to every side of its middle.
pub(super) const ROOM: f64 = 31.0;

/// Returns a pod around the origin. `at` is the name of the point on which it stands.
pub(super) fn pod(pods: &PodSet, pod: Pod, at: Option<&str>) -> Markup {
    let Pod { side, kind } = pod;
    let (spec, legs) = (pods.spec(kind), pods.legs(kind).on_board(side));
    html! {
        @for leg in legs.iter() {
            @let (class, far) = match leg.reach {
                Reach::Short => ("pods-leg pods-short", SHORT),
                Reach::Long => ("pods-leg pods-long", LONG),
            };
            path class=(class) data-leg=(leg) transform=(format!("rotate({})", 45 * leg.direction.index()))
                d=(outline(leg.reach, far * stretch(leg.direction))) {}
        }
        @match side {
            Side::White => circle class="pods-body" r=(Num(BODY)) {},
            Side::Black => {
                @let half = BODY - 1.0;
                rect class="pods-body" x=(Num(-half)) y=(Num(-half)) width=(Num(2.0 * half)) height=(Num(2.0 * half)) rx="2.5" {}
            },
        }
        text class="pods-letter" dy=".35em" { (letter(pods, kind, side)) }
        title {
            (side) "'s " (spec.id) @if let Some(at) = at { " on " (at) }
            ": " (plain(&spec.name)) "; " (words::legs(legs))
        }
    }
}

fn stretch(direction: Direction) -> f64 {
    if direction.index().is_multiple_of(2) { 1.0 } else { DIAGONAL }
}

/// Returns a leg that points north: a peg with a round end if it is short, an arrow if it is long.
fn outline(reach: Reach, far: f64) -> String {
    let (head, length) = HEAD;
    match reach {
        Reach::Short => {
            let end = LEG - far;
            format!("M-{LEG} 0V{}A{LEG} {LEG} 0 0 1 {LEG} {}V0Z", Num(end), Num(end))
        }
        Reach::Long => {
            let neck = Num(length - far);
            format!("M-{LEG} 0V{neck}H-{head}L0 {}L{head} {neck}H{LEG}V0Z", Num(-far))
        }
    }
}

pub(super) fn group(pods: &PodSet, of: Pod, place: Place, at: Option<&str>, scale: f64) -> Markup {
    let side = side_name(of.side);
    let shift = if scale == 1.0 { place.shift() } else { format!("{} scale({})", place.shift(), Num(scale)) };
    html! {
        g class=(format!("pods-pod pods-{side}")) data-pod=(pods.id(of.kind)) data-side=(side) data-at=[at] transform=(shift) {
            (pod(pods, of, at))
        }
        "\n"
    }
}

/// Returns a hand in rows, `width` wide: each kind of pod as it lies on the board, with its number.
pub(super) fn hand(pods: &PodSet, side: Side, hand: &Hand, label: &str, width: f64) -> Part {
    const SCALE: f64 = 0.8;
    let cell = 2.0 * ROOM * SCALE;
    let kinds: Vec<(PodKind, u8)> = hand.iter().collect();
    let counts = kinds.iter().any(|&(_, count)| count > 1);
    let wide = cell + if counts { 16.0 } else { 0.0 };
    let row = ((width / wide) as usize).max(1);
    let title = text(label, 15.0, width, "pods-label");
    let rows = kinds.len().div_ceil(row);
    let cells = html! {
        g class="pods-hand" data-hand=(side_name(side)) {
            @for (i, &(kind, count)) in kinds.iter().enumerate() {
                @let at = Place { x: wide * (i % row) as f64 + cell / 2.0, y: cell * ((i / row) as f64 + 0.5) };
                (group(pods, Pod { side, kind }, at, None, SCALE))
                @if count > 1 {
                    text class="pods-count" x=(Num(at.x + cell / 2.0 - 2.0)) y=(Num(at.y)) dy=".35em" { "×" (count) }
                }
            }
        }
    };
    stack(vec![title, Part { width, height: cell * rows as f64, markup: cells }])
}

/// Returns all pods of a set as their owner sees them, `width` wide, each with its name.
pub(super) fn all(pods: &PodSet, width: f64) -> Part {
    const NAME: f64 = 9.5;
    const LETTERS: usize = 14;
    let cell = STEP * 1.35;
    let row = ((width / cell) as usize).max(1);
    let cell = width / row as f64;
    let labels: Vec<Vec<String>> = pods
        .kinds()
        .map(|kind| {
            let spec = pods.spec(kind);
            let count = if spec.count > 1 { format!(" ×{}", spec.count) } else { String::new() };
            wrapped(&format!("{}{count}", plain(&spec.name)), LETTERS)
        })
        .collect();
    let lines = labels.iter().map(Vec::len).max().unwrap_or(0);
    let high = 2.0 * ROOM + 4.0 + NAME * 1.25 * lines as f64 + 12.0;
    let rows = labels.len().div_ceil(row);
    let markup = html! {
        @for (i, (kind, label)) in pods.kinds().zip(&labels).enumerate() {
            @let at = Place { x: cell * ((i % row) as f64 + 0.5), y: high * (i / row) as f64 + ROOM + 4.0 };
            (group(pods, Pod { side: Side::White, kind }, at, None, 1.0))
            @for (line, label) in label.iter().enumerate() {
                text class="pods-name" x=(Num(at.x)) y=(Num(at.y + ROOM + 10.0 + NAME * 1.25 * line as f64)) font-size=(NAME) {
                    (label)
                }
            }
        }
    };
    Part { width, height: high * rows as f64, markup }
}
