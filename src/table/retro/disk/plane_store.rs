//! The results so far of a tier, on disk or in memory: a bit for each cell, and for each row the
//! fewest bytes that hold its points.
//!
//! The files have no names, so they vanish with the program, however it ends. Their content can be
//! made again from the log.

use std::io;
use std::path::{Path, PathBuf};

use crate::material::Side;
use crate::solver::Plies;
use crate::table::error::TableError;
use crate::table::retro::pass::Pass;
use crate::table::storage::PositionedFile;

/// Wins and losses found so far with either player to move. A cell that is not in use counts as
/// won.
pub(in crate::table::retro) struct PlaneStore {
    folder: PathBuf,
    width: usize,
    /// For each side to move, losses and wins.
    planes: [[Box<dyn PlaneBytes>; 2]; 2],
}

/// The bytes of a plane, wherever they are.
pub(in crate::table::retro) trait PlaneBytes: Send + Sync {
    fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<()>;

    fn write(&self, bytes: &[u8], at: u64) -> io::Result<()>;
}

impl PlaneBytes for PositionedFile {
    fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        PositionedFile::read(self, bytes, at)
    }

    fn write(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        PositionedFile::write(self, bytes, at)
    }
}

/// The numbers of the planes.
pub(in crate::table::retro) const LOSSES: usize = 0;
pub(in crate::table::retro) const WINS: usize = 1;

pub(in crate::table::retro) fn plane_of(distance: Plies) -> usize {
    if Pass::of(distance).finds_wins() { WINS } else { LOSSES }
}

/// Returns the bytes of a row on a board of `points` points.
pub(in crate::table::retro) fn row_bytes(points: usize) -> usize {
    points.div_ceil(8)
}

impl PlaneStore {
    /// Makes planes of what `plane` returns for each plane of a side to move. Errors name the
    /// folder.
    pub(in crate::table) fn new(
        folder: &Path,
        points: usize,
        plane: impl Fn(Side) -> io::Result<Box<dyn PlaneBytes>>,
    ) -> Result<PlaneStore, TableError> {
        let pair = |side| Ok([plane(side)?, plane(side)?]);
        let planes = pair(Side::White).and_then(|white| Ok([white, pair(Side::Black)?]));
        let planes = planes.map_err(TableError::io(folder))?;
        Ok(PlaneStore { folder: folder.to_owned(), width: row_bytes(points), planes })
    }

    /// Reads the words of rows from `first` on.
    pub(in crate::table::retro) fn read(
        &self,
        side: Side,
        plane: usize,
        first: u64,
        words: &mut [u64],
        buffer: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        buffer.resize(words.len() * self.width, 0);
        self.read_bytes(side, plane, first, buffer)?;
        unpack(self.width, buffer, words);
        Ok(())
    }

    /// Writes the words of rows from `first` on.
    pub(in crate::table) fn write(
        &self,
        side: Side,
        plane: usize,
        first: u64,
        words: &[u64],
        buffer: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        pack(self.width, words, buffer);
        self.write_bytes(side, plane, first, buffer)
    }

    pub(in crate::table::retro) fn read_bytes(
        &self,
        side: Side,
        plane: usize,
        first: u64,
        bytes: &mut [u8],
    ) -> Result<(), TableError> {
        let from = &self.planes[side.index()][plane];
        from.read(bytes, first * self.width as u64).map_err(TableError::io(&self.folder))
    }

    pub(in crate::table::retro) fn write_bytes(
        &self,
        side: Side,
        plane: usize,
        first: u64,
        bytes: &[u8],
    ) -> Result<(), TableError> {
        let to = &self.planes[side.index()][plane];
        to.write(bytes, first * self.width as u64).map_err(TableError::io(&self.folder))
    }
}

pub(in crate::table) fn pack(width: usize, words: &[u64], bytes: &mut Vec<u8>) {
    fn fixed<const N: usize>(words: &[u64], bytes: &mut [u8]) {
        let (bytes, _) = bytes.as_chunks_mut::<N>();
        bytes.iter_mut().zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()[..N]));
    }
    bytes.resize(width * words.len(), 0);
    match width {
        1 => fixed::<1>(words, bytes),
        2 => fixed::<2>(words, bytes),
        3 => fixed::<3>(words, bytes),
        4 => fixed::<4>(words, bytes),
        5 => fixed::<5>(words, bytes),
        6 => fixed::<6>(words, bytes),
        7 => fixed::<7>(words, bytes),
        _ => fixed::<8>(words, bytes),
    }
}

/// Unpacks words from their lowest bytes; the bits above, of cells that are not in use, are set.
pub(in crate::table::retro) fn unpack(width: usize, bytes: &[u8], words: &mut [u64]) {
    fn fixed<const N: usize>(bytes: &[u8], words: &mut [u64]) {
        let (bytes, _) = bytes.as_chunks::<N>();
        for (word, bytes) in words.iter_mut().zip(bytes) {
            let mut all = [u8::MAX; 8];
            all[..N].copy_from_slice(bytes);
            *word = u64::from_le_bytes(all);
        }
    }
    match width {
        1 => fixed::<1>(bytes, words),
        2 => fixed::<2>(bytes, words),
        3 => fixed::<3>(bytes, words),
        4 => fixed::<4>(bytes, words),
        5 => fixed::<5>(bytes, words),
        6 => fixed::<6>(bytes, words),
        7 => fixed::<7>(bytes, words),
        _ => fixed::<8>(bytes, words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_words() {
        let folder = tempfile::tempdir().unwrap();
        for points in [1, 8, 9, 16, 23, 32, 36, 41, 56, 64] {
            let file = |_| tempfile::tempfile_in(folder.path()).map(|file| Box::new(PositionedFile::new(file)) as _);
            let planes = PlaneStore::new(folder.path(), points, file).unwrap();
            let unused = u64::MAX.checked_shl(points as u32).unwrap_or(0);
            let word = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | unused;
            let words: Vec<u64> = (0..1000).map(word).collect();
            let (mut buffer, mut back) = (Vec::new(), vec![0; 400]);
            planes.write(Side::Black, 1, 300, &words, &mut buffer).unwrap();
            planes.read(Side::Black, 1, 700, &mut back, &mut buffer).unwrap();
            assert_eq!(back, words[400..800], "{points} points");
        }
    }
}
