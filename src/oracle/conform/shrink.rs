//! Shrinks the position of a difference: fewer pods, points, lines, legs and special rules, as long
//! as the answers differ.

use std::time::{Duration, Instant};

use super::diagnosis::{Class, diagnosis};
use super::examine::{Effort, examine};
use super::probe::{Difference, Probe, put, put_game};
use super::scene::Draft;
use super::tally::Tally;
use super::tested::TestedProgram;
use crate::engine::crosscheck::smaller_games;
use crate::engine::{Engine, Reference};
use crate::geometry::Direction;
use crate::material::{Leg, Legs, Reach};
use crate::oracle::draw::seeded;
use crate::oracle::peer::PeerError;
use crate::position::{Game, Position};
use crate::rules::{Preset, RuleSet};

/// Largest number of smaller positions that are tried.
const TRIES: u64 = 5000;

/// Time limit of shrinking: a program that ends is started again at every try, one that hangs takes
/// its time limit.
const TIME: Duration = Duration::from_secs(30);

/// A difference after shrinking.
#[derive(Clone, Debug)]
pub struct Shrunken {
    /// The shrunken difference.
    pub difference: Box<Difference>,
    /// Number of smaller positions tried.
    pub tried: u64,
}

/// Takes parts of the game and the position away as long as the difference remains.
///
/// If the program stops answering or the time is over, the smallest difference found so far stands.
pub(super) fn shrink(tested: &mut TestedProgram<'_, '_>, difference: Box<Difference>) -> Shrunken {
    let class = diagnosis(&difference).class;
    let mut best = difference;
    let mut tried = 0;
    let begun = Instant::now();
    if let Class::Fault(_) | Class::GameRefused = class {
        // Who fails at everything fails at the smallest game of all.
        let smallest = smallest();
        let found = smallest.and_then(|(game, position)| again(tested, &game, &position, class, &best).ok().flatten());
        tried += 1;
        best = found.unwrap_or(best);
    }
    'smaller: loop {
        for (game, position) in smaller_games(&best.game, &best.position) {
            if tried == TRIES || begun.elapsed() > TIME {
                break 'smaller;
            }
            tried += 1;
            match again(tested, &game, &position, class, &best) {
                Ok(Some(found)) => {
                    best = found;
                    continue 'smaller;
                }
                Ok(None) => {}
                Err(_) => break 'smaller,
            }
        }
        break;
    }
    Shrunken { difference: best, tried }
}

/// Returns one point and one pod.
fn smallest() -> Option<(Game, Position)> {
    let mut draft = Draft::default();
    draft.points.insert((0, 0));
    let leg = Leg { direction: Direction::N, reach: Reach::Short };
    draft.hands[0].push((Legs::new([leg])?, 1));
    let rules = RuleSet::from(Preset::Standard).with("opening", "any").ok()?;
    draft.build(rules, &mut seeded(0, 0))
}

/// Returns the difference of the same class in a smaller position, if there is one.
fn again(
    tested: &mut TestedProgram<'_, '_>,
    game: &Game,
    position: &Position,
    class: Class,
    best: &Difference,
) -> Result<Option<Box<Difference>>, PeerError> {
    let same = |found: &Difference| diagnosis(found).class == class;
    if let Some(found) = put_game(tested, game, position)? {
        return Ok(Some(found).filter(|found| best.probe == Probe::Game && same(found)));
    }
    if best.probe == Probe::Game {
        return Ok(None);
    }
    let reference = Reference::new(game.clone());
    if let Probe::Perft(_) | Probe::Moves | Probe::Status = best.probe {
        return Ok(put(tested, &reference, position, best.probe)?.filter(|found| same(found)));
    }
    if let Class::Allows(_) = class {
        // The program may play what it does not list; ask for all that it might play.
        for action in reference.conceivable(position) {
            if reference.check(position, action).is_err()
                && let Some(found) = put(tested, &reference, position, Probe::Apply(action))?
            {
                return Ok(Some(found).filter(|found| same(found)));
            }
        }
        return Ok(None);
    }
    let whole = examine(tested, &reference, position, Effort::WHOLE, &mut seeded(0, 0), &mut Tally::default())?;
    if let Some(found) = whole.filter(|found| same(found)) {
        return Ok(Some(found));
    }
    for action in reference.sorted_actions(position) {
        if let Some(found) = put(tested, &reference, position, Probe::Apply(action))?
            && same(&found)
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
