(** No theorem about the rules is empty: each that has hypotheses is applied here to a position in which they hold. *)
From Coq Require Import List ZArith Bool Lia Permutation Sorted.
From Pods Require Import Rules Facts Placements Actions Captures Positions Traps Ends Turning Sides Bridge MirrorGame Values Table.
From Pods Require Game.
Import ListNotations.

Ltac holds := first [settle | vm_compute; intuition congruence].

(** ** Placements.v *)

(** White's hand has a pod for b1, next to which stands a black pod that looks away. *)
Definition beside_a_foe := Position [(a1, black bipod)] [bipod] [bipod] White false.
Example R5_neighbour_is_reached_here : In b1 (R5_reach (on row advanced) [(a1, black far_w)] a1 (long East)).
Proof. apply R5_neighbour_is_reached. holds. Qed.
Example more_pods_give_no_more_reach_here :
  In b1 (R5_reach (on row advanced) [(b1, white bipod)] a1 (long East)) -> In b1 (R5_reach (on row advanced) [] a1 (long East)).
Proof. apply more_pods_give_no_more_reach. intros p x H. discriminate H. Qed.
Example a_placement_gives_no_leg_more_reach_here :
  let s := Position [] [bipod] [bipod] White false in
  In b1 (R5_reach (on row standard) (pods_after (on row standard) s (Place bipod b1)) a1 (long East)) /\
  In b1 (R5_reach (on row standard) (on_points s) a1 (long East)).
Proof.
  split; [holds|]. apply a_placement_gives_no_leg_more_reach with (k := bipod) (p := b1); [reflexivity|holds].
Qed.
Example attack_through_never_changes_reach_here :
  R5_reach (on row (with_attack_through standard)) [(b1, white bipod)] a1 (long East) =
  R5_reach (on row (with_attack_through standard)) [] a1 (long East).
Proof. apply attack_through_never_changes_reach. reflexivity. Qed.
Example fewer_pods_keep_liberties_here : R7_has_liberty (on row standard) [] a1 (white bipod) = true.
Proof. apply fewer_pods_keep_liberties with (ps := [(c1, white bipod)]); [intros p x H; discriminate H|reflexivity]. Qed.
Definition trap_1_foe := Position [(a1, black to_w)] [to_e] [bipod] White false.
Example trap_1_no_foe_loses_its_last_liberty_here :
  R7_has_liberty (on row standard) (pods_after (on row standard) trap_1_foe (Place to_e d1)) a1 (black to_w) = true.
Proof. apply trap_1_no_foe_loses_its_last_liberty; holds. Qed.
Definition foe_set_up_blocked := Position [(c1, black bipod)] [bipod] [bipod] White false.
Example trap_1_only_foes_set_up_blocked_are_removed_here :
  R7_is_blocked (on row_in_parts advanced) (on_points foe_set_up_blocked) c1 (black bipod) = true.
Proof. apply trap_1_only_foes_set_up_blocked_are_removed with (k := bipod) (p := a1); holds. Qed.
Example placements_capture_only_every_turn_here :
  taken_off (on row_in_parts very_advanced) foe_set_up_blocked (Place bipod a1) = [].
Proof. apply placements_capture_only_every_turn. discriminate. Qed.
Example a_placed_pod_with_a_liberty_stays_here :
  ~ In (a1, white bipod) (taken_off (on row_in_parts advanced_dutch) foe_set_up_blocked (Place bipod a1)).
Proof. apply a_placed_pod_with_a_liberty_stays; holds. Qed.
Example a_pod_placed_blocked_comes_off_here :
  In (c1, white bipod) (taken_off (on row_in_parts advanced) (Position [] [bipod] [bipod] White false) (Place bipod c1)).
Proof. apply (a_pod_placed_blocked_comes_off (on row_in_parts advanced) (Position [] [bipod] [bipod] White false) bipod c1); reflexivity. Qed.
Example presets_without_captures_after_placements_here :
  taken_off (on row advanced_author) beside_a_foe (Place bipod b1) = [].
Proof. apply presets_without_captures_after_placements. simpl. auto. Qed.
Example advanced_dutch_keeps_the_placed_pod_here :
  ~ In (a1, white bipod) (taken_off (on row_in_parts advanced_dutch) foe_set_up_blocked (Place bipod a1)).
Proof. apply advanced_dutch_keeps_the_placed_pod; holds. Qed.

(** ** Actions.v and Captures.v *)

(** Two pods that block each other, and a move after which both go. *)
Definition trap_2_position := Position trap_2_pods [bipod] [bipod] White false.
Example play_keeps_consistent_here :
  R29_is_consistent (on row_in_parts advanced) (after (on row_in_parts advanced) trap_2_position (Move d1 e1)) = true.
Proof. apply play_keeps_consistent; holds. Qed.
Example pods_are_neither_made_nor_lost_here :
  let G := on row_in_parts advanced in
  let t := after G trap_2_position (Move d1 e1) in
  (standing (on_points trap_2_position) Black to_e + count (hand trap_2_position Black) to_e =
   standing (on_points t) Black to_e + count (hand t Black) to_e + count (removed G trap_2_position (Move d1 e1)) to_e)%nat.
Proof. apply (pods_are_neither_made_nor_lost (on row_in_parts advanced) trap_2_position (Move d1 e1) Black to_e); holds. Qed.
Example fewer_pods_capture_no_more_here :
  R18_is_captured (on row advanced) [] (a1, white bipod) = false.
Proof. apply fewer_pods_capture_no_more with (ps := [(c1, white bipod)]); [intros p x H; discriminate H|reflexivity]. Qed.
Example captures_depend_on_the_board_only_here :
  let ps := [(a1, white to_e); (b1, black to_e)] in
  R18_is_captured (on row advanced) ps (a1, white to_e) = R18_is_captured (on row advanced) (rev ps) (a1, white to_e).
Proof.
  apply captures_depend_on_the_board_only. intro p. simpl. destruct (same_point_spec p a1) as [->|]; [reflexivity|].
  now destruct (same_point p b1).
Qed.
Example one_wave_suffices_here :
  captured (on row_in_parts advanced) trap_2_pods <> [] /\
  captured (on row_in_parts advanced) (left_on_board (on row_in_parts advanced) trap_2_pods) = [].
Proof. split; [discriminate|]. apply one_wave_suffices. apply all_different_NoDup. reflexivity. Qed.
Example after_captures_nobody_is_blocked_here :
  let G := on row_in_parts advanced in
  R7_is_blocked G (on_points (after G trap_2_position (Move d1 e1))) e1 (white bipod) = false.
Proof. apply after_captures_nobody_is_blocked; holds. Qed.
Example what_a_self_capture_returns_here :
  let G := on row_in_parts advanced in
  (count (hand (after G trap_1_position (Place bipod b1)) White) to_e + count [bipod] to_e =
   count (hand trap_1_position White) to_e + count (kinds_of White (taken_off G trap_1_position (Place bipod b1))) to_e)%nat.
Proof. apply (what_a_self_capture_returns (on row_in_parts advanced) trap_1_position (Place bipod b1) to_e). holds. Qed.
Example a_placement_captured_alone_is_a_pass_here :
  after (on row_in_parts advanced) (Position [] [bipod; to_e] [bipod] White false) (Place bipod c1) =
  Position [] [bipod; to_e] [bipod] Black false.
Proof.
  apply (a_placement_captured_alone_is_a_pass (on row_in_parts advanced) (Position [] [bipod; to_e] [bipod] White false)).
  - repeat constructor.
  - reflexivity.
  - holds.
  - reflexivity.
Qed.
Example R25_the_same_as_the_shove_here :
  let s := Position [(a1, white far_e); (b1, black bipod)] [bipod] [bipod] White false in
  pods_after (on row very_advanced) s (Kick East a1 b1 1) = pods_after (on row very_advanced) s (Shove East a1 b1).
Proof. apply R25_the_same_as_the_shove with (r := c1); reflexivity. Qed.

(** ** Ends.v *)

Example R20_who_cannot_act_loses_here :
  winner (on row standard) (Position [] [to_n] [bipod] White false) = Some Black.
Proof. apply (R20_who_cannot_act_loses (on row standard) (Position [] [to_n] [bipod] White false)); reflexivity. Qed.
Example R28_shoves_and_kicks_are_actions_here :
  winner (on row very_advanced) (Position [(a1, white far_e); (b1, black bipod)] [to_n] [bipod] White false) = None.
Proof. apply R28_shoves_and_kicks_are_actions with (a := Kick East a1 b1 3). holds. Qed.
Definition last_pod := Position [(e1, black to_n)] [bipod] [bipod] White false.
Example R19_an_emptied_hand_wins_here :
  winner (on row advanced_dutch) (after (on row advanced_dutch) last_pod (Place bipod a1)) = Some White.
Proof. apply (R19_an_emptied_hand_wins (on row advanced_dutch) last_pod); reflexivity. Qed.
Example R19_only_a_placement_empties_a_hand_here :
  returned (on row advanced_dutch) last_pod (Place bipod a1) = [].
Proof.
  apply (R19_only_a_placement_empties_a_hand (on row advanced_dutch) last_pod (Place bipod a1) White); [holds|discriminate|reflexivity].
Qed.
Example R30_the_second_question_is_for_set_positions_here :
  hand (after (on row advanced_dutch) last_pod (Place bipod a1)) Black <> [].
Proof. apply (R30_the_second_question_is_for_set_positions (on row advanced_dutch) last_pod); [reflexivity|holds]. Qed.
Example R16_who_has_placed_all_loses_here : winner (on row standard) (Position [] [] [bipod] White false) = Some Black.
Proof. apply (R16_who_has_placed_all_loses (on row standard) (Position [] [] [bipod] White false)); reflexivity. Qed.
Example R9_the_opening_is_a_bipod_here : exists k p,
  Place bipod a1 = Place k p /\ is_bipod (legs_of_kind (on row standard) k) = true.
Proof. apply R9_the_opening_is_a_bipod with (s := start (on row standard) White [bipod] [bipod]); [reflexivity|holds]. Qed.
Example R14_placement_games_end_here : perft (on row standard) 6 (start (on row standard) White [bipod] [bipod]) = 0%N.
Proof. apply R14_placement_games_end; try reflexivity; try discriminate. vm_compute. lia. Qed.
Example R14_placement_games_are_decided_here :
  exists x, can_win (on row standard) x 5 (start (on row standard) White [bipod] [bipod]) = true.
Proof. apply R14_placement_games_are_decided; try reflexivity; try discriminate. Qed.
Example the_standard_game_ends_here : exists y, can_win (on row standard) y 5 (start (on row standard) White [bipod] [bipod]) = true.
Proof. apply (the_standard_game_ends (on row standard)); [simpl; auto|reflexivity|reflexivity]. Qed.
(** Each side alone can win somewhere; R33_not_both_can_win says that they cannot in the same position. *)
Example R33_each_can_win_somewhere :
  can_win (on row standard) Black 0 (Position [] [to_n] [bipod] White false) = true /\
  can_win (on row standard) White 0 (Position [] [bipod] [to_n] Black false) = true.
Proof. holds. Qed.

(** ** Turning.v and Sides.v: the theorems on renaming are applied in Sides.v *)

(** Shows that a line of one board is a line of the other: by going through the lines of both. *)
Ltac check_line := simpl; rewrite ?orb_true_iff, ?andb_true_iff, ?Z.eqb_eq; lia.
Ltac find_line := first
  [ eexists; split; [left; reflexivity|check_line] | eexists; split; [right; left; reflexivity|check_line]
  | eexists; split; [right; right; left; reflexivity|check_line]
  | eexists; split; [right; right; right; left; reflexivity|check_line] ].
Ltac same_lines := intros [x y] [z w]; apply eq_true_iff_eq; unfold joined; rewrite !existsb_exists;
  unfold line_joins, same_point; simpl;
  split; intros [[p q] [I E]]; simpl in I; repeat destruct I as [I|I]; try tauto; injection I; intros; subst; simpl in E;
  rewrite !orb_true_iff, !andb_true_iff, !Z.eqb_eq in E; find_line.

(** The row turned by 180 degrees is the row, four points to the left. *)
Example trap_12_a_symmetric_board_turned_is_the_same_game_here :
  the_same_game (on row standard) (Game (turned_by half_turn row) some_kinds standard) (shifted (-4, 0)%Z) (fun d => d) false.
Proof.
  apply (trap_12_a_symmetric_board_turned_is_the_same_game (on row standard)). split; [|same_lines].
  change (Permutation (rev (map (shifted (-4, 0)%Z) (points row))) (map (shifted (-4, 0)%Z) (points row))).
  apply Permutation_sym, Permutation_rev.
Qed.

(** A column with a point to its right is, turned by 180 degrees, what a mirror shows, and so is the pod with legs to the w and e. *)
Definition side_branch : board := Board [a1; a2; a3; b2] [(a1, a2); (a2, a3); (a2, b2)].
Example trap_12_board_and_hands_together_here :
  let G := Game side_branch [[short West; short East]; [short North]] standard in
  the_same_game G (Game (turned_by half_turn side_branch) (kinds G) standard) (fun p => shifted (0, -2)%Z (mirror p)) mirrored false.
Proof.
  apply (trap_12_board_and_hands_together (Game side_branch [[short West; short East]; [short North]] standard)).
  - split; [|same_lines]. change (Permutation (rev (map half_turn [a3; a2; a1]) ++ map half_turn [b2]) (map half_turn [a3; a2; a1] ++ map half_turn [b2])).
    apply Permutation_app_tail, Permutation_sym, Permutation_rev.
  - intros l [<-|[<-|[]]]; simpl; [apply perm_swap|apply Permutation_refl].
Qed.
Example trap_12_pods_that_look_the_same_turned_here :
  let G := Game side_branch [[short West; short East]; [short North; short South]] standard in
  the_same_game G (Game (turned_by half_turn side_branch) (kinds G) standard) half_turn opposite false.
Proof.
  apply (trap_12_pods_that_look_the_same_turned (Game side_branch [[short West; short East]; [short North; short South]] standard)).
  intros l [<-|[<-|[]]]; apply perm_swap.
Qed.

(** ** Bridge.v *)

Example placement_games_are_those_of_the_rules_here :
  let s := start (on row standard) White [bipod] [bipod] in
  can_win (on row standard) Black 2 s = true /\
  Game.wins (placement_game (on row standard)) Game.Black (situation_of (on row standard) s).
Proof.
  split; [reflexivity|]. apply (placement_games_are_those_of_the_rules (on row standard) _ Black); try reflexivity; try discriminate.
  now exists 2%nat.
Qed.

(** ** MirrorGame.v *)

(** Four points in a square without diagonals; each point's image is the opposite corner. *)
Definition square : board := Board [a1; b1; a2; b2] [(a1, b1); (a2, b2); (a1, a2); (b1, b2)].
Definition across (p : point) : point := let (x, y) := p in (1 - x, 1 - y)%Z.
Example the_mirror_theorem_here :
  exists n, can_win (on square standard) Black n (start (on square standard) White [bipod; cross] [bipod; cross]) = true.
Proof.
  apply (the_mirror_theorem (on square standard) across [bipod; cross] White); try reflexivity; try discriminate.
  assert (P : forall p, on_board square p = true -> In p [a1; b1; a2; b2]) by (intros p; apply is_among_In).
  constructor.
  - intros p I. apply P in I. destruct I as [<-|[<-|[<-|[<-|[]]]]]; reflexivity.
  - intros [x y] _. unfold across. f_equal; lia.
  - intros d p q C. pose proof (connected_is _ _ _ _ C) as (_ & I & _). apply P in I.
    destruct I as [<-|[<-|[<-|[<-|[]]]]], d; vm_compute in C; try discriminate; injection C as <-; reflexivity.
  - intros [x y] _ E. change (across (x, y)) with (1 - x, 1 - y)%Z in E. apply (f_equal fst) in E. cbn [fst] in E. lia.
  - intros d p I. destruct (on_board square p) eqn:O.
    + apply P in O. destruct O as [<-|[<-|[<-|[<-|[]]]]], d; vm_compute in I; repeat destruct I as [I|I]; discriminate || destruct I.
    + unfold line_from in I. simpl in I. unfold connected, neighbour in I. change (the_board (on square standard)) with square in I.
      rewrite O in I. destruct I.
Qed.

(** ** Values.v, Table.v *)

(** The eight positions of endless play, and the keys by which they are found. *)
Definition endless := flat_map (fun x => flat_map (fun w => map (fun b => to_and_fro w b x) [d1; e1]) [a1; b1]) [White; Black].
Definition all_draws := map (fun s => (s, Draw)) endless.
Definition by_mover (s : position) : positive := match to_move s with White => 5%positive | Black => 2%positive end.
Example an_accepted_table_is_true_here : R33_has_value (on row_in_parts advanced_dutch) (to_and_fro b1 e1 Black) Draw.
Proof. apply an_accepted_table_is_true with (key := by_mover) (rows := all_draws); [reflexivity|vm_compute; intuition]. Qed.
Example a_table_with_one_value_changed_is_refused :
  forallb (fun v => negb (accepts (on row_in_parts advanced_dutch) by_mover (table_of ((to_and_fro a1 d1 White, v) :: tl all_draws) by_mover)))
    [Win 0; Win 1; Win 2; Loss 0; Loss 1; Loss 2] = true.
Proof. reflexivity. Qed.
Example a_table_with_a_row_missing_is_refused :
  accepts (on row_in_parts advanced_dutch) by_mover (table_of (tl all_draws) by_mover) = false.
Proof. reflexivity. Qed.

(** All positions of a game of two bipods that end in two plies at most, with their values; the start is not among them. *)
Definition bipods := on row standard.
Definition after_one := map (after bipods (start bipods White [bipod] [bipod])) (legal_actions bipods (start bipods White [bipod] [bipod])).
Definition valued := map (fun s => (s, if can_win bipods (to_move s) 1 s then Win 1 else Loss 0)) after_one.
Definition after_two := map (fun s => (s, Loss 0)) (flat_map (fun s => map (after bipods s) (legal_actions bipods s)) after_one).
Example what_follows_from_an_accepted_table_is_true_here :
  R33_has_value bipods (start bipods White [bipod] [bipod]) (Loss 2).
Proof.
  apply what_follows_from_an_accepted_table_is_true with (key := by_mover) (m := table_of (valued ++ after_two) by_mover); vm_compute; reflexivity.
Qed.
Example what_is_found_in_an_accepted_table_is_true_here :
  R33_has_value bipods (Position [(c1, white bipod)] [] [bipod] Black false) (Loss 0) \/
  R33_has_value bipods (Position [(c1, white bipod)] [] [bipod] Black false) (Win 1).
Proof.
  (left + right); apply what_is_found_in_an_accepted_table_is_true with (key := by_mover) (m := table_of (valued ++ after_two) by_mover);
    vm_compute; reflexivity.
Qed.

(** A game of two positions, to and fro: endless. *)
Example values_right_here_are_right_here : has_value (fun _ : bool => None) (fun b => [negb b]) true Draw.
Proof.
  apply values_right_here_are_right with (known := fun _ v => v = Draw); auto. intros s v ->. exists [Draw]. split; auto.
  constructor; [|constructor]. exists (negb s). split; [intros ? ?|]; reflexivity.
Qed.
