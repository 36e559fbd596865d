//! Alpha-beta search by iterative deepening.
//!
//! # Meaning of the scores, also where positions repeat
//!
//! Let V(p, r) be the score of p with r plies to look ahead: exact if the game is over in p, the
//! guess for p if r = 0, else the best of the scores of the next positions with r − 1. It is a
//! property of p and r alone, so the path that led to p does not matter. By induction on r, V(p, r)
//! is a win in n ≤ r plies exactly if n is the least number of plies within which the mover can
//! force a win, and a loss in n ≤ r plies exactly if the opponent can force one and n is the
//! longest that the mover can hold out. So proven scores are values with their distance (R33), and
//! everything else is a guess.
//!
//! The table keeps bounds of V(p, r) for one r. For another r only proven bounds hold: a win or a
//! loss in n plies is one for every r ≥ n, and a position that does not win (lose) sooner than in n
//! plies does so for no r.

use hashbrown::HashMap;

use super::evaluate::{Score, after, before, evaluate, is_proven};
use crate::engine::Engine as _;
use crate::engine::bitboard::{Bitboard, State};
use crate::position::Action;
use crate::solver::search::Key;
use crate::solver::{BEST_SCORE, Plies, Tracker, Unknown};

/// An action with the score that it gives its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ranked {
    pub(super) action: Action,
    pub(super) score: Score,
}

/// Bounds of a position's score at a depth of `depth` plies, both included.
#[derive(Clone, Copy, Debug)]
struct Entry {
    depth: Plies,
    low: Score,
    high: Score,
    best: Option<Action>,
}

impl Entry {
    const NOTHING: Entry = Entry { depth: 0, low: -BEST_SCORE, high: BEST_SCORE, best: None };

    /// Adapts the entry to a search that looks `depth` plies ahead.
    fn with(self, depth: Plies) -> Entry {
        if self.depth == depth {
            return self;
        }
        let within = |score: Score| BEST_SCORE - score.abs() <= depth as Score;
        let keep_low = is_proven(self.low) && (self.low < 0 || within(self.low));
        let keep_high = is_proven(self.high) && (self.high > 0 || within(self.high));
        Entry {
            depth,
            low: if keep_low { self.low } else { -BEST_SCORE },
            high: if keep_high { self.high } else { BEST_SCORE },
            best: self.best,
        }
    }
}

/// The deepest search that is tried. A proven win this far away still scores far above every guess.
pub(super) const DEEPEST: Plies = 400;

/// A deepening search of one game.
pub(super) struct Deepening<'a> {
    engine: &'a Bitboard,
    table: HashMap<(u64, u64), Entry>,
    most: usize,
}

impl<'a> Deepening<'a> {
    /// Creates a search whose table takes at most `memory` bytes, and has room for at least 1,024
    /// entries.
    pub(super) fn new(engine: &'a Bitboard, memory: u64) -> Deepening<'a> {
        // A hash map of hashbrown is between 7/16 and 7/8 full, and has a control byte for each
        // slot.
        let each = (size_of::<((u64, u64), Entry)>() as u64 + 1) * 16 / 7;
        let most = (memory / each).clamp(1 << 10, 1 << 32) as usize;
        Deepening { engine, table: HashMap::new(), most }
    }

    /// Returns the legal actions except the `barred` ones, the best first, by looking `depth` plies
    /// ahead (at least 1). The score of the first is exact, the others are upper bounds. Equally good ones are in the order of `first`, then of their notation.
    pub(super) fn rank(
        &mut self,
        root: &State,
        depth: Plies,
        first: &[Ranked],
        barred: &[Action],
        tracker: &mut Tracker<'_>,
    ) -> Result<Vec<Ranked>, Unknown> {
        let mut actions: Vec<Action> = first.iter().map(|ranked| ranked.action).collect();
        let rest = self.engine.sorted_actions(&self.engine.position(root));
        actions.extend(rest.into_iter().filter(|action| first.iter().all(|ranked| ranked.action != *action)));
        let mut ranked: Vec<Ranked> = Vec::with_capacity(actions.len());
        let mut best = -BEST_SCORE;
        for action in actions.into_iter().filter(|action| !barred.contains(action)) {
            let next = self.engine.play_state(root, action);
            let score = before(self.search(&next, depth - 1, after(BEST_SCORE), after(best), tracker)?);
            best = best.max(score);
            ranked.push(Ranked { action, score });
            if is_proven(best) && best > 0 && BEST_SCORE - best >= depth as Score {
                // No win is shorter: each ply less was looked at before, or is even and so no win
                // of the mover's.
                break;
            }
        }
        // A score that is only a bound may equal the best without being as good. The sort is
        // stable, so the first stays first.
        ranked.sort_by_key(|ranked| -ranked.score);
        Ok(ranked)
    }

    /// Deepens until a limit is reached, the outcome is proven, or `most` plies are looked ahead.
    /// Returns the last ranking that was finished, with its depth; the ranking is empty if all
    /// actions are barred.
    pub(super) fn deepen(
        &mut self,
        root: &State,
        from: (Vec<Ranked>, Plies),
        barred: &[Action],
        most: Plies,
        tracker: &mut Tracker<'_>,
    ) -> (Vec<Ranked>, Plies) {
        let (mut ranked, mut depth) = from;
        while depth < most.min(DEEPEST) && ranked.first().is_some_and(|best| !is_proven(best.score)) {
            match self.rank(root, depth + 1, &ranked, barred, tracker) {
                Ok(deeper) => (ranked, depth) = (deeper, depth + 1),
                Err(_) => break,
            }
        }
        (ranked, depth)
    }

    /// Returns best play for `depth` plies, beginning with an action; shorter if a limit is
    /// reached.
    pub(super) fn line(
        &mut self,
        root: &State,
        action: Action,
        depth: Plies,
        tracker: &mut Tracker<'_>,
    ) -> Vec<Action> {
        let mut line = vec![action];
        let mut here = self.engine.play_state(root, action);
        for left in (1..depth).rev() {
            // In a finished game nothing is left to rank.
            let Ok(ranked) = self.rank(&here, left, &[], &[], tracker) else { break };
            let Some(best) = ranked.first() else { break };
            line.push(best.action);
            here = self.engine.play_state(&here, best.action);
        }
        line
    }

    /// Returns a bound of V(state, depth): exact between `alpha` and `beta`, else on the same side
    /// of them.
    fn search(
        &mut self,
        state: &State,
        depth: Plies,
        alpha: Score,
        beta: Score,
        tracker: &mut Tracker<'_>,
    ) -> Result<Score, Unknown> {
        tracker.tick()?;
        if depth == 0 {
            return Ok(evaluate(self.engine, state));
        }
        let key = key(self.engine, state);
        let mut known = self.table.get(&key).map_or(Entry { depth, ..Entry::NOTHING }, |entry| entry.with(depth));
        if known.low >= beta || known.low == known.high {
            return Ok(known.low);
        }
        if known.high <= alpha {
            return Ok(known.high);
        }
        let actions = self.ordered(state, depth, known.best);
        if actions.is_empty() {
            return Ok(evaluate(self.engine, state));
        }
        let (mut best, mut best_action) = (Score::MIN, None);
        for action in actions {
            let next = self.engine.play_state(state, action);
            let floor = alpha.max(best);
            let score = before(self.search(&next, depth - 1, after(beta), after(floor), tracker)?);
            if score > best {
                (best, best_action) = (score, Some(action));
                if best >= beta {
                    break;
                }
            }
        }
        if best < beta {
            known.high = known.high.min(best);
        }
        if best > alpha {
            known.low = known.low.max(best);
            known.best = best_action;
        }
        if self.table.len() >= self.most && !self.table.contains_key(&key) {
            // A full table is cleared, so that every run does the same.
            self.table.clear();
        }
        self.table.insert(key, known);
        Ok(best)
    }

    /// Returns the actions in the order in which to try them: the best one of the table first, then
    /// by the guess for the next position where sorting pays.
    fn ordered(&self, state: &State, depth: Plies, best: Option<Action>) -> Vec<Action> {
        let mut scored: Vec<(Score, Action)> = Vec::new();
        self.engine.for_each_action(state, |action| {
            let score = if Some(action) == best {
                Score::MIN
            } else if depth > 1 {
                evaluate(self.engine, &self.engine.play_state(state, action))
            } else {
                0
            };
            scored.push((score, action));
        });
        scored.sort_by_key(|&(score, _)| score);
        scored.into_iter().map(|(_, action)| action).collect()
    }
}

/// Returns a 128-bit hash of a position of a game; two positions agree with a chance of about
/// 2^-128.
fn key(engine: &Bitboard, state: &State) -> (u64, u64) {
    let mut key = Key::START;
    key.add(state.hash());
    key.add(u64::from(state.is_open()) << 1 | state.to_move().index() as u64);
    state.for_each_pod(|point, side, kind| key.add((point << 8 | side << 7 | kind) as u64));
    for side in crate::material::Side::BOTH {
        for kind in engine.game().pods().kinds() {
            key.add(u64::from(state.in_hand(side, kind)));
        }
    }
    (key.low, key.high)
}
