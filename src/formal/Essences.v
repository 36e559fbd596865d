(** Essences as values: [essence_of] computes what LEMMAS.md lists, [same_ess] compares two whole, the kinds without order; if it
    says yes, the situations have the same essence ([same_ess_ok]). *)
From Coq Require Import List Arith Lia Bool Uint63 Permutation.
Import ListNotations.
From Pods Require Import Game Room Essence Certificate Sets Board Seen.
Local Open Scope nat_scope.

Record entry := Entry { e_n : nat; e_A : set; e_last : set; e_near : oct set; e_pass : oct set; e_far : oct set; e_strike : oct set }.
Record ess := Ess {
  x_mover : side;
  x_size_white : nat; x_size_black : nat;
  x_n : set; x_ne : set; x_e : set; x_se : set;
  x_struck_white : oct set; x_struck_black : oct set;
  x_white : list entry; x_black : list entry }.
Definition x_link (e : ess) d := match d with dn => x_n e | dne => x_ne e | de => x_e e | _ => x_se e end.
Definition x_struck (e : ess) x := match x with White => x_struck_white e | Black => x_struck_black e end.
Definition x_entries (e : ess) x := match x with White => x_white e | Black => x_black e end.

Definition within (A : set) (t : oct set) : oct set :=
  Oct _ (and A (o_n t)) (and A (o_ne t)) (and A (o_e t)) (and A (o_se t)) (and A (o_s t)) (and A (o_sw t)) (and A (o_w t)) (and A (o_nw t)).
Definition within2 (A : set) (s t : oct set) : oct set :=
  Oct _ (and A (and (o_n s) (o_n t))) (and A (and (o_ne s) (o_ne t))) (and A (and (o_e s) (o_e t))) (and A (and (o_se s) (o_se t)))
        (and A (and (o_s s) (o_s t))) (and A (and (o_sw s) (o_sw t))) (and A (and (o_w s) (o_w t))) (and A (and (o_nw s) (o_nw t))).
Lemma within_get A t d : get (within A t) d = and A (get t d). Proof. destruct d; auto. Qed.
Lemma within2_get A s t d : get (within2 A s t) d = and A (and (get s d) (get t d)). Proof. destruct d; auto. Qed.

Section Essences.
Context (G : game) (B : geo).
Notation way_of d := (get (g_ways B) d).

Definition entry_of (x : side) (v : sight) (lasting_by near8 pass8 far8 : oct set) (r : row) : entry :=
  let k := r_kd r in let A := r_set r in
  let last := if placement_liberty G then and A (over (kd_legs k x) lasting_by lasting_by none) else none in
  Entry (r_n r) A last
    (within2 A (kd_any k x) near8)
    (if placement_liberty G then within2 (diff A last) (kd_any k x) pass8 else nothing)
    (within2 A (kd_long k x) far8)
    (within2 A (kd_long k x) (strike v)).
Fixpoint entries_of x v lasting_by near8 pass8 far8 (l : list row) : list entry := match l with
  | [] => []
  | r :: t => entry_of x v lasting_by near8 pass8 far8 r :: entries_of x v lasting_by near8 pass8 far8 t end.
Fixpoint sum_of (l : list (kd * nat)) : nat := match l with [] => 0 | (_, n) :: t => n + sum_of t end.

Definition essence_of (E pass : set) (vw vb : sight) (s : sit) (r : rooms) : ess :=
  let R := m_room r in let gap := diff E R in
  let of_w := union (m_white r) none in let of_b := union (m_black r) none in
  let lasting_by := tab (fun d => go (way_of (opp d)) gap) in
  let pass8 := tab (fun d => go (way_of (opp d)) R) in
  let near_w := tab (fun d => go (way_of (opp d)) of_b) in
  let near_b := tab (fun d => go (way_of (opp d)) of_w) in
  let far_w := tab (fun d => slide (way_of (opp d)) (and (get near_w d) pass) pass) in
  let far_b := tab (fun d => slide (way_of (opp d)) (and (get near_b d) pass) pass) in
  let link := fun d => if attack_through G then none else and R (slide (way_of (opp d)) R gap) in
  Ess (s_mover s)
    (if empty_hand_wins G then sum_of (f_hand (s_white s)) else 0) (if empty_hand_wins G then sum_of (f_hand (s_black s)) else 0)
    (link dn) (link dne) (link de) (link dse)
    (within of_w (beam vw)) (within of_b (beam vb))
    (entries_of White vw lasting_by near_w pass8 far_w (m_white r))
    (entries_of Black vb lasting_by near_b pass8 far_b (m_black r)).

(** ** Comparison *)

Definition same8 (s t : oct set) : bool :=
  same_set (o_n s) (o_n t) && same_set (o_ne s) (o_ne t) && same_set (o_e s) (o_e t) && same_set (o_se s) (o_se t) &&
  same_set (o_s s) (o_s t) && same_set (o_sw s) (o_sw t) && same_set (o_w s) (o_w t) && same_set (o_nw s) (o_nw t).
Definition same_entry (a b : entry) : bool :=
  same_set (e_A a) (e_A b) && Nat.eqb (e_n a) (e_n b) && same_set (e_last a) (e_last b) && same8 (e_near a) (e_near b) &&
  same8 (e_pass a) (e_pass b) && same8 (e_far a) (e_far b) && same8 (e_strike a) (e_strike b).
(** The list without one entry that is the same as a. *)
Fixpoint without (a : entry) (l : list entry) : option (list entry) := match l with
  | [] => None
  | b :: t => if same_entry a b then Some t else match without a t with Some t' => Some (b :: t') | None => None end end.
Fixpoint same_entries (l m : list entry) : bool := match l with
  | [] => match m with [] => true | _ => false end
  | a :: t => match without a m with Some m' => same_entries t m' | None => false end end.
Definition same_ess (a b : ess) : bool :=
  side_eqb (x_mover a) (x_mover b) && Nat.eqb (x_size_white a) (x_size_white b) && Nat.eqb (x_size_black a) (x_size_black b) &&
  same_set (x_n a) (x_n b) && same_set (x_ne a) (x_ne b) && same_set (x_e a) (x_e b) && same_set (x_se a) (x_se b) &&
  same8 (x_struck_white a) (x_struck_white b) && same8 (x_struck_black a) (x_struck_black b) &&
  same_entries (x_white a) (x_white b) && same_entries (x_black a) (x_black b).

Lemma same8_eq s t : same8 s t = true -> s = t.
Proof.
  unfold same8. rewrite !andb_true_iff, !same_set_iff. destruct s, t; simpl.
  intros [[[[[[[-> ->] ->] ->] ->] ->] ->] ->]. reflexivity.
Qed.
Lemma same_entry_eq a b : same_entry a b = true -> a = b.
Proof.
  unfold same_entry. rewrite !andb_true_iff, !same_set_iff, Nat.eqb_eq.
  intros [[[[[[? ?] ?] ?%same8_eq] ?%same8_eq] ?%same8_eq] ?%same8_eq]. destruct a, b; simpl in *; congruence.
Qed.
Lemma without_perm a l : forall m, without a l = Some m -> Permutation l (a :: m).
Proof.
  induction l as [|b t IH]; simpl; [discriminate|]. intro m. destruct (same_entry a b) eqn:E.
  - apply same_entry_eq in E. intro H. injection H as <-. now subst.
  - destruct (without a t) as [t'|]; [|discriminate]. intro H. injection H as <-.
    rewrite (IH t' eq_refl). apply perm_swap.
Qed.
Lemma same_entries_perm l : forall m, same_entries l m = true -> Permutation l m.
Proof.
  induction l as [|a t IH]; simpl; intro m; [now destruct m|]. destruct (without a m) as [m'|] eqn:E; [|discriminate].
  intro H. apply without_perm in E. rewrite E. constructor. auto.
Qed.

(** ** What the values say *)

Record entry_for (S : situation) x k (e : entry) : Prop := {
  ef_n : hand S x k = e_n e;
  ef_A : forall p, living G S x k p <-> mem (e_A e) p;
  ef_last : placement_liberty G = true -> forall p, living G S x k p -> (lasting G S x k p <-> mem (e_last e) p);
  ef_near : forall d p, living G S x k p -> (near G S x k d p <-> mem (get (e_near e) d) p);
  ef_pass : placement_liberty G = true -> forall d p, living G S x k p -> (passing G S x k d p <-> mem (get (e_pass e) d) p);
  ef_far : forall d p, living G S x k p -> (far G S x k d p <-> mem (get (e_far e) d) p);
  ef_strike : forall d p, living G S x k p -> (strikes G S x k d p <-> mem (get (e_strike e) d) p) }.
Record ess_for (S : situation) (e : ess) : Prop := {
  xf_mover : mover S = x_mover e;
  xf_open : opening S = false;
  xf_white : empty_hand_wins G = true -> size S White (x_size_white e);
  xf_black : empty_hand_wins G = true -> size S Black (x_size_black e);
  xf_link : attack_through G = false -> forall d p, In d half_of_dirs -> (room G S p /\ link G S d p <-> mem (x_link e d) p);
  xf_struck : forall x d p, T G S (other x) p -> (struck G S x d p <-> mem (get (x_struck e x) d) p);
  xf_entries : forall x, exists ks, NoDup ks /\ Forall2 (entry_for S x) ks (x_entries e x) /\ forall k, has_pair G S x k -> In k ks;
  xf_dec : forall p, room G S p \/ ~ room G S p;
  xf_decl : forall x k p, lasting G S x k p \/ ~ lasting G S x k p }.

Lemma entries_same S S' x k j e : entry_for S x k e -> entry_for S' x j e -> same G S S' x k j.
Proof.
  intros [a b c d f g i] [a' b' c' d' f' g' i']. assert (A : forall p, living G S x k p <-> living G S' x j p) by (intro; now rewrite b, b').
  split; [congruence|auto| | | | |]; intros.
  - rewrite c, c'; auto; [tauto|now apply A].
  - rewrite f, f'; auto; [tauto|now apply A].
  - rewrite d, d'; auto; [tauto|now apply A].
  - rewrite g, g'; auto; [tauto|now apply A].
  - rewrite i, i'; auto; [tauto|now apply A].
Qed.
Lemma Forall2_len {A C} (R : A -> C -> Prop) l m : Forall2 R l m -> length l = length m.
Proof. induction 1; simpl; auto. Qed.
Lemma two_matched {A C} (R Q : A -> C -> Prop) l m e : Forall2 R l e -> Forall2 Q m e -> forall a b, In (a, b) (combine l m) ->
  exists c, R a c /\ Q b c.
Proof.
  intro F. revert m. induction F as [|a' b t m' H F IH]; intros m K a c I; inversion K; subst; simpl in I; [easy|].
  destruct I as [I|I]; [injection I as <- <-; eauto|eauto].
Qed.
Lemma combine_one (l m : list nat) : NoDup l -> forall a b b', In (a, b) (combine l m) -> In (a, b') (combine l m) -> b = b'.
Proof.
  induction 1 as [|x t N D IH] in m |- *; [easy|]. intros a b b'. destruct m as [|y m]; simpl; [easy|]. intros [I|I] [J|J].
  - congruence.
  - injection I as -> ->. apply in_combine_l in J. easy.
  - injection J as -> ->. apply in_combine_l in I. easy.
  - eauto.
Qed.
Lemma combine_swap (l m : list nat) : forall a b, In (a, b) (combine l m) -> In (b, a) (combine m l).
Proof.
  revert m. induction l as [|x t IH]; intros [|y m] a b; simpl; auto. intros [I|I]; [injection I as -> ->; auto|auto].
Qed.
Lemma combine_all {A C} (l : list A) (m : list C) : length l = length m -> forall a, In a l -> exists b, In (a, b) (combine l m).
Proof.
  revert m. induction l as [|x t IH]; intros [|y m] L a; simpl in *; try easy. intros [->|I]; [eauto|].
  destruct (IH m (eq_add_S _ _ L) a I) as (b & Hb). eauto.
Qed.

Theorem same_ess_ok S S' a b : ess_for S a -> ess_for S' b -> same_ess a b = true -> same_essence G S S'.
Proof.
  intros A C H. unfold same_ess in H. rewrite !andb_true_iff, !same_set_iff, !Nat.eqb_eq in H.
  destruct H as [[[[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8%same8_eq] H9%same8_eq] H10%same_entries_perm] H11%same_entries_perm].
  assert (Mt : forall x, exists ks ks', NoDup ks /\ NoDup ks' /\ length ks = length ks' /\
     (forall k, has_pair G S x k -> In k ks) /\ (forall k, has_pair G S' x k -> In k ks') /\
     (forall k j, In (k, j) (combine ks ks') -> same G S S' x k j)).
  { intro x. destruct (xf_entries _ _ A x) as (ks & D & F & I). destruct (xf_entries _ _ C x) as (js & D' & F' & I').
    assert (P : Permutation (x_entries b x) (x_entries a x)) by (destruct x; simpl; now apply Permutation_sym).
    assert (F'' : Forall2 (fun e j => entry_for S' x j e) (x_entries b x) js) by (clear -F'; induction F'; auto).
    destruct (Permutation_Forall2 P F'') as (js' & P' & G').
    exists ks, js'. split; [auto|split; [eapply Permutation_NoDup; eauto|split; [|split; [auto|split]]]].
    - apply Forall2_len in F, G'. congruence.
    - intros k Hk. eapply Permutation_in; eauto.
    - assert (G'' : Forall2 (entry_for S' x) js' (x_entries a x)) by (clear -G'; induction G'; auto).
      intros k j J. destruct (two_matched _ _ _ _ _ F G'' _ _ J) as (c & E1 & E2). eapply entries_same; eauto. }
  destruct (Mt White) as (kw & jw & a1 & a2 & a3 & a4 & a5 & a6). destruct (Mt Black) as (kb & jb & b1 & b2 & b3 & b4 & b5 & b6).
  exists (fun x k j => match x with White => In (k, j) (combine kw jw) | Black => In (k, j) (combine kb jb) end).
  split.
  - rewrite (xf_mover _ _ A), (xf_mover _ _ C). destruct (x_mover a), (x_mover b); auto; discriminate.
  - apply A.
  - apply C.
  - intros Hw x. destruct x.
    + exists (x_size_white a). split; [now apply A|]. rewrite H2. now apply C.
    + exists (x_size_black a). split; [now apply A|]. rewrite H3. now apply C.
  - intros St d p D Vp.
    assert (L : x_link a d = x_link b d) by (destruct d; simpl; auto).
    pose proof (xf_link _ _ A St d p D) as XA. pose proof (xf_link _ _ C St d p D) as XC. rewrite L in XA.
    assert (Vp' : room G S' p).
    { apply V_living in Vp. destruct Vp as (x & k & Lv). apply V_living. destruct x.
      - destruct (combine_all kw jw a3 k) as (j & J). { apply a4. exists p. auto. }
        exists White, j. now apply (sm_A _ _ _ _ _ _ (a6 _ _ J)).
      - destruct (combine_all kb jb b3 k) as (j & J). { apply b4. exists p. auto. }
        exists Black, j. now apply (sm_A _ _ _ _ _ _ (b6 _ _ J)). }
    tauto.
  - intros x d p Tp. assert (Tp' : T G S' (other x) p).
    { destruct Tp as (k & Lv). rewrite other_other in Lv. destruct x.
      - destruct (combine_all kw jw a3 k) as (j & J). { apply a4. exists p. auto. }
        exists j. now apply (sm_A _ _ _ _ _ _ (a6 _ _ J)).
      - destruct (combine_all kb jb b3 k) as (j & J). { apply b4. exists p. auto. }
        exists j. now apply (sm_A _ _ _ _ _ _ (b6 _ _ J)). }
    rewrite (xf_struck _ _ A), (xf_struck _ _ C); auto. destruct x; simpl; [now rewrite H8|now rewrite H9].
  - intros [|] k j; [apply a6|apply b6].
  - intros [|] k Hk; [apply combine_all; auto|apply combine_all; auto].
  - intros [|] j Hj; [destruct (combine_all jw kw (eq_sym a3) j) as (k & K)|destruct (combine_all jb kb (eq_sym b3) j) as (k & K)]; auto;
    exists k; now apply combine_swap.
  - intros [|] k j j'; apply combine_one; auto.
  - intros [|] k k' j I I'; apply combine_swap in I; apply combine_swap in I'; [apply (combine_one jw kw a2 j)|apply (combine_one jb kb b2 j)]; auto.
  - apply A.
  - apply A.
  - apply C.
Qed.

(** ** The values are right *)

Context (W : wf G) (Ok : geo_ok G B).
Section Of.
Context (s : sit) (S : situation) (Rp : rep G s S) (closed : opening S = false).
Notation E := (empties B s).
Notation pass := (pass_set G B E).
Context (r : rooms) (Rm : is_room G S r).

Lemma of_side x p : mem (union (rows r x) none) p <-> exists k, living G S x k p.
Proof. rewrite (union_for _ _ _ _ (proj1 Rm x)). split; [intros [?%mem_none|?]; tauto|tauto]. Qed.
Lemma of_foe x p : mem (union (rows r (other x)) none) p <-> T G S x p.
Proof. apply of_side. Qed.
Lemma gap_spec p : In p (points G) -> (mem (diff E (m_room r)) p <-> gap G S p).
Proof. intro I. rewrite mem_diff, (empties_spec G B Ok s S Rp), (proj2 Rm). unfold gap. tauto. Qed.
Lemma lasting_spec x k p : mem (over (leg_list (lie G x k)) (tab (fun d => go (way_of (opp d)) (diff E (m_room r))))
    (tab (fun d => go (way_of (opp d)) (diff E (m_room r)))) none) p <-> lasting G S x k p.
Proof.
  assert (Z : forall d, mem (get (tab (fun d => go (way_of (opp d)) (diff E (m_room r)))) d) p <->
     exists q, next G d p = Some q /\ empty S q /\ ~ room G S q).
  { intro d. rewrite get_tab, (go_back G W B Ok). split.
    - intros (q & M & N). exists q. split; auto. apply gap_spec in M; [exact M|]. apply (wf_in _ W) in N. tauto.
    - intros (q & N & M). exists q. split; auto. apply gap_spec; [|exact M]. apply (wf_in _ W) in N. tauto. }
  rewrite over_lie. unfold lasting, leg. split.
  - intros [?%mem_none|(d & [[L M]|[L M]])]; [tauto| |]; apply Z in M; destruct M as (q & N & M); exists d, q; (split; [congruence|tauto]).
  - intros (d & q & L & N & M). right. exists d. assert (K : mem (get (tab (fun d => go (way_of (opp d)) (diff E (m_room r)))) d) p).
    { apply Z. exists q. tauto. }
    destruct (lie G x k d) as [[|]|]; auto. congruence.
Qed.
Lemma run_last P d p q : run G P d p q -> next G d p = Some q \/ exists a, run G P d p a /\ P a /\ next G d a = Some q.
Proof.
  induction 1 as [p q N|p a q N Pa R IH]; auto. right. destruct IH as [M|(b & R1 & P1 & N1)].
  - exists a. split; [now apply run_next|auto].
  - exists b. split; [eapply run_on; eauto|auto].
Qed.
Lemma run_not_next P d p a q : run G P d p a -> next G d a = Some q -> next G d p <> Some q.
Proof.
  intros R N K. assert (Z : forall b c, run G P d b c -> left_ B d c < left_ B d b).
  { clear -W Ok. induction 1 as [b c N|b c e N _ _ IH]; [now apply (left_next G W B Ok)|].
    pose proof (left_next G W B Ok _ _ _ N). lia. }
  pose proof (left_next G W B Ok _ _ _ N). inversion R; subst.
  - rewrite K in H0. injection H0 as <-. pose proof (left_next G W B Ok _ _ _ N). lia.
  - rewrite K in H0. injection H0 as <-. apply Z in H2. lia.
Qed.
Lemma far_spec x d p : mem (slide (way_of (opp d)) (and (go (way_of (opp d)) (union (rows r (other x)) none)) pass) pass) p <->
  exists q, T G S x q /\ run G (passes G S) d p q /\ next G d p <> Some q.
Proof.
  rewrite (slide_back G W B Ok). split.
  - intros (a & M & R). apply mem_and in M. destruct M as [M P]. apply (go_back G W B Ok) in M. destruct M as (q & Q & N).
    exists q. split; [now apply of_foe|]. apply (run_iff G W _ _ _ _ _ (pass_spec G B Ok s S Rp)) in R.
    assert (Ia : In a (points G)) by (apply (wf_in _ W) in N; tauto).
    split; [|eapply run_not_next; eauto]. eapply (run_snoc G); eauto. now apply (pass_spec G B Ok s S Rp).
  - intros (q & Q & R & N). apply run_last in R. destruct R as [R|(a & R & P & Na)]; [contradiction|].
    assert (Ia : In a (points G)) by (apply (wf_in _ W) in Na; tauto).
    exists a. split; [|now apply (run_iff G W _ _ _ _ _ (pass_spec G B Ok s S Rp))].
    apply mem_and. split; [|now apply (pass_spec G B Ok s S Rp)]. apply (go_back G W B Ok). exists q. split; auto. now apply of_foe.
Qed.

Section Side.
Variable x : side.
Notation v := (see B pass (half_of s (other x))).
Notation near8 := (tab (fun d => go (way_of (opp d)) (union (rows r (other x)) none))).
Notation lasting8 := (tab (fun d => go (way_of (opp d)) (diff E (m_room r)))).
Notation pass8 := (tab (fun d => go (way_of (opp d)) (m_room r))).
Notation far8 := (tab (fun d => slide (way_of (opp d)) (and (get near8 d) pass) pass)).

Lemma entry_ok e : In e (rows r x) -> entry_for S x (kd_no (r_kd e)) (entry_of x v lasting8 near8 pass8 far8 e).
Proof.
  intro I. destruct (rw_in _ _ _ _ (proj1 Rm x) e I) as ((_ & _ & K) & N1 & H & _ & A). destruct (K x) as (KL & _ & KA & KG).
  set (k := kd_no (r_kd e)) in *.
  assert (Pt : forall p, living G S x k p -> In p (points G)) by (intros p L; apply L).
  assert (LA : placement_liberty G = true -> forall p, living G S x k p -> (lasting G S x k p <-> mem (e_last (entry_of x v lasting8 near8 pass8 far8 e)) p)).
  { intros Lb p L. unfold entry_of; cbn [e_last]. rewrite Lb, KL, mem_and, lasting_spec, A. fold k. tauto. }
  split; auto.
  - intro p. cbn [entry_of e_A]. now rewrite A.
  - intros d p L. cbn [entry_of e_near]. rewrite within2_get, !mem_and, A, KA, get_tab, (go_back G W B Ok). unfold near, leg. fold k.
    split.
    + intros (L1 & q & N & Tq). split; [auto|split; [auto|]]. exists q. split; auto. now apply of_foe.
    + intros (_ & [L1 _] & q & Tq & N). split; auto. exists q. split; auto. now apply of_foe.
  - intros Lb d p L. specialize (LA Lb p L). cbn [entry_of e_last e_pass] in LA |- *. rewrite Lb in LA |- *.
    rewrite within2_get, !mem_and, mem_diff, A, KA, get_tab, (go_back G W B Ok). unfold passing, leg. fold k. rewrite LA. rewrite mem_and.
    split.
    + intros (L0 & L1 & q & N & Vq). split; [split; [auto|tauto]|split; [auto|]]. exists q. split; auto. now apply Rm.
    + intros ([_ L0] & [L1 _] & q & Vq & N). split; [tauto|split; [auto|]]. exists q. split; auto. now apply Rm.
  - intros d p L. cbn [entry_of e_far]. rewrite within2_get, !mem_and, A, KG, !get_tab, far_spec. unfold far, leg. fold k.
    pose proof (Pt p L). tauto.
  - intros d p L. cbn [entry_of e_strike]. rewrite within2_get, !mem_and, A, KG, (strike_spec G B W Ok s S Rp). unfold strikes, leg. fold k.
    pose proof (Pt p L). tauto.
Qed.
Lemma entries_ok : exists ks, NoDup ks /\ Forall2 (entry_for S x) ks (entries_of x v lasting8 near8 pass8 far8 (rows r x)) /\
  forall k, has_pair G S x k -> In k ks.
Proof.
  exists (map (fun e => kd_no (r_kd e)) (rows r x)). split; [apply (rw_once _ _ _ _ (proj1 Rm x))|split].
  - assert (Z : forall l, (forall e, In e l -> In e (rows r x)) ->
      Forall2 (entry_for S x) (map (fun e => kd_no (r_kd e)) l) (entries_of x v lasting8 near8 pass8 far8 l)).
    { induction l as [|e t IH]; cbn [map entries_of]; constructor; [apply entry_ok; auto with datatypes|apply IH; auto with datatypes]. }
    apply Z. auto.
  - intros k (p & L). destruct (rw_all _ _ _ _ (proj1 Rm x) k p L) as (e & I & <-). apply in_map_iff. eauto.
Qed.
Lemma struck_spec d p : T G S (other x) p -> (struck G S x d p <-> mem (get (within (union (rows r x) none) (beam v)) d) p).
Proof.
  intros Tp. rewrite within_get, mem_and, (beam_spec G B W Ok s S Rp), of_side. unfold struck. unfold T in Tp. rewrite other_other in Tp. tauto.
Qed.
End Side.

Lemma sum_split K h k : k < K -> sum_below K h = h k + sum_below K (fun j => if Nat.eqb j k then 0 else h j).
Proof.
  induction K as [|K IH]; [lia|]. intro L. simpl. destruct (Nat.eqb_spec K k) as [->|N].
  - assert (Z : forall n, n <= k -> sum_below n (fun j => if Nat.eqb j k then 0 else h j) = sum_below n h).
    { induction n as [|n IHn]; auto. intro Ln. simpl. rewrite IHn by lia. destruct (Nat.eqb_spec n k); lia. }
    rewrite Z by lia. lia.
  - rewrite IH by lia. lia.
Qed.
Lemma sum_hand l : forall h, NoDup (map (fun e => kd_no (fst e)) l) -> (forall k n, In (k, n) l -> h (kd_no k) = n) ->
  (forall k, 1 <= h k -> In k (map (fun e => kd_no (fst e)) l)) ->
  exists K, (forall k, K <= k -> h k = 0) /\ sum_below K h = sum_of l.
Proof.
  induction l as [|[e n] t IH]; intros h D Hin Hall; simpl in *.
  - exists 0. split; auto. intros k _. specialize (Hall k). destruct (h k); auto. destruct Hall. lia.
  - inversion D; subst. destruct (IH (fun j => if Nat.eqb j (kd_no e) then 0 else h j)) as (K & A & C); auto.
    + intros k m I. destruct (Nat.eqb_spec (kd_no k) (kd_no e)) as [Q|Q]; [|eauto].
      destruct H1. rewrite <- Q. apply in_map_iff. exists (k, m). auto.
    + intros k Hk. destruct (Nat.eqb_spec k (kd_no e)); [lia|]. destruct (Hall k Hk); [congruence|auto].
    + exists (K + 1 + kd_no e). split.
      * intros k Lk. specialize (A k). destruct (Nat.eqb_spec k (kd_no e)); [lia|]. apply A. lia.
      * rewrite (sum_split _ _ (kd_no e)) by lia. rewrite (Hin e n) by auto. f_equal. rewrite <- C.
        clear -A. replace (K + 1 + kd_no e) with ((1 + kd_no e) + K) by lia. induction (1 + kd_no e) as [|m IHm]; simpl; auto.
        rewrite A by lia. auto.
Qed.
Lemma size_hand x : size S x (sum_of (f_hand (half_of s x))).
Proof.
  destruct (hr_hand _ _ _ _ (rp_half _ _ _ Rp x)) as [a b c]. apply sum_hand; auto.
  - intros k n I. apply (b k n I).
  - intros k Hk. destruct (c k Hk) as (e & n & I & <-). apply in_map_iff. exists (e, n). auto.
Qed.

Theorem essence_of_ok : ess_for S (essence_of E pass (see B pass (s_black s)) (see B pass (s_white s)) s r).
Proof.
  split.
  - symmetry. apply Rp.
  - auto.
  - intro Hw. cbn [essence_of x_size_white]. rewrite Hw. apply (size_hand White).
  - intro Hw. cbn [essence_of x_size_black]. rewrite Hw. apply (size_hand Black).
  - intros St d p D. assert (L : x_link (essence_of E pass (see B pass (s_black s)) (see B pass (s_white s)) s r) d =
       and (m_room r) (slide (way_of (opp d)) (m_room r) (diff E (m_room r)))).
    { unfold essence_of. rewrite St. destruct D as [<-|[<-|[<-|[<-|[]]]]]; reflexivity. }
    rewrite L, mem_and, (slide_back G W B Ok), (proj2 Rm). unfold link.
    split; intros (Vp & q & Vq & R); (split; [auto|]); exists q; (split; [now apply Rm|]);
    now apply (run_iff G W _ _ _ _ _ gap_spec).
  - intros [|] d p Tp; [exact (struck_spec White d p Tp)|exact (struck_spec Black d p Tp)].
  - intros [|]; [exact (entries_ok White)|exact (entries_ok Black)].
  - intro p. destruct (mem_dec (m_room r) p) as [M|M]; [left|right]; rewrite <- (proj2 Rm); auto.
  - intros x k p. destruct (mem_dec (over (leg_list (lie G x k)) (tab (fun d => go (way_of (opp d)) (diff E (m_room r))))
      (tab (fun d => go (way_of (opp d)) (diff E (m_room r)))) none) p) as [M|M]; [left|right]; rewrite <- lasting_spec; auto.
Qed.
End Of.
End Essences.
