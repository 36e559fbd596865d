//! The command line: arguments, one file per command, progress, exit codes. The only floor that
//! prints.
//!
//! Data goes to standard output, everything else to standard error. To add a command: a file with
//! an `Args` struct and `pub(super) fn run(args, out) -> CommandResult`, and its name in
//! `commands!`.

mod ask;
mod best;
mod check;
mod check_proof;
mod checkpoint;
mod cited;
mod closed;
mod completions;
mod conform;
mod crosscheck;
mod engine;
mod engines;
mod every_action;
mod explain;
#[cfg(feature = "explore")]
mod explore;
mod failure;
mod forced;
mod format;
mod help;
mod limits;
mod list;
mod man;
mod matches;
mod method;
mod moves;
mod new;
mod oracle;
mod outputs;
mod perft;
mod planned;
mod program;
mod progress;
mod prove;
mod renamed;
mod render;
mod replay;
mod report;
mod rules;
mod search;
mod setup;
mod show;
mod signals;
mod solve;
mod stream;
mod table;
mod tables;
mod terminal;
mod threads;
mod unfinished;

use std::io::Write;

use clap::{FromArgMatches as _, Parser, Subcommand};

pub(crate) use closed::StandardOutput;
pub(crate) use failure::{CommandResult, Exit, Failure};
pub(crate) use help::number_in_words;
use outputs::Aside;
pub use program::run_program;
pub(crate) use signals::{after_signals, catch_signals};
use threads::ThreadsArg;

/// Rules verification and exact solving for PODS, the board game by Vincent Everaert.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, after_help = EXITS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXITS: &str = "\
To begin: `pods explore --open` shows a board to click, `pods rules` the rules, `pods help COMMAND` examples.

Exit status: 0 good, also where a limit was reached and the answer is 'unknown'; 1 a discrepancy was found; 2 the command line or \
some input is wrong; 130 stopped by Ctrl-C or SIGTERM, after what was found until then.

A POSITION is a text in quotes such as '6/6/6/6/6/6 w bdt bdt open', or `start`, or `-` to read one a line from standard \
input.";

macro_rules! commands {
    ($($(#[$when:meta])? $name:ident($module:ident))*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$when])? $name($module::Args),)*
        }

        impl Command {
            fn answer(&self, out: &mut dyn Write) -> CommandResult {
                match self {
                    $($(#[$when])? Command::$name(args) => $module::run(args, out),)*
                }
            }
        }
    };
}

commands! {
    Rules(rules) Check(check) New(new) List(list) Show(show) Moves(moves) Explain(explain)
    #[cfg(feature = "explore")] Explore(explore)
    Solve(solve) Search(search) Best(best) Match(matches) Replay(replay) Report(report) Prove(prove)
    CheckProof(check_proof) Perft(perft) Crosscheck(crosscheck) Oracle(oracle) Conform(conform)
    Engine(engine) Table(table) Completions(completions) Man(man)
}

impl Command {
    /// Returns `true` if the command may share its work among threads, and has no `--threads` of
    /// its own for that.
    const fn calculates(&self) -> bool {
        #[cfg(feature = "explore")]
        if matches!(self, Command::Explore(_)) {
            return true;
        }
        matches!(
            self,
            Command::Explain(_)
                | Command::Solve(_)
                | Command::Search(_)
                | Command::Best(_)
                | Command::Prove(_)
                | Command::Oracle(_)
        )
    }

    /// Returns `true` if the command goes on whatever becomes of its answer: it writes files beside
    /// it, or its exit status tells what it found.
    fn goes_on(&self) -> bool {
        match self {
            Command::Report(args) => args.has_files(),
            Command::Match(args) => args.has_files(),
            Command::Oracle(args) => args.has_files(),
            Command::Table(args) => args.has_files(),
            Command::Prove(_) | Command::Man(_) | Command::Check(_) | Command::Replay(_) => true,
            _ => false,
        }
    }
}

impl Cli {
    /// Reads the command line of the process.
    ///
    /// # Errors
    ///
    /// If it is wrong, or asks for help or for the version.
    fn read() -> Result<Cli, clap::Error> {
        let mut command = help::command();
        let matches = command.try_get_matches_from_mut(std::env::args_os());
        let mut matches =
            matches.map_err(|error| renamed::with_way_out(help::with_command(error, &command), &command))?;
        Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
    }

    /// Returns `true` if the command's data is no text: then nothing in it may be escaped.
    #[must_use]
    fn writes_bytes(&self) -> bool {
        matches!(&self.command, Command::Table(args) if args.writes_bytes())
    }

    /// Runs the command; its data goes to `out`.
    ///
    /// # Errors
    ///
    /// If the input is wrong, a discrepancy stops the command, or `out` cannot be written to.
    fn run(self, out: &mut dyn Write) -> CommandResult {
        if self.command.calculates() {
            ThreadsArg::default().set_up()?;
        }
        if self.command.goes_on() {
            let mut aside = Aside::new(out);
            let result = self.command.answer(&mut aside);
            return aside.end(result);
        }
        self.command.answer(out)
    }
}
