//! Plays a game between two players.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::player::{Chosen, Player, Trouble};
use crate::engine::{Bitboard, Engine as _, Status};
use crate::material::Side;
use crate::position::{Action, Position};
use crate::solver::Verdict;

/// Conventions for draws. The rules have no such thing (R21); these are conventions of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conventions {
    /// A game is drawn when a position has occurred this many times.
    pub repetitions: u32,
    /// A game is drawn when it has this many plies, those of the opening among them.
    pub plies: u32,
}

/// End of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// A hand is empty (R16, R19, R30).
    EmptyHand,
    /// The player to move has no legal action (R15, R20).
    NoAction,
    /// A position has come up as often as the conventions allow: drawn.
    Repetition,
    /// The game is as long as the conventions allow: drawn.
    Length,
    /// A player failed and loses.
    Fault(String),
}

impl End {
    /// Returns the name, as in files of games.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            End::EmptyHand => "empty-hand",
            End::NoAction => "no-action",
            End::Repetition => "repetition",
            End::Length => "length",
            End::Fault(_) => "fault",
        }
    }
}

impl End {
    /// Returns the end that has this name; `fault` is the text of a fault.
    pub(super) fn named(name: &str, fault: Option<&str>) -> Option<End> {
        let fault = End::Fault(fault.unwrap_or_default().to_owned());
        [End::EmptyHand, End::NoAction, End::Repetition, End::Length, fault].into_iter().find(|end| end.name() == name)
    }
}

/// The first proof of a game: what the player to move had proven of the position after some plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The plies before the position, those of the opening among them.
    pub ply: usize,
    /// Proven verdict, for the player to move there.
    pub verdict: Verdict,
}

/// Clock of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Actions that the player chose.
    pub actions: u64,
    /// The time of all of them.
    pub total: Duration,
    /// The longest time of one.
    pub longest: Duration,
}

impl Clock {
    fn add(&mut self, time: Duration) {
        self.join(Clock { actions: 1, total: time, longest: time });
    }

    /// Adds another clock's counts and times.
    pub(crate) fn join(&mut self, other: Clock) {
        self.actions += other.actions;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// All actions from the start, those of the opening first.
    pub actions: Vec<Action>,
    /// The winner; `None` for a draw by convention.
    pub winner: Option<Side>,
    /// Its end.
    pub end: End,
    /// Clocks of White and Black.
    pub clocks: [Clock; 2],
    /// The first proof that a player of this program had; `None` if there was none.
    pub proof: Option<Proof>,
}

/// Two games from one opening. The first player has White in the first game, the second player in
/// the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The number of the pair, from 0.
    pub number: u64,
    /// The number of the setup in the plan.
    pub setup: usize,
    /// The plies of the opening.
    pub opening: usize,
    /// The games.
    pub games: [Played; 2],
}

impl Pair {
    #[must_use]
    pub(crate) const fn first_player(game: usize) -> Side {
        if game == 0 { Side::White } else { Side::Black }
    }
}

/// Plays a game from `start`: first the actions of `opening`, then those that the players of White
/// and of Black choose. `None` if `interrupt` was set before the end.
///
/// # Errors
///
/// If the match cannot go on; with the cause.
pub(super) fn play(
    engine: &Bitboard,
    start: &Position,
    opening: &[Action],
    players: &mut [Box<dyn Player>; 2],
    conventions: Conventions,
    interrupt: &AtomicBool,
) -> Result<Option<Played>, String> {
    let clocks = [Clock::default(); 2];
    let mut game = Played { actions: Vec::new(), winner: None, end: End::Length, clocks, proof: None };
    let mut position = start.clone();
    let mut seen: HashMap<Position, u32> = HashMap::new();
    loop {
        let times = seen.entry(position.clone()).or_default();
        *times += 1;
        let repeated = *times >= conventions.repetitions;
        if let Status::Won(winner) = engine.status(&position) {
            let by_hand = position.won_by_empty_hand(engine.game()).is_some();
            (game.winner, game.end) = (Some(winner), if by_hand { End::EmptyHand } else { End::NoAction });
            return Ok(Some(game));
        }
        if repeated || game.actions.len() >= conventions.plies as usize {
            game.end = if repeated { End::Repetition } else { End::Length };
            return Ok(Some(game));
        }
        let side = position.to_move();
        let chosen = match opening.get(game.actions.len()) {
            Some(&action) => Ok(action.into()),
            None => {
                let begun = Instant::now();
                let chosen = players[side.index()].choose(&position, interrupt);
                game.clocks[side.index()].add(begun.elapsed());
                chosen
            }
        };
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let fault = match chosen {
            Ok(Chosen { action, proven }) => match engine.transition(&position, action) {
                Some(result) => {
                    let proof = proven.map(|verdict| Proof { ply: game.actions.len(), verdict });
                    game.proof = game.proof.or(proof);
                    game.actions.push(action);
                    position = result.next;
                    continue;
                }
                None => {
                    let text = action.display(engine.game()).to_string();
                    format!("{text} is illegal in {}", position.display(engine.game()))
                }
            },
            Err(Trouble::Fault(fault)) => fault,
            Err(Trouble::End(cause)) => return Err(cause),
        };
        (game.winner, game.end) = (Some(side.other()), End::Fault(fault));
        return Ok(Some(game));
    }
}
