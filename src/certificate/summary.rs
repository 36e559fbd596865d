//! Summaries of certificates.

use super::Checked;
use crate::files::record;
use crate::material::{builtin_board, builtin_pods};

record! {
    /// Summary of a valid certificate: its claim and its setup.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ProofSummary {
        /// The position's text.
        pub position: String,
        /// `win`, `loss` or `draw` for the side to move.
        pub value: &'static str,
        /// Plies to the end, where they are claimed.
        pub plies: Option<u32>,
        /// The name of the board.
        pub board: String,
        /// By how many degrees the board was turned.
        pub orientation: u16,
        /// True if it is the built-in board of that name.
        pub board_is_built_in: bool,
        /// The name of the pods.
        pub pods: String,
        /// True if they are the built-in pods of that name.
        pub pods_are_built_in: bool,
        /// The name of the rule set.
        pub rules: String,
        /// Lines of strategies, or verdicts of a walk.
        pub lines: u64,
        /// Sections of a walk; 0 for strategies.
        pub sections: u64,
        /// Actions of the other side that were followed.
        pub answers: u64,
        /// Situations of a sample that were compared with the reference engine (version 4).
        pub compared: Option<u64>,
        /// Those of them with the pods of covers.
        pub compared_covers: Option<u64>,
        /// The SHA-256 of every byte before the trailer, which holds it.
        pub trailer_sha256: String,
        /// The SHA-256 of the whole file, unpacked.
        pub file_sha256: String,
    }
}

impl Checked {
    /// Returns the claim that is proven and the setup that it is about, in short.
    #[must_use]
    pub(crate) fn summary(&self) -> ProofSummary {
        let (board, pods) = (self.game.board(), self.game.pods());
        let built_in = builtin_board(board.name()).map(|built_in| built_in.turned(board.orientation()));
        ProofSummary {
            position: self.root.display(&self.game).to_string(),
            value: self.claim.value.name(),
            plies: self.claim.plies,
            board: board.name().to_owned(),
            orientation: board.orientation().degrees(),
            board_is_built_in: built_in.is_some_and(|built_in| built_in.same_shape(board)),
            pods: pods.name().to_owned(),
            pods_are_built_in: builtin_pods(pods.name()).is_some_and(|built_in| built_in.same_pods(pods)),
            rules: self.game.rules().to_string(),
            lines: self.lines,
            sections: self.sections,
            answers: self.answers,
            compared: self.compared.map(|compared| compared.positions),
            compared_covers: self.compared.map(|compared| compared.virtual_pods),
            trailer_sha256: self.trailer_sha256.clone(),
            file_sha256: self.file_sha256.clone(),
        }
    }
}
