//! Results for people and for other programs: balance reports, comparisons of rules, certificates,
//! manifests.
//!
//! The columns of the balance report are described in [`crate::rules::formats`].

mod balance;
mod best;
pub mod captions;
mod certify;
mod compare;
mod error;
mod explain;
mod files;
mod found;
pub mod frontier;
pub mod full;
mod manifest;
pub mod measures;
mod named;
mod openings;
mod origin;
pub mod page;
mod planned;
mod point_values;
mod readings;
mod rows;
mod solved;
mod suite;

pub use balance::{BalanceRow, CSV_HEADER, Openings, OutcomeClass, Tempo, balance, is_number, write_csv};
pub use best::{BEST_HEADER, BestRow, GuessCells};
pub use certify::{CertifyError, NoCertificate, certify};
pub use compare::{Comparison, Example, Kind, Reached, Said, compare_rules, compare_suite};
pub use error::BalanceError;
pub use explain::{BlockedPod, Choices, Verdict, blocked_after, choices, why_won};
pub use files::{like_csv, like_manifest, like_svg, material_text};
pub use found::{FOUND_HEADER, Found};
pub use manifest::{Cited, Input, Manifest, sha256_hex};
pub use named::NamedSetup;
pub use openings::found_together;
pub use origin::Origins;
pub use page::like_page;
pub use planned::PlannedRow;
pub use point_values::point_values;
pub use readings::{
    Reading, ReadingRow, readings, readings_header, readings_of, single_differences, write_readings_csv,
};
pub use rows::json_object;
#[cfg(feature = "matches")]
pub(crate) use rows::write_rows;
pub use solved::{SOLVED_HEADER, SolvedRow};
pub use suite::suite;
