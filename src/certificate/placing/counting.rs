//! The lemma of counting: positions that the numbers of placements alone decide.
//!
//! Let X be the winner and Y the loser. X can make at least m placements whatever Y does, and Y at
//! most n. If an empty hand loses, X wins with the move if m > n, and without it if m ≥ n: Y is the
//! first who cannot place (R15). Pods on the board may have any legs.
//!
//! **At most** ([`Prospects`]). Let L be a set of empty points that holds every point on which a
//! pod of either side is ever placed; at first all of them. A pod k of a hand is never placed on p
//! if no leg of k has a connected empty neighbour at p (R13: there are never more empty points than
//! now); or if a leg of k at p reaches an opposing pod, or a leg of an opposing pod on the board
//! reaches p, over empty points outside L only: those stay empty, so the attack lasts (R11, R12).
//! The points that remain are such a set again; the step is repeated until nothing changes.
//! Different placements of Y use different pods and different points, so n is the size of a largest
//! matching between them ([`matching`]).
//!
//! **At least** ([`surely`]). A placement of k on p that is legal now is *safe* if Y is never
//! placed on p, no leg of a pod that Y may ever place, from where it may be, reaches p, and no leg
//! of k at p reaches a point where Y may be placed; where only the pods now on the board stop a
//! long leg. Runs of lines only get shorter, so no placement of Y's makes it illegal under R11 and
//! R12. X makes the safe placements of a matching and no others. Each needs a liberty in its turn
//! (R13): they are put in an order in which each has a neighbour in the direction of a leg that is
//! empty and that neither Y ever comes to nor X has filled by then; those without a place in the
//! order are left out. With the move, X may begin with one placement more, of a pod and on a point
//! that the matching leaves; where R13 is on, on a point that Y might come to, which no other
//! placement relied on.

use super::situation::{Pairs, Situation};
use crate::geometry::{Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::{Game, Hand};
use crate::rules::EmptyHand;

/// Placements still possible in a situation.
#[derive(Clone, Debug)]
pub(crate) struct Prospects {
    /// By side: the placements that it may ever make. All others are legal in no position that play
    /// can lead to.
    pairs: [Pairs; 2],
    /// [`Situation::liberties`].
    liberties: [PointSet; 8],
}

impl Prospects {
    pub(crate) fn new(game: &Game, situation: &Situation) -> Prospects {
        let liberties = situation.liberties(game);
        let mut room = situation.empty();
        loop {
            // Long legs that reach a point outside the room go on to the next one for good.
            let ends = situation.ends(game, room);
            let pairs = Side::BOTH.map(|side| situation.pairs_in(game, side, (room, ends), &liberties));
            let left = pairs[0].points() | pairs[1].points();
            if left == room {
                return Prospects { pairs, liberties };
            }
            room = left;
        }
    }

    /// Returns the placements that a side may ever make.
    pub(crate) fn pairs(&self, side: Side) -> &Pairs {
        &self.pairs[side.index()]
    }

    /// Returns [`Situation::liberties`].
    pub(super) fn liberties(&self) -> &[PointSet; 8] {
        &self.liberties
    }

    /// Returns the points on which pods may ever be placed.
    pub(crate) fn room(&self) -> PointSet {
        self.pairs[0].points() | self.pairs[1].points()
    }
}

/// Returns `true` if numbers of placements alone show that a side wins.
pub(crate) fn wins_by_counting(game: &Game, situation: &Situation, prospects: &Prospects, winner: Side) -> bool {
    if situation.open || game.rules().options().empty_hand != EmptyHand::Loses {
        return false;
    }
    let loser = winner.other();
    let theirs = prospects.pairs(loser);
    let mine = situation.open_pairs(game, winner, &prospects.liberties);
    let has_move = situation.to_move == winner;
    if has_move && mine.is_empty() {
        return false;
    }
    if theirs.is_empty() {
        return true;
    }
    // An upper bound of what `surely` can give, which is cheap and often too low already: the
    // points where the loser never comes, and one more with the move.
    let room = (mine.points() - theirs.points()).len().min(situation.hand(winner).len());
    let wanted = matching(theirs, situation.hand(loser)).len() + usize::from(has_move);
    room + usize::from(has_move) >= wanted && surely(game, situation, winner, &mine, theirs) >= wanted
}

/// Finds a largest matching between the pods of a hand and points, found by augmenting paths.
fn matching(pairs: &Pairs, hand: &Hand) -> Vec<(PodKind, Point)> {
    let mut pods = Vec::new();
    let mut pod_on: [Option<usize>; crate::geometry::MAX_POINTS] = [None; crate::geometry::MAX_POINTS];
    for (kind, count) in hand.iter() {
        for _ in 0..count {
            pods.push(kind);
            // Where one pod of a kind finds no point, another one of it does not either.
            if !augment(pairs, &pods, pods.len() - 1, &mut pod_on, &mut PointSet::EMPTY.clone()) {
                break;
            }
        }
    }
    let matched = |(point, pod): (usize, &Option<usize>)| pod.map(|pod| (pods[pod], Point::new(point)));
    pod_on.iter().enumerate().filter_map(matched).collect()
}

/// Finds a point for a pod, moving others to other points if need be.
fn augment(pairs: &Pairs, pods: &[PodKind], pod: usize, pod_on: &mut [Option<usize>], seen: &mut PointSet) -> bool {
    for point in pairs.at(pods[pod]) {
        if seen.contains(point) {
            continue;
        }
        seen.insert(point);
        let free = match pod_on[point.index()] {
            None => true,
            Some(other) => augment(pairs, pods, other, pod_on, seen),
        };
        if free {
            pod_on[point.index()] = Some(pod);
            return true;
        }
    }
    false
}

/// Returns a lower bound on the placements that a side can make, whatever the other one does.
/// `mine` are its placements that are legal now, `theirs` those that the other one may ever make.
fn surely(game: &Game, situation: &Situation, side: Side, mine: &Pairs, theirs: &Pairs) -> usize {
    let options = game.rules().options();
    let ends = situation.ends(game, PointSet::EMPTY);
    let reach = |kind: PodKind, at: Point, owner: Side| {
        situation.reached(game, at, game.pods().legs(kind).on_board(owner), ends)
    };
    let attacked = theirs.iter().fold(PointSet::EMPTY, |all, (kind, at)| all | reach(kind, at, side.other()));
    let theirs_at = theirs.points();
    let mut safe = Pairs::default();
    for (kind, at) in mine.iter() {
        if !(attacked | theirs_at).contains(at) && (reach(kind, at, side) & theirs_at).is_empty() {
            safe.insert(kind, at);
        }
    }
    let planned = matching(&safe, situation.hand(side));
    let used = |kind: PodKind| planned.iter().filter(|&&(other, _)| other == kind).count();
    let is_extra = |(kind, at): (PodKind, Point)| {
        used(kind) < usize::from(situation.hand(side).count(kind))
            && planned.iter().all(|&(_, point)| point != at)
            && (!options.placement_liberty || theirs_at.contains(at))
    };
    let extra = usize::from(situation.to_move == side && mine.iter().any(is_extra));
    let kept =
        if options.placement_liberty { in_order(game, situation, side, &planned, theirs_at) } else { planned.len() };
    kept + extra
}

/// Returns the number of the planned placements that a side can make one after the other, each with
/// a liberty on a point outside
/// `theirs`. The order is found from its end.
fn in_order(game: &Game, situation: &Situation, side: Side, planned: &[(PodKind, Point)], theirs: PointSet) -> usize {
    let mut free = situation.empty() - theirs;
    for &(_, at) in planned {
        free.remove(at);
    }
    let mut left = planned.to_vec();
    let mut kept = 0;
    while !left.is_empty() {
        let has_liberty = |&(kind, at): &(PodKind, Point)| {
            let legs = game.pods().legs(kind).on_board(side);
            legs.iter().any(|leg| game.board().connected(at, leg.direction).is_some_and(|next| free.contains(next)))
        };
        // A placement that can come last leaves its point empty for those before it. If none can,
        // one is given up.
        let last = left.iter().position(has_liberty);
        let (_, at) = left.swap_remove(last.unwrap_or(0));
        kept += usize::from(last.is_some());
        free.insert(at);
    }
    kept
}
