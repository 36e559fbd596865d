//! `pods check`

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::failure::{Exit, Failure, Outcome};
use super::format::{Format, csv_rows, json_line};
use crate::geometry::{Orientation, Point, PointSet, Symmetry};
use crate::material::{
    BUILTIN_BOARDS, BUILTIN_PODS, Board, MaterialError, PodSet, board_from_toml, pods_from_toml, symmetries,
};

/// Reads board and pod files, says what they hold and how it differs from the real game.
///
/// Every file is checked; the exit status is 2 if any is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods check my-board.toml my-pods.toml
  pods check cave36 pods14 --format csv")]
pub(super) struct Args {
    /// Board or pod files, or names of built-in ones
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,

    /// How to write the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// What a file holds. What does not apply to its kind is `None`.
#[derive(Debug, Serialize)]
struct Found {
    file: String,
    kind: &'static str,
    name: String,
    source: String,
    points: Option<usize>,
    columns: Option<u8>,
    rows: Option<u8>,
    lines: Option<usize>,
    symmetries: Option<Vec<String>>,
    pods: Option<usize>,
    /// Number of pods by number of legs.
    legs: Option<BTreeMap<usize, usize>>,
    differences: Vec<String>,
    warnings: Vec<String>,
}

/// Points of the real board (R1).
const REAL_POINTS: usize = 36;

/// The real game's pods (R3): their legs, how many there are, how they are called.
const REAL_PODS: [(usize, usize, &str); 5] =
    [(2, 2, "bipods"), (3, 3, "tripods"), (4, 6, "quadripods"), (6, 2, "hexapods"), (8, 1, "octopods")];

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let mut all_good = true;
    let mut table = Vec::new();
    for file in &args.files {
        match check(file) {
            Ok(found) => match args.format {
                Format::Text => text(out, &found)?,
                Format::Json => json_line(out, &found)?,
                Format::Csv => table.push(row(found)),
            },
            Err(error) => {
                all_good = false;
                // Before the message, so that a terminal shows both in the order of the files.
                out.flush()?;
                let _ = writeln!(io::stderr(), "pods: error: {error}");
            }
        }
    }
    if args.format == Format::Csv {
        let header = [
            "file",
            "kind",
            "name",
            "source",
            "points",
            "columns",
            "rows",
            "lines",
            "symmetries",
            "pods",
            "legs",
            "differences",
            "warnings",
        ];
        csv_rows(out, &header, table)?;
    }
    Ok(if all_good { Exit::Good } else { Exit::Wrong })
}

fn check(file: &str) -> Result<Found, MaterialError> {
    let built_in = |files: &[(&str, &'static str)]| files.iter().find(|(name, _)| *name == file).map(|(_, text)| *text);
    let path = Path::new(file);
    let text = match built_in(BUILTIN_BOARDS).or_else(|| built_in(BUILTIN_PODS)) {
        Some(text) if !path.exists() => text.to_owned(),
        _ => fs::read_to_string(path).map_err(|e| error(file, format!("cannot be read: {e}")))?,
    };
    match toml::from_str::<toml::Table>(&text) {
        Ok(table) if table.contains_key("pod") && !table.contains_key("points") => {
            pods_from_toml(file, &text).map(|pods| found_pods(file, &pods))
        }
        Ok(table) if !table.contains_key("points") => {
            Err(error(file, "neither a board file, which has `points`, nor a pod file, which has `[[pod]]`".to_owned()))
        }
        // A text that is no TOML is refused by any reader, with the place.
        _ => board_from_toml(file, &text).map(|board| found_board(file, &board)),
    }
}

fn error(file: &str, cause: String) -> MaterialError {
    MaterialError::new(file, cause)
}

fn found_board(file: &str, board: &Board) -> Found {
    let symmetries: Vec<Symmetry> = symmetries(board).into_iter().map(|s| s.symmetry).collect();
    let mut differences = Vec::new();
    if board.len() != REAL_POINTS {
        differences.push(format!("{} instead of {REAL_POINTS}", count(board.len(), "point")));
    }
    if symmetries.contains(&Symmetry::from(Orientation::R90)) {
        differences.push("a turn by 90° changes nothing".to_owned());
    }
    let mut warnings = Vec::new();
    let isolated: Vec<String> =
        board.points().filter(|&p| board.lines(p).is_empty()).map(|p| board.coord(p).to_string()).collect();
    if !isolated.is_empty() {
        warnings.push(format!("no line leads to {}", isolated.join(", ")));
    }
    let parts = parts(board);
    if parts > 1 {
        warnings.push(format!("the lines leave the board in {parts} separate parts"));
    }
    Found {
        file: file.to_owned(),
        kind: "board",
        name: board.name().to_owned(),
        source: board.source().to_owned(),
        points: Some(board.len()),
        columns: Some(board.columns()),
        rows: Some(board.rows()),
        lines: Some(board.line_count()),
        symmetries: Some(symmetries.iter().map(Symmetry::to_string).collect()),
        pods: None,
        legs: None,
        differences,
        warnings,
    }
}

/// Number of parts that no line joins.
fn parts(board: &Board) -> usize {
    let mut left = board.point_set();
    let mut parts = 0;
    while let Some(first) = left.into_iter().next() {
        parts += 1;
        let mut waiting: Vec<Point> = vec![first];
        left = left - PointSet::from(first);
        while let Some(point) = waiting.pop() {
            for next in board.lines(point).iter().filter_map(|d| board.connected(point, d)) {
                if left.contains(next) {
                    left.remove(next);
                    waiting.push(next);
                }
            }
        }
    }
    parts
}

fn found_pods(file: &str, pods: &PodSet) -> Found {
    let mut legs: BTreeMap<usize, usize> = BTreeMap::new();
    for kind in pods.kinds() {
        *legs.entry(pods.legs(kind).count()).or_default() += pods.spec(kind).count as usize;
    }
    let mut differences = Vec::new();
    for (number, real, name) in REAL_PODS {
        let here = legs.get(&number).copied().unwrap_or(0);
        if here != real {
            differences.push(format!("{here} instead of {real} {name}"));
        }
    }
    for (&number, &here) in legs.iter().filter(|(legs, _)| REAL_PODS.iter().all(|(real, ..)| real != *legs)) {
        differences.push(format!("{} with {}", count(here, "pod"), count(number, "leg")));
    }
    for kind in pods.kinds() {
        let same = |other| pods.legs(kind) == pods.legs(other);
        if let Some(other) = pods.kinds().take_while(|&other| other != kind).find(|&other| same(other)) {
            differences.push(format!("{} and {} have the same legs", pods.id(other), pods.id(kind)));
        }
        if pods.spec(kind).count > 1 {
            differences.push(format!("{} is there {} times", pods.id(kind), pods.spec(kind).count));
        }
    }
    let mut warnings = Vec::new();
    if !legs.contains_key(&2) {
        warnings.push("no bipod to open with (R9): play it with opening=any".to_owned());
    }
    Found {
        file: file.to_owned(),
        kind: "pods",
        name: pods.name().to_owned(),
        source: pods.source().to_owned(),
        points: None,
        columns: None,
        rows: None,
        lines: None,
        symmetries: None,
        pods: Some(legs.values().sum()),
        legs: Some(legs),
        differences,
        warnings,
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn text(out: &mut dyn Write, found: &Found) -> Result<(), Failure> {
    writeln!(out, "{}: {} {}", found.file, found.kind, found.name)?;
    let mut lines = vec![("source", found.source.clone())];
    if let (Some(points), Some(columns), Some(rows)) = (found.points, found.columns, found.rows) {
        let spread = format!("{} and {}", count(columns.into(), "column"), count(rows.into(), "row"));
        lines.push(("points", format!("{points} in {spread}")));
    }
    lines.extend(found.lines.map(|lines| ("lines", lines.to_string())));
    lines.extend(found.symmetries.as_ref().map(|symmetries| ("symmetries", symmetries.join(", "))));
    lines.extend(found.pods.map(|pods| ("pods", pods.to_string())));
    if let Some(legs) = &found.legs {
        let legs = legs.iter().map(|(legs, pods)| format!("{pods} with {}", count(*legs, "leg")));
        lines.push(("legs", legs.collect::<Vec<_>>().join(", ")));
    }
    let real = match (found.differences.as_slice(), found.kind) {
        ([], "board") => "as many points; its lines are not known".to_owned(),
        ([], _) => "as many pods with each number of legs; the legs are not known".to_owned(),
        (differences, _) => differences.join("; "),
    };
    lines.push(("real game", real));
    lines.extend(found.warnings.iter().map(|warning| ("warning", warning.clone())));
    for (label, value) in lines {
        writeln!(out, "  {label:<10}  {value}")?;
    }
    Ok(())
}

fn row(found: Found) -> Vec<String> {
    fn cell(value: Option<impl ToString>) -> String {
        value.map_or(String::new(), |value| value.to_string())
    }
    let legs = found.legs.map(|l| l.iter().map(|(legs, pods)| format!("{legs}:{pods}")).collect::<Vec<_>>().join(" "));
    vec![
        found.file,
        found.kind.to_owned(),
        found.name,
        found.source,
        cell(found.points),
        cell(found.columns),
        cell(found.rows),
        cell(found.lines),
        cell(found.symmetries.map(|s| s.join("; "))),
        cell(found.pods),
        cell(legs),
        found.differences.join("; "),
        found.warnings.join("; "),
    ]
}
