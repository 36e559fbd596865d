//! Questions of the kinds of an oracle set about a position.

use std::cell::{Cell, OnceCell, RefCell};

use super::line::{Solved, looked_up, solved};
use crate::engine::{Bitboard, Engine, Reference, Status, Transition};
use crate::geometry::{Point, PointSet};
use crate::material::Side;
use crate::position::{Action, Game, Position};
use crate::rules::Clause;
use crate::table::{AnswerError, Prober};

/// Look-up of a position in tables.
type Lookup<'a> = Box<dyn Fn(&Position) -> Option<Solved> + 'a>;

/// The engines of a game, and the same game under other readings.
pub(super) struct Engines<'a> {
    pub reference: Reference,
    pub fast: Bitboard,
    /// Without captures: the board as an action leaves it.
    pub bare: Reference,
    pub other_attacks: Bitboard,
    /// The most positions that a solver's table may have; `None` if no values are wanted.
    pub solve: Option<u64>,
    /// Number of more positions that are solved to find drawn ones. Each drawn one resets the
    /// number.
    pub attempts: Cell<u32>,
    looked_up: Lookup<'a>,
    failure: &'a RefCell<Option<AnswerError>>,
}

/// After this number of solved positions without a drawn one, no more are solved to find drawn
/// ones.
const ATTEMPTS: u32 = 150;

impl<'a> Engines<'a> {
    /// Creates the engines of a game. The first error of the tables is put into `failure`, and the
    /// answer is then `None`.
    pub(super) fn new(
        game: &Game,
        solve: Option<u64>,
        tables: Option<Prober<'a>>,
        failure: &'a RefCell<Option<AnswerError>>,
    ) -> Engines<'a> {
        let tables = RefCell::new(tables.filter(|_| solve.is_some()));
        let ask = {
            let game = game.clone();
            move |position: &Position| {
                let asked = looked_up(tables.borrow_mut().as_mut()?, &game, position, false);
                asked.unwrap_or_else(|error| {
                    failure.borrow_mut().get_or_insert(error);
                    None
                })
            }
        };
        let with = |option: &str, value: &str| {
            let rules = game.rules().with(option, value).unwrap_or(*game.rules());
            Game::new(game.board().clone(), game.pods().clone(), rules)
        };
        let through = if game.rules().options().attack_through { "off" } else { "on" };
        Engines {
            reference: Reference::new(game.clone()),
            fast: Bitboard::new(game.clone()),
            bare: Reference::new(with("captures", "never")),
            other_attacks: Bitboard::new(with("attack-through", through)),
            solve,
            attempts: Cell::new(ATTEMPTS),
            looked_up: Box::new(ask),
            failure,
        }
    }

    pub(super) fn failure(&self) -> Option<AnswerError> {
        self.failure.borrow_mut().take()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Provenance {
    /// Play from the start: `ply` plies after it and, if the game came to its end, `left` plies
    /// before that.
    Play {
        ply: usize,
        left: Option<usize>,
    },
    /// A set-up drawn at random.
    SetUp,
    FromSetUp,
}

pub(super) struct Facts<'a> {
    pub engines: &'a Engines<'a>,
    pub position: &'a Position,
    pub origin: Provenance,
    pub status: Status,
    pub results: Vec<(Action, Transition)>,
    pub illegal: Vec<(Action, Clause)>,
    solved: OnceCell<Option<Solved>>,
    blocked: OnceCell<Vec<Point>>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(
        engines: &'a Engines<'a>,
        position: &'a Position,
        origin: Provenance,
        illegal: Vec<(Action, Clause)>,
    ) -> Facts<'a> {
        let engine = &engines.fast;
        let actions = engine.sorted_actions(position);
        let results =
            actions.into_iter().filter_map(|action| Some((action, engine.transition(position, action)?))).collect();
        let (solved, blocked) = (OnceCell::new(), OnceCell::new());
        Facts { engines, position, origin, status: engine.status(position), results, illegal, solved, blocked }
    }

    pub(super) fn game(&self) -> &Game {
        self.engines.reference.game()
    }

    /// Returns `true` if one of the illegal actions is charged with the clause.
    pub(super) fn forbids(&self, clause: Clause) -> bool {
        self.illegal.iter().any(|(_, charged)| *charged == clause)
    }

    /// Returns the value, if it is wanted and within reach.
    pub(super) fn solved(&self) -> Option<&Solved> {
        let solver = || solved(self.game(), self.position, self.engines.solve?, false).ok().flatten();
        let solve = || (self.engines.looked_up)(self.position).or_else(solver);
        self.solved.get_or_init(solve).as_ref()
    }

    /// Returns `true` if neither side can force a win (R21); `false` if that is not found out.
    pub(super) fn is_draw(&self) -> bool {
        let attempts = &self.engines.attempts;
        let worth = self.engines.solve.is_some() && self.game().rules().can_cycle() && self.status == Status::Ongoing;
        if !worth || attempts.get() == 0 {
            return false;
        }
        let drawn = self.solved().is_some_and(|(value, _, _)| value == "draw");
        attempts.set(if drawn { ATTEMPTS } else { attempts.get() - 1 });
        drawn
    }

    pub(super) fn blocked(&self) -> &[Point] {
        self.blocked.get_or_init(|| self.engines.reference.blocked_pods(self.position))
    }

    /// Returns the board as a legal action leaves it, before captures.
    pub(super) fn before_captures(&self, action: Action) -> Option<Position> {
        Some(self.engines.bare.transition(self.position, action)?.next)
    }

    pub(super) fn actor_is_captured(&self, action: Action, result: &Transition) -> bool {
        let (Action::Place { at, .. }
        | Action::Move { to: at, .. }
        | Action::Shove { to: at, .. }
        | Action::Kick { to: at, .. }) = action;
        result.next.pod(at).is_none()
    }

    /// Returns `true` if a player would have no legal action if to move.
    pub(super) fn would_be_stuck(&self, side: Side) -> bool {
        let mut turned = self.position.clone();
        if turned.to_move != side {
            turned.to_move = side;
            turned.open = false;
        }
        self.engines.fast.sorted_actions(&turned).is_empty()
    }

    pub(super) fn attacked(&self, position: &Position, by: Side) -> PointSet {
        let own = position.pods().filter(|(_, pod)| pod.side == by);
        own.flat_map(|(at, _)| self.engines.reference.attacked_points(position, at)).collect()
    }
}
