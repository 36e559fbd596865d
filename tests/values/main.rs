//! Values: the solvers against their plain twins, certificates, oracle sets, what jobs are expected
//! to take and what searches look at.

#[path = "../common/mod.rs"]
mod common;

mod certificates;
mod corpus;
mod forced_wins;
mod oracle_sets;
mod plans;
mod predictions;
mod search_certificates;
mod second_checker;
mod signatures;
mod solvers;
