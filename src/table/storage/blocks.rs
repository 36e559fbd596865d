//! The blocks of a table file: the values of the positions that are held, and of no other cell.
//!
//! The rows of a tier are cut into blocks of the same number of rows ([`BlockRows`]); each block is
//! there with White to move, then with Black. It has the held positions by row and cell, without
//! gaps. On a crowded board most cells hold none, so these are neither stored nor unpacked. Before
//! compression a block is:
//!
//! | bytes | what |
//! | --- | --- |
//! | 32 | the low bytes of 32 counts: the positions in each 32nd of its rows, the last block of a tier as if it had all of them |
//! | 32 | their high bytes |
//! | … | the byte of each code, or all low bytes and then all high bytes in a wide tier |
//!
//! A position is found by the counts and a walk over at most a 32nd of the rows. Each block is a
//! Zstandard frame with its checksum, which is [sealed](crate::table::storage::seal) in the file;
//! one without positions takes no bytes.

use std::io;

use crate::geometry::PointSet;
use crate::table::index::{Index, Place, Tier, TierSide, Walk, for_each_row};
use crate::table::storage::codec::{Codec, Window};
use crate::table::storage::{BlockRows, Codes};

/// The counts of a block.
const COUNTS: usize = 32;

/// Returns the most bytes that a block of a tier has before compression.
pub(super) fn most_plain(index: &Index, block_rows: &BlockRows, tier: usize, wide: bool) -> usize {
    2 * COUNTS + values_len(wide, block_rows.of(tier) as usize * index.points())
}

fn rows_of_count(block_rows: &BlockRows, tier: usize) -> u64 {
    block_rows.of(tier) / COUNTS as u64
}

/// Returns the bytes of the values of so many positions.
fn values_len(wide: bool, positions: usize) -> usize {
    if wide { 2 * positions } else { positions }
}

/// The codes of the held positions of a block, with one side to move.
#[derive(Clone)]
pub(super) struct HeldCodes {
    counts: [u16; COUNTS],
    low: Vec<u8>,
    high: Vec<u8>,
}

impl HeldCodes {
    /// Returns the codes of a block, out of those of all its cells: for each of some sides to move.
    pub(super) fn gather<const N: usize>(
        index: &Index,
        block_rows: &BlockRows,
        tier: usize,
        block: usize,
        windows: [Window<'_>; N],
    ) -> [HeldCodes; N] {
        let rows = block_rows.rows(index, tier, block);
        let of_count = rows_of_count(block_rows, tier);
        let mut all = [(); N].map(|()| HeldCodes { counts: [0; COUNTS], low: Vec::new(), high: Vec::new() });
        let of = &index.tiers()[tier];
        for_each_row(index, of, rows.start, (rows.end - rows.start) as usize, |row, slice, fixed| {
            let cells = index.cells(slice, fixed);
            if cells == 0 {
                return;
            }
            let count = ((row - rows.start) / of_count) as usize;
            let base = row as usize * index.points();
            for (held, window) in all.iter_mut().zip(windows) {
                // At most 512 rows of 64 cells.
                held.counts[count] += cells.count_ones() as u16;
                let (low, high) = (window.codes.low(), window.codes.high());
                let first = base - window.first;
                held.low.extend(PointSet(cells).into_iter().map(|cell| low[first + cell.index()]));
                if !high.is_empty() {
                    held.high.extend(PointSet(cells).into_iter().map(|cell| high[first + cell.index()]));
                }
            }
        });
        all
    }

    /// Returns the codes, by row and cell.
    pub(super) fn into_codes(self) -> Codes {
        Codes::from_bytes(self.low, self.high)
    }

    /// Returns the block as it is in a file. `plain` is room for it before compression.
    pub(in crate::table) fn pack(&self, codec: &mut Codec, plain: &mut Vec<u8>) -> io::Result<Vec<u8>> {
        if self.low.is_empty() {
            return Ok(Vec::new());
        }
        plain.clear();
        plain.extend(self.counts.map(|count| count as u8));
        plain.extend(self.counts.map(|count| (count >> 8) as u8));
        plain.extend_from_slice(&self.low);
        plain.extend_from_slice(&self.high);
        codec.pack(plain)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    wide: bool,
    counts: &'a [u8],
    values: &'a [u8],
    positions: usize,
}

impl<'a> Block<'a> {
    /// Reads a block from its bytes before compression; `None` if they are not a block.
    pub(in crate::table) fn new(wide: bool, plain: &'a [u8]) -> Option<Block<'a>> {
        let none = Block { wide, counts: &[0; 2 * COUNTS], values: &[], positions: 0 };
        if plain.is_empty() {
            return Some(none);
        }
        let (counts, values) = plain.split_at_checked(2 * COUNTS)?;
        let mut block = Block { counts, values, ..none };
        block.positions = (0..COUNTS).map(|part| block.count(part)).sum();
        (values.len() == values_len(wide, block.positions)).then_some(block)
    }

    fn count(&self, part: usize) -> usize {
        usize::from(self.counts[part]) | usize::from(self.counts[COUNTS + part]) << 8
    }

    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the code of a position; `None` if there is no such position.
    pub(super) fn code(&self, position: usize) -> Option<u16> {
        (position < self.positions).then(|| {
            let low = u16::from(self.values[position]);
            if self.wide { low | u16::from(self.values[self.positions + position]) << 8 } else { low }
        })
    }

    pub(in crate::table) fn codes(&self) -> Codes {
        let (low, high) = self.values.split_at(self.positions);
        Codes::from_bytes(low.to_vec(), high.to_vec())
    }

    /// Calls `visit` with the number that each of some places of the block has in it, and with
    /// `None` for a place that is not held. Places come in rising order; it walks over each row
    /// between them once, and over no row that the counts pass over.
    pub(super) fn for_each_number(
        &self,
        index: &Index,
        block_rows: &BlockRows,
        places: impl Iterator<Item = Place>,
        mut visit: impl FnMut(Option<usize>),
    ) {
        let mut counted: Option<Counted<'_>> = None;
        for place in places {
            let of_count = rows_of_count(block_rows, place.tier);
            let part = (place.row % block_rows.of(place.tier) / of_count) as usize;
            let at = match &mut counted {
                Some(at) if at.part == part => at,
                _ => {
                    let before = (0..part).map(|part| self.count(part)).sum();
                    counted.insert(Counted::new(index, place.tier, place.row / of_count * of_count, part, before))
                }
            };
            at.go_to(place.row);
            let below = at.cells & ((1 << place.cell) - 1);
            let is_held = at.cells >> place.cell & 1 == 1;
            visit(is_held.then(|| at.before + below.count_ones() as usize));
        }
    }
}

/// A row of a block, with the number of positions in the rows before it.
struct Counted<'a> {
    index: &'a Index,
    tier: &'a Tier,
    slice: usize,
    walk: Walk<'a>,
    /// The part of the block that a count is about.
    part: usize,
    row: u64,
    /// The cells in use of the row.
    cells: u64,
    /// Positions in the rows of the block before this one.
    before: usize,
}

impl<'a> Counted<'a> {
    fn new(index: &'a Index, tier: usize, row: u64, part: usize, before: usize) -> Counted<'a> {
        let tier = &index.tiers()[tier];
        let number = tier.slice_at(row);
        let slice = &tier.slices()[number];
        let mut walk = Walk::new(index, slice, row);
        let cells = index.cells(slice, walk.at(row));
        Counted { index, tier, slice: number, walk, part, row, cells, before }
    }

    /// Goes on to a row of the same part that is not before this one.
    fn go_to(&mut self, row: u64) {
        while self.row < row {
            self.before += self.cells.count_ones() as usize;
            self.row += 1;
            let mut slice = &self.tier.slices()[self.slice];
            if self.row == slice.first_row() + slice.rows() {
                self.slice += 1;
                slice = &self.tier.slices()[self.slice];
                self.walk = Walk::new(self.index, slice, self.row);
            }
            self.cells = self.index.cells(slice, self.walk.at(self.row));
        }
    }
}

/// Takes the codes of a block out of those of whole tiers.
pub(in crate::table) fn codes_of(
    index: &Index,
    block_rows: &BlockRows,
    tiers: &[[Codes; 2]],
    TierSide { tier, to_move }: TierSide,
    block: usize,
) -> Codes {
    let window = Window { codes: &tiers[tier][to_move.index()], first: 0 };
    let [held] = HeldCodes::gather(index, block_rows, tier, block, [window]);
    held.into_codes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{codes_by_chance, mix, small_games};

    #[test]
    fn a_block_says_of_each_position_what_was_put_in_and_of_no_other() {
        let (mut seen, mut several) = (0, 0);
        for (number, (_, index)) in small_games(150, 30, 60_000).enumerate() {
            let wide = number % 3 == 0;
            // Many draws, and all codes.
            let codes = codes_by_chance(&index, 11, wide, |hash| {
                if hash & 3 == 0 { 0 } else { hash >> 8 & if wide { 0xffff } else { 0xff } }
            });
            let block_rows = BlockRows::new(&index);
            assert!(block_rows.fits(&index));
            let (mut codec, mut plain) = (Codec::default(), Vec::new());
            for (tier, of) in index.tiers().iter().enumerate() {
                let count = block_rows.count(&index, tier);
                several += usize::from(count > 2);
                let mut next = 0;
                for block in 0..count {
                    let rows = block_rows.rows(&index, tier, block);
                    assert_eq!((rows.start, rows.start % 64), (next, 0));
                    next = rows.end;
                    let windows = codes[tier].each_ref().map(|codes| Window { codes, first: 0 });
                    let held = HeldCodes::gather(&index, &block_rows, tier, block, windows);
                    for (held, codes) in held.into_iter().zip(&codes[tier]) {
                        {
                            let packed = held.pack(&mut codec, &mut plain).unwrap();
                            let most = most_plain(&index, &block_rows, tier, wide);
                            assert!(codec.unpack_at_most(&packed, &mut plain, most).unwrap());
                            let block_of = Block::new(wide, &plain).unwrap();
                            assert_eq!(packed.is_empty(), block_of.positions() == 0);
                            let (mut last, mut places) = (0, Vec::new());
                            for_each_row(
                                &index,
                                of,
                                rows.start,
                                (rows.end - rows.start) as usize,
                                |row, slice, fixed| {
                                    for cell in PointSet(index.cells(slice, fixed)) {
                                        let place = Place { tier, row, cell: cell.index() as u8 };
                                        let code = codes.get(index.cell(place));
                                        places.push(place);
                                        assert_eq!(block_of.code(last), Some(code), "{place:?}");
                                        last += 1;
                                    }
                                },
                            );
                            assert_eq!((block_of.positions(), block_of.code(last)), (last, None));
                            let numbers = |places: &[Place]| {
                                let mut numbers = Vec::new();
                                let visit = |number| numbers.push(number);
                                block_of.for_each_number(&index, &block_rows, places.iter().copied(), visit);
                                numbers
                            };
                            // One by one, all of them, and a few with gaps of any length between
                            // them.
                            for (number, &place) in places.iter().enumerate() {
                                assert_eq!(numbers(&[place]), [Some(number)]);
                            }
                            assert!(numbers(&places).into_iter().eq((0..last).map(Some)));
                            let some: Vec<usize> = (0..last).filter(|&n| mix(n as u64) % 64 < n as u64 % 7).collect();
                            let found = numbers(&some.iter().map(|&n| places[n]).collect::<Vec<_>>());
                            assert!(found.into_iter().eq(some.into_iter().map(Some)));
                            // Every cell of the rows, in use or not.
                            let cells =
                                rows.clone().flat_map(|row| (0..index.points() as u8).map(move |cell| (row, cell)));
                            let all: Vec<Place> = cells.map(|(row, cell)| Place { tier, row, cell }).collect();
                            let held: Vec<Place> =
                                numbers(&all).iter().zip(&all).filter_map(|(n, &p)| n.map(|_| p)).collect();
                            assert_eq!(held, places);
                            assert!(last == 0 || Block::new(wide, &plain[..plain.len() - 1]).is_none());
                            seen += last;
                        }
                        assert_eq!(held.low.len(), held.into_codes().len());
                    }
                }
                assert_eq!(next, of.rows());
            }
        }
        assert!(seen > 100_000 && several > 5, "{seen} {several}");
    }
}
