//! Reads a certificate in sections that was not finished, to go on with it.

use std::io::{BufRead, Read as _, Seek, SeekFrom};
use std::ops::ControlFlow;

use sha2::Digest as _;

use super::super::SECTIONS;
use super::super::error::{CertificateError, Fault};
use super::super::header::{Claim, Claimed, Header};
use super::super::open_ends::{OpenEnd, SoFar};
use super::super::placing::Walk;
use super::super::shown_before::ShownBefore;
use super::read::{LONGEST_LINE, Reader};
use super::walk::LineGuide;
use super::{check_heading, is_heading, is_trailer};
use crate::position::{Game, Position};

/// Content of an unfinished certificate.
#[derive(Debug)]
pub struct Unfinished {
    pub(in super::super) so_far: SoFar,
    /// Situations shown by the sections that were walked.
    pub(in super::super) shown: ShownBefore,
    /// Number of bytes of the file that hold whole sections: what follows is made again.
    pub bytes: u64,
    /// True if nothing is missing, not even the trailer.
    pub complete: bool,
}

impl Unfinished {
    /// Returns the number of sections, the first one apart.
    #[must_use]
    pub fn sections(&self) -> u64 {
        self.so_far.sections
    }

    /// Returns the number of sections that are known to be missing; they may have open ends
    /// themselves.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.so_far.open.len() as u64
    }

    /// Returns the number of lines between the header and what is missing.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.so_far.lines
    }
}

/// Reads an unfinished certificate of a position, as [`super::super::prove_in_sections`] leaves it.
/// Sections without open ends are not checked: the whole is checked when it is finished. `memory`
/// is the limit with which the proof goes on, a fourth of which is for what sections have shown,
/// and as much for the walk of one and for what is left to later ones, as when the whole is
/// checked. `None` if not even the first section is there.
///
/// # Errors
///
/// If it is about something else, or damaged, or takes more memory.
pub fn read_unfinished(
    mut input: impl BufRead + Seek,
    game: &Game,
    root: &Position,
    memory: u64,
) -> Result<Option<Unfinished>, CertificateError> {
    let unreadable = |number: u64| {
        move |e: std::io::Error| CertificateError::new(Fault::NoCertificate, number, format!("cannot be read: {e}"))
    };
    let mover = root.to_move();
    let headers = [(Claimed::Win, mover), (Claimed::Loss, mover.other())].map(|(value, winner)| {
        let header = Header::new(SECTIONS, game, root, Claim { value, plies: None });
        (serde_json::to_vec(&header).unwrap_or_default(), winner)
    });
    let longest = headers.iter().map(|(header, _)| header.len() as u64 + 1).max().unwrap_or_default();
    let mut header = Vec::new();
    (&mut input).take(longest).read_until(b'\n', &mut header).map_err(unreadable(1))?;
    let ended = header.last() == Some(&b'\n');
    if !ended && headers.iter().any(|(own, _)| own.starts_with(&header)) {
        return Ok(None);
    }
    header.truncate(header.len() - usize::from(ended));
    let Some(&(_, winner)) = headers.iter().find(|(own, _)| ended && *own == header) else {
        let cause = "it is no certificate in sections, or one of another position or setup";
        return Err(CertificateError::damaged(1, cause));
    };
    let (mut so_far, shown, share) = (SoFar::nothing(winner), ShownBefore::beside_search(memory), memory / 4);
    header.push(b'\n');
    so_far.digest.update(&header);
    let (mut bytes, mut number) = (header.len() as u64, 1);
    // The heading of the section that is read, which the first one lacks.
    let mut heading = Vec::new();
    loop {
        // A section may be longer than the memory: it is read once to find its end, and again to be
        // walked.
        let (before, mut later, mut digest) = (number, false, so_far.digest.clone());
        digest.update(&heading);
        let (mut length, mut line) = (heading.len() as u64, Vec::new());
        let complete = loop {
            line.clear();
            (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(unreadable(number + 1))?;
            if line.last() != Some(&b'\n') {
                if line.len() as u64 == LONGEST_LINE {
                    let cause = format!("the line is longer than {LONGEST_LINE} bytes");
                    return Err(CertificateError::damaged(number + 1, cause));
                }
                return Ok(so_far.begun.then_some(Unfinished { so_far, shown, bytes, complete: false }));
            }
            number += 1;
            if is_heading(&line) || is_trailer(&line) {
                break is_trailer(&line);
            }
            digest.update(&line);
            length += line.len() as u64;
            later |= line == LATER;
        };
        let first = !so_far.begun;
        let start = if first {
            OpenEnd::root(game, root)
        } else {
            let missing = || CertificateError::damaged(before, "everything is shown before this section");
            let start = so_far.open.pop_front().ok_or_else(missing)?;
            check_heading(&heading[..heading.len() - 1], before, so_far.sections + 1)?;
            start
        };
        // Only sections with open ends say what comes later.
        if first || later {
            let end = input.stream_position().map_err(unreadable(number))?;
            input.seek(SeekFrom::Start(bytes + heading.len() as u64)).map_err(unreadable(number))?;
            let lines = (&mut input).take(length - heading.len() as u64 + line.len() as u64);
            let on = |_| ControlFlow::Continue(());
            let mut guide = LineGuide::new(game, Reader::after(before, lines), &on).with_ends(share);
            let mut walk = Walk::new(game, winner).by_essence(shown.salt).within(share);
            walk.wins(&start.situation, start.real.as_ref(), &mut guide)?;
            let read = guide.reader.number();
            if read + 1 < number {
                let cause = "everything in this section is shown before this line, which is none too many";
                return Err(CertificateError::damaged(read + 1, cause));
            }
            shown.add(&walk.into_shown());
            so_far.open.extend(guide.ends());
            if so_far.open.len() as u64 * OpenEnd::BYTES > share {
                return Err(CertificateError::memory(number, share));
            }
            input.seek(SeekFrom::Start(end)).map_err(unreadable(number))?;
        }
        so_far.begun = true;
        so_far.sections += u64::from(!first);
        so_far.lines += number - before - u64::from(first);
        so_far.digest = digest;
        bytes += length;
        if complete {
            return Ok(Some(Unfinished { so_far, shown, bytes, complete }));
        }
        heading = line;
    }
}

/// The line of an open end.
const LATER: &[u8] = b"{\"later\":null}\n";
