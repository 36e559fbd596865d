//! Output of a match's result.

use std::io::Write;

use serde::Serialize;
use serde_json::json;

use super::Match;
use crate::cli::failure::Failure;
use crate::cli::format::{Format, csv_rows, json_line};
use crate::matches::{Clock, Decision, Tally, WinDrawLoss};
use crate::report::full::Interval;

/// The columns of the rows: one for each setup, and the last for all of them together.
const HEADER: [&str; 36] = [
    "board",
    "orientation",
    "pods",
    "white_hand",
    "black_hand",
    "rules",
    "first",
    "second",
    "games",
    "wins",
    "draws",
    "losses",
    "score",
    "score_low",
    "score_high",
    "elo",
    "elo_low",
    "elo_high",
    "white_wins",
    "black_wins",
    "white_share",
    "white_share_low",
    "white_share_high",
    "by_empty_hand",
    "by_no_action",
    "by_repetition",
    "by_length",
    "first_faults",
    "second_faults",
    "mean_plies",
    "longest",
    "first_seconds_mean",
    "first_seconds_longest",
    "second_seconds_mean",
    "second_seconds_longest",
    "seed",
];

/// A cell: a text, a number, or nothing.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Cell {
    Text(String),
    Whole(u64),
    Number(f64),
    Nothing,
}

impl Cell {
    fn number(number: Option<f64>) -> Cell {
        number.map_or(Cell::Nothing, |number| Cell::Number((number * 1e4).round() / 1e4))
    }

    fn text(self) -> String {
        match self {
            Cell::Text(text) => text,
            Cell::Whole(number) => number.to_string(),
            Cell::Number(number) => number.to_string(),
            Cell::Nothing => String::new(),
        }
    }
}

fn interval(interval: Option<Interval>) -> [Cell; 2] {
    [Cell::number(interval.map(|i| i.low)), Cell::number(interval.map(|i| i.high))]
}

fn clock(clock: Clock) -> [Cell; 2] {
    [Cell::number(mean(clock)), Cell::number((clock.actions > 0).then_some(clock.longest.as_secs_f64()))]
}

fn mean(clock: Clock) -> Option<f64> {
    (clock.actions > 0).then(|| clock.total.as_secs_f64() / clock.actions as f64)
}

impl Match {
    /// Returns the counts of one setup.
    fn of_setup(&self, setup: usize) -> Tally {
        let mut tally = Tally::default();
        self.pairs.iter().filter(|pair| pair.setup == setup).for_each(|pair| tally.add(pair));
        tally
    }

    /// Returns the cells of a setup, or of all together.
    fn cells(&self, setup: Option<usize>) -> Vec<Cell> {
        let tally = setup.map_or(self.all, |setup| self.of_setup(setup));
        let mut cells: Vec<Cell> = match setup {
            Some(setup) => self.plan.setups[setup].cells().map(Cell::Text).to_vec(),
            None => vec![Cell::Nothing; 6],
        };
        cells.extend(self.plan.players.iter().map(|player| Cell::Text(player.to_string())));
        let WinDrawLoss { wins, draws, losses } = tally.first_player;
        cells.extend([tally.games(), wins, draws, losses].map(Cell::Whole));
        cells.push(Cell::number(tally.first_player.score()));
        cells.extend(interval(tally.first_player.score_interval()));
        cells.extend(tally.first_player.elo().map(Cell::number));
        cells.extend([tally.white.wins, tally.white.losses].map(Cell::Whole));
        cells.push(Cell::number(tally.white.of_decided().map(|(share, _)| share)));
        cells.extend(interval(tally.white.of_decided().map(|(_, interval)| interval)));
        let ends = [tally.by_empty_hand, tally.by_no_action, tally.by_repetition, tally.by_length];
        cells.extend(ends.map(Cell::Whole));
        cells.extend(tally.faults.map(Cell::Whole));
        cells.push(Cell::number(tally.mean_plies()));
        cells.push(Cell::Whole(tally.longest));
        cells.extend(tally.clocks.into_iter().flat_map(clock));
        cells.push(Cell::Whole(self.plan.seed));
        cells
    }

    /// Returns the setups, and then all together.
    fn rows(&self) -> impl Iterator<Item = Vec<Cell>> {
        (0..self.plan.setups.len()).map(Some).chain([None]).map(|setup| self.cells(setup))
    }
}

/// Writes what came of a match.
pub(super) fn say(played: &Match, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
    match format {
        Format::Csv => {
            let cells = |row: Vec<Cell>| row.into_iter().map(Cell::text).collect::<Vec<String>>();
            csv_rows(out, &HEADER, played.rows().map(cells))
        }
        Format::Json => {
            for row in played.rows() {
                let object: serde_json::Map<String, serde_json::Value> =
                    HEADER.iter().map(|name| (*name).to_owned()).zip(row.into_iter().map(|cell| json!(cell))).collect();
                json_line(out, &object)?;
            }
            test(played).map_or(Ok(()), |test| json_line(out, &test))
        }
        Format::Text => text(played, out),
    }
}

/// Sums up the sequential test.
fn test(played: &Match) -> Option<serde_json::Value> {
    let sprt = played.sprt?;
    let ([elo0, elo1], [low, high]) = (sprt.claims(), sprt.bounds());
    let accepted = match played.decision {
        Decision::First => Some(elo0),
        Decision::Second => Some(elo1),
        Decision::Open => None,
    };
    let ratio = sprt.log_likelihood_ratio(played.all.pairs);
    Some(json!({
        "sprt": { "elo0": elo0, "elo1": elo1, "low": low, "high": high, "ratio": ratio, "accepted_elo": accepted },
        "pairs": played.all.pairs,
    }))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn range(interval: Interval) -> String {
    format!("{} to {}", percent(interval.low), percent(interval.high))
}

fn text(played: &Match, out: &mut dyn Write) -> Result<(), Failure> {
    let Match { plan, all, .. } = played;
    writeln!(out, "first     {}", plan.players[0])?;
    writeln!(out, "second    {}", plan.players[1])?;
    let pairs = played.pairs.len();
    writeln!(out, "games     {} from {pairs} openings, each with both colours; seed {}", all.games(), plan.seed)?;
    let WinDrawLoss { wins, draws, losses } = all.first_player;
    writeln!(out, "result    the first wins {wins}, loses {losses}, draws {draws}")?;
    if let (Some(score), Some(interval)) = (all.first_player.score(), all.first_player.score_interval()) {
        writeln!(out, "score     {} for the first, 95 % interval {}", percent(score), range(interval))?;
        let [elo, low, high] = all.first_player.elo().map(|elo| elo.map_or("-".to_owned(), |elo| format!("{elo:+.0}")));
        writeln!(out, "elo       {elo}, 95 % interval {low} to {high}")?;
    }
    let [p0, p1, p2, p3, p4] = all.pairs;
    writeln!(out, "pairs     {p4} of 2 points, {p3} of 1½, {p2} of 1, {p1} of ½, {p0} of 0")?;
    if let Some((share, interval)) = all.white.of_decided() {
        let decided = all.white.wins + all.white.losses;
        let wins = all.white.wins;
        writeln!(
            out,
            "colours   White wins {wins} of {decided} decided games: {}, {}",
            percent(share),
            range(interval)
        )?;
    }
    writeln!(
        out,
        "ends      empty hand {}, no action {}; drawn by convention: repetition {}, length {}",
        all.by_empty_hand, all.by_no_action, all.by_repetition, all.by_length
    )?;
    if all.faults != [0, 0] {
        writeln!(out, "faults    the first lost {} games by them, the second {}", all.faults[0], all.faults[1])?;
    }
    if let Some(mean) = all.mean_plies() {
        writeln!(out, "plies     {mean:.1} on average, {} in the longest game", all.longest)?;
    }
    for (name, clock) in ["first", "second"].into_iter().zip(all.clocks) {
        if let Some(mean) = mean(clock) {
            let longest = clock.longest.as_secs_f64();
            writeln!(out, "time      the {name} takes {mean:.3} s for an action, at most {longest:.3} s")?;
        }
    }
    if plan.setups.len() > 1 {
        writeln!(out, "\nby setup: games; the first wins, loses, draws; White wins of the decided games")?;
        for (number, setup) in plan.setups.iter().enumerate() {
            let tally = played.of_setup(number);
            let WinDrawLoss { wins, draws, losses } = tally.first_player;
            let white = tally.white.of_decided().map(|(share, i)| format!("{} ({})", percent(share), range(i)));
            let [board, orientation, pods, ..] = setup.cells();
            writeln!(
                out,
                "  {board} at {orientation}°, {pods}, {}: {}; {wins}, {losses}, {draws}; {}",
                setup.rules(),
                tally.games(),
                white.unwrap_or("-".to_owned())
            )?;
        }
    }
    if let Some(sprt) = played.sprt {
        let ([elo0, elo1], [low, high]) = (sprt.claims(), sprt.bounds());
        let ratio = sprt.log_likelihood_ratio(all.pairs);
        let said = match played.decision {
            Decision::First => format!("{elo0:+} Elo is accepted"),
            Decision::Second => format!("{elo1:+} Elo is accepted"),
            Decision::Open => "not decided, more pairs are needed".to_owned(),
        };
        writeln!(out, "test      {said}: log-likelihood ratio {ratio:.2}, accepted at {low:.2} and {high:.2}")?;
    }
    if played.left_out > 0 {
        writeln!(out, "left out  {} pairs that were played beyond the last one counted", played.left_out)?;
    }
    Ok(())
}
