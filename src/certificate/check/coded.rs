//! Checks a certificate of version 4: one thread reads sections, others walk them side by side.

use std::collections::VecDeque;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};

use super::super::CODED;
use super::super::coded::{
    AsPosition, BadBits, Compared, Decoder, Scene, SectionWalk, Statement, Teller, View, is_sampled,
};
use super::super::error::{CertificateError, Fault};
use super::super::header::Subject;
use super::super::shown_before::{Shown, ShownBefore, ShownKey};
use super::read::Reader;
use super::walk::winner_of;
use super::{Checked, LOOK, all_shown, shares};

/// Number of sections that each thread is given at once.
const AHEAD: usize = 4;

/// Number of lines that are counted at once.
const COUNTED: u64 = 1 << 12;

/// A section as it was read.
struct Section {
    number: u64,
    bytes: Vec<u8>,
    start: Scene,
}

/// Result of the walk of a section.
pub(in crate::certificate) struct WalkedSection {
    pub(in crate::certificate) ends: Vec<Scene>,
    /// Keys that earlier sections must have listed, and the lines that say so.
    needed: Vec<(ShownKey, u64)>,
    pub(in crate::certificate) shown: Shown,
    pub(in crate::certificate) lines: u64,
    answers: u64,
    compared: Compared,
}

/// State shared by the checks of all sections.
pub(in crate::certificate) struct SectionCheck<'a> {
    pub(super) claim: &'a Statement<'a>,
    /// Lines walked so far.
    pub(super) lines: AtomicU64,
    pub(super) stop: AtomicBool,
}

impl<'a> SectionCheck<'a> {
    pub(in crate::certificate) fn new(claim: &'a Statement<'a>) -> SectionCheck<'a> {
        SectionCheck { claim, lines: AtomicU64::new(0), stop: AtomicBool::new(false) }
    }

    /// Walks a section. What it lists may take `memory` bytes, and as much what it leaves to others
    /// and takes from them. Lines of errors are counted from the beginning of the section.
    pub(in crate::certificate) fn walk(
        &self,
        (number, bytes): (u64, &[u8]),
        start: &Scene,
        memory: u64,
    ) -> Result<WalkedSection, CertificateError> {
        let decoder = Decoder::new(bytes).map_err(|bad| bad_bits(bad, 1))?;
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
        walk.start(start)?;
        let SectionWalk { teller, shown, lines, answers, .. } = walk;
        teller.bits.end().map_err(|bad| bad_bits(bad, lines + 1))?;
        self.lines.fetch_add(lines % COUNTED, Ordering::Relaxed);
        let SectionReader { ends, needed, compared, .. } = teller;
        Ok(WalkedSection { ends, needed, shown, lines, answers, compared })
    }
}

fn bad_bits(bad: BadBits, line: u64) -> CertificateError {
    let cause = match bad {
        BadBits::Short => "the section ends before everything is shown",
        BadBits::Wrong => "everything in this section is shown before its end, or its last bytes are not those written",
    };
    CertificateError::damaged(line, cause)
}

/// Reader of the lines of a section.
struct SectionReader<'a, 'b> {
    check: &'b SectionCheck<'a>,
    bits: Decoder<'b>,
    section: u64,
    /// The last line, from 1.
    line: u64,
    /// Situations that were looked at.
    looked_at: u64,
    needed: Vec<(ShownKey, u64)>,
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
        bad_bits(bad, self.line + 1)
    }

    fn fault(&self, cause: &str) -> CertificateError {
        CertificateError::unproven(self.line.max(1), cause)
    }

    fn too_large(&self, memory: u64) -> CertificateError {
        CertificateError::memory(self.line, memory)
    }
}

/// Reads what follows the header, and checks it.
pub(in crate::certificate) fn check_coded(
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
    loop {
        let most = if sections == 0 { 1 } else { threads * AHEAD };
        let mut wave: Vec<Section> = Vec::new();
        let mut bytes = 0;
        while wave.len() < most && (wave.is_empty() || bytes < quarter / 2) && !open.is_empty() {
            let number = sections + wave.len() as u64;
            let Some(read) = reader.section(quarter, lines + 2).map_err(|error| error.in_section(number + 1))? else {
                break;
            };
            let Some(start) = open.pop_front() else { break };
            bytes += read.len() as u64;
            wave.push(Section { number, bytes: read, start });
        }
        if wave.is_empty() {
            break;
        }
        // The first walk has the memory of what was listed before, which is nothing.
        let share = if sections == 0 { 2 * quarter } else { quarter / wave.len().min(threads) as u64 };
        for walked in walk_all(&check, &wave, (threads, share), progress)? {
            let here = |error: CertificateError| error.in_section_after(sections + 1, lines);
            let walked = walked.map_err(here)?;
            all_shown(&walked.needed, &shown, full).map_err(here)?;
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
    if !open.is_empty() {
        return Err(CertificateError::unproven(lines + 2, "the sections end before everything is shown"));
    }
    if sections == 0 || reader.section(quarter, lines + 2)?.is_some() {
        return Err(CertificateError::damaged(lines + 2, "everything is shown before this section"));
    }
    let digests = reader.trailer(lines)?;
    // Reports the last count; it is too late to end the check.
    let _ = progress(lines);
    let sections = sections - 1;
    Ok(Checked { sections, answers, compared: Some(compared), ..Checked::of(subject, CODED, lines, digests) })
}

/// Walks sections side by side; returns the results in their order, up to the first error at the
/// least.
fn walk_all(
    check: &SectionCheck<'_>,
    wave: &[Section],
    (threads, memory): (usize, u64),
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Vec<Result<WalkedSection, CertificateError>>, CertificateError> {
    let (next, (sender, results)) = (AtomicUsize::new(0), channel());
    let mut walked: Vec<Option<Result<WalkedSection, CertificateError>>> = wave.iter().map(|_| None).collect();
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
