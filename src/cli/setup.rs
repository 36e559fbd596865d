//! The arguments that choose a setup: board, orientation, pods, hands, rules.

use std::ffi::{OsStr, OsString};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::failure::Failure;
use super::terminal::hint;
use crate::files::Inputs;
use crate::geometry::Orientation;
use crate::material::{BySide, builtin_board, builtin_pods, find_board, find_pods};
use crate::position::{Game, Hand, Setup};
use crate::rules::{Preset, RuleSet};

/// The built-in board, pods and rule set where none are named.
const BOARD: &str = "cave36";
const PODS: &str = "pods14";
const RULES: &str = "standard";

/// The setup as it was typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Setup")]
pub(super) struct SetupArgs {
    /// Built-in board (see `pods list`) or board file [default: cave36]
    #[arg(long, value_name = "NAME|FILE")]
    board: Option<OsString>,

    /// Turn the board clockwise by this many degrees [default: 0]
    #[arg(long, value_name = "DEGREES", value_parser = orientation_parser())]
    orientation: Option<Orientation>,

    /// Built-in pod set (see `pods list`) or pod file [default: pods14]
    #[arg(long, value_name = "NAME|FILE")]
    pods: Option<OsString>,

    /// Give both players this hand, or White and Black one each: bdt or bdt:bd; - for none [default:
    /// the whole set]
    #[arg(long, value_name = "IDS[:IDS]", allow_hyphen_values = true)]
    hands: Option<String>,

    /// Rule set: a preset, perhaps with options, such as advanced+captures=after-moves (see `pods
    /// list`) [default: standard]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
}

fn orientation_parser() -> impl clap::builder::TypedValueParser<Value = Orientation> {
    PossibleValuesParser::new(["0", "90", "180", "270"])
        .map(|degrees| degrees.parse().expect("clap lets the four values pass only"))
}

impl SetupArgs {
    pub(super) fn inputs(&self) -> Inputs {
        inputs(&self.board, &self.pods)
    }

    pub(super) fn is_given(&self) -> bool {
        let SetupArgs { board, orientation, pods, hands, rules } = self;
        orientation.is_some() || board.is_some() || pods.is_some() || hands.is_some() || rules.is_some()
    }

    /// Names the board and the pods that are taken since none were named, and smaller ones.
    pub(super) fn defaults(&self) -> Option<String> {
        match (&self.board, &self.pods) {
            (Some(_), Some(_)) => None,
            (None, Some(_)) => Some(format!("without --board it is {BOARD}; try --board lair16")),
            (Some(_), None) => Some(format!("without --pods they are {PODS}; try --pods trio")),
            (None, None) => {
                Some(format!("without --board and --pods they are {BOARD} and {PODS}; try --board lair16 --pods trio"))
            }
        }
    }

    pub(super) fn read(&self) -> Result<Setup, Failure> {
        if self.board.is_some() && self.pods.is_none() {
            hint(format_args!("note: the pods are {PODS}, since --pods names none"));
        }
        let board = find_board(self.board.as_deref().unwrap_or(BOARD.as_ref()));
        let board = board.map_err(|e| Failure::wrong(e).at("--board"))?;
        let pods = find_pods(self.pods.as_deref().unwrap_or(PODS.as_ref()));
        let pods = pods.map_err(|e| Failure::wrong(e).at("--pods"))?;
        let rules = self.rules.as_deref().unwrap_or(RULES);
        let rules: RuleSet =
            rules.parse().map_err(|e| Failure::wrong(format_args!("{e} (see `pods list`)")).at("--rules"))?;
        let hands = match &self.hands {
            Some(hands) => Hand::parse_both(hands, &pods).map_err(|cause| Failure::wrong(cause).at("--hands"))?,
            None => BySide::from_fn(|_| Hand::whole(&pods)),
        };
        let game = Game::new(board.turned(self.orientation.unwrap_or_default()), pods, rules);
        Ok(Setup::new(game, [hands.white, hands.black]))
    }
}

/// Returns the files among names of boards and of pod sets.
pub(super) fn inputs<'a, N: AsRef<OsStr> + 'a>(
    boards: impl IntoIterator<Item = &'a N>,
    pods: impl IntoIterator<Item = &'a N>,
) -> Inputs {
    let built_in = |name: &N, is: fn(&str) -> bool| name.as_ref().to_str().is_some_and(is);
    let boards = boards.into_iter().filter(|name| !built_in(name, |name| builtin_board(name).is_some()));
    let pods = pods.into_iter().filter(|name| !built_in(name, |name| builtin_pods(name).is_some()));
    Inputs::default().with(boards.map(AsRef::as_ref)).with(pods.map(AsRef::as_ref))
}

/// Reads the names of rule sets; the Standard game if there are none.
pub(super) fn rule_sets(names: &[String]) -> Result<Vec<RuleSet>, Failure> {
    if names.is_empty() {
        return Ok(vec![Preset::Standard.into()]);
    }
    names.iter().map(|name| name.parse().map_err(|e| Failure::wrong(e).at("--rules"))).collect()
}
