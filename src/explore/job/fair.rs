//! Balance of a setup: games between two equal players, for each turn of the board, each reading of
//! the rules and each of the other named rule sets, and the exact values where they are found.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::Kept;
use super::best::worth;
use super::watch::Watch;
use crate::answer::{Answerer, LookUp, Request, Want};
use crate::explore::events::Events;
use crate::explore::view::side_name;
use crate::files::write_rows;
use crate::geometry::Orientation;
use crate::matches::Conventions;
use crate::matches::balance::{Balance, Course, Prepared, Row, Strength, balance_page, rows};
use crate::material::Side;
use crate::report::page::{About, balance_page as exact_page};
use crate::report::{BalanceRow, NamedSetup, Origins, balance, single_differences};
use crate::rules::{Preset, RuleOption, RuleSet};
use crate::solver::{Finding, Limits, Method, Verdict};
use crate::statistics::Interval;

pub(super) const MAX_GAMES: u64 = 2000;

/// Number and strength of the games that are asked for.
#[derive(Clone, Copy, Debug)]
pub(in crate::explore) struct Play {
    /// Positions that a player looks at before each action.
    pub(super) nodes: u64,
    pub(super) games: u64,
    /// Half the width of an interval that is narrow enough to play no more.
    pub(super) half_width: Option<f64>,
}

/// Games from each start before the first look for exact values, before the readings of the rules
/// have their turn, and before the longer look for exact values.
const FIRST: usize = 2;
const FEW: usize = 20;
const MORE: usize = 100;

/// Games from each start between two looks at the widths of the intervals.
const STEP: usize = 25;

/// The least time between two messages about the number of games.
const COUNT_EVERY: Duration = Duration::from_millis(250);

/// The time of the first look for each exact value.
const LOOK: Duration = Duration::from_millis(100);
const LOOK_MEMORY: u64 = 64 << 20;

/// Number of openings that are asked for, if there are not as many as games.
const FEWER: [u64; 6] = [400, 150, 60, 20, 6, 1];

/// Kind of a start: with the rules as they are, with one option read otherwise, or with another of
/// the named rule sets.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    Plain,
    Readings,
    RuleSets,
}

impl Which {
    const fn event(self) -> &'static str {
        match self {
            Which::Plain => "games",
            Which::Readings => "readings",
            Which::RuleSets => "rule-sets",
        }
    }
}

/// A change of one option of the rules.
struct Reading {
    rules: RuleSet,
    option: &'static str,
    value: &'static str,
    /// The meaning of the value, in words.
    words: &'static str,
    clause: String,
}

/// The games and the exact values of a setup so far. A game depends on its number alone, so more
/// can be played later.
pub(super) struct Fairness {
    asked: NamedSetup,
    nodes: u64,
    balance: Balance,
    readings: Vec<Reading>,
    /// Nothing before openings are drawn, and where there are none.
    prepared: Option<Prepared>,
    /// True if there are fewer openings than were asked for.
    is_short: bool,
    /// In the order in which they were played.
    courses: Vec<Course>,
    /// Number of games that were played from each start.
    counts: Vec<usize>,
    exact: Vec<BalanceRow>,
    /// Exact values of starts, as they are told.
    told: Vec<((RuleSet, Orientation, Side), Json)>,
}

impl Fairness {
    fn new(asked: &NamedSetup, nodes: u64) -> Fairness {
        let preset = asked.rules();
        let differences: Vec<_> = single_differences().into_iter().filter(|(base, ..)| *base == preset).collect();
        let mut all = vec![preset];
        for rules in differences.iter().map(|of| of.1).chain(Preset::ALL.map(RuleSet::from)) {
            if !all.contains(&rules) {
                all.push(rules);
            }
        }
        let turned = |rules| Orientation::ALL.map(|orientation| asked.turned(orientation).with_rules(rules));
        let setups: Vec<NamedSetup> = all.into_iter().flat_map(turned).collect();
        let readings = differences.iter().filter_map(|&(_, rules, option, clause)| {
            let value = rules.value(option)?;
            let words = RuleOption::named(option)?.words_of(value);
            Some(Reading { rules, option, value, words, clause: clause.to_string() })
        });
        let conventions = Conventions { repetitions: 3, plies: 300 };
        let strengths = vec![Strength { nodes, games: 0 }];
        let balance = Balance { setups, strengths, opening_plies: 2, seed: 1, conventions };
        let (asked, readings) = (asked.clone(), readings.collect());
        let (courses, counts, exact, told) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Fairness { asked, nodes, balance, readings, prepared: None, is_short: false, courses, counts, exact, told }
    }

    /// Draws openings for so many games, or for as many as there are. Those drawn before stay the
    /// same.
    fn prepare(&mut self, games: u64, to: &Events) {
        if self.is_short || games <= self.balance.strengths[0].games {
            return;
        }
        let before = self.balance.strengths[0].games;
        for games in [games].into_iter().chain(FEWER.into_iter().filter(|&fewer| fewer < games && fewer > before)) {
            self.balance.strengths[0].games = games;
            match self.balance.prepare(to.gone()) {
                Ok(Some(found)) => {
                    self.counts.resize(found.starts.len(), 0);
                    self.prepared = Some(found);
                    return;
                }
                // The page has gone.
                Ok(None) => break,
                Err(error) => {
                    self.is_short = true;
                    if games == 1 {
                        to.send("no-games", &json!({ "why": error.to_string() }));
                    }
                }
            }
        }
        self.balance.strengths[0].games = before;
    }

    fn strength(&self) -> Strength {
        self.balance.strengths[0]
    }

    /// Returns `true` if rules are among these. Rules with one option read otherwise may have a
    /// name of their own.
    fn are(&self, which: Which, rules: RuleSet) -> bool {
        let is_plain = rules == self.asked.rules();
        match which {
            Which::Plain => is_plain,
            Which::Readings => self.readings.iter().any(|reading| reading.rules == rules),
            Which::RuleSets => !is_plain && Preset::ALL.into_iter().any(|preset| RuleSet::from(preset) == rules),
        }
    }

    /// Returns the numbers of the starts with such rules.
    fn starts(&self, which: Which) -> Vec<usize> {
        let Some(prepared) = &self.prepared else { return Vec::new() };
        (0..prepared.starts.len()).filter(|&start| self.are(which, prepared.starts[start].setup.rules())).collect()
    }

    /// Plays on until the starts with such rules have this many games.
    fn play(&mut self, which: Which, games: usize, to: &Events) -> Result<(), String> {
        self.prepare(games as u64, to);
        let games = games.min(self.strength().games as usize);
        let starts = self.starts(which);
        let mut told = Instant::now();
        for game in 0..games {
            for &start in &starts {
                if self.counts[start] > game || to.is_gone() {
                    continue;
                }
                if told.elapsed() >= COUNT_EVERY {
                    told = Instant::now();
                    let done: usize = starts.iter().map(|&start| self.counts[start].min(games)).sum();
                    let total = starts.len() * games;
                    to.send("count", &json!({ "of": which.event(), "done": done, "total": total }));
                }
                let Some(prepared) = &self.prepared else { return Ok(()) };
                let number = game * self.counts.len() + start;
                let played =
                    self.balance.play(prepared, self.strength(), number, to.gone()).map_err(|e| e.to_string())?;
                let Some(line) = played else { return Ok(()) };
                let course =
                    self.balance.course(prepared, &line).ok_or("this is a fault of the program: a game is wrong")?;
                self.courses.push(course);
                self.counts[start] += 1;
            }
            if !to.is_gone() {
                self.tell(which, to);
            }
        }
        Ok(())
    }

    /// Plays on until the shares of all starts with the rules as they are are known well enough, or
    /// there are this many games.
    fn play_on(&mut self, games: usize, half_width: Option<f64>, to: &Events) -> Result<(), String> {
        let Some(half_width) = half_width else { return self.play(Which::Plain, games, to) };
        let mut so_far = MORE.min(games);
        while so_far < games && !to.is_gone() && !self.is_within(half_width) {
            so_far = (so_far + STEP).min(games);
            self.play(Which::Plain, so_far, to)?;
        }
        Ok(())
    }

    /// Returns `true` if no interval of a share is wider than twice `half_width`, with the rules as
    /// they are.
    fn is_within(&self, half_width: f64) -> bool {
        let rows = self.rows();
        let mut plain = rows.iter().filter(|row| self.are(Which::Plain, row.start.setup.rules()));
        plain
            .all(|row| row.first.of_decided().is_some_and(|(_, Interval { low, high })| high - low <= 2.0 * half_width))
    }

    /// Returns the number of games from each start with the rules as they are.
    fn played(&self) -> usize {
        self.starts(Which::Plain).into_iter().map(|start| self.counts[start]).min().unwrap_or(0)
    }

    fn rows(&self) -> Vec<Row> {
        let Some(prepared) = &self.prepared else { return Vec::new() };
        rows(&self.balance, prepared, std::slice::from_ref(&self.courses))
    }

    /// Tells the results of the games so far.
    fn tell(&self, which: Which, to: &Events) {
        let rows = self.rows();
        let these = rows.iter().filter(|row| self.are(which, row.start.setup.rules()));
        let all: Vec<Json> = these.map(|row| self.row(row)).collect();
        to.send(which.event(), &all);
    }

    fn row(&self, row: &Row) -> Json {
        let share =
            |share: Option<(f64, Interval)>| share.map(|(share, Interval { low, high })| json!([share, low, high]));
        let rules = row.start.setup.rules();
        let reading = self.readings.iter().find(|reading| reading.rules == rules);
        json!({
            "turn": row.start.setup.orientation().degrees(),
            "first": side_name(row.start.first),
            "rules": rules.to_string(),
            "option": reading.map(|reading| reading.option),
            "value": reading.map(|reading| reading.value),
            "words": reading.map(|reading| reading.words),
            "clause": reading.map(|reading| &reading.clause),
            "wins": row.first.wins,
            "draws": row.first.draws,
            "losses": row.first.losses,
            "share": share(row.first.of_decided()),
            "plies": row.mean(row.plies),
            "base": share(row.change.as_ref().and_then(|change| change.of_base())),
            "difference": share(row.change.as_ref().and_then(|change| change.difference())),
        })
    }

    /// Looks for a moment at each start under some rules: tables, proven positions and small games
    /// are known at once.
    fn look(&mut self, rules: RuleSet, kept: &Kept<'_>, to: &Events) -> Result<(), String> {
        for orientation in Orientation::ALL {
            let named = self.asked.turned(orientation).with_rules(rules);
            let (setup, hands) = (named.setup(), named.setup().hands());
            let mut answerer =
                Answerer::with_tables(setup.game(), kept.tables).map_err(|error| error.to_string())?.with_library(true);
            for side in Side::BOTH {
                if self.is_known((rules, orientation, side)) || to.is_gone() {
                    continue;
                }
                let start = setup.start(side).map_err(|error| error.to_string())?;
                let limits = Limits::default().with_memory(LOOK_MEMORY).with_time(LOOK).with_interrupt(to.gone());
                let found = answerer.answer(&start, Request::new(limits).unverified(), &Watch::new(to));
                if let Finding::Solved(solution) = found.map_err(|error| error.to_string())? {
                    let certificate = answerer.proven(&start).map(|proven| proven.certificate.with_position());
                    let certificate = certificate.filter(|_| solution.method == Method::Library);
                    let value = (solution.verdict, solution.method);
                    self.found(&named, side, value, certificate.clone(), to);
                    // With equal hands Black's start is White's on the board turned by another 180
                    // degrees (R4).
                    let (turned, first) = (orientation.then(Orientation::R180), side.other());
                    if hands.white == hands.black && !self.is_known((rules, turned, first)) {
                        self.found(&self.asked.turned(turned).with_rules(rules), first, value, certificate, to);
                    }
                }
            }
        }
        Ok(())
    }

    fn is_known(&self, start: (RuleSet, Orientation, Side)) -> bool {
        self.told.iter().any(|(known, _)| *known == start)
    }

    /// Notes the exact value of a start, and tells it.
    fn found(
        &mut self,
        named: &NamedSetup,
        first: Side,
        (verdict, method): (Verdict, Method),
        certificate: Option<String>,
        to: &Events,
    ) {
        let Ok(start) = named.setup().start(first) else { return };
        let mut exact = worth(verdict, method);
        exact["rules"] = named.rules().to_string().into();
        exact["turn"] = named.orientation().degrees().into();
        exact["first"] = side_name(first).into();
        exact["position"] = start.display(named.game()).to_string().into();
        exact["certificate"] = certificate.into();
        to.send("exact", &exact);
        self.told.push(((named.rules(), named.orientation(), first), exact));
    }

    /// Tells which ways the board can lie have been searched.
    fn tell_solved(&self, to: &Events) {
        let degrees: Vec<u16> = self.exact.iter().map(|row| row.setup.orientation().degrees()).collect();
        to.send("solved", &json!({ "degrees": degrees }));
    }

    /// Looks for the exact values of each way the board can lie.
    fn solve(&mut self, kept: &Kept<'_>, time: Duration, to: &Events) -> Result<(), String> {
        for orientation in Orientation::ALL {
            let known = self.exact.iter().position(|row| row.setup.orientation() == orientation);
            if to.is_gone() || known.is_some_and(|known| is_settled(&self.exact[known])) {
                continue;
            }
            to.send("solving", &json!({ "degrees": orientation.degrees(), "seconds": time.as_secs_f64() }));
            let row = balance(
                &self.asked.turned(orientation),
                LookUp { tables: kept.tables, library: true },
                Want::Value,
                kept.limits(time, to),
                &Watch::new(to),
            );
            let row = row.map_err(|error| error.to_string())?;
            if to.is_gone() {
                return Ok(());
            }
            let starts = Side::BOTH.into_iter().zip(row.starts.iter().zip(&row.certificates));
            for (side, (start, certificate)) in starts {
                if let Ok(verdict) = start.known {
                    self.found(&row.setup, side, (verdict, start.method), certificate.clone(), to);
                }
            }
            match known {
                Some(known) => self.exact[known] = row,
                None => self.exact.push(row),
            }
            self.tell_solved(to);
        }
        Ok(())
    }

    fn send_reports(&self, to: &Events) -> Result<(), String> {
        let mut csv = Vec::new();
        write_rows(&mut csv, true, self.exact.iter().map(BalanceRow::record)).map_err(|error| error.to_string())?;
        let origins = Origins::of([self.asked.game()]);
        let about = About::new("explore", &origins);
        let page = exact_page(&self.exact, about);
        let rows: Vec<Row> = self.rows().into_iter().filter(|row| row.first.games() > 0).collect();
        let mut games = Vec::new();
        write_rows(&mut games, true, rows.iter().map(Row::record)).map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let played = (!rows.is_empty()).then(|| balance_page(&self.balance, &rows, about));
        to.send(
            "reports",
            &json!({ "csv": text(&csv), "page": page, "games_csv": text(&games), "games_page": played, "exact": self.exact.len() }),
        );
        Ok(())
    }
}

/// Returns `true` if both starts are known.
fn is_settled(row: &BalanceRow) -> bool {
    row.white_first().is_some() && row.black_first().is_some()
}

/// Plays games and looks for exact values, in turns, until there are enough games from each start.
pub(super) fn fair(
    kept: &mut Kept<'_>,
    asked: &NamedSetup,
    Play { nodes, games, half_width }: Play,
    time: Option<Duration>,
    to: &Events,
) -> Result<(), String> {
    // Frees the answerer of the last game, which would only take memory.
    kept.answerer = None;
    let before = kept.fair.take().filter(|known| known.nodes == nodes && known.asked == *asked);
    let mut known = before.unwrap_or_else(|| Fairness::new(asked, nodes));
    let opening = known.balance.opening_plies;
    to.send("plan", &json!({ "games": games, "within": half_width, "nodes": nodes, "opening": opening }));
    known.told.iter().for_each(|(_, exact)| to.send("exact", exact));
    known.tell_solved(to);
    let games = games as usize;
    let done = (|| {
        known.play(Which::Plain, FIRST, to)?;
        known.look(asked.rules(), kept, to)?;
        known.play(Which::Plain, FEW.min(games), to)?;
        known.play(Which::Readings, (FEW / 2).min(games), to)?;
        known.send_reports(to)?;
        known.play(Which::RuleSets, (FEW / 2).min(games), to)?;
        known.play(Which::Plain, MORE.min(games), to)?;
        known.play(Which::Readings, (MORE / 2).min(games), to)?;
        for rules in Preset::ALL.map(RuleSet::from).into_iter().filter(|rules| *rules != asked.rules()) {
            known.look(rules, kept, to)?;
        }
        known.play(Which::RuleSets, FEW.min(games), to)?;
        known.send_reports(to)?;
        if let Some(time) = time {
            known.solve(kept, time, to)?;
        }
        known.send_reports(to)?;
        known.play_on(games, half_width, to)?;
        known.play(Which::Readings, known.played() / 2, to)?;
        known.play(Which::RuleSets, known.played() / 2, to)?;
        known.send_reports(to)
    })();
    kept.fair = Some(known);
    done
}
