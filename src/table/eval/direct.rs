//! The plain evaluator: position by position with the fast engine. It knows every rule and judges
//! the bit-parallel one.

use std::ops::ControlFlow;

use crate::engine::bitboard::State;
use crate::engine::{Bitboard, Engine as _};
use crate::geometry::PointSet;
use crate::material::{PodKind, Side};
use crate::rules::EmptyHand;
use crate::table::index::{Arrangement, Index, Place, Placed, Slice};
use crate::table::retro::{Displacement, Evaluator, Known, Rows};

/// Facts about the position after an action, before a code is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Successor {
    /// The player who is not to move has an empty hand and has won (R30).
    Lost,
    At(Place),
}

pub(in crate::table) struct Direct<'a> {
    pub(super) index: &'a Index,
    pub(super) engine: &'a Bitboard,
    piece_type: [[Option<u8>; PodKind::MAX]; 2],
    empty_hand: EmptyHand,
}

impl<'a> Direct<'a> {
    pub(in crate::table) fn new(index: &'a Index, engine: &'a Bitboard) -> Direct<'a> {
        let mut piece_type = [[None; PodKind::MAX]; 2];
        for (i, c) in index.piece_types().iter().enumerate() {
            piece_type[c.side.index()][c.kind.index()] = Some(i as u8);
        }
        Direct { index, engine, piece_type, empty_hand: engine.game().rules().options().empty_hand }
    }

    /// Finds the place of the state after an action; `None` if the state is not of this setup.
    pub(super) fn find(&self, state: &State) -> Option<Successor> {
        let mut alive = [0_u8; 2 * PodKind::MAX];
        let mut hands = [0_u32; 2];
        let piece_types = self.index.piece_types();
        for (i, piece_type) in piece_types.iter().enumerate() {
            alive[i] = state.in_hand(piece_type.side, piece_type.kind);
            hands[piece_type.side.index()] += u32::from(alive[i]);
        }
        if self.empty_hand == EmptyHand::Wins && hands[1 - state.to_move().index()] == 0 {
            return Some(Successor::Lost);
        }
        let mut pods = Arrangement::EMPTY;
        let mut known = true;
        state.for_each_pod(|point, side, kind| match self.piece_type[side][kind] {
            Some(piece_type) => {
                alive[piece_type as usize] += 1;
                pods.insert(Placed { piece_type, point: point as u8 });
            }
            None => known = false,
        });
        let tier = self.index.tier_of(&alive[..piece_types.len()]).filter(|_| known)?;
        self.index.place(tier, &pods).map(Successor::At)
    }
}

impl Evaluator for Direct<'_> {
    fn rows<'a>(&'a self, known: &'a Known<'a>, _: &'a Slice, mover: Side) -> Box<dyn Rows + 'a> {
        Box::new(OneByOne { direct: self, known, mover })
    }

    fn displacement(&self) -> Displacement<'_> {
        let options = self.engine.game().rules().options();
        // Where shoves lead is not looked into here: this evaluator judges what does.
        if options.moves && options.shoves { Displacement::Unknown } else { Displacement::None }
    }
}

/// Rows with a player to move.
struct OneByOne<'a> {
    direct: &'a Direct<'a>,
    known: &'a Known<'a>,
    mover: Side,
}

impl Rows for OneByOne<'_> {
    fn found(&self, row: u64, _: &Arrangement, want: u64) -> u64 {
        let OneByOne { direct, known, mover } = *self;
        let (mut found, wins) = (0, known.pass.finds_wins());
        for cell in PointSet(want) {
            let place = Place { tier: known.tier, row, cell: cell.index() as u8 };
            let Some(position) = direct.index.position(place, mover) else { continue };
            let state = direct.engine.state(&position);
            // A win needs one successor that the pass looks for, a loss no other.
            let ended = direct.engine.try_for_each_state_action(&state, |action| {
                let good = match direct.find(&direct.engine.play_state(&state, action)) {
                    Some(Successor::Lost) => known.won_by_mover(),
                    Some(Successor::At(place)) => !known.pass.is_initial() && known.at(place),
                    None => unreachable!("actions stay within the setup"),
                };
                if good == wins { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            found |= u64::from(ended.is_break() == wins) << cell.index();
        }
        found
    }
}
