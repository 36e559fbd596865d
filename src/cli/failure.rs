//! Ends of commands.

use std::fmt;
use std::io::{self, Write};

use super::terminal::complain;
use crate::position::{PositionError, StartError};
use crate::table::IndexError;

/// The exit status of a run that came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All is well: 0.
    Good,
    /// Something does not agree with what it should be: 1.
    Discrepancy,
    /// The command line or some input is wrong, or a limit does not let a command do what it is
    /// there for: 2. Where it can say that it does not know, it does, and the status is 0.
    Wrong,
    /// Ctrl-C or SIGTERM ended the run early, after printing the results so far: 130, as shells
    /// have it after Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// Returns the number that the operating system gets.
    #[must_use]
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }
}

/// Says that a signal ended the run, after the answers that were found, and how far they go.
pub(crate) fn interrupted(out: &mut dyn Write, found: impl fmt::Display) -> CommandResult {
    out.flush()?;
    complain(format_args!("pods: stopped early: {found}\n"));
    Ok(Exit::Interrupted)
}

/// Reasons why a run stopped before its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line or some input is wrong.
    Wrong(String),
    /// Two things that must agree do not.
    Discrepancy(String),
    /// The answer could not be written.
    Output(io::Error),
    /// A limit ended the run before there was an answer, with what may help.
    Limit(String),
    /// A signal ended the run before there was an answer.
    Interrupted(String),
}

pub(crate) type CommandResult = Result<Exit, Failure>;

impl Failure {
    pub(crate) fn wrong(cause: impl fmt::Display) -> Failure {
        Failure::Wrong(cause.to_string())
    }

    /// Returns the exit status of the failure. A broken pipe is not an error.
    #[must_use]
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Failure::Wrong(_) | Failure::Limit(_) => Exit::Wrong,
            Failure::Discrepancy(_) => Exit::Discrepancy,
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Good,
            Failure::Output(_) => Exit::Wrong,
            Failure::Interrupted(_) => Exit::Interrupted,
        }
    }

    /// Returns the failure with what it happened at, in front of the cause.
    #[must_use]
    pub(crate) fn at(mut self, place: impl fmt::Display) -> Failure {
        if let Failure::Wrong(cause)
        | Failure::Discrepancy(cause)
        | Failure::Limit(cause)
        | Failure::Interrupted(cause) = &mut self
        {
            *cause = format!("{place}: {cause}");
        }
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Wrong(cause)
            | Failure::Discrepancy(cause)
            | Failure::Limit(cause)
            | Failure::Interrupted(cause) => f.write_str(cause),
            Failure::Output(error) => write!(f, "standard output cannot be written: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

macro_rules! wrong {
    ($($error:ty)*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::wrong(error)
            }
        })*
    };
}

wrong! { PositionError StartError IndexError }

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}
