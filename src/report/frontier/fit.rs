//! How the nodes of a search grow from ply to ply towards the start, extrapolated to the empty board.

use super::row::ByPly;

/// Two-sided 95 % points of Student's t distribution for 1, 2, … degrees of freedom.
const T: [f64; 20] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086,
];

/// A straight line through the logarithms of the geometric mean nodes by ply, by least squares.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The plies of which all positions were solved: the line is fitted to these.
    pub plies: Vec<u32>,
    /// The factor by which the nodes grow with each ply towards the start.
    pub per_ply: f64,
    /// The nodes that the line gives for ply 0, the empty board. It is no forecast: that the line stays straight is an
    /// assumption, and the number of placements grows faster towards the start.
    pub at_start: f64,
    /// The 95 % prediction interval of `at_start`, by the scatter around the line; `None` with two plies, which a line
    /// always fits.
    pub interval: Option<(f64, f64)>,
}

/// The growth of the nodes; `None` with fewer than two plies of which all positions were solved.
#[must_use]
pub fn growth(by_ply: &[ByPly]) -> Option<Growth> {
    let points: Vec<(u32, f64)> = by_ply.iter().filter_map(|of| Some((of.ply, of.mean_nodes?.ln()))).collect();
    let n = points.len() as f64;
    if points.len() < 2 {
        return None;
    }
    let mean = |of: &dyn Fn(&(u32, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|p| f64::from(p.0)), mean(&|p| p.1));
    let squares: f64 = points.iter().map(|p| (f64::from(p.0) - x).powi(2)).sum();
    let slope = points.iter().map(|p| (f64::from(p.0) - x) * (p.1 - y)).sum::<f64>() / squares;
    let start = y - slope * x;
    let interval = (points.len() > 2).then(|| {
        let free = points.len() - 2;
        let rest: f64 = points.iter().map(|p| (p.1 - start - slope * f64::from(p.0)).powi(2)).sum();
        let scatter = (rest / free as f64).sqrt();
        let half = T.get(free - 1).copied().unwrap_or(2.086) * scatter * (1.0 + 1.0 / n + x * x / squares).sqrt();
        ((start - half).exp(), (start + half).exp())
    });
    let plies = points.iter().map(|p| p.0).collect();
    Some(Growth { plies, per_ply: (-slope).exp(), at_start: start.exp(), interval })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(ply: u32, mean_nodes: Option<f64>) -> ByPly {
        ByPly { ply, positions: 4, solved: 4, median_nodes: 1.0, median_seconds: 0.1, mean_nodes }
    }

    #[test]
    fn a_straight_line_is_found_and_unsolved_plies_are_left_out() {
        let means = [(8, None), (10, Some(4096.0)), (12, Some(1024.0)), (14, Some(256.0))];
        let growth = growth(&means.map(|(n, mean)| ply(n, mean))).unwrap();
        assert_eq!(growth.plies, [10, 12, 14]);
        assert!((growth.per_ply - 2.0).abs() < 1e-9 && (growth.at_start / 4_194_304.0 - 1.0).abs() < 1e-9);
        // Without scatter there is nothing to be uncertain about but the straightness itself.
        let (low, high) = growth.interval.unwrap();
        assert!((low / high - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        // y = 1, 2, 4 at x = 1, 2, 3: slope 1.5, intercept -2/3, residual variance 1/6, so that the half width at 0 is
        // 12.706 * sqrt(1/6 * (1 + 1/3 + 4/2)).
        let e = std::f64::consts::E;
        let growth = growth(&[(1, 1.0), (2, 2.0), (3, 4.0)].map(|(n, y)| ply(n, Some(e.powf(y))))).unwrap();
        let half = 12.706 * (1.0_f64 / 6.0 * (1.0 + 1.0 / 3.0 + 2.0)).sqrt();
        let (low, high) = growth.interval.unwrap();
        assert!((growth.at_start.ln() + 2.0 / 3.0).abs() < 1e-9);
        assert!((low.ln() - (-2.0 / 3.0 - half)).abs() < 1e-9 && (high.ln() - (-2.0 / 3.0 + half)).abs() < 1e-9);
    }

    #[test]
    fn too_little_gives_no_line_or_no_interval() {
        assert_eq!(growth(&[ply(12, Some(10.0)), ply(10, None)]), None);
        assert_eq!(growth(&[ply(12, Some(10.0)), ply(10, Some(20.0))]).unwrap().interval, None);
    }
}
