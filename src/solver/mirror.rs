//! The mirror theorem: a proof that the side to move loses, without any search.
//!
//! **Theorem.** Take rules without moves and without captures in which an empty hand loses
//! (R14–R16), with or without R13 and attack-through, and a board that is its own half turn, where
//! no point is its own image and no straight run of lines leads from a point to its image. Take a
//! position on it that is its own image under the half turn with colours swapped, hands included.
//! Then the side to move loses.
//!
//! **Proof.** Say White is to move and places pod k on p. Black answers with k on the image p′.
//! That is legal: Black's hand has k (R10), since the hands were equal; p′ is empty, since p was
//! and p′ ≠ p. Black's legs are White's turned by 180° (R4), so in the position *before* White's
//! action the placement of k on p′ was legal for Black as that of k on p was for White, by
//! symmetry. The only change since is the white pod on p:
//!
//! - It does not attack p′ and is not attacked from p′ (R11, R12): a leg's reach is a straight run
//!   of lines (R5), and none joins p and p′.
//! - Other attacks on or from p′ can only have been cut short by it (R5); under `attack-through`
//!   nothing changes.
//! - A liberty of k on p′ (R7, R13) was a connected neighbour q′ empty before; it is empty still
//!   unless q′ = p, and p is no connected neighbour of p′, which would be a straight run of one
//!   step.
//!
//! After the answer the position is symmetric again, White to move, with smaller hands. So White is
//! the first who cannot place (R15), be it for want of pods (R16) or of points. The opening clause
//! (R9) restricts at most the side to move, never the answers. The same holds with the colours
//! exchanged. ∎
//!
//! The theorem gives no distance: the opponent may well do better than to mirror.

use crate::geometry::{Direction, Orientation, Point, Symmetry};
use crate::material::{Board, Side, symmetries};
use crate::position::{Game, Pod, Position};
use crate::rules::EmptyHand;

/// Reasons why the mirror theorem says nothing of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoMirror {
    /// The rules have moves or captures, or an empty hand wins.
    #[error("the mirror theorem needs rules without moves and captures in which an empty hand loses (R14, R16)")]
    Rules,
    /// The board is not its own half turn.
    #[error("the mirror theorem needs a board that a half turn leaves as it is (R2), and this one changes")]
    Board,
    /// A straight run of lines leads from a point to its image, or a point is its own image.
    #[error("point {point} of the board is its own image or joined to it by a straight run of lines")]
    Joined {
        /// The point's name.
        point: String,
    },
    /// The position is not its own image with colours swapped.
    #[error("the position or its hands are not the same for both sides after a half turn")]
    Position,
}

/// Returns the image of each point under the half turn, if the mirror theorem holds on the board.
///
/// # Errors
///
/// The first condition that the board does not meet.
pub fn mirror_board(board: &Board) -> Result<Vec<Point>, NoMirror> {
    let half_turn = symmetries(board)
        .into_iter()
        .find(|s| s.symmetry == Symmetry::from(Orientation::R180))
        .ok_or(NoMirror::Board)?;
    for point in board.points() {
        let image = half_turn.points[point.index()];
        let joined = Direction::ALL.into_iter().any(|direction| {
            std::iter::successors(Some(point), |&p| board.connected(p, direction)).any(|p| p == image)
        });
        if joined {
            return Err(NoMirror::Joined { point: board.coord(point).to_string() });
        }
    }
    Ok(half_turn.points)
}

/// Shows by the mirror theorem that the side to move loses.
///
/// # Errors
///
/// The first condition of the theorem that is not met; nothing is known of the position then.
pub fn mover_loses_by_mirror(game: &Game, position: &Position) -> Result<(), NoMirror> {
    if game.rules().can_cycle() || game.rules().options().empty_hand != EmptyHand::Loses {
        return Err(NoMirror::Rules);
    }
    let image = mirror_board(game.board())?;
    let symmetric = game.board().points().all(|point| {
        let swapped = position.pod(point).map(|pod| Pod { side: pod.side.other(), kind: pod.kind });
        position.pod(image[point.index()]) == swapped
    });
    if symmetric && position.hand(Side::White) == position.hand(Side::Black) { Ok(()) } else { Err(NoMirror::Position) }
}
