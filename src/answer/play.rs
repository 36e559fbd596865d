//! Best actions and best play, from anything that knows values.

use crate::engine::{Bitboard, Engine};
use crate::position::{Action, Position};
use crate::solver::{Stopped, Value};

/// Returns the value that the next position must have for an action to keep this value.
pub(super) fn after(value: Value) -> Value {
    match value {
        Value::Loss(plies) => Value::Win(plies - 1),
        Value::Draw => Value::Draw,
        Value::Win(plies) => Value::Loss(plies - 1),
    }
}

/// Returns the actions in the order of their notation, each with the next position.
pub(super) fn next(engine: &Bitboard, position: &Position) -> impl Iterator<Item = (Action, Position)> {
    let state = engine.state(position);
    engine
        .sorted_actions(position)
        .into_iter()
        .map(move |action| (action, engine.position(&engine.play_state(&state, action))))
}

pub(super) fn best_actions(
    engine: &Bitboard,
    position: &Position,
    value: Value,
    mut has_value: impl FnMut(&Position, Value) -> Result<bool, Stopped>,
) -> Result<Vec<Action>, Stopped> {
    let mut best = Vec::new();
    for (action, next) in next(engine, position) {
        if has_value(&next, after(value))? {
            best.push(action);
        }
    }
    Ok(best)
}

/// Returns best play by both sides to the end, the first of the best actions each time; no action
/// for a draw.
pub(super) fn main_line(
    engine: &Bitboard,
    position: &Position,
    value: Value,
    mut has_value: impl FnMut(&Position, Value) -> Result<bool, Stopped>,
) -> Result<Vec<Action>, Stopped> {
    let (mut line, mut here, mut value) = (Vec::new(), position.clone(), value);
    while value.plies().is_some_and(|plies| plies > 0) {
        let wanted = after(value);
        let mut step = None;
        for (action, next) in next(engine, &here) {
            if has_value(&next, wanted)? {
                step = Some((action, next));
                break;
            }
        }
        let Some((action, next)) = step else { unreachable!("some action keeps the value") };
        line.push(action);
        (here, value) = (next, wanted);
    }
    Ok(line)
}
