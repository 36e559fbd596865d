//! The range coder of version 4: bits by how likely they are, as FORMATS.md describes them.

/// Chance that a kind of bit is 1, in 65536ths: a fast estimate and a slow one.
#[derive(Clone, Copy, Debug)]
pub(in crate::certificate) struct Context {
    quick: u16,
    slow: u16,
}

impl Default for Context {
    fn default() -> Context {
        Context { quick: 1 << 15, slow: 1 << 15 }
    }
}

impl Context {
    /// Returns the point at which a range is divided: below it the bit is 1.
    #[inline]
    fn bound(self, range: u32) -> u32 {
        (range >> 16) * ((u32::from(self.quick) + u32::from(self.slow)) >> 1)
    }

    #[inline]
    fn adapt(&mut self, bit: bool) {
        let toward = |estimate: u16, shift: u32| match bit {
            true => estimate + ((65536 - u32::from(estimate)) >> shift) as u16,
            false => estimate - (estimate >> shift),
        };
        self.quick = toward(self.quick, 4);
        self.slow = toward(self.slow, 7);
    }
}

/// Width from which on a range is wide enough.
const WIDE: u32 = 1 << 24;

/// Reason why bytes are no bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::certificate) enum BadBits {
    /// There are fewer bytes than are read.
    Short,
    /// Bytes are left, or the last ones are not those that an encoder writes.
    Wrong,
}

#[derive(Clone, Debug)]
pub(in crate::certificate) struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    range: u32,
    code: u32,
}

impl<'a> Decoder<'a> {
    pub(in crate::certificate) fn new(bytes: &'a [u8]) -> Result<Decoder<'a>, BadBits> {
        let Some((&[zero, a, b, c, d], _)) = bytes.split_first_chunk() else { return Err(BadBits::Short) };
        let (range, code) = (u32::MAX, u32::from_be_bytes([a, b, c, d]));
        // No encoder writes anything else, so that a section has one form.
        if zero == 0 && code < range { Ok(Decoder { bytes, at: 5, range, code }) } else { Err(BadBits::Wrong) }
    }

    #[inline]
    pub(in crate::certificate) fn bit(&mut self, context: &mut Context) -> Result<bool, BadBits> {
        let bound = context.bound(self.range);
        let bit = self.code < bound;
        if bit {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        context.adapt(bit);
        while self.range < WIDE {
            let Some(&byte) = self.bytes.get(self.at) else { return Err(BadBits::Short) };
            self.at += 1;
            self.range <<= 8;
            self.code = self.code << 8 | u32::from(byte);
        }
        Ok(bit)
    }

    pub(in crate::certificate) fn end(&self) -> Result<(), BadBits> {
        if self.at == self.bytes.len() && self.code == 0 { Ok(()) } else { Err(BadBits::Wrong) }
    }
}

#[derive(Clone, Debug)]
pub(in crate::certificate) struct Encoder {
    bytes: Vec<u8>,
    low: u64,
    range: u32,
    /// The last byte that a carry can still change, and the number of bytes 255 after it, plus one.
    cache: u8,
    pending: u64,
}

impl Encoder {
    pub(in crate::certificate) fn new() -> Encoder {
        Encoder { bytes: Vec::new(), low: 0, range: u32::MAX, cache: 0, pending: 1 }
    }

    #[inline]
    pub(in crate::certificate) fn bit(&mut self, context: &mut Context, bit: bool) {
        let bound = context.bound(self.range);
        if bit {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        context.adapt(bit);
        while self.range < WIDE {
            self.range <<= 8;
            self.shift();
        }
    }

    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        if carry != 0 || self.low < 0xff00_0000 {
            let mut byte = self.cache;
            while self.pending > 0 {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xff;
                self.pending -= 1;
            }
            self.cache = (self.low >> 24) as u8;
        }
        self.pending += 1;
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    pub(in crate::certificate) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns bits of a small generator, mostly 1 in the first half of the contexts.
    fn bits() -> impl Iterator<Item = (usize, bool)> {
        let mut state = 1_u64;
        (0..200_000).map(move |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let context = (state >> 60) as usize;
            let low = state >> 33 & 0xff;
            (context, if context < 8 { low != 0 } else { low & 1 == 0 })
        })
    }

    #[test]
    fn a_section_has_one_form() {
        assert!(Decoder::new(&[0, 0xff, 0xff, 0xff, 0xfe]).is_ok());
        assert!(matches!(Decoder::new(&[0, 0xff, 0xff, 0xff, 0xff]), Err(BadBits::Wrong)));
        assert!(matches!(Decoder::new(&[1, 0, 0, 0, 0]), Err(BadBits::Wrong)));
    }

    #[test]
    fn bits_read_back_and_a_section_has_one_form() {
        let mut contexts = [Context::default(); 16];
        let mut encoder = Encoder::new();
        bits().for_each(|(context, bit)| encoder.bit(&mut contexts[context], bit));
        let bytes = encoder.finish();
        assert!((100_000 / 8..120_000 / 8).contains(&bytes.len()), "{}", bytes.len());
        let read = |bytes: &[u8]| -> Result<Vec<bool>, BadBits> {
            let mut contexts = [Context::default(); 16];
            let mut decoder = Decoder::new(bytes)?;
            let read = bits().map(|(context, _)| decoder.bit(&mut contexts[context])).collect::<Result<_, _>>()?;
            decoder.end().map(|()| read)
        };
        assert_eq!(read(&bytes), Ok(bits().map(|(_, bit)| bit).collect()));
        assert_eq!(read(&bytes[..bytes.len() - 1]), Err(BadBits::Short));
        assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(BadBits::Wrong));
        assert_eq!(read(&[&[1], &bytes[1..]].concat()), Err(BadBits::Wrong));
        // Other last bytes are never read as the same bits.
        for last in 0..=255 {
            let mut other = bytes.clone();
            *other.last_mut().unwrap() = last;
            assert_eq!(read(&other).is_ok(), other == bytes);
        }
        assert_eq!(Encoder::new().finish(), [0; 5]);
    }
}
