//! Random games for the cross-check.

use proptest::collection::vec;
use proptest::prelude::*;

use super::Totals;
use super::compare::{Difference, compare};
use crate::engine::{Bitboard, Engine, Reference, Status};
use crate::geometry::{Coord, Direction};
use crate::material::{Board, Leg, Legs, PodSet, PodSpec, Reach, Side};
use crate::position::{Game, Hand, Pod, Position};
use crate::rules::{OPTION_NAMES, Opening, Preset, RuleSet, option_values};

/// A random case, as the numbers that its game, its position and its walk are made from. Any
/// numbers make a valid case.
#[derive(Clone, Debug)]
pub struct Case {
    columns: usize,
    rows: usize,
    /// The share of grid places that are holes, in 256ths.
    holes: u8,
    /// The share of pairs of neighbours that are joined, in 256ths.
    joined: u8,
    /// Holes and lines, drawn place by place.
    shape: Vec<u8>,
    /// For each pod: which directions have legs, which of them are long, how many there are.
    pods: Vec<(u8, u8, u8)>,
    options: Vec<u8>,
    /// The share of points that hold a pod in a set-up position, in 256ths; 0 for the starting
    /// position.
    filled: u8,
    setup: Vec<u8>,
    /// Bits of the pods off the board that are in hand.
    in_hand: u64,
    black_to_move: bool,
    opening: bool,
    /// Indices of the legal actions to play, one after the other.
    walk: Vec<u16>,
}

pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let size = prop_oneof![
        6 => (1..=4_usize, 1..=4_usize),
        3 => (1..=6_usize, 1..=6_usize),
        1 => prop_oneof![Just((8, 8)), Just((26, 2)), Just((2, 26)), Just((9, 7)), Just((13, 4))],
    ];
    let shape = (size, prop_oneof![Just(0), 0..120_u8], prop_oneof![Just(255), 60..=255_u8], vec(any::<u8>(), 320));
    let pods = vec((any::<u8>(), any::<u8>(), prop_oneof![3 => Just(1_u8), 1 => 1..4_u8]), 1..6);
    let options = vec(any::<u8>(), OPTION_NAMES.len());
    let setup = (prop_oneof![Just(0), any::<u8>()], vec(any::<u8>(), 64), any::<u64>());
    let turn = (any::<bool>(), any::<bool>(), vec(any::<u16>(), 0..12));
    (shape, pods, options, setup, turn).prop_map(
        |(((columns, rows), holes, joined, shape), pods, options, setup, (black_to_move, opening, walk))| {
            let (filled, setup, in_hand) = setup;
            Case {
                columns,
                rows,
                holes,
                joined,
                shape,
                pods,
                options,
                filled,
                setup,
                in_hand,
                black_to_move,
                opening,
                walk,
            }
        },
    )
}

impl Case {
    fn board(&self) -> Board {
        let places = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        let points: Vec<Coord> = places
            .enumerate()
            .filter(|(i, _)| *i == 0 || self.shape[*i] >= self.holes)
            .map(|(_, (row, column))| Coord { row: row as u8, column: column as u8 })
            .take(64)
            .collect();
        let mut draws = self.shape.iter().cycle().skip(64);
        let mut lines = Vec::new();
        for &point in &points {
            for direction in Direction::HALF {
                let joined = draws.next().is_some_and(|&draw| draw <= self.joined);
                if joined && point.step(direction).is_some_and(|to| points.contains(&to)) {
                    lines.push((point, direction));
                }
            }
        }
        Board::new("random", "cross-check", points, lines).expect("lines are drawn between points")
    }

    fn pod_set(&self) -> PodSet {
        let specs = self.pods.iter().zip('a'..='z').map(|(&(there, long, count), id)| {
            let there = if there == 0 { 1 } else { there };
            let legs = Direction::ALL.into_iter().filter(|d| there >> d.index() & 1 == 1).map(|direction| Leg {
                direction,
                reach: if long >> direction.index() & 1 == 1 { Reach::Long } else { Reach::Short },
            });
            PodSpec { id, name: String::new(), legs: Legs::new(legs).expect("one leg or more"), count }
        });
        PodSet::new("random", "cross-check", specs.collect()).expect("ids rise")
    }

    fn rules(&self) -> RuleSet {
        OPTION_NAMES.iter().zip(&self.options).fold(RuleSet::from(Preset::Standard), |rules, (option, &draw)| {
            let values = option_values(option).expect("it is the name of an option");
            rules.with(option, values[draw as usize % values.len()]).expect("it is one of its values")
        })
    }

    /// Returns the game of the case.
    #[must_use]
    pub fn game(&self) -> Game {
        Game::new(self.board(), self.pod_set(), self.rules())
    }

    /// Returns the position that the case begins with.
    #[must_use]
    pub fn position(&self, game: &Game) -> Position {
        let mut hands = [Hand::whole(game.pods()); 2];
        let mut occupants = vec![None; game.board().len()];
        for (occupant, &draw) in occupants.iter_mut().zip(&self.setup) {
            let kinds = game.pods().kinds().len();
            let side = Side::BOTH[draw as usize % 2];
            let kind = crate::material::PodKind::new(draw as usize / 2 % kinds);
            // The draw's high part decides whether there is a pod at all, apart from which one.
            let there = draw.reverse_bits() < self.filled;
            if there && hands[side.index()].take(kind) {
                *occupant = Some(Pod { side, kind });
            }
        }
        if self.filled > 0 {
            let mut draws = self.in_hand;
            for hand in &mut hands {
                for (kind, count) in hand.clone().iter() {
                    for _ in 0..count {
                        // A quarter of the pods that are not on the board are out of the game.
                        let _ = draws.is_multiple_of(4) && hand.take(kind);
                        draws = draws.rotate_right(2);
                    }
                }
            }
        }
        let to_move = Side::BOTH[usize::from(self.black_to_move)];
        let bipod = hands[to_move.index()].iter().any(|(kind, _)| game.pods().is_bipod(kind));
        let open = self.opening && bipod && game.rules().options().opening == Opening::Bipod;
        Position { occupants, hands: hands.into(), to_move, open }
    }

    /// Compares the engines along the walk.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub(crate) fn check(&self) -> Result<Totals, Box<Difference>> {
        let game = self.game();
        let (reference, fast) = (Reference::new(game.clone()), Bitboard::new(game.clone()));
        let mut totals = Totals { cases: 1, ..Totals::default() };
        for position in self.walked(&reference) {
            totals += compare(&reference, &fast, &position)?;
        }
        Ok(totals)
    }

    /// Returns the positions of the walk, the first one included.
    #[must_use]
    pub fn walked(&self, engine: &dyn Engine) -> Vec<Position> {
        let mut positions = vec![self.position(engine.game())];
        for &draw in &self.walk {
            let position = &positions[positions.len() - 1];
            let actions = engine.sorted_actions(position);
            if actions.is_empty() || engine.status(position) != Status::Ongoing {
                break;
            }
            let action = actions[draw as usize % actions.len()];
            positions.push(engine.transition(position, action).expect("listed as legal").next);
        }
        positions
    }
}
