//! The plan of an answer: one ladder of methods, for a position and for a setup.
//!
//! | game | step | finds | used |
//! | --- | --- | --- | --- |
//! | any | list of certificates | winner | if the answerer has the library, and it names the position |
//! | any | table on disk | value | if one holds the position |
//! | placement | mirror theorem | winner | first, if exhaustive search is not expected to fit in memory |
//! | placement | exhaustive search, first look | value | always; few positions, or all if they are expected to be few |
//! | placement | mirror theorem | winner | if the value is open, and the position is symmetric |
//! | placement | search for the winner | winner | if the winner is open |
//! | placement | exhaustive search, continued | distance | if more than the winner is wanted |
//! | with moves | sweeps: a table in memory | value | first, if it is soon made |
//! | with moves | retrograde analysis by hash, first look | value | else; few positions |
//! | with moves | forced wins, first look | forced win | before a table that takes long |
//! | with moves | sweeps, or by hash where there is no index | value | if they fit within the limits |
//! | with moves | forced wins | forced win | if the value is open |
//!
//! A step that is `used` if something is open runs only if the steps before it leave that open. The
//! limits of a request hold for all steps together; a step that may run for ever without one has a
//! limit of its own.

use super::answerer::Answerer;
use super::request::{Request, SolveError};
use crate::files::named;
use crate::position::Position;
use crate::solver::search::Search;
use crate::solver::{Exhaustive, Limits, Method, Prediction, Retrograde, Stopped, Tracker};
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
}

impl Step {
    fn new(method: Method, finds: Finds, used: Used, limit: u64) -> Step {
        let limit = Some(limit).filter(|limit| *limit < u64::MAX);
        Step { method, finds, used, predicted: None, seconds: None, limit }
    }
}

/// Plan for a game that cannot cycle (R14).
pub(super) struct PlacementPlan<'l> {
    /// Size that the whole exhaustive search is expected to have.
    pub(super) predicted: Prediction,
    /// True if the mirror theorem comes before exhaustive search.
    pub(super) theorem_first: bool,
    /// Limits of the first look by exhaustive search: half of the time that is left.
    pub(super) first_look: Limits<'l>,
}

impl<'l> PlacementPlan<'l> {
    pub(super) fn new(answerer: &Answerer<'_>, position: &Position, tracker: &Tracker<'l>) -> PlacementPlan<'l> {
        let predicted = Exhaustive::predict(answerer.engine(), position);
        let limits = tracker.part(2);
        let expected = if predicted.positions <= SMALL_GAME { predicted.positions as u64 } else { 0 };
        let most = expected.min(limits.nodes).max(LEAST_SEARCH_NODES);
        PlacementPlan {
            predicted,
            theorem_first: predicted.bytes > u128::from(tracker.limits().memory),
            first_look: limits.with_positions(limits.positions.min(most)),
        }
    }

    /// Returns the limits of exhaustive search once the winner was searched for. If the winner is
    /// still unknown it goes on if it may end: to as many positions as predicted.
    pub(super) fn second_look(&self, winner_is_known: bool, limits: Limits<'l>) -> Limits<'l> {
        let most = match winner_is_known {
            false if self.predicted.bytes <= u128::from(limits.memory) => {
                u64::try_from(self.predicted.positions).unwrap_or(u64::MAX).max(FOR_DISTANCE)
            }
            _ => FOR_DISTANCE,
        };
        if limits.positions == u64::MAX { limits.with_positions(most) } else { limits }
    }

    fn steps(&self, answerer: &Answerer<'_>, position: &Position, limits: Limits<'l>) -> Vec<Step> {
        let mirror = match answerer.mirror(position) {
            Ok(_) => Used::IfOpen,
            Err(error) => Used::Unfit(error.to_string()),
        };
        let searched = if Search::fits(answerer.game()) {
            Used::IfOpen
        } else {
            Used::Unfit(SolveError::NotPlacement.to_string())
        };
        let predicted = Some(self.predicted);
        let first = Step::new(Method::Exhaustive, Finds::Value, Used::IfOpen, self.first_look.positions);
        let nodes = limits.or_nodes(FOR_WINNER).nodes.min(limits.positions);
        let second = self.second_look(false, limits).positions;
        let mirror = Step::new(Method::Mirror, Finds::Winner, mirror, u64::MAX);
        let mut steps = vec![
            Step { predicted, ..first },
            mirror,
            Step::new(Method::Search, Finds::Winner, searched, nodes),
            Step { predicted, ..Step::new(Method::Exhaustive, Finds::Distance, Used::IfOpen, second) },
        ];
        if self.theorem_first {
            steps.swap(0, 1);
        }
        steps
    }
}

/// A step of a plan for a game in which play may return to an earlier position (R21).
pub(super) enum CyclingStep<'l> {
    /// A table in memory, in one part of so many of the time that is left.
    Sweeps { table: Box<MemoryPlan>, parts: u32 },
    /// Retrograde analysis by hash within limits that cost little.
    FewByHash(Limits<'l>),
    /// Retrograde analysis by hash.
    ByHash(Prediction),
    /// Forced wins, with one part in `part` of the time that is left and, if the request limits
    /// neither nodes nor time, at most `nodes` nodes.
    LookAhead { part: u32, nodes: u64 },
}

/// Plan for a game in which play may return to an earlier position.
pub(super) struct CyclingPlan<'l> {
    pub(super) steps: Vec<CyclingStep<'l>>,
    /// The reason why all positions cannot be solved, if they cannot.
    pub(super) refused: Option<Stopped>,
}

impl<'l> CyclingPlan<'l> {
    pub(super) fn new(answerer: &Answerer<'_>, position: &Position, tracker: &Tracker<'l>) -> CyclingPlan<'l> {
        let limits = tracker.limits();
        let few = limits.positions.min(FEW).min(limits.memory / BYTES_A_POSITION);
        let few = CyclingStep::FewByHash(limits.with_positions(few).with_memory(u64::MAX));
        let ahead = CyclingStep::LookAhead { part: 1, nodes: FOR_LOOKING_AHEAD };
        match MemoryPlan::for_position(answerer.game(), position) {
            Ok(table) => match refusal(&table, tracker) {
                Some(stopped) => CyclingPlan { steps: vec![few, ahead], refused: Some(stopped) },
                None => {
                    let in_time = |time: std::time::Duration| table.seconds() <= time.as_secs_f64();
                    let soon = table.seconds() <= PATIENCE && tracker.part(SAFE).time.is_none_or(in_time);
                    // The plan is a guess: looking ahead may answer where the table is not
                    // finished in time.
                    let table = CyclingStep::Sweeps { table: Box::new(table), parts: if soon { 2 } else { 1 } };
                    let first = CyclingStep::LookAhead { part: 4, nodes: FIRST_AHEAD };
                    let steps = if soon { vec![table, ahead] } else { vec![few, first, table, ahead] };
                    CyclingPlan { steps, refused: None }
                }
            },
            Err(_) => {
                let predicted = Retrograde::predict(answerer.engine(), &[position]);
                let limit = limits.memory_limit();
                if predicted.bytes > u128::from(limit.bytes) {
                    let refused = Stopped::WouldNotFit { predicted, limit };
                    CyclingPlan { steps: vec![few, ahead], refused: Some(refused) }
                } else {
                    CyclingPlan { steps: vec![few, CyclingStep::ByHash(predicted), ahead], refused: None }
                }
            }
        }
    }

    fn described(self, limits: Limits<'l>) -> Vec<Step> {
        let mut steps = Vec::new();
        for step in self.steps {
            let used = Used::IfOpen;
            steps.push(match step {
                CyclingStep::Sweeps { table, .. } => {
                    let predicted = Prediction { positions: table.positions().into(), bytes: table.bytes().into() };
                    let step = Step::new(Method::Sweeps, Finds::Value, used, limits.positions);
                    Step { predicted: Some(predicted), seconds: Some(table.seconds()), ..step }
                }
                CyclingStep::FewByHash(few) => Step::new(Method::Retrograde, Finds::Value, used, few.positions),
                CyclingStep::ByHash(predicted) => Step {
                    predicted: Some(predicted),
                    ..Step::new(Method::Retrograde, Finds::Value, used, limits.positions)
                },
                CyclingStep::LookAhead { nodes, .. } => {
                    Step::new(Method::Forced, Finds::ForcedWin, used, limits.or_nodes(nodes).nodes)
                }
            });
        }
        if let Some(stopped) = self.refused {
            let predicted = match stopped {
                Stopped::WouldNotFit { predicted, .. } => Some(predicted),
                _ => None,
            };
            let all = Step::new(Method::Sweeps, Finds::Value, Used::Refused(stopped), limits.positions);
            steps.insert(1, Step { predicted, ..all });
        }
        steps
    }
}

/// Returns the reason why a table in memory may not be made.
pub(super) fn refusal(plan: &MemoryPlan, tracker: &Tracker<'_>) -> Option<Stopped> {
    let (limit, positions) = (tracker.limits().memory_limit(), tracker.limits().positions);
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
            steps.push(Step::new(Method::Library, Finds::Winner, Used::IfOpen, u64::MAX));
        }
        if let Some(tables) = &mut self.on_disk
            && tables.solve(position, false)?.is_some()
        {
            steps.push(Step::new(Method::Table, Finds::Value, Used::IfOpen, u64::MAX));
        }
        steps.extend(if self.game().rules().can_cycle() {
            CyclingPlan::new(self, position, &tracker).described(request.limits)
        } else {
            PlacementPlan::new(self, position, &tracker).steps(self, position, request.limits)
        });
        // Nothing comes before the first.
        if let Some(first) = steps.iter_mut().find(|step| step.used == Used::IfOpen) {
            first.used = Used::Yes;
        }
        Ok(steps)
    }
}
