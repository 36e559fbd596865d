//! Questions asked in each position of a random game: actions, status, results, refusals, counts.

use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64;

use super::probe::{Difference, Probe, put};
use super::tally::Tally;
use super::tested::TestedProgram;
use crate::engine::{Engine, Reference};
use crate::oracle::illegal::near_illegal;
use crate::oracle::peer::PeerError;
use crate::position::{Action, Position};

/// Number of questions in a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Number of legal actions that are played.
    pub played: usize,
    /// Number of illegal ones.
    pub illegal: usize,
    /// To what depth sequences are counted, at most; 0 for not at all.
    pub depth: u32,
}

impl Effort {
    /// All legal actions, no illegal ones, no counts.
    pub(super) const WHOLE: Effort = Effort { played: usize::MAX, illegal: 0, depth: 0 };
}

/// Perft is asked for up to this number of sequences, estimated as the number of actions to the
/// power of the depth.
const PERFT_LIMIT: u64 = 1500;

/// Asks all questions about a position that the effort allows, and returns the first difference, if
/// there is one.
pub(super) fn examine(
    tested: &mut TestedProgram<'_, '_>,
    reference: &Reference,
    position: &Position,
    effort: Effort,
    random: &mut Pcg64,
    tally: &mut Tally,
) -> Result<Option<Box<Difference>>, PeerError> {
    let legal = reference.sorted_actions(position);
    tally.position(reference, position, legal.len());
    for probe in [Probe::Moves, Probe::Status] {
        tally.questions += 1;
        if let Some(difference) = put(tested, reference, position, probe)? {
            return Ok(Some(difference));
        }
    }
    for action in chosen(reference, position, &legal, effort.played, random) {
        tally.questions += 1;
        tally.played(reference, position, action);
        if let Some(difference) = put(tested, reference, position, Probe::Apply(action))? {
            return Ok(Some(difference));
        }
    }
    for (action, clause) in near_illegal(reference, position, effort.illegal, random) {
        tally.questions += 1;
        tally.touch(clause);
        if let Some(difference) = put(tested, reference, position, Probe::Apply(action))? {
            return Ok(Some(difference));
        }
    }
    for depth in 1..=effort.depth {
        if (legal.len().max(1) as u64).saturating_pow(depth) > PERFT_LIMIT {
            break;
        }
        tally.questions += 1;
        tally.counts += 1;
        if let Some(difference) = put(tested, reference, position, Probe::Perft(depth))? {
            return narrowed(tested, difference, depth).map(Some);
        }
    }
    Ok(None)
}

/// Chooses at most `most` of the legal actions: half of them with captures, pushes or moves if
/// there are such, half as they were drawn.
fn chosen(
    reference: &Reference,
    position: &Position,
    legal: &[Action],
    most: usize,
    random: &mut Pcg64,
) -> Vec<Action> {
    if legal.len() <= most {
        return legal.to_vec();
    }
    let mut drawn: Vec<Action> = legal.to_vec();
    drawn.shuffle(random);
    drawn.truncate(most.saturating_mul(4));
    drawn.sort_by_cached_key(|&action| {
        let takes = reference
            .transition(position, action)
            .map_or(0, |result| usize::from(!result.returned.is_empty()) + usize::from(!result.removed.is_empty()));
        let kind = match action {
            Action::Place { .. } => 0,
            Action::Move { .. } => 1,
            Action::Shove { .. } | Action::Kick { .. } => 2,
        };
        std::cmp::Reverse((takes, kind))
    });
    // Half of them for what they do, half as they were drawn.
    let rest = drawn.split_off(most.div_ceil(2));
    let plain = rest.len().saturating_sub(most / 2);
    drawn.extend(&rest[plain..]);
    drawn
}

/// Follows a difference in perft down to a position where another answer than perft differs, if
/// there is one.
fn narrowed(
    tested: &mut TestedProgram<'_, '_>,
    difference: Box<Difference>,
    depth: u32,
) -> Result<Box<Difference>, PeerError> {
    let reference = Reference::new(difference.game.clone());
    let position = &difference.position;
    if difference.got.answer().is_none() {
        return Ok(difference);
    }
    for probe in [Probe::Moves, Probe::Status] {
        if let Some(found) = put(tested, &reference, position, probe)? {
            return Ok(found);
        }
    }
    for action in reference.sorted_actions(position) {
        if let Some(found) = put(tested, &reference, position, Probe::Apply(action))? {
            return Ok(found);
        }
        let Some(next) = reference.transition(position, action).map(|result| result.next) else { continue };
        if depth > 1
            && let Some(found) = put(tested, &reference, &next, Probe::Perft(depth - 1))?
        {
            return narrowed(tested, found, depth - 1);
        }
    }
    Ok(difference)
}
