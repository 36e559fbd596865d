//! Games as text: one JSON object a line, the match first, then its setups, then its games.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::play::{End, Pair};
use super::ready::Ready;
use crate::engine::Engine as _;
use crate::files::like;
use crate::material::Side;
use crate::oracle::GameRecord;

/// The name of the format.
pub const FORMAT: &str = "pods-games";

/// The version of the format.
pub const VERSION: u32 = 1;

/// A line of a file of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Line {
    /// The first line.
    Match(Header),
    /// What some of the games start from.
    Setup(Box<SetupLine>),
    /// A game.
    Game(GameLine),
}

/// What all games of a file have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The program that played the match.
    pub program: String,
    /// The players, number 1 and number 2.
    pub players: [String; 2],
    /// The seed of openings and of random players.
    pub seed: u64,
    /// A game is drawn when a position comes up for this time.
    pub repetitions: u32,
    /// A game is drawn when it has this many plies.
    pub max_plies: u32,
}

/// A setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupLine {
    /// Its number, by which games name it.
    pub setup: usize,
    /// The name of the board.
    pub board: String,
    /// By how many degrees it was turned before it was written down.
    pub orientation: u16,
    /// The name of the pod set.
    pub pods: String,
    /// The name of the rules.
    pub rules: String,
    /// All of it in full; the names above only say where it comes from.
    pub game: GameRecord,
    /// The text of the position that games start from.
    pub start: String,
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
    /// How many of the actions are the opening, which nobody chose.
    pub opening: usize,
    /// The actions, with a blank between.
    pub actions: String,
    /// `white`, `black` or `draw`.
    pub result: String,
    /// How it ended: `empty-hand`, `no-action`, `repetition`, `length` or `fault`.
    pub end: String,
    /// What the player who lost by a fault did; only there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// The result of a game that a side won, or nobody.
pub(super) const fn result(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::White) => "white",
        Some(Side::Black) => "black",
        None => "draw",
    }
}

impl Plan {
    /// The lines before the games: the match and its setups.
    ///
    /// # Panics
    ///
    /// If `ready` is not that of the plan.
    #[must_use]
    pub fn head(&self, ready: &[Ready]) -> Vec<Line> {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: concat!("pods ", env!("CARGO_PKG_VERSION")).to_owned(),
            players: self.players.each_ref().map(ToString::to_string),
            seed: self.seed,
            repetitions: self.conventions.repetitions,
            max_plies: self.conventions.plies,
        };
        let mut lines = vec![Line::Match(header)];
        for (setup, (entry, of)) in self.setups.iter().zip(ready).enumerate() {
            let game = of.engine.game();
            lines.push(Line::Setup(Box::new(SetupLine {
                setup,
                board: entry.board.clone(),
                orientation: entry.orientation.degrees(),
                pods: entry.pods.clone(),
                rules: entry.rules.to_string(),
                game: GameRecord::of(game, &of.hands[0], &of.hands[1]),
                start: of.start.text(game),
            })));
        }
        lines
    }

    /// The lines of a pair.
    ///
    /// # Panics
    ///
    /// If `ready` is not that of the plan.
    #[must_use]
    pub fn lines(&self, pair: &Pair, ready: &[Ready]) -> [Line; 2] {
        let game = ready[pair.setup].engine.game();
        [0, 1].map(|number| {
            let played = &pair.games[number];
            let actions: Vec<String> = played.actions.iter().map(|&action| game.action_text(action)).collect();
            Line::Game(GameLine {
                game: 2 * pair.number + number as u64 + 1,
                setup: pair.setup,
                pair: pair.number,
                white: if Pair::first_player(number) == Side::White { 1 } else { 2 },
                opening: pair.opening.min(actions.len()),
                actions: actions.join(" "),
                result: result(played.winner).to_owned(),
                end: played.end.name().to_owned(),
                fault: match &played.end {
                    End::Fault(fault) => Some(fault.clone()),
                    _ => None,
                },
            })
        })
    }
}

/// Writes a line.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_line(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// Checks that a file begins as a file of games does, for a [`Judge`](crate::files::Judge).
///
/// # Errors
///
/// If it does not; the message says so.
pub fn like_games(head: &[u8]) -> Result<(), String> {
    like(head, b"{\"type\":\"match\",\"format\":\"pods-games\",", "a file of games")
}
