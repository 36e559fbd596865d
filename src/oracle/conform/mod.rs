//! The driver of the protocol: checks a program against the reference engine.
//!
//! [`run`] first asks constructed questions, in which a clause or an option decides the answer;
//! then it asks about random games. The first [`Difference`] is asked again in a
//! fresh process and shrunk. The report says which clauses the answers point to; further
//! questions tell apart the misreadings that give the same answers. A difference that a fresh
//! process does not show comes from what the program keeps between requests ([`History`]).
//! [`survey`] goes on after a difference instead, and sums the failures up.

mod candidates;
mod constructed;
mod diagnosis;
mod examine;
mod failures;
mod history;
pub mod misreading;
mod plan;
mod probe;
mod questions;
mod readings;
mod scene;
mod sequences;
mod shrink;
mod subject;
mod tally;
mod tested;

pub use constructed::Purpose;
pub use diagnosis::{Act, Class, Diagnosis};
pub use failures::{Failed, Failures, Survey, survey};
pub use history::History;
pub use probe::{Difference, Probe};
pub(in crate::oracle) use sequences::sequences;
pub use shrink::Shrunken;
pub use subject::{Subject, Topic};
pub use tally::{Decided, Evidence, Tally};
pub use tested::Reply;
pub(crate) use tested::Start;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::oracle::peer::PeerError;
use crate::oracle::protocol::{Answer, Request};
use crate::rules::Preset;
use questions::all_questions;
use tested::TestedProgram;

/// Plan of questions.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of the questions.
    pub seed: u64,
    /// Least number of constructed questions for each clause and option; 0 for none.
    pub constructed: u64,
    /// At least this number of positions of random games and set-ups is asked about.
    pub positions: u64,
    /// The presets of the games, in turn.
    pub presets: Vec<Preset>,
    /// True if random rule sets are left out.
    pub only_presets: bool,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunProgress {
    /// Subjects that are done, and all subjects.
    Constructed(u64, u64),
    /// Positions that are done, and all positions.
    Random(u64, u64),
}

/// Origin of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was constructed.
    Constructed(Purpose),
    /// It is from the game of this number.
    Game(u64),
}

/// End of a run.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// All answers agree.
    Agrees(Tally),
    /// The run was ended early; all answers until then agree.
    Ended(Tally),
    /// An answer differs.
    Differs(Box<Finding>),
}

/// A difference, and what was found out about it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Questions asked before.
    pub tally: Tally,
    /// Origin of the question.
    pub origin: Origin,
    /// The difference as it was found.
    pub met: Box<Difference>,
    /// The difference after shrinking.
    pub shrunken: Shrunken,
    /// Its subject.
    pub diagnosis: Diagnosis,
    /// For a difference that a fresh process does not show: after which requests it shows.
    pub history: Option<History>,
    /// True if an interrupt came while the difference was looked into: it may not be the smallest.
    pub ended: bool,
}

/// Asks a program until the plan is done, an answer differs, or somebody sets `interrupt`; returns
/// the program's name and how the run ended. `start` starts the program; it is called again to
/// repeat a question in a fresh process. `progress` is told how far the run has come. A difference
/// that is met by the interrupt is shrunk all the same.
///
/// # Errors
///
/// If the program cannot be started, or does not quit as it should.
///
/// # Panics
///
/// If the plan has no presets.
pub fn run<'s, 'p>(
    start: &'s mut Start<'s, 'p>,
    plan: &Plan,
    progress: &dyn Fn(RunProgress),
    interrupt: Option<&'s AtomicBool>,
) -> Result<(String, Verdict), PeerError> {
    assert!(!plan.presets.is_empty(), "a plan has at least one preset");
    let mut tested = TestedProgram::new(start, interrupt)?;
    let name = tested.name();
    let mut tally = Tally::default();
    let mut found = None;
    let mut first = |origin, difference| {
        found = Some((origin, difference));
        ControlFlow::Break(())
    };
    match all_questions(&mut tested, plan, &mut tally, progress, &mut first) {
        Err(PeerError::Ended) => return Ok((name, Verdict::Ended(tally))),
        asked => asked?,
    }
    let Some((origin, met)) = found else {
        tested.quit()?;
        return Ok((name, Verdict::Agrees(tally)));
    };
    let shrunken = Shrunken { difference: met.clone(), tried: 0 };
    let diagnosis = diagnosis::diagnosis(&met);
    let mut finding = Finding { tally, origin, met, shrunken, diagnosis, history: None, ended: true };
    match look_into(&mut tested, plan, &mut finding) {
        Err(PeerError::Ended) => {}
        looked => {
            looked?;
            finding.ended = false;
        }
    }
    Ok((name, Verdict::Differs(Box::new(finding))))
}

/// Finds out what a difference comes from: the smallest position, the clause, or what the program
/// keeps between requests.
fn look_into(tested: &mut TestedProgram<'_, '_>, plan: &Plan, finding: &mut Finding) -> Result<(), PeerError> {
    let (met, asked) = (&finding.met, tested.history());
    if !history::shows_alone(tested, met)? {
        finding.diagnosis = diagnosis::kept(met);
        finding.history = Some(history::history(tested, &asked, met)?);
        return Ok(());
    }
    finding.shrunken = shrink::shrink(tested, met.clone());
    if !history::shows_alone(tested, &finding.shrunken.difference)? {
        finding.shrunken.difference = met.clone();
    }
    finding.diagnosis = candidates::diagnose(tested, plan, &finding.shrunken.difference)?;
    Ok(())
}

/// Returns the requests that show a difference again, for a program that is started afresh and has
/// been greeted.
#[must_use]
pub fn requests(finding: &Finding) -> Vec<Request> {
    let asks = match &finding.history {
        Some(History { requests: Some(asks) }) => asks.clone(),
        _ => finding.shrunken.difference.asks(),
    };
    (1..).zip(asks).map(|(id, ask)| Request { id, ask }).collect()
}

/// Returns `true` if an answer agrees with the one that the rules give, in everything that must
/// agree.
fn agrees(expected: &Answer, got: &Answer) -> bool {
    expected.clone().essence() == got.clone().essence()
}
