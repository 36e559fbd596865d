//! `pods conform`

mod survey;

use std::io::Write;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};

pub(super) use self::survey::SurveyRow;
use super::engines::attacks;
use super::failure::{CommandResult, Exit, Failure, interrupted};
use super::format::{Format, json_line};
use super::limits::Stopper;
use super::matches::grace;
use super::progress::Progress;
use crate::drawing::text::{self as drawing, Style};
use crate::files::{count, escaped};
use crate::oracle::conform::{
    Finding, Origin, Plan, Reply, RunProgress, Subject, Tally, Topic, Verdict, requests, run as ask,
    survey as survey_all,
};
use crate::oracle::peer::{Answers, Peer, PeerError};
use crate::rules::{OPTION_NAMES, Preset};

/// Check a program that speaks the conformance protocol against the reference engine.
///
/// First come questions constructed so that a single clause or option decides the answer, some
/// hundreds for each. Then come thousands of positions of random games, on built-in and on random
/// small boards: legal actions and their results, illegal actions that come close, status, perft
/// counts.
///
/// The first difference is asked again in a fresh process, shrunk to the smallest position, and
/// explained by the clause that it is about.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods conform --engine 'python3 scripts/conform_engine.py'
  pods conform --engine 'pods engine --engine fast' --positions 100000 --seed 7
  pods conform --engine ./my-engine --presets standard,advanced --timeout 2
  pods conform --engine ./my-engine --keep-going --format csv

The command is split into words as a shell does, and run without one. The same seed asks the same
questions.

A constructed question counts for a clause or an option if a program that reads it wrongly would
answer otherwise. The table at the end says how many there were, and how many for the rarest of the
wrong readings.

With --keep-going a failure counts for the clause that its question was made to decide, and, counted
apart, for the clause that its answer points to. The table shows the first failure of each, the
likeliest clause first: that of the wrong reading whose answers the program gives most. A program
that dies is started again.

Exit status: 1 an answer differs; 2 the program dies, hangs, floods or does not speak the protocol
(see `pods rules protocol`).")]
pub(super) struct Args {
    /// Check the program that this command starts
    #[arg(long, value_name = "COMMAND")]
    engine: String,

    /// Seed the random games
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,

    /// Ask about at least this many positions of random games
    #[arg(long, value_name = "N", default_value = "5000")]
    positions: u64,

    /// Construct at least this many questions for each clause and option
    #[arg(long, value_name = "N", default_value = "200")]
    constructed: u64,

    /// Ask about these presets only, separated by commas [default: all, and random rule sets].
    /// Where a random set of pods has no two-legged one, opening=any is added
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = preset_parser())]
    presets: Vec<Preset>,

    /// Wait at most this many seconds for an answer
    #[arg(long, value_name = "S", default_value = "10", value_parser = grace)]
    timeout: Duration,

    /// Go on after a difference, and sum the failures up by clause, option and topic; nothing is
    /// shrunk
    #[arg(long)]
    keep_going: bool,

    /// Write the failures in this format [default: text]
    #[arg(long, value_enum, requires = "keep_going")]
    format: Option<Format>,
}

fn preset_parser() -> impl clap::builder::TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name)).map(|name| {
        Preset::ALL.into_iter().find(|preset| preset.name() == name).expect("clap lets only these names pass")
    })
}

/// Returns why the program could not be asked; a signal is not its fault.
fn failed(error: PeerError) -> Failure {
    if matches!(error, PeerError::Ended) { Failure::Interrupted(error.to_string()) } else { Failure::wrong(error) }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let (positions, constructed) = (args.positions, args.constructed);
    if positions == 0 && constructed == 0 {
        return Err(Failure::wrong("nothing would be asked: raise --positions or --constructed above 0"));
    }
    let only_presets = !args.presets.is_empty();
    let presets = if only_presets { args.presets.clone() } else { Preset::ALL.to_vec() };
    let plan = Plan { seed: args.seed, constructed, positions, presets, only_presets };
    let stopper = Stopper::new(true)?;
    let mut start = || -> Result<Box<dyn Answers>, PeerError> {
        Ok(Box::new(Peer::start(&args.engine, args.timeout, Some(stopper.flag()))?))
    };
    let bars = [Progress::new("conform", "positions"), Progress::new("conform, constructed", "subjects")];
    let told = |step| match step {
        RunProgress::Constructed(done, of) => bars[1].update(done, Some(of)),
        RunProgress::Random(done, of) => bars[0].update(done, Some(of)),
    };
    if args.keep_going {
        let survey = survey_all(&mut start, &plan, &told, Some(stopper.flag()));
        drop(bars);
        return survey::tell(args, &survey.map_err(failed)?, out);
    }
    let verdict = ask(&mut start, &plan, &told, Some(stopper.flag()));
    drop(bars);
    let (name, verdict) = verdict.map_err(failed)?;
    let name = if name.is_empty() { escaped(&args.engine) } else { name };
    match verdict {
        Verdict::Agrees(tally) => {
            if positions > 0 {
                writeln!(out, "{name} agrees with the rules")?;
            } else {
                writeln!(
                    out,
                    "{name} answers the constructed questions as the rules do; no random game was asked about"
                )?;
            }
            summary(out, args, &tally)?;
            Ok(Exit::Good)
        }
        Verdict::Ended(tally) => {
            writeln!(out, "{name} agrees with the rules so far")?;
            summary(out, args, &tally)?;
            interrupted(out, "not all questions were asked")
        }
        Verdict::Differs(finding) => {
            match finding.origin {
                // After shrinking, the clause below says more than the one that the question was made for.
                Origin::Constructed(_) => writeln!(out, "{name} differs, in a constructed question")?,
                Origin::Game(number) => writeln!(out, "{name} differs, in game {number} of seed {}", args.seed)?,
            }
            differs(out, &finding)?;
            summary(out, args, &finding.tally)?;
            if finding.ended {
                interrupted(out, "the difference was not looked into: there may be a smaller one")?;
            }
            let answered = finding.shrunken.difference.got.answer().is_some();
            Ok(if answered { Exit::Discrepancy } else { Exit::Wrong })
        }
    }
}

/// Writes the difference, with all that is needed to see it and to ask again.
fn differs(out: &mut dyn Write, finding: &Finding) -> Result<(), Failure> {
    let Finding { met, shrunken, diagnosis, history, .. } = finding;
    let difference = &*shrunken.difference;
    let (game, position) = (&difference.game, &difference.position);
    let clauses: Vec<String> =
        diagnosis.clauses.iter().map(|clause| format!("{clause} ({})", clause.title())).collect();
    let at_stake = match history {
        _ if !clauses.is_empty() => clauses.join(", or "),
        Some(_) => "none, the program keeps state between requests".to_owned(),
        None if difference.got.answer().is_none() => "none, there is no answer".to_owned(),
        None => "none, a matter of form".to_owned(),
    };
    writeln!(out, "\nclause    {at_stake}")?;
    // The likeliest clause alone is quoted.
    if let Some(clause) = diagnosis.clauses.first() {
        writeln!(out, "says      {clause}: {}", clause.sentence())?;
    }
    writeln!(out, "why       {}", escaped(&diagnosis.why))?;
    let pods = position.pods().count()
        + position.hand(crate::material::Side::White).len()
        + position.hand(crate::material::Side::Black).len();
    writeln!(
        out,
        "smallest  {} in play, {}, after {} smaller positions tried; met in {}",
        count(pods as u64, "pod"),
        count(game.board().len() as u64, "point"),
        shrunken.tried,
        met.position.display(&met.game)
    )?;
    writeln!(out, "rules     {}", game.rules())?;
    let changed = OPTION_NAMES.iter().filter_map(|name| {
        let [was, is] = [met.game.rules(), game.rules()].map(|rules| rules.value(name).unwrap_or_default());
        (was != is).then(|| format!("{name} from {was} to {is}"))
    });
    let changed: Vec<String> = changed.collect();
    if !changed.is_empty() {
        writeln!(out, "          shrinking changed {}; met under {}", changed.join(", "), met.game.rules())?;
    }
    writeln!(out, "position  {}", position.display(game))?;
    for kind in game.pods().kinds() {
        writeln!(out, "pod {}     {}", game.pods().id(kind), game.pods().legs(kind))?;
    }
    writeln!(out, "\n{}", drawing::position(game, position, &attacks(game, position), Style::Unicode))?;
    let requests = requests(finding);
    match history.as_ref().map(|history| history.requests.is_some()) {
        None => writeln!(out, "The requests, for a fresh process:")?,
        Some(true) => writeln!(
            out,
            "A fresh process answers the last request rightly, but not after the {} before it:",
            requests.len() - 1
        )?,
        Some(false) => writeln!(
            out,
            "A fresh process answers these requests rightly, and the difference did not come back even after the requests of \
             the run were repeated:"
        )?,
    }
    for request in requests {
        json_line(out, &request)?;
    }
    writeln!(out, "The rules answer:")?;
    json_line(out, &difference.expected)?;
    match &difference.got {
        Reply::Answer(got) => {
            writeln!(out, "The program answers:")?;
            writeln!(out, "{}", escaped(&serde_json::to_string(got).map_err(std::io::Error::from)?))?;
        }
        Reply::Fault(fault) => writeln!(out, "What happens:\n{}", fault.message)?,
    }
    Ok(writeln!(out)?)
}

fn summary(out: &mut dyn Write, args: &Args, tally: &Tally) -> Result<(), Failure> {
    writeln!(out, "seed       {}", args.seed)?;
    writeln!(out, "games      {}", tally.games)?;
    let random = tally.random_positions;
    writeln!(out, "positions  {}, of which {random} of random games", tally.positions)?;
    writeln!(
        out,
        "questions  {}, of which {} constructed; perft counts {}",
        tally.questions, tally.constructed_questions, tally.counts
    )?;
    if !args.presets.is_empty() {
        let names: Vec<&str> = tally.rule_sets.iter().map(String::as_str).collect();
        writeln!(out, "rules      {}", names.join(", "))?;
    }
    if !tally.decided.is_empty() {
        writeln!(
            out,
            "constructed questions, by the clause or option that decides them; `misreadings`: wrong readings of it that are tested;\n\
             `fewest`: questions that detect the least tested misreading\n\
             {:6} {:>9} {:>11} {:>6}  clause, option or topic",
            "", "questions", "misreadings", "fewest"
        )?;
    }
    for (subject, decided) in &tally.decided {
        let number = if let Subject::Clause(clause) = subject { clause.to_string() } else { String::new() };
        let readings = decided.fewest().map_or_else(
            || format!("{:>11} {:>6}", "", ""),
            |(_, fewest)| format!("{:>11} {fewest:>6}", decided.misreadings.len()),
        );
        writeln!(out, "  {number:4} {:>9} {readings}  {}", decided.questions, subject.title())?;
    }
    if !tally.decided.is_empty() && tally.topic(Topic::LargeCounts) == 0 {
        let why = "asked only of programs that declare large-counts, under rules with moves";
        writeln!(out, "  {:4} {:>9} {:>11} {:>6}  {}: {why}", "", 0, "", "", Topic::LargeCounts.name())?;
    }
    let short: Vec<String> = tally.short_of(args.constructed).iter().map(ToString::to_string).collect();
    if !short.is_empty() && tally.random_positions > 0 {
        writeln!(out, "fewer than {} constructed questions: {}", args.constructed, short.join(", "))?;
    }
    if tally.random_positions > 0 {
        writeln!(out, "random games: checks by clause")?;
    }
    for (clause, count) in &tally.clauses {
        writeln!(out, "  {:4} {count:>9}  {}", clause.to_string(), clause.title())?;
    }
    Ok(())
}
