//! All that the page shows of a position.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::library::options_of;
use super::refusal::Refusal;
use super::setting::{Course, Played, Setting};
use crate::drawing::{Drawing, Mark, attacks, liberties, of_pod};
use crate::engine::{Engine, Reference, Status, why_won};
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Position};
use crate::report::{Verdict, blocked_after, choices};

/// A question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    setting: Setting,
    #[serde(default)]
    marks: Marks,
}

/// Marks on the board.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Marks {
    #[default]
    None,
    /// Points attacked by either side (R6).
    Attacks,
    /// Liberties, and pods without any (R7).
    Liberties,
    /// Attacks and liberties of the pod on a point.
    Pod(String),
}

impl Marks {
    pub(super) fn of(&self, course: &Course) -> Vec<Mark> {
        match self {
            Marks::None => Vec::new(),
            Marks::Attacks => attacks(&course.engine, course.now()),
            Marks::Liberties => liberties(&course.engine, course.now()),
            Marks::Pod(at) => {
                let at = at.parse().ok().and_then(|at| course.game().board().point_at(at));
                at.map_or(Vec::new(), |at| of_pod(&course.engine, course.now(), at))
            }
        }
    }
}

/// A point of the board as it lies.
#[derive(Debug, Serialize)]
struct PointShown {
    name: String,
    column: u8,
    row: u8,
    /// True if no line leads to it.
    bare: bool,
}

#[derive(Debug, Serialize)]
struct Standing {
    side: &'static str,
    id: char,
}

/// A move, shove or kick, legal or not.
#[derive(Debug, Serialize)]
struct Target {
    action: String,
    to: String,
    /// The clause that forbids it; none if it is legal.
    clause: Option<String>,
}

/// An action that was played.
#[derive(Debug, Serialize)]
struct Step {
    action: String,
    side: &'static str,
    /// The pod that was placed or moved.
    pod: Option<char>,
    /// The mover's pods that came back.
    returned: Vec<char>,
    /// The opponent's pods that went out of the game.
    removed: Vec<char>,
    /// The position that it led to.
    position: String,
}

/// Consequences of the last action.
#[derive(Debug, Serialize)]
struct Last {
    /// The pods that were captured, where they stood before.
    captured: Vec<Captured>,
    /// The board before the captures, if there were any.
    between: Option<String>,
    /// A sentence for each blocked pod: what blocks it, and what becomes of it.
    blocked: Vec<String>,
}

/// A pod that came off the board.
#[derive(Debug, Serialize)]
struct Captured {
    at: String,
    side: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct View {
    position: String,
    base: String,
    rules: String,
    preset: &'static str,
    options: BTreeMap<&'static str, &'static str>,
    board_name: String,
    board_source: String,
    pods_name: String,
    pods_source: String,
    points: Vec<PointShown>,
    /// Pods by point.
    standing: BTreeMap<String, Standing>,
    /// Counts by id, for White and for Black.
    hands: [BTreeMap<char, u8>; 2],
    start_hands: [String; 2],
    /// The starting positions with White and with Black to begin.
    starts: [Option<String>; 2],
    to_move: &'static str,
    open: bool,
    status: &'static str,
    /// The reason why the game is over.
    won: Option<String>,
    /// By pod of the mover's hand and by point: `None` if the pod may go there, else the clause
    /// that forbids it.
    placements: BTreeMap<char, BTreeMap<String, Option<String>>>,
    /// By point with a pod of the mover: its moves, shoves and kicks.
    moves: BTreeMap<String, Vec<Target>>,
    legal: Vec<String>,
    played: Vec<Step>,
    last: Option<Last>,
    svg: String,
}

/// Returns `white` or `black`.
pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

fn ids(game: &Game, kinds: &[PodKind]) -> Vec<char> {
    kinds.iter().map(|&kind| game.pods().id(kind)).collect()
}

impl Step {
    fn new(game: &Game, played: &Played) -> Step {
        let kind = match played.action {
            Action::Place { kind, .. } => Some(kind),
            Action::Move { from, .. } | Action::Shove { from, .. } | Action::Kick { from, .. } => {
                played.before.pod(from).map(|pod| pod.kind)
            }
        };
        Step {
            action: played.action.display(game).to_string(),
            side: side_name(played.before.to_move()),
            pod: kind.map(|kind| game.pods().id(kind)),
            returned: ids(game, &played.led_to.returned),
            removed: ids(game, &played.led_to.removed),
            position: played.led_to.next.display(game).to_string(),
        }
    }
}

impl Last {
    fn new(engine: &Reference, Played { before, action, .. }: &Played) -> Last {
        let game = engine.game();
        let blocked = blocked_after(engine, before, *action).unwrap_or_default();
        let captured = blocked
            .iter()
            .filter(|pod| pod.captured)
            .map(|pod| Captured { at: game.board().coord(pod.point).to_string(), side: side_name(pod.pod.side) });
        let captured: Vec<Captured> = captured.collect();
        let between = if captured.is_empty() { None } else { engine.before_captures(before, *action).ok() };
        let draw = |board: &Position| Drawing::default().embedded().for_scripts().on_board(game, board, &[]);
        Last {
            between: between.map(|(board, _)| draw(&board)),
            blocked: blocked.iter().map(|pod| pod.explain(game, before.to_move())).collect(),
            captured,
        }
    }
}

fn target(game: &Game, verdict: &Verdict) -> Option<Target> {
    let (Action::Move { to, .. } | Action::Shove { to, .. } | Action::Kick { to, .. }) = verdict.action else {
        return None;
    };
    Some(Target {
        action: verdict.action.display(game).to_string(),
        to: game.board().coord(to).to_string(),
        clause: verdict.clause().map(|clause| clause.to_string()),
    })
}

impl View {
    pub(super) fn new(course: &Course, marks: &Marks) -> View {
        let (game, position) = (course.game(), course.now());
        let board = game.board();
        let name = |point| board.coord(point).to_string();
        let possible = choices(&course.engine, position);
        let placements = possible.placements.iter().map(|(kind, verdicts)| {
            let clause = |verdict: &Verdict| verdict.clause().map(|clause| clause.to_string());
            let points = board.points().zip(verdicts).map(|(point, verdict)| (name(point), clause(verdict)));
            (game.pods().id(*kind), points.collect())
        });
        let moves = possible.moves.iter().map(|(from, verdicts)| {
            let targets = verdicts.iter().filter(|verdict| verdict.fits(position));
            (name(*from), targets.filter_map(|verdict| target(game, verdict)).collect())
        });
        let points = board.points().map(|point| {
            let coord = board.coord(point);
            let bare = board.lines(point).iter().next().is_none();
            PointShown { name: name(point), column: coord.column, row: coord.row, bare }
        });
        let standing = position
            .pods()
            .map(|(at, pod)| (name(at), Standing { side: side_name(pod.side), id: game.pods().id(pod.kind) }));
        let hand = |side| position.hand(side).iter().map(|(kind, count)| (game.pods().id(kind), count)).collect();
        let won = match possible.status {
            Status::Ongoing => None,
            Status::Won(winner) => Some(format!("{winner} has won: {}", why_won(course.engine.game(), position))),
        };
        View {
            position: position.display(game).to_string(),
            base: course.base.display(game).to_string(),
            rules: game.rules().to_string(),
            preset: game.rules().preset().name(),
            options: options_of(game.rules()),
            board_name: board.name().to_owned(),
            board_source: board.source().to_owned(),
            pods_name: game.pods().name().to_owned(),
            pods_source: game.pods().source().to_owned(),
            points: points.collect(),
            standing: standing.collect(),
            hands: Side::BOTH.map(hand),
            start_hands: course.setup.hand_texts().into_array(),
            starts: Side::BOTH.map(|side| Some(course.setup.start(side).ok()?.display(game).to_string())),
            to_move: side_name(position.to_move()),
            open: position.is_open(),
            status: possible.status.name(),
            won,
            placements: placements.collect(),
            moves: moves.collect(),
            legal: course
                .engine
                .sorted_actions(position)
                .into_iter()
                .map(|action| action.display(game).to_string())
                .collect(),
            played: course.played.iter().map(|played| Step::new(game, played)).collect(),
            last: course.played.last().map(|played| Last::new(&course.engine, played)),
            svg: Drawing::default().embedded().for_scripts().on_board(game, position, &marks.of(course)),
        }
    }
}

/// Shows a position.
pub(super) fn answer(Ask { setting, marks }: Ask) -> Result<View, Refusal> {
    Ok(View::new(&setting.course()?, &marks))
}
