//! Smaller games and positions: fewer pods, points, lines, legs and special rules, one step at a
//! time.

use std::collections::{BTreeMap, BTreeSet};

use crate::geometry::{Coord, Direction};
use crate::material::{Board, Leg, Legs, PodSet, PodSpec, Reach, Side};
use crate::position::{Game, Hand, Position, UncheckedPosition};
use crate::rules::{OPTION_NAMES, Preset, RuleSet};

/// Returns every game and position one step smaller than these, the largest steps first.
pub fn smaller_games(game: &Game, position: &Position) -> impl Iterator<Item = (Game, Position)> + use<> {
    let whole = Parts::of(game, position);
    whole.smaller().into_iter().filter(move |parts| *parts != whole).filter_map(|parts| parts.build())
}

/// A game and a position as parts that can be taken away one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    points: BTreeMap<Coord, Option<(Side, char)>>,
    lines: BTreeSet<(Coord, Direction)>,
    legs: BTreeMap<char, Vec<Leg>>,
    hands: [BTreeMap<char, u8>; 2],
    to_move: Side,
    open: bool,
    rules: RuleSet,
}

impl Parts {
    fn of(game: &Game, position: &Position) -> Parts {
        let (board, pods) = (game.board(), game.pods());
        let occupant = |point| position.pod(point).map(|pod| (pod.side, pods.id(pod.kind)));
        Parts {
            points: board.points().map(|point| (board.coord(point), occupant(point))).collect(),
            lines: board.each_line().map(|(from, direction, _)| (board.coord(from), direction)).collect(),
            legs: pods.kinds().map(|kind| (pods.id(kind), pods.legs(kind).iter().collect())).collect(),
            hands: Side::BOTH
                .map(|side| position.hand(side).iter().map(|(kind, count)| (pods.id(kind), count)).collect()),
            to_move: position.to_move(),
            open: position.is_open(),
            rules: *game.rules(),
        }
    }

    /// Returns the game and the position, if these parts still make one. Kinds of pods that nobody
    /// has any more are left out.
    fn build(&self) -> Option<(Game, Position)> {
        let left = self.points.keys().map(|coord| coord.column).min()?;
        let bottom = self.points.keys().map(|coord| coord.row).min()?;
        let moved = |coord: Coord| Coord { row: coord.row - bottom, column: coord.column - left };
        let points = self.points.keys().map(|&coord| moved(coord));
        let lines = self.lines.iter().map(|&(from, direction)| (moved(from), direction));
        let board = Board::new("shrunken", "made smaller", points, lines).ok()?;
        let mut owned: BTreeMap<char, u8> = BTreeMap::new();
        for side in Side::BOTH {
            let mut count = self.hands[side.index()].clone();
            for (_, id) in self.points.values().flatten().filter(|(owner, _)| *owner == side) {
                *count.entry(*id).or_default() += 1;
            }
            for (id, count) in count {
                let most = owned.entry(id).or_default();
                *most = count.max(*most);
            }
        }
        if owned.is_empty() {
            owned.insert(*self.legs.keys().next()?, 1);
        }
        let spec = |(&id, &count): (&char, &u8)| {
            Some(PodSpec { id, name: String::new(), legs: Legs::new(self.legs.get(&id)?.iter().copied())?, count })
        };
        let pods = PodSet::new("shrunken", "made smaller", owned.iter().map(spec).collect::<Option<_>>()?).ok()?;
        let game = Game::new(board, pods, self.rules.shortest());
        let whole = Hand::whole(game.pods());
        game.start(whole, whole, Side::White).ok()?;
        let setup = UncheckedPosition {
            widths: vec![game.board().columns() as usize; game.board().rows() as usize],
            pods: self
                .points
                .iter()
                .filter_map(|(&coord, pod)| pod.map(|(side, id)| (moved(coord), side, id)))
                .collect(),
            to_move: self.to_move,
            hands: self.hands.clone().map(|hand| hand.into_iter().collect()),
            open: self.open,
        };
        let position = setup.check(&game).ok()?;
        Some((game, position))
    }

    /// Returns everything that can be taken away in one step, the largest first.
    fn smaller(&self) -> Vec<Parts> {
        let mut all = Vec::new();
        let mut with = |change: &dyn Fn(&mut Parts)| {
            let mut parts = self.clone();
            change(&mut parts);
            all.push(parts);
        };
        let plain = RuleSet::from(Preset::Standard).with("opening", "any").unwrap_or(self.rules);
        for option in OPTION_NAMES {
            let value = plain.value(option).unwrap_or_default();
            if self.rules.value(option) != Some(value) {
                with(&|parts| {
                    if let Ok(rules) = parts.rules.with(option, value) {
                        parts.rules = rules;
                        parts.open &= *option != "opening";
                    }
                });
            }
        }
        if self.open {
            with(&|parts| parts.open = false);
        }
        for (&coord, _) in self.points.iter().filter(|(_, pod)| pod.is_some()) {
            with(&|parts| {
                parts.points.insert(coord, None);
            });
        }
        for side in [0, 1] {
            for (&id, &count) in &self.hands[side] {
                for less in [0, count / 2, count - 1].into_iter().take(if count > 1 { 3 } else { 1 }) {
                    with(&|parts| {
                        parts.hands[side].remove(&id);
                        if less > 0 {
                            parts.hands[side].insert(id, less);
                        }
                    });
                }
            }
        }
        // A whole column or row at once, then point by point.
        let empty = |keep: &dyn Fn(&Coord) -> bool| self.points.iter().all(|(c, pod)| keep(c) || pod.is_none());
        for edge in 0..26 {
            if empty(&|c| c.column != edge) && self.points.keys().any(|c| c.column == edge) {
                with(&|parts| parts.cut(&|c| c.column == edge));
            }
            if empty(&|c| c.row != edge) && self.points.keys().any(|c| c.row == edge) {
                with(&|parts| parts.cut(&|c| c.row == edge));
            }
        }
        for (column, index) in (0..26).flat_map(|index| [(true, index), (false, index)]) {
            if empty(&|c| if column { c.column != index } else { c.row != index }) {
                with(&|parts| parts.fold(column, index));
            }
        }
        for (&coord, _) in self.points.iter().filter(|(_, pod)| pod.is_none()) {
            with(&|parts| parts.cut(&|c| c == coord));
        }
        for &line in &self.lines {
            with(&|parts| {
                parts.lines.remove(&line);
            });
        }
        for (&id, legs) in &self.legs {
            for (i, leg) in legs.iter().enumerate() {
                with(&|parts| {
                    parts.legs.entry(id).or_default().remove(i);
                });
                if leg.reach == Reach::Long {
                    with(&|parts| parts.legs.entry(id).or_default()[i].reach = Reach::Short);
                }
            }
        }
        all
    }

    /// Takes out an inner column (or row) without pods and closes the gap. Lines that cross it
    /// straight remain; all others that end in it go.
    fn fold(&mut self, column: bool, index: u8) {
        let place = |c: Coord| if column { c.column } else { c.row };
        if index == 0 || !self.points.keys().any(|&c| place(c) > index) {
            return;
        }
        let along = if column { Direction::E } else { Direction::N };
        let across: Vec<Coord> = self
            .points
            .keys()
            .copied()
            .filter(|&c| {
                let next = c.step(along).filter(|&next| place(next) == index);
                next.is_some_and(|next| self.lines.contains(&(c, along)) && self.lines.contains(&(next, along)))
            })
            .collect();
        self.cut(&|c| place(c) == index);
        let moved = |c: Coord| match (place(c) > index, column) {
            (false, _) => c,
            (true, true) => Coord { column: c.column - 1, ..c },
            (true, false) => Coord { row: c.row - 1, ..c },
        };
        self.points = std::mem::take(&mut self.points).into_iter().map(|(c, pod)| (moved(c), pod)).collect();
        self.lines = std::mem::take(&mut self.lines).into_iter().map(|(c, direction)| (moved(c), direction)).collect();
        self.lines.extend(across.into_iter().map(|c| (c, along)));
    }

    /// Takes points away, and the lines that end there.
    fn cut(&mut self, gone: &dyn Fn(Coord) -> bool) {
        self.points.retain(|&coord, _| !gone(coord));
        self.lines.retain(|&(from, direction)| !gone(from) && from.step(direction).is_none_or(|to| !gone(to)));
    }
}
