//! Groups of rows: the part of a tier that is unpacked at a time.

use crate::table::storage::Codes;
use crate::table::storage::codec::BLOCK_CELLS;

/// Rows of a group. Their cells fill whole blocks, one for each point of the board; the last group of a tier has fewer.
pub(in crate::table) const GROUP_ROWS: u64 = BLOCK_CELLS as u64;

/// How many groups so many rows are.
pub(in crate::table) fn groups(rows: u64) -> u64 {
    rows.div_ceil(GROUP_ROWS)
}

/// The cells of a group of a tier with so many rows.
pub(in crate::table) fn cells(rows: u64, points: usize, group: u64) -> std::ops::Range<usize> {
    let [first, end] = [group, group + 1].map(|group| rows.min(group * GROUP_ROWS) as usize * points);
    first..end
}

/// The codes of a group out of those of its tier, for boards of so many points.
pub(in crate::table) fn group_of(codes: &Codes, points: usize, group: u64) -> Codes {
    let cells = cells((codes.len() / points) as u64, points, group);
    let part = |bytes: &[u8]| bytes.get(cells.clone()).unwrap_or_default().to_vec();
    Codes::from_bytes(part(codes.low()), part(codes.high()))
}
