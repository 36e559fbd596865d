//! Values known by dominance: a position takes its value from a searched one that looks the same
//! where it matters, whatever pods stand elsewhere and which pods are in hand.
//!
//! Call the sides X and Y, and let the game be one without moves and captures in which an empty
//! hand loses. Let P and Q be positions with the same side to move, in neither of which the opening
//! clause (R9) binds. *After* a position means there and in all that placements lead to from it. A
//! pair *may live* as in [`super::bounds`]; the pairs of a position meant here are these. Let X win
//! Q, and have winning play there that places only pods of some kinds, on points of a set A only
//! ([`super::used`]); let A be points of pairs of X's both in P and in Q. Let B be the points of
//! Y's pairs, the same in P and in Q. X *comes to* A only, and Y to B only; L is the union of both.
//!
//! P and Q have the same *view* if they agree in
//!
//! 1. for each line direction: from which points of L the next point in that direction that is in L
//!    or held is in L, going over empty points outside L only;
//! 2. for each side, each point to which it comes and each direction: whether the connected
//!    neighbour is an opposing pod; whether a long leg would reach an opposing pod; whether it would
//!    by the second round of `bounds.rs`, over empty points outside all pairs; and whether a long
//!    leg of an opposing pod on the board reaches the point;
//! 3. under R13, for each side, each such point and each direction: whether the connected neighbour
//!    is empty and outside L.
//!
//! Where a view is the same, so is the set of points *of* a kind, in hand or not: those to which its
//! side comes and where it has a liberty and none of its legs leads to an opposing pod next to it,
//! or, a long one, by the second round. If the kind is in hand, these are its pairs there. A kind
//! *stands for* another one of its side if, on the points of the other one, which must be points of
//! its own,
//!
//! - their legs lead in the same directions to points to which the other side comes: any leg to the
//!   next point, and a long one over points empty now to one beyond it (under `attack-through`, over
//!   any points);
//! - it has no long leg that would reach an opposing pod at one of these points in a direction in
//!   which the other kind has none;
//! - under R13, where the other one has a liberty of 3, it has one too; and at the points where it
//!   has none itself, it has a leg in each direction in which the other one has a leg to a
//!   neighbour in L.
//!
//! Let each kind of Y's pairs in P have a kind of Y's pairs in Q that stands for it, different ones
//! for different kinds, and each kind that X's play in Q places a kind of X's pairs in P that stands
//! for it, different ones again; and let the one that stands have at least as many pods in hand.
//!
//! **Theorem.** X wins P, with the pods that stand for those of its play in Q, on A.
//!
//! **Proof.** Continue both positions: X makes the placements of its play in Q, and in P the same
//! ones with the pods that stand for these; Y makes a placement in P, and in Q the same one with the
//! pod that stands for it. So the same points of L are taken by the same sides in both, and no
//! others: Y only ever places pods of its pairs. Call *first* the position of the pod that another
//! one stands for, Q for X's and P for Y's, and *second* the other one. If a placement of a kind o
//! at p is legal in the first, that of the kind s that stands for it is legal in the second:
//!
//! - *Hand and point* (R10): s has as many pods; p is in L, so it is empty in both or in none.
//! - *Opposing pods on the board now* (R11, R12). As o is of p, so is s, and no leg of either leads
//!   to such a pod next to p or by the second round, and no such pod attacks p so. If another leg of
//!   s does, it is a long one, o has a long one in that direction, and by 2 it would reach a pod in
//!   the first too. By 1 the points of L on the way are the same in both: the pod is the first thing
//!   held behind them. As o is legal, one of them is taken by now, and so it is in the second. The
//!   same holds for a long leg of such a pod that reaches p by 2. (Under `attack-through` the second
//!   round finds all attacks.)
//! - *Opposing pods placed since* stand in both on the same points q to which the opponent comes, one
//!   of them for the other. The legs of s and o at p lead to the same such points: those next to p;
//!   and, if both have a long leg, those beyond it, as long as the points of L between are not taken
//!   (1). The legs of the two pods at q lead to p alike.
//! - *Liberty* (R13): a liberty of o outside L lasts, and s has such a one too. If o has one in L
//!   now, s has a lasting one or the same.
//!
//! In its play X has a placement whenever it is to move in Q, and so in P; Y is the first to have
//! none (R15). ∎
//!
//! To stand for is transitive, and where the view is the same, a kind stands for itself. So a kind
//! that both hands have may stand for itself in any case, and only the others are matched. Where a
//! kind is in hand more than once, both hands have as many, and it stands for itself or not at all.
//!
//! *Ghosts* (`ghosts.rs`) are pods; to their side they are liberties and no obstacles, in 1 for its
//! legs and in 3. Passes are placements that take nothing, of the same number in P and Q.
//!
//! The entries are of 40 bytes, in buckets by the side to move, the winner and B; they share the
//! memory with the table. A view is compared by a hash of 64 bits, beside at least 98 of the rest.
//! Positions that took fewer than [`LEAST`] nodes are not kept. [`Search::save`](super::Search::save)
//! leaves these entries out.

use super::bounds::Lives;
use super::buckets::{Buckets, LOW, PARTS, work_bits};
use super::field::{Field, KINDS, LegBits, bits};
use super::key::{Key, WordSums};
use super::node::{Node, Used};
use crate::geometry::by_direction;
use crate::progress::Fill;

/// The fewest nodes of a search whose result is kept: below, searching again costs as much.
pub(super) const LEAST: u64 = 3;

const BUCKET: usize = 16;

/// The bytes with which a part begins, if it may have as many.
const BEGIN: u64 = 1 << 12;

/// Below this memory nothing is kept, and below the second one it is not divided.
const SMALLEST: u64 = 1 << 15;
const DIVIDED: u64 = 1 << 21;

/// Words of an entry; the second one is 0 in an empty slot.
const WORDS: usize = 5;

/// A searched position; X is the side that wins it.
#[derive(Clone, Copy, Debug)]
struct ProvenEntry {
    /// The high word of its key: only positions with the same key are compared.
    high: u64,
    /// 1 and the work, and the low bits of the key, as in [`super::buckets`].
    stored: u64,
    /// A.
    points: u64,
    /// The hash of its view.
    view: u64,
    /// The kinds that X uses, and Y's kinds.
    kinds: [u32; 2],
}

impl ProvenEntry {
    fn read(&[high, stored, points, view, kinds]: &[u64; WORDS]) -> ProvenEntry {
        ProvenEntry { high, stored, points, view, kinds: [kinds as u32, (kinds >> 32) as u32] }
    }

    fn words(&self) -> [u64; WORDS] {
        let [x, y] = self.kinds.map(u64::from);
        [self.high, self.stored, self.points, self.view, x | y << 32]
    }
}

/// Returns the key in which compared positions must agree if `x` wins them: who is to move, who
/// wins, B, the passes and who has them, and the counts of kinds in hand above 1.
fn key(node: &Node, lives: &Lives, x: usize) -> Key {
    let mut key = Key::START;
    let passes = u64::from(node.passes) << 8 | u64::from(node.has_ghosts(1));
    key.mix(1, 1 + (u64::from(node.mover) | (x as u64) << 1 | passes << 8));
    key.mix(2, lives.pairs[1 - x].any);
    for side in 0..2 {
        if u32::from(node.in_hand[side]) > node.kinds[side].count_ones() {
            for kind in bits(u64::from(node.kinds[side])).filter(|&kind| node.hands[side][kind] > 1) {
                key.mix(1 << 8 | (side << 16 | kind << 17) as u64, u64::from(node.hands[side][kind]));
            }
        }
    }
    key
}

/// What a position looks like to sides that come only to some points each.
struct View<'n> {
    field: &'n Field,
    node: &'n Node,
    lives: &'n Lives,
    /// A and B, by side.
    points: [u64; 2],
    /// By direction: the points whose connected neighbour is in A or B.
    free: [u64; 8],
    /// By side and direction: the points with a lasting liberty.
    lasts: [[u64; 8]; 2],
    hash: u64,
}

impl View<'_> {
    fn new<'n>(field: &'n Field, node: &'n Node, lives: &'n Lives, points: [u64; 2]) -> View<'n> {
        let all = points[0] | points[1];
        let lasting = node.empty(field) & !all;
        let mut words = WordSums::NONE;
        for d in [0, 2] {
            let [one, next] = [d, d + 1].map(|d| field.lines.run(d, all, lasting) & all);
            words.put(d / 2, one, next);
        }
        let (mut free, mut lasts) = ([0; 8], [[0; 8]; 2]);
        if field.liberty {
            let any = node.free(field);
            free = by_direction(|d| field.lines.step_into(d, all));
            lasts = [by_direction(|d| any[d] & !free[d]); 2];
        }
        let mut over = Key::START;
        if node.ghosts != 0 {
            let side = usize::from(node.has_ghosts(1));
            if field.liberty {
                lasts[side] = by_direction(|d| lasts[side][d] | field.lines.step_into(d, node.ghosts));
            }
            for d in 0..8 {
                let run = |through| field.lines.run(d, all, through) & all;
                over.mix_some(d as u64, run(lasting | node.ghosts) & !run(lasting));
            }
        }
        for side in 0..2 {
            let (foe, of) = (1 - side, points[side]);
            for d in 0..8 {
                let place = 2 + 16 * side + 2 * d;
                words.put(place, node.near[foe][d] & of, node.far[foe][d] & of);
                words.put(place + 1, lives.faced[foe][d] & of, node.beams[foe][d] & of);
            }
            for d in [0, 2, 4, 6] {
                words.put(34 + 4 * side + d / 2, lasts[side][d] & of, lasts[side][d + 1] & of);
            }
        }
        View { field, node, lives, points, free, lasts, hash: words.hash().low.wrapping_add(over.low) }
    }

    /// Returns the points of a side where pods with such legs may live.
    fn at(&self, side: usize, LegBits { short, long }: LegBits) -> u64 {
        let foe = 1 - side;
        let union = |sets: &[u64; 8], legs: u8| bits(u64::from(legs)).fold(0, |all, d| all | sets[d]);
        let dead = union(&self.node.near[foe], short | long) | union(&self.lives.faced[foe], long);
        let liberties = |legs| union(&self.free, legs) | union(&self.lasts[side], legs);
        let at = self.points[side] & !dead;
        if self.field.liberty { at & liberties(short | long) } else { at }
    }
}

/// The points from which a leg of a side reaches a point where the other side may come.
struct Reach {
    /// By direction: at the next point.
    near: [u64; 8],
    /// By direction: beyond it, by a long leg.
    far: [u64; 8],
}

impl Reach {
    fn new(view: &View<'_>, side: usize) -> Reach {
        let (lines, theirs) = (&view.field.lines, view.points[1 - side]);
        let through = view.node.through(view.field, side);
        let near = by_direction(|d| lines.step_into(d, theirs));
        let second = by_direction(|d| lines.step_into(d, near[d] & through));
        let further = lines.runs_into(&by_direction(|d| second[d] & through), through);
        Reach { near, far: by_direction(|d| second[d] | further[d]) }
    }

    /// Returns `true` if a pod of a side stands for another one.
    fn stands_for(&self, view: &View<'_>, side: usize, one: LegBits, other: LegBits) -> bool {
        let meets = |sets: &[u64; 8], legs: u8, at: u64| bits(u64::from(legs)).any(|d| sets[d] & at != 0);
        let (at, all) = (view.at(side, other), [one, other].map(|legs| legs.short | legs.long));
        let facing = by_direction(|d| view.node.far[1 - side][d] & !view.lives.faced[1 - side][d]);
        let lasting = |legs: u8| bits(u64::from(legs)).fold(0, |set, d| set | view.lasts[side][d]);
        at & !view.at(side, one) == 0
            && !meets(&self.near, all[0] ^ all[1], at)
            && !meets(&self.far, one.long ^ other.long, at)
            && !meets(&facing, one.long & !other.long, at)
            && (!view.field.liberty
                || at & lasting(all[1]) & !lasting(all[0]) == 0
                    && !meets(&view.free, all[1] & !all[0], at & !lasting(all[0])))
    }
}

/// Finds for each kind of `these` another one of `those` that stands for it, by `stands_for(one,
/// other)`; returns those that do (Kuhn's algorithm).
fn matched(these: u32, those: u32, stands_for: impl Fn(usize, usize) -> bool) -> Option<u32> {
    fn augment(edges: &[u32; KINDS], kind: usize, seen: &mut u32, of: &mut [u8; KINDS], taken: &mut u32) -> bool {
        loop {
            let next = edges[kind] & !*seen;
            if next == 0 {
                return false;
            }
            let one = next.trailing_zeros() as usize;
            *seen |= 1 << one;
            if *taken >> one & 1 == 0 || augment(edges, of[one] as usize, seen, of, taken) {
                *taken |= 1 << one;
                of[one] = kind as u8;
                return true;
            }
        }
    }
    let mut edges = [0; KINDS];
    for other in bits(u64::from(these)) {
        edges[other] = bits(u64::from(those)).filter(|&one| stands_for(one, other)).fold(0, |set, one| set | 1 << one);
        if edges[other] == 0 {
            return None;
        }
    }
    let (mut of, mut taken) = ([0; KINDS], 0);
    bits(u64::from(these)).all(|kind| augment(&edges, kind, &mut 0, &mut of, &mut taken)).then_some(taken)
}

impl ProvenEntry {
    fn new(key: Key, field: &Field, (node, lives): (&Node, &Lives), x: usize, nodes: u64, used: Used) -> ProvenEntry {
        let (pairs, theirs) = (&lives.pairs[x], &lives.pairs[1 - x]);
        let (mut uses, mut points) = (0, [theirs.any; 2]);
        points[x] = 0;
        for kind in bits(u64::from(pairs.kinds & used.kinds)).filter(|&kind| pairs.at[kind] & used.points != 0) {
            uses |= 1 << kind;
            points[x] |= pairs.at[kind] & used.points;
        }
        let view = View::new(field, node, lives, points).hash;
        let stored = 1 | work_bits(nodes) | key.low << LOW;
        ProvenEntry { high: key.high, stored, points: points[x], view, kinds: [uses, theirs.kinds] }
    }

    /// Returns what X uses, if the theorem says of a position with the same key that X wins it too.
    fn covers(&self, field: &Field, node: &Node, lives: &Lives, x: usize) -> Option<Used> {
        let y = 1 - x;
        let [uses, others] = self.kinds;
        let (mine, theirs) = (lives.pairs[x].kinds, lives.pairs[y].kinds);
        if self.points & !lives.pairs[x].any != 0
            || uses.count_ones() > mine.count_ones()
            || theirs.count_ones() > others.count_ones()
        {
            return None;
        }
        let mut points = [0; 2];
        (points[x], points[y]) = (self.points, lives.pairs[y].any);
        let view = View::new(field, node, lives, points);
        if view.hash != self.view {
            return None;
        }
        let matched = |side: usize, these: u32, those: u32| {
            if these == 0 {
                return Some(0);
            }
            let single = |set: u32| bits(u64::from(set)).all(|kind| node.hands[side][kind] < 2);
            let (legs, reach) = (&field.legs[side], Reach::new(&view, side));
            let stands_for = |one: usize, other: usize| reach.stands_for(&view, side, legs[one], legs[other]);
            single(these | those).then(|| matched(these, those, stands_for))?
        };
        matched(y, theirs & !others, others & !theirs)?;
        let more = matched(x, uses & !mine, mine & !uses)?;
        Some(Used { points: self.points, kinds: uses & mine | more })
    }
}

/// The table of searched positions.
pub(super) struct Dominance {
    /// `None` with too little memory to keep anything.
    buckets: Option<Buckets<WORDS, BUCKET>>,
}

impl Dominance {
    /// Creates a table of at most `memory` bytes; with too few it keeps nothing.
    pub(super) fn new(memory: u64) -> Dominance {
        // While a part grows, it has its old bytes beside the new ones.
        let (parts, shares) = if memory < DIVIDED { (1, 2) } else { (PARTS, PARTS + 1) };
        let buckets = |bytes: u64| bytes / Buckets::<WORDS, BUCKET>::BYTES;
        let made = || Buckets::new(parts, buckets(BEGIN), buckets(memory / shares));
        Dominance { buckets: (memory >= SMALLEST).then(made) }
    }

    /// Returns the fill of the table; `None` if it keeps nothing.
    pub(super) fn fill(&self) -> Option<Fill> {
        self.buckets.as_ref().map(Buckets::fill)
    }

    /// Returns `true` if the mover wins, and what the winner uses; `None` if no searched position
    /// tells.
    pub(super) fn get(&self, field: &Field, node: &Node, lives: &Lives) -> Option<(bool, Used)> {
        let buckets = self.buckets.as_ref().filter(|_| !node.open)?;
        (0..2).find_map(|x| {
            let key = key(node, lives, x);
            let (part, place) = buckets.part(key.low);
            // What is stored is never 0.
            let same = |words: &&[u64; WORDS]| {
                words[0] == key.high && words[1] >> LOW << LOW == key.low << LOW && words[1] != 0
            };
            let mut known = part.bucket(place).iter().filter(same).map(ProvenEntry::read);
            let used = known.find_map(|entry| entry.covers(field, node, lives, x))?;
            Some((x == node.mover as usize, used))
        })
    }

    /// Stores who wins a position, as [`Buckets::put`] does.
    pub(super) fn put(&self, field: &Field, node: &Node, lives: &Lives, win: bool, nodes: u64, used: Used) {
        if nodes < LEAST || node.open {
            return;
        }
        let Some(buckets) = &self.buckets else { return };
        let x = usize::from(node.mover ^ u8::from(!win));
        let key = key(node, lives, x);
        let entry = ProvenEntry::new(key, field, (node, lives), x, nodes, used);
        // Several entries have one key: none is the same as another.
        buckets.put(key.low, entry.words(), |_| false);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::random_games::for_each_game_lost_by_empty_hands;
    use super::super::used::tests::{used_plainly, wins_with};
    use super::*;
    use crate::engine::Engine;
    use crate::solver::value::Outcome;

    /// Numbers of positions whose winner another one tells.
    #[derive(Debug, Default)]
    struct Told {
        all: u32,
        /// Where other points are held.
        elsewhere: u32,
        /// Where X's kinds, and Y's, have other names.
        renamed: [u32; 2],
        liberty: u32,
        through: u32,
    }

    /// Tests what each position of random games, under all options, tells of the others.
    fn what_a_position_tells_is_so(seed: u64, least: u32) {
        let (mut positions, mut told, mut at) = (0, Told::default(), seed);
        while positions < least {
            at += 1;
            for_each_game_lost_by_empty_hands(at, 40, |engine, field, all, values| {
                let game = engine.game();
                let mut known: HashMap<(u64, u64), Vec<(ProvenEntry, Node)>> = HashMap::new();
                for &position in all {
                    let node = Node::new(field, game, position);
                    let lives = Lives::new(field, &node);
                    let win = values[position].outcome() == Outcome::Win;
                    let x = usize::from(node.mover ^ u8::from(!win));
                    if node.open {
                        continue;
                    }
                    for winner in 0..2 {
                        let key = key(&node, &lives, winner);
                        for (entry, other) in known.get(&(key.low, key.high)).into_iter().flatten() {
                            let Some(used) = entry.covers(field, &node, &lives, winner) else { continue };
                            let text = || {
                                let place = format!("{}\n{:?}", position.display(game), game.board());
                                format!("seed {at}: {place}\n{}\n{entry:?} of {other:?}", game.rules())
                            };
                            assert_eq!(winner, x, "{}", text());
                            assert_ne!(wins_with(field, &node, x, used, &mut 2_000), Some(false), "{}", text());
                            told.all += 1;
                            told.elsewhere += u32::from(other.held != node.held);
                            let others =
                                [entry.kinds[0] & !lives.pairs[x].kinds, lives.pairs[1 - x].kinds & !entry.kinds[1]];
                            for (renamed, kinds) in told.renamed.iter_mut().zip(others) {
                                *renamed += u32::from(kinds != 0);
                            }
                            told.liberty += u32::from(field.liberty);
                            told.through += u32::from(field.through);
                        }
                    }
                    let used = used_plainly(field, &node, x, &mut 2_000).unwrap_or(Used::ALL);
                    let key = key(&node, &lives, x);
                    let entry = ProvenEntry::new(key, field, (&node, &lives), x, 1, used);
                    known.entry((key.low, key.high)).or_default().push((entry, node));
                    positions += 1;
                }
            });
        }
        let Told { all, elsewhere, renamed: [mine, theirs], liberty, through } = told;
        let least = positions / 20;
        assert!([all, elsewhere, mine, theirs, liberty, through].iter().all(|&n| n > least), "{positions} {told:?}");
    }

    #[test]
    fn what_a_position_tells_of_others_is_so() {
        what_a_position_tells_is_so(51, 20_000);
    }
}
