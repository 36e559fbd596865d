//! `pods report`: balance by orientation.

use std::io::Write;

use super::setups::{RulesArg, SetupLists, for_each_setup};
use super::target::{NoMore, Target, checks, different};
use super::text::Table;
use super::{BalanceArgs, failure, too_large};
use crate::answer::Want;
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::{ReportFormat, csv_rows, json_line};
use crate::cli::limits::Stopper;
use crate::cli::progress::{Progress, Within};
use crate::cli::tables::cited_tables;
use crate::cli::terminal::{TO_THE_PAGE, hint, note};
use crate::report::page::balance_page;
use crate::report::{
    BalanceRecord, BalanceRow, CertifyError, Cited, Manifest, NamedSetup, Origins, balance, certify, suite,
};
use crate::solver::Stopped;
use crate::table::Tablebase;

/// Returns the setups that were asked for, or the built-in suite.
pub(super) fn named_setups(setups: &SetupLists, rules: &RulesArg) -> Result<Vec<NamedSetup>, Failure> {
    if setups.has_setup() || rules.is_given() { setups.read(&rules.read()?) } else { Ok(setups.wanted(suite())) }
}

pub(super) fn run(args: &BalanceArgs, out: &mut dyn Write) -> CommandResult {
    args.solve.budget.threads.set_up()?;
    // All setups are read before the first is solved: a wrong one should not cost anybody a wait.
    let setups = named_setups(&args.setups, &args.rules)?;
    let origins = Origins::of_setups(&setups);
    let target = args.target.of::<BalanceRecord>("balance", &setups, args.setups.inputs())?;
    let tables = args.solve.tables.open()?;
    let stopper = Stopper::new(true)?;
    let large = match &tables {
        // What a table holds is looked up, whatever its size.
        Some(_) => Vec::new(),
        None if !args.setups.has_setup() => Vec::new(),
        None => too_large::find(args, &setups, &stopper)?,
    };
    too_large::say_beforehand(args, &large, &origins, &stopper, out)?;
    let mut writer = ReportRows { format: args.target.format(), table: Table::default(), begun: false };
    let halves = |setup: &NamedSetup| too_large::shares_time(args, &large, setup);
    let solved = solve_all(args, tables.as_ref(), &target, &halves, &stopper, &mut |row| writer.row(row, out))?;
    writer.end(&origins, out)?;
    let (rows, cited): (Vec<BalanceRow>, Vec<Vec<Cited>>) = solved.into_iter().unzip();
    too_large::play_for_the_rest(args, &large, &rows, &origins, &stopper, out)?;
    let stopped = rows.len() < setups.len() || stopper.is_set();
    let page = target.page(&origins, (rows.len(), setups.len(), stopped), out, |about| balance_page(&rows, about))?;
    if stopped {
        let partly = rows.iter().filter(|row| row.stopped() == Some(Stopped::Interrupted)).count();
        let (done, all) = (rows.len() - partly, setups.len());
        let partly = if partly == 0 { String::new() } else { format!(", {partly} more have what was known by then") };
        let instead = too_large::command_for(&setups[rows.len()..]).filter(|_| !large.is_empty());
        let instead = instead.map(|command| format!("; who is favoured by play: {command}")).unwrap_or_default();
        return interrupted(out, format_args!("{done} of {all} setups are done{partly}{}{instead}", target.unsaved()));
    }
    let rules = different(rows.iter().map(|row| row.setup.rules().to_string()));
    let (methods, verified) = checks(&rows);
    let tables = cited_tables(tables.as_ref(), rows.iter())?;
    let facts = Manifest {
        rules,
        methods,
        verified,
        rows: rows.len(),
        certificates: cited.concat(),
        tables,
        ..Manifest::default()
    };
    target.save(rows.iter().map(BalanceRow::record), page.as_deref(), facts, NoMore {})?;
    hint(TO_THE_PAGE);
    Ok(Exit::Good)
}

struct ReportRows {
    format: ReportFormat,
    table: Table,
    begun: bool,
}

impl ReportRows {
    fn row(&mut self, row: &BalanceRow, out: &mut dyn Write) -> Result<(), Failure> {
        match self.format {
            ReportFormat::Csv => csv_rows(out, !self.begun, [row.record()])?,
            ReportFormat::Json => json_line(out, &row.record())?,
            ReportFormat::Text => self.table.row(row, out)?,
            // A page is made of all rows.
            ReportFormat::Html => {}
        }
        self.begun = true;
        Ok(out.flush()?)
    }

    fn end(&self, origins: &Origins, out: &mut dyn Write) -> Result<(), Failure> {
        match self.format {
            ReportFormat::Text => self.table.end(origins, out),
            ReportFormat::Csv if !self.begun => csv_rows::<BalanceRecord>(out, true, []),
            ReportFormat::Csv | ReportFormat::Json | ReportFormat::Html => Ok(()),
        }
    }
}

/// Solves all setups, several at a time, and proves them if that is asked for. Rows are shown in
/// the order of the setups, each as soon as those before it are done. Those that `halves` names
/// have half of the time. Setups that were not begun when somebody interrupted are left out.
fn solve_all(
    args: &BalanceArgs,
    tables: Option<&Tablebase>,
    target: &Target<'_>,
    halves: &(dyn Fn(&NamedSetup) -> bool + Sync),
    stopper: &Stopper,
    show: &mut dyn FnMut(&BalanceRow) -> Result<(), Failure>,
) -> Result<Vec<(BalanceRow, Vec<Cited>)>, Failure> {
    let setups = target.setups();
    let limits = args.solve.budget.shared(stopper);
    let want = if args.winners { Want::Winner } else { Want::Value };
    let solve = |setup: &NamedSetup, progress: &Progress| {
        let mut limits = limits;
        if halves(setup) {
            limits.time = limits.time.map(|time| time / 2);
        }
        let mut row =
            balance(setup, args.solve.known(tables), want, limits, &Within(progress)).map_err(|e| failure(setup, e))?;
        let cited = match &args.certificates {
            None => Vec::new(),
            Some(folder) => {
                let to = args.target.force.folder(folder, target.inputs());
                let (cited, without) =
                    certify(&mut row, to, limits, &Within(progress)).map_err(|error| uncertified(setup, error))?;
                let say = |one| note(format_args!("{}: {one}", setup.record()));
                progress.suspend(|| without.iter().for_each(say));
                cited
            }
        };
        Ok((row, cited))
    };
    let mut rows = Vec::new();
    for_each_setup(
        "balance",
        setups,
        stopper,
        |number, progress| Some(solve(&setups[number], progress)),
        |solved, progress| {
            progress.suspend(|| show(&solved.0))?;
            rows.push(solved);
            Ok(())
        },
    )?;
    Ok(rows)
}

fn uncertified(setup: &NamedSetup, error: CertifyError) -> Failure {
    match error {
        CertifyError::Balance(error) => failure(setup, error),
        CertifyError::Output(error) => Failure::from(error).at("--certificates"),
        other => Failure::Discrepancy(other.to_string()).at(setup.record()),
    }
}
