//! `pods report measures`

use std::io::Write;

use serde::Serialize;

use super::balance::named_setups;
use super::failure;
use super::sampled::SampleArgs;
use super::setups::{RulesArg, SetupLists, for_each_setup};
use super::target::{Target, TargetArgs, rule_names, write_picture};
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::csv_rows;
use crate::cli::limits::{Stopper, memory, share};
use crate::cli::progress::Within;
use crate::cli::tables::TablesArg;
use crate::cli::threads::ThreadsArg;
use crate::files::sha256_hex;
use crate::report::measures::{
    EstimateRow, Measure, MeasurePlan, MeasureRow, Method, by_ply_picture, estimates, measures, points_picture,
};
use crate::report::{Cited, Manifest, NamedSetup, Origins, like_csv_about, like_svg};
use crate::solver::Limits;

const ESTIMATES: &str = "estimates.csv";

/// A position that comes up so often ends a game that is played, as drawn.
const REPETITIONS: u32 = 3;

/// Report measures that designers of games use, under optimal, random and strong play.
///
/// They are exact where all positions fit in memory, and where a table is there of samples that are
/// judged exactly; else the player of this program judges its own games. `pods rules formats` says
/// what each measure is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods report measures --board nook9 --pods four --hands bdt --rules advanced --format text
  pods report measures --board cave36 --pods pods14 --strength 1000:100 --format text
  pods report measures --board nook9 --pods four --pictures --out measures
  pods report measures --board lair16 --pods duo --rules advanced --tables tables

Files of --out: measures.csv, estimates.csv (the player's judgement beside the exact one), a
manifest, and two pictures of each setup with --pictures. Columns: `pods rules columns report`.")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) target: TargetArgs,

    /// Draw the measures of each setup into --out: by ply, and on the board
    #[arg(long, requires = "out")]
    pictures: bool,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    tables: TablesArg,

    /// Use at most this much memory for all positions, such as 500MiB or 16GiB
    #[arg(long, value_name = "SIZE", default_value = "8GiB", value_parser = memory)]
    memory: u64,

    #[command(flatten)]
    sample: SampleArgs,

    #[command(flatten)]
    setups: SetupLists,

    #[command(flatten)]
    rules: RulesArg,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    args.threads.set_up()?;
    if args.target.wants_page() {
        return Err(Failure::wrong("measures have no page: leave out --format html, or ask for text, csv or json"));
    }
    let setups = named_setups(&args.setups, &args.rules)?;
    let origins = Origins::of_setups(&setups);
    let plan = plan(args)?;
    let target = args.target.of::<MeasureRow>("measures", &setups, args.setups.inputs())?;
    if let Some(to) = target.folder() {
        to.output(ESTIMATES, &like_csv_about::<EstimateRow>(&setups))?;
        for (setup, number) in setups.iter().zip(1..).filter(|_| args.pictures) {
            for name in picture_names(setup, number) {
                to.output(&name, &like_svg)?;
            }
        }
    }
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let limits = share(Limits::default().with_memory(args.memory)).with_interrupt(stopper.flag());
    let (mut rows, mut done): (Vec<MeasureRow>, usize) = (Vec::new(), 0);
    for_each_setup(
        "measures",
        &setups,
        &stopper,
        |number, progress| {
            let setup = &setups[number];
            let measured = measures(setup, tables.as_ref(), &plan, limits, &Within(progress));
            // What was measured when somebody interrupted is left out.
            (!stopper.is_set()).then(|| measured.map_err(|e| failure(setup, e)))
        },
        |of, _| {
            done += 1;
            rows.extend(of);
            Ok(())
        },
    )?;
    if !stopper.is_set() {
        save(args, &target, &plan, &rows)?;
    }
    target.show(out, &rows, |out| text(out, &setups, &rows, &plan, &origins))?;
    if stopper.is_set() {
        return interrupted(out, format_args!("{done} of {} setups are measured{}", setups.len(), target.unsaved()));
    }
    Ok(Exit::Good)
}

fn picture_names(setup: &NamedSetup, number: usize) -> [String; 2] {
    const LONGEST: usize = 100;
    let name = format!("{number:02}-{}-{}-{}", setup.game().board().name(), setup.orientation(), setup.rules());
    // Names of boards come from files, and may be longer than a name of a file.
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(LONGEST).collect();
    ["plies", "points"].map(|of| format!("{name}-{of}.svg"))
}

fn plan(args: &Args) -> Result<MeasurePlan, Failure> {
    let sample = &args.sample;
    Ok(MeasurePlan {
        horizon: sample.max_plies,
        repetitions: REPETITIONS,
        opening_plies: sample.opening_plies,
        seed: sample.seed,
        games: sample.count,
        strengths: sample.strengths()?.iter().map(|strength| (strength.nodes, strength.games)).collect(),
    })
}

/// Fields of a manifest about the games, and about the files beside the rows.
#[derive(Serialize)]
struct OfMeasures {
    horizon: u32,
    repetitions: u32,
    opening_plies: u32,
    strengths: Vec<(u64, u64)>,
    estimates: Cited,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pictures: Vec<Cited>,
}

fn save(args: &Args, target: &Target<'_>, plan: &MeasurePlan, rows: &[MeasureRow]) -> Result<(), Failure> {
    let Some(to) = target.folder() else { return Ok(()) };
    let setups = target.setups();
    let mut beside = Vec::new();
    csv_rows(&mut beside, true, estimates(rows))?;
    let mut pictures = Vec::new();
    for (block, number) in rows.chunk_by(|a, b| a.setup == b.setup).zip(1..).filter(|_| args.pictures) {
        let setup = &setups[number - 1];
        let drawn = [by_ply_picture(setup, block), points_picture(setup, block)];
        for (name, picture) in picture_names(setup, number).iter().zip(drawn) {
            pictures.extend(picture.map(|picture| write_picture(to, name, &picture)).transpose()?);
        }
    }
    to.output(ESTIMATES, &like_csv_about::<EstimateRow>(setups))?.write_bytes(&beside)?;
    let used = |method| rows.iter().any(|row| row.method == method);
    let methods = [Method::Exact, Method::Sampled, Method::Estimated];
    let methods = methods.into_iter().filter(|&method| used(method)).map(|method| method.name().to_owned()).collect();
    let seed = Some(plan.seed);
    let facts = Manifest { rules: rule_names(setups), seed, methods, rows: rows.len(), ..Manifest::default() };
    let more = OfMeasures {
        horizon: plan.horizon,
        repetitions: plan.repetitions,
        opening_plies: plan.opening_plies,
        strengths: plan.strengths.clone(),
        estimates: Cited { file: ESTIMATES.to_owned(), sha256: sha256_hex(&beside) },
        pictures,
    };
    target.save(rows, None, facts, more)
}

fn with_interval(row: &MeasureRow) -> String {
    let interval = row.low.zip(row.high).map(|(low, high)| format!(" ({:.3} to {:.3})", low.0, high.0));
    format!("{:.3}{}", row.value.0, interval.unwrap_or_default())
}

/// Writes the figures of whole games for people: a block for each setup, a column for each play.
fn text(
    out: &mut dyn Write,
    setups: &[NamedSetup],
    rows: &[MeasureRow],
    plan: &MeasurePlan,
    origins: &Origins,
) -> Result<(), Failure> {
    for (block, setup) in rows.chunk_by(|a, b| a.setup == b.setup).zip(setups) {
        writeln!(out, "{}", setup.record())?;
        let whole: Vec<&MeasureRow> = block.iter().filter(|row| row.ply.is_none() && row.item.is_none()).collect();
        let mut plays: Vec<(&str, Method)> = Vec::new();
        for row in &whole {
            if !plays.contains(&(&row.play, row.method)) {
                plays.push((&row.play, row.method));
            }
        }
        let name = |(play, method): &(&str, Method)| match method {
            Method::Exact => (*play).to_owned(),
            Method::Sampled => format!("{play}*"),
            Method::Estimated => format!("{play}?"),
        };
        let width = |play: &(&str, Method)| {
            let of_play = whole.iter().filter(|row| (row.play.as_str(), row.method) == *play);
            let figures = of_play.map(|row| with_interval(row).chars().count());
            2 + figures.chain([name(play).chars().count()]).max().unwrap_or(0)
        };
        let head = |play| format!("{:>1$}", name(play), width(play));
        writeln!(out, "  {:22}{}", "", plays.iter().map(head).collect::<String>())?;
        for &measure in Measure::ALL {
            let find = |play: &(&str, Method)| {
                whole.iter().find(|row| (row.play.as_str(), row.method) == *play && row.measure == measure)
            };
            let figures: Vec<Option<&&MeasureRow>> = plays.iter().map(find).collect();
            if figures.iter().any(Option::is_some) {
                let cell = |(row, play): (&Option<&&MeasureRow>, _)| {
                    format!("{:>1$}", row.map_or(String::new(), |row| with_interval(row)), width(play))
                };
                let line: String = figures.iter().zip(&plays).map(cell).collect();
                writeln!(out, "  {:22}{line}", measure.name())?;
            }
        }
        writeln!(out)?;
    }
    let mut games: Vec<String> = plan.strengths.iter().map(|(_, games)| games.to_string()).collect();
    games.dedup();
    let games = match games.as_slice() {
        [same] => format!("{same} games at each strength"),
        several => format!("{} games at the strengths in their order", several.join(" and ")),
    };
    Ok(writeln!(
        out,
        "White starts. `strong-N` is the player that looks at N positions before each action: {games},\n\
         after {} random plies. In parentheses: 95 % intervals. Without a mark: all games with their chances; `*`:\n\
         games that were played, judged by exact values where a judge is needed; `?`: judged by the player.\n\
         Where games can be endless, one counts as drawn after {} plies. `pods rules formats` says what each\n\
         measure is; --format csv has them by ply, point and pod.\n{origins}",
        plan.opening_plies, plan.horizon
    )?)
}
