//! `pods report`

mod full;
mod measures;
pub(super) mod page;
mod played;
mod readings;
mod save;
pub(super) mod text;
mod too_large;
mod words;

use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

use self::save::{Facts, checks, different, save};
use self::text::Table;
use crate::answer::{LookUp, SolveError, Want};
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::{ReportFormat, csv_rows, json_line};
use crate::cli::library::LibraryArg;
use crate::cli::limits::{LimitArgs, Stopper, seconds};
use crate::cli::outputs::ForceArg;
use crate::cli::progress::Progress;
use crate::cli::setup;
use crate::cli::tables::{TablesArg, cited_tables};
use crate::cli::terminal::{TO_THE_PAGE, hint};
use crate::cli::threads::{ThreadsArg, in_order};
use crate::files::{Inputs, Record, write_rows};
use crate::geometry::Orientation;
use crate::material::{BySide, find_pods};
use crate::position::Hand;
use crate::report::page::balance_page;
use crate::report::{
    BalanceError, BalanceRecord, BalanceRow, CertifyError, Cited, NamedSetup, Origins, balance, certify,
    like_csv_about, like_manifest, suite,
};
use crate::rules::RuleSet;
use crate::solver::{Limits, Silent};
use crate::table::Tablebase;

/// Report how fair setups are: first-player advantage, solved and verified.
///
/// Without setup options, the report is on a built-in suite of small setups; with some, on every
/// combination of them. Each option may be given several times.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods report
  pods report --format csv > balance.csv
  pods report --board nook9 --pods four --hands bdt --rules standard --rules basic-author
  pods report --readings --format csv > readings.csv
  pods report --certificates proofs
  pods table build tables --board lair16 --pods duo --rules advanced
  pods report --board lair16 --pods duo --rules advanced --tables tables
  pods report --measures --board nook9 --pods four --hands bdt --rules advanced --format text
  pods report --measures --board cave36 --pods pods14 --doublings 4 --pictures --out measures
  pods report --full --ply 12 --count 20 --format text
  pods report --full --rules advanced --rules advanced-author --count 100 --out by-play
  pods report --board cave36 --pods pods14 --full --count 5 --format html --out full.html
  pods report --out results/balance --commit \"$(git rev-parse HEAD)\"

Files of --out, with manifests:

  balance.csv                  with none of the options below
  readings.csv                 --readings
  measures.csv, estimates.csv  --measures
  rows.csv, summary.csv        --full
  games-*.jsonl, played.csv    --full, where games are played

Columns: `pods rules columns report`.

Built-in boards and pods are reconstructions or made for the purpose: no row about them is about the printed board of PODS.")]
pub(super) struct Args {
    /// Format of the report [default: text on a terminal, else csv]
    #[arg(long, value_enum)]
    pub(super) format: Option<ReportFormat>,

    /// Report the changes that each disagreement of the sources makes, one option of the rules at a
    /// time
    #[arg(long, conflicts_with = "rules")]
    readings: bool,

    /// Report measures that designers of games use, under optimal play, random play, and play of
    /// the program by --strength; exact where all positions fit in memory
    #[arg(long, group = "sampled", conflicts_with_all = ["readings", "certificates", "winners"])]
    measures: bool,

    /// Draw the measures of each setup into --out: by ply, and on the board
    #[arg(long, requires = "out")]
    pub(super) pictures: bool,

    /// Write certificates of the values into this folder, and cite them in the report
    #[arg(long, value_name = "DIR", conflicts_with = "readings")]
    certificates: Option<PathBuf>,

    /// Write the report into this folder too: CSV files, a manifest, and the page of --format html.
    /// A name that ends in .html means the page alone. With --full, a run that was killed resumes
    /// there
    #[arg(long, value_name = "DIR|FILE.html")]
    pub(super) out: Option<PathBuf>,

    /// Name this commit in the manifest
    #[arg(long, value_name = "HASH", requires = "out")]
    pub(super) commit: Option<String>,

    #[command(flatten)]
    pub(super) force: ForceArg,

    /// Find the winners only: no distances, and no results of first actions except where the start
    /// is lost
    #[arg(long, conflicts_with_all = ["readings", "full"])]
    winners: bool,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    pub(super) tables: TablesArg,

    #[command(flatten)]
    library: LibraryArg,

    #[command(flatten)]
    pub(super) setups: SetupLists,

    /// Rule set; several may be given
    #[arg(long, value_name = "NAME")]
    rules: Vec<String>,

    #[command(flatten)]
    pub(super) limits: LimitArgs,

    /// Stop after this many seconds for each start, such as 60 or 0.5; where a setup is too large
    /// to be solved, half of them are for games that say who is favoured
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,

    /// Stop a search after this many nodes for each start, or for each position that --full draws
    /// [default there: 3000000]
    #[arg(long, value_name = "N")]
    pub(super) max_nodes: Option<u64>,

    #[command(flatten)]
    full: self::full::FullArgs,
}

/// Setups as they were typed, every combination of what is given.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Setups")]
pub(super) struct SetupLists {
    /// Built-in board or board file
    #[arg(long, value_name = "NAME|FILE")]
    board: Vec<String>,

    /// Built-in pod set or pod file
    #[arg(long, value_name = "NAME|FILE")]
    pods: Vec<String>,

    /// Give both players this hand, or White and Black one each: bdt or bdt:bd [default: the whole
    /// set]
    #[arg(long, value_name = "IDS[:IDS]")]
    hands: Vec<String>,

    /// Turn the board clockwise by this many degrees [default: 0, 90, 180 and 270]
    #[arg(long, value_name = "DEGREES", value_parser = orientation)]
    orientation: Vec<Orientation>,
}

fn orientation(text: &str) -> Result<Orientation, String> {
    text.parse().map_err(|_| "one of 0, 90, 180, 270".to_owned())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    args.threads.set_up()?;
    args.names_a_page_or_a_folder()?;
    // Where another mode excludes --measures, `requires` would let them pass.
    let of_measures = [("--pictures", args.pictures), ("--doublings", args.full.play.doublings > 0)];
    if let Some((option, _)) = of_measures.into_iter().find(|of| of.1 && !args.measures) {
        return Err(Failure::wrong(format_args!("{option} is for --measures: add that, or leave it out")));
    }
    if args.full.full {
        return full::run(args, out);
    }
    if args.measures {
        return measures::run(args, out);
    }
    // All setups are read before the first is solved: a wrong one should not cost anybody a wait.
    let setups = args.named_setups()?;
    let origins = Origins::of_setups(&setups);
    if args.readings {
        return readings::run(args, &setups, out);
    }
    args.may_save::<BalanceRecord>("balance", &setups)?;
    args.may_write_page("balance", &setups)?;
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let large = match &tables {
        // What a table holds is looked up, whatever its size.
        Some(_) => Vec::new(),
        None if !args.setups.has_setup() => Vec::new(),
        None => too_large::find(args, &setups)?,
    };
    too_large::say_beforehand(args, &large, &origins, &stopper, out)?;
    let mut writer = ReportRows { format: args.format(), table: Table::default(), begun: false };
    let halves = |setup: &NamedSetup| too_large::shares_time(args, &large, setup);
    let solved = solve_all(args, tables.as_ref(), &setups, &halves, &stopper, &mut |row| writer.row(row, out))?;
    writer.end(&origins, out)?;
    let (rows, cited): (Vec<BalanceRow>, Vec<Vec<Cited>>) = solved.into_iter().unzip();
    too_large::play_for_the_rest(args, &large, &rows, &origins, &stopper, out)?;
    let stopped = rows.len() < setups.len() || stopper.is_set();
    let done = (rows.len(), setups.len(), stopped);
    let page = args.page(&origins, &setups, done, out, |about| balance_page(&rows, about))?;
    if stopped {
        let unsaved = if args.out.is_some() { "; nothing was written to --out" } else { "" };
        let (done, all) = (rows.len(), setups.len());
        let instead = too_large::command_for(&setups[rows.len()..]).filter(|_| !large.is_empty());
        let instead = instead.map(|command| format!("; who is favoured by play: {command}")).unwrap_or_default();
        return interrupted(out, format_args!("{done} of {all} setups have a row{unsaved}{instead}"));
    }
    if let Some(folder) = args.folder() {
        let mut csv = Vec::new();
        write_rows(&mut csv, true, rows.iter().map(BalanceRow::record))?;
        let rules = different(rows.iter().map(|row| row.setup.rules().to_string()));
        let (methods, verified) = checks(&rows);
        let tables = cited_tables(tables.as_ref(), rows.iter())?;
        let facts = Facts { rules, methods, verified, rows: rows.len(), certificates: cited.concat(), tables };
        save::<BalanceRecord>(args, folder, "balance", &setups, facts, &csv, page.as_deref())?;
    }
    hint(TO_THE_PAGE);
    Ok(Exit::Good)
}

/// Writer of rows as they come.
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

impl Args {
    /// Divides the limits among the setups that are solved at a time, as many as there are threads.
    pub(super) fn budget<'a>(&self, stopper: Option<&'a Stopper>) -> Limits<'a> {
        let mut limits = share(self.limits.read()).with_nodes(self.max_nodes.unwrap_or(u64::MAX));
        limits.time = self.time;
        match stopper {
            Some(stopper) => limits.with_interrupt(stopper.flag()),
            None => limits,
        }
    }

    /// Returns the source of values that are known before anything is solved.
    fn known<'t>(&self, tables: Option<&'t Tablebase>) -> LookUp<'t> {
        LookUp { tables, library: self.library.is_wanted() }
    }

    pub(super) fn named_setups(&self) -> Result<Vec<NamedSetup>, Failure> {
        if !self.setups.has_setup() && self.rules.is_empty() {
            return Ok(suite().into_iter().filter(|setup| self.setups.wants(setup.orientation())).collect());
        }
        self.setups.read(&self.rule_sets()?)
    }

    /// Returns the files that are read.
    pub(super) fn inputs(&self) -> Inputs {
        setup::inputs(&self.setups.board, &self.setups.pods).with(&self.full.openings)
    }

    /// Checks before the work begins that the files of --out may be written.
    pub(super) fn may_save<R: Record>(&self, name: &str, setups: &[NamedSetup]) -> Result<(), Failure> {
        let Some(folder) = self.folder() else { return Ok(()) };
        let inputs = self.inputs();
        let to = self.force.folder(folder, &inputs);
        to.output(&format!("{name}.csv"), &like_csv_about::<R>(setups))?;
        to.output(&format!("{name}.manifest.json"), &like_manifest)?;
        Ok(())
    }

    /// Chooses the format of the report: text on a terminal, CSV elsewhere, unless one was asked
    /// for.
    pub(super) fn format(&self) -> ReportFormat {
        let default = if std::io::stdout().is_terminal() { ReportFormat::Text } else { ReportFormat::Csv };
        self.format.unwrap_or(default)
    }

    /// Returns the rules that were asked for; the Standard game if none were.
    pub(super) fn rule_sets(&self) -> Result<Vec<RuleSet>, Failure> {
        setup::rule_sets(&self.rules)
    }
}

impl SetupLists {
    /// Returns `true` if a setup was asked for, and not the built-in ones.
    pub(super) fn has_setup(&self) -> bool {
        [&self.board, &self.pods, &self.hands].iter().any(|list| !list.is_empty())
    }

    /// Returns the boards that were named.
    pub(super) fn boards(&self) -> &[String] {
        &self.board
    }

    /// Returns the pod sets that were named.
    pub(super) fn pod_sets(&self) -> &[String] {
        &self.pods
    }

    /// Returns `true` if a row of this orientation is wanted.
    pub(super) fn wants(&self, orientation: Orientation) -> bool {
        self.orientation.is_empty() || self.orientation.contains(&orientation)
    }

    /// Returns every combination of what is given, under each of the rules.
    pub(super) fn read(&self, rules: &[RuleSet]) -> Result<Vec<NamedSetup>, Failure> {
        self.read_or(["nook9", "four"], rules)
    }

    /// Returns the same, with another board and pod set where none is given.
    pub(super) fn read_or(&self, default: [&str; 2], rules: &[RuleSet]) -> Result<Vec<NamedSetup>, Failure> {
        let or = |list: &[String], default: &str| {
            if list.is_empty() { vec![default.to_owned()] } else { list.to_vec() }
        };
        let (boards, pod_sets) = (or(&self.board, default[0]), or(&self.pods, default[1]));
        let mut setups = Vec::new();
        for pods in &pod_sets {
            let set = find_pods(pods).map_err(|e| Failure::wrong(e).at("--pods"))?;
            for hands in or(&self.hands, &Hand::whole(&set).display(&set).to_string()) {
                let (white, black) = hands.split_once(':').unwrap_or((&hands, &hands));
                for board in &boards {
                    for &rules in rules {
                        let hands = BySide { white, black };
                        let plain = NamedSetup::read(board, Orientation::R0, pods, hands, rules);
                        let plain =
                            plain.map_err(|e| Failure::wrong(e).at(format_args!("{board}, {pods}, {rules}")))?;
                        let wanted = Orientation::ALL.into_iter().filter(|&turn| self.wants(turn));
                        setups.extend(wanted.map(|by| plain.turned(by)));
                    }
                }
            }
        }
        Ok(setups)
    }
}

/// Returns the limits of each setup, where as many are solved at a time as there are threads.
pub(super) fn share(limits: Limits<'_>) -> Limits<'_> {
    limits.with_share_of_memory(limits.memory / rayon::current_num_threads().max(1) as u64)
}

/// Solves all setups, several at a time, and proves them if that is asked for. Rows are shown in
/// the order of the setups, each as soon as those before it are done. Those that `halves` names
/// have half of the time. Setups that were not begun when somebody interrupted are left out.
fn solve_all(
    args: &Args,
    tables: Option<&Tablebase>,
    setups: &[NamedSetup],
    halves: &(dyn Fn(&NamedSetup) -> bool + Sync),
    stopper: &Stopper,
    show: &mut dyn FnMut(&BalanceRow) -> Result<(), Failure>,
) -> Result<Vec<(BalanceRow, Vec<Cited>)>, Failure> {
    let progress = Progress::new("balance", "setups");
    let total = Some(setups.len() as u64);
    let limits = args.budget(Some(stopper));
    let inputs = args.inputs();
    let want = if args.winners { Want::Winner } else { Want::Value };
    let solve = |setup: &NamedSetup| {
        let mut limits = limits;
        if halves(setup) {
            limits.time = limits.time.map(|time| time / 2);
        }
        let mut row = balance(setup, args.known(tables), want, limits, &Silent).map_err(|e| failure(setup, e))?;
        let cited = match &args.certificates {
            None => Vec::new(),
            Some(folder) => {
                let made = certify(&mut row, args.force.folder(folder, &inputs), limits, &Silent);
                let (cited, without) = made.map_err(|e| uncertified(setup, e))?;
                let say = |one| eprintln!("pods: note: {}: {one}", setup.record());
                progress.suspend(|| without.iter().for_each(say));
                cited
            }
        };
        Ok((row, cited))
    };
    let mut rows = Vec::new();
    let mut take = |solved: (BalanceRow, Vec<Cited>)| {
        progress.suspend(|| show(&solved.0))?;
        rows.push(solved);
        Ok(())
    };
    let job = |number: usize| (!stopper.is_set()).then(|| solve(&setups[number]));
    let behind = in_order(0..setups.len(), job, |done| progress.update(done, total), &mut take)?;
    behind.into_iter().try_for_each(take)?;
    Ok(rows)
}

fn uncertified(setup: &NamedSetup, error: CertifyError) -> Failure {
    match error {
        CertifyError::Balance(error) => failure(setup, error),
        CertifyError::Output(error) => Failure::from(error).at("--certificates"),
        other => Failure::Discrepancy(other.to_string()).at(setup.record()),
    }
}

pub(super) fn failure(setup: &NamedSetup, error: BalanceError) -> Failure {
    match error {
        // The table is at fault, not the setup.
        BalanceError::Solve(error @ SolveError::Table(_)) => Failure::from(error),
        BalanceError::Solve(error) => Failure::from(error).at(setup.record()),
        other => Failure::wrong(other).at(setup.record()),
    }
}
