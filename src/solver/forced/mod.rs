//! Forced wins within a number of plies, in any game, by proof-number search (df-pn: Nagai, 2002).
//!
//! # Why repetition does no harm
//!
//! The question asked of a position is not "does the attacker win?", whose answer may depend on the
//! path in games that can repeat positions, but "can the attacker force a win within r plies?". Its
//! answer is a property of the pair (position, r) alone, by induction on r: with r = 0 it is yes
//! only if the attacker has won; with r > 0 it is also yes if the game goes on and one action of
//! the attacker (when it is to move) or every action of the defender (when it is) leads to a
//! position whose answer for r − 1 is yes. The table is keyed by position *and* r, and r falls with
//! every ply, so the graph that is searched has no cycles: no path comes back to an entry that is
//! still being searched, and the graph-history problem of proof-number search does not arise. A
//! drawn position has no forced win within any number of plies, and that is what the search says
//! for each r.
//!
//! Numbers of plies are tried one after the other, so a win that is found is the shortest, and its
//! plies are its distance (R33). No win within N plies says nothing about N + 1.
//!
//! # Positions that need no search
//!
//! Under rules with moves, without shoves, and with captures after every turn, once an action has
//! been played: a win within r plies is ruled out if the attacker holds more pods than it has turns
//! left, (r + 1) / 2 rounded down, if it is to move and r / 2 if not, and the defender has more
//! than (D + 1) · r pods on the board, where D is the largest number of lines at a point.
//! **Proof.** The attacker wins by an empty hand or by a defender without an action (R19, R20). The
//! hand shrinks by at most one a turn. The second way takes a defender without pods on the board:
//! after captures no pod on the board is blocked, since removals only add liberties (R18), and a
//! pod with a liberty can move there (R17). An action fills one point, which blocks at most the
//! acting pod and the D pods on its neighbours; so at most D + 1 pods leave the board each ply. ∎
//!
//! Where pods move, a last action of the attacker's can leave the defender without an action only
//! if few pods have a liberty. Without shoves: only if the defender's pods have at most one point
//! for a liberty between them. With shoves: only if no more of them have two liberties or more than
//! the longer side of the board's grid has points. **Proof.** An action fills at most one empty
//! point, x: a placed or moved pod's own, the last one's of a row that is shoved, the kicked one's.
//! Captures only empty points. So a pod that stays where it is and has a liberty other than x is
//! not blocked, hence not captured, and can move there (R17). Without shoves no pod of the
//! defender's is shifted. With shoves, only pods of one line are; any other pod with two liberties
//! keeps one. ∎
//!
//! `results/laboratory/forced` has how fast that is.

mod proof;

pub use proof::{Forced, ForcedAnswer, Reply, forced_win};

#[cfg(test)]
mod tests;
