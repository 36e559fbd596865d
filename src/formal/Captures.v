(** Theorems about captures (R18, R27), what comes back, and what amounts to a pass (R21). *)
From Coq Require Import List ZArith Bool Lia Permutation Sorted.
From Pods Require Import Rules Facts Placements Actions.
Import ListNotations.

Section Captures.
Variable G : game.
Let B := the_board G.

(** ** Fewer pods give no less freedom *)

Lemma pushed_with_fewer ps ps' d n : fewer ps' ps -> forall q,
  R22_pushed G ps d n q <> None -> R22_pushed G ps' d n q <> None.
Proof.
  intro F. induction n as [|n IH]; intro q; simpl; destruct (pod_at ps' q) as [y|] eqn:E'; try discriminate;
    apply F in E'; rewrite E'; auto.
  destruct (connected _ d q) as [r|]; auto. intro H. specialize (IH r).
  destruct (R22_pushed G ps d n r); [|congruence]. destruct (R22_pushed G ps' d n r); [discriminate|].
  exfalso. apply IH; [discriminate|auto].
Qed.
Lemma slide_with_fewer ps ps' d n : fewer ps' ps -> forall q r,
  R24_slide G ps d n q = Some r -> R24_slide G ps' d n q = Some r.
Proof.
  intro F. induction n as [|n IH]; intros q r; simpl; auto. destruct (neighbour _ d q) as [t|]; auto.
  destruct (is_empty ps t) eqn:E; simpl; [|discriminate]. rewrite (fewer_empty _ _ _ F E). simpl.
  destruct (negb _ || _); auto.
Qed.

(** A blocked pod meets, by each leg, the connected neighbour at once. *)
Lemma blocked_meets_neighbour ps p x l q : R7_is_blocked G ps p x = true -> In l (legs_of G x) ->
  R23_meets G ps p l = Some q -> connected B (towards l) p = Some q /\ is_empty ps q = false.
Proof.
  intros K L M. destruct (connected B (towards l) p) as [r|] eqn:C.
  - destruct (way_begins G l p r C) as [rest W]. unfold R23_meets in M. rewrite W in M.
    assert (E : is_empty ps r = false).
    { destruct (is_empty ps r) eqn:E; auto. unfold R7_is_blocked in K. apply negb_true_iff in K.
      rewrite <- K. symmetry. apply liberty_of_leg. now exists l, r. }
    destruct shove_after_run; simpl in M; rewrite E in M; injection M; intros; subst; auto.
  - exfalso. assert (W : way G l p = []).
    { unfold way, line_from. fold B. destruct (length (points B)); simpl; [now destruct size|].
      rewrite C. now destruct size. }
    unfold R23_meets in M. rewrite W in M. destruct shove_after_run; discriminate.
Qed.

(** A pod that has escaped capture by a liberty, or under [shove-liberty=on] by a shove or kick, still would with fewer pods. *)
Theorem fewer_pods_capture_no_more ps ps' p x :
  fewer ps' ps -> R18_is_captured G ps (p, x) = false -> R18_is_captured G ps' (p, x) = false.
Proof.
  intro F. unfold R18_is_captured. simpl. rewrite !andb_false_iff, !negb_false_iff.
  destruct (R7_is_blocked G ps' p x) eqn:K'; [|auto]. intro H. right.
  assert (K : R7_is_blocked G ps p x = true).
  { unfold R7_is_blocked in *. rewrite negb_true_iff in *. destruct (R7_has_liberty G ps p x) eqn:E; auto.
    apply (fewer_pods_keep_liberties G ps ps') in E; auto. congruence. }
  destruct H as [H|H]; [congruence|]. revert H. unfold R27_is_safe. rewrite !andb_true_iff. intros [H E]. split; auto.
  apply existsb_exists in E. destruct E as [l [L E]]. apply existsb_exists. exists l. split; auto.
  (* what stood on the next point still does, for else the pod would have a liberty now *)
  assert (Still : forall q, connected B (towards l) p = Some q -> is_empty ps' q = false).
  { intros q C. destruct (is_empty ps' q) eqn:Z; auto. unfold R7_is_blocked in K'. apply negb_true_iff in K'.
    rewrite <- K'. symmetry. apply liberty_of_leg. now exists l, q. }
  assert (A : exists a, In a (shoves_of G ps p l ++ kicks_of G ps p l)).
  { destruct (shoves_of G ps p l ++ kicks_of G ps p l) as [|a t]; [discriminate|]. exists a. now left. }
  destruct A as [a A]. assert (A' : In a (shoves_of G ps' p l ++ kicks_of G ps' p l)).
  { apply in_app_iff in A. apply in_app_iff. destruct A as [A|A].
    - left. apply In_shoves in A. apply In_shoves. destruct A as (q & -> & M & P). exists q. split; auto.
      apply blocked_meets_neighbour with (x := x) in M; auto. destruct M as [C _]. split.
      + destruct (way_begins G l p q C) as [rest W]. unfold R23_meets. rewrite W.
        destruct shove_after_run; simpl; now rewrite (Still q C).
      + unfold pushed in *. eauto using pushed_with_fewer.
    - right. apply In_kicks in A. apply In_kicks. destruct A as (q & n & -> & S & C & _ & K2 & N). exists q, n.
      repeat split; auto; try tauto. revert K2. unfold can_kick. destruct (R24_slide G ps (towards l) n q) eqn:T; [|discriminate].
      now rewrite (slide_with_fewer ps ps' _ _ F _ _ T). }
  destruct (shoves_of G ps' p l ++ kicks_of G ps' p l); [destruct A'|auto].
Qed.

(** ** R18: captures are simultaneous and well defined *)

(** The set depends on the board only: on what stands where, not on the order in which pods are looked at. *)
Theorem captures_depend_on_the_board_only ps ps' :
  (forall p, pod_at ps p = pod_at ps' p) -> forall p x, R18_is_captured G ps (p, x) = R18_is_captured G ps' (p, x).
Proof.
  intros E p x. assert (F : fewer ps' ps) by (intros q y; now rewrite E).
  assert (F' : fewer ps ps') by (intros q y; now rewrite E).
  destruct (R18_is_captured G ps (p, x)) eqn:C, (R18_is_captured G ps' (p, x)) eqn:C'; auto.
  - apply (fewer_pods_capture_no_more _ ps) in C'; auto. congruence.
  - apply (fewer_pods_capture_no_more _ ps') in C; auto. congruence.
Qed.

(** "Pods are not judged a second time, and there would be no point in it": after captures nothing more would be captured. *)
Theorem one_wave_suffices ps : alone ps -> captured G (left_on_board G ps) = [].
Proof.
  intro A. set (left := left_on_board G ps).
  assert (F : fewer left ps) by now apply fewer_filter.
  assert (H : forall e, In e left -> R18_is_captured G left e = false).
  { intros [p x] I. apply (fewer_pods_capture_no_more ps left); auto. apply filter_In in I. now apply negb_true_iff. }
  unfold captured. destruct (filter (R18_is_captured G left) left) as [|e l] eqn:E; auto.
  assert (I : In e (filter (R18_is_captured G left) left)) by (rewrite E; now left).
  apply filter_In in I. destruct I as [I K]. rewrite (H e I) in K. discriminate.
Qed.

(** After an action that captures follow, no pod is blocked, unless [shove-liberty] saved it. *)
Theorem after_captures_nobody_is_blocked s a p x :
  R29_is_consistent G s = true -> In a (legal_actions G s) -> captures_follow G a = true ->
  shove_liberty (the_options G) = false ->
  In (p, x) (on_points (after G s a)) -> R7_is_blocked G (on_points (after G s a)) p x = false.
Proof.
  intros C L F N. apply legal_actions_are_the_legal_ones in L. destruct (pods_after_action G s a C L) as (A & _).
  simpl. rewrite F. intro I. apply filter_In in I. destruct I as [I K]. apply negb_true_iff in K.
  apply (fewer_pods_capture_no_more _ (left_on_board G (pods_after G s a))) in K; [|now apply fewer_filter].
  unfold R18_is_captured, R27_is_safe in K. simpl in K. rewrite N, !andb_false_r in K. simpl in K. now rewrite andb_true_r in K.
Qed.

(** ** What a capture returns *)

(** The mover's hand afterwards: what was there, less a placed pod, and all own pods that were taken off. *)
Theorem what_a_self_capture_returns s a k : In a (legal_actions G s) ->
  (count (hand (after G s a) (to_move s)) k + match a with Place j _ => count [j] k | _ => 0 end =
   count (hand s (to_move s)) k + count (kinds_of (to_move s) (taken_off G s a)) k)%nat.
Proof.
  intro L. apply legal_actions_are_the_legal_ones in L.
  assert (H : hand (after G s a) (to_move s) = hand_after G s a) by (unfold hand; simpl; now destruct (to_move s)).
  rewrite H. unfold hand_after, returned. rewrite count_all_put_into. destruct a as [j p| | |]; try lia.
  destruct L as (_ & _ & M & _). apply may_place_parts in M. destruct M as (M & _).
  pose proof (count_taken_from j (hand s (to_move s)) k M). lia.
Qed.

(** The opponent's hand is never touched. *)
Theorem the_other_hand_stays s a : hand (after G s a) (other (to_move s)) = hand s (other (to_move s)).
Proof. unfold hand; simpl; now destruct (to_move s). Qed.

(** ** R21: a placement that is captured alone amounts to a pass *)

Definition in_order (h : hand_of_pods) : Prop := Sorted Nat.le h.
Lemma put_back k h : in_order h -> In k h -> put_into k (taken_from k h) = h.
Proof.
  unfold in_order. induction h as [|j h IH]; simpl; [tauto|]. intros S I. apply Sorted_inv in S. destruct S as [S F].
  destruct (Nat.eqb_spec k j) as [->|N].
  - destruct h as [|i h]; simpl; auto. inversion F; subst. destruct (Nat.leb_spec j i); auto. unfold Nat.le in *; lia.
  - simpl. destruct I as [I|I]; [congruence|]. destruct (Nat.leb_spec k j).
    + assert (Nat.le j k). {
        assert (S' : Sorted Nat.le (j :: h)) by (constructor; auto).
        apply Sorted_StronglySorted in S'; [|intros a b c; unfold Nat.le; lia].
        apply StronglySorted_inv in S'. destruct S' as [_ S']. rewrite Forall_forall in S'. auto. }
      unfold Nat.le in *. lia.
    + f_equal. auto.
Qed.

Theorem a_placement_captured_alone_is_a_pass s k p :
  in_order (hand s (to_move s)) -> is_open s = false -> In (Place k p) (legal_actions G s) ->
  taken_off G s (Place k p) = [(p, Pod (to_move s) k)] ->
  after G s (Place k p) = Position (on_points s) (white_hand s) (black_hand s) (other (to_move s)) false.
Proof.
  intros S O L T. apply legal_actions_are_the_legal_ones in L. destruct L as (_ & _ & M & _).
  apply may_place_parts in M. destruct M as (M & _ & E & _).
  assert (H : hand_after G s (Place k p) = hand s (to_move s)).
  { unfold hand_after, returned. rewrite T. unfold kinds_of. simpl. rewrite same_side_refl. simpl. now apply put_back. }
  unfold after. rewrite H.
  assert (P : (if captures_follow G (Place k p) then left_on_board G (pods_after G s (Place k p)) else pods_after G s (Place k p))
              = on_points s).
  { revert T. unfold taken_off. destruct (captures_follow G (Place k p)); [|discriminate]. simpl. unfold put.
    rewrite (lifted_empty _ _ E). unfold captured, left_on_board. set (f := R18_is_captured G _). simpl.
    destruct (f (p, Pod (to_move s) k)) eqn:Z.
    - simpl. intro Y. injection Y. clear Y. generalize (on_points s). intro l. induction l as [|e l IH]; auto. simpl.
      destruct (f e); [discriminate|]. simpl. intro Y. now rewrite IH.
    - intro Y. exfalso. assert (X : In (p, Pod (to_move s) k) (filter f (on_points s))) by (rewrite Y; now left).
      apply filter_In in X. destruct X as [X _]. apply pod_at_none in E. apply E. apply in_map_iff. now exists (p, Pod (to_move s) k). }
  rewrite P. unfold hand. destruct (to_move s); reflexivity.
Qed.

(** ** R25: a kick by one point along a line does the same as the shove as which it counts *)
Theorem R25_the_same_as_the_shove s d p q r :
  connected B d p = Some q -> connected B d q = Some r -> is_empty (on_points s) q = false ->
  is_empty (on_points s) r = true -> pods_after G s (Kick d p q 1) = pods_after G s (Shove d p q).
Proof.
  intros C C' E F. simpl. fold B. unfold is_empty in E. destruct (pod_at (on_points s) q) as [y|] eqn:Y; [|discriminate].
  assert (N : neighbour B d q = Some r).
  { unfold connected in C'. destruct (neighbour B d q) as [t|]; [|discriminate]. destruct joined; congruence. }
  rewrite N, F. simpl. assert (L : (match kick_gaps (the_options G) with EveryStep | LastStep => false end) = false) by now destruct kick_gaps.
  rewrite L. simpl. assert (Ps : pushed G (on_points s) d q = Some (carried (on_points s) q r y)).
  { unfold pushed. fold B. apply connected_is in C'. destruct C' as (-> & Q & R & J).
    unfold on_board in Q. destruct (points B) eqn:PB; [discriminate|]. simpl. rewrite Y. fold B.
    assert (C' : connected B d q = Some (step d q)).
    { unfold connected, neighbour, on_board. rewrite PB. unfold on_board in R. rewrite PB in R. rewrite Q, R. simpl. now rewrite J. }
    rewrite C'. apply is_empty_none in F. destruct (length l); simpl; now rewrite F. }
  now rewrite Ps.
Qed.

End Captures.
