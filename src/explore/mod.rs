//! A page in the browser to see and play the game: a server on the loopback interface, and what it
//! answers.
//!
//! `README.md` beside this file says how data flows through the page.
//!
//! The server knows all rules; the page only shows its answers. An answer depends on the question
//! alone: setup, position and later actions are in every question (the page keeps them in its
//! address, after `#`). So there are no sessions, and nothing to lose. Quick questions are JSON,
//! asked by POST. Heavy work (values, a move to play, a balance report, a certificate) is done by
//! one thread, one job at a time ([`Server::run`]); its answer is a stream of server-sent events. A
//! job ends when the page closes the stream.
//!
//! # Access
//!
//! Any program and any web page on the machine can reach a port of the loopback interface. So every
//! request must name the server as its host (which prevents DNS rebinding), a POST must come from
//! the page's own origin, and every request needs a cookie that the server sets only for the token
//! in the printed address. Who has not shown it gives way to who comes later when there are too many
//! connections. No request names a file: boards and pods are built-in names or the text
//! of a file. Sizes, times and numbers of connections and streams are limited.

mod answers;
mod arrange;
mod assets;
mod compare;
mod edit;
mod events;
mod guard;
mod help;
mod job;
mod library;
mod material;
mod pods;
mod refusal;
mod server;
mod setting;
mod share;
mod view;
mod why;
mod worker;

pub use server::{ExploreError, Options, Server};
