//! Regions of a game of fixed conflicts: the parts into which contested points fall.
//!
//! Two contested points of different colours are linked if they conflict. A region is a set of points that are linked,
//! directly or through others; a placement in one region changes nothing in another. So a position is the sum of its
//! regions and its surplus, and its key is that of the multiset of its regions, wherever they lie.
//!
//! - **Shapes.** Regions of one shape are equal (`shapes.rs`).
//! - **Opposites.** A symmetry that keeps conflicts and swaps the colours maps a region G to its negative: G and −G
//!   together are 0 (the second player answers each placement with its image) and are left out. Where there is such a
//!   symmetry, the whole position is also looked up as its mover sees it: a game and its negative, with the other side
//!   to move, have the same winner, with the names of the players exchanged.

use super::conflict::{Conflicts, Sum};
use super::key::Key;

/// A region, its key, and the key of its negative.
#[derive(Clone, Copy)]
struct Named {
    sets: [u64; 2],
    keys: [Key; 2],
}

/// Computes the keys of regions, with a cache.
pub(super) struct Namer {
    names: Vec<Named>,
    regions: Vec<Named>,
}

/// The logarithm to base 2 of the most keys that are cached.
const NAMES: u32 = 14;

impl Namer {
    /// For a board of `points` points.
    pub(super) fn new(points: u32) -> Namer {
        let names = 1 << points.min(NAMES);
        Namer { names: vec![Named { sets: [0; 2], keys: [Key::START; 2] }; names], regions: Vec::new() }
    }

    /// The keys of a region that is not empty.
    fn keys(&mut self, conflicts: &Conflicts, sets: [u64; 2]) -> [Key; 2] {
        let mut place = Key::START;
        place.mix(1, sets[0]);
        place.mix(2, sets[1]);
        let place = place.low as usize % self.names.len();
        if self.names[place].sets == sets {
            return self.names[place].keys;
        }
        let shapes = &conflicts.shapes;
        // The negative's least image is among the images that swap the colours, if there are any.
        let mut least = [shapes.corner(sets), [u64::MAX; 2]];
        for image in &conflicts.images {
            let [a, b] = sets.map(|set| image.of(set));
            let (which, turned) = if image.swapped { (1, [b, a]) } else { (0, [a, b]) };
            least[which] = least[which].min(shapes.corner(turned));
        }
        let keys = least.map(|[a, b]| {
            let mut key = Key::START;
            key.mix(1, a);
            key.mix(2, b);
            key
        });
        self.names[place] = Named { sets, keys };
        keys
    }

    /// A position without the regions that cancel each other, and its key for the side to move. If `apart` is false,
    /// the whole position counts as one region.
    pub(super) fn reduced(&mut self, conflicts: &Conflicts, sum: Sum, mover: usize, apart: bool) -> (Sum, Key) {
        let swap = conflicts.swaps;
        self.regions.clear();
        let mut left = sum.sets;
        while left[0] != 0 {
            let mut region = if apart { [left[0] & left[0].wrapping_neg(), 0] } else { left };
            let mut done = !apart;
            while !done {
                let black = conflicts.met(1, region[0]) & left[1];
                let white = region[0] | conflicts.met(0, black) & left[0];
                done = white == region[0] && black == region[1];
                region = [white, black];
            }
            left = [left[0] & !region[0], left[1] & !region[1]];
            let keys = self.keys(conflicts, region);
            match self.regions.iter().position(|other| swap && other.keys[0] == keys[1]) {
                Some(opposite) => drop(self.regions.swap_remove(opposite)),
                None => self.regions.push(Named { sets: region, keys }),
            }
        }
        let mut rest = Sum { sets: [0; 2], ..sum };
        let seen = if swap { mover } else { 0 };
        let mut key = Key::START;
        // Positions of one game may leave the sides with different kinds.
        key.mix_some(5, conflicts.kinds);
        for Named { sets, keys } in &self.regions {
            rest.sets = [rest.sets[0] | sets[0], rest.sets[1] | sets[1]];
            key.join(3, keys[seen], 1);
        }
        let surplus = if seen == 1 { -sum.surplus } else { sum.surplus };
        key.mix(4, (surplus as u32 as u64) << 1 | if swap { 0 } else { mover as u64 });
        (rest, key)
    }
}
