//! The board: points, lines, orientation (R1, R2).

use std::collections::BTreeMap;
use std::fmt;

use crate::geometry::{Coord, Direction, DirectionSet, MAX_POINTS, MAX_SPAN, Orientation, Point, PointSet, Symmetry};

/// A board of 1 to 64 points on a square grid, some neighbours joined by lines (R1).
///
/// A board is always as it lies on the table: turning it (R2) gives another board, whose `a1` is
/// again White's bottom left. There is no empty column or row at its edges.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    name: String,
    source: String,
    orientation: Orientation,
    columns: u8,
    rows: u8,
    coords: Vec<Coord>,
    neighbours: Vec<[Option<Point>; 8]>,
    lines: Vec<DirectionSet>,
    /// By point and direction: the points of the straight run of lines.
    runs: Vec<[PointSet; 8]>,
}

/// Reasons why points and lines do not make a board (R1).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// There is no point.
    #[error("a board has at least one point (R1), this one has none")]
    NoPoint,
    /// There are more points than fit.
    #[error("a board has at most {MAX_POINTS} points (R1), this one has {0}")]
    TooManyPoints(usize),
    /// The points spread over too many columns or rows.
    #[error("a board has at most {MAX_SPAN} columns and {MAX_SPAN} rows, this one has {columns} and {rows}")]
    TooWide {
        /// Columns from the leftmost point to the rightmost one.
        columns: usize,
        /// Rows from the lowest point to the highest one.
        rows: usize,
    },
    /// A line does not join two points.
    #[error("a line leads {direction} from {from}, where there is no point (R1)")]
    LooseLine {
        /// One end of the line, which may itself be a hole.
        from: Coord,
        /// Direction of the line.
        direction: Direction,
    },
}

impl Board {
    /// Returns the board of these points and lines. A line works both ways and need be given once.
    ///
    /// # Errors
    ///
    /// If there is no point, there are too many or they spread too far, or a line has no point at
    /// an end.
    pub fn new(
        name: impl Into<String>,
        source: impl Into<String>,
        points: impl IntoIterator<Item = Coord>,
        lines: impl IntoIterator<Item = (Coord, Direction)>,
    ) -> Result<Board, BoardError> {
        let mut coords: Vec<Coord> = points.into_iter().collect();
        coords.sort();
        coords.dedup();
        let lowest = |part: fn(&Coord) -> u8| coords.iter().map(part).min().ok_or(BoardError::NoPoint);
        let (left, bottom) = (lowest(|c| c.column)?, lowest(|c| c.row)?);
        if coords.len() > MAX_POINTS {
            return Err(BoardError::TooManyPoints(coords.len()));
        }
        let shifted = |c: Coord| Coord { row: c.row - bottom, column: c.column - left };
        let mut at = BTreeMap::new();
        for (index, &coord) in coords.iter().enumerate() {
            at.insert(coord, Point::new(index));
        }
        let mut joined = vec![DirectionSet::EMPTY; coords.len()];
        for (from, direction) in lines {
            let ends = at.get(&from).zip(from.step(direction).and_then(|to| at.get(&to)));
            let Some((from, to)) = ends else { return Err(BoardError::LooseLine { from, direction }) };
            joined[from.index()].insert(direction);
            joined[to.index()].insert(direction.opposite());
        }
        let neighbours: Vec<[Option<Point>; 8]> = coords
            .iter()
            .map(|coord| Direction::ALL.map(|d| coord.step(d).and_then(|next| at.get(&next).copied())))
            .collect();
        let next = |point: &Point, d: Direction| {
            neighbours[point.index()][d.index()].filter(|_| joined[point.index()].contains(d))
        };
        let run = |from: Point, d: Direction| std::iter::successors(next(&from, d), |at| next(at, d)).collect();
        let runs = (0..coords.len()).map(|i| Direction::ALL.map(|d| run(Point::new(i), d))).collect();
        let coords: Vec<Coord> = coords.into_iter().map(shifted).collect();
        let columns = coords.iter().map(|c| c.column as usize + 1).max().unwrap_or(0);
        let rows = coords.iter().map(|c| c.row as usize + 1).max().unwrap_or(0);
        if columns > MAX_SPAN || rows > MAX_SPAN {
            return Err(BoardError::TooWide { columns, rows });
        }
        Ok(Board {
            name: name.into(),
            source: source.into(),
            orientation: Orientation::R0,
            columns: columns as u8,
            rows: rows as u8,
            coords,
            neighbours,
            lines: joined,
            runs,
        })
    }

    /// Returns the name of the board, without its orientation.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the source of the board, in the file's own words.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns by how much the board has been turned from the way its file shows it (R2).
    #[must_use]
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// Returns the number of columns, 1 to 26.
    #[must_use]
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// Returns the number of rows, 1 to 26.
    #[must_use]
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// Returns the number of points, 1 to 64.
    #[must_use]
    pub fn len(&self) -> usize {
        self.coords.len()
    }

    /// Returns `false`: a board has at least one point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.coords.is_empty()
    }

    /// Returns the points, row by row from White's bottom left.
    pub fn points(&self) -> impl DoubleEndedIterator<Item = Point> + ExactSizeIterator + use<> {
        (0..self.len()).map(Point::new)
    }

    pub(crate) fn point_set(&self) -> PointSet {
        PointSet::first(self.len())
    }

    /// Returns the column and row of a point.
    ///
    /// # Panics
    ///
    /// If the point is not on this board.
    #[must_use]
    pub fn coord(&self, point: Point) -> Coord {
        self.coords[point.index()]
    }

    /// Returns the point at a place; `None` for a hole or a place off the board.
    #[must_use]
    pub fn point_at(&self, coord: Coord) -> Option<Point> {
        self.coords.binary_search(&coord).ok().map(Point::new)
    }

    /// Returns the next point of the grid in a direction, line or no line; `None` at a hole or an
    /// edge.
    ///
    /// # Panics
    ///
    /// If the point is not on this board.
    #[must_use]
    #[inline]
    pub fn neighbour(&self, point: Point, direction: Direction) -> Option<Point> {
        self.neighbours[point.index()][direction.index()]
    }

    /// Returns the neighbour in a direction if a line joins the two (R1).
    ///
    /// # Panics
    ///
    /// If the point is not on this board.
    #[must_use]
    #[inline]
    pub fn connected(&self, point: Point, direction: Direction) -> Option<Point> {
        self.lines[point.index()].contains(direction).then(|| self.neighbour(point, direction)).flatten()
    }

    /// Returns the points of the straight run of lines from a point in a direction, up to the first
    /// one of `stop` and with it: what a long leg reaches there, if it ends at the points of `stop`
    /// (R5).
    ///
    /// # Panics
    ///
    /// If the point is not on this board.
    #[inline]
    pub(crate) fn run(&self, point: Point, direction: Direction, stop: PointSet) -> PointSet {
        let run = self.runs[point.index()][direction.index()].0;
        let met = run & stop.0;
        // Points are numbered row by row, so those of a run rise or fall.
        PointSet(match (met, direction) {
            (0, _) => run,
            (_, Direction::Nw | Direction::N | Direction::Ne | Direction::E) => run & (met ^ (met - 1)),
            _ => run & (u64::MAX << met.ilog2()),
        })
    }

    /// Returns the directions in which lines leave a point.
    ///
    /// # Panics
    ///
    /// If the point is not on this board.
    #[must_use]
    #[inline]
    pub fn lines(&self, point: Point) -> DirectionSet {
        self.lines[point.index()]
    }

    /// Returns the lines, each once, by rising end from which it leads in one of
    /// [`Direction::HALF`]: that end, the direction, the other end.
    pub(crate) fn each_line(&self) -> impl Iterator<Item = (Point, Direction, Point)> + '_ {
        self.points().flat_map(move |from| {
            Direction::HALF.into_iter().filter_map(move |d| Some((from, d, self.connected(from, d)?)))
        })
    }

    /// Returns the number of lines; each counts once.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.lines.iter().map(|set| set.len()).sum::<usize>() / 2
    }

    /// Returns the board turned clockwise by a further angle (R2).
    #[must_use]
    pub fn turned(&self, by: Orientation) -> Board {
        Board { orientation: self.orientation.then(by), ..self.image(Symmetry::from(by)) }
    }

    /// Returns the board with its points and lines as they are, as one that has been turned by an
    /// angle.
    pub(crate) fn lying_at(self, orientation: Orientation) -> Board {
        Board { orientation, ..self }
    }

    /// Returns the board under a rotation or reflection, with the orientation left as it was.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Board {
        let size = (self.columns, self.rows);
        let points = self.coords.iter().map(|&c| symmetry.coord(c, size));
        let lines = self.points().flat_map(|p| {
            let from = symmetry.coord(self.coord(p), size);
            self.lines(p).iter().map(move |d| (from, symmetry.direction(d)))
        });
        let image = Board::new(self.name.clone(), self.source.clone(), points, lines.collect::<Vec<_>>())
            .expect("the image of a board is a board");
        Board { orientation: self.orientation, ..image }
    }

    /// Returns `true` if points and lines are the same; names, sources and orientations may differ.
    #[must_use]
    pub fn same_shape(&self, other: &Board) -> bool {
        self.coords == other.coords && self.lines == other.lines
    }

    /// Returns the board as a picture of the board file format.
    ///
    /// ```
    /// use pods::material::board_from_toml;
    /// let board = board_from_toml("x.toml", "name = 'x'\nsource = 'doc'\npoints = '''\no-o\n|X\no o\n'''").unwrap();
    /// assert_eq!(board.picture(), "o-o\n|X\no o\n");
    /// ```
    #[must_use]
    pub fn picture(&self) -> String {
        let (width, height) = (self.columns as usize * 2 - 1, self.rows as usize * 2 - 1);
        let mut cells = vec![vec![' '; width]; height];
        for point in self.points() {
            let Coord { row, column } = self.coord(point);
            let (x, y) = (column as usize * 2, height - 1 - row as usize * 2);
            cells[y][x] = 'o';
            for direction in self.lines(point).iter() {
                let (right, up) = direction.delta();
                let cell =
                    &mut cells[y.wrapping_add_signed(-isize::from(up))][x.wrapping_add_signed(isize::from(right))];
                let stroke = match direction {
                    Direction::N | Direction::S => '|',
                    Direction::E | Direction::W => '-',
                    Direction::Ne | Direction::Sw => '/',
                    Direction::Se | Direction::Nw => '\\',
                };
                *cell = if *cell == ' ' || *cell == stroke { stroke } else { 'X' };
            }
        }
        let mut picture = String::new();
        for line in cells {
            picture.push_str(line.into_iter().collect::<String>().trim_end());
            picture.push('\n');
        }
        picture
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "board {} turned by {}°\n{}", self.name, self.orientation, self.picture())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::material::{BUILTIN_BOARDS, builtin_board};

    proptest! {
        #[test]
        fn a_run_ends_at_the_first_point_of_the_set(board in 0..BUILTIN_BOARDS.len(), stop: u64, more: u64) {
            let board = builtin_board(BUILTIN_BOARDS[board].0).unwrap();
            for stop in [0, stop, stop & more, stop | more, u64::MAX].map(PointSet) {
                for (from, direction) in board.points().flat_map(|point| Direction::ALL.map(|d| (point, d))) {
                    let mut reached = PointSet::EMPTY;
                    let mut next = board.connected(from, direction);
                    while let Some(point) = next {
                        reached.insert(point);
                        next = board.connected(point, direction).filter(|_| !stop.contains(point));
                    }
                    prop_assert_eq!(board.run(from, direction, stop), reached, "{:?} {}", from, direction);
                }
            }
        }
    }
}
