//! Positions as fixed-width keys: one to one among the positions that a root leads to.

use std::hash::{Hash, Hasher};

use crate::engine::bitboard::State;
use crate::geometry::Point;
use crate::material::{BySide, PodKind, Side};
use crate::position::{Game, Hand, Pod, Position};
use crate::rules::Captures;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PackedKey<const W: usize>(pub [u64; W]);

impl<const W: usize> Hash for PackedKey<W> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for word in self.0 {
            state.write_u64(word);
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct BitField {
    word: usize,
    shift: u32,
    bits: u32,
}

impl BitField {
    fn put(self, words: &mut [u64], value: u64) {
        words[self.word] |= value << self.shift;
    }

    fn get(self, words: &[u64]) -> u64 {
        words[self.word] >> self.shift & ((1 << self.bits) - 1)
    }
}

/// Packing of the positions below some roots.
///
/// Each point takes a digit: 0 if it is empty, else the number of its pod among those of the roots.
/// Hands are left out where nothing is ever captured: there a hand is what the root had less what
/// stands on the board.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// The pods that occur; the digit of a point is 1 + the index here.
    pods: Vec<Pod>,
    digit_of: [[u8; PodKind::MAX]; 2],
    points: Vec<BitField>,
    /// A field for the hand count of each pod of `pods`; empty where hands follow from the board.
    hands: Vec<BitField>,
    /// The pods of each side on board and in hand in the roots; of each kind the most that a root
    /// has.
    in_play: BySide<Hand>,
    mover: BitField,
    open: BitField,
    words: usize,
}

impl Packing {
    /// Returns the packing for everything that these positions lead to.
    ///
    /// # Panics
    ///
    /// If there is no root, or hands are left out and two roots differ in what is in play.
    pub(super) fn new(game: &Game, roots: &[&Position]) -> Packing {
        let mut in_play = BySide::from([Hand::EMPTY; 2]);
        let with_hands = game.rules().options().captures != Captures::Never;
        for side in Side::BOTH {
            for kind in game.pods().kinds() {
                let count = |p: &Position| {
                    let on_board = p.pods().filter(|(_, pod)| *pod == Pod { side, kind }).count();
                    on_board + p.hand(side).count(kind) as usize
                };
                let most = roots.iter().map(|p| count(p)).max().expect("at least one root");
                assert!(with_hands || roots.iter().all(|p| count(p) == most), "roots of one game");
                (0..most).for_each(|_| in_play[side].add(kind));
            }
        }
        let mut packing = Packing {
            pods: Vec::new(),
            digit_of: [[0; PodKind::MAX]; 2],
            points: Vec::new(),
            hands: Vec::new(),
            in_play,
            mover: BitField::default(),
            open: BitField::default(),
            words: 0,
        };
        for side in Side::BOTH {
            for (kind, _) in in_play[side].iter() {
                packing.pods.push(Pod { side, kind });
                packing.digit_of[side.index()][kind.index()] = packing.pods.len() as u8;
            }
        }
        let mut used = 0; // bits of the last word
        let mut field = |bits: u32| {
            if packing.words == 0 || used + bits > 64 {
                packing.words += 1;
                used = 0;
            }
            used += bits;
            BitField { word: packing.words - 1, shift: used - bits, bits }
        };
        let bits_for = |values: usize| usize::BITS - (values - 1).leading_zeros();
        packing.mover = field(1);
        packing.open = field(1);
        let digit = bits_for(packing.pods.len() + 1).max(1);
        packing.points = game.board().points().map(|_| field(digit)).collect();
        if with_hands {
            let count = |pod: &Pod| in_play[pod.side].count(pod.kind) as usize;
            packing.hands = packing.pods.iter().map(|pod| field(bits_for(count(pod) + 1))).collect();
        }
        packing
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn pack<const W: usize>(&self, position: &Position) -> Option<PackedKey<W>> {
        let mut words = [0; W];
        self.mover.put(&mut words, position.to_move().index() as u64);
        self.open.put(&mut words, u64::from(position.is_open()));
        let mut on_board = [Hand::EMPTY; 2];
        for (point, pod) in position.pods() {
            let digit = self.digit_of[pod.side.index()][pod.kind.index()];
            if digit == 0 {
                return None;
            }
            on_board[pod.side.index()].add(pod.kind);
            self.points[point.index()].put(&mut words, u64::from(digit));
        }
        for side in Side::BOTH {
            let most = &self.in_play[side];
            for kind in (0..PodKind::MAX).map(PodKind::new) {
                let in_hand = position.hand(side).count(kind);
                let count = in_hand + on_board[side.index()].count(kind);
                let fits = if self.hands.is_empty() { count == most.count(kind) } else { count <= most.count(kind) };
                if !fits {
                    return None;
                }
            }
        }
        for (field, pod) in self.hands.iter().zip(&self.pods) {
            field.put(&mut words, u64::from(position.hand(pod.side).count(pod.kind)));
        }
        Some(PackedKey(words))
    }

    #[inline]
    pub(super) fn pack_state<const W: usize>(&self, state: &State) -> PackedKey<W> {
        let mut words = [0; W];
        self.mover.put(&mut words, state.to_move().index() as u64);
        self.open.put(&mut words, u64::from(state.is_open()));
        state.for_each_pod(|point, side, kind| {
            self.points[point].put(&mut words, u64::from(self.digit_of[side][kind]));
        });
        for (field, pod) in self.hands.iter().zip(&self.pods) {
            field.put(&mut words, u64::from(state.in_hand(pod.side, pod.kind)));
        }
        PackedKey(words)
    }

    pub(super) fn unpack<const W: usize>(&self, key: &PackedKey<W>) -> Position {
        let mut occupants = vec![None; self.points.len()];
        let mut hands = if self.hands.is_empty() { self.in_play } else { [Hand::EMPTY; 2].into() };
        for (point, field) in self.points.iter().enumerate() {
            let digit = field.get(&key.0) as usize;
            if digit > 0 {
                let pod = self.pods[digit - 1];
                occupants[Point::new(point).index()] = Some(pod);
                if self.hands.is_empty() {
                    let there = hands[pod.side].take(pod.kind);
                    debug_assert!(there);
                }
            }
        }
        for (field, pod) in self.hands.iter().zip(&self.pods) {
            for _ in 0..field.get(&key.0) {
                hands[pod.side].add(pod.kind);
            }
        }
        let to_move = Side::BOTH[self.mover.get(&key.0) as usize];
        Position { occupants, hands, to_move, open: self.open.get(&key.0) == 1 }
    }
}

/// Calls a generic function of a key width with the narrowest one that holds `$words` words.
macro_rules! with_key_width {
    ($words:expr, $width:ident => $call:expr) => {
        match $words {
            0..=1 => {
                const $width: usize = 1;
                $call
            }
            2 => {
                const $width: usize = 2;
                $call
            }
            3..=4 => {
                const $width: usize = 4;
                $call
            }
            _ => {
                const $width: usize = 16;
                $call
            }
        }
    };
}
pub(super) use with_key_width;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Coord;
    use crate::material::{Board, builtin_pods};

    #[test]
    fn a_key_takes_no_more_words_than_its_bits_fill() {
        // A bit for the player to move, one for the opening, two for each point: empty, a white pod
        // or a black one.
        for (points, words) in [(30, 1), (31, 1), (32, 2), (62, 2), (63, 2), (64, 3)] {
            let coords: Vec<_> = (0..points).map(|i| Coord { row: i / 8, column: i % 8 }).collect();
            let board = Board::new("no lines", "test", coords, Vec::new()).unwrap();
            let rules = "standard+placement-liberty=off+opening=any".parse().unwrap();
            let game = Game::new(board, builtin_pods("snort").unwrap(), rules);
            let hand = |count: u8| Hand::parse(&format!("o{count}"), game.pods()).unwrap();
            let root = game.start(hand(points - 2), hand(2), Side::Black).unwrap();
            let packing = Packing::new(&game, &[&root]);
            assert_eq!(packing.words(), words, "{points} points");
            let mut full = root.clone();
            for (at, occupant) in full.occupants.iter_mut().enumerate() {
                let side = if at % 31 == 30 { Side::Black } else { Side::White };
                let kind = game.pods().kinds().next().unwrap();
                if full.hands[side].take(kind) {
                    *occupant = Some(Pod { side, kind });
                }
            }
            let key = packing.pack::<3>(&full).unwrap();
            assert_eq!(packing.unpack(&key), full, "{points} points");
        }
    }
}
