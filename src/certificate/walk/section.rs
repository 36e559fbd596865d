//! The walk of a section: what must be shown, in the order in which it is read and written.
//!
//! Reader and writer take the same walk. A [`Teller`] has the section's bits, and, where it writes
//! them, says what is to be written. Whatever it says, the walk accepts nothing that does not
//! follow.

use std::cell::OnceCell;

use super::super::shown_before::{Shown, ShownKey, is_full};
use super::coder::BadBits;
use super::counting::{Pair, Plan};
use super::essence::{Secret, key};
use super::field::{Field, bits};
use super::model::{Bits, Model, Verdict};
use super::scene::{Living, PairSets, Scene, Surroundings};
use crate::material::Side;
use crate::position::Game;

/// Claim of a certificate: that a side wins a game.
pub(in crate::certificate) struct Statement<'a> {
    pub(in crate::certificate) game: &'a Game,
    pub(in crate::certificate) field: Field,
    pub(in crate::certificate) winner: usize,
    secret: Secret,
}

impl<'a> Statement<'a> {
    pub(in crate::certificate) fn new(game: &'a Game, winner: Side) -> Statement<'a> {
        Statement::with_secret(game, winner, Secret::new())
    }

    /// Creates the statement with the keys of another one.
    pub(in crate::certificate) fn with_secret(game: &'a Game, winner: Side, secret: Secret) -> Statement<'a> {
        Statement { game, field: Field::new(game), winner: winner.index(), secret }
    }

    pub(in crate::certificate) fn secret(&self) -> Secret {
        self.secret
    }
}

/// A situation that is walked, with what is found out about it when it is asked for.
pub(in crate::certificate) struct View<'a> {
    pub(in crate::certificate) field: &'a Field,
    pub(in crate::certificate) scene: &'a Scene,
    pub(in crate::certificate) winner: usize,
    pub(in crate::certificate) choices: PairSets,
    /// True if a section starts here.
    pub(in crate::certificate) is_start: bool,
    around: Surroundings,
    living: OnceCell<Living>,
    secret: Secret,
    key: OnceCell<ShownKey>,
}

impl View<'_> {
    pub(in crate::certificate) fn winner_moves(&self) -> bool {
        self.scene.mover == self.winner
    }

    fn living(&self) -> &Living {
        self.living.get_or_init(|| Living::new(self.field, self.scene, &self.around))
    }

    /// Returns the key of the situation's essence.
    pub(in crate::certificate) fn key(&self) -> ShownKey {
        *self.key.get_or_init(|| key(self.field, self.scene, &self.around, self.living(), self.secret))
    }

    /// Creates a plan of the winner, without pairs yet; `None` where the lemma of counting does not
    /// hold.
    pub(in crate::certificate) fn plan(&self) -> Option<Plan<'_>> {
        let holds = !self.scene.open && !self.field.hand_wins;
        holds.then(|| Plan::new(self.field, self.scene, &self.around, self.living(), self.winner))
    }

    /// Returns `true` if the lemma of the mirror shows that the winner wins.
    pub(in crate::certificate) fn is_mirrored(&self) -> bool {
        !self.winner_moves() && self.scene.is_mirrored(self.field)
    }
}

/// Holder of the bits of a section, which says what is to be written.
pub(in crate::certificate) trait Teller {
    type Error;
    type Bits: Bits;

    /// Returns the bits to be read or written.
    fn bits(&mut self) -> &mut Self::Bits;

    /// Looks at a situation before anything is read.
    fn look(&mut self, _: &View<'_>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Returns the verdict to be written, with the pairs of its plan. `shown` are the situations
    /// listed. This and the next two are for writers: bits that are read take their place.
    fn verdict(&mut self, _: &View<'_>, _shown: &Shown) -> Result<(Verdict, Vec<Pair>), Self::Error> {
        Ok((Verdict::Step, Vec::new()))
    }

    /// Returns the winner's placement to be written.
    fn winning(&mut self, _: &View<'_>) -> Result<Option<Pair>, Self::Error> {
        Ok(None)
    }

    fn covered(&mut self, _: &View<'_>) -> Result<u64, Self::Error> {
        Ok(0)
    }

    /// Takes note of a situation that an earlier section must have listed.
    fn needs(&mut self, _: &ShownKey) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Takes note of a situation that is left to a later section.
    fn leaves(&mut self, scene: &Scene) -> Result<(), Self::Error>;

    /// Takes note of the next line, from 1.
    fn line(&mut self, _: u64) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Returns the error for bits that cannot be read.
    fn bad(&self, bad: BadBits) -> Self::Error;

    /// Returns the error for what does not follow.
    fn fault(&self, cause: &str) -> Self::Error;

    /// Returns the error where what is listed takes more than `memory` bytes.
    fn too_large(&self, memory: u64) -> Self::Error;
}

pub(in crate::certificate) struct SectionWalk<'a, T> {
    claim: &'a Statement<'a>,
    /// The most bytes that `shown` may take.
    memory: u64,
    model: Model,
    pub(in crate::certificate) teller: T,
    /// The keys of the situations that are listed.
    pub(in crate::certificate) shown: Shown,
    /// Verdicts so far, with the one that is read.
    pub(in crate::certificate) lines: u64,
    /// Placements and covers of the loser that were followed.
    pub(in crate::certificate) answers: u64,
}

impl<'a, T: Teller> SectionWalk<'a, T> {
    /// Creates a walk whose lists may take `memory` bytes.
    pub(in crate::certificate) fn new(claim: &'a Statement<'a>, memory: u64, teller: T) -> SectionWalk<'a, T> {
        let (model, shown) = (Model::new(&claim.field), Shown::default());
        SectionWalk { claim, memory, model, teller, shown, lines: 0, answers: 0 }
    }

    pub(in crate::certificate) fn start(&mut self, scene: &Scene) -> Result<(), T::Error> {
        self.walk(scene, true)
    }

    fn walk(&mut self, scene: &Scene, is_start: bool) -> Result<(), T::Error> {
        let Statement { ref field, winner, secret, .. } = *self.claim;
        if let Some(side) = scene.won_by_hand(field) {
            return match side == winner {
                true => Ok(()),
                false => Err(self.teller.fault("the side that was to lose has placed its last pod (R16)")),
            };
        }
        let around = Surroundings::new(field, scene);
        let choices = around.choices(field, scene);
        let (living, key) = (OnceCell::new(), OnceCell::new());
        let view = View { field, scene, winner, choices, is_start, around, living, secret, key };
        self.teller.look(&view)?;
        if !view.winner_moves() && view.choices.any == 0 {
            return Ok(());
        }
        let (wanted, pairs) = self.teller.verdict(&view, &self.shown)?;
        let level = scene.level();
        self.lines += 1;
        self.teller.line(self.lines)?;
        let verdict = self.model.verdict(self.teller.bits(), level, &view.choices, wanted);
        let verdict = verdict.map_err(|bad| self.teller.bad(bad))?;
        match verdict {
            Verdict::Step => {
                if !scene.open {
                    self.list(view.key())?;
                }
                if view.winner_moves() { self.follow(&view) } else { self.refute(&view) }
            }
            Verdict::Counting => {
                let plan = view.plan().ok_or_else(|| {
                    self.teller.fault("nothing is counted here: the opening clause binds, or an empty hand wins")
                })?;
                let whole = self.model.plan(self.teller.bits(), plan, &pairs).map_err(|bad| self.teller.bad(bad))?;
                if whole { Ok(()) } else { Err(self.teller.fault("this is no plan by which counting shows the win")) }
            }
            Verdict::Mirror if view.is_mirrored() => Ok(()),
            Verdict::Mirror => Err(self.teller.fault("the lemma of the mirror does not hold here")),
            Verdict::Shown | Verdict::Later if is_start => {
                Err(self.teller.fault("the start of a section is left to another one"))
            }
            Verdict::Shown => {
                let key = view.key();
                if self.shown.contains(&key) { Ok(()) } else { self.teller.needs(&key) }
            }
            Verdict::Later => {
                self.list(view.key())?;
                self.teller.leaves(scene)
            }
        }
    }

    fn list(&mut self, key: ShownKey) -> Result<(), T::Error> {
        if is_full(&self.shown, self.memory) {
            return Err(self.teller.too_large(self.memory));
        }
        self.shown.insert(key);
        Ok(())
    }

    fn follow(&mut self, view: &View<'_>) -> Result<(), T::Error> {
        let wanted = self.teller.winning(view)?;
        let choice = self.model.choice(self.teller.bits(), view.scene.level(), &view.choices, wanted);
        match choice.map_err(|bad| self.teller.bad(bad))? {
            Some((kind, point)) => self.walk(&view.scene.after(view.field, kind, point), false),
            None => Err(self.teller.fault("no placement of the winner's is chosen")),
        }
    }

    fn refute(&mut self, view: &View<'_>) -> Result<(), T::Error> {
        let (field, scene) = (view.field, view.scene);
        let wanted = self.teller.covered(view)?;
        for point in bits(view.choices.any) {
            let kinds = view.choices.kinds_at(point);
            let covered = kinds.count_ones() > 1 && !field.hand_wins && {
                let at = (scene.level(), point);
                let covered = self.model.is_covered(self.teller.bits(), at, kinds, wanted >> point & 1 == 1);
                covered.map_err(|bad| self.teller.bad(bad))?
            };
            if covered {
                self.answers += 1;
                self.walk(&scene.cover(field, kinds, point), false)?;
                continue;
            }
            for kind in bits(u64::from(kinds)) {
                self.answers += 1;
                self.walk(&scene.after(field, kind, point), false)?;
            }
        }
        Ok(())
    }
}
