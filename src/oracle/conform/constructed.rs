//! Questions made so that a clause or an option decides the answer.
//!
//! For every subject ([`Subject`]) and each of its misreadings, positions are constructed
//! ([`super::scene`]). Questions that a program with that misreading would answer wrongly are kept,
//! until there are enough of them.

use std::collections::BTreeMap;

use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64;

use super::Plan;
use super::misreading::{Length, Misreader, Misreading, Wrong};
use super::probe::Probe;
use super::scene::{crossing, long_game, scene, wide};
use super::sequences::{LARGEST_COUNT, sequences};
use super::subject::{Subject, Topic};
use crate::engine::{Engine, Reference};
use crate::oracle::draw::{below, rules, seeded};
use crate::oracle::peer::PeerError;
use crate::oracle::protocol::Answer;
use crate::position::{Action, Game, Position};
use crate::rules::{Preset, RuleSet};

/// Positions tried for one misreading before it is given up.
const ATTEMPTS: usize = 6000;

/// The fewest questions for each misreading.
const FEWEST: u64 = 20;

/// The most questions about one position.
const OF_ONE: usize = 4;

/// The largest perft that is asked for over many plies, small enough to be enumerated.
const DEEP_COUNT: u64 = 300;

/// Questions about one game.
pub(super) struct Batch {
    pub game: Game,
    pub questions: Vec<ConstructedQuestion>,
}

/// A question with its answer by the rules, and whether a misreading would give another.
pub(super) struct ConstructedQuestion {
    pub position: Position,
    pub probe: Probe,
    pub expected: Answer,
    pub decided: bool,
}

/// Purpose of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose {
    /// The clause, option or topic.
    pub subject: Subject,
    /// The misreading that the questions decide, if it is no topic.
    pub misreading: Option<Misreading>,
}

/// Returns the subjects of a plan with their misreadings, in order.
pub(super) fn purposes(plan: &Plan) -> Vec<(Subject, Vec<Misreading>)> {
    let mut all: BTreeMap<Subject, Vec<Misreading>> = BTreeMap::new();
    for subject in Subject::of(plan) {
        let mut misreadings: Vec<Misreading> =
            plan.presets.iter().flat_map(|preset| subject.misreadings(&preset.options())).collect();
        if !plan.only_presets {
            // Every option on its own on top of each preset.
            let sets = plan.presets.iter().flat_map(|&preset| variants(preset));
            misreadings.extend(sets.flat_map(|rules| subject.misreadings(rules.options())));
        }
        misreadings.sort_unstable();
        misreadings.dedup();
        if !misreadings.is_empty() {
            all.insert(subject, misreadings);
        }
    }
    all.into_iter().collect()
}

/// Returns a preset with one option changed in every way.
fn variants(preset: Preset) -> impl Iterator<Item = RuleSet> {
    crate::rules::OPTION_NAMES.iter().flat_map(move |name| {
        let values = crate::rules::option_values(name).unwrap_or_default();
        values.iter().filter_map(move |value| RuleSet::from(preset).with(name, value).ok())
    })
}

/// Returns the number of questions that each of `misreadings` misreadings gets, for `wanted` in
/// all.
pub(super) fn share(wanted: u64, misreadings: usize) -> u64 {
    if wanted == 0 { 0 } else { wanted.div_ceil(misreadings.max(1) as u64).max(FEWEST.min(wanted)) }
}

/// Maker of batches for one misreading of a subject.
pub(super) struct BatchMaker<'a> {
    plan: &'a Plan,
    misreading: Misreading,
    /// True if a rule set is one to ask about.
    fits: Box<dyn Fn(&RuleSet) -> bool>,
    random: Pcg64,
    attempt: usize,
    candidates: Vec<RuleSet>,
    /// Another misreading that the questions are to tell this one from; else, it is the rules.
    other: Option<Misreading>,
}

impl<'a> BatchMaker<'a> {
    /// Creates a maker of questions about a subject. The number tells the batch makers of a plan
    /// apart.
    pub(super) fn new(plan: &'a Plan, subject: Subject, misreading: Misreading, number: u64) -> BatchMaker<'a> {
        let fits = move |rules: &RuleSet| subject.misreadings(rules.options()).contains(&misreading);
        BatchMaker::with(plan, misreading, Box::new(fits), number)
    }

    /// Creates a maker of questions about a misreading under all rules.
    pub(super) fn of(plan: &'a Plan, misreading: Misreading, number: u64) -> BatchMaker<'a> {
        BatchMaker::with(plan, misreading, Box::new(move |rules| misreading.applies(rules.options())), number)
    }

    fn with(
        plan: &'a Plan,
        misreading: Misreading,
        fits: Box<dyn Fn(&RuleSet) -> bool>,
        number: u64,
    ) -> BatchMaker<'a> {
        let mut candidates: Vec<RuleSet> = plan.presets.iter().map(|&preset| preset.into()).filter(&fits).collect();
        if candidates.is_empty() && !plan.only_presets {
            candidates = plan.presets.iter().flat_map(|&preset| variants(preset)).filter(&fits).collect();
        }
        let random = seeded(plan.seed, u64::MAX - number);
        BatchMaker { plan, misreading, fits, random, attempt: 0, candidates, other: None }
    }

    /// Makes questions that two misreadings answer differently.
    pub(super) fn against(mut self, other: Misreading) -> BatchMaker<'a> {
        self.other = Some(other);
        self
    }

    fn rules(&mut self) -> RuleSet {
        let preset = self.candidates[self.attempt % self.candidates.len()];
        if self.plan.only_presets || below(&mut self.random, 4) > 0 {
            return preset;
        }
        let drawn = rules(&mut self.random).shortest();
        if (self.fits)(&drawn) { drawn } else { preset }
    }

    /// Returns the next batch; `None` once 6,000 attempts are used up, or if no rule set fits.
    ///
    /// # Errors
    ///
    /// If `go_on` returns one, which is asked before each attempt.
    pub(super) fn next(&mut self, go_on: &dyn Fn() -> Result<(), PeerError>) -> Result<Option<Batch>, PeerError> {
        while self.attempt < ATTEMPTS && !self.candidates.is_empty() {
            go_on()?;
            let rules = self.rules();
            self.attempt += 1;
            let counts_plies =
                matches!(self.misreading, Misreading::AtMost(Length::LongGame, _) | Misreading::Of(Wrong::Repetition));
            let batch = if counts_plies {
                long_game(rules, 130, &mut self.random).map(|(game, played)| self.game(game, &played))
            } else {
                let draft = scene(self.misreading, self.attempt, &mut self.random);
                draft.build(rules, &mut self.random).map(|(game, position)| self.position(game, &position))
            };
            if let Some(batch) = batch.filter(|batch| batch.questions.iter().any(|question| question.decided)) {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// Returns the questions about a position that the misreading answers otherwise than the rules,
    /// or than the misreading that it is to be told from.
    fn position(&mut self, game: Game, position: &Position) -> Batch {
        let right: Box<dyn Engine> = match self.other {
            Some(other) => Box::new(Misreader::new(game.clone(), Some(other))),
            None => Box::new(Reference::new(game.clone())),
        };
        let wrong = Misreader::new(game.clone(), Some(self.misreading));
        let (legal, listed) = (right.sorted_actions(position), wrong.sorted_actions(position));
        let mut actions: Vec<Action> = legal.iter().chain(&listed).copied().collect();
        actions.sort_unstable();
        actions.dedup();
        actions.shuffle(&mut self.random);
        // What one of the two forbids comes first, and then the results of what both allow.
        actions.sort_by_key(|action| legal.contains(action) == listed.contains(action));
        actions.truncate(40);
        let mut probes = vec![Probe::Moves, Probe::Status];
        probes.shuffle(&mut self.random);
        probes.extend(actions.into_iter().map(Probe::Apply));
        let mut questions = Vec::new();
        for probe in probes {
            let expected = probe.answer(&*right, position);
            if expected.clone().essence() != probe.answer(&wrong, position).essence() {
                questions.push(ConstructedQuestion { position: position.clone(), probe, expected, decided: true });
            }
            if questions.len() == OF_ONE {
                break;
            }
        }
        Batch { game, questions }
    }

    /// Returns a question for each ply of a long game.
    fn game(&self, game: Game, played: &[(Position, Action)]) -> Batch {
        let reference = Reference::new(game.clone());
        let wrong = Misreader::new(game.clone(), Some(self.misreading));
        let question = |(position, action): &(Position, Action)| {
            let probe = Probe::Apply(*action);
            let expected = probe.expected(&reference, position);
            let decided = expected.clone().essence() != probe.answer(&wrong, position).essence();
            ConstructedQuestion { position: position.clone(), probe, expected, decided }
        };
        let questions = played.iter().map(question).collect();
        Batch { game, questions }
    }
}

/// Returns a batch about a topic; `None` if the attempt `turn` makes none.
pub(super) fn about(topic: Topic, plan: &Plan, turn: u64) -> Option<Batch> {
    let random = &mut seeded(!plan.seed, u64::MAX - (topic as u64 * 1_000_000 + turn));
    let presets: Vec<Preset> = match topic {
        Topic::LargeCounts => plan.presets.iter().copied().filter(|preset| preset.options().moves).collect(),
        _ => plan.presets.clone(),
    };
    let rules = RuleSet::from(*presets.get(turn as usize % presets.len().max(1))?);
    let count = |game: &Game, position: &Position, depth| {
        sequences(&Reference::new(game.clone()), position, depth).unwrap_or(u64::MAX)
    };
    match topic {
        Topic::LargeCounts => {
            let (game, position) = crossing(random).build(rules, random)?;
            let beyond = |depth: &u32| count(&game, &position, *depth) > u64::from(u32::MAX);
            let depth = (24..=80).step_by(4).find(beyond)?;
            let fits = count(&game, &position, depth) <= LARGEST_COUNT;
            fits.then(|| batch(game, &position, [Probe::Perft(depth)]))
        }
        Topic::DeepCounts => {
            let found = (0..100).find_map(|attempt| {
                // Where an empty hand wins, hands of two pods are empty too soon; the scenes for
                // the second have more.
                let wrong = [Wrong::OneWay, Wrong::KindUsedUp][attempt % 2];
                let draft = scene(Misreading::Of(wrong), 2 * turn as usize, random);
                let (game, position) = draft.build(rules, random)?;
                let few = |depth: &u32| (1..=DEEP_COUNT).contains(&count(&game, &position, *depth));
                let deepest = (4..=12).take_while(few).last()?;
                Some((game, position, deepest))
            });
            let (game, position, deepest) = found?;
            Some(batch(game, &position, [Probe::Perft(deepest)]))
        }
        _ => {
            let many = topic == Topic::ManyKinds;
            let (game, position) = wide(turn as usize, many, random).build(rules, random)?;
            let mut legal = Reference::new(game.clone()).sorted_actions(&position);
            legal.shuffle(random);
            let probes = [Probe::Moves, Probe::Status].into_iter().chain(legal.into_iter().take(3).map(Probe::Apply));
            Some(batch(game, &position, probes))
        }
    }
}

fn batch(game: Game, position: &Position, probes: impl IntoIterator<Item = Probe>) -> Batch {
    let reference = Reference::new(game.clone());
    let question = |probe: Probe| {
        let expected = probe.expected(&reference, position);
        ConstructedQuestion { position: position.clone(), probe, expected, decided: false }
    };
    let questions = probes.into_iter().map(question).collect();
    Batch { game, questions }
}

/// Returns the topics that a plan asks about.
pub(super) fn wanted_topics(plan: &Plan, large_counts: bool) -> Vec<Topic> {
    let moving = plan.presets.iter().any(|preset| preset.options().moves);
    Topic::ALL.into_iter().filter(|&topic| topic != Topic::LargeCounts || (large_counts && moving)).collect()
}
