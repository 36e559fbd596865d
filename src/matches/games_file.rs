//! The file of the games of a match. Pairs are only ever appended, in their order.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::opening::Opening;
use super::plan::Plan;
use super::play::{Pair, Played, play};
use super::player::{Failing, Player};
use super::ready::Ready;
use super::record::{BEGINNING, EndLine, GameLine, Line, Numbers, bytes};
use crate::engine::Engine as _;
use crate::files::{Appended, AppendedError, Inputs, Kind, Read};
use crate::position::Action;

/// The most bytes of a file of games; enough for some millions of games.
const MAX_BYTES: u64 = 1 << 30;

#[derive(Debug)]
pub(crate) struct GamesFile(Appended);

impl GamesFile {
    /// Opens a file and returns the pairs in it, each played again, with clocks of zero. Creates
    /// the file, and its folder, if they are missing. Refuses the files in `inputs`, devices and
    /// read-only files.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is in use, damaged, or not of this match. The games
    /// in it are unchanged then.
    ///
    /// # Panics
    ///
    /// If `ready` and `openings` are not those of the plan.
    pub(crate) fn open(
        path: &Path,
        inputs: &Inputs,
        plan: &Plan,
        ready: &[Ready],
        openings: &[Opening],
    ) -> Result<(GamesFile, Vec<Pair>), AppendedError> {
        let head = plan.head_bytes(ready);
        let kind = Kind { lines: "games", beginning: BEGINNING, head: &head, most: MAX_BYTES, group: 2 };
        let mut number = 0;
        let (file, games) = Appended::open(path, inputs, kind, |line| {
            let game = match serde_json::from_slice(line) {
                Ok(Line::Game(game)) => game,
                Ok(Line::End(end)) if end.games == number as u64 => return Read::Closing,
                _ => return Read::Damaged,
            };
            let Some(opening) = openings.get(number / 2) else { return Read::Beyond };
            let numbers = Numbers::of_pair((number / 2) as u64, number % 2, opening.setup, opening.actions.len());
            let of = &ready[opening.setup];
            if !game.begins(numbers, &opening.actions, of.engine.game()) {
                return Read::Foreign;
            }
            number += 1;
            played_again(plan, &game, numbers, of).map_or(Read::Damaged, Read::Own)
        })?;
        let mut games = games.into_iter();
        let mut pairs = Vec::new();
        while let (Some(first), Some(second)) = (games.next(), games.next()) {
            let opening = &openings[pairs.len()];
            let (setup, plies) = (opening.setup, opening.actions.len());
            pairs.push(Pair { number: pairs.len() as u64, setup, opening: plies, games: [first, second] });
        }
        Ok((GamesFile(file), pairs))
    }

    /// Begins a file anew, whatever stands there.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or is in use.
    ///
    /// # Panics
    ///
    /// If `ready` is not that of the plan.
    pub(crate) fn anew(path: &Path, inputs: &Inputs, plan: &Plan, ready: &[Ready]) -> Result<GamesFile, AppendedError> {
        Appended::anew(path, inputs, &plan.head_bytes(ready)).map(GamesFile)
    }

    /// Appends what [`Plan::pair_bytes`] or [`Plan::end_bytes`] returns, and syncs the file: what
    /// was appended survives a kill and a power failure.
    ///
    /// # Errors
    ///
    /// If the file cannot be written to.
    pub(crate) fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        self.0.append(lines)?;
        self.0.sync()
    }
}

impl Plan {
    /// Returns the bytes of the lines before the games.
    ///
    /// # Panics
    ///
    /// If `ready` is not that of the plan.
    #[must_use]
    pub(crate) fn head_bytes(&self, ready: &[Ready]) -> Vec<u8> {
        self.head(ready).iter().flat_map(bytes).collect()
    }

    /// Returns the bytes of the lines of a pair.
    ///
    /// # Panics
    ///
    /// If `ready` is not that of the plan.
    #[must_use]
    pub(crate) fn pair_bytes(&self, pair: &Pair, ready: &[Ready]) -> Vec<u8> {
        self.lines(pair, ready).iter().flat_map(bytes).collect()
    }

    /// Returns the bytes of the line that closes a file with this number of pairs.
    #[must_use]
    pub(crate) fn end_bytes(pairs: u64) -> Vec<u8> {
        bytes(&Line::End(EndLine { games: 2 * pairs }))
    }
}

/// Plays the game of a line again; `None` if another line would come of it.
fn played_again(plan: &Plan, line: &GameLine, numbers: Numbers, of: &Ready) -> Option<Played> {
    let game = of.engine.game();
    let texts = line.actions.split(' ').filter(|text| !text.is_empty());
    let actions: Vec<Action> = texts.map(|text| game.parse_action(text).ok()).collect::<Option<_>>()?;
    // Whoever is asked fails as the line says.
    let failing = || Box::new(Failing(line.fault.clone().unwrap_or_default())) as Box<dyn Player>;
    let mut players = [failing(), failing()];
    let played = play(&of.engine, &of.start, &actions, &mut players, plan.conventions, &AtomicBool::new(false));
    let played = played.ok().flatten()?;
    let again = GameLine { proof: line.proof.clone(), ..GameLine::of(numbers, game, &played) };
    (again == *line).then_some(played)
}
