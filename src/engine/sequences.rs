//! Perft with memory: counts too large to be enumerated, as long as play reaches few positions.

use std::collections::HashMap;

use super::outcome::Engine;
use crate::position::Position;
use crate::progress::{Observer, Phase, Stopped, report};

/// The most counts that are remembered.
const MAX_KEPT: usize = 1 << 20;

/// Depth at which the engine counts by itself: remembering would take longer.
const BY_ENGINE: u32 = 2;

/// Counter of the action sequences of exactly a given length, which remembers counts by position
/// and depth.
pub struct Sequences<'a> {
    engine: &'a dyn Engine,
    kept: HashMap<(Position, u32), Option<u64>>,
    looked_at: u64,
}

impl<'a> Sequences<'a> {
    /// Largest depth of a count, in plies: a count follows sequences to their ends, which takes a
    /// stack.
    pub const MAX_PLIES: u32 = 1_000;

    /// Creates a counter that remembers nothing yet.
    #[must_use]
    pub fn new(engine: &'a dyn Engine) -> Sequences<'a> {
        Sequences { engine, kept: HashMap::new(), looked_at: 0 }
    }

    /// Counts the sequences from a position; `None` if they are 2⁶⁴ or more.
    ///
    /// # Errors
    ///
    /// If the observer, which is told the number of positions looked at, ends the count.
    pub fn count(&mut self, position: &Position, depth: u32, observer: &dyn Observer) -> Result<Option<u64>, Stopped> {
        if depth < BY_ENGINE {
            return Ok(Some(self.engine.perft(position, depth)));
        }
        if let Some(&known) = self.kept.get(&(position.clone(), depth)) {
            return Ok(known);
        }
        self.looked_at += 1;
        report(observer, Phase::Perft, self.looked_at, None)?;
        let sum = if depth == BY_ENGINE {
            Some(self.engine.perft(position, depth))
        } else {
            let mut sum = Some(0_u64);
            for action in self.engine.sorted_actions(position) {
                let Some(transition) = self.engine.transition(position, action) else { continue };
                let more = self.count(&transition.next, depth - 1, observer)?;
                sum = sum.zip(more).and_then(|(sum, more)| sum.checked_add(more));
                if sum.is_none() {
                    break;
                }
            }
            sum
        };
        // Without memory for more, a count takes longer.
        if self.kept.len() < MAX_KEPT && self.kept.try_reserve(1).is_ok() {
            self.kept.insert((position.clone(), depth), sum);
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Bitboard, Reference};
    use crate::material::{builtin_board, builtin_pods};
    use crate::position::Game;
    use crate::progress::Silent;

    #[test]
    fn what_is_remembered_changes_no_count() {
        for (board, pods, rules, most) in
            [("nook9", "duo", "advanced", 6), ("cave16", "trio", "standard", 4), ("ring8", "duo", "very-advanced", 6)]
        {
            let game = Game::new(
                builtin_board(board).expect("board"),
                builtin_pods(pods).expect("pods"),
                rules.parse().expect("rules"),
            );
            let start = game.whole_start().expect("start");
            let (fast, reference) = (Bitboard::new(game.clone()), Reference::new(game));
            let engines: [&dyn Engine; 2] = [&fast, &reference];
            for depth in 0..=most {
                let all = fast.perft(&start, depth);
                for engine in engines {
                    let mut sequences = Sequences::new(engine);
                    for _ in 0..2 {
                        let counted = sequences.count(&start, depth, &Silent);
                        assert_eq!(counted, Ok(Some(all)), "{board} {rules} {depth}");
                    }
                }
            }
        }
    }
}
