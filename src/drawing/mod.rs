//! Drawings of boards, pods and positions: as SVG, and as text for terminals ([`text`]).
//!
//! A [`Drawing`] holds what all drawings have in common; its methods return SVG as text. Every name
//! that comes from a file is escaped, and nothing in a drawing needs a network, a font of its own
//! or a script.
//!
//! Sides, legs and values are told apart by shape beside colour:
//!
//! | what | shape |
//! | --- | --- |
//! | White's pod | round and light, its letter upper-case |
//! | Black's pod | square and dark, its letter lower-case |
//! | short leg | a peg with a round end |
//! | long leg | an arrow |
//! | attacked by White, by Black, by both | triangle up, triangle down, diamond of two colours; on a pod at its upper right |
//! | liberty, blocked pod | a ring of dashes, a cross |
//! | win, draw, loss, unknown | full disc with `+`, square with `=`, outlined diamond with `−`, broken ring with `?`; plies follow the sign |
//!
//! # For pages that embed drawings
//!
//! These names are stable:
//!
//! | element | has |
//! | --- | --- |
//! | `svg.pods-drawing` | the drawing; `role="img"`, or `group` with [`Drawing::for_scripts`]; begins with `<title>` and `<desc>` |
//! | `g.pods-point` | `data-point="c3"`, and `data-value="win"` (`draw`, `loss`, `unknown`) where a value is shown; its origin is the point |
//! | `line.pods-line` | `data-line="a1-b2"` |
//! | `line.pods-gap` | the same, between neighbours without a line; with [`Drawing::for_scripts`] only |
//! | `g.pods-pod` | `data-pod="b"`, `data-side="white"` or `"black"`, on a board `data-at="c3"`; its origin is its middle |
//! | `path.pods-leg` | `data-leg="ne"`, upper-case if the leg is long, as it lies on the board |
//! | `g.pods-hand` | `data-hand="white"` or `"black"` |
//! | `circle.pods-target` | what a pointer hits around a point; with [`Drawing::for_scripts`] only |
//!
//! A line is named from the end at which it leads north, north-east, east or south-east. A step of
//! the grid is 60 units. `STYLE` colours everything through custom properties
//! such as `--pods-paper`, which a page may set on `.pods-drawing`; they are listed there. Without
//! a page's own settings, the reader's preference for light or dark holds.

mod board;
mod chart;
mod heat;
mod marks;
mod part;
mod pod;
mod signs;
#[cfg(test)]
mod tests;
pub mod text;
mod words;

pub(crate) use chart::{Chart, Curve, Knot, Scale};
pub(crate) use heat::Heat;
pub use marks::{Mark, attacks, liberties};
pub(crate) use marks::{Worth, of_pod};

use maud::{PreEscaped, html};

use self::board::Canvas;
use self::part::{Num, Part, STEP, gap, rows_of, stack};
pub(crate) use self::words::plain;
use crate::material::{Board, PodKind, PodSet, Side};
use crate::position::{Game, Pod, Position};

/// The style sheet of drawings: part of each, unless [`Drawing::embedded`]; a page that embeds
/// drawings has it once.
pub(crate) const STYLE: &str = include_str!("style.css");

/// The style sheet of charts and shaded boards, beside [`STYLE`], whose custom properties it takes.
const CHART_STYLE: &str = include_str!("chart.css");

/// Points in the width of a text line, at least: hands and legends need some room under a small
/// board.
const LEAST_WIDTH: f64 = 340.0;

/// Space around a drawing.
const MARGIN: f64 = 12.0;

/// Options of drawings.
///
/// ```
/// use pods::drawing::Drawing;
/// use pods::material::builtin_board;
///
/// let board = builtin_board("nook9").unwrap();
/// let svg = Drawing::default().board(&board, &[]);
/// assert!(svg.starts_with("<svg ") && svg.contains(r#"data-point="c3""#));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    id: Option<String>,
    title: Option<String>,
    scale: Option<f64>,
    description: Option<String>,
    embedded: bool,
    compact: bool,
    scripted: bool,
    legend: bool,
}

impl Drawing {
    /// Returns an id for the drawing, unique in its page; title and description get ids that begin
    /// with it.
    #[must_use]
    pub fn id(self, id: impl Into<String>) -> Drawing {
        Drawing { id: Some(id.into()), ..self }
    }

    /// Sets the title of the drawing, instead of a description of its content.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Drawing {
        Drawing { title: Some(title.into()), ..self }
    }

    /// Sets the description of the drawing for readers who cannot see it.
    pub(crate) fn description(self, description: impl Into<String>) -> Drawing {
        Drawing { description: Some(description.into()), ..self }
    }

    /// Sets the distance from a point to the next one in its row in millimetres, for print; sheets
    /// get a ruler.
    #[must_use]
    pub(crate) fn scale(self, millimetres: f64) -> Drawing {
        Drawing { scale: Some(millimetres), ..self }
    }

    /// Leaves out style sheet, background and size, for a page that has `STYLE` and decides about
    /// the width.
    #[must_use]
    pub(crate) fn embedded(self) -> Drawing {
        Drawing { embedded: true, ..self }
    }

    /// Draws lines as one path and without names of points, for pages with many boards: their
    /// description tells what they show. It is for boards, and shows values alone.
    pub(crate) fn compact(self) -> Drawing {
        Drawing { compact: true, ..self }
    }

    /// Adds targets for a pointer, and as a group of parts instead of one picture.
    #[must_use]
    pub fn for_scripts(self) -> Drawing {
        Drawing { scripted: true, ..self }
    }

    /// Adds an explanation of the marks below.
    #[must_use]
    pub fn legend(self) -> Drawing {
        Drawing { legend: true, ..self }
    }

    /// Returns a board, with marks.
    #[must_use]
    pub fn board(&self, board: &Board, marks: &[Mark]) -> String {
        let part = Canvas { board, on: None, marks, targets: self.scripted, compact: self.compact }.part();
        let described = format!("{} points, {} lines; {}", board.len(), board.line_count(), plain(board.source()));
        self.finish(vec![part], marks, &words::board_title(board), &described)
    }

    #[must_use]
    pub(crate) fn on_board(&self, game: &Game, position: &Position, marks: &[Mark]) -> String {
        let part =
            Canvas { board: game.board(), on: Some((game, position)), marks, targets: self.scripted, compact: false }
                .part();
        let title = format!("{} on {}", position.display(game), words::board_title(game.board()));
        self.finish(vec![part], marks, &title, &words::position(game, position))
    }

    /// Returns a position between the hands, with marks.
    #[must_use]
    pub fn position(&self, game: &Game, position: &Position, marks: &[Mark]) -> String {
        let board =
            Canvas { board: game.board(), on: Some((game, position)), marks, targets: self.scripted, compact: false }
                .part();
        let width = board.width.max(LEAST_WIDTH);
        let hand = |side: Side| {
            let hand = position.hand(side);
            let mut label = format!("{side}’s hand{}", if hand.is_empty() { ": empty" } else { "" });
            if position.to_move() == side {
                label.push_str(if position.is_open() { " – to move, to open with a bipod" } else { " – to move" });
            }
            pod::hand(game.pods(), side, hand, &label, width)
        };
        let title = format!("{} on {}", position.display(game), words::board_title(game.board()));
        let parts = vec![hand(Side::Black), gap(6.0), board, hand(Side::White)];
        self.finish(parts, marks, &title, &words::position(game, position))
    }

    /// Returns a pod as it lies on the board when `side` owns it (R4).
    ///
    /// # Panics
    ///
    /// If the set has no such pod.
    #[must_use]
    pub(crate) fn pod(&self, pods: &PodSet, kind: PodKind, side: Side) -> String {
        let size = 2.0 * (pod::ROOM + 7.0);
        let middle = part::Place { x: size / 2.0, y: size / 2.0 };
        let part = Part { width: size, height: size, markup: pod::group(pods, Pod { side, kind }, middle, None, 1.0) };
        let legs = pods.legs(kind).on_board(side);
        self.finish(vec![part], &[], &format!("{side}'s pod {}", pods.id(kind)), &words::legs(legs))
    }

    /// Returns all pods of a set as their owner sees them.
    #[must_use]
    pub(crate) fn pods(&self, pods: &PodSet) -> String {
        let described: Vec<String> =
            pods.kinds().map(|kind| format!("{}: {}", pods.id(kind), words::legs(pods.legs(kind)))).collect();
        let parts = self.pods_parts(pods, 7.0 * STEP);
        self.finish(parts, &[], &format!("pods {}", plain(pods.name())), &described.join(". "))
    }

    /// Returns the board and all pods on one sheet, to lay beside real ones.
    #[must_use]
    pub(crate) fn sheet(&self, board: &Board, pods: &PodSet) -> String {
        let canvas = Canvas { board, on: None, marks: &[], targets: false, compact: false }.part();
        let width = canvas.width.max(LEAST_WIDTH);
        let mut parts = vec![
            part::text(&words::board_title(board), 16.0, width, "pods-heading"),
            part::text(&plain(board.source()), 12.0, width, "pods-note"),
            gap(8.0),
            canvas,
            gap(10.0),
        ];
        parts.extend(self.pods_parts(pods, width));
        parts.extend(self.scale.map(|millimetres| ruler(millimetres, width)));
        let title = format!("{}, pods {}", words::board_title(board), plain(pods.name()));
        let described = format!("{} points, {} lines", board.len(), board.line_count());
        self.finish(parts, &[], &title, &described)
    }

    fn pods_parts(&self, pods: &PodSet, width: f64) -> Vec<Part> {
        vec![
            part::text(&format!("pods {}", plain(pods.name())), 16.0, width, "pods-heading"),
            part::text(&plain(pods.source()), 12.0, width, "pods-note"),
            gap(8.0),
            pod::all(pods, width),
            part::text("Round end: short leg. Arrow: long leg. As the owner sees them.", 12.0, width, "pods-note"),
        ]
    }

    /// Returns charts, so many beside each other.
    pub(crate) fn charts(&self, charts: &[Chart], columns: usize, title: &str, described: &str) -> String {
        self.many(charts.iter().map(Chart::part).collect(), columns, title, described)
    }

    /// Returns shaded boards, so many beside each other.
    pub(crate) fn heats(&self, heats: &[Heat<'_>], columns: usize, title: &str, described: &str) -> String {
        self.many(heats.iter().map(Heat::part).collect(), columns, title, described)
    }

    fn many(&self, parts: Vec<Part>, columns: usize, title: &str, described: &str) -> String {
        let whole = rows_of(parts, columns);
        let width = whole.width;
        let heading = |words: &str, size, class| part::text(&plain(words), size, width, class);
        let parts = vec![heading(title, 16.0, "pods-heading"), heading(described, 12.0, "pods-note"), gap(8.0), whole];
        self.finish_with(parts, CHART_STYLE, title, described)
    }

    fn finish(&self, mut parts: Vec<Part>, marks: &[Mark], title: &str, described: &str) -> String {
        if self.legend && !marks.is_empty() {
            let width = parts.iter().map(|part| part.width).fold(LEAST_WIDTH, f64::max);
            parts.extend([gap(10.0), signs::legend(marks, width)]);
        }
        self.finish_with(parts, "", title, described)
    }

    fn finish_with(&self, parts: Vec<Part>, style: &str, title: &str, described: &str) -> String {
        let whole = stack(parts);
        let (width, height) = (whole.width + 2.0 * MARGIN, whole.height + 2.0 * MARGIN);
        let unit = self.scale.map(|millimetres| millimetres / STEP);
        let size = |units: f64| match unit {
            Some(unit) => Some(format!("{}mm", Num(units * unit))),
            None => (!self.embedded).then(|| Num(units).to_string()),
        };
        let name = |part: &str| self.id.as_ref().map(|id| format!("{}-{part}", plain(id)));
        let labelled = (name("title"), name("desc"));
        let svg = html! {
            svg xmlns="http://www.w3.org/2000/svg" class="pods-drawing" id=[self.id.as_deref().map(plain)]
                role=(if self.scripted { "group" } else { "img" })
                aria-labelledby=[&labelled.0] aria-describedby=[&labelled.1]
                viewBox=(format!("0 0 {} {}", Num(width), Num(height))) width=[size(width)] height=[size(height)]
            {
                title id=[&labelled.0] { (self.title.as_deref().map_or_else(|| title.to_owned(), plain)) }
                desc id=[&labelled.1] { (self.description.as_deref().map_or_else(|| described.to_owned(), plain)) }
                "\n"
                @if !self.embedded {
                    style { (PreEscaped("\n")) (PreEscaped(STYLE)) (PreEscaped(style)) }
                    "\n"
                    rect class="pods-paper" width="100%" height="100%" {}
                    "\n"
                }
                g transform=(format!("translate({MARGIN} {MARGIN})")) { "\n" (whole.markup) }
                "\n"
            }
            "\n"
        };
        svg.into_string()
    }
}

/// Returns the sign of a value, as drawings have it, to stand in a line of text that says the same:
/// it is hidden from screen readers.
#[must_use]
pub(crate) fn sign(worth: Worth) -> String {
    html! { svg class="pods-drawing pods-sign" viewBox="-24 -21 48 42" aria-hidden="true" { (signs::value(worth)) } }
        .into_string()
}

/// Returns a line of a known length, to see whether a printer kept the scale.
fn ruler(millimetres: f64, width: f64) -> Part {
    let steps = ((width - 140.0) / STEP).floor().max(1.0);
    let (end, length) = (steps * STEP, steps * millimetres);
    let ticks: String = (0..=steps as usize).map(|tick| format!("M{} 8V20", Num(tick as f64 * STEP))).collect();
    let markup = html! {
        path class="pods-ruler" d=(format!("M0 14H{}{ticks}", Num(end))) {}
        text class="pods-label" x=(Num(end + 10.0)) y="14" dy=".35em" font-size="12" { (Num(length)) " mm, measure it" }
    };
    Part { width, height: 30.0, markup }
}
