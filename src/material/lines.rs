//! Steps along lines for whole sets of points at once.

use super::Board;
use crate::geometry::Direction;

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
}

impl Lines {
    /// Returns the lines of a board (R1).
    pub(crate) fn new(board: &Board) -> Lines {
        let mut lines = Lines { main: [Shift::default(); 8], further: Default::default() };
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

    /// Returns the steps of all directions as one number each, where every direction changes the
    /// number of a point by one amount: on boards without holes.
    pub(crate) fn uniform(&self) -> Option<UniformSteps> {
        self.further.iter().all(Vec::is_empty).then(|| UniformSteps {
            from: self.main.map(|shift| shift.from),
            left: self.main.map(|shift| u64::from(shift.left)),
            longest: self.longest(),
        })
    }

    /// Returns the most steps that a run takes.
    fn longest(&self) -> u32 {
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
