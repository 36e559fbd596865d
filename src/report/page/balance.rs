//! The page of the balance report: every setup, its turns side by side.

use maud::{Markup, html};

use super::opening::{self, OpeningValues};
use super::table::{self, Line, Table};
use super::{About, Page, key, setup_words, value, worth};
use crate::drawing::{Worth, plain};
use crate::report::{BalanceRow, OutcomeClass, Tempo};
use crate::solver::Outcome;

/// The rows of a setup, one for each turn of the board.
type Block<'a> = &'a [BalanceRow];

#[must_use]
pub(crate) fn balance_page(rows: &[BalanceRow], about: About<'_>) -> String {
    let blocks: Vec<Block<'_>> = rows.chunk_by(same_setup).collect();
    let sections = blocks.iter().enumerate().map(|(i, block)| (id(i), title(block))).collect();
    let mut body = vec![overview(&blocks)];
    for (i, block) in blocks.iter().enumerate() {
        body.push(section(i, block));
    }
    let page = Page {
        title: "Who is favoured, by orientation of the board",
        introduction: html! {
            p {
                "Each setup is solved with White and with Black to start. A value is for the player who starts, with best play \
                 of both, in plies to the end (R33, R34)."
            }
            (key())
        },
        sections,
        body: html! { @for part in body { (part) } },
        about,
    };
    page.text()
}

fn same_setup(a: &BalanceRow, b: &BalanceRow) -> bool {
    a.setup.differs_in_turn_at_most(&b.setup)
}

fn id(block: usize) -> String {
    format!("setup-{}", block + 1)
}

fn title(block: Block<'_>) -> String {
    format!("{}; {}", setup_words(&block[0].setup), block[0].setup.rules())
}

/// Returns the class in few words, for the overview.
fn class(row: &BalanceRow) -> (&'static str, &'static str) {
    match row.outcome_class() {
        None => ("unknown", "not known"),
        Some(OutcomeClass::First) => ("first", "first"),
        Some(OutcomeClass::Second) => ("second", "second"),
        Some(OutcomeClass::White) => ("white", "White"),
        Some(OutcomeClass::Black) => ("black", "Black"),
        Some(OutcomeClass::Drawn) => ("drawn", "drawn"),
        Some(OutcomeClass::DrawnIfWhiteStarts) => ("drawn", "drawn if White starts"),
        Some(OutcomeClass::DrawnIfBlackStarts) => ("drawn", "drawn if Black starts"),
    }
}

fn class_in_words(row: &BalanceRow) -> &'static str {
    match row.outcome_class() {
        None => "Who wins is not known",
        Some(OutcomeClass::First) => "Whoever starts wins",
        Some(OutcomeClass::Second) => "Whoever starts loses",
        Some(OutcomeClass::White) => "White wins, whoever starts",
        Some(OutcomeClass::Black) => "Black wins, whoever starts",
        Some(OutcomeClass::Drawn) => "Drawn, whoever starts",
        Some(OutcomeClass::DrawnIfWhiteStarts) => "Drawn if White starts, else decided",
        Some(OutcomeClass::DrawnIfBlackStarts) => "Drawn if Black starts, else decided",
    }
}

fn overview(blocks: &[Block<'_>]) -> Markup {
    let mut turns: Vec<_> = blocks.iter().copied().flatten().map(|row| row.setup.orientation()).collect();
    turns.sort();
    turns.dedup();
    let cell = |of: Option<&BalanceRow>| match of.map(class) {
        Some((name, words)) => html! { td class=(format!("class class-{name}")) { (words) } },
        None => table::cell("–"),
    };
    let line = |(i, block): (usize, &Block<'_>)| {
        let cells = turns.iter().map(|turn| cell(block.iter().find(|row| row.setup.orientation() == *turn)));
        Line::new(html! { a href=(format!("#{}", id(i))) { (title(block)) } }, cells)
    };
    let table = Table {
        id: "overview-caption",
        class: "classes",
        caption: html! {
            "The outcome class of each setup by orientation of the board: first or second, counted from who starts; White or Black, if \
             that side wins whoever starts; drawn."
        },
        heads: table::by_turn("Setup", &turns),
        lines: blocks.iter().enumerate().map(line).collect(),
    };
    html! {
        section aria-labelledby="overview" {
            h2 id="overview" { "Who wins, at a glance" }
            p class="verdict" { (summary(blocks)) }
            (table)
        }
        "\n"
    }
}

/// Returns the whole report in a sentence: how many rows have which class.
fn summary(blocks: &[Block<'_>]) -> String {
    let rows: Vec<&BalanceRow> = blocks.iter().copied().flatten().collect();
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for row in &rows {
        let words = class_in_words(row);
        match counts.iter_mut().find(|(known, _)| *known == words) {
            Some((_, count)) => *count += 1,
            None => counts.push((words, 1)),
        }
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let parts: Vec<String> = counts.iter().map(|(words, count)| format!("{words}: {count}")).collect();
    let (setups, ways) = (blocks.len(), rows.len());
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!("{setups} setup{}, {ways} way{} to lay the board. {}.", plural(setups), plural(ways), parts.join("; "))
}

/// Returns a row's openings, in the form that drawings show.
fn openings(row: &BalanceRow) -> OpeningValues {
    let worth = |outcome: Option<Outcome>| match outcome {
        None => Worth::Unknown,
        Some(Outcome::Win) => Worth::Win(None),
        Some(Outcome::Draw) => Worth::Draw,
        Some(Outcome::Loss) => Worth::Loss(None),
    };
    let actions: Vec<_> = row.first_actions.iter().map(|&(action, outcome)| (action, worth(outcome))).collect();
    OpeningValues::new(row.setup.game().clone(), actions)
}

fn section(number: usize, block: Block<'_>) -> Markup {
    let id = id(number);
    let openings: Vec<OpeningValues> = block.iter().map(openings).collect();
    let turns: Vec<String> = block.iter().map(|row| format!("{}°", row.setup.orientation())).collect();
    let starts: Vec<(String, &OpeningValues)> = turns.iter().cloned().zip(&openings).collect();
    let figures: Vec<_> = block.iter().map(BalanceRow::record).collect();
    let notes = notes(block);
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (title(block)) }
            div class="cards" {
                @for ((row, openings), turn) in block.iter().zip(&openings).zip(&turns) {
                    @let (name, _) = class(row);
                    article class=(format!("card class-{name}")) aria-labelledby=(format!("{id}-{}", row.setup.orientation())) {
                        h3 id=(format!("{id}-{}", row.setup.orientation())) { (turn) }
                        p class="verdict" { (class_in_words(row)) }
                        dl {
                            div { dt { "White starts" } dd { (value(worth(row.white_first()))) } }
                            div { dt { "Black starts" } dd { (value(worth(row.black_first()))) } }
                            @if let Some(score) = row.random_play_score {
                                div { dt { "Random play" } dd { (format!("{score:.3}")) " for White" } }
                            }
                        }
                        p { (openings.summary()) }
                        (openings.maps(&format!("{id}-{}", row.setup.orientation()), &format!("{} at {turn}", plain(row.setup.game().board().name()))))
                    }
                    "\n"
                }
            }
            @for note in notes { p class="note" { (note) } }
            details {
                summary { "Every opening, and all figures" }
                (opening::table(&format!("{id}-openings"), &starts))
                (table::side_by_side(&format!("{id}-figures"), "All figures, as in the CSV.", &turns, &figures))
            }
        }
        "\n"
    }
}

/// Notes on the rows of a setup, each given once.
fn notes(block: Block<'_>) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if block.iter().any(|row| row.tempo == Some(Tempo::WholeHands)) {
        notes.push(
            "whole-hands: with best play from either start a pod is placed in every turn until a hand is empty, a race that \
             board and legs do not change.",
        );
    }
    if block.iter().any(|row| row.tempo == Some(Tempo::Parity)) {
        notes.push("parity: the winners are those of a race to place the whole hands.");
    }
    if block.iter().any(|row| row.verified.is_none() && row.outcome_class().is_some()) {
        notes.push("Where nothing stands under verified, not all values were derived a second time.");
    }
    if block.iter().any(|row| row.unknown_openings > 0) {
        notes.push("Openings that the limits left open are counted as unknown, and their outcomes are not guessed.");
    }
    notes
}
