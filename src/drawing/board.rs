//! The board: lines, points with what is marked there, pods, coordinates.

use maud::{Markup, html};

use super::marks::{Mark, Worth};
use super::part::{Num, Part, Place, STEP};
use super::{pod, signs, words};
use crate::geometry::{Coord, Direction, Point};
use crate::material::{Board, Side};
use crate::position::{Game, Position};

/// Distances from the outermost points to the edge: room for legs, and for coordinates.
const EDGE: f64 = 38.0;
const COORDINATES: f64 = 54.0;

pub(super) struct Canvas<'a> {
    pub(super) board: &'a Board,
    pub(super) on: Option<(&'a Game, &'a Position)>,
    pub(super) marks: &'a [Mark],
    /// True if there are targets for a pointer: around points and between neighbours that no line
    /// joins.
    pub(super) targets: bool,
    /// True if lines are one path, and points without value are not there by name.
    pub(super) compact: bool,
}

impl Canvas<'_> {
    pub(super) fn part(&self) -> Part {
        let (columns, rows) = (f64::from(self.board.columns() - 1), f64::from(self.board.rows() - 1));
        let markup = html! {
            (self.coordinates())
            @if self.compact {
                path class="pods-line" d=(self.path()) {}
            } @else {
                g class="pods-lines" { (self.lines()) }
            }
            "\n"
            g class="pods-rays" { (self.rays()) }
            "\n"
            g class="pods-points" {
                @for point in self.board.points() {
                    @if self.compact {
                        (self.compact_point(point))
                    } @else {
                        (self.point(point))
                    }
                }
            }
            "\n"
            @if let Some((game, position)) = self.on {
                g class="pods-pods" {
                    @for (at, of) in position.pods() {
                        (pod::group(game.pods(), of, self.place(at), Some(&words::point(self.board, at)), 1.0))
                    }
                }
                "\n"
                g class="pods-badges" {
                    @for (at, of) in position.pods() {
                        (self.badges(at, of.side))
                    }
                }
                "\n"
            }
        };
        Part { width: COORDINATES + columns * STEP + EDGE, height: EDGE + rows * STEP + COORDINATES, markup }
    }

    pub(super) fn place(&self, point: Point) -> Place {
        let Coord { row, column } = self.board.coord(point);
        let below = f64::from(self.board.rows() - 1 - row);
        Place { x: COORDINATES + f64::from(column) * STEP, y: EDGE + below * STEP }
    }

    fn coordinates(&self) -> Markup {
        let (columns, rows) = (self.board.columns(), self.board.rows());
        let bottom = EDGE + f64::from(rows - 1) * STEP + 46.0;
        html! {
            g class="pods-coordinates" aria-hidden="true" {
                @for column in 0..columns {
                    text x=(Num(COORDINATES + f64::from(column) * STEP)) y=(Num(bottom)) dy=".35em" {
                        (char::from(b'a' + column))
                    }
                }
                @for row in 0..rows {
                    text x="13" y=(Num(EDGE + f64::from(rows - 1 - row) * STEP)) dy=".35em" { (row + 1) }
                }
            }
            "\n"
        }
    }

    /// Returns each line once, from the end that comes first.
    fn lines(&self) -> Markup {
        html! {
            @for from in self.board.points() {
                @for (direction, to) in Direction::HALF.into_iter().filter_map(|d| Some((d, self.board.neighbour(from, d)?))) {
                    @if self.board.lines(from).contains(direction) {
                        (self.line("pods-line", from, to))
                    } @else if self.targets {
                        (self.line("pods-gap", from, to))
                    }
                }
            }
        }
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for (from, _, to) in self.board.each_line() {
            let (a, b) = (self.place(from), self.place(to));
            path.push_str(&format!("M{} {}L{} {}", Num(a.x), Num(a.y), Num(b.x), Num(b.y)));
        }
        path
    }

    fn compact_point(&self, point: Point) -> Markup {
        let at = self.place(point);
        html! {
            @match self.worth(point) {
                Some(worth) => g transform=(at.shift()) { (signs::value(worth)) },
                None => circle class="pods-spot" cx=(Num(at.x)) cy=(Num(at.y)) r="5.5" {},
            }
        }
    }

    fn line(&self, class: &str, from: Point, to: Point) -> Markup {
        let (a, b) = (self.place(from), self.place(to));
        let name = format!("{}-{}", words::point(self.board, from), words::point(self.board, to));
        html! {
            line class=(class) data-line=(name) x1=(Num(a.x)) y1=(Num(a.y)) x2=(Num(b.x)) y2=(Num(b.y)) {}
            "\n"
        }
    }

    fn rays(&self) -> Markup {
        html! {
            @for mark in self.marks {
                @if let Mark::Attack { from, to } = *mark {
                    @let (a, b) = (self.place(from), self.place(to));
                    line class="pods-ray" x1=(Num(a.x)) y1=(Num(a.y)) x2=(Num(b.x)) y2=(Num(b.y)) {}
                }
            }
        }
    }

    fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    /// Lists the sides that attack a point, White first; pods of their own do not count.
    fn attacked(&self, point: Point, holder: Option<Side>) -> (bool, bool) {
        let by = |side| holder != Some(side) && self.has(Mark::Attacked { point, by: side });
        (by(Side::White), by(Side::Black))
    }

    fn is_liberty(&self, point: Point) -> bool {
        self.marks.iter().any(|mark| matches!(mark, Mark::Liberty { point: liberty, .. } if *liberty == point))
    }

    fn worth(&self, point: Point) -> Option<Worth> {
        self.marks.iter().rev().find_map(|mark| match mark {
            Mark::Value { point: at, worth } if *at == point => Some(*worth),
            _ => None,
        })
    }

    fn point(&self, point: Point) -> Markup {
        let holder = self.on.and_then(|(_, position)| position.pod(point)).map(|pod| pod.side);
        let (white, black) = self.attacked(point, holder);
        let worth = self.worth(point);
        html! {
            g class="pods-point" data-point=(words::point(self.board, point)) data-value=[worth.map(Worth::name)]
                transform=(self.place(point).shift())
            {
                title { (self.words(point, holder)) }
                @if self.targets {
                    circle class="pods-target" r="26" {}
                }
                @if self.has(Mark::Chosen { point }) {
                    (signs::chosen())
                }
                circle class="pods-spot" r="5.5" {}
                @if holder.is_none() {
                    @if white || black {
                        (signs::attacked(white, black))
                    }
                    @if self.is_liberty(point) {
                        (signs::liberty())
                    }
                    @if let Some(worth) = worth {
                        (signs::value(worth))
                    }
                }
            }
            "\n"
        }
    }

    fn words(&self, point: Point, holder: Option<Side>) -> String {
        let mut words = vec![match (self.on, holder) {
            (Some((game, position)), Some(side)) => {
                let id = position.pod(point).map_or(' ', |pod| game.pods().id(pod.kind));
                format!("{side}'s {id}")
            }
            (Some(_), None) => "empty".to_owned(),
            (None, _) => "point".to_owned(),
        }];
        match self.attacked(point, holder) {
            (true, true) => words.push("attacked by both".to_owned()),
            (true, false) => words.push("attacked by White".to_owned()),
            (false, true) => words.push("attacked by Black".to_owned()),
            (false, false) => {}
        }
        if self.is_liberty(point) {
            words.push("liberty".to_owned());
        }
        if self.has(Mark::Blocked { point }) {
            words.push("blocked".to_owned());
        }
        words.extend(self.worth(point).map(|worth| worth.to_string()));
        format!("{}: {}", words::point(self.board, point), words.join(", "))
    }

    /// Draws signs at the corners of a pod, above its legs.
    fn badges(&self, at: Point, side: Side) -> Markup {
        let place = self.place(at);
        let corner = |x: f64, y: f64| Place { x: place.x + x, y: place.y + y }.shift();
        let (white, black) = self.attacked(at, Some(side));
        html! {
            @if white || black {
                g transform=(format!("{} scale(.72)", corner(15.0, -15.0))) { (signs::attacked(white, black)) }
            }
            @if self.has(Mark::Blocked { point: at }) {
                g transform=(corner(-15.0, -15.0)) { (signs::blocked()) }
            }
            @if let Some(worth) = self.worth(at) {
                g transform=(format!("{} scale(.62)", corner(15.0, 15.0))) { (signs::value(worth)) }
            }
        }
    }
}
