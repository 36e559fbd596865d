(** The checker: a walk through a certificate, and the theorem that it accepts only what is true.

    The walk asks an oracle for everything that a certificate says: verdicts, choices, covers, plans, and which listed situation
    has the essence of one that is *shown*. The oracle is any function with any memory (O); nothing that it says is trusted. What is
    listed is kept as the placements that lead to it; when an essence is compared, the listed situation is built again and both
    essences are compared whole. *)
From Coq Require Import List Arith Lia Bool Uint63.
Import ListNotations.
From Pods Require Import Game Cover Room Counting Mirror Essence Certificate Sets Board Seen Essences Plans Turned.
Local Open Scope nat_scope.

(** ** What is listed *)

(** The placements and covers that lead to a situation from the start. *)
Inductive hist := Start | Put (h : hist) (k : kd) (p : pt) | Cov (h : hist) (p : pt) (c : code).

(** A list of trees, 1, 3, 7, … entries each; the newest entry has number 0. *)
Inductive tree := Leaf (h : hist) | Node (h : hist) (l r : tree).
Definition table := list (int * tree).
Definition listed_too (h : hist) (t : table) : table := match t with
  | (n, a) :: (m, b) :: r =>
      if PrimInt63.eqb n m then (PrimInt63.add (PrimInt63.add n m) 1%uint63, Node h a b) :: r else (1%uint63, Leaf h) :: t
  | _ => (1%uint63, Leaf h) :: t end.
Fixpoint entry_at (t : tree) (n i : int) : hist := match t with
  | Leaf h => h
  | Node h l r =>
      if PrimInt63.eqb i 0%uint63 then h
      else let m := PrimInt63.lsr n 1%uint63 in
        if PrimInt63.leb i m then entry_at l m (PrimInt63.sub i 1%uint63)
        else entry_at r m (PrimInt63.sub (PrimInt63.sub i 1%uint63) m) end.
Fixpoint nth_listed (t : table) (i : int) : option hist := match t with
  | [] => None
  | (n, a) :: r => if PrimInt63.ltb i n then Some (entry_at a n i) else nth_listed r (PrimInt63.sub i n) end.

(** ** The oracle *)

Inductive verdict_said := Step | Counting | Shown | Later | Mirror.
Record oracle {O : Type} := Oracle {
  begin_section : O -> O;
  end_section : O -> O;
  say_verdict : O -> sit -> list row -> O * verdict_said;       (* here are the choices *)
  say_choice : O -> sit -> list row -> O * (kind * nat);        (* a kind and the number of a point in the list of points *)
  say_cover : O -> sit -> pt -> list kd -> O * bool;
  say_plan : O -> sit -> set -> rooms -> list row -> threats -> O * plan_of;
  say_shown : O -> ess -> O * int;                              (* the number of the listed situation *)
  hear_listed : O -> ess -> O }.
Arguments oracle : clear implicits.

Record acc {O : Type} := Acc { a_o : O; a_tab : table; a_front : list hist; a_back : list hist }.
Arguments acc : clear implicits.

Section Check.
Context (G : game) (B : geo) (X : side) (turn : nat) (can_turn : bool) (s0 : sit).
Context {O : Type} (orc : oracle O).
Notation Y := (other X).

Definition with_o (a : acc O) (o : O) : acc O := Acc _ o (a_tab a) (a_front a) (a_back a).

(** A pod of the mover with these legs comes to the point. *)
Definition add_half (f : half) (p : set) (c : code) (hd : list (kd * nat)) : half := {|
  f_occ := or (f_occ f) p;
  f_any := tab (fun d => if meet c (or (any_bit d) (long_bit d)) then or (get (f_any f) d) p else get (f_any f) d);
  f_long := tab (fun d => if meet c (long_bit d) then or (get (f_long f) d) p else get (f_long f) d);
  f_hand := hd |}.
Definition put_sit (s : sit) (p : set) (c : code) (hd : list (kd * nat)) : sit := match s_mover s with
  | White => Sit (add_half (s_white s) p c hd) (s_black s) Black false
  | Black => Sit (s_white s) (add_half (s_black s) p c hd) White false end.
Definition placed (s : sit) (k : kd) (p : pt) : option sit :=
  match taken (kd_no k) (f_hand (half_of s (s_mover s))) with
  | Some (_, hd) => Some (put_sit s (pt_bit p) (kd_code k (s_mover s)) hd)
  | None => None end.
Definition covered (s : sit) (p : pt) (c : code) : sit := put_sit s (pt_bit p) c (f_hand (half_of s (s_mover s))).
Fixpoint rebuilt (h : hist) : option sit := match h with
  | Start => Some s0
  | Put h k p => match rebuilt h with Some s => placed s k p | None => None end
  | Cov h p c => match rebuilt h with Some s => Some (covered s p c) | None => None end end.

Definition whole_essence (s : sit) : option ess :=
  if s_open s then None else
  let E := empties B s in let pass := pass_set G B E in
  let vw := see B pass (s_black s) in let vb := see B pass (s_white s) in
  match room_of G B E (libs_of B E) vw vb s with
  | Some r => Some (essence_of G B E pass vw vb s r)
  | None => None end.

Fixpoint kinds_at (p : set) (l : list row) : list kd := match l with
  | [] => [] | r :: t => if meet (r_set r) p then r_kd r :: kinds_at p t else kinds_at p t end.
Fixpoint cover_code (x : side) (l : list kd) : code := match l with
  | [] => none | k :: t => or (kd_code k x) (cover_code x t) end.
Fixpoint bipods (l : list row) : list row := match l with
  | [] => [] | r :: t => if kd_bipod (r_kd r) then r :: bipods t else bipods t end.

Section Loops.
Variable go_on : hist -> sit -> acc O -> option (acc O).
Fixpoint each_kind (h : hist) (s : sit) (p : pt) (ks : list kd) (a : acc O) : option (acc O) := match ks with
  | [] => Some a
  | k :: t => match placed s k p with
      | Some s' => match go_on (Put h k p) s' a with Some a' => each_kind h s p t a' | None => None end
      | None => None end end.
Definition at_point (h : hist) (s : sit) (p : pt) (ks : list kd) (a : acc O) : option (acc O) := match ks with
  | [] => Some a
  | [_] => each_kind h s p ks a
  | _ =>
      if empty_hand_wins G then each_kind h s p ks a else
      let (o, yes) := say_cover orc (a_o a) s p ks in
      if (yes : bool) then let c := cover_code (s_mover s) ks in go_on (Cov h p c) (covered s p c) (with_o a o)
      else each_kind h s p ks (with_o a o) end.
Fixpoint each_point (h : hist) (s : sit) (l : list row) (ps : list pt) (a : acc O) : option (acc O) := match ps with
  | [] => Some a
  | p :: t => match at_point h s p (kinds_at (pt_bit p) l) a with Some a' => each_point h s l t a' | None => None end end.
Definition step_on (h : hist) (s : sit) (l : list row) (a : acc O) : option (acc O) :=
  if side_eqb (s_mover s) X then
    let (o, c) := say_choice orc (a_o a) s l in let (k, i) := c : kind * nat in
    match nth_error (g_points B) i, row_of k l with
    | Some p, Some r =>
        if meet (r_set r) (pt_bit p) then
          match placed s (r_kd r) p with Some s' => go_on (Put h (r_kd r) p) s' (with_o a o) | None => None end
        else None
    | _, _ => None end
  else each_point h s l (g_points B) a.
End Loops.

Definition no_pods (f : half) : bool := match f_hand f with [] => true | _ => false end.

(** The verdict on a situation in which the opening clause does not bind; vx is what the mover's placements meet. *)
Definition judge (start : bool) (go_on : hist -> sit -> acc O -> option (acc O)) (h : hist) (s : sit) (E pass : set) (libs : oct set)
    (vx : sight) (l : list row) (vd : verdict_said) (a : acc O) : option (acc O) :=
  let vy := see B pass (half_of s (s_mover s)) in
  let vw := match s_mover s with White => vx | Black => vy end in
  let vb := match s_mover s with White => vy | Black => vx end in
  match room_of G B E libs vw vb s with
  | None => None
  | Some r => match vd with
    | Counting =>
        if empty_hand_wins G then None else
        let first := side_eqb (s_mover s) X in
        let lx := if first then l else legal_rows G E libs vy X (f_hand (half_of s X)) in
        let th := threats_of B X pass (rows r Y) in
        let (o, pl) := say_plan orc (a_o a) s E r lx th in
        if counting_ok G B X E th lx (rows r Y) (f_hand (half_of s X)) first pl then Some (with_o a o) else None
    | Shown =>
        if start then None else
        let e := essence_of G B E pass vw vb s r in
        let (o, i) := say_shown orc (a_o a) e in
        match nth_listed (a_tab a) i with
        | None => None
        | Some h' => match rebuilt h' with
          | None => None
          | Some s' => match whole_essence s' with
            | None => None
            | Some e' => if same_ess e' e then Some (with_o a o) else None end end end
    | Later =>
        if start then None else
        let o := hear_listed orc (a_o a) (essence_of G B E pass vw vb s r) in
        Some (Acc _ o (listed_too h (a_tab a)) (a_front a) (h :: a_back a))
    | Step =>
        let o := hear_listed orc (a_o a) (essence_of G B E pass vw vb s r) in
        step_on go_on h s l (Acc _ o (listed_too h (a_tab a)) (a_front a) (a_back a))
    | Mirror => None end end.

Fixpoint walk (n : nat) (start : bool) (h : hist) (s : sit) (a : acc O) : option (acc O) := match n with
  | 0 => None
  | S n =>
    let x := s_mover s in
    if empty_hand_wins G && (no_pods (s_white s) || no_pods (s_black s)) then
      if side_eqb (if no_pods (half_of s (other x)) then other x else x) X then Some a else None
    else
    let E := empties B s in let pass := pass_set G B E in let libs := libs_of B E in
    let v := see B pass (half_of s (other x)) in
    let l := legal_rows G E libs v x (f_hand (half_of s x)) in
    let l := if s_open s then bipods l else l in
    if match l with [] => side_eqb x Y | _ => false end then Some a else
    let (o, vd) := say_verdict orc (a_o a) s l in
    let a := with_o a o in
    match vd with
    | Mirror =>
        if side_eqb x Y && negb (empty_hand_wins G) && can_turn && is_mirror (mirrored G turn) s then Some a else None
    | _ =>
        if s_open s then match vd with Step => step_on (walk n false) h s l a | _ => None end
        else judge start (walk n false) h s E pass libs v l vd a end end.

(** One section, from the situation that has been left for later longest. *)
Definition section (a : acc O) : option (acc O) :=
  match (match a_front a with [] => rev_append (a_back a) [] | l => l end) with
  | [] => Some a
  | h :: f => match rebuilt h with
      | None => None
      | Some s =>
          match walk 64 true h s (Acc _ (begin_section orc (a_o a)) (a_tab a) f (match a_front a with [] => [] | _ => a_back a end)) with
          | Some a' => Some (with_o a' (end_section orc (a_o a')))
          | None => None end end end.
Definition done (a : acc O) : bool := match a_front a, a_back a with [], [] => true | _, _ => false end.
(** 2^n sections at most *)
Fixpoint sections (n : nat) (a : acc O) : option (acc O) :=
  if done a then Some a else match n with
  | 0 => section a
  | S n => match sections n a with Some a' => sections n a' | None => None end end.
Definition init (o : O) : acc O := Acc _ o [] [Start] [].
Definition accepts (o : O) : bool := match sections 60 (init o) with Some a => done a | None => false end.
End Check.
