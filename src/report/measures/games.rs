//! Games together: their figures with intervals.

use super::measure::Measure;
use super::observed::{MEASURES, Observed};
use super::sum::{Ratio, Sum};
use crate::geometry::Point;
use crate::position::Game;
use crate::report::full::{Interval, wilson};

/// A figure of a measure.
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
    /// Adds a game, or all games at once.
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
            figures.extend(self.of_lengths(measure));
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

    /// Returns a figure of the lengths of finished games.
    fn of_lengths(&self, measure: Measure) -> Option<Figure> {
        let mut sums = [Sum::default(); 2];
        for (plies, &chance) in self.lengths.iter().enumerate() {
            let plies = plies as f64;
            sums[0].add(chance, chance * plies);
            sums[1].add(chance, chance * plies * plies);
        }
        let [mean, square] = sums.map(Sum::mean);
        match measure {
            Measure::GameLengthDeviation => Some(Figure::new(measure, (square? - mean? * mean?).max(0.0).sqrt())),
            Measure::GameLengthMedian => {
                let mut chances = self.lengths.iter().scan(0.0, |sum, chance| {
                    *sum += chance;
                    Some(*sum)
                });
                // Sums of chances are exact up to rounding.
                let half = sums[0].weight / 2.0 * (1.0 - 1e-12);
                let median = chances.position(|sum| sum >= half)?;
                mean.map(|_| Figure::new(measure, median as f64))
            }
            _ => None,
        }
    }
}
