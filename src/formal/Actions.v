(** What a legal action is, clause by clause, and what an action leaves as it was: no pod is made or lost, and positions stay
    consistent. *)
From Coq Require Import List ZArith Bool Lia.
From Pods Require Import Rules Facts Placements.
Import ListNotations.

(** ** Along a direction *)

(** How far a point lies in a direction; each step goes further. *)
Definition along (d : direction) (p : point) : Z :=
  let (x, y) := p in let (dx, dy) := step d (0, 0)%Z in (dx * x + dy * y)%Z.
Lemma step_goes_on d p : (along d p < along d (step d p))%Z.
Proof. destruct p, d; unfold along; cbn [step]; lia. Qed.

Lemma straight_goes_on b d n p q : In q (straight b d n p) -> on_board b q = true /\ (along d p < along d q)%Z.
Proof.
  revert p. induction n as [|n IH]; simpl; [tauto|]. intros p H. destruct (connected b d p) as [r|] eqn:C; [|destruct H].
  apply connected_is in C. destruct C as (-> & _ & C & _). pose proof (step_goes_on d p). destruct H as [<-|H]; [tauto|].
  apply IH in H. intuition lia.
Qed.

Section Actions.
Variable G : game.
Let B := the_board G.

Lemma way_goes_on l p q : In q (way G l p) -> on_board B q = true /\ (along (towards l) p < along (towards l) q)%Z.
Proof.
  unfold way. destruct (size l); [|apply straight_goes_on]. intro H. apply straight_goes_on with (length (points B)).
  fold B in H. unfold line_from in H. revert H. generalize (straight B (towards l) (length (points B)) p). intros [|r w]; simpl; tauto.
Qed.

Lemma In_run ps w q : In q (run_of_empty_points ps w) -> In q w /\ pod_at ps q = None.
Proof.
  induction w as [|r w IH]; simpl; [tauto|]. destruct (is_empty ps r) eqn:E; [|intros []].
  rewrite is_empty_none in E. simpl. intros [<-|H]; intuition.
Qed.
Lemma first_occupied_in ps w q : first_occupied ps w = Some q -> In q w /\ is_empty ps q = false.
Proof.
  induction w as [|r w IH]; simpl; [discriminate|]. destruct (is_empty ps r) eqn:E.
  - intuition.
  - intro H; injection H; intros; subst; auto.
Qed.
Lemma meets_in_way ps p l q : R23_meets G ps p l = Some q -> In q (way G l p) /\ is_empty ps q = false.
Proof.
  unfold R23_meets. destruct shove_after_run; [apply first_occupied_in|]. intro H. apply first_occupied_in in H.
  destruct (way G l p); simpl in *; tauto.
Qed.

(** ** The legal actions, spelled out *)

(** The pod [x] on [p] is the mover's and has the leg [l]. *)
Definition has_leg (s : position) (p : point) (x : pod) (l : leg) : Prop :=
  In (p, x) (on_points s) /\ owner x = to_move s /\ In l (legs_of G x).

Definition is_legal (s : position) (a : action) : Prop :=
  R30_winner G s = None /\ R9_allows G s a = true /\
  match a with
  | Place k p => may_place G s k p = true /\ (k < length (kinds G))%nat
  | Move p q => moves (the_options G) = true /\
      exists x l, has_leg s p x l /\ In q (run_of_empty_points (on_points s) (way G l p))
  | Shove d p q => moves (the_options G) = true /\ shoves (the_options G) = true /\
      exists x l, has_leg s p x l /\ towards l = d /\ R23_meets G (on_points s) p l = Some q /\
                  pushed G (on_points s) d q <> None
  | Kick d p q n => moves (the_options G) = true /\ shoves (the_options G) = true /\
      exists x l, has_leg s p x l /\ towards l = d /\ size l = Long /\ connected B d p = Some q /\
                  is_empty (on_points s) q = false /\ can_kick G (on_points s) d q n = true /\
                  (1 <= n <= length (points B))%nat
  end.

Lemma In_kicks ps p l a : In a (kicks_of G ps p l) <-> exists q n, a = Kick (towards l) p q n /\ size l = Long /\
  connected B (towards l) p = Some q /\ is_empty ps q = false /\ can_kick G ps (towards l) q n = true /\
  (1 <= n <= length (points B))%nat.
Proof.
  unfold kicks_of. fold B. destruct (size l), (connected B (towards l) p) as [q|]; simpl;
    try (split; [intros []|intros (q' & n & H); intuition discriminate]).
  destruct (is_empty ps q) eqn:E.
  - split; [intros []|]. intros (q' & n & _ & _ & H & H' & _). injection H; intros; subst. congruence.
  - rewrite in_map_iff. split.
    + intros (n & <- & H). apply filter_In in H. rewrite in_seq in H. exists q, n. intuition lia.
    + intros (q' & n & -> & _ & H & _ & K & N). injection H; intros; subst. exists n. split; auto.
      apply filter_In. rewrite in_seq. intuition lia.
Qed.
Lemma In_shoves ps p l a : In a (shoves_of G ps p l) <->
  exists q, a = Shove (towards l) p q /\ R23_meets G ps p l = Some q /\ pushed G ps (towards l) q <> None.
Proof.
  unfold shoves_of. destruct (R23_meets G ps p l) as [q|]; simpl.
  - destruct (pushed G ps (towards l) q) eqn:E; simpl; split.
    + intros [<-|[]]. exists q. rewrite E. repeat split; auto. discriminate.
    + intros (r & -> & H & _). injection H; intros; subst. auto.
    + intros [].
    + intros (r & -> & H & K). injection H; intros; subst. congruence.
  - split; [intros []|]. intros (r & _ & H & _). discriminate.
Qed.

Lemma In_on_board s a : In a (actions_on_board G s) <->
  moves (the_options G) = true /\ exists p x l, has_leg s p x l /\ In a (actions_of_leg G (on_points s) p l).
Proof.
  unfold actions_on_board, has_leg. destruct (moves (the_options G)); [|split; [intros []|intros [H _]; discriminate]].
  rewrite in_flat_map. split.
  - intros [[p x] [H I]]. split; auto. apply filter_In in H. destruct H as [H O]. simpl in O.
    unfold actions_of_pod in I. apply in_flat_map in I. destruct I as [l [L I]]. exists p, x, l.
    destruct (same_side_spec (owner x) (to_move s)); [auto|discriminate].
  - intros [_ (p & x & l & (H & O & L) & I)]. exists (p, x). rewrite filter_In. simpl. rewrite O, same_side_refl.
    repeat split; auto. unfold actions_of_pod. apply in_flat_map. now exists l.
Qed.

Theorem legal_actions_are_the_legal_ones s a : In a (legal_actions G s) <-> is_legal s a.
Proof.
  unfold legal_actions, is_legal, what_can_be_done. destruct (R30_winner G s) as [w|].
  { split; [intros []|intros [H _]; discriminate]. }
  rewrite filter_In, in_app_iff, In_on_board. unfold placements. rewrite in_flat_map.
  assert (L : forall p l, In a (actions_of_leg G (on_points s) p l) <->
    In a (R17_moves G (on_points s) p l) \/ (shoves (the_options G) = true /\
      (In a (shoves_of G (on_points s) p l) \/ In a (kicks_of G (on_points s) p l)))).
  { intros. unfold actions_of_leg. rewrite in_app_iff. destruct shoves; simpl; rewrite ?in_app_iff; intuition discriminate. }
  unfold R17_moves in L. setoid_rewrite in_map_iff in L. setoid_rewrite In_shoves in L. setoid_rewrite In_kicks in L.
  split.
  - intros [[H|[M (p & x & l & K & H)]] A]; split; auto; split; auto.
    + destruct H as [k [K H]]. apply in_map_iff in H. destruct H as [p [<- H]]. apply filter_In in H.
      apply in_seq in K. split; [tauto|lia].
    + apply L in H. destruct H as [[q [<- H]]|[S [(q & -> & H)|(q & n & -> & H)]]].
      * eauto.
      * split; auto. split; auto. exists x, l. tauto.
      * split; auto. split; auto. exists x, l. tauto.
  - intros [_ [A H]]. split; auto. destruct a as [k p|p q|d p q|d p q n].
    + left. destruct H as [H K]. exists k. rewrite in_seq. split; [lia|]. apply in_map. apply filter_In. split; auto.
      apply may_place_parts in H. apply is_among_In. tauto.
    + right. destruct H as (M & x & l & K & H). split; auto. exists p, x, l. split; auto. apply L. left. eauto.
    + right. destruct H as (M & S & x & l & K & <- & H). split; auto. exists p, x, l. split; auto. apply L. right. eauto.
    + right. destruct H as (M & S & x & l & K & <- & H). split; auto. exists p, x, l. split; auto. apply L. right. eauto 8.
Qed.

(** ** What is on the board and in the hands after an action *)

(** The pods of a side and a kind on the board. *)
Definition standing (ps : pods) (x : side) (k : kind) : nat := count (kinds_of x ps) k.

Lemma standing_cons e ps x k :
  standing (e :: ps) x k = (standing ps x k + if same_side (owner (snd e)) x then count [its_kind (snd e)] k else 0)%nat.
Proof.
  unfold standing, kinds_of. simpl. destruct same_side; simpl; [|lia]. unfold count. simpl. destruct Nat.eq_dec; lia.
Qed.
Lemma standing_filter f ps x k :
  (standing (filter f ps) x k + standing (filter (fun e => negb (f e)) ps) x k = standing ps x k)%nat.
Proof.
  induction ps as [|e ps IH]; auto. simpl. destruct (f e); simpl; rewrite !standing_cons; lia.
Qed.
Lemma standing_lifted ps p y x k : alone ps -> pod_at ps p = Some y ->
  (standing (lifted ps p) x k + (if same_side (owner y) x then count [its_kind y] k else 0) = standing ps x k)%nat.
Proof.
  unfold alone. induction ps as [|[q z] ps IH]; simpl; [discriminate|]. intros D E. inversion D; subst.
  destruct (same_point_spec p q) as [->|N]; simpl.
  - injection E; intros; subst. rewrite standing_cons. simpl. rewrite (lifted_empty ps q); [lia|]. now apply pod_at_none.
  - rewrite !standing_cons. fold (lifted ps p). cbn [snd]. specialize (IH H2 E). lia.
Qed.
Lemma standing_put ps p y x k : pod_at ps p = None ->
  standing (put ps p y) x k = (standing ps x k + if same_side (owner y) x then count [its_kind y] k else 0)%nat.
Proof. intro E. unfold put. rewrite standing_cons. now rewrite lifted_empty. Qed.
Lemma standing_carried ps p q y x k : alone ps -> pod_at ps p = Some y -> pod_at ps q = None ->
  standing (carried ps p q y) x k = standing ps x k.
Proof.
  intros A E F. unfold carried. rewrite standing_put.
  - now apply standing_lifted.
  - rewrite pod_at_lifted. now destruct same_point.
Qed.

Definition inside (ps : pods) : Prop :=
  forall p x, In (p, x) ps -> on_board B p = true /\ (its_kind x < length (kinds G))%nat.
Lemma inside_filter f ps : inside ps -> inside (filter f ps).
Proof. intros I p x H. apply filter_In in H. now apply I. Qed.
Lemma inside_put ps p x : inside ps -> on_board B p = true -> (its_kind x < length (kinds G))%nat -> inside (put ps p x).
Proof.
  intros I P K q y [H|H]; [injection H; intros; subst; auto|]. apply filter_In in H. now apply I.
Qed.

(** What a rearrangement of pods keeps. *)
Definition rearranged (ps after : pods) : Prop :=
  alone after /\ inside after /\ forall x k, standing after x k = standing ps x k.
Lemma rearranged_carried ps now p q y : rearranged ps now -> pod_at now p = Some y -> pod_at now q = None ->
  on_board B q = true -> rearranged ps (carried now p q y).
Proof.
  intros (A & I & C) E F P. split; [now apply alone_carried|]. split.
  - apply inside_put; auto; [now apply inside_filter|]. apply pod_at_In in E. apply I in E. tauto.
  - intros x k. now rewrite standing_carried.
Qed.

Lemma pushed_keeps d n : forall ps q after, alone ps -> inside ps -> R22_pushed G ps d n q = Some after ->
  rearranged ps after /\ pod_at after q = None /\
  forall r, (along d r < along d q)%Z -> pod_at after r = pod_at ps r.
Proof.
  induction n as [|n IH]; intros ps q after A I; simpl; destruct (pod_at ps q) as [x|] eqn:E;
    try discriminate;
    try (intro H; injection H; intros; subst; exact (conj (conj A (conj I (fun _ _ => eq_refl))) (conj E (fun _ _ => eq_refl)))).
  fold B. destruct (connected B d q) as [r|] eqn:C; [|discriminate].
  destruct (R22_pushed G ps d n r) as [now|] eqn:R; [|discriminate]. intro H; injection H; intros; subst. clear H.
  apply connected_is in C. destruct C as (-> & _ & C & _). pose proof (step_goes_on d q) as S.
  apply IH in R; auto. destruct R as (R & N & K). pose proof (K q S) as Kq. rewrite E in Kq.
  split; [now apply rearranged_carried|]. split.
  - rewrite pod_at_carried, same_point_refl. destruct (same_point_spec (step d q) q); auto. now apply step_moves in e.
  - intros r L. rewrite pod_at_carried. destruct (same_point_spec (step d q) r); [subst; lia|].
    destruct (same_point_spec q r); [subst; lia|]. apply K. lia.
Qed.

Lemma slide_ends ps d n : forall q r, R24_slide G ps d n q = Some r -> (1 <= n)%nat ->
  pod_at ps r = None /\ on_board B r = true /\ (along d q < along d r)%Z.
Proof.
  induction n as [|n IH]; simpl; intros q r; [lia|]. fold B. destruct (neighbour B d q) as [t|] eqn:N; [|discriminate].
  apply neighbour_is in N. destruct N as (-> & _ & N). pose proof (step_goes_on d q) as S.
  destruct (is_empty ps (step d q)) eqn:E; simpl; [|discriminate].
  destruct (negb _ || _); [|discriminate]. intros H _. destruct n as [|n].
  - simpl in H. injection H; intros; subst. rewrite is_empty_none in E. tauto.
  - apply IH in H; [|lia]. intuition lia.
Qed.

Lemma consistent_parts s : R29_is_consistent G s = true <->
  alone (on_points s) /\ inside (on_points s) /\ forall x k, In k (hand s x) -> (k < length (kinds G))%nat.
Proof.
  unfold R29_is_consistent. rewrite !andb_true_iff, !forallb_forall. unfold is_kind. split.
  - intros [[[A I] W] K]. split; [now apply all_different_NoDup|]. split.
    + intros p x H. apply I in H. simpl in H. apply andb_true_iff in H. destruct H as [H L]. apply Nat.ltb_lt in L. auto.
    + intros [] k H; apply Nat.ltb_lt; auto.
  - intros (A & I & H). repeat split.
    + now apply NoDup_all_different.
    + intros [p x] E. apply I in E. simpl. apply andb_true_iff. rewrite Nat.ltb_lt. tauto.
    + intros k E. apply Nat.ltb_lt. now apply (H White).
    + intros k E. apply Nat.ltb_lt. now apply (H Black).
Qed.

(** The board after the action, before captures: what a placement puts down is one more; all else only moves. *)
Lemma pods_after_action s a : R29_is_consistent G s = true -> is_legal s a ->
  alone (pods_after G s a) /\ inside (pods_after G s a) /\
  forall x k, standing (pods_after G s a) x k = (standing (on_points s) x k +
    match a with Place j _ => if same_side (to_move s) x then count [j] k else 0 | _ => 0 end)%nat.
Proof.
  intros C (_ & _ & H). apply consistent_parts in C. destruct C as (A & I & _).
  assert (R : rearranged (on_points s) (on_points s)) by exact (conj A (conj I (fun _ _ => eq_refl))).
  assert (S : forall ps, rearranged (on_points s) ps -> alone ps /\ inside ps /\
    forall x k, standing ps x k = (standing (on_points s) x k + 0)%nat).
  { intros ps (A' & I' & E). repeat split; try apply I'; auto; try (now apply I' in H0). intros. rewrite E. lia. }
  destruct a as [k p|p q|d p q|d p q n]; simpl.
  - destruct H as [H K]. apply may_place_parts in H. destruct H as (_ & P & E & _).
    split; [now apply alone_put|]. split; [now apply inside_put|]. intros x j. now rewrite standing_put.
  - destruct H as (_ & x & l & (X & O & L) & H). apply In_run in H. destruct H as [W E]. apply S.
    apply In_pod_at in X; auto. rewrite X. apply rearranged_carried; auto. now apply way_goes_on in W.
  - destruct H as (_ & _ & x & l & (X & O & L) & <- & M & _). apply In_pod_at in X; auto. rewrite X.
    apply meets_in_way in M. destruct M as [W _]. apply way_goes_on in W. destruct W as [W Z].
    destruct (pushed G (on_points s) (towards l) q) as [now|] eqn:E; apply S; auto.
    unfold pushed in E. apply pushed_keeps in E; auto. destruct E as (E & F & K).
    apply rearranged_carried; auto. now rewrite K.
  - destruct H as (_ & _ & x & l & (X & O & L) & <- & _ & N & E & K & R1). apply In_pod_at in X; auto. rewrite X.
    apply connected_is in N. destruct N as (-> & _ & N & _). unfold is_empty in E.
    destruct (pod_at (on_points s) (step (towards l) p)) as [y|] eqn:Y; [|discriminate].
    unfold can_kick in K. destruct (R24_slide G (on_points s) (towards l) n (step (towards l) p)) as [r|] eqn:T; [|discriminate].
    apply slide_ends in T; [|lia]. destruct T as (T & U & V). pose proof (step_goes_on (towards l) p) as Q.
    apply S. apply rearranged_carried; auto.
    + now apply rearranged_carried.
    + rewrite pod_at_carried. destruct (same_point_spec r p); [subst; lia|].
      destruct (same_point_spec (step (towards l) p) p) as [e|]; auto. now apply step_moves in e.
    + rewrite pod_at_carried. rewrite same_point_refl.
      destruct (same_point_spec r (step (towards l) p)); auto. subst. lia.
Qed.

(** Play keeps positions consistent (R29). *)
Theorem play_keeps_consistent s a :
  R29_is_consistent G s = true -> In a (legal_actions G s) -> R29_is_consistent G (after G s a) = true.
Proof.
  intros C L. apply legal_actions_are_the_legal_ones in L. destruct (pods_after_action s a C L) as (A & I & _).
  apply consistent_parts in C. destruct C as (_ & _ & H). apply consistent_parts. split; [|split].
  - simpl. destruct captures_follow; auto. now apply alone_filter.
  - simpl. destruct captures_follow; auto. now apply inside_filter.
  - assert (K : forall k, In k (hand_after G s a) -> (k < length (kinds G))%nat).
    { intros k K. apply (count_occ_In Nat.eq_dec) in K. unfold hand_after in K. pose proof (count_all_put_into) as P.
      unfold count in P. rewrite P in K. clear P.
      destruct (in_dec Nat.eq_dec k (returned G s a)) as [R|R].
      - unfold returned, kinds_of in R. apply in_map_iff in R. destruct R as [[p x] [<- R]]. apply filter_In in R.
        destruct R as [R _]. unfold taken_off in R. destruct captures_follow; [|destruct R].
        apply filter_In in R. destruct R as [R _]. apply I in R. tauto.
      - apply (count_occ_not_In Nat.eq_dec) in R. rewrite R in K. simpl in K. apply (H (to_move s)).
        apply (count_occ_In Nat.eq_dec) in K. rename K into D. destruct a as [j q| | |]; auto.
        revert D. generalize (hand s (to_move s)). induction h as [|i h IH]; simpl; auto.
        destruct (Nat.eqb j i); simpl; intuition. }
    intros x k. simpl. unfold hand. simpl. destruct x, (to_move s) eqn:T; auto; [apply (H White)|apply (H Black)].
Qed.

(** ** No pod is made, and none is lost but the opponent's that are removed (R18). *)
Theorem pods_are_neither_made_nor_lost s a x k :
  R29_is_consistent G s = true -> In a (legal_actions G s) ->
  (standing (on_points s) x k + count (hand s x) k =
   standing (on_points (after G s a)) x k + count (hand (after G s a) x) k +
   if same_side x (to_move s) then 0 else count (removed G s a) k)%nat.
Proof.
  intros C L. apply legal_actions_are_the_legal_ones in L. destruct (pods_after_action s a C L) as (A & I & S).
  specialize (S x k).
  assert (T : (standing (on_points (after G s a)) x k + standing (taken_off G s a) x k = standing (pods_after G s a) x k)%nat).
  { change (on_points (after G s a)) with (if captures_follow G a then left_on_board G (pods_after G s a) else pods_after G s a).
    unfold taken_off. destruct captures_follow; [|rewrite Nat.add_comm; reflexivity].
    unfold left_on_board, captured. pose proof (standing_filter (R18_is_captured G (pods_after G s a)) (pods_after G s a) x k). lia. }
  destruct (side_cases (to_move s) x) as [->| ->].
  - rewrite same_side_refl in *. 
    assert (H : hand (after G s a) (to_move s) = hand_after G s a) by (unfold hand; simpl; now destruct (to_move s)).
    rewrite H. unfold hand_after. rewrite count_all_put_into. unfold returned. fold (standing (taken_off G s a) (to_move s) k).
    destruct a as [j p| | |]; simpl in *; try lia.
    destruct L as (_ & _ & M & _). apply may_place_parts in M. destruct M as (M & _).
    pose proof (count_taken_from j (hand s (to_move s)) k M) as N. simpl in N. lia.
  - replace (same_side (other (to_move s)) (to_move s)) with false by now destruct (to_move s).
    rewrite same_side_other in S.
    assert (H : hand (after G s a) (other (to_move s)) = hand s (other (to_move s))) by (unfold hand; simpl; now destruct (to_move s)).
    rewrite H. unfold removed. fold (standing (taken_off G s a) (other (to_move s)) k). destruct a; lia.
Qed.

End Actions.
