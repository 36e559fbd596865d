//! `pods completions`

use std::io::Write;

use super::failure::{CommandResult, Exit};
use super::help;

/// Print a completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  pods completions bash > ~/.local/share/bash-completion/completions/pods")]
pub(super) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    // Into memory first: the generator does not take a broken pipe well.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut help::command(), "pods", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Good)
}
