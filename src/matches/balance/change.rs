//! Changes of results under other rules, on the same openings.

use super::course::Course;
use crate::rules::RuleSet;
use crate::statistics::{Interval, wilson};

/// The change of results from one rule set to another, counted over the openings whose games are
/// decided under both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The rules that the others are compared with.
    pub base: RuleSet,
    /// The first player wins under both.
    pub both_won: u64,
    /// The first player wins under the base alone.
    pub won_to_lost: u64,
    /// The first player wins under these rules alone.
    pub lost_to_won: u64,
    /// The first player loses under both.
    pub both_lost: u64,
}

impl Change {
    /// Returns the change from the games of the base to those of other rules, at one strength.
    /// `base_games` are in the order of their openings, without gaps; games whose opening they lack
    /// are left out.
    pub(super) fn of(base: RuleSet, base_games: &[&Course], games: &[&Course]) -> Change {
        let mut change = Change { base, both_won: 0, won_to_lost: 0, lost_to_won: 0, both_lost: 0 };
        for game in games {
            let other = base_games.get(game.opening);
            match (other.and_then(|other| other.first_won), game.first_won) {
                (Some(true), Some(true)) => change.both_won += 1,
                (Some(true), Some(false)) => change.won_to_lost += 1,
                (Some(false), Some(true)) => change.lost_to_won += 1,
                (Some(false), Some(false)) => change.both_lost += 1,
                _ => {}
            }
        }
        change
    }

    /// Returns the number of openings whose games are decided under both.
    #[must_use]
    pub const fn openings(&self) -> u64 {
        self.both_won + self.won_to_lost + self.lost_to_won + self.both_lost
    }

    /// Returns the first player's share of wins under the base, with its 95 % interval; `None`
    /// without openings.
    #[must_use]
    pub(crate) fn of_base(&self) -> Option<(f64, Interval)> {
        let (wins, games) = (self.both_won + self.won_to_lost, self.openings());
        Some((wins as f64 / games as f64, wilson(wins, games)?))
    }

    /// Returns by how much the first player's share of wins is larger than under the base, with its
    /// 95 % interval; `None` without openings.
    #[must_use]
    pub fn difference(&self) -> Option<(f64, Interval)> {
        paired_difference([[self.both_won, self.lost_to_won], [self.won_to_lost, self.both_lost]])
    }
}

/// Returns the difference of two shares of one sample, observed twice, with its 95 % interval
/// (Newcombe, Statistics in Medicine 17, 1998, p. 2635, method 10). `counts[i][j]` is how many have
/// the property (0) or lack it (1), the first time (i) and the second time (j); the difference is
/// the first share less the second. `None` without any.
pub(crate) fn paired_difference(counts: [[u64; 2]; 2]) -> Option<(f64, Interval)> {
    let [[a, b], [c, d]] = counts;
    let n = a + b + c + d;
    let (first, second) = (wilson(a + b, n)?, wilson(a + c, n)?);
    let all = n as f64;
    let (p, q) = ((a + b) as f64 / all, (a + c) as f64 / all);
    let margins: f64 = [a + b, c + d, a + c, b + d].into_iter().map(|margin| margin as f64).product();
    let off = a as f64 * d as f64 - b as f64 * c as f64;
    // A correction for continuity, where the two agree more than by chance.
    let off = if off > 0.0 { (off - all / 2.0).max(0.0) } else { off };
    let agreement = if margins > 0.0 { off / margins.sqrt() } else { 0.0 };
    let far = |x: f64, y: f64| (x * x - 2.0 * agreement * x * y + y * y).max(0.0).sqrt();
    let low = p - q - far(p - first.low, second.high - q);
    let high = p - q + far(first.high - p, q - second.low);
    Some((p - q, Interval { low, high }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_differences_are_the_published_ones() {
        for (counts, difference, low, high) in [
            // Altman, Machin, Bryant, Gardner, Statistics with Confidence (2000), table 6.2.
            ([[14, 5], [0, 22]], 0.122, 0.011, 0.226),
            // Fagerland, Lydersen, Laake, Statistics in Medicine 33 (2014), the airways of 21
            // children.
            ([[1, 1], [7, 12]], -0.286, -0.507, -0.026),
        ] {
            let (found, interval) = paired_difference(counts).unwrap();
            for (found, published) in [(found, difference), (interval.low, low), (interval.high, high)] {
                assert!((found - published).abs() < 6e-4, "{counts:?}: {found} is not {published}");
            }
        }
        assert_eq!(paired_difference([[0; 2]; 2]), None);
    }

    #[test]
    fn intervals_hold_the_difference_and_turn_with_it() {
        for a in 0..6 {
            for b in 0..6 {
                for c in 0..6 {
                    let (there, interval) = paired_difference([[a, b], [c, 3]]).unwrap();
                    let (back, other) = paired_difference([[a, c], [b, 3]]).unwrap();
                    assert!((there + back).abs() < 1e-12 && (interval.low + other.high).abs() < 1e-12);
                    assert!(-1.0 <= interval.low && interval.low <= there && there <= interval.high, "{interval:?}");
                }
            }
        }
    }
}
