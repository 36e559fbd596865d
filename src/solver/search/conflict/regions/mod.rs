//! Regions of a game of fixed conflicts: the parts into which contested points fall.
//!
//! Two contested points of different colours are linked if they conflict. A region is a set of
//! points that are linked, directly or through others; a placement in one region changes nothing in
//! another. So a position is the sum of its regions and its surplus, and its key is that of the
//! multiset of its regions, wherever they lie.
//!
//! - **Shapes.** Regions of one shape are equal (`shapes.rs`).
//! - **Walls.** A region of few points is searched by itself, once for each shape and its negative,
//!   for what each side gets at least in it; larger ones are weighed (`walls.rs`).
//! - **Opposites.** A symmetry that keeps conflicts and swaps the colours maps a region G to its
//!   negative: G and −G together are 0 (the second player answers each placement with its image)
//!   and are left out. Where there is such a symmetry, the whole position is also looked up as its
//!   mover sees it: a game and its negative, with the other side to move, have the same winner,
//!   with the names of the players exchanged.

use hashbrown::HashMap;

use crate::solver::search::conflict::walls::{Options, Tally, TaxedWeights, Walls};
use crate::solver::search::conflict::{Conflicts, Sum};
use crate::solver::search::field::bits;
use crate::solver::search::key::Key;

/// A region, its walls, its key and the key of its negative.
#[derive(Clone, Copy)]
struct Named {
    sets: [u64; 2],
    walls: Walls,
    /// `None` if nobody has asked for them yet.
    keys: Option<[Key; 2]>,
}

/// Source of the keys and walls of regions, with a cache of small ones.
pub(in crate::solver::search) struct Namer {
    names: Vec<Named>,
    /// Those of the position that was taken apart last.
    regions: Vec<Named>,
    /// The walls of searched regions, by shape.
    shapes: HashMap<[u64; 2], Walls>,
    weights: TaxedWeights,
    /// Regions of up to this many points are searched; `None` for no walls at all.
    small: Option<u32>,
}

/// The logarithm to base 2 of the most keys that are cached.
const NAMES: u32 = 14;

/// The most searched regions that are kept: with all of them the search of regions begins anew.
const SHAPES: usize = 1 << 16;

impl Namer {
    /// Creates regions for a board of `points` points, where regions of up to `small` points are
    /// searched; without walls if `None`.
    pub(in crate::solver::search) fn new(points: u32, small: Option<u32>) -> Namer {
        let nameless = Named { sets: [0; 2], walls: Walls::ZERO, keys: None };
        Namer {
            names: vec![nameless; 1 << points.min(NAMES)],
            regions: Vec::new(),
            shapes: HashMap::new(),
            weights: TaxedWeights::new(points as usize),
            small,
        }
    }

    /// Returns the walls of a region that is not empty, and its keys if they are known.
    fn name(&mut self, conflicts: &Conflicts, sets: [u64; 2]) -> Named {
        let large = |small| (sets[0] | sets[1]).count_ones() > small;
        match self.small {
            None => return Named { sets, walls: Walls::ZERO, keys: None },
            // Large regions seldom come again.
            Some(small) if large(small) => return Named { sets, walls: self.weighed(conflicts, sets), keys: None },
            Some(_) => {}
        }
        let mut place = Key::START;
        place.mix(1, sets[0]);
        place.mix(2, sets[1]);
        let place = place.low as usize % self.names.len();
        if self.names[place].sets == sets {
            return self.names[place];
        }
        let least = least_images(conflicts, sets);
        let walls = match least[1] < least[0] {
            true => self.walls_of_shape(conflicts, least[1]).negative(),
            false => self.walls_of_shape(conflicts, least[0]),
        };
        let named = Named { sets, walls, keys: Some(keys(least)) };
        self.names[place] = named;
        named
    }

    fn weighed(&self, conflicts: &Conflicts, sets: [u64; 2]) -> Walls {
        self.weights.walls(sets.map(u64::count_ones), |side, visit| conflicts.weights(sets, side, visit))
    }

    /// Returns the walls of a region of few points, which is a shape.
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

    /// Takes a position apart into regions. If `apart` is false, the whole position counts as one
    /// region.
    pub(in crate::solver::search) fn take_apart(&mut self, conflicts: &Conflicts, sets: [u64; 2], apart: bool) {
        self.regions.clear();
        let mut left = sets;
        while left[0] != 0 {
            let region = if apart { conflicts.region(left) } else { left };
            left = [left[0] & !region[0], left[1] & !region[1]];
            let named = self.name(conflicts, region);
            self.regions.push(named);
        }
    }

    /// Returns `true` if the mover wins the position that was taken apart last; `None` if the walls
    /// of its regions do not tell.
    pub(in crate::solver::search) fn decided(&self, surplus: i32, mover: usize) -> Option<bool> {
        let mut tally = Tally::new(surplus);
        self.regions.iter().for_each(|region| tally.add(&region.walls));
        tally.decided(mover)
    }

    /// Leaves out the regions of the position that was taken apart last which cancel each other;
    /// returns what is left of it, and its key for the side to move.
    pub(in crate::solver::search) fn reduced(&mut self, conflicts: &Conflicts, sum: Sum, mover: usize) -> (Sum, Key) {
        let swap = conflicts.swaps;
        let mut kept = 0;
        while kept < self.regions.len() {
            let named = &mut self.regions[kept];
            let [_, negative] = *named.keys.get_or_insert_with(|| keys(least_images(conflicts, named.sets)));
            let opposite = |other: &Named| swap && other.keys.is_some_and(|[key, _]| key == negative);
            match self.regions[..kept].iter().position(opposite) {
                Some(opposite) => {
                    self.regions.remove(kept);
                    self.regions.remove(opposite);
                    kept -= 1;
                }
                None => kept += 1,
            }
        }
        let mut rest = Sum { sets: [0; 2], ..sum };
        let seen = if swap { mover } else { 0 };
        let mut key = Key::START;
        // Positions of one game may leave the sides with different kinds.
        key.mix_some(5, conflicts.kinds);
        for Named { sets, keys, .. } in &self.regions {
            rest.sets = [rest.sets[0] | sets[0], rest.sets[1] | sets[1]];
            keys.iter().for_each(|keys| key.join(3, keys[seen], 1));
        }
        let surplus = if seen == 1 { -sum.surplus } else { sum.surplus };
        key.mix(4, (surplus as u32 as u64) << 1 | if swap { 0 } else { mover as u64 });
        (rest, key)
    }
}

/// Returns the keys of a region and of its negative, by their least images.
fn keys(least: [[u64; 2]; 2]) -> [Key; 2] {
    least.map(|[a, b]| {
        let mut key = Key::START;
        key.mix(1, a);
        key.mix(2, b);
        key
    })
}

/// Returns the least image of a region, and that of its negative, which is among the images that
/// swap the colours, if there are any.
fn least_images(conflicts: &Conflicts, sets: [u64; 2]) -> [[u64; 2]; 2] {
    let shapes = &conflicts.shapes;
    let slides = shapes.slides(sets);
    let corner = |sets: [u64; 2]| if slides { shapes.corner(sets) } else { sets };
    // Compared as one number.
    let packed = |[a, b]: [u64; 2]| u128::from(a) << 64 | u128::from(b);
    let mut least = [packed(corner(sets)), u128::MAX];
    for image in &conflicts.images {
        let [a, b] = corner([image.of(sets[0]), image.of(sets[1])]);
        if image.kept[0] {
            least[0] = least[0].min(packed([a, b]));
        }
        if image.kept[1] {
            least[1] = least[1].min(packed([b, a]));
        }
    }
    least.map(|sets| [(sets >> 64) as u64, sets as u64])
}

#[cfg(test)]
mod tests;
