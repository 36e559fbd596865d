//! Straight lanes of points, in any direction: for what long legs reach, runs, chains and slides.

use std::collections::BTreeSet;

use rand_pcg::Pcg64;

use super::draft::{Draft, Place, legs, legs_with, one_in, step};
use crate::geometry::Direction;
use crate::material::{Leg, Reach, Side};
use crate::oracle::draw::below;

/// Content of a point of a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Pod,
    Hole,
}

/// A lane and the direction in which it leads.
struct Lane {
    draft: Draft,
    direction: Direction,
    places: Vec<Place>,
}

/// Sets up a lane. The first point is for the acting pod; a line leads from each to the next except
/// where `gaps` says so.
fn lane(cells: &[Cell], gaps: &[usize], random: &mut Pcg64) -> Lane {
    let direction = Direction::ALL[below(random, 8)];
    let mut draft = Draft { black_to_move: one_in(random, 2), ..Draft::default() };
    let places: Vec<Place> =
        std::iter::successors(Some((0, 0)), |&place| Some(step(place, direction))).take(cells.len() + 1).collect();
    draft.points.insert(places[0]);
    for (i, cell) in cells.iter().enumerate() {
        if *cell != Cell::Hole {
            draft.points.insert(places[i + 1]);
        }
    }
    for (i, &place) in places.iter().enumerate() {
        if !gaps.contains(&i) {
            draft.join(place, direction);
        }
    }
    for (i, cell) in cells.iter().enumerate() {
        if *cell == Cell::Pod {
            let side = Side::BOTH[below(random, 2)];
            draft.pods.insert(places[i + 1], (side, legs(random, 3)));
        }
    }
    Lane { draft, direction, places }
}

impl Lane {
    /// Returns some points beside the lane, so that pods have liberties and hands have somewhere to
    /// go; and hands.
    fn surround(mut self, random: &mut Pcg64) -> Draft {
        let own: BTreeSet<Place> = self.places.iter().copied().collect();
        let sides = [self.direction.turned(2), self.direction.turned(6)];
        for &place in &self.places {
            for side in sides {
                let beside = step(place, side);
                if self.draft.points.len() < 60 && one_in(random, 3) && !own.contains(&beside) {
                    self.draft.points.insert(beside);
                }
            }
        }
        self.draft.join_some(60, &own, random);
        let beside: Vec<Place> = self.draft.points.iter().copied().filter(|place| !own.contains(place)).collect();
        for place in beside {
            if one_in(random, 6) {
                let side = Side::BOTH[below(random, 2)];
                self.draft.pods.insert(place, (side, legs(random, 2)));
            }
        }
        self.draft.deal(2, random);
        for hand in &mut self.draft.hands {
            if hand.is_empty() && !one_in(random, 5) {
                hand.push((legs(random, 3), 1));
            }
        }
        self.draft
    }

    /// Puts the acting pod at the beginning.
    fn act(&mut self, reach: Reach, random: &mut Pcg64) {
        let (side, leg) = (self.draft.mover(), Leg { direction: self.direction, reach });
        self.draft.pods.insert(self.places[0], (side, legs_with(leg, side, 3, random)));
    }
}

fn reach(random: &mut Pcg64, short_in: usize) -> Reach {
    if one_in(random, short_in) { Reach::Short } else { Reach::Long }
}

/// Fills the end of the lane, beyond the last pushed or kicked pod, and returns the missing lines
/// of the lane.
fn end(cells: &mut Vec<Cell>, random: &mut Pcg64) -> Vec<usize> {
    let last = cells.len();
    let mut gaps = Vec::new();
    match below(random, 8) {
        0 => {}
        1 => cells.push(Cell::Hole),
        2 => {
            cells.push(Cell::Empty);
            gaps.push(last);
        }
        3 => {
            cells.extend([Cell::Hole, Cell::Empty]);
        }
        _ => cells.push(Cell::Empty),
    }
    if one_in(random, 6) {
        gaps.push(below(random, cells.len() + 1));
    }
    gaps
}

/// Returns a run over empty points, then a chain of pods, and what lies beyond.
pub(super) fn shove(run: usize, chain: usize, random: &mut Pcg64) -> Draft {
    let mut cells = vec![Cell::Empty; run];
    cells.extend(vec![Cell::Pod; chain]);
    let gaps = end(&mut cells, random);
    let mut lane = lane(&cells, &gaps, random);
    let reach = reach(random, if run == 0 { 2 } else { 6 });
    lane.act(reach, random);
    lane.surround(random)
}

/// Returns a neighbour to kick, empty points to slide over, with lines or without, and what stops
/// it.
pub(super) fn kick(slide: usize, random: &mut Pcg64) -> Draft {
    let mut cells = vec![Cell::Empty; if one_in(random, 8) { 1 } else { 0 }];
    cells.push(Cell::Pod);
    let first = cells.len();
    cells.extend(vec![Cell::Empty; slide]);
    match below(random, 5) {
        0 => cells.extend([Cell::Pod, Cell::Empty]),
        1 => cells.extend([Cell::Hole, Cell::Empty]),
        _ => {}
    }
    let mut gaps: Vec<usize> = Vec::new();
    if one_in(random, 8) {
        gaps.push(below(random, first));
    }
    // No line at any step, at the last one, or here and there.
    let missing = [0, 30, 100][below(random, 3)];
    gaps.extend((first..first + slide).filter(|_| below(random, 100) < missing));
    if one_in(random, 3) {
        gaps.push(first + slide - 1);
    }
    let mut lane = lane(&cells, &gaps, random);
    let reach = reach(random, 5);
    lane.act(reach, random);
    lane.surround(random)
}

/// Draws empty points to move over, and what stops it.
pub(super) fn movement(free: usize, random: &mut Pcg64) -> Draft {
    let mut cells = vec![Cell::Empty; free];
    if one_in(random, 2) {
        cells.extend([Cell::Pod, Cell::Empty]);
    }
    let gaps: Vec<usize> = if one_in(random, 3) { vec![below(random, cells.len() + 1)] } else { Vec::new() };
    let mut lane = lane(&cells, &gaps, random);
    let reach = reach(random, 4);
    lane.act(reach, random);
    lane.surround(random)
}

/// Returns a draft in which a pod that may be placed at one end attacks another one at the other
/// end, or is attacked; others stand between.
pub(super) fn attack(distance: usize, random: &mut Pcg64) -> Draft {
    let mut cells = vec![Cell::Empty; distance];
    cells[distance - 1] = Cell::Pod;
    for cell in cells.iter_mut().rev().skip(1) {
        if one_in(random, 5) {
            *cell = Cell::Pod;
        }
    }
    let gaps: Vec<usize> = if one_in(random, 6) { vec![below(random, distance)] } else { Vec::new() };
    let placed_attacks = one_in(random, 2);
    let mut lane = lane(&cells, &gaps, random);
    let mover = lane.draft.mover();
    let leg = Leg { direction: lane.direction, reach: reach(random, 6) };
    if placed_attacks {
        let last = lane.places[distance];
        if let Some((side, _)) = lane.draft.pods.get_mut(&last) {
            *side = mover.other();
        }
        let legs = legs_with(leg, mover, 3, random);
        lane.draft.hands[mover.index()].push((legs, 1));
    } else {
        // The foe stands at the beginning; the far end is to be placed on.
        lane.draft.pods.remove(&lane.places[distance]);
        lane.draft.pods.insert(lane.places[0], (mover.other(), legs_with(leg, mover.other(), 3, random)));
        lane.draft.hands[mover.index()].push((legs(random, 3), 1));
    }
    lane.surround(random)
}

/// Returns a long leg that attacks every empty point, and pods to put in its way: the foe, who has
/// no pod on the board, can only go behind such a pod.
pub(super) fn cut(behind: usize, random: &mut Pcg64) -> Draft {
    let mut lane = lane(&vec![Cell::Empty; 2 + behind], &[], random);
    let (mover, direction) = (lane.draft.mover(), lane.direction);
    let long = Leg { direction, reach: Reach::Long };
    lane.draft.pods.insert(lane.places[0], (mover, legs_with(long, mover, 1, random)));
    let ahead = Leg { direction, reach: Reach::Short };
    for (side, most) in [(mover, 2), (mover, 1), (mover.other(), 2)] {
        let legs = legs_with(ahead, side, most, random);
        lane.draft.hands[side.index()].push((legs, 1));
    }
    lane.draft
}

/// Returns a pod whose only way out is to push `chain` pods or to kick, and an action elsewhere
/// that captures follow.
pub(super) fn saved(chain: usize, random: &mut Pcg64) -> Draft {
    let kicks = one_in(random, 3);
    let mut cells = vec![Cell::Pod; if kicks { 1 } else { chain }];
    let gaps = if kicks {
        cells.extend(vec![Cell::Empty; 1 + below(random, 3)]);
        vec![1]
    } else {
        end(&mut cells, random)
    };
    let mut lane = lane(&cells, &gaps, random);
    let side = Side::BOTH[below(random, 2)];
    let leg = Leg { direction: lane.direction, reach: reach(random, if kicks { 8 } else { 2 }) };
    lane.draft.pods.insert(lane.places[0], (side, legs_with(leg, side, 1, random)));
    // Somebody of the mover's with room to move, off the lane.
    let beside = lane.direction.turned(2);
    let far = step(step(step(lane.places[0], beside), beside), beside);
    let next = step(far, lane.direction);
    lane.draft.points.extend([far, next]);
    lane.draft.join(far, lane.direction);
    let mover = lane.draft.mover();
    let own = Leg { direction: lane.direction, reach: Reach::Short };
    lane.draft.pods.insert(far, (mover, legs_with(own, mover, 2, random)));
    lane.surround(random)
}
