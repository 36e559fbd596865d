//! Makes the proof of a placement game from a search, in memory.

use super::super::header::{Claim, Claimed};
use super::super::lines::Certificate;
use super::super::walk::{Scene, Statement};
use super::maker::{Maker, ProofStop, Reporter, contradiction, stopped};
use crate::answer::SolveError;
use crate::material::Side;
use crate::position::Position;
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
    let winner = winner(search, root, limits, observer)?;
    let text = root.display(game).to_string();
    let reporter = Reporter::new(observer);
    let section = search.for_proof(limits, &reporter.of_searches(), |search| {
        let statement = Statement::new(game, winner);
        let mut maker = Maker::new(&statement, &text, search, limits, &reporter);
        maker.write(&Scene::new(game, root), None).map_err(|stop| failed(stop, &text))
    })?;
    Ok(Certificate::coded(game, root, claim(root, winner), section.bytes, section.lines))
}

pub(super) fn failed(stop: ProofStop, text: &str) -> SolveError {
    match stop {
        ProofStop::Failed(error) => error,
        ProofStop::TooLong => contradiction(text, "a proof without a limit is too long"),
    }
}

/// Finds the winner of a position, by the mirror theorem or a search.
pub(super) fn winner(
    search: &Search,
    root: &Position,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Side, SolveError> {
    let outcome = match mover_loses_by_mirror(search.game(), root) {
        Ok(()) => Outcome::Loss,
        Err(_) => search.solve(root, limits, observer).outcome.map_err(|cause| stopped(limits, cause))?,
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
