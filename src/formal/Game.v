(** Placement games: the section "Words" of LEMMAS.md, with the clauses R1 to R16 and R30 as far as they are about placements.

    Points and kinds are numbers; a board is the function [next] from a direction and a point to the connected neighbour. A
    situation says what lies on each point, with legs as they lie on the board, what is in the hands, who moves, and whether the
    opening clause (R9) binds the mover. [wins G X s] says that X can force a win from s. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.

Definition point := nat.
Definition kind := nat.
Inductive side := White | Black.
Definition other (x : side) := match x with White => Black | Black => White end.
Inductive dir := dn | dne | de | dse | ds | dsw | dw | dnw.
Definition opp (d : dir) := match d with
  dn => ds | dne => dsw | de => dw | dse => dnw | ds => dn | dsw => dne | dw => de | dnw => dse end.
Inductive len := Short | Long.
(** at most one leg in a direction (R3) *)
Definition legs := dir -> option len.
Definition turned (l : legs) : legs := fun d => l (opp d).

Record game := {
  points : list point;
  next : dir -> point -> option point;      (* the connected neighbour (R1) *)
  kind_legs : kind -> legs;                 (* as the owner sees them (R4) *)
  placement_liberty : bool;
  attack_through : bool;
  empty_hand_wins : bool }.

Definition all_dirs := [dn; dne; de; dse; ds; dsw; dw; dnw].
Definition bipod (l : legs) := length (filter (fun d => match l d with None => false | _ => true end) all_dirs) = 2.

(** what a header gives: lines can be used from both ends, and lead to points of the board *)
Record wf (G : game) : Prop := {
  wf_sym : forall d p q, next G d p = Some q -> next G (opp d) q = Some p;
  wf_in : forall d p q, next G d p = Some q -> In p (points G) /\ In q (points G);
  wf_nodup : NoDup (points G) }.

Record situation := {
  at_ : point -> option (side * legs);      (* legs as they lie on the board *)
  hand : side -> kind -> nat;
  mover : side;
  opening : bool }.                         (* R9 binds the mover *)

Definition empty (s : situation) p := at_ s p = None.
Definition held (s : situation) x p := exists l, at_ s p = Some (x, l).

Section Game.
Context (G : game).

Definition lie (x : side) (k : kind) : legs :=
  match x with White => kind_legs G k | Black => turned (kind_legs G k) end.

(** q is on the way from p straight on in direction d, all points between being in [pass] *)
Inductive run (pass : point -> Prop) (d : dir) : point -> point -> Prop :=
| run_next p q : next G d p = Some q -> run pass d p q
| run_on p r q : next G d p = Some r -> pass r -> run pass d r q -> run pass d p q.

(** R5: a leg of [l] at p gets to q *)
Definition gets (pass : point -> Prop) (l : legs) p q :=
  exists d, (l d <> None /\ next G d p = Some q) \/ (l d = Some Long /\ run pass d p q).

(** runs of a situation stop at the first held point, unless attack-through is on *)
Definition passes (s : situation) r := attack_through G = true \/ empty s r.
Definition reaches s l p q := gets (passes s) l p q.

Definition has_liberty s (l : legs) p :=
  exists d q, l d <> None /\ next G d p = Some q /\ empty s q.

(** R10-R13: apart from turn and opening clause *)
Record legal s x k p : Prop := {
  lg_hand : 1 <= hand s x k;
  lg_point : In p (points G);
  lg_empty : empty s p;
  lg_r11 : forall q, reaches s (lie x k) p q -> ~ held s (other x) q;
  lg_r12 : forall q l, at_ s q = Some (other x, l) -> ~ reaches s l q p;
  lg_r13 : placement_liberty G = true -> has_liberty s (lie x k) p }.

Definition choice s k p := legal s (mover s) k p /\ (opening s = true -> bipod (kind_legs G k)).

Definition put {A} (f : point -> A) p v := fun q => if Nat.eqb q p then v else f q.
Definition side_eqb (x y : side) := match x, y with White, White | Black, Black => true | _, _ => false end.
Definition take (h : side -> kind -> nat) x k := fun y j =>
  if side_eqb y x && Nat.eqb j k then h y j - 1 else h y j.

(** after a pod of the mover with legs l has come to p *)
Definition after s l p h := {|
  at_ := put (at_ s) p (Some (mover s, l)); hand := h; mover := other (mover s); opening := false |}.
Definition place s k p := after s (lie (mover s) k) p (take (hand s) (mover s) k).

(** R30; only where an empty hand wins *)
Definition empty_hand s x := forall k, hand s x k = 0.
Definition won s x := empty_hand_wins G = true /\
  ((empty_hand s (other (mover s)) /\ x = other (mover s)) \/
   (~ empty_hand s (other (mover s)) /\ empty_hand s (mover s) /\ x = mover s)).
Definition over s := exists x, won s x.

(** X can force a win. A side that cannot place has lost (R15): the third rule with no choice. *)
Inductive wins (X : side) : situation -> Prop :=
| wins_over s : won s X -> wins X s
| wins_move s k p : ~ over s -> mover s = X -> choice s k p -> wins X (place s k p) -> wins X s
| wins_all s : ~ over s -> mover s = other X ->
    (forall k p, choice s k p -> wins X (place s k p)) -> wins X s.

(** what can follow: a legal placement of the mover (the opening clause only forbids more) *)
Inductive leads_to : situation -> situation -> Prop :=
| lt_refl s : leads_to s s
| lt_step s k p t : legal s (mover s) k p -> leads_to (place s k p) t -> leads_to s t.

(** covers *)
Definition cover_legs s p (l : legs) := forall d,
  (l d <> None <-> exists k, choice s k p /\ lie (mover s) k d <> None) /\
  (l d = Some Long <-> exists k, choice s k p /\ lie (mover s) k d = Some Long).
Definition cover s p l := after s l p (hand s).

(** ---- basic facts ---- *)
Lemma other_other x : other (other x) = x. Proof. destruct x; auto. Qed.
Lemma other_neq x : other x <> x. Proof. destruct x; discriminate. Qed.
Lemma side_cases x y : y = x \/ y = other x. Proof. destruct x, y; auto. Qed.
Lemma side_eqb_refl x : side_eqb x x = true. Proof. destruct x; auto. Qed.
Lemma side_eqb_other x : side_eqb (other x) x = false. Proof. destruct x; auto. Qed.
Lemma side_eqb_other' x : side_eqb x (other x) = false. Proof. destruct x; auto. Qed.
Lemma put_same {A} (f : point -> A) p v : put f p v p = v.
Proof. unfold put. now rewrite Nat.eqb_refl. Qed.
Lemma put_other {A} (f : point -> A) p v q : q <> p -> put f p v q = f q.
Proof. unfold put. intro H. apply Nat.eqb_neq in H. now rewrite H. Qed.
Lemma not_over_loses s : empty_hand_wins G = false -> ~ over s.
Proof. intros H [x [H1 _]]. congruence. Qed.
Lemma run_mono (P Q : point -> Prop) d p q : (forall r, P r -> Q r) -> run P d p q -> run Q d p q.
Proof. intros H. induction 1; [now apply run_next | eapply run_on; eauto]. Qed.
Lemma gets_mono (P Q : point -> Prop) l p q : (forall r, P r -> Q r) -> gets P l p q -> gets Q l p q.
Proof. intros H [d [A|[A B]]]; exists d; [left|right]; auto. split; eauto using run_mono. Qed.
Lemma after_empty s l p h q : empty (after s l p h) q -> empty s q /\ q <> p.
Proof.
  unfold empty; simpl. unfold put. destruct (Nat.eqb_spec q p); [discriminate|auto].
Qed.
Lemma after_empty' s l p h q : empty s q -> q <> p -> empty (after s l p h) q.
Proof. unfold empty; simpl. intros. now rewrite put_other. Qed.
End Game.
