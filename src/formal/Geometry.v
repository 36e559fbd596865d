(** The material: boards, directions, legs and pods (R1 to R4). *)
From Coq Require Import List ZArith Bool.
Import ListNotations.
Local Open Scope Z_scope.

(** ** R1 points and lines *)

(** A point is a place of the square grid: its column, counted from White's left, and its row, counted from White's side. *)
Definition point : Type := Z * Z.
Definition same_point (p q : point) : bool := (fst p =? fst q) && (snd p =? snd q).
Definition is_among (p : point) (l : list point) : bool := existsb (same_point p) l.

Inductive direction := North | NorthEast | East | SouthEast | South | SouthWest | West | NorthWest.
Definition directions := [North; NorthEast; East; SouthEast; South; SouthWest; West; NorthWest].

(** The place next to [p] in a direction, whether or not the board has a point there. *)
Definition step (d : direction) (p : point) : point :=
  let (x, y) := p in
  match d with
  | North => (x, y + 1) | NorthEast => (x + 1, y + 1) | East => (x + 1, y) | SouthEast => (x + 1, y - 1)
  | South => (x, y - 1) | SouthWest => (x - 1, y - 1) | West => (x - 1, y) | NorthWest => (x - 1, y + 1)
  end.

(** The board is a set of points; some neighbours are joined by lines. A line is written once, with its two ends. *)
Record board := Board { points : list point; lines : list (point * point) }.

Definition on_board (b : board) (p : point) : bool := is_among p (points b).
Definition line_joins (p q : point) (line : point * point) : bool :=
  same_point p (fst line) && same_point q (snd line).

(** "a line can be used from both ends" *)
Definition joined (b : board) (p q : point) : bool :=
  existsb (fun line => line_joins p q line || line_joins q p line) (lines b).

(** The neighbour in a direction, joined by a line or not; none off the board and in a hole. *)
Definition neighbour (b : board) (d : direction) (p : point) : option point :=
  let q := step d p in if on_board b p && on_board b q then Some q else None.

(** The connected neighbour in a direction: a line joins it. *)
Definition connected (b : board) (d : direction) (p : point) : option point :=
  match neighbour b d p with
  | Some q => if joined b p q then Some q else None
  | None => None
  end.

(** The straight connected line from [p] in a direction: all its points behind [p], up to the first missing line. It cannot
    have more points than the board, which bounds the count of steps. *)
Fixpoint straight (b : board) (d : direction) (steps : nat) (p : point) : list point :=
  match steps with
  | O => []
  | S fewer => match connected b d p with Some q => q :: straight b d fewer q | None => [] end
  end.
Definition line_from (b : board) (d : direction) (p : point) : list point := straight b d (length (points b)) p.

(** Each point is named once, and lines join neighbouring points of the board. *)
Fixpoint all_different (l : list point) : bool :=
  match l with [] => true | p :: rest => negb (is_among p rest) && all_different rest end.
Definition are_neighbours (p q : point) : bool := existsb (fun d => same_point (step d p) q) directions.
Definition is_board (b : board) : bool :=
  all_different (points b) &&
  forallb (fun line => on_board b (fst line) && on_board b (snd line) && are_neighbours (fst line) (snd line)) (lines b).

(** ** R2 orientation of the board *)

(** Turning by 90 degrees clockwise, as White sees it, brings north to east. Only the places of points in relation to each
    other matter, so the turn is one about the corner; turning by 180 degrees is this done twice. *)
Definition quarter_turn (p : point) : point := let (x, y) := p in (y, - x).
Definition half_turn (p : point) : point := let (x, y) := p in (- x, - y).
Definition turned_by (turn : point -> point) (b : board) : board :=
  Board (map turn (points b)) (map (fun line => (turn (fst line), turn (snd line))) (lines b)).

(** ** R3 pods and hands *)

Inductive reach_of_leg := Short | Long.
Record leg := Leg { towards : direction; size : reach_of_leg }.
Definition legs := list leg.

Definition same_direction (d e : direction) : bool := same_point (step d (0, 0)) (step e (0, 0)).
(** "one to eight legs, no two in the same direction" *)
Fixpoint no_two_alike (l : legs) : bool :=
  match l with
  | [] => true
  | one :: rest => negb (existsb (fun other => same_direction (towards one) (towards other)) rest) && no_two_alike rest
  end.
Definition are_legs (l : legs) : bool := negb (Nat.eqb (length l) 0) && no_two_alike l.
Definition is_bipod (l : legs) : bool := Nat.eqb (length l) 2.

(** The kinds of pods of a game are numbered from 0; a hand lists the kinds of its pods, in order, a kind as often as there are
    pods of it. *)
Definition kind := nat.
Definition hand_of_pods := list kind.
Definition in_hand (k : kind) (h : hand_of_pods) : bool := existsb (Nat.eqb k) h.
Fixpoint taken_from (k : kind) (h : hand_of_pods) : hand_of_pods :=
  match h with [] => [] | j :: rest => if Nat.eqb k j then rest else j :: taken_from k rest end.
Fixpoint put_into (k : kind) (h : hand_of_pods) : hand_of_pods :=
  match h with [] => [k] | j :: rest => if Nat.leb k j then k :: h else j :: put_into k rest end.

(** ** R4 pods face their owners *)

Inductive side := White | Black.
Definition other (x : side) : side := match x with White => Black | Black => White end.
Definition same_side (x y : side) : bool := match x, y with White, White | Black, Black => true | _, _ => false end.

Definition opposite (d : direction) : direction :=
  match d with
  | North => South | NorthEast => SouthWest | East => West | SouthEast => NorthWest
  | South => North | SouthWest => NorthEast | West => East | NorthWest => SouthEast
  end.
Definition turned_leg (l : leg) : leg := Leg (opposite (towards l)) (size l).

(** Legs as they lie on the board: those of Black's pods are turned by 180 degrees. *)
Definition lying (x : side) (l : legs) : legs := match x with White => l | Black => map turned_leg l end.
