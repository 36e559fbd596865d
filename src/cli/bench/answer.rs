//! `pods bench answer`

use std::io::Write;

use cpu_time::ProcessTime;
use rayon::prelude::*;

use super::timed;
use crate::answer::{LookUp, Want};
use crate::cli::failure::{CommandResult, Exit, Failure};
use crate::cli::format::{Format, Rows};
use crate::files::{Decimal, record};
use crate::report::{BalanceRow, NamedSetup, balance};
use crate::rules::Preset;
use crate::solver::{Limits, Silent};

/// Measure the time of reports on middle-sized setups.
///
/// The setups are cave25 with hands out of pods14, in all orientations and with both starts.
/// Answers are checked: the winner always, for the smaller setups the distance too. All threads are
/// used; `CPU` adds up their seconds, which depend less on other work of the machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  pods bench answer")]
pub(super) struct Args {
    /// Format of the times; csv and json have a row for each setup
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

record! {
    /// The time of a report on a setup, in all orientations and with both starts.
    pub(in crate::cli) struct AnswerRow {
        /// Board, hand of both sides and rule set.
        setup: String,
        /// Answers that were wanted: `values` or `winners`.
        wanted: &'static str,
        /// Seconds that all of them took.
        seconds: Decimal<2>,
        /// Seconds of all threads together.
        cpu: Decimal<2>,
        /// Answers at 0°, 90°, 180° and 270°, each with White and with Black to start.
        answers: String,
    }
}

/// A setup, what is wanted of it, and what it must give at 0°, 90°, 180° and 270°: values with
/// White and with Black to start.
struct Case {
    hands: &'static str,
    preset: Preset,
    want: Want,
    answers: [[&'static str; 2]; 4],
}

const CASES: &[Case] = &[
    Case { hands: "bdt", preset: Preset::Advanced, want: Want::Value, answers: [["win in 5"; 2]; 4] },
    Case { hands: "bdhot", preset: Preset::Standard, want: Want::Value, answers: [["loss in 10"; 2]; 4] },
    Case {
        hands: "bcdfghjkot",
        preset: Preset::Standard,
        want: Want::Winner,
        answers: [["loss"; 2], ["win"; 2], ["loss"; 2], ["win"; 2]],
    },
];

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let mut rows = Rows::begin::<AnswerRow>(out, args.format)?;
    rows.line(format_args!("{:28} {:10} {:>9} {:>9}  answers", "setup", "wanted", "seconds", "CPU"))?;
    for case in CASES {
        let setups =
            NamedSetup::read_turns("cave25", "pods14", case.hands, case.preset.into()).map_err(Failure::wrong)?;
        let memory = Limits::DEFAULT_MEMORY / rayon::current_num_threads().max(1) as u64;
        let limits = Limits::default().with_memory(memory);
        let begun = ProcessTime::now();
        let (balances, seconds) = timed(|| {
            let each = setups.par_iter().map(|setup| balance(setup, LookUp::default(), case.want, limits, &Silent));
            each.collect::<Result<Vec<BalanceRow>, _>>()
        });
        let cpu = begun.elapsed().as_secs_f64();
        let balances = balances.map_err(Failure::wrong)?;
        let known = |row: &BalanceRow| {
            [row.white_first(), row.black_first()].map(|known| known.map_or("unknown".to_owned(), |v| v.to_string()))
        };
        let found: Vec<[String; 2]> = balances.iter().map(known).collect();
        if found != case.answers {
            let cause = format!("cave25 {} {}: {found:?}, expected {:?}", case.hands, case.preset.name(), case.answers);
            return Err(Failure::Discrepancy(cause));
        }
        let wanted = if case.want == Want::Winner { "winners" } else { "values" };
        let setup = format!("cave25 {} {}", case.hands, case.preset.name());
        let answers: Vec<String> = found.iter().map(|[white, black]| format!("{white} / {black}")).collect();
        let answers = answers.join(", ");
        rows.line(format_args!("{setup:28} {wanted:10} {seconds:>9.2} {cpu:>9.2}  {answers}"))?;
        rows.record(AnswerRow { setup, wanted, seconds: Decimal(seconds), cpu: Decimal(cpu), answers })?;
    }
    Ok(Exit::Good)
}
