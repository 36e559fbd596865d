//! `pods report readings A B`: two readings, in every position that they reach.

use std::collections::BTreeMap;
use std::io::Write;

use super::failure;
use super::setups::{SetupLists, for_each_setup};
use super::text::{known, openings};
use crate::cli::ask::AskArgs;
use crate::cli::engines::attacks;
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::{ReportFormat, json_line};
use crate::cli::limits::{Stopper, with_way_out};
use crate::cli::moves::fates;
use crate::cli::progress::Within;
use crate::drawing::text::{self as drawing, Style};
use crate::engine::Status;
use crate::files::{Object, count as counted, record};
use crate::position::{Action, Game};
use crate::report::{
    BalanceRecord, BalanceRow, Comparison, DifferenceKind, Example, Origins, Ruling, SetupRecord, compare_rules,
    compare_suite,
};
use crate::rules::RuleSet;

pub(super) fn rule_set(text: &str, argument: &str) -> Result<RuleSet, Failure> {
    text.parse().map_err(|e| Failure::wrong(format_args!("{e} (see `pods list`)")).at(argument))
}

pub(super) fn compare(
    rules: [RuleSet; 2],
    lists: &SetupLists,
    solve: &AskArgs,
    (format, ascii): (Option<ReportFormat>, bool),
    out: &mut dyn Write,
) -> CommandResult {
    let json = match format {
        None | Some(ReportFormat::Text) => false,
        Some(ReportFormat::Json) => true,
        Some(_) => {
            let way_out = "leave out A and B for the table of all readings";
            return Err(Failure::wrong(format_args!(
                "--format: two rule sets are compared as text or json; {way_out}"
            )));
        }
    };
    let setups = match lists.has_setup() {
        true => lists.read(&[rules[0]])?,
        false => lists.wanted(compare_suite(rules[0])),
    };
    let tables = solve.tables.open()?;
    let (mut comparisons, stopper) = (Vec::new(), Stopper::new(true)?);
    let (limits, known) = (solve.budget.shared(&stopper), solve.known(tables.as_ref()));
    for_each_setup(
        "compare",
        &setups,
        &stopper,
        |number, progress| {
            let setup = &setups[number];
            let comparison = compare_rules(setup, rules, known, limits, &Within(progress));
            (comparison.is_err() || !stopper.is_set()).then(|| comparison.map_err(|e| failure(setup, e)))
        },
        |comparison, progress| {
            if json {
                progress.suspend(|| json_line(out, &ComparedRow::new(&comparison)).and_then(|()| Ok(out.flush()?)))?;
            }
            comparisons.push(comparison);
            Ok(())
        },
    )?;
    if !json {
        text(out, rules, &comparisons, if ascii { Style::Ascii } else { Style::Unicode })?;
    }
    if stopper.is_set() {
        let (done, all) = (comparisons.len(), setups.len());
        return interrupted(out, format_args!("{done} of {all} setups are compared"));
    }
    Ok(Exit::Good)
}

fn text(out: &mut dyn Write, rules: [RuleSet; 2], all: &[Comparison], style: Style) -> Result<(), Failure> {
    writeln!(out, "A  {}\nB  {}\n", rules[0], rules[1])?;
    let stopped = all.iter().find_map(|comparison| comparison.stopped);
    let (least, compared) = if stopped.is_some() { ("at least ", " that was compared") } else { ("", "") };
    let both = all.iter().map(|of| of.reached.both).sum::<u64>();
    let only = |of: fn(&Comparison) -> Option<u64>, who: &str| match all.iter().map(of).sum::<Option<u64>>() {
        Some(number) => format!(", {least}{number} by {who} only"),
        None => format!(", not known how many by {who} only"),
    };
    let (first, second) = (only(|of| of.reached.only_first, "A"), only(|of| of.reached.only_second, "B"));
    writeln!(out, "positions reached: {least}{both} by both{first}{second}")?;
    if let Some(stopped) = stopped {
        writeln!(out, "  not all positions: {}; those of fewer plies came first", with_way_out(&stopped))?;
    }
    for kind in DifferenceKind::ALL {
        let positions = counted(all.iter().map(|c| c.differing[kind as usize]).sum::<u64>(), "position");
        writeln!(out, "  {least}{positions} with {}", difference(kind))?;
    }
    let mut clauses = BTreeMap::new();
    for (clause, count) in all.iter().flat_map(|comparison| &comparison.by_clause) {
        *clauses.entry(*clause).or_insert(0) += count;
    }
    for (clause, count) in clauses {
        let positions = counted(count, "position");
        writeln!(
            out,
            "  {least}{positions} where {clause} ({}) forbids under one what the other allows",
            clause.title()
        )?;
    }
    for kind in DifferenceKind::ALL {
        let examples = all.iter().filter_map(|c| Some((c, c.smallest[kind as usize].as_ref()?)));
        match examples.min_by_key(|(comparison, example)| {
            (example.size(), example.positions[0].display(&comparison.games[0]).to_string())
        }) {
            None => writeln!(out, "\nno position{compared} has {}", difference(kind))?,
            Some((comparison, example)) => draw(out, comparison, example, style)?,
        }
    }
    writeln!(out, "\nthe game, with White to start / with Black to start")?;
    let width = all.iter().map(|comparison| comparison.setups[0].record().place().chars().count()).max().unwrap_or(0);
    for comparison in all {
        let [first, second] = comparison.balance.each_ref().map(values);
        let effect = if first == second { format!("{first} under both") } else { format!("A {first}; B {second}") };
        writeln!(out, "  {:width$}  {effect}", comparison.setups[0].record().place())?;
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
    writeln!(out, "\nsmallest position with {}: {}", difference(example.kind), comparison.setups[0].record().place())?;
    if first == second {
        writeln!(out, "{first}\n")?;
    } else {
        writeln!(out, "A  {first}\nB  {second}\n")?;
    }
    let (game, position) = (&comparison.games[0], &example.positions[0]);
    writeln!(out, "{}", drawing::position(game, position, &attacks(game, position), style))?;
    let reached = match example.reached {
        [Some(true), Some(true)] => "by both",
        [Some(true), Some(false)] => "by A only",
        [Some(false), _] => "by B only",
        [Some(true), None] => "by A",
        [None, _] => "by B",
    };
    let [a, b] = example.status.map(status_in_words);
    let status = if a == b { format!("{a} under both") } else { format!("{a} under A, {b} under B") };
    writeln!(out, "  reached {reached}; {status}")?;
    const MAX_ACTIONS: usize = 8;
    for (action, said) in example.actions.iter().take(MAX_ACTIONS) {
        writeln!(out, "  {}", action.display(game))?;
        for (which, said) in said.iter().enumerate() {
            writeln!(out, "    {}  {}", ["A", "B"][which], sentence(&comparison.games[which], *action, said))?;
        }
    }
    if example.actions.len() > MAX_ACTIONS {
        writeln!(out, "  and {} actions more (see --format json)", example.actions.len() - MAX_ACTIONS)?;
    }
    let clauses: Vec<String> = example.clauses.iter().map(|c| format!("{c} ({})", c.title())).collect();
    Ok(writeln!(out, "  at stake: {}", clauses.join(", "))?)
}

/// Names what differs at a position.
fn difference(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::Actions => "different legal actions",
        DifferenceKind::Captures => "different captures",
        // The status; the library may tell more kinds apart one day.
        _ => "a different status",
    }
}

fn status_in_words(status: Status) -> String {
    match status {
        Status::Ongoing => "the game goes on".to_owned(),
        Status::Won(winner) => format!("{winner} has won"),
    }
}

fn sentence(game: &Game, action: Action, said: &Ruling) -> String {
    match said {
        Err(illegal) => illegal.explain(game, action),
        Ok((transition, status)) => {
            let mut parts = vec![format!("legal, to {}", transition.next.display(game).to_string())];
            parts.extend(fates([&transition.returned, &transition.removed].map(|kinds| game.pods().ids(kinds))));
            if let Status::Won(winner) = status {
                parts.push(format!("{winner} wins"));
            }
            parts.join(", ")
        }
    }
}

record! {
    /// A setup under two rule sets, A and B: where they differ.
    pub(in crate::cli) struct ComparedRow {
        #[serde(flatten)]
        setup: SetupRecord,
        /// The rule set B; `rules` is A.
        b: String,
        /// Limit that was reached; empty if all positions are compared.
        stopped: Option<String>,
        /// Positions that play reaches under both. Where a limit was reached, this and the numbers
        /// below are lower bounds.
        reached_by_both: u64,
        /// Positions that play reaches under A only; empty where the limit left out some that B may
        /// reach.
        reached_by_a_only: Option<u64>,
        /// Positions that play reaches under B only; empty where the limit left out some that A may
        /// reach.
        reached_by_b_only: Option<u64>,
        /// Positions at which they differ, by `actions`, `captures` and `status`.
        differing: BTreeMap<&'static str, u64>,
        /// Positions at which a clause forbids under one what the other allows.
        by_clause: BTreeMap<String, u64>,
        /// Smallest position at which they differ, by `actions`, `captures` and `status`.
        smallest: BTreeMap<&'static str, Option<Object<ExampleRow>>>,
        /// Row of `pods report` under A.
        a_game: Object<BalanceRecord>,
        /// Row of `pods report` under B.
        b_game: Object<BalanceRecord>,
    }
}

record! {
    /// A position at which two rule sets differ.
    pub(in crate::cli) struct ExampleRow {
        /// The position under A.
        a_position: String,
        /// The position under B.
        b_position: String,
        /// True if play under A reaches it; empty where a limit left that open.
        reached_by_a: Option<bool>,
        /// True if play under B reaches it; empty where a limit left that open.
        reached_by_b: Option<bool>,
        /// `ongoing`, `white_won` or `black_won` under A.
        a_status: &'static str,
        /// The same under B.
        b_status: &'static str,
        /// Actions that they judge differently.
        actions: Vec<Object<ComparedAction>>,
        /// Clauses at stake.
        clauses: Vec<String>,
        /// The board as text.
        drawing: String,
    }
}

record! {
    /// An action that two rule sets judge differently.
    pub(in crate::cli) struct ComparedAction {
        /// The action.
        action: String,
        /// Result under A.
        a: Object<RulingRow>,
        /// Result under B.
        b: Object<RulingRow>,
    }
}

record! {
    /// Result of an action under a rule set.
    #[derive(Default)]
    pub(in crate::cli) struct RulingRow {
        /// True if it is legal.
        legal: bool,
        /// Clause that forbids it.
        #[serde(skip_serializing_if = "Option::is_none")]
        clause: Option<String>,
        /// The reason, in words.
        #[serde(skip_serializing_if = "Option::is_none")]
        explanation: Option<String>,
        /// Position after a legal action.
        #[serde(skip_serializing_if = "Option::is_none")]
        position: Option<String>,
        /// Letters of the pods that come back to the hand (R18).
        #[serde(skip_serializing_if = "Option::is_none")]
        returned: Option<Vec<String>>,
        /// Letters of the pods that leave the game.
        #[serde(skip_serializing_if = "Option::is_none")]
        removed: Option<Vec<String>>,
        /// `ongoing`, `white_won` or `black_won` after a legal action.
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str>,
    }
}

impl RulingRow {
    fn new(game: &Game, action: Action, said: &Ruling) -> RulingRow {
        match said {
            Err(illegal) => RulingRow {
                clause: Some(illegal.clause.to_string()),
                explanation: Some(illegal.explain(game, action)),
                ..RulingRow::default()
            },
            Ok((transition, status)) => RulingRow {
                legal: true,
                position: Some(transition.next.display(game).to_string()),
                returned: Some(game.pods().ids(&transition.returned)),
                removed: Some(game.pods().ids(&transition.removed)),
                status: Some(status.name()),
                ..RulingRow::default()
            },
        }
    }
}

impl ExampleRow {
    fn new(games: &[Game; 2], example: &Example) -> ExampleRow {
        let [a_position, b_position] = [0, 1].map(|of: usize| example.positions[of].display(&games[of]).to_string());
        let [reached_by_a, reached_by_b] = example.reached;
        let [a_status, b_status] = example.status.map(Status::name);
        let (game, position) = (&games[0], &example.positions[0]);
        let actions = example.actions.iter().map(|(action, both)| {
            let [a, b] = [0, 1].map(|of: usize| Object(RulingRow::new(&games[of], *action, &both[of])));
            Object(ComparedAction { action: action.display(game).to_string(), a, b })
        });
        ExampleRow {
            a_position,
            b_position,
            reached_by_a,
            reached_by_b,
            a_status,
            b_status,
            actions: actions.collect(),
            clauses: example.clauses.iter().map(ToString::to_string).collect(),
            drawing: drawing::position(game, position, &attacks(game, position), Style::Ascii),
        }
    }
}

impl ComparedRow {
    fn new(comparison: &Comparison) -> ComparedRow {
        let example = |example: &Example| Object(ExampleRow::new(&comparison.games, example));
        let smallest = |kind: DifferenceKind| (kind.name(), comparison.smallest[kind as usize].as_ref().map(example));
        let [a_game, b_game] = comparison.balance.each_ref().map(|row| Object(row.record()));
        ComparedRow {
            setup: comparison.setups[0].record(),
            b: comparison.setups[1].rules().to_string(),
            stopped: comparison.stopped.map(|stopped| with_way_out(&stopped)),
            reached_by_both: comparison.reached.both,
            reached_by_a_only: comparison.reached.only_first,
            reached_by_b_only: comparison.reached.only_second,
            differing: DifferenceKind::ALL.map(|kind| (kind.name(), comparison.differing[kind as usize])).into(),
            by_clause: comparison.by_clause.iter().map(|(clause, count)| (clause.to_string(), *count)).collect(),
            smallest: DifferenceKind::ALL.map(smallest).into(),
            a_game,
            b_game,
        }
    }
}
