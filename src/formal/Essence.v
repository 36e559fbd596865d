(** The section "Equal essence" of LEMMAS.md: [essence_lemma]. All games: an empty hand may win or lose, attacks may stop or go
    through.

    The record [essence] lists its items: [es_mover] and [es_size] are item 1, [es_link4] item 2, [es_struck] item 3, [same] with
    [es_same] to [es_one'] item 4 (M matches the kinds). The last three fields say that sets are decidable, which all sets of a
    finite board are. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Pods Require Import Game Room.
Section Essence.
Context (G : game) (W : wf G).

Definition T s x p := exists k, living G s (other x) k p.
Notation V := (room G).
Definition leg x k d := lie G x k d.
Definition lasting s x k p := exists d q, leg x k d <> None /\ next G d p = Some q /\ empty s q /\ ~ V s q.
Definition near s x k d p := leg x k d <> None /\ exists q, next G d p = Some q /\ T s x q.
Definition passing s x k d p := ~ lasting s x k p /\ leg x k d <> None /\ exists q, next G d p = Some q /\ V s q.
Definition far s x k d p := leg x k d = Some Long /\ exists q, T s x q /\ run G (passes G s) d p q /\ next G d p <> Some q.
Definition strikes s x k d p := leg x k d = Some Long /\ exists q, held s (other x) q /\ run G (passes G s) d p q.
Definition struck s x d p := exists q l, at_ s q = Some (other x, l) /\ l d = Some Long /\ run G (passes G s) d q p.
Definition gap s r := empty s r /\ ~ V s r.
Definition link s d p := exists q, V s q /\ run G (gap s) d p q.
Definition half_of_dirs := [dn; dne; de; dse].
(** how many pods a hand has *)
Fixpoint sum_below n (f : nat -> nat) := match n with 0 => 0 | S m => f m + sum_below m f end.
Definition size s x n := exists K, (forall k, K <= k -> hand s x k = 0) /\ sum_below K (hand s x) = n.

Record same s t x k j : Prop := {
  sm_hand : hand s x k = hand t x j;
  sm_A : forall p, living G s x k p <-> living G t x j p;
  sm_last : placement_liberty G = true -> forall p, living G s x k p -> (lasting s x k p <-> lasting t x j p);
  sm_pass : placement_liberty G = true -> forall d p, living G s x k p -> (passing s x k d p <-> passing t x j d p);
  sm_near : forall d p, living G s x k p -> (near s x k d p <-> near t x j d p);
  sm_far : forall d p, living G s x k p -> (far s x k d p <-> far t x j d p);
  sm_strikes : forall d p, living G s x k p -> (strikes s x k d p <-> strikes t x j d p) }.

Definition has_pair s x k := exists p, living G s x k p.
(** M matches the kinds that have the same *)
Record essence (s t : situation) (M : side -> kind -> kind -> Prop) : Prop := {
  es_mover : mover s = mover t;
  es_open : opening s = false; es_open' : opening t = false;
  es_size : empty_hand_wins G = true -> forall x, exists n, size s x n /\ size t x n;
  es_link4 : attack_through G = false -> forall d p, In d half_of_dirs -> V s p -> (link s d p <-> link t d p);
  es_struck : forall x d p, T s (other x) p -> (struck s x d p <-> struck t x d p);
  es_same : forall x k j, M x k j -> same s t x k j;
  es_all : forall x k, has_pair s x k -> exists j, M x k j;
  es_all' : forall x j, has_pair t x j -> exists k, M x k j;
  es_one : forall x k j j', M x k j -> M x k j' -> j = j';
  es_one' : forall x k k' j, M x k j -> M x k' j -> k = k';
  (* both sides are finite; the checker decides these *)
  es_dec : forall p, V s p \/ ~ V s p; 
  es_decl : forall x k p, lasting s x k p \/ ~ lasting s x k p; es_decl' : forall x k p, lasting t x k p \/ ~ lasting t x k p }.

Lemma es_A s t M x p : essence s t M -> (exists k, living G s x k p) -> exists k, living G t x k p.
Proof.
  intros E [k L]. destruct (es_all _ _ _ E x k) as [j J]; [exists p; auto|]. exists j. apply (es_same _ _ _ E) in J. now apply J.
Qed.
Lemma es_A' s t M x p : essence s t M -> (exists k, living G t x k p) -> exists k, living G s x k p.
Proof.
  intros E [k L]. destruct (es_all' _ _ _ E x k) as [j J]; [exists p; auto|]. exists j. apply (es_same _ _ _ E) in J. now apply J.
Qed.
Lemma V_living s p : V s p <-> exists x k, living G s x k p.
Proof. split; [apply room_stays|]. intros (x & k & L). apply L. Qed.
Lemma es_V s t M : essence s t M -> forall p, V s p <-> V t p.
Proof.
  intros E q. rewrite !V_living. split; intros [x H]; exists x; [eapply es_A|eapply es_A']; eauto.
Qed.
Lemma es_T s t M : essence s t M -> forall x p, T s x p <-> T t x p.
Proof. intros E x p. split; intro H; [eapply es_A|eapply es_A']; eauto. Qed.

Lemma same_sym s t x k j : same s t x k j -> same t s x j k.
Proof.
  intros [a b c d e f g]. split; [congruence| | | | | |]; intros; symmetry; solve [apply b | apply c; auto; now apply b
    | apply d; auto; now apply b | apply e; auto; now apply b | apply f; auto; now apply b | apply g; auto; now apply b].
Qed.
Lemma essence_sym s t M : essence s t M -> essence t s (fun x j k => M x k j).
Proof.
  intros E. pose proof (es_V _ _ _ E) as HV. pose proof (es_T _ _ _ E) as HT. destruct E. split; auto.
  - intros Hw x. destruct (es_size0 Hw x) as (n & A & B). eauto.
  - intros St d p D P. symmetry. apply es_link5; auto. now apply HV.
  - intros x d p P. symmetry. apply es_struck0. now apply HT.
  - intros x j k H. now apply same_sym, es_same0.
  - intros; eauto.
  - intros; eauto.
  - intro p. rewrite <- HV. auto.
Qed.

(** lines *)
Lemma run_cmp P Q d p q : run G P d p q -> forall r, run G Q d p r -> q = r \/ P r \/ Q q.
Proof.
  induction 1 as [p q N|p a q N Pa R IH]; intros r Rr; inversion Rr; subst; rewrite N in *.
  - injection H; auto.
  - injection H as ->; auto.
  - injection H as ->; auto.
  - injection H as ->; auto.
Qed.
Lemma run_all (P Q : point -> Prop) d p q : run G P d p q -> (forall r, run G P d p r -> P r -> Q r) -> run G Q d p q.
Proof.
  induction 1 as [p q N|p a q N Pa R IH]; intro H; [now apply run_next|].
  apply run_on with a; auto. apply H; auto. now apply run_next.
  apply IH. intros r Rr. apply H. eapply run_on; eauto.
Qed.
Lemma run_and (P Q : point -> Prop) d p q : run G P d p q -> run G Q d p q -> run G (fun r => P r /\ Q r) d p q.
Proof.
  induction 1 as [p q N|p a q N Pa R IH]; intros Rq; [now apply run_next|].
  inversion Rq; subst; rewrite N in *; injection H as ->; [now apply run_next|]. eapply run_on; eauto.
Qed.
Lemma run_snoc P d x y z : run G P d x y -> P y -> next G d y = Some z -> run G P d x z.
Proof. induction 1; intros; (eapply run_on; [eassumption| |]); auto. now apply run_next. Qed.
Lemma run_app P d x y z : run G P d x y -> P y -> run G P d y z -> run G P d x z.
Proof. induction 1; intros; (eapply run_on; [eassumption| |]); auto. Qed.
Lemma run_rev P d a b : run G P d a b -> run G P (opp d) b a.
Proof.
  induction 1 as [p q N|p r q N Pr R IH]; [apply run_next; now apply (wf_sym _ W)|].
  eapply run_snoc; eauto. now apply (wf_sym _ W).
Qed.
Lemma opp_opp d : opp (opp d) = d. Proof. destruct d; auto. Qed.
(** four directions tell the other four *)
Lemma es_link s t M d p : attack_through G = false -> essence s t M -> V s p -> link s d p -> link t d p.
Proof.
  intros St E Vp Lk. assert (D : In d half_of_dirs \/ In (opp d) half_of_dirs) by (destruct d; simpl; auto 10).
  destruct D as [D|D]; [now apply (es_link4 _ _ _ E St)|].
  destruct Lk as (q & Vq & R). apply run_rev in R.
  assert (Lq : link t (opp d) q) by (apply (es_link4 _ _ _ E St); auto; exists p; auto).
  destruct Lq as (q' & Vq' & R'). destruct (run_cmp _ _ _ _ _ R _ R') as [->|[[_ H]|[_ H]]].
  - exists q. split; [now apply (es_V _ _ _ E)|]. apply run_rev in R'. now rewrite opp_opp in R'.
  - destruct H. now apply (es_V _ _ _ E).
  - destruct H. now apply (es_V _ _ _ E).
Qed.
(** the first point of the room on a line is the same *)
Lemma first_V s t M d a b : attack_through G = false -> essence s t M -> V s a -> V s b -> run G (gap s) d a b -> run G (gap t) d a b.
Proof.
  intros St E Va Vb R. destruct (es_link _ _ _ d a St E Va) as [c [Vc Rc]]; [exists b; auto|].
  destruct (run_cmp _ _ _ _ _ R _ Rc) as [->|[[_ H]|[_ H]]]; auto.
  - destruct H. now apply (es_V _ _ _ E).
  - destruct H. now apply (es_V _ _ _ E).
Qed.
Lemma gap_empty s d a b : run G (gap s) d a b -> run G (empty s) d a b.
Proof. apply run_mono. unfold gap; tauto. Qed.
Lemma V_empty s p : V s p -> empty s p.
Proof. rewrite V_living. intros (x & k & L). apply L. Qed.
Lemma transfer s t M d p q : attack_through G = false -> essence s t M -> V s p -> V s q -> run G (empty s) d p q -> run G (empty t) d p q.
Proof.
  intros St E Vp Vq R.
  assert (H : forall a, V s a -> a = p \/ (run G (gap s) d a p /\ gap s p) -> run G (empty t) d a q).
  { clear Vp. induction R as [p q N|p r q N Er R IH]; intros a Va C.
    - apply gap_empty. eapply first_V; eauto.
      destruct C as [->|[C1 C2]]; [now apply run_next|eapply run_snoc; eauto].
    - assert (C' : run G (gap s) d a r).
      { destruct C as [->|[C1 C2]]; [now apply run_next|eapply run_snoc; eauto]. }
      destruct (es_dec _ _ _ E r) as [Vr|Vr].
      + apply run_app with r.
        * apply gap_empty. eapply first_V; eauto.
        * apply V_empty. now apply (es_V _ _ _ E).
        * apply IH; auto.
      + apply IH; auto. right. split; auto. split; auto. }
  apply H; auto.
Qed.

(** the same play from both *)
Record sim (S S' : situation) (M : side -> kind -> kind -> Prop) (s s' : situation) : Prop := {
  si_lt : leads_to G S s; si_lt' : leads_to G S' s';
  si_mover : mover s = mover s'; si_open : opening s = false; si_open' : opening s' = false;
  si_at : forall p, (at_ s p = at_ S p /\ at_ s' p = at_ S' p) \/
     (exists x k j, M x k j /\ living G S x k p /\ at_ s p = Some (x, lie G x k) /\ at_ s' p = Some (x, lie G x j));
  si_hand : forall x k j, M x k j -> hand s x k = hand s' x j }.

Lemma sim_sym S S' M s s' : essence S S' M -> sim S S' M s s' -> sim S' S (fun x j k => M x k j) s' s.
Proof.
  intros E [a b c d e f g]. split; auto.
  - intro p. destruct (f p) as [[? ?]|(x & k & j & A & B & C & D)]; [left; auto|right].
    exists x, j, k. split; [auto|split; [|auto]]. now apply (sm_A _ _ _ _ _ (es_same _ _ _ E _ _ _ A)).
  - intros x k j H. symmetry. auto.
Qed.

Section Step.
Variables (S S' : situation) (M : side -> kind -> kind -> Prop) (s s' : situation).
Hypothesis E : essence S S' M.
Hypothesis I : sim S S' M s s'.

Lemma back_run d p q : run G (empty s') d p q -> run G (empty S') d p q.
Proof. apply run_mono. intros r. eapply lt_empty; apply I. Qed.
Lemma back_run' d p q : run G (passes G s') d p q -> run G (passes G S') d p q.
Proof. apply run_mono. intros r [?|?]; [now left|right]. eapply lt_empty; eauto. apply I. Qed.
Lemma stay_empty q : V S q -> empty s q -> empty s' q.
Proof.
  intros Vq Eq. destruct (si_at _ _ _ _ _ I q) as [[A B]|(x & k & j & _ & _ & C & _)].
  - unfold empty. rewrite B. apply V_empty. now apply (es_V _ _ _ E).
  - unfold empty in Eq. congruence.
Qed.
Lemma out_empty q : ~ V S' q -> empty S' q -> empty s' q.
Proof.
  intros Vq Eq. destruct (si_at _ _ _ _ _ I q) as [[A B]|(x & k & j & H & L & _ & _)].
  - unfold empty. now rewrite B.
  - destruct Vq. apply (es_V _ _ _ E). apply L.
Qed.
(** new pods *)
Lemma run_new d p q : attack_through G = false -> V S p -> V S q -> run G (empty s') d p q -> run G (empty s) d p q.
Proof.
  intros St Vp Vq R. assert (R2 : run G (empty S) d p q).
  { eapply transfer; [exact St|apply essence_sym, E| | |apply back_run, R]; now apply (es_V _ _ _ E). }
  eapply run_mono; [|exact (run_and _ _ _ _ _ R R2)]. intros r [A B].
  destruct (si_at _ _ _ _ _ I r) as [[C D]|(x & k & j & _ & _ & _ & C)]; unfold empty in *; congruence.
Qed.
Lemma new_reach x k j p q : M x k j -> living G S x k p -> T S x q -> reaches G s' (lie G x j) p q -> reaches G s (lie G x k) p q.
Proof.
  intros H L Tq [d R]. pose proof (es_same _ _ _ E _ _ _ H) as Sm. exists d.
  assert (Vp : V S p) by apply L. assert (Vq : V S q) by (destruct Tq as [z Z]; apply Z).
  assert (Tq' : T S' x q) by now apply (es_T _ _ _ E).
  assert (Nr : lie G x j d <> None -> next G d p = Some q -> lie G x k d <> None).
  { intros A B. apply (sm_near _ _ _ _ _ Sm d p L). split; eauto. }
  destruct R as [[A B]|[A B]]; [left; auto|].
  assert (Z : next G d p = Some q \/ next G d p <> Some q).
  { destruct (next G d p) as [z|]; [|right; discriminate]. destruct (Nat.eq_dec z q); [left|right]; congruence. }
  destruct Z as [Z|Z]; [left; split; auto; apply Nr; auto; congruence|right].
  assert (F : far S' x j d p).
  { split; auto. exists q. repeat split; auto. apply back_run'. eapply run_mono; [|exact B].
    intros r [?|?]; [now left|now right]. }
  apply (sm_far _ _ _ _ _ Sm d p L) in F. destruct F as [F _]. split; auto.
  destruct (attack_through G) eqn:St; [eapply run_mono; [|exact B]; intros; now left|].
  eapply run_mono; [|apply run_new; eauto]. { intros; now right. }
  eapply run_mono; [|exact B]. intros r [?|?]; [congruence|auto].
Qed.
(** pods that stand there *)
Lemma still d p q q0 : attack_through G = false -> V S p -> run G (empty S) d p q0 -> run G (empty s') d p q -> at_ s' q = at_ S' q -> ~ empty S' q ->
  run G (empty s) d p q0.
Proof.
  intros St Vp R0 R A Nq. eapply run_all; eauto. intros r Rr Er.
  destruct (si_at _ _ _ _ _ I r) as [[C D]|(x & k & j & H & L & _ & C)]; [unfold empty in *; congruence|].
  exfalso. assert (Vr : V S r) by apply L.
  assert (R1 : run G (empty S') d p r) by (eapply transfer; eauto).
  destruct (run_cmp _ _ _ _ _ R _ R1) as [->|[B|B]].
  - apply Nq. apply V_empty. now apply (es_V _ _ _ E).
  - unfold empty in B. congruence.
  - auto.
Qed.

Lemma old_reach x k j p q : M x k j -> living G S x k p -> at_ s' q = at_ S' q -> held S' (other x) q ->
  reaches G s' (lie G x j) p q -> exists q0, held s (other x) q0 /\ reaches G s (lie G x k) p q0.
Proof.
  intros H L A [l Hl] [d R]. pose proof (es_same _ _ _ E _ _ _ H) as Sm.
  assert (L' : living G S' x j p) by now apply (sm_A _ _ _ _ _ Sm). destruct L' as [_ _ _ _ Nd].
  destruct R as [[B C]|[B C]].
  - destruct Nd. right. exists q, l. split; auto. left. exists d. auto.
  - destruct (attack_through G) eqn:Th.
    { destruct Nd. right. exists q, l. split; auto. left. exists d. right. split; auto.
      eapply run_mono; [|exact C]. intros; now left. }
    assert (C1 : run G (empty s') d p q) by (eapply run_mono; [|exact C]; intros r [?|?]; [congruence|auto]).
    assert (Sk : strikes S' x j d p). { split; auto. exists q. split; [exists l; auto|now apply back_run']. }
    apply (sm_strikes _ _ _ _ _ Sm d p L) in Sk. destruct Sk as (Lg & q0 & [l0 Hq0] & R0).
    assert (R0' : run G (empty S) d p q0) by (eapply run_mono; [|exact R0]; intros r [?|?]; [congruence|auto]).
    exists q0. split; [exists l0; eapply lt_held; eauto; apply I|].
    exists d. right. split; auto. eapply run_mono; [|eapply still; eauto]. { intros; now right. }
    + apply L. + unfold empty. congruence.
Qed.
Lemma old_reached x k j p q l : M x k j -> living G S x k p -> at_ s' q = at_ S' q -> at_ S' q = Some (other x, l) ->
  reaches G s' l q p -> exists q0 l0, at_ s q0 = Some (other x, l0) /\ reaches G s l0 q0 p.
Proof.
  intros H L A Hl [d R]. pose proof (es_same _ _ _ E _ _ _ H) as Sm.
  assert (L' : living G S' x j p) by now apply (sm_A _ _ _ _ _ Sm). destruct L' as [_ _ _ _ Nd].
  destruct R as [[B C]|[B C]].
  - destruct Nd. right. exists q, l. split; auto. right. exists d. auto.
  - destruct (attack_through G) eqn:Th.
    { destruct Nd. right. exists q, l. split; auto. right. exists d. right. split; auto.
      eapply run_mono; [|exact C]. intros; now left. }
    assert (C1 : run G (empty s') d q p) by (eapply run_mono; [|exact C]; intros r [?|?]; [congruence|auto]).
    assert (Sk : struck S' x d p). { exists q, l. repeat split; auto. now apply back_run'. }
    apply (es_struck _ _ _ E) in Sk; [|exists k; now rewrite other_other].
    destruct Sk as (q0 & l0 & Hq0 & Lg & R0'). assert (R0 : run G (empty S) d q0 p).
    { eapply run_mono; [|exact R0']. intros r [?|?]; [congruence|auto]. }
    exists q0, l0. split; [eapply lt_held; eauto; apply I|].
    exists d. right. split; auto. apply run_mono with (empty s). { intros; now right. }
    apply run_rev in R0. apply run_rev in C1. assert (O : opp (opp d) = d) by (destruct d; auto).
    rewrite <- O. apply run_rev. eapply still; eauto. apply L. unfold empty; congruence.
Qed.

Lemma transfer_legal x k j p : M x k j -> legal G s x k p -> legal G s' x j p.
Proof.
  intros H Lg. assert (L : living G S x k p) by (eapply living_lemma; eauto; apply I).
  pose proof (es_same _ _ _ E _ _ _ H) as Sm. pose proof Lg as [a b c d e f]. split; auto.
  - now rewrite <- (si_hand _ _ _ _ _ I _ _ _ H).
  - apply stay_empty; auto. apply L.
  - intros q R [l Hl]. destruct (si_at _ _ _ _ _ I q) as [[A B]|(y & i & i' & Hi & Li & A & B)].
    + destruct (old_reach x k j p q H L B) as (q0 & H0 & R0); auto; [exists l; congruence|]. apply (d q0 R0 H0).
    + assert (y = other x) by congruence. subst y. apply (d q); [|exists (lie G (other x) i); auto].
      eapply new_reach; eauto. exists i; auto.
  - intros q l Hl R. destruct (si_at _ _ _ _ _ I q) as [[A B]|(y & i & i' & Hi & Li & A & B)].
    + destruct (old_reached x k j p q l H L B) as (q0 & l0 & H0 & R0); auto; [congruence|]. apply (e q0 l0 H0 R0).
    + assert (y = other x) by congruence. subst y. apply (e q (lie G (other x) i) A).
      eapply new_reach; eauto. exists k. now rewrite other_other.
      congruence.
  - intro F. destruct (f F) as (dd & q & U & N & Eq).
    assert (La : lasting S x k p -> has_liberty G s' (lie G x j) p).
    { intro La. apply (sm_last _ _ _ _ _ Sm F p L) in La. destruct La as (d1 & q1 & U1 & N1 & E1 & V1).
      exists d1, q1. repeat split; auto. apply out_empty; auto. }
    destruct (es_decl _ _ _ E x k p) as [?|Nl]; auto.
    destruct (es_dec _ _ _ E q) as [Vq|Vq].
    + assert (Ps : passing S x k dd p) by (repeat split; eauto).
      apply (sm_pass _ _ _ _ _ Sm F dd p L) in Ps. destruct Ps as (_ & U1 & _).
      exists dd, q. repeat split; auto. apply stay_empty; auto.
    + destruct Nl. exists dd, q. repeat split; auto. eapply lt_empty; eauto. apply I.
Qed.
Lemma lt_snoc a t k p : leads_to G a t -> legal G t (mover t) k p -> leads_to G a (place G t k p).
Proof. induction 1; intros; [eapply lt_step; eauto; apply lt_refl | eapply lt_step; eauto]. Qed.
Lemma sim_place k j p : M (mover s) k j -> legal G s (mover s) k p -> sim S S' M (place G s k p) (place G s' j p).
Proof.
  intros H L. pose proof (transfer_legal _ _ _ _ H L) as L'. pose proof (si_mover _ _ _ _ _ I) as Mv.
  split; simpl; auto.
  - apply lt_snoc; auto. apply I.
  - apply lt_snoc. apply I. now rewrite <- Mv.
  - now rewrite Mv.
  - intro q. unfold put. destruct (Nat.eqb_spec q p) as [->|N]; [|apply I].
    right. exists (mover s), k, j. rewrite <- Mv. split; [exact H|split; [|split; auto]].
    eapply living_lemma; [apply (si_lt _ _ _ _ _ I)|eauto].
  - intros x i i' Hi. unfold take. rewrite <- Mv, (si_hand _ _ _ _ _ I _ _ _ Hi).
    destruct (side_eqb x (mover s)) eqn:B; auto. simpl.
    assert (x = mover s) by (destruct x, (mover s); auto; discriminate). subst x.
    destruct (Nat.eqb_spec i k) as [->|N1], (Nat.eqb_spec i' j) as [->|N2]; auto.
    + destruct N2. eapply (es_one _ _ _ E); eauto.
    + destruct N1. eapply (es_one' _ _ _ E); eauto.
Qed.
End Step.

(** sizes of hands *)
Lemma sum_zero K f : sum_below K f = 0 <-> forall k, k < K -> f k = 0.
Proof.
  induction K as [|K IH]; simpl; [split; intros; lia|]. split.
  - intros H k L. destruct (Nat.eq_dec k K) as [->|]; [lia|]. apply IH; lia.
  - intro H. rewrite (H K) by lia. apply IH. intros; apply H; lia.
Qed.
Lemma size_empty s x n : size s x n -> (empty_hand s x <-> n = 0).
Proof.
  intros (K & A & B). unfold empty_hand. split.
  - intro H. rewrite <- B. apply sum_zero. auto.
  - intros -> k. destruct (le_lt_dec K k); auto. now apply (proj1 (sum_zero K _) B).
Qed.
Lemma sum_take K f g k : k < K -> 1 <= f k -> (forall j, g j = if Nat.eqb j k then f j - 1 else f j) ->
  sum_below K g = sum_below K f - 1 /\ 1 <= sum_below K f.
Proof.
  intros L F H. induction K as [|K IH]; [lia|]. simpl. rewrite (H K). destruct (Nat.eqb_spec K k) as [->|N].
  - assert (E : sum_below k g = sum_below k f).
    { clear IH L. assert (Z : forall n, n <= k -> sum_below n g = sum_below n f); [|auto].
      induction n as [|n IHn]; auto. intro Ln. simpl. rewrite IHn by lia. rewrite (H n). destruct (Nat.eqb_spec n k); lia. }
    lia.
  - assert (k < K) by lia. specialize (IH H0). lia.
Qed.
Lemma size_place s k p n : 1 <= hand s (mover s) k -> size s (mover s) n -> size (place G s k p) (mover s) (n - 1).
Proof.
  intros H (K & A & B). exists K. assert (k < K). { destruct (le_lt_dec K k); auto. rewrite A in H; auto. lia. }
  split; simpl.
  - intros j J. unfold take. rewrite side_eqb_refl. simpl. rewrite (A j J). destruct (Nat.eqb j k); auto.
  - rewrite <- B. eapply sum_take; eauto. intro j. unfold take. now rewrite side_eqb_refl.
Qed.
Lemma size_place' s k p x n : x <> mover s -> size s x n -> size (place G s k p) x n.
Proof.
  intros N (K & A & B). assert (Z : side_eqb x (mover s) = false) by (destruct x, (mover s); auto; congruence).
  exists K. split; simpl.
  - intros j J. unfold take. rewrite Z. simpl. auto.
  - rewrite <- B. clear A B. induction K; simpl; auto. rewrite IHK. unfold take. now rewrite Z.
Qed.
Definition same_sizes s t := empty_hand_wins G = true -> forall x, exists n, size s x n /\ size t x n.
Lemma same_sizes_place s t k j p : same_sizes s t -> mover s = mover t -> 1 <= hand s (mover s) k -> 1 <= hand t (mover s) j ->
  same_sizes (place G s k p) (place G t j p).
Proof.
  intros H M A B Hw x. destruct (H Hw x) as (n & C & D). destruct (side_cases (mover s) x) as [->| ->].
  - exists (n - 1). split; [now apply size_place|]. rewrite M in *. now apply size_place.
  - exists n. split; apply size_place'; auto; rewrite <- ?M; apply other_neq.
Qed.
Lemma same_won s t x : same_sizes s t -> mover s = mover t -> won G s x -> won G t x.
Proof.
  intros H M [Hw W0]. split; auto. rewrite <- M.
  assert (Z : forall y, empty_hand s y <-> empty_hand t y).
  { intro y. destruct (H Hw y) as (n & A & B). now rewrite (size_empty _ _ _ A), (size_empty _ _ _ B). }
  now rewrite <- !Z.
Qed.
Lemma same_sizes_sym s t : same_sizes s t -> same_sizes t s.
Proof. intros H Hw x. destruct (H Hw x) as (n & A & B). eauto. Qed.

Theorem sim_wins S S' M X : essence S S' M -> forall s, wins G X s -> forall s', sim S S' M s s' -> same_sizes s s' -> wins G X s'.
Proof.
  intros E s Wn. induction Wn as [s Wo|s k p N Mv [L _] _ IH|s N Mv _ IH]; intros s' I Sz.
  - apply wins_over. eapply same_won; eauto. apply I.
  - destruct (es_all _ _ _ E (mover s) k) as [j J]. { exists p. eapply living_lemma; eauto. apply I. }
    assert (L' : legal G s' (mover s) j p) by (eapply transfer_legal; eauto).
    apply wins_move with j p.
    + intros [y Y]. apply N. exists y. eapply same_won; [apply same_sizes_sym; eauto|symmetry; apply I|exact Y].
    + now rewrite <- (si_mover _ _ _ _ _ I).
    + split; [|rewrite (si_open' _ _ _ _ _ I); discriminate]. now rewrite <- (si_mover _ _ _ _ _ I).
    + apply IH. { eapply sim_place; eauto. }
      apply same_sizes_place; auto; [apply I|apply L|apply L'].
  - apply wins_all.
    + intros [y Y]. apply N. exists y. eapply same_won; [apply same_sizes_sym; eauto|symmetry; apply I|exact Y].
    + now rewrite <- (si_mover _ _ _ _ _ I).
    + intros j p [L _]. rewrite <- (si_mover _ _ _ _ _ I) in L.
      destruct (es_all' _ _ _ E (mover s) j) as [k J]. { exists p. eapply living_lemma; eauto. apply I. }
      assert (L1 : legal G s (mover s) k p).
      { eapply transfer_legal with (M := fun x j k => M x k j); eauto using essence_sym, sim_sym. }
      apply IH with k p.
      * split; auto. rewrite (si_open _ _ _ _ _ I). discriminate.
      * eapply sim_place; eauto.
      * apply same_sizes_place; auto; [apply I|apply L1|apply L].
Qed.
Theorem essence_lemma S S' M X : essence S S' M -> wins G X S -> wins G X S'.
Proof.
  intros E Wn. eapply sim_wins; eauto; [|intros Hw x; apply (es_size _ _ _ E Hw)].
  split; auto using lt_refl; try apply E.
Qed.
(** "the same side wins both" *)
Theorem same_side_wins S S' M X : essence S S' M -> (wins G X S <-> wins G X S').
Proof. intro E. split; intro Wn; eapply essence_lemma; eauto using essence_sym. Qed.
(** "The essence tells the room: it is the union of all A." *)
Theorem essence_tells_the_room S S' M : essence S S' M -> forall p, V S p <-> V S' p.
Proof. apply es_V. Qed.
End Essence.
