//! Mobility of both sides, in numbers and sets that heuristics weigh. Both sides are looked at
//! together, since each needs what the other one attacks.

use super::{Bitboard, State};
use crate::geometry::{Point, PointSet, by_direction};
use crate::material::Side;
use crate::rules::Captures;

/// Mobility of one side if it were to move. The opening clause (R9) makes no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prospect {
    /// Pairs of a kind in hand and a point where it may be placed and stays.
    pub pairs: u32,
    /// Points where at least one kind may be placed and stays; bit n stands for point n.
    pub points: u64,
    /// Kinds in hand.
    pub kinds: u32,
    /// Those that may be placed somewhere and stay.
    pub placeable: u32,
    /// Pods in hand.
    pub in_hand: u32,
    /// Points that the side attacks (R6).
    pub attacked: u64,
    /// Pods on the board.
    pub on_board: u32,
    /// Pods on the board with at most one liberty (R7).
    pub weak: u32,
    /// Liberties of all pods, each counted for each pod.
    pub liberties: u32,
}

impl Prospect {
    /// Counts a kind in hand that may be placed on these points and stays.
    #[inline]
    pub(super) fn add_kind(&mut self, at: u64) {
        self.kinds += 1;
        self.pairs += at.count_ones();
        self.points |= at;
        self.placeable += u32::from(at != 0);
    }
}

impl Bitboard {
    /// Returns `true` if a placed pod stays only if it has a liberty: since it may not be placed
    /// else (R13), or since it is captured at once.
    #[inline]
    pub(super) fn stays_by_a_liberty(&self) -> bool {
        self.options.placement_liberty || self.options.captures == Captures::EveryTurn
    }

    /// Returns the mobility of White and of Black, each as if it were to move.
    #[must_use]
    #[inline]
    pub fn outlook(&self, state: &State) -> [Prospect; 2] {
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = &self.wide {
            return self.wide_outlook(wide, state);
        }
        self.plain_outlook(state)
    }

    /// Computes [`Bitboard::outlook`], one direction after the other.
    pub(crate) fn plain_outlook(&self, state: &State) -> [Prospect; 2] {
        let empty = self.empty(state);
        let through = if self.options.attack_through { self.points } else { empty };
        // Of each side: points whose neighbour in a direction is one of its pods, and those from
        // which a long leg meets one.
        let (mut near, mut far) = ([[0; 8]; 2], [[0; 8]; 2]);
        let empty_near = by_direction(|d| self.lines.step_into(d, empty));
        let mut outlook = [Prospect::default(); 2];
        for side in 0..2 {
            let other = 1 - side;
            let (mut once, mut twice, mut attacked, mut liberties) = (0, 0, 0, 0);
            let held = state.held[side];
            let wanted = state.in_hand[other] > 0;
            for d in 0..8 {
                let (short, long) = (state.short[side][d], state.long[side][d]);
                attacked |= self.lines.step(d, short);
                if long != 0 {
                    attacked |= self.lines.run(d, long, through);
                }
                let free = empty_near[d] & (short | long);
                twice |= once & free;
                once |= free;
                liberties += free.count_ones();
                if wanted {
                    near[side][d] = self.lines.step_into(d, held);
                    far[side][d] = self.lines.run_into(d, held, through);
                }
            }
            let own = &mut outlook[side];
            own.attacked = attacked;
            own.on_board = held.count_ones();
            own.weak = (held & !twice).count_ones();
            own.liberties = liberties;
        }
        let needs_liberty = self.stays_by_a_liberty();
        for side in 0..2 {
            let other = 1 - side;
            let open = empty & !outlook[other].attacked;
            let own = &mut outlook[side];
            own.in_hand = u32::from(state.in_hand[side]);
            if own.in_hand == 0 {
                continue;
            }
            for kind in 0..self.game.pods().kinds().len() {
                if state.hands[side][kind] == 0 {
                    continue;
                }
                let legs = self.legs[side][kind];
                let (mut attacks, mut liberty) = (0, 0);
                for d in PointSet(u64::from(legs.short)).into_iter().map(Point::index) {
                    attacks |= near[other][d];
                    liberty |= empty_near[d];
                }
                for d in PointSet(u64::from(legs.long)).into_iter().map(Point::index) {
                    attacks |= far[other][d];
                    liberty |= empty_near[d];
                }
                let at = open & !attacks & if needs_liberty { liberty } else { u64::MAX };
                own.add_kind(at);
            }
        }
        outlook
    }

    /// Returns the state with the other side to move, as if the mover had passed. No rule allows
    /// that (R8): for heuristics alone.
    #[must_use]
    pub fn passed(&self, state: &State) -> State {
        let mut next = state.clone();
        self.pass_turn(&mut next);
        next
    }

    /// Returns the winner by an empty hand (R30); `None` if there is none, even if the game ended
    /// otherwise.
    #[inline]
    pub(crate) fn won_by_hand(&self, state: &State) -> Option<Side> {
        self.winner_by_hand(state)
    }
}
