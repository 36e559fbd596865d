//! A game for others: one page that needs no program, and the board as a picture.

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::setting::{Course, Setting};
use crate::drawing::{Chart, Curve, Drawing, Knot, Scale, plain};
use crate::engine::{Engine as _, Status, why_won};
use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS, Side};
use crate::report::Origins;
use crate::report::page::{About, Page};

/// Returns the file of a board or of pods, given by a built-in name or as it stands.
fn file(built_in: &[(&str, &str)], text: &str) -> String {
    built_in.iter().find(|(name, _)| *name == text).map_or(text, |(_, file)| file).to_owned()
}

/// Returns what has come of the game, in a sentence.
fn result(course: &Course) -> String {
    match course.engine.status(course.now()) {
        Status::Ongoing => format!("{} is to move.", course.now().to_move()),
        Status::Won(winner) => format!("{winner} has won: {}.", why_won(course.game(), course.now())),
    }
}

fn list(course: &Course) -> Markup {
    let game = course.game();
    let pods = |kinds: &[_]| game.pods().ids(kinds).join(" ");
    html! {
        ol {
            @for played in &course.played {
                li {
                    (played.before.to_move()) ": " code { (played.action.display(game)) }
                    @if !played.led_to.returned.is_empty() { "; back in hand: " (pods(&played.led_to.returned)) }
                    @if !played.led_to.removed.is_empty() { "; out of the game: " (pods(&played.led_to.removed)) }
                }
            }
        }
    }
}

/// Draws how many actions the side to move had.
fn freedom(course: &Course) -> String {
    let positions: Vec<_> = course.played.iter().map(|played| &played.before).chain([course.now()]).collect();
    let curve = |side: Side| {
        let own = positions.iter().enumerate().filter(|(_, position)| position.to_move() == side);
        let knots = own.map(|(ply, position)| Knot {
            across: ply as f64,
            value: Some(course.engine.sorted_actions(position).len() as f64),
            band: None,
        });
        Curve { name: side.to_string(), series: side.index(), knots: knots.collect() }
    };
    let curves = Side::BOTH.map(curve).into_iter().filter(|curve| !curve.knots.is_empty()).collect::<Vec<_>>();
    let up = Scale::around("actions", curves.iter().flat_map(|curve| &curve.knots).filter_map(|knot| knot.value));
    let across = Scale::around("plies played", [positions.len().saturating_sub(1).max(1) as f64]);
    let chart = Chart { title: "Legal actions".to_owned(), across, up, curves, field: [340.0, 150.0] };
    Drawing::default().embedded().charts(&[chart], 1, "How free each side was", "Legal actions of the side to move")
}

/// Makes files that anybody can open: the game as a page of HTML, the position with both hands as
/// SVG, board and pods as they stand in files.
pub(super) fn answer(setting: &Setting) -> Result<Value, Refusal> {
    let course = setting.course()?;
    let (game, files) = (course.game(), [file(BUILTIN_BOARDS, &setting.board), file(BUILTIN_PODS, &setting.pods)]);
    let position = course.now().display(game).to_string();
    let title = format!("A game of PODS on {}", plain(game.board().name()));
    let origins = Origins::of([game]);
    let body = html! {
        figure { (PreEscaped(Drawing::default().embedded().position(game, course.now(), &[]))) }
        @if !course.played.is_empty() {
            h2 { "Actions" }
            (list(&course))
            figure { (PreEscaped(freedom(&course))) }
        }
        details {
            summary { "Position, board and pods as text" }
            p { code { (position) } }
            @for file in &files { pre { (file) } }
        }
    };
    let introduction = html! {
        p class="verdict" { (result(&course)) }
        p {
            "Board " (plain(game.board().name())) " turned by " (setting.turn) "°, pods " (plain(game.pods().name())) ", rules "
            (game.rules()) "; " (course.played.len()) " plies played."
        }
    };
    let page = Page { title: &title, introduction, sections: Vec::new(), body, about: About::new("explore", &origins) };
    Ok(json!({ "page": page.text(), "picture": Drawing::default().position(game, course.now(), &[]), "files": files }))
}
