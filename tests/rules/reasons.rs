//! Reasons why an action is illegal: the clause and what is to blame, one case for each.

use crate::common::{action, builtin_game, game, on_every_engine, position};
use pods::engine::{Illegal, LegBlock, Play as _, Reason, Reference};
use pods::geometry::{Direction, Point};
use pods::material::{Leg, Reach, Side};
use pods::position::{Game, Pod};
use pods::rules::Clause;

fn at(game: &Game, name: &str) -> Point {
    game.board().point_at(name.parse().unwrap()).unwrap()
}

/// Returns a pod by its letter in a position: upper case White's.
fn pod(game: &Game, letter: char) -> Pod {
    let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
    Pod { side, kind: game.pods().kind(letter.to_ascii_lowercase()).unwrap() }
}

const fn short(direction: Direction) -> Leg {
    Leg { direction, reach: Reach::Short }
}

const fn long(direction: Direction) -> Leg {
    Leg { direction, reach: Reach::Long }
}

/// Checks that every engine refuses the action, that the reference says why, and that the
/// explanation names action and clause.
fn blames(game: &Game, from: &str, by: &str, clause: Clause, reason: &Reason) {
    let (position, action) = (position(game, from), action(game, by));
    on_every_engine(game, |engine| assert_eq!(engine.transition(&position, action), None, "{from} {by}"));
    let illegal = Reference::new(game.clone()).turn(&position, action).unwrap_err();
    assert_eq!(illegal, Illegal { clause, reason: reason.clone() }, "{from} {by}");
    on_every_engine(game, |engine| assert_eq!(engine.apply(&position, action), Err(illegal.clone()), "{from} {by}"));
    let text = illegal.explain(game, action);
    assert!(text.starts_with(&format!("{by} is illegal by {clause}: ")), "{text}");
}

#[test]
fn placements() {
    let game = game("o-o-o-o o", "l: E, m: e, r*2: e w, u: n", "advanced-dutch");
    let [a, c, d] = ["a1", "c1", "d1"].map(|name| at(&game, name));
    let kind = |letter| pod(&game, letter).kind;
    blames(&game, "5 w l - -", "l@a1", Clause::R30, &Reason::Finished(Side::Black));
    blames(&game, "5 w lr r open", "l@a1", Clause::R9, &Reason::MustOpenWithBipod);
    blames(&game, "5 w l r -", "m@a1", Clause::R10, &Reason::NotInHand(kind('m')));
    blames(&game, "r4 w l r -", "l@a1", Clause::R10, &Reason::Taken(a, pod(&game, 'r')));
    let reason = Reason::WouldAttack { leg: long(Direction::E), target: c, victim: pod(&game, 'r'), past: None };
    blames(&game, "2rr1 w l u -", "l@a1", Clause::R11, &reason);
    // Black's l looks west; the nearest attacker by point number is named.
    let reason = Reason::Attacked { from: d, attacker: pod(&game, 'l'), leg: long(Direction::W), past: None };
    blames(&game, "3l1 w u u -", "u@b1", Clause::R12, &reason);
    let reason = Reason::Attacked { from: a, attacker: pod(&game, 'r'), leg: short(Direction::E), past: None };
    blames(&game, "r1r2 w u u -", "u@b1", Clause::R12, &reason);
    let reason = Reason::NoLiberty(vec![
        (short(Direction::E), LegBlock::NoLine(at(&game, "e1"))),
        (short(Direction::W), LegBlock::Occupied(c, pod(&game, 'M'))),
    ]);
    blames(&game, "2M2 w r u -", "r@d1", Clause::R13, &reason);
    let reason = Reason::NoLiberty(vec![(short(Direction::E), LegBlock::Edge)]);
    blames(&game, "5 w m u -", "m@e1", Clause::R13, &reason);
}

#[test]
fn attacks_past_a_pod_name_the_option_and_its_clause() {
    let game = game("o-o-o-o o", "l: E, m: e, r*2: e w, u: n", "standard+attack-through=on+placement-liberty=off");
    let (b, c) = (at(&game, "b1"), at(&game, "c1"));
    let reason = Reason::WouldAttack { leg: long(Direction::E), target: c, victim: pod(&game, 'r'), past: Some(b) };
    blames(&game, "1Rr2 w l u -", "l@a1", Clause::R11, &reason);
    let reason =
        Reason::Attacked { from: at(&game, "d1"), attacker: pod(&game, 'l'), leg: long(Direction::W), past: Some(c) };
    blames(&game, "2Rl1 w u u -", "u@a1", Clause::R12, &reason);
    let illegal = Illegal { clause: Clause::R12, reason };
    let said = illegal.explain(&game, action(&game, "u@a1"));
    let why = "Black's pod l on d1 attacks the point with its leg W, past the pod on c1 (attack-through=on, R5)";
    assert_eq!(said, format!("u@a1 is illegal by R12: {why}"));
}

#[test]
fn moves() {
    let game = game("o-o-o-o o\n|\no-o-o-o-o", "l: E, m: e, r*2: e w, u: n", "advanced-dutch");
    let name = |name| at(&game, name);
    let text = "L1r2/M4 w u u -";
    for (by, reason) in [
        ("c2-b2", Reason::NotOwn(name("c2"), Some(pod(&game, 'r')))),
        ("b2-a2", Reason::NotOwn(name("b2"), None)),
        ("a2-c1", Reason::NotStraight),
        ("a2-a2", Reason::NotStraight),
        ("a1-a2", Reason::NoLeg(pod(&game, 'M'), Direction::N)),
        ("a1-c1", Reason::TooFar(short(Direction::E))),
        ("a2-c2", Reason::InTheWay(name("c2"), pod(&game, 'r'))),
        ("a2-e2", Reason::InTheWay(name("c2"), pod(&game, 'r'))),
    ] {
        blames(&game, text, by, Clause::R17, &reason);
    }
    let reason = Reason::NoLine { after: name("d2"), direction: Direction::E };
    blames(&game, "L4/5 w u u -", "a2-e2", Clause::R17, &reason);
    let standard = crate::common::game("o-o", "m: e, u: n", "standard");
    for by in ["a1-b1", "a1>b1", "a1>b1+1"] {
        blames(&standard, "M1 w u u -", by, Clause::R14, &Reason::NoMoves);
    }
    for by in ["a2>b2", "a2>b2+2"] {
        blames(&game, "Lr3/5 w u u -", by, Clause::R22, &Reason::NoShoves);
    }
}

#[test]
fn shoves() {
    let game = game("o-o-o-o o-o", "l: E, m: e, r*2: e w, u: n", "very-advanced+shove-after-run=off");
    let name = |name| at(&game, name);
    for (text, by, clause, reason) in [
        ("Mr4 w u u -", "b1>a1", Clause::R17, Reason::NotOwn(name("b1"), Some(pod(&game, 'r')))),
        ("M1r3 w u u -", "a1>c1", Clause::R17, Reason::TooFar(short(Direction::E))),
        ("Lrr3 w u u -", "a1>c1", Clause::R17, Reason::InTheWay(name("b1"), pod(&game, 'r'))),
        ("3Mr1 w u u -", "d1>e1", Clause::R17, Reason::NoLine { after: name("d1"), direction: Direction::E }),
        ("M5 w u u -", "a1>b1", Clause::R22, Reason::NothingToPush(name("b1"))),
        ("L5 w u u -", "a1>c1", Clause::R22, Reason::NothingToPush(name("c1"))),
        ("L1r3 w u u -", "a1>c1", Clause::R23, Reason::NoRun),
        ("4Mr w u u -", "e1>f1", Clause::R22, Reason::PushedOff { after: name("f1") }),
        ("1Mrr2 w u u -", "b1>c1", Clause::R22, Reason::NoLine { after: name("d1"), direction: Direction::E }),
    ] {
        blames(&game, text, by, clause, &reason);
    }
}

#[test]
fn kicks() {
    let game = game("o-o-o o o-o", "l: E, m: e, r*2: e w, u: n", "very-advanced+kick-gaps=last-step");
    let name = |name| at(&game, name);
    for (text, by, clause, reason) in [
        ("r5 w u u -", "a1>b1+2", Clause::R17, Reason::NotOwn(name("a1"), Some(pod(&game, 'r')))),
        ("rL4 w u u -", "b1>a1+2", Clause::R17, Reason::NoLeg(pod(&game, 'L'), Direction::W)),
        ("Mr4 w u u -", "a1>b1+2", Clause::R24, Reason::ShortLegKick(short(Direction::E))),
        ("L1r3 w u u -", "a1>c1+1", Clause::R24, Reason::NotAdjacent(name("c1"))),
        ("2Lr2 w u u -", "c1>d1+2", Clause::R24, Reason::NoLine { after: name("c1"), direction: Direction::E }),
        ("L5 w u u -", "a1>b1+2", Clause::R24, Reason::NothingToPush(name("b1"))),
        ("Lr4 w u u -", "a1>b1+3", Clause::R24, Reason::NoLine { after: name("c1"), direction: Direction::E }),
        ("Lr1r2 w u u -", "a1>b1+2", Clause::R24, Reason::KickBlocked(name("d1"), pod(&game, 'r'))),
        ("Lrr3 w u u -", "a1>b1+1", Clause::R24, Reason::KickBlocked(name("c1"), pod(&game, 'r'))),
        ("4Lr w u u -", "e1>f1+1", Clause::R24, Reason::PushedOff { after: name("f1") }),
        ("Lr4 w u u -", "a1>b1+1", Clause::R25, Reason::SameAsShove),
    ] {
        blames(&game, text, by, clause, &reason);
    }
    // A kick by nothing cannot be written, only made.
    let nothing = pods::position::Action::Kick { from: name("a1"), to: name("b1"), distance: 0 };
    let position = position(&game, "Lr4 w u u -");
    on_every_engine(&game, |engine| assert_eq!(engine.transition(&position, nothing), None));
    let illegal = Reference::new(game.clone()).turn(&position, nothing).unwrap_err();
    assert_eq!(illegal, Illegal { clause: Clause::R24, reason: Reason::NoDistance });
}

#[test]
fn what_the_game_lacks_is_refused_and_what_is_legal_is_played() {
    let small = builtin_game("nook9", 0, "duo", "standard");
    let large = builtin_game("cave36", 0, "pods14", "standard");
    let start = small.whole_start().unwrap();
    let kind = large.pods().kinds().next_back().unwrap();
    let far = large.board().points().next_back().unwrap();
    let own = small.pods().kinds().next().unwrap();
    for (action, clause) in [
        (pods::position::Action::Place { kind, at: at(&small, "a1") }, Clause::R3),
        (pods::position::Action::Place { kind: own, at: far }, Clause::R1),
        (pods::position::Action::Move { from: at(&small, "a1"), to: far }, Clause::R1),
    ] {
        let illegal = Illegal { clause, reason: Reason::Unknown };
        on_every_engine(&small, |engine| assert_eq!(engine.apply(&start, action), Err(illegal.clone())));
    }
    on_every_engine(&small, |engine| {
        for action in engine.legal_actions(&start) {
            assert_eq!(
                engine.apply(&start, action).ok().map(|transition| transition.next),
                engine.transition(&start, action).map(|transition| transition.next)
            );
        }
    });
}
