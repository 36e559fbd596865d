//! The proof itself: a walk over everything that must be shown, which asks a guide for the choices.
//!
//! Whatever the guide says, the walk accepts nothing that does not follow.

use std::collections::BTreeSet;

use super::super::shown_before::{Shown, ShownKey, is_full, salt};
use super::counting::{Prospects, wins_by_counting};
use super::essence::essence;
use super::mirror::{images, mover_loses_by_mirror};
use super::situation::{Pairs, Situation, key_of};
use crate::engine::{Engine, Reference};
use crate::geometry::{Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Position};
use crate::rules::EmptyHand;

/// Source of the choices of a proof: the file, or, for a writer of version 4, a search.
pub(crate) trait Guide {
    /// The reason why there is no choice.
    type Error;

    /// Returns the placement with which the winner, who is to move, wins.
    fn winning(&mut self, situation: &Situation) -> Result<(PodKind, Point), Self::Error>;

    /// Returns the covered points, with the loser to move, who has these legal placements: on each,
    /// one pod with the legs of all replies there is refuted instead of each reply.
    fn covered(&mut self, situation: &Situation, legal: &Pairs) -> Result<PointSet, Self::Error>;

    /// Returns `true` if another walk has shown that the winner wins a situation with this key.
    fn shown_before(&mut self, _: &ShownKey) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// Returns `true` if the win of a situation is proven elsewhere, so that it is an open end of
    /// this walk. `real` is the position itself, if no pod on the board is a cover.
    fn elsewhere(&mut self, _: &Situation, _: Option<&Position>) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// Returns the error for a fault that the walk has found.
    fn fault(&self, cause: String) -> Self::Error;

    /// Returns the error where the situations shown take more than `memory` bytes.
    fn too_large(&self, memory: u64) -> Self::Error {
        self.fault(format!("what is shown takes more than {memory} bytes of memory"))
    }
}

/// Ways in which a walk recognizes a situation that it has shown before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recall {
    /// All of it: certificates of version 2.
    Identity,
    /// The part of a situation that the rest of the game depends on. What a lemma shows at sight is
    /// not recalled.
    Essence,
}

/// A walk, with the situations that it has shown to be won.
pub(crate) struct Walk<'a> {
    game: &'a Game,
    reference: Reference,
    winner: Side,
    /// The image of each point, where the lemma of the mirror holds.
    images: Option<Vec<Point>>,
    recall: Recall,
    /// The first 128 bits of the SHA-256 of `salt` and what is recalled of each situation shown to
    /// be won. Who makes a certificate does not know the salt, and so cannot look for two different
    /// situations that agree; by chance two do with a probability of n² / 2^129.
    shown: Shown,
    /// The most bytes that `shown` may take.
    memory: u64,
    salt: ShownKey,
    buffer: Vec<u8>,
    /// True if what is shown now is not what the walk started with: that is never taken as shown by
    /// another walk.
    begun: bool,
    /// Replies of the loser that were followed, those under one cover counted as one.
    pub(crate) replies: u64,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(game: &'a Game, winner: Side) -> Walk<'a> {
        let reference = Reference::new(game.clone());
        let (images, shown, buffer) = (images(game), Shown::default(), Vec::new());
        let recall = Recall::Identity;
        let (salt, memory, begun) = (salt(), u64::MAX, false);
        Walk { game, reference, winner, images, recall, shown, salt, buffer, begun, memory, replies: 0 }
    }

    /// Recognizes situations by their essence ([`super::essence`]). Walks with the same salt have
    /// the same keys.
    pub(crate) fn by_essence(self, salt: ShownKey) -> Walk<'a> {
        Walk { recall: Recall::Essence, salt, ..self }
    }

    /// Returns the keys of the situations that it has shown to be won.
    pub(crate) fn into_shown(self) -> Shown {
        self.shown
    }

    /// Sets aside at most `memory` bytes for the situations shown.
    pub(crate) fn within(self, memory: u64) -> Walk<'a> {
        Walk { memory, ..self }
    }

    /// Shows that the winner wins a position.
    pub(crate) fn position<G: Guide>(&mut self, position: &Position, guide: &mut G) -> Result<(), G::Error> {
        self.wins(&Situation::new(self.game, position), Some(position), guide)
    }

    /// Shows that the winner wins a situation. `real` is the position itself, if no pod on the
    /// board is a cover: the legal placements must then be those of the reference engine.
    pub(crate) fn wins<G: Guide>(
        &mut self,
        situation: &Situation,
        real: Option<&Position>,
        guide: &mut G,
    ) -> Result<(), G::Error> {
        if let Some(side) = situation.won_by_hand(self.game) {
            return match side == self.winner {
                true => Ok(()),
                false => Err(guide.fault(format!("{side}, who was to lose, has placed the last pod (R16)"))),
            };
        }
        let by_identity = (self.recall == Recall::Identity).then(|| self.identity_key(situation));
        if by_identity.is_some_and(|key| self.shown.contains(&key)) {
            return Ok(());
        }
        let prospects = Prospects::new(self.game, situation);
        let placements = || situation.placements(self.game, prospects.liberties());
        let judged = real.map(|position| (placements(), position));
        if let Some((legal, position)) = &judged {
            self.judge(legal, position, guide)?;
        }
        let at_sight = self.is_at_sight(situation, &prospects);
        let key = match by_identity {
            Some(key) => key,
            None if at_sight => return Ok(()),
            None => self.essence_key(situation, &prospects),
        };
        if by_identity.is_none() && self.shown.contains(&key) {
            return Ok(());
        }
        if !at_sight {
            let legal = judged.map_or_else(placements, |(legal, _)| legal);
            self.step(situation, real, &legal, &key, guide)?;
        }
        if is_full(&self.shown, self.memory) {
            return Err(guide.too_large(self.memory));
        }
        self.shown.insert(key);
        Ok(())
    }

    /// Returns `true` if a lemma shows that the winner wins a situation that is not over.
    fn is_at_sight(&self, situation: &Situation, prospects: &Prospects) -> bool {
        let mirrored = |images: &Vec<Point>| mover_loses_by_mirror(images, situation);
        situation.to_move != self.winner && self.images.as_ref().is_some_and(mirrored)
            || wins_by_counting(self.game, situation, prospects, self.winner)
    }

    /// Shows that the winner wins a situation that no lemma decides, by what the guide chooses.
    /// `legal` are its placements.
    fn step<G: Guide>(
        &mut self,
        situation: &Situation,
        real: Option<&Position>,
        legal: &Pairs,
        key: &ShownKey,
        guide: &mut G,
    ) -> Result<(), G::Error> {
        let winner_moves = situation.to_move == self.winner;
        if !winner_moves && legal.is_empty() {
            return Ok(());
        }
        let begun = std::mem::replace(&mut self.begun, true);
        if begun && guide.shown_before(key)? || guide.elsewhere(situation, real)? {
            return Ok(());
        }
        if !winner_moves {
            let covered = guide.covered(situation, legal)?;
            return self.refute_all(situation, real, legal, covered, guide);
        }
        let (kind, at) = guide.winning(situation)?;
        if !legal.contains(kind, at) {
            let placement = (Action::Place { kind, at }).display(self.game).to_string();
            return Err(guide.fault(format!("{placement} is not legal here")));
        }
        self.follow(situation, real, kind, at, guide)
    }

    /// Compares the legal placements with those of the reference engine.
    fn judge<G: Guide>(&self, legal: &Pairs, position: &Position, guide: &G) -> Result<(), G::Error> {
        let judged: BTreeSet<Action> = self.reference.sorted_actions(position).into_iter().collect();
        let placements: BTreeSet<Action> = legal.iter().map(|(kind, at)| Action::Place { kind, at }).collect();
        if placements == judged {
            return Ok(());
        }
        let text = position.display(self.game).to_string();
        Err(guide.fault(format!("the reference engine and the rules of the walk differ on {text}")))
    }

    /// Shows that every placement of the loser loses.
    fn refute_all<G: Guide>(
        &mut self,
        situation: &Situation,
        real: Option<&Position>,
        legal: &Pairs,
        covered: PointSet,
        guide: &mut G,
    ) -> Result<(), G::Error> {
        let points = legal.points();
        if covered.0 & !points.0 != 0 {
            return Err(guide.fault("a covered point on which nothing can be placed".to_owned()));
        }
        if !covered.is_empty() && self.game.rules().options().empty_hand != EmptyHand::Loses {
            return Err(guide.fault(
                "where an empty hand wins (R16), a larger hand is no advantage: nothing is covered".to_owned(),
            ));
        }
        for at in points {
            if covered.contains(at) {
                let Some(cover) = situation.cover(self.game, legal, at) else {
                    return Err(guide.fault("a covered point with fewer than two replies".to_owned()));
                };
                self.replies += 1;
                self.wins(&cover, None, guide)?;
                continue;
            }
            for kind in legal.kinds_at(at) {
                self.replies += 1;
                self.follow(situation, real, kind, at, guide)?;
            }
        }
        Ok(())
    }

    /// Shows that the winner wins after a placement.
    fn follow<G: Guide>(
        &mut self,
        situation: &Situation,
        real: Option<&Position>,
        kind: PodKind,
        at: Point,
        guide: &mut G,
    ) -> Result<(), G::Error> {
        let action = Action::Place { kind, at };
        // It is legal: the reference engine says so where the position is real, the rules of the
        // walk say so below a cover.
        let real = real.and_then(|position| self.reference.apply(position, action)).map(|transition| transition.next);
        self.wins(&situation.after(self.game, kind, at), real.as_ref(), guide)
    }

    fn identity_key(&mut self, situation: &Situation) -> ShownKey {
        situation.key_after(&self.salt, &mut self.buffer)
    }

    fn essence_key(&mut self, situation: &Situation, prospects: &Prospects) -> ShownKey {
        essence(self.game, situation, prospects, &mut self.buffer);
        key_of(&self.salt, &self.buffer)
    }
}
