//! Bounds on what may still happen: where a pod might ever be placed, and where it can be placed
//! whatever the opponent does.
//!
//! Words: a *pair* is a pod in hand with a point. A pair is *open* if the placement is legal now
//! (turn and opening clause R9 apart), and *dead* if it is legal in no position that play can lead
//! to. The games here have no moves and no captures: pods on the board stay where they are, and the
//! empty points and the connected empty neighbours of a point only get fewer.
//!
//! # Pairs that may live ([`Lives`])
//!
//! **Claim.** Let L be a set of empty points that contains every point on which any pod of either
//! side may ever be placed. A pair of side s, kind k, point p is dead if p is held; or if R13 is on
//! and no leg of k at p has a connected empty neighbour; or if a leg of an opposing pod q that now
//! stands on the board (R12), or a leg of k at p (R11), reaches from the one to the other along
//! lines over empty points *outside L* only (over none, if they are neighbours; under
//! `attack-through` over any points). **Proof.** The first two conditions never go away. For the
//! third: the points between stay empty, since no pod is ever placed outside L, q stays, and so the
//! attack stays (R5) for as long as p is empty. ∎
//!
//! Starting with all empty points for L, the points of the pairs that the claim does not kill make
//! a smaller L, which satisfies the condition again.
//!
//! # Safe pairs
//!
//! **Claim.** Let pair (k, p) of side s be open. Think of every pair of the opponent that may live
//! as a pod that stands on its point and stops no long leg. If p is the point of none of them, no
//! leg of them reaches p, and no leg of k at p reaches any of their points — runs being stopped by
//! the pods on the board only — then no action of the opponent ever makes the placement of k on p
//! illegal except by R13; and actions of s itself do so only by using up the pod, holding p, or by
//! R13. **Proof.** Placements add pods, so a run later is part of the run now, up to and including
//! the first occupied point: a leg reaches later only what it reaches over the points that are
//! empty now. So a later opposing pod on p″, which is a pair that may live, is neither attacked
//! from p nor attacks p. The opposing pods now on the board do not attack p and are not attacked
//! from p, and by the same remark never will be. ∎
//!
//! Under R13 a safe pair has a liberty that the opponent never takes: the pair is open, so a leg of
//! it has a connected empty neighbour, which the leg reaches; no pair of the opponent lives there,
//! or the pair would not be safe.
//!
//! # Numbers of placements
//!
//! *At most*: the placements that s can still make use different points and different pods of hand,
//! each as a pair that may live; so their number is at most that of a largest matching between pods
//! and points ([`most`]).
//!
//! *At least*: take a matching of safe pairs, and let X be its points. No opposing pod comes to X.
//! Let F be the empty points on which no opposing pair may live: those stay empty unless s itself
//! fills them. If s places nothing but the pairs of the matching, then in the order in which
//! [`surely`] peels them, *last first*, each has a connected neighbour in the direction of a leg
//! that is in F and is not yet held at its turn: one outside X, or one whose pair comes later. So
//! each placement is legal under R13 as well, and s can make them all, one a turn, whatever the
//! opponent does.

use super::field::{Field, KINDS, LegBits, bits};
use super::node::{Node, Pairs, Placement, Used};
use crate::geometry::by_direction;

/// The pairs of both sides that may live, and those that are open.
#[derive(Clone, Debug)]
pub(super) struct Lives {
    /// By side.
    pub(super) pairs: [Pairs; 2],
    /// By side: the open ones of them; for the side to move without what the opening clause (R9)
    /// forbids.
    pub(super) open: [Pairs; 2],
    /// By side and direction: the points from which a leg in that direction attacks a pod of the
    /// side over nothing but empty points outside L, where L holds every point of the pairs.
    pub(super) faced: [[u64; 8]; 2],
}

impl Lives {
    /// Finds the pairs of both sides in two rounds; a third one would change too little to pay.
    #[inline]
    pub(super) fn new(field: &Field, node: &Node) -> Lives {
        let mut lives = Lives { pairs: node.close(field), open: [Pairs::NONE; 2], faced: node.near };
        lives.narrow(field, node);
        lives.open = lives.pairs;
        for side in 0..2 {
            lives.open[side].keep(node.placeable(field, side));
            node.part(field, side, &mut lives.open[side]);
        }
        lives
    }

    /// Takes away the pairs that are attacked over empty points outside L, in the second round.
    ///
    /// L holds the points of all pairs that the first round leaves: those that no attack over a
    /// single line rules out.
    #[inline]
    fn narrow(&mut self, field: &Field, node: &Node) {
        if field.through {
            // What is attacked at any distance stays attacked.
            (0..2).for_each(|side| node.part(field, side, &mut self.pairs[side]));
            self.faced = node.far;
            return;
        }
        let lasting = node.empty(field) & !(self.pairs[0].any | self.pairs[1].any);
        if lasting == 0 {
            return;
        }
        let beams = [0, 1].map(|side| {
            let near = &node.near[side];
            let faced = field.lines.runs_into(&by_direction(|d| near[d] & lasting), lasting);
            self.faced[side] = by_direction(|d| near[d] | faced[d]);
            // From the first point of each beam on, next to the pod that it comes from.
            let beams = &node.beams[side];
            let lit = field.lines.runs(&by_direction(|d| beams[d] & near[d ^ 4] & lasting), lasting);
            lit.into_iter().fold(0, |all, lit| all | lit)
        });
        for side in 0..2 {
            self.pairs[side].narrow(field, side, beams[1 - side], &self.faced[1 - side]);
        }
    }

    /// Returns the pairs of a side that are open and safe; none, if it shows early that they lie on
    /// fewer than `least` points.
    pub(super) fn safe(&self, field: &Field, node: &Node, side: usize, least: u32) -> Pairs {
        let (open, theirs) = (&self.open[side], &self.pairs[1 - side]);
        let mut safe = Pairs::NONE;
        let candidates = open.any & !theirs.any;
        if candidates == 0 {
            return safe;
        }
        let [short, long] = theirs.by_leg(field, 1 - side, u32::MAX, u64::MAX);
        let through = if field.through { field.points } else { node.empty(field) };
        let far = field.lines.runs(&long, node.through(field, 1 - side));
        let attacked = (0..8).fold(0, |set, d| set | field.lines.step(d, short[d]) | far[d]);
        let candidates = candidates & !attacked;
        if candidates == 0 || candidates.count_ones() < least {
            return safe;
        }
        let near = by_direction(|d| field.lines.step_into(d, theirs.any));
        let far = field.lines.runs_into(&[theirs.any; 8], through);
        for kind in bits(u64::from(open.kinds)) {
            let at = open.at[kind] & candidates;
            if at == 0 {
                continue;
            }
            let LegBits { short, long } = field.legs[side][kind];
            let attacks = bits(u64::from(short)).fold(0, |set, d| set | near[d]);
            let attacks = bits(u64::from(long)).fold(attacks, |set, d| set | far[d]);
            safe.set(kind, at & !attacks);
        }
        safe
    }
}

/// A matching between the pods of a hand and points: the points, and the kind on each. It is a
/// largest one, unless it was to end at fewer pods.
struct Matching {
    points: u64,
    kind: [u8; 64],
    size: u32,
}

impl Matching {
    fn new(pairs: &Pairs, hand: &[u8; KINDS], kinds: u32, enough: u32) -> Matching {
        let mut matching = Matching { points: 0, kind: [0; 64], size: 0 };
        for kind in bits(u64::from(kinds & pairs.kinds)) {
            for _ in 0..hand[kind] {
                if matching.size >= enough {
                    return matching;
                }
                if !matching.take_free(pairs, kind) && !matching.augment(pairs, kind, &mut 0) {
                    break;
                }
                matching.size += 1;
            }
        }
        matching
    }

    /// Matches one more pod of a kind with a point that has none.
    #[inline]
    fn take_free(&mut self, pairs: &Pairs, kind: usize) -> bool {
        let free = pairs.at[kind] & !self.points;
        if free != 0 {
            let point = free.trailing_zeros();
            self.points |= 1 << point;
            self.kind[point as usize] = kind as u8;
        }
        free != 0
    }

    /// Matches one more pod of a kind that has no free point, moving others to other points (Kuhn's
    /// algorithm).
    fn augment(&mut self, pairs: &Pairs, kind: usize, seen: &mut u64) -> bool {
        loop {
            let next = pairs.at[kind] & !*seen;
            if next == 0 {
                return false;
            }
            let point = next.trailing_zeros() as usize;
            *seen |= 1 << point;
            let other = self.kind[point] as usize;
            if self.take_free(pairs, other) || self.augment(pairs, other, seen) {
                self.kind[point] = kind as u8;
                return true;
            }
        }
    }
}

/// Returns the most placements that a side can still make; exact counting stops at `enough`.
pub(super) fn most(lives: &Pairs, node: &Node, side: usize, enough: u32) -> u32 {
    Matching::new(lives, &node.hands[side], node.kinds[side], enough).size
}

/// Placements that a side can make whatever the opponent does.
pub(super) struct Surely {
    matching: Matching,
    /// Those points of the matching that have a liberty each.
    points: u64,
    /// A placement before those of the matching.
    extra: Option<Placement>,
}

impl Surely {
    pub(super) fn count(&self) -> u32 {
        self.points.count_ones() + u32::from(self.extra.is_some())
    }

    /// Returns the points and kinds of `most` of these placements, or of all.
    pub(super) fn used(&self, most: u32) -> Used {
        let mut used = Used::NONE;
        for point in bits(self.points).take(most as usize) {
            used.add(Placement { kind: self.matching.kind[point], point: point as u8 });
        }
        if let Some(extra) = self.extra.filter(|_| most > self.points.count_ones()) {
            used.add(extra);
        }
        used
    }
}

/// Returns placements that a side can make whatever the opponent does; none if fewer than `least`
/// safe pairs match.
///
/// If the side is to move, `now` holds its open pairs. It may then first make one more placement,
/// of a pod and on a point that the matching does not use, safe or not. That point is then no
/// liberty for the others.
pub(super) fn surely(
    field: &Field,
    safe: &Pairs,
    now: Option<&Pairs>,
    theirs: &Pairs,
    node: &Node,
    side: usize,
    least: u32,
) -> Surely {
    let matching = Matching::new(safe, &node.hands[side], safe.kinds, u32::MAX);
    if matching.size < least {
        return Surely { matching, points: 0, extra: None };
    }
    let lasting = node.empty(field) & !theirs.any;
    let mut used = [0_u8; KINDS];
    for point in bits(matching.points) {
        used[matching.kind[point] as usize] += 1;
    }
    // A point where the opponent may come is no liberty to rely on: taking it costs nothing.
    let extra = now.and_then(|now| {
        let spare = |&kind: &usize| used[kind] < node.hands[side][kind];
        let costless = if field.liberty { theirs.any } else { u64::MAX };
        bits(u64::from(node.kinds[side])).filter(spare).find_map(|kind| {
            let at = now.at[kind] & !matching.points & costless;
            (at != 0).then_some(Placement { kind: kind as u8, point: at.trailing_zeros() as u8 })
        })
    });
    let points = if field.liberty { peeled(field, &matching, lasting, side) } else { matching.points };
    Surely { matching, points, extra }
}

/// Returns the points of pairs of a matching that can be placed one after the other with a liberty
/// each, if its points and `lasting` are filled by nothing else.
fn peeled(field: &Field, matching: &Matching, lasting: u64, side: usize) -> u64 {
    let (mut left, mut kept) = (matching.points, 0);
    while left != 0 {
        let frees = lasting & !left;
        let last = bits(left).find(|&p| {
            let legs = field.legs[side][matching.kind[p] as usize];
            bits(u64::from(legs.short | legs.long)).any(|d| field.near[d][p] & frees != 0)
        });
        match last {
            Some(point) => {
                left &= !(1 << point);
                kept |= 1 << point;
            }
            // None of them can be last: one is given up, and its point stays empty for good.
            None => left &= left - 1,
        }
    }
    kept
}
