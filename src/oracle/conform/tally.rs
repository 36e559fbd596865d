//! Counts what a run has asked, by subject and by clause.

use std::collections::{BTreeMap, BTreeSet};

use super::agrees;
use super::constructed::{ConstructedQuestion, Purpose};
use super::misreading::{Misreader, Misreading, Wrong};
use super::subject::{Subject, Topic};
use super::tested::Reply;
use crate::engine::{Engine, Reference, Status};
use crate::material::Side;
use crate::position::{Action, Game, Position};
use crate::rules::Clause;

/// Questions that a subject decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// The number.
    pub questions: u64,
    /// Number of them that each misreading would answer wrongly; none for topics.
    pub misreadings: BTreeMap<Misreading, u64>,
}

impl Decided {
    #[must_use]
    pub(crate) fn fewest(&self) -> Option<(Misreading, u64)> {
        self.misreadings.iter().map(|(&misreading, &count)| (misreading, count)).min_by_key(|&(_, count)| count)
    }
}

/// Answers to the questions that were made to detect a misreading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Answers that a program with the misreading gives.
    pub given: u64,
    /// Other answers, right or wrong.
    pub others: u64,
}

impl Evidence {
    /// Returns a key by which the likelier misreadings come last: the share of the answers that it
    /// gives, in thousandths, and their number.
    #[must_use]
    pub(crate) fn likelihood(self) -> (u64, u64) {
        (1000 * self.given / (self.given + self.others).max(1), self.given)
    }
}

/// Tally of a run's questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Positions, constructed ones and those of random games.
    pub positions: u64,
    /// Positions of random games and set-ups among them.
    pub random_positions: u64,
    /// Questions.
    pub questions: u64,
    /// Constructed questions among them.
    pub constructed_questions: u64,
    /// Perft counts among them.
    pub counts: u64,
    /// Constructed questions by the subject that they were made for.
    pub asked: BTreeMap<Subject, u64>,
    /// Constructed questions by subject: those whose answer a misreading of it changes.
    pub decided: BTreeMap<Subject, Decided>,
    /// By misreading: how the questions that were made to detect it were answered.
    pub evidence: BTreeMap<Misreading, Evidence>,
    /// By clause: how many checks in random games involve it.
    pub clauses: BTreeMap<Clause, u64>,
    /// The rule sets of the games, by name.
    pub rule_sets: BTreeSet<String>,
}

impl Tally {
    /// Adds a subject, so that it is listed even without a question.
    pub(super) fn want(&mut self, subject: Subject, misreadings: &[Misreading]) {
        let decided = self.decided.entry(subject).or_default();
        for &misreading in misreadings {
            decided.misreadings.entry(misreading).or_default();
        }
    }

    /// Returns the number of questions about a subject that this misreading would answer wrongly.
    pub(super) fn decided_by(&self, subject: Subject, misreading: Misreading) -> u64 {
        self.decided.get(&subject).and_then(|decided| decided.misreadings.get(&misreading)).copied().unwrap_or_default()
    }

    /// Returns the number of questions that a topic has had.
    #[must_use]
    pub fn topic(&self, topic: Topic) -> u64 {
        self.decided.get(&Subject::Topic(topic)).map_or(0, |decided| decided.questions)
    }

    /// Returns the subjects with fewer constructed questions than wanted; of large counts a tenth
    /// is enough.
    #[must_use]
    pub fn short_of(&self, wanted: u64) -> Vec<Subject> {
        let enough = |subject: &Subject| match subject {
            Subject::Topic(topic) => topic.share(wanted),
            _ => wanted,
        };
        self.decided.iter().filter(|(subject, decided)| decided.questions < enough(subject)).map(|(s, _)| *s).collect()
    }

    /// Adds the topics that were to be asked about, and drops the others.
    pub(super) fn leave_out(&mut self, wanted: Vec<Topic>) {
        self.decided.retain(|subject, _| !matches!(subject, Subject::Topic(topic) if !wanted.contains(topic)));
        for topic in wanted {
            self.want(Subject::Topic(topic), &[]);
        }
    }

    pub(super) fn constructed(&mut self, game: &Game, question: &ConstructedQuestion, purpose: Purpose) {
        self.questions += 1;
        self.constructed_questions += 1;
        *self.asked.entry(purpose.subject).or_default() += 1;
        self.counts += u64::from(matches!(question.probe, super::Probe::Perft(_)));
        if let Some(misreading) = purpose.misreading.filter(|_| question.decided) {
            let decided = self.decided.entry(purpose.subject).or_default();
            decided.questions += 1;
            *decided.misreadings.entry(misreading).or_default() += 1;
        }
        for topic in Topic::of(game, &question.position, question.probe, &question.expected) {
            self.decided.entry(Subject::Topic(topic)).or_default().questions += 1;
        }
    }

    /// Takes the answer to a constructed question as evidence about the misreading that it was made
    /// for.
    pub(super) fn heard(&mut self, game: &Game, question: &ConstructedQuestion, purpose: Purpose, got: &Reply) {
        let Some(misreading) = purpose.misreading.filter(|_| question.decided) else { return };
        let Reply::Answer(got) = got else { return };
        let right = agrees(&question.expected, got);
        let evidence = self.evidence.entry(misreading).or_default();
        // Where the order of captures matters, the right answer may come of an order by chance.
        if right && misreading != Misreading::Of(Wrong::OneByOne) {
            evidence.others += 1;
            return;
        }
        let may_give = Misreader::new(game.clone(), Some(misreading)).may_give(question.probe, &question.position, got);
        if may_give && !right {
            evidence.given += 1;
        } else if !may_give {
            evidence.others += 1;
        }
    }

    pub(super) fn touch(&mut self, clause: Clause) {
        *self.clauses.entry(clause).or_default() += 1;
    }

    fn touch_if(&mut self, clause: Clause, condition: bool) {
        if condition {
            self.touch(clause);
        }
    }

    /// Counts a position whose status and actions are compared.
    pub(super) fn position(&mut self, reference: &Reference, position: &Position, actions: usize) {
        self.positions += 1;
        self.random_positions += 1;
        let (game, options) = (reference.game(), reference.game().rules().options());
        let by_hand = position.won_by_empty_hand(game);
        let stuck = by_hand.is_none() && matches!(reference.status(position), Status::Won(_));
        self.touch_if(Clause::R30, by_hand.is_some());
        self.touch_if(if options.moves { Clause::R20 } else { Clause::R15 }, stuck);
        self.touch_if(Clause::R16, stuck && position.hand(position.to_move()).is_empty());
        self.touch_if(Clause::R32, position.is_open());
        self.touch_if(Clause::R31, !reference.blocked_pods(position).is_empty());
        self.touch_if(Clause::R14, !options.moves && actions > 0);
        let foes = position.pods().any(|(_, pod)| pod.side != position.to_move());
        self.touch_if(Clause::R5, foes && options.attack_through);
        let turned = |(_, pod): (_, crate::position::Pod)| {
            let legs = game.pods().legs(pod.kind);
            pod.side == Side::Black && legs.on_board(Side::Black) != legs
        };
        self.touch_if(Clause::R4, position.pods().any(turned));
    }

    /// Counts a legal action whose result is compared.
    pub(super) fn played(&mut self, reference: &Reference, position: &Position, action: Action) {
        let (game, options) = (reference.game(), reference.game().rules().options());
        let foes = position.pods().any(|(_, pod)| pod.side != position.to_move());
        match action {
            Action::Place { .. } => {
                self.touch(Clause::R10);
                self.touch_if(Clause::R9, position.is_open());
                self.touch_if(Clause::R11, foes);
                self.touch_if(Clause::R12, foes);
                self.touch_if(Clause::R13, options.placement_liberty);
            }
            Action::Move { .. } => self.touch(Clause::R17),
            Action::Shove { from, to } => {
                self.touch(Clause::R22);
                let (a, b) = (game.board().coord(from), game.board().coord(to));
                self.touch_if(Clause::R23, a.row.abs_diff(b.row).max(a.column.abs_diff(b.column)) > 1);
            }
            Action::Kick { .. } => self.touch(Clause::R24),
        }
        let Some(result) = reference.transition(position, action) else { return };
        let taken = !result.returned.is_empty() || !result.removed.is_empty();
        let pushed = matches!(action, Action::Shove { .. } | Action::Kick { .. });
        self.touch_if(Clause::R18, taken && !pushed);
        self.touch_if(Clause::R27, taken && pushed);
        if let Some(winner) = result.next.won_by_empty_hand(game) {
            let own = winner == position.to_move();
            self.touch(if !own {
                Clause::R30
            } else if options.moves {
                Clause::R19
            } else {
                Clause::R16
            });
        }
    }
}
