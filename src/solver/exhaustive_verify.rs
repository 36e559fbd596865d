//! The separate pass over an exhaustive search: derives every bound that the roots' values rest on
//! from the next positions again, by the reference engine.

use hashbrown::HashMap;
use rayon::prelude::*;

use super::exhaustive::{Bounds, Exhaustive};
use super::value::{BEST_SCORE, Outcome, Value};
use super::verify::{Derived, Discrepancy};
use crate::engine::reference::Reference;
use crate::engine::{Engine, Status};
use crate::position::Position;
use crate::progress::{Observer, Phase, Stopped};

/// Bound of a position that is to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    AtLeast,
    AtMost,
}

impl Exhaustive {
    /// Derives the values of some positions and the outcomes of others again. The bounds in the
    /// table are the claims to be proved; every legal action, its result and every status are those
    /// of the reference engine. Returns the number of positions looked at.
    ///
    /// A claim "at least" rests on one next position, "at most" on all of them. Every action of
    /// these games shrinks a hand, so the claims cannot rest on each other in a circle.
    ///
    /// # Errors
    ///
    /// A claim that does not follow, or a value or outcome that is not what the search found.
    pub fn verify(
        &self,
        reference: &Reference,
        values: &[(&Position, Value)],
        outcomes: &[(&Position, Outcome)],
        observer: &dyn Observer,
    ) -> Derived {
        // For each position and claim: whether the claim was made of the position.
        let mut looked_at: HashMap<Position, [bool; 2]> = HashMap::new();
        let mut claims: Vec<(Position, Claim)> = Vec::new();
        let unfounded = |position: &Position, said: String| {
            let cause = format!("said to be a {said}, which is not what the search found");
            Err(Discrepancy { position: position.display(reference.game()).to_string(), cause })
        };
        for &(position, value) in values {
            if self.known(reference, position) != Bounds::exactly(value.score()) {
                return unfounded(position, value.to_string());
            }
            claims.extend([(position.clone(), Claim::AtLeast), (position.clone(), Claim::AtMost)]);
        }
        for &(position, outcome) in outcomes {
            let known = self.known(reference, position);
            let claim = match outcome {
                Outcome::Win if known.low > 0 => Claim::AtLeast,
                Outcome::Loss if known.high < 0 => Claim::AtMost,
                _ => return unfounded(position, outcome.name().to_owned()),
            };
            claims.push((position.clone(), claim));
        }
        while !claims.is_empty() {
            claims.retain(|(position, claim)| match looked_at.get_mut(position) {
                Some(made) => !std::mem::replace(&mut made[*claim as usize], true),
                None => {
                    let mut made = [false; 2];
                    made[*claim as usize] = true;
                    looked_at.insert(position.clone(), made);
                    true
                }
            });
            observer.progress(Phase::Verify, looked_at.len() as u64, None);
            let found = claims
                .par_chunks(32)
                .map(|chunk| {
                    if let Some(stopped) = observer.stop() {
                        return Ok(Err(stopped));
                    }
                    let mut next = Vec::new();
                    for (position, claim) in chunk {
                        self.show(reference, position, *claim, &mut next)?;
                    }
                    Ok(Ok(next))
                })
                .collect::<Result<Vec<_>, Discrepancy>>()?;
            claims = match found.into_iter().collect::<Result<Vec<_>, Stopped>>() {
                Ok(next) => next.concat(),
                Err(stopped) => return Ok(Err(stopped)),
            };
        }
        Ok(Ok(looked_at.len() as u64))
    }

    /// Returns the bounds that the table holds for a position; if the table lacks it, those that
    /// the rules give.
    fn known(&self, reference: &Reference, position: &Position) -> Bounds {
        self.bounds(position).unwrap_or_else(|| match reference.status(position) {
            Status::Ongoing => Bounds::NONE,
            Status::Won(side) if side == position.to_move() => Bounds::exactly(BEST_SCORE),
            Status::Won(_) => Bounds::exactly(-BEST_SCORE),
        })
    }

    /// Returns a next position that gives the mover a score or a better one. One is enough, so the
    /// fast engine proposes actions; the reference engine says whether they are legal and where
    /// they lead.
    fn reaches(&self, reference: &Reference, position: &Position, score: i16) -> Option<Position> {
        let engine = self.engine();
        let state = engine.state(position);
        let enough = |next: &Position| self.known(reference, next).before().low >= score;
        let proposed = engine.sorted_actions(position).into_iter();
        proposed
            .filter(|&action| enough(&engine.position(&engine.play_state(&state, action))))
            .find_map(|action| reference.transition(position, action).map(|transition| transition.next).filter(enough))
    }

    /// Proves one claim, and adds to `next` the claims that it rests on.
    fn show(
        &self,
        reference: &Reference,
        position: &Position,
        claim: Claim,
        next: &mut Vec<(Position, Claim)>,
    ) -> Result<(), Discrepancy> {
        let claimed = self.known(reference, position);
        let fail = |cause: String| Err(Discrepancy { position: position.display(reference.game()).to_string(), cause });
        if claim == Claim::AtLeast
            && let Some(child) = self.reaches(reference, position, claimed.low)
        {
            next.push((child, Claim::AtMost));
            return Ok(());
        }
        let actions = reference.sorted_actions(position);
        if actions.is_empty() {
            let truth = match reference.status(position) {
                Status::Won(side) if side == position.to_move() => BEST_SCORE,
                Status::Won(_) => -BEST_SCORE,
                Status::Ongoing => return fail("no action, and yet the game goes on".to_owned()),
            };
            let shown = match claim {
                Claim::AtLeast => truth >= claimed.low,
                Claim::AtMost => truth <= claimed.high,
            };
            return if shown { Ok(()) } else { fail("the game is over with another winner".to_owned()) };
        }
        if claim == Claim::AtLeast {
            let low = Value::from_score(claimed.low);
            return fail(format!("no action that the fast engine proposes reaches {low} under the reference engine"));
        }
        for action in actions {
            let child = reference.transition(position, action).expect("listed as legal").next;
            if self.known(reference, &child).before().high > claimed.high {
                return fail(format!(
                    "{} does better than {}",
                    action.display(reference.game()),
                    Value::from_score(claimed.high)
                ));
            }
            next.push((child, Claim::AtLeast));
        }
        Ok(())
    }
}
