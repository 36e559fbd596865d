//! Writes what a certificate of version 2 proves as one of version 4.

use std::io::BufRead;
use std::sync::atomic::Ordering;

use super::check::read_choices;
use super::coded::{Scene, Statement};
use super::lines::Certificate;
use super::maker::{Made, Maker, Reporter};
use super::placing::{Choices, Chosen, Guide, Pairs, Situation};
use super::proof::{Proof, ProofError};
use super::prove_placing::failed;
use crate::answer::SolveError;
use crate::geometry::{Point, PointSet};
use crate::material::PodKind;
use crate::solver::search::Search;
use crate::solver::{Limits, Observer, Stopped};

/// Memory for the search that fills gaps, always the same, and so the file too, in bytes.
const FOR_THE_SEARCH: u64 = 1 << 26;

/// Checks a certificate of version 2, and writes its choices as one of version 4, which is checked
/// too. Some 40 bytes for each of its lines are in memory. Where version 4 asks for more, a
/// search answers.
///
/// # Errors
///
/// If it is no such certificate or one of the two does not pass the check, or a limit is reached.
pub fn rewrite(input: impl BufRead, limits: Limits<'_>, observer: &dyn Observer) -> Result<Proof, ProofError> {
    let (header, subject, winner, known) = read_choices(input)?;
    if limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
        return Err(SolveError::from(Stopped::Interrupted).into());
    }
    let (game, root) = (&subject.game, &subject.root);
    let search = Search::new(game, FOR_THE_SEARCH).ok_or(SolveError::NotPlacement)?;
    let (text, reporter) = (root.display(game).to_string(), Reporter::new(observer));
    let section = search.for_proof(limits, &reporter, |search| {
        let maker = Maker::new(game, &text, winner, search, limits, &reporter);
        let mut guide = Rewriter { known, maker };
        let written = Statement::new(game, winner).write(&Scene::new(game, root), &mut guide, None);
        written.map_err(|made| failed(made, &text))
    })?;
    // The board is as it lies: how it was turned stands in the header alone.
    drop(search);
    Proof::of(Certificate::coded_with(header, section), limits, observer)
}

/// A guide that knows choices, and asks a search for others.
struct Rewriter<'a, 's> {
    known: Choices,
    maker: Maker<'a, 's>,
}

impl Guide for Rewriter<'_, '_> {
    type Error = Made;

    fn winning(&mut self, situation: &Situation) -> Result<(PodKind, Point), Made> {
        match self.known.get(situation) {
            Some(Chosen::Placement(kind, at)) => Ok((kind, at)),
            _ => self.maker.winning(situation),
        }
    }

    fn covered(&mut self, situation: &Situation, legal: &Pairs) -> Result<PointSet, Made> {
        match self.known.get(situation) {
            Some(Chosen::Covered(points)) => Ok(points),
            _ => self.maker.covered(situation, legal),
        }
    }

    fn fault(&self, cause: String) -> Made {
        self.maker.fault(cause)
    }
}
