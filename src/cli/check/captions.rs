//! `pods check --captions`

use std::io::Write;

use serde::Serialize;

use crate::cli::failure::{Exit, Failure, Outcome};
use crate::cli::format::{Format, csv_rows, json_line};
use crate::material::{Board, PodSet};
use crate::report::captions::{Caption, captions};

#[derive(Serialize)]
struct Line {
    name: &'static str,
    source: &'static str,
    says: &'static str,
    holds: bool,
    /// What is there, or why it does not hold.
    found: String,
    orientation: Option<u16>,
    rules: Option<String>,
    position: Option<String>,
}

impl From<Caption> for Line {
    fn from(caption: Caption) -> Line {
        let Caption { name, source, says, found } = caption;
        let (holds, found, shown) = match found {
            Ok(witness) => (true, witness.what, witness.shown),
            Err(why) => (false, why, None),
        };
        let orientation = shown.as_ref().map(|shown| shown.orientation.degrees());
        let (rules, position) = shown.map(|shown| (shown.rules, shown.position)).unzip();
        Line { name, source, says, holds, found, orientation, rules, position }
    }
}

/// Asks every caption of a board and pods.
pub(super) fn run(board: &Board, pods: &PodSet, format: Format, out: &mut dyn Write) -> Outcome {
    let lines: Vec<Line> = captions(board, pods).into_iter().map(Line::from).collect();
    let (held, all) = (lines.iter().filter(|line| line.holds).count(), lines.len());
    match format {
        Format::Text => {
            for line in &lines {
                text(out, line)?;
            }
            writeln!(out, "\n{held} of {all} captions hold for {} with {}", board.name(), pods.name())?;
        }
        Format::Json => {
            for line in &lines {
                json_line(out, line)?;
            }
        }
        Format::Csv => {
            let header = ["name", "source", "says", "holds", "found", "orientation", "rules", "position"];
            csv_rows(out, &header, lines.into_iter().map(row))?;
        }
    }
    Ok(if held == all { Exit::Good } else { Exit::Discrepancy })
}

fn text(out: &mut dyn Write, line: &Line) -> Result<(), Failure> {
    writeln!(out, "{:5}  {}  ({})", if line.holds { "holds" } else { "FAILS" }, line.name, line.source)?;
    writeln!(out, "       {}", line.says)?;
    writeln!(out, "       {} {}", if line.holds { "found:" } else { "why not:" }, line.found)?;
    if let (Some(orientation), Some(rules), Some(position)) = (line.orientation, &line.rules, &line.position) {
        writeln!(out, "       '{position}' --orientation {orientation} --rules {rules}")?;
    }
    Ok(())
}

fn row(line: Line) -> Vec<String> {
    let holds = if line.holds { "yes" } else { "no" };
    vec![
        line.name.to_owned(),
        line.source.to_owned(),
        line.says.to_owned(),
        holds.to_owned(),
        line.found,
        line.orientation.map(|degrees| degrees.to_string()).unwrap_or_default(),
        line.rules.unwrap_or_default(),
        line.position.unwrap_or_default(),
    ]
}
