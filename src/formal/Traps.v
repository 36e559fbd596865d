(** The thirteen traps of RULES.md: each is a theorem, or a position computed here. Trap 1 has its theorems in Placements.v, the
    second half of trap 9 is general there too, and trap 12 in Turning.v. *)
From Coq Require Import List ZArith Bool.
From Pods Require Import Rules Positions.
Import ListNotations.

(** Settles what can be computed. *)
Ltac found := first [left; reflexivity | right; found].
Ltac settle := vm_compute; repeat split; first [reflexivity | found | discriminate | intuition discriminate].

(** Trap 1: "A placement can block a friend and itself at once, and then both come back." *)
Definition trap_1_position := Position [(a1, white to_e)] [bipod] [to_e] White false.
Theorem trap_1_both_come_back :
  let G := on row_in_parts advanced in
  can G trap_1_position (Place bipod b1) /\
  returned G trap_1_position (Place bipod b1) = [bipod; to_e] /\
  on_points (after G trap_1_position (Place bipod b1)) = [] /\
  white_hand (after G trap_1_position (Place bipod b1)) = [bipod; to_e].
Proof. settle. Qed.

(** Trap 2: "Two pods may each be what blocks the other. Both go; the removal of one does not save the other." Black's [to_e] has
    its leg to the w. Taken off one after another, the second would have stayed. *)
Definition trap_2_pods : pods := [(a1, white to_e); (b1, black to_e); (d1, white bipod)].
Fixpoint taken_off_one_after_another (G : game) (n : nat) (ps : pods) : pods :=
  match n, captured G ps with
  | S fewer, (p, _) :: _ => taken_off_one_after_another G fewer (lifted ps p)
  | _, _ => ps
  end.
Theorem trap_2_both_go :
  let G := on row_in_parts advanced in
  captured G trap_2_pods = [(a1, white to_e); (b1, black to_e)] /\
  left_on_board G trap_2_pods = [(d1, white bipod)] /\
  taken_off_one_after_another G 3 trap_2_pods = [(b1, black to_e); (d1, white bipod)].
Proof. settle. Qed.
Theorem trap_2_in_play :
  let G := on row_in_parts advanced in
  let s := Position trap_2_pods [bipod] [bipod] White false in
  can G s (Move d1 e1) /\ returned G s (Move d1 e1) = [to_e] /\ removed G s (Move d1 e1) = [to_e].
Proof. settle. Qed.

(** Trap 3: "a last pod that is blocked where it is placed comes back, and so does another own pod that it blocks: no win in either
    case. If only foes are blocked, which must have been set up so, the placement wins." *)
Theorem trap_3_no_win_if_it_comes_back :
  let G := on row_in_parts advanced in
  let s := Position [(d1, black bipod)] [bipod] [bipod] White false in
  can G s (Place bipod c1) /\ returned G s (Place bipod c1) = [bipod] /\ winner G (after G s (Place bipod c1)) = None.
Proof. settle. Qed.
Theorem trap_3_no_win_if_a_friend_comes_back :
  let G := on row advanced in
  let s := Position [(a1, white to_e)] [bipod] [bipod] White false in
  can G s (Place bipod b1) /\ returned G s (Place bipod b1) = [to_e] /\ winner G (after G s (Place bipod b1)) = None.
Proof. settle. Qed.
Theorem trap_3_a_win_if_only_foes_go :
  let G := on row_in_parts advanced in
  let s := Position [(c1, black bipod)] [bipod] [bipod] White false in
  can G s (Place bipod a1) /\ returned G s (Place bipod a1) = [] /\ removed G s (Place bipod a1) = [bipod] /\
  winner G (after G s (Place bipod a1)) = Some White.
Proof. settle. Qed.

(** Trap 4: "A bipod may open on a point where it has no liberty in the game advanced, and returns to hand; standard forbids
    it." Its opening is over then, and White's next turn is free (R9). *)
Theorem trap_4_the_opening_bipod_returns :
  let s o := start (on row_in_parts o) White [bipod; to_e] [bipod] in
  can (on row_in_parts advanced) (s advanced) (Place bipod c1) /\
  after (on row_in_parts advanced) (s advanced) (Place bipod c1) = Position [] [bipod; to_e] [bipod] Black false /\
  ~ can (on row_in_parts standard) (s standard) (Place bipod c1) /\
  can (on row_in_parts advanced) (Position [] [bipod; to_e] [bipod] White false) (Place to_e a1).
Proof. settle. Qed.

(** Trap 5: "Attacks can run one way only. A placement is illegal whichever of the two pods attacks the other." *)
Theorem trap_5_either_attack_forbids :
  let G := on row standard in
  let s := Position [(b1, black to_e)] [to_e; to_w] [bipod] White false in
  (* White on a1 would be attacked and not attack; on c1 it would attack and not be attacked *)
  R11_attacks_nobody G s to_w a1 = true /\ R12_not_attacked G s a1 = false /\ ~ can G s (Place to_w a1) /\
  R11_attacks_nobody G s to_w c1 = false /\ R12_not_attacked G s c1 = true /\ ~ can G s (Place to_w c1) /\
  can G s (Place to_e c1).
Proof. settle. Qed.

(** Trap 6: "A pod between a long leg and a foe shields the foe, whoever owns it, unless attack-through is on." *)
Theorem trap_6_a_pod_shields :
  let G := on row standard in
  let s between := Position ((a1, black far_w) :: between) [to_e] [bipod] White false in
  R6_attacks G [(a1, black far_w)] a1 (black far_w) d1 = true /\
  ~ can G (s []) (Place to_e d1) /\
  can G (s [(b1, white to_n)]) (Place to_e d1) /\
  can G (s [(b1, black to_n)]) (Place to_e d1) /\
  ~ can (on row (with_attack_through standard)) (s [(b1, black to_n)]) (Place to_e d1).
Proof. settle. Qed.

(** Trap 7: "The point that a pod has left is empty and may be a liberty of others; it is one for the pod itself only if one of
    its legs points back." Trap 8: "A move can get the moving pod captured, and it can free a pod that was set up blocked." *)
Definition trap_7_position (k : kind) := Position [(d1, white k); (c1, white to_e)] [bipod] [bipod] White false.
Theorem trap_7_the_point_left :
  let G := on row advanced in
  R7_is_blocked G (on_points (trap_7_position to_e)) c1 (white to_e) = true /\
  can G (trap_7_position to_e) (Move d1 e1) /\ can G (trap_7_position bipod) (Move d1 e1) /\
  (* without a leg that points back the mover is captured, and the other pod has its liberty *)
  on_points (after G (trap_7_position to_e) (Move d1 e1)) = [(c1, white to_e)] /\
  (* with one it stays *)
  on_points (after G (trap_7_position bipod) (Move d1 e1)) = [(e1, white bipod); (c1, white to_e)].
Proof. settle. Qed.
Theorem trap_8_the_mover_goes_and_the_blocked_pod_is_free :
  let G := on row advanced in
  let s := trap_7_position to_e in
  returned G s (Move d1 e1) = [to_e] /\
  R7_is_blocked G (on_points s) c1 (white to_e) = true /\
  R7_is_blocked G (on_points (after G s (Move d1 e1))) c1 (white to_e) = false.
Proof. settle. Qed.

(** Trap 9: "A placement can open points to the opponent: it may cut a long leg's line that attacked them. The Standard game is
    therefore not monotone." Black puts a pod on b1, and White may place on d1. *)
Theorem trap_9_a_placement_opens_points :
  let G := on row standard in
  let s := Position [(a1, black far_w)] [to_e] [bipod; to_n; to_w] Black false in
  let t := after G s (Place to_w b1) in
  can G s (Place to_w b1) /\
  ~ can G (Position (on_points s) (white_hand s) (black_hand s) White false) (Place to_e d1) /\
  can G t (Place to_e d1).
Proof. settle. Qed.
(** Moves do both: the move b1-c1 gives the long leg on a1 the point b1 and more, and that on e1 the point c1 less. So do captures,
    which only give: with the pod on b1 taken off, the leg on a1 reaches on. *)
Theorem trap_9_moves_and_captures_do_both :
  let G := on row advanced in
  let s := Position [(a1, white far_e); (b1, white bipod); (e1, black far_e)] [bipod] [bipod] White false in
  let t := after G s (Move b1 c1) in
  can G s (Move b1 c1) /\
  R5_reach G (on_points s) a1 (long East) = [b1] /\ R5_reach G (on_points t) a1 (long East) = [b1; c1] /\
  R5_reach G (on_points s) e1 (long West) = [d1; c1; b1] /\ R5_reach G (on_points t) e1 (long West) = [d1; c1] /\
  R5_reach G (lifted (on_points s) b1) a1 (long East) = [b1; c1; d1; e1].
Proof. settle. Qed.

(** Trap 10: "Both players can be stuck, or only the one who has just acted, or only the other one: R15 and R20 ask the player to
    move, nobody else." White has just acted each time. *)
Definition is_stuck (G : game) (s : position) : Prop := what_can_be_done G s = [].
Theorem trap_10_the_player_to_move_is_asked :
  let G := on row_in_parts standard in
  (* [to_n] finds no liberty in a row; [bipod] does *)
  let s white_has black_has x := Position [(c1, white to_n)] [white_has] [black_has] x false in
  (* both are stuck: who is to move has lost *)
  is_stuck G (s to_n to_n White) /\ is_stuck G (s to_n to_n Black) /\
  winner G (s to_n to_n Black) = Some White /\ winner G (s to_n to_n White) = Some Black /\
  (* only White, who has just acted, is: the game goes on *)
  is_stuck G (s to_n bipod White) /\ ~ is_stuck G (s to_n bipod Black) /\ winner G (s to_n bipod Black) = None /\
  (* only Black is: White has won *)
  ~ is_stuck G (s bipod to_n White) /\ is_stuck G (s bipod to_n Black) /\ winner G (s bipod to_n Black) = Some White.
Proof. settle. Qed.

(** Trap 11: "Black's legs are turned: a leg to the n reaches s for Black." *)
Theorem trap_11_blacks_legs_are_turned (l : leg) :
  lying White [l] = [l] /\ lying Black [l] = [Leg (opposite (towards l)) (size l)] /\ opposite North = South.
Proof. repeat split. Qed.

(** Trap 13: "A kick may cross a missing line and may end at the edge, but not cross a hole. A shove of three pods is illegal if the
    last of them has no line to go on." *)
Theorem trap_13_kicks :
  let pods_here := [(a1, white far_e); (b1, black bipod)] in
  let s := Position pods_here [bipod] [bipod] White false in
  let whole := on row very_advanced in
  let gap := on (row_with [(a1, b1); (b1, c1)]) very_advanced in
  let hole := on (Board [a1; b1; d1; e1] [(a1, b1); (d1, e1)]) very_advanced in
  (* along lines: by one point it is a shove (R25), by three it ends at the edge *)
  can whole s (Shove East a1 b1) /\ ~ can whole s (Kick East a1 b1 1) /\ can whole s (Kick East a1 b1 3) /\
  ~ can whole s (Kick East a1 b1 4) /\
  (* over missing lines *)
  can gap s (Kick East a1 b1 2) /\ can gap s (Kick East a1 b1 3) /\
  on_points (after gap s (Kick East a1 b1 3)) = [(b1, white far_e)] /\ removed gap s (Kick East a1 b1 3) = [bipod] /\
  (* not over a hole *)
  ~ can hole s (Kick East a1 b1 1) /\ ~ can hole s (Kick East a1 b1 2) /\ ~ can hole s (Kick East a1 b1 3).
Proof. settle. Qed.
Theorem trap_13_shoves :
  let s := Position [(a1, white to_e); (b1, black bipod); (c1, white bipod); (d1, black bipod)] [bipod] [bipod] White false in
  can (on row very_advanced) s (Shove East a1 b1) /\
  pods_after (on row very_advanced) s (Shove East a1 b1) =
    [(b1, white to_e); (c1, black bipod); (d1, white bipod); (e1, black bipod)] /\
  ~ can (on (row_with [(a1, b1); (b1, c1); (c1, d1)]) very_advanced) s (Shove East a1 b1).
Proof. settle. Qed.
