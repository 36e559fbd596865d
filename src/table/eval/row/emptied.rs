//! Placements that empty the hand, and win at once if it stays empty (R19).
//!
//! While nothing is known of next positions these are the only wins. They are half of all that is found on a crowded
//! board, so they have a way of their own, which asks for nothing that the win does not depend on: the own pods that
//! the placement blocks, which come back to the hand (R18), and no others.

use smallvec::SmallVec;

use crate::rules::Captures;
use crate::table::eval::row::{Stage, by_trouble};
use crate::table::index::Arrangement;

impl Stage<'_> {
    /// The cells of `want` in which a placement of the only pod in hand leaves it empty.
    pub(super) fn emptied(&self, fixed: &Arrangement, mut want: u64) -> u64 {
        let (terrain, options, last) = (&self.bits.terrain, &self.bits.options, self.routes.last);
        let [class] = self.routes.in_hand[..] else { unreachable!("one pod is in hand") };
        let captures = options.captures == Captures::EveryTurn;
        let empty = terrain.all & !fixed.occupied();
        // Nobody is blocked before. A pod loses its only liberty, or one of two, and the last pod has the other one.
        let mut points = empty;
        let mut pairs: SmallVec<[u64; 8]> = SmallVec::new();
        let mut once = 0;
        if captures {
            for pod in fixed.pods().iter().filter(|pod| self.is_own(pod.class)) {
                let open = terrain.classes[pod.class as usize].liberties[pod.point as usize] & empty;
                let others = open & open.wrapping_sub(1);
                if others == 0 {
                    points &= !open;
                } else if others.is_power_of_two() {
                    pairs.push(open);
                }
            }
            if self.is_own(last) {
                once = terrain.free(last, empty).1;
            }
        }
        let (placed, taken) = (&terrain.classes[class as usize], &terrain.classes[last as usize].liberty_of);
        let mut found = 0;
        for (at, clear) in by_trouble(points, self.clear(fixed, class)) {
            let mut cells = want & !(1 << at);
            if captures {
                cells &= !(once & taken[at as usize]);
                for pair in pairs.iter().filter(|&&pair| pair >> at & 1 == 1) {
                    cells &= !pair;
                }
            }
            if captures || options.placement_liberty {
                // The placed pod comes back if it is blocked, where it may be placed so at all (R13).
                match placed.liberties[at as usize] & empty {
                    0 => continue,
                    open if open.is_power_of_two() => cells &= !open,
                    _ => (),
                }
            }
            if cells == 0 {
                continue;
            }
            let legal = self.may_place(fixed, class, at, clear, cells);
            found |= legal;
            want &= !legal;
            if want == 0 {
                break;
            }
        }
        found
    }
}
