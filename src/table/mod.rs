//! Tables: the value of every position of a setup.

mod arrangement;
mod bits;
mod blocks;
mod build;
mod codes;
mod cursor;
mod direct;
mod error;
mod file;
mod header;
mod index;
mod mapping;
mod parts;
mod plan;
mod reader;
mod solved;
mod stats;
mod sweep;
mod verify;

pub use arrangement::{Arrangement, Class, MAX_ON_BOARD, Placed};
pub use build::{BuildOptions, BuildStep, build, table_path};
pub use codes::{Codes, code_of, value_of};
pub use cursor::Cursor;
pub use error::TableError;
pub use file::{TableFile, VERSION};
pub use header::{Content, Header, SetupText};
pub use index::{Index, IndexError, Place, Slice, Tier};
pub use plan::{Need, TablePlan};
pub use reader::{Answer, Probe, Table};
pub use solved::{Solved, Sweeps};
pub use stats::{Counts, counts};
pub use sweep::Swept;
pub use verify::{Verification, Verified, VerifyError, verify_codes};
