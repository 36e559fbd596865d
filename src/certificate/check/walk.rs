//! Checks the proof of a placement game: reads its lines as the walk asks for them.

use std::io::BufRead;
use std::ops::ControlFlow;

use super::super::WALK;
use super::super::error::CertificateError;
use super::super::header::{Claimed, Subject};
use super::super::placing::{Choice, Guide, Situation, Walk, only_places};
use super::Checked;
use super::is_trailer;
use super::read::{Reader, canonical, parse_trailer};
use crate::geometry::{Coord, Point, PointSet};
use crate::material::PodKind;
use crate::position::{Action, Game};

/// Reads what follows the header, and checks it.
pub(super) fn check_walk(
    reader: Reader<impl BufRead>,
    subject: Subject,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Checked, CertificateError> {
    let header = |cause: &str| CertificateError::damaged(1, cause);
    if !only_places(&subject.game) {
        return Err(header("a proof of this version is of games without moves and captures"));
    }
    let mover = subject.root.to_move();
    let winner = match (subject.claim.value, subject.claim.plies) {
        (Claimed::Win, None) => mover,
        (Claimed::Loss, None) => mover.other(),
        _ => return Err(header("a proof of this version says who wins, and nothing of the distance")),
    };
    let mut lines = LineGuide { game: &subject.game, reader, done: 0, line: 1, progress };
    let mut walk = Walk::new(&subject.game, winner);
    walk.position(&subject.root, &mut lines)?;
    let LineGuide { mut reader, done, .. } = lines;
    let trailer = reader.next()?;
    if !is_trailer(&trailer.bytes) {
        return Err(CertificateError::damaged(
            trailer.number,
            "everything is shown before this line, which is none too many",
        ));
    }
    let sha256 = parse_trailer(&trailer, done, reader.digest())?;
    reader.at_end()?;
    // Reports the last count; it is too late to end the check.
    let _ = progress(done);
    let answers = walk.replies;
    let (root, claim, orientation) = (subject.root, subject.claim, subject.orientation);
    Ok(Checked { game: subject.game, orientation, root, claim, version: WALK, lines: done, answers, sha256 })
}

/// A guide that reads the lines of a certificate.
struct LineGuide<'a, R> {
    game: &'a Game,
    reader: Reader<R>,
    /// Lines read.
    done: u64,
    /// The number of the last line read.
    line: u64,
    progress: &'a dyn Fn(u64) -> ControlFlow<()>,
}

impl<R: BufRead> LineGuide<'_, R> {
    fn next(&mut self) -> Result<Choice, CertificateError> {
        if self.done.is_multiple_of(super::CHUNK as u64) && (self.progress)(self.done).is_break() {
            return Err(CertificateError::stopped(self.done));
        }
        let raw = self.reader.next()?;
        self.line = raw.number;
        if is_trailer(&raw.bytes) {
            return Err(CertificateError::unproven(raw.number, "the lines end before everything is shown"));
        }
        self.done += 1;
        canonical(&raw.bytes, raw.number)
    }
}

impl<R: BufRead> Guide for LineGuide<'_, R> {
    type Error = CertificateError;

    fn winning(&mut self, _: &Situation) -> Result<(PodKind, Point), CertificateError> {
        let Choice::Action(text) = self.next()? else {
            return Err(self.fault("the winner is to move here: the line names no action".to_owned()));
        };
        match self.game.action(&text) {
            Ok(Action::Place { kind, at }) => Ok((kind, at)),
            Ok(_) => Err(self.fault(format!("{text} is no placement"))),
            Err(error) => Err(CertificateError::damaged(self.line, error.to_string())),
        }
    }

    fn covered(&mut self, _: &Situation) -> Result<PointSet, CertificateError> {
        let Choice::Covered(names) = self.next()? else {
            return Err(self.fault("the loser is to move here: the line lists no covered points".to_owned()));
        };
        let mut points = Vec::new();
        for name in &names {
            let point = Coord::parse(name).and_then(|coord| self.game.board().point_at(coord));
            points.push(
                point.ok_or_else(|| {
                    CertificateError::damaged(self.line, format!("{name:?} is no point of the board"))
                })?,
            );
        }
        if points.is_sorted_by(|a, b| a < b) {
            Ok(points.into_iter().collect())
        } else {
            Err(CertificateError::damaged(self.line, "the covered points are not in order, each once"))
        }
    }

    fn fault(&self, cause: String) -> CertificateError {
        CertificateError::unproven(self.line, cause)
    }
}
