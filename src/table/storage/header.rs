//! The header of a table file: the whole setup, so that a table can be read without anything else.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::material::{Board, BySide, PodData, PodSet};
use crate::position::{Game, Hand, Setup};
use crate::rules::RuleSet;
use crate::table::storage::block_rows::BlockRows;

/// The setup of a table, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SetupText {
    board: String,
    orientation: u16,
    points: Vec<String>,
    lines: Vec<[String; 2]>,
    pod_set: String,
    pods: Vec<PodData>,
    rules: String,
    options: Vec<(String, String)>,
    white_hand: String,
    black_hand: String,
}

/// The header of a table file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The setup.
    pub setup: SetupText,
    /// Number of rows that a block has, for each tier.
    pub block_rows: BlockRows,
    /// The tiers with two bytes a distance.
    pub wide_tiers: Vec<usize>,
}

fn options(rules: &RuleSet) -> Vec<(String, String)> {
    rules.values().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Error in the text of a setup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct SetupTextError(pub String);

impl SetupText {
    /// Returns the text of a setup.
    pub(crate) fn new(setup: &Setup) -> SetupText {
        let game = setup.game();
        let (board, pods, rules) = (game.board(), game.pods(), game.rules());
        let BySide { white, black } = setup.hand_texts();
        SetupText {
            board: board.name().to_owned(),
            orientation: board.orientation().degrees(),
            points: board.point_names(),
            lines: board.line_names(),
            pod_set: pods.name().to_owned(),
            pods: pods.data(),
            rules: rules.to_string(),
            options: options(rules),
            white_hand: white,
            black_hand: black,
        }
    }

    /// Returns the setup. The board has the orientation 0: it is given as it lies.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub(crate) fn read(&self) -> Result<Setup, SetupTextError> {
        self.parsed().map_err(SetupTextError)
    }

    fn parsed(&self) -> Result<Setup, String> {
        let board = Board::of_names(&self.board, "a table", &self.points, &self.lines)?;
        let pods = PodSet::of_data(&self.pod_set, "a table", &self.pods)?;
        let rules: RuleSet = self.rules.parse().map_err(|e: crate::rules::RuleSetError| e.to_string())?;
        if options(&rules) != self.options {
            return Err(format!("the options of {} are not those of this program", self.rules));
        }
        let hand = |text| Hand::parse(text, &pods).map_err(|e| e.to_string());
        let hands = [hand(&self.white_hand)?, hand(&self.black_hand)?];
        Ok(Setup::new(Game::new(board, pods, rules), hands))
    }

    /// Returns the SHA-256 of everything but names: points, lines, ids and legs of the pods,
    /// options, hands.
    pub(crate) fn identity(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        // Each word ends with a byte that no word has, and each list with another.
        let mut list = |words: &mut dyn Iterator<Item = &str>| {
            words.for_each(|word| hash.update([word.as_bytes(), &[0]].concat()));
            hash.update([1]);
        };
        list(&mut self.points.iter().map(String::as_str));
        list(&mut self.lines.iter().flatten().map(String::as_str));
        let ids: Vec<String> = self.pods.iter().map(|pod| pod.id.to_string()).collect();
        list(&mut ids.iter().zip(&self.pods).flat_map(|(id, pod)| [id.as_str(), &pod.legs]));
        list(&mut self.options.iter().flat_map(|(name, value)| [name.as_str(), value]));
        list(&mut [self.white_hand.as_str(), &self.black_hand].into_iter());
        hash.finalize().into()
    }

    /// Returns `true` if another setup has the same points, lines and rules; pods and hands may
    /// differ.
    pub(crate) fn is_same_game(&self, other: &SetupText) -> bool {
        (&self.points, &self.lines, &self.options) == (&other.points, &other.lines, &other.options)
    }

    /// Describes the first difference to another setup that matters; names of boards and pod sets
    /// do not.
    pub(crate) fn difference(&self, wanted: &SetupText) -> Option<String> {
        let pods = |s: &SetupText| -> Vec<(char, String)> {
            let held = |p: &&PodData| s.white_hand.contains(p.id) || s.black_hand.contains(p.id);
            s.pods.iter().filter(held).map(|p| (p.id, p.legs.clone())).collect()
        };
        if (&self.points, &self.lines) != (&wanted.points, &wanted.lines) {
            let name = |s: &SetupText| format!("{} turned by {}°", s.board, s.orientation);
            Some(format!("its board is {}, not {}", name(self), name(wanted)))
        } else if self.options != wanted.options {
            Some(format!("its rules are {}, not {}", self.rules, wanted.rules))
        } else if (&self.white_hand, &self.black_hand) != (&wanted.white_hand, &wanted.black_hand) {
            let hands = |s: &SetupText| format!("{} and {}", s.white_hand, s.black_hand);
            Some(format!("its hands are {}, not {}", hands(self), hands(wanted)))
        } else if pods(self) != pods(wanted) {
            Some(format!("its pods are of the set {}, with other legs than those of {}", self.pod_set, wanted.pod_set))
        } else {
            None
        }
    }
}

/// The ending of the name of a table's file.
pub(in crate::table) const ENDING: &str = "pods-table";

/// Returns the file of a table with this name.
#[must_use]
pub fn table_path(name: &Path) -> PathBuf {
    with_ending(name, ENDING)
}

/// Returns a name with an ending behind it.
pub(in crate::table) fn with_ending(name: &Path, ending: &str) -> PathBuf {
    let mut file = name.as_os_str().to_owned();
    file.push(".");
    file.push(ending);
    file.into()
}
