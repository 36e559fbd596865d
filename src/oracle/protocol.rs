//! The messages of the conformance protocol, and how they are written.
#![doc = ""]
#![doc = include_str!("PROTOCOL.md")]

use serde::{Deserialize, Serialize};

use super::record::GameRecord;
use crate::files::{describe_json_fault, shortened};

pub(crate) const DESCRIPTION: &str = include_str!("PROTOCOL.md");

pub(crate) const PROTOCOL: &str = "pods-conformance";

/// The version that this program speaks.
pub(crate) const VERSION: u32 = 1;

/// The capability to count more action sequences than can be enumerated.
pub(crate) const LARGE_COUNTS: &str = "large-counts";

/// The capability to choose actions: to answer `best`.
pub(crate) const BEST: &str = "best";

/// The longest line, in bytes, that either end takes.
pub(crate) const LINE_LIMIT: usize = 16 << 20;

/// A request with its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The number that the response repeats.
    pub id: u64,
    /// The question.
    #[serde(flatten)]
    pub ask: Query,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Query {
    /// Asks whether both ends speak the same protocol.
    Hello {
        /// Its name.
        protocol: String,
        /// Its version.
        version: u32,
    },
    /// The game that further requests are about.
    Game(GameRecord),
    /// The legal actions.
    Moves {
        /// The position's text.
        position: String,
    },
    /// The result of an action.
    Apply {
        /// The position's text.
        position: String,
        /// The action's text.
        action: String,
    },
    /// Status of the game: it goes on, or who has won.
    Status {
        /// The position's text.
        position: String,
    },
    /// The number of action sequences.
    Perft {
        /// The position's text.
        position: String,
        /// Their length in plies.
        depth: u32,
    },
    /// An action to play. Only for programs that declare the capability `best`.
    Best {
        /// The position's text.
        position: String,
        /// The time that it may take.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        milliseconds: Option<u64>,
        /// The positions that it may look at.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
        /// The plies that it may look ahead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        depth: Option<u16>,
    },
    /// Ends the conversation.
    Quit,
}

/// A response with the number of its request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The number of the request; `None` if it could not be read.
    pub id: Option<u64>,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Answer {
    /// The answer to `hello`: the program speaks the protocol.
    Hello {
        /// Its name.
        protocol: String,
        /// Its version.
        version: u32,
        /// The program's name.
        #[serde(default)]
        name: String,
        /// Capabilities that it declares beyond the rest, such as `large-counts`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        capabilities: Vec<String>,
    },
    /// The answer to `game` and `quit`: done.
    Ok,
    /// The legal actions.
    Moves {
        /// Status of the game: it goes on, or who has won.
        status: String,
        /// All of them, sorted.
        actions: Vec<String>,
    },
    /// The result of a legal action.
    Applied {
        /// The next position.
        position: String,
        /// Status of the game: it goes on, or who has won.
        status: String,
        /// The mover's captured pods.
        returned: Vec<String>,
        /// The opponent's captured pods.
        removed: Vec<String>,
    },
    /// The action is not legal.
    Illegal {
        /// The clause that forbids it, if the program says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clause: Option<String>,
    },
    /// Status of the game: it goes on, or who has won.
    Status {
        /// `ongoing`, `white_won` or `black_won`.
        status: String,
    },
    /// The number of action sequences.
    Perft {
        /// The number.
        count: u64,
    },
    /// An action to play.
    Best {
        /// The action's text; `None` in a finished game.
        action: Option<String>,
    },
    /// The request cannot be answered.
    Error {
        /// The reason.
        message: String,
    },
}

impl Answer {
    /// Returns an error.
    pub fn error(cause: impl std::fmt::Display) -> Answer {
        Answer::Error { message: cause.to_string() }
    }

    /// Returns the answer without the parts that need not agree: the clause of an illegal action,
    /// the name and the capabilities of a program.
    #[must_use]
    pub fn essence(self) -> Answer {
        match self {
            Answer::Illegal { .. } => Answer::Illegal { clause: None },
            Answer::Hello { protocol, version, .. } => {
                Answer::Hello { protocol, version, name: String::new(), capabilities: Vec::new() }
            }
            other => other,
        }
    }
}

/// Reads a request.
///
/// # Errors
///
/// If the line is not a request. The error is the response to send, with the request's number if
/// that can be read.
pub fn read_request(line: &str) -> Result<Request, Response> {
    serde_json::from_str(line).map_err(|error| {
        let id = serde_json::from_str::<serde_json::Value>(line).ok().and_then(|value| value.get("id")?.as_u64());
        let cause = describe_json_fault(&error);
        Response { id, answer: Answer::error(format_args!("no request of this protocol: {}", shortened(&cause))) }
    })
}

/// Returns `true` if a line is a request for a game, however wrong the rest of it is.
pub(super) fn is_game(line: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(line)
        .is_ok_and(|request| request.get("type").is_some_and(|of| of == "game"))
}

/// Reads a response.
///
/// # Errors
///
/// If the line is not a response; the error is the cause.
pub fn read_response(line: &str) -> Result<Response, String> {
    serde_json::from_str(line).map_err(|error| shortened(&describe_json_fault(&error)).into_owned())
}
