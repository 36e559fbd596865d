(** From a claim to what the checker starts with: kinds and hands as words, and the situation of the claim. [claim_right] checks
    that all of it is as the definitions want it. *)
From Coq Require Import List Arith Lia Bool Uint63.
Import ListNotations.
From Pods Require Import Game Essence Sets Board Seen Check Turned.
Local Open Scope nat_scope.

Definition is_bipod (l : legs) : bool := Nat.eqb (length (filter (fun d => match l d with None => false | _ => true end) all_dirs)) 2.
Definition any_of (B : geo) (l : legs) : oct set := tab (fun d => match l d with None => none | _ => g_all B end).
Definition long_of (B : geo) (l : legs) : oct set := tab (fun d => match l d with Some Long => g_all B | _ => none end).
Definition kd_of (G : game) (B : geo) (k : kind) : kd :=
  let w := lie G White k in let b := lie G Black k in
  Kd k (is_bipod (kind_legs G k)) (code_of w) (code_of b) (leg_list w) (leg_list b) (any_of B w) (any_of B b) (long_of B w) (long_of B b).
Definition same_leg (a b : option len) : bool := match a, b with
  | None, None | Some Short, Some Short | Some Long, Some Long => true | _, _ => false end.
Definition code_right (G : game) (B : geo) (k : kind) : bool :=
  forallb (fun x => forallb (fun d => same_leg (legs_of_code (kd_code (kd_of G B k) x) d) (lie G x k d)) all_dirs) [White; Black].

Fixpoint hand_from (G : game) (B : geo) (k : kind) (l : list nat) : list (kd * nat) := match l with
  | [] => []
  | 0 :: t => hand_from G B (S k) t
  | n :: t => (kd_of G B k, n) :: hand_from G B (S k) t end.

Definition no_half (hd : list (kd * nat)) : half := Half none nothing nothing hd.
Fixpoint sit_with (G : game) (B : geo) (l : list (point * (side * kind))) (s : sit) : option sit := match l with
  | [] => Some s
  | (p, (x, k)) :: t => match sit_with G B t s with
      | None => None
      | Some s' =>
          if is_in p (points G) && negb (meet (or (f_occ (s_white s')) (f_occ (s_black s'))) (one p)) && code_right G B k then
            let f := half_of s' x in let f' := add_half f (one p) (kd_code (kd_of G B k) x) (f_hand f) in
            Some (match x with
              | White => Sit f' (s_black s') (s_mover s') (s_open s')
              | Black => Sit (s_white s') f' (s_mover s') (s_open s') end)
          else None end end.
Definition sit_of (h : header) : option sit :=
  let G := game_of h in let B := geo_of G in
  sit_with G B (h_pods h)
    (Sit (no_half (hand_from G B 0 (h_white h))) (no_half (hand_from G B 0 (h_black h))) (h_mover h) (h_open h)).
Definition claim_right (h : header) : bool :=
  let G := game_of h in let B := geo_of G in
  geo_right G B (h_lines h) &&
  forallb (fun k => code_right G B k) (seq 0 (length (h_white h))) && forallb (fun k => code_right G B k) (seq 0 (length (h_black h))).

(** The checker: the claim, the number of places of the grid (for the mirror; not trusted), an oracle and its memory. *)
Definition check {O : Type} (h : header) (turn : nat) (orc : oracle O) (o : O) : bool :=
  let G := game_of h in let B := geo_of G in
  claim_right h &&
  match sit_of h with
  | None => false
  | Some s0 => accepts G B (h_winner h) turn (turns G B turn) s0 orc o end.
