//! Building a table on disk: tier after tier, with checkpoints.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::blocks::BLOCK_CELLS;
use super::codes::Codes;
use super::error::TableError;
use super::file;
use super::header::{Content, Header, SetupText};
use super::index::Index;
use super::parts::{Parts, TierBlocks};
use super::plan::TablePlan;
use super::solved::{Sweeps, solve_one};
use super::sweep::Swept;
use crate::engine::Bitboard;
use crate::position::{Game, Hand};

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
    /// The most memory to use, in bytes.
    pub memory: u64,
    /// How to solve.
    pub sweeps: Sweeps,
    /// How much work may be lost when the build is stopped: finished tiers are saved after so long.
    pub checkpoint: Duration,
}

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStep {
    /// Tiers up to this one were taken from an earlier build that was stopped.
    Resumed(usize),
    /// A sweep of a tier is done.
    Swept(usize, Swept),
    /// A tier is solved.
    Solved(usize),
    /// Everything is solved; the files are being written.
    Writing,
}

/// Builds the two files of a table. A build that was stopped is taken up again, and gives the same bytes.
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
    if plan.total.memory > options.memory {
        let (positions, needed) = (plan.total.positions, plan.total.memory);
        return Err(TableError::Memory { positions, needed, limit: options.memory });
    }
    let setup = SetupText::new(game, hands);
    let mut parts = Parts::open(parts_folder(name), &setup)?;
    let mut solved: Vec<[Codes; 2]> = Vec::new();
    let mut wide_tiers = Vec::new();
    while let Some(tiers) = parts.next(solved.len()) {
        for tier in tiers {
            let number = solved.len();
            let codes = tier.codes(&index, number).ok_or_else(|| TableError::damaged(name, "a part"))?;
            if tier.wide {
                wide_tiers.push(number);
            }
            solved.push(codes);
        }
        observe(BuildStep::Resumed(solved.len()));
    }
    let engine = Bitboard::new(game.clone());
    let (mut unsaved, mut saved_at) = (Vec::new(), Instant::now());
    for number in solved.len()..index.tiers().len() {
        let codes = solve_one(&engine, &index, number, &solved, options.sweeps, &mut |swept| {
            observe(BuildStep::Swept(number, swept));
        });
        let blocks = TierBlocks::new(&index, number, &codes).map_err(TableError::io(name))?;
        if blocks.wide {
            wide_tiers.push(number);
        }
        unsaved.push(blocks);
        solved.push(codes);
        observe(BuildStep::Solved(number));
        let large = unsaved.iter().map(TierBlocks::len).sum::<usize>() > 64 << 20;
        if large || saved_at.elapsed() >= options.checkpoint || solved.len() == index.tiers().len() {
            parts.add(solved.len() - unsaved.len(), &unsaved)?;
            unsaved.clear();
            saved_at = Instant::now();
        }
    }
    drop(solved);
    observe(BuildStep::Writing);
    for content in [Content::Outcomes, Content::Plies] {
        let wide_tiers = wide_tiers.clone();
        let header = Header { content, setup: setup.clone(), block_cells: BLOCK_CELLS, wide_tiers };
        let tiers = parts
            .tiers()
            .map(|tier| tier.map(|tier| if content == Content::Outcomes { tier.outcomes } else { tier.plies }));
        file::write(&table_path(name, content), parts.folder(), &header, tiers)?;
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
