//! The results of games: counts, shares and their intervals.

use super::play::{Clock, End, Pair};
use super::sprt::elo;
use crate::material::Side;
use crate::statistics::{Interval, wilson, wilson_of_share};

/// Wins, draws by convention and losses of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WinDrawLoss {
    /// Games that the player won.
    pub wins: u64,
    /// Games that were drawn by convention.
    pub draws: u64,
    /// Games that the player lost.
    pub losses: u64,
}

impl WinDrawLoss {
    #[must_use]
    pub(crate) const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the share of the points, a draw as half a point; `None` without games.
    #[must_use]
    pub(crate) fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }

    /// Returns the 95 % Wilson interval of the score, as if the games were independent of each
    /// other. Draws make it wider than necessary.
    #[must_use]
    pub(crate) fn score_interval(&self) -> Option<Interval> {
        wilson_of_share(self.score()?, self.games() as f64)
    }

    /// Returns the share of wins among the games that were decided, with its 95 % Wilson interval;
    /// `None` if there are none.
    #[must_use]
    pub(crate) fn of_decided(&self) -> Option<(f64, Interval)> {
        let decided = self.wins + self.losses;
        Some((self.wins as f64 / decided.max(1) as f64, wilson(self.wins, decided)?))
    }

    /// Returns by how many Elo the player is stronger, from the score and from the ends of its
    /// interval; `None` without games, or where a share is 0 or 1.
    #[must_use]
    pub(crate) fn elo(&self) -> [Option<f64>; 3] {
        let interval = self.score_interval();
        [self.score(), interval.map(|i| i.low), interval.map(|i| i.high)].map(|score| score.and_then(elo))
    }

    pub(super) fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
            None => self.draws += 1,
        }
    }
}

/// Counts of the games of a match, or of those with one setup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Of the first player.
    pub first_player: WinDrawLoss,
    /// Of White, whoever that was.
    pub white: WinDrawLoss,
    /// Pairs by what the first player scored in them: 0, ½, 1, 1½, 2 points.
    pub pairs: [u64; 5],
    /// Games that an empty hand ended.
    pub by_empty_hand: u64,
    /// Games that ended because the player to move had no action.
    pub by_no_action: u64,
    /// Draws by repetition.
    pub by_repetition: u64,
    /// Draws by length.
    pub by_length: u64,
    /// Games that each player lost by a fault.
    pub faults: [u64; 2],
    /// Plies of all games together, openings among them.
    pub plies: u64,
    /// Plies of the longest game.
    pub longest: u64,
    /// Clocks of the players.
    pub clocks: [Clock; 2],
}

impl Tally {
    /// Adds a pair of games.
    pub fn add(&mut self, pair: &Pair) {
        let mut points = 0;
        for (number, game) in pair.games.iter().enumerate() {
            let own = Pair::first_player(number);
            let won = game.winner.map(|winner| winner == own);
            self.first_player.add(won);
            self.white.add(game.winner.map(|winner| winner == Side::White));
            points += match won {
                Some(true) => 2,
                None => 1,
                Some(false) => 0,
            };
            match game.end {
                End::EmptyHand => self.by_empty_hand += 1,
                End::NoAction => self.by_no_action += 1,
                End::Repetition => self.by_repetition += 1,
                End::Length => self.by_length += 1,
                End::Fault(_) => self.faults[usize::from(won == Some(true))] += 1,
            }
            let plies = game.actions.len() as u64;
            self.plies += plies;
            self.longest = self.longest.max(plies);
            for (who, side) in [own, own.other()].into_iter().enumerate() {
                self.clocks[who].join(game.clocks[side.index()]);
            }
        }
        self.pairs[points] += 1;
    }

    #[must_use]
    pub(crate) const fn games(&self) -> u64 {
        self.first_player.games()
    }

    /// Returns the plies of a game on average; `None` without games.
    #[must_use]
    pub(crate) fn mean_plies(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.plies as f64 / self.games() as f64)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::matches::Played;

    fn game(winner: Option<Side>, end: End, seconds: [u64; 2]) -> Played {
        let clock =
            |seconds| Clock { actions: 1, total: Duration::from_secs(seconds), longest: Duration::from_secs(seconds) };
        Played { actions: Vec::new(), winner, end, clocks: seconds.map(clock), proof: None }
    }

    #[test]
    fn pairs_count_for_the_player_and_not_for_the_colour() {
        let mut tally = Tally::default();
        let add = |tally: &mut Tally, games| tally.add(&Pair { number: 0, setup: 0, opening: 0, games });
        // The first player wins with both colours, and takes 1 s with White and 2 s with Black.
        let games = [game(Some(Side::White), End::EmptyHand, [1, 9]), game(Some(Side::Black), End::NoAction, [8, 2])];
        add(&mut tally, games);
        // White wins both times; the second time by a fault of the first player.
        let games = [
            game(Some(Side::White), End::EmptyHand, [1, 1]),
            game(Some(Side::White), End::Fault("why".to_owned()), [1, 1]),
        ];
        add(&mut tally, games);
        add(&mut tally, [game(None, End::Repetition, [1, 1]), game(Some(Side::White), End::NoAction, [1, 1])]);
        assert_eq!(tally.first_player, WinDrawLoss { wins: 3, draws: 1, losses: 2 });
        assert_eq!(tally.white, WinDrawLoss { wins: 4, draws: 1, losses: 1 });
        assert_eq!(tally.pairs, [0, 1, 1, 0, 1]);
        assert_eq!((tally.by_empty_hand, tally.by_no_action, tally.by_repetition, tally.by_length), (2, 2, 1, 0));
        assert_eq!(tally.faults, [1, 0]);
        assert_eq!(tally.clocks[0].total, Duration::from_secs(3 + 4));
        assert_eq!(tally.clocks[1].longest, Duration::from_secs(9));
        assert_eq!(tally.first_player.score(), Some(3.5 / 6.0));
        assert_eq!(tally.first_player.of_decided(), Some((0.6, wilson(3, 5).unwrap())));
        assert_eq!(WinDrawLoss::default().score_interval(), None);
        assert_eq!(WinDrawLoss { wins: 4, draws: 0, losses: 0 }.elo()[0], None);
    }
}
