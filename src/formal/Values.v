(** Values of a finite game, such as a table holds them: each is checked against those of the next positions, and then all are right,
    draws by endless play (R21) among them. A position is anything; [over] says whether the side to move has won, [next] gives what can
    follow, where the other side is to move. *)
From Coq Require Import List Arith Bool Lia.
From Pods Require Import Rules.
Import ListNotations.

(** What a value of the next position is for the side that moves there. *)
Definition one_ply_back (v : value) : value := match v with Win n => Loss (S n) | Loss n => Win (S n) | Draw => Draw end.
(** The winner hurries and the loser delays (R33). *)
Definition at_least (v w : value) : bool :=
  match v, w with
  | Win n, Win m => Nat.leb n m | Win _, _ => true
  | Draw, Win _ => false | Draw, _ => true
  | Loss n, Loss m => Nat.leb m n | Loss _, _ => false
  end.
Definition same_value (v w : value) : bool := at_least v w && at_least w v.
Definition is_best (v : value) (l : list value) : bool := existsb (same_value v) l && forallb (at_least v) l.
Definition ended_with (mover_has_won : bool) : value := if mover_has_won then Win 0 else Loss 0.

Lemma same_value_is v w : same_value v w = true <-> v = w.
Proof.
  unfold same_value. destruct v, w; simpl; rewrite ?andb_true_iff, ?Nat.leb_le; split; intro H; try discriminate; try tauto; try easy;
    try (injection H as ->; lia); f_equal; lia.
Qed.
Lemma best_parts v l : is_best v l = true -> In v l /\ forall w, In w l -> at_least v w = true.
Proof.
  intro H. apply andb_prop in H. destruct H as [E F]. apply existsb_exists in E. destruct E as [w [I E]]. apply same_value_is in E.
  subst w. split; auto. now apply forallb_forall.
Qed.

Section Game.
Context {position : Type} (over : position -> option bool) (next : position -> list position).

(** The side to move, or the other one, can force an end in its favour within [n] plies. *)
Fixpoint forced (mover : bool) (n : nat) (s : position) : bool :=
  match over s with
  | Some mover_has_won => Bool.eqb mover mover_has_won
  | None =>
      match n with
      | O => false
      | S fewer => if mover then existsb (forced false fewer) (next s) else forallb (forced true fewer) (next s)
      end
  end.
Definition forced_at_last (mover : bool) (n : nat) (s : position) : Prop :=
  forced mover n s = true /\ forall m, m < n -> forced mover m s = false.
Definition has_value (s : position) (v : value) : Prop :=
  match v with
  | Win n => forced_at_last true n s
  | Loss n => forced_at_last false n s
  | Draw => forall mover n, forced mover n s = false
  end.
Definition plays_like (s t : position) : Prop := forall mover n, forced mover n s = forced mover n t.

(** [known] are the values in question: each is the end that is there, or the best of what the next positions give; of each of these a
    value is known, or of one that plays like it. *)
Variable known : position -> value -> Prop.
Definition read (c : position) (v : value) : Prop := exists t, plays_like c t /\ known t v.
Definition is_right_here (s : position) (v : value) : Prop :=
  match over s with
  | Some mover_has_won => v = ended_with mover_has_won
  | None => exists vs, Forall2 read (next s) vs /\ is_best v (map one_ply_back vs) = true
  end.
Hypothesis all_are_right_here : forall s v, known s v -> is_right_here s v.

Lemma more_plies mover n : forall m s, forced mover n s = true -> n <= m -> forced mover m s = true.
Proof.
  revert mover. induction n as [|n IH]; intros mover m s F L.
  - cbn [forced] in F. destruct m; cbn [forced]; destruct (over s); auto; discriminate.
  - destruct m as [|m]; [lia|]. cbn [forced] in *. destruct (over s); auto. destruct mover.
    + apply existsb_exists in F. destruct F as [c [I F]]. apply existsb_exists. exists c. split; auto. apply IH with (1 := F). lia.
    + rewrite forallb_forall in *. intros c I. apply IH with (1 := F c I). lia.
Qed.

Lemma one_value_each l vs : Forall2 read l vs ->
  (forall c, In c l -> exists v, read c v /\ In v vs) /\ (forall v, In v vs -> exists c, read c v /\ In c l).
Proof.
  induction 1 as [|c v l vs R _ [A B]]; [now split|]. split; intros x [<-|I].
  - exists v. simpl. auto.
  - destruct (A x I) as [y [P Q]]. exists y. simpl. auto.
  - exists c. simpl. auto.
  - destruct (B x I) as [y [P Q]]. exists y. simpl. auto.
Qed.

(** Who is said to win can force it in that time. *)
Lemma wins_are_forced n : forall s,
  (known s (Win n) -> forced true n s = true) /\ (known s (Loss n) -> forced false n s = true).
Proof.
  induction n as [n IH] using lt_wf_ind. intro s.
  split; intro K; pose proof (all_are_right_here _ _ K) as R; unfold is_right_here in R; destruct (over s) as [w|] eqn:O.
  - destruct w; [|discriminate]. injection R as ->. cbn [forced]. now rewrite O.
  - destruct R as [vs [F B]]. apply one_value_each in F. destruct F as [_ F]. apply best_parts in B. destruct B as [I _].
    apply in_map_iff in I. destruct I as [w [E I]]. destruct w as [m|m|]; try discriminate. injection E as <-.
    destruct (F _ I) as [c [[t [L K']] C]]. cbn [forced]. rewrite O. apply existsb_exists. exists c. split; auto.
    rewrite L. apply IH; auto.
  - destruct w; [discriminate|]. injection R as ->. cbn [forced]. now rewrite O.
  - destruct R as [vs [F B]]. apply one_value_each in F. destruct F as [F _]. apply best_parts in B. destruct B as [I A].
    apply in_map_iff in I. destruct I as [w [E I]]. destruct w as [m|m|]; try discriminate. injection E as <-.
    cbn [forced]. rewrite O. apply forallb_forall. intros c C. destruct (F c C) as [v [[t [L K']] V]].
    specialize (A (one_ply_back v) (in_map _ _ _ V)). rewrite L. destruct v as [k|k|]; simpl in A; try discriminate.
    apply Nat.leb_le in A. apply more_plies with k; [|lia]. apply IH; auto. lia.
Qed.

(** What can be forced is said, and said to take no longer. *)
Lemma forced_wins_are_said n : forall s v, known s v ->
  (forced true n s = true -> exists k, v = Win k /\ k <= n) /\ (forced false n s = true -> exists k, v = Loss k /\ k <= n).
Proof.
  induction n as [|n IH]; intros s v K; pose proof (all_are_right_here _ _ K) as R; unfold is_right_here in R;
    cbn [forced]; destruct (over s) as [w|] eqn:O.
  1, 3: rewrite R; destruct w; (split; [|]; try discriminate); exists 0; split; auto; lia.
  - split; discriminate.
  - destruct R as [vs [F B]]. apply one_value_each in F. destruct F as [F G]. apply best_parts in B. destruct B as [I A]. split; intro H.
    + apply existsb_exists in H. destruct H as [c [C H]]. destruct (F c C) as [w [[t [L K']] W]]. rewrite L in H.
      destruct (proj2 (IH t w K') H) as [k [-> N]]. specialize (A _ (in_map _ _ _ W)). simpl in A.
      destruct v as [j| |]; try discriminate. apply Nat.leb_le in A. exists j. split; auto. lia.
    + rewrite forallb_forall in H. apply in_map_iff in I. destruct I as [w [E I]]. destruct (G w I) as [c [[t [L K']] C]].
      specialize (H c C). rewrite L in H. destruct (proj1 (IH t w K') H) as [k [-> N]]. simpl in E.
      exists (S k). split; auto. lia.
Qed.

(** Each known value, with its distance, is the one of the game. *)
Theorem values_right_here_are_right s v : known s v -> has_value s v.
Proof.
  intro K. destruct v as [n|n|].
  - split; [now apply wins_are_forced|]. intros m L. apply not_true_iff_false. intro F.
    apply (forced_wins_are_said m s _ K) in F. destruct F as [k [E N]]. injection E as ->. lia.
  - split; [now apply wins_are_forced|]. intros m L. apply not_true_iff_false. intro F.
    apply (forced_wins_are_said m s _ K) in F. destruct F as [k [E N]]. injection E as ->. lia.
  - intros mover n. apply not_true_iff_false. intro F. destruct mover; apply (forced_wins_are_said n s _ K) in F;
      destruct F as [k [E _]]; discriminate.
Qed.
End Game.
