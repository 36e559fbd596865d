//! The page of `--full`: how often the first player wins the positions that play leads to, with
//! intervals.

use maud::{Markup, Render as _, html};

use super::interval::{self, percent, range};
use super::opening::{self, OpeningValues};
use super::table::{self, Line, Table};
use super::{About, Page, key, setup_words};
use crate::drawing::{Worth, plain};
use crate::files::Thousands;
use crate::material::Side;
use crate::report::NamedSetup;
use crate::report::full::{Plan, Row, Source, Summary};

/// Returns the summaries as a page, with maps of the openings among the rows.
///
/// # Errors
///
/// If the board or the pods of a setup can no longer be read.
pub fn full_page(plan: &Plan, rows: &[Row], summaries: &[Summary], about: About<'_>) -> String {
    let same = |a: &Summary, b: &Summary| a.setup.differs_in_turn_at_most(&b.setup);
    let blocks: Vec<&[Summary]> = summaries.chunk_by(same).collect();
    let id = |block: usize| format!("setup-{}", block + 1);
    let title = |block: &[Summary]| format!("{}; {}", setup_words(&block[0].setup), block[0].setup.rules());
    let mut body = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        body.push(section(&id(i), &title(block), block, rows));
    }
    let page = Page {
        title: "Who is favoured on the way: solved positions of a game too large to solve",
        introduction: html! {
            p {
                "Positions are drawn after some plies of random and of strong play, and each is solved within "
                (Thousands(u128::from(plan.nodes))) " nodes. The first player is White. Shares are of the positions that such \
                 play leads to; they do not say who wins from the start. Strong play is heuristic."
            }
            (key())
        },
        sections: blocks.iter().enumerate().map(|(i, block)| (id(i), title(block))).collect(),
        body: html! { @for part in body { (part) } },
        about,
    };
    page.text()
}

fn section(id: &str, title: &str, block: &[Summary], rows: &[Row]) -> Markup {
    let mut openings: Vec<(String, OpeningValues)> = Vec::new();
    for summary in block.iter().filter(|summary| summary.source == Source::Opening) {
        openings.push((format!("{}°", summary.setup.orientation()), of_rows(&summary.setup, rows)));
    }
    let starts: Vec<(String, &OpeningValues)> = openings.iter().map(|(turn, of)| (turn.clone(), of)).collect();
    let board = plain(block[0].setup.board());
    let figures: Vec<_> = block.iter().map(Summary::record).collect();
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (title) }
            (shares(&format!("{id}-shares"), block))
            @if !openings.is_empty() {
                div class="cards" {
                    @for (turn, openings) in &openings {
                        article class="card" {
                            h3 { (turn) ": openings" }
                            p { (openings.summary()) }
                            (openings.maps(&format!("{id}-{}", turn.trim_end_matches('°')), &format!("{board} at {turn}")))
                        }
                        "\n"
                    }
                }
                (opening::table(&format!("{id}-openings"), &starts))
            }
            (table::wide(&format!("{id}-figures"), "All figures.", &figures))
        }
        "\n"
    }
}

/// Returns the openings of a setup among the rows.
fn of_rows(setup: &NamedSetup, rows: &[Row]) -> OpeningValues {
    let game = setup.game().clone();
    let worth = |winner: Option<Side>| match winner {
        None => Worth::Unknown,
        Some(Side::White) => Worth::Win(None),
        Some(Side::Black) => Worth::Loss(None),
    };
    let of = rows.iter().filter(|row| row.task.source == Source::Opening && row.setup == *setup);
    let actions: Vec<_> =
        of.filter_map(|row| Some((game.parse_action(row.task.opening.as_deref()?).ok()?, worth(row.winner)))).collect();
    OpeningValues::new(game, actions)
}

/// Returns the shares of samples, each with a picture of its intervals.
fn shares(id: &str, block: &[Summary]) -> Markup {
    let line = |summary: &Summary| {
        let share = summary.share;
        let cells = [
            summary.source.to_string(),
            summary.ply.to_string(),
            share.positions().to_string(),
            share.wins.to_string(),
            share.losses.to_string(),
            share.unknown.to_string(),
            share.of_solved().map_or("–".to_owned(), percent),
            range(summary.interval()),
            range(share.widest()),
        ];
        let picture = interval::picture(share.widest(), summary.interval(), share.of_solved());
        let picture = html! { td class="picture" { (picture) } };
        Line::new(html! { (summary.setup.orientation()) "°" }, cells.into_iter().map(table::cell).chain([picture]))
    };
    let table = Table {
        id,
        class: "shares",
        caption: html! {
            "How many of the drawn positions the first player wins. In the picture, from 0 to 100 %: the dot is the share among \
             solved positions, the thick line its 95 % interval, the thin line what holds of all, whatever the unsolved ones are."
        },
        heads: table::texts([
            "Turn",
            "Play",
            "Ply",
            "Positions",
            "Wins",
            "Loses",
            "Unsolved",
            "Share of solved",
            "95 % interval",
            "Of all",
            "0 % · 50 % · 100 %",
        ]),
        lines: block.iter().filter(|summary| summary.source != Source::Opening).map(line).collect(),
    };
    table.render()
}
