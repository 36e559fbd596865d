//! Random games for the tests of the search.

use hashbrown::HashMap;

use super::answer::action;
use super::field::Field;
use super::node::Placement;
use super::{Search, SearchFeatures};
use crate::engine::crosscheck::case;
use crate::engine::{Bitboard, Engine};
use crate::position::Position;
use crate::rules::EmptyHand;
use crate::solver::plain::plain_exhaustive;
use crate::solver::value::{Outcome, Value};

/// Calls `visit` with small random placement games: the game, a position, and the values of all
/// that it leads to.
pub(super) fn for_each_game(
    seed: u64,
    cases: u64,
    mut visit: impl FnMut(&Bitboard, &Position, &HashMap<Position, Value>),
) -> u64 {
    let mut games = 0;
    for number in 0..cases {
        let case = case(seed, number);
        let game = case.game();
        if !Search::fits(&game) {
            continue;
        }
        let engine = Bitboard::new(game);
        for position in case.walked(&engine) {
            // A few games of many positions would take longer than all others together.
            if !engine.perft_at_most(&position, 4, 3_000) || !engine.leads_to_at_most(&position, 5_000) {
                continue;
            }
            let mut values = HashMap::new();
            plain_exhaustive(&engine, &position, &mut values);
            visit(&engine, &position, &values);
            games += 1;
            break;
        }
    }
    games
}

/// Calls `visit` like [`for_each_game`] with the games in which an empty hand loses: the game, its
/// field, all positions in an order that is the same in every run, and their values.
pub(super) fn for_each_game_lost_by_empty_hands(
    seed: u64,
    cases: u64,
    mut visit: impl FnMut(&Bitboard, &Field, &[&Position], &HashMap<Position, Value>),
) {
    for_each_game(seed, cases, |engine, _, values| {
        let game = engine.game();
        if game.rules().options().empty_hand == EmptyHand::Loses {
            let mut all: Vec<_> = values.keys().collect();
            all.sort_by_cached_key(|position| position.display(game).to_string());
            visit(engine, &Field::new(game), &all, values);
        }
    });
}

/// Calls `visit` like [`for_each_game_lost_by_empty_hands`], with one seed after the other, until
/// the games had `least` positions: it is also given the seed, and a search of the game without
/// that of fixed conflicts.
pub(super) fn for_each_search(
    seed: u64,
    least: u32,
    mut visit: impl FnMut(u64, &Search, &Bitboard, &Field, &[&Position], &HashMap<Position, Value>),
) {
    let (mut positions, mut at) = (0, seed);
    while positions < least as usize {
        at += 1;
        for_each_game_lost_by_empty_hands(at, 40, |engine, field, all, values| {
            let plain = SearchFeatures { conflicts: false, ..SearchFeatures::ALL };
            let search = Search::with_features(engine.game(), 1 << 16, plain).expect("the game fits");
            visit(at, &search, engine, field, all, values);
            positions += all.len();
        });
    }
}

/// Returns `true` if a reply in a position loses, by the values of a game.
pub(super) fn loses(
    engine: &Bitboard,
    values: &HashMap<Position, Value>,
    position: &Position,
    reply: Placement,
) -> bool {
    let next = engine.transition(position, action(reply)).expect("the reply is legal").next;
    values[&next].outcome() == Outcome::Win
}
