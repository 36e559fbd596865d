//! Search of placement games of any size: who wins a position of a game without moves and captures.
//!
//! A depth-first search to the end of the game. Its features can be switched off one by one
//! ([`SearchFeatures`]):
//!
//! - **denial**: placements are tried in the order of how many pairs of pod and point they take
//!   from the opponent and how few from their player;
//! - **history**: placements that won elsewhere in the search are tried earlier, those that failed
//!   later (`history.rs`);
//! - **canonical key**: the table is keyed by what the rest of the game depends on, so positions
//!   with different pasts and the same future share an entry; **nameless**: so do positions that
//!   differ only in legs that no longer matter (the proofs are in the sources, `canonical.rs`);
//! - **bounds**: matchings between pods and points give a lower and an upper bound on the
//!   placements that each side can still make, which ends many lines early (`bounds.rs`,
//!   `counting.rs`);
//! - **covers**: where an empty hand loses, one search refutes all replies on a point, by a
//!   *covering* position, which is at least as good for the loser as what any of them leads to (the
//!   proof is in the sources, `cover.rs`);
//! - **ghosts**: one search refutes the replies on several points that take nothing from the
//!   opponent, by virtual pods on all of them and passes in place of these replies (the proof is in
//!   the sources, `ghosts.rs`);
//! - **races**: where refutations are long, a covering position and the replies that it covers are
//!   searched in turn (`cover.rs`);
//! - **turns**: where a placement takes a million nodes, others are tried before it is searched on;
//!   what won lately may take more (`turns.rs`);
//! - **dominance**: where an empty hand loses, a position that the table does not know takes its
//!   value from a searched one with the same points held that covers it or that it covers (the
//!   proof is in the sources, `dominance.rs`);
//! - **conflicts**: games of fixed conflicts, such as Snort, have a search of their own, with the
//!   features **regions**, **weighing**, **walls**, **inferior** and **mirror** (`conflict`).
//!
//! Threads share the table, and near the root each takes replies that no other one is searching
//! (`sharing.rs`). Values are exact, so the outcome does not depend on their number; only the
//! winning action that is named and the number of nodes may. With one thread every run does the
//! same.
//!
//! Where a limit is reached, the answer says so, and names the actions of the root that are known
//! to lose. The table can then be saved, and another run can continue from it ([`Search::save`],
//! [`Search::load`]).
//!
//! # What each feature saves
//!
//! Board `cave36`, `pods14`, whole hands, `standard`, 40 positions after 12 random plies (`pods
//! frontier --ply 12`), one thread, a table of 64 MiB; nodes to solve all of them, with a limit of
//! 3 million for each; all were solved:
//!
//! | features | nodes | CPU seconds |
//! | --- | --- | --- |
//! | denial | 6,610,098 | 3.05 |
//! | denial, bounds | 2,128,828 | 1.81 |
//! | denial, canonical, nameless | 1,644,530 | 1.54 |
//! | denial, canonical, bounds | 1,201,418 | 1.25 |
//! | all | 919,184 | 1.11 |
//!
//! These rows were measured without covers. With and without covers, on the positions of
//! `results/frontier` (all four orientations, one thread, a table of 1 GiB; all solved, with the
//! same values):
//!
//! | ply | positions | nodes without covers | with |
//! | --- | --- | --- | --- |
//! | 12 | 40 | 724,762 | 539,235 |
//! | 10 | 40 | 8,328,095 | 3,594,238 |
//! | 8 | 20 | 71,433,881 | 8,362,728 |
//! | 6 | 4 | 82,048,349 | 3,722,128 |
//!
//! Two later changes on the same positions: the limit of a covering search is measured by the
//! longest refutation instead of the last one, and dominance (nodes; CPU seconds on a machine with
//! much other work):
//!
//! | ply | covers | longest refutation as the measure | and dominance | CPU seconds before | after |
//! | --- | --- | --- | --- | --- | --- |
//! | 12 | 543,739 | 570,380 | 402,659 | 0.71 | 0.55 |
//! | 10 | 3,638,556 | 3,673,901 | 2,589,494 | 4.97 | 3.56 |
//! | 8 | 8,454,650 | 7,074,206 | 4,604,946 | 15.6 | 7.44 |
//! | 6 | 3,784,645 | 3,225,122 | 1,876,277 | 6.27 | 3.01 |
//!
//! Three more: placements on points where one has failed are tried after those on other points;
//! races between a covering position and the replies that it covers where refutations are long; and
//! a refutation that the table knows counts with the nodes that it once took (nodes; the 24
//! positions at ply 5 were drawn by denial with some noise, the one at ply 3 follows strong play):
//!
//! | positions | before | other points first | and races | and known refutations |
//! | --- | --- | --- | --- | --- |
//! | ply 12, 40 | 402,659 | 405,100 | 405,100 | 403,598 |
//! | ply 10, 40 | 2,589,494 | 2,617,472 | 2,619,382 | 2,573,998 |
//! | ply 8, 20 | 4,604,946 | 4,110,533 | 4,041,574 | 4,170,825 |
//! | ply 6, 4 | 1,876,277 | 1,580,373 | 1,290,876 | 1,160,371 |
//! | ply 5, 24 | 7,012,167 | 7,551,391 | 8,412,023 | 6,973,542 |
//! | ply 3, 1 | 107,871,129 | 93,361,876 | 28,206,763 | 21,371,380 |
//!
//! Then the order counts the points that the opponent loses (`order.rs`); before, it counted pairs
//! of pod and point only:
//!
//! | positions | pairs | points and pairs |
//! | --- | --- | --- |
//! | ply 12, 40 | 403,598 | 401,100 |
//! | ply 10, 40 | 2,573,998 | 1,720,685 |
//! | ply 8, 20 | 4,170,825 | 2,629,705 |
//! | ply 6, 4 | 1,160,371 | 632,664 |
//! | ply 6, 20 | 14,100,816 | 7,945,675 |
//! | ply 4, 4 | 10,382,743 | 1,304,070 |
//! | ply 3, 1 | 21,371,380 | 15,484,619 |
//!
//! A node costs the same. The gain grows towards the start. On setups of four or five pods a side
//! the new order takes between 6 % fewer and 6 % more nodes.
//!
//! Then history, and covers of the first reply too where a node is expected to be lost:
//!
//! | positions | before | history | and first replies covered |
//! | --- | --- | --- | --- |
//! | ply 12, 40 | 401,100 | | 221,976 |
//! | ply 10, 40 | 1,720,685 | | 837,561 |
//! | ply 8, 20 | 2,629,705 | | 1,329,987 |
//! | ply 6, 20 | 7,945,675 | | 2,419,652 |
//! | ply 4, 4 | 1,304,070 | | 228,286 |
//! | ply 6 after strong play, 100, limit of a million each | 20,865,251 (10 open) | 5,876,985 (1 open) | 3,971,820 (1 open) |
//! | ply 4 after strong play, 24, limit of 8 million each | | 24,323,520 (1 open) | 13,308,194 (0 open) |
//!
//! On the 100 positions the geometric mean falls to 0.36 by history, and to 0.56 of that by covers;
//! a node costs the same. In history, counts that do not fade take 1.39 times the nodes; on 120
//! other positions it comes to 0.51 without counts of failures and 0.42 with them. Covers of the
//! first reply at every node (0.92 to 0.99 instead of 0.56), or in a race (0.61 to 0.69), gain
//! less. Nothing was gained by a history of what wins after the opponent's last placement, by one
//! that is kept from search to search (9 % more nodes), by covers that get fewer nodes where they
//! have failed at the same ply and point, or by a look whether the table knows a winner among the
//! best 4 or 20 placements before the first is searched (2 %; 1,000 of them at the first 8 plies
//! 0.3 %). The best reply on a point searched before its covering position takes 1.2 to 7 times the
//! nodes.
//!
//! Turns: openings at 90° that were open before (million nodes, each with the table that was there;
//! here a point was put aside as a whole, and the first turn had 4 million nodes):
//!
//! | opening | without turns, in vain | decided with turns after |
//! | --- | --- | --- |
//! | b@c5 | 1,430 | 850 |
//! | d@c5 | 1,040 | 138 |
//! | d@c4 | 1,430 | 577 |
//!
//! With turns for each placement, of a million nodes in the first round, three positions at 270°
//! are won from an empty table (million nodes; `6/2B3/6/6/3o2/6 w cdfghjkopqtvy bcdfghjkpqtvy -`,
//! and with h@c3 and t@d2 instead of o@d2):
//!
//! | reply to b@c5 | turns by point, in vain | by placement | of 300,000 nodes |
//! | --- | --- | --- | --- |
//! | o@d2 | 165 | 49 | 57 |
//! | h@c3 | 81 | 5.4 | 36 |
//! | t@d2 | 81 | 75 | 41 |
//!
//! On the 24 positions at ply 4 after strong play, which take half a million nodes each, they take
//! 14,198,031 nodes instead of 13,466,860.
//!
//! A longer first turn for what won lately (one thread, 1 GiB, million nodes): o@d2 47.3 instead of
//! 49.1, t@d2 75.3 as before, and `2o2g/3O2/q5/1B4/1G4/5F b cdhjkpqtvy bcdfhjkptvy -` at 180°,
//! where k@c5 wins, 124.1 instead of 217.4.
//!
//! Before races, 73 million nodes at ply 3 went into one covering position that is not refuted.
//! Races save nodes near the root only. A search that is stopped and goes on from a small
//! checkpoint each 4 million nodes takes 29 million nodes at ply 3; before known refutations
//! counted it took 51 million, as it gave the covering positions up at once. Dominating entries
//! could count as well; that gains nothing more (ply 8 4,142,711, ply 6 1,580,904, ply 5 6,651,460,
//! ply 3 21,510,629).
//!
//! Two threads, each with a core of its own (time of the search alone, the least of three runs;
//! several such measurements), are 1.6 to 1.7 times as fast as one on the 20 positions at ply 8,
//! 1.4 to 1.5 times on those at ply 6, and 1.97 times on the 4 at ply 4; they visit 1.2, 1.3 and
//! 0.98 times the nodes. Most positions gain 1.7 to 2.0 (median at ply 6 1.82); the sum at ply 6 is
//! half of it one position, which gains 1.39: there the helper refutes replies that the search
//! never comes to, since another one wins. Before threads went back where another one had settled a
//! node above, the three gains were 1.26, 1.49 and 1.93. Marks down to 5, 12 or 20 plies instead of
//! 8 change nothing.
//!
//! These figures are from before the history. With a history of its own for each thread, two are
//! 1.84 times as fast on 24 positions at ply 4 after strong play; with one that they share, 1.99
//! times (13.4 million nodes by one thread, 14.6 and 13.1 million by two). On 100 positions at ply
//! 6 they are 1.3 to 1.4 times as fast either way: these take 40,000 nodes each. Sharing what won
//! lately as well gains nothing.
//!
//! The seconds are those of a machine with other work, and compare only with each other. Without
//! denial such a set was not done in a minute. The sets of points that pods see and reach are
//! updated from node to node; when each node computed them afresh, the 1,201,418 nodes took 1.95 s.
//!
//! With the order by pairs alone, where a placement wins, the first one tried wins in 97 % of the
//! nodes, and the search without the failed tries would have some three quarters of the nodes (ten
//! positions at ply 10). That a better order gains more has two reasons: failed tries near the root
//! cost most, and a win that is clearer has a smaller proof.
//!
//! Tried and left out, since they took more nodes: killer placements (+6 %; before there was a
//! history), and weights of 1 to 3 for what the opponent loses (up to +50 %).
//!
//! Tried and left out as well: proof-number search near the root, with depth-first searches of
//! 2,000 nodes and more at its leaves and proof numbers fitted to the nodes that such searches
//! take. The four positions at ply 6, on which it was fitted (the best of some twenty settings),
//! took 1,971,315 nodes with it instead of 3,722,128, but those at ply 8 12,425,496 instead of
//! 8,362,738, and those at ply 10 4,908,414 instead of 3,594,238. Its success depends on the scale
//! of its numbers: with unscaled ones ply 6 took 10,970,257. Between 35 and 79 % of the nodes at
//! ply 6 lie below covering positions that are not refuted after all.
//!
//! Of the nodes below covers that fail, three quarters lie where the side that the cover should
//! beat wins the node itself, so no other cover could refute it. Tried there and left out: covers
//! given up earlier, or not tried, where the winner has fewer open points than the loser (half of
//! these fail; +1 to +22 % nodes, and up to 2.9 times as many with a low limit), limits of 32 to
//! 1,000 times the longest refutation (within 15 %), and a look at all other replies before the
//! first cover (0 to +38 %). All but the limits were measured before dominance. Dominance among
//! positions with the same points held, by whichever side, finds no more values.
//!
//! Tried and left out too: an upper tree. After four million nodes the search goes on best-first,
//! with a tree of the first plies and proof numbers in nodes, as `pods jobs` does, and leaves of up
//! to four million nodes: 24,322,247 nodes at ply 3 instead of 21,371,380 (with leaves of 300,000,
//! six positions at plies 4 and 6 took 18,882,646 instead of 20,666,717; with leaves of a million
//! 23,922,496). A look one ply ahead, which counts what may still live after each placement, in
//! place of the order by pairs takes 10,182,132 nodes at plies 6 and 8 instead of 18,271,641, but
//! each node then costs three times as much; the order by points comes to 10,575,380 at no cost.
//!
//! A third look at both: where the first placement of a node is not decided within 20,000 nodes,
//! the best 24 placements are scored anew by an alpha-beta search of the six best replies to each,
//! with points and pairs that either side may still place counted at its leaves, and what bounds
//! and table know: 27,550,930 nodes for twenty positions at ply 6 instead of 7,945,675 with two
//! plies, 10,791,045 with none; the best eight by one ply 8,036,939. So greed, which only counts
//! what the opponent loses, orders better than such a look. And an upper tree by *expected work*
//! (each placement has a chance to win, which falls with its place in the order and with each
//! search in vain; the one with the least work by chance comes first; leaves of 50,000 to 200,000
//! nodes): the opening b@f5 at 0°, 15,386,564 nodes depth-first, was not decided after 26,860,492;
//! d@d4 by proof numbers (leaves of up to a million) not after 63,726,286. A fourth one, by proof
//! numbers, each reply by itself and no covers in the tree, leaves of 16,000 to a million nodes:
//! the opening b@d5 at 90° takes 156,073,981 nodes instead of some 59 million; `5c/3O2/q3Q1/1B4/6/6
//! b cdfghjkptvy bdfghjkoptvy -` at 180°, where all but few replies lose soon, 7,256,593 instead of
//! 7,845,840. A fifth, for two threads, whose leaves are searched with 400,000 nodes, so that each
//! placement gets 6,000 first, and whose proof numbers are the replies that this leaves open: some
//! 5 billion nodes after b@b3 q@a4 o@d5 at 180° decide neither c@f6 nor g@f6. Of what it left open,
//! depth-first search with its table decides `2o2g/2kO1h/q5/1B4/1G4/2Q2F w cdhjkptvy bcdfjptvy -`
//! with 0.6 million nodes and `2o2g/2kO2/q5/1B4/1G4/5F w cdhjkpqtvy bcdfhjptvy -`, where 75 of 105
//! placements were still open, with 119 million.
//!
//! # How much of a search is proof
//!
//! A proof needs few nodes: `results/proofs` has certificates of all positions of
//! `results/frontier`, and counts their choices and replies. Before races, four positions at ply 6
//! took 1,876,277 nodes together: 110,927, 713,313, 78,317 and 973,720. Their certificates follow
//! 8,398, 20,106, 14,641 and 20,162 replies. Of the nodes of the search 13 % lie in the final
//! proof, 50 % below placements that fail where another one wins, 23 % below covers that fail where
//! every reply loses, and 15 % below covers that fail where a reply wins. For the hardest position
//! at ply 8 (1,693,333 nodes) the shares are 11, 56, 6 and 27 %.
//!
//! Three ways to waste less were tried and left out. *Budgets in turn*: the first placement gets a
//! budget of nodes; if that does not suffice, the second gets a part of it, and so on, in rounds of
//! growing budgets (first budgets of 500 to 50,000, parts of a fourth to a sixteenth): at best
//! 1,933,845 nodes at ply 6 and 4,811,284 at ply 8 instead of 1,876,277 and 4,604,946. *Random
//! play*: near the root the first ten placements are ordered by the games that they win, of 32 each
//! played by denial with some noise: 1,486,197 to 7,112,588 at ply 6, 6,193,531 to 15,220,745 at
//! ply 8; among the first thirty up to 44,580,164. *Weighing* as in `conflict`, with hands: the
//! winner's placements are planned on the points of a smallest set of points and pods that meets
//! every pair of the opponent, and each is weighed by how many of them one placement of the
//! opponent can end: 2,582,166 instead of 2,589,494 at ply 10, since the opponent has far more
//! points where it might still come than the side that wins has placements.
//!
//! # Snort
//!
//! Snort is played with pods of four short legs on a grid, without R13, with hands that never run
//! out. Mirroring settles every grid from the second placement on (`conflict`): the first player
//! wins if a side is odd, else loses; 8 × 8 takes 65 nodes, 5 × 6, 6 × 7 and 7 × 7 take 2. Without
//! the mirror (nodes; CPU seconds on a machine with other work, which compare only with each
//! other):
//!
//! | features | 5 × 6 | 6 × 6 | seconds | 6 × 7 | seconds |
//! | --- | --- | --- | --- | --- | --- |
//! | all but the mirror | 1,927 | 186,221 | 0.34 | 156,098 | 0.35 |
//! | without inferior placements | 2,158 | 288,787 | 0.63 | 190,577 | 0.55 |
//! | without walls | 5,138 | 487,354 | 0.72 | 401,352 | 0.61 |
//! | without both | 6,039 | 787,752 | 1.50 | 506,068 | 0.99 |
//!
//! All but the mirror settle 7 × 7 with 1,398,542 nodes in 4.7 s, instead of 4,928,946, and 7 × 8,
//! where the first player wins, with 31,734,679 (a table of 2 GiB). Of the positions that are
//! looked up on 6 × 6, 2 % are told by counting and weighing, 20 % by walls, 8 % by the table; the
//! keys of large regions, by all images of the board, take most of the time.
//!
//! Regions of up to 10 points are searched for their walls. With 6, 8, 12 and 14 (before inferior
//! placements were left out) 6 × 6 took 493,993, 385,440, 213,031 and 160,154 nodes instead of
//! 288,787, but not less time. An earlier version without walls took 762,054 nodes with weighing
//! and regions, 1,180,577 without regions and 1,167,862 without weighing.
//!
//! Tried and left out: an order by the difference of both sides' walls (at the largest tax 5 %
//! fewer nodes on 6 × 6 and 13 % on 6 × 7, at smaller taxes up to 70 % more); walls of larger
//! regions, up to 16 points, only for what is about to be searched (up to 30 % fewer nodes, no less
//! time); and walls of larger regions from *cuts*, which take a few of a side's points away so that
//! the region falls into parts, for what that side gets at least (102,026 nodes on 6 × 6, but 2.7
//! times the time; only for what is about to be searched, no fewer nodes).
//!
//! # How early in the game
//!
//! The same setup in all four orientations, one thread, random positions (`scripts/frontier.sh`;
//! rows and a picture in `results/frontier/`; CPU seconds on a machine with much other work):
//!
//! | ply | positions | median nodes | median | 95 % | most | unsolved |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | 12 | 40 | 454 | 0.001 s | 0.06 s | 0.15 s | 0 |
//! | 10 | 40 | 2,146 | 0.003 s | 0.36 s | 0.46 s | 0 |
//! | 8 | 20 | 6,266 | 0.010 s | 1.2 s | 1.2 s | 0 |
//! | 6 | 20 | 16,458 | 0.028 s | 1.7 s | 1.7 s | 0 |
//! | 4 | 4 | 59,448 | 0.11 s | | 0.17 s | 0 |
//!
//! On 20 random boards with random pods of the same make-up 80 positions at ply 8, one in each
//! orientation, take 5,493 nodes in the median and 5,682,588 at most (`random.csv`).
//!
//! From ply 14 back to ply 4 the geometric mean of the nodes grows by a factor of 1.8 a ply.
//! Continued, that would be some 8 · 10^5 nodes for the empty board (`pods frontier --from`). Where
//! White may open with any pod it takes 0.5 to 1.6 million indeed, and White wins. With the two
//! pods of two legs, which R9 lets White open with, an opening takes from 0.15 to 24 million nodes
//! at 0°, where all are decided, and up to 151 million at 90° (`results/solved`).

mod answer;
mod bounds;
mod buckets;
mod canonical;
mod conflict;
mod counting;
mod cover;
mod dominance;
mod features;
mod field;
mod ghosts;
mod history;
mod key;
mod negamax;
mod node;
mod order;
mod pages;
#[cfg(feature = "tables")]
mod proof;
mod saved;
mod sharing;
mod table;
#[cfg(test)]
mod tests;
mod turns;

pub use answer::{Answer, Search};
pub use features::SearchFeatures;

pub use super::how_far::{Fill, HowFar};
pub use super::tracker::Unknown;
pub(crate) use key::Key;
#[cfg(feature = "tables")]
pub(crate) use proof::{LegPosition, ProofNode, ProofSearch};
pub use saved::{Loaded, SavedError};
