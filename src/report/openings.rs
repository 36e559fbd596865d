//! Openings of a board and a set of pods, and the pods that can be placed at all.

use super::Found;
use crate::geometry::Orientation;
use crate::material::{Board, PodKind, PodSet};

/// Returns the facts about a board and a pod set together: where White can open, and which pods can
/// be placed nowhere.
#[must_use]
pub(crate) fn found_together(board_file: &str, board: &Board, pods_file: &str, pods: &PodSet) -> Found {
    let turned = Orientation::ALL.map(|orientation| (orientation, board.turned(orientation)));
    let bipods: Vec<PodKind> = pods.kinds().filter(|&kind| pods.is_bipod(kind)).collect();
    let openings = turned.iter().map(|(orientation, board)| {
        let places = bipods.iter().map(|&kind| format!("{} on {} points", pods.id(kind), places(board, pods, kind)));
        (*orientation, places.collect::<Vec<_>>().join(", "))
    });
    let mut warnings = Vec::new();
    if bipods.is_empty() {
        warnings.push("nobody can open (R9): there is no bipod; play it with opening=any".to_owned());
    }
    let nowhere = |kinds: &[PodKind]| -> Vec<Orientation> {
        let none = |board: &Board| kinds.iter().all(|&kind| places(board, pods, kind) == 0);
        turned.iter().filter(|(_, board)| none(board)).map(|(orientation, _)| *orientation).collect()
    };
    let at = |orientations: &[Orientation]| -> String {
        let degrees = orientations.iter().map(|orientation| format!("{orientation}°"));
        degrees.collect::<Vec<_>>().join(", ")
    };
    let closed = nowhere(&bipods);
    if !bipods.is_empty() && !closed.is_empty() {
        let at = at(&closed);
        warnings.push(format!(
            "White cannot open at {at} where placements need a liberty: no bipod has one anywhere (R9, R13)"
        ));
    }
    for kind in pods.kinds() {
        let never = nowhere(&[kind]);
        if !never.is_empty() {
            let (id, at) = (pods.id(kind), at(&never));
            warnings.push(format!(
                "{id} has no liberty on any point at {at}, so it cannot be placed where that is needed (R13)"
            ));
        }
    }
    Found::together([board_file, pods_file], openings.collect(), warnings)
}

/// Returns on how many points of the empty board a pod of White's has a liberty (R7).
fn places(board: &Board, pods: &PodSet, kind: PodKind) -> usize {
    let legs = pods.legs(kind);
    board.points().filter(|&point| legs.iter().any(|leg| board.connected(point, leg.direction).is_some())).count()
}
