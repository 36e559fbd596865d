(** The placement games of Game.v, about which the lemmas of certificates are, are the games of Rules.v in which nothing moves and
    no capture follows a placement: the same side wins. *)
From Coq Require Import List ZArith Bool Lia.
From Pods Require Import Rules Facts Placements Actions Ends.
From Pods Require Game.
Import ListNotations.

(** ** Names *)

Definition dir_of (d : direction) : Game.dir :=
  match d with
  | North => Game.dn | NorthEast => Game.dne | East => Game.de | SouthEast => Game.dse
  | South => Game.ds | SouthWest => Game.dsw | West => Game.dw | NorthWest => Game.dnw
  end.
Definition side_of (x : side) : Game.side := match x with White => Game.White | Black => Game.Black end.
Definition len_of (z : reach_of_leg) : Game.len := match z with Short => Game.Short | Long => Game.Long end.
Definition same_dir (d : direction) (e : Game.dir) : bool :=
  match dir_of d, e with
  | Game.dn, Game.dn | Game.dne, Game.dne | Game.de, Game.de | Game.dse, Game.dse
  | Game.ds, Game.ds | Game.dsw, Game.dsw | Game.dw, Game.dw | Game.dnw, Game.dnw => true
  | _, _ => false
  end.
(** A list of legs as Game.v has it: what is there in each direction. *)
Fixpoint legs_as (l : legs) : Game.legs :=
  match l with
  | [] => fun _ => None
  | g :: rest => fun e => if same_dir (towards g) e then Some (len_of (size g)) else legs_as rest e
  end.

Lemma same_dir_spec d e : reflect (dir_of d = e) (same_dir d e).
Proof. destruct d, e; simpl; constructor; congruence. Qed.
Lemma dir_of_injective d e : dir_of d = dir_of e -> d = e.
Proof. destruct d, e; simpl; congruence. Qed.
Lemma dir_is e : exists d, dir_of d = e.
Proof.
  destruct e; [exists North|exists NorthEast|exists East|exists SouthEast|exists South|exists SouthWest|exists West|exists NorthWest];
    reflexivity.
Qed.
Lemma side_of_injective x y : side_of x = side_of y -> x = y. Proof. destruct x, y; simpl; congruence. Qed.
Lemma side_of_other x : side_of (other x) = Game.other (side_of x). Proof. now destruct x. Qed.

Lemma legs_as_some l e z : legs_as l e = Some z -> exists g, In g l /\ dir_of (towards g) = e /\ len_of (size g) = z.
Proof.
  induction l as [|g l IH]; simpl; [discriminate|]. destruct (same_dir_spec (towards g) e).
  - intro H; injection H; intros; exists g; auto.
  - intro H. destruct (IH H) as (h & ? & ?). exists h. tauto.
Qed.
Lemma same_direction_spec d e : reflect (d = e) (same_direction d e).
Proof. destruct d, e; simpl; constructor; congruence. Qed.
Lemma legs_as_in l g : no_two_alike l = true -> In g l -> legs_as l (dir_of (towards g)) = Some (len_of (size g)).
Proof.
  induction l as [|h l IH]; simpl; [tauto|]. rewrite andb_true_iff, negb_true_iff. intros [N D] [<-|H].
  - now destruct (same_dir_spec (towards h) (dir_of (towards h))).
  - destruct (same_dir_spec (towards h) (dir_of (towards g))) as [E|]; auto. apply dir_of_injective in E. exfalso.
    assert (X : existsb (fun other => same_direction (towards h) (towards other)) l = true).
    { apply existsb_exists. exists g. split; auto. rewrite E. now destruct (same_direction_spec (towards g) (towards g)). }
    congruence.
Qed.
Lemma dir_of_opposite d : dir_of (opposite d) = Game.opp (dir_of d). Proof. now destruct d. Qed.
Lemma legs_as_turned l e : legs_as (map turned_leg l) e = legs_as l (Game.opp e).
Proof.
  induction l as [|[d z] l IH]; simpl; auto. rewrite IH. replace (same_dir (opposite d) e) with (same_dir d (Game.opp e)); auto.
  now destruct d, e.
Qed.
Lemma turned_alike l : no_two_alike l = true -> no_two_alike (map turned_leg l) = true.
Proof.
  induction l as [|g l IH]; simpl; auto. rewrite !andb_true_iff, !negb_true_iff. intros [N D]. split; auto.
  rewrite <- N. clear. induction l as [|h l IH]; simpl; auto. rewrite IH. f_equal. now destruct (towards g), (towards h).
Qed.

Section Bridge.
Variable G : game.
Variable H : Game.game.
Variable number : point -> nat.          (* the points of the board as Game.v has them: numbers *)
Let B := the_board G.
Let o := the_options G.

Hypothesis nothing_moves : moves o = false.
Hypothesis no_captures : captures o <> EveryTurn.
Hypothesis legs_right : forall k, no_two_alike (legs_of_kind G k) = true.
Hypothesis numbers_differ : forall p q, on_board B p = true -> on_board B q = true -> number p = number q -> p = q.
Hypothesis points_right : forall n, In n (Game.points H) <-> exists p, on_board B p = true /\ number p = n.
Hypothesis next_right : forall d p, on_board B p = true ->
  Game.next H (dir_of d) (number p) = option_map number (connected B d p).
Hypothesis kinds_right : forall k e, Game.kind_legs H k e = legs_as (legs_of_kind G k) e.
Hypothesis liberty_right : Game.placement_liberty H = placement_liberty o.
Hypothesis through_right : Game.attack_through H = attack_through o.
Hypothesis empty_right : Game.empty_hand_wins H = match empty_hand o with Wins => true | Loses => false end.

(** The situation is the position: the same pods stand on the same points, with the same legs as they lie. *)
Record alike (s : position) (t : Game.situation) : Prop := {
  alike_on : forall p x, on_board B p = true -> pod_at (on_points s) p = Some x ->
    exists l, Game.at_ t (number p) = Some (side_of (owner x), l) /\ forall e, l e = legs_as (legs_of G x) e;
  alike_off : forall n, ~ (exists p x, on_board B p = true /\ number p = n /\ pod_at (on_points s) p = Some x) -> Game.at_ t n = None;
  alike_hands : forall x k, Game.hand t (side_of x) k = count (hand s x) k;
  alike_mover : Game.mover t = side_of (to_move s);
  alike_open : Game.opening t = is_open s }.

Lemma alike_empty s t p : alike s t -> on_board B p = true -> (Game.empty t (number p) <-> is_empty (on_points s) p = true).
Proof.
  intros A P. unfold Game.empty. rewrite is_empty_none. split; intro E.
  - destruct (pod_at (on_points s) p) as [x|] eqn:X; auto. destruct (alike_on _ _ A p x P X) as (l & L & _). congruence.
  - apply (alike_off _ _ A). intros (q & x & Q & N & X). apply numbers_differ in N; auto. congruence.
Qed.
Lemma legs_of_alike x : no_two_alike (legs_of G x) = true.
Proof. unfold legs_of, lying. destruct (owner x); auto using turned_alike. Qed.
Lemma lie_is x k e : Game.lie H (side_of x) k e = legs_as (legs_of G (Pod x k)) e.
Proof.
  unfold Game.lie, legs_of, lying. destruct x; simpl; [apply kinds_right|]. unfold Game.turned. rewrite kinds_right.
  symmetry. apply legs_as_turned.
Qed.

(** ** Reach *)

Definition reached (ps : pods) (w : list point) : list point := if attack_through o then w else to_first_occupied ps w.

Lemma straight_shorter b d n p : on_board b p = true -> (length (straight b d n p) < length (points b))%nat.
Proof.
  intro P. assert (D : forall n p, NoDup (straight b d n p)).
  { intro m. induction m as [|m IH]; intro r; simpl; [constructor|]. destruct (connected b d r) as [q|]; constructor; auto.
    intro I. apply straight_goes_on in I. lia. }
  assert (N : NoDup (p :: straight b d n p)).
  { constructor; auto. intro I. apply straight_goes_on in I. lia. }
  apply NoDup_incl_length with (l' := points b) in N; [simpl in N; lia|].
  intros q [<-|I]; apply is_among_In; auto. now apply straight_goes_on in I.
Qed.
Lemma straight_stops b d n : forall p k, (length (straight b d n p) < n)%nat -> straight b d (n + k) p = straight b d n p.
Proof.
  induction n as [|n IH]; intros p k; simpl; [lia|]. destruct (connected b d p); simpl; auto. intro L. rewrite IH; auto. lia.
Qed.
Lemma straight_in_line d n p : on_board B p = true -> exists m, straight B d (n + m) p = line_from B d p.
Proof.
  intro P. unfold line_from. pose proof (straight_shorter B d (length (points B)) p P) as L.
  exists (length (points B)). rewrite Nat.add_comm. now apply straight_stops.
Qed.
Lemma reached_more ps d n p q m : In q (reached ps (straight B d n p)) -> In q (reached ps (straight B d (n + m) p)).
Proof.
  revert p. unfold reached. destruct (attack_through o).
  - induction n as [|n IH]; intro p; simpl; [tauto|]. destruct (connected B d p); simpl; [|tauto]. intros [E|I]; auto.
  - induction n as [|n IH]; intro p; simpl; [tauto|]. destruct (connected B d p); simpl; [|tauto].
    destruct is_empty; simpl; auto. intros [E|I]; auto.
Qed.
Lemma reached_step ps d n p r q : connected B d p = Some r -> (attack_through o = true \/ is_empty ps r = true) ->
  In q (reached ps (straight B d n r)) -> In q (reached ps (straight B d (S n) p)).
Proof.
  intros C E I. unfold reached in *. simpl. rewrite C. destruct (attack_through o); [now right|].
  destruct E as [E|E]; [discriminate|]. simpl. rewrite E. now right.
Qed.
Lemma next_is d p n : on_board B p = true -> Game.next H (dir_of d) (number p) = Some n ->
  exists q, connected B d p = Some q /\ number q = n /\ on_board B q = true.
Proof.
  intros P N. rewrite next_right in N; auto. destruct (connected B d p) as [q|] eqn:C; [|discriminate].
  injection N as N. exists q. apply connected_is in C as C'. tauto.
Qed.

Lemma run_is s t d m n : alike s t -> Game.run H (Game.passes H t) (dir_of d) m n -> forall p, on_board B p = true -> number p = m ->
  exists q, on_board B q = true /\ number q = n /\ In q (reached (on_points s) (line_from B d p)).
Proof.
  intros A R. assert (R' : forall p, on_board B p = true -> number p = m ->
    exists q i, on_board B q = true /\ number q = n /\ In q (reached (on_points s) (straight B d i p))).
  { induction R as [m n N|m r n N T R IH]; intros p P <-; apply next_is in N; auto; destruct N as (q & C & <- & Q).
    - exists q, 1%nat. repeat split; auto. unfold reached. simpl. rewrite C. destruct (attack_through o); simpl; auto.
      destruct is_empty; simpl; auto.
    - destruct (IH q Q eq_refl) as (z & i & Z & E & I). exists z, (S i). repeat split; auto.
      apply reached_step with q; auto. destruct T as [T|T]; [left; now rewrite <- through_right|right].
      now apply (alike_empty s t). }
  intros p P E. destruct (R' p P E) as (q & i & Q & F & I). exists q. repeat split; auto.
  destruct (straight_in_line d i p P) as [k K]. rewrite <- K. now apply reached_more.
Qed.
Lemma is_run s t d n : alike s t -> forall p q, on_board B p = true -> In q (reached (on_points s) (straight B d n p)) ->
  Game.run H (Game.passes H t) (dir_of d) (number p) (number q).
Proof.
  intro A. induction n as [|n IH]; intros p q P; unfold reached; simpl; [destruct (attack_through o); simpl; tauto|].
  destruct (connected B d p) as [r|] eqn:C; [|destruct (attack_through o); simpl; tauto].
  assert (N : Game.next H (dir_of d) (number p) = Some (number r)) by (rewrite next_right, C; auto).
  apply connected_is in C. destruct C as (_ & _ & Q & _). intro I.
  assert (J : r = q \/ (Game.passes H t (number r) /\ In q (reached (on_points s) (straight B d n r)))).
  { unfold reached, Game.passes. rewrite through_right. destruct (attack_through o) eqn:T.
    - destruct I as [I|I]; auto.
    - simpl in I. destruct (is_empty (on_points s) r) eqn:E.
      + destruct I as [I|I]; auto. right. split; auto. right. now apply (alike_empty s t).
      + destruct I as [I|[]]; auto. }
  destruct J as [<-|[S J]]; [now apply Game.run_next|apply Game.run_on with (number r); auto].
Qed.

Lemma reaches_is s t x l p n : alike s t -> on_board B p = true -> (forall e, l e = legs_as (legs_of G x) e) ->
  (Game.reaches H t l (number p) n <-> exists q, on_board B q = true /\ number q = n /\ R6_attacks G (on_points s) p x q = true).
Proof.
  intros A P L. unfold Game.reaches, Game.gets. split.
  - intros (e & D). destruct (dir_is e) as [d <-]. destruct D as [[D N]|[D R]].
    + destruct (l (dir_of d)) as [z|] eqn:E; [|congruence]. rewrite L in E. apply legs_as_some in E.
      destruct E as (g & I & F & _). apply dir_of_injective in F. subst d. apply next_is in N; auto.
      destruct N as (q & C & <- & Q). exists q. repeat split; auto.
      apply attacks_by_leg with g; auto. now apply R5_neighbour_is_reached.
    + rewrite L in D. apply legs_as_some in D. destruct D as (g & I & F & Z). apply dir_of_injective in F. subst d.
      destruct (run_is s t _ _ _ A R p P eq_refl) as (q & Q & E & J). exists q. repeat split; auto.
      apply attacks_by_leg with g; auto. unfold R5_reach, way. destruct (size g); [discriminate|]. exact J.
  - intros (q & Q & <- & E). unfold R6_attacks in E. apply existsb_exists in E. destruct E as (g & I & E).
    apply is_among_In in E. pose proof (legs_as_in _ g (legs_of_alike x) I) as Lg. rewrite <- L in Lg.
    exists (dir_of (towards g)). unfold R5_reach, way in E. destruct (size g) eqn:Z.
    + left. split; [congruence|]. rewrite next_right; auto.
      assert (C : In q (firstn 1 (line_from B (towards g) p))).
      { destruct (attack_through (the_options G)); auto. now apply to_first_occupied_in in E. }
      unfold line_from in C. destruct (points B); [destruct C|]. simpl in C.
      destruct (connected B (towards g) p); [|destruct C]. destruct C as [<-|[]]. reflexivity.
    + right. split; [exact Lg|]. apply (is_run s t _ (length (points B))); auto.
Qed.

Lemma has_liberty_is s t x l p : alike s t -> on_board B p = true -> (forall e, l e = legs_as (legs_of G x) e) ->
  (Game.has_liberty H t l (number p) <-> R7_has_liberty G (on_points s) p x = true).
Proof.
  intros A P L. rewrite liberty_of_leg. unfold Game.has_liberty. split.
  - intros (e & n & D & N & E). destruct (dir_is e) as [d <-]. destruct (l (dir_of d)) as [z|] eqn:F; [|congruence].
    rewrite L in F. apply legs_as_some in F. destruct F as (g & I & F & _). apply dir_of_injective in F. subst d.
    apply next_is in N; auto. destruct N as (q & C & <- & Q). exists g, q. repeat split; auto. now apply (alike_empty s t).
  - intros (g & q & I & C & E). exists (dir_of (towards g)), (number q).
    rewrite L, (legs_as_in _ g (legs_of_alike x) I). split; [discriminate|]. fold B in C. rewrite next_right, C; auto. split; auto.
    apply connected_is in C. apply (alike_empty s t); tauto.
Qed.

(** ** Legal placements *)

Lemma legal_is s t k p : alike s t -> R29_is_consistent G s = true -> on_board B p = true ->
  (Game.legal H t (side_of (to_move s)) k (number p) <-> may_place G s k p = true).
Proof.
  intros A C P. pose proof (fun e => lie_is (to_move s) k e) as L. apply consistent_parts in C. destruct C as (D & I & _).
  assert (Hand : (1 <= Game.hand t (side_of (to_move s)) k)%nat <-> In k (hand s (to_move s))).
  { rewrite (alike_hands _ _ A). unfold count. rewrite (count_occ_In Nat.eq_dec). lia. }
  unfold may_place, R10_can_put, R13_liberty. rewrite !andb_true_iff, in_hand_In, orb_true_iff, negb_true_iff. split.
  - intros [Hd Pt E R11 R12 R13]. repeat split; auto; try tauto.
    + now apply (alike_empty s t).
    + unfold R11_attacks_nobody. apply forallb_forall. intros [q x] X. simpl. apply negb_true_iff, andb_false_iff.
      destruct (same_side_spec (owner x) (other (to_move s))) as [O|]; auto. right.
      destruct (R6_attacks G (on_points s) p (Pod (to_move s) k) q) eqn:Y; auto. exfalso.
      pose proof (I _ _ X) as [Q _]. apply In_pod_at in X; auto. destruct (alike_on _ _ A q x Q X) as (l & Z & _).
      apply (R11 (number q)); [|exists l; now rewrite Z, O, side_of_other].
      apply (reaches_is s t (Pod (to_move s) k)); auto. now exists q.
    + unfold R12_not_attacked. apply forallb_forall. intros [q x] X. simpl. apply negb_true_iff, andb_false_iff.
      destruct (same_side_spec (owner x) (other (to_move s))) as [O|]; auto. right.
      destruct (R6_attacks G (on_points s) q x p) eqn:Y; auto. exfalso.
      pose proof (I _ _ X) as [Q _]. apply In_pod_at in X; auto. destruct (alike_on _ _ A q x Q X) as (l & Z & Le).
      apply (R12 (number q) l); [now rewrite Z, O, side_of_other|]. apply (reaches_is s t x); auto. now exists p.
    + destruct (placement_liberty o) eqn:F; auto. right. apply (has_liberty_is s t _ (Game.lie H (side_of (to_move s)) k)); auto.
      all: apply R13; congruence.
  - intros [[[[[Hd _] E] R11] R12] R13]. constructor.
    + tauto.
    + apply points_right. now exists p.
    + now apply (alike_empty s t).
    + intros n R [l Z]. apply (reaches_is s t (Pod (to_move s) k)) in R; auto. destruct R as (q & Q & <- & R).
      destruct (pod_at (on_points s) q) as [x|] eqn:X.
      2: { apply is_empty_none in X. apply (alike_empty s t q A Q) in X. unfold Game.empty in X. congruence. }
      destruct (alike_on _ _ A q x Q X) as (l' & Z' & _). rewrite Z' in Z. injection Z as Z _.
      rewrite <- side_of_other in Z. apply side_of_injective in Z. unfold R11_attacks_nobody in R11. rewrite forallb_forall in R11.
      apply pod_at_In in X. specialize (R11 _ X). simpl in R11. now rewrite Z, same_side_refl, R in R11.
    + intros n l Z R. destruct (in_dec Nat.eq_dec n (Game.points H)) as [J|J].
      * apply points_right in J. destruct J as (q & Q & <-). destruct (pod_at (on_points s) q) as [x|] eqn:X.
        2: { apply is_empty_none in X. apply (alike_empty s t q A Q) in X. unfold Game.empty in X. congruence. }
        destruct (alike_on _ _ A q x Q X) as (l' & Z' & Le). rewrite Z' in Z. injection Z as Z F. subst l'.
        rewrite <- side_of_other in Z. apply side_of_injective in Z. apply (reaches_is s t x) in R; auto.
        destruct R as (r & Rb & N & R). apply numbers_differ in N; auto. subst r. pose proof (not_attacked G s p q x R12 X Z). congruence.
      * rewrite (alike_off _ _ A) in Z; [discriminate|]. intros (q & x & Q & N & _). apply J. apply points_right. eauto.
    + intro F. rewrite liberty_right in F. destruct R13 as [R13|R13]; [unfold o in F; congruence|].
      apply (has_liberty_is s t (Pod (to_move s) k)); auto.
Qed.

Lemma bipod_is k : Game.bipod (Game.kind_legs H k) <-> is_bipod (legs_of_kind G k) = true.
Proof.
  unfold Game.bipod, is_bipod. rewrite Nat.eqb_eq. set (l := legs_of_kind G k).
  assert (E : length (filter (fun d => match Game.kind_legs H k d with None => false | _ => true end) Game.all_dirs) = length l).
  { pose proof (legs_right k) as N. fold l in N.
    assert (D : NoDup (map (fun g => dir_of (towards g)) l)).
    { revert N. clear. induction l as [|g l IH]; simpl; [constructor|]. rewrite andb_true_iff, negb_true_iff. intros [N D].
      constructor; auto. intro I. apply in_map_iff in I. destruct I as (h & E & I). apply dir_of_injective in E.
      assert (X : existsb (fun other => same_direction (towards g) (towards other)) l = true).
      { apply existsb_exists. exists h. split; auto. rewrite E. now destruct (same_direction_spec (towards g) (towards g)). }
      congruence. }
    rewrite <- (map_length (fun g => dir_of (towards g)) l). apply Nat.le_antisymm; apply NoDup_incl_length; auto.
    - apply NoDup_filter. repeat constructor; simpl; intuition discriminate.
    - intros e I. apply filter_In in I. destruct I as [_ I]. rewrite kinds_right in I. fold l in I.
      destruct (legs_as l e) as [z|] eqn:Z; [|discriminate]. apply legs_as_some in Z. destruct Z as (g & Z & F & _).
      apply in_map_iff. eauto.
    - intros e I. apply in_map_iff in I. destruct I as (g & <- & I). apply filter_In. rewrite kinds_right. fold l.
      rewrite (legs_as_in l g N I). split; auto. destruct (dir_of (towards g)); simpl; tauto. }
  now rewrite E.
Qed.

Lemma choice_is s t k p : alike s t -> R29_is_consistent G s = true -> R30_winner G s = None -> on_board B p = true ->
  (Game.choice H t k (number p) <-> In (Place k p) (legal_actions G s)).
Proof.
  intros A C W P. unfold Game.choice. rewrite (alike_mover _ _ A), (alike_open _ _ A), (legal_is s t k p A C P), bipod_is.
  rewrite legal_actions_are_the_legal_ones. unfold is_legal. simpl. split.
  - intros [M O]. split; auto. split; [destruct (is_open s); simpl; auto|]. split; auto.
    apply may_place_parts in M. apply consistent_parts in C. destruct M as [M _], C as (_ & _ & C). now apply C in M.
  - intros (_ & O & M & _). split; auto. intro F. rewrite F in O. exact O.
Qed.
Lemma choices_are_on_the_board t k n : Game.choice H t k n -> exists p, on_board B p = true /\ number p = n.
Proof. intros [[_ I _ _ _ _] _]. now apply points_right. Qed.

(** ** After a placement *)

Lemma after_is s t k p : alike s t -> R29_is_consistent G s = true -> may_place G s k p = true ->
  alike (after G s (Place k p)) (Game.place H t k (number p)).
Proof.
  intros A C M. apply may_place_parts in M. destruct M as (Hd & P & E & _). fold B in P.
  assert (F : captures_follow G (Place k p) = false).
  { unfold captures_follow. fold o. destruct (captures o); auto. now destruct no_captures. }
  assert (On : forall q, pod_at (on_points (after G s (Place k p))) q = if same_point p q then Some (Pod (to_move s) k) else pod_at (on_points s) q).
  { intro q. change (on_points (after G s (Place k p))) with
      (if captures_follow G (Place k p) then left_on_board G (pods_after G s (Place k p)) else pods_after G s (Place k p)).
    rewrite F. apply pod_at_put. }
  constructor.
  - intros q x Q X. rewrite On in X. simpl. unfold Game.put. rewrite (alike_mover _ _ A). destruct (same_point_spec p q) as [<-|N].
    + rewrite Nat.eqb_refl. injection X as <-. simpl. eexists. split; [reflexivity|]. apply lie_is.
    + destruct (Nat.eqb_spec (number q) (number p)) as [Y|_]; [apply numbers_differ in Y; congruence|]. now apply (alike_on _ _ A).
  - intros n N. simpl. unfold Game.put. destruct (Nat.eqb_spec n (number p)) as [->|Y].
    + exfalso. apply N. exists p, (Pod (to_move s) k). rewrite On, same_point_refl. auto.
    + apply (alike_off _ _ A). intros (q & x & Q & <- & X). apply N. exists q, x. rewrite On.
      destruct (same_point_spec p q); [congruence|auto].
  - intros x j. simpl. unfold Game.take. rewrite (alike_mover _ _ A), (alike_hands _ _ A).
    assert (T : taken_off G s (Place k p) = []) by (unfold taken_off; now rewrite F).
    assert (Hh : hand_after G s (Place k p) = taken_from k (hand s (to_move s))) by (unfold hand_after, returned; now rewrite T).
    pose proof (count_taken_from k (hand s (to_move s)) j Hd) as K. unfold count at 2 in K. simpl in K.
    destruct (side_cases (to_move s) x) as [->| ->].
    + replace (hand (after G s (Place k p)) (to_move s)) with (hand_after G s (Place k p)) by (unfold hand; simpl; now destruct (to_move s)).
      rewrite Hh. rewrite Game.side_eqb_refl. simpl. destruct (Nat.eqb_spec j k), (Nat.eq_dec k j); subst; simpl in *; try congruence; lia.
    + replace (hand (after G s (Place k p)) (other (to_move s))) with (hand s (other (to_move s))) by (unfold hand; simpl; now destruct (to_move s)).
      rewrite side_of_other. now rewrite Game.side_eqb_other.
  - simpl. now rewrite (alike_mover _ _ A), side_of_other.
  - reflexivity.
Qed.

(** ** Who wins *)

Lemma empty_hand_is s t x : alike s t -> (Game.empty_hand t (side_of x) <-> has_empty_hand s x = true).
Proof.
  intro A. unfold Game.empty_hand, has_empty_hand. split.
  - intro E. destruct (hand s x) as [|k h] eqn:K; auto. specialize (E k). rewrite (alike_hands _ _ A), K in E.
    unfold count in E. simpl in E. destruct (Nat.eq_dec k k); [discriminate|congruence].
  - intros E k. rewrite (alike_hands _ _ A). destruct (hand s x); [reflexivity|discriminate].
Qed.
Lemma won_is s t x : alike s t -> (Game.won H t (side_of x) <-> R30_winner G s = Some x).
Proof.
  intro A. unfold Game.won, R30_winner. fold o. rewrite empty_right, (alike_mover _ _ A), <- side_of_other.
  rewrite !(empty_hand_is s t _ A). destruct (empty_hand o); [split; [intros [K _]; discriminate|discriminate]|].
  destruct (has_empty_hand s (other (to_move s))) eqn:E.
  - split.
    + intros [_ [[_ K]|[K _]]]; [apply side_of_injective in K; now subst|congruence].
    + intro K. injection K as <-. auto.
  - destruct (has_empty_hand s (to_move s)) eqn:F.
    + split.
      * intros [_ [[K _]|[_ [_ K]]]]; [congruence|apply side_of_injective in K; now subst].
      * intro K. injection K as <-. split; auto.
    + split; [|discriminate]. intros [_ [[K _]|[_ [K _]]]]; congruence.
Qed.
Lemma not_over s t : alike s t -> R30_winner G s = None -> ~ Game.over H t.
Proof.
  intros A W [y Y]. assert (E : exists x, side_of x = y) by (destruct y; [exists White|exists Black]; reflexivity).
  destruct E as [x <-]. apply (won_is s t x A) in Y. congruence.
Qed.
Lemma winner_cases s : winner G s = None /\ R30_winner G s = None \/
  exists y, winner G s = Some y /\ (R30_winner G s = Some y \/ (R30_winner G s = None /\ legal_actions G s = [] /\ y = other (to_move s))).
Proof.
  unfold winner, legal_actions. destruct (R30_winner G s) as [y|]; [right; exists y; auto|].
  destruct (what_can_be_done G s); [right; exists (other (to_move s)); auto|left; auto].
Qed.

Theorem who_can_win_wins X n : forall s t, alike s t -> R29_is_consistent G s = true ->
  can_win G X n s = true -> Game.wins H (side_of X) t.
Proof.
  induction n as [|n IH]; intros s t A C; cbn [can_win];
    (destruct (winner_cases s) as [[-> W]|(y & -> & [W|(W & L & ->)])];
     [|destruct (same_side_spec X y) as [->|]; [|discriminate]; intros _; apply Game.wins_over; now apply (won_is s t)
      |destruct (same_side_spec X (other (to_move s))) as [->|]; [|discriminate]; intros _; apply Game.wins_all;
       [now apply (not_over s)|rewrite (alike_mover _ _ A), side_of_other; now destruct (side_of (to_move s))|
        intros k m K; destruct (choices_are_on_the_board _ _ _ K) as (p & P & <-); apply (choice_is s t) in K; auto; rewrite L in K; destruct K]]).
  - discriminate.
  - destruct (same_side_spec X (to_move s)) as [->|N].
    + intro E. apply existsb_exists in E. destruct E as (a & L & E). destruct (only_placements G s a nothing_moves L) as (k & p & -> & M).
      pose proof (may_place_parts _ _ _ _ M) as (_ & P & _). fold B in P. apply Game.wins_move with k (number p).
      * now apply (not_over s).
      * now rewrite (alike_mover _ _ A).
      * now apply (choice_is s t).
      * apply IH with (after G s (Place k p)); auto using after_is, play_keeps_consistent.
    + intro E. rewrite forallb_forall in E. apply Game.wins_all.
      * now apply (not_over s).
      * rewrite (alike_mover _ _ A). destruct X, (to_move s); simpl; congruence.
      * intros k m K. destruct (choices_are_on_the_board _ _ _ K) as (p & P & <-). apply (choice_is s t) in K; auto.
        apply IH with (after G s (Place k p)); auto using play_keeps_consistent. apply after_is; auto.
        apply legal_actions_are_the_legal_ones in K. apply K.
Qed.

Lemma wins_not_both t X : Game.wins H X t -> ~ Game.wins H (Game.other X) t.
Proof.
  intro K. induction K as [t W|t k p O M Ch K IH|t O M Ch IH]; intro K'.
  - inversion K' as [t' W'|t' k p O' M' Ch' K''|t' O' M' Ch']; subst.
    + destruct W as [_ [[A ->]|[A [A' ->]]]], W' as [_ [[C D]|[C [C' D]]]]; try tauto; destruct (Game.mover t); discriminate.
    + apply O'. now exists X.
    + apply O'. now exists X.
  - inversion K' as [t' W'|t' j q O' M' Ch' K''|t' O' M' Ch']; subst.
    + apply O. now exists (Game.other (Game.mover t)).
    + destruct (Game.mover t); discriminate.
    + now apply IH, Ch'.
  - inversion K' as [t' W'|t' j q O' M' Ch' K''|t' O' M' Ch']; subst.
    + apply O. now exists (Game.other X).
    + now apply (IH j q Ch').
    + destruct X; rewrite M in M'; discriminate.
Qed.

(** A side wins the placement game exactly if it can force an end in its favour by the rules. *)
Theorem wins_is_can_win X s t : alike s t -> R29_is_consistent G s = true ->
  (Game.wins H (side_of X) t <-> exists n, can_win G X n s = true).
Proof.
  intros A C. split.
  - intro K. destruct (R14_placement_games_are_decided G (free_points G s) nothing_moves no_captures s C (le_n _)) as [x E].
    destruct (side_cases X x) as [->| ->]; eauto. exfalso. apply (who_can_win_wins _ _ s t A C) in E.
    rewrite side_of_other in E. now apply wins_not_both in K.
  - intros [n E]. now apply who_can_win_wins with n s.
Qed.
End Bridge.

(** ** The placement game of a game of Rules.v, and the situation of a position *)

Definition dir_from (e : Game.dir) : direction :=
  match e with
  | Game.dn => North | Game.dne => NorthEast | Game.de => East | Game.dse => SouthEast
  | Game.ds => South | Game.dsw => SouthWest | Game.dw => West | Game.dnw => NorthWest
  end.
Fixpoint index (l : list point) (p : point) : nat :=
  match l with [] => 0 | q :: rest => if same_point p q then 0 else S (index rest p) end.
Definition placement_game (G : game) : Game.game :=
  let b := the_board G in
  {| Game.points := seq 0 (length (points b));
     Game.next := fun e n =>
       match nth_error (points b) n with Some p => option_map (index (points b)) (connected b (dir_from e) p) | None => None end;
     Game.kind_legs := fun k => legs_as (legs_of_kind G k);
     Game.placement_liberty := placement_liberty (the_options G);
     Game.attack_through := attack_through (the_options G);
     Game.empty_hand_wins := match empty_hand (the_options G) with Wins => true | Loses => false end |}.
Definition situation_of (G : game) (s : position) : Game.situation :=
  {| Game.at_ := fun n =>
       match nth_error (points (the_board G)) n with
       | Some p => option_map (fun x => (side_of (owner x), legs_as (legs_of G x))) (pod_at (on_points s) p)
       | None => None
       end;
     Game.hand := fun x k => count (hand s (match x with Game.White => White | Game.Black => Black end)) k;
     Game.mover := side_of (to_move s);
     Game.opening := is_open s |}.

Lemma index_nth l p : In p l -> nth_error l (index l p) = Some p.
Proof.
  induction l as [|q l IH]; simpl; [tauto|]. intro I. destruct (same_point_spec p q) as [->|N]; simpl; auto.
  apply IH. destruct I; congruence.
Qed.
Lemma nth_index l n p : NoDup l -> nth_error l n = Some p -> index l p = n.
Proof.
  intro D. revert n. induction D as [|q l N D IH]; intros [|n]; simpl; try discriminate.
  - intro E; injection E as ->. now rewrite same_point_refl.
  - intro E. destruct (same_point_spec p q) as [->|]; [|now rewrite (IH n)]. exfalso. apply N. now apply nth_error_In in E.
Qed.

Theorem placement_games_are_those_of_the_rules G s X :
  is_board (the_board G) = true -> forallb are_legs (kinds G) = true -> moves (the_options G) = false ->
  captures (the_options G) <> EveryTurn -> R29_is_consistent G s = true ->
  (Game.wins (placement_game G) (side_of X) (situation_of G s) <-> exists n, can_win G X n s = true).
Proof.
  intros Bd Lg M C K. set (b := the_board G). set (l := points b).
  assert (D : NoDup l) by (unfold is_board in Bd; apply andb_true_iff in Bd; now apply all_different_NoDup).
  assert (N : forall p, on_board b p = true -> nth_error l (index l p) = Some p).
  { intros p P. apply index_nth. now apply is_among_In. }
  apply (wins_is_can_win G (placement_game G) (index l)); auto.
  - intro k. unfold legs_of_kind. destruct (nth_in_or_default k (kinds G) []) as [I|E]; [|now rewrite E].
    rewrite forallb_forall in Lg. apply Lg in I. unfold are_legs in I. apply andb_true_iff in I. tauto.
  - intros p q P Q E. fold b in P, Q. apply N in P, Q. congruence.
  - intro n. simpl. fold b. fold l. rewrite in_seq. split.
    + intros [_ L]. destruct (nth_error l n) as [p|] eqn:E; [|apply nth_error_None in E; lia].
      exists p. split; [apply is_among_In; now apply nth_error_In in E|now apply nth_index].
    + intros (p & P & <-). split; [lia|]. simpl. apply nth_error_Some. fold b in P. rewrite (N p P). discriminate.
  - intros d p P. simpl. fold b in P |- *. fold l. rewrite (N p P). now destruct d.
  - constructor.
    + intros p x P X'. simpl. fold b in P |- *. fold l. rewrite (N p P), X'. simpl. eexists. split; [reflexivity|auto].
    + intros n E. simpl. fold b. fold l. destruct (nth_error l n) as [p|] eqn:F; auto.
      destruct (pod_at (on_points s) p) as [x|] eqn:Y; auto. exfalso. apply E. exists p, x.
      split; [apply is_among_In; now apply nth_error_In in F|]. split; auto. now apply nth_index.
    + intros x k. simpl. now destruct x.
    + reflexivity.
    + reflexivity.
Qed.
Theorem placement_games_are_well_formed G : is_board (the_board G) = true -> Game.wf (placement_game G).
Proof.
  intro Bd. set (b := the_board G). set (l := points b).
  assert (D : NoDup l) by (unfold is_board in Bd; apply andb_true_iff in Bd; now apply all_different_NoDup).
  assert (Nx : forall e m n, Game.next (placement_game G) e m = Some n ->
    exists p q, nth_error l m = Some p /\ nth_error l n = Some q /\ connected b (dir_from e) p = Some q).
  { intros e m n. simpl. fold b. fold l. destruct (nth_error l m) as [p|] eqn:E; [|discriminate].
    destruct (connected b (dir_from e) p) as [q|] eqn:C; [|discriminate]. simpl. intro F. injection F as <-.
    exists p, q. repeat split; auto. apply index_nth. apply connected_is in C. apply is_among_In. tauto. }
  constructor.
  - intros e m n E. destruct (Nx e m n E) as (p & q & P & Q & C). simpl. fold b. fold l. rewrite Q.
    apply connected_both_ways in C. replace (dir_from (Game.opp e)) with (opposite (dir_from e)) by now destruct e.
    rewrite C. simpl. f_equal. now apply nth_index.
  - intros e m n E. destruct (Nx e m n E) as (p & q & P & Q & _). simpl. fold b. fold l. rewrite !in_seq.
    assert (m < length l)%nat by (apply nth_error_Some; congruence). assert (n < length l)%nat by (apply nth_error_Some; congruence). lia.
  - simpl. apply seq_NoDup.
Qed.
