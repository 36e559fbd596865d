//! The driver's end of the protocol: any program checked against the reference engine.
//!
//! [`run`] asks about many games ([`scenario`]); the first [`Difference`] is shrunk and [`stake`] says which clause it is
//! about. Nothing is remembered between positions, so that each answer can be asked for again.

mod peer;
mod plan;
mod probe;
mod readings;
mod shrink;
mod stake;
mod tally;

pub use peer::{Answers, Peer, PeerError, Said};
pub use plan::{Scenario, scenario};
pub use probe::{Difference, Probe};
pub use shrink::Shrunken;
pub use stake::{Act, Class, Stake, stake};
pub use tally::Tally;

use crate::engine::Reference;
use crate::oracle::draw::seeded;
use crate::oracle::protocol::{Answer, Request};
use crate::rules::Preset;
use probe::{Effort, examine, game_request};

/// What is to be asked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of the games.
    pub seed: u64,
    /// In how many positions at least.
    pub positions: u64,
    /// The presets, each in turn.
    pub presets: Vec<Preset>,
    /// Whether random rule sets are left out.
    pub only_presets: bool,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// All answers agree.
    Agrees(Tally),
    /// One does not.
    Differs {
        /// What was gone through before.
        tally: Tally,
        /// The number of the game.
        number: u64,
        /// The difference as it was met.
        met: Box<Difference>,
        /// The difference as small as it gets.
        shrunken: Shrunken,
        /// What it is about.
        stake: Stake,
    },
}

/// Asks a program about games and positions until the plan is done or an answer differs. `progress` is told the number
/// of positions done.
///
/// # Errors
///
/// If the program cannot be asked on.
///
/// # Panics
///
/// If the plan has no presets.
pub fn run(peer: &mut dyn Answers, plan: &Plan, progress: &dyn Fn(u64)) -> Result<Verdict, PeerError> {
    assert!(!plan.presets.is_empty(), "a plan has at least one preset");
    let mut tally = Tally::default();
    let mut number = 0;
    while tally.positions < plan.positions {
        if let Some(met) = play(peer, plan, number, &mut tally, progress)? {
            let shrunken = shrink::shrink(peer, met.clone());
            let stake = stake(&shrunken.difference);
            return Ok(Verdict::Differs { tally, number, met, shrunken, stake });
        }
        number += 1;
    }
    Ok(Verdict::Agrees(tally))
}

/// One game of the plan.
fn play(
    peer: &mut dyn Answers,
    plan: &Plan,
    number: u64,
    tally: &mut Tally,
    progress: &dyn Fn(u64),
) -> Result<Option<Box<Difference>>, PeerError> {
    let Scenario { game, positions } = scenario(plan.seed, number, &plan.presets, plan.only_presets);
    let Some(first) = positions.first() else { return Ok(None) };
    let mut random = seeded(!plan.seed, number);
    tally.games += 1;
    tally.questions += 1;
    let got = peer.ask(&game_request(&game))?;
    if got != Answer::Ok {
        let (position, probe) = (first.clone(), Probe::Status);
        return Ok(Some(Box::new(Difference { game, position, probe, expected: Answer::Ok, got })));
    }
    let reference = Reference::new(game);
    for (i, position) in positions.iter().enumerate() {
        let effort = Effort { played: 6, illegal: 6, depth: if i.is_multiple_of(3) { 3 } else { 0 } };
        if let Some(difference) = examine(peer, &reference, position, effort, &mut random, tally)? {
            return Ok(Some(difference));
        }
        progress(tally.positions.min(plan.positions));
    }
    Ok(None)
}

/// The requests that show a difference again, for a program that is started afresh and has been greeted.
#[must_use]
pub fn requests(difference: &Difference) -> [Request; 2] {
    let Difference { game, position, probe, .. } = difference;
    [Request { id: 1, ask: game_request(game) }, Request { id: 2, ask: probe.ask(game, position) }]
}
