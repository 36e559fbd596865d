//! Several processes that build one table together: how they meet, and what they send each other.
//!
//! # How data flows
//!
//! Every process goes through the same tiers and the same sweeps in the same order. A tier is cut into *stripes*
//! ([`stripes`](crate::table::retro)): for each player to move, the positions in which the opponent has the same pods
//! on the board are a column; chunks of rows of a column are dealt to processes. An action leaves the pods that the
//! opponent has on the board as they are, or captures some of them and leads to an earlier tier. So a sweep of a column
//! reads the words of the same column with the opponent to move, and codes of finished tiers, and each process writes
//! only words of its own chunks. Shoves change nothing about this, since a column says which pods stand on the board,
//! not where.
//!
//! ```text
//!   process 0            process 1
//!   sweep own stripes    sweep own stripes      reads losses, writes wins (or the other way round)
//!        |   \             /   |
//!     own log  new words    own log             each new word goes once to each process that reads it
//!        |   /    \    /       |                in the next sweep, by an exchange of timely dataflow
//!   own planes <-- + --> own planes             (a bit a position, in unnamed files of the process)
//!        |                     |
//!        +---- barrier: the epoch of the sweep has passed everywhere; the finds are summed up
//! ```
//!
//! A sweep reads one kind of result (wins or losses) and writes the other, so words that arrive early change nothing
//! that is being read, and any division gives the same values. When a tier is done, all logs are in the folder of the
//! build; process 0 makes the blocks of the tier from them in the order of the index, so the bytes are those of a build
//! by one process. Small tiers, where a barrier a sweep would cost more than the sweep, are solved by process 0 alone.
//!
//! # What is shared, and what is divided
//!
//! | what | where |
//! | --- | --- |
//! | finished tiers, logs of the tier that is being solved | the folder of the build, which all processes must see: one disk, or a network file system |
//! | words of the tier that is being solved | each process has its own stripes, and copies of the chunks that it reads |
//! | memory | each process has one column at a time, as in a build from disk |
//! | time of sweeps | divided by stripes; blocks of a tier are made by process 0 |
//!
//! So the least memory of a process is that of a build from disk, however many processes there are.
//!
//! # Failures
//!
//! [`hello`] brings the processes together within a time limit, and refuses one whose program, setup or options differ.
//! Then each sends a sign of life at least every second ([`exchange`]). If a process is silent for the time limit, or
//! its connection ends without timely's last message, all others end with an error that names it. A process that gives
//! up tells the others why. Only the work since the last seal of the logs is lost: the same build, started again with
//! as many processes, goes on. A [`Watched`](stream) connection hides such failures from timely, which would panic.
//!
//! Back-pressure: a process has at most 8 MiB of words on the way to another one that the other has not worked on (a
//! larger message goes alone). So waiting words take at most 8 MiB for each other process, on each side.
//!
//! # Security
//!
//! There is none: no passwords, no encryption. Whoever reaches the port can join or disturb a build. So the
//! addresses are those of this machine's loopback interface unless a file of hosts says otherwise, and that is for networks
//! whose every user is trusted.

mod exchange;
mod hello;
mod hosts;
mod member;
mod stream;

pub(in crate::table) use exchange::{Event, Exchange, Inbox, Message, Outbox, ahead};
pub(in crate::table) use hello::Purpose;
pub use hosts::{Hosts, HostsError};
pub use member::Member;
