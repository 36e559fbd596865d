//! Many positions at once. Those that are stored are asked for in the order in which they are, so
//! that each block is unpacked once, and each of its rows is walked over once.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::material::Side;
use crate::position::{Game, Position};
use crate::solver::Value;
use crate::table::error::{AnswerError, TableError};
use crate::table::index::Place;
use crate::table::probe::Tablebase;
use crate::table::storage::Cursor;

/// Positions that a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// A stored position that is asked for. In their order those of a block stand side by side.
#[derive(Clone, Copy)]
struct StoredQuestion {
    table: u32,
    /// Twice the number of the tier, and 1 more if Black is to move.
    half: u32,
    row: u64,
    cell: u8,
    number: usize,
    value: Option<Value>,
}

impl StoredQuestion {
    fn order(&self) -> (u32, u32, u64, u8) {
        (self.table, self.half, self.row, self.cell)
    }

    fn place(&self) -> Place {
        Place { tier: (self.half / 2) as usize, row: self.row, cell: self.cell }
    }
}

impl Tablebase {
    /// Looks up `count` positions of a game, each as
    /// [`Prober::value`](crate::table::Prober::value) does, by as many threads as there are
    /// processors. `position` makes the one with a number, perhaps several times.
    ///
    /// # Errors
    ///
    /// What `position` fails with, and if a table is damaged.
    pub fn values<'p, E: From<AnswerError> + Send>(
        &self,
        game: &Game,
        count: usize,
        position: impl Fn(usize) -> Result<Cow<'p, Position>, E> + Sync,
    ) -> Result<Vec<Option<Value>>, E> {
        let failed = |error: TableError| E::from(AnswerError::from(error));
        let find = |chunk: usize| -> Result<_, E> {
            let prober = self.of(game).map_err(failed)?;
            let (mut stored, mut others) = (Vec::new(), Vec::new());
            for number in chunk * CHUNK..count.min((chunk + 1) * CHUNK) {
                let one = position(number)?;
                let found = (0..).zip(prober.tables()).find_map(|(table, of)| {
                    let place = of.reader().table().index().number(&*of.translated(&one)?)?;
                    Some((table, place))
                });
                match found.filter(|_| !one.is_open()) {
                    Some((table, Place { tier, row, cell })) => {
                        let half = 2 * tier as u32 + one.to_move().index() as u32;
                        stored.push(StoredQuestion { table, half, row, cell, number, value: None });
                    }
                    None => others.push(number),
                }
            }
            Ok((stored, others))
        };
        let parts = (0..count.div_ceil(CHUNK)).into_par_iter().map(find).collect::<Result<Vec<_>, E>>()?;
        let (stored, others): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let (mut stored, mut others) = (stored.concat(), others.concat());

        stored.par_sort_unstable_by_key(StoredQuestion::order);
        let prober = self.of(game).map_err(failed)?;
        let tables: Vec<_> = prober.tables().iter().map(|table| table.reader().table()).collect();
        let block = |asked: &StoredQuestion| {
            let rows = tables[asked.table as usize].source().block_rows();
            (asked.table, asked.half, rows.block_of(asked.place().tier, asked.row))
        };
        let look_up = |cursor: &mut Option<Cursor>, asked: &mut [StoredQuestion]| {
            let table = tables[asked[0].table as usize];
            let cursor = match cursor {
                Some(cursor) => cursor,
                none => none.insert(table.cursor(1)?),
            };
            // The numbers of blocks are those of one table.
            cursor.forget();
            let to_move = Side::BOTH[asked[0].half as usize % 2];
            let places: Vec<Place> = asked.iter().map(StoredQuestion::place).collect();
            let mut asked = asked.iter_mut();
            table.source().values(table.index(), cursor, places.into_iter(), to_move, |value| {
                if let Some(asked) = asked.next() {
                    asked.value = value;
                }
            })
        };
        let blocks = stored.par_chunk_by_mut(|a, b| block(a) == block(b));
        blocks.try_for_each_init(|| None, look_up).map_err(failed)?;

        let mut values = vec![None; count];
        for asked in stored {
            match asked.value {
                Some(_) => values[asked.number] = asked.value,
                // A pod of it is blocked.
                None => others.push(asked.number),
            }
        }
        // The others take longer, and many of them may be alike: starts of games.
        let made = others.into_iter().map(|number| Ok((position(number)?, number))).collect::<Result<Vec<_>, E>>();
        let mut made = made?;
        made.par_sort_unstable();
        let alike: Vec<_> = made.chunk_by(|a, b| a.0 == b.0).collect();
        let value = |alike: &[&[(Cow<'_, Position>, usize)]]| -> Result<Vec<Option<Value>>, AnswerError> {
            let mut prober = self.of(game)?;
            alike.iter().map(|same| prober.value(&same[0].0)).collect()
        };
        let found = alike.par_chunks(CHUNK / 16).map(value).collect::<Result<Vec<_>, AnswerError>>()?;
        for (same, value) in alike.into_iter().zip(found.into_iter().flatten()) {
            same.iter().for_each(|&(_, number)| values[number] = value);
        }
        Ok(values)
    }
}
