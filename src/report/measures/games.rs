//! Games together: their figures with intervals.

use super::measure::Measure;
use super::observed::{MEASURES, Observed};
use super::sum::{Ratio, Sum, Z};
use crate::geometry::Point;
use crate::position::Game;
use crate::statistics::{Interval, wilson};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    pub(super) measure: Measure,
    /// The ply; `None` for whole games.
    pub(super) ply: Option<u32>,
    /// The point or the pod; `None` for all together.
    pub(super) item: Option<String>,
    pub(super) value: f64,
    pub(super) interval: Option<Interval>,
}

impl Figure {
    pub(super) fn new(measure: Measure, value: f64) -> Figure {
        Figure { measure, ply: None, item: None, value, interval: None }
    }
}

/// The sums of several games, or those of all games at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Games {
    count: u64,
    by_ply: Vec<[Ratio; MEASURES]>,
    in_all: [Ratio; MEASURES],
    lengths: Vec<f64>,
    points: Vec<[Ratio; 2]>,
    pods: Vec<Ratio>,
}

/// Share of the games that must go on to a ply that gets rows of its own.
const LEAST_ONGOING: f64 = 0.01;

impl Games {
    pub(super) fn add(&mut self, game: &Observed) {
        fn longer<T: Clone + Default>(sums: &mut Vec<T>, than: usize) {
            sums.resize(sums.len().max(than), T::default());
        }
        self.count += 1;
        longer(&mut self.by_ply, game.by_ply.len());
        for (sums, of) in self.by_ply.iter_mut().zip(&game.by_ply) {
            sums.iter_mut().zip(of).for_each(|(sum, of)| sum.add(*of));
        }
        for &measure in Measure::ALL {
            self.in_all[measure as usize].add(game.in_all(measure, 1.0));
        }
        longer(&mut self.lengths, game.lengths.len());
        self.lengths.iter_mut().zip(&game.lengths).for_each(|(all, of)| *all += of);
        longer(&mut self.points, game.points.len());
        for (sums, of) in self.points.iter_mut().zip(&game.points) {
            sums.iter_mut().zip(of).for_each(|(sum, of)| sum.add(*of));
        }
        longer(&mut self.pods, game.pods.len());
        self.pods.iter_mut().zip(&game.pods).for_each(|(sum, of)| sum.add(*of));
    }

    /// Returns all figures; those of a sample have an interval.
    pub(super) fn figures(&self, game: &Game, sampled: bool) -> Vec<Figure> {
        let figure = |measure, ply, item, sum: &Ratio| {
            let interval = sum.interval().filter(|_| sampled);
            sum.all.mean().map(|value| Figure { measure, ply, item, value, interval })
        };
        let mut figures: Vec<Figure> = Vec::new();
        for &measure in Measure::ALL {
            figures.extend(figure(measure, None, None, &self.in_all[measure as usize]));
            figures.extend(self.of_lengths(measure, sampled));
            let plies = self.by_ply.iter().zip(0..).filter(|(at, _)| self.ongoing(at) >= LEAST_ONGOING);
            figures.extend(plies.filter_map(|(at, ply)| match measure {
                Measure::Ongoing => {
                    let sum = at[Measure::Ongoing as usize].all.sum;
                    let interval = if sampled { wilson(sum as u64, self.count) } else { None };
                    Some(Figure { measure, ply: Some(ply), item: None, value: self.ongoing(at), interval })
                }
                _ => figure(measure, Some(ply), None, &at[measure as usize]),
            }));
        }
        let coord = |point: usize| Some(game.board().coord(Point::new(point)).to_string());
        for (which, measure) in [Measure::PointUse, Measure::PointGain].into_iter().enumerate() {
            let points = self.points.iter().enumerate();
            figures.extend(points.filter_map(|(point, sums)| figure(measure, None, coord(point), &sums[which])));
        }
        let pods = game.pods().kinds().zip(&self.pods);
        figures.extend(
            pods.filter_map(|(kind, sum)| figure(Measure::PodGain, None, Some(game.pods().id(kind).to_string()), sum)),
        );
        figures
    }

    /// Returns the share of the games that go on to a ply.
    fn ongoing(&self, at: &[Ratio; MEASURES]) -> f64 {
        at[Measure::Ongoing as usize].all.sum / self.count as f64
    }

    fn of_lengths(&self, measure: Measure, sampled: bool) -> Option<Figure> {
        let moment = |of: &dyn Fn(f64) -> f64| {
            let mut sum = Sum::default();
            self.lengths
                .iter()
                .zip(0_u32..)
                .for_each(|(&chance, plies)| sum.add(chance, chance * of(f64::from(plies))));
            sum
        };
        let whole = moment(&|plies| plies);
        let mean = whole.mean()?;
        match measure {
            Measure::GameLengthDeviation => {
                let central = |power| moment(&|plies| (plies - mean).powi(power)).mean();
                let interval = deviation_interval(central(2)?, central(4)?, whole.weight).filter(|_| sampled);
                Some(Figure { interval, ..Figure::new(measure, central(2)?.sqrt()) })
            }
            Measure::GameLengthMedian => {
                // The first length by which so much of the chances has come, which are exact up to
                // rounding.
                let after = |part: f64| {
                    let mut chances = self.lengths.iter().scan(0.0, |sum, chance| {
                        *sum += chance;
                        Some(*sum)
                    });
                    chances.position(|sum| sum >= part * (1.0 - 1e-12)).map(|plies| plies as f64)
                };
                let ranks = median_ranks(whole.weight as u64).filter(|_| sampled);
                let end = |rank: u64| after(rank as f64);
                let interval = ranks.and_then(|[low, high]| Some(Interval { low: end(low)?, high: end(high)? }));
                Some(Figure { interval, ..Figure::new(measure, after(whole.weight / 2.0)?) })
            }
            _ => None,
        }
    }
}

/// Returns the 95 % interval of a standard deviation from the second and the fourth central moment
/// of a sample, for large samples; `None` where all are alike, or there is one alone.
pub(super) fn deviation_interval(second: f64, fourth: f64, count: f64) -> Option<Interval> {
    if second <= 0.0 || count <= 1.0 {
        return None;
    }
    let spread = ((fourth - second * second).max(0.0) / (4.0 * second * count)).sqrt();
    Some(Interval { low: (second.sqrt() - Z * spread).max(0.0), high: second.sqrt() + Z * spread })
}

/// Returns the ranks, from 1, of the two members of a sorted sample between which the median lies
/// with a chance of at least 95 %, whatever is sampled; `None` where the sample is too small.
pub(super) fn median_ranks(count: u64) -> Option<[u64; 2]> {
    // Logarithms of the chances that 0, 1, 2... members lie below the median.
    let mut log = -(count as f64) * 2.0_f64.ln();
    let (mut below, mut rank) = (0.0, 0);
    while rank < count {
        below += log.exp();
        if below > 0.025 {
            break;
        }
        log += ((count - rank) as f64 / (rank + 1) as f64).ln();
        rank += 1;
    }
    (rank > 0).then(|| [rank, count + 1 - rank])
}
