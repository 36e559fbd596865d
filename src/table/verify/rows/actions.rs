//! The values of a row from those of the next positions: every action of one player, for all points
//! of the last pod.

use std::cell::Cell;

use crate::material::Side;
use crate::rules::Captures;
use crate::table::index::{Arrangement, Placed, Slice, Tier};
use crate::table::verify::rows::Check;
use crate::table::verify::rows::board::{NOWHERE, Views};
use crate::table::verify::rows::captures::PlayedAction;
use crate::table::verify::rows::keys::{Key, highest, raise};

/// State shared by the rows of a slice, for one player to move.
pub(super) struct SliceContext<'a> {
    pub(super) slice: &'a Slice,
    pub(super) mover: Side,
    pub(super) tier: usize,
    /// The piece types in the mover's hand.
    in_hand: Vec<u8>,
    pub(super) hand: u32,
    /// Raised if an action leads to a row that the index does not have.
    pub(super) missing: Cell<bool>,
}

/// An opposing pod on the board, the last one left out.
#[derive(Clone, Copy, Default)]
struct Foe {
    point: u8,
    /// The points that it attacks if the last pod is in nobody's way.
    attacks: u64,
}

pub(super) struct Row<'a, K, const N: usize> {
    pub(super) context: &'a SliceContext<'a>,
    pub(super) fixed: &'a Arrangement,
    pub(super) occupied: u64,
    pub(super) cells: u64,
    /// The best next position of each cell so far.
    pub(super) best: [K; N],
    /// Cells with an action that wins at once: none is better.
    pub(super) won: u64,
    foes: [Foe; crate::table::index::MAX_ON_BOARD],
    foe_count: usize,
}

/// Points where a pod has no empty neighbour at its legs, and where exactly one.
#[derive(Clone, Copy)]
pub(super) struct Liberties {
    none: u64,
    one: u64,
}

impl Liberties {
    pub(super) fn new(views: &Views, mut empty: u64) -> Liberties {
        let (mut some, mut more) = (0, 0);
        while empty != 0 {
            let near = views.near_of[empty.trailing_zeros() as usize];
            empty &= empty - 1;
            more |= some & near;
            some |= near;
        }
        Liberties { none: !some, one: some & !more }
    }

    /// Returns the cells where the pod is blocked when one more pod stands on a point.
    #[inline]
    pub(super) fn none_with(self, views: &Views, point: u8) -> u64 {
        self.none | self.one & views.near_of[point as usize]
    }
}

impl<'a> SliceContext<'a> {
    pub(super) fn new<K: Key>(check: &Check<'a, K>, number: usize, slice: &'a Slice, mover: Side) -> SliceContext<'a> {
        let tier: &Tier = &check.index.tiers()[number];
        let left = |piece_type: usize| u32::from(tier.alive()[piece_type] - slice.on_board()[piece_type]);
        let mine = |piece_type: &usize| check.index.piece_types()[*piece_type].side == mover;
        let piece_types = (0..check.index.piece_types().len()).filter(mine).filter(|&piece_type| left(piece_type) > 0);
        let hand = piece_types.clone().map(left).sum();
        let in_hand = piece_types.map(|piece_type| piece_type as u8).collect();
        SliceContext { slice, mover, tier: check.index.key_of_tier(number), in_hand, hand, missing: Cell::new(false) }
    }
}

impl<K: Key> Check<'_, K> {
    /// Returns the keys that follow for these cells of a row, [`Key::NONE`] for none of them.
    pub(super) fn value<const N: usize>(&self, context: &SliceContext<'_>, fixed: &Arrangement, cells: u64) -> [K; N] {
        let mut row = Row::<K, N> {
            context,
            fixed,
            occupied: fixed.occupied(),
            cells,
            best: [K::NONE; N],
            won: 0,
            foes: [Foe::default(); crate::table::index::MAX_ON_BOARD],
            foe_count: 0,
        };
        for pod in fixed.pods().iter().filter(|pod| self.side(pod.piece_type) != context.mover) {
            let sees = self.tables.views[pod.piece_type as usize].sees[pod.point as usize];
            let attacks = sees & !self.tables.hidden_by(pod.point, fixed.pods());
            row.foes[row.foe_count] = Foe { point: pod.point, attacks };
            row.foe_count += 1;
        }
        for &piece_type in &context.in_hand {
            match context.slice.last() {
                Some(last) if piece_type <= last => self.place_below(&mut row, piece_type, last),
                last => self.place_above(&mut row, piece_type, last),
            }
        }
        if let (true, Some(last)) = (self.options.moves, context.slice.last()) {
            self.move_fixed(&mut row, last);
            if self.side(last) == context.mover {
                self.move_last(&mut row, last);
            }
            if self.options.shoves {
                self.push_by_fixed(&mut row, last);
                if self.side(last) == context.mover {
                    self.push_by_last(&mut row, last);
                }
            }
        }
        let won = row.won;
        crate::table::verify::rows::keys::fill(&mut row.best, won, K::BEST);
        row.best.map(K::before)
    }

    pub(super) fn side(&self, piece_type: u8) -> Side {
        self.index.piece_types()[piece_type as usize].side
    }

    /// Returns the points from which a pod attacks the foes, or is attacked by them, if the last
    /// pod is in nobody's way: for each foe and for all (R11, R12).
    fn contacts<const N: usize>(
        &self,
        row: &Row<'_, K, N>,
        views: &Views,
    ) -> ([u64; crate::table::index::MAX_ON_BOARD], u64) {
        let mut contacts = [0; crate::table::index::MAX_ON_BOARD];
        let mut all = 0;
        for (contact, foe) in contacts.iter_mut().zip(&row.foes[..row.foe_count]) {
            let seen = views.seen[foe.point as usize] & !self.tables.hidden_by(foe.point, row.fixed.pods());
            *contact = foe.attacks | seen;
            all |= *contact;
        }
        (contacts, all)
    }

    /// Evaluates placements of a pod that comes before the last one, or is like it: for each point
    /// of the pod, all points of the last.
    fn place_below<const N: usize>(&self, row: &mut Row<'_, K, N>, piece_type: u8, last: u8) {
        let (views, last_views) = (&self.tables.views[piece_type as usize], &self.tables.views[last as usize]);
        let last_is_foe = self.side(last) != row.context.mover;
        let (contacts, all) = self.contacts(row, views);
        let empty = self.tables.all & !row.occupied;
        let captures = self.options.captures == Captures::EveryTurn;
        let liberties = Liberties::new(last_views, if captures { empty } else { 0 });
        let mut out = [K::NONE; N];
        let mut points = empty;
        while points != 0 {
            let point = points.trailing_zeros() as u8;
            points &= points - 1;
            let mut want = row.cells & !row.won & !(1 << point);
            if all >> point & 1 == 1 {
                // Legal only where the last pod stands between.
                for (contact, foe) in contacts.iter().zip(&row.foes[..row.foe_count]) {
                    if contact >> point & 1 == 1 {
                        want &= self.tables.screens[foe.point as usize][point as usize];
                    }
                }
            }
            if last_is_foe && want != 0 {
                let contact = views.sees[point as usize] | last_views.seen[point as usize];
                want &= !contact | self.tables.hidden_by(point, row.fixed.pods());
            }
            if self.options.placement_liberty {
                let near = views.near[point as usize] & !row.occupied;
                if near == 0 {
                    want = 0;
                } else if near & (near - 1) == 0 {
                    want &= !near;
                }
            }
            if want == 0 {
                continue;
            }
            let mut fixed = *row.fixed;
            fixed.insert(Placed { piece_type, point });
            let made = PlayedAction {
                mover: row.context.mover,
                tier: row.context.tier,
                hand: row.context.hand - 1,
                fixed: &fixed,
                piece_type: last,
                stuck: liberties.none_with(last_views, point),
                captures,
                missing: &row.context.missing,
            };
            let won = self.settle(&made, want, &mut out);
            row.won |= won;
            raise(&mut row.best, &out, want & !won);
        }
    }

    /// Evaluates placements of a pod that comes after the last one: for each point of the last, all
    /// points of the pod.
    fn place_above<const N: usize>(&self, row: &mut Row<'_, K, N>, piece_type: u8, last: Option<u8>) {
        let views = &self.tables.views[piece_type as usize];
        let (contacts, _) = self.contacts(row, views);
        let liberties = Liberties::new(views, self.tables.all & !row.occupied);
        let captures = self.options.captures == Captures::EveryTurn;
        let mut out = [K::NONE; N];
        let mut cells = row.cells & !row.won;
        while cells != 0 {
            let cell = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            let mut fixed = *row.fixed;
            let mut stuck = liberties.none;
            let mut contact = 0;
            if let Some(last) = last {
                fixed.insert(Placed { piece_type: last, point: cell });
                stuck = liberties.none_with(views, cell);
                for (foe_contact, foe) in contacts.iter().zip(&row.foes[..row.foe_count]) {
                    contact |= foe_contact & !self.tables.hidden[foe.point as usize][cell as usize];
                }
                if self.side(last) != row.context.mover {
                    let last_views = &self.tables.views[last as usize];
                    let both = last_views.sees[cell as usize] | views.seen[cell as usize];
                    contact |= both & !self.tables.hidden_by(cell, row.fixed.pods());
                }
            }
            let mut want = self.tables.all & !fixed.occupied() & !contact;
            if self.options.placement_liberty {
                want &= !stuck;
            }
            if want == 0 {
                continue;
            }
            let made = PlayedAction {
                mover: row.context.mover,
                tier: row.context.tier,
                hand: row.context.hand - 1,
                fixed: &fixed,
                piece_type,
                stuck,
                captures,
                missing: &row.context.missing,
            };
            if self.settle(&made, want, &mut out) != 0 {
                row.won |= 1 << cell;
            } else {
                let best = &mut row.best[cell as usize];
                *best = (*best).max(highest(&out, want));
            }
        }
    }

    /// Moves of the mover's pods but the last one (R17).
    fn move_fixed<const N: usize>(&self, row: &mut Row<'_, K, N>, last: u8) {
        let captures = self.options.captures != Captures::Never;
        let last_views = &self.tables.views[last as usize];
        let mut liberties = None;
        let mut out = [K::NONE; N];
        for (place, pod) in
            row.fixed.pods().iter().enumerate().filter(|(_, p)| self.side(p.piece_type) == row.context.mover)
        {
            for &(direction, long) in &self.tables.views[pod.piece_type as usize].legs {
                let next = &self.tables.next[direction];
                let mut to = next[pod.point as usize];
                let mut way = 0;
                while to != NOWHERE && row.occupied >> to & 1 == 0 {
                    way |= 1 << to;
                    let want = row.cells & !row.won & !way;
                    if want == 0 {
                        break;
                    }
                    let mut fixed = *row.fixed;
                    fixed.carry(place, to);
                    let liberties =
                        *liberties.get_or_insert_with(|| Liberties::new(last_views, self.tables.all & !row.occupied));
                    let freed = last_views.near_of[pod.point as usize];
                    let made = PlayedAction {
                        mover: row.context.mover,
                        tier: row.context.tier,
                        hand: row.context.hand,
                        fixed: &fixed,
                        piece_type: last,
                        stuck: liberties.none_with(last_views, to) & !freed,
                        captures,
                        missing: &row.context.missing,
                    };
                    let won = self.settle(&made, want, &mut out);
                    row.won |= won;
                    raise(&mut row.best, &out, want & !won);
                    if !long {
                        break;
                    }
                    to = next[to as usize];
                }
            }
        }
    }

    /// Evaluates the moves of the last pod, which is the mover's (R17): their results depend on the
    /// target only.
    fn move_last<const N: usize>(&self, row: &mut Row<'_, K, N>, last: u8) {
        if row.cells & !row.won == 0 {
            return;
        }
        let views = &self.tables.views[last as usize];
        let made = PlayedAction {
            mover: row.context.mover,
            tier: row.context.tier,
            hand: row.context.hand,
            fixed: row.fixed,
            piece_type: last,
            stuck: Liberties::new(views, self.tables.all & !row.occupied).none,
            captures: self.options.captures != Captures::Never,
            missing: &row.context.missing,
        };
        let mut out = [K::NONE; N];
        let won = self.settle(&made, self.tables.all & !row.occupied, &mut out);
        crate::table::verify::rows::keys::fill(&mut out, won, K::BEST);
        for &(direction, long) in &views.legs {
            let next = &self.tables.next[direction];
            let mut cells = row.cells & !row.won;
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let mut to = next[cell];
                while to != NOWHERE && row.occupied >> to & 1 == 0 {
                    row.best[cell] = row.best[cell].max(out[to as usize]);
                    if !long {
                        break;
                    }
                    to = next[to as usize];
                }
            }
        }
    }
}
