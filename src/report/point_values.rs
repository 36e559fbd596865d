//! Values of the points of a position for the side to move: the best action that ends there.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::answer::{Answerer, Request, SolveError};
use crate::drawing::{Mark, Worth};
use crate::engine::Engine as _;
use crate::geometry::Point;
use crate::position::{Action, Game, Position};
use crate::solver::{Finding, Limits, Outcome, Silent, Verdict};
use crate::table::Tablebase;

/// Returns the value of the best action to each point for the side to move, for a drawing. A point
/// is worth a win if some action to it is known to win; else it is unknown if the value of some
/// action to it is unknown; else it is worth a draw or a loss. All actions share `time`.
///
/// # Errors
///
/// If a table cannot be read, or two derivations of a value differ.
pub(crate) fn point_values(
    game: &Game,
    tables: Option<&Tablebase>,
    position: &Position,
    time: Duration,
    limits: Limits<'_>,
) -> Result<Vec<Mark>, SolveError> {
    let mut answerer = Answerer::with_tables(game, tables)?;
    let engine = answerer.engine().clone();
    let (actions, state) = (engine.sorted_actions(position), engine.state(position));
    let (begun, limits) = (Instant::now(), limits.with_time(time));
    let mut points: BTreeMap<Point, Worth> = BTreeMap::new();
    let all = actions.len();
    for (done, action) in actions.into_iter().enumerate() {
        let next = engine.position(&engine.play_state(&state, action));
        let left = time.saturating_sub(begun.elapsed()) / (all - done) as u32;
        let limits = limits.with_share_of_time(left);
        let worth = match answerer.answer(&next, Request::new(limits).unverified(), &Silent)? {
            Finding::Solved(solution) => of_action(solution.verdict),
            Finding::Unknown(_) => Worth::Unknown,
        };
        let best = points.entry(target(action)).or_insert(worth);
        *best = better(*best, worth);
    }
    Ok(points.into_iter().map(|(point, worth)| Mark::Value { point, worth }).collect())
}

pub(super) fn target(action: Action) -> Point {
    match action {
        Action::Place { at, .. } => at,
        Action::Move { to, .. } | Action::Shove { to, .. } | Action::Kick { to, .. } => to,
    }
}

/// Returns the worth of an action that leads to a position with this verdict.
fn of_action(next: Verdict) -> Worth {
    let plies = next.plies().map(|plies| plies + 1);
    match next.outcome().reversed() {
        Outcome::Win => Worth::Win(plies),
        Outcome::Draw => Worth::Draw,
        Outcome::Loss => Worth::Loss(plies),
    }
}

/// Returns the worth of the better of two actions to a point.
fn better(a: Worth, b: Worth) -> Worth {
    // A win in a known number of plies before one without; the longest loss last.
    let order = |worth: Worth| match worth {
        Worth::Win(plies) => (3, i32::from(u16::MAX) - plies.map_or(i32::from(u16::MAX), i32::from)),
        Worth::Unknown => (2, 0),
        Worth::Draw => (1, 0),
        Worth::Loss(plies) => (0, plies.map_or(i32::MAX, i32::from)),
    };
    if order(b) > order(a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_may_be_better_than_a_draw_and_is_never_one() {
        let ranked = [
            Worth::Loss(Some(2)),
            Worth::Loss(Some(8)),
            Worth::Loss(None),
            Worth::Draw,
            Worth::Unknown,
            Worth::Win(None),
            Worth::Win(Some(9)),
            Worth::Win(Some(1)),
        ];
        for (i, &a) in ranked.iter().enumerate() {
            for &b in &ranked[i..] {
                assert_eq!((better(a, b), better(b, a)), (b, b));
            }
        }
    }

    #[test]
    fn points_are_worth_what_their_best_action_is() {
        use crate::material::{builtin_board, builtin_pods};
        for (rules, text) in [("standard", "3/3/3 w bdt bdt open"), ("advanced", "3/1B1/2q w dt bt -")] {
            let pods = builtin_pods("four").unwrap();
            let game = Game::new(builtin_board("nook9").unwrap(), pods, rules.parse().unwrap());
            let position = game.parse_position(text).unwrap();
            let long = Duration::from_secs(3600);
            let marks = point_values(&game, None, &position, long, Limits::default()).unwrap();
            let mut expected: BTreeMap<Point, Worth> = BTreeMap::new();
            let engine = crate::engine::Reference::new(game.clone());
            for action in engine.sorted_actions(&position) {
                let next = engine.transition(&position, action).unwrap().next;
                let solved = crate::answer::solve(&game, &next, Request::default(), &Silent).unwrap();
                let worth = of_action(solved.verdict);
                let best = expected.entry(target(action)).or_insert(worth);
                *best = better(*best, worth);
            }
            let expected: Vec<Mark> = expected.into_iter().map(|(point, worth)| Mark::Value { point, worth }).collect();
            assert_eq!(marks, expected, "{rules}");
            assert!(!marks.contains(&Mark::Value { point: Point::new(0), worth: Worth::Unknown }));
            // Without time only what is over, or seen at once, is known; nothing that is not known
            // becomes a draw.
            let none = point_values(&game, None, &position, Duration::ZERO, Limits::default()).unwrap();
            assert_eq!(none.len(), marks.len());
            for (known, short) in marks.iter().zip(none) {
                let (Mark::Value { worth: known, .. }, Mark::Value { worth: short, .. }) = (known, short) else {
                    panic!("values alone")
                };
                assert!(short == Worth::Unknown || short.name() == known.name(), "{short:?} is not {known:?}");
            }
        }
    }
}
