//! A folder of tables, which answers for positions of any setup: the header of each table says
//! which positions it holds.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::engine::{Engine, Reference, Status};
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Hand, Position, Setup};
use crate::solver::{Discrepancy, Outcome, Solution, Verdict};
use crate::table::error::{AnswerError, TableError};
use crate::table::probe::{Answer, Reader, Table};
use crate::table::storage::{Content, SetupText, TableFile};

/// The tables of a folder, opened.
#[derive(Debug)]
pub struct Tablebase {
    tables: Vec<Table>,
}

impl Tablebase {
    /// Opens every table of a folder: NAME.pods-outcomes, NAME.pods-plies or both. Other files and
    /// folders are left alone. A folder without tables is no error.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or a file with such a name is of another version, no table, or
    /// damaged outside its blocks, whatever its setup. Blocks are checked when they are read.
    pub fn open(folder: &Path) -> Result<Tablebase, TableError> {
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(folder).map_err(TableError::io(folder))? {
            let path = entry.map_err(TableError::io(folder))?.path();
            let ending = path.extension().unwrap_or_default();
            if [Content::Outcomes, Content::Plies].into_iter().any(|content| ending == content.extension()) {
                names.insert(path.with_extension(""));
            }
        }
        let mut tables = names.iter().map(|name| Table::open(name)).collect::<Result<Vec<_>, _>>()?;
        // Of two tables that hold a position, one with distances answers more, and a smaller one
        // sits closer in memory.
        tables.sort_by_key(|table| (!table.has_plies(), table.index().positions()));
        Ok(Tablebase { tables })
    }

    /// Returns the tables, those with distances first.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Creates a prober for the tables of a game: those with its board and its rules. The
    /// others are left out.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn of<'a>(&'a self, game: &Game) -> Result<Prober<'a>, TableError> {
        Prober::new(game, &self.tables)
    }
}

/// Prober of several tables about one game. Each thread needs its own.
#[derive(Debug)]
pub struct Prober<'a> {
    /// Has the game, and derives what the tables say again.
    reference: Reference,
    tables: Vec<OpenTable<'a>>,
}

#[derive(Debug)]
pub(in crate::table) struct OpenTable<'a> {
    /// The table's kind for each kind of the game asked for; `None` if the table has none with the
    /// same id and legs.
    kinds: Vec<Option<PodKind>>,
    /// True if every kind has its own number there.
    is_same: bool,
    reader: Reader<'a>,
}

impl<'a> OpenTable<'a> {
    pub(in crate::table) fn reader(&self) -> &Reader<'a> {
        &self.reader
    }

    /// Returns the position as the table's game has it; `None` if that lacks a kind.
    pub(in crate::table) fn translated<'p>(&self, position: &'p Position) -> Option<Cow<'p, Position>> {
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

    /// Derives the answer for an unfinished position again, and the actions that keep it.
    fn check(
        &mut self,
        reference: &Reference,
        position: &Position,
        answer: Answer,
        best: &[Action],
    ) -> Result<(), AnswerError> {
        let game = reference.game();
        let mut followed = Vec::new();
        for action in reference.sorted_actions(position) {
            let next = reference.apply(position, action).map(|result| result.next);
            let next = next.and_then(|next| self.position(&next));
            if let Some(next) = next {
                followed.push((action, self.reader.answer(&next)?.before()));
            }
        }
        let derived = followed.iter().map(|(_, answer)| *answer).max_by_key(|a| (a.outcome, a.value));
        let kept = followed.iter().filter(|(_, a)| *a == answer).map(|(action, _)| *action);
        let cause = match derived {
            Some(derived) if derived != answer => format!("the table says {answer}, the next positions give {derived}"),
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
            // A kind is the same if id and legs are; sets may number their kinds differently.
            let same_kind = |kind| {
                let theirs = table.game().pods();
                theirs.kind(game.pods().id(kind)).filter(|&found| theirs.legs(found) == game.pods().legs(kind))
            };
            let kinds: Vec<Option<PodKind>> = game.pods().kinds().map(same_kind).collect();
            let is_same = kinds.iter().copied().eq(game.pods().kinds().map(Some));
            opened.push(OpenTable { kinds, is_same, reader: table.reader()? });
        }
        Ok(Prober { reference: Reference::new(game.clone()), tables: opened })
    }

    pub(in crate::table) fn tables(&self) -> &[OpenTable<'a>] {
        &self.tables
    }

    /// Returns the files of the tables.
    pub fn files(&self) -> impl Iterator<Item = &TableFile> {
        self.tables.iter().flat_map(|table| table.reader.table().files())
    }

    /// Returns the files of the table that holds a position; none if no table does.
    pub fn files_of(&self, position: &Position) -> impl Iterator<Item = &TableFile> {
        let table = self.tables.iter().find(|table| table.position(position).is_some());
        table.into_iter().flat_map(|table| table.reader.table().files())
    }

    /// Looks up a position, a finished one too; `None` if none of the tables holds it.
    ///
    /// # Errors
    ///
    /// If a table is damaged.
    pub fn answer(&mut self, position: &Position) -> Result<Option<Answer>, AnswerError> {
        for table in &mut self.tables {
            if let Some(same) = table.position(position) {
                return Ok(Some(table.reader.answer(&same)?));
            }
        }
        Ok(None)
    }

    /// Solves a position from the tables: the same value, distance, best actions and line as the
    /// solvers give. `None` if no table holds it, or if the game is over and the rules alone say
    /// who has won.
    ///
    /// A table of outcomes alone gives the outcome, and an action that wins, if there is one.
    ///
    /// # Errors
    ///
    /// If a table is damaged, or a value does not follow from the next ones: with `verify`, as
    /// derived with the reference engine; where the line of play finds it, always.
    pub fn solve(&mut self, position: &Position, verify: bool) -> Result<Option<Solution>, AnswerError> {
        let Prober { reference, tables } = self;
        let game = reference.game();
        let found = tables.iter_mut().find_map(|table| table.position(position).map(|same| (table, same)));
        let Some((table, same)) = found else { return Ok(None) };
        let probe = table.reader.probe(&same)?;
        if probe.status != Status::Ongoing {
            return Ok(None);
        }
        let answer = probe.answer;
        let kept = probe.actions.iter().filter(|(_, a)| *a == answer);
        let best: Vec<Action> = kept.map(|(action, _)| table.action(game, *action)).collect();
        if verify {
            table.check(reference, position, answer, &best)?;
        }
        let mut solution = Solution {
            status: probe.status,
            verdict: Verdict::Outcome(answer.outcome),
            best: None,
            winning: None,
            line: None,
            positions: table.reader.table().index().positions(),
            method: table.reader.table().method(),
            verified: verify.then_some(1),
            stopped: None,
        };
        match answer.value {
            None => solution.winning = best.first().copied().filter(|_| answer.outcome == Outcome::Win),
            Some(value) => {
                let line = table.reader.line(&same)?;
                solution.verdict = Verdict::Value(value);
                solution.line = Some(line.into_iter().map(|action| table.action(game, action)).collect());
                solution.best = Some(best);
            }
        }
        Ok(Some(solution))
    }
}
