//! Players that are other programs, asked through the conformance protocol.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::player::{Chosen, Player, Trouble};
use super::spec::Budget;
use crate::files::{escaped, shortened};
use crate::oracle::GameRecord;
use crate::oracle::peer::{Answers as _, Peer, PeerError};
use crate::oracle::protocol::{Answer, BEST, Query};
use crate::position::{Game, Position, Setup};

/// A program that has started and knows its game.
pub(super) struct Program {
    game: Game,
    peer: Peer,
    budget: Budget,
}

impl Program {
    /// Starts a program and tells it the game. It may take `grace` longer for an answer than its
    /// budget says.
    pub(super) fn start(
        command: &str,
        budget: Budget,
        setup: &Setup,
        grace: Duration,
        interrupt: &AtomicBool,
    ) -> Result<Program, Trouble> {
        let timeout = budget.time.unwrap_or_default().saturating_add(grace);
        let mut peer =
            Peer::start(command, timeout, Some(interrupt)).map_err(|error| Trouble::End(error.to_string()))?;
        if !peer.capabilities().iter().any(|capability| capability == BEST) {
            let cause = format!("the program {command:?} does not declare the capability {BEST:?}: it does not play");
            return Err(Trouble::End(format!("{cause} (see `pods rules protocol`)")));
        }
        match peer.ask(&Query::Game(GameRecord::of(setup)), Some(interrupt)).map_err(trouble)? {
            Answer::Ok => Ok(Program { game: setup.game().clone(), peer, budget }),
            other => Err(Trouble::Fault(format!("the program answers game with {}", shown(&other)))),
        }
    }
}

fn trouble(error: PeerError) -> Trouble {
    if error.fault().is_some() { Trouble::Fault(error.to_string()) } else { Trouble::End(error.to_string()) }
}

fn shown(answer: &Answer) -> String {
    escaped(&shortened(&serde_json::to_string(answer).unwrap_or_default()))
}

impl Player for Program {
    fn choose(&mut self, position: &Position, interrupt: &AtomicBool) -> Result<Chosen, Trouble> {
        let Budget { time, nodes, depth, .. } = self.budget;
        let ask = Query::Best {
            position: position.display(&self.game).to_string(),
            milliseconds: time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            nodes,
            depth,
        };
        match self.peer.ask(&ask, Some(interrupt)).map_err(trouble)? {
            Answer::Best { action: Some(text) } => self.game.parse_action(&text).map(Chosen::from).map_err(|error| {
                Trouble::Fault(format!("the program plays what cannot be read: {}", escaped(&error.to_string())))
            }),
            other => Err(Trouble::Fault(format!("the program answers best with {}", shown(&other)))),
        }
    }
}
