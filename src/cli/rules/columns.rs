//! The data dictionary: the columns of CSV and the fields of JSON, by command.

use crate::certificate::ProofSummary;
use crate::cli::cited::CitedClause;
use crate::cli::report::compare;
use crate::cli::table::{BuiltRow, PlanRow, ProbedRow, ProcessRow, StatsRow, VerifiedRow};
use crate::cli::{
    conform, crosscheck, every_action, explain, forced, list, matches, moves, oracle, perft, prove, replay,
};
use crate::files::{Column, Record as _};
use crate::matches::balance::PlayedRecord;
use crate::report::captions::CaptionRow;
use crate::report::measures::{EstimateRow, MeasureRow};
use crate::report::{BalanceRecord, BestRow, ExplainedRow, FoundRecord, PlannedRow, ReadingRecord, SolvedRow};
use crate::table::ExportRecord;

/// A command that writes rows, and their columns.
pub(super) type Output = (&'static str, fn() -> Vec<Column>);

/// All outputs, by command; some are JSON alone.
pub(super) const OUTPUTS: &[Output] = &[
    ("pods best", BestRow::columns),
    ("pods check", FoundRecord::columns),
    ("pods check --captions", CaptionRow::columns),
    ("pods check-proof", ProofSummary::columns),
    ("pods conform --keep-going", conform::SurveyRow::columns),
    ("pods crosscheck", crosscheck::CrosscheckRow::columns),
    ("pods explain", ExplainedRow::columns),
    ("pods explain in JSON", explain::PositionReport::columns),
    ("pods explain, an action", explain::Explanation::columns),
    ("pods explain, each of blocked", explain::Blocked::columns),
    ("pods explain, each of blocked.legs", explain::BlockedLeg::columns),
    ("pods explain, worth", explain::WorthRow::columns),
    ("pods explain, each of clauses", CitedClause::columns),
    ("pods list", list::List::columns),
    ("pods list, each of boards", list::ListedBoard::columns),
    ("pods list, each of pods", list::ListedPods::columns),
    ("pods list, each of rules", list::ListedRules::columns),
    ("pods list, each of options", list::ListedOption::columns),
    ("pods match", matches::MatchRow::columns),
    ("pods moves", moves::ListedAction::columns),
    ("pods oracle check", oracle::CheckedSet::columns),
    ("pods perft", perft::PerftRow::columns),
    ("pods perft --divide", perft::Branch::columns),
    ("pods prove", prove::Proven::columns),
    ("pods replay", replay::ReplayedRow::columns),
    ("pods report", BalanceRecord::columns),
    ("pods report measures", MeasureRow::columns),
    ("pods report measures, the file estimates.csv", EstimateRow::columns),
    ("pods report play", PlayedRecord::columns),
    ("pods report readings", ReadingRecord::columns),
    ("pods report readings A B", compare::ComparedRow::columns),
    ("pods report readings A B, each of smallest", compare::ExampleRow::columns),
    ("pods report readings A B, each of smallest.actions", compare::ComparedAction::columns),
    ("pods report readings A B, a and b of smallest.actions", compare::RulingRow::columns),
    ("pods solve", SolvedRow::columns),
    ("pods solve --every-action", every_action::ActionRow::columns),
    ("pods solve --explain-method", PlannedRow::columns),
    ("pods solve --max-plies", forced::ForcedLine::columns),
    ("pods table build", BuiltRow::columns),
    ("pods table export", ExportRecord::columns),
    ("pods table plan", PlanRow::columns),
    ("pods table plan --processes", ProcessRow::columns),
    ("pods table probe", ProbedRow::columns),
    ("pods table stats", StatsRow::columns),
    ("pods table verify", VerifiedRow::columns),
];
