//! `pods completions`

use std::io::Write;

use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use super::failure::{CommandResult, Exit};
use super::help;
use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS};

/// Print a completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  pods completions bash > ~/.local/share/bash-completion/completions/pods")]
pub(super) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    // Into memory first: the generator does not take a broken pipe well.
    let mut script = Vec::new();
    let command = help::command();
    // In the other shells a list of names would keep files from being completed.
    let mut command = if args.shell == Shell::Bash { with_names(command) } else { command };
    clap_complete::generate(args.shell, &mut command, "pods", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Good)
}

/// Returns the command with the names of built-in boards and pods as values.
fn with_names(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let built_in = match arg.get_id().as_str() {
            "board" => BUILTIN_BOARDS,
            "pods" => BUILTIN_PODS,
            _ => return arg,
        };
        arg.value_parser(PossibleValuesParser::new(built_in.iter().map(|(name, _)| *name)))
    });
    command.mut_subcommands(with_names)
}
