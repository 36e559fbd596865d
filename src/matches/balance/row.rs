//! Rows: the results of the games of one start at one strength.

use super::super::play::End;
use super::super::tally::WinDrawLoss;
use super::change::Change;
use super::course::Course;
use super::plan::{Balance, Prepared, Start, Strength};
use crate::files::{Decimal, record};
use crate::report::SetupRecord;
use crate::statistics::{Interval, wilson};

record! {
    /// The columns of the rows.
    #[derive(Clone, Debug)]
    pub struct PlayedRecord {
        #[serde(flatten)]
        pub setup: SetupRecord,
        /// The side that starts: `white` or `black`.
        pub starts: String,
        /// Strength of play: the positions that a player looks at before each action.
        pub nodes: u64,
        /// Games played.
        pub games: u64,
        /// Games that the side that starts wins.
        pub first_wins: u64,
        /// Games that the side that starts loses.
        pub first_losses: u64,
        /// Games drawn by convention.
        pub draws: u64,
        /// Share of wins of the side that starts among decided games: of play of this strength, no
        /// value.
        pub share: Option<Decimal<4>>,
        /// Lower end of its 95 % interval (Wilson).
        pub low: Option<Decimal<4>>,
        /// Upper end of its 95 % interval.
        pub high: Option<Decimal<4>>,
        /// Share of draws among all games.
        pub draw_share: Option<Decimal<4>>,
        /// Lower end of its 95 % interval (Wilson).
        pub draw_low: Option<Decimal<4>>,
        /// Upper end of its 95 % interval.
        pub draw_high: Option<Decimal<4>>,
        /// Games that ended by an empty hand (R16, R19, R30).
        pub by_empty_hand: u64,
        /// Games that ended by a player without an action (R15, R20).
        pub by_no_action: u64,
        /// Games drawn since a position had come up too often.
        pub by_repetition: u64,
        /// Games drawn by their length.
        pub by_length: u64,
        /// Mean number of plies of a game.
        pub mean_plies: Option<Decimal<2>>,
        /// Plies of the longest game.
        pub longest: u64,
        /// Mean number of placements in a game.
        pub mean_placements: Option<Decimal<2>>,
        /// Mean number of moves in a game.
        pub mean_moves: Option<Decimal<2>>,
        /// Mean number of shoves and kicks in a game.
        pub mean_pushes: Option<Decimal<2>>,
        /// Mean number of pods that go out of a game.
        pub mean_removed: Option<Decimal<2>>,
        /// Mean number of pods that return to hand in a game (R18).
        pub mean_returned: Option<Decimal<2>>,
        /// Games in which a player had a proof before the end.
        pub proven: u64,
        /// Mean number of plies before the proof.
        pub proven_ply: Option<Decimal<2>>,
        /// Mean number of plies from the proof to the end.
        pub proven_before: Option<Decimal<2>>,
        /// Games with a proof that ended otherwise.
        pub proven_lost: u64,
        /// The first rules of the report for the same setup, with which these are compared on the
        /// same openings; empty, as all columns behind it, for these rules themselves.
        pub base_rules: Option<String>,
        /// Openings whose games are decided under both.
        pub both_decided: Option<u64>,
        /// Those of them that the side that starts wins under both.
        pub both_won: Option<u64>,
        /// Those that it wins under the base alone.
        pub won_to_lost: Option<u64>,
        /// Those that it wins under these rules alone.
        pub lost_to_won: Option<u64>,
        /// Those that it loses under both.
        pub both_lost: Option<u64>,
        /// Share of these openings won under these rules, less that under the base.
        pub difference: Option<Decimal<4>>,
        /// Lower end of its 95 % interval (Newcombe's for pairs).
        pub difference_low: Option<Decimal<4>>,
        /// Upper end of its 95 % interval.
        pub difference_high: Option<Decimal<4>>,
    }
}

/// The results of the games of one start at one strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The start.
    pub start: Start,
    /// The budget of a player for each action, in nodes.
    pub nodes: u64,
    /// Wins, draws and losses of the first player.
    pub first: WinDrawLoss,
    /// Games that ended by an empty hand, by a player without an action, by repetition, and by
    /// length.
    pub ends: [u64; 4],
    /// Plies of all games together.
    pub plies: u64,
    /// Plies of the longest game.
    pub longest: u64,
    /// Placements, moves, and shoves and kicks of all games together.
    pub actions: [u64; 3],
    /// Pods that went out of the game, in all games together.
    pub removed: u64,
    /// Pods that came back to hand.
    pub returned: u64,
    /// Games in which a player had a proof before the end.
    pub proven: u64,
    /// Plies before these proofs, together.
    pub proof_plies: u64,
    /// Plies from these proofs to the ends of the games, together.
    pub proof_before: u64,
    /// Games that ended otherwise than was proven.
    pub proven_lost: u64,
    /// The change against the first rule set; `None` for that one.
    pub change: Option<Change>,
}

/// Returns the rows of all games, by setup, starter and strength. `courses` has the courses of each
/// strength, in the order of the plan.
///
/// # Panics
///
/// If a course is of a start that there is not.
#[must_use]
pub fn rows(balance: &Balance, prepared: &Prepared, courses: &[Vec<Course>]) -> Vec<Row> {
    // By strength and start.
    let mut by_start: Vec<Vec<Vec<&Course>>> = vec![vec![Vec::new(); prepared.starts.len()]; courses.len()];
    for (strength, courses) in courses.iter().enumerate() {
        for course in courses {
            by_start[strength][course.start].push(course);
        }
    }
    let mut rows = Vec::new();
    for (number, start) in prepared.starts.iter().enumerate() {
        let base = prepared.starts.iter().position(|other| other.group == start.group).unwrap_or(number);
        for (of, Strength { nodes, .. }) in by_start.iter().zip(&balance.strengths) {
            let base_rules = prepared.starts[base].setup.rules();
            let change = (base != number).then(|| Change::of(base_rules, &of[base], &of[number]));
            rows.push(Row::of(start.clone(), *nodes, &of[number], change));
        }
    }
    rows
}

impl Row {
    fn of(start: Start, nodes: u64, courses: &[&Course], change: Option<Change>) -> Row {
        let mut first = WinDrawLoss::default();
        courses.iter().for_each(|course| first.add(course.first_won));
        let sum = |figure: &dyn Fn(&Course) -> u64| courses.iter().map(|course| figure(course)).sum();
        let count = |is: &dyn Fn(&Course) -> bool| courses.iter().filter(|course| is(course)).count() as u64;
        Row {
            start,
            nodes,
            first,
            ends: [End::EmptyHand, End::NoAction, End::Repetition, End::Length].map(|end| count(&|of| of.end == end)),
            plies: sum(&|of| of.plies),
            longest: courses.iter().map(|of| of.plies).max().unwrap_or(0),
            actions: [sum(&|of| of.placements), sum(&|of| of.moves), sum(&|of| of.pushes)],
            removed: sum(&|of| of.removed),
            returned: sum(&|of| of.returned),
            proven: count(&|of| of.proven.is_some()),
            proof_plies: sum(&|of| of.proven.map_or(0, |proof| proof.ply)),
            proof_before: sum(&|of| of.proven.map_or(0, |proof| of.plies - proof.ply)),
            proven_lost: count(&|of| of.proven.is_some_and(|proof| proof.first_wins != of.first_won)),
            change,
        }
    }

    /// Returns the share of games that are draws by convention, with its 95 % interval; `None`
    /// without games.
    pub(crate) fn draws(&self) -> Option<(f64, Interval)> {
        let games = self.first.games();
        Some((self.first.draws as f64 / games.max(1) as f64, wilson(self.first.draws, games)?))
    }

    /// Returns the mean over the games of a figure that is summed over them; `None` without games.
    #[must_use]
    pub(crate) fn mean(&self, figure: u64) -> Option<f64> {
        ratio(figure, self.first.games())
    }

    /// Returns the mean number of plies before the first proof, and from it to the end; `None`
    /// without proofs.
    #[must_use]
    pub(crate) fn proof(&self) -> Option<(f64, f64)> {
        Some((ratio(self.proof_plies, self.proven)?, ratio(self.proof_before, self.proven)?))
    }

    #[must_use]
    pub(crate) fn record(&self) -> PlayedRecord {
        let mean = |figure: u64| self.mean(figure).map(Decimal);
        let WinDrawLoss { wins, draws, losses } = self.first;
        let [share, low, high] = share(self.first.of_decided());
        let [draw_share, draw_low, draw_high] = self::share(self.draws());
        let [by_empty_hand, by_no_action, by_repetition, by_length] = self.ends;
        let [mean_placements, mean_moves, mean_pushes] = self.actions.map(mean);
        let proof = self.proof();
        let change = self.change.as_ref();
        let [difference, difference_low, difference_high] = self::share(change.and_then(Change::difference));
        PlayedRecord {
            setup: self.start.setup.record(),
            starts: self.start.first.to_string().to_lowercase(),
            nodes: self.nodes,
            games: self.first.games(),
            first_wins: wins,
            first_losses: losses,
            draws,
            share,
            low,
            high,
            draw_share,
            draw_low,
            draw_high,
            by_empty_hand,
            by_no_action,
            by_repetition,
            by_length,
            mean_plies: mean(self.plies),
            longest: self.longest,
            mean_placements,
            mean_moves,
            mean_pushes,
            mean_removed: mean(self.removed),
            mean_returned: mean(self.returned),
            proven: self.proven,
            proven_ply: proof.map(|(ply, _)| Decimal(ply)),
            proven_before: proof.map(|(_, before)| Decimal(before)),
            proven_lost: self.proven_lost,
            base_rules: change.map(|change| change.base.to_string()),
            both_decided: change.map(Change::openings),
            both_won: change.map(|change| change.both_won),
            won_to_lost: change.map(|change| change.won_to_lost),
            lost_to_won: change.map(|change| change.lost_to_won),
            both_lost: change.map(|change| change.both_lost),
            difference,
            difference_low,
            difference_high,
        }
    }
}

fn ratio(sum: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| sum as f64 / of as f64)
}

fn share(share: Option<(f64, Interval)>) -> [Option<Decimal<4>>; 3] {
    let share = share.map(|(share, Interval { low, high })| [share, low, high].map(|x| Some(Decimal(x))));
    share.unwrap_or_default()
}
