(** The checker at work inside Coq: claims that it accepts, one for each kind of verdict, and the same with a wrong winner or a wrong
    answer, which it refuses. So the hypothesis of [an_accepted_certificate_is_true] is true of something. *)
From Coq Require Import List ZArith Bool Uint63.
From Pods Require Import Rules ByTheRules.
From Pods Require Check Plans.
Import ListNotations.
Open Scope Z_scope.

(** An oracle that reads its answers from a list, of verdicts with the choice or plan that goes with them. *)
Inductive answer :=
| Goes (k i : nat)                               (* a step of the winner: kind, number of the point *)
| Steps                                          (* a step of the loser *)
| Counts (kinds : list nat) (points : int) (plan : list (nat * nat))
| Mirrors | Leaves | Known (number : int).
Definition reads : Check.oracle (list answer) := Check.Oracle _
  (fun l => l) (fun l => l)
  (fun l _ _ => match l with
    | Goes _ _ :: _ => (l, Check.Step) | Steps :: r => (r, Check.Step) | Counts _ _ _ :: _ => (l, Check.Counting)
    | Mirrors :: r => (r, Check.Mirror) | Leaves :: r => (r, Check.Later) | _ => (l, Check.Shown) end)
  (fun l _ _ => match l with Goes k i :: r => (r, (k, i)) | _ => (l, (9, 9)%nat) end)
  (fun l _ _ _ => (l, true))
  (fun l _ _ _ _ _ => match l with Counts ks ps pl :: r => (r, Plans.Plan ks ps pl) | _ => (l, Plans.Plan [] 0%uint63 []) end)
  (fun l _ => match l with Known n :: r => (r, n) | _ => (l, 99%uint63) end)
  (fun l _ => l).

(** Three points in a row, joined by lines; one kind with short legs to both sides. Nothing may be placed next to a foe. *)
Definition row : board := Board [(0, 0); (1, 0); (2, 0)] [((0, 0), (1, 0)); ((1, 0), (2, 0))].
Definition both_ways : legs := [Leg East Short; Leg West Short].
Definition plays (b : board) : game := Game b [both_ways] standard.
Definition begins (white black : list nat) (x : side) : position := Position [] white black x false.

Example counting_is_accepted : proves (plays row) 3 (begins [0]%nat [] White) White 3 reads [Counts [] 0%uint63 [(0, 0)%nat]] = true.
Proof. vm_compute. reflexivity. Qed.
Example a_step_is_accepted : proves (plays row) 3 (begins [0]%nat [] White) White 3 reads [Goes 0 1] = true.
Proof. vm_compute. reflexivity. Qed.
(** The pod in the middle leaves no point to the foe. *)
Example a_step_and_no_reply : proves (plays row) 3 (begins [0]%nat [0]%nat White) White 3 reads [Goes 0 1] = true.
Proof. vm_compute. reflexivity. Qed.
Example another_step_leaves_a_reply : proves (plays row) 3 (begins [0]%nat [0]%nat White) White 3 reads [Goes 0 0] = false.
Proof. vm_compute. reflexivity. Qed.
Example a_wrong_winner : proves (plays row) 3 (begins [0]%nat [0]%nat White) Black 3 reads [Steps; Steps; Steps; Steps; Steps] = false.
Proof. vm_compute. reflexivity. Qed.
Example a_plan_too_short : proves (plays row) 3 (begins [0; 0]%nat [0]%nat White) White 3 reads [Counts [] 0%uint63 [(0, 1)%nat]] = false.
Proof. vm_compute. reflexivity. Qed.

(** Two rows that no line joins, each the other turned: who is to move loses. *)
Definition two_rows : board := Board [(0, 0); (1, 0); (0, 1); (1, 1)] [((0, 0), (1, 0)); ((0, 1), (1, 1))].
Example the_mirror_is_accepted : proves (plays two_rows) 2 (begins [0]%nat [0]%nat White) Black 4 reads [Mirrors] = true.
Proof. vm_compute. reflexivity. Qed.
(** The same by steps: one placement of four is left to a section of its own. *)
Example sections_are_accepted : proves (plays two_rows) 2 (begins [0]%nat [0]%nat White) Black 4 reads
  [Steps; Leaves; Goes 0 2; Goes 0 0; Goes 0 0; Goes 0 2] = true.
Proof. vm_compute. reflexivity. Qed.
Example a_section_is_missing : proves (plays two_rows) 2 (begins [0]%nat [0]%nat White) Black 4 reads
  [Steps; Leaves; Goes 0 2; Goes 0 0; Goes 0 0] = false.
Proof. vm_compute. reflexivity. Qed.

(** A pod on either point of a row leaves the same to the foe. *)
Example what_is_shown_is_accepted : proves (plays two_rows) 2 (begins [0]%nat [0]%nat White) Black 4 reads
  [Steps; Goes 0 2; Known 0; Goes 0 0; Known 0] = true.
Proof. vm_compute. reflexivity. Qed.
Example another_essence_is_refused : proves (plays two_rows) 2 (begins [0]%nat [0]%nat White) Black 4 reads
  [Steps; Goes 0 2; Known 1; Goes 0 0; Known 0] = false.
Proof. vm_compute. reflexivity. Qed.

Example what_is_proven : exists plies, can_win (plays row) White plies (begins [0]%nat [0]%nat White) = true.
Proof. exact (an_accepted_certificate_is_true _ _ _ _ _ _ _ a_step_and_no_reply). Qed.
