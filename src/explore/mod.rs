//! A page on this machine to see and touch the game: a server on the loopback interface, and what it shows.
//!
//! All rules are here; the page shows what it is told and asks again. An answer depends on the question alone: the setup, the
//! position and the actions since are in every question (the page keeps them in its address, behind `#`), so there are no
//! sessions and nothing to lose. Quick questions are JSON, asked by POST. Heavy work (values, a move to play, a balance
//! report, a certificate) is done by one thread, one job at a time ([`Server::run`]); its answer is a stream of server-sent events, and ends
//! when the page hangs up.
//!
//! # Who may ask
//!
//! Any program and any web page on the machine can reach a port of the loopback interface. So every request must name the
//! server as its host (else a name that somebody points at 127.0.0.1 would do), a POST must come from the page's own
//! origin, and all of them must have a cookie that only who knows the token in the printed address is given. Nothing names a
//! file: boards and pods are built-in names or the text of a file. Sizes, times and numbers of connections and streams are
//! limited.

mod act;
mod answers;
mod arrange;
mod assets;
mod compare;
mod edit;
mod events;
mod guard;
mod job;
mod library;
mod material;
mod refusal;
mod server;
mod setting;
mod view;
mod worker;

pub use server::{ExploreError, Options, Server};
