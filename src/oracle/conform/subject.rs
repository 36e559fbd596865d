//! Subjects of questions: clauses, option values, and other things that programs get wrong.

use std::fmt;

use super::Plan;
use super::misreading::Misreading;
use super::probe::Probe;
use crate::files::named;
use crate::oracle::protocol::Answer;
use crate::position::{Action, Game, Position};
use crate::rules::{Clause, OPTION_NAMES, Options, RuleSet, option_values};

/// Subject of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A clause of the rules.
    Clause(Clause),
    /// An option with a value.
    Option(&'static str, &'static str),
    /// A matter of names, sizes and numbers.
    Topic(Topic),
}

named! {
    /// Names, sizes and numbers that programs get wrong.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Topic {
        /// Rows from 10 on.
        HighRows = "rows from 10 on",
        /// Columns from `j` on, the tenth.
        HighColumns = "columns from j on",
        /// Ten or more places without a pod in one number of a position's text.
        LongGaps = "ten and more places without a pod",
        /// Boards of more than 32 points.
        LargeBoards = "boards of more than 32 points",
        /// Boards of 64 points.
        FullBoards = "boards of 64 points",
        /// Hands with ten or more of a kind.
        LargeHands = "hands with ten and more of a kind",
        /// Hands with 64 of a kind.
        FullHands = "hands with 64 of a kind",
        /// Twenty and more kinds of pods.
        ManyKinds = "twenty and more kinds of pods",
        /// Lists that sort otherwise by number than byte by byte.
        ByteOrder = "lists sorted byte by byte, not by number",
        /// Counts of sequences of four and more plies.
        DeepCounts = "perft of four and more plies",
        /// Counts beyond 2³², of programs that declare `large-counts`.
        LargeCounts = "perft beyond 2^32",
    }
}

impl Topic {
    /// All topics, those of counts last.
    pub const ALL: [Topic; 11] = [
        Topic::HighRows,
        Topic::HighColumns,
        Topic::LongGaps,
        Topic::LargeBoards,
        Topic::FullBoards,
        Topic::LargeHands,
        Topic::FullHands,
        Topic::ManyKinds,
        Topic::ByteOrder,
        Topic::DeepCounts,
        Topic::LargeCounts,
    ];

    /// Returns the number of questions about the topic, if `wanted` are asked about each subject.
    /// Large counts get a tenth of them: one says as much as many small ones.
    pub(super) const fn share(self, wanted: u64) -> u64 {
        match self {
            Topic::LargeCounts => wanted.div_ceil(10),
            _ => wanted,
        }
    }

    /// Returns the topics that a question tests: without them, its answer would be another one.
    pub(super) fn of(game: &Game, position: &Position, probe: Probe, expected: &Answer) -> Vec<Topic> {
        let board = game.board();
        let named = |high: &dyn Fn(crate::geometry::Coord) -> bool| {
            let on_board = position.pods().any(|(point, _)| high(board.coord(point)));
            let in_action = match probe {
                Probe::Apply(Action::Place { at, .. }) => high(board.coord(at)),
                Probe::Moves => matches!(expected, Answer::Moves { actions, .. } if !actions.is_empty()),
                _ => false,
            };
            on_board
                && (in_action || !matches!(probe, Probe::Apply(Action::Place { .. })))
                && board.points().any(|point| high(board.coord(point)))
        };
        let text = position.display(game).to_string();
        let rows = text.split(' ').next().unwrap_or_default();
        let long_gap = rows.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > 1);
        let most = crate::material::Side::BOTH
            .iter()
            .flat_map(|&side| position.hand(side).iter().map(|(_, count)| count))
            .max()
            .unwrap_or_default();
        let by_number = |actions: &[String]| {
            let key = |text: &String| {
                let mut parts: Vec<(String, u32)> = Vec::new();
                for c in text.chars() {
                    match (c.to_digit(10), parts.last_mut()) {
                        (Some(digit), Some((_, number))) => *number = *number * 10 + digit,
                        _ => parts.push((c.to_string(), 0)),
                    }
                }
                parts
            };
            !actions.is_sorted_by_key(key)
        };
        let counted = match (probe, expected) {
            (Probe::Perft(depth), Answer::Perft { count }) => Some((depth, *count)),
            _ => None,
        };
        Topic::ALL
            .into_iter()
            .filter(|topic| match topic {
                Topic::HighRows => named(&|c| c.row >= 9),
                Topic::HighColumns => named(&|c| c.column >= 9),
                Topic::LongGaps => long_gap,
                Topic::LargeBoards => board.len() > 32,
                Topic::FullBoards => board.len() == 64,
                Topic::LargeHands => most >= 10,
                Topic::FullHands => most == 64,
                Topic::ManyKinds => game.pods().kinds().len() >= 20,
                Topic::ByteOrder => matches!(expected, Answer::Moves { actions, .. } if by_number(actions)),
                Topic::DeepCounts => counted.is_some_and(|(depth, count)| depth >= 4 && count > 0),
                Topic::LargeCounts => counted.is_some_and(|(_, count)| count > u64::from(u32::MAX)),
            })
            .collect()
    }
}

impl Subject {
    /// Returns the clauses and option values that a plan's rules use and the protocol can ask
    /// about.
    pub(super) fn of(plan: &Plan) -> Vec<Subject> {
        let options: Vec<Options> = plan.presets.iter().map(|preset| preset.options()).collect();
        let clauses = Clause::ALL.iter().map(|&clause| Subject::Clause(clause));
        let values = OPTION_NAMES.iter().flat_map(|&name| {
            option_values(name).unwrap_or_default().iter().map(move |&value| Subject::Option(name, value))
        });
        clauses
            .filter(|subject| options.iter().any(|options| !subject.misreadings(options).is_empty()))
            .chain(values.filter(|subject| {
                !plan.only_presets || options.iter().any(|options| !subject.misreadings(options).is_empty())
            }))
            .collect()
    }

    /// Returns the misreadings of the subject that can make a difference under these options.
    pub(super) fn misreadings(self, options: &Options) -> Vec<Misreading> {
        let all = Misreading::all();
        match self {
            Subject::Clause(clause) => {
                all.filter(|misreading| misreading.clause() == clause && misreading.is_about_clause(options)).collect()
            }
            Subject::Option(name, value) => {
                let rules = RuleSet::new(crate::rules::Preset::Standard, *options);
                if rules.value(name) != Some(value) {
                    return Vec::new();
                }
                all.filter(|misreading| {
                    matches!(misreading, Misreading::Option(other, _) if *other == name) && misreading.applies(options)
                })
                .collect()
            }
            Subject::Topic(_) => Vec::new(),
        }
    }

    pub(super) fn is_of(self, misreading: Misreading) -> bool {
        match self {
            Subject::Clause(clause) => misreading.clause() == clause,
            Subject::Option(name, _) => matches!(misreading, Misreading::Option(other, _) if other == name),
            Subject::Topic(_) => false,
        }
    }

    /// Returns the subject in a few words.
    #[must_use]
    pub(crate) fn title(self) -> String {
        match self {
            Subject::Clause(clause) => clause.title().to_owned(),
            Subject::Option(name, value) => format!("{name}={value}"),
            Subject::Topic(topic) => topic.name().to_owned(),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Clause(clause) => clause.fmt(f),
            _ => f.write_str(&self.title()),
        }
    }
}
