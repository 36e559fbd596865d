//! The pods of a set: names, legs in words, drawings.

use serde_json::{Value, json};

use super::material::pods_of;
use super::refusal::Refusal;
use crate::drawing::Drawing;
use crate::geometry::{Direction, DirectionSet};
use crate::material::{Legs, Side};

/// Returns the legs of a pod in words: which are short and which long.
fn words(legs: Legs) -> String {
    let list = |set: DirectionSet| set.iter().map(Direction::name).collect::<Vec<_>>().join(" ");
    let (short, long) = (list(legs.short()), list(legs.long()));
    match (short.is_empty(), long.is_empty()) {
        (true, _) => format!("long {long}"),
        (_, true) => format!("short {short}"),
        _ => format!("short {short}, long {long}"),
    }
}

/// Shows the pods: legs in words as the owner sees them, for readers who cannot see the drawing;
/// drawings of White's and of Black's pod as they lie on the board.
pub(super) fn answer(pods: &str) -> Result<Value, Refusal> {
    let (pods, drawing) = (pods_of(pods)?, Drawing::default().embedded());
    let shown = pods.kinds().map(|kind| {
        let svg = Side::BOTH.map(|side| drawing.pod(&pods, kind, side));
        json!({ "id": pods.id(kind), "words": words(pods.legs(kind)), "svg": svg })
    });
    Ok(shown.collect())
}
