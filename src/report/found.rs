//! Contents of board and pod files, for people and for programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::files::{Cell, count, escaped, record};
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

record! {
    /// Contents of a file. What does not apply to its kind is empty.
    #[derive(Debug, Default)]
    pub struct FoundRecord {
        /// The file, or the name of what is built in.
        file: String,
        /// `board`, `pods`, or `setup` for a board and pods together.
        kind: &'static str,
        /// The name in the file.
        name: String,
        /// Origin of its content, as the file says.
        source: String,
        /// Points of the board.
        points: Option<usize>,
        /// Columns of the board.
        columns: Option<u8>,
        /// Rows of the board.
        rows: Option<u8>,
        /// Lines of the board.
        lines: Option<usize>,
        /// Turns and mirrors that change nothing.
        symmetries: Option<Phrases>,
        /// Pods of each player.
        pods: Option<usize>,
        /// Number of pods by number of legs.
        legs: Option<BTreeMap<usize, usize>>,
        /// Differences from what is known of the real game.
        differences: Phrases,
        /// Likely mistakes.
        warnings: Phrases,
        /// Number of lines by the stroke that draws them.
        strokes: Option<BTreeMap<char, usize>>,
        /// Lines at each point: their directions.
        lines_by_point: Option<BTreeMap<String, Directions>>,
        /// The pods, each with its short and its long legs, the long ones in capitals in CSV, where the
        /// number of pods follows the letter if there are several.
        legs_by_pod: Option<Vec<PodLegs>>,
        /// Points where the bipods can be placed first, by degrees of turn.
        openings: Option<Places>,
    }
}

/// Contents of a file, for people and for programs.
#[derive(Debug, Default)]
pub struct Found {
    /// The columns.
    pub record: FoundRecord,
    /// The number of lines at each point, laid out as the points of the board.
    picture: Vec<String>,
}

/// Phrases; in CSV with a semicolon between them.
#[derive(Debug, Default, Serialize)]
struct Phrases(Vec<String>);

impl Cell for Phrases {
    fn kind() -> String {
        "list".to_owned()
    }

    fn cell(&self) -> String {
        self.0.join("; ")
    }
}

/// Directions of lines.
#[derive(Debug, Serialize)]
struct Directions(Vec<&'static str>);

impl Cell for Directions {
    fn kind() -> String {
        "list".to_owned()
    }

    fn cell(&self) -> String {
        self.0.join("+")
    }
}

#[derive(Debug, Serialize)]
struct Places(BTreeMap<u16, String>);

impl Cell for Places {
    fn kind() -> String {
        "map".to_owned()
    }

    fn cell(&self) -> String {
        self.0.iter().map(|(degrees, places)| format!("{degrees}: {places}")).collect::<Vec<_>>().join("; ")
    }
}

#[derive(Debug, Serialize)]
struct PodLegs {
    id: char,
    name: String,
    count: u8,
    short: Vec<&'static str>,
    long: Vec<&'static str>,
}

impl Cell for PodLegs {
    fn kind() -> String {
        "text".to_owned()
    }

    fn cell(&self) -> String {
        let long = self.long.iter().map(|direction| direction.to_uppercase());
        let legs: Vec<String> = self.short.iter().map(|leg| (*leg).to_owned()).chain(long).collect();
        let count = if self.count > 1 { self.count.to_string() } else { String::new() };
        format!("{}{count}:{}", self.id, legs.join("+"))
    }
}

impl Found {
    /// Returns the facts about a board; `file` is where it comes from.
    #[must_use]
    pub(crate) fn board(file: &str, board: &Board) -> Found {
        let symmetries: Vec<Symmetry> = symmetries(board).into_iter().map(|s| s.symmetry).collect();
        let mut differences = Vec::new();
        if board.len() != REAL_POINTS {
            differences.push(format!("{} instead of {REAL_POINTS}", count(board.len() as u64, "point")));
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
        let lines = |p: Point| (name(p), Directions(board.lines(p).iter().map(Direction::name).collect()));
        let record = FoundRecord {
            file: file.to_owned(),
            kind: "board",
            name: board.name().to_owned(),
            source: board.source().to_owned(),
            points: Some(board.len()),
            columns: Some(board.columns()),
            rows: Some(board.rows()),
            lines: Some(board.line_count()),
            symmetries: Some(Phrases(symmetries.iter().map(Symmetry::to_string).collect())),
            strokes: Some(STROKES.map(|(direction, stroke)| (stroke, with(direction))).into()),
            lines_by_point: Some(board.points().map(lines).collect()),
            differences: Phrases(differences),
            warnings: Phrases(warnings),
            ..FoundRecord::default()
        };
        Found { record, picture: numbers(board) }
    }

    /// Returns the facts about a pod set; `file` is where it comes from.
    #[must_use]
    pub(crate) fn pods(file: &str, pods: &PodSet) -> Found {
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
            differences.push(format!("{} with {}", count(here as u64, "pod"), count(number as u64, "leg")));
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
            let (number, ids) = (count(made_up.len() as u64, "pod"), made_up.join(" "));
            warnings.push(format!(
                "{number} with the made-up legs of `pods new pods`, to be replaced by those of yours: {ids}"
            ));
        }
        let legs_by_pod = pods.kinds().map(|kind| {
            let (spec, legs) = (pods.spec(kind), pods.legs(kind));
            let [short, long] = [legs.short(), legs.long()].map(|set| set.iter().map(Direction::name).collect());
            PodLegs { id: spec.id, name: spec.name.clone(), count: spec.count, short, long }
        });
        let record = FoundRecord {
            file: file.to_owned(),
            kind: "pods",
            name: pods.name().to_owned(),
            source: pods.source().to_owned(),
            pods: Some(legs.values().sum()),
            legs_by_pod: Some(legs_by_pod.collect()),
            legs: Some(legs),
            differences: Phrases(differences),
            warnings: Phrases(warnings),
            ..FoundRecord::default()
        };
        Found { record, picture: Vec::new() }
    }

    /// Returns the facts about a board and a pod set together.
    pub(super) fn together(
        [board, pods]: [&str; 2],
        openings: Vec<(Orientation, String)>,
        warnings: Vec<String>,
    ) -> Found {
        let openings = openings.into_iter().map(|(orientation, places)| (orientation.degrees(), places));
        let record = FoundRecord {
            file: format!("{board} with {pods}"),
            kind: "setup",
            openings: Some(Places(openings.collect())),
            warnings: Phrases(warnings),
            ..FoundRecord::default()
        };
        Found { record, picture: Vec::new() }
    }

    /// Writes the facts for people.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub(crate) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let of = &self.record;
        // Names and sources are of a file, and may have line feeds that would make lines of the answer.
        let (file, name) = (escaped(&of.file), escaped(&of.name));
        writeln!(out, "{file}: {}{}{name}", of.kind, if name.is_empty() { "" } else { " " })?;
        let mut lines = Vec::new();
        if of.kind != "setup" {
            lines.push(("source", of.source.clone()));
        }
        if let (Some(points), Some(columns), Some(rows)) = (of.points, of.columns, of.rows) {
            let spread = format!("{} and {}", count(columns, "column"), count(rows, "row"));
            lines.push(("points", format!("{points} in {spread}")));
        }
        if let (Some(number), Some(strokes)) = (of.lines, &of.strokes) {
            let strokes = STROKES.map(|(_, stroke)| format!("{} {stroke}", strokes.get(&stroke).unwrap_or(&0)));
            lines.push(("lines", format!("{number}: {}", strokes.join("  "))));
        }
        lines.extend(of.symmetries.as_ref().map(|symmetries| ("symmetries", symmetries.0.join(", "))));
        lines.extend(of.pods.map(|pods| ("pods", pods.to_string())));
        if let Some(legs) = &of.legs {
            let legs = legs.iter().map(|(legs, pods)| format!("{pods} with {}", count(*legs as u64, "leg")));
            lines.push(("legs", legs.collect::<Vec<_>>().join(", ")));
        }
        for (degrees, places) in of.openings.iter().flat_map(|openings| &openings.0) {
            let places = if places.is_empty() { "-" } else { places };
            lines.push(("opening", format!("{:>4} {places}", format!("{degrees}°"))));
        }
        let real = match (of.differences.0.as_slice(), of.kind) {
            (_, "setup") => None,
            ([], "board") => Some("as many points; its lines are not known".to_owned()),
            ([], _) => Some("as many pods with each number of legs; the legs are not known".to_owned()),
            (differences, _) => Some(differences.join("; ")),
        };
        lines.extend(real.map(|real| ("real game", real)));
        lines.extend(of.warnings.0.iter().map(|warning| ("warning", warning.clone())));
        for (label, value) in lines {
            writeln!(out, "  {label:<10}  {}", escaped(&value))?;
        }
        if !self.picture.is_empty() {
            writeln!(out, "  lines at each point")?;
            for line in &self.picture {
                writeln!(out, "    {line}")?;
            }
        }
        if let Some(pods) = &of.legs_by_pod {
            write_pods(out, pods)?;
        }
        Ok(())
    }
}

/// Writes the legs of each pod, as the owner sees them.
fn write_pods(out: &mut dyn Write, pods: &[PodLegs]) -> io::Result<()> {
    let names: Vec<String> = pods.iter().map(|pod| escaped(&pod.name)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let shorts = pods.iter().map(|pod| pod.short.join(" ").len()).max().unwrap_or(0).max(1);
    writeln!(out, "  legs of each pod, as its owner sees it")?;
    for (pod, name) in pods.iter().zip(&names) {
        let or_none = |legs: &[&str]| if legs.is_empty() { "-".to_owned() } else { legs.join(" ") };
        let times = if pod.count > 1 { format!("  ({} of it)", pod.count) } else { String::new() };
        let (short, long) = (or_none(&pod.short), or_none(&pod.long).to_uppercase());
        writeln!(out, "    {}  {name:longest$}  short {short:shorts$}  long {long}{times}", pod.id)?;
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
