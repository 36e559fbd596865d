//! Tables: what they hold, how they are built, kept and damaged, and where they are used.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "cluster")]
mod callers;
#[cfg(feature = "cluster")]
mod cluster;
mod files;
#[cfg(target_os = "linux")]
mod forged;
mod keeps;
mod laws;
mod memory;
mod reading;
mod solve;
mod stream;
#[cfg(feature = "cluster")]
mod teamwork;
mod trouble;
