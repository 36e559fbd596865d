//! The lemma of the mirror: the side to move loses a position that is its own half turn with
//! colours swapped.
//!
//! Let an empty hand lose, and let the board be its own half turn, with no point that is its own
//! image or joined to it by a straight run of lines. The side to move places a pod; the other one
//! answers with the same pod on the image. That is legal: it has the pod, since the hands were the
//! same (R10), and the image is empty. What was legal for the mover was, turned, legal for the
//! other side before the mover's placement (R4). It still is after that placement: the new pod does
//! not reach the image nor is reached from there (R11, R12), can only cut other runs short (R5),
//! and is no neighbour of the image, whose liberties it leaves (R13). Then the position is its own
//! image again. So the side to move is the first who cannot place (R15). Pods with any legs may
//! stand on the board, if those on the image are the same turned.

use super::situation::{Situation, only_places};
use crate::geometry::{Coord, Direction, Point};
use crate::material::Side;
use crate::position::Game;
use crate::rules::EmptyHand;

/// Returns the image of each point, if the lemma holds on the board of a game and under its rules.
pub(crate) fn images(game: &Game) -> Option<Vec<Point>> {
    let board = game.board();
    let image = |point: Point| {
        let Coord { row, column } = board.coord(point);
        board.point_at(Coord { row: board.rows() - 1 - row, column: board.columns() - 1 - column })
    };
    let images: Vec<Point> = board.points().map(image).collect::<Option<_>>()?;
    let turned = |point: Point, direction: Direction| {
        let next = board.connected(point, direction).map(|next| images[next.index()]);
        next == board.connected(images[point.index()], direction.opposite())
    };
    let apart = |point: Point| {
        let of = images[point.index()];
        of != point && Direction::ALL.into_iter().all(|d| line(game, point, d).all(|reached| reached != of))
    };
    let holds = only_places(game)
        && game.rules().options().empty_hand == EmptyHand::Loses
        && board.points().all(|point| apart(point) && Direction::ALL.into_iter().all(|d| turned(point, d)));
    holds.then_some(images)
}

/// Returns the points of a straight run of lines.
fn line(game: &Game, from: Point, direction: Direction) -> impl Iterator<Item = Point> + '_ {
    std::iter::successors(game.board().connected(from, direction), move |&at| game.board().connected(at, direction))
}

/// Returns `true` if the side to move loses by mirroring.
pub(crate) fn mover_loses_by_mirror(images: &[Point], situation: &Situation) -> bool {
    let [white, black] = Side::BOTH.map(|side| situation.hand(side));
    white == black
        && situation.pods().all(|(point, side, legs)| {
            let turned = legs.mapped(Direction::opposite);
            situation.pod(images[point.index()]) == Some((side.other(), turned))
        })
}
