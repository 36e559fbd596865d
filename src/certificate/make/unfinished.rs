//! Reads a certificate in sections that was not finished, to go on with it.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read as _};

use sha2::{Digest as _, Sha256};

use super::super::CODED;
use super::super::check::SectionCheck;
use super::super::error::CertificateError;
use super::super::header::{Claim, Claimed, Header};
use super::super::lines::{LONGEST_TRAILER, NO_SECTION, TRAILER_START};
use super::super::shown_before::ShownBefore;
use super::super::walk::{Scene, Secret, Statement};
use crate::material::Side;
use crate::position::{Game, Position};

#[derive(Debug)]
pub(super) struct SoFar {
    pub(super) winner: Side,
    pub(super) sections: u64,
    /// Open ends.
    pub(super) open: VecDeque<Scene>,
    pub(super) lines: u64,
    pub(super) digest: Sha256,
}

impl SoFar {
    pub(super) fn nothing(game: &Game, root: &Position, winner: Side) -> SoFar {
        let (open, digest) = (VecDeque::from([Scene::new(game, root)]), Sha256::new());
        SoFar { winner, sections: 0, open, lines: 0, digest }
    }
}

#[derive(Debug)]
pub(crate) struct Unfinished {
    pub(super) so_far: SoFar,
    pub(super) shown: ShownBefore,
    /// The secret numbers of their keys.
    pub(super) secret: Secret,
    /// Number of bytes of the file that hold whole sections: what follows is made again.
    pub(super) bytes: u64,
    /// True if nothing is missing, not even the trailer.
    pub(super) complete: bool,
}

impl Unfinished {
    pub(super) fn new(so_far: SoFar, shown: ShownBefore, secret: Secret) -> Unfinished {
        Unfinished { so_far, shown, secret, bytes: 0, complete: false }
    }

    #[must_use]
    pub(crate) fn sections(&self) -> u64 {
        self.so_far.sections
    }

    /// Returns the number of sections that are known to be missing.
    ///
    /// These may leave open ends of their own, so it is a lower bound.
    #[must_use]
    pub(crate) fn open(&self) -> u64 {
        self.so_far.open.len() as u64
    }

    /// Returns the number of lines between the header and what is missing.
    #[must_use]
    pub(crate) fn lines(&self) -> u64 {
        self.so_far.lines
    }
}

/// Reads an unfinished certificate of a position, as [`super::PartFile`] holds it, and
/// walks its sections: what earlier ones must have listed is looked up when the whole is checked.
/// `memory` is the limit with which the proof goes on, a fourth of which is for what sections have
/// listed, and as much for the walk of one and for what is left to later ones. `None` if not even
/// the first section is there.
///
/// # Errors
///
/// If it is about something else, or damaged, or takes more memory.
pub(super) fn read_unfinished(
    mut input: impl BufRead,
    game: &Game,
    root: &Position,
    memory: u64,
) -> Result<Option<Unfinished>, CertificateError> {
    let mover = root.to_move();
    let headers = [(Claimed::Win, mover), (Claimed::Loss, mover.other())].map(|(value, winner)| {
        let header = Header::new(CODED, game, root, Claim { value, plies: None });
        (serde_json::to_vec(&header).unwrap_or_default(), winner)
    });
    let longest = headers.iter().map(|(header, _)| header.len() as u64 + 1).max().unwrap_or_default();
    let mut header = Vec::new();
    (&mut input)
        .take(longest)
        .read_until(b'\n', &mut header)
        .map_err(|error| CertificateError::unreadable(&error, 1))?;
    let ended = header.last() == Some(&b'\n');
    if !ended && headers.iter().any(|(own, _)| own.starts_with(&header)) {
        return Ok(None);
    }
    let line = &header[..header.len() - usize::from(ended)];
    let Some(&(_, winner)) = headers.iter().find(|(own, _)| ended && own == line) else {
        let cause = "it is no certificate of version 4, or one of another position or setup";
        return Err(CertificateError::damaged(1, cause));
    };
    let statement = Statement::new(game, winner);
    let check = SectionCheck::new(&statement);
    let (so_far, share) = (SoFar::nothing(game, root, winner), memory / 4);
    let mut there = Unfinished::new(so_far, ShownBefore::beside_search(memory), statement.secret());
    there.so_far.digest.update(&header);
    there.bytes = header.len() as u64;
    loop {
        let line = there.so_far.lines + 2;
        let length = some(&mut input, 4, line)?;
        let is_last = length == NO_SECTION;
        let sections = there.so_far.sections;
        if is_last {
            let trailer = some(&mut input, LONGEST_TRAILER, line)?;
            there.complete = trailer.starts_with(TRAILER_START) && trailer.ends_with(b"\n");
        }
        let Ok(length) = <[u8; 4]>::try_from(length) else { return Ok((sections > 0).then_some(there)) };
        if is_last {
            return Ok((sections > 0).then_some(there));
        }
        let length = u64::from(u32::from_le_bytes(length));
        if length > share {
            let copied = io::copy(&mut (&mut input).take(length), &mut io::sink());
            return match copied.map_err(|error| CertificateError::unreadable(&error, line))? {
                read if read < length => Ok((sections > 0).then_some(there)),
                _ => Err(CertificateError::memory(line, share)),
            };
        }
        let section = some(&mut input, length, line)?;
        if (section.len() as u64) < length {
            return Ok((sections > 0).then_some(there));
        }
        let Some(start) = there.so_far.open.pop_front() else {
            let error = CertificateError::damaged(line, "everything is shown before this section");
            return Err(error.in_section(sections + 1));
        };
        let (_, walked) = check.walk((sections, &section), &start, share);
        let walked = walked.map_err(|error| error.in_section_after(sections + 1, there.so_far.lines))?;
        there.shown.add(&walked.shown);
        there.so_far.open.extend(walked.ends);
        if there.so_far.open.len() as u64 * size_of::<Scene>() as u64 > share {
            return Err(CertificateError::memory(line + walked.lines, share));
        }
        there.so_far.digest.update((length as u32).to_le_bytes());
        there.so_far.digest.update(&section);
        there.so_far.lines += walked.lines;
        there.so_far.sections += 1;
        there.bytes += 4 + length;
    }
}

/// Reads the next bytes, fewer if the file ends.
fn some(input: &mut impl BufRead, most: u64, line: u64) -> Result<Vec<u8>, CertificateError> {
    let mut bytes = Vec::new();
    input.take(most).read_to_end(&mut bytes).map_err(|error| CertificateError::unreadable(&error, line))?;
    Ok(bytes)
}
