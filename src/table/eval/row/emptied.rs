//! Placements that empty the hand, and win at once if it stays empty (R19).
//!
//! While nothing is known of next positions these are the only wins. On a crowded board they are
//! half of all results, so they have a test of their own, which looks only at what decides them:
//! whether the placement blocks pods of its player, which come back to the hand (R18).

use smallvec::SmallVec;

use crate::rules::Captures;
use crate::table::eval::row::{SliceContext, by_trouble};
use crate::table::index::Arrangement;

impl SliceContext<'_> {
    /// Returns the cells of `want` in which a placement of the only pod in hand leaves it empty.
    pub(super) fn emptied(&self, fixed: &Arrangement, mut want: u64) -> u64 {
        let (tables, options, last) = (&self.bits.tables, &self.bits.options, self.routes.last);
        let [piece_type] = self.routes.in_hand[..] else { unreachable!("one pod is in hand") };
        let captures = options.captures == Captures::EveryTurn;
        let empty = tables.all & !fixed.occupied();
        // Nobody is blocked before. A pod loses its only liberty, or one of two, and the last pod
        // has the other one.
        let mut points = empty;
        let mut pairs: SmallVec<[u64; 8]> = SmallVec::new();
        let mut once = 0;
        if captures {
            for pod in fixed.pods().iter().filter(|pod| self.is_own(pod.piece_type)) {
                let open = tables.piece_types[pod.piece_type as usize].liberties[pod.point as usize] & empty;
                let others = open & open.wrapping_sub(1);
                if others == 0 {
                    points &= !open;
                } else if others.is_power_of_two() {
                    pairs.push(open);
                }
            }
            if self.is_own(last) {
                once = tables.free(last, empty).1;
            }
        }
        let (placed, taken) = (&tables.piece_types[piece_type as usize], &tables.piece_types[last as usize].liberty_of);
        let mut found = 0;
        for (at, clear) in by_trouble(points, self.clear(fixed, piece_type)) {
            let mut cells = want & !(1 << at);
            if captures {
                cells &= !(once & taken[at as usize]);
                for pair in pairs.iter().filter(|&&pair| pair >> at & 1 == 1) {
                    cells &= !pair;
                }
            }
            if captures || options.placement_liberty {
                // The placed pod comes back if it is blocked, where it may be placed so at all
                // (R13).
                match placed.liberties[at as usize] & empty {
                    0 => continue,
                    open if open.is_power_of_two() => cells &= !open,
                    _ => (),
                }
            }
            if cells == 0 {
                continue;
            }
            let legal = self.may_place(fixed, piece_type, at, clear, cells);
            found |= legal;
            want &= !legal;
            if want == 0 {
                break;
            }
        }
        found
    }
}
