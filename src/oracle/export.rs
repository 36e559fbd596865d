//! Makes oracle sets: positions of every kind, drawn at random and written as they come.

use std::cell::RefCell;
use std::io::{self, Read as _, Write};

use sha2::{Digest as _, Sha256};

use super::draw::{below, seeded, set_up, walk};
use super::facts::{Engines, Facts, Provenance};
use super::illegal::near_illegal;
use super::kinds::KINDS;
use super::line::Line;
use super::manifest::{FORMAT, FORMAT_VERSION, FileRecord, KindCount, NOTES, OracleManifest};
use super::record::GameRecord;
use crate::engine::{Engine, Status};
use crate::files::{Destination, OutputError, hex, like, read_bytes};
use crate::material::Side;
use crate::position::{Position, Setup, StartError};
use crate::progress::{Observer, Phase, report};
use crate::report::Cited;
use crate::table::{AnswerError, Tablebase};

/// Specification of an oracle set.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Spec {
    /// The setup.
    pub setup: Setup,
    /// Seed of the random positions.
    pub seed: u64,
    /// Number of positions of each kind that are wanted.
    pub count: u64,
    /// The most positions that a solver's table may have for a position to be solved; `None` for no
    /// values.
    pub solve: Option<u64>,
}

impl Spec {
    /// Returns the set of a setup: 20 positions of each kind from seed 1, none solved.
    #[must_use]
    pub fn new(setup: Setup) -> Spec {
        Spec { setup, seed: 1, count: 20, solve: None }
    }

    /// Returns these options with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Spec {
        Spec { seed, ..self }
    }

    /// Returns these options with `count` positions of each kind.
    #[must_use]
    pub fn with_count(self, count: u64) -> Spec {
        Spec { count, ..self }
    }

    /// Returns these options with values, where a solver's table has at most `solve` positions;
    /// `None` for no values.
    #[must_use]
    pub fn with_solve(self, solve: Option<u64>) -> Spec {
        Spec { solve, ..self }
    }
}

/// The name of the manifest's file.
pub const MANIFEST: &str = "manifest.json";

/// The name of the file with the positions.
pub const POSITIONS: &str = "positions.jsonl";

pub(crate) const POSITIONS_ZST: &str = "positions.jsonl.zst";

/// The program and its version, as manifests have it.
pub(super) const GENERATOR: &str = concat!("pods ", env!("CARGO_PKG_VERSION"));

/// The most bytes of a manifest; one of 64 points and 26 pods takes a hundredth of it.
pub(super) const MAX_MANIFEST: u64 = 1 << 20;

/// Beginnings of the two files.
const MANIFEST_HEAD: &[u8] = b"{\n  \"format\": \"pods-oracle\",";
const POSITIONS_HEAD: &[u8] = b"{\"position\":\"";

/// Illegal actions in a line, at most.
const ILLEGAL: usize = 8;

/// The search ends after this number of games and set-ups in a row without a new position.
const PATIENCE: u64 = 300;

/// The search ends after this number of games and set-ups in all, and 4 more for each position
/// wanted of a kind. What is rarer than that stays rare in the set.
const EFFORT: u64 = 1000;

/// Reasons why a set could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The game cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A file is refused or cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Something cannot be packed or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] AnswerError),
    /// The export was ended early.
    #[error("{0} positions were drawn; there is no new file")]
    Stopped(u64),
}

/// Writes an oracle set into a folder, which is created if it is missing. Memory does not grow with
/// the number of lines. If `spec` wants values, those of positions in `tables` are looked up,
/// whatever the size of the game. The observer is told the number of the next line and the number
/// of lines wanted, and may end the export.
///
/// # Errors
///
/// If the game cannot start, a table is damaged, a file cannot be written, or the observer ended
/// the export. No file is changed before all lines are drawn.
pub fn export(
    spec: &Spec,
    tables: Option<&Tablebase>,
    to: Destination<'_>,
    compressed: bool,
    observer: &dyn Observer,
) -> Result<OracleManifest, ExportError> {
    spec.setup.start(Side::White)?;
    let (name, other) = if compressed { (POSITIONS_ZST, POSITIONS) } else { (POSITIONS, POSITIONS_ZST) };
    let before = set_there(to);
    let game = GameRecord::of(&spec.setup);
    let judge = |head: &[u8]| like_manifest_of(head, &game);
    let manifest_file = to.output(MANIFEST, &judge)?;
    let positions_file = to.output(name, &like_positions)?;
    let mut hash = Sha256::new();
    let wanted = spec.count * KINDS.len() as u64;
    let mut stopped = None;
    let mut write_to = |out: &mut dyn Write| -> Result<Vec<KindCount>, ExportError> {
        generate(spec, tables, &mut |line: &Line| {
            let mut text = line.text();
            text.push('\n');
            hash.update(text.as_bytes());
            if report(observer, Phase::Export, line.number, Some(wanted)).is_err() {
                stopped = Some(line.number);
                return Err(io::ErrorKind::Interrupted.into());
            }
            out.write_all(text.as_bytes())
        })
    };
    let mut kinds = Vec::new();
    let written = positions_file.write(|out| -> Result<(), ExportError> {
        if compressed {
            let mut encoder = zstd::Encoder::new(out, 9)?;
            kinds = write_to(&mut encoder)?;
            encoder.finish()?;
        } else {
            kinds = write_to(out)?;
        }
        Ok(())
    });
    if let Some(lines) = stopped {
        return Err(ExportError::Stopped(lines));
    }
    written?;
    // The set that is replaced may have its positions in the other file.
    if before.as_deref() == Some(other) {
        let _ = std::fs::remove_file(to.folder.join(other));
    }
    let sha256 = hex(&hash.finalize());
    let lines = kinds.iter().map(|kind| kind.positions).sum();
    let manifest = OracleManifest {
        format: FORMAT.to_owned(),
        version: FORMAT_VERSION,
        game: game.clone(),
        rules_name: spec.setup.game().rules().to_string(),
        sources: vec![
            format!("board {}: {}", spec.setup.game().board().name(), spec.setup.game().board().source()),
            format!("pods {}: {}", spec.setup.game().pods().name(), spec.setup.game().pods().source()),
        ],
        generator: GENERATOR.to_owned(),
        seed: spec.seed,
        count: spec.count,
        solve: spec.solve,
        tables: cited(spec, tables)?,
        kinds,
        positions: FileRecord { file: name.to_owned(), lines, sha256 },
        notes: NOTES.iter().map(|&note| note.to_owned()).collect(),
    };
    let json = serde_json::to_string_pretty(&manifest).map_err(io::Error::from)? + "\n";
    manifest_file.write_bytes(json.as_bytes())?;
    Ok(manifest)
}

/// Checks that a file is the manifest of an oracle set of this setup.
fn like_manifest_of(head: &[u8], game: &GameRecord) -> Result<(), String> {
    like(head, MANIFEST_HEAD, "the manifest of an oracle set")?;
    match serde_json::from_slice::<OracleManifest>(head) {
        Ok(there) if there.game == *game => Ok(()),
        Ok(there) => Err(format!(
            "it is of the set of another setup: {}, hands {}:{}, {}",
            there.sources.join("; "),
            there.game.white_hand,
            there.game.black_hand,
            there.rules_name
        )),
        Err(error) => Err(format!("it cannot be read as the manifest of an oracle set: {error}")),
    }
}

/// Checks that a file begins like the positions of an oracle set, compressed or not.
fn like_positions(head: &[u8]) -> Result<(), String> {
    let mut plain = vec![0; POSITIONS_HEAD.len()];
    let packed = zstd::Decoder::with_buffer(head).and_then(|mut packed| packed.read_exact(&mut plain));
    like(if packed.is_ok() { &plain } else { head }, POSITIONS_HEAD, "the positions of an oracle set")
}

/// Returns the name of the file with the positions of the oracle set that a folder holds, if there
/// is one.
fn set_there(of: Destination<'_>) -> Option<String> {
    let bytes = read_bytes(&of.folder.join(MANIFEST), MAX_MANIFEST).ok()?;
    let manifest: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    let name = manifest["positions"]["file"].as_str()?;
    (manifest["format"] == FORMAT && [POSITIONS, POSITIONS_ZST].contains(&name)).then(|| name.to_owned())
}

/// Returns the files of the tables that values are looked up in.
fn cited(spec: &Spec, tables: Option<&Tablebase>) -> Result<Vec<Cited>, AnswerError> {
    let Some(tables) = tables.filter(|_| spec.solve.is_some()) else { return Ok(Vec::new()) };
    let mut cited = Vec::new();
    for file in tables.of(spec.setup.game())?.files() {
        let name = file.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        cited.push(Cited { file: name, sha256: hex(&file.sha256()?) });
    }
    Ok(cited)
}

/// Draws positions and emits a line for each that a kind still needs; returns the number of lines
/// by kind. The same spec and tables always give the same lines.
///
/// # Errors
///
/// If the game cannot start, a table is damaged, or `emit` fails.
pub(super) fn generate(
    spec: &Spec,
    tables: Option<&Tablebase>,
    emit: &mut dyn FnMut(&Line) -> io::Result<()>,
) -> Result<Vec<KindCount>, ExportError> {
    let failure = RefCell::new(None);
    let tables = tables.map(|tablebase| tablebase.of(spec.setup.game())).transpose().map_err(AnswerError::from)?;
    let engines = Engines::new(spec.setup.game(), spec.solve, tables, &failure);
    let mut counts = vec![0_u64; KINDS.len()];
    let mut seen = Seen::new(spec.count.saturating_mul(KINDS.len() as u64));
    let (mut number, mut idle, mut draw) = (0, 0, 0);
    let most = EFFORT.saturating_add(spec.count.saturating_mul(4));
    while idle < PATIENCE && draw < most && counts.iter().any(|&count| count < spec.count) {
        let mut random = seeded(spec.seed, draw);
        idle += 1;
        for (position, origin) in drawn(spec, &engines, draw, &mut random)? {
            let needed = |kind: usize| counts[kind] < spec.count;
            let text = position.display(spec.setup.game()).to_string();
            if !(0..KINDS.len()).any(needed) || seen.contains(&text) {
                continue;
            }
            let illegal = near_illegal(&engines.reference, &position, ILLEGAL, &mut random);
            let facts = Facts::new(&engines, &position, origin, illegal);
            // Of the kinds that need more, the one that has the fewest.
            let fits = (0..KINDS.len()).filter(|&kind| needed(kind) && KINDS[kind].1(&facts));
            let Some(kind) = fits.min_by_key(|&kind| counts[kind]) else { continue };
            seen.insert(&text);
            counts[kind] += 1;
            number += 1;
            idle = 0;
            let mut line = Line::of(&engines.fast, &position, &facts.illegal);
            line.solved(facts.solved().cloned());
            if let Some(error) = engines.failure() {
                return Err(error.into());
            }
            (line.kind, line.number) = (KINDS[kind].0.to_owned(), number);
            emit(&line)?;
        }
        draw += 1;
    }
    // The last position that was looked up may be one that no kind needed.
    if let Some(error) = engines.failure() {
        return Err(error.into());
    }
    let count = |(kind, &positions): (&super::kinds::Kind, &u64)| KindCount { kind: kind.0.to_owned(), positions };
    Ok(KINDS.iter().zip(&counts).map(count).collect())
}

/// Returns the positions of a draw: in turn those of a game from the start, a set-up with what
/// follows, and one with few pods.
fn drawn(
    spec: &Spec,
    engines: &Engines<'_>,
    draw: u64,
    random: &mut rand_pcg::Pcg64,
) -> Result<Vec<(Position, Provenance)>, StartError> {
    if draw.is_multiple_of(3) {
        let black = below(random, 5) == 0;
        let start = |first| spec.setup.start(first);
        // Black may lack a bipod to open with; White does not.
        let start = if black { start(Side::Black).or_else(|_| start(Side::White))? } else { start(Side::White)? };
        let positions = walk(spec.setup.game(), start, 60, random);
        let last = positions.len() - 1;
        let over = engines.fast.status(&positions[last]) != Status::Ongoing;
        let origin = |ply: usize| Provenance::Play { ply, left: over.then(|| last - ply) };
        return Ok(positions.into_iter().enumerate().map(|(ply, position)| (position, origin(ply))).collect());
    }
    let (most, plies) = if draw % 3 == 1 { (usize::MAX, 3) } else { (1 + below(random, 4), 6) };
    let Some(first) = set_up(spec.setup.game(), most, random) else { return Ok(Vec::new()) };
    let positions = walk(spec.setup.game(), first, plies, random);
    let origin = |ply: usize| if ply == 0 { Provenance::SetUp } else { Provenance::FromSetUp };
    Ok(positions.into_iter().enumerate().map(|(ply, position)| (position, origin(ply))).collect())
}

/// The positions written so far, as a Bloom filter of constant size. It has no false negatives, so
/// no position is written twice. One in some thousand new positions is a false positive and is
/// skipped.
struct Seen {
    bits: Vec<u64>,
}

impl Seen {
    /// Four bits are set for each text.
    const HASHES: usize = 4;

    fn new(expected: u64) -> Seen {
        let bits = expected.saturating_mul(32).clamp(1 << 16, 1 << 30).next_power_of_two();
        Seen { bits: vec![0; (bits / 64) as usize] }
    }

    fn places(&self, text: &str) -> [usize; Seen::HASHES] {
        let digest = Sha256::digest(text.as_bytes());
        let mut places = [0; Seen::HASHES];
        for (place, bytes) in places.iter_mut().zip(digest.chunks_exact(8)) {
            let number = bytes.iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
            *place = (number % (self.bits.len() as u64 * 64)) as usize;
        }
        places
    }

    fn contains(&self, text: &str) -> bool {
        self.places(text).iter().all(|place| self.bits[place / 64] >> (place % 64) & 1 == 1)
    }

    fn insert(&mut self, text: &str) {
        for place in self.places(text) {
            self.bits[place / 64] |= 1 << (place % 64);
        }
    }
}
