//! The program as its users run it.

#[path = "../common/mod.rs"]
mod common;

mod best;
mod budgets;
mod check;
mod checkpoint_files;
mod checkpoints;
mod columns;
mod conform;
mod explore;
mod hostile;
mod interrupts;
mod knowledge;
mod library;
mod limits;
mod manners;
mod matches;
mod measures;
mod mistakes;
mod outputs;
mod pages;
mod played;
mod readings;
mod readme;
mod rules;
mod run;
mod solving;
mod too_large;
mod unfinished;
mod waiting;
