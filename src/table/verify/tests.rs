//! Existence of positions by the verifier, the index and the reference engine, and the messages
//! where they disagree.

use crate::engine::{Bitboard, Reference};
use crate::material::{Side, builtin_board, builtin_pods};
use crate::position::{Game, Hand, Setup};
use crate::rules::{Captures, RuleSet};
use crate::table::index::{Index, Place};
use crate::table::stats::held;
use crate::table::testing::with_hands;
use crate::table::verify::error::VerifyError;
use crate::table::verify::positions::{Verification, verify_codes};
use crate::table::verify::rows::tests::{check, every_row, solved};
use crate::table::verify::rows::{BoardTables, Fault};

#[test]
fn what_exists_is_what_has_no_blocked_pod_for_the_reference_engine() {
    for (rules, all) in [
        ("advanced", "advanced+captures=after-moves"),
        ("advanced+empty-hand=loses", "advanced+empty-hand=loses+captures=after-moves"),
        ("very-advanced+captures=every-turn", "very-advanced"),
        ("standard", "standard"),
        ("very-advanced", "very-advanced"),
        ("very-advanced+captures=every-turn+shove-liberty=on", "very-advanced+shove-liberty=on"),
    ] {
        let of_rules = |rules: &str| {
            let pods = builtin_pods("trio").unwrap();
            Game::new(builtin_board("ring8").unwrap(), pods, rules.parse::<RuleSet>().unwrap())
        };
        let (game, all) = (of_rules(rules), of_rules(all));
        let hands = ["bdt", "bd"].map(|ids| Hand::parse(ids, game.pods()).unwrap());
        let [index, every] = [&game, &all].map(|game| Index::new(&Setup::new(game.clone(), hands)).unwrap());
        let (tables, reference) = (BoardTables::new(&game, index.piece_types()), Reference::new(game.clone()));
        let (mut existing, mut counted, mut left_out) = (0, 0, 0);
        every_row(&every, |tier, slice, row, fixed| {
            let (cells, own) = tables.existing(slice, fixed);
            assert_eq!(own & !cells, 0);
            counted += u64::from(own.count_ones());
            for cell in 0..every.points() as u8 {
                let Some(position) = every.position(Place { tier, row, cell }, Side::White) else {
                    assert_eq!(cells >> cell & 1, 0, "{rules}");
                    continue;
                };
                let exists = !tables.leaves_out_blocked() || reference.blocked_pods(&position).is_empty();
                assert_eq!(cells >> cell & 1 == 1, exists, "{rules}: {}", position.display(&game));
                assert_eq!(index.find(&position).is_some(), exists, "{rules}: {}", position.display(&game));
                (existing, left_out) = (existing + u64::from(exists), left_out + u64::from(!exists));
            }
        });
        assert_eq!(2 * counted, held(&index), "{rules}");
        assert!(existing > 800 && (left_out > 800) == tables.leaves_out_blocked(), "{rules}: {existing} {left_out}");
    }
}

/// Tables of other rules than those of the engines: what an action leads to may have no place in
/// the index.
#[test]
fn where_engines_and_index_disagree_that_is_reported() {
    let all = [
        "standard",
        "advanced",
        "advanced-author",
        "advanced+empty-hand=loses",
        "standard+empty-hand=wins",
        "very-advanced",
        "very-advanced+captures=every-turn",
    ];
    let setups = all.map(|rules| {
        let (game, index) = with_hands("ring8", "trio", ["bdt", "bd"], rules.parse::<RuleSet>().unwrap());
        let codes = solved(&game, &index);
        (game, index, codes)
    });
    let index_of = setups.each_ref().map(|(game, ..)| game);
    let (mut no_place, mut by_rows) = (0, [0; 3]);
    for (ours, (game, ..)) in setups.iter().enumerate() {
        for (theirs, (_, index, codes)) in setups.iter().enumerate().filter(|(theirs, _)| *theirs != ours) {
            let pair = format!("{} with a table of {}", all[ours], all[theirs]);
            let engine = Bitboard::new(game.clone());
            for (fast_every, reference_every) in [(1, 0), (0, 1)] {
                let what = Verification { fast_every, reference_every };
                match verify_codes(&engine, index, codes, what, &crate::solver::Silent) {
                    Err(VerifyError::Discrepancy(found)) => {
                        let found = found.to_string();
                        no_place += u32::from(found.contains("no place") || found.contains("the index"));
                        // Positions with blocked pods are left out only where every action is
                        // followed by captures.
                        let theirs = index_of[theirs].rules().options().captures;
                        assert!(
                            !found.contains("the index leaves") || theirs == Captures::EveryTurn,
                            "{pair}: {found}"
                        );
                        let ours = game.rules().options().captures;
                        assert!(!found.contains("the index holds") || ours == Captures::EveryTurn, "{pair}: {found}");
                    }
                    other => panic!("{pair}: {other:?}"),
                }
            }
            match check(game, index, codes).map_err(|wrong| wrong.fault) {
                Err(Fault::Code { .. }) => by_rows[0] += 1,
                Err(Fault::Held { .. }) => by_rows[1] += 1,
                Err(Fault::NoPlace) => by_rows[2] += 1,
                Ok(_) => panic!("{pair}"),
            }
        }
    }
    assert!(no_place > 10 && by_rows.iter().all(|&times| times > 0), "{no_place} {by_rows:?}");
}
