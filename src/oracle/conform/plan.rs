//! Which games and positions a program is asked about.

use rand_pcg::Pcg64;

use super::seeded;
use crate::engine::{Bitboard, Engine, crosscheck};
use crate::geometry::Orientation;
use crate::material::{Side, builtin_board, builtin_pods};
use crate::oracle::illegal::below;
use crate::oracle::record::named;
use crate::position::{Action, Game, Hand, Position};
use crate::rules::{Preset, RuleSet};

/// A game and some of its positions.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The game.
    pub game: Game,
    /// The positions, in the order of play.
    pub positions: Vec<Position>,
}

/// Built-in boards and pods, the small ones more often.
const BUILT_IN: &[(&str, &str)] = &[
    ("ring8", "trio"),
    ("nook9", "four"),
    ("den12", "four"),
    ("nook9", "duo"),
    ("den12", "mini5"),
    ("lair16", "mini5"),
    ("ring8", "four"),
    ("cave16", "four"),
    ("lair16", "mini7"),
    ("nook9", "mini5"),
    ("cave25", "mini7"),
    ("cave36", "pods14"),
];

/// Positions taken from one game.
const POSITIONS: usize = 8;

/// The games and positions of a number, the same for the same seed. Of three numbers, the first is a random game on a
/// built-in board; the second a random board with random pods, both under one of the presets, each of which has its turn;
/// the third has random rules too, unless `only_presets`.
#[must_use]
pub fn scenario(seed: u64, number: u64, presets: &[Preset], only_presets: bool) -> Scenario {
    let mut random = seeded(seed, number);
    let preset = RuleSet::from(presets[(number / 3) as usize % presets.len().max(1)]);
    if number.is_multiple_of(3) {
        return built_in(preset, (number / 3) as usize / presets.len().max(1), &mut random);
    }
    let case = crosscheck::case(seed, number);
    let random_game = case.game();
    let rules = if number % 3 == 2 && !only_presets { *random_game.rules() } else { preset };
    let (board, pods) = (random_game.board().clone(), random_game.pods().clone());
    // Without any bipod nobody could open (R9).
    let bipod = pods.kinds().any(|kind| pods.is_bipod(kind));
    let rules = if bipod { rules } else { rules.with("opening", "any").unwrap_or(rules) };
    let game = Game::new(board, pods, named(rules));
    let first = case.position(&game);
    let positions = walk(&game, first, 12, &mut random);
    Scenario { positions: some(positions, &mut random), game }
}

fn built_in(rules: RuleSet, round: usize, random: &mut Pcg64) -> Scenario {
    let (board, pods) = BUILT_IN[round % BUILT_IN.len()];
    let board = builtin_board(board).expect("it is built in");
    let pods = builtin_pods(pods).expect("it is built in");
    let game = Game::new(board.turned(Orientation::ALL[below(random, 4)]), pods, rules);
    let whole = Hand::whole(game.pods());
    let first = if below(random, 5) == 0 { Side::Black } else { Side::White };
    let start = game.start(whole, whole, first).expect("the built-in sets have a bipod");
    let positions = walk(&game, start, 40, random);
    Scenario { positions: some(positions, random), game }
}

/// A random game from a position; now and then a move is preferred to a placement, so that boards get crowded and stirred.
pub(in crate::oracle) fn walk(game: &Game, start: Position, plies: usize, random: &mut Pcg64) -> Vec<Position> {
    let engine = Bitboard::new(game.clone());
    let mut positions = vec![start];
    for _ in 0..plies {
        let here = &positions[positions.len() - 1];
        let actions = engine.actions(here);
        if actions.is_empty() {
            break;
        }
        let moves: Vec<Action> =
            actions.iter().copied().filter(|action| !matches!(action, Action::Place { .. })).collect();
        let from = if moves.is_empty() || below(random, 2) == 0 { &actions } else { &moves };
        let action = from[below(random, from.len())];
        let Some(result) = engine.apply(here, action) else { break };
        positions.push(result.next);
    }
    positions
}

/// At most [`POSITIONS`] of these, in their order, the last one always.
fn some(mut positions: Vec<Position>, random: &mut Pcg64) -> Vec<Position> {
    while positions.len() > POSITIONS {
        positions.remove(below(random, positions.len() - 1));
    }
    positions
}
