//! Tests of counts by sets of points against the theorems point by point.

use super::*;
use crate::geometry::{Coord, Direction};
use crate::material::{Board, Leg, Legs, PodSet, PodSpec, Reach, Side};
use crate::position::Hand;

/// A kind of pod: a bit for each direction with a leg, and for each of those whose leg is long.
pub(in crate::solver::search) type Kind = (u8, u8);

/// Returns a game of fixed conflicts on a grid with all lines of some directions; White has pods of
/// the first kind, Black of the second.
pub(in crate::solver::search) fn conflicts(
    columns: u8,
    rows: u8,
    directions: &[Direction],
    kinds: [Kind; 2],
) -> (Game, Conflicts) {
    let points: Vec<Coord> = (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column })).collect();
    let joined = |&(p, d): &(Coord, Direction)| p.step(d).is_some_and(|to| points.contains(&to));
    let lines: Vec<_> = points.iter().flat_map(|&p| directions.iter().map(move |&d| (p, d))).filter(joined).collect();
    let board = Board::new("grid", "test", points.clone(), lines).unwrap();
    let pod = |id, (there, long): Kind| {
        let legs = Direction::ALL.into_iter().filter(|d| there >> d.index() & 1 == 1).map(|direction| {
            let reach = if long >> direction.index() & 1 == 1 { Reach::Long } else { Reach::Short };
            Leg { direction, reach }
        });
        PodSpec { id, name: String::new(), legs: Legs::new(legs).unwrap(), count: 64 }
    };
    let pods = PodSet::new("two", "test", vec![pod('a', kinds[0]), pod('b', kinds[1])]).unwrap();
    let rules = "standard+placement-liberty=off+opening=any+attack-through=on".parse().unwrap();
    let game = Game::new(board, pods, rules);
    let hand = |text| Hand::parse(text, game.pods()).unwrap();
    let start = game.start(hand("a64"), hand("b64"), Side::White).unwrap();
    let field = Field::new(&game);
    let conflicts =
        Conflicts::new(&game, &field, &Node::new(&field, &game, &start)).expect("a game of fixed conflicts");
    (game, conflicts)
}

const STRAIGHT: [Direction; 2] = [Direction::N, Direction::E];

/// Kings have as many conflicts as there can be; the others make White's conflicts differ from
/// Black's, near and far.
pub(in crate::solver::search) const GAMES: [(u8, u8, &[Direction], [Kind; 2]); 6] = [
    (4, 4, &Direction::HALF, [(0xff, 0), (0xff, 0)]),
    (5, 3, &Direction::HALF, [(0xff, 0), (0x55, 0)]),
    (4, 4, &Direction::HALF, [(0b0000_0111, 0), (0b0000_0001, 0)]),
    (4, 4, &Direction::HALF, [(0b0000_0011, 0b0000_0001), (0b0100_0010, 0)]),
    (3, 5, &Direction::HALF, [(0b0000_0100, 0), (0b0001_0010, 0b0001_0010)]),
    (4, 4, &STRAIGHT, [(0x55, 0), (0x55, 0)]),
];

/// Lists for each point the black points that a white pod there excludes, by legs and lines (R5,
/// R6, R10–R12).
fn by_lines(game: &Game) -> Vec<u64> {
    let reached = |side: Side, kind: usize, from: crate::geometry::Point| {
        let kind = game.pods().kinds().nth(kind).unwrap();
        let mut reached = 0;
        for leg in game.pods().legs(kind).on_board(side).iter() {
            let mut at = game.board().connected(from, leg.direction);
            while let Some(point) = at {
                reached |= 1_u64 << point.index();
                at = if leg.reach == Reach::Long { game.board().connected(point, leg.direction) } else { None };
            }
        }
        reached
    };
    let points: Vec<_> = game.board().points().collect();
    let black: Vec<u64> = points.iter().map(|&q| reached(Side::Black, 1, q)).collect();
    let attacked = |p: usize| (0..points.len()).fold(0, |set, q| set | (black[q] >> p & 1) << q);
    (0..points.len()).map(|p| 1 << p | reached(Side::White, 0, points[p]) | attacked(p)).collect()
}

/// Returns the largest number of points of `mine` that a placement of the other side excludes, for
/// each of its points, and the weights of `mine` together, in sixtieths.
fn weighed(excluded: &[Vec<u64>; 2], sets: [u64; 2], side: usize) -> (i32, i32) {
    let excludes = |q: usize| (excluded[1 - side][q] & sets[side]).count_ones() as i32;
    let largest = |p: usize| bits(excluded[side][p] & sets[1 - side]).map(excludes).max().expect("a contested point");
    (bits(sets[side]).map(|p| 120 / (1 + largest(p))).sum(), bits(sets[1 - side]).map(excludes).max().unwrap_or(0))
}

#[test]
fn sets_of_points_are_weighed_as_the_theorems_say() {
    let mut random = 11_u64;
    let mut draw = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random >> 24
    };
    // What is rare, by game: kings of nine conflicts, wins by weight, losses by weight, mirrored
    // positions.
    let mut seen = [[0; 4]; GAMES.len()];
    for ((columns, rows, directions, kinds), seen) in GAMES.into_iter().zip(&mut seen) {
        let (game, conflicts) = conflicts(columns, rows, directions, kinds);
        let white = by_lines(&game);
        let black =
            (0..white.len()).map(|q| (0..white.len()).fold(0, |set, p| set | (white[p] >> q & 1) << p)).collect();
        let excluded = &[white, black];
        for side in [0, 1] {
            assert_eq!(conflicts.excluded[side][..excluded[side].len()], excluded[side]);
        }
        let points = excluded[0].len();
        let all = u64::MAX >> (64 - points);
        // The half turn, which keeps the conflicts of pods with the same legs both ways.
        let turned = |set: u64| set.reverse_bits() >> (64 - points);
        for _ in 0..3_000 {
            let mine = draw() & all & if draw() & 1 == 0 { draw() } else { u64::MAX };
            let theirs = draw() & all | if draw() & 3 == 0 { turned(mine) } else { 0 };
            let sets = [mine, theirs];
            let surplus = (draw() % 7) as i32 - 3;
            let sum = conflicts.contested(sets, surplus);
            // A point without a conflict is free, and counts for its side.
            let met = |side: usize| bits(sets[side]).filter(move |&p| excluded[side][p] & sets[1 - side] != 0);
            let contested = [0, 1].map(|side| met(side).fold(0, |set, p| set | 1_u64 << p));
            let free = [0, 1].map(|side| (sets[side] & !contested[side]).count_ones() as i32);
            assert_eq!(sum, Sum { sets: contested, surplus: surplus + free[0] - free[1] });
            if contested[0] == 0 {
                continue;
            }
            for mover in [0, 1] {
                let lead = |side: usize| {
                    let surplus = if side == 0 { sum.surplus } else { -sum.surplus };
                    60 * (surplus - sum.sets[1 - side].count_ones() as i32)
                };
                let (weight, most) = weighed(excluded, sum.sets, mover);
                assert_eq!(conflicts.weigh(sum, mover), (weight, most), "{} {sum:?}", game.board().name());
                seen[0] += usize::from(most >= 8);
                let wins = lead(mover) + weight > 0;
                assert_eq!(conflicts.outweighs(sum, mover), wins, "{sum:?}");
                seen[1] += usize::from(wins);
                let (weight, most) = weighed(excluded, sum.sets, 1 - mover);
                let loses = lead(1 - mover) + 60 + weight > 120 - 120 / (1 + most);
                assert_eq!(conflicts.is_outweighed(sum, mover), loses, "{sum:?}");
                seen[2] += usize::from(loses);
                seen[3] += usize::from(conflicts.mirrored(sum, mover));
                let mirrored = mirror_exists(&game, excluded, sum, mover);
                assert_eq!(conflicts.mirrored(sum, mover), mirrored, "{sum:?} {mover}");
            }
        }
    }
    let of = |what: usize| seen.map(|seen| seen[what]);
    assert!(seen[0][0] > 100, "{:?}", of(0));
    assert!(of(1).into_iter().chain(of(2)).all(|seen| seen > 50), "{seen:?}");
    assert!(seen[0][3] > 50 && seen[5][3] > 100, "{:?}", of(3));
}

/// Returns `true` if a symmetry of the board lets the opponent mirror, as the theorem wants it.
fn mirror_exists(game: &Game, excluded: &[Vec<u64>; 2], sum: Sum, mover: usize) -> bool {
    let surplus = if mover == 0 { sum.surplus } else { -sum.surplus };
    surplus <= 0
        && symmetries(game.board()).iter().any(|symmetry| {
            let image = |p: usize| symmetry.points[p].index();
            let map = |set: u64| bits(set).fold(0, |all, p| all | 1_u64 << image(p));
            let inverse = (0..excluded[0].len()).all(|p| image(image(p)) == p);
            let swaps = (0..excluded[0].len()).all(|p| map(excluded[0][p]) == excluded[1][image(p)]);
            let mine = sum.sets[mover];
            let apart = bits(mine).all(|p| excluded[mover][p] >> image(p) & 1 == 0);
            inverse && swaps && apart && map(mine) & !sum.sets[1 - mover] == 0
        })
}

#[test]
fn regions_slide_into_the_corner_of_a_whole_grid() {
    let (_, conflicts) = conflicts(4, 4, &STRAIGHT, [(0x55, 0), (0x55, 0)]);
    let set = |points: &[(u32, u32)]| points.iter().fold(0, |set, (column, row)| set | 1_u64 << (row * 4 + column));
    let region = [set(&[(2, 1), (3, 2)]), set(&[(2, 2)])];
    assert_eq!(conflicts.shapes.corner(region), [set(&[(0, 0), (1, 1)]), set(&[(0, 1)])]);
}
