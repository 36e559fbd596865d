//! Sums over decisions and games, and what they come to.

use crate::statistics::{Interval, wilson};

/// The 97.5 % point of the normal distribution.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// A weighted sum: how much was counted, and what came together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) weight: f64,
    pub(super) sum: f64,
}

impl Sum {
    pub(super) fn add(&mut self, weight: f64, sum: f64) {
        self.weight += weight;
        self.sum += sum;
    }

    pub(super) fn plus(self, other: Sum) -> Sum {
        Sum { weight: self.weight + other.weight, sum: self.sum + other.sum }
    }

    /// Returns the mean; `None` where nothing was counted.
    pub(super) fn mean(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

/// The same sum of each of several games, for a mean with its interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratio {
    pub(super) all: Sum,
    squares: [f64; 3],
    /// True while each game counts once or not at all, with 0 or 1.
    trials: bool,
}

impl Default for Ratio {
    fn default() -> Ratio {
        Ratio { all: Sum::default(), squares: [0.0; 3], trials: true }
    }
}

impl Ratio {
    pub(super) fn add(&mut self, of: Sum) {
        self.all = self.all.plus(of);
        self.squares[0] += of.sum * of.sum;
        self.squares[1] += of.sum * of.weight;
        self.squares[2] += of.weight * of.weight;
        let whole = |x: f64| x == 0.0 || x == 1.0;
        self.trials &= whole(of.weight) && whole(of.sum);
    }

    /// Returns the 95 % interval of the mean: Wilson's for a share of games, else the normal one of
    /// a ratio of sums, whose games are independent of each other. `None` where nothing was
    /// counted, or one game alone.
    pub(super) fn interval(&self) -> Option<Interval> {
        let Sum { weight, sum } = self.all;
        if self.trials {
            return wilson(sum as u64, weight as u64);
        }
        let mean = self.all.mean().filter(|_| weight > 1.0)?;
        let [ss, sn, nn] = self.squares;
        let spread = (ss - 2.0 * mean * sn + mean * mean * nn).max(0.0).sqrt() / weight;
        Some(Interval { low: mean - Z * spread, high: mean + Z * spread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_textbooks() {
        let mut share = Ratio::default();
        (0..263).for_each(|n| share.add(Sum { weight: 1.0, sum: f64::from(u8::from(n < 81)) }));
        assert_eq!(share.interval(), wilson(81, 263));
        // Four games of 4, 5, 5 and 6 plies: mean 5, squares of the differences add up to 2.
        let mut mean = Ratio::default();
        [4.0, 5.0, 5.0, 6.0].into_iter().for_each(|sum| mean.add(Sum { weight: 1.0, sum }));
        let interval = mean.interval().unwrap();
        assert_eq!(mean.all.mean(), Some(5.0));
        let half = Z * 2.0_f64.sqrt() / 4.0;
        assert!((interval.low - 5.0 + half).abs() < 1e-12 && (interval.high - 5.0 - half).abs() < 1e-12);
        assert_eq!(Ratio::default().interval(), None);
        assert_eq!(Sum::default().mean(), None);
    }
}
