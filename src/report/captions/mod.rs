//! The captions of the pictures in the rules texts, checked on any board and pods.
//!
//! The pictures are lost. A caption still claims that there is an orientation, a point and a pod
//! for which something is true. Each claim is searched for in all four orientations (R2); where it
//! holds, there is a position in which the reference engine confirms it. A board and pods on which
//! a caption fails are not the printed ones; if all hold, that proves nothing. The sixth caption,
//! "all legal points", is its picture alone and claims nothing that could be checked.

mod author;
mod row;
mod scene;
mod standard;

use crate::geometry::{Direction, Orientation, Symmetry};
use crate::material::{Board, PodSet, symmetries};
pub use row::CaptionRow;
use scene::Scenes;

/// A caption, and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// A short name.
    pub name: &'static str,
    /// The texts, by number, and the place in them.
    pub source: &'static str,
    /// Its text.
    pub says: &'static str,
    /// Witness of the caption, or the reason why there is none.
    pub found: Result<Witness, String>,
}

/// Place where a caption holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Finding, as a sentence.
    pub what: String,
    /// The position that shows it; `None` if the caption is about board or pods alone.
    pub shown: Option<Shown>,
}

/// A position that shows what a caption says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Orientation of the board.
    pub orientation: Orientation,
    /// The name of the rules.
    pub rules: String,
    /// The position's text.
    pub position: String,
}

impl Witness {
    fn plain(what: impl Into<String>) -> Witness {
        Witness { what: what.into(), shown: None }
    }
}

type CaptionResult = Result<Witness, String>;

/// The points of the real board (R1).
const POINTS: usize = 36;

/// The pods of the real game (R3): the number of legs, and how many such pods there are.
const PODS: [(usize, usize); 5] = [(2, 2), (3, 3), (4, 6), (6, 2), (8, 1)];

/// Checks every caption on a board and pods.
#[must_use]
pub fn captions(board: &Board, pods: &PodSet) -> Vec<Caption> {
    let scenes = Scenes::new(board, pods);
    let caption = |name, source, says, found| Caption { name, source, says, found };
    vec![
        caption("points", "000-004", "The board has 36 points.", points(board)),
        caption("lines", "000-004", "Only some neighbours are joined.", lines(board)),
        caption("turn", "000", "Turning the board by 90 degrees changes it.", turn(board)),
        caption("make-up", "003", "There are 1 octopod, 2 hexapods, 6 quadripods, 3 tripods, 2 bipods.", make_up(pods)),
        caption("all-differ", "000, 002", "All pods differ.", all_differ(pods)),
        caption(
            "bipod-left-and-right",
            "000, 001, 002, first caption",
            "There is a point with no neighbour or no empty point on its left and an unjoined neighbour on its right: a white bipod \
             with a left and a right leg may not go there.",
            standard::bipod_left_and_right(&scenes),
        ),
        caption(
            "tripod-all-blocked",
            "000, 001, 002, second caption",
            "There is a point whose lower left neighbour is not joined and whose upper left and right (000: upper right) neighbours \
             are taken: a white tripod with those three legs may not go there.",
            standard::tripod_all_blocked(&scenes),
        ),
        caption(
            "upper-right-free",
            "000, 001, 002, third caption",
            "Where its upper right leg is free, a white pod may stand, though every other leg is blocked.",
            standard::upper_right_free(&scenes),
        ),
        caption(
            "black-attacks-three",
            "000, 001, 002, fourth caption",
            "There is a black pod that attacks exactly three points; its upper right and lower right legs, one short and one long, \
             have no line there, and the neighbours that way are legal for a white quadripod.",
            standard::black_attacks_three(&scenes),
        ),
        caption(
            "quadripod-would-attack",
            "000, 001, 002, fifth caption",
            "A white quadripod may not stand where it would attack that black pod, but may stand on a joined straight line where \
             only a short leg points at it from afar.",
            standard::quadripod_would_attack(&scenes),
        ),
        caption(
            "quadripod-controls-five",
            "003, first picture",
            "A quadripod with 3 short legs and 1 long leg controls exactly 5 points from some point.",
            author::quadripod_controls_five(&scenes),
        ),
        caption(
            "pods-block-each-other",
            "003, second picture",
            "Two or three white pods block one another: each has all its legs blocked by the others or by missing lines.",
            author::pods_block_each_other(&scenes),
        ),
        caption(
            "hexapod-both-legs",
            "003, capture picture",
            "There is a hexapod with both short and long legs.",
            author::hexapod_both_legs(&scenes),
        ),
        caption(
            "hexapod-captures",
            "003, capture picture",
            "Such a hexapod moves to a point next to a black bipod, takes its last liberty and so captures it.",
            author::hexapod_captures(&scenes),
        ),
    ]
}

fn points(board: &Board) -> CaptionResult {
    match board.len() {
        POINTS => Ok(Witness::plain("36 points")),
        other => Err(format!("it has {other}")),
    }
}

fn lines(board: &Board) -> CaptionResult {
    let pairs = board.points().flat_map(|p| Direction::ALL.map(|d| board.neighbour(p, d))).flatten().count() / 2;
    let lines = board.line_count();
    let what = format!("{lines} lines join {pairs} pairs of neighbours");
    if lines < pairs { Ok(Witness::plain(what)) } else { Err(what) }
}

fn turn(board: &Board) -> CaptionResult {
    let quarter = Symmetry::from(Orientation::R90);
    if symmetries(board).iter().any(|s| s.symmetry == quarter) {
        return Err("a turn by 90 degrees gives the same points and lines".to_owned());
    }
    Ok(Witness::plain("the four orientations are not the same"))
}

fn make_up(pods: &PodSet) -> CaptionResult {
    let with = |legs| -> usize {
        let kinds = pods.kinds().filter(|&kind| pods.legs(kind).count() == legs);
        kinds.map(|kind| usize::from(pods.spec(kind).count)).sum()
    };
    let all: usize = pods.kinds().map(|kind| usize::from(pods.spec(kind).count)).sum();
    let found = PODS.map(|(legs, _)| format!("{} with {legs}", with(legs))).join(", ");
    let what = format!("{all} pods: {found} legs");
    if PODS.iter().all(|&(legs, count)| with(legs) == count) && all == 14 {
        Ok(Witness::plain(what))
    } else {
        Err(what)
    }
}

fn all_differ(pods: &PodSet) -> CaptionResult {
    for kind in pods.kinds() {
        if pods.spec(kind).count > 1 {
            return Err(format!("{} is there {} times", pods.id(kind), pods.spec(kind).count));
        }
        if let Some(other) = pods.kinds().take_while(|k| *k != kind).find(|&k| pods.legs(k) == pods.legs(kind)) {
            return Err(format!("{} and {} have the same legs, {}", pods.id(other), pods.id(kind), pods.legs(kind)));
        }
    }
    Ok(Witness::plain("no two pods have the same legs"))
}
