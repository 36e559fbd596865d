//! The steps of a build, as an observer is told of them.

use super::plan::TablePlan;
use crate::progress::{BuildStep, Observer, Phase};

pub(super) struct Steps<'a> {
    plan: &'a TablePlan,
    observer: &'a dyn Observer,
    /// The tier that was swept last, and the cells found in it.
    in_tier: Option<(usize, u64)>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(plan: &'a TablePlan, observer: &'a dyn Observer) -> Steps<'a> {
        Steps { plan, observer, in_tier: None }
    }

    fn before(&self, number: usize) -> u64 {
        self.plan.tiers.iter().take(number).map(|need| need.positions).sum()
    }

    /// Reports a step. Within a tier as large a part of its positions counts as solved as the
    /// sweeps have decided of what is held.
    fn report(&mut self, step: BuildStep) {
        let total = Some(self.plan.total.positions);
        let solved = |done| self.observer.progress(Phase::Build, done, total);
        match step {
            BuildStep::Resumed(tiers) => solved(self.before(tiers)),
            BuildStep::ReadBack(_) => {}
            BuildStep::Swept(tier, swept) => {
                let earlier = self.in_tier.filter(|(of, _)| *of == tier).map_or(0, |(_, found)| found);
                let found = earlier + swept.found;
                let decided = found as f64 / (found + swept.undecided).max(1) as f64;
                solved(self.before(tier) + (self.plan.tiers[tier].positions as f64 * decided) as u64);
                self.in_tier = Some((tier, found));
            }
            BuildStep::Solved(tier) => solved(self.before(tier + 1)),
            BuildStep::Writing(done, all) => self.observer.progress(Phase::Write, done, Some(all)),
        }
        self.observer.build(step);
    }

    pub(super) fn observe(mut self) -> impl FnMut(BuildStep) {
        move |step| self.report(step)
    }
}
