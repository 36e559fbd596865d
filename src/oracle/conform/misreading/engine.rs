//! The rules with one of them read wrongly.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Length, Misreading, Wrong};
use crate::engine::{Engine, Status, Transition};
use crate::geometry::{Coord, Direction, Orientation, Point};
use crate::material::{Board, Leg, Reach, Side};
use crate::oracle::conform::{Probe, agrees};
use crate::oracle::protocol::Answer;
use crate::position::{Action, Game, Pod, Position};
use crate::rules::{EmptyHand, Options};

/// The rules once more, with one misreading, or none.
///
/// It is written apart from both engines of this program and never judges another: it only tells
/// which questions a misreading would answer wrongly.
pub struct Misreader {
    game: Game,
    options: Options,
    wrong: Option<Misreading>,
    /// Visits of each position, and the plies played, for readings that count them.
    seen: RefCell<HashMap<Position, u32>>,
    plies: Cell<u32>,
    /// The last position with its outcomes: questions about one follow each other.
    last: RefCell<Option<(Position, Outcomes)>>,
    /// Positions after actions, with what is still believed of them from before.
    beliefs: RefCell<HashMap<Position, Belief>>,
    /// The board turned by 180°, if that is read, and the side to whom it is shown so.
    half_turned: Option<Board>,
    mover: Cell<Side>,
    /// The order of captures that is taken next, and the number of orders that there were.
    pub(super) order: Cell<usize>,
    pub(super) orders: Cell<usize>,
}

/// Memory of a misreading from one position to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Belief {
    /// Points that the last mover attacked before a placement.
    pub(super) attacked: Vec<Point>,
    /// The winner.
    winner: Option<Side>,
}

/// Actions with the board and the hands as they leave them before captures.
type Outcomes = Arc<[(Action, Position)]>;

impl Misreader {
    /// Returns the engine of a game with a misreading; with `None`, it reads the rules as they are.
    #[must_use]
    pub fn new(game: Game, wrong: Option<Misreading>) -> Misreader {
        let mut rules = *game.rules();
        if let Some(Misreading::Option(name, value)) = wrong {
            rules = rules.with(name, value).unwrap_or(rules);
        }
        let half_turned =
            (wrong == Some(Misreading::Of(Wrong::HalfTurned))).then(|| game.board().turned(Orientation::R180));
        let coords = |board: &Board| -> Vec<Coord> { board.points().map(|point| board.coord(point)).collect() };
        let half_turned = half_turned.filter(|turned| coords(turned) == coords(game.board()));
        Misreader {
            options: *rules.options(),
            game,
            wrong,
            seen: RefCell::default(),
            plies: Cell::new(0),
            last: RefCell::default(),
            beliefs: RefCell::default(),
            half_turned,
            mover: Cell::new(Side::White),
            order: Cell::new(0),
            orders: Cell::new(1),
        }
    }

    /// Returns `true` if it may give an answer. Where the order of captures matters, any order will
    /// do.
    pub(in crate::oracle::conform) fn may_give(&self, probe: Probe, position: &Position, got: &Answer) -> bool {
        self.orders.set(1);
        let mut order = 0;
        loop {
            self.order.set(order);
            if agrees(&probe.answer(self, position), got) {
                return true;
            }
            order += 1;
            if order >= self.orders.get() {
                return false;
            }
        }
    }

    /// Returns what is believed of a position from before the last action.
    pub(super) fn belief(&self, position: &Position) -> Option<Belief> {
        self.beliefs.borrow().get(position).cloned()
    }

    pub(super) fn reads(&self, wrong: Wrong) -> bool {
        self.wrong == Some(Misreading::Of(wrong))
    }

    pub(super) fn misreading(&self) -> Option<Misreading> {
        self.wrong
    }

    /// Returns `true` if the reading limits this length to less.
    pub(super) fn exceeds(&self, length: Length, number: usize) -> bool {
        matches!(self.wrong, Some(Misreading::AtMost(of, most)) if of == length && number > most.into())
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    pub(super) fn board(&self) -> &Board {
        self.game.board()
    }

    pub(super) fn pushes(&self) -> bool {
        self.options.moves && self.options.shoves
    }

    /// Returns the connected neighbour (R1).
    pub(super) fn joined(&self, from: Point, direction: Direction) -> Option<Point> {
        let forth = Direction::HALF.contains(&direction);
        let (dx, dy) = direction.delta();
        if self.reads(Wrong::UnjoinedIsJoined) {
            return self.board().neighbour(from, direction);
        }
        let board = self.half_turned.as_ref().filter(|_| self.mover.get() == Side::Black);
        if let Some(board) = board {
            return board.connected(from, direction);
        }
        if (self.reads(Wrong::OneWay) && !forth) || (self.reads(Wrong::NoDiagonals) && dx != 0 && dy != 0) {
            return None;
        }
        self.board().connected(from, direction)
    }

    /// Returns the legs of a pod as they lie on the board (R3, R4).
    pub(super) fn legs(&self, pod: Pod) -> Vec<Leg> {
        let own = self.game.pods().legs(pod.kind);
        let legs = match pod.side {
            Side::Black if self.reads(Wrong::NotTurned) => own,
            Side::Black if self.reads(Wrong::Flipped) => {
                own.mapped(|d| Direction::from_clockwise((12 - d.index() as u8) % 8))
            }
            side => own.on_board(side),
        };
        let reach = |leg: Leg| match leg.reach {
            Reach::Long if self.reads(Wrong::AllShort) => Leg { reach: Reach::Short, ..leg },
            Reach::Short if self.reads(Wrong::AllLong) => Leg { reach: Reach::Long, ..leg },
            _ => leg,
        };
        legs.iter().map(reach).collect()
    }

    /// Returns every action with the board and the hands as it leaves them before captures. Whether
    /// an empty hand has won is not asked.
    fn outcomes(&self, position: &Position) -> Outcomes {
        let mut last = self.last.borrow_mut();
        match &*last {
            Some((of, outcomes)) if of == position => Arc::clone(outcomes),
            _ => {
                let outcomes: Outcomes = self.listed(position).into();
                *last = Some((position.clone(), Arc::clone(&outcomes)));
                outcomes
            }
        }
    }

    fn listed(&self, position: &Position) -> Vec<(Action, Position)> {
        let mut position = position.clone();
        self.mover.set(position.to_move());
        if self.reads(Wrong::CapturedAtOnce) {
            let blocked: Vec<Point> = position
                .pods()
                .map(|(at, _)| at)
                .filter(|&at| self.is_captured(&position, at, position.to_move()))
                .collect();
            for at in blocked {
                if let Some(pod) = position.occupants[at.index()].take()
                    && pod.side == position.to_move()
                {
                    position.hands[pod.side].add(pod.kind);
                }
            }
        }
        let mut outcomes = self.placements(&position);
        if self.options.moves && (!self.opens(&position) || self.reads(Wrong::OpenMoves)) {
            outcomes.extend(self.shifts(&position));
        }
        outcomes
    }

    fn winner(&self, position: &Position) -> Option<Side> {
        if let Some(winner) = self.belief(position).and_then(|belief| belief.winner) {
            return Some(winner);
        }
        if self.options.empty_hand == EmptyHand::Loses || self.reads(Wrong::EmptyGoesOn) {
            return None;
        }
        let (mover, other) = (position.to_move(), position.to_move().other());
        let order = match self.wrong {
            Some(Misreading::Of(Wrong::MoverFirst)) => [mover, other],
            Some(Misreading::Of(Wrong::MoverNotAsked)) => [other, other],
            Some(Misreading::Of(Wrong::OtherNotAsked)) => [mover, mover],
            _ => [other, mover],
        };
        order.into_iter().find(|&side| position.hand(side).is_empty())
    }

    fn is_stuck(&self, outcomes: &[(Action, Position)]) -> bool {
        let counts = |action: &Action| match action {
            Action::Place { .. } => true,
            Action::Move { .. } => !self.reads(Wrong::PlacementNeeded),
            Action::Shove { .. } | Action::Kick { .. } => {
                !self.reads(Wrong::PlacementNeeded) && !self.reads(Wrong::PushesDoNotCount)
            }
        };
        !outcomes.iter().any(|(action, _)| counts(action))
    }

    /// Returns `true` if the game is over by its length, for the misreadings that end long games.
    fn is_over(&self, position: &Position) -> bool {
        match self.wrong {
            Some(Misreading::Of(Wrong::Repetition)) => self.seen.borrow().get(position).is_some_and(|&n| n > 2),
            _ => self.exceeds(Length::LongGame, self.plies.get() as usize + 1),
        }
    }

    fn finish(&self, position: &Position, (action, mut next): (Action, Position)) -> Transition {
        let mover = position.to_move();
        self.mover.set(mover);
        let emptied = self.options.empty_hand == EmptyHand::Wins && next.hand(mover).is_empty();
        let (returned, removed) = self.capture(position, &mut next, action);
        next.to_move = match self.wrong {
            Some(Misreading::Of(Wrong::WhiteNext)) => Side::White,
            Some(Misreading::Of(Wrong::TakerAgain)) if !removed.is_empty() => mover,
            _ => mover.other(),
        };
        let bipod = next.hand(next.to_move).iter().any(|(kind, _)| self.game.pods().is_bipod(kind));
        next.open = self.reads(Wrong::AnswerOpens) && position.is_open() && bipod;
        let mut belief = Belief::default();
        if self.reads(Wrong::LinesStay) && matches!(action, Action::Place { .. }) {
            let own = position.pods().filter(|(_, pod)| pod.side == mover);
            belief.attacked = own.flat_map(|(from, pod)| self.attacks(position, pod, from)).collect();
        }
        belief.winner = Some(mover).filter(|_| emptied && self.reads(Wrong::EmptiedWins));
        if !belief.attacked.is_empty() || belief.winner.is_some() {
            self.beliefs.borrow_mut().insert(next.clone(), belief);
        }
        Transition { next, returned, removed }
    }
}

impl Engine for Misreader {
    fn game(&self) -> &Game {
        &self.game
    }

    fn try_for_each_action(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(Action) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.status(position) {
            Status::Ongoing => self.outcomes(position).iter().try_for_each(|&(action, _)| visit(action)),
            Status::Won(_) => ControlFlow::Continue(()),
        }
    }

    fn transition(&self, position: &Position, action: Action) -> Option<Transition> {
        if self.status(position) != Status::Ongoing {
            return None;
        }
        let outcome = self.outcomes(position).iter().find(|(listed, _)| *listed == action)?.clone();
        let transition = self.finish(position, outcome);
        self.plies.set(self.plies.get() + 1);
        *self.seen.borrow_mut().entry(transition.next.clone()).or_default() += 1;
        Some(transition)
    }

    fn status(&self, position: &Position) -> Status {
        let mover = position.to_move();
        if let Some(winner) = self.winner(position) {
            return Status::Won(winner);
        }
        if self.is_over(position) {
            return Status::Won(mover.other());
        }
        let stuck = self.is_stuck(&self.outcomes(position));
        let other = || {
            let twin = Position { to_move: mover.other(), open: false, ..position.clone() };
            self.is_stuck(&self.outcomes(&twin))
        };
        if !stuck {
            let loses = matches!(self.wrong, Some(Misreading::Of(Wrong::OtherStuck | Wrong::OtherMoveless))) && other();
            return if loses { Status::Won(mover) } else { Status::Ongoing };
        }
        match self.wrong {
            Some(Misreading::Of(Wrong::BothStuck | Wrong::BothMoveless)) if other() => Status::Won(mover),
            Some(Misreading::Of(Wrong::OnlyBothStuck | Wrong::OnlyBothMoveless)) if !other() => Status::Ongoing,
            Some(Misreading::Of(Wrong::StuckGoesOn | Wrong::MovelessGoesOn)) => Status::Ongoing,
            Some(Misreading::Of(Wrong::StuckWins | Wrong::MovelessWins)) => Status::Won(mover),
            _ => Status::Won(mover.other()),
        }
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self
                .legal_actions(position)
                .into_iter()
                .filter_map(|action| self.transition(position, action))
                .map(|transition| self.perft(&transition.next, depth - 1))
                .sum(),
        }
    }
}
