//! `pods conform --keep-going`: all failures, summed up.

use std::io::Write;

use super::{Args, summary};
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::{Format, csv_rows, json_rows};
use crate::files::{count, escaped, record, shortened};
use crate::oracle::conform::misreading::Misreading;
use crate::oracle::conform::{Evidence, Failed, Reply, Subject, Survey, Tally};
use crate::oracle::protocol::Answer;

record! {
    /// Failures of a subject.
    pub(in crate::cli) struct SurveyRow {
        /// Kind of the subject: `clause`, `option`, `topic`, or `form` for answers of another form.
        about: &'static str,
        /// The subject.
        subject: String,
        /// Its title.
        title: String,
        /// Questions constructed for the subject that failed; for `form`, all failures of form.
        failed: u64,
        /// Questions constructed for the subject; empty for what is about no subject.
        asked: Option<u64>,
        /// Failures of other questions whose answers point to the subject too.
        pointing: u64,
        /// The wrong reading of the subject that explains most; empty if none explains anything.
        misreading: Option<String>,
        /// Answers that this reading gives, of those to the questions made to detect it.
        misread: Option<u64>,
        /// Other answers to these questions.
        otherwise: Option<u64>,
        /// The rules of the first failure.
        rules: String,
        /// The position of the first failure.
        position: String,
        /// The question that failed first.
        question: String,
        /// Answer that was expected.
        expected: String,
        /// Answer that came.
        got: String,
        /// The difference, in words.
        why: String,
    }
}

impl SurveyRow {
    fn of(
        subject: Option<Subject>,
        failed: &Failed,
        reading: Option<(Misreading, Evidence)>,
        tally: &Tally,
    ) -> SurveyRow {
        let first = &failed.first;
        let asked = |subject: Subject| tally.asked.get(&subject).copied().unwrap_or_default();
        let (about, name, title) = match subject {
            Some(Subject::Clause(clause)) => ("clause", clause.to_string(), clause.title().to_owned()),
            Some(Subject::Option(name, value)) => ("option", format!("{name}={value}"), String::new()),
            Some(Subject::Topic(topic)) => ("topic", topic.name().to_owned(), String::new()),
            None => ("form", String::new(), "an answer of another form, or none".to_owned()),
        };
        let text = |answer: &Answer| shown(&serde_json::to_string(answer).unwrap_or_default());
        let asks = first.asks();
        SurveyRow {
            about,
            subject: name,
            title,
            failed: failed.own,
            asked: subject.map(asked),
            pointing: failed.pointing,
            misreading: reading.map(|(misreading, _)| misreading.to_string()),
            misread: reading.map(|(_, evidence)| evidence.given),
            otherwise: reading.map(|(_, evidence)| evidence.others),
            rules: first.game.rules().to_string(),
            position: first.position.display(&first.game).to_string(),
            question: asks.last().map(|ask| shown(&serde_json::to_string(ask).unwrap_or_default())).unwrap_or_default(),
            expected: text(&first.expected),
            got: match &first.got {
                Reply::Answer(got) => text(got),
                Reply::Fault(fault) => shown(fault.message.lines().next().unwrap_or_default()),
            },
            why: shown(&failed.why),
        }
    }
}

fn shown(text: &str) -> String {
    escaped(&shortened(text))
}

/// Writes what failed, and says how the run ended.
pub(super) fn tell(args: &Args, survey: &Survey, out: &mut dyn Write) -> CommandResult {
    let Survey { name, tally, failures, ended } = survey;
    let name = if name.is_empty() { escaped(&args.engine) } else { name.clone() };
    let by_likelihood = failures.by_likelihood(tally).into_iter();
    let of_subjects =
        by_likelihood.map(|ranked| SurveyRow::of(Some(ranked.subject), ranked.failed, ranked.reading, tally));
    let of_form = failures.of_form.iter().map(|failed| SurveyRow::of(None, failed, None, tally));
    let rows = of_subjects.chain(of_form);
    match args.format.unwrap_or(Format::Text) {
        Format::Csv => csv_rows(out, true, rows)?,
        Format::Json => json_rows(out, rows)?,
        Format::Text => {
            let (wrong, silent, asked) = (failures.wrong, failures.unanswered, tally.questions);
            match failures.all() {
                0 => writeln!(out, "{name} agrees with the rules in {asked} questions")?,
                _ => writeln!(
                    out,
                    "{name} differs: {wrong} of {asked} questions are answered otherwise than by the rules, {silent} not at all"
                )?,
            }
            for row in rows {
                text(out, &row)?;
            }
            writeln!(out)?;
            summary(out, args, tally)?;
        }
    }
    if *ended {
        return interrupted(out, format_args!("not all questions were asked, {} failed", failures.all()));
    }
    Ok(match (failures.wrong, failures.unanswered) {
        (0, 0) => Exit::Good,
        (0, _) => Exit::Wrong,
        _ => Exit::Discrepancy,
    })
}

fn text(out: &mut dyn Write, row: &SurveyRow) -> Result<(), Failure> {
    let asked = |asked| format!("{} made for it, {} failed", count(asked, "question"), row.failed);
    let failed = row.asked.map_or_else(|| format!("{} failed", count(row.failed, "question")), asked);
    let pointing = match row.pointing {
        0 => String::new(),
        1 => "; the failure of 1 other question points to it".to_owned(),
        more => format!("; the failures of {more} other questions point to it"),
    };
    let name: Vec<&str> =
        [row.subject.as_str(), row.title.as_str()].into_iter().filter(|text| !text.is_empty()).collect();
    writeln!(out, "\n{}  {}: {failed}{pointing}; the first:", row.about, name.join("  "))?;
    if let (Some(misreading), Some(misread), Some(otherwise)) = (&row.misreading, row.misread, row.otherwise) {
        let of = misread + otherwise;
        writeln!(out, "  as if     {misreading}: {misread} of {} made to detect that", count(of, "question"))?;
    }
    writeln!(out, "  rules     {}", row.rules)?;
    writeln!(out, "  position  {}", row.position)?;
    writeln!(out, "  asked     {}", row.question)?;
    writeln!(out, "  expected  {}", row.expected)?;
    writeln!(out, "  got       {}", row.got)?;
    Ok(writeln!(out, "  why       {}", row.why)?)
}
