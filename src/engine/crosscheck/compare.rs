//! Compares everything that the two engines say about a position.

use std::fmt;

use super::Totals;
use crate::engine::{Bitboard, Engine, Reference, Transition};
use crate::material::{PodKind, Side};
use crate::position::{Action, Game, Position};

/// A difference between the two engines in a position, with everything needed to reproduce it.
#[derive(Clone, Debug)]
pub struct Difference {
    game: Game,
    position: Position,
    /// The difference.
    pub what: String,
    /// Answer of the reference engine.
    pub reference: String,
    /// Answer of the fast engine.
    pub fast: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the engines differ in: {}", self.what)?;
        writeln!(f, "  reference: {}", self.reference)?;
        writeln!(f, "  fast:      {}", self.fast)?;
        writeln!(f, "rules    {}", self.game.rules())?;
        writeln!(f, "position {}", self.position.display(&self.game))?;
        for kind in self.game.pods().kinds() {
            let spec = self.game.pods().spec(kind);
            writeln!(f, "pod {}    {} (×{})", spec.id, spec.legs, spec.count)?;
        }
        write!(f, "{}", self.game.board().picture())
    }
}

impl std::error::Error for Difference {}

impl Difference {
    /// Returns smaller games and positions, in which the engines may or may not differ.
    pub(super) fn smaller(&self) -> impl Iterator<Item = (Game, Position)> + use<> {
        super::smaller_games(&self.game, &self.position)
    }

    /// Returns the difference as the source of a regression test.
    #[must_use]
    pub fn as_test(&self) -> String {
        let pods = self.game.pods();
        let specs: String = pods
            .kinds()
            .map(|kind| {
                let spec = pods.spec(kind);
                format!("(\"{}\", \"{}\", {}), ", spec.id, spec.legs, spec.count)
            })
            .collect();
        format!(
            "#[test]\nfn engines_agree_on_CASE_NAME() {{\n    // {what}\n    agree(\n        \"\\n{board}\",\n        &[{specs}],\n        \"{rules}\",\n        \"{position}\",\n    );\n}}\n",
            what = self.what,
            board = self.game.board().picture().replace('\\', "\\\\").replace('\n', "\\n"),
            specs = specs.trim_end_matches(", "),
            rules = self.game.rules(),
            position = self.position.display(&self.game),
        )
    }
}

/// Perft 2 is compared in positions with at most this number of actions.
const PERFT_ACTIONS: usize = 40;

/// Compares status, sorted actions, results (next position, returned and removed pods), hashes,
/// texts and perft. Returns how much was compared.
///
/// # Errors
///
/// The first difference.
pub fn compare(reference: &Reference, fast: &Bitboard, position: &Position) -> Result<Totals, Box<Difference>> {
    let game = reference.game();
    let check = Check { game, position };
    let state = fast.state(position);
    check.same(
        &"the position read back from its text",
        &Some(position),
        &game.parse_position(&position.display(game).to_string()).ok().as_ref(),
    )?;
    check.same(&"the position read back from the state", position, &fast.position(&state))?;
    check.same(&"the hash", &fast.hash_from_scratch(position), &state.hash())?;
    check.same(&"the status", &reference.status(position), &fast.status(position))?;
    let actions = reference.sorted_actions(position);
    let mut totals = Totals { positions: 1, actions: actions.len() as u64, ..Totals::default() };
    let texts = |list: &[Action]| list.iter().map(|&a| a.display(game).to_string()).collect::<Vec<_>>();
    check.same(&"the legal actions", &texts(&actions), &texts(&fast.sorted_actions(position)))?;
    check.same(&"the number of actions", &(actions.len() as u64), &fast.count_actions(&state))?;
    for &action in &actions {
        let text = action.display(game).to_string();
        check.same(&"an action read back from its text", &Some(action), &game.parse_action(&text).ok())?;
        let wanted = reference.transition(position, action);
        let found = fast.transition(position, action);
        if wanted != found {
            let [wanted, found] = [wanted, found].map(|result| result_text(game, result.as_ref()));
            return Err(check.difference(&format_args!("the result of {text}"), wanted, found));
        }
        if let Some(wanted) = wanted {
            totals.pushes += u64::from(matches!(action, Action::Shove { .. } | Action::Kick { .. }));
            totals.returns += u64::from(!wanted.returned.is_empty());
            totals.removals += u64::from(!wanted.removed.is_empty());
            let next = fast.play_state(&state, action);
            check.same(&format_args!("the position after {text}"), &wanted.next, &fast.position(&next))?;
            check.same(&format_args!("the hash after {text}"), &fast.hash_from_scratch(&wanted.next), &next.hash())?;
            check.same(
                &format_args!("the status after {text}"),
                &reference.status(&wanted.next),
                &fast.state_status(&next),
            )?;
        }
    }
    for action in near_actions(position, game) {
        let legal = actions.contains(&action);
        let refused = reference.check(position, action).map_err(|illegal| illegal.clause);
        let text = action.display(game).to_string();
        check.same(&format_args!("whether {text} is legal ({refused:?})"), &legal, &refused.is_ok())?;
        if !legal {
            check.same(
                &format_args!("whether {text} can be played"),
                &None::<()>,
                &fast.transition(position, action).map(|_| ()),
            )?;
        }
    }
    for depth in 0..=if actions.len() <= PERFT_ACTIONS { 2 } else { 1 } {
        check.same(&format_args!("perft {depth}"), &reference.perft(position, depth), &fast.perft(position, depth))?;
    }
    Ok(totals)
}

fn result_text(game: &Game, result: Option<&Transition>) -> String {
    let ids = |kinds: &[PodKind]| kinds.iter().map(|&kind| game.pods().id(kind)).collect::<String>();
    result.map_or_else(
        || "illegal".to_owned(),
        |t| format!("{}, returned {:?}, removed {:?}", t.next.display(game), ids(&t.returned), ids(&t.removed)),
    )
}

/// Comparison of two answers, which describes them only if they differ.
struct Check<'a> {
    game: &'a Game,
    position: &'a Position,
}

impl Check<'_> {
    fn same<T: PartialEq + fmt::Debug>(
        &self,
        what: &dyn fmt::Display,
        reference: &T,
        fast: &T,
    ) -> Result<(), Box<Difference>> {
        if reference == fast {
            return Ok(());
        }
        Err(self.difference(what, format!("{reference:?}"), format!("{fast:?}")))
    }

    fn difference(&self, what: &dyn fmt::Display, reference: String, fast: String) -> Box<Difference> {
        let (game, position) = (self.game.clone(), self.position.clone());
        Box::new(Difference { game, position, what: what.to_string(), reference, fast })
    }
}

/// Returns some actions, legal or not: the placements of the first kind of pod on every point, and
/// moves, shoves and kicks between the points around each pod.
fn near_actions(position: &Position, game: &Game) -> Vec<Action> {
    let mut actions = Vec::new();
    for at in game.board().points() {
        actions.extend(game.pods().kinds().take(1).map(|kind| Action::Place { kind, at }));
    }
    let mover = position.to_move();
    for (from, _) in position.pods().filter(|(_, pod)| pod.side == mover || mover == Side::Black).take(4) {
        for to in crate::geometry::Direction::ALL.into_iter().filter_map(|d| game.board().neighbour(from, d)) {
            actions.extend([
                Action::Move { from, to },
                Action::Shove { from, to },
                Action::Kick { from, to, distance: 1 },
                Action::Kick { from, to, distance: 2 },
            ]);
        }
    }
    actions
}
