//! Games as text: one JSON object a line, the match first, then its setups, then its games, then
//! the line that closes the file.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::play::{Conventions, End, Pair, Played, Proof};
use super::ready::Ready;
use super::spec::Spec;
use crate::answer;
use crate::engine::Engine as _;
use crate::material::Side;
use crate::oracle::GameRecord;
use crate::position::{Action, Game};
use crate::report::NamedSetup;
use crate::solver::Plies;

pub(crate) const FORMAT: &str = "pods-games";

pub(crate) const VERSION: u32 = 2;

/// The version whose files no line closes: those of a balance by play, and older ones.
pub(crate) const UNCLOSED: u32 = 1;

/// A line of a file of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Line {
    /// The first line.
    Match(Header),
    /// A setup that some of the games start from.
    Setup(Box<SetupLine>),
    /// A game.
    Game(GameLine),
    /// The last line of a finished match.
    End(EndLine),
}

/// Facts shared by all games of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// `pods-games`.
    pub format: String,
    /// 2, or `UNCLOSED`.
    pub version: u32,
    /// The program that played the match.
    pub program: String,
    /// The players, number 1 and number 2.
    pub players: [String; 2],
    /// The seed of openings and of random players.
    pub seed: u64,
    /// A game is drawn when a position has occurred this many times.
    pub repetitions: u32,
    /// A game is drawn when it has this many plies.
    pub max_plies: u32,
    /// Memory of each player of the program, in bytes; `None` in files of before it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// The closing line of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndLine {
    /// The number of games in the file.
    pub games: u64,
}

/// A setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupLine {
    /// Its number, by which games name it.
    pub setup: usize,
    /// The name of the board.
    pub board: String,
    /// The degrees by which the board was turned. The board in `game` is already turned.
    pub orientation: u16,
    /// The name of the pod set.
    pub pods: String,
    /// The name of the rules.
    pub rules: String,
    /// The whole setup; the names above only say where it comes from.
    pub game: GameRecord,
    /// The text of the position that games start from.
    pub start: String,
    /// The search by which a player `best` guesses here; `None` in files of
    /// before it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guesses_by: Option<String>,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number, from 1.
    pub game: u64,
    /// Its setup.
    pub setup: usize,
    /// The two games with this number have the same opening and swapped colours.
    pub pair: u64,
    /// The player who has White: 1 or 2.
    pub white: u8,
    /// Number of the actions that are the opening, which no player chose.
    pub opening: usize,
    /// The actions, with a blank between.
    pub actions: String,
    /// `white`, `black` or `draw`.
    pub result: String,
    /// Its end: `empty-hand`, `no-action`, `repetition`, `length` or `fault`.
    pub end: String,
    /// Fault of the player who lost by it; `None` for other ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The first proof that a player of this program had; only where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofLine>,
}

/// Proof claimed by a player; `pods replay` does not check it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofLine {
    /// The plies before the position.
    pub ply: usize,
    /// `win`, `draw` or `loss` for the player to move there.
    pub value: String,
    /// Plies from there to the end, where they are proven too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<Plies>,
}

impl From<Proof> for ProofLine {
    fn from(Proof { ply, verdict }: Proof) -> ProofLine {
        ProofLine { ply, value: verdict.outcome().name().to_owned(), plies: verdict.plies() }
    }
}

/// The numbers of a game line that do not follow from its actions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Numbers {
    pub(super) game: u64,
    pub(super) setup: usize,
    pub(super) pair: u64,
    pub(super) white: u8,
    pub(super) opening: usize,
}

impl GameLine {
    /// Returns `true` if the line is that of a game with these numbers and this opening.
    pub(super) fn begins(&self, numbers: Numbers, opening: &[Action], of: &Game) -> bool {
        let own =
            Numbers { game: self.game, setup: self.setup, pair: self.pair, white: self.white, opening: self.opening };
        let actions = self.actions.split(' ').take(opening.len()).filter(|text| !text.is_empty());
        own == numbers && actions.eq(of.texts(opening))
    }

    pub(super) fn of(numbers: Numbers, game: &Game, played: &Played) -> GameLine {
        let Numbers { game: number, setup, pair, white, opening } = numbers;
        let actions = game.texts(&played.actions);
        GameLine {
            game: number,
            setup,
            pair,
            white,
            opening: opening.min(actions.len()),
            actions: actions.join(" "),
            result: result(played.winner).to_owned(),
            end: played.end.name().to_owned(),
            fault: match &played.end {
                End::Fault(fault) => Some(fault.clone()),
                _ => None,
            },
            proof: played.proof.map(ProofLine::from),
        }
    }
}

impl SetupLine {
    pub(super) fn of(setup: usize, named: &NamedSetup, of: &Ready) -> SetupLine {
        SetupLine {
            setup,
            board: named.game().board().name().to_owned(),
            orientation: named.orientation().degrees(),
            pods: named.game().pods().name().to_owned(),
            rules: named.rules().to_string(),
            game: GameRecord::of(&of.setup),
            start: of.start.display(of.setup.game()).to_string(),
            guesses_by: Some(answer::best::guess_method(of.setup.game().rules()).to_string()),
        }
    }
}

/// Returns the text for the winner of a game, or for a draw.
pub(super) const fn result(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::White) => "white",
        Some(Side::Black) => "black",
        None => "draw",
    }
}

/// Returns the lines before the games; without `memory` they are those of a file that no line
/// closes.
pub(super) fn head<'a>(
    players: &[Spec; 2],
    seed: u64,
    conventions: Conventions,
    memory: Option<u64>,
    setups: impl Iterator<Item = (&'a NamedSetup, &'a Ready)>,
) -> Vec<Line> {
    let header = Header {
        format: FORMAT.to_owned(),
        version: if memory.is_some() { VERSION } else { UNCLOSED },
        program: concat!("pods ", env!("CARGO_PKG_VERSION")).to_owned(),
        players: players.each_ref().map(ToString::to_string),
        seed,
        repetitions: conventions.repetitions,
        max_plies: conventions.plies,
        memory,
    };
    let setups = setups.enumerate();
    let setups = setups.map(|(number, (named, of))| Line::Setup(Box::new(SetupLine::of(number, named, of))));
    [Line::Match(header)].into_iter().chain(setups).collect()
}

impl Plan {
    /// Returns the lines before the games: the match and its setups.
    ///
    /// # Panics
    ///
    /// If `ready` is not that of the plan.
    pub(crate) fn head(&self, ready: &[Ready]) -> Vec<Line> {
        head(&self.players, self.seed, self.conventions, Some(self.memory), self.setups.iter().zip(ready))
    }

    /// Returns the lines of a pair.
    ///
    /// # Panics
    ///
    /// If `ready` is not that of the plan.
    pub(crate) fn lines(&self, pair: &Pair, ready: &[Ready]) -> [Line; 2] {
        let game = ready[pair.setup].engine.game();
        [0, 1].map(|number| {
            let numbers = Numbers::of_pair(pair.number, number, pair.setup, pair.opening);
            Line::Game(GameLine::of(numbers, game, &pair.games[number]))
        })
    }
}

impl Numbers {
    /// Returns the numbers of the first or the second game of a pair.
    pub(super) const fn of_pair(pair: u64, number: usize, setup: usize, opening: usize) -> Numbers {
        let white = if matches!(Pair::first_player(number), Side::White) { 1 } else { 2 };
        Numbers { game: 2 * pair + number as u64 + 1, setup, pair, white, opening }
    }
}

pub(crate) fn write_line(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

pub(super) fn bytes(line: &Line) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing to memory does not fail, and these lines have no maps.
    let _ = write_line(&mut bytes, line);
    bytes
}

pub(super) const BEGINNING: &[u8] = b"{\"type\":\"match\",\"format\":\"pods-games\",";
