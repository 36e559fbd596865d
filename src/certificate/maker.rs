//! Makes the choices of a walk by a search.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::coded::{Scene, Statement};
use super::placing::{Guide, Pairs, Situation};
use super::shown_before::ShownBefore;
use crate::answer::SolveError;
use crate::geometry::{Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::{Game, Position};
use crate::rules::EmptyHand;
use crate::solver::search::{LegPosition, ProofNode, ProofSearch};
use crate::solver::{Discrepancy, Limits, Observer, Phase, Silent, Stopped, Tracker, Unknown};

/// A search for a refutation of all replies on a point may take this many times the nodes of the
/// longest refutation so far.
const PATIENCE: u64 = 256;

/// The nodes assumed for the longest refutation before there is one.
const SHORTEST: u64 = 64;

/// Rules for the open ends of walks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cuts {
    /// From so many choices on where other threads have nothing to do.
    pub(super) long: u64,
    /// From so many choices on in any case: what a section lists is in memory until it is written.
    pub(super) longest: u64,
    /// Longest subproof that is never split off (choices).
    pub(super) short: u64,
}

impl Default for Cuts {
    fn default() -> Cuts {
        Cuts { long: 1 << 20, longest: 1 << 22, short: 1 << 10 }
    }
}

/// Number of lines that are reported at once.
const REPORTED: u64 = 1 << 8;

/// Converts a situation to the form that the search takes.
fn to_leg_position(situation: &Situation) -> LegPosition<'_> {
    LegPosition {
        pods: situation.pods().collect(),
        hands: Side::BOTH.map(|side| situation.hand(side)),
        to_move: situation.to_move,
        open: situation.open,
    }
}

/// An observer that is told how many lines there are, and not of the searches for them.
pub(super) struct Reporter<'a> {
    observer: &'a dyn Observer,
    lines: AtomicU64,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(observer: &'a dyn Observer) -> Reporter<'a> {
        Reporter { observer, lines: AtomicU64::new(0) }
    }

    /// Reports more lines, or as many fewer as `dropped` says.
    pub(super) fn lines(&self, more: u64, dropped: u64) {
        let before = self.lines.fetch_add(more.wrapping_sub(dropped), Ordering::Relaxed);
        let lines = before.wrapping_add(more).wrapping_sub(dropped);
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

/// Reasons why a walk was not made to its end.
pub(super) enum Made {
    /// It takes more lines than it may.
    TooLong,
    Failed(SolveError),
}

/// A search as a guide, which counts its choices.
pub(super) struct Maker<'a, 's> {
    game: &'a Game,
    /// The text of the position that the proof is of.
    root: &'a str,
    winner: Side,
    /// True if replies may be covered.
    covers: bool,
    search: &'a mut ProofSearch<'s>,
    limits: Limits<'a>,
    reporter: &'a Reporter<'a>,
    /// Choices so far.
    count: u64,
    /// The most choices.
    most: u64,
    /// Rules for open ends, if there may be any.
    cuts: Option<OpenEnds<'a>>,
    /// Up to so many choices nothing is one.
    whole: u64,
}

/// Rules for the open ends of a section.
#[derive(Clone, Copy)]
pub(super) struct OpenEnds<'a> {
    pub(super) cuts: Cuts,
    /// Number of threads that wait for open ends.
    pub(super) idle: &'a AtomicUsize,
    pub(super) statement: &'a Statement<'a>,
    /// Situations listed by other sections.
    pub(super) shown: &'a ShownBefore,
}

impl<'a, 's> Maker<'a, 's> {
    pub(super) fn new(
        game: &'a Game,
        root: &'a str,
        winner: Side,
        search: &'a mut ProofSearch<'s>,
        limits: Limits<'a>,
        reporter: &'a Reporter<'a>,
    ) -> Maker<'a, 's> {
        let covers = game.rules().options().empty_hand == EmptyHand::Loses;
        let (count, most, cuts, whole) = (0, u64::MAX, None, 0);
        Maker { game, root, winner, covers, search, limits, reporter, count, most, cuts, whole }
    }

    /// Limits the lines to so many.
    pub(super) fn within(self, most: u64) -> Maker<'a, 's> {
        Maker { most, ..self }
    }

    /// Makes a section, which may have open ends, in place of a whole proof.
    pub(super) fn of_section(self, cuts: OpenEnds<'a>) -> Maker<'a, 's> {
        Maker { cuts: Some(cuts), ..self }
    }

    /// Returns the number of choices that a situation takes after what is listed; `None` if more
    /// than may be.
    fn choices_of(&mut self, situation: &Situation, ends: OpenEnds<'a>) -> Result<Option<u64>, Made> {
        let Maker { game, root, winner, limits, reporter, .. } = *self;
        let mut maker = Maker::new(game, root, winner, self.search, limits, reporter).within(ends.cuts.short);
        let walked = ends.statement.try_out(&Scene::of(situation), &mut maker, ends.shown);
        let count = maker.count;
        reporter.lines(0, count - count % REPORTED);
        match walked {
            Ok(()) => Ok(Some(count)),
            Err(Made::TooLong) => Ok(None),
            Err(failed) => Err(failed),
        }
    }

    /// Counts a choice, and reports it.
    fn chosen(&mut self) -> Result<(), Made> {
        self.count += 1;
        if self.count > self.most {
            return Err(Made::TooLong);
        }
        if !self.count.is_multiple_of(REPORTED) {
            return Ok(());
        }
        self.reporter.lines(REPORTED, 0);
        self.reporter.stop().map_or(Ok(()), |stopped| Err(Made::Failed(stopped.into())))
    }

    fn node(&self, situation: &Situation) -> ProofNode {
        self.search.node(&to_leg_position(situation))
    }
}

impl Guide for Maker<'_, '_> {
    type Error = Made;

    fn elsewhere(&mut self, situation: &Situation, _: Option<&Position>) -> Result<bool, Made> {
        let Some(ends @ OpenEnds { cuts, idle, .. }) = self.cuts else { return Ok(false) };
        let count = self.count;
        if count < self.whole || count < cuts.longest && (count < cuts.long || idle.load(Ordering::Relaxed) == 0) {
            return Ok(false);
        }
        if let Some(choices) = self.choices_of(situation, ends)? {
            // So it takes no more than these here. What follows within them is shown without a
            // look.
            self.whole = count + choices;
            return Ok(false);
        }
        Ok(true)
    }

    fn winning(&mut self, situation: &Situation) -> Result<(PodKind, Point), Made> {
        let node = self.node(situation);
        let best = self.search.winning(&node).map_err(|cause| Made::Failed(stopped(self.limits, cause)))?;
        let (kind, at) =
            best.ok_or_else(|| self.fault("the search finds no placement that keeps the win".to_owned()))?;
        self.chosen()?;
        Ok((kind, at))
    }

    fn covered(&mut self, situation: &Situation, legal: &Pairs) -> Result<PointSet, Made> {
        let mut covered = PointSet::EMPTY;
        let mut longest = SHORTEST;
        let node = self.node(situation);
        let points = if self.covers { legal.points() } else { PointSet::EMPTY };
        let limits = self.limits;
        let failed = |cause: Unknown| Made::Failed(stopped(limits, cause));
        for at in points {
            let before = self.search.nodes();
            if let Some(legs) = situation.cover_legs(self.game, legal, at) {
                let nodes = longest.saturating_mul(PATIENCE);
                if self.search.wins_after_legs(&node, (legs, at), nodes).map_err(failed)? == Some(true) {
                    covered.insert(at);
                    longest = longest.max(self.search.nodes() - before);
                    continue;
                }
            }
            for kind in legal.kinds_at(at) {
                let before = self.search.nodes();
                self.search.wins_after(&node, (kind, at), u64::MAX).map_err(failed)?;
                longest = longest.max(self.search.nodes() - before);
            }
        }
        self.chosen()?;
        Ok(covered)
    }

    fn fault(&self, cause: String) -> Made {
        Made::Failed(contradiction(self.root, format!("{cause} (to be proven was that {} wins)", self.winner)))
    }
}

pub(super) fn stopped(limits: Limits<'_>, cause: Unknown) -> SolveError {
    Tracker::new(limits, &Silent).reason(cause).into()
}

pub(super) fn contradiction(position: &str, cause: impl Into<String>) -> SolveError {
    Discrepancy { position: position.to_owned(), cause: cause.into() }.into()
}
