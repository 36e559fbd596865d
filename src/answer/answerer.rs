//! The answerer, and what it knows without a search.

use super::library::{Library, Proven};
use super::request::SolveError;
use crate::engine::reference::Reference;
use crate::engine::{Bitboard, Engine, Status};
use crate::position::{Game, Position};
use crate::solver::search::Search;
use crate::solver::{Discrepancy, Finding, Limits, Method, Solution, Value, Verdict};
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
    pub(super) tables: Option<&'t Tablebase>,
    /// The tables of the game.
    pub(super) on_disk: Option<Prober<'t>>,
    /// A search that the caller keeps.
    pub(super) search: Option<&'t Search>,
    /// This answerer's own search, made when it is first needed.
    pub(super) own_search: Option<Search>,
    pub(super) in_memory: Option<Table>,
    /// Positions proven by certificates.
    pub(super) library: Library,
    /// Nodes and positions of all questions so far.
    pub(super) spent: u64,
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
            spent: 0,
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

    /// Returns the number of nodes and positions that all questions so far have taken, by all steps
    /// and threads: what a limit of nodes is about.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent
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

    /// Returns what is known without a search: by the rules, the library, or tables on disk.
    pub(super) fn known(
        &mut self,
        position: &Position,
        method: Option<Method>,
        verify: bool,
    ) -> Result<Option<Finding>, SolveError> {
        let status = self.engine.status(position);
        if let Status::Won(_) = status {
            return self.finished(position, status, verify).map(Some);
        }
        if method.is_none_or(|method| method == Method::Library)
            && let Some(proven) = self.proven(position)
        {
            return Ok(Some(Finding::Solved(proven.solution())));
        }
        match &mut self.on_disk {
            Some(tables) if matches!(method, None | Some(Method::Table)) => {
                Ok(tables.solve(position, verify)?.map(Finding::Solved))
            }
            _ => Ok(None),
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
