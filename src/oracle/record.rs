//! A game as names and plain data: what manifests and the protocol say of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::material::{Board, BySide, Legs, PodKind, PodSet, PodSpec, Side};
use crate::position::{Game, Hand, Setup};
use crate::rules::{Preset, RULE_OPTIONS, RuleSet};

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
    pub(crate) fn of(board: &Board) -> BoardRecord {
        BoardRecord {
            points: board.point_names(),
            lines: board.line_names(),
            columns: board.columns(),
            rows: board.rows(),
        }
    }

    /// Returns the board.
    ///
    /// # Errors
    ///
    /// If points and lines do not make one, or columns and rows are not those of the points.
    pub(crate) fn board(&self) -> Result<Board, String> {
        let board = Board::of_names("given", "given point by point", &self.points, &self.lines)?;
        let is_there = |name: &String| self.points.contains(name);
        if (board.columns(), board.rows()) != (self.columns, self.rows) || !board.point_names().iter().all(is_there) {
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

impl GameRecord {
    pub(crate) fn of(setup: &Setup) -> GameRecord {
        let game = setup.game();
        let pods = game.pods();
        let BySide { white, black } = setup.hand_texts();
        let record = |kind: PodKind| {
            let spec = pods.spec(kind);
            PodRecord { id: spec.id, legs: spec.legs.to_string(), count: spec.count }
        };
        GameRecord {
            board: BoardRecord::of(game.board()),
            pods: pods.kinds().map(record).collect(),
            rules: game.rules().values().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
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
        // Sets from before an option stay valid.
        let is_missing = |name| !self.rules.contains_key(name);
        if let Some(missing) = RULE_OPTIONS.iter().find(|option| option.always_listed && is_missing(option.name)) {
            return Err(format!("the option {} is missing: all options are given by name", missing.name));
        }
        let mut rules = RuleSet::from(Preset::Standard);
        for (name, value) in &self.rules {
            rules = rules.with(name, value).map_err(|error| error.to_string())?;
        }
        Ok(rules.shortest())
    }
}
