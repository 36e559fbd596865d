//! Several processes for `pods table build`.

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use tempfile::NamedTempFile;

use crate::cli::failure::Failure;
use crate::cli::format::{Format, csv_rows, json_line, rounded};
use crate::cli::limits::memory;
use crate::cli::threads::ThreadsArg;
use crate::files::read_text;
use crate::files::{Bytes, Thousands, record};
use crate::position::Setup;
use crate::progress::Observer;
use crate::table::{
    BuildOptions, Hosts, Index, Member, ProcessNeed, TableError, TablePlan, Teamwork, build, build_together,
};

/// The most bytes of a file of hosts.
const MAX_BYTES: u64 = 1 << 20;

/// Time allowed to the other processes of this machine to end after process 0.
const LEAVING: Duration = Duration::from_secs(10);

/// Processes that build together, as typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Several processes")]
pub(super) struct ClusterArgs {
    /// Build with N processes. Without --hosts the others are started on this machine, and share
    /// its cores
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    processes: Option<u32>,

    /// Be process I of them, counted from 0; the others are started in the same way on their
    /// machines
    #[arg(short = 'p', long, value_name = "I", requires = "hosts", requires = "processes")]
    process: Option<u32>,

    /// Read the addresses of the processes from this file, one `host` or `host:port` a line [port:
    /// 2101 and on]; for trusted networks only
    #[arg(long, value_name = "FILE", requires = "process")]
    hosts: Option<PathBuf>,

    /// Wait this many seconds for a process that does not come or says nothing
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    peer_timeout: u64,

    /// Keep the words of the tier that is being solved in this folder, on a disk of this machine
    /// [default: the folder of the build, which all processes must share]
    #[arg(long, value_name = "FOLDER", requires = "processes")]
    scratch: Option<PathBuf>,
}

impl ClusterArgs {
    /// Returns `true` if this process reports on the files: process 0 does.
    pub(super) fn tells(&self) -> bool {
        self.process.unwrap_or(0) == 0
    }

    /// Builds the table, with other processes if there are to be several.
    pub(super) fn build(
        &self,
        threads: ThreadsArg,
        setup: &Setup,
        name: &Path,
        options: BuildOptions,
        observer: &dyn Observer,
        failed: impl FnOnce(TableError) -> Failure,
    ) -> Result<Built, Failure> {
        let Some((member, others)) = self.member(threads)? else {
            build(setup, name, options, observer).map_err(failed)?;
            return Ok(Built(None));
        };
        let built = build_together(setup, name, options, member, observer);
        others.end();
        Ok(Built(Some(built.map_err(failed)?)))
    }

    fn several(&self) -> Option<usize> {
        self.processes.filter(|&processes| processes > 1 || self.process.is_some()).map(|processes| processes as usize)
    }

    /// Returns the threads of this process: processes on one machine share its cores.
    pub(super) fn threads(&self, threads: ThreadsArg) -> ThreadsArg {
        match self.several() {
            Some(processes) if self.process.is_none() => threads.or(each_threads(processes)),
            _ => threads,
        }
    }

    /// Returns this process as a member of those that build together, and starts the others of this
    /// machine; `None` if it builds alone.
    fn member(&self, threads: ThreadsArg) -> Result<Option<(Member, Others)>, Failure> {
        let Some(processes) = self.several() else { return Ok(None) };
        let patience = Duration::from_secs(self.peer_timeout);
        let (member, others) = match (&self.hosts, self.process) {
            (Some(file), Some(process)) => {
                let text = read_text(file, MAX_BYTES).map_err(|error| Failure::wrong(error).at("--hosts"))?;
                let place = || format!("--hosts: {}", file.display());
                let hosts = Hosts::parse(&text).map_err(|error| Failure::wrong(error).at(place()))?;
                let listed = hosts.number();
                let hosts = hosts.first(processes).ok_or_else(|| {
                    Failure::Wrong(format!("{listed} hosts for {processes} processes: write a line for each"))
                        .at(place())
                })?;
                if process as usize >= processes {
                    return Err(Failure::Wrong(format!(
                        "there are {processes} processes, the last one is {}",
                        processes - 1
                    ))
                    .at("--process"));
                }
                (Member::at(hosts, process as usize, patience)?, Others::default())
            }
            _ => {
                let (member, hosts) = Member::first_of(processes, patience)?;
                let others = Others::start(processes, &hosts, threads)?;
                let watch = others.clone();
                (member.watching(move || watch.ended()), others)
            }
        };
        let member = match &self.scratch {
            Some(folder) => member.with_scratch(folder.clone()),
            None => member,
        };
        Ok(Some((member, others)))
    }
}

/// Returns the number of threads of each process where several share this machine.
fn each_threads(processes: usize) -> usize {
    (std::thread::available_parallelism().map_or(1, NonZero::get) / processes).max(1)
}

/// The other processes of this machine.
#[derive(Clone, Default)]
struct Others(Arc<Mutex<Started>>);

#[derive(Default)]
struct Started {
    children: Vec<Child>,
    /// File from which they read the addresses.
    _hosts: Option<NamedTempFile>,
}

impl Others {
    fn start(processes: usize, hosts: &Hosts, threads: ThreadsArg) -> Result<Others, Failure> {
        let failed = |error: std::io::Error| Failure::Wrong(format!("the other processes cannot be started: {error}"));
        let mut file = NamedTempFile::new().map_err(failed)?;
        file.write_all(hosts.text().as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
        let program = std::env::current_exe().map_err(failed)?;
        let mut started = Started::default();
        for process in 1..processes {
            let mut command = Command::new(&program);
            command.args(std::env::args_os().skip(1)).arg(format!("--process={process}"));
            command.arg("--hosts").arg(file.path()).stdin(Stdio::null()).stdout(Stdio::null());
            if threads.is_open() {
                command.arg(format!("--threads={}", each_threads(processes)));
            }
            match command.spawn() {
                Ok(child) => started.children.push(child),
                Err(error) => {
                    started.end(Duration::ZERO);
                    return Err(failed(error));
                }
            }
        }
        started._hosts = Some(file);
        Ok(Others(Arc::new(Mutex::new(started))))
    }

    /// Names the process that has ended.
    fn ended(&self) -> Option<String> {
        let mut started = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (1..).zip(&mut started.children).find_map(|(process, child)| {
            let status = child.try_wait().ok()??;
            Some(format!("process {process} ended before all had come together ({status})"))
        })
    }

    /// Waits until they have ended, and ends those that do not.
    fn end(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).end(LEAVING);
    }
}

impl Started {
    fn end(&mut self, patience: Duration) {
        let end = Instant::now() + patience;
        for child in &mut self.children {
            while child.try_wait().is_ok_and(|status| status.is_none()) {
                if Instant::now() >= end {
                    let _ = child.kill();
                    let _ = child.wait();
                } else {
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        }
    }
}

/// Statistics of several processes; nothing if there was one.
pub(super) struct Built(Option<Teamwork>);

impl Built {
    /// Writes what the processes have done together, and what was predicted.
    pub(super) fn write(
        &self,
        out: &mut dyn Write,
        index: &Index,
        plan: &TablePlan,
        options: BuildOptions,
    ) -> Result<(), Failure> {
        let Some(teamwork) = &self.0 else { return Ok(()) };
        let predicted = plan.of_processes(index, teamwork.processes.len(), options.memory, options.stream);
        Ok(write_teamwork(out, teamwork, &predicted)?)
    }
}

fn write_teamwork(out: &mut dyn Write, teamwork: &Teamwork, predicted: &ProcessNeed) -> std::io::Result<()> {
    writeln!(
        out,
        "{} processes, {} positions of tiers solved together: {} exchanged, {:.3} bits a position ({:.3} predicted), and {} of blocks ({} predicted)",
        teamwork.processes.len(),
        Thousands(teamwork.positions.into()),
        Bytes(teamwork.sent().into()),
        teamwork.bits_a_position(),
        predicted.bits_a_position(),
        Bytes(teamwork.blocks.into()),
        Bytes(predicted.blocks.into())
    )?;
    writeln!(
        out,
        "the largest share is {:.2} of the mean by positions, {:.2} by time of sweeps",
        teamwork.balance_of_cells(),
        teamwork.balance_of_time()
    )
}

/// The number of processes to plan for, as it was typed.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ProcessesArgs {
    /// Predict the needs of N processes that build the table together: of the one that needs most
    #[arg(short = 'n', long, value_name = "N", conflicts_with = "tiers", value_parser = clap::value_parser!(u32).range(1..=1024))]
    processes: Option<u32>,

    /// Let each use this much memory: a tier that does not fit is solved together, however small
    #[arg(long, value_name = "SIZE", default_value = "8GiB", value_parser = memory, requires = "processes")]
    memory: u64,
}

record! {
    /// Predicted needs of each of several processes that build a table together.
    pub(in crate::cli) struct ProcessRow {
        /// Processes.
        processes: u32,
        /// Positions of the tiers that they solve together.
        shared: u64,
        /// Bytes of memory of the process that takes most.
        memory: u64,
        /// Bytes of memory of process 0, which writes the files.
        memory_of_first: u64,
        /// Bytes of words on disk of each.
        scratch: u64,
        /// Bytes of words that they exchange.
        exchanged: u64,
        /// Bytes of blocks sent to process 0.
        blocks: u64,
        /// Bits exchanged for each position.
        bits: f64,
        /// The largest share of positions, as a multiple of the mean.
        balance: f64,
        /// Seconds with two cores each.
        seconds: f64,
    }
}

impl ProcessesArgs {
    /// Plans for several processes, if that is asked for.
    pub(super) fn read(&self, index: &Index, plan: &TablePlan) -> Option<ProcessRow> {
        let processes = self.processes?;
        let need = plan.of_processes(index, processes as usize, self.memory, false);
        let ProcessNeed { shared, memory, memory_of_first, scratch, exchanged, blocks, balance, seconds, .. } = need;
        let [bits, balance, seconds] = [need.bits_a_position(), balance, seconds].map(|number| rounded(number, 3));
        let row = ProcessRow {
            processes,
            shared,
            memory,
            memory_of_first,
            scratch,
            exchanged,
            blocks,
            bits,
            balance,
            seconds,
        };
        Some(row)
    }
}

impl ProcessRow {
    /// Writes it; as text below the plan for one process.
    pub(super) fn write(&self, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
        match format {
            Format::Json => json_line(out, self),
            Format::Csv => csv_rows(out, true, [self]),
            Format::Text => {
                let [memory, memory_of_first, scratch, exchanged, blocks] =
                    [self.memory, self.memory_of_first, self.scratch, self.exchanged, self.blocks]
                        .map(|bytes| Bytes(bytes.into()));
                let time = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
                let time =
                    if self.seconds < 1.0 { "under a second".to_owned() } else { HumanDuration(time).to_string() };
                writeln!(
                    out,
                    "processes  {}, which solve tiers of {} positions together",
                    self.processes,
                    Thousands(self.shared.into())
                )?;
                writeln!(out, "           {memory} of memory each, and {scratch} of words on disk")?;
                writeln!(out, "           {memory_of_first} of memory for process 0, which writes the files")?;
                writeln!(
                    out,
                    "           {exchanged} or so of words exchanged, {:.3} bits a position, and {blocks} of blocks sent to process 0",
                    self.bits
                )?;
                writeln!(out, "           the largest share is {:.2} of the mean by positions", self.balance)?;
                writeln!(out, "           {time} with two cores each, a guess")?;
                Ok(())
            }
        }
    }
}
