(** Theorems about the ends of a game: R15, R16, R19, R20, R21, R28, R30, and who opens how (R9, R32). *)
From Coq Require Import List ZArith Bool Lia.
From Pods Require Import Rules Facts Placements Actions Captures Positions.
Import ListNotations.

Section Ends.
Variable G : game.
Let B := the_board G.

Lemma with_no_actions {A} (l : list A) : l = [] \/ exists a, In a l.
Proof. destruct l as [|a l]; [auto|right; exists a; now left]. Qed.

(** ** R15, R20, R28: a game goes on exactly as long as there is a legal action, and nobody else is asked. *)
Theorem R20_the_game_goes_on_while_there_is_an_action s : winner G s = None <-> legal_actions G s <> [].
Proof.
  unfold winner, legal_actions. destruct (R30_winner G s); [split; [discriminate|intro H; now destruct H]|].
  destruct (what_can_be_done G s); split; congruence.
Qed.
Theorem R20_who_cannot_act_loses s :
  R30_winner G s = None -> what_can_be_done G s = [] -> winner G s = Some (other (to_move s)).
Proof. unfold winner. now intros -> ->. Qed.
Theorem R28_shoves_and_kicks_are_actions s a : In a (legal_actions G s) -> winner G s = None.
Proof. intro H. apply R20_the_game_goes_on_while_there_is_an_action. intro E. now rewrite E in H. Qed.

(** ** R16, R19, R30: an empty hand *)

(** "an empty hand that wins": at the end of the own turn, when captures are done. *)
Theorem R19_an_emptied_hand_wins s a :
  empty_hand (the_options G) = Wins -> hand (after G s a) (to_move s) = [] -> winner G (after G s a) = Some (to_move s).
Proof.
  intros W H. unfold winner, R30_winner, has_empty_hand. rewrite W.
  change (to_move (after G s a)) with (other (to_move s)). now rewrite other_other, H.
Qed.

(** "A hand is emptied only by a placement of its owner." *)
Theorem R19_only_a_placement_empties_a_hand s a x : In a (legal_actions G s) ->
  hand s x <> [] -> hand (after G s a) x = [] -> x = to_move s /\ (exists k p, a = Place k p) /\ returned G s a = [].
Proof.
  intros L N E. destruct (side_cases (to_move s) x) as [->| ->].
  2: { rewrite the_other_hand_stays in E. contradiction. }
  assert (H : hand (after G s a) (to_move s) = hand_after G s a) by (unfold hand; simpl; now destruct (to_move s)).
  rewrite H in E. unfold hand_after in E.
  assert (Z : forall l h, fold_right put_into h l = [] -> l = [] /\ h = []).
  { intros [|k l] h; simpl; auto. intro X. exfalso. destruct (fold_right put_into h l) as [|j r]; [discriminate|].
    simpl in X. destruct (Nat.leb k j); discriminate. }
  apply Z in E. destruct E as [R E]. split; auto. split; auto. destruct a; eauto; contradiction.
Qed.

(** So in play, where an empty hand wins, the player to move is never the one with the empty hand: the second question of R30 is
    for set positions, and R19 and R20 never point to different winners. *)
Theorem R30_the_second_question_is_for_set_positions s a :
  empty_hand (the_options G) = Wins -> In a (legal_actions G s) -> hand (after G s a) (other (to_move s)) <> [].
Proof.
  intros W L. rewrite the_other_hand_stays. apply legal_actions_are_the_legal_ones in L. destruct L as [L _].
  unfold R30_winner, has_empty_hand in L. rewrite W in L. destruct (hand s (other (to_move s))); [discriminate L|discriminate].
Qed.

(** Under [empty-hand=loses] an empty hand only means that there is nothing to place; where nothing moves that is a loss. *)
Theorem R16_who_has_placed_all_loses s :
  empty_hand (the_options G) = Loses -> moves (the_options G) = false -> hand s (to_move s) = [] ->
  winner G s = Some (other (to_move s)).
Proof.
  intros W M H. apply R20_who_cannot_act_loses; [unfold R30_winner; now rewrite W|].
  destruct (with_no_actions (what_can_be_done G s)) as [E|[a E]]; auto. exfalso.
  assert (L : In a (legal_actions G s)) by (unfold legal_actions, R30_winner; now rewrite W).
  apply legal_actions_are_the_legal_ones in L. destruct L as (_ & _ & L).
  destruct a as [k p| | |]; try (destruct L as [L _]; congruence). destruct L as [L _].
  apply may_place_parts in L. destruct L as [L _]. now rewrite H in L.
Qed.

(** ** R9, R32: only the first action is bound *)
Theorem R9_the_opening_is_a_bipod s a : is_open s = true -> In a (legal_actions G s) ->
  exists k p, a = Place k p /\ is_bipod (legs_of_kind G k) = true.
Proof.
  intros O L. apply legal_actions_are_the_legal_ones in L. destruct L as (_ & A & _). unfold R9_allows in A. rewrite O in A.
  destruct a; try discriminate. simpl in A. eauto.
Qed.
Theorem R9_binds_one_action_only s a : is_open (after G s a) = false.
Proof. reflexivity. Qed.

(** ** R14: where pods are only placed, every game ends *)

Lemma only_placements s a : moves (the_options G) = false -> In a (legal_actions G s) ->
  exists k p, a = Place k p /\ may_place G s k p = true.
Proof.
  intros M L. apply legal_actions_are_the_legal_ones in L. destruct L as (_ & _ & L).
  destruct a as [k p| | |]; try (destruct L as [L _]; congruence). destruct L. eauto.
Qed.
Definition free_points (s : position) : nat := length (points B) - length (on_points s).
Lemma a_placement_fills s k p : captures (the_options G) <> EveryTurn -> R29_is_consistent G s = true ->
  may_place G s k p = true ->
  (length (on_points s) < length (points B))%nat /\ length (on_points (after G s (Place k p))) = S (length (on_points s)).
Proof.
  intros C K M. apply may_place_parts in M. destruct M as (_ & P & E & _). apply consistent_parts in K. destruct K as (A & I & _).
  split.
  - assert (N : NoDup (p :: map fst (on_points s))) by (constructor; [now apply pod_at_none|auto]).
    apply NoDup_incl_length with (l' := points B) in N; [simpl in N; rewrite map_length in N; lia|].
    intros q [<-|Q]; [now apply is_among_In|]. apply in_map_iff in Q. destruct Q as [[r x] [<- Q]].
    apply I in Q. apply is_among_In. tauto.
  - simpl. assert (F : captures_follow G (Place k p) = false) by (unfold captures_follow; destruct captures; congruence).
    rewrite F. simpl. now rewrite lifted_empty.
Qed.

(** No sequence of actions is longer than there are free points. *)
Theorem R14_placement_games_end n : moves (the_options G) = false -> captures (the_options G) <> EveryTurn ->
  forall s, R29_is_consistent G s = true -> (free_points s < n)%nat -> perft G n s = 0%N.
Proof.
  intros M C. induction n as [|n IH]; intros s K F; [lia|]. cbn [perft].
  assert (H : forall a, In a (legal_actions G s) -> perft G n (after G s a) = 0%N).
  { intros a L. destruct (only_placements s a M L) as (k & p & -> & P). apply IH; [now apply play_keeps_consistent|].
    destruct (a_placement_fills s k p C K P) as [X Y]. unfold free_points in *. rewrite Y. lia. }
  induction (legal_actions G s) as [|a l IHl]; auto. simpl. rewrite (H a (or_introl eq_refl)), IHl; auto. intros. apply H. now right.
Qed.

(** One side can force a win, within as many plies as there are free points: there are no draws. *)
Theorem R14_placement_games_are_decided n : moves (the_options G) = false -> captures (the_options G) <> EveryTurn ->
  forall s, R29_is_consistent G s = true -> (free_points s <= n)%nat -> exists x, can_win G x n s = true.
Proof.
  intros M C. induction n as [|n IH]; intros s K F; destruct (winner G s) as [y|] eqn:W;
    try (exists y; cbn [can_win]; rewrite W; apply same_side_refl).
  - exfalso. apply R20_the_game_goes_on_while_there_is_an_action in W.
    destruct (with_no_actions (legal_actions G s)) as [E|[a E]]; auto.
    destruct (only_placements s a M E) as (k & p & -> & P). destruct (a_placement_fills s k p C K P) as [X _].
    unfold free_points in F. lia.
  - assert (D : forall a, In a (legal_actions G s) -> exists x, can_win G x n (after G s a) = true).
    { intros a L. destruct (only_placements s a M L) as (k & p & -> & P). apply IH; [now apply play_keeps_consistent|].
      destruct (a_placement_fills s k p C K P) as [X Y]. unfold free_points in *. rewrite Y. lia. }
    destruct (existsb (fun a => can_win G (to_move s) n (after G s a)) (legal_actions G s)) eqn:X.
    + exists (to_move s). cbn [can_win]. now rewrite W, same_side_refl.
    + exists (other (to_move s)). cbn [can_win]. rewrite W. replace (same_side (other (to_move s)) (to_move s)) with false by now destruct (to_move s).
      apply forallb_forall. intros a L. destruct (D a L) as [x H]. destruct (side_cases (to_move s) x) as [->| ->]; auto.
      exfalso. assert (Y : existsb (fun a => can_win G (to_move s) n (after G s a)) (legal_actions G s) = true)
        by (apply existsb_exists; eauto). congruence.
Qed.

(** ** R33: at most one side can force a win *)
Theorem R33_not_both_can_win n : forall m s, can_win G White n s = true -> can_win G Black m s = true -> False.
Proof.
  induction n as [|n IH]; intros m s; destruct m as [|m]; cbn [can_win]; destruct (winner G s) as [y|] eqn:W;
    try (destruct y; discriminate); try discriminate.
  apply R20_the_game_goes_on_while_there_is_an_action in W.
  destruct (to_move s); simpl; intros H K.
  - rewrite forallb_forall in K. apply existsb_exists in H. destruct H as [a [L H]]. eauto.
  - rewrite forallb_forall in H. apply existsb_exists in K. destruct K as [a [L K]]. eauto.
Qed.

End Ends.

(** The Standard game in words of the presets: it ends within as many plies as there are points, and somebody wins. *)
Theorem the_standard_game_ends G white_has black_has x :
  In (the_options G) [standard; basic_author] ->
  forallb (is_kind G) white_has = true -> forallb (is_kind G) black_has = true ->
  perft G (S (length (points (the_board G)))) (start G x white_has black_has) = 0%N /\
  exists y, can_win G y (length (points (the_board G))) (start G x white_has black_has) = true.
Proof.
  intros O W K. assert (M : moves (the_options G) = false) by (simpl in O; intuition subst; now rewrite <- ?H, <- ?H0).
  assert (C : captures (the_options G) <> EveryTurn).
  { simpl in O. destruct O as [<-|[<-|[]]]; discriminate. }
  assert (A : R29_is_consistent G (start G x white_has black_has) = true) by (unfold R29_is_consistent; simpl; now rewrite W, K).
  split; [apply R14_placement_games_end|apply R14_placement_games_are_decided]; auto; unfold free_points; simpl; lia.
Qed.

(** ** R21: endless play. Each side has a pod to move to and fro, and another that no point takes: nobody can force an end. *)
Definition to_and_fro (w b : point) (x : side) : position :=
  Position (match x with White => [(b, black bipod); (w, white bipod)] | Black => [(w, white bipod); (b, black bipod)] end)
    [to_n] [to_n] x false.
Theorem R21_endless_play_is_a_draw : R33_has_value (on row_in_parts advanced_dutch) (to_and_fro a1 d1 White) Draw.
Proof.
  assert (H : forall n x y w b, In w [a1; b1] -> In b [d1; e1] ->
    can_win (on row_in_parts advanced_dutch) x n (to_and_fro w b y) = false).
  { assert (W : forall y w b, In w [a1; b1] -> In b [d1; e1] ->
      winner (on row_in_parts advanced_dutch) (to_and_fro w b y) = None /\
      exists w' b', In w' [a1; b1] /\ In b' [d1; e1] /\ exists a,
      legal_actions (on row_in_parts advanced_dutch) (to_and_fro w b y) = [a] /\
      after (on row_in_parts advanced_dutch) (to_and_fro w b y) a = to_and_fro w' b' (other y)).
    { intros y w b I J. simpl in I, J.
      destruct I as [<-|[<-|[]]], J as [<-|[<-|[]]], y; (split; [vm_compute; reflexivity|]);
        match goal with |- context [to_and_fro ?w ?b White] =>
          exists (if same_point w a1 then b1 else a1), b | |- context [to_and_fro ?w ?b Black] =>
          exists w, (if same_point b d1 then e1 else d1) end;
        (split; [vm_compute; auto|split; [vm_compute; auto|eexists; split; vm_compute; reflexivity]]). }
    induction n as [|n IH]; intros x y w b I J; destruct (W y w b I J) as (V & w' & b' & I' & J' & a & L & A);
      cbn [can_win]; rewrite V; auto.
    rewrite L. simpl. rewrite A, (IH x (other y) w' b' I' J'). now destruct same_side. }
  intros x n. apply H; simpl; auto.
Qed.
