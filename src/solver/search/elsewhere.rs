//! Replies elsewhere: what refutes the replies on one point refutes replies on other points that
//! touch nothing it needs.
//!
//! Call the sides X and Y, and let the game be one without moves and captures in which an empty
//! hand loses. Y is to move in P. Let Q be a covering position (`cover.rs`) with a virtual pod of
//! legs V on a point p, or a ghost position (`ghosts.rs`) of a set S; in both Y has its whole hand.
//! Let E be {p} or S. Let X win Q by placements of kinds K on points A only (`used.rs`). The pairs
//! that may live are those of P (`bounds.rs`); a leg *sees* a point if it reaches it where the
//! points held are those of P, going over ghosts of its own side; but it sees no pod behind a
//! ghost.
//!
//! A pair (k, z) of Y's that may live is *apart* if
//!
//! 1. z is neither in A nor in E, and no leg of k at z sees a point of A;
//! 2. no leg of a pair of X's that may live, of a kind in K on a point of A, sees z;
//! 3. there is no direction in which a long leg at z would see a pod of X's or a point of A, and
//!    along which a long leg of a pair of Y's that may live sees z.
//!
//! Under R13 a *fixed* point is one that is empty in P, not in A, and on which no pair of Y's may
//! live; or a ghost of Y's, in P or on a point of S. Let G be the largest set of points outside A
//! and E on which pairs of Y's may live, such that each of these pairs is apart and either one of
//! its legs has a fixed connected neighbour, or no connected neighbour of its legs is both empty in
//! P and outside G. A *good* point is a fixed one or one of G.
//!
//! **Theorem.** X wins after any reply of Y's in P that is apart and, under R13, has a leg with a
//! good connected neighbour, if Q is a ghost position, or if Q is a covering position and
//!
//! 4. each pair of Y's that may live on p sees, in each direction, no point of A that V does not
//!    see;
//! 5. in each direction in which V does not see all points of A that a long leg on p would see, no
//!    long leg of a pod of Y's, or of a pair of Y's that may live, sees p;
//! 6. under R13 each pair of Y's that may live and has a leg to the connected neighbour p has a leg
//!    with a fixed connected neighbour.
//!
//! **Proof.** Let R be what the reply leads to. X places in R as it does in Q, and Y's actions in R
//! have images in Q. At first one pod of Y's, the *float*, stands in R and not in Q; the points of
//! E are held in Q and not in R; and everything else on the board is the same in both. The float is
//! the reply to begin with. It is always apart, and under R13 it has a leg with a good connected
//! neighbour that is empty in Q, or a ghost. The pods that Y has placed in R are those that it has
//! placed in Q and the float, so with its whole hand Y has in Q the pod of each image (R10).
//!
//! All that X places in Q may live in P: replies on the points of E are legal, so these are in L,
//! and what makes a pair dead by the claim of `bounds.rs` stays so in Q.
//!
//! *A placement of Y's in R outside E* is made in Q as well, but for one case: it fills the last
//! such neighbour of the float. Then Y places the float in Q, where that neighbour is still empty,
//! and the new pod is the float. It stands on a point of G, so it is apart. Either it has a fixed
//! neighbour, which nobody fills: X places on A only. Or its liberty in R (R13) is in G, and is
//! empty in Q as well: it is not in E, as ghosts are fixed, and next to p the pair has a fixed
//! neighbour by 6. *The first placement of Y's in R on a point of E* is in Q the placement of the
//! float. From then on the same points are held, or those of S, and the boards are as in the proofs
//! of `alike.rs`, for which 4 is needed, and of `ghosts.rs`, with one point in T.
//!
//! - *The float can be placed in Q.* When it was placed in R, no pod of X's on the board of P
//!   reached it, and it reached none. The points held then are held in Q now: those of P, those of
//!   placements that were made in both, and that of the float before, which was placed in Q at that
//!   time. So the same holds in Q (R11, R12), and by 1 and 2 also for X's later pods. A liberty is
//!   the good neighbour (R13), on which X does not place, since by 1 it is not in A.
//! - *Another placement of Y's in R is legal in Q.* Its point is empty there. Only the float's
//!   point may be empty in Q and held in R. If the pod reached a pod of X's in Q alone, it would be
//!   by a leg over that point, against 3. If a pod of X's reached it in Q alone, it would reach the
//!   float's point too, and the float could not be placed in Q. A liberty in R is one in Q, unless
//!   it is in E: a ghost is one in Q, and next to p there is another one by 6.
//! - *X's placement in Q is legal in R.* Its point is in A, so it is not the float's, and it is not
//!   in E. The pod reaches the float by no leg (2). If it reached another pod of Y's in R alone,
//!   its leg would meet a pod of Y's on a point of E in Q, which R11 forbids there. The float does
//!   not attack the point, over ghosts or not (1). If another pod of Y's did in R alone, it would
//!   be over a point of E. A leg goes on behind a ghost in Q; and if that point is p, then by 5 V
//!   sees the point, as the points held are those of P, and attacks it in Q (R12): over empty
//!   points, or over ghosts of P that it has lit from the beginning. A liberty in Q is one in R, as
//!   no leg leads to the float (2).
//!
//! So in R X has a placement whenever it is to move, and Y is the first to have none (R15). Ghosts
//! and passes of P are the same in Q and R. Under `attack-through` a pod between shortens no leg,
//! and 3 and 5 are not needed. ∎
//!
//! Condition 6 is asked for a reason: where a pair of Y's needs p as its liberty, a reply on p
//! takes that placement from Y, and after a reply elsewhere Y may still make it, and then come to
//! p.

use super::bounds::Lives;
use super::field::{Field, KINDS, LegBits, Unions, bits};
use super::negamax::{Refuted, Worker};
use super::node::{Node, Used, Virtual};
use crate::geometry::by_direction;

impl Worker<'_> {
    /// Removes the pending replies that fall with those that the last search refuted, if that was
    /// one of a position with these virtual pods, and calls `lost` with each.
    pub(super) fn drop_elsewhere(
        &mut self,
        node: &Node,
        lives: &Lives,
        pending: usize,
        stood: Option<Virtual>,
        lost: &mut Refuted<'_>,
    ) {
        let Some(stood) = stood.filter(|_| self.shared.features.elsewhere) else { return };
        if self.pending.len() == pending || self.used == Used::ALL {
            return;
        }
        if let Some(falling) = falling(self.shared.field, node, lives, self.used, stood) {
            self.drop_where(pending, lost, |reply| falling[reply.kind as usize] >> reply.point & 1 == 1);
        }
    }
}

/// Returns by kind the points on which the theorem says that replies fall; `None` if 4, 5 or 6 does
/// not hold, so that none do.
fn falling(field: &Field, node: &Node, lives: &Lives, used: Used, stood: Virtual) -> Option<[u64; KINDS]> {
    let (y, x) = (node.mover as usize, 1 - node.mover as usize);
    let (mine, theirs) = (&lives.pairs[y], &lives.pairs[x]);
    let (legs, needed) = (&field.legs[y], used.points & theirs.any);
    let (held, ghosts) = match stood {
        Virtual::Pod(_, point) => (1 << point, 0),
        Virtual::Ghosts(set) => (set, set),
    };
    let ghosts = if node.has_ghosts(y) { ghosts | node.ghosts } else { ghosts };
    let fixed = node.empty(field) & !(needed | mine.any | held) | ghosts;
    let anchors = field.liberty.then(|| Unions::new(&by_direction(|d| field.lines.step_into(d, fixed))));
    if let Virtual::Pod(virtual_legs, point) = stood {
        if let Some(anchors) = &anchors {
            let into = Unions::new(&by_direction(|d| field.near[d ^ 4][point]));
            let needs = |kind: usize| {
                let all = legs[kind].short | legs[kind].long;
                mine.at[kind] & into.of(all) & !anchors.of(all) != 0
            };
            if bits(u64::from(mine.kinds)).any(needs) {
                return None;
            }
        }
        if reaches_more(field, node, lives, needed, virtual_legs, point) {
            return None;
        }
    }
    let near = by_direction(|d| field.lines.step_into(d, needed));
    let far = field.lines.runs_into(&[needed; 8], node.through(field, y));
    let [short, long] = theirs.by_leg(field, x, used.kinds, needed);
    let seen = field.lines.runs(&long, node.through(field, x));
    let mut out = (0..8).fold(needed | held, |set, d| set | field.lines.step(d, short[d]) | seen[d]);
    if !field.through {
        let [_, long] = mine.by_leg(field, y, u32::MAX, u64::MAX);
        let cut = field.lines.runs(&long, node.through(field, y));
        out |= (0..8).fold(0, |set, d| set | cut[d] & (node.far[x][d] | far[d]));
    }
    let (near, far) = (Unions::new(&near), Unions::new(&far));
    let mut apart = [0; KINDS];
    for kind in bits(u64::from(mine.kinds)) {
        apart[kind] = mine.at[kind] & !(out | near.of(legs[kind].short) | far.of(legs[kind].long));
    }
    if let Some(anchors) = anchors {
        let all = |kind: usize| legs[kind].short | legs[kind].long;
        // A point leaves G for a pair that is not as G asks; then others may have to leave.
        let mut g = mine.any & !(needed | held);
        loop {
            let outside = mine.any & !(g | held);
            let beside = Unions::new(&by_direction(|d| field.lines.step_into(d, outside)));
            let stays = |kind: usize| apart[kind] & (anchors.of(all(kind)) | !beside.of(all(kind)));
            let leaves = bits(u64::from(mine.kinds)).fold(0, |set, kind| set | mine.at[kind] & !stays(kind));
            if g & leaves == 0 {
                break;
            }
            g &= !leaves;
        }
        let good = Unions::new(&by_direction(|d| field.lines.step_into(d, fixed | g)));
        bits(u64::from(mine.kinds)).for_each(|kind| apart[kind] &= good.of(all(kind)));
    }
    Some(apart)
}

/// Returns `true` if, of the points that are `needed`, the mover's pairs on a point, or its legs
/// over it, might reach one that these legs there do not reach.
fn reaches_more(field: &Field, node: &Node, lives: &Lives, needed: u64, legs: LegBits, point: usize) -> bool {
    let side = node.mover as usize;
    let (pairs, stops) = (&lives.pairs[side], field.points & !node.through(field, side));
    (0..8).any(|d| {
        let next = field.near[d][point];
        let sight = field.sight(d, point, stops);
        let left = sight & needed & !legs.reached(d, next, sight);
        if left == 0 {
            return false;
        }
        let behind = field.sight(d ^ 4, point, stops);
        let from_behind = |legs: LegBits, at: u64| !field.through && legs.long >> d & 1 == 1 && at & behind != 0;
        !field.through && node.beams[side][d] >> point & 1 == 1
            || bits(u64::from(pairs.kinds)).any(|kind| {
                let (legs, at) = (field.legs[side][kind], pairs.at[kind]);
                at >> point & 1 == 1 && legs.reached(d, next, sight) & left != 0 || from_behind(legs, at)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::super::SearchFeatures;
    use super::super::cover::covering;
    use super::super::negamax::{CoverLimits, Raced, Shared};
    use super::super::node::{Placement, placements};
    use super::super::random_games::{for_each_search, loses};
    use super::*;
    use crate::engine::Engine;
    use crate::progress::Silent;
    use crate::solver::limits::Limits;
    use crate::solver::tracker::Tracker;

    /// Returns the points that a long leg on a point sees, one after the other.
    fn seen(field: &Field, node: &Node, side: usize, d: usize, from: usize) -> Vec<usize> {
        let mut points = Vec::new();
        let mut next = field.near[d][from];
        while next != 0 {
            let at = next.trailing_zeros() as usize;
            points.push(at);
            let stops = (node.held[0] | node.held[1]) >> at & 1 == 1 && !field.through;
            let is_own_ghost = node.ghosts >> at & 1 == 1 && node.has_ghosts(side);
            next = if stops && !is_own_ghost { 0 } else { field.near[d][at] };
        }
        points
    }

    /// Returns the points that legs on a point see in a direction.
    fn seen_by(field: &Field, node: &Node, side: usize, legs: LegBits, d: usize, from: usize) -> Vec<usize> {
        let mut points = seen(field, node, side, d, from);
        points.truncate(if legs.long >> d & 1 == 1 { usize::MAX } else { usize::from(legs.short >> d & 1 == 1) });
        points
    }

    /// Finds the pairs of [`falling`] one by one, as the theorem has it.
    fn plainly_falling(field: &Field, node: &Node, lives: &Lives, used: Used, stood: Virtual) -> Vec<(usize, usize)> {
        let (y, x) = (node.mover as usize, 1 - node.mover as usize);
        let pairs = |side: usize| -> Vec<(usize, usize)> {
            let of = |kind: usize| bits(lives.pairs[side].at[kind]).map(move |p| (kind, p));
            (0..KINDS).flat_map(of).collect()
        };
        let (mine, theirs) = (pairs(y), pairs(x));
        let held = |p: usize| (node.held[0] | node.held[1]) >> p & 1 == 1;
        let needed = |p: usize| used.points >> p & 1 == 1 && theirs.iter().any(|&(_, q)| q == p);
        let (e, ghosts) = match stood {
            Virtual::Pod(_, p) => (vec![p], 0),
            Virtual::Ghosts(set) => (bits(set).collect(), set),
        };
        let is_ghost = |p: usize| ghosts >> p & 1 == 1 || node.has_ghosts(y) && node.ghosts >> p & 1 == 1;
        let legs = |side: usize, kind: usize| field.legs[side][kind];
        let sees = |side: usize, legs: LegBits, from: usize, to: usize| {
            (0..8).any(|d| seen_by(field, node, side, legs, d, from).contains(&to))
        };
        let apart = |&(k, z): &(usize, usize)| {
            let reaches = (0..64).any(|a| needed(a) && sees(y, legs(y, k), z, a));
            let reached = theirs
                .iter()
                .any(|&(j, a)| used.kinds >> j & 1 == 1 && used.points >> a & 1 == 1 && sees(x, legs(x, j), a, z));
            let cuts = !field.through
                && (0..8).any(|d| {
                    let beyond = seen(field, node, y, d, z);
                    let pod_of_x = node.far[x][d] >> z & 1 == 1;
                    let along = |&&(j, q): &&(usize, usize)| {
                        legs(y, j).long >> d & 1 == 1 && seen(field, node, y, d, q).contains(&z)
                    };
                    (pod_of_x || beyond.iter().any(|&a| needed(a))) && mine.iter().any(|pair| along(&pair))
                });
            !needed(z) && !e.contains(&z) && !reaches && !reached && !cuts
        };
        let fixed =
            |p: usize| is_ghost(p) || !held(p) && !needed(p) && !e.contains(&p) && mine.iter().all(|&(_, q)| q != p);
        let beside = |kind: usize, z: usize, is: &dyn Fn(usize) -> bool| {
            let LegBits { short, long } = legs(y, kind);
            bits(u64::from(short | long)).any(|d| {
                let next = field.near[d][z];
                next != 0 && field.points & next != 0 && is(next.trailing_zeros() as usize)
            })
        };
        let mut g: Vec<usize> =
            (0..64).filter(|&p| !needed(p) && !e.contains(&p) && mine.iter().any(|&(_, q)| q == p)).collect();
        loop {
            let outside = |p: usize| !held(p) && !fixed(p) && !e.contains(&p) && !g.contains(&p);
            let stays = |pair: &(usize, usize)| {
                apart(pair) && (beside(pair.0, pair.1, &fixed) || !beside(pair.0, pair.1, &outside))
            };
            let kept: Vec<_> =
                g.iter().copied().filter(|&p| mine.iter().filter(|&&(_, q)| q == p).all(stays)).collect();
            if kept.len() == g.len() {
                break;
            }
            g = kept;
        }
        let good = |p: usize| fixed(p) || g.contains(&p);
        if let Virtual::Pod(v, p) = stood {
            let blind = |d: usize| {
                let by_v = seen_by(field, node, y, v, d, p);
                seen(field, node, y, d, p).into_iter().filter(move |a| !by_v.contains(a)).filter(|&a| needed(a))
            };
            let more = mine.iter().filter(|&&(_, q)| q == p).any(|&(k, _)| {
                (0..8).any(|d| {
                    let here = seen_by(field, node, y, legs(y, k), d, p);
                    blind(d).any(|a| here.contains(&a))
                })
            });
            let over = !field.through
                && (0..8).filter(|&d| blind(d).next().is_some()).any(|d| {
                    node.beams[y][d] >> p & 1 == 1
                        || mine
                            .iter()
                            .any(|&(k, q)| legs(y, k).long >> d & 1 == 1 && seen(field, node, y, d, q).contains(&p))
                });
            let needs = field.liberty && mine.iter().any(|&(k, z)| beside(k, z, &|q| q == p) && !beside(k, z, &fixed));
            if more || over || needs {
                return Vec::new();
            }
        }
        mine.iter().copied().filter(|pair| apart(pair) && (!field.liberty || beside(pair.0, pair.1, &good))).collect()
    }

    /// Tests replies that fall with others elsewhere, in every position of random games under all
    /// options, against the plain solver and against the theorem pair by pair.
    fn what_falls_elsewhere_loses(seed: u64, least: u32) {
        let (mut positions, mut fallen, mut by_ghosts, mut left_out, mut through) = (0, 0, 0, 0, 0);
        for_each_search(seed, least, |at, search, engine, field, all, values| {
            let game = engine.game();
            let shared = search.shared();
            let mut worker = Worker::new(&shared, Tracker::new(Limits::default(), &Silent));
            let shared = Shared { features: SearchFeatures { elsewhere: false, ..shared.features }, ..search.shared() };
            let mut without = Worker::new(&shared, Tracker::new(Limits::default(), &Silent));
            for &position in all {
                let node = Node::new(field, game, position);
                let lives = Lives::new(field, &node);
                let replies: Vec<_> = placements(&node.legal(field, node.mover as usize)).collect();
                let text = || format!("seed {at}: {}\n{:?}\n{}", position.display(game), game.board(), game.rules());
                let loses = |reply| loses(engine, values, position, reply);
                let mut check = |told: &[Placement], first: usize| {
                    for &reply in told {
                        assert!(loses(reply), "{reply:?} of {told:?} {first} in {}", text());
                    }
                    let more = told.len() - first;
                    fallen += more;
                    through += if field.through { more } else { 0 };
                    // Others may win: so this test can fail.
                    left_out += replies.iter().filter(|&&other| !told.contains(&other) && !loses(other)).count();
                    more
                };
                for &reply in &replies {
                    let legs = field.legs[node.mover as usize][reply.kind as usize];
                    for by_one in [false, true] {
                        worker.pending = replies.iter().map(|&reply| (0, reply)).collect();
                        let mut told = Vec::new();
                        let mut tell = |reply| told.push(reply);
                        let mut lost = Refuted { tell: &mut tell, used: Used::NONE };
                        let pod = if by_one {
                            let covering = covering(field, &node, legs, reply.point as usize);
                            let wins = worker.wins(&covering, 4).unwrap();
                            worker.pending.retain(|&(_, other)| other != reply);
                            wins.then_some(Virtual::Pod(legs, reply.point as usize))
                        } else {
                            let limits = CoverLimits { longest: u64::MAX, turn: u64::MAX };
                            let raced = worker.refutes_all(&node, 0, reply.point, limits, 4, &mut lost).unwrap();
                            if let Raced::Refuted(by) = raced { by } else { None }
                        };
                        let Some(pod) = pod else { continue };
                        let used = worker.used;
                        let first = replies.len() - worker.pending.len() - usize::from(by_one);
                        worker.drop_elsewhere(&node, &lives, 0, Some(pod), &mut lost);
                        check(&told, first);
                        let listed = falling(field, &node, &lives, used, pod).map_or(Vec::new(), |fallen| {
                            (0..KINDS).flat_map(|kind| bits(fallen[kind]).map(move |p| (kind, p))).collect()
                        });
                        let plain = plainly_falling(field, &node, &lives, used, pod);
                        assert_eq!(listed, plain, "{pod:?} {used:?} in {}", text());
                    }
                }
                let [alone, all] = [&mut without, &mut worker].map(|worker| {
                    worker.pending = replies.iter().map(|&reply| (0, reply)).collect();
                    let mut told = Vec::new();
                    let mut lost = Refuted { tell: &mut |reply| told.push(reply), used: Used::NONE };
                    worker.refutes_points(&node, &lives, 0, u64::MAX, 4, &mut lost).unwrap();
                    told
                });
                by_ghosts += check(&all, alone.len());
                positions += 1;
            }
        });
        let expected = least as usize;
        assert!(
            fallen > expected / 40 && (least < 100_000 || by_ghosts > 0) && left_out > 0 && through > 0,
            "{positions} {fallen} {by_ghosts} {left_out} {through}"
        );
    }

    #[test]
    fn what_falls_elsewhere_with_a_reply_loses() {
        what_falls_elsewhere_loses(61, 40_000);
    }

    #[test]
    #[ignore = "takes a minute or more"]
    fn what_falls_elsewhere_loses_in_many_positions() {
        what_falls_elsewhere_loses(1_061, 1_000_000);
    }
}
