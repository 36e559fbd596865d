//! An upper bound on the positions that some roots lead to, without listing any.

use crate::geometry::MAX_POINTS;
use crate::material::{BySide, Side};
use crate::position::{Game, Hand, Position};
use crate::rules::Captures;

/// Returns an upper bound of the number of positions that some roots lead to: every way to spread
/// the pods in play over board, hand and box, for both sides to move. Saturates. Roots with the
/// same pods in play are counted once.
#[must_use]
pub fn positions_at_most(game: &Game, roots: &[&Position]) -> u128 {
    let mut sets: Vec<BySide<Hand>> = roots.iter().map(|root| BySide::from_fn(|side| root.in_game(side))).collect();
    sets.sort_unstable();
    sets.dedup();
    // Each root counts once more, since it alone may have the opening still to come.
    let others = sets.iter().map(|hands| spread_at_most(game, hands)).fold(0, u128::saturating_add);
    others.saturating_add(roots.len() as u128)
}

/// Returns an upper bound of the number of positions that some roots lead to. Where pods stay on
/// the board, only those in hand are spread, by players who take turns.
pub(super) fn reached_at_most(game: &Game, roots: &[&Position]) -> f64 {
    let options = game.rules().options();
    if options.moves || options.captures != Captures::Never {
        return positions_at_most(game, roots) as f64;
    }
    roots.iter().map(|root| placements_at_most(game, root)).sum()
}

fn placements_at_most(game: &Game, root: &Position) -> f64 {
    let free = game.board().len() - root.pods().count();
    let (first, second) = (root.to_move(), root.to_move().other());
    let [first, second] = [first, second].map(|side| arrangements(game, root.hand(side)));
    let (mut total, mut points) = (0.0, 1.0); // points for the pods placed: choose
    for ply in 0.. {
        let [of_first, of_second] = [ply - ply / 2, ply / 2];
        let (Some(one), Some(other)) = (first.get(of_first), second.get(of_second)) else { break };
        total += points * one * other;
        let placed = if ply % 2 == 0 { of_first } else { of_second } + 1;
        points *= free.saturating_sub(ply) as f64 / placed as f64;
    }
    total
}

fn spread_at_most(game: &Game, in_play: &BySide<Hand>) -> u128 {
    let points = game.board().len();
    let [white, black] = Side::BOTH.map(|side| arrangements(game, &in_play[side]));
    let mut total = 0.0_f64;
    let mut white_places = 1.0; // points for white pods: choose
    for (w, &white_ways) in white.iter().enumerate() {
        let mut black_places = 1.0;
        for (b, &black_ways) in black.iter().enumerate().take(points - w.min(points) + 1) {
            total += 2.0 * white_places * white_ways * black_places * black_ways;
            black_places *= (points - w).saturating_sub(b) as f64 / (b + 1) as f64;
        }
        white_places *= points.saturating_sub(w) as f64 / (w + 1) as f64;
    }
    // Far below 2^53 the sum is exact; beyond that a millionth more makes up for rounding.
    if total < 1e15 { total.round() as u128 } else { (total * 1.000_001) as u128 }
}

/// Returns for each number n of a side's pods on the board the ways in which they can stand on n
/// given points, with the rest in hand or captured.
fn arrangements(game: &Game, in_play: &Hand) -> Vec<f64> {
    let captures = game.rules().options().captures != Captures::Never;
    let mut ways = vec![1.0];
    for (_, count) in in_play.iter() {
        let count = count as usize;
        let mut more = vec![0.0; (ways.len() + count).min(MAX_POINTS + 1)];
        for (placed, &w) in ways.iter().enumerate() {
            let mut choose = 1.0;
            for k in 0..=count {
                if let Some(entry) = more.get_mut(placed + k) {
                    // Which of the points have this kind, and how the rest divides between hand and
                    // box.
                    let elsewhere = if captures { (count - k + 1) as f64 } else { 1.0 };
                    *entry += w * choose * elsewhere;
                }
                choose *= (placed + k + 1) as f64 / (k + 1) as f64;
            }
        }
        ways = more;
    }
    ways.truncate(game.board().len() + 1);
    ways
}
