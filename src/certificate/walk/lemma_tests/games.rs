//! The small games on which the lemmas are tried.

use crate::geometry::{Coord, Direction};
use crate::material::{Board, BySide, Leg, Legs, PodSet, PodSpec, Reach, Side};
use crate::position::{Game, Hand, Pod, Position};

pub(in crate::certificate::walk) type Size = (u8, u8);

/// All rule sets in which the lemmas differ.
const RULES: [&str; 8] = [
    "standard",
    "standard+placement-liberty=off",
    "standard+attack-through=on",
    "standard+empty-hand=wins",
    "standard+attack-through=on+placement-liberty=off",
    "standard+empty-hand=wins+placement-liberty=off",
    "standard+attack-through=on+empty-hand=wins",
    "standard+attack-through=on+empty-hand=wins+placement-liberty=off",
];

/// Legs, two bits a direction: 0 none, 1 a short one, 2 a long one.
type Code = u16;

/// Numbers below others, always the same ones.
pub(in crate::certificate::walk) struct Random(pub(in crate::certificate::walk) u64);

impl Random {
    pub(in crate::certificate::walk) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        (1..list.len()).rev().for_each(|last| list.swap(last, self.below(last + 1)));
    }
}

/// The lines that a board of a size can have.
fn lines_of((columns, rows): Size) -> Vec<(Coord, Direction)> {
    let points = (0..rows).flat_map(|row| (0..columns).map(move |column| Coord { row, column }));
    let halves = [Direction::N, Direction::Ne, Direction::E, Direction::Se];
    let inside = move |at: Coord| at.row < rows && at.column < columns;
    points
        .flat_map(|at| halves.into_iter().map(move |d| (at, d)))
        .filter(|&(at, d)| at.step(d).is_some_and(inside))
        .collect()
}

pub(in crate::certificate::walk) fn boards_of(size: Size) -> u32 {
    1 << lines_of(size).len()
}

/// The lines of a random board of a size, as the bits of a word.
pub(in crate::certificate::walk) fn board_of(size: Size, random: &mut Random) -> u32 {
    random.below(boards_of(size) as usize) as u32
}

/// The board of a size that has the lines whose bits are set.
fn board(size: Size, set: u32) -> Board {
    let points: Vec<Coord> = (0..size.1).flat_map(|row| (0..size.0).map(move |column| Coord { row, column })).collect();
    let lines = lines_of(size).into_iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, line)| line);
    Board::new("small", "all boards of a size", points, lines.collect::<Vec<_>>()).unwrap()
}

fn legs_of(code: Code) -> Option<Legs> {
    Legs::new(Direction::ALL.into_iter().filter_map(|direction| match code >> (2 * direction.index()) & 3 {
        0 => None,
        1 => Some(Leg { direction, reach: Reach::Short }),
        _ => Some(Leg { direction, reach: Reach::Long }),
    }))
}

fn pods(kinds: impl IntoIterator<Item = (Legs, u8)>) -> PodSet {
    let spec =
        |(number, (legs, count))| PodSpec { id: char::from(b'a' + number as u8), name: String::new(), legs, count };
    PodSet::new("small", "two or three kinds", kinds.into_iter().enumerate().map(spec).collect()).unwrap()
}

/// A game with a board of a size; two or three kinds have any legs, and no player has more than
/// four pods.
pub(in crate::certificate::walk) fn random_game(size: Size, set: u32, random: &mut Random) -> Game {
    let rules = RULES[random.below(RULES.len())].parse().unwrap();
    let kinds = 2 + random.below(2);
    let kind = |random: &mut Random| {
        let most = 3 + random.below(5);
        let legs = loop {
            let leg = |random: &mut Random| [1, 2, 0, 0, 0, 0, 0][random.below(most)];
            let code = (0..8).fold(0, |code, d| code | leg(random) << (2 * d));
            if let Some(legs) = legs_of(code) {
                break legs;
            }
        };
        (legs, if kinds == 2 { 1 + random.below(2) as u8 } else { 1 })
    };
    let kinds: Vec<_> = (0..kinds).map(|_| kind(random)).collect();
    Game::new(board(size, set), pods(kinds), rules)
}

/// A game with a board of a size whose lines are the bits of a word, and so many pods of each kind.
pub(in crate::certificate::walk) fn game_of(size: Size, set: u32, legs: &[&str], count: u8, rules: &str) -> Game {
    let kinds = legs.iter().map(|legs| (legs.parse().unwrap(), count));
    Game::new(board(size, set), pods(kinds), rules.parse().unwrap())
}

/// Returns every position of a game: any pods on any points, as far as the counts go, the others in
/// hand; both sides to move; with and without the opening clause, if the mover has a bipod.
pub(in crate::certificate::walk) fn every_position(game: &Game) -> impl Iterator<Item = Position> + '_ {
    let pods: Vec<Pod> =
        Side::BOTH.into_iter().flat_map(|side| game.pods().kinds().map(move |kind| Pod { side, kind })).collect();
    let mut parts = vec![(Vec::new(), BySide::from([Hand::whole(game.pods()); 2]))];
    for _ in game.board().points() {
        let longer = |(occupants, hands): (Vec<Option<Pod>>, BySide<Hand>)| {
            let with = move |pod: Option<Pod>| {
                let (mut occupants, mut hands) = (occupants.clone(), hands);
                occupants.push(pod);
                pod.is_none_or(|pod| hands[pod.side].take(pod.kind)).then_some((occupants, hands))
            };
            std::iter::once(None).chain(pods.iter().copied().map(Some)).filter_map(with)
        };
        parts = parts.into_iter().flat_map(longer).collect();
    }
    let turns = Side::BOTH.into_iter().flat_map(|to_move| [(to_move, false), (to_move, true)]);
    parts.into_iter().flat_map(move |(occupants, hands)| {
        turns.clone().filter_map(move |(to_move, open)| Position::new(game, occupants.clone(), hands, to_move, open))
    })
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::certificate::walk) struct Listed {
    set: u32,
    /// Counts and legs, in order.
    kinds: Vec<(u8, Code)>,
    rules: &'static str,
}

impl Listed {
    /// The lines of its board, as the bits of a word.
    pub(in crate::certificate::walk) fn board(&self) -> u32 {
        self.set
    }

    pub(in crate::certificate::walk) fn game(&self, size: Size) -> Game {
        // Where a leg leads nowhere from any point, it only makes a kind of it.
        let idle = || 1 << (2 * idle_direction(size, self.set).unwrap());
        let kind = |&(count, code): &(u8, Code)| (legs_of(if code == 0 { idle() } else { code }).unwrap(), count);
        Game::new(board(size, self.set), pods(self.kinds.iter().map(kind)), self.rules.parse().unwrap())
    }
}

/// Directions of a board in which there are lines, and those in which a run is longer than a line.
fn axes(size: Size, set: u32) -> ([bool; 4], [bool; 4]) {
    let lines = lines_of(size);
    let has =
        |from: Coord, d: Direction| lines.iter().enumerate().any(|(i, &line)| line == (from, d) && set >> i & 1 == 1);
    let (mut any, mut long) = ([false; 4], [false; 4]);
    for (i, &(from, d)) in lines.iter().enumerate() {
        if set >> i & 1 == 1 {
            any[d.index()] = true;
            long[d.index()] |= from.step(d).is_some_and(|next| has(next, d));
        }
    }
    (any, long)
}

fn idle_direction(size: Size, set: u32) -> Option<usize> {
    axes(size, set).0.iter().position(|&any| !any)
}

/// Legs that make a difference on a board, in every combination.
fn codes(size: Size, set: u32) -> Vec<Code> {
    let (any, long) = axes(size, set);
    let mut codes: Vec<Code> = vec![0];
    for d in 0..8 {
        let reaches: Code = if long[d % 4] { 3 } else { 1 + Code::from(any[d % 4]) };
        codes = codes.iter().flat_map(|code| (0..reaches).map(move |reach| code | reach << (2 * d))).collect();
    }
    codes.retain(|&code| code != 0 || any != [true; 4]);
    codes
}

/// The reflections and turns of a board of a size, as what they make of lines and of legs.
fn symmetries(size: Size) -> Vec<(Vec<usize>, [usize; 8])> {
    let lines = lines_of(size);
    let turns: &[usize] = if size.0 == size.1 { &[0, 2, 4, 6] } else { &[0, 4] };
    let mut symmetries = Vec::new();
    for &turn in turns {
        for reflected in [false, true] {
            let direction = |d: usize| (if reflected { 8 - d } else { d } + turn) % 8;
            let place = |at: Coord| {
                let (last_column, last_row) = (i32::from(size.0) - 1, i32::from(size.1) - 1);
                let (mut x, mut y) = (2 * i32::from(at.column) - last_column, 2 * i32::from(at.row) - last_row);
                if reflected {
                    x = -x;
                }
                (0..turn / 2).for_each(|_| (x, y) = (y, -x));
                Coord { column: ((x + last_column) / 2) as u8, row: ((y + last_row) / 2) as u8 }
            };
            let line = |&(from, d): &(Coord, Direction)| {
                let (from, to) = (place(from), place(from.step(d).unwrap()));
                let d = direction(d.index());
                let wanted = if d < 4 { (from, Direction::ALL[d]) } else { (to, Direction::ALL[d - 4]) };
                lines.iter().position(|&line| line == wanted).unwrap()
            };
            symmetries.push((lines.iter().map(line).collect(), std::array::from_fn(direction)));
        }
    }
    symmetries
}

/// All games of a size with lines along at most so many axes and with one kind for each of the
/// counts, which rise, in a mixed order. Legs that make no difference are left out, and so are
/// games that are others reflected or turned.
pub(in crate::certificate::walk) fn all_games(size: Size, most_axes: usize, counts: &[u8]) -> Vec<Listed> {
    let symmetries = symmetries(size);
    let mut games = Vec::new();
    for set in 0..boards_of(size) {
        let (any, long) = axes(size, set);
        if any.iter().filter(|&&any| any).count() > most_axes {
            continue;
        }
        let codes = codes(size, set);
        let number = codes.len().pow(counts.len() as u32);
        for number in 0..number {
            let kind = |i: usize| (counts[i], codes[number / codes.len().pow(i as u32) % codes.len()]);
            let kinds: Vec<_> = (0..counts.len()).map(kind).collect();
            if !kinds.is_sorted() || !is_first(set, &kinds, &symmetries) {
                continue;
            }
            let through = long != [false; 4];
            let rules = RULES.into_iter().filter(|rules| through || !rules.contains("attack-through"));
            games.extend(rules.map(|rules| Listed { set, kinds: kinds.clone(), rules }));
        }
    }
    Random(1).shuffle(&mut games);
    games
}

/// Returns `true` if a board with kinds is the first of those that it is reflected and turned.
fn is_first(set: u32, kinds: &[(u8, Code)], symmetries: &[(Vec<usize>, [usize; 8])]) -> bool {
    symmetries.iter().all(|(lines, directions)| {
        let turned = (0..lines.len()).fold(0, |to, i| to | (set >> i & 1) << lines[i]);
        if turned != set {
            return set < turned;
        }
        let leg = |code: Code, d: usize| (code >> (2 * d) & 3) << (2 * directions[d]);
        let kind = |&(count, code): &(u8, Code)| (count, (0..8).fold(0, |to, d| to | leg(code, d)));
        let mut turned: Vec<_> = kinds.iter().map(kind).collect();
        turned.sort_unstable();
        *kinds <= turned[..]
    })
}

#[test]
fn all_games_are_as_many_as_can_be_counted_by_hand() {
    // Two points in a column: a line or none; short legs n and s. Two kinds of four, or of one;
    // reflected, n is s. Four rule sets.
    assert_eq!(all_games((1, 2), 4, &[1, 1]).len(), 4 * (1 + 7));
    let square = all_games((2, 2), 4, &[1, 1]);
    let distinct: std::collections::BTreeSet<_> = square.iter().collect();
    assert_eq!(distinct.len(), square.len());
}
