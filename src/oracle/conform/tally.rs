//! How many checks have touched each clause.

use std::collections::BTreeMap;

use crate::engine::{Engine, Reference, Status};
use crate::material::Side;
use crate::position::{Action, Position};
use crate::rules::Clause;

/// What a run has gone through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// Questions.
    pub questions: u64,
    /// Perft counts among them.
    pub counts: u64,
    /// By clause: checks whose answer depends on it.
    pub clauses: BTreeMap<Clause, u64>,
}

impl Tally {
    /// Counts a check for a clause.
    pub(super) fn touch(&mut self, clause: Clause) {
        *self.clauses.entry(clause).or_default() += 1;
    }

    fn touch_if(&mut self, clause: Clause, condition: bool) {
        if condition {
            self.touch(clause);
        }
    }

    /// A position whose status and actions are compared.
    pub(super) fn position(&mut self, reference: &Reference, position: &Position, actions: usize) {
        self.positions += 1;
        let (game, options) = (reference.game(), reference.game().rules().options());
        let by_hand = position.won_by_empty_hand(game);
        let stuck = by_hand.is_none() && matches!(reference.status(position), Status::Won(_));
        self.touch_if(Clause::R30, by_hand.is_some());
        self.touch_if(if options.moves { Clause::R20 } else { Clause::R15 }, stuck);
        self.touch_if(Clause::R16, stuck && position.hand(position.to_move()).is_empty());
        self.touch_if(Clause::R32, position.is_open());
        self.touch_if(Clause::R31, !reference.blocked_pods(position).is_empty());
        self.touch_if(Clause::R14, !options.moves && actions > 0);
        let foes = position.pods().any(|(_, pod)| pod.side != position.to_move());
        self.touch_if(Clause::R5, foes && options.attack_through);
        let turned = |(_, pod): (_, crate::position::Pod)| {
            let legs = game.pods().legs(pod.kind);
            pod.side == Side::Black && legs.on_board(Side::Black) != legs
        };
        self.touch_if(Clause::R4, position.pods().any(turned));
    }

    /// A legal action whose result is compared.
    pub(super) fn played(&mut self, reference: &Reference, position: &Position, action: Action) {
        let (game, options) = (reference.game(), reference.game().rules().options());
        let foes = position.pods().any(|(_, pod)| pod.side != position.to_move());
        match action {
            Action::Place { .. } => {
                self.touch(Clause::R10);
                self.touch_if(Clause::R9, position.is_open());
                self.touch_if(Clause::R11, foes);
                self.touch_if(Clause::R12, foes);
                self.touch_if(Clause::R13, options.placement_liberty);
            }
            Action::Move { .. } => self.touch(Clause::R17),
            Action::Shove { from, to } => {
                self.touch(Clause::R22);
                let (a, b) = (game.board().coord(from), game.board().coord(to));
                self.touch_if(Clause::R23, a.row.abs_diff(b.row).max(a.column.abs_diff(b.column)) > 1);
            }
            Action::Kick { .. } => self.touch(Clause::R24),
        }
        let Some(result) = reference.apply(position, action) else { return };
        let taken = !result.returned.is_empty() || !result.removed.is_empty();
        let pushed = matches!(action, Action::Shove { .. } | Action::Kick { .. });
        self.touch_if(Clause::R18, taken && !pushed);
        self.touch_if(Clause::R27, taken && pushed);
        if let Some(winner) = result.next.won_by_empty_hand(game) {
            let own = winner == position.to_move();
            self.touch(if !own {
                Clause::R30
            } else if options.moves {
                Clause::R19
            } else {
                Clause::R16
            });
        }
    }
}
