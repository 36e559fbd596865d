//! Proofs against exact values, and the limits.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::branches::{Branch, Known, Proof, Reached, Tree};
use super::{Grown, TreeSearch};
use crate::answer::best::games::for_each_game;
use crate::engine::{Bitboard, Engine, Status};
use crate::material::{Side, builtin_board, builtin_pods};
use crate::position::{Action, Game, Hand, Position};
use crate::rules::Preset;
use crate::solver::{Limits, Outcome, Silent};

fn grow(engine: &Bitboard, position: &Position, barred: &[Action], limits: Limits<'_>) -> (Option<Grown>, u64) {
    TreeSearch::new(engine, Vec::new()).grow(&engine.state(position), barred, limits, &Silent)
}

/// Returns the start of the game of the real size.
fn full(preset: Preset) -> (Bitboard, Position) {
    let pods = builtin_pods("pods14").unwrap();
    let hand = Hand::whole(&pods);
    let game = Game::new(builtin_board("cave36").unwrap(), pods, preset.into());
    let start = game.start(hand, hand, Side::White).unwrap();
    (Bitboard::new(game), start)
}

#[test]
fn what_the_tree_proves_is_true_under_all_rules() {
    let (mut won, mut lost, mut losing, mut drawn) = (0, 0, 0, 0);
    for_each_game(51, 3_000, |engine, position, value_of| {
        let (value, text) = (value_of(position), || position.display(engine.game()).to_string());
        for (nodes, memory, threads) in [(0, 0, 1), (300, 0, 1), (5_000, 1 << 18, 1), (5_000, 0, 3)] {
            let limits = Limits::default().with_nodes(nodes).with_memory(memory).with_threads(threads);
            let (grown, used) = grow(engine, position, &[], limits);
            let Some(grown) = grown else {
                assert_ne!(engine.status(position), Status::Ongoing, "{}", text());
                continue;
            };
            let actions = engine.sorted_actions(position).len() as u64;
            assert!(used <= nodes.max(actions), "{used} {nodes} {}", text());
            if threads == 1 {
                assert_eq!(Some(&grown), grow(engine, position, &[], limits).0.as_ref(), "{}", text());
            }
            let after = |action| value_of(&engine.transition(position, action).expect("legal").next).before().outcome();
            for &action in &grown.losing {
                assert_eq!(after(action), Outcome::Loss, "{grown:?} {}", text());
                losing += 1;
            }
            let told = |outcome| assert_eq!(value.outcome(), outcome, "{grown:?} {} {}", text(), engine.game().rules());
            match grown.found {
                Ok(Outcome::Win) => {
                    told(Outcome::Win);
                    assert_eq!(after(grown.action), Outcome::Win, "{grown:?} {}", text());
                    won += 1;
                }
                Ok(Outcome::Loss) => {
                    told(Outcome::Loss);
                    assert_eq!(grown.losing.len() as u64, actions);
                    lost += 1;
                }
                Ok(Outcome::Draw) => panic!("a draw is never proven"),
                Err(score) => {
                    assert!(score.abs() <= 9_000 && !grown.losing.contains(&grown.action), "{grown:?} {}", text());
                    drawn += u32::from(value.outcome() == Outcome::Draw);
                }
            }
            // The line is legal, and keeps what is proven.
            let mut here = position.clone();
            for &action in &grown.line {
                let before = value_of(&here).outcome();
                here = engine.transition(&here, action).unwrap_or_else(|| panic!("{grown:?} {}", text())).next;
                if grown.found.is_ok() {
                    assert_eq!(value_of(&here).before().outcome(), before, "{grown:?} {}", text());
                }
            }
            if let (Some(other), _) = grow(engine, position, &[grown.action], limits) {
                assert_ne!(other.action, grown.action);
            }
        }
    });
    assert!(won > 1_000 && lost > 300 && losing > 3_000 && drawn > 100, "{won} {lost} {losing} {drawn}");
}

#[test]
fn positions_that_come_back_change_guesses_alone() {
    let mut proven = 0;
    for_each_game(52, 1_000, |engine, position, value_of| {
        // As if the game had been in everything that comes next.
        let root = engine.state(position);
        let mut past = Vec::new();
        engine.for_each_action(&root, |action| past.push(engine.play_state(&root, action).hash()));
        let limits = Limits::default().with_nodes(2_000).with_memory(1 << 20);
        let (grown, _) = TreeSearch::new(engine, past).grow(&root, &[], limits, &Silent);
        let Some(grown) = grown else { return };
        if let Ok(outcome) = grown.found {
            // What ends the game at once is proven even so.
            assert_eq!(value_of(position).plies(), Some(1), "{grown:?}");
            assert_eq!(value_of(position).outcome(), outcome, "{grown:?}");
            proven += 1;
        } else {
            assert_eq!(grown.line.len(), 1, "{grown:?}");
        }
    });
    assert!(proven > 40, "{proven}");
}

#[test]
fn a_small_memory_drops_positions_and_goes_on() {
    let (engine, start) = full(Preset::Advanced);
    let limits = Limits::default().with_nodes(60_000).with_memory(1 << 16);
    let (grown, nodes) = grow(&engine, &start, &[], limits);
    assert!((59_000..=60_000).contains(&nodes), "{nodes}");
    assert_eq!(grow(&engine, &start, &[], limits), (grown, nodes));
}

#[test]
fn threads_keep_to_the_nodes_of_all_together() {
    for preset in [Preset::Advanced, Preset::VeryAdvanced] {
        let (engine, start) = full(preset);
        let limits = Limits::default().with_nodes(20_000).with_memory(1 << 22).with_threads(4);
        let (grown, nodes) = grow(&engine, &start, &[], limits);
        assert!((18_000..=20_000).contains(&nodes), "{nodes}");
        assert!(engine.sorted_actions(&start).contains(&grown.expect("the game goes on").action));
    }
}

#[test]
fn an_interrupt_and_a_time_end_it() {
    let (engine, start) = full(Preset::Advanced);
    let stop = AtomicBool::new(true);
    for threads in [1, 3] {
        let limits = Limits::default().with_threads(threads).with_memory(1 << 20);
        let (grown, nodes) = grow(&engine, &start, &[], limits.with_interrupt(&stop));
        assert!(grown.is_some() && nodes < 20_000, "{nodes}");
        let (grown, nodes) = grow(&engine, &start, &[], limits.with_time(Duration::from_millis(1)));
        assert!(grown.is_some() && nodes > 0);
    }
}

fn branch(number: usize, worth: f32) -> Branch {
    let at = crate::geometry::Point::new(number);
    Branch::new(Action::Move { from: at, to: at }, worth, Known::Nothing)
}

#[test]
fn results_are_backed_up_with_the_sign_of_the_side() {
    let mut tree = Tree::new(&[branch(0, 0.5), branch(1, -0.5)], 0, 0);
    let (mut way, mut line) = (Vec::new(), Vec::new());
    let greedy = |branch: &Branch, _| branch.worth;
    assert_eq!(tree.descend(&mut way, &mut line, greedy), Some(Reached::Leaf));
    assert_eq!((way.as_slice(), tree.root()[0].pending), (&[0][..], 1));
    tree.back_up(&way, &[branch(2, 0.1), branch(3, 0.3)], -0.3, Known::Nothing);
    let first = tree.root()[0];
    assert_eq!((first.visits, first.pending, first.worth), (2, 0, (0.5 - 0.3) / 2.0));
    // The better reply is a win for the opponent, so the first action loses.
    assert_eq!(tree.descend(&mut way, &mut line, greedy), Some(Reached::Leaf));
    assert_eq!(way, [0, 1]);
    tree.back_up(&way, &[], 1.0, Known::Wins(1));
    assert_eq!(tree.root()[0].known, Known::Loses(2));
    assert_eq!(Proof::of(tree.root()), None);
    // Only the second action is left. That it repeats a position proves nothing; that it loses
    // does.
    assert_eq!(tree.descend(&mut way, &mut line, greedy), Some(Reached::Leaf));
    assert_eq!(way, [1]);
    tree.back_up(&way, &[], 0.0, Known::Repeats);
    assert_eq!(Proof::of(tree.root()), None);
    tree.back_up(&way, &[], -1.0, Known::Loses(6));
    assert_eq!(Proof::of(tree.root()), Some(Proof::Lost(6)));
    assert_eq!(tree.descend(&mut way, &mut line, greedy), None);
}

#[test]
fn a_win_is_backed_up_through_positions_that_were_dropped_meanwhile() {
    let mut tree = Tree::new(&[branch(0, 0.5), branch(1, 0.0)], 0, 0);
    let (mut way, mut line) = (Vec::new(), Vec::new());
    let greedy = |branch: &Branch, _| branch.worth;
    let many: Vec<Branch> = (0..60).map(|number| branch(number, 0.5)).collect();
    for _ in 0..2 {
        tree.descend(&mut way, &mut line, greedy);
        tree.back_up(&way, &many, 0.5, Known::Nothing);
    }
    assert_eq!(way.len(), 2);
    // Fills the tree below the second action, while a walk below the first is on its way.
    let behind = way.clone();
    for number in 0..60 {
        for way in [vec![1], vec![1, number], vec![1, number, 0], vec![1, number, 1]] {
            tree.back_up(&way, &many, 0.9, Known::Nothing);
        }
    }
    assert!(tree.below(&tree.root()[0]).is_empty());
    let before = tree.root()[0];
    tree.back_up(&behind, &many, 1.0, Known::Wins(1));
    // The position between is gone, and with it the proof; the guess counts, with the other sign.
    let after = tree.root()[0];
    assert_eq!((after.known, after.visits), (Known::Nothing, before.visits + 1));
    assert!(after.worth < before.worth);
}
