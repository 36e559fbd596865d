//! `pods man`

use std::io::Write;
use std::path::PathBuf;

use clap::Command;
use clap_mangen::Man;

use super::failure::{CommandResult, Exit, Failure};
use super::help;
use super::outputs::ForceArg;
use crate::files::{Inputs, like};

/// Write manual pages: pods.1, and one for each command.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  pods man ~/.local/share/man/man1")]
pub(super) struct Args {
    /// Write into this folder, which is made if it is missing
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    force: ForceArg,
}

/// Beginning of every page.
const HEAD: &[u8] = b".ie \\n(.g .ds Aq";

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let mut command = help::command();
    command.build();
    let mut pages = Vec::new();
    collect(&command, &mut pages)?;
    let inputs = Inputs::default();
    let folder = args.force.folder(&args.folder, &inputs);
    let number = pages.len();
    for (name, page) in pages {
        folder.output(&name, &|head| like(head, HEAD, "a manual page"))?.write_bytes(&page)?;
    }
    writeln!(out, "{number} pages in {}", args.folder.display())?;
    Ok(Exit::Good)
}

/// Collects the pages of a command and of those below it, each with its file's name.
fn collect(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    // A page has no place for what stands before the usage.
    let parts = [command.get_about(), command.get_before_help()].into_iter().flatten();
    let description = parts.map(ToString::to_string).collect::<Vec<_>>().join("\n\n");
    let man = Man::new(command.clone().long_about(description))
        .source(concat!("pods ", env!("CARGO_PKG_VERSION")))
        .manual("PODS");
    let mut page = Vec::new();
    man.render(&mut page)?;
    pages.push((format!("{name}.1"), page));
    command.get_subcommands().filter(|inner| inner.get_name() != "help").try_for_each(|inner| collect(inner, pages))
}
