//! Estimates how many positions some roots lead to, from a random sample.
//!
//! [`positions_at_most`](super::positions_at_most) counts every way to spread the pods. Play cannot
//! reach most of them: no order of legal placements leads there, a pod is blocked that the last
//! action would have captured, or it would be the other player's turn. The sample gives the share
//! of those that play can reach. It is the same in every run.

use std::cell::Cell;

use hashbrown::HashSet;

use crate::engine::bitboard::Bitboard;
use crate::engine::{Engine, Status};
use crate::geometry::Point;
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Hand, Pod, Position};
use crate::rules::Captures;

use super::predict::{mean_actions, positions_at_most};

const SAMPLE: u32 = 1 << 10;
/// A position of the sample counts as reachable if this many steps back do not decide it.
const LOOKS: u32 = 1 << 8;
/// The sample ends when this many actions have been tried, if it has [`LEAST`] positions by then.
const TRIED: u32 = 1 << 15;
/// The fewest positions in the sample.
const LEAST: u32 = 1 << 6;
/// The most groups of roots that are sampled, one by one. Roots of a group have the same pods on
/// the board and in hand.
const GROUPS: usize = 4;

/// Estimated positions below the roots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// Positions: an upper confidence limit. Two errors are not in it: the sample counts a few
    /// positions that no play leads to, and leaves out those that only a capture or a shove leads
    /// to.
    pub(super) positions: f64,
    /// The mean number of actions of a position, finished ones counted too.
    pub(super) actions: f64,
}

/// Estimates what the roots lead to. Roots that differ at most in the side to move and the opening
/// are one group, and what they lead to is counted once. With more than [`GROUPS`] groups it
/// returns the upper bound of [`positions_at_most`] instead.
pub(super) fn estimate(engine: &Bitboard, roots: &[&Position]) -> Estimate {
    let mut groups: Vec<Vec<&Position>> = Vec::new();
    for root in roots {
        let same = |group: &Vec<&Position>| (&group[0].occupants, &group[0].hands) == (&root.occupants, &root.hands);
        match groups.iter().position(same) {
            Some(group) => groups[group].push(root),
            None if groups.len() == GROUPS => {
                let positions = positions_at_most(engine.game(), roots) as f64;
                return Estimate { positions, actions: mean_actions(engine, roots) };
            }
            None => groups.push(vec![root]),
        }
    }
    let each: Vec<Estimate> = groups.iter().map(|roots| Sampler::new(engine, roots).estimate()).collect();
    let positions: f64 = each.iter().map(|of| of.positions).sum();
    let edges: f64 = each.iter().map(|of| of.positions * of.actions).sum();
    Estimate { positions, actions: edges / positions }
}

/// Pods of one side and kind, to be spread over board, hand and box.
struct Class {
    pod: Pod,
    count: usize,
}

/// Sampler of random ways to spread the pods of some roots.
struct Sampler<'a> {
    engine: &'a Bitboard,
    roots: &'a [&'a Position],
    /// True if pods on the board stay there for ever.
    fixed: bool,
    classes: Vec<Class>,
    /// Points that pods of the classes may stand on.
    points: Vec<Point>,
    /// For each class, and each number of white and black pods on the board from the classes before
    /// it: the number of ways to spread this class and those after it.
    ways: Vec<Vec<f64>>,
    /// Number of pods of each side that the classes have.
    most: [usize; 2],
    random: u64,
    /// Number of actions that may still be tried.
    left: Cell<u32>,
}

impl<'a> Sampler<'a> {
    fn new(engine: &'a Bitboard, roots: &'a [&'a Position]) -> Sampler<'a> {
        let (game, root) = (engine.game(), roots[0]);
        let options = game.rules().options();
        let fixed = options.captures == Captures::Never && !options.moves;
        let mut classes = Vec::new();
        for side in Side::BOTH {
            let pods = if fixed { *root.hand(side) } else { root.in_game(side) };
            let class = |(kind, count): (PodKind, u8)| Class { pod: Pod { side, kind }, count: usize::from(count) };
            classes.extend(pods.iter().map(class));
        }
        let most = Side::BOTH.map(|side| classes.iter().filter(|c| c.pod.side == side).map(|c| c.count).sum());
        let points = game.board().points().filter(|&point| !fixed || root.pod(point).is_none()).collect();
        let mut sampler = Sampler {
            engine,
            roots,
            fixed,
            classes,
            points,
            ways: Vec::new(),
            most,
            random: 0x9e37_79b9_7f4a_7c15,
            left: Cell::new(TRIED),
        };
        sampler.count();
        sampler
    }

    /// Returns the index in a list of `ways` for these numbers of white and black pods on the
    /// board.
    fn at(&self, placed: [usize; 2]) -> usize {
        placed[0] * (self.most[1] + 1) + placed[1]
    }

    /// Lists the sides that may be to move when White and Black have placed these numbers of pods.
    fn movers(&self, placed: [usize; 2]) -> impl Iterator<Item = Side> + '_ {
        Side::BOTH.into_iter().filter(move |&mover| {
            // If there are only placements, the players take turns with them.
            !self.fixed
                || self.roots.iter().any(|root| {
                    let first = root.to_move();
                    let ahead = placed[first.index()] as isize - placed[first.other().index()] as isize;
                    ahead == isize::from(mover != first)
                })
        })
    }

    /// Returns in how many ways `on_board` pods of a class can stand on `left` points and the rest
    /// of them be in hand or captured.
    fn ways_of(&self, class: &Class, on_board: usize, left: usize) -> f64 {
        let chosen: f64 = (0..on_board).map(|i| (left - i) as f64 / (i + 1) as f64).product();
        chosen * if self.captures() { (class.count - on_board + 1) as f64 } else { 1.0 }
    }

    fn captures(&self) -> bool {
        self.engine.game().rules().options().captures != Captures::Never
    }

    fn count(&mut self) {
        let cells = (self.most[0] + 1) * (self.most[1] + 1);
        let all = || (0..=self.most[0]).flat_map(|white| (0..=self.most[1]).map(move |black| [white, black]));
        let mut ways = vec![vec![0.0; cells]; self.classes.len() + 1];
        for placed in all() {
            ways[self.classes.len()][self.at(placed)] = self.movers(placed).count() as f64;
        }
        for number in (0..self.classes.len()).rev() {
            for placed in all().filter(|placed| placed[0] + placed[1] <= self.points.len()) {
                let sum = self.choices(&ways[number + 1], number, placed).map(|(_, _, ways)| ways).sum();
                ways[number][self.at(placed)] = sum;
            }
        }
        self.ways = ways;
    }

    /// Returns each number of pods of a class that may be on the board, with the numbers of white
    /// and black pods on the board then, and the number of ways.
    fn choices<'b>(
        &'b self,
        after: &'b [f64],
        number: usize,
        placed: [usize; 2],
    ) -> impl Iterator<Item = (usize, [usize; 2], f64)> + 'b {
        let class = &self.classes[number];
        let left = self.points.len() - placed[0] - placed[1];
        (0..=class.count.min(left)).filter_map(move |on_board| {
            let mut then = placed;
            then[class.pod.side.index()] += on_board;
            let fits = then[class.pod.side.index()] <= self.most[class.pod.side.index()];
            fits.then(|| (on_board, then, self.ways_of(class, on_board, left) * after[self.at(then)]))
        })
    }

    fn next(&mut self) -> u64 {
        // Xorshift (Marsaglia, 2003) is enough for an estimate.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// Returns a pseudorandom number from 0 to 1, 1 left out.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 12) as f64 / (1_u64 << 52) as f64
    }

    /// Returns a random position: one of all ways to spread the pods, each equally likely.
    fn draw(&mut self) -> Position {
        let root = self.roots[0];
        let mut position = root.clone();
        position.open = false;
        for side in Side::BOTH {
            position.hands[side] = Hand::EMPTY;
        }
        if !self.fixed {
            position.occupants.fill(None);
        }
        let mut points = self.points.clone();
        let mut placed = [0; 2];
        for number in 0..self.classes.len() {
            let mut at = self.fraction() * self.ways[number][self.at(placed)];
            let mut chosen = (0, placed);
            for (on_board, then, ways) in self.choices(&self.ways[number + 1], number, placed) {
                if ways > 0.0 {
                    chosen = (on_board, then);
                    if at < ways {
                        break;
                    }
                    at -= ways;
                }
            }
            let (on_board, then) = chosen;
            let Class { pod, count } = self.classes[number];
            for _ in 0..on_board {
                let point = points.swap_remove(self.below(points.len()));
                position.occupants[point.index()] = Some(pod);
            }
            let rest = count - on_board;
            let in_hand = if self.captures() { self.below(rest + 1) } else { rest };
            (0..in_hand).for_each(|_| position.hands[pod.side].add(pod.kind));
            placed = then;
        }
        let movers: Vec<Side> = self.movers(placed).collect();
        position.to_move = movers[self.below(movers.len())];
        position
    }

    fn estimate(mut self) -> Estimate {
        let all = self.ways[0][0];
        let (mut drawn, mut passed, mut actions) = (0_u32, 0_u32, 0_u64);
        while drawn < LEAST || drawn < SAMPLE && self.left.get() > 0 {
            let position = self.draw();
            drawn += 1;
            if !self.is_possible(&position) {
                continue;
            }
            passed += 1;
            let state = self.engine.state(&position);
            if self.engine.state_status(&state) == Status::Ongoing {
                actions += self.engine.count_actions(&state);
            }
        }
        let (sample, part) = (f64::from(drawn), f64::from(passed) / f64::from(drawn));
        // Two standard deviations more. Where none of n passed, 3 / n is the limit with 95 %
        // confidence ("rule of three").
        let most = part + 2.0 * (part * (1.0 - part) / sample).sqrt();
        let most = if passed == 0 { 3.0 / sample } else { most };
        let roots = self.roots.len() as f64;
        Estimate {
            positions: (all * most + roots).min(all + roots),
            actions: if passed == 0 { 0.0 } else { actions as f64 / f64::from(passed) },
        }
    }

    /// Returns `true` if play may lead to a position, as far as a short search backward tells.
    fn is_possible(&self, position: &Position) -> bool {
        let (game, mover) = (self.engine.game(), position.to_move());
        let status = position.won_by_empty_hand(game);
        // A hand is emptied by its owner's placement, so it is the other player's turn then (R19).
        if status == Some(mover) {
            return false;
        }
        let options = game.rules().options();
        let may_stay = options.moves && options.shoves && options.shove_liberty;
        if options.captures == Captures::EveryTurn && !may_stay && has_blocked(game, position) {
            return false;
        }
        if self.fixed { self.is_reachable(position) } else { self.comes_from_somewhere(position) }
    }

    /// Returns `true` if an order of legal placements leads to a position; also true if [`LOOKS`]
    /// earlier positions do not tell.
    fn is_reachable(&self, position: &Position) -> bool {
        let (mut seen, mut pending) = (HashSet::new(), vec![position.clone()]);
        let mut looks = 0;
        while let Some(here) = pending.pop() {
            if self.roots.iter().any(|root| (&root.occupants, root.to_move) == (&here.occupants, here.to_move)) {
                return true;
            }
            looks += 1;
            if looks > LOOKS || self.left.get() == 0 && looks > 1 {
                return true;
            }
            for before in self.before_placement(&here) {
                if seen.insert(before.clone()) {
                    pending.push(before);
                }
            }
        }
        false
    }

    /// Returns the positions from which a placement that captures nothing leads to a position.
    fn before_placement<'b>(&'b self, position: &'b Position) -> impl Iterator<Item = Position> + 'b {
        let mover = position.to_move().other();
        position.pods().filter(move |(_, pod)| pod.side == mover).filter_map(move |(at, pod)| {
            if self.fixed && self.roots[0].pod(at).is_some() {
                return None;
            }
            let mut before = position.clone();
            before.occupants[at.index()] = None;
            before.hands[mover].add(pod.kind);
            before.to_move = mover;
            let root = |root: &&&Position| (&root.occupants, root.to_move) == (&before.occupants, before.to_move);
            before.open = self.roots.iter().find(root).is_some_and(|root| root.is_open());
            self.leads(&before, Action::Place { kind: pod.kind, at }, position).then_some(before)
        })
    }

    /// Returns `true` if some action that captures nothing leads to a position. Where only moves
    /// capture (R18), blocked pods can stay on the board: placements are then taken back first,
    /// until no pod is blocked.
    fn comes_from_somewhere(&self, position: &Position) -> bool {
        let game = self.engine.game();
        let (mut seen, mut pending, mut looks) = (HashSet::new(), vec![position.clone()], 0);
        while let Some(here) = pending.pop() {
            let none_blocked = game.rules().options().captures != Captures::AfterMoves || !has_blocked(game, &here);
            looks += 1;
            if none_blocked && self.has_one_before(&here) || self.roots.contains(&&here) || looks > LOOKS {
                return true;
            }
            if !none_blocked {
                pending.extend(self.before_placement(&here).filter(|before| seen.insert(before.clone())));
            }
        }
        false
    }

    /// Returns `true` if some action that captures nothing leads to a position.
    fn has_one_before(&self, position: &Position) -> bool {
        if self.roots.contains(&position) || self.before_placement(position).next().is_some() {
            return true;
        }
        let options = self.engine.game().rules().options();
        // Only a placement can empty a hand. Captures and shoves are not looked for.
        if position.won_by_empty_hand(self.engine.game()).is_some() {
            return false;
        }
        let mover = position.to_move().other();
        options.moves
            && position.pods().filter(|(_, pod)| pod.side == mover).any(|(to, _)| {
                self.points.iter().any(|&from| {
                    let mut before = position.clone();
                    before.occupants.swap(from.index(), to.index());
                    before.to_move = mover;
                    position.pod(from).is_none() && self.leads(&before, Action::Move { from, to }, position)
                })
            })
    }

    /// Returns `true` if an action is legal and leads to a position.
    fn leads(&self, before: &Position, action: Action, to: &Position) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        if before.won_by_empty_hand(self.engine.game()).is_some() {
            return false;
        }
        self.engine.apply(before, action).is_some_and(|result| {
            let next = &result.next;
            (&next.occupants, &next.hands, next.to_move) == (&to.occupants, &to.hands, to.to_move)
        })
    }
}

/// Returns `true` if a pod on the board has no liberty (R7).
fn has_blocked(game: &Game, position: &Position) -> bool {
    position.pods().any(|(point, pod)| {
        let legs = game.pods().legs(pod.kind).on_board(pod.side);
        let free = |next: Point| position.pod(next).is_none();
        !legs.iter().any(|leg| game.board().connected(point, leg.direction).is_some_and(free))
    })
}
