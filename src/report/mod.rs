//! Results for people and for other programs: balance reports, comparisons of rules, certificates,
//! manifests.
//!
//! Rows are [records](crate::files::Record), which say what their columns mean.

mod balance;
mod best;
pub mod captions;
mod certify;
mod error;
mod explain;
mod files;
mod found;
mod manifest;
pub mod measures;
mod named;
mod openings;
mod origin;
pub mod page;
mod planned;
mod point_values;
mod readings;
mod solved;
mod suite;

pub use balance::{BalanceRecord, BalanceRow, Openings, OutcomeClass, Tempo, balance};
pub use best::BestRow;
pub use certify::{CertifyError, NoCertificate, certify};
pub use error::BalanceError;
pub(crate) use explain::{BlockedPod, blocked_after};
pub use explain::{Choices, ExplainedRow, Verdict, choices};
pub(crate) use files::{like_csv_about, like_manifest, like_svg, material_text};
pub use found::{Found, FoundRecord};
pub use manifest::{Cited, Input, Manifest};
pub use named::{NamedSetup, SetupRecord};
pub(crate) use openings::found_together;
pub(crate) use origin::Origins;
pub(crate) use page::like_page_about;
pub use planned::PlannedRow;
pub(crate) use point_values::point_values;
pub use readings::{
    Comparison, DifferenceKind, Example, Reached, Reading, ReadingRecord, Ruling, compare_rules, compare_suite,
    readings,
};
pub(crate) use readings::{ReadingRow, single_differences};
pub use solved::SolvedRow;
pub use suite::suite;
