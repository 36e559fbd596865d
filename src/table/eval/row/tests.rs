//! Rows against the plain evaluator, and the filter of placements against every placement of every
//! cell.

use super::*;
use crate::engine::Bitboard;
use crate::material::{board_from_toml, builtin_board, builtin_pods};
use crate::position::{Action, Hand, Setup};
use crate::rules::Preset;
use crate::table::eval::direct::Successor;
use crate::table::index::Place;
use crate::table::retro::{ChildTiers, Decided, Frontiers, SolvedTier, ToTheEnd, solve_tier};
use crate::table::testing::{codes_by_chance, small_games};

/// Returns the numbers of placements and cells asked about by the passes for wins in 3 and losses
/// in 4, and how many of them matter.
fn asked_about(board: &str, pods: &str, preset: Preset) -> (u64, u64) {
    let pods = builtin_pods(pods).unwrap();
    let hands = [Hand::whole(&pods); 2];
    let game = Game::new(builtin_board(board).unwrap(), pods, preset.into());
    let (index, engine) = (Index::new(&Setup::new(game.clone(), hands)).unwrap(), Bitboard::new(game.clone()));
    let direct = Direct::new(&index, &engine);
    let bits = Bits::new(&game, &index, &direct);
    let (mut asked_about, mut mattering) = (0, 0);
    let mut earlier = ChildTiers::default();
    for number in 0..index.tiers().len() {
        let Ok(SolvedTier { codes, .. }) = solve_tier(&index, number, &earlier, &bits, &ToTheEnd, &mut |_| {});
        let (tier, board) = (&index.tiers()[number], index.points());
        for (pass, mover) in [Pass::Wins(3), Pass::Losses(4)].into_iter().flat_map(|p| Side::BOTH.map(|side| (p, side)))
        {
            let mut own = vec![0; tier.rows() as usize];
            pass.fill(&codes[mover.other().index()], board, 0, &mut own);
            let decided = Decided::new(&index, number, &earlier, mover.other(), pass);
            let frontiers = Frontiers::default();
            let known =
                Known { index: &index, tier: number, pass, own: &own, layout: None, earlier: &decided, frontiers };
            for slice in tier.slices() {
                let Some(last) = slice.last() else { continue };
                let context = SliceContext {
                    bits: &bits,
                    known: &known,
                    wins: pass.finds_wins(),
                    mover: mover.index(),
                    routes: Routes::new(&bits, &known, slice, last, mover.index()),
                };
                for row in slice.first_row()..slice.first_row() + slice.rows() {
                    let fixed = index.unrank(slice, row);
                    let before = [true, false]
                        .map(|odd| codes[mover.index()].decided(row as usize * board, board, pass.distance(), odd));
                    let want = index.cells(slice, &fixed) & !(before[0] | before[1]);
                    let row_context = RowContext::new(&context, &fixed);
                    let filter = Filter::new(&row_context, want);
                    let mut asked = vec![[0; MAX_POINTS]; index.piece_types().len()];
                    for (slot, &piece_type) in context.routes.in_hand.iter().enumerate() {
                        let asked = &mut asked[piece_type as usize];
                        let points = filter.placements(want, slot, piece_type, asked);
                        for at in PointSet(points & row_context.empty) {
                            let cells = asked[at.index()] & !(1 << at.index());
                            assert_eq!(cells & !want, 0);
                            asked_about += u64::from(cells.count_ones());
                        }
                    }
                    for cell in PointSet(want) {
                        let place = Place { tier: number, row, cell: cell.index() as u8 };
                        let position = index.position(place, mover).unwrap();
                        let state = engine.state(&position);
                        engine.for_each_action(&state, |action| {
                            let Action::Place { kind, at } = action else { return };
                            let good = match direct.find(&engine.play_state(&state, action)) {
                                Some(Successor::At(place)) => known.at(place),
                                other => panic!("{other:?}: {}", position.display(&game)),
                            };
                            if good == context.wins {
                                let piece_type = index.piece_type(mover, kind).unwrap();
                                let asked = asked[piece_type as usize][at.index()] >> cell.index() & 1 == 1;
                                assert!(asked, "{pass:?}: {} in {}", action.display(&game), position.display(&game));
                                mattering += 1;
                            }
                        });
                    }
                }
            }
        }
        earlier.push(codes);
    }
    (asked_about, mattering)
}

#[test]
fn every_placement_that_matters_is_asked_about_and_few_others() {
    let found = [
        asked_about("ring8", "trio", Preset::Advanced),
        asked_about("ring8", "trio", Preset::AdvancedDutch),
        asked_about("nook9", "trio", Preset::Advanced),
        asked_about("ring8", "trio", Preset::AdvancedAuthor),
        asked_about("ring8", "trio", Preset::Standard),
    ];
    assert_eq!(found, [(24_195, 7_090), (18_649, 3_528), (34_226, 10_016), (25_790, 10_184), (5_848, 2_844)]);
}

/// Compares rows with the plain evaluator where the values of successors are drawn at random: few
/// are losses when wins are looked for, and most are wins when losses are, so that a single
/// successor often decides. Rows other than each `every`-th of a slice are left out. Returns the
/// numbers of cells compared, and found.
fn compare_by_chance(game: &Game, index: &Index, seed: u64, every: usize) -> (u64, u64) {
    let engine = Bitboard::new(game.clone());
    let direct = Direct::new(index, &engine);
    let bits = Bits::new(game, index, &direct);
    let (mut compared, mut found) = (0, 0);
    for (pass, rare, common) in [(Pass::Wins(1), 1, 0), (Pass::Losses(2), 0, 2)] {
        let codes = codes_by_chance(index, seed, false, |hash| if hash.is_multiple_of(12) { rare } else { common });
        let mut earlier = ChildTiers::default();
        for (number, tier) in index.tiers().iter().enumerate() {
            for mover in Side::BOTH {
                let mut own = vec![0; tier.rows() as usize];
                pass.fill(&codes[number][mover.other().index()], index.points(), 0, &mut own);
                if !pass.finds_wins() {
                    // Cells that are not in use count as won.
                    for slice in tier.slices() {
                        for row in slice.first_row()..slice.first_row() + slice.rows() {
                            own[row as usize] |= !index.cells(slice, &index.unrank(slice, row));
                        }
                    }
                }
                let decided = Decided::new(index, number, &earlier, mover.other(), pass);
                let known = |pass| Known {
                    index,
                    tier: number,
                    pass,
                    own: &own,
                    layout: None,
                    earlier: &decided,
                    frontiers: Frontiers::default(),
                };
                let [emptied, stuck, known] = [Pass::EmptiedHands, Pass::NoAction, pass].map(known);
                for slice in tier.slices() {
                    let rows = bits.rows(&known, slice, mover);
                    let [emptied, stuck, plain] =
                        [&emptied, &stuck, &known].map(|known| direct.rows(known, slice, mover));
                    for row in (slice.first_row()..slice.first_row() + slice.rows()).step_by(every) {
                        let fixed = index.unrank(slice, row);
                        let cells = index.cells(slice, &fixed);
                        let want = cells & !emptied.found(row, &fixed, cells) & !stuck.found(row, &fixed, cells);
                        if want == 0 {
                            continue;
                        }
                        let (by_rows, by_positions) = (rows.found(row, &fixed, want), plain.found(row, &fixed, want));
                        let place = Place { tier: number, row, cell: (by_rows ^ by_positions).trailing_zeros() as u8 };
                        let position =
                            || index.position(place, mover).map(|position| position.display(game).to_string());
                        assert_eq!(by_rows, by_positions, "{pass:?} {:?} seed {seed}: {}", position(), game.rules());
                        compared += u64::from(want.count_ones());
                        found += u64::from(by_rows.count_ones());
                    }
                }
            }
            earlier.push(codes[number].clone());
        }
    }
    (compared, found)
}

#[test]
fn rows_find_what_the_plain_evaluator_finds_whatever_is_known() {
    let (mut compared, mut found) = (0, 0);
    for (seed, (game, index)) in (0..).zip(small_games(150, 30, 4_000)) {
        let (of_game, found_of_game) = compare_by_chance(&game, &index, seed, 1);
        compared += of_game;
        found += found_of_game;
    }
    // On one line of eight points, pods are pushed with the last one among them.
    let lane = board_from_toml("lane", "name = 'lane'\nsource = 'this test'\npoints = 'o-o-o-o-o-o-o-o'").unwrap();
    let [nook, ring] = ["nook9", "ring8"].map(|name| builtin_board(name).unwrap());
    for (board, hands) in
        [(&nook, ["bdqt", "bdt"]), (&nook, ["bdt", "bdqt"]), (&ring, ["bdt", "bdt"]), (&lane, ["bdqt", "bdt"])]
    {
        let pods = builtin_pods("four").unwrap();
        let hands = hands.map(|ids| Hand::parse(ids, &pods).unwrap());
        for preset in Preset::ALL {
            let game = Game::new(board.clone(), pods.clone(), preset.into());
            let index = Index::new(&Setup::new(game.clone(), hands)).unwrap();
            let (of_game, found_of_game) = compare_by_chance(&game, &index, 5, index.positions() as usize / 40_000 + 1);
            compared += of_game;
            found += found_of_game;
        }
    }
    assert!(compared > 400_000 && (50_000..compared - 50_000).contains(&found), "{compared} cells, {found} found");
}
