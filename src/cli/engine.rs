//! `pods engine`

use std::io::{self, Write};

use super::engines::{EngineKind, engine};
use super::failure::{CommandResult, Exit, Failure};
use crate::oracle::{Session, serve};

/// Answer the conformance protocol on standard input and output.
///
/// This is the program that `pods conform` tests, a model for other implementations, and a way to
/// compare both engines over pipes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods engine
  pods engine --engine fast
  pods conform --engine 'pods engine --engine fast'

The protocol is pods-conformance version 1: one JSON object a line (see `pods rules protocol`).")]
pub(super) struct Args {
    /// Engine that answers
    #[arg(long, value_enum, default_value = "reference")]
    engine: EngineKind,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let name = match args.engine {
        EngineKind::Reference => concat!("pods ", env!("CARGO_PKG_VERSION"), ", reference"),
        EngineKind::Fast => concat!("pods ", env!("CARGO_PKG_VERSION"), ", fast"),
    };
    let make = |game: &_| engine(args.engine, game);
    let mut session = Session::new(name, &make);
    serve(&mut session, &mut io::stdin().lock(), out).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge | io::ErrorKind::InvalidData => Failure::wrong(error).at("standard input"),
        _ => Failure::from(error),
    })?;
    Ok(Exit::Good)
}
