//! Illegal actions that are nearly legal, each with the clause that forbids it.

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64;

use super::draw::below;
use crate::engine::{Engine as _, Reference};
use crate::geometry::Direction;
use crate::position::{Action, Position};
use crate::rules::Clause;

/// Number of actions that are drawn for each illegal one that is wanted.
const TRIES: usize = 12;

/// Chooses up to `most` illegal actions of a position, sorted by notation. They are chosen from 12
/// × `most` random actions, so that they break many different clauses.
pub(crate) fn near_illegal(
    reference: &Reference,
    position: &Position,
    most: usize,
    random: &mut Pcg64,
) -> Vec<(Action, Clause)> {
    let mut found: Vec<(Action, Clause)> = Vec::new();
    let draws = drawn(reference, position, most * TRIES, random);
    for action in draws {
        if let Err(illegal) = reference.check(position, action)
            && found.iter().all(|(other, _)| *other != action)
        {
            found.push((action, illegal.clause));
        }
    }
    // A first one of each clause, the rarest clause first; then a second one of each, and so on.
    let mut count = [0_usize; Clause::ALL.len() + 1];
    let earlier: Vec<usize> = found
        .iter()
        .map(|(_, clause)| {
            count[*clause as usize] += 1;
            count[*clause as usize] - 1
        })
        .collect();
    let rank = |i: usize| (earlier[i], count[found[i].1 as usize], i);
    let mut ranked: Vec<(usize, usize, usize)> = (0..found.len()).map(rank).collect();
    ranked.sort_unstable();
    let mut kept: Vec<(Action, Clause)> = ranked.into_iter().take(most).map(|(_, _, i)| found[i]).collect();
    kept.sort_by_cached_key(|(action, _)| action.display(reference.game()).to_string());
    kept
}

/// Returns random actions: placements anywhere; moves, shoves and kicks of pods on the board to
/// points in a straight line, mostly near ones.
fn drawn(reference: &Reference, position: &Position, count: usize, random: &mut Pcg64) -> Vec<Action> {
    let game = reference.game();
    let kinds: Vec<_> = game.pods().kinds().collect();
    let held: Vec<_> = position.hand(position.to_move()).iter().map(|(kind, _)| kind).collect();
    let points: Vec<_> = game.board().points().collect();
    let mut standing: Vec<_> = position.pods().map(|(point, pod)| (pod.side != position.to_move(), point)).collect();
    standing.shuffle(random);
    standing.sort_by_key(|(foreign, _)| *foreign);
    let own = standing.iter().filter(|(foreign, _)| !foreign).count();
    let mut actions = Vec::new();
    for _ in 0..count {
        let place = standing.is_empty() || random.random_ratio(2, 5);
        if place {
            let from = if held.is_empty() || random.random_ratio(1, 12) { &kinds } else { &held };
            let (kind, at) = (from[below(random, from.len())], points[below(random, points.len())]);
            actions.push(Action::Place { kind, at });
            continue;
        }
        let among = if own == 0 || random.random_ratio(1, 15) { standing.len() } else { own };
        let (_, from) = standing[below(random, among)];
        let legs: Vec<Direction> = position.pod(from).map_or_else(Vec::new, |pod| {
            game.pods().legs(pod.kind).on_board(pod.side).iter().map(|leg| leg.direction).collect()
        });
        let along = !legs.is_empty() && random.random_ratio(4, 5);
        let direction = if along { legs[below(random, legs.len())] } else { Direction::ALL[below(random, 8)] };
        let mut to = from;
        for step in 0..4 {
            let Some(next) = game.board().neighbour(to, direction) else { break };
            to = next;
            if step == 3 || random.random_ratio(2, 3) {
                break;
            }
        }
        if to == from {
            continue;
        }
        actions.push(match below(random, 4) {
            0 | 1 if position.pod(to).is_none() => Action::Move { from, to },
            0 => Action::Move { from, to },
            3 => Action::Kick { from, to, distance: 1 + below(random, 3) as u8 },
            _ => Action::Shove { from, to },
        });
    }
    actions
}
