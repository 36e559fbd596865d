//! The header of a table file: the whole setup, so that a table can be read without anything else.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::material::PodData;
use crate::position::{Setup, SetupData};
use crate::table::storage::block_rows::BlockRows;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SetupText(SetupData);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub setup: SetupText,
    pub block_rows: BlockRows,
    /// The tiers with two bytes a distance.
    pub wide_tiers: Vec<usize>,
}

impl SetupText {
    pub(crate) fn new(setup: &Setup) -> SetupText {
        SetupText(setup.clone().into())
    }

    /// Returns the setup.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub(crate) fn read(&self) -> Result<Setup, String> {
        self.0.clone().try_into()
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
        let SetupData { board, pods, rules, white_hand, black_hand } = &self.0;
        list(&mut board.points.iter().map(String::as_str));
        list(&mut board.lines.iter().flatten().map(String::as_str));
        let ids: Vec<String> = pods.kinds.iter().map(|pod| pod.id.to_string()).collect();
        list(&mut ids.iter().zip(&pods.kinds).flat_map(|(id, pod)| [id.as_str(), &pod.legs]));
        list(&mut rules.options.iter().flat_map(|(name, value)| [name.as_str(), value]));
        list(&mut [white_hand.as_str(), black_hand].into_iter());
        hash.finalize().into()
    }

    /// Returns `true` if another setup has the same points, lines and rules; pods and hands may
    /// differ.
    pub(crate) fn is_same_game(&self, other: &SetupText) -> bool {
        self.is_same_board(other) && self.0.rules.options == other.0.rules.options
    }

    fn is_same_board(&self, other: &SetupText) -> bool {
        let [board, wanted] = [self, other].map(|of| &of.0.board);
        (&board.points, &board.lines) == (&wanted.points, &wanted.lines)
    }

    /// Describes the first difference to another setup that matters; names of boards and pod sets
    /// do not.
    pub(crate) fn difference(&self, wanted: &SetupText) -> Option<String> {
        let pods = |s: &SetupData| -> Vec<(char, String)> {
            let held = |p: &&PodData| s.white_hand.contains(p.id) || s.black_hand.contains(p.id);
            s.pods.kinds.iter().filter(held).map(|p| (p.id, p.legs.clone())).collect()
        };
        let (same_board, [of, wanted]) = (self.is_same_board(wanted), [&self.0, &wanted.0]);
        if !same_board {
            let name = |s: &SetupData| format!("{} turned by {}°", s.board.name, s.board.orientation);
            Some(format!("its board is {}, not {}", name(of), name(wanted)))
        } else if of.rules.options != wanted.rules.options {
            Some(format!("its rules are {}, not {}", of.rules.name, wanted.rules.name))
        } else if (&of.white_hand, &of.black_hand) != (&wanted.white_hand, &wanted.black_hand) {
            let hands = |s: &SetupData| format!("{} and {}", s.white_hand, s.black_hand);
            Some(format!("its hands are {}, not {}", hands(of), hands(wanted)))
        } else if pods(of) != pods(wanted) {
            let [own, other] = [of, wanted].map(|s| &s.pods.name);
            Some(format!("its pods are of the set {own}, with other legs than those of {other}"))
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

pub(in crate::table) fn with_ending(name: &Path, ending: &str) -> PathBuf {
    let mut file = name.as_os_str().to_owned();
    file.push(".");
    file.push(ending);
    file.into()
}
