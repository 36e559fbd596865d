//! Essence of a situation: two situations with equal essences are won by the same side.
//!
//! Words: a *pair* is a pod in hand with a point; it *lives* unless [`super::counting`] shows that
//! the placement is legal in no position that play can lead to. The *room* is the points of all
//! pairs that live: no pod is ever placed elsewhere. An empty point outside the room stays empty
//! for good.
//!
//! The essence of a situation in which the opening clause does not bind is:
//!
//! 1. who is to move, and, where an empty hand wins (R16), how many pods each side holds;
//! 2. by direction, unless legs attack through: the points of the room from which the next point of
//!    the straight run of lines that is held or in the room, over empty points outside it, is in
//!    the room;
//! 3. for each side and direction: the points of its pairs that live which a long leg of an
//!    opposing pod attacks from there;
//! 4. for each side: what each pod in hand with a pair that lives has (below), as a list without
//!    names or order.
//!
//! Let A be the points at which a pod has pairs that live, and T those of the other side. The pod
//! has A, and for each direction of its legs
//!
//! - *near*: the points of A whose connected neighbour there is in T;
//! - *far*, for a long leg: those from which its run, over points that are empty now, comes to a
//!   point of T beyond the next one (if legs attack through, over any points);
//! - *strikes*, for a long leg: those from which it reaches an opposing pod now;
//! - where a placement needs a liberty (R13): the points of A at which some leg has an empty
//!   neighbour outside the room; and, by direction, the other points of A whose neighbour there is
//!   in the room.
//!
//! **Theorem.** If two situations have the same essence, the same side wins both.
//!
//! *Proof.* Match the pods in hand that have the same, and let a placement in one situation stand
//! for that of the matching pod on the same point in the other. It is shown that a sequence of
//! placements is legal in one if it is in the other. Take a sequence that is legal in both, and a
//! pod k of the side to move with a point p. If the pair does not live, it is not legal, in both,
//! as A is the same. Else:
//!
//! - *The pod is in hand and p is empty* (R10) unless the sequence has placed the one or come to
//!   the other.
//! - *Opposing pods that the sequence has placed* (R11, R12). Such a pod stands on a point t of T,
//!   with a pair that lived. Whether a leg of k at p reaches t: if t is the next point, if the leg
//!   has p among *near*. If t is beyond, if it has p among *far*, and all points between are empty;
//!   those outside the room must be empty now, and those inside not be in the sequence, which item
//!   2 tells, going from p to t from one point of the room to the next. Runs only get shorter, so a
//!   leg that has p neither near nor far reaches no such pod ever. The same with sides changed for
//!   the legs of the other pod at t, whose A has t and whose T has p.
//! - *Opposing pods that stand there now.* An attack between them and k at p over empty points
//!   outside the room only would be there for good, and the pair would not live. So the run goes
//!   over a point of the room, and the leg is a long one. Items 3 and *strikes* say between what
//!   and in which direction such attacks are now; each lasts until the sequence comes to a point of
//!   the run. Those of its points that it can come to are the points of the room that item 2 leads
//!   to from p in that direction.
//! - *A liberty* (R13): a leg has an empty neighbour outside the room for good, or one in the room
//!   to which the sequence has not come.
//!
//! So the legal sequences are the same, and with the hands (item 1) the end of the game and the
//! winner (R15, R16). Where legs attack through, the points between do not matter, and no pair
//! lives that a pod on the board attacks or that attacks one. ∎

use super::counting::Prospects;
use super::situation::Situation;
use crate::geometry::{Direction, Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::Game;
use crate::rules::EmptyHand;

/// Room for what the pods of a hand have, in bytes: enough for most.
const TEXT: usize = 1 << 11;

/// Writes the essence of a situation into `into`, which is cleared first; of one in which the
/// opening clause binds, all of it. The two kinds of text never agree.
pub(super) fn essence(game: &Game, situation: &Situation, prospects: &Prospects, into: &mut Vec<u8>) {
    if situation.open {
        return situation.identity(into);
    }
    into.clear();
    // No identity begins so.
    into.push(4 | u8::from(situation.to_move == Side::White));
    if game.rules().options().empty_hand == EmptyHand::Wins {
        // A byte tells all hands of a proof apart: on the way from its root at most 64 pods leave
        // one, a point each.
        into.extend(Side::BOTH.map(|side| situation.hand(side).len() as u8));
    }
    let through = game.rules().options().attack_through;
    let ends = situation.ends(game, PointSet::EMPTY);
    let room = prospects.room();
    let stops = situation.ends(game, room);
    let board = game.board();
    for direction in Direction::ALL.into_iter().take(4).filter(|_| !through) {
        let leads_on = |&point: &Point| !(board.run(point, direction, stops) & room).is_empty();
        put(into, 1 + direction.index() as u8, room.into_iter().filter(leads_on).collect());
    }
    for side in Side::BOTH {
        let (mine, theirs) = (prospects.pairs(side), prospects.pairs(side.other()).points());
        let struck = situation.struck(game, side, ends);
        for (d, points) in struck.into_iter().enumerate() {
            put(into, 16 + d as u8, points & mine.points());
        }
        into.push(0);
        let meets = Meets::new(game, situation, side, (theirs, ends), prospects);
        // One text of all pods, which is sorted by pods.
        let (mut text, mut pods) = (Vec::with_capacity(TEXT), Vec::with_capacity(PodKind::MAX));
        for (kind, count) in situation.hand(side).iter().filter(|&(kind, _)| !mine.at(kind).is_empty()) {
            let from = text.len();
            text.push(count);
            meets.describe(game, side, kind, mine.at(kind), &mut text);
            pods.push(from..text.len());
        }
        pods.sort_unstable_by(|a, b| text[a.clone()].cmp(&text[b.clone()]));
        into.push(pods.len() as u8);
        pods.into_iter().for_each(|pod| into.extend_from_slice(&text[pod]));
    }
}

/// Writes a set that is not empty, behind a tag.
fn put(into: &mut Vec<u8>, tag: u8, set: PointSet) {
    if !set.is_empty() {
        into.push(tag);
        into.extend_from_slice(&set.0.to_le_bytes());
    }
}

/// Points from which a leg would meet something, by direction.
struct Meets {
    near: [PointSet; 8],
    far: [PointSet; 8],
    strikes: [PointSet; 8],
    /// Directions of neighbours, where R13 is on: of an empty point outside the room, and of one in
    /// it.
    lasting: [PointSet; 8],
    passing: [PointSet; 8],
}

impl Meets {
    fn new(
        game: &Game,
        situation: &Situation,
        side: Side,
        (theirs, ends): (PointSet, PointSet),
        prospects: &Prospects,
    ) -> Meets {
        let board = game.board();
        let mut far = [PointSet::EMPTY; 8];
        for point in theirs {
            for back in board.lines(point).iter() {
                // All points that see this one, but for the next one.
                let next = board.connected(point, back).map_or(PointSet::EMPTY, PointSet::from);
                let seen = &mut far[back.opposite().index()];
                *seen = *seen | (board.run(point, back, ends) - next);
            }
        }
        let liberties = game.rules().options().placement_liberty;
        let of = |set: PointSet| if liberties { board.next_to(set) } else { [PointSet::EMPTY; 8] };
        Meets {
            near: board.next_to(theirs),
            far,
            strikes: situation.strikes(game, side, ends),
            lasting: of(situation.empty() - prospects.room()),
            passing: of(prospects.room()),
        }
    }

    /// Writes what a pod of a kind with these points has.
    fn describe(&self, game: &Game, side: Side, kind: PodKind, at: PointSet, into: &mut Vec<u8>) {
        let legs = game.pods().legs(kind).on_board(side);
        let mut put = |tag: u8, set: PointSet| put(into, tag, set);
        put(1, at);
        let all = legs.short() | legs.long();
        let lasting = all.iter().fold(PointSet::EMPTY, |set, direction| set | self.lasting[direction.index()]) & at;
        put(2, lasting);
        for direction in all.iter() {
            let d = direction.index();
            put(8 + d as u8, self.near[d] & at);
            put(16 + d as u8, self.passing[d] & (at - lasting));
            if legs.long().contains(direction) {
                put(24 + d as u8, self.far[d] & at);
                put(32 + d as u8, self.strikes[d] & at);
            }
        }
        into.push(0);
    }
}
