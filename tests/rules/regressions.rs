//! Cases in which the engines once differed, or nearly would, as `pods crosscheck` prints them.

use pods::engine::crosscheck::compare;
use pods::engine::{Bitboard, Reference};
use pods::material::{PodSet, PodSpec};
use pods::position::Game;

/// Asserts that the engines agree in everything they say of a position.
fn agree(picture: &str, pods: &[(&str, &str, u8)], rules: &str, position: &str) {
    let specs = pods.iter().map(|(id, legs, count)| PodSpec {
        id: id.chars().next().unwrap(),
        name: String::new(),
        legs: legs.parse().unwrap(),
        count: *count,
    });
    let pods = PodSet::new("regression", "test", specs.collect()).unwrap();
    let game = Game::new(crate::common::board(picture), pods, rules.parse().unwrap());
    let position = crate::common::position(&game, position);
    compare(&Reference::new(game.clone()), &Bitboard::new(game), &position).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn engines_agree_on_a_kick_that_ends_beyond_a_missing_line_but_not_one_that_passes_it() {
    agree(
        "\no-o-o o-o\n",
        &[("a", "E", 1), ("b", "w", 1)],
        "very-advanced+kick-gaps=last-step+opening=any",
        "Ab3 w b a -",
    );
}

#[test]
fn engines_agree_on_a_shove_of_a_row_of_three_against_a_missing_line() {
    agree("\no-o-o-o o\n", &[("a", "E", 1), ("b", "w e", 3)], "very-advanced+opening=any", "ABbB1 w b ab2 -");
}

#[test]
fn engines_agree_on_a_line_around_the_edge_of_a_board_with_holes() {
    // Numbers of points jump by different amounts here: a step that forgets it would lead to
    // another row.
    agree(
        "\no   o-o\n \\   X\no-o-o o\n     X|\no   o-o\n",
        &[("a", "N E S W", 2), ("b", "NE se SW nw", 2)],
        "very-advanced+attack-through=on+opening=any",
        "A2b/1a2/3B w a ab -",
    );
}

#[test]
fn engines_agree_on_a_pod_saved_from_capture_by_a_shove_of_its_own() {
    agree(
        "\no-o-o\n",
        &[("a", "e", 1), ("b", "w e", 1)],
        "very-advanced+shove-liberty=on+captures=every-turn+opening=any",
        "Ab1 w b a -",
    );
}
