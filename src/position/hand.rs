//! The pods that a player still holds.

use crate::material::{PodKind, PodSet};
use std::fmt::{self, Write as _};

/// A multiset of pods: a player's hand (R3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand {
    counts: [u8; PodKind::MAX],
}

impl Hand {
    /// No pod.
    pub const EMPTY: Hand = Hand { counts: [0; PodKind::MAX] };

    /// Returns the pods with these counts by the number of their kind; `None` if there are more
    /// counts than kinds.
    #[must_use]
    pub fn with_counts(counts: &[u8]) -> Option<Hand> {
        let mut hand = Hand::EMPTY;
        hand.counts.get_mut(..counts.len())?.copy_from_slice(counts);
        Some(hand)
    }

    /// Returns `true` if no kind has more pods than in another multiset.
    pub(crate) fn is_within(&self, most: &Hand) -> bool {
        self.counts.iter().zip(&most.counts).all(|(count, most)| count <= most)
    }

    /// Returns every pod of a set.
    #[must_use]
    pub fn whole(pods: &PodSet) -> Hand {
        let mut hand = Hand::EMPTY;
        for kind in pods.kinds() {
            hand.counts[kind.index()] = pods.spec(kind).count;
        }
        hand
    }

    /// Returns the number of pods of a kind.
    #[must_use]
    pub const fn count(&self, kind: PodKind) -> u8 {
        self.counts[kind.index()]
    }

    /// Returns the number of pods in all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.iter().map(|&c| c as usize).sum()
    }

    /// Returns `true` if there is no pod.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Hand::EMPTY
    }

    /// Adds a pod. A count stays at 255 once it is there; pod sets allow 64.
    pub fn add(&mut self, kind: PodKind) {
        let count = &mut self.counts[kind.index()];
        *count = count.saturating_add(1);
    }

    /// Takes a pod out; says whether there was one.
    #[must_use]
    pub fn take(&mut self, kind: PodKind) -> bool {
        let count = &mut self.counts[kind.index()];
        let there = *count > 0;
        *count -= u8::from(there);
        there
    }

    /// Returns the kinds with a count above 0, with that count, sorted by id.
    pub fn iter(&self) -> impl Iterator<Item = (PodKind, u8)> + '_ {
        self.counts.iter().enumerate().filter(|(_, c)| **c > 0).map(|(i, &c)| (PodKind::new(i), c))
    }

    /// Returns the text as in a position, to be shown: ids in alphabetical order, each followed by
    /// its count if that is above 1; `-` for an empty hand.
    ///
    /// # Panics
    ///
    /// If the hand has a kind that the set lacks.
    #[must_use]
    pub fn display<'a>(&'a self, pods: &'a PodSet) -> impl fmt::Display + 'a {
        HandText(self, pods)
    }
}

struct HandText<'a>(&'a Hand, &'a PodSet);

impl fmt::Display for HandText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hand(f, self.0.iter().map(|(kind, count)| (self.1.id(kind), count)))
    }
}

/// Writes ids, each followed by its count if that is above 1; `-` for none.
pub(super) fn write_hand(f: &mut fmt::Formatter<'_>, pods: impl IntoIterator<Item = (char, u8)>) -> fmt::Result {
    let mut pods = pods.into_iter().peekable();
    if pods.peek().is_none() {
        return f.write_char('-');
    }
    pods.try_for_each(|(id, count)| {
        f.write_char(id)?;
        if count > 1 { write!(f, "{count}") } else { Ok(()) }
    })
}

impl FromIterator<PodKind> for Hand {
    fn from_iter<I: IntoIterator<Item = PodKind>>(kinds: I) -> Hand {
        let mut hand = Hand::EMPTY;
        for kind in kinds {
            hand.add(kind);
        }
        hand
    }
}
