//! `pods report --full` where games are played.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Args;
use super::save::{Facts, manifest, rule_names, write_beside, write_manifest};
use super::words::{percent, range, refused};
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::limits::Stopper;
use crate::cli::progress::Progress;
use crate::cli::threads::in_order;
use crate::files::{Thousands, read_bytes, write_rows};
use crate::matches::balance::{
    Balance, Course, Ledger, MAX_GAMES, MEMORY, MOST_GAMES, PlayedRecord, Prepared, Row, Strength, balance_page, rows,
};
use crate::matches::{Conventions, GameLine, PlanError};
use crate::report::page::About;
use crate::report::{Manifest, NamedSetup, Origins, like_csv, like_manifest, sha256_hex};

/// Options of the games. The defaults stand in [`PlayArgs::strengths`] and
/// [`PlayArgs::conventions`], so that what was given can be told from what was not.
#[derive(Debug, clap::Args)]
pub(super) struct PlayArgs {
    /// Play games under rules without moves and captures too
    #[arg(long, requires = "full")]
    pub(super) play: bool,

    /// Let both players look at this many positions before each action; with :GAMES, play that many
    /// games in place of --count. May be given several times [default: 500 and 4000]
    #[arg(long, value_name = "NODES[:GAMES]", requires = "sampled", value_parser = strength)]
    strength: Vec<(u64, Option<u64>)>,

    /// With --measures, play the first strength against twice its nodes, twice against four times,
    /// and so on, this many times
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=20))]
    pub(super) doublings: u32,

    /// Begin each game with this many random placements, the same under all rules [default: 2]
    #[arg(long, value_name = "N", requires = "sampled", value_parser = clap::value_parser!(u32).range(1..=50))]
    opening_plies: Option<u32>,

    /// Call a game drawn when a position comes up for the Nth time [default: 3]
    #[arg(long, value_name = "N", requires = "sampled", value_parser = clap::value_parser!(u32).range(2..))]
    repetitions: Option<u32>,

    /// Call a game drawn when it has this many plies [default: 300]
    #[arg(long, value_name = "N", requires = "sampled", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_plies: Option<u32>,
}

fn strength(text: &str) -> Result<(u64, Option<u64>), String> {
    let (nodes, games) = match text.split_once(':') {
        None => (text, None),
        Some((nodes, games)) => (nodes, Some(games)),
    };
    let nodes = nodes.parse().ok().filter(|&nodes: &u64| nodes > 0);
    let nodes = nodes.ok_or("it begins with a number of positions, at least 1, as in 4000 or 4000:100")?;
    let games = games.map(|games| games.parse().ok().filter(|games| (1..=MAX_GAMES).contains(games)));
    match games {
        Some(None) => Err(format!("behind the colon stands a number of games from 1 to {MAX_GAMES}")),
        Some(games) => Ok((nodes, games)),
        None => Ok((nodes, None)),
    }
}

impl PlayArgs {
    /// Returns an option that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--strength", !self.strength.is_empty()),
            ("--opening-plies", self.opening_plies.is_some()),
            ("--repetitions", self.repetitions.is_some()),
            ("--max-plies", self.max_plies.is_some()),
        ];
        given.into_iter().find_map(|(option, given)| given.then_some(option))
    }

    pub(super) fn strengths(&self, count: u64) -> Result<Vec<Strength>, Failure> {
        if !(1..=MAX_GAMES).contains(&count) {
            return Err(Failure::wrong(format_args!("--count: it must be a number of games from 1 to {MAX_GAMES}")));
        }
        let given = if self.strength.is_empty() { &[(500, None), (4000, None)] } else { &self.strength[..] };
        let mut strengths: Vec<Strength> = Vec::new();
        for &(nodes, games) in given {
            if strengths.iter().any(|strength| strength.nodes == nodes) {
                return Err(Failure::wrong(format_args!("--strength {nodes} is given twice")));
            }
            strengths.push(Strength { nodes, games: games.unwrap_or(count) });
        }
        Ok(strengths)
    }

    /// Returns the plies of an opening.
    pub(super) fn opening(&self) -> u32 {
        self.opening_plies.unwrap_or(2)
    }

    pub(super) fn conventions(&self) -> Conventions {
        Conventions { repetitions: self.repetitions.unwrap_or(3), plies: self.max_plies.unwrap_or(300) }
    }
}

const RESULT: &str = "played.csv";
const PAGE: &str = "played.html";

pub(super) fn run(args: &Args, play: &PlayArgs, setups: Vec<NamedSetup>, out: &mut dyn Write) -> CommandResult {
    let balance = Balance {
        setups,
        strengths: play.strengths(args.full.count)?,
        opening_plies: play.opening(),
        seed: args.full.seed,
        conventions: play.conventions(),
    };
    args.may_write_page("played", &balance.setups)?;
    let origins = Origins::of_setups(&balance.setups);
    let stopper = Stopper::new(true)?;
    let prepared = balance.prepare(stopper.flag()).map_err(|error: PlanError| Failure::wrong(error))?;
    let Some(prepared) = prepared else {
        return interrupted(out, "no game was played");
    };
    let wanted = balance.strengths.iter().map(|&strength| prepared.games(strength)).sum();
    let courses = games(args, &balance, &prepared, &stopper)?;
    let there: usize = courses.iter().map(Vec::len).sum();
    let stopped = there < wanted;
    let rows = rows(&balance, &prepared, &courses);
    let mut csv = Vec::new();
    write_rows(&mut csv, true, rows.iter().map(Row::record))?;
    let make = |about: About<'_>| balance_page(&balance, &rows, about);
    let page = args.page(&origins, &balance.setups, (there, wanted, stopped), out, make)?;
    if let Some(folder) = args.folder().filter(|_| !stopped) {
        save(args, folder, &balance, &csv, rows.len(), page.as_deref())?;
    }
    args.write_rows(out, &csv, rows.iter().map(Row::record), |out| text(out, &balance, &rows, &origins))?;
    if stopped {
        let kept = if args.folder().is_some() { ", and kept for the next run" } else { "" };
        return interrupted(out, format_args!("the report is of {there} of {wanted} games, played in order{kept}"));
    }
    Ok(Exit::Good)
}

/// Plays the games that the files lack, and appends them. Returns the courses of all, by strength;
/// fewer than wanted if Ctrl-C was pressed.
fn games(args: &Args, balance: &Balance, prepared: &Prepared, stopper: &Stopper) -> Result<Vec<Vec<Course>>, Failure> {
    let inputs = args.inputs();
    let mut files: Vec<Option<(Ledger, PathBuf)>> = Vec::new();
    let mut courses: Vec<Vec<Course>> = Vec::new();
    if let Some(folder) = args.folder() {
        let to = args.force.folder(folder, &inputs);
        to.output(RESULT, &like_csv::<PlayedRecord>)?;
        to.output("played.manifest.json", &like_manifest)?;
    }
    for &strength in &balance.strengths {
        let Some(folder) = args.folder() else {
            files.push(None);
            courses.push(Vec::new());
            continue;
        };
        let path = folder.join(Ledger::name(strength));
        let opened = Ledger::open(&path, &inputs, balance, prepared, strength);
        let (ledger, kept) = opened.map_err(|error| refused(&path, error))?;
        files.push(Some((ledger, path)));
        courses.push(kept);
    }
    let there: usize = courses.iter().map(Vec::len).sum();
    let todo = todo(balance, prepared, &courses);
    let progress = Progress::new("full", "games");
    let total = Some((there + todo.len()) as u64);
    progress.begin_at(there as u64, total);
    let play = |place: usize| {
        let (strength, number) = todo[place];
        let game = balance.play(prepared, balance.strengths[strength], number, stopper.flag());
        game.map_err(Failure::wrong).transpose().map(|game| game.map(|game| (strength, game)))
    };
    let take = |(strength, game): (usize, GameLine)| {
        let cannot = || Failure::Discrepancy(format!("game {} cannot be played again: {}", game.game, game.actions));
        courses[strength].push(balance.course(prepared, &game).ok_or_else(cannot)?);
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

/// A manifest of the rows, with what was asked for and the games that they sum up.
#[derive(Serialize)]
struct PlayedManifest {
    #[serde(flatten)]
    manifest: Manifest,
    opening_plies: u32,
    repetitions: u32,
    max_plies: u32,
    memory_of_a_player: u64,
    strengths: Vec<Games>,
}

/// The games of a strength.
#[derive(Serialize)]
struct Games {
    nodes: u64,
    games_of_a_start: u64,
    file: String,
    sha256: String,
}

fn save(
    args: &Args,
    folder: &Path,
    balance: &Balance,
    csv: &[u8],
    rows: usize,
    page: Option<&str>,
) -> Result<(), Failure> {
    let games = |&strength: &Strength| {
        let file = Ledger::name(strength);
        let path = folder.join(&file);
        let bytes = read_bytes(&path, MOST_GAMES).map_err(|e| Failure::wrong(e).at(path.display()))?;
        let Strength { nodes, games } = strength;
        Ok(Games { nodes, games_of_a_start: games, file, sha256: sha256_hex(&bytes) })
    };
    let strengths = balance.strengths.iter().map(games).collect::<Result<_, Failure>>()?;
    let read = args.inputs();
    let to = args.force.folder(folder, &read);
    let page = page.map(|page| write_beside(to, PAGE, page, &balance.setups)).transpose()?;
    let facts =
        Facts { rules: rule_names(&balance.setups), methods: vec!["play".to_owned()], rows, ..Facts::default() };
    let Conventions { repetitions, plies: max_plies } = balance.conventions;
    let manifest = PlayedManifest {
        manifest: manifest(args, &balance.setups, Some(balance.seed), (RESULT, csv), page, facts)?,
        opening_plies: balance.opening_plies,
        repetitions,
        max_plies,
        memory_of_a_player: MEMORY,
        strengths,
    };
    to.output(RESULT, &like_csv::<PlayedRecord>)?.write_bytes(csv)?;
    write_manifest(to, "played", &manifest)
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
        writeln!(out, "    wins {share} of the decided games by such play, 95 % interval {}", range(Some(interval)))?;
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
