//! Monte Carlo tree search with the learned evaluation in place of random play, and with proofs
//! backed up its tree.
//!
//! Each round walks from the root to a position whose actions are not in the tree yet, evaluates
//! the position after each of them, and takes the best of these guesses for that position. Every
//! action on the way keeps the mean of the guesses that it has led to. At each position the walk
//! takes the action with the largest sum of that mean and of a bonus, which is the larger the
//! better the first guess of the action was, and the smaller the oftener it was taken (PUCT: Rosin,
//! 2011; Silver et al., 2017). The action to play is the one that was taken most.
//!
//! # Proofs
//!
//! An action is proven to win if it ends the game so, or if all actions of the position after it
//! are proven to lose, or there is none (R15, R20); it is proven to lose if it ends the game so, or
//! if one action of the position after it is proven to win (Winands, Björnsson and Saito, 2008).
//! Guesses have no part in this, and a position that was dropped from the tree, or that repeats an
//! earlier one, proves nothing. So behind a proof stands a finite tree: an action for each position
//! of the winner's, all actions for each position of the loser's, and at each end a finished game.
//! Who plays by it wins within as many plies as the tree is high, whatever was played before: such
//! a line never needs a position twice, so repetition (R21) does not touch it. The tree holds no
//! two nodes to be one because they have the same hash; hashes only tell repetitions. The height of
//! the tree is not the distance (R33), since a shorter win may not have been looked at, so proofs
//! of this search name no distance.
//!
//! A position that comes back on the way from the root, or was there earlier in the game, counts as
//! a draw in the guesses.
//!
//! # Limits
//!
//! A node is a position that is evaluated, or looked at again where nothing is to be evaluated.
//! Threads share the tree and the nodes. While a thread is below an action, the action counts as a
//! loss, so that other threads take other ones. The tree stays within its memory: when that is
//! full, the positions with the fewest visits are dropped.

mod branches;
mod search;
#[cfg(test)]
mod tests;

pub(super) use search::{Grown, TreeSearch};
