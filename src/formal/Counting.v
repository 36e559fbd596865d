(** The section "Counting" of LEMMAS.md. [safe] and [plan] are its words, [counting_lemma] is its lemma. The number n need only
    bound what can be matched; the size of a largest matching does. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Pods Require Import Game Room.
Section Counting.
Context (G : game) (loses : empty_hand_wins G = false) (X : side).
Notation Y := (other X).
Variable s0 : situation.
Hypothesis closed : opening s0 = false.

Definition pairs := list (kind * point).
Definition uses (l : pairs) k := count_occ Nat.eq_dec (map fst l) k.
Definition T p := exists k, living G s0 Y k p.
(** n bounds what is matched (the largest matching does) *)
Definition matching (l : pairs) := (forall k p, In (k, p) l -> living G s0 Y k p) /\
  NoDup (map snd l) /\ forall k, uses l k <= hand s0 Y k.
Variable n : nat.
Hypothesis bound : forall l, matching l -> length l <= n.

Record safe k p : Prop := {
  sf_legal : legal G s0 X k p;
  sf_out : ~ T p;
  sf_from : forall j t, living G s0 Y j t -> ~ reaches G s0 (lie G Y j) t p;
  sf_to : forall t, reaches G s0 (lie G X k) p t -> ~ T t }.
Definition free_neighbour k p (before : list point) := exists d q,
  lie G X k d <> None /\ next G d p = Some q /\ empty s0 q /\ ~ T q /\ ~ In q before.
Fixpoint goes_on (before : list point) (l : pairs) : Prop := match l with
  | [] => True
  | (k, p) :: r => safe k p /\ ~ In p before /\ (placement_liberty G = true -> free_neighbour k p before)
      /\ goes_on (p :: before) r end.
Definition plan (l : pairs) := (forall k, uses l k <= hand s0 X k) /\
  ((mover s0 = Y /\ goes_on [] l /\ length l = n) \/
   (mover s0 = X /\ exists k p r, l = (k, p) :: r /\ legal G s0 X k p /\ goes_on [p] r /\ length l = n + 1)).

Record inv s (ys : pairs) (before : list point) : Prop := {
  iv_open : opening s = false;
  iv_lt : leads_to G s0 s;
  iv_at : forall p, at_ s p = at_ s0 p \/ (In p before /\ at_ s0 p = None /\ exists l, at_ s p = Some (X, l)) \/
            (exists k, In (k, p) ys /\ at_ s0 p = None /\ at_ s p = Some (Y, lie G Y k));
  iv_match : matching ys;
  iv_full : forall k p, In (k, p) ys -> at_ s p <> None;
  iv_hand : forall k, hand s Y k + uses ys k = hand s0 Y k }.

Lemma lt_snoc s t k p : leads_to G s t -> legal G t (mover t) k p -> leads_to G s (place G t k p).
Proof. induction 1; intros; [eapply lt_step; eauto; apply lt_refl | eapply lt_step; eauto]. Qed.
Lemma uses_cons k p l j : uses ((k, p) :: l) j = (if Nat.eq_dec k j then 1 else 0) + uses l j.
Proof. unfold uses. simpl. destruct (Nat.eq_dec k j); auto. Qed.

Lemma inv_Y s ys b k p : inv s ys b -> mover s = Y -> legal G s Y k p -> inv (place G s k p) ((k, p) :: ys) b.
Proof.
  intros I M L. pose proof (iv_match _ _ _ I) as [m1 [m2 m3]].
  assert (Lv : living G s0 Y k p) by (eapply living_lemma; eauto; apply I).
  assert (E : empty s p) by apply L.
  split; simpl; auto.
  - apply lt_snoc. apply I. now rewrite M.
  - intro q. unfold put. destruct (Nat.eqb_spec q p) as [->|N].
    + right; right. exists k. rewrite M. repeat split; auto. apply (lt_empty G s0 s); auto; apply I.
    + destruct (iv_at _ _ _ I q) as [?|[?|(j & ? & ? & ?)]]; auto. right; right. exists j. auto.
  - split; [|split].
    + intros j q [H|H]; [injection H as <- <-; auto|eauto].
    + simpl. constructor; auto. intro H. apply in_map_iff in H. destruct H as ([j q] & H1 & H2). simpl in H1. subst q.
      now apply (iv_full _ _ _ I j p).
    + intro j. rewrite uses_cons. generalize (iv_hand _ _ _ I j). destruct (Nat.eq_dec k j) as [->|]; try lia.
      pose proof (lg_hand _ _ _ _ _ L). lia.
  - intros j q [H|H]; unfold put; destruct (Nat.eqb_spec q p); try discriminate.
    + injection H as <- <-. congruence.
    + now apply (iv_full _ _ _ I j q).
  - intro j. rewrite uses_cons. unfold take. rewrite M, side_eqb_refl. simpl. generalize (iv_hand _ _ _ I j).
    pose proof (lg_hand _ _ _ _ _ L).
    destruct (Nat.eq_dec k j) as [->|N]; [rewrite Nat.eqb_refl; lia|].
    destruct (Nat.eqb_spec j k); [congruence|lia].
Qed.
Lemma inv_X s ys b k p : inv s ys b -> mover s = X -> legal G s X k p -> inv (place G s k p) ys (p :: b).
Proof.
  intros I M L. assert (E : empty s p) by apply L. split; simpl; auto; try apply I.
  - apply lt_snoc. apply I. now rewrite M.
  - intro q. unfold put. destruct (Nat.eqb_spec q p) as [->|N].
    + right; left. rewrite M. repeat split; eauto. apply (lt_empty G s0 s); auto; apply I.
    + destruct (iv_at _ _ _ I q) as [?|[(? & ? & ?)|(j & ? & ? & ?)]]; auto. right; right. exists j. auto.
  - intros j q H. unfold put. destruct (Nat.eqb q p); try discriminate. now apply (iv_full _ _ _ I j q).
  - intro j. unfold take. rewrite M, side_eqb_other. simpl. apply I.
Qed.

Lemma still_legal s ys b k p : inv s ys b -> safe k p -> ~ In p b ->
  (placement_liberty G = true -> free_neighbour k p b) -> 1 <= hand s X k -> legal G s X k p.
Proof.
  intros I [L o f t] Nb Fn H.
  assert (TT : forall j q, In (j, q) ys -> T q) by (intros j q J; exists j; now apply (iv_match _ _ _ I)).
  assert (EE : forall q, empty s0 q -> ~ T q -> ~ In q b -> empty s q).
  { intros q Q1 Q2 Q3. unfold empty. destruct (iv_at _ _ _ I q) as [->|[(? & _)|(j & J & _)]]; [auto|now destruct Q3|destruct Q2; eauto]. }
  assert (RR : forall l q r, reaches G s l q r -> reaches G s0 l q r).
  { intros l q r. apply gets_mono. intros z [?|?]; [now left|right]. eapply lt_empty; eauto. apply I. }
  split; auto; try apply L.
  - apply EE; auto. apply L.
  - intros q R [l Hl]. destruct (iv_at _ _ _ I q) as [A|[(_ & _ & m & A)|(j & J & _ & A)]].
    + apply (lg_r11 _ _ _ _ _ L q); auto. exists l. congruence.
    + rewrite A in Hl. injection Hl as Hl _. destruct X; discriminate.
    + apply (t q); eauto.
  - intros q l Hl R. destruct (iv_at _ _ _ I q) as [A|[(_ & _ & m & A)|(j & J & _ & A)]].
    + apply (lg_r12 _ _ _ _ _ L q l); auto. congruence.
    + rewrite A in Hl. injection Hl as Hl _. destruct X; discriminate.
    + rewrite A in Hl. injection Hl as <-. apply (f j q); auto. now apply (iv_match _ _ _ I).
  - intro F. destruct (Fn F) as (d & q & U & V & W1 & W2 & W3). exists d, q. auto.
Qed.

Lemma count_on : forall zs s ys b, inv s ys b -> mover s = Y -> goes_on b zs ->
  (forall k, uses zs k <= hand s X k) -> n <= length ys + length zs -> wins G X s.
Proof.
  induction zs as [|[j q] r IH]; intros s ys b I M Go Us Le.
  - apply wins_all; auto using not_over_loses. intros k p [L _]. rewrite M in L.
    exfalso. pose proof (bound _ (iv_match _ _ _ (inv_Y _ _ _ _ _ I M L))) as B. simpl in B, Le. lia.
  - apply wins_all; auto using not_over_loses. intros k p [L _]. rewrite M in L.
    pose proof (inv_Y _ _ _ _ _ I M L) as I1. destruct Go as (Sf & Nb & Fn & Go).
    assert (M1 : mover (place G s k p) = X) by (simpl; rewrite M; apply other_other).
    assert (H1 : forall i, hand (place G s k p) X i = hand s X i).
    { intro i. simpl. unfold take. rewrite M, side_eqb_other'. reflexivity. }
    assert (L1 : legal G (place G s k p) X j q).
    { eapply still_legal; eauto. rewrite H1. generalize (Us j). rewrite uses_cons. destruct (Nat.eq_dec j j); lia. }
    apply wins_move with j q; auto using not_over_loses.
    + split; [now rewrite M1|discriminate].
    + eapply IH with (ys := (k, p) :: ys); [apply inv_X; eauto| | | |].
      * simpl. rewrite M. now rewrite other_other.
      * auto.
      * intro i. change (uses r i <= take (hand (place G s k p)) (mover (place G s k p)) j X i).
        unfold take. rewrite M1, side_eqb_refl, H1. simpl. generalize (Us i). rewrite uses_cons.
        destruct (Nat.eqb_spec i j), (Nat.eq_dec j i); simpl; try congruence; try lia.
      * simpl in *. lia.
Qed.

Theorem counting_lemma l : plan l -> wins G X s0.
Proof.
  assert (I0 : inv s0 [] []).
  { split; simpl; auto using lt_refl; try tauto. split; [|split]; simpl; try tauto; try constructor. intro; unfold uses; simpl; lia. }
  intros [Us [(M & Go & Le)|(M & k & p & r & -> & L & Go & Le)]].
  - eapply count_on; eauto. simpl. lia.
  - apply wins_move with k p; auto using not_over_loses.
    + split; [now rewrite M|congruence].
    + eapply count_on with (zs := r); [apply inv_X; eauto| | | |].
      * simpl. now rewrite M.
      * auto.
      * intro i. simpl. unfold take. rewrite M, side_eqb_refl. simpl. generalize (Us i). rewrite uses_cons.
        destruct (Nat.eqb_spec i k), (Nat.eq_dec k i); simpl; try congruence; try lia.
      * simpl in *. lia.
Qed.
End Counting.
