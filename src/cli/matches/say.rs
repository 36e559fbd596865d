//! Output of a match's result.

use std::io::Write;

use serde_json::json;

use super::Match;
use crate::cli::failure::Failure;
use crate::cli::format::{Format, csv_rows, json_rows, rounded};
use crate::files::{OrNone, record};
use crate::matches::{Clock, Decision, Tally, WinDrawLoss};
use crate::report::SetupRecord;
use crate::statistics::{Interval, percent};

record! {
    /// Results of the games of a setup, or of all together; wins, score and Elo are those of the
    /// player named first.
    pub(in crate::cli) struct MatchRow {
        #[serde(flatten)]
        setup: OrNone<SetupRecord>,
        /// The player named first.
        first: String,
        /// The player named second.
        second: String,
        /// Games played.
        games: u64,
        /// Games that the player named first wins.
        wins: u64,
        /// Games drawn by convention.
        draws: u64,
        /// Games that the player named first loses.
        losses: u64,
        /// Score of the player named first: a win is 1, a draw ½.
        score: Option<f64>,
        /// Lower end of its 95 % interval (Wilson).
        score_low: Option<f64>,
        /// Upper end of its 95 % interval.
        score_high: Option<f64>,
        /// Elo of the player named first above the second; empty where it has no bound.
        elo: Option<f64>,
        /// Lower end of its 95 % interval.
        elo_low: Option<f64>,
        /// Upper end of its 95 % interval.
        elo_high: Option<f64>,
        /// Games that White wins.
        white_wins: u64,
        /// Games that Black wins.
        black_wins: u64,
        /// White's share of the decided games.
        white_share: Option<f64>,
        /// Lower end of its 95 % interval (Wilson).
        white_share_low: Option<f64>,
        /// Upper end of its 95 % interval.
        white_share_high: Option<f64>,
        /// Games that ended by an empty hand (R16, R19, R30).
        by_empty_hand: u64,
        /// Games that ended by a player without an action (R15, R20).
        by_no_action: u64,
        /// Games drawn since a position had come up too often.
        by_repetition: u64,
        /// Games drawn by their length.
        by_length: u64,
        /// Games that the player named first lost by a fault of its program.
        first_faults: u64,
        /// Games that the player named second lost by a fault of its program.
        second_faults: u64,
        /// Mean number of plies of a game.
        mean_plies: Option<f64>,
        /// Plies of the longest game.
        longest: u64,
        /// Mean of the seconds that the player named first takes for an action.
        first_seconds_mean: Option<f64>,
        /// The most seconds that it takes.
        first_seconds_longest: Option<f64>,
        /// Mean of the seconds that the player named second takes for an action.
        second_seconds_mean: Option<f64>,
        /// The most seconds that it takes.
        second_seconds_longest: Option<f64>,
        /// Seed of the openings.
        seed: u64,
    }
}

fn number(number: Option<f64>) -> Option<f64> {
    number.map(|number| rounded(number, 4))
}

fn interval(interval: Option<Interval>) -> [Option<f64>; 2] {
    [number(interval.map(|i| i.low)), number(interval.map(|i| i.high))]
}

fn clock(clock: Clock) -> [Option<f64>; 2] {
    [number(mean(clock)), number((clock.actions > 0).then_some(clock.longest.as_secs_f64()))]
}

fn mean(clock: Clock) -> Option<f64> {
    (clock.actions > 0).then(|| clock.total.as_secs_f64() / clock.actions as f64)
}

impl Match {
    fn of_setup(&self, setup: usize) -> Tally {
        let mut tally = Tally::default();
        self.pairs.iter().filter(|pair| pair.setup == setup).for_each(|pair| tally.add(pair));
        tally
    }

    fn row(&self, setup: Option<usize>) -> MatchRow {
        let tally = setup.map_or(self.all, |setup| self.of_setup(setup));
        let [first, second] = self.plan.players.each_ref().map(ToString::to_string);
        let WinDrawLoss { wins, draws, losses } = tally.first_player;
        let white_share = tally.white.of_decided();
        let [score_low, score_high] = interval(tally.first_player.score_interval());
        let [elo, elo_low, elo_high] = tally.first_player.elo().map(number);
        let [white_share_low, white_share_high] = interval(white_share.map(|(_, interval)| interval));
        let [first_faults, second_faults] = tally.faults;
        let [[first_seconds_mean, first_seconds_longest], [second_seconds_mean, second_seconds_longest]] =
            tally.clocks.map(clock);
        MatchRow {
            setup: OrNone(setup.map(|setup| self.plan.setups[setup].record())),
            first,
            second,
            games: tally.games(),
            wins,
            draws,
            losses,
            score: number(tally.first_player.score()),
            score_low,
            score_high,
            elo,
            elo_low,
            elo_high,
            white_wins: tally.white.wins,
            black_wins: tally.white.losses,
            white_share: number(white_share.map(|(share, _)| share)),
            white_share_low,
            white_share_high,
            by_empty_hand: tally.by_empty_hand,
            by_no_action: tally.by_no_action,
            by_repetition: tally.by_repetition,
            by_length: tally.by_length,
            first_faults,
            second_faults,
            mean_plies: number(tally.mean_plies()),
            longest: tally.longest,
            first_seconds_mean,
            first_seconds_longest,
            second_seconds_mean,
            second_seconds_longest,
            seed: self.plan.seed,
        }
    }

    /// Returns the setups, and then all together.
    fn rows(&self) -> impl Iterator<Item = MatchRow> {
        (0..self.plan.setups.len()).map(Some).chain([None]).map(|setup| self.row(setup))
    }
}

pub(super) fn say(played: &Match, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
    match format {
        Format::Csv => csv_rows(out, true, played.rows()),
        Format::Json => {
            json_rows(out, played.rows())?;
            json_rows(out, test(played))
        }
        Format::Text => text(played, out),
    }
}

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

/// Returns the Elo of the player named first in words; a side that won all games has no upper bound.
fn elo(games: WinDrawLoss) -> String {
    let [elo, low, high] = games.elo().map(|elo| elo.map(|elo| format!("{elo:+.0}")));
    let bounds = match (low, high) {
        (Some(low), Some(high)) => format!("95 % interval {low} to {high}"),
        (Some(low), None) => format!("at least {low} (95 %)"),
        (None, Some(high)) => format!("at most {high} (95 %)"),
        (None, None) => "no bounds".to_owned(),
    };
    match elo {
        Some(elo) => format!("{elo}, {bounds}"),
        None if games.wins > 0 => format!("has no estimate, since all games are won; {bounds}"),
        None => format!("has no estimate, since all games are lost; {bounds}"),
    }
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
        writeln!(out, "score     {} for the first, 95 % interval {}", percent(score), interval)?;
        writeln!(out, "Elo       {}", elo(all.first_player))?;
    }
    let [p0, p1, p2, p3, p4] = all.pairs;
    writeln!(out, "pairs     2–0 in {p4}, 1½–½ in {p3}, 1–1 in {p2}, ½–1½ in {p1}, 0–2 in {p0}, for the first")?;
    if let Some((share, interval)) = all.white.of_decided() {
        let decided = all.white.wins + all.white.losses;
        let wins = all.white.wins;
        writeln!(out, "colours   White wins {wins} of {decided} decided games: {}, {}", percent(share), interval)?;
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
            let white = tally.white.of_decided().map(|(share, i)| format!("{} ({})", percent(share), i));
            let SetupRecord { board, orientation, pods, rules, .. } = setup.record();
            writeln!(
                out,
                "  {board} at {orientation}°, {pods}, {rules}: {}; {wins}, {losses}, {draws}; {}",
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
