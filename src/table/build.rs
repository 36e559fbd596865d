//! Building a table on disk: tier after tier, with checkpoints.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::engine::Bitboard;
use crate::files::{Inputs, Output, Overwrite};
use crate::position::Setup;
use crate::progress::{BuildStep, Observer, Swept};
use crate::solver::Limits;
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::plan::{Need, STREAM_REST, TablePlan, check_space, left_for_blocks, left_for_strips, may_shove, own};
use crate::table::probe::Table;
use crate::table::retro::{
    Alone, ChildTiers, DiskTier, Evaluator, KnownDistances, Share, SolvedLogs, ToTheEnd, drop_logs, needed, solve_tier,
};
use crate::table::solve::{Sweeps, with_evaluator};
use crate::table::steps::Steps;
use crate::table::storage::{
    BlockRows, BuildFolder, Division, Header, NewFile, Parts, SetupText, TierBlocks, Undivided, like_table,
    remove_left, table_path, write_codes, write_table,
};

/// Bytes of finished tiers that wait to be written.
const MAX_UNSAVED: usize = 16 << 20;
/// Cells, both sides to move, from which on the blocks of a tier do not wait.
const LARGE_TIER: usize = 16 << 20;

/// Options of a build. The defaults are 8 GiB, bit-parallel sweeps and a checkpoint every ten seconds;
/// tiers are solved from disk only where memory does not suffice.
///
/// ```
/// use pods::table::BuildOptions;
///
/// let options = BuildOptions { memory: 1 << 30, ..BuildOptions::default() };
/// assert!(!options.force);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// The most memory to use, in bytes. Where not all solved tiers fit, those that are needed
    /// again are read back.
    pub memory: u64,
    /// Sweeps to solve with.
    pub sweeps: Sweeps,
    /// The time between checkpoints: the most work that is lost when the build is stopped.
    pub checkpoint: Duration,
    /// Solve every tier from disk, also those that fit in memory: to compare with.
    pub stream: bool,
    /// Remove the parts of an unfinished build with the same name, whatever its setup.
    pub discard: bool,
    /// Replace the file of another table, or whatever else stands where the file belongs.
    pub force: bool,
}

impl Default for BuildOptions {
    /// Returns the defaults: 8 GiB, the fast sweeps, at most ten seconds of work lost;
    /// nothing is discarded or replaced.
    fn default() -> BuildOptions {
        BuildOptions {
            memory: Limits::DEFAULT_MEMORY,
            sweeps: Sweeps::BitParallel,
            checkpoint: Duration::from_secs(10),
            stream: false,
            discard: false,
            force: false,
        }
    }
}

/// Builds the file of a table. A build that was stopped is taken up again. The bytes are the same
/// with that and without, whatever the limit of memory is, and whichever tiers are solved in
/// memory.
///
/// # Errors
///
/// If the setup is too large for an index, for the memory, or for what is free on disk, before it
/// starts; if another process builds a table of this name, or a file or parts of another setup have
/// it, unless the options let them go; or if a file cannot be written. Nothing half-written keeps
/// the name of a table.
pub fn build(setup: &Setup, name: &Path, options: BuildOptions, observer: &dyn Observer) -> Result<(), TableError> {
    let shoves = may_shove(setup.game());
    build_by(setup, name, options, &mut OneProcess { options, shoves, distances: KnownDistances::default() }, observer)
}

/// The processes of a build, as the first of them sees them.
pub(in crate::table) trait Team {
    /// Returns the least memory that this process needs.
    fn least(&self, index: &Index, plan: &TablePlan) -> u64;

    /// Lets the other processes come; called when the folder of the build is open.
    fn meet(&mut self, parts: &Parts) -> Result<(), TableError>;

    /// Returns `true` if a tier is solved from disk, by all together.
    fn shares(&self, need: &Need) -> bool;

    /// Solves a tier from disk and adds it to the parts; says whether it is wide.
    fn solve(
        &mut self,
        index: &Index,
        evaluator: &dyn Evaluator,
        number: usize,
        parts: &mut Parts,
        observe: &mut dyn FnMut(Swept),
    ) -> Result<bool, TableError>;

    /// Calls `write` with the processes that make the blocks of the file, when all tiers are solved
    /// and in the parts.
    fn write(&mut self, write: &mut WriteFile<'_>) -> Result<(), TableError>;
}

/// Callback that writes the file, with blocks that are made by a division.
pub(in crate::table) type WriteFile<'a> = dyn FnMut(&mut dyn Division) -> Result<(), TableError> + 'a;

struct OneProcess {
    options: BuildOptions,
    shoves: bool,
    distances: KnownDistances,
}

impl Team for OneProcess {
    fn least(&self, _: &Index, plan: &TablePlan) -> u64 {
        plan.total.streamed
    }

    fn meet(&mut self, _: &Parts) -> Result<(), TableError> {
        Ok(())
    }

    fn shares(&self, need: &Need) -> bool {
        self.options.stream || need.least > self.options.memory
    }

    fn solve(
        &mut self,
        index: &Index,
        evaluator: &dyn Evaluator,
        number: usize,
        parts: &mut Parts,
        observe: &mut dyn FnMut(Swept),
    ) -> Result<bool, TableError> {
        let BuildOptions { memory, stream, checkpoint, .. } = self.options;
        let shoves = self.shoves;
        let share = Share {
            index,
            number,
            process: 0,
            processes: 1,
            parts,
            evaluator,
            distances: &self.distances.of_needed(index, number, parts)?,
            scratch: parts.folder(),
            shoves,
            memory: left_for_strips(index, number, memory, STREAM_REST),
            stream,
            checkpoint,
            makes_blocks: true,
        };
        let (tier, begun) = DiskTier::open(&share)?;
        let (wide, work) = tier.solve(&share, begun, &Alone, observe)?;
        // Frees the words before the blocks are written.
        drop(tier);
        let memory = left_for_blocks(index, number, memory, STREAM_REST, shoves);
        let logs = SolvedLogs { index, number, wide, shoves, work: &work, memory };
        logs.write(parts, &mut Undivided)?;
        logs.remove(parts)?;
        Ok(wide)
    }

    fn write(&mut self, write: &mut WriteFile<'_>) -> Result<(), TableError> {
        write(&mut Undivided)
    }
}

/// Checks that a build that needs this much memory may use it.
pub(in crate::table) fn check_memory(plan: &TablePlan, needed: u64, limit: u64) -> Result<(), TableError> {
    let positions = plan.total.positions;
    if needed > limit { Err(TableError::Memory { positions, needed, limit }) } else { Ok(()) }
}

pub(in crate::table) fn build_by(
    setup: &Setup,
    name: &Path,
    options: BuildOptions,
    team: &mut dyn Team,
    observer: &dyn Observer,
) -> Result<(), TableError> {
    let index = Index::new(setup)?;
    let plan = TablePlan::new(setup.game(), &index);
    let observe = &mut Steps::new(&plan, observer).observe();
    check_memory(&plan, team.least(&index, &plan), options.memory)?;
    check_space(&parts_folder(name), &plan, plan.scratch_of_build(options.memory, options.stream))?;
    let text = SetupText::new(setup);
    let inputs = Inputs::default();
    let path = table_path(name);
    // What is there has been opened, and is of the same setup or to be replaced.
    let output = || Output::to_keep(&path, Overwrite { force: options.force, inputs: &inputs, judge: &like_table });
    // First what stands there, since opening a FIFO would wait for somebody to write to it.
    output()?;
    if path.exists() && !options.force {
        let there = Table::open(name).and_then(|table| table.of(setup));
        there.map_err(|error| TableError::InTheWay(Box::new(error)))?;
    }
    let build_folder = BuildFolder::open(&parts_folder(name), &text, options.discard)?;
    let mut parts = Parts::open(build_folder, &text)?;
    let mut wide_tiers = Vec::new();
    let mut resumed = 0;
    while let Some(wide) = parts.next(resumed) {
        wide_tiers.extend((resumed..).zip(&wide).filter(|(_, wide)| **wide).map(|(tier, _)| tier));
        resumed += wide.len();
        observe(BuildStep::Resumed(resumed));
    }
    drop_logs(parts.folder(), resumed)?;
    team.meet(&parts)?;
    let engine = Bitboard::new(setup.game().clone());
    let earlier = ChildTiers::dropped(resumed);
    let mut build = Build {
        index: &index,
        engine: &engine,
        options,
        name,
        parts,
        earlier,
        unsaved: Vec::new(),
        saved: Instant::now(),
    };
    for number in resumed..index.tiers().len() {
        let need = &plan.tiers[number];
        let wide =
            if team.shares(need) { build.share(number, team, observe)? } else { build.solve(number, observe)? };
        if wide {
            wide_tiers.push(number);
        }
        observe(BuildStep::Solved(number));
    }
    build.save(index.tiers().len())?;
    let parts = build.parts;
    drop(build.earlier);
    let header = Header { setup: text.clone(), block_rows: BlockRows::new(&index), wide_tiers };
    let file = NewFile { output: output()?, header };
    team.write(&mut |division| {
        write_table(&file, &index, &parts, division, &mut |done, all| observe(BuildStep::Writing(done, all)))
    })?;
    parts.remove()
}

struct Build<'a> {
    index: &'a Index,
    engine: &'a Bitboard,
    options: BuildOptions,
    name: &'a Path,
    parts: Parts,
    earlier: ChildTiers,
    /// The last tiers, not on disk yet.
    unsaved: Vec<TierBlocks>,
    /// Time at which tiers were last saved.
    saved: Instant,
}

impl Build<'_> {
    /// Saves the tiers before `number` that are not on disk yet.
    fn save(&mut self, number: usize) -> Result<(), TableError> {
        if !self.unsaved.is_empty() {
            let tiers = std::mem::take(&mut self.unsaved);
            self.parts
                .add(number - tiers.len(), tiers.len(), |writer| tiers.iter().try_for_each(|t| t.write(writer)))?;
        }
        self.saved = Instant::now();
        Ok(())
    }

    /// Makes room for a tier and reads what it needs.
    fn prepare(&mut self, number: usize, observe: &mut dyn FnMut(BuildStep)) -> Result<(), TableError> {
        let index = self.index;
        let needed = needed(index, number);
        let room = self.options.memory.saturating_sub(own(index, number));
        let superfluous = self.earlier.superfluous(index, &needed, room);
        // What is not on disk yet cannot be read back.
        if superfluous.iter().any(|tier_side| tier_side.tier >= number - self.unsaved.len()) {
            self.save(number)?;
        }
        superfluous.into_iter().for_each(|tier_side| self.earlier.drop_half(tier_side));
        for tier_side in needed {
            if !self.earlier.has(tier_side) {
                self.earlier.put(tier_side, self.parts.codes(index, tier_side)?);
                observe(BuildStep::ReadBack(tier_side.tier));
            }
        }
        Ok(())
    }

    /// Solves a tier in memory; says whether it is wide.
    fn solve(&mut self, number: usize, observe: &mut dyn FnMut(BuildStep)) -> Result<bool, TableError> {
        self.prepare(number, observe)?;
        let index = self.index;
        let tier = &index.tiers()[number];
        let Ok(solved) = with_evaluator(self.engine, index, self.options.sweeps, |evaluator| {
            let observe = &mut |swept| observe(BuildStep::Swept(number, swept));
            solve_tier(index, number, &self.earlier, evaluator, &ToTheEnd, observe)
        });
        let (codes, used) = solved.into_codes_and_used(index.points());
        let wide;
        if codes[0].len() + codes[1].len() > LARGE_TIER {
            // Its blocks go straight to disk.
            self.save(number)?;
            wide = !codes[0].high().is_empty();
            self.parts.add(number, 1, |writer| write_codes(writer, index, tier, &codes, Some(&used)))?;
            self.saved = Instant::now();
        } else {
            let blocks = TierBlocks::new(index, number, &codes, Some(&used)).map_err(TableError::io(self.name))?;
            wide = blocks.wide;
            self.unsaved.push(blocks);
        }
        self.earlier.push(codes);
        let large = self.unsaved.iter().map(TierBlocks::len).sum::<usize>() > MAX_UNSAVED;
        if large || self.saved.elapsed() >= self.options.checkpoint {
            self.save(number + 1)?;
        }
        Ok(wide)
    }

    /// Solves a tier with the team; says whether it is wide.
    fn share(
        &mut self,
        number: usize,
        team: &mut dyn Team,
        observe: &mut dyn FnMut(BuildStep),
    ) -> Result<bool, TableError> {
        self.save(number)?;
        self.earlier = ChildTiers::dropped(number + 1);
        let (index, parts) = (self.index, &mut self.parts);
        with_evaluator(self.engine, index, self.options.sweeps, |evaluator| {
            team.solve(index, evaluator, number, parts, &mut |swept| observe(BuildStep::Swept(number, swept)))
        })
    }
}

/// Returns the folder of the parts of an unfinished build.
#[must_use]
pub fn parts_folder(name: &Path) -> PathBuf {
    let mut folder = name.as_os_str().to_owned();
    folder.push(".building");
    folder.into()
}

/// Drops what a build of this setup that was stopped after its files were in place has left behind.
///
/// # Errors
///
/// If it cannot be removed.
pub(crate) fn discard_parts(name: &Path, setup: &Setup) -> Result<(), TableError> {
    remove_left(&parts_folder(name), &SetupText::new(setup))
}
