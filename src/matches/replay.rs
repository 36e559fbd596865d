//! Plays written games again, with the reference engine alone.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead};
use std::ops::ControlFlow;

use super::record::{FORMAT, GameLine, Header, Line, SetupLine, VERSION, result};
use crate::engine::{Engine as _, Reference, Status};
use crate::files::{escaped, read_line};
use crate::position::{Action, Position};

/// The most bytes of a line.
const LINE_LIMIT: usize = 1 << 24;

/// A game of the file, played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What the file says of the game.
    pub said: GameLine,
    /// The positions from the start on, up to the first illegal action.
    pub positions: Vec<String>,
    /// What is wrong with the game: an illegal action, with the clause that forbids it, or a false claim; `None` if
    /// nothing is.
    pub fault: Option<String>,
}

impl Replayed {
    /// The number of plies before the first illegal action.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }
}

/// Why a file of games cannot be read.
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
    /// A line does not have the syntax of such a file.
    #[error("line {line}, column {column}: {cause}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// The column, from 1; 0 where the whole line is meant.
        column: usize,
        /// What is wrong.
        cause: String,
    },
    /// The first line is not that of a file of games.
    #[error(
        "line 1: this is no file of games: it begins with an object of the type \"match\", the format {FORMAT:?} and the version \
         {VERSION}, as `pods match --out` writes it"
    )]
    NotGames,
    /// A line contradicts another line, or holds a setup that cannot be.
    #[error("line {line}: {cause}")]
    Wrong {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        cause: String,
    },
}

struct Setup {
    engine: Reference,
    start: Position,
}

/// What the second game of a pair is compared with: who had White in the first, its setup, and its opening.
type Half = (u8, usize, Vec<String>);

/// Reads a file of games line by line and plays each game again. Calls `visit` with each game in turn; it may end the
/// run. Returns the header of the file.
///
/// # Errors
///
/// If the file cannot be read, or has the wrong syntax. A game that is wrong is not an error: `visit` gets it with its
/// fault.
pub fn replay(
    source: &mut dyn BufRead,
    visit: &mut dyn FnMut(Replayed) -> ControlFlow<()>,
) -> Result<Header, ReplayError> {
    let (mut header, mut setups, mut halves) = (None, BTreeMap::new(), HashMap::new());
    let mut text = String::new();
    for number in 1.. {
        if !read_line(source, LINE_LIMIT, &mut text).map_err(|cause| ReplayError::Io { line: number, cause })? {
            break;
        }
        if text.trim().is_empty() {
            continue;
        }
        let read: Result<Line, _> = serde_json::from_str(&text);
        if header.is_none()
            && !matches!(&read, Ok(Line::Match(header)) if header.format == FORMAT && header.version == VERSION)
        {
            return Err(ReplayError::NotGames);
        }
        let line = read.map_err(|error| ReplayError::Text {
            line: number,
            column: error.column(),
            cause: escaped(&error.to_string()),
        })?;
        let wrong = |cause: String| ReplayError::Wrong { line: number, cause };
        match (line, &header) {
            (Line::Match(first), None) => header = Some(first),
            (Line::Match(_), Some(_)) => return Err(wrong("the match has begun already".to_owned())),
            (Line::Setup(setup), _) => {
                let read = read_setup(&setup).map_err(wrong)?;
                if setups.insert(setup.setup, read).is_some() {
                    return Err(wrong(format!("setup {} is given twice", setup.setup)));
                }
            }
            (Line::Game(said), Some(header)) => {
                let setup =
                    setups.get(&said.setup).ok_or_else(|| wrong(format!("there is no setup {}", said.setup)))?;
                let mut replayed = play_again(number, said, header, setup);
                if replayed.fault.is_none() {
                    replayed.fault = not_a_pair(&replayed.said, &mut halves);
                }
                if visit(replayed).is_break() {
                    break;
                }
            }
            (Line::Game(_), None) => return Err(ReplayError::NotGames),
        }
    }
    header.ok_or(ReplayError::NotGames)
}

fn read_setup(setup: &SetupLine) -> Result<Setup, String> {
    let (game, ..) = setup.game.game()?;
    let start = game.position(&setup.start).map_err(|error| format!("start: {error}"))?;
    Ok(Setup { engine: Reference::new(game), start })
}

/// Plays a game up to the first illegal action, and compares its end with what the line says.
fn play_again(line: usize, said: GameLine, header: &Header, setup: &Setup) -> Replayed {
    let (engine, game) = (&setup.engine, setup.engine.game());
    let mut position = setup.start.clone();
    let mut positions = vec![position.text(game)];
    let mut fault = None;
    for (ply, text) in (1..).zip(said.actions.split(' ').filter(|text| !text.is_empty())) {
        let turn = |action: Action| {
            engine.turn(&position, action).map_err(|illegal| {
                // Where the game is over because nothing is legal, each action is charged with a clause of its own.
                escaped(&illegal.explain(game, action))
            })
        };
        match game.action(text).map_err(|error| escaped(&error.to_string())).and_then(turn) {
            Ok(transition) => {
                position = transition.next;
                positions.push(position.text(game));
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

/// What is wrong with the end that a line gives a game.
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

/// How a game contradicts the first game of its pair.
fn not_a_pair(said: &GameLine, halves: &mut HashMap<u64, Half>) -> Option<String> {
    let opening: Vec<String> = said.actions.split(' ').take(said.opening).map(str::to_owned).collect();
    let Some((white, setup, first)) = halves.remove(&said.pair) else {
        halves.insert(said.pair, (said.white, said.setup, opening));
        return None;
    };
    if white == said.white {
        return Some(format!("player {white} has White in both games of pair {}", said.pair));
    }
    let same = setup == said.setup && first == opening;
    (!same).then(|| format!("the games of pair {} have different openings", said.pair))
}
