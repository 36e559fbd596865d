//! Snort raced: the search of pods against published solvers, on the same boards in one run.
//!
//! Each entry runs in a process of its own and by one thread, so that tables and limits do not mix.
//! Answers must agree among those who finish.

mod snort;
mod solvers;

use std::io::{self, Write};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::{Parser, ValueEnum};
use cpu_time::ProcessTime;
use pods::solver::Outcome;
use solvers::Solver;

/// Solve Snort on grids of points: pods and published solvers
#[derive(Parser)]
struct Args {
    /// Grids, as columns x rows
    #[arg(long, value_parser = grid, num_args = 1.., default_values = ["3x3", "3x4", "3x5", "4x4", "3x6", "4x5", "4x6", "5x5", "5x6", "6x6"])]
    grid: Vec<(usize, usize)>,

    /// Only these solvers
    #[arg(long, num_args = 1.., default_values_t = Solver::ALL.map(|s| s.name().to_owned()))]
    solver: Vec<String>,

    /// CPU seconds for each solver on each grid
    #[arg(long, default_value = "60")]
    limit: u64,

    /// Format of the answers
    #[arg(long, default_value = "text")]
    format: Format,

    /// One entry alone, for the run itself: its answer as `outcome seconds nodes`, or `limit`
    #[arg(long, hide = true)]
    entry: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// Rows with a header row
    Csv,
}

fn grid(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(c, r)| Some((c.parse().ok()?, r.parse().ok()?)));
    match sides {
        Some((columns, rows)) if (1..=26).contains(&columns) && (1..=26).contains(&rows) && columns * rows <= 64 => {
            Ok((columns, rows))
        }
        _ => Err("columns x rows, such as 5x6, with at most 64 points".to_owned()),
    }
}

/// Result of an entry.
struct Finish {
    outcome: Outcome,
    seconds: String,
    nodes: String,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match if args.entry { entry(&args) } else { race(&args) } {
        Ok(code) => code,
        Err(message) => {
            eprintln!("race: error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs one entry in this process.
fn entry(args: &Args) -> Result<ExitCode, String> {
    let ([(columns, rows)], [name]) = (&args.grid[..], &args.solver[..]) else {
        return Err("--entry takes one grid and one solver".to_owned());
    };
    let solver = Solver::from_str(name, false)?;
    let board = snort::grid(*columns, *rows)?;
    snort::play_on(&board);
    let (game, start) = snort::game(board.clone())?;
    snort::check(&game, &start)?;
    let (begun, limit) = (ProcessTime::now(), Duration::from_secs(args.limit));
    std::thread::spawn(move || {
        // The peers have no limit of their own that stops at once: this thread ends the process.
        while begun.elapsed() < limit {
            std::thread::sleep(Duration::from_millis(50));
        }
        println!("limit");
        std::process::exit(0);
    });
    let solved = solver.solve(board)?;
    println!("{} {:.3} {}", solved.outcome.name(), solved.time.as_secs_f64(), solved.nodes);
    Ok(ExitCode::SUCCESS)
}

/// Runs all entries, each in a process of its own.
fn race(args: &Args) -> Result<ExitCode, String> {
    let solvers = args.solver.iter().map(|name| Solver::from_str(name, false)).collect::<Result<Vec<_>, _>>()?;
    let mut out = io::stdout().lock();
    let wrong = |e: io::Error| format!("standard output cannot be written: {e}");
    match args.format {
        Format::Csv => csv_row(&mut out, &["board", "solver", "configuration", "winner", "seconds", "nodes", "limit"]),
        Format::Text => writeln!(out, "{:6} {:13} {:>7} {:>10} {:>13}", "grid", "solver", "winner", "CPU s", "nodes"),
    }
    .map_err(wrong)?;
    let mut agreed = true;
    for &(columns, rows) in &args.grid {
        let mut known: Option<Outcome> = None;
        for &solver in &solvers {
            let finish = run(solver, columns, rows, args.limit)?;
            if let Some(finish) = &finish {
                let first = *known.get_or_insert(finish.outcome);
                if first != finish.outcome {
                    agreed = false;
                    eprintln!("race: {columns}x{rows}: {} disagrees with the solvers before it", solver.name());
                }
            }
            let board = format!("{columns}x{rows}");
            let winner = finish.as_ref().map_or("", |f| if f.outcome == Outcome::Win { "first" } else { "second" });
            let (seconds, nodes) = finish.as_ref().map_or(("", ""), |f| (&f.seconds, &f.nodes));
            match args.format {
                Format::Csv => {
                    let limit = args.limit.to_string();
                    csv_row(&mut out, &[&board, solver.name(), solver.configuration(), winner, seconds, nodes, &limit])
                }
                Format::Text => {
                    let limit = format!("> {}", args.limit);
                    let seconds = if finish.is_some() { seconds } else { &limit };
                    writeln!(out, "{board:6} {:13} {winner:>7} {seconds:>10} {nodes:>13}", solver.name())
                }
            }
            .map_err(wrong)?;
            out.flush().map_err(wrong)?;
        }
    }
    if args.format == Format::Text {
        writeln!(out).map_err(wrong)?;
        for solver in solvers {
            writeln!(out, "{:13} {}", solver.name(), solver.configuration()).map_err(wrong)?;
        }
    }
    Ok(ExitCode::from(u8::from(!agreed)))
}

/// Runs an entry; `None` if it came to the limit.
fn run(solver: Solver, columns: usize, rows: usize, limit: u64) -> Result<Option<Finish>, String> {
    let failed = |cause: String| format!("{columns}x{rows} {}: {cause}", solver.name());
    let program = std::env::current_exe().map_err(|e| failed(e.to_string()))?;
    let output = Command::new(program)
        .args(["--entry", "--grid", &format!("{columns}x{rows}"), "--solver", solver.name()])
        .args(["--limit", &limit.to_string()])
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|e| failed(e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["limit"] => Ok(None),
        [outcome @ ("win" | "loss"), seconds, nodes] if output.status.success() => {
            let outcome = if outcome == "win" { Outcome::Win } else { Outcome::Loss };
            Ok(Some(Finish { outcome, seconds: seconds.to_owned(), nodes: nodes.to_owned() }))
        }
        _ => Err(failed(format!("ended with {} and said {text:?}", output.status))),
    }
}

fn csv_row(out: &mut impl Write, row: &[&str]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(row).map_err(|e| io::Error::other(e.to_string()))?;
    writer.flush()
}
