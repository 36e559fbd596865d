//! Interplay of the clauses: cases beyond the traps of RULES.md, on every engine, worked out by
//! hand.

use crate::common::{actions, game, on_every_engine, play, status};
use pods::engine::Reference;
use pods::position::Action;

const ROW3: &str = "o-o-o";
const ROW4: &str = "o-o-o-o";
const ROW5: &str = "o-o-o-o-o";
/// A row of four, and a pair apart where a spare pod can always be placed or moved.
const ROW4_AND_PAIR: &str = "o-o-o-o o-o";

#[test]
fn r09_the_opening_bipod_returns_and_white_is_free() {
    let game = game("o-o o", "b: w e, t: n e w", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "3 w bt bt open", "t@a1"), "illegal by R9");
        assert_eq!(play(engine, "3 w bt bt open", "b@c1"), "3 b bt bt - back=b out=- ongoing");
        assert_eq!(play(engine, "3 b bt bt -", "t@a1"), "t2 w bt b - back=- out=- ongoing");
        assert_eq!(actions(engine, "t2 w bt b -"), "b@c1 t@c1");
    });
}

#[test]
fn r09_the_opening_binds_whatever_stands_on_the_board() {
    let game = game(ROW3, "b: w e, m*2: e", "very-advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "M2 w bm bm open"), "b@b1 b@c1");
        for action in ["a1-b1", "a1>b1", "a1>b1+2", "m@b1", "m@a1"] {
            assert_eq!(play(engine, "M2 w bm bm open", action), "illegal by R9", "{action}");
        }
        assert_eq!(play(engine, "M2 w bm bm open", "b@a1"), "illegal by R10");
        assert_eq!(actions(engine, "M2 w bm bm -"), "a1-b1 b@b1 b@c1 m@b1");
    });
    let game = self::game("o-o", "b: w e, m: e, u: n", "advanced");
    on_every_engine(&game, |engine| {
        // No bipod can be placed, though u could move if it had a line.
        assert_eq!(status(engine, "1m w bu bu open"), "black_won");
    });
}

#[test]
fn r09_black_opens_when_black_starts() {
    let game = game("o-o o", "b: w e, t: n e w", "standard");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "3 b bt bt open"), "b@a1 b@b1");
        assert_eq!(play(engine, "3 b bt bt open", "t@a1"), "illegal by R9");
        assert_eq!(play(engine, "3 b bt bt open", "b@a1"), "b2 w bt t - back=- out=- black_won");
    });
}

#[test]
fn r10_only_from_hand_and_only_to_an_empty_point() {
    let game = game(ROW3, "m*2: e, r: w e", "very-advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "M2 w r r -", "m@c1"), "illegal by R10");
        assert_eq!(play(engine, "M2 w mr r -", "r@a1"), "illegal by R10");
        // A placement never pushes (R26).
        assert_eq!(play(engine, "1m1 w mr r -", "r@b1"), "illegal by R10");
    });
}

#[test]
fn r12_no_placement_takes_a_liberty_of_a_foe() {
    for rules in ["standard", "advanced", "very-advanced"] {
        let game = crate::common::builtin_game("nook9", 0, "mini5", &format!("{rules}+captures=never"));
        on_every_engine(&game, |engine| {
            let reference = Reference::new(game.clone());
            for text in ["3/3/3 w bdoqt bdoqt -", "2t/1B1/3 w doqt bdoq -", "o2/3/2Q b bdot bdqt -"] {
                let position = crate::common::position(&game, text);
                let is_placement = |action: &Action| matches!(action, Action::Place { .. });
                for action in engine.legal_actions(&position).into_iter().filter(is_placement) {
                    let next = engine.transition(&position, action).unwrap().next;
                    for (point, _) in position.pods().filter(|(_, pod)| pod.side != position.to_move()) {
                        let [before, after] = [&position, &next].map(|board| reference.liberties(board, point));
                        assert_eq!(before, after, "{text} {}", action.display(&game));
                    }
                }
            }
        });
    }
}

#[test]
fn r13_liberty_is_asked_even_where_placements_capture_nothing() {
    let (picture, list) = ("o-o o", "u: n, h: e w");
    on_every_engine(&game(picture, list, "advanced-author"), |engine| {
        assert_eq!(play(engine, "3 w hu hu -", "u@c1"), "illegal by R13");
        assert_eq!(actions(engine, "3 w hu hu -"), "h@a1 h@b1");
    });
    on_every_engine(&game(picture, list, "advanced-author+placement-liberty=off"), |engine| {
        // Blocked, and it stays, since placements do not capture.
        assert_eq!(play(engine, "3 w hu hu -", "u@c1"), "2U b h hu - back=- out=- ongoing");
    });
    on_every_engine(&game(picture, list, "standard+placement-liberty=off"), |engine| {
        assert_eq!(play(engine, "3 w hu hu -", "u@c1"), "2U b h hu - back=- out=- ongoing");
    });
}

#[test]
fn r13_a_placement_may_block_other_pods() {
    let game = game(ROW4, "m: e, r: w e, u: n", "standard");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "M3 w r u -", "r@b1"), "MR2 b - u - back=- out=- white_won");
    });
}

#[test]
fn r16_the_last_pod_loses_later_or_wins_at_once() {
    let (picture, list) = ("o-o-o o-o", "r: w e, m: e");
    on_every_engine(&game(picture, list, "standard"), |engine| {
        assert_eq!(play(engine, "5 w r m -", "r@a1"), "R4 b - m - back=- out=- ongoing");
        assert_eq!(play(engine, "R4 b - m -", "m@e1"), "R3m w - - - back=- out=- black_won");
        assert_eq!(status(engine, "5 w r - -"), "ongoing");
    });
    on_every_engine(&game(picture, list, "basic-author"), |engine| {
        assert_eq!(play(engine, "5 w r m -", "r@a1"), "R4 b - m - back=- out=- white_won");
        assert_eq!(actions(engine, "R4 b - m -"), "");
        assert_eq!(play(engine, "R4 b - m -", "m@e1"), "illegal by R30");
    });
    on_every_engine(&game(picture, list, "advanced+empty-hand=loses"), |engine| {
        // Nothing in hand, but a pod that moves.
        assert_eq!(actions(engine, "R4 w - m -"), "a1-b1");
        assert_eq!(status(engine, "R4 w - m -"), "ongoing");
        assert_eq!(status(engine, "4r w - m -"), "black_won");
    });
}

#[test]
fn r17_what_a_move_may_not_do() {
    let game = game("o-o-o o\n|X|\no-o-o-o", "l: E N, d: ne, h*2: n", "advanced");
    on_every_engine(&game, |engine| {
        let text = "4/LD1h w h h -";
        assert_eq!(actions(engine, text), "a1-a2 h@a2 h@b2 h@c1 h@c2 h@d2");
        for (action, why) in [
            ("a1-a1", "no way at all"),
            ("a1-c2", "not straight"),
            ("a1-b2", "no leg north-east"),
            ("a1-b1", "an own pod on the target"),
            ("a1-c1", "an own pod in the way"),
            ("a1-d1", "pods in the way and on the target"),
            ("d1-d2", "not the mover's"),
            ("d2-c2", "no pod there"),
            ("b1-c2", "no line"),
            ("b1-d2", "not straight either"),
        ] {
            assert_eq!(play(engine, text, action), "illegal by R17", "{action}: {why}");
        }
        // A gap in the row, and a short leg that would go too far.
        assert_eq!(actions(engine, "L3/4 w h h -"), "a2-b2 a2-c2 h@a1 h@b1 h@b2 h@c1 h@c2 h@d1 h@d2");
        assert_eq!(play(engine, "L3/4 w h h -", "a2-d2"), "illegal by R17");
        assert_eq!(play(engine, "4/4 w h h -", "a1-a2"), "illegal by R17");
    });
    let game = self::game(ROW4, "m: e, h: n", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "M3 w h h -", "a1-c1"), "illegal by R17");
    });
}

#[test]
fn r17_a_moved_pod_may_attack_and_be_attacked() {
    let game = game(ROW4, "m: e, r: w e, h: n", "advanced-author");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "R2r w h h -", "a1-b1"), "1R1r b h h - back=- out=- ongoing");
        assert_eq!(play(engine, "R1r1 w h h -", "a1-b1"), "1Rr1 b h h - back=- out=- ongoing");
        // A placement there would break R11 and R12.
        assert_eq!(play(engine, "2r1 w hr h -", "r@b1"), "illegal by R11");
        assert_eq!(play(engine, "2r1 w h h -", "h@b1"), "illegal by R12");
    });
}

#[test]
fn r17_diagonals_cross_freely() {
    let game = game("o o o\n X X\no o o\n X X\no o o", "d: NE, w: NW, h*4: n", "advanced+captures=never");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "3/3/Dhw w h h -"), "a1-b2 a1-c3 h@a2 h@a3 h@b2 h@b3 h@c2 h@c3");
        // The pods on both sides of a diagonal are not in its way.
        assert_eq!(play(engine, "1h1/h1h/Dh1 w h w -", "a1-c3"), "1hD/h1h/1h1 b h w - back=- out=- ongoing");
    });
}

#[test]
fn r17_long_legs_stop_at_holes_and_gaps() {
    for picture in ["o-o   o-o", "o-o o o-o"] {
        let game = game(picture, "l: E, u: n, r: w e", "advanced");
        on_every_engine(&game, |engine| {
            assert_eq!(play(engine, "L4 w u u -", "a1-d1"), "illegal by R17");
            assert_eq!(play(engine, "L4 b u u -", "u@b1"), "illegal by R12");
            assert_eq!(play(engine, "L4 b u r -", "r@d1"), "L2r1 w u - - back=- out=- black_won");
        });
    }
}

#[test]
fn r18_the_mover_gets_pods_back_the_opponent_does_not() {
    let game = game("o-o-o-o o-o", "l: W E, u: n, h: e w", "advanced-author");
    on_every_engine(&game, |engine| {
        // White's u was blocked by being set up so (R31): White's own move brings it back, Black's
        // throws it out.
        assert_eq!(play(engine, "L2U2 w h hl -", "a1-b1"), "1L4 b hu hl - back=u out=- ongoing");
        assert_eq!(play(engine, "l2U2 b hl h -", "a1-b1"), "1l4 w hl h - back=- out=u ongoing");
        // Placements do not capture here.
        assert_eq!(play(engine, "L2U2 w h hl -", "h@e1"), "L2UH1 b - hl - back=- out=- white_won");
    });
}

#[test]
fn r18_a_row_of_blocked_pods_goes_at_once() {
    let game = game("o-o-o-o-o o-o", "r*5: e w, h: e w", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "RrRrR2 w h h -", "h@f1"), "5H1 b r3 h - back=rrr out=rr ongoing");
        assert_eq!(play(engine, "RrRr3 w h h -", "h@f1"), "3r1H1 b r2 h - back=rr out=r ongoing");
    });
}

#[test]
fn r22_own_pods_are_shoved_too() {
    let game = game(ROW4_AND_PAIR, "r*2: e w, m: e, h: e w", "very-advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "RR4 w h h -", "a1>b1"), "1RR3 b h h - back=- out=- ongoing");
        assert_eq!(play(engine, "Rr4 w h h -", "a1>b1"), "1Rr3 b h h - back=- out=- ongoing");
        assert_eq!(play(engine, "RRr3 w h h -", "a1>b1"), "1R4 b hr h - back=r out=r ongoing");
    });
}

#[test]
fn r22_a_shove_may_block_the_pusher() {
    let game = game(ROW4_AND_PAIR, "r*2: e w, m: e, h: e w", "very-advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "MR4 w h h -", "a1>b1"), "2R3 b hm h - back=m out=- ongoing");
        assert_eq!(play(engine, "Mr4 w h h -", "a1>b1"), "2r3 b hm h - back=m out=- ongoing");
    });
}

#[test]
fn r22_a_shove_may_free_a_pod_and_block_another() {
    let game = game(ROW4_AND_PAIR, "r*2: e w, m: e, p: w, h: e w", "very-advanced");
    on_every_engine(&game, |engine| {
        // m on a1 gets the point that White's r leaves; Black's r is shoved to the end of the row.
        assert_eq!(play(engine, "MRr3 w h h -", "b1>c1"), "M1R3 b h h - back=- out=r ongoing");
        // Black's p looks east on the board; on d1 that is the edge.
        assert_eq!(play(engine, "1Rp3 w h h -", "b1>c1"), "2R3 b h h - back=- out=p ongoing");
    });
}

#[test]
fn r22_a_chain_stops_at_edges_holes_and_gaps() {
    let list = "m: e, r*2: e w, h: n";
    for (picture, text) in [(ROW3, "Mrr w h h -"), ("o-o-o   o", "Mrr2 w h h -"), ("o-o-o o", "Mrr1 w h h -")] {
        on_every_engine(&game(picture, list, "very-advanced"), |engine| {
            assert_eq!(play(engine, text, "a1>b1"), "illegal by R22", "{picture}");
            assert_eq!(actions(engine, text), "", "{picture}");
        });
    }
}

#[test]
fn r22_each_notation_for_what_it_is() {
    let game = game(ROW4, "l: E, r: e w, h: n", "very-advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "L3 w h h -", "a1>b1"), "illegal by R22");
        assert_eq!(play(engine, "L3 w h h -", "a1>b1+1"), "illegal by R24");
        assert_eq!(play(engine, "Lr2 w h h -", "a1-b1"), "illegal by R17");
        assert_eq!(actions(engine, "Lr2 w h h -"), "a1>b1 a1>b1+2");
    });
}

#[test]
fn r22_without_the_options_nothing_is_pushed() {
    let list = "l: E, r: e w, h: e w";
    on_every_engine(&game(ROW4, list, "advanced"), |engine| {
        assert_eq!(play(engine, "Lr2 w h h -", "a1>b1"), "illegal by R22");
        assert_eq!(play(engine, "Lr2 w h h -", "a1>b1+2"), "illegal by R22");
    });
    on_every_engine(&game(ROW4, list, "very-advanced+moves=off"), |engine| {
        for action in ["b1-a1", "a1>b1", "a1>b1+2"] {
            assert_eq!(play(engine, "Lr2 w h h -", action), "illegal by R14", "{action}");
        }
        assert_eq!(actions(engine, "Lr2 w h h -"), "h@d1");
    });
}

#[test]
fn r23_shoves_after_a_run() {
    for (option, expected) in [("on", "a1-b1 a1>c1"), ("off", "a1-b1")] {
        let game = game(ROW5, "l: E, r: e w, h: n", &format!("very-advanced+shove-after-run={option}"));
        on_every_engine(&game, |engine| {
            assert_eq!(actions(engine, "L1r2 w h h -"), expected);
            assert_eq!(actions(engine, "Lr3 w h h -"), "a1>b1 a1>b1+2 a1>b1+3");
            let run = play(engine, "L1r2 w h h -", "a1>c1");
            // l, between r and no leg west, is blocked where it ends; r has e1.
            assert_eq!(run, if option == "on" { "3r1 b hl h - back=l out=- ongoing" } else { "illegal by R23" });
        });
    }
    let game = game(ROW5, "m: e, r: e w, h: n", "very-advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "M1r2 w h h -", "a1>c1"), "illegal by R17");
    });
}

#[test]
fn r24_a_short_leg_never_kicks_and_a_long_one_only_its_neighbour() {
    let game = game(ROW5, "m: e, l: E, r*2: e w, h: n", "very-advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "Mr3 w h h -"), "a1>b1");
        assert_eq!(play(engine, "Mr3 w h h -", "a1>b1+2"), "illegal by R24");
        assert_eq!(play(engine, "L1r2 w h h -", "a1>c1+2"), "illegal by R24");
        assert_eq!(play(engine, "L1r2 w h h -", "a1>c1+1"), "illegal by R24");
    });
    let game = self::game("o o-o-o", "l: E, r: e w, h: n", "very-advanced");
    on_every_engine(&game, |engine| {
        // The neighbour is not connected.
        assert_eq!(play(engine, "Lr2 w h h -", "a1>b1+2"), "illegal by R24");
        assert_eq!(play(engine, "Lr2 w h h -", "a1>b1"), "illegal by R17");
        assert_eq!(actions(engine, "Lr2 w h h -"), "");
    });
}

#[test]
fn r24_a_kick_never_chains() {
    let game = game(ROW5, "l: E, r*2: e w, h: n", "very-advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "Lr1r1 w h h -"), "a1>b1");
        assert_eq!(play(engine, "Lr1r1 w h h -", "a1>b1+2"), "illegal by R24");
        assert_eq!(play(engine, "Lrr2 w h h -", "a1>b1+1"), "illegal by R24");
        assert_eq!(actions(engine, "Lrr2 w h h -"), "a1>b1");
        // The kicked pod may be one's own.
        assert_eq!(play(engine, "LR3 w h h -", "a1>b1+2"), "1L1R1 b h h - back=- out=- white_won");
    });
}

#[test]
fn r24_kick_gaps() {
    let list = "l: E, r: e w, h: n";
    for (picture, text, every, last) in [
        // The first step is the gap.
        ("o-o o-o", "Lr2 w h h -", "a1>b1+1 a1>b1+2", "a1>b1+1"),
        // The second step is.
        ("o-o-o o", "Lr2 w h h -", "a1>b1 a1>b1+2", "a1>b1 a1>b1+2"),
        // The second and the third are.
        ("o-o-o o o", "Lr3 w h h -", "a1>b1 a1>b1+2 a1>b1+3", "a1>b1 a1>b1+2"),
        // None is.
        (ROW5, "Lr3 w h h -", "a1>b1 a1>b1+2 a1>b1+3", "a1>b1 a1>b1+2 a1>b1+3"),
    ] {
        for (option, expected) in [("every-step", every), ("last-step", last)] {
            let game = game(picture, list, &format!("very-advanced+kick-gaps={option}"));
            on_every_engine(&game, |engine| assert_eq!(actions(engine, text), expected, "{picture} {option}"));
        }
    }
    on_every_engine(&game("o-o o-o", list, "very-advanced+kick-gaps=last-step"), |engine| {
        assert_eq!(play(engine, "Lr2 w h h -", "a1>b1+2"), "illegal by R24");
    });
}

#[test]
fn r25_a_kick_by_one_along_a_line_is_the_shove() {
    for rules in ["very-advanced", "very-advanced+kick-gaps=last-step", "very-advanced+shove-after-run=off"] {
        let game = game(ROW3, "l: E, r: e w, h: n", rules);
        on_every_engine(&game, |engine| {
            assert_eq!(actions(engine, "Lr1 w h h -"), "a1>b1");
            assert_eq!(play(engine, "Lr1 w h h -", "a1>b1+1"), "illegal by R25");
        });
    }
}

#[test]
fn r24_diagonal_kicks_over_gaps() {
    let game = game("o o o\n\no o o\n X\no-o o", "d: NE, r: e w, h: w e", "very-advanced");
    on_every_engine(&game, |engine| {
        // b2-c3 is not joined, so b2 is kicked by one; r keeps no line and is taken, d is blocked.
        assert_eq!(actions(engine, "3/1r1/D2 w h h -"), "a1>b2+1");
        assert_eq!(play(engine, "3/1r1/D2 w h h -", "a1>b2+1"), "3/3/3 b dh h - back=d out=r ongoing");
    });
}

#[test]
fn r27_a_pod_that_could_only_shove_its_way_out() {
    let list = "m*2: e, r*3: e w, h: e w, t: e w";
    for (option, end) in [("off", "1R3H b mt t - back=m out=- ongoing"), ("on", "MR3H b t t - back=- out=- ongoing")] {
        let game = game(ROW4_AND_PAIR, list, &format!("very-advanced+shove-liberty={option}"));
        on_every_engine(&game, |engine| {
            assert_eq!(play(engine, "MR2H1 w t t -", "e1-f1"), end);
            // A chain up to the edge cannot be shoved.
            assert_eq!(play(engine, "MRRRH1 w t t -", "e1-f1"), "5H b mr3t t - back=mrrr out=- ongoing");
            // A liberty for a placement is a liberty still (R13).
            assert_eq!(play(engine, "1R2H1 w mt t -", "m@a1"), "illegal by R13");
        });
    }
    // It saves pods of both sides, by what each could do if it were to move.
    let game = game(ROW4_AND_PAIR, list, "very-advanced+shove-liberty=on");
    on_every_engine(&game, |engine| {
        assert_eq!(play(engine, "MR2h1 b t t -", "e1-f1"), "MR3h w t t - back=- out=- ongoing");
    });
}

#[test]
fn r27_a_pod_that_could_only_kick_its_way_out() {
    let picture = "
  o
  |
o-o o o-o o-o";
    for (leg, end) in [
        ("E", "7/MV2H2 b t t - back=- out=- ongoing"),
        // A short leg neither kicks over the gap nor shoves.
        ("e", "7/1V2H2 b mt t - back=m out=- ongoing"),
    ] {
        let list = format!("m: {leg}, v: n, h: e w, t: e w");
        let game = game(picture, &list, "very-advanced+shove-liberty=on");
        on_every_engine(&game, |engine| assert_eq!(play(engine, "7/MV1H3 w t t -", "d1-e1"), end));
    }
}

#[test]
fn r27_shove_liberty_needs_shoves_and_moves() {
    let list = "m: e, r: e w, h: e w, t: e w";
    on_every_engine(&game(ROW4_AND_PAIR, list, "advanced-author+shove-liberty=on"), |engine| {
        assert_eq!(play(engine, "MR2H1 w t t -", "e1-f1"), "1R3H b mt t - back=m out=- ongoing");
    });
    let rules = "very-advanced+moves=off+captures=every-turn+shove-liberty=on";
    on_every_engine(&game(ROW4_AND_PAIR, list, rules), |engine| {
        assert_eq!(play(engine, "MR4 w ht t -", "h@e1"), "1R2H1 b mt t - back=m out=- ongoing");
    });
}

#[test]
fn r30_empty_hands_in_set_positions() {
    let (picture, list) = (ROW3, "r: e w");
    for rules in ["basic-author", "advanced", "very-advanced"] {
        on_every_engine(&game(picture, list, rules), |engine| {
            assert_eq!(status(engine, "3 w - - -"), "black_won");
            assert_eq!(status(engine, "3 b - - -"), "white_won");
            assert_eq!(status(engine, "3 w - r -"), "white_won");
            assert_eq!(status(engine, "3 w r - -"), "black_won");
            assert_eq!(status(engine, "3 b r - -"), "black_won");
            assert_eq!(play(engine, "3 w r - -", "r@a1"), "illegal by R30");
            assert_eq!(play(engine, "3 w r - open", "r@a1"), "illegal by R30");
            assert_eq!(actions(engine, "R2 w - r -"), "");
        });
    }
    on_every_engine(&game(picture, list, "standard"), |engine| {
        assert_eq!(status(engine, "3 w - - -"), "black_won");
        assert_eq!(status(engine, "3 w r - -"), "ongoing");
        assert_eq!(play(engine, "3 w - r -", "r@a1"), "illegal by R10");
    });
}

#[test]
fn r31_blocked_pods_stay_until_captures_come() {
    let list = "u*2: n, h: e w, r: e w";
    for (rules, after_placement, after_move) in [
        ("advanced-dutch", "1R1H2 b u h - back=u out=- ongoing", "2R3 b hu h - back=u out=- ongoing"),
        ("advanced-author", "UR1H2 b - h - back=- out=- white_won", "2R3 b hu h - back=u out=- ongoing"),
        ("advanced+captures=never", "UR1H2 b - h - back=- out=- white_won", "U1R3 b h h - back=- out=- ongoing"),
    ] {
        on_every_engine(&game("o-o-o-o o-o", list, rules), |engine| {
            assert_eq!(play(engine, "UR4 w h h -", "h@d1"), after_placement, "{rules}");
            assert_eq!(play(engine, "UR4 w h h -", "b1-c1"), after_move, "{rules}");
        });
    }
}

#[test]
fn repeated_pods_are_listed_once_and_come_back_one_by_one() {
    let game = game("o o o", "u*3: n, h: n", "advanced");
    on_every_engine(&game, |engine| {
        assert_eq!(actions(engine, "3 w u3 h -"), "u@a1 u@b1 u@c1");
        assert_eq!(play(engine, "1UU w u h -", "u@a1"), "3 b u3 h - back=uuu out=- ongoing");
        assert_eq!(play(engine, "1uu w hu h -", "u@a1"), "3 b hu h - back=u out=uu ongoing");
    });
}

#[test]
fn actions_sort_byte_by_byte() {
    let game = game("o\n|\no\n|\no\n|\no\n|\no\n|\no\n|\no\n|\no\n|\no\n|\no", "n: N, u: s", "advanced");
    on_every_engine(&game, |engine| {
        let moves = "a1-a10 a1-a2 a1-a3 a1-a4 a1-a5 a1-a6 a1-a7 a1-a8 a1-a9";
        let placements = "u@a10 u@a2 u@a3 u@a4 u@a5 u@a6 u@a7 u@a8 u@a9";
        assert_eq!(actions(engine, "1/1/1/1/1/1/1/1/1/N w u u -"), format!("{moves} {placements}"));
    });
}

#[test]
fn the_smallest_and_the_largest_board() {
    on_every_engine(&game("o", "b: w e, u: n", "standard"), |engine| {
        assert_eq!(status(engine, "1 w bu bu open"), "black_won");
    });
    on_every_engine(&game("o", "b: w e, u: n", "advanced"), |engine| {
        assert_eq!(play(engine, "1 w bu bu open", "b@a1"), "1 b bu bu - back=b out=- ongoing");
    });
    let row = "o-o-o-o-o-o-o-o\n";
    let picture = format!("{row}{}", format!("|X|X|X|X|X|X|X|\n{row}").repeat(7));
    on_every_engine(&game(&picture, "o*64: N NE E SE S SW W NW, b: n s", "very-advanced"), |engine| {
        let full = ["OOOOOOOO"; 8].join("/");
        assert_eq!(actions(engine, &format!("{full} w b b -")), "");
        let lone = engine.sorted_actions(&crate::common::position(engine.game(), "8/8/8/8/3O4/8/8/8 w b b -"));
        // The queen on d4 has 27 moves, and b may go to any of the other 63 points.
        assert_eq!(lone.len(), 27 + 63);
    });
}
