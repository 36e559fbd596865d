//! `pods report play`

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::sampled::SampleArgs;
use super::setups::{RulesArg, SetupLists};
use super::target::{Target, TargetArgs, rule_names};
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::limits::Stopper;
use crate::cli::progress::Progress;
use crate::cli::threads::{ThreadsArg, in_order};
use crate::files::{AppendedError, Destination, Thousands, read_bytes, sha256_hex};
use crate::matches::balance::{
    Balance, Course, Ledger, MAX_FILE_BYTES, MEMORY, PlayedRecord, Prepared, Row, Strength, balance_page, rows,
};
use crate::matches::{Conventions, GameLine, PlanError};
use crate::report::page::About;
use crate::report::{Manifest, Origins};
use crate::statistics::percent;

/// Report who wins when the program plays itself: for games that are too large to be solved.
///
/// The share of games that the side which starts wins, by orientation and strength, under all rules
/// from the same openings. It says nothing of best play.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods report play
  pods report play --rules advanced --rules advanced-author --count 100 --out by-play
  pods report play --board lair16 --pods four --strength 4000:100 --format text
  pods report play --count 5 --format html --out play.html

A run with --out that was killed resumes there. The rows are the same on every machine.

Files of --out: played.csv, games-*.jsonl (which `pods replay` checks), a manifest, and the page of
--format html. Columns: `pods rules columns report play`.")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) target: TargetArgs,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    sample: SampleArgs,

    /// Call a game drawn when a position comes up for the Nth time
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(2..), help_heading = "Games")]
    repetitions: u32,

    /// [default setup: cave36, pods14, standard]
    #[command(flatten)]
    setups: SetupLists,

    #[command(flatten)]
    rules: RulesArg,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    args.threads.set_up()?;
    let balance = Balance {
        setups: args.setups.read_or(["cave36", "pods14"], &args.rules.read()?)?,
        strengths: args.sample.strengths()?,
        opening_plies: args.sample.opening_plies,
        seed: args.sample.seed,
        conventions: Conventions { repetitions: args.repetitions, plies: args.sample.max_plies },
    };
    let target = args.target.of::<PlayedRecord>("played", &balance.setups, args.setups.inputs())?;
    let origins = Origins::of_setups(&balance.setups);
    let stopper = Stopper::new(true)?;
    let prepared = balance.prepare(stopper.flag()).map_err(|error: PlanError| Failure::wrong(error))?;
    let Some(prepared) = prepared else {
        return interrupted(out, "no game was played");
    };
    let wanted = balance.strengths.iter().map(|&strength| prepared.games(strength)).sum();
    let courses = games(&target, &balance, &prepared, &stopper)?;
    let there: usize = courses.iter().map(Vec::len).sum();
    let stopped = there < wanted;
    let rows = rows(&balance, &prepared, &courses);
    let make = |about: About<'_>| balance_page(&balance, &rows, about);
    let page = target.page(&origins, (there, wanted, stopped), out, make)?;
    if !stopped {
        save(&target, &balance, &rows, page.as_deref())?;
    }
    target.show(out, rows.iter().map(Row::record), |out| text(out, &balance, &rows, &origins))?;
    if stopped {
        let kept = if target.folder().is_some() { ", and kept for the next run" } else { "" };
        return interrupted(out, format_args!("the report is of {there} of {wanted} games, played in order{kept}"));
    }
    Ok(Exit::Good)
}

/// Plays the games that the files lack, and appends them. Returns the courses of all, by strength;
/// fewer than wanted if Ctrl-C was pressed.
fn games(
    target: &Target<'_>,
    balance: &Balance,
    prepared: &Prepared,
    stopper: &Stopper,
) -> Result<Vec<Vec<Course>>, Failure> {
    let folder = target.folder();
    let mut files: Vec<Option<(Ledger, PathBuf)>> = Vec::new();
    let mut courses: Vec<Vec<Course>> = Vec::new();
    for &strength in &balance.strengths {
        let Some(Destination { folder, .. }) = folder else {
            files.push(None);
            courses.push(Vec::new());
            continue;
        };
        let path = folder.join(Ledger::name(strength));
        let opened = Ledger::open(&path, target.inputs(), balance, prepared, strength);
        let (ledger, kept) = opened.map_err(|error| refused(&path, error))?;
        files.push(Some((ledger, path)));
        courses.push(kept);
    }
    let there: usize = courses.iter().map(Vec::len).sum();
    let todo = todo(balance, prepared, &courses);
    let progress = Progress::new("play", "games");
    let total = Some((there + todo.len()) as u64);
    progress.begin_at(there as u64, total);
    let play = |place: usize| {
        let (strength, number) = todo[place];
        let game = balance.play(prepared, balance.strengths[strength], number, stopper.flag());
        game.map_err(Failure::wrong).transpose().map(|game| game.map(|game| (strength, game)))
    };
    let take = |(strength, game): (usize, GameLine)| {
        courses[strength].push(replayed(balance, prepared, &game)?);
        match &mut files[strength] {
            Some((ledger, path)) => ledger.append(&game).map_err(|e| Failure::wrong(e).at(path.display())),
            None => Ok(()),
        }
    };
    // Games behind one that Ctrl-C kept from being played are left out: the files have them in
    // order.
    in_order(0..todo.len(), play, |done| progress.update(there as u64 + done, total), take)?;
    for (ledger, path) in files.iter().flatten() {
        ledger.sync().map_err(|e| Failure::wrong(e).at(path.display()))?;
    }
    Ok(courses)
}

/// Returns the course of a game that was just played.
pub(super) fn replayed(balance: &Balance, prepared: &Prepared, game: &GameLine) -> Result<Course, Failure> {
    let cannot = || Failure::Discrepancy(format!("game {} cannot be played again: {}", game.game, game.actions));
    balance.course(prepared, game).ok_or_else(cannot)
}

/// Returns the games that are to be played, by strength and number. All strengths come to their
/// ends together, so that the time left can be told from what is done.
fn todo(balance: &Balance, prepared: &Prepared, courses: &[Vec<Course>]) -> Vec<(usize, usize)> {
    let mut todo = Vec::new();
    for (strength, kept) in courses.iter().enumerate() {
        let games = prepared.games(balance.strengths[strength]);
        todo.extend((kept.len()..games).map(|number| (strength, number)));
    }
    let part = |&(strength, number): &(usize, usize)| {
        let games = prepared.games(balance.strengths[strength]) as u128;
        // Games of the whole are at most some millions.
        ((number as u128) << 64) / games.max(1)
    };
    todo.sort_by_key(|game| (part(game), game.0));
    todo
}

/// Fields of a manifest about the games that the rows sum up.
#[derive(Serialize)]
struct OfGames {
    opening_plies: u32,
    repetitions: u32,
    max_plies: u32,
    memory_of_a_player: u64,
    strengths: Vec<Games>,
}

#[derive(Serialize)]
struct Games {
    nodes: u64,
    games_of_a_start: u64,
    file: String,
    sha256: String,
}

fn save(target: &Target<'_>, balance: &Balance, rows: &[Row], page: Option<&str>) -> Result<(), Failure> {
    let Some(Destination { folder, .. }) = target.folder() else { return Ok(()) };
    let games = |&strength: &Strength| {
        let file = Ledger::name(strength);
        let path = folder.join(&file);
        let bytes = read_bytes(&path, MAX_FILE_BYTES).map_err(|e| Failure::wrong(e).at(path.display()))?;
        let Strength { nodes, games } = strength;
        Ok(Games { nodes, games_of_a_start: games, file, sha256: sha256_hex(&bytes) })
    };
    let strengths = balance.strengths.iter().map(games).collect::<Result<_, Failure>>()?;
    let facts = Manifest {
        rules: rule_names(&balance.setups),
        seed: Some(balance.seed),
        methods: vec!["play".to_owned()],
        rows: rows.len(),
        ..Manifest::default()
    };
    let Conventions { repetitions, plies: max_plies } = balance.conventions;
    let opening_plies = balance.opening_plies;
    let more = OfGames { opening_plies, repetitions, max_plies, memory_of_a_player: MEMORY, strengths };
    target.save(rows.iter().map(Row::record), page, facts, more)
}

/// Returns the reason why a file of games cannot be continued.
fn refused(path: &std::path::Path, error: AppendedError) -> Failure {
    match error {
        AppendedError::Output(error) => Failure::wrong(format_args!("{error}; name another folder")),
        other => Failure::wrong(other).at(path.display()),
    }
}

pub(super) fn text(out: &mut dyn Write, balance: &Balance, rows: &[Row], origins: &Origins) -> Result<(), Failure> {
    for block in rows.chunk_by(|a, b| a.start.setup == b.start.setup) {
        writeln!(out, "{}", block[0].start.setup.record())?;
        for row in block {
            text_row(out, row)?;
        }
        writeln!(out)?;
    }
    let Conventions { repetitions, plies } = balance.conventions;
    Ok(writeln!(
        out,
        "Shares are those of play of this strength, from openings of {} random placements that all rules share. They say nothing of \
         best\nplay: no game here is solved. A game is drawn when a position has come up {repetitions} times, or after \
         {plies} plies; the rules have no such\ndraws (R21). With equal hands the game that Black starts is the one that White \
         starts with the board turned by 180°.\n{origins}",
        balance.opening_plies
    )?)
}

fn text_row(out: &mut dyn Write, row: &Row) -> Result<(), Failure> {
    let first = row.first;
    let (nodes, starts) = (Thousands(u128::from(row.nodes)), row.start.first);
    writeln!(
        out,
        "  {nodes} nodes an action, {starts} starts: {} games, first player wins {}, loses {}, draws {}",
        first.games(),
        first.wins,
        first.losses,
        first.draws
    )?;
    if let Some((share, interval)) = first.of_decided() {
        let share = percent(share);
        writeln!(out, "    wins {share} of the decided games by such play, 95 % interval {interval}")?;
    }
    let [hand, action, repetition, length] = row.ends;
    writeln!(out, "    ends: empty hand {hand}, no action {action}; drawn: repetition {repetition}, length {length}")?;
    if let [Some(plies), Some(removed), Some(returned)] =
        [row.plies, row.removed, row.returned].map(|sum| row.mean(sum))
    {
        let longest = row.longest;
        writeln!(
            out,
            "    a game: {plies:.1} plies ({longest} at most), {removed:.2} pods captured, {returned:.2} returned to hand"
        )?;
    }
    if let Some((ply, before)) = row.proof() {
        let (proven, lost) = (row.proven, row.proven_lost);
        writeln!(
            out,
            "    proven before the end in {proven} games, after {ply:.1} plies and {before:.1} before the end on average; {lost} ended otherwise"
        )?;
    }
    if let Some(change) = row.change
        && let Some((difference, interval)) = change.difference()
    {
        let signed = |share: f64| format!("{:+.1}", 100.0 * share);
        let (low, high) = (signed(interval.low), signed(interval.high));
        writeln!(
            out,
            "    against {}, same openings: {} decided under both, {} lost there are won here, {} won there are lost here:\n      {} percentage points, 95 % interval {low} to {high}",
            change.base,
            change.openings(),
            change.lost_to_won,
            change.won_to_lost,
            signed(difference)
        )?;
    }
    Ok(())
}
