//! Reads a certificate in sections that was not finished, to go on with it.

use std::io::{BufRead, Read as _};
use std::ops::ControlFlow;

use sha2::Digest as _;

use super::super::SECTIONS;
use super::super::error::{CertificateError, Fault};
use super::super::header::{Claim, Claimed, Header};
use super::super::open_ends::{OpenEnd, SoFar};
use super::super::placing::Walk;
use super::super::shown_before::ShownBefore;
use super::read::Reader;
use super::walk::LineGuide;
use super::{check_heading, is_heading, is_trailer};
use crate::position::{Game, Position};

/// What an unfinished certificate has.
#[derive(Debug)]
pub struct Unfinished {
    pub(in super::super) so_far: SoFar,
    /// What the sections have shown that were walked.
    pub(in super::super) shown: ShownBefore,
    /// How many bytes of the file hold whole sections: what follows is made again.
    pub bytes: u64,
    /// Whether nothing is missing, not even the trailer.
    pub complete: bool,
}

impl Unfinished {
    /// How many sections there are, the first one apart.
    #[must_use]
    pub fn sections(&self) -> u64 {
        self.so_far.sections
    }

    /// How many sections are known to be missing; they may have open ends themselves.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.so_far.open.len() as u64
    }

    /// How many lines there are between the header and what is missing.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.so_far.lines
    }
}

/// Reads an unfinished certificate of a position, as [`super::super::prove_in_sections`] leaves it. Sections without open ends are
/// not checked: the whole is checked when it is finished. `memory` is the limit with which the proof goes on, a fourth of which is for what
/// sections have shown. `None` if not even the first section is there.
///
/// # Errors
///
/// If it is about something else, or damaged.
pub fn read_unfinished(
    mut input: impl BufRead,
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
    let (mut so_far, shown) = (SoFar::nothing(winner), ShownBefore::beside_search(memory));
    header.push(b'\n');
    so_far.digest.update(&header);
    let mut bytes = header.len() as u64;
    // The line before the section that is read, and the section with the line that follows it.
    let (mut before, mut section) = (1, Vec::new());
    let mut number = 1;
    loop {
        let from = section.len();
        let read = input.read_until(b'\n', &mut section).map_err(unreadable(number + 1))?;
        let line = &section[from..];
        if read == 0 || line.last() != Some(&b'\n') {
            return Ok(so_far.begun.then_some(Unfinished { so_far, shown, bytes, complete: false }));
        }
        number += 1;
        let (ends, complete) = (is_heading(line) || is_trailer(line), is_trailer(line));
        if !ends {
            continue;
        }
        take((&mut so_far, &shown), game, root, before, &section)?;
        so_far.digest.update(&section[..from]);
        bytes += from as u64;
        if complete {
            return Ok(Some(Unfinished { so_far, shown, bytes, complete }));
        }
        section.drain(..from);
        before = number;
    }
}

/// Takes a section with the line that follows it. All but the first begin with their heading, whose line is `before`.
fn take(
    (so_far, shown): (&mut SoFar, &ShownBefore),
    game: &Game,
    root: &Position,
    before: u64,
    section: &[u8],
) -> Result<(), CertificateError> {
    let first = !so_far.begun;
    let (start, lines) = if first {
        (OpenEnd::root(game, root), section)
    } else {
        let missing = || CertificateError::damaged(before, "everything is shown before this section");
        let start = so_far.open.pop_front().ok_or_else(missing)?;
        let heading = section.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        check_heading(&section[..heading.saturating_sub(1)], before, so_far.sections + 1)?;
        (start, &section[heading..])
    };
    // Only sections with open ends say what comes later.
    if first || lines.split(|&byte| byte == b'\n').any(|line| line == LATER) {
        let on = |_| ControlFlow::Continue(());
        let mut guide = LineGuide::new(game, Reader::after(before, lines), &on).with_ends(u64::MAX);
        let mut walk = Walk::new(game, so_far.winner).by_essence(shown.salt);
        walk.wins(&start.situation, start.real.as_ref(), &mut guide)?;
        shown.add(&walk.into_shown());
        so_far.open.extend(guide.ends());
    }
    so_far.begun = true;
    so_far.sections += u64::from(!first);
    so_far.lines += section.iter().filter(|&&byte| byte == b'\n').count() as u64 - 1;
    Ok(())
}

/// The line of an open end.
const LATER: &[u8] = b"{\"later\":null}";
