//! The report page: how often the first player wins, at each strength, with intervals.

use maud::{Markup, PreEscaped, Render as _, html};

use super::plan::Balance;
use super::row::{PlayedRecord, Row};
use crate::drawing::{Drawing, plain};
use crate::files::{Record as _, Thousands};
use crate::report::page::interval::picture;
use crate::report::page::table::{self, Line, Table};
use crate::report::page::{About, Page, setup_words};
use crate::rules::RuleSet;
use crate::statistics::{Interval, percent};

#[must_use]
pub(crate) fn balance_page(balance: &Balance, rows: &[Row], about: About<'_>) -> String {
    let same = |a: &Row, b: &Row| a.start.setup.has_same_material(&b.start.setup);
    let mut blocks: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        match blocks.iter_mut().find(|block| same(block[0], row)) {
            Some(block) => block.push(row),
            None => blocks.push(vec![row]),
        }
    }
    let id = |block: usize| format!("setup-{}", block + 1);
    let sections = blocks.iter().enumerate().map(|(i, block)| (id(i), setup_words(&block[0].start.setup))).collect();
    let body = html! { @for (i, block) in blocks.iter().enumerate() { (section(&id(i), block)) } };
    let page =
        Page { title: "Who is favoured by play", introduction: introduction(balance, &blocks), sections, body, about };
    page.text()
}

fn introduction(balance: &Balance, blocks: &[Vec<&Row>]) -> Markup {
    let plies = balance.opening_plies;
    let s = if plies == 1 { "" } else { "s" };
    html! {
        @for block in blocks {
            p class="verdict" {
                @if blocks.len() > 1 { (setup_words(&block[0].start.setup)) ": " }
                (summary(block))
            }
        }
        p {
            "The program plays itself. A game begins with " (plies) " random placement" (s) ", which all rules of a setup allow \
             and none answers with a capture, so that rules and strengths are compared on the same openings. From there both \
             sides look at the given number of positions before each action. "
            strong { "Shares are those of play of this strength from such openings: nothing is solved, and better play may \
             favour the other side." }
        }
        p {
            "No rule ends a game in which positions repeat (R21). Here a game is drawn when a position has come up "
            (balance.conventions.repetitions) " times, and after " (balance.conventions.plies) " plies; draws stand apart from wins and \
             losses. With equal hands the game that Black starts is the one that White starts on the board turned by 180°."
        }
    }
}

fn section(id: &str, block: &[&Row]) -> Markup {
    let records: Vec<PlayedRecord> = block.iter().map(|row| row.record()).collect();
    let header = PlayedRecord::header();
    let (results, course) = header.split_at(header.iter().position(|name| *name == COURSE).unwrap_or(header.len()));
    let course = [&IDENTITY, course].concat();
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (setup_words(&block[0].start.setup)) }
            (boards(id, block))
            (shares(&format!("{id}-shares"), block))
            details {
                summary { "Changes by rules, ends of games, all figures" }
                @if block.iter().any(|row| row.change.is_some()) { (changes(&format!("{id}-changes"), block)) }
                (courses(&format!("{id}-courses"), block))
                (table::some(&format!("{id}-figures"), "All figures of results and ends.", results, &records))
                (table::some(&format!("{id}-more"), "All figures of the course of games and of changes.", &course, &records))
            }
        }
        "\n"
    }
}

/// Returns what games tell of who is favoured, never more than "probably".
fn judged(row: &Row) -> String {
    let starter = row.start.first;
    match row.first.of_decided() {
        None => "Nobody won a game".to_owned(),
        Some((_, interval)) if interval.low > 0.5 => format!("Probably not fair, in favour of {starter}"),
        Some((_, interval)) if interval.high < 0.5 => format!("Probably not fair, in favour of {}", starter.other()),
        Some((_, interval)) if interval.low >= 0.4 && interval.high <= 0.6 => {
            "Probably fair, as far as games tell".to_owned()
        }
        Some(_) => "Too few games to say".to_owned(),
    }
}

/// Returns the share of the side that starts in words.
fn share_in_words(row: &Row) -> String {
    let starter = row.start.first;
    let Some((share, Interval { low, high })) = row.first.of_decided() else {
        return format!("{starter} starts, and all games are draws");
    };
    let decided = row.first.wins + row.first.losses;
    let s = if decided == 1 { "" } else { "s" };
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    let (share, low, high) = (percent(share), percent(low), percent(high));
    format!("{starter}, who starts, wins {share} % (likely {low} to {high} %) of {decided} decided game{s}")
}

/// Returns the first rules of a block, its highest strength, and the rows of both.
fn strongest<'r>(block: &[&'r Row]) -> (RuleSet, u64, Vec<&'r Row>) {
    let (rules, nodes) = (block[0].start.setup.rules(), block.iter().map(|row| row.nodes).max().unwrap_or(0));
    let these = block.iter().copied().filter(|row| row.start.setup.rules() == rules && row.nodes == nodes);
    (rules, nodes, these.collect())
}

/// Returns the judgements of all starts, those that are the same together.
fn summary(block: &[&Row]) -> String {
    let mut judgements: Vec<(String, Vec<String>)> = Vec::new();
    for row in strongest(block).2 {
        let start = format!("{}° with {} to start", row.start.setup.orientation(), row.start.first);
        let judged = judged(row);
        match judgements.iter_mut().find(|of| of.0 == judged) {
            Some((_, starts)) => starts.push(start),
            None => judgements.push((judged, vec![start])),
        }
    }
    let parts: Vec<String> =
        judgements.iter().map(|(judged, starts)| format!("{judged}: {}.", starts.join(", "))).collect();
    parts.join(" ")
}

/// Shows each way the board lies, with what the strongest games under the first rules tell of it.
fn boards(id: &str, block: &[&Row]) -> Markup {
    let (rules, nodes, these) = strongest(block);
    let mut turns: Vec<Vec<&Row>> = Vec::new();
    for row in these {
        match turns.iter_mut().find(|turn| turn[0].start.setup.orientation() == row.start.setup.orientation()) {
            Some(turn) => turn.push(row),
            None => turns.push(vec![row]),
        }
    }
    html! {
        p { "By play under the rules " (rules) ", each side looking at " (Thousands(u128::from(nodes))) " positions; nothing is proven." }
        div class="cards" {
            @for (i, rows) in turns.iter().enumerate() {
                @let setup = &rows[0].start.setup;
                @let turn = setup.orientation();
                @let board = setup.game().board();
                article class="card" aria-labelledby=(format!("{id}-{turn}")) {
                    h3 id=(format!("{id}-{turn}")) { (turn) "°" }
                    @for row in rows { p class="verdict" { (judged(row)) "." } p { (share_in_words(row)) "." } }
                    // The others are the same board, turned.
                    @if i == 0 {
                        figure {
                            (PreEscaped(Drawing::default()
                                .id(format!("{id}-{turn}-board"))
                                .title(format!("{} turned by {turn}°", plain(board.name())))
                                .description(format!("{} points, {} lines", board.len(), board.line_count()))
                                .embedded()
                                .compact()
                                .board(board, &[])))
                        }
                    }
                }
                "\n"
            }
        }
    }
}

/// The column at which the second table begins, on the course of games: a single table would be too
/// wide for paper.
const COURSE: &str = "mean_plies";

/// The columns that identify a row, repeated in the second table.
const IDENTITY: [&str; 4] = ["orientation", "rules", "starts", "nodes"];

/// Returns the key of a row: its head, and its first cells.
fn about(row: &Row) -> (Markup, [String; 3]) {
    let (orientation, rules) = (row.start.setup.orientation(), row.start.setup.rules());
    let nodes = Thousands(u128::from(row.nodes)).to_string();
    (html! { (orientation) "°" }, [rules.to_string(), row.start.first.to_string(), nodes])
}

const ABOUT: [&str; 4] = ["Turn", "Rules", "Starts", "Nodes"];

fn shares(id: &str, block: &[&Row]) -> Markup {
    let line = |row: &&Row| {
        let (head, first) = about(row);
        let share = row.first.of_decided();
        let cells = [
            row.first.games().to_string(),
            row.first.wins.to_string(),
            row.first.losses.to_string(),
            row.first.draws.to_string(),
            share.map_or("–".to_owned(), |(share, _)| percent(share)),
            share.map_or("–".to_owned(), |(_, interval)| interval.to_string()),
        ];
        let picture = picture(share.map(|(_, interval)| interval), share.map(|(share, _)| share));
        let picture = html! { td class="picture" { (picture) } };
        Line::new(head, first.into_iter().chain(cells).map(table::cell).chain([picture]))
    };
    let heads = ["Games", "Wins", "Losses", "Draws", "Share of decided", "95 % interval"];
    let table = Table {
        id,
        class: "shares",
        caption: html! {
            "How many games the player who starts wins, by play of this strength. In the picture, from 0 to 100 %: the dot is the \
             share of wins among decided games, the thick line its 95 % interval."
        },
        heads: table::texts(ABOUT.into_iter().chain(heads).chain(["0 % · 50 % · 100 %"])),
        lines: block.iter().map(line).collect(),
    };
    table.render()
}

/// Shows the changes by rules on the same openings.
fn changes(id: &str, block: &[&Row]) -> Markup {
    let line = |row: &&Row| {
        let change = row.change?;
        let (head, first) = about(row);
        let signed = |share: f64| format!("{:+.1}", 100.0 * share);
        let difference = change.difference();
        let cells = [
            change.base.to_string(),
            change.openings().to_string(),
            change.lost_to_won.to_string(),
            change.won_to_lost.to_string(),
            difference.map_or("–".to_owned(), |(difference, _)| signed(difference)),
            difference.map_or("–".to_owned(), |(_, i)| format!("{} to {}", signed(i.low), signed(i.high))),
        ];
        Some(Line::new(head, first.into_iter().chain(cells).map(table::cell)))
    };
    let heads = ["Against", "Openings", "Lost, now won", "Won, now lost", "Points of per cent", "95 % interval"];
    let table = Table {
        id,
        class: "changes",
        caption: html! {
            "What rules change for the player who starts, by the openings whose games are decided under both, at the same strength."
        },
        heads: table::texts(ABOUT.into_iter().chain(heads)),
        lines: block.iter().filter_map(line).collect(),
    };
    table.render()
}

fn courses(id: &str, block: &[&Row]) -> Markup {
    let line = |row: &&Row| {
        let (head, first) = about(row);
        let mean = |figure: u64| row.mean(figure).map_or("–".to_owned(), |mean| format!("{mean:.1}"));
        let proof = row.proof().map(|(ply, before)| [ply, before].map(|mean| format!("{mean:.1}")));
        let cells = row.ends.map(|count| count.to_string()).into_iter().chain([
            mean(row.plies),
            row.longest.to_string(),
            mean(row.removed),
            mean(row.returned),
            row.proven.to_string(),
        ]);
        let cells = cells.chain(proof.unwrap_or_else(|| ["–".to_owned(), "–".to_owned()]));
        let cells = cells.chain([row.proven_lost.to_string()]);
        Line::new(head, first.into_iter().chain(cells).map(table::cell))
    };
    let heads = [
        "Empty hand",
        "No action",
        "Repetition",
        "Length",
        "Plies",
        "Longest",
        "Captured",
        "Returned",
        "Proven",
        "after plies",
        "before the end",
        "and not kept",
    ];
    let table = Table {
        id,
        class: "figures wide",
        caption: html! {
            "How games ended, and means of a game: plies, pods captured for good, pods that came back to their owner's hand. Proven: games \
             in which a player had a proof of how the game ends before it did, after how many plies on average, how many before the \
             end, and how many games ended otherwise."
        },
        heads: table::texts(ABOUT.into_iter().chain(heads)),
        lines: block.iter().map(line).collect(),
    };
    table.render()
}
