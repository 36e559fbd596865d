//! Heavy questions, which the worker thread answers one at a time.

mod best;
mod certificate;
mod fair;
mod values;
mod watch;

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::events::Events;
use super::refusal::Refusal;
use super::setting::{Course, Setting, SideAsked};
use crate::answer::{Answerer, SolveError};
use crate::position::Game;
use crate::report::NamedSetup;
use crate::solver::Limits;
use crate::table::Tablebase;

/// A question, as the page asks it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum HeavyAsk {
    /// The values of the position and of each of its actions.
    Values { setting: Setting, seconds: f64 },
    /// A move to play, after so much time or after so many positions; the latter choose the same
    /// one each time.
    Move { setting: Setting, seconds: Option<f64>, nodes: Option<u64> },
    /// Balance by at most `games` games from each start, between players that look at `nodes`
    /// positions before each action, and by exact values where they are found; the seconds are for
    /// each exact value. `within`, if given, is half the width of an interval that is narrow
    /// enough: when the shares of all starts are known so well, no more games are played. Without
    /// seconds nothing is searched for.
    Fair { setting: Setting, nodes: u64, games: u64, within: Option<f64>, seconds: Option<f64> },
    /// A certificate of the position, or of the start with `starts` to move; if `exact`, of the
    /// number of plies too.
    Certificate { setting: Setting, starts: Option<SideAsked>, exact: bool, seconds: f64 },
}

/// A question that was read and checked.
#[derive(Debug)]
pub(super) enum Heavy {
    Values(Course, Duration),
    Move(Course, best::Budget),
    Fair(NamedSetup, fair::Play, Option<Duration>),
    Certificate(certificate::ProofQuery, Duration),
}

const MAX_SECONDS: f64 = 3600.0;

/// The most positions that a player may look at before each action.
const MAX_NODES: u64 = 1_000_000;

fn within(what: &str, number: u64, most: u64) -> Result<u64, Refusal> {
    let fits = (1..=most).contains(&number);
    fits.then_some(number).ok_or_else(|| Refusal(format!("the number of {what} is from 1 to {most}, not {number}")))
}

fn time(seconds: f64) -> Result<Duration, Refusal> {
    let fits = (0.01..=MAX_SECONDS).contains(&seconds);
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|_| fits);
    time.ok_or_else(|| Refusal(format!("the time is from 0.01 to {MAX_SECONDS} seconds, not {seconds}")))
}

impl Heavy {
    pub(super) fn read(ask: HeavyAsk) -> Result<Heavy, Refusal> {
        Ok(match ask {
            HeavyAsk::Values { setting, seconds } => Heavy::Values(setting.course()?, time(seconds)?),
            HeavyAsk::Move { setting, seconds, nodes } => Heavy::Move(
                setting.course()?,
                match (seconds, nodes) {
                    (Some(seconds), None) => best::Budget::Time(time(seconds)?),
                    (None, Some(nodes)) => best::Budget::Nodes(within("positions", nodes, MAX_NODES)?),
                    _ => return Err(Refusal("a move is asked for by seconds or by nodes".to_owned())),
                },
            ),
            HeavyAsk::Fair { setting, nodes, games, within: half_width, seconds } => {
                let games = within("games", games, fair::MAX_GAMES)?;
                let play = fair::Play { nodes: within("positions", nodes, MAX_NODES)?, games, half_width };
                Heavy::Fair(Setting { turn: 0, ..setting }.setup()?.into(), play, seconds.map(time).transpose()?)
            }
            HeavyAsk::Certificate { setting, starts, exact, seconds } => {
                Heavy::Certificate(certificate::ProofQuery::new(&setting, starts, exact)?, time(seconds)?)
            }
        })
    }
}

pub(super) struct Kept<'t> {
    tables: Option<&'t Tablebase>,
    memory: u64,
    /// The answerer of the last game, with all that it has found.
    answerer: Option<Answerer<'t>>,
    /// The games and exact values of the last setup that was asked about.
    fair: Option<fair::Fairness>,
}

impl<'t> Kept<'t> {
    pub(super) fn new(tables: Option<&'t Tablebase>, memory: u64) -> Kept<'t> {
        Kept { tables, memory, answerer: None, fair: None }
    }

    fn of(&mut self, game: &Game) -> Result<&mut Answerer<'t>, SolveError> {
        let answerer = match self.answerer.take().filter(|answerer| answerer.game() == game) {
            Some(answerer) => answerer,
            None => Answerer::with_tables(game, self.tables)?.with_library(true),
        };
        Ok(self.answerer.insert(answerer))
    }

    fn limits<'l>(&self, time: Duration, to: &'l Events) -> Limits<'l> {
        Limits::default().with_memory(self.memory).with_time(time).with_interrupt(to.gone())
    }
}

pub(super) fn run(kept: &mut Kept<'_>, what: Heavy, to: &Events) {
    let done = match what {
        Heavy::Values(course, time) => values::values(kept, &course, time, to).map_err(|e| e.to_string()),
        Heavy::Move(course, budget) => best::best(kept, &course, budget, to).map_err(|e| e.to_string()),
        Heavy::Fair(asked, play, time) => fair::fair(kept, &asked, play, time, to),
        Heavy::Certificate(asked, time) => certificate::certificate(kept, &asked, time, to),
    };
    if let Err(error) = done {
        to.send("error", &json!({ "error": error }));
    }
    to.send("done", &json!({}));
}
