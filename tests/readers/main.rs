//! Every reader is fed damaged texts and bytes.

#[path = "../common/mod.rs"]
mod common;

mod bytes;
mod damage;
mod files;
mod texts;
