//! Steps of a plan, as rows.

use crate::answer::{Step, Used};
use crate::files::record;

record! {
    /// A step of the plan by which a position would be solved.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PlannedRow {
        /// The position's text.
        pub position: String,
        /// Number of the step, from 1.
        pub step: usize,
        /// The method.
        pub method: &'static str,
        /// Result that the step looks for: `value`, `winner`, `distance` or `forced win`.
        pub finds: &'static str,
        /// `yes`; `if-open`, if the steps before leave that open; or `no`.
        pub used: &'static str,
        /// Positions that it is expected to take, where that can be predicted.
        pub positions: Option<u128>,
        /// Bytes of memory that it is expected to take, where that can be predicted.
        pub bytes: Option<u128>,
        /// Seconds on two cores that it is expected to take, where that can be predicted.
        pub seconds: Option<f64>,
        /// The most positions, or nodes of a search, that it may take; empty for no such limit.
        pub limit: Option<u64>,
        /// The reason why it is not used.
        pub why: Option<String>,
    }
}

impl PlannedRow {
    #[must_use]
    pub(crate) fn of(position: &str, steps: &[Step]) -> Vec<PlannedRow> {
        let row = |(number, step): (usize, &Step)| {
            let (used, why) = match &step.used {
                Used::Yes => ("yes", None),
                Used::IfOpen => ("if-open", None),
                Used::Refused(stopped) => ("no", Some(stopped.to_string())),
                Used::Unfit(why) => ("no", Some(why.clone())),
            };
            // What saturates is not known.
            let known = |number: u128| Some(number).filter(|number| *number < u128::MAX);
            PlannedRow {
                position: position.to_owned(),
                step: number + 1,
                method: step.method.name(),
                finds: step.finds.name(),
                used,
                positions: step.predicted.and_then(|predicted| known(predicted.positions)),
                bytes: step.predicted.and_then(|predicted| known(predicted.bytes)),
                seconds: step.seconds.map(|seconds| (seconds * 1e3).round() / 1e3),
                limit: step.limit,
                why,
            }
        };
        steps.iter().enumerate().map(row).collect()
    }
}
