//! Keys of essences: two situations with equal essences (`pods rules lemmas`) have the same key.

use std::hash::{BuildHasher, RandomState};

use super::super::shown_before::ShownKey;
use super::field::{Field, bits};
use super::scene::{Living, Scene, Surroundings};
use crate::geometry::by_direction;

/// Secret numbers of a check. Who makes a certificate does not know them, and so cannot look for
/// two essences with one key; by chance two of n have one with a probability of about n² / 2^129.
#[derive(Clone, Copy, Debug)]
pub(in crate::certificate) struct Secret {
    words: [u64; 4],
}

impl Secret {
    /// Draws numbers that are others in each run.
    pub(in crate::certificate) fn new() -> Secret {
        Secret { words: std::array::from_fn(|i| RandomState::new().hash_one(i) | 1) }
    }
}

/// A hash of tagged words with secret numbers, in two halves that have nothing in common.
#[derive(Clone, Copy)]
struct Hash {
    secret: Secret,
    halves: [u64; 2],
}

#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

impl Hash {
    fn new(secret: Secret, start: u64) -> Hash {
        Hash { secret, halves: [secret.words[2] ^ start, secret.words[3].wrapping_add(start)] }
    }

    #[inline]
    fn mix(&mut self, tag: u64, word: u64) {
        let spread = tag.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.halves[0] = folded(self.halves[0] ^ word, self.secret.words[0] ^ spread);
        self.halves[1] = folded(self.halves[1].rotate_left(29).wrapping_add(word), self.secret.words[1] ^ spread);
    }

    /// Mixes in a set of points; an empty one changes nothing.
    #[inline]
    fn mix_set(&mut self, tag: u64, set: u64) {
        if set != 0 {
            self.mix(tag, set);
        }
    }

    fn value(mut self) -> u128 {
        self.mix(0xff, 0x5851_f42d_4c95_7f2d);
        u128::from(self.halves[0]) << 64 | u128::from(self.halves[1])
    }
}

/// Returns the key of a situation in which the opening clause does not bind.
pub(in crate::certificate) fn key(
    field: &Field,
    scene: &Scene,
    around: &Surroundings,
    living: &Living,
    secret: Secret,
) -> ShownKey {
    let mut hash = Hash::new(secret, scene.mover as u64);
    if field.hand_wins {
        hash.mix(1, u64::from(scene.in_hand(0)) << 32 | u64::from(scene.in_hand(1)));
    }
    let (empty, room) = (around.empty, living.room);
    let over = field.open_to(empty);
    if !field.through {
        let outside = empty & !room;
        for d in 0..4 {
            hash.mix_set(0x10 | d as u64, field.lines.run_into(d, room, outside) & room);
        }
    }
    for side in 0..2 {
        let (mine, theirs) = (&living.pairs[side], living.pairs[1 - side].any);
        if mine.any == 0 {
            continue;
        }
        for d in 0..8 {
            let struck = field.lines.run(d, scene.long[1 - side][d], over) & mine.any;
            hash.mix_set(0x20 | (side << 3 | d) as u64, struck);
        }
        let strikes = around.far(field, side, over);
        let into = |set: u64| by_direction(|d| field.lines.step_into(d, set));
        let near = into(theirs);
        let far = by_direction(|d| {
            let second = near[d] & over;
            if second == 0 { 0 } else { field.lines.run_into(d, second, over) }
        });
        let (lasting, passing) = if field.liberty { (into(empty & !room), into(room)) } else { ([0; 8], [0; 8]) };
        let mut kinds = 0_u128;
        for kind in bits(u64::from(mine.kinds)) {
            let (at, legs) = (mine.at[kind], field.legs[side][kind]);
            let mut has = Hash::new(secret, 2 + u64::from(scene.hands[side][kind]));
            has.mix(0, at);
            let lasts = bits(u64::from(legs.all)).fold(0, |set, d| set | lasting[d]) & at;
            has.mix_set(1, lasts);
            for d in bits(u64::from(legs.all)) {
                has.mix_set(0x10 | d as u64, near[d] & at);
                has.mix_set(0x20 | d as u64, passing[d] & at & !lasts);
            }
            for d in bits(u64::from(legs.long)) {
                has.mix_set(0x30 | d as u64, far[d] & at);
                has.mix_set(0x40 | d as u64, strikes[d] & at);
            }
            // A sum has no order.
            kinds = kinds.wrapping_add(has.value());
        }
        hash.mix(0x40 | side as u64, kinds as u64);
        hash.mix(0x50 | side as u64, (kinds >> 64) as u64);
    }
    hash.value().to_le_bytes()
}
