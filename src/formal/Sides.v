(** What the theorem of Turning.v says of the turns of R2, of the sides of R4, and of trap 12. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Pods Require Import Rules Facts Positions Turning.
Import ListNotations.

Definition clockwise (d : direction) : direction :=
  match d with
  | North => East | NorthEast => SouthEast | East => South | SouthEast => SouthWest
  | South => West | SouthWest => NorthWest | West => North | NorthWest => NorthEast
  end.
Definition anticlockwise (d : direction) : direction := clockwise (clockwise (clockwise d)).
(** As in a mirror that stands along a column. *)
Definition mirror (p : point) : point := let (x, y) := p in (- x, y)%Z.
Definition mirrored (d : direction) : direction :=
  match d with
  | North => North | NorthEast => NorthWest | East => West | SouthEast => SouthWest
  | South => South | SouthWest => SouthEast | West => East | NorthWest => NorthEast
  end.
Definition shifted (v p : point) : point := let (x, y) := p in let (dx, dy) := v in (x + dx, y + dy)%Z.

Lemma quarter_turn_step d p : step (clockwise d) (quarter_turn p) = quarter_turn (step d p).
Proof. destruct p, d; simpl; f_equal; lia. Qed.
Lemma half_turn_step d p : step (opposite d) (half_turn p) = half_turn (step d p).
Proof. destruct p, d; simpl; f_equal; lia. Qed.
Lemma mirror_step d p : step (mirrored d) (mirror p) = mirror (step d p).
Proof. destruct p, d; simpl; f_equal; lia. Qed.
Lemma shifted_step v d p : step d (shifted v p) = shifted v (step d p).
Proof. destruct p, v, d; simpl; f_equal; lia. Qed.

Definition apart (turn : point -> point) : Prop := forall p q, same_point (turn p) (turn q) = same_point p q.
Lemma injective_apart turn : (forall p q, turn p = turn q -> p = q) -> apart turn.
Proof.
  intros H p q. destruct (same_point_spec p q) as [->|N]; [apply same_point_refl|].
  destruct (same_point_spec (turn p) (turn q)) as [E|]; auto. now apply H in E.
Qed.
Ltac injective := apply injective_apart; intros [x y] [z w]; simpl; let E := fresh in intro E; injection E; intros; f_equal; lia.
Lemma quarter_turn_apart : apart quarter_turn. Proof. injective. Qed.
Lemma half_turn_apart : apart half_turn. Proof. injective. Qed.
Lemma mirror_apart : apart mirror. Proof. injective. Qed.
Lemma shifted_apart v : apart (shifted v). Proof. destruct v as [i j]. injective. Qed.

Lemma turned_lines turn b : apart turn -> forall p q, joined (turned_by turn b) (turn p) (turn q) = joined b p q.
Proof.
  intros A p q. unfold joined, turned_by. simpl. rewrite existsb_map. apply existsb_same. intros [r t].
  unfold line_joins. simpl. now rewrite !A.
Qed.

Definition turn_legs (spin : direction -> direction) (l : legs) : legs := map (spun spin) l.
(** The game on the board turned, with the legs turned along. *)
Definition turned_game (turn : point -> point) (spin : direction -> direction) (G : game) : game :=
  Game (turned_by turn (the_board G)) (map (turn_legs spin) (kinds G)) (the_options G).
Lemma turned_kind turn spin G k : legs_of_kind (turned_game turn spin G) k = turn_legs spin (legs_of_kind G k).
Proof. unfold legs_of_kind. simpl. now rewrite <- (map_nth (turn_legs spin)). Qed.

(** "The same game": under other names of points, directions and sides all that the rules say is the same. *)
Definition the_same_game (G G' : game) (turn : point -> point) (spin : direction -> direction) (swap : bool) : Prop :=
  let other_names := turned_position turn swap in
  (forall s, Permutation (legal_actions G' (other_names s)) (map (turned_action turn spin) (legal_actions G s))) /\
  (forall s a, after G' (other_names s) (turned_action turn spin a) = other_names (after G s a)) /\
  (forall s, winner G' (other_names s) = option_map (flip swap) (winner G s)) /\
  (forall s v, R33_has_value G s v -> R33_has_value G' (other_names s) v) /\
  (forall s n, perft G' n (other_names s) = perft G n s).

Ltac by_renaming := repeat split; intros;
  [eapply renamed_legal_actions|eapply renamed_after|eapply renamed_winner|eapply renamed_value|eapply renamed_perft]; eauto.

(** R2, R4: the board turned by 180 degrees, with White and Black exchanged, is the same game; the pods are not turned, and still face
    their owners. *)
Theorem R2_half_turn_and_sides_swapped G :
  the_same_game G (Game (turned_by half_turn (the_board G)) (kinds G) (the_options G)) half_turn opposite true.
Proof.
  pose proof half_turn_apart as A. pose proof (turned_lines half_turn (the_board G) A) as L.
  assert (K : forall x k, Permutation (lying (flip true x) (nth k (kinds G) [])) (map (spun opposite) (lying x (nth k (kinds G) [])))).
  { intros x k. replace (map (spun opposite) (lying x (nth k (kinds G) []))) with (lying (other x) (nth k (kinds G) []));
      [apply Permutation_refl|]. destruct x; auto. simpl. rewrite map_map. symmetry. rewrite <- (map_id (nth k (kinds G) [])) at 2.
    apply map_ext. intros [d z]. unfold spun, turned_leg. simpl. now destruct d. }
  by_renaming; try apply Permutation_refl; try apply half_turn_step; apply K.
Qed.

(** So with equal hands the game that Black starts is the one that White starts on the board turned by 180 degrees, with the sides
    exchanged. *)
Theorem R34_black_starts_as_white_would_on_the_board_turned G h n x :
  can_win (Game (turned_by half_turn (the_board G)) (kinds G) (the_options G)) (other x) n
    (start (Game (turned_by half_turn (the_board G)) (kinds G) (the_options G)) Black h h) =
  can_win G x n (start G White h h).
Proof.
  pose proof half_turn_apart as A. pose proof (turned_lines half_turn (the_board G) A) as L.
  pose proof (renamed_can_win G (Game (turned_by half_turn (the_board G)) (kinds G) (the_options G)) half_turn opposite true) as R.
  change (start (Game (turned_by half_turn (the_board G)) (kinds G) (the_options G)) Black h h)
    with (turned_position half_turn true (start G White h h)).
  change (other x) with (flip true x). apply R; auto.
  - intros. apply half_turn_step.
  - intros y k. unfold legs_of_kind. simpl. replace (map (spun opposite) (lying y (nth k (kinds G) [])))
      with (lying (other y) (nth k (kinds G) [])); [apply Permutation_refl|]. destruct y; auto. simpl. rewrite map_map.
    symmetry. rewrite <- (map_id (nth k (kinds G) [])) at 2. apply map_ext. intros [d z]. unfold spun, turned_leg. simpl. now destruct d.
Qed.

Lemma lying_turned spin G turn : (forall d, spin (opposite d) = opposite (spin d)) -> forall x k,
  Permutation (lying (flip false x) (legs_of_kind (turned_game turn spin G) k)) (map (spun spin) (lying x (legs_of_kind G k))).
Proof.
  intros C x k. rewrite turned_kind. unfold turn_legs. destruct x; simpl; auto. rewrite !map_map.
  erewrite map_ext; [apply Permutation_refl|]. intros [d z]. unfold spun, turned_leg. simpl. now rewrite C.
Qed.

(** A board and its legs turned together, by 90 degrees, are the same game; and so in a mirror. *)
Theorem board_and_legs_turned_are_the_same_game G :
  the_same_game G (turned_game quarter_turn clockwise G) quarter_turn clockwise false.
Proof.
  pose proof quarter_turn_apart as A. pose proof (turned_lines quarter_turn (the_board G) A) as L.
  assert (K := lying_turned clockwise G quarter_turn ltac:(now intros [])).
  by_renaming; try apply Permutation_refl; try apply quarter_turn_step; simpl; auto using map_length.
Qed.
Theorem board_and_legs_mirrored_are_the_same_game G :
  the_same_game G (turned_game mirror mirrored G) mirror mirrored false.
Proof.
  pose proof mirror_apart as A. pose proof (turned_lines mirror (the_board G) A) as L.
  assert (K := lying_turned mirrored G mirror ltac:(now intros [])).
  by_renaming; try apply Permutation_refl; try apply mirror_step; simpl; auto using map_length.
Qed.

(** R2: "a board turned is the same game as legs turned the other way": the board turned clockwise, with the pods as they are, is the
    board as it was with the legs turned anticlockwise. *)
Theorem R2_a_board_turned_is_legs_turned_the_other_way b k o :
  the_same_game (Game b (map (turn_legs anticlockwise) k) o) (Game (turned_by quarter_turn b) k o) quarter_turn clockwise false.
Proof.
  pose proof (board_and_legs_turned_are_the_same_game (Game b (map (turn_legs anticlockwise) k) o)) as H.
  unfold turned_game in H. simpl in H. rewrite map_map in H.
  assert (E : map (fun l => turn_legs clockwise (turn_legs anticlockwise l)) k = k).
  { rewrite <- (map_id k) at 2. apply map_ext. intro l. unfold turn_legs. rewrite map_map. rewrite <- (map_id l) at 2.
    apply map_ext. intros [d z]. unfold spun. simpl. now destruct d. }
  now rewrite E in H.
Qed.

(** Where a board lies on the grid does not matter, nor in which order its points and lines are listed. *)
Definition lies_like (turn : point -> point) (b b' : board) : Prop :=
  Permutation (points b') (map turn (points b)) /\ forall p q, joined b' (turn p) (turn q) = joined b p q.
Lemma same_legs_lie G b k : forall x, Permutation (lying (flip false x) (legs_of_kind (Game b (kinds G) (the_options G)) k))
  (map (spun (fun d => d)) (lying x (legs_of_kind G k))).
Proof.
  intro x. change (flip false x) with x. unfold legs_of_kind. simpl. rewrite <- (map_id (lying x _)) at 1.
  erewrite map_ext; [apply Permutation_refl|]. now intros [].
Qed.

(** Trap 12, "where the board has the symmetry": if the board turned by 180 degrees looks, after a shift, like the board, both are
    the same game. *)
Theorem trap_12_a_symmetric_board_turned_is_the_same_game G v :
  lies_like (shifted v) (the_board G) (turned_by half_turn (the_board G)) ->
  the_same_game G (Game (turned_by half_turn (the_board G)) (kinds G) (the_options G)) (shifted v) (fun d => d) false.
Proof.
  intros [P L]. pose proof (shifted_apart v) as A.
  assert (K := fun x k => same_legs_lie G (turned_by half_turn (the_board G)) k x).
  by_renaming; try apply shifted_step; auto.
Qed.

(** Pods that look the same when they are turned or mirrored do not notice it. *)
Lemma unturned_legs_lie spin (k : list legs) : (forall d, spin (opposite d) = opposite (spin d)) ->
  (forall l, In l k -> Permutation (turn_legs spin l) l) ->
  forall x i, Permutation (lying (flip false x) (nth i k [])) (map (spun spin) (lying x (nth i k []))).
Proof.
  intros C S x i. assert (M : Permutation (nth i k []) (turn_legs spin (nth i k []))).
  { destruct (nth_in_or_default i k []) as [I|E]; [now apply Permutation_sym, S|rewrite E; constructor]. }
  change (flip false x) with x. destruct x; simpl; auto. eapply perm_trans; [apply (Permutation_map turned_leg M)|].
  unfold turn_legs. rewrite !map_map. erewrite map_ext; [apply Permutation_refl|]. intros [d z]. unfold spun, turned_leg. simpl.
  now rewrite C.
Qed.

(** Trap 12, "or board and hands together": each pod is its own image when turned by 180 degrees, and then the board may be any; or the
    board turned by 180 degrees is the board in a mirror, and each pod is its own mirror image. *)
Theorem trap_12_pods_that_look_the_same_turned G : (forall l, In l (kinds G) -> Permutation (turn_legs opposite l) l) ->
  the_same_game G (Game (turned_by half_turn (the_board G)) (kinds G) (the_options G)) half_turn opposite false.
Proof.
  intro S. pose proof half_turn_apart as A. pose proof (turned_lines half_turn (the_board G) A) as L.
  assert (K := unturned_legs_lie opposite (kinds G) ltac:(now intros []) S).
  by_renaming; try apply Permutation_refl; try apply half_turn_step; apply K.
Qed.
Theorem trap_12_board_and_hands_together G v :
  lies_like (fun p => shifted v (mirror p)) (the_board G) (turned_by half_turn (the_board G)) ->
  (forall l, In l (kinds G) -> Permutation (turn_legs mirrored l) l) ->
  the_same_game G (Game (turned_by half_turn (the_board G)) (kinds G) (the_options G)) (fun p => shifted v (mirror p)) mirrored false.
Proof.
  intros [P L] S.
  assert (A : apart (fun p => shifted v (mirror p))) by (intros p q; etransitivity; [apply shifted_apart|apply mirror_apart]).
  assert (T : forall d p, step (mirrored d) (shifted v (mirror p)) = shifted v (mirror (step d p))).
  { intros. now rewrite shifted_step, mirror_step. }
  assert (K := unturned_legs_lie mirrored (kinds G) ltac:(now intros []) S).
  by_renaming.
Qed.

(** Without the symmetry it is another game: this corner gives a pod with legs to the n and e one point to begin on, the corner turned
    two. *)
Definition corner : board := Board [a1; b1; a2] [(a1, b1); (a1, a2)].
Theorem trap_12_not_without_the_symmetry :
  let G b := Game b [[short North; short East]] standard in
  let s b := start (G b) White [0] [0] in
  legal_actions (G corner) (s corner) = [Place 0 a1] /\
  length (legal_actions (G (turned_by half_turn corner)) (s (turned_by half_turn corner))) = 2.
Proof. vm_compute. auto. Qed.
