//! `pods list`

use std::collections::BTreeMap;
use std::io::Write;

use super::failure::{CommandResult, Exit, Failure};
use super::format::{PlainFormat, json_line};
use super::terminal::{TO_THE_PAGE, hint};
use crate::files::{Object, record};
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

record! {
    /// All that is built in.
    #[derive(Debug)]
    pub(super) struct List {
        /// The boards.
        boards: Vec<Object<ListedBoard>>,
        /// The pod sets.
        pods: Vec<Object<ListedPods>>,
        /// The presets.
        rules: Vec<Object<ListedRules>>,
        /// The rule options.
        options: Vec<Object<ListedOption>>,
    }
}

record! {
    /// A built-in board.
    #[derive(Debug)]
    pub(super) struct ListedBoard {
        /// The name, for `--board`.
        name: &'static str,
        /// Number of points.
        points: usize,
        /// Number of columns.
        columns: u8,
        /// Number of rows.
        rows: u8,
        /// Number of lines, each once.
        lines: usize,
        /// Origin of the board.
        source: String,
    }
}

record! {
    /// A built-in pod set.
    #[derive(Debug)]
    pub(super) struct ListedPods {
        /// The name, for `--pods`.
        name: &'static str,
        /// Number of pods that each player has.
        pods: usize,
        /// Their letters, as a position has a hand.
        ids: String,
        /// Origin of the set.
        source: String,
    }
}

record! {
    /// A preset.
    #[derive(Debug)]
    pub(super) struct ListedRules {
        /// The name, for `--rules`.
        name: &'static str,
        /// Value of each option.
        options: BTreeMap<&'static str, &'static str>,
    }
}

record! {
    /// A rule option.
    #[derive(Debug)]
    pub(super) struct ListedOption {
        /// The name, for `--rules PRESET+NAME=VALUE`.
        name: &'static str,
        /// Values that it may have.
        values: Vec<&'static str>,
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
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
        builtin_board(name).map(|board| ListedBoard {
            name,
            points: board.len(),
            columns: board.columns(),
            rows: board.rows(),
            lines: board.line_count(),
            source: board.source().to_owned(),
        })
    };
    let pods = |name| {
        builtin_pods(name).map(|pods| ListedPods {
            name,
            pods: Hand::whole(&pods).len(),
            ids: Hand::whole(&pods).display(&pods).to_string(),
            source: pods.source().to_owned(),
        })
    };
    let rules = |preset: Preset| {
        let set = RuleSet::from(preset);
        ListedRules { name: preset.name(), options: set.values().collect() }
    };
    let option = |name: &&'static str| Some(ListedOption { name, values: option_values(name)?.to_vec() });
    List {
        boards: BUILTIN_BOARDS.iter().filter_map(|(name, _)| board(name)).map(Object).collect(),
        pods: BUILTIN_PODS.iter().filter_map(|(name, _)| pods(name)).map(Object).collect(),
        rules: Preset::ALL.into_iter().map(rules).map(Object).collect(),
        options: OPTION_NAMES.iter().filter_map(option).map(Object).collect(),
    }
}

fn text(out: &mut dyn Write, list: &List) -> Result<(), Failure> {
    writeln!(out, "boards (--board)")?;
    for Object(ListedBoard { name, points, columns, rows, lines, source }) in &list.boards {
        writeln!(out, "  {name:<10} {points:>2} points, {columns} x {rows}, {lines} lines\n  {:10} {source}", "")?;
    }
    writeln!(out, "\npods (--pods)")?;
    for Object(ListedPods { name, pods, ids, source }) in &list.pods {
        writeln!(out, "  {name:<10} {pods:>2} pods: {ids}\n  {:10} {source}", "")?;
    }
    writeln!(out, "\nrules (--rules)")?;
    let width = OPTION_NAMES.iter().map(|name| name.len()).max().unwrap_or(0);
    write!(out, "  {:width$}", "")?;
    for Object(ListedRules { name, .. }) in &list.rules {
        write!(out, "  {name}")?;
    }
    writeln!(out)?;
    for option in OPTION_NAMES {
        write!(out, "  {option:<width$}")?;
        let cells: String = list
            .rules
            .iter()
            .map(|Object(rules)| {
                let value = rules.options.get(option).copied().unwrap_or_default();
                format!("  {value:<w$}", w = rules.name.len())
            })
            .collect();
        writeln!(out, "{}", cells.trim_end())?;
    }
    writeln!(out, "\nrule options (--rules PRESET+OPTION=VALUE+…)")?;
    for Object(ListedOption { name, values }) in &list.options {
        writeln!(out, "  {name:<width$}  {}", values.join(", "))?;
    }
    Ok(())
}
