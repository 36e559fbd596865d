//! Several processes that build one table together: how they meet, and what they send each other.
//!
//! # Data flow
//!
//! Every process goes through the same tiers and the same sweeps in the same order. A tier is cut
//! into [strips](crate::table::retro::disk): for each player to move, the positions in which the opponent has the same pods on
//! the board are a column; those of a column in which one certain pod of the opponent stands on the
//! same point are a strip, and strips are dealt to processes. An action leaves the pods that the
//! opponent has on the board on their points, or captures some of them and leads to an earlier
//! tier. So a sweep of a strip reads the words of the same strip with the opponent to move, and
//! codes of finished tiers, and nothing that belongs to another strip.
//!
//! ```text
//!   process 0            process 1
//!   sweep own strips     sweep own strips       reads losses, writes wins (or the other way round)
//!        |   \             /   |
//!     own log  new words    own log             each new word goes once, to the process in whose strip it is read
//!        |   /    \    /       |                in the next sweep, by an exchange of timely dataflow
//!   own planes <-- + --> own planes             (a bit a position, in memory or in unnamed files of the process)
//!        |                     |
//!        +---- barrier: the epoch of the sweep has passed everywhere; the finds are summed up
//! ```
//!
//! A sweep reads one kind of result (wins or losses) and writes the other, so words that arrive
//! early change nothing that is being read, and any division gives the same values; so the sweeps
//! of both players for a distance share a barrier. When a tier is done, all logs are in the folder
//! of the build, and all processes make blocks of the tier from them, in turn some thousands of
//! blocks. They send them to process 0, which writes them in the order of the index, so the bytes
//! are those of a build by one process. The blocks of the file are made in the same way from the
//! finished tiers. Small tiers, where a barrier a sweep would cost more than the sweep, are solved
//! by process 0 alone.
//!
//! # Shared and divided data
//!
//! | what | where |
//! | --- | --- |
//! | finished tiers, logs of the tier that is being solved | the folder of the build, which all processes must see: one disk, or a network file system |
//! | words of the tier that is being solved | divided: each process has what its strips write and what they read, in memory if that fits with all that follows, else on its own disk |
//! | codes of earlier tiers | each process has those that the tier leads to in memory if they fit; else a sweep reads them a window at a time |
//! | memory | each process has what one strip reads in memory, and more strips of a column together as far as they fit |
//! | time of sweeps | divided by strips |
//! | time of blocks | divided by blocks, among process 0 and those others that have as much memory as it needs; process 0 alone writes and hashes them |
//!
//! # Memory of a process
//!
//! At most the limit that it is given; and the least limit that it accepts is the sum of
//!
//! - 8 bytes for each row of its largest strip, and for each row of earlier tiers that a strip
//!   leads to. On a board of `p` points a strip is a little more than a `p`-th part of a column,
//!   and where pods are captured it leads to about as much again in earlier tiers;
//! - 28 bytes for each block of 4096 cells of the largest earlier tier with one player to move,
//!   while codes are read from it;
//! - the words on their way (below), and 64 MiB for the program and its buffers.
//!
//! Process 0 also makes blocks of a tier, with an entry of 32 bytes for each time that words were
//! found in a chunk, and puts the file together, with 16 bytes for each block of them. `pods table
//! plan -n N` says both figures. A process that has less than process 0 needs takes part in sweeps,
//! and makes no blocks. What is left of the limit holds a word for each row of which a process
//! makes blocks, so that their cells in use are worked out once.
//!
//! A column is a single strip where the opponent has one pod or none on the board, or only pods of
//! which others of the kind stand there too; then it is swept by one process, and read as a whole.
//! Where pods may be shoved the pod does not stay on its point: strips are swept apart, but each
//! reads its whole column, so that memory is not divided.
//!
//! A column has as many strips as the board has points, so more processes than that share the
//! largest column unevenly: the plan says how unevenly.
//!
//! # Failures
//!
//! Each process is started in the same way, with the list of hosts, which [`connect`] connects
//! within a time limit; the first [`message`] refuses one whose program, setup or options differ
//! ([`member`]). Then each sends a sign of life at least every second ([`exchange`]). If
//! a process is silent for the time limit, or its connection ends without timely's last message,
//! all others end with an error that names it. A process that gives up tells the others why. Only
//! the work since the last seal of the logs is lost: the same build, started again with as many
//! processes, goes on. A [`Watched`](stream) connection hides such failures from timely, which
//! would panic.
//!
//! Back-pressure: a process has at most so many bytes of words, or of blocks, on the way to another
//! one that the other has not worked on (a larger message goes alone): 16 MiB for all others
//! together, but 8 MiB at most and 256 KiB at least for each. So waiting words take at most twice
//! that, here and on the other side.
//!
//! # Security
//!
//! There is none: no passwords, no encryption. Whoever reaches the port can join or disturb a
//! build. So the addresses are those of this machine's loopback interface unless a file of hosts
//! says otherwise, and that is for networks whose every user is trusted.

mod block_deal;
mod connect;
mod exchange;
mod member;
mod message;
mod need;
mod stream;
mod together;
mod words;

pub(crate) use exchange::EXCHANGE_THREAD;
pub use member::Member;
pub use need::ProcessNeed;
pub use together::{ProcessWork, Teamwork, build_together};
