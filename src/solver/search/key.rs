//! The hash of a position: 128 bits. The order of calls matters for [`Key::add`], and not for
//! [`Key::mix`] and [`Key::join`].

/// A 128-bit hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

impl Key {
    pub(crate) const START: Key = Key { low: 0x243f_6a88_85a3_08d3, high: 0x1319_8a2e_0370_7344 };

    /// Adds a word to the key; the order of such calls matters.
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        // Folded 128-bit multiplication, as in wyhash and foldhash; two lanes with different
        // constants.
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
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

    /// Adds a word with a tag to the key: the order of such additions does not matter.
    #[inline]
    pub(super) fn mix(&mut self, tag: u64, word: u64) {
        let salt = tag.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let (a, b) = (word ^ salt, word.rotate_left(32) ^ salt.rotate_left(17));
        self.low = self.low.wrapping_add(fold(a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xc2b2_ae3d_27d4_eb4f));
        self.high = self.high.wrapping_add(fold(a ^ 0x4528_21e6_38d0_1377, b ^ 0xbe54_66cf_34e9_0c6c));
    }
}
