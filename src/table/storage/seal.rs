//! Seals that tie a block to its place in a file.
//!
//! A block is a Zstandard frame, which ends with the checksum of its content. In a file the
//! checksums are mixed with a number that depends on the file and the block, so a block in the
//! place of another is found damaged when it is read. This guards against accidents only: whoever
//! forges a file can make every byte of it.

use sha2::{Digest, Sha256};

/// Value that the checksums of a file's blocks are mixed with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seal(u32);

impl Seal {
    /// Creates the seal of a file with these bytes before its blocks.
    pub(in crate::table) fn new(head: &[u8]) -> Seal {
        let digest = Sha256::digest(head);
        Seal(u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]]))
    }

    /// Mixes the checksum of the block with a number; a second call undoes the first. A block of no
    /// bytes has no checksum.
    #[inline]
    pub(super) fn apply(self, number: usize, block: &mut [u8]) {
        if let Some(checksum) = block.last_chunk_mut() {
            // An odd factor: no two numbers give the same.
            let mixed = u32::from_le_bytes(*checksum) ^ self.0 ^ (number as u32).wrapping_mul(0x9e37_79b9);
            *checksum = mixed.to_le_bytes();
        }
    }
}
