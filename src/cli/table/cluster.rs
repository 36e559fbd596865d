//! Several processes for `pods table build`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::time_text;
use crate::cli::failure::Failure;
use crate::cli::format::{Format, csv_rows, json_line, rounded};
use crate::cli::limits::memory;
use crate::files::{Bytes, Thousands, read_text, record};
use crate::position::Setup;
use crate::progress::Observer;
use crate::table::{BuildOptions, Index, Member, ProcessNeed, TableError, TablePlan, Teamwork, build, build_together};

/// The most bytes of a file of hosts.
const MAX_BYTES: u64 = 1 << 20;

/// The default port of process 0; that of process I is I higher.
const PORT: usize = 2101;

/// Processes that build together, as typed.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Several processes, each started in the same way")]
pub(super) struct ClusterArgs {
    /// Build with N processes
    #[arg(short = 'n', long, value_name = "N", requires = "process", value_parser = clap::value_parser!(u32).range(1..=1024))]
    processes: Option<u32>,

    /// Be process I of them, counted from 0
    #[arg(short = 'p', long, value_name = "I", requires = "processes")]
    process: Option<u32>,

    /// Read the addresses of the processes from this file, one `host` or `host:port` a line; for
    /// trusted networks only [default: this machine, ports 2101 and on]
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
    /// Returns `true` if this process reports on the file: process 0 does.
    pub(super) fn tells(&self) -> bool {
        self.process.unwrap_or(0) == 0
    }

    /// Builds the table, with other processes if there are to be several.
    pub(super) fn build(
        &self,
        setup: &Setup,
        name: &Path,
        options: BuildOptions,
        observer: &dyn Observer,
        failed: impl FnOnce(TableError) -> Failure,
    ) -> Result<Built, Failure> {
        let (Some(processes), Some(process)) = (self.processes, self.process) else {
            build(setup, name, options, observer).map_err(failed)?;
            return Ok(Built(None));
        };
        let (processes, process) = (processes as usize, process as usize);
        if process >= processes {
            let last = processes - 1;
            return Err(
                Failure::Wrong(format!("there are {processes} processes, the last one is {last}")).at("--process")
            );
        }
        let member = Member::at(self.addresses(processes)?, process, Duration::from_secs(self.peer_timeout))?;
        let member = match &self.scratch {
            Some(folder) => member.with_scratch(folder.clone()),
            None => member,
        };
        Ok(Built(Some(build_together(setup, name, options, member, observer).map_err(failed)?)))
    }

    fn addresses(&self, processes: usize) -> Result<Vec<String>, Failure> {
        let Some(file) = &self.hosts else {
            return Ok((PORT..).take(processes).map(|port| format!("127.0.0.1:{port}")).collect());
        };
        let text = read_text(file, MAX_BYTES).map_err(|error| Failure::wrong(error).at("--hosts"))?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let hosts: Vec<&str> = lines.filter(|line| !line.is_empty()).take(processes).collect();
        if hosts.len() < processes {
            let listed = hosts.len();
            return Err(Failure::Wrong(format!("{listed} hosts for {processes} processes: write a line for each"))
                .at(format!("--hosts: {}", file.display())));
        }
        let address = |(port, host): (usize, &str)| match host.contains(':') {
            true => host.to_owned(),
            false => format!("{host}:{port}"),
        };
        Ok((PORT..).zip(hosts).map(address).collect())
    }
}

/// Statistics of several processes; nothing if there was one.
pub(super) struct Built(Option<Teamwork>);

impl Built {
    /// Writes what the processes have done together.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        self.0.as_ref().map_or(Ok(()), |teamwork| Ok(write_teamwork(out, teamwork)?))
    }
}

fn write_teamwork(out: &mut dyn Write, teamwork: &Teamwork) -> std::io::Result<()> {
    writeln!(
        out,
        "{} processes, {} positions of tiers solved together: {} exchanged, {:.3} bits a position, and {} of blocks",
        teamwork.processes.len(),
        Thousands(teamwork.positions.into()),
        Bytes(teamwork.sent().into()),
        teamwork.bits_a_position(),
        Bytes(teamwork.blocks.into())
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
        let ProcessNeed { shared, memory, memory_of_first, scratch, balance, seconds, .. } = need;
        let [balance, seconds] = [balance, seconds].map(|number| rounded(number, 3));
        let row = ProcessRow { processes, shared, memory, memory_of_first, scratch, balance, seconds };
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
                let [memory, memory_of_first, scratch] =
                    [self.memory, self.memory_of_first, self.scratch].map(|bytes| Bytes(bytes.into()));
                writeln!(
                    out,
                    "processes  {}, which solve tiers of {} positions together",
                    self.processes,
                    Thousands(self.shared.into())
                )?;
                writeln!(out, "           {memory} of memory each, and {scratch} of words on disk")?;
                writeln!(out, "           {memory_of_first} of memory for process 0, which writes the files")?;
                writeln!(out, "           the largest share is {:.2} of the mean by positions", self.balance)?;
                writeln!(out, "           {} with two cores each, a guess", time_text(self.seconds))?;
                Ok(())
            }
        }
    }
}
