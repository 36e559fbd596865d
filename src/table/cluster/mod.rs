//! Several processes that build one table: who they are, how they meet, and what they send to each other.
//!
//! # How data flows
//!
//! Every process goes through the same tiers and the same sweeps in the same order. A tier is cut into *stripes*
//! ([`stripes`](crate::table::retro)): for each player to move, the positions in which the opponent has the same pods on the
//! board are a column; chunks of rows of a column are dealt to processes. An action leaves the pods that the opponent has on
//! the board as they are, or captures some of them and leads to an earlier tier. So a sweep for a player over a column reads the
//! words of the same column with the opponent to move, and codes of finished tiers, and writes words of its own chunks alone.
//! This is the same under rules with shoves, since a column says which pods stand on the board, not where.
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
//! A sweep reads one kind of result and writes the other, so words that arrive early change nothing that is being read, and any
//! division gives the same values. When a tier is done all logs lie in the folder of the build; process 0 makes the blocks of
//! the tier from them in the order of the index, so the bytes are those of one process. Small tiers, where a
//! barrier a sweep would cost more than the sweep, are solved by process 0 alone.
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
//! So the least memory of a process is that of a build from disk, however many there are.
//!
//! # Who stops whom
//!
//! [`hello`] brings the processes together within a time limit, and refuses one whose program, setup or options differ. Then
//! each says every second that it is there ([`exchange`]). One that says nothing for the time limit, or whose connection ends
//! without a good-bye, ends all others with an error that names it; one that gives up itself tells the others why. What is
//! lost is the work since the last seal of the logs: the same build, started again with as many processes, goes on.
//! A [`Watched`](stream) connection hands nothing of that to timely, which would panic.
//!
//! Back-pressure: a process sends no more than 8 MiB of words to another one before that one has worked on them. So
//! words that wait take at most 8 MiB for each other process, on each side.
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

pub(in crate::table) use exchange::{Event, Exchange, Inbox, Message, Outbox};
pub(in crate::table) use hello::Purpose;
pub use hosts::{Hosts, HostsError};
pub use member::Member;
