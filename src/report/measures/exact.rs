//! Exact measures: all games of a kind of play at once, each with its chance.
//!
//! The chances of all positions after a ply follow from those before it, in floating-point numbers:
//! exact up to the rounding of sums. What depends on the course of a game goes along with them
//! ([`Flow`]).

use super::observed::{Decision, Flow, Observed, Starter};
use crate::engine::bitboard::Bitboard;
use crate::position::Action;
use crate::report::point_values::target;
use crate::rules::Captures;
use crate::solver::{Observer, Outcome, Phase, PlayGraph, Stopped, Value};

/// A kind of play that chooses by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Chance {
    /// Any of the best actions (R33), each with the same chance.
    Optimal,
    /// Any legal action, each with the same chance.
    Random,
}

impl Chance {
    /// Returns `true` if an action that gives `given` may be chosen in a decision of this value.
    pub(super) fn may(self, value: Value, given: Value) -> bool {
        self == Chance::Random || given == value
    }
}

pub(super) struct Solved<'g> {
    engine: &'g Bitboard,
    graph: &'g PlayGraph,
    /// Points held, by position.
    held: Vec<u8>,
}

/// Positions between two looks at the clock.
const LOOK: usize = 1 << 12;

/// Bytes of a position beside the graph.
pub(super) const BYTES: u64 = 2 * (size_of::<Flow>() + size_of::<f64>()) as u64;

impl<'g> Solved<'g> {
    pub(super) fn new(engine: &'g Bitboard, graph: &'g PlayGraph) -> Solved<'g> {
        let held = (0..graph.positions() as u32).map(|number| graph.position(number).pods().count() as u8).collect();
        Solved { engine, graph, held }
    }

    /// Observes all games of a kind of play from the root, up to a number of plies.
    pub(super) fn play(&self, chance: Chance, horizon: u32, observer: &dyn Observer) -> Result<Observed, Stopped> {
        use crate::engine::Engine as _;
        let (graph, game) = (self.graph, self.engine.game());
        let (points, stays) = (game.board().points().count(), !game.rules().can_cycle());
        let mut observed = Observed::new(points, game.pods().kinds().count());
        let mut flows = [vec![Flow::default(); graph.positions()], vec![Flow::default(); graph.positions()]];
        let mut visits = vec![0.0; graph.positions()];
        let (mut here, mut next) = (vec![0], Vec::new());
        flows[0][0] = Flow::game();
        let mut gives = Vec::new();
        for ply in 0..=horizon {
            let mover = Starter::after(ply);
            for (number, &at) in here.iter().enumerate() {
                if number.is_multiple_of(LOOK) {
                    observer.stop().map_or(Ok(()), Err)?;
                    observer.progress(Phase::RandomPlay, u64::from(ply), None);
                }
                let mut flow = std::mem::take(&mut flows[ply as usize % 2][at as usize]);
                let (value, ends) = (graph.values()[at as usize], graph.next(at));
                if ends.is_empty() {
                    let winner = if value.outcome() == Outcome::Win { mover } else { mover.other() };
                    observed.won(ply, &flow, winner);
                    if stays {
                        observed.covered(flow.chance, f64::from(self.held[at as usize]) / points as f64);
                    }
                    continue;
                }
                if ply == horizon {
                    observed.drawn(flow.chance);
                    continue;
                }
                gives.clear();
                gives.extend(ends.iter().map(|&end| graph.values()[end as usize].before()));
                let held = f64::from(self.held[at as usize]) / points as f64;
                observed.decision(
                    ply,
                    flow.chance,
                    &Decision { value: Some(value), gives: &gives, actions: ends.len(), held },
                );
                visits[at as usize] += flow.chance;
                flow.pass(mover.seen_by_first(value.outcome()), f64::from(value.plies().unwrap_or(0)));
                let chosen = gives.iter().filter(|&&given| chance.may(value, given)).count();
                let part = 1.0 / chosen as f64;
                for (&end, &given) in ends.iter().zip(&gives).filter(|(_, given)| chance.may(value, **given)) {
                    observed.step(ply, part * flow.chance, given.outcome() != value.outcome());
                    let to = &mut flows[1 - ply as usize % 2][end as usize];
                    if to.chance == 0.0 {
                        next.push(end);
                    }
                    to.add(&flow, part);
                }
            }
            here.clear();
            std::mem::swap(&mut here, &mut next);
            if here.is_empty() {
                break;
            }
        }
        self.items(chance, &visits, &mut observed, observer)?;
        observed.count_games(1.0);
        Ok(observed)
    }

    /// Observes actions by their points and pods, and captures, from how often each position is
    /// visited.
    fn items(
        &self,
        chance: Chance,
        visits: &[f64],
        observed: &mut Observed,
        observer: &dyn Observer,
    ) -> Result<(), Stopped> {
        use crate::engine::Engine as _;
        let captures = self.engine.game().rules().options().captures != Captures::Never;
        let mut actions = Vec::new();
        for (number, &visited) in visits.iter().enumerate() {
            if number.is_multiple_of(LOOK) {
                observer.stop().map_or(Ok(()), Err)?;
            }
            if visited == 0.0 {
                continue;
            }
            let state = self.engine.state(&self.graph.position(number as u32));
            actions.clear();
            self.engine.for_each_action(&state, |action| actions.push(action));
            let value = self.graph.values()[number];
            let ends = self.graph.next(number as u32).iter();
            let gives: Vec<Value> = ends.map(|&end| self.graph.values()[end as usize].before()).collect();
            gains(observed, visited, &actions, &gives);
            let chosen = gives.iter().filter(|&&given| chance.may(value, given)).count();
            let part = visited / chosen as f64;
            for (&action, _) in actions.iter().zip(&gives).filter(|(_, given)| chance.may(value, **given)) {
                observed.points[target(action).index()][0].sum += part;
                if captures {
                    observed.captures(self.engine.captured(&state, action).map(|pods| part * f64::from(pods)));
                }
            }
        }
        Ok(())
    }
}

/// Observes what the actions of a decision gain against their mean, by point and by pod.
pub(super) fn gains(observed: &mut Observed, chance: f64, actions: &[Action], gives: &[Value]) {
    let mean = gives.iter().map(|given| score(given.outcome())).sum::<f64>() / gives.len() as f64;
    for (&action, given) in actions.iter().zip(gives) {
        let gain = score(given.outcome()) - mean;
        observed.points[target(action).index()][1].add(chance, chance * gain);
        if let Action::Place { kind, .. } = action {
            observed.pods[kind.index()].add(chance, chance * gain);
        }
    }
}

/// Returns the score of an outcome: 1, ½ or 0.
pub(super) fn score(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Loss => 0.0,
    }
}
