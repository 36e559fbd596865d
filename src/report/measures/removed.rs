//! The value of a pod: what changes when it is taken out of a hand.

use super::exact::score;
use super::games::Figure;
use super::measure::Measure;
use crate::answer::{Answerer, Request, SolveError};
use crate::material::Side;
use crate::position::Setup;
use crate::report::NamedSetup;
use crate::solver::{Finding, Limits, Observer, Outcome, Value};
use crate::table::Tablebase;

/// Returns the figures of all pods in both hands, White to move; of those for which the winner
/// without them is known within the limits, and the game can start.
pub(super) fn removed(
    named: &NamedSetup,
    tables: Option<&Tablebase>,
    value: Value,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<Vec<Figure>, SolveError> {
    let (game, hands) = (named.game(), named.setup().hands().into_array());
    let mut figures = Vec::new();
    for side in Side::BOTH {
        let of_side = |outcome: Outcome| score(if side == Side::White { outcome } else { outcome.reversed() });
        for (kind, _) in hands[side.index()].iter() {
            let mut fewer = hands;
            if !fewer[side.index()].take(kind) {
                continue;
            }
            let Ok(start) = Setup::new(game.clone(), fewer).start(Side::White) else { continue };
            let mut answerer = Answerer::with_tables(game, tables)?;
            let Finding::Solved(solution) = answerer.answer(&start, Request::new(limits).unverified(), observer)?
            else {
                continue;
            };
            let gain = of_side(value.outcome()) - of_side(solution.verdict.outcome());
            let item = format!("{} {}", side.to_string().to_lowercase(), game.pods().id(kind));
            figures.push(Figure { item: Some(item), ..Figure::new(Measure::PodRemoved, gain) });
        }
    }
    Ok(figures)
}
