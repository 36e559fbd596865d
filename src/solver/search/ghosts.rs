//! Ghosts: one search refutes the replies on several points.
//!
//! Call the sides X and Y, and let the game be one without moves and captures in which an empty
//! hand loses. Let Y be to move in a position P, and S be a set of its empty points. In the
//! *ghost position* Q, X is to move, the opening clause (R9) binds nobody, hands are as in P, Y
//! may pass m − 1 times, where m is the size of a largest matching between the pods in Y's hand and
//! the points of S to which they may ever come, and on each point of S stands a *ghost*: a pod of
//! Y's that has at least all legs of the pods in Y's hand that may ever come to the point, a long
//! one for a long one, and besides
//!
//! 1. is no obstacle to Y: a long leg of Y's that reaches a ghost goes on behind it, and goes on
//!    there even if a later pod stops it before the ghost;
//! 2. is a liberty to Y, and not to X (R13).
//!
//! **Theorem.** If X wins Q, X wins after every placement of Y's in P on a point of S.
//!
//! **Proof.** Let R be what a placement of Y's on a point of S leads to, and follow X's win in Q:
//! X's placements are made in R as well. A placement of Y's in R on a point of S is a pass in Q,
//! any other is the same one in Q. Let T be the points of S that Y holds in R. As long as this goes
//! on, the same points outside S are held by the same sides with the same legs, X never comes to S,
//! the hands of X are the same and that of Y in R is a part of that in Q, and Y has m − |T|
//! passes or more, as T began with one point and grows with each pass. It goes on:
//!
//! - *X's placement in Q is legal in R.* X has the pod (R10), and the point is empty in R, as it is
//!   neither held in Q nor in S. A leg of the placed pod that reaches a pod of Y's in R reaches it
//!   in Q too, or a ghost before it (R11). A point that a pod of Y's attacks in R, one in Q does:
//!   pods outside S have the same legs, those on T stand where ghosts have as many, and where a leg
//!   in R runs over points of S that are empty, the one in Q goes on by 1 (R12). With
//!   attack-through nothing stops a leg in either. A liberty in Q is neither held nor in S, so it
//!   is one in R (R13).
//! - *A placement of Y's in R outside S is legal in Q.* Y has the pod (R10), and the point is empty
//!   in Q too. In Q the pod reaches no more pods of X's than in R, and no more of them reach it,
//!   since the legs of R meet the same pods or fewer: only points of T stop them, in Q all of S
//!   (R11, R12; with attack-through they reach the same). An empty neighbour in R is empty in Q or
//!   a ghost (R13, 2). The opening clause binds neither (R9).
//! - *A placement of Y's in R on a point of S* takes a point that T lacks. Y's placements on S since
//!   P, with this one, match pods of Y's hand in P with points of S to which these may come, so they
//!   are at most m: before this one, m − |T| ≥ 1 and Y has a pass in Q. The ghost there has all legs
//!   of the pod, as P leads to this placement.
//!
//! X wins Q, so X has a placement in Q and in R whenever it is to move, and the game ends when Y
//! has neither placement nor pass in Q, so none in R: X wins R (R15). ∎
//!
//! The proof holds for a P with ghosts of Y itself: its ghosts stay, its passes are added, and
//! a pass in R is one in Q. With |S| = 1 it is the theorem of `cover.rs`, but for 1 and 2. Where an
//! empty hand wins, Y's larger hand is no advantage, and there are no ghosts.
//!
//! # Ghosts in the rest of the search
//!
//! Ghosts are pods on the board in all that the search does, and 1 and 2 and the passes are added.
//! A ghost that a long leg of Y's reaches has one in the same direction from then on, which is 1.
//! Hence an attack always comes from the first point held, and what is between follows from the key
//! as before.
//!
//! - **Bounds** (`bounds.rs`): points of ghosts are liberties that Y never loses; runs of Y's pods
//!   that are still to come go over ghosts; the placements that Y can make, at most and at least,
//!   are more by its passes (`counting.rs`).
//! - **Canonical key** (`canonical.rs`): holds the passes and their side, and in its item 4
//!   also which points of its set A see one another over ghosts, as Y's legs do; a neighbour
//!   with a ghost is a lasting liberty of Y's. Without passes and such points the rest of the
//!   game is that of a position with pods in place of the ghosts, and shares its key.
//! - **Dominance** (`dominance.rs`): only positions with the same passes are compared, and where
//!   ghosts stand next to points that matter or between them, they do so in both.
//! - **The whole key**, without the canonical one, holds ghosts and passes, but not whether a long
//!   leg had come to a ghost before it was stopped; two positions that differ only in this share an
//!   entry. If X wins the one where the leg ends there, the entry says so of the other one too. The
//!   theorem holds for that as well: nothing in its proof needs a leg to go on behind a ghost once
//!   a pod stops it before the ghost, in R too. That Y wins a ghost position refutes nothing.
//!
//! # Use in the search
//!
//! S holds the points where Y can place and X cannot, and where a ghost takes no placement from X
//! that is legal now: placements there change nothing for X but whose turn it is. They are refuted
//! together, once a node is expected to be lost or a first reply has been refuted, with at most
//! twice the nodes of the longest refutation so far. Certificates have no ghosts: their writer asks
//! about each reply, and only its searches use ghosts (`proof.rs`).

use super::Unknown;
use super::bounds::{Lives, most};
use super::field::{Field, LegBits, bits};
use super::negamax::{Refuted, Worker};
use super::node::{Node, Pairs, Virtual};
use super::sharing::SHARED;
use crate::geometry::by_direction;

impl Node {
    /// Returns `true` if the ghosts are a side's.
    #[inline]
    pub(super) fn has_ghosts(&self, side: usize) -> bool {
        self.ghosts & self.held[side] != 0
    }

    /// Returns the points over which long legs of a side's pods to come go.
    #[inline]
    pub(super) fn through(&self, field: &Field, side: usize) -> u64 {
        if field.through {
            field.points
        } else if self.has_ghosts(side) {
            self.empty(field) | self.ghosts
        } else {
            self.empty(field)
        }
    }

    /// Returns sets by direction with the points added whose neighbour there is a ghost.
    #[inline]
    pub(super) fn with_ghosts_next(&self, field: &Field, sets: &[u64; 8]) -> [u64; 8] {
        by_direction(|d| sets[d] | field.lines.step_into(d, self.ghosts))
    }

    /// Returns those of some points that others of them see in a direction over ghosts and `lasting`
    /// points, and not over these alone.
    #[inline]
    pub(super) fn seen_over_ghosts(&self, field: &Field, d: usize, points: u64, lasting: u64) -> u64 {
        let seen = |through| field.lines.run(d, points, through) & points;
        seen(lasting | self.ghosts) & !seen(lasting)
    }

    /// Returns `true` if the mover may pass.
    #[inline]
    pub(super) fn can_pass(&self) -> bool {
        self.passes > 0 && self.has_ghosts(self.mover as usize)
    }

    /// Returns the position after a pass.
    pub(super) fn pass(&self) -> Node {
        let mut next = self.clone();
        next.passes -= 1;
        next.mover ^= 1;
        next
    }

    /// Lets beams of a side that end on a ghost go on behind it.
    #[cold]
    pub(super) fn shine_on(&mut self, field: &Field, side: usize, d: usize, sight: u64, stops: u64) {
        let mut sight = sight;
        loop {
            let ghost = sight & self.ghosts;
            if ghost == 0 {
                return;
            }
            sight = field.sight(d, ghost.trailing_zeros() as usize, stops);
            self.beams[side][d] |= sight;
        }
    }

    /// Adds a ghost of the mover's.
    fn add_ghost(&mut self, field: &Field, legs: LegBits, point: usize) {
        let side = self.mover as usize;
        let lit = if field.through {
            0
        } else {
            (0..8).fold(0_u8, |set, d| set | ((self.beams[side][d] >> point & 1) as u8) << d)
        };
        let legs = legs.with(LegBits { short: 0, long: lit });
        self.stand_as(field, side, legs, point);
        self.ghosts |= 1 << point;
    }
}

impl Worker<'_> {
    /// Tries to refute the pending replies on several points by one search of at most `nodes`
    /// nodes. If that succeeds, removes them and calls `lost` with each.
    pub(super) fn refutes_points(
        &mut self,
        node: &Node,
        lives: &Lives,
        pending: usize,
        nodes: u64,
        depth: usize,
        lost: &mut Refuted<'_>,
    ) -> Result<bool, Unknown> {
        let field = self.shared.field;
        let points = self.pending[pending..].iter().fold(0_u64, |set, (_, p)| set | 1 << p.point);
        let marks = self.shared.marks.filter(|_| depth <= SHARED);
        let taken = |&p: &usize| marks.is_some_and(|marks| marks.is_marked(node, None, p as u8));
        let side = node.mover as usize;
        let (mine, theirs) = (&lives.pairs[side], &lives.open[1 - side]);
        let points = points & !theirs.any;
        if points.count_ones() < 2 {
            return Ok(false);
        }
        let mut next = node.clone();
        for p in bits(points).filter(|p| !taken(p)) {
            let kinds = bits(u64::from(mine.kinds)).filter(|&kind| mine.at[kind] >> p & 1 == 1);
            let legs = kinds.fold(LegBits::default(), |legs, kind| legs.with(field.legs[side][kind]));
            if is_harmless(field, node, theirs, legs, p) {
                next.add_ghost(field, legs, p);
            }
        }
        let set = next.ghosts & !node.ghosts;
        if set.count_ones() < 2 {
            return Ok(false);
        }
        next.passes += most_on(mine, set, node, side) as u8 - 1;
        next.mover ^= 1;
        next.open = false;
        self.expects_loss = false;
        let marked: Vec<_> =
            marks.map_or(Vec::new(), |marks| bits(set).map(|p| marks.mark(node, None, p as u8)).collect());
        let wins = self.wins_within(&next, depth, nodes)?;
        drop(marked);
        if wins != Some(true) {
            return Ok(false);
        }
        for p in bits(set) {
            self.drop_pending(pending, p as u8, lost);
        }
        self.drop_elsewhere(node, lives, pending, Some(Virtual::Ghosts(set)), lost);
        Ok(true)
    }
}

/// Returns the most placements that a side can make on some points; at least 1 where it can make any.
fn most_on(lives: &Pairs, points: u64, node: &Node, side: usize) -> u32 {
    let mut on = Pairs::NONE;
    for kind in bits(u64::from(lives.kinds)) {
        on.set(kind, lives.at[kind] & points);
    }
    most(&on, node, side, u32::MAX)
}

/// Returns `true` if a ghost of the mover's takes none of the open pairs of the other side.
fn is_harmless(field: &Field, node: &Node, theirs: &Pairs, legs: LegBits, point: usize) -> bool {
    let stops = if field.through { 0 } else { node.held[0] | node.held[1] };
    let of = &field.legs[1 - node.mover as usize];
    (0..8).all(|d| {
        let (next, far) = (field.near[d][point], field.sight(d, point, stops));
        let reached = legs.reached(d, next, far);
        // A leg of theirs points back at the ghost.
        let back = |kind: usize| {
            let LegBits { short, long } = of[kind];
            next & u64::from((short | long) >> (d ^ 4) & 1).wrapping_neg()
                | far & u64::from(long >> (d ^ 4) & 1).wrapping_neg()
        };
        reached & theirs.any == 0
            && (far & theirs.any == 0 || bits(u64::from(theirs.kinds)).all(|kind| back(kind) & theirs.at[kind] == 0))
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::answer::action;
    use super::super::random_games::for_each_game_lost_by_empty_hands;
    use super::super::{Search, SearchFeatures};
    use super::*;
    use crate::engine::Engine;
    use crate::progress::Silent;
    use crate::solver::limits::Limits;
    use crate::solver::search::node::placements;
    use crate::solver::value::Outcome;

    /// Returns `true` if the mover of a ghost position wins, by nothing but its placements and
    /// passes; `None` after too many positions.
    pub(in super::super) fn plainly(field: &Field, node: &Node, left: &mut u32) -> Option<bool> {
        *left = left.checked_sub(1)?;
        let pass = node.can_pass().then(|| node.pass());
        let legal = node.legal(field, node.mover as usize);
        for next in pass.into_iter().chain(placements(&legal).map(|p| node.play(field, p))) {
            if !plainly(field, &next, left)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns two or three points of a set.
    pub(in super::super) fn some_of(points: u64, draw: &mut impl FnMut() -> u64) -> u64 {
        let all: Vec<_> = bits(points).collect();
        let wanted = all.len().min(2 + draw() as usize % 2) as u32;
        let mut some = 0_u64;
        while some.count_ones() < wanted {
            some |= 1 << all[draw() as usize % all.len()];
        }
        some
    }

    /// Returns a position with ghosts on some points and `fewer` passes less than the theorem says.
    pub(in super::super) fn with_ghosts(field: &Field, node: &Node, lives: &Lives, points: u64, fewer: u8) -> Node {
        let side = node.mover as usize;
        let mut next = node.clone();
        for p in bits(points) {
            let kinds = bits(u64::from(lives.pairs[side].kinds)).filter(|&k| lives.pairs[side].at[k] >> p & 1 == 1);
            next.add_ghost(field, kinds.fold(LegBits::default(), |legs, k| legs.with(field.legs[side][k])), p);
        }
        next.passes += (most_on(&lives.pairs[side], points, node, side) as u8 - 1).saturating_sub(fewer);
        next.mover ^= 1;
        next.open = false;
        next
    }

    #[test]
    fn what_is_won_against_ghosts_is_won_after_every_reply() {
        const SEED: u64 = 31;
        let mut random = SEED;
        let mut draw = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random >> 33
        };
        let (mut positions, mut refuted, mut nested, mut too_few, mut without_liberty, mut through) =
            (0, 0, 0, 0, 0, 0);
        let mut seed = SEED;
        while positions < 20_000 {
            seed += 1;
            for_each_game_lost_by_empty_hands(seed, 4, |engine, field, all, values| {
                let game = engine.game();
                let plain = SearchFeatures { conflicts: false, ..SearchFeatures::ALL };
                let kinds = [
                    plain,
                    SearchFeatures { canonical: false, ..plain },
                    SearchFeatures { nameless: false, bounds: false, ..plain },
                ];
                // One table for all positions of a game: so keys are tested as well.
                let searches = kinds.map(|features| Search::with_features(game, 1 << 16, features).unwrap());
                for &position in all {
                    let node = Node::new(field, game, position);
                    let side = node.mover as usize;
                    let (legal, lives) = (node.legal(field, side), Lives::new(field, &node));
                    if legal.any.count_ones() < 2 {
                        continue;
                    }
                    let points = some_of(legal.any, &mut draw);
                    let next = with_ghosts(field, &node, &lives, points, 0);
                    let Some(wins) = plainly(field, &next, &mut 300) else { continue };
                    let text =
                        || format!("{} {points:b}\n{:?}\n{}", position.display(game), game.board(), game.rules());
                    positions += 1;
                    for search in &searches {
                        let answer = search.solve_node(&next, Limits::default(), &Silent);
                        assert_eq!(answer.outcome == Ok(Outcome::Win), wins, "{}", text());
                    }
                    let all_lose = |points: u64| {
                        let replies = placements(&legal).filter(|p| points >> p.point & 1 == 1);
                        replies.map(action).all(|reply| {
                            values[&engine.transition(position, reply).unwrap().next].outcome() == Outcome::Win
                        })
                    };
                    assert!(!wins || all_lose(points), "{}", text());
                    refuted += u32::from(wins);
                    without_liberty += u32::from(wins && !field.liberty);
                    through += u32::from(wins && field.through);
                    // With a pass fewer it does not hold: so this test can fail.
                    let fewer = with_ghosts(field, &node, &lives, points, 1);
                    let claimed = plainly(field, &fewer, &mut 300) == Some(true);
                    too_few += u32::from(claimed && !all_lose(points));
                    // Ghosts beside ghosts: what is won then is won after each reply on the new
                    // points.
                    for answer in placements(&next.legal(field, 1 - side)).take(4) {
                        let second = next.play(field, answer);
                        let replies = second.legal(field, side);
                        if replies.any.count_ones() < 2 {
                            continue;
                        }
                        let points = some_of(replies.any, &mut draw);
                        let third = with_ghosts(field, &second, &Lives::new(field, &second), points, 0);
                        if plainly(field, &third, &mut 300) == Some(true) {
                            for reply in placements(&replies).filter(|p| points >> p.point & 1 == 1) {
                                let after = plainly(field, &second.play(field, reply), &mut 30_000);
                                assert_ne!(after, Some(false), "{}", text());
                            }
                            nested += 1;
                        }
                    }
                }
            });
        }
        // Wins against ghosts beside ghosts, which `nested` counts, did not come up in 20,000
        // positions.
        assert!(refuted > 50 && too_few > 10, "{positions} {refuted} {nested} {too_few}");
        assert!(without_liberty > 0 && through > 0, "{without_liberty} {through}");
    }
}
