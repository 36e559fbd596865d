//! The engine's end of the protocol.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use crate::answer::Answerer;
use crate::engine::Engine;
use crate::files::{read_line_bytes, without_bom};
use crate::position::{Game, Position};
use crate::solver::{Limits, Silent};

use super::answer::{apply, moves};
use super::conform::sequences;
use super::protocol::{
    Answer, BEST, LARGE_COUNTS, LINE_LIMIT, PROTOCOL, Query, Request, Response, VERSION, is_game, read_request,
};

/// The largest depth of a `perft` request, in plies.
const MAX_DEPTH: u32 = 200;

/// Memory for the tables of whoever chooses actions, in bytes.
const MEMORY: u64 = 128 << 20;

/// Nodes of a choice for which the request allows anything.
const NODES: u64 = 100_000;

/// One conversation, on the engine's side.
pub struct Session<'a> {
    name: &'a str,
    make: &'a dyn Fn(&Game) -> Box<dyn Engine>,
    engine: Option<Box<dyn Engine>>,
    /// Chooses actions in the same game, from when it is first asked to.
    answerer: Option<Answerer<'static>>,
}

impl<'a> Session<'a> {
    /// Creates a conversation that has not begun. `name` is what the program calls itself.
    #[must_use]
    pub fn new(name: &'a str, make: &'a dyn Fn(&Game) -> Box<dyn Engine>) -> Session<'a> {
        Session { name, make, engine: None, answerer: None }
    }

    /// Returns the response to a line, and whether it was the last one.
    pub fn respond(&mut self, line: &str) -> (Response, bool) {
        match read_request(line) {
            Ok(Request { id, ask }) => {
                let last = ask == Query::Quit;
                let answer = self.answer(&ask).unwrap_or_else(|message| Answer::Error { message });
                (Response { id: Some(id), answer }, last)
            }
            Err(response) => {
                // Whatever is wrong with a game, the last one is not in force any more.
                if is_game(line) {
                    (self.engine, self.answerer) = (None, None);
                }
                (response, false)
            }
        }
    }

    /// Returns the answer to a request.
    ///
    /// # Errors
    ///
    /// If it cannot be answered, with the cause.
    pub fn answer(&mut self, ask: &Query) -> Result<Answer, String> {
        match ask {
            Query::Hello { protocol, version } if protocol == PROTOCOL && *version == VERSION => {
                let capabilities = vec![LARGE_COUNTS.to_owned(), BEST.to_owned()];
                let (protocol, name) = (PROTOCOL.to_owned(), self.name.to_owned());
                Ok(Answer::Hello { protocol, version: VERSION, name, capabilities })
            }
            Query::Hello { protocol, version } => {
                Err(format!("this program speaks {PROTOCOL} version {VERSION}, not {protocol} version {version}"))
            }
            Query::Game(record) => {
                // A wrong game does not leave the last one in force.
                (self.engine, self.answerer) = (None, None);
                self.engine = Some((self.make)(record.setup()?.game()));
                Ok(Answer::Ok)
            }
            Query::Moves { position } => {
                let (engine, position) = self.position(position)?;
                Ok(moves(engine, &position))
            }
            Query::Apply { position, action } => {
                let (engine, position) = self.position(position)?;
                let action = engine.game().parse_action(action).map_err(|error| error.to_string())?;
                Ok(apply(engine, &position, action))
            }
            Query::Status { position } => {
                let (engine, position) = self.position(position)?;
                Ok(Answer::Status { status: engine.status(&position).name().to_owned() })
            }
            Query::Perft { depth, .. } if *depth > MAX_DEPTH => {
                Err(format!("perft to depth {depth} would take too long: the largest depth is {MAX_DEPTH}"))
            }
            Query::Perft { position, depth } => {
                let (engine, position) = self.position(position)?;
                let count = sequences(engine, &position, *depth);
                let count = count.ok_or_else(|| format!("there are 2^64 or more sequences of {depth} plies"))?;
                Ok(Answer::Perft { count })
            }
            Query::Best { position, milliseconds, nodes, depth } => {
                let given = [("milliseconds", *milliseconds), ("nodes", *nodes), ("depth", depth.map(u64::from))];
                if let Some((name, _)) = given.iter().find(|(_, number)| *number == Some(0)) {
                    return Err(format!("{name} is 0, and must be a whole number above 0"));
                }
                let (engine, position) = self.position(position)?;
                let game = engine.game().clone();
                let mut limits = Limits::default().with_memory(MEMORY);
                limits.time = milliseconds.map(Duration::from_millis);
                limits.nodes = nodes.unwrap_or(u64::MAX);
                limits.plies = *depth;
                let limits = if depth.is_some() { limits } else { limits.or_nodes(NODES) };
                let answerer = self.answerer.get_or_insert_with(|| Answerer::new(&game));
                let best = answerer.best(&position, limits, &Silent).map_err(|error| error.to_string())?;
                Ok(Answer::Best { action: best.choice.map(|choice| choice.action.display(&game).to_string()) })
            }
            Query::Quit => Ok(Answer::Ok),
        }
    }

    fn position(&self, text: &str) -> Result<(&dyn Engine, Position), String> {
        let engine = self.engine.as_deref().ok_or("there is no game yet: send a game first")?;
        let position = engine.game().parse_position(text).map_err(|error| error.to_string())?;
        Ok((engine, position))
    }
}

/// Answers requests until `quit` or the end of the input. A line that is not UTF-8 is answered with
/// an error.
///
/// # Errors
///
/// If `input` cannot be read or has a line that is too long, or `out` cannot be written to.
pub fn serve(session: &mut Session<'_>, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut input = without_bom(input);
    while read_line_bytes(&mut input, LINE_LIMIT, &mut bytes)? {
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let (response, last) = match std::str::from_utf8(&bytes) {
            Ok(line) => session.respond(line),
            Err(error) => {
                let answer = Answer::error(format_args!("the line is not UTF-8: {error}"));
                (Response { id: None, answer }, false)
            }
        };
        serde_json::to_writer(&mut *out, &response)?;
        out.write_all(b"\n")?;
        out.flush()?;
        if last {
            break;
        }
    }
    Ok(())
}
