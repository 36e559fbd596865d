//! Proof and disproof numbers, the table, and the answer.

use hashbrown::HashMap;

use crate::engine::bitboard::{Bitboard, State};
use crate::engine::{Engine, Status};
use crate::material::Side;
use crate::position::{Action, Game, Position};
use crate::progress::Observer;
use crate::rules::{Captures, EmptyHand};
use crate::solver::limits::Limits;
use crate::solver::search::{Key, Unknown};
use crate::solver::tracker::Tracker;
use crate::solver::value::Plies;

/// Infinity: sums stop there.
const NEVER: u32 = u32::MAX / 4;

/// Knowledge of forced wins of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forced {
    /// The side to move forces a win in exactly this many plies, and in no fewer.
    Win {
        /// The distance.
        plies: Plies,
        /// Best play to the end: the shortest for the winner, the longest for the loser.
        line: Vec<Action>,
        /// Continuation after each answer to the first action of the line.
        replies: Vec<Reply>,
    },
    /// There is no forced win within the number of plies that was asked for. Nothing more: there
    /// may be a longer one.
    NotWithin(Plies),
    /// A limit was reached.
    Unknown {
        /// The limit.
        cause: Unknown,
        /// There is no forced win within this many plies: those searched in full before the limit.
        not_within: Plies,
    },
}

/// An answer to the first action of a forced win, and how it is refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The defender's answer.
    pub answer: Action,
    /// The attacker's next action; `None` if the game is over.
    pub refutation: Option<Action>,
    /// Plies to the end after the answer.
    pub plies: Plies,
}

#[derive(Clone, Copy, Debug)]
struct Numbers {
    /// A lower bound on the leaves that must be proven to show a win.
    proof: u32,
    /// A lower bound on the leaves that must be disproven to show that there is none.
    disproof: u32,
}

const WON: Numbers = Numbers { proof: 0, disproof: NEVER };
const NOT_WON: Numbers = Numbers { proof: NEVER, disproof: 0 };

struct Prover<'a> {
    engine: &'a Bitboard,
    attacker: Side,
    /// True if an empty hand wins (R19).
    by_hand: bool,
    /// The most pods that leave the board in a ply, where that is known.
    leave: Option<u32>,
    /// The longer side of the board's grid, in points: no line has more.
    span: u32,
    table: HashMap<(u64, u64), Numbers>,
    most: u64,
    tracker: Tracker<'a>,
}

struct Child {
    action: Action,
    key: (u64, u64),
    numbers: Numbers,
}

/// Result of a search for a forced win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedAnswer {
    /// The win, or why there is none to show.
    pub found: Forced,
    /// Nodes visited.
    pub nodes: u64,
    /// A winning action, if a limit was reached after the win was proven.
    first: Option<Action>,
}

impl ForcedAnswer {
    /// Returns the result so far. If a win was proven and a limit ended the search for its line,
    /// that is a win with a line of one action.
    pub(crate) fn at_least(self) -> Forced {
        match (self.found, self.first) {
            (Forced::Unknown { not_within, .. }, Some(action)) => {
                Forced::Win { plies: not_within + 1, line: vec![action], replies: Vec::new() }
            }
            (found, _) => found,
        }
    }
}

/// Looks for the shortest forced win of the side to move within `plies` plies. Takes any rules.
///
/// ```
/// use pods::engine::Bitboard;
/// use pods::material::{builtin_board, builtin_pods};
/// use pods::position::Game;
/// use pods::rules::Preset;
/// use pods::solver::forced::{Forced, forced_win};
/// use pods::solver::{Limits, Silent};
///
/// let game = Game::new(builtin_board("nook9").unwrap(), builtin_pods("duo").unwrap(), Preset::Advanced.into());
/// let position = game.parse_position("3/3/T1b w b t -").unwrap();
/// let engine = Bitboard::new(game);
/// let forced = forced_win(&engine, &position, 3, Limits::default(), &Silent);
/// assert!(matches!(forced.found, Forced::Win { plies: 1, .. }));
/// ```
#[must_use]
pub fn forced_win(
    engine: &Bitboard,
    position: &Position,
    plies: Plies,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> ForcedAnswer {
    let answer = |found, nodes| ForcedAnswer { found, nodes, first: None };
    let root = engine.state(position);
    match engine.state_status(&root) {
        Status::Won(side) if side == root.to_move() => {
            return answer(Forced::Win { plies: 0, line: Vec::new(), replies: Vec::new() }, 0);
        }
        Status::Won(_) => return answer(Forced::NotWithin(plies), 0),
        Status::Ongoing => {}
    }
    let bytes_each = (size_of::<((u64, u64), Numbers)>() as u64 + 1) * 24 / 7;
    let mut prover = Prover {
        engine,
        attacker: root.to_move(),
        by_hand: engine.game().rules().options().empty_hand == EmptyHand::Wins,
        leave: most_leave(engine.game()),
        span: u32::from(engine.game().board().columns().max(engine.game().board().rows())),
        table: HashMap::new(),
        most: limits.memory / bytes_each,
        tracker: Tracker::new(limits, observer),
    };
    // The attacker wins by an action of its own, so after an odd number of plies.
    for r in (1..=plies).step_by(2) {
        let proven = prover.proven(&root, r);
        let won = proven == Ok(true);
        match proven.and_then(|won| if won { prover.win(&root, r).map(Some) } else { Ok(None) }) {
            Ok(Some(win)) => return answer(win, prover.tracker.nodes()),
            Ok(None) => {}
            Err(cause) => {
                let first = if won { prover.known_win(&root, r) } else { None };
                return ForcedAnswer {
                    first,
                    ..answer(Forced::Unknown { cause, not_within: r - 1 }, prover.tracker.nodes())
                };
            }
        }
    }
    answer(Forced::NotWithin(plies), prover.tracker.nodes())
}

/// Returns the number of pods that may leave the board in one ply, where the argument in the
/// module's docs holds.
fn most_leave(game: &Game) -> Option<u32> {
    let options = game.rules().options();
    let fits = options.moves && !options.shoves && options.captures == Captures::EveryTurn;
    let lines = game.board().points().map(|p| game.board().lines(p).len()).max().unwrap_or(0);
    fits.then_some(lines as u32 + 1)
}

impl Prover<'_> {
    /// Returns `true` if the attacker can force a win within r plies from an unfinished position.
    fn proven(&mut self, state: &State, r: Plies) -> Result<bool, Unknown> {
        let key = self.key(state, r);
        loop {
            match self.table.get(&key) {
                Some(numbers) if numbers.proof == 0 => return Ok(true),
                Some(numbers) if numbers.disproof == 0 => return Ok(false),
                _ => self.expand(state, r, key, NEVER, NEVER)?,
            }
        }
    }

    /// Returns a key of 128 bits for a position and r. The position's hash has 64 bits; the points
    /// held are added, so that positions with different points held are told apart by more.
    fn key(&self, state: &State, r: Plies) -> (u64, u64) {
        let mut key = Key::START;
        key.add(state.hash());
        key.add(state.held(Side::White).0);
        key.add(state.held(Side::Black).0);
        key.add(u64::from(r));
        (key.low, key.high)
    }

    fn remember(&mut self, key: (u64, u64), numbers: Numbers) -> Result<(), Unknown> {
        if self.table.len() as u64 >= self.most && !self.table.contains_key(&key) {
            return Err(Unknown::Memory);
        }
        self.table.insert(key, numbers);
        Ok(())
    }

    /// Returns the numbers of a position with r plies left, before any search of it.
    fn first_look(&self, state: &State, r: Plies) -> Numbers {
        match self.engine.state_status(state) {
            Status::Won(side) if side == self.attacker => return WON,
            Status::Won(_) => return NOT_WON,
            Status::Ongoing => {}
        }
        let attacking = state.to_move() == self.attacker;
        if r == 0 || r == 1 && !attacking || self.out_of_reach(state, r, attacking) {
            return NOT_WON;
        }
        if r <= 2 {
            let won = if attacking { self.wins_at_once(state) } else { self.lost_to_any_next(state) };
            return if won { WON } else { NOT_WON };
        }
        // Few answers are easy to refute, few attacks easy to give up.
        let actions = self.engine.count_actions(state).clamp(1, 1 << 10) as u32;
        if attacking { Numbers { proof: 1, disproof: actions } } else { Numbers { proof: actions, disproof: 1 } }
    }

    /// Returns `true` if the attacker, to move in an unfinished position, has an action that ends
    /// the game.
    fn wins_at_once(&self, state: &State) -> bool {
        let by_hand = self.by_hand && state.pods_in_hand(self.attacker) == 1;
        let stuck = self.may_get_stuck(state);
        if !by_hand && !stuck {
            return false;
        }
        let mut won = false;
        self.engine.for_each_action(state, |action| {
            if !won && (stuck || matches!(action, Action::Place { .. })) {
                let next = self.engine.play_state(state, action);
                won = by_hand && next.pods_in_hand(self.attacker) == 0
                    || stuck && self.engine.state_status(&next) == Status::Won(self.attacker);
            }
        });
        won
    }

    /// Returns `true` if the attacker wins at once whatever the defender, to move in an unfinished
    /// position, does.
    fn lost_to_any_next(&self, state: &State) -> bool {
        let mut lost = true;
        self.engine.for_each_action(state, |action| {
            lost = lost && {
                let next = self.engine.play_state(state, action);
                match self.engine.state_status(&next) {
                    Status::Ongoing => self.wins_at_once(&next),
                    Status::Won(side) => side == self.attacker,
                }
            };
        });
        lost
    }

    /// Returns `false` only if no single action of the attacker's leaves the defender without an
    /// action; proved in the module's docs.
    fn may_get_stuck(&self, state: &State) -> bool {
        let options = self.engine.game().rules().options();
        let (points, pods) = self.engine.liberties(state, self.attacker.other());
        match (options.moves, options.shoves) {
            (false, _) => true,
            (true, false) => points.0.count_ones() < 2,
            (true, true) => pods.0.count_ones() <= self.span,
        }
    }

    fn out_of_reach(&self, state: &State, r: Plies, attacking: bool) -> bool {
        let Some(leave) = self.leave else { return false };
        let turns = u32::from(if attacking { r.div_ceil(2) } else { r / 2 });
        let defenders = state.held(self.attacker.other()).0.count_ones();
        state.pods_in_hand(self.attacker) > turns && defenders > leave * u32::from(r)
    }

    /// Searches below a position until its numbers reach a threshold, and stores them.
    fn expand(&mut self, state: &State, r: Plies, key: (u64, u64), proof: u32, disproof: u32) -> Result<(), Unknown> {
        self.tracker.tick()?;
        let attacking = state.to_move() == self.attacker;
        let (mut children, mut new) = (Vec::new(), 0);
        // The attacker's first child that is won, or the defender's first that is not, settles the
        // position.
        let settles = |n: &Numbers| if attacking { n.proof == 0 } else { n.disproof == 0 };
        let mut settled = false;
        self.engine.for_each_action(state, |action| {
            if settled {
                return;
            }
            let next = self.engine.play_state(state, action);
            // With at most two plies left the first look is exact.
            let key = if r > 3 { self.key(&next, r - 1) } else { (0, 0) };
            let known = if r > 3 { self.table.get(&key).copied() } else { None };
            new += u32::from(known.is_none());
            let numbers = known.unwrap_or_else(|| self.first_look(&next, r - 1));
            settled = settles(&numbers);
            children.push(Child { action, key, numbers });
        });
        // Most of the work is on children. Each new one counts as a node, or a limit of time would
        // be noticed late.
        for _ in 0..new {
            self.tracker.tick()?;
        }
        if settled {
            return self.remember(key, if attacking { WON } else { NOT_WON });
        }
        loop {
            // The position's numbers: the attacker needs one child, the defender all of them.
            let chosen = |n: &Numbers| if attacking { n.proof } else { n.disproof };
            let other = |n: &Numbers| if attacking { n.disproof } else { n.proof };
            let (mut least, mut second, mut sum, mut best) = (NEVER, NEVER, 0_u32, 0);
            for (i, child) in children.iter().enumerate() {
                let c = chosen(&child.numbers);
                if c < least {
                    (second, least, best) = (least, c, i);
                } else {
                    second = second.min(c);
                }
                sum = (sum + other(&child.numbers)).min(NEVER);
            }
            let now = if attacking {
                Numbers { proof: least, disproof: sum }
            } else {
                Numbers { proof: sum, disproof: least }
            };
            if now.proof == 0 || now.disproof == 0 || now.proof >= proof || now.disproof >= disproof {
                return self.remember(key, now);
            }
            let (chosen_limit, other_limit) = if attacking { (proof, disproof) } else { (disproof, proof) };
            // A quarter more than the second best, so as not to jump between children all the time.
            let for_chosen = chosen_limit.min(second.saturating_add(1 + second / 4));
            let for_other = (other_limit - sum).saturating_add(other(&children[best].numbers)).min(NEVER);
            let (p, d) = if attacking { (for_chosen, for_other) } else { (for_other, for_chosen) };
            let Child { action, key, .. } = children[best];
            self.expand(&self.engine.play_state(state, action), r - 1, key, p, d)?;
            children[best].numbers = self.table[&key];
        }
    }

    /// Returns the fewest plies in which the attacker forces a win, if it does within r.
    fn distance(&mut self, state: &State, r: Plies) -> Result<Plies, Unknown> {
        if self.engine.state_status(state) == Status::Won(self.attacker) {
            return Ok(0);
        }
        let attacking = Plies::from(state.to_move() == self.attacker);
        let mut least = 2 - attacking;
        while least < r && !self.proven(state, least)? {
            least += 2;
        }
        Ok(least)
    }

    /// Returns the win within r plies and in no fewer, as a line with the answers to its first
    /// action.
    fn win(&mut self, root: &State, r: Plies) -> Result<Forced, Unknown> {
        let (mut line, mut replies) = (Vec::new(), Vec::new());
        let (mut here, mut left) = (root.clone(), r);
        while left > 0 {
            let (action, next) = self.winning_action(&here, left)?;
            line.push(action);
            left -= 1;
            if self.engine.state_status(&next) != Status::Ongoing {
                break;
            }
            let answers = self.engine.sorted_actions(&self.engine.position(&next));
            let mut longest: Option<(Plies, Action)> = None;
            for answer in answers {
                let after = self.engine.play_state(&next, answer);
                let plies = self.distance(&after, left - 1)?;
                if longest.is_none_or(|(most, _)| plies > most) {
                    longest = Some((plies, answer));
                }
                if line.len() == 1 {
                    let refutation = if plies > 0 { Some(self.winning_action(&after, plies)?.0) } else { None };
                    replies.push(Reply { answer, refutation, plies });
                }
            }
            let (plies, answer) = longest.expect("the game goes on");
            line.push(answer);
            here = self.engine.play_state(&next, answer);
            left = plies;
        }
        Ok(Forced::Win { plies: r, line, replies })
    }

    /// Returns an action of the attacker's that the table knows to force the win within r plies,
    /// without any search.
    fn known_win(&self, state: &State, r: Plies) -> Option<Action> {
        self.engine.sorted_actions(&self.engine.position(state)).into_iter().find(|&action| {
            let next = self.engine.play_state(state, action);
            let known = self.table.get(&self.key(&next, r - 1)).copied();
            known.unwrap_or_else(|| self.first_look(&next, r - 1)).proof == 0
        })
    }

    /// Returns the first of the attacker's actions after which it forces a win within r − 1 plies.
    fn winning_action(&mut self, state: &State, r: Plies) -> Result<(Action, State), Unknown> {
        for action in self.engine.sorted_actions(&self.engine.position(state)) {
            let next = self.engine.play_state(state, action);
            let won = match self.engine.state_status(&next) {
                Status::Won(side) => side == self.attacker,
                Status::Ongoing => r > 1 && self.proven(&next, r - 1)?,
            };
            if won {
                return Ok((action, next));
            }
        }
        unreachable!("a win within {r} plies was proven")
    }
}

#[cfg(test)]
mod tests;
