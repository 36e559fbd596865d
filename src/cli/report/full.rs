//! `pods report --full`: positions that are sampled and solved, or games that are played.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Args;
use super::played::{self, PlayArgs};
use super::save::{Facts, manifest, rule_names, write_beside, write_manifest};
use super::words::{percent, range, refused};
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::limits::{Stopper, memory};
use crate::cli::progress::Progress;
use crate::cli::threads::in_order;
use crate::files::{Thousands, read_bytes, write_rows};
use crate::report::full::{
    KnownOpenings, Ledger, MOST_ROWS, Plan, Policy, Row, Source, Summary, SummaryRecord, Task, summaries,
};
use crate::report::page::{About, full_page};
use crate::report::{Cited, Manifest, NamedSetup, Origins, like_csv, like_manifest, sha256_hex};
use crate::solver::search::Search;

/// Options of `--full` beside the setups.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Sampled play (--full, --measures)")]
pub(super) struct FullArgs {
    /// Estimate the first player's share of wins in a game too large to solve. Without moves and
    /// captures, positions along random and strong play are solved; under other --rules, the
    /// program plays games against itself [default setup: cave36, pods14, standard]
    #[arg(long, group = "sampled", conflicts_with_all = ["readings", "certificates"])]
    pub(super) full: bool,

    #[command(flatten)]
    pub(super) play: PlayArgs,

    /// Draw this many positions for each orientation, number of plies and kind of play; or games
    /// for each setup, starter and strength
    #[arg(long, value_name = "N", requires = "sampled", default_value = "50")]
    pub(super) count: u64,

    /// Begin with this seed
    #[arg(long, value_name = "N", requires = "sampled", default_value = "0")]
    pub(super) seed: u64,

    /// Draw positions after this many plies; may be given several times [default: 10 and 12]
    #[arg(long, value_name = "N", requires = "full")]
    ply: Vec<u32>,

    /// Stop the search of an opening after this many nodes; 0 for no openings [default: 100000]
    #[arg(long, value_name = "N", requires = "full")]
    opening_nodes: Option<u64>,

    /// Take the winners of openings from this CSV file, as `scripts/solve-full.sh openings` makes
    /// it, and solve only the others. NAME.manifest.json beside it must name this board and these
    /// pods
    #[arg(long, value_name = "FILE", requires = "full")]
    pub(super) openings: Option<PathBuf>,

    /// Let the strong player look at this many positions before each action [default: 5000]
    #[arg(long, value_name = "N", requires = "full")]
    policy_nodes: Option<u64>,

    /// Let the strong player give up at most this much score in an action [default: 16]
    #[arg(long, value_name = "SCORE", requires = "full", value_parser = clap::value_parser!(i16).range(0..))]
    margin: Option<i16>,

    /// Use at most this much memory for each search [default: 64MiB]
    #[arg(long, value_name = "SIZE", requires = "full", value_parser = memory)]
    table: Option<u64>,
}

/// Defaults of sampling and solving.
const OPENING_NODES: u64 = 100_000;
const POLICY: Policy = Policy { nodes: 5000, margin: 16 };
const TABLE: u64 = 64 << 20;

/// Nodes for a position where nobody said how many.
const NODES: u64 = 3_000_000;

const ROWS_FILE: &str = "rows.csv";
const SUMMARY: &str = "summary.csv";
const PAGE: &str = "full.html";

/// Returns the first rules of the setups under which games are played instead of sampled and
/// solved.
fn with_moves(setups: &[NamedSetup]) -> Option<String> {
    setups.iter().find(|setup| !Search::fits(setup.game())).map(|setup| setup.rules().to_string())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let full = &args.full;
    for (option, given) in [("--time", args.time.is_some()), ("--tables", args.tables.typed())] {
        if given {
            return Err(Failure::wrong(format_args!(
                "{option} has no part in --full, whose rows are the same on every machine: leave it out, and limit the work with \
                 --max-nodes, or where games are played with --strength"
            )));
        }
    }
    let setups = args.setups.read_or(["cave36", "pods14"], &args.rule_sets()?)?;
    let with_moves = with_moves(&setups);
    if full.play.play || with_moves.is_some() {
        let why =
            with_moves.map_or("--play asks for games".to_owned(), |rules| format!("{rules} has moves or captures"));
        if let Some(option) = full.of_samples(args) {
            return Err(Failure::wrong(format_args!(
                "{option} is about positions that are sampled and solved, and here games are played, since {why}: leave it out"
            )));
        }
        return played::run(args, &full.play, setups, out);
    }
    if let Some(option) = full.play.given() {
        return Err(Failure::wrong(format_args!(
            "{option} is about games that are played, and under rules without moves and captures positions are sampled and \
             solved: add --play, or leave it out"
        )));
    }
    let plan = Plan {
        setups,
        plies: if full.ply.is_empty() { vec![10, 12] } else { full.ply.clone() },
        count: full.count,
        seed: full.seed,
        nodes: args.max_nodes.unwrap_or(NODES),
        opening_nodes: full.opening_nodes.unwrap_or(OPENING_NODES),
        known: full.known()?,
        policy: Policy {
            nodes: full.policy_nodes.unwrap_or(POLICY.nodes),
            margin: full.margin.unwrap_or(POLICY.margin),
        },
        table: full.table.unwrap_or(TABLE),
    };
    let origins = Origins::of_setups(&plan.setups);
    let (rows, wanted) = rows(args, &plan)?;
    let stopped = rows.len() < wanted;
    let summaries = summaries(&plan, &rows);
    let mut csv = Vec::new();
    write_rows(&mut csv, true, summaries.iter().map(Summary::record))?;
    let make = |about: About<'_>| full_page(&plan, &rows, &summaries, about);
    let page = args.page(&origins, &plan.setups, (rows.len(), wanted, stopped), out, make)?;
    if let Some(folder) = args.folder().filter(|_| !stopped) {
        save(args, folder, &plan, &csv, page.as_deref())?;
    }
    let records = summaries.iter().map(Summary::record);
    args.write_rows(out, &csv, records, |out| write_table(out, &plan, &summaries, &origins))?;
    if stopped {
        let kept = if args.folder().is_some() { ", and kept for the next run" } else { "" };
        return interrupted(
            out,
            format_args!("the report is of {} of {wanted} positions, solved in order{kept}", rows.len()),
        );
    }
    Ok(Exit::Good)
}

/// Draws and solves the rows that the file lacks, and appends them in the order of the plan.
/// Returns the rows, fewer than wanted if Ctrl-C was pressed, and the number wanted.
fn rows(args: &Args, plan: &Plan) -> Result<(Vec<Row>, usize), Failure> {
    let ready = plan.ready().map_err(Failure::wrong)?;
    if let Some(path) = args.full.openings.as_ref().filter(|_| ready.iter().all(|setup| setup.known.is_empty())) {
        return Err(Failure::wrong(format_args!(
            "{} knows no opening of these setups: its manifest must name their board and pods, and its rows their orientation and \
             rules",
            path.display()
        ))
        .at("--openings"));
    }
    let settings = plan.setups.iter().map(|setup| plan.settings(setup));
    let settings: Vec<String> = settings.collect::<Result<_, _>>().map_err(Failure::wrong)?;
    let tasks = plan.tasks(&ready);
    args.may_write_page("full", &plan.setups)?;
    let (mut ledger, mut rows) = match args.folder() {
        None => (None, Vec::new()),
        Some(folder) => {
            let path = folder.join(ROWS_FILE);
            let inputs = args.inputs();
            let to = args.force.folder(folder, &inputs);
            to.output(SUMMARY, &like_csv::<SummaryRecord>)?;
            to.output("full.manifest.json", &like_manifest)?;
            let opened = Ledger::open(&path, &inputs, plan, &settings, &tasks);
            let opened = opened.map_err(|error| refused(&path, error))?;
            (Some((opened.0, path)), opened.1)
        }
    };
    let progress = Progress::new("full", "positions");
    let total = Some(tasks.len() as u64);
    let first = rows.len();
    progress.begin_at(first as u64, total);
    let stopper = Stopper::new(true)?;
    let perform = |number: usize| {
        let task: &Task = &tasks[number];
        plan.perform(task, &ready[task.setup], &settings[task.setup], stopper.flag()).map(Ok)
    };
    let take = |row: Row| {
        if let Some((ledger, path)) = &mut ledger {
            ledger.append(&row).map_err(|e| Failure::wrong(e).at(path.display()))?;
        }
        rows.push(row);
        Ok(())
    };
    // Rows behind one that Ctrl-C kept from being made are left out: the file has them in order.
    in_order(first..tasks.len(), perform, |done| progress.update(first as u64 + done, total), take)?;
    if let Some((ledger, path)) = &ledger {
        ledger.sync().map_err(|e| Failure::wrong(e).at(path.display()))?;
    }
    Ok((rows, tasks.len()))
}

impl FullArgs {
    /// Returns the openings whose winner is known.
    fn known(&self) -> Result<KnownOpenings, Failure> {
        let read = |path: &PathBuf| KnownOpenings::read(path).map_err(|e| Failure::wrong(e).at("--openings"));
        self.openings.as_ref().map(read).transpose().map(Option::unwrap_or_default)
    }

    /// Returns an option that was given and is about samples alone.
    fn of_samples(&self, args: &Args) -> Option<&'static str> {
        let given = [
            ("--ply", !self.ply.is_empty()),
            ("--opening-nodes", self.opening_nodes.is_some()),
            ("--openings", self.openings.is_some()),
            ("--policy-nodes", self.policy_nodes.is_some()),
            ("--margin", self.margin.is_some()),
            ("--table", self.table.is_some()),
            ("--max-nodes", args.max_nodes.is_some()),
        ];
        given.into_iter().find_map(|(option, given)| given.then_some(option))
    }
}

/// A manifest of the rows, with what was asked for and the file that sums them up.
#[derive(Serialize)]
struct FullManifest {
    #[serde(flatten)]
    manifest: Manifest,
    plies: Vec<u32>,
    count: u64,
    nodes: u64,
    opening_nodes: u64,
    /// The file of known openings.
    #[serde(skip_serializing_if = "Option::is_none")]
    openings: Option<Cited>,
    policy_nodes: u64,
    policy_margin: i16,
    table_bytes: u64,
    summary: &'static str,
    summary_sha256: String,
}

fn save(args: &Args, folder: &Path, plan: &Plan, summary: &[u8], page: Option<&str>) -> Result<(), Failure> {
    let path = folder.join(ROWS_FILE);
    let rows = read_bytes(&path, MOST_ROWS).map_err(|e| Failure::wrong(e).at(path.display()))?;
    let read = args.inputs();
    let to = args.force.folder(folder, &read);
    let page = page.map(|page| write_beside(to, PAGE, page, &plan.setups)).transpose()?;
    let facts = Facts {
        rules: rule_names(&plan.setups),
        methods: vec!["search".to_owned()],
        rows: rows.iter().filter(|&&byte| byte == b'\n').count() - 1,
        ..Facts::default()
    };
    let manifest = FullManifest {
        manifest: manifest(args, &plan.setups, Some(plan.seed), (ROWS_FILE, &rows), page, facts)?,
        plies: plan.plies.clone(),
        count: plan.count,
        nodes: plan.nodes,
        opening_nodes: plan.opening_nodes,
        openings: args
            .full
            .openings
            .as_ref()
            .map(|path| Cited { file: path.display().to_string(), sha256: plan.known.digest().to_owned() }),
        policy_nodes: plan.policy.nodes,
        policy_margin: plan.policy.margin,
        table_bytes: plan.table,
        summary: SUMMARY,
        summary_sha256: sha256_hex(summary),
    };
    to.output(SUMMARY, &like_csv::<SummaryRecord>)?.write_bytes(summary)?;
    write_manifest(to, "full", &manifest)
}

pub(super) fn write_table(
    out: &mut dyn Write,
    plan: &Plan,
    summaries: &[Summary],
    origins: &Origins,
) -> Result<(), Failure> {
    for block in summaries.chunk_by(|a, b| a.setup == b.setup) {
        writeln!(out, "{}", block[0].setup.record())?;
        for summary in block {
            let share = summary.share;
            if summary.source == Source::Opening {
                writeln!(
                    out,
                    "  openings: {} known to win, {} to lose, {} undecided",
                    share.wins, share.losses, share.unknown
                )?;
                continue;
            }
            writeln!(
                out,
                "  {} play, ply {}: {} positions, first player wins {}, loses {}, unsolved {}",
                summary.source,
                summary.ply,
                share.positions(),
                share.wins,
                share.losses,
                share.unknown
            )?;
            if let Some(of_solved) = share.of_solved() {
                let all = if share.unknown > 0 {
                    format!("; of all {}, whatever the unsolved are", range(share.widest()))
                } else {
                    String::new()
                };
                writeln!(
                    out,
                    "    wins {} of the solved, 95 % interval {}{all}",
                    percent(of_solved),
                    range(summary.interval())
                )?;
            }
        }
        writeln!(out)?;
    }
    if !plan.known.digest().is_empty() {
        writeln!(out, "Openings that the file of --openings knows are taken from there.")?;
    }
    Ok(writeln!(
        out,
        "The first player is White. Shares are of positions that such play leads to, solved exactly within {} nodes; they \
         do not\nsay who wins from the start. A game that ended before the ply counts with its winner. Strong play is heuristic.\n{origins}",
        Thousands(u128::from(plan.nodes))
    )?)
}
