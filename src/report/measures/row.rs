//! Rows of measures, and of what play alone says beside what is exact.

use serde::{Serialize, Serializer};

use super::games::Figure;
use super::measure::Measure;
use crate::report::NamedSetup;

/// A figure of play of a setup, in long form: a row for each measure, play, ply and item.
///
/// A cell is empty where it does not apply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureRow {
    /// Board, or its file.
    pub board: String,
    /// Orientation of the board in degrees, clockwise as White sees it (R2).
    pub orientation: u16,
    /// Pod set, or its file.
    pub pods: String,
    /// White's hand at the start; White starts.
    pub white_hand: String,
    /// Black's hand at the start.
    pub black_hand: String,
    /// Rule set.
    pub rules: String,
    /// Play that is measured: `optimal`, any of the best actions (R33) with the same chance;
    /// `random`, any legal action with the same chance; `strong-N`, the player of this program that
    /// looks at N positions before each action.
    pub play: String,
    /// Measure.
    pub measure: Measure,
    /// Plies before the decisions that are measured; empty: all plies of the games.
    pub ply: Option<u32>,
    /// Point or pod that is measured; empty: all together. With `PodRemoved` the owner stands
    /// before the pod.
    pub item: Option<String>,
    /// Value.
    #[serde(serialize_with = "rounded")]
    pub value: f64,
    /// Lower end of the 95 % interval; empty: exact, or no interval is known.
    #[serde(serialize_with = "rounded_if_any")]
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    #[serde(serialize_with = "rounded_if_any")]
    pub high: Option<f64>,
    /// Method: `exact`, all games with their chances, summed in floating-point numbers; `sampled`,
    /// games that were played, judged by exact values; `estimated`, games that were played, judged
    /// by their player.
    pub method: Method,
    /// Games that were played; empty: exact.
    pub games: Option<u64>,
    /// Plies after which a game counts as drawn; empty where no game can be endless.
    pub horizon: Option<u32>,
}

/// The columns of [`MeasureRow`].
pub const MEASURE_HEADER: [&str; 16] = [
    "board",
    "orientation",
    "pods",
    "white_hand",
    "black_hand",
    "rules",
    "play",
    "measure",
    "ply",
    "item",
    "value",
    "low",
    "high",
    "method",
    "games",
    "horizon",
];

/// The columns of [`EstimateRow`].
pub const ESTIMATE_HEADER: [&str; 14] = [
    "board",
    "orientation",
    "pods",
    "white_hand",
    "black_hand",
    "rules",
    "play",
    "measure",
    "exact",
    "exact_of",
    "estimated",
    "low",
    "high",
    "games",
];

/// Method of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// All games with their chances.
    Exact,
    /// Games that were played, judged by exact values.
    Sampled,
    /// Games that were played, judged by their player.
    Estimated,
}

/// A measure as play alone shows it, beside what is exact on the same setup.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimateRow {
    /// Board, or its file.
    pub board: String,
    /// Orientation of the board in degrees, clockwise as White sees it (R2).
    pub orientation: u16,
    /// Pod set, or its file.
    pub pods: String,
    /// White's hand at the start; White starts.
    pub white_hand: String,
    /// Black's hand at the start.
    pub black_hand: String,
    /// Rule set.
    pub rules: String,
    /// Play of the estimate.
    pub play: String,
    /// Measure.
    pub measure: Measure,
    /// Exact value.
    #[serde(serialize_with = "rounded")]
    pub exact: f64,
    /// Source of the exact value: `optimal`, all games of optimal play; `same-games`, the games of
    /// the estimate, judged by exact values.
    pub exact_of: &'static str,
    /// Value that the games give without exact values.
    #[serde(serialize_with = "rounded")]
    pub estimated: f64,
    /// Lower end of the 95 % interval of the estimate.
    #[serde(serialize_with = "rounded_if_any")]
    pub low: Option<f64>,
    /// Upper end of the 95 % interval of the estimate.
    #[serde(serialize_with = "rounded_if_any")]
    pub high: Option<f64>,
    /// Games that were played.
    pub games: u64,
}

/// Rounds to six digits behind the point, so that rows are the same on every machine.
fn round(number: f64) -> f64 {
    // A sum that cancels may be a zero below zero.
    (number * 1e6).round() / 1e6 + 0.0
}

fn rounded<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(round(*number))
}

fn rounded_if_any<S: Serializer>(number: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    number.map(round).serialize(to)
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
        let hands = named.setup().hand_texts();
        MeasureRow {
            board: named.board().to_owned(),
            orientation: named.orientation().degrees(),
            pods: named.pods().to_owned(),
            white_hand: hands.white,
            black_hand: hands.black,
            rules: named.rules().to_string(),
            play: of.play.clone(),
            measure: figure.measure,
            ply: figure.ply,
            item: figure.item,
            value: figure.value,
            low: figure.interval.map(|interval| interval.low),
            high: figure.interval.map(|interval| interval.high),
            method: of.method,
            games: of.games,
            horizon: of.horizon,
        }
    }

    /// Returns `true` if both rows are of one setup.
    #[must_use]
    pub fn same_setup(&self, other: &MeasureRow) -> bool {
        let cells = |row: &MeasureRow| {
            let MeasureRow { board, orientation, pods, white_hand, black_hand, rules, .. } = row.clone();
            (board, orientation, pods, white_hand, black_hand, rules)
        };
        cells(self) == cells(other)
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
    for block in rows.chunk_by(MeasureRow::same_setup) {
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
            let MeasureRow { board, orientation, pods, white_hand, black_hand, rules, play, .. } = row.clone();
            estimates.push(EstimateRow {
                board,
                orientation,
                pods,
                white_hand,
                black_hand,
                rules,
                play,
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
