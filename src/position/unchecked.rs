//! Unchecked positions, as they were written down (R29).

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::files::shortened;
use crate::geometry::{Coord, MAX_SPAN};
use crate::material::{BySide, PodKind, PodSet, Side};
use crate::rules::{Clause, Opening};

use super::hand::write_hand;
use super::play::{flag, mover, write_rows};
use super::{Game, Hand, Pod, Position, StartError};

/// A position as read, not checked: it is well written, but may be impossible.
///
/// It has the text of a position and needs no game for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncheckedPosition {
    /// Columns of each row, from the top row down.
    pub widths: Vec<usize>,
    /// The pods on the board: place, owner, id.
    pub pods: Vec<(Coord, Side, char)>,
    /// The side to move.
    pub to_move: Side,
    /// White's hand, then Black's: ids with counts.
    pub hands: [Vec<(char, u8)>; 2],
    /// True if the opening clause still binds the side to move (R32).
    pub open: bool,
}

/// The reason why a text is not written as a position or a hand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// The cause.
    pub cause: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position text, column {}: {}", self.column, self.cause)
    }
}

impl std::error::Error for SyntaxError {}

/// Reasons why a text is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// It is not written as a position is.
    #[error(transparent)]
    Text(#[from] SyntaxError),
    /// It is well written, but impossible in this game.
    #[error(transparent)]
    Refused(#[from] Refusals),
    /// The setup cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Reasons why a text is not a hand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandError {
    /// It is not written as a hand is.
    #[error("column {}: {}", .0.column, .0.cause)]
    Text(#[from] SyntaxError),
    /// The set has no such pod (R3).
    #[error("the pod set {set} has no pod {id}: it has {ids} (R3)")]
    NoPod {
        /// The id.
        id: char,
        /// The name of the set.
        set: String,
        /// The ids that the set has.
        ids: String,
    },
}

/// Kinds of reasons why a setup is not a position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RefusalKind {
    /// The rows are not those of the board (R29).
    Size,
    /// A pod stands where the board has no point (R29).
    NoPoint,
    /// The set has no such pod (R29).
    NoPod,
    /// A player has more of a pod than the set (R29).
    TooMany,
    /// No opening is restricted under these rules (R32): it may be a position of other rules.
    NotRestricted,
    /// The side to move is to open with a bipod and has none in hand (R9).
    NoBipod,
}

impl RefusalKind {
    /// Returns the clause that such a setup goes against.
    #[must_use]
    pub const fn clause(self) -> Clause {
        match self {
            RefusalKind::NotRestricted => Clause::R32,
            RefusalKind::NoBipod => Clause::R9,
            _ => Clause::R29,
        }
    }
}

/// One reason why a setup is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of the reason.
    pub kind: RefusalKind,
    /// The cause.
    pub cause: String,
}

/// Every reason why a setup is not a position of a game; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusals(pub Vec<Refusal>);

impl fmt::Display for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no position of this game: ")?;
        for (i, refusal) in self.0.iter().enumerate() {
            write!(f, "{}{} ({})", if i == 0 { "" } else { "; " }, refusal.cause, refusal.kind.clause())?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusals {}

impl FromStr for UncheckedPosition {
    type Err = SyntaxError;

    /// Reads `<rows> <side> <white hand> <black hand> <open>`; an error has the column.
    fn from_str(text: &str) -> Result<UncheckedPosition, SyntaxError> {
        let mut fields = Vec::new();
        let mut column = 1;
        for field in text.split(' ') {
            fields.push((column, field));
            column += field.chars().count() + 1;
        }
        let [rows, side, white, black, open] = fields[..] else {
            return Err(SyntaxError {
                column: 1,
                cause: format!(
                    "a position has five fields, `<rows> <side> <white hand> <black hand> <open>` with one blank between, this has {}{}",
                    fields.len(),
                    if is_word(text) { "; did you mean `start`?" } else { "" }
                ),
            });
        };
        let (widths, pods) = parse_rows(rows)?;
        let to_move = match side.1 {
            "w" => Side::White,
            "b" => Side::Black,
            other => {
                return Err(SyntaxError {
                    column: side.0,
                    cause: format!("the side to move is w or b, not {:?}", shortened(other)),
                });
            }
        };
        let open = match open.1 {
            "open" => true,
            "-" => false,
            other => {
                return Err(SyntaxError {
                    column: open.0,
                    cause: format!("the last field is open or -, not {:?}", shortened(other)),
                });
            }
        };
        Ok(UncheckedPosition { widths, pods, to_move, hands: [parse_hand(white)?, parse_hand(black)?], open })
    }
}

impl fmt::Display for UncheckedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pods: HashMap<Coord, (Side, char)> = self.pods.iter().map(|&(at, side, id)| (at, (side, id))).collect();
        let rows = self.widths.len();
        write_rows(f, rows, |row| self.widths[rows - 1 - row], |coord| pods.get(&coord).copied())?;
        write!(f, " {} ", mover(self.to_move))?;
        for hand in &self.hands {
            write_hand(f, hand.iter().copied())?;
            f.write_char(' ')?;
        }
        f.write_str(flag(self.open))
    }
}

impl UncheckedPosition {
    /// Says so if the rows are whole, and those of a board of another size.
    fn of_another_size(&self, game: &Game) -> Option<String> {
        let board = game.board();
        let (rows, width) = (self.widths.len(), *self.widths.first()?);
        let whole = self.widths.iter().all(|&other| other == width);
        let other = (rows, width) != (board.rows().into(), board.columns().into());
        (whole && other).then(|| {
            format!(
                "the position has {rows} rows of {width} places, the board {} has {} of {}: name the board and pods that it belongs to",
                board.name(),
                board.rows(),
                board.columns()
            )
        })
    }

    /// Checks the setup against a game.
    ///
    /// # Errors
    ///
    /// If it is not consistent (R29, R32) or its opening cannot be played (R9), with every reason.
    pub fn check(&self, game: &Game) -> Result<Position, Refusals> {
        self.check_but_for(game, &[])
    }

    /// Checks the setup against a game, and accepts an opening that the game cannot have: with
    /// [`RefusalKind::NotRestricted`] or [`RefusalKind::NoBipod`] among the `accepted` kinds, such
    /// an opening is taken as over. Other kinds leave no position to play from, and are refused
    /// all the same.
    ///
    /// ```
    /// use pods::position::{Game, RefusalKind, UncheckedPosition};
    /// use pods::{material, rules::RuleSet};
    ///
    /// let board = material::builtin_board("nook9").unwrap();
    /// let pods = material::builtin_pods("duo").unwrap();
    /// let game = Game::new(board, pods, "standard+opening=any".parse::<RuleSet>().unwrap());
    /// let of_other_rules: UncheckedPosition = "3/3/3 w bt bt open".parse().unwrap();
    /// assert_eq!(of_other_rules.check(&game).unwrap_err().0[0].kind, RefusalKind::NotRestricted);
    /// let position = of_other_rules.check_but_for(&game, &[RefusalKind::NotRestricted]).unwrap();
    /// assert_eq!(position.display(&game).to_string(), "3/3/3 w bt bt -");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), but for what is accepted.
    pub fn check_but_for(&self, game: &Game, accepted: &[RefusalKind]) -> Result<Position, Refusals> {
        let (board, pods) = (game.board(), game.pods());
        let (mut refusals, mut open) = (Vec::new(), self.open);
        let mut refuse = |kind, cause| {
            let of_opening = matches!(kind, RefusalKind::NotRestricted | RefusalKind::NoBipod);
            open &= !of_opening;
            if !(of_opening && accepted.contains(&kind)) {
                refusals.push(Refusal { kind, cause });
            }
        };
        if let Some(cause) = self.of_another_size(game) {
            // On a board of another size no place is the one that is meant.
            refuse(RefusalKind::Size, cause);
            return Err(Refusals(refusals));
        }
        if self.widths.len() != board.rows() as usize {
            refuse(RefusalKind::Size, format!("it has {} rows, the board {}", self.widths.len(), board.rows()));
        }
        for (i, &width) in self.widths.iter().enumerate() {
            if width != board.columns() as usize {
                let row = self.widths.len() - i;
                refuse(RefusalKind::Size, format!("row {row} has {width} columns, the board {}", board.columns()));
            }
        }
        let mut occupants = vec![None; board.len()];
        let mut hands = [Hand::EMPTY; 2];
        let mut in_play = [Hand::EMPTY; 2];
        let mut unknown = HashSet::new();
        // An unknown pod is refused once, wherever it stands.
        let mut kind_of = |side, id, refuse: &mut dyn FnMut(RefusalKind, String)| {
            let kind = pods.kind(id);
            if kind.is_none() && unknown.insert((side, id)) {
                refuse(RefusalKind::NoPod, unknown_pod(pods, side, id));
            }
            kind
        };
        for &(coord, side, id) in &self.pods {
            let point = board.point_at(coord);
            if point.is_none() {
                refuse(
                    RefusalKind::NoPoint,
                    format!("{side}'s pod {id} stands on {coord}, which is no point of the board"),
                );
            }
            let Some(kind) = kind_of(side, id, &mut refuse) else { continue };
            in_play[side.index()].add(kind);
            if let Some(point) = point {
                occupants[point.index()] = Some(Pod { side, kind });
            }
        }
        for side in Side::BOTH {
            for &(id, count) in &self.hands[side.index()] {
                let Some(kind) = kind_of(side, id, &mut refuse) else { continue };
                for _ in 0..count {
                    hands[side.index()].add(kind);
                    in_play[side.index()].add(kind);
                }
            }
            for (kind, count) in in_play[side.index()].iter() {
                let spec = pods.spec(kind);
                if count > spec.count {
                    let (id, most) = (spec.id, spec.count);
                    refuse(
                        RefusalKind::TooMany,
                        format!("{side} has {count} of pod {id}, the set {} has {most}", pods.name()),
                    );
                }
            }
        }
        if self.open {
            let side = self.to_move;
            if game.rules().options().opening == Opening::Any {
                refuse(
                    RefusalKind::NotRestricted,
                    "it says `open`, but under opening=any no opening is restricted: write -".to_owned(),
                );
            } else if !hands[side.index()].iter().any(|(kind, _)| pods.is_bipod(kind)) {
                refuse(
                    RefusalKind::NoBipod,
                    format!("{side} must open with a bipod and has none in hand: add a pod with two legs, or write -"),
                );
            }
        }
        if refusals.is_empty() {
            Ok(Position { occupants, hands: hands.into(), to_move: self.to_move, open })
        } else {
            Err(Refusals(refusals))
        }
    }
}

fn unknown_pod(pods: &PodSet, side: Side, id: char) -> String {
    let ids: String = pods.kinds().map(|kind| pods.id(kind)).collect();
    format!("{side}'s pod {id} is not in the set {} (which has {ids})", pods.name())
}

type Rows = (Vec<usize>, Vec<(Coord, Side, char)>);

/// Returns `true` if a text is a word, and so meant to be a name: rows have digits or slashes.
fn is_word(text: &str) -> bool {
    text.len() > 1 && text.chars().all(|c| c.is_ascii_alphabetic())
}

fn parse_rows((start, text): (usize, &str)) -> Result<Rows, SyntaxError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() > MAX_SPAN {
        return Err(SyntaxError { column: start, cause: format!("a board has at most {MAX_SPAN} rows") });
    }
    let (mut widths, mut pods) = (Vec::new(), Vec::new());
    let mut column = start;
    for (i, row) in rows.iter().enumerate() {
        let fail = |at: usize, cause: String| Err(SyntaxError { column: column + at, cause });
        let mut width = 0;
        let mut chars = row.chars().enumerate().peekable();
        if row.is_empty() {
            return fail(0, "a row is empty: write the number of its columns".to_owned());
        }
        while let Some((at, c)) = chars.next() {
            if c.is_ascii_digit() {
                let mut number = c as usize - '0' as usize;
                if number == 0 {
                    return fail(at, "a number of empty places begins with 1 to 9".to_owned());
                }
                while let Some((_, digit)) = chars.next_if(|(_, d)| d.is_ascii_digit()) {
                    number = (number * 10 + digit as usize - '0' as usize).min(MAX_SPAN + 1);
                }
                width += number;
            } else if c.is_ascii_alphabetic() {
                let side = if c.is_ascii_uppercase() { Side::White } else { Side::Black };
                if width < MAX_SPAN {
                    let coord = Coord { row: (rows.len() - 1 - i) as u8, column: width as u8 };
                    pods.push((coord, side, c.to_ascii_lowercase()));
                }
                width += 1;
            } else {
                return fail(at, format!("found {c:?} where a pod's letter, a number or / belongs"));
            }
            if width > MAX_SPAN {
                return fail(at, format!("a board has at most {MAX_SPAN} columns"));
            }
        }
        widths.push(width);
        column += row.chars().count() + 1;
    }
    Ok((widths, pods))
}

/// Reads a hand of a position: ids in alphabetical order, counts above 1 behind them, `-` for none.
fn parse_hand((start, text): (usize, &str)) -> Result<Vec<(char, u8)>, SyntaxError> {
    let hand = parse_any_hand((start, text))?;
    for pair in hand.windows(2) {
        let ((_, last, _), (column, id, _)) = (pair[0], pair[1]);
        if last >= id {
            let cause = format!("pod {id} is out of order: ids rise alphabetically, repeated pods as a count (b2)");
            return Err(SyntaxError { column, cause });
        }
    }
    Ok(hand.into_iter().map(|(_, id, count)| (id, count)).collect())
}

/// Reads ids in any order, each with its column and its count.
fn parse_any_hand((start, text): (usize, &str)) -> Result<Vec<(usize, char, u8)>, SyntaxError> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let fail = |at: usize, cause: String| Err(SyntaxError { column: start + at, cause });
    let mut hand = Vec::new();
    let mut chars = text.chars().enumerate().peekable();
    if text.is_empty() {
        return fail(0, "a hand is empty: write - for no pod".to_owned());
    }
    while let Some((at, id)) = chars.next() {
        if !id.is_ascii_lowercase() {
            return fail(
                at,
                format!("found {id:?} in a hand: ids are letters a to z, counts stand behind them, no pod is -"),
            );
        }
        let mut digits = String::new();
        while let Some((_, digit)) = chars.next_if(|(_, d)| d.is_ascii_digit()) {
            digits.push(digit);
        }
        let count = match digits.parse::<u8>() {
            _ if digits.is_empty() => 1,
            Ok(count) if (2..=PodSet::MAX_COUNT).contains(&count) && !digits.starts_with('0') => count,
            _ => return fail(at + 1, format!("the count {digits} of pod {id} is not from 2 to {}", PodSet::MAX_COUNT)),
        };
        hand.push((start + at, id, count));
    }
    Ok(hand)
}

impl Hand {
    /// Reads a hand as a position's text has it: ids in alphabetical order, `-` for no pod.
    ///
    /// # Errors
    ///
    /// If the text is not written so, or names a pod that the set lacks.
    pub fn parse(text: &str, pods: &PodSet) -> Result<Hand, HandError> {
        parse_hand((1, text))?;
        Hand::parse_in_any_order(text, pods)
    }

    /// Reads the hands of White and Black: `bdt` for both, or `bdt:bd` for one each; an empty one is
    /// the whole set.
    ///
    /// # Errors
    ///
    /// As [`Hand::parse_in_any_order`].
    pub fn parse_both(text: &str, pods: &PodSet) -> Result<BySide<Hand>, HandError> {
        let (white, black) = text.split_once(':').unwrap_or((text, text));
        let read = |text: &str| match text {
            "" => Ok(Hand::whole(pods)),
            text => Hand::parse_in_any_order(text, pods),
        };
        Ok(BySide { white: read(white)?, black: read(black)? })
    }

    /// Reads a hand whose ids may come in any order, and as capitals; one that comes twice counts
    /// twice.
    ///
    /// # Errors
    ///
    /// If the text is not written so, or names a pod that the set lacks.
    pub fn parse_in_any_order(text: &str, pods: &PodSet) -> Result<Hand, HandError> {
        let mut hand = Hand::EMPTY;
        for (_, id, count) in parse_any_hand((1, &text.to_ascii_lowercase()))? {
            let kind: PodKind = pods.kind(id).ok_or_else(|| {
                let ids: String = pods.kinds().map(|kind| pods.id(kind)).collect();
                HandError::NoPod { id, set: pods.name().to_owned(), ids }
            })?;
            for _ in 0..count {
                hand.add(kind);
            }
        }
        Ok(hand)
    }
}

impl Game {
    /// Reads a position's text and checks it.
    ///
    /// # Errors
    ///
    /// If the text is not written as a position is, or is not a position of this game.
    pub fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        Ok(text.parse::<UncheckedPosition>()?.check(self)?)
    }
}
