//! Regions of a game of fixed conflicts: the parts into which contested points fall.
//!
//! Two contested points of different colours are linked if they conflict. A region is a set of points that are linked,
//! directly or through others; a placement in one region changes nothing in another. So a position is the sum of its
//! regions and its surplus, and its key is that of the multiset of its regions, wherever they lie.
//!
//! - **Shapes.** Regions of one shape are equal (`shapes.rs`).
//! - **Walls.** A region of few points is searched by itself, once for each shape and its negative, for what each side
//!   gets at least in it; larger ones are weighed (`walls.rs`).
//! - **Opposites.** A symmetry that keeps conflicts and swaps the colours maps a region G to its negative: G and −G
//!   together are 0 (the second player answers each placement with its image) and are left out. Where there is such a
//!   symmetry, the whole position is also looked up as its mover sees it: a game and its negative, with the other side
//!   to move, have the same winner, with the names of the players exchanged.

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::conflict::{Conflicts, Sum};
use super::field::bits;
use super::key::Key;
use super::walls::{Options, Tally, TaxedWeights, Walls};

/// A region, its key, the key of its negative, and its walls.
#[derive(Clone, Copy)]
struct Named {
    sets: [u64; 2],
    keys: [Key; 2],
    walls: Walls,
}

/// Computes the keys and walls of regions, with a cache.
pub(super) struct Namer {
    names: Vec<Named>,
    /// Those of the position that was reduced last.
    regions: Vec<Named>,
    /// The walls of searched regions, by shape.
    shapes: HashMap<[u64; 2], Walls>,
    weights: TaxedWeights,
    /// Regions of up to this many points are searched; `None` for no walls at all.
    small: Option<u32>,
}

/// The logarithm to base 2 of the most keys that are cached.
const NAMES: u32 = 14;

/// The most searched regions that are kept: with all of them the search of regions begins anew. Some 20 MiB.
const SHAPES: usize = 1 << 16;

impl Namer {
    /// For a board of `points` points, where regions of up to `small` points are searched; without walls if `None`.
    pub(super) fn new(points: u32, small: Option<u32>) -> Namer {
        let nameless = Named { sets: [0; 2], keys: [Key::START; 2], walls: Walls::ZERO };
        Namer {
            names: vec![nameless; 1 << points.min(NAMES)],
            regions: Vec::new(),
            shapes: HashMap::new(),
            weights: TaxedWeights::new(points as usize),
            small,
        }
    }

    /// The keys and walls of a region that is not empty.
    fn name(&mut self, conflicts: &Conflicts, sets: [u64; 2]) -> Named {
        let mut place = Key::START;
        place.mix(1, sets[0]);
        place.mix(2, sets[1]);
        let place = place.low as usize % self.names.len();
        if self.names[place].sets == sets {
            return self.names[place];
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
        let walls = match self.small {
            None => Walls::ZERO,
            Some(small) if (sets[0] | sets[1]).count_ones() > small => self.weighed(conflicts, sets),
            Some(_) if least[1] < least[0] => self.walls_of_shape(conflicts, least[1]).negative(),
            Some(_) => self.walls_of_shape(conflicts, least[0]),
        };
        let named = Named { sets, keys, walls };
        self.names[place] = named;
        named
    }

    /// The walls of a region as weighing has them.
    fn weighed(&self, conflicts: &Conflicts, sets: [u64; 2]) -> Walls {
        let counts = [0, 1].map(|side| {
            let mut counts = SmallVec::<[(i32, i32); 9]>::new();
            conflicts.weights(sets, side, |count, most| counts.push((count, most)));
            counts
        });
        self.weights.walls(counts.each_ref().map(|counts| &counts[..]))
    }

    /// The walls of a region of few points, which is a shape.
    fn walls_of_shape(&mut self, conflicts: &Conflicts, shape: [u64; 2]) -> Walls {
        if let Some(walls) = self.shapes.get(&shape) {
            return *walls;
        }
        let sum = Sum { sets: shape, surplus: 0 };
        let mut options = Options::NONE;
        for mover in [0, 1] {
            for p in bits(conflicts.superior(shape, mover)) {
                let next = conflicts.after(sum, mover, p);
                let mut tally = Tally::new(next.surplus);
                let mut left = next.sets;
                while left[0] != 0 {
                    let region = conflicts.region(left);
                    left = [left[0] & !region[0], left[1] & !region[1]];
                    tally.add(&self.name(conflicts, region).walls);
                }
                options.add(mover, &tally);
            }
        }
        let walls = options.walls();
        if self.shapes.len() >= SHAPES {
            self.shapes.clear();
        }
        self.shapes.insert(shape, walls);
        walls
    }

    /// Whether the mover wins the position that was reduced last, if the walls of its regions tell.
    pub(super) fn told(&self, surplus: i32, mover: usize) -> Option<bool> {
        let mut tally = Tally::new(surplus);
        self.regions.iter().for_each(|region| tally.add(&region.walls));
        tally.told(mover)
    }

    /// A position without the regions that cancel each other, and its key for the side to move. If `apart` is false,
    /// the whole position counts as one region.
    pub(super) fn reduced(&mut self, conflicts: &Conflicts, sum: Sum, mover: usize, apart: bool) -> (Sum, Key) {
        let swap = conflicts.swaps;
        self.regions.clear();
        let mut left = sum.sets;
        while left[0] != 0 {
            let region = if apart { conflicts.region(left) } else { left };
            left = [left[0] & !region[0], left[1] & !region[1]];
            let named = self.name(conflicts, region);
            match self.regions.iter().position(|other| swap && other.keys[0] == named.keys[1]) {
                Some(opposite) => drop(self.regions.swap_remove(opposite)),
                None => self.regions.push(named),
            }
        }
        let mut rest = Sum { sets: [0; 2], ..sum };
        let seen = if swap { mover } else { 0 };
        let mut key = Key::START;
        // Positions of one game may leave the sides with different kinds.
        key.mix_some(5, conflicts.kinds);
        for Named { sets, keys, .. } in &self.regions {
            rest.sets = [rest.sets[0] | sets[0], rest.sets[1] | sets[1]];
            key.join(3, keys[seen], 1);
        }
        let surplus = if seen == 1 { -sum.surplus } else { sum.surplus };
        key.mix(4, (surplus as u32 as u64) << 1 | if swap { 0 } else { mover as u64 });
        (rest, key)
    }
}

#[cfg(test)]
mod tests;
