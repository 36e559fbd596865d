//! `pods report`

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::failure::{Exit, Failure, Outcome};
use super::format::Format;
use super::limits::{LimitArgs, use_threads};
use super::progress::Progress;
use crate::geometry::Orientation;
use crate::material::find_pods;
use crate::position::Hand;
use crate::report::{
    BalanceError, BalanceRow, CSV_HEADER, Entry, Input, Manifest, balance, material_text, sha256_hex, suite, write_csv,
    write_files,
};
use crate::solver::{Limits, Silent, SolveError};

/// Reports first-player advantage per orientation of the board, solved and verified.
///
/// Without setup arguments it goes through a built-in suite of small setups; with any of them, through every combination
/// of what is given. Each may be given several times.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods report
  pods report --format csv > balance.csv
  pods report --board nook9 --pods four --hands bdt --rules standard --rules basic-author
  pods report --out results/balance --commit \"$(git rev-parse HEAD)\"

Boards and pods are a reconstruction or made for the purpose: no row is about the printed board of PODS.")]
pub(super) struct Args {
    /// Built-in board or board file
    #[arg(long, value_name = "NAME|FILE")]
    board: Vec<String>,

    /// Built-in pod set or pod file
    #[arg(long, value_name = "NAME|FILE")]
    pods: Vec<String>,

    /// Both players' hand, or White's and Black's: bdt or bdt:bd [default: the whole set]
    #[arg(long, value_name = "IDS[:IDS]")]
    hands: Vec<String>,

    /// Rule set
    #[arg(long, value_name = "NAME")]
    rules: Vec<String>,

    /// By how many degrees the board is turned clockwise [default: 0, 90, 180 and 270]
    #[arg(long, value_name = "DEGREES", value_parser = orientation)]
    orientation: Vec<Orientation>,

    /// How to write the report [default: text on a terminal, else csv]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Write balance.csv and balance.manifest.json into this folder as well
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The commit to name in the manifest
    #[arg(long, value_name = "HASH", requires = "out")]
    commit: Option<String>,

    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    #[command(flatten)]
    limits: LimitArgs,
}

fn orientation(text: &str) -> Result<Orientation, String> {
    text.parse().ok().and_then(Orientation::from_degrees).ok_or_else(|| "one of 0, 90, 180, 270".to_owned())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    use_threads(args.threads)?;
    let entries = args.entries()?;
    for entry in &entries {
        // All setups are read before the first is solved: a wrong one should not cost anybody a wait.
        entry.game().map_err(|e| failure(entry, e))?;
    }
    let rows = solve_all(&entries, args.limits.read())?;
    let mut csv = Vec::new();
    write_csv(&rows, &mut csv)?;
    if let Some(folder) = &args.out {
        save(args, folder, &entries, &rows, &csv)?;
    }
    let default = if std::io::stdout().is_terminal() { Format::Text } else { Format::Csv };
    match args.format.unwrap_or(default) {
        Format::Csv => out.write_all(&csv)?,
        Format::Json => {
            for row in &rows {
                let cells = CSV_HEADER.into_iter().zip(row.cells());
                let object: serde_json::Map<String, serde_json::Value> = cells.map(json_cell).collect();
                super::format::json_line(out, &object)?;
            }
        }
        Format::Text => write_table(out, &rows)?,
    }
    Ok(Exit::Good)
}

impl Args {
    fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let own = [&self.board, &self.pods, &self.hands, &self.rules].iter().any(|list| !list.is_empty());
        if !own {
            let wanted = |entry: &Entry| self.orientation.is_empty() || self.orientation.contains(&entry.orientation);
            return Ok(suite().into_iter().filter(wanted).collect());
        }
        let or = |list: &[String], default: &str| {
            if list.is_empty() { vec![default.to_owned()] } else { list.to_vec() }
        };
        let (boards, pod_sets, rules) = (or(&self.board, "nook9"), or(&self.pods, "four"), or(&self.rules, "standard"));
        let orientations = if self.orientation.is_empty() { &Orientation::ALL[..] } else { &self.orientation };
        let mut entries = Vec::new();
        for pods in &pod_sets {
            let set = find_pods(pods).map_err(|e| Failure::wrong(e).at("--pods"))?;
            for hands in or(&self.hands, &Hand::whole(&set).text(&set)) {
                let (white, black) = hands.split_once(':').unwrap_or((&hands, &hands));
                for board in &boards {
                    for name in &rules {
                        let rules = name.parse().map_err(|e| Failure::wrong(e).at("--rules"))?;
                        entries.extend(orientations.iter().map(|&orientation| Entry {
                            board: board.clone(),
                            orientation,
                            pods: pods.clone(),
                            white_hand: white.to_owned(),
                            black_hand: black.to_owned(),
                            rules,
                        }));
                    }
                }
            }
        }
        Ok(entries)
    }
}

/// Solves all setups, several at a time, each with its share of the memory.
fn solve_all(entries: &[Entry], limits: Limits) -> Result<Vec<BalanceRow>, Failure> {
    let progress = Progress::new("balance", "setups");
    let done = AtomicU64::new(0);
    let share = Limits { memory: limits.memory / rayon::current_num_threads().max(1) as u64, ..limits };
    entries
        .par_iter()
        .map(|entry| {
            let row = balance(entry, share, &Silent).map_err(|e| failure(entry, e));
            progress.update(done.fetch_add(1, Ordering::Relaxed) + 1, Some(entries.len() as u64));
            row
        })
        .collect()
}

fn failure(entry: &Entry, error: BalanceError) -> Failure {
    let place = format!("{} turned by {}°, {}, {}", entry.board, entry.orientation, entry.pods, entry.rules);
    match error {
        BalanceError::Solve(SolveError::Discrepancy(d)) => Failure::Discrepancy(d.to_string()),
        other => Failure::wrong(other),
    }
    .at(place)
}

fn json_cell((name, cell): (&str, String)) -> (String, serde_json::Value) {
    const NUMBERS: [&str; 8] = [
        "orientation",
        "white_first_plies",
        "black_first_plies",
        "winning_openings",
        "drawing_openings",
        "losing_openings",
        "random_play_score",
        "positions",
    ];
    let value = match cell.as_str() {
        "" => serde_json::Value::Null,
        number if NUMBERS.contains(&name) => serde_json::from_str(number).unwrap_or(serde_json::Value::Null),
        _ => serde_json::Value::String(cell),
    };
    (name.to_owned(), value)
}

/// The report for people: a block per setup, a line per orientation.
fn write_table(out: &mut dyn Write, rows: &[BalanceRow]) -> Result<(), Failure> {
    let setup = |row: &BalanceRow| {
        let e = &row.entry;
        (e.board.clone(), e.pods.clone(), e.white_hand.clone(), e.black_hand.clone(), e.rules)
    };
    for block in rows.chunk_by(|a, b| setup(a) == setup(b)) {
        let (board, pods, white, black, rules) = setup(&block[0]);
        let hands = if white == black { format!("both {white}") } else { format!("White {white}, Black {black}") };
        writeln!(out, "{board}, {pods}: {hands}; {rules}")?;
        writeln!(
            out,
            "  {:>5}  {:14} {:14} {:12} {:>18} {:>8} {:>11}  how",
            "turn", "White starts", "Black starts", "class", "openings +/=/-", "random", "positions"
        )?;
        for row in block {
            let openings = row.openings;
            writeln!(
                out,
                "  {:>4}°  {:14} {:14} {:12} {:>18} {:>8} {:>11}  {}{}",
                row.entry.orientation.degrees(),
                row.white_first.to_string(),
                row.black_first.to_string(),
                row.outcome_class().name(),
                format!("{}/{}/{}", openings.winning, openings.drawing, openings.losing),
                row.random_play_score.map(|score| format!("{score:.3}")).unwrap_or_default(),
                row.positions,
                row.method,
                row.verified.map(|v| format!(", verified by {}", v.name())).unwrap_or_default(),
            )?;
        }
        writeln!(out)?;
    }
    Ok(writeln!(
        out,
        "Values are for the side that starts, in plies to the end (R33, R34). `random` is White's expected score in random \
         play.\nBoards and pods are reconstructions or made for the purpose; no row is about the printed board."
    )?)
}

/// Writes the report and its manifest into a folder.
fn save(args: &Args, folder: &Path, entries: &[Entry], rows: &[BalanceRow], csv: &[u8]) -> Result<(), Failure> {
    let mut inputs: Vec<Input> = Vec::new();
    for name in entries.iter().flat_map(|entry| [&entry.board, &entry.pods]) {
        if inputs.iter().all(|input| input.name != *name) {
            let (text, source) = material_text(name).map_err(Failure::wrong)?;
            inputs.push(Input { name: name.clone(), sha256: sha256_hex(text.as_bytes()), source });
        }
    }
    let distinct = |list: Vec<String>| {
        let mut seen: Vec<String> = Vec::new();
        for item in list {
            if !item.is_empty() && !seen.contains(&item) {
                seen.push(item);
            }
        }
        seen
    };
    let cell = |name: &str| {
        let column = CSV_HEADER.iter().position(|h| *h == name).expect("it is a column");
        distinct(rows.iter().map(|row| row.cells()[column].clone()).collect())
    };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let manifest = Manifest {
        format: "pods-manifest".to_owned(),
        version: 1,
        program: format!("pods {}", env!("CARGO_PKG_VERSION")),
        command: format!("pods {}", arguments.join(" ")),
        commit: args.commit.clone(),
        rules: cell("rules"),
        seed: None,
        methods: cell("method"),
        verified: cell("verified"),
        inputs,
        result: "balance.csv".to_owned(),
        rows: rows.len(),
        sha256: sha256_hex(csv),
    };
    let json = serde_json::to_string_pretty(&manifest).map_err(Failure::wrong)? + "\n";
    write_files(folder, &[("balance.csv", csv), ("balance.manifest.json", json.as_bytes())])
        .map_err(|e| Failure::wrong(e).at(folder.display()))
}
