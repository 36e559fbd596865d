//! Looking ahead, where no method that sees the end fits.

use super::best::{Judgement, choose};
use super::driver::Driver;
use super::plan::Step;
use super::request::SolveError;
use crate::position::Position;
use crate::solver::{Finding, Method, Observer as _, Outcome, Solution, Stopped, Unsolved};

impl Driver<'_, '_, '_> {
    /// Looks ahead by alpha-beta search and for forced wins, deepened ply by ply.
    pub(super) fn look_ahead(&mut self, step: &Step, position: &Position) -> Result<Finding, SolveError> {
        let part = self.part(step);
        let limits = part.limits();
        let engine = self.answerer.engine.clone();
        let found = choose(&engine, position, &[], false, limits, None, &part)?;
        self.tracker.charge(found.nodes);
        let Some(choice) = found.choice else { unreachable!("the game goes on") };
        let Judgement::Proven(verdict, method) = choice.judgement else {
            let stopped = match limits.asked_time() {
                _ if self.tracker.stop() == Some(Stopped::Interrupted) => Stopped::Interrupted,
                Some(limit) if found.nodes < limits.nodes => Stopped::TimeUp { limit },
                _ => Stopped::NodesReached { nodes: limits.nodes },
            };
            let mut losing = choice.losing;
            self.answerer.game().sort_actions(&mut losing);
            let nothing = self.nothing(position, stopped, Method::Forced);
            return Ok(Finding::Unknown(Unsolved { losing, positions: found.nodes, ..nothing }));
        };
        Ok(Finding::Solved(Solution {
            winning: (verdict.outcome() == Outcome::Win).then_some(choice.action),
            line: verdict.plies().filter(|plies| usize::from(*plies) == choice.line.len()).map(|_| choice.line),
            ..Solution::new(verdict, method, found.nodes)
        }))
    }
}
