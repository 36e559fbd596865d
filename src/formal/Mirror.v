(** The section "Mirror" of LEMMAS.md: [mirror_lemma]. The image of a point is any turn of the board onto itself that maps lines
    to lines turned by 180 degrees and leaves no point in place or in line with its image. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Pods Require Import Game Room.
Section Mirror.
Context (G : game) (loses : empty_hand_wins G = false) (X : side).
Notation Y := (other X).
Variable image : point -> point.
Hypothesis im_im : forall p, image (image p) = p.
Hypothesis im_in : forall p, In p (points G) -> In (image p) (points G).
Hypothesis im_next : forall d p q, next G d p = Some q -> next G (opp d) (image p) = Some (image q).
Hypothesis im_self : forall p, In p (points G) -> image p <> p.
Hypothesis im_line : forall d p, ~ run G (fun _ => True) d p (image p).

Record symmetric s : Prop := {
  sy_hand : forall k, hand s White k = hand s Black k;
  sy_at : forall p x l, at_ s p = Some (x, l) -> exists m, at_ s (image p) = Some (other x, m) /\ forall d, m d = l (opp d) }.

Lemma opp_opp d : opp (opp d) = d. Proof. destruct d; auto. Qed.
Lemma lie_other x k d : lie G (other x) k d = lie G x k (opp d).
Proof. destruct x; simpl; unfold turned; auto. now rewrite opp_opp. Qed.
Lemma sy_hands s x k : symmetric s -> hand s x k = hand s (other x) k.
Proof. intros [H _]. destruct x; simpl; auto. Qed.
Lemma sy_empty s p : symmetric s -> empty s p -> empty s (image p).
Proof.
  intros S E. unfold empty in *. destruct (at_ s (image p)) as [[x l]|] eqn:F; auto.
  destruct (sy_at _ S _ _ _ F) as (m & A & _). rewrite im_im in A. congruence.
Qed.
Lemma sy_run s d p q : symmetric s -> run G (passes G s) d p q -> run G (passes G s) (opp d) (image p) (image q).
Proof.
  intro S. induction 1 as [p q|p r q N P _ IH]; [apply run_next; auto|].
  apply run_on with (image r); auto. destruct P; [now left|right]. now apply sy_empty.
Qed.
Lemma sy_reach s l m p q : symmetric s -> (forall d, m d = l (opp d)) -> reaches G s l p q -> reaches G s m (image p) (image q).
Proof.
  intros S E [d [[A B]|[A B]]]; exists (opp d); rewrite E, opp_opp; [left|right]; split; auto using sy_run.
Qed.
Lemma sy_legal s x k p : symmetric s -> legal G s x k p -> legal G s (other x) k (image p).
Proof.
  intros S [a b c d e f]. split; auto using sy_empty.
  - now rewrite <- (sy_hands s x).
  - rewrite other_other. intros q R [l H]. apply (d (image q)).
    + rewrite <- (im_im p). eapply sy_reach; [auto| |exact R]. intro z. now rewrite lie_other, opp_opp.
    + destruct (sy_at _ S _ _ _ H) as (m & A & _). exists m. auto.
  - rewrite other_other. intros q l H R. destruct (sy_at _ S _ _ _ H) as (m & A & B).
    apply (e _ _ A). rewrite <- (im_im p). eapply sy_reach; eauto.
  - intro F. destruct (f F) as (z & q & U & V & W). exists (opp z), (image q).
    rewrite lie_other, opp_opp. repeat split; auto using sy_empty.
Qed.
Lemma reach_line s l p : ~ reaches G s l p (image p).
Proof.
  intros [d [[_ B]|[_ B]]]; apply (im_line d p); [now apply run_next|eapply run_mono; [|exact B]; auto].
Qed.
Lemma answer_legal s k p : symmetric s -> mover s = Y -> legal G s Y k p -> legal G (place G s k p) X k (image p).
Proof.
  intros S M L. pose proof (sy_legal _ _ _ _ S L) as L'. rewrite other_other in L'. destruct L' as [a b c d e f].
  assert (Ne : image p <> p) by (apply im_self, L).
  assert (RR : forall l q r, reaches G (place G s k p) l q r -> reaches G s l q r).
  { intros l q r. apply gets_mono. intros z [?|H]; [now left|right]. now apply after_empty in H. }
  split; auto.
  - simpl. unfold take. now rewrite M, side_eqb_other'.
  - now apply after_empty'.
  - intros q R [l H]. simpl in H. unfold put in H. destruct (Nat.eqb_spec q p) as [->|N].
    + apply RR in R. apply (reach_line s (lie G X k) (image p)). now rewrite im_im.
    + apply (d q); auto. exists l; auto.
  - intros q l H R. simpl in H. unfold put in H. destruct (Nat.eqb_spec q p) as [->|N].
    + apply RR in R. eapply reach_line; eauto.
    + apply (e q l); auto.
  - intro F. destruct (f F) as (z & q & U & V & W). exists z, q. repeat split; auto. apply after_empty'; auto.
    intros ->. apply (im_line z (image p)). rewrite im_im. now apply run_next.
Qed.
Lemma sy_again s k p : symmetric s -> mover s = Y -> legal G s Y k p ->
  symmetric (place G (place G s k p) k (image p)).
Proof.
  intros S M L. assert (Ne : image p <> p) by (apply im_self, L).
  split; simpl.
  - intro j. unfold take. pose proof (sy_hands s White j S) as H. simpl in H. rewrite M.
    destruct X; simpl; rewrite H; destruct (Nat.eqb j k); lia.
  - intros q x l. unfold put. rewrite M, other_other.
    destruct (Nat.eqb_spec q (image p)) as [->|N1].
    + intro H. injection H as <- <-. rewrite im_im. destruct (Nat.eqb_spec p (image p)); [congruence|].
      rewrite Nat.eqb_refl. eexists. split; [reflexivity|]. intro d. apply lie_other.
    + destruct (Nat.eqb_spec q p) as [->|N2].
      * intro H. injection H as <- <-. rewrite Nat.eqb_refl, other_other. eexists. split; [reflexivity|].
        intro d. rewrite lie_other, opp_opp. reflexivity.
      * intro H. destruct (Nat.eqb_spec (image q) (image p)) as [E|_]; [destruct N2; now rewrite <- (im_im q), E, im_im|].
        destruct (Nat.eqb_spec (image q) p) as [E|_]; [destruct N1; now rewrite <- E, im_im|]. now apply (sy_at _ S).
Qed.

Theorem mirror_lemma s : symmetric s -> mover s = Y -> wins G X s.
Proof.
  enough (H : forall n s, room_le G s n -> symmetric s -> mover s = Y -> wins G X s).
  { intros. eapply H; eauto. apply room_le_points. }
  induction n as [n IH] using lt_wf_ind. clear s; intros s R S M.
  apply wins_all; auto using not_over_loses. intros k p [L _]. rewrite M in L.
  pose proof (answer_legal s k p S M L) as L2.
  assert (TK : forall (h : side -> kind -> nat) x k y j, take h x k y j <= h y j) by (intros; unfold take; destruct (_ && _); lia).
  destruct (room_le_smaller G s k p (lie G (mover s) k) (take (hand s) (mover s) k) n) as (m & A & B); auto. { now rewrite M. }
  assert (M1 : mover (place G s k p) = X) by (simpl; rewrite M; apply other_other).
  destruct (room_le_smaller G (place G s k p) k (image p) (lie G (mover (place G s k p)) k)
    (take (hand (place G s k p)) (mover (place G s k p)) k) m) as (m' & A' & B'); auto. { now rewrite M1. }
  apply wins_move with k (image p); auto using not_over_loses.
  - split; [now rewrite M1|discriminate].
  - apply IH with m'; [lia|exact B'|now apply sy_again|]. simpl. rewrite M. apply other_other.
Qed.
End Mirror.
