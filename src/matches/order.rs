//! The games of a file as a whole: none is missing, repeated, or in another place than its own.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use super::record::{GameLine, Header, UNCLOSED};

/// A game so far: its line, and the hash of its text.
type Seen = (usize, u64);

/// The games of a pair so far.
#[derive(Debug)]
enum OfPair {
    /// The player of White in the only game, its setup, and its opening.
    One(u8, usize, Vec<String>),
    Two,
}

/// The part of a file that was read so far.
#[derive(Debug, Default)]
pub(super) struct Order {
    hasher: RandomState,
    seen: HashMap<u64, Seen>,
    last: u64,
    pairs: HashMap<u64, OfPair>,
    /// The line that closes the file, and how many games it gives it.
    end: Option<(usize, u64)>,
    games: u64,
}

impl Order {
    /// Takes a game; returns what is wrong with its place in the file.
    pub(super) fn game(&mut self, line: usize, text: &str, said: &GameLine) -> Option<String> {
        self.games += 1;
        let hash = self.hasher.hash_one(text.trim());
        let after_end = self.end.map(|(end, _)| format!("it stands behind line {end}, which closes the file"));
        let number = said.game;
        let twice = self.seen.get(&number).map(|&(first, as_before)| match as_before == hash {
            true => format!("line {first} is repeated"),
            false => format!("its number is that of the game in line {first} too"),
        });
        if twice.is_some() {
            return after_end.or(twice);
        }
        self.seen.insert(number, (line, hash));
        let last = self.last;
        let place = match number.checked_sub(last) {
            Some(1) => None,
            Some(2) => Some(format!("game {} is missing before it", last + 1)),
            Some(0) | None => Some(format!("it stands behind game {last}: the games are not in their order")),
            Some(_) => Some(format!("games {} to {} are missing before it", last + 1, number - 1)),
        };
        self.last = last.max(number);
        let pair = self.pair(said);
        after_end.or(pair).or(place)
    }

    /// Compares a game with the others of its pair, and describes the contradiction, if any.
    fn pair(&mut self, said: &GameLine) -> Option<String> {
        let GameLine { pair, white, setup, .. } = *said;
        let opening: Vec<String> = said.actions.split(' ').take(said.opening).map(str::to_owned).collect();
        match self.pairs.get_mut(&pair) {
            None => {
                self.pairs.insert(pair, OfPair::One(white, setup, opening));
                None
            }
            Some(OfPair::Two) => Some(format!("it is a third game of pair {pair}")),
            Some(of @ OfPair::One(..)) => {
                let OfPair::One(before, other_setup, other) = std::mem::replace(of, OfPair::Two) else { return None };
                if before == white {
                    return Some(format!("player {white} has White in both games of pair {pair}"));
                }
                let same = other_setup == setup && other == opening;
                (!same).then(|| format!("the games of pair {pair} have different openings"))
            }
        }
    }

    pub(super) fn end(&mut self, line: usize, games: u64) {
        self.end = Some((line, games));
    }

    /// Returns the line that closes the file, if it was read.
    pub(super) fn end_line(&self) -> Option<usize> {
        self.end.map(|(line, _)| line)
    }

    /// Checks the file as a whole, once all of it is read, and describes the fault, if any.
    pub(super) fn of_all(&self, header: &Header) -> Option<String> {
        let games = self.games;
        match self.end {
            None if header.version != UNCLOSED => {
                return Some(format!(
                    "cut short: there are {games} games and no line that closes the file; it was cut off, or the match has not \
                     been played to its end: the same `pods match` goes on"
                ));
            }
            Some((line, said)) if said != games => {
                return Some(format!("line {line} says that there are {said} games, and there are {games}"));
            }
            _ => {}
        }
        if games == 0 {
            return Some("no games: nothing was replayed".to_owned());
        }
        // In a balance by play each game is a pair of its own.
        let one = |of: &OfPair| matches!(of, OfPair::One(..));
        let halves = self.pairs.iter().filter(|(_, of)| one(of)).map(|(pair, _)| pair);
        let is_match = self.end.is_some() || self.pairs.values().any(|of| !one(of));
        let half = halves.min().filter(|_| is_match)?;
        Some(format!("cut short: pair {half} has one game, and each pair of a match has two"))
    }
}
