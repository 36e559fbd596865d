//! Small boards, more or less crowded: for liberties, captures, openings, empty hands, and players
//! who cannot act.

use std::collections::BTreeSet;

use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64;

use super::draft::{Draft, Place, legs, one_in};
use crate::material::{Legs, Side};
use crate::oracle::draw::below;

/// Returns a board of up to four by four points with some of them missing.
fn board(random: &mut Pcg64) -> Draft {
    let (columns, rows) = (1 + below(random, 4) as i16, 1 + below(random, 4) as i16);
    let holes = [0, 0, 20][below(random, 3)];
    let mut draft = Draft { black_to_move: one_in(random, 2), ..Draft::default() };
    for x in 0..columns {
        for y in 0..rows {
            if below(random, 100) >= holes {
                draft.points.insert((x, y));
            }
        }
    }
    draft.points.insert((0, 0));
    let lines = [50, 75, 100][below(random, 3)];
    draft.join_some(lines, &BTreeSet::new(), random);
    draft
}

/// Draws anything on a small board.
pub(super) fn crowd(random: &mut Pcg64) -> Draft {
    let mut draft = board(random);
    let kinds: Vec<Legs> = (0..1 + below(random, 4)).map(|_| legs(random, 3)).collect();
    let mut places: Vec<Place> = draft.points.iter().copied().collect();
    places.shuffle(random);
    let standing = below(random, places.len().min(8));
    for place in places.into_iter().take(standing) {
        let side = Side::BOTH[below(random, 2)];
        draft.pods.insert(place, (side, kinds[below(random, kinds.len())]));
    }
    for hand in &mut draft.hands {
        for _ in 0..below(random, 3) {
            hand.push((kinds[below(random, kinds.len())], 1));
        }
    }
    draft
}

/// Returns the same with several pods of a kind in hand.
pub(super) fn rich(random: &mut Pcg64) -> Draft {
    let mut draft = crowd(random);
    for hand in &mut draft.hands {
        hand.push((legs(random, 3), 2 + below(random, 11) as u8));
    }
    draft
}

/// Returns a board with few pods, or none, and hands with pods of one, two and more legs; mostly an
/// opening.
pub(super) fn opening(random: &mut Pcg64) -> Draft {
    let mut draft = board(random);
    let mut kinds: Vec<Legs> = Vec::new();
    for count in [1, 2, 2, 3, 4] {
        let drawn = std::iter::repeat_with(|| legs(random, 4)).find(|legs| legs.count() == count);
        kinds.extend(drawn);
    }
    let mut places: Vec<Place> = draft.points.iter().copied().collect();
    places.shuffle(random);
    let standing = if one_in(random, 2) { 0 } else { below(random, places.len().min(4)) };
    for place in places.into_iter().take(standing) {
        draft.pods.insert(place, (Side::BOTH[below(random, 2)], kinds[below(random, kinds.len())]));
    }
    for hand in &mut draft.hands {
        hand.push((kinds[1 + below(random, 2)], 1));
        for _ in 0..1 + below(random, 2) {
            hand.push((kinds[below(random, kinds.len())], 1));
        }
    }
    draft.open = !one_in(random, 4);
    draft
}
