//! Positions with blocked pods, which a table need not hold.
//!
//! Where captures follow every action (R18) no action leads to a blocked pod: all of them come off
//! together, and that gives the others liberties and takes none. Only a position that was set up
//! has blocked pods (R31), so its value follows from its actions, all of which lead to positions
//! without any.

use crate::geometry::{MAX_POINTS, PointSet};
use crate::position::Game;
use crate::rules::Captures;
use crate::table::index::{Arrangement, PieceType};

/// The liberties that pods have on an empty board (R7), by piece type and point.
#[derive(Clone, Debug)]
pub(super) struct Liberties {
    of: Vec<[u64; MAX_POINTS]>,
    legs: Vec<Vec<Leg>>,
}

/// A leg of a piece type, for all points at a time.
#[derive(Clone, Debug)]
struct Leg {
    /// Points with no neighbour in use.
    ends: u64,
    /// By point, that from which it leads there, if there is one: a bit.
    from: [u64; MAX_POINTS],
}

impl Liberties {
    /// Creates the test; `None` if blocked pods may stay on the board: where not every action is
    /// followed by captures, and where a pod that can shove its way out is not captured (R27).
    pub(in crate::table) fn new(game: &Game, piece_types: &[PieceType]) -> Option<Liberties> {
        let (options, board) = (game.rules().options(), game.board());
        if options.captures != Captures::EveryTurn || options.moves && options.shoves && options.shove_liberty {
            return None;
        }
        let legs_of = |piece_type: &PieceType| -> Vec<Leg> {
            let legs = game.pods().legs(piece_type.kind).on_board(piece_type.side);
            let leg = |direction| {
                let mut leg = Leg { ends: 0, from: [0; MAX_POINTS] };
                for point in board.points() {
                    match board.connected(point, direction) {
                        Some(beside) => leg.from[beside.index()] |= 1 << point.index(),
                        None => leg.ends |= 1 << point.index(),
                    }
                }
                leg
            };
            legs.iter().map(|of_leg| leg(of_leg.direction)).collect()
        };
        let legs: Vec<Vec<Leg>> = piece_types.iter().map(legs_of).collect();
        let of_type = |legs: &Vec<Leg>| {
            let mut liberties = [0; MAX_POINTS];
            for (beside, from) in legs.iter().flat_map(|leg| leg.from.iter().enumerate()) {
                PointSet(*from).into_iter().for_each(|point| liberties[point.index()] |= 1 << beside);
            }
            liberties
        };
        Some(Liberties { of: legs.iter().map(of_type).collect(), legs })
    }

    /// Returns the points left by the fixed pods where the last pod blocks nobody.
    #[inline]
    pub(super) fn unblocked(&self, fixed: &Arrangement, last: u8, left: u64) -> u64 {
        let mut cells = left;
        for pod in fixed.pods() {
            match self.of[pod.piece_type as usize][pod.point as usize] & left {
                0 => return 0,
                open if open.is_power_of_two() => cells &= !open,
                _ => (),
            }
        }
        // It is blocked where each of its legs ends or leads to a fixed pod.
        let closed = |leg: &Leg| fixed.pods().iter().fold(leg.ends, |set, pod| set | leg.from[pod.point as usize]);
        self.legs[last as usize].iter().fold(cells, |open, leg| open & closed(leg)) ^ cells
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Engine, Reference};
    use crate::material::{Side, builtin_board, builtin_pods};
    use crate::position::{Game, Hand, Position, Setup};
    use crate::rules::RuleSet;
    use crate::table::index::{Index, Place};

    fn game(rules: &str) -> Game {
        let rules: RuleSet = rules.parse().unwrap();
        Game::new(builtin_board("ring8").unwrap(), builtin_pods("trio").unwrap(), rules)
    }

    fn index(game: &Game) -> Index {
        let hands = ["bdt", "bd"].map(|ids| Hand::parse(ids, game.pods()).unwrap());
        Index::new(&Setup::new(game.clone(), hands)).unwrap()
    }

    /// Visits every position of a setup, with blocked pods too.
    fn for_each_position(rules: &str, mut visit: impl FnMut(Position)) {
        let all = index(&game(rules));
        for (number, tier) in all.tiers().iter().enumerate() {
            for (row, cell) in (0..tier.rows()).flat_map(|row| (0..all.points() as u8).map(move |cell| (row, cell))) {
                let place = Place { tier: number, row, cell };
                Side::BOTH.into_iter().filter_map(|mover| all.position(place, mover)).for_each(&mut visit);
            }
        }
    }

    #[test]
    fn what_has_a_blocked_pod_is_not_held_and_no_action_leads_there() {
        for (rules, all_held) in [
            ("advanced", "advanced+captures=after-moves"),
            ("advanced-dutch", "advanced-dutch+captures=after-moves"),
            ("advanced+empty-hand=loses", "advanced+empty-hand=loses+captures=after-moves"),
            ("very-advanced+captures=every-turn", "very-advanced"),
        ] {
            let game = game(rules);
            let (index, reference) = (index(&game), Reference::new(game.clone()));
            let (mut held, mut not_held, mut captures) = (0, 0, 0);
            for_each_position(all_held, |position| {
                let blocked = !reference.blocked_pods(&position).is_empty();
                assert_eq!(index.find(&position).is_none(), blocked, "{rules}: {}", position.display(&game));
                assert!(index.covers(&position));
                (held, not_held) = (held + u64::from(!blocked), not_held + u64::from(blocked));
                for action in reference.sorted_actions(&position) {
                    let Some(made) = reference.transition(&position, action) else { panic!("an action is legal") };
                    captures += made.removed.len() + made.returned.len();
                    let over = made.next.won_by_empty_hand(&game).is_some();
                    assert!(over || index.find(&made.next).is_some(), "{rules}: {}", made.next.display(&game));
                }
            });
            assert!(held > 1_000 && not_held > 1_000 && captures > 1_000, "{rules}: {held} {not_held} {captures}");
        }
    }

    #[test]
    fn all_is_held_where_blocked_pods_may_stay() {
        for rules in ["standard", "advanced-author", "very-advanced+captures=every-turn+shove-liberty=on"] {
            let game = game(rules);
            let (index, reference) = (index(&game), Reference::new(game.clone()));
            let mut blocked = 0;
            for_each_position(rules, |position| {
                blocked += reference.blocked_pods(&position).len();
                assert!(index.find(&position).is_some(), "{rules}: {}", position.display(&game));
            });
            assert!(blocked > 100, "{rules}: {blocked}");
        }
    }
}
