//! Makes the proof of a placement game from a search, in memory.

use super::super::header::{Claim, Claimed};
use super::super::lines::Certificate;
use super::super::walk::{Scene, Statement};
use super::maker::{Maker, ProofStop, Reporter, contradiction, stopped};
use crate::answer::SolveError;
use crate::material::Side;
use crate::position::Position;
use crate::solver::Tracker;
use crate::solver::search::Search;
use crate::solver::{Limits, Observer, Outcome, mover_loses_by_mirror};

/// Finds out who wins a position of a placement game, by the mirror theorem or a search, and proves
/// it. Uses what the search already knows. One thread makes the proof; several may do the search
/// before it. The proof has one section.
///
/// # Errors
///
/// If a limit is reached first, or if search and rules contradict each other.
pub(super) fn by_search(
    search: &Search,
    root: &Position,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Certificate, SolveError> {
    let game = search.game();
    let mut tracker = Tracker::new(limits, observer);
    let winner = winner(search, root, &mut tracker)?;
    let left = tracker.part(1);
    let text = root.display(game).to_string();
    let reporter = Reporter::new(observer);
    let section = search.for_proof(left, &reporter.of_searches(), |search| {
        let statement = Statement::new(game, winner);
        let mut maker = Maker::new(&statement, &text, search, left, &reporter);
        maker.write(&Scene::new(game, root), None).map_err(|stop| failed(stop, &text).of_all(limits))
    })?;
    Ok(Certificate::coded(game, root, claim(root, winner), section.bytes, section.lines))
}

pub(super) fn failed(stop: ProofStop, text: &str) -> SolveError {
    match stop {
        ProofStop::Failed(error) => error,
        ProofStop::TooLong => contradiction(text, "a proof without a limit is too long"),
    }
}

/// Finds the winner of a position, by the mirror theorem or a search, whose nodes it charges.
pub(super) fn winner(search: &Search, root: &Position, tracker: &mut Tracker<'_>) -> Result<Side, SolveError> {
    let limits = tracker.limits();
    let outcome = match mover_loses_by_mirror(search.game(), root) {
        Ok(()) => Outcome::Loss,
        Err(_) => {
            let found = search.solve(root, limits, tracker.observer());
            tracker.charge(found.nodes);
            found.outcome.map_err(|cause| stopped(limits, cause))?
        }
    };
    match outcome {
        Outcome::Win => Ok(root.to_move()),
        Outcome::Loss => Ok(root.to_move().other()),
        // A game of placements ends, so it cannot be drawn.
        Outcome::Draw => Err(contradiction(&root.display(search.game()).to_string(), "a placement game is drawn")),
    }
}

pub(super) fn claim(root: &Position, winner: Side) -> Claim {
    let value = if winner == root.to_move() { Claimed::Win } else { Claimed::Loss };
    Claim { value, plies: None }
}
