//! The balance report for people.

use std::collections::BTreeSet;
use std::io::Write;

use crate::cli::failure::Failure;
use crate::report::{BalanceRow, NamedSetup, Origins, SetupRecord, Tempo};
use crate::solver::{Method, Verdict};

pub(in crate::cli) fn known(verdict: Option<Verdict>) -> String {
    verdict.map_or("unknown".to_owned(), |verdict| verdict.to_string())
}

/// Returns White's first actions that win, draw and lose, and how many are not known.
pub(in crate::cli) fn openings(row: &BalanceRow) -> String {
    let openings = row.openings;
    let unknown = if row.unknown_openings == 0 { String::new() } else { format!(" and {}?", row.unknown_openings) };
    format!("{}/{}/{}{unknown}", openings.winning, openings.drawing, openings.losing)
}

/// Writer of rows as they come: a block per setup, a line per orientation.
#[derive(Debug, Default)]
pub(super) struct Table {
    block: Option<NamedSetup>,
    notes: BTreeSet<&'static str>,
}

impl Table {
    pub(super) fn row(&mut self, row: &BalanceRow, out: &mut dyn Write) -> Result<(), Failure> {
        if self.block.as_ref().is_none_or(|block| !block.differs_in_turn_at_most(&row.setup)) {
            if self.block.is_some() {
                writeln!(out)?;
            }
            let record = row.setup.record();
            let hands = record.hands();
            let SetupRecord { board, pods, rules, .. } = record;
            writeln!(out, "{board}, {pods}: {hands}; {rules}")?;
            writeln!(
                out,
                "  {:>11}  {:14} {:14} {:12} {:>18} {:>8} {:>11}  how",
                "orientation", "White starts", "Black starts", "who wins", "openings +/=/-", "random", "positions"
            )?;
            self.block = Some(row.setup.clone());
        }
        let mut how = vec![row.method()];
        how.extend(row.verified.map(|v| format!("verified by {}", v.name())));
        if row.verified.is_none() && row.white_first().or(row.black_first()).is_some() {
            how.push(if row.is_certified() { "proven by a certificate" } else { "not verified" }.to_owned());
        }
        match row.tempo {
            Some(Tempo::WholeHands) => how.push("whole hands placed".to_owned()),
            Some(Tempo::Parity) => how.push("follows parity".to_owned()),
            Some(Tempo::No) | None => {}
        }
        if let Some(stopped) = row.stopped() {
            how.push(crate::cli::limits::with_way_out(&stopped));
        }
        writeln!(
            out,
            "  {:>10}°  {:14} {:14} {:12} {:>18} {:>8} {:>11}  {}",
            row.setup.orientation().degrees(),
            known(row.white_first()),
            known(row.black_first()),
            row.outcome_class().map_or("unknown", |class| class.name()),
            openings(row),
            row.random_play_score.map_or("-".to_owned(), |score| format!("{score:.3}")),
            row.positions,
            how.join(", "),
        )?;
        self.note(row);
        Ok(out.flush()?)
    }

    fn note(&mut self, row: &BalanceRow) {
        if row.tempo == Some(Tempo::WholeHands) {
            self.notes.insert(
                "`whole hands placed`: with best play every turn places a pod until a hand is empty, so winner and distance follow \
                 from the numbers of pods alone.",
            );
        }
        if row.tempo == Some(Tempo::Parity) {
            self.notes.insert("`follows parity`: the same side wins as in a game in which every turn places a pod, but in another or an unknown number of plies.");
        }
        if row.used(Method::Library) {
            self.notes.insert("Winners by `library` are proven by certificates, which `pods solve start` names; --no-library leaves them out.");
        }
        if row.used(Method::Search) {
            self.notes.insert("Winners by `search` have no distance here, and are not derived again.");
        }
        if row.white_first().is_none() || row.black_first().is_none() {
            self.notes.insert(
                "Where a winner is unknown, `pods report play` for the same setup says who is favoured by play.",
            );
        }
        if row.random_play_score.is_none() {
            self.notes.insert("`random` is `-` where games can be endless, the game has more than 400,000 positions, or only winners are asked for.");
        }
        if row.unknown_openings > 0 {
            self.notes.insert("`and N?`: openings that are undecided within the limits of --time and --max-nodes.");
        }
    }

    pub(super) fn end(&self, origins: &Origins, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(
            out,
            "\nValues are for the side that starts, in plies to the end (R33). `who wins`: `first` is whoever starts (R34).\n\
             `openings`: White's first actions that win, draw, lose. `random`: White's expected score in random play.\n\
             In CSV `who wins` is `outcome_class`; `how` is `method`, `verified`, `tempo` and `stopped`."
        )?;
        for note in &self.notes {
            writeln!(out, "{note}")?;
        }
        Ok(writeln!(out, "{origins}")?)
    }
}
