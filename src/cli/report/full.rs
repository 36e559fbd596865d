//! `pods report --full`

use std::io::{IsTerminal as _, Write};
use std::path::Path;

use serde::Serialize;

use super::{Args, inputs, page, write_beside};
use crate::cli::failure::{Exit, Failure, Outcome, interrupted};
use crate::cli::format::ReportFormat;
use crate::cli::limits::{Stopper, memory};
use crate::cli::progress::Progress;
use crate::cli::threads::in_order;
use crate::files::read_bytes;
use crate::report::full::{
    Ledger, LedgerError, MOST_ROWS, Plan, Policy, Row, SUMMARY_HEADER, Source, Summary, Task, summaries,
    write_summaries,
};
use crate::report::page::full_page;
use crate::report::{Manifest, like_csv, like_manifest, sha256_hex};
use crate::solver::Thousands;

/// What `--full` takes beside the setups.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Balance of a game too large to solve (--full)")]
pub(super) struct FullArgs {
    /// Solve positions on the way, drawn by random and by strong play, and report how many the first player wins [setup
    /// by default: cave36, pods14, standard]
    #[arg(long, conflicts_with_all = ["readings", "certificates"])]
    pub(super) full: bool,

    /// After how many plies positions are drawn; several may be given [default: 10 and 12]
    #[arg(long, value_name = "N", requires = "full")]
    ply: Vec<u32>,

    /// Positions for each orientation, number of plies and kind of play
    #[arg(long, value_name = "N", requires = "full", default_value = "50")]
    count: u64,

    /// The first seed; the others follow
    #[arg(long, value_name = "N", requires = "full", default_value = "0")]
    seed: u64,

    /// Leave an opening unsolved after this many nodes; 0 for no openings
    #[arg(long, value_name = "N", requires = "full", default_value = "100000")]
    opening_nodes: u64,

    /// Positions that the strong player looks at before each action
    #[arg(long, value_name = "N", requires = "full", default_value = "5000")]
    policy_nodes: u64,

    /// How much worse than the best action an action may look for the strong player to take it
    #[arg(long, value_name = "SCORE", requires = "full", default_value = "16", value_parser = clap::value_parser!(i16).range(0..))]
    margin: i16,

    /// Memory for the table of each search
    #[arg(long, value_name = "SIZE", requires = "full", default_value = "64MiB", value_parser = memory)]
    table: u64,
}

/// Nodes for a position where nobody said how many.
const NODES: u64 = 3_000_000;

const ROWS: &str = "rows.csv";
const SUMMARY: &str = "summary.csv";
const MANIFEST: &str = "full.manifest.json";
const PAGE: &str = "full.html";

fn like_summary(head: &[u8]) -> Result<(), String> {
    like_csv(head, SUMMARY_HEADER)
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let full = &args.full;
    let plan = Plan {
        entries: args.setups.entries_or(["cave36", "pods14"], &args.rule_sets()?)?,
        plies: if full.ply.is_empty() { vec![10, 12] } else { full.ply.clone() },
        count: full.count,
        seed: full.seed,
        nodes: args.max_nodes.unwrap_or(NODES),
        opening_nodes: full.opening_nodes,
        policy: Policy { nodes: full.policy_nodes, margin: full.margin },
        table: full.table,
    };
    let (rows, wanted) = rows(args, &plan)?;
    let stopped = rows.len() < wanted;
    let summaries = summaries(&plan, &rows);
    let mut csv = Vec::new();
    write_summaries(&summaries, &mut csv)?;
    let (command, mut page) = (page::command(), None);
    if args.wants_page() {
        let about = args.about(&command, rows.len(), wanted, stopped);
        page = Some(full_page(&plan, &rows, &summaries, about).map_err(Failure::wrong)?);
    }
    if let Some(page) = &page {
        args.write_page(page, stopped, out)?;
    }
    if let Some(folder) = args.folder().filter(|_| !stopped) {
        save(args, folder, &plan, &csv, page.as_deref())?;
    }
    let default = if std::io::stdout().is_terminal() { ReportFormat::Text } else { ReportFormat::Csv };
    match args.format.unwrap_or(default) {
        ReportFormat::Html => {}
        ReportFormat::Csv => out.write_all(&csv)?,
        ReportFormat::Json => {
            for summary in &summaries {
                json_row(out, summary)?;
            }
        }
        ReportFormat::Text => write_table(out, &plan, &summaries)?,
    }
    if stopped {
        let kept = if args.folder().is_some() { ", and kept for the next run" } else { "" };
        return interrupted(
            out,
            format_args!("this is of {} of {wanted} positions, solved in order{kept}", rows.len()),
        );
    }
    Ok(Exit::Good)
}

/// Draws and solves what is not in the file of rows yet, and appends it there in the order of the plan; the rows, fewer than
/// were wanted if Ctrl-C was pressed, and how many were wanted.
fn rows(args: &Args, plan: &Plan) -> Result<(Vec<Row>, usize), Failure> {
    let ready = plan.ready().map_err(Failure::wrong)?;
    let settings = plan.entries.iter().map(|entry| plan.settings(entry));
    let settings: Vec<String> = settings.collect::<Result<_, _>>().map_err(Failure::wrong)?;
    let tasks = plan.tasks(&ready);
    args.may_write_page("full")?;
    let (mut ledger, mut rows) = match args.folder() {
        None => (None, Vec::new()),
        Some(folder) => {
            let path = folder.join(ROWS);
            let at = |failure: Failure| failure.at(path.display());
            let inputs = args.inputs();
            let to = args.force.folder(folder, &inputs);
            to.output(SUMMARY, &like_summary)?;
            to.output(MANIFEST, &like_manifest)?;
            let opened = Ledger::open(&path, &inputs, plan, &settings, &tasks);
            let opened = opened.map_err(|error| match error {
                LedgerError::Output(error) => Failure::wrong(format_args!("{error}; name another folder")),
                other => at(Failure::wrong(other)),
            })?;
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
        plan.perform(task, &ready[task.entry], &settings[task.entry], stopper.flag()).map(Ok)
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

/// A manifest of the rows, with what was asked for and the file that sums them up.
#[derive(Serialize)]
struct FullManifest {
    #[serde(flatten)]
    manifest: Manifest,
    plies: Vec<u32>,
    count: u64,
    nodes: u64,
    opening_nodes: u64,
    policy_nodes: u64,
    policy_margin: i16,
    table_bytes: u64,
    summary: &'static str,
    summary_sha256: String,
}

fn save(args: &Args, folder: &Path, plan: &Plan, summary: &[u8], page: Option<&str>) -> Result<(), Failure> {
    let path = folder.join(ROWS);
    let rows = read_bytes(&path, MOST_ROWS).map_err(|e| Failure::wrong(e).at(path.display()))?;
    let read = args.inputs();
    let to = args.force.folder(folder, &read);
    let page_cited = page.map(|page| write_beside(to, PAGE, page)).transpose()?;
    let mut rules: Vec<String> = plan.entries.iter().map(|entry| entry.rules.to_string()).collect();
    rules.dedup();
    let manifest = FullManifest {
        manifest: Manifest {
            format: "pods-manifest".to_owned(),
            version: 1,
            program: format!("pods {}", env!("CARGO_PKG_VERSION")),
            command: format!("pods {}", page::command()),
            commit: args.commit.clone(),
            rules,
            seed: Some(plan.seed),
            methods: vec!["search".to_owned()],
            verified: Vec::new(),
            inputs: inputs(&plan.entries)?,
            result: ROWS.to_owned(),
            rows: rows.iter().filter(|&&byte| byte == b'\n').count() - 1,
            sha256: sha256_hex(&rows),
            page: page_cited,
            certificates: Vec::new(),
            tables: Vec::new(),
        },
        plies: plan.plies.clone(),
        count: plan.count,
        nodes: plan.nodes,
        opening_nodes: plan.opening_nodes,
        policy_nodes: plan.policy.nodes,
        policy_margin: plan.policy.margin,
        table_bytes: plan.table,
        summary: SUMMARY,
        summary_sha256: sha256_hex(summary),
    };
    let json = serde_json::to_string_pretty(&manifest).map_err(Failure::wrong)? + "\n";
    to.output(SUMMARY, &like_summary)?.write_bytes(summary)?;
    Ok(to.output(MANIFEST, &like_manifest)?.write_bytes(json.as_bytes())?)
}

/// Writes a summary as an object: numbers as numbers, what is not known as null.
fn json_row(out: &mut dyn Write, summary: &Summary) -> Result<(), Failure> {
    let cell = |(name, cell): (&'static str, String)| {
        let text = ["board", "pods", "white_hand", "black_hand", "rules", "source"].contains(&name);
        let value = match cell.as_str() {
            "" => serde_json::Value::Null,
            number if !text => serde_json::from_str(number).unwrap_or(serde_json::Value::Null),
            _ => serde_json::Value::String(cell),
        };
        (name.to_owned(), value)
    };
    let object: serde_json::Map<String, serde_json::Value> =
        SUMMARY_HEADER.into_iter().zip(summary.cells()).map(cell).collect();
    crate::cli::format::json_line(out, &object)
}

fn write_table(out: &mut dyn Write, plan: &Plan, summaries: &[Summary]) -> Result<(), Failure> {
    for block in summaries.chunk_by(|a, b| a.entry == b.entry) {
        let [board, orientation, pods, white, black, rules] = block[0].entry.cells();
        let hands = if white == black { format!("both {white}") } else { format!("White {white}, Black {black}") };
        writeln!(out, "{board} at {orientation}°, {pods}: {hands}; {rules}")?;
        for summary in block {
            let share = summary.share;
            if summary.source == Source::Opening {
                writeln!(
                    out,
                    "  openings: {} known to win, {} to lose, {} open",
                    share.wins, share.losses, share.unknown
                )?;
                continue;
            }
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            let range = |interval: Option<crate::report::full::Interval>| {
                interval.map(|i| format!("{} to {}", percent(i.low), percent(i.high))).unwrap_or_default()
            };
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
    Ok(writeln!(
        out,
        "The first player is White. Shares are of positions that such play leads to, solved exactly within {} nodes; they \
         do not\nsay who wins from the start. Strong play is heuristic. Boards and pods are reconstructions or made for the \
         purpose; nothing\nhere is about the printed board.",
        Thousands(u128::from(plan.nodes))
    )?)
}
