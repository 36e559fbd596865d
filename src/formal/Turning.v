(** The same game seen from elsewhere: boards turned, mirrored or shifted, sides swapped, legs turned along (R2, R4, trap 12).

    One theorem covers them all: if points, directions and sides are renamed so that steps, lines and lying legs correspond, then
    legal actions, their results, winners, values and counts correspond. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Pods Require Import Rules Facts.
Import ListNotations.

(** ** Lists in another order *)

Lemma Permutation_filter {A} (f : A -> bool) l l' : Permutation l l' -> Permutation (filter f l) (filter f l').
Proof.
  induction 1; simpl; auto.
  - destruct (f x); auto.
  - destruct (f x), (f y); auto. constructor.
  - eauto using perm_trans.
Qed.
Lemma Permutation_flat_maps {A B} (f g : A -> list B) l :
  (forall a, Permutation (f a) (g a)) -> Permutation (flat_map f l) (flat_map g l).
Proof. intro H. induction l; simpl; auto. now apply Permutation_app. Qed.
Lemma filter_map {A B} (f : B -> bool) (g : A -> B) l : filter f (map g l) = map g (filter (fun a => f (g a)) l).
Proof. induction l; simpl; auto. destruct (f (g a)); simpl; congruence. Qed.
Lemma existsb_map {A B} (f : B -> bool) (g : A -> B) l : existsb f (map g l) = existsb (fun a => f (g a)) l.
Proof. induction l; simpl; congruence. Qed.
Lemma forallb_map {A B} (f : B -> bool) (g : A -> B) l : forallb f (map g l) = forallb (fun a => f (g a)) l.
Proof. induction l; simpl; congruence. Qed.
Lemma existsb_same {A} (f g : A -> bool) l : (forall a, f a = g a) -> existsb f l = existsb g l.
Proof. intro H. induction l; simpl; congruence. Qed.
Lemma forallb_same {A} (f g : A -> bool) l : (forall a, f a = g a) -> forallb f l = forallb g l.
Proof. intro H. induction l; simpl; congruence. Qed.
Lemma flat_map_map {A B C} (f : B -> list C) (g : A -> B) l : flat_map f (map g l) = flat_map (fun a => f (g a)) l.
Proof. induction l; simpl; congruence. Qed.
Lemma map_flat_map {A B C} (f : B -> C) (g : A -> list B) l : map f (flat_map g l) = flat_map (fun a => map f (g a)) l.
Proof. induction l; simpl; auto. now rewrite map_app, IHl. Qed.
Lemma flat_map_same {A B} (f g : A -> list B) l : (forall a, f a = g a) -> flat_map f l = flat_map g l.
Proof. intro H. induction l; simpl; congruence. Qed.
Lemma Permutation_existsb {A} (f : A -> bool) l l' : Permutation l l' -> existsb f l = existsb f l'.
Proof. induction 1; simpl; try congruence. rewrite !orb_assoc. f_equal. apply orb_comm. Qed.
Lemma Permutation_forallb {A} (f : A -> bool) l l' : Permutation l l' -> forallb f l = forallb f l'.
Proof. induction 1; simpl; try congruence. rewrite !andb_assoc. f_equal. apply andb_comm. Qed.
Lemma Permutation_sum {A} (f : A -> N) l l' : Permutation l l' ->
  fold_right (fun a sum => (f a + sum)%N) 0%N l = fold_right (fun a sum => (f a + sum)%N) 0%N l'.
Proof. induction 1; simpl; try congruence. lia. Qed.

(** ** Renaming *)

Definition spun (spin : direction -> direction) (l : leg) : leg := Leg (spin (towards l)) (size l).

Section Renamed.
Variables G G' : game.                  (* the game, and the same game under other names *)
Variable turn : point -> point.
Variable spin : direction -> direction.
Variable swap : bool.                   (* whether White becomes Black *)

Definition flip (x : side) : side := if swap then other x else x.

Hypothesis turn_step : forall d p, step (spin d) (turn p) = turn (step d p).
Hypothesis turn_apart : forall p q, same_point (turn p) (turn q) = same_point p q.
Hypothesis board_points : Permutation (points (the_board G')) (map turn (points (the_board G))).
Hypothesis board_lines : forall p q, joined (the_board G') (turn p) (turn q) = joined (the_board G) p q.
Hypothesis same_options : the_options G' = the_options G.
Hypothesis same_kinds : length (kinds G') = length (kinds G).
Hypothesis legs_lie : forall x k, Permutation (lying (flip x) (legs_of_kind G' k)) (map (spun spin) (lying x (legs_of_kind G k))).

Definition turned_pod (x : pod) : pod := Pod (flip (owner x)) (its_kind x).
Definition turned_pods (ps : pods) : pods := map (fun there => (turn (fst there), turned_pod (snd there))) ps.
Definition turned_position (s : position) : position :=
  Position (turned_pods (on_points s)) (hand s (flip White)) (hand s (flip Black)) (flip (to_move s)) (is_open s).
Definition turned_action (a : action) : action :=
  match a with
  | Place k p => Place k (turn p)
  | Move p q => Move (turn p) (turn q)
  | Shove d p q => Shove (spin d) (turn p) (turn q)
  | Kick d p q n => Kick (spin d) (turn p) (turn q) n
  end.

Lemma flip_flip x : flip (flip x) = x.
Proof. unfold flip. destruct swap, x; reflexivity. Qed.
Lemma flip_other x : flip (other x) = other (flip x).
Proof. unfold flip. destruct swap, x; reflexivity. Qed.
Lemma flip_same x y : same_side (flip x) (flip y) = same_side x y.
Proof. unfold flip. destruct swap, x, y; reflexivity. Qed.
Lemma turned_hand s x : hand (turned_position s) (flip x) = hand s x.
Proof. unfold turned_position, flip, hand. destruct swap, x; reflexivity. Qed.

Lemma turned_on_board p : on_board (the_board G') (turn p) = on_board (the_board G) p.
Proof.
  unfold on_board, is_among. rewrite (Permutation_existsb _ _ _ board_points), existsb_map. apply existsb_same. intro q.
  apply turn_apart.
Qed.
Lemma turned_neighbour d p : neighbour (the_board G') (spin d) (turn p) = option_map turn (neighbour (the_board G) d p).
Proof. unfold neighbour. rewrite turn_step, !turned_on_board. destruct (_ && _); reflexivity. Qed.
Lemma turned_connected d p : connected (the_board G') (spin d) (turn p) = option_map turn (connected (the_board G) d p).
Proof.
  unfold connected. rewrite turned_neighbour. destruct neighbour; simpl; auto. rewrite board_lines. now destruct joined.
Qed.
Lemma turned_size : length (points (the_board G')) = length (points (the_board G)).
Proof. rewrite (Permutation_length board_points). apply map_length. Qed.
Lemma turned_straight d n p : straight (the_board G') (spin d) n (turn p) = map turn (straight (the_board G) d n p).
Proof.
  revert p. induction n as [|n IH]; intro p; simpl; auto. rewrite turned_connected. destruct connected; simpl; auto.
  now rewrite IH.
Qed.
Lemma turned_way l p : way G' (spun spin l) (turn p) = map turn (way G l p).
Proof.
  unfold way, line_from. simpl. rewrite turned_size, turned_straight. destruct (size l); auto. now destruct straight.
Qed.

Lemma turned_pod_at ps p : pod_at (turned_pods ps) (turn p) = option_map turned_pod (pod_at ps p).
Proof. induction ps as [|[q x] ps IH]; simpl; auto. rewrite turn_apart. destruct same_point; auto. Qed.
Lemma turned_is_empty ps p : is_empty (turned_pods ps) (turn p) = is_empty ps p.
Proof. unfold is_empty. rewrite turned_pod_at. now destruct pod_at. Qed.
Lemma turned_lifted ps p : lifted (turned_pods ps) (turn p) = turned_pods (lifted ps p).
Proof.
  unfold lifted, turned_pods. rewrite filter_map. f_equal. apply filter_ext. intro e. simpl. now rewrite turn_apart.
Qed.
Lemma turned_put ps p x : put (turned_pods ps) (turn p) (turned_pod x) = turned_pods (put ps p x).
Proof. unfold put. now rewrite turned_lifted. Qed.
Lemma turned_carried ps p q x :
  carried (turned_pods ps) (turn p) (turn q) (turned_pod x) = turned_pods (carried ps p q x).
Proof. unfold carried. now rewrite turned_lifted, turned_put. Qed.

Lemma turned_legs x : Permutation (legs_of G' (turned_pod x)) (map (spun spin) (legs_of G x)).
Proof. apply legs_lie. Qed.
Lemma existsb_legs f x : existsb f (legs_of G' (turned_pod x)) = existsb (fun l => f (spun spin l)) (legs_of G x).
Proof. rewrite (Permutation_existsb _ _ _ (turned_legs x)). apply existsb_map. Qed.
Lemma turned_bipod k : is_bipod (legs_of_kind G' k) = is_bipod (legs_of_kind G k).
Proof.
  assert (E : length (lying (flip White) (legs_of_kind G' k)) = length (lying White (legs_of_kind G k))).
  { rewrite (Permutation_length (legs_lie White k)). apply map_length. }
  unfold is_bipod. simpl in E. rewrite <- E. unfold lying. destruct (flip White); now rewrite ?map_length.
Qed.

Lemma turned_to_first ps w : to_first_occupied (turned_pods ps) (map turn w) = map turn (to_first_occupied ps w).
Proof. induction w as [|q w IH]; simpl; auto. rewrite turned_is_empty. destruct is_empty; simpl; congruence. Qed.
Lemma turned_reach ps p l : R5_reach G' (turned_pods ps) (turn p) (spun spin l) = map turn (R5_reach G ps p l).
Proof. unfold R5_reach. rewrite same_options, turned_way. destruct attack_through; auto. apply turned_to_first. Qed.
Lemma turned_attacks ps p x q : R6_attacks G' (turned_pods ps) (turn p) (turned_pod x) (turn q) = R6_attacks G ps p x q.
Proof.
  unfold R6_attacks. rewrite existsb_legs. apply existsb_same. intro l. rewrite turned_reach.
  unfold is_among. rewrite existsb_map. apply existsb_same. intro r. apply turn_apart.
Qed.
Lemma turned_liberty ps p x : R7_has_liberty G' (turned_pods ps) (turn p) (turned_pod x) = R7_has_liberty G ps p x.
Proof.
  unfold R7_has_liberty. rewrite existsb_legs. apply existsb_same. intro l. unfold gives_liberty. simpl.
  rewrite turned_connected. destruct connected; simpl; auto. apply turned_is_empty.
Qed.

Lemma forallb_turned f ps :
  forallb f (turned_pods ps) = forallb (fun e => f (turn (fst e), turned_pod (snd e))) ps.
Proof. apply forallb_map. Qed.
Lemma turned_may_place s k p : may_place G' (turned_position s) k (turn p) = may_place G s k p.
Proof.
  assert (M : Pod (flip (to_move s)) k = turned_pod (Pod (to_move s) k)) by reflexivity.
  unfold may_place, R10_can_put, R11_attacks_nobody, R12_not_attacked, R13_liberty. simpl on_points. simpl to_move.
  rewrite turned_hand, turned_on_board, turned_is_empty, same_options, M, turned_liberty, <- !flip_other.
  rewrite !forallb_turned. f_equal; f_equal; [f_equal|]; apply forallb_same; intros [q x]; simpl;
    now rewrite flip_same, turned_attacks.
Qed.

Lemma turned_run ps w : run_of_empty_points (turned_pods ps) (map turn w) = map turn (run_of_empty_points ps w).
Proof. induction w as [|q w IH]; simpl; auto. rewrite turned_is_empty. destruct is_empty; simpl; congruence. Qed.
Lemma turned_first_occupied ps w : first_occupied (turned_pods ps) (map turn w) = option_map turn (first_occupied ps w).
Proof. induction w as [|q w IH]; simpl; auto. rewrite turned_is_empty. destruct is_empty; auto. Qed.
Lemma turned_pushed_on d n ps q :
  R22_pushed G' (turned_pods ps) (spin d) n (turn q) = option_map turned_pods (R22_pushed G ps d n q).
Proof.
  revert q. induction n as [|n IH]; intro q; simpl; rewrite turned_pod_at; destruct (pod_at ps q); simpl; auto.
  rewrite turned_connected. destruct connected; simpl; auto. rewrite IH. destruct R22_pushed; simpl; auto.
  now rewrite turned_carried.
Qed.
Lemma turned_pushed d ps q : pushed G' (turned_pods ps) (spin d) (turn q) = option_map turned_pods (pushed G ps d q).
Proof. unfold pushed. rewrite turned_size. apply turned_pushed_on. Qed.
Lemma turned_slide d n ps q : R24_slide G' (turned_pods ps) (spin d) n (turn q) = option_map turn (R24_slide G ps d n q).
Proof.
  revert q. induction n as [|n IH]; intro q; simpl; auto. rewrite turned_neighbour, same_options.
  destruct neighbour; simpl; auto. rewrite turned_is_empty, board_lines. destruct (_ && _); auto.
Qed.

Lemma turned_meets ps p l : R23_meets G' (turned_pods ps) (turn p) (spun spin l) = option_map turn (R23_meets G ps p l).
Proof.
  unfold R23_meets. rewrite same_options, turned_way. destruct shove_after_run; [apply turned_first_occupied|].
  rewrite <- turned_first_occupied. now destruct (way G l p).
Qed.
Lemma turned_shoves ps p l :
  shoves_of G' (turned_pods ps) (turn p) (spun spin l) = map turned_action (shoves_of G ps p l).
Proof.
  unfold shoves_of. rewrite turned_meets. destruct (R23_meets G ps p l) as [q|]; auto.
  change (option_map turn (Some q)) with (Some (turn q)). cbn iota.
  change (towards (spun spin l)) with (spin (towards l)). rewrite turned_pushed. now destruct (pushed G ps (towards l) q).
Qed.
Lemma turned_can_kick ps d q n : can_kick G' (turned_pods ps) (spin d) (turn q) n = can_kick G ps d q n.
Proof.
  unfold can_kick, R25_is_shove. rewrite turned_slide, turned_connected. destruct R24_slide; simpl; auto. now destruct connected.
Qed.
Lemma turned_kicks ps p l :
  kicks_of G' (turned_pods ps) (turn p) (spun spin l) = map turned_action (kicks_of G ps p l).
Proof.
  unfold kicks_of. cbn [spun size towards]. rewrite turned_connected, turned_size.
  destruct (size l), (connected (the_board G) (towards l) p) as [q|]; cbn [option_map]; auto.
  rewrite turned_is_empty. destruct is_empty; auto. rewrite map_map. simpl. f_equal. apply filter_ext. intro. apply turned_can_kick.
Qed.
Lemma turned_actions_of_leg ps p l :
  actions_of_leg G' (turned_pods ps) (turn p) (spun spin l) = map turned_action (actions_of_leg G ps p l).
Proof.
  unfold actions_of_leg, R17_moves. rewrite same_options, turned_way, turned_run, turned_shoves, turned_kicks, map_app, !map_map.
  simpl. f_equal. destruct shoves; auto. now rewrite map_app.
Qed.
Lemma turned_on_board_actions s :
  Permutation (actions_on_board G' (turned_position s)) (map turned_action (actions_on_board G s)).
Proof.
  unfold actions_on_board. rewrite same_options. destruct moves; auto. simpl on_points. simpl to_move.
  unfold turned_pods at 2. rewrite filter_map, flat_map_map, map_flat_map.
  erewrite filter_ext; [apply Permutation_flat_maps|intros [q x]; simpl; apply flip_same].
  intros [q x]. unfold actions_of_pod. simpl fst. simpl snd.
  rewrite (Permutation_flat_map _ (turned_legs x)), flat_map_map, map_flat_map.
  apply Permutation_flat_maps. intro l. now rewrite turned_actions_of_leg.
Qed.
Lemma turned_placements s : Permutation (placements G' (turned_position s)) (map turned_action (placements G s)).
Proof.
  unfold placements. rewrite same_kinds, map_flat_map. apply Permutation_flat_maps. intro k.
  rewrite (Permutation_filter _ _ _ board_points), filter_map, !map_map. simpl.
  erewrite filter_ext; [apply Permutation_refl|intro; apply turned_may_place].
Qed.
Lemma turned_allows s a : R9_allows G' (turned_position s) (turned_action a) = R9_allows G s a.
Proof. destruct a; simpl; auto. now rewrite turned_bipod. Qed.
Lemma turned_doable s : Permutation (what_can_be_done G' (turned_position s)) (map turned_action (what_can_be_done G s)).
Proof.
  unfold what_can_be_done. erewrite <- (filter_ext _ _ (turned_allows s)), <- filter_map.
  apply Permutation_filter. rewrite map_app. apply Permutation_app; [apply turned_placements|apply turned_on_board_actions].
Qed.
Lemma turned_winner_by_hand s : R30_winner G' (turned_position s) = option_map flip (R30_winner G s).
Proof.
  unfold R30_winner, has_empty_hand. simpl to_move. rewrite <- flip_other, !turned_hand, same_options.
  destruct empty_hand; auto. destruct (hand s (other (to_move s))); auto. now destruct (hand s (to_move s)).
Qed.

(** The legal actions are the same, perhaps in another order. *)
Theorem renamed_legal_actions s :
  Permutation (legal_actions G' (turned_position s)) (map turned_action (legal_actions G s)).
Proof.
  unfold legal_actions. rewrite turned_winner_by_hand. destruct (R30_winner G s); simpl; auto. apply turned_doable.
Qed.
Theorem renamed_winner s : winner G' (turned_position s) = option_map flip (winner G s).
Proof.
  unfold winner. rewrite turned_winner_by_hand. destruct (R30_winner G s); auto. simpl. pose proof (turned_doable s) as P.
  destruct (what_can_be_done G s) as [|a l].
  - apply Permutation_sym, Permutation_nil in P. rewrite P. simpl. now rewrite flip_other.
  - destruct (what_can_be_done G' (turned_position s)); auto. now apply Permutation_nil in P.
Qed.

(** ** What an action does *)

Lemma turned_pods_after s a : pods_after G' (turned_position s) (turned_action a) = turned_pods (pods_after G s a).
Proof.
  destruct a as [k p|p q|d p q|d p q n]; simpl; rewrite ?turned_pod_at, ?turned_pushed, ?turned_slide.
  - apply (turned_put _ _ (Pod (to_move s) k)).
  - destruct pod_at; simpl; auto. apply turned_carried.
  - destruct (pushed G (on_points s) d q); simpl; auto. destruct (pod_at (on_points s) p); simpl; auto. apply turned_carried.
  - destruct (pod_at (on_points s) q); cbn [option_map]; auto. destruct (R24_slide G _ _ _ _); cbn [option_map]; auto.
    rewrite turned_carried. destruct (pod_at (on_points s) p); cbn [option_map]; auto. apply turned_carried.
Qed.
Lemma turned_is_captured ps e :
  R18_is_captured G' (turned_pods ps) (turn (fst e), turned_pod (snd e)) = R18_is_captured G ps e.
Proof.
  unfold R18_is_captured, R7_is_blocked, R27_is_safe. simpl. rewrite turned_liberty, same_options, existsb_legs.
  do 3 f_equal. apply existsb_same. intro l. rewrite turned_shoves, turned_kicks, <- map_app.
  now destruct (shoves_of G ps (fst e) l ++ kicks_of G ps (fst e) l).
Qed.
Lemma turned_captured ps : captured G' (turned_pods ps) = turned_pods (captured G ps).
Proof.
  unfold captured. unfold turned_pods at 2. rewrite filter_map. unfold turned_pods at 2. f_equal. apply filter_ext. intro.
  apply turned_is_captured.
Qed.
Lemma turned_left ps : left_on_board G' (turned_pods ps) = turned_pods (left_on_board G ps).
Proof.
  unfold left_on_board. unfold turned_pods at 2. rewrite filter_map. unfold turned_pods at 2. f_equal. apply filter_ext. intro.
  now rewrite turned_is_captured.
Qed.
Lemma turned_follow a : captures_follow G' (turned_action a) = captures_follow G a.
Proof. unfold captures_follow. rewrite same_options. destruct a; reflexivity. Qed.
Lemma turned_kinds x ps : kinds_of (flip x) (turned_pods ps) = kinds_of x ps.
Proof.
  unfold kinds_of, turned_pods. rewrite filter_map, map_map. simpl. f_equal. apply filter_ext. intro. apply flip_same.
Qed.
Lemma turned_taken_off s a : taken_off G' (turned_position s) (turned_action a) = turned_pods (taken_off G s a).
Proof. unfold taken_off. rewrite turned_follow, turned_pods_after, turned_captured. now destruct captures_follow. Qed.

Theorem renamed_captures s a :
  returned G' (turned_position s) (turned_action a) = returned G s a /\
  removed G' (turned_position s) (turned_action a) = removed G s a.
Proof.
  unfold returned, removed. rewrite turned_taken_off. simpl to_move. rewrite <- flip_other. now rewrite !turned_kinds.
Qed.
Theorem renamed_after s a : after G' (turned_position s) (turned_action a) = turned_position (after G s a).
Proof.
  assert (H : hand_after G' (turned_position s) (turned_action a) = hand_after G s a).
  { unfold hand_after. rewrite (proj1 (renamed_captures s a)). simpl to_move. rewrite turned_hand. now destruct a. }
  unfold after. rewrite turned_follow, turned_pods_after, turned_left, H. unfold turned_position. simpl.
  rewrite flip_other. f_equal; unfold flip, hand; destruct captures_follow, swap, (to_move s); reflexivity.
Qed.

(** ** Values and counts *)

Theorem renamed_can_win n : forall x s, can_win G' (flip x) n (turned_position s) = can_win G x n s.
Proof.
  induction n as [|n IH]; intros x s; cbn [can_win]; rewrite renamed_winner; destruct (winner G s); simpl;
    rewrite ?flip_same; auto.
  destruct same_side; [rewrite (Permutation_existsb _ _ _ (renamed_legal_actions s)), existsb_map; apply existsb_same|
    rewrite (Permutation_forallb _ _ _ (renamed_legal_actions s)), forallb_map; apply forallb_same];
    intro a; now rewrite renamed_after, IH.
Qed.
Theorem renamed_value s v : R33_has_value G s v -> R33_has_value G' (turned_position s) v.
Proof.
  unfold R33_has_value, can_win_at_last. simpl to_move. rewrite <- flip_other. destruct v as [n|n|].
  - intros [W F]. split; [now rewrite renamed_can_win|]. intros m H. rewrite renamed_can_win. auto.
  - intros [W F]. split; [now rewrite renamed_can_win|]. intros m H. rewrite renamed_can_win. auto.
  - intros F x n. rewrite <- (flip_flip x), renamed_can_win. auto.
Qed.
Theorem renamed_perft n : forall s, perft G' n (turned_position s) = perft G n s.
Proof.
  induction n as [|n IH]; intro s; cbn [perft]; auto. rewrite (Permutation_sum _ _ _ (renamed_legal_actions s)).
  generalize (legal_actions G s). intro l. induction l as [|a l IHl]; simpl; auto. now rewrite IHl, renamed_after, IH.
Qed.
End Renamed.
