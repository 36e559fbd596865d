//! All values of a table in memory, as keys.

use crate::material::Side;
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::storage::Codes;
use crate::table::verify::rows::Keys;
use crate::table::verify::rows::keys::Key;

/// Keys behind the last row of a tier, so that as many as a row has at most may be read from each of its cells.
const PADDING: usize = 64;
/// Memory for all the rest.
const REST: u64 = 48 << 20;

/// Values of a table that can be asked for by cell.
pub(in crate::table) trait Stored: Sync {
    /// The code of a cell of a tier.
    fn code(&self, tier: usize, to_move: Side, cell: usize) -> u16;
}

impl Stored for &[[Codes; 2]] {
    fn code(&self, tier: usize, to_move: Side, cell: usize) -> u16 {
        self[tier][to_move.index()].get(cell)
    }
}

/// The values of all tiers: a byte each, or two where a distance needs it.
pub(in crate::table) enum Unpacked {
    Narrow(Keys<u8>),
    Wide(Keys<u16>),
}

impl std::fmt::Debug for Unpacked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if matches!(self, Unpacked::Narrow(_)) { "narrow keys" } else { "wide keys" })
    }
}

impl Stored for Unpacked {
    fn code(&self, tier: usize, to_move: Side, cell: usize) -> u16 {
        match self {
            Unpacked::Narrow(keys) => keys[tier][to_move.index()][cell].code(),
            Unpacked::Wide(keys) => keys[tier][to_move.index()][cell].code(),
        }
    }
}

impl Unpacked {
    /// From the codes of all tiers, asked for one by one. `wide` says that some are known to need two bytes.
    ///
    /// # Errors
    ///
    /// If a tier cannot be had, or all need more memory than allowed: before the first is asked for, or when a distance
    /// turns out to need two bytes.
    pub(in crate::table) fn new(
        index: &Index,
        wide: bool,
        memory: u64,
        codes: impl Fn(usize) -> Result<[Codes; 2], TableError>,
    ) -> Result<Unpacked, TableError> {
        let fits = |bytes_of_key: u64| {
            let needed = need(index) * bytes_of_key + REST;
            let positions = index.positions();
            if needed > memory { Err(TableError::Memory { positions, needed, limit: memory }) } else { Ok(()) }
        };
        fits(if wide { 2 } else { 1 })?;
        let mut unpacked = if wide { Unpacked::Wide(Vec::new()) } else { Unpacked::Narrow(Vec::new()) };
        for tier in 0..index.tiers().len() {
            let codes = codes(tier)?;
            let narrow =
                |codes: &Codes| codes.high().is_empty() && codes.low().iter().all(|&c| u16::from(c) <= u8::MOST);
            unpacked = match unpacked {
                Unpacked::Narrow(keys) if !codes.iter().all(narrow) => {
                    // The narrow keys go one by one as the wide ones come, and are half of them.
                    fits(2)?;
                    let widen = |keys: Vec<u8>| keys.into_iter().map(|key| u16::of_code(key.code())).collect();
                    Unpacked::Wide(keys.into_iter().map(|sides| sides.map(widen)).collect())
                }
                same => same,
            };
            match &mut unpacked {
                Unpacked::Narrow(keys) => keys.push(codes.map(|codes| {
                    let (mut low, _) = codes.into_bytes();
                    for code in &mut low {
                        *code = u8::of_code(u16::from(*code));
                    }
                    low.reserve_exact(PADDING);
                    low.resize(low.len() + PADDING, u8::NONE);
                    low
                })),
                Unpacked::Wide(keys) => keys.push(codes.map(|codes| {
                    let mut wide = Vec::with_capacity(codes.len() + PADDING);
                    wide.extend((0..codes.len()).map(|cell| u16::of_code(codes.get(cell))));
                    wide.resize(codes.len() + PADDING, u16::NONE);
                    wide
                })),
            }
        }
        Ok(unpacked)
    }
}

/// Keys of all tiers.
fn need(index: &Index) -> u64 {
    let of_tier = |rows: u64| 2 * (rows * index.points() as u64 + PADDING as u64);
    index.tiers().iter().map(|tier| of_tier(tier.rows())).sum()
}
