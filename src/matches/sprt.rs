//! The sequential probability ratio test (Wald, 1945) of two claims about strength, on the scores
//! of pairs of games.
//!
//! A pair of games, one opening with both colours, scores 0, ½, 1, 1½ or 2 for the first player.
//! Both games have the same opening, so their results depend on each other, and the test counts
//! pairs, not games. The likelihood ratio is the generalized one: it compares, of all distributions
//! on the five scores, the likeliest with the mean of the one claim and the likeliest with the mean
//! of the other (Van den Bergh, "A practical introduction to the GSPRT", 2020).

/// The scores that a pair of games can give, as shares of its two points.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The count for a score that was never seen: every score needs a positive probability.
const UNSEEN: f64 = 1e-3;

/// A test of two claims: that the first player is `elo0` stronger, or `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sprt {
    elo: [f64; 2],
    /// The log-likelihood ratios at which the claims are accepted.
    bounds: [f64; 2],
}

/// Reasons why a test makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum SprtError {
    /// The claims are not in order, or not numbers.
    #[error("the first Elo must be below the second, and both between -1000 and 1000")]
    Claims,
    /// A chance of error is out of range.
    #[error("alpha and beta are chances of an error, above 0 and below 0.5")]
    Chances,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The first claim is accepted: the first player is `elo0` stronger rather than `elo1`.
    First,
    Second,
    /// More games are needed.
    Open,
}

/// Returns the share of the points that a player who is `elo` stronger is expected to score.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns by how many Elo a player who scores this share of the points is stronger; `None` for a
/// share of 0 or 1.
pub(crate) fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

impl Sprt {
    /// Creates a test of `elo0` against `elo1`. Where the first claim is true, the second is
    /// accepted with a chance of about `alpha`; where the second is true, the first with a chance
    /// of about `beta`.
    ///
    /// # Errors
    ///
    /// If the claims are not in order, or the chances not above 0 and below a half.
    pub(crate) fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let far = |elo: f64| !(-1000.0..=1000.0).contains(&elo);
        if far(elo0) || far(elo1) || elo0 >= elo1 {
            return Err(SprtError::Claims);
        }
        let odd = |chance: f64| !(chance > 0.0 && chance < 0.5);
        if odd(alpha) || odd(beta) {
            return Err(SprtError::Chances);
        }
        Ok(Sprt { elo: [elo0, elo1], bounds: [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()] })
    }

    /// Returns the two claims, in Elo.
    #[must_use]
    pub(crate) fn claims(&self) -> [f64; 2] {
        self.elo
    }

    /// Returns the log-likelihood ratios at or beyond which the first and the second claim are
    /// accepted.
    #[must_use]
    pub(crate) fn bounds(&self) -> [f64; 2] {
        self.bounds
    }

    /// Returns the log-likelihood ratio of the second claim to the first, from how many pairs had
    /// each score; 0 without any.
    #[must_use]
    pub(crate) fn log_likelihood_ratio(&self, pairs: [u64; 5]) -> f64 {
        let n: u64 = pairs.iter().sum();
        if n == 0 {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let all: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / all);
        let [first, second] = self.elo.map(|elo| likeliest(seen, expected_score(elo)));
        all * (0..5).map(|i| seen[i] * (second[i] / first[i]).ln()).sum::<f64>()
    }

    #[must_use]
    pub(crate) fn decision(&self, pairs: [u64; 5]) -> Decision {
        let ratio = self.log_likelihood_ratio(pairs);
        match self.bounds {
            [low, _] if ratio <= low => Decision::First,
            [_, high] if ratio >= high => Decision::Second,
            _ => Decision::Open,
        }
    }
}

/// Returns the distribution with this mean under which the scores seen are likeliest.
fn likeliest(seen: [f64; 5], mean: f64) -> [f64; 5] {
    // seen / (1 + t (score - mean)), with t so that the mean is right; the sum falls with t.
    let off = |t: f64| -> f64 { (0..5).map(|i| seen[i] * (SCORES[i] - mean) / (1.0 + t * (SCORES[i] - mean))).sum() };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if off(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = f64::midpoint(low, high);
    std::array::from_fn(|i| seen[i] / (1.0 + t * (SCORES[i] - mean)))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    #[test]
    fn the_likeliest_distribution_has_the_mean_and_no_better_neighbour() {
        for (seen, mean) in [([0.1, 0.2, 0.4, 0.2, 0.1], 0.5), ([0.05, 0.15, 0.3, 0.3, 0.2], 0.55), ([0.2; 5], 0.4)] {
            let found = likeliest(seen, mean);
            let total: f64 = found.iter().sum();
            let its_mean: f64 = (0..5).map(|i| found[i] * SCORES[i]).sum();
            assert!((total - 1.0).abs() < 1e-9 && (its_mean - mean).abs() < 1e-9, "{found:?}");
            let likelihood = |p: [f64; 5]| -> f64 { (0..5).map(|i| seen[i] * p[i].ln()).sum() };
            // Moves that keep sum and mean: out of two neighbours into what lies between, and back.
            for i in 1..4 {
                for step in [-1e-4, 1e-4] {
                    let mut near = found;
                    near[i - 1] += step;
                    near[i] -= 2.0 * step;
                    near[i + 1] += step;
                    assert!(likelihood(near) <= likelihood(found) + 1e-12, "{seen:?} {i} {step}");
                }
            }
        }
    }

    #[test]
    fn sides_are_alike_and_more_of_the_same_says_more() {
        let sprt = Sprt::new(-10.0, 10.0, 0.05, 0.05).unwrap();
        assert!(sprt.log_likelihood_ratio([3, 20, 40, 20, 3]).abs() < 1e-6);
        assert_eq!(sprt.log_likelihood_ratio([0; 5]), 0.0);
        let one = sprt.log_likelihood_ratio([3, 20, 40, 30, 7]);
        let other = sprt.log_likelihood_ratio([7, 30, 40, 20, 3]);
        assert!(one > 0.0 && (one + other).abs() < 1e-6);
        let twice = sprt.log_likelihood_ratio([6, 40, 80, 60, 14]);
        assert!((twice - 2.0 * one).abs() < 1e-6);
        assert_eq!(sprt.decision([0, 0, 0, 0, 3000]), Decision::Second);
        assert_eq!(sprt.decision([3000, 0, 0, 0, 0]), Decision::First);
    }

    #[test]
    fn the_ratio_is_near_that_of_normal_scores_where_claims_are_near() {
        // For near claims the generalized ratio is n (s1 - s0)(2 mean - s0 - s1) / (2 variance).
        let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05).unwrap();
        let pairs = [700_u32, 2200, 4000, 2350, 750];
        let n = 10_000.0;
        let share = |i: usize| f64::from(pairs[i]) / n;
        let mean: f64 = (0..5).map(|i| share(i) * SCORES[i]).sum();
        let variance: f64 = (0..5).map(|i| share(i) * (SCORES[i] - mean).powi(2)).sum();
        let (s0, s1) = (expected_score(0.0), expected_score(2.0));
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = sprt.log_likelihood_ratio(pairs.map(u64::from));
        assert!((ratio / normal - 1.0).abs() < 0.02, "{ratio} {normal}");
    }

    #[test]
    fn errors_are_as_rare_as_they_are_said_to_be() {
        let sprt = Sprt::new(0.0, 40.0, 0.05, 0.05).unwrap();
        let mut random = rand_pcg::Pcg64::seed_from_u64(14);
        for (elo, right) in [(0.0, Decision::First), (40.0, Decision::Second)] {
            let win = expected_score(elo);
            let mut wrong = 0;
            for _ in 0..1000 {
                let mut pairs = [0; 5];
                let decision = loop {
                    let game = |random: &mut rand_pcg::Pcg64| if random.random_bool(win) { 2 } else { 0 };
                    let score: usize = game(&mut random) + game(&mut random);
                    pairs[score] += 1;
                    match sprt.decision(pairs) {
                        Decision::Open => {}
                        decision => break decision,
                    }
                };
                wrong += u32::from(decision != right);
            }
            // 50 are expected; the first pairs, of which some scores were not seen yet, may add a
            // few.
            assert!(wrong < 80, "{elo}: {wrong} of 1000");
        }
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo_difference in [-300.0, -1.0, 0.0, 7.5, 250.0] {
            assert!((elo(expected_score(elo_difference)).unwrap() - elo_difference).abs() < 1e-9);
        }
        assert_eq!((elo(0.0), elo(1.0)), (None, None));
        for (elo0, elo1, alpha, beta) in
            [(5.0, 5.0, 0.05, 0.05), (f64::NAN, 5.0, 0.05, 0.05), (0.0, 5.0, 0.0, 0.05), (0.0, 5.0, 0.05, 0.5)]
        {
            assert!(Sprt::new(elo0, elo1, alpha, beta).is_err());
        }
    }
}
