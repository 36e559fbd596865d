//! What is left of the nodes and the time that an answer may take, and shares of it.

use std::time::{Duration, Instant};

use crate::solver::search::Budget;

/// Nodes and time for all parts of an answer together.
pub(super) struct Purse<'a> {
    budget: Budget<'a>,
    begun: Instant,
    spent: u64,
}

impl<'a> Purse<'a> {
    pub(super) fn new(budget: Budget<'a>) -> Purse<'a> {
        Purse { budget, begun: Instant::now(), spent: 0 }
    }

    /// Notes that so many nodes are gone.
    pub(super) fn pay(&mut self, nodes: u64) {
        self.spent = self.spent.saturating_add(nodes);
    }

    /// The nodes so far.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// A share of what is left: one part in so many.
    pub(super) fn part(&self, of: u32) -> Budget<'a> {
        let left = |time: Duration| time.saturating_sub(self.begun.elapsed()) / of;
        Budget {
            nodes: self.budget.nodes.saturating_sub(self.spent) / u64::from(of),
            time: self.budget.time.map(left),
            ..self.budget
        }
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        let part = self.part(1);
        part.nodes == 0 || part.time == Some(Duration::ZERO)
    }
}
