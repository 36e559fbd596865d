(** The mirror, computed: [turns] checks the board once, [is_mirror] a situation; if both say yes, the lemma of the mirror holds. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Pods Require Import Game Mirror Certificate Essence Sets Board Seen.
Local Open Scope nat_scope.

Section Turned.
Context (G : game) (B : geo) (N : nat).          (* N: the number of places of the grid *)
Notation way_of d := (get (g_ways B) d).
(** The board turned by 180 degrees: places are numbered row by row. *)
Definition image p := if Nat.ltb p N then N - 1 - p else p.
Definition turns : bool := forallb (fun p =>
  Nat.ltb p N && is_in (image p) (points G) && negb (Nat.eqb (image p) p) &&
  forallb (fun d =>
    match next G d p with
    | Some q => match next G (opp d) (image p) with Some r => Nat.eqb r (image q) | None => false end
    | None => true end &&
    negb (meet (slide (way_of d) (one p) (g_all B)) (one (image p)))) all_dirs) (points G).
Definition mirrored : list (set * set) := map (fun p => (one p, one (image p))) (points G).

Fixpoint same_hands (l m : list (kd * nat)) : bool := match l, m with
  | [], [] => true
  | (k, n) :: t, (j, i) :: u => Nat.eqb (kd_no k) (kd_no j) && Nat.eqb n i && same_hands t u
  | _, _ => false end.
Definition same_at (f g : half) (a b : set) : bool :=
  Bool.eqb (meet (f_occ f) a) (meet (f_occ g) b) &&
  forallb (fun d => Bool.eqb (meet (get (f_any f) d) a) (meet (get (f_any g) (opp d)) b) &&
                    Bool.eqb (meet (get (f_long f) d) a) (meet (get (f_long g) (opp d)) b)) all_dirs.
Definition is_mirror (ms : list (set * set)) (s : sit) : bool :=
  same_hands (f_hand (s_white s)) (f_hand (s_black s)) && forallb (fun ab => same_at (s_white s) (s_black s) (fst ab) (snd ab)) ms.

Context (W : wf G) (Ok : geo_ok G B) (Tn : turns = true).

Lemma turn_at p : In p (points G) -> p < N /\ In (image p) (points G) /\ image p <> p /\
  (forall d q, next G d p = Some q -> next G (opp d) (image p) = Some (image q)) /\ forall d, ~ run G (fun _ => True) d p (image p).
Proof.
  intro I. unfold turns in Tn. rewrite forallb_forall in Tn. specialize (Tn p I). rewrite !andb_true_iff in Tn.
  destruct Tn as [[[A C] D] F]. apply Nat.ltb_lt in A. apply is_in_iff in C. apply negb_true_iff, Nat.eqb_neq in D.
  rewrite forallb_forall in F. split; [auto|split; [auto|split; [auto|split]]].
  - intros d q Nx. specialize (F d (all_all_dirs d)). apply andb_true_iff in F. destruct F as [F _]. rewrite Nx in F.
    revert F. destruct (next G (opp d) (image p)) as [r|]; intro F; [|discriminate]. apply Nat.eqb_eq in F. now rewrite F.
  - intros d R. specialize (F d (all_all_dirs d)). apply andb_true_iff in F. destruct F as [_ F].
    apply negb_true_iff in F. assert (M : meet (slide (way_of d) (one p) (g_all B)) (one (image p)) = true); [|congruence].
    apply meet_one; [now apply (pts_below G B Ok)|]. apply (slide_spec G W B Ok). exists p. split.
    + apply mem_one; auto. now apply (pts_below G B Ok).
    + apply (run_iff G W (mem (g_all B)) (fun _ => True)); auto. intros r Ir. rewrite (go_all _ _ Ok). tauto.
Qed.
Lemma image_image p : image (image p) = p.
Proof. unfold image. destruct (Nat.ltb_spec p N) as [L|L]; [destruct (Nat.ltb_spec (N - 1 - p) N)|destruct (Nat.ltb_spec p N)]; lia. Qed.
Lemma same_len (a b : option len) : (a <> None <-> b <> None) -> (a = Some Long <-> b = Some Long) -> a = b.
Proof.
  intros H K. destruct a as [[|]|], b as [[|]|]; auto.
  - destruct K as [_ K]. now specialize (K eq_refl).
  - destruct H as [H _]. now destruct H.
  - destruct K as [K _]. now specialize (K eq_refl).
  - destruct H as [H _]. now destruct H.
  - destruct H as [_ H]. now destruct H.
  - destruct H as [_ H]. now destruct H.
Qed.
Lemma same_hands_in l : forall m k n, same_hands l m = true -> (In (k, n) l -> exists j, In (j, n) m /\ kd_no j = kd_no k) /\
  (In (k, n) m -> exists j, In (j, n) l /\ kd_no j = kd_no k).
Proof.
  induction l as [|[e i] t IH]; intros [|[f i'] u] k n H; simpl in H; try discriminate; [simpl; tauto|].
  rewrite !andb_true_iff, !Nat.eqb_eq in H. destruct H as [[E ->] H]. destruct (IH u k n H) as [A C]. split; intros [I|I].
  - injection I as -> ->. exists f. simpl. auto.
  - destruct (A I) as (j & ? & ?). exists j. simpl. auto.
  - injection I as -> ->. exists e. simpl. auto.
  - destruct (C I) as (j & ? & ?). exists j. simpl. auto.
Qed.
Lemma hands_eq l m h g : hand_rep G l h -> hand_rep G m g -> same_hands l m = true -> forall k, h k = g k.
Proof.
  intros [_ b c] [_ b' c'] H k. destruct (Nat.eq_dec (h k) 0) as [Z|Z].
  - destruct (Nat.eq_dec (g k) 0) as [Z'|Z']; [congruence|]. destruct (c' k) as (e & n & I & <-); [lia|].
    destruct (same_hands_in _ _ e n H) as [_ Q]. destruct (Q I) as (j & J & E).
    destruct (b j n J) as (_ & _ & E1). destruct (b' e n I) as (_ & _ & E2). congruence.
  - destruct (c k) as (e & n & I & <-); [lia|]. destruct (same_hands_in _ _ e n H) as [Q _]. destruct (Q I) as (j & J & E).
    destruct (b e n I) as (_ & _ & E1). destruct (b' j n J) as (_ & _ & E2). congruence.
Qed.

Theorem mirror_sound X s S : empty_hand_wins G = false -> rep G s S -> mover S = other X -> is_mirror mirrored s = true -> mirror G X S.
Proof.
  intros Lo Rp Mv H. apply andb_true_iff in H. destruct H as [Hh Hp]. split; [auto|split; [auto|]].
  assert (Hw := rp_half _ _ _ Rp White). assert (Hb := rp_half _ _ _ Rp Black). simpl in Hw, Hb.
  exists image. split; [apply image_image|]. split; [intros p I; apply (turn_at p I)|].
  split. { intros d p q Nx. apply (turn_at p); auto. apply (wf_in _ W) in Nx. tauto. }
  split; [intros p I; apply (turn_at p I)|].
  split. { intros d p R. destruct (run_points G W _ _ _ _ R) as [I _]. eapply (turn_at p I); eauto. }
  assert (AT : forall p, In p (points G) ->
    (mem (f_occ (s_white s)) p <-> mem (f_occ (s_black s)) (image p)) /\
    forall d, (mem (get (f_any (s_white s)) d) p <-> mem (get (f_any (s_black s)) (opp d)) (image p)) /\
              (mem (get (f_long (s_white s)) d) p <-> mem (get (f_long (s_black s)) (opp d)) (image p))).
  { intros p I. rewrite forallb_forall in Hp. specialize (Hp (one p, one (image p))). unfold mirrored in Hp.
    rewrite in_map_iff in Hp. assert (Q : same_at (s_white s) (s_black s) (one p) (one (image p)) = true) by (apply Hp; eauto).
    assert (P63 : p < 63) by now apply (pts_below G B Ok).
    assert (Q63 : image p < 63) by (apply (pts_below G B Ok); now apply turn_at).
    unfold same_at in Q. apply andb_true_iff in Q. destruct Q as [Q1 Q2]. apply Bool.eqb_prop in Q1.
    assert (Z : forall m n, meet m (one p) = meet n (one (image p)) -> (mem m p <-> mem n (image p))).
    { intros m n Z. rewrite <- (meet_one m p P63), <- (meet_one n _ Q63), Z. tauto. }
    split; [now apply Z|]. intro d. rewrite forallb_forall in Q2. specialize (Q2 d (all_all_dirs d)).
    apply andb_true_iff in Q2. destruct Q2 as [Q2 Q3]. apply Bool.eqb_prop in Q2, Q3. split; now apply Z. }
  assert (ANY : forall f x p l d, half_rep G f S x -> at_ S p = Some (x, l) -> (mem (get (f_any f) d) p <-> l d <> None)).
  { intros f x p l d Hf A. rewrite (hr_any _ _ _ _ Hf). split; [intros (l' & A' & L); congruence|eauto]. }
  assert (LNG : forall f x p l d, half_rep G f S x -> at_ S p = Some (x, l) -> (mem (get (f_long f) d) p <-> l d = Some Long)).
  { intros f x p l d Hf A. rewrite (hr_long _ _ _ _ Hf). split; [intros (l' & A' & L); congruence|eauto]. }
  split.
  - intro k. apply (hands_eq (f_hand (s_white s)) (f_hand (s_black s))); auto; [apply Hw|apply Hb].
  - intros p x l A. assert (I : In p (points G)) by (apply (rp_on _ _ _ Rp); congruence).
    destruct (turn_at p I) as (_ & I' & _). destruct x; simpl.
    + destruct (AT p I) as [O L]. assert (M : mem (f_occ (s_white s)) p) by (apply (hr_occ _ _ _ _ Hw); exists l; auto).
      apply O, (hr_occ _ _ _ _ Hb) in M. destruct M as [m M]. exists m. split; auto. intro d.
      destruct (L (opp d)) as [L1 L2]. rewrite (opp_opp d) in L1, L2.
      rewrite (ANY _ _ _ _ _ Hw A), (ANY _ _ _ _ _ Hb M) in L1. rewrite (LNG _ _ _ _ _ Hw A), (LNG _ _ _ _ _ Hb M) in L2.
      apply same_len; tauto.
    + destruct (AT (image p) I') as [O L]. rewrite image_image in O, L.
      assert (M : mem (f_occ (s_black s)) p) by (apply (hr_occ _ _ _ _ Hb); exists l; auto).
      apply O, (hr_occ _ _ _ _ Hw) in M. destruct M as [m M]. exists m. split; auto. intro d.
      destruct (L d) as [L1 L2].
      rewrite (ANY _ _ _ _ _ Hb A), (ANY _ _ _ _ _ Hw M) in L1. rewrite (LNG _ _ _ _ _ Hb A), (LNG _ _ _ _ _ Hw M) in L2.
      apply same_len; tauto.
Qed.
End Turned.
