//! Rates of the engines, the plain solvers and the sweeps of tables, as ratios within one run.
//!
//!     cargo bench --bench rates
//!
//! Answers are checked. Machines are noisy: the ratios say more than the rates.

use std::error::Error;
use std::time::Instant;

use pods::material::{builtin_board, builtin_pods};
use pods::solver::{Exhaustive, Limits, Retrograde, Silent, Value};
use pods::table::{Index, Solved, Sweeps, held};
use pods::{Bitboard, Engine, Game, Hand, Position, Preset, Reference, RuleSet, Setup, Side};
use rayon::prelude::*;

type Checked = Result<(), Box<dyn Error + Send + Sync>>;

fn main() -> Checked {
    engines()?;
    solvers()?;
    tables()
}

fn setup(board: &str, pods: &str, hands: [&str; 2], rules: RuleSet) -> Result<Setup, Box<dyn Error + Send + Sync>> {
    let set = builtin_pods(pods).ok_or("no such pods")?;
    let hands = hands.map(|ids| if ids.is_empty() { Ok(Hand::whole(&set)) } else { Hand::parse(ids, &set) });
    let [white, black] = hands;
    let game = Game::new(builtin_board(board).ok_or("no such board")?, set, rules);
    Ok(Setup::new(game, [white?, black?]))
}

fn timed<T>(job: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let result = job();
    (result, begun.elapsed().as_secs_f64())
}

/// Perft from the start of the whole game, by one thread, counted in bulk at the last ply.
fn engines() -> Checked {
    println!("{:16} {:>16} {:>14} {:>8}", "perft", "reference, /s", "bitboard, /s", "ratio");
    for preset in Preset::ALL {
        let setup = setup("cave36", "pods14", ["", ""], preset.into())?;
        let start = setup.start(Side::White)?;
        let (slow, fast) = (Reference::new(setup.game().clone()), Bitboard::new(setup.game().clone()));
        let (leaves, slow_seconds) = timed(|| slow.perft(&start, 2));
        assert_eq!(leaves, fast.perft(&start, 2), "{preset:?}");
        let (deep, fast_seconds) = timed(|| fast.perft(&start, 4));
        let (slow, fast) = (leaves as f64 / slow_seconds, deep as f64 / fast_seconds);
        println!("{:16} {slow:>16.3e} {fast:>14.3e} {:>8.0}", preset.name(), fast / slow);
    }
    Ok(())
}

/// Plain solvers, by one thread, and their verification with the reference engine.
fn solvers() -> Checked {
    println!("\n{:26} {:>10} {:>12} {:>12} {:>8}", "solver", "positions", "solve, /s", "verify, /s", "ratio");
    for (board, pods, preset) in [
        ("den12", "mini7", Preset::Standard),
        ("ring8", "four", Preset::Advanced),
        ("nook9", "trio", Preset::VeryAdvanced),
    ] {
        let setup = setup(board, pods, ["", ""], preset.into())?;
        let start = setup.start(Side::White)?;
        let (fast, reference) = (Bitboard::new(setup.game().clone()), Reference::new(setup.game().clone()));
        let (positions, seconds, checked, verify_seconds) = solved(fast, &reference, &start)?;
        let (solve, verify) = (positions as f64 / seconds, checked as f64 / verify_seconds);
        let name = format!("{board} {pods} {}", preset.name());
        println!("{name:26} {positions:>10} {solve:>12.3e} {verify:>12.3e} {:>8.1}", solve / verify);
    }
    Ok(())
}

/// Returns positions and seconds of solving, and of verifying.
fn solved(
    fast: Bitboard,
    reference: &Reference,
    start: &Position,
) -> Result<(u64, f64, u64, f64), Box<dyn Error + Send + Sync>> {
    if fast.game().rules().can_cycle() {
        let (table, seconds) = timed(|| Retrograde::build(&fast, &[start], Limits::default(), &Silent));
        let table = table?;
        let (checked, verify_seconds) = timed(|| table.verify(reference, &Silent));
        return Ok((table.positions(), seconds, checked??, verify_seconds));
    }
    let mut search = Exhaustive::new(fast, &[start], Limits::default());
    let (value, seconds) = timed(|| search.value(start, &Silent));
    let value: Value = value?;
    let (checked, verify_seconds) = timed(|| search.verify(reference, &[(start, value)], &[], &Silent));
    Ok((search.positions(), seconds, checked??, verify_seconds))
}

/// Sweeps of tables, by all threads, beside random memory access and the plain solver.
fn tables() -> Checked {
    let access = random_access(rayon::current_num_threads());
    println!("\nrandom one-byte read-modify-writes into 1 GiB, by all threads: {access:.3e}/s");
    println!("{:26} {:>12} {:>13} {:>10} {:>10}", "sweeps", "positions", "positions/s", "to access", "to plain");
    for (board, white, black, plain) in
        [("lair16", "bdt", "bdt", true), ("lair16", "bdqt", "bdt", false), ("cave36", "bdq", "bdt", false)]
    {
        let setup = setup(board, "four", [white, black], Preset::Advanced.into())?;
        let engine = Bitboard::new(setup.game().clone());
        let index = Index::new(&setup)?;
        let positions = index.positions();
        let (solved, seconds) = timed(|| Solved::solve(&engine, index, Sweeps::BitParallel, |_, _| ()));
        let to_plain =
            if plain { Some(held(&solved.index) as f64 / seconds / plain_rate(&engine, &setup)?) } else { None };
        let (rate, name) = (positions as f64 / seconds, format!("{board} {white}/{black} advanced"));
        let to_plain = to_plain.map_or("-".to_owned(), |ratio| format!("{ratio:.1}"));
        println!("{name:26} {positions:>12} {rate:>13.3e} {:>10.3} {to_plain:>10}", rate / access);
    }
    Ok(())
}

/// Returns the positions per second of the solver with a hash table.
fn plain_rate(engine: &Bitboard, setup: &Setup) -> Result<f64, Box<dyn Error + Send + Sync>> {
    let start = setup.start(Side::White)?;
    let (table, seconds) = timed(|| Retrograde::build(engine, &[&start], Limits::default(), &Silent));
    Ok(table?.positions() as f64 / seconds)
}

/// Returns the rate of read-modify-writes of single bytes at random places, by each thread in its
/// share of 1 GiB.
fn random_access(threads: usize) -> f64 {
    const TOUCHES: usize = 1 << 26;
    // Not zeros, which the system hands out without memory behind them.
    let mut table = vec![1_u8; 1 << 30];
    let share = table.len() / threads;
    let touch = |(number, part): (usize, &mut [u8])| {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_add(number as u64);
        for _ in 0..TOUCHES / threads {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // A product in place of a division: the arithmetic is not what is measured.
            let byte = &mut part[((u128::from(state) * share as u128) >> 64) as usize];
            *byte = byte.wrapping_add(1);
        }
    };
    let ((), seconds) = timed(|| table.par_chunks_exact_mut(share).enumerate().for_each(touch));
    std::hint::black_box(table);
    (TOUCHES / threads * threads) as f64 / seconds
}
