//! Makes the proof of a placement game from a search: the walk asks the search, and the answers are written down.

use std::sync::atomic::{AtomicU64, Ordering};

use super::header::{Claim, Claimed};
use super::lines::Certificate;
use super::placing::{Choice, Guide, Situation, Walk};
use crate::answer::SolveError;
use crate::geometry::{Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Position};
use crate::rules::EmptyHand;
use crate::solver::search::{LegPosition, ProofSearch, Search};
use crate::solver::{
    Discrepancy, Limits, Observer, Outcome, Phase, Silent, Stopped, Tracker, Unknown, mover_loses_by_mirror,
};

/// A search for a refutation of all replies on a point may take this many times the nodes of the longest refutation so
/// far.
const PATIENCE: u64 = 256;

/// The nodes assumed for the longest refutation before there is one.
const SHORTEST: u64 = 64;

/// Finds out who wins a position of a placement game, by the mirror theorem or a search, and proves it. Uses what the
/// search already knows. One thread makes the proof; several may do the search before it.
///
/// # Errors
///
/// If a limit is reached first, or if search and rules contradict each other.
pub fn prove_placing(
    search: &Search,
    root: &Position,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Certificate, SolveError> {
    let game = search.game();
    let outcome = match mover_loses_by_mirror(game, root) {
        Ok(()) => Outcome::Loss,
        Err(_) => search.solve(root, limits, observer).outcome.map_err(|cause| stopped(limits, cause))?,
    };
    let value = match outcome {
        Outcome::Win => Claimed::Win,
        Outcome::Loss => Claimed::Loss,
        // A game of placements ends, so it cannot be drawn.
        Outcome::Draw => return Err(contradiction(&root.text(game), "a placement game is drawn")),
    };
    let winner = if value == Claimed::Win { root.to_move() } else { root.to_move().other() };
    let mut certificate = Certificate::walk(game, root, Claim { value, plies: None });
    let root_text = root.text(game);
    let reporter = Reporter::new(observer);
    search.for_proof(limits, &reporter, |search| {
        let mut maker = Maker::new(game, &root_text, winner, search, limits, &reporter, &mut certificate);
        Walk::new(game, winner).position(root, &mut maker)
    })?;
    Ok(certificate)
}

/// Proves a part: that a side wins a situation of the search's game, as the search has found. `text` is the situation's, as the
/// certificate has it.
pub(super) fn prove_situation(
    search: &Search,
    (start, text): (&Situation, &str),
    winner: Side,
    limits: Limits<'_>,
    observer: &dyn Observer,
    certificate: &mut Certificate,
) -> Result<(), SolveError> {
    let game = search.game();
    let reporter = Reporter::new(observer);
    search.for_proof(limits, &reporter, |search| {
        let mut maker = Maker::new(game, text, winner, search, limits, &reporter, certificate);
        Walk::new(game, winner).situation(start, &mut maker)
    })
}

fn stopped(limits: Limits<'_>, cause: Unknown) -> SolveError {
    Tracker::new(limits, &Silent).reason(cause).into()
}

fn contradiction(position: &str, cause: impl Into<String>) -> SolveError {
    Discrepancy { position: position.to_owned(), cause: cause.into() }.into()
}

/// An observer that is told how many lines there are, and not of the searches for them.
struct Reporter<'a> {
    observer: &'a dyn Observer,
    lines: AtomicU64,
}

impl<'a> Reporter<'a> {
    fn new(observer: &'a dyn Observer) -> Reporter<'a> {
        Reporter { observer, lines: AtomicU64::new(0) }
    }

    fn lines(&self, lines: u64) {
        self.lines.store(lines, Ordering::Relaxed);
        self.observer.progress(Phase::Prove, lines, None);
    }
}

impl Observer for Reporter<'_> {
    fn progress(&self, _: Phase, _: u64, _: Option<u64>) {
        self.observer.progress(Phase::Prove, self.lines.load(Ordering::Relaxed), None);
    }

    fn stop(&self) -> Option<Stopped> {
        self.observer.stop()
    }
}

/// A search as a guide; its answers go into the certificate.
struct Maker<'a, 's> {
    game: &'a Game,
    /// The text of the position that the proof is of.
    root: &'a str,
    winner: Side,
    /// Whether replies may be covered.
    covers: bool,
    search: &'a mut ProofSearch<'s>,
    limits: Limits<'a>,
    reporter: &'a Reporter<'a>,
    certificate: &'a mut Certificate,
}

/// A situation in the form that the search takes.
pub(crate) fn told(situation: &Situation) -> LegPosition<'_> {
    LegPosition {
        pods: situation.pods().collect(),
        hands: Side::BOTH.map(|side| situation.hand(side)),
        to_move: situation.to_move,
        open: situation.open,
    }
}

impl<'a, 's> Maker<'a, 's> {
    fn new(
        game: &'a Game,
        root: &'a str,
        winner: Side,
        search: &'a mut ProofSearch<'s>,
        limits: Limits<'a>,
        reporter: &'a Reporter<'a>,
        certificate: &'a mut Certificate,
    ) -> Maker<'a, 's> {
        let covers = game.rules().options().empty_hand == EmptyHand::Loses;
        Maker { game, root, winner, covers, search, limits, reporter, certificate }
    }
}

impl Maker<'_, '_> {
    fn wins_within(&mut self, situation: &Situation, nodes: u64) -> Result<Option<bool>, SolveError> {
        self.search.wins_within(&told(situation), nodes).map_err(|cause| stopped(self.limits, cause))
    }

    fn write(&mut self, choice: &Choice) -> Result<(), SolveError> {
        self.certificate.choose(choice);
        self.reporter.lines(self.certificate.lines());
        self.reporter.stop().map_or(Ok(()), |stopped| Err(stopped.into()))
    }
}

impl Guide for Maker<'_, '_> {
    type Error = SolveError;

    fn winning(&mut self, situation: &Situation) -> Result<(PodKind, Point), SolveError> {
        let best = self.search.winning(&told(situation)).map_err(|cause| stopped(self.limits, cause))?;
        let (kind, at) =
            best.ok_or_else(|| self.fault("the search finds no placement that keeps the win".to_owned()))?;
        self.write(&Choice::Action(self.game.action_text(Action::Place { kind, at })))?;
        Ok((kind, at))
    }

    fn covered(&mut self, situation: &Situation) -> Result<PointSet, SolveError> {
        let mut covered = PointSet::EMPTY;
        let legal = situation.placements(self.game);
        let mut longest = SHORTEST;
        let points = if self.covers { legal.points() } else { PointSet::EMPTY };
        for at in points {
            let before = self.search.nodes();
            if let Some(cover) = situation.cover(self.game, &legal, at) {
                let nodes = longest.saturating_mul(PATIENCE);
                if self.wins_within(&cover, nodes)? == Some(true) {
                    covered.insert(at);
                    longest = longest.max(self.search.nodes() - before);
                    continue;
                }
            }
            for kind in legal.kinds_at(at) {
                let before = self.search.nodes();
                self.wins_within(&situation.after(self.game, kind, at), u64::MAX)?;
                longest = longest.max(self.search.nodes() - before);
            }
        }
        let name = |at: Point| self.game.board().coord(at).to_string();
        self.write(&Choice::Covered(covered.into_iter().map(name).collect()))?;
        Ok(covered)
    }

    fn fault(&self, cause: String) -> SolveError {
        contradiction(self.root, format!("{cause} (to be proven was that {} wins)", self.winner))
    }
}
