//! The `pods` program: parses the command line, runs the command, and returns its exit status.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::thread;

use super::terminal::complain;
use super::{Cli, CommandResult, Exit, Failure, StandardOutput, after_signals, catch_signals, number_in_words};
use crate::files::Escaping;
use crate::table;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Bytes of the stack that commands run on, whatever the system gives the main thread.
const STACK: usize = 8 << 20;

/// Runs the program `pods` with the arguments of this process, and returns its exit status.
///
/// It catches signals and takes over standard output: for the function `main` of a program, and
/// for nothing else.
#[must_use]
pub fn run_program() -> ExitCode {
    catch_signals();
    survive_full_files();
    leave_words_to_the_exchange();
    let exit = match thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(command) {
        // Who has panicked has said so.
        Ok(command) => command.join().map_or(101, |exit| after_signals(exit).code()),
        // The system gives no more threads.
        Err(_) => after_signals(command()).code(),
    };
    ExitCode::from(exit)
}

fn command() -> Exit {
    match Cli::read() {
        Ok(cli) => run(cli),
        Err(answer) => parsed_no_command(&answer),
    }
}

/// Turns a file that reaches its size limit (`ulimit -f`) into a write error; by default a signal
/// would end the program.
fn survive_full_files() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        // If the signal cannot be caught, it ends the program as by default.
        let _ = signal_hook::flag::register(signal_hook::consts::signal::SIGXFSZ, Arc::default());
    }
}

/// Silences panics of the exchange of several processes, whose error says the reason: another
/// process may have sent bytes that make it panic, and a backtrace would help nobody.
fn leave_words_to_the_exchange() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        // Timely's own threads panic when that one has.
        let is_of_exchange = |name: &str| name == table::EXCHANGE_THREAD || name.starts_with("timely:");
        if !thread.name().is_some_and(is_of_exchange) {
            others(panic);
        }
    }));
}

fn run(cli: Cli) -> Exit {
    let plain = BufWriter::new(StandardOutput::lock());
    let mut out: Box<dyn Write> = if cli.writes_bytes() { Box::new(plain) } else { Box::new(Escaping::new(plain)) };
    let result = cli.run(&mut *out);
    // What was written before a failure is flushed before its message appears.
    let flushed = out.flush();
    ended(result.and_then(|exit| match flushed {
        // What was found is told by the exit status, even if nobody reads on.
        Err(error) if exit == Exit::Good || error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(exit),
    }))
}

/// Returns the exit status. Reports a failure, unless it is a broken pipe.
fn ended(result: CommandResult) -> Exit {
    result.unwrap_or_else(|failure| {
        match failure.exit() {
            Exit::Good => {}
            Exit::Interrupted => {
                complain(format_args!("pods: stopped early: {failure}\n"));
            }
            Exit::Discrepancy | Exit::Wrong => {
                complain(format_args!("pods: error: {failure}\n{}", help_hint()));
            }
        }
        failure.exit()
    })
}

/// Prints help or the version, if they were asked for; reports an error in the command line
/// otherwise.
fn parsed_no_command(answer: &clap::Error) -> Exit {
    let text = answer.render().to_string();
    match answer.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let printed = StandardOutput::check().and_then(|()| answer.print());
            return ended(printed.map(|()| Exit::Good).map_err(Failure::from));
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => complain(&text),
        ErrorKind::UnknownArgument if is_side_to_move(answer) => {
            complain(format_args!("pods: {text}A POSITION is one argument: put it in quotes.\n"));
        }
        ErrorKind::ValueValidation => complain(format_args!("pods: {}{}", number_in_words(&text), help_hint())),
        _ => complain(format_args!("pods: {text}{}", help_hint())),
    }
    Exit::Wrong
}

/// Returns the command to type instead of `pods COMMAND help`, if that was typed.
fn help_hint() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match words.as_slice() {
        [command @ .., last] if last == "help" && !command.is_empty() => {
            format!("For help, type: pods help {}\n", command.join(" "))
        }
        _ => String::new(),
    }
}

/// Returns `true` if the argument at fault looks like the second field of a position, so that
/// quotes are missing.
fn is_side_to_move(answer: &clap::Error) -> bool {
    matches!(answer.get(ContextKind::InvalidArg), Some(ContextValue::String(argument)) if ["w", "b"].contains(&argument.as_str()))
}
