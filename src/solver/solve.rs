//! One position solved, by whichever method fits the rules.

use super::exhaustive::{Bounds, Exhaustive};
use super::limits::{Limits, Observer, Stopped};
use super::mirror::{NoMirror, mover_loses_by_mirror};
use super::retrograde::Retrograde;
use super::search::Search;
use super::solution::{Finding, Method, Request, Solution, Unsolved, Verdict};
use super::tracker::{Tracker, Unknown};
use super::value::{BEST_SCORE, Outcome, Value};
use super::verify::Discrepancy;
use crate::engine::bitboard::Bitboard;
use crate::engine::reference::Reference;
use crate::engine::{Engine, Status};
use crate::position::{Action, Game, Position};

/// Nodes after which the search for the outcome stops, where nobody asked for it by name or limited it.
const SECOND_TRY: u64 = 50_000_000;

/// Why a position was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// A limit; the winner is not known.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The verification found a value that does not follow from the next ones.
    #[error(transparent)]
    Discrepancy(#[from] Discrepancy),
    /// The method is for games that cannot cycle.
    #[error(
        "exhaustive search needs rules under which play cannot return to an earlier position (R21): use retrograde"
    )]
    CanCycle,
    /// The search is for games in which nothing moves or is captured.
    #[error("search needs rules without moves and captures (R14): use retrograde, or --max-plies for a forced win")]
    NotPlacement,
    /// Tables are read by the floors above.
    #[error("no table holds the position: build one with `pods table build` and name its folder with --tables")]
    NoTable,
    /// The mirror theorem does not apply.
    #[error(transparent)]
    NoMirror(#[from] NoMirror),
}

/// Solves one position.
///
/// ```
/// use pods::material::{builtin_board, builtin_pods};
/// use pods::position::Game;
/// use pods::rules::Preset;
/// use pods::solver::{Request, Silent, solve};
///
/// let game = Game::new(builtin_board("nook9").unwrap(), builtin_pods("duo").unwrap(), Preset::Standard.into());
/// let start = game.position("3/3/3 w bt bt open").unwrap();
/// let request = Request { method: None, verify: true, limits: Default::default() };
/// let solution = solve(&game, &start, request, &Silent).unwrap();
/// assert!(solution.verified.is_some());
/// ```
///
/// # Errors
///
/// If a limit is reached before the winner is known, the method does not fit, or the verification fails.
pub fn solve(
    game: &Game,
    position: &Position,
    request: Request,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    match solve_within(game, position, request, observer)? {
        Finding::Solved(solution) => Ok(solution),
        Finding::Unknown(unsolved) => Err(unsolved.stopped.into()),
    }
}

/// Solves one position within limits, and tells what is known if they do not suffice. Nodes and threads are those of
/// [`Method::Search`]; time and interrupt end any method, but for the verification and the last phase of the retrograde
/// analysis.
///
/// # Errors
///
/// If the job would not fit in memory, the method does not fit, or the verification fails.
pub fn solve_within(
    game: &Game,
    position: &Position,
    request: Request<'_>,
    observer: &dyn Observer,
) -> Result<Finding, SolveError> {
    run(game, position, request, observer, None)
}

/// The search that [`Method::Search`] takes for a game: its table is as large as is of use within the limits.
///
/// # Errors
///
/// If the rules have moves or captures.
pub fn open_search(game: &Game, limits: Limits<'_>) -> Result<Search, SolveError> {
    Search::new(game, limits.memory.min(TABLE)).ok_or(SolveError::NotPlacement)
}

/// As [`solve_within`] by [`Method::Search`], with a search that may know something already. Nodes are those of all that
/// the search was asked.
///
/// # Errors
///
/// If the verification of a finished game fails.
pub fn search_within(
    search: &Search,
    position: &Position,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Finding, SolveError> {
    let request = Request { method: Some(Method::Search), verify: true, limits };
    run(search.game(), position, request, observer, Some(search))
}

fn run(
    game: &Game,
    position: &Position,
    request: Request<'_>,
    observer: &dyn Observer,
    search: Option<&Search>,
) -> Result<Finding, SolveError> {
    let tracker = Tracker::new(request.limits, observer);
    let (engine, reference) = (Bitboard::new(game.clone()), Reference::new(game.clone()));
    Job { game, engine, reference, position, request, tracker: &tracker, search }.run()
}

/// A position to solve, and what for.
struct Job<'a> {
    game: &'a Game,
    engine: Bitboard,
    reference: Reference,
    position: &'a Position,
    request: Request<'a>,
    tracker: &'a Tracker<'a>,
    /// The search to use; `None` for a new one.
    search: Option<&'a Search>,
}

/// The most memory for the table of a search: a larger one would not be filled within the time that people wait.
const TABLE: u64 = 1 << 30;

impl Job<'_> {
    fn run(&self) -> Result<Finding, SolveError> {
        let status = self.engine.status(self.position);
        if let Status::Won(_) = status {
            return self.finished(status);
        }
        let cycles = self.game.rules().can_cycle();
        match self.request.method {
            Some(Method::Mirror) => Ok(self.mirror()?),
            Some(Method::Search) => self.search(u64::MAX),
            Some(Method::Table) => Err(SolveError::NoTable),
            Some(Method::Exhaustive) if cycles => Err(SolveError::CanCycle),
            Some(Method::Retrograde) => self.retrograde(),
            None | Some(Method::Rules) if cycles => self.retrograde(),
            None | Some(Method::Rules | Method::Exhaustive) => self.placement(),
        }
    }

    /// A solution by a method that tells the verdict and nothing else.
    fn solution(&self, verdict: Verdict, method: Method, positions: u64) -> Solution {
        Solution {
            status: Status::Ongoing,
            verdict,
            best: None,
            winning: None,
            line: None,
            positions,
            method,
            verified: None,
            stopped: None,
        }
    }

    fn finished(&self, status: Status) -> Result<Finding, SolveError> {
        let won = status == Status::Won(self.position.to_move());
        let verify = self.request.verify;
        if verify && self.reference.status(self.position) != status {
            let cause = format!("the engines disagree on the status {}", status.name());
            return Err(Discrepancy { position: self.position.text(self.game), cause }.into());
        }
        let verdict = Verdict::Value(if won { Value::Win(0) } else { Value::Loss(0) });
        let (best, line, verified) = (Some(Vec::new()), Some(Vec::new()), verify.then_some(1));
        let solution = self.solution(verdict, Method::Rules, 1);
        Ok(Finding::Solved(Solution { status, best, line, verified, ..solution }))
    }

    fn mirror(&self) -> Result<Finding, NoMirror> {
        mover_loses_by_mirror(self.game, self.position)?;
        Ok(Finding::Solved(self.solution(Verdict::Outcome(Outcome::Loss), Method::Mirror, 1)))
    }

    /// A game that cannot cycle: exhaustively, or else by what settles larger ones.
    fn placement(&self) -> Result<Finding, SolveError> {
        let Request { method, limits, .. } = self.request;
        let fits = Exhaustive::predict(&self.engine, self.position).bytes <= u128::from(limits.memory);
        let free = method.is_none() && !fits;
        if free && let Ok(finding) = self.mirror() {
            return Ok(finding);
        }
        let finding = self.exhaustive(self.request.attempt(fits).limits)?;
        match &finding {
            Finding::Unknown(Unsolved { stopped: Stopped::LimitReached { .. }, .. })
                if free && limits.positions == u64::MAX && Search::fits(self.game) =>
            {
                self.search(SECOND_TRY)
            }
            _ => Ok(finding),
        }
    }

    /// The search for the outcome; at most so many nodes, unless the budget has a number.
    fn search(&self, nodes: u64) -> Result<Finding, SolveError> {
        let limits = self.request.limits;
        let fresh;
        let search = match self.search {
            Some(search) => search,
            None => {
                fresh = open_search(self.game, limits)?;
                &fresh
            }
        };
        let left = self.tracker.part(1);
        let most = if left.nodes == u64::MAX { nodes } else { left.nodes };
        let limits = left.with_nodes(most.min(limits.positions));
        let answer = search.solve(self.position, limits, self.tracker.observer());
        let nodes = search.nodes();
        let cause = match answer.outcome {
            Ok(outcome) => {
                let solution = self.solution(Verdict::Outcome(outcome), Method::Search, nodes);
                return Ok(Finding::Solved(Solution { winning: answer.winning, ..solution }));
            }
            Err(cause) => cause,
        };
        let stopped = match cause {
            Unknown::Nodes => Stopped::NodesReached { nodes: limits.nodes },
            cause => self.tracker.reason(cause),
        };
        let mut losing = answer.losing;
        losing.sort_by_key(|&action| self.game.action_text(action));
        Ok(Finding::Unknown(Unsolved {
            stopped,
            at_least: None,
            at_most: None,
            losing,
            actions: self.engine.actions(self.position).len(),
            positions: nodes,
            method: Method::Search,
        }))
    }

    fn retrograde(&self) -> Result<Finding, SolveError> {
        let Job { engine, position, request, .. } = self;
        let table = match Retrograde::build(engine, &[position], request.limits, self.tracker) {
            Ok(table) => table,
            Err(stopped @ Stopped::WouldNotFit { .. }) => return Err(stopped.into()),
            Err(stopped) => return Ok(Finding::Unknown(self.nothing(stopped, Method::Retrograde))),
        };
        let value_of = |p: &Position| Ok(table.value(p).expect("the root leads to it"));
        let value = value_of(position)?;
        let verified = request.verify.then(|| table.verify(&self.reference, self.tracker)).transpose()?;
        let solution = self.solution(Verdict::Value(value), Method::Retrograde, table.positions());
        Ok(Finding::Solved(Solution {
            best: Some(best_actions(engine, position, value, |p, needed| Ok(value_of(p)? == needed))?),
            line: Some(main_line(engine, position, value, value_of)?),
            verified,
            ..solution
        }))
    }

    /// Nothing is known.
    fn nothing(&self, stopped: Stopped, method: Method) -> Unsolved {
        let positions = match stopped {
            Stopped::LimitReached { positions } => positions,
            _ => 0,
        };
        let actions = self.engine.actions(self.position).len();
        Unsolved { stopped, at_least: None, at_most: None, losing: Vec::new(), actions, positions, method }
    }

    fn exhaustive(&self, limits: Limits<'_>) -> Result<Finding, SolveError> {
        let Job { engine, position, tracker, .. } = self;
        let mut search = Exhaustive::new(engine.clone(), &[position], limits);
        let value = match search.value(position, *tracker) {
            Ok(value) => value,
            Err(stopped) => return self.bounded(search, stopped),
        };
        let positions = search.positions();
        let verify = self.request.verify;
        let verified =
            verify.then(|| search.verify(&self.reference, &[(position, value)], &[], *tracker)).transpose()?;
        let best = best_actions(engine, position, value, |p, needed| search.has_value(p, needed, *tracker));
        let line = main_line(engine, position, value, |p| search.value(p, *tracker));
        let stopped = best.as_ref().err().or(line.as_ref().err()).copied();
        let solution = self.solution(Verdict::Value(value), Method::Exhaustive, positions);
        let (best, line) = (best.ok(), line.ok());
        // The first action of a line is as good as any.
        let winning =
            line.iter().flatten().next().copied().filter(|_| best.is_none() && value.outcome() == Outcome::Win);
        Ok(Finding::Solved(Solution { best, winning, line, verified, stopped, ..solution }))
    }

    /// What an exhaustive search that came to a limit knows of the position, from what it knows of the next ones.
    fn bounded(&self, mut search: Exhaustive, stopped: Stopped) -> Result<Finding, SolveError> {
        let Job { engine, position, tracker, .. } = self;
        let (mut low, mut high) = (-BEST_SCORE, -BEST_SCORE);
        let (mut winning, mut losing) = (None, Vec::new());
        let actions = engine.actions(position);
        for &action in &actions {
            let next = engine.apply(position, action).expect("listed as legal").next;
            let after = match engine.status(&next) {
                Status::Ongoing => search.bounds(&next).unwrap_or(Bounds::NONE).before(),
                Status::Won(side) if side == position.to_move() => Bounds::exactly(BEST_SCORE - 1),
                Status::Won(_) => Bounds::exactly(1 - BEST_SCORE),
            };
            if after.low > 0 && after.low > low {
                winning = Some(action);
            }
            if after.high < 0 {
                losing.push(action);
            }
            (low, high) = (low.max(after.low), high.max(after.high));
        }
        let positions = search.positions();
        let outcome = match (low > 0, high < 0) {
            (true, _) => Outcome::Win,
            (_, true) => Outcome::Loss,
            _ => {
                let bound = |score: i16| (score.abs() < BEST_SCORE - 1).then(|| Value::from_score(score));
                let (at_least, at_most) = (bound(low), bound(high));
                let (actions, method) = (actions.len(), Method::Exhaustive);
                let unsolved = Unsolved { stopped, at_least, at_most, losing, actions, positions, method };
                return Ok(Finding::Unknown(unsolved));
            }
        };
        search.narrow(position, Bounds { low, high });
        let claim = [(*position, outcome)];
        let verify = self.request.verify;
        let verified = verify.then(|| search.verify(&self.reference, &[], &claim, *tracker)).transpose()?;
        let solution = self.solution(Verdict::Outcome(outcome), Method::Exhaustive, positions);
        Ok(Finding::Solved(Solution { winning, verified, stopped: Some(stopped), ..solution }))
    }
}

/// The value that a next position has to have for an action to keep the value.
fn after(value: Value) -> Value {
    match value {
        Value::Loss(plies) => Value::Win(plies - 1),
        Value::Draw => Value::Draw,
        Value::Win(plies) => Value::Loss(plies - 1),
    }
}

/// The actions after which the position has the value that keeps this one.
fn best_actions(
    engine: &Bitboard,
    position: &Position,
    value: Value,
    mut has_value: impl FnMut(&Position, Value) -> Result<bool, Stopped>,
) -> Result<Vec<Action>, Stopped> {
    let mut best = Vec::new();
    for action in engine.actions(position) {
        let next = engine.apply(position, action).expect("listed as legal").next;
        if has_value(&next, after(value))? {
            best.push(action);
        }
    }
    Ok(best)
}

fn main_line(
    engine: &Bitboard,
    position: &Position,
    value: Value,
    mut value_of: impl FnMut(&Position) -> Result<Value, Stopped>,
) -> Result<Vec<Action>, Stopped> {
    let (mut line, mut here, mut value) = (Vec::new(), position.clone(), value);
    while value.plies().is_some_and(|plies| plies > 0) {
        let wanted = after(value);
        let mut step = None;
        for action in engine.actions(&here) {
            let next = engine.apply(&here, action).expect("listed as legal").next;
            if value_of(&next)? == wanted {
                step = Some((action, next));
                break;
            }
        }
        let (action, next) = step.expect("some action keeps the value");
        line.push(action);
        here = next;
        value = wanted;
    }
    Ok(line)
}
