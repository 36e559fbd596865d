//! Announces setups that are too large to be solved within the limits, with an estimate by play of
//! who is favoured.

use std::io::Write;
use std::time::Instant;

use super::play::{replayed, text};
use super::{BalanceArgs, failure};
use crate::cli::failure::Failure;
use crate::cli::format::ReportFormat;
use crate::cli::limits::Stopper;
use crate::cli::progress::Progress;
use crate::cli::terminal::{complain, note};
use crate::cli::threads::in_order;
use crate::engine::Bitboard;
use crate::files::{Bytes, Thousands};
use crate::matches::Conventions;
use crate::matches::balance::{Balance, Course, MAX_GAMES, Strength, rows as rows_of};
use crate::material::Side;
use crate::report::{BalanceRow, NamedSetup, Origins};
use crate::solver::search::Search;
use crate::solver::{Exhaustive, Retrograde, mover_loses_by_mirror};
use crate::table::MemoryPlan;

/// Positions beyond which exhaustive search is not expected to end. Smaller setups are solved in
/// minutes.
const MAX_POSITIONS: u128 = 100_000_000_000;

/// Budget of a first estimate: some seconds of two cores for a setup of 36 points in four
/// orientations.
const GAMES: u64 = 6;
const STRENGTH: u64 = 500;

/// More games than a thread plays in a second of a setup that is too large to be solved.
const GAMES_A_SECOND: f64 = 50.0;

pub(super) struct Large<'e> {
    setup: &'e NamedSetup,
    why: String,
}

/// Returns the setups that are too large to be solved within the limits.
pub(super) fn find<'e>(
    args: &BalanceArgs,
    setups: &'e [NamedSetup],
    stopper: &Stopper,
) -> Result<Vec<Large<'e>>, Failure> {
    let mut large = Vec::new();
    for block in setups.chunk_by(NamedSetup::differs_in_turn_at_most) {
        // A turn of the board changes little of the size.
        if let Some(why) = why(&block[0], args.solve.budget.shared(stopper).memory)? {
            large.extend(block.iter().map(|setup| Large { setup, why: why.clone() }));
        }
    }
    Ok(large)
}

/// Returns `true` if half of the time for a setup is for games: it is too large, and a time is
/// given.
pub(super) fn shares_time(args: &BalanceArgs, large: &[Large<'_>], setup: &NamedSetup) -> bool {
    args.solve.budget.time.is_some() && large.iter().any(|large| large.setup == setup)
}

/// Announces the setups that are too large to be solved within the limits, with an estimate by
/// play, unless the limits were set so that the rows come anyway.
pub(super) fn say_beforehand(
    args: &BalanceArgs,
    large: &[Large<'_>],
    origins: &Origins,
    stopper: &Stopper,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // Where limits were set the rows come within them.
    if large.is_empty() || !args.solve.budget.is_open() || args.certificates.is_some() {
        return Ok(());
    }
    for block in large.chunk_by(|a, b| a.setup.differs_in_turn_at_most(b.setup)) {
        let Large { setup, why } = &block[0];
        note(format_args!(
            "{}, {}, {}: {why}; the rows may take days; each is written as it comes",
            setup.board().display(),
            setup.pods().display(),
            setup.rules()
        ));
    }
    let setups = large.iter().map(|large| large.setup.clone()).collect();
    let mut said = Vec::new();
    estimate(setups, GAMES, None, origins, stopper, &mut said)?;
    show(args, large, &said, out)
}

/// Plays games for the other half of the time given, from the starts of the setups that are too
/// large and of which no winner was found.
pub(super) fn play_for_the_rest(
    args: &BalanceArgs,
    large: &[Large<'_>],
    rows: &[BalanceRow],
    origins: &Origins,
    stopper: &Stopper,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Some(time) = args.solve.budget.time else { return Ok(()) };
    let open: Vec<NamedSetup> = rows
        .iter()
        .filter(|row| row.outcome_class().is_none() && large.iter().any(|large| *large.setup == row.setup))
        .map(|row| row.setup.clone())
        .collect();
    let starts = Side::BOTH.len() * open.len();
    let until = Instant::now().checked_add((time / 2).saturating_mul(starts as u32));
    let threads = rayon::current_num_threads().max(1) as f64;
    let games = (time.as_secs_f64() * threads * GAMES_A_SECOND).ceil() as u64;
    let mut said = Vec::new();
    estimate(open, games.clamp(1, MAX_GAMES), until, origins, stopper, &mut said)?;
    if said.is_empty() {
        return Ok(());
    }
    if args.target.format() == ReportFormat::Text {
        writeln!(out)?;
    }
    show(args, large, &said, out)
}

/// Shows an estimate, beside the rows where others read them.
fn show(args: &BalanceArgs, large: &[Large<'_>], said: &[u8], out: &mut dyn Write) -> Result<(), Failure> {
    let said = format!(
        "An estimate by play, not exact; more of it, with intervals: {}\n\n{}\n",
        command(&large[0]),
        String::from_utf8_lossy(said)
    );
    match args.target.format() {
        ReportFormat::Text => out.write_all(said.as_bytes())?,
        _ => complain(&said),
    }
    Ok(out.flush()?)
}

pub(super) fn command_for(setups: &[NamedSetup]) -> Option<String> {
    setups.first().map(|setup| command(&Large { setup, why: String::new() }))
}

fn command(Large { setup, .. }: &Large<'_>) -> String {
    format!(
        "pods report play --board {} --pods {} --rules {} --format text",
        setup.board().display(),
        setup.pods().display(),
        setup.rules()
    )
}

fn why(setup: &NamedSetup, memory: u64) -> Result<Option<String>, Failure> {
    let game = setup.game();
    let start = setup.setup().start(Side::White).map_err(|e| failure(setup, e.into()))?;
    if game.rules().can_cycle() {
        let needed = match MemoryPlan::for_position(game, &start) {
            Ok(plan) => u128::from(plan.bytes()),
            Err(_) => Retrograde::predict(&Bitboard::new(game.clone()), &[&start]).bytes,
        };
        let [needed, may] = [needed, u128::from(memory)].map(Bytes);
        let why = || format!("a table of all positions takes {needed} of memory, and may take {may}");
        return Ok((needed.0 > may.0).then(why));
    }
    if !Search::fits(game) || mover_loses_by_mirror(game, &start).is_ok() {
        return Ok(None);
    }
    let predicted = Exhaustive::predict(&Bitboard::new(game.clone()), &start).positions;
    Ok((predicted > MAX_POSITIONS)
        .then(|| format!("too large to be solved for certain: some {} positions", round(predicted))))
}

/// Returns a number of positions, to one digit.
fn round(number: u128) -> String {
    if number < 1_000_000_000_000 { Thousands(number).to_string() } else { format!("10^{}", number.ilog10()) }
}

/// Plays games from both starts of setups: so many each, or as many as there is time for.
fn estimate(
    setups: Vec<NamedSetup>,
    games: u64,
    until: Option<Instant>,
    origins: &Origins,
    stopper: &Stopper,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if setups.is_empty() {
        return Ok(());
    }
    let conventions = Conventions { repetitions: 3, plies: 300 };
    let strength = Strength { nodes: STRENGTH, games };
    let balance = Balance { setups, strengths: vec![strength], opening_plies: 2, seed: 0, conventions };
    let Some(prepared) = balance.prepare(stopper.flag()).map_err(Failure::wrong)? else { return Ok(()) };
    let games = prepared.games(strength);
    let total = until.is_none().then_some(games as u64);
    let progress = Progress::new("estimate", "games");
    let play = |number: usize| {
        if until.is_some_and(|until| Instant::now() >= until) {
            return None;
        }
        balance.play(&prepared, strength, number, stopper.flag()).map_err(Failure::wrong).transpose()
    };
    let mut courses: Vec<Course> = Vec::new();
    let take = |game| {
        courses.push(replayed(&balance, &prepared, &game)?);
        Ok(())
    };
    in_order(0..games, play, |done| progress.update(done, total), take)?;
    if courses.is_empty() {
        return Ok(());
    }
    text(out, &balance, &rows_of(&balance, &prepared, &[courses]), origins)
}
