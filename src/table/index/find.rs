//! Places of positions, and the positions of places.

use crate::material::{BySide, PodKind, Side};
use crate::position::{Hand, Position};
use crate::table::index::{Arrangement, Index, MAX_ON_BOARD, PieceType, Place, Placed, Slice};

impl Index {
    /// Returns the place of a position with both hands as they must be for it; `None` if it is not
    /// of this setup, finished by an empty hand, or not held for its blocked pods. The side to move
    /// and the opening flag are no part of a place.
    #[must_use]
    pub fn find(&self, position: &Position) -> Option<Place> {
        self.number(position).filter(|&place| self.is_held(place))
    }

    pub(in crate::table) fn is_held(&self, place: Place) -> bool {
        self.pods_at(self.slice_of(place), place).is_some()
    }

    /// Returns `true` if a position has a place or would have one without blocked pods: then all
    /// its actions lead to positions that have one or are finished.
    pub(crate) fn covers(&self, position: &Position) -> bool {
        self.number(position).is_some()
    }

    pub(in crate::table) fn number(&self, position: &Position) -> Option<Place> {
        let mut alive = [0_u8; 2 * PodKind::MAX];
        let mut pods = Arrangement::EMPTY;
        for (point, pod) in position.pods() {
            let piece_type = self.piece_type(pod.side, pod.kind)?;
            alive[piece_type as usize] += 1;
            if pods.pods().len() == MAX_ON_BOARD {
                return None;
            }
            pods.insert(Placed { piece_type, point: point.index() as u8 });
        }
        // All pods in hand are of the setup if those that are come to as many.
        let mut in_hand = 0;
        for (alive, piece_type) in alive.iter_mut().zip(self.piece_types()) {
            let count = position.hand(piece_type.side).count(piece_type.kind);
            *alive = alive.checked_add(count)?;
            in_hand += usize::from(count);
        }
        if in_hand != Side::BOTH.map(|side| position.hand(side).len()).iter().sum::<usize>() {
            return None;
        }
        self.place(self.tier_of(&alive[..self.piece_types().len()])?, &pods)
    }

    fn slice_of(&self, place: Place) -> &Slice {
        let tier = &self.tiers()[place.tier];
        &tier.slices[tier.slice_at(place.row)]
    }

    /// Returns the position of a place, with this side to move and no opening clause left; `None`
    /// if the cell is not in use.
    #[must_use]
    pub fn position(&self, place: Place, to_move: Side) -> Option<Position> {
        let (tier, slice) = (&self.tiers()[place.tier], self.slice_of(place));
        let pods = self.pods_at(slice, place)?;
        let mut occupants = vec![None; self.points()];
        for pod in pods.pods() {
            let PieceType { side, kind, .. } = self.piece_types()[pod.piece_type as usize];
            occupants[pod.point as usize] = Some(crate::position::Pod { side, kind });
        }
        let mut hands = BySide::from([Hand::EMPTY; 2]);
        for (i, piece_type) in self.piece_types().iter().enumerate() {
            for _ in slice.on_board[i]..tier.alive[i] {
                hands[piece_type.side].add(piece_type.kind);
            }
        }
        Some(Position { occupants, hands, to_move, open: false })
    }

    /// Returns the pods on the board at a place; `None` if the cell is not in use.
    fn pods_at(&self, slice: &Slice, place: Place) -> Option<Arrangement> {
        let mut pods = self.unrank(slice, place.row);
        match slice.last {
            None => (place.cell == 0).then_some(pods),
            Some(piece_type) => {
                let in_use = (place.cell as usize) < self.points() && self.cells(slice, &pods) >> place.cell & 1 == 1;
                in_use.then(|| {
                    pods.insert(Placed { piece_type, point: place.cell });
                    pods
                })
            }
        }
    }
}
