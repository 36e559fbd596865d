//! A line of an oracle set: a position and everything that is true of it.

use serde::{Deserialize, Deserializer, Serialize};

use crate::answer::{Request, SolveError, solve};
use crate::engine::{Engine, Reference};
use crate::files::describe_json_fault;
use crate::position::{Action, Game, Position};
use crate::rules::Clause;
use crate::solver::{Limits, Method, Silent, Solution, Verdict, positions_at_most};
use crate::table::{AnswerError, Prober};

/// A line of `positions.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The position's text.
    pub position: String,
    /// `ongoing`, `white_won` or `black_won`.
    pub status: String,
    /// All legal actions with their results, sorted by notation.
    pub actions: Vec<LegalAction>,
    /// `win`, `draw` or `loss` for the side to move, if the position was solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Plies to the end, if the position was solved; `null` for a draw.
    #[serde(default, deserialize_with = "there", skip_serializing_if = "Option::is_none")]
    pub plies: Option<Option<u16>>,
    /// The actions that keep value and distance, if the position was solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Vec<String>>,
    /// Some illegal actions, sorted by notation.
    pub illegal: Vec<Forbidden>,
    /// The reason why the position is in the set.
    pub kind: String,
    /// The number of the line, from 1.
    pub number: u64,
}

/// A legal action and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegalAction {
    /// The action.
    pub action: String,
    /// The next position.
    pub position: String,
    /// The mover's captured pods, back in hand.
    pub returned: Vec<String>,
    /// The opponent's captured pods, out of the game.
    pub removed: Vec<String>,
}

/// An illegal action and the clause that forbids it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forbidden {
    /// The action.
    pub action: String,
    /// The clause.
    pub clause: String,
}

fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u16>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Answer of the solver: value, plies, best actions.
pub(super) type Solved = (String, Option<u16>, Vec<String>);

/// The reason why a line is not true.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(pub String);

impl Line {
    /// Creates a line with the status, the actions and the results that an engine gives, and these
    /// illegal actions; without value and kind, and with number 0.
    pub(crate) fn of(engine: &dyn Engine, position: &Position, illegal: &[(Action, Clause)]) -> Line {
        let game = engine.game();
        let entry = |action| {
            let result = engine.transition(position, action)?;
            Some(LegalAction {
                action: action.display(game).to_string(),
                position: result.next.display(game).to_string(),
                returned: game.pods().ids(&result.returned),
                removed: game.pods().ids(&result.removed),
            })
        };
        let forbidden = |&(action, clause): &(Action, Clause)| Forbidden {
            action: action.display(game).to_string(),
            clause: clause.to_string(),
        };
        Line {
            position: position.display(game).to_string(),
            status: engine.status(position).name().to_owned(),
            actions: engine.sorted_actions(position).into_iter().filter_map(entry).collect(),
            value: None,
            plies: None,
            best: None,
            illegal: illegal.iter().map(forbidden).collect(),
            kind: String::new(),
            number: 0,
        }
    }

    /// Sets value, plies and best actions, if they are known.
    pub(super) fn solved(&mut self, solved: Option<Solved>) {
        if let Some((value, plies, best)) = solved {
            (self.value, self.plies, self.best) = (Some(value), Some(plies), Some(best));
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    ///
    /// If the text is not a line of an oracle set.
    pub fn parse(text: &str) -> Result<Line, LineError> {
        serde_json::from_str(text)
            .map_err(|error| LineError(format!("it is no line of an oracle set: {}", describe_json_fault(&error))))
    }

    /// Returns the line as text, without a line feed.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Derives the line again with the reference engine and compares. A value is solved again and
    /// verified position by position. If that takes more than `solve_limit` positions, it is looked
    /// up in `tables` and verified against the values of the next positions.
    ///
    /// # Errors
    ///
    /// The first difference; a value that neither solver nor tables reach; or a damaged table.
    pub fn verify(
        &self,
        reference: &Reference,
        solve_limit: Option<u64>,
        tables: Option<&mut Prober<'_>>,
    ) -> Result<(), LineError> {
        let game = reference.game();
        let fail = |cause: String| Err(LineError(cause));
        let position = game.parse_position(&self.position).map_err(|error| LineError(format!("position: {error}")))?;
        let mut illegal = Vec::new();
        for forbidden in &self.illegal {
            let text = &forbidden.action;
            let action = game.parse_action(text).map_err(|error| LineError(format!("illegal: {error}")))?;
            match reference.check(&position, action) {
                Ok(()) => return fail(format!("illegal: {text} is legal")),
                Err(why) => illegal.push((action, why.clause)),
            }
        }
        if !self.illegal.is_sorted_by(|a, b| a.action < b.action) {
            return fail("illegal: the actions are not sorted, or one is there twice".to_owned());
        }
        let mut again = Line::of(reference, &position, &illegal);
        if self.value.is_some() || self.plies.is_some() || self.best.is_some() {
            let limit = solve_limit.ok_or_else(|| LineError("value: the manifest says that none is solved".into()))?;
            let error = |error: &dyn std::fmt::Display| LineError(error.to_string());
            let value = match solved(game, &position, limit, true).map_err(|e| error(&e))? {
                None => tables.map(|tables| looked_up(tables, game, &position, true)).transpose(),
                value => Ok(Some(value)),
            };
            let value = value.map_err(|e| error(&e))?.flatten();
            if value.is_none() {
                let cause =
                    format!("value: it takes more than {limit} positions to solve; a set made with tables needs them");
                return fail(cause);
            }
            again.solved(value);
        }
        (again.kind, again.number) = (self.kind.clone(), self.number);
        let differs =
            |what: &str, rules: &str, line: &str| fail(format!("{what}: the rules give {rules}, the line has {line}"));
        if self.position != again.position {
            return differs("position", &again.position, &self.position);
        }
        if self.status != again.status {
            return differs("status", &again.status, &self.status);
        }
        for i in 0..self.actions.len().max(again.actions.len()) {
            let (rules, line) = (again.actions.get(i), self.actions.get(i));
            if rules != line {
                let json = |entry: Option<&LegalAction>| {
                    entry.and_then(|entry| serde_json::to_string(entry).ok()).unwrap_or("none".to_owned())
                };
                let (rules, line) = (json(rules), json(line));
                return fail(format!("actions, entry {}: the rules give {rules}, the line has {line}", i + 1));
            }
        }
        for (rules, line) in again.illegal.iter().zip(&self.illegal) {
            if rules != line {
                return fail(format!(
                    "illegal: {} is illegal by {}, the line says {}",
                    rules.action, rules.clause, line.clause
                ));
            }
        }
        let values = |line: &Line| {
            let plies = line.plies.map(|plies| plies.map_or("null".to_owned(), |plies| plies.to_string()));
            let best = line.best.as_ref().map(|best| if best.is_empty() { "none".to_owned() } else { best.join(" ") });
            let said = [line.value.clone(), plies, best].map(|said| said.unwrap_or("not there".to_owned()));
            format!("value {}, plies {}, best {}", said[0], said[1], said[2])
        };
        if (&self.value, self.plies, &self.best) != (&again.value, again.plies, &again.best) {
            return fail(format!("the rules give {}, the line has {}", values(&again), values(self)));
        }
        Ok(())
    }
}

/// Adds value, plies and best actions, if the solver reaches them with at most `limit` positions.
///
/// # Errors
///
/// If `verify` is set and the verification fails.
pub(super) fn solved(game: &Game, position: &Position, limit: u64, verify: bool) -> Result<Option<Solved>, SolveError> {
    // Do not begin what is far out of reach.
    if positions_at_most(game, &[position]) > u128::from(limit) * 64 {
        return Ok(None);
    }
    let method = if game.rules().can_cycle() { Method::Retrograde } else { Method::Exhaustive };
    let request = Request::new(Limits::default().with_nodes(limit)).by(method);
    let request = if verify { request } else { request.unverified() };
    let solution = match solve(game, position, request, &Silent) {
        Ok(solution) => solution,
        Err(SolveError::Stopped(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_verified = solution.verified.is_some();
    Ok(whole(game, solution).filter(|_| !verify || is_verified))
}

/// Adds value, plies and best actions, if a table has them. With `verify` they are derived again
/// from the next positions.
///
/// # Errors
///
/// If a table is damaged, or the verification fails.
pub(super) fn looked_up(
    tables: &mut Prober<'_>,
    game: &Game,
    position: &Position,
    verify: bool,
) -> Result<Option<Solved>, AnswerError> {
    Ok(tables.solve(position, verify)?.and_then(|solution| whole(game, solution)))
}

/// Returns value, plies and best actions, if the solution has them all.
fn whole(game: &Game, solution: Solution) -> Option<Solved> {
    let Verdict::Value(value) = solution.verdict else { return None };
    Some((value.outcome().name().to_owned(), value.plies(), game.texts(&solution.best?)))
}
