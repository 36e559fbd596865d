//! Random games and tables, for tests.

use crate::engine::crosscheck;
use crate::geometry::PointSet;
use crate::material::{PodSet, Side, builtin_board, builtin_pods, pods_from_toml};
use crate::position::{Game, Hand, Setup};
use crate::rules::RuleSet;
use crate::table::index::{Index, Place};
use crate::table::storage::Codes;

/// Mixes a number (splitmix64).
pub(in crate::table) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub(in crate::table) fn small_games(count: usize, fewest: u64, most: u64) -> impl Iterator<Item = (Game, Index)> {
    (0..)
        .filter_map(move |number| {
            let game = crosscheck::case(11, number).game();
            let hand = |skip: usize, take: usize| {
                let all = game.pods().kinds().flat_map(|k| std::iter::repeat_n(k, game.pods().spec(k).count.into()));
                all.skip(skip).take(take).collect::<Hand>()
            };
            let mixed = mix(number) as usize;
            let hands = [hand(0, 2 + mixed % 2), hand(mixed / 2 % 2, 1 + mixed / 4 % 3)];
            let fits = |index: &Index| (fewest..=most).contains(&index.positions());
            let index = Index::new(&Setup::new(game.clone(), hands)).ok().filter(fits)?;
            Some((game, index))
        })
        .take(count)
}

/// Returns a built-in set, or `alike`: two of a kind on each side.
fn pods_of(name: &str) -> PodSet {
    let alike = "[[pod]]\nid = 'b'\nlegs = 'w E'\ncount = 2\n[[pod]]\nid = 't'\nlegs = 'n E sw'\n";
    let alike = || pods_from_toml("alike", &format!("name = 'alike'\nsource = 'test'\n{alike}")).unwrap();
    builtin_pods(name).unwrap_or_else(alike)
}

/// Returns the game on a built-in board, and the index of its setup with whole hands.
pub(in crate::table) fn whole(board: &str, pods: &str, rules: impl Into<RuleSet>) -> (Game, Index) {
    let game = Game::new(builtin_board(board).unwrap(), pods_of(pods), rules.into());
    let index = Index::new(&Setup::whole(game.clone())).unwrap();
    (game, index)
}

/// Returns the game on a built-in board, and the index of its setup with the hands of these ids.
pub(in crate::table) fn with_hands(
    board: &str,
    pods: &str,
    hands: [&str; 2],
    rules: impl Into<RuleSet>,
) -> (Game, Index) {
    let pods = pods_of(pods);
    let hands = hands.map(|ids| Hand::parse(ids, &pods).unwrap());
    let game = Game::new(builtin_board(board).unwrap(), pods, rules.into());
    let index = Index::new(&Setup::new(game.clone(), hands)).unwrap();
    (game, index)
}

/// Returns random codes, made from hashes by `code`, but the same in all cells of a position, so
/// that next positions differ from each other. `wide` if some take two bytes.
pub(in crate::table) fn codes_by_chance(
    index: &Index,
    seed: u64,
    wide: bool,
    code: impl Fn(u64) -> u64,
) -> Vec<[Codes; 2]> {
    let alike = index.piece_types().iter().any(|piece_type| piece_type.count > 1);
    let mut bytes: Vec<[(Vec<u8>, Vec<u8>); 2]> = Vec::new();
    for tier in index.tiers() {
        let cells = tier.rows() as usize * index.points();
        bytes.push([(); 2].map(|()| (vec![0; cells], vec![0; if wide { cells } else { 0 }])));
    }
    for (tier, of) in index.tiers().iter().enumerate() {
        let rows =
            of.slices().iter().flat_map(|slice| (0..slice.rows()).map(move |row| (slice, slice.first_row() + row)));
        for (slice, row) in rows {
            for cell in PointSet(index.cells(slice, &index.unrank(slice, row))) {
                let place = Place { tier, row, cell: cell.index() as u8 };
                let one = if alike { index.find(&index.position(place, Side::White).unwrap()).unwrap() } else { place };
                for (side, (low, high)) in bytes[tier].iter_mut().enumerate() {
                    let code = code(mix(mix(seed + side as u64) ^ (index.cell(one) as u64) << 20 ^ tier as u64));
                    low[index.cell(place)] = code as u8;
                    if wide {
                        high[index.cell(place)] = (code >> 8) as u8;
                    }
                }
            }
        }
    }
    bytes.into_iter().map(|sides| sides.map(|(low, high)| Codes::from_bytes(low, high))).collect()
}
