//! Which placement to try first: the one that takes most from the opponent and least from its player.
//!
//! The score counts pairs of pod and point: those that the opponent has open now and loses, against those that the player
//! loses, as the point and the pod are used up. What a placement opens by cutting a long leg's run, and what it blocks by
//! taking a liberty, is left out: the order needs not be right, only good.

use super::field::{Field, KINDS, bits};
use super::node::{Node, Pairs, Placement};

/// How much more a pair of the opponent's counts than one of the player's: 4 took the fewest nodes of 1 to 6.
const GAIN: i32 = 4;

/// Appends the placements of `mine`, most promising last (they are taken from the end), with their scores.
pub(super) fn ordered(field: &Field, node: &Node, mine: &Pairs, theirs: &Pairs, into: &mut Vec<(i32, Placement)>) {
    let side = node.mover as usize;
    let (my_kinds, their_kinds) = (node.kinds[side], node.kinds[1 - side]);
    let stops = if field.through { 0 } else { node.held[0] | node.held[1] };
    let mut cost = [0_i32; KINDS];
    for kind in bits(u64::from(my_kinds)) {
        if node.hands[side][kind] == 1 {
            cost[kind] = mine.at[kind].count_ones() as i32 - 1;
        }
    }
    let first = into.len();
    for point in bits(mine.any) {
        let sight: [u64; 8] = std::array::from_fn(|d| field.sight(d, point, stops));
        let mut base = 0;
        let (mut near, mut far) = ([0_i32; 8], [0_i32; 8]);
        for kind in bits(u64::from(their_kinds)) {
            let at = theirs.at[kind];
            if at == 0 {
                continue;
            }
            let legs = field.legs[1 - side][kind];
            let mut gone = 1 << point;
            for d in bits(u64::from(legs.short)) {
                gone |= field.near[d ^ 4][point];
            }
            for d in bits(u64::from(legs.long)) {
                gone |= sight[d ^ 4];
            }
            base += (at & gone).count_ones() as i32;
            let rest = at & !gone;
            for d in 0..8 {
                near[d] += i32::from(rest & field.near[d][point] != 0);
                far[d] += (rest & sight[d]).count_ones() as i32;
            }
        }
        let here: i32 = bits(u64::from(my_kinds)).map(|k| (mine.at[k] >> point & 1) as i32).sum();
        for kind in bits(u64::from(my_kinds)) {
            if mine.at[kind] >> point & 1 == 0 {
                continue;
            }
            let legs = field.legs[side][kind];
            let mut gain = base;
            for d in bits(u64::from(legs.short)) {
                gain += near[d];
            }
            for d in bits(u64::from(legs.long)) {
                gain += far[d];
            }
            into.push((GAIN * gain - here - cost[kind], Placement { kind: kind as u8, point: point as u8 }));
        }
    }
    into[first..].sort_unstable();
}
