//! The hash of a position: 128 bits. The order of calls matters for [`Key::add`], and not for
//! [`Key::mix`], [`Key::join`] and [`Key::plus`].

/// A 128-bit hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

/// Returns a word in which every bit depends on every bit of two words: the folded 128-bit product,
/// as in wyhash and foldhash.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

impl Key {
    pub(crate) const START: Key = Key { low: 0x243f_6a88_85a3_08d3, high: 0x1319_8a2e_0370_7344 };

    /// Returns the hash of three words.
    #[inline]
    pub(super) fn of([a, b, c]: [u64; 3]) -> Key {
        // Two lanes with different constants.
        Key {
            low: fold(fold(a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xc2b2_ae3d_27d4_eb4f), c ^ 0xa409_3822_299f_31d0),
            high: fold(fold(a ^ 0x4528_21e6_38d0_1377, b ^ 0xbe54_66cf_34e9_0c6c), c ^ 0x082e_fa98_ec4e_6c89),
        }
    }

    /// Adds a word to the key; the order of such calls matters.
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        // Two lanes with different constants.
        self.low = fold(self.low ^ word, 0x9e37_79b9_7f4a_7c15).wrapping_add(0xa409_3822_299f_31d0);
        self.high = fold(self.high ^ word, 0xc2b2_ae3d_27d4_eb4f).wrapping_add(0x082e_fa98_ec4e_6c89);
    }

    /// Mixes like [`Key::mix`], but leaves out a word that is 0.
    #[inline]
    pub(super) fn mix_some(&mut self, tag: u64, word: u64) {
        if word != 0 {
            self.mix(tag, word);
        }
    }

    /// Adds another key with a tag, `times` times: the order of such additions does not matter.
    #[inline]
    pub(super) fn join(&mut self, tag: u64, item: Key, times: u64) {
        let (mut low, mut high) = (Key { low: 0, high: 0 }, Key { low: 0, high: 0 });
        low.mix(tag, item.low);
        high.mix(tag, item.high);
        self.low = self.low.wrapping_add(low.low.wrapping_mul(times));
        self.high = self.high.wrapping_add(high.high.wrapping_mul(times));
    }

    /// Adds a hash, `times` times: the order of such additions does not matter.
    #[inline]
    pub(super) fn plus(&mut self, item: Key, times: u64) {
        self.low = self.low.wrapping_add(item.low.wrapping_mul(times));
        self.high = self.high.wrapping_add(item.high.wrapping_mul(times));
    }

    /// Adds a word with a tag to the key: the order of such additions does not matter.
    #[inline]
    pub(super) fn mix(&mut self, tag: u64, word: u64) {
        let salt = tag.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let (a, b) = (word ^ salt, word.rotate_left(32) ^ salt.rotate_left(17));
        self.low = self.low.wrapping_add(fold(a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xc2b2_ae3d_27d4_eb4f));
        self.high = self.high.wrapping_add(fold(a ^ 0x4528_21e6_38d0_1377, b ^ 0xbe54_66cf_34e9_0c6c));
    }
}

/// The number of places of [`WordSums`].
const PLACES: usize = 42;

/// Two keys for each place and lane, by splitmix64.
const KEYS: [[[u64; 2]; 2]; PLACES] = {
    let (mut keys, mut i, mut state) = ([[[0; 2]; 2]; PLACES], 0, Key::START.low);
    while i < 4 * PLACES {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[i / 4][i / 2 % 2][i % 2] = mixed ^ mixed >> 31;
        i += 1;
    }
    keys
};

/// A list of pairs of words, one pair at each of some places; of it, what its hash is made from.
///
/// In each of two lanes this is the sum of the products of the two words, each plus a key of its
/// place modulo 2^64: the hash NH of UMAC (RFC 4418). If the keys are random, two different lists
/// with words at the same places have the same sum with a probability of 2^-64 at most.
#[derive(Clone, Copy)]
pub(super) struct WordSums([u128; 2]);

impl WordSums {
    pub(super) const NONE: WordSums = WordSums([0; 2]);

    /// Puts two words at a place that has none.
    #[inline]
    pub(super) fn put(&mut self, place: usize, a: u64, b: u64) {
        for (sum, [one, other]) in self.0.iter_mut().zip(KEYS[place]) {
            let product = u128::from(a.wrapping_add(one)) * u128::from(b.wrapping_add(other));
            *sum = sum.wrapping_add(product);
        }
    }

    /// Returns the hash.
    #[inline]
    pub(super) fn hash(self) -> Key {
        let [low, high] = self.0;
        let halves = |sum: u128, a: u64, b: u64| fold(sum as u64 ^ a, (sum >> 64) as u64 ^ b);
        Key {
            low: halves(low, 0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f),
            high: halves(high, 0x4528_21e6_38d0_1377, 0xbe54_66cf_34e9_0c6c),
        }
    }
}
