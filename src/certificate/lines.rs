//! The lines of a certificate, and how it is written.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::header::{Claim, Header};
use crate::files::hex;
use crate::position::{Game, Position};

/// A line of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) position: String,
    pub(super) action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) plies: Option<u32>,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trailer {
    pub(super) lines: u64,
    pub(super) sha256: String,
}

/// How a trailer begins, and nothing else in a certificate.
pub(super) const TRAILER_START: &[u8] = b"{\"lines\":";

/// A certificate, ready to be written: claim, setup and strategies.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub(super) claim: Claim,
    pub(super) header: Header,
    /// Action and plies by position.
    pub(super) lines: BTreeMap<String, (String, Option<u32>)>,
}

impl Certificate {
    pub(super) fn new(game: &Game, root: &Position, claim: Claim) -> Certificate {
        Certificate { claim, header: Header::new(game, root, claim), lines: BTreeMap::new() }
    }

    /// What it claims.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// How many lines the strategies have: one for each position in which their side is to move.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut digest = Sha256::new();
        let mut put = |text: String| {
            digest.update(text.as_bytes());
            digest.update(b"\n");
            writeln!(out, "{text}")
        };
        put(serde_json::to_string(&self.header)?)?;
        for (position, (action, plies)) in &self.lines {
            let line = Line { position: position.clone(), action: action.clone(), plies: *plies };
            put(serde_json::to_string(&line)?)?;
        }
        let trailer = Trailer { lines: self.lines.len() as u64, sha256: hex(&digest.finalize()) };
        writeln!(out, "{}", serde_json::to_string(&trailer)?)
    }

    /// The file's bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // A vector takes everything; were it not so, the missing bytes would not pass the check.
        let _ = self.write(&mut bytes);
        bytes
    }
}
