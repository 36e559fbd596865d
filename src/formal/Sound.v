(** The checker accepts only what is true: [accepts_sound]. *)
From Coq Require Import List Arith Lia Bool Uint63.
Import ListNotations.
From Pods Require Import Game Cover Room Counting Mirror Essence Certificate Sets Board Seen Essences Plans Turned Check.
Local Open Scope nat_scope.

(** ** Legs as words *)
Lemma legs_none d : legs_of_code none d = None.
Proof.
  unfold legs_of_code. assert (Z : forall b, meet none b = false).
  { intro b. destruct (meet none b) eqn:M; auto. apply meet_iff in M. destruct M as (p & M & _). now apply mem_none in M. }
  now rewrite !Z.
Qed.
Lemma legs_or a b d : (legs_of_code (or a b) d <> None <-> legs_of_code a d <> None \/ legs_of_code b d <> None) /\
  (legs_of_code (or a b) d = Some Long <-> legs_of_code a d = Some Long \/ legs_of_code b d = Some Long).
Proof.
  unfold legs_of_code. rewrite !meet_or.
  destruct (meet a (long_bit d)), (meet b (long_bit d)), (meet a (any_bit d)), (meet b (any_bit d)); simpl; intuition congruence.
Qed.
Lemma legs_some c d : legs_of_code c d <> None <-> meet c (or (any_bit d) (long_bit d)) = true.
Proof.
  assert (M : forall a b, meet a b = meet b a).
  { intros a b. apply eq_true_iff_eq. rewrite !meet_iff. split; intros (p & ? & ?); eauto. }
  rewrite M, meet_or, (M (any_bit d)), (M (long_bit d)). unfold legs_of_code.
  destruct (meet c (long_bit d)), (meet c (any_bit d)); simpl; intuition congruence.
Qed.
Lemma legs_long c d : legs_of_code c d = Some Long <-> meet c (long_bit d) = true.
Proof. unfold legs_of_code. destruct (meet c (long_bit d)), (meet c (any_bit d)); intuition congruence. Qed.

Section Sound.
Context (G : game) (B : geo) (W : wf G) (Ok : geo_ok G B) (X : side).
Notation Y := (other X).

(** ** Placements *)
Lemma hand_rep_ext l h g : (forall k, h k = g k) -> hand_rep G l h -> hand_rep G l g.
Proof.
  intros E [a b c]. split; auto.
  - intros k n I. rewrite <- E. auto.
  - intros k H. rewrite <- E in H. auto.
Qed.
Lemma add_half_rep f S S' x p l c hd : half_rep G f S x -> p < 63 -> empty S p ->
  (forall q, at_ S' q = if Nat.eqb q p then Some (x, l) else at_ S q) -> (forall d, legs_of_code c d = l d) ->
  hand_rep G hd (hand S' x) -> half_rep G (add_half f (one p) c hd) S' x.
Proof.
  intros [a b e _] P Em At Cl Hd. unfold empty in Em. split; auto; cbn [add_half f_occ f_any f_long].
  - intro q. rewrite mem_or, mem_one, a by auto. unfold held. rewrite At. destruct (Nat.eqb_spec q p) as [->|N].
    + split; [eauto|auto].
    + tauto.
  - intros d q. rewrite get_tab. assert (Z : mem (get (f_any f) d) q -> q <> p).
    { intro M. apply b in M. destruct M as (m & M & _). intros ->. congruence. }
    specialize (b d q). specialize (Cl d). rewrite At. destruct (meet c (or (any_bit d) (long_bit d))) eqn:Mt.
    + apply legs_some in Mt. rewrite Cl in Mt. rewrite mem_or, mem_one by auto. destruct (Nat.eqb_spec q p) as [->|N].
      * split; [eauto|auto].
      * rewrite b. tauto.
    + assert (Ln : l d = None). { rewrite <- Cl. destruct (legs_of_code c d) eqn:Q; auto. assert (legs_of_code c d <> None) by congruence.
        apply legs_some in H. congruence. }
      destruct (Nat.eqb_spec q p) as [->|N]; [|exact b]. split; [intro M; now destruct (Z M)|]. intros (m & M & Q). injection M as <-. congruence.
  - intros d q. rewrite get_tab. assert (Z : mem (get (f_long f) d) q -> q <> p).
    { intro M. apply e in M. destruct M as (m & M & _). intros ->. congruence. }
    specialize (e d q). specialize (Cl d). rewrite At. destruct (meet c (long_bit d)) eqn:Mt.
    + apply legs_long in Mt. rewrite Cl in Mt. rewrite mem_or, mem_one by auto. destruct (Nat.eqb_spec q p) as [->|N].
      * split; [eauto|auto].
      * rewrite e. tauto.
    + assert (Ln : l d <> Some Long). { rewrite <- Cl. intro Q. apply legs_long in Q. congruence. }
      destruct (Nat.eqb_spec q p) as [->|N]; [|exact e]. split; [intro M; now destruct (Z M)|]. intros (m & M & Q). injection M as <-. congruence.
Qed.
Lemma keep_half_rep f S S' x p l : half_rep G f S x -> empty S p ->
  (forall q, at_ S' q = if Nat.eqb q p then Some (other x, l) else at_ S q) -> hand_rep G (f_hand f) (hand S' x) -> half_rep G f S' x.
Proof.
  intros [a b e _] Em At Hd. unfold empty in Em. split; auto.
  - intro q. rewrite a. unfold held. rewrite At. destruct (Nat.eqb_spec q p) as [->|N]; [|tauto].
    split; intros [m M]; [congruence|]. injection M as M _. now destruct (other_neq x).
  - intros d q. rewrite b, At. destruct (Nat.eqb_spec q p) as [->|N]; [|tauto].
    split; intros (m & M & _); [congruence|]. injection M as M _. now destruct (other_neq x).
  - intros d q. rewrite e, At. destruct (Nat.eqb_spec q p) as [->|N]; [|tauto].
    split; intros (m & M & _); [congruence|]. injection M as M _. now destruct (other_neq x).
Qed.
Lemma put_rep s S p l c hd h : rep G s S -> In p (points G) -> empty S p -> (forall d, legs_of_code c d = l d) ->
  hand_rep G hd (h (mover S)) -> hand_rep G (f_hand (half_of s (other (mover S)))) (h (other (mover S))) ->
  rep G (put_sit s (one p) c hd) (after S l p h).
Proof.
  intros Rp I Em Cl Hd Ho. pose proof (rp_mover _ _ _ Rp) as M.
  assert (P : p < 63) by now apply (pts_below G B Ok).
  assert (At : forall q, at_ (after S l p h) q = if Nat.eqb q p then Some (mover S, l) else at_ S q) by reflexivity.
  assert (HM : half_rep G (add_half (half_of s (mover S)) (one p) c hd) (after S l p h) (mover S)).
  { eapply add_half_rep; eauto. apply Rp. }
  assert (HO : half_rep G (half_of s (other (mover S))) (after S l p h) (other (mover S))).
  { eapply keep_half_rep; eauto. apply Rp. rewrite other_other. exact At. }
  unfold put_sit. rewrite M. split.
  - intro x. destruct (mover S), x; simpl in *; auto.
  - simpl. destruct (mover S); reflexivity.
  - destruct (mover S); reflexivity.
  - intros q Q. simpl in Q. unfold put in Q. destruct (Nat.eqb_spec q p) as [Eq|N]; [now rewrite Eq|]. now apply (rp_on _ _ _ Rp).
Qed.
Lemma placed_rep s S k p s' : rep G s S -> kd_ok G k -> In p (g_points B) -> empty S (pt_no p) -> placed s k p = Some s' ->
  rep G s' (place G S (kd_no k) (pt_no p)).
Proof.
  intros Rp K I Em H. destruct (go_pts _ _ Ok p I) as (P & Pb & Pi). unfold placed in H.
  destruct (taken (kd_no k) _) as [[e hd]|] eqn:Tk; [|discriminate]. injection H as <-. rewrite (rp_mover _ _ _ Rp) in *.
  destruct (taken_spec G _ _ _ _ _ (hr_hand _ _ _ _ (rp_half _ _ _ Rp (mover S))) Tk) as (_ & _ & _ & Hd).
  rewrite Pb. apply put_rep; auto.
  - apply K.
  - eapply hand_rep_ext; [|exact Hd]. intro j. unfold take. now rewrite side_eqb_refl.
  - eapply hand_rep_ext; [|apply (hr_hand _ _ _ _ (rp_half _ _ _ Rp (other (mover S))))]. intro j. unfold take. now rewrite side_eqb_other.
Qed.
Lemma covered_rep s S p c : rep G s S -> In p (g_points B) -> empty S (pt_no p) ->
  rep G (covered s p c) (cover S (pt_no p) (legs_of_code c)).
Proof.
  intros Rp I Em. destruct (go_pts _ _ Ok p I) as (P & Pb & Pi). unfold covered, cover. rewrite Pb, (rp_mover _ _ _ Rp).
  apply put_rep; auto; apply (rp_half _ _ _ Rp).
Qed.

(** ** What is listed *)
Context (s0 : sit) (S0 : situation) (Rp0 : rep G s0 S0).
Fixpoint den (h : hist) : situation := match h with
  | Start => S0
  | Put h k p => place G (den h) (kd_no k) (pt_no p)
  | Cov h p c => cover (den h) (pt_no p) (legs_of_code c) end.
Fixpoint good (h : hist) : Prop := match h with
  | Start => True
  | Put h k p => good h /\ kd_ok G k /\ In p (g_points B) /\ empty (den h) (pt_no p)
  | Cov h p c => good h /\ In p (g_points B) /\ empty (den h) (pt_no p) end.
Lemma rebuilt_rep h : good h -> forall s, rebuilt s0 h = Some s -> rep G s (den h).
Proof.
  induction h as [|h IH k p|h IH p c]; cbn [good rebuilt den]; intros Gd s H.
  - congruence.
  - destruct (rebuilt s0 h) as [s'|]; [|discriminate]. destruct Gd as (G1 & G2 & G3 & G4). eapply placed_rep; eauto.
  - destruct (rebuilt s0 h) as [s'|]; [|discriminate]. injection H as <-. destruct Gd as (G1 & G3 & G4). apply covered_rep; auto.
Qed.

Fixpoint in_tree (h : hist) (t : tree) : Prop := match t with Leaf g => h = g | Node g l r => h = g \/ in_tree h l \/ in_tree h r end.
Definition in_table (h : hist) (t : table) : Prop := exists e, In e t /\ in_tree h (snd e).
Lemma in_listed_too h g t : in_table h (listed_too g t) -> h = g \/ in_table h t.
Proof.
  unfold listed_too. assert (New : forall u, in_table h ((1%uint63, Leaf g) :: u) -> h = g \/ in_table h u).
  { intros u (e & [<-|I] & T); [left; exact T|right; exists e; auto]. }
  destruct t as [|[n a] [|[m b] r]]; try apply New. destruct (PrimInt63.eqb n m); [|apply New].
  intros (e & [<-|I] & T).
  - destruct T as [T|[T|T]]; [auto|right|right].
    + exists (n, a). simpl. auto.
    + exists (m, b). simpl. auto.
  - right. exists e. simpl. auto.
Qed.
Lemma entry_at_in t : forall n i, in_tree (entry_at t n i) t.
Proof.
  induction t as [h|h l IHl r IHr]; intros n i; cbn [entry_at]; [reflexivity|].
  destruct (PrimInt63.eqb i 0); [now left|]. destruct (PrimInt63.leb i _); right; [left; apply IHl|right; apply IHr].
Qed.
Lemma nth_listed_in t : forall i h, nth_listed t i = Some h -> in_table h t.
Proof.
  induction t as [|[n a] r IH]; simpl; [discriminate|]. intros i h. destruct (PrimInt63.ltb i n).
  - intro H. injection H as <-. exists (n, a). split; [now left|]. apply entry_at_in.
  - intro H. destruct (IH _ _ H) as (e & I & T). exists e. simpl. auto.
Qed.

(** ** The walk *)
Context (turn : nat) (can_turn : bool) (Tn : can_turn = true -> turns G B turn = true).
Context {O : Type} (orc : oracle O).
Definition queued (a : acc O) t := exists h, (In h (a_front a) \/ In h (a_back a)) /\ den h = t.
(** D: situations that have a verdict of their own; H: those shown; P: those in the midst of their step *)
Definition known (D H P : situation -> Prop) (a : acc O) t := D t \/ H t \/ P t \/ queued a t.
Record inv (D H P : situation -> Prop) (a : acc O) : Prop := {
  iv_verdict : forall t, D t -> verdict G X (leaf G X) (known D H P a) t;
  iv_shown : forall t, H t -> exists u, same_essence G u t /\ (D u \/ P u \/ queued a u);
  iv_listed : forall h, in_table h (a_tab a) -> good h /\ (D (den h) \/ P (den h) \/ queued a (den h));
  iv_queue : forall h, In h (a_front a) \/ In h (a_back a) -> good h }.
(** after a come b, and [Q] is known *)
Definition leads (a b : acc O) (Q : (situation -> Prop) -> (situation -> Prop) -> Prop) := forall D H P, inv D H P a ->
  exists D' H', inv D' H' P b /\ (forall t, known D H P a t -> known D' H' P b t) /\ Q D' (known D' H' P b).

Lemma verdict_mono (D E : situation -> Prop) t : (forall t, D t -> E t) -> verdict G X (leaf G X) D t -> verdict G X (leaf G X) E t.
Proof.
  intros I [A|A|k p N M C A|N M A]; [now apply v_over|now apply v_leaf|eapply v_stepX; eauto|apply v_stepY; auto].
  intro p. destruct (A p) as [C|(C & K & l & D' & P)]; [left; auto|right]. split; [auto|split; [auto|]]. exists l. auto.
Qed.
Lemma inv_o D H P a o : inv D H P a -> inv D H P (with_o a o).
Proof. intros [b c d e]. split; auto. Qed.

Definition walks (start : bool) (h : hist) (a b : acc O) := leads a b (fun D K => if start then D (den h) else K (den h)).
Definition sound_walk (f : hist -> sit -> acc O -> option (acc O)) :=
  forall h s a b, good h -> rep G s (den h) -> f h s a = Some b -> walks false h a b.

Lemma leads_refl a (Q : _ -> _ -> Prop) : (forall D K, Q D K) -> leads a a Q.
Proof. intros q D H P I. exists D, H. split; [exact I|split; [auto|apply q]]. Qed.
Lemma leads_o a b o Q : leads (with_o a o) b Q -> leads a b Q.
Proof. intros L D H P I. apply (L D H P). now apply inv_o. Qed.

Section Loops.
Variable f : hist -> sit -> acc O -> option (acc O).
Hypothesis Hf : sound_walk f.
Variables (h : hist) (s : sit).
Hypothesis Gh : good h.
Hypothesis Rp : rep G s (den h).

Lemma each_kind_sound p : In p (g_points B) -> empty (den h) (pt_no p) -> forall ks a b, (forall k, In k ks -> kd_ok G k) ->
  each_kind f h s p ks a = Some b -> leads a b (fun _ K => forall k, In k ks -> K (place G (den h) (kd_no k) (pt_no p))).
Proof.
  intros Ip Em. induction ks as [|k t IH]; intros a b Kk H; cbn [each_kind] in H.
  - injection H as <-. apply leads_refl. simpl. tauto.
  - destruct (placed s k p) as [s'|] eqn:Pl; [|discriminate]. destruct (f (Put h k p) s' a) as [a'|] eqn:Fa; [|discriminate].
    assert (Gk : good (Put h k p)) by (cbn [good]; auto with datatypes).
    assert (Rk : rep G s' (den (Put h k p))) by (cbn [den]; eapply placed_rep; eauto with datatypes).
    pose proof (Hf _ _ _ _ Gk Rk Fa) as L1.
    assert (L2 := IH a' b (fun k I => Kk k (or_intror I)) H).
    intros D Hh P I. destruct (L1 D Hh P I) as (D1 & H1 & I1 & M1 & Q1). destruct (L2 D1 H1 P I1) as (D2 & H2 & I2 & M2 & Q2).
    exists D2, H2. split; [auto|split; [auto|]]. intros j [<-|J]; [|auto]. apply M2. exact Q1.
Qed.

Variable l : list row.
Hypothesis Hl : rows_for G l (hand (den h) (mover (den h))) (choice G (den h)).

Lemma kinds_at_spec p : p < 63 -> forall m, (forall r, In r m -> In r l) ->
  (forall k, In k (kinds_at (one p) m) -> kd_ok G k /\ choice G (den h) (kd_no k) p) /\
  (forall r, In r m -> choice G (den h) (kd_no (r_kd r)) p -> In (r_kd r) (kinds_at (one p) m)).
Proof.
  intro P. induction m as [|r t IH]; intros I; cbn [kinds_at]; [split; [easy|easy]|].
  destruct IH as [A C]; [intros; apply I; now right|].
  destruct (rw_in _ _ _ _ Hl r (I r (or_introl eq_refl))) as (K & _ & _ & _ & M).
  destruct (meet (r_set r) (one p)) eqn:Mt.
  - apply meet_one in Mt; auto. apply M in Mt. split.
    + intros k [<-|J]; auto.
    + intros r' [<-|J] Ch; [now left|right; auto].
  - split; auto. intros r' [<-|J] Ch; auto. apply M in Ch. apply meet_one in Ch; auto. congruence.
Qed.
Lemma kinds_at_all p : p < 63 -> (forall k, In k (kinds_at (one p) l) -> kd_ok G k /\ choice G (den h) (kd_no k) p) /\
  (forall k, choice G (den h) k p -> exists e, In e (kinds_at (one p) l) /\ kd_no e = k).
Proof.
  intro P. destruct (kinds_at_spec p P l) as [A C]; auto. split; auto. intros k Ch.
  destruct (rw_all _ _ _ _ Hl k p Ch) as (r & R & <-). exists (r_kd r). auto.
Qed.
Lemma cover_code_legs x ks d : (forall k, In k ks -> kd_ok G k) ->
  (legs_of_code (cover_code x ks) d <> None <-> exists k, In k ks /\ lie G x (kd_no k) d <> None) /\
  (legs_of_code (cover_code x ks) d = Some Long <-> exists k, In k ks /\ lie G x (kd_no k) d = Some Long).
Proof.
  induction ks as [|k t IH]; intro Kk; cbn [cover_code].
  - rewrite legs_none. split; (split; [congruence|intros (? & [] & _)]).
  - destruct IH as [A C]; [auto with datatypes|]. destruct (legs_or (kd_code k x) (cover_code x t) d) as [E F].
    destruct (Kk k (or_introl eq_refl)) as (_ & _ & Z). destruct (Z x) as (_ & Z1 & _). rewrite (Z1 d) in E, F. rewrite E, F, A, C. split; split.
    + intros [?|(j & ? & ?)]; [exists k|exists j]; simpl; auto.
    + intros (j & [<-|?] & ?); eauto.
    + intros [?|(j & ? & ?)]; [exists k|exists j]; simpl; auto.
    + intros (j & [<-|?] & ?); eauto.
Qed.
(** all choices on the point are known, alone or covered *)
Definition point_known (K : situation -> Prop) p := (forall k, choice G (den h) k p -> K (place G (den h) k p)) \/
  (empty_hand_wins G = false /\ (exists k, choice G (den h) k p) /\ exists m, cover_legs G (den h) p m /\ K (cover (den h) p m)).
Lemma at_point_sound p a b : In p (g_points B) -> at_point G orc f h s p (kinds_at (pt_bit p) l) a = Some b ->
  leads a b (fun _ K => point_known K (pt_no p)).
Proof.
  intros Ip H. destruct (go_pts _ _ Ok p Ip) as (P & Pb & Pi). rewrite Pb in H. destruct (kinds_at_all _ P) as [A C].
  set (ks := kinds_at (one (pt_no p)) l) in *.
  assert (EK : forall a, empty (den h) (pt_no p) -> each_kind f h s p ks a = Some b -> leads a b (fun _ K => point_known K (pt_no p))).
  { intros a1 Em Ea. assert (L := each_kind_sound p Ip Em ks a1 b (fun k I => proj1 (A k I)) Ea).
    intros D Hh Q I. destruct (L D Hh Q I) as (D1 & H1 & I1 & M1 & Q1). exists D1, H1. split; [auto|split; [auto|]].
    left. intros k Ch. destruct (C k Ch) as (e & E1 & <-). auto. }
  unfold at_point in H. destruct ks as [|k1 [|k2 t]] eqn:Ks.
  - injection H as <-. apply leads_refl. intros D K. left. intros k Ch. destruct (C k Ch) as (e & [] & _).
  - apply EK; auto. destruct (A k1) as [_ Ch]; [now left|]. apply Ch.
  - assert (Em : empty (den h) (pt_no p)) by (destruct (A k1) as [_ Ch]; [now left|apply Ch]).
    destruct (empty_hand_wins G) eqn:Hw; [now apply EK|].
    destruct (say_cover orc (a_o a) s p (k1 :: k2 :: t)) as [o [|]]; [|apply leads_o with o; now apply EK].
    set (c := cover_code (s_mover s) (k1 :: k2 :: t)) in *.
    assert (Gk : good (Cov h p c)) by (cbn [good]; auto).
    assert (Rk : rep G (covered s p c) (den (Cov h p c))) by (cbn [den]; apply covered_rep; auto).
    apply leads_o with o. pose proof (Hf _ _ _ _ Gk Rk H) as L. intros D Hh Q I. destruct (L D Hh Q I) as (D1 & H1 & I1 & M1 & Q1).
    exists D1, H1. split; [auto|split; [auto|]]. right. split; [auto|split].
    + exists (kd_no k1). apply A. now left.
    + exists (legs_of_code c). split; [|exact Q1]. intro d. unfold c. rewrite (rp_mover _ _ _ Rp).
      destruct (cover_code_legs (mover (den h)) (k1 :: k2 :: t) d) as [E F]. { intros k I'. now apply A. }
      rewrite E, F. split; split.
      * intros (k & I' & Lg). exists (kd_no k). split; auto. now apply A.
      * intros (k & Ch & Lg). destruct (C k Ch) as (e & E1 & <-). eauto.
      * intros (k & I' & Lg). exists (kd_no k). split; auto. now apply A.
      * intros (k & Ch & Lg). destruct (C k Ch) as (e & E1 & <-). eauto.
Qed.
Lemma point_known_mono (K L : situation -> Prop) p : (forall t, K t -> L t) -> point_known K p -> point_known L p.
Proof. intros M [A|(A & C & m & D & E)]; [left; auto|right]. split; [auto|split; [auto|]]. eauto. Qed.
Lemma each_point_sound : forall ps a b, (forall p, In p ps -> In p (g_points B)) -> each_point G orc f h s l ps a = Some b ->
  leads a b (fun _ K => forall p, In p ps -> point_known K (pt_no p)).
Proof.
  induction ps as [|p t IH]; intros a b Ip H; cbn [each_point] in H.
  - injection H as <-. apply leads_refl. simpl. tauto.
  - destruct (at_point G orc f h s p _ a) as [a'|] eqn:Ap; [|discriminate].
    assert (L1 := at_point_sound p a a' (Ip p (or_introl eq_refl)) Ap). assert (L2 := IH a' b (fun q I => Ip q (or_intror I)) H).
    intros D Hh P I. destruct (L1 D Hh P I) as (D1 & H1 & I1 & M1 & Q1). destruct (L2 D1 H1 P I1) as (D2 & H2 & I2 & M2 & Q2).
    exists D2, H2. split; [auto|split; [auto|]]. intros j [<-|J]; [|auto]. eapply point_known_mono; [|exact Q1]. exact M2.
Qed.
Lemma step_on_sound a b : ~ Game.over G (den h) -> step_on G B X orc f h s l a = Some b ->
  leads a b (fun _ K => verdict G X (leaf G X) K (den h)).
Proof.
  intros No H. unfold step_on in H. rewrite (rp_mover _ _ _ Rp) in H. destruct (side_eqb (mover (den h)) X) eqn:Sd.
  - assert (Mv : mover (den h) = X) by (destruct (mover (den h)), X; auto; discriminate).
    destruct (say_choice orc (a_o a) s l) as [o [k i]]. destruct (nth_error (g_points B) i) as [p|] eqn:Pi; [|discriminate].
    destruct (row_of k l) as [r|] eqn:Ro; [|discriminate]. destruct (meet (r_set r) (pt_bit p)) eqn:Mt; [|discriminate].
    destruct (placed s (r_kd r) p) as [s'|] eqn:Pl; [|discriminate].
    apply nth_error_In in Pi. destruct (go_pts _ _ Ok p Pi) as (P & Pb & Pin). apply row_of_spec in Ro. destruct Ro as [Ri <-].
    rewrite Pb in Mt. apply meet_one in Mt; auto. destruct (rw_in _ _ _ _ Hl r Ri) as (K & _ & _ & _ & M). apply M in Mt.
    assert (Em : empty (den h) (pt_no p)) by apply Mt.
    assert (Gk : good (Put h (r_kd r) p)) by (cbn [good]; auto).
    assert (Rk : rep G s' (den (Put h (r_kd r) p))) by (cbn [den]; eapply placed_rep; eauto).
    apply leads_o with o. pose proof (Hf _ _ _ _ Gk Rk H) as L. intros D Hh Q I. destruct (L D Hh Q I) as (D1 & H1 & I1 & M1 & Q1).
    exists D1, H1. split; [auto|split; [auto|]]. eapply v_stepX; eauto.
  - assert (Mv : mover (den h) = Y) by (destruct (mover (den h)), X; auto; discriminate).
    assert (L := each_point_sound (g_points B) a b (fun p I => I) H). intros D Hh Q I. destruct (L D Hh Q I) as (D1 & H1 & I1 & M1 & Q1).
    exists D1, H1. split; [auto|split; [auto|]]. apply v_stepY; auto. intro p.
    destruct (in_dec Nat.eq_dec p (points G)) as [Ip|Np].
    + destruct (go_pts' _ _ Ok p Ip) as (t & It & <-). exact (Q1 t It).
    + left. intros k [Lg _]. destruct Np. apply Lg.
Qed.
End Loops.

(** a situation is listed, and stands in the midst of its step *)
Lemma listed_leads h a b o : good h -> leads (Acc _ o (listed_too h (a_tab a)) (a_front a) (a_back a)) b
    (fun _ K => verdict G X (leaf G X) K (den h)) -> leads a b (fun D _ => D (den h)).
Proof.
  intros Gh L D H P [i1 i2 i3 i4].
  destruct (L D H (fun t => P t \/ t = den h)) as (D' & H' & [j1 j2 j3 j4] & M & V).
  { split; simpl.
    - intros t Dt. eapply verdict_mono; [|exact (i1 t Dt)]. intros u [?|[?|[?|?]]]; unfold known; auto 6.
    - intros t Ht. destruct (i2 t Ht) as (u & U & [?|[?|?]]); exists u; auto 8.
    - intros g Ig. apply in_listed_too in Ig. destruct Ig as [->|Ig]; [auto 8|]. destruct (i3 g Ig) as [? [?|[?|?]]]; auto 8.
    - exact i4. }
  exists (fun t => D' t \/ t = den h), H'.
  assert (KK : forall t, known D' H' (fun t => P t \/ t = den h) b t -> known (fun t => D' t \/ t = den h) H' P b t).
  { unfold known. intuition. }
  split; [|split; [|auto]].
  - split.
    + intros t [Dt| ->]; (eapply verdict_mono; [exact KK|auto]).
    + intros t Ht. destruct (j2 t Ht) as (u & U & Z). exists u. split; auto. intuition.
    + intros g Ig. destruct (j3 g Ig) as [? Z]. split; auto. intuition.
    + exact j4.
  - intros t Kt. apply KK. apply M. unfold known in *. intuition.
Qed.
(** a verdict that needs nothing else *)
Lemma direct_leads h a : (forall K, verdict G X (leaf G X) K (den h)) -> leads a a (fun D _ => D (den h)).
Proof.
  intros V D H P [i1 i2 i3 i4]. exists (fun t => D t \/ t = den h), H.
  assert (KK : forall t, known D H P a t -> known (fun t => D t \/ t = den h) H P a t) by (unfold known; intuition).
  split; [|split; [exact KK|auto]]. split.
  - intros t [Dt| ->]; [eapply verdict_mono; [exact KK|auto]|auto].
  - intros t Ht. destruct (i2 t Ht) as (u & U & Z). exists u. split; auto. intuition.
  - intros g Ig. destruct (i3 g Ig) as [? Z]. split; auto. intuition.
  - exact i4.
Qed.
Lemma leads_walks start h a b : leads a b (fun D _ => D (den h)) -> walks start h a b.
Proof.
  intros L D H P I. destruct (L D H P I) as (D' & H' & I' & M & Q). exists D', H'. split; [auto|split; [auto|]].
  destruct start; auto. now left.
Qed.

Lemma no_pods_spec f x S : half_rep G f S x -> (no_pods f = true <-> empty_hand S x).
Proof.
  intros Hf. destruct (hr_hand _ _ _ _ Hf) as [_ b c]. unfold no_pods, empty_hand. split.
  - intros H k. destruct (f_hand f) eqn:E; [|discriminate]. destruct (hand S x k) eqn:Hk; auto.
    destruct (c k) as (e & n' & [] & _). lia.
  - intro H. destruct (f_hand f) as [|[k n] t] eqn:E; auto. destruct (b k n) as (_ & N1 & Hn); [now left|]. rewrite H in Hn. lia.
Qed.

Lemma side_eqb_true x y : side_eqb x y = true -> x = y.
Proof. destruct x, y; auto; discriminate. Qed.
Lemma side_eqb_false x y : side_eqb x y = false -> x = other y.
Proof. destruct x, y; auto; discriminate. Qed.

Lemma bipods_spec l (h : hist) : opening (den h) = true -> rows_for G l (hand (den h) (mover (den h))) (legal G (den h) (mover (den h))) ->
  rows_for G (bipods l) (hand (den h) (mover (den h))) (choice G (den h)).
Proof.
  intros Op [a b c].
  assert (Sub : forall m r, In r (bipods m) <-> In r m /\ kd_bipod (r_kd r) = true).
  { induction m as [|r' t IH]; intro r; cbn [bipods]; [simpl; tauto|]. destruct (kd_bipod (r_kd r')) eqn:Bp; simpl; rewrite IH; split.
    - intros [->|?]; tauto.
    - tauto.
    - tauto.
    - intros [[->|?] ?]; [congruence|tauto]. }
  split.
  - clear b c. induction l as [|r t IH]; cbn [bipods map] in *; [constructor|]. inversion a; subst.
    destruct (kd_bipod (r_kd r)); auto. simpl. constructor; auto. intro I. apply H1. apply in_map_iff in I. destruct I as (r' & E & I).
    apply Sub in I. apply in_map_iff. exists r'. tauto.
  - intros r I. apply Sub in I. destruct I as [I Bp]. destruct (b r I) as (K & N1 & Hn & Ex & M).
    split; [auto|split; [auto|split; [auto|split; [auto|]]]]. intro p. rewrite M. unfold choice. destruct K as (K1 & _). intuition.
  - intros k p [Lg Bi]. destruct (c k p Lg) as (r & I & <-). exists r. split; auto. apply Sub. split; auto.
    destruct (b r I) as ((_ & K2 & _) & _). auto.
Qed.

Strategy opaque [room_of essence_of legal_rows see empties pass_set libs_of counting_ok threats_of same_ess].
Lemma judge_sound start f h s vd a b :
  sound_walk f -> good h -> rep G s (den h) -> opening (den h) = false -> ~ Game.over G (den h) ->
  let E := empties B s in let pass := pass_set G B E in
  let v := see B pass (half_of s (other (mover (den h)))) in
  let l := legal_rows G E (libs_of B E) v (mover (den h)) (f_hand (half_of s (mover (den h)))) in
  judge G B X s0 orc start f h s E pass (libs_of B E) v l vd a = Some b -> walks start h a b.
Proof.
  intros Hf Gh Rp Op No E pass v l H. unfold judge in H. rewrite (rp_mover _ _ _ Rp) in H. set (S := den h) in *. set (x := mover S) in *.
  assert (Hl : rows_for G l (hand S x) (legal G S x)) by (apply (legal_rows_spec G B W Ok s S Rp)).
  assert (Hc : rows_for G l (hand S x) (choice G S)).
  { eapply rows_for_iff; [|exact Hl]. intros k p. unfold choice. fold x. rewrite Op. intuition congruence. }
  set (vy := see B pass (half_of s x)) in H.
  assert (Vw : (match x with White => v | Black => vy end) = see B pass (s_black s)) by (unfold v, vy; fold x; destruct x; reflexivity).
  assert (Vb : (match x with White => vy | Black => v end) = see B pass (s_white s)) by (unfold v, vy; fold x; destruct x; reflexivity).
  rewrite Vw, Vb in H.
  destruct (room_of G B E (libs_of B E) (see B pass (s_black s)) (see B pass (s_white s)) s) as [r|] eqn:Rm; [|discriminate].
  pose proof (room_found G B W Ok s S Rp r Rm) as IR.
  pose proof (essence_of_ok G B W Ok s S Rp Op r IR) as EO. fold E pass in EO.
  set (e := essence_of G B E pass (see B pass (s_black s)) (see B pass (s_white s)) s r) in *.
  destruct vd.
  - (* step *)
    apply leads_walks. eapply listed_leads; eauto. eapply step_on_sound; eauto.
  - (* counting *)
    destruct (empty_hand_wins G) eqn:Hw; [discriminate|].
    set (lx := if side_eqb x X then l else legal_rows G E (libs_of B E) vy X (f_hand (half_of s X))) in H.
    destruct (say_plan orc (a_o a) s E r lx (threats_of B X pass (rows r Y))) as [o pl].
    destruct (counting_ok G B X E (threats_of B X pass (rows r Y)) lx (rows r Y) (f_hand (half_of s X)) (side_eqb x X) pl) eqn:Cn; [|discriminate].
    injection H as <-. apply leads_walks. apply leads_o with o. apply direct_leads. intro K. apply v_leaf. left.
    assert (Lx : rows_for G lx (hand S X) (legal G S X)).
    { unfold lx. destruct (side_eqb x X) eqn:Sd; [apply side_eqb_true in Sd; now rewrite <- Sd|].
      apply side_eqb_false in Sd. unfold vy. rewrite Sd. apply (legal_rows_spec G B W Ok s S Rp). }
    eapply (counting_sound G B X W Ok s S Rp Op (rows r Y) lx (proj1 IR Y) Lx); eauto.
    + apply (rp_half _ _ _ Rp X).
    + fold x. destruct (side_eqb x X) eqn:Sd; [now apply side_eqb_true|now apply side_eqb_false].
  - (* shown *)
    destruct start; [discriminate|]. destruct (say_shown orc (a_o a) e) as [o i].
    destruct (nth_listed (a_tab a) i) as [h'|] eqn:Nl; [|discriminate]. destruct (rebuilt s0 h') as [s'|] eqn:Rb; [|discriminate].
    destruct (whole_essence G B s') as [e'|] eqn:We; [|discriminate]. destruct (same_ess e' e) eqn:Sm; [|discriminate].
    injection H as <-. apply leads_o with o. intros D Hh P [i1 i2 i3 i4].
    destruct (i3 h' (nth_listed_in _ _ _ Nl)) as [Gh' Z]. pose proof (rebuilt_rep h' Gh' s' Rb) as Rp'.
    assert (SE : same_essence G (den h') S).
    { unfold whole_essence in We. destruct (s_open s') eqn:Os; [discriminate|]. rewrite (rp_open _ _ _ Rp') in Os.
      destruct (room_of G B (empties B s') (libs_of B (empties B s')) (see B (pass_set G B (empties B s')) (s_black s'))
        (see B (pass_set G B (empties B s')) (s_white s')) s') as [r'|] eqn:Rm'; [|discriminate].
      injection We as We. pose proof (room_found G B W Ok s' (den h') Rp' r' Rm') as IR'.
      pose proof (essence_of_ok G B W Ok s' (den h') Rp' Os r' IR') as EO'. rewrite We in EO'.
      eapply same_ess_ok; eauto. }
    exists D, (fun t => Hh t \/ t = S).
    assert (KK : forall t, known D Hh P a t -> known D (fun t => Hh t \/ t = S) P a t) by (unfold known; intuition).
    split; [|split; [exact KK|right; left; now right]]. split; auto.
    + intros t Dt. eapply verdict_mono; [exact KK|auto].
    + intros t [Ht| ->]; [auto|]. exists (den h'). auto.
  - (* later *)
    destruct start; [discriminate|]. injection H as <-. intros D Hh P [i1 i2 i3 i4]. exists D, Hh.
    set (b := Acc O (hear_listed orc (a_o a) e) (listed_too h (a_tab a)) (a_front a) (h :: a_back a)).
    assert (QQ : forall t, queued a t -> queued b t). { intros t (g & Z & Q). exists g. split; auto. simpl. tauto. }
    assert (Qh : queued b S). { exists h. split; auto. simpl. auto. }
    assert (KK : forall t, known D Hh P a t -> known D Hh P b t) by (unfold known; intros t [?|[?|[?|?]]]; auto 6).
    split; [|split; [exact KK|right; right; right; exact Qh]]. split.
    + intros t Dt. eapply verdict_mono; [exact KK|auto].
    + intros t Ht. destruct (i2 t Ht) as (u & U & [?|[?|?]]); exists u; auto 6.
    + intros g Ig. apply in_listed_too in Ig. destruct Ig as [->|Ig]; [auto 6|]. destruct (i3 g Ig) as [? [?|[?|?]]]; auto 6.
    + simpl. intros g [?|[<-|?]]; auto.
  - discriminate.
Qed.

Theorem walk_is_sound : forall n start h s a b, good h -> rep G s (den h) -> walk G B X turn can_turn s0 orc n start h s a = Some b ->
  walks start h a b.
Proof.
  induction n as [|n IH]; intros start h s a b Gh Rp H; [discriminate|]. cbn [walk] in H.
  assert (Hf : sound_walk (walk G B X turn can_turn s0 orc n false)) by (intros h' s' a' b' ? ? ?; eapply IH; eauto).
  rewrite (rp_mover _ _ _ Rp) in H. set (S := den h) in *. set (x := mover S) in *.
  assert (Nx : forall y, no_pods (half_of s y) = true <-> empty_hand S y) by (intro y; apply no_pods_spec; apply Rp).
  pose proof (Nx White) as NW. pose proof (Nx Black) as NB. simpl in NW, NB.
  destruct (empty_hand_wins G && (no_pods (s_white s) || no_pods (s_black s))) eqn:Ov.
  { apply andb_true_iff in Ov. destruct Ov as [Hw Ov]. apply orb_true_iff in Ov.
    destruct (side_eqb _ X) eqn:Sd; [|discriminate]. injection H as <-. apply side_eqb_true in Sd.
    apply leads_walks, direct_leads. intro K. apply v_over. split; auto. fold x.
    destruct (no_pods (half_of s (other x))) eqn:Np.
    - left. split; [now apply Nx|auto].
    - right. split; [intro Z; apply Nx in Z; change (no_pods (half_of s (other x)) = true) in Z; congruence|split; auto]. apply Nx.
      change (no_pods (half_of s x) = true). clear -Ov Np. clearbody x. destruct x; simpl in Np |- *; destruct Ov as [Ov|Ov]; auto; congruence. }
  assert (No : ~ Game.over G S).
  { intros [y [Hw Z]]. rewrite Hw in Ov. simpl in Ov. apply orb_false_iff in Ov. destruct Ov as [O1 O2].
    assert (Q : forall z, ~ empty_hand S z). { intros [|] Z0; [apply NW in Z0|apply NB in Z0]; congruence. }
    destruct Z as [[Z _]|(_ & Z & _)]; eapply Q; eauto. }
  set (E := empties B s) in *. set (pass := pass_set G B E) in *. set (v := see B pass (half_of s (other x))) in *.
  set (l := legal_rows G E (libs_of B E) v x (f_hand (half_of s x))) in *.
  assert (Hl : rows_for G l (hand S x) (legal G S x)) by (apply (legal_rows_spec G B W Ok s S Rp)).
  rewrite (rp_open _ _ _ Rp) in H. fold S in H.
  assert (Hc : rows_for G (if opening S then bipods l else l) (hand S x) (choice G S)).
  { destruct (opening S) eqn:Op; [now apply bipods_spec|]. eapply rows_for_iff; [|exact Hl].
    intros k p. unfold choice. fold x. rewrite Op. intuition congruence. }
  set (lc := if opening S then bipods l else l) in *.
  destruct (match lc with [] => side_eqb x Y | _ => false end) eqn:Em.
  { injection H as <-. destruct lc as [|r0 t0]; [|discriminate]. apply side_eqb_true in Em.
    apply leads_walks, direct_leads. intro K. apply v_stepY; auto. intro p. left. intros k Ch.
    destruct (rw_all _ _ _ _ Hc k p Ch) as (r & [] & _). }
  clear Em. destruct (say_verdict orc (a_o a) s lc) as [o vd].
  assert (ST : step_on G B X orc (walk G B X turn can_turn s0 orc n false) h s lc (with_o a o) = Some b -> walks start h (with_o a o) b).
  { intro St. assert (L := step_on_sound _ Hf h s Gh Rp lc Hc (with_o a o) b No St). apply leads_walks.
    intros D Hh P I. destruct (L D Hh P I) as (D' & H' & [j1 j2 j3 j4] & M & V).
    exists (fun t => D' t \/ t = S), H'.
    assert (KK : forall t, known D' H' P b t -> known (fun t => D' t \/ t = S) H' P b t) by (unfold known; intuition).
    split; [|split; [intros t Kt; apply KK; auto|auto]]. split.
    - intros t [Dt| ->]; (eapply verdict_mono; [exact KK|auto]).
    - intros t Ht. destruct (j2 t Ht) as (u & U & Z). exists u. split; auto. intuition.
    - intros g Ig. destruct (j3 g Ig) as [? Z]. split; auto. intuition.
    - exact j4. }
  assert (WO : walks start h (with_o a o) b -> walks start h a b) by (apply leads_o).
  apply WO. clear WO.
  destruct (opening S) eqn:Op.
  - destruct vd; try discriminate; auto.
    destruct (side_eqb x Y && negb (empty_hand_wins G) && can_turn && is_mirror (mirrored G turn) s) eqn:Mi; [|discriminate].
    injection H as <-. rewrite !andb_true_iff, negb_true_iff in Mi. destruct Mi as [[[M1 M2] M3] M4]. apply side_eqb_true in M1.
    apply leads_walks, direct_leads. intro K. apply v_leaf. right. eapply (mirror_sound G B turn W Ok (Tn M3)); eauto.
  - destruct vd; try (eapply judge_sound; eauto; fail).
    destruct (side_eqb x Y && negb (empty_hand_wins G) && can_turn && is_mirror (mirrored G turn) s) eqn:Mi; [|discriminate].
    injection H as <-. rewrite !andb_true_iff, negb_true_iff in Mi. destruct Mi as [[[M1 M2] M3] M4]. apply side_eqb_true in M1.
    apply leads_walks, direct_leads. intro K. apply v_leaf. right. eapply (mirror_sound G B turn W Ok (Tn M3)); eauto.
Qed.

(** ** Sections *)
Definition holds (a : acc O) := exists D H, inv D H (fun _ => False) a /\ known D H (fun _ => False) a S0.
Lemma section_sound a b : holds a -> section G B X turn can_turn s0 orc a = Some b -> holds b.
Proof.
  intros (D & H & I & K) Sc. unfold section in Sc.
  set (q := match a_front a with [] => rev_append (a_back a) [] | l => l end) in Sc.
  set (back := match a_front a with [] => [] | _ => a_back a end) in Sc.
  assert (Q : forall h, In h q \/ In h back <-> In h (a_front a) \/ In h (a_back a)).
  { intro h. unfold q, back. destruct (a_front a); [|tauto]. rewrite rev_append_rev, app_nil_r, <- in_rev. simpl. tauto. }
  destruct q as [|h f]; [injection Sc as <-; exists D, H; auto|].
  destruct (rebuilt s0 h) as [s|] eqn:Rb; [|discriminate].
  set (a1 := Acc O (begin_section orc (a_o a)) (a_tab a) f back) in Sc.
  destruct (walk G B X turn can_turn s0 orc 64 true h s a1) as [a'|] eqn:Wk; [|discriminate]. injection Sc as <-.
  assert (Gh : good h). { apply (iv_queue _ _ _ _ I). apply Q. left. now left. }
  pose proof (walk_is_sound _ _ _ _ _ _ Gh (rebuilt_rep h Gh s Rb) Wk) as L.
  assert (QQ : forall t, queued a t -> t = den h \/ queued a1 t).
  { intros t (g & Z & <-). apply Q in Z. simpl in Z. destruct Z as [[<-|Z]|Z]; [auto|right|right]; exists g; simpl; auto. }
  destruct I as [i1 i2 i3 i4].
  destruct (L D H (fun t => t = den h)) as (D' & H' & [j1 j2 j3 j4] & M & V).
  { split.
    - intros t Dt. eapply verdict_mono; [|exact (i1 t Dt)]. intros u [?|[?|[[]|U]]]; unfold known; auto.
    - intros t Ht. destruct (i2 t Ht) as (u & U & [?|[[]|Z]]); exists u; auto.
    - intros g Ig. destruct (i3 g Ig) as [? [?|[[]|Z]]]; auto.
    - intros g Ig. apply i4. apply Q. simpl in Ig. simpl. tauto. }
  exists D', H'.
  assert (KK : forall t, known D' H' (fun t => t = den h) a' t -> known D' H' (fun _ => False) (with_o a' (end_section orc (a_o a'))) t).
  { intros t [?|[?|[->|?]]]; unfold known; auto. }
  split; [split|].
  - intros t Dt. eapply verdict_mono; [exact KK|auto].
  - intros t Ht. destruct (j2 t Ht) as (u & U & [?|[Eu|?]]); exists u; auto. split; [auto|left; rewrite Eu; exact V].
  - intros g Ig. destruct (j3 g Ig) as [? [?|[Z|?]]]; auto. rewrite Z. auto.
  - exact j4.
  - apply KK, M. destruct K as [?|[?|[[]|Z]]]; unfold known; auto.
Qed.
Lemma sections_sound n : forall a b, holds a -> sections G B X turn can_turn s0 orc n a = Some b -> holds b.
Proof.
  induction n as [|n IH]; intros a b Ha H; cbn [sections] in H; (destruct (done a); [injection H as <-; auto|]).
  - eapply section_sound; eauto.
  - destruct (sections G B X turn can_turn s0 orc n a) as [a'|] eqn:S1; [|discriminate]. eauto.
Qed.
Theorem accepts_sound o : accepts G B X turn can_turn s0 orc o = true -> wins G X S0.
Proof.
  unfold accepts. destruct (sections G B X turn can_turn s0 orc 60 (init o)) as [a|] eqn:Sc; [|discriminate]. intro Dn.
  apply sections_sound in Sc.
  - destruct Sc as (D & H & [i1 i2 i3 i4] & K).
    assert (Q : forall t, ~ queued a t).
    { intros t (h & Z & _). unfold done in Dn. destruct (a_front a), (a_back a); try discriminate. simpl in Z. tauto. }
    apply (certificate_sound G X W (fun t => D t \/ H t)).
    + assert (V : forall t, D t -> verdict G X (leaf G X) (fun t => D t \/ H t) t).
      { intros t Dt. eapply verdict_mono; [|exact (i1 t Dt)]. intros u [?|[?|[[]|Z]]]; auto. now destruct (Q u). }
      intros t [Dt|Ht]; [left; auto|right]. destruct (i2 t Ht) as (u & U & [Du|[[]|Z]]); [|now destruct (Q u)].
      exists u. auto.
    + destruct K as [?|[?|[[]|Z]]]; auto. now destruct (Q S0).
  - exists (fun _ => False), (fun _ => False). split; [split|].
    + tauto.
    + tauto.
    + intros h (e & [] & _).
    + simpl. intros h [[<-|[]]|[]]. exact I.
    + right; right; right. exists Start. simpl. auto.
Qed.
End Sound.
