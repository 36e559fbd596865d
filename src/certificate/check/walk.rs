//! Checks the proof of a placement game: reads its lines as the walk asks for them.

use std::io::BufRead;
use std::ops::ControlFlow;

use super::super::WALK;
use super::super::error::CertificateError;
use super::super::header::{Claimed, Subject};
use super::super::open_ends::OpenEnd;
use super::super::placing::{Choice, Choices, Chosen, Guide, Pairs, Situation, Walk, only_places};
use super::super::shown_before::ShownKey;
use super::Checked;
use super::read::{Digests, Reader, canonical};
use super::{is_heading, is_trailer};
use crate::geometry::{Point, PointSet};
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Position};

/// Reads what follows the header, and checks it.
pub(super) fn check_walk(
    reader: Reader<impl BufRead>,
    subject: Subject,
    memory: u64,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Checked, CertificateError> {
    let winner = winner_of(&subject)?;
    let mut lines = LineGuide::new(&subject.game, reader, progress);
    let mut walk = Walk::new(&subject.game, winner).within(memory);
    walk.position(&subject.root, &mut lines)?;
    let (done, digests) = lines.end()?;
    // Reports the last count; it is too late to end the check.
    let _ = progress(done);
    let answers = walk.replies;
    Ok(Checked { answers, ..Checked::of(subject, WALK, done, digests) })
}

/// Returns the side that is to win, in a game that has such proofs.
pub(super) fn winner_of(subject: &Subject) -> Result<Side, CertificateError> {
    let header = |cause: &str| Err(CertificateError::damaged(1, cause));
    if !only_places(&subject.game) {
        return header("a proof of this version is of games without moves and captures");
    }
    let mover = subject.root.to_move();
    match (subject.claim.value, subject.claim.plies) {
        (Claimed::Win, None) => Ok(mover),
        (Claimed::Loss, None) => Ok(mover.other()),
        _ => header("a proof of this version says who wins, and nothing of the distance"),
    }
}

/// Reads what follows the header, checks it and returns its choices.
pub(super) fn choices(
    reader: Reader<impl BufRead>,
    subject: &Subject,
    winner: Side,
) -> Result<Choices, CertificateError> {
    let game = &subject.game;
    let mut known = Choices::default();
    let on = |_| ControlFlow::Continue(());
    let mut lines = LineGuide { known: Some(&mut known), ..LineGuide::new(game, reader, &on) };
    Walk::new(game, winner).wins(&Situation::new(game, &subject.root), None, &mut lines)?;
    lines.end()?;
    Ok(known)
}

/// A guide that reads the lines of a certificate.
pub(super) struct LineGuide<'a, R> {
    game: &'a Game,
    pub(super) reader: Reader<R>,
    /// Lines read.
    pub(super) done: u64,
    /// The number of the last line read.
    pub(super) line: u64,
    progress: &'a dyn Fn(u64) -> ControlFlow<()>,
    /// Recorder of the choices, if wanted.
    known: Option<&'a mut Choices>,
    /// Open ends left to later sections, where there may be some.
    ends: Option<Vec<OpenEnd>>,
    /// Keys claimed to be shown by earlier sections, and the lines that say so.
    needed: Vec<(ShownKey, u64)>,
    /// The most bytes that the two may take, each.
    memory: u64,
    /// A choice that is read and not yet asked for.
    next: Option<Choice>,
}

impl<'a, R: BufRead> LineGuide<'a, R> {
    pub(super) fn new(
        game: &'a Game,
        reader: Reader<R>,
        progress: &'a dyn Fn(u64) -> ControlFlow<()>,
    ) -> LineGuide<'a, R> {
        let line = reader.number();
        let (needed, memory) = (Vec::new(), u64::MAX);
        LineGuide { game, reader, done: 0, line, progress, known: None, ends: None, needed, memory, next: None }
    }

    /// Lets the walk leave situations to later sections, and take some from earlier ones, at most
    /// `memory` bytes of either.
    pub(super) fn with_ends(self, memory: u64) -> LineGuide<'a, R> {
        LineGuide { ends: Some(Vec::new()), memory, ..self }
    }

    /// Takes the open ends, which are left to later sections.
    pub(super) fn ends(&mut self) -> Vec<OpenEnd> {
        self.ends.take().unwrap_or_default()
    }

    /// Takes the keys claimed to be shown by earlier sections, each with the line that claims it.
    pub(super) fn needed(&mut self) -> Vec<(ShownKey, u64)> {
        std::mem::take(&mut self.needed)
    }

    /// Reads the trailer; returns the number of lines before it and their digest.
    fn end(self) -> Result<(u64, Digests), CertificateError> {
        let LineGuide { mut reader, done, .. } = self;
        let trailer = reader.next()?;
        if !is_trailer(&trailer.bytes) {
            let cause = "everything is shown before this line, which is none too many";
            return Err(CertificateError::damaged(trailer.number, cause));
        }
        let digests = reader.sealed(&trailer, done)?;
        reader.at_end()?;
        Ok((done, digests))
    }

    fn keep(&mut self, situation: &Situation, chosen: Chosen) {
        if let Some(known) = &mut self.known {
            known.insert(situation, chosen);
        }
    }

    /// Returns `true` if the next line of a section is this one, which is then read.
    fn says(&mut self, wanted: &Choice) -> Result<bool, CertificateError> {
        if self.ends.is_none() {
            return Ok(false);
        }
        let choice = self.next()?;
        let is_wanted = choice == *wanted;
        if !is_wanted {
            self.next = Some(choice);
        }
        Ok(is_wanted)
    }

    fn next(&mut self) -> Result<Choice, CertificateError> {
        if let Some(choice) = self.next.take() {
            return Ok(choice);
        }
        if self.done.is_multiple_of(super::CHUNK as u64) && (self.progress)(self.done).is_break() {
            return Err(CertificateError::stopped(self.done));
        }
        let raw = self.reader.next()?;
        self.line = raw.number;
        if is_trailer(&raw.bytes) || is_heading(&raw.bytes) {
            return Err(CertificateError::unproven(raw.number, "the lines end before everything is shown"));
        }
        self.done += 1;
        canonical(&raw.bytes, raw.number)
    }
}

impl<R: BufRead> Guide for LineGuide<'_, R> {
    type Error = CertificateError;

    fn shown_before(&mut self, key: &ShownKey) -> Result<bool, CertificateError> {
        if !self.says(&Choice::Shown(()))? {
            return Ok(false);
        }
        // A full list grows to twice its size.
        if 2 * (size_of::<(ShownKey, u64)>() * (self.needed.len() + 1)) as u64 > self.memory {
            return Err(CertificateError::memory(self.line, self.memory));
        }
        self.needed.push((*key, self.line));
        Ok(true)
    }

    fn elsewhere(&mut self, situation: &Situation, real: Option<&Position>) -> Result<bool, CertificateError> {
        if !self.says(&Choice::Later(()))? {
            return Ok(false);
        }
        let ends = self.ends.get_or_insert_default();
        // A full list grows to twice its size.
        if 2 * OpenEnd::BYTES * (ends.len() as u64 + 1) > self.memory {
            return Err(CertificateError::memory(self.line, self.memory));
        }
        ends.push(OpenEnd { situation: situation.clone(), real: real.cloned() });
        Ok(true)
    }

    fn winning(&mut self, situation: &Situation) -> Result<(PodKind, Point), CertificateError> {
        let Choice::Action(text) = self.next()? else {
            return Err(self.fault("the winner is to move here: the line names no action".to_owned()));
        };
        match self.game.parse_action(&text) {
            Ok(Action::Place { kind, at }) => {
                self.keep(situation, Chosen::Placement(kind, at));
                Ok((kind, at))
            }
            Ok(_) => Err(self.fault(format!("{text} is no placement"))),
            Err(error) => Err(CertificateError::damaged(self.line, error.to_string())),
        }
    }

    fn covered(&mut self, situation: &Situation, _: &Pairs) -> Result<PointSet, CertificateError> {
        let Choice::Covered(names) = self.next()? else {
            return Err(self.fault("the loser is to move here: the line lists no covered points".to_owned()));
        };
        let mut points = Vec::new();
        for name in &names {
            let point = name.parse().ok().and_then(|coord| self.game.board().point_at(coord));
            points.push(
                point.ok_or_else(|| {
                    CertificateError::damaged(self.line, format!("{name:?} is no point of the board"))
                })?,
            );
        }
        if !points.is_sorted_by(|a, b| a < b) {
            return Err(CertificateError::damaged(self.line, "the covered points are not in order, each once"));
        }
        let covered = points.into_iter().collect();
        self.keep(situation, Chosen::Covered(covered));
        Ok(covered)
    }

    fn fault(&self, cause: String) -> CertificateError {
        CertificateError::unproven(self.line, cause)
    }

    fn too_large(&self, memory: u64) -> CertificateError {
        CertificateError::memory(self.line, memory)
    }
}
