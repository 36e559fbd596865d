//! Checks a certificate of version 4: one thread reads sections, others walk them side by side.

use std::collections::VecDeque;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::slice;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::super::CODED;
use super::super::error::{CertificateError, Fault};
use super::super::header::{Claimed, Subject};
use super::super::shown_before::{Shown, ShownBefore, ShownKey};
use super::super::walk::{
    AsPosition, BadBits, Compared, Decoder, Scene, SectionWalk, Statement, Teller, View, is_sampled,
};
use super::Checked;
use super::read::Reader;
use crate::material::Side;

/// Number of sections that each thread is given at once.
const AHEAD: usize = 4;

/// Number of lines that are counted at once.
const COUNTED: u64 = 1 << 12;

/// Memory for what a walk lists, in bytes, that suffices for the longest sections that the program
/// makes. With less, fewer threads walk.
const FOR_A_WALK: u64 = 1 << 28;

/// Interval at which the reader of sections checks for a stop.
const LOOK: Duration = Duration::from_millis(100);

/// Returns a quarter of the memory for a check of sections, in bytes, and the number of threads
/// that may walk in one. A half is for what earlier sections have listed, a quarter for the walks,
/// and a quarter for what is read and what waits.
fn shares(memory: u64) -> (u64, usize) {
    let quarter = memory / 4;
    (quarter, rayon::current_num_threads().min((quarter / FOR_A_WALK) as usize).max(1))
}

/// Returns the side that is to win, in a game that has such proofs.
fn winner_of(subject: &Subject) -> Result<Side, CertificateError> {
    let header = |cause: &str| Err(CertificateError::damaged(1, cause));
    if subject.game.rules().can_cycle() {
        return header("a proof of this version is of games without moves and captures");
    }
    let mover = subject.root.to_move();
    match (subject.claim.value, subject.claim.plies) {
        (Claimed::Win, None) => Ok(mover),
        (Claimed::Loss, None) => Ok(mover.other()),
        _ => header("a proof of this version says who wins, and nothing of the distance"),
    }
}

/// Keys that earlier sections must have listed, and the lines that say so.
type Needed = Vec<(ShownKey, u64)>;

/// Checks that earlier sections have listed everything that a section takes from them. If `full`,
/// some of what they have listed did not fit.
fn all_shown(needed: &Needed, shown: &ShownBefore, full: bool) -> Result<(), CertificateError> {
    let Some(&(_, line)) = needed.iter().find(|(key, _)| !shown.has(key)) else { return Ok(()) };
    Err(match full {
        true => CertificateError::memory(line, shown.memory()),
        false => CertificateError::unproven(line, "no earlier section shows what this line says is shown"),
    })
}

/// A section as it was read.
struct Section {
    number: u64,
    bytes: Vec<u8>,
    start: Scene,
}

pub(in crate::certificate) struct WalkedSection {
    pub(in crate::certificate) ends: Vec<Scene>,
    pub(in crate::certificate) shown: Shown,
    pub(in crate::certificate) lines: u64,
    answers: u64,
    compared: Compared,
}

pub(in crate::certificate) struct SectionCheck<'a> {
    pub(super) claim: &'a Statement<'a>,
    pub(super) lines: AtomicU64,
    pub(super) stop: AtomicBool,
}

impl<'a> SectionCheck<'a> {
    pub(in crate::certificate) fn new(claim: &'a Statement<'a>) -> SectionCheck<'a> {
        SectionCheck { claim, lines: AtomicU64::new(0), stop: AtomicBool::new(false) }
    }

    /// Walks a section, whose number and bytes are given.
    ///
    /// Its list may take `memory` bytes, and so may the situations that it leaves to others and takes
    /// from them; these come first, up to the error if there is one. Lines of errors are counted from
    /// the beginning of the section; 0 is that of one whose first verdict is not read.
    pub(in crate::certificate) fn walk(&self, (number, bytes): (u64, &[u8]), start: &Scene, memory: u64) -> Walked {
        let decoder = match Decoder::new(bytes) {
            Ok(decoder) => decoder,
            Err(bad) => return (Vec::new(), Err(bad_bits(bad, 0))),
        };
        let reader = SectionReader {
            check: self,
            bits: decoder,
            section: number,
            line: 0,
            looked_at: 0,
            needed: Vec::new(),
            ends: Vec::new(),
            compared: Compared::default(),
            memory,
        };
        let mut walk = SectionWalk::new(self.claim, memory, reader);
        let walked = walk.start(start);
        let SectionWalk { teller, shown, lines, answers, .. } = walk;
        let SectionReader { bits, ends, needed, compared, .. } = teller;
        let read = walked.and_then(|()| bits.end().map_err(|bad| bad_bits(bad, lines)));
        match read {
            Ok(()) => self.lines.fetch_add(lines % COUNTED, Ordering::Relaxed),
            Err(_) => self.lines.fetch_sub(lines - lines % COUNTED, Ordering::Relaxed),
        };
        (needed, read.map(|()| WalkedSection { ends, shown, lines, answers, compared }))
    }
}

fn bad_bits(bad: BadBits, line: u64) -> CertificateError {
    let cause = match bad {
        BadBits::Short => "the section ends before everything is shown",
        BadBits::Wrong => "everything in this section is shown before its end, or its last bytes are not those written",
    };
    CertificateError::damaged(line, cause)
}

struct SectionReader<'a, 'b> {
    check: &'b SectionCheck<'a>,
    bits: Decoder<'b>,
    section: u64,
    /// The last line, from 1.
    line: u64,
    looked_at: u64,
    needed: Needed,
    ends: Vec<Scene>,
    compared: Compared,
    /// The most bytes that the two may take, each.
    memory: u64,
}

impl<'b> Teller for SectionReader<'_, 'b> {
    type Error = CertificateError;
    type Bits = Decoder<'b>;

    fn bits(&mut self) -> &mut Decoder<'b> {
        &mut self.bits
    }

    fn look(&mut self, view: &View<'_>) -> Result<(), CertificateError> {
        let number = self.looked_at;
        self.looked_at += 1;
        if !is_sampled(self.section, number) {
            return Ok(());
        }
        let Some(position) = AsPosition::new(self.check.claim.game, &self.check.claim.field, view.scene) else {
            return Ok(());
        };
        self.compared.positions += 1;
        self.compared.virtual_pods += u64::from(position.has_virtual_pods);
        position.differs(&view.choices).map_or(Ok(()), |cause| Err(CertificateError::unproven(self.line + 1, cause)))
    }

    fn needs(&mut self, key: &ShownKey) -> Result<(), CertificateError> {
        if self.section == 0 {
            return Err(self.fault("nothing before this line shows what it says is shown"));
        }
        // A full list grows to twice its size.
        if 2 * size_of::<(ShownKey, u64)>() as u64 * (self.needed.len() as u64 + 1) > self.memory {
            return Err(self.too_large(self.memory));
        }
        self.needed.push((*key, self.line));
        Ok(())
    }

    fn leaves(&mut self, scene: &Scene) -> Result<(), CertificateError> {
        if 2 * size_of::<Scene>() as u64 * (self.ends.len() as u64 + 1) > self.memory {
            return Err(self.too_large(self.memory));
        }
        self.ends.push(scene.clone());
        Ok(())
    }

    fn line(&mut self, lines: u64) -> Result<(), CertificateError> {
        self.line = lines;
        if lines.is_multiple_of(COUNTED) {
            self.check.lines.fetch_add(COUNTED, Ordering::Relaxed);
            if self.check.stop.load(Ordering::Relaxed) {
                return Err(CertificateError::stopped(lines));
            }
        }
        Ok(())
    }

    fn bad(&self, bad: BadBits) -> CertificateError {
        bad_bits(bad, self.line)
    }

    fn fault(&self, cause: &str) -> CertificateError {
        CertificateError::unproven(self.line, cause)
    }

    fn too_large(&self, memory: u64) -> CertificateError {
        CertificateError::memory(self.line, memory)
    }
}

/// Reads what follows the header, and checks it.
pub(super) fn check_sections(
    mut reader: Reader<impl BufRead>,
    subject: Subject,
    memory: u64,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Checked, CertificateError> {
    let winner = winner_of(&subject)?;
    let (quarter, threads) = shares(memory);
    let claim = Statement::new(&subject.game, winner);
    let check = SectionCheck::new(&claim);
    let shown = ShownBefore::within(memory / 2);
    let mut open = VecDeque::from([Scene::new(&subject.game, &subject.root)]);
    let (mut sections, mut lines, mut answers, mut full) = (0, 0, 0, false);
    let mut compared = Compared::default();
    // What ended the reading of sections before there was one for each situation: their end, or an
    // error. Faults of the sections before it come first, with any number of threads.
    let mut ended = None;
    loop {
        let most = if sections == 0 { 1 } else { threads * AHEAD };
        let mut wave: Vec<Section> = Vec::new();
        let mut bytes = 0;
        while ended.is_none() && wave.len() < most && (wave.is_empty() || bytes < quarter / 2) && !open.is_empty() {
            let number = sections + wave.len() as u64;
            match reader.section(quarter, lines + 2) {
                Ok(Some(read)) => {
                    let Some(start) = open.pop_front() else { break };
                    bytes += read.len() as u64;
                    wave.push(Section { number, bytes: read, start });
                }
                Ok(None) => ended = Some(Ok(())),
                Err(error) => ended = Some(Err(error.in_section(number + 1))),
            }
        }
        if wave.is_empty() {
            break;
        }
        // The first walk has the memory of what was listed before, which is nothing.
        let share = if sections == 0 { 2 * quarter } else { quarter / wave.len().min(threads) as u64 };
        for (section, (mut needed, mut walked)) in wave.iter().zip(walk_all(&check, &wave, (threads, share), progress)?)
        {
            let is_short = walked.as_ref().is_err_and(|error| error.fault == Fault::Memory) && share < quarter;
            if is_short && let Some(again) = walk_all(&check, slice::from_ref(section), (1, quarter), progress)?.pop() {
                // By itself it may have the memory of all.
                (needed, walked) = again;
            }
            let here = |error: CertificateError| error.in_section_after(sections + 1, lines);
            all_shown(&needed, &shown, full).map_err(here)?;
            let walked = walked.map_err(here)?;
            open.extend(walked.ends);
            if open.len() as u64 * size_of::<Scene>() as u64 > quarter {
                return Err(CertificateError::memory(lines + walked.lines + 1, quarter));
            }
            if !open.is_empty() || wave.len() as u64 > 1 {
                full |= !shown.add(&walked.shown);
            }
            sections += 1;
            lines += walked.lines;
            answers += walked.answers;
            compared.positions += walked.compared.positions;
            compared.virtual_pods += walked.compared.virtual_pods;
        }
    }
    match ended {
        Some(Err(error)) => return Err(CertificateError { line: lines + 2, ..error }),
        Some(Ok(())) if sections == 0 => return Err(CertificateError::damaged(2, "there is no section")),
        Some(Ok(())) => {
            return Err(CertificateError::unproven(lines + 2, "the sections end before everything is shown"));
        }
        None if reader.section_length(lines + 2)? != 0 => {
            return Err(CertificateError::damaged(lines + 2, "everything is shown before this section"));
        }
        None => {}
    }
    let digests = reader.trailer(lines)?;
    // Reports the last count; it is too late to end the check.
    let _ = progress(lines);
    Ok(Checked { sections, answers, compared: Some(compared), ..Checked::of(subject, CODED, lines, digests) })
}

/// Result of the walk of a section, and what it takes from earlier ones.
type Walked = (Needed, Result<WalkedSection, CertificateError>);

/// Walks sections side by side; returns the results in their order, up to the first error at the
/// least.
fn walk_all(
    check: &SectionCheck<'_>,
    wave: &[Section],
    (threads, memory): (usize, u64),
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Vec<Walked>, CertificateError> {
    let (next, (sender, results)) = (AtomicUsize::new(0), channel());
    let mut walked: Vec<Option<Walked>> = wave.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads.min(wave.len()) {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                while let Some(section) = wave.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let walked = check.walk((section.number, &section.bytes), &section.start, memory);
                    // Nobody hears it if the check was ended.
                    let _ = sender.send((section.number, walked));
                }
            };
            // Where the system gives no more threads, fewer do the same.
            started += usize::from(std::thread::Builder::new().spawn_scoped(scope, work).is_ok());
        }
        drop(sender);
        if started == 0 {
            return Err(CertificateError::new(Fault::Stopped, 1, "the system gives no thread to check with"));
        }
        loop {
            match results.recv_timeout(LOOK) {
                Ok((number, result)) => walked[(number - wave[0].number) as usize] = Some(result),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            let lines = check.lines.load(Ordering::Relaxed);
            if progress(lines).is_break() {
                check.stop.store(true, Ordering::Relaxed);
                return Err(CertificateError::stopped(lines));
            }
        }
    })?;
    Ok(walked.into_iter().flatten().collect())
}
