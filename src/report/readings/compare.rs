//! Compares two readings of the rules: where they first differ, and what that does to the game.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::answer::{LookUp, SolveError, Want};
use crate::engine::{Bitboard, Engine, Illegal, Reference, Status, Transition};
use crate::files::named;
use crate::material::Side;
use crate::position::{Action, Game, Position};
use crate::report::suite::built_in_turns;
use crate::report::{BalanceError, BalanceRow, NamedSetup, balance};
use crate::rules::{Clause, Opening, RuleSet};
use crate::solver::{Limits, Observer, Phase, Stopped, Tracker, positions_at_most};

named! {
    /// Kind of difference between two readings at a position.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum DifferenceKind {
        /// An action is legal under one reading only.
        Actions = "actions",
        /// An action is legal under both and removes different pods, so that different positions
        /// result.
        Captures = "captures",
        /// The game is over under one reading only, or won by the other side.
        Status = "status",
    }
}

impl DifferenceKind {
    /// All kinds.
    pub(crate) const ALL: [DifferenceKind; 3] =
        [DifferenceKind::Actions, DifferenceKind::Captures, DifferenceKind::Status];
}

/// Number of positions that play from the start reaches. Where a limit ended the comparison, the
/// numbers are lower bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Under the first reading and not under the second; `None` where the limit left out some that
    /// the second may reach.
    pub only_first: Option<u64>,
    /// Under the second reading and not under the first; `None` where the limit left out some that
    /// the first may reach.
    pub only_second: Option<u64>,
    /// Under both.
    pub both: u64,
}

/// Answer of a reading to an action: the result and the status after it, or the reason why it is
/// illegal.
pub type Ruling = Result<(Transition, Status), Illegal>;

/// A position at which the readings differ.
#[derive(Clone, Debug)]
pub struct Example {
    /// Kind of the difference.
    pub kind: DifferenceKind,
    /// The position under either reading; they differ at most in the opening flag (R32).
    pub positions: [Position; 2],
    /// True if play from the start reaches it, under either reading; `None` where that is not
    /// known, since a limit ended the comparison.
    pub reached: [Option<bool>; 2],
    /// The status under either reading.
    pub status: [Status; 2],
    /// The actions on which the readings differ in this way, with both answers, sorted by notation.
    pub actions: Vec<(Action, [Ruling; 2])>,
    /// The clauses at stake, by number.
    pub clauses: Vec<Clause>,
}

/// Two readings compared on one setup.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The setup under either reading.
    pub setups: [NamedSetup; 2],
    /// The game under either reading.
    pub games: [Game; 2],
    /// The positions that were compared: all that either reading reaches from White's start.
    pub reached: Reached,
    /// The limit that ended the comparison before all positions were reached; all numbers are lower
    /// bounds then.
    pub stopped: Option<Stopped>,
    /// Number of reached positions at which the readings differ, by kind.
    pub differing: [u64; 3],
    /// Number of reached positions at which a clause forbids under one reading what the other
    /// allows.
    pub by_clause: BTreeMap<Clause, u64>,
    /// The smallest position of each kind at which they differ: fewest pods on the board, then in
    /// hand, then by text.
    pub smallest: [Option<Example>; 3],
    /// The row of the balance report under either reading.
    pub balance: [BalanceRow; 2],
}

/// The limits if the positions may not fit into memory and no limit of nodes or time is given:
/// positions compared, and nodes for each value.
const POSITIONS: u64 = 500_000;
const NODES: u64 = 1_000_000;

/// Bytes that a position takes while it is compared.
const BYTES_EACH: u64 = 400;

/// Compares two readings in every position that either of them reaches from White's start, as far
/// as the limits allow; then solves the setup under both, with what is `known` before.
///
/// # Errors
///
/// If the setup cannot start under one of the readings, or the engines disagree.
pub fn compare_rules(
    setup: &NamedSetup,
    rules: [RuleSet; 2],
    known: LookUp<'_>,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Comparison, BalanceError> {
    let setups = rules.map(|rules| setup.with_rules(rules));
    let pair = Pair::new(setups.each_ref().map(|setup| setup.game().clone()));
    let mut starts = Vec::new();
    for setup in &setups {
        starts.push(setup.setup().start(Side::White)?);
    }
    let start = Position { open: true, ..starts[0].clone() };
    let mut reached: HashMap<Position, [bool; 2]> = HashMap::new();
    let tracker = Tracker::new(limits, observer);
    // If not all positions may fit, the first ones are compared, and the values get a limit of
    // nodes.
    let all = pair.games.iter().zip(&starts).map(|(game, start)| positions_at_most(game, &[start])).max().unwrap_or(0);
    let fits = all.saturating_mul(u128::from(BYTES_EACH)) <= u128::from(limits.memory);
    let (limits, room) = match (fits, limits.nodes, limits.time) {
        (false, u64::MAX, None) => (limits.with_nodes(NODES), POSITIONS),
        _ => (limits, limits.nodes),
    };
    let cut: [Option<Stopped>; 2] = [0, 1].map(|which| {
        // The first reading gets half of the room, so that there is room for the second if the
        // first is cut off.
        let most = room.min(limits.memory / BYTES_EACH) / 2 * (which as u64 + 1);
        pair.reach(which, &start, &mut reached, most, &tracker).err()
    });
    let (looked_at, all) = (AtomicU64::new(0), Some(reached.len() as u64));
    let found: Vec<(&Position, [bool; 2], Differences)> = reached
        .par_iter()
        .inspect(|_| {
            let done = looked_at.fetch_add(1, Ordering::Relaxed);
            if done.is_multiple_of(1 << 13) {
                observer.progress(Phase::Compare, done, all);
            }
        })
        // Once it is interrupted, nobody waits for the rest.
        .filter(|_| tracker.stop() != Some(Stopped::Interrupted))
        .map(|(position, by)| (position, *by, pair.look(position)))
        .filter(|(.., found)| found.kinds != [false; 3])
        .collect();
    let mut by_clause = BTreeMap::new();
    for clause in found.iter().flat_map(|(.., found)| &found.clauses) {
        *by_clause.entry(*clause).or_default() += 1;
    }
    let unknown = |which: usize, by: bool| (by || cut[which].is_none()).then_some(by);
    let count = |by: [bool; 2]| reached.values().filter(|reached| **reached == by).count() as u64;
    let mut smallest = [None, None, None];
    for (kind, place) in DifferenceKind::ALL.into_iter().zip(&mut smallest) {
        let of_kind = || found.iter().filter(|(.., found)| found.kinds[kind as usize]);
        let fewest = of_kind().map(|(position, ..)| pods(position)).min();
        let least = of_kind()
            .filter(|(position, ..)| Some(pods(position)) == fewest)
            .min_by_key(|(position, ..)| position.display(&pair.games[0]).to_string());
        if let Some((position, by, _)) = least {
            *place = Some(pair.example(kind, position, [unknown(0, by[0]), unknown(1, by[1])])?);
        }
    }
    let stopped = tracker.stop().filter(|why| *why == Stopped::Interrupted).or(cut[1]).or(cut[0]);
    let value = |setup| balance(setup, known, Want::Value, limits, observer);
    let balance = [value(&setups[0])?, value(&setups[1])?];
    Ok(Comparison {
        reached: Reached {
            only_first: cut[1].is_none().then(|| count([true, false])),
            only_second: cut[0].is_none().then(|| count([false, true])),
            both: count([true, true]),
        },
        differing: DifferenceKind::ALL.map(|kind| found.iter().filter(|(.., f)| f.kinds[kind as usize]).count() as u64),
        stopped,
        by_clause,
        smallest,
        balance,
        games: pair.games,
        setups,
    })
}

fn pods(position: &Position) -> (usize, usize) {
    (position.pods().count(), Side::BOTH.map(|side| position.hand(side).len()).iter().sum())
}

impl Example {
    /// Returns the size of an example, to compare it with others: pods on the board, then pods in
    /// hand.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        pods(&self.positions[0])
    }
}

struct Differences {
    kinds: [bool; 3],
    clauses: Vec<Clause>,
}

/// The engines of both readings. Of the positions reached, only the start has the opening flag;
/// [`Pair::under`] clears it for a reading without that clause (R9, R32).
struct Pair {
    games: [Game; 2],
    fast: [Bitboard; 2],
    references: [Reference; 2],
}

impl Pair {
    fn new(games: [Game; 2]) -> Pair {
        let [first, second] = games.clone();
        let references = [Reference::new(first.clone()), Reference::new(second.clone())];
        Pair { games, fast: [Bitboard::new(first), Bitboard::new(second)], references }
    }

    /// Returns the position with the opening flag as a reading has it.
    fn under(&self, which: usize, position: &Position) -> Position {
        let binds = self.games[which].rules().options().opening == Opening::Bipod;
        Position { open: position.open && binds, ..position.clone() }
    }

    /// Adds the positions that a reading reaches to `reached`, breadth first.
    ///
    /// # Errors
    ///
    /// If there are more than `most` positions, or the observer stops it. `reached` then has those
    /// found so far.
    fn reach(
        &self,
        which: usize,
        start: &Position,
        reached: &mut HashMap<Position, [bool; 2]>,
        most: u64,
        observer: &dyn Observer,
    ) -> Result<(), Stopped> {
        let engine = &self.fast[which];
        let mut open = VecDeque::from([start.clone()]);
        reached.entry(start.clone()).or_default()[which] = true;
        let mut done = 0_u64;
        while let Some(position) = open.pop_front() {
            let state = engine.state(&self.under(which, &position));
            engine.for_each_action(&state, |action| {
                let next = engine.position(&engine.play_state(&state, action));
                let by = reached.entry(next.clone()).or_default();
                if !by[which] {
                    by[which] = true;
                    open.push_back(next);
                }
            });
            done += 1;
            // A position of a large board may have hundreds of actions.
            if done.is_multiple_of(1 << 7) {
                observer.progress(Phase::Enumerate, done, None);
                observer.stop().map_or(Ok(()), Err)?;
            }
            if reached.len() as u64 > most {
                return Err(Stopped::LimitReached { positions: most });
            }
        }
        Ok(())
    }

    fn look(&self, position: &Position) -> Differences {
        let here = [0, 1].map(|which| self.under(which, position));
        let states = [0, 1].map(|which| self.fast[which].state(&here[which]));
        let actions = [0, 1].map(|which: usize| {
            let mut actions = Vec::new();
            self.fast[which].for_each_action(&states[which], |action| actions.push(action));
            actions.sort_unstable();
            actions
        });
        let mut clauses = Vec::new();
        for (which, other) in [(0, 1), (1, 0)] {
            let only = actions[which].iter().filter(|action| actions[other].binary_search(action).is_err());
            let refused = only.filter_map(|&action| self.references[other].check(&here[other], action).err());
            clauses.extend(refused.map(|illegal| illegal.clause));
        }
        clauses.sort();
        clauses.dedup();
        let captures = actions[0].iter().filter(|action| actions[1].binary_search(action).is_ok()).any(|&action| {
            let [first, second] = [0, 1].map(|which| self.fast[which].play_state(&states[which], action));
            self.fast[0].position(&first) != self.fast[1].position(&second)
        });
        let status = [0, 1].map(|which| self.fast[which].state_status(&states[which]));
        Differences { kinds: [actions[0] != actions[1], captures, status[0] != status[1]], clauses }
    }

    /// Returns the example at a position: the reference engine's answers under both readings, and
    /// the clauses at stake.
    fn example(
        &self,
        kind: DifferenceKind,
        position: &Position,
        reached: [Option<bool>; 2],
    ) -> Result<Example, BalanceError> {
        let positions = [0, 1].map(|which| self.under(which, position));
        let status = [0, 1].map(|which| self.references[which].status(&positions[which]));
        let mut all: Vec<Action> =
            [0, 1].iter().flat_map(|&which: &usize| self.references[which].sorted_actions(&positions[which])).collect();
        self.games[0].sort_actions(&mut all);
        all.dedup();
        let mut clauses = Vec::new();
        let mut actions = Vec::new();
        for action in all {
            let said: [Ruling; 2] = [0, 1].map(|which: usize| {
                let transition = self.references[which].turn(&positions[which], action)?;
                let status = self.references[which].status(&transition.next);
                Ok((transition, status))
            });
            match (&said, kind) {
                ([Ok(_), Err(illegal)] | [Err(illegal), Ok(_)], DifferenceKind::Actions) => {
                    clauses.push(illegal.clause)
                }
                ([Ok((first, _)), Ok((second, _))], DifferenceKind::Captures) if first != second => {
                    clauses.extend([Clause::R7, Clause::R18]);
                    if self.games[0].rules().options().shove_liberty != self.games[1].rules().options().shove_liberty {
                        clauses.push(Clause::R27);
                    }
                }
                _ => continue,
            }
            actions.push((action, said));
        }
        if kind == DifferenceKind::Status {
            clauses.extend([0, 1].iter().filter_map(|&which: &usize| self.ended_by(which, &positions[which])));
        }
        if actions.is_empty() && status[0] == status[1] {
            // The fast engine has seen a difference here that the reference does not see.
            let cause = format!("the engines disagree on the {} there", kind.name());
            let position = positions[0].display(&self.games[0]).to_string();
            return Err(SolveError::Discrepancy(crate::solver::Discrepancy { position, cause }).into());
        }
        clauses.sort();
        clauses.dedup();
        Ok(Example { kind, positions, reached, status, actions, clauses })
    }

    fn ended_by(&self, which: usize, position: &Position) -> Option<Clause> {
        let game = &self.games[which];
        let moves = game.rules().options().moves;
        match self.references[which].status(position) {
            Status::Ongoing => None,
            Status::Won(_) if position.won_by_empty_hand(game).is_some() => {
                Some(if moves { Clause::R19 } else { Clause::R16 })
            }
            Status::Won(_) => Some(if moves { Clause::R20 } else { Clause::R15 }),
        }
    }
}

/// The boards, pods and hands on which readings are compared by default: small, and with four
/// different orientations each.
const SETUPS: &[(&str, &str, &str)] =
    &[("ring8", "duo", "bt"), ("ring8", "trio", "bdt"), ("nook9", "four", "bdt"), ("lair16", "four", "dq")];

/// Returns the built-in setups, each in all four orientations. [`compare_rules`] replaces their
/// rules.
#[must_use]
pub fn compare_suite(rules: RuleSet) -> Vec<NamedSetup> {
    SETUPS.iter().flat_map(|&(board, pods, hand)| built_in_turns((board, pods, hand), rules)).collect()
}
