//! Rotations and reflections that map a board onto itself (R1, R2).

use std::collections::BTreeSet;

use super::Board;
use crate::geometry::{Direction, Orientation, Point, Symmetry};

/// A symmetry of a board, with the map of the points that it makes.
///
/// A position keeps its value under a symmetry only if the pods turn too: each must become a pod
/// whose legs are the images of its own legs ([`super::Legs::mapped`] with
/// [`Symmetry::direction`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSymmetry {
    /// The rotation or reflection.
    pub symmetry: Symmetry,
    /// The image of each point, by its number.
    pub points: Vec<Point>,
}

/// Returns the rotations and reflections that map the board onto itself; the identity is the first
/// of them.
#[must_use]
pub fn symmetries(board: &Board) -> Vec<BoardSymmetry> {
    let size = (board.columns(), board.rows());
    Symmetry::all()
        .filter(|symmetry| symmetry.size(size) == size)
        .filter_map(|symmetry| {
            let image = |p: Point| board.point_at(symmetry.coord(board.coord(p), size));
            let points = board.points().map(image).collect::<Option<Vec<Point>>>()?;
            let kept = board.points().all(|p| {
                board.lines(p).iter().map(|d| symmetry.direction(d)).collect::<crate::geometry::DirectionSet>()
                    == board.lines(points[p.index()])
            });
            kept.then_some(BoardSymmetry { symmetry, points })
        })
        .collect()
}

/// Returns the symmetries found by trying each of the eight on the board as a graph: slow, to test
/// [`symmetries`].
#[must_use]
pub fn symmetries_brute_force(board: &Board) -> Vec<Symmetry> {
    type Place = (u8, u8);
    let graph = |board: &Board| -> (BTreeSet<Place>, BTreeSet<(Place, Place)>) {
        let key = |p| (board.coord(p).column, board.coord(p).row);
        let ends = |p| Direction::ALL.into_iter().filter_map(move |d| Some((key(p), key(board.connected(p, d)?))));
        (board.points().map(key).collect(), board.points().flat_map(ends).collect())
    };
    let original = graph(board);
    Symmetry::all().filter(|&s| graph(&board.image(s)) == original).collect()
}

impl BoardSymmetry {
    /// Returns `true` if this is the half turn.
    #[must_use]
    pub fn is_half_turn(&self) -> bool {
        self.symmetry == Symmetry::from(Orientation::R180)
    }
}
