//! The reference engine: the rules as they are written, one function per clause. It judges the fast
//! engine.
//!
//! It is made to be read, not to be fast: no bitboards, no tables, no cache, nothing shared with
//! the fast engine. [`Reference::check`] alone decides what is legal: the list of legal actions has
//! what it accepts, and no other action is applied.
//!
//! # Which clause an illegal action is charged with
//!
//! The first that it breaks, in this order:
//!
//! 1. R30: an empty hand has won. (Where a player is merely stuck, each action is charged with a
//!    clause of its own.)
//! 2. R9: the opening clause binds and the action places no bipod.
//! 3. Placements: R10 (not in hand, then point taken), R11 (legs clockwise from north, nearest
//!    point first), R12 (attackers by rising point), R13.
//! 4. Moves: R14 (no moves); R17: not the mover's pod, not straight, no leg, too far for a short
//!    leg, then along the way point by point: no line, a pod in the way; last, a pod on the target.
//! 5. Shoves: R14, R22 (no shoves), R17 as for moves up to the target, R22 (nothing to push), R23
//!    (no shoves after a run), R22 along the chain pod by pod (pushed off the board, no line).
//! 6. Kicks: R14, R22 (no shoves), R17 (not the mover's pod, not straight, no leg), R24 (short leg,
//!    not adjacent, no line, nothing to push, no distance, then point by point: off the board, no
//!    line where one is needed, a pod in the way), R25.

mod attack;
mod candidates;
mod capture;
mod liberty;
mod movement;
mod placement;
mod push;
mod status;

use std::ops::ControlFlow;

use crate::engine::{Engine, Illegal, Reason, Status, Transition};
use crate::geometry::Point;
use crate::material::Board;
use crate::position::{Action, Game, Pod, Position};
use crate::rules::{Clause, Options};

/// The rules as they are written: slow, plain, and right by inspection.
///
/// ```
/// use pods::engine::{Engine, Reference};
/// use pods::material::{Side, board_from_toml, pods_from_toml};
/// use pods::position::{Game, Hand};
/// use pods::rules::Preset;
///
/// let board = board_from_toml("b", "name = 'b'\nsource = 'doc'\npoints = 'o-o-o'").unwrap();
/// let pods = pods_from_toml("p", "name = 'p'\nsource = 'doc'\n[[pod]]\nid = 'b'\nlegs = 'w e'").unwrap();
/// let game = Game::new(board, pods, Preset::Standard.into());
/// let start = game.start(Hand::whole(game.pods()), Hand::whole(game.pods()), Side::White).unwrap();
/// let engine = Reference::new(game.clone());
/// let texts: Vec<String> = engine.sorted_actions(&start).iter().map(|a| a.display(&game).to_string()).collect();
/// assert_eq!(texts, ["b@a1", "b@b1", "b@c1"]);
/// assert_eq!(engine.perft(&start, 2), 2); // a1 leaves only c1, c1 only a1, and b1 attacks both
/// ```
#[derive(Clone, Debug)]
pub struct Reference {
    game: Game,
}

fn illegal<T>(clause: Clause, reason: Reason) -> Result<T, Illegal> {
    Err(Illegal { clause, reason })
}

impl Reference {
    /// Returns the engine of a game.
    #[must_use]
    pub fn new(game: Game) -> Reference {
        Reference { game }
    }

    fn board(&self) -> &Board {
        self.game.board()
    }

    fn options(&self) -> &Options {
        self.game.rules().options()
    }

    /// Checks that an action is legal.
    ///
    /// # Errors
    ///
    /// If it is illegal: the first clause that it breaks, in the order given in the [module's
    /// text](self).
    ///
    /// # Panics
    ///
    /// If the position or the action is not of this game: it has points or pods that the game
    /// lacks.
    pub fn check(&self, position: &Position, action: Action) -> Result<(), Illegal> {
        self.nobody_has_won(position)?;
        self.opens_with_a_bipod(position, action)?;
        match action {
            Action::Place { kind, at } => self.may_place(position, kind, at),
            Action::Move { from, to } => self.may_move(position, from, to),
            Action::Shove { from, to } => self.may_shove(position, from, to),
            Action::Kick { from, to, distance } => self.may_kick(position, from, to, distance),
        }
    }

    /// Plays a turn in the order of R8 to R32: the action, then its captures (R18), then the other
    /// player is to move (R8) and no longer bound by the opening clause (R9).
    ///
    /// # Errors
    ///
    /// If the action is illegal, as [`Reference::check`] says.
    ///
    /// # Panics
    ///
    /// If the position or the action is not of this game.
    pub fn turn(&self, position: &Position, action: Action) -> Result<Transition, Illegal> {
        self.check(position, action)?;
        let mut next = self.act(position, action)?;
        let taken = self.capture(&mut next, action);
        next.to_move = position.to_move().other();
        next.open = false;
        Ok(Transition { next, returned: taken.returned, removed: taken.removed })
    }

    /// Returns the board and hands as a legal action leaves them before its captures, with the same
    /// player still to move, and the points of the pods that the captures then take off (R18),
    /// sorted by number.
    ///
    /// # Errors
    ///
    /// If the action is illegal, as [`Reference::check`] says.
    ///
    /// # Panics
    ///
    /// If the position or the action is not of this game.
    pub fn before_captures(&self, position: &Position, action: Action) -> Result<(Position, Vec<Point>), Illegal> {
        self.check(position, action)?;
        let board = self.act(position, action)?;
        let taken = if self.captures_follow(action) { self.capturable_pods(&board) } else { Vec::new() };
        Ok((board, taken))
    }

    /// Returns `true` if the game has the points and the pod that an action names.
    pub(super) fn is_of_this_game(&self, action: Action) -> bool {
        let on_board = |point: Point| self.board().points().any(|own| own == point);
        match action {
            Action::Place { kind, at } => self.game.pods().kinds().any(|own| own == kind) && on_board(at),
            Action::Move { from, to } | Action::Shove { from, to } | Action::Kick { from, to, .. } => {
                on_board(from) && on_board(to)
            }
        }
    }

    /// Returns every move, shove and kick along the legs of the pod on a point, legal or not, in no
    /// particular order; none if no pod stands there.
    ///
    /// # Panics
    ///
    /// If the point is not on the game's board.
    pub(crate) fn conceivable_moves(&self, position: &Position, from: Point) -> Vec<Action> {
        position.pod(from).map_or_else(Vec::new, |pod| self.moves_of(from, pod).collect())
    }

    /// Returns the board and hands after a legal action, before captures and with the same player
    /// to move.
    fn act(&self, position: &Position, action: Action) -> Result<Position, Illegal> {
        let mut after = position.clone();
        let carry = |after: &mut Position, from: Point, to: Point| {
            after.occupants[to.index()] = after.occupants[from.index()].take();
        };
        match action {
            // R10: from hand to the point.
            Action::Place { kind, at } => {
                let side = position.to_move();
                if after.hands[side].take(kind) {
                    after.occupants[at.index()] = Some(Pod { side, kind });
                }
            }
            // R17: from point to point.
            Action::Move { from, to } => carry(&mut after, from, to),
            // R22: the last pushed pod goes first, each to the next point, then the mover.
            Action::Shove { from, to } => {
                let (direction, _) = self.straight(from, to)?;
                for pushed in self.chain_gives_way(position, to, direction)?.into_iter().rev() {
                    if let Some(next) = self.board().connected(pushed, direction) {
                        carry(&mut after, pushed, next);
                    }
                }
                carry(&mut after, from, to);
            }
            // R24: the kicked pod slides to its end, then the mover takes its place.
            Action::Kick { from, to, distance } => {
                let (direction, _) = self.straight(from, to)?;
                let end = self.slide(position, to, direction, distance)?;
                carry(&mut after, to, end);
                carry(&mut after, from, to);
            }
        }
        Ok(after)
    }
}

impl Engine for Reference {
    fn game(&self) -> &Game {
        &self.game
    }

    fn try_for_each_action(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(Action) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.candidates(position).filter(|&action| self.check(position, action).is_ok()).try_for_each(visit)
    }

    fn is_legal(&self, position: &Position, action: Action) -> bool {
        self.is_of_this_game(action) && self.check(position, action).is_ok()
    }

    fn transition(&self, position: &Position, action: Action) -> Option<Transition> {
        if self.is_of_this_game(action) { self.turn(position, action).ok() } else { None }
    }

    fn status(&self, position: &Position) -> Status {
        self.status_of(position)
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal_actions(position)
            .into_iter()
            .filter_map(|action| self.transition(position, action))
            .map(|transition| self.perft(&transition.next, depth - 1))
            .sum()
    }
}
