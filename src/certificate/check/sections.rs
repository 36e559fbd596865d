//! Checks a proof in sections: one thread reads, the others walk.

use std::collections::{BTreeMap, VecDeque};
use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::super::SECTIONS;
use super::super::error::{CertificateError, Fault};
use super::super::header::Subject;
use super::super::open_ends::OpenEnd;
use super::super::placing::Walk;
use super::super::shown_before::{SLOT, Shown, ShownBefore, ShownKey};
use super::read::{Digests, Reader};
use super::walk::{LineGuide, winner_of};
use super::{Checked, LOOK, all_shown, check_heading, is_heading, is_trailer, shares};
use crate::material::Side;
use crate::position::Game;

/// Sections that may wait for each thread.
const AHEAD: usize = 2;

/// A section as it was read.
struct Task {
    number: u64,
    /// The numbers of its heading's line and of the line that follows the section.
    line: u64,
    end: u64,
    /// Its lines, and the one that follows.
    bytes: Vec<u8>,
    start: OpenEnd,
}

/// Result of the walk of a section.
struct Walked {
    ends: Vec<OpenEnd>,
    /// Keys that earlier sections must have shown, and the lines that say so.
    needed: Vec<(ShownKey, u64)>,
    shown: Shown,
    replies: u64,
}

impl Walked {
    fn of(walk: Walk<'_>, lines: &mut LineGuide<'_, impl BufRead>) -> Walked {
        let replies = walk.replies;
        Walked { ends: lines.ends(), needed: lines.needed(), shown: walk.into_shown(), replies }
    }
}

/// State shared by the threads.
#[derive(Default)]
struct CheckState {
    tasks: VecDeque<Task>,
    /// True if no further task comes.
    closed: bool,
    /// Open ends in the order in which they are met.
    open: VecDeque<OpenEnd>,
    /// The bytes of the sections that are read and not yet walked.
    bytes: u64,
    /// Sections that are walked, and wait for those before them.
    walked: BTreeMap<u64, Walked>,
    /// True if some of what was shown was left out for want of memory.
    full: bool,
    /// Sections whose open ends are among `open`, and those given to the threads.
    done: u64,
    given: u64,
    replies: u64,
    /// The faults found. All sections before one with a fault are walked too, so the first fault is
    /// always the same.
    failed: Option<CertificateError>,
}

impl CheckState {
    /// Returns the bytes of the open ends, those of `walked` too.
    fn ends_bytes(&self) -> u64 {
        let waiting: usize = self.walked.values().map(|walked| walked.ends.len()).sum();
        (self.open.len() + waiting) as u64 * OpenEnd::BYTES
    }

    /// Returns the bytes of the situations of `walked`.
    fn shown_bytes(&self) -> u64 {
        let bytes = |walked: &Walked| {
            SLOT * walked.shown.capacity() as u64 + (walked.needed.capacity() * size_of::<(ShownKey, u64)>()) as u64
        };
        self.walked.values().map(bytes).sum()
    }

    fn fails(&mut self, error: CertificateError) {
        // Where the check was ended says nothing of a fault.
        let rank = |error: &CertificateError| (error.fault == Fault::Stopped, error.line);
        if self.failed.as_ref().is_none_or(|other| rank(&error) < rank(other)) {
            self.failed = Some(error);
        }
    }
}

struct Check<'a> {
    game: &'a Game,
    winner: Side,
    threads: usize,
    /// The most bytes that the situations shown by one walk may take.
    memory: u64,
    stop: AtomicBool,
    state: Mutex<CheckState>,
    changed: Condvar,
    /// Situations that the sections before the next one have shown.
    shown: ShownBefore,
}

/// Reads what follows the header, and checks it.
pub(super) fn check_sections(
    reader: Reader<impl BufRead>,
    subject: Subject,
    memory: u64,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Checked, CertificateError> {
    let winner = winner_of(&subject)?;
    let (quarter, threads) = shares(memory);
    let share = quarter / threads as u64;
    let (stop, state, changed) = (AtomicBool::new(false), Mutex::default(), Condvar::new());
    let shown = ShownBefore::within(memory / 2);
    let check = Check { game: &subject.game, winner, threads, memory: share, stop, state, changed, shown };
    let mut first = LineGuide::new(&subject.game, reader, progress).with_ends(quarter);
    let mut walk = Walk::new(&subject.game, winner).by_essence(check.shown.salt).within(quarter);
    walk.position(&subject.root, &mut first)?;
    check.take(&mut check.locked(), Walked::of(walk, &mut first))?;
    let LineGuide { reader, done, .. } = first;
    let read = std::thread::scope(|scope| {
        // Where the system gives no more threads, fewer do the same.
        let start = |_: &usize| std::thread::Builder::new().spawn_scoped(scope, || check.work()).is_ok();
        let read = match (0..threads).filter(start).count() {
            0 => Err(CertificateError::new(Fault::Stopped, 1, "the system gives no thread to check with")),
            _ => check.read(reader, done, quarter, progress),
        };
        let mut state = check.locked();
        state.closed = true;
        check.changed.notify_all();
        read
    });
    let mut state = check.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Err(error) = &read {
        state.fails(error.clone());
    }
    if let Some(error) = state.failed {
        return Err(error);
    }
    let (lines, digests) = read?;
    let (sections, answers) = (state.done, state.replies);
    Ok(Checked { sections, answers, ..Checked::of(subject, SECTIONS, lines, digests) })
}

impl Check<'_> {
    fn locked(&self) -> MutexGuard<'_, CheckState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the sections, gives them to the threads, and reads the trailer; returns the number of
    /// lines before it and their digest. `done` lines were read before.
    fn read(
        &self,
        mut reader: Reader<impl BufRead>,
        mut done: u64,
        most: u64,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<(u64, Digests), CertificateError> {
        let mut raw = reader.next()?;
        let mut number = 0;
        while !is_trailer(&raw.bytes) {
            number += 1;
            done += 1;
            let line = raw.number;
            if !is_heading(&raw.bytes) {
                let cause = "everything is shown before this line, which is none too many";
                return Err(CertificateError::damaged(line, cause));
            }
            check_heading(&raw.bytes, line, number)?;
            let mut bytes = Vec::new();
            raw = loop {
                let raw = reader.next()?;
                bytes.extend_from_slice(&raw.bytes);
                bytes.push(b'\n');
                if is_trailer(&raw.bytes) || is_heading(&raw.bytes) {
                    break raw;
                }
                done += 1;
                if bytes.len() as u64 > most / 2 {
                    return Err(CertificateError::memory(raw.number, most / 2));
                }
            };
            let look = || self.look(progress, done);
            let mut state = self.wait(&look, |state| {
                let idle = state.done == state.given;
                let room = state.tasks.len() < self.threads * AHEAD
                    && state.bytes + bytes.len() as u64 <= most / 2
                    && state.ends_bytes() <= most
                    && state.shown_bytes() <= most;
                idle || room && !state.open.is_empty()
            })?;
            if state.failed.is_some() {
                return Err(CertificateError::stopped(done));
            }
            if state.ends_bytes() > most {
                return Err(CertificateError::memory(line, most));
            }
            let Some(start) = state.open.pop_front() else {
                return Err(CertificateError::damaged(line, "everything is shown before this section"));
            };
            state.bytes += bytes.len() as u64;
            state.tasks.push_back(Task { number, line, end: raw.number, bytes, start });
            state.given += 1;
            self.changed.notify_all();
        }
        let state = self.wait(&|| self.look(progress, done), |state| state.done == state.given)?;
        if state.failed.is_none() && !state.open.is_empty() {
            return Err(CertificateError::unproven(raw.number, "the sections end before everything is shown"));
        }
        let digests = reader.sealed(&raw, done)?;
        reader.at_end()?;
        let _ = progress(done);
        Ok((done, digests))
    }

    fn look(&self, progress: &dyn Fn(u64) -> ControlFlow<()>, done: u64) -> Result<(), CertificateError> {
        if progress(done).is_break() {
            self.stop.store(true, Ordering::Relaxed);
            return Err(CertificateError::stopped(done));
        }
        Ok(())
    }

    /// Waits until something holds, or a fault is found.
    fn wait(
        &self,
        look: &dyn Fn() -> Result<(), CertificateError>,
        holds: impl Fn(&CheckState) -> bool,
    ) -> Result<MutexGuard<'_, CheckState>, CertificateError> {
        look()?;
        let mut state = self.locked();
        while state.failed.is_none() && !holds(&state) {
            state = self.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
            look()?;
        }
        Ok(state)
    }

    /// Walks sections until no more come.
    fn work(&self) {
        loop {
            let mut state = self.locked();
            let task = loop {
                match state.tasks.pop_front() {
                    Some(task) => break task,
                    None if state.closed => return,
                    None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(state);
            let (number, bytes) = (task.number, task.bytes.len() as u64);
            let walked = self.walk(task);
            let mut state = self.locked();
            state.bytes -= bytes;
            match walked {
                Ok(walked) => drop(state.walked.insert(number, walked)),
                Err(error) => state.fails(error),
            }
            let mut next = state.done + 1;
            while let Some(walked) = state.walked.remove(&next) {
                if let Err(error) = self.take(&mut state, walked) {
                    state.fails(error);
                    break;
                }
                state.done = next;
                next += 1;
            }
            self.changed.notify_all();
        }
    }

    /// Takes what the walk of the next section says.
    fn take(&self, state: &mut CheckState, walked: Walked) -> Result<(), CertificateError> {
        all_shown(&walked.needed, &self.shown, state.full)?;
        state.full |= !self.shown.add(&walked.shown);
        state.open.extend(walked.ends);
        state.replies += walked.replies;
        Ok(())
    }

    fn walk(&self, task: Task) -> Result<Walked, CertificateError> {
        let on = |_| if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let reader = Reader::after(task.line, &task.bytes[..]);
        let mut lines = LineGuide::new(self.game, reader, &on).with_ends(self.memory / 2);
        let mut walk = Walk::new(self.game, self.winner).by_essence(self.shown.salt).within(self.memory);
        walk.wins(&task.start.situation, task.start.real.as_ref(), &mut lines)?;
        let read = lines.reader.number();
        if read + 1 < task.end {
            let cause = "everything in this section is shown before this line, which is none too many";
            return Err(CertificateError::damaged(read + 1, cause));
        }
        Ok(Walked::of(walk, &mut lines))
    }
}
