//! A whole table: its setup, its index, and where its values are.

use std::path::{Path, PathBuf};

use crate::engine::Bitboard;
use crate::material::Side;
use crate::position::{Action, Game, Position, Setup};
use crate::solver::Method;
use crate::table::error::TableError;
use crate::table::index::{Index, Place};
use crate::table::probe::source::Source;
use crate::table::storage::{BlockRows, Codes, Content, Header, SetupText, SetupTextError, TableFile, table_path};

/// Blocks of the two files with each side to move that are compared at a time.
const COMPARED: usize = 1 << 12;

/// A table: files that were opened, or codes in memory. Opening checks all of a file but its
/// blocks; a block is checked each time that it is unpacked.
#[derive(Debug)]
pub struct Table {
    setup: Setup,
    text: SetupText,
    index: Index,
    engine: Bitboard,
    source: Source,
}

impl Table {
    /// The most bytes of a file that [`Table::open`] keeps in memory: 4 MiB.
    pub(crate) const KEPT: u64 = 4 << 20;

    /// Opens the files of a table by their common name; one of the two may be missing. A file of at
    /// most 4 MiB is kept in memory: then no question reads from disk.
    ///
    /// # Errors
    ///
    /// If there is no file, or one is no table, of another version, damaged, or not of the same
    /// setup as the other.
    pub fn open(name: &Path) -> Result<Table, TableError> {
        Table::open_keeping(name, Table::KEPT)
    }

    /// Opens a table as [`Table::open`], with files of at most `most` bytes each kept in memory.
    ///
    /// # Errors
    ///
    /// As [`Table::open`].
    pub fn open_keeping(name: &Path, most: u64) -> Result<Table, TableError> {
        let path = |content| table_path(name, content);
        let mut parts = None;
        let mut files = [None, None];
        for (content, file) in [Content::Outcomes, Content::Plies].into_iter().zip(&mut files) {
            let path = path(content);
            if !path.exists() {
                continue;
            }
            let (opened, index, of) = TableFile::open(&path, most, |header| setup(&path, header))?;
            let refuse = |difference| TableError::OtherSetup { path: path.clone(), difference };
            if opened.content() != content {
                return Err(TableError::NotATable { path, cause: "it has the content of the other file".to_owned() });
            }
            match &parts {
                None => parts = Some((index, of, opened.header().setup.clone(), opened.header().block_rows.clone())),
                Some((_, _, first, block_rows)) => {
                    if let Some(difference) = opened.header().setup.difference(first) {
                        return Err(refuse(difference));
                    }
                    if opened.header().block_rows != *block_rows {
                        return Err(refuse("its blocks are not those of the file of outcomes".to_owned()));
                    }
                }
            }
            *file = Some(opened);
        }
        let source = match files {
            [Some(outcomes), Some(plies)] => Some(Source::Both { outcomes, plies }),
            [outcomes, plies] => outcomes.map(Source::Outcomes).or(plies.map(Source::Plies)),
        };
        let (Some((index, setup, text, _)), Some(source)) = (parts, source) else {
            let cause = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such table");
            return Err(TableError::Io { path: path(Content::Outcomes), cause });
        };
        Ok(Table { engine: Bitboard::new(setup.game().clone()), setup, text, index, source })
    }

    /// Returns a table in memory, from the codes of all tiers of an index of this setup.
    pub(in crate::table) fn in_memory(setup: Setup, index: Index, codes: Vec<[Codes; 2]>) -> Table {
        let (text, engine) = (SetupText::new(&setup), Bitboard::new(setup.game().clone()));
        let source = Source::Memory { tiers: codes, block_rows: BlockRows::by_cells(&index) };
        Table { setup, text, index, engine, source }
    }

    /// Returns the table, which must be of this setup. Names of boards and pod sets need not be the
    /// same.
    ///
    /// # Errors
    ///
    /// If the table is of another setup: with what differs.
    pub fn of(self, setup: &Setup) -> Result<Table, TableError> {
        match self.text.difference(&SetupText::new(setup)) {
            None => Ok(self),
            Some(difference) => {
                let path = self
                    .files()
                    .next()
                    .map_or_else(|| PathBuf::from("a table in memory"), |file| file.path().to_owned());
                Err(TableError::OtherSetup { path, difference })
            }
        }
    }

    /// Returns the game of the table.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.setup.game()
    }

    /// Returns the setup of the table. A board from a file lies as it did, but with the orientation
    /// 0.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the index of the table.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Returns the setup as text.
    pub(crate) fn setup_text(&self) -> &SetupText {
        &self.text
    }

    /// Returns the files of the table; none if it is in memory.
    pub fn files(&self) -> impl Iterator<Item = &TableFile> {
        self.source.files().into_iter().flatten()
    }

    /// Returns the codes of all tiers, if the table is in memory.
    pub(in crate::table) fn codes_in_memory(&self) -> Option<&[[Codes; 2]]> {
        match &self.source {
            Source::Memory { tiers, .. } => Some(tiers),
            _ => None,
        }
    }

    /// Returns the method of its answers: look-up in files, or retrograde analysis in memory.
    pub(crate) fn method(&self) -> Method {
        match self.source {
            Source::Memory { .. } => Method::Retrograde,
            _ => Method::Table,
        }
    }

    /// Returns `true` if the table has the distances.
    #[must_use]
    pub fn has_plies(&self) -> bool {
        self.source.has_plies()
    }

    /// Returns the source of its values.
    pub(in crate::table) fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the engine that plays.
    pub(in crate::table) fn engine(&self) -> &Bitboard {
        &self.engine
    }

    /// Returns `true` if [`super::Reader::answer`] knows a position: one of the setup, or one
    /// finished by an empty hand (R30).
    pub(crate) fn knows(&self, position: &Position) -> bool {
        position.won_by_empty_hand(self.game()).is_some() || self.index.covers(position)
    }

    /// Returns the position after a legal action. Whether it is legal is not checked.
    ///
    /// # Panics
    ///
    /// Not if the action is legal. For an illegal one it panics or returns a position that means
    /// nothing.
    #[must_use]
    pub fn after(&self, position: &Position, action: Action) -> Position {
        self.engine.position(&self.engine.play_state(&self.engine.state(position), action))
    }

    /// Returns the first position on which the files of outcomes and of distances disagree; `None`
    /// if there is none, or only one of the files. `go_on` gets the number of blocks done, and of
    /// all, before each part.
    ///
    /// # Errors
    ///
    /// If a block is damaged; and what `go_on` ends it with.
    pub(in crate::table) fn difference_of_files<E: From<TableError>>(
        &self,
        mut go_on: impl FnMut(u64, u64) -> Result<(), E>,
    ) -> Result<Option<(Place, Side)>, E> {
        let Source::Both { outcomes, plies } = &self.source else { return Ok(None) };
        let tiers = 0..self.index.tiers().len();
        let blocks = |tier| self.source.block_rows().count(&self.index, tier);
        let all = 2 * tiers.clone().map(blocks).sum::<usize>() as u64;
        let mut done = 0;
        for tier in tiers {
            for first in (0..blocks(tier)).step_by(COMPARED) {
                go_on(done, all)?;
                let end = blocks(tier).min(first + COMPARED);
                done += 2 * (end - first) as u64;
                let found = outcomes.difference(plies, &self.index, tier, first..end)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }
}

fn setup(path: &Path, header: &Header) -> Result<(Index, Setup), TableError> {
    let wrong = |e: SetupTextError| TableError::NotATable { path: path.to_owned(), cause: e.0 };
    let setup = header.setup.read().map_err(wrong)?;
    Ok((Index::new(&setup)?, setup))
}
