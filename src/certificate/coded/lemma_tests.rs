//! The lemmas of LEMMAS.md, as they are stated there, over all positions of small games.

use std::time::{Duration, Instant};

use hashbrown::HashMap;

use super::counting::Plan;
use super::essence::{Secret, key};
use super::field::{Field, LegBits, bits};
use super::judge::AsPosition;
use super::scene::{Living, PairSets, Scene, Surroundings};
use crate::geometry::{Coord, Direction, PointSet};
use crate::material::{Board, Leg, Legs, PodSet, PodSpec, Reach};
use crate::position::{Game, Hand};

/// Columns and rows of the boards.
const SIZES: [(u8, u8); 3] = [(2, 2), (3, 1), (3, 2)];

const RULES: [&str; 4] =
    ["standard", "standard+placement-liberty=off", "standard+attack-through=on", "standard+empty-hand=wins"];

/// Numbers of cases of each lemma.
#[derive(Clone, Copy, Debug, Default)]
struct Cases {
    boards: u64,
    games: u64,
    positions: u64,
    /// Positions compared with the reference engine.
    compared: u64,
    covers: u64,
    covers_won: u64,
    dead_pairs: u64,
    smaller_rooms: u64,
    plans: u64,
    mirrors: u64,
    essences: u64,
}

/// Numbers below others, always the same ones.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Returns the lines that a board of a size can have.
fn lines_of((columns, rows): (u8, u8)) -> Vec<(Coord, Direction)> {
    let points = (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column }));
    let halves = [Direction::N, Direction::Ne, Direction::E, Direction::Se];
    let inside = move |at: Coord| at.row < rows && at.column < columns;
    points
        .flat_map(|at| halves.into_iter().map(move |d| (at, d)))
        .filter(|&(at, d)| at.step(d).is_some_and(inside))
        .collect()
}

/// Returns the board of a size that has the lines whose bits are set.
fn board(size: (u8, u8), set: u32) -> Board {
    let points: Vec<Coord> = (0..size.1).flat_map(|row| (0..size.0).map(move |column| Coord { row, column })).collect();
    let lines = lines_of(size).into_iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, line)| line);
    Board::new("small", "all boards of a size", points, lines.collect::<Vec<_>>()).unwrap()
}

/// Draws two or three kinds with any legs; no player has more than four pods.
fn pods(random: &mut Random) -> PodSet {
    let kinds = 2 + random.below(2);
    let spec = |number: usize, random: &mut Random| {
        let legs = loop {
            let leg = |direction, reach| match reach {
                0 => Some(Leg { direction, reach: Reach::Short }),
                1 => Some(Leg { direction, reach: Reach::Long }),
                _ => None,
            };
            let most = 3 + random.below(5);
            let all: Vec<Leg> = Direction::ALL.into_iter().filter_map(|d| leg(d, random.below(most))).collect();
            if let Some(legs) = Legs::new(all) {
                break legs;
            }
        };
        let count = if kinds == 2 { 1 + random.below(2) as u8 } else { 1 };
        PodSpec { id: char::from(b'a' + number as u8), name: String::new(), legs, count }
    };
    let specs = (0..kinds).map(|number| spec(number, random)).collect();
    PodSet::new("small", "two or three kinds", specs).unwrap()
}

/// A game with what is known of its situations.
struct Small {
    field: Field,
    game: Game,
    secret: Secret,
    /// By situation: whether the mover wins, and the pairs of both sides that are legal in it or
    /// in any that play leads to.
    known: HashMap<Vec<u64>, (bool, [[u64; 4]; 2])>,
    /// By key: whether the mover wins, and the situation.
    essences: HashMap<[u8; 16], (bool, Vec<u64>)>,
}

/// Returns all of a situation, to compare it.
fn identity(scene: &Scene) -> Vec<u64> {
    let hands = scene.hands.iter().flat_map(|hand| hand[..4].iter().map(|&count| u64::from(count)));
    let sets = scene.legs.iter().chain(&scene.long).flatten().chain(&scene.held).copied();
    sets.chain(hands).chain([scene.mover as u64]).collect()
}

impl Small {
    fn new(game: Game) -> Small {
        let (field, secret) = (Field::new(&game), Secret::new());
        Small { field, game, secret, known: HashMap::new(), essences: HashMap::new() }
    }

    /// Solves a situation by the rules alone: true if the mover wins, and the pairs that are ever
    /// legal.
    fn solve(&mut self, scene: &Scene) -> (bool, [[u64; 4]; 2]) {
        let identity = identity(scene);
        if let Some(known) = self.known.get(&identity) {
            return *known;
        }
        let around = Surroundings::new(&self.field, scene);
        let legal = [0, 1].map(|side| around.legal(&self.field, scene, side));
        let mut ever = legal.map(|pairs| std::array::from_fn(|kind| pairs.at[kind]));
        let result = match scene.won_by_hand(&self.field) {
            Some(side) => (side == scene.mover, ever),
            None => {
                let mut wins = false;
                for (kind, point) in pairs_of(&legal[scene.mover]) {
                    let (foe_wins, later) = self.solve(&scene.after(&self.field, kind, point));
                    wins |= !foe_wins;
                    ever.as_flattened_mut().iter_mut().zip(later.as_flattened()).for_each(|(all, more)| *all |= more);
                }
                (wins, ever)
            }
        };
        self.known.insert(identity, result);
        result
    }

    /// Tries all lemmas on a situation.
    fn try_lemmas(&mut self, scene: &Scene, cases: &mut Cases) {
        let (wins, ever) = self.solve(scene);
        let around = Surroundings::new(&self.field, scene);
        let living = Living::new(&self.field, scene, &around);
        let over = scene.won_by_hand(&self.field).is_some();
        for (side, ever) in ever.iter().enumerate() {
            for kind in bits(u64::from(scene.kinds[side])) {
                let dead = around.empty & !living.pairs[side].at[kind];
                assert_eq!(ever[kind] & dead, 0, "a dead pair is legal: {scene:?}");
                cases.dead_pairs += u64::from(dead.count_ones());
            }
        }
        let identity = identity(scene);
        if !over {
            let essence = key(&self.field, scene, &around, &living, self.secret);
            let (other_wins, other) = self.essences.entry(essence).or_insert((wins, identity.clone()));
            assert_eq!(*other_wins, wins, "equal essences: {scene:?}");
            cases.essences += u64::from(*other != identity);
        }
        let legal = around.legal(&self.field, scene, scene.mover);
        if over {
            return;
        }
        for (kind, point) in pairs_of(&legal) {
            let next = scene.after(&self.field, kind, point);
            self.room_is_smaller(&living, &next, cases);
        }
        if self.field.hand_wins {
            return;
        }
        if scene.is_mirrored(&self.field) {
            assert!(!wins, "mirrored: {scene:?}");
            cases.mirrors += 1;
        }
        for winner in 0..2 {
            let plan = Plan::new(&self.field, scene, &around, &living, winner);
            if can_be_made(&plan) {
                assert_eq!(wins, scene.mover == winner, "counting: {scene:?}");
                cases.plans += 1;
            } else {
                assert_eq!(plan.find(), None, "a plan that is none: {scene:?}");
            }
        }
        self.try_covers(scene, &legal, &living, 2, cases);
    }

    /// Tries the lemma of covers on a situation, and on its covers to some depth.
    fn try_covers(&mut self, scene: &Scene, legal: &PairSets, living: &Living, depth: u32, cases: &mut Cases) {
        for point in bits(legal.any) {
            let kinds = legal.kinds_at(point);
            if kinds.count_ones() < 2 {
                continue;
            }
            let cover = scene.cover(&self.field, kinds, point);
            self.room_is_smaller(living, &cover, cases);
            cases.covers += 1;
            if self.solve(&cover).0 {
                cases.covers_won += 1;
                for kind in bits(u64::from(kinds)) {
                    let after = scene.after(&self.field, kind, point);
                    assert!(self.solve(&after).0, "a cover: {scene:?}, {kind}@{point}");
                }
            }
            if depth > 0 {
                let around = Surroundings::new(&self.field, &cover);
                let below = Living::new(&self.field, &cover, &around);
                let legal = around.legal(&self.field, &cover, cover.mover);
                self.try_covers(&cover, &legal, &below, depth - 1, cases);
            }
        }
    }

    fn room_is_smaller(&self, living: &Living, next: &Scene, cases: &mut Cases) {
        let room = Living::new(&self.field, next, &Surroundings::new(&self.field, next)).room;
        assert!(room & !living.room == 0 && room != living.room, "the room of {next:?}");
        cases.smaller_rooms += 1;
    }

    /// Compares the rules of a situation with the reference engine.
    fn compare(&self, scene: &Scene, cases: &mut Cases) {
        let choices = Surroundings::new(&self.field, scene).choices(&self.field, scene);
        if scene.won_by_hand(&self.field).is_none()
            && let Some(position) = AsPosition::new(&self.game, &self.field, scene)
        {
            assert_eq!(position.differs(&choices), None);
            cases.compared += 1;
        }
    }
}

fn pairs_of(pairs: &PairSets) -> Vec<(usize, usize)> {
    bits(u64::from(pairs.kinds)).flat_map(|kind| bits(pairs.at[kind]).map(move |point| (kind, point))).collect()
}

/// Returns `true` if there is any plan.
fn can_be_made(plan: &Plan<'_>) -> bool {
    plan.missing == 0
        || plan.pairs().any(|pair| {
            let mut next = plan.clone();
            next.go_on(pair);
            can_be_made(&next)
        })
}

/// Calls `each` with every situation of a game: any pods on any points, as far as the counts go,
/// the others in hand; both sides to move.
fn situations(game: &Game, each: &mut impl FnMut(&Scene)) {
    fn go(game: &Game, points: &[usize], scene: &mut Scene, each: &mut impl FnMut(&Scene)) {
        let Some((&point, rest)) = points.split_first() else {
            for mover in 0..2 {
                scene.mover = mover;
                each(scene);
            }
            return;
        };
        go(game, rest, scene, each);
        for side in crate::material::Side::BOTH {
            let s = side.index();
            for kind in game.pods().kinds() {
                if scene.hands[s][kind.index()] == 0 {
                    continue;
                }
                let mut next = scene.clone();
                next.stand(s, LegBits::of(game.pods().legs(kind).on_board(side)), point);
                next.hands[s][kind.index()] -= 1;
                if next.hands[s][kind.index()] == 0 {
                    next.kinds[s] &= !(1 << kind.index());
                }
                go(game, rest, &mut next, each);
            }
        }
    }
    let hand = Hand::whole(game.pods());
    let mut scene = Scene::bare([&hand, &hand], crate::material::Side::White, false);
    let points: Vec<usize> = PointSet::first(game.board().len()).into_iter().map(|point| point.index()).collect();
    go(game, &points, &mut scene, each);
}

/// Goes through all boards of a size again and again, each time with other pods and rules, until
/// the time is over; the last round may be a part of one.
fn try_boards(size: (u8, u8), time: Duration, seed: u64) -> Cases {
    let (begun, mut cases, mut random) = (Instant::now(), Cases::default(), Random(seed));
    let boards = 1_u32 << lines_of(size).len();
    for round in 0_u64.. {
        for number in 0..boards {
            // All of them in a mixed order, so that a part of a round is a sample.
            let set = number.wrapping_mul(0x9e37_79b1) % boards;
            let rules = RULES[random.below(RULES.len())].parse().unwrap();
            let mut small = Small::new(Game::new(board(size, set), pods(&mut random), rules));
            let game = small.game.clone();
            let mut number = 0_u64;
            situations(&game, &mut |scene| {
                small.try_lemmas(scene, &mut cases);
                if number.is_multiple_of(199) {
                    small.compare(scene, &mut cases);
                }
                number += 1;
            });
            cases.positions += number;
            cases.games += 1;
            cases.boards += u64::from(round == 0);
            if begun.elapsed() > time {
                return cases;
            }
        }
    }
    cases
}

#[test]
fn the_lemmas_hold_on_small_boards() {
    for (size, least) in SIZES.into_iter().zip([64, 8, 4]) {
        let mut cases = Cases::default();
        let mut random = Random(1);
        let boards = 1 << lines_of(size).len();
        for number in 0..least {
            let set = if boards == least { number } else { random.below(boards as usize) as u32 };
            let rules = RULES[number as usize % RULES.len()].parse().unwrap();
            let mut small = Small::new(Game::new(board(size, set), pods(&mut random), rules));
            let game = small.game.clone();
            situations(&game, &mut |scene| small.try_lemmas(scene, &mut cases));
        }
        assert!(cases.covers_won > 10 && cases.plans > 100 && cases.essences > 100, "{size:?} {cases:?}");
    }
}

/// `scripts/lemmas.sh` runs this for an hour. It writes a table to the file `PODS_LEMMAS_FILE`, and
/// takes `PODS_LEMMAS_SECONDS`.
#[test]
#[ignore = "takes as long as it is told to"]
fn the_lemmas_hold_on_all_small_boards() {
    let seconds = std::env::var("PODS_LEMMAS_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let mut table = "columns,rows,all_boards,boards,games,positions,compared_with_reference,covers,covers_won,\
                     dead_pairs,smaller_rooms,plans,mirrors,equal_essences\n"
        .to_owned();
    for (number, size @ (columns, rows)) in SIZES.into_iter().enumerate() {
        let share = [1, 1, 8][number];
        let c = try_boards(size, Duration::from_secs(seconds * share / 10), number as u64 + 1);
        let before = [columns.into(), rows.into(), 1_u64 << lines_of(size).len()];
        let cases = [c.boards, c.games, c.positions, c.compared, c.covers, c.covers_won, c.dead_pairs];
        let more = [c.smaller_rooms, c.plans, c.mirrors, c.essences];
        let numbers = before.iter().chain(&cases).chain(&more).map(u64::to_string);
        table += &(numbers.collect::<Vec<_>>().join(",") + "\n");
    }
    match std::env::var_os("PODS_LEMMAS_FILE") {
        Some(file) => std::fs::write(file, table).unwrap(),
        None => assert!(table.lines().count() == 1 + SIZES.len()),
    }
}
