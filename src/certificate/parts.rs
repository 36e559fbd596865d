//! Proofs of placement games that are made in parts, one for each of some later positions, and
//! joined.
//!
//! A part is a certificate by itself. Its position may hold covers: pods with the legs of several
//! kinds, which its header has as kinds of their own. The walk of the whole proof asks for choices
//! in the parts' positions as well, but not for all that the parts have: what one part has shown is
//! not asked for again in another. So the parts are read into memory, one at a time, as choices by
//! position, and the walk is done anew.

use std::io::BufRead;

use super::WALK;
use super::check::check_part;
use super::coded::{Scene, Statement};
use super::error::CertificateError;
use super::header::{Claim, Claimed, Header};
use super::lines::Certificate;
use super::placing::{Choices, Guide, Situation};
use super::prove_placing::{claim, prove_situation};
use crate::answer::SolveError;
use crate::material::Side;
use crate::position::{Game, Position};
use crate::solver::search::Search;
use crate::solver::{Limits, Observer};

/// Subject of a part.
pub(crate) struct Part<'a> {
    /// The game of the whole proof.
    pub(crate) game: &'a Game,
    /// The position in that game, covers and all.
    pub(crate) start: &'a Situation,
    /// The game with a kind for each cover, and the position in it.
    pub(crate) own: (&'a Game, &'a Position),
    /// The winner.
    pub(crate) winner: Side,
}

impl Part<'_> {
    fn claim(&self) -> Claim {
        let value = if self.winner == self.start.to_move { Claimed::Win } else { Claimed::Loss };
        Claim { value, plies: None }
    }

    /// Makes the part by a search of the game, which has found who wins.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or the search and the rules contradict each other.
    pub(crate) fn prove(
        &self,
        search: &Search,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> Result<Certificate, SolveError> {
        let (game, position) = self.own;
        let text = position.text(game);
        let lines = prove_situation(search, (self.start, &text), self.winner, limits, observer)?;
        Ok(Certificate::walk(game, position, self.claim(), lines))
    }

    /// Reads and checks a file that is to be this part; returns its choices.
    ///
    /// # Errors
    ///
    /// If it is no certificate, is about something else, is damaged or proves nothing.
    pub(crate) fn read(&self, input: impl BufRead) -> Result<Choices, CertificateError> {
        let wanted = Header::new(WALK, self.own.0, self.own.1, self.claim());
        check_part(input, &wanted, self.game, self.start, self.winner)
    }
}

/// Walks through the proof that a side wins, with the choices of a guide, and writes them down.
///
/// # Errors
///
/// Those of the guide.
pub(crate) fn join<G: Guide>(
    game: &Game,
    root: &Position,
    winner: Side,
    guide: &mut G,
) -> Result<Certificate, G::Error> {
    let section = Statement::new(game, winner).write(&Scene::new(game, root), guide, None)?;
    Ok(Certificate::coded(game, root, claim(root, winner), section))
}
