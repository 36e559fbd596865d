//! Properties of every engine in every position of random games, under every mixture of options.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::common::{builtin_game, engines, random_games};
use pods::engine::{Bitboard, Engine, Reference, Status};
use pods::geometry::{MAX_POINTS, Point};
use pods::material::{PodKind, Side};
use pods::position::{Action, Game, Hand, Position};
use pods::rules::{Captures, Clause};

/// Returns every action that can be written down, sensible or not.
fn conceivable(game: &Game) -> Vec<Action> {
    let points: Vec<_> = game.board().points().collect();
    let mut actions = Vec::new();
    for &from in &points {
        actions.extend(game.pods().kinds().map(|kind| Action::Place { kind, at: from }));
        for &to in &points {
            actions.extend([Action::Move { from, to }, Action::Shove { from, to }]);
            actions.extend((0..=5).map(|distance| Action::Kick { from, to, distance }));
        }
    }
    actions
}

/// Returns actions that no position of the game has: with points beyond the board, pods beyond the
/// set, slides beyond the edge.
fn nonsense(game: &Game) -> Vec<Action> {
    let (points, kinds) = (game.board().len(), game.pods().kinds().len());
    let mut actions = Vec::new();
    for from in (0..MAX_POINTS).step_by(3).chain([points - 1, points % MAX_POINTS]).map(Point::new) {
        actions.extend((kinds..PodKind::MAX).map(|kind| Action::Place { kind: PodKind::new(kind), at: from }));
        for to in [0, points - 1, points % MAX_POINTS, MAX_POINTS - 1, from.index()].map(Point::new) {
            if from.index() >= points || to.index() >= points || from == to {
                actions.extend([Action::Move { from, to }, Action::Shove { from, to }]);
            }
            actions.extend([0, 64, 200, 255].map(|distance| Action::Kick { from, to, distance }));
        }
    }
    if points < MAX_POINTS {
        let at = Point::new(points);
        actions.extend(game.pods().kinds().map(|kind| Action::Place { kind, at }));
    }
    actions
}

/// Returns the pods of a side, on the board and in hand.
fn in_play(position: &Position, side: Side) -> Hand {
    let on_board = position.pods().filter(|(_, pod)| pod.side == side).map(|(_, pod)| pod.kind);
    let in_hand = position.hand(side).iter().flat_map(|(kind, count)| std::iter::repeat_n(kind, count as usize));
    on_board.chain(in_hand).collect()
}

#[test]
fn what_is_listed_is_what_is_applied() {
    random_games(1, 60, 25, |game, positions| {
        let conceivable = conceivable(game);
        for engine in engines(game) {
            for position in positions {
                let mut legal: Vec<Action> = conceivable
                    .iter()
                    .copied()
                    .filter(|&action| engine.transition(position, action).is_some())
                    .collect();
                game.sort_actions(&mut legal);
                assert_eq!(engine.sorted_actions(position), legal, "{} {}", game.rules(), position.display(game));
            }
        }
    });
}

#[test]
fn an_action_is_legal_exactly_if_it_is_listed_and_nonsense_never_is() {
    let mut legal = 0;
    random_games(8, 150, 25, |game, positions| {
        let (conceivable, nonsense) = (conceivable(game), nonsense(game));
        for engine in engines(game) {
            for position in positions {
                let at = || format!("{} {}", game.rules(), position.display(game));
                let listed: BTreeSet<Action> = engine.sorted_actions(position).into_iter().collect();
                for &action in &conceivable {
                    let is_legal = engine.is_legal(position, action);
                    assert_eq!(is_legal, listed.contains(&action), "{} {}", at(), action.display(game));
                    legal += usize::from(is_legal);
                }
                for &action in &nonsense {
                    assert!(!engine.is_legal(position, action), "{} {action:?}", at());
                    assert_eq!(engine.transition(position, action), None, "{} {action:?}", at());
                }
            }
        }
    });
    assert!(legal > 10_000, "{legal}");
}

#[test]
fn the_unsorted_list_is_the_sorted_one_and_a_visit_ends_where_it_says() {
    random_games(9, 150, 25, |game, positions| {
        let engine = Bitboard::new(game.clone());
        for position in positions {
            let state = engine.state(position);
            let list = engine.state_actions(&state);
            let mut sorted = list.to_vec();
            game.sort_actions(&mut sorted);
            assert_eq!(sorted, engine.sorted_actions(position));
            for most in [1, list.len() / 2, list.len(), list.len() + 1] {
                let mut seen = Vec::new();
                let end = engine.try_for_each_state_action(&state, |action| {
                    seen.push(action);
                    if seen.len() == most { ControlFlow::Break(action) } else { ControlFlow::Continue(()) }
                });
                assert_eq!(seen, list[..most.clamp(usize::from(!list.is_empty()), list.len())]);
                assert_eq!(end.break_value(), most.checked_sub(1).and_then(|last| list.get(last).copied()));
            }
        }
    });
}

#[test]
fn no_pod_appears_from_nowhere_and_none_vanishes_untold() {
    let mut seen = BTreeSet::new();
    random_games(2, 400, 40, |game, positions| {
        for engine in engines(game) {
            for position in positions {
                let (mover, foe) = (position.to_move(), position.to_move().other());
                for action in engine.sorted_actions(position) {
                    let result = engine.transition(position, action).unwrap();
                    let at = || format!("{} {} {}", game.rules(), position.display(game), action.display(game));
                    assert_eq!(in_play(&result.next, mover), in_play(position, mover), "{}", at());
                    let mut left = in_play(&result.next, foe);
                    result.removed.iter().for_each(|&kind| left.add(kind));
                    assert_eq!(left, in_play(position, foe), "{}", at());
                    assert_eq!(result.next.hand(foe), position.hand(foe), "{}", at());
                    let mut hand = *position.hand(mover);
                    if let Action::Place { kind, .. } = action {
                        assert!(hand.take(kind));
                    }
                    result.returned.iter().for_each(|&kind| hand.add(kind));
                    assert_eq!(*result.next.hand(mover), hand, "{}", at());
                    assert!(result.returned.is_sorted() && result.removed.is_sorted(), "{}", at());
                    assert_eq!((result.next.to_move(), result.next.is_open()), (foe, false), "{}", at());
                    assert_eq!(
                        game.parse_position(&result.next.display(game).to_string()).unwrap(),
                        result.next,
                        "{}",
                        at()
                    );
                    let kind = match action {
                        Action::Place { .. } => "place",
                        Action::Move { .. } => "move",
                        Action::Shove { .. } => "shove",
                        Action::Kick { .. } => "kick",
                    };
                    seen.insert((kind, result.returned.len().min(2), result.removed.len().min(2)));
                }
            }
        }
    });
    for kind in ["place", "move", "shove", "kick"] {
        assert!([(0, 0), (1, 0), (0, 1)].iter().all(|&(back, out)| seen.contains(&(kind, back, out))), "{kind}");
    }
    assert!(seen.contains(&("move", 2, 2)) && seen.contains(&("shove", 2, 1)), "{seen:?}");
}

#[test]
fn the_status_follows_from_hands_and_actions() {
    let mut seen = BTreeSet::new();
    random_games(3, 300, 60, |game, positions| {
        for engine in engines(game) {
            for position in positions {
                let actions = engine.sorted_actions(position);
                let by_hand = position.won_by_empty_hand(game);
                let expected = match by_hand {
                    Some(winner) => Status::Won(winner),
                    None if actions.is_empty() => Status::Won(position.to_move().other()),
                    None => Status::Ongoing,
                };
                assert_eq!(engine.status(position), expected, "{} {}", game.rules(), position.display(game));
                assert_eq!(engine.perft(position, 1), actions.len() as u64);
                if by_hand.is_some() {
                    for action in conceivable(game).into_iter().step_by(97) {
                        assert_eq!(engine.transition(position, action), None);
                        let reference = Reference::new(game.clone());
                        assert_eq!(reference.check(position, action).unwrap_err().clause, Clause::R30);
                    }
                }
                seen.insert((by_hand.is_some(), expected));
            }
        }
    });
    assert_eq!(seen.len(), 5, "the games end in every way: {seen:?}");
}

#[test]
fn perft_counts_sequences_of_applied_actions() {
    fn count(engine: &dyn Engine, position: &Position, depth: u32) -> u64 {
        let next = |action| engine.transition(position, action).unwrap().next;
        match depth {
            0 => 1,
            _ => engine.sorted_actions(position).into_iter().map(|a| count(engine, &next(a), depth - 1)).sum(),
        }
    }
    random_games(4, 40, 12, |game, positions| {
        for engine in engines(game) {
            let last = positions.last().unwrap();
            for depth in 0..=2 {
                assert_eq!(engine.perft(last, depth), count(engine.as_ref(), last, depth));
            }
        }
    });
}

#[test]
fn prospects_are_what_the_rules_say_of_both_sides() {
    let mut pairs = 0;
    random_games(35, 60, 25, |game, positions| {
        let (engine, reference) = (Bitboard::new(game.clone()), Reference::new(game.clone()));
        let options = game.rules().options();
        let must_stay = options.placement_liberty || options.captures == Captures::EveryTurn;
        for position in positions {
            let outlook = engine.outlook(&engine.state(position));
            for side in Side::BOTH {
                let said = outlook[side.index()];
                let own: Vec<_> = position.pods().filter(|(_, pod)| pod.side == side).map(|(at, _)| at).collect();
                let attacked: BTreeSet<_> =
                    own.iter().flat_map(|&at| reference.attacked_points(position, at)).collect();
                let liberties: Vec<usize> = own.iter().map(|&at| reference.liberties(position, at).len()).collect();
                let text = || format!("{side} in {} {said:?}", position.display(game));
                assert_eq!(said.attacked, attacked.iter().fold(0, |set, at| set | 1 << at.index()), "{}", text());
                assert_eq!(said.on_board as usize, own.len(), "{}", text());
                assert_eq!(said.liberties as usize, liberties.iter().sum::<usize>(), "{}", text());
                assert_eq!(said.weak as usize, liberties.iter().filter(|&&n| n < 2).count(), "{}", text());
                assert_eq!(said.in_hand as usize, position.hand(side).len(), "{}", text());
                assert_eq!(said.kinds as usize, position.hand(side).iter().count(), "{}", text());
                // As if it were the side's turn, and as if no hand were empty: a placement stays
                // that has a liberty itself.
                let mut turned = position.clone();
                turned = engine.position(&match turned.to_move() == side {
                    true => engine.state(&turned),
                    false => engine.passed(&engine.state(&turned)),
                });
                if turned.is_open() || turned.won_by_empty_hand(game).is_some() {
                    continue;
                }
                let mut placements = Vec::new();
                for action in reference.sorted_actions(&turned) {
                    let Action::Place { kind, at } = action else { continue };
                    let (there, _) = reference.before_captures(&turned, action).expect("a legal action");
                    if !must_stay || !reference.liberties(&there, at).is_empty() {
                        placements.push((kind, at));
                    }
                }
                let points: BTreeSet<_> = placements.iter().map(|(_, at)| *at).collect();
                let kinds: BTreeSet<_> = placements.iter().map(|(kind, _)| *kind).collect();
                assert_eq!(said.pairs as usize, placements.len(), "{}", text());
                assert_eq!(said.points, points.iter().fold(0, |set, at| set | 1 << at.index()), "{}", text());
                assert_eq!(said.placeable as usize, kinds.len(), "{}", text());
                pairs += placements.len();
            }
        }
    });
    assert!(pairs > 5_000, "{pairs}");
}

#[test]
fn moves_that_capture_are_among_those_listed_for_it() {
    let mut capturing = 0;
    random_games(36, 150, 40, |game, positions| {
        let (engine, reference) = (Bitboard::new(game.clone()), Reference::new(game.clone()));
        let takes =
            |position: &Position, action| !reference.transition(position, action).expect("legal").removed.is_empty();
        for position in positions {
            let mut listed = Vec::new();
            engine.for_each_capturing_move(&engine.state(position), |action| listed.push(action));
            let text = || format!("{} {}", game.rules(), position.display(game));
            let legal = reference.sorted_actions(position);
            assert!(listed.iter().all(|action| legal.contains(action)), "{}", text());
            // What was set up blocked is captured by any action.
            if !reference.blocked_pods(position).is_empty() {
                continue;
            }
            let moves = legal.into_iter().filter(|action| matches!(action, Action::Move { .. }));
            for action in moves.filter(|&action| takes(position, action)) {
                assert!(listed.contains(&action), "{} {}", action.display(game), text());
                capturing += 1;
            }
        }
    });
    assert!(capturing > 100, "{capturing}");
}

#[test]
fn options_allow_more_or_less_as_they_say() {
    random_games(5, 200, 25, |game, positions| {
        // An `open` flag is none of the position's under `opening=any`, so that option is left out.
        for (option, wide, narrow) in [
            ("attack-through", "off", "on"),
            ("placement-liberty", "off", "on"),
            ("moves", "on", "off"),
            ("shoves", "on", "off"),
            ("shove-after-run", "on", "off"),
            ("kick-gaps", "every-step", "last-step"),
            ("empty-hand", "loses", "wins"),
        ] {
            let with =
                |value| Game::new(game.board().clone(), game.pods().clone(), game.rules().with(option, value).unwrap());
            for (wide, narrow) in engines(&with(wide)).iter().zip(engines(&with(narrow))) {
                for position in positions {
                    let (more, fewer) = (wide.sorted_actions(position), narrow.sorted_actions(position));
                    assert!(fewer.iter().all(|action| more.contains(action)), "{option} {}", position.display(game));
                }
            }
        }
    });
}

#[test]
fn after_captures_nothing_is_left_to_capture_unless_a_push_saved_it() {
    random_games(6, 300, 40, |game, positions| {
        let (reference, options) = (Reference::new(game.clone()), game.rules().options());
        if options.captures != Captures::EveryTurn {
            return;
        }
        for position in &positions[1..] {
            if options.shove_liberty {
                // A removal may undo a push that would have saved: what is left is then taken next
                // time.
                continue;
            }
            assert_eq!(reference.blocked_pods(position), [], "{} {}", game.rules(), position.display(game));
        }
    });
}

#[test]
fn explanations_agree_with_one_another() {
    random_games(7, 150, 30, |game, positions| {
        let reference = Reference::new(game.clone());
        for position in positions {
            let blocked = reference.blocked_pods(position);
            for point in game.board().points() {
                let attacked = reference.attacked_points(position, point);
                let liberties = reference.liberties(position, point);
                let legs = reference.leg_blocks(position, point);
                assert!(liberties.iter().all(|point| attacked.contains(point) && position.pod(*point).is_none()));
                assert_eq!(liberties.len(), legs.iter().filter(|(_, block)| block.is_none()).count());
                assert_eq!(blocked.contains(&point), position.pod(point).is_some() && liberties.is_empty());
                assert_eq!(legs.len(), position.pod(point).map_or(0, |pod| game.pods().legs(pod.kind).count()));
                assert!(attacked.is_sorted() && liberties.is_sorted());
            }
            assert!(reference.capturable_pods(position).iter().all(|point| blocked.contains(point)));
        }
    });
}

#[test]
fn hashes_are_the_same_in_every_run_and_version() {
    let game = builtin_game("nook9", 0, "trio", "advanced");
    let engine = Bitboard::new(game.clone());
    let hash = |text: &str| engine.hash_from_scratch(&game.parse_position(text).unwrap());
    let found = ["3/3/3 w - - -", "D2/3/3 w bt bdt -", "3/1b1/2T b d t -"].map(hash);
    assert_eq!(found, [0, 0x4a5a_0374_cc9b_8993, 0xdd0d_7f0d_c462_0540], "{found:#018x?}");
}
