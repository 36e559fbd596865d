//! Rows of measures, and of what play alone says beside what is exact.

use serde::Serialize;

use super::games::Figure;
use super::measure::Measure;
use crate::files::{Cell, Decimal, named, record};
use crate::report::{NamedSetup, SetupRecord};

record! {
    /// A figure of play of a setup, in long form: a row for each measure, play, ply and item.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MeasureRow {
        #[serde(flatten)]
        pub setup: SetupRecord,
        /// Play that is measured: `optimal`, any of the best actions (R33) with the same chance;
        /// `random`, any legal action with the same chance; `strong-N`, the player of this program
        /// that looks at N positions before each action.
        pub play: String,
        /// Name of the measure: `pods rules formats` says what each is.
        pub measure: Measure,
        /// Plies before the decisions that are measured; empty: all plies of the games.
        pub ply: Option<u32>,
        /// Point or pod that is measured, a pod with its owner where that matters; empty: all
        /// together.
        pub item: Option<String>,
        /// Value of the measure.
        pub value: Decimal<6>,
        /// Lower end of the 95 % interval: Wilson's for a share of games, else that of a ratio of
        /// sums; empty: exact, or not known.
        pub low: Option<Decimal<6>>,
        /// Upper end of the 95 % interval.
        pub high: Option<Decimal<6>>,
        /// Method: `exact`, all games with their chances, summed in floating-point
        /// numbers; `sampled`, games that were played, judged by exact values; `estimated`, games
        /// that were played, judged by their player.
        pub method: Method,
        /// Games that were played; empty: exact.
        pub games: Option<u64>,
        /// Plies after which a game counts as drawn; empty where no game can be endless.
        pub horizon: Option<u32>,
    }
}

record! {
    /// A measure as play alone shows it, beside what is exact on the same setup.
    #[derive(Clone, Debug, PartialEq)]
    pub struct EstimateRow {
        #[serde(flatten)]
        pub setup: SetupRecord,
        /// Play of the estimate: `strong-N`, the player of this program that looks at N positions
        /// before each action.
        pub play: String,
        /// Name of the measure: `pods rules formats` says what each is.
        pub measure: Measure,
        /// Exact value of the measure.
        pub exact: Decimal<6>,
        /// Games of the exact value: `optimal`, all games of optimal play; `same-games`, the games
        /// of the estimate, judged by exact values.
        pub exact_of: &'static str,
        /// Value that the games give without exact values.
        pub estimated: Decimal<6>,
        /// Lower end of the 95 % interval of the estimate; empty: not known.
        pub low: Option<Decimal<6>>,
        /// Upper end of the 95 % interval of the estimate.
        pub high: Option<Decimal<6>>,
        /// Games that were played.
        pub games: u64,
    }
}

named! {
    /// Method of a figure.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Method {
        /// All games with their chances.
        Exact = "exact",
        /// Games that were played, judged by exact values.
        Sampled = "sampled",
        /// Games that were played, judged by their player.
        Estimated = "estimated",
    }
}

impl Cell for Method {
    fn kind() -> String {
        String::kind()
    }

    fn cell(&self) -> String {
        self.name().to_owned()
    }
}

/// Returns a figure as a cell: sums that cancel but for rounding are zero.
fn decimal(number: f64) -> Decimal<6> {
    Decimal(if number.abs() < 5e-7 { 0.0 } else { number })
}

/// Play of some games of a setup, and how it is measured.
pub(super) struct Measured {
    pub(super) play: String,
    pub(super) method: Method,
    pub(super) games: Option<u64>,
    pub(super) horizon: Option<u32>,
}

impl MeasureRow {
    pub(super) fn new(named: &NamedSetup, of: &Measured, figure: Figure) -> MeasureRow {
        MeasureRow {
            setup: named.record(),
            play: of.play.clone(),
            measure: figure.measure,
            ply: figure.ply,
            item: figure.item,
            value: decimal(figure.value),
            low: figure.interval.map(|interval| decimal(interval.low)),
            high: figure.interval.map(|interval| decimal(interval.high)),
            method: of.method,
            games: of.games,
            horizon: of.horizon,
        }
    }
}

/// Measures that games show without anybody who judges positions.
const SHOWN: [Measure; 5] = [
    Measure::AdvantageP1,
    Measure::Drawishness,
    Measure::GameLength,
    Measure::BranchingFactor,
    Measure::BoardSitesOccupied,
];

/// Measures that need a judge, exact or guessing.
pub(super) const JUDGED: [Measure; 4] =
    [Measure::LeadChange, Measure::Drama, Measure::Comeback, Measure::KnownBeforeEnd];

/// Returns, for each measure of whole games that play alone can show, what is exact beside it. The
/// rows are those of [`super::measures`]; setups without exact rows have none here.
#[must_use]
pub fn estimates(rows: &[MeasureRow]) -> Vec<EstimateRow> {
    let mut estimates = Vec::new();
    for block in rows.chunk_by(|a, b| a.setup == b.setup) {
        let whole = |row: &&MeasureRow| row.ply.is_none() && row.item.is_none();
        let find = |play: &str, measure, method| {
            block
                .iter()
                .filter(whole)
                .find(|row| (row.play.as_str(), row.measure, row.method) == (play, measure, method))
        };
        for row in block.iter().filter(whole).filter(|row| row.games.is_some()) {
            let (exact, exact_of) = match row.method {
                Method::Sampled if SHOWN.contains(&row.measure) && row.play != OPTIMAL && row.play != RANDOM => {
                    (find(OPTIMAL, row.measure, Method::Exact), "optimal")
                }
                Method::Estimated if JUDGED.contains(&row.measure) => {
                    (find(&row.play, row.measure, Method::Sampled), "same-games")
                }
                _ => (None, ""),
            };
            let Some(exact) = exact else { continue };
            estimates.push(EstimateRow {
                setup: row.setup.clone(),
                play: row.play.clone(),
                measure: row.measure,
                exact: exact.value,
                exact_of,
                estimated: row.value,
                low: row.low,
                high: row.high,
                games: row.games.unwrap_or(0),
            });
        }
    }
    estimates
}

pub(super) const OPTIMAL: &str = "optimal";
pub(super) const RANDOM: &str = "random";
