//! Contents of board and pod files, for people and for programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::geometry::{Direction, Orientation, Point, PointSet, Symmetry};
use crate::material::{Board, PodSet, has_every_line, pods_of_the_template, symmetries};

/// Points of the real board (R1).
const REAL_POINTS: usize = 36;

/// The real game's pods (R3): the number of legs, how many such pods there are, and their name.
const REAL_PODS: [(usize, usize, &str); 5] =
    [(2, 2, "bipods"), (3, 3, "tripods"), (4, 6, "quadripods"), (6, 2, "hexapods"), (8, 1, "octopods")];

/// The strokes of a picture, by the first of their directions.
const STROKES: [(Direction, char); 4] =
    [(Direction::E, '-'), (Direction::N, '|'), (Direction::Se, '\\'), (Direction::Ne, '/')];

/// Contents of a file. Fields that do not apply to its kind are `None`.
#[derive(Debug, Default, Serialize)]
pub struct Found {
    file: String,
    kind: &'static str,
    name: String,
    source: String,
    points: Option<usize>,
    columns: Option<u8>,
    rows: Option<u8>,
    lines: Option<usize>,
    symmetries: Option<Vec<String>>,
    pods: Option<usize>,
    /// Number of pods by number of legs.
    legs: Option<BTreeMap<usize, usize>>,
    differences: Vec<String>,
    warnings: Vec<String>,
    /// Number of lines of each stroke.
    strokes: Option<BTreeMap<char, usize>>,
    /// The directions of the lines at each point.
    lines_by_point: Option<BTreeMap<String, Vec<&'static str>>>,
    /// The pods, each with its short and its long legs.
    legs_by_pod: Option<Vec<PodLegs>>,
    /// Points where the bipods can be placed first, by orientation.
    openings: Option<BTreeMap<u16, String>>,
    /// For people: the number of lines at each point, laid out as the points of the board.
    #[serde(skip)]
    picture: Vec<String>,
}

#[derive(Debug, Serialize)]
struct PodLegs {
    id: char,
    name: String,
    count: u8,
    short: Vec<&'static str>,
    long: Vec<&'static str>,
}

/// The columns of a table of what was found.
pub const FOUND_HEADER: [&str; 17] = [
    "file",
    "kind",
    "name",
    "source",
    "points",
    "columns",
    "rows",
    "lines",
    "symmetries",
    "pods",
    "legs",
    "differences",
    "warnings",
    "strokes",
    "lines_by_point",
    "legs_by_pod",
    "openings",
];

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

impl Found {
    /// Returns the facts about a board; `file` is where it comes from.
    #[must_use]
    pub fn board(file: &str, board: &Board) -> Found {
        let symmetries: Vec<Symmetry> = symmetries(board).into_iter().map(|s| s.symmetry).collect();
        let mut differences = Vec::new();
        if board.len() != REAL_POINTS {
            differences.push(format!("{} instead of {REAL_POINTS}", count(board.len(), "point")));
        }
        if symmetries.contains(&Symmetry::from(Orientation::R90)) {
            differences.push("a turn by 90° changes nothing".to_owned());
        }
        let mut warnings = Vec::new();
        let name = |point: Point| board.coord(point).to_string();
        let isolated: Vec<String> = board.points().filter(|&p| board.lines(p).is_empty()).map(name).collect();
        if !isolated.is_empty() {
            warnings.push(format!("no line leads to {}", isolated.join(", ")));
        }
        let parts = parts(board);
        if parts > 1 {
            warnings.push(format!("the lines leave the board in {parts} separate parts"));
        }
        if has_every_line(board) {
            warnings.push(
                "every line is drawn, as `pods new board` writes it: delete those that your board does not have"
                    .to_owned(),
            );
        }
        let with = |direction| board.points().filter(|&p| board.lines(p).contains(direction)).count();
        let lines = |p: Point| (name(p), board.lines(p).iter().map(Direction::name).collect());
        Found {
            file: file.to_owned(),
            kind: "board",
            name: board.name().to_owned(),
            source: board.source().to_owned(),
            points: Some(board.len()),
            columns: Some(board.columns()),
            rows: Some(board.rows()),
            lines: Some(board.line_count()),
            symmetries: Some(symmetries.iter().map(Symmetry::to_string).collect()),
            strokes: Some(STROKES.map(|(direction, stroke)| (stroke, with(direction))).into()),
            lines_by_point: Some(board.points().map(lines).collect()),
            picture: numbers(board),
            differences,
            warnings,
            ..Found::default()
        }
    }

    /// Returns the facts about a pod set; `file` is where it comes from.
    #[must_use]
    pub fn pods(file: &str, pods: &PodSet) -> Found {
        let mut legs: BTreeMap<usize, usize> = BTreeMap::new();
        for kind in pods.kinds() {
            *legs.entry(pods.legs(kind).count()).or_default() += pods.spec(kind).count as usize;
        }
        let mut differences = Vec::new();
        for (number, real, name) in REAL_PODS {
            let here = legs.get(&number).copied().unwrap_or(0);
            if here != real {
                differences.push(format!("{name}: {here} instead of {real}"));
            }
        }
        for (&number, &here) in legs.iter().filter(|(legs, _)| REAL_PODS.iter().all(|(real, ..)| real != *legs)) {
            differences.push(format!("{} with {}", count(here, "pod"), count(number, "leg")));
        }
        for kind in pods.kinds() {
            let same = |other| pods.legs(kind) == pods.legs(other);
            if let Some(other) = pods.kinds().take_while(|&other| other != kind).find(|&other| same(other)) {
                differences.push(format!("{} and {} have the same legs", pods.id(other), pods.id(kind)));
            }
            if pods.spec(kind).count > 1 {
                differences.push(format!("{} is there {} times", pods.id(kind), pods.spec(kind).count));
            }
        }
        let mut warnings = Vec::new();
        if !legs.contains_key(&2) {
            warnings.push("no bipod to open with (R9): play it with opening=any".to_owned());
        }
        let made_up: Vec<String> =
            pods_of_the_template(pods).into_iter().map(|kind| pods.id(kind).to_string()).collect();
        if !made_up.is_empty() {
            let (number, ids) = (count(made_up.len(), "pod"), made_up.join(" "));
            warnings.push(format!(
                "{number} with the made-up legs of `pods new pods`, to be replaced by those of yours: {ids}"
            ));
        }
        let legs_by_pod = pods.kinds().map(|kind| {
            let (spec, legs) = (pods.spec(kind), pods.legs(kind));
            let [short, long] = [legs.short(), legs.long()].map(|set| set.iter().map(Direction::name).collect());
            PodLegs { id: spec.id, name: spec.name.clone(), count: spec.count, short, long }
        });
        Found {
            file: file.to_owned(),
            kind: "pods",
            name: pods.name().to_owned(),
            source: pods.source().to_owned(),
            pods: Some(legs.values().sum()),
            legs_by_pod: Some(legs_by_pod.collect()),
            legs: Some(legs),
            differences,
            warnings,
            ..Found::default()
        }
    }

    /// Returns the facts about a board and a pod set together.
    pub(super) fn together(
        [board, pods]: [&str; 2],
        openings: Vec<(Orientation, String)>,
        warnings: Vec<String>,
    ) -> Found {
        let openings = openings.into_iter().map(|(orientation, places)| (orientation.degrees(), places));
        Found {
            file: format!("{board} with {pods}"),
            kind: "setup",
            openings: Some(openings.collect()),
            warnings,
            ..Found::default()
        }
    }

    /// Writes the facts for people.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: {}{}{}", self.file, self.kind, if self.name.is_empty() { "" } else { " " }, self.name)?;
        let mut lines = Vec::new();
        if self.kind != "setup" {
            lines.push(("source", self.source.clone()));
        }
        if let (Some(points), Some(columns), Some(rows)) = (self.points, self.columns, self.rows) {
            let spread = format!("{} and {}", count(columns.into(), "column"), count(rows.into(), "row"));
            lines.push(("points", format!("{points} in {spread}")));
        }
        if let (Some(number), Some(strokes)) = (self.lines, &self.strokes) {
            let strokes = STROKES.map(|(_, stroke)| format!("{} {stroke}", strokes.get(&stroke).unwrap_or(&0)));
            lines.push(("lines", format!("{number}: {}", strokes.join("  "))));
        }
        lines.extend(self.symmetries.as_ref().map(|symmetries| ("symmetries", symmetries.join(", "))));
        lines.extend(self.pods.map(|pods| ("pods", pods.to_string())));
        if let Some(legs) = &self.legs {
            let legs = legs.iter().map(|(legs, pods)| format!("{pods} with {}", count(*legs, "leg")));
            lines.push(("legs", legs.collect::<Vec<_>>().join(", ")));
        }
        for (degrees, places) in self.openings.iter().flatten() {
            let places = if places.is_empty() { "-" } else { places };
            lines.push(("opening", format!("{:>4} {places}", format!("{degrees}°"))));
        }
        let real = match (self.differences.as_slice(), self.kind) {
            (_, "setup") => None,
            ([], "board") => Some("as many points; its lines are not known".to_owned()),
            ([], _) => Some("as many pods with each number of legs; the legs are not known".to_owned()),
            (differences, _) => Some(differences.join("; ")),
        };
        lines.extend(real.map(|real| ("real game", real)));
        lines.extend(self.warnings.iter().map(|warning| ("warning", warning.clone())));
        for (label, value) in lines {
            writeln!(out, "  {label:<10}  {value}")?;
        }
        if !self.picture.is_empty() {
            writeln!(out, "  lines at each point")?;
            for line in &self.picture {
                writeln!(out, "    {line}")?;
            }
        }
        if let Some(pods) = &self.legs_by_pod {
            write_pods(out, pods)?;
        }
        Ok(())
    }

    /// Returns a row of a table with the columns [`FOUND_HEADER`].
    #[must_use]
    pub fn row(self) -> Vec<String> {
        fn cell(value: Option<impl ToString>) -> String {
            value.map_or(String::new(), |value| value.to_string())
        }
        fn join(cells: impl Iterator<Item = String>) -> String {
            cells.collect::<Vec<_>>().join(" ")
        }
        let pod = |pod: PodLegs| {
            let long = pod.long.iter().map(|direction| direction.to_uppercase());
            let legs: Vec<String> = pod.short.iter().map(|leg| (*leg).to_owned()).chain(long).collect();
            format!("{}:{}", pod.id, legs.join("+"))
        };
        let openings = self.openings.map(|all| {
            let openings = all.iter().map(|(degrees, places)| format!("{degrees}: {places}"));
            openings.collect::<Vec<_>>().join("; ")
        });
        vec![
            self.file,
            self.kind.to_owned(),
            self.name,
            self.source,
            cell(self.points),
            cell(self.columns),
            cell(self.rows),
            cell(self.lines),
            cell(self.symmetries.map(|s| s.join("; "))),
            cell(self.pods),
            cell(self.legs.map(|l| join(l.iter().map(|(legs, pods)| format!("{legs}:{pods}"))))),
            self.differences.join("; "),
            self.warnings.join("; "),
            cell(self.strokes.map(|s| join(s.iter().map(|(stroke, number)| format!("{stroke}:{number}"))))),
            cell(self.lines_by_point.map(|l| join(l.iter().map(|(point, lines)| format!("{point}:{}", lines.len()))))),
            cell(self.legs_by_pod.map(|pods| join(pods.into_iter().map(pod)))),
            cell(openings),
        ]
    }
}

/// Writes the legs of each pod, as the owner sees them.
fn write_pods(out: &mut dyn Write, pods: &[PodLegs]) -> io::Result<()> {
    let names = pods.iter().map(|pod| pod.name.chars().count()).max().unwrap_or(0);
    let shorts = pods.iter().map(|pod| pod.short.join(" ").len()).max().unwrap_or(0).max(1);
    writeln!(out, "  legs of each pod, as its owner sees it")?;
    for pod in pods {
        let or_none = |legs: &[&str]| if legs.is_empty() { "-".to_owned() } else { legs.join(" ") };
        let times = if pod.count > 1 { format!("  ({} of it)", pod.count) } else { String::new() };
        let (short, long) = (or_none(&pod.short), or_none(&pod.long).to_uppercase());
        writeln!(out, "    {}  {:names$}  short {short:shorts$}  long {long}{times}", pod.id, pod.name)?;
    }
    let sum =
        |legs: fn(&PodLegs) -> usize| -> usize { pods.iter().map(|pod| legs(pod) * usize::from(pod.count)).sum() };
    let (short, long) = (sum(|pod| pod.short.len()), sum(|pod| pod.long.len()));
    writeln!(out, "    in all {short} short and {long} long legs")
}

/// Returns the number of lines at each point, laid out as the points of the board, with the names
/// of rows and columns.
fn numbers(board: &Board) -> Vec<String> {
    let width = board.rows().to_string().len();
    let mut lines = Vec::new();
    for row in (0..board.rows()).rev() {
        let number = |column: u8| {
            let point = board.point_at(crate::geometry::Coord { row, column });
            point.map_or(' ', |point| char::from_digit(board.lines(point).len() as u32, 10).unwrap_or('?'))
        };
        let cells: Vec<String> = (0..board.columns()).map(|column| number(column).to_string()).collect();
        lines.push(format!("{:>width$}  {}", row + 1, cells.join(" ")).trim_end().to_owned());
    }
    let letters: Vec<String> =
        (b'a'..).take(board.columns().into()).map(|letter| char::from(letter).to_string()).collect();
    lines.push(format!("{:>width$}  {}", "", letters.join(" ")));
    lines
}

/// Returns the number of parts of the board that no line joins to each other.
fn parts(board: &Board) -> usize {
    let mut left = board.point_set();
    let mut parts = 0;
    while let Some(first) = left.into_iter().next() {
        parts += 1;
        let mut waiting: Vec<Point> = vec![first];
        left = left - PointSet::from(first);
        while let Some(point) = waiting.pop() {
            for next in board.lines(point).iter().filter_map(|d| board.connected(point, d)) {
                if left.contains(next) {
                    left.remove(next);
                    waiting.push(next);
                }
            }
        }
    }
    parts
}
