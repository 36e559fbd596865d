//! What is worth knowing of a position to say why it belongs in an oracle set.

use std::cell::{Cell, OnceCell, RefCell};

use super::line::{Solved, looked_up, solved};
use crate::engine::{Bitboard, Engine, Reference, Status, Transition};
use crate::geometry::{Point, PointSet};
use crate::material::Side;
use crate::position::{Action, Game, Position};
use crate::rules::Clause;
use crate::table::{AnswerError, Prober};

/// What knows some values.
type Ask<'a> = Box<dyn Fn(&Position) -> Option<Solved> + 'a>;

/// The engines of a game, and the same game under other readings.
pub(super) struct Desk<'a> {
    pub reference: Reference,
    pub fast: Bitboard,
    /// Without captures: the board as an action leaves it.
    pub bare: Reference,
    /// With the other reading of `attack-through`.
    pub other_attacks: Bitboard,
    /// The most positions of a solver's table, if values are wanted.
    pub solve: Option<u64>,
    /// How many more positions are solved in search of a draw; each draw renews it.
    pub attempts: Cell<u32>,
    /// What tables say, if there are any.
    looked_up: Ask<'a>,
    /// What went wrong with them.
    failure: &'a RefCell<Option<AnswerError>>,
}

/// Positions that are solved in search of a draw before the search for draws ends.
const ATTEMPTS: u32 = 150;

impl<'a> Desk<'a> {
    /// The desk of a game. What goes wrong with the tables is put into `failure`, and their answer left out.
    pub(super) fn new(
        game: &Game,
        solve: Option<u64>,
        tables: Option<Prober<'a>>,
        failure: &'a RefCell<Option<AnswerError>>,
    ) -> Desk<'a> {
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
        Desk {
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

    /// What has gone wrong with the tables, if anything has.
    pub(super) fn failure(&self) -> Option<AnswerError> {
        self.failure.borrow_mut().take()
    }
}

/// Where a position was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// In play from the start, so many plies after it; and so many before the end, if the game came to one.
    Play { ply: usize, left: Option<usize> },
    /// Set up at random.
    SetUp,
    /// In play from such a set-up.
    FromSetUp,
}

/// A position and what follows from it.
pub(super) struct Facts<'a> {
    pub desk: &'a Desk<'a>,
    pub position: &'a Position,
    pub origin: Origin,
    pub status: Status,
    pub results: Vec<(Action, Transition)>,
    pub illegal: Vec<(Action, Clause)>,
    solved: OnceCell<Option<Solved>>,
    blocked: OnceCell<Vec<Point>>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(
        desk: &'a Desk<'a>,
        position: &'a Position,
        origin: Origin,
        illegal: Vec<(Action, Clause)>,
    ) -> Facts<'a> {
        let engine = &desk.fast;
        let actions = engine.actions(position);
        let results =
            actions.into_iter().filter_map(|action| Some((action, engine.apply(position, action)?))).collect();
        let (solved, blocked) = (OnceCell::new(), OnceCell::new());
        Facts { desk, position, origin, status: engine.status(position), results, illegal, solved, blocked }
    }

    pub(super) fn game(&self) -> &Game {
        self.desk.reference.game()
    }

    /// Whether one of the illegal actions is charged with the clause.
    pub(super) fn forbids(&self, clause: Clause) -> bool {
        self.illegal.iter().any(|(_, charged)| *charged == clause)
    }

    /// The value, if it is wanted and within reach.
    pub(super) fn solved(&self) -> Option<&Solved> {
        let solver = || solved(self.game(), self.position, self.desk.solve?, false).ok().flatten();
        let solve = || (self.desk.looked_up)(self.position).or_else(solver);
        self.solved.get_or_init(solve).as_ref()
    }

    /// Whether neither side can force a win (R21), as far as that is worth finding out.
    pub(super) fn is_draw(&self) -> bool {
        let attempts = &self.desk.attempts;
        let worth = self.desk.solve.is_some() && self.game().rules().can_cycle() && self.status == Status::Ongoing;
        if !worth || attempts.get() == 0 {
            return false;
        }
        let drawn = self.solved().is_some_and(|(value, _, _)| value == "draw");
        attempts.set(if drawn { ATTEMPTS } else { attempts.get() - 1 });
        drawn
    }

    pub(super) fn blocked(&self) -> &[Point] {
        self.blocked.get_or_init(|| self.desk.reference.blocked_pods(self.position))
    }

    /// The board as a legal action leaves it, before captures.
    pub(super) fn before_captures(&self, action: Action) -> Option<Position> {
        Some(self.desk.bare.apply(self.position, action)?.next)
    }

    /// Whether the acting pod is captured.
    pub(super) fn actor_is_captured(&self, action: Action, result: &Transition) -> bool {
        let (Action::Place { at, .. }
        | Action::Move { to: at, .. }
        | Action::Shove { to: at, .. }
        | Action::Kick { to: at, .. }) = action;
        result.next.pod(at).is_none()
    }

    /// Whether the player would have no legal action, by whatever clause, if to move.
    pub(super) fn would_be_stuck(&self, side: Side) -> bool {
        let mut turned = self.position.clone();
        if turned.to_move != side {
            turned.to_move = side;
            turned.open = false;
        }
        self.desk.fast.actions(&turned).is_empty()
    }

    /// The points that a side attacks in a position.
    pub(super) fn attacked(&self, position: &Position, by: Side) -> PointSet {
        let own = position.pods().filter(|(_, pod)| pod.side == by);
        own.flat_map(|(at, _)| self.desk.reference.attacked_points(position, at)).collect()
    }
}
