//! The plain solvers: slow and obvious, to compare the others with. They take any engine.

use hashbrown::HashMap;
use petgraph::graph::{DiGraph, NodeIndex};

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
    let mut graph: DiGraph<Position, ()> = DiGraph::new();
    let mut nodes: HashMap<Position, NodeIndex> = HashMap::new();
    for root in roots {
        nodes.entry((*root).clone()).or_insert_with(|| graph.add_node((*root).clone()));
    }
    let mut expanded = 0;
    while expanded < graph.node_count() {
        let node = NodeIndex::new(expanded);
        let position = graph[node].clone();
        for action in engine.sorted_actions(&position) {
            let next = engine.transition(&position, action).expect("listed as legal").next;
            let to = *nodes.entry(next.clone()).or_insert_with(|| graph.add_node(next));
            graph.update_edge(node, to, ());
        }
        expanded += 1;
    }
    let mut decided: HashMap<NodeIndex, Value> =
        graph.node_indices().filter_map(|n| finished(engine, &graph[n]).map(|value| (n, value))).collect();
    loop {
        let mut round = Vec::new();
        for node in graph.node_indices().filter(|n| !decided.contains_key(n)) {
            let known: Vec<Option<Value>> = graph.neighbors(node).map(|next| decided.get(&next).copied()).collect();
            let any_lost = known.iter().any(|value| matches!(value, Some(Value::Loss(_))));
            let all_won = known.iter().all(|value| matches!(value, Some(Value::Win(_))));
            if any_lost || all_won {
                round.extend(Value::of_children(known.into_iter().flatten()).map(|value| (node, value)));
            }
        }
        if round.is_empty() {
            break;
        }
        decided.extend(round);
    }
    graph.node_indices().map(|node| (graph[node].clone(), decided.get(&node).copied().unwrap_or(Value::Draw))).collect()
}
