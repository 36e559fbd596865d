(** The mirror theorem, said of the rules: on a board that looks the same when it is turned by 180 degrees, whoever answers each
    placement with its mirror image wins, if no point lies in line with its image. *)
From Coq Require Import List ZArith Bool Lia.
From Pods Require Import Rules Facts Placements Actions Ends Bridge.
From Pods Require Game Mirror.
Import ListNotations.

Section MirrorGame.
Variable G : game.
Variable image : point -> point.         (* where the turn of the board brings a point *)
Let b := the_board G.
Let l := points b.

(** The turn is one of the board onto itself: points to points, there and back, lines to lines of the opposite direction; and a point
    is neither its own image nor in line with it. *)
Record turns_onto_itself : Prop := {
  image_on : forall p, on_board b p = true -> on_board b (image p) = true;
  image_twice : forall p, on_board b p = true -> image (image p) = p;
  image_lines : forall d p q, connected b d p = Some q -> connected b (opposite d) (image p) = Some (image q);
  image_moves : forall p, on_board b p = true -> image p <> p;
  image_not_in_line : forall d p, ~ In (image p) (line_from b d p) }.

Lemma run_in_line e m n : Game.run (placement_game G) (fun _ => True) e m n -> forall p, nth_error l m = Some p ->
  exists q i, nth_error l n = Some q /\ In q (straight b (dir_from e) i p).
Proof.
  intro R. induction R as [m n N|m r n N _ R IH]; intros p P; simpl in N; fold b in N; fold l in N; rewrite P in N;
    (destruct (connected b (dir_from e) p) as [t|] eqn:C; [|discriminate]); simpl in N; injection N as <-;
    (assert (T : nth_error l (index l t) = Some t)
      by (apply index_nth; apply connected_is in C; apply is_among_In; tauto)).
  - exists t, 1%nat. split; auto. simpl. rewrite C. now left.
  - destruct (IH t T) as (q & i & Q & I). exists q, (S i). split; auto. simpl. rewrite C. now right.
Qed.
Lemma straight_in_more d n p q m : In q (straight b d n p) -> In q (straight b d (n + m) p).
Proof.
  revert p. induction n as [|n IH]; intro p; simpl; [tauto|]. destruct (connected b d p); simpl; [|tauto]. intros [E|I]; auto.
Qed.

Theorem the_mirror_theorem h x : turns_onto_itself ->
  is_board b = true -> forallb are_legs (kinds G) = true -> forallb (is_kind G) h = true ->
  moves (the_options G) = false -> captures (the_options G) <> EveryTurn -> empty_hand (the_options G) = Loses ->
  exists n, can_win G (other x) n (start G x h h) = true.
Proof.
  intros T Bd Lg Hk M C E.
  assert (K : R29_is_consistent G (start G x h h) = true) by (unfold R29_is_consistent; simpl; now rewrite Hk).
  apply (placement_games_are_those_of_the_rules G _ (other x) Bd Lg M C K).
  assert (D : NoDup l) by (unfold is_board in Bd; apply andb_true_iff in Bd; now apply all_different_NoDup).
  assert (On : forall n p, nth_error l n = Some p -> on_board b p = true) by (intros n p P; apply is_among_In; now apply nth_error_In in P).
  assert (Ix : forall p, on_board b p = true -> nth_error l (index l p) = Some p) by (intros; apply index_nth; now apply is_among_In).
  set (im := fun n => match nth_error l n with Some p => index l (image p) | None => n end).
  assert (Im : forall n p, nth_error l n = Some p -> nth_error l (im n) = Some (image p)).
  { intros n p P. unfold im. rewrite P. apply Ix. apply (image_on T). eauto. }
  assert (In' : forall n, In n (Game.points (placement_game G)) <-> exists p, nth_error l n = Some p).
  { intro n. simpl. fold b. fold l. rewrite in_seq. split.
    - intros [_ L]. destruct (nth_error l n) as [p|] eqn:P; eauto. apply nth_error_None in P. lia.
    - intros [p P]. assert (n < length l)%nat by (apply nth_error_Some; congruence). lia. }
  apply (Mirror.mirror_lemma (placement_game G)) with (image := im).
  - simpl. now rewrite E.
  - intro n. destruct (nth_error l n) as [p|] eqn:P.
    + pose proof (Im n p P) as Q. pose proof (Im _ _ Q) as Q'. rewrite (image_twice T p (On n p P)) in Q'.
      apply (nth_index l _ _ D) in Q', P. congruence.
    + assert (F : im n = n) by (unfold im; now rewrite P). now rewrite !F.
  - intros n I. apply In' in I. destruct I as [p P]. apply In'. exists (image p). auto.
  - intros e m n N. simpl in N. fold b in N. fold l in N. destruct (nth_error l m) as [p|] eqn:P; [|discriminate].
    destruct (connected b (dir_from e) p) as [q|] eqn:Q; [|discriminate]. simpl in N. injection N as <-.
    apply (image_lines T) in Q as Q'. simpl. fold b. fold l. rewrite (Im m p P).
    replace (dir_from (Game.opp e)) with (opposite (dir_from e)) by now destruct e. rewrite Q'. simpl. f_equal.
    apply connected_is in Q. destruct Q as (_ & _ & Q & _). unfold im. now rewrite (Ix q Q).
  - intros n I F. apply In' in I. destruct I as [p P]. pose proof (Im n p P) as Q. rewrite F, P in Q. injection Q as Q.
    now apply (image_moves T p (On n p P)).
  - intros e n R. destruct (nth_error l n) as [p|] eqn:P.
    + destruct (run_in_line e _ _ R p P) as (q & i & Q & I). rewrite (Im n p P) in Q. injection Q as <-.
      destruct (straight_in_line G (dir_from e) i p (On n p P)) as [m Lm]. apply (image_not_in_line T (dir_from e) p).
      fold b in Lm. rewrite <- Lm. now apply straight_in_more.
    + inversion R as [p q N|p r q N]; subst; simpl in N; fold b in N; fold l in N; rewrite P in N; discriminate.
  - constructor.
    + intro k. reflexivity.
    + intros n y m A. simpl in A. fold b in A. fold l in A. destruct (nth_error l n); discriminate.
  - simpl. now destruct x.
Qed.
End MirrorGame.
