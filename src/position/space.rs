//! Numbers for the actions of a game.

use crate::geometry::{Direction, MAX_POINTS, MAX_SPAN, Point, PointSet};

use super::{Action, Game};

/// The actions that a position of a game can have, numbered from 0 in the order of their notation.
///
/// Under rules without moves they are the placements; under rules without shoves there are no
/// shoves and kicks. Every legal action of every position has a number; some numbered ones are
/// legal in no position.
#[derive(Clone, Debug)]
pub struct ActionSpace {
    actions: Vec<Action>,
    /// Numbers of placements, by kind and point.
    placements: Vec<u16>,
    /// Numbers of moves, by the two points.
    moves: Vec<u16>,
    shoves: Vec<u16>,
    /// Numbers of kicks, by the two points and the distance.
    kicks: Vec<u16>,
}

/// Mark of actions without a number.
const NONE: u16 = u16::MAX;

fn pair(from: Point, to: Point) -> usize {
    from.index() * MAX_POINTS + to.index()
}

impl ActionSpace {
    /// Returns the space of a game.
    #[must_use]
    pub fn new(game: &Game) -> ActionSpace {
        let (board, options) = (game.board(), game.rules().options());
        let mut actions: Vec<Action> =
            game.pods().kinds().flat_map(|kind| board.points().map(move |at| Action::Place { kind, at })).collect();
        let ways = || board.points().flat_map(|from| Direction::ALL.into_iter().map(move |d| (from, d)));
        for (from, direction) in ways().filter(|_| options.moves) {
            for to in board.run(from, direction, PointSet::EMPTY) {
                actions.push(Action::Move { from, to });
                if options.shoves {
                    actions.push(Action::Shove { from, to });
                }
            }
            if let Some(to) = board.connected(from, direction).filter(|_| options.shoves) {
                let beyond =
                    std::iter::successors(board.neighbour(to, direction), |&at| board.neighbour(at, direction));
                actions.extend((1..).zip(beyond).map(|(distance, _)| Action::Kick { from, to, distance }));
            }
        }
        game.sort_actions(&mut actions);
        let pairs = |wanted: bool| vec![NONE; if wanted { MAX_POINTS * MAX_POINTS } else { 0 }];
        let mut space = ActionSpace {
            placements: vec![NONE; game.pods().kinds().len() * MAX_POINTS],
            moves: pairs(options.moves),
            shoves: pairs(options.moves && options.shoves),
            kicks: vec![NONE; if options.moves && options.shoves { MAX_POINTS * MAX_POINTS * MAX_SPAN } else { 0 }],
            actions: Vec::new(),
        };
        for (number, &action) in (0..).zip(&actions) {
            if let Some(place) = space.place_of(action) {
                *place = number;
            }
        }
        ActionSpace { actions, ..space }
    }

    fn place_of(&mut self, action: Action) -> Option<&mut u16> {
        match action {
            Action::Place { kind, at } => self.placements.get_mut(kind.index() * MAX_POINTS + at.index()),
            Action::Move { from, to } => self.moves.get_mut(pair(from, to)),
            Action::Shove { from, to } => self.shoves.get_mut(pair(from, to)),
            Action::Kick { from, to, distance } => {
                self.kicks.get_mut(pair(from, to) * MAX_SPAN + usize::from(distance).min(MAX_SPAN - 1))
            }
        }
    }

    /// Returns the actions by number.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Returns the number of an action; `None` for one that no position has.
    #[must_use]
    #[inline]
    pub fn number(&self, action: Action) -> Option<u16> {
        let number = match action {
            Action::Place { kind, at } => self.placements.get(kind.index() * MAX_POINTS + at.index()),
            Action::Move { from, to } => self.moves.get(pair(from, to)),
            Action::Shove { from, to } => self.shoves.get(pair(from, to)),
            Action::Kick { distance, .. } if usize::from(distance) >= MAX_SPAN => None,
            Action::Kick { from, to, distance } => self.kicks.get(pair(from, to) * MAX_SPAN + usize::from(distance)),
        };
        number.copied().filter(|&number| number != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{BUILTIN_BOARDS, builtin_board, builtin_pods};
    use crate::rules::Preset;

    #[test]
    fn numbers_are_the_order_of_the_notation() {
        for &(name, _) in BUILTIN_BOARDS {
            for preset in Preset::ALL {
                let board = builtin_board(name).unwrap();
                let game = Game::new(board, builtin_pods("pods14").unwrap(), preset.into());
                let space = ActionSpace::new(&game);
                let texts: Vec<String> =
                    space.actions().iter().map(|&action| action.display(&game).to_string()).collect();
                assert!(texts.is_sorted_by(|a, b| a < b), "{name} {preset:?}");
                assert!(texts.len() < usize::from(NONE), "{name} {preset:?}");
                for (number, &action) in space.actions().iter().enumerate() {
                    assert_eq!(space.number(action), Some(number as u16), "{name} {preset:?}");
                }
            }
        }
    }
}
