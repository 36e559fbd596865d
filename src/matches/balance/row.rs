//! Rows: the results of the games of one start at one strength.

use std::io;

use super::super::play::End;
use super::super::tally::WinDrawLoss;
use super::change::Change;
use super::course::Course;
use super::plan::{Balance, Prepared, Start, Strength};
use crate::report::full::{Interval, wilson};
use crate::report::write_rows;

/// The columns. `starts` is the side that starts, whose wins and losses are counted; `nodes` is the
/// budget of a player for each action. `share` is the share of wins among decided games,
/// `draw_share` that of draws among all games; the ends of its 95 % interval follow each. Means are
/// over all games. `proven` counts games in which a player had a proof before the end, `proven_ply`
/// is the mean number of plies before the proof, `proven_before` the mean number from it to the
/// end, and `proven_lost` counts the games that ended otherwise than was proven. `base_rules` and
/// the columns after it compare with the first of the rule sets, over the openings whose games are
/// decided under both. A cell is empty where it does not apply.
pub const ROW_HEADER: [&str; 42] = [
    "board",
    "orientation",
    "pods",
    "white_hand",
    "black_hand",
    "rules",
    "starts",
    "nodes",
    "games",
    "first_wins",
    "first_losses",
    "draws",
    "share",
    "low",
    "high",
    "draw_share",
    "draw_low",
    "draw_high",
    "by_empty_hand",
    "by_no_action",
    "by_repetition",
    "by_length",
    "mean_plies",
    "longest",
    "mean_placements",
    "mean_moves",
    "mean_pushes",
    "mean_removed",
    "mean_returned",
    "proven",
    "proven_ply",
    "proven_before",
    "proven_lost",
    "base_rules",
    "both_decided",
    "both_won",
    "won_to_lost",
    "lost_to_won",
    "both_lost",
    "difference",
    "difference_low",
    "difference_high",
];

/// The columns that hold texts; the others hold numbers.
pub const TEXTS: [&str; 7] = ["board", "pods", "white_hand", "black_hand", "rules", "starts", "base_rules"];

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
    #[must_use]
    pub fn draws(&self) -> Option<(f64, Interval)> {
        let games = self.first.games();
        Some((self.first.draws as f64 / games.max(1) as f64, wilson(self.first.draws, games)?))
    }

    /// Returns the mean over the games of a figure that is summed over them; `None` without games.
    #[must_use]
    pub fn mean(&self, figure: u64) -> Option<f64> {
        ratio(figure, self.first.games())
    }

    /// Returns the mean number of plies before the first proof, and from it to the end; `None`
    /// without proofs.
    #[must_use]
    pub fn proof(&self) -> Option<(f64, f64)> {
        Some((ratio(self.proof_plies, self.proven)?, ratio(self.proof_before, self.proven)?))
    }

    /// Returns the cells, in the order of [`ROW_HEADER`].
    #[must_use]
    pub fn cells(&self) -> Vec<String> {
        let mut cells: Vec<String> = self.start.setup.cells().into();
        cells.extend([self.start.first.to_string().to_lowercase(), self.nodes.to_string()]);
        let WinDrawLoss { wins, draws, losses } = self.first;
        cells.extend([self.first.games(), wins, losses, draws].map(|count| count.to_string()));
        cells.extend(share(self.first.of_decided()));
        cells.extend(share(self.draws()));
        cells.extend(self.ends.map(|count| count.to_string()));
        let mean = |figure: u64| self.mean(figure).map(|mean| format!("{mean:.2}")).unwrap_or_default();
        cells.extend([mean(self.plies), self.longest.to_string()]);
        cells.extend(self.actions.map(mean));
        cells.extend([mean(self.removed), mean(self.returned), self.proven.to_string()]);
        let proof = self.proof().map(|(ply, before)| [ply, before].map(|mean| format!("{mean:.2}")));
        cells.extend(proof.unwrap_or_default());
        cells.push(self.proven_lost.to_string());
        match &self.change {
            None => cells.resize(ROW_HEADER.len(), String::new()),
            Some(change) => {
                let Change { base, both_won, won_to_lost, lost_to_won, both_lost } = *change;
                cells.push(base.to_string());
                let counts = [change.openings(), both_won, won_to_lost, lost_to_won, both_lost];
                cells.extend(counts.map(|count| count.to_string()));
                cells.extend(share(change.difference()));
            }
        }
        cells
    }
}

fn ratio(sum: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| sum as f64 / of as f64)
}

/// Returns a share and the ends of its interval as cells.
fn share(share: Option<(f64, Interval)>) -> [String; 3] {
    share.map(|(share, Interval { low, high })| [share, low, high].map(|x| format!("{x:.4}"))).unwrap_or_default()
}

/// Writes rows as CSV with a header.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_balance(rows: &[Row], out: impl io::Write) -> io::Result<()> {
    write_rows(ROW_HEADER, rows.iter().map(Row::cells), out)
}
