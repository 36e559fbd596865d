//! A difference made as small as it gets: fewer pods, points, lines, legs and special rules, and still different.

use super::peer::{Answers, PeerError};
use super::probe::{Difference, Effort, Probe, examine, game_request, put};
use super::stake::{Class, stake};
use super::tally::Tally;
use crate::engine::crosscheck::smaller_games;
use crate::engine::{Engine, Reference};
use crate::oracle::draw::seeded;
use crate::oracle::protocol::Answer;
use crate::position::{Game, Position};

/// Smaller positions tried at most.
const TRIES: u64 = 5000;

/// A difference after shrinking.
#[derive(Clone, Debug)]
pub struct Shrunken {
    /// What is left.
    pub difference: Box<Difference>,
    /// How many smaller positions were tried.
    pub tried: u64,
}

/// Takes away what can be taken away without losing the difference, until nothing can.
///
/// If the program stops answering on the way, what has been found until then stands.
pub(super) fn shrink(peer: &mut dyn Answers, difference: Box<Difference>) -> Shrunken {
    let class = stake(&difference).class;
    let mut best = difference;
    let mut tried = 0;
    'smaller: loop {
        for (game, position) in smaller_games(&best.game, &best.position) {
            if tried == TRIES {
                break 'smaller;
            }
            tried += 1;
            match again(peer, &game, &position, class, best.probe) {
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

/// The difference of the same class in a smaller position, if there is one.
fn again(
    peer: &mut dyn Answers,
    game: &Game,
    position: &Position,
    class: Class,
    probe: Probe,
) -> Result<Option<Box<Difference>>, PeerError> {
    if peer.ask(&game_request(game))? != Answer::Ok {
        return Ok(None);
    }
    let reference = Reference::new(game.clone());
    let same = |found: &Difference| stake(found).class == class;
    if let Probe::Perft(_) | Probe::Moves | Probe::Status = probe {
        return Ok(put(peer, &reference, position, probe)?.filter(|found| same(found)));
    }
    if let Class::Allows(_) = class {
        // The program may play what it does not list; ask for all that it might play.
        for action in reference.conceivable(position) {
            if reference.check(position, action).is_err()
                && let Some(found) = put(peer, &reference, position, Probe::Apply(action))?
            {
                return Ok(Some(found).filter(|found| same(found)));
            }
        }
        return Ok(None);
    }
    let whole = examine(peer, &reference, position, Effort::WHOLE, &mut seeded(0, 0), &mut Tally::default())?;
    if let Some(found) = whole.filter(|found| same(found)) {
        return Ok(Some(found));
    }
    for action in reference.actions(position) {
        if let Some(found) = put(peer, &reference, position, Probe::Apply(action))?
            && same(&found)
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
