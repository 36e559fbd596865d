//! The questions of a plan, in their order.

use std::ops::ControlFlow;

use super::constructed::{Batch, BatchMaker, Purpose, about, purposes, share, wanted_topics};
use super::examine::{Effort, examine};
use super::plan::{Scenario, scenario};
use super::probe::{Difference, put_game};
use super::subject::Subject;
use super::tally::Tally;
use super::tested::{Reply, TestedProgram};
use super::{Origin, Plan, RunProgress};
use crate::engine::Reference;
use crate::oracle::draw::seeded;
use crate::oracle::peer::PeerError;
use crate::oracle::protocol::LARGE_COUNTS;

/// Gets each difference; may end the questions.
pub(super) type Found<'a> = &'a mut dyn FnMut(Origin, Box<Difference>) -> ControlFlow<()>;

/// Asks all questions of a plan, or until `found` ends them.
pub(super) fn all_questions(
    tested: &mut TestedProgram<'_, '_>,
    plan: &Plan,
    tally: &mut Tally,
    progress: &dyn Fn(RunProgress),
    found: Found<'_>,
) -> Result<(), PeerError> {
    if constructed(tested, plan, tally, progress, found)?.is_break() {
        return Ok(());
    }
    let mut number = 0;
    while tally.random_positions < plan.positions {
        let mut of_game = |difference| found(Origin::Game(number), difference);
        if play(tested, plan, number, tally, progress, &mut of_game)?.is_break() {
            break;
        }
        number += 1;
    }
    Ok(())
}

fn constructed(
    tested: &mut TestedProgram<'_, '_>,
    plan: &Plan,
    tally: &mut Tally,
    progress: &dyn Fn(RunProgress),
    found: Found<'_>,
) -> Result<ControlFlow<()>, PeerError> {
    if plan.constructed == 0 {
        return Ok(ControlFlow::Continue(()));
    }
    let mut put = |tested: &mut TestedProgram<'_, '_>, batch, purpose, tally: &mut Tally| {
        let mut of_batch = |difference| found(Origin::Constructed(purpose), difference);
        put_batch(tested, batch, purpose, tally, &mut of_batch)
    };
    let purposes = purposes(plan);
    let steps = purposes.len() as u64 + 1;
    let mut number = 0;
    for (step, (subject, misreadings)) in purposes.into_iter().enumerate() {
        progress(RunProgress::Constructed(step as u64, steps));
        tally.want(subject, &misreadings);
        let share = share(plan.constructed, misreadings.len());
        for misreading in misreadings {
            let mut maker = BatchMaker::new(plan, subject, misreading, number);
            number += 1;
            while tally.decided_by(subject, misreading) < share {
                let Some(batch) = maker.next(&|| tested.go_on())? else { break };
                let purpose = Purpose { subject, misreading: Some(misreading) };
                if put(tested, batch, purpose, tally)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
    }
    progress(RunProgress::Constructed(steps - 1, steps));
    let wanted = wanted_topics(plan, tested.can(LARGE_COUNTS));
    for &topic in &wanted {
        let purpose = Purpose { subject: Subject::Topic(topic), misreading: None };
        for turn in 0..plan.constructed.saturating_mul(40) {
            if tally.topic(topic) >= topic.share(plan.constructed) {
                break;
            }
            tested.go_on()?;
            let Some(batch) = about(topic, plan, turn) else { continue };
            if put(tested, batch, purpose, tally)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    tally.leave_out(wanted);
    Ok(ControlFlow::Continue(()))
}

/// Gets each difference of one game; may end the questions.
type OfGame<'a> = &'a mut dyn FnMut(Box<Difference>) -> ControlFlow<()>;

/// Asks the questions of a batch. A program that fails to answer does not know the game any more,
/// so the rest is left out.
fn put_batch(
    tested: &mut TestedProgram<'_, '_>,
    batch: Batch,
    purpose: Purpose,
    tally: &mut Tally,
    found: OfGame<'_>,
) -> Result<ControlFlow<()>, PeerError> {
    let Batch { game, questions } = batch;
    let Some(first) = questions.first() else { return Ok(ControlFlow::Continue(())) };
    tally.games += 1;
    tally.rule_sets.insert(game.rules().to_string());
    let refused = put_game(tested, &game, &first.position)?;
    let is_refused = refused.is_some();
    if let Some(difference) = refused
        && found(difference).is_break()
    {
        return Ok(ControlFlow::Break(()));
    }
    let mut last = None;
    for question in questions {
        if last.as_ref() != Some(&question.position) {
            tally.positions += 1;
        }
        tally.constructed(&game, &question, purpose);
        if is_refused {
            // Counted as put, so that the questions come to their end.
            last = Some(question.position);
            continue;
        }
        let got = tested.ask(&question.probe.ask(&game, &question.position))?;
        let silent = matches!(got, Reply::Fault(_));
        tally.heard(&game, &question, purpose, &got);
        if let Some(met) = Difference::of(&game, &question.position, question.probe, question.expected, got)
            && found(met).is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
        if silent {
            break;
        }
        last = Some(question.position);
    }
    Ok(ControlFlow::Continue(()))
}

/// Plays one game of the plan.
fn play(
    tested: &mut TestedProgram<'_, '_>,
    plan: &Plan,
    number: u64,
    tally: &mut Tally,
    progress: &dyn Fn(RunProgress),
    found: OfGame<'_>,
) -> Result<ControlFlow<()>, PeerError> {
    let Scenario { game, positions } = scenario(plan.seed, number, &plan.presets, plan.only_presets);
    let Some(first) = positions.first() else { return Ok(ControlFlow::Continue(())) };
    let mut random = seeded(!plan.seed, number);
    tally.games += 1;
    tally.rule_sets.insert(game.rules().to_string());
    tally.questions += 1;
    if let Some(difference) = put_game(tested, &game, first)? {
        // Its positions count as done, so that the questions come to their end.
        tally.random_positions += positions.len() as u64;
        return Ok(found(difference));
    }
    let reference = Reference::new(game);
    for (i, position) in positions.iter().enumerate() {
        let effort = Effort { played: 6, illegal: 6, depth: if i.is_multiple_of(3) { 3 } else { 0 } };
        if let Some(difference) = examine(tested, &reference, position, effort, &mut random, tally)? {
            let silent = matches!(difference.got, Reply::Fault(_));
            if found(difference).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if silent {
                break;
            }
        }
        progress(RunProgress::Random(tally.random_positions.min(plan.positions), plan.positions));
    }
    Ok(ControlFlow::Continue(()))
}
