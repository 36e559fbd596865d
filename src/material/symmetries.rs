//! Which rotations and reflections map a board onto itself (R1, R2).

use petgraph::graphmap::UnGraphMap;

use super::Board;
use crate::geometry::{Direction, Orientation, Point, Symmetry};

/// A symmetry of a board, with the map of the points that it makes.
///
/// A game position keeps its value under it only if the pods keep theirs: a symmetry sends a pod with certain legs to
/// one whose legs are sent the same way ([`super::Legs::mapped`] with [`Symmetry::direction`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSymmetry {
    /// The rotation or reflection.
    pub symmetry: Symmetry,
    /// The image of each point, by its number.
    pub points: Vec<Point>,
}

/// The rotations and reflections that map the board onto itself; the identity is the first of them.
#[must_use]
pub fn symmetries(board: &Board) -> Vec<BoardSymmetry> {
    let size = (board.columns(), board.rows());
    Symmetry::all()
        .filter(|symmetry| symmetry.size(size) == size)
        .filter_map(|symmetry| {
            let image = |p: Point| board.point_at(symmetry.coord(board.coord(p), size));
            let points = board.points().map(image).collect::<Option<Vec<Point>>>()?;
            let kept = board.points().all(|p| {
                board.lines(p).iter().map(|d| symmetry.direction(d)).collect::<crate::geometry::DirectionSet>()
                    == board.lines(points[p.index()])
            });
            kept.then_some(BoardSymmetry { symmetry, points })
        })
        .collect()
}

/// The same by trying every symmetry on the board as a graph: its slow twin, for tests.
#[must_use]
pub fn symmetries_brute_force(board: &Board) -> Vec<Symmetry> {
    let graph = |board: &Board| {
        let mut graph = UnGraphMap::<(u8, u8), ()>::new();
        let key = |p| (board.coord(p).column, board.coord(p).row);
        for point in board.points() {
            graph.add_node(key(point));
            for direction in Direction::ALL {
                if let Some(next) = board.connected(point, direction) {
                    graph.add_edge(key(point), key(next), ());
                }
            }
        }
        let (mut nodes, mut edges): (Vec<_>, Vec<_>) =
            (graph.nodes().collect(), graph.all_edges().map(|(a, b, ())| (a.min(b), a.max(b))).collect());
        nodes.sort_unstable();
        edges.sort_unstable();
        (nodes, edges)
    };
    let original = graph(board);
    Symmetry::all().filter(|&s| graph(&board.image(s)) == original).collect()
}

impl BoardSymmetry {
    /// Whether this is the half turn.
    #[must_use]
    pub fn is_half_turn(&self) -> bool {
        self.symmetry == Symmetry::from(Orientation::R180)
    }
}
