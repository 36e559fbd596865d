//! Prospects of both sides with the wide registers of x86-64 processors (AVX2): eight directions at
//! once.
//!
//! The same numbers as those of `outlook.rs`, which other processors and boards with holes use. A
//! player looks at nothing as often as at these.

// The one call of a function for processors that have the instructions, behind the question whether
// this one has.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, __m256i, _mm_and_si128, _mm_cvtsi128_si64, _mm_extract_epi64, _mm_or_si128, _mm256_and_si256,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi64x,
    _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64,
};

use super::{Bitboard, LegBits, Prospect, State};
use crate::geometry::by_direction;
use crate::material::{Lines, PodKind};

/// A set of points for each direction: the first four, and their opposites.
#[derive(Clone, Copy)]
struct Sets([__m256i; 2]);

/// Precomputed tables of a game.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    /// The points with a neighbour in a direction.
    from: [u64; 8],
    /// By how many bits a step rotates a set to the left, and 64 minus that.
    left: [u64; 8],
    right: [u64; 8],
    longest: u32,
    legs: [[Masks; PodKind::MAX]; 2],
}

/// The directions in which a kind has legs: all ones, else zero. The place is that of the opposite
/// direction: from the point reached.
#[derive(Clone, Copy, Debug)]
struct Masks {
    short: [u64; 8],
    long: [u64; 8],
}

impl Wide {
    /// Creates the lines; `None` if the processor lacks the instructions, or the board has holes.
    pub(super) fn new(lines: &Lines, legs: &[[LegBits; PodKind::MAX]; 2]) -> Option<Wide> {
        if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")) {
            return None;
        }
        let steps = lines.uniform()?;
        let masks = |legs: u8| by_direction(|d| if legs >> (d ^ 4) & 1 == 1 { u64::MAX } else { 0 });
        Some(Wide {
            from: steps.from,
            left: steps.left,
            right: steps.left.map(|left| 64 - left),
            longest: steps.longest,
            legs: legs.map(|side| side.map(|legs| Masks { short: masks(legs.short), long: masks(legs.long) })),
        })
    }
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn load(words: &[u64; 8]) -> Sets {
    let [a, b, c, d, e, f, g, h] = words.map(|word| word as i64);
    Sets([_mm256_set_epi64x(d, c, b, a), _mm256_set_epi64x(h, g, f, e)])
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn splat(word: u64) -> Sets {
    Sets([_mm256_set1_epi64x(word as i64); 2])
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn and(a: Sets, b: Sets) -> Sets {
    Sets([_mm256_and_si256(a.0[0], b.0[0]), _mm256_and_si256(a.0[1], b.0[1])])
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn or(a: Sets, b: Sets) -> Sets {
    Sets([_mm256_or_si256(a.0[0], b.0[0]), _mm256_or_si256(a.0[1], b.0[1])])
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn turned(Sets([first, opposite]): Sets) -> Sets {
    Sets([opposite, first])
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn halves(set: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(set), _mm256_extracti128_si256::<1>(set)]
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn words(set: __m128i) -> [u64; 2] {
    [_mm_cvtsi128_si64(set) as u64, _mm_extract_epi64::<1>(set) as u64]
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn any(sets: Sets) -> u64 {
    let [low, high] = halves(_mm256_or_si256(sets.0[0], sets.0[1]));
    let [a, b] = words(_mm_or_si128(low, high));
    a | b
}

/// Returns the points in at least two of the sets.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn twice(Sets([a, b]): Sets) -> u64 {
    let (once, both) = (halves(_mm256_or_si256(a, b)), halves(_mm256_and_si256(a, b)));
    let both = _mm_or_si128(_mm_or_si128(both[0], both[1]), _mm_and_si128(once[0], once[1]));
    let ([c, d], [e, f]) = (words(_mm_or_si128(once[0], once[1])), words(both));
    c & d | e | f
}

/// Returns the points of all sets, each counted for each set.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn count(sets: Sets) -> u32 {
    let mut count = 0;
    for set in sets.0 {
        for half in halves(set) {
            let [a, b] = words(half);
            count += a.count_ones() + b.count_ones();
        }
    }
    count
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn step(by: &[Sets; 3], sets: Sets) -> Sets {
    let Sets(from) = and(sets, by[0]);
    let mut next = [_mm256_setzero_si256(); 2];
    for i in 0..2 {
        let (left, right) = (by[1].0[i], by[2].0[i]);
        next[i] = _mm256_or_si256(_mm256_sllv_epi64(from[i], left), _mm256_srlv_epi64(from[i], right));
    }
    Sets(next)
}

#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn run(by: &[Sets; 3], longest: u32, sets: Sets, through: Sets) -> Sets {
    let mut front = step(by, sets);
    let mut reached = front;
    for _ in 1..longest {
        front = step(by, and(front, through));
        reached = or(reached, front);
    }
    reached
}

impl Bitboard {
    #[inline]
    pub(super) fn wide_outlook(&self, wide: &Wide, state: &State) -> [Prospect; 2] {
        // SAFETY: `Wide::new` is the only maker of a `Wide`, and makes none where the processor
        // lacks the instructions.
        unsafe { self.look_wide(wide, state) }
    }

    #[target_feature(enable = "avx2,popcnt")]
    fn look_wide(&self, wide: &Wide, state: &State) -> [Prospect; 2] {
        let by = [load(&wide.from), load(&wide.left), load(&wide.right)];
        let empty = self.empty(state);
        let through = splat(if self.options.attack_through { self.points } else { empty });
        // By the direction from the neighbour: points whose neighbour is empty.
        let empty_near = step(&by, splat(empty));
        let mut outlook = [Prospect::default(); 2];
        // The same for each side: points whose neighbour is one of its pods, and those from which a
        // long leg meets one.
        let (mut near, mut far) = ([splat(0); 2], [splat(0); 2]);
        for side in 0..2 {
            let held = state.held[side];
            let (short, long) = (load(&state.short[side]), load(&state.long[side]));
            let free = and(turned(empty_near), or(short, long));
            if state.in_hand[1 - side] > 0 {
                near[side] = step(&by, splat(held));
                far[side] = run(&by, wide.longest, splat(held), through);
            }
            let own = &mut outlook[side];
            own.attacked = any(or(step(&by, short), run(&by, wide.longest, long, through)));
            own.on_board = held.count_ones();
            own.weak = (held & !twice(free)).count_ones();
            own.liberties = count(free);
        }
        let always = if self.stays_by_a_liberty() { 0 } else { u64::MAX };
        for side in 0..2 {
            let other = 1 - side;
            let open = empty & !outlook[other].attacked;
            let own = &mut outlook[side];
            own.in_hand = u32::from(state.in_hand[side]);
            if own.in_hand == 0 {
                continue;
            }
            for kind in 0..self.game.pods().kinds().len() {
                if state.hands[side][kind] == 0 {
                    continue;
                }
                let legs = &wide.legs[side][kind];
                let (short, long) = (load(&legs.short), load(&legs.long));
                let attacks = any(or(and(near[other], short), and(far[other], long)));
                let liberty = any(and(empty_near, or(short, long)));
                let at = open & !attacks & (liberty | always);
                own.add_kind(at);
            }
        }
        outlook
    }
}
