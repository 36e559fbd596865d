(** Certificates about the rules: a claim is a game and a position of Rules.v and a side; if the checker accepts it, the side can
    force an end of the game in its favour, by Rules.v. This is the last theorem: nothing but Rules.v and it has to be read. *)
From Coq Require Import List ZArith Bool Lia.
From Pods Require Import Rules Facts Bridge.
From Pods Require Game Board Check Claim Final.
Import ListNotations.

Section Claim.
Variable G : game.
Variable columns : nat.
Let B := the_board G.
Let o := the_options G.

(** The number of a point: places of the grid row by row, from the bottom. *)
Definition number (p : point) : nat := Z.to_nat (snd p * Z.of_nat columns + fst p).
Definition lines_of : list (Game.point * Game.dir * Game.point) :=
  flat_map (fun p => flat_map (fun d => match connected B d p with
    | Some q => [(number p, dir_of d, number q)]
    | None => [] end) [North; NorthEast; East; SouthEast]) (points B).
Definition claim_of (s : position) (winner : side) : Board.header := Board.Header
  (map number (points B)) lines_of
  (map (map (fun l => (dir_of (towards l), len_of (size l)))) (kinds G))
  (placement_liberty o) (attack_through o) (match empty_hand o with Wins => true | Loses => false end)
  (map (fun there => (number (fst there), (side_of (owner (snd there)), its_kind (snd there)))) (on_points s))
  (map (count (white_hand s)) (seq 0 (length (kinds G)))) (map (count (black_hand s)) (seq 0 (length (kinds G))))
  (side_of (to_move s)) (is_open s) (side_of winner).

(** What a claim has to be: a placement game, a board of these columns from the first row on, legs as R3 has them, and a consistent
    position. *)
Definition can_be_claimed (s : position) : bool :=
  negb (moves o) && match captures o with EveryTurn => false | _ => true end &&
  forallb no_two_alike (kinds G) &&
  forallb (fun p => (0 <=? fst p) && (fst p <? Z.of_nat columns) && (0 <=? snd p))%Z (points B) &&
  R29_is_consistent G s.

(** The checker. [turn] is for the mirror: the number of places of the grid. The oracle says what the certificate says. *)
Definition proves {O : Type} (s : position) (winner : side) (turn : nat) (oracle : Check.oracle O) (memory : O) : bool :=
  can_be_claimed s && Claim.check (claim_of s winner) turn oracle memory.

Lemma next_of_some l e a b : Board.next_of l e a = Some b ->
  exists c f g, In (c, f, g) l /\ ((f = e /\ c = a /\ g = b) \/ (Game.opp f = e /\ g = a /\ c = b)).
Proof.
  assert (D : forall x y, Board.dir_eqb x y = true -> x = y) by (intros [] []; simpl; congruence).
  induction l as [|[[c f] g] r IH]; simpl; [discriminate|].
  destruct (Board.dir_eqb f e && Nat.eqb c a) eqn:E1; [|destruct (Board.dir_eqb (Game.opp f) e && Nat.eqb g a) eqn:E2].
  - intro H. injection H as <-. apply andb_true_iff in E1. destruct E1 as [E1%D E1'%Nat.eqb_eq]. exists c, f, g. auto.
  - intro H. injection H as <-. apply andb_true_iff in E2. destruct E2 as [E2%D E2'%Nat.eqb_eq]. exists c, f, g. auto 6.
  - intro H. destruct (IH H) as (c' & f' & g' & I & Z). exists c', f', g'. auto.
Qed.
Lemma next_of_none l e a : Board.next_of l e a = None -> forall c f g, In (c, f, g) l -> ~ (f = e /\ c = a) /\ ~ (Game.opp f = e /\ g = a).
Proof.
  assert (D : forall x, Board.dir_eqb x x = true) by (intros []; reflexivity).
  induction l as [|[[c f] g] r IH]; simpl; [easy|].
  destruct (Board.dir_eqb f e && Nat.eqb c a) eqn:E1; [discriminate|]. destruct (Board.dir_eqb (Game.opp f) e && Nat.eqb g a) eqn:E2; [discriminate|].
  intros H c' f' g' [I|I]; [|now apply IH]. injection I as <- <- <-. split.
  - intros [-> ->]. rewrite D, Nat.eqb_refl in E1. discriminate.
  - intros [<- ->]. rewrite D, Nat.eqb_refl in E2. discriminate.
Qed.
Lemma in_lines c f g : In (c, f, g) lines_of <->
  exists p d q, on_board B p = true /\ In d [North; NorthEast; East; SouthEast] /\ connected B d p = Some q /\ (c, f, g) = (number p, dir_of d, number q).
Proof.
  unfold lines_of. rewrite in_flat_map. split.
  - intros (p & P & I). apply in_flat_map in I. destruct I as (d & D & I). destruct (connected B d p) as [q|] eqn:C; [|easy].
    destruct I as [I|[]]. exists p, d, q. split; [now apply is_among_In|]. auto.
  - intros (p & d & q & P & D & C & E). exists p. split; [now apply is_among_In|]. apply in_flat_map. exists d. split; auto. rewrite C, E. now left.
Qed.
Lemma legs_same l e : Board.legs_of_list (map (fun l => (dir_of (towards l), len_of (size l))) l) e = legs_as l e.
Proof.
  induction l as [|g r IH]; simpl; auto. rewrite IH. replace (Board.dir_eqb (dir_of (towards g)) e) with (same_dir (towards g) e); auto.
Qed.
Lemma kind_same s w k e : Game.kind_legs (Board.game_of (claim_of s w)) k e = legs_as (legs_of_kind G k) e.
Proof. simpl. unfold legs_of_kind. rewrite <- legs_same. f_equal.
  exact (map_nth (map (fun l : leg => (dir_of (towards l), len_of (size l)))) (kinds G) [] k). Qed.
Lemma lie_same s w x e : Game.lie (Board.game_of (claim_of s w)) (side_of (owner x)) (its_kind x) e = legs_as (legs_of G x) e.
Proof.
  unfold Game.lie, legs_of, lying. destruct (owner x); cbn [side_of]; [apply kind_same|]. unfold Game.turned. rewrite kind_same.
  symmetry. apply legs_as_turned.
Qed.

Theorem an_accepted_certificate_is_true {O : Type} (s : position) (winner : side) (turn : nat) (oracle : Check.oracle O) (memory : O) :
  proves s winner turn oracle memory = true -> exists plies, can_win G winner plies s = true.
Proof.
  unfold proves, can_be_claimed. rewrite !andb_true_iff, negb_true_iff. intros [[[[[M C] L] P] K] H].
  set (h := claim_of s winner) in *. set (N := Board.game_of h).
  assert (C' : captures o <> EveryTurn) by (intro E; now rewrite E in C).
  assert (Co : forall p, on_board B p = true -> (0 <= fst p < Z.of_nat columns /\ 0 <= snd p)%Z).
  { intros p I. apply is_among_In in I. rewrite forallb_forall in P. specialize (P p I). rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt in P. lia. }
  assert (Df : forall p q, on_board B p = true -> on_board B q = true -> number p = number q -> p = q).
  { intros [x y] [x' y'] I J E. apply Co in I. apply Co in J. unfold number in E. simpl in *.
    apply Z2Nat.inj in E; [|nia|nia]. assert (y = y') by nia. subst. f_equal. lia. }
  assert (Alike : alike G number s (Board.start_of h)).
  { pose proof K as K'. unfold R29_is_consistent in K'. rewrite !andb_true_iff in K'. destruct K' as [[[K1 K2] K3] K4].
    split.
    - assert (Z : forall ps, forallb (fun there => on_board B (fst there) && is_kind G (its_kind (snd there))) ps = true ->
        forall p x, on_board B p = true -> pod_at ps p = Some x ->
        exists l, Board.pods_of N (map (fun there => (number (fst there), (side_of (owner (snd there)), its_kind (snd there)))) ps) (number p) =
          Some (side_of (owner x), l) /\ forall e, l e = legs_as (legs_of G x) e).
      { induction ps as [|[q y] r IH]; intros Ip p x I; cbn [pod_at map Board.pods_of fst snd]; [discriminate|]. cbn [forallb fst snd] in Ip. apply andb_true_iff in Ip. destruct Ip as [Iq Ip].
        apply andb_true_iff in Iq. destruct Iq as [Iq _]. unfold Game.put. destruct (same_point_spec p q) as [->|Ne].
        - intro E. injection E as ->. rewrite Nat.eqb_refl. eexists. split; [reflexivity|]. intro e.
          apply lie_same.
        - intro E. destruct (Nat.eqb_spec (number p) (number q)) as [E'|_]; [apply Df in E'; auto; contradiction|]. now apply IH. }
      intros p x I. now apply Z.
    - assert (Z : forall ps n, (forall q, forallb (fun there => on_board B (fst there) && is_kind G (its_kind (snd there))) ps = true -> In q (map fst ps) -> n <> number q) ->
        forallb (fun there => on_board B (fst there) && is_kind G (its_kind (snd there))) ps = true ->
        Board.pods_of N (map (fun there => (number (fst there), (side_of (owner (snd there)), its_kind (snd there)))) ps) n = None).
      { induction ps as [|[q y] r IH]; intros n A Ip; simpl; auto. pose proof Ip as Ip'. simpl in Ip'. apply andb_true_iff in Ip'.
        unfold Game.put. destruct (Nat.eqb_spec n (number q)) as [E|_]; [now destruct (A q Ip (or_introl eq_refl))|].
        apply IH; [|tauto]. intros z _ Iz. apply A; auto. now right. }
      intros n Nn. apply Z; auto. intros q _ Iq E. apply Nn. apply in_map_iff in Iq. destruct Iq as ([q' x] & <- & Iq). simpl in *.
      rewrite forallb_forall in K2. pose proof (K2 _ Iq) as Kq. simpl in Kq. apply andb_true_iff in Kq.
      exists q', x. split; [apply Kq|split; [auto|]]. apply In_pod_at; auto. now apply all_different_NoDup.
    - assert (Z : forall l, forallb (is_kind G) l = true -> forall k, nth k (map (count l) (seq 0 (length (kinds G)))) 0 = count l k).
      { intros l Il k. destruct (Nat.lt_ge_cases k (length (kinds G))) as [Lk|Lk].
        - rewrite (nth_indep _ 0 (count l 0)) by now rewrite map_length, seq_length. rewrite map_nth, seq_nth; auto.
        - rewrite nth_overflow by now rewrite map_length, seq_length. symmetry. apply count_occ_not_In. intro I.
          rewrite forallb_forall in Il. apply Il in I. unfold is_kind in I. apply Nat.ltb_lt in I. lia. }
      intros [|] k; simpl; now apply Z.
    - reflexivity.
    - reflexivity. }
  apply (wins_is_can_win G N number) with (t := Board.start_of h); auto.
  - intro k. unfold legs_of_kind. rewrite forallb_forall in L. destruct (nth_in_or_default k (kinds G) []) as [I| ->]; auto.
  - intro n. simpl. rewrite in_map_iff. split; intros (p & A & D); exists p; split; auto; now apply is_among_In.
  - intros d p I. change (on_board B p = true) in I.
    change (Board.next_of lines_of (dir_of d) (number p) = option_map number (connected B d p)).
    destruct (connected B d p) as [q|] eqn:E; cbn [option_map].
    + pose proof (connected_both_ways _ _ _ _ E) as E'. pose proof (connected_is _ _ _ _ E) as (_ & _ & Iq & _).
      destruct (Board.next_of lines_of (dir_of d) (number p)) as [b|] eqn:Nx.
      * apply next_of_some in Nx. destruct Nx as (c & f & g & J & Z). apply in_lines in J. destruct J as (a & d' & b' & Ia & _ & E2 & J).
        injection J as -> -> ->. pose proof (connected_is _ _ _ _ E2) as (_ & _ & Ib & _). destruct Z as [(Z1 & Z2 & <-)|(Z1 & Z2 & <-)].
        -- apply dir_of_injective in Z1. apply Df in Z2; auto.
           assert (X : Some b' = Some q) by (rewrite <- E, <- E2, Z1, Z2; reflexivity). now injection X as ->.
        -- rewrite <- dir_of_opposite in Z1. apply dir_of_injective in Z1. apply Df in Z2; auto.
           apply connected_both_ways in E2. rewrite Z2 in E2. rewrite <- Z1 in E.
           assert (X : Some a = Some q) by (rewrite <- E, <- E2; reflexivity). now injection X as ->.
      * exfalso. assert (D : In d [North; NorthEast; East; SouthEast] \/ In (opposite d) [North; NorthEast; East; SouthEast]) by (destruct d; simpl; auto 10).
        destruct D as [D|D].
        -- destruct (next_of_none _ _ _ Nx (number p) (dir_of d) (number q)) as [A _]; [apply in_lines; exists p, d, q; auto|auto].
        -- destruct (next_of_none _ _ _ Nx (number q) (dir_of (opposite d)) (number p)) as [_ A]; [apply in_lines; exists q, (opposite d), p; auto|].
           apply A. split; auto. rewrite <- dir_of_opposite. now destruct d.
    + destruct (Board.next_of lines_of (dir_of d) (number p)) as [b|] eqn:Nx; auto. exfalso.
      apply next_of_some in Nx. destruct Nx as (c & f & g & J & Z). apply in_lines in J. destruct J as (a & d' & b' & Ia & _ & E2 & J).
      injection J as -> -> ->. pose proof (connected_is _ _ _ _ E2) as (_ & _ & Ib & _). destruct Z as [(Z1 & Z2 & <-)|(Z1 & Z2 & <-)].
      * apply dir_of_injective in Z1. apply Df in Z2; auto.
        assert (X : Some b' = None) by (rewrite <- E, <- E2, Z1, Z2; reflexivity). discriminate.
      * rewrite <- dir_of_opposite in Z1. apply dir_of_injective in Z1. apply Df in Z2; auto.
        apply connected_both_ways in E2. rewrite Z2 in E2. rewrite <- Z1 in E.
        assert (X : Some a = None) by (rewrite <- E, <- E2; reflexivity). discriminate.
  - apply kind_same.
  - exact (Final.check_sound h turn oracle memory H).
Qed.
End Claim.
