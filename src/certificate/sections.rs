//! Makes proofs that are too large for one walk: in sections, by several threads, and so that a run
//! that was killed can go on.
//!
//! The first section is a walk from the root. Where it says `{"later":null}`, a section of its own
//! shows that the winner wins, as a walk from there, which may have such lines too. The sections
//! stand in the file in the order of these lines, each behind its heading `{"section":N}`.
//!
//! Where a walk says `{"shown":null}`, an earlier section shows it, or has left it to a section of
//! its own. A situation is known again by its essence, or all of it where the opening clause binds
//! ([`super::placing`]): its *key*. What a section starts from is always shown there.
//!
//! **Theorem.** If every walk follows, there is a section for each `later`, and each `shown` is
//! among what earlier sections have shown or left, the winner wins the root. *Proof.* Take a key
//! that some section has shown or left. It is so by a step (a placement of the winner's, or all
//! replies of the loser's, which may be none), or by `later`, or by `shown`. If by `shown`, an
//! earlier section has it, so the first one that has it does by a step or by `later`. If by
//! `later`, the section for it starts from it with nothing shown. It is asked for nothing where a
//! hand or a lemma decides, so this section has it by a step or by `later` again, never by `shown`;
//! and there are only so many sections. So some walk has the key by a step. What that step leads to
//! is won by a hand (R16) or by a lemma, or has such a key too, with a smaller room: the key
//! determines the points on which a pod may ever be placed, they never become more, and the step
//! fills one of them. So by induction on the size of the room the winner wins every situation with
//! such a key. ∎
//!
//! So a circle is harmless in which what is shown rests on what a later section shows, and that on
//! what was shown before: `shown` and `later` go from a key to the same key, and only steps lead
//! on, each of which, a placement or a cover, makes the room smaller. The room is part of the
//! essence (it is all points that its fourth item names), so no step leads back to a key that it
//! came from.
//!
//! Which situations get a section makes no difference to what is proven, but what is shown twice
//! takes lines twice. Here a walk leaves nothing until it is long and other threads have nothing to
//! do, or it is too long to be held in memory; from there on it shows what takes a few lines, and
//! leaves the rest ([`Cuts`]).

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use sha2::Digest as _;

use super::SECTIONS;
use super::check::Unfinished;
use super::header::Header;
use super::lines::{Trailer, WalkLines};
use super::maker::{Cuts, Made, Maker, Reporter, contradiction};
use super::open_ends::{Heading, OpenEnd, SoFar};
use super::placing::Walk;
use super::prove_placing::{claim, winner};
use super::shown_before::{SLOT, Shown, ShownBefore, ShownKey};
use crate::answer::SolveError;
use crate::files::hex;
use crate::material::Side;
use crate::position::Position;
use crate::solver::memory::spawn_if_room;
use crate::solver::search::{ProofSearch, Search};
use crate::solver::{Limits, Observer};

/// Limit of bytes of finished sections that wait for one before them: the longest ones take about
/// half of it.
const WAITING: usize = 1 << 29;

/// Reasons why a proof in sections was not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum SectionsError {
    /// The search was stopped, or contradicts the rules.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A section that is made and not yet written.
struct Section {
    lines: WalkLines,
    ends: Vec<OpenEnd>,
    shown: Shown,
}

impl Section {
    /// Returns what it takes in memory.
    fn bytes(&self) -> usize {
        let counted = SLOT * self.shown.capacity() as u64 + OpenEnd::BYTES * self.ends.capacity() as u64;
        self.lines.bytes.len() + counted as usize
    }
}

/// Makes the sections that are missing, and writes them and the trailer.
pub(super) struct Sections<'a> {
    search: &'a Search,
    root: &'a Position,
    text: String,
    winner: Side,
    cuts: Cuts,
    limits: Limits<'a>,
    reporter: Reporter<'a>,
    /// Number of threads that wait for something to do.
    idle: AtomicUsize,
    /// Situations shown by the sections that are written.
    shown: ShownBefore,
}

/// State shared by the threads.
struct Desk<'w> {
    out: &'w mut (dyn Write + Send),
    so_far: SoFar,
    /// The number of the next section to be made; 0 is the first walk.
    next: u64,
    /// Sections that wait for one before them.
    made: BTreeMap<u64, Section>,
    /// The bytes of those.
    waiting: usize,
    failed: Option<SectionsError>,
}

/// Proves who wins a position of a placement game, as [`super::prove_placing()`] does, and writes
/// the certificate to `out`, by several threads if the limits say so. Each holds a section at a
/// time in memory, some 200 MiB of long ones; others may wait to be written, and what those that
/// are written have shown takes a fourth of the limit of memory, beside the search's tables. Limits
/// of nodes hold for each thread.
///
/// # Errors
///
/// If a limit is reached first, search and rules contradict each other, or `out` cannot be written
/// to. What is written by then are whole sections, and can be gone on with ([`super::go_on`]).
pub fn prove_in_sections(
    search: &Search,
    root: &Position,
    limits: Limits<'_>,
    observer: &dyn Observer,
    out: &mut (dyn Write + Send),
) -> Result<(), SectionsError> {
    let winner = winner(search, root, limits, observer)?;
    let shown = ShownBefore::beside_search(limits.memory);
    finish(search, root, (SoFar::nothing(winner), shown, Cuts::default()), limits, observer, out)
}

/// Makes what is missing of an unfinished certificate, and appends it to what stands there up to
/// [`Unfinished::bytes`].
///
/// # Errors
///
/// As for [`prove_in_sections`].
pub fn go_on(
    search: &Search,
    root: &Position,
    unfinished: Unfinished,
    limits: Limits<'_>,
    observer: &dyn Observer,
    out: &mut (dyn Write + Send),
) -> Result<(), SectionsError> {
    finish(search, root, (unfinished.so_far, unfinished.shown, Cuts::default()), limits, observer, out)
}

fn finish(
    search: &Search,
    root: &Position,
    (so_far, shown, cuts): (SoFar, ShownBefore, Cuts),
    limits: Limits<'_>,
    observer: &dyn Observer,
    out: &mut (dyn Write + Send),
) -> Result<(), SectionsError> {
    let (text, winner, reporter) = (root.text(search.game()), so_far.winner, Reporter::new(observer));
    reporter.lines(so_far.lines, 0);
    let idle = AtomicUsize::new(0);
    let sections = Sections { search, root, text, winner, cuts, limits, reporter, idle, shown };
    sections.write(so_far, out)
}

impl Sections<'_> {
    fn write(&self, so_far: SoFar, out: &mut (dyn Write + Send)) -> Result<(), SectionsError> {
        let desk = Desk { out, next: so_far.next(), so_far, made: BTreeMap::new(), waiting: 0, failed: None };
        let (desk, changed) = (Mutex::new(desk), Condvar::new());
        std::thread::scope(|scope| {
            let work = || self.work(&desk, &changed);
            for _ in 1..self.limits.threads {
                // Where the system gives no more threads, fewer do the same.
                if spawn_if_room(scope, work).is_none() {
                    break;
                }
            }
            work();
        });
        let Desk { out, so_far, failed, .. } = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failed {
            return Err(error);
        }
        let trailer = Trailer { lines: so_far.lines, sha256: hex(&so_far.digest.finalize()) };
        writeln!(out, "{}", serde_json::to_string(&trailer).map_err(std::io::Error::from)?)?;
        Ok(out.flush()?)
    }

    /// Makes sections until none is left.
    fn work(&self, desk: &Mutex<Desk<'_>>, changed: &Condvar) {
        let ended = self.search.for_proof(self.limits, &self.reporter, |search| {
            while let Some((number, end)) = self.take(desk, changed) {
                match self.section(&end, search) {
                    Ok(section) => self.hand_in(&mut locked(desk), number, section),
                    Err(error) => return Err(error),
                }
                changed.notify_all();
            }
            Ok(())
        });
        if let Err(error) = ended {
            locked(desk).failed.get_or_insert(error.into());
        }
        changed.notify_all();
    }

    /// The next section to be made; `None` when none is left or something has failed.
    fn take(&self, desk: &Mutex<Desk<'_>>, changed: &Condvar) -> Option<(u64, OpenEnd)> {
        let mut desk = locked(desk);
        loop {
            if desk.failed.is_some() {
                return None;
            }
            let written = desk.so_far.next();
            if desk.next == 0 {
                desk.next = 1;
                return Some((0, OpenEnd::root(self.search.game(), self.root)));
            }
            // One that is written next is never made to wait.
            if (desk.waiting < WAITING || desk.next == written)
                && let Some(end) = desk.so_far.open.pop_front()
            {
                desk.next += 1;
                return Some((desk.next - 1, end));
            }
            if written == desk.next && desk.so_far.open.is_empty() {
                return None;
            }
            // A thread that waits for sections to be written needs no more of them.
            let idle = usize::from(desk.so_far.open.is_empty());
            self.idle.fetch_add(idle, Ordering::Relaxed);
            desk = changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(idle, Ordering::Relaxed);
        }
    }

    /// Writes a section, or lets it wait for those before it.
    fn hand_in(&self, desk: &mut Desk<'_>, number: u64, section: Section) {
        desk.waiting += section.bytes();
        desk.made.insert(number, section);
        while desk.failed.is_none()
            && let Some(section) = desk.made.remove(&desk.so_far.next())
        {
            desk.waiting -= section.bytes();
            if let Err(error) = self.put(desk, section) {
                desk.failed = Some(error.into());
            }
        }
    }

    fn put(&self, desk: &mut Desk<'_>, section: Section) -> std::io::Result<()> {
        let first = !desk.so_far.begun;
        let head = if first {
            let claim = claim(self.root, self.winner);
            serde_json::to_string(&Header::new(SECTIONS, self.search.game(), self.root, claim))?
        } else {
            serde_json::to_string(&Heading { section: desk.so_far.next() })?
        };
        for bytes in [head.as_bytes(), b"\n", &section.lines.bytes] {
            desk.so_far.digest.update(bytes);
            desk.out.write_all(bytes)?;
        }
        desk.so_far.begun = true;
        desk.so_far.sections += u64::from(!first);
        desk.so_far.lines += section.lines.count + u64::from(!first);
        desk.so_far.open.extend(section.ends);
        // Where not all of it fits, more is shown twice.
        self.shown.add(&section.shown);
        Ok(())
    }

    fn section(&self, end: &OpenEnd, search: &mut ProofSearch<'_>) -> Result<Section, SolveError> {
        let game = self.search.game();
        let mut maker = Maker::new(game, &self.text, self.winner, search, self.limits, &self.reporter).of_section(
            self.cuts,
            &self.idle,
            &self.shown,
        );
        let mut walk = Walk::new(game, self.winner).by_essence(self.shown.salt);
        match walk.wins(&end.situation, end.real.as_ref(), &mut maker) {
            Ok(()) => Ok(Section { lines: maker.lines, ends: maker.ends, shown: walk.into_shown() }),
            Err(Made::Failed(error)) => Err(error),
            Err(Made::TooLong) => Err(contradiction(&self.text, "a proof without a limit is too long")),
        }
    }
}

fn locked<'d, 'w>(desk: &'d Mutex<Desk<'w>>) -> MutexGuard<'d, Desk<'w>> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
