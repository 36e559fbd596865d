//! `pods compare-rules`

use std::io::Write;

use serde_json::{Value as Json, json};

use super::engines::attacks;
use super::failure::{Exit, Failure, Outcome, interrupted};
use super::format::{PlainFormat, json_line};
use super::limits::{LimitArgs, Stopper, with_way_out};
use super::moves::ids;
use super::progress::SolverProgress;
use super::report::text::{known, openings};
use super::report::{SetupLists, failure};
use super::threads::ThreadsArg;
use crate::drawing::text::{self as drawing, Style};
use crate::engine::Status;
use crate::position::Game;
use crate::report::{BalanceRow, Comparison, Example, Kind, Origins, Said, SetupRecord, compare_rules, compare_suite};
use crate::rules::RuleSet;
use crate::solver::Verdict;

/// Compare two readings of the rules.
///
/// The answer shows the smallest positions where they differ, and the consequences. Every position
/// that either reading reaches from White's start is compared. Without setup options, small
/// built-in setups are used.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods compare-rules advanced advanced-dutch
  pods compare-rules standard standard+attack-through=on --board nook9 --pods four --hands bdt
  pods compare-rules very-advanced very-advanced+kick-gaps=last-step --orientation 90 --format json

Positions differ in one of three ways:

  actions   some action is legal under one reading only
  captures  an action that both allow takes other pods off the board
  status    the game is over under one reading only

A difference is an answer, not an error: the exit status is 0 either way.")]
pub(super) struct Args {
    /// A rule set: a preset, perhaps with options, such as advanced+captures=after-moves
    #[arg(value_name = "A")]
    first: String,

    /// Another rule set
    #[arg(value_name = "B")]
    second: String,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: PlainFormat,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    setups: SetupLists,

    #[command(flatten)]
    limits: LimitArgs,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    args.threads.set_up()?;
    let rules = |text: &str, name: &str| -> Result<RuleSet, Failure> {
        text.parse().map_err(|e| Failure::wrong(format_args!("{e} (see `pods list`)")).at(name))
    };
    let rules = [rules(&args.first, "A")?, rules(&args.second, "B")?];
    let setups = if args.setups.has_setup() { args.setups.read(&[rules[0]])? } else { compare_suite(rules[0]) };
    let setups: Vec<_> = setups.into_iter().filter(|setup| args.setups.wants(setup.orientation())).collect();
    let (mut comparisons, stopper) = (Vec::new(), Stopper::new(true)?);
    let limits = args.limits.read().with_interrupt(stopper.flag());
    for setup in &setups {
        let comparison =
            compare_rules(setup, rules, limits, &SolverProgress::default()).map_err(|e| failure(setup, e))?;
        if stopper.is_set() {
            break;
        }
        if args.format == PlainFormat::Json {
            json_line(out, &as_json(&comparison))?;
        }
        comparisons.push(comparison);
    }
    if args.format == PlainFormat::Text {
        text(out, rules, &comparisons, if args.ascii { Style::Ascii } else { Style::Unicode })?;
    }
    if stopper.is_set() {
        let (done, all) = (comparisons.len(), setups.len());
        return interrupted(out, format_args!("{done} of {all} setups are compared"));
    }
    Ok(Exit::Good)
}

fn place(comparison: &Comparison) -> String {
    let SetupRecord { board, orientation, pods, white_hand: white, black_hand: black, .. } =
        comparison.setups[0].record();
    let hands = if white == black { white } else { format!("{white}:{black}") };
    format!("{board} {orientation}°, {pods} {hands}")
}

fn text(out: &mut dyn Write, rules: [RuleSet; 2], all: &[Comparison], style: Style) -> Result<(), Failure> {
    writeln!(out, "A  {}\nB  {}\n", rules[0], rules[1])?;
    let sum = |of: fn(&Comparison) -> u64| all.iter().map(of).sum::<u64>();
    writeln!(
        out,
        "positions reached: {} by both, {} by A only, {} by B only",
        sum(|c| c.reached.both),
        sum(|c| c.reached.only_first),
        sum(|c| c.reached.only_second)
    )?;
    if let Some(stopped) = all.iter().find_map(|comparison| comparison.stopped) {
        writeln!(out, "  not all positions: {}; those of fewer plies came first", with_way_out(&stopped))?;
    }
    for kind in Kind::ALL {
        writeln!(out, "  {:8} differ at {}", kind.name(), all.iter().map(|c| c.differing[kind as usize]).sum::<u64>())?;
    }
    let mut clauses = std::collections::BTreeMap::new();
    for (clause, count) in all.iter().flat_map(|comparison| &comparison.by_clause) {
        *clauses.entry(*clause).or_insert(0) += count;
    }
    for (clause, count) in clauses {
        writeln!(out, "  {clause} ({}) forbids under one what the other allows at {count}", clause.title())?;
    }
    for kind in Kind::ALL {
        let examples = all.iter().filter_map(|c| Some((c, c.smallest[kind as usize].as_ref()?)));
        match examples.min_by_key(|(comparison, example)| {
            (example.size(), example.positions[0].display(&comparison.games[0]).to_string())
        }) {
            None => writeln!(out, "\nthere is no position at which {} differ", kind.name())?,
            Some((comparison, example)) => draw(out, comparison, example, style)?,
        }
    }
    writeln!(out, "\nthe game, with White to start / with Black to start")?;
    let width = all.iter().map(|comparison| place(comparison).chars().count()).max().unwrap_or(0);
    for comparison in all {
        let [first, second] = comparison.balance.each_ref().map(values);
        let effect = if first == second { format!("{first} under both") } else { format!("A {first}; B {second}") };
        writeln!(out, "  {:width$}  {effect}", place(comparison))?;
    }
    Ok(writeln!(out, "\n{}", Origins::of(all.iter().map(|comparison| &comparison.games[0])))?)
}

fn values(row: &BalanceRow) -> String {
    let class = row.outcome_class().map_or("unknown".to_owned(), |class| class.name().to_owned());
    format!("{} / {} ({class}), openings {}", known(row.white_first()), known(row.black_first()), openings(row))
}

fn draw(out: &mut dyn Write, comparison: &Comparison, example: &Example, style: Style) -> Result<(), Failure> {
    let [first, second] =
        [0, 1].map(|which: usize| example.positions[which].display(&comparison.games[which]).to_string());
    writeln!(out, "\nsmallest position at which {} differ: {}", example.kind.name(), place(comparison))?;
    if first == second {
        writeln!(out, "{first}\n")?;
    } else {
        writeln!(out, "A  {first}\nB  {second}\n")?;
    }
    let (game, position) = (&comparison.games[0], &example.positions[0]);
    writeln!(out, "{}", drawing::position(game, position, &attacks(game, position), style))?;
    let reached = match example.reached {
        [true, true] => "by both",
        [true, false] => "by A only",
        _ => "by B only",
    };
    writeln!(out, "  reached {reached}; A {}, B {}", example.status[0].name(), example.status[1].name())?;
    const MOST: usize = 8;
    for (action, said) in example.actions.iter().take(MOST) {
        writeln!(out, "  {}", action.display(game))?;
        for (which, said) in said.iter().enumerate() {
            writeln!(out, "    {}  {}", ["A", "B"][which], sentence(&comparison.games[which], *action, said))?;
        }
    }
    if example.actions.len() > MOST {
        writeln!(out, "  and {} actions more (see --format json)", example.actions.len() - MOST)?;
    }
    let clauses: Vec<String> = example.clauses.iter().map(|c| format!("{c} ({})", c.title())).collect();
    Ok(writeln!(out, "  at stake: {}", clauses.join(", "))?)
}

fn sentence(game: &Game, action: crate::position::Action, said: &Said) -> String {
    match said {
        Err(illegal) => illegal.explain(game, action),
        Ok((transition, status)) => {
            let mut parts = vec![format!("legal, to {}", transition.next.display(game).to_string())];
            for (kinds, fate) in [(&transition.returned, "back to hand"), (&transition.removed, "out of the game")] {
                if !kinds.is_empty() {
                    parts.push(format!("{} {fate}", ids(game.pods(), kinds).join(" ")));
                }
            }
            if let Status::Won(winner) = status {
                parts.push(format!("{winner} wins"));
            }
            parts.join(", ")
        }
    }
}

fn as_json(comparison: &Comparison) -> Json {
    let SetupRecord { board, orientation, pods, white_hand: white, black_hand: black, .. } =
        comparison.setups[0].record();
    let example = |example: &Example| {
        let said = |which: usize, action, said: &Said| match said {
            Err(illegal) => json!({
                "legal": false,
                "clause": illegal.clause.to_string(),
                "explanation": illegal.explain(&comparison.games[which], action),
            }),
            Ok((transition, status)) => json!({
                "legal": true,
                "position": transition.next.display(&comparison.games[which]).to_string(),
                "returned": ids(comparison.games[which].pods(), &transition.returned),
                "removed": ids(comparison.games[which].pods(), &transition.removed),
                "status": status.name(),
            }),
        };
        let (game, position) = (&comparison.games[0], &example.positions[0]);
        json!({
            "a_position": position.display(game).to_string(),
            "b_position": example.positions[1].display(&comparison.games[1]).to_string(),
            "reached_by_a": example.reached[0],
            "reached_by_b": example.reached[1],
            "a_status": example.status[0].name(),
            "b_status": example.status[1].name(),
            "actions": example.actions.iter().map(|(action, both)| json!({
                "action": action.display(game).to_string(),
                "a": said(0, *action, &both[0]),
                "b": said(1, *action, &both[1]),
            })).collect::<Vec<Json>>(),
            "clauses": example.clauses.iter().map(ToString::to_string).collect::<Vec<String>>(),
            "drawing": drawing::position(game, position, &attacks(game, position), Style::Ascii),
        })
    };
    let balance = |row: &BalanceRow| {
        let outcome = |verdict: Option<Verdict>| verdict.map(|verdict| verdict.outcome().name());
        let plies = |verdict: Option<Verdict>| verdict.and_then(|verdict| verdict.plies());
        let openings = row.all_openings();
        json!({
            "white_first": outcome(row.white_first()),
            "white_first_plies": plies(row.white_first()),
            "black_first": outcome(row.black_first()),
            "black_first_plies": plies(row.black_first()),
            "outcome_class": row.outcome_class().map(|class| class.name()),
            "winning_openings": openings.map(|openings| openings.winning),
            "drawing_openings": openings.map(|openings| openings.drawing),
            "losing_openings": openings.map(|openings| openings.losing),
            "method": row.method(),
        })
    };
    let kinds = |of: &dyn Fn(Kind) -> Json| -> Json {
        Kind::ALL.into_iter().map(|kind| (kind.name().to_owned(), of(kind))).collect::<serde_json::Map<_, _>>().into()
    };
    let by_clause: serde_json::Map<String, Json> =
        comparison.by_clause.iter().map(|(clause, count)| (clause.to_string(), json!(count))).collect();
    json!({
        "board": board,
        "orientation": orientation,
        "pods": pods,
        "white_hand": white,
        "black_hand": black,
        "a": comparison.setups[0].rules().to_string(),
        "b": comparison.setups[1].rules().to_string(),
        "stopped": comparison.stopped.map(|stopped| with_way_out(&stopped)),
        "reached_by_both": comparison.reached.both,
        "reached_by_a_only": comparison.reached.only_first,
        "reached_by_b_only": comparison.reached.only_second,
        "differing": kinds(&|kind| json!(comparison.differing[kind as usize])),
        "by_clause": by_clause,
        "smallest": kinds(&|kind| comparison.smallest[kind as usize].as_ref().map_or(Json::Null, example)),
        "a_game": balance(&comparison.balance[0]),
        "b_game": balance(&comparison.balance[1]),
    })
}
