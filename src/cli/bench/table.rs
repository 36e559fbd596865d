//! `pods bench table`

use std::borrow::Cow;
use std::io::Write;
use std::time::Instant;

use rayon::prelude::*;

use crate::cli::failure::{CommandResult, Exit, Failure};
use crate::cli::format::{Format, RowWriter};
use crate::engine::Bitboard;
use crate::files::{Cell as _, Decimal, Thousands, record};
use crate::material::{Side, find_board, find_pods};
use crate::position::{Game, Hand, Position, Setup};
use crate::solver::{Limits, Retrograde, Silent};
use crate::table::{
    AnswerError, BuildOptions, Index, Place, Solved, Sweeps, Table, TablePlan, Tablebase, Verification, build, held,
    verify_codes,
};

/// Measure the sweeps of tables, and probes.
///
/// Sweeps are also shown as ratios to random memory access and to the plain solver. Sweeps and
/// random access use all threads; the plain solver (retrograde, with a hash table) has one.
///
/// Answers are checked: the plain solver and the probes must agree with the sweeps wherever both
/// have a value, and a sample is verified.
///
/// `held` counts the positions that a table stores; the others are answered from their actions. The
/// ratio to random access counts all positions, that to the plain solver those held. Machines are
/// noisy: the ratios say more than the rates.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods bench table
  pods bench table --large")]
pub(super) struct Args {
    /// Include 16 points with 4 and 4 pods and 36 points with 4 and 3: over a billion (10⁹)
    /// positions, 2.3 GiB of memory
    #[arg(long)]
    large: bool,

    /// Format of the measurements; csv and json have a row for each
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

record! {
    /// A measurement of tables.
    #[derive(Default)]
    pub(in crate::cli) struct SweepRow {
        /// Board, hands and rule set; empty for memory access.
        setup: Option<String>,
        /// Subject: `access`, `sweeps`, `probes`, `probes-at-once`, `outcome-probes`,
        /// `outcomes-file`, `plies-file`.
        measured: String,
        /// Threads.
        threads: usize,
        /// Accesses, positions or probes.
        number: u64,
        /// Positions among them that the table holds.
        held: Option<u64>,
        /// Seconds that they took.
        seconds: Option<Decimal<6>>,
        /// Number for each second.
        rate: Option<Decimal<0>>,
        /// Rate of all positions as a multiple of random memory access.
        to_access: Option<Decimal<3>>,
        /// Rate of held positions as a multiple of the plain solver.
        to_plain: Option<Decimal<1>>,
        /// Bits a position in the file.
        bits: Option<Decimal<3>>,
        /// Bits a held position in the file.
        bits_held: Option<Decimal<3>>,
    }
}

impl SweepRow {
    fn timed(setup: Option<&str>, measured: &str, threads: usize, number: u64, seconds: f64) -> SweepRow {
        let (setup, measured) = (setup.map(str::to_owned), measured.to_owned());
        let (seconds, rate) = (Some(Decimal(seconds)), Some(Decimal(number as f64 / seconds)));
        SweepRow { setup, measured, threads, number, seconds, rate, ..SweepRow::default() }
    }
}

/// Setups with more positions are measured with `--large` only.
const SMALL: u64 = 250_000_000;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let threads = rayon::current_num_threads();
    let mut rows = RowWriter::begin::<SweepRow>(out, args.format)?;
    let [single, access] = [1, threads].map(|threads| {
        let (number, seconds) = random_access(threads);
        (SweepRow::timed(None, "access", threads, number, seconds), number as f64 / seconds)
    });
    rows.line(format_args!(
        "random one-byte read-modify-writes into {} MiB: {:.3e}/s with one thread, {:.3e}/s with {threads}",
        ACCESSED >> 20,
        single.1,
        access.1
    ))?;
    rows.record(single.0)?;
    rows.record(access.0)?;
    let access = access.1;
    rows.line(format_args!(
        "{:36} {:>13} {:>13} {:>8} {:>11} {:>11} {:>9} {:>9}",
        "setup", "positions", "held", "seconds", "positions/s", "held/s", "to access", "to plain"
    ))?;
    for (board, white, black, rules) in [
        ("lair16", "bdt", "bdt", "advanced"),
        ("lair16", "bdtq", "bdt", "advanced"),
        ("cave36", "bdq", "bdt", "advanced"),
        ("lair16", "bdt", "bdt", "standard"),
        ("lair16", "bdtq", "bdtq", "advanced"),
        ("cave36", "bdqt", "bdt", "advanced"),
    ] {
        let small = white.len() + black.len() == 6 && board == "lair16";
        let setup = setup(board, white, black, rules)?;
        let engine = Bitboard::new(setup.game().clone());
        let index = Index::new(&setup)?;
        let positions = index.positions();
        if positions > SMALL && !args.large {
            continue;
        }
        let (solved, seconds) = timed(|| Solved::solve(&engine, index, Sweeps::BitParallel, |_, _| ()));
        let held = held(&solved.index);
        let (rate, rate_held) = (positions as f64 / seconds, held as f64 / seconds);
        let every = Verification { fast_every: positions / 1_000_000 + 1, reference_every: positions / 1_000 + 1 };
        verify_codes(&engine, &solved.index, &solved.tiers, every, &Silent)
            .map_err(|e| Failure::Discrepancy(e.to_string()))?;
        let plain = if small { Some(plain_rate(&engine, &setup, &solved)?) } else { None };
        let name = format!("{board} {white}/{black} {rules}");
        let (to_access, to_plain) = (rate / access, plain.map(|plain| Decimal(rate_held / plain)));
        rows.line(format_args!(
            "{name:36} {positions:>13} {held:>13} {seconds:>8.2} {rate:>11.3e} {rate_held:>11.3e} {to_access:>9.3} {:>9}",
            to_plain.map_or("-".to_owned(), |ratio| ratio.cell()),
        ))?;
        let (held, to_access) = (Some(held), Some(Decimal(to_access)));
        let row = SweepRow::timed(Some(&name), "sweeps", threads, positions, seconds);
        rows.record(SweepRow { held, to_access, to_plain, ..row })?;
    }
    probes(&mut rows)?;
    Ok(Exit::Good)
}

/// Returns the positions per second of the hash-table solver, which must give the same value.
fn plain_rate(engine: &Bitboard, setup: &Setup, solved: &Solved) -> Result<f64, Failure> {
    let start = setup.start(Side::White).map_err(Failure::wrong)?;
    let (table, seconds) = timed(|| Retrograde::build(engine, &[&start], Limits::default(), &Silent));
    let table = table.map_err(Failure::wrong)?;
    let mut differ = 0_u64;
    table.for_each(|position, value| {
        if let Some(place) = solved.index.find(&position).filter(|_| !position.is_open()) {
            differ += u64::from(solved.at(place, position.to_move()) != value);
        }
    });
    match differ {
        0 => Ok(table.positions() as f64 / seconds),
        _ => Err(Failure::Discrepancy(format!("the sweeps and the plain solver differ in {differ} positions"))),
    }
}

/// Builds a table on disk and asks for random positions.
fn probes(rows: &mut RowWriter<'_>) -> Result<(), Failure> {
    let setup = setup("lair16", "bdtq", "bdt", "advanced")?;
    let folder = tempfile::tempdir().map_err(Failure::wrong)?;
    let name = folder.path().join("bench");
    let memory = TablePlan::new(setup.game(), &Index::new(&setup)?).total.memory;
    let checkpoint = std::time::Duration::from_secs(3600);
    let options = BuildOptions::default().with_memory(memory).with_checkpoint(checkpoint);
    build(&setup, &name, options, &Silent)?;
    let table = Table::open(&name)?;
    let mut reader = table.reader()?;
    let mut random = xorshift(0);
    let tier = table.index().tiers().len() - 1;
    let of_tier = table.index().tiers()[tier].rows();
    let places: Vec<_> =
        std::iter::repeat_with(|| Place { tier, row: random() % of_tier, cell: (random() % 16) as u8 })
            // Cells that no position has are not asked for.
            .filter(|&place| table.position(place, Side::White).is_some())
            .take(200_000)
            .collect();
    let (outcomes, seconds) = timed(|| {
        let ask = |&place| reader.outcome_at(place, Side::White);
        places.iter().map(ask).collect::<Result<Vec<_>, _>>()
    });
    let solved =
        Solved::solve(&Bitboard::new(setup.game().clone()), table.index().clone(), Sweeps::BitParallel, |_, _| ());
    let differ = places.iter().zip(outcomes?).filter(|&(&p, o)| solved.at(p, Side::White).outcome() != o).count();
    if differ > 0 {
        return Err(Failure::Discrepancy(format!("{differ} probes differ from what the sweeps give")));
    }
    let positions: Vec<Position> = places.iter().filter_map(|&place| table.position(place, Side::White)).collect();
    let tables = Tablebase::open(folder.path())?;
    let mut prober = tables.of(table.game())?;
    let (one_by_one, each) = timed(|| positions.iter().map(|one| prober.answer(one)).collect::<Result<Vec<_>, _>>());
    let at = |number: usize| Ok::<_, AnswerError>(Cow::Borrowed(&positions[number]));
    let (at_once, all) = timed(|| tables.answers(table.game(), positions.len(), at));
    if one_by_one? != at_once? {
        return Err(Failure::Discrepancy("positions asked for at once get other values".to_owned()));
    }
    let rate = |seconds: f64| Thousands((positions.len() as f64 / seconds) as u128);
    rows.line(format_args!("probes of positions: {} a second one by one, {} all at once", rate(each), rate(all)))?;
    let (count, micros) = (Thousands(places.len() as u128), seconds * 1e6 / places.len() as f64);
    rows.line(format_args!("probes of outcomes at random places, {count} of them: {micros:.2} µs each"))?;
    let (name, number, threads) = (Some("lair16 bdtq/bdt advanced"), places.len() as u64, rayon::current_num_threads());
    rows.record(SweepRow::timed(name, "probes", 1, number, each))?;
    rows.record(SweepRow::timed(name, "probes-at-once", threads, number, all))?;
    rows.record(SweepRow::timed(name, "outcome-probes", 1, number, seconds))?;
    let (all, of_held) = (table.index().positions(), held(table.index()));
    for file in table.files() {
        let bits = file.bytes() as f64 * 8.0;
        let (each, each_held) = (bits / all as f64, bits / of_held as f64);
        let content = file.content();
        rows.line(format_args!("{content:?} on disk: {each:.3} bits a position, {each_held:.3} a position held"))?;
        rows.record(SweepRow {
            setup: name.map(str::to_owned),
            measured: format!("{content:?}-file").to_lowercase(),
            number: all,
            held: Some(of_held),
            bits: Some(Decimal(each)),
            bits_held: Some(Decimal(each_held)),
            ..SweepRow::default()
        })?;
    }
    Ok(())
}

fn xorshift(seed: u64) -> impl FnMut() -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_add(seed);
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Bytes of the table for random access: many times the caches.
const ACCESSED: usize = 1 << 30;

/// Measures read-modify-writes of single bytes at random places, by each thread in its share of a
/// table; returns their number and the seconds that they took.
fn random_access(threads: usize) -> (u64, f64) {
    const TOUCHES: usize = 1 << 26;
    // Not zeros, which the system hands out without memory behind them.
    let mut table = vec![1_u8; ACCESSED];
    let share = ACCESSED / threads;
    let touch = |(number, part): (usize, &mut [u8])| {
        let mut random = xorshift(number as u64);
        for _ in 0..TOUCHES / threads {
            // A product in place of a division: the arithmetic is not what is measured.
            let byte = &mut part[((u128::from(random()) * share as u128) >> 64) as usize];
            *byte = byte.wrapping_add(1);
        }
    };
    let ((), seconds) = timed(|| table.par_chunks_exact_mut(share).enumerate().for_each(touch));
    std::hint::black_box(table);
    ((TOUCHES / threads * threads) as u64, seconds)
}

fn setup(board: &str, white: &str, black: &str, rules: &str) -> Result<Setup, Failure> {
    let pods = find_pods("four").map_err(Failure::wrong)?;
    let hand = |ids: &str| {
        let kinds = ids.chars().filter_map(|id| pods.kind(id));
        kinds.collect::<Hand>()
    };
    let hands = [hand(white), hand(black)];
    let rules = rules.parse().map_err(Failure::wrong)?;
    Ok(Setup::new(Game::new(find_board(board).map_err(Failure::wrong)?, pods.clone(), rules), hands))
}

/// Runs a job, and returns its result with the seconds that it took.
fn timed<T>(job: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let result = job();
    (result, begun.elapsed().as_secs_f64())
}
