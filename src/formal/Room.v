(** The section "Living pairs and the room" of LEMMAS.md.

    The text repeats a step until nothing changes; here the room is the union of all sets that the step does not make smaller,
    which is where the repetition ends ([repetition_ends_in_the_room]).
    [living_lemma]: no pair but the living ones is legal in any situation that play leads to. [room_smaller]: a placement or a
    cover makes the room smaller. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Pods Require Import Game.
Section Room.
Context (G : game).

Definition outside s (R : point -> Prop) r := attack_through G = true \/ (empty s r /\ ~ R r).
Definition dead s R x k p :=
  (placement_liberty G = true /\ ~ has_liberty G s (lie G x k) p) \/
  exists q l, at_ s q = Some (other x, l) /\
    (gets G (outside s R) (lie G x k) p q \/ gets G (outside s R) l q p).
Record alive s (R : point -> Prop) x k p : Prop := {
  al_hand : 1 <= hand s x k; al_point : In p (points G); al_empty : empty s p;
  al_in : R p; al_not : ~ dead s R x k p }.
(** a set that repeating the step does not make smaller; the room is the largest one *)
Definition stays s (R : point -> Prop) := forall p, R p -> exists x k, alive s R x k p.
Definition room s p := exists R, stays s R /\ R p.
Definition living s := alive s (room s).

Lemma alive_mono s (R R' : point -> Prop) x k p : (forall q, R q -> R' q) -> alive s R x k p -> alive s R' x k p.
Proof.
  intros I [a b c d e]; split; auto. intros [D|(q & l & A & B)]; apply e; [now left|right].
  exists q, l. split; auto. destruct B as [B|B]; [left|right]; (eapply gets_mono; [|exact B]);
  intros r [ ?|[? ?]]; [left|right|left|right]; auto.
Qed.
Lemma room_stays s : stays s (room s).
Proof.
  intros p (R & S & Rp). destruct (S p Rp) as (x & k & A). exists x, k.
  eapply alive_mono; [|exact A]. intros q Q. exists R. auto.
Qed.
Lemma room_largest s R p : stays s R -> R p -> room s p. Proof. intros; exists R; auto. Qed.

(** The repetition of the text: begin with all empty points, and keep the points of the pairs that are not dead. *)
Fixpoint repeated s n : point -> Prop := match n with
  | 0 => fun p => In p (points G) /\ empty s p
  | S n => fun p => exists x k, alive s (repeated s n) x k p end.
Theorem repetition_gets_smaller s n p : repeated s (S n) p -> repeated s n p.
Proof. intros (x & k & A). apply A. Qed.
Theorem room_in_every_repetition s n : forall p, room s p -> repeated s n p.
Proof.
  induction n as [|n IH]; intros p Rp; destruct (room_stays s p Rp) as (x & k & A).
  - split; apply A.
  - exists x, k. eapply alive_mono; [|exact A]. exact IH.
Qed.
(** "until R does not change": that is the room *)
Theorem repetition_ends_in_the_room s n : (forall p, repeated s n p -> repeated s (S n) p) -> forall p, repeated s n p <-> room s p.
Proof.
  intros H p. split; [|apply room_in_every_repetition]. intro Rp. apply room_largest with (repeated s n); auto.
Qed.

(** what stays so as play goes on *)
Lemma lt_hand s t : leads_to G s t -> forall x k, hand t x k <= hand s x k.
Proof.
  induction 1; auto. intros x j. specialize (IHleads_to x j). simpl in IHleads_to. unfold take in IHleads_to.
  destruct (_ && _) in IHleads_to; lia.
Qed.
Lemma lt_held s t : leads_to G s t -> forall p v, at_ s p = Some v -> at_ t p = Some v.
Proof.
  induction 1 as [|s k p t L _ IH]; auto. intros q v E. apply IH. simpl. rewrite put_other; auto.
  intros ->. destruct L as [_ _ L _ _ _]. congruence.
Qed.
Lemma lt_empty s t p : leads_to G s t -> empty t p -> empty s p.
Proof.
  intros L E. unfold empty in *. destruct (at_ s p) eqn:F; auto. apply (lt_held _ _ L) in F. congruence.
Qed.
Lemma lt_filled s t p : leads_to G s t -> empty s p ->
  empty t p \/ exists u x k, leads_to G s u /\ legal G u x k p.
Proof.
  induction 1 as [|s k q t L _ IH]; auto. intros E.
  destruct (Nat.eq_dec p q) as [->|N].
  - right. exists s, (mover s), k. split; auto using lt_refl.
  - destruct IH as [|(u & x & j & A & B)]; auto.
    + now apply after_empty'.
    + right. exists u, x, j. split; auto. eapply lt_step; eauto.
Qed.

(** no pair but the living ones is ever legal *)
Theorem living_lemma s t x k p : leads_to G s t -> legal G t x k p -> living s x k p.
Proof.
  set (W := fun p => exists t x k, leads_to G s t /\ legal G t x k p).
  assert (H : forall t x k p, leads_to G s t -> legal G t x k p -> alive s W x k p).
  { clear. intros t x k p L Lg. destruct (Lg) as [a b c d e f]. split; auto.
    - generalize (lt_hand _ _ L x k). lia.
    - eapply lt_empty; eauto.
    - exists t, x, k. auto.
    - assert (P : forall r, outside s W r -> passes G t r).
      { intros r [ ?|[E N]]; [now left|right]. destruct (lt_filled _ _ r L E); auto. now destruct N. }
      intros [[O N]|(q & l & A & [B|B])].
      + apply N. destruct (f O) as (dd & q & U & V & E). exists dd, q. repeat split; auto. eapply lt_empty; eauto.
      + apply (d q). eapply gets_mono; eauto. exists l. eapply lt_held; eauto.
      + apply (e q l). eapply lt_held; eauto. eapply gets_mono; eauto. }
  intros L Lg. eapply alive_mono; [|eauto]. intros q Wq. exists W. split; auto.
  intros r (u & y & j & A & B). eauto.
Qed.
Corollary legal_in_room s x k p : legal G s x k p -> room s p.
Proof. intro L. destruct (living_lemma s s x k p); auto using lt_refl. Qed.

(** the room after a legal placement or a cover is a part of the room before, without the point *)
Theorem room_smaller s k p l h : legal G s (mover s) k p -> (forall x j, h x j <= hand s x j) ->
  room s p /\ forall q, room (after s l p h) q -> room s q /\ q <> p.
Proof.
  intros L Hh. split; [eapply legal_in_room; eauto|]. set (s' := after s l p h).
  assert (E : forall q, room s' q -> q <> p).
  { intros q Q. destruct (room_stays _ _ Q) as (x & j & [_ _ Em _ _]). now apply after_empty in Em. }
  intros q Q. split; [|auto]. apply room_largest with (fun r => room s' r \/ r = p); [|auto].
  intros r [R| ->].
  - destruct (room_stays _ _ R) as (x & j & [a b c d e]). exists x, j. split; auto.
    + generalize (Hh x j). simpl in a. lia.
    + now apply after_empty in c.
    + intros [[O N]|(z & m & A & B)]; apply e.
      * left. split; auto. intros (dd & y & U & V & W). apply N. exists dd, y. apply after_empty in W. tauto.
      * right. exists z, m. split.
        -- simpl. rewrite put_other; auto. intros ->. destruct L as [_ _ Z _ _ _]. congruence.
        -- assert (P : forall y, outside s (fun r => room s' r \/ r = p) y -> outside s' (room s') y).
           { intros y [ ?|[Y1 Y2]]; [now left|right]. split; [apply after_empty'|]; tauto. }
           destruct B as [B|B]; [left|right]; eapply gets_mono; eauto.
  - exists (mover s), k. destruct L as [a b c d e f]. split; auto.
    assert (P : forall R y, outside s R y -> passes G s y) by (intros R y [ ?|[? ?]]; [left|right]; auto).
    intros [[O N]|(z & m & A & [B|B])]; [auto| |].
    + apply (d z); [eapply gets_mono; [|exact B]; apply P|exists m; auto].
    + apply (e z m); auto. eapply gets_mono; [|exact B]. apply P.
Qed.

(** sizes of rooms, without counting *)
Definition room_le s n := exists L : list point, length L <= n /\ forall p, room s p -> In p L.
Lemma room_le_points s : room_le s (length (points G)).
Proof. exists (points G). split; auto. intros p R. destruct (room_stays _ _ R) as (x & k & A). apply A. Qed.
Lemma remove_shorter p L : In p L -> length (remove Nat.eq_dec p L) < length L.
Proof. apply remove_length_lt. Qed.
Lemma room_le_smaller s k p l h n : legal G s (mover s) k p -> (forall x j, h x j <= hand s x j) ->
  room_le s n -> exists m, m < n /\ room_le (after s l p h) m.
Proof.
  intros L H (Ls & A & B). destruct (room_smaller s k p l h L H) as [C D].
  exists (length (remove Nat.eq_dec p Ls)). pose proof (remove_shorter p Ls (B p C)). split; [eapply Nat.lt_le_trans; eauto|].
  exists (remove Nat.eq_dec p Ls). split; auto. intros q Q. destruct (D q Q). apply in_in_remove; auto.
Qed.
End Room.
