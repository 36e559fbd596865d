//! Summaries of rows: one for each setup, source and number of plies.

use super::plan::Plan;
use super::row::Row;
use super::share::{Interval, Share};
use super::task::Source;
use crate::files::{Decimal, record};
use crate::material::Side;
use crate::report::{NamedSetup, SetupRecord};

record! {
    /// The columns of the summaries. Shares are of positions that the first player, White, wins.
    /// The openings are complete and no sample, so they have no interval.
    #[derive(Clone, Debug)]
    pub struct SummaryRecord {
        #[serde(flatten)]
        pub setup: SetupRecord,
        /// Source of the positions: `opening`, `random` or `strong` play.
        pub source: &'static str,
        /// Plies before the positions.
        pub ply: u32,
        /// Positions drawn.
        pub positions: u64,
        /// Different ones among them.
        pub different: usize,
        /// Those that White, the first player, wins.
        pub first_wins: u64,
        /// Those that White loses.
        pub first_losses: u64,
        /// Those that were not solved within the limit of nodes.
        pub unknown: u64,
        /// Share of wins among the solved positions.
        pub share: Option<Decimal<4>>,
        /// Lower end of its 95 % interval (Wilson).
        pub low: Option<Decimal<4>>,
        /// Upper end of its 95 % interval.
        pub high: Option<Decimal<4>>,
        /// Share of wins among all positions if all unsolved ones were lost.
        pub least: Option<Decimal<4>>,
        /// Share of wins among all positions if all unsolved ones were won.
        pub most: Option<Decimal<4>>,
        /// Lower end of the 95 % interval of `least`.
        pub least_low: Option<Decimal<4>>,
        /// Upper end of the 95 % interval of `most`.
        pub most_high: Option<Decimal<4>>,
    }
}

/// The summary of the rows of one setup, source and number of plies.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The setup.
    pub setup: NamedSetup,
    /// Source of the positions.
    pub source: Source,
    /// The number of plies before the positions.
    pub ply: u32,
    /// Share won by the first player.
    pub share: Share,
    /// Number of distinct positions. In `share`, each counts as often as it was drawn.
    pub different: usize,
}

/// Returns the summaries of a plan's rows, in the order of setups, sources, plies.
#[must_use]
pub fn summaries(plan: &Plan, rows: &[Row]) -> Vec<Summary> {
    let mut summaries = Vec::new();
    for setup in &plan.setups {
        for source in [Source::Opening, Source::Random, Source::Strong] {
            let mut plies = if source == Source::Opening { vec![1] } else { plan.plies.clone() };
            plies.sort_unstable();
            plies.dedup();
            for ply in plies {
                let of = |row: &&Row| row.task.source == source && row.task.ply == ply && row.setup == *setup;
                let rows: Vec<&Row> = rows.iter().filter(of).collect();
                let count = |winner| rows.iter().filter(|row| row.winner == winner).count() as u64;
                let share =
                    Share { wins: count(Some(Side::White)), losses: count(Some(Side::Black)), unknown: count(None) };
                let mut texts: Vec<&str> = rows.iter().map(|row| row.position.as_str()).collect();
                texts.sort_unstable();
                texts.dedup();
                if share.positions() > 0 {
                    let different = texts.len();
                    summaries.push(Summary { setup: setup.clone(), source, ply, share, different });
                }
            }
        }
    }
    summaries
}

impl Summary {
    /// Returns the 95 % interval of the share among solved positions; `None` for openings, which
    /// are no sample.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        self.share.interval().filter(|_| self.source != Source::Opening)
    }

    /// Returns the columns of the summary.
    #[must_use]
    pub fn record(&self) -> SummaryRecord {
        let Share { wins, losses, unknown } = self.share;
        let (bounds, widest) = (self.share.bounds(), self.share.widest().filter(|_| self.source != Source::Opening));
        let ends = |interval: Option<Interval>| [interval.map(|i| Decimal(i.low)), interval.map(|i| Decimal(i.high))];
        let ([low, high], [least, most], [least_low, most_high]) = (ends(self.interval()), ends(bounds), ends(widest));
        SummaryRecord {
            setup: self.setup.record(),
            source: self.source.name(),
            ply: self.ply,
            positions: self.share.positions(),
            different: self.different,
            first_wins: wins,
            first_losses: losses,
            unknown,
            share: self.share.of_solved().map(Decimal),
            low,
            high,
            least,
            most,
            least_low,
            most_high,
        }
    }
}
