//! The driver of the protocol: checks a program against the reference engine.
//!
//! [`run`] first asks constructed questions, in which a clause or an option decides the answer; then it asks about random
//! games ([`scenario`]). The first [`Difference`] is asked again in a fresh process and shrunk. [`diagnosis()`] says
//! which clauses the answers point to; further questions tell apart the misreadings that give the same answers. A
//! difference that a fresh process does not show comes from what the program keeps between requests ([`History`]).

mod candidates;
mod constructed;
mod diagnosis;
mod examine;
mod history;
pub mod misreading;
mod peer;
mod plan;
mod probe;
mod readings;
mod scene;
mod sequences;
mod shrink;
mod subject;
mod tally;
mod tested;

pub use constructed::Purpose;
pub use diagnosis::{Act, Class, Diagnosis, diagnosis};
pub use history::History;
pub use peer::{Answers, Fault, FaultKind, Peer, PeerError, Said};
pub use plan::{Scenario, scenario};
pub use probe::{Difference, Probe};
pub(in crate::oracle) use sequences::sequences;
pub use shrink::Shrunken;
pub use subject::{Subject, Topic};
pub use tally::{Decided, Tally};
pub use tested::{Reply, Start};

use std::sync::atomic::AtomicBool;

use crate::engine::Reference;
use crate::oracle::draw::seeded;
use crate::oracle::protocol::{Answer, LARGE_COUNTS, Request};
use crate::rules::Preset;
use constructed::{Batch, BatchMaker, about, purposes, share, wanted_topics};
use examine::{Effort, examine};
use probe::put_game;
use tested::TestedProgram;

/// What a program is asked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of the questions.
    pub seed: u64,
    /// How many constructed questions each clause and option gets at least; 0 for none.
    pub constructed: u64,
    /// At least this number of positions of random games and set-ups is asked about.
    pub positions: u64,
    /// The presets of the games, in turn.
    pub presets: Vec<Preset>,
    /// Whether random rule sets are left out.
    pub only_presets: bool,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Subjects that are done, and all subjects.
    Constructed(u64, u64),
    /// Positions that are done, and all positions.
    Random(u64, u64),
}

/// Where a question came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was constructed.
    Constructed(Purpose),
    /// It is from the game of this number.
    Game(u64),
}

/// How a run ended.
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
    /// How much was asked before.
    pub tally: Tally,
    /// Where the question came from.
    pub origin: Origin,
    /// The difference as it was found.
    pub met: Box<Difference>,
    /// The difference after shrinking.
    pub shrunken: Shrunken,
    /// What it is about.
    pub diagnosis: Diagnosis,
    /// For a difference that a fresh process does not show: after which requests it shows.
    pub history: Option<History>,
}

/// Asks a program until the plan is done or an answer differs; returns the program's name and how the run ended. `start`
/// starts the program; it is called again to repeat a question in a fresh process. `progress` is told how far the run has
/// come.
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
    progress: &dyn Fn(Step),
) -> Result<(String, Verdict), PeerError> {
    run_until(start, plan, progress, None)
}

/// As [`run`], until somebody sets `interrupt`. A difference that is met by then is shrunk all the same.
///
/// # Errors
///
/// As [`run`].
///
/// # Panics
///
/// As [`run`].
pub fn run_until<'s, 'p>(
    start: &'s mut Start<'s, 'p>,
    plan: &Plan,
    progress: &dyn Fn(Step),
    interrupt: Option<&'s AtomicBool>,
) -> Result<(String, Verdict), PeerError> {
    assert!(!plan.presets.is_empty(), "a plan has at least one preset");
    let mut tested = TestedProgram::new(start)?;
    let name = tested.name();
    let mut tally = Tally::default();
    tested.heed(interrupt);
    let found = match all_questions(&mut tested, plan, &mut tally, progress) {
        Err(PeerError::Ended) => return Ok((name, Verdict::Ended(tally))),
        found => found?,
    };
    tested.heed(None);
    let Some((origin, met)) = found else {
        tested.quit()?;
        return Ok((name, Verdict::Agrees(tally)));
    };
    let asked = tested.history();
    if !history::shows_alone(&mut tested, &met)? {
        let history = Some(history::history(&mut tested, &asked, &met)?);
        let shrunken = Shrunken { difference: met.clone(), tried: 0 };
        let diagnosis = diagnosis::kept(&met);
        return Ok((name, Verdict::Differs(Box::new(Finding { tally, origin, met, shrunken, diagnosis, history }))));
    }
    let mut shrunken = shrink::shrink(&mut tested, met.clone());
    if !history::shows_alone(&mut tested, &shrunken.difference)? {
        shrunken.difference = met.clone();
    }
    let diagnosis = candidates::diagnose(&mut tested, plan, &shrunken.difference)?;
    Ok((name, Verdict::Differs(Box::new(Finding { tally, origin, met, shrunken, diagnosis, history: None }))))
}

/// All questions of a plan, until an answer differs.
fn all_questions(
    tested: &mut TestedProgram<'_, '_>,
    plan: &Plan,
    tally: &mut Tally,
    progress: &dyn Fn(Step),
) -> Result<Option<(Origin, Box<Difference>)>, PeerError> {
    let mut found = constructed(tested, plan, tally, progress)?;
    let mut number = 0;
    while found.is_none() && tally.random_positions < plan.positions {
        let game = play(tested, plan, number, tally, progress)?;
        found = game.map(|met| (Origin::Game(number), met));
        number += 1;
    }
    Ok(found)
}

/// The constructed questions of a plan.
fn constructed(
    tested: &mut TestedProgram<'_, '_>,
    plan: &Plan,
    tally: &mut Tally,
    progress: &dyn Fn(Step),
) -> Result<Option<(Origin, Box<Difference>)>, PeerError> {
    if plan.constructed == 0 {
        return Ok(None);
    }
    let purposes = purposes(plan);
    let steps = purposes.len() as u64 + 1;
    let mut number = 0;
    for (step, (subject, misreadings)) in purposes.into_iter().enumerate() {
        progress(Step::Constructed(step as u64, steps));
        tally.want(subject, &misreadings);
        let share = share(plan.constructed, misreadings.len());
        for misreading in misreadings {
            let mut maker = BatchMaker::new(plan, subject, misreading, number);
            number += 1;
            while tally.decided_by(subject, misreading) < share {
                let Some(batch) = maker.next() else { break };
                let purpose = Purpose { subject, misreading: Some(misreading) };
                if let Some(met) = put_batch(tested, batch, purpose, tally)? {
                    return Ok(Some((Origin::Constructed(purpose), met)));
                }
            }
        }
    }
    progress(Step::Constructed(steps - 1, steps));
    let wanted = wanted_topics(plan, tested.can(LARGE_COUNTS));
    for &topic in &wanted {
        let purpose = Purpose { subject: Subject::Topic(topic), misreading: None };
        for turn in 0..plan.constructed.saturating_mul(40) {
            if tally.topic(topic) >= topic.share(plan.constructed) {
                break;
            }
            let Some(batch) = about(topic, plan, turn) else { continue };
            if let Some(met) = put_batch(tested, batch, purpose, tally)? {
                return Ok(Some((Origin::Constructed(purpose), met)));
            }
        }
    }
    tally.leave_out(wanted);
    Ok(None)
}

/// Asks the questions of a batch; the first difference, if there is one.
fn put_batch(
    tested: &mut TestedProgram<'_, '_>,
    batch: Batch,
    purpose: Purpose,
    tally: &mut Tally,
) -> Result<Option<Box<Difference>>, PeerError> {
    let Batch { game, questions } = batch;
    let Some(first) = questions.first() else { return Ok(None) };
    tally.games += 1;
    tally.rule_sets.insert(game.rules().to_string());
    if let Some(difference) = put_game(tested, &game, &first.position)? {
        return Ok(Some(difference));
    }
    let mut last = None;
    for question in questions {
        if last.as_ref() != Some(&question.position) {
            tally.positions += 1;
        }
        tally.constructed(&game, &question, purpose);
        let got = tested.ask(&question.probe.ask(&game, &question.position))?;
        if let Some(met) = Difference::of(&game, &question.position, question.probe, question.expected, got) {
            return Ok(Some(met));
        }
        last = Some(question.position);
    }
    Ok(None)
}

/// One game of the plan.
fn play(
    tested: &mut TestedProgram<'_, '_>,
    plan: &Plan,
    number: u64,
    tally: &mut Tally,
    progress: &dyn Fn(Step),
) -> Result<Option<Box<Difference>>, PeerError> {
    let Scenario { game, positions } = scenario(plan.seed, number, &plan.presets, plan.only_presets);
    let Some(first) = positions.first() else { return Ok(None) };
    let mut random = seeded(!plan.seed, number);
    tally.games += 1;
    tally.rule_sets.insert(game.rules().to_string());
    tally.questions += 1;
    if let Some(difference) = put_game(tested, &game, first)? {
        return Ok(Some(difference));
    }
    let reference = Reference::new(game);
    for (i, position) in positions.iter().enumerate() {
        let effort = Effort { played: 6, illegal: 6, depth: if i.is_multiple_of(3) { 3 } else { 0 } };
        if let Some(difference) = examine(tested, &reference, position, effort, &mut random, tally)? {
            return Ok(Some(difference));
        }
        progress(Step::Random(tally.random_positions.min(plan.positions), plan.positions));
    }
    Ok(None)
}

/// The requests that show a difference again, for a program that is started afresh and has been greeted.
#[must_use]
pub fn requests(finding: &Finding) -> Vec<Request> {
    let asks = match &finding.history {
        Some(History { requests: Some(asks) }) => asks.clone(),
        _ => finding.shrunken.difference.asks(),
    };
    (1..).zip(asks).map(|(id, ask)| Request { id, ask }).collect()
}

/// Whether an answer agrees with the one that the rules give, in everything that must agree.
fn agrees(expected: &Answer, got: &Answer) -> bool {
    expected.clone().essence() == got.clone().essence()
}
