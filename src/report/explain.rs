//! Explains possible actions: whether each is legal, and by which clauses.

use crate::engine::{Engine, Illegal, LegBlock, Reference, Status};
use crate::files::record;
use crate::geometry::Point;
use crate::material::{Leg, PodKind, Side};
use crate::position::{Action, Game, Pod, Position};
use crate::rules::{Captures, Clause};

record! {
    /// A placement or a move, legal or not.
    #[derive(Debug)]
    pub struct ExplainedRow {
        /// Letter of the pod.
        pub pod: String,
        /// Point that it moves from; empty for a placement.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub from: Option<String>,
        /// Point that it is placed on; empty for a move.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub point: Option<String>,
        /// The action.
        pub action: String,
        /// `yes` if it is legal.
        pub legal: bool,
        /// Clause that forbids it.
        pub clause: Option<String>,
        /// The reason, in words.
        pub explanation: String,
        /// The clause's sentence; in JSON it stands in `clauses` of the whole.
        #[serde(skip_serializing)]
        pub sentence: Option<&'static str>,
    }
}

/// A possible action, and whether it is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The action.
    pub action: Action,
    /// The reason why it is illegal; `None` if it is legal.
    pub illegal: Option<Illegal>,
}

impl Verdict {
    /// Returns `true` if the action fits what stands on its target: moves go to empty points,
    /// shoves and kicks to pods.
    #[must_use]
    pub(crate) fn fits(&self, position: &Position) -> bool {
        match self.action {
            Action::Place { .. } => true,
            Action::Move { to, .. } => position.pod(to).is_none(),
            Action::Shove { to, .. } | Action::Kick { to, .. } => position.pod(to).is_some(),
        }
    }

    #[must_use]
    pub(crate) fn clause(&self) -> Option<Clause> {
        self.illegal.as_ref().map(|illegal| illegal.clause)
    }

    #[must_use]
    pub(crate) fn explain(&self, game: &Game) -> String {
        match &self.illegal {
            Some(illegal) => illegal.explain(game, self.action),
            None => {
                let clause = match self.action {
                    Action::Place { .. } => Clause::R10,
                    Action::Move { .. } => Clause::R17,
                    Action::Shove { .. } => Clause::R22,
                    Action::Kick { .. } => Clause::R24,
                };
                format!("{} is legal ({clause})", self.action.display(game))
            }
        }
    }
}

/// All possible actions of the side to move, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Status of the game: it goes on, or who has won.
    pub status: Status,
    /// Every kind of pod in the mover's hand, by id, with every point of the board, by number.
    pub placements: Vec<(PodKind, Vec<Verdict>)>,
    /// Every pod of the mover on the board, by point, with the moves, shoves and kicks along its
    /// legs, legal or not, sorted by notation. Empty under rules without moves (R14).
    pub moves: Vec<(Point, Vec<Verdict>)>,
}

/// Asks the reference engine about every placement, and about every move, shove and kick along the
/// legs.
#[must_use]
pub fn choices(reference: &Reference, position: &Position) -> Choices {
    let game = reference.game();
    let verdict = |action| Verdict { action, illegal: reference.check(position, action).err() };
    let placements = position
        .hand(position.to_move())
        .iter()
        .map(|(kind, _)| (kind, game.board().points().map(|at| verdict(Action::Place { kind, at })).collect()))
        .collect();
    let own = |&(_, pod): &(Point, Pod)| game.rules().options().moves && pod.side == position.to_move();
    let moves = position
        .pods()
        .filter(own)
        .map(|(from, _)| {
            let mut actions = reference.conceivable_moves(position, from);
            game.sort_actions(&mut actions);
            (from, actions.into_iter().map(verdict).collect())
        })
        .collect();
    Choices { status: reference.status(position), placements, moves }
}

/// A pod without a liberty after an action, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockedPod {
    /// The point that it stands on after the action and before any capture.
    pub point: Point,
    pub pod: Pod,
    /// Its legs as they lie on the board, clockwise from north, each with what blocks it (R7).
    pub legs: Vec<(Leg, LegBlock)>,
    /// True if it is captured (R18). If not, the action is of a kind that captures nothing, or the
    /// pod could push its way out (R27).
    pub captured: bool,
}

/// Returns the pods that stand blocked after a legal action, judged before any is taken off (R18),
/// by point.
///
/// There are none under rules that never capture: there it makes no difference to be blocked.
///
/// # Errors
///
/// If the action is illegal.
pub(crate) fn blocked_after(
    reference: &Reference,
    position: &Position,
    action: Action,
) -> Result<Vec<BlockedPod>, Illegal> {
    let (board, captured) = reference.before_captures(position, action)?;
    if reference.game().rules().options().captures == Captures::Never {
        return Ok(Vec::new());
    }
    let blocked = |point| {
        let legs = reference.leg_blocks(&board, point).into_iter().filter_map(|(leg, block)| Some((leg, block?)));
        Some(BlockedPod { point, pod: board.pod(point)?, legs: legs.collect(), captured: captured.contains(&point) })
    };
    Ok(reference.blocked_pods(&board).into_iter().filter_map(blocked).collect())
}

impl BlockedPod {
    /// Returns a sentence that names the pod, what blocks each leg, and what becomes of the pod.
    #[must_use]
    pub(crate) fn explain(&self, game: &Game, mover: Side) -> String {
        let legs: Vec<String> = self.legs.iter().map(|(leg, block)| format!("{leg} {}", block.explain(game))).collect();
        let fate = match (self.captured, self.pod.side == mover) {
            (true, true) => format!("back to hand ({}, {})", Clause::R7, Clause::R18),
            (true, false) => format!("out of the game ({}, {})", Clause::R7, Clause::R18),
            (false, _) => format!("it stays ({})", self.why_spared(game)),
        };
        format!(
            "{}'s {} on {} has no liberty: {}; {fate}",
            self.pod.side,
            game.pods().id(self.pod.kind),
            game.board().coord(self.point),
            legs.join(", ")
        )
    }

    fn why_spared(&self, game: &Game) -> String {
        let options = game.rules().options();
        if options.shove_liberty && options.shoves && options.moves {
            format!("{} or {}: captures={} or a push of its own", Clause::R18, Clause::R27, captures(game))
        } else {
            format!("{}: captures={}", Clause::R18, captures(game))
        }
    }
}

fn captures(game: &Game) -> &'static str {
    game.rules().value("captures").unwrap_or_default()
}
