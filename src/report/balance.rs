//! First-player advantage of a setup (R34).

use std::time::Instant;

use crate::answer::{Answerer, Checked, LookUp, SetupAnswer, StartAnswer, Want};
use crate::engine::{Bitboard, Engine as _};
use crate::files::{Decimal, named, record};
use crate::position::Action;
use crate::rules::EmptyHand;
use crate::solver::{Limits, Method, Observer, Outcome, Plies, Stopped, Tracker, Verdict, random_play_score};

use super::{BalanceError, NamedSetup, SetupRecord};

named! {
    /// Outcome class of a setup: the outcomes with White and with Black to start, as one (R34).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum OutcomeClass {
        /// The player who starts wins.
        First = "first",
        /// The player who starts loses.
        Second = "second",
        /// White wins, whoever starts.
        White = "white",
        /// Black wins, whoever starts.
        Black = "black",
        /// Drawn, whoever starts.
        Drawn = "drawn",
        /// Drawn if White starts, decided if Black does.
        DrawnIfWhiteStarts = "drawn-if-white-starts",
        /// Drawn if Black starts, decided if White does.
        DrawnIfBlackStarts = "drawn-if-black-starts",
    }
}

impl OutcomeClass {
    /// Returns the class of two outcomes, each as the player who starts sees it.
    pub(crate) const fn of(white_first: Outcome, black_first: Outcome) -> OutcomeClass {
        match (white_first, black_first) {
            (Outcome::Draw, Outcome::Draw) => OutcomeClass::Drawn,
            (Outcome::Draw, _) => OutcomeClass::DrawnIfWhiteStarts,
            (_, Outcome::Draw) => OutcomeClass::DrawnIfBlackStarts,
            (Outcome::Win, Outcome::Win) => OutcomeClass::First,
            (Outcome::Loss, Outcome::Loss) => OutcomeClass::Second,
            (Outcome::Win, Outcome::Loss) => OutcomeClass::White,
            (Outcome::Loss, Outcome::Win) => OutcomeClass::Black,
        }
    }
}

/// Number of White's first actions that win, draw and lose for White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    /// Those that win.
    pub winning: u64,
    /// Those that draw.
    pub drawing: u64,
    /// Those that lose.
    pub losing: u64,
}

named! {
    /// Classification of setups in which play is a race to place the whole hand, so that only the
    /// number of placements counts (R15, R16, R19).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Tempo {
        /// From both starts, outcome and distance are those of the race.
        WholeHands = "whole-hands",
        /// From both starts the outcome is that of the race; a distance differs, or is not known.
        Parity = "parity",
        /// From at least one start the outcome is not that of the race.
        No = "no",
    }
}

impl Tempo {
    /// Returns the outcome of the race for the player who starts, and its plies. `starts` is the
    /// number of pods in hand of that player, `other` that of the opponent.
    fn race(empty_hand: EmptyHand, starts: usize, other: usize) -> (Outcome, usize) {
        match empty_hand {
            // Who places the last pod first wins: the player who starts after 2 * starts - 1 plies,
            // the opponent after 2 * other.
            EmptyHand::Wins if 2 * starts < 2 * other + 1 => (Outcome::Win, (2 * starts).saturating_sub(1)),
            EmptyHand::Wins => (Outcome::Loss, 2 * other),
            // Who is first to move with an empty hand loses: the player who starts after 2 * starts
            // plies, the opponent after 2 * other + 1.
            EmptyHand::Loses if starts <= other => (Outcome::Loss, 2 * starts),
            EmptyHand::Loses => (Outcome::Win, 2 * other + 1),
        }
    }
}

/// A row of the balance report.
#[derive(Clone, Debug)]
pub struct BalanceRow {
    /// The setup.
    pub setup: NamedSetup,
    /// Answers with White and with Black to start, for the side that starts.
    pub starts: [StartAnswer; 2],
    /// White's first actions, each with what it gives White; `None` for those that are not known.
    pub first_actions: Vec<(Action, Option<Outcome>)>,
    /// White's first actions whose outcome is known, by outcome.
    pub openings: Openings,
    /// Number of White's first actions that have no known outcome.
    pub unknown_openings: u64,
    /// White's expected score in uniformly random play from White's start. `None` if games can be
    /// endless, only the winners are wanted, there are more than 400,000 positions, or a limit is
    /// reached.
    pub random_play_score: Option<f64>,
    /// Classification as a race to place the whole hand; `None` where a start is not known.
    pub tempo: Option<Tempo>,
    /// Number of positions that the values rest on: those in the solver's table or searched; 1
    /// where a theorem settles the start.
    pub positions: u64,
    /// Check of the values; `None` if not all of them were checked.
    pub verified: Option<Checked>,
    /// The limit that ended the check of the values.
    pub unverified: Option<Stopped>,
    /// The names of the certificates for White and for Black to start; `None` if there is none.
    pub certificates: [Option<String>; 2],
}

/// The most positions for which the expected score of random play is computed.
const RANDOM_PLAY_POSITIONS: u64 = 400_000;

/// Solves a setup and returns its row: the values with White and with Black to start (R34),
/// verified where possible. Values are looked up in what is `known`; `want` says what is asked of
/// each start. The limits of nodes and time hold for each start.
///
/// # Errors
///
/// If the setup cannot start, a table cannot be read, or a value fails its verification.
pub fn balance(
    named: &NamedSetup,
    known: LookUp<'_>,
    want: Want,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<BalanceRow, BalanceError> {
    let (game, hands) = (named.game(), named.setup().hands());
    let starts = named.setup().starts()?.into_array();
    let begun = Instant::now();
    let mut answerer = Answerer::with_tables(game, known.tables)?.with_library(known.library);
    let SetupAnswer { starts: answers, openings, positions, checked, unchecked } =
        answerer.setup(&starts, want, limits, observer)?;
    let engine = Bitboard::new(game.clone());
    let random_play_score = if game.rules().can_cycle() || want == Want::Winner {
        None
    } else {
        // With what the two starts have left.
        let left = limits.time.map(|time| (2 * time).saturating_sub(begun.elapsed()).min(time));
        let limits = left.map_or(limits, |left| limits.with_share_of_time(left));
        let tracker = Tracker::new(limits.with_nodes(RANDOM_PLAY_POSITIONS), observer);
        random_play_score(&engine, &starts[0], tracker.limits(), &tracker).ok()
    };
    let first_actions: Vec<(Action, Option<Outcome>)> =
        engine.sorted_actions(&starts[0]).into_iter().zip(openings.iter().copied()).collect();
    let count = |wanted: Option<Outcome>| openings.iter().filter(|opening| **opening == wanted).count() as u64;
    let sizes = hands.map(|hand| hand.len()).into_array();
    Ok(BalanceRow {
        setup: named.clone(),
        tempo: tempo(game.rules().options().empty_hand, sizes, &answers),
        starts: answers,
        first_actions,
        openings: Openings {
            winning: count(Some(Outcome::Win)),
            drawing: count(Some(Outcome::Draw)),
            losing: count(Some(Outcome::Loss)),
        },
        unknown_openings: count(None),
        random_play_score,
        positions,
        verified: checked,
        unverified: unchecked,
        certificates: [None, None],
    })
}

/// Returns the tempo of hands of White and of Black, if the values are those of a race.
fn tempo(empty_hand: EmptyHand, hands: [usize; 2], starts: &[StartAnswer; 2]) -> Option<Tempo> {
    let mut tempo = Tempo::WholeHands;
    for (i, start) in starts.iter().enumerate() {
        let verdict = start.known.ok()?;
        let (outcome, plies) = Tempo::race(empty_hand, hands[i], hands[1 - i]);
        tempo = tempo.max(match verdict.plies() {
            _ if verdict.outcome() != outcome => Tempo::No,
            Some(known) if usize::from(known) == plies => Tempo::WholeHands,
            _ => Tempo::Parity,
        });
    }
    Some(tempo)
}

record! {
    /// The columns of the balance report. A value is that for the side that starts.
    #[derive(Clone, Debug)]
    pub struct BalanceRecord {
        #[serde(flatten)]
        pub setup: SetupRecord,
        /// Value with White to start, as White sees it: `win`, `draw` or `loss` (R33).
        pub white_first: Option<&'static str>,
        /// Plies to the end with White to start; empty for a draw, and where only the winner is
        /// known.
        pub white_first_plies: Option<Plies>,
        /// Value with Black to start, as Black sees it.
        pub black_first: Option<&'static str>,
        /// Plies to the end with Black to start.
        pub black_first_plies: Option<Plies>,
        /// Outcomes of both starts as one (R34): `first`, `second`, `white`, `black`, `drawn`,
        /// `drawn-if-white-starts` or `drawn-if-black-starts`.
        pub outcome_class: Option<&'static str>,
        /// White's first actions that win; like the next two, empty unless all are known.
        pub winning_openings: Option<u64>,
        /// White's first actions that draw.
        pub drawing_openings: Option<u64>,
        /// White's first actions that lose.
        pub losing_openings: Option<u64>,
        /// White's expected score if both sides play at random; empty where games can be endless,
        /// or where there are too many positions.
        pub random_play_score: Option<Decimal<6>>,
        /// Positions that were looked at.
        pub positions: u64,
        /// Source of the values: the `rules` alone, `exhaustive` search, `retrograde` analysis, the
        /// `mirror` theorem, the `search` for the winner, a `table` on disk, the `sweeps` of a
        /// table in memory, `alpha-beta` search, a `forced` win, or the `library` of checked
        /// certificates; two names with a `+` are those of the two starts.
        pub method: String,
        /// Check of the values: `reference`, derived again position by position with the reference
        /// engine; `rows`, a table derived again row by row by a second evaluator, the starts and a
        /// sample with the reference engine; `reference-step`, the starts alone, from the values of
        /// the next positions; `theorem`, the conditions of a theorem hold. Empty: not verified here; certificates of the `library`
        /// were checked before.
        pub verified: Option<&'static str>,
        /// File of the certificate for White's start, where one was written.
        pub white_first_certificate: Option<String>,
        /// File of the certificate for Black's start.
        pub black_first_certificate: Option<String>,
        /// White's first actions of which nothing is known.
        pub unknown_openings: u64,
        /// `whole-hands` where with best play from either start every turn places a pod until a
        /// hand is empty and the game ends, `parity` where the winners, but not the distances, are
        /// those of such a game, `no` elsewhere.
        pub tempo: Option<&'static str>,
        /// The limit that kept the winner of a start from being found, or else the values from
        /// being verified.
        pub stopped: Option<String>,
    }
}

impl BalanceRow {
    /// Returns the verdict with White to start, for White.
    #[must_use]
    pub fn white_first(&self) -> Option<Verdict> {
        self.starts[0].known.ok()
    }

    /// Returns the verdict with Black to start, for Black.
    #[must_use]
    pub fn black_first(&self) -> Option<Verdict> {
        self.starts[1].known.ok()
    }

    /// Returns the outcome class of the setup; `None` where a start is not known.
    #[must_use]
    pub fn outcome_class(&self) -> Option<OutcomeClass> {
        Some(OutcomeClass::of(self.white_first()?.outcome(), self.black_first()?.outcome()))
    }

    /// Returns White's first actions, if all are known.
    #[must_use]
    pub(crate) fn all_openings(&self) -> Option<Openings> {
        (self.unknown_openings == 0).then_some(self.openings)
    }

    /// Returns the methods, by name: one, or those of White's and of Black's start.
    #[must_use]
    pub(crate) fn method(&self) -> String {
        let [white, black] = self.starts.each_ref().map(|start| start.method);
        if white == black { white.name().to_owned() } else { format!("{white}+{black}") }
    }

    /// Returns `true` if a start was settled by a method.
    #[must_use]
    pub(crate) fn used(&self, method: Method) -> bool {
        self.starts.iter().any(|start| start.method == method)
    }

    /// Returns `true` if the winners of both starts follow from certificates that were checked.
    #[must_use]
    pub(crate) fn is_certified(&self) -> bool {
        self.starts.iter().all(|start| start.known.is_ok() && start.method == Method::Library)
    }

    /// Returns the limit that kept the winner of a start from being found; else the one that kept
    /// the values from being checked.
    #[must_use]
    pub fn stopped(&self) -> Option<Stopped> {
        self.starts.iter().find_map(|start| start.known.err()).or(self.unverified)
    }

    /// Returns the columns of the row.
    #[must_use]
    pub fn record(&self) -> BalanceRecord {
        let outcome = |verdict: Option<Verdict>| verdict.map(|v| v.outcome().name());
        let plies = |verdict: Option<Verdict>| verdict.and_then(|v| v.plies());
        let [white_first, black_first] = [self.white_first(), self.black_first()];
        let openings = self.all_openings();
        let [white_first_certificate, black_first_certificate] = self.certificates.clone();
        BalanceRecord {
            setup: self.setup.record(),
            white_first: outcome(white_first),
            white_first_plies: plies(white_first),
            black_first: outcome(black_first),
            black_first_plies: plies(black_first),
            outcome_class: self.outcome_class().map(OutcomeClass::name),
            winning_openings: openings.map(|of| of.winning),
            drawing_openings: openings.map(|of| of.drawing),
            losing_openings: openings.map(|of| of.losing),
            random_play_score: self.random_play_score.map(Decimal),
            positions: self.positions,
            method: self.method(),
            verified: self.verified.map(Checked::name),
            white_first_certificate,
            black_first_certificate,
            unknown_openings: self.unknown_openings,
            tempo: self.tempo.map(Tempo::name),
            stopped: self.stopped().map(|stopped| stopped.to_string()),
        }
    }
}
