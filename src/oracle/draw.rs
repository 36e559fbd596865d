//! Random games and set-up positions.

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use crate::engine::{Bitboard, Engine};
use crate::geometry::Coord;
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Position, UncheckedPosition};
use crate::rules::{OPTION_NAMES, Opening, Preset, RuleSet, option_values};

/// Returns the random number generator for item `number` of what is drawn from `seed`.
pub(super) fn seeded(seed: u64, number: u64) -> Pcg64 {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    Pcg64::from_seed(bytes)
}

/// Returns a random number from 0 to `limit` - 1; `limit` must be above 0.
pub(super) fn below(random: &mut Pcg64, limit: usize) -> usize {
    random.random_range(0..limit as u32) as usize
}

/// Returns the positions of a random game of at most `plies` plies from `start`, which comes first.
/// Half of the draws leave placements out if pods can move, so that boards get crowded and stirred.
pub(super) fn walk(game: &Game, start: Position, plies: usize, random: &mut Pcg64) -> Vec<Position> {
    let engine = Bitboard::new(game.clone());
    let mut positions = vec![start];
    for _ in 0..plies {
        let here = &positions[positions.len() - 1];
        let actions = engine.sorted_actions(here);
        if actions.is_empty() {
            break;
        }
        let moves: Vec<Action> =
            actions.iter().copied().filter(|action| !matches!(action, Action::Place { .. })).collect();
        let from = if moves.is_empty() || below(random, 2) == 0 { &actions } else { &moves };
        let action = from[below(random, from.len())];
        let Some(result) = engine.transition(here, action) else { break };
        positions.push(result.next);
    }
    positions
}

/// Returns a rule set with every option drawn anew.
pub(super) fn rules(random: &mut Pcg64) -> RuleSet {
    OPTION_NAMES.iter().fold(RuleSet::from(Preset::Standard), |rules, option| {
        let values = option_values(option).unwrap_or_default();
        rules.with(option, values[below(random, values.len())]).unwrap_or(rules)
    })
}

/// Returns a position set up at random: any density, any hands, blocked pods and finished games
/// included (R29, R31). At most `most` pods are in play for each side. `None` if what was drawn is
/// not a position of the game.
pub(super) fn set_up(game: &Game, most: usize, random: &mut Pcg64) -> Option<Position> {
    let (board, pods) = (game.board(), game.pods());
    let mut points: Vec<Coord> = board.points().map(|point| board.coord(point)).collect();
    points.shuffle(random);
    let filled = random.random_range(0..=100_u32);
    let held = random.random_range(0..=100_u32);
    let mut setup = UncheckedPosition {
        widths: vec![board.columns() as usize; board.rows() as usize],
        pods: Vec::new(),
        to_move: Side::BOTH[below(random, 2)],
        hands: [Vec::new(), Vec::new()],
        open: false,
    };
    let mut stock: Vec<(Side, PodKind)> = Vec::new();
    for side in Side::BOTH {
        let all = pods.kinds().flat_map(|kind| std::iter::repeat_n((side, kind), pods.spec(kind).count as usize));
        let mut own: Vec<(Side, PodKind)> = all.take(64).collect();
        own.shuffle(random);
        own.truncate(most);
        stock.extend(own);
    }
    stock.shuffle(random);
    let mut hands = [[0_u8; PodKind::MAX]; 2];
    // A hand is mostly not empty, for that ends most games.
    let mut keeps = [below(random, 6) > 0, below(random, 6) > 0];
    for (side, kind) in stock {
        if std::mem::take(&mut keeps[side.index()]) {
            hands[side.index()][kind.index()] += 1;
            continue;
        }
        // One point stays free.
        if random.random_range(0..100) < filled && points.len() > 1 {
            setup.pods.extend(points.pop().map(|coord| (coord, side, pods.id(kind))));
        } else if random.random_range(0..100) < held {
            hands[side.index()][kind.index()] += 1;
        }
    }
    for side in Side::BOTH {
        let counts = pods.kinds().map(|kind| (pods.id(kind), hands[side.index()][kind.index()]));
        setup.hands[side.index()] = counts.filter(|(_, count)| *count > 0).collect();
    }
    let mover = &setup.hands[setup.to_move.index()];
    let bipod = mover.iter().any(|(id, _)| pods.kind(*id).is_some_and(|kind| pods.is_bipod(kind)));
    setup.open = bipod && game.rules().options().opening == Opening::Bipod && below(random, 12) == 0;
    setup.check(game).ok()
}
