//! Values known by dominance: a position that the table does not know may be covered by one that
//! was searched.
//!
//! Call the sides X and Y, and let the game be one without moves and captures in which an empty
//! hand loses. Let P and Q be positions with the same points held by the same sides and the same
//! side to move, in neither of which the opening clause (R9) binds. *After* a position means there
//! and in all that placements lead to from it. Let X win Q, and have winning play there that places
//! only pods of some kinds, on points of a set A only ([`super::used`]). Let B be a set of points
//! that holds every point on which Y may ever place a pod after P (the points of the pairs that may
//! live, [`super::bounds`]). Let
//!
//! 1. X have in P as many pods of each of those kinds as in Q, and Y in Q as many of each kind that
//!    it may ever place after P as in P;
//! 2. no leg of Y's pods in P point to a connected neighbour in A; and every point of A that a long
//!    leg of Y's reaches in some direction in P be reached in the same direction by a long leg of
//!    Y's in Q;
//! 3. no leg of X's pods in Q point to a connected neighbour in B; and every point of B that a long
//!    leg of X's reaches in some direction in Q be reached in the same direction by a long leg of
//!    X's in P.
//!
//! **Theorem.** X wins P.
//!
//! **Proof.** Continue both by the same placements: X's are those of its play after Q, and Y's are
//! legal after P.
//! The same points are held by the same sides, so runs stop at the same points (R5), the same
//! points are liberties (R7), and a pod placed on a point attacks the same points, with the same
//! opposing pods on them (R11).
//!
//! - *If Y attacks an empty point p of A after P, then also after Q.* Pods placed since P and Q are
//!   the same in both and reach the same points. A pod that stood in P reaches p by a leg to a
//!   neighbour, which 2 excludes, or by a long leg over points that are empty now and so were empty
//!   in P; it reached p in P, and by 2 a long leg of Y's in Q reaches p in that direction. It still
//!   does: its pod is the first one that is seen from p the other way, in P and in Q alike, as the
//!   same points are held, and between them nothing was placed. (Under `attack-through` a long leg
//!   reaches p whatever stands between.)
//! - *If X attacks an empty point of B after Q, then also after P*: likewise by 3.
//!
//! So a placement of X's play after Q is legal after P: X has the pod (1, R10), it stands in A,
//! where no pod of Y's attacks it by the first remark (R12), it attacks no pod of Y's (R11), and it
//! has the same liberties (R13). A placement of Y's that is legal after P is legal after Q: Y has
//! the pod, it stands in B, where the second remark holds, and the rest is the same. In its winning
//! play after Q, X has a placement whenever it is to move; so it has one after P, and Y is the
//! first to have none (R15). ∎
//!
//! Covering positions (`cover.rs`) keep the whole hand, so many positions differ from others in
//! hands and legs only, and dominance is common. The condition on long legs is tested in a simpler,
//! stricter form, which seldom finds less: either they reach nothing there, or exactly the same
//! points in all directions.
//!
//! The entries are of 64 bytes, in buckets by the points held and the side to move; they share the
//! memory with the table. Positions that took fewer than [`LEAST`] nodes are not kept.
//! [`Search::save`](super::Search::save) leaves these entries out.

use super::bounds::Lives;
use super::buckets::{Buckets, LOW, PARTS, work_bits};
use super::field::bits;
use super::key::Key;
use super::node::{Node, Used};
use crate::progress::Fill;

/// The fewest nodes of a search whose result is kept: below, searching again costs as much.
pub(super) const LEAST: u64 = 4;

const BUCKET: usize = 16;

/// The bytes with which a part begins, if it may have as many.
const BEGIN: u64 = 1 << 12;

/// A searched position; X is the side that wins it.
#[derive(Clone, Copy, Debug)]
struct ProvenEntry {
    /// The high word of its key: only positions with the same key are compared.
    high: u64,
    /// 1, whether the mover wins, the work, and the low bits of the key, as in [`super::buckets`].
    stored: u64,
    /// By side: the kinds that X uses, and Y's kinds in hand.
    kinds: [u32; 2],
    /// Points that X uses.
    room: u64,
    /// The neighbours that X's legs point to.
    touched: u64,
    /// Points that X's long legs reach.
    reached: u64,
    /// A hash of the points of `room` that Y's long legs reach, by direction.
    theirs: u64,
    /// A hash of the empty points outside `touched` that X's long legs reach, by direction.
    own: u64,
}

/// An entry in memory; an empty slot has 0 in the second word.
type Words = [u64; 8];

/// Below this memory nothing is kept, and below the second one it is not divided.
const SMALLEST: u64 = 1 << 15;
const DIVIDED: u64 = 1 << 21;

/// Returns a hash of eight sets, one for each direction, each restricted to `of`.
fn digest(sets: &[u64; 8], of: u64) -> u64 {
    let mut key = Key::START;
    for (d, set) in sets.iter().enumerate() {
        key.mix_some(1 + d as u64, set & of);
    }
    key.low
}

/// Returns the key in which compared positions must agree: the mover, the points held, and the
/// counts of kinds in hand above 1.
fn key(node: &Node) -> Key {
    let mut key = Key::START;
    key.mix(1, 1 + u64::from(node.mover));
    key.mix_some(4, node.ghosts);
    key.mix_some(5, u64::from(node.passes));
    for side in 0..2 {
        key.mix(2 + side as u64, node.held[side]);
        if u32::from(node.in_hand[side]) > node.kinds[side].count_ones() {
            for kind in bits(u64::from(node.kinds[side])).filter(|&kind| node.hands[side][kind] > 1) {
                key.mix(1 << 8 | (side << 16 | kind << 17) as u64, u64::from(node.hands[side][kind]));
            }
        }
    }
    key
}

impl ProvenEntry {
    fn new(key: Key, node: &Node, lives: &Lives, win: bool, nodes: u64, used: Used) -> ProvenEntry {
        let x = if win { node.mover as usize } else { 1 - node.mover as usize };
        let room = lives.pairs[x].any & used.points;
        let mut kinds = node.kinds;
        kinds[x] &= used.kinds;
        ProvenEntry {
            high: key.high,
            stored: 1 | u64::from(win) << 1 | work_bits(nodes) | key.low << LOW,
            kinds,
            room,
            touched: node.touched[x],
            reached: node.beams[x].iter().fold(0, |all, set| all | set),
            theirs: digest(&node.beams[1 - x], room),
            own: digest(&node.beams[x], !(node.held[0] | node.held[1] | node.touched[x])),
        }
    }

    fn read(words: &Words) -> ProvenEntry {
        let [high, stored, kinds, room, touched, reached, theirs, own] = *words;
        ProvenEntry { high, stored, kinds: [kinds as u32, (kinds >> 32) as u32], room, touched, reached, theirs, own }
    }

    fn words(&self) -> Words {
        let kinds = u64::from(self.kinds[0]) | u64::from(self.kinds[1]) << 32;
        [self.high, self.stored, kinds, self.room, self.touched, self.reached, self.theirs, self.own]
    }

    fn win(&self) -> bool {
        self.stored & 2 != 0
    }

    /// Returns what X uses.
    fn used(&self, node: &Node) -> Used {
        let x = if self.win() { node.mover as usize } else { 1 - node.mover as usize };
        Used { points: self.room, kinds: self.kinds[x] }
    }

    /// Returns `true` if the theorem says of a position with the same key that X wins it too.
    fn covers(&self, node: &Node, lives: &Lives) -> bool {
        let mover = node.mover as usize;
        let (x, y) = if self.win() { (mover, 1 - mover) } else { (1 - mover, mover) };
        let room = lives.pairs[y].any;
        self.kinds[x] & !node.kinds[x] == 0
            && lives.pairs[y].kinds & !self.kinds[y] == 0
            && node.touched[y] & self.room == 0
            && self.touched & room == 0
            && (self.reached & room == 0
                || digest(&node.beams[x], !(node.held[0] | node.held[1] | self.touched)) == self.own)
            && (node.beams[y].iter().all(|set| set & self.room == 0)
                || digest(&node.beams[y], self.room) == self.theirs)
    }
}

/// The table of searched positions, by the points held.
pub(super) struct Dominance {
    /// `None` with too little memory to keep anything.
    buckets: Option<Buckets<8, BUCKET>>,
}

impl Dominance {
    /// Creates a table of at most `memory` bytes; with too few it keeps nothing.
    pub(super) fn new(memory: u64) -> Dominance {
        // While a part grows, it has its old bytes beside the new ones.
        let (parts, shares) = if memory < DIVIDED { (1, 2) } else { (PARTS, PARTS + 1) };
        let buckets = |bytes: u64| bytes / Buckets::<8, BUCKET>::BYTES;
        let made = || Buckets::new(parts, buckets(BEGIN), buckets(memory / shares));
        Dominance { buckets: (memory >= SMALLEST).then(made) }
    }

    /// Returns the fill of the table; `None` if it keeps nothing.
    pub(super) fn fill(&self) -> Option<Fill> {
        self.buckets.as_ref().map(Buckets::fill)
    }

    /// Returns `true` if the mover wins, and what the winner uses; `None` if no searched position
    /// tells.
    pub(super) fn get(&self, node: &Node, lives: &Lives) -> Option<(bool, Used)> {
        let buckets = self.buckets.as_ref().filter(|_| !node.open)?;
        let key = key(node);
        let (part, place) = buckets.part(key.low);
        // What is stored is never 0.
        let same = |words: &&Words| words[0] == key.high && words[1] >> LOW << LOW == key.low << LOW && words[1] != 0;
        let mut known = part.bucket(place).iter().filter(same).map(ProvenEntry::read);
        known.find(|entry| entry.covers(node, lives)).map(|entry| (entry.win(), entry.used(node)))
    }

    /// Stores who wins a position, as [`Buckets::put`] does.
    pub(super) fn put(&self, node: &Node, lives: &Lives, win: bool, nodes: u64, used: Used) {
        if nodes < LEAST || node.open {
            return;
        }
        if let Some(buckets) = &self.buckets {
            let key = key(node);
            // Several entries have one key: none is the same as another.
            buckets.put(key.low, ProvenEntry::new(key, node, lives, win, nodes, used).words(), |_| false);
        }
    }
}
