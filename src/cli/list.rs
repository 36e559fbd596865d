//! `pods list`

use std::io::Write;

use serde::Serialize;

use super::failure::{Exit, Failure, Outcome};
use super::format::{PlainFormat, json_line};
use super::terminal::{TO_THE_PAGE, hint};
use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS, builtin_board, builtin_pods};
use crate::position::Hand;
use crate::rules::{OPTION_NAMES, Preset, RuleSet, option_values};

/// List the built-in boards, pod sets, rule presets and rule options.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  pods list --format json")]
pub(super) struct Args {
    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: PlainFormat,
}

#[derive(Debug, Serialize)]
struct List {
    boards: Vec<Board>,
    pods: Vec<Pods>,
    rules: Vec<Rules>,
    options: Vec<RuleOption>,
}

#[derive(Debug, Serialize)]
struct Board {
    name: &'static str,
    points: usize,
    columns: u8,
    rows: u8,
    lines: usize,
    source: String,
}

#[derive(Debug, Serialize)]
struct Pods {
    name: &'static str,
    pods: usize,
    ids: String,
    source: String,
}

#[derive(Debug, Serialize)]
struct Rules {
    name: &'static str,
    options: serde_json::Map<String, serde_json::Value>,
}

#[derive(Debug, Serialize)]
struct RuleOption {
    name: &'static str,
    values: &'static [&'static str],
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let list = list();
    match args.format {
        PlainFormat::Json => json_line(out, &list)?,
        PlainFormat::Text => text(out, &list)?,
    }
    if args.format == PlainFormat::Text {
        hint(TO_THE_PAGE);
    }
    Ok(Exit::Good)
}

fn list() -> List {
    let board = |name| {
        builtin_board(name).map(|board| Board {
            name,
            points: board.len(),
            columns: board.columns(),
            rows: board.rows(),
            lines: board.line_count(),
            source: board.source().to_owned(),
        })
    };
    let pods = |name| {
        builtin_pods(name).map(|pods| Pods {
            name,
            pods: Hand::whole(&pods).len(),
            ids: Hand::whole(&pods).display(&pods).to_string(),
            source: pods.source().to_owned(),
        })
    };
    let rules = |preset: Preset| {
        let set = RuleSet::from(preset);
        let options = set.values().map(|(name, value)| (name.to_owned(), value.into())).collect();
        Rules { name: preset.name(), options }
    };
    let option = |name: &&'static str| Some(RuleOption { name, values: option_values(name)? });
    List {
        boards: BUILTIN_BOARDS.iter().filter_map(|(name, _)| board(name)).collect(),
        pods: BUILTIN_PODS.iter().filter_map(|(name, _)| pods(name)).collect(),
        rules: Preset::ALL.into_iter().map(rules).collect(),
        options: OPTION_NAMES.iter().filter_map(option).collect(),
    }
}

fn text(out: &mut dyn Write, list: &List) -> Result<(), Failure> {
    writeln!(out, "boards (--board)")?;
    for Board { name, points, columns, rows, lines, source } in &list.boards {
        writeln!(out, "  {name:<10} {points:>2} points, {columns} x {rows}, {lines} lines\n  {:10} {source}", "")?;
    }
    writeln!(out, "\npods (--pods)")?;
    for Pods { name, pods, ids, source } in &list.pods {
        writeln!(out, "  {name:<10} {pods:>2} pods: {ids}\n  {:10} {source}", "")?;
    }
    writeln!(out, "\nrules (--rules)")?;
    let width = OPTION_NAMES.iter().map(|name| name.len()).max().unwrap_or(0);
    write!(out, "  {:width$}", "")?;
    for Rules { name, .. } in &list.rules {
        write!(out, "  {name}")?;
    }
    writeln!(out)?;
    for option in OPTION_NAMES {
        write!(out, "  {option:<width$}")?;
        let cells: String = list
            .rules
            .iter()
            .map(|rules| {
                let value = rules.options.get(*option).and_then(|value| value.as_str()).unwrap_or_default();
                format!("  {value:<w$}", w = rules.name.len())
            })
            .collect();
        writeln!(out, "{}", cells.trim_end())?;
    }
    writeln!(out, "\nrule options (--rules PRESET+OPTION=VALUE+…)")?;
    for RuleOption { name, values } in &list.options {
        writeln!(out, "  {name:<width$}  {}", values.join(", "))?;
    }
    Ok(())
}
