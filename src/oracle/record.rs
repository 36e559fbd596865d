//! A game as names and plain data: what manifests and the protocol say of it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::files::shortened;
use crate::geometry::{Coord, Direction};
use crate::material::{Board, BySide, Legs, PodKind, PodSet, PodSpec, Side};
use crate::position::{Game, Hand, Setup};
use crate::rules::{OPTION_NAMES, Preset, RuleSet};

/// A board as named points and lines, as it lies (R1, R2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardRecord {
    /// The points by name, row by row from White's bottom left.
    pub points: Vec<String>,
    /// The lines, each once, by the names of its two ends.
    pub lines: Vec<[String; 2]>,
    /// Number of columns.
    pub columns: u8,
    /// Number of rows.
    pub rows: u8,
}

/// A kind of pod (R3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PodRecord {
    /// One letter from a to z.
    pub id: char,
    /// The legs as the owner sees them: lower case short, upper case long.
    pub legs: String,
    /// Number of these that each player has.
    #[serde(default = "one")]
    pub count: u8,
}

const fn one() -> u8 {
    1
}

/// Everything that stays the same from the first action to the last, and the hands that the game
/// starts with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The board as it lies.
    pub board: BoardRecord,
    /// The pods, by rising id.
    pub pods: Vec<PodRecord>,
    /// Each rule option by name.
    pub rules: BTreeMap<String, String>,
    /// White's hand at the start, as in a position's text.
    pub white_hand: String,
    /// Black's hand at the start.
    pub black_hand: String,
}

impl BoardRecord {
    /// Returns the record of a board.
    #[must_use]
    pub fn of(board: &Board) -> BoardRecord {
        let name = |point| board.coord(point).to_string();
        let lines = board.each_line().map(|(from, _, to)| [name(from), name(to)]);
        BoardRecord {
            points: board.points().map(name).collect(),
            lines: lines.collect(),
            columns: board.columns(),
            rows: board.rows(),
        }
    }

    /// Returns the board.
    ///
    /// # Errors
    ///
    /// If points and lines do not make one, or columns and rows are not those of the points.
    pub fn board(&self) -> Result<Board, String> {
        let coord = |name: &str| {
            let no_point = || format!("{:?} is no name of a point, such as c4 (R1)", shortened(name));
            Coord::parse(name).ok_or_else(no_point)
        };
        let mut points = Vec::new();
        for name in &self.points {
            let point = coord(name)?;
            if points.contains(&point) {
                return Err(format!("the point {name} is given twice (R1)"));
            }
            points.push(point);
        }
        let (mut lines, mut given) = (Vec::new(), BTreeSet::new());
        for [from, to] in &self.lines {
            let (start, end) = (coord(from)?, coord(to)?);
            let direction = Direction::ALL.into_iter().find(|&direction| start.step(direction) == Some(end));
            let direction = direction
                .ok_or_else(|| format!("a line joins {from} and {to}, which are not neighbours on the grid (R1)"))?;
            if !given.insert((start.min(end), start.max(end))) {
                return Err(format!("the line from {from} to {to} is given twice (R1)"));
            }
            lines.push((start, direction));
        }
        let board = Board::new("given", "given point by point", points.iter().copied(), lines)
            .map_err(|error| error.to_string())?;
        if (board.columns(), board.rows()) != (self.columns, self.rows) || board.coord(first(&board)) != lowest(&points)
        {
            return Err(format!(
                "the points fill {} columns and {} rows, which have to begin at column a and row 1; given are columns {} \
                 and rows {}",
                board.columns(),
                board.rows(),
                self.columns,
                self.rows
            ));
        }
        Ok(board)
    }
}

fn first(board: &Board) -> crate::geometry::Point {
    board.points().next().expect("a board has a point")
}

fn lowest(points: &[Coord]) -> Coord {
    *points.iter().min().expect("a board has a point")
}

impl GameRecord {
    /// Returns the record of a setup.
    #[must_use]
    pub fn of(setup: &Setup) -> GameRecord {
        let game = setup.game();
        let pods = game.pods();
        let BySide { white, black } = setup.hand_texts();
        let record = |kind: PodKind| {
            let spec = pods.spec(kind);
            PodRecord { id: spec.id, legs: spec.legs.to_string(), count: spec.count }
        };
        let option = |name: &&str| ((*name).to_owned(), game.rules().value(name).unwrap_or_default().to_owned());
        GameRecord {
            board: BoardRecord::of(game.board()),
            pods: pods.kinds().map(record).collect(),
            rules: OPTION_NAMES.iter().map(option).collect(),
            white_hand: white,
            black_hand: black,
        }
    }

    /// Returns the setup.
    ///
    /// # Errors
    ///
    /// If a part is not valid: the first cause, with the clause.
    pub fn setup(&self) -> Result<Setup, String> {
        let board = self.board.board().map_err(|cause| format!("board: {cause}"))?;
        let mut specs = Vec::new();
        for pod in &self.pods {
            let legs: Legs = pod.legs.parse().map_err(|cause| format!("pod {:?}: {cause}", pod.id))?;
            specs.push(PodSpec { id: pod.id, name: String::new(), legs, count: pod.count });
        }
        let pods = PodSet::new("given", "given pod by pod", specs).map_err(|error| format!("pods: {error}"))?;
        let rules = self.rule_set().map_err(|cause| format!("rules: {cause}"))?;
        let hand = |text: &str, name: &str| Hand::parse(text, &pods).map_err(|cause| format!("{name}: {cause}"));
        let (white, black) = (hand(&self.white_hand, "white_hand")?, hand(&self.black_hand, "black_hand")?);
        let setup = Setup::new(Game::new(board, pods, rules), [white, black]);
        setup.start(Side::White).map_err(|error| error.to_string())?;
        Ok(setup)
    }

    /// Returns the rule set: by the name of the first preset that has the same options, if one has.
    fn rule_set(&self) -> Result<RuleSet, String> {
        if let Some(missing) = OPTION_NAMES.iter().find(|name| !self.rules.contains_key(**name)) {
            return Err(format!("the option {missing} is missing: all ten are given by name"));
        }
        let mut rules = RuleSet::from(Preset::Standard);
        for (name, value) in &self.rules {
            rules = rules.with(name, value).map_err(|error| error.to_string())?;
        }
        Ok(rules.shortest())
    }
}
