//! Shares of a sample, with their uncertainty.

use std::fmt;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A range of shares, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The ends in per cent.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", percent(self.low), percent(self.high))
    }
}

/// Returns a share in per cent.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns the 95 % score interval of a share of which `successes` of `trials` were seen (Wilson,
/// 1927); `None` without trials.
///
/// # Panics
///
/// If there are more successes than trials.
#[must_use]
pub fn wilson(successes: u64, trials: u64) -> Option<Interval> {
    assert!(successes <= trials, "{successes} successes in {trials} trials");
    if trials == 0 {
        return None;
    }
    wilson_of_share(successes as f64 / trials as f64, trials as f64)
}

/// Computes the interval of [`wilson`] for a share `p` of `n` trials. Successes need not be whole
/// numbers, such as points of games; `None` without trials.
pub(crate) fn wilson_of_share(p: f64, n: f64) -> Option<Interval> {
    if n <= 0.0 {
        return None;
    }
    let centre = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let end = |at: f64| (at / (1.0 + Z * Z / n)).clamp(0.0, 1.0);
    // At the ends the two terms are equal, but for rounding.
    let low = if p == 0.0 { 0.0 } else { end(centre - half) };
    let high = if p == 1.0 { 1.0 } else { end(centre + half) };
    Some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(interval: Option<Interval>, low: f64, high: f64) {
        let interval = interval.unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 5e-5;
        assert!(near(interval.low, low) && near(interval.high, high), "{interval:?} is not {low} to {high}");
    }

    #[test]
    fn wilson_intervals_are_the_published_ones() {
        // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        close(wilson(81, 263), 0.2553, 0.3662);
        close(wilson(15, 148), 0.0624, 0.1605);
        close(wilson(0, 20), 0.0, 0.1611);
        close(wilson(1, 29), 0.0061, 0.1718);
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn the_ends_are_exact_and_sides_are_alike() {
        for n in 1..200 {
            assert_eq!(wilson(0, n).unwrap().low, 0.0);
            assert_eq!(wilson(n, n).unwrap().high, 1.0);
            for k in 0..=n {
                let (a, b) = (wilson(k, n).unwrap(), wilson(n - k, n).unwrap());
                let p = k as f64 / n as f64;
                assert!((a.low + b.high - 1.0).abs() < 1e-12 && a.low <= p && p <= a.high);
            }
        }
    }
}
