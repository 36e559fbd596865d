//! `pods jobs merge`

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::certificate::may_replace;
use crate::cli::failure::{Exit, Failure, Outcome};
use crate::cli::format::{Format, csv_rows, json_line};
use crate::cli::limits::{Stopper, memory};
use crate::cli::outputs::ForceArg;
use crate::cli::progress::SolverProgress;
use crate::files::{Inputs, Thousands, record};
use crate::jobs::{Merged, OpenJob, merge_with};
use crate::report::sha256_hex;
use crate::solver::Limits;

/// Merge the results of all jobs: who wins, or which jobs may still matter.
///
/// Damaged results are reported, and count as missing.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods jobs merge jobs
  pods jobs merge jobs --format csv > open.csv
  pods jobs merge jobs --certificate start.jsonl

In text the answer says how much is open; csv has a row for each open job, json one object with
everything. A certificate is checked as `pods check-proof` does before it is written.

Exit status: 1 results contradict each other or a certificate does not hold, with the files named; 2
a certificate is asked for and cannot be made yet.")]
pub(super) struct Args {
    /// The folder of the job file
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Join the certificates of the jobs to one for the whole, in this file
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    /// Memory for a search that proves what the split has decided, such as 500MiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = memory)]
    memory: u64,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

record! {
    /// A job that may still matter.
    pub(in crate::cli) struct OpenRow<'a> {
        /// Name of the job.
        job: &'a str,
        /// Actions that lead to its position.
        path: &'a str,
        /// The position's text.
        position: &'a str,
        /// Nodes searched in vain.
        tried: u64,
        /// The worker that has claimed it.
        claimed_by: Option<&'a str>,
    }
}

#[derive(Serialize)]
struct Certificate {
    file: PathBuf,
    lines: u64,
    bytes: usize,
    sha256: String,
}

#[derive(Serialize)]
struct Line<'a> {
    position: String,
    board: &'a str,
    orientation: u16,
    pods: &'a str,
    rules: String,
    value: &'static str,
    jobs: usize,
    decided: usize,
    results: usize,
    duplicates: usize,
    others: usize,
    workers: usize,
    nodes: u64,
    cpu_seconds: f64,
    missing_certificates: Option<u64>,
    damaged: Vec<String>,
    certificate: Option<Certificate>,
    open: Vec<OpenRow<'a>>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let stopper = Stopper::new(true)?;
    let limits = Limits::default().with_memory(args.memory).with_interrupt(stopper.flag());
    let inputs = Inputs::default();
    // Whether the file may be written is known before the certificate is made.
    let (merged, proof) = merge_with(&args.folder, limits, &SolverProgress::default(), &mut |merged| {
        for (path, cause) in &merged.damaged {
            eprintln!("pods: note: {} counts as missing: {cause}; remove it", path.display());
        }
        let judge = |head: &[u8]| may_replace(head, &merged.game, &merged.root, false);
        args.certificate.as_ref().map(|path| args.force.output(path, &inputs, &judge)).transpose()?;
        Ok::<_, Failure>(args.certificate.is_some())
    })?;
    let mut certificate = None;
    if let Some((path, proof)) = args.certificate.as_ref().zip(proof) {
        let judge = |head: &[u8]| may_replace(head, &merged.game, &merged.root, false);
        args.force.output(path, &inputs, &judge)?.write_bytes(&proof.bytes)?;
        let (lines, bytes) = (proof.checked.lines, proof.bytes.len());
        certificate = Some(Certificate { file: path.clone(), lines, bytes, sha256: sha256_hex(&proof.bytes) });
    }
    match args.format {
        Format::Csv => csv_rows(out, true, merged.open.iter().map(shown))?,
        Format::Json => json_line(out, &line(&merged, certificate))?,
        Format::Text => text(&merged, certificate, out)?,
    }
    Ok(Exit::Good)
}

fn value(merged: &Merged) -> &'static str {
    merged.winner.map_or("unknown", |winner| if winner == merged.root.to_move() { "win" } else { "loss" })
}

fn line(merged: &Merged, certificate: Option<Certificate>) -> Line<'_> {
    Line {
        position: merged.root.text(&merged.game),
        board: merged.game.board().name(),
        orientation: merged.orientation,
        pods: merged.game.pods().name(),
        rules: merged.game.rules().to_string(),
        value: value(merged),
        jobs: merged.jobs,
        decided: merged.decided,
        results: merged.results,
        duplicates: merged.duplicates,
        others: merged.others,
        workers: merged.workers,
        nodes: merged.nodes,
        cpu_seconds: merged.cpu_seconds,
        missing_certificates: merged.missing_proofs,
        damaged: merged.damaged.iter().map(|(path, _)| path.display().to_string()).collect(),
        certificate,
        open: merged.open.iter().map(shown).collect(),
    }
}

fn shown(open: &OpenJob) -> OpenRow<'_> {
    let OpenJob { job, path, position, tried, claimed_by } = open;
    OpenRow { job, path, position, tried: *tried, claimed_by: claimed_by.as_deref() }
}

fn text(merged: &Merged, certificate: Option<Certificate>, out: &mut dyn Write) -> Result<(), Failure> {
    let number = |number: usize| Thousands(number as u128);
    writeln!(out, "position  {}", merged.root.text(&merged.game))?;
    let (board, turn) = (merged.game.board().name(), merged.orientation);
    writeln!(out, "setup     {board} turned by {turn}°, {}, {}", merged.game.pods().name(), merged.game.rules())?;
    writeln!(out, "value     {} for {}", value(merged), merged.root.to_move())?;
    writeln!(
        out,
        "jobs      {}: {} decided, {} open",
        number(merged.jobs),
        number(merged.decided),
        number(merged.open.len())
    )?;
    let claimed = merged.open.iter().filter(|open| open.claimed_by.is_some()).count();
    let tried = merged.open.iter().filter(|open| open.tried > 0).count();
    if !merged.open.is_empty() {
        writeln!(
            out,
            "open      {} searched in vain, {} claimed; --format csv lists them",
            number(tried),
            number(claimed)
        )?;
    }
    let (results, workers) = (number(merged.results), number(merged.workers));
    let nodes = Thousands(merged.nodes.into());
    writeln!(out, "results   {results} of {workers} workers, {nodes} nodes, {:.1} CPU seconds", merged.cpu_seconds)?;
    let odd = [(merged.duplicates, "twice"), (merged.damaged.len(), "damaged"), (merged.others, "of no job here")];
    let odd: Vec<String> =
        odd.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", number(*n))).collect();
    if !odd.is_empty() {
        writeln!(out, "of these  {}", odd.join(", "))?;
    }
    if let Some(made) = certificate {
        writeln!(out, "lines     {}; checked", Thousands(made.lines.into()))?;
        writeln!(out, "file      {}, {} bytes, sha256 {}", made.file.display(), made.bytes, made.sha256)?;
    }
    Ok(())
}
