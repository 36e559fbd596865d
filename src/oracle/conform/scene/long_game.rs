//! Games that go on for hundreds of plies (R21).

use std::collections::BTreeSet;

use rand_pcg::Pcg64;

use super::draft::{Draft, legs_with, one_in};
use crate::engine::{Bitboard, Engine as _, Status};
use crate::geometry::Direction;
use crate::material::{Leg, Reach, Side};
use crate::oracle::draw::below;
use crate::position::{Action, Game, Position};
use crate::rules::RuleSet;

/// Returns a game of `plies` plies in which pods go to and fro and positions repeat; `None` if it
/// came to an end before.
pub(in crate::oracle::conform) fn long_game(
    rules: RuleSet,
    plies: usize,
    random: &mut Pcg64,
) -> Option<(Game, Vec<(Position, Action)>)> {
    let mut draft = Draft { black_to_move: one_in(random, 2), ..Draft::default() };
    let length = 2 + below(random, 3) as i16;
    for (row, side) in [(0, Side::White), (1, Side::Black)] {
        draft.points.extend((0..length).map(|x| (x, row)));
        for x in 0..length {
            draft.join((x, row), Direction::E);
        }
        let leg = |direction| Leg { direction, reach: Reach::Short };
        let own = legs_with(leg(Direction::E), side, 1, random);
        let legs = crate::material::Legs::new(own.iter().chain(own.iter().map(|l| leg(l.direction.opposite()))))?;
        draft.pods.insert((below(random, length as usize) as i16, row), (side, legs));
        draft.hands[side.index()].push((legs, 1));
    }
    if one_in(random, 2) {
        draft.join_some(40, &BTreeSet::new(), random);
    }
    let (game, mut here) = draft.build(rules, random)?;
    let engine = Bitboard::new(game.clone());
    let mut played = Vec::new();
    for _ in 0..plies {
        let moves = engine.sorted_actions(&here).into_iter().filter(|action| matches!(action, Action::Move { .. }));
        let moves: Vec<Action> = moves.collect();
        let quiet = moves.into_iter().filter(|&action| {
            engine.transition(&here, action).is_some_and(|result| {
                result.returned.is_empty()
                    && result.removed.is_empty()
                    && engine.status(&result.next) == Status::Ongoing
            })
        });
        let quiet: Vec<Action> = quiet.collect();
        if quiet.is_empty() {
            return None;
        }
        let action = quiet[below(random, quiet.len())];
        let next = engine.transition(&here, action)?.next;
        played.push((here, action));
        here = next;
    }
    Some((game, played))
}
