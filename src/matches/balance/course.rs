//! The course of a kept game, found by playing it again.

use std::collections::HashMap;

use super::super::play::{Conventions, End};
use super::super::ready::Ready;
use super::super::record::{GameLine, result};
use crate::engine::{Engine as _, Status};
use crate::material::Side;
use crate::position::{Action, Position};
use crate::solver::{Outcome, Plies};

/// The course of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// The index of the start in the plan.
    pub start: usize,
    /// The number of the opening.
    pub opening: usize,
    /// True if the player who started won; `None` for a draw by convention.
    pub first_won: Option<bool>,
    /// Its end.
    pub end: End,
    /// Its plies, those of the opening among them.
    pub plies: u64,
    /// Number of plies that were placements.
    pub placements: u64,
    /// Number that were moves to empty points.
    pub moves: u64,
    /// Number that were shoves or kicks.
    pub pushes: u64,
    /// Pods that were captured and went out of the game (R18).
    pub removed: u64,
    /// Pods that were captured and came back to their owner's hand (R18).
    pub returned: u64,
    /// The first proof that a player had.
    pub proven: Option<Proven>,
}

/// The first proof of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// Plies before the position.
    pub ply: u64,
    /// True if the player who started was proven to win; `None` for a draw.
    pub first_wins: Option<bool>,
    /// Plies from there to the end, where they were proven too.
    pub plies: Option<Plies>,
}

impl Course {
    /// Returns the course of a game that is kept as a line; `None` if an action is illegal, or the
    /// game does not end as the line says.
    pub(super) fn of(line: &GameLine, opening: usize, of: &Ready, conventions: Conventions) -> Option<Course> {
        let (engine, mut position) = (&of.engine, of.start.clone());
        let first = position.to_move();
        let mut course = Course {
            start: line.setup,
            opening,
            first_won: None,
            end: End::Length,
            plies: 0,
            placements: 0,
            moves: 0,
            pushes: 0,
            removed: 0,
            returned: 0,
            proven: None,
        };
        let mut seen: HashMap<Position, u32> = HashMap::from([(position.clone(), 1)]);
        let mut repeated = false;
        for text in line.actions.split(' ') {
            if repeated || course.plies >= u64::from(conventions.plies) {
                return None;
            }
            let action = engine.game().parse_action(text).ok()?;
            match action {
                Action::Place { .. } => course.placements += 1,
                Action::Move { .. } => course.moves += 1,
                Action::Shove { .. } | Action::Kick { .. } => course.pushes += 1,
            }
            let step = engine.transition(&position, action)?;
            course.plies += 1;
            course.returned += step.returned.len() as u64;
            course.removed += step.removed.len() as u64;
            position = step.next;
            let times = seen.entry(position.clone()).or_default();
            *times += 1;
            repeated = *times >= conventions.repetitions;
        }
        let (winner, end) = match engine.status(&position) {
            Status::Won(winner) => {
                let by_hand = position.won_by_empty_hand(engine.game()).is_some();
                (Some(winner), if by_hand { End::EmptyHand } else { End::NoAction })
            }
            Status::Ongoing if repeated => (None, End::Repetition),
            Status::Ongoing if course.plies >= u64::from(conventions.plies) => (None, End::Length),
            Status::Ongoing => return None,
        };
        if line.result != result(winner) || End::named(&line.end, None)? != end {
            return None;
        }
        (course.first_won, course.end) = (winner.map(|winner| winner == first), end);
        course.proven = proven(line, course.plies, first)?;
        Some(course)
    }
}

/// Returns the first proof of a game: `Some(None)` if there was none, and `None` if the line
/// contradicts itself.
fn proven(line: &GameLine, plies: u64, first: Side) -> Option<Option<Proven>> {
    let Some(proof) = &line.proof else { return Some(None) };
    let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    let outcome = outcomes.into_iter().find(|outcome| outcome.name() == proof.value)?;
    let ply = proof.ply as u64;
    if ply < line.opening as u64 || ply >= plies {
        return None;
    }
    // Players alternate (R8).
    let mover = if ply.is_multiple_of(2) { first } else { first.other() };
    let first_wins = match outcome {
        Outcome::Draw => None,
        Outcome::Win => Some(mover == first),
        Outcome::Loss => Some(mover != first),
    };
    Some(Some(Proven { ply, first_wins, plies: proof.plies }))
}
