//! Eight bytes in a word, worked on side by side.

/// A byte of 1 eight times.
const EACH: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const TOP: u64 = 0x80 * EACH;

/// Returns the highest bit of each byte that is not 0. No byte carries into the next.
#[inline]
fn some(bytes: u64) -> u64 {
    let low = bytes & !TOP;
    ((low + (TOP - EACH)) | bytes) & TOP
}

/// Returns the highest bits of the bytes, next to each other; nothing else may be set.
#[inline]
fn gathered(tops: u64) -> u64 {
    (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Returns those of eight codes that are this one, a bit each.
#[inline]
pub(super) fn equal(codes: [u8; 8], code: u8) -> u64 {
    let other = u64::from_le_bytes(codes) ^ (EACH * u64::from(code));
    gathered(!some(other) & TOP)
}

/// Returns those of eight codes that are not 0, a bit each.
#[inline]
pub(super) fn not_zero(codes: [u8; 8]) -> u64 {
    gathered(some(u64::from_le_bytes(codes)))
}

/// Marks those of eight codes that are at most this large (below 128) and odd, or even and not 0; a
/// bit each.
#[inline]
pub(super) fn decided(codes: [u8; 8], most: u8, odd: bool) -> u64 {
    debug_assert!(most < 128);
    let codes = u64::from_le_bytes(codes);
    // No byte borrows from the next: the minuends have their highest bits, the subtrahends do not.
    let within = ((EACH * u64::from(most)) | TOP) - (codes & !TOP);
    let parity = (codes << 7) ^ if odd { 0 } else { TOP };
    gathered(within & !codes & some(codes) & parity & TOP)
}

/// Returns a byte in the place of each of the lowest eight bits that is set.
#[inline]
pub(super) fn filled(bits: u64, byte: u8) -> u64 {
    let each = (EACH * (bits & 0xff)) & 0x8040_2010_0804_0201;
    (some(each) >> 7) * u64::from(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns eight bytes, many of them 0 or next to the bounds.
    fn bytes(number: u64) -> [u8; 8] {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
        let close = [0, 0, 1, 2, 126, 127, 128, 129, 254, 255];
        std::array::from_fn(|i| close.get(usize::from(mixed[i] % 16)).copied().unwrap_or(mixed[(i + 3) % 8]))
    }

    fn bits(codes: [u8; 8], wanted: impl Fn(u8) -> bool) -> u64 {
        (0..8).fold(0, |bits, i| bits | u64::from(wanted(codes[i])) << i)
    }

    #[test]
    fn words_are_as_their_bytes() {
        for number in 1..50_000 {
            let codes = bytes(number);
            for code in [0, 1, 2, 127, 128, 255] {
                assert_eq!(equal(codes, code), bits(codes, |c| c == code), "{codes:?} {code}");
            }
            assert_eq!(not_zero(codes), bits(codes, |c| c != 0), "{codes:?}");
            for most in [1, 2, 5, 126, 127] {
                let odd = bits(codes, |c| c <= most && c % 2 == 1);
                let even = bits(codes, |c| c != 0 && c <= most && c.is_multiple_of(2));
                assert_eq!((decided(codes, most, true), decided(codes, most, false)), (odd, even), "{codes:?} {most}");
            }
        }
        for set in 0..1024_u64 {
            let byte = set as u8 | 1;
            let expected = std::array::from_fn(|i| if set >> i & 1 == 1 { byte } else { 0 });
            assert_eq!(filled(set, byte), u64::from_le_bytes(expected));
        }
    }
}
