//! `pods bench table`

use std::borrow::Cow;
use std::io::Write;
use std::time::Instant;

use rayon::prelude::*;

use crate::cli::failure::{Exit, Failure, Outcome};
use crate::engine::Bitboard;
use crate::files::Thousands;
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
/// Answers are checked: sweeps and plain solver must agree in every position that both have, a
/// sample is verified, and probes must give what the sweeps gave.
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
}

/// Setups with more positions are measured with `--large` only.
const SMALL: u64 = 250_000_000;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let threads = rayon::current_num_threads();
    let (single, access) = (random_access(1), random_access(threads));
    writeln!(
        out,
        "random one-byte read-modify-writes into {} MiB: {single:.3e}/s with one thread, {access:.3e}/s with {threads}",
        ACCESSED >> 20
    )?;
    writeln!(
        out,
        "{:36} {:>13} {:>13} {:>8} {:>11} {:>11} {:>9} {:>9}",
        "setup", "positions", "held", "seconds", "positions/s", "held/s", "to access", "to plain"
    )?;
    for (board, white, black, rules) in [
        ("lair16", "bdt", "bdt", "advanced"),
        ("lair16", "bdtq", "bdt", "advanced"),
        ("cave36", "bdq", "bdt", "advanced"),
        ("lair16", "bdt", "bdt", "standard"),
        ("lair16", "bdtq", "bdtq", "advanced"),
        ("cave36", "bdqt", "bdt", "advanced"),
    ] {
        let small = white.len() + black.len() == 6 && board == "lair16";
        let (game, hands) = setup(board, white, black, rules)?;
        let engine = Bitboard::new(game.clone());
        let index = Index::new(&Setup::new(game.clone(), hands))?;
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
        let plain = if small { Some(plain_rate(&engine, &game, &hands, &solved)?) } else { None };
        writeln!(
            out,
            "{:36} {positions:>13} {held:>13} {seconds:>8.2} {rate:>11.3e} {rate_held:>11.3e} {:>9.3} {:>9}",
            format!("{board} {white}/{black} {rules}"),
            rate / access,
            plain.map_or("-".to_owned(), |plain| format!("{:.1}", rate_held / plain)),
        )?;
        out.flush()?;
    }
    probes(out)?;
    Ok(Exit::Good)
}

/// Returns the positions per second of the hash-table solver, which must give the same value.
fn plain_rate(engine: &Bitboard, game: &Game, hands: &[Hand; 2], solved: &Solved) -> Result<f64, Failure> {
    let start = game.start(hands[0], hands[1], Side::White).map_err(Failure::wrong)?;
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
fn probes(out: &mut dyn Write) -> Result<(), Failure> {
    let (game, hands) = setup("lair16", "bdtq", "bdt", "advanced")?;
    let folder = tempfile::tempdir().map_err(Failure::wrong)?;
    let name = folder.path().join("bench");
    let memory = TablePlan::new(&game, &Index::new(&Setup::new(game.clone(), hands))?).total.memory;
    let checkpoint = std::time::Duration::from_secs(3600);
    let options = BuildOptions::default().with_memory(memory).with_checkpoint(checkpoint);
    build(&Setup::new(game.clone(), hands), &name, options, &Silent)?;
    let table = Table::open(&name)?;
    let mut reader = table.reader()?;
    let mut random = xorshift(0);
    let tier = table.index().tiers().len() - 1;
    let rows = table.index().tiers()[tier].rows();
    let places: Vec<_> = std::iter::repeat_with(|| Place { tier, row: random() % rows, cell: (random() % 16) as u8 })
        // Cells that no position has are not asked for.
        .filter(|&place| table.position(place, Side::White).is_some())
        .take(200_000)
        .collect();
    let (outcomes, seconds) = timed(|| {
        let ask = |&place| reader.outcome_at(place, Side::White);
        places.iter().map(ask).collect::<Result<Vec<_>, _>>()
    });
    let solved = Solved::solve(&Bitboard::new(game), table.index().clone(), Sweeps::BitParallel, |_, _| ());
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
    writeln!(out, "probes of positions: {} a second one by one, {} all at once", rate(each), rate(all))?;
    let (count, each) = (Thousands(places.len() as u128), seconds * 1e6 / places.len() as f64);
    writeln!(out, "probes of outcomes at random places, {count} of them: {each:.2} µs each")?;
    for file in table.files() {
        let bits = file.bytes() as f64 * 8.0;
        let (each, each_held) = (bits / table.index().positions() as f64, bits / held(table.index()) as f64);
        let content = file.content();
        writeln!(out, "{content:?} on disk: {each:.3} bits a position, {each_held:.3} a position held")?;
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

/// Measures read-modify-writes of single bytes at random places, per second: by each thread in its
/// share of a table.
fn random_access(threads: usize) -> f64 {
    const TIMES: usize = 1 << 26;
    // Not zeros, which the system hands out without memory behind them.
    let mut table = vec![1_u8; ACCESSED];
    let share = ACCESSED / threads;
    let touch = |(number, part): (usize, &mut [u8])| {
        let mut random = xorshift(number as u64);
        for _ in 0..TIMES / threads {
            // A product in place of a division: the arithmetic is not what is measured.
            let byte = &mut part[((u128::from(random()) * share as u128) >> 64) as usize];
            *byte = byte.wrapping_add(1);
        }
    };
    let ((), seconds) = timed(|| table.par_chunks_exact_mut(share).enumerate().for_each(touch));
    std::hint::black_box(table);
    (TIMES / threads * threads) as f64 / seconds
}

fn setup(board: &str, white: &str, black: &str, rules: &str) -> Result<(Game, [Hand; 2]), Failure> {
    let pods = find_pods("four").map_err(Failure::wrong)?;
    let hand = |ids: &str| {
        let kinds = ids.chars().filter_map(|id| pods.kind(id));
        kinds.collect::<Hand>()
    };
    let hands = [hand(white), hand(black)];
    let rules = rules.parse().map_err(Failure::wrong)?;
    Ok((Game::new(find_board(board).map_err(Failure::wrong)?, pods.clone(), rules), hands))
}

/// Runs a job, and returns its result with the seconds that it took.
fn timed<T>(job: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let result = job();
    (result, begun.elapsed().as_secs_f64())
}
