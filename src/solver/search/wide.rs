//! The canonical key with the wide registers of x86-64 processors (AVX2), where there are any: four
//! directions at once.

// The one call of a function for processors that have the instructions, behind the question whether
// this one has.
#![allow(unsafe_code)]

use super::bounds::Lives;
use super::canonical;
use super::field::Field;
use super::key::Key;
use super::node::Node;
use super::used::Names;

/// Returns the key of [`canonical::canonical`], and sets the same names.
#[inline]
pub(super) fn canonical(field: &Field, node: &Node, lives: &Lives, nameless: bool, names: &mut Names) -> Key {
    #[cfg(target_arch = "x86_64")]
    if field.wide {
        // SAFETY: a wide field is made only where the processor has the instructions.
        return unsafe { x86::canonical(field, node, lives, nameless, names) };
    }
    canonical::canonical(field, node, lives, nameless, names)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        _mm256_and_si256, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_movemask_pd, _mm256_set_epi64x,
        _mm256_set1_epi64x, _mm256_setzero_si256,
    };

    use super::{Field, Key, Lives, Names, Node};
    use crate::solver::search::canonical::canonical_by;

    #[target_feature(enable = "avx2,popcnt,bmi1")]
    pub(super) fn canonical(field: &Field, node: &Node, lives: &Lives, nameless: bool, names: &mut Names) -> Key {
        canonical_by(field, node, lives, nameless, names, |sets, directions, points| meeting(sets, directions, points))
    }

    #[target_feature(enable = "avx2,popcnt,bmi1")]
    #[inline]
    fn meeting(sets: &[u64; 8], directions: u8, points: u64) -> u8 {
        let [a, b, c, d, e, f, g, h] = sets.map(|set| set as i64);
        let points = _mm256_set1_epi64x(points as i64);
        let none = [_mm256_set_epi64x(d, c, b, a), _mm256_set_epi64x(h, g, f, e)].map(|sets| {
            let met = _mm256_cmpeq_epi64(_mm256_and_si256(sets, points), _mm256_setzero_si256());
            _mm256_movemask_pd(_mm256_castsi256_pd(met)) as u8
        });
        directions & !(none[0] | none[1] << 4)
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_games::for_each_game;
    use super::*;
    use crate::engine::Engine;

    #[test]
    fn a_key_is_the_same_with_and_without_wide_registers() {
        const SEED: u64 = 81;
        let mut keys = 0;
        for_each_game(SEED, 400, |engine, _, values| {
            let game = engine.game();
            let field = Field::new(game);
            for position in values.keys() {
                let node = Node::new(&field, game, position);
                let lives = Lives::new(&field, &node);
                for nameless in [false, true] {
                    let (mut here, mut there) = (Names::default(), Names::default());
                    let key = canonical(&field, &node, &lives, nameless, &mut here);
                    let plain = canonical::canonical(&field, &node, &lives, nameless, &mut there);
                    assert_eq!((key, here), (plain, there), "seed {SEED}: {}", position.display(game));
                    keys += 1;
                }
            }
        });
        assert!(keys > 10_000, "{keys}");
    }
}
