//! Boards and pods as names and plain data, as files and the protocol have them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Board, LegsError, PodSet, PodSpec};
use crate::files::shortened;
use crate::geometry::{Coord, Direction, Orientation};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardData {
    pub name: String,
    pub source: String,
    /// By how much the board was turned; the points and lines are those after the turn.
    pub orientation: u16,
    /// The points by name, row by row from White's bottom left.
    pub points: Vec<String>,
    /// The lines, each once, by the names of their ends; sorted.
    pub lines: Vec<[String; 2]>,
}

impl From<Board> for BoardData {
    fn from(board: Board) -> BoardData {
        let mut lines = board.line_names();
        lines.sort();
        BoardData {
            name: board.name().to_owned(),
            source: board.source().to_owned(),
            orientation: board.orientation().degrees(),
            points: board.point_names(),
            lines,
        }
    }
}

impl TryFrom<BoardData> for Board {
    type Error = String;

    fn try_from(data: BoardData) -> Result<Board, String> {
        let orientation =
            Orientation::from_degrees(data.orientation).ok_or("the orientation is one of 0, 90, 180, 270")?;
        Ok(Board::of_names(&data.name, &data.source, &data.points, &data.lines)?.lying_at(orientation))
    }
}

impl Board {
    /// Returns the names of the points, row by row from White's bottom left (R1).
    pub(crate) fn point_names(&self) -> Vec<String> {
        self.points().map(|point| self.coord(point).to_string()).collect()
    }

    /// Returns the lines, each once, by the names of their ends.
    pub(crate) fn line_names(&self) -> Vec<[String; 2]> {
        self.each_line().map(|(from, _, to)| [from, to].map(|point| self.coord(point).to_string())).collect()
    }

    /// Returns the board with these points and lines, by name.
    ///
    /// # Errors
    ///
    /// If a name is none of a point, something is given twice, a line joins no neighbours, or they
    /// do not make a board.
    pub(crate) fn of_names(
        name: &str,
        source: &str,
        points: &[String],
        lines: &[[String; 2]],
    ) -> Result<Board, String> {
        let coord = |name: &str| {
            let no_point = || format!("{:?} is no name of a point, such as c4 (R1)", shortened(name));
            name.parse::<Coord>().map_err(|_| no_point())
        };
        let mut coords = Vec::new();
        for name in points {
            let point = coord(name)?;
            if coords.contains(&point) {
                return Err(format!("the point {name} is given twice (R1)"));
            }
            coords.push(point);
        }
        let (mut joined, mut given) = (Vec::new(), BTreeSet::new());
        for [from, to] in lines {
            let (start, end) = (coord(from)?, coord(to)?);
            let direction = Direction::ALL.into_iter().find(|&direction| start.step(direction) == Some(end));
            let direction = direction
                .ok_or_else(|| format!("a line joins {from} and {to}, which are not neighbours on the grid (R1)"))?;
            if !given.insert((start.min(end), start.max(end))) {
                return Err(format!("the line from {from} to {to} is given twice (R1)"));
            }
            joined.push((start, direction));
        }
        Board::new(name, source, coords, joined).map_err(|error| error.to_string())
    }
}

/// A kind of pod as files have it (R3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PodData {
    /// One letter from a to z.
    pub id: char,
    pub name: String,
    /// The legs as the owner sees them: lower case short, upper case long.
    pub legs: String,
    /// Number of these that each player has.
    pub count: u8,
}

/// A pod set as certificates and serde have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PodsData {
    pub name: String,
    pub source: String,
    /// The kinds, by rising id.
    pub kinds: Vec<PodData>,
}

impl From<PodSet> for PodsData {
    fn from(pods: PodSet) -> PodsData {
        PodsData { name: pods.name().to_owned(), source: pods.source().to_owned(), kinds: pods.data() }
    }
}

impl TryFrom<PodsData> for PodSet {
    type Error = String;

    fn try_from(data: PodsData) -> Result<PodSet, String> {
        PodSet::of_data(&data.name, &data.source, &data.kinds)
    }
}

impl PodSet {
    /// Returns the kinds, by rising id.
    pub(crate) fn data(&self) -> Vec<PodData> {
        let data = |kind| {
            let PodSpec { id, name, legs, count } = self.spec(kind).clone();
            PodData { id, name, legs: legs.to_string(), count }
        };
        self.kinds().map(data).collect()
    }

    /// Returns the set of these kinds.
    ///
    /// # Errors
    ///
    /// If legs cannot be read, or the kinds make no set.
    pub(crate) fn of_data(name: &str, source: &str, kinds: &[PodData]) -> Result<PodSet, String> {
        let spec = |PodData { id, name, legs, count }: &PodData| {
            let legs = legs.parse().map_err(|error: LegsError| format!("the legs of pod {id}: {error}"))?;
            Ok(PodSpec { id: *id, name: name.clone(), legs, count: *count })
        };
        let specs = kinds.iter().map(spec).collect::<Result<Vec<_>, String>>()?;
        PodSet::new(name, source, specs).map_err(|error| error.to_string())
    }
}
