//! Texts of drawings: names that a drawing can show, and positions in words for readers who cannot
//! see them.

use crate::geometry::Point;
use crate::material::{Board, Legs, PodKind, PodSet, Reach, Side};
use crate::position::{Game, Position};

/// Returns the text on one line, without control characters, marks that turn the direction of
/// writing, and what XML does not allow: names and sources come from files.
pub(crate) fn plain(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
    };
    text.chars().map(|c| if hidden(c) { ' ' } else { c }).collect()
}

/// Returns the letter of a pod: upper-case for White, lower-case for Black.
pub(super) fn letter(pods: &PodSet, kind: PodKind, side: Side) -> char {
    match side {
        Side::White => pods.id(kind).to_ascii_uppercase(),
        Side::Black => pods.id(kind),
    }
}

pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// Returns words such as `board cave36, orientation 90`.
pub(super) fn board_title(board: &Board) -> String {
    format!("board {}, orientation {}°", plain(board.name()), board.orientation())
}

/// Returns words such as `short n se, long SW`.
pub(super) fn legs(legs: Legs) -> String {
    let of = |reach: Reach, word: &str| {
        let names: Vec<String> = legs.iter().filter(|leg| leg.reach == reach).map(|leg| leg.to_string()).collect();
        (!names.is_empty()).then(|| format!("{word} {}", names.join(" ")))
    };
    let parts: Vec<String> = [of(Reach::Short, "short"), of(Reach::Long, "long")].into_iter().flatten().collect();
    parts.join(", ")
}

pub(super) fn point(board: &Board, point: Point) -> String {
    board.coord(point).to_string()
}

/// Describes a position: side to move, pods and hands.
pub(super) fn position(game: &Game, position: &Position) -> String {
    let side = |side: Side| {
        let on: Vec<String> = position
            .pods()
            .filter(|(_, pod)| pod.side == side)
            .map(|(at, pod)| format!("{} on {}", game.pods().id(pod.kind), point(game.board(), at)))
            .collect();
        let on = if on.is_empty() { "none".to_owned() } else { on.join(", ") };
        let hand = position.hand(side);
        let hand = if hand.is_empty() { "empty".to_owned() } else { hand.display(game.pods()).to_string() };
        format!("{side}'s pods: {on}; hand: {hand}.")
    };
    format!("{} to move. {} {}", position.to_move(), side(Side::White), side(Side::Black))
}
