(** The rules of PODS as definitions, to be read beside RULES.md: a definition for each clause, named by its number. *)
From Coq Require Import List ZArith Bool.
From Pods Require Export Geometry.
Import ListNotations.

(** ** Options and presets *)

Inductive captures_value := EveryTurn | AfterMoves | Never.
Inductive empty_hand_value := Loses | Wins.
Inductive opening_value := Bipod | Any.
Inductive kick_gaps_value := EveryStep | LastStep.

Record options := Options {
  moves : bool;
  shoves : bool;
  placement_liberty : bool;
  captures : captures_value;
  empty_hand : empty_hand_value;
  opening : opening_value;
  attack_through : bool;
  shove_after_run : bool;
  kick_gaps : kick_gaps_value;
  shove_liberty : bool }.

Definition preset moves shoves placement_liberty captures empty_hand : options :=
  Options moves shoves placement_liberty captures empty_hand Bipod false true EveryStep false.

Definition standard        := preset false false true  Never      Loses.
Definition basic_author    := preset false false true  Never      Wins.
Definition advanced        := preset true  false false EveryTurn  Wins.
Definition advanced_dutch  := preset true  false true  EveryTurn  Wins.
Definition advanced_author := preset true  false true  AfterMoves Wins.
Definition very_advanced   := preset true  true  true  AfterMoves Wins.

(** ** Games and positions *)

(** A board as it lies (R2), the legs of each kind of pod (R3), and the options. *)
Record game := Game { the_board : board; kinds : list legs; the_options : options }.

Record pod := Pod { owner : side; its_kind : kind }.
Definition pods := list (point * pod).

Record position := Position {
  on_points : pods;               (* the pods on the board, with their points *)
  white_hand : hand_of_pods;
  black_hand : hand_of_pods;
  to_move : side;
  is_open : bool }.               (* R32: the restricted first action is still to come *)

Definition hand (s : position) (x : side) : hand_of_pods := match x with White => white_hand s | Black => black_hand s end.

Fixpoint pod_at (ps : pods) (p : point) : option pod :=
  match ps with [] => None | (q, x) :: rest => if same_point p q then Some x else pod_at rest p end.
Definition is_empty (ps : pods) (p : point) : bool := match pod_at ps p with None => true | Some _ => false end.
Definition lifted (ps : pods) (p : point) : pods := filter (fun there => negb (same_point p (fst there))) ps.
Definition put (ps : pods) (p : point) (x : pod) : pods := (p, x) :: lifted ps p.
(** A pod leaves [p] for [q]. *)
Definition carried (ps : pods) (p q : point) (x : pod) : pods := put (lifted ps p) q x.

Section Clauses.
Variable G : game.
Let B := the_board G.
Let rules := the_options G.

Definition legs_of_kind (k : kind) : legs := nth k (kinds G) [].
Definition legs_of (x : pod) : legs := lying (owner x) (legs_of_kind (its_kind x)).

(** ** R5 reach of a leg *)

(** The points in the direction of a leg: a short leg gets to the connected neighbour only, a long one along the line. *)
Definition way (l : leg) (p : point) : list point :=
  match size l with Short => firstn 1 (line_from B (towards l) p) | Long => line_from B (towards l) p end.

(** "as far as the first occupied one, which it still reaches" *)
Fixpoint to_first_occupied (ps : pods) (w : list point) : list point :=
  match w with [] => [] | q :: rest => if is_empty ps q then q :: to_first_occupied ps rest else [q] end.

Definition R5_reach (ps : pods) (p : point) (l : leg) : list point :=
  if attack_through rules then way l p else to_first_occupied ps (way l p).

(** ** R6 attack *)
Definition R6_attacks (ps : pods) (p : point) (x : pod) (q : point) : bool :=
  existsb (fun l => is_among q (R5_reach ps p l)) (legs_of x).

(** ** R7 liberty *)
Definition gives_liberty (ps : pods) (p : point) (l : leg) : bool :=
  match connected B (towards l) p with Some q => is_empty ps q | None => false end.
Definition R7_has_liberty (ps : pods) (p : point) (x : pod) : bool := existsb (gives_liberty ps p) (legs_of x).
Definition R7_is_blocked (ps : pods) (p : point) (x : pod) : bool := negb (R7_has_liberty ps p x).

(** ** Actions *)
Inductive action :=
| Place (k : kind) (p : point)                        (* b@c3 *)
| Move (p q : point)                                  (* c3-c5 *)
| Shove (d : direction) (p q : point)                 (* c3>c5: the pod on p goes to q, what stands there is pushed on *)
| Kick (d : direction) (p q : point) (n : nat).       (* c3>c4+2: the pod on p goes to q, the pod there slides on by n *)

(** ** R9 the opening places a bipod *)
Definition R9_allows (s : position) (a : action) : bool :=
  match a with Place k _ => negb (is_open s) || is_bipod (legs_of_kind k) | _ => negb (is_open s) end.

(** ** R10 a placement goes from hand to an empty point *)
Definition R10_can_put (s : position) (k : kind) (p : point) : bool :=
  in_hand k (hand s (to_move s)) && on_board B p && is_empty (on_points s) p.

(** ** R11 a placed pod may not attack *)
Definition R11_attacks_nobody (s : position) (k : kind) (p : point) : bool :=
  forallb (fun there => negb (same_side (owner (snd there)) (other (to_move s)) &&
                              R6_attacks (on_points s) p (Pod (to_move s) k) (fst there))) (on_points s).

(** ** R12 a placed pod may not be attacked *)
Definition R12_not_attacked (s : position) (p : point) : bool :=
  forallb (fun there => negb (same_side (owner (snd there)) (other (to_move s)) &&
                              R6_attacks (on_points s) (fst there) (snd there) p)) (on_points s).

(** ** R13 a placed pod needs a liberty *)
Definition R13_liberty (s : position) (k : kind) (p : point) : bool :=
  negb (placement_liberty rules) || R7_has_liberty (on_points s) p (Pod (to_move s) k).

Definition may_place (s : position) (k : kind) (p : point) : bool :=
  R10_can_put s k p && R11_attacks_nobody s k p && R12_not_attacked s p && R13_liberty s k p.

(** All placements; pods of the same kind are not told apart. *)
Definition placements (s : position) : list action :=
  flat_map (fun k => map (Place k) (filter (may_place s k) (points B))) (seq 0 (length (kinds G))).

(** ** R17 moves *)
Fixpoint run_of_empty_points (ps : pods) (w : list point) : list point :=
  match w with [] => [] | q :: rest => if is_empty ps q then q :: run_of_empty_points ps rest else [] end.
Definition R17_moves (ps : pods) (p : point) (l : leg) : list action :=
  map (Move p) (run_of_empty_points ps (way l p)).

(** ** R22 shoves *)

(** The pods after what stands on [q] is pushed one point further, along the chain; [None] where a step lacks its point or its
    line. A chain has no more pods than the board has points. *)
Fixpoint R22_pushed (ps : pods) (d : direction) (pods_left : nat) (q : point) : option pods :=
  match pod_at ps q with
  | None => Some ps
  | Some x =>
      match pods_left, connected B d q with
      | S fewer, Some r => match R22_pushed ps d fewer r with Some after => Some (carried after q r x) | None => None end
      | _, _ => None
      end
  end.
Definition pushed (ps : pods) (d : direction) (q : point) : option pods := R22_pushed ps d (length (points B)) q.

(** ** R23 a long leg may run, then shove *)
Fixpoint first_occupied (ps : pods) (w : list point) : option point :=
  match w with [] => None | q :: rest => if is_empty ps q then first_occupied ps rest else Some q end.
Definition R23_meets (ps : pods) (p : point) (l : leg) : option point :=
  first_occupied ps (if shove_after_run rules then way l p else firstn 1 (way l p)).
Definition shoves_of (ps : pods) (p : point) (l : leg) : list action :=
  match R23_meets ps p l with
  | Some q => match pushed ps (towards l) q with Some _ => [Shove (towards l) p q] | None => [] end
  | None => []
  end.

(** ** R24 kicks *)

(** The point where a pod that slides from [q] by [n] points comes to rest: all points on the way exist and are empty. Steps
    need no lines, or, under [kick-gaps=last-step], all but the last need them. *)
Fixpoint R24_slide (ps : pods) (d : direction) (n : nat) (q : point) : option point :=
  match n with
  | O => Some q
  | S further =>
      match neighbour B d q with
      | Some r =>
          let line_needed := match kick_gaps rules, further with LastStep, S _ => true | _, _ => false end in
          if is_empty ps r && (negb line_needed || joined B q r) then R24_slide ps d further r else None
      | None => None
      end
  end.

(** ** R25 a kick that is the same as a shove *)
Definition R25_is_shove (d : direction) (q : point) (n : nat) : bool :=
  Nat.eqb n 1 && match connected B d q with Some _ => true | None => false end.

Definition can_kick (ps : pods) (d : direction) (q : point) (n : nat) : bool :=
  match R24_slide ps d n q with Some _ => negb (R25_is_shove d q n) | None => false end.
Definition kicks_of (ps : pods) (p : point) (l : leg) : list action :=
  match size l, connected B (towards l) p with
  | Long, Some q =>
      if is_empty ps q then []
      else map (Kick (towards l) p q) (filter (can_kick ps (towards l) q) (seq 1 (length (points B))))
  | _, _ => []
  end.

(** ** R14 the Standard game only places; R26 placements neither shove nor kick; R28 shoves and kicks are actions *)
Definition actions_of_leg (ps : pods) (p : point) (l : leg) : list action :=
  R17_moves ps p l ++ if shoves rules then shoves_of ps p l ++ kicks_of ps p l else [].
Definition actions_of_pod (ps : pods) (there : point * pod) : list action :=
  flat_map (actions_of_leg ps (fst there)) (legs_of (snd there)).
Definition actions_on_board (s : position) : list action :=
  if moves rules
  then flat_map (actions_of_pod (on_points s)) (filter (fun there => same_side (owner (snd there)) (to_move s)) (on_points s))
  else [].
Definition what_can_be_done (s : position) : list action := filter (R9_allows s) (placements s ++ actions_on_board s).

(** ** R18 captures; R27 captures after shoves and kicks *)
Definition captures_follow (a : action) : bool :=
  match captures rules, a with
  | EveryTurn, _ => true
  | AfterMoves, Place _ _ => false
  | AfterMoves, _ => true
  | Never, _ => false
  end.

(** Under [shove-liberty=on] a pod is safe that could leave its point by a shove or kick of its own. *)
Definition R27_is_safe (ps : pods) (p : point) (x : pod) : bool :=
  moves rules && shoves rules && shove_liberty rules &&
  existsb (fun l => match shoves_of ps p l ++ kicks_of ps p l with [] => false | _ => true end) (legs_of x).

(** All are judged on the board as the action left it. *)
Definition R18_is_captured (ps : pods) (there : point * pod) : bool :=
  R7_is_blocked ps (fst there) (snd there) && negb (R27_is_safe ps (fst there) (snd there)).
Definition captured (ps : pods) : pods := filter (R18_is_captured ps) ps.
Definition left_on_board (ps : pods) : pods := filter (fun there => negb (R18_is_captured ps there)) ps.
Definition kinds_of (x : side) (ps : pods) : list kind :=
  map (fun there => its_kind (snd there)) (filter (fun there => same_side (owner (snd there)) x) ps).

(** ** Turns *)

(** The pods on the board after the action, before captures. *)
Definition pods_after (s : position) (a : action) : pods :=
  let ps := on_points s in
  let acts p q board_then := match pod_at ps p with Some x => carried board_then p q x | None => board_then end in
  match a with
  | Place k p => put ps p (Pod (to_move s) k)
  | Move p q => acts p q ps
  | Shove d p q => match pushed ps d q with Some after => acts p q after | None => ps end
  | Kick d p q n =>
      match pod_at ps q, R24_slide ps d n q with
      | Some kicked, Some r => acts p q (carried ps q r kicked)
      | _, _ => ps
      end
  end.

Definition taken_off (s : position) (a : action) : pods :=
  if captures_follow a then captured (pods_after s a) else [].
(** "the mover's own return to the mover's hand, the opponent's leave the game for good" *)
Definition returned (s : position) (a : action) : list kind := kinds_of (to_move s) (taken_off s a).
Definition removed (s : position) (a : action) : list kind := kinds_of (other (to_move s)) (taken_off s a).

Definition hand_after (s : position) (a : action) : hand_of_pods :=
  let mine := hand s (to_move s) in
  fold_right put_into (match a with Place k _ => taken_from k mine | _ => mine end) (returned s a).

(** R8: the players take turns. *)
Definition after (s : position) (a : action) : position :=
  let ps := pods_after s a in
  let mine := hand_after s a in
  Position (if captures_follow a then left_on_board ps else ps)
    (match to_move s with White => mine | Black => white_hand s end)
    (match to_move s with White => black_hand s | Black => mine end)
    (other (to_move s)) false.

(** ** Ends *)
Definition has_empty_hand (s : position) (x : side) : bool := match hand s x with [] => true | _ => false end.

(** ** R16 what an empty hand means; R19 an emptied hand wins; R30 empty hands in a set position *)

(** Who has just acted is the player not to move, and is asked first. *)
Definition R30_winner (s : position) : option side :=
  match empty_hand rules with
  | Wins =>
      if has_empty_hand s (other (to_move s)) then Some (other (to_move s))
      else if has_empty_hand s (to_move s) then Some (to_move s) else None
  | Loses => None
  end.

(** A game that is over has no actions. *)
Definition legal_actions (s : position) : list action :=
  match R30_winner s with Some _ => [] | None => what_can_be_done s end.

(** ** R15 who cannot place loses; R20 who cannot act loses *)
Definition winner (s : position) : option side :=
  match R30_winner s with
  | Some x => Some x
  | None => match what_can_be_done s with [] => Some (other (to_move s)) | _ => None end
  end.

(** ** R29 a position is consistent; R31 blocked pods in a set position *)

(** Each pod stands alone on a point of the board and has a kind, and so has each pod in hand. How many there are of a kind is a
    matter of the setup. Blocked pods may be set up. *)
Definition is_kind (k : kind) : bool := Nat.ltb k (length (kinds G)).
Definition R29_is_consistent (s : position) : bool :=
  all_different (map fst (on_points s)) &&
  forallb (fun there => on_board B (fst there) && is_kind (its_kind (snd there))) (on_points s) &&
  forallb is_kind (white_hand s) && forallb is_kind (black_hand s).

(** ** R32 the opening flag *)
Definition has_bipod (h : hand_of_pods) : bool := existsb (fun k => is_bipod (legs_of_kind k)) h.
Definition R32_may_be_open (s : position) : bool :=
  negb (is_open s) || match opening rules with Bipod => has_bipod (hand s (to_move s)) | Any => false end.

(** ** R8 White first; R34: or Black, whom R9 then binds *)
Definition start (x : side) (white black : hand_of_pods) : position :=
  Position [] white black x (match opening rules with Bipod => true | Any => false end).

(** The number of sequences of actions of a given length. *)
Fixpoint perft (depth : nat) (s : position) : N :=
  match depth with
  | O => 1%N
  | S fewer => fold_right (fun a sum => (perft fewer (after s a) + sum)%N) 0%N (legal_actions s)
  end.

(** ** R33 values and distances; R21 endless play is a draw *)

(** [x] can force an end in its favour within [n] plies. *)
Fixpoint can_win (x : side) (n : nat) (s : position) : bool :=
  match winner s with
  | Some y => same_side x y
  | None =>
      match n with
      | O => false
      | S fewer =>
          if same_side x (to_move s) then existsb (fun a => can_win x fewer (after s a)) (legal_actions s)
          else forallb (fun a => can_win x fewer (after s a)) (legal_actions s)
      end
  end.

Inductive value := Win (plies : nat) | Loss (plies : nat) | Draw.
Definition can_win_at_last (x : side) (n : nat) (s : position) : Prop :=
  can_win x n s = true /\ forall m, (m < n)%nat -> can_win x m s = false.
Definition R33_has_value (s : position) (v : value) : Prop :=
  match v with
  | Win n => can_win_at_last (to_move s) n s
  | Loss n => can_win_at_last (other (to_move s)) n s
  | Draw => forall x n, can_win x n s = false
  end.

End Clauses.
