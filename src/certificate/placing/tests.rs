//! The rules against the engine and their slow twin, and the lemmas against plain search, on random
//! small games.

use std::collections::{BTreeSet, HashMap};

use super::counting::{Prospects, wins_by_counting};
use super::essence::essence;
use super::mirror::{images, mover_loses_by_mirror};
use super::plain;
use super::situation::{Situation, only_places};
use crate::engine::crosscheck::case;
use crate::engine::{Bitboard, Engine};
use crate::geometry::PointSet;
use crate::material::Side;
use crate::position::{Action, Game};
use crate::rules::EmptyHand;
use crate::solver::{Exhaustive, Limits, Silent};

/// Returns `true` if the side to move wins, by trying everything (R15, R16).
fn wins(game: &Game, situation: &Situation, known: &mut HashMap<Vec<u8>, bool>) -> bool {
    if let Some(winner) = situation.won_by_hand(game) {
        return winner == situation.to_move;
    }
    let mut key = Vec::new();
    situation.identity(&mut key);
    if let Some(&win) = known.get(&key) {
        return win;
    }
    let placements = situation.placements(game, &situation.liberties(game));
    let win = placements.iter().any(|(kind, at)| !wins(game, &situation.after(game, kind, at), known));
    known.insert(key, win);
    win
}

#[derive(Default)]
struct Seen {
    situations: u32,
    counted: u32,
    with_move: u32,
    covers: u32,
    refuting: u32,
    mirrored: u32,
    /// By essence, in one game: whether the side to move wins, and the situations.
    essences: HashMap<Vec<u8>, (bool, BTreeSet<Vec<u8>>)>,
    /// Situations that have the essence of another one.
    alike: usize,
}

/// Compares what a situation says of all points at once with what comes of following each leg.
fn same_as_plain(game: &Game, situation: &Situation) {
    let liberties = situation.liberties(game);
    let lives = plain::living(game, situation);
    for side in Side::BOTH {
        let text = || format!("{side}: {situation:?}\n{:?}\n{}", game.board(), game.rules());
        let pairs = situation.open_pairs(game, side, &liberties).iter().collect();
        assert_eq!(plain::open_pairs(game, situation, side), pairs, "{}", text());
        let living = Prospects::new(game, situation).pairs(side).iter().collect();
        assert_eq!(lives[side.index()], living, "{}", text());
    }
    let ends = situation.ends(game, PointSet::EMPTY);
    for (from, _, legs) in situation.pods() {
        let reached = situation.reached(game, from, legs, ends).into_iter().collect();
        assert_eq!(plain::reached(game, situation, from, legs), reached, "{from:?} of {situation:?}");
    }
}

/// Looks at a situation, and at what comes of it and of its covers down to some depth.
fn look(game: &Game, situation: &Situation, depth: u32, known: &mut HashMap<Vec<u8>, bool>, seen: &mut Seen) {
    if situation.won_by_hand(game).is_some() {
        return;
    }
    let text = || format!("{situation:?}\n{:?}\n{}", game.board(), game.rules());
    same_as_plain(game, situation);
    let mover_wins = wins(game, situation, known);
    seen.situations += 1;
    let prospects = Prospects::new(game, situation);
    let mut essential = Vec::new();
    essence(game, situation, &prospects, &mut essential);
    let mut identity = Vec::new();
    situation.identity(&mut identity);
    let same = seen.essences.entry(essential).or_insert_with(|| (mover_wins, BTreeSet::new()));
    assert_eq!(same.0, mover_wins, "another with this essence ends otherwise: {}", text());
    same.1.insert(identity);
    for side in Side::BOTH {
        if wins_by_counting(game, situation, &prospects, side) {
            assert_eq!(side == situation.to_move, mover_wins, "counting for {side}: {}", text());
            seen.counted += 1;
            seen.with_move += u32::from(mover_wins);
        }
    }
    if images(game).is_some_and(|images| mover_loses_by_mirror(&images, situation)) {
        assert!(!mover_wins, "the mirror: {}", text());
        seen.mirrored += 1;
    }
    let placements = situation.placements(game, prospects.liberties());
    for at in placements.points() {
        let Some(cover) = situation.cover(game, &placements, at) else { continue };
        if game.rules().options().empty_hand != EmptyHand::Loses {
            continue;
        }
        seen.covers += 1;
        if wins(game, &cover, known) {
            seen.refuting += 1;
            for kind in placements.kinds_at(at) {
                let after = situation.after(game, kind, at);
                assert!(wins(game, &after, known), "the cover at {at:?} says nothing of {kind:?}: {}", text());
            }
        }
        if depth > 0 {
            look(game, &cover, depth - 1, known, seen);
        }
    }
    if depth > 0 {
        for (kind, at) in placements.iter() {
            look(game, &situation.after(game, kind, at), depth - 1, known, seen);
        }
    }
}

#[test]
fn rules_and_lemmas_hold_in_random_games() {
    let mut seen = Seen::default();
    let mut legal = 0;
    for number in 0..4_000 {
        let case = case(11, number);
        let game = case.game();
        if !only_places(&game) {
            continue;
        }
        seen.essences.clear();
        let engine = Bitboard::new(game.clone());
        for position in case.walked(&engine) {
            let situation = Situation::new(&game, &position);
            let legal_here = situation.placements(&game, &situation.liberties(&game));
            let placements: BTreeSet<Action> = legal_here.iter().map(|(kind, at)| Action::Place { kind, at }).collect();
            same_as_plain(&game, &situation);
            if situation.won_by_hand(&game).is_none() {
                assert_eq!(
                    placements,
                    engine.sorted_actions(&position).into_iter().collect(),
                    "{}",
                    position.display(&game)
                );
                legal += placements.len();
            }
            // A cheap look whether plain search will be done soon.
            let limits = Limits::default().with_positions(100);
            if Exhaustive::new(engine.clone(), &[&position], limits).value(&position, &Silent).is_ok()
                && engine.perft(&position, 3) < 300
            {
                look(&game, &situation, 2, &mut HashMap::new(), &mut seen);
                seen.alike += seen.essences.values().map(|(_, same)| same.len() - 1).sum::<usize>();
                break;
            }
        }
    }
    let Seen { situations, counted, with_move, covers, refuting, mirrored, essences: _, alike } = seen;
    let all = format!("{situations} {counted} {with_move} {covers} {refuting} {mirrored} {alike}; {legal} placements");
    assert!(alike > 5_000, "{all}");
    assert!(situations > 20_000 && counted > 5_000 && with_move > 1_000 && legal > 5_000, "{all}");
    assert!(mirrored > 0, "{all}");
    assert!(covers > 5_000 && refuting > 1_000 && covers - refuting > 1_000, "{all}");
}
