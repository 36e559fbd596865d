//! The proof itself: a walk over everything that must be shown, which asks a guide for the choices.
//!
//! The maker of a certificate and its checker take the same walk. The maker's guide asks a search and writes down the
//! answers; the checker's guide reads them. Whatever a guide says, the walk accepts nothing that does not follow.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, RandomState};

use super::counting::wins_by_counting;
use super::mirror::{images, mover_loses_by_mirror};
use super::situation::{Pairs, Situation};
use crate::engine::{Engine, Reference};
use crate::geometry::{Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Position};
use crate::rules::EmptyHand;

/// Makes the choices of a proof.
pub(crate) trait Guide {
    /// Why there is no choice.
    type Error;

    /// The placement with which the winner, who is to move, wins.
    fn winning(&mut self, situation: &Situation) -> Result<(PodKind, Point), Self::Error>;

    /// The covered points, with the loser to move: on each, one pod with the legs of all replies there is refuted
    /// instead of each reply.
    fn covered(&mut self, situation: &Situation) -> Result<PointSet, Self::Error>;

    /// The error for a fault that the walk has found.
    fn fault(&self, cause: String) -> Self::Error;

    /// The error where the situations shown take more than `memory` bytes.
    fn too_large(&self, memory: u64) -> Self::Error {
        self.fault(format!("what is shown takes more than {memory} bytes of memory"))
    }
}

/// What a situation shown takes: a slot of a hash table with its control byte, seven eighths of which are used at most.
const SLOT: u64 = 20;

/// The lemmas that show who wins a position without a further step.
pub(crate) struct Sight<'a> {
    game: &'a Game,
    /// The image of each point, where the lemma of the mirror holds.
    images: Option<Vec<Point>>,
}

impl<'a> Sight<'a> {
    pub(crate) fn new(game: &'a Game) -> Sight<'a> {
        Sight { game, images: images(game) }
    }

    /// Whether a lemma shows that a side wins a position that is not over.
    pub(crate) fn shows(&self, situation: &Situation, winner: Side) -> bool {
        let mirrored = |images: &Vec<Point>| mover_loses_by_mirror(images, situation);
        situation.to_move != winner && self.images.as_ref().is_some_and(mirrored)
            || wins_by_counting(self.game, situation, winner)
    }
}

/// A walk, with the situations that it has shown to be won.
pub(crate) struct Walk<'a> {
    game: &'a Game,
    reference: Reference,
    winner: Side,
    sight: Sight<'a>,
    /// The first 128 bits of the SHA-256 of `salt` and each situation shown to be won. Who makes a certificate does not know the
    /// salt, and so cannot look for two different situations that agree; by chance two do with a probability of n² / 2^129.
    shown: HashSet<[u8; 16]>,
    /// The most bytes that `shown` may take.
    memory: u64,
    salt: [u8; 16],
    buffer: Vec<u8>,
    /// Replies of the loser that were followed, those under one cover counted as one.
    pub(crate) replies: u64,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(game: &'a Game, winner: Side) -> Walk<'a> {
        let reference = Reference::new(game.clone());
        let (sight, shown, buffer) = (Sight::new(game), HashSet::new(), Vec::new());
        Walk { game, reference, winner, sight, shown, salt: salt(), buffer, memory: u64::MAX, replies: 0 }
    }

    /// The same with at most `memory` bytes for the situations shown.
    pub(crate) fn within(self, memory: u64) -> Walk<'a> {
        Walk { memory, ..self }
    }

    /// Shows that the winner wins a position.
    pub(crate) fn position<G: Guide>(&mut self, position: &Position, guide: &mut G) -> Result<(), G::Error> {
        self.wins(&Situation::new(self.game, position), Some(position), guide)
    }

    /// Shows that the winner wins a situation.
    pub(crate) fn situation<G: Guide>(&mut self, situation: &Situation, guide: &mut G) -> Result<(), G::Error> {
        self.wins(situation, None, guide)
    }

    /// Shows that the winner wins. `real` is the position itself, if no pod on the board is a cover: the legal
    /// placements must then be those of the reference engine.
    fn wins<G: Guide>(
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
        let key = self.key(situation);
        if self.shown.contains(&key) {
            return Ok(());
        }
        let legal = situation.placements(self.game);
        if let Some(position) = real {
            let judged = self.reference.actions(position).into_iter().collect();
            let placements: BTreeSet<Action> = legal.iter().map(|(kind, at)| Action::Place { kind, at }).collect();
            if placements != judged {
                let text = position.text(self.game);
                return Err(guide.fault(format!("the reference engine and the plain rules here differ on {text}")));
            }
        }
        if !self.sight.shows(situation, self.winner) {
            if situation.to_move == self.winner {
                let (kind, at) = guide.winning(situation)?;
                if !legal.contains(kind, at) {
                    let placement = self.game.action_text(Action::Place { kind, at });
                    return Err(guide.fault(format!("{placement} is not legal here")));
                }
                self.follow(situation, real, kind, at, guide)?;
            } else if !legal.is_empty() {
                let covered = guide.covered(situation)?;
                self.refute_all(situation, real, &legal, covered, guide)?;
            }
        }
        // A full table grows to twice its size.
        let room = self.shown.capacity();
        if self.shown.len() == room && 2 * SLOT * room as u64 > self.memory {
            return Err(guide.too_large(self.memory));
        }
        self.shown.insert(key);
        Ok(())
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
        // It is legal: the reference engine says so where the position is real, the plain rules say so below a cover.
        let real = real.and_then(|position| self.reference.apply(position, action)).map(|transition| transition.next);
        self.wins(&situation.after(self.game, kind, at), real.as_ref(), guide)
    }

    fn key(&mut self, situation: &Situation) -> [u8; 16] {
        situation.key_after(&self.salt, &mut self.buffer)
    }
}

/// Bytes that are others in each run.
fn salt() -> [u8; 16] {
    let word = || u128::from(RandomState::new().hash_one(0));
    (word() << 64 | word()).to_le_bytes()
}
