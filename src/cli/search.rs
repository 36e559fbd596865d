//! `pods search`

use std::io::Write;
use std::path::PathBuf;

use super::checkpoint::{self, CheckpointArgs};
use super::every_action;
use super::failure::{CommandResult, Exit, Failure};
use super::format::{Format, csv_rows};
use super::limits::{BudgetArgs, Stopper};
use super::setup::SetupArgs;
use super::solve::Shown;
use crate::answer::{Answerer, Request, SomeActions};
use crate::position::{Position, Setup};
use crate::report::SolvedRow;
use crate::solver::Method;

/// Search for the winner of a placement game, and keep what is proven in a file.
///
/// The same command resumes from the file, and counts the nodes of all runs. The file serves every
/// position of the same board, pods and rules.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods search start --checkpoint start.search
  pods search start --every-action --checkpoint start.search
  pods search start --every-action --only b@b3,d@c4 --max-nodes 64000000

Several machines share a search if each is given some of the actions, and one goes on from all files:
  pods search start --every-action --only b@a1,b@a3 --checkpoint a.search
  pods search start --every-action --only d@c4,d@d4 --checkpoint b.search
  pods search start --every-action --checkpoint a.search --checkpoint-from b.search

--every-action goes in rounds: each action gets a few nodes, then those still open get more.

A signal ends the search with what is known by then; a second one, a second later, ends the program.")]
pub(super) struct Args {
    /// A position's text, or `start`
    #[arg(value_name = "POSITION", default_value = "start")]
    position: String,

    /// Find the winner after each action; --max-nodes is for each of them, --time for all
    #[arg(long)]
    every_action: bool,

    /// With --every-action, look at these actions only, such as `b@a1,d@c3`
    #[arg(long, value_name = "ACTIONS", value_delimiter = ',', requires = "every_action")]
    only: Option<Vec<String>>,

    /// Try first the replies in this CSV file, such as one that --every-action wrote for a similar
    /// position; it needs the columns action and reply
    #[arg(long, value_name = "FILE", requires = "every_action")]
    replies: Option<PathBuf>,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    checkpoint: CheckpointArgs,

    #[command(flatten)]
    budget: BudgetArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    let position = setup.parse_position(&args.position)?;
    let stopper = Stopper::new(true)?;
    let limits = args.budget.limits(&stopper);
    let request = Request::new(limits).by(Method::Search);
    let inputs = args.setup.inputs();
    if args.every_action {
        let asked = asked(args, &setup, &position)?;
        let (found, saved) = checkpoint::kept(&args.checkpoint, &inputs, setup.game(), limits, |search, keeper| {
            let mut answerer = Answerer::new(setup.game()).with_search(search);
            Ok(answerer.every_action(&asked, &position, request, keeper)?)
        })?;
        every_action::write(&setup, &position, &found, args.format, out)?;
        return saved.map(|()| Exit::Good);
    }
    let (finding, saved) = checkpoint::kept(&args.checkpoint, &inputs, setup.game(), limits, |search, keeper| {
        Ok(Answerer::new(setup.game()).with_search(search).answer(&position, request, keeper)?)
    })?;
    if args.format == Format::Csv {
        csv_rows::<SolvedRow>(out, true, [])?;
    }
    Shown { format: args.format, streamed: false }.write(&setup, &position, (&finding, None), out)?;
    saved.map(|()| Exit::Good)
}

fn asked(args: &Args, setup: &Setup, position: &Position) -> Result<SomeActions, Failure> {
    let only = every_action::only(setup, position, args.only.as_deref())?;
    let replies = args.replies.as_deref().map(|path| every_action::replies(setup, path)).transpose()?;
    Ok(SomeActions::default().with_only(only).with_replies(replies.unwrap_or_default()))
}
