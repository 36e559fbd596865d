//! `pods report --measures`

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::save::{Facts, manifest, rule_names, write_manifest, write_picture};
use super::{Args, failure};
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::csv_rows;
use crate::cli::limits::Stopper;
use crate::cli::progress::Progress;
use crate::cli::threads::in_order;
use crate::matches::Conventions;
use crate::report::measures::{
    EstimateRow, Measure, MeasurePlan, MeasureRow, Method, by_ply_picture, estimates, measures, points_picture,
};
use crate::report::{Cited, Manifest, NamedSetup, Origins, like_csv_about, like_svg, sha256_hex};
use crate::solver::Silent;

const RESULT: &str = "measures.csv";
const ESTIMATES: &str = "estimates.csv";

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    if args.wants_page() {
        return Err(Failure::wrong("--measures has no page: leave out --format html, or ask for text, csv or json"));
    }
    let setups = args.named_setups()?;
    let origins = Origins::of_setups(&setups);
    let plan = plan(args)?;
    args.may_save::<MeasureRow>("measures", &setups)?;
    if let Some(folder) = args.folder() {
        let inputs = args.inputs();
        let to = args.force.folder(folder, &inputs);
        to.output(ESTIMATES, &like_csv_about::<EstimateRow>(&setups))?;
        for (setup, number) in setups.iter().zip(1..).filter(|_| args.pictures) {
            picture_names(setup, number).iter().try_for_each(|name| to.output(name, &like_svg).map(drop))?;
        }
    }
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let limits = args.budget(Some(&stopper));
    let progress = Progress::new("measures", "setups");
    let total = Some(setups.len() as u64);
    let (mut rows, mut done): (Vec<MeasureRow>, usize) = (Vec::new(), 0);
    let measure = |number: usize| {
        let setup = &setups[number];
        let measured = (!stopper.is_set()).then(|| measures(setup, tables.as_ref(), &plan, limits, &Silent))?;
        // What was measured when somebody interrupted is left out.
        (!stopper.is_set()).then(|| measured.map_err(|e| failure(setup, e)))
    };
    let mut take = |of: Vec<MeasureRow>| {
        done += 1;
        rows.extend(of);
        Ok(())
    };
    let behind = in_order(0..setups.len(), measure, |done| progress.update(done, total), &mut take)?;
    behind.into_iter().try_for_each(take)?;
    drop(progress);
    let mut csv = Vec::new();
    csv_rows(&mut csv, true, &rows)?;
    args.write_rows(out, &csv, &rows, |out| text(out, &setups, &rows, &plan, &origins))?;
    if stopper.is_set() {
        let unsaved = if args.out.is_some() { "; nothing was written to --out" } else { "" };
        return interrupted(out, format_args!("{done} of {} setups are measured{unsaved}", setups.len()));
    }
    if let Some(folder) = args.folder() {
        save(args, folder, &setups, &plan, &rows, &csv)?;
    }
    Ok(Exit::Good)
}

/// Returns the names of the pictures of a setup: by ply, and of points.
fn picture_names(setup: &NamedSetup, number: usize) -> [String; 2] {
    let name = format!("{number:02}-{}-{}-{}", setup.game().board().name(), setup.orientation(), setup.rules());
    // Names of boards come from files.
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    ["plies", "points"].map(|of| format!("{name}-{of}.svg"))
}

fn plan(args: &Args) -> Result<MeasurePlan, Failure> {
    let (full, play) = (&args.full, &args.full.play);
    let strengths = play.strengths(full.count)?;
    let doublings = play.doublings;
    if strengths.first().is_some_and(|of| of.nodes.checked_mul(1 << doublings).is_none()) {
        return Err(Failure::wrong("--doublings: the nodes would be more than can be counted: begin with fewer"));
    }
    let Conventions { repetitions, plies } = play.conventions();
    Ok(MeasurePlan {
        horizon: plies,
        repetitions,
        opening_plies: play.opening(),
        seed: full.seed,
        games: full.count,
        doublings,
        strengths: strengths.iter().map(|strength| (strength.nodes, strength.games)).collect(),
    })
}

/// A manifest of the rows, with what was asked for and the file of estimates beside them.
#[derive(Serialize)]
struct MeasuresManifest {
    #[serde(flatten)]
    manifest: Manifest,
    horizon: u32,
    repetitions: u32,
    opening_plies: u32,
    /// Nodes and games.
    strengths: Vec<(u64, u64)>,
    doublings: u32,
    estimates: Cited,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pictures: Vec<Cited>,
}

fn save(
    args: &Args,
    folder: &Path,
    setups: &[NamedSetup],
    plan: &MeasurePlan,
    rows: &[MeasureRow],
    csv: &[u8],
) -> Result<(), Failure> {
    let mut beside = Vec::new();
    csv_rows(&mut beside, true, estimates(rows))?;
    let inputs = args.inputs();
    let to = args.force.folder(folder, &inputs);
    let mut pictures = Vec::new();
    for (block, number) in rows.chunk_by(|a, b| a.setup == b.setup).zip(1..).filter(|_| args.pictures) {
        let setup = &setups[number - 1];
        let drawn = [by_ply_picture(setup, block), points_picture(setup, block)];
        for (name, picture) in picture_names(setup, number).iter().zip(drawn) {
            pictures.extend(picture.map(|picture| write_picture(to, name, &picture)).transpose()?);
        }
    }
    let used = |method| rows.iter().any(|row| row.method == method);
    let methods = [Method::Exact, Method::Sampled, Method::Estimated];
    let methods = methods.into_iter().filter(|&method| used(method)).map(|method| method.name().to_owned()).collect();
    let facts = Facts { rules: rule_names(setups), methods, rows: rows.len(), ..Facts::default() };
    let manifest = MeasuresManifest {
        manifest: manifest(args, setups, Some(plan.seed), (RESULT, csv), None, facts)?,
        horizon: plan.horizon,
        repetitions: plan.repetitions,
        opening_plies: plan.opening_plies,
        strengths: plan.strengths.clone(),
        doublings: plan.doublings,
        estimates: Cited { file: ESTIMATES.to_owned(), sha256: sha256_hex(&beside) },
        pictures,
    };
    to.output(RESULT, &like_csv_about::<MeasureRow>(setups))?.write_bytes(csv)?;
    to.output(ESTIMATES, &like_csv_about::<EstimateRow>(setups))?.write_bytes(&beside)?;
    write_manifest(to, "measures", &manifest)
}

/// Returns a figure with its interval, if it has one.
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
        let of = |measure| block.iter().filter(move |row| row.measure == measure);
        for (won, drawn) in of(Measure::SkillTrace).zip(of(Measure::SkillTraceDrawn)) {
            let (games, against) = (won.games.unwrap_or(0), won.item.as_deref().unwrap_or_default());
            let [won_share, drawn_share] = [won, drawn].map(with_interval);
            writeln!(out, "  {} wins {won_share} of {games} games against {against}, draws {drawn_share}", won.play)?;
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
