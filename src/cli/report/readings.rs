//! `pods report readings`

use std::collections::{HashMap, HashSet};
use std::io::Write;

use super::compare::{compare, rule_set};
use super::failure;
use super::setups::{SetupLists, for_each_setup};
use super::target::{NoMore, TargetArgs, checks, different};
use super::text::{known, openings};
use crate::answer::Want;
use crate::cli::ask::AskArgs;
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::limits::Stopper;
use crate::cli::progress::Within;
use crate::cli::tables::cited_tables;
use crate::report::page::readings_page;
use crate::report::{
    BalanceRow, Manifest, NamedSetup, Origins, Reading, ReadingRecord, ReadingRow, SetupRecord, balance, readings,
};
use crate::rules::{Options, Preset};
use crate::table::Tablebase;

/// Report what another reading of the rules changes.
///
/// Without rule sets, the answer is a table of what each disagreement of the sources makes, one
/// option of the rules at a time, on small built-in setups or on those that are named.
///
/// With two rule sets, every position that either reaches from White's start is compared, and the
/// smallest positions are shown where they differ.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods report readings --format csv > readings.csv
  pods report readings --board nook9 --pods duo --orientation 0
  pods report readings advanced advanced-dutch
  pods report readings standard standard+attack-through=on --board nook9 --pods four --hands bdt
  pods report readings advanced advanced+captures=after-moves --orientation 90 --format json

Positions differ in one of three ways:

  actions   some action is legal under one reading only
  captures  an action that both allow takes other pods off the board
  status    the game is over under one reading only

A difference is an answer, not an error: the exit status is 0 either way. Columns: `pods rules columns report`.")]
pub(super) struct Args {
    /// A rule set: a preset, perhaps with options, such as advanced+captures=after-moves
    #[arg(value_name = "A", requires = "second", conflicts_with = "out")]
    first: Option<String>,

    /// Another rule set, which is compared with A
    #[arg(value_name = "B")]
    second: Option<String>,

    /// Draw positions with ASCII characters only
    #[arg(long, requires = "second")]
    ascii: bool,

    #[command(flatten)]
    pub(super) target: TargetArgs,

    #[command(flatten)]
    solve: AskArgs,

    #[command(flatten)]
    setups: SetupLists,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    args.solve.budget.threads.set_up()?;
    if let (Some(first), Some(second)) = (&args.first, &args.second) {
        let rules = [rule_set(first, "A")?, rule_set(second, "B")?];
        return compare(rules, &args.setups, &args.solve, (args.target.typed_format(), args.ascii), out);
    }
    // Each reading brings its rules.
    let setups = args.setups.has_setup().then(|| args.setups.read(&[Preset::Standard.into()])).transpose()?;
    let readings = readings(setups.as_deref());
    let readings: Vec<Reading> = readings.into_iter().filter(|of| args.setups.wants(of.setup.orientation())).collect();
    let games: Vec<NamedSetup> = readings.iter().map(|reading| reading.setup.clone()).collect();
    let origins = Origins::of_setups(&games);
    let target = args.target.of::<ReadingRecord>("readings", &games, args.setups.inputs())?;
    let tables = args.solve.tables.open()?;
    let stopper = Stopper::new(true)?;
    let all = readings.len();
    let rows = solve_all(args, tables.as_ref(), readings, &stopper)?;
    let stopped = stopper.is_set();
    let page = target.page(&origins, (rows.len(), all, stopped), out, |about| readings_page(&rows, about))?;
    if !stopped {
        let mut rules = different(rows.iter().map(|row| row.reading.base.to_string()));
        rules.extend(different(rows.iter().map(|row| row.reading.setup.rules().to_string())));
        let (methods, verified) = checks(rows.iter().map(|row| &row.changed));
        let solved = rows.iter().flat_map(|row| [&row.base, &row.changed]);
        let tables = cited_tables(tables.as_ref(), solved)?;
        let facts = Manifest { rules, methods, verified, rows: rows.len(), tables, ..Manifest::default() };
        target.save(rows.iter().map(ReadingRow::record), page.as_deref(), facts, NoMore {})?;
    }
    target.show(out, rows.iter().map(ReadingRow::record), |out| write_table(out, &rows, &origins))?;
    if stopped {
        return interrupted(out, format_args!("{} of {all} readings have a row{}", rows.len(), target.unsaved()));
    }
    Ok(Exit::Good)
}

/// Key of a setup's values: names of rule sets with the same options are one.
type Key = (SetupRecord, Options);

fn key(setup: &NamedSetup) -> Key {
    (SetupRecord { rules: String::new(), ..setup.record() }, *setup.rules().options())
}

/// Solves every setup once, several at a time, and puts the rows together: those for which all was
/// solved, if somebody interrupts.
fn solve_all(
    args: &Args,
    tables: Option<&Tablebase>,
    readings: Vec<Reading>,
    stopper: &Stopper,
) -> Result<Vec<ReadingRow>, Failure> {
    let mut setups: Vec<NamedSetup> = Vec::new();
    let mut known: HashSet<Key> = HashSet::new();
    for reading in &readings {
        for setup in [reading.base_setup(), reading.setup.clone()] {
            if known.insert(key(&setup)) {
                setups.push(setup);
            }
        }
    }
    let limits = args.solve.budget.shared(stopper);
    let mut solved: HashMap<Key, BalanceRow> = HashMap::new();
    for_each_setup(
        "readings",
        &setups,
        stopper,
        |number, progress| {
            let setup = &setups[number];
            let row = balance(setup, args.solve.known(tables), Want::Value, limits, &Within(progress));
            // What was being solved when somebody interrupted says nothing.
            (row.is_err() || !stopper.is_set()).then(|| row.map_err(|e| failure(setup, e)))
        },
        |row, _| {
            solved.insert(key(&row.setup), row);
            Ok(())
        },
    )?;
    let row = |setup: NamedSetup| solved.get(&key(&setup)).map(|row| BalanceRow { setup, ..row.clone() });
    let rows = readings.into_iter().filter_map(|reading| {
        let (base, changed) = (row(reading.base_setup())?, row(reading.setup.clone())?);
        Some(ReadingRow { base, changed, reading })
    });
    Ok(rows.collect())
}

/// Writes the table for people: a block per setup and preset, a line per option and orientation in
/// which something changes.
fn write_table(out: &mut dyn Write, rows: &[ReadingRow], origins: &Origins) -> Result<(), Failure> {
    let setup = |row: &ReadingRow| {
        let SetupRecord { board, pods, white_hand, black_hand, .. } = row.reading.setup.record();
        (board, pods, white_hand, black_hand)
    };
    let mut rows: Vec<&ReadingRow> = rows.iter().collect();
    rows.sort_by_key(|row| {
        (setup(row), row.reading.base, row.reading.clause, row.reading.setup.orientation().degrees())
    });
    for block in rows.chunk_by(|a, b| setup(a) == setup(b) && a.reading.base == b.reading.base) {
        let (board, pods, white, black) = setup(block[0]);
        let hands = if white == black { format!("both {white}") } else { format!("White {white}, Black {black}") };
        writeln!(out, "{board}, {pods}: {hands}; {}", block[0].reading.base)?;
        for row in block {
            let Reading { setup, option, clause, .. } = &row.reading;
            let value = setup.rules().value(option).unwrap_or_default();
            write!(
                out,
                "  {:>4} {:30} {:>4}°  ",
                clause.to_string(),
                format!("{option}={value}"),
                setup.orientation()
            )?;
            writeln!(out, "{}", effect(&row.base, &row.changed))?;
        }
        writeln!(out)?;
    }
    Ok(writeln!(
        out,
        "Outcomes with White / with Black to start, for the side that starts, in plies (R33, R34); White's openings that \
         win/draw/lose.\n{origins}"
    )?)
}

fn effect(base: &BalanceRow, changed: &BalanceRow) -> String {
    let values = |row: &BalanceRow| format!("{} / {}", known(row.white_first()), known(row.black_first()));
    let mut effects = Vec::new();
    if values(base) != values(changed) {
        effects.push(format!("{} becomes {}", values(base), values(changed)));
    }
    if openings(base) != openings(changed) {
        effects.push(format!("openings {} become {}", openings(base), openings(changed)));
    }
    if effects.is_empty() { "no change".to_owned() } else { effects.join("; ") }
}
