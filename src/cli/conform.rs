//! `pods conform`

use std::io::Write;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::engines::attacks;
use super::failure::{Exit, Failure, Outcome};
use super::format::json_line;
use super::progress::Progress;
use crate::oracle::conform::{Difference, Peer, Plan, Shrunken, Stake, Tally, Verdict, requests, run as ask};
use crate::report::drawing::{self, Style};
use crate::rules::Preset;

/// Checks any program that speaks the conformance protocol against the reference engine.
///
/// Asks about thousands of positions of random games, on built-in boards and on random small ones: legal actions, their
/// results, illegal actions that come close, status, perft counts. The first difference is shrunk to the smallest
/// position, and the clause that is at stake is named.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods conform --engine 'python3 scripts/conform_engine.py'
  pods conform --engine 'pods engine --engine fast' --positions 100000 --seed 7
  pods conform --engine ./my-engine --presets standard,advanced --timeout 2

The command is split into words as a shell does, and run without one. The same seed asks the same questions.
Exit status 1: an answer differs; 2: the program dies, hangs, floods or does not speak the protocol (see \
`pods rules protocol`).")]
pub(super) struct Args {
    /// The program to check, with its arguments
    #[arg(long, value_name = "COMMAND")]
    engine: String,

    /// Seed of the random games
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,

    /// In how many positions to ask, at least
    #[arg(long, value_name = "N", default_value = "5000")]
    positions: u64,

    /// Ask about these presets only, separated by commas [default: all, and random rule sets]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = preset_parser())]
    presets: Vec<Preset>,

    /// How long the program may take for one answer, in seconds
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    timeout: Duration,
}

fn preset_parser() -> impl clap::builder::TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name)).map(|name| {
        Preset::ALL.into_iter().find(|preset| preset.name() == name).expect("clap lets only these names pass")
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "a number of seconds, as in 2 or 0.5".to_owned())?;
    match Duration::try_from_secs_f64(number) {
        Ok(time) if time >= Duration::from_millis(1) && number <= 86_400.0 => Ok(time),
        _ => Err("from 0.001 s to a day".to_owned()),
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let only_presets = !args.presets.is_empty();
    let presets = if only_presets { args.presets.clone() } else { Preset::ALL.to_vec() };
    let plan = Plan { seed: args.seed, positions: args.positions, presets, only_presets };
    let mut peer = Peer::start(&args.engine, args.timeout).map_err(Failure::wrong)?;
    let name = if peer.name().is_empty() { args.engine.clone() } else { peer.name().to_owned() };
    let progress = Progress::new("conform", "positions");
    let verdict = ask(&mut peer, &plan, &|done| progress.update(done, Some(args.positions)));
    drop(progress);
    match verdict.map_err(Failure::wrong)? {
        Verdict::Agrees(tally) => {
            peer.quit().map_err(Failure::wrong)?;
            writeln!(out, "{name} agrees with the rules")?;
            summary(out, args.seed, &tally)?;
            Ok(Exit::Good)
        }
        Verdict::Differs { tally, number, met, shrunken, stake } => {
            writeln!(out, "{name} differs, in game {number} of seed {}", args.seed)?;
            differs(out, &met, &shrunken, &stake)?;
            summary(out, args.seed, &tally)?;
            Ok(Exit::Discrepancy)
        }
    }
}

/// The difference, with all that is needed to see it and to ask again.
fn differs(out: &mut dyn Write, met: &Difference, shrunken: &Shrunken, stake: &Stake) -> Result<(), Failure> {
    let Difference { game, position, expected, got, .. } = &*shrunken.difference;
    let clauses: Vec<String> = stake.clauses.iter().map(|clause| format!("{clause} ({})", clause.title())).collect();
    let at_stake = if clauses.is_empty() { "none, a matter of form".to_owned() } else { clauses.join(", or ") };
    writeln!(out, "\nclause    {at_stake}")?;
    for clause in &stake.clauses {
        writeln!(out, "says      {clause}: {}", clause.sentence())?;
    }
    writeln!(out, "why       {}", stake.why)?;
    let pods = position.pods().count()
        + position.hand(crate::material::Side::White).len()
        + position.hand(crate::material::Side::Black).len();
    writeln!(
        out,
        "smallest  {pods} pods in play, {} points, after {} smaller positions tried; met in {}",
        game.board().len(),
        shrunken.tried,
        met.position.text(&met.game)
    )?;
    writeln!(out, "rules     {}", game.rules())?;
    writeln!(out, "position  {}", position.text(game))?;
    for kind in game.pods().kinds() {
        writeln!(out, "pod {}     {}", game.pods().id(kind), game.pods().legs(kind))?;
    }
    writeln!(out, "\n{}", drawing::position(game, position, &attacks(game, position), Style::Unicode))?;
    writeln!(out, "The requests:")?;
    for request in requests(&shrunken.difference) {
        json_line(out, &request)?;
    }
    writeln!(out, "The rules answer:")?;
    json_line(out, expected)?;
    writeln!(out, "The program answers:")?;
    json_line(out, got)?;
    Ok(writeln!(out)?)
}

fn summary(out: &mut dyn Write, seed: u64, tally: &Tally) -> Result<(), Failure> {
    writeln!(out, "seed       {seed}")?;
    writeln!(out, "games      {}", tally.games)?;
    writeln!(out, "positions  {}", tally.positions)?;
    writeln!(out, "questions  {}, of which perft counts {}", tally.questions, tally.counts)?;
    writeln!(out, "checks by clause")?;
    for (clause, count) in &tally.clauses {
        writeln!(out, "  {:4} {count:>9}  {}", clause.to_string(), clause.title())?;
    }
    Ok(())
}
