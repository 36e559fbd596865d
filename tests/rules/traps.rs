//! The traps of RULES.md, one test each, on every engine. Expected values were worked out by hand.

use std::collections::BTreeSet;

use crate::common::{actions, engines, game, on_every_engine, play, pods, status};
use pods::engine::Engine;
use pods::geometry::{Direction, Orientation, Point};
use pods::material::{BUILTIN_BOARDS, Board, PodKind, PodSet, Side, builtin_board, builtin_pods};
use pods::position::{Action, Game, Hand};
use pods::rules::RuleSet;

/// A row of points, all joined.
const ROW3: &str = "o-o-o";
const ROW4: &str = "o-o-o-o";
const ROW5: &str = "o-o-o-o-o";

/// A row of three with a fourth point above the middle one.
const TEE: &str = "
  o
  |
o-o-o";

#[test]
fn trap_01_a_placement_blocks_a_friend_and_itself_while_a_foe_is_blocked() {
    // Taken literally, the trap cannot be sprung: a foe's liberty is a point that the foe attacks,
    // so no placement may take it (R12). What can happen is that the foe was blocked before (R31).
    let game = game(ROW3, "m: e, p: w, h: n e", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "M1m w hp hp -", "p@b1"), "illegal by R12");
        assert_eq!(play(engine, "M1p w hp hm -", "p@b1"), "3 b hmp hm - back=mp out=p ongoing");
    });
}

#[test]
fn trap_01_a_move_takes_the_last_liberty_of_a_friend_and_a_foe_and_its_own() {
    for rules in ["advanced", "advanced-author"] {
        let game = game(TEE, "m: e, f: s, h: n e", rules);
        on_every_engine(&game, |engine| {
            assert_eq!(play(engine, "1F1/M1m w h h -", "a1-b1"), "3/3 b fhm h - back=fm out=m ongoing");
        });
    }
    let game = game(TEE, "m: e, f: s, h: n e", "advanced+captures=never");
    on_every_engine(&game, |engine| {
        // Black's pod attacks b2 and c1 is taken, so Black is left with a1.
        assert_eq!(play(engine, "1F1/M1m w h h -", "a1-b1"), "1F1/1Mm b h h - back=- out=- ongoing");
    });
}

#[test]
fn trap_02_pods_that_block_each_other_both_go() {
    let game = game("o-o o-o", "m: e, p: w, h: e w", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "Mm2 w h h -", "h@c1"), "2H1 b m h - back=m out=m ongoing");
        assert_eq!(play(engine, "Mm2 b h h -", "h@c1"), "2h1 w h m - back=m out=m ongoing");
        assert_eq!(play(engine, "MP2 w h h -", "h@c1"), "2H1 b mp h - back=mp out=- ongoing");
        assert_eq!(play(engine, "MP2 b h h -", "h@c1"), "2h1 w h - - back=- out=mp black_won");
        assert_eq!(play(engine, "MP2 b h hm -", "h@c1"), "2h1 w h m - back=- out=mp ongoing");
    });
}

#[test]
fn trap_03_the_last_pod_comes_back_no_win() {
    let game = game("o-o o", "t: e w, m: e", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "3 w t t -", "t@c1"), "3 b t t - back=t out=- ongoing");
        assert_eq!(play(engine, "3 b t t -", "t@c1"), "3 w t t - back=t out=- ongoing");
    });
}

#[test]
fn trap_03_another_own_pod_comes_back_no_win() {
    let game = game("o-o-o o", "m*2: e, t: e w", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "M3 w m t -", "m@b1"), "1M2 b m t - back=m out=- ongoing");
    });
}

#[test]
fn trap_03_only_enemy_pods_are_blocked_win() {
    let game = game(ROW3, "m: e, p: w, t: e w", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "2p w m t -", "m@a1"), "M2 b - t - back=- out=p white_won");
        assert_eq!(actions(engine, "M2 b - t -"), "");
        assert_eq!(play(engine, "M2 b - t -", "t@c1"), "illegal by R30");
    });
}

#[test]
fn trap_03_without_captures_after_placements_the_last_pod_wins() {
    let game = game(ROW3, "m*2: e, t: e w", "advanced-author");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "M2 w m t -", "m@b1"), "MM1 b - t - back=- out=- white_won");
    });
}

#[test]
fn trap_04_an_opening_bipod_without_a_liberty() {
    let (picture, list) = ("o-o o", "b: w e, t: n e w");
    let start = "3 w bt bt open";
    on_every_engine(&game(picture, list, "advanced"), |engine| {
        assert_eq!(actions(engine, start), "b@a1 b@b1 b@c1");
        assert_eq!(play(engine, start, "b@c1"), "3 b bt bt - back=b out=- ongoing");
    });
    for rules in ["standard", "advanced-dutch", "advanced-author"] {
        on_every_engine(&game(picture, list, rules), |engine| {
            assert_eq!(actions(engine, start), "b@a1 b@b1");
            assert_eq!(play(engine, start, "b@c1"), "illegal by R13");
        });
    }
}

#[test]
fn trap_05_attacks_that_run_one_way() {
    let game = game(ROW4, "m: e, u: n", "advanced");
    on_every_engine(&game, |engine| {
        // White's m would attack u, which attacks nothing.
        assert_eq!(play(engine, "1u2 w m m -", "m@a1"), "illegal by R11");
        assert_eq!(actions(engine, "1u2 w m m -"), "m@c1 m@d1");
        // Black's m attacks a1; u would attack nothing.
        assert_eq!(play(engine, "1m2 w u u -", "u@a1"), "illegal by R12");
        assert_eq!(actions(engine, "1m2 w u u -"), "u@c1 u@d1");
        // And the other way round for Black, whose m looks west.
        assert_eq!(play(engine, "2U1 b m m -", "m@d1"), "illegal by R11");
        assert_eq!(play(engine, "2M1 b u u -", "u@d1"), "illegal by R12");
    });
}

#[test]
fn trap_05_if_both_attack_the_clause_is_the_first() {
    let game = game(ROW4, "t: e w, h: n", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "1t2 w t - -", "t@a1"), "illegal by R30");
        assert_eq!(play(engine, "1t2 w t h -", "t@a1"), "illegal by R11");
    });
}

#[test]
fn trap_06_a_friend_between_a_long_leg_and_a_foe() {
    for (through, expected) in [("off", "l@a1 l@e1"), ("on", "l@e1")] {
        let game = game(ROW5, "l: E, u*2: n", &format!("advanced+attack-through={through}"));
        on_every_engine(&game, |engine| {
            assert_eq!(actions(engine, "1Uuu1 w l l -"), expected, "attack-through {through}");
        });
    }
    // The long leg belongs to the other side, and its friend stands before the point.
    for (through, expected) in [("off", "u@a1 u@b1 u@c1"), ("on", "")] {
        let game = game(ROW5, "l: E, u*2: n", &format!("advanced+attack-through={through}"));
        on_every_engine(&game, |engine| {
            assert_eq!(actions(engine, "3ul w u u -"), expected, "attack-through {through}");
        });
    }
}

#[test]
fn trap_06_a_foe_between() {
    for (through, expected) in [("off", "u@a1 u@b1 u@c1"), ("on", "")] {
        let game = game(ROW5, "l: E, u*2: n", &format!("advanced+attack-through={through}"));
        on_every_engine(&game, |engine| {
            // White's own pod on d1 shelters the points behind it from Black's long leg.
            assert_eq!(actions(engine, "3Ul w u u -"), expected, "attack-through {through}");
        });
    }
    for through in ["off", "on"] {
        let game = game(ROW5, "l: E, u*2: n", &format!("advanced+attack-through={through}"));
        on_every_engine(&game, |engine| {
            // The first foe on the line is attacked either way.
            assert_eq!(actions(engine, "2uu1 w l l -"), "l@e1", "attack-through {through}");
        });
    }
}

#[test]
fn trap_06_attack_through_is_for_attacks_only() {
    let game = game(ROW5, "l: E, u*2: n, h: n", "advanced-author+attack-through=on");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "L1u2 w - h -"), "");
        assert_eq!(status(engine, "L1u2 w - h -"), "white_won");
        assert_eq!(actions(engine, "L1u2 w h h -"), "a1-b1");
        assert_eq!(play(engine, "L1u2 w h h -", "a1-d1"), "illegal by R17");
        // A short leg reaches no further under it.
    });
    let game = self::game(ROW5, "s: e, u: n", "advanced+attack-through=on");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "2u2 w s s -"), "s@a1 s@d1 s@e1");
    });
}

#[test]
fn trap_07_the_point_left_is_a_liberty_for_others_not_for_the_mover() {
    let game = game("o-o-o o", "m*2: e, r: w e, h: n", "advanced");
    on_every_engine(&game, |engine| {
        // c1 is the end of the row: m has no leg that points back to b1. The m on a1 gets b1.
        assert_eq!(play(engine, "MM2 w h h -", "b1-c1"), "M3 b hm h - back=m out=- ongoing");
        // r has one.
        assert_eq!(play(engine, "MR2 w h h -", "b1-c1"), "M1R1 b h h - back=- out=- ongoing");
        // The point left is a liberty for a foe too.
        assert_eq!(play(engine, "1Mm1 w h h -", "b1-c1"), "illegal by R17");
        assert_eq!(play(engine, "1Rm1 w h h -", "b1-a1"), "R1m1 b h h - back=- out=- ongoing");
    });
}

#[test]
fn trap_08_a_pod_that_moves_and_captures_itself() {
    let game = game(ROW4, "l: E, h: n", "advanced-author");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "L3 w h h -", "a1-d1"), "4 b hl h - back=l out=- white_won");
        assert_eq!(play(engine, "L3 w h h -", "a1-c1"), "2L1 b h h - back=- out=- white_won");
    });
    let game = self::game(ROW4, "l: E, t: e w", "advanced-author");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "L3 w t t -", "a1-d1"), "4 b lt t - back=l out=- ongoing");
        // Next to a foe that keeps another liberty.
        assert_eq!(play(engine, "L1t1 w t l -", "a1-b1"), "2t1 b lt l - back=l out=- ongoing");
    });
}

#[test]
fn trap_08_a_pod_that_moves_and_frees_one_that_was_blocked() {
    let game = game("o-o-o-o o", "m*2: e, r: w e, p: w, h: n", "advanced");
    on_every_engine(&game, |engine| {
        // m on a1 is blocked by r, which goes one step on.
        assert_eq!(play(engine, "MR3 w h h -", "b1-c1"), "M1R2 b h h - back=- out=- ongoing");
        // Any other action leaves it blocked, and it is taken.
        assert_eq!(play(engine, "MR3 w h h -", "h@d1"), "1R3 b hm h - back=hm out=- ongoing");
        // A foe is freed as well.
        assert_eq!(play(engine, "1Rm2 w h h -", "b1-a1"), "R1m2 b h h - back=- out=- ongoing");
        assert_eq!(play(engine, "1Rm2 w h h -", "h@d1"), "1R3 b h h - back=h out=m ongoing");
        // A pod that cannot be freed goes, whatever is played.
        assert_eq!(play(engine, "1R1p1 w h h -", "b1-a1"), "R4 b h h - back=- out=p ongoing");
    });
}

#[test]
fn trap_09_a_placement_opens_a_point_for_the_opponent() {
    // Black's l on e1 keeps White off the whole row, until Black's own pod cuts its line.
    let game = game("o-o-o-o-o\n|   |\no   o", "l: E, u: n, t: s", "standard");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "4l/5 w t tu -"), "");
        assert_eq!(status(engine, "4l/5 w t tu -"), "black_won");
        assert_eq!(play(engine, "4l/5 b t tu -", "u@c2"), "2u1l/5 w t t - back=- out=- ongoing");
        assert_eq!(actions(engine, "2u1l/5 w t t -"), "t@a2");
    });
}

#[test]
fn trap_09_a_placement_opens_a_point_for_the_same_side() {
    let game = game(ROW5, "l: E, r: w e, u: n, t: w", "standard");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "4u w lrt t -", "l@a1"), "illegal by R11");
        assert_eq!(play(engine, "2R1u w lt t -", "l@a1"), "L1R1u b t t - back=- out=- white_won");
        assert_eq!(play(engine, "2R1u b lt t -", "t@b1"), "illegal by R11");
    });
}

#[test]
fn trap_10_who_is_stuck() {
    let (picture, list) = (ROW3, "m: e, p: w, u: n");
    on_every_engine(&game(picture, list, "standard"), |engine| {
        // Black stuck alone.
        assert_eq!(actions(engine, "M2 w p u -"), "p@c1");
        assert_eq!(status(engine, "M2 w p u -"), "ongoing");
        assert_eq!(status(engine, "M2 b p u -"), "white_won");
        assert_eq!(play(engine, "M2 w p u -", "p@c1"), "M1P b - u - back=- out=- white_won");
        // White stuck alone.
        assert_eq!(status(engine, "2m w u p -"), "black_won");
        assert_eq!(actions(engine, "2m w u p -"), "");
        assert_eq!(actions(engine, "2m b u p -"), "p@a1");
        assert_eq!(status(engine, "2m b u p -"), "ongoing");
        // Both stuck: the mover loses. What is tried is charged with its own clause.
        assert_eq!(status(engine, "M2 w u u -"), "black_won");
        assert_eq!(status(engine, "M2 b u u -"), "white_won");
        assert_eq!(play(engine, "M2 w u u -", "u@c1"), "illegal by R13");
        assert_eq!(play(engine, "M2 b u u -", "u@b1"), "illegal by R12");
        assert_eq!(play(engine, "M2 b u u -", "u@a1"), "illegal by R10");
        assert_eq!(play(engine, "M2 w u u -", "a1-b1"), "illegal by R14");
    });
    on_every_engine(&game(picture, list, "advanced-author"), |engine| {
        // A move saves White (R20), and then Black, with no pod on the board, is stuck.
        assert_eq!(actions(engine, "M2 w u u -"), "a1-b1");
        assert_eq!(play(engine, "M2 w u u -", "a1-b1"), "1M1 b u u - back=- out=- white_won");
        assert_eq!(status(engine, "2M w u u -"), "black_won");
    });
}

#[test]
fn trap_11_black_pods_are_turned() {
    let column = "o\n|\no\n|\no";
    let game = game(column, "u: n, t: n s, h: e", "advanced+captures=never");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "u/1/1 b t t -"), "a3-a2 t@a1 t@a2");
        assert_eq!(actions(engine, "1/1/u b h h -"), "h@a2 h@a3");
        assert_eq!(actions(engine, "1/1/U w h h -"), "a1-a2 h@a2 h@a3");
        // A foe's leg: the black pod attacks a2, the white one in the same place does not.
        assert_eq!(actions(engine, "u/1/1 w h h -"), "h@a1");
        assert_eq!(actions(engine, "U/1/1 b h h -"), "h@a1 h@a2");
    });
    let game = self::game("o o\n X\no o", "d: ne, l: NW, h: e", "advanced+captures=never");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "1d/2 b h h -"), "b2-a1 h@a1 h@a2 h@b1");
        assert_eq!(actions(engine, "l1/2 b h h -"), "a2-b1 h@a1 h@b1 h@b2");
        assert_eq!(actions(engine, "2/D1 w h h -"), "a1-b2 h@a2 h@b1 h@b2");
    });
}

/// Returns the points that the half turn of a board gives, for each point by number.
fn half_turn(board: &Board) -> Vec<Point> {
    board.points().rev().collect()
}

/// Finds for each kind the one whose legs are its own turned by 180°, as many in the set; `None`
/// unless every kind has one.
fn turned_kinds(pods: &PodSet) -> Option<Vec<PodKind>> {
    let twin = |kind: PodKind| {
        let legs = pods.legs(kind).mapped(Direction::opposite);
        pods.kinds().find(|&other| pods.legs(other) == legs && pods.spec(other).count == pods.spec(kind).count)
    };
    pods.kinds().map(twin).collect()
}

/// Returns an action on the board turned by 180° with every pod changed for its turned twin.
fn turned(action: Action, points: &[Point], kinds: &[PodKind]) -> Action {
    let image = |point: Point| points[point.index()];
    match action {
        Action::Place { kind, at } => Action::Place { kind: kinds[kind.index()], at: image(at) },
        Action::Move { from, to } => Action::Move { from: image(from), to: image(to) },
        Action::Shove { from, to } => Action::Shove { from: image(from), to: image(to) },
        Action::Kick { from, to, distance } => Action::Kick { from: image(from), to: image(to), distance },
    }
}

/// Plays a game at orientation 0 and its image at orientation 180 side by side and compares all
/// actions on the way.
fn play_side_by_side(plain: &dyn Engine, half: &dyn Engine, points: &[Point], kinds: &[PodKind], seed: usize) {
    let start = |game: &Game| {
        let hand = Hand::whole(game.pods());
        game.start(hand, hand, Side::White).unwrap()
    };
    let (mut here, mut there) = (start(plain.game()), start(half.game()));
    for ply in 0..30 {
        let actions = plain.sorted_actions(&here);
        let mut images: Vec<Action> = actions.iter().map(|&action| turned(action, points, kinds)).collect();
        half.game().sort_actions(&mut images);
        assert_eq!(half.sorted_actions(&there), images);
        assert_eq!(plain.status(&here), half.status(&there));
        let Some(&action) = actions.get((seed * 31 + ply * 7) % actions.len().max(1)) else { return };
        here = plain.transition(&here, action).unwrap().next;
        there = half.transition(&there, turned(action, points, kinds)).unwrap().next;
    }
}

#[test]
fn trap_12_orientations_0_and_180_are_one_game_with_the_symmetry_of_board_or_hands() {
    let turning = pods("a: n E, b: s W, c: ne SW, d: N S w e");
    assert_eq!(turned_kinds(&turning), None, "c turned would be NE sw");
    let turning = pods("a: n E, b: s W, c: ne sw, d: N S w e");
    let mut seen = BTreeSet::new();
    for (name, _) in BUILTIN_BOARDS {
        for set in [builtin_pods("duo").unwrap(), builtin_pods("trio").unwrap(), turning.clone()] {
            for rules in ["standard", "advanced", "very-advanced"] {
                let board = builtin_board(name).unwrap();
                let half = board.turned(Orientation::R180);
                let (by_board, by_hands) = (half.same_shape(&board), turned_kinds(&set));
                seen.insert((by_board, by_hands.is_some()));
                let rules: RuleSet = rules.parse().unwrap();
                let games = [board.clone(), half].map(|board| Game::new(board, set.clone(), rules));
                for (plain, half) in engines(&games[0]).iter().zip(engines(&games[1])) {
                    let (plain, half) = (plain.as_ref(), half.as_ref());
                    if by_board {
                        let (points, kinds): (Vec<Point>, Vec<PodKind>) =
                            (board.points().collect(), set.kinds().collect());
                        (0..5).for_each(|seed| play_side_by_side(plain, half, &points, &kinds, seed));
                    }
                    if let Some(kinds) = &by_hands {
                        (0..5).for_each(|seed| play_side_by_side(plain, half, &half_turn(&board), kinds, seed));
                    }
                }
            }
        }
    }
    assert_eq!(seen.len(), 4, "each of the four cases has an example: {seen:?}");
}

#[test]
fn trap_12_without_the_symmetry_the_two_orientations_differ() {
    for (name, _) in BUILTIN_BOARDS {
        let [plain, half] =
            [0, 180].map(|orientation| crate::common::builtin_game(name, orientation, "duo", "advanced"));
        if half.board().same_shape(plain.board()) {
            continue;
        }
        let hand = Hand::whole(plain.pods());
        let start = plain.start(hand, hand, Side::White).unwrap();
        for (one, other) in engines(&plain).iter().zip(engines(&half)) {
            assert!((1..=4).any(|depth| one.perft(&start, depth) != other.perft(&start, depth)), "{name}");
        }
    }
}

#[test]
fn trap_13_kicks_over_gaps_and_holes_and_onto_the_edge() {
    let list = "l: E, u: n, h: n";
    // A shove leaves the mover next to the shoved pod; a kick may leave room.
    on_every_engine(&game("o-o-o o-o", list, "very-advanced"), |engine| {
        assert_eq!(actions(engine, "Lu3 w h h -"), "a1>b1 a1>b1+2 a1>b1+3");
        assert_eq!(play(engine, "Lu3 w h hl -", "a1>b1"), "5 b hl hl - back=l out=u ongoing");
        assert_eq!(play(engine, "Lu3 w h h -", "a1>b1+1"), "illegal by R25");
        assert_eq!(play(engine, "Lu3 w h h -", "a1>b1+4"), "illegal by R24");
    });
    let list = "l: E, r: e w, h: n";
    on_every_engine(&game("o-o-o o-o", list, "very-advanced"), |engine| {
        assert_eq!(play(engine, "Lr3 w h h -", "a1>b1"), "5 b hl h - back=l out=r white_won");
        assert_eq!(play(engine, "Lr3 w h h -", "a1>b1+2"), "1L1r1 b h h - back=- out=- ongoing");
        assert_eq!(play(engine, "Lr3 w h h -", "a1>b1+3"), "1L2r b h h - back=- out=- ongoing");
    });
    // A hole on the way: nothing slides over it, whatever lies beyond.
    on_every_engine(&game("o-o-o   o", list, "very-advanced"), |engine| {
        assert_eq!(actions(engine, "Lr3 w h h -"), "a1>b1");
        assert_eq!(play(engine, "Lr3 w h h -", "a1>b1+2"), "illegal by R24");
        assert_eq!(play(engine, "Lr3 w h h -", "a1>b1+3"), "illegal by R24");
    });
    // The first step already goes over a gap: no shove, but a kick by one.
    on_every_engine(&game("o-o o", list, "very-advanced"), |engine| {
        assert_eq!(actions(engine, "Lr1 w h h -"), "a1>b1+1");
        assert_eq!(play(engine, "Lr1 w h h -", "a1>b1"), "illegal by R22");
    });
}

#[test]
fn trap_13_a_shove_chain_of_three() {
    let list = "m: e, r*3: e w, h: n";
    on_every_engine(&game("o-o-o-o o", list, "very-advanced"), |engine| {
        assert_eq!(actions(engine, "Mrrr1 w h h -"), "");
        assert_eq!(play(engine, "Mrrr1 w h h -", "a1>b1"), "illegal by R22");
    });
    on_every_engine(&game(ROW5, list, "very-advanced+captures=never"), |engine| {
        assert_eq!(play(engine, "MrRr1 w h hr -", "a1>b1"), "1MrRr b h hr - back=- out=- ongoing");
        assert_eq!(play(engine, "MrRr1 w h hr -", "c1>d1"), "Mr1Rr b h hr - back=- out=- ongoing");
    });
    on_every_engine(&game(ROW5, list, "very-advanced"), |engine| {
        assert_eq!(actions(engine, "MrRr1 w h h -"), "a1>b1 c1>d1");
        // They all block one another in the end.
        assert_eq!(play(engine, "MrRr1 w h h -", "a1>b1"), "5 b hmr h - back=mr out=rr white_won");
    });
}
