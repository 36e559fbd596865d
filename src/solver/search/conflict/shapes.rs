//! Shapes of regions.
//!
//! A symmetry of the board that keeps conflicts maps a region to an equal one. So does a slide by
//! rows and columns, if the board is a whole rectangle and a slide by one row, and one by one
//! column, keep the conflicts of all points that they do not push off the board. (Then longer
//! slides keep them too: a region on its way to the corner never leaves the board.) The least of
//! all images, compared as numbers, is the region's shape.

use crate::geometry::Point;
use crate::position::Game;
use crate::solver::search::field::bits;

/// Tables for comparing regions.
pub(in crate::solver::search) struct Shapes {
    /// The number of columns, and the points in the first one, if regions can be slid.
    slide: Option<(u32, u64)>,
    /// The points in the first and last column and row.
    edges: [u64; 4],
}

impl Shapes {
    pub(in crate::solver::search) fn new(game: &Game, points: u64, excluded: &[[u64; 64]; 2]) -> Shapes {
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
        let bottom = (1_u64 << columns.min(63)) - 1;
        let slide = whole && kept(1, first) && kept(columns, bottom);
        let edges = [first, first << (columns - 1), bottom, bottom << ((rows - 1) * columns).min(63)];
        Shapes { slide: slide.then_some((columns, first)), edges }
    }

    /// Returns `true` if a region, or an image of it, can be slid: not if it reaches all edges of
    /// the board.
    #[inline]
    pub(in crate::solver::search) fn slides(&self, sets: [u64; 2]) -> bool {
        self.slide.is_some() && self.edges.iter().any(|edge| (sets[0] | sets[1]) & edge == 0)
    }

    /// Returns a region slid into the corner.
    #[inline]
    pub(in crate::solver::search) fn corner(&self, sets: [u64; 2]) -> [u64; 2] {
        let Some((columns, first)) = self.slide else { return sets };
        let down = (sets[0] | sets[1]).trailing_zeros() / columns * columns;
        let [mut a, mut b] = sets.map(|set| set >> down);
        while (a | b) & first == 0 {
            (a, b) = (a >> 1, b >> 1);
        }
        [a, b]
    }
}
