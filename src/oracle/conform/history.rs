//! Differences that a fresh process does not show: they come from state that a program keeps
//! between requests.

use super::diagnosis::diagnosis;
use super::probe::{Difference, game_request};
use super::tested::{Reply, TestedProgram};
use crate::oracle::peer::PeerError;
use crate::oracle::protocol::Query;

/// Largest number of fresh processes that are started to find the shortest history.
const STARTS: u32 = 80;

/// Requests after which a program answers wrongly what it answers rightly when asked afresh.
#[derive(Clone, Debug)]
pub struct History {
    /// The requests, of which the last is answered wrongly; `None` if the difference did not come
    /// back even after all remembered requests.
    pub requests: Option<Vec<Query>>,
}

/// Returns `true` if a difference shows after these requests in a fresh process: the last one is
/// the question.
pub(super) fn shows(
    tested: &mut TestedProgram<'_, '_>,
    asks: &[Query],
    difference: &Difference,
) -> Result<bool, PeerError> {
    tested.restart()?;
    let mut last = None;
    for (i, ask) in asks.iter().enumerate() {
        let got = tested.ask(ask)?;
        if matches!(got, Reply::Fault(_)) && i + 1 < asks.len() {
            return Ok(false);
        }
        last = Some(got);
    }
    let Some(got) = last else { return Ok(false) };
    let right = got.answer().is_some_and(|got| got.clone().essence() == difference.expected.clone().essence());
    let again = Difference { got, ..difference.clone() };
    Ok(!right && diagnosis(&again).class == diagnosis(difference).class)
}

/// Returns `true` if the difference shows in a fresh process that is asked nothing else.
pub(super) fn shows_alone(tested: &mut TestedProgram<'_, '_>, difference: &Difference) -> Result<bool, PeerError> {
    shows(tested, &difference.asks(), difference)
}

/// Finds a short run of earlier requests after which the difference shows, by leaving requests out.
pub(super) fn history(
    tested: &mut TestedProgram<'_, '_>,
    asked: &[Query],
    difference: &Difference,
) -> Result<History, PeerError> {
    let Some((question, before)) = asked.split_last() else { return Ok(History { requests: None }) };
    let mut starts = 0;
    let game = game_request(&difference.game);
    let mut test = |kept: &[Query]| {
        // The question is about its own game.
        let current = kept.iter().rfind(|ask| matches!(ask, Query::Game(_)));
        if current != Some(&game) && *question != game {
            return Ok(false);
        }
        starts += 1;
        let mut asks = kept.to_vec();
        asks.push(question.clone());
        Ok::<_, PeerError>(starts <= STARTS && shows(tested, &asks, difference)?)
    };
    // The shortest end of it that shows the difference, by doubling.
    let mut kept: Option<Vec<Query>> = None;
    let mut length = 1;
    loop {
        let mut end = before[before.len() - length.min(before.len())..].to_vec();
        if !end.iter().any(|ask| matches!(ask, Query::Game(_))) {
            end.insert(0, game_request(&difference.game));
        }
        if test(&end)? {
            kept = Some(end);
            break;
        }
        if length >= before.len() {
            break;
        }
        length *= 2;
    }
    let Some(mut kept) = kept else { return Ok(History { requests: None }) };
    // Then pieces are left out, large ones first.
    let mut piece = kept.len().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        while at < kept.len() {
            let mut fewer = kept.clone();
            fewer.drain(at..(at + piece).min(kept.len()));
            if test(&fewer)? {
                kept = fewer;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    kept.push(question.clone());
    Ok(History { requests: Some(kept) })
}
