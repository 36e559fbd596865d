//! Rows of regret, by setup, rule set, ply and crowding.

use super::{JudgedAction, JudgedGames};
use crate::files::{Decimal, OrNone, record};
use crate::report::full::wilson;
use crate::report::{NamedSetup, SetupRecord};

record! {
    /// Count of the value-losing actions of a player, in long form.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RegretRow {
        #[serde(flatten)]
        pub setup: OrNone<SetupRecord>,
        /// Player, as it was asked for.
        pub player: String,
        /// Rule set; empty: all rule sets together. Rows without a setup are of all setups under it.
        pub under: Option<String>,
        /// Division of the decisions: `all`, by `ply`, or by `held`, the share of points that are
        /// held.
        pub by: &'static str,
        /// Part of the division, such as `4-7` plies before the decision, or `0.25-0.50` of the
        /// points; empty: all of it.
        pub part: Option<String>,
        /// Games that the player played against itself.
        pub games: u64,
        /// Games that it lost by an illegal action, or by none.
        pub faults: u64,
        /// Decisions, each position once in a setup.
        pub decisions: u64,
        /// Decisions in which some action loses value.
        pub may_lose: u64,
        /// Decisions in which the player's action does: it makes a draw or a loss of a win, or a
        /// loss of a draw.
        pub losing: u64,
        /// Value-losing actions of the player per 1,000 decisions.
        pub per_thousand: Option<Decimal<2>>,
        /// Lower end of their 95 % interval (Wilson).
        pub low: Option<Decimal<2>>,
        /// Upper end of their 95 % interval.
        pub high: Option<Decimal<2>>,
        /// Decisions that keep a win.
        pub wins_kept: u64,
        /// Plies by which these wins become longer, on average.
        pub plies_lost: Option<Decimal<2>>,
    }
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
        let setup = OrNone(Some(of.0.record()));
        let head = RegretRow { setup, under: Some(rules(of.0)), ..RegretRow::empty(player) };
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
        let head = RegretRow { under: name, ..RegretRow::empty(player) };
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
            let row = RegretRow { by, part: Some(name(part)), ..head.clone() };
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
            setup: OrNone(None),
            player: player.to_owned(),
            under: None,
            by: "all",
            part: None,
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
        let of = |part: u64, all: u64| (all > 0).then(|| Decimal(part as f64 / all as f64));
        self.per_thousand = of(1000 * self.losing, self.decisions);
        let interval = wilson(self.losing, self.decisions);
        self.low = interval.map(|interval| Decimal(1000.0 * interval.low));
        self.high = interval.map(|interval| Decimal(1000.0 * interval.high));
        self.plies_lost = of(plies, self.wins_kept);
        self
    }
}
