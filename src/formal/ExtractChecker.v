(** The checker as OCaml, for [check_proof.ml]: words are native integers of 63 bits ([uint63.ml]). A claim comes as plain data, of
    which [made_game] and [made_position] make a game and a position of Rules.v. *)
From Coq Require Import List ZArith Extraction ExtrOcamlBasic ExtrOCamlInt63.
From Pods Require Import Rules Bridge ByTheRules.
From Pods Require Game Plans Seen Check.
Import ListNotations.

(** A point by column and row, both from 0. *)
Definition made_point (p : nat * nat) : point := (Z.of_nat (fst p), Z.of_nat (snd p)).
Definition made_side (x : Game.side) : side := match x with Game.White => White | Game.Black => Black end.
Definition made_leg (l : Game.dir * Game.len) : leg := Leg
  match fst l with
  | Game.dn => North | Game.dne => NorthEast | Game.de => East | Game.dse => SouthEast
  | Game.ds => South | Game.dsw => SouthWest | Game.dw => West | Game.dnw => NorthWest end
  match snd l with Game.Short => Short | Game.Long => Long end.
Definition made_options (moves_on shoves_on liberty after_moves hand_wins bipod_first through after_run last_step shoves_save : bool) : options :=
  Options moves_on shoves_on liberty (if after_moves then AfterMoves else Never) (if hand_wins then Wins else Loses)
    (if bipod_first then Bipod else Any) through after_run (if last_step then LastStep else EveryStep) shoves_save.
Definition made_game (points : list (nat * nat)) (lines : list ((nat * nat) * (nat * nat))) (kinds : list (list (Game.dir * Game.len)))
    (o : options) : game :=
  Game (Board (map made_point points) (map (fun l => (made_point (fst l), made_point (snd l))) lines)) (map (map made_leg) kinds) o.
Definition made_position (pods : list ((nat * nat) * (Game.side * nat))) (white black : list nat) (mover : Game.side) (opens : bool) : position :=
  Position (map (fun t => (made_point (fst t), Pod (made_side (fst (snd t))) (snd (snd t)))) pods) white black (made_side mover) opens.
Definition made_claim (g : game) (columns : nat) (s : position) (winner : Game.side) := claim_of g columns s (made_side winner).
Definition checked {O : Type} (g : game) (columns : nat) (s : position) (winner : Game.side) (turn : nat) (oracle : Check.oracle O) (memory : O) : bool :=
  proves g columns s (made_side winner) turn oracle memory.

Theorem what_is_checked_is_true {O : Type} g columns s winner turn (oracle : Check.oracle O) memory :
  checked g columns s winner turn oracle memory = true -> exists plies, can_win g (made_side winner) plies s = true.
Proof. apply an_accepted_certificate_is_true. Qed.

Extraction Language OCaml.
Extraction Blacklist List String Int Uint63.
Extraction "checker.ml" checked made_claim made_game made_position made_options Plans.goes Plans.safe_set Plans.keeps Seen.union Seen.empties.
