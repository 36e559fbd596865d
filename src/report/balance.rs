//! First-player advantage of a setup (R34).

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::engine::{Bitboard, Engine, Reference, Status};
use crate::material::{MaterialError, Side};
use crate::position::{Game, Position, StartError};
use crate::solver::{
    Exhaustive, Limits, Method, Observer, Outcome, Plies, Retrograde, SolveError, Stopped, Value, Verdict,
    mover_loses_by_mirror, random_play_score,
};
use crate::table::{AnswerError, Shelf, TableError};

use super::Entry;
use super::rows::write_rows;

/// What the values with White and with Black to start say together (R34).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutcomeClass {
    /// Who starts wins.
    First,
    /// Who starts loses.
    Second,
    /// White wins, whoever starts.
    White,
    /// Black wins, whoever starts.
    Black,
    /// Drawn, whoever starts.
    Drawn,
    /// Drawn if White starts, decided if Black does.
    DrawnIfWhiteStarts,
    /// Drawn if Black starts, decided if White does.
    DrawnIfBlackStarts,
}

impl OutcomeClass {
    /// The class of two outcomes, each as the player who starts sees it.
    #[must_use]
    pub const fn of(white_first: Outcome, black_first: Outcome) -> OutcomeClass {
        match (white_first, black_first) {
            (Outcome::Draw, Outcome::Draw) => OutcomeClass::Drawn,
            (Outcome::Draw, _) => OutcomeClass::DrawnIfWhiteStarts,
            (_, Outcome::Draw) => OutcomeClass::DrawnIfBlackStarts,
            (Outcome::Win, Outcome::Win) => OutcomeClass::First,
            (Outcome::Loss, Outcome::Loss) => OutcomeClass::Second,
            (Outcome::Win, Outcome::Loss) => OutcomeClass::White,
            (Outcome::Loss, Outcome::Win) => OutcomeClass::Black,
        }
    }

    /// The name, as in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OutcomeClass::First => "first",
            OutcomeClass::Second => "second",
            OutcomeClass::White => "white",
            OutcomeClass::Black => "black",
            OutcomeClass::Drawn => "drawn",
            OutcomeClass::DrawnIfWhiteStarts => "drawn-if-white-starts",
            OutcomeClass::DrawnIfBlackStarts => "drawn-if-black-starts",
        }
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many of White's first actions win, draw and lose for White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    /// Those that win.
    pub winning: u64,
    /// Those that draw.
    pub drawing: u64,
    /// Those that lose.
    pub losing: u64,
}

/// How the values of a row were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// Derived again from the next positions with the reference engine, position by position.
    Reference,
    /// The conditions of a theorem hold.
    Theorem,
    /// The starts alone, derived with the reference engine from the table's values of the next positions. The rest of
    /// the table is for [`crate::table::Table::verify`].
    Step,
}

impl Verified {
    /// The name, as in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verified::Reference => "reference",
            Verified::Theorem => "theorem",
            Verified::Step => "reference-step",
        }
    }
}

/// A row of the balance report.
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceRow {
    /// The setup.
    pub entry: Entry,
    /// What is known with White to start, as White sees it.
    pub white_first: Verdict,
    /// What is known with Black to start, as Black sees it.
    pub black_first: Verdict,
    /// White's first actions.
    pub openings: Openings,
    /// White's expected score with White to start and uniformly random play; `None` where games can be endless or
    /// there are too many positions.
    pub random_play_score: Option<f64>,
    /// How many positions the values rest on: those in the solver's table; 1 where a theorem settles the start.
    pub positions: u64,
    /// How the values were got.
    pub method: Method,
    /// How they were checked; `None` if they were not.
    pub verified: Option<Verified>,
    /// The names of the files that prove the values with White and with Black to start, where there are such files.
    pub certificates: [Option<String>; 2],
}

/// Why a row could not be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BalanceError {
    /// Board or pods cannot be read.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A hand or a rule set is not one.
    #[error("{0}")]
    Setup(String),
    /// The game cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// No value within the limits, or one that does not verify.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A table cannot be read.
    #[error(transparent)]
    Table(Arc<TableError>),
}

impl From<AnswerError> for BalanceError {
    fn from(error: AnswerError) -> BalanceError {
        match error {
            AnswerError::Table(error) => BalanceError::Table(Arc::new(error)),
            AnswerError::Discrepancy(found) => BalanceError::Solve(found.into()),
        }
    }
}

impl From<Stopped> for BalanceError {
    fn from(stopped: Stopped) -> BalanceError {
        BalanceError::Solve(stopped.into())
    }
}

/// Positions up to which the expected score of random play is computed.
const RANDOM_PLAY_POSITIONS: u64 = 400_000;

/// Solves a setup with White and with Black to start (R34), and verifies the values with the reference engine.
///
/// # Errors
///
/// If the setup cannot start, is too large for the limits, or does not verify.
pub fn balance(entry: &Entry, limits: Limits, observer: &dyn Observer) -> Result<BalanceRow, BalanceError> {
    balance_from(entry, None, limits, observer)
}

/// As [`balance`], but what a table holds is looked up.
///
/// # Errors
///
/// As [`balance`], and if a table is damaged.
pub fn balance_from(
    entry: &Entry,
    tables: Option<&Shelf>,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<BalanceRow, BalanceError> {
    let (game, white_hand, black_hand) = entry.game()?;
    let starts = [game.start(white_hand, black_hand, Side::White)?, game.start(white_hand, black_hand, Side::Black)?];
    let engine = Bitboard::new(game.clone());
    let next: Vec<Position> = engine
        .actions(&starts[0])
        .into_iter()
        .map(|action| engine.apply(&starts[0], action).expect("listed as legal").next)
        .collect();
    let fits = |start| Exhaustive::predict(&engine, start).bytes <= u128::from(limits.memory);
    let looked_up = tables.map(|shelf| look_up(shelf, &engine, &starts, &next)).transpose()?.flatten();
    let solved = if let Some(solved) = looked_up {
        solved
    } else if game.rules().can_cycle() {
        retrograde(&engine, &starts, &next, limits, observer)?
    } else {
        match mirror(&game, &starts, next.len()) {
            Some(solved) if !fits(&starts[0]) => solved,
            _ => exhaustive(&engine, &starts, &next, limits, observer)?,
        }
    };
    let random_play_score = if game.rules().can_cycle() {
        None
    } else {
        let limits = Limits { positions: RANDOM_PLAY_POSITIONS, ..limits };
        random_play_score(&engine, &starts[0], limits, observer).ok()
    };
    let mut openings = Openings::default();
    for outcome in solved.openings {
        match outcome {
            Outcome::Win => openings.winning += 1,
            Outcome::Draw => openings.drawing += 1,
            Outcome::Loss => openings.losing += 1,
        }
    }
    let [white_first, black_first] = solved.starts;
    Ok(BalanceRow {
        entry: entry.clone(),
        white_first,
        black_first,
        openings,
        random_play_score,
        positions: solved.positions,
        method: solved.method,
        verified: Some(solved.verified),
        certificates: [None, None],
    })
}

struct Solved {
    starts: [Verdict; 2],
    /// The outcomes of White's first actions, as White sees them.
    openings: Vec<Outcome>,
    positions: u64,
    method: Method,
    verified: Verified,
}

/// The values from a table, if one holds the starts.
fn look_up(
    shelf: &Shelf,
    engine: &Bitboard,
    starts: &[Position; 2],
    next: &[Position],
) -> Result<Option<Solved>, BalanceError> {
    let mut lookup = shelf.of(engine.game()).map_err(AnswerError::from)?;
    let (mut verdicts, mut positions) = (Vec::new(), 0);
    for start in starts {
        verdicts.push(match (lookup.solve(start, true)?, engine.status(start)) {
            (Some(solution), _) => {
                positions = solution.positions;
                solution.verdict
            }
            (None, Status::Won(side)) if side == start.to_move() => Verdict::Value(Value::Win(0)),
            (None, Status::Won(_)) => Verdict::Value(Value::Loss(0)),
            (None, Status::Ongoing) => return Ok(None),
        });
    }
    let mut openings = Vec::new();
    for position in next {
        let Some(answer) = lookup.answer(position)? else { return Ok(None) };
        openings.push(answer.outcome.reversed());
    }
    let starts = [verdicts[0], verdicts[1]];
    let solved = Solved { starts, openings, positions, method: Method::Table, verified: Verified::Step };
    Ok(Some(solved).filter(|_| positions > 0))
}

fn retrograde(
    engine: &Bitboard,
    starts: &[Position; 2],
    next: &[Position],
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Solved, BalanceError> {
    let table = Retrograde::build(engine, &[&starts[0], &starts[1]], limits, observer)?;
    table.verify(&Reference::new(engine.game().clone()), observer).map_err(SolveError::from)?;
    let value = |position: &Position| table.value(position).expect("the starts lead to it");
    Ok(Solved {
        starts: [&starts[0], &starts[1]].map(|start| Verdict::Value(value(start))),
        openings: next.iter().map(|position| value(position).outcome().reversed()).collect(),
        positions: table.positions(),
        method: Method::Retrograde,
        verified: Verified::Reference,
    })
}

fn exhaustive(
    engine: &Bitboard,
    starts: &[Position; 2],
    next: &[Position],
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Solved, BalanceError> {
    let reference = Reference::new(engine.game().clone());
    let mut search = Exhaustive::new(engine.clone(), &[&starts[0], &starts[1]], limits);
    let mut solve = || -> Result<(Vec<Value>, Vec<Outcome>), Stopped> {
        let values = starts.iter().map(|start| search.value(start, observer)).collect::<Result<_, _>>()?;
        let outcomes = next.iter().map(|position| search.outcome(position, observer)).collect::<Result<_, _>>()?;
        Ok((values, outcomes))
    };
    let (values, outcomes) = solve()?;
    let claimed_values: Vec<(&Position, Value)> = starts.iter().zip(values.iter().copied()).collect();
    let claimed_outcomes: Vec<(&Position, Outcome)> = next
        .iter()
        .zip(outcomes.iter().copied())
        .filter(|(position, _)| engine.status(position) == Status::Ongoing)
        .collect();
    search.verify(&reference, &claimed_values, &claimed_outcomes, observer).map_err(SolveError::from)?;
    Ok(Solved {
        starts: [Verdict::Value(values[0]), Verdict::Value(values[1])],
        openings: outcomes.into_iter().map(Outcome::reversed).collect(),
        positions: search.positions(),
        method: Method::Exhaustive,
        verified: Verified::Reference,
    })
}

/// By the mirror theorem: who starts loses, whatever the first action.
fn mirror(game: &Game, starts: &[Position; 2], openings: usize) -> Option<Solved> {
    starts.iter().all(|start| mover_loses_by_mirror(game, start).is_ok()).then(|| Solved {
        starts: [Verdict::Outcome(Outcome::Loss); 2],
        openings: vec![Outcome::Loss; openings],
        positions: 1,
        method: Method::Mirror,
        verified: Verified::Theorem,
    })
}

/// The columns of the balance report.
pub const CSV_HEADER: [&str; 20] = [
    "board",
    "orientation",
    "pods",
    "white_hand",
    "black_hand",
    "rules",
    "white_first",
    "white_first_plies",
    "black_first",
    "black_first_plies",
    "outcome_class",
    "winning_openings",
    "drawing_openings",
    "losing_openings",
    "random_play_score",
    "positions",
    "method",
    "verified",
    "white_first_certificate",
    "black_first_certificate",
];

impl BalanceRow {
    /// The outcome class of the setup.
    #[must_use]
    pub fn outcome_class(&self) -> OutcomeClass {
        OutcomeClass::of(self.white_first.outcome(), self.black_first.outcome())
    }

    /// The cells of the row, in the order of [`CSV_HEADER`]; what is not known is empty.
    #[must_use]
    pub fn cells(&self) -> [String; 20] {
        let plies = |plies: Option<Plies>| plies.map(|n| n.to_string()).unwrap_or_default();
        let [board, orientation, pods, white_hand, black_hand, rules] = self.entry.cells();
        let [white_certificate, black_certificate] = self.certificates.clone().map(Option::unwrap_or_default);
        [
            board,
            orientation,
            pods,
            white_hand,
            black_hand,
            rules,
            self.white_first.outcome().name().to_owned(),
            plies(self.white_first.plies()),
            self.black_first.outcome().name().to_owned(),
            plies(self.black_first.plies()),
            self.outcome_class().name().to_owned(),
            self.openings.winning.to_string(),
            self.openings.drawing.to_string(),
            self.openings.losing.to_string(),
            self.random_play_score.map(|score| format!("{score:.6}")).unwrap_or_default(),
            self.positions.to_string(),
            self.method.name().to_owned(),
            self.verified.map(|v| v.name().to_owned()).unwrap_or_default(),
            white_certificate,
            black_certificate,
        ]
    }
}

/// Writes rows as CSV with a header (RFC 4180).
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_csv(rows: &[BalanceRow], out: impl io::Write) -> io::Result<()> {
    write_rows(CSV_HEADER, rows.iter().map(BalanceRow::cells), out)
}
