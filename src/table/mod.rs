//! Tables of the value and distance of every position of a setup: solved by sweeps, kept in files
//! or answered from there, and verified.
//!
//! # Positions of a table
//!
//! A table answers for every consistent position (R29), with either side to move, that has of each
//! kind no more pods in the game than the starting hands. Three kinds of positions are answered
//! without being stored: those finished by an empty hand (R30); open ones (R32), which are valued
//! by their restricted actions; and, where captures follow every action (R18), those with blocked
//! pods. Only a set position has blocked pods then (R31), and it is valued by its actions; on most
//! boards most consistent positions are such. Where nothing is ever captured, a table knows only
//! positions with all pods in the game.
//!
//! # Modules
//!
//! | folder | subject |
//! | --- | --- |
//! | `index` | numbers for positions |
//! | `retro` | retrograde analysis, tier by tier and pass by pass |
//! | `eval` | evaluators: which cells of a row a pass decides |
//! | `storage` | values as bytes, in memory and on disk |
//! | `probe` | questions to finished tables |
//! | `verify` | every value derived again |
//! | `plan`, `build`, `memory` | what a table will take; making it on disk; making it in memory |
//! | `cluster` | several processes that meet and send each other words; their build of one table |
//!
//! The words slice, row, cell, code, sweep and column are explained in the [words](crate#words) of
//! the program.
//!
//! # Solving
//!
//! [`Index`] numbers the positions by tiers (what is in the game), slices (what is on the board),
//! rows (where all but the last pod stand) and cells (where the last one stands). Tiers are solved
//! from the smallest on. In a tier, sweep `d` decides the positions of distance `d`, from those of
//! distance `d - 1`: even sweeps the losses, odd ones the wins ([`Swept`]). A sweep reads the words
//! of one result and writes those of the other, so it runs in place and on all threads, and the
//! distances of R33 come out exact. Hands that can be emptied are found before anything else. A
//! sweep skips slices none of whose successors changed in the last one, and positions whose
//! successors cannot be among what it decided: an action leaves the opponent's pods where they are,
//! pushes some by a step or kicks one, or captures some. What no sweep decides is a draw (R21).
//!
//! A row is evaluated for all points of its last pod at once ([`Sweeps::BitParallel`]): the rows
//! that its placements lead to are read first, legal or not, and legality is asked only where what
//! was read matters. Where an action leads depends on the pods that it captures and places, and is
//! found out once for many rows of a slice; the number of the row is a sum of digits. A shove or a
//! kick (R22, R24) leads to a row in which pods of either side stand elsewhere, or to another cell
//! if it pushes the last pod; both are mostly read for all points of the last pod together. Or a
//! row is evaluated position by position with the fast engine ([`Sweeps::Direct`]), which judges
//! the other. Codes take a byte a cell, two where a distance is above 254.
//!
//! An action takes only pods of the opponent out of the game (R18), so a tier needs few of the
//! earlier ones, and of those the codes with one side to move. [`build()`] keeps all tiers in
//! memory if they fit. If not, it drops those that the next tier does not need, and reads them back
//! from its parts when a later one does. The last tier is mostly by far the largest, so
//! [`Need::least`] is not much below [`Need::memory`].
//!
//! A tier that does not fit is solved from disk, where the results so far take a bit a position. A
//! sweep takes the tier strip by strip and has in memory only the positions that some strips lead
//! to. A column is the positions of one player with the same pods of the opponent on the board,
//! wherever they stand: an action leaves those pods there, or captures some of them, which leads to
//! one column of an earlier tier for each part that may be lost. A strip is the part of a column
//! with one certain pod on one point. [`Need::streamed`] is the memory for that, mostly a small part
//! of [`Need::least`]. Findings of the sweeps go to a log. A build that was stopped resumes from the
//! log within the tier, and the codes of the tier are made from it in the end, some at a time.
//!
//! # Files
//!
//! A table has one file, with a byte a position before compression. It stores only the positions
//! that are held. [`TableFile`] describes the layout. A probe unpacks one block of about 4,096
//! positions, unless its [`Reader`] still has it, and counts the positions of some rows to find its
//! own. A small file is kept in memory; of a large one a block is read. A file that was cut or
//! changed since it was opened gives an error where it is read. Files take their names when they
//! are complete and on disk. A build that was stopped resumes from the finished tiers in a folder
//! of its own, and gives the same bytes. Before it starts it compares its needs with the free space
//! on disk, as far as they are known.
//!
//! # Use
//!
//! [`Table`] answers for one setup, through a [`Reader`]; [`Tablebase`] lists the tables of a folder
//! and finds the one that knows a position of any game: the same points, lines and options, and
//! pods with the same ids and legs, no more of each than its starting hands have. Answers are those
//! of the solvers, best actions and line included. Tables of other setups in the folder are left
//! alone; a damaged one is named when a position is asked about that it may hold. [`MemoryPlan`]
//! makes a table without a file, of any position that is asked about; [`Prober`] asks it as it asks
//! those of a folder.
//!
//! # Verification
//!
//! [`Table::verifier`] compares every byte with its hash. [`Verifier::rows`] then derives every value
//! from the values of the next positions, a row at a time, and [`Verifier::positions`] does so
//! position by position, for all or for a sample, with the actions that the engines find. Each
//! shares with the sweeps how positions are numbered, and derives itself which of them exist; the
//! index has tests of its own.
//!
//! ```
//! use pods::material::{Side, builtin_board, builtin_pods};
//! use pods::position::{Game, Setup};
//! use pods::progress::Silent;
//! use pods::rules::Preset;
//! use pods::solver::Value;
//! use pods::table::{BuildOptions, Table, build};
//!
//! let (board, pods) = (builtin_board("ring8").unwrap(), builtin_pods("duo").unwrap());
//! let setup = Setup::whole(Game::new(board, pods, Preset::Advanced.into()));
//! let folder = tempfile::tempdir()?;
//! let name = folder.path().join("ring8-duo");
//! build(&setup, &name, BuildOptions { memory: 1 << 30, ..BuildOptions::default() }, &Silent)?;
//!
//! let table = Table::open(&name)?;
//! let start = setup.start(Side::White)?;
//! assert_eq!(table.reader()?.value(&start)?, Value::Win(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
#[cfg(feature = "cluster")]
mod cluster;
mod error;
mod eval;
mod index;
mod memory;
mod plan;
mod probe;
mod retro;
mod solve;
mod stats;
mod steps;
mod storage;
#[cfg(test)]
mod testing;
mod verify;

pub use crate::progress::{BuildStep, Swept};
pub(crate) use build::discard_parts;
pub use build::{BuildOptions, build, parts_folder};
#[cfg(feature = "cluster")]
pub(crate) use cluster::EXCHANGE_THREAD;
#[cfg(feature = "cluster")]
pub use cluster::{Member, ProcessNeed, ProcessWork, Teamwork, build_together};
pub use error::{AnswerError, TableError};
pub use index::{Index, IndexError, PieceType, Place, Slice, Tier};
pub use memory::MemoryPlan;
pub use plan::{Need, TablePlan};
pub use probe::{Probe, Prober, Reader, Table, Tablebase};
pub use solve::{Solved, Sweeps};
pub use stats::{Counts, ExportRecord, held};
pub use storage::{Codes, TableFile, table_path};
pub use verify::{Verification, Verified, Verifier, VerifyError, verify_codes, verify_rows};
