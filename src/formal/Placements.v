(** Theorems about placements: what they attack, open, block and capture. *)
From Coq Require Import List ZArith Bool Lia.
From Pods Require Import Rules Facts.
Import ListNotations.

Section Placements.
Variable G : game.
Let B := the_board G.

(** ** What a leg reaches *)

Lemma way_begins l p q : connected B (towards l) p = Some q -> exists rest, way G l p = q :: rest.
Proof.
  intro H. assert (P : on_board B p = true) by (apply connected_is in H; tauto).
  unfold way, line_from. fold B. unfold on_board in P. destruct (points B) as [|r rest]; [discriminate|].
  simpl. rewrite H. destruct (size l); simpl; eauto.
Qed.

(** R5: whatever stands where, a leg reaches the connected neighbour. *)
Theorem R5_neighbour_is_reached ps p l q : connected B (towards l) p = Some q -> In q (R5_reach G ps p l).
Proof.
  intro H. destruct (way_begins _ _ _ H) as [rest E]. unfold R5_reach. rewrite E. simpl.
  destruct attack_through; [now left|]. destruct is_empty; now left.
Qed.

Lemma attacks_by_leg ps p x q l : In l (legs_of G x) -> In q (R5_reach G ps p l) -> R6_attacks G ps p x q = true.
Proof.
  intros L R. unfold R6_attacks. apply existsb_exists. exists l. split; auto. now apply is_among_In.
Qed.

Lemma to_first_occupied_in ps w q : In q (to_first_occupied ps w) -> In q w.
Proof. induction w as [|r w IH]; simpl; auto. destruct is_empty; simpl; intuition. Qed.
Lemma first_occupied_grows ps ps' w q :
  fewer ps' ps -> In q (to_first_occupied ps w) -> In q (to_first_occupied ps' w).
Proof.
  intro F. induction w as [|r w IH]; simpl; auto. destruct (is_empty ps r) eqn:E.
  - rewrite (fewer_empty _ _ _ F E). simpl. intuition.
  - simpl. intros [H|[]]. destruct (is_empty ps' r); simpl; auto.
Qed.

(** Trap 9, first half: more pods on the board never give a leg more reach. *)
Theorem more_pods_give_no_more_reach ps ps' p l q :
  fewer ps' ps -> In q (R5_reach G ps p l) -> In q (R5_reach G ps' p l).
Proof. intro F. unfold R5_reach. destruct attack_through; auto. now apply first_occupied_grows. Qed.

Theorem a_placement_gives_no_leg_more_reach s k p r l q :
  pod_at (on_points s) p = None ->
  In q (R5_reach G (pods_after G s (Place k p)) r l) -> In q (R5_reach G (on_points s) r l).
Proof. intros E H. apply more_pods_give_no_more_reach with (2 := H). now apply fewer_put. Qed.

(** Under [attack-through=on] no action changes what a leg reaches from its point. *)
Theorem attack_through_never_changes_reach ps ps' p l :
  attack_through (the_options G) = true -> R5_reach G ps p l = R5_reach G ps' p l.
Proof. intro H. unfold R5_reach. now rewrite H. Qed.

(** ** Liberties *)

Lemma liberty_of_leg ps p x : R7_has_liberty G ps p x = true <->
  exists l q, In l (legs_of G x) /\ connected B (towards l) p = Some q /\ is_empty ps q = true.
Proof.
  unfold R7_has_liberty. rewrite existsb_exists. unfold gives_liberty. fold B. split.
  - intros [l [L E]]. destruct connected as [q|] eqn:C; [|discriminate]. now exists l, q.
  - intros (l & q & L & C & E). exists l. now rewrite C.
Qed.

(** Removals can only give liberties (R18). *)
Theorem fewer_pods_keep_liberties ps ps' p x :
  fewer ps' ps -> R7_has_liberty G ps p x = true -> R7_has_liberty G ps' p x = true.
Proof.
  intro F. rewrite !liberty_of_leg. intros (l & q & L & C & E). exists l, q. eauto using fewer_empty.
Qed.

(** A pod's own point is none of its liberties, so a placement does not change what the placed pod has. *)
Lemma own_point_is_no_liberty ps p x y : R7_has_liberty G (put ps p y) p x = R7_has_liberty G ps p x.
Proof.
  apply eq_true_iff_eq. rewrite !liberty_of_leg.
  assert (N : forall l q, connected B (towards l) p = Some q -> is_empty (put ps p y) q = is_empty ps q).
  { intros l q C. unfold is_empty. rewrite pod_at_put. apply connected_is in C. destruct C as [-> _].
    destruct (same_point_spec p (step (towards l) p)) as [E|]; auto. now apply eq_sym, step_moves in E. }
  split; intros (l & q & L & C & E); exists l, q; rewrite ?(N l q C) in *; auto.
Qed.

(** ** What a legal placement has *)

Lemma may_place_parts s k p : may_place G s k p = true ->
  In k (hand s (to_move s)) /\ on_board B p = true /\ pod_at (on_points s) p = None /\
  R11_attacks_nobody G s k p = true /\ R12_not_attacked G s p = true /\ R13_liberty G s k p = true.
Proof.
  unfold may_place, R10_can_put. rewrite !andb_true_iff, in_hand_In, is_empty_none. tauto.
Qed.

Lemma not_attacked s p q x : R12_not_attacked G s p = true -> pod_at (on_points s) q = Some x ->
  owner x = other (to_move s) -> R6_attacks G (on_points s) q x p = false.
Proof.
  unfold R12_not_attacked. rewrite forallb_forall. intros H E F. apply pod_at_In in E. apply H in E. simpl in E.
  rewrite F, same_side_refl in E. now apply negb_true_iff in E.
Qed.

(** ** Trap 1: a placement never takes the last liberty of a foe. "That liberty is a point which the foe attacks, and R12 keeps
    placements off it." It holds under all options. *)
Theorem trap_1_no_foe_loses_its_last_liberty s k p q x :
  may_place G s k p = true -> pod_at (on_points s) q = Some x -> owner x = other (to_move s) ->
  R7_has_liberty G (on_points s) q x = true -> R7_has_liberty G (pods_after G s (Place k p)) q x = true.
Proof.
  intros M E F. apply may_place_parts in M. destruct M as (_ & _ & _ & _ & M & _). simpl.
  rewrite !liberty_of_leg. intros (l & r & L & C & Z). exists l, r. repeat split; auto.
  rewrite is_empty_none, pod_at_put in *. destruct (same_point_spec p r) as [->|]; auto. exfalso.
  pose proof (not_attacked _ _ _ _ M E F) as A.
  rewrite (attacks_by_leg (on_points s) q x r l) in A; auto using R5_neighbour_is_reached. discriminate.
Qed.

Lemma consistent_alone s : R29_is_consistent G s = true -> alone (on_points s).
Proof. unfold R29_is_consistent. rewrite !andb_true_iff. intros. apply all_different_NoDup. tauto. Qed.

Lemma taken_off_was_there s k p q x : In (q, x) (taken_off G s (Place k p)) ->
  In (q, x) (put (on_points s) p (Pod (to_move s) k)) /\ R7_is_blocked G (put (on_points s) p (Pod (to_move s) k)) q x = true.
Proof.
  unfold taken_off. destruct captures_follow; [|intros []]. unfold captured. rewrite filter_In. simpl.
  unfold R18_is_captured. rewrite andb_true_iff. simpl. tauto.
Qed.

(** "A placement therefore removes only foes that were set up blocked." *)
Theorem trap_1_only_foes_set_up_blocked_are_removed s k p q x :
  R29_is_consistent G s = true -> may_place G s k p = true ->
  In (q, x) (taken_off G s (Place k p)) -> owner x = other (to_move s) -> R7_is_blocked G (on_points s) q x = true.
Proof.
  intros A M H F. apply consistent_alone in A. apply taken_off_was_there in H. destruct H as [I K].
  pose proof (may_place_parts _ _ _ M) as (_ & _ & E & _). unfold put in I. rewrite (lifted_empty _ _ E) in I.
  destruct I as [I|I].
  - injection I; intros; subst. simpl in F. now apply eq_sym, other_neq in F.
  - apply In_pod_at in I; auto. unfold R7_is_blocked in *.
    destruct (R7_has_liberty G (on_points s) q x) eqn:Y; auto.
    apply (trap_1_no_foe_loses_its_last_liberty s k p q x M I F) in Y. simpl in Y. now rewrite Y in K.
Qed.

(** ** When a placement can be a self-capture *)

(** Where captures do not follow placements, a placement takes nothing off. *)
Theorem placements_capture_only_every_turn s k p :
  captures (the_options G) <> EveryTurn -> taken_off G s (Place k p) = [].
Proof. unfold taken_off, captures_follow. destruct captures; congruence. Qed.

(** Where a placed pod needs a liberty (R13), it is never taken off by its own placement; friends may be. *)
Theorem a_placed_pod_with_a_liberty_stays s k p x :
  placement_liberty (the_options G) = true -> may_place G s k p = true -> ~ In (p, x) (taken_off G s (Place k p)).
Proof.
  intros L M H. apply taken_off_was_there in H. destruct H as [I K].
  pose proof (may_place_parts _ _ _ M) as (_ & _ & E & _ & _ & R).
  assert (x = Pod (to_move s) k) as ->.
  { unfold put in I. rewrite (lifted_empty _ _ E) in I. destruct I as [I|I]; [congruence|].
    apply pod_at_none in E. exfalso. apply E. apply in_map_iff. now exists (p, x). }
  unfold R13_liberty in R. rewrite L in R. simpl in R. unfold R7_is_blocked in K.
  rewrite own_point_is_no_liberty, R in K. discriminate.
Qed.

(** The other way round: where captures follow every turn and no liberty is asked for, a pod placed where it is blocked comes
    off at once, unless [shove-liberty] saves it. *)
Theorem a_pod_placed_blocked_comes_off s k p :
  captures (the_options G) = EveryTurn -> shove_liberty (the_options G) = false ->
  R7_is_blocked G (on_points s) p (Pod (to_move s) k) = true ->
  In (p, Pod (to_move s) k) (taken_off G s (Place k p)).
Proof.
  intros C N K. unfold taken_off, captures_follow. rewrite C. apply filter_In. split; [now left|].
  unfold R18_is_captured, R27_is_safe. simpl. rewrite N, !andb_false_r. simpl. rewrite andb_true_r.
  unfold R7_is_blocked in *. now rewrite own_point_is_no_liberty.
Qed.

End Placements.

(** By preset: only [advanced] and [advanced-dutch] capture after placements, and only [advanced] the placed pod itself. *)
Theorem presets_without_captures_after_placements G s k p :
  In (the_options G) [standard; basic_author; advanced_author; very_advanced] -> taken_off G s (Place k p) = [].
Proof. simpl. intro H. apply placements_capture_only_every_turn. repeat destruct H as [<-|H]; try discriminate. tauto. Qed.
Theorem advanced_dutch_keeps_the_placed_pod G s k p x :
  the_options G = advanced_dutch -> may_place G s k p = true -> ~ In (p, x) (taken_off G s (Place k p)).
Proof. intros O. apply a_placed_pod_with_a_liberty_stays. now rewrite O. Qed.
