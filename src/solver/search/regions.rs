//! Regions of a game of fixed conflicts: the parts into which contested points fall.
//!
//! Two contested points of different colours are linked if they conflict. What is not linked, directly or over others, is
//! apart: a placement in one region changes nothing in another. So a position is the sum of its regions and its surplus,
//! and is known by the multiset of them, wherever they lie.
//!
//! - **Shapes.** A symmetry of the board that keeps conflicts maps a region to an equal one. So does a slide by rows and
//!   columns, if the board is a whole rectangle and conflicts of points that can be slid by one row, or one column, are
//!   kept by that (then by any number, one after the other: a region on its way to the corner never leaves the board). The
//!   least image of all, as numbers, is the region's shape.
//! - **Opposites.** A symmetry that keeps conflicts and swaps the colours maps a region G to its negative: G and −G together
//!   are 0 (the second player answers each placement with its image) and are left out. Where there is such a symmetry, the
//!   whole position is also looked up as its mover sees it: a game and its negative, with the other side to move, have the
//!   same winner, but for the names of the players.

use super::conflict::{Conflicts, Sum};
use super::field::bits;
use super::table::Key;
use crate::geometry::Point;
use crate::position::Game;

/// How to compare regions.
pub(super) struct Shapes {
    /// The number of columns, and the points in the first one, if regions can be slid.
    slide: Option<(u32, u64)>,
}

impl Shapes {
    pub(super) fn new(game: &Game, points: u64, excluded: &[[u64; 64]; 2]) -> Shapes {
        let (columns, rows) = (u32::from(game.board().columns()), u32::from(game.board().rows()));
        let at = |column: u32, row: u32| {
            let here = |&p: &usize| {
                let coord = game.board().coord(Point::new(p));
                u32::from(coord.column) == column && u32::from(coord.row) == row
            };
            bits(points).find(here)
        };
        let first = (0..rows).fold(0, |set, row| set | 1_u64 << (row * columns).min(63));
        // Point numbers go row by row: a slide to the left, or down, is a shift.
        let whole = columns * rows == points.count_ones()
            && (0..rows)
                .all(|row| (0..columns).all(|column| at(column, row) == Some((row * columns + column) as usize)));
        let kept = |by: u32, stay: u64| {
            // The points of `stay` cannot be slid.
            let slid = |set: u64| (set & !stay) >> by;
            let range = slid(points);
            (0..2).all(|side| {
                bits(points & !stay).all(|p| slid(excluded[side][p]) == excluded[side][p - by as usize] & range)
            })
        };
        let slide = whole && kept(1, first) && kept(columns, (1_u64 << columns.min(63)) - 1);
        Shapes { slide: slide.then_some((columns, first)) }
    }

    /// Slid into the corner.
    #[inline]
    fn corner(&self, sets: [u64; 2]) -> [u64; 2] {
        let Some((columns, first)) = self.slide else { return sets };
        let down = (sets[0] | sets[1]).trailing_zeros() / columns * columns;
        let [mut a, mut b] = sets.map(|set| set >> down);
        while (a | b) & first == 0 {
            (a, b) = (a >> 1, b >> 1);
        }
        [a, b]
    }
}

/// What a region is: its key, and that of its negative.
#[derive(Clone, Copy)]
struct Named {
    sets: [u64; 2],
    keys: [Key; 2],
}

/// Names regions; keeps some names so as not to find them again.
pub(super) struct Namer {
    names: Vec<Named>,
    regions: Vec<Named>,
}

/// The most names that are kept, as a power of two.
const NAMES: u32 = 14;

impl Namer {
    /// For a board of so many points.
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

    /// A position without the regions that cancel each other, and its key for the side to move; if not `apart`, all of it is
    /// taken for one region.
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
