//! A search that looks deeper at promising lines, and so only guesses: principal variation search
//! (Marsland and Campbell, 1982) with iterative deepening, aspiration windows, killer and history
//! heuristics, null moves, and late action reductions.
//!
//! All its scores are guesses, even where it sees an end of the game: a line that was left out or
//! searched less deep may hold the refutation. An end of the game scores between [`MOST_WEIGHED`]
//! and [`MOST_GUESS`] for the winner, a nearer one more. No score of this search reaches the
//! numbers of proven values.

use std::sync::{Arc, LazyLock};

use super::evaluate::{MOST_GUESS, Score};
use super::guesses::{Bound, Guesses, StoredGuess};
use super::weights::{MOST_WEIGHED, Weights};
use crate::engine::Engine as _;
use crate::engine::bitboard::{Bitboard, Prospect, State};
use crate::geometry::MAX_POINTS;
use crate::material::PodKind;
use crate::position::Action;
use crate::rules::EmptyHand;
use crate::solver::{Plies, Tracker, Unknown};

/// The score of a finished game for the winner; an end n plies away scores n less.
pub(super) const WON: Score = MOST_GUESS;

/// The most plies from the root.
pub(super) const DEEPEST: usize = 120;

/// The half width of the first window around the score of the previous iteration.
const WINDOW: Score = 150;

/// A position is not searched if its evaluation is above the window by this much for each ply that
/// is left.
const FAR_ABOVE: i32 = 350;

/// Near the end of a line a late action is left out if the evaluation after it is below the window
/// by this much, and by [`FAR_ABOVE`] for each ply that is left after it.
const FAR_BELOW: i32 = 250;

/// Captures that are looked at one after the other where a line ends.
const CAPTURES: u32 = 3;

/// An action with its score for the player, and the expected play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picked {
    pub(super) action: Action,
    pub(super) score: Score,
    /// The depth of the iteration; some lines were searched less deep and some deeper.
    pub(super) depth: Plies,
    /// The depth of the last iteration that was finished.
    pub(super) finished: Plies,
    pub(super) line: Vec<Action>,
}

/// A search of one game.
pub(super) struct Selective<'a> {
    pub(super) engine: &'a Bitboard,
    weights: Weights,
    guesses: Arc<Guesses>,
    /// The hashes of the positions that the game has been in, sorted.
    past: Arc<[u64]>,
    /// The hashes of the positions from the root to the one that is searched, by plies.
    path: Vec<u64>,
    /// Killers: the last actions that were refutations, by plies from the root.
    killers: Vec<[Option<Action>; 2]>,
    /// By side and action: how often it was a refutation, weighed by depth.
    history: [Vec<i32>; 2],
    /// True if null moves are tried: where pods move and an empty hand wins, some action is assumed
    /// to be at least as good as a pass.
    tempo: bool,
    /// True if an empty hand wins.
    by_hand: bool,
    /// True if nothing moves: then a player without a placement has no action.
    pub(super) placements_alone: bool,
    /// The depth of the iteration.
    depth: usize,
}

/// An action to be tried: how promising it is, and the evaluation of the next position, if that is
/// known.
struct Tried {
    promise: i32,
    action: Action,
    known: Option<Score>,
}

const MOVES_FROM: usize = PodKind::MAX * MAX_POINTS;

/// Returns the index of an action in the history.
fn place(action: Action) -> usize {
    match action {
        Action::Place { kind, at } => kind.index() * MAX_POINTS + at.index(),
        Action::Move { from, to } | Action::Shove { from, to } | Action::Kick { from, to, .. } => {
            MOVES_FROM + from.index() * MAX_POINTS + to.index()
        }
    }
}

const fn looks_decided(score: Score) -> bool {
    score.abs() > MOST_WEIGHED
}

impl<'a> Selective<'a> {
    /// Creates a search that shares a table. A position of `past`, which is sorted by hash, counts
    /// as a draw.
    pub(super) fn new(engine: &'a Bitboard, guesses: Arc<Guesses>, past: Arc<[u64]>) -> Selective<'a> {
        let options = engine.game().rules().options();
        let by_hand = options.empty_hand == EmptyHand::Wins;
        Selective {
            engine,
            weights: Weights::of(engine),
            guesses,
            past,
            path: vec![0; DEEPEST + 2],
            killers: vec![[None; 2]; DEEPEST + 2],
            history: [(); 2].map(|()| vec![0; MOVES_FROM + MAX_POINTS * MAX_POINTS]),
            tempo: options.moves && by_hand,
            by_hand,
            placements_alone: !options.moves,
            depth: 0,
        }
    }

    /// Deepens until a limit is reached, the score is an end of the game within the depth, only one
    /// action is left, or the depth is `most`. It looks one ply ahead whatever the limits, and then
    /// `ahead` plies more than needed, so that threads do different things. `None` if all actions
    /// are barred.
    pub(super) fn pick(
        &mut self,
        root: &State,
        barred: &[Action],
        most: Plies,
        ahead: Plies,
        tracker: &mut Tracker<'_>,
    ) -> Option<Picked> {
        self.path[0] = root.hash();
        let mut actions: Vec<Tried> = self.promising(root, None, 0, tracker);
        actions.retain(|tried| !barred.contains(&tried.action));
        for tried in &mut actions {
            if self.past.binary_search(&self.engine.play_state(root, tried.action).hash()).is_ok() {
                (tried.promise, tried.known) = (0, Some(0));
            }
        }
        actions.sort_by_key(|tried| -tried.promise);
        let first = actions.first()?;
        let score = first.known.map_or(WON - 1, |score| -score);
        let mut best = Picked { action: first.action, score, depth: 1, finished: 1, line: vec![first.action] };
        let alone = actions.len() == 1;
        for depth in (2 + ahead).min(most)..=most.min(DEEPEST as Plies / 2) {
            let ended = self.iterate(root, &mut actions, &mut best, depth, tracker).is_err();
            if ended || alone || best.score.abs() >= WON - best.depth as Score {
                break;
            }
        }
        best.line = self.line(root, best.action, best.depth);
        Some(best)
    }

    /// Searches one iteration, with windows that grow until the score lies within. If a limit ends
    /// it, `best` keeps the result so far.
    fn iterate(
        &mut self,
        root: &State,
        actions: &mut [Tried],
        best: &mut Picked,
        depth: Plies,
        tracker: &mut Tracker<'_>,
    ) -> Result<(), Unknown> {
        self.depth = usize::from(depth);
        let mut width = WINDOW;
        let (mut low, mut high) = if depth <= 2 {
            (-WON, WON)
        } else {
            (best.score.saturating_sub(width).max(-WON), best.score.saturating_add(width).min(WON))
        };
        loop {
            let (found, score) = self.root(root, actions, low, high, best, depth, tracker)?;
            width = width.saturating_mul(4).min(WON);
            if score <= low && low > -WON {
                low = score.saturating_sub(width).max(-WON);
            } else if score >= high && high < WON {
                high = score.saturating_add(width).min(WON);
            } else {
                *best = Picked { action: actions[found].action, score, depth, finished: depth, line: Vec::new() };
                actions[..=found].rotate_right(1);
                return Ok(());
            }
            actions[..=found].rotate_right(1);
        }
    }

    /// Returns the index of the best action in the list, and its score.
    #[expect(clippy::too_many_arguments, reason = "a window and what it is about")]
    fn root(
        &mut self,
        root: &State,
        actions: &[Tried],
        low: Score,
        high: Score,
        best: &mut Picked,
        depth: Plies,
        tracker: &mut Tracker<'_>,
    ) -> Result<(usize, Score), Unknown> {
        let (mut found, mut top) = (0, -WON);
        for (number, tried) in actions.iter().enumerate() {
            let next = self.engine.play_state(root, tried.action);
            let alpha = low.max(top);
            let left = i32::from(depth) - 1;
            let mut score = -WON;
            if number > 0 {
                let less = reduction(i32::from(depth), number);
                score = -self.search(&next, left - less, -alpha - 1, -alpha, 1, true, tried.known, tracker)?;
                if score > alpha && less > 0 {
                    score = -self.search(&next, left, -alpha - 1, -alpha, 1, true, tried.known, tracker)?;
                }
            }
            if number == 0 || score > alpha && score < high {
                score = -self.search(&next, left, -high, -alpha, 1, true, tried.known, tracker)?;
            }
            if score > top || number == 0 {
                (found, top) = (number, score);
                if score > low && score < high {
                    *best = Picked { action: tried.action, score, depth, finished: best.finished, line: Vec::new() };
                }
                if score >= high {
                    break;
                }
            }
        }
        let bound = if top >= high {
            Bound::AtLeast
        } else if top <= low {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        self.guesses.keep(
            root.hash(),
            StoredGuess { score: top, depth: depth as u8, bound, best: Some(actions[found].action) },
        );
        Ok((found, top))
    }

    /// Returns the expected play, as far as the table knows it.
    fn line(&mut self, root: &State, action: Action, depth: Plies) -> Vec<Action> {
        let mut line = vec![action];
        let mut here = self.engine.play_state(root, action);
        while line.len() < usize::from(depth) {
            let known = self.guesses.find(here.hash()).and_then(|found| found.best);
            let Some(next) = known.filter(|&next| self.engine.allows(&here, next)) else { break };
            line.push(next);
            here = self.engine.play_state(&here, next);
        }
        line
    }

    /// Returns the guess for the mover.
    pub(super) fn evaluate(&self, state: &State, outlook: &[Prospect; 2]) -> Score {
        self.weights.score(outlook, state.to_move().index())
    }

    /// Returns a guess of the score: if it is not between `alpha` and `beta`, only a bound on the
    /// same side of them. `known` is the evaluation of the state, if that is known.
    #[expect(clippy::too_many_arguments, reason = "a node of a search")]
    fn search(
        &mut self,
        state: &State,
        depth: i32,
        alpha: Score,
        beta: Score,
        ply: usize,
        may_pass: bool,
        known: Option<Score>,
        tracker: &mut Tracker<'_>,
    ) -> Result<Score, Unknown> {
        tracker.tick()?;
        let here = ply as Score;
        if let Some(winner) = self.engine.won_by_hand(state) {
            return Ok(if winner == state.to_move() { WON - here } else { here - WON });
        }
        if self.repeats(state, ply) {
            return Ok(0);
        }
        let mover = state.to_move();
        let last = |side| self.by_hand && state.pods_in_hand(side) == 1;
        let mut depth = depth;
        if depth <= 0 {
            if last(mover) && self.ends_it(state) {
                return Ok(WON - here - 1);
            }
            // An opponent with one pod left in hand threatens to win: searches another ply for a
            // defence.
            if !last(mover.other()) || ply > 2 * self.depth || ply >= DEEPEST {
                return self.captures(state, CAPTURES, alpha, beta, ply, known, tracker);
            }
            depth = 1;
        }
        if ply >= DEEPEST {
            return Ok(self.quiet(state, ply, known));
        }
        let found = self.guesses.find(state.hash());
        if let Some(found) = found
            && i32::from(found.depth) >= depth
            && beta - alpha == 1
        {
            // The table counts the plies to an end of the game from the position.
            let score = from_here(found.score, here);
            let cuts = match found.bound {
                Bound::Exact => true,
                Bound::AtLeast => score >= beta,
                Bound::AtMost => score <= alpha,
            };
            if cuts {
                return Ok(score);
            }
        }
        let narrow = beta - alpha == 1;
        if narrow && !looks_decided(beta) && depth <= 6 || may_pass && self.tempo {
            let score = known.unwrap_or_else(|| self.evaluate(state, &self.engine.outlook(state)));
            if narrow && !looks_decided(beta) && score >= beta {
                if depth <= 4 && i32::from(score) - FAR_ABOVE * depth >= i32::from(beta) && !last(mover.other()) {
                    return Ok(score);
                }
                if may_pass && self.tempo && depth >= 3 && !state.is_open() {
                    let passed = self.engine.passed(state);
                    let less = 3 + depth / 4;
                    let other = -self.search(&passed, depth - less, -beta, -beta + 1, ply + 1, false, None, tracker)?;
                    if other >= beta {
                        return Ok(other.min(MOST_WEIGHED));
                    }
                }
            }
        }
        let actions = if depth >= 2 {
            self.promising(state, found.and_then(|found| found.best), ply, tracker)
        } else {
            self.listed(state, found.and_then(|found| found.best), ply)
        };
        if actions.is_empty() {
            return Ok(here - WON);
        }
        let (mut best, mut best_action) = (-WON, None);
        for (number, tried) in actions.iter().enumerate() {
            if narrow
                && depth <= 3
                && number > 3
                && best > -MOST_WEIGHED
                && !looks_decided(alpha)
                && let Some(known) = tried.known
                && FAR_BELOW + FAR_ABOVE * (depth - 1) - i32::from(known) <= i32::from(alpha)
            {
                continue;
            }
            let next = self.engine.play_state(state, tried.action);
            let floor = alpha.max(best);
            let mut score = -WON;
            if number > 0 {
                let less = reduction(depth, number);
                score =
                    -self.search(&next, depth - 1 - less, -floor - 1, -floor, ply + 1, true, tried.known, tracker)?;
                if score > floor && less > 0 {
                    score = -self.search(&next, depth - 1, -floor - 1, -floor, ply + 1, true, tried.known, tracker)?;
                }
            }
            if number == 0 || score > floor && score < beta {
                score = -self.search(&next, depth - 1, -beta, -floor, ply + 1, true, tried.known, tracker)?;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_action = Some(tried.action);
                }
                if score >= beta {
                    self.refuted(state, tried.action, ply, depth);
                    break;
                }
            }
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        let score = to_here(best, here);
        self.guesses.keep(state.hash(), StoredGuess { score, depth: depth as u8, bound, best: best_action });
        Ok(best)
    }

    /// Returns `true` if the game or the line has been in this position. If it may come back once,
    /// it may for ever, and that is a draw (R21): a guess, since either player may do something
    /// else.
    fn repeats(&mut self, state: &State, ply: usize) -> bool {
        let hash = state.hash();
        self.path[ply] = hash;
        // The same side is to move after an even number of plies.
        let on_the_way = (0..ply).rev().skip(1).step_by(2).any(|before| self.path[before] == hash);
        on_the_way || self.past.binary_search(&hash).is_ok()
    }

    /// Scores an action by the table, the killers and the history alone.
    fn record(&self, state: &State, action: Action, best: Option<Action>, ply: usize) -> i32 {
        if Some(action) == best {
            return 1 << 30;
        }
        let killers = &self.killers[ply.min(DEEPEST)];
        if killers.contains(&Some(action)) {
            return 1 << 28;
        }
        self.history[state.to_move().index()][place(action)]
    }

    /// Returns the actions in the order of [`Selective::record`].
    fn listed(&self, state: &State, best: Option<Action>, ply: usize) -> Vec<Tried> {
        let mut actions = Vec::with_capacity(128);
        self.engine.for_each_action(state, |action| {
            let promise = self.record(state, action, best, ply);
            actions.push(Tried { promise, action, known: None });
        });
        actions.sort_by_key(|tried| -tried.promise);
        actions
    }

    /// Returns the actions in the order of the evaluations of the next positions; the best one of
    /// the table comes first.
    fn promising(&self, state: &State, best: Option<Action>, ply: usize, tracker: &mut Tracker<'_>) -> Vec<Tried> {
        let mover = state.to_move();
        let mut actions = Vec::with_capacity(128);
        self.engine.for_each_action(state, |action| {
            let next = self.engine.play_state(state, action);
            if self.engine.won_by_hand(&next) == Some(mover) {
                actions.push(Tried { promise: i32::from(WON) - 1, action, known: None });
                return;
            }
            let outlook = self.engine.outlook(&next);
            if self.placements_alone && outlook[mover.other().index()].pairs == 0 {
                actions.push(Tried { promise: i32::from(WON) - 1, action, known: None });
                return;
            }
            let score = self.evaluate(&next, &outlook);
            let record = self.record(state, action, best, ply);
            let promise = if record >= 1 << 30 { record } else { -i32::from(score) + (record.min(1 << 20) >> 9) };
            actions.push(Tried { promise, action, known: Some(score) });
        });
        tracker.charge(actions.len() as u64);
        actions.sort_by_key(|tried| -tried.promise);
        actions
    }

    /// Remembers an action that was a refutation.
    fn refuted(&mut self, state: &State, action: Action, ply: usize, depth: i32) {
        let killers = &mut self.killers[ply.min(DEEPEST)];
        if killers[0] != Some(action) {
            killers[1] = killers[0];
            killers[0] = Some(action);
        }
        let count = &mut self.history[state.to_move().index()][place(action)];
        *count = (*count + depth * depth).min(1 << 18);
    }
}

/// Returns by how many plies the action at this place in the order is searched less deep.
fn reduction(depth: i32, number: usize) -> i32 {
    if depth < 2 || number < 3 {
        return 0;
    }
    REDUCTIONS[(depth as usize).min(MOST_REDUCED - 1)][number.min(MOST_REDUCED - 1)].into()
}

/// Beyond this depth and place nothing changes.
const MOST_REDUCED: usize = 128;

static REDUCTIONS: LazyLock<[[u8; MOST_REDUCED]; MOST_REDUCED]> = LazyLock::new(|| {
    let plies = |depth: usize, number: usize| (0.6 + (depth as f32).ln() * (number as f32).ln() / 1.6) as u8;
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| if depth * number == 0 { 0 } else { plies(depth, number) })
    })
});

/// Returns a score as the table keeps it: it counts the plies to an end of the game from the
/// position, not from the root.
fn to_here(score: Score, ply: Score) -> Score {
    if looks_decided(score) { (score + ply * score.signum()).clamp(-WON, WON) } else { score }
}

fn from_here(score: Score, ply: Score) -> Score {
    if looks_decided(score) { score - ply * score.signum() } else { score }
}
