//! A whole table: its setup, its index, and where its values are.

use std::path::{Path, PathBuf};

use crate::engine::Bitboard;
use crate::position::{Action, Game, Position, Setup};
use crate::solver::Method;
use crate::table::error::TableError;
use crate::table::index::Index;
use crate::table::probe::source::Source;
use crate::table::storage::{
    BlockRows, Codes, Header, OLD_ENDINGS, SetupText, TableFile, peek, table_path, with_ending,
};

/// A table: a file that was opened, or codes in memory. Opening checks all of a file but its blocks;
/// a block is checked each time that it is unpacked.
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

    /// Opens the table with a name. A file of at most 4 MiB is kept in memory: then no question reads
    /// from disk.
    ///
    /// # Errors
    ///
    /// If there is no file, or it is no table, of another version, or damaged.
    pub fn open(name: &Path) -> Result<Table, TableError> {
        Table::open_keeping(name, Table::KEPT)
    }

    /// Opens a table as [`Table::open`], with a file of at most `most` bytes kept in memory.
    ///
    /// # Errors
    ///
    /// As [`Table::open`].
    pub fn open_keeping(name: &Path, most: u64) -> Result<Table, TableError> {
        let path = table_path(name);
        if let Some(old) = OLD_ENDINGS.map(|ending| with_ending(name, ending)).into_iter().find(|old| old.is_file())
            && !path.exists()
        {
            // It says its version.
            peek(&old)?;
        }
        let (opened, index, setup) = TableFile::open(&path, most, |header| setup(&path, header))?;
        let (text, engine) = (opened.header().setup.clone(), Bitboard::new(setup.game().clone()));
        Ok(Table { setup, text, index, engine, source: Source::File(opened) })
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
                let path =
                    self.file().map_or_else(|| PathBuf::from("a table in memory"), |file| file.path().to_owned());
                Err(TableError::OtherSetup(path, difference))
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
    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the index of the table.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    pub(crate) fn setup_text(&self) -> &SetupText {
        &self.text
    }

    /// Returns the file of the table; `None` if it is in memory.
    #[must_use]
    pub fn file(&self) -> Option<&TableFile> {
        match &self.source {
            Source::File(file) => Some(file),
            Source::Memory { .. } => None,
        }
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

    pub(in crate::table) fn source(&self) -> &Source {
        &self.source
    }

    pub(super) fn engine(&self) -> &Bitboard {
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
    pub(crate) fn after(&self, position: &Position, action: Action) -> Position {
        self.engine.position(&self.engine.play_state(&self.engine.state(position), action))
    }
}

fn setup(path: &Path, header: &Header) -> Result<(Index, Setup), TableError> {
    let wrong = |cause| TableError::NotATable(path.to_owned(), cause);
    let setup = header.setup.read().map_err(wrong)?;
    Ok((Index::new(&setup)?, setup))
}
