//! Values known by dominance: a position that the table does not know takes its value from a
//! searched one, by the theorem of [`super::view`].
//!
//! The entries are of 40 bytes, in buckets by the side to move, the winner and B; they share the
//! memory with the table. A view is compared by a hash of 64 bits, beside at least 98 of the rest.
//! Positions that took fewer than [`LEAST`] nodes are not kept. [`Search::save`](super::Search::save)
//! leaves these entries out.

use super::bounds::Lives;
use super::buckets::{Buckets, LOW, PARTS, work_bits};
use super::field::{Field, bits};
use super::key::Key;
use super::node::{Node, Used};
use super::view::{Reach, StandIns, View};
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
        let stand_ins = self.stand_ins(field, node, lives, x)?;
        Some(Used { points: self.points, kinds: self.kinds[0] & lives.pairs[x].kinds | stand_ins[0].kinds })
    }

    /// Returns the kinds of X's in a position with the same key that stand for those that it uses
    /// here, and the kinds of Y's here that stand for those there, without those that stand for
    /// themselves; `None` if the theorem says nothing.
    fn stand_ins(&self, field: &Field, node: &Node, lives: &Lives, x: usize) -> Option<[StandIns; 2]> {
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
        let stand_ins = |side: usize, others: u32, those: u32| {
            if others == 0 {
                return Some(StandIns::NONE);
            }
            // Several pods of a kind are as many in both positions.
            let single = |set: u32| bits(u64::from(set)).all(|kind| node.hands[side][kind] < 2);
            let (legs, reach) = (&field.legs[side], Reach::new(field, node, side, points[1 - side]));
            let stands_for = |one: usize, other: usize| reach.stands_for(&view, side, legs[one], legs[other]);
            single(others | those).then(|| StandIns::new(others, those, stands_for))?
        };
        let theirs = stand_ins(y, theirs & !others, others & !theirs)?;
        Some([stand_ins(x, uses & !mine, mine & !uses)?, theirs])
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

    use super::super::field::KINDS;
    use super::super::ghosts::tests::{plainly, some_of, with_ghosts};
    use super::super::node::{Placement, placements};
    use super::super::random_games::for_each_game_lost_by_empty_hands;
    use super::super::used::tests::{used_plainly, wins_with};
    use super::*;
    use crate::engine::Engine;
    use crate::solver::value::Outcome;

    /// Numbers of positions whose winner another one tells.
    #[derive(Debug, Default)]
    struct Told {
        all: u32,
        /// Those with other points held.
        elsewhere: u32,
        /// Those in which kinds of X's, and of Y's, have other names.
        renamed: [u32; 2],
        /// Those with ghosts.
        ghosts: u32,
        liberty: u32,
        through: u32,
        /// Placements made in both positions at once.
        placements: u32,
    }

    impl Told {
        fn count(
            &mut self,
            field: &Field,
            (node, lives): (&Node, &Lives),
            x: usize,
            entry: &ProvenEntry,
            other: &Node,
        ) {
            self.all += 1;
            self.elsewhere += u32::from(other.held != node.held);
            self.ghosts += u32::from(node.ghosts != 0);
            self.renamed[0] += u32::from(entry.kinds[0] & !lives.pairs[x].kinds != 0);
            self.renamed[1] += u32::from(lives.pairs[1 - x].kinds & !entry.kinds[1] != 0);
            self.liberty += u32::from(field.liberty);
            self.through += u32::from(field.through);
        }
    }

    /// Plays in both positions at once, as the proof does: X after the searched one, Y after the
    /// other one, and tests that the pods that stand for theirs may be placed.
    fn play_both(
        field: &Field,
        (entry, searched): (&ProvenEntry, &Node),
        (node, lives): (&Node, &Lives),
        x: usize,
        draw: &mut impl FnMut() -> u64,
    ) -> Result<u32, Placement> {
        let stand_ins = entry.stand_ins(field, node, lives, x).expect("it tells");
        // The kind that stands for one of a side, here X's and there Y's.
        let one = |side: usize, kind: u8| {
            let StandIns { kinds, other } = stand_ins[usize::from(side != x)];
            let found = bits(u64::from(kinds)).find(|&one| other[one] == kind);
            found.map_or(kind, |one| one as u8)
        };
        let (mut searched, mut node, mut made) = (searched.clone(), node.clone(), 0);
        loop {
            let side = usize::from(node.mover);
            let (first, second) = if side == x { (&searched, &node) } else { (&node, &searched) };
            let mut legal = first.legal(field, side);
            if side == x {
                for kind in 0..KINDS {
                    legal.at[kind] &= if entry.kinds[0] >> kind & 1 == 1 { entry.points } else { 0 };
                }
            }
            let all: Vec<_> = placements(&legal).collect();
            assert_eq!(first.can_pass(), second.can_pass());
            if first.can_pass() && (all.is_empty() || draw().is_multiple_of(4)) {
                (searched, node) = (searched.pass(), node.pass());
                continue;
            }
            if all.is_empty() {
                return Ok(made);
            }
            let placement = all[draw() as usize % all.len()];
            let stands = Placement { kind: one(side, placement.kind), ..placement };
            if second.legal(field, side).at[usize::from(stands.kind)] >> stands.point & 1 == 0 {
                return Err(placement);
            }
            let (there, here) = if side == x { (placement, stands) } else { (stands, placement) };
            (searched, node) = (searched.play(field, there), node.play(field, here));
            made += 1;
        }
    }

    /// Tests what each position of random games, under all options, tells of the others; also with
    /// ghosts on some points.
    fn what_a_position_tells_is_so(seed: u64, least: u32) {
        let (mut positions, mut told, mut at, mut random) = (0, Told::default(), seed, seed);
        let mut draw = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random >> 33
        };
        while positions < least {
            at += 1;
            for_each_game_lost_by_empty_hands(at, 40, |engine, field, all, values| {
                let game = engine.game();
                let mut known: HashMap<(u64, u64), Vec<(ProvenEntry, Node)>> = HashMap::new();
                for &position in all {
                    let node = Node::new(field, game, position);
                    let (lives, legal) = (Lives::new(field, &node), node.legal(field, node.mover as usize));
                    let mut nodes = Vec::new();
                    if legal.any.count_ones() > 1 {
                        let haunted = with_ghosts(field, &node, &lives, some_of(legal.any, &mut draw), 0);
                        nodes.extend(plainly(field, &haunted, &mut 300).map(|win| (haunted, win, true)));
                    }
                    if !node.open {
                        nodes.push((node, values[position].outcome() == Outcome::Win, false));
                    }
                    for (node, win, haunted) in nodes {
                        let (x, lives) = (usize::from(node.mover ^ u8::from(!win)), Lives::new(field, &node));
                        for winner in 0..2 {
                            let key = key(&node, &lives, winner);
                            for (entry, other) in known.get(&(key.low, key.high)).into_iter().flatten() {
                                let Some(used) = entry.covers(field, &node, &lives, winner) else { continue };
                                let text = || {
                                    let place = format!("{}\n{:?}", position.display(game), game.board());
                                    format!("seed {at}: {place}\n{}\n{node:?}\n{entry:?} of {other:?}", game.rules())
                                };
                                assert_eq!(winner, x, "{}", text());
                                assert_ne!(wins_with(field, &node, x, used, &mut 2_000), Some(false), "{}", text());
                                let played = play_both(field, (entry, other), (&node, &lives), x, &mut draw);
                                told.placements += played.unwrap_or_else(|p| panic!("{p:?} {}", text()));
                                told.count(field, (&node, &lives), x, entry, other);
                            }
                        }
                        let used = if haunted { None } else { used_plainly(field, &node, x, &mut 2_000) };
                        let key = key(&node, &lives, x);
                        let entry = ProvenEntry::new(key, field, (&node, &lives), x, 1, used.unwrap_or(Used::ALL));
                        known.entry((key.low, key.high)).or_default().push((entry, node));
                        positions += 1;
                    }
                }
            });
        }
        let Told { all, elsewhere, ghosts, renamed: [mine, theirs], liberty, through, placements } = told;
        let least = positions / 20;
        assert!(
            [all, elsewhere, ghosts, mine, theirs, liberty, through, placements].iter().all(|&n| n > least),
            "{positions} {told:?}"
        );
    }

    #[test]
    fn what_a_position_tells_of_others_is_so() {
        what_a_position_tells_is_so(51, 40_000);
    }

    #[test]
    #[ignore = "takes a minute or more"]
    fn what_a_position_tells_of_others_is_so_in_many_positions() {
        what_a_position_tells_is_so(1_051, 400_000);
    }
}
