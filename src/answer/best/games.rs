//! Small random games with exact values, for tests.

use crate::engine::Bitboard;
use crate::engine::crosscheck::case;
use crate::position::Position;
use crate::solver::{Limits, Retrograde, Silent, Value};

/// Calls `visit` with small random games, a position of each, and what tells the value of all that
/// it leads to.
pub(super) fn for_each_game(
    seed: u64,
    cases: u64,
    mut visit: impl FnMut(&Bitboard, &Position, &dyn Fn(&Position) -> Value),
) -> u64 {
    let mut games = 0;
    for number in 0..cases {
        let case = case(seed, number);
        let engine = Bitboard::new(case.game());
        for position in case.walked(&engine) {
            let limits = Limits { memory: u64::MAX, nodes: 1_500, ..Limits::default() };
            let Ok(table) = Retrograde::build(&engine, &[&position], limits, &Silent) else { continue };
            visit(&engine, &position, &|position| table.value(position).expect("the root leads to it"));
            games += 1;
            break;
        }
    }
    games
}
