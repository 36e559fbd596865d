//! `pods bench player`

use std::io::Write;

use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::{Format, csv_rows, json_rows};
use crate::cli::limits::{LimitArgs, Stopper, memory};
use crate::cli::matches::GamesArgs;
use crate::cli::progress::Progress;
use crate::cli::report::{SetupLists, share};
use crate::cli::setup::rule_sets;
use crate::cli::tables::TablesArg;
use crate::cli::threads::{ThreadsArg, in_order};
use crate::files::{Cell as _, Decimal};
use crate::matches::Spec;
use crate::matches::regret::{RegretError, RegretPlan, RegretRow, regret_rows};
use crate::report::NamedSetup;

/// Count the actions by which a player gives a value away.
///
/// The player plays against itself from openings of random play. Each of its decisions is compared
/// with the exact values, from a table of --tables or one in memory; a position counts once in a
/// setup.
///
/// The answer counts value-losing actions per 1,000 decisions, and the plies by which wins become
/// longer: by setup, rule set, ply, and share of points held.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods bench player 'best --nodes 2000'
  pods bench player 'best --nodes 2000 --player tree' --rules advanced --format csv
  pods bench player 'best --nodes 2000' 'best --nodes 4000' --rules advanced
  pods bench player 'program --nodes 1000 ./my-engine' --board nook9 --pods four --rules advanced

An ENGINE is written as for `pods match`. Without times in its budget the answer is the same in every run.

Exit status: 1 a program played an illegal action, died or did not answer, and lost a game by that.")]
pub(super) struct Args {
    /// Player to be judged; several may be given
    #[arg(value_name = "ENGINE", required = true)]
    players: Vec<Spec>,

    /// Play this many games of each setup
    #[arg(long, value_name = "N", default_value = "50", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    /// Begin a game with 0 to N plies of random play
    #[arg(long, value_name = "N", default_value = "6", value_parser = clap::value_parser!(u32).range(..=200))]
    opening_plies: u32,

    #[command(flatten)]
    of_games: GamesArgs,

    /// Use at most this much memory for each engine of this program, such as 500MiB
    #[arg(long, value_name = "SIZE", default_value = "128MiB", value_parser = memory)]
    engine_memory: u64,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    tables: TablesArg,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    setups: SetupLists,

    /// Rule set; several may be given
    #[arg(long, value_name = "NAME", help_heading = "Setups")]
    rules: Vec<String>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let rules = rule_sets(&args.rules)?;
    let setups = args.setups.read(&rules)?;
    args.threads.set_up()?;
    let tables = args.tables.open()?;
    let stopper = Stopper::new(true)?;
    let limits = share(args.limits.read()).with_interrupt(stopper.flag());
    let progress = Progress::new("bench player", "setups");
    let (plan, all) = (args.plan(), setups.len());
    let job = |number: usize| {
        let setup = &setups[number];
        plan.judge(setup, tables.as_ref(), limits, stopper.flag()).map_err(|e| failure(setup, e)).transpose()
    };
    let mut judged = Vec::new();
    let take = |of| {
        judged.push(of);
        Ok(())
    };
    in_order(0..all, job, |done| progress.update(done, Some(all as u64)), take)?;
    drop(progress);
    let done = judged.len();
    let mut rows: Vec<RegretRow> = Vec::new();
    for (number, player) in args.players.iter().enumerate() {
        let of: Vec<_> = setups.iter().zip(&judged).map(|(setup, by_player)| (setup, &by_player[number])).collect();
        rows.extend(regret_rows(&player.to_string(), args.games, &of));
    }
    match args.format {
        Format::Csv => csv_rows(out, true, &rows)?,
        Format::Json => json_rows(out, &rows)?,
        Format::Text => text(out, &rows)?,
    }
    if done < all {
        return interrupted(
            out,
            format_args!("{done} of {all} setups are judged, and players with fewer are left out"),
        );
    }
    Ok(if rows.iter().all(|row| row.faults == 0) { Exit::Good } else { Exit::Discrepancy })
}

impl Args {
    fn plan(&self) -> RegretPlan {
        RegretPlan {
            players: self.players.clone(),
            games: self.games,
            opening_plies: self.opening_plies,
            seed: self.of_games.seed(),
            conventions: self.of_games.conventions(),
            memory: self.engine_memory,
            grace: self.of_games.grace(),
        }
    }
}

fn failure(setup: &NamedSetup, error: RegretError) -> Failure {
    match error {
        RegretError::Solve(error) => Failure::from(error).at(setup.record()),
        other => Failure::wrong(other).at(setup.record()),
    }
}

/// Writes the rows for people: a block for each player.
fn text(out: &mut dyn Write, rows: &[RegretRow]) -> Result<(), Failure> {
    let number = |number: Option<Decimal<2>>| number.map(|number| format!("{:.1}", number.0)).unwrap_or_default();
    for block in rows.chunk_by(|a, b| a.player == b.player) {
        writeln!(out, "{}", block[0].player)?;
        writeln!(
            out,
            "  {:50} {:>9} {:>9} {:>7} {:>9}  {:16} {:>10}",
            "", "decisions", "may lose", "losing", "per 1,000", "95 % interval", "plies lost"
        )?;
        // Whole setups first, then the divisions of all of them.
        let wanted = |row: &&RegretRow| row.by == "all" || row.under.is_none();
        for row in block.iter().filter(wanted) {
            let part = row.part.as_deref().unwrap_or_default();
            let name = match (&row.setup.0, &row.under) {
                (Some(setup), _) => setup.to_string(),
                (None, None) => format!("{} {part}", row.by),
                (None, Some(rules)) => rules.clone(),
            };
            let interval = format!("{} to {}", number(row.low), number(row.high));
            writeln!(
                out,
                "  {name:50} {:>9} {:>9} {:>7} {:>9}  {interval:16} {:>10}",
                row.decisions,
                row.may_lose,
                row.losing,
                number(row.per_thousand),
                row.plies_lost.map(|plies| plies.cell()).unwrap_or_default()
            )?;
        }
        writeln!(out)?;
    }
    Ok(writeln!(
        out,
        "Decisions of the player against itself after random openings, each position once; `losing` are its actions that make a \
         draw or a loss of a\nwin, or a loss of a draw. `plies lost`: by how much the wins that it keeps become longer, on average."
    )?)
}
