//! Diagnosis of the clause that a difference is about.

use std::fmt::Write as _;

use super::probe::{Difference, Probe};
use super::readings::{behind, readings};
use super::tested::Reply;
use crate::engine::{Engine, Reference, Status};
use crate::oracle::peer::FaultKind;
use crate::oracle::protocol::Answer;
use crate::position::{Action, Position};
use crate::rules::Clause;

/// The kind of a difference. Shrinking keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The program allows an action that is illegal.
    Allows(Act),
    /// The program forbids an action that is legal.
    Forbids(Act),
    /// It takes other pods off the board, or says otherwise whose they are.
    Captures,
    /// The next position differs in something else than captures.
    Result(Act),
    /// It gives another status.
    Status,
    /// It gives another status to the position after an action.
    NextStatus,
    /// It lists an action twice, or in another order.
    Order,
    /// Its perft differs, though actions and results agree.
    Count,
    /// It answers with an error, or with something that does not belong to the question.
    Refusal,
    /// It refuses a game.
    GameRefused,
    /// It does not answer.
    Fault(FaultKind),
    /// The difference does not show in a fresh process.
    Kept,
}

/// The kind of action that a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Act {
    /// A placement.
    Place,
    /// A move.
    Move,
    /// A shove.
    Shove,
    /// A kick.
    Kick,
}

impl Act {
    fn of(action: Action) -> Act {
        match action {
            Action::Place { .. } => Act::Place,
            Action::Move { .. } => Act::Move,
            Action::Shove { .. } => Act::Shove,
            Action::Kick { .. } => Act::Kick,
        }
    }
}

/// Subject of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// Class of the difference.
    pub class: Class,
    /// The clauses, the likeliest first; none where the difference is one of form.
    pub clauses: Vec<Clause>,
    /// A sentence that says so.
    pub why: String,
}

/// Returns a difference that a fresh process does not show.
pub(super) fn kept(difference: &Difference) -> Diagnosis {
    let class = Class::Kept;
    let why = match difference.probe {
        Probe::Game => "a fresh process takes the game: the program keeps state between requests".to_owned(),
        _ => {
            "asked the same in a fresh process, the program answers rightly: it keeps state between games or positions"
                .to_owned()
        }
    };
    Diagnosis { class, clauses: Vec::new(), why }
}

/// Returns the kind of a difference, and the clauses that its answers point to.
pub(crate) fn diagnosis(difference: &Difference) -> Diagnosis {
    let Difference { game, position, probe, expected, got } = difference;
    let reference = Reference::new(game.clone());
    let new = |class, clauses: &[Clause], why: String| Diagnosis { class, clauses: clauses.to_vec(), why };
    let got = match got {
        Reply::Answer(got) => got,
        Reply::Fault(fault) => {
            let what = match fault.kind {
                FaultKind::Died => "ends",
                FaultKind::Silent => "does not answer in time",
                FaultKind::Nonsense => "sends something that is no answer",
            };
            return new(Class::Fault(fault.kind), &[], format!("the program {what} when it gets {}", asked(*probe)));
        }
    };
    match (probe, expected, got) {
        (Probe::Game, _, Answer::Error { message }) => {
            new(Class::GameRefused, &[], format!("the program refuses the game: {message:?}"))
        }
        (Probe::Game, _, _) => new(Class::GameRefused, &[], "the program does not answer ok to the game".to_owned()),
        (Probe::Moves, Answer::Moves { status, actions }, Answer::Moves { status: said, actions: listed }) => {
            let extra = listed.iter().find(|action| !actions.contains(action));
            let missing = actions.iter().find(|action| !listed.contains(action));
            if let Some(text) = extra {
                match game.parse_action(text) {
                    Ok(action) => allows(&reference, position, action),
                    Err(error) => new(Class::Refusal, &[], format!("it lists {text:?}: {error}")),
                }
            } else if let Some(action) = missing.and_then(|text| game.parse_action(text).ok()) {
                forbids(&reference, position, action, None)
            } else if status != said {
                status_of(&reference, position, Class::Status, said)
            } else {
                new(Class::Order, &[], "the actions are listed twice or not sorted byte by byte".to_owned())
            }
        }
        (Probe::Apply(action), Answer::Illegal { .. }, Answer::Applied { .. }) => allows(&reference, position, *action),
        (Probe::Apply(action), Answer::Applied { .. }, Answer::Illegal { clause }) => {
            forbids(&reference, position, *action, clause.as_deref())
        }
        (Probe::Apply(action), Answer::Applied { .. }, Answer::Applied { .. }) => {
            results(&reference, position, *action, expected, got)
        }
        (Probe::Status, Answer::Status { .. }, Answer::Status { status }) => {
            status_of(&reference, position, Class::Status, status)
        }
        (Probe::Perft(_), Answer::Perft { .. }, Answer::Perft { .. }) => {
            new(Class::Count, &[], "actions and results agree, the count does not".to_owned())
        }
        (probe, _, Answer::Error { message }) => {
            new(Class::Refusal, &[], format!("the program refuses {}: {message:?}", asked(*probe)))
        }
        (probe, _, _) => {
            new(Class::Refusal, &[], format!("what the program answers does not belong to {}", asked(*probe)))
        }
    }
}

/// Names the subject of a question, for a sentence.
const fn asked(probe: Probe) -> &'static str {
    match probe {
        Probe::Game => "the game",
        Probe::Moves => "the question for the legal actions",
        Probe::Apply(_) => "the question for the result of an action",
        Probe::Status => "the question for the status",
        Probe::Perft(_) => "the question for a count",
    }
}

fn allows(reference: &Reference, position: &Position, action: Action) -> Diagnosis {
    let class = Class::Allows(Act::of(action));
    let Err(illegal) = reference.check(position, action) else {
        return Diagnosis { class, clauses: Vec::new(), why: "the program lists an action twice".to_owned() };
    };
    let mut why = format!("the program allows what is forbidden: {}", illegal.explain(reference.game(), action));
    let mut clauses = vec![illegal.clause];
    for reading in readings(reference.game(), position, action) {
        if reading.check.is_ok() {
            let _ = write!(why, "; it would be legal with {}", reading.how);
            clauses.push(reading.clause);
        }
    }
    clauses.extend(behind(&illegal));
    Diagnosis { class, clauses: distinct(clauses), why }
}

/// Returns a legal action that the program forbids: the clauses by which it would be illegal under
/// other readings, then those that such an action has to pass.
fn forbids(reference: &Reference, position: &Position, action: Action, said: Option<&str>) -> Diagnosis {
    let (game, text) = (reference.game(), action.display(reference.game()).to_string());
    let mut clauses: Vec<Clause> = Vec::new();
    let mut why = format!("the program forbids {text}, which is legal");
    if let Some(clause) = said.and_then(|said| said.parse::<Clause>().ok()) {
        let _ = write!(why, "; it cites {clause}");
        clauses.push(clause);
    }
    for reading in readings(game, position, action) {
        if let Err(illegal) = reading.check {
            let _ = write!(why, "; with {} it would be illegal by {}", reading.how, illegal.clause);
            clauses.push(reading.clause);
        }
    }
    let foes = position.pods().any(|(_, pod)| pod.side != position.to_move());
    let passes: &[Clause] = match action {
        Action::Place { .. } if position.is_open() => &[Clause::R9, Clause::R10],
        Action::Place { .. } if foes => &[Clause::R11, Clause::R12, Clause::R13],
        Action::Place { .. } => &[Clause::R10, Clause::R13],
        Action::Move { .. } => &[Clause::R17],
        Action::Shove { .. } => &[Clause::R22],
        Action::Kick { .. } => &[Clause::R24],
    };
    if clauses.is_empty() {
        clauses = passes.to_vec();
    }
    Diagnosis { class: Class::Forbids(Act::of(action)), clauses: distinct(clauses), why }
}

/// Returns each clause once, in the order given.
pub(super) fn distinct(clauses: Vec<Clause>) -> Vec<Clause> {
    let mut seen: Vec<Clause> = Vec::new();
    for clause in clauses {
        if !seen.contains(&clause) {
            seen.push(clause);
        }
    }
    seen
}

fn results(reference: &Reference, position: &Position, action: Action, expected: &Answer, got: &Answer) -> Diagnosis {
    let (
        Answer::Applied { position: next, status, returned, removed },
        Answer::Applied { position: said, status: told, returned: back, removed: out },
    ) = (expected, got)
    else {
        return Diagnosis { class: Class::Refusal, clauses: Vec::new(), why: String::new() };
    };
    let (game, act, text) = (reference.game(), Act::of(action), action.display(reference.game()).to_string());
    let pushed = matches!(act, Act::Shove | Act::Kick);
    if (returned, removed) != (back, out) {
        let mut clauses = vec![if pushed || game.rules().options().shove_liberty { Clause::R27 } else { Clause::R18 }];
        clauses
            .extend([Clause::R18, Clause::R7].into_iter().filter(|clause| *clause != clauses[0]).collect::<Vec<_>>());
        let why = format!("the program takes other pods off the board after {text}");
        return Diagnosis { class: Class::Captures, clauses, why };
    }
    if next != said {
        let parts = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (right, wrong) = (parts(next), parts(said));
        let differs = |field: usize| right.get(field) != wrong.get(field);
        let clauses = if differs(1) {
            vec![Clause::R8]
        } else if differs(4) {
            vec![Clause::R9, Clause::R32]
        } else if (differs(2) || differs(3)) && !returned.is_empty() {
            vec![Clause::R18]
        } else {
            vec![match act {
                Act::Place => Clause::R10,
                Act::Move => Clause::R17,
                Act::Shove => Clause::R22,
                Act::Kick => Clause::R24,
            }]
        };
        return Diagnosis { class: Class::Result(act), clauses, why: format!("another position follows {text}") };
    }
    if status != told
        && let Some(transition) = reference.transition(position, action)
    {
        return status_of(reference, &transition.next, Class::NextStatus, told);
    }
    Diagnosis { class: Class::Order, clauses: Vec::new(), why: format!("the answer to {text} is in another order") }
}

/// Returns the clause that decides, or might decide, whether the game goes on.
fn status_of(reference: &Reference, position: &Position, class: Class, told: &str) -> Diagnosis {
    let (game, options) = (reference.game(), reference.game().rules().options());
    let empty = [position.to_move(), position.to_move().other()].map(|side| position.hand(side).is_empty());
    let by_hand = position.won_by_empty_hand(game).is_some();
    let played = if options.moves { Clause::R19 } else { Clause::R16 };
    let stuck = if options.moves { Clause::R20 } else { Clause::R15 };
    let actions = reference.sorted_actions(position);
    let only_pushes =
        !actions.is_empty() && actions.iter().all(|a| matches!(a, Action::Shove { .. } | Action::Kick { .. }));
    let clauses = match class {
        Class::NextStatus if by_hand => vec![played, Clause::R30],
        _ if by_hand => vec![Clause::R30, played],
        _ if only_pushes => vec![Clause::R28, stuck],
        // The player who is not to move is said to have lost.
        _ if told == Status::Won(position.to_move()).name() => vec![stuck, Clause::R16, Clause::R30],
        _ if empty[0] => vec![stuck, Clause::R16, Clause::R30],
        _ if empty[1] => vec![Clause::R16, Clause::R30, stuck],
        _ => vec![stuck],
    };
    let why = match reference.status(position) {
        Status::Ongoing => "the game goes on",
        Status::Won(_) if by_hand => "an empty hand has won",
        Status::Won(_) => "the player to move has no legal action",
    };
    Diagnosis { class, clauses, why: format!("in {}, {why}", position.display(game)) }
}
