//! Strips: the parts of a tier that are swept one by one, and which process has which of them.
//!
//! Each [column](crate::table::retro::disk::columns) is cut into strips by the point on which
//! one certain pod of the opponent stands ([`layout`](crate::table::retro::layout)). To sweep a
//! strip a process needs, of the tier, the words of the same strip with the opponent to move, and
//! nothing else. What it finds belongs to columns for the other player, which another pod divides;
//! so each word found is sent once, to the process that has the strip in which it is read.
//!
//! A column is not cut where no pod of the opponent is a digit of all its rows: it has at most one
//! on the board, or only alike ones. Where pods are shoved, each strip reads its whole column.

use crate::material::Side;
use crate::table::index::{Index, TierSide};
use crate::table::retro::disk::columns::columns;
use crate::table::retro::disk::plane_store::row_bytes;
use crate::table::retro::layout::{Split, StripRows};

/// Least rows of a chunk, doubled until there are [`MAX_CHUNKS`] at most, or [`MAX_ROWS`] in one.
const LEAST_ROWS: u64 = 1 << 13;
const MAX_ROWS: u64 = 1 << 15;
const MAX_CHUNKS: u64 = 1 << 16;

/// Rows of the strips of a process, with either player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::table) struct StripsOfProcess {
    /// Those that it sweeps.
    pub(in crate::table) swept: u64,
    /// Those that it reads.
    pub(in crate::table::retro) read: u64,
    /// Those that it sends, if it finds something in all of them, each as often as it is sent.
    pub(in crate::table::retro) sent: u64,
}

/// Division of a tier among processes.
pub(in crate::table) struct Strips {
    processes: usize,
    /// True if pods of the opponent may be shoved, so that a strip reads the whole column.
    shoves: bool,
    chunk_rows: u64,
    /// By the player to move.
    sides: [StripsOfSide; 2],
}

struct StripsOfSide {
    columns: Vec<StripColumn>,
    /// For each slice its column, and its place there.
    of_slices: Vec<(u32, u32)>,
    strips: u32,
    chunks: u32,
}

pub(super) struct StripColumn {
    pub(super) slices: Vec<StripSlice>,
    /// The earlier tiers that captures lead to, each with the slices reached.
    pub(super) earlier: Vec<(TierSide, Vec<usize>)>,
    /// The piece type of the pod by whose point it is cut; `None` if it is a single strip.
    pub(super) divider: Option<u8>,
    pub(super) rows: u64,
    chunks: u32,
    first_strip: u32,
    first_chunk: u32,
    /// Words that a strip reads, and words that all strips read: those of earlier tiers in which
    /// the divider has been captured.
    strip_words: u64,
    whole_words: u64,
    /// The process that sweeps each strip.
    owners: Vec<u16>,
}

#[derive(Clone, Copy)]
pub(super) struct StripSlice {
    pub(super) slice: usize,
    /// The first of its rows in the strip, and how many there are.
    pub(super) first: u64,
    pub(super) rows: u64,
    pub(super) split: Option<Split>,
}

/// Some rows of a strip that are read, swept and written together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StripChunk {
    /// Its number in the tier, with one player to move.
    pub(super) number: u32,
    pub(super) column: usize,
    /// The point of the strip; 0 if the column is a single one.
    pub(super) point: u8,
    /// The first row in the strip, and how many there are.
    pub(super) first: u64,
    pub(super) rows: usize,
}

impl StripChunk {
    pub(super) fn rows(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.rows as u64
    }
}

impl Strips {
    pub(in crate::table) fn new(index: &Index, number: usize, shoves: bool, processes: usize) -> Strips {
        let tier = &index.tiers()[number];
        let mut chunk_rows = LEAST_ROWS;
        while chunk_rows < MAX_ROWS && tier.rows() / chunk_rows > MAX_CHUNKS {
            chunk_rows *= 2;
        }
        let sides = Side::BOTH.map(|mover| StripsOfSide::new(index, number, mover, chunk_rows, processes));
        Strips { processes, shoves, chunk_rows, sides }
    }

    pub(super) fn processes(&self) -> usize {
        self.processes
    }

    pub(super) fn columns(&self, mover: Side) -> &[StripColumn] {
        &self.sides[mover.index()].columns
    }

    /// Returns the column of a slice, and the slice's place in it.
    pub(super) fn of_slice(&self, mover: Side, slice: usize) -> (usize, usize) {
        let (column, place) = self.sides[mover.index()].of_slices[slice];
        (column as usize, place as usize)
    }

    /// Returns the number of strips of a column that a process can sweep together with so many
    /// bytes: at least one.
    pub(super) fn together(&self, mover: Side, column: usize, memory: u64) -> usize {
        let of = &self.columns(mover)[column];
        let strips = (memory / 8).saturating_sub(of.whole_words) / of.strip_words.max(1);
        if self.shoves { of.len() } else { (strips as usize).clamp(1, of.len()) }
    }

    /// Returns the number of strips with a player to move.
    pub(super) fn len(&self, mover: Side) -> u32 {
        self.sides[mover.index()].strips
    }

    pub(super) fn chunks(&self, mover: Side) -> u32 {
        self.sides[mover.index()].chunks
    }

    pub(super) fn chunk(&self, mover: Side, number: u32) -> StripChunk {
        let columns = self.columns(mover);
        let column = columns.partition_point(|column| column.first_chunk <= number) - 1;
        let of = &columns[column];
        let (strip, chunk) = ((number - of.first_chunk) / of.chunks, (number - of.first_chunk) % of.chunks);
        let first = u64::from(chunk) * self.chunk_rows;
        let rows = (of.rows - first).min(self.chunk_rows) as usize;
        StripChunk { number, column, point: strip as u8, first, rows }
    }

    /// Returns the chunks of a strip that have some of its rows.
    pub(super) fn chunks_of(
        &self,
        mover: Side,
        (column, point): (usize, u8),
        rows: std::ops::Range<u64>,
    ) -> impl Iterator<Item = StripChunk> + '_ {
        let of = &self.columns(mover)[column];
        let first = of.first_chunk + u32::from(point) * of.chunks;
        let chunks = (rows.start / self.chunk_rows) as u32..rows.end.div_ceil(self.chunk_rows) as u32;
        chunks.map(move |chunk| self.chunk(mover, first + chunk))
    }

    pub(super) fn sweeps(&self, process: usize, mover: Side, column: usize, point: u8) -> bool {
        self.columns(mover)[column].owner(point) == process
    }

    pub(super) fn reads(&self, process: usize, mover: Side, column: usize, point: u8) -> bool {
        match self.shoves {
            true => self.columns(mover)[column].readers().any(|reader| reader == process),
            false => self.sweeps(process, mover, column, point),
        }
    }

    /// Returns `true` if a strip reads its whole column.
    pub(super) fn reads_columns(&self) -> bool {
        self.shoves
    }

    /// Counts the chunks with either player to move.
    pub(in crate::table) fn all_chunks(&self) -> u64 {
        Side::BOTH.into_iter().map(|side| u64::from(self.chunks(side))).sum()
    }

    /// Returns the number of rows with either player to move that each process has.
    pub(in crate::table) fn rows(&self) -> Vec<StripsOfProcess> {
        let mut rows = vec![StripsOfProcess::default(); self.processes];
        for side in Side::BOTH {
            for column in self.columns(side) {
                let strips = column.len() as u64;
                let readers = |slice: &StripSlice| {
                    let (column, _) = self.of_slice(side.other(), slice.slice);
                    self.columns(side.other())[column].readers().count() as u64
                };
                // Of the rows of a strip, each goes to one process, or each to all who read it.
                let sent: u64 = match self.shoves {
                    true => column.slices.iter().map(|slice| slice.rows * (readers(slice) - 1)).sum(),
                    false => column.rows * (self.processes as u64 - 1) / self.processes as u64,
                };
                for &owner in &column.owners {
                    let of = &mut rows[usize::from(owner)];
                    of.swept += column.rows;
                    of.sent += sent;
                    of.read += if self.shoves { 0 } else { column.rows };
                }
                if self.shoves {
                    column.readers().for_each(|reader| rows[reader].read += column.rows * strips);
                }
            }
        }
        rows
    }

    /// Returns the bytes of the words of the process that has most of them, on disk or in memory: what
    /// it writes, and what it reads.
    pub(in crate::table) fn scratch(&self, points: usize) -> u64 {
        let rows = self.rows().into_iter().map(|of| of.swept + of.read).max().unwrap_or(0);
        2 * rows * row_bytes(points) as u64
    }

    /// Returns the bytes that a process must have in memory to sweep a strip, at most.
    pub(in crate::table) fn memory(&self) -> u64 {
        let columns = Side::BOTH.into_iter().flat_map(|side| self.columns(side));
        let strips = |column: &StripColumn| if self.shoves { column.len() } else { 1 };
        columns.map(|column| column.memory(strips(column))).max().unwrap_or(0)
    }
}

impl StripsOfSide {
    fn new(index: &Index, number: usize, mover: Side, chunk_rows: u64, processes: usize) -> StripsOfSide {
        let tier = &index.tiers()[number];
        let mut side =
            StripsOfSide { columns: Vec::new(), of_slices: vec![(0, 0); tier.slices().len()], strips: 0, chunks: 0 };
        for column in columns(index, number, mover) {
            let slices = || column.slices.iter().map(|&slice| &tier.slices()[slice]);
            let cuts = |&piece_type: &u8| slices().all(|slice| Split::new(index, slice, piece_type).is_some());
            let of_opponent = index.of_side(tier.alive(), mover.other()).map(|(piece_type, _)| piece_type);
            let divider = of_opponent.into_iter().find(cuts);
            let mut rows = 0;
            let cut: Vec<StripSlice> = slices()
                .zip(&column.slices)
                .map(|(slice, &number)| {
                    let split = divider.and_then(|piece_type| Split::new(index, slice, piece_type));
                    let first = rows;
                    let of_strip = split.map_or(slice.rows(), |split| split.rows(slice));
                    rows += of_strip;
                    StripSlice { slice: number, first, rows: of_strip, split }
                })
                .collect();
            for (place, slice) in cut.iter().enumerate() {
                side.of_slices[slice.slice] = (side.columns.len() as u32, place as u32);
            }
            let strips = if divider.is_some() { index.points() as u32 } else { 1 };
            let chunks = rows.div_ceil(chunk_rows) as u32;
            let mut of = StripColumn {
                slices: cut,
                earlier: column.earlier,
                divider,
                rows,
                chunks,
                first_strip: side.strips,
                first_chunk: side.chunks,
                strip_words: rows,
                whole_words: 0,
                owners: vec![0; strips as usize],
            };
            let (mut divided, mut whole) = (0, 0);
            of.earlier_slices(index)
                .for_each(|(.., rows, split)| *(if split { &mut divided } else { &mut whole }) += rows);
            of.strip_words += divided;
            of.whole_words = whole;
            side.columns.push(of);
            side.strips += strips;
            side.chunks += strips * chunks;
        }
        side.deal(processes);
        side
    }

    /// Deals the strips, the largest first, each to the process that has the fewest rows.
    fn deal(&mut self, processes: usize) {
        let mut strips: Vec<(u64, u32, usize, usize)> = Vec::new();
        for (number, column) in self.columns.iter().enumerate() {
            let of_column = (0..column.owners.len())
                .map(|point| (u64::MAX - column.rows, scattered(column.first_strip + point as u32), number, point));
            strips.extend(of_column);
        }
        strips.sort_unstable();
        let mut least: std::collections::BinaryHeap<_> =
            (0..processes as u16).map(|process| std::cmp::Reverse((0_u64, process))).collect();
        for (_, _, column, point) in strips {
            let Some(std::cmp::Reverse((rows, process))) = least.pop() else { return };
            let column = &mut self.columns[column];
            column.owners[point] = process;
            least.push(std::cmp::Reverse((rows + column.rows, process)));
        }
    }
}

impl StripColumn {
    /// Returns the number of strips that it has.
    pub(super) fn len(&self) -> usize {
        self.owners.len()
    }

    pub(super) fn strip(&self, point: u8) -> u32 {
        self.first_strip + u32::from(point)
    }

    pub(super) fn owner(&self, point: u8) -> usize {
        usize::from(self.owners[usize::from(point)])
    }

    /// Returns the bytes of what so many strips read: a word a row.
    pub(super) fn memory(&self, strips: usize) -> u64 {
        8 * (self.strip_words * strips as u64 + self.whole_words)
    }

    pub(super) fn readers(&self) -> impl Iterator<Item = usize> {
        let mut readers = self.owners.clone();
        readers.sort_unstable();
        readers.dedup();
        readers.into_iter().map(usize::from)
    }

    pub(super) fn points(&self) -> impl Iterator<Item = u8> + use<> {
        0..self.owners.len() as u8
    }

    /// Returns the earlier slices: tier, slice, rows in a strip, and whether it is divided into
    /// strips too. It is not where the divider has been captured.
    pub(super) fn earlier_slices<'a>(
        &'a self,
        index: &'a Index,
    ) -> impl Iterator<Item = (TierSide, usize, u64, bool)> + 'a {
        self.earlier.iter().flat_map(move |(tier_side, slices)| {
            slices.iter().map(move |&number| {
                let slice = &index.tiers()[tier_side.tier].slices()[number];
                match self.divider.and_then(|piece_type| Split::new(index, slice, piece_type)) {
                    Some(split) => (*tier_side, number, split.rows(slice), true),
                    None => (*tier_side, number, slice.rows(), false),
                }
            })
        })
    }

    /// Returns the parts of slices among some rows of a strip: the slice, and its rows there,
    /// counted from the strip's first row.
    pub(super) fn parts(
        &self,
        rows: std::ops::Range<u64>,
    ) -> impl Iterator<Item = (&StripSlice, std::ops::Range<u64>)> {
        let begin = self.slices.partition_point(|slice| slice.first + slice.rows <= rows.start);
        let within = self.slices[begin..].iter().take_while({
            let end = rows.end;
            move |slice| slice.first < end
        });
        within.map(move |slice| (slice, rows.start.max(slice.first)..rows.end.min(slice.first + slice.rows)))
    }

    pub(super) fn rows_of<'a>(&self, index: &'a Index, tier: usize, slice: &StripSlice, point: u8) -> StripRows<'a> {
        let strip = slice.split.map(|split| (split, point));
        StripRows::new(index, &index.tiers()[tier].slices()[slice.slice], strip)
    }
}

/// Returns a fixed permutation of numbers: the finaliser of MurmurHash3.
fn scattered(number: u32) -> u32 {
    let mut x = number;
    x = (x ^ x >> 16).wrapping_mul(0x85eb_ca6b);
    x = (x ^ x >> 13).wrapping_mul(0xc2b2_ae35);
    x ^ x >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;
    use crate::table::index::{Index, Place, each_step, slice_of};
    use crate::table::plan::may_shove;
    use crate::table::testing::whole;

    /// Returns the strip in which a place is with a player to move, and its row there.
    fn strip_of(index: &Index, strips: &Strips, side: Side, place: Place) -> ((usize, u8), u64) {
        let (number, slice) = slice_of(index, place);
        let (column, at) = strips.of_slice(side, number);
        let part = &strips.columns(side)[column].slices[at];
        let row = place.row - slice.first_row();
        match part.split {
            None => ((column, 0), part.first + row),
            Some(split) => {
                let point = index.unrank(slice, place.row).pods()[split.place].point;
                ((column, point), part.first + split.within(row))
            }
        }
    }

    #[test]
    fn whoever_sweeps_a_position_has_what_it_leads_to() {
        for (preset, pods) in Preset::ALL.into_iter().flat_map(|p| [(p, "trio"), (p, "alike")]) {
            let (game, index) = whole("ring8", pods, preset);
            let (mut steps, mut divided) = (0, 0);
            for (number, processes) in (0..index.tiers().len()).flat_map(|number| [(number, 2), (number, 7)]) {
                let strips = Strips::new(&index, number, may_shove(&game), processes);
                each_step(&game, &index, number, |step| {
                    let (mover, next) = (step.position.to_move(), step.next.to_move());
                    let (from, _) = strip_of(&index, &strips, mover, step.from);
                    let column = &strips.columns(mover)[from.0];
                    let process = column.owner(from.1);
                    if step.to.tier == number {
                        // Its words are in the strips of the same player's column.
                        let (to, _) = strip_of(&index, &strips, mover, step.to);
                        assert!(to.0 == from.0 && strips.reads(process, mover, to.0, to.1), "{preset:?}");
                        assert!(may_shove(&game) || to == from, "{preset:?}");
                        // And they are sent there by whoever finds them.
                        let finder = strip_of(&index, &strips, next, step.to).0;
                        assert!(strips.sweeps(
                            strips.columns(next)[finder.0].owner(finder.1),
                            next,
                            finder.0,
                            finder.1
                        ));
                        steps += 1;
                        divided += usize::from(column.divider.is_some());
                    } else {
                        let earlier = column.earlier.iter().find(|(of, _)| of.tier == step.to.tier);
                        assert!(earlier.unwrap().1.contains(&slice_of(&index, step.to).0));
                    }
                });
            }
            assert!(steps > 500 && divided > 100, "{preset:?}: {steps}, {divided}");
        }
    }

    #[test]
    fn every_row_is_in_one_strip_and_every_strip_in_its_chunks() {
        let (_, index) = whole("nook9", "trio", Preset::Advanced);
        for (number, tier) in index.tiers().iter().enumerate() {
            let strips = Strips::new(&index, number, false, 3);
            for side in Side::BOTH {
                let mut seen = std::collections::HashSet::new();
                for row in 0..tier.rows() {
                    let place = Place { tier: number, row, cell: 0 };
                    let ((column, point), row) = strip_of(&index, &strips, side, place);
                    assert!(row < strips.columns(side)[column].rows && seen.insert((column, point, row)));
                    let chunks: Vec<_> = strips.chunks_of(side, (column, point), row..row + 1).collect();
                    assert!(chunks.len() == 1 && chunks[0].rows().contains(&row) && chunks[0].point == point);
                }
                let mut rows = 0;
                for chunk in 0..strips.chunks(side) {
                    let of = strips.chunk(side, chunk);
                    assert_eq!(of.number, chunk);
                    rows += of.rows as u64;
                    let parts = strips.columns(side)[of.column].parts(of.rows()).map(|(_, rows)| rows.end - rows.start);
                    assert_eq!(parts.sum::<u64>(), of.rows as u64);
                }
                let all: u64 = strips.columns(side).iter().map(|column| column.rows * column.len() as u64).sum();
                assert_eq!(rows, all);
            }
        }
    }

    #[test]
    fn each_process_has_as_many_rows_and_reads_no_more_than_it_sweeps() {
        let (_, index) = whole("lair16", "four", Preset::Advanced);
        let number = index.tiers().len() - 1;
        let one = Strips::new(&index, number, false, 1).rows()[0];
        assert!(one.sent == 0 && one.swept < 4 * index.tiers()[number].rows());
        for processes in [2, 3, 4, 16] {
            let rows = Strips::new(&index, number, false, processes).rows();
            assert_eq!(rows.iter().map(|of| of.swept).sum::<u64>(), one.swept);
            let mean = one.swept / processes as u64;
            assert!(rows.iter().all(|of| of.swept.abs_diff(mean) < mean / 7 && of.read == of.swept), "{rows:?}");
        }
        // A strip is about a sixteenth of a column, and what it leads to where its pod was captured
        // is as much again.
        let (strip, column) = [false, true].map(|shoves| Strips::new(&index, number, shoves, 4).memory()).into();
        assert!(strip * 7 < column && column < strip * 17, "{strip} of {column}");
    }
}
