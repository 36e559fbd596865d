//! Targets of actions, by the numbers of pods of each piece type that each side has on the board.
//!
//! An action ends with the capture of all blocked pods: those of its player go back to the hand,
//! those of the opponent leave the game (R18). So the opponent has on the board what it had, in the
//! same tier, or a part of it, in an earlier tier in which it alone has lost pods. Of its own pods
//! the player may get back any, and puts at most one more on the board.

use crate::material::Side;
use crate::table::index::Index;

/// Returns a number for the pods of one side among some pods, the same in all tiers. The numbers of
/// two disjoint sets of pods add up to that of both.
pub(in crate::table) fn key(index: &Index, counts: &[u8], side: Side) -> usize {
    index.of_side(counts, side).map(|(piece_type, count)| usize::from(count) * index.tier_weight(piece_type)).sum()
}

/// Returns the tier that the loss of some pods leads to, by their key; `None` if it does not exist:
/// they are the last ones of a player, or nothing is ever captured.
pub(in crate::table) fn tier_after(index: &Index, tier: usize, lost: usize) -> Option<usize> {
    if lost == 0 { Some(tier) } else { index.tier_by_key(index.key_of_tier(tier) - lost) }
}

/// Returns the earlier tiers that captures of some of these pods of a side lead to, each with the
/// key of what is lost.
pub(in crate::table) fn captures<'a>(
    index: &'a Index,
    tier: usize,
    pods: &[u8],
    loser: Side,
) -> impl Iterator<Item = (usize, usize)> + use<'a> {
    let mut lost = vec![0];
    // Before the first tier there is none; with many kinds there would be many combinations to find
    // that out for.
    for (piece_type, all) in index.of_side(pods, loser).filter(|_| tier > 0) {
        let weight = index.tier_weight(piece_type);
        lost = lost.iter().flat_map(|&sum| (0..=usize::from(all)).map(move |count| sum + count * weight)).collect();
    }
    let lost = lost.into_iter().filter(|&lost| lost > 0);
    lost.filter_map(move |lost| tier_after(index, tier, lost).map(|tier| (tier, lost)))
}

/// Returns `true` if an action of a player may lead from some pods on the board to others, in the
/// same tier or an earlier one, as far as its own pods go.
pub(in crate::table) fn own_may_become(index: &Index, mover: Side, from: &[u8], to: &[u8]) -> bool {
    let more =
        index.of_side(to, mover).map(|(piece_type, to)| u32::from(to.saturating_sub(from[usize::from(piece_type)])));
    more.sum::<u32>() <= 1
}

#[cfg(test)]
pub(in crate::table) mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::{Bitboard, Engine};
    use crate::position::{Game, Position};
    use crate::rules::{Captures, Preset};
    use crate::table::index::{Place, Slice};
    use crate::table::testing::whole;

    /// An action of the engine from a position of a tier to one that is not finished.
    pub(in crate::table) struct Edge {
        pub(in crate::table) from: Place,
        pub(in crate::table) position: Position,
        pub(in crate::table) to: Place,
        pub(in crate::table) next: Position,
    }

    /// Visits the actions of all positions of a tier, in the order of the places.
    pub(in crate::table) fn each_step(game: &Game, index: &Index, tier: usize, mut step: impl FnMut(&Edge)) {
        let engine = Bitboard::new(game.clone());
        let cells = 0..index.points() as u8;
        let places =
            (0..index.tiers()[tier].rows()).flat_map(|row| cells.clone().map(move |cell| Place { tier, row, cell }));
        for (from, mover) in places.flat_map(|place| Side::BOTH.map(|mover| (place, mover))) {
            let Some(position) = index.position(from, mover) else { continue };
            for action in engine.sorted_actions(&position) {
                let next = engine.position(&engine.play_state(&engine.state(&position), action));
                match index.find(&next) {
                    Some(to) => step(&Edge { from, position: position.clone(), to, next }),
                    None => assert!(next.won_by_empty_hand(game).is_some()),
                }
            }
        }
    }

    pub(in crate::table) fn slice_of(index: &Index, place: Place) -> (usize, &Slice) {
        let tier = &index.tiers()[place.tier];
        let number = tier.slice_at(place.row);
        (number, &tier.slices()[number])
    }

    #[test]
    fn actions_lead_to_what_is_reached_only() {
        for (preset, pods) in Preset::ALL.into_iter().flat_map(|p| [(p, "trio"), (p, "alike")]) {
            let (game, index) = whole("ring8", pods, preset);
            let (mut captured, mut back, mut placed) = (0, 0, 0);
            for tier in 0..index.tiers().len() {
                each_step(&game, &index, tier, |step| {
                    let mover = step.position.to_move();
                    let (_, from) = slice_of(&index, step.from);
                    let (_, to) = slice_of(&index, step.to);
                    let [before, after] = [from, to].map(|slice| key(&index, slice.on_board(), mover.other()));
                    if step.to.tier == tier {
                        assert_eq!(before, after, "{preset:?}");
                    } else {
                        let mut captures = captures(&index, tier, from.on_board(), mover.other());
                        assert!(captures.any(|lost| lost == (step.to.tier, before - after)), "{preset:?}");
                        captured += 1;
                    }
                    assert!(own_may_become(&index, mover, from.on_board(), to.on_board()), "{preset:?}");
                    let [before, after] = [from, to].map(|slice| index.total(slice.on_board(), mover));
                    back += u32::from(after < before);
                    placed += u32::from(after > before);
                });
            }
            let captures = game.rules().options().captures != Captures::Never;
            assert!((captured > 50) == captures && (back > 50) == captures, "{preset:?}: {captured} {back}");
            assert!(placed > 100, "{preset:?}: {placed}");
        }
    }

    #[test]
    fn captures_lead_to_all_tiers_without_some_of_the_pods() {
        let (_, index) = whole("ring8", "alike", Preset::Advanced);
        for (number, tier) in index.tiers().iter().enumerate() {
            for (loser, slice) in tier.slices().iter().flat_map(|slice| Side::BOTH.map(|loser| (loser, slice))) {
                let lost = |after: usize| tier.alive().iter().zip(index.tiers()[after].alive()).map(|(a, b)| a - b);
                let lost = |after: usize| lost(after).collect::<Vec<u8>>();
                let possible = |after: &usize| {
                    let piece_types = index.piece_types().iter().zip(tier.alive().iter().zip(slice.on_board()));
                    let mut piece_types = piece_types.zip(index.tiers()[*after].alive());
                    piece_types.all(|((piece_type, (alive, on_board)), after)| {
                        let most = if piece_type.side == loser { *on_board } else { 0 };
                        (alive - most..=*alive).contains(after)
                    })
                };
                let wanted = (0..index.tiers().len()).filter(|&after| after != number).filter(possible);
                let wanted: BTreeSet<_> = wanted.map(|after| (after, key(&index, &lost(after), loser))).collect();
                let found: Vec<_> = captures(&index, number, slice.on_board(), loser).collect();
                assert_eq!(found.len(), wanted.len(), "once each");
                assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), wanted);
            }
        }
    }

    #[test]
    fn at_most_one_more_own_pod_comes_on_the_board() {
        let (_, index) = whole("ring8", "alike", Preset::Advanced);
        for mover in Side::BOTH {
            // So many of the two alike ones and of the other one; of the opponent's any.
            let pods = |alike: u8, single: u8, opponent: u8| -> Vec<u8> {
                let own = index.piece_types().iter().map(|piece_type| (piece_type.side == mover, piece_type.count));
                own.map(|(own, count)| if !own { opponent } else { [single, alike][usize::from(count) - 1] }).collect()
            };
            let may = |from: Vec<u8>, to: Vec<u8>| own_may_become(&index, mover, &from, &to);
            assert!(may(pods(1, 0, 0), pods(1, 0, 1)) && may(pods(2, 1, 1), pods(0, 0, 0)));
            assert!(may(pods(0, 0, 0), pods(1, 0, 1)) && may(pods(2, 0, 1), pods(0, 1, 0)));
            assert!(!may(pods(0, 0, 0), pods(2, 0, 0)) && !may(pods(0, 0, 1), pods(1, 1, 0)));
        }
    }
}
