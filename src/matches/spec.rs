//! The players, as typed on the command line.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::solver::{Limits, Plies};

/// Budget of an action. At least one of the three is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Nodes: positions to visit, by all threads together.
    pub nodes: Option<u64>,
    /// Plies to look ahead; a player of this program then tries no other proof.
    pub depth: Option<Plies>,
    /// Threads, at least 1.
    pub threads: usize,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spec {
    /// The player of `pods best`.
    Best(Budget),
    /// Any legal action, each with the same chance.
    Random,
    /// A program that answers the request `best` of the conformance protocol.
    Program {
        /// The command, split into words as by a shell.
        command: String,
        /// The budget that it is told.
        budget: Budget,
    },
}

/// Reasons why a text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The first word is none of the three.
    #[error("{0:?} is no player: best, random, or program with a command, as in 'best --time 0.2'")]
    Unknown(String),
    /// No budget is given.
    #[error("{0} needs a budget: --time SECONDS, --max-nodes N or --depth PLIES, as in '{0} --time 0.2{1}'")]
    NoBudget(&'static str, &'static str),
    /// An option is not known, or has no value that fits.
    #[error("{option} {value:?}: {cause}")]
    Option {
        /// The option.
        option: String,
        /// The value given.
        value: String,
        /// The cause.
        cause: &'static str,
    },
    /// There is a word too many.
    #[error("{0:?} is one word too many")]
    TooMany(String),
    /// A program has no command.
    #[error("program needs a command, as in 'program --time 0.2 python3 my_engine.py'")]
    NoCommand,
}

const BEST: &str = "best";
const RANDOM: &str = "random";
const PROGRAM: &str = "program";

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let mut rest = text.trim();
        match word(&mut rest) {
            RANDOM if rest.is_empty() => Ok(Spec::Random),
            RANDOM => Err(SpecError::TooMany(rest.to_owned())),
            BEST => {
                let budget = budget(&mut rest, BEST)?;
                if rest.is_empty() { Ok(Spec::Best(budget)) } else { Err(SpecError::TooMany(rest.to_owned())) }
            }
            PROGRAM => {
                let budget = budget(&mut rest, PROGRAM)?;
                if rest.is_empty() {
                    return Err(SpecError::NoCommand);
                }
                Ok(Spec::Program { command: rest.to_owned(), budget })
            }
            other => Err(SpecError::Unknown(other.to_owned())),
        }
    }
}

fn word<'a>(rest: &mut &'a str) -> &'a str {
    let (first, others) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    *rest = others.trim_start();
    first
}

/// Reads a number of seconds, from a thousandth to a day.
pub(crate) fn within_a_day(text: &str) -> Option<Duration> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds))?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn budget(rest: &mut &str, who: &'static str) -> Result<Budget, SpecError> {
    let mut budget = Budget::NOTHING;
    while rest.starts_with("--") {
        let option = word(rest);
        let value = word(rest);
        let wrong = |cause| SpecError::Option { option: option.to_owned(), value: value.to_owned(), cause };
        match option {
            "--time" => {
                let time = within_a_day(value).ok_or_else(|| wrong("a number of seconds from 0.001 to 86400"))?;
                budget.time = Some(time);
            }
            "--nodes" => return Err(wrong("`--nodes` is now `--max-nodes`")),
            "--player" => return Err(wrong("every player guesses by the stronger search: leave --player out")),
            "--max-nodes" => {
                let nodes = value.parse().ok().filter(|&nodes: &u64| nodes > 0);
                budget.nodes = Some(nodes.ok_or_else(|| wrong("a number of positions, at least 1"))?);
            }
            "--depth" => {
                let plies = value.parse().ok().filter(|plies| (1..=Budget::DEEPEST).contains(plies));
                budget.depth = Some(plies.ok_or_else(|| wrong("a number of plies from 1 to 100"))?);
            }
            "--threads" if who == BEST => {
                let threads = value.parse().ok().filter(|threads| (1..=Limits::MAX_THREADS).contains(threads));
                budget.threads = threads.ok_or_else(|| wrong("a number of threads from 1 to 256"))?;
            }
            _ => return Err(wrong("there are --time, --max-nodes and --depth, and --threads for best")),
        }
    }
    if (Budget { threads: 1, ..budget }) == Budget::NOTHING {
        return Err(SpecError::NoBudget(who, if who == PROGRAM { " ./my-engine" } else { "" }));
    }
    Ok(budget)
}

impl Budget {
    const NOTHING: Budget = Budget { time: None, nodes: None, depth: None, threads: 1 };

    pub(crate) const fn of_nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::NOTHING }
    }

    pub(crate) const DEEPEST: Plies = 100;
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(time) = self.time {
            write!(f, " --time {}", time.as_secs_f64())?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " --max-nodes {nodes}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " --depth {depth}")?;
        }
        if self.threads > 1 { write!(f, " --threads {}", self.threads) } else { Ok(()) }
    }
}

/// The text that parses to the same player.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Best(budget) => write!(f, "{BEST}{budget}"),
            Spec::Random => f.write_str(RANDOM),
            Spec::Program { command, budget } => write!(f, "{PROGRAM}{budget} {command}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_and_written() {
        for text in [
            "random",
            "best --time 0.2",
            "best --max-nodes 5000",
            "best --time 0.05 --max-nodes 10 --depth 3",
            "best --time 2 --threads 256",
            "best --depth 4 --threads 2",
            "program --time 1 python3 'my engine.py' --fast --time 3",
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        assert_eq!("  best   --depth 2 ".parse::<Spec>().unwrap().to_string(), "best --depth 2");
    }

    #[test]
    fn what_is_no_player_is_refused() {
        for (text, words) in [
            ("", "is no player"),
            ("stockfish --time 1", "\"stockfish\" is no player"),
            ("best", "best needs a budget"),
            ("program python3 x.py", "program needs a budget"),
            ("program --max-nodes 5", "needs a command"),
            ("best --time soon", "a number of seconds"),
            ("best --time 0", "a number of seconds"),
            ("best --time NaN", "a number of seconds"),
            ("best --max-nodes 0", "at least 1"),
            ("best --max-nodes", "at least 1"),
            ("best --depth 101", "from 1 to 100"),
            ("best --threads 2", "best needs a budget"),
            ("best --time 1 --threads 0", "from 1 to 256"),
            ("best --time 1 --threads 257", "from 1 to 256"),
            ("program --time 1 --threads 2 x", "--threads for best"),
            ("best --time 1 --player tree", "every player guesses by the stronger search"),
            ("best --speed 3", "there are --time"),
            ("best --max-nodes 3 4", "one word too many"),
            ("random 3", "one word too many"),
        ] {
            let error = text.parse::<Spec>().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
