//! Machine-checked theorems of `src/formal` about the clauses.

use super::Clause;

/// A theorem about the rules that Coq has checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The clause that it is about.
    pub clause: Clause,
    /// Its statement, in words.
    pub says: &'static str,
    /// Its file in `src/formal`, without `.v`.
    pub file: &'static str,
    /// Its name in that file.
    pub theorem: &'static str,
}

const fn proven(clause: Clause, says: &'static str, file: &'static str, theorem: &'static str) -> Proven {
    Proven { clause, says, file, theorem }
}

const ALL: &[Proven] = &[
    proven(
        Clause::R2,
        "turned by 180° with the sides exchanged, a board gives the same game",
        "Sides",
        "R2_half_turn_and_sides_swapped",
    ),
    proven(
        Clause::R2,
        "a board turned is the same game as legs turned the other way",
        "Sides",
        "R2_a_board_turned_is_legs_turned_the_other_way",
    ),
    proven(Clause::R5, "a placement gives no leg more reach", "Placements", "a_placement_gives_no_leg_more_reach"),
    proven(Clause::R9, "only one action is bound", "Ends", "R9_binds_one_action_only"),
    proven(
        Clause::R12,
        "a placement never takes the last liberty of a foe",
        "Placements",
        "trap_1_no_foe_loses_its_last_liberty",
    ),
    proven(
        Clause::R13,
        "a pod that needs a liberty where it is placed is not taken off by its own placement",
        "Placements",
        "a_placed_pod_with_a_liberty_stays",
    ),
    proven(
        Clause::R14,
        "the Standard game ends within as many plies as there are points, and one side can force a win",
        "Ends",
        "the_standard_game_ends",
    ),
    proven(
        Clause::R16,
        "under empty-hand=loses who has nothing left to place has lost where pods do not move",
        "Ends",
        "R16_who_has_placed_all_loses",
    ),
    proven(Clause::R18, "what is captured depends on the board alone", "Captures", "captures_depend_on_the_board_only"),
    proven(
        Clause::R18,
        "after captures nothing more would be captured: one wave suffices",
        "Captures",
        "one_wave_suffices",
    ),
    proven(
        Clause::R18,
        "no pod is made, and none is lost but those of the opponent that leave the game",
        "Actions",
        "pods_are_neither_made_nor_lost",
    ),
    proven(
        Clause::R19,
        "a hand is emptied only by a placement of its owner from which nothing comes back",
        "Ends",
        "R19_only_a_placement_empties_a_hand",
    ),
    proven(
        Clause::R20,
        "a game goes on exactly as long as there is a legal action",
        "Ends",
        "R20_the_game_goes_on_while_there_is_an_action",
    ),
    proven(
        Clause::R21,
        "a placement that is captured alone amounts to a pass",
        "Captures",
        "a_placement_captured_alone_is_a_pass",
    ),
    proven(Clause::R21, "there are positions in which nobody can force an end", "Ends", "R21_endless_play_is_a_draw"),
    proven(
        Clause::R25,
        "a kick by one point along a line does the same as the shove",
        "Captures",
        "R25_the_same_as_the_shove",
    ),
    proven(
        Clause::R27,
        "with fewer pods on the board no other pod is captured, under shove-liberty=on either",
        "Captures",
        "fewer_pods_capture_no_more",
    ),
    proven(Clause::R29, "play keeps positions consistent", "Actions", "play_keeps_consistent"),
    proven(
        Clause::R30,
        "in play only the hand of who has just acted can be empty where an empty hand wins",
        "Ends",
        "R30_the_second_question_is_for_set_positions",
    ),
    proven(Clause::R33, "at most one side can force a win", "Ends", "R33_not_both_can_win"),
    proven(
        Clause::R34,
        "with equal hands Black starts as White would on the board turned by 180°",
        "Sides",
        "R34_black_starts_as_white_would_on_the_board_turned",
    ),
];

impl Clause {
    /// Returns what is proven of the clause.
    pub fn proven(self) -> impl Iterator<Item = &'static Proven> {
        ALL.iter().filter(move |proven| proven.clause == self)
    }
}

impl std::fmt::Display for Proven {
    /// Writes the statement with the name of its theorem.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}.{})", self.says, self.file, self.theorem)
    }
}
