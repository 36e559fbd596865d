//! Building a table on disk: tier after tier, with checkpoints.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::blocks::BLOCK_CELLS;
use super::earlier::{Earlier, needed};
use super::error::TableError;
use super::file;
use super::header::{Content, Header, SetupText};
use super::index::Index;
use super::parts::{Parts, TierBlocks};
use super::plan::{TablePlan, own};
use super::solved::{Sweeps, solve_one};
use super::sweep::Swept;
use crate::engine::Bitboard;
use crate::position::{Game, Hand};

/// Bytes of finished tiers that wait to be written.
const MOST_UNSAVED: usize = 16 << 20;

/// The file of a table with this name and content.
#[must_use]
pub fn table_path(name: &Path, content: Content) -> PathBuf {
    let mut file = name.as_os_str().to_owned();
    file.push(".");
    file.push(content.extension());
    file.into()
}

/// How a build is to be done.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// The most memory to use, in bytes. Where not all solved tiers fit, those that are needed again are read back.
    pub memory: u64,
    /// How to solve.
    pub sweeps: Sweeps,
    /// How much work may be lost when the build is stopped: finished tiers are saved after so long.
    pub checkpoint: Duration,
    /// Write the file of outcomes only. Until it is written, distances are kept on disk all the same.
    pub outcomes_only: bool,
}

impl BuildOptions {
    /// The files to write.
    #[must_use]
    pub fn contents(&self) -> &'static [Content] {
        if self.outcomes_only { &[Content::Outcomes] } else { &[Content::Outcomes, Content::Plies] }
    }
}

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStep {
    /// Tiers up to this one were taken from an earlier build that was stopped.
    Resumed(usize),
    /// Half of a tier was read back from disk: it was solved by an earlier build, or dropped to make room.
    ReadBack(usize),
    /// A sweep of a tier is done.
    Swept(usize, Swept),
    /// A tier is solved.
    Solved(usize),
    /// Everything is solved; the files are being written.
    Writing,
}

/// Builds the files of a table. A build that was stopped is taken up again. The bytes are the same with that and
/// without, and whatever the limit of memory is.
///
/// # Errors
///
/// If the setup is too large for an index or for the memory, before it starts; or if a file cannot be written. Nothing
/// half-written keeps the name of a table.
pub fn build(
    game: &Game,
    hands: &[Hand; 2],
    name: &Path,
    options: BuildOptions,
    observe: &mut dyn FnMut(BuildStep),
) -> Result<(), TableError> {
    let index = Index::new(game, hands)?;
    let plan = TablePlan::new(game, &index);
    if plan.total.least > options.memory {
        let (positions, needed) = (plan.total.positions, plan.total.least);
        return Err(TableError::Memory { positions, needed, limit: options.memory });
    }
    let setup = SetupText::new(game, hands);
    let mut parts = Parts::open(parts_folder(name), &setup)?;
    let mut wide_tiers = Vec::new();
    let mut resumed = 0;
    while let Some(wide) = parts.next(resumed) {
        wide_tiers.extend((resumed..).zip(&wide).filter(|(_, wide)| **wide).map(|(tier, _)| tier));
        resumed += wide.len();
        observe(BuildStep::Resumed(resumed));
    }
    let mut earlier = Earlier::dropped(resumed);
    let engine = Bitboard::new(game.clone());
    let (mut unsaved, mut saved_at) = (Vec::new(), Instant::now());
    for number in resumed..index.tiers().len() {
        let needed = needed(&index, number);
        let room = options.memory.saturating_sub(own(&index, &index.tiers()[number]));
        let superfluous = earlier.superfluous(&index, &needed, room);
        // What is not on disk yet cannot be read back.
        if superfluous.iter().any(|half| half.tier >= number - unsaved.len()) {
            parts.add(number - unsaved.len(), &unsaved)?;
            unsaved.clear();
            saved_at = Instant::now();
        }
        superfluous.into_iter().for_each(|half| earlier.drop_half(half));
        for half in needed {
            if !earlier.has(half) {
                earlier.put(half, parts.codes(&index, half)?);
                observe(BuildStep::ReadBack(half.tier));
            }
        }
        let codes = solve_one(&engine, &index, number, &earlier, options.sweeps, &mut |swept| {
            observe(BuildStep::Swept(number, swept));
        });
        let blocks = TierBlocks::new(&index, number, &codes).map_err(TableError::io(name))?;
        if blocks.wide {
            wide_tiers.push(number);
        }
        unsaved.push(blocks);
        earlier.push(codes);
        observe(BuildStep::Solved(number));
        let large = unsaved.iter().map(TierBlocks::len).sum::<usize>() > MOST_UNSAVED;
        if large || saved_at.elapsed() >= options.checkpoint || number + 1 == index.tiers().len() {
            parts.add(number + 1 - unsaved.len(), &unsaved)?;
            unsaved.clear();
            saved_at = Instant::now();
        }
    }
    drop(earlier);
    observe(BuildStep::Writing);
    for &content in options.contents() {
        let wide_tiers = wide_tiers.clone();
        let header = Header { content, setup: setup.clone(), block_cells: BLOCK_CELLS, wide_tiers };
        file::write(&table_path(name, content), parts.folder(), &header, parts.tiers(content))?;
    }
    parts.remove()
}

/// Where the parts of an unfinished build are kept.
fn parts_folder(name: &Path) -> PathBuf {
    let mut folder = name.as_os_str().to_owned();
    folder.push(".building");
    folder.into()
}

/// Drops what a build that was stopped after its files were in place has left behind.
///
/// # Errors
///
/// If it cannot be removed.
pub fn discard_parts(name: &Path) -> Result<(), TableError> {
    let folder = parts_folder(name);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(TableError::io(&folder)(error)),
        _ => Ok(()),
    }
}
