//! Knowledge of the table about a position, and about those after its placements.

use super::bounds::Lives;
use super::key::Key;
use super::negamax::Worker;
use super::node::{Node, Placement, Used};
use super::table::Known;
use super::used::Names;

impl Worker<'_> {
    pub(super) fn key_of(&self, node: &Node) -> Key {
        self.named_key(node).0
    }

    /// Returns the key of a position, its pairs, and its names.
    fn named_key(&self, node: &Node) -> (Key, Lives, Names) {
        let lives = Lives::new(self.shared.field, node);
        let mut names = Names::default();
        (self.key(node, &lives, &mut names), lives, names)
    }

    /// Returns the points and pods that the winner of the node searched last uses, as the word that
    /// the table keeps.
    pub(super) fn word(&self, node: &Node, lives: &Lives, names: &Names, win: bool) -> u64 {
        let winner = if win { node.mover } else { 1 - node.mover };
        names.word(node, lives, winner as usize, self.used)
    }

    /// Returns what the winner uses in a position that the table knows.
    pub(super) fn used_by(&self, node: &Node, lives: &Lives, names: &Names, known: Known) -> Used {
        let winner = if known.win { node.mover } else { 1 - node.mover };
        // Without the canonical key, what may live can differ in positions with equal keys.
        if self.shared.features.canonical { names.used(node, lives, winner as usize, known.used) } else { Used::ALL }
    }

    /// Returns `true` if the opponent wins after a placement, with what the winner uses then;
    /// `None` if the table does not know.
    pub(super) fn known(&self, node: &Node, placement: Placement) -> Option<(bool, Used)> {
        let next = node.play(self.shared.field, placement);
        let (key, lives, names) = self.named_key(&next);
        let known = self.shared.table.get(key)?;
        Some((known.win, self.used_by(&next, &lives, &names, known)))
    }

    /// Returns a pending placement of which the table knows that it wins, and sets what it uses.
    pub(super) fn known_to_win(&mut self, node: &Node, first: usize) -> Option<Placement> {
        let wins = |&(_, p): &(i32, Placement)| self.known(node, p).filter(|known| !known.0).map(|known| (p, known.1));
        let (best, used) = self.pending[first..].iter().find_map(wins)?;
        (self.used, self.winner_took) = (used, 0);
        self.used.add(best);
        Some(best)
    }
}
