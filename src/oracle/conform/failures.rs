//! All failures of a program, summed up by clause, option and topic.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::diagnosis::diagnosis;
use super::misreading::{Misreader, Misreading};
use super::probe::{Difference, Probe};
use super::questions::all_questions;
use super::subject::Subject;
use super::tally::{Evidence, Tally};
use super::tested::{Reply, Start, TestedProgram};
use super::{Origin, Plan, RunProgress};
use crate::oracle::peer::PeerError;

/// The failures of one subject.
#[derive(Clone, Debug)]
pub struct Failed {
    /// Questions constructed for the subject that were answered wrongly, or not at all.
    pub own: u64,
    /// Other questions whose wrong answers point to the subject.
    pub pointing: u64,
    /// The first of them.
    pub first: Box<Difference>,
    /// The fault of its answer.
    pub why: String,
}

/// The failures of a program.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// Failures by subject: the clause that an answer points to, and the subject of a constructed
    /// question. So a failure may count for two subjects.
    pub by: BTreeMap<Subject, Failed>,
    /// Failures without a subject: those of form, and unanswered questions of random games.
    pub of_form: Option<Failed>,
    /// Questions that were answered wrongly.
    pub wrong: u64,
    /// Questions without an answer.
    pub unanswered: u64,
    /// Sample of the wrong answers, for [`Failures::by_likelihood`].
    sample: Sample,
}

/// Number of wrong answers by which readings are told apart that explain as many of those to their
/// own questions.
const TOLD_BY: usize = 100;

/// Evenly spaced wrong answers of a run of any length: the first and each 2ⁿ-th after it, at most
/// twice [`TOLD_BY`].
#[derive(Clone, Debug, Default)]
struct Sample {
    /// The answers.
    kept: Vec<Difference>,
    /// Number of answers that were met.
    met: u64,
    /// The exponent n.
    thinned: u32,
}

impl Sample {
    fn add(&mut self, difference: &Difference) {
        if self.kept.len() == 2 * TOLD_BY {
            let mut stays = false;
            self.kept.retain(|_| {
                stays = !stays;
                stays
            });
            self.thinned += 1;
        }
        if self.met.trailing_zeros() >= self.thinned {
            self.kept.push(difference.clone());
        }
        self.met += 1;
    }
}

/// The failures of a subject, with what explains them best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<'a> {
    /// The subject.
    pub subject: Subject,
    /// The failures.
    pub failed: &'a Failed,
    /// The likeliest wrong reading of the subject, if one explains anything.
    pub reading: Option<(Misreading, Evidence)>,
}

/// Results of all questions.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The name that the program gives itself.
    pub name: String,
    /// Number of questions.
    pub tally: Tally,
    /// The failures.
    pub failures: Failures,
    /// True if the run was ended early.
    pub ended: bool,
}

impl Failures {
    /// Returns the number of all failures.
    #[must_use]
    pub const fn all(&self) -> u64 {
        self.wrong + self.unanswered
    }

    /// Returns the failures by subject, the likeliest subject first, with its likeliest reading: the
    /// wrong reading that gives most of the answers to the questions made to detect it, and of such
    /// that give all of them the one that gives most of the other wrong answers; then clauses
    /// before options, and by the share and number of failures.
    #[must_use]
    pub(crate) fn by_likelihood(&self, tally: &Tally) -> Vec<Ranked<'_>> {
        let told = |(&misreading, &evidence): (&Misreading, &Evidence)| {
            let (share, given) = evidence.likelihood();
            let explains = if evidence.others == 0 { self.explained(misreading) } else { 0 };
            (misreading, ((share, explains, given), evidence))
        };
        let told: BTreeMap<Misreading, _> =
            tally.evidence.iter().filter(|(_, evidence)| evidence.given > 0).map(told).collect();
        let reading = |subject: Subject| {
            let of = told.iter().filter(|(misreading, _)| subject.is_of(**misreading));
            of.max_by_key(|(_, (likelihood, _))| *likelihood)
        };
        let mut all: Vec<_> = self.by.iter().map(|(&subject, failed)| (subject, failed, reading(subject))).collect();
        all.sort_by_key(|(subject, failed, reading)| {
            let asked = tally.asked.get(subject).copied().unwrap_or_default();
            let likelihood = reading.map(|(_, (likelihood, _))| *likelihood);
            let is_clause = matches!(subject, Subject::Clause(_));
            Reverse((likelihood, is_clause, 1000 * failed.own / asked.max(1), failed.own + failed.pointing))
        });
        let ranked = |(subject, failed, reading): (_, _, Option<(&Misreading, &(_, Evidence))>)| Ranked {
            subject,
            failed,
            reading: reading.map(|(&misreading, &(_, evidence))| (misreading, evidence)),
        };
        all.into_iter().map(ranked).collect()
    }

    /// Returns the number of wrong answers, of up to [`TOLD_BY`], that a misreading gives too.
    fn explained(&self, misreading: Misreading) -> u64 {
        let gives = |wrong: &&Difference| {
            let Reply::Answer(got) = &wrong.got else { return false };
            Misreader::new(wrong.game.clone(), Some(misreading)).may_give(wrong.probe, &wrong.position, got)
        };
        let step = self.sample.kept.len().div_ceil(TOLD_BY).max(1);
        self.sample.kept.iter().step_by(step).filter(gives).count() as u64
    }

    fn add(&mut self, origin: Origin, difference: Box<Difference>) {
        if difference.got.answer().is_some() {
            self.wrong += 1;
            // Without a game or an answer to the question, there is nothing to explain.
            if !matches!(difference.probe, Probe::Game) {
                self.sample.add(&difference);
            }
        } else {
            self.unanswered += 1;
        }
        let found = diagnosis(&difference);
        let asked = match origin {
            Origin::Constructed(purpose) => Some(purpose.subject),
            Origin::Game(_) => None,
        };
        let pointed =
            found.clauses.first().map(|&clause| Subject::Clause(clause)).filter(|clause| Some(*clause) != asked);
        let failed = Failed { own: 0, pointing: 0, first: difference, why: found.why };
        if asked.or(pointed).is_none() {
            self.of_form.get_or_insert_with(|| failed.clone()).own += 1;
        }
        if let Some(subject) = asked {
            self.by.entry(subject).or_insert_with(|| failed.clone()).own += 1;
        }
        if let Some(subject) = pointed {
            self.by.entry(subject).or_insert_with(|| failed.clone()).pointing += 1;
        }
    }
}

/// Asks a program all questions of a plan, goes on after each difference, and sums up the failures.
/// A program that fails to answer is started again. Nothing is shrunk.
///
/// # Errors
///
/// If the program cannot be started, or does not quit as it should.
///
/// # Panics
///
/// If the plan has no presets.
pub fn survey<'s, 'p>(
    start: &'s mut Start<'s, 'p>,
    plan: &Plan,
    progress: &dyn Fn(RunProgress),
    interrupt: Option<&'s AtomicBool>,
) -> Result<Survey, PeerError> {
    assert!(!plan.presets.is_empty(), "a plan has at least one preset");
    let mut tested = TestedProgram::new(start, interrupt)?;
    let name = tested.name();
    let (mut tally, mut failures) = (Tally::default(), Failures::default());
    let mut found = |origin, difference| {
        failures.add(origin, difference);
        ControlFlow::Continue(())
    };
    let ended = match all_questions(&mut tested, plan, &mut tally, progress, &mut found) {
        Err(PeerError::Ended) => true,
        asked => {
            asked?;
            false
        }
    };
    if failures.all() == 0 && !ended {
        tested.quit()?;
    }
    Ok(Survey { name, tally, failures, ended })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Bitboard, Engine};
    use crate::oracle::Session;
    use crate::oracle::peer::Answers;
    use crate::oracle::protocol::{Answer, Query};
    use crate::position::Game;
    use crate::rules::Preset;

    /// Answers every question about a position wrongly, and counts them.
    struct Wrong<'a>(Session<'a>, &'a std::cell::Cell<u64>);

    impl Answers for Wrong<'_> {
        fn ask(&mut self, ask: &Query, _: Option<&AtomicBool>) -> Result<Answer, PeerError> {
            if matches!(ask, Query::Game(_)) {
                return self.0.answer(ask).map_err(|_| PeerError::Ended);
            }
            self.1.set(self.1.get() + 1);
            Ok(Answer::Perft { count: u64::MAX })
        }
    }

    #[test]
    fn wrong_answers_are_counted_and_a_sample_kept() {
        let asked = std::cell::Cell::new(0);
        let make = |game: &Game| -> Box<dyn Engine> { Box::new(Bitboard::new(game.clone())) };
        let mut start = || -> Result<Box<dyn Answers + '_>, PeerError> {
            Ok(Box::new(Wrong(Session::new("wrong", &make), &asked)))
        };
        let plan = Plan { seed: 1, constructed: 2, positions: 300, presets: Preset::ALL.to_vec(), only_presets: false };
        let Survey { tally, failures, .. } = survey(&mut start, &plan, &|_| {}, None).unwrap();
        assert!(asked.get() > 1000 && failures.wrong == asked.get(), "{} of {}", failures.wrong, asked.get());
        let Sample { kept, met, thinned } = &failures.sample;
        assert_eq!(*met, failures.wrong);
        assert!((TOLD_BY..=2 * TOLD_BY).contains(&kept.len()), "{}", kept.len());
        assert_eq!(kept.len() as u64, met.div_ceil(1 << thinned), "each {}th of {met}", 1 << thinned);
        assert!(!failures.by_likelihood(&tally).is_empty());
    }
}
