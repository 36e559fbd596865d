//! Steps along lines for whole sets of points at once.

use super::Board;
use crate::geometry::{Direction, by_direction};

/// One step for all points of `from`, whose numbers change by the same amount.
#[derive(Clone, Copy, Debug, Default)]
struct Shift {
    from: u64,
    /// Bits to rotate to the left; a step to a lower number is a rotation by 64 minus the
    /// difference.
    left: u32,
}

/// The lines of a board by direction, for bitboards: bit n of a word stands for point n. Directions
/// are given by their number ([`Direction::index`]), 0 to 7.
///
/// Holes have no number, so a step in one direction can change the number by different amounts at
/// different points. A board without holes has one amount per direction; other boards have more.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    main: [Shift; 8],
    further: [Vec<Shift>; 8],
    /// True if there are no `further` ones.
    is_uniform: bool,
    /// The most steps that a run takes.
    longest: u32,
}

impl Lines {
    /// Returns the lines of a board (R1).
    pub(crate) fn new(board: &Board) -> Lines {
        let (main, further) = ([Shift::default(); 8], Default::default());
        let mut lines = Lines { main, further, is_uniform: false, longest: 0 };
        for direction in Direction::ALL {
            let mut shifts: Vec<Shift> = Vec::new();
            for from in board.points() {
                let Some(to) = board.connected(from, direction) else { continue };
                let left = (to.index() as u32 + 64 - from.index() as u32) % 64;
                match shifts.iter_mut().find(|s| s.left == left) {
                    Some(shift) => shift.from |= 1 << from.index(),
                    None => shifts.push(Shift { from: 1 << from.index(), left }),
                }
            }
            if !shifts.is_empty() {
                lines.main[direction.index()] = shifts.remove(0);
            }
            lines.further[direction.index()] = shifts;
        }
        lines.is_uniform = lines.further.iter().all(Vec::is_empty);
        lines.longest = lines.count_longest();
        lines
    }

    /// Returns the connected neighbours in a direction of all points of a set.
    ///
    /// # Panics
    ///
    /// If the direction is above 7.
    #[inline]
    pub(crate) fn step(&self, direction: usize, set: u64) -> u64 {
        let main = self.main[direction];
        let mut next = (set & main.from).rotate_left(main.left);
        for shift in &self.further[direction] {
            next |= (set & shift.from).rotate_left(shift.left);
        }
        next
    }

    /// Returns the points from which one step in a direction leads into a set: lines work both ways
    /// (R1).
    ///
    /// # Panics
    ///
    /// If the direction is above 7.
    #[inline]
    pub(crate) fn step_into(&self, direction: usize, set: u64) -> u64 {
        self.step(direction ^ 4, set)
    }

    /// Returns the points that long legs reach from a set in a direction, stopping at the first
    /// point not in `through` and including it (R5).
    ///
    /// # Panics
    ///
    /// If the direction is above 7.
    #[inline]
    pub(crate) fn run(&self, direction: usize, set: u64, through: u64) -> u64 {
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

    /// Returns the points from which a run in a direction leads into a set.
    ///
    /// # Panics
    ///
    /// If the direction is above 7.
    #[inline]
    pub(crate) fn run_into(&self, direction: usize, set: u64, through: u64) -> u64 {
        self.run(direction ^ 4, set, through)
    }

    /// Returns what [`Lines::run`] returns for each direction and its set.
    #[inline]
    pub(crate) fn runs(&self, sets: &[u64; 8], through: u64) -> [u64; 8] {
        if !self.is_uniform {
            return by_direction(|d| self.run(d, sets[d], through));
        }
        // All directions at once, with one branch a step: a processor does not predict where a run
        // ends.
        let step = |sets: &[u64; 8]| by_direction(|d| (sets[d] & self.main[d].from).rotate_left(self.main[d].left));
        let mut front = step(sets);
        let mut reached = front;
        for _ in 1..self.longest {
            front = by_direction(|d| front[d] & through);
            if front.iter().fold(0, |all, set| all | set) == 0 {
                break;
            }
            front = step(&front);
            reached = by_direction(|d| reached[d] | front[d]);
        }
        reached
    }

    /// Returns what [`Lines::run_into`] returns for each direction and its set.
    #[inline]
    pub(crate) fn runs_into(&self, sets: &[u64; 8], through: u64) -> [u64; 8] {
        let reached = self.runs(&by_direction(|d| sets[d ^ 4]), through);
        by_direction(|d| reached[d ^ 4])
    }

    /// Returns the steps of all directions as one number each, where every direction changes the
    /// number of a point by one amount: on boards without holes.
    pub(crate) fn uniform(&self) -> Option<UniformSteps> {
        self.is_uniform.then(|| UniformSteps {
            from: self.main.map(|shift| shift.from),
            left: self.main.map(|shift| u64::from(shift.left)),
            longest: self.longest,
        })
    }

    fn count_longest(&self) -> u32 {
        let steps = |direction| {
            let runs = std::iter::successors(Some(u64::MAX), |&from| Some(self.step(direction, from)));
            runs.skip(1).take_while(|&reached| reached != 0).count() as u32
        };
        (0..8).map(steps).max().unwrap_or(0)
    }
}

/// The lines of a board without holes, by direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UniformSteps {
    /// The points with a neighbour in the direction.
    pub from: [u64; 8],
    /// By how many bits a step rotates a set to the left.
    pub left: [u64; 8],
    /// The most steps that a run takes in any direction.
    pub longest: u32,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::material::{BUILTIN_BOARDS, builtin_board};

    proptest! {
        #[test]
        fn runs_of_all_directions_are_those_of_each(board in 0..BUILTIN_BOARDS.len(), sets: [u64; 8], through: u64, more: u64) {
            let lines = Lines::new(&builtin_board(BUILTIN_BOARDS[board].0).unwrap());
            for through in [0, through, through | more, u64::MAX] {
                for sets in [sets, sets.map(|set| set & more), [through; 8]] {
                    prop_assert_eq!(lines.runs(&sets, through), by_direction(|d| lines.run(d, sets[d], through)));
                    prop_assert_eq!(lines.runs_into(&sets, through), by_direction(|d| lines.run_into(d, sets[d], through)));
                }
            }
        }
    }

    #[test]
    fn some_boards_are_uniform_and_some_are_not() {
        let boards = BUILTIN_BOARDS.iter().map(|(name, ..)| Lines::new(&builtin_board(name).unwrap()));
        let uniform: Vec<_> = boards.map(|lines| lines.is_uniform).collect();
        assert!(uniform.contains(&true) && uniform.contains(&false));
    }
}
