//! Plays written games again, with the reference engine alone.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

use super::order::Order;
use super::record::{BEGINNING, EndLine, FORMAT, GameLine, Header, Line, SetupLine, UNCLOSED, VERSION, result};
use crate::engine::{Engine as _, Reference, Status};
use crate::files::{describe_json_fault, escaped, read_line, without_bom};
use crate::position::{Action, Position};

const LINE_LIMIT: usize = 1 << 24;

/// A game of the file, played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The game as the file gives it.
    pub said: GameLine,
    /// The positions from the start on, up to the first illegal action.
    pub positions: Vec<String>,
    /// Fault of the game, if any: an illegal action, with the clause that forbids it, or a false
    /// claim.
    pub fault: Option<String>,
}

impl Replayed {
    /// Returns the number of plies before the first illegal action.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }
}

/// Reasons why a file of games cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A line cannot be read.
    #[error("line {line}: {cause}")]
    Io {
        /// The line, from 1.
        line: usize,
        /// The error.
        cause: io::Error,
    },
    /// The first line is not that of a file of games.
    #[error(
        "line 1: this is no file of games: it begins with an object of the type \"match\", the format {FORMAT:?} and the version \
         {UNCLOSED} or {VERSION}, as `pods match --out` writes it"
    )]
    NotGames,
    /// A line does not have the syntax of such a file, contradicts another line, or holds a setup
    /// that cannot be.
    #[error("line {line}: {cause}")]
    Wrong {
        /// The line, from 1.
        line: usize,
        /// The cause, with the column where one is known.
        cause: String,
    },
    /// The file is empty or cut short, or lines are repeated or in a wrong place. The games before
    /// have been visited.
    #[error("{0}")]
    NotWhole(String),
}

struct Setup {
    engine: Reference,
    start: Position,
}

/// Reads a file of games line by line and plays each game again. Calls `visit` with each game in
/// turn; it may end the run. Returns the header of the file. A file of the version `UNCLOSED` has
/// no line that closes it, so games that are missing at its end are only noticed where the last
/// pair is not whole.
///
/// # Errors
///
/// If the file cannot be read, has the wrong syntax, or is not complete. A game that is wrong, or
/// in a wrong place, is not an error: `visit` gets it with its fault.
pub fn replay(
    source: &mut dyn BufRead,
    visit: &mut dyn FnMut(Replayed) -> ControlFlow<()>,
) -> Result<Header, ReplayError> {
    let (mut header, mut setups, mut order) = (None, BTreeMap::new(), Order::default());
    let mut text = String::new();
    let mut source = without_bom(source);
    let torn = |line: usize| ReplayError::NotWhole(format!("cut short: line {line} is torn"));
    for number in 1.. {
        if !read_line(&mut source, LINE_LIMIT, &mut text).map_err(|cause| ReplayError::Io { line: number, cause })? {
            break;
        }
        if text.trim().is_empty() {
            continue;
        }
        let read: Result<Line, _> = serde_json::from_str(&text);
        // What is torn ends where the text does.
        let is_torn =
            read.as_ref().is_err_and(serde_json::Error::is_eof) && source.fill_buf().is_ok_and(<[u8]>::is_empty);
        let is_own = |header: &Header| header.format == FORMAT && [UNCLOSED, VERSION].contains(&header.version);
        if header.is_none() && !matches!(&read, Ok(Line::Match(header)) if is_own(header)) {
            let common = text.len().min(BEGINNING.len());
            let begins = text.as_bytes()[..common] == BEGINNING[..common];
            return Err(if is_torn && begins { torn(number) } else { ReplayError::NotGames });
        }
        let wrong = |cause: String| ReplayError::Wrong { line: number, cause };
        let line = read.map_err(|error| match is_torn {
            true => torn(number),
            false => wrong(escaped(&describe_json_fault(&error))),
        })?;
        let misplaced = |cause: String| ReplayError::NotWhole(format!("line {number}: {cause}"));
        if let (Some(end), false) = (order.end_line(), matches!(line, Line::Game(_))) {
            return Err(misplaced(format!("line {end} has closed the file already")));
        }
        match (line, &header) {
            (Line::Match(first), None) => header = Some(first),
            (Line::Match(_), Some(_)) => return Err(misplaced("the match has begun already".to_owned())),
            (Line::Setup(setup), _) => {
                let read = read_setup(&setup).map_err(wrong)?;
                if setups.insert(setup.setup, read).is_some() {
                    return Err(misplaced(format!("setup {} is given twice", setup.setup)));
                }
            }
            (Line::Game(said), Some(header)) => {
                let setup =
                    setups.get(&said.setup).ok_or_else(|| wrong(format!("there is no setup {}", said.setup)))?;
                let place = order.game(number, &text, &said);
                let mut replayed = play_again(number, said, header, setup);
                replayed.fault = replayed.fault.or(place);
                if visit(replayed).is_break() {
                    return Ok(header.clone());
                }
            }
            (Line::End(EndLine { games }), Some(_)) => order.end(number, games),
            (Line::Game(_) | Line::End(_), None) => return Err(ReplayError::NotGames),
        }
    }
    let Some(header) = header else {
        return Err(ReplayError::NotWhole("no games: the file is empty".to_owned()));
    };
    order.of_all(&header).map_or(Ok(header), |cause| Err(ReplayError::NotWhole(cause)))
}

fn read_setup(setup: &SetupLine) -> Result<Setup, String> {
    let game = setup.game.setup()?.game().clone();
    let start = game.parse_position(&setup.start).map_err(|error| format!("start: {error}"))?;
    Ok(Setup { engine: Reference::new(game), start })
}

/// Plays a game up to the first illegal action, and compares its end with what the line says.
fn play_again(line: usize, said: GameLine, header: &Header, setup: &Setup) -> Replayed {
    let (engine, game) = (&setup.engine, setup.engine.game());
    let mut position = setup.start.clone();
    let mut positions = vec![position.display(game).to_string()];
    let mut fault = None;
    for (ply, text) in (1..).zip(said.actions.split(' ').filter(|text| !text.is_empty())) {
        let turn = |action: Action| {
            engine.turn(&position, action).map_err(|illegal| {
                // Where the game is over because nothing is legal, each action is charged with a
                // clause of its own.
                escaped(&illegal.explain(game, action))
            })
        };
        match game.parse_action(text).map_err(|error| escaped(&error.to_string())).and_then(turn) {
            Ok(transition) => {
                position = transition.next;
                positions.push(position.display(game).to_string());
            }
            Err(cause) => {
                fault = Some(format!("ply {ply}: {cause}"));
                break;
            }
        }
    }
    let fault = fault.or_else(|| wrong_end(&said, header, setup, &position, &positions));
    Replayed { line, said, positions, fault }
}

/// Checks the end that a line gives a game, and describes the fault, if any.
fn wrong_end(said: &GameLine, header: &Header, setup: &Setup, last: &Position, positions: &[String]) -> Option<String> {
    let plies = positions.len() - 1;
    if !matches!(said.white, 1 | 2) {
        return Some(format!("White is player {}, there are 1 and 2", said.white));
    }
    if said.opening > plies {
        return Some(format!("the opening has {} plies and the game {plies}", said.opening));
    }
    let times = |position: &String| positions.iter().filter(|other| *other == position).count();
    // In the order in which a match looks for them.
    let (winner, end) = match setup.engine.status(last) {
        Status::Won(winner) => {
            let by_hand = last.won_by_empty_hand(setup.engine.game()).is_some();
            (Some(winner), if by_hand { "empty-hand" } else { "no-action" })
        }
        Status::Ongoing if times(&positions[plies]) >= header.repetitions as usize => (None, "repetition"),
        Status::Ongoing if plies >= header.max_plies as usize => (None, "length"),
        Status::Ongoing => {
            let loser = last.to_move();
            if said.end == "fault" && said.result == result(Some(loser.other())) {
                return None;
            }
            let cause = format!("after its {plies} plies the game goes on, {loser} to move");
            return Some(format!(
                "{cause}, and it is said to end by {} as {}",
                escaped(&said.end),
                escaped(&said.result)
            ));
        }
    };
    if said.result != result(winner) || said.end != end {
        return Some(format!(
            "it ends by {end} as {}, and is said to end by {} as {}",
            result(winner),
            escaped(&said.end),
            escaped(&said.result)
        ));
    }
    // The conventions may have ended the game earlier, as a draw.
    let before = &positions[..plies];
    let early = (0..plies).find(|&ply| {
        before[..=ply].iter().filter(|other| **other == before[ply]).count() >= header.repetitions as usize
            || ply >= header.max_plies as usize
    });
    early.map(|ply| format!("by the conventions of the match it was drawn after ply {ply}"))
}
