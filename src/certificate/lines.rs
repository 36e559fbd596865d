//! The lines of a certificate, and how it is written.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::header::{Claim, Header};
use super::{CODED, STRATEGIES};
use crate::files::hex;
use crate::position::{Game, Position};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) position: String,
    pub(super) action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) plies: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trailer {
    pub(super) lines: u64,
    pub(super) sha256: String,
}

/// Beginning of a trailer. No other line of a certificate begins so.
pub(super) const TRAILER_START: &[u8] = b"{\"lines\":";

/// The longest trailer, in bytes, and more.
pub(crate) const LONGEST_TRAILER: u64 = 1 << 10;

/// Returns the number of lines that the trailer at the end of a file counts, if one is there.
///
/// Only a check can tell if it is true; until then it serves to show how much is left. `end` holds
/// the last [`LONGEST_TRAILER`] bytes of the file, or all.
#[must_use]
pub(crate) fn lines_counted(end: &[u8]) -> Option<u64> {
    let start = end.windows(TRAILER_START.len()).rposition(|bytes| bytes == TRAILER_START)?;
    serde_json::from_slice::<Trailer>(&end[start..]).ok().map(|trailer| trailer.lines)
}

/// A certificate, ready to be written: claim, setup and strategies.
#[derive(Clone, Debug)]
pub(super) struct Certificate {
    header: Header,
    lines: Lines,
}

/// Lines between header and trailer.
#[derive(Clone, Debug)]
enum Lines {
    /// Action and plies by position.
    Strategies(BTreeMap<String, (String, Option<u32>)>),
    Coded {
        section: Vec<u8>,
        lines: u64,
    },
}

/// Bytes that end the sections of version 4.
pub(super) const NO_SECTION: [u8; 4] = [0; 4];

/// Returns the length of a section of version 4, which stands before it.
pub(super) fn length_of(section: &[u8]) -> io::Result<[u8; 4]> {
    let too_long = |_| io::Error::other("a section is longer than its length can say");
    u32::try_from(section.len()).map(u32::to_le_bytes).map_err(too_long)
}

impl Certificate {
    pub(super) fn strategies(game: &Game, root: &Position, claim: Claim) -> Certificate {
        let header = Header::new(STRATEGIES, game, root, claim);
        Certificate { header, lines: Lines::Strategies(BTreeMap::new()) }
    }

    pub(super) fn coded(game: &Game, root: &Position, claim: Claim, section: Vec<u8>, lines: u64) -> Certificate {
        Certificate { header: Header::new(CODED, game, root, claim), lines: Lines::Coded { section, lines } }
    }

    pub(super) fn line(&mut self, position: String, action: String, plies: Option<u32>) {
        if let Lines::Strategies(lines) = &mut self.lines {
            lines.insert(position, (action, plies));
        }
    }

    /// Returns the number of lines that stand between header and trailer: one for each position of
    /// a strategy in which its side is to move, or one for each verdict of a coded walk.
    pub(super) fn lines(&self) -> u64 {
        match &self.lines {
            Lines::Strategies(lines) => lines.len() as u64,
            Lines::Coded { lines, .. } => *lines,
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut digest = Sha256::new();
        let mut put = |bytes: &[u8]| {
            digest.update(bytes);
            out.write_all(bytes)
        };
        put((serde_json::to_string(&self.header)? + "\n").as_bytes())?;
        match &self.lines {
            Lines::Strategies(lines) => {
                for (position, (action, plies)) in lines {
                    let line = Line { position: position.clone(), action: action.clone(), plies: *plies };
                    put((serde_json::to_string(&line)? + "\n").as_bytes())?;
                }
            }
            Lines::Coded { section, .. } => {
                put(&length_of(section)?)?;
                put(section)?;
                put(&NO_SECTION)?;
            }
        }
        let trailer = Trailer { lines: self.lines(), sha256: hex(&digest.finalize()) };
        writeln!(out, "{}", serde_json::to_string(&trailer)?)
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Writing to a vector cannot fail; if it did, the check would reject the bytes.
        let _ = self.write(&mut bytes);
        bytes
    }
}

/// Returns the file of these parts, with the right digest and so many lines.
#[cfg(all(test, feature = "tables"))]
pub(super) fn sealed(header: &[u8], sections: &[Vec<u8>], lines: u64) -> Vec<u8> {
    let mut bytes = header.to_vec();
    for section in sections {
        bytes.extend(length_of(section).unwrap());
        bytes.extend(section);
    }
    bytes.extend(NO_SECTION);
    let trailer = Trailer { lines, sha256: hex(&Sha256::digest(&bytes)) };
    bytes.extend(serde_json::to_vec(&trailer).unwrap());
    bytes.push(b'\n');
    bytes
}
