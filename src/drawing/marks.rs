//! Marks shown on a board beside its pods.

use std::fmt;

use crate::engine::Reference;
use crate::geometry::Point;
use crate::material::Side;
use crate::position::Position;

/// Value of an action or a position for one side. An unknown value is [`Worth::Unknown`], never a
/// draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Worth {
    /// Won, in this many plies if that is known.
    Win(Option<u16>),
    /// Drawn.
    Draw,
    /// Lost, in this many plies if that is known.
    Loss(Option<u16>),
    /// Not known.
    Unknown,
}

impl Worth {
    /// Returns `win`, `draw`, `loss` or `unknown`.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Worth::Win(_) => "win",
            Worth::Draw => "draw",
            Worth::Loss(_) => "loss",
            Worth::Unknown => "unknown",
        }
    }

    /// Returns the sign that a drawing shows: `+5`, `=`, `−4`, `?`.
    #[must_use]
    pub(crate) fn sign(self) -> String {
        match self {
            Worth::Win(plies) => plies.map_or("+".to_owned(), |plies| format!("+{plies}")),
            Worth::Draw => "=".to_owned(),
            Worth::Loss(plies) => plies.map_or("−".to_owned(), |plies| format!("−{plies}")),
            Worth::Unknown => "?".to_owned(),
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Win(Some(plies)) | Worth::Loss(Some(plies)) => write!(f, "{} in {plies}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

/// Something to be shown on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Mark {
    /// A line from a pod to a point that it attacks (R6).
    Attack {
        /// The point of the pod.
        from: Point,
        /// The point.
        to: Point,
    },
    /// A point that a side attacks. On a friend of that side it means nothing and is left out.
    Attacked {
        /// The point.
        point: Point,
        /// The side.
        by: Side,
    },
    /// A liberty of a pod (R7).
    Liberty {
        /// The point of the pod.
        of: Point,
        /// The liberty.
        point: Point,
    },
    /// A pod without liberty (R7).
    Blocked {
        /// The point that it stands on.
        point: Point,
    },
    /// The value of an action that ends on the point. If there are several for a point, the last
    /// one is shown.
    Value {
        /// The point.
        point: Point,
        /// The value.
        worth: Worth,
    },
    /// A point that is spoken of: chosen, or the last action's.
    Chosen {
        /// The point.
        point: Point,
    },
}

/// Returns the points that either side attacks (R6).
#[must_use]
pub fn attacks(engine: &Reference, position: &Position) -> Vec<Mark> {
    let attacked = |(at, pod): (Point, crate::position::Pod)| {
        engine.attacked_points(position, at).into_iter().map(move |point| Mark::Attacked { point, by: pod.side })
    };
    sorted(position.pods().flat_map(attacked).collect())
}

/// Returns the liberties of all pods, and the pods that have none (R7).
#[must_use]
pub fn liberties(engine: &Reference, position: &Position) -> Vec<Mark> {
    sorted(position.pods().flat_map(|(at, _)| liberties_of(engine, position, at)).collect())
}

/// Marks the points that the pod on a point attacks, with a line to each, and its liberties;
/// nothing for an empty point.
#[must_use]
pub(crate) fn of_pod(engine: &Reference, position: &Position, at: Point) -> Vec<Mark> {
    let Some(pod) = position.pod(at) else { return Vec::new() };
    let mut marks = vec![Mark::Chosen { point: at }];
    for to in engine.attacked_points(position, at) {
        marks.extend([Mark::Attack { from: at, to }, Mark::Attacked { point: to, by: pod.side }]);
    }
    marks.extend(liberties_of(engine, position, at));
    sorted(marks)
}

fn liberties_of(engine: &Reference, position: &Position, of: Point) -> Vec<Mark> {
    let points = engine.liberties(position, of);
    match points.is_empty() {
        true => vec![Mark::Blocked { point: of }],
        false => points.into_iter().map(|point| Mark::Liberty { of, point }).collect(),
    }
}

fn sorted(mut marks: Vec<Mark>) -> Vec<Mark> {
    marks.sort();
    marks.dedup();
    marks
}
