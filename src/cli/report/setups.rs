//! The setups of reports and matches, and what is used to solve them.

use std::ffi::OsString;

use crate::cli::failure::Failure;
use crate::cli::limits::Stopper;
use crate::cli::progress::Progress;
use crate::cli::setup;
use crate::cli::threads::in_order;
use crate::files::Inputs;
use crate::geometry::Orientation;
use crate::material::{BySide, find_pods};
use crate::position::Hand;
use crate::report::NamedSetup;
use crate::rules::RuleSet;

/// Setups as they were typed, every combination of what is given.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Setups")]
pub(in crate::cli) struct SetupLists {
    /// Built-in board or board file
    #[arg(long, value_name = "NAME|FILE")]
    board: Vec<OsString>,

    /// Built-in pod set or pod file
    #[arg(long, value_name = "NAME|FILE")]
    pods: Vec<OsString>,

    /// Give both players this hand, or White and Black one each: bdt or bdt:bd [default: the whole
    /// set]
    #[arg(long, value_name = "IDS[:IDS]", allow_hyphen_values = true)]
    hands: Vec<String>,

    /// Turn the board clockwise by this many degrees [default: 0, 90, 180 and 270]
    #[arg(long, value_name = "DEGREES", value_parser = orientation)]
    orientation: Vec<Orientation>,
}

/// The rule sets as they were typed.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Setups")]
pub(in crate::cli) struct RulesArg {
    /// Rule set; several may be given
    #[arg(long, value_name = "NAME")]
    rules: Vec<String>,
}

fn orientation(text: &str) -> Result<Orientation, String> {
    text.parse().map_err(|_| "one of 0, 90, 180, 270".to_owned())
}

impl RulesArg {
    pub(super) fn is_given(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Returns the rules that were named; the Standard game if none were.
    pub(in crate::cli) fn read(&self) -> Result<Vec<RuleSet>, Failure> {
        setup::rule_sets(&self.rules)
    }
}

impl SetupLists {
    /// Returns `true` if a setup was asked for, and not the built-in ones.
    pub(super) fn has_setup(&self) -> bool {
        !(self.board.is_empty() && self.pods.is_empty() && self.hands.is_empty())
    }

    pub(in crate::cli) fn inputs(&self) -> Inputs {
        setup::inputs(&self.board, &self.pods)
    }

    pub(super) fn wants(&self, orientation: Orientation) -> bool {
        self.orientation.is_empty() || self.orientation.contains(&orientation)
    }

    pub(super) fn wanted(&self, built_in: Vec<NamedSetup>) -> Vec<NamedSetup> {
        built_in.into_iter().filter(|setup| self.wants(setup.orientation())).collect()
    }

    /// Returns every combination of what is given, under each of the rules.
    pub(super) fn read(&self, rules: &[RuleSet]) -> Result<Vec<NamedSetup>, Failure> {
        self.read_or(["nook9", "four"], rules)
    }

    /// Returns the same, with another board and pod set where none is given.
    pub(in crate::cli) fn read_or(&self, default: [&str; 2], rules: &[RuleSet]) -> Result<Vec<NamedSetup>, Failure> {
        fn or<T: Clone + for<'a> From<&'a str>>(list: &[T], default: &str) -> Vec<T> {
            if list.is_empty() { vec![default.into()] } else { list.to_vec() }
        }
        let (boards, pod_sets) = (or(&self.board, default[0]), or(&self.pods, default[1]));
        let (mut setups, mut plains): (Vec<NamedSetup>, Vec<NamedSetup>) = Default::default();
        for pods in &pod_sets {
            let set = find_pods(pods).map_err(|e| Failure::wrong(e).at("--pods"))?;
            for hands in or(&self.hands, &Hand::whole(&set).display(&set).to_string()) {
                let (white, black) = hands.split_once(':').unwrap_or((&hands, &hands));
                for board in &boards {
                    for &rules in rules {
                        let hands = BySide { white, black };
                        let plain = NamedSetup::read(board, Orientation::R0, pods, hands, rules);
                        let plain = plain.map_err(|e| {
                            let [board, pods] = [board, pods].map(|name| std::path::Path::new(name).display());
                            Failure::wrong(e).at(format_args!("{board}, {pods}, {rules}"))
                        })?;
                        named_apart(&plain, &plains)?;
                        setups.extend(self.wanted(Orientation::ALL.map(|by| plain.turned(by)).into()));
                        plains.push(plain);
                    }
                }
            }
        }
        Ok(setups)
    }
}

/// Does a job for each of the setups, several at a time, and takes the results in their order, each
/// as soon as those before it are there. After an interrupt none is begun.
pub(super) fn for_each_setup<T: Send>(
    title: &'static str,
    setups: &[NamedSetup],
    stopper: &Stopper,
    job: impl Fn(usize, &Progress) -> Option<Result<T, Failure>> + Sync,
    mut take: impl FnMut(T, &Progress) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let progress = Progress::new(title, "setups");
    let total = Some(setups.len() as u64);
    progress.update(0, total);
    let job = |number| (!stopper.is_set()).then(|| job(number, &progress))?;
    let mut take = |result| take(result, &progress);
    let behind = in_order(0..setups.len(), job, |done| progress.update(done, total), &mut take)?;
    behind.into_iter().try_for_each(take)
}

/// Checks that no other board, and no other pods, have the same name: rows could not be told apart.
fn named_apart(setup: &NamedSetup, others: &[NamedSetup]) -> Result<(), Failure> {
    let own = setup.game();
    for other in others {
        let (board, pods) = (other.game().board(), other.game().pods());
        let (name, [file, before]) = match () {
            () if own.board().name() == board.name() && own.board() != board => {
                (board.name(), [setup.board(), other.board()])
            }
            () if own.pods().name() == pods.name() && own.pods() != pods => (pods.name(), [setup.pods(), other.pods()]),
            () => continue,
        };
        return Err(Failure::wrong(format_args!(
            "{} and {} have the same name, {name:?}: change one of them",
            before.display(),
            file.display()
        )));
    }
    Ok(())
}
