//! The conformance protocol `pods-conformance`, version 1.
//!
//! A program that implements the rules is started by `pods conform` and answers on standard output what it is asked on
//! standard input. Both are JSON Lines in UTF-8: each line is one JSON object; each request gets exactly one response, in
//! order; a response repeats the `id` of its request, a whole number, and is flushed at once. Blank lines are ignored,
//! unknown fields too. Standard error is free for the program's own messages.
//!
//! # Requests and responses
//!
//! ```text
//! {"id":0,"type":"hello","protocol":"pods-conformance","version":1}
//! {"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"my engine"}
//! ```
//!
//! The first request. A program that does not speak the version answers with an error (below), and the run ends.
//!
//! ```text
//! {"id":1,"type":"game","board":{"points":["a1","b1","a2"],"lines":[["a1","b1"],["a1","a2"]],"columns":2,"rows":2},
//!  "pods":[{"id":"b","legs":"w E","count":1}],
//!  "rules":{"moves":"off","shoves":"off","placement-liberty":"on","captures":"never","empty-hand":"loses",
//!           "opening":"bipod","attack-through":"off","shove-after-run":"on","kick-gaps":"every-step",
//!           "shove-liberty":"off"},
//!  "white_hand":"b","black_hand":"b"}
//! {"id":1,"type":"ok"}
//! ```
//!
//! (One line each; broken here for the page.) All further requests are about this game, until the next one.
//!
//! * `board`: the points by name (column letter from White's left, row number from White's side; R1) and the lines, each
//!   given once, between neighbours. The board is as it lies, turned already (R2).
//! * `pods`: what each player owns: `id` is a letter, `count` how many of it each has (1 if missing), `legs` the
//!   directions as the owner sees them, lower case short, upper case long (R3, R4).
//! * `rules`: all ten options by name. `moves`, `shoves`, `placement-liberty`, `attack-through`, `shove-after-run` and
//!   `shove-liberty` are `on` or `off`; `captures` is `every-turn`, `after-moves` or `never`; `empty-hand` is `loses` or
//!   `wins`; `opening` is `bipod` or `any`; `kick-gaps` is `every-step` or `last-step`. Without `moves` there are no
//!   shoves and kicks either.
//! * `white_hand`, `black_hand`: the hands at the start, ids in alphabetical order with counts above 1, or `-`.
//!
//! ```text
//! {"id":2,"type":"moves","position":"2/2 w b b open"}
//! {"id":2,"type":"moves","status":"ongoing","actions":["b@a1","b@b1"]}
//! ```
//!
//! The status (`ongoing`, `white_won`, `black_won`) and all legal actions, sorted byte by byte; none in a finished game.
//! Positions asked for need not have come up before: any consistent position is fair (R29).
//!
//! ```text
//! {"id":3,"type":"apply","position":"2/2 w b b open","action":"b@a1"}
//! {"id":3,"type":"applied","position":"2/B1 b - b -","status":"white_won","returned":[],"removed":[]}
//! {"id":4,"type":"apply","position":"2/2 w b b open","action":"b@a2"}
//! {"id":4,"type":"illegal","clause":"R13"}
//! ```
//!
//! The position after the action and its captures, its status, and the ids of the captured pods, sorted and repeated if
//! there are several: `returned` to the mover's hand, `removed` from the game. An action that is not legal is answered
//! with `illegal`; `clause` may be left out, and is not compared. `pods conform` asks only for actions that are well written
//! and name points and pods of the game.
//!
//! ```text
//! {"id":5,"type":"status","position":"2/B1 b - b -"}
//! {"id":5,"type":"status","status":"white_won"}
//! {"id":6,"type":"perft","position":"2/2 w b b open","depth":2}
//! {"id":6,"type":"perft","count":0}
//! ```
//!
//! `perft` is the number of action sequences of exactly that length; a finished game counts 1 at depth 0 and 0 beyond.
//!
//! ```text
//! {"id":7,"type":"quit"}
//! {"id":7,"type":"ok"}
//! ```
//!
//! The program ends, with exit status 0. What cannot be answered, such as a request that is no JSON object, a position of
//! another board, or `moves` before any `game`, gets an error; `id` is `null` where none could be read. The conversation
//! goes on.
//!
//! ```text
//! {"id":8,"type":"error","message":"what is wrong"}
//! ```
//!
//! # The notation
//!
//! A position is `<rows> <side> <white hand> <black hand> <open>`, such as `3/1B1/2q w dt bt -`: rows from the top, split by
//! `/`, upper case White's pods, lower case Black's, a number that many points or holes without a pod, as long as possible;
//! `w` or `b` to move; the hands; `open` while the side to move must open with a bipod (R9, R32), else `-`. A pod that is
//! in none of these places is out of the game.
//!
//! An action is `b@c3` (place), `c3-c5` (move), `c3>c5` (shove: the mover ends on c5) or `c3>c4+2` (kick: the pod on c4
//! slides on by 2).

use serde::{Deserialize, Serialize};

use super::record::GameRecord;

/// The name of the protocol.
pub const PROTOCOL: &str = "pods-conformance";

/// The version that this program speaks.
pub const VERSION: u32 = 1;

/// The longest line, in bytes, that either end takes.
pub const LINE_LIMIT: usize = 16 << 20;

/// A request with its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The number that the response repeats.
    pub id: u64,
    /// What is asked.
    #[serde(flatten)]
    pub ask: Ask,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Ask {
    /// Whether the two speak the same protocol.
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
    /// Whether the game goes on.
    Status {
        /// The position's text.
        position: String,
    },
    /// The number of action sequences.
    Perft {
        /// The position's text.
        position: String,
        /// Their length.
        depth: u32,
    },
    /// The end.
    Quit,
}

/// A response with the number of its request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The number of the request; `None` if it could not be read.
    pub id: Option<u64>,
    /// What is answered.
    #[serde(flatten)]
    pub answer: Answer,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// The protocol is spoken.
    Hello {
        /// Its name.
        protocol: String,
        /// Its version.
        version: u32,
        /// The program's name.
        #[serde(default)]
        name: String,
    },
    /// Done.
    Ok,
    /// The legal actions.
    Moves {
        /// Whether the game goes on.
        status: String,
        /// All of them, sorted.
        actions: Vec<String>,
    },
    /// The result of a legal action.
    Applied {
        /// The next position.
        position: String,
        /// Whether the game goes on.
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
    /// Whether the game goes on.
    Status {
        /// `ongoing`, `white_won` or `black_won`.
        status: String,
    },
    /// The number of action sequences.
    Perft {
        /// How many.
        count: u64,
    },
    /// The request cannot be answered.
    Error {
        /// Why.
        message: String,
    },
}

impl Answer {
    /// An error.
    pub fn error(cause: impl std::fmt::Display) -> Answer {
        Answer::Error { message: cause.to_string() }
    }

    /// The answer without what need not agree: the clause of an illegal action, the name of a program.
    #[must_use]
    pub fn essence(self) -> Answer {
        match self {
            Answer::Illegal { .. } => Answer::Illegal { clause: None },
            Answer::Hello { protocol, version, .. } => Answer::Hello { protocol, version, name: String::new() },
            other => other,
        }
    }
}

/// Reads a request.
///
/// # Errors
///
/// If it is none: the response that says so, with the request's number if that can be read.
pub fn read_request(line: &str) -> Result<Request, Response> {
    serde_json::from_str(line).map_err(|error| {
        let id = serde_json::from_str::<serde_json::Value>(line).ok().and_then(|value| value.get("id")?.as_u64());
        Response { id, answer: Answer::error(format_args!("no request of this protocol: {error}")) }
    })
}

/// Reads a response.
///
/// # Errors
///
/// If it is none, with the cause.
pub fn read_response(line: &str) -> Result<Response, String> {
    serde_json::from_str(line).map_err(|error| error.to_string())
}
