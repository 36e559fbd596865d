//! Saves what a search has proven to a file, for a later run to continue from.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `PODSSAV\n` |
//! | 4 | version of the format and of what keys mean, little-endian like all numbers |
//! | 4 | length of the next item |
//! | … | the setup by name, for people |
//! | 32 | SHA-256 of the setup: points, lines, legs, rules, and the features that decide what a key means |
//! | 8 | number of entries |
//! | 16 each | entries of the table, as they are in memory (`table.rs`) |
//! | 8 | nodes so far |
//! | 32 | SHA-256 of everything up to here |
//!
//! Hands and positions are not part of the setup: a key covers the hands, and an entry is true
//! whatever root it was found from. If the table has more entries than the file may have, those
//! that took the most nodes are saved, so that the rest is cheap to find again.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

use super::answer::Search;
use super::features::SearchFeatures;
use super::table::{Entry, Table};
use crate::geometry::Direction;
use crate::position::Game;
use crate::rules::OPTION_NAMES;

const MAGIC: &[u8; 8] = b"PODSSAV\n";

/// Version of the format, to be raised with every change of it or of the meaning of keys.
const VERSION: u32 = 5;

const ENTRY: usize = 16;

/// Number of entries that are read or written at once.
const CHUNK: usize = 1 << 12;

/// The most bytes of the setup's names.
const MAX_WORDS: usize = 1 << 12;

/// Reasons why a saved search cannot be continued. Nothing of the file is used then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a saved search.
    #[error("not a saved search: it does not begin as one; name another file")]
    NotSaved,
    /// Its format has another version.
    #[error(
        "a saved search of version {found}, this program reads version {VERSION}: go on with the program that wrote it (release 0.3.0 reads version 2), or name another file to start anew"
    )]
    Version {
        /// The version found.
        found: u32,
    },
    /// Its bytes are not those that were written.
    #[error("a saved search that is damaged, {place}: put back a copy, or remove it to start anew")]
    Damaged {
        /// Evidence of the damage.
        place: &'static str,
    },
    /// It is of another board, pods or rules.
    #[error("a saved search of another setup, {found}; asked for is {wanted}: give its setup, or name another file")]
    OtherSetup {
        /// The setup by name.
        found: String,
        /// The setup asked for.
        wanted: String,
    },
}

/// Counts of what was loaded from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The positions that the file knows.
    pub saved: u64,
    /// Number of them that the table has room for. If not all fit, those that took the most nodes
    /// are kept.
    pub kept: u64,
}

impl Search {
    /// Writes the entries of the table and the number of nodes so far: at most `bytes` bytes of
    /// entries, those that took the most nodes. May be called while a search runs.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, out: &mut dyn Write, bytes: u64) -> io::Result<()> {
        let choice = Choice::new(&self.table, usize::try_from(bytes).unwrap_or(usize::MAX) / ENTRY);
        let mut hash = Sha256::new();
        let mut put = |bytes: &[u8]| {
            hash.update(bytes);
            out.write_all(bytes)
        };
        put(&self.head())?;
        put(&(choice.all as u64).to_le_bytes())?;
        // The entries are not gathered first: a table may take all the memory that there is.
        let (mut chunk, mut written) = (Vec::with_capacity(CHUNK * ENTRY), Ok(()));
        choice.for_each(&self.table, |entry| {
            if chunk.len() == CHUNK * ENTRY {
                // After an error nothing is written any more, and nothing may be gathered either.
                if written.is_ok() {
                    written = put(&chunk);
                }
                chunk.clear();
            }
            chunk.extend([entry.high, entry.stored].into_iter().flat_map(u64::to_le_bytes));
        });
        written?;
        put(&chunk)?;
        // Read after the entries: the sum has all nodes that these took, and what a search visits
        // meanwhile counts twice.
        put(&self.nodes().to_le_bytes())?;
        out.write_all(&hash.finalize())
    }

    /// Returns the bytes with which a file begins that has saved a search of the setup.
    pub(crate) fn head(&self) -> Vec<u8> {
        let names = names(self.game());
        let length = (names.len() as u32).to_le_bytes();
        [MAGIC, &VERSION.to_le_bytes()[..], &length, names.as_bytes(), &setup(self.game(), self.features)].concat()
    }

    /// Loads what another search of the same setup has saved. If not all entries fit into the
    /// table, those that took the fewest nodes are left out.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is damaged, or of another setup or version; the search is then as it
    /// was.
    pub fn load(&mut self, input: &mut dyn Read) -> Result<Loaded, SavedError> {
        let (loaded, nodes) = self.read(input)?;
        self.spent = AtomicU64::new(self.spent.load(Ordering::Relaxed).saturating_add(nodes));
        Ok(loaded)
    }

    /// Loads like [`Search::load`], without counting the nodes of the other search.
    ///
    /// # Errors
    ///
    /// As [`Search::load`].
    pub(crate) fn learn(&mut self, input: &mut dyn Read) -> Result<Loaded, SavedError> {
        self.read(input).map(|(loaded, _)| loaded)
    }

    /// Loads entries; says the nodes of the search that saved them.
    fn read(&mut self, input: &mut dyn Read) -> Result<(Loaded, u64), SavedError> {
        let mut input = Hashed { inner: input, hash: Sha256::new() };
        match input.array::<8>() {
            Ok(head) if head == *MAGIC => {}
            Ok(_) | Err(SavedError::Damaged { .. }) => return Err(SavedError::NotSaved),
            Err(error) => return Err(error),
        }
        let version = u32::from_le_bytes(input.array()?);
        if version != VERSION {
            return Err(SavedError::Version { found: version });
        }
        let damaged = |place| SavedError::Damaged { place };
        let length = u32::from_le_bytes(input.array()?) as usize;
        if length > MAX_WORDS {
            return Err(damaged("it has too long a name"));
        }
        let found = input.bytes(length)?;
        let digest: [u8; 32] = input.array()?;
        let count = u64::from_le_bytes(input.array()?);
        // Into another table, since the checksum comes at the end of the file.
        let table = Table::new(self.table.memory());
        let word = |bytes: &[u8]| u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
        let (mut left, mut empty) = (count, false);
        while left > 0 {
            let chunk = left.min(CHUNK as u64);
            for pair in input.bytes(chunk as usize * ENTRY)?.chunks_exact(ENTRY) {
                let entry = Entry { high: word(&pair[..8]), stored: word(&pair[8..]) };
                empty |= entry.stored & 1 == 0;
                table.restore(entry);
            }
            left -= chunk;
        }
        let nodes = u64::from_le_bytes(input.array()?);
        let hash = input.hash.finalize_reset();
        if input.array::<32>()? != hash[..] {
            return Err(damaged("its content does not match its checksum"));
        }
        if input.inner.read(&mut [0])? != 0 {
            return Err(damaged("something follows its end"));
        }
        if digest != setup(self.game(), self.features) {
            let found = String::from_utf8_lossy(&found).into_owned();
            let mut wanted = names(self.game());
            if wanted == found {
                wanted.push_str(" with other points, lines or legs");
            }
            return Err(SavedError::OtherSetup { found, wanted });
        }
        if empty {
            return Err(damaged("it has an empty entry"));
        }
        let kept = table.fill().entries;
        self.table.for_each(|entry| table.restore(entry));
        self.table = table;
        Ok((Loaded { saved: count, kept }, nodes))
    }
}

/// Choice of the entries to save: those that took the most nodes.
struct Choice {
    /// All entries above this level of work are saved.
    level: usize,
    /// As many of those on the level.
    on_level: usize,
    /// As many of all.
    all: usize,
}

impl Choice {
    /// Chooses at most `most` entries.
    fn new(table: &Table, most: usize) -> Choice {
        let mut counts = [0_usize; Entry::MAX_WORK + 1];
        table.for_each(|entry| counts[entry.work()] += 1);
        let (mut level, mut above) = (Entry::MAX_WORK, 0);
        while level > 0 && above + counts[level] <= most {
            above += counts[level];
            level -= 1;
        }
        let on_level = counts[level].min(most.saturating_sub(above));
        Choice { level, on_level, all: above + on_level }
    }

    /// Calls `take` with as many entries as were chosen. If other threads have replaced some since,
    /// the last entry is repeated for each that is missing: loading an entry twice does no harm.
    fn for_each(&self, table: &Table, mut take: impl FnMut(Entry)) {
        let (mut left, mut on_level, mut last) = (self.all, self.on_level, None);
        table.for_each(|entry| {
            let at_level = entry.work() == self.level && on_level > 0;
            if left > 0 && (entry.work() > self.level || at_level) {
                on_level -= usize::from(at_level);
                left -= 1;
                last = Some(entry);
                take(entry);
            }
        });
        last.iter().cycle().take(left).for_each(|&entry| take(entry));
    }
}

fn names(game: &Game) -> String {
    let (board, pods, rules) = (game.board(), game.pods(), game.rules());
    let mut names = format!("{} turned by {}°, {}, {rules}", board.name(), board.orientation(), pods.name());
    while names.len() > MAX_WORDS {
        names.pop();
    }
    names
}

/// Returns everything that decides what a key means.
fn setup(game: &Game, features: SearchFeatures) -> [u8; 32] {
    let (board, pods, rules) = (game.board(), game.pods(), game.rules());
    let mut text = format!("{} {}\n", board.columns(), board.rows());
    let mut line = |words: &dyn std::fmt::Display| writeln!(text, "{words}").expect("a String takes everything");
    for point in board.points() {
        let joined = Direction::ALL.map(|d| u8::from(board.connected(point, d).is_some()));
        line(&format_args!("{} {joined:?}", board.coord(point)));
    }
    // The order of the kinds matters: keys name them by number.
    for kind in pods.kinds() {
        line(&format_args!("{}", pods.legs(kind)));
    }
    for name in OPTION_NAMES {
        line(&format_args!("{name} {}", rules.value(name).unwrap_or_default()));
    }
    let SearchFeatures { canonical, nameless, conflicts, regions, .. } = features;
    line(&format_args!("{canonical} {nameless} {conflicts} {regions}"));
    Sha256::digest(text).into()
}

/// Reader that hashes what it reads.
struct Hashed<'a> {
    inner: &'a mut dyn Read,
    hash: Sha256,
}

impl Hashed<'_> {
    fn bytes(&mut self, length: usize) -> Result<Vec<u8>, SavedError> {
        let mut bytes = Vec::new();
        // Grows with the bytes that there are, whatever the length says.
        (&mut *self.inner).take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(SavedError::Damaged { place: "it ends too early" });
        }
        self.hash.update(&bytes);
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], SavedError> {
        let bytes = self.bytes(N)?;
        Ok(std::array::from_fn(|i| bytes[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::Key;
    use super::super::table::Known;
    use super::super::used::ALL_USED;
    use super::*;
    use crate::progress::Fill;

    fn key(i: u64) -> Key {
        let mut key = Key::START;
        key.add(i);
        key
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_knows_within_its_memory() {
        // From 4 MiB on it has parts; 40,003 bytes are one part whose buckets are no power of two.
        for (begin, memory, entries) in [(64, 8 << 20, 200_000), (64, 40_003, 1_000), (1 << 19, 8 << 20, 200_000)] {
            let table = Table::beginning_with(begin, memory);
            let known = |i: u64| Known { win: i.is_multiple_of(3), best: None, used: ALL_USED };
            for i in 0..entries {
                table.put(key(i), known(i), 1 + i);
                assert!(i % 5_000 != 0 || table.fill().bytes <= memory);
            }
            let found = |i: &u64| table.get(key(*i)).inspect(|found| assert_eq!(*found, known(*i))).is_some();
            let kept = (0..entries).filter(found).count() as u64;
            let mut listed = 0;
            table.for_each(|_| listed += 1);
            assert_eq!([listed, table.fill().entries], [kept; 2]);
            // Some are lost where a bucket overflows before its part grows.
            assert!(5 * kept > 4 * entries, "{kept} of {entries}");
            assert_eq!((entries..2 * entries).filter(found).count(), 0);
        }
        // However little there is: one bucket, which keeps what took most work beside the last that
        // came.
        for memory in [0, 1, 64, 127] {
            let small = Table::new(memory);
            (0..100).for_each(|i| small.put(key(i), Known { win: true, best: None, used: ALL_USED }, 1 << (i % 50)));
            let kept: Vec<u64> = (0..100).filter(|&i| small.get(key(i)).is_some()).collect();
            assert_eq!(kept, [48, 49, 98, 99]);
            assert_eq!(small.fill(), Fill { entries: 4, bytes: 64, most: 64, refused: false });
        }
    }

    #[test]
    fn a_table_that_nobody_can_have_is_as_large_as_it_can_be() {
        let table = Table::beginning_with(u64::MAX, u64::MAX);
        table.put(key(1), Known { win: true, best: None, used: ALL_USED }, 1);
        assert_eq!(table.get(key(1)), Some(Known { win: true, best: None, used: ALL_USED }));
    }

    #[test]
    fn the_entries_with_most_work_are_saved_and_have_a_place_in_tables_of_other_sizes() {
        let table = Table::new(1 << 20);
        let known = |i: u64| Known { win: i.is_multiple_of(3), best: None, used: ALL_USED };
        // Few enough for no bucket to overflow.
        for i in 0..1_000 {
            table.put(key(i), known(i), 1 << (i % 10));
        }
        for (most, all_from, some_of) in
            [(5_000, 0, 0), (1_000, 0, 0), (250, 8, 7), (100, 9, 9), (30, 10, 9), (0, 10, 9)]
        {
            let mut entries = Vec::new();
            Choice::new(&table, most).for_each(&table, |entry| entries.push(entry));
            assert_eq!(entries.len(), most.min(1_000));
            assert!(entries.iter().all(|entry| entry.work() >= some_of));
            assert_eq!(entries.iter().filter(|e| e.work() >= all_from).count(), 1_000 - 100 * all_from);
            for size in [1 << 18, 1 << 24] {
                let other = Table::new(size);
                entries.iter().for_each(|&entry| other.restore(entry));
                assert_eq!(other.fill().entries, entries.len() as u64);
                let found =
                    (0..1_000).filter(|&i| other.get(key(i)).inspect(|found| assert_eq!(*found, known(i))).is_some());
                assert_eq!(found.count(), entries.len());
            }
        }
    }
}
