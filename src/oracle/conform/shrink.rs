//! A difference made as small as it gets: fewer pods, points, lines, legs and special rules, and still different.

use std::collections::{BTreeMap, BTreeSet};

use super::peer::{Answers, PeerError};
use super::probe::{Difference, Effort, Probe, examine, game_request, put};
use super::stake::{Class, stake};
use super::tally::Tally;
use crate::engine::{Engine, Reference};
use crate::geometry::{Coord, Direction};
use crate::material::{Board, Leg, Legs, PodSet, PodSpec, Reach, Side};
use crate::oracle::draw::seeded;
use crate::oracle::protocol::Answer;
use crate::position::{Game, Hand, Position, Setup};
use crate::rules::{OPTION_NAMES, Preset, RuleSet};

/// Smaller positions tried at most.
const TRIES: u64 = 5000;

/// A difference after shrinking.
#[derive(Clone, Debug)]
pub struct Shrunken {
    /// What is left.
    pub difference: Box<Difference>,
    /// How many smaller positions were tried.
    pub tried: u64,
}

/// A position and its game, as parts that can be taken away one by one.
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
        let half = [Direction::N, Direction::Ne, Direction::E, Direction::Se];
        Parts {
            points: board.points().map(|point| (board.coord(point), occupant(point))).collect(),
            lines: board
                .points()
                .flat_map(|point| board.lines(point).iter().map(move |direction| (board.coord(point), direction)))
                .filter(|(_, direction)| half.contains(direction))
                .collect(),
            legs: pods.kinds().map(|kind| (pods.id(kind), pods.legs(kind).iter().collect())).collect(),
            hands: Side::BOTH
                .map(|side| position.hand(side).iter().map(|(kind, count)| (pods.id(kind), count)).collect()),
            to_move: position.to_move(),
            open: position.is_open(),
            rules: *game.rules(),
        }
    }

    /// The game and the position, if these parts still make one. Kinds of pods that nobody has any more are left out.
    fn build(&self) -> Option<(Game, Position)> {
        let left = self.points.keys().map(|coord| coord.column).min()?;
        let bottom = self.points.keys().map(|coord| coord.row).min()?;
        let moved = |coord: Coord| Coord { row: coord.row - bottom, column: coord.column - left };
        let points = self.points.keys().map(|&coord| moved(coord));
        let lines = self.lines.iter().map(|&(from, direction)| (moved(from), direction));
        let board = Board::new("shrunken", "conformance", points, lines).ok()?;
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
        let pods = PodSet::new("shrunken", "conformance", owned.iter().map(spec).collect::<Option<_>>()?).ok()?;
        let game = Game::new(board, pods, self.rules);
        let whole = Hand::whole(game.pods());
        game.start(whole, whole, Side::White).ok()?;
        let setup = Setup {
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

    /// Everything that can be taken away in one step, the largest first.
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
                for less in [0, count - 1].into_iter().take(if count > 1 { 2 } else { 1 }) {
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

    /// Takes an empty column (or row) out of the middle and moves what lies beyond it up to the rest. Straight lines that
    /// lead across stay, others that touch it go.
    fn fold(&mut self, column: bool, index: u8) {
        let place = |c: Coord| if column { c.column } else { c.row };
        if index == 0
            || !self.points.keys().any(|&c| place(c) == index)
            || !self.points.keys().any(|&c| place(c) > index)
        {
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

/// Takes away what can be taken away without losing the difference, until nothing can.
///
/// If the program stops answering on the way, what has been found until then stands.
pub(super) fn shrink(peer: &mut dyn Answers, difference: Box<Difference>) -> Shrunken {
    let class = stake(&difference).class;
    let mut best = difference;
    let mut tried = 0;
    'smaller: loop {
        let whole = Parts::of(&best.game, &best.position);
        for parts in whole.smaller().into_iter().filter(|parts| *parts != whole) {
            let Some((game, position)) = parts.build() else { continue };
            if tried == TRIES {
                break 'smaller;
            }
            tried += 1;
            match again(peer, &game, &position, class, best.probe) {
                Ok(Some(found)) => {
                    best = found;
                    continue 'smaller;
                }
                Ok(None) => {}
                Err(_) => break 'smaller,
            }
        }
        break;
    }
    Shrunken { difference: best, tried }
}

/// The difference of the same class in a smaller position, if there is one.
fn again(
    peer: &mut dyn Answers,
    game: &Game,
    position: &Position,
    class: Class,
    probe: Probe,
) -> Result<Option<Box<Difference>>, PeerError> {
    if peer.ask(&game_request(game))? != Answer::Ok {
        return Ok(None);
    }
    let reference = Reference::new(game.clone());
    let same = |found: &Difference| stake(found).class == class;
    if let Probe::Perft(_) | Probe::Moves | Probe::Status = probe {
        return Ok(put(peer, &reference, position, probe)?.filter(|found| same(found)));
    }
    if let Class::Allows(_) = class {
        // The program may play what it does not list; ask for all that it might play.
        for action in reference.conceivable(position) {
            if reference.check(position, action).is_err()
                && let Some(found) = put(peer, &reference, position, Probe::Apply(action))?
            {
                return Ok(Some(found).filter(|found| same(found)));
            }
        }
        return Ok(None);
    }
    let whole = examine(peer, &reference, position, Effort::WHOLE, &mut seeded(0, 0), &mut Tally::default())?;
    if let Some(found) = whole.filter(|found| same(found)) {
        return Ok(Some(found));
    }
    for action in reference.actions(position) {
        if let Some(found) = put(peer, &reference, position, Probe::Apply(action))?
            && same(&found)
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
