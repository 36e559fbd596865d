//! Exhaustive search of games that cannot cycle: value and distance by alpha-beta with a
//! transposition table.
//!
//! The table holds, for each position searched, a lower and an upper bound of its score, and
//! forgets nothing: so the bounds that the root's value rests on can be derived again by the
//! separate pass of [`Exhaustive::verify`].

use hashbrown::HashMap;

use super::limits::Limits;
use super::packing::{PackedKey, Packing, with_key_width};
use super::predict::reached_at_most;
use super::value::{BEST_SCORE, Outcome, Value, score_after, score_before};
use crate::engine::Status;
use crate::engine::bitboard::{Bitboard, State};
use crate::position::{Action, Position};
use crate::progress::{MemoryLimit, Observer, Phase, Prediction, Stopped};

/// Bounds of a position's score, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i16,
    pub(super) high: i16,
}

impl Bounds {
    pub(super) const NONE: Bounds = Bounds { low: -BEST_SCORE, high: BEST_SCORE };

    pub(super) const fn exactly(score: i16) -> Bounds {
        Bounds { low: score, high: score }
    }
}

/// The search of one game, with everything that it has found out so far.
pub struct Exhaustive {
    engine: Bitboard,
    search: Box<dyn AnyWidth + Send + Sync>,
}

/// A [`BoundsTable`] of any key width.
pub(super) trait AnyWidth {
    fn search(
        &mut self,
        engine: &Bitboard,
        state: &State,
        window: Bounds,
        observer: &dyn Observer,
    ) -> Result<i16, Stopped>;
    fn bounds(&self, position: &Position) -> Option<Bounds>;
    fn narrow(&mut self, position: &Position, bounds: Bounds);
    fn len(&self) -> u64;
    fn allow(&mut self, limits: Limits<'_>);
}

impl Exhaustive {
    /// Creates a search of everything that the roots lead to. The roots differ at most in the side
    /// to move and the opening.
    ///
    /// # Panics
    ///
    /// If the rules allow play to return to an earlier position: a table of bounds would not be
    /// sound there.
    #[must_use]
    pub fn new(engine: Bitboard, roots: &[&Position], limits: Limits) -> Exhaustive {
        use crate::engine::Engine;
        assert!(!engine.game().rules().can_cycle(), "only games that cannot cycle are searched exhaustively");
        let packing = Packing::new(engine.game(), roots);
        let search: Box<dyn AnyWidth + Send + Sync> =
            with_key_width!(packing.words(), W => Box::new(BoundsTable::<W>::new(packing, limits)));
        Exhaustive { engine, search }
    }

    /// Returns the positions that the search for a root's value takes at most by the rule of Knuth
    /// and Moore (1975), and their memory: √N of the N ways to spread the pods.
    ///
    /// Play reaches a small part of them, so the search takes less as a rule; but the rule is no
    /// proof, and the search keeps to its limits in any case.
    #[must_use]
    pub fn predict(engine: &Bitboard, root: &Position) -> Prediction {
        use crate::engine::Engine;
        let positions = reached_at_most(engine.game(), &[root]).sqrt().ceil() as u128;
        let words = Packing::new(engine.game(), &[root]).words();
        Prediction { positions, bytes: with_key_width!(words, W => BoundsTable::<W>::bytes(positions)) }
    }

    pub(crate) fn engine(&self) -> &Bitboard {
        &self.engine
    }

    /// Returns the value of a position that the roots lead to.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or the observer stops the search.
    pub fn value(&mut self, position: &Position, observer: &dyn Observer) -> Result<Value, Stopped> {
        self.search(position, Bounds::NONE, observer).map(Value::from_score)
    }

    /// Returns the outcome of a position that the roots lead to, without its distance: cheaper than
    /// the value.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or the observer stops the search.
    pub fn outcome(&mut self, position: &Position, observer: &dyn Observer) -> Result<Outcome, Stopped> {
        let score = self.search(position, Bounds { low: -1, high: 1 }, observer)?;
        Ok(Value::from_score(score).outcome())
    }

    /// Returns `true` if a position has exactly this value.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or the observer stops the search.
    pub fn has_value(&mut self, position: &Position, value: Value, observer: &dyn Observer) -> Result<bool, Stopped> {
        let score = value.score();
        Ok(self.search(position, Bounds { low: score - 1, high: score + 1 }, observer)? == score)
    }

    /// Returns the value of a position whose outcome is known: cheaper than [`Exhaustive::value`].
    /// If the value returned has another outcome than the one given, it is only a bound, and one of
    /// the two searches is wrong.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or the observer stops the search.
    pub(crate) fn value_given(
        &mut self,
        position: &Position,
        outcome: Outcome,
        observer: &dyn Observer,
    ) -> Result<Value, Stopped> {
        let window = match outcome {
            Outcome::Win => Bounds { low: 0, high: BEST_SCORE },
            Outcome::Draw => Bounds { low: -1, high: 1 },
            Outcome::Loss => Bounds { low: -BEST_SCORE, high: 0 },
        };
        self.search(position, window, observer).map(Value::from_score)
    }

    /// Sets other limits, and keeps everything found so far.
    pub(crate) fn allow(&mut self, limits: Limits<'_>) {
        self.search.allow(limits);
    }

    fn search(&mut self, position: &Position, window: Bounds, observer: &dyn Observer) -> Result<i16, Stopped> {
        let state = self.engine.state(position);
        match self.engine.state_status(&state) {
            Status::Won(side) if side == state.to_move() => Ok(BEST_SCORE),
            Status::Won(_) => Ok(-BEST_SCORE),
            Status::Ongoing => self.search.search(&self.engine, &state, window, observer),
        }
    }

    /// Returns the number of unfinished positions in the table.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.search.len()
    }

    pub(super) fn bounds(&self, position: &Position) -> Option<Bounds> {
        self.search.bounds(position)
    }

    /// Derives what a stopped search knows of an unfinished position from the bounds of the next
    /// positions.
    pub(crate) fn knowledge(&mut self, position: &Position) -> Knowledge {
        use crate::engine::Engine;
        let mut found = Bounds { low: -BEST_SCORE, high: -BEST_SCORE };
        let (mut winning, mut losing) = (None, Vec::new());
        for action in self.engine.sorted_actions(position) {
            let Some(step) = self.engine.transition(position, action) else { continue };
            let after = match self.engine.status(&step.next) {
                Status::Ongoing => self.bounds(&step.next).unwrap_or(Bounds::NONE).before(),
                Status::Won(side) if side == position.to_move() => Bounds::exactly(BEST_SCORE - 1),
                Status::Won(_) => Bounds::exactly(1 - BEST_SCORE),
            };
            if after.low > 0 && after.low > found.low {
                winning = Some(action);
            }
            if after.high < 0 {
                losing.push(action);
            }
            found = Bounds { low: found.low.max(after.low), high: found.high.max(after.high) };
        }
        self.search.narrow(position, found);
        let bound = |score: i16| (score.abs() < BEST_SCORE - 1).then(|| Value::from_score(score));
        let outcome = match (found.low > 0, found.high < 0) {
            (true, _) => Some(Outcome::Win),
            (_, true) => Some(Outcome::Loss),
            _ => None,
        };
        Knowledge { outcome, at_least: bound(found.low), at_most: bound(found.high), winning, losing }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Knowledge {
    /// The outcome, where it is known.
    pub outcome: Option<Outcome>,
    /// The value is this or a better one, where that is known.
    pub at_least: Option<Value>,
    /// The value is this or a worse one, where that is known.
    pub at_most: Option<Value>,
    /// An action that wins, where one is known.
    pub winning: Option<Action>,
    /// Actions that are known to lose, by notation.
    pub losing: Vec<Action>,
}

struct BoundsTable<const W: usize> {
    packing: Packing,
    bounds: HashMap<PackedKey<W>, Bounds>,
    /// The most positions that the table may hold.
    positions: u64,
    /// The most bytes that the table may take.
    memory: MemoryLimit,
    fit: u64,
    /// The actions at each ply of the current line, one ply after the other, each with the number
    /// of answers to it.
    pending: Vec<(u64, Action)>,
    visits: u64,
}

impl<const W: usize> BoundsTable<W> {
    /// Bytes of one slot of the hash map: an entry and a control byte.
    const PLACE: u64 = size_of::<(PackedKey<W>, Bounds)>() as u64 + 1;

    fn new(packing: Packing, limits: Limits) -> BoundsTable<W> {
        let (positions, memory) = (limits.nodes, limits.memory_limit());
        let fit = BoundsTable::<W>::fit(memory.bytes);
        BoundsTable { packing, bounds: HashMap::new(), positions, memory, fit, pending: Vec::new(), visits: 0 }
    }

    /// Returns the number of positions that fit into `memory` bytes. A hash map has 2^n slots and
    /// fills at most 7/8 of them. While it grows, it has the old slots beside the new ones.
    const fn fit(memory: u64) -> u64 {
        match (memory / BoundsTable::<W>::PLACE / 3 * 2).checked_ilog2() {
            Some(places) => (1_u64 << places) / 8 * 7,
            None => 0,
        }
    }

    /// Returns the bytes that a table of about this many positions is likely to take when it grows
    /// for the last time: it then has between 12/7 and 24/7 slots for each position, and 17/7 is
    /// about the geometric mean.
    fn bytes(positions: u128) -> u128 {
        positions.saturating_mul(u128::from(BoundsTable::<W>::PLACE) * 17) / 7
    }

    fn room(&mut self) -> Result<(), Stopped> {
        let there = self.bounds.len() as u64;
        if there >= self.positions {
            return Err(Stopped::LimitReached { positions: there });
        }
        if there >= self.fit {
            return Err(Stopped::MemoryFull { limit: self.memory });
        }
        if self.bounds.capacity() > self.bounds.len() {
            return Ok(());
        }
        self.bounds.try_reserve(1).map_err(|_| Stopped::NoMemory)
    }

    /// Returns the score of an unfinished position if it lies within the window; else a bound on
    /// the same side of the window.
    fn visit(
        &mut self,
        engine: &Bitboard,
        state: &State,
        window: Bounds,
        observer: &dyn Observer,
    ) -> Result<i16, Stopped> {
        let key = self.packing.pack_state::<W>(state);
        let known = match self.bounds.get(&key) {
            Some(&known) => known,
            None => {
                self.room()?;
                // Inserted before the positions below it, so that the limit bounds the depth of the
                // search as well.
                self.bounds.insert(key, Bounds::NONE);
                Bounds::NONE
            }
        };
        if known.low >= window.high || known.low == known.high {
            return Ok(known.low);
        }
        if known.high <= window.low {
            return Ok(known.high);
        }
        self.visits += 1;
        if self.visits.is_multiple_of(1 << 10)
            && let Some(stopped) = observer.stop()
        {
            return Err(stopped);
        }
        if self.visits.is_multiple_of(1 << 14) {
            observer.progress(Phase::Search, self.bounds.len() as u64, None);
        }
        let (low, high) = (window.low.max(known.low), window.high.min(known.high));
        let first = self.pending.len();
        let pending = &mut self.pending;
        let mut won_at_once = false;
        engine.for_each_action(state, |action| {
            // Fewest answers first. With none the game is over.
            let next = engine.play_state(state, action);
            let answers = engine.count_actions(&next);
            won_at_once |= answers == 0 && engine.state_status(&next) == Status::Won(state.to_move());
            pending.push((answers, action));
        });
        let mut best = -BEST_SCORE;
        if won_at_once {
            best = BEST_SCORE - 1;
        } else {
            self.pending[first..].sort_unstable();
            for i in first..self.pending.len() {
                let next = engine.play_state(state, self.pending[i].1);
                let floor = low.max(best);
                let window = Bounds { low: score_after(high), high: score_after(floor) };
                let score = if self.pending[i].0 == 0 {
                    // Finished, and not won by the mover.
                    BEST_SCORE
                } else {
                    match self.visit(engine, &next, window, observer) {
                        Ok(score) => score,
                        Err(stopped) => {
                            self.pending.truncate(first);
                            return Err(stopped);
                        }
                    }
                };
                best = best.max(score_before(score));
                if best >= high {
                    break;
                }
            }
        }
        self.pending.truncate(first);
        let entry = self.bounds.get_mut(&key).expect("entered above");
        if best < high || won_at_once {
            entry.high = entry.high.min(best);
        }
        if best > low || won_at_once {
            entry.low = entry.low.max(best);
        }
        Ok(best)
    }
}

impl<const W: usize> AnyWidth for BoundsTable<W> {
    fn search(
        &mut self,
        engine: &Bitboard,
        state: &State,
        window: Bounds,
        observer: &dyn Observer,
    ) -> Result<i16, Stopped> {
        self.visit(engine, state, window, observer)
    }

    fn bounds(&self, position: &Position) -> Option<Bounds> {
        self.packing.pack(position).and_then(|key| self.bounds.get(&key)).copied()
    }

    fn narrow(&mut self, position: &Position, bounds: Bounds) {
        let Some(key) = self.packing.pack(position) else { return };
        if self.bounds.is_empty() {
            // Not even the root was let in.
            self.bounds.insert(key, Bounds::NONE);
        }
        if let Some(known) = self.bounds.get_mut(&key) {
            *known = Bounds { low: known.low.max(bounds.low), high: known.high.min(bounds.high) };
        }
    }

    fn len(&self) -> u64 {
        self.bounds.len() as u64
    }

    fn allow(&mut self, limits: Limits<'_>) {
        (self.positions, self.memory) = (limits.nodes, limits.memory_limit());
        self.fit = BoundsTable::<W>::fit(limits.memory);
    }
}

impl Bounds {
    /// Returns the bounds of the mover's score for an action that leads to a position with these
    /// bounds.
    pub(super) const fn before(self) -> Bounds {
        Bounds { low: score_before(self.high), high: score_before(self.low) }
    }
}
