//! Makes the sections of a walk, with the choices of a search.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::super::shown_before::{Shown, ShownBefore};
use super::super::walk::{
    BadBits, Bits, Context, Encoder, LegBits, Pair, Scene, SectionWalk, Statement, Teller, Verdict, View, bits,
};
use crate::answer::SolveError;
use crate::material::Side;
use crate::solver::search::{self, ProofNode, ProofSearch};
use crate::solver::{Discrepancy, Limits, Observer, Phase, Silent, Stopped, Tracker, Unknown};

/// The nodes assumed for the longest refutation before there is one.
const SHORTEST: u64 = 64;

/// Rules for the open ends of walks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cuts {
    /// Choices from which a subproof is split off while other threads have nothing to do.
    pub(super) long: u64,
    /// Choices from which a subproof is split off in any case: a section lies in memory until it
    /// is written.
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

/// Reports the lines of a proof, and the positions that are searched for them.
pub(super) struct Reporter<'a> {
    observer: &'a dyn Observer,
    lines: AtomicU64,
    searched: AtomicU64,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(observer: &'a dyn Observer) -> Reporter<'a> {
        Reporter { observer, lines: AtomicU64::new(0), searched: AtomicU64::new(0) }
    }

    /// Reports more lines, or as many fewer as `dropped` says.
    pub(super) fn lines(&self, more: u64, dropped: u64) {
        let before = self.lines.fetch_add(more.wrapping_sub(dropped), Ordering::Relaxed);
        let lines = before.wrapping_add(more).wrapping_sub(dropped);
        self.observer.progress(Phase::Prove, lines, None);
    }

    /// Returns the observer of the searches of one thread.
    pub(super) fn of_searches(&self) -> impl Observer + '_ {
        Searches { reporter: self, before: AtomicU64::new(0) }
    }

    fn stop(&self) -> Option<Stopped> {
        self.observer.stop()
    }
}

/// Observer of the searches of one thread for a proof.
struct Searches<'a> {
    reporter: &'a Reporter<'a>,
    /// The positions that the thread has reported before.
    before: AtomicU64,
}

impl Observer for Searches<'_> {
    fn progress(&self, _: Phase, done: u64, _: Option<u64>) {
        let Reporter { observer, lines, searched } = self.reporter;
        let more = done.saturating_sub(self.before.swap(done, Ordering::Relaxed));
        let all = searched.fetch_add(more, Ordering::Relaxed) + more;
        observer.progress(Phase::Prove, lines.load(Ordering::Relaxed), None);
        observer.searched(all);
    }

    fn stop(&self) -> Option<Stopped> {
        self.reporter.stop()
    }
}

fn search_legs(LegBits { all, long }: LegBits) -> search::LegBits {
    search::LegBits { short: all & !long, long }
}

/// Reasons why a walk was not made to its end.
pub(super) enum ProofStop {
    /// It takes more lines than it may.
    TooLong,
    Failed(SolveError),
}

/// A search that makes the choices of a walk, and counts them.
pub(super) struct Maker<'a, 's> {
    statement: &'a Statement<'a>,
    /// The text of the position that the proof is of.
    root: &'a str,
    search: &'a mut ProofSearch<'s>,
    limits: Limits<'a>,
    reporter: &'a Reporter<'a>,
    /// Choices so far.
    count: u64,
    most: u64,
    /// Rules for open ends, if there may be any.
    cuts: Option<OpenEnds<'a>>,
    /// Count of choices up to which nothing is left to a later section.
    no_split_before: u64,
}

#[derive(Clone, Copy)]
pub(super) struct OpenEnds<'a> {
    pub(super) cuts: Cuts,
    /// Number of threads that wait for open ends.
    pub(super) idle: &'a AtomicUsize,
    /// Situations listed by other sections.
    pub(super) shown: &'a ShownBefore,
}

impl<'a, 's> Maker<'a, 's> {
    pub(super) fn new(
        statement: &'a Statement<'a>,
        root: &'a str,
        search: &'a mut ProofSearch<'s>,
        limits: Limits<'a>,
        reporter: &'a Reporter<'a>,
    ) -> Maker<'a, 's> {
        let (count, most, cuts, no_split_before) = (0, u64::MAX, None, 0);
        Maker { statement, root, search, limits, reporter, count, most, cuts, no_split_before }
    }

    /// Makes a section, which may have open ends, in place of a whole proof.
    pub(super) fn of_section(self, cuts: OpenEnds<'a>) -> Maker<'a, 's> {
        Maker { cuts: Some(cuts), ..self }
    }

    /// Returns the number of choices that a situation takes after what is listed; `None` if more
    /// than may be.
    fn choices_of(&mut self, scene: &Scene, ends: OpenEnds<'a>) -> Result<Option<u64>, ProofStop> {
        let Maker { statement, root, limits, reporter, .. } = *self;
        let maker = Maker::new(statement, root, self.search, limits, reporter);
        let mut maker = Maker { most: ends.cuts.short, ..maker };
        let walked = maker.try_out(scene, ends.shown);
        let count = maker.count;
        reporter.lines(0, count - count % REPORTED);
        match walked {
            Ok(()) => Ok(Some(count)),
            Err(ProofStop::TooLong) => Ok(None),
            Err(failed) => Err(failed),
        }
    }

    fn chosen(&mut self) -> Result<(), ProofStop> {
        self.count += 1;
        if self.count > self.most {
            return Err(ProofStop::TooLong);
        }
        if !self.count.is_multiple_of(REPORTED) {
            return Ok(());
        }
        self.reporter.lines(REPORTED, 0);
        self.reporter.stop().map_or(Ok(()), |stopped| Err(ProofStop::Failed(stopped.into())))
    }

    /// Returns the situation in the form that the search takes.
    fn node(&self, scene: &Scene) -> ProofNode {
        let pods = scene.pods().map(|(side, point, legs)| (side, point, search_legs(legs)));
        self.search.node(&scene.hands, pods, (scene.mover, scene.open))
    }

    /// Returns `true` if a situation is left to a later section.
    fn leaves(&mut self, scene: &Scene) -> Result<bool, ProofStop> {
        let Some(ends @ OpenEnds { cuts, idle, .. }) = self.cuts else { return Ok(false) };
        let count = self.count;
        let is_short = count < cuts.longest && (count < cuts.long || idle.load(Ordering::Relaxed) == 0);
        if is_short || count < self.no_split_before {
            return Ok(false);
        }
        let Some(choices) = self.choices_of(scene, ends)? else { return Ok(true) };
        // So it takes no more than these here. What follows within them is shown without a look.
        self.no_split_before = count + choices;
        Ok(false)
    }

    /// Returns the placement with which the winner, who is to move, wins.
    fn winning(&mut self, view: &View<'_>) -> Result<Pair, ProofStop> {
        let node = self.node(view.scene);
        let best = self.search.winning(&node).map_err(|cause| ProofStop::Failed(stopped(self.limits, cause)))?;
        let pair = best.ok_or_else(|| self.fault("the search finds no placement that keeps the win"))?;
        self.chosen()?;
        Ok(pair)
    }

    /// Returns the points on which the loser's placements are covered.
    fn covered(&mut self, view: &View<'_>) -> Result<u64, ProofStop> {
        let mut covered = 0;
        let mut longest = SHORTEST;
        let node = self.node(view.scene);
        let points = if view.field.hand_wins { 0 } else { view.choices.any };
        let limits = self.limits;
        for point in bits(points) {
            let kinds = view.choices.kinds_at(point);
            let refuted = self.search.refutes_point(&node, kinds, point, &mut longest);
            if refuted.map_err(|cause| ProofStop::Failed(stopped(limits, cause)))? {
                covered |= 1 << point;
            }
        }
        self.chosen()?;
        Ok(covered)
    }

    fn fault(&self, cause: &str) -> ProofStop {
        let winner = Side::BOTH[self.statement.winner];
        ProofStop::Failed(contradiction(self.root, format!("{cause} (to be proven was that {winner} wins)")))
    }
}

pub(super) struct Written {
    pub(super) bytes: Vec<u8>,
    pub(super) lines: u64,
    pub(super) ends: Vec<Scene>,
    pub(super) shown: Shown,
}

impl Maker<'_, '_> {
    /// Makes the section that starts from a situation. What `earlier` sections have listed is not
    /// shown again.
    pub(super) fn write(&mut self, start: &Scene, earlier: Option<&ShownBefore>) -> Result<Written, ProofStop> {
        let statement = self.statement;
        let writer = Writer { maker: self, bits: Encoder::new(), earlier, ends: Vec::new() };
        let SectionWalk { teller, shown, lines, .. } = walked(statement, start, writer)?;
        Ok(Written { bytes: teller.bits.finish(), lines, ends: teller.ends, shown })
    }

    /// Walks the same and writes nothing.
    fn try_out(&mut self, start: &Scene, earlier: &ShownBefore) -> Result<(), ProofStop> {
        let statement = self.statement;
        walked(statement, start, Writer { maker: self, bits: NoBits, earlier: Some(earlier), ends: Vec::new() })?;
        Ok(())
    }
}

fn walked<'a, T: Teller>(
    statement: &'a Statement<'a>,
    start: &Scene,
    teller: T,
) -> Result<SectionWalk<'a, T>, T::Error> {
    let mut walk = SectionWalk::new(statement, u64::MAX, teller);
    walk.start(start)?;
    Ok(walk)
}

/// Sink that drops all bits.
struct NoBits;

impl Bits for NoBits {
    fn bit(&mut self, _: &mut Context, wanted: bool) -> Result<bool, BadBits> {
        Ok(wanted)
    }
}

struct Writer<'a, 's, 'm, B> {
    maker: &'m mut Maker<'a, 's>,
    bits: B,
    earlier: Option<&'m ShownBefore>,
    ends: Vec<Scene>,
}

impl<B: Bits> Teller for Writer<'_, '_, '_, B> {
    type Error = ProofStop;
    type Bits = B;

    fn bits(&mut self) -> &mut B {
        &mut self.bits
    }

    fn verdict(&mut self, view: &View<'_>, shown: &Shown) -> Result<(Verdict, Vec<Pair>), ProofStop> {
        let only = |verdict| Ok((verdict, Vec::new()));
        if view.is_mirrored() {
            return only(Verdict::Mirror);
        }
        if !view.is_start {
            let key = view.key();
            if shown.contains(&key) || self.earlier.is_some_and(|earlier| earlier.has(&key)) {
                return only(Verdict::Shown);
            }
        }
        if let Some(pairs) = view.plan().and_then(|plan| plan.find()) {
            return Ok((Verdict::Counting, pairs));
        }
        if !view.is_start && self.maker.leaves(view.scene)? {
            return only(Verdict::Later);
        }
        only(Verdict::Step)
    }

    fn winning(&mut self, view: &View<'_>) -> Result<Option<Pair>, ProofStop> {
        self.maker.winning(view).map(Some)
    }

    fn covered(&mut self, view: &View<'_>) -> Result<u64, ProofStop> {
        self.maker.covered(view)
    }

    fn leaves(&mut self, scene: &Scene) -> Result<(), ProofStop> {
        self.ends.push(scene.clone());
        Ok(())
    }

    fn bad(&self, _: BadBits) -> ProofStop {
        self.maker.fault("bits that are written cannot be read")
    }

    fn fault(&self, cause: &str) -> ProofStop {
        self.maker.fault(cause)
    }

    fn too_large(&self, memory: u64) -> ProofStop {
        self.maker.fault(&format!("what is shown takes more than {memory} bytes of memory"))
    }
}

pub(super) fn stopped(limits: Limits<'_>, cause: Unknown) -> SolveError {
    Tracker::new(limits, &Silent).reason(cause).into()
}

pub(super) fn contradiction(position: &str, cause: impl Into<String>) -> SolveError {
    Discrepancy { position: position.to_owned(), cause: cause.into() }.into()
}
