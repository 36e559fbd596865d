//! Checks strategies line by line, each step with the reference engine.

use std::io::BufRead;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::super::STRATEGIES;
use super::super::error::CertificateError;
use super::super::header::{Claim, Claimed, Subject};
use super::super::lines::Line;
use super::Checked;
use super::index::{self, Index};
use super::need::{Goal, Need};
use super::read::{Raw, Reader, canonical};
use crate::engine::{Engine, Reference, Status};
use crate::material::Side;
use crate::position::{Game, Position};

/// Number of lines that are read before they are checked together.
const CHUNK: usize = 1 << 10;

/// Reads what follows the header, and checks it.
pub(super) fn check_strategies(
    mut reader: Reader<impl BufRead>,
    subject: Subject,
    memory: u64,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Checked, CertificateError> {
    let strategies = Strategies::new(subject.game.clone(), &subject.root, subject.claim)
        .map_err(|cause| CertificateError::unproven(1, cause))?;
    let mut index = Index::new(memory);
    let mut answers = 0;
    let first = strategies.root(&subject.root).map_err(|cause| CertificateError::unproven(1, cause))?;
    answers += first.answers;
    for need in first.needs {
        index.need(need, 1)?;
    }
    let mut last = String::new();
    let mut done = 0;
    loop {
        let (chunk, end) = reader.chunk(CHUNK);
        let checked: Vec<_> = chunk.par_iter().map(|raw| strategies.line(raw)).collect();
        for (raw, checked) in chunk.iter().zip(checked) {
            let step = checked?;
            if step.position <= last {
                let how = if step.position == last { "is there twice" } else { "is out of order" };
                let cause = format!("the position {} {how}: lines rise byte by byte", step.position);
                return Err(CertificateError::damaged(raw.number, cause));
            }
            index.give(&step.position, step.goal, step.plies, raw.number)?;
            answers += step.answers;
            for need in step.needs {
                if need.position <= step.position && !index.has(&need.position) {
                    return Err(index::missing(&need.position, raw.number));
                }
                index.need(need, raw.number)?;
            }
            last = step.position;
        }
        done += chunk.len() as u64;
        let flow = progress(done);
        if let Some(trailer) = end? {
            let digests = reader.sealed(&trailer, done)?;
            reader.at_end()?;
            index.complete()?;
            return Ok(Checked { answers, ..Checked::of(subject, STRATEGIES, done, digests) });
        }
        if flow.is_break() {
            return Err(CertificateError::stopped(done));
        }
    }
}

/// Statement of a valid line, and the positions for which it needs further lines.
struct CheckedLine {
    position: String,
    goal: Goal,
    plies: Option<u32>,
    needs: Vec<Need>,
    answers: u64,
}

/// The strategies that a claim about a root needs.
struct Strategies {
    reference: Reference,
    claim: Claim,
    /// By side; `None` for a side whose play needs no lines.
    goals: [Option<Goal>; 2],
}

/// Requirements of a root or a line: positions that must have lines of their own.
struct Requirements {
    needs: Vec<Need>,
    answers: u64,
}

impl Strategies {
    fn new(game: Game, root: &Position, claim: Claim) -> Result<Strategies, String> {
        let reference = Reference::new(game);
        let (mover, other) = (root.to_move(), root.to_move().other());
        let mut goals = [None; 2];
        let over = reference.status(root) != Status::Ongoing;
        if !over {
            let (winner, loser) = if claim.value == Claimed::Loss { (other, mover) } else { (mover, other) };
            if claim.value == Claimed::Draw {
                goals = [Some(Goal::Hold); 2];
            } else {
                goals[winner.index()] = Some(Goal::Win);
                goals[loser.index()] = claim.plies.map(|_| Goal::Last);
            }
        }
        Ok(Strategies { reference, claim, goals })
    }

    /// Checks the claim at the root; returns what it requires.
    fn root(&self, root: &Position) -> Result<Requirements, String> {
        let mover = root.to_move();
        let claimed = self.claim;
        let mut required = Requirements { needs: Vec::new(), answers: 0 };
        if let Status::Won(winner) = self.reference.status(root) {
            let truth = if winner == mover { Claimed::Win } else { Claimed::Loss };
            let plies = claimed.plies.unwrap_or(0);
            return match claimed.value == truth && plies == 0 {
                true => Ok(required),
                false => Err(format!("the game is over and {winner} has won: that is no {claimed}")),
            };
        }
        if claimed.plies == Some(0) {
            return Err("the game goes on: it is not won or lost in 0 plies".to_owned());
        }
        for side in Side::BOTH {
            let Some(goal) = self.goals[side.index()] else { continue };
            // A win without a distance has no limit of plies.
            let plies = match goal {
                Goal::Win => Some(claimed.plies.unwrap_or(u32::MAX)),
                Goal::Last => claimed.plies,
                Goal::Hold => None,
            };
            if side != mover {
                self.answers(root, side, goal, plies, &mut required)?;
            } else if goal != Goal::Last || plies > Some(1) {
                // Any unfinished game lasts for one more ply.
                required.needs.push(Need { position: root.display(self.reference.game()).to_string(), goal, plies });
            }
        }
        Ok(required)
    }

    /// Checks a line by itself; returns what it says and requires.
    fn line(&self, raw: &Raw) -> Result<CheckedLine, CertificateError> {
        let damaged = |cause: String| CertificateError::damaged(raw.number, cause);
        let unproven = |cause: String| CertificateError::unproven(raw.number, cause);
        let line: Line = canonical(&raw.bytes, raw.number)?;
        let game = self.reference.game();
        let position = game.parse_position(&line.position).map_err(|e| damaged(e.to_string()))?;
        if position.display(game).to_string() != line.position {
            return Err(damaged(format!("the position is not written as {}", position.display(game))));
        }
        let side = position.to_move();
        let Some(goal) = self.goals[side.index()] else {
            return Err(damaged(format!("{side} is to move here and needs no strategy: the line has no use")));
        };
        let action = game.parse_action(&line.action).map_err(|e| damaged(e.to_string()))?;
        if action.display(game).to_string() != line.action {
            return Err(damaged(format!("the action is not written as {}", action.display(game))));
        }
        match (goal, line.plies) {
            (Goal::Hold, None) | (Goal::Win, Some(1..)) | (Goal::Last, Some(2..)) => {}
            (Goal::Hold, Some(_)) => return Err(damaged("a draw has no plies".to_owned())),
            (_, None) => return Err(damaged("the plies are missing".to_owned())),
            (_, Some(plies)) => return Err(damaged(format!("{plies} plies need no line"))),
        }
        let next = match self.reference.turn(&position, action) {
            Ok(transition) => transition.next,
            Err(illegal) => return Err(unproven(illegal.explain(game, action))),
        };
        let mut required = Requirements { needs: Vec::new(), answers: 0 };
        match self.reference.status(&next) {
            Status::Won(winner) if winner == side => {}
            Status::Won(_) => return Err(unproven(format!("{} loses at once", line.action))),
            // The action and any answer are two plies: nothing is left to prove.
            Status::Ongoing if goal == Goal::Last && line.plies == Some(2) => {}
            Status::Ongoing => {
                let left = line.plies.map(|plies| plies - 1);
                self.answers(&next, side, goal, left, &mut required).map_err(unproven)?;
            }
        }
        let Requirements { needs, answers } = required;
        Ok(CheckedLine { position: line.position, goal, plies: line.plies, needs, answers })
    }

    /// Follows every action of the opponent of `side` in a position where `plies` plies are left;
    /// after the action one fewer is left.
    fn answers(
        &self,
        position: &Position,
        side: Side,
        goal: Goal,
        plies: Option<u32>,
        required: &mut Requirements,
    ) -> Result<(), String> {
        let game = self.reference.game();
        for action in self.reference.sorted_actions(position) {
            let Ok(transition) = self.reference.turn(position, action) else {
                return Err(format!("the engine lists {} and refuses it", action.display(game)));
            };
            required.answers += 1;
            let next = transition.next;
            let after = || format!("after {} in {}", action.display(game), position.display(game));
            let left = plies.map(|plies| plies.saturating_sub(1));
            match (self.reference.status(&next), goal) {
                (Status::Won(winner), Goal::Win) if winner == side && plies == Some(0) => {
                    return Err(format!("{}, {side} has won, and it took more plies than said", after()));
                }
                (Status::Won(winner), _) if winner == side => {}
                // Lost in exactly as many plies as claimed.
                (Status::Won(_), Goal::Last) if left == Some(0) => {}
                (Status::Won(_), _) => return Err(format!("{} {side} has lost", after())),
                (Status::Ongoing, Goal::Win) if left == Some(0) => {
                    return Err(format!("{} no plies are left, and {side} has not won", after()));
                }
                // Any unfinished game lasts for one more ply.
                (Status::Ongoing, Goal::Last) if left <= Some(1) => {}
                (Status::Ongoing, _) => {
                    required.needs.push(Need { position: next.display(game).to_string(), goal, plies: left })
                }
            }
        }
        Ok(())
    }
}
