//! Answers of an engine: legal actions, results of actions, the status, and reasons why an action
//! is illegal.

use std::fmt;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::geometry::Point;
use crate::material::{Leg, PodKind, Side};
use crate::position::{Action, Game, Pod, Position};
use crate::rules::{Clause, EmptyHand};

/// Status of a game: it goes on, or who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// The side to move has a legal action and nobody has won.
    Ongoing,
    /// The game is over.
    Won(Side),
}

impl Status {
    /// Returns `ongoing`, `white_won` or `black_won`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Status::Ongoing => "ongoing",
            Status::Won(Side::White) => "white_won",
            Status::Won(Side::Black) => "black_won",
        }
    }
}

/// A list of actions that allocates only beyond 256 actions; few positions have more.
pub type ActionList = SmallVec<[Action; 256]>;

/// Result of an action.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// The position after the action and its captures.
    pub next: Position,
    /// The mover's own captured pods, back in the mover's hand (R18), sorted by id.
    pub returned: Vec<PodKind>,
    /// The opponent's captured pods, out of the game (R18), sorted by id.
    pub removed: Vec<PodKind>,
}

/// An engine: the rules of one game, applied to its positions.
///
/// Implementations must agree in every answer; they are checked against each other. Every position
/// must be of this game: one of another game may panic or give a wrong answer.
pub trait Engine {
    /// Returns the game whose rules these are.
    fn game(&self) -> &Game;

    /// Calls `visit` with each legal action, in no particular order, until it returns a break, and
    /// returns that break. A finished game has none.
    fn try_for_each_action(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(Action) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Returns the legal actions, in no particular order; none in a finished game.
    fn legal_actions(&self, position: &Position) -> ActionList {
        let mut actions = ActionList::new();
        let _ = self.try_for_each_action(position, &mut |action| {
            actions.push(action);
            ControlFlow::Continue(())
        });
        actions
    }

    /// Returns the legal actions, sorted by their notation; none in a finished game.
    fn sorted_actions(&self, position: &Position) -> Vec<Action> {
        let mut actions = self.legal_actions(position).into_vec();
        self.game().sort_actions(&mut actions);
        actions
    }

    /// Returns `true` if an action is among the legal ones. False for points and pods that the game
    /// lacks.
    fn is_legal(&self, position: &Position, action: Action) -> bool {
        let same = |legal| if legal == action { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        self.try_for_each_action(position, &mut { same }).is_break()
    }

    /// Returns the result of a legal action, with what it captures; `None` if it is illegal, or
    /// names points or pods that the game lacks. [`Play::apply`](super::Play::apply) says why.
    fn transition(&self, position: &Position, action: Action) -> Option<Transition>;

    /// Returns the status of the game: it goes on, or a side has won.
    fn status(&self, position: &Position) -> Status;

    /// Returns perft: the number of action sequences of exactly `depth` plies. It is 1 at depth 0;
    /// a finished game has 0 beyond that.
    fn perft(&self, position: &Position, depth: u32) -> u64;
}

/// Reasons why a leg gives its pod no liberty (R7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LegBlock {
    /// It points off the board or into a hole.
    Edge,
    /// The neighbour is there, but no line joins it.
    NoLine(Point),
    /// The connected neighbour holds a pod.
    Occupied(Point, Pod),
}

impl LegBlock {
    /// Returns the end of a sentence that begins with the leg, such as `meets no point`.
    ///
    /// # Panics
    ///
    /// If the reason is of another game: it has points or pods that this one lacks.
    #[must_use]
    pub fn explain(&self, game: &Game) -> String {
        let at = |point: &Point| game.board().coord(*point);
        match self {
            LegBlock::Edge => "meets no point".to_owned(),
            LegBlock::NoLine(to) => format!("has no line to {}", at(to)),
            LegBlock::Occupied(to, by) => {
                format!("meets {}'s pod {} on {}", by.side, game.pods().id(by.kind), at(to))
            }
        }
    }
}

/// Causes of illegality, with the points, legs and pods to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The game is over.
    Finished(Side),
    /// The first action must place a bipod (R9).
    MustOpenWithBipod,
    /// The pod to be placed is not in the mover's hand (R10).
    NotInHand(PodKind),
    /// The point to be placed on is taken (R10).
    Taken(Point, Pod),
    /// The placed pod would attack an opposing pod (R11).
    WouldAttack {
        /// The leg that attacks.
        leg: Leg,
        /// The point of the opposing pod.
        target: Point,
        /// The opposing pod.
        victim: Pod,
        /// The first pod that the leg passes, which `attack-through` allows (R5).
        past: Option<Point>,
    },
    /// An opposing pod attacks the point (R12).
    Attacked {
        /// The point of the opposing pod.
        from: Point,
        /// The opposing pod.
        attacker: Pod,
        /// Its leg, as it lies on the board.
        leg: Leg,
        /// The first pod that the leg passes, which `attack-through` allows (R5).
        past: Option<Point>,
    },
    /// The placed pod would have no liberty (R13).
    NoLiberty(Vec<(Leg, LegBlock)>),
    /// These rules have no moves (R14, R17).
    NoMoves,
    /// These rules have no shoves and kicks (R22).
    NoShoves,
    /// The mover has no pod on the point (R17).
    NotOwn(Point, Option<Pod>),
    /// The target does not lie in any of the eight directions (R17).
    NotStraight,
    /// The pod has no leg in that direction (R17).
    NoLeg(Pod, crate::geometry::Direction),
    /// The leg is short and the target is not the neighbour (R17).
    TooFar(Leg),
    /// On the way from the first point to the target there is a hole, an edge or no line (R17,
    /// R22).
    NoLine {
        /// The last point that is connected.
        after: Point,
        /// The direction in which no line leaves it.
        direction: crate::geometry::Direction,
    },
    /// A pod stands on the way (R17) or, for a plain move, on the target.
    InTheWay(Point, Pod),
    /// There is no pod on the target that could be shoved or kicked (R22, R24).
    NothingToPush(Point),
    /// Shoving after a run is not allowed by these rules (R23).
    NoRun,
    /// Only a long leg kicks (R24).
    ShortLegKick(Leg),
    /// Only a directly adjacent pod is kicked (R24).
    NotAdjacent(Point),
    /// The kick is listed as the shove that does the same (R25).
    SameAsShove,
    /// A kicked pod would slide off the board or into a hole (R24), or a shoved one (R22).
    PushedOff {
        /// The last point before the edge or hole.
        after: Point,
    },
    /// The game lacks a point or the pod that the action names (R1, R3).
    Unknown,
    /// Another engine forbids what these rules allow.
    OnlyThisEngine,
    /// A kicked pod would slide onto another pod (R24).
    KickBlocked(Point, Pod),
    /// A kick by no point at all (R24).
    NoDistance,
}

/// The reason why an action is illegal: the clause that forbids it, and what is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The clause. If several forbid the action, it is the first in the order that the docs of
    /// [`super::reference`] give.
    pub clause: Clause,
    /// The cause.
    pub reason: Reason,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal by {}: {}", self.clause, self.clause.title())
    }
}

impl std::error::Error for Illegal {}

impl Illegal {
    /// Returns a sentence that names the clause, the action, and what is to blame.
    ///
    /// # Panics
    ///
    /// If the action or the reason is of another game: it has points or pods that this one lacks.
    #[must_use]
    pub fn explain(&self, game: &Game, action: Action) -> String {
        format!("{} is illegal by {}: {}", action.display(game), self.clause, Explained(game, &self.reason))
    }
}

struct Explained<'a>(&'a Game, &'a Reason);

impl Explained<'_> {
    fn at(&self, point: Point) -> impl fmt::Display + use<> {
        self.0.board().coord(point)
    }

    fn pod(&self, pod: Pod) -> String {
        format!("{}'s pod {}", pod.side, self.0.pods().id(pod.kind))
    }

    /// Names the pod that a leg passes, with the option and the clause that let it.
    fn past(&self, f: &mut fmt::Formatter<'_>, past: Option<Point>) -> fmt::Result {
        match past {
            Some(at) => write!(f, ", past the pod on {} (attack-through=on, {})", self.at(at), Clause::R5),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Reason::Finished(winner) => write!(f, "the game is over, {winner} has won"),
            Reason::MustOpenWithBipod => {
                f.write_str("the first action must place a bipod, a pod with exactly two legs")
            }
            Reason::NotInHand(kind) => write!(f, "pod {} is not in the mover's hand", self.0.pods().id(*kind)),
            Reason::Taken(at, by) => write!(f, "{} stands on {}", self.pod(*by), self.at(*at)),
            Reason::WouldAttack { leg, target, victim, past } => {
                write!(f, "its leg {leg} would attack {} on {}", self.pod(*victim), self.at(*target))?;
                self.past(f, *past)
            }
            Reason::Attacked { from, attacker, leg, past } => {
                write!(f, "{} on {} attacks the point with its leg {leg}", self.pod(*attacker), self.at(*from))?;
                self.past(f, *past)
            }
            Reason::NoLiberty(legs) => {
                f.write_str("it would have no liberty:")?;
                for (i, (leg, block)) in legs.iter().enumerate() {
                    write!(f, "{} {leg} {}", if i == 0 { "" } else { "," }, block.explain(self.0))?;
                }
                Ok(())
            }
            Reason::NoMoves => f.write_str("under these rules pods do not move"),
            Reason::NoShoves => f.write_str("under these rules pods neither shove nor kick"),
            Reason::NotOwn(at, None) => write!(f, "no pod stands on {}", self.at(*at)),
            Reason::NotOwn(at, Some(pod)) => {
                write!(f, "{} stands on {}, it is not the mover's", self.pod(*pod), self.at(*at))
            }
            Reason::NotStraight => f.write_str("the target is not in a straight line from the pod"),
            Reason::NoLeg(pod, direction) => write!(f, "{} has no leg that points {direction}", self.pod(*pod)),
            Reason::TooFar(leg) => write!(f, "its leg {leg} is short and reaches the neighbour only"),
            Reason::NoLine { after, direction } => write!(f, "no line leads {direction} from {}", self.at(*after)),
            Reason::InTheWay(at, pod) => write!(f, "{} on {} is in the way", self.pod(*pod), self.at(*at)),
            Reason::NothingToPush(at) => write!(f, "no pod stands on {} that could be pushed", self.at(*at)),
            Reason::NoRun => f.write_str("under these rules a long leg shoves its neighbour only, not after a run"),
            Reason::ShortLegKick(leg) => write!(f, "its leg {leg} is short, only long legs kick"),
            Reason::NotAdjacent(at) => write!(f, "{} is not directly adjacent", self.at(*at)),
            Reason::SameAsShove => f.write_str("a kick by one point along a line is the same as the shove, write that"),
            Reason::PushedOff { after } => write!(f, "the pushed pod finds no point beyond {}", self.at(*after)),
            Reason::KickBlocked(at, pod) => {
                write!(f, "the kicked pod meets {} on {}, kicks do not chain", self.pod(*pod), self.at(*at))
            }
            Reason::Unknown => f.write_str("the game lacks a point or the pod that it names"),
            Reason::OnlyThisEngine => f.write_str("the engine forbids what the rules allow"),
            Reason::NoDistance => f.write_str("the kicked pod must slide by at least one point"),
        }
    }
}

/// Returns the reason why a finished position is won, with the clauses, as the part of a sentence
/// after a colon.
#[must_use]
pub fn why_won(game: &Game, finished: &Position) -> String {
    let loser = finished.to_move();
    let options = game.rules().options();
    if let Some(winner) = finished.won_by_empty_hand(game) {
        let clause = if options.moves { Clause::R19 } else { Clause::R16 };
        return format!("{winner}'s hand is empty ({clause})");
    }
    if finished.hand(loser).is_empty() && options.empty_hand == EmptyHand::Loses && !options.moves {
        return format!("{loser} has nothing left to place ({}, {})", Clause::R15, Clause::R16);
    }
    if options.moves {
        format!("{loser} has no legal action ({})", Clause::R20)
    } else {
        format!("{loser} cannot place any pod ({})", Clause::R15)
    }
}
