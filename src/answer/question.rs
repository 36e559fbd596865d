//! Answers to questions about positions.

use super::answerer::Answerer;
use super::driver::Driver;
use super::plan::{Step, ladder};
use super::request::{Request, SolveError};
use crate::position::{Game, Position};
use crate::solver::{Finding, Method, Observer, Solution};

impl Answerer<'_> {
    /// Answers a question about a position, within the limits.
    ///
    /// Without a method in the request it tries every method that fits; if the winner stays
    /// unknown, the answer says why. Where a search of the caller answers, its nodes are those of
    /// all its questions.
    ///
    /// # Errors
    ///
    /// If a method that was asked for by name does not fit the rules, a table on disk cannot be
    /// read, or two derivations of a value differ.
    pub fn answer(
        &mut self,
        position: &Position,
        request: Request<'_>,
        observer: &dyn Observer,
    ) -> Result<Finding, SolveError> {
        let mut finding = self.alone(position, request, observer)?;
        if let Some(search) = self.search
            && finding.method() == Method::Search
        {
            match &mut finding {
                Finding::Solved(solution) => solution.positions = search.nodes(),
                Finding::Unknown(unsolved) => unsolved.positions = search.nodes(),
            }
        }
        Ok(finding)
    }

    /// Answers as [`Answerer::answer`], with the nodes of this question alone.
    pub(super) fn alone(
        &mut self,
        position: &Position,
        request: Request<'_>,
        observer: &dyn Observer,
    ) -> Result<Finding, SolveError> {
        if let Some(found) = self.known(position, request.method, request.verify)? {
            return Ok(found);
        }
        let roots = [position.clone()];
        let mut driver = Driver::new(self, &roots, request.limits, observer);
        (driver.want, driver.verify) = (request.want, request.verify);
        let steps = match request.method {
            Some(method) => vec![driver.only(method, position)?],
            // To begin takes a while too: many questions that share a time must not each begin
            // after its end.
            None if driver.stopped().is_some() => vec![Step::alone(driver.first_method(), &driver.tracker)],
            None => ladder(driver.answerer, position, false, &driver.tracker),
        };
        let found = driver.drive(position, &steps);
        self.spent += driver.tracker.nodes();
        found
    }
}

/// Answers for one position as [`Answerer::answer`] does, without tables on disk, for callers that
/// need a winner.
///
/// ```
/// use pods::answer::{Request, solve};
/// use pods::material::{builtin_board, builtin_pods};
/// use pods::position::Game;
/// use pods::rules::Preset;
/// use pods::solver::Silent;
///
/// let game = Game::new(builtin_board("nook9").unwrap(), builtin_pods("duo").unwrap(), Preset::Standard.into());
/// let start = game.parse_position("3/3/3 w bt bt open").unwrap();
/// let solution = solve(&game, &start, Request::default(), &Silent).unwrap();
/// assert!(solution.verified.is_some());
/// ```
///
/// # Errors
///
/// As [`Answerer::answer`], and if the winner is not known within the limits.
pub fn solve(
    game: &Game,
    position: &Position,
    request: Request<'_>,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    match Answerer::new(game).answer(position, request, observer)? {
        Finding::Solved(solution) => Ok(solution),
        Finding::Unknown(unsolved) => Err(unsolved.stopped.into()),
    }
}
