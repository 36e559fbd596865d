//! The page of `pods report readings`: what depends on which rule.

use maud::{Markup, html};

use super::table::{self, Line, Table};
use super::{About, Page, key, setup_words, value, worth};
use crate::report::{BalanceRow, Reading, ReadingRow, SetupRecord};
use crate::rules::{Clause, RuleSet};

/// Change that a reading makes in a setup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// The winner of at least one of the two starts.
    Outcome,
    Details,
    Nothing,
    Unknown,
}

fn change(row: &ReadingRow) -> Change {
    match (row.outcome_changed(), row.plies_changed(), row.openings_changed()) {
        (Some(true), ..) => Change::Outcome,
        (None, ..) => Change::Unknown,
        (_, Some(true), _) | (_, _, Some(true)) => Change::Details,
        (_, None, _) | (_, _, None) => Change::Unknown,
        _ => Change::Nothing,
    }
}

#[must_use]
pub(crate) fn readings_page(rows: &[ReadingRow], about: About<'_>) -> String {
    let mut sorted: Vec<&ReadingRow> = rows.iter().collect();
    sorted.sort_by_key(|row| {
        let setup = &row.reading.setup;
        let SetupRecord { board, pods, white_hand, black_hand, .. } = setup.record();
        let setup = (board, pods, white_hand, black_hand);
        (
            setup,
            row.reading.base,
            row.reading.clause,
            row.reading.setup.rules().to_string(),
            row.reading.setup.orientation(),
        )
    });
    let blocks: Vec<&[&ReadingRow]> = sorted.chunk_by(|a, b| title(a) == title(b)).collect();
    let id = |block: usize| format!("setup-{}", block + 1);
    let sections = blocks.iter().enumerate().map(|(i, block)| (id(i), title(block[0])));
    let figures: Vec<_> = rows.iter().map(ReadingRow::record).collect();
    let page = Page {
        title: "What hangs on which rule: every doubtful option, read otherwise",
        introduction: html! {
            p {
                "The sources answer some questions of the rules differently, or not at all. Each row changes one option of a \
                 preset and solves the setup again, with White and with Black to start."
            }
            (key())
        },
        sections: [("overview".to_owned(), "Overview".to_owned())]
            .into_iter()
            .chain(sections)
            .chain([("figures-heading".to_owned(), "All figures".to_owned())])
            .collect(),
        body: html! {
            (overview(rows))
            @for (i, block) in blocks.iter().enumerate() {
                (section(&id(i), block))
            }
            section aria-labelledby="figures-heading" {
                h2 id="figures-heading" { "All figures" }
                (table::wide("figures", "Every row of the CSV.", &figures))
            }
        },
        about,
    };
    page.text()
}

fn title(row: &ReadingRow) -> String {
    format!("{}; {}", setup_words(&row.reading.setup), row.reading.base)
}

fn option(reading: &Reading) -> (Clause, String) {
    let value = reading.setup.rules().value(reading.option).unwrap_or_default();
    (reading.clause, format!("{}={value}", reading.option))
}

/// Shows in how many setups each reading changes who wins, by preset.
fn overview(rows: &[ReadingRow]) -> Markup {
    let mut presets: Vec<RuleSet> = rows.iter().map(|row| row.reading.base).collect();
    presets.sort();
    presets.dedup();
    let mut options: Vec<(Clause, String)> = rows.iter().map(|row| option(&row.reading)).collect();
    options.sort();
    options.dedup();
    let line = |of: &(Clause, String)| {
        let rows = |preset| rows.iter().filter(move |row| row.reading.base == preset && option(&row.reading) == *of);
        Line::new(reading_words(of), presets.iter().map(|&preset| count(rows(preset))))
    };
    let table = Table {
        id: "overview-caption",
        class: "matrix",
        caption: html! {
            "In how many setups, turns counted one by one, a reading changes who wins from a start at least. Setups with an unknown \
             value are counted apart; – where the question does not come up."
        },
        heads: table::texts(["Reading".to_owned()].into_iter().chain(presets.iter().map(RuleSet::to_string))),
        lines: options.iter().map(line).collect(),
    };
    html! {
        section aria-labelledby="overview" {
            h2 id="overview" { "Who wins another way" }
            (table)
        }
        "\n"
    }
}

fn reading_words((clause, option): &(Clause, String)) -> Markup {
    html! { (clause) " " code { (option) } }
}

fn count<'a>(rows: impl Iterator<Item = &'a ReadingRow>) -> Markup {
    let changed: Vec<Option<bool>> = rows.map(ReadingRow::outcome_changed).collect();
    let of = |is| changed.iter().filter(|changed| **changed == is).count();
    let (yes, unknown) = (of(Some(true)), of(None));
    let known = changed.len() - unknown;
    html! {
        @if changed.is_empty() {
            td class="none" { "–" }
        } @else {
            td {
                (yes) " of " (known)
                @if unknown > 0 { ", " (unknown) " not known" }
                @if known > 0 {
                    svg class="bar" viewBox="0 0 100 8" aria-hidden="true" {
                        rect class="ground" width="100" height="8" rx="2" {}
                        rect class="part" width=(format!("{:.1}", 100.0 * yes as f64 / known as f64)) height="8" rx="2" {}
                    }
                }
            }
        }
    }
}

fn section(id: &str, block: &[&ReadingRow]) -> Markup {
    let mut turns: Vec<_> = block.iter().map(|row| row.reading.setup.orientation()).collect();
    turns.sort();
    turns.dedup();
    let base = |turn| block.iter().find(|row| row.reading.setup.orientation() == turn).map(|row| &row.base);
    let of_base = |row: Option<&BalanceRow>| html! { td { @if let Some(row) = row { (known(row)) } } };
    let preset = Line {
        class: Some("base"),
        ..Line::new(html! { (block[0].reading.base) }, turns.iter().map(|&turn| of_base(base(turn))))
    };
    let line = |of: &[&ReadingRow]| {
        let cell = |&turn| match of.iter().find(|row| row.reading.setup.orientation() == turn) {
            Some(row) => changed(row),
            None => table::cell("–"),
        };
        Line::new(reading_words(&option(&of[0].reading)), turns.iter().map(cell))
    };
    let caption_id = format!("{id}-caption");
    let table = Table {
        id: &caption_id,
        class: "changes",
        caption: html! {
            "White starts / Black starts, each for who starts; then White’s openings that win, draw and lose. Readings are compared \
             with the preset in the first line."
        },
        heads: table::by_turn("Reading", &turns),
        lines: [preset]
            .into_iter()
            .chain(block.chunk_by(|a, b| option(&a.reading) == option(&b.reading)).map(line))
            .collect(),
    };
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (title(block[0])) }
            (table)
        }
        "\n"
    }
}

fn known(row: &BalanceRow) -> Markup {
    let openings = match row.all_openings() {
        Some(of) => format!("openings {}/{}/{}", of.winning, of.drawing, of.losing),
        None => "openings not all known".to_owned(),
    };
    html! {
        (value(worth(row.white_first()))) " / " (value(worth(row.black_first())))
        div class="small" { (openings) }
    }
}

fn changed(row: &ReadingRow) -> Markup {
    let of = change(row);
    let (class, words) = match of {
        Change::Outcome => ("outcome", "◆ another outcome"),
        Change::Details => ("details", "◇ same outcome"),
        Change::Nothing => ("nothing", "no change"),
        Change::Unknown => ("unknown", "? not all known"),
    };
    html! {
        td class=(format!("change change-{class}")) {
            (words)
            @if of != Change::Nothing { div { (known(&row.changed)) } }
        }
    }
}
