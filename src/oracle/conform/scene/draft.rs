//! A game and a position in the making.

use std::collections::{BTreeMap, BTreeSet};

use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64;

use crate::geometry::{Coord, Direction};
use crate::material::{Board, Leg, Legs, PodSet, PodSpec, Reach, Side};
use crate::oracle::draw::below;
use crate::position::{Game, Position, UncheckedPosition};
use crate::rules::{Opening, RuleSet};

/// Column and row; the lowest ones need not be 0.
pub(in crate::oracle::conform) type Place = (i16, i16);

/// A game and a position in the making: anything may be put into it, and [`Draft::build`] says
/// whether it is one.
#[derive(Clone, Debug, Default)]
pub(in crate::oracle::conform) struct Draft {
    pub points: BTreeSet<Place>,
    pub lines: BTreeSet<(Place, Direction)>,
    /// Pods on the board, with their legs as the owner sees them.
    pub pods: BTreeMap<Place, (Side, Legs)>,
    /// Pods in White's and Black's hands.
    pub hands: [Vec<(Legs, u8)>; 2],
    pub black_to_move: bool,
    pub open: bool,
}

pub(super) fn step((x, y): Place, direction: Direction) -> Place {
    let (dx, dy) = direction.delta();
    (x + i16::from(dx), y + i16::from(dy))
}

pub(super) fn one_in(random: &mut Pcg64, many: usize) -> bool {
    below(random, many) == 0
}

/// Returns random legs, from one to `most`.
pub(super) fn legs(random: &mut Pcg64, most: usize) -> Legs {
    let mut directions = Direction::ALL;
    directions.shuffle(random);
    let count = 1 + below(random, most);
    let leg = |direction| Leg { direction, reach: if one_in(random, 2) { Reach::Long } else { Reach::Short } };
    Legs::new(directions.into_iter().take(count).map(leg)).expect("the directions differ")
}

/// Returns random legs on the board with this one among them, as the owner sees them.
pub(super) fn legs_with(leg: Leg, side: Side, most: usize, random: &mut Pcg64) -> Legs {
    let more = legs(random, most);
    let others = more.iter().filter(|other| other.direction != leg.direction).take(most.saturating_sub(1));
    Legs::new(std::iter::once(leg).chain(others)).expect("the directions differ").on_board(side)
}

impl Draft {
    pub(super) fn mover(&self) -> Side {
        if self.black_to_move { Side::Black } else { Side::White }
    }

    pub(super) fn join(&mut self, from: Place, direction: Direction) {
        if self.points.contains(&from) && self.points.contains(&step(from, direction)) {
            self.lines.insert((from, direction));
        }
    }

    /// Joins every pair of neighbours of which none is in `spared`, with a chance in percent.
    pub(super) fn join_some(&mut self, percent: usize, spared: &BTreeSet<Place>, random: &mut Pcg64) {
        for &from in &self.points.clone() {
            for direction in Direction::HALF {
                let to = step(from, direction);
                let both = spared.contains(&from) && spared.contains(&to);
                if !both && below(random, 100) < percent {
                    self.join(from, direction);
                }
            }
        }
    }

    /// Gives each side up to `most` pods in hand.
    pub(super) fn deal(&mut self, most: usize, random: &mut Pcg64) {
        for hand in &mut self.hands {
            for _ in 0..below(random, most + 1) {
                hand.push((legs(random, 3), 1 + u8::from(one_in(random, 4))));
            }
        }
    }

    /// Moves everything away from the lower left corner, where a lone point stays behind: rows and
    /// columns get high names.
    pub(super) fn displace(&mut self, random: &mut Pcg64) {
        let (Some(left), Some(right)) = (self.points.iter().map(|p| p.0).min(), self.points.iter().map(|p| p.0).max())
        else {
            return;
        };
        let (Some(bottom), Some(top)) = (self.points.iter().map(|p| p.1).min(), self.points.iter().map(|p| p.1).max())
        else {
            return;
        };
        let (width, height) = (right - left + 1, top - bottom + 1);
        if self.points.len() > 63 || width > 24 || height > 24 {
            return;
        }
        let far = |size: i16, random: &mut Pcg64| 2 + below(random, (25 - size) as usize) as i16;
        let (dx, dy) = (far(width, random) - left, far(height, random) - bottom);
        let moved = |(x, y): Place| (x + dx, y + dy);
        self.points = std::mem::take(&mut self.points).into_iter().map(moved).collect();
        self.lines = std::mem::take(&mut self.lines).into_iter().map(|(p, d)| (moved(p), d)).collect();
        self.pods = std::mem::take(&mut self.pods).into_iter().map(|(p, pod)| (moved(p), pod)).collect();
        self.points.insert((0, 0));
    }

    /// Returns the game and the position under these rules; `None` if they are none, such as an
    /// opening without a bipod.
    pub(in crate::oracle::conform) fn build(&self, rules: RuleSet, random: &mut Pcg64) -> Option<(Game, Position)> {
        let left = self.points.iter().map(|p| p.0).min()?;
        let bottom = self.points.iter().map(|p| p.1).min()?;
        let coord = |(x, y): Place| Coord { column: (x - left) as u8, row: (y - bottom) as u8 };
        let lines = self.lines.iter().map(|&(from, direction)| (coord(from), direction));
        let points = self.points.iter().map(|&place| coord(place));
        let board = Board::new("constructed", "made for a question", points, lines).ok()?;
        let bipods = rules.options().opening == Opening::Bipod;
        let (specs, ids) = self.pod_specs(bipods, random)?;
        let pods = PodSet::new("constructed", "made for a question", specs).ok()?;
        let setup = UncheckedPosition {
            widths: vec![board.columns() as usize; board.rows() as usize],
            pods: self.pods.iter().map(|(&at, (side, legs))| (coord(at), *side, ids[legs])).collect(),
            to_move: self.mover(),
            hands: [0, 1].map(|side| {
                let mut hand: BTreeMap<char, u8> = BTreeMap::new();
                for (legs, count) in &self.hands[side] {
                    *hand.entry(ids[legs]).or_default() += count;
                }
                hand.into_iter().collect()
            }),
            open: self.open && bipods,
        };
        let game = Game::new(board, pods, rules);
        let position = setup.check(&game).ok()?;
        Some((game, position))
    }

    /// Returns the kinds of pods, with random letters and sometimes a few kinds more than are in
    /// play; and the letter of each.
    fn pod_specs(&self, bipods: bool, random: &mut Pcg64) -> Option<(Vec<PodSpec>, BTreeMap<Legs, char>)> {
        let mut counts: BTreeMap<Legs, [u8; 2]> = BTreeMap::new();
        for (side, legs) in self.pods.values() {
            counts.entry(*legs).or_default()[side.index()] += 1;
        }
        for side in [0, 1] {
            for (legs, count) in &self.hands[side] {
                let all = &mut counts.entry(*legs).or_default()[side];
                *all = all.checked_add(*count)?;
            }
        }
        if counts.is_empty() || (bipods && !counts.keys().any(|legs| legs.count() == 2)) {
            let directions = [below(random, 4), 4 + below(random, 4)].map(|i| Direction::ALL[i]);
            let pair = directions.map(|direction| Leg { direction, reach: Reach::Short });
            counts.entry(Legs::new(pair)?).or_default();
        }
        let mut letters: Vec<char> = ('a'..='z').collect();
        letters.shuffle(random);
        let (mut specs, mut ids) = (Vec::new(), BTreeMap::new());
        for (legs, both) in counts {
            let id = letters.pop()?;
            let spare = u8::from(one_in(random, 4));
            let count = both[0].max(both[1]).saturating_add(spare).max(1);
            specs.push(PodSpec { id, name: String::new(), legs, count });
            ids.insert(legs, id);
        }
        Some((specs, ids))
    }
}
