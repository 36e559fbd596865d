(** The ten options, one by one: which way each reading of the rules goes, and a position in which it decides. *)
From Coq Require Import List ZArith Bool Lia.
From Pods Require Import Rules Facts Placements Positions Traps.
Import ListNotations.

Definition under (o : options) (G : game) : game := Game (the_board G) (kinds G) o.

Section Readings.
Variable G : game.
Let o := the_options G.

(** [attack-through=on] only forbids: what may be placed under it may be placed without it. *)
Theorem attack_through_only_forbids s k p :
  attack_through o = false -> may_place (under (with_attack_through o) G) s k p = true -> may_place G s k p = true.
Proof.
  intro O. assert (A : forall ps q x r, R6_attacks G ps q x r = true -> R6_attacks (under (with_attack_through o) G) ps q x r = true).
  { intros ps q x r H. apply existsb_exists in H. destruct H as [l [L H]]. apply existsb_exists. exists l. split; auto.
    apply is_among_In. apply is_among_In in H. unfold R5_reach in *. fold o in H. rewrite O in H. simpl.
    now apply to_first_occupied_in in H. }
  unfold may_place. rewrite !andb_true_iff. intros [[[H H1] H2] H3]. repeat split; auto.
  - unfold R11_attacks_nobody in *. rewrite forallb_forall in *. intros e I. specialize (H1 e I).
    rewrite negb_true_iff, andb_false_iff in *. destruct H1 as [H1|H1]; auto. right.
    destruct (R6_attacks G (on_points s) p (Pod (to_move s) k) (fst e)) eqn:E; auto. apply A in E. congruence.
  - unfold R12_not_attacked in *. rewrite forallb_forall in *. intros e I. specialize (H2 e I).
    rewrite negb_true_iff, andb_false_iff in *. destruct H2 as [H2|H2]; auto. right.
    destruct (R6_attacks G (on_points s) (fst e) (snd e) p) eqn:E; auto. apply A in E. congruence.
Qed.

(** [kick-gaps=last-step] only forbids, and so does [shove-after-run=off]. *)
Theorem last_step_only_forbids ps d n : forall q r, kick_gaps o = EveryStep ->
  R24_slide (under (with_last_step o) G) ps d n q = Some r -> R24_slide G ps d n q = Some r.
Proof.
  induction n as [|n IH]; intros q r O; simpl; auto. fold o. rewrite O. destruct (neighbour (the_board G) d q) as [t|]; auto.
  destruct (is_empty ps t); simpl; auto. destruct (negb _ || joined (the_board G) q t); [auto|discriminate].
Qed.
Theorem without_run_only_forbids ps p l q : shove_after_run o = true ->
  R23_meets (under (without_shove_after_run o) G) ps p l = Some q -> R23_meets G ps p l = Some q.
Proof.
  intro O. unfold R23_meets. fold o. rewrite O. simpl. change (way (under (without_shove_after_run o) G) l p) with (way G l p).
  destruct (way G l p) as [|r w]; simpl; auto. destruct is_empty; [discriminate|auto].
Qed.

(** [shove-liberty=on] only saves. *)
Theorem shove_liberty_only_saves ps there :
  R18_is_captured (under (with_shove_liberty o) G) ps there = true -> shove_liberty o = false -> R18_is_captured G ps there = true.
Proof.
  unfold R18_is_captured. rewrite !andb_true_iff. intros [K _] O. split; auto. unfold R27_is_safe. fold o.
  now rewrite O, !andb_false_r.
Qed.
End Readings.

(** ** A position for each option in which it decides *)

Theorem moves_decides :
  let s := Position [(a1, white bipod)] [to_n] [bipod] White false in
  winner (on row advanced_dutch) s = None /\
  winner (on row (with_captures EveryTurn basic_author)) s = Some Black.
Proof. settle. Qed.
Theorem shoves_decides :
  let s := Position [(a1, white to_e); (b1, black bipod)] [bipod] [bipod] White false in
  can (on row very_advanced) s (Shove East a1 b1) /\ ~ can (on row advanced_author) s (Shove East a1 b1).
Proof. settle. Qed.
Theorem placement_liberty_decides :
  let s := Position [] [to_n] [bipod] White false in
  can (on row advanced) s (Place to_n a1) /\ ~ can (on row advanced_dutch) s (Place to_n a1).
Proof. settle. Qed.
Theorem captures_decides :
  let s := Position [(a1, white to_e)] [bipod] [bipod] White false in
  returned (on row advanced_dutch) s (Place bipod b1) = [to_e] /\ returned (on row advanced_author) s (Place bipod b1) = [] /\
  winner (on row advanced_dutch) (after (on row advanced_dutch) s (Place bipod b1)) = None /\
  winner (on row advanced_author) (after (on row advanced_author) s (Place bipod b1)) = Some White.
Proof. settle. Qed.
Theorem empty_hand_decides :
  let s := Position [] [bipod] [bipod] White false in
  winner (on row standard) (after (on row standard) s (Place bipod a1)) = None /\
  winner (on row basic_author) (after (on row basic_author) s (Place bipod a1)) = Some White /\
  can_win (on row standard) Black 2 (after (on row standard) s (Place bipod a1)) = true.
Proof. settle. Qed.
Theorem opening_decides :
  let any := Options false false true Never Loses Any false true EveryStep false in
  can (on row any) (start (on row any) White [bipod; to_e] [bipod]) (Place to_e a1) /\
  ~ can (on row standard) (start (on row standard) White [bipod; to_e] [bipod]) (Place to_e a1).
Proof. settle. Qed.
Theorem attack_through_decides :
  let s := Position [(a1, black far_w); (b1, white to_n)] [to_e] [bipod] White false in
  can (on row standard) s (Place to_e d1) /\ ~ can (on row (with_attack_through standard)) s (Place to_e d1).
Proof. settle. Qed.
Theorem shove_after_run_decides :
  let s := Position [(a1, white far_e); (c1, black bipod)] [bipod] [bipod] White false in
  can (on row very_advanced) s (Shove East a1 c1) /\
  ~ can (on row (without_shove_after_run very_advanced)) s (Shove East a1 c1).
Proof. settle. Qed.
Theorem kick_gaps_decides :
  let b := row_with [(a1, b1); (d1, e1)] in
  let s := Position [(a1, white far_e); (b1, black bipod)] [bipod] [bipod] White false in
  can (on b very_advanced) s (Kick East a1 b1 2) /\ can (on b (with_last_step very_advanced)) s (Kick East a1 b1 1) /\
  ~ can (on b (with_last_step very_advanced)) s (Kick East a1 b1 2).
Proof. settle. Qed.
Theorem shove_liberty_decides :
  let s := Position [(a1, white to_e); (b1, black bipod); (e1, white bipod)] [bipod] [bipod] White false in
  returned (on row very_advanced) s (Move e1 d1) = [to_e] /\
  returned (on row (with_shove_liberty very_advanced)) s (Move e1 d1) = [].
Proof. settle. Qed.
