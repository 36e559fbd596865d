//! Makes proofs that are too large for one walk: in sections, by several threads, and so that a run
//! that was killed can go on.
//!
//! Which situations get a section makes no difference to what is proven, but what is shown twice
//! takes lines twice. Here a walk leaves nothing until it is long and other threads have nothing to
//! do, or it is too long to be held in memory; from there on it shows what takes a few choices, and
//! leaves the rest ([`Cuts`]).

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use sha2::Digest as _;

use super::super::CODED;
use super::super::header::Header;
use super::super::lines::{NO_SECTION, Trailer, length_of};
use super::super::shown_before::{SLOT, ShownBefore};
use super::super::walk::{Scene, Statement};
use super::PartError;
use super::by_search::{claim, failed, winner};
use super::maker::{Cuts, Maker, OpenEnds, Reporter, Written};
use super::unfinished::{SoFar, Unfinished};
use crate::answer::SolveError;
use crate::files::hex;
use crate::material::Side;
use crate::position::Position;
use crate::solver::Tracker;
use crate::solver::memory::spawn_if_room;
use crate::solver::search::{ProofSearch, Search};
use crate::solver::{Limits, Observer};

/// Limit of bytes of finished sections that wait for one before them: the longest ones take about
/// half of it.
const WAITING: usize = 1 << 29;

/// Returns the memory of a section that is not yet written, in bytes.
fn bytes_of(section: &Written) -> usize {
    section.bytes.len() + SLOT as usize * section.shown.capacity() + size_of::<Scene>() * section.ends.capacity()
}

/// Work on the sections that are missing: it makes and writes them, and then the trailer.
pub(super) struct Sections<'a> {
    search: &'a Search,
    statement: &'a Statement<'a>,
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

struct Desk<'w> {
    out: &'w mut (dyn Write + Send),
    so_far: SoFar,
    next: u64,
    /// Sections that wait for one before them.
    made: BTreeMap<u64, Written>,
    waiting: usize,
    failed: Option<PartError>,
}

/// Proves who wins a position of a placement game, as a search does in memory, and writes the
/// certificate to `out`.
///
/// Several threads do so if the limits say so. Each holds a section at a time in memory; others may wait to be written, and what those that are written have listed takes
/// a fourth of the limit of memory, beside the search's tables.
///
/// # Errors
///
/// If a limit is reached first, search and rules contradict each other, or `out` cannot be written
/// to. What is written by then are whole sections, and can be gone on with: if some are there, what
/// is missing is appended to what stands up to [`Unfinished::bytes`].
pub(super) fn prove_in_sections(
    search: &Search,
    root: &Position,
    there: Option<Unfinished>,
    limits: Limits<'_>,
    observer: &dyn Observer,
    out: &mut (dyn Write + Send),
) -> Result<(), PartError> {
    let mut tracker = Tracker::new(limits, observer);
    let there = match there {
        Some(there) => there,
        None => {
            let winner = winner(search, root, &mut tracker)?;
            let so_far = SoFar::nothing(search.game(), root, winner);
            let secret = Statement::new(search.game(), winner).secret();
            Unfinished::new(so_far, ShownBefore::beside_search(limits.memory), secret)
        }
    };
    let left = tracker.part(1).shared_out();
    finish(search, root, (there, Cuts::default()), left, observer, out).map_err(|error| match error {
        PartError::Solve(error) => error.of_all(limits).into(),
        error => error,
    })
}

fn finish(
    search: &Search,
    root: &Position,
    (there, cuts): (Unfinished, Cuts),
    limits: Limits<'_>,
    observer: &dyn Observer,
    out: &mut (dyn Write + Send),
) -> Result<(), PartError> {
    let Unfinished { so_far, shown, secret, .. } = there;
    let (text, winner, reporter) = (root.display(search.game()).to_string(), so_far.winner, Reporter::new(observer));
    reporter.lines(so_far.lines, 0);
    let idle = AtomicUsize::new(0);
    let statement = &Statement::with_secret(search.game(), winner, secret);
    let sections = Sections { search, statement, root, text, winner, cuts, limits, reporter, idle, shown };
    sections.write(so_far, out)
}

impl Sections<'_> {
    fn write(&self, so_far: SoFar, out: &mut (dyn Write + Send)) -> Result<(), PartError> {
        let desk = Desk { out, next: so_far.sections, so_far, made: BTreeMap::new(), waiting: 0, failed: None };
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
        let sha256 = hex(&so_far.digest.chain_update(NO_SECTION).finalize());
        let trailer = Trailer { lines: so_far.lines, sha256 };
        out.write_all(&NO_SECTION)?;
        writeln!(out, "{}", serde_json::to_string(&trailer).map_err(std::io::Error::from)?)?;
        Ok(out.flush()?)
    }

    /// Makes sections until none is left.
    fn work(&self, desk: &Mutex<Desk<'_>>, changed: &Condvar) {
        let ended = self.search.for_proof(self.limits, &self.reporter.of_searches(), |search| {
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

    /// Takes the next section to be made; `None` when none is left or something has failed.
    fn take(&self, desk: &Mutex<Desk<'_>>, changed: &Condvar) -> Option<(u64, Scene)> {
        let mut desk = locked(desk);
        loop {
            if desk.failed.is_some() {
                return None;
            }
            let written = desk.so_far.sections;
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
    fn hand_in(&self, desk: &mut Desk<'_>, number: u64, section: Written) {
        desk.waiting += bytes_of(&section);
        desk.made.insert(number, section);
        while desk.failed.is_none()
            && let Some(section) = desk.made.remove(&desk.so_far.sections)
        {
            desk.waiting -= bytes_of(&section);
            if let Err(error) = self.put(desk, section) {
                desk.failed = Some(error.into());
            }
        }
    }

    fn put(&self, desk: &mut Desk<'_>, section: Written) -> std::io::Result<()> {
        let mut head = Vec::new();
        if desk.so_far.sections == 0 {
            let claim = claim(self.root, self.winner);
            head = serde_json::to_vec(&Header::new(CODED, self.search.game(), self.root, claim))?;
            head.push(b'\n');
        }
        head.extend(length_of(&section.bytes)?);
        for bytes in [&head, &section.bytes] {
            desk.so_far.digest.update(bytes);
            desk.out.write_all(bytes)?;
        }
        // A run that is killed then loses none that is done.
        desk.out.flush()?;
        desk.so_far.sections += 1;
        desk.so_far.lines += section.lines;
        desk.so_far.open.extend(section.ends);
        // Where not all of it fits, more is shown twice.
        self.shown.add(&section.shown);
        Ok(())
    }

    fn section(&self, start: &Scene, search: &mut ProofSearch<'_>) -> Result<Written, SolveError> {
        let ends = OpenEnds { cuts: self.cuts, idle: &self.idle, shown: &self.shown };
        let maker = Maker::new(self.statement, &self.text, search, self.limits, &self.reporter);
        maker.of_section(ends).write(start, Some(&self.shown)).map_err(|stop| failed(stop, &self.text))
    }
}

fn locked<'d, 'w>(desk: &'d Mutex<Desk<'w>>) -> MutexGuard<'d, Desk<'w>> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
