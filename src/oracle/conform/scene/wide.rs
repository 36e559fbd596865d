//! Boards of up to 64 points, high rows and columns, many kinds of pods, large hands.

use std::collections::BTreeSet;

use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64;

use super::draft::{Draft, Place, legs, one_in};
use crate::geometry::Direction;
use crate::material::{Leg, Legs, Reach, Side};
use crate::oracle::draw::below;

/// Columns and rows of boards with up to 64 points.
const SIZES: &[(i16, i16)] =
    &[(8, 8), (5, 12), (12, 5), (4, 16), (16, 4), (2, 26), (26, 2), (10, 6), (6, 10), (21, 3), (1, 26)];

/// Returns a wide board with a few pods, and hands of up to 64 pods of a kind or of twenty and more
/// kinds. `turn` counts through the sizes.
pub(in crate::oracle::conform) fn wide(turn: usize, many_kinds: bool, random: &mut Pcg64) -> Draft {
    let (columns, rows) = SIZES[turn % SIZES.len()];
    let mut draft = Draft { black_to_move: one_in(random, 2), ..Draft::default() };
    draft.points.extend((0..columns).flat_map(|x| (0..rows).map(move |y| (x, y))));
    draft.join_some(70, &BTreeSet::new(), random);
    let kinds: Vec<Legs> = (0..if many_kinds { 21 + below(random, 4) } else { 3 }).map(|_| legs(random, 4)).collect();
    let mut places: Vec<Place> = draft.points.iter().copied().collect();
    places.shuffle(random);
    for place in places.into_iter().take(1 + below(random, 12)) {
        draft.pods.insert(place, (Side::BOTH[below(random, 2)], kinds[below(random, kinds.len())]));
    }
    // The highest point, too: the last bit of a word.
    if one_in(random, 2) {
        draft.pods.insert((columns - 1, rows - 1), (Side::BOTH[below(random, 2)], kinds[0]));
    }
    for hand in &mut draft.hands {
        if many_kinds {
            hand.extend(kinds.iter().map(|&legs| (legs, 1)));
            continue;
        }
        let count = [1, 9, 10, 11, 48, 50, 64][below(random, 7)];
        // On the board there may be some of the others already, and a kind has at most 64.
        let fresh = std::iter::repeat_with(|| legs(random, 3)).find(|legs| !kinds.contains(legs));
        hand.extend(fresh.map(|legs| (legs, count)));
        hand.push((kinds[below(random, kinds.len())], 1));
    }
    draft
}

/// Returns a few points on which both sides go to and fro, so that sequences multiply while
/// positions repeat.
pub(in crate::oracle::conform) fn crossing(random: &mut Pcg64) -> Draft {
    let mut draft = Draft { black_to_move: one_in(random, 2), ..Draft::default() };
    let length = 3 + below(random, 2) as i16;
    for (row, side) in [(0, Side::White), (2, Side::Black)] {
        draft.points.extend((0..length).map(|x| (x, row)));
        for x in 0..length {
            draft.join((x, row), Direction::E);
        }
        let both = [Direction::E, Direction::W].map(|direction| Leg { direction, reach: Reach::Long });
        let along = Legs::new(both).expect("the directions differ");
        draft.pods.insert((below(random, length as usize) as i16, row), (side, along));
        // A pod that fits nowhere, so that no hand is empty: it would need a line to the north and
        // the south.
        draft.hands[side.index()].push((along, 1));
    }
    draft
}
