//! Random boards and pods with the make-up of the real ones: for measuring what does not depend on
//! one board alone.
//!
//! What is known of the real make-up is that of the built-in reconstruction: `cave36` has 43 of the
//! 60 straight lines of a full grid of 6 × 6 points, 21 of the 50 diagonal ones, at least two at
//! each point, and no hole; `pods14` has 14 different pods, of whose 57 legs 23 are long.

use std::collections::BTreeSet;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::SIZE;
use crate::geometry::{Coord, Direction};
use crate::material::{Board, Leg, Legs, PodSet, PodSpec, Reach};
use crate::report::captions::captions;

/// Straight lines that a board keeps of 60, and diagonal ones of 50.
const STRAIGHT: (usize, usize) = (43, 60);
const DIAGONAL: (usize, usize) = (21, 50);

/// The fewest lines at a point that has as many neighbours.
const LEAST: usize = 2;

/// Number of pods with each number of legs, in the real game.
pub(super) const MAKE_UP: [(usize, usize); 5] = [(2, 2), (3, 3), (6, 4), (2, 6), (1, 8)];

/// Long legs of 57.
const LONG: (u32, u32) = (23, 57);

/// The letters of random pods.
pub(super) const IDS: std::ops::RangeInclusive<char> = 'a'..='z';

/// A random board of the real size, and random pods.
pub(super) struct Pair {
    pub(super) lines: Vec<(Coord, Direction)>,
    pub(super) pods: Vec<Legs>,
}

/// Returns the first of a seed's pairs of random board and pods that agrees with every caption of
/// the rules texts. One pair in some hundreds does.
///
/// # Errors
///
/// None is known: random lines and legs make a board and a pod set.
pub(super) fn pair_of_captions(seed: u64) -> Result<Pair, Box<dyn std::error::Error>> {
    let mut random = Pcg64::seed_from_u64(seed);
    loop {
        let pair = Pair { lines: lines(SIZE.0, SIZE.1, random.next_u64()), pods: pods(random.next_u64()) };
        let board = Board::new("", "", grid(SIZE.0, SIZE.1), pair.lines.iter().copied())?;
        let spec = |(id, legs): (char, &Legs)| PodSpec { id, name: String::new(), legs: *legs, count: 1 };
        let set = PodSet::new("", "", IDS.zip(&pair.pods).map(spec).collect())?;
        if captions(&board, &set).iter().all(|caption| caption.found.is_ok()) {
            return Ok(pair);
        }
    }
}

pub(super) fn grid(columns: u8, rows: u8) -> Vec<Coord> {
    (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column })).collect()
}

/// Returns the lines of a random board without holes: connected, as many straight and diagonal ones
/// as in the real make-up or a few more where too few would be left at a point.
pub(super) fn lines(columns: u8, rows: u8, seed: u64) -> Vec<(Coord, Direction)> {
    let mut random = Pcg64::seed_from_u64(seed);
    let points = grid(columns, rows);
    // Each line once.
    let all = |directions: [Direction; 2]| -> Vec<(Coord, Direction)> {
        let lines = points.iter().flat_map(|&from| directions.map(|direction| (from, direction)));
        lines.filter(|&line| end(line).is_some_and(|to| to.column < columns && to.row < rows)).collect()
    };
    let straight = all([Direction::N, Direction::E]);
    let diagonal = all([Direction::Ne, Direction::Nw]);
    let share = |of: &[_], (kept, full): (usize, usize)| (of.len() * kept + full / 2) / full;
    let wanted = [share(&straight, STRAIGHT), share(&diagonal, DIAGONAL)];
    let mut lines: Vec<_> = [straight, diagonal].concat();
    let mut left = lines.clone();
    left.shuffle(&mut random);
    for line in left {
        let is_diagonal = !matches!(line.1, Direction::N | Direction::E);
        let of_kind = lines.iter().filter(|l| is_diagonal != matches!(l.1, Direction::N | Direction::E)).count();
        let at = |point: Coord| lines.iter().filter(|&&l| l.0 == point || end(l) == Some(point)).count();
        if of_kind <= wanted[usize::from(is_diagonal)]
            || at(line.0) <= LEAST
            || end(line).is_none_or(|to| at(to) <= LEAST)
        {
            continue;
        }
        let without: Vec<_> = lines.iter().copied().filter(|&l| l != line).collect();
        if are_connected(&points, &without) {
            lines = without;
        }
    }
    lines
}

fn end((from, direction): (Coord, Direction)) -> Option<Coord> {
    from.step(direction)
}

fn are_connected(points: &[Coord], lines: &[(Coord, Direction)]) -> bool {
    let mut reached: BTreeSet<Coord> = points.first().copied().into_iter().collect();
    loop {
        let before = reached.len();
        for &line in lines {
            let Some(to) = end(line) else { continue };
            if reached.contains(&line.0) || reached.contains(&to) {
                reached.extend([line.0, to]);
            }
        }
        if reached.len() == before {
            return before == points.len();
        }
    }
}

/// Returns the legs of fourteen different random pods with the real make-up, those with the fewest
/// legs first.
pub(super) fn pods(seed: u64) -> Vec<Legs> {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut pods: Vec<Legs> = Vec::new();
    for (count, legs) in MAKE_UP {
        let so_far = pods.len();
        while pods.len() < so_far + count {
            let mut directions = Direction::ALL;
            directions.shuffle(&mut random);
            let mut leg = |direction: &Direction| Leg {
                direction: *direction,
                reach: if random.random_ratio(LONG.0, LONG.1) { Reach::Long } else { Reach::Short },
            };
            let drawn = Legs::new(directions[..legs].iter().map(&mut leg));
            pods.extend(drawn.filter(|legs| !pods.contains(legs)));
        }
    }
    pods
}
