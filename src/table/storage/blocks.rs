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
//! | … | outcomes: 2 bits each (0 draw, 1 loss, 2 win; the first position in the lowest bits); plies: the byte of each code, or all low bytes and then all high bytes in a wide tier |
//!
//! A position is found by the counts and a walk over at most a 32nd of the rows. Each block is a
//! Zstandard frame with its checksum, which is [sealed](crate::table::storage::seal) in the file;
//! one without positions takes no bytes.

use std::io;

use crate::geometry::PointSet;
use crate::table::index::rows::{Walk, for_each_row};
use crate::table::index::{Index, Place, Tier, TierSide};
use crate::table::storage::codec::{Codec, Window};
use crate::table::storage::{BlockRows, Codes, Content, swar};

/// The counts of a block.
const COUNTS: usize = 32;

/// Returns the most bytes that a block of a tier has before compression.
pub(in crate::table) fn most_plain(
    index: &Index,
    block_rows: &BlockRows,
    tier: usize,
    content: Content,
    wide: bool,
) -> usize {
    2 * COUNTS + values_len(content, wide, block_rows.of(tier) as usize * index.points())
}

/// Returns the rows that one of the counts of a block is about.
fn rows_of_count(block_rows: &BlockRows, tier: usize) -> u64 {
    block_rows.of(tier) / COUNTS as u64
}

/// Returns the bytes of the values of so many positions.
fn values_len(content: Content, wide: bool, positions: usize) -> usize {
    match content {
        Content::Outcomes => positions.div_ceil(4),
        Content::Plies if wide => 2 * positions,
        Content::Plies => positions,
    }
}

/// The codes of the held positions of a block, with one side to move.
#[derive(Clone)]
pub(in crate::table) struct HeldCodes {
    counts: [u16; COUNTS],
    low: Vec<u8>,
    high: Vec<u8>,
}

impl HeldCodes {
    /// Returns the codes of a block, out of those of all its cells: for each of some sides to move.
    pub(in crate::table) fn gather<const N: usize>(
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
    pub(in crate::table) fn into_codes(self) -> Codes {
        Codes::from_bytes(self.low, self.high)
    }

    /// Returns the block as it is in a file. `plain` is room for it before compression.
    pub(in crate::table) fn pack(
        &self,
        content: Content,
        codec: &mut Codec,
        plain: &mut Vec<u8>,
    ) -> io::Result<Vec<u8>> {
        if self.low.is_empty() {
            return Ok(Vec::new());
        }
        plain.clear();
        plain.extend(self.counts.map(|count| count as u8));
        plain.extend(self.counts.map(|count| (count >> 8) as u8));
        match content {
            Content::Outcomes => outcomes(&self.low, &self.high, plain),
            Content::Plies => {
                plain.extend_from_slice(&self.low);
                plain.extend_from_slice(&self.high);
            }
        }
        codec.pack(plain)
    }
}

/// Adds the outcomes of codes to a list, at two bits each.
fn outcomes(low: &[u8], high: &[u8], list: &mut Vec<u8>) {
    let eight = |part: &[u8]| {
        let mut bytes = [0; 8];
        bytes[..part.len()].copy_from_slice(part);
        bytes
    };
    let end = list.len() + low.len().div_ceil(4);
    let mut high = high.chunks(8);
    for low in low.chunks(8) {
        list.extend(swar::outcomes(eight(low), high.next().map_or([0; 8], eight)));
    }
    list.truncate(end);
}

/// A block that was unpacked.
#[derive(Clone, Copy)]
pub(in crate::table) struct Block<'a> {
    content: Content,
    wide: bool,
    counts: &'a [u8],
    values: &'a [u8],
    positions: usize,
}

impl<'a> Block<'a> {
    /// Reads a block from its bytes before compression; `None` if they are not a block.
    pub(in crate::table) fn new(content: Content, wide: bool, plain: &'a [u8]) -> Option<Block<'a>> {
        let none = Block { content, wide, counts: &[0; 2 * COUNTS], values: &[], positions: 0 };
        if plain.is_empty() {
            return Some(none);
        }
        let (counts, values) = plain.split_at_checked(2 * COUNTS)?;
        let mut block = Block { counts, values, ..none };
        block.positions = (0..COUNTS).map(|part| block.count(part)).sum();
        (values.len() == values_len(content, wide, block.positions)).then_some(block)
    }

    fn count(&self, part: usize) -> usize {
        usize::from(self.counts[part]) | usize::from(self.counts[COUNTS + part]) << 8
    }

    /// Returns the number of positions that it has.
    pub(in crate::table) fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the code of a position; of outcomes, 1 for a loss and 2 for a win whatever the
    /// distance. `None` if there is no such position, or what stands there is none.
    pub(in crate::table) fn code(&self, position: usize) -> Option<u16> {
        if position >= self.positions {
            return None;
        }
        Some(match self.content {
            Content::Outcomes => match self.values[position / 4] >> (position % 4 * 2) & 3 {
                // No outcome.
                3 => return None,
                outcome => u16::from(outcome),
            },
            Content::Plies => {
                let low = u16::from(self.values[position]);
                if self.wide { low | u16::from(self.values[self.positions + position]) << 8 } else { low }
            }
        })
    }

    /// Returns all codes of a block of plies.
    pub(in crate::table) fn codes(&self) -> Codes {
        debug_assert_eq!(self.content, Content::Plies);
        let (low, high) = self.values.split_at(self.positions);
        Codes::from_bytes(low.to_vec(), high.to_vec())
    }

    /// Calls `visit` with the number that each of some places of the block has in it, and with
    /// `None` for a place that is not held. Places come in rising order; it walks over each row
    /// between them once, and over no row that the counts pass over.
    pub(in crate::table) fn for_each_number(
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

/// Returns the place of the position with this number in a block; `None` if there are not so many.
pub(in crate::table) fn place_of(
    index: &Index,
    block_rows: &BlockRows,
    tier: usize,
    block: usize,
    number: usize,
) -> Option<Place> {
    let rows = block_rows.rows(index, tier, block);
    let (mut left, mut found) = (number, None);
    for_each_row(index, &index.tiers()[tier], rows.start, (rows.end - rows.start) as usize, |row, slice, fixed| {
        for cell in PointSet(index.cells(slice, fixed)) {
            if left == 0 && found.is_none() {
                found = Some(Place { tier, row, cell: cell.index() as u8 });
            }
            left = left.saturating_sub(1);
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{codes_by_chance, mix, small_games};

    #[test]
    fn what_is_no_outcome_is_damage() {
        let mut plain = vec![0; 2 * COUNTS];
        plain[0] = 4;
        plain.push(0b11_10_01_00);
        let block = Block::new(Content::Outcomes, false, &plain).unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(|position| block.code(position)), [Some(0), Some(1), Some(2), None, None]);
    }

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
                        for content in [Content::Outcomes, Content::Plies] {
                            let packed = held.pack(content, &mut codec, &mut plain).unwrap();
                            let most = most_plain(&index, &block_rows, tier, content, wide);
                            assert!(codec.unpack_at_most(&packed, &mut plain, most).unwrap());
                            let block_of = Block::new(content, wide, &plain).unwrap();
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
                                        let expected = match (content, code) {
                                            (Content::Outcomes, 1..) => 2 - code % 2,
                                            _ => code,
                                        };
                                        places.push(place);
                                        assert_eq!(block_of.code(last), Some(expected), "{place:?}");
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
                            if last > 0 {
                                let place = place_of(&index, &block_rows, tier, block, last - 1).unwrap();
                                assert_eq!(place, places[last - 1]);
                            }
                            assert_eq!(place_of(&index, &block_rows, tier, block, last), None);
                            assert!(last == 0 || Block::new(content, wide, &plain[..plain.len() - 1]).is_none());
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

    #[test]
    fn outcomes_are_packed_as_code_by_code() {
        let mut number = 5_u64;
        for positions in [1, 3, 4, 7, 8, 9, 100, 4096] {
            for wide in [false, true] {
                let mut next = || {
                    number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    // Many draws, and all bytes.
                    if number >> 62 == 0 { 0 } else { (number >> 33) as u8 }
                };
                let low: Vec<u8> = (0..positions).map(|_| next()).collect();
                let high: Vec<u8> = (0..if wide { positions } else { 0 }).map(|_| next()).collect();
                let mut packed = Vec::new();
                outcomes(&low, &high, &mut packed);
                assert_eq!(packed.len(), values_len(Content::Outcomes, wide, positions));
                let codes = Codes::from_bytes(low, high);
                for position in 0..positions {
                    let expected = match codes.get(position) {
                        0 => 0,
                        code => 2 - code % 2,
                    };
                    assert_eq!(u16::from(packed[position / 4] >> (position % 4 * 2) & 3), expected);
                }
            }
        }
    }
}
