//! The fast engine, on bitboards: sets of points as bits of a 64-bit word. It finds all placements
//! of a kind at once; [`Bitboard::play_state`] and `for_each_action` allocate nothing.
//!
//! It has nothing in common with the reference engine but the floors below and the trait
//! [`Engine`], and it does not say why an action is illegal. The cross-check compares the answers
//! of the two.

mod captures;
mod generate;
mod hash;
mod outlook;
mod play;
mod state;
#[cfg(target_arch = "x86_64")]
mod wide;

use std::ops::ControlFlow;

use crate::engine::{ActionList, Engine, Status, Transition};
use crate::geometry::{Direction, MAX_POINTS, Point};
use crate::material::{Lines, PodKind, Side};
use crate::position::{Action, Game, Position};
use crate::rules::Options;

use hash::Keys;
pub use outlook::Prospect;
pub use state::State;

/// No point: beyond an edge, a hole or a missing line.
const NOWHERE: u8 = u8::MAX;

/// The legs of one kind of pod of one side as they lie on the board, a bit a direction (R4).
#[derive(Clone, Copy, Debug, Default)]
struct LegBits {
    short: u8,
    long: u8,
}

/// The fast engine for one game.
///
/// ```
/// use pods::engine::{Engine, bitboard::Bitboard};
/// use pods::material::{Side, builtin_board, builtin_pods};
/// use pods::position::{Game, Hand};
/// use pods::rules::Preset;
///
/// let pods = builtin_pods("pods14").unwrap();
/// let hand = Hand::whole(&pods);
/// let game = Game::new(builtin_board("cave36").unwrap(), pods, Preset::Standard.into());
/// let start = game.start(hand, hand, Side::White).unwrap();
/// let engine = Bitboard::new(game);
/// assert_eq!(engine.perft(&start, 1), engine.legal_actions(&start).len() as u64);
/// ```
#[derive(Clone, Debug)]
pub struct Bitboard {
    game: Game,
    options: Options,
    points: u64,
    lines: Lines,
    connected: [[u8; MAX_POINTS]; 8],
    /// The neighbour of each point by direction, line or no line.
    neighbour: [[u8; MAX_POINTS]; 8],
    /// The legs of each kind, by side.
    legs: [[LegBits; PodKind::MAX]; 2],
    keys: Keys,
    /// For heuristics, eight directions at once, if the processor can.
    #[cfg(target_arch = "x86_64")]
    wide: Option<Box<wide::Wide>>,
}

impl Bitboard {
    /// Returns the engine for a game.
    #[must_use]
    pub fn new(game: Game) -> Bitboard {
        let (board, pods) = (game.board(), game.pods());
        let mut connected = [[NOWHERE; MAX_POINTS]; 8];
        let mut neighbour = connected;
        for point in board.points() {
            for direction in Direction::ALL {
                let code = |next: Option<Point>| next.map_or(NOWHERE, |p| p.index() as u8);
                connected[direction.index()][point.index()] = code(board.connected(point, direction));
                neighbour[direction.index()][point.index()] = code(board.neighbour(point, direction));
            }
        }
        let mut legs = [[LegBits::default(); PodKind::MAX]; 2];
        for side in Side::BOTH {
            for kind in pods.kinds() {
                let on_board = pods.legs(kind).on_board(side);
                let bits = |set: crate::geometry::DirectionSet| set.iter().fold(0, |bits, d| bits | 1 << d.index());
                legs[side.index()][kind.index()] =
                    LegBits { short: bits(on_board.short()), long: bits(on_board.long()) };
            }
        }
        let lines = Lines::new(board);
        Bitboard {
            #[cfg(target_arch = "x86_64")]
            wide: wide::Wide::new(&lines, &legs).map(Box::new),
            options: *game.rules().options(),
            points: board.point_set().0,
            lines,
            connected,
            neighbour,
            legs,
            keys: Keys::new(),
            game,
        }
    }

    /// Returns perft: the number of action sequences of exactly `depth` plies from a state. The
    /// last ply is counted in bulk.
    pub(crate) fn perft_state(&self, state: &State, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_actions(state),
            _ => {
                let mut count = 0;
                self.for_each_action(state, |action| {
                    count += self.perft_state(&self.play_state(state, action), depth - 1)
                });
                count
            }
        }
    }

    /// Returns `true` if perft is at most `most`, without counting on from there.
    #[cfg(test)]
    pub(crate) fn perft_at_most(&self, position: &Position, depth: u32, most: u64) -> bool {
        fn left(engine: &Bitboard, state: &State, depth: u32, most: u64) -> Option<u64> {
            if depth <= 1 {
                return most.checked_sub(engine.perft_state(state, depth));
            }
            let actions = engine.state_actions(state);
            actions
                .into_iter()
                .try_fold(most, |most, action| left(engine, &engine.play_state(state, action), depth - 1, most))
        }
        left(self, &self.state(position), depth, most).is_some()
    }

    /// Returns `true` if a position leads to at most so many, itself among them.
    #[cfg(test)]
    pub(crate) fn leads_to_at_most(&self, position: &Position, most: usize) -> bool {
        let (mut seen, mut open) = (std::collections::HashSet::new(), vec![self.state(position)]);
        while let Some(state) = open.pop() {
            if seen.insert(state.hash()) {
                self.for_each_action(&state, |action| open.push(self.play_state(&state, action)));
            }
            if seen.len() > most {
                return false;
            }
        }
        true
    }

    /// Returns the status of the game: ongoing, or won by a side (R15, R20, R30).
    #[must_use]
    pub fn state_status(&self, state: &State) -> Status {
        match self.winner_by_hand(state) {
            Some(winner) => Status::Won(winner),
            None if self.can_act(state) => Status::Ongoing,
            None => Status::Won(state.to_move().other()),
        }
    }
}

impl Engine for Bitboard {
    fn game(&self) -> &Game {
        &self.game
    }

    fn try_for_each_action(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(Action) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.try_for_each_state_action(&self.state(position), visit)
    }

    fn legal_actions(&self, position: &Position) -> ActionList {
        self.state_actions(&self.state(position))
    }

    fn is_legal(&self, position: &Position, action: Action) -> bool {
        self.allows(&self.state(position), action)
    }

    fn transition(&self, position: &Position, action: Action) -> Option<Transition> {
        let state = self.state(position);
        self.allows(&state, action).then(|| {
            let (next, captured) = self.play_with_captures(&state, action);
            let mover = state.mover as usize;
            let (returned, removed) = (captured.kinds(mover), captured.kinds(1 - mover));
            Transition { next: self.position(&next), returned, removed }
        })
    }

    fn status(&self, position: &Position) -> Status {
        self.state_status(&self.state(position))
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        self.perft_state(&self.state(position), depth)
    }
}
