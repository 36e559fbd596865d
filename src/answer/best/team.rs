//! The selective search by several threads (lazy SMP): each deepens by itself, and they help each
//! other through one table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::guesses::Guesses;
use super::selective::{Picked, Selective};
use crate::engine::bitboard::{Bitboard, State};
use crate::position::Action;
use crate::solver::memory::spawn_if_room;
use crate::solver::{Limits, Observer, Plies, Silent, Tracker};

/// The searches of one question, at least one.
pub(super) struct Team<'a> {
    first: Selective<'a>,
    others: Vec<Selective<'a>>,
}

impl<'a> Team<'a> {
    /// Creates a search for each thread. `past` holds the hashes of the positions that the game has
    /// been in.
    pub(super) fn new(engine: &'a Bitboard, limits: Limits<'_>, mut past: Vec<u64>) -> Team<'a> {
        past.sort_unstable();
        let past: Arc<[u64]> = past.into();
        let guesses = Arc::new(Guesses::new(limits.memory, limits.nodes));
        let search = || Selective::new(engine, Arc::clone(&guesses), Arc::clone(&past));
        Team { first: search(), others: (1..limits.threads).map(|_| search()).collect() }
    }

    /// Picks an action as [`Selective::pick`], and counts the nodes of all threads together, which
    /// share those of the limits. With one thread, and without a limit of time, the answer is the
    /// same in every run.
    pub(super) fn pick(
        &mut self,
        root: &State,
        barred: &[Action],
        most: Plies,
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> (Option<Picked>, u64) {
        let Team { first, others } = self;
        let limits = limits.shared_out();
        let mut tracker = Tracker::new(limits, observer);
        if others.is_empty() {
            return (first.pick(root, barred, most, 0, &mut tracker), tracker.nodes());
        }
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            for (number, other) in others.iter_mut().enumerate() {
                let done = &done;
                let help = move || {
                    let mut tracker = Tracker::new(limits.with_interrupt(done), &Silent);
                    // Every other thread begins a ply deeper.
                    let ahead = 1 - number as Plies % 2;
                    (other.pick(root, barred, most, ahead, &mut tracker), tracker.nodes())
                };
                match spawn_if_room(scope, help) {
                    Some(helper) => helpers.push(helper),
                    // The system gives no more threads: so many have to do.
                    None => break,
                }
            }
            let mut picked = first.pick(root, barred, most, 0, &mut tracker);
            done.store(true, Ordering::Relaxed);
            let mut nodes = tracker.nodes();
            for helper in helpers {
                let Ok((other, more)) = helper.join() else { continue };
                nodes += more;
                // Who has finished looking furthest is believed.
                let finished = |picked: &Option<Picked>| picked.as_ref().map_or(0, |picked| picked.finished);
                if finished(&other) > finished(&picked) {
                    picked = other;
                }
            }
            (picked, nodes)
        })
    }
}
