//! Makes a certificate of strategies, from a solver's answers.

use std::collections::{BinaryHeap, HashSet};

use super::super::header::{Claim, Claimed};
use super::super::lines::Certificate;
use super::answers::answers;
use super::forced::by_forced_win;
use super::has_too_many_positions;
use crate::answer::{Answerer, SolveError, Values};
use crate::engine::bitboard::Bitboard;
use crate::engine::{Engine, Status};
use crate::material::Side;
use crate::position::{Action, Position};
use crate::solver::{Discrepancy, Limits, Observer, Outcome, Phase, Stopped, Tracker, Value};

/// Solves a position and proves its value: the outcome, and with `exact` the distance. Values come
/// from the tables of the answerer if these know the position. Where these have too many positions,
/// a forced win is looked for.
///
/// The same position always gives the same certificate.
///
/// # Errors
///
/// If a limit is reached first, a position cannot be solved, or the values of solver or tables
/// contradict the rules, so that no action keeps the value of a position.
pub(super) fn by_strategies(
    answerer: &mut Answerer<'_>,
    root: &Position,
    exact: bool,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Certificate, SolveError> {
    let engine = answerer.engine().clone();
    let game = engine.game();
    let tracker = Tracker::new(limits, observer);
    let status = engine.status(root);
    let of_loss = |lost: bool| if lost { Claimed::Loss } else { Claimed::Win };
    if let Status::Won(winner) = status {
        let claim = Claim { value: of_loss(winner != root.to_move()), plies: exact.then_some(0) };
        return Ok(Certificate::strategies(game, root, claim));
    }
    let mut solved = match answerer.values(root, limits, &tracker) {
        // Where pods move, a win in a few plies needs no table.
        Err(error) if has_too_many_positions(&error) && !exact && game.rules().can_cycle() => {
            return by_forced_win(&engine, root, tracker.part(1), observer)?.ok_or(error);
        }
        solved => solved?,
    };
    let distances = exact || game.rules().can_cycle();
    let outcome = solved.outcome(root)?;
    let plies = match outcome {
        Outcome::Draw => None,
        _ if exact => solved.value(root)?.plies().map(u32::from),
        _ => None,
    };
    let value = if outcome == Outcome::Draw { Claimed::Draw } else { of_loss(outcome == Outcome::Loss) };
    let certificate = Certificate::strategies(game, root, Claim { value, plies });
    let mut prover = Prover { engine: &engine, solved, distances, certificate, seen: HashSet::new(), limits };
    let (mover, other) = (root.to_move(), root.to_move().other());
    match outcome {
        Outcome::Draw => {
            for side in Side::BOTH {
                prover.strategy(root, side, Kind::Hold)?;
            }
        }
        Outcome::Win | Outcome::Loss => {
            let (winner, loser) = if outcome == Outcome::Win { (mover, other) } else { (other, mover) };
            prover.strategy(root, winner, Kind::Win)?;
            if let Some(plies) = plies {
                prover.delay(root, loser, plies)?;
            }
        }
    }
    Ok(prover.certificate)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Win,
    Hold,
}

struct Prover<'a> {
    engine: &'a Bitboard,
    solved: Values<'a>,
    /// True if the plies of the winner's lines are distances. If not, they are the pods in both
    /// hands: in a game that cannot cycle, each action takes one from them.
    distances: bool,
    certificate: Certificate,
    /// The positions that have a line, or will get one.
    seen: HashSet<Position>,
    limits: Limits<'a>,
}

impl Prover<'_> {
    /// Adds the lines of a side's strategy that wins or never loses.
    fn strategy(&mut self, root: &Position, side: Side, kind: Kind) -> Result<(), SolveError> {
        let mut open = Vec::new();
        if root.to_move() == side {
            self.seen.insert(root.clone());
            open.push(root.clone());
        } else {
            self.add(answers(self.engine, &self.engine.state(root)), &mut open);
        }
        while let Some(position) = open.pop() {
            let value = if kind == Kind::Win && self.distances { Some(self.solved.value(&position)?) } else { None };
            let plies = match (kind, value) {
                (Kind::Hold, _) => None,
                (Kind::Win, Some(value)) => value.plies().map(u32::from),
                (Kind::Win, None) => Some(Side::BOTH.map(|side| position.hand(side).len() as u32).iter().sum()),
            };
            let (action, answers) = self.choose(&position, |solved, next| match (kind, value) {
                (Kind::Hold, _) => Ok(solved.outcome(next)? != Outcome::Win),
                (Kind::Win, Some(Value::Win(n))) if n > 0 => solved.has_value(next, Value::Loss(n - 1)),
                (Kind::Win, _) => Ok(solved.outcome(next)? == Outcome::Loss),
            })?;
            self.line(&position, action, plies)?;
            self.add(answers, &mut open);
        }
        Ok(())
    }

    /// Adds the lines with which the loser lasts `plies` plies.
    fn delay(&mut self, root: &Position, side: Side, plies: u32) -> Result<(), SolveError> {
        let mut open: BinaryHeap<(u32, Position)> = BinaryHeap::new();
        if root.to_move() == side {
            open.push((plies, root.clone()));
        } else {
            open.extend(answers(self.engine, &self.engine.state(root)).into_iter().map(|answer| (plies - 1, answer)));
        }
        // Positions that must last longest come first: one that is met again then need not last
        // longer than before.
        while let Some((plies, position)) = open.pop() {
            if plies < 2 || !self.seen.insert(position.clone()) {
                continue;
            }
            let (action, answers) = self.choose(&position, |solved, next| {
                Ok(!matches!(solved.value(next)?, Value::Win(n) if u32::from(n) + 1 < plies))
            })?;
            self.line(&position, action, Some(plies))?;
            open.extend(answers.into_iter().map(|answer| (plies - 2, answer)));
        }
        Ok(())
    }

    fn line(&mut self, position: &Position, action: Action, plies: Option<u32>) -> Result<(), SolveError> {
        let game = self.engine.game();
        self.certificate.line(position.display(game).to_string(), action.display(game).to_string(), plies);
        let lines = self.certificate.lines();
        if lines > self.limits.nodes {
            return Err(Stopped::LimitReached { positions: lines }.into());
        }
        self.solved.observer().progress(Phase::Prove, lines, None);
        Ok(self.solved.go_on()?)
    }

    fn add(&mut self, answers: Vec<Position>, open: &mut Vec<Position>) {
        for answer in answers {
            if self.seen.insert(answer.clone()) {
                open.push(answer);
            }
        }
    }

    /// Chooses an action for the side to move: one that wins at once; else, of those that `good`
    /// accepts, the one with the fewest answers that have no line yet; of several, the first by
    /// notation. Returns it with the unfinished positions after the answers to it.
    fn choose(
        &mut self,
        position: &Position,
        mut good: impl FnMut(&mut Values<'_>, &Position) -> Result<bool, SolveError>,
    ) -> Result<(Action, Vec<Position>), SolveError> {
        let state = self.engine.state(position);
        let mut best: Option<(usize, Action, Vec<Position>)> = None;
        let actions = self.engine.sorted_actions(position);
        for &action in &actions {
            let next = self.engine.play_state(&state, action);
            if self.engine.state_status(&next) == Status::Won(position.to_move()) {
                return Ok((action, Vec::new()));
            }
        }
        for action in actions {
            let next = self.engine.play_state(&state, action);
            if self.engine.state_status(&next) != Status::Ongoing
                || !good(&mut self.solved, &self.engine.position(&next))?
            {
                continue;
            }
            let answers = answers(self.engine, &next);
            let cost = answers.iter().filter(|answer| !self.seen.contains(*answer)).count();
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                let free = cost == 0;
                best = Some((cost, action, answers));
                if free {
                    break;
                }
            }
        }
        let kept = best.map(|(_, action, answers)| (action, answers));
        kept.ok_or_else(|| {
            let cause = "the solver's value is kept by no action".to_owned();
            Discrepancy { position: position.display(self.engine.game()).to_string(), cause }.into()
        })
    }
}
