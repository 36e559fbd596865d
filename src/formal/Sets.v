(** Sets of points as words of 63 bits: point p is in the set m if bit p of m is 1. *)
From Coq Require Import ZArith Uint63 PrimInt63 List Bool Lia.
Import ListNotations.

Definition set := int.
(** A number below 63 as a word. *)
Definition ip (p : nat) : int := of_Z (Z.of_nat p).
Definition mem (m : set) (p : nat) : Prop := p < 63 /\ bit m (ip p) = true.

Definition none : set := 0%uint63.
Definition or (a b : set) : set := PrimInt63.lor a b.
Definition and (a b : set) : set := PrimInt63.land a b.
Definition diff (a b : set) : set := PrimInt63.lxor a (PrimInt63.land a b).
Definition one (p : nat) : set := PrimInt63.lsl 1%uint63 (ip p).
Definition is_none (a : set) : bool := PrimInt63.eqb a 0%uint63.
Definition same_set (a b : set) : bool := PrimInt63.eqb a b.
(** The sets have a point in common. *)
Definition meet (a b : set) : bool := if is_none (and a b) then false else true.

Lemma ip_Z p : p < 63 -> to_Z (ip p) = Z.of_nat p.
Proof. intro H. unfold ip. rewrite of_Z_spec, Z.mod_small; [auto|]. change wB with 9223372036854775808%Z. lia. Qed.
Lemma to_Z_below n p : to_Z n = Z.of_nat p -> n = ip p.
Proof. intro H. apply to_Z_inj. unfold ip. rewrite of_Z_spec, <- H, Z.mod_small; [auto|]. apply to_Z_bounded. Qed.
Lemma bit_below m n : bit m n = true -> exists p, p < 63 /\ n = ip p.
Proof.
  intro H. destruct (Uint63.leb digits n) eqn:D. { rewrite bit_M in H; auto. discriminate. }
  exists (Z.to_nat (to_Z n)). pose proof (to_Z_bounded n) as B.
  assert (~ (63 <= to_Z n)%Z). { intro K. assert (Uint63.leb digits n = true) by (apply leb_spec; exact K). congruence. }
  split; [lia|]. apply to_Z_below. rewrite Z2Nat.id; lia.
Qed.
Lemma mem_dec m p : {mem m p} + {~ mem m p}.
Proof.
  unfold mem. destruct (lt_dec p 63), (bit m (ip p)); [left; auto|right; intuition congruence|right; tauto|right; tauto].
Qed.
Lemma mem_below m p : mem m p -> p < 63. Proof. intro H; apply H. Qed.
Lemma mem_none p : ~ mem none p.
Proof. intros [_ H]. unfold none in H. rewrite bit_0 in H. discriminate. Qed.
Lemma mem_or a b p : mem (or a b) p <-> mem a p \/ mem b p.
Proof. unfold mem, or. rewrite lor_spec, orb_true_iff. tauto. Qed.
Lemma mem_and a b p : mem (and a b) p <-> mem a p /\ mem b p.
Proof. unfold mem, and. rewrite land_spec, andb_true_iff. tauto. Qed.
Lemma mem_diff a b p : mem (diff a b) p <-> mem a p /\ ~ mem b p.
Proof.
  unfold mem, diff. rewrite lxor_spec, land_spec. destruct (bit a (ip p)), (bit b (ip p)); simpl; intuition congruence.
Qed.
Lemma mem_ext a b : (forall p, mem a p <-> mem b p) -> a = b.
Proof.
  intro H. apply bit_ext. intro n. destruct (bit a n) eqn:A.
  - destruct (bit_below _ _ A) as (p & P & ->). symmetry. apply H. split; auto.
  - destruct (bit b n) eqn:B; auto. destruct (bit_below _ _ B) as (p & P & ->).
    assert (M : mem a p) by (apply H; split; auto). destruct M. congruence.
Qed.
Lemma is_none_iff a : is_none a = true <-> forall p, ~ mem a p.
Proof.
  unfold is_none. rewrite Uint63.eqb_spec. split; [intros ->; apply mem_none|].
  intro H. apply mem_ext. intro p. split; intro K; [now destruct (H p)|now destruct (mem_none p)].
Qed.
Lemma same_set_iff a b : same_set a b = true <-> a = b.
Proof. apply Uint63.eqb_spec. Qed.
Lemma mem_one p q : p < 63 -> mem (one p) q <-> q = p.
Proof.
  intro P. unfold mem, one. split.
  - intros [Q H]. rewrite bit_lsl in H. destruct (Uint63.ltb (ip q) (ip p) || Uint63.leb digits (ip q)) eqn:C; [discriminate|].
    apply orb_false_iff in C. destruct C as [C1 C2].
    assert (N : ~ (to_Z (ip q) < to_Z (ip p))%Z). { intro K. apply ltb_spec in K. congruence. }
    rewrite !ip_Z in N by auto. rewrite bit_1 in H. apply Uint63.eqb_spec in H.
    assert (E : to_Z (ip q - ip p) = 0%Z) by now rewrite H.
    rewrite sub_spec, !ip_Z, Z.mod_small in E; auto; [lia|]. change wB with 9223372036854775808%Z. lia.
  - intros ->. split; auto. rewrite bit_lsl.
    assert (C : Uint63.ltb (ip p) (ip p) || Uint63.leb digits (ip p) = false).
    { apply orb_false_iff. split.
      - destruct (Uint63.ltb (ip p) (ip p)) eqn:K; auto. apply ltb_spec in K. lia.
      - destruct (Uint63.leb digits (ip p)) eqn:K; auto. apply leb_spec in K. rewrite ip_Z in K by auto. change (to_Z digits) with 63%Z in K. lia. }
    rewrite C, bit_1. apply Uint63.eqb_spec. apply to_Z_inj. rewrite sub_spec, Z.sub_diag. reflexivity.
Qed.
Lemma meet_false a b p : meet a b = false -> mem a p -> ~ mem b p.
Proof.
  unfold meet. destruct (is_none (and a b)) eqn:N; [|discriminate]. intros _ A B.
  apply (proj1 (is_none_iff _) N p). now apply mem_and.
Qed.
Lemma meet_one a p : p < 63 -> meet a (one p) = true <-> mem a p.
Proof.
  intro P. unfold meet. destruct (is_none (and a (one p))) eqn:N.
  - split; [discriminate|]. intro A. destruct (proj1 (is_none_iff _) N p). apply mem_and. split; auto. now apply mem_one.
  - split; auto. intros _. destruct (mem_dec a p) as [A|A]; auto.
    assert (K : is_none (and a (one p)) = true); [|congruence]. apply is_none_iff. intros q Q. apply mem_and in Q.
    destruct Q as [Q1 Q2]. apply mem_one in Q2; auto. subst. auto.
Qed.

(** Shifts. *)
Definition up (m : set) (by_ : int) : set := PrimInt63.lsl m by_.
Definition down (m : set) (by_ : int) : set := PrimInt63.lsr m by_.
Lemma mem_up m o q : o < 63 -> mem (up m (ip o)) q <-> exists p, mem m p /\ q = p + o /\ q < 63.
Proof.
  intro O. unfold mem, up. rewrite bit_lsl. split.
  - intros [Q H]. destruct (Uint63.ltb (ip q) (ip o) || Uint63.leb digits (ip q)) eqn:C; [discriminate|].
    apply orb_false_iff in C. destruct C as [C1 C2].
    assert (N : ~ (to_Z (ip q) < to_Z (ip o))%Z). { intro K. apply ltb_spec in K. congruence. }
    rewrite !ip_Z in N by auto. exists (q - o). replace (ip (q - o)) with (ip q - ip o)%uint63; [split; [split; [lia|auto]|lia]|].
    apply to_Z_below. rewrite sub_spec, !ip_Z, Z.mod_small; auto; [lia|]. change wB with 9223372036854775808%Z. lia.
  - intros (p & [P H] & -> & Q). split; auto.
    assert (C : Uint63.ltb (ip (p + o)) (ip o) || Uint63.leb digits (ip (p + o)) = false).
    { apply orb_false_iff. split.
      - destruct (Uint63.ltb (ip (p + o)) (ip o)) eqn:K; auto. apply ltb_spec in K. rewrite !ip_Z in K by lia. lia.
      - destruct (Uint63.leb digits (ip (p + o))) eqn:K; auto. apply leb_spec in K. rewrite ip_Z in K by auto. change (to_Z digits) with 63%Z in K. lia. }
    rewrite C. replace (ip (p + o) - ip o)%uint63 with (ip p); auto.
    apply to_Z_inj. rewrite sub_spec, !ip_Z, Z.mod_small; auto; try lia. change wB with 9223372036854775808%Z. lia.
Qed.
Lemma mem_down m o q : o < 63 -> mem (down m (ip o)) q <-> q < 63 /\ mem m (q + o).
Proof.
  intro O. unfold mem, down. rewrite bit_lsr. split.
  - intros [Q H]. split; auto. assert (E : (ip q + ip o)%uint63 = ip (q + o)).
    { apply to_Z_below. rewrite add_spec, !ip_Z, Z.mod_small; auto; [lia|]. change wB with 9223372036854775808%Z. lia. }
    assert (C : (ip o + ip q)%uint63 = (ip q + ip o)%uint63) by (apply to_Z_inj; rewrite !add_spec, Z.add_comm; reflexivity).
    rewrite C in H.
    destruct (Uint63.leb (ip q) (ip q + ip o)); [|discriminate]. rewrite E in H. split; auto.
    destruct (bit_below _ _ H) as (p & P & K). 
    assert (to_Z (ip (q + o)) = Z.of_nat (q + o)).
    { unfold ip. rewrite of_Z_spec, Z.mod_small; auto. change wB with 9223372036854775808%Z. lia. }
    rewrite K, ip_Z in H0 by auto. lia.
  - intros [Q [K H]]. split; auto.
    assert (E : (ip o + ip q)%uint63 = ip (q + o)).
    { apply to_Z_below. rewrite add_spec, !ip_Z, Z.mod_small; auto; [lia|]. change wB with 9223372036854775808%Z. lia. }
    rewrite E. assert (C : Uint63.leb (ip q) (ip (q + o)) = true) by (apply leb_spec; rewrite !ip_Z; lia). now rewrite C.
Qed.

Lemma meet_iff a b : meet a b = true <-> exists p, mem a p /\ mem b p.
Proof.
  unfold meet. destruct (is_none (and a b)) eqn:N.
  - split; [discriminate|]. intros (p & A & B). destruct (proj1 (is_none_iff _) N p). now apply mem_and.
  - split; auto. intros _.
    destruct (Exists_dec (fun p => mem (and a b) p) (seq 0 63) (mem_dec (and a b))) as [X|X].
    + apply Exists_exists in X. destruct X as (p & _ & X). exists p. now apply mem_and.
    + assert (K : is_none (and a b) = true); [|congruence]. apply is_none_iff. intros p P. apply X. apply Exists_exists.
      exists p. split; auto. apply in_seq. pose proof (mem_below _ _ P). lia.
Qed.
Lemma meet_or a b c : meet (or a b) c = meet a c || meet b c.
Proof.
  apply eq_true_iff_eq. rewrite orb_true_iff, !meet_iff. split.
  - intros (p & A & C). apply mem_or in A. destruct A; [left|right]; eauto.
  - intros [(p & A & C)|(p & A & C)]; exists p; rewrite mem_or; auto.
Qed.

Global Opaque or and diff one is_none same_set meet up down none mem.
