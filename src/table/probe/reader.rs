//! Questions to a table: values of positions and of their actions, best play.

use std::path::Path;

use crate::engine::{Engine, Status};
use crate::material::Side;
use crate::position::{Action, Position};
use crate::solver::{Discrepancy, Value};
use crate::table::error::{AnswerError, TableError};
use crate::table::index::Place;
use crate::table::probe::Table;
use crate::table::storage::{Cursor, TableFile};

/// Values of a position and of each legal action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Value of the position, for the side to move.
    pub value: Value,
    /// Status of the game: it goes on, or who has won.
    pub status: Status,
    /// The legal actions by notation, each with what it gives its player.
    pub actions: Vec<(Action, Value)>,
}

/// Blocks that a reader keeps, unpacked: 260 KiB, or 520 KiB in wide tiers; more where positions lie
/// unevenly.
const KEPT_BLOCKS: usize = 64;

/// Reader of one table, which keeps the blocks that were unpacked last. Each thread needs a reader
/// of its own.
#[derive(Debug)]
pub struct Reader<'a> {
    table: &'a Table,
    cursor: Cursor,
}

impl Table {
    /// Creates a reader of the table.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn reader(&self) -> Result<Reader<'_>, TableError> {
        Reader::new(self)
    }

    /// Returns a cursor that has read nothing and keeps so many blocks.
    pub(super) fn cursor(&self, blocks: usize) -> Result<Cursor, TableError> {
        let path = self.file().map_or(Path::new(""), TableFile::path);
        Cursor::prepared(blocks).map_err(TableError::io(path))
    }
}

impl<'a> Reader<'a> {
    /// Creates a reader that has read nothing.
    pub(in crate::table) fn new(table: &'a Table) -> Result<Reader<'a>, TableError> {
        Ok(Reader { table, cursor: table.cursor(KEPT_BLOCKS)? })
    }

    /// Returns the table.
    #[must_use]
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// Looks up a position. Finished positions, open ones and those with blocked pods are not
    /// stored; they are answered too.
    ///
    /// # Errors
    ///
    /// If the position is not of the setup, or a block is damaged.
    pub fn value(&mut self, position: &Position) -> Result<Value, TableError> {
        let finished = |winner| if winner == position.to_move() { Value::Win(0) } else { Value::Loss(0) };
        if let Some(winner) = position.won_by_empty_hand(self.table.game()) {
            return Ok(finished(winner));
        }
        let place = self.table.index().find(position).filter(|_| !position.is_open());
        if let Some(place) = place {
            return self.at(place, position.to_move());
        }
        if position.is_open() || self.table.index().covers(position) {
            // The restricted actions of an open position lead to positions that are stored (R9,
            // R32), and so do those of one with blocked pods (R18, R31).
            let actions = self.actions(position)?;
            return Ok(actions.iter().map(|(_, value)| *value).max().unwrap_or(Value::Loss(0)));
        }
        Err(TableError::NotStored(
            position.display(self.table.game()).to_string(),
            "it has more pods in the game, or other ones, than the setup of the table may have".to_owned(),
        ))
    }

    /// Looks up a place.
    ///
    /// # Errors
    ///
    /// If the block is damaged.
    pub fn at(&mut self, place: Place, to_move: Side) -> Result<Value, TableError> {
        self.table.source().value(self.table.index(), &mut self.cursor, place, to_move)
    }

    /// Returns the legal actions by notation, each with what it gives its player.
    ///
    /// # Errors
    ///
    /// As [`Reader::value`].
    pub(crate) fn actions(&mut self, position: &Position) -> Result<Vec<(Action, Value)>, TableError> {
        let actions = self.table.engine().sorted_actions(position).into_iter();
        let actions = actions.map(|action| Ok((action, self.value(&self.table.after(position, action))?.before())));
        actions.collect()
    }

    /// Looks up a position and each of its actions.
    ///
    /// # Errors
    ///
    /// As [`Reader::value`].
    pub fn probe(&mut self, position: &Position) -> Result<Probe, TableError> {
        let value = self.value(position)?;
        let status = self.table.engine().status(position);
        Ok(Probe { value, status, actions: self.actions(position)? })
    }

    /// Returns best play by both sides to the end: each time the first, by notation, of the best
    /// actions. Empty for a draw.
    ///
    /// # Errors
    ///
    /// As [`Reader::value`], and if no action keeps the value of a position on the way.
    pub(crate) fn line(&mut self, position: &Position) -> Result<Vec<Action>, AnswerError> {
        let (mut line, mut here) = (Vec::new(), position.clone());
        let mut value = self.value(&here)?;
        while value.plies().is_some_and(|plies| plies > 0) {
            let mut step = None;
            for action in self.table.engine().sorted_actions(&here) {
                let next = self.table.after(&here, action);
                let follows = self.value(&next)?;
                if follows.before() == value {
                    step = Some((action, next, follows));
                    break;
                }
            }
            let Some((action, next, follows)) = step else {
                let cause = format!("the table says {value}, and no action keeps that");
                return Err(Discrepancy { position: here.display(self.table.game()).to_string(), cause }.into());
            };
            line.push(action);
            (here, value) = (next, follows);
        }
        Ok(line)
    }
}
