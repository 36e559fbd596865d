//! `pods frontier`

mod forced;

use std::io::Write;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use cpu_time::ProcessTime;
use serde::Serialize;

pub(super) use self::forced::ForcedRow;
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::{ReportFormat, csv_rows, json_line, json_rows};
use crate::cli::limits::{LimitArgs, Stopper};
use crate::cli::outputs::ForceArg;
use crate::cli::progress::SolverProgress;
use crate::cli::report::page::command;
use crate::cli::setup::SetupArgs;
use crate::engine::Bitboard;
use crate::files::{Cell as _, Decimal, Inputs, Record, all_text, open};
use crate::material::Side;
use crate::report::frontier::{ByPly, FrontierRow, by_ply, plot, read_rows};
use crate::report::full::random_position;
use crate::report::page::{About, frontier_page};
use crate::report::{Origins, like_page, like_svg};
use crate::solver::Limits;
use crate::solver::search::Search;

/// Measure how early random positions are solved, or late ones won by force.
///
/// Each seed stands for a position that uniformly random play reaches; one thread searches it. The
/// answer is a CSV row for each position, with CPU seconds.
///
/// With --ply, positions of a placement game are searched for the winner; an unknown value is an
/// empty cell.
///
/// With --hand-size and --max-plies, positions of any game are searched for a forced win: `win in
/// N`, `not within N` or `unknown`.
///
/// With --from, rows measured before are summed up by ply and drawn.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods frontier --ply 12 --ply 14 --count 20
  pods frontier --ply 10 --orientation 90 --max-nodes 1000000 > frontier.csv
  pods frontier --hand-size 3 --max-plies 7 --rules advanced --count 4
  pods frontier --from frontier.csv --plot frontier.svg
  pods frontier --from frontier.csv --format html --out frontier.html")]
pub(super) struct Args {
    /// Play this many random plies before the search; may be given several times
    #[arg(long, value_name = "N", required_unless_present_any = ["from", "hand_size"])]
    ply: Vec<u32>,

    /// Play at random until no hand has more than this many pods, instead of a number of plies
    #[arg(long, value_name = "N", conflicts_with_all = ["ply", "from"], requires = "max_plies")]
    hand_size: Option<usize>,

    /// Look for a forced win within N plies
    #[arg(long, value_name = "N", requires = "hand_size")]
    max_plies: Option<u16>,

    /// Sum up the rows of this file instead of measuring
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Draw the rows of --from as an SVG picture: nodes and seconds by ply
    #[arg(long, value_name = "FILE", requires = "from")]
    plot: Option<PathBuf>,

    /// Write the page of --format html to this file instead of standard output
    #[arg(long, value_name = "FILE.html", requires = "from")]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArg,

    /// Format of the summary of --from; measured rows are CSV, or JSON if that is asked for
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,

    /// Measure this many positions for each number of plies (with --hand-size: in all), with seeds
    /// from 0
    #[arg(long, value_name = "N", default_value = "40")]
    pub(super) count: u64,

    /// Stop after this many nodes
    #[arg(long, value_name = "N", default_value = "30000000")]
    pub(super) max_nodes: u64,

    #[command(flatten)]
    pub(super) limits: LimitArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    if let Some(file) = &args.from {
        // Said here and not to clap, which would no longer ask for --from where --ply is there.
        if !args.ply.is_empty() {
            return Err(Failure::wrong("--from sums up rows that were measured before: leave out --ply"));
        }
        return sum_up(args, file, out);
    }
    if args.format == ReportFormat::Html {
        return Err(Failure::wrong("a page sums up rows that were measured before: name them with --from"));
    }
    let setup = args.setup.read()?;
    if let (Some(hands), Some(plies)) = (args.hand_size, args.max_plies) {
        return forced::run(args, &setup, hands, plies, out);
    }
    let engine = Bitboard::new(setup.game().clone());
    let start = setup.start(Side::White)?;
    let not_placement = || {
        Failure::wrong("--ply is for rules under which nothing moves; under others take --hand-size N --max-plies N")
    };
    if !Search::fits(setup.game()) {
        return Err(not_placement());
    }
    let rows_of = Measured::<FrontierRow>::begin(args.format, out)?;
    let (stopper, mut rows) = (Stopper::new(true)?, 0);
    for &ply in &args.ply {
        for seed in 0..args.count {
            let position = random_position(&engine, &start, ply, seed);
            let search = Search::new(setup.game(), args.limits.read().memory).ok_or_else(not_placement)?;
            let limits = Limits::default().with_nodes(args.max_nodes).with_interrupt(stopper.flag());
            let begun = ProcessTime::now();
            let answer = search.solve(&position, limits, &SolverProgress::default());
            let seconds = begun.elapsed().as_secs_f64();
            if stopper.is_set() {
                let all = args.ply.len() as u64 * args.count;
                return interrupted(out, format_args!("{rows} of {all} positions are measured"));
            }
            rows += 1;
            let row = FrontierRow {
                board: setup.game().board().name().to_owned(),
                orientation: setup.game().board().orientation().degrees(),
                rules: setup.game().rules().to_string(),
                ply,
                seed,
                position: position.display(setup.game()).to_string(),
                value: answer.outcome.ok().map(|outcome| outcome.name().to_owned()),
                nodes: answer.nodes,
                seconds: Decimal(seconds),
            };
            rows_of.write(row, out)?;
        }
    }
    Ok(Exit::Good)
}

/// A writer of measured rows, each shown as soon as it is known.
struct Measured<R> {
    json: bool,
    rows: PhantomData<R>,
}

impl<R: Record + Serialize> Measured<R> {
    /// Writes the header, if there is one.
    fn begin(format: ReportFormat, out: &mut dyn Write) -> Result<Measured<R>, Failure> {
        let json = format == ReportFormat::Json;
        if !json {
            csv_rows::<R>(out, true, [])?;
        }
        Ok(Measured { json, rows: PhantomData })
    }

    fn write(&self, row: R, out: &mut dyn Write) -> Result<(), Failure> {
        if self.json {
            json_line(out, &row)?
        } else {
            csv_rows(out, false, [row])?
        }
        Ok(out.flush()?)
    }
}

/// The most bytes of a file of rows: a million of them.
const MOST_ROWS: u64 = 256 << 20;

fn sum_up(args: &Args, file: &Path, out: &mut dyn Write) -> CommandResult {
    let at = |failure: Failure| failure.at(file.display());
    let inputs = Inputs::default().with([file]);
    let picture = args.plot.as_deref().map(|picture| args.force.output(picture, &inputs, &like_svg)).transpose()?;
    if args.out.is_some() && args.format != ReportFormat::Html {
        return Err(Failure::wrong("--out is for the page: add --format html"));
    }
    let page = args.out.as_deref().map(|page| args.force.output(page, &inputs, &like_page)).transpose()?;
    let text = open(file).and_then(|file| all_text(file, MOST_ROWS)).map_err(|e| at(Failure::wrong(e)))?;
    let rows = read_rows(text.as_bytes())
        .map_err(|e| at(Failure::wrong(format_args!("{e}: measure some with `pods frontier --ply 14`"))))?;
    if let Some(picture) = picture {
        picture.write_bytes(plot(&rows).as_bytes())?;
    }
    let by_ply = by_ply(&rows);
    match args.format {
        ReportFormat::Text => write_text(&by_ply, out)?,
        ReportFormat::Csv => csv_rows(out, true, by_ply)?,
        ReportFormat::Html => {
            let command = command();
            let origins = Origins::of_boards(rows.iter().map(|row| row.board.as_str()));
            let text = frontier_page(&rows, About::new(&command, &origins));
            match page {
                Some(page) => page.write_bytes(text.as_bytes())?,
                None => out.write_all(text.as_bytes())?,
            }
        }
        ReportFormat::Json => json_rows(out, by_ply)?,
    }
    Ok(Exit::Good)
}

fn write_text(by_ply: &[ByPly], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(
        out,
        "{:>4} {:>10} {:>7} {:>14} {:>16} {:>16}",
        "ply", "positions", "solved", "median nodes", "median seconds", "geometric mean"
    )?;
    for of in by_ply {
        // If the middle position was not solved, its search had only got so far.
        let bound = if 2 * of.solved > of.positions { "" } else { ">" };
        writeln!(
            out,
            "{:>4} {:>10} {:>7} {:>14} {:>16} {:>16}",
            of.ply,
            of.positions,
            of.solved,
            format!("{bound}{:.0}", of.median_nodes.0),
            format!("{bound}{:.3}", of.median_seconds.0),
            of.mean_nodes.map(|mean| mean.cell()).unwrap_or_else(|| "-".to_owned()),
        )?;
    }
    Ok(())
}
