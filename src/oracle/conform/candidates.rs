//! Finds the misreading that explains a program's answers. More questions decide among those that
//! explain the first answer.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Plan;
use super::constructed::{Batch, BatchMaker};
use super::diagnosis::{Diagnosis, diagnosis, distinct};
use super::misreading::{Misreader, Misreading};
use super::probe::{Difference, Probe, put_game};
use super::subject::Topic;
use super::tested::{Reply, TestedProgram};
use crate::oracle::peer::PeerError;
use crate::oracle::protocol::Answer;
use crate::rules::Clause;

/// Games that are asked about for each misreading that explains the first answer.
const GAMES: usize = 6;

/// Diagnoses a difference. If misreadings give the program's answer, more questions tell them
/// apart.
///
/// # Errors
///
/// If the program does not start again.
pub(super) fn diagnose(
    tested: &mut TestedProgram<'_, '_>,
    plan: &Plan,
    difference: &Difference,
) -> Result<Diagnosis, PeerError> {
    let mut diagnosis = diagnosis(difference);
    let Difference { game, position, probe, expected, .. } = difference;
    let sizes = Topic::of(game, position, *probe, expected).into_iter().map(Topic::name).collect::<Vec<_>>();
    if !sizes.is_empty() {
        let _ = write!(diagnosis.why, "; the smallest position found has {}", sizes.join(", "));
    }
    let candidates = candidates(difference);
    if candidates.is_empty() {
        return Ok(diagnosis);
    }
    let told = tell_apart(tested, plan, &candidates)?;
    let asked = told.asked;
    let share = |misreading: &Misreading| told.of(*misreading);
    let mut left: Vec<Misreading> = candidates.iter().copied().filter(|misreading| share(misreading) == 0).collect();
    let clauses = |misreadings: &[Misreading]| -> Vec<Clause> { misreadings.iter().map(|m| m.clause()).collect() };
    if left.is_empty() {
        // No misreading gives all answers; the nearest ones may still help.
        let mut nearest = candidates;
        nearest.sort_by_key(share);
        nearest.truncate(2);
        let near = clauses(&nearest);
        diagnosis.clauses.extend(near.iter().copied());
        diagnosis.clauses.sort_by_key(|clause| !near.contains(clause));
        diagnosis.clauses = distinct(diagnosis.clauses);
        let _ = write!(
            diagnosis.why,
            "; no single wrong reading that is known here explains all its answers, the nearest is that"
        );
        let _ = write!(diagnosis.why, " {} ({})", nearest[0], nearest[0].clause());
        return Ok(diagnosis);
    }
    // Misreadings of the clauses that the answer itself points to come first.
    left.sort_by_key(|misreading| {
        diagnosis.clauses.iter().position(|c| *c == misreading.clause()).unwrap_or(usize::MAX)
    });
    diagnosis.clauses = distinct(clauses(&left));
    let _ =
        write!(diagnosis.why, "; it answers this and {asked} further questions like a program for which {} ", left[0]);
    let _ = write!(diagnosis.why, "({})", left[0].clause());
    for other in left.iter().skip(1).take(2) {
        let _ = write!(diagnosis.why, ", or {other} ({})", other.clause());
    }
    Ok(diagnosis)
}

/// Returns the misreadings that give the program's answer.
fn candidates(difference: &Difference) -> Vec<Misreading> {
    let Difference { game, position, probe, got, .. } = difference;
    let Reply::Answer(got) = got else { return Vec::new() };
    if matches!(probe, Probe::Game) || matches!(got, Answer::Error { .. }) {
        return Vec::new();
    }
    let gives =
        |misreading: &Misreading| Misreader::new(game.clone(), Some(*misreading)).may_give(*probe, position, got);
    Misreading::all().filter(gives).collect()
}

/// Misreadings that are told from each other, two by two.
const PAIRS: usize = 12;

/// Questions that were asked to tell misreadings apart.
#[derive(Default)]
struct Told {
    asked: u64,
    /// Number of the program's answers that each misreading does not give.
    wrong: BTreeMap<Misreading, u64>,
}

impl Told {
    fn of(&self, misreading: Misreading) -> u64 {
        self.wrong.get(&misreading).copied().unwrap_or_default()
    }

    /// Asks the questions of some games, and compares the answers with those of the misreadings.
    fn ask(
        &mut self,
        tested: &mut TestedProgram<'_, '_>,
        mut maker: BatchMaker<'_>,
        misreadings: &[Misreading],
    ) -> Result<(), PeerError> {
        for _ in 0..GAMES {
            let Some(Batch { game, questions }) = maker.next(&|| tested.go_on())? else { break };
            let Some(first) = questions.first() else { break };
            if put_game(tested, &game, &first.position)?.is_some() {
                continue;
            }
            for question in questions {
                let Reply::Answer(got) = tested.ask(&question.probe.ask(&game, &question.position))? else { break };
                self.asked += 1;
                for &other in misreadings {
                    let reader = Misreader::new(game.clone(), Some(other));
                    if !reader.may_give(question.probe, &question.position, &got) {
                        *self.wrong.entry(other).or_default() += 1;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Asks questions that each of the misreadings would answer wrongly, and then such as two of those
/// that are left answer differently.
fn tell_apart(tested: &mut TestedProgram<'_, '_>, plan: &Plan, misreadings: &[Misreading]) -> Result<Told, PeerError> {
    let mut told = Told::default();
    for (number, &misreading) in (1 << 40..).zip(misreadings) {
        told.ask(tested, BatchMaker::of(plan, misreading, number), misreadings)?;
    }
    let pairs =
        misreadings.iter().enumerate().flat_map(|(i, &one)| misreadings[i + 1..].iter().map(move |&two| (one, two)));
    let mut tried = 0;
    for (number, (one, two)) in (1 << 41..).zip(pairs) {
        if tried < PAIRS && told.of(one) + told.of(two) == 0 {
            tried += 1;
            told.ask(tested, BatchMaker::of(plan, one, number).against(two), misreadings)?;
        }
    }
    Ok(told)
}
