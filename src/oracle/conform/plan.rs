//! Choice of the games and positions that a program is asked about.

use rand_pcg::Pcg64;

use crate::engine::crosscheck;
use crate::geometry::Orientation;
use crate::material::{Side, builtin_board, builtin_pods};
use crate::oracle::draw::{below, rules, seeded, set_up, walk};
use crate::position::{Game, Hand, Position};
use crate::rules::{Preset, RuleSet};

/// A game and some of its positions.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
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

/// Draws game `number` of the run from `seed`, and some of its positions. Four sorts of games take
/// turns: a random game on a built-in board; a random board with random pods; a built-in board set
/// up at random; a random board with random pods and random rules. The first three are played under
/// each preset in turn, but half of the third sort under random rules with moves and shoves. With
/// `only_presets`, no rules are random.
///
/// # Panics
///
/// If `presets` is empty.
pub(crate) fn scenario(seed: u64, number: u64, presets: &[Preset], only_presets: bool) -> Scenario {
    let mut random = seeded(seed, number);
    let round = (number / 4) as usize;
    let preset = RuleSet::from(presets[round % presets.len().max(1)]);
    let round = round / presets.len().max(1);
    match number % 4 {
        0 => return built_in(preset, round, false, &mut random),
        2 => {
            // Half of the set-ups are about shoves and kicks, which are rare in play.
            let pushes = |rules: RuleSet| rules.with("moves", "on").and_then(|rules| rules.with("shoves", "on"));
            let drawn =
                if only_presets || below(&mut random, 2) == 0 { Ok(preset) } else { pushes(rules(&mut random)) };
            return built_in(drawn.unwrap_or(preset).shortest(), round, true, &mut random);
        }
        _ => {}
    }
    let case = crosscheck::case(seed, number);
    let random_game = case.game();
    let rules = if number % 4 == 3 && !only_presets { *random_game.rules() } else { preset };
    let (board, pods) = (random_game.board().clone(), random_game.pods().clone());
    // Without any bipod nobody could open (R9).
    let bipod = pods.kinds().any(|kind| pods.is_bipod(kind));
    let rules = if bipod { rules } else { rules.with("opening", "any").unwrap_or(rules) };
    let game = Game::new(board, pods, rules.shortest());
    let first = case.position(&game);
    let positions = walk(&game, first, 12, &mut random);
    Scenario { positions: some(positions, &mut random), game }
}

fn built_in(rules: RuleSet, round: usize, set: bool, random: &mut Pcg64) -> Scenario {
    let (board, pods) = BUILT_IN[round % BUILT_IN.len()];
    let board = builtin_board(board).expect("it is built in");
    let pods = builtin_pods(pods).expect("it is built in");
    let game = Game::new(board.turned(Orientation::ALL[below(random, 4)]), pods, rules);
    if set {
        let positions = (0..POSITIONS / 2).filter_map(|_| set_up(&game, usize::MAX, random)).collect::<Vec<_>>();
        let positions = positions.into_iter().flat_map(|position| walk(&game, position, 1, random)).collect();
        return Scenario { positions, game };
    }
    let whole = Hand::whole(game.pods());
    let first = if below(random, 5) == 0 { Side::Black } else { Side::White };
    let start = game.start(whole, whole, first).expect("the built-in sets have a bipod");
    let positions = walk(&game, start, 40, random);
    Scenario { positions: some(positions, random), game }
}

/// Chooses at most [`POSITIONS`] of these, in their order, the last one always.
fn some(mut positions: Vec<Position>, random: &mut Pcg64) -> Vec<Position> {
    while positions.len() > POSITIONS {
        positions.remove(below(random, positions.len() - 1));
    }
    positions
}
