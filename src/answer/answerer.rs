//! The answerer, and the order in which it tries methods.

use super::library::{Library, Proven};
use super::request::{Request, SolveError};
use crate::engine::reference::Reference;
use crate::engine::{Bitboard, Engine, Status};
use crate::position::{Game, Position};
use crate::solver::search::Search;
use crate::solver::{
    Discrepancy, Finding, Limits, Method, Observer, Solution, Stopped, Tracker, Unsolved, Value, Verdict,
};
use crate::table::{Prober, Table, Tablebase};

/// Sources asked before anything is searched.
#[derive(Clone, Copy, Default)]
pub struct LookUp<'t> {
    /// Tables on disk.
    pub tables: Option<&'t Tablebase>,
    /// True if the list of positions of which certificates say who wins is asked.
    pub library: bool,
}

/// A source of answers about the positions of one game. It keeps its findings for later questions:
/// the table of a search, and a table in memory.
///
/// ```
/// use pods::answer::{Answerer, Request};
/// use pods::material::{builtin_board, builtin_pods};
/// use pods::position::Game;
/// use pods::rules::Preset;
/// use pods::solver::{Finding, Silent};
///
/// let game = Game::new(builtin_board("nook9").unwrap(), builtin_pods("duo").unwrap(), Preset::Advanced.into());
/// let start = game.parse_position("3/3/3 w bt bt open")?;
/// let finding = Answerer::new(&game).answer(&start, Request::default(), &Silent)?;
/// assert!(matches!(finding, Finding::Solved(_)));
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
pub struct Answerer<'t> {
    pub(super) engine: Bitboard,
    pub(super) reference: Reference,
    /// Tables on disk, if there are any.
    pub(super) tables: Option<&'t Tablebase>,
    /// The tables of the game.
    pub(super) on_disk: Option<Prober<'t>>,
    /// A search that the caller keeps.
    pub(super) search: Option<&'t Search>,
    /// This answerer's own search, made when it is first needed.
    pub(super) own_search: Option<Search>,
    /// The last table that was solved in memory.
    pub(super) in_memory: Option<Table>,
    /// Positions proven by certificates.
    pub(super) library: Library,
}

impl Answerer<'static> {
    /// Creates an answerer without tables on disk.
    #[must_use]
    pub fn new(game: &Game) -> Answerer<'static> {
        Answerer {
            engine: Bitboard::new(game.clone()),
            reference: Reference::new(game.clone()),
            tables: None,
            on_disk: None,
            search: None,
            own_search: None,
            in_memory: None,
            library: Library::default(),
        }
    }
}

impl<'t> Answerer<'t> {
    /// Creates an answerer that looks a position up in these tables, if one holds it.
    ///
    /// # Errors
    ///
    /// If a table cannot be read.
    pub fn with_tables(game: &Game, tables: Option<&'t Tablebase>) -> Result<Answerer<'t>, SolveError> {
        let on_disk = tables.map(|tables| tables.of(game)).transpose()?;
        Ok(Answerer { tables, on_disk, ..Answerer::new(game) })
    }

    /// Lends the answerer a search of the caller: it uses what that search knows, and adds what it
    /// finds.
    #[must_use]
    pub fn with_search(self, search: &'t Search) -> Answerer<'t> {
        Answerer { search: Some(search), ..self }
    }

    /// Adds the library, if it is wanted: it is asked before any other method.
    #[must_use]
    pub fn with_library(self, wanted: bool) -> Answerer<'t> {
        let library = if wanted { Library::of(&self.engine) } else { Library::default() };
        Answerer { library, ..self }
    }

    /// Looks a position up in the library of proven positions.
    #[must_use]
    pub fn proven(&self, position: &Position) -> Option<Proven> {
        self.library.get(position)
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.engine.game()
    }

    /// Returns the fast engine of the game.
    pub(crate) fn engine(&self) -> &Bitboard {
        &self.engine
    }

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
        let request = Request { limits: request.limits.of_all_work(), ..request };
        let mut tracker = Tracker::new(request.limits, observer);
        let status = self.engine.status(position);
        if let Status::Won(_) = status {
            return self.finished(position, status, request.verify);
        }
        if request.method.is_none_or(|method| method == Method::Library)
            && let Some(proven) = self.proven(position)
        {
            return Ok(Finding::Solved(proven.solution()));
        }
        let cycles = self.game().rules().can_cycle();
        let mut job = PositionQuery { answerer: self, position, request, tracker: &mut tracker };
        if matches!(request.method, None | Some(Method::Table))
            && let Some(solution) = job.looked_up()?
        {
            return Ok(Finding::Solved(solution));
        }
        let method = request.method.unwrap_or(if cycles { Method::Retrograde } else { Method::Exhaustive });
        // To begin takes a while too: many questions that share a time must not each begin after
        // its end.
        if let Some(stopped) = job.tracker.stop() {
            return Ok(Finding::Unknown(job.nothing(stopped, method)));
        }
        let found = match request.method {
            None if cycles => job.cycling(),
            None => job.placement(),
            Some(Method::Library) => Err(SolveError::NotInLibrary),
            Some(Method::Table) => Err(SolveError::NoTable),
            Some(Method::Mirror) => Ok(Finding::Solved(self.mirror(position)?)),
            Some(Method::Search) => self.search(position, request.limits, &mut tracker),
            Some(Method::Exhaustive) if cycles => Err(SolveError::CanCycle),
            Some(Method::Rules | Method::Exhaustive) if !cycles => job.exhaustive(),
            Some(Method::Rules | Method::Exhaustive | Method::Retrograde) => job.retrograde(),
            Some(Method::Sweeps) => job.sweeps(),
            Some(Method::AlphaBeta | Method::Forced | Method::Tree) => job.looking_ahead(),
        };
        match found {
            // A job too large to be begun is an answer too.
            Err(SolveError::Stopped(stopped)) => Ok(Finding::Unknown(self.nothing(position, stopped, method))),
            found => found,
        }
    }

    fn finished(&self, position: &Position, status: Status, verify: bool) -> Result<Finding, SolveError> {
        if verify && self.reference.status(position) != status {
            let cause = format!("the engines disagree on the status {}", status.name());
            return Err(Discrepancy { position: position.display(self.game()).to_string(), cause }.into());
        }
        let verdict = Verdict::Value(over(position, status).unwrap_or(Value::Loss(0)));
        Ok(Finding::Solved(Solution {
            status,
            best: Some(Vec::new()),
            line: Some(Vec::new()),
            verified: verify.then_some(1),
            ..Solution::new(verdict, Method::Rules, 1)
        }))
    }

    /// Returns the search of the game. Its table is made at the first question, with that
    /// question's limit of memory, or with less if the limit of nodes cannot fill it.
    ///
    /// # Errors
    ///
    /// If the rules have moves or captures.
    pub(super) fn searcher(&mut self, limits: Limits<'_>) -> Result<&Search, SolveError> {
        if let Some(search) = self.search {
            return Ok(search);
        }
        if self.own_search.is_none() {
            let memory = limits.memory.min(limits.nodes.saturating_mul(BYTES_A_NODE).max(LEAST));
            self.own_search = Some(Search::new(self.engine.game(), memory).ok_or(SolveError::NotPlacement)?);
        }
        self.own_search.as_ref().ok_or(SolveError::NotPlacement)
    }
}

/// Bytes of a search's table for each node that it may look at.
const BYTES_A_NODE: u64 = 32;

/// The smallest table of a search, in bytes.
const LEAST: u64 = 1 << 20;

/// Returns the value of a finished game for the side to move; `None` while it goes on.
#[must_use]
pub fn over(position: &Position, status: Status) -> Option<Value> {
    match status {
        Status::Ongoing => None,
        Status::Won(side) if side == position.to_move() => Some(Value::Win(0)),
        Status::Won(_) => Some(Value::Loss(0)),
    }
}

/// A question about a position, and what may be used for the answer.
pub(super) struct PositionQuery<'j, 't, 'l> {
    pub(super) answerer: &'j mut Answerer<'t>,
    pub(super) position: &'j Position,
    pub(super) request: Request<'l>,
    pub(super) tracker: &'j mut Tracker<'l>,
}

impl PositionQuery<'_, '_, '_> {
    /// Looks the position up in the tables on disk.
    fn looked_up(&mut self) -> Result<Option<Solution>, SolveError> {
        let Some(tables) = &mut self.answerer.on_disk else { return Ok(None) };
        Ok(tables.solve(self.position, self.request.verify)?)
    }

    /// Returns an answer that knows nothing.
    pub(super) fn nothing(&self, stopped: Stopped, method: Method) -> Unsolved {
        self.answerer.nothing(self.position, stopped, method)
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
