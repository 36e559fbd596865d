//! Rows of regret, by setup, rule set, ply and crowding.

use serde::{Serialize, Serializer};

use super::{JudgedAction, JudgedGames};
use crate::report::NamedSetup;
use crate::report::full::wilson;

/// Count of the value-losing actions of a player, in long form.
///
/// Rows without a board are of all setups under their rules, or under all rules where that cell is
/// empty too. Each setup counts by its decisions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegretRow {
    /// Player, as it was asked for.
    pub player: String,
    /// Board, or its file.
    pub board: String,
    /// Orientation of the board in degrees, clockwise as White sees it (R2).
    pub orientation: Option<u16>,
    /// Pod set, or its file.
    pub pods: String,
    /// White's hand at the start; White starts.
    pub white_hand: String,
    /// Black's hand at the start.
    pub black_hand: String,
    /// Rule set.
    pub rules: String,
    /// Division of the decisions: `all`, by `ply`, or by `held`, the share of points that are held.
    pub by: &'static str,
    /// Part of the division, such as `4-7` plies before the decision, or `0.25-0.50` of the points.
    pub part: String,
    /// Games that the player played against itself.
    pub games: u64,
    /// Games that it lost by an illegal action, or by none.
    pub faults: u64,
    /// Decisions, each position once in a setup.
    pub decisions: u64,
    /// Decisions in which some action loses value.
    pub may_lose: u64,
    /// Actions of the player that lose value.
    pub losing: u64,
    /// Value-losing actions per 1,000 decisions.
    #[serde(serialize_with = "rounded")]
    pub per_thousand: Option<f64>,
    /// Lower end of its 95 % interval (Wilson).
    #[serde(serialize_with = "rounded")]
    pub low: Option<f64>,
    /// Upper end of its 95 % interval.
    #[serde(serialize_with = "rounded")]
    pub high: Option<f64>,
    /// Decisions in won positions that keep the win.
    pub wins_kept: u64,
    /// Plies by which these wins become longer, on average.
    #[serde(serialize_with = "rounded")]
    pub plies_lost: Option<f64>,
}

/// The columns of [`RegretRow`].
pub const REGRET_HEADER: [&str; 19] = [
    "player",
    "board",
    "orientation",
    "pods",
    "white_hand",
    "black_hand",
    "rules",
    "by",
    "part",
    "games",
    "faults",
    "decisions",
    "may_lose",
    "losing",
    "per_thousand",
    "low",
    "high",
    "wins_kept",
    "plies_lost",
];

fn rounded<S: Serializer>(number: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    number.map(|number| (number * 1e3).round() / 1e3).serialize(to)
}

/// Plies of a part of the division by plies.
const PLIES: u32 = 4;

/// Parts of the division by the share of points held.
const HELD: u32 = 4;

/// Returns the rows of a player: of each setup, of each rule set, and of all together.
#[must_use]
pub fn regret_rows(player: &str, games: u64, judged: &[(&NamedSetup, &JudgedGames)]) -> Vec<RegretRow> {
    let mut rows = Vec::new();
    let rules = |setup: &NamedSetup| setup.rules().to_string();
    for of in judged {
        let hands = of.0.setup().hand_texts();
        let head = RegretRow {
            board: of.0.board().to_owned(),
            orientation: Some(of.0.orientation().degrees()),
            pods: of.0.pods().to_owned(),
            white_hand: hands.white,
            black_hand: hands.black,
            rules: rules(of.0),
            ..RegretRow::empty(player)
        };
        rows.extend(parts(&head, games, &[of.1]));
    }
    let mut names: Vec<String> = Vec::new();
    for (setup, _) in judged {
        if !names.contains(&rules(setup)) {
            names.push(rules(setup));
        }
    }
    for name in names.into_iter().map(Some).chain([None]) {
        let of = judged.iter().filter(|(setup, _)| name.as_ref().is_none_or(|name| *name == rules(setup)));
        let of: Vec<&JudgedGames> = of.map(|(_, judged)| *judged).collect();
        let head = RegretRow { rules: name.unwrap_or_default(), ..RegretRow::empty(player) };
        rows.extend(parts(&head, games, &of));
    }
    rows
}

/// Returns the rows of some setups together: all decisions, and each division of them.
fn parts(head: &RegretRow, games: u64, judged: &[&JudgedGames]) -> Vec<RegretRow> {
    let decisions: Vec<&JudgedAction> = judged.iter().flat_map(|judged| &judged.decisions).collect();
    let head = RegretRow {
        games: games * judged.len() as u64,
        faults: judged.iter().map(|judged| judged.faults).sum(),
        ..head.clone()
    };
    let mut rows = vec![RegretRow { by: "all", ..head.clone() }.counted(decisions.iter().copied())];
    let mut divide = |by, of: &dyn Fn(&JudgedAction) -> u32, name: &dyn Fn(u32) -> String| {
        let most = decisions.iter().map(|decision| of(decision)).max();
        for part in most.map_or(0..0, |most| 0..most + 1) {
            let row = RegretRow { by, part: name(part), ..head.clone() };
            let row = row.counted(decisions.iter().copied().filter(|decision| of(decision) == part));
            rows.extend(Some(row).filter(|row| row.decisions > 0));
        }
    };
    divide("ply", &|decision| decision.ply / PLIES, &|part| format!("{}-{}", part * PLIES, part * PLIES + PLIES - 1));
    let quarter = |part: u32| f64::from(part) / f64::from(HELD);
    divide("held", &|decision| ((decision.held * f64::from(HELD)) as u32).min(HELD - 1), &|part| {
        format!("{:.2}-{:.2}", quarter(part), quarter(part + 1))
    });
    rows
}

impl RegretRow {
    fn empty(player: &str) -> RegretRow {
        RegretRow {
            player: player.to_owned(),
            board: String::new(),
            orientation: None,
            pods: String::new(),
            white_hand: String::new(),
            black_hand: String::new(),
            rules: String::new(),
            by: "all",
            part: String::new(),
            games: 0,
            faults: 0,
            decisions: 0,
            may_lose: 0,
            losing: 0,
            per_thousand: None,
            low: None,
            high: None,
            wins_kept: 0,
            plies_lost: None,
        }
    }

    fn counted<'d>(mut self, decisions: impl Iterator<Item = &'d JudgedAction>) -> RegretRow {
        let mut plies = 0;
        for decision in decisions {
            self.decisions += 1;
            self.may_lose += u64::from(decision.may_lose);
            self.losing += u64::from(decision.loses());
            if let Some(lost) = decision.plies_lost() {
                self.wins_kept += 1;
                plies += u64::from(lost);
            }
        }
        let of = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
        self.per_thousand = of(1000 * self.losing, self.decisions);
        let interval = wilson(self.losing, self.decisions);
        self.low = interval.map(|interval| 1000.0 * interval.low);
        self.high = interval.map(|interval| 1000.0 * interval.high);
        self.plies_lost = of(plies, self.wins_kept);
        self
    }
}
