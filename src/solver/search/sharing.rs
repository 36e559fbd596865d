//! Sharing of a search by threads: near the root each thread marks what it searches, and the others
//! search something else.
//!
//! All threads search the same root and share the table. Where a node is expected to be lost, all
//! its replies have to be refuted, in whatever order: a thread takes those first that no other
//! thread is searching, and joins another one only where nothing else is left. Where a node is
//! expected to be won, its first placement usually wins, and all threads search below it. A node is
//! expected to be lost if it follows a first placement that is tried at a node expected to be won,
//! or if its own first placement has been refuted; what follows a reply at a node expected to be
//! lost is expected to be won. (After Weill's ABDADA, 1996.) Now and then a thread looks whether
//! another one has settled a shared node above the one that it searches; then it goes back there.
//!
//! Marks say nothing about values: if two nodes share one, threads only avoid each other
//! needlessly.

use std::sync::atomic::{AtomicU32, Ordering};

use super::node::Node;

/// Nodes fewer than this many plies from the root are shared; deeper searches are too short to pay
/// for it.
pub(super) const SHARED: usize = 8;

const MARKS: usize = 1 << 14;

/// Number of threads that search each marked placement, by hash.
pub(super) struct Marks {
    marks: Vec<AtomicU32>,
}

/// Marks what a thread searches, until it is dropped.
pub(super) struct Mark<'a>(&'a AtomicU32);

impl Marks {
    pub(super) fn new() -> Marks {
        Marks { marks: (0..MARKS).map(|_| AtomicU32::new(0)).collect() }
    }

    /// Returns the counter for one placement of a node, or (`kind` is `None`) for all on a point.
    fn place(&self, node: &Node, kind: Option<u8>, point: u8) -> &AtomicU32 {
        let mut key = node.past;
        let kind = kind.map_or(0, |kind| 1 + u64::from(kind));
        key.mix(7 << 8, 1 + (u64::from(node.mover) | u64::from(point) << 1 | kind << 8));
        &self.marks[key.low as usize % MARKS]
    }

    /// Marks one placement of a node, or all on a point.
    pub(super) fn mark(&self, node: &Node, kind: Option<u8>, point: u8) -> Mark<'_> {
        let place = self.place(node, kind, point);
        place.fetch_add(1, Ordering::Relaxed);
        Mark(place)
    }

    pub(super) fn is_marked(&self, node: &Node, kind: Option<u8>, point: u8) -> bool {
        self.place(node, kind, point).load(Ordering::Relaxed) > 0
    }
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
