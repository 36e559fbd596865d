//! Retrograde analysis of any game: lists the positions that can be reached, then goes backward
//! from the finished ones (Thompson, 1986).
//!
//! Wins, losses and distances spread from the finished positions, one ply at a time. A counter for
//! each position says how many of its next positions are undecided. Positions still undecided at
//! the end are draws (R21).

use hashbrown::{DefaultHashBuilder, HashTable};
use rayon::prelude::*;
use std::hash::BuildHasher;

use super::limits::Limits;
use super::memory::{filled, reserve};
use super::packing::{PackedKey, Packing, with_key_width};
use super::predict::reached_at_most;
use super::value::{Plies, Value};
use super::verify::{Derived, Discrepancy};
use crate::engine::bitboard::Bitboard;
use crate::engine::reference::Reference;
use crate::engine::{Engine, Status};
use crate::position::Position;
use crate::progress::{Observer, Phase, Prediction, Stopped};

/// Every position that some roots lead to, solved.
pub struct Retrograde {
    table: Box<dyn Prober + Send + Sync>,
}

/// A [`SolvedGraph`] of any key width.
pub(super) trait Prober {
    /// Returns the number of a position, from 0 in the order in which they were met.
    fn number(&self, position: &Position) -> Option<u32>;
    fn position(&self, number: u32) -> Position;
    fn values(&self) -> &[Value];
    fn len(&self) -> u64;
    fn verify(&self, reference: &Reference, observer: &dyn Observer) -> Derived;
    fn for_each(&self, visit: &mut dyn FnMut(Position, Value));
}

impl Retrograde {
    /// Solves everything that the roots lead to. The roots differ at most in the side to move and
    /// the opening.
    ///
    /// # Errors
    ///
    /// If there are more positions than the limit, or they take more memory; or if the observer
    /// stops the job while positions are listed.
    pub fn build(
        engine: &Bitboard,
        roots: &[&Position],
        limits: Limits,
        observer: &dyn Observer,
    ) -> Result<Retrograde, Stopped> {
        solved(engine, roots, limits, observer).map(|(table, _)| Retrograde { table })
    }

    /// Returns the most positions that the roots lead to, and the memory for them without their
    /// edges: an upper bound, since play cannot reach every way to spread the pods.
    #[must_use]
    pub fn predict(engine: &Bitboard, roots: &[&Position]) -> Prediction {
        let words = Packing::new(engine.game(), roots).words();
        let positions = reached_at_most(engine.game(), roots);
        let bytes = bytes(words.next_power_of_two(), positions, 0.0) as u128;
        Prediction { positions: positions as u128, bytes }
    }

    /// Returns the value of a position; `None` if the roots do not lead to it.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        self.table.number(position).map(|number| self.table.values()[number as usize])
    }

    /// Returns the number of positions, finished ones included.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.table.len()
    }

    /// Derives the value of every position again from those of its next positions, which the
    /// reference engine finds. Returns the number of positions.
    ///
    /// This proves the values. Wins and losses: each follows from positions with smaller distances,
    /// down to finished games. Draws: an action keeps the draw and none wins, and that holds again
    /// after every such action, for both sides.
    ///
    /// # Errors
    ///
    /// A position whose value does not follow.
    pub fn verify(&self, reference: &Reference, observer: &dyn Observer) -> Derived {
        self.table.verify(reference, observer)
    }

    /// Calls `visit` with every position and its value.
    pub fn for_each(&self, mut visit: impl FnMut(Position, Value)) {
        self.table.for_each(&mut visit);
    }
}

/// A solved graph of any key width, with the edges.
pub(super) type SolvedPlay = (Box<dyn Prober + Send + Sync>, Edges);

/// Solves everything that some roots lead to: see [`Retrograde::build`].
pub(super) fn solved(
    engine: &Bitboard,
    roots: &[&Position],
    limits: Limits,
    observer: &dyn Observer,
) -> Result<SolvedPlay, Stopped> {
    let packing = Packing::new(engine.game(), roots);
    with_key_width!(packing.words(), W => {
        let (graph, next) = SolvedGraph::<W>::build(engine, packing, roots, limits, observer)?;
        Ok((Box::new(graph), next))
    })
}

/// Returns the peak memory in bytes with keys of `words` words. The peak is while values propagate.
fn bytes(words: usize, positions: f64, edges: f64) -> f64 {
    // A hash table takes a number and a byte for each place, has a power of two of them, and is at
    // most 7/8 full.
    let places = 2_f64.powf((positions * 8.0 / 7.0).max(1.0).log2().ceil());
    // For each position: key, two offsets, counter, value, and its number in the current level. For
    // each edge: its end, forward and backward.
    let each = words as f64 * 8.0 + 16.0 + 4.0 + 4.0 + 4.0;
    positions * each + places * 5.0 + edges * 8.0
}

/// Positions by number, in the order in which they were met.
struct Index<const W: usize> {
    hasher: DefaultHashBuilder,
    numbers: HashTable<u32>,
    keys: Vec<PackedKey<W>>,
}

impl<const W: usize> Index<W> {
    fn find(&self, key: &PackedKey<W>) -> Option<u32> {
        self.numbers.find(self.hasher.hash_one(key), |&n| self.keys[n as usize] == *key).copied()
    }

    fn reserve(&mut self, more: usize) -> Result<(), Stopped> {
        reserve(&mut self.keys, more)?;
        if self.numbers.capacity() - self.numbers.len() >= more {
            return Ok(());
        }
        let (keys, hasher) = (&self.keys, &self.hasher);
        let reserved = self.numbers.try_reserve(more, |&n| hasher.hash_one(keys[n as usize]));
        reserved.map_err(|_| Stopped::NoMemory)
    }

    fn find_or_add(&mut self, key: PackedKey<W>) -> u32 {
        let hash = self.hasher.hash_one(key);
        let (keys, hasher) = (&mut self.keys, &self.hasher);
        match self.numbers.find(hash, |&n| keys[n as usize] == key) {
            Some(&number) => number,
            None => {
                let number = keys.len() as u32;
                keys.push(key);
                self.numbers.insert_unique(hash, number, |&n| hasher.hash_one(keys[n as usize]));
                number
            }
        }
    }
}

/// A graph's edges, by the number of their start.
pub(super) struct Edges {
    first: Vec<u64>,
    ends: Vec<u32>,
}

impl Edges {
    pub(super) fn of(&self, start: usize) -> &[u32] {
        &self.ends[self.first[start] as usize..self.first[start + 1] as usize]
    }

    /// Returns the same edges reversed, by a counting sort.
    fn reversed(&self) -> Result<Edges, Stopped> {
        let mut first = filled(0_u64, self.first.len() + 1)?;
        for &end in &self.ends {
            first[end as usize + 2] += 1;
        }
        for i in 2..first.len() {
            first[i] += first[i - 1];
        }
        let mut ends = filled(0, self.ends.len())?;
        for start in 0..self.first.len() - 1 {
            for &end in self.of(start) {
                let place = &mut first[end as usize + 1];
                ends[*place as usize] = start as u32;
                *place += 1;
            }
        }
        first.pop();
        Ok(Edges { first, ends })
    }
}

/// Steps between two looks at the clock.
const LOOK: usize = 1 << 12;

struct SolvedGraph<const W: usize> {
    packing: Packing,
    index: Index<W>,
    values: Vec<Value>,
}

impl<const W: usize> SolvedGraph<W> {
    fn build(
        engine: &Bitboard,
        packing: Packing,
        roots: &[&Position],
        limits: Limits,
        observer: &dyn Observer,
    ) -> Result<(SolvedGraph<W>, Edges), Stopped> {
        let mut index = Index { hasher: DefaultHashBuilder::default(), numbers: HashTable::new(), keys: Vec::new() };
        for root in roots {
            index.find_or_add(packing.pack(root).expect("the packing is made for the roots"));
        }
        let mut next = Edges { first: vec![0], ends: Vec::new() };
        let (mut finished, mut here, mut look) = (Vec::new(), Vec::new(), 0);
        let most = limits.nodes.min(u64::from(u32::MAX));
        while let Some(key) = index.keys.get(next.first.len() - 1) {
            let state = engine.state(&packing.unpack(key));
            let number = next.first.len() - 1;
            match engine.state_status(&state) {
                Status::Ongoing => {
                    here.clear();
                    engine.for_each_action(&state, |action| {
                        here.push(packing.pack_state(&engine.play_state(&state, action)))
                    });
                    index.reserve(here.len())?;
                    reserve(&mut next.ends, here.len())?;
                    next.ends.extend(here.iter().map(|&key| index.find_or_add(key)));
                }
                Status::Won(side) => {
                    reserve(&mut finished, 1)?;
                    let value = if side == state.to_move() { Value::Win(0) } else { Value::Loss(0) };
                    finished.push((number as u32, value));
                }
            }
            reserve(&mut next.first, 1)?;
            next.first.push(next.ends.len() as u64);
            if index.keys.len() as u64 > most {
                return Err(Stopped::LimitReached { positions: most });
            }
            // Positions with many actions take longer.
            let steps = number + next.ends.len();
            if steps >= look {
                look = steps + LOOK;
                observer.stop().map_or(Ok(()), Err)?;
                observer.progress(Phase::Enumerate, number as u64, None);
                if bytes(W, index.keys.len() as f64, next.ends.len() as f64) > limits.memory as f64 {
                    return Err(Stopped::MemoryFull { limit: limits.memory_limit() });
                }
            }
        }
        let values = propagate(&next, finished, observer)?;
        Ok((SolvedGraph { packing, index, values }, next))
    }
}

/// Returns the values of all positions of a graph of next positions, from those of the finished
/// ones.
fn propagate(next: &Edges, finished: Vec<(u32, Value)>, observer: &dyn Observer) -> Result<Vec<Value>, Stopped> {
    let count = next.first.len() - 1;
    let previous = next.reversed()?;
    // Next positions of each that are not known to be won for the opponent; 0 once the position is decided.
    let mut undecided_next: Vec<u32> = Vec::new();
    reserve(&mut undecided_next, count)?;
    undecided_next.extend((0..count).map(|i| next.of(i).len() as u32));
    let mut values = filled(Value::Draw, count)?;
    // All positions decided at this distance; those decided from them are one ply farther.
    let mut level = finished;
    let mut done = level.len() as u64;
    for &(position, value) in &level {
        values[position as usize] = value;
    }
    let mut distance: Plies = 0;
    while !level.is_empty() {
        distance += 1;
        let mut farther = Vec::new();
        for (number, (position, value)) in level.into_iter().enumerate() {
            if number.is_multiple_of(LOOK) {
                observer.stop().map_or(Ok(()), Err)?;
            }
            for &before in previous.of(position as usize) {
                let before = before as usize;
                if undecided_next[before] == 0 {
                    continue;
                }
                let decision = match value {
                    Value::Loss(_) => {
                        undecided_next[before] = 0;
                        Value::Win(distance)
                    }
                    Value::Win(_) => {
                        undecided_next[before] -= 1;
                        if undecided_next[before] > 0 {
                            continue;
                        }
                        Value::Loss(distance)
                    }
                    Value::Draw => unreachable!("draws are never decided, they are left over"),
                };
                values[before] = decision;
                reserve(&mut farther, 1)?;
                farther.push((before as u32, decision));
            }
        }
        done += farther.len() as u64;
        observer.progress(Phase::Propagate, done, Some(count as u64));
        level = farther;
    }
    Ok(values)
}

impl<const W: usize> Prober for SolvedGraph<W> {
    fn number(&self, position: &Position) -> Option<u32> {
        self.index.find(&self.packing.pack(position)?)
    }

    fn position(&self, number: u32) -> Position {
        self.packing.unpack(&self.index.keys[number as usize])
    }

    fn values(&self) -> &[Value] {
        &self.values
    }

    fn len(&self) -> u64 {
        self.values.len() as u64
    }

    fn verify(&self, reference: &Reference, observer: &dyn Observer) -> Derived {
        const CHUNK: usize = 1 << 10;
        let total = self.values.len() as u64;
        for (i, keys) in self.index.keys.chunks(CHUNK).enumerate() {
            if let Some(stopped) = observer.stop() {
                return Ok(Err(stopped));
            }
            keys.par_iter().zip(&self.values[i * CHUNK..]).try_for_each(|(key, &value)| {
                let position = self.packing.unpack(key);
                let derived = match reference.status(&position) {
                    Status::Won(side) if side == position.to_move() => Some(Value::Win(0)),
                    Status::Won(_) => Some(Value::Loss(0)),
                    Status::Ongoing => {
                        let children = reference.sorted_actions(&position).into_iter().map(|action| {
                            let next = reference.transition(&position, action).expect("listed as legal").next;
                            self.number(&next).map(|number| self.values[number as usize])
                        });
                        children.collect::<Option<Vec<Value>>>().and_then(Value::of_children)
                    }
                };
                if derived == Some(value) {
                    return Ok(());
                }
                let cause = match derived {
                    Some(derived) => format!("the table says {value}, its next positions say {derived}"),
                    None => "a next position is missing from the table".to_owned(),
                };
                Err(Discrepancy { position: position.display(reference.game()).to_string(), cause })
            })?;
            observer.progress(Phase::Verify, ((i + 1) * CHUNK).min(total as usize) as u64, Some(total));
        }
        Ok(Ok(total))
    }

    fn for_each(&self, visit: &mut dyn FnMut(Position, Value)) {
        for (key, &value) in self.index.keys.iter().zip(&self.values) {
            visit(self.packing.unpack(key), value);
        }
    }
}
