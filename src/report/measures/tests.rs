//! Measures against a plain twin that plays all games with the reference engine, and by hand.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::exact::Chance;
use super::games::{Figure, Games};
use super::observed::{Decision, Flow, Observed, Starter};
use super::*;
use crate::engine::{Engine as _, Reference, Status};
use crate::geometry::{Orientation, Point};
use crate::material::BySide;
use crate::position::{Action, Game};
use crate::report::point_values::target;
use crate::solver::{Outcome, Silent, plain_retrograde};
use crate::table::{BuildOptions, build};

fn setup(board: &str, pods: &str, hands: [&str; 2], rules: &str) -> NamedSetup {
    let hands = BySide { white: hands[0], black: hands[1] };
    NamedSetup::read(board, Orientation::R90, pods, hands, rules.parse().unwrap()).unwrap()
}

fn plan(horizon: u32) -> MeasurePlan {
    MeasurePlan { horizon, repetitions: 3, opening_plies: 1, seed: 7, games: 100, strengths: Vec::new() }
}

type Key = (Measure, Option<u32>, Option<String>);

type Figures = BTreeMap<Key, f64>;

fn of_rows<'r>(rows: impl IntoIterator<Item = &'r MeasureRow>) -> Figures {
    rows.into_iter().map(|row| ((row.measure, row.ply, row.item.clone()), row.value.0)).collect()
}

/// A game as the twin keeps it: the decisions, what each of their actions gives, and what was
/// chosen.
struct TwinGame {
    positions: Vec<Position>,
    actions: Vec<Vec<(Action, Value, [usize; 2])>>,
    chosen: Vec<usize>,
    last: Position,
}

type Of = (Measure, Option<u32>, Option<String>);

/// The plain twin: it plays all games, one by one, and measures each by the words of the docs.
struct Twin {
    engine: Reference,
    values: HashMap<Position, Value>,
    chance: Chance,
    horizon: usize,
    sums: BTreeMap<Of, (f64, f64)>,
    lengths: Vec<(usize, f64)>,
}

impl Twin {
    fn figures(named: &NamedSetup, chance: Chance, horizon: usize) -> Figures {
        let engine = Reference::new(named.game().clone());
        let start = named.setup().start(Side::White).unwrap();
        let values = plain_retrograde(&engine, &[&start]);
        let mut twin = Twin { engine, values, chance, horizon, sums: BTreeMap::new(), lengths: Vec::new() };
        let game = TwinGame { positions: Vec::new(), actions: Vec::new(), chosen: Vec::new(), last: start };
        twin.play(game, 1.0);
        let going = |ply: u32, twin: &Twin| twin.sums[&(Measure::Ongoing, Some(ply), None)].1 >= 0.01;
        let shown = twin.sums.iter().filter(|(key, sum)| sum.0 > 0.0 && key.1.is_none_or(|ply| going(ply, &twin)));
        let mut figures: Figures = shown.map(|(key, (weight, sum))| (key.clone(), sum / weight)).collect();
        let finished: f64 = twin.lengths.iter().map(|(_, chance)| chance).sum();
        if finished > 0.0 {
            let mean = figures[&(Measure::GameLength, None, None)];
            let squares: f64 = twin.lengths.iter().map(|&(plies, of)| of * (plies as f64 - mean).powi(2)).sum();
            figures.insert((Measure::GameLengthDeviation, None, None), (squares / finished).sqrt());
            let mut lengths = twin.lengths.clone();
            lengths.sort_by_key(|length| length.0);
            let mut so_far = 0.0;
            let median = lengths.iter().find(|(_, chance)| {
                so_far += chance;
                so_far > finished / 2.0 - 1e-9
            });
            figures.insert((Measure::GameLengthMedian, None, None), median.unwrap().0 as f64);
        }
        figures
    }

    fn play(&mut self, game: TwinGame, chance: f64) {
        let over = self.engine.status(&game.last) != Status::Ongoing;
        if over || game.positions.len() == self.horizon {
            return self.measure(&game, chance);
        }
        let (here, value) = (game.last.clone(), self.values[&game.last]);
        let actions: Vec<(Action, Position, Value, [usize; 2])> = self
            .engine
            .sorted_actions(&here)
            .into_iter()
            .map(|action| {
                let step = self.engine.transition(&here, action).unwrap();
                let given = self.values[&step.next].before();
                (action, step.next, given, [step.returned.len(), step.removed.len()])
            })
            .collect();
        let may: Vec<usize> =
            (0..actions.len()).filter(|&i| self.chance == Chance::Random || actions[i].2 == value).collect();
        for &chosen in &may {
            let mut next = TwinGame {
                positions: game.positions.clone(),
                actions: game.actions.clone(),
                chosen: game.chosen.clone(),
                last: actions[chosen].1.clone(),
            };
            next.positions.push(here.clone());
            next.actions.push(actions.iter().map(|of| (of.0, of.2, of.3)).collect());
            next.chosen.push(chosen);
            self.play(next, chance / may.len() as f64);
        }
    }

    fn add(&mut self, key: Key, weight: f64, value: f64) {
        let sum = self.sums.entry(key).or_default();
        sum.0 += weight;
        sum.1 += weight * value;
    }

    fn measure(&mut self, game: &TwinGame, chance: f64) {
        let is = |is: bool| f64::from(u8::from(is));
        let points = self.engine.game().board().points().count() as f64;
        let values: Vec<Value> = game.positions.iter().map(|position| self.values[position]).collect();
        let winner = match self.engine.status(&game.last) {
            Status::Ongoing => None,
            Status::Won(side) => Some(side),
        };
        self.add((Measure::AdvantageP1, None, None), chance, is(winner == Some(Side::White)));
        self.add((Measure::Drawishness, None, None), chance, is(winner.is_none()));
        let (mut changes, mut captured) = (0, [0, 0]);
        for point in self.engine.game().board().points() {
            let used = game.actions.iter().zip(&game.chosen).filter(|(of, chosen)| target(of[**chosen].0) == point);
            let used = used.count() as f64;
            self.add(
                (Measure::PointUse, None, Some(self.engine.game().board().coord(point).to_string())),
                chance,
                used,
            );
        }
        // Games that are over count in the share of those that go on.
        for ply in 0..self.horizon as u32 {
            self.add((Measure::Ongoing, Some(ply), None), chance, is((ply as usize) < values.len()));
        }
        for (ply, position) in game.positions.iter().enumerate() {
            let (value, actions, chosen) = (values[ply], &game.actions[ply], game.actions[ply][game.chosen[ply]]);
            let outcome = value.outcome();
            let count = |wanted: Outcome| actions.iter().filter(|of| of.1.outcome() == wanted).count();
            let mut decisions = vec![
                (Measure::Won, is(outcome == Outcome::Win)),
                (Measure::Drawn, is(outcome == Outcome::Draw)),
                (Measure::Lost, is(outcome == Outcome::Loss)),
                (Measure::BranchingFactor, actions.len() as f64),
                (Measure::WinningActions, count(Outcome::Win) as f64),
                (Measure::DecisiveAction, is(actions.iter().any(|of| of.1 == Value::Win(1)))),
                (Measure::BoardSitesOccupied, position.pods().count() as f64 / points),
            ];
            decisions.extend(value.plies().map(|plies| (Measure::Distance, f64::from(plies))));
            if outcome != Outcome::Loss {
                let worse = actions.iter().filter(|of| of.1.outcome() < outcome).count();
                decisions.push((Measure::LosingActions, worse as f64 / actions.len() as f64));
                if actions.len() > 1 {
                    decisions.push((Measure::OnlyAction, is(worse == actions.len() - 1)));
                }
            }
            for (measure, value) in decisions {
                self.add((measure, None, None), chance, value);
                self.add((measure, Some(ply as u32), None), chance, value);
            }
            let changed = chosen.1.outcome() != outcome;
            changes += u32::from(changed);
            self.add((Measure::LeadChange, Some(ply as u32), None), chance, is(changed));
            captured = [captured[0] + chosen.2[0], captured[1] + chosen.2[1]];
            let score = |value: Value| match value.outcome() {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.5,
                Outcome::Loss => 0.0,
            };
            let mean = actions.iter().map(|of| score(of.1)).sum::<f64>() / actions.len() as f64;
            for &(action, given, _) in actions {
                let game = self.engine.game().clone();
                let point = game.board().coord(target(action)).to_string();
                self.add((Measure::PointGain, None, Some(point)), chance, score(given) - mean);
                if let Action::Place { kind, .. } = action {
                    let pod = game.pods().id(kind).to_string();
                    self.add((Measure::PodGain, None, Some(pod)), chance, score(given) - mean);
                }
            }
        }
        self.add((Measure::LeadChange, None, None), chance, f64::from(changes));
        self.add((Measure::Returns, None, None), chance, captured[0] as f64);
        self.add((Measure::Captures, None, None), chance, captured[1] as f64);
        let Some(winner) = winner else { return };
        self.lengths.push((values.len(), chance));
        self.add((Measure::GameLength, None, None), chance, values.len() as f64);
        if !self.engine.game().rules().can_cycle() {
            let covered = game.last.pods().count() as f64 / points;
            self.add((Measure::BoardCoverage, None, None), chance, covered);
        }
        let of_winner = |ply: usize| {
            if game.positions[ply].to_move() == winner {
                values[ply].outcome()
            } else {
                values[ply].outcome().reversed()
            }
        };
        let lost: Vec<usize> = (0..values.len()).filter(|&ply| of_winner(ply) == Outcome::Loss).collect();
        self.add((Measure::Drama, None, None), chance, lost.len() as f64);
        self.add((Measure::Comeback, None, None), chance, is(!lost.is_empty()));
        for &ply in &lost {
            self.add((Measure::DramaDistance, None, None), chance, f64::from(values[ply].plies().unwrap()));
        }
        let known = (0..values.len()).rev().take_while(|&ply| of_winner(ply) == Outcome::Win).count();
        self.add((Measure::KnownBeforeEnd, None, None), chance, known as f64);
    }
}

#[test]
fn figures_are_those_of_all_games_one_by_one() {
    for (board, pods, hands, rules, horizon) in [
        ("nook9", "duo", ["bt", "bt"], "standard", 300),
        ("nook9", "trio", ["bt", "bd"], "basic-author", 300),
        ("ring8", "duo", ["bt", "bt"], "advanced", 4),
        ("ring8", "duo", ["bt", "b"], "advanced-dutch", 4),
        ("nook9", "duo", ["b", "b"], "very-advanced", 4),
    ] {
        let named = setup(board, pods, hands, rules);
        let rows = measures(&named, None, &plan(horizon), Limits::default(), &Silent).unwrap();
        assert!(rows.iter().all(|row| row.method == Method::Exact && row.games.is_none() && row.low.is_none()));
        let endless = named.game().rules().can_cycle();
        for (play, chance) in [("optimal", Chance::Optimal), ("random", Chance::Random)] {
            let of = |row: &&MeasureRow| row.play == play && row.measure != Measure::PodRemoved;
            assert!(rows.iter().filter(of).all(|row| row.horizon == endless.then_some(horizon)));
            let (found, expected) =
                (of_rows(rows.iter().filter(of)), Twin::figures(&named, chance, horizon.min(12) as usize));
            let keys = |figures: &Figures| figures.keys().cloned().collect::<Vec<_>>();
            assert_eq!(keys(&found), keys(&expected), "{board} {rules} {play}");
            for (key, value) in &expected {
                assert!(
                    (found[key] - value).abs() < 1e-9,
                    "{board} {rules} {play} {key:?}: {} is not {value}",
                    found[key]
                );
            }
        }
    }
}

#[test]
fn a_pod_is_worth_what_the_plain_solver_loses_without_it() {
    for (board, pods, hands, rules) in
        [("nook9", "trio", ["bdt", "bt"], "standard"), ("ring8", "duo", ["bt", "bt"], "advanced")]
    {
        let named = setup(board, pods, hands, rules);
        let rows = measures(&named, None, &plan(1), Limits::default(), &Silent).unwrap();
        let rows: Vec<&MeasureRow> = rows.iter().filter(|row| row.measure == Measure::PodRemoved).collect();
        let of_white = |hands: [&str; 2]| {
            let start = setup(board, pods, hands, rules).setup().start(Side::White).ok()?;
            let engine = Reference::new(named.game().clone());
            Some(match plain_retrograde(&engine, &[&start])[&start].outcome() {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.5,
                Outcome::Loss => 0.0,
            })
        };
        let mut expected = Vec::new();
        for (side, owner) in ["white", "black"].into_iter().enumerate() {
            for id in hands[side].chars() {
                let (mut fewer, rest) = (hands, hands[side].replace(id, ""));
                fewer[side] = &rest;
                let Some(without) = of_white(fewer) else { continue };
                let gain = of_white(hands).unwrap() - without;
                expected.push((format!("{owner} {id}"), if side == 0 { gain } else { -gain }));
            }
        }
        let found: Vec<(String, f64)> = rows.iter().map(|row| (row.item.clone().unwrap(), row.value.0)).collect();
        assert!(found.len() > 1, "{found:?}");
        assert_eq!(found, expected);
    }
}

/// Returns a game of four decisions: lost for White at the second and third, won again at the last.
fn game_by_hand() -> Observed {
    let mut observed = Observed::new(9, 2);
    let mut flow = Flow::game();
    let decisions: [(Value, &[Value]); 4] = [
        (Value::Win(3), &[Value::Win(3), Value::Loss(4)]),
        // Black to move wins, by one action of three.
        (Value::Win(5), &[Value::Loss(2), Value::Win(5), Value::Draw]),
        (Value::Loss(4), &[Value::Loss(4)]),
        (Value::Loss(2), &[Value::Loss(2), Value::Loss(2)]),
    ];
    for ((value, gives), ply) in decisions.into_iter().zip(0..) {
        let held = f64::from(ply) / 9.0;
        observed.decision(ply, 1.0, &Decision { value: Some(value), gives, actions: gives.len(), held });
        flow.pass(Starter::after(ply).seen_by_first(value.outcome()), f64::from(value.plies().unwrap()));
        observed.step(ply, 1.0, ply == 0 || ply == 2);
    }
    observed.captures([1.0, 2.0]);
    observed.won(4, &flow, Starter::First);
    observed.covered(1.0, 5.0 / 9.0);
    let place = |at| Action::Place { kind: crate::material::PodKind::new(1), at: Point::new(at) };
    super::exact::gains(&mut observed, 1.0, &[place(3), place(4)], &[Value::Win(1), Value::Draw]);
    observed.points[3][0].sum += 1.0;
    observed.count_games(1.0);
    observed
}

fn game() -> Game {
    setup("nook9", "duo", ["bt", "bt"], "standard").game().clone()
}

#[test]
fn each_measure_of_a_game_is_what_was_worked_out_by_hand() {
    let mut games = Games::default();
    games.add(&game_by_hand());
    let figures = games.figures(&game(), false);
    let whole = |measure| {
        let of = figures.iter().find(|figure| (figure.measure, figure.ply, &figure.item) == (measure, None, &None));
        of.map(|figure| (figure.value * 1e9).round() / 1e9)
    };
    let at = |measure, ply| figures.iter().find(|of| (of.measure, of.ply) == (measure, Some(ply))).map(|of| of.value);
    let item = |measure, item: &str| {
        figures.iter().find(|of| of.measure == measure && of.item.as_deref() == Some(item)).map(|of| of.value)
    };
    let mut hand_made: Vec<(Measure, Option<f64>)> = vec![
        (Measure::AdvantageP1, Some(1.0)),
        (Measure::Drawishness, Some(0.0)),
        (Measure::GameLength, Some(4.0)),
        (Measure::GameLengthDeviation, Some(0.0)),
        (Measure::GameLengthMedian, Some(4.0)),
        // By ply alone.
        (Measure::Ongoing, None),
        (Measure::Won, Some(0.5)),
        (Measure::Drawn, Some(0.0)),
        (Measure::Lost, Some(0.5)),
        (Measure::Distance, Some(3.5)),
        (Measure::BranchingFactor, Some(2.0)),
        (Measure::WinningActions, Some(0.5)),
        // Both decisions that are not lost have one action alone.
        (Measure::OnlyAction, Some(1.0)),
        // Half of two actions, two of three.
        (Measure::LosingActions, Some((7.0 / 12.0_f64 * 1e9).round() / 1e9)),
        (Measure::DecisiveAction, Some(0.0)),
        (Measure::BoardSitesOccupied, Some((1.0 / 6.0_f64 * 1e9).round() / 1e9)),
        (Measure::BoardCoverage, Some((5.0 / 9.0_f64 * 1e9).round() / 1e9)),
        (Measure::LeadChange, Some(2.0)),
        // White wins and was lost at the second and the third decision, with 5 and 4 plies to go.
        (Measure::Drama, Some(2.0)),
        (Measure::DramaDistance, Some(4.5)),
        (Measure::Comeback, Some(1.0)),
        (Measure::KnownBeforeEnd, Some(1.0)),
        (Measure::Captures, Some(2.0)),
        (Measure::Returns, Some(1.0)),
        (Measure::PointUse, None),
        (Measure::PointGain, None),
        (Measure::PodGain, None),
        (Measure::PodRemoved, None),
    ];
    assert_eq!(hand_made.iter().map(|of| of.0).collect::<Vec<_>>(), Measure::ALL);
    hand_made.retain(|of| whole(of.0) != of.1);
    assert!(hand_made.is_empty(), "{hand_made:?} of {figures:#?}");
    assert_eq!([0, 1, 2, 3].map(|ply| at(Measure::LeadChange, ply)), [1.0, 0.0, 1.0, 0.0].map(Some));
    assert_eq!([0, 3, 4].map(|ply| at(Measure::Ongoing, ply)), [Some(1.0), Some(1.0), None]);
    assert_eq!(at(Measure::WinningActions, 1), Some(1.0));
    // The actions give 1 and ½: 0.25 more and less than their mean; the pod of both gains nothing.
    let coord = |point| game().board().coord(Point::new(point)).to_string();
    assert_eq!([3, 4].map(|point| item(Measure::PointGain, &coord(point))), [Some(0.25), Some(-0.25)]);
    assert_eq!([3, 4].map(|point| item(Measure::PointUse, &coord(point))), [Some(1.0), Some(0.0)]);
    assert_eq!(item(Measure::PodGain, &game().pods().id(crate::material::PodKind::new(1)).to_string()), Some(0.0));
}

#[test]
fn a_game_without_a_winner_is_drawn_and_has_no_drama() {
    let mut drawn = Observed::new(9, 2);
    drawn.decision(0, 1.0, &Decision { value: Some(Value::Draw), gives: &[Value::Draw], actions: 1, held: 0.0 });
    drawn.drawn(1.0);
    drawn.count_games(1.0);
    let mut games = Games::default();
    games.add(&drawn);
    games.add(&game_by_hand());
    let figures = games.figures(&game(), true);
    let find = |measure| figures.iter().find(|of| of.measure == measure && of.ply.is_none()).unwrap();
    assert_eq!(find(Measure::Drawishness).value, 0.5);
    assert_eq!(find(Measure::AdvantageP1).value, 0.5);
    assert_eq!(find(Measure::AdvantageP1).interval, crate::statistics::wilson(1, 2));
    // Over finished games alone.
    assert_eq!((find(Measure::Drama).value, find(Measure::GameLength).value), (2.0, 4.0));
    // Over all games.
    assert_eq!(find(Measure::LeadChange).value, 1.0);
    let ongoing = |of: &&Figure| of.measure == Measure::Ongoing && of.ply == Some(1);
    assert_eq!(figures.iter().find(ongoing).unwrap().value, 0.5);
}

#[test]
fn samples_agree_with_what_is_exact() {
    let named = setup("nook9", "trio", ["bt", "bd"], "basic-author");
    let (engine, start) = (Bitboard::new(named.game().clone()), named.setup().start(Side::White).unwrap());
    let graph = PlayGraph::build(&engine, &start, Limits::default(), &Silent).unwrap();
    let mut all = Games::default();
    all.add(&Solved::new(&engine, &graph).play(Chance::Random, u32::MAX, &Silent).unwrap());
    let exact = all.figures(named.game(), false);
    let mut games = Games::default();
    let mut value_of = |position: &Position| Ok(graph.values()[graph.number(position).unwrap() as usize]);
    for number in 0..400 {
        let stops = Stops { horizon: 50, repetitions: 3 };
        let game = by_chance(&engine, &start, stops, Chance::Random, random_of(5, number), &mut value_of).unwrap();
        games.add(&game.judged(&engine, 0, &mut value_of).unwrap());
    }
    let sampled = games.figures(named.game(), true);
    let mut compared = 0;
    for figure in &sampled {
        let same = |of: &&Figure| (of.measure, of.ply, &of.item) == (figure.measure, figure.ply, &figure.item);
        let exact = exact.iter().find(same).unwrap().value;
        let Some(interval) = figure.interval else { continue };
        let half = ((interval.high - interval.low) / 2.0).max(1e-9);
        assert!((figure.value - exact).abs() < 2.5 * half, "{figure:?} and {exact}");
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn without_memory_for_all_positions_tables_are_asked_or_all_is_estimated() {
    let named = setup("ring8", "duo", ["bt", "bt"], "advanced");
    let plan = MeasurePlan { games: 3, strengths: vec![(50, 4)], ..plan(40) };
    let few = Limits::default().with_nodes(10);
    let rows = measures(&named, None, &plan, few, &Silent).unwrap();
    let (random, rows): (Vec<MeasureRow>, Vec<MeasureRow>) = rows.into_iter().partition(|row| row.play == "random");
    assert!(!random.is_empty() && random.iter().all(|row| row.method == Method::Sampled && row.games == Some(3)));
    assert!(!rows.is_empty() && rows.iter().all(|row| row.method == Method::Estimated && row.games == Some(4)));
    assert!(rows.iter().all(|row| row.play == "strong-50" && row.measure != Measure::DramaDistance));
    assert!(estimates(&rows).is_empty());

    let folder = tempfile::tempdir().unwrap();
    // A table has the orientation of its setup in its lines.
    let options = BuildOptions { memory: 1 << 30, ..BuildOptions::default() };
    build(named.setup(), &folder.path().join("table"), options, &Silent).unwrap();
    let tables = Tablebase::open(folder.path()).unwrap();
    let sampled = measures(&named, Some(&tables), &plan, few, &Silent).unwrap();
    let exact = measures(&named, Some(&tables), &plan, Limits::default(), &Silent).unwrap();
    let find = |rows: &[MeasureRow], play: &str, measure| {
        let of = |row: &&MeasureRow| row.play == play && row.measure == measure && row.ply.is_none();
        rows.iter().filter(of).map(|row| (row.value.0, row.method)).next().unwrap()
    };
    for measure in [Measure::AdvantageP1, Measure::GameLength, Measure::LeadChange, Measure::KnownBeforeEnd] {
        let ((value, method), (sample, other)) = (find(&exact, "optimal", measure), find(&sampled, "optimal", measure));
        assert_eq!((method, other), (Method::Exact, Method::Sampled));
        // All games of optimal play are alike in these.
        assert!((value - sample).abs() < 1e-9, "{measure}: {value}, {sample}");
    }
    // The games of the player are the same ones.
    assert_eq!(find(&exact, "strong-50", Measure::GameLength), find(&sampled, "strong-50", Measure::GameLength));
    let beside = estimates(&exact);
    let of = |measure| beside.iter().find(|row| row.measure == measure).unwrap();
    assert_eq!(of(Measure::AdvantageP1).exact.0, find(&exact, "optimal", Measure::AdvantageP1).0);
    assert_eq!((of(Measure::AdvantageP1).exact_of, of(Measure::LeadChange).exact_of), ("optimal", "same-games"));
    assert_eq!(of(Measure::LeadChange).exact.0, find(&exact, "strong-50", Measure::LeadChange).0);
}

#[test]
fn every_measure_is_explained() {
    let formats = include_str!("../../rules/FORMATS.md");
    for name in Measure::ALL.iter().map(|measure| measure.name()) {
        assert!(formats.contains(&format!("`{name}`")), "{name}");
    }
}
