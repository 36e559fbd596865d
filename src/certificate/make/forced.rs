//! Makes a certificate of a forced win, where strategies would take a table that is too large.

use std::collections::HashSet;

use super::super::header::{Claim, Claimed};
use super::super::lines::Certificate;
use super::answers::answers;
use crate::answer::{FOR_LOOKING_AHEAD, SolveError};
use crate::engine::{Bitboard, Engine, Status};
use crate::position::Position;
use crate::solver::forced::{Forced, forced_win};
use crate::solver::{Discrepancy, Limits, Observer, Phase, Plies, Tracker};

/// Looks for a forced win of the side to move, and proves it by an action for each position in
/// which that side is to move, with the distance there. Takes at most 20 million nodes unless the
/// limits say otherwise; `None` where it finds no win within the limits.
///
/// # Errors
///
/// If the search for forced wins contradicts itself.
pub(super) fn by_forced_win(
    engine: &Bitboard,
    root: &Position,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Option<Certificate>, SolveError> {
    let game = engine.game();
    let mut tracker = Tracker::new(limits.or_nodes(FOR_LOOKING_AHEAD), observer);
    let claim = Claim { value: Claimed::Win, plies: None };
    let mut certificate = Certificate::strategies(game, root, claim);
    let (mut seen, mut open) =
        (HashSet::from([root.clone()]), vec![(root.clone(), limits.plies.unwrap_or(Plies::MAX))]);
    while let Some((position, most)) = open.pop() {
        let found = forced_win(engine, &position, most, tracker.part(1), &tracker);
        tracker.charge(found.nodes);
        let (plies, action) = match found.found {
            Forced::Win { plies, line, .. } if !line.is_empty() => (plies, line[0]),
            Forced::NotWithin(_) if position != *root => {
                let cause = format!("a win within {most} plies was found, and is not found again");
                return Err(Discrepancy { position: position.display(game).to_string(), cause }.into());
            }
            _ => return Ok(None),
        };
        certificate.line(position.display(game).to_string(), action.display(game).to_string(), Some(plies.into()));
        observer.progress(Phase::Prove, certificate.lines(), None);
        let next = engine.play_state(&engine.state(&position), action);
        if engine.state_status(&next) == Status::Ongoing {
            let new = answers(engine, &next).into_iter().filter(|answer| seen.insert(answer.clone()));
            open.extend(new.map(|answer| (answer, plies - 2)));
        }
    }
    Ok(Some(certificate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{CheckOptions, check};
    use crate::engine::crosscheck::case;
    use crate::solver::Silent;

    #[test]
    fn forced_wins_pass_the_check_under_all_rules() {
        const SEED: u64 = 91;
        let (mut proven, mut lines, mut long) = (0, 0, 0);
        for number in 0..400 {
            let case = case(SEED, number);
            let engine = Bitboard::new(case.game());
            for root in case.walked(&engine) {
                if engine.status(&root) != Status::Ongoing {
                    continue;
                }
                let mut limits = Limits::default().with_nodes(20_000);
                limits.plies = Some(5);
                let Some(certificate) = by_forced_win(&engine, &root, limits, &Silent).unwrap() else { continue };
                let checked = check(&certificate.bytes()[..], CheckOptions::default());
                let checked = checked.unwrap_or_else(|error| panic!("seed {SEED}, case {number}: {error}"));
                assert_eq!(checked.claim, Claim { value: Claimed::Win, plies: None });
                proven += 1;
                lines += checked.lines;
                long += u32::from(checked.lines > 3);
            }
        }
        assert!(proven > 100 && lines > 500 && long > 20, "{proven} {lines} {long}");
    }
}
