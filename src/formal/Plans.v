(** Counting and mirror, computed: [counting_ok] and [mirror_ok] say yes only where the lemmas' conditions hold. *)
From Coq Require Import List Arith Lia Bool Uint63.
Import ListNotations.
From Pods Require Import Game Room Counting Mirror Essence Certificate Sets Board Seen.
Local Open Scope nat_scope.

(** A hand without one pod of kind k; and the kind. *)
Fixpoint taken (k : kind) (l : list (kd * nat)) : option (kd * list (kd * nat)) := match l with
  | [] => None
  | (e, n) :: t =>
      if Nat.eqb (kd_no e) k then Some (e, match n with S (S m) => (e, S m) :: t | _ => t end)
      else match taken k t with Some (e', t') => Some (e', (e, n) :: t') | None => None end end.
Fixpoint row_of (k : kind) (l : list row) : option row := match l with
  | [] => None | r :: t => if Nat.eqb (kd_no (r_kd r)) k then Some r else row_of k t end.

(** What the loser's living pairs (T, their legs) mean for the winner's placements. *)
Record threats := Threats { t_points : set; t_bad : set; t_near : oct set; t_far : oct set }.

Section Plans.
Context (G : game) (B : geo) (X : side).
Notation Y := (other X).
Notation way_of d := (get (g_ways B) d).

Fixpoint legs_at (d : dir) (l : list row) (acc : set) : set := match l with
  | [] => acc | r :: t => legs_at d t (or acc (and (r_set r) (get (kd_any (r_kd r) Y) d))) end.
Fixpoint longs_at (d : dir) (l : list row) (acc : set) : set := match l with
  | [] => acc | r :: t => longs_at d t (or acc (and (r_set r) (get (kd_long (r_kd r) Y) d))) end.
Definition threats_of (pass : set) (l : list row) : threats :=
  let Tp := union l none in
  Threats Tp
    (or Tp (or8 (tab (fun d => or (go (way_of d) (legs_at d l none)) (slide (way_of d) (longs_at d l none) pass)))))
    (tab (fun d => go (way_of (opp d)) Tp)) (tab (fun d => slide (way_of (opp d)) Tp pass)).
Definition safe_set (th : threats) (r : row) : set :=
  diff (diff (r_set r) (t_bad th)) (over (kd_legs (r_kd r) X) (t_near th) (t_far th) none).
(** the pair has a neighbour that nobody comes to *)
Definition keeps (E : set) (th : threats) (used : set) (k : kd) : set :=
  let free := diff (diff E (t_points th)) used in
  let t := tab (fun d => go (way_of (opp d)) free) in over (kd_legs k X) t t none.

(** The rest of a plan, pairs of a kind and a point by number; lr are the winner's legal pairs. *)
Fixpoint goes (E : set) (th : threats) (lr : list row) (used : set) (hand : list (kd * nat)) (l : list (kind * nat)) : bool := match l with
  | [] => true
  | (k, i) :: t => match nth_error (g_points B) i, row_of k lr, taken k hand with
      | Some p, Some r, Some (_, hand') =>
          meet (safe_set th r) (pt_bit p) && negb (meet used (pt_bit p)) &&
          (if placement_liberty G then meet (keeps E th used (r_kd r)) (pt_bit p) else true) &&
          goes E th lr (or used (pt_bit p)) hand' t
      | _, _, _ => false end end.
(** The plan, if the winner is to move: the first pair need only be legal. *)
Definition goes_first E th lr (hand : list (kd * nat)) (l : list (kind * nat)) : bool := match l with
  | [] => false
  | (k, i) :: t => match nth_error (g_points B) i, row_of k lr, taken k hand with
      | Some p, Some r, Some (_, hand') => meet (r_set r) (pt_bit p) && goes E th lr (pt_bit p) hand' t
      | _, _, _ => false end end.

(** A set of points and some kinds such that each living pair of the loser has one of the points or is of one of the kinds: a
    matching is not larger than the points and the pods of the kinds. *)
Fixpoint covered_by (ks : list kind) (ps : set) (l : list row) : bool := match l with
  | [] => true | r :: t => (is_in (kd_no (r_kd r)) ks || is_none (diff (r_set r) ps)) && covered_by ks ps t end.
Fixpoint pods_of_kinds (ks : list kind) (l : list row) : nat := match l with
  | [] => 0 | r :: t => (if is_in (kd_no (r_kd r)) ks then r_n r else 0) + pods_of_kinds ks t end.
Fixpoint how_many (ps : set) (l : list pt) : nat := match l with
  | [] => 0 | p :: t => (if meet ps (pt_bit p) then 1 else 0) + how_many ps t end.

Record plan_of := Plan { pl_kinds : list kind; pl_points : set; pl_pairs : list (kind * nat) }.
(** lr: the winner's legal pairs; ly: the loser's living ones *)
Definition counting_ok (E : set) (th : threats) (lr ly : list row) (hand : list (kd * nat)) (first : bool) (pl : plan_of) : bool :=
  covered_by (pl_kinds pl) (pl_points pl) ly &&
  let n := pods_of_kinds (pl_kinds pl) ly + how_many (pl_points pl) (g_points B) in
  if first then Nat.eqb (length (pl_pairs pl)) (n + 1) && goes_first E th lr hand (pl_pairs pl)
  else Nat.eqb (length (pl_pairs pl)) n && goes E th lr none hand (pl_pairs pl).

(** ** What is computed is right *)

Lemma taken_app k : forall l e l', taken k l = Some (e, l') -> exists l1 n l2, l = l1 ++ (e, n) :: l2 /\ kd_no e = k /\
  l' = l1 ++ match n with S (S m) => (e, S m) :: l2 | _ => l2 end.
Proof.
  induction l as [|[e n] t IH]; simpl; [discriminate|]. intros e' l'. destruct (Nat.eqb_spec (kd_no e) k) as [Ek|N].
  - intro H. injection H as <- <-. exists [], n, t. auto.
  - destruct (taken k t) as [[e1 t1]|] eqn:Tk; [|discriminate]. intro H. injection H as <- <-.
    destruct (IH _ _ eq_refl) as (l1 & m & l2 & A & C & D). exists ((e, n) :: l1), m, l2. subst. auto.
Qed.
Lemma taken_spec k l h e l' : hand_rep G l h -> taken k l = Some (e, l') ->
  kd_no e = k /\ kd_ok G e /\ 1 <= h k /\ hand_rep G l' (fun j => if Nat.eqb j k then h j - 1 else h j).
Proof.
  intros [a b c] H. apply taken_app in H. destruct H as (l1 & n & l2 & -> & <- & ->).
  destruct (b e n) as (K & N1 & He). { apply in_app_iff. right. now left. }
  rewrite map_app in a. simpl in a. pose proof (NoDup_remove_1 _ _ _ a) as a1. pose proof (NoDup_remove_2 _ _ _ a) as a2.
  split; auto. split; auto. split; [lia|].
  assert (Nq : forall k m, In (k, m) (l1 ++ l2) -> kd_no k <> kd_no e).
  { intros k m I Q. apply a2. rewrite <- map_app, <- Q. apply in_map_iff. exists (k, m). auto. }
  assert (IN : forall x, In x (l1 ++ match n with S (S m) => (e, S m) :: l2 | _ => l2 end) <-> In x (l1 ++ l2) \/ exists m, n = S (S m) /\ x = (e, S m)).
  { intro x. rewrite !in_app_iff. destruct n as [|[|m]]; simpl.
    - split; [tauto|]. intros [?|(m & ? & _)]; [tauto|discriminate].
    - split; [tauto|]. intros [?|(m & ? & _)]; [tauto|discriminate].
    - split; [intros [?|[<-|?]]; eauto 6|]. intros [[?|?]|(m' & Q & ->)]; auto. }
  split.
  - rewrite map_app. destruct n as [|[|m]]; simpl; auto.
  - intros k m I. apply IN in I. destruct I as [I|(m' & -> & I)].
    + pose proof (Nq _ _ I) as Nke. destruct (Nat.eqb_spec (kd_no k) (kd_no e)); [congruence|]. apply b.
      apply in_app_iff in I. apply in_app_iff. simpl. tauto.
    + injection I as Ik Im. subst k m. rewrite Nat.eqb_refl. split; [auto|split; [lia|]]. lia.
  - intros k Hk. destruct (Nat.eqb_spec k (kd_no e)) as [Ek|Q].
    + rewrite Ek in *. rewrite He in Hk. exists e, (n - 1). split; auto. apply IN. right. exists (n - 2). split; [lia|]. f_equal. lia.
    + destruct (c k Hk) as (e' & m & I & E). exists e', m. split; auto. apply IN. left. apply in_app_iff in I. apply in_app_iff.
      destruct I as [?|[I|?]]; auto. injection I as <- <-. congruence.
Qed.
Lemma row_of_spec k l r : row_of k l = Some r -> In r l /\ kd_no (r_kd r) = k.
Proof.
  induction l as [|r' t IH]; simpl; [discriminate|]. destruct (Nat.eqb_spec (kd_no (r_kd r')) k).
  - intro H. injection H as <-. auto.
  - intro H. destruct (IH H). auto.
Qed.

Context (W : wf G) (Ok : geo_ok G B).
Section Of.
Context (s : sit) (S : situation) (Rp : rep G s S) (closed : opening S = false).
Notation E := (empties B s).
Notation pass := (pass_set G B E).
Context (ly lr : list row) (Ly : rows_for G ly (hand S Y) (living G S Y)) (Lr : rows_for G lr (hand S X) (legal G S X)).
Notation th := (threats_of pass ly).

Lemma at_legs d acc p : mem (legs_at d ly acc) p <-> mem acc p \/ exists k, living G S Y k p /\ lie G Y k d <> None.
Proof.
  assert (Z : forall l, (forall r, In r l -> In r ly) -> forall acc, mem (legs_at d l acc) p <-> mem acc p \/
     exists r, In r l /\ mem (r_set r) p /\ lie G Y (kd_no (r_kd r)) d <> None).
  { induction l as [|r t IH]; simpl; intros I a; [split; auto; intros [?|(? & [] & _)]; auto|].
    destruct (rw_in _ _ _ _ Ly r (I r (or_introl eq_refl))) as ((_ & _ & K) & _ & _ & _ & A). destruct (K Y) as (_ & _ & KA & _).
    rewrite IH, mem_or, mem_and, KA by auto. split.
    - intros [[?|(? & ? & ?)]|(r' & ? & ?)]; eauto 8.
    - intros [?|(r' & [->|?] & M & L)]; eauto 8. left; right. split; [auto|split; [auto|]]. apply A in M. apply M. }
  rewrite Z by auto. split; (intros [?|H]; [auto|right]).
  - destruct H as (r & I & M & L). exists (kd_no (r_kd r)). split; auto. now apply (rw_in _ _ _ _ Ly r I).
  - destruct H as (k & M & L). destruct (rw_all _ _ _ _ Ly k p M) as (r & I & <-). exists r. split; auto. split; auto.
    now apply (rw_in _ _ _ _ Ly r I).
Qed.
Lemma at_longs d acc p : mem (longs_at d ly acc) p <-> mem acc p \/ exists k, living G S Y k p /\ lie G Y k d = Some Long.
Proof.
  assert (Z : forall l, (forall r, In r l -> In r ly) -> forall acc, mem (longs_at d l acc) p <-> mem acc p \/
     exists r, In r l /\ mem (r_set r) p /\ lie G Y (kd_no (r_kd r)) d = Some Long).
  { induction l as [|r t IH]; simpl; intros I a; [split; auto; intros [?|(? & [] & _)]; auto|].
    destruct (rw_in _ _ _ _ Ly r (I r (or_introl eq_refl))) as ((_ & _ & K) & _ & _ & _ & A). destruct (K Y) as (_ & _ & _ & KA).
    rewrite IH, mem_or, mem_and, KA by auto. split.
    - intros [[?|(? & ? & ?)]|(r' & ? & ?)]; eauto 8.
    - intros [?|(r' & [->|?] & M & L)]; eauto 8. left; right. split; [auto|split; [auto|]]. apply A in M. apply M. }
  rewrite Z by auto. split; (intros [?|H]; [auto|right]).
  - destruct H as (r & I & M & L). exists (kd_no (r_kd r)). split; auto. now apply (rw_in _ _ _ _ Ly r I).
  - destruct H as (k & M & L). destruct (rw_all _ _ _ _ Ly k p M) as (r & I & <-). exists r. split; auto. split; auto.
    now apply (rw_in _ _ _ _ Ly r I).
Qed.
Lemma T_spec p : mem (t_points th) p <-> Counting.T G X S p.
Proof. cbn [threats_of t_points]. rewrite (union_for _ _ _ _ Ly). unfold Counting.T. split; [intros [?%mem_none|?]; tauto|tauto]. Qed.
Lemma runs d p q : run G (mem pass) d p q <-> run G (passes G S) d p q.
Proof. apply (run_iff G W). apply (pass_spec G B Ok s S Rp). Qed.
Lemma bad_sound p : ~ mem (t_bad th) p -> ~ Counting.T G X S p /\ forall j t, living G S Y j t -> ~ reaches G S (lie G Y j) t p.
Proof.
  intro N. cbn [threats_of t_bad] in N. rewrite mem_or, or8_spec in N. split.
  - intro Tp. apply N. left. now apply T_spec.
  - intros j t L [d R]. apply N. right. exists d. rewrite get_tab, mem_or. destruct R as [[A C]|[A C]]; [left|right].
    + apply (go_spec G W B Ok). exists t. split; auto. apply at_legs. right. eauto.
    + apply (slide_spec G W B Ok). exists t. split; [apply at_longs; right; eauto|now apply runs].
Qed.
Lemma near_T d p : mem (get (t_near th) d) p <-> exists q, next G d p = Some q /\ Counting.T G X S q.
Proof.
  cbn [threats_of t_near]. rewrite get_tab, (go_back G W B Ok). split; intros (q & A & C); exists q; split; auto; now apply T_spec.
Qed.
Lemma far_T d p : mem (get (t_far th) d) p <-> exists q, run G (passes G S) d p q /\ Counting.T G X S q.
Proof.
  cbn [threats_of t_far]. rewrite get_tab, (slide_back G W B Ok).
  split; intros (q & A & C); exists q; split; try (now apply T_spec); now apply runs.
Qed.
Lemma safe_sound r p : In r lr -> mem (safe_set th r) p -> safe G X S (kd_no (r_kd r)) p.
Proof.
  intros I M. destruct (rw_in _ _ _ _ Lr r I) as ((_ & _ & K) & _ & _ & _ & A). destruct (K X) as (KL & _).
  unfold safe_set in M. rewrite !mem_diff, A, KL, over_lie in M. destruct M as [[L Nb] No].
  destruct (bad_sound p Nb) as [b1 b2]. split; auto.
  intros t [d R] Tt. apply No. right. exists d. destruct R as [[C D]|[C D]].
  - destruct (lie G X (kd_no (r_kd r)) d) as [[|]|] eqn:Ld; [left|right|congruence]; (split; [auto|]).
    + apply near_T. eauto.
    + apply far_T. exists t. split; auto. now apply run_next.
  - right. split; auto. apply far_T. eauto.
Qed.
Lemma keeps_sound r p used before : In r lr -> (forall q, mem used q <-> In q before) ->
  mem (keeps E th used (r_kd r)) p -> free_neighbour G X S (kd_no (r_kd r)) p before.
Proof.
  intros I U M. destruct (rw_in _ _ _ _ Lr r I) as ((_ & _ & K) & _). destruct (K X) as (KL & _).
  unfold keeps in M. rewrite KL, over_lie in M.
  assert (Z : forall d, mem (get (tab (fun d => go (way_of (opp d)) (diff (diff E (t_points th)) used))) d) p ->
    exists q, next G d p = Some q /\ empty S q /\ ~ Counting.T G X S q /\ ~ In q before).
  { intros d H. rewrite get_tab in H. apply (go_back G W B Ok) in H. destruct H as (q & Q & N).
    rewrite !mem_diff, (empties_spec G B Ok s S Rp), U in Q. exists q. split; auto. split; [tauto|]. rewrite <- T_spec. tauto. }
  destruct M as [?%mem_none|(d & [[L M]|[L M]])]; [tauto| |]; apply Z in M; destruct M as (q & ? & ? & ? & ?); exists d, q;
  (split; [congruence|auto]).
Qed.

Lemma goes_sound : forall l used hd h before, hand_rep G hd h -> (forall q, mem used q <-> In q before) ->
  goes E th lr used hd l = true ->
  exists zs, goes_on G X S before zs /\ (forall k, uses zs k <= h k) /\ length zs = length l.
Proof.
  induction l as [|[k i] t IH]; intros used hd h before Hd U H.
  - exists []. split; [exact I|]. split; [|auto]. intro k. unfold uses. simpl. lia.
  - cbn [goes] in H. destruct (nth_error (g_points B) i) as [p|] eqn:Pi; [|discriminate]. destruct (row_of k lr) as [r|] eqn:Ro; [|discriminate].
    destruct (taken k hd) as [[e hd']|] eqn:Tk; [|discriminate]. rewrite !andb_true_iff in H. destruct H as [[[H1 H2] H3] H4].
    apply nth_error_In in Pi. destruct (go_pts _ _ Ok p Pi) as (P63 & Pb & Pin). rewrite Pb in *.
    rewrite meet_one in H1 by auto. apply row_of_spec in Ro. destruct Ro as [Rin <-].
    destruct (taken_spec _ _ _ _ _ Hd Tk) as (T1 & T2 & T3 & T4).
    apply negb_true_iff in H2. assert (Nu : ~ mem used (pt_no p)) by (rewrite <- meet_one by auto; congruence).
    assert (U' : forall q, mem (or used (one (pt_no p))) q <-> In q (pt_no p :: before)).
    { intro q. rewrite mem_or, mem_one, U by auto. simpl. intuition. }
    destruct (IH _ _ _ (pt_no p :: before) T4 U' H4) as (zs & Z1 & Z2 & Z3).
    exists ((kd_no (r_kd r), pt_no p) :: zs). split; [|split; [|simpl; auto]].
    + cbn [goes_on]. split; [now apply safe_sound|]. split; [now rewrite <- U|]. split; auto.
      intro Lb. rewrite Lb in H3. rewrite meet_one in H3 by auto. eapply keeps_sound; eauto.
    + intro j. rewrite uses_cons. specialize (Z2 j). simpl in Z2. destruct (Nat.eq_dec (kd_no (r_kd r)) j) as [<-|N].
      * rewrite Nat.eqb_refl in Z2. lia.
      * destruct (Nat.eqb_spec j (kd_no (r_kd r))); [congruence|lia].
Qed.
Lemma goes_first_sound hd l : hand_rep G hd (hand S X) -> goes_first E th lr hd l = true ->
  exists k p zs, legal G S X k p /\ goes_on G X S [p] zs /\ (forall j, uses ((k, p) :: zs) j <= hand S X j) /\ length l = length zs + 1.
Proof.
  intros Hd H. destruct l as [|[k i] t]; [discriminate|]. cbn [goes_first] in H.
  destruct (nth_error (g_points B) i) as [p|] eqn:Pi; [|discriminate]. destruct (row_of k lr) as [r|] eqn:Ro; [|discriminate].
  destruct (taken k hd) as [[e hd']|] eqn:Tk; [|discriminate]. rewrite !andb_true_iff in H. destruct H as [H1 H4].
  apply nth_error_In in Pi. destruct (go_pts _ _ Ok p Pi) as (P63 & Pb & Pin). rewrite Pb in *.
  rewrite meet_one in H1 by auto. apply row_of_spec in Ro. destruct Ro as [Rin <-].
  destruct (taken_spec _ _ _ _ _ Hd Tk) as (T1 & T2 & T3 & T4).
  assert (U' : forall q, mem (one (pt_no p)) q <-> In q [pt_no p]).
  { intro q. rewrite mem_one by auto. simpl. intuition. }
  destruct (goes_sound _ _ _ _ _ T4 U' H4) as (zs & Z1 & Z2 & Z3).
  exists (kd_no (r_kd r)), (pt_no p), zs. split; [now apply (rw_in _ _ _ _ Lr r Rin)|]. split; auto. split; [|simpl; lia].
  intro j. rewrite uses_cons. specialize (Z2 j). simpl in Z2. destruct (Nat.eq_dec (kd_no (r_kd r)) j) as [<-|N].
  - rewrite Nat.eqb_refl in Z2. lia.
  - destruct (Nat.eqb_spec j (kd_no (r_kd r))); [congruence|lia].
Qed.

(** the size of a matching *)
Lemma filter_two {A} (f : A -> bool) l : length l = length (filter f l) + length (filter (fun a => negb (f a)) l).
Proof. induction l as [|a t IH]; simpl; auto. destruct (f a); simpl; lia. Qed.
Lemma nodup_filter {A C} (f : A -> bool) (g : A -> C) l : NoDup (map g l) -> NoDup (map g (filter f l)).
Proof.
  induction l as [|a t IH]; simpl; auto. intro N. inversion N; subst. destruct (f a); simpl; auto. constructor; auto.
  intro I. apply H1. apply in_map_iff in I. destruct I as (b & E & I). apply filter_In in I. apply in_map_iff. exists b. tauto.
Qed.
Fixpoint uses_of (ks : list kind) (m : pairs) (l : list row) : nat := match l with
  | [] => 0 | r :: t => (if is_in (kd_no (r_kd r)) ks then uses m (kd_no (r_kd r)) else 0) + uses_of ks m t end.
Lemma uses_of_mono ks k p m l : uses_of ks m l <= uses_of ks ((k, p) :: m) l.
Proof. induction l as [|r t IH]; simpl; auto. rewrite uses_cons. destruct (is_in (kd_no (r_kd r)) ks), (Nat.eq_dec k (kd_no (r_kd r))); lia. Qed.
Lemma uses_of_cons ks k p m l : In k (map (fun r => kd_no (r_kd r)) l) -> is_in k ks = true -> uses_of ks m l + 1 <= uses_of ks ((k, p) :: m) l.
Proof.
  induction l as [|r t IH]; simpl; [easy|]. intros [<-|I] K.
  - rewrite K, uses_cons. destruct (Nat.eq_dec (kd_no (r_kd r)) (kd_no (r_kd r))); [|congruence]. pose proof (uses_of_mono ks (kd_no (r_kd r)) p m t). lia.
  - specialize (IH I K). rewrite uses_cons. destruct (is_in (kd_no (r_kd r)) ks), (Nat.eq_dec k (kd_no (r_kd r))); lia.
Qed.
Lemma uses_of_bound ks m l : (forall k p, In (k, p) m -> In k (map (fun r => kd_no (r_kd r)) l) /\ is_in k ks = true) -> length m <= uses_of ks m l.
Proof.
  induction m as [|[k p] t IH]; simpl; intro H; [lia|]. destruct (H k p) as [A C]; auto.
  pose proof (uses_of_cons ks k p t l A C). assert (length t <= uses_of ks t l) by (apply IH; intros; eapply H; eauto). lia.
Qed.
Lemma uses_filter f m k : uses (filter f m) k <= uses m k.
Proof.
  induction m as [|[j p] t IH]; simpl; auto. destruct (f (j, p)); rewrite ?uses_cons; lia.
Qed.
Lemma matching_bound ks ps m : covered_by ks ps ly = true -> matching G X S m ->
  length m <= pods_of_kinds ks ly + how_many ps (g_points B).
Proof.
  intros Cv (M1 & M2 & M3). eapply Nat.le_trans; [apply Nat.eq_le_incl, (filter_two (fun e => is_in (fst e) ks) m)|]. apply Nat.add_le_mono.
  - etransitivity; [apply uses_of_bound with (ks := ks) (l := ly)|].
    + intros k p I. apply filter_In in I. destruct I as [I K]. split; [|exact K].
      destruct (rw_all _ _ _ _ Ly k p (M1 k p I)) as (r & R & <-). apply in_map_iff. eauto.
    + assert (Z : forall l, (forall r, In r l -> In r ly) -> uses_of ks (filter (fun e => is_in (fst e) ks) m) l <= pods_of_kinds ks l).
      { induction l as [|r t IH]; intro I; cbn [uses_of pods_of_kinds]; auto.
        assert (uses_of ks (filter (fun e => is_in (fst e) ks) m) t <= pods_of_kinds ks t) by (apply IH; intros; apply I; now right).
        destruct (rw_in _ _ _ _ Ly r (I r (or_introl eq_refl))) as (_ & _ & Hn & _).
        pose proof (uses_filter (fun e => is_in (fst e) ks) m (kd_no (r_kd r))). specialize (M3 (kd_no (r_kd r))).
        destruct (is_in (kd_no (r_kd r)) ks); [|exact H]. apply Nat.add_le_mono; [|exact H].
        eapply Nat.le_trans; [exact H0|]. rewrite <- Hn. exact M3. }
      apply Z. auto.
  - rewrite <- (map_length snd). assert (HM : forall l, how_many ps l = length (map pt_no (filter (fun p => meet ps (pt_bit p)) l))).
    { induction l as [|p t IH]; simpl; auto. destruct (meet ps (pt_bit p)); simpl; rewrite IH; auto. }
    rewrite HM. apply NoDup_incl_length; [now apply nodup_filter|]. intros p I. apply in_map_iff in I. destruct I as ([k q] & <- & I).
    apply filter_In in I. destruct I as [I K]. simpl in *. specialize (M1 k q I).
    destruct (rw_all _ _ _ _ Ly k q M1) as (r & R & <-).
    assert (C1 : is_in (kd_no (r_kd r)) ks || is_none (diff (r_set r) ps) = true).
    { clear -Cv R. induction ly as [|r' t IH]; simpl in *; [easy|]. apply andb_true_iff in Cv. destruct R as [->|R]; [tauto|apply IH; tauto]. }
    apply negb_true_iff in K. rewrite K in C1. simpl in C1. pose proof (proj1 (is_none_iff _) C1 q) as N. rewrite mem_diff in N.
    assert (Mq : mem (r_set r) q) by now apply (rw_in _ _ _ _ Ly r R).
    assert (Mp : mem ps q) by (destruct (mem_dec ps q); tauto).
    destruct (go_pts' _ _ Ok q) as (t & Ti & <-). { apply M1. }
    apply in_map_iff. exists t. split; auto. apply filter_In. split; auto. now apply (pt_one G B Ok).
Qed.

Theorem counting_sound hd (first : bool) pl : empty_hand_wins G = false -> hand_rep G hd (hand S X) ->
  (if first then mover S = X else mover S = Y) ->
  counting_ok E th lr ly hd first pl = true -> counting G X S.
Proof.
  intros Lo Hd Mv H. unfold counting_ok in H. apply andb_true_iff in H. destruct H as [Cv H].
  split; [auto|split; [auto|]]. set (n := pods_of_kinds (pl_kinds pl) ly + how_many (pl_points pl) (g_points B)) in H.
  exists n. destruct first; apply andb_true_iff in H; destruct H as [Ln H]; apply Nat.eqb_eq in Ln.
  - destruct (goes_first_sound _ _ Hd H) as (k & p & zs & L & Go & Us & Le). exists ((k, p) :: zs). split.
    + intros mm Mm. exact (matching_bound _ _ mm Cv Mm).
    + split; auto. right. split; auto. exists k, p, zs. split; auto. split; auto. split; auto. simpl. lia.
  - assert (U0 : forall q, mem none q <-> In q []). { intro q. split; [now intros ?%mem_none|easy]. }
    destruct (goes_sound _ _ _ _ _ Hd U0 H) as (zs & Go & Us & Le). exists zs. split.
    + intros mm Mm. exact (matching_bound _ _ mm Cv Mm).
    + split; auto. left. split; auto. split; auto. congruence.
Qed.
End Of.
End Plans.
