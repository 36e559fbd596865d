//! First actions on boards: which pod on which point wins, draws, loses, or is not known.

use maud::{Markup, PreEscaped, Render as _, html};

use super::table::{self, Line, Table};
use crate::drawing::{Drawing, Mark, Worth, plain};
use crate::geometry::Point;
use crate::material::PodKind;
use crate::position::{Action, Game};

pub(super) struct OpeningValues {
    pub(super) game: Game,
    pub(super) placements: Vec<(PodKind, Point, Worth)>,
}

/// The outcomes in the order of the tables.
const OUTCOMES: [(&str, &str); 4] = [("win", "win"), ("draw", "draw"), ("loss", "lose"), ("unknown", "not known")];

impl OpeningValues {
    pub(super) fn new(game: Game, actions: impl IntoIterator<Item = (Action, Worth)>) -> OpeningValues {
        let placement = |(action, worth)| match action {
            Action::Place { kind, at } => Some((kind, at, worth)),
            // From an empty board there is nothing else.
            _ => None,
        };
        OpeningValues { placements: actions.into_iter().filter_map(placement).collect(), game }
    }

    fn kinds(&self) -> Vec<PodKind> {
        let mut kinds: Vec<PodKind> = self.placements.iter().map(|&(kind, ..)| kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }

    fn points(&self, kind: PodKind, outcome: &str) -> Vec<String> {
        let mut points: Vec<Point> =
            self.placements.iter().filter(|of| of.0 == kind && of.2.name() == outcome).map(|of| of.1).collect();
        points.sort();
        points.into_iter().map(|point| self.game.board().coord(point).to_string()).collect()
    }

    /// Returns the number of first actions of each outcome, in words.
    pub(super) fn summary(&self) -> String {
        let count = |outcome: &str| self.placements.iter().filter(|of| of.2.name() == outcome).count();
        let parts = OUTCOMES.iter().map(|(name, words)| (count(name), words)).filter(|&(count, _)| count > 0);
        let parts: Vec<String> = parts.map(|(count, words)| format!("{count} {words}")).collect();
        format!("Of {} openings {}", self.placements.len(), parts.join(", "))
    }

    /// Returns a map for each pod. `id` begins the ids, `place` says which start it is.
    pub(super) fn maps(&self, id: &str, place: &str) -> Markup {
        html! {
            div class="maps" {
                @for kind in self.kinds() {
                    @let letter = self.game.pods().id(kind);
                    @let name = plain(&self.game.pods().spec(kind).name);
                    @let marks = self.marks(kind);
                    @let said = self.description(kind);
                    figure {
                        (PreEscaped(Drawing::default()
                            .id(format!("{id}-{letter}"))
                            .title(format!("{place}: White opens with {letter}"))
                            .description(said)
                            .embedded()
                            .compact()
                            .board(self.game.board(), &marks)))
                        figcaption { "opens with " b { (letter) } @if !name.is_empty() { ", " (name) } }
                    }
                    "\n"
                }
            }
        }
    }

    fn marks(&self, kind: PodKind) -> Vec<Mark> {
        let of = |&(_, point, worth): &(PodKind, Point, Worth)| Mark::Value { point, worth };
        self.placements.iter().filter(|of| of.0 == kind).map(of).collect()
    }

    fn description(&self, kind: PodKind) -> String {
        let part = |(name, words): &(&str, &str)| {
            let points = self.points(kind, name);
            (!points.is_empty()).then(|| format!("{words}: {}", points.join(" ")))
        };
        OUTCOMES.iter().filter_map(part).collect::<Vec<String>>().join("; ")
    }

    /// Returns the lines of a table: a pod, then the points of each outcome.
    fn lines(&self) -> Vec<(String, [Vec<String>; 4])> {
        let line = |kind| {
            let letter = self.game.pods().id(kind).to_string();
            (letter, OUTCOMES.map(|(name, _)| self.points(kind, name)))
        };
        self.kinds().into_iter().map(line).collect()
    }
}

/// Returns all maps again as text: a line for each start and pod.
pub(super) fn table(id: &str, starts: &[(String, &OpeningValues)]) -> Markup {
    let cell = |points: Vec<String>| match points.len() {
        0 => table::cell("0"),
        many => table::cell(format!("{many}: {}", points.join(" "))),
    };
    let lines = starts.iter().flat_map(|(turn, openings)| {
        let lines = openings.lines().into_iter();
        lines.map(move |(pod, lists)| {
            Line::new(html! { (turn) }, [table::cell(pod)].into_iter().chain(lists.into_iter().map(cell)))
        })
    });
    let table = Table {
        id,
        class: "points",
        caption: html! { "White’s first actions: on which points a pod wins, draws, loses, or is not known." },
        heads: table::texts(["Turn", "Pod", "Wins on", "Draws on", "Loses on", "Not known on"]),
        lines: lines.collect(),
    };
    table.render()
}
