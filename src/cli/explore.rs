//! `pods explore`

use std::io::Write;
use std::path::PathBuf;

use tempfile::NamedTempFile;

use super::failure::{CommandResult, Exit, Failure, interrupted};
use super::limits::{Stopper, memory};
use super::tables::TablesArg;
use super::terminal::complain;
use crate::explore::{ExploreError, Options, Server};

/// Show a page to play, look up values, edit boards and pods, and report balance.
///
/// Open the printed address in a browser. Its token keeps out other users of the machine and pages
/// of other sites, and nothing is reachable from other machines. The server keeps no state: all
/// that a page shows is in its address.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods explore
  pods explore --open
  pods explore --port 0 --tables tables/

Press Ctrl-C to stop it.")]
pub(super) struct Args {
    /// Listen on this port of 127.0.0.1; 0 for any that is free
    #[arg(long, value_name = "N", default_value = "7637")]
    port: u16,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Use at most this much memory for tables and searches, such as 500MiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = memory)]
    memory: u64,

    #[command(flatten)]
    tables: TablesArg,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let server = Server::bind(Options::new(args.memory).with_port(args.port).with_tables(tables))?;
    writeln!(out, "{}", server.address())?;
    out.flush()?;
    // Kept until the end: the browser may read it late.
    let forward = if args.open { opened(&server) } else { None };
    if !args.open {
        complain("pods: open this address in a browser, or say --open; Ctrl-C ends the server\n");
    }
    server.run(stopper.flag())?;
    drop(forward);
    if stopper.is_set() {
        return interrupted(out, "the server has ended");
    }
    Ok(Exit::Good)
}

/// Opens the page in a browser, by a file that its owner alone can read: arguments of programs are
/// seen by everybody on the machine. Returns the file.
fn opened(server: &Server) -> Option<NamedTempFile> {
    let folder = std::env::var_os("XDG_RUNTIME_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let made = || -> std::io::Result<NamedTempFile> {
        // Readable by its owner alone, as all such files are.
        let mut file = tempfile::Builder::new().prefix("pods-").suffix(".html").tempfile_in(&folder)?;
        file.write_all(server.forward_page().as_bytes())?;
        file.flush()?;
        open::that_detached(file.path())?;
        Ok(file)
    };
    let (file, words) = match made() {
        Ok(file) => (Some(file), "this address opens in a browser".to_owned()),
        Err(error) => (None, format!("no browser could be started ({error}): open this address in one")),
    };
    complain(format_args!("pods: {words}; Ctrl-C ends the server\n"));
    file
}

impl From<ExploreError> for Failure {
    fn from(error: ExploreError) -> Failure {
        match error {
            ExploreError::InUse(_) | ExploreError::Port { .. } => Failure::wrong(error).at("--port"),
            _ => Failure::wrong(error),
        }
    }
}
