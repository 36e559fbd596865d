//! The plain solvers: slow and obvious, to compare the others with. They take any engine.

use hashbrown::HashMap;

use super::value::Value;
use crate::engine::{Engine, Status};
use crate::position::Position;

fn finished(engine: &dyn Engine, position: &Position) -> Option<Value> {
    match engine.status(position) {
        Status::Ongoing => None,
        Status::Won(side) if side == position.to_move() => Some(Value::Win(0)),
        Status::Won(_) => Some(Value::Loss(0)),
    }
}

/// Returns the value of a position, and of every one it leads to, by plain recursion with
/// memoization (R33).
///
/// # Panics
///
/// If the rules allow play to return to an earlier position.
pub fn plain_exhaustive(engine: &dyn Engine, position: &Position, values: &mut HashMap<Position, Value>) -> Value {
    assert!(!engine.game().rules().can_cycle(), "recursion would not end");
    if let Some(&value) = values.get(position) {
        return value;
    }
    let value = finished(engine, position).unwrap_or_else(|| {
        let children: Vec<Value> = engine
            .sorted_actions(position)
            .into_iter()
            .map(|action| {
                plain_exhaustive(engine, &engine.transition(position, action).expect("listed as legal").next, values)
            })
            .collect();
        Value::of_children(children).expect("the game goes on")
    });
    values.insert(position.clone(), value);
    value
}

/// Returns the values of every position that some roots lead to, by passes over the whole graph
/// until nothing changes (R21, R33).
///
/// In round n exactly the positions of distance n are decided, from those decided in earlier
/// rounds.
#[must_use]
pub fn plain_retrograde(engine: &dyn Engine, roots: &[&Position]) -> HashMap<Position, Value> {
    let mut positions: Vec<Position> = Vec::new();
    let mut numbers: HashMap<Position, usize> = HashMap::new();
    let mut number_of = |position: &Position, positions: &mut Vec<Position>| {
        *numbers.entry(position.clone()).or_insert_with(|| {
            positions.push(position.clone());
            positions.len() - 1
        })
    };
    for root in roots {
        number_of(root, &mut positions);
    }
    // By the number of the position.
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while let Some(position) = positions.get(successors.len()).cloned() {
        let next = |action| engine.transition(&position, action).expect("listed as legal").next;
        let actions = engine.sorted_actions(&position);
        successors.push(actions.into_iter().map(|action| number_of(&next(action), &mut positions)).collect());
    }
    let mut values: Vec<Option<Value>> = positions.iter().map(|position| finished(engine, position)).collect();
    loop {
        let mut round = Vec::new();
        for number in (0..positions.len()).filter(|&number| values[number].is_none()) {
            let known: Vec<Option<Value>> = successors[number].iter().map(|&next| values[next]).collect();
            let any_lost = known.iter().any(|value| matches!(value, Some(Value::Loss(_))));
            let all_won = known.iter().all(|value| matches!(value, Some(Value::Win(_))));
            if any_lost || all_won {
                round.extend(Value::of_children(known.into_iter().flatten()).map(|value| (number, value)));
            }
        }
        if round.is_empty() {
            break;
        }
        for (number, value) in round {
            values[number] = Some(value);
        }
    }
    positions.into_iter().zip(values).map(|(position, value)| (position, value.unwrap_or(Value::Draw))).collect()
}
