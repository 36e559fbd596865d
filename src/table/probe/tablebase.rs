//! A folder of tables, which answers for positions of any setup: the header of each table says
//! which positions it holds.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::engine::{Engine, Reference, Status};
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Hand, Position, Setup};
use crate::solver::{Discrepancy, Solution, Value, Verdict};
use crate::table::error::{AnswerError, TableError};
use crate::table::probe::{Reader, Table};
use crate::table::storage::{ENDING, OLD_ENDINGS, SetupText, TableFile, peek};

/// The tables of a folder. Each is opened when a position of its game is first asked about.
#[derive(Debug)]
pub struct Tablebase {
    tables: Vec<Listed>,
    unreadable: Vec<TableError>,
}

#[derive(Debug)]
struct Listed {
    name: PathBuf,
    bytes: u64,
    text: SetupText,
    setup: Setup,
    /// `None` once it was opened in vain.
    table: OnceLock<Option<Table>>,
}

impl Listed {
    /// Reads the header of a file, and nothing else.
    fn peek(path: &Path) -> Result<Listed, TableError> {
        let text = peek(path)?.setup;
        let setup = text.read().map_err(|cause| TableError::NotATable(path.to_owned(), cause))?;
        let bytes = fs::metadata(path).map_err(TableError::io(path))?.len();
        Ok(Listed { name: path.with_extension(""), bytes, text, setup, table: OnceLock::new() })
    }

    fn table(&self) -> Option<&Table> {
        self.table.get_or_init(|| Table::open(&self.name).ok()).as_ref()
    }
}

impl Tablebase {
    /// Lists the tables of a folder: each file NAME.pods-table. Other files and folders are left
    /// alone. A folder without tables is no error. A table that is damaged does no harm until a
    /// position is asked about that it may hold, and no other table of the folder does.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn open(folder: &Path) -> Result<Tablebase, TableError> {
        let (mut tables, mut unreadable) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(folder).map_err(TableError::io(folder))? {
            let path = entry.map_err(TableError::io(folder))?.path();
            let ending = path.extension().unwrap_or_default();
            if ending == ENDING || OLD_ENDINGS.iter().any(|old| ending == *old) {
                match Listed::peek(&path) {
                    Ok(table) => tables.push(table),
                    Err(error) => unreadable.push((path, error)),
                }
            }
        }
        // Of two tables that hold a position, a smaller one sits closer in memory.
        tables.sort_by(|a, b| (a.bytes, &a.name).cmp(&(b.bytes, &b.name)));
        unreadable.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(Tablebase { tables, unreadable: unreadable.into_iter().map(|(_, error)| error).collect() })
    }

    /// Returns the number of tables, without the [unreadable](Tablebase::unreadable) ones.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Returns `true` if there is no table.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Returns why files of the folder that are named as tables are none that this program reads:
    /// nobody can tell which positions they hold.
    #[must_use]
    pub fn unreadable(&self) -> &[TableError] {
        &self.unreadable
    }

    /// Creates a prober for the tables of a game: those with its board and its rules. The
    /// others are left out.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn of<'a>(&'a self, game: &Game) -> Result<Prober<'a>, TableError> {
        let wanted = SetupText::new(&Setup::new(game.clone(), [Hand::EMPTY; 2]));
        let of_game: Vec<&Listed> = self.tables.iter().filter(|table| table.text.is_same_game(&wanted)).collect();
        let mut prober = Prober::new(game, of_game.iter().filter_map(|table| table.table()))?;
        let damaged = of_game.into_iter().filter(|table| table.table().is_none());
        prober.damaged.extend(damaged.map(|table| (kinds(game, table.setup.game()), table)));
        Ok(prober)
    }
}

/// Returns for each kind of a game the kind of another one with the same id and legs: sets may
/// number their kinds differently.
fn kinds(game: &Game, theirs: &Game) -> Vec<Option<PodKind>> {
    let same_kind = |kind| {
        let theirs = theirs.pods();
        theirs.kind(game.pods().id(kind)).filter(|&found| theirs.legs(found) == game.pods().legs(kind))
    };
    game.pods().kinds().map(same_kind).collect()
}

/// Prober of several tables about one game. Each thread needs its own.
#[derive(Debug)]
pub struct Prober<'a> {
    /// Has the game, and derives what the tables say again.
    reference: Reference,
    tables: Vec<OpenTable<'a>>,
    /// Tables of the game that cannot be opened, each with its kinds.
    damaged: Vec<(Vec<Option<PodKind>>, &'a Listed)>,
}

#[derive(Debug)]
pub(super) struct OpenTable<'a> {
    /// The table's kind for each kind of the game asked for; `None` if the table has none with the
    /// same id and legs.
    kinds: Vec<Option<PodKind>>,
    /// True if every kind has its own number there.
    is_same: bool,
    reader: Reader<'a>,
}

impl<'a> OpenTable<'a> {
    pub(super) fn reader(&self) -> &Reader<'a> {
        &self.reader
    }

    /// Returns the position as the table's game has it; `None` if that lacks a kind.
    pub(super) fn translated<'p>(&self, position: &'p Position) -> Option<Cow<'p, Position>> {
        if self.is_same {
            return Some(Cow::Borrowed(position));
        }
        let theirs = |kind: PodKind| self.kinds[kind.index()];
        let mut same = position.clone();
        for pod in same.occupants.iter_mut().flatten() {
            pod.kind = theirs(pod.kind)?;
        }
        for side in Side::BOTH {
            let hand = &mut same.hands[side];
            let mut mapped = Hand::EMPTY;
            for (kind, count) in hand.iter() {
                let kind = theirs(kind)?;
                (0..count).for_each(|_| mapped.add(kind));
            }
            *hand = mapped;
        }
        Some(Cow::Owned(same))
    }

    /// Returns the position as the table's game has it, if the table holds it.
    fn position(&self, position: &Position) -> Option<Position> {
        let same = self.translated(position)?;
        let table = self.reader.table();
        let enough = |side: Side| same.in_game(side).iter().all(|(kind, n)| n <= table.game().pods().spec(kind).count);
        (table.knows(&same) && Side::BOTH.into_iter().all(enough)).then(|| same.into_owned())
    }

    /// Returns an action of the table's game in the game asked for.
    fn action(&self, game: &Game, action: Action) -> Action {
        match action {
            Action::Place { kind, at } => {
                let asked = game.pods().kind(self.reader.table().game().pods().id(kind));
                Action::Place { kind: asked.unwrap_or(kind), at }
            }
            other => other,
        }
    }

    /// Derives the value of an unfinished position again, and the actions that keep it.
    fn check(
        &mut self,
        reference: &Reference,
        position: &Position,
        value: Value,
        best: &[Action],
    ) -> Result<(), AnswerError> {
        let game = reference.game();
        let mut followed = Vec::new();
        for action in reference.sorted_actions(position) {
            let next = reference.transition(position, action).map(|result| result.next);
            let next = next.and_then(|next| self.position(&next));
            if let Some(next) = next {
                followed.push((action, self.reader.value(&next)?.before()));
            }
        }
        let derived = followed.iter().map(|(_, value)| *value).max();
        let kept = followed.iter().filter(|(_, of)| *of == value).map(|(action, _)| *action);
        let cause = match derived {
            Some(derived) if derived != value => format!("the table says {value}, the next positions give {derived}"),
            Some(_) if kept.eq(best.iter().copied()) => return Ok(()),
            Some(_) => "the engines differ in the actions that keep the value".to_owned(),
            None => "the engines disagree on whether the game goes on".to_owned(),
        };
        Err(Discrepancy { position: position.display(game).to_string(), cause }.into())
    }
}

impl<'a> Prober<'a> {
    /// Takes those tables that have the board and the rules of a game. Where several of them hold a
    /// position, the first one answers.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn new(game: &Game, tables: impl IntoIterator<Item = &'a Table>) -> Result<Prober<'a>, TableError> {
        let wanted = SetupText::new(&Setup::new(game.clone(), [Hand::EMPTY; 2]));
        let mut opened = Vec::new();
        for table in tables.into_iter().filter(|table| table.setup_text().is_same_game(&wanted)) {
            let kinds = kinds(game, table.game());
            let is_same = kinds.iter().copied().eq(game.pods().kinds().map(Some));
            opened.push(OpenTable { kinds, is_same, reader: table.reader()? });
        }
        Ok(Prober { reference: Reference::new(game.clone()), tables: opened, damaged: Vec::new() })
    }

    pub(super) fn tables(&self) -> &[OpenTable<'a>] {
        &self.tables
    }

    /// Returns an error if a damaged table may hold a position that no other one holds.
    fn look_for_damage(&self, position: &Position) -> Result<(), TableError> {
        let may_hold = |(kinds, table): &&(Vec<Option<PodKind>>, &Listed)| {
            Side::BOTH.into_iter().all(|side| {
                let theirs = table.setup.hands()[side];
                position
                    .in_game(side)
                    .iter()
                    .all(|(kind, n)| kinds[kind.index()].is_some_and(|of| n <= theirs.count(of)))
            })
        };
        match self.damaged.iter().find(may_hold) {
            // Opened again, it says what is wrong.
            Some((_, table)) => Table::open(&table.name).map(drop),
            None => Ok(()),
        }
    }

    /// Returns the files of the tables.
    pub fn files(&self) -> impl Iterator<Item = &TableFile> {
        self.tables.iter().filter_map(|table| table.reader.table().file())
    }

    /// Returns the file of the table that holds a position; `None` if no table does.
    #[must_use]
    pub fn file_of(&self, position: &Position) -> Option<&TableFile> {
        let table = self.tables.iter().find(|table| table.position(position).is_some());
        table.and_then(|table| table.reader.table().file())
    }

    /// Looks up a position, a finished one too; `None` if none of the tables holds it.
    ///
    /// # Errors
    ///
    /// If a table is damaged.
    pub fn value(&mut self, position: &Position) -> Result<Option<Value>, AnswerError> {
        for table in &mut self.tables {
            if let Some(same) = table.position(position) {
                return Ok(Some(table.reader.value(&same)?));
            }
        }
        self.look_for_damage(position)?;
        Ok(None)
    }

    /// Solves a position from the tables: the same value, distance, best actions and line as the
    /// solvers give. `None` if no table holds it, or if the game is over and the rules alone say
    /// who has won.
    ///
    /// # Errors
    ///
    /// If a table is damaged, or a value does not follow from the next ones: with `verify`, as
    /// derived with the reference engine; where the line of play finds it, always.
    pub fn solve(&mut self, position: &Position, verify: bool) -> Result<Option<Solution>, AnswerError> {
        let found =
            self.tables.iter().enumerate().find_map(|(number, table)| Some((number, table.position(position)?)));
        let Some((number, same)) = found else {
            self.look_for_damage(position)?;
            return Ok(None);
        };
        let Prober { reference, tables, .. } = self;
        let (game, table) = (reference.game(), &mut tables[number]);
        let probe = table.reader.probe(&same)?;
        if probe.status != Status::Ongoing {
            return Ok(None);
        }
        let value = probe.value;
        let kept = probe.actions.iter().filter(|(_, of)| *of == value);
        let best: Vec<Action> = kept.map(|(action, _)| table.action(game, *action)).collect();
        if verify {
            table.check(reference, position, value, &best)?;
        }
        let line = table.reader.line(&same)?;
        let solution = Solution {
            status: probe.status,
            verdict: Verdict::Value(value),
            best: Some(best),
            winning: None,
            line: Some(line.into_iter().map(|action| table.action(game, action)).collect()),
            positions: table.reader.table().index().positions(),
            method: table.reader.table().method(),
            verified: verify.then_some(1),
            stopped: None,
        };
        Ok(Some(solution))
    }
}
