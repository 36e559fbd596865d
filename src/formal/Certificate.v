(** The section "Why what is shown rests on nothing false" of LEMMAS.md.

    [verdict D s] says that s has a verdict of its own (over, counting, mirror, or a step all of whose situations are in D).
    [walk_sound] and [certificate_sound] are the theorem: if each situation of D has such a verdict, or has the essence of one
    that has, X wins all of D. *)
From Coq Require Import List Arith Lia Bool.
From Pods Require Import Game Cover Room Counting Mirror Essence.
Section Walk.
Context (G : game) (X : side).
Notation Y := (other X).

(** counting and mirror *)
Variable leaf : situation -> Prop.
Hypothesis leaf_wins : forall s, leaf s -> wins G X s.
(** equal essence *)
Variable same_essence : situation -> situation -> Prop.
Hypothesis essence_room : forall s t, same_essence s t -> forall p, room G s p -> room G t p.
Hypothesis essence_wins : forall s t, same_essence s t -> wins G X s -> wins G X t.

(** D: all situations that the walks come to and all that are left to sections *)
Inductive verdict (D : situation -> Prop) s : Prop :=
| v_over : won G s X -> verdict D s
| v_leaf : leaf s -> verdict D s
| v_stepX k p : ~ over G s -> mover s = X -> choice G s k p -> D (place G s k p) -> verdict D s
| v_stepY : ~ over G s -> mover s = Y ->
    (forall p, (forall k, choice G s k p -> D (place G s k p)) \/
       (empty_hand_wins G = false /\ (exists k, choice G s k p) /\
        exists l, cover_legs G s p l /\ D (cover s p l))) -> verdict D s.
(** [later]: D has the situation, and its verdict is that at the start of its section *)
Definition complete (D : situation -> Prop) := forall s, D s -> verdict D s \/ exists t, same_essence t s /\ verdict D t.

Theorem walk_sound (D : situation -> Prop) : complete D -> forall s, D s -> wins G X s.
Proof.
  intros C. enough (H : forall n s, room_le G s n -> D s -> wins G X s).
  { intros s Ds. eapply H; eauto. apply room_le_points. }
  induction n as [n IH] using lt_wf_ind.
  assert (V : forall s, room_le G s n -> verdict D s -> wins G X s).
  { intros s R [W|Lf|k p N M Ch Dp|N M All].
    - now apply wins_over.
    - auto.
    - apply wins_move with k p; auto.
      destruct (room_le_smaller G s k p (lie G (mover s) k) (take (hand s) (mover s) k) n) as (m & A & B); auto.
      { apply Ch. } { intros; unfold take; destruct (_ && _); lia. }
      eapply IH; eauto.
    - apply wins_all; auto. intros k p Ch. destruct (All p) as [P|(Lo & (k' & Ch') & l & Cl & Dl)].
      + destruct (room_le_smaller G s k p (lie G (mover s) k) (take (hand s) (mover s) k) n) as (m & A & B); auto.
        { apply Ch. } { intros; unfold take; destruct (_ && _); lia. }
        eapply IH; eauto.
      + apply (cover_lemma G Lo X s p l M Cl); auto.
        destruct (room_le_smaller G s k' p l (hand s) n) as (m & A & B); auto. { apply Ch'. }
        eapply IH; eauto. }
  intros s R Ds. destruct (C s Ds) as [A|(t & E & A)]; auto.
  apply (essence_wins t s E). apply V; auto.
  destruct R as (L & A1 & A2). exists L. split; auto. intros p P. apply A2. eapply essence_room; eauto.
Qed.
End Walk.

(** ** With the lemmas *)
Section Final.
Context (G : game) (X : side) (W : wf G).

Definition counting s := empty_hand_wins G = false /\ opening s = false /\ exists n l,
  (forall m, matching G X s m -> length m <= n) /\ plan G X s n l.
Definition mirror s := empty_hand_wins G = false /\ mover s = other X /\ exists image,
  (forall p, image (image p) = p) /\ (forall p, In p (points G) -> In (image p) (points G)) /\
  (forall d p q, next G d p = Some q -> next G (opp d) (image p) = Some (image q)) /\
  (forall p, In p (points G) -> image p <> p) /\ (forall d p, ~ run G (fun _ => True) d p (image p)) /\
  symmetric image s.
Definition leaf s := counting s \/ mirror s.
Definition same_essence s t := exists M, essence G s t M.

Theorem certificate_sound (D : situation -> Prop) :
  (forall s, D s -> verdict G X leaf D s \/ exists t, same_essence t s /\ verdict G X leaf D t) ->
  forall s, D s -> wins G X s.
Proof.
  apply walk_sound.
  - intros s [(Lo & O & n & l & B & P)|(Lo & Mv & im & a & b & c & d & e & f)].
    + eapply counting_lemma; eauto.
    + eapply mirror_lemma; eauto.
  - intros s t [M E] p P. now apply (es_V _ _ _ _ E).
  - intros s t [M E]. eapply essence_lemma; eauto.
Qed.
End Final.
