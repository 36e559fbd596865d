//! Reading tables: values of positions, of their actions, and of whole tiers.

use std::path::Path;

use super::build::table_path;
use super::codes::{Codes, value_of};
use super::cursor::Cursor;
use super::error::{AnswerError, TableError};
use super::file::TableFile;
use super::header::{Content, Header, SetupText};
use super::index::{Index, Place};
use crate::engine::{Bitboard, Engine, Status};
use crate::material::Side;
use crate::position::{Action, Game, Hand, Position};
use crate::solver::{Discrepancy, Outcome, Value};

/// What a table says of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Who wins.
    pub outcome: Outcome,
    /// The same with the distance; `None` if the table has outcomes only.
    pub value: Option<Value>,
}

impl Answer {
    fn exact(value: Value) -> Answer {
        Answer { outcome: value.outcome(), value: Some(value) }
    }

    /// The answer for a position whose mover goes to one with this answer.
    #[must_use]
    pub fn before(self) -> Answer {
        Answer { outcome: self.outcome.reversed(), value: self.value.map(Value::before) }
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value {
            Some(value) => value.fmt(f),
            None => f.write_str(self.outcome.name()),
        }
    }
}

/// What a table says of a position and of each of its actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// What it says of the position.
    pub answer: Answer,
    /// Whether the game goes on.
    pub status: Status,
    /// The legal actions by notation, each with what it gives its player.
    pub actions: Vec<(Action, Answer)>,
}

/// A table on disk, opened. The bytes of its blocks are checked when they are read.
#[derive(Debug)]
pub struct Table {
    game: Game,
    hands: [Hand; 2],
    index: Index,
    engine: Bitboard,
    outcomes: Option<TableFile>,
    plies: Option<TableFile>,
}

impl Table {
    /// Opens the files of a table by their common name; one of the two may be missing.
    ///
    /// # Errors
    ///
    /// If there is no file, or one is no table, of another version, damaged, or not of the same setup as the other.
    pub fn open(name: &Path) -> Result<Table, TableError> {
        let path = |content| table_path(name, content);
        let mut parts = None;
        let mut files = [None, None];
        for (content, file) in [Content::Outcomes, Content::Plies].into_iter().zip(&mut files) {
            let path = path(content);
            if !path.exists() {
                continue;
            }
            let (opened, index, of) = TableFile::open(&path, |header| setup(&path, header))?;
            let refuse = |difference| TableError::OtherSetup { path: path.clone(), difference };
            if opened.content() != content {
                return Err(TableError::NotATable { path, cause: "it has the content of the other file".to_owned() });
            }
            match &parts {
                None => parts = Some((index, of, opened.header().setup.clone())),
                Some((_, _, first)) => {
                    if let Some(difference) = opened.header().setup.difference(first) {
                        return Err(refuse(difference));
                    }
                }
            }
            *file = Some(opened);
        }
        let Some((index, (game, hands), _)) = parts else {
            let cause = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such table");
            return Err(TableError::Io { path: path(Content::Outcomes), cause });
        };
        let [outcomes, plies] = files;
        Ok(Table { engine: Bitboard::new(game.clone()), game, hands, index, outcomes, plies })
    }

    /// Opens a table that must be of this setup. Names of boards and pod sets need not be the same.
    ///
    /// # Errors
    ///
    /// As [`Table::open`], and if the table is of another setup: with what differs.
    pub fn open_for(name: &Path, game: &Game, hands: &[Hand; 2]) -> Result<Table, TableError> {
        let table = Table::open(name)?;
        let wanted = SetupText::new(game, hands);
        let Some(file) = table.files().next() else { unreachable!("one file is open") };
        match file.header().setup.difference(&wanted) {
            None => Ok(table),
            Some(difference) => Err(TableError::OtherSetup { path: file.path().to_owned(), difference }),
        }
    }

    /// The game of the table. Its board lies as it did, but with the orientation 0.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The starting hands.
    #[must_use]
    pub fn hands(&self) -> &[Hand; 2] {
        &self.hands
    }

    /// The index of the table.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The files of the table.
    pub fn files(&self) -> impl Iterator<Item = &TableFile> {
        self.outcomes.iter().chain(&self.plies)
    }

    /// Whether the table has the distances.
    #[must_use]
    pub fn has_plies(&self) -> bool {
        self.plies.is_some()
    }

    /// Whether [`Table::answer`] knows a position: one of the setup, or one finished by an empty hand (R30).
    #[must_use]
    pub fn knows(&self, position: &Position) -> bool {
        position.won_by_empty_hand(&self.game).is_some() || self.index.covers(position)
    }

    /// What the table says of a position: of a finished one, an open one and one with blocked pods too.
    ///
    /// # Errors
    ///
    /// If the position is not of the setup, or a block is damaged.
    pub fn answer(&self, cursor: &mut Cursor, position: &Position) -> Result<Answer, TableError> {
        let finished = |winner| if winner == position.to_move() { Value::Win(0) } else { Value::Loss(0) };
        if let Some(winner) = position.won_by_empty_hand(&self.game) {
            return Ok(self.known(finished(winner)));
        }
        let place = self.index.find(position).filter(|_| !position.is_open());
        if let Some(place) = place {
            return self.at(cursor, place, position.to_move());
        }
        if position.is_open() || self.index.covers(position) {
            // The restricted actions of an open position lead to positions that are stored (R9, R32), and so do those of
            // one with blocked pods (R18, R31).
            let answers = self.actions(cursor, position)?;
            let best = answers.iter().map(|(_, answer)| *answer).max_by_key(|a| (a.outcome, a.value));
            return Ok(best.unwrap_or(self.known(Value::Loss(0))));
        }
        Err(TableError::NotStored {
            position: position.text(&self.game),
            cause: "it has more pods in the game, or other ones, than the setup of the table may have".to_owned(),
        })
    }

    /// A value that the rules alone give, as far as the table tells the others, so that answers compare.
    fn known(&self, value: Value) -> Answer {
        Answer { outcome: value.outcome(), value: self.has_plies().then_some(value) }
    }

    /// What the table says of a place.
    ///
    /// # Errors
    ///
    /// If the block is damaged.
    pub fn at(&self, cursor: &mut Cursor, place: Place, to_move: Side) -> Result<Answer, TableError> {
        if let Some(plies) = &self.plies {
            return Ok(Answer::exact(value_of(plies.code(&self.index, cursor, place, to_move)?)));
        }
        let Some(outcomes) = &self.outcomes else { unreachable!("one file is open") };
        let outcome = match outcomes.code(&self.index, cursor, place, to_move)? {
            0 => Outcome::Draw,
            1 => Outcome::Loss,
            _ => Outcome::Win,
        };
        Ok(Answer { outcome, value: None })
    }

    /// Only who wins, from the smaller file if there is one: the fastest question.
    ///
    /// # Errors
    ///
    /// If the block is damaged.
    pub fn outcome_at(&self, cursor: &mut Cursor, place: Place, to_move: Side) -> Result<Outcome, TableError> {
        let Some(outcomes) = &self.outcomes else { return Ok(self.at(cursor, place, to_move)?.outcome) };
        Ok([Outcome::Draw, Outcome::Loss, Outcome::Win, Outcome::Win]
            [usize::from(outcomes.code(&self.index, cursor, place, to_move)?)])
    }

    /// The position after a legal action.
    ///
    /// # Panics
    ///
    /// Perhaps, after an illegal one: nothing is checked.
    #[must_use]
    pub fn after(&self, position: &Position, action: Action) -> Position {
        self.engine.position(&self.engine.play(&self.engine.state(position), action))
    }

    /// The legal actions by notation, each with what it gives its player.
    ///
    /// # Errors
    ///
    /// As [`Table::answer`].
    pub fn actions(&self, cursor: &mut Cursor, position: &Position) -> Result<Vec<(Action, Answer)>, TableError> {
        let actions = self
            .engine
            .actions(position)
            .into_iter()
            .map(|action| Ok((action, self.answer(cursor, &self.after(position, action))?.before())));
        actions.collect()
    }

    /// What the table says of a position and of each of its actions.
    ///
    /// # Errors
    ///
    /// As [`Table::answer`].
    pub fn probe(&self, cursor: &mut Cursor, position: &Position) -> Result<Probe, TableError> {
        let answer = self.answer(cursor, position)?;
        let status = self.engine.status(position);
        Ok(Probe { answer, status, actions: self.actions(cursor, position)? })
    }

    /// Best play by both sides to the end, the first of the best actions by notation each time; empty for a draw, and where
    /// the table has no distances.
    ///
    /// # Errors
    ///
    /// As [`Table::answer`], and if no action keeps the value of a position on the way.
    pub fn line(&self, cursor: &mut Cursor, position: &Position) -> Result<Vec<Action>, AnswerError> {
        let (mut line, mut here) = (Vec::new(), position.clone());
        let mut answer = self.answer(cursor, &here)?;
        while answer.value.and_then(Value::plies).is_some_and(|plies| plies > 0) {
            let mut step = None;
            for action in self.engine.actions(&here) {
                let next = self.after(&here, action);
                let follows = self.answer(cursor, &next)?;
                if follows.before() == answer {
                    step = Some((action, next, follows));
                    break;
                }
            }
            let Some((action, next, follows)) = step else {
                let cause = format!("the table says {answer}, and no action keeps that");
                return Err(Discrepancy { position: here.text(&self.game), cause }.into());
            };
            line.push(action);
            (here, answer) = (next, follows);
        }
        Ok(line)
    }

    /// A position of which the files of outcomes and of distances say different things; `None` too if one is missing.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub(super) fn difference_of_files(&self) -> Result<Option<(Place, Side)>, TableError> {
        let (Some(outcomes), Some(plies)) = (&self.outcomes, &self.plies) else { return Ok(None) };
        for tier in 0..self.index.tiers().len() {
            if let Some((cell, side)) = outcomes.difference(plies, &self.index, tier)? {
                let (row, cell) = (cell / self.index.points(), cell % self.index.points());
                return Ok(Some((Place { tier, row: row as u64, cell: cell as u8 }, side)));
            }
        }
        Ok(None)
    }

    /// All codes of a tier, unpacked.
    ///
    /// # Errors
    ///
    /// If the table has no distances, or a block is damaged.
    pub fn codes(&self, tier: usize) -> Result<[Codes; 2], TableError> {
        match &self.plies {
            Some(plies) => plies.codes(&self.index, tier),
            None => {
                let path = self.outcomes.iter().map(|f| f.path().with_extension(Content::Plies.extension())).collect();
                let cause = std::io::Error::new(
                    std::io::ErrorKind::NotFound,
                    "this needs the file of distances: build the table without --outcomes-only",
                );
                Err(TableError::Io { path, cause })
            }
        }
    }
}

fn setup(path: &Path, header: &Header) -> Result<(Index, (Game, [Hand; 2])), TableError> {
    let wrong = |cause| TableError::NotATable { path: path.to_owned(), cause };
    let (game, hands) = header.setup.read().map_err(wrong)?;
    Ok((Index::new(&game, &hands)?, (game, hands)))
}
