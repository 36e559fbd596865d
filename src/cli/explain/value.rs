//! Values of actions and positions, within limits that keep an explanation quick.

use crate::answer::{Answerer, Request};
use crate::cli::ask::AskArgs;
use crate::cli::failure::Failure;
use crate::cli::limits::{Stopper, with_way_out};
use crate::cli::progress::SolverProgress;
use crate::engine::Status;
use crate::files::record;
use crate::position::{Game, Position};
use crate::solver::{Finding, Limits, Method, Outcome, Solution, Stopped, Verdict};
use crate::table::Tablebase;

/// Limits of the search for a value, as typed.
#[derive(Debug, clap::Args)]
pub(super) struct ValueArgs {
    /// Do not look for the winner
    #[arg(long, conflicts_with_all = ["max_nodes", "time"])]
    no_values: bool,

    #[command(flatten)]
    ask: AskArgs,
}

/// Nodes of a search and positions of a table, where nobody gave a limit: a second at most.
const QUICK: u64 = 200_000;

impl ValueArgs {
    pub(super) fn open(&self) -> Result<Option<Tablebase>, Failure> {
        self.ask.tables.open()
    }

    /// Makes the source of values; `None` where none are wanted. In a stream they are wanted where
    /// a limit was given.
    pub(super) fn source<'a>(
        &self,
        game: &Game,
        tables: Option<&'a Tablebase>,
        stopper: &'a Stopper,
        streamed: bool,
    ) -> Result<Option<Source<'a>>, Failure> {
        let (limits, unlimited) = (self.ask.budget.limits(stopper), self.ask.budget.is_open());
        if self.no_values || streamed && unlimited {
            return Ok(None);
        }
        let limits = if unlimited { limits.with_nodes(QUICK) } else { limits };
        Ok(Some(Source { answerer: self.ask.answerer(game, tables)?, limits }))
    }
}

pub(super) struct Source<'a> {
    answerer: Answerer<'a>,
    limits: Limits<'a>,
}

record! {
    /// Known value of a position, or of an action for its player.
    #[derive(Debug)]
    pub(in crate::cli) struct WorthRow {
        /// `win`, `draw` or `loss`, or `unknown`.
        value: &'static str,
        /// Plies to the end; empty for a draw, and if they are not known.
        plies: Option<u16>,
        /// Actions that keep the value and the distance, or one that wins, as far as they are
        /// known; for a position only.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        best: Vec<String>,
        /// Method by which the value was found.
        method: &'static str,
        /// The limit that was reached.
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped: Option<String>,
    }
}

/// A known value, and the way out if a limit was reached.
#[derive(Debug)]
pub(super) struct Worth {
    pub(super) row: WorthRow,
    value: Option<Outcome>,
    way_out: String,
}

impl Source<'_> {
    /// Finds the value of a position for the side to move; `None` if the game is over.
    pub(super) fn of(&mut self, position: &Position) -> Result<Option<Worth>, Failure> {
        self.worth(position, |verdict| verdict, true)
    }

    /// Finds the value of an action for its player, by the position that it leads to; `None` if it
    /// ends the game.
    pub(super) fn of_action(&mut self, next: &Position) -> Result<Option<Worth>, Failure> {
        self.worth(next, Verdict::before, false)
    }

    fn worth(
        &mut self,
        position: &Position,
        seen: impl Fn(Verdict) -> Verdict,
        with_best: bool,
    ) -> Result<Option<Worth>, Failure> {
        let request = Request::new(self.limits).unverified();
        let finding = self.answerer.answer(position, request, &SolverProgress::default())?;
        let game = self.answerer.game();
        Ok(Some(match finding {
            Finding::Solved(Solution { status: Status::Won(_), .. }) => return Ok(None),
            Finding::Solved(Solution { verdict, best, winning, method, .. }) => {
                let best = best.unwrap_or_else(|| winning.into_iter().collect());
                let best =
                    best.into_iter().filter(|_| with_best).map(|action| action.display(game).to_string()).collect();
                let worth = Worth::new(Some(seen(verdict)), method, None);
                Worth { row: WorthRow { best, ..worth.row }, ..worth }
            }
            Finding::Unknown(unsolved) => Worth::new(None, unsolved.method, Some(unsolved.stopped)),
        }))
    }
}

impl Worth {
    fn new(verdict: Option<Verdict>, method: Method, stopped: Option<Stopped>) -> Worth {
        let value = verdict.map(Verdict::outcome);
        Worth {
            row: WorthRow {
                value: value.map_or("unknown", Outcome::name),
                plies: verdict.and_then(Verdict::plies),
                best: Vec::new(),
                method: method.name(),
                stopped: stopped.map(|stopped| stopped.to_string()),
            },
            value,
            way_out: stopped.map(|stopped| with_way_out(&stopped)).unwrap_or_default(),
        }
    }

    /// Returns a sentence about a side or an action: who or what wins, loses or draws.
    pub(super) fn sentence(&self, who: &str) -> String {
        let Some(outcome) = self.value else { return format!("{who}: winner not known, {}", self.way_out) };
        let verb = match outcome {
            Outcome::Win => "wins",
            Outcome::Draw => "draws",
            Outcome::Loss => "loses",
        };
        let plies = match self.row.plies {
            Some(1) => " in 1 ply".to_owned(),
            Some(plies) => format!(" in {plies} plies"),
            None => String::new(),
        };
        let by = if self.row.best.is_empty() { String::new() } else { format!(" by {}", self.row.best.join(" ")) };
        let how = if self.row.plies.is_none() && outcome != Outcome::Draw {
            format!("{}, without the number of plies", self.row.method)
        } else {
            self.row.method.to_owned()
        };
        format!("{who} {verb}{plies}{by} ({how})")
    }
}
