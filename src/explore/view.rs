//! All that the page shows of a position.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::library::options_of;
use super::refusal::Refusal;
use super::setting::{Course, Played, Setting};
use crate::drawing::{Drawing, Mark, attacks, liberties, of_pod};
use crate::engine::{Engine, Status, why_won};
use crate::geometry::Direction;
use crate::material::{PodKind, Side};
use crate::position::{Action, Game};
use crate::report::{Verdict, choices};

/// A question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    setting: Setting,
    #[serde(default)]
    marks: Marks,
    /// True if the pods of the set are to be drawn as well.
    #[serde(default)]
    pods: bool,
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
    /// The neighbours by direction, line or no line.
    beside: BTreeMap<&'static str, String>,
    /// The directions in which lines leave it.
    lines: Vec<&'static str>,
}

/// A pod, on the board or in hand.
#[derive(Debug, Serialize)]
struct PodShown {
    id: char,
    name: String,
    /// As its owner sees it.
    legs: String,
    /// The legs in words, for readers who cannot see the drawing.
    words: String,
    /// Drawings of White's and of Black's pod as they lie on the board, if asked for.
    svg: Option<[String; 2]>,
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
pub(super) struct Step {
    action: String,
    side: &'static str,
    /// The pod that was placed or moved.
    pod: Option<char>,
    /// The mover's pods that came back.
    returned: Vec<char>,
    /// The opponent's pods that went out of the game.
    removed: Vec<char>,
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
    columns: u8,
    rows: u8,
    points: Vec<PointShown>,
    kinds: Vec<PodShown>,
    /// Pods by point.
    standing: BTreeMap<String, Standing>,
    /// Counts by id, for White and for Black.
    hands: [BTreeMap<char, u8>; 2],
    start_hands: [String; 2],
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
    pub(super) fn new(game: &Game, played: &Played) -> Step {
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
        }
    }
}

/// Returns the legs of a pod in words: which are short and which long.
fn words(game: &Game, kind: PodKind) -> String {
    let legs = game.pods().legs(kind);
    let list = |set: crate::geometry::DirectionSet| set.iter().map(Direction::name).collect::<Vec<_>>().join(" ");
    let (short, long) = (list(legs.short()), list(legs.long()));
    match (short.is_empty(), long.is_empty()) {
        (true, _) => format!("long {long}"),
        (_, true) => format!("short {short}"),
        _ => format!("short {short}, long {long}"),
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
    pub(super) fn new(course: &Course, marks: &Marks, with_pods: bool) -> View {
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
            let beside = Direction::ALL.into_iter().filter_map(|d| Some((d.name(), name(board.neighbour(point, d)?))));
            let lines = board.lines(point).iter().map(Direction::name).collect();
            PointShown { name: name(point), column: coord.column, row: coord.row, beside: beside.collect(), lines }
        });
        let drawing = Drawing::default().embedded();
        let drawn = |kind| with_pods.then(|| Side::BOTH.map(|side| drawing.pod(game.pods(), kind, side)));
        let kinds = game.pods().kinds().map(|kind| {
            let spec = game.pods().spec(kind);
            PodShown {
                id: spec.id,
                name: spec.name.clone(),
                legs: spec.legs.to_string(),
                words: words(game, kind),
                svg: drawn(kind),
            }
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
            columns: board.columns(),
            rows: board.rows(),
            points: points.collect(),
            kinds: kinds.collect(),
            standing: standing.collect(),
            hands: Side::BOTH.map(hand),
            start_hands: course.setup.hand_texts().into_array(),
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
            svg: drawing.for_scripts().on_board(game, position, &marks.of(course)),
        }
    }
}

/// Shows a position.
pub(super) fn answer(Ask { setting, marks, pods }: Ask) -> Result<View, Refusal> {
    Ok(View::new(&setting.course()?, &marks, pods))
}
