//! The interface of the search: [`Search`] and its [`SearchResult`].

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::bounds::Lives;
use super::choice::RACE;
use super::conflict::Conflicts;
use super::conflict::search::ConflictSearch;
use super::dominance::Dominance;
use super::features::SearchFeatures;
use super::field::Field;
use super::history::Counts;
use super::negamax::{Found, Shared, Worker};
use super::node::{Node, Placement, placements};
use super::order::{Weights, ordered};
use super::sharing::Marks;
use super::table::{Known, Table};
use super::turns::TURNS;
use super::used::ALL_USED;
use crate::geometry::Point;
use crate::material::PodKind;
use crate::position::{Action, Game, Position};
use crate::progress::{Fill, HowFar, Observer, Phase, Silent, Stopped};
use crate::rules::EmptyHand;
use crate::solver::limits::Limits;
use crate::solver::memory::spawn_if_room;
use crate::solver::tracker::{Tracker, Unknown};
use crate::solver::value::Outcome;

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The outcome for the side to move, or the reason why it is not known.
    pub outcome: Result<Outcome, Unknown>,
    /// A winning action, if the mover wins and the game is not over.
    pub winning: Option<Action>,
    /// Actions that are known to lose, in the order in which they were tried; all of them if the
    /// mover loses.
    pub losing: Vec<Action>,
    /// Nodes: a position counts each time it is visited.
    pub nodes: u64,
}

/// A search of one game, with the table of everything found out so far.
///
/// ```
/// use pods::material::{builtin_board, builtin_pods};
/// use pods::position::Game;
/// use pods::rules::Preset;
/// use pods::solver::search::Search;
/// use pods::solver::{Limits, Outcome, Silent};
///
/// let game = Game::new(builtin_board("cave16").unwrap(), builtin_pods("mini5").unwrap(), Preset::Standard.into());
/// let start = game.parse_position("4/4/4/4 w bdoqt bdoqt open").unwrap();
/// let search = Search::new(&game, 1 << 20).unwrap();
/// let answer = search.solve(&start, Limits::default(), &Silent);
/// assert_eq!(answer.winning.is_some(), answer.outcome == Ok(Outcome::Win));
/// ```
pub struct Search {
    game: Game,
    pub(super) field: Field,
    pub(super) table: Table,
    dominance: Dominance,
    pub(super) features: SearchFeatures,
    /// As in [`Shared`]; tests make it small.
    pub(super) race_from: u64,
    /// As in [`Shared`]; tests make it small.
    pub(super) turns_from: u64,
    /// Nodes of all searches so far, also of the runs that this one continues.
    pub(super) spent: AtomicU64,
}

impl Search {
    /// Creates a search of a game with tables of at most `memory` bytes; `None` if the rules have
    /// moves or captures.
    #[must_use]
    pub fn new(game: &Game, memory: u64) -> Option<Search> {
        Search::with_features(game, memory, SearchFeatures::ALL)
    }

    /// Creates a search like [`Search::new`], with only some of the features.
    #[must_use]
    pub fn with_features(game: &Game, memory: u64, features: SearchFeatures) -> Option<Search> {
        let options = game.rules().options();
        // Games of fixed conflicts, which have no R13, have a search of their own, which does not
        // use dominance.
        let dominates = features.dominance
            && options.empty_hand == EmptyHand::Loses
            && (options.placement_liberty || !features.conflicts);
        let share = if dominates { memory / 2 } else { 0 };
        let dominance = Dominance::new(share);
        let rest = if dominance.fill().is_none() { memory } else { memory - share };
        Search::fits(game).then(|| Search {
            game: game.clone(),
            field: Field::new(game),
            table: Table::new(rest),
            dominance,
            features,
            race_from: if features.race { RACE } else { u64::MAX },
            turns_from: if features.turns { TURNS } else { u64::MAX },
            spent: AtomicU64::new(0),
        })
    }

    /// Returns `true` if the rules of a game are of the kind that can be searched: nothing moves
    /// and nothing is captured. Rules that capture only after moves capture nothing where nothing
    /// moves.
    #[must_use]
    pub fn fits(game: &Game) -> bool {
        !game.rules().can_cycle()
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the nodes of all searches so far, also of the runs that this one continues
    /// ([`Search::load`]). While a search runs, the count is that of its last report to the
    /// observer.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Returns the fill of the table.
    #[must_use]
    pub fn fill(&self) -> Fill {
        let known = self.table.fill();
        let Some(dominance) = self.dominance.fill() else { return known };
        let (bytes, most) = (known.bytes + dominance.bytes, known.most + dominance.most);
        Fill { bytes, most, refused: known.refused || dominance.refused, ..known }
    }

    /// Finds the winner of a position.
    #[must_use]
    pub fn solve(&self, position: &Position, limits: Limits<'_>, observer: &dyn Observer) -> SearchResult {
        self.solve_node(&Node::new(&self.field, &self.game, position), limits, observer)
    }

    /// Finds the winner of a position that may have pods with any legs.
    pub(super) fn solve_node(&self, root: &Node, limits: Limits<'_>, observer: &dyn Observer) -> SearchResult {
        let limits = limits.shared_out();
        let told = AtomicU64::new(0);
        let answer = self.answer(root, limits, observer, &told);
        self.spent.fetch_add(answer.nodes.saturating_sub(told.into_inner()), Ordering::Relaxed);
        answer
    }

    /// Returns the answer; `told` counts the nodes that [`Search::nodes`] already includes.
    fn answer(&self, root: &Node, limits: Limits<'_>, observer: &dyn Observer, told: &AtomicU64) -> SearchResult {
        let count = |inner| Counted { inner, sums: [&self.spent, told], last: AtomicU64::new(0) };
        let finished = |outcome| SearchResult { outcome: Ok(outcome), winning: None, losing: Vec::new(), nodes: 1 };
        if let Some(winner) = root.won_by_hand(&self.field) {
            return finished(if winner == root.mover as usize { Outcome::Win } else { Outcome::Loss });
        }
        let first = self.root_order(root);
        if first.is_empty() {
            return finished(Outcome::Loss);
        }
        if let Some(conflicts) =
            Some(self.features.conflicts).filter(|on| *on).and_then(|_| Conflicts::new(&self.game, &self.field, root))
        {
            return self.search_conflicts(&conflicts, root, &first, limits, &count(observer));
        }
        let answered = AtomicBool::new(false);
        let marks = Marks::new();
        let shared = Shared { marks: Some(&marks).filter(|_| limits.threads > 1), ..self.shared() };
        let helped = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 1..limits.threads.max(1) {
                let (shared, helped) = (&shared, &helped);
                // A helper stops when the thread that answers has stopped.
                let limits = Limits { interrupt: Some(&answered), ..limits };
                let counted = count(&Silent);
                let helper = spawn_if_room(scope, move || {
                    let tracker = Tracker::new(limits, &counted);
                    let mut worker = Worker::new(shared, tracker);
                    // What a helper finds is in the table, where the thread that answers reads it.
                    let _ = worker.wins(root, 0);
                    helped.fetch_add(worker.nodes(), Ordering::Relaxed);
                });
                if helper.is_none() {
                    // The system gives no more threads: fewer find the same answer.
                    break;
                }
            }
            let far = Far { inner: observer, search: self, losing: AtomicUsize::new(0), actions: first.len() };
            let counted = Counted { inner: &far, sums: [&self.spent, told], last: AtomicU64::new(0) };
            let mut answer = self.root_search(root, &shared, Tracker::new(limits, &counted), &far.losing);
            answered.store(true, Ordering::Relaxed);
            answer.nodes += 1;
            answer
        })
        .with_nodes(helped.into_inner())
    }

    /// Makes the state that the threads of a search share.
    pub(super) fn shared(&self) -> Shared<'_> {
        Shared {
            field: &self.field,
            table: &self.table,
            dominance: &self.dominance,
            features: self.features,
            race_from: self.race_from,
            turns_from: self.turns_from,
            marks: None,
            counts: Counts::new(),
        }
    }

    /// Returns the placements of the mover, the most promising first.
    fn root_order(&self, root: &Node) -> Vec<Placement> {
        let (mine, theirs) =
            (root.legal(&self.field, root.mover as usize), root.legal(&self.field, 1 - root.mover as usize));
        if !self.features.denial {
            return placements(&mine).collect();
        }
        let mut scored = Vec::new();
        ordered(&self.field, root, &mine, &theirs, &mut Weights::default(), &mut scored);
        scored.sort_unstable();
        scored.into_iter().rev().map(|(_, placement)| placement).collect()
    }

    /// Searches the root in the thread that answers; `lost` counts the actions that are known to
    /// lose.
    fn root_search<'a>(
        &self,
        root: &Node,
        shared: &'a Shared<'a>,
        tracker: Tracker<'a>,
        lost: &AtomicUsize,
    ) -> SearchResult {
        let mut worker = Worker::new(shared, tracker);
        let lives = Lives::new(&self.field, root);
        let mine = &lives.open[root.mover as usize];
        let mut losing = Vec::new();
        let root_key = worker.key_of(root);
        // Helpers may settle the root, and then what it leads to is in the table.
        let key = shared.marks.map(|_| root_key);
        let mut search = |key| {
            worker.winning(root, &lives, key, 0, &mut |placement| {
                losing.push(action(placement));
                lost.store(losing.len(), Ordering::Relaxed);
            })
        };
        // A win that the table knows names a placement by a kind, which may be another one here
        // (`canonical.rs`).
        let known_lost = self.table.get(root_key).is_some_and(|known| !known.win);
        let found = if known_lost { Ok(Found::Known(false)) } else { search(key) };
        let found = match found {
            // The table has the reply that wins, mostly, and the search looks there first.
            Ok(Found::Known(true)) => search(None),
            found => found,
        };
        let (outcome, winning) = match found {
            Ok(Found::Searched(Some(placement))) => (Ok(Outcome::Win), Some(placement)),
            Ok(Found::Searched(None)) => (Ok(Outcome::Loss), None),
            Ok(Found::Known(_)) => {
                losing = placements(mine).map(action).collect();
                (Ok(Outcome::Loss), None)
            }
            Err(unknown) => (Err(unknown), None),
        };
        // Searches of positions before this one look for it.
        if !known_lost && let Ok(outcome) = &outcome {
            let known = Known { win: *outcome == Outcome::Win, best: winning, used: ALL_USED };
            self.table.put(root_key, known, worker.nodes());
        }
        SearchResult { outcome, winning: winning.map(action), losing, nodes: worker.nodes() }
    }

    /// Searches a game of fixed conflicts, by one thread.
    fn search_conflicts(
        &self,
        conflicts: &Conflicts,
        root: &Node,
        first: &[Placement],
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> SearchResult {
        let mut tracker = Tracker::new(limits, observer);
        let answer = {
            let mut tick = || tracker.tick();
            let mut search = ConflictSearch::new(conflicts, &self.table, self.features, &mut tick);
            let sets = |placement| {
                let next = root.play(&self.field, placement);
                [next.legal(&self.field, 0).any, next.legal(&self.field, 1).any]
            };
            let other = 1 - root.mover as usize;
            let mut first = first.to_vec();
            first.sort_by_key(|&placement| !search.loses_at_sight(sets(placement), other));
            root_loop(&first, |placement| search.wins(sets(placement), other))
        };
        SearchResult { nodes: tracker.nodes() + 1, ..answer }
    }
}

pub(super) fn action(placement: Placement) -> Action {
    Action::Place { kind: PodKind::new(placement.kind as usize), at: Point::new(placement.point as usize) }
}

/// Tries the placements of a root; `wins` says whether the opponent wins after one.
fn root_loop(first: &[Placement], mut wins: impl FnMut(Placement) -> Result<bool, Unknown>) -> SearchResult {
    let mut answer = SearchResult { outcome: Ok(Outcome::Loss), winning: None, losing: Vec::new(), nodes: 0 };
    for &placement in first {
        let action = action(placement);
        match wins(placement) {
            Ok(true) => answer.losing.push(action),
            Ok(false) => {
                answer.outcome = Ok(Outcome::Win);
                answer.winning = Some(action);
                break;
            }
            Err(unknown) => {
                answer.outcome = Err(unknown);
                break;
            }
        }
    }
    answer
}

/// Observer that adds the nodes of one thread to sums, then passes those of all threads on.
struct Counted<'a> {
    inner: &'a dyn Observer,
    /// The nodes of all searches, and those of this one.
    sums: [&'a AtomicU64; 2],
    /// The nodes of the thread that the sums already include.
    last: AtomicU64,
}

impl Observer for Counted<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        let more = done.saturating_sub(self.last.swap(done, Ordering::Relaxed));
        let [_, here] = self.sums.map(|sum| sum.fetch_add(more, Ordering::Relaxed) + more);
        self.inner.progress(phase, here, total);
    }

    fn stop(&self) -> Option<Stopped> {
        self.inner.stop()
    }
}

/// Observer that reports the detailed progress of a search along with each plain report.
struct Far<'a> {
    inner: &'a dyn Observer,
    search: &'a Search,
    losing: AtomicUsize,
    actions: usize,
}

impl Observer for Far<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        self.inner.progress(phase, done, total);
        let (nodes, losing) = (self.search.nodes(), self.losing.load(Ordering::Relaxed));
        self.inner.search(&HowFar { nodes, losing, actions: self.actions, fill: self.search.fill() });
    }

    fn stop(&self) -> Option<Stopped> {
        self.inner.stop()
    }
}

impl SearchResult {
    fn with_nodes(mut self, more: u64) -> SearchResult {
        self.nodes += more;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_the_nodes_of_all_threads() {
        struct Heard(AtomicU64);
        impl Observer for Heard {
            fn progress(&self, _: Phase, done: u64, _: Option<u64>) {
                self.0.store(done, Ordering::Relaxed);
            }
        }
        let (heard, before, here) = (Heard(AtomicU64::new(0)), AtomicU64::new(1_000), AtomicU64::new(0));
        let thread = |inner| Counted { inner, sums: [&before, &here], last: AtomicU64::new(0) };
        let [answers, helps] = [thread(&heard as &dyn Observer), thread(&Silent)];
        for done in [10, 30] {
            helps.progress(Phase::Search, done, None);
            answers.progress(Phase::Search, done + 1, None);
            assert_eq!(heard.0.load(Ordering::Relaxed), 2 * done + 1);
        }
        assert_eq!(before.into_inner(), 1_061);
    }
}
