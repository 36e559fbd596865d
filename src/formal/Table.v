(** Tables of values, checked against the rules: what [accepts] says yes to is right, for every preset and option.

    A table is a tree of positions with their values. Where a position lies in it is said by [key], which may be any function: what is
    found is compared whole, but for the order in which the pods are listed, of which it is shown that it does not matter. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Pods Require Import Rules Facts Actions Ends Turning Values.
Import ListNotations.

(** ** Pods listed in another order *)

Definition reordered (ps qs : pods) : Prop := Permutation ps qs /\ alone ps.

Lemma reordered_alone ps qs : reordered ps qs -> alone qs.
Proof. intros [P A]. eapply Permutation_NoDup; [apply Permutation_map, P|exact A]. Qed.
Lemma reordered_pod_at ps qs p : reordered ps qs -> pod_at ps p = pod_at qs p.
Proof.
  intro R. pose proof (reordered_alone _ _ R) as A. destruct R as [P _]. destruct (pod_at ps p) eqn:E.
  - symmetry. apply In_pod_at; auto. eapply Permutation_in; [exact P|now apply pod_at_In].
  - symmetry. apply pod_at_none. apply pod_at_none in E. intro I. apply E. eapply Permutation_in; [|exact I].
    apply Permutation_sym, Permutation_map, P.
Qed.
Lemma reordered_filter f g ps qs : reordered ps qs -> (forall e, f e = g e) -> reordered (filter f ps) (filter g qs).
Proof.
  intros [P A] E. split; [|now apply alone_filter]. rewrite (filter_ext _ _ E). now apply Permutation_filter.
Qed.
Lemma reordered_put ps qs p x : reordered ps qs -> reordered (put ps p x) (put qs p x).
Proof.
  intro R. split; [|now apply alone_put, R]. unfold put. constructor. now apply (reordered_filter _ _ _ _ R).
Qed.
Lemma reordered_carried ps qs p q x : reordered ps qs -> reordered (carried ps p q x) (carried qs p q x).
Proof. intro R. now apply reordered_put, reordered_filter. Qed.

Lemma put_into_in_any_order k j h : put_into k (put_into j h) = put_into j (put_into k h).
Proof.
  induction h as [|i h IH]; simpl.
  - destruct (Nat.leb_spec k j), (Nat.leb_spec j k); auto; try lia. replace j with k by lia. reflexivity.
  - destruct (Nat.leb j i) eqn:J, (Nat.leb k i) eqn:K; simpl; rewrite ?J, ?K; try congruence;
      apply Nat.leb_le in J || apply Nat.leb_gt in J; apply Nat.leb_le in K || apply Nat.leb_gt in K;
      destruct (Nat.leb_spec k j), (Nat.leb_spec j k); try lia; auto. now replace j with k by lia.
Qed.
Lemma put_all_in_any_order l m h : Permutation l m -> fold_right put_into h l = fold_right put_into h m.
Proof. induction 1; simpl; try congruence. apply put_into_in_any_order. Qed.

Section Same.
Variable G : game.
Section Pods.
Variables ps qs : pods.
Hypothesis R : reordered ps qs.

Lemma reordered_empty p : is_empty ps p = is_empty qs p.
Proof. unfold is_empty. now rewrite (reordered_pod_at _ _ _ R). Qed.
Lemma reordered_run w : run_of_empty_points ps w = run_of_empty_points qs w.
Proof. induction w as [|q w IH]; simpl; auto. now rewrite reordered_empty, IH. Qed.
Lemma reordered_first w : first_occupied ps w = first_occupied qs w.
Proof. induction w as [|q w IH]; simpl; auto. now rewrite reordered_empty, IH. Qed.
Lemma reordered_to_first w : to_first_occupied ps w = to_first_occupied qs w.
Proof. induction w as [|q w IH]; simpl; auto. now rewrite reordered_empty, IH. Qed.
Lemma reordered_attacks p x q : R6_attacks G ps p x q = R6_attacks G qs p x q.
Proof. apply existsb_same. intro l. unfold R5_reach. now rewrite reordered_to_first. Qed.
Lemma reordered_liberty p x : R7_has_liberty G ps p x = R7_has_liberty G qs p x.
Proof. apply existsb_same. intro l. unfold gives_liberty. destruct (connected _ _ _); auto. apply reordered_empty. Qed.
Lemma reordered_pushed_on d n q :
  match R22_pushed G ps d n q, R22_pushed G qs d n q with Some a, Some b => reordered a b | None, None => True | _, _ => False end.
Proof.
  revert q. induction n as [|n IH]; intro q; simpl; rewrite <- (reordered_pod_at _ _ q R); destruct (pod_at ps q); auto.
  destruct (connected _ _ _) as [r|]; auto. specialize (IH r). destruct (R22_pushed G ps d n r), (R22_pushed G qs d n r); auto.
  now apply reordered_carried.
Qed.
Lemma reordered_pushed d q :
  match pushed G ps d q, pushed G qs d q with Some a, Some b => reordered a b | None, None => True | _, _ => False end.
Proof. apply reordered_pushed_on. Qed.
Lemma reordered_slide d n q : R24_slide G ps d n q = R24_slide G qs d n q.
Proof. revert q. induction n as [|n IH]; intro q; simpl; auto. destruct neighbour; auto. now rewrite reordered_empty, IH. Qed.
Lemma reordered_shoves p l : shoves_of G ps p l = shoves_of G qs p l.
Proof.
  unfold shoves_of, R23_meets. rewrite reordered_first. destruct first_occupied as [q|]; auto.
  pose proof (reordered_pushed (towards l) q) as P. destruct (pushed G ps _ _), (pushed G qs _ _); auto; destruct P.
Qed.
Lemma reordered_kicks p l : kicks_of G ps p l = kicks_of G qs p l.
Proof.
  unfold kicks_of. destruct (size l), (connected (the_board G) (towards l) p) as [q|]; auto. rewrite reordered_empty. destruct is_empty; auto. f_equal.
  apply filter_ext. intro n. unfold can_kick. now rewrite reordered_slide.
Qed.
Lemma reordered_actions there : actions_of_pod G ps there = actions_of_pod G qs there.
Proof.
  apply flat_map_same. intro l. unfold actions_of_leg, R17_moves. now rewrite reordered_run, reordered_shoves, reordered_kicks.
Qed.
Lemma reordered_is_captured there : R18_is_captured G ps there = R18_is_captured G qs there.
Proof.
  unfold R18_is_captured, R7_is_blocked, R27_is_safe. rewrite reordered_liberty. do 3 f_equal. apply existsb_same. intro l.
  now rewrite reordered_shoves, reordered_kicks.
Qed.
Lemma reordered_captured : reordered (captured G ps) (captured G qs).
Proof. now apply reordered_filter; [|apply reordered_is_captured]. Qed.
Lemma reordered_left : reordered (left_on_board G ps) (left_on_board G qs).
Proof. apply reordered_filter; auto. intro e. now rewrite reordered_is_captured. Qed.
End Pods.

(** Two positions that differ in that order only. *)
Definition alike (s t : position) : Prop :=
  reordered (on_points s) (on_points t) /\ white_hand s = white_hand t /\ black_hand s = black_hand t /\ to_move s = to_move t /\
  is_open s = is_open t.

Section Positions.
Variables s t : position.
Hypothesis A : alike s t.

Lemma alike_hand x : hand s x = hand t x.
Proof. destruct A as (_ & W & K & _). now destruct x. Qed.
Lemma alike_mover : to_move s = to_move t. Proof. apply A. Qed.
Lemma alike_may_place k p : may_place G s k p = may_place G t k p.
Proof.
  destruct A as (R & _). unfold may_place, R10_can_put, R11_attacks_nobody, R12_not_attacked, R13_liberty.
  rewrite alike_hand, alike_mover, (reordered_empty _ _ R), (reordered_liberty _ _ R).
  f_equal; f_equal; [f_equal|]; rewrite (Permutation_forallb _ _ _ (proj1 R)); apply forallb_same; intro e;
    now rewrite (reordered_attacks _ _ R).
Qed.
Lemma alike_doable : Permutation (what_can_be_done G s) (what_can_be_done G t).
Proof.
  unfold what_can_be_done. erewrite filter_ext; [apply Permutation_filter|intro a; unfold R9_allows].
  2: { destruct A as (_ & _ & _ & _ & O). rewrite O. reflexivity. }
  apply Permutation_app.
  - unfold placements. apply Permutation_flat_maps. intro k. erewrite filter_ext; [apply Permutation_refl|apply alike_may_place].
  - unfold actions_on_board. destruct moves; auto. rewrite alike_mover. destruct A as (R & _).
    rewrite (Permutation_flat_map _ (Permutation_filter _ _ _ (proj1 R))). apply Permutation_flat_maps. intro e.
    now rewrite (reordered_actions _ _ R).
Qed.
Lemma alike_by_hand : R30_winner G s = R30_winner G t.
Proof. unfold R30_winner, has_empty_hand. now rewrite alike_mover, !alike_hand. Qed.
Lemma alike_legal : Permutation (legal_actions G s) (legal_actions G t).
Proof. unfold legal_actions. rewrite alike_by_hand. destruct R30_winner; auto. apply alike_doable. Qed.
Lemma alike_winner : winner G s = winner G t.
Proof.
  unfold winner. rewrite alike_by_hand, alike_mover. destruct R30_winner; auto. pose proof alike_doable as P.
  destruct (what_can_be_done G s), (what_can_be_done G t); auto; [|apply Permutation_sym in P]; now apply Permutation_nil in P.
Qed.
Lemma alike_pods_after a : reordered (pods_after G s a) (pods_after G t a).
Proof.
  destruct A as (R & _ & _ & M & _). unfold pods_after. destruct a as [k p|p q|d p q|d p q n].
  - rewrite M. now apply reordered_put.
  - rewrite (reordered_pod_at _ _ p R). destruct pod_at; auto. now apply reordered_carried.
  - rewrite (reordered_pod_at _ _ p R). pose proof (reordered_pushed _ _ R d q) as P.
    destruct (pushed G (on_points s) d q), (pushed G (on_points t) d q); auto; try now destruct P.
    destruct pod_at; auto. now apply reordered_carried.
  - rewrite (reordered_pod_at _ _ p R), (reordered_pod_at _ _ q R), (reordered_slide _ _ R). destruct (pod_at _ q); auto.
    destruct R24_slide; auto. destruct pod_at; repeat apply reordered_carried; auto.
Qed.
Lemma alike_after a : alike (after G s a) (after G t a).
Proof.
  pose proof (alike_pods_after a) as R.
  assert (H : hand_after G s a = hand_after G t a).
  { unfold hand_after, returned, taken_off. rewrite alike_hand, alike_mover. apply put_all_in_any_order. unfold kinds_of.
    apply Permutation_map, Permutation_filter. destruct captures_follow; auto. now apply reordered_captured. }
  unfold alike, after. simpl. rewrite H. destruct A as (_ & W & K & M & _). rewrite W, K, M. repeat split;
    destruct captures_follow; apply R || apply (reordered_left _ _ R).
Qed.
End Positions.

Lemma alike_can_win n : forall x s t, alike s t -> can_win G x n s = can_win G x n t.
Proof.
  induction n as [|n IH]; intros x s t A; cbn [can_win]; rewrite (alike_winner s t A); destruct (winner G t); auto.
  rewrite (alike_mover s t A). destruct same_side; [rewrite (Permutation_existsb _ _ _ (alike_legal s t A)); apply existsb_same|
    rewrite (Permutation_forallb _ _ _ (alike_legal s t A)); apply forallb_same]; intro a; now apply IH, alike_after.
Qed.

(** ** The table *)

Inductive tree := Leaf | Node (left : tree) (here : list (position * value)) (right : tree).
Fixpoint holds (s : position) (v : value) (m : tree) : Prop :=
  match m with Leaf => False | Node l here r => holds s v l \/ In (s, v) here \/ holds s v r end.
Definition rows_at (m : tree) := match m with Leaf => [] | Node _ here _ => here end.
Definition left_of (m : tree) := match m with Leaf => Leaf | Node l _ _ => l end.
Definition right_of (m : tree) := match m with Leaf => Leaf | Node _ _ r => r end.
Fixpoint with_row (k : positive) (s : position) (v : value) (m : tree) : tree :=
  match k with
  | xH => Node (left_of m) ((s, v) :: rows_at m) (right_of m)
  | xO k => Node (with_row k s v (left_of m)) (rows_at m) (right_of m)
  | xI k => Node (left_of m) (rows_at m) (with_row k s v (right_of m))
  end.
Definition table_of (rows : list (position * value)) (key : position -> positive) : tree :=
  fold_left (fun m row => with_row (key (fst row)) (fst row) (snd row) m) rows Leaf.
Fixpoint at_key (k : positive) (m : tree) : list (position * value) :=
  match m, k with
  | Leaf, _ => []
  | Node _ here _, xH => here
  | Node l _ _, xO k => at_key k l
  | Node _ _ r, xI k => at_key k r
  end.
Fixpoint all_rows (f : position -> value -> bool) (m : tree) : bool :=
  match m with Leaf => true | Node l here r => all_rows f l && forallb (fun row => f (fst row) (snd row)) here && all_rows f r end.

Fixpoint same_hand (h k : hand_of_pods) : bool :=
  match h, k with [], [] => true | i :: h, j :: k => Nat.eqb i j && same_hand h k | _, _ => false end.
Definition same_pods (ps qs : pods) : bool :=
  Nat.eqb (length ps) (length qs) && forallb (fun there => match pod_at qs (fst there) with
    | Some x => same_side (owner x) (owner (snd there)) && Nat.eqb (its_kind x) (its_kind (snd there)) | None => false end) ps.
Definition same_position (s t : position) : bool :=
  same_side (to_move s) (to_move t) && Bool.eqb (is_open s) (is_open t) && same_hand (white_hand s) (white_hand t) &&
  same_hand (black_hand s) (black_hand t) && same_pods (on_points s) (on_points t).

Variable key : position -> positive.
Definition value_in (m : tree) (s : position) : option value :=
  match find (fun row => same_position s (fst row)) (at_key (key s) m) with Some row => Some (snd row) | None => None end.

(** The value of an ended position is its end, and need not be in the table. *)
Definition ended (s : position) : option value :=
  match winner G s with Some x => Some (ended_with (same_side (to_move s) x)) | None => None end.
Definition known_value (m : tree) (s : position) : option value :=
  match value_in m s with Some v => Some v | None => ended s end.
Fixpoint known_values (m : tree) (l : list position) : option (list value) :=
  match l with
  | [] => Some []
  | s :: l => match known_value m s, known_values m l with Some v, Some vs => Some (v :: vs) | _, _ => None end
  end.

(** The value is the end, or the best of what the next positions give. *)
Definition follows (m : tree) (s : position) (v : value) : bool :=
  R29_is_consistent G s &&
  match legal_actions G s with
  | [] => match ended s with Some w => same_value v w | None => false end
  | acts => match known_values m (map (after G s) acts) with Some vs => is_best v (map one_ply_back vs) | None => false end
  end.
Definition accepts (m : tree) : bool := all_rows (follows m) m.

Lemma all_rows_hold f m : all_rows f m = true -> forall s v, holds s v m -> f s v = true.
Proof.
  induction m as [|l IHl here r IHr]; simpl; [tauto|]. intros H s v. apply andb_prop in H. destruct H as [H Hr].
  apply andb_prop in H. destruct H as [Hl H]. rewrite forallb_forall in H. intros [I|[I|I]]; auto. exact (H _ I).
Qed.
Lemma at_key_holds m : forall k s v, In (s, v) (at_key k m) -> holds s v m.
Proof. induction m as [|l IHl here r IHr]; intros [k|k|] s v I; simpl in *; try tauto; eauto. Qed.
Lemma with_row_holds k s v : forall m, holds s v (with_row k s v m).
Proof. induction k; intro m; simpl; auto. Qed.
Lemma with_row_keeps k s v : forall m t w, holds t w m -> holds t w (with_row k s v m).
Proof. induction k as [k IH|k IH|]; intros [|l here r] t w; simpl; try tauto; intros [H|[H|H]]; auto. Qed.
Lemma table_of_holds rows : forall s v, In (s, v) rows -> holds s v (table_of rows key).
Proof.
  unfold table_of. generalize Leaf. induction rows as [|[t w] rows IH]; simpl; [tauto|].
  assert (K : forall rows s v m, holds s v m ->
    holds s v (fold_left (fun m row => with_row (key (fst row)) (fst row) (snd row) m) rows m)).
  { clear. induction rows as [|row rows IH]; simpl; auto. intros s v m H. now apply IH, with_row_keeps. }
  intros m s v [E|I]; auto. injection E as -> ->. apply K, with_row_holds.
Qed.
Lemma same_hand_is h : forall k, same_hand h k = true -> h = k.
Proof.
  induction h as [|i h IH]; intros [|j k] H; try discriminate; auto. simpl in H. apply andb_prop in H. destruct H as [E H].
  apply Nat.eqb_eq in E. f_equal; auto.
Qed.
Lemma same_position_is s t : alone (on_points s) -> same_position s t = true -> alike s t.
Proof.
  intros A H. unfold same_position in H. rewrite !andb_true_iff in H. destruct H as [[[[M O] W] K] P].
  apply same_hand_is in W, K. apply Bool.eqb_prop in O. destruct (same_side_spec (to_move s) (to_move t)) as [M'|]; [|discriminate].
  unfold same_pods in P. apply andb_prop in P. destruct P as [L P]. apply Nat.eqb_eq in L. rewrite forallb_forall in P.
  repeat split; auto. apply NoDup_Permutation_bis; [now apply NoDup_map_inv in A|lia|]. intros [p [o k]] I.
  specialize (P _ I). simpl in P. destruct (pod_at (on_points t) p) as [[o' k']|] eqn:E; [|discriminate]. simpl in P.
  apply andb_prop in P. destruct P as [S N]. apply Nat.eqb_eq in N. destruct (same_side_spec o' o); [|discriminate].
  subst. now apply pod_at_In.
Qed.

Let over (s : position) : option bool := option_map (same_side (to_move s)) (winner G s).
Let next (s : position) : list position := map (after G s) (legal_actions G s).
Lemma forced_is_can_win n : forall s x, forced over next (same_side x (to_move s)) n s = can_win G x n s.
Proof.
  induction n as [|n IH]; intros s x; cbn [forced can_win]; unfold over at 1; destruct (winner G s) as [y|]; cbn [option_map]; auto.
  1, 2: now destruct x, y, (to_move s).
  unfold next. destruct (side_cases (to_move s) x) as [->| ->].
  - rewrite same_side_refl, existsb_map. apply existsb_same. intro a. rewrite <- IH. simpl. now rewrite same_side_other.
  - replace (same_side (other (to_move s)) (to_move s)) with false by now destruct (to_move s).
    rewrite forallb_map. apply forallb_same. intro a. rewrite <- IH. simpl. now rewrite same_side_refl.
Qed.
Lemma has_value_is s v : has_value over next s v -> R33_has_value G s v.
Proof.
  assert (W : forall n, forced over next true n s = can_win G (to_move s) n s)
    by (intro n; rewrite <- forced_is_can_win; now rewrite same_side_refl).
  assert (L : forall n, forced over next false n s = can_win G (other (to_move s)) n s)
    by (intro n; rewrite <- forced_is_can_win; now destruct (to_move s)).
  destruct v as [n|n|]; simpl; unfold forced_at_last, can_win_at_last.
  - intros [A B]. split; [now rewrite <- W|]. intros m H. rewrite <- W. auto.
  - intros [A B]. split; [now rewrite <- L|]. intros m H. rewrite <- L. auto.
  - intros H x n. rewrite <- forced_is_can_win. auto.
Qed.

(** Each value that follows from an accepted table is right: those in it (each follows) and others, such as that of the start. *)
Theorem what_follows_from_an_accepted_table_is_true m s v :
  accepts m = true -> follows m s v = true -> R33_has_value G s v.
Proof.
  intros Acc F. pose proof (all_rows_hold _ _ Acc) as H. apply has_value_is.
  apply values_right_here_are_right with (known := fun t w => follows m t w = true); auto. clear s v F.
  intros s v F. unfold is_right_here, over. unfold follows in F. apply andb_prop in F. destruct F as [C F].
  destruct (winner G s) as [x|] eqn:W; cbn [option_map].
  - destruct (legal_actions G s) as [|a acts] eqn:L.
    + unfold ended in F. rewrite W in F. now apply same_value_is in F.
    + assert (I : In a (legal_actions G s)) by (rewrite L; now left). apply R28_shoves_and_kicks_are_actions in I. congruence.
  - assert (N := proj1 (R20_the_game_goes_on_while_there_is_an_action G s) W). unfold next.
    assert (K : forall a, In a (legal_actions G s) -> R29_is_consistent G (after G s a) = true)
      by (intros a I; now apply play_keeps_consistent).
    destruct (legal_actions G s) as [|a acts]; [congruence|]. clear N. revert F K. generalize (a :: acts). clear a acts.
    intros l F K. destruct (known_values m (map (after G s) l)) as [vs|] eqn:V; [|discriminate]. exists vs. split; auto. clear F.
    revert vs V K. induction l as [|a l IH]; simpl; intros vs V K; [injection V as <-; constructor|].
    destruct (known_value m (after G s a)) as [w|] eqn:E; [|discriminate].
    destruct (known_values m (map (after G s) l)) as [ws|]; [|discriminate]. injection V as <-. constructor; auto.
    specialize (K a (or_introl eq_refl)). set (c := after G s a) in *. unfold known_value, value_in in E.
    destruct (find _ _) as [[t u]|] eqn:Q.
    + injection E as ->. apply find_some in Q. destruct Q as [I S]. exists t. split; [|apply H; eapply at_key_holds; eauto].
      apply same_position_is in S; [|now apply consistent_parts in K]. intros mover n.
      assert (X : exists x, mover = same_side x (to_move c))
        by (exists (if mover then to_move c else other (to_move c)); destruct mover, (to_move c); reflexivity).
      destruct X as [x ->]. rewrite forced_is_can_win, (alike_mover _ _ S), forced_is_can_win. now apply alike_can_win.
    + exists c. split; [intros ? ?; reflexivity|]. unfold follows. rewrite K. simpl.
      destruct (legal_actions G c) as [|b acts] eqn:L; [rewrite E; now apply same_value_is|].
      unfold ended in E. destruct (winner G c) eqn:W'; [|discriminate].
      assert (I : In b (legal_actions G c)) by (rewrite L; now left). apply R28_shoves_and_kicks_are_actions in I. congruence.
Qed.
Lemma what_it_holds_is_true m s v : accepts m = true -> holds s v m -> R33_has_value G s v.
Proof.
  intros Acc I. apply what_follows_from_an_accepted_table_is_true with m; auto. exact (all_rows_hold _ _ Acc s v I).
Qed.
(** Each row of an accepted table is true: the value and its distance are those of the game, a draw being endless play. *)
Theorem an_accepted_table_is_true rows s v : accepts (table_of rows key) = true -> In (s, v) rows -> R33_has_value G s v.
Proof. intros Acc I. apply what_it_holds_is_true with (1 := Acc). now apply table_of_holds. Qed.
Theorem what_is_found_in_an_accepted_table_is_true m s v :
  R29_is_consistent G s = true -> accepts m = true -> value_in m s = Some v -> R33_has_value G s v.
Proof.
  intros C Acc F. unfold value_in in F. destruct (find _ _) as [[t w]|] eqn:Q; [|discriminate]. injection F as ->.
  apply find_some in Q. destruct Q as [I S]. apply at_key_holds in I. apply what_it_holds_is_true in I; auto.
  apply same_position_is in S; [|now apply consistent_parts in C]. cbn [fst] in S. revert I.
  destruct v as [n|n|]; simpl; unfold can_win_at_last; rewrite <- ?(alike_mover _ _ S).
  1, 2: intros [X Y]; split; [now rewrite (alike_can_win _ _ _ _ S)|intros k L; rewrite (alike_can_win _ _ _ _ S); auto].
  intros X x n. rewrite (alike_can_win _ _ _ _ S). auto.
Qed.
End Same.
