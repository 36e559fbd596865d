//! Many positions at once. Those that are stored are asked for in the order in which they are, so
//! that each block is unpacked once, and each of its rows is walked over once.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::material::Side;
use crate::position::{Game, Position};
use crate::table::error::{AnswerError, TableError};
use crate::table::index::Place;
use crate::table::probe::{Answer, Tablebase};
use crate::table::storage::cursor::Cursor;

/// Positions that a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// A stored position that is looked up. In their order those of a block stand side by side.
#[derive(Clone, Copy)]
struct Sought {
    table: u32,
    /// Twice the number of the tier, and 1 more if Black is to move.
    half: u32,
    row: u64,
    cell: u8,
    number: usize,
    answer: Option<Answer>,
}

impl Sought {
    fn order(&self) -> (u32, u32, u64, u8) {
        (self.table, self.half, self.row, self.cell)
    }

    fn place(&self) -> Place {
        Place { tier: (self.half / 2) as usize, row: self.row, cell: self.cell }
    }
}

impl Tablebase {
    /// Returns what the tables of a game say of `count` positions, as
    /// [`Prober::answer`](crate::table::Prober::answer) says it of each, by as many threads as there
    /// are processors. `position` makes the one with a number, perhaps several times.
    ///
    /// # Errors
    ///
    /// What `position` fails with, and if a table is damaged.
    pub fn answers<'p, E: From<AnswerError> + Send>(
        &self,
        game: &Game,
        count: usize,
        position: impl Fn(usize) -> Result<Cow<'p, Position>, E> + Sync,
    ) -> Result<Vec<Option<Answer>>, E> {
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
                        stored.push(Sought { table, half, row, cell, number, answer: None });
                    }
                    None => others.push(number),
                }
            }
            Ok((stored, others))
        };
        let parts = (0..count.div_ceil(CHUNK)).into_par_iter().map(find).collect::<Result<Vec<_>, E>>()?;
        let (stored, others): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let (mut stored, mut others) = (stored.concat(), others.concat());

        stored.par_sort_unstable_by_key(Sought::order);
        let prober = self.of(game).map_err(failed)?;
        let tables: Vec<_> = prober.tables().iter().map(|table| table.reader().table()).collect();
        let block = |sought: &Sought| {
            let rows = tables[sought.table as usize].source().block_rows();
            (sought.table, sought.half, rows.block_of(sought.place().tier, sought.row))
        };
        let look_up = |cursor: &mut Option<Cursor>, sought: &mut [Sought]| {
            let table = tables[sought[0].table as usize];
            let cursor = match cursor {
                Some(cursor) => cursor,
                none => none.insert(table.cursor(1)?),
            };
            // The numbers of blocks are those of one table.
            cursor.forget();
            let to_move = Side::BOTH[sought[0].half as usize % 2];
            let places: Vec<Place> = sought.iter().map(Sought::place).collect();
            let mut sought = sought.iter_mut();
            table.source().answers(table.index(), cursor, places.into_iter(), to_move, |answer| {
                if let Some(sought) = sought.next() {
                    sought.answer = answer;
                }
            })
        };
        let blocks = stored.par_chunk_by_mut(|a, b| block(a) == block(b));
        blocks.try_for_each_init(|| None, look_up).map_err(failed)?;

        let mut answers = vec![None; count];
        for sought in stored {
            match sought.answer {
                Some(_) => answers[sought.number] = sought.answer,
                // A pod of it is blocked.
                None => others.push(sought.number),
            }
        }
        // The others take longer, and many of them may be alike: starts of games.
        let made = others.into_iter().map(|number| Ok((position(number)?, number))).collect::<Result<Vec<_>, E>>();
        let mut made = made?;
        made.par_sort_unstable();
        let alike: Vec<_> = made.chunk_by(|a, b| a.0 == b.0).collect();
        let answer = |alike: &[&[(Cow<'_, Position>, usize)]]| -> Result<Vec<Option<Answer>>, AnswerError> {
            let mut prober = self.of(game)?;
            alike.iter().map(|same| prober.answer(&same[0].0)).collect()
        };
        let found = alike.par_chunks(CHUNK / 16).map(answer).collect::<Result<Vec<_>, AnswerError>>()?;
        for (same, answer) in alike.into_iter().zip(found.into_iter().flatten()) {
            same.iter().for_each(|&(_, number)| answers[number] = answer);
        }
        Ok(answers)
    }
}
