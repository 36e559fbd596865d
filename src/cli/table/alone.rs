//! Stands in for [`cluster`](super) without that feature: tables are built by this process.

use std::io::Write;
use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::format::Format;
use crate::cli::threads::ThreadsArg;
use crate::position::Setup;
use crate::progress::Observer;
use crate::table::{BuildOptions, Index, TableError, TablePlan, build};

/// The options of a cluster: none without the feature.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ClusterArgs {}

/// A build by this process alone, of which nothing more is to be said.
pub(super) struct Built;

impl ClusterArgs {
    /// Returns the threads as they were asked for.
    pub(super) fn threads(&self, threads: ThreadsArg) -> ThreadsArg {
        threads
    }

    /// Returns `true` if this process reports on the files.
    pub(super) fn tells(&self) -> bool {
        true
    }

    /// Builds the table.
    pub(super) fn build(
        &self,
        _: ThreadsArg,
        setup: &Setup,
        name: &Path,
        options: BuildOptions,
        observer: &dyn Observer,
        failed: impl FnOnce(TableError) -> Failure,
    ) -> Result<Built, Failure> {
        build(setup, name, options, observer).map_err(failed)?;
        Ok(Built)
    }
}

impl Built {
    /// Writes nothing.
    pub(super) fn write(&self, _: &mut dyn Write, _: &Index, _: &TablePlan, _: BuildOptions) -> Result<(), Failure> {
        Ok(())
    }
}

/// The number of processes to plan for: none without the feature.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ProcessesArgs {}

/// The plan for several processes: none, since nobody can ask.
pub(super) enum ProcessRow {}

impl ProcessesArgs {
    /// Returns no plan.
    pub(super) fn read(&self, _: &Index, _: &TablePlan) -> Option<ProcessRow> {
        None
    }
}

impl ProcessRow {
    /// Writes nothing: without the feature no such row exists.
    pub(super) fn write(&self, _: Format, _: &mut dyn Write) -> Result<(), Failure> {
        match *self {}
    }
}
