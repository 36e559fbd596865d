//! The plan of an answer: one ladder of methods, for a position and for a setup.
//!
//! | game | step | finds | used |
//! | --- | --- | --- | --- |
//! | any | list of certificates | winner | if the answerer has the library, and it names the position |
//! | any | table on disk | value | if one holds the position |
//! | placement | mirror theorem | winner | first, if exhaustive search is not expected to fit in memory |
//! | placement | exhaustive search, first look | value | always; few positions, or all if they are expected to be few |
//! | placement | mirror theorem | winner | if the winner is open, and the position is symmetric |
//! | placement | search for the winner | winner | if the winner is open |
//! | placement | exhaustive search, continued | distance | if more than the winner is wanted |
//! | with moves | sweeps: a table in memory | value | first, if it is soon made |
//! | with moves | retrograde analysis by hash, first look | value | else; few positions |
//! | with moves | forced wins, first look | forced win | before a table that takes long |
//! | with moves | sweeps, or by hash where there is no index | value | if they fit within the limits |
//! | with moves | forced wins | forced win | if the value is open |
//!
//! A step that is `used` if something is open runs only if the steps before it leave that open. All
//! steps share the limits of the request (`driver.rs`); a step that may run for ever without a limit
//! has one of its own. With limits, an early step gets only a share, so that a later one has
//! something left: of nodes a share that depends on the limits alone, so a larger limit gives no
//! step less.

use super::answerer::Answerer;
use super::request::{Request, SolveError};
use crate::files::named;
use crate::position::Position;
use crate::solver::{Exhaustive, Method, Prediction, Retrograde, Stopped, Tracker};
use crate::table::MemoryPlan;

/// Positions that exhaustive search may take before the search for the winner begins. Most games
/// with reduced hands need fewer.
const LEAST_SEARCH_NODES: u64 = 200_000;

/// Largest number of expected positions for which exhaustive search goes first, and may take all of
/// them. It gives the distance as well; and the search for the winner can take long where two sides
/// with many pods race for points.
const SMALL_GAME: u128 = 6_000_000;

/// Positions that exhaustive search may take if the limits do not say: to find the distance when
/// the winner is known, and when it is expected to need more than fits in memory.
pub(crate) const FOR_DISTANCE: u64 = 5_000_000;

/// Nodes of the search for the winner if the limits do not say.
pub(crate) const FOR_WINNER: u64 = 50_000_000;

/// Nodes of the search that looks ahead if nothing else fits and the limits do not say.
pub(crate) const FOR_LOOKING_AHEAD: u64 = 20_000_000;

/// Nodes of the search that looks ahead before a table that takes long.
const FIRST_AHEAD: u64 = 2_000_000;

/// Longest time planned for a table, in seconds, without a search that looks ahead first.
const PATIENCE: f64 = 5.0;

/// Part of the time limit that a plan may take without that search: one in so many. The plan is a
/// guess, and the values are verified too.
const SAFE: u32 = 8;

/// Positions that retrograde analysis by hash may list if no table fits, or if a table would take
/// long.
const FEW: u64 = 500_000;

/// The most bytes that retrograde analysis by hash takes for a position.
pub(super) const BYTES_A_POSITION: u64 = 256;

named! {
    /// Result that a step looks for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Finds {
        /// The value: winner or draw, with the distance in plies.
        Value = "value",
        /// The winner.
        Winner = "winner",
        /// The distance in plies, once the winner is known.
        Distance = "distance",
        /// A win that can be forced, within a growing number of plies.
        ForcedWin = "forced win",
    }
}

/// Condition under which a step is used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Used {
    /// It is the first that is used, or comes after one that may find nothing.
    Yes,
    /// If the steps before it leave open what it finds.
    IfOpen,
    /// Not within these limits.
    Refused(Stopped),
    /// Not for this game or this position, for this reason.
    Unfit(String),
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The method.
    pub method: Method,
    /// Result that it looks for.
    pub finds: Finds,
    /// Condition under which it is used.
    pub used: Used,
    /// Positions and bytes that it is expected to take; `None` if nothing predicts them.
    pub predicted: Option<Prediction>,
    /// Seconds on two cores that it is expected to take; `None` if nothing predicts them.
    pub seconds: Option<f64>,
    /// The most positions, or nodes of a search, that it may take; `None` for no such limit.
    pub limit: Option<u64>,
    /// It gets one part in so many of the time that is left.
    pub(super) parts: u32,
}

impl Step {
    /// Creates a step for what is open, which may take all the time that is left.
    pub(super) fn new(method: Method, finds: Finds, limit: u64) -> Step {
        let limit = Some(limit).filter(|limit| *limit < u64::MAX);
        Step { method, finds, used: Used::IfOpen, predicted: None, seconds: None, limit, parts: 1 }
    }

    fn in_parts(self, parts: u32) -> Step {
        Step { parts, ..self }
    }

    fn predicted(self, predicted: Prediction) -> Step {
        Step { predicted: Some(predicted), ..self }
    }

    fn used(self, used: Used) -> Step {
        Step { used, ..self }
    }

    pub(super) fn alone(method: Method, tracker: &Tracker<'_>) -> Step {
        let (finds, limit) = match method {
            Method::Mirror | Method::Search => (Finds::Winner, u64::MAX),
            Method::AlphaBeta | Method::Forced | Method::Tree => {
                (Finds::ForcedWin, tracker.limits().or_nodes(FOR_LOOKING_AHEAD).nodes)
            }
            _ => (Finds::Value, u64::MAX),
        };
        Step::new(method, finds, limit)
    }
}

/// Returns the steps for a position, in their order. `for_all` puts a table first, whatever it
/// takes, since it is wanted for other positions too.
pub(super) fn ladder(answerer: &Answerer<'_>, position: &Position, for_all: bool, tracker: &Tracker<'_>) -> Vec<Step> {
    if answerer.game().rules().can_cycle() {
        cycling(answerer, position, for_all, tracker)
    } else {
        placement(answerer, position, tracker)
    }
}

/// Returns the steps for a game that cannot cycle (R14).
fn placement(answerer: &Answerer<'_>, position: &Position, tracker: &Tracker<'_>) -> Vec<Step> {
    let (limits, half) = (tracker.part(1), tracker.part(2).nodes);
    let predicted = Exhaustive::predict(answerer.engine(), position);
    let fits = predicted.bytes <= u128::from(limits.memory);
    let expected = if predicted.positions <= SMALL_GAME { predicted.positions as u64 } else { 0 };
    let first = half.min(expected.max(LEAST_SEARCH_NODES));
    // If the winner is still unknown by then, it goes on if it may end.
    let most = u64::try_from(predicted.positions).unwrap_or(u64::MAX);
    let second = if fits { most.max(FOR_DISTANCE) } else { FOR_DISTANCE };
    let second = if limits.nodes == u64::MAX { second } else { limits.nodes };
    let first = Step::new(Method::Exhaustive, Finds::Value, first).in_parts(2).predicted(predicted);
    let mirror = Step::new(Method::Mirror, Finds::Winner, u64::MAX);
    let symmetric = answerer.mirror(position);
    let mut steps = vec![
        first,
        mirror.used(symmetric.as_ref().map_or_else(|error| Used::Unfit(error.to_string()), |_| Used::IfOpen)),
        Step::new(Method::Search, Finds::Winner, limits.or_nodes(FOR_WINNER).nodes),
    ];
    if fits || symmetric.is_err() {
        steps.push(Step::new(Method::Exhaustive, Finds::Distance, second).predicted(predicted));
    }
    if !fits {
        steps.swap(0, 1);
    }
    steps
}

/// Returns the steps for a game in which play may return to an earlier position (R21).
fn cycling(answerer: &Answerer<'_>, position: &Position, for_all: bool, tracker: &Tracker<'_>) -> Vec<Step> {
    let limits = tracker.part(1);
    // A share of the nodes; all where they have no limit.
    let share = |of: u64| if limits.nodes == u64::MAX { u64::MAX } else { limits.nodes / of };
    let by_hash = |most: u64| Step::new(Method::Retrograde, Finds::Value, most);
    let ahead =
        |nodes: u64| Step::new(Method::Forced, Finds::ForcedWin, limits.or_nodes(nodes).nodes.min(limits.nodes));
    let few = |most: u64| by_hash(most.min(FEW).min(limits.memory / BYTES_A_POSITION)).in_parts(4);
    let last = ahead(FOR_LOOKING_AHEAD);
    let (refused, predicted) = match MemoryPlan::for_position(answerer.game(), position) {
        Ok(table) => {
            let (positions, seconds) = (table.positions(), table.seconds());
            let predicted = Prediction { positions: positions.into(), bytes: table.bytes().into() };
            match refusal(&table, tracker) {
                None => {
                    let in_time = |time: std::time::Duration| seconds <= time.as_secs_f64();
                    let soon = seconds <= PATIENCE && tracker.part(SAFE).time.is_none_or(in_time);
                    let table = Step::new(Method::Sweeps, Finds::Value, limits.nodes).predicted(predicted);
                    let table = Step { seconds: Some(seconds), ..table };
                    // The plan is a guess: looking ahead may answer where the table is not
                    // finished in time.
                    if soon || for_all {
                        return vec![table.in_parts(2), last];
                    }
                    let spare = if limits.nodes == u64::MAX { u64::MAX } else { (limits.nodes - positions) / 2 };
                    let first = ahead(FIRST_AHEAD);
                    let first = Step { limit: first.limit.map(|most| most.min(spare)), ..first };
                    return vec![few(spare), first.in_parts(4), table, last];
                }
                Some(stopped) => (stopped, predicted),
            }
        }
        Err(_) => {
            let (predicted, limit) = (Retrograde::predict(answerer.engine(), &[position]), limits.memory_limit());
            if predicted.bytes <= u128::from(limit.bytes) {
                return vec![few(share(4)), by_hash(share(2)).predicted(predicted), last];
            }
            (Stopped::WouldNotFit { predicted, limit }, predicted)
        }
    };
    let all = Step::new(Method::Sweeps, Finds::Value, limits.nodes).predicted(predicted);
    vec![few(share(4)), all.used(Used::Refused(refused)), last]
}

/// Returns the reason why a table in memory may not be made.
pub(super) fn refusal(plan: &MemoryPlan, tracker: &Tracker<'_>) -> Option<Stopped> {
    let (limit, positions) = (tracker.limits().memory_limit(), tracker.limits().nodes);
    if plan.bytes() > limit.bytes {
        let predicted = Prediction { positions: plan.positions().into(), bytes: plan.bytes().into() };
        return Some(Stopped::WouldNotFit { predicted, limit });
    }
    if plan.positions() > positions {
        return Some(Stopped::LimitReached { positions });
    }
    let left = tracker.part(1).time?;
    (plan.seconds() > left.as_secs_f64()).then_some(Stopped::TimeUp { limit: tracker.limits().asked_time()? })
}

impl Answerer<'_> {
    /// Returns the plan by which [`Answerer::answer`] would answer this request without a method:
    /// the methods that fit, in their order, with what each is expected to take and may take.
    ///
    /// # Errors
    ///
    /// If a table cannot be read.
    pub fn plan(&mut self, position: &Position, request: Request<'_>) -> Result<Vec<Step>, SolveError> {
        let tracker = Tracker::new(request.limits, &crate::solver::Silent);
        let mut steps = Vec::new();
        if self.proven(position).is_some() {
            steps.push(Step::new(Method::Library, Finds::Winner, u64::MAX));
        }
        if let Some(tables) = &mut self.on_disk
            && tables.solve(position, false)?.is_some()
        {
            steps.push(Step::new(Method::Table, Finds::Value, u64::MAX));
        }
        steps.extend(ladder(self, position, false, &tracker));
        // Nothing comes before the first.
        if let Some(first) = steps.iter_mut().find(|step| step.used == Used::IfOpen) {
            first.used = Used::Yes;
        }
        Ok(steps)
    }
}
