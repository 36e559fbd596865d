//! The data dictionary: the columns of CSV and the fields of JSON, by command.

use crate::certificate::ProofSummary;
use crate::cli::cited::CitedClause;
#[cfg(feature = "cluster")]
use crate::cli::table::ProcessRow;
use crate::cli::table::{BuiltRow, PlanRow, ProbedRow, StatsRow, VerifiedRow};
use crate::cli::{bench, compare_rules, conform, crosscheck, every_action, explain, forced, frontier, list};
use crate::cli::{matches, moves};
use crate::cli::{oracle, perft, prove, replay};
use crate::files::{Column, Record as _};
use crate::matches::balance::PlayedRecord;
use crate::matches::regret::RegretRow;
use crate::report::captions::CaptionRow;
use crate::report::frontier::{ByPly, FrontierRow};
use crate::report::full::{SampleRecord, SummaryRecord};
use crate::report::measures::{EstimateRow, MeasureRow};
use crate::report::{BalanceRecord, BestRow, ExplainedRow, FoundRecord, PlannedRow, ReadingRecord, SolvedRow};
use crate::table::ExportRecord;

/// A command that writes rows, and their columns.
pub(super) type Output = (&'static str, fn() -> Vec<Column>);

/// All outputs, by command; some are JSON alone.
pub(super) const OUTPUTS: &[Output] = &[
    ("pods bench", bench::BenchRow::columns),
    ("pods bench answer", bench::AnswerRow::columns),
    ("pods bench player", RegretRow::columns),
    ("pods bench table", bench::SweepRow::columns),
    ("pods best", BestRow::columns),
    ("pods check", FoundRecord::columns),
    ("pods check --captions", CaptionRow::columns),
    ("pods check-proof", ProofSummary::columns),
    ("pods compare-rules", compare_rules::ComparedRow::columns),
    ("pods compare-rules, each of smallest", compare_rules::ExampleRow::columns),
    ("pods compare-rules, each of smallest.actions", compare_rules::ComparedAction::columns),
    ("pods compare-rules, a and b of smallest.actions", compare_rules::SaidRow::columns),
    ("pods compare-rules, a_game and b_game", compare_rules::GameRow::columns),
    ("pods conform --keep-going", conform::SurveyRow::columns),
    ("pods crosscheck", crosscheck::CrosscheckRow::columns),
    ("pods explain", ExplainedRow::columns),
    ("pods explain in JSON", explain::PositionReport::columns),
    ("pods explain, an action", explain::Explanation::columns),
    ("pods explain, each of blocked", explain::Blocked::columns),
    ("pods explain, each of blocked.legs", explain::BlockedLeg::columns),
    ("pods explain, worth", explain::WorthRow::columns),
    ("pods explain, each of clauses", CitedClause::columns),
    ("pods frontier --ply", FrontierRow::columns),
    ("pods frontier --from", ByPly::columns),
    ("pods frontier --hand-size --max-plies", frontier::ForcedRow::columns),
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
    ("pods report --measures", MeasureRow::columns),
    ("pods report --measures, the file estimates.csv", EstimateRow::columns),
    ("pods report --readings", ReadingRecord::columns),
    ("pods report --full", SummaryRecord::columns),
    ("pods report --full, the file rows.csv", SampleRecord::columns),
    ("pods report --full, where games are played", PlayedRecord::columns),
    ("pods solve", SolvedRow::columns),
    ("pods solve --every-action", every_action::ActionRow::columns),
    ("pods solve --explain-method", PlannedRow::columns),
    ("pods solve --max-plies", forced::ForcedLine::columns),
    ("pods table build", BuiltRow::columns),
    ("pods table export", ExportRecord::columns),
    ("pods table plan", PlanRow::columns),
    #[cfg(feature = "cluster")]
    ("pods table plan --processes", ProcessRow::columns),
    ("pods table probe", ProbedRow::columns),
    ("pods table stats", StatsRow::columns),
    ("pods table verify", VerifiedRow::columns),
];
