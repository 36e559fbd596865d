//! Forced wins against the retrograde solver, on random small games with moves, captures, shoves
//! and draws.

use super::{Forced, forced_win};
use crate::engine::crosscheck::case;
use crate::engine::{Bitboard, Engine};
use crate::position::{Game, Position};
use crate::progress::Silent;
use crate::rules::Preset;
use crate::solver::limits::Limits;
use crate::solver::retrograde::Retrograde;
use crate::solver::search::Unknown;
use crate::solver::value::{Plies, Value};

fn look(engine: &Bitboard, position: &Position, plies: Plies, nodes: u64) -> Forced {
    forced_win(engine, position, plies, Limits::default().with_nodes(nodes), &Silent).found
}

#[test]
fn forced_wins_are_those_of_the_retrograde_solver() {
    let (mut wins, mut draws, mut losses, mut longest) = (0, 0, 0, 0);
    for number in 0..9_000 {
        let case = case(11, number);
        let game = case.game();
        if !game.rules().can_cycle() {
            continue;
        }
        let engine = Bitboard::new(game.clone());
        let Some(position) = case.walked(&engine).pop() else { continue };
        if crate::solver::predict::positions_at_most(&game, &[&position]) > 20_000 {
            continue;
        }
        let limits = Limits { nodes: 3_000, ..Limits::default() };
        let Ok(table) = Retrograde::build(&engine, &[&position], limits, &Silent) else { continue };
        let mut seen = 0;
        table.for_each(|position, value| {
            seen += 1;
            if seen % 7 != 1 || seen > 400 {
                return;
            }
            for within in [1, 2, 3, 5, 8] {
                let text = || format!("{} within {within}: {value}\n{}", position.display(&game), game.rules());
                match (look(&engine, &position, within, u64::MAX), value) {
                    (Forced::Win { plies, line, replies }, Value::Win(distance)) => {
                        assert!(plies == distance && distance <= within, "{}", text());
                        check_line(&engine, &table, &position, &line, distance);
                        longest = longest.max(distance);
                        for reply in replies {
                            let first = engine.transition(&position, line[0]).unwrap().next;
                            let after = engine.transition(&first, reply.answer).unwrap().next;
                            assert_eq!(table.value(&after), Some(Value::Win(reply.plies)), "{}", text());
                            let next = reply.refutation.map(|action| engine.transition(&after, action).unwrap().next);
                            let next = next.map(|next| table.value(&next).unwrap());
                            assert_eq!(next, reply.plies.checked_sub(1).map(Value::Loss), "{}", text());
                        }
                        wins += 1;
                    }
                    (Forced::NotWithin(n), Value::Win(distance)) => assert!(n == within && distance > within),
                    (Forced::NotWithin(n), Value::Draw) => {
                        assert_eq!(n, within);
                        draws += 1;
                    }
                    (Forced::NotWithin(_), Value::Loss(_)) => losses += 1,
                    (other, _) => panic!("{other:?}: {}", text()),
                }
            }
            // Whatever the limit, what is said is true.
            match (look(&engine, &position, 9, 3), value) {
                (Forced::Unknown { cause: Unknown::Nodes, not_within }, Value::Win(n)) => assert!(n > not_within),
                (Forced::Win { plies, .. }, value) => assert_eq!(value, Value::Win(plies)),
                (Forced::NotWithin(n), Value::Win(distance)) => assert!(distance > n),
                _ => {}
            }
        });
    }
    assert!(wins > 1_000 && draws > 1_000 && losses > 1_000 && longest >= 5, "{wins} {draws} {losses} {longest}");
}

/// Drawn positions are where a search that mistook a repetition for a win, or a win for a
/// repetition, would err.
#[test]
fn every_preset_with_moves_agrees_with_the_retrograde_solver() {
    let presets = [Preset::Advanced, Preset::AdvancedDutch, Preset::AdvancedAuthor, Preset::VeryAdvanced];
    let mut seen = presets.map(|_| [0; 4]);
    for number in 0..8_000 {
        let case = case(12, number);
        let drawn = case.game();
        let Some(root) = case.walked(&Bitboard::new(drawn.clone())).pop() else { continue };
        for (preset, seen) in presets.into_iter().zip(&mut seen) {
            let game = Game::new(drawn.board().clone(), drawn.pods().clone(), preset.into());
            let Ok(root) = game.parse_position(&root.display(&drawn).to_string()) else { continue };
            if crate::solver::predict::positions_at_most(&game, &[&root]) > 20_000 {
                continue;
            }
            let engine = Bitboard::new(game.clone());
            let limits = Limits { nodes: 2_000, ..Limits::default() };
            let Ok(table) = Retrograde::build(&engine, &[&root], limits, &Silent) else { continue };
            let mut asked = 0;
            table.for_each(|position, value| {
                asked += 1;
                if asked % 7 != 1 || asked > 500 {
                    return;
                }
                let found = look(&engine, &position, 7, u64::MAX);
                let wanted = match value {
                    Value::Win(plies) if plies <= 7 => Some(plies),
                    _ => None,
                };
                let plies = match found {
                    Forced::Win { plies, .. } => Some(plies),
                    _ => None,
                };
                assert_eq!(plies, wanted, "{} {preset:?}: {value}", position.display(&game));
                seen[1 + value.outcome() as usize] += 1;
            });
            seen[0] += usize::from(asked > 10);
        }
    }
    assert!(seen.iter().flatten().all(|&n| n > 50), "setups, losses, draws, wins: {seen:?}");
}

fn check_line(
    engine: &Bitboard,
    table: &Retrograde,
    position: &Position,
    line: &[crate::position::Action],
    distance: Plies,
) {
    assert_eq!(line.len(), distance as usize);
    let mut here = position.clone();
    for (i, &action) in line.iter().enumerate() {
        here = engine.transition(&here, action).expect("legal").next;
        let left = distance - 1 - i as Plies;
        let wanted = if i % 2 == 0 { Value::Loss(left) } else { Value::Win(left) };
        assert_eq!(table.value(&here), Some(wanted));
    }
}
