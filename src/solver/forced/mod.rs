//! Forced wins within a number of plies, in any game, by proof-number search (df-pn: Nagai, 2002).
//!
//! # Why repetition does no harm
//!
//! The question asked of a position is not "does the attacker win?", whose answer may hang on the path in games that can
//! repeat positions, but "can the attacker force a win within r plies?". Its answer is a property of the pair (position, r)
//! alone, by induction on r: with r = 0 it is yes only if the attacker has won; else it is yes if one action of the
//! attacker's, or all actions of the defender's, lead to positions from which the answer for r − 1 is yes. The table is
//! keyed by position *and* r, and r falls with every ply, so what is searched is a graph without cycles: no path ever
//! comes back to an entry that is still being worked on, and the graph-history problem of proof-number search does not
//! arise. A drawn position has no forced win within any number of plies, and that is what the search says for each r.
//!
//! Numbers of plies are tried one after the other, so a win that is found is the shortest, and its plies are its distance
//! (R33). No win within N plies says nothing about N + 1.
//!
//! # Positions that need no search
//!
//! Where pods move without shoves and are captured after every turn, and at least one action has been played, a win within
//! r plies is ruled out if the attacker holds more pods than it has turns left, (r + 1) / 2 rounded down, when it is to
//! move (r / 2 when not), and the defender has more than (D + 1) · r pods on the board, D being the most lines at a point.
//! **Proof.** The attacker wins by an empty hand or by a defender without an action (R19, R20). The hand shrinks by at most one
//! a turn. As for the other: after captures no pod on the board is blocked, for removals only add liberties (R18); and a pod with
//! a liberty can move there (R17). So a defender without an action has no pod on the board. An action fills one point, by
//! which at most the D pods joined to it and the acting one become blocked; so at most D + 1 pods leave the board each ply. ∎
//!
//! Where pods move, a last action of the attacker's can leave the defender without an action only if few pods have a liberty.
//! Without shoves: only if the defender's pods have at most one point for a liberty between them. With shoves: only if at
//! most as many of them have two liberties or more as a line has points.
//! **Proof.** An action fills at most one empty point, x: a placed or moved pod's own, the last one's of a row that is
//! shoved, the kicked one's. Captures only empty points. So a pod that stays where it is and has a liberty other than x is
//! not blocked, hence not captured, and can move there (R17). Without shoves no pod of the defender's is shifted. With them
//! those of one line are at most; any other one with two liberties has one left. ∎
//!
//! # How fast
//!
//! Board `cave36`, `pods14`, 40 random positions of each rule set in which no hand has more than 3 pods
//! (`scripts/forced.sh`, rows in `results/forced/`), 7 plies, one thread: a median of 0.018 CPU seconds in `advanced`, 0.005 in
//! `very-advanced`, at most 0.16. Before the last two plies were settled at first sight, without the table, the median was
//! 0.76 and 0.58 on such positions; the answers are the same.

mod proof;

pub use proof::{Forced, ForcedAnswer, Reply, forced_win};

#[cfg(test)]
mod tests;
