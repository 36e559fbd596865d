(** What the theorems about the rules use of points, boards, hands and pods. *)
From Coq Require Import List ZArith Bool Lia.
From Pods Require Import Rules.
Import ListNotations.
Local Open Scope Z_scope.

Lemma same_point_spec p q : reflect (p = q) (same_point p q).
Proof.
  destruct p as [x y], q as [z w]. unfold same_point; simpl.
  destruct (Z.eqb_spec x z), (Z.eqb_spec y w); simpl; constructor; congruence.
Qed.
Lemma same_point_refl p : same_point p p = true.
Proof. destruct (same_point_spec p p); congruence. Qed.
Lemma is_among_In p l : is_among p l = true <-> In p l.
Proof.
  unfold is_among. rewrite existsb_exists. split.
  - intros [q [H E]]. destruct (same_point_spec p q); [now subst|discriminate].
  - intro H. exists p. auto using same_point_refl.
Qed.
Lemma all_different_NoDup l : all_different l = true -> NoDup l.
Proof.
  induction l as [|p l IH]; simpl; intro H; constructor; apply andb_true_iff in H; destruct H as [H1 H2]; auto.
  intro H. apply is_among_In in H. now rewrite H in H1.
Qed.
Lemma NoDup_all_different l : NoDup l -> all_different l = true.
Proof.
  induction 1 as [|p l H _ IH]; simpl; auto. rewrite IH, andb_true_r. destruct (is_among p l) eqn:E; auto.
  now apply is_among_In in E.
Qed.

Lemma same_side_spec x y : reflect (x = y) (same_side x y).
Proof. destruct x, y; simpl; constructor; congruence. Qed.
Lemma same_side_refl x : same_side x x = true. Proof. now destruct x. Qed.
Lemma same_side_other x : same_side x (other x) = false. Proof. now destruct x. Qed.
Lemma other_other x : other (other x) = x. Proof. now destruct x. Qed.
Lemma other_neq x : other x <> x. Proof. destruct x; discriminate. Qed.
Lemma side_cases x y : y = x \/ y = other x. Proof. destruct x, y; auto. Qed.

Lemma step_moves d p : step d p <> p.
Proof. destruct p, d; simpl; intro H; injection H; lia. Qed.
Lemma step_injective d p q : step d p = step d q -> p = q.
Proof. destruct p, q, d; simpl; intro H; injection H; intros; f_equal; lia. Qed.
Lemma step_back d p : step (opposite d) (step d p) = p.
Proof. destruct p, d; simpl; f_equal; lia. Qed.

Lemma neighbour_is b d p q : neighbour b d p = Some q -> q = step d p /\ on_board b p = true /\ on_board b q = true.
Proof.
  unfold neighbour. destruct (on_board b p && on_board b (step d p)) eqn:E; [|discriminate].
  apply andb_true_iff in E. intro H; injection H; intros; subst; tauto.
Qed.
Lemma connected_is b d p q : connected b d p = Some q ->
  q = step d p /\ on_board b p = true /\ on_board b q = true /\ joined b p q = true.
Proof.
  unfold connected. destruct (neighbour b d p) as [r|] eqn:E; [|discriminate].
  destruct (joined b p r) eqn:J; [|discriminate]. intro H; injection H; intros; subst.
  apply neighbour_is in E. tauto.
Qed.
Lemma joined_both_ways b p q : joined b p q = joined b q p.
Proof.
  unfold joined. induction (lines b) as [|line l IH]; simpl; auto. rewrite IH. f_equal. apply orb_comm.
Qed.
Lemma connected_both_ways b d p q : connected b d p = Some q -> connected b (opposite d) q = Some p.
Proof.
  intro H. apply connected_is in H. destruct H as [-> [P [Q J]]].
  unfold connected, neighbour. rewrite step_back, Q, P. simpl. now rewrite joined_both_ways, J.
Qed.

(** ** Pods on points *)

Definition alone (ps : pods) : Prop := NoDup (map fst ps).

Lemma pod_at_In ps p x : pod_at ps p = Some x -> In (p, x) ps.
Proof.
  induction ps as [|[q y] ps IH]; simpl; [discriminate|].
  destruct (same_point_spec p q); [|auto]. intro H; injection H; intros; subst; auto.
Qed.
Lemma In_pod_at ps p x : alone ps -> In (p, x) ps -> pod_at ps p = Some x.
Proof.
  unfold alone. induction ps as [|[q y] ps IH]; simpl; [tauto|]. intros D H. inversion D; subst.
  destruct H as [H|H].
  - injection H; intros; subst. now rewrite same_point_refl.
  - destruct (same_point_spec p q); [|auto]. subst. exfalso. apply H2. apply in_map_iff. now exists (q, x).
Qed.
Lemma pod_at_none ps p : pod_at ps p = None <-> ~ In p (map fst ps).
Proof.
  induction ps as [|[q y] ps IH]; simpl; [tauto|]. destruct (same_point_spec p q).
  - split; [discriminate|]. intro H. exfalso. apply H. auto.
  - rewrite IH. split; intros H; [intros [E|E]; auto|auto].
Qed.
Lemma is_empty_none ps p : is_empty ps p = true <-> pod_at ps p = None.
Proof. unfold is_empty. destruct (pod_at ps p); split; congruence. Qed.
Lemma pod_at_lifted ps p q : pod_at (lifted ps p) q = if same_point p q then None else pod_at ps q.
Proof.
  induction ps as [|[r y] ps IH]; simpl; [now destruct same_point|].
  destruct (same_point_spec p r) as [->|N]; simpl.
  - rewrite IH. destruct (same_point_spec r q) as [->|M]; auto.
    destruct (same_point_spec q r); [congruence|auto].
  - rewrite IH. destruct (same_point_spec q r) as [->|M]; auto. destruct (same_point_spec p r); [congruence|auto].
Qed.
Lemma pod_at_put ps p x q : pod_at (put ps p x) q = if same_point p q then Some x else pod_at ps q.
Proof.
  unfold put. simpl. rewrite pod_at_lifted. destruct (same_point_spec q p), (same_point_spec p q); congruence.
Qed.
Lemma pod_at_carried ps p q x r :
  pod_at (carried ps p q x) r = if same_point q r then Some x else if same_point p r then None else pod_at ps r.
Proof. unfold carried. now rewrite pod_at_put, pod_at_lifted. Qed.
Lemma lifted_empty ps p : pod_at ps p = None -> lifted ps p = ps.
Proof.
  induction ps as [|[q y] ps IH]; simpl; auto. destruct (same_point_spec p q); [discriminate|]. simpl. intro H.
  now rewrite IH.
Qed.
Lemma alone_filter f ps : alone ps -> alone (filter f ps).
Proof.
  unfold alone. induction ps as [|[q y] ps IH]; simpl; auto. intro D. inversion D; subst.
  destruct (f (q, y)); simpl; auto. constructor; auto. intro H. apply H1. apply in_map_iff in H.
  destruct H as [[r z] [E H]]. apply filter_In in H. apply in_map_iff. exists (r, z). tauto.
Qed.
Lemma alone_put ps p x : alone ps -> alone (put ps p x).
Proof.
  intro D. unfold put, alone. simpl. constructor; [|now apply alone_filter].
  apply pod_at_none. now rewrite pod_at_lifted, same_point_refl.
Qed.
Lemma alone_carried ps p q x : alone ps -> alone (carried ps p q x).
Proof. intro D. apply alone_put. now apply alone_filter. Qed.

(** [fewer ps' ps]: the pods of the former are pods of the latter, on the same points. *)
Definition fewer (ps' ps : pods) : Prop := forall p x, pod_at ps' p = Some x -> pod_at ps p = Some x.
Lemma fewer_empty ps' ps p : fewer ps' ps -> is_empty ps p = true -> is_empty ps' p = true.
Proof.
  rewrite !is_empty_none. intros F H. destruct (pod_at ps' p) as [x|] eqn:E; auto. apply F in E. congruence.
Qed.
Lemma fewer_filter f ps : alone ps -> fewer (filter f ps) ps.
Proof.
  intros D p x H. apply pod_at_In in H. apply filter_In in H. now apply In_pod_at.
Qed.
Lemma fewer_put ps p x : pod_at ps p = None -> fewer ps (put ps p x).
Proof.
  intros E q y H. rewrite pod_at_put. destruct (same_point_spec p q); [congruence|auto].
Qed.

(** ** Hands *)

Lemma in_hand_In k h : in_hand k h = true <-> In k h.
Proof.
  unfold in_hand. rewrite existsb_exists. split.
  - intros [j [H E]]. apply Nat.eqb_eq in E. now subst.
  - intro H. exists k. split; auto. apply Nat.eqb_refl.
Qed.
Definition count := count_occ Nat.eq_dec.
Arguments count : simpl never.
Lemma count_put_into k h j : count (put_into k h) j = (count [k] j + count h j)%nat.
Proof.
  unfold count. induction h as [|i h IH]; [simpl; destruct Nat.eq_dec; lia|].
  cbn [put_into]. destruct (Nat.leb k i).
  - simpl. repeat destruct Nat.eq_dec; lia.
  - revert IH. simpl. repeat destruct Nat.eq_dec; lia.
Qed.
Lemma count_taken_from k h j : In k h -> (count (taken_from k h) j + count [k] j = count h j)%nat.
Proof.
  unfold count. induction h as [|i h IH]; simpl; [tauto|]. intro H.
  destruct (Nat.eqb_spec k i) as [->|N].
  - repeat destruct Nat.eq_dec; lia.
  - destruct H as [H|H]; [congruence|]. specialize (IH H). revert IH. simpl. repeat destruct Nat.eq_dec; lia.
Qed.
Lemma count_all_put_into l h j : count (fold_right put_into h l) j = (count l j + count h j)%nat.
Proof.
  induction l as [|k l IH]; [reflexivity|]. cbn [fold_right]. rewrite count_put_into, IH.
  unfold count. simpl. destruct Nat.eq_dec; lia.
Qed.
