//! One table, built by several processes: what process 0 does, and what the others do.
//!
//! Process 0 does what a process alone does, and calls the others where a tier is large. The docs
//! of [`cluster`](crate::table::cluster) describe how data flows then.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::engine::Bitboard;
use crate::position::Setup;
use crate::progress::{BuildStep, Observer, Swept};
use crate::table::build::{BuildOptions, Team, WriteFile, build_by, check_memory, parts_folder};
use crate::table::cluster::block_deal::BlockDeal;
use crate::table::cluster::exchange::{Event, Exchange};
use crate::table::cluster::member::Member;
use crate::table::cluster::message::{Message, Purpose};
use crate::table::cluster::need::{is_shared, rest};
use crate::table::cluster::words::solve_shared;
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::plan::{Need, TablePlan, left_for_blocks, left_for_strips, may_shove};
use crate::table::retro::{Evaluator, KnownDistances, Share, SolvedLogs, Work};
use crate::table::solve::with_evaluator;
use crate::table::steps::Steps;
use crate::table::storage::{BlockRows, BuildFolder, Parts, SetupText, Undivided, make_blocks};

/// Work of all processes of a build.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Teamwork {
    /// Each of them.
    pub processes: Vec<ProcessWork>,
    /// Positions of the tiers that were solved together.
    pub positions: u64,
    /// Bytes of blocks that this process has sent to process 0; of process 0, those that have come.
    pub blocks: u64,
}

/// Work of one process, in the tiers that were solved together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessWork {
    /// Cells in use of its strips.
    pub cells: u64,
    /// Time spent on sweeps.
    pub busy: Duration,
    /// Bytes of words that it has sent to others.
    pub sent: u64,
}

impl Teamwork {
    /// Returns the bytes of words that all have sent.
    #[must_use]
    pub(crate) fn sent(&self) -> u64 {
        self.processes.iter().map(|process| process.sent).sum()
    }

    /// Returns the bits sent for each position of the tiers that were solved together.
    #[must_use]
    pub(crate) fn bits_a_position(&self) -> f64 {
        self.sent() as f64 * 8.0 / self.positions.max(1) as f64
    }

    /// Returns the largest part of something of a process, in parts of the mean.
    fn balance(&self, of: impl Fn(&ProcessWork) -> f64) -> f64 {
        let sum: f64 = self.processes.iter().map(&of).sum();
        let most = self.processes.iter().map(&of).fold(0.0, f64::max);
        if sum > 0.0 { most * self.processes.len() as f64 / sum } else { 1.0 }
    }

    /// Returns the most cells of a process, in parts of the mean.
    #[must_use]
    pub(crate) fn balance_of_cells(&self) -> f64 {
        self.balance(|process| process.cells as f64)
    }

    /// Returns the longest time of sweeps of a process, in parts of the mean.
    #[must_use]
    pub(crate) fn balance_of_time(&self) -> f64 {
        self.balance(|process| process.busy.as_secs_f64())
    }

    fn add(&mut self, positions: u64, work: &[Work]) {
        self.positions += positions;
        self.processes.resize(work.len(), ProcessWork::default());
        for (sum, work) in self.processes.iter_mut().zip(work) {
            sum.cells += work.cells;
            sum.busy += work.busy;
            sum.sent += work.sent;
        }
    }
}

/// Builds the file of a table together with other processes, each of which calls this with a
/// member of its own. The bytes are those of [`build`](crate::table::build()). All must see the
/// folder of the build; process 0 alone writes the file.
///
/// # Errors
///
/// Those of [`build`](crate::table::build()); or if a process does not come, is lost, gives up, or
/// has another setup, other options or another version of the program. Then all processes return an
/// error, within the patience of the members, and when all are started again the build goes on.
pub fn build_together(
    setup: &Setup,
    name: &Path,
    options: BuildOptions,
    member: Member,
    observer: &dyn Observer,
) -> Result<Teamwork, TableError> {
    let purpose = Purpose::new(&SetupText::new(setup).identity(), format!("{:?} sweeps", options.sweeps));
    if member.process() > 0 {
        return help(setup, name, options, member, purpose, observer);
    }
    let scratch = member.scratch().map(Path::to_owned);
    let shoves = may_shove(setup.game());
    let mut leader = Leader {
        options,
        purpose,
        member: Some(member),
        exchange: None,
        scratch,
        shoves,
        makers: vec![0],
        distances: KnownDistances::default(),
        done: Teamwork::default(),
    };
    let built = build_by(setup, name, options, &mut leader, observer);
    let Leader { exchange, done, .. } = leader;
    if let Some(exchange) = exchange {
        if built.is_ok() {
            exchange.outbox.send_all(exchange.processes(), &Message::Finished);
        }
        exchange.close(built.as_ref().err());
    }
    built.map(|()| done)
}

/// Process 0.
struct Leader {
    options: BuildOptions,
    purpose: Purpose,
    /// Until they meet.
    member: Option<Member>,
    /// From then on.
    exchange: Option<Exchange>,
    scratch: Option<PathBuf>,
    shoves: bool,
    makers: Vec<usize>,
    distances: KnownDistances,
    done: Teamwork,
}

impl Team for Leader {
    fn least(&self, index: &Index, plan: &TablePlan) -> u64 {
        let processes = self.member.as_ref().map_or(1, Member::processes);
        plan.least_of(index, processes, 0, self.options.memory, self.options.stream)
    }

    fn meet(&mut self, parts: &Parts) -> Result<(), TableError> {
        if let Some(member) = self.member.take() {
            let (exchange, _) = member.meet(self.purpose.clone(), Some(parts.mark()))?;
            self.done.processes.resize(exchange.processes(), ProcessWork::default());
            self.exchange = Some(exchange);
        }
        Ok(())
    }

    fn shares(&self, need: &Need) -> bool {
        is_shared(need, self.options.memory, self.options.stream)
    }

    fn solve(
        &mut self,
        index: &Index,
        evaluator: &dyn Evaluator,
        number: usize,
        parts: &mut Parts,
        observe: &mut dyn FnMut(Swept),
    ) -> Result<bool, TableError> {
        let Some(exchange) = &mut self.exchange else { unreachable!("they have met") };
        let distances = self.distances.of_needed(index, number, parts)?;
        let call = Message::Tier { number: number as u64, distances: distances.clone() };
        exchange.outbox.send_all(exchange.processes(), &call);
        let scratch = self.scratch.as_deref().unwrap_or(parts.folder());
        let BuildOptions { checkpoint, stream, .. } = self.options;
        let memory = left_for_strips(index, number, self.options.memory, rest(exchange.processes()));
        let shoves = self.shoves;
        let share = Share {
            index,
            number,
            process: exchange.process(),
            processes: exchange.processes(),
            parts,
            evaluator,
            distances: &distances,
            scratch,
            shoves,
            memory,
            stream,
            checkpoint,
            makes_blocks: true,
        };
        let (wide, work) = solve_shared(&share, exchange, observe)?;
        let memory = left_for_blocks(index, number, self.options.memory, rest(exchange.processes()), shoves);
        let logs = SolvedLogs { index, number, wide, shoves, work: &work, memory };
        self.makers = logs.makers();
        let mut deal = BlockDeal::new(exchange, &self.makers);
        logs.write(parts, &mut deal)?;
        self.done.blocks += deal.end()?;
        logs.remove(parts)?;
        self.done.add(2 * index.tiers()[number].positions(), &work);
        Ok(wide)
    }

    fn write(&mut self, write: &mut WriteFile<'_>) -> Result<(), TableError> {
        let Some(exchange) = &mut self.exchange else { unreachable!("they have met") };
        if self.makers.len() == 1 {
            return write(&mut Undivided);
        }
        let makers = self.makers.iter().map(|&maker| maker as u64).collect();
        let call = Message::File { makers };
        exchange.outbox.send_all(exchange.processes(), &call);
        let mut deal = BlockDeal::new(exchange, &self.makers);
        write(&mut deal)?;
        self.done.blocks += deal.end()?;
        Ok(())
    }
}

/// Returns another process than process 0.
fn help(
    setup: &Setup,
    name: &Path,
    options: BuildOptions,
    member: Member,
    purpose: Purpose,
    observer: &dyn Observer,
) -> Result<Teamwork, TableError> {
    let index = Index::new(setup)?;
    let plan = TablePlan::new(setup.game(), &index);
    let observe = &mut Steps::new(&plan, observer).observe();
    let processes = member.processes();
    let least = plan.least_of(&index, processes, member.process(), options.memory, options.stream);
    check_memory(&plan, least, options.memory)?;
    let scratch = member.scratch().map(Path::to_owned);
    let (mut exchange, mark) = member.meet(purpose, None)?;
    let engine = Bitboard::new(setup.game().clone());
    let helped = with_evaluator(&engine, &index, options.sweeps, |evaluator| {
        let makes_blocks = options.memory >= plan.least_of(&index, processes, 0, options.memory, options.stream);
        let mut helper =
            Helper { index: &index, evaluator, options, mark, scratch, makes_blocks, parts: None, known: 0 };
        helper.follow(setup, name, &mut exchange, observe)
    });
    exchange.close(helped.as_ref().err());
    helped
}

/// State of a process other than process 0.
struct Helper<'a> {
    index: &'a Index,
    evaluator: &'a dyn Evaluator,
    options: BuildOptions,
    /// Mark that process 0 says is written in the folder.
    mark: String,
    scratch: Option<PathBuf>,
    /// True if it has the memory to make blocks: as much as process 0 needs.
    makes_blocks: bool,
    parts: Option<Parts>,
    /// Tiers of which it knows the parts.
    known: usize,
}

impl Helper<'_> {
    /// Opens the parts that process 0 has written, of the tiers before a number.
    fn learn(
        &mut self,
        number: usize,
        setup: &Setup,
        name: &Path,
        observe: &mut dyn FnMut(BuildStep),
    ) -> Result<(), TableError> {
        let parts = match &mut self.parts {
            Some(parts) => parts,
            none => {
                let text = SetupText::new(setup);
                let folder = BuildFolder::beside(&parts_folder(name), &text, &self.mark)?;
                none.insert(Parts::read_beside(folder, &text))
            }
        };
        while self.known < number {
            let Some(tiers) = parts.next(self.known) else {
                return Err(TableError::damaged(&parts.path(self.known), "the part"));
            };
            self.known += tiers.len();
            observe(BuildStep::Resumed(self.known));
        }
        Ok(())
    }

    /// Follows the calls of process 0 until the table is there.
    fn follow(
        &mut self,
        setup: &Setup,
        name: &Path,
        exchange: &mut Exchange,
        observe: &mut dyn FnMut(BuildStep),
    ) -> Result<Teamwork, TableError> {
        let mut done = Teamwork::default();
        done.processes.resize(exchange.processes(), ProcessWork::default());
        // What others say that have heard the call before.
        let mut waiting = Vec::new();
        loop {
            match exchange.inbox.next() {
                Event::Message { message: Message::Tier { number, distances }, .. } => {
                    let number = number as usize;
                    exchange.inbox.put_back(waiting.drain(..));
                    self.learn(number, setup, name, observe)?;
                    let Some(parts) = &mut self.parts else { unreachable!("they were opened above") };
                    let scratch = self.scratch.as_deref().unwrap_or(parts.folder());
                    let (index, evaluator) = (self.index, self.evaluator);
                    let BuildOptions { checkpoint, stream, .. } = self.options;
                    let memory = left_for_strips(index, number, self.options.memory, rest(exchange.processes()));
                    let shoves = may_shove(setup.game());
                    let distances = &distances;
                    let share = Share {
                        index,
                        number,
                        process: exchange.process(),
                        processes: exchange.processes(),
                        parts,
                        evaluator,
                        distances,
                        scratch,
                        shoves,
                        memory,
                        stream,
                        checkpoint,
                        makes_blocks: self.makes_blocks,
                    };
                    let observe_sweep = &mut |swept| observe(BuildStep::Swept(number, swept));
                    let (wide, work) = solve_shared(&share, exchange, observe_sweep)?;
                    let memory =
                        left_for_blocks(index, number, self.options.memory, rest(exchange.processes()), shoves);
                    let logs = SolvedLogs { index, number, wide, shoves, work: &work, memory };
                    let makers = logs.makers();
                    if makers.contains(&exchange.process()) {
                        let mut deal = BlockDeal::new(exchange, &makers);
                        logs.help(parts, &mut deal)?;
                        done.blocks += deal.end()?;
                    }
                    done.add(2 * self.index.tiers()[number].positions(), &work);
                    observe(BuildStep::Solved(number));
                }
                Event::Message { message: Message::File { makers }, .. } => {
                    let makers: Vec<usize> = makers.into_iter().map(|maker| maker as usize).collect();
                    if makers.contains(&exchange.process()) {
                        self.learn(self.index.tiers().len(), setup, name, observe)?;
                        let Some(parts) = &self.parts else { unreachable!("they were opened above") };
                        let (rows, mut deal) = (BlockRows::new(self.index), BlockDeal::new(exchange, &makers));
                        make_blocks(&rows, self.index, parts, &mut deal, |_| Ok(()))?;
                        done.blocks += deal.end()?;
                    }
                }
                Event::Message { message: Message::Finished, .. } => return Ok(done),
                event @ (Event::Message { .. } | Event::Passed) => waiting.push(event),
                Event::Ended => return Err(exchange.outbox.why_ended()),
            }
        }
    }
}
