//! `pods report --readings`

use std::collections::{HashMap, HashSet};
use std::io::Write;

use super::save::{Facts, checks, different, save};
use super::text::{known, openings};
use super::{Args, failure};
use crate::answer::Want;
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::limits::Stopper;
use crate::cli::progress::Progress;
use crate::cli::tables::cited_tables;
use crate::cli::threads::in_order;
use crate::files::write_rows;
use crate::report::page::readings_page;
use crate::report::{
    BalanceRow, NamedSetup, Origins, Reading, ReadingRecord, ReadingRow, SetupRecord, balance, readings,
};
use crate::rules::Options;
use crate::solver::Silent;
use crate::table::Tablebase;

/// Reports every single-option difference for the given setups, or for the built-in ones.
pub(super) fn run(args: &Args, setups: &[NamedSetup], out: &mut dyn Write) -> CommandResult {
    let readings = readings(args.setups.has_setup().then_some(setups));
    let readings: Vec<Reading> = readings.into_iter().filter(|of| args.setups.wants(of.setup.orientation())).collect();
    let games: Vec<NamedSetup> = readings.iter().map(|reading| reading.setup.clone()).collect();
    let origins = Origins::of_setups(&games);
    args.may_save::<ReadingRecord>("readings", &games)?;
    args.may_write_page("readings", &games)?;
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let all = readings.len();
    let rows = solve_all(args, tables.as_ref(), readings, &stopper)?;
    let mut csv = Vec::new();
    write_rows(&mut csv, true, rows.iter().map(ReadingRow::record))?;
    let stopped = stopper.is_set();
    let page = args.page(&origins, &games, (rows.len(), all, stopped), out, |about| readings_page(&rows, about))?;
    if let Some(folder) = args.folder().filter(|_| !stopped) {
        let setups: Vec<NamedSetup> = rows.iter().map(|row| row.reading.setup.clone()).collect();
        let mut rules = different(rows.iter().map(|row| row.reading.base.to_string()));
        rules.extend(different(setups.iter().map(|setup| setup.rules().to_string())));
        let (methods, verified) = checks(rows.iter().map(|row| &row.changed));
        let solved = rows.iter().flat_map(|row| [&row.base, &row.changed]);
        let tables = cited_tables(tables.as_ref(), solved)?;
        let facts = Facts { rules, methods, verified, rows: rows.len(), certificates: Vec::new(), tables };
        save::<ReadingRecord>(args, folder, "readings", &setups, facts, &csv, page.as_deref())?;
    }
    args.write_rows(out, &csv, rows.iter().map(ReadingRow::record), |out| write_table(out, &rows, &origins))?;
    if stopped {
        let unsaved = if args.out.is_some() { "; nothing was written to --out" } else { "" };
        return interrupted(out, format_args!("{} of {all} readings have a row{unsaved}", rows.len()));
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
    let mut setups: Vec<(Key, NamedSetup)> = Vec::new();
    let mut known: HashSet<Key> = HashSet::new();
    for reading in &readings {
        for setup in [reading.base_setup(), reading.setup.clone()] {
            if known.insert(key(&setup)) {
                setups.push((key(&setup), setup));
            }
        }
    }
    let progress = Progress::new("readings", "setups");
    let total = setups.len() as u64;
    let limits = args.budget(Some(stopper));
    let job = |number: usize| {
        let (key, setup) = &setups[number];
        let solve = || balance(setup, args.known(tables), Want::Value, limits, &Silent).map_err(|e| failure(setup, e));
        // What was being solved when somebody interrupted says nothing.
        let row = (!stopper.is_set()).then(solve).filter(|row| row.is_err() || !stopper.is_set());
        row.map(|row| Ok((key.clone(), row?)))
    };
    let mut solved: HashMap<Key, BalanceRow> = HashMap::new();
    let take = |(key, row)| {
        solved.insert(key, row);
        Ok(())
    };
    let behind = in_order(0..setups.len(), job, |done| progress.update(done, Some(total)), take)?;
    solved.extend(behind);
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
