//! `pods match`

mod say;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

pub(super) use self::say::MatchRow;
use super::failure::{CommandResult, Exit, Failure, interrupted};
use super::format::Format;
use super::limits::{Stopper, memory};
use super::outputs::ForceArg;
use super::progress::Progress;
use super::report::{RulesArg, SetupLists};
use super::terminal::{complain, note};
use super::threads::{ThreadsArg, in_order};
use crate::files::{AppendedError, Inputs, Output, Overwrite};
use crate::matches::{
    Conventions, Decision, End, GamesFile, Opening, Pair, Plan, Ready, Spec, Sprt, Tally, within_a_day,
};
use crate::material::Side;

/// Let two engines play each other, and say which one is stronger.
///
/// Each opening is drawn at random by the seed and played twice, with the colours swapped.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods match 'best --max-nodes 2000' random --board lair16 --pods four --rules advanced
  pods match 'best --time 0.2' 'best --time 0.05' --rules advanced --orientation 0 --pairs 100
  pods match 'best --max-nodes 4000' 'best --max-nodes 400' --pairs 20
  pods match 'best --time 0.1' 'program --time 0.1 ./my-engine' --sprt 0:30 --pairs 1000
  pods match random random --rules standard --pairs 20 --out random.jsonl

An ENGINE is one of these, in quotes:

  best [BUDGET] [--threads N]
  random
  program BUDGET COMMAND

A BUDGET is --time SECONDS, --max-nodes N or --depth PLIES for each action. A program answers the
request `best` of the conformance protocol (`pods rules protocol`).

The rules have no draw by repetition or length. In a match both end a game, by convention, and
are counted apart.

Times are wall-clock times: with more --threads than cores, players get less. Without times in the
budgets a match is the same in every run.

Each pair is appended to the file of --out when it and those before it are played. After a kill or
Ctrl-C the same command resumes, also with more --pairs; a file of another match is refused without
--force. `pods replay` checks the games.

Exit status: 1 a program played an illegal action, died or did not answer, and lost a game by that.")]
pub(super) struct Args {
    /// The first engine
    #[arg(value_name = "ENGINE")]
    first: Spec,

    /// The second engine
    #[arg(value_name = "ENGINE")]
    second: Spec,

    /// Play this many openings, each with both colours
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: u64,

    /// Begin each opening with this many plies of random play
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(..=200))]
    opening_plies: u32,

    /// Seed the openings and the random player
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,

    /// Call a game drawn when a position comes up for the Nth time
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(2..))]
    repetitions: u32,

    /// Call a game drawn when it has this many plies
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_plies: u32,

    /// Allow a program this many seconds beyond its budget
    #[arg(long, value_name = "S", default_value = "10", value_parser = grace)]
    timeout: Duration,

    /// Let this side start
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = side)]
    starts: Side,

    /// End the match as soon as a sequential test decides between two claims, the Elo of the first
    /// engine; --pairs is then the largest number played. ALPHA and BETA are the chances of deciding
    /// for the wrong claim, where the first or the second is true [default: 0.05]
    #[arg(long, value_name = "ELO:ELO[:ALPHA:BETA]", allow_hyphen_values = true, value_parser = sprt)]
    sprt: Option<Sprt>,

    /// Use at most this much memory for each engine of this program, such as 500MiB
    #[arg(long, value_name = "SIZE", default_value = "128MiB", value_parser = memory)]
    memory: u64,

    /// Save the games in this file, which `pods replay` checks
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    /// Format of the result
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    setups: SetupLists,

    #[command(flatten)]
    rules: RulesArg,
}

/// Reads the claims of a sequential test, and the chances of its errors.
fn sprt(text: &str) -> Result<Sprt, String> {
    let form = || "it is two claims and perhaps the chances of errors, as in 0:30 or 0:30:0.05:0.05".to_owned();
    let numbers = text.split(':').map(str::parse).collect::<Result<Vec<f64>, _>>().map_err(|_| form())?;
    let (elo0, elo1, alpha, beta) = match numbers[..] {
        [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
        [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
        _ => return Err(form()),
    };
    Sprt::new(elo0, elo1, alpha, beta).map_err(|error| error.to_string())
}

fn side(text: &str) -> Result<Side, String> {
    text.parse().map_err(|_| "white or black".to_owned())
}

/// Reads the seconds that a program may take beyond its budget, or for an answer.
pub(super) fn grace(text: &str) -> Result<Duration, String> {
    within_a_day(text).ok_or_else(|| "write a number of seconds, from 0.001 to a day".to_owned())
}

impl Args {
    pub(super) fn has_files(&self) -> bool {
        self.out.is_some()
    }

    fn plan(&self) -> Result<Plan, Failure> {
        Ok(Plan {
            players: [self.first.clone(), self.second.clone()],
            setups: self.setups.read_or(["cave36", "pods14"], &self.rules.read()?)?,
            first: self.starts,
            pairs: self.pairs,
            opening_plies: self.opening_plies,
            seed: self.seed,
            conventions: Conventions { repetitions: self.repetitions, plies: self.max_plies },
            memory: self.memory,
            grace: self.timeout,
        })
    }
}

/// The pairs that were played, in their order, and what ended the match.
struct Match {
    plan: Plan,
    pairs: Vec<Pair>,
    all: Tally,
    sprt: Option<Sprt>,
    decision: Decision,
    /// Pairs that were played behind one that was not, or behind the decision: they are left out.
    left_out: usize,
    stopped: bool,
}

struct Prepared {
    plan: Plan,
    ready: Vec<Ready>,
    openings: Vec<Opening>,
    sprt: Option<Sprt>,
}

/// Callback that takes the bytes of a file of games as they come.
type Keep<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Failure>;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let (plan, sprt) = (args.plan()?, args.sprt);
    let inputs = args.setups.inputs();
    // What a file holds is judged when it is opened: one whose first line is torn is continued too.
    let overwrite = Overwrite { force: args.force.is_given(), inputs: &inputs, judge: &|_| Ok(()) };
    let file = args.out.as_deref().map(|path| Output::to_keep(path, overwrite)).transpose()?;
    if let Some(file) = &file {
        file.can_be_written()?;
    }
    args.threads.set_up()?;
    let stopper = Stopper::new(true)?;
    let ready = plan.ready().map_err(Failure::wrong)?;
    let openings =
        plan.openings(&ready, &Progress::new("openings", "pairs").until(&stopper)).map_err(Failure::wrong)?;
    if (openings.len() as u64) < plan.pairs {
        return interrupted(out, format_args!("{} of {} openings were drawn", openings.len(), plan.pairs));
    }
    let prepared = Prepared { plan, ready, openings, sprt };
    let played = match file {
        None => play(prepared, Vec::new(), &stopper, &mut |_| Ok(()))?,
        Some(file) => {
            let (mut games, kept) = open(args, file.path(), &inputs, &prepared)?;
            let place = file.path().display();
            let mut keep = |bytes: &[u8]| games.append(bytes).map_err(|e| Failure::wrong(e).at(&place));
            play(prepared, kept, &stopper, &mut keep)?
        }
    };
    say::say(&played, args.format, out)?;
    for (who, fault) in faults(&played.pairs).take(MAX_FAULTS) {
        complain(format_args!("pods: {} lost a game: {fault}\n", played.plan.players[who]));
    }
    if played.stopped {
        let kept = if args.out.is_some() { ", which are kept" } else { "" };
        let pairs = played.pairs.len();
        return interrupted(
            out,
            format_args!("the result is of {pairs} of {} pairs of games{kept}", played.plan.pairs),
        );
    }
    Ok(if played.all.faults == [0, 0] { Exit::Good } else { Exit::Discrepancy })
}

/// Opens the file of games, with the pairs that are there already; with --force it is begun anew.
fn open(args: &Args, path: &Path, inputs: &Inputs, of: &Prepared) -> Result<(GamesFile, Vec<Pair>), Failure> {
    let refused = |error: AppendedError| {
        let cause = match error {
            AppendedError::Output(error) => return Failure::from(error),
            AppendedError::Foreign(line) => format!(
                "line {line} is of another match: ask for the same engines, setups, seed and conventions as before, name \
                 another file, or begin it anew with --force"
            ),
            AppendedError::OfAnotherKind(_) => {
                "it is not a file of games; name another file, or replace this one with --force".to_owned()
            }
            other => other.to_string(),
        };
        Failure::wrong(cause).at(path.display())
    };
    if args.force.is_given() {
        return Ok((GamesFile::anew(path, inputs, &of.plan, &of.ready).map_err(refused)?, Vec::new()));
    }
    let (games, kept) = GamesFile::open(path, inputs, &of.plan, &of.ready, &of.openings).map_err(refused)?;
    if !kept.is_empty() {
        let (there, of) = (kept.len(), of.plan.pairs);
        let place = path.display();
        note(format_args!("resuming from {place}: {there} of {of} pairs are there; times are of the others alone"));
    }
    Ok((games, kept))
}

/// The most faults that are told one by one; the others are counted.
const MAX_FAULTS: usize = 5;

/// Lists the games that were lost by a fault, each with the fault.
fn faults(pairs: &[Pair]) -> impl Iterator<Item = (usize, &str)> {
    let games = pairs.iter().flat_map(|pair| pair.games.iter().enumerate());
    games.filter_map(|(number, game)| match &game.end {
        End::Fault(fault) => Some((usize::from(game.winner == Some(Pair::first_player(number))), fault.as_str())),
        _ => None,
    })
}

/// Plays the pairs behind those that are kept already, and hands on what belongs into the file of
/// games.
fn play(of: Prepared, kept: Vec<Pair>, stopper: &Stopper, keep: Keep<'_>) -> Result<Match, Failure> {
    let Prepared { plan, ready, openings, sprt } = of;
    let there = kept.len();
    let progress = Progress::new("match", "pairs");
    let total = Some(plan.pairs);
    progress.begin_at(there as u64, total);
    let decided = AtomicBool::new(false);
    let (mut pairs, mut all, mut decision) = (Vec::new(), Tally::default(), Decision::Open);
    let mut count_in = |pair: Pair| {
        all.add(&pair);
        pairs.push(pair);
        decision = sprt.map_or(Decision::Open, |sprt| sprt.decision(all.pairs));
        decided.store(decision != Decision::Open, Ordering::Relaxed);
    };
    for pair in kept {
        if !decided.load(Ordering::Relaxed) {
            count_in(pair);
        }
    }
    let job = |number: usize| {
        if decided.load(Ordering::Relaxed) {
            return None;
        }
        let pair = plan.play(number as u64, &openings[number], &ready, stopper.flag());
        pair.map_err(Failure::wrong).transpose()
    };
    let mut in_file = there as u64;
    let take = |pair: Pair| {
        if !decided.load(Ordering::Relaxed) {
            keep(&plan.pair_bytes(&pair, &ready))?;
            in_file += 1;
            count_in(pair);
        }
        Ok(())
    };
    let played = AtomicU64::new(there as u64);
    let count = |done| {
        played.store(there as u64 + done, Ordering::Relaxed);
        progress.update(there as u64 + done, total);
    };
    in_order(there..openings.len(), job, count, take)?;
    let stopped = decision == Decision::Open && (pairs.len() as u64) < plan.pairs;
    if !stopped {
        keep(&Plan::end_bytes(in_file))?;
    }
    let left_out = (played.into_inner() as usize).saturating_sub(pairs.len());
    Ok(Match { plan, pairs, all, sprt, decision, left_out, stopped })
}
