//! Observations of play: sums by ply and by game, from single games or from all games with their
//! chances.

use super::measure::Measure;
use super::sum::Sum;
use crate::solver::{Outcome, Value};

/// A decision as it is observed.
pub(super) struct Decision<'a> {
    /// The value; `None` where it is not known.
    pub(super) value: Option<Value>,
    /// The values that the actions give the side to move; empty where they are not known.
    pub(super) gives: &'a [Value],
    pub(super) actions: usize,
    pub(super) held: f64,
}

/// One of the two players: the one that starts, or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Starter {
    First,
    Second,
}

impl Starter {
    pub(super) const BOTH: [Starter; 2] = [Starter::First, Starter::Second];

    /// Returns the player to move after some plies. Players alternate (R8).
    pub(super) fn after(plies: u32) -> Starter {
        Starter::BOTH[plies as usize % 2]
    }

    pub(super) fn other(self) -> Starter {
        Starter::BOTH[1 - self as usize]
    }

    /// Returns the outcome for the player that starts of what is this outcome for `self`.
    pub(super) fn seen_by_first(self, outcome: Outcome) -> Outcome {
        if self == Starter::First { outcome } else { outcome.reversed() }
    }
}

/// Sums over the way of a game, or of games with the sum of their chances.
///
/// Each figure but the chance is summed over the games, each with its chance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Flow {
    /// The chance of the games; 1 for a game.
    pub(super) chance: f64,
    /// Decisions so far that were lost for a player.
    lost: [f64; 2],
    /// Plies to the end with best play of these decisions.
    distance: [f64; 2],
    /// Chance that there was none.
    never: [f64; 2],
    /// Decisions in a row up to here that are won for a player.
    run: [f64; 2],
}

impl Flow {
    pub(super) fn game() -> Flow {
        Flow { chance: 1.0, never: [1.0; 2], ..Flow::default() }
    }

    /// Takes a decision: its outcome for the player that starts, and its distance if it has one.
    pub(super) fn pass(&mut self, lead: Outcome, distance: f64) {
        for (player, outcome) in [lead, lead.reversed()].into_iter().enumerate() {
            if outcome == Outcome::Loss {
                self.lost[player] += self.chance;
                self.distance[player] += self.chance * distance;
                self.never[player] = 0.0;
            }
            self.run[player] = if outcome == Outcome::Win { self.run[player] + self.chance } else { 0.0 };
        }
    }

    /// Adds other games, each with a part of its chance.
    pub(super) fn add(&mut self, other: &Flow, part: f64) {
        let add = |to: &mut [f64; 2], from: &[f64; 2]| {
            to[0] += part * from[0];
            to[1] += part * from[1];
        };
        self.chance += part * other.chance;
        add(&mut self.lost, &other.lost);
        add(&mut self.distance, &other.distance);
        add(&mut self.never, &other.never);
        add(&mut self.run, &other.run);
    }
}

/// Number of measures.
pub(super) const MEASURES: usize = Measure::ALL.len();

/// Sums over one game, or over all games with their chances.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Observed {
    /// By ply and measure.
    pub(super) by_ply: Vec<[Sum; MEASURES]>,
    /// By measure, over whole games.
    pub(super) of_game: [Sum; MEASURES],
    /// Chance of the games that end after so many plies.
    pub(super) lengths: Vec<f64>,
    /// Actions that end on a point, and gains of actions that do, by point.
    pub(super) points: Vec<[Sum; 2]>,
    /// Gains of placements, by kind.
    pub(super) pods: Vec<Sum>,
}

impl Observed {
    pub(super) fn new(points: usize, kinds: usize) -> Observed {
        Observed { points: vec![[Sum::default(); 2]; points], pods: vec![Sum::default(); kinds], ..Observed::default() }
    }

    pub(super) fn at(&mut self, ply: u32) -> &mut [Sum; MEASURES] {
        let ply = ply as usize;
        if self.by_ply.len() <= ply {
            self.by_ply.resize(ply + 1, [Sum::default(); MEASURES]);
        }
        &mut self.by_ply[ply]
    }

    fn whole(&mut self, measure: Measure) -> &mut Sum {
        &mut self.of_game[measure as usize]
    }

    /// Counts a decision, weighted by the chance that a game reaches it.
    pub(super) fn decision(&mut self, ply: u32, chance: f64, of: &Decision<'_>) {
        let at = self.at(ply);
        let mut count = |measure: Measure, part: f64| at[measure as usize].add(chance, chance * part);
        count(Measure::Ongoing, 1.0);
        count(Measure::BranchingFactor, of.actions as f64);
        count(Measure::BoardSitesOccupied, of.held);
        let Some(value) = of.value else { return };
        let outcome = value.outcome();
        let is = |is: bool| f64::from(u8::from(is));
        count(Measure::Won, is(outcome == Outcome::Win));
        count(Measure::Drawn, is(outcome == Outcome::Draw));
        count(Measure::Lost, is(outcome == Outcome::Loss));
        if let Some(plies) = value.plies() {
            count(Measure::Distance, f64::from(plies));
        }
        count(Measure::DecisiveAction, is(value == Value::Win(1)));
        let winning = of.gives.iter().filter(|value| value.outcome() == Outcome::Win).count();
        count(Measure::WinningActions, winning as f64);
        if outcome != Outcome::Loss {
            let keeping = of.gives.iter().filter(|value| value.outcome() == outcome).count();
            count(Measure::LosingActions, (of.actions - keeping) as f64 / of.actions as f64);
            if of.actions > 1 {
                count(Measure::OnlyAction, is(keeping == 1));
            }
        }
    }

    /// Takes an action after which the outcome is another one, or the same.
    pub(super) fn step(&mut self, ply: u32, chance: f64, changes: bool) {
        self.at(ply)[Measure::LeadChange as usize].add(chance, if changes { chance } else { 0.0 });
    }

    /// Takes the end of games after some plies.
    pub(super) fn won(&mut self, plies: u32, flow: &Flow, winner: Starter) {
        let (chance, of) = (flow.chance, winner as usize);
        self.whole(Measure::AdvantageP1).add(chance, if winner == Starter::First { chance } else { 0.0 });
        self.whole(Measure::Drawishness).add(chance, 0.0);
        self.whole(Measure::GameLength).add(chance, chance * f64::from(plies));
        let plies = plies as usize;
        if self.lengths.len() <= plies {
            self.lengths.resize(plies + 1, 0.0);
        }
        self.lengths[plies] += chance;
        self.whole(Measure::Drama).add(chance, flow.lost[of]);
        self.whole(Measure::DramaDistance).add(flow.lost[of], flow.distance[of]);
        self.whole(Measure::Comeback).add(chance, chance - flow.never[of]);
        self.whole(Measure::KnownBeforeEnd).add(chance, flow.run[of]);
    }

    /// Takes games that nobody has won.
    pub(super) fn drawn(&mut self, chance: f64) {
        self.whole(Measure::AdvantageP1).add(chance, 0.0);
        self.whole(Measure::Drawishness).add(chance, chance);
    }

    /// Takes a share of points that finished games have covered.
    pub(super) fn covered(&mut self, chance: f64, share: f64) {
        self.whole(Measure::BoardCoverage).add(chance, chance * share);
    }

    /// Takes captures of games: pods that came back, and pods that left.
    pub(super) fn captures(&mut self, [returned, removed]: [f64; 2]) {
        self.whole(Measure::Captures).sum += removed;
        self.whole(Measure::Returns).sum += returned;
    }

    /// Adds to the number of games behind the captures and the returns.
    pub(super) fn count_games(&mut self, games: f64) {
        for measure in [Measure::Captures, Measure::Returns] {
            self.whole(measure).weight += games;
        }
        self.points.iter_mut().for_each(|[used, _]| used.weight += games);
    }

    pub(super) fn in_all(&self, measure: Measure, games: f64) -> Sum {
        let plies = self.by_ply.iter().fold(Sum::default(), |all, at| all.plus(at[measure as usize]));
        match measure {
            Measure::LeadChange => Sum { weight: games, sum: plies.sum },
            Measure::Ongoing => Sum::default(),
            _ => plies.plus(self.of_game[measure as usize]),
        }
    }
}
