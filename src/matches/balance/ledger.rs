//! The files of games, one for each strength. Games are only ever appended, in their order.

use std::io;
use std::path::Path;

use super::super::record::{BEGINNING, GameLine, Line, Numbers, bytes};
use super::course::Course;
use super::plan::{Balance, Prepared, Strength};
use crate::engine::Engine as _;
use crate::files::{Appended, AppendedError, Inputs, Kind, Read};

/// The most bytes of a file of games; enough for some millions of games.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 30;

/// A file of games, open at its end.
#[derive(Debug)]
pub struct Ledger(Appended);

impl Ledger {
    #[must_use]
    pub(crate) fn name(strength: Strength) -> String {
        format!("games-{}.jsonl", strength.nodes)
    }

    /// Opens a file of games and returns the courses of the games in it, each played again. Creates
    /// the file, and its folder, if they are missing. Refuses the files in `inputs`, devices and
    /// read-only files.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is in use, damaged, or not of this run. The games in
    /// it are unchanged then.
    pub fn open(
        path: &Path,
        inputs: &Inputs,
        balance: &Balance,
        prepared: &Prepared,
        strength: Strength,
    ) -> Result<(Ledger, Vec<Course>), AppendedError> {
        let head: Vec<u8> = balance.head(prepared, strength).iter().flat_map(bytes).collect();
        let kind = Kind { lines: "games", beginning: BEGINNING, head: &head, most: MAX_FILE_BYTES, group: 1 };
        let games = prepared.games(strength);
        let mut number = 0;
        let (file, courses) = Appended::open(path, inputs, kind, |line| {
            let Ok(Line::Game(game)) = serde_json::from_slice(line) else { return Read::Damaged };
            if number == games {
                return Read::Beyond;
            }
            if !balance.is_game(prepared, number, &game) {
                return Read::Foreign;
            }
            let course = balance.course(prepared, &game);
            number += 1;
            course.map_or(Read::Damaged, Read::Own)
        })?;
        Ok((Ledger(file), courses))
    }

    /// Appends a game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written to.
    pub fn append(&mut self, game: &GameLine) -> io::Result<()> {
        self.0.append(&bytes(&Line::Game(game.clone())))
    }

    /// Syncs the file, so that its games survive a power failure.
    ///
    /// # Errors
    ///
    /// If the file cannot be synced.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }
}

impl Balance {
    /// Returns `true` if a line is that of the game with this number, from 0: it has that game's
    /// start and opening.
    fn is_game(&self, prepared: &Prepared, number: usize, line: &GameLine) -> bool {
        let ((setup, _), opening) = (prepared.start_of(number), prepared.opening(number));
        let numbers = Numbers { game: number as u64 + 1, setup, pair: number as u64, white: 1, opening: opening.len() };
        line.begins(numbers, opening, prepared.ready[setup].engine.game())
    }

    /// Returns the course of a game of this plan; `None` if an action is illegal, or the game does
    /// not end as the line says.
    ///
    /// # Panics
    ///
    /// If the line names a start that there is not.
    #[must_use]
    pub(crate) fn course(&self, prepared: &Prepared, line: &GameLine) -> Option<Course> {
        let (start, opening) = prepared.start_of(usize::try_from(line.pair).ok()?);
        (start == line.setup).then(|| Course::of(line, opening, &prepared.ready[start], self.conventions)).flatten()
    }
}
