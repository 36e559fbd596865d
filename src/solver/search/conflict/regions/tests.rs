//! Walls and inferior placements, against searches without them.

use hashbrown::HashMap;

use super::*;
use crate::solver::search::conflict::tests::{GAMES, conflicts};

/// Returns `true` if the mover wins, by trying everything.
fn wins(conflicts: &Conflicts, sum: Sum, mover: usize, known: &mut HashMap<([u64; 2], i32, usize), bool>) -> bool {
    if let Some(&win) = known.get(&(sum.sets, sum.surplus, mover)) {
        return win;
    }
    let sign = if mover == 0 { 1 } else { -1 };
    let mut next: Vec<Sum> = bits(sum.sets[mover]).map(|p| conflicts.after(sum, mover, p)).collect();
    if sign * sum.surplus > 0 {
        next.push(Sum { surplus: sum.surplus - sign, ..sum });
    }
    let win = next.into_iter().any(|next| !wins(conflicts, next, 1 - mover, known));
    known.insert((sum.sets, sum.surplus, mover), win);
    win
}

#[test]
fn what_walls_tell_and_what_is_left_out_changes_no_winner() {
    let mut random = 29_u64;
    let mut draw = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random >> 24
    };
    for (columns, rows, directions, kinds) in GAMES {
        let (game, conflicts) = conflicts(columns, rows, directions, kinds);
        let points = game.board().point_set().0;
        // Everything is searched, or little, or all is weighed.
        let mut namers = [64, 4, 0].map(|small| Namer::new(points.count_ones(), Some(small)));
        let (mut told, mut untold) = ([[0; 2]; 3], 0);
        let mut inferior = 0;
        for _ in 0..300 {
            let sets = [draw() & draw() & points, draw() & draw() & points];
            let mut known = HashMap::new();
            for surplus in -2..=2 {
                let sum = conflicts.contested(sets, surplus);
                if sum.sets[0] == 0 || (sum.sets[0] | sum.sets[1]).count_ones() > 9 {
                    continue;
                }
                for mover in [0, 1] {
                    let win = wins(&conflicts, sum, mover, &mut known);
                    for (namer, told) in namers.iter_mut().zip(&mut told) {
                        for apart in [true, false] {
                            namer.take_apart(&conflicts, sum.sets, apart);
                            let at_once = namer.decided(sum.surplus, mover);
                            namer.reduced(&conflicts, sum, mover);
                            match at_once.or_else(|| namer.decided(sum.surplus, mover)) {
                                Some(known) => {
                                    assert_eq!(known, win, "{sum:?} {mover} {}", game.board().name());
                                    told[usize::from(win)] += 1;
                                }
                                None => untold += 1,
                            }
                        }
                    }
                    // A free point is no better than a contested one, but for a number.
                    let tried = conflicts.superior(sum.sets, mover);
                    inferior += (sum.sets[mover] & !tried).count_ones();
                    let mut lost = |p| !wins(&conflicts, conflicts.after(sum, mover, p), 1 - mover, &mut known);
                    let best = bits(tried).any(&mut lost);
                    assert_eq!(best, bits(sum.sets[mover]).any(lost), "{sum:?} {mover}");
                }
            }
        }
        assert!(
            told.iter().flatten().all(|&times| times > 20) && untold > 20 && inferior > 100,
            "{told:?} {untold} {inferior}"
        );
    }
}

#[test]
fn small_regions_have_the_walls_of_their_thermographs() {
    let (_, conflicts) = conflicts(4, 4, GAMES[5].2, GAMES[5].3);
    let mut namer = Namer::new(16, Some(10));
    let mut decided = |sets: [u64; 2], surplus: i32| {
        let sum = conflicts.contested(sets, surplus);
        [0, 1].map(|mover| {
            namer.take_apart(&conflicts, sum.sets, true);
            namer.decided(surplus, mover)
        })
    };
    // One point that both may take: a star, which the mover wins, and not with a free point of the
    // other's.
    assert_eq!(decided([1, 1], 0), [Some(true), Some(true)]);
    assert_eq!(decided([1, 1], 1), [Some(true), Some(false)]);
    // White between two black points, {0 | −1}: Black wins, unless White moves first with one free
    // point.
    assert_eq!(decided([1 << 1, 1 | 1 << 2], 1), [Some(true), Some(true)]);
    assert_eq!(decided([1 << 1, 1 | 1 << 2], -1), [Some(false), Some(true)]);
}
