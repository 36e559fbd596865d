//! All values of a table in memory, as keys.

use rayon::prelude::*;

use crate::material::Side;
use crate::solver::{Observer, Phase, Stopped};
use crate::table::error::TableError;
use crate::table::index::{Index, Place, TierSide};
use crate::table::storage::{BlockRows, Codes, Cursor, codes_of};
use crate::table::verify::error::VerifyError;
use crate::table::verify::rows::held::{Held, exact_bytes, most_bytes};
use crate::table::verify::rows::keys::Key;

/// Memory for all the rest.
const REST: u64 = 48 << 20;

/// Values of a table that can be asked for by place.
pub(in crate::table) trait Stored: Sync {
    fn code(&self, index: &Index, place: Place, to_move: Side) -> u16;
}

impl Stored for &[[Codes; 2]] {
    fn code(&self, index: &Index, place: Place, to_move: Side) -> u16 {
        self[place.tier][to_move.index()].get(index.cell(place))
    }
}

pub(in crate::table) struct TierKeys<K> {
    held: Held,
    /// By side to move, and the number of the position.
    keys: [Vec<K>; 2],
}

pub(super) type Keys<K> = Vec<TierKeys<K>>;

impl<K: Key> TierKeys<K> {
    /// Writes the keys of a row. Returns the cells that are held; the others are not written.
    #[inline]
    pub(super) fn row<const N: usize>(&self, to_move: Side, row: u64, out: &mut [K; N]) -> u64 {
        let (held, first) = self.held.row(row);
        let (mut cells, mut keys) = (held, self.keys[to_move.index()][first..].iter());
        while let (true, Some(&key)) = (cells != 0, keys.next()) {
            out[cells.trailing_zeros() as usize] = key;
            cells &= cells - 1;
        }
        held
    }

    /// Returns the key of a cell; `None` if it is not held.
    #[inline]
    pub(super) fn get(&self, to_move: Side, row: u64, cell: u8) -> Option<K> {
        let (held, first) = self.held.row(row);
        if held >> cell & 1 == 0 {
            return None;
        }
        Some(self.keys[to_move.index()][first + (held & ((1 << cell) - 1)).count_ones() as usize])
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
    fn code(&self, _: &Index, place: Place, to_move: Side) -> u16 {
        /// Returns the word of a place that is not held: one that no table has.
        fn code<K: Key>(keys: &Keys<K>, to_move: Side, place: Place) -> u16 {
            keys[place.tier].get(to_move, place.row, place.cell).unwrap_or(K::NONE).code()
        }
        match self {
            Unpacked::Narrow(keys) => code(keys, to_move, place),
            Unpacked::Wide(keys) => code(keys, to_move, place),
        }
    }
}

/// The codes of the positions of a block, whose number is given last.
pub(in crate::table) trait ReadBlock:
    Fn(&mut Cursor, TierSide, usize, usize) -> Result<Codes, TableError> + Sync
{
}

impl<F: Fn(&mut Cursor, TierSide, usize, usize) -> Result<Codes, TableError> + Sync> ReadBlock for F {}

pub(in crate::table) fn in_memory(index: &Index, block_rows: &BlockRows, tiers: &[[Codes; 2]]) -> impl ReadBlock {
    |_: &mut Cursor, tier_side, block, _: usize| Ok(codes_of(index, block_rows, tiers, tier_side, block))
}

impl Unpacked {
    /// Unpacks the codes of all blocks, asked for one by one. `wide` says that some are known to
    /// need two bytes. The observer is told of rows.
    ///
    /// # Errors
    ///
    /// If a block cannot be had, or all need more memory than allowed: before the first is asked
    /// for, or when a distance turns out to need two bytes; or if the observer stops it.
    pub(in crate::table) fn new(
        index: &Index,
        block_rows: &BlockRows,
        wide: bool,
        memory: u64,
        codes: impl ReadBlock,
        observer: &dyn Observer,
    ) -> Result<Unpacked, VerifyError> {
        let mut unpacking = Unpacking { index, block_rows, memory, codes, observer, done: 0, passes: 3 };
        if !wide && let Some(keys) = unpacking.keys::<u8>()? {
            return Ok(Unpacked::Narrow(keys));
        }
        let Some(keys) = unpacking.keys::<u16>()? else { unreachable!("two bytes have a key for every code") };
        Ok(Unpacked::Wide(keys))
    }

    /// Returns the most bytes that [`Unpacked::new`] takes where a byte for each value is enough.
    pub(in crate::table::verify) fn most_bytes(index: &Index) -> u64 {
        most_bytes(index, 1) + REST
    }
}

struct Unpacking<'a, C> {
    index: &'a Index,
    block_rows: &'a BlockRows,
    memory: u64,
    codes: C,
    observer: &'a dyn Observer,
    /// Rows that the observer was told of.
    done: u64,
    /// Visits of each row: once when its content is read, once for each side to move, and once more
    /// where that is counted before.
    passes: u64,
}

/// Reasons why keys of one width cannot be made.
enum Cannot {
    /// A code has no key of this width.
    Hold,
    Go(VerifyError),
}

impl<C: ReadBlock> Unpacking<'_, C> {
    /// Returns the keys of all tiers; `None` if a code has no key of this width.
    fn keys<K: Key>(&mut self) -> Result<Option<Keys<K>>, VerifyError> {
        let mut keys = Keys::new();
        self.see_that_it_fits(size_of::<K>() as u64)?;
        for (number, tier) in self.index.tiers().iter().enumerate() {
            self.observer.stop().map_or(Ok(()), Err)?;
            let held = Held::new(self.index, tier);
            self.tell(tier.rows());
            let mut of_side = [Vec::new(), Vec::new()];
            for (to_move, of_side) in Side::BOTH.into_iter().zip(&mut of_side) {
                *of_side = match self.keys_of(TierSide { tier: number, to_move }, &held) {
                    Ok(keys) => keys,
                    Err(Cannot::Hold) => return Ok(None),
                    Err(Cannot::Go(error)) => return Err(error),
                };
                self.tell(tier.rows());
            }
            keys.push(TierKeys { held, keys: of_side });
        }
        Ok(Some(keys))
    }

    /// Refuses tables that do not fit in memory with this many bytes for each value, before
    /// anything is allocated. Tiers are counted exactly only where their upper bounds do not fit.
    fn see_that_it_fits(&mut self, bytes: u64) -> Result<(), VerifyError> {
        if most_bytes(self.index, bytes) + REST <= self.memory {
            return Ok(());
        }
        let mut needed = REST;
        self.passes += 1;
        for tier in self.index.tiers() {
            self.observer.stop().map_or(Ok(()), Err)?;
            needed += exact_bytes(self.index, tier, bytes);
            self.tell(tier.rows());
        }
        if needed > self.memory {
            let positions = self.index.positions();
            return Err(TableError::Memory { positions, needed, limit: self.memory }.into());
        }
        Ok(())
    }

    fn keys_of<K: Key>(&self, tier_side: TierSide, held: &Held) -> Result<Vec<K>, Cannot> {
        let mut keys = vec![K::NONE; held.positions() as usize];
        let (mut rest, mut blocks) = (&mut keys[..], Vec::new());
        for block in 0..self.block_rows.count(self.index, tier_side.tier) {
            let rows = self.block_rows.rows(self.index, tier_side.tier, block);
            let (keys, others) =
                rest.split_at_mut((held.before(rows.end.next_multiple_of(64)) - held.before(rows.start)) as usize);
            rest = others;
            blocks.push((block, keys));
        }
        blocks.into_par_iter().try_for_each_init(
            || Cursor::new(1),
            |cursor, (block, keys)| {
                let stopped = |stopped: Stopped| Err(Cannot::Go(stopped.into()));
                self.observer.stop().map_or(Ok(()), stopped)?;
                let codes = (self.codes)(cursor, tier_side, block, keys.len());
                let codes = codes.map_err(|error| Cannot::Go(error.into()))?;
                let mut highest = 0;
                for (number, key) in keys.iter_mut().enumerate() {
                    let code = codes.get(number);
                    highest = highest.max(code);
                    *key = K::of_code(code);
                }
                // What has no key of two bytes follows from nothing, and is found out later.
                if highest > K::MAX_CODE && size_of::<K>() == 1 { Err(Cannot::Hold) } else { Ok(()) }
            },
        )?;
        Ok(keys)
    }

    fn tell(&mut self, rows: u64) {
        self.done += rows;
        self.observer.progress(Phase::Unpack, self.done, Some((self.passes * self.index.rows()).max(self.done)));
    }
}
