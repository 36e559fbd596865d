//! One position solved, by whichever method fits the rules.

use std::fmt;

use super::exhaustive::Exhaustive;
use super::limits::{Limits, Observer, Stopped};
use super::mirror::{NoMirror, mover_loses_by_mirror};
use super::retrograde::Retrograde;
use super::search::{Budget, Search};
use super::value::{Outcome, Plies, Value};
use super::verify::Discrepancy;
use crate::engine::bitboard::Bitboard;
use crate::engine::reference::Reference;
use crate::engine::{Engine, Status};
use crate::position::{Action, Game, Position};

/// How a value is got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// The game is over: the rules alone say who has won.
    Rules,
    /// Alpha-beta search to the end; for games that cannot cycle.
    Exhaustive,
    /// Retrograde analysis; for every game.
    Retrograde,
    /// The mirror theorem; gives the outcome and no distance.
    Mirror,
    /// Search for the outcome alone ([`super::search`]), for games of any size in which nothing moves or is captured.
    Search,
    /// Looked up in a table on disk ([`crate::table`]), by the floors above this one.
    Table,
}

impl Method {
    /// The name, as in reports and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::Rules => "rules",
            Method::Exhaustive => "exhaustive",
            Method::Retrograde => "retrograde",
            Method::Mirror => "mirror",
            Method::Search => "search",
            Method::Table => "table",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The method; `None` for the one that fits: retrograde where play can cycle; else the mirror theorem where it applies
    /// and a search might not fit in memory; else exhaustive search.
    pub method: Option<Method>,
    /// Whether to derive the value again with the reference engine.
    pub verify: bool,
    /// What may be used.
    pub limits: Limits,
}

impl Request {
    /// The request, with a number of positions to stop at where there is none and the job might not fit in memory.
    fn attempt(mut self, fits: bool) -> Request {
        if !fits && self.limits.positions == u64::MAX {
            self.limits.positions = Limits::ATTEMPT;
        }
        self
    }
}

/// Nodes after which the search for the outcome stops, where nobody asked for it by name or limited it.
const SECOND_TRY: u64 = 50_000_000;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Value and distance.
    Value(Value),
    /// The outcome without a distance.
    Outcome(Outcome),
}

impl Verdict {
    /// The outcome.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Verdict::Value(value) => value.outcome(),
            Verdict::Outcome(outcome) => outcome,
        }
    }

    /// Plies to the end, where they are known and the game is not drawn.
    #[must_use]
    pub const fn plies(self) -> Option<Plies> {
        match self {
            Verdict::Value(value) => value.plies(),
            Verdict::Outcome(_) => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Value(value) => write!(f, "{value}"),
            Verdict::Outcome(outcome) => f.write_str(outcome.name()),
        }
    }
}

/// A solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Whether the game goes on.
    pub status: Status,
    /// What is known.
    pub verdict: Verdict,
    /// The actions that keep the value and the distance, sorted; empty in a finished game and where the method does not
    /// tell.
    pub best: Vec<Action>,
    /// An action that wins, where the method finds one and does not tell the best.
    pub winning: Option<Action>,
    /// Best play by both sides to the end, the first of the best actions each time; empty for draws and where the
    /// method does not tell.
    pub line: Vec<Action>,
    /// How many positions the method went through.
    pub positions: u64,
    /// The method.
    pub method: Method,
    /// How many positions the separate pass with the reference engine looked at; `None` if there was none.
    pub verified: Option<u64>,
}

/// Why a position was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// A limit; nothing is known of the value.
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
/// If a limit is reached, the method does not fit, or the verification fails.
pub fn solve(
    game: &Game,
    position: &Position,
    request: Request,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    let engine = Bitboard::new(game.clone());
    let reference = Reference::new(game.clone());
    let status = engine.status(position);
    if let Status::Won(side) = status {
        let value = if side == position.to_move() { Value::Win(0) } else { Value::Loss(0) };
        let verified = request.verify.then(|| (reference.status(position) == status).then_some(1)).flatten();
        if request.verify && verified.is_none() {
            let cause = format!("the engines disagree on the status {}", status.name());
            return Err(Discrepancy { position: position.text(game), cause }.into());
        }
        let verdict = Verdict::Value(value);
        let (best, line) = (Vec::new(), Vec::new());
        return Ok(Solution {
            status,
            verdict,
            best,
            winning: None,
            line,
            positions: 1,
            method: Method::Rules,
            verified,
        });
    }
    let by_rules = if game.rules().can_cycle() { Method::Retrograde } else { Method::Exhaustive };
    match request.method.unwrap_or(by_rules) {
        Method::Mirror => mirror(game, position, status).map_err(SolveError::from),
        Method::Exhaustive if game.rules().can_cycle() => Err(SolveError::CanCycle),
        Method::Retrograde => retrograde(&engine, &reference, position, request, observer),
        Method::Exhaustive | Method::Rules => {
            let unlimited = request.limits.positions == u64::MAX;
            let fits = Exhaustive::predict(&engine, position).bytes <= u128::from(request.limits.memory);
            match mirror(game, position, status) {
                Ok(solution) if request.method.is_none() && !fits => Ok(solution),
                _ => match exhaustive(&engine, &reference, position, request.attempt(fits), observer) {
                    Err(SolveError::Stopped(_))
                        if request.method.is_none() && !fits && unlimited && Search::fits(game) =>
                    {
                        search(game, position, request.limits, SECOND_TRY, observer)
                    }
                    answer => answer,
                },
            }
        }
        Method::Search => search(game, position, request.limits, u64::MAX, observer),
        Method::Table => Err(SolveError::NoTable),
    }
}

/// The most memory for the table of a search: a larger one would not be filled within the time that people wait.
const TABLE: u64 = 1 << 30;

fn search(
    game: &Game,
    position: &Position,
    limits: Limits,
    nodes: u64,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    let search = Search::new(game, limits.memory.min(TABLE)).ok_or(SolveError::NotPlacement)?;
    let budget = Budget { nodes: nodes.min(limits.positions), ..Budget::default() };
    let answer = search.solve(position, budget, observer);
    let outcome = answer.outcome.map_err(|_| Stopped::LimitReached { positions: answer.nodes })?;
    Ok(Solution {
        status: Status::Ongoing,
        verdict: Verdict::Outcome(outcome),
        best: Vec::new(),
        winning: answer.winning,
        line: Vec::new(),
        positions: answer.nodes,
        method: Method::Search,
        verified: None,
    })
}

fn mirror(game: &Game, position: &Position, status: Status) -> Result<Solution, NoMirror> {
    mover_loses_by_mirror(game, position)?;
    let verdict = Verdict::Outcome(Outcome::Loss);
    let (best, line) = (Vec::new(), Vec::new());
    Ok(Solution { status, verdict, best, winning: None, line, positions: 1, method: Method::Mirror, verified: None })
}

fn retrograde(
    engine: &Bitboard,
    reference: &Reference,
    position: &Position,
    request: Request,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    let table = Retrograde::build(engine, &[position], request.limits, observer)?;
    let value_of = |p: &Position| Ok(table.value(p).expect("the root leads to it"));
    let value = value_of(position)?;
    Ok(Solution {
        status: Status::Ongoing,
        verdict: Verdict::Value(value),
        best: best_actions(engine, position, value, |p, needed| Ok(value_of(p)? == needed))?,
        winning: None,
        line: main_line(engine, position, value, value_of)?,
        positions: table.positions(),
        method: Method::Retrograde,
        verified: request.verify.then(|| table.verify(reference, observer)).transpose()?,
    })
}

fn exhaustive(
    engine: &Bitboard,
    reference: &Reference,
    position: &Position,
    request: Request,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    let mut search = Exhaustive::new(engine.clone(), &[position], request.limits);
    let value = search.value(position, observer)?;
    let positions = search.positions();
    let verified = request.verify.then(|| search.verify(reference, &[(position, value)], &[], observer)).transpose()?;
    let best = best_actions(engine, position, value, |p, needed| search.has_value(p, needed, observer))?;
    let line = main_line(engine, position, value, |p| search.value(p, observer))?;
    let (status, verdict) = (Status::Ongoing, Verdict::Value(value));
    Ok(Solution { status, verdict, best, winning: None, line, positions, method: Method::Exhaustive, verified })
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
