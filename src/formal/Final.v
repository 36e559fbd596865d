(** The theorem about the checker: if it accepts a claim, the winner of the claim can force a win. It holds for any oracle, that is,
    for any file and any way of reading it. *)
From Coq Require Import List Arith Lia Bool Uint63.
Import ListNotations.
From Pods Require Import Game Essence Sets Board Seen Check Turned Claim Sound.
Local Open Scope nat_scope.

Lemma is_bipod_iff l : is_bipod l = true <-> bipod l.
Proof. unfold is_bipod, bipod. apply Nat.eqb_eq. Qed.
Lemma same_leg_eq a b : same_leg a b = true -> a = b.
Proof. destruct a as [[|]|], b as [[|]|]; simpl; congruence. Qed.

Section Claim.
Context (G : game) (B : geo) (W : wf G) (Ok : geo_ok G B).
Lemma kd_right k : code_right G B k = true -> kd_ok G (kd_of G B k).
Proof.
  intro H. unfold code_right in H. rewrite forallb_forall in H. split; [apply is_bipod_iff|split; [apply is_bipod_iff|]]. intro x. split; [destruct x; reflexivity|].
  assert (A : forall p (b : bool), mem (if b then g_all B else none) p <-> b = true /\ In p (points G)).
  { intros p [|]; [rewrite (go_all _ _ Ok); tauto|]. split; [now intros ?%mem_none|intuition congruence]. }
  split; [|split].
  - intro d. specialize (H x). assert (I : In x [White; Black]) by (destruct x; simpl; auto). specialize (H I).
    rewrite forallb_forall in H. apply same_leg_eq. apply H. apply all_all_dirs.
  - intros d p. assert (E : get (kd_any (kd_of G B k) x) d = if (match lie G x k d with None => false | _ => true end) then g_all B else none).
    { destruct x; cbn [kd_of kd_any kd_any_white kd_any_black]; unfold any_of; rewrite get_tab; destruct (lie G _ k d); reflexivity. }
    rewrite E, A. cbn [kd_of kd_no]. destruct (lie G x k d); intuition congruence.
  - intros d p. assert (E : get (kd_long (kd_of G B k) x) d = if (match lie G x k d with Some Long => true | _ => false end) then g_all B else none).
    { destruct x; cbn [kd_of kd_long kd_long_white kd_long_black]; unfold long_of; rewrite get_tab; destruct (lie G _ k d) as [[|]|]; reflexivity. }
    rewrite E, A. cbn [kd_of kd_no]. destruct (lie G x k d) as [[|]|]; intuition congruence.
Qed.
Lemma hand_from_in l : forall k e n, In (e, n) (hand_from G B k l) -> exists i, e = kd_of G B (k + i) /\ i < length l /\ nth i l 0 = n /\ 1 <= n.
Proof.
  induction l as [|m t IH]; intros k e n I; [easy|]. assert (Z : In (e, n) (hand_from G B (S k) t) -> exists i, e = kd_of G B (k + i) /\ i < length (m :: t) /\ nth i (m :: t) 0 = n /\ 1 <= n).
  { intro J. destruct (IH _ _ _ J) as (i & A & C & D & E). exists (S i). rewrite Nat.add_succ_r. simpl. split; [exact A|split; [lia|auto]]. }
  destruct m as [|m]; cbn [hand_from] in I; [auto|]. destruct I as [I|I]; [|auto]. injection I as <- <-.
  exists 0. rewrite Nat.add_0_r. simpl. split; [auto|split; [lia|split; [auto|lia]]].
Qed.
Lemma hand_from_all l : forall k i, 1 <= nth i l 0 -> exists n, In (kd_of G B (k + i), n) (hand_from G B k l).
Proof.
  induction l as [|m t IH]; intros k i H; [destruct i; simpl in H; lia|]. destruct i as [|i]; simpl in H.
  - rewrite Nat.add_0_r. destruct m as [|m]; [lia|]. exists (S m). simpl. auto.
  - destruct (IH (S k) i H) as (n & I). exists n. rewrite Nat.add_succ_r. destruct m as [|m]; simpl; auto.
Qed.
Lemma hand_from_once l : forall k, NoDup (map (fun e => kd_no (fst e)) (hand_from G B k l)).
Proof.
  induction l as [|m t IH]; intro k; [constructor|]. destruct m as [|m]; cbn [hand_from]; [apply IH|]. simpl. constructor; [|apply IH].
  intro I. apply in_map_iff in I. destruct I as ([e n] & E & I). apply hand_from_in in I. destruct I as (i & -> & _). simpl in E. lia.
Qed.
Lemma hand_from_rep l : forallb (fun k => code_right G B k) (seq 0 (length l)) = true -> hand_rep G (hand_from G B 0 l) (fun k => nth k l 0).
Proof.
  intro H. rewrite forallb_forall in H. split.
  - apply hand_from_once.
  - intros e n I. apply hand_from_in in I. destruct I as (i & -> & L & N & N1). simpl. split; [|auto].
    apply kd_right. apply H. apply in_seq. lia.
  - intros k Hk. destruct (hand_from_all l 0 k Hk) as (n & I). exists (kd_of G B k), n. auto.
Qed.

Definition situation_with (l : list (point * (side * kind))) (h : side -> kind -> nat) m o : situation :=
  {| at_ := pods_of G l; hand := h; mover := m; opening := o |}.
Lemma sit_with_rep h m o s0 : (forall x, hand_rep G (f_hand (half_of s0 x)) (h x)) -> (forall x, half_of s0 x = no_half (f_hand (half_of s0 x))) ->
  s_mover s0 = m -> s_open s0 = o -> forall l s, sit_with G B l s0 = Some s -> rep G s (situation_with l h m o).
Proof.
  intros Hh Hn Hm Ho. induction l as [|[p [x k]] t IH]; intros s H; cbn [sit_with] in H.
  - injection H as <-. split; auto.
    + intro x. rewrite Hn. split; simpl; auto.
      * intro p. split; [now intros ?%mem_none|intros [l L]; discriminate].
      * intros d p. unfold nothing. destruct d; simpl; (split; [now intros ?%mem_none|intros (l & L & _); discriminate]).
      * intros d p. unfold nothing. destruct d; simpl; (split; [now intros ?%mem_none|intros (l & L & _); discriminate]).
    + simpl. intros p Q. congruence.
  - destruct (sit_with G B t s0) as [s'|]; [|discriminate]. specialize (IH s' eq_refl).
    destruct (is_in p (points G) && _ && _) eqn:C; [|discriminate]. rewrite !andb_true_iff in C. destruct C as [[C1 C2] C3].
    apply is_in_iff in C1. assert (P : p < 63) by now apply (pts_below G B Ok).
    assert (Em : empty (situation_with t h m o) p).
    { apply negb_true_iff in C2. assert (N : ~ mem (or (f_occ (s_white s')) (f_occ (s_black s'))) p) by (rewrite <- meet_one by auto; congruence).
      rewrite mem_or in N. apply held_side. split; intro Q; apply N; [left|right];
      [apply (hr_occ _ _ _ _ (rp_half _ _ _ IH White)) in Q|apply (hr_occ _ _ _ _ (rp_half _ _ _ IH Black)) in Q]; exact Q. }
    pose proof (kd_right k C3) as K. destruct K as (_ & _ & K). destruct (K x) as (_ & Kc & _).
    assert (At : forall q, at_ (situation_with ((p, (x, k)) :: t) h m o) q = if Nat.eqb q p then Some (x, lie G x k) else at_ (situation_with t h m o) q) by reflexivity.
    assert (HM : half_rep G (add_half (half_of s' x) (one p) (kd_code (kd_of G B k) x) (f_hand (half_of s' x))) (situation_with ((p, (x, k)) :: t) h m o) x).
    { eapply add_half_rep; eauto; [apply IH|]. apply (hr_hand _ _ _ _ (rp_half _ _ _ IH x)). }
    assert (HO : half_rep G (half_of s' (other x)) (situation_with ((p, (x, k)) :: t) h m o) (other x)).
    { eapply keep_half_rep; eauto; [apply IH| |]. { rewrite other_other. exact At. } apply (hr_hand _ _ _ _ (rp_half _ _ _ IH (other x))). }
    injection H as <-. split.
    + intro y. destruct x, y; simpl in *; auto.
    + destruct x; simpl; apply IH.
    + destruct x; simpl; apply IH.
    + intros q Q. rewrite At in Q. destruct (Nat.eqb_spec q p) as [Eq|N]; [now rewrite Eq|]. now apply (rp_on _ _ _ IH).
Qed.
End Claim.

Theorem check_sound {O : Type} (h : header) (turn : nat) (orc : oracle O) (o : O) :
  check h turn orc o = true -> wins (game_of h) (h_winner h) (start_of h).
Proof.
  unfold check. rewrite andb_true_iff. intros [Cr H]. unfold claim_right in Cr. rewrite !andb_true_iff in Cr. destruct Cr as [[C1 C2] C3].
  destruct (geo_right_ok h C1) as [W Ok]. destruct (sit_of h) as [s0|] eqn:St; [|discriminate].
  eapply accepts_sound; eauto. unfold sit_of in St.
  apply (sit_with_rep _ _ Ok (fun x k => nth k (h_hand h x) 0) (h_mover h) (h_open h)) in St; auto.
  - intros [|]; simpl; apply hand_from_rep; auto.
  - intros [|]; reflexivity.
Qed.
