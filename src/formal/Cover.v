(** The section "Covers" of LEMMAS.md. [covers Q P] is "Q covers P" of its proof; [cover_lemma] is its lemma: if X wins the
    situation after the loser's pod with all legs of all kinds that may be placed on p, X wins after each of these placements. *)
From Coq Require Import List Arith Lia Bool.
From Pods Require Import Game.
Section Cover.
Context (G : game) (loses : empty_hand_wins G = false).
Variable X : side.
Notation Y := (other X).

Definition leg_le (l m : legs) := forall d, (l d <> None -> m d <> None) /\ (l d = Some Long -> m d = Some Long).
Definition pod_le (a b : option (side * legs)) := match a, b with
  | None, None => True
  | Some (x, l), Some (y, m) => x = y /\ (x = Y -> leg_le l m) /\ (x = X -> forall d, l d = m d)
  | _, _ => False end.

(** Q covers P *)
Record covers (Q P : situation) : Prop := {
  cv_at : forall p, pod_le (at_ P p) (at_ Q p);
  cv_mover : mover Q = mover P;
  cv_openP : opening P = false; cv_openQ : opening Q = false;
  cv_handY : forall k, hand P Y k <= hand Q Y k;
  cv_handX : forall k, hand P X k = hand Q X k }.

Lemma cv_empty Q P : covers Q P -> forall p, empty Q p <-> empty P p.
Proof.
  intros C p. generalize (cv_at _ _ C p). unfold empty, pod_le.
  destruct (at_ P p) as [[]|], (at_ Q p) as [[]|]; intuition congruence.
Qed.
Lemma cv_held Q P : covers Q P -> forall x p, held Q x p <-> held P x p.
Proof.
  intros C x p. generalize (cv_at _ _ C p). unfold held, pod_le.
  destruct (at_ P p) as [[a l]|], (at_ Q p) as [[b m]|]; simpl; try tauto.
  intros [-> _]. split; intros [z Hz]; injection Hz as -> _; eauto.
Qed.
Lemma cv_reach Q P l m p q : covers Q P -> leg_le l m -> reaches G P l p q -> reaches G Q m p q.
Proof.
  intros C L [d [[A B]|[A B]]]; exists d; [left|right]; split; auto; try apply L; auto.
  eapply run_mono; [|exact B]. intros r [H|H]; [left|right]; auto. now apply (cv_empty _ _ C).
Qed.
Lemma leg_le_refl l : leg_le l l. Proof. intro; auto. Qed.
Lemma cv_sym_reach Q P l p q : covers Q P -> (reaches G P l p q <-> reaches G Q l p q).
Proof.
  intro C; split; [apply cv_reach; auto using leg_le_refl|].
  intros [d [[A B]|[A B]]]; exists d; [left|right]; split; auto.
  eapply run_mono; [|exact B]. intros r [H|H]; [left|right]; auto. now apply (cv_empty _ _ C).
Qed.

(** X: legal in Q, so in P *)
Lemma cv_legalX Q P k p : covers Q P -> legal G Q X k p -> legal G P X k p.
Proof.
  intros C [h i e a b c]. split; auto.
  - rewrite (cv_handX _ _ C). auto.
  - now apply (cv_empty _ _ C).
  - intros q R H. apply (a q). now apply (cv_sym_reach _ _ _ _ _ C). now apply (cv_held _ _ C).
  - intros q l H R. generalize (cv_at _ _ C q). rewrite H. unfold pod_le.
    destruct (at_ Q q) as [[y m]|] eqn:E; [|tauto]. intros [<- [L _]].
    apply (b q m E). eapply cv_reach; eauto.
  - intros F. destruct (c F) as (d & q & U & V & W). exists d, q. repeat split; auto. now apply (cv_empty _ _ C).
Qed.
(** Y: legal in P, so in Q *)
Lemma cv_legalY Q P k p : covers Q P -> legal G P Y k p -> legal G Q Y k p.
Proof.
  intros C [h i e a b c]. split; auto.
  - generalize (cv_handY _ _ C k). lia.
  - now apply (cv_empty _ _ C).
  - intros q R H. apply (a q). now apply (cv_sym_reach _ _ _ _ _ C). now apply (cv_held _ _ C).
  - rewrite other_other in *. intros q m H R. generalize (cv_at _ _ C q). rewrite H. unfold pod_le.
    destruct (at_ P q) as [[y l]|] eqn:E; [|tauto]. intros [-> [_ L]]. specialize (L eq_refl).
    apply (b q l E). apply (cv_sym_reach _ _ _ _ _ C).
    destruct R as [d [[A B]|[A B]]]; exists d; rewrite L; auto.
  - intros F. destruct (c F) as (d & q & U & V & W). exists d, q. repeat split; auto. now apply (cv_empty _ _ C).
Qed.
Lemma cv_place Q P k p : covers Q P -> covers (place G Q k p) (place G P k p).
Proof.
  intros C. pose proof (cv_mover _ _ C) as M. split; simpl; auto.
  - intro q. unfold put. destruct (Nat.eqb q p); [|apply C].
    simpl. rewrite M. split; auto. split; auto using leg_le_refl.
  - now rewrite M.
  - intro j. unfold take. rewrite M. generalize (cv_handY _ _ C j). destruct (_ && _); lia.
  - intro j. unfold take. rewrite M, (cv_handX _ _ C). reflexivity.
Qed.

Theorem covers_wins Q P : covers Q P -> wins G X Q -> wins G X P.
Proof.
  intros C W. revert P C. induction W as [Q W|Q k p N M L W IH|Q N M W IH]; intros P C.
  - destruct W; congruence.
  - apply wins_move with k p; auto using not_over_loses.
    + now rewrite <- (cv_mover _ _ C).
    + destruct L as [L O]. split; [|rewrite (cv_openP _ _ C); discriminate].
      rewrite <- (cv_mover _ _ C), M. rewrite M in L. eapply cv_legalX; eauto.
    + apply IH. now apply cv_place.
  - apply wins_all; auto using not_over_loses.
    + now rewrite <- (cv_mover _ _ C).
    + intros k p [L O]. apply IH with k p; [|now apply cv_place]. split; [|rewrite (cv_openQ _ _ C); discriminate].
      rewrite M. rewrite <- (cv_mover _ _ C), M in L. eapply cv_legalY; eauto.
Qed.

Theorem cover_lemma s p l : mover s = Y -> cover_legs G s p l -> wins G X (cover s p l) ->
  forall k, choice G s k p -> wins G X (place G s k p).
Proof.
  intros M CL W k Ck. eapply covers_wins; [|exact W]. split; simpl; auto.
  - intro q. unfold put. destruct (Nat.eqb q p); simpl.
    + split; auto. split; [|intro H; rewrite M in H; destruct X; discriminate].
      intros _ d. destruct (CL d) as [A B]. split; intro H; [apply A|apply B]; eauto.
    + destruct (at_ s q) as [[]|]; simpl; auto using leg_le_refl.
  - intro j. unfold take. destruct (_ && _); lia.
  - intro j. unfold take. rewrite M, side_eqb_other'. reflexivity.
Qed.
End Cover.
