//! Packed input, known by its first bytes.

use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

use lzma_rust2::XzReader;

/// The first bytes of files that are packed by xz.
const XZ: [u8; 6] = [0xfd, b'7', b'z', b'X', b'Z', 0];

/// The first bytes of files that are packed by zstd.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The first bytes of a frame of zstd that is skipped, all but the lower half of the first one: the
/// parallel packer begins with one.
const SKIPPED: [u8; 4] = [0x50, 0x2a, 0x4d, 0x18];

/// Bytes to read at a time.
const BUFFER: usize = 1 << 16;

/// Input that is unpacked while it is read.
pub struct Unpacked<'r> {
    /// The unpacked bytes.
    pub reader: Box<dyn BufRead + 'r>,
    /// True if it was packed at all.
    pub was_packed: bool,
}

/// Unpacks what xz or zstd has packed while it is read, and passes anything else on.
///
/// The unpacker may take `memory` bytes. Where it needs more, reading ends with an error of the
/// kind [`ErrorKind::OutOfMemory`].
///
/// # Errors
///
/// If the first bytes cannot be read.
pub fn unpacked<'r>(mut source: impl BufRead + 'r, memory: u64) -> io::Result<Unpacked<'r>> {
    let mut head = Vec::new();
    (&mut source).take(XZ.len() as u64).read_to_end(&mut head)?;
    let (xz, zstd) = (head == XZ, head.starts_with(&ZSTD) || is_skipped(&head));
    let source = Cursor::new(head).chain(source);
    let plain: Box<dyn Read + 'r> = if xz {
        let kibibytes = u32::try_from(memory >> 10).unwrap_or(u32::MAX - 1);
        Box::new(XzReader::new_mem_limit(source, true, kibibytes))
    } else if zstd {
        let mut decoder = zstd::Decoder::with_buffer(source)?;
        // Windows of less than 1 KiB do not exist, nor do those of more than 2 GiB.
        decoder.window_log_max(memory.max(1).ilog2().clamp(10, 31))?;
        Box::new(Zstd(decoder))
    } else {
        return Ok(Unpacked { reader: Box::new(source), was_packed: false });
    };
    Ok(Unpacked { reader: Box::new(BufReader::with_capacity(BUFFER, plain)), was_packed: true })
}

fn is_skipped(head: &[u8]) -> bool {
    head.first_chunk().is_some_and(|&[first, rest @ ..]: &[u8; 4]| [first & 0xf0, rest[0], rest[1], rest[2]] == SKIPPED)
}

/// A reader of what zstd has packed, whose errors say by their kind that memory is short.
struct Zstd<R>(R);

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map_err(|error| match error.to_string().contains("too much memory") {
            true => io::Error::new(ErrorKind::OutOfMemory, error),
            false => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// `pods` and a line feed, packed by xz with a dictionary of 8 MiB.
    const PODS_XZ: [u8; 64] = [
        0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46, 0x02, 0x00, 0x21, 0x01, 0x16, 0x00,
        0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x04, 0x70, 0x6f, 0x64, 0x73, 0x0a, 0x00, 0x00, 0x00, 0x00,
        0x55, 0x16, 0x82, 0xaf, 0x36, 0x84, 0x69, 0x84, 0x00, 0x01, 0x1d, 0x05, 0xb8, 0x2d, 0x80, 0xaf, 0x1f, 0xb6,
        0xf3, 0x7d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x59, 0x5a,
    ];

    fn all(packed: &[u8], memory: u64) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        unpacked(packed, memory)?.reader.read_to_end(&mut plain)?;
        Ok(plain)
    }

    fn zstd_of(plain: &[u8], window: u32) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
        encoder.window_log(window).unwrap();
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_is_packed_is_unpacked_and_the_rest_stays() {
        let text = b"pods\n".repeat(100_000);
        assert_eq!(all(&zstd_of(&text, 20), 1 << 21).unwrap(), text);
        assert_eq!(all(&PODS_XZ, 1 << 24).unwrap(), b"pods\n");
        // As a file that two files were joined to.
        assert_eq!(all(&[PODS_XZ, PODS_XZ].concat(), 1 << 24).unwrap(), b"pods\npods\n");
        // As the parallel packer writes it: a frame that is skipped before each.
        let skipped = |first: u8, zstd: Vec<u8>| [&[first, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7], &zstd[..]].concat();
        let parts = [skipped(0x50, zstd_of(b"pods\n", 20)), skipped(0x5f, zstd_of(b"pods\n", 20))].concat();
        assert_eq!(all(&parts, 1 << 21).unwrap(), b"pods\npods\n");
        for plain in [&b""[..], b"\xfd", b"\xfd7zXY\x00", b"(", b"{\"format\":1}\n"] {
            assert_eq!(all(plain, 0).unwrap(), plain);
        }
    }

    #[test]
    fn a_limit_of_memory_is_an_error_of_its_own_kind() {
        for packed in [&zstd_of(b"pods\n", 27)[..], &PODS_XZ] {
            assert_eq!(all(packed, 1 << 20).unwrap_err().kind(), ErrorKind::OutOfMemory);
        }
    }

    #[test]
    fn no_damage_goes_unseen() {
        // The header of an empty block list would be another file, so every cut is an error, and
        // every byte counts.
        for end in 6..PODS_XZ.len() {
            assert!(all(&PODS_XZ[..end], 1 << 24).is_err(), "cut at {end}");
        }
        for at in 6..PODS_XZ.len() {
            let mut damaged = PODS_XZ;
            damaged[at] ^= 1;
            let read = all(&damaged, 1 << 24);
            assert!(read.is_err(), "byte {at}: {read:?}");
        }
    }
}
