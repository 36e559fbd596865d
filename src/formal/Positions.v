(** Small boards, pods and positions for the theorems that are computed. *)
From Coq Require Import List ZArith Bool.
From Pods Require Import Rules.
Import ListNotations.

Definition a1 : point := (0, 0)%Z. Definition b1 : point := (1, 0)%Z. Definition c1 : point := (2, 0)%Z.
Definition d1 : point := (3, 0)%Z. Definition e1 : point := (4, 0)%Z.
Definition a2 : point := (0, 1)%Z. Definition b2 : point := (1, 1)%Z. Definition c2 : point := (2, 1)%Z.
Definition a3 : point := (0, 2)%Z. Definition b3 : point := (1, 2)%Z. Definition c3 : point := (2, 2)%Z.

(** Five points in a row, with the lines that are given. *)
Definition row_with (l : list (point * point)) : board := Board [a1; b1; c1; d1; e1] l.
(** [a1-b1-c1-d1-e1] *)
Definition row : board := row_with [(a1, b1); (b1, c1); (c1, d1); (d1, e1)].
(** [a1-b1 c1 d1-e1] *)
Definition row_in_parts : board := row_with [(a1, b1); (d1, e1)].

Definition short (d : direction) : leg := Leg d Short.
Definition long (d : direction) : leg := Leg d Long.

(** The kinds of pods that the positions use, by name. *)
Definition bipod : kind := 0.          (* w e *)
Definition runner : kind := 1.         (* W E *)
Definition to_e : kind := 2.           (* e *)
Definition to_w : kind := 3.           (* w *)
Definition to_n : kind := 4.           (* n *)
Definition far_e : kind := 5.          (* E *)
Definition far_w : kind := 6.          (* W *)
Definition cross : kind := 7.          (* n e s w *)
Definition some_kinds : list legs :=
  [[short West; short East]; [long West; long East]; [short East]; [short West]; [short North]; [long East]; [long West];
   [short North; short East; short South; short West]].

Definition on (b : board) (o : options) : game := Game b some_kinds o.
Definition white (k : kind) : pod := Pod White k.
Definition black (k : kind) : pod := Pod Black k.
Definition can (G : game) (s : position) (a : action) : Prop := In a (legal_actions G s).

(** The options of a preset with one of them changed. *)
Definition with_captures (c : captures_value) (o : options) : options :=
  Options (moves o) (shoves o) (placement_liberty o) c (empty_hand o) (opening o) (attack_through o) (shove_after_run o)
    (kick_gaps o) (shove_liberty o).
Definition with_empty_hand (e : empty_hand_value) (o : options) : options :=
  Options (moves o) (shoves o) (placement_liberty o) (captures o) e (opening o) (attack_through o) (shove_after_run o)
    (kick_gaps o) (shove_liberty o).
Definition with_attack_through (o : options) : options :=
  Options (moves o) (shoves o) (placement_liberty o) (captures o) (empty_hand o) (opening o) true (shove_after_run o)
    (kick_gaps o) (shove_liberty o).
Definition without_shove_after_run (o : options) : options :=
  Options (moves o) (shoves o) (placement_liberty o) (captures o) (empty_hand o) (opening o) (attack_through o) false
    (kick_gaps o) (shove_liberty o).
Definition with_last_step (o : options) : options :=
  Options (moves o) (shoves o) (placement_liberty o) (captures o) (empty_hand o) (opening o) (attack_through o)
    (shove_after_run o) LastStep (shove_liberty o).
Definition with_shove_liberty (o : options) : options :=
  Options (moves o) (shoves o) (placement_liberty o) (captures o) (empty_hand o) (opening o) (attack_through o)
    (shove_after_run o) (kick_gaps o) true.
