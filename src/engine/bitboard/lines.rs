//! Steps along lines for whole sets of points at once.

use super::NOWHERE;
use crate::geometry::MAX_POINTS;

/// A step for the points of `from`: all of them move by the same distance in the numbering of points.
#[derive(Clone, Copy, Debug, Default)]
struct Shift {
    from: u64,
    /// Bits to rotate to the left; steps to lower numbers go the long way round.
    left: u32,
}

/// The lines of a board by direction.
///
/// Points are numbered without the holes, so a step can change the number by different amounts at different points. A
/// board without holes has one amount per direction; the others have a list of further ones.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    main: [Shift; 8],
    further: [Vec<Shift>; 8],
}

impl Lines {
    pub(super) fn new(connected: &[[u8; MAX_POINTS]; 8]) -> Lines {
        let mut lines = Lines { main: [Shift::default(); 8], further: Default::default() };
        for (direction, next) in connected.iter().enumerate() {
            let mut shifts: Vec<Shift> = Vec::new();
            for (from, &to) in next.iter().enumerate().filter(|(_, to)| **to != NOWHERE) {
                let left = (u32::from(to) + 64 - from as u32) % 64;
                match shifts.iter_mut().find(|s| s.left == left) {
                    Some(shift) => shift.from |= 1 << from,
                    None => shifts.push(Shift { from: 1 << from, left }),
                }
            }
            if !shifts.is_empty() {
                lines.main[direction] = shifts.remove(0);
            }
            lines.further[direction] = shifts;
        }
        lines
    }

    /// The connected neighbours in a direction of all points of a set.
    #[inline]
    pub(super) fn step(&self, direction: usize, set: u64) -> u64 {
        let main = self.main[direction];
        let mut next = (set & main.from).rotate_left(main.left);
        for shift in &self.further[direction] {
            next |= (set & shift.from).rotate_left(shift.left);
        }
        next
    }

    /// The points from which one step in a direction leads into a set: lines work both ways (R1).
    #[inline]
    pub(super) fn step_into(&self, direction: usize, set: u64) -> u64 {
        self.step(direction ^ 4, set)
    }

    /// The points that long legs reach from a set in a direction, stopping at the first point not in `through` and
    /// including it (R5).
    #[inline]
    pub(super) fn run(&self, direction: usize, set: u64, through: u64) -> u64 {
        let mut front = self.step(direction, set);
        let mut reached = front;
        loop {
            front &= through;
            if front == 0 {
                return reached;
            }
            front = self.step(direction, front);
            reached |= front;
        }
    }

    /// The points from which a run in a direction leads into a set.
    #[inline]
    pub(super) fn run_into(&self, direction: usize, set: u64, through: u64) -> u64 {
        self.run(direction ^ 4, set, through)
    }
}
