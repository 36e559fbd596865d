(** Situations as words, and what is computed of them: legal pairs, the room and the living pairs. [rep s S] says that the words s
    stand for the situation S; [legal_rows_spec] and [room_found] say that what is computed is what the definitions say. *)
From Coq Require Import List Arith Lia Bool Uint63.
Import ListNotations.
From Pods Require Import Game Room Essence Sets Board.
Local Open Scope nat_scope.

(** ** Legs as a word *)

Definition code := int.
Definition any_bit (d : dir) : code := match d with
  dn => 1%uint63 | dne => 2%uint63 | de => 4%uint63 | dse => 8%uint63 | ds => 16%uint63 | dsw => 32%uint63 | dw => 64%uint63 | dnw => 128%uint63 end.
Definition long_bit (d : dir) : code := match d with
  dn => 256%uint63 | dne => 512%uint63 | de => 1024%uint63 | dse => 2048%uint63 | ds => 4096%uint63 | dsw => 8192%uint63
  | dw => 16384%uint63 | dnw => 32768%uint63 end.
Definition legs_of_code (c : code) : legs := fun d =>
  if meet c (long_bit d) then Some Long else if meet c (any_bit d) then Some Short else None.
Definition code_of (l : legs) : code := fold_right (fun d c => match l d with
  | None => c | Some Short => or c (any_bit d) | Some Long => or c (or (any_bit d) (long_bit d)) end) none all_dirs.
Definition leg_list (l : legs) : list (dir * bool) := flat_map (fun d => match l d with
  | None => [] | Some Short => [(d, false)] | Some Long => [(d, true)] end) all_dirs.
Lemma leg_list_iff l d (g : bool) : In (d, g) (leg_list l) <-> l d = Some (if g then Long else Short).
Proof.
  unfold leg_list. rewrite in_flat_map. split.
  - intros (e & _ & H). destruct (l e) as [[|]|] eqn:E; simpl in H; destruct H as [H|[]] || destruct H; now injection H as -> <-.
  - intro H. exists d. split; [apply all_all_dirs|]. rewrite H. destruct g; simpl; auto.
Qed.

(** ** Kinds, hands, situations *)

Record kd := Kd {
  kd_no : kind; kd_bipod : bool;
  kd_white : code; kd_black : code;
  kd_legs_white : list (dir * bool); kd_legs_black : list (dir * bool);
  kd_any_white : oct set; kd_any_black : oct set;       (* all points where there is a leg, no points where there is none *)
  kd_long_white : oct set; kd_long_black : oct set }.   (* the same of long legs *)
Definition kd_code (k : kd) x := match x with White => kd_white k | Black => kd_black k end.
Definition kd_legs (k : kd) x := match x with White => kd_legs_white k | Black => kd_legs_black k end.

Definition kd_any (k : kd) x := match x with White => kd_any_white k | Black => kd_any_black k end.
Definition kd_long (k : kd) x := match x with White => kd_long_white k | Black => kd_long_black k end.

(** The pods of a side: where they are, which of them have a leg and a long leg in a direction, and the hand. *)
Record half := Half { f_occ : set; f_any : oct set; f_long : oct set; f_hand : list (kd * nat) }.
Record sit := Sit { s_white : half; s_black : half; s_mover : side; s_open : bool }.
Definition half_of (s : sit) x := match x with White => s_white s | Black => s_black s end.

(** Kinds of a hand with the points of some of their pairs. *)
Record row := Row { r_kd : kd; r_n : nat; r_set : set }.
Fixpoint rows_of (f : kd -> set) (h : list (kd * nat)) : list row := match h with
  | [] => []
  | (k, n) :: r => let m := f k in if is_none m then rows_of f r else Row k n m :: rows_of f r end.
Fixpoint refine (f : kd -> set) (l : list row) : list row := match l with
  | [] => []
  | Row k n m :: r => let m := diff m (f k) in if is_none m then refine f r else Row k n m :: refine f r end.
Fixpoint union (l : list row) (acc : set) : set := match l with [] => acc | r :: t => union t (or acc (r_set r)) end.

(** ** What is seen of a situation *)

Record sight := Sight { touch : oct set; strike : oct set; close : set; beam : oct set }.
Definition or8 (t : oct set) : set := or (or (or (o_n t) (o_ne t)) (or (o_e t) (o_se t))) (or (or (o_s t) (o_sw t)) (or (o_w t) (o_nw t))).
(** The union, over some legs, of the set for a short or a long leg in the leg's direction. *)
Fixpoint over (l : list (dir * bool)) (short long : oct set) (acc : set) : set := match l with
  | [] => acc
  | (d, g) :: r => over r short long (or acc (if g then get long d else get short d)) end.

Section Seen.
Context (G : game) (B : geo).
Notation way_of d := (get (g_ways B) d).

Definition empties (s : sit) : set := diff (g_all B) (or (f_occ (s_white s)) (f_occ (s_black s))).
Definition pass_set (E : set) : set := if attack_through G then g_all B else E.
Definition out_set (E R : set) : set := if attack_through G then g_all B else diff E R.
Definition libs_of (E : set) : oct set := tab (fun d => go (way_of (opp d)) E).
(** What the pods f of one side mean for placements of the other. *)
Definition see (pass : set) (f : half) : sight := {|
  touch := tab (fun d => go (way_of (opp d)) (f_occ f));
  strike := tab (fun d => slide (way_of (opp d)) (f_occ f) pass);
  close := or8 (tab (fun d => go (way_of d) (get (f_any f) d)));
  beam := tab (fun d => slide (way_of d) (get (f_long f) d) pass) |}.

Definition legal_set (E free : set) (libs : oct set) (v : sight) (l : list (dir * bool)) : set :=
  let m := diff free (over l (touch v) (strike v) none) in
  if placement_liberty G then and m (over l libs libs none) else m.
(** The legal pairs of side x, by kinds. *)
Definition legal_rows (E : set) (libs : oct set) (v : sight) (x : side) (h : list (kd * nat)) : list row :=
  let free := diff (diff E (close v)) (or8 (beam v)) in
  if is_none free then [] else rows_of (fun k => legal_set E free libs v (kd_legs k x)) h.

(** Pairs that nothing next to them makes dead. *)
Definition base_rows (E : set) (libs : oct set) (v : sight) (x : side) (h : list (kd * nat)) : list row :=
  let free := diff E (close v) in
  rows_of (fun k => let l := kd_legs k x in
    let m := diff free (over l (touch v) (touch v) none) in
    if placement_liberty G then and m (over l libs libs none) else m) h.
Definition nothing : oct set := Oct _ none none none none none none none none.
(** One repetition, for one side: f are the pods of the other. *)
Definition round (out : set) (v : sight) (f : half) (x : side) (l : list row) : list row :=
  let of_ := union l none in
  let beams := or8 (tab (fun d => if meet (get (beam v) d) of_ then slide (way_of d) (get (f_long f) d) out else none)) in
  let strikes := tab (fun d => if meet (get (strike v) d) of_ then slide (way_of (opp d)) (f_occ f) out else none) in
  refine (fun k => over (kd_legs k x) nothing strikes beams) l.
Record rooms := Rooms { m_white : list row; m_black : list row; m_room : set }.
Definition rows (r : rooms) x := match x with White => m_white r | Black => m_black r end.
Fixpoint repeat (n : nat) (E : set) (vw vb : sight) (fw fb : half) (r : rooms) : option rooms := match n with
  | 0 => None
  | S n =>
    let out := out_set E (m_room r) in
    let w := round out vw fb White (m_white r) in
    let b := round out vb fw Black (m_black r) in
    let R := union w (union b none) in
    if same_set R (m_room r) then Some (Rooms w b R) else repeat n E vw vb fw fb (Rooms w b R) end.
(** vw is what White's placements meet, vb what Black's do *)
Definition room_of (E : set) (libs : oct set) (vw vb : sight) (s : sit) : option rooms :=
  let fw := s_white s in let fb := s_black s in
  let w := base_rows E libs vw White (f_hand fw) in
  let b := base_rows E libs vb Black (f_hand fb) in
  repeat fuel E vw vb fw fb (Rooms w b (union w (union b none))).

(** ** What the words stand for *)

Definition kd_ok (k : kd) := (kd_bipod k = true -> bipod (kind_legs G (kd_no k))) /\ (bipod (kind_legs G (kd_no k)) -> kd_bipod k = true) /\
  forall x, kd_legs k x = leg_list (lie G x (kd_no k)) /\ (forall d, legs_of_code (kd_code k x) d = lie G x (kd_no k) d) /\
    (forall d p, mem (get (kd_any k x) d) p <-> lie G x (kd_no k) d <> None /\ In p (points G)) /\
    (forall d p, mem (get (kd_long k x) d) p <-> lie G x (kd_no k) d = Some Long /\ In p (points G)).
Record hand_rep (l : list (kd * nat)) (h : kind -> nat) : Prop := {
  hd_once : NoDup (map (fun e => kd_no (fst e)) l);
  hd_in : forall k n, In (k, n) l -> kd_ok k /\ 1 <= n /\ h (kd_no k) = n;
  hd_all : forall k, 1 <= h k -> exists e n, In (e, n) l /\ kd_no e = k }.
Record half_rep (f : half) (S : situation) (x : side) : Prop := {
  hr_occ : forall p, mem (f_occ f) p <-> held S x p;
  hr_any : forall d p, mem (get (f_any f) d) p <-> exists l, at_ S p = Some (x, l) /\ l d <> None;
  hr_long : forall d p, mem (get (f_long f) d) p <-> exists l, at_ S p = Some (x, l) /\ l d = Some Long;
  hr_hand : hand_rep (f_hand f) (hand S x) }.
Record rep (s : sit) (S : situation) : Prop := {
  rp_half : forall x, half_rep (half_of s x) S x;
  rp_mover : s_mover s = mover S;
  rp_open : s_open s = opening S;
  rp_on : forall p, at_ S p <> None -> In p (points G) }.

Record rows_for (l : list row) (h : kind -> nat) (P : kind -> point -> Prop) : Prop := {
  rw_once : NoDup (map (fun r => kd_no (r_kd r)) l);
  rw_in : forall r, In r l -> kd_ok (r_kd r) /\ 1 <= r_n r /\ h (kd_no (r_kd r)) = r_n r /\
     (exists p, mem (r_set r) p) /\ forall p, mem (r_set r) p <-> P (kd_no (r_kd r)) p;
  rw_all : forall k p, P k p -> exists r, In r l /\ kd_no (r_kd r) = k }.

Lemma some_mem m : is_none m = false -> exists p, mem m p.
Proof.
  intro N. destruct (meet m m) eqn:M.
  - apply meet_iff in M. destruct M as (p & P & _). eauto.
  - assert (K : is_none m = true); [|congruence]. apply is_none_iff. intros p P. eapply meet_false; eauto.
Qed.
Lemma rows_of_no f h k : In k (map (fun r => kd_no (r_kd r)) (rows_of f h)) -> In k (map (fun e => kd_no (fst e)) h).
Proof. induction h as [|[e n] t IH]; simpl; auto. destruct (is_none (f e)); simpl; tauto. Qed.
Lemma rows_of_spec f l h (P : kind -> point -> Prop) : hand_rep l h ->
  (forall k, kd_ok k -> 1 <= h (kd_no k) -> forall p, mem (f k) p <-> P (kd_no k) p) -> (forall k p, P k p -> 1 <= h k) ->
  rows_for (rows_of f l) h P.
Proof.
  intros [a b c] F Ph. split.
  - clear b c. induction l as [|[e n] t IH]; simpl; [constructor|]. inversion a; subst. destruct (is_none (f e)); auto.
    simpl. constructor; auto. intro I. apply rows_of_no in I. auto.
  - clear a c. intros r I. induction l as [|[e n] t IH]; simpl in I; [easy|]. destruct (is_none (f e)) eqn:N.
    + apply IH; auto. intros; apply b; now right.
    + destruct I as [<-|I]; [|apply IH; auto; intros; apply b; now right]. simpl.
      destruct (b e n) as (K & N1 & E); [now left|]. rewrite <- E in N1. pose proof (F e K N1). split; [auto|split; [congruence|split; [auto|]]].
      split; [now apply some_mem|auto].
  - intros k p Pk. destruct (c k) as (e & n & I & E); [eauto|]. clear a c. subst k.
    destruct (b e n I) as (K & N1 & E). assert (M : mem (f e) p) by (apply F; auto; congruence).
    clear b. induction l as [|[e' n'] t IH]; simpl in *; [easy|]. destruct I as [I|I].
    + injection I as -> ->. destruct (is_none (f e)) eqn:N; [|eexists; split; [now left|auto]].
      now destruct (proj1 (is_none_iff _) N p).
    + destruct (IH I) as (r & R1 & R2). exists r. split; auto. destruct (is_none (f e')); simpl; auto.
Qed.
Lemma refine_no f h k : In k (map (fun r => kd_no (r_kd r)) (refine f h)) -> In k (map (fun r => kd_no (r_kd r)) h).
Proof. induction h as [|[e n m] t IH]; simpl; auto. destruct (is_none (diff m (f e))); simpl; tauto. Qed.
Lemma refine_spec f l h (P Q : kind -> point -> Prop) : rows_for l h P ->
  (forall k, kd_ok k -> forall p, P (kd_no k) p -> (mem (f k) p <-> Q (kd_no k) p)) ->
  rows_for (refine f l) h (fun k p => P k p /\ ~ Q k p).
Proof.
  intros [a b c] F. split.
  - clear b c. induction l as [|[e n m] t IH]; simpl; [constructor|]. inversion a; subst. destruct (is_none (diff m (f e))); auto.
    simpl. constructor; auto. intro I. apply refine_no in I. auto.
  - clear a c. intros r I. induction l as [|[e n m] t IH]; simpl in I; [easy|]. destruct (is_none (diff m (f e))) eqn:N.
    + apply IH; auto. intros; apply b; now right.
    + destruct I as [<-|I]; [|apply IH; auto; intros; apply b; now right]. simpl.
      destruct (b _ (or_introl eq_refl)) as (K & N1 & E & _ & M). simpl in *. split; [auto|split; [auto|split; [auto|]]].
      split; [now apply some_mem|]. intro p. rewrite mem_diff, M. specialize (F e K p). tauto.
  - intros k p [Pk Qk]. destruct (c k p Pk) as (r & I & E). subst k. destruct (b r I) as (K & _ & _ & _ & M).
    assert (Z : mem (diff (r_set r) (f (r_kd r))) p). { apply mem_diff. rewrite M. split; auto. rewrite (F _ K p Pk). auto. }
    clear a b c M. induction l as [|[e n m] t IH]; simpl in *; [easy|]. destruct I as [<-|I]; simpl in *.
    + destruct (is_none (diff m (f e))) eqn:N; [now destruct (proj1 (is_none_iff _) N p)|].
      eexists; split; [now left|auto].
    + destruct (IH I) as (r' & R1 & R2). exists r'. split; auto. destruct (is_none (diff m (f e))); simpl; auto.
Qed.
Lemma union_spec l : forall acc p, mem (union l acc) p <-> mem acc p \/ exists r, In r l /\ mem (r_set r) p.
Proof.
  induction l as [|r t IH]; simpl; intros acc p; [split; auto; intros [?|(? & [] & _)]; auto|].
  rewrite IH, mem_or. split.
  - intros [[?|?]|(r' & ? & ?)]; eauto 6.
  - intros [?|(r' & [->|?] & ?)]; eauto 6.
Qed.
Lemma union_for l h P : rows_for l h P -> forall acc p, mem (union l acc) p <-> mem acc p \/ exists k, P k p.
Proof.
  intros [a b c] acc p. rewrite union_spec. split; intros [?|H]; auto; right.
  - destruct H as (r & I & M). destruct (b r I) as (_ & _ & _ & _ & Z). exists (kd_no (r_kd r)). now apply Z.
  - destruct H as (k & H). destruct (c k p H) as (r & I & <-). exists r. split; auto. now apply (b r I).
Qed.
Lemma rows_for_iff l h P Q : (forall k p, P k p <-> Q k p) -> rows_for l h P -> rows_for l h Q.
Proof.
  intros E [a b c]. split; auto.
  - intros r I. destruct (b r I) as (b1 & b2 & b3 & b4 & b5). split; [auto|split; [auto|split; [auto|split; [auto|]]]].
    intro p. now rewrite <- E.
  - intros k p H. apply E in H. eauto.
Qed.
Lemma or8_spec t p : mem (or8 t) p <-> exists d, mem (get t d) p.
Proof.
  unfold or8. rewrite !mem_or. split.
  - intros [[[H|H]|[H|H]]|[[H|H]|[H|H]]];
    [exists dn|exists dne|exists de|exists dse|exists ds|exists dsw|exists dw|exists dnw]; exact H.
  - intros [d H]. destruct d; simpl in H; tauto.
Qed.
Lemma over_spec l sh lo p : forall acc, mem (over l sh lo acc) p <->
  mem acc p \/ exists d (g : bool), In (d, g) l /\ mem (get (if g then lo else sh) d) p.
Proof.
  induction l as [|[d g] t IH]; intro acc; cbn [over].
  - split; auto. intros [?|(? & ? & [] & _)]; auto.
  - rewrite IH, mem_or. split.
    + intros [[?|H]|(e & l & ? & ?)]; auto; right.
      * exists d, g. split; [now left|]. now destruct g.
      * exists e, l. simpl; auto.
    + intros [?|(e & l & [H|?] & M)]; auto.
      * injection H as -> ->. left; right. now destruct l.
      * right. eauto.
Qed.
Lemma over_lie sh lo acc p x k : mem (over (leg_list (lie G x k)) sh lo acc) p <->
  mem acc p \/ exists d, (lie G x k d = Some Short /\ mem (get sh d) p) \/ (lie G x k d = Some Long /\ mem (get lo d) p).
Proof.
  rewrite over_spec. split; intros [?|H]; auto; right.
  - destruct H as (d & g & I & M). apply leg_list_iff in I. exists d. destruct g; auto.
  - destruct H as (d & [[L M]|[L M]]); [exists d, false|exists d, true]; (split; [now apply leg_list_iff|auto]).
Qed.

Context (W : wf G) (Ok : geo_ok G B).

Section Of.
Context (s : sit) (S : situation) (Rp : rep s S).
Notation E := (empties s).
Notation pass := (pass_set E).

Lemma held_side p : at_ S p = None <-> ~ held S White p /\ ~ held S Black p.
Proof.
  unfold held. split.
  - intros ->. split; intros [l ?]; discriminate.
  - intros [A C]. destruct (at_ S p) as [[[|] l]|]; auto; exfalso; eauto.
Qed.
Lemma empties_spec p : mem E p <-> In p (points G) /\ empty S p.
Proof.
  unfold empties, empty. rewrite mem_diff, mem_or, (go_all _ _ Ok), held_side.
  pose proof (hr_occ _ _ _ (rp_half _ _ Rp White) p) as A. pose proof (hr_occ _ _ _ (rp_half _ _ Rp Black) p) as C. simpl in A, C.
  rewrite A, C. tauto.
Qed.
Lemma pass_spec p : In p (points G) -> (mem pass p <-> passes G S p).
Proof.
  intro I. unfold pass_set, passes. destruct (attack_through G).
  - rewrite (go_all _ _ Ok). tauto.
  - rewrite empties_spec. intuition congruence.
Qed.
Lemma out_spec R p : In p (points G) -> (mem (out_set E R) p <-> outside G S (mem R) p).
Proof.
  intro I. unfold out_set, outside. destruct (attack_through G).
  - rewrite (go_all _ _ Ok). tauto.
  - rewrite mem_diff, empties_spec. intuition congruence.
Qed.
Lemma libs_spec d p : mem (get (libs_of E) d) p <-> exists q, next G d p = Some q /\ empty S q.
Proof.
  unfold libs_of. rewrite get_tab, (go_back G W B Ok). split.
  - intros (q & M & N). apply empties_spec in M. exists q. tauto.
  - intros (q & N & M). exists q. rewrite empties_spec. apply (wf_in _ W) in N as I. tauto.
Qed.
Lemma over_libs p x k : mem (over (leg_list (lie G x k)) (libs_of E) (libs_of E) none) p <-> has_liberty G S (lie G x k) p.
Proof.
  rewrite over_lie. unfold has_liberty. split.
  - intros [H|(d & [[L M]|[L M]])]; [now apply mem_none in H| |]; apply libs_spec in M; destruct M as (q & ? & ?); exists d, q; repeat split; auto; congruence.
  - intros (d & q & L & N & Em). right. exists d. assert (M : mem (get (libs_of E) d) p) by (apply libs_spec; eauto).
    destruct (lie G x k d) as [[|]|]; [left|right|]; auto. congruence.
Qed.

Section Side.
Variable x : side.
Notation f := (half_of s (other x)).
Notation v := (see pass f).
Let Hf := rp_half _ _ Rp (other x).

Lemma touch_spec d p : mem (get (touch v) d) p <-> exists q, held S (other x) q /\ next G d p = Some q.
Proof.
  unfold see; simpl. rewrite get_tab, (go_back G W B Ok).
  split; intros (q & M & N); exists q; split; auto; now apply (hr_occ _ _ _ Hf).
Qed.
Lemma strike_spec d p : mem (get (strike v) d) p <-> exists q, held S (other x) q /\ run G (passes G S) d p q.
Proof.
  unfold see; simpl. rewrite get_tab, (slide_back G W B Ok).
  split; intros (q & M & N); exists q; (split; [now apply (hr_occ _ _ _ Hf)|]).
  - now apply (run_iff G W _ _ _ _ _ pass_spec).
  - now apply (run_iff G W _ _ _ _ _ pass_spec).
Qed.
Lemma close_spec p : mem (close v) p <-> exists q l d, at_ S q = Some (other x, l) /\ l d <> None /\ next G d q = Some p.
Proof.
  unfold see; cbn [close]. rewrite or8_spec. split.
  - intros (d & M). rewrite get_tab in M. apply (go_spec G W B Ok) in M. destruct M as (q & M & N).
    apply (hr_any _ _ _ Hf) in M. destruct M as (l & A & L). exists q, l, d. auto.
  - intros (q & l & d & A & L & N). exists d. rewrite get_tab. apply (go_spec G W B Ok). exists q. split; auto.
    apply (hr_any _ _ _ Hf). eauto.
Qed.
Lemma beam_spec d p : mem (get (beam v) d) p <-> exists q l, at_ S q = Some (other x, l) /\ l d = Some Long /\ run G (passes G S) d q p.
Proof.
  unfold see; cbn [beam]. rewrite get_tab, (slide_spec G W B Ok). split.
  - intros (q & M & N). apply (hr_long _ _ _ Hf) in M. destruct M as (l & A & L). exists q, l. split; [auto|split; [auto|]].
    now apply (run_iff G W _ _ _ _ _ pass_spec).
  - intros (q & l & A & L & N). exists q. split; [apply (hr_long _ _ _ Hf); eauto|]. now apply (run_iff G W _ _ _ _ _ pass_spec).
Qed.

Theorem legal_rows_spec : rows_for (legal_rows E (libs_of E) v x (f_hand (half_of s x))) (hand S x) (legal G S x).
Proof.
  assert (F : forall p, mem (diff (diff E (close v)) (or8 (beam v))) p <-> In p (points G) /\ empty S p /\
     forall q l, at_ S q = Some (other x, l) -> ~ reaches G S l q p).
  { intro p. rewrite !mem_diff, empties_spec, close_spec, or8_spec. split.
    - intros [[[A1 A2] C1] C2]. split; [auto|split; [auto|]]. intros q l A [d [[L N]|[L N]]].
      + apply C1. exists q, l, d. auto.
      + apply C2. exists d. apply beam_spec. exists q, l. auto.
    - intros (A1 & A2 & C). split; [split; [auto|]|].
      + intros (q & l & d & A & L & N). apply (C q l A). exists d. auto.
      + intros (d & M). apply beam_spec in M. destruct M as (q & l & A & L & N). apply (C q l A). exists d. auto. }
  unfold legal_rows. destruct (is_none _) eqn:N.
  - split; [constructor|easy|]. intros k p L. exfalso. apply (proj1 (is_none_iff _) N p). apply F. destruct L. auto.
  - apply rows_of_spec; [apply (rp_half _ _ Rp x)| |intros k p L; apply L].
    intros k (_ & _ & K) H p. destruct (K x) as [-> _]. unfold legal_set.
    assert (Ov : mem (over (leg_list (lie G x (kd_no k))) (touch v) (strike v) none) p <->
      exists q, reaches G S (lie G x (kd_no k)) p q /\ held S (other x) q).
    { rewrite over_lie. split.
      - intros [?%mem_none|(d & [[L M]|[L M]])]; [tauto| |].
        + apply touch_spec in M. destruct M as (q & Hq & Nq). exists q. split; auto. exists d. left. split; [congruence|auto].
        + apply strike_spec in M. destruct M as (q & Hq & Nq). exists q. split; auto. exists d. right. auto.
      - intros (q & [d R] & Hq). right. exists d. destruct R as [[L R]|[L R]].
        + destruct (lie G x (kd_no k) d) as [[|]|]; [left|right|congruence]; split; auto.
          * apply touch_spec. eauto.
          * apply strike_spec. exists q. split; auto. now apply run_next.
        + right. split; auto. apply strike_spec. eauto. }
    assert (D : mem (diff (diff (diff E (close v)) (or8 (beam v))) (over (leg_list (lie G x (kd_no k))) (touch v) (strike v) none)) p <->
      In p (points G) /\ empty S p /\ (forall q l, at_ S q = Some (other x, l) -> ~ reaches G S l q p) /\
      forall q, reaches G S (lie G x (kd_no k)) p q -> ~ held S (other x) q).
    { rewrite mem_diff, F, Ov. split.
      - intros ((A1 & A2 & A3) & A4). split; [auto|split; [auto|split; [auto|]]]. intros q R Hq. apply A4. eauto.
      - intros (A1 & A2 & A3 & A4). split; [auto|]. intros (q & R & Hq). exact (A4 q R Hq). }
    destruct (placement_liberty G) eqn:Lb.
    + rewrite mem_and, D, over_libs. split.
      * intros ((A1 & A2 & A3 & A4) & A5). split; auto.
      * intros [A0 A1 A2 A3 A4 A5]. split; [auto|]. auto.
    + rewrite D. split.
      * intros (A1 & A2 & A3 & A4). split; auto. congruence.
      * intros [A0 A1 A2 A3 A4 A5]. auto.
Qed.

(** nothing next to the pair makes it dead *)
Definition base k p := 1 <= hand S x k /\ In p (points G) /\ empty S p /\
  (placement_liberty G = true -> has_liberty G S (lie G x k) p) /\
  (forall q l d, at_ S q = Some (other x, l) -> l d <> None -> next G d q = Some p -> False) /\
  (forall q d, held S (other x) q -> lie G x k d <> None -> next G d p = Some q -> False).
(** a long leg makes the pair dead in R *)
Definition far_dead (R : point -> Prop) k p := exists q l d, at_ S q = Some (other x, l) /\
  ((lie G x k d = Some Long /\ run G (outside G S R) d p q) \/ (l d = Some Long /\ run G (outside G S R) d q p)).
Lemma alive_iff R k p : alive G S R x k p <-> base k p /\ R p /\ ~ far_dead R k p.
Proof.
  split.
  - intros [a b c e D]. split; [|split; [auto|]].
    + split; [auto|split; [auto|split; [auto|split; [|split]]]].
      * intro L. destruct (placement_liberty G) eqn:Lb; [|discriminate].
        (* liberties are decidable: mem *)
        destruct (mem_dec (over (leg_list (lie G x k)) (libs_of E) (libs_of E) none) p) as [M|M].
        -- now apply over_libs.
        -- destruct D. left. split; auto. intro Z. apply M. now apply over_libs.
      * intros q l d A L N. apply D. right. exists q, l. split; auto. right. exists d. auto.
      * intros q d [l A] L N. apply D. right. exists q, l. split; auto. left. exists d. auto.
    + intros (q & l & d & A & [[L N]|[L N]]); apply D; right; exists q, l; (split; [auto|]); [left|right]; exists d; auto.
  - intros ((a & b & c & e & g & i) & Rp' & F). split; auto. intros [[Lb N]|(q & l & A & [[d [[L N]|[L N]]]|[d [[L N]|[L N]]]])].
    + auto.
    + apply (i q d); auto. exists l. auto.
    + apply F. exists q, l, d. auto.
    + apply (g q l d); auto.
    + apply F. exists q, l, d. auto.
Qed.
Lemma base_rows_spec : rows_for (base_rows E (libs_of E) v x (f_hand (half_of s x))) (hand S x) base.
Proof.
  unfold base_rows. apply rows_of_spec; [apply (rp_half _ _ Rp x)| |intros k p L; apply L].
  intros k (_ & _ & K) H p. destruct (K x) as [-> _].
  assert (Ov : mem (over (leg_list (lie G x (kd_no k))) (touch v) (touch v) none) p <->
      exists q d, held S (other x) q /\ lie G x (kd_no k) d <> None /\ next G d p = Some q).
  { rewrite over_lie. split.
    - intros [?%mem_none|(d & [[L M]|[L M]])]; [tauto| |]; apply touch_spec in M; destruct M as (q & Hq & Nq); exists q, d;
      (split; [auto|split; [congruence|auto]]).
    - intros (q & d & Hq & L & N). right. exists d. assert (M : mem (get (touch v) d) p) by (apply touch_spec; eauto).
      destruct (lie G x (kd_no k) d) as [[|]|]; auto. congruence. }
  assert (D : mem (diff (diff E (close v)) (over (leg_list (lie G x (kd_no k))) (touch v) (touch v) none)) p <->
     In p (points G) /\ empty S p /\
     (forall q l d, at_ S q = Some (other x, l) -> l d <> None -> next G d q = Some p -> False) /\
     (forall q d, held S (other x) q -> lie G x (kd_no k) d <> None -> next G d p = Some q -> False)).
  { rewrite !mem_diff, empties_spec, close_spec, Ov. split.
    - intros (((A1 & A2) & A3) & A4). split; [auto|split; [auto|split]]; intros; [apply A3|apply A4]; eauto 8.
    - intros (A1 & A2 & A3 & A4). split; [split; [auto|]|].
      + intros (q & l & d & ? & ? & ?). eauto.
      + intros (q & d & ? & ? & ?). eauto. }
  unfold base. destruct (placement_liberty G) eqn:Lb.
  - rewrite mem_and, D, over_libs. intuition.
  - rewrite D. intuition congruence.
Qed.
Lemma round_spec R l P : rows_for l (hand S x) P ->
  rows_for (round (out_set E R) v f x l) (hand S x) (fun k p => P k p /\ ~ far_dead (mem R) k p).
Proof.
  intro L. unfold round. apply refine_spec; auto.
  intros k (_ & _ & K) p Pp. destruct (K x) as [-> _].
  assert (U : mem (union l none) p) by (apply (union_for _ _ _ L); eauto).
  assert (OP : forall d a b, run G (mem (out_set E R)) d a b <-> run G (outside G S (mem R)) d a b).
  { intros. apply (run_iff G W). intros r I. now apply out_spec. }
  assert (PA : forall d a b, run G (outside G S (mem R)) d a b -> run G (passes G S) d a b).
  { intros d a b. apply run_mono. intros r [?|[? _]]; [now left|now right]. }
  assert (BE : forall d, mem (if meet (get (beam v) d) (union l none) then slide (way_of d) (get (f_long f) d) (out_set E R) else none) p <->
     exists q m, at_ S q = Some (other x, m) /\ m d = Some Long /\ run G (outside G S (mem R)) d q p).
  { intro d. assert (SL : mem (slide (way_of d) (get (f_long f) d) (out_set E R)) p <->
       exists q m, at_ S q = Some (other x, m) /\ m d = Some Long /\ run G (outside G S (mem R)) d q p).
    { rewrite (slide_spec G W B Ok). split.
      - intros (q & M & N). apply (hr_long _ _ _ Hf) in M. destruct M as (m & A & Lm). exists q, m. split; [auto|split; [auto|]]. now apply OP.
      - intros (q & m & A & Lm & N). exists q. split; [apply (hr_long _ _ _ Hf); eauto|now apply OP]. }
    destruct (meet (get (beam v) d) (union l none)) eqn:Mt; auto. split; [now intros ?%mem_none|].
    intros (q & m & A & Lm & N). exfalso. eapply meet_false; [exact Mt| |exact U]. apply beam_spec. exists q, m. auto. }
  assert (SE : forall d, mem (if meet (get (strike v) d) (union l none) then slide (way_of (opp d)) (f_occ f) (out_set E R) else none) p <->
     exists q, held S (other x) q /\ run G (outside G S (mem R)) d p q).
  { intro d. assert (SL : mem (slide (way_of (opp d)) (f_occ f) (out_set E R)) p <->
       exists q, held S (other x) q /\ run G (outside G S (mem R)) d p q).
    { rewrite (slide_back G W B Ok). split; intros (q & M & N); exists q; (split; [now apply (hr_occ _ _ _ Hf)|now apply OP]). }
    destruct (meet (get (strike v) d) (union l none)) eqn:Mt; auto. split; [now intros ?%mem_none|].
    intros (q & A & N). exfalso. eapply meet_false; [exact Mt| |exact U]. apply strike_spec. exists q. auto. }
  rewrite over_lie, or8_spec. unfold far_dead. split.
  - intros [(d & M)|(d & [[Lg M]|[Lg M]])].
    + rewrite get_tab in M. apply BE in M. destruct M as (q & m & A & Lm & N). exists q, m, d. auto.
    + exfalso. unfold nothing in M. destruct d; cbn in M; now apply mem_none in M.
    + rewrite get_tab in M. apply SE in M. destruct M as (q & [m A] & N). exists q, m, d. auto.
  - intros (q & m & d & A & [[Lg N]|[Lg N]]).
    + right. exists d. right. split; auto. rewrite get_tab. apply SE. exists q. split; auto. now exists m.
    + left. exists d. rewrite get_tab. apply BE. eauto.
Qed.
End Side.

Definition is_room (r : rooms) := (forall x, rows_for (rows r x) (hand S x) (living G S x)) /\ forall p, mem (m_room r) p <-> room G S p.

Lemma far_dead_sound (R : point -> Prop) x k p : (forall q, room G S q -> R q) -> living G S x k p -> ~ far_dead x R k p.
Proof.
  intros I L F. apply alive_iff in L. destruct L as (_ & _ & N). apply N.
  assert (O : forall d a b, run G (outside G S R) d a b -> run G (outside G S (room G S)) d a b).
  { intros d a b. apply run_mono. intros r [?|[? ?]]; [now left|right; auto]. }
  destruct F as (q & l & d & A & [[? ?]|[? ?]]); exists q, l, d; split; auto.
Qed.
Lemma repeat_spec : forall n r r',
  (forall x, exists P, rows_for (rows r x) (hand S x) P /\ (forall k p, living G S x k p -> P k p) /\ (forall k p, P k p -> base x k p)) ->
  (forall q, room G S q -> mem (m_room r) q) ->
  repeat n E (see pass (half_of s Black)) (see pass (half_of s White)) (half_of s White) (half_of s Black) r = Some r' -> is_room r'.
Proof.
  induction n as [|n IH]; intros r r' Inv Rm H; [discriminate|]. cbn [repeat] in H. simpl in Inv.
  set (w := round _ _ _ White _) in H. set (b := round _ _ _ Black _) in H. set (R := union w _) in H.
  destruct (Inv White) as (PW & W1 & W2 & W3). destruct (Inv Black) as (PB & B1 & B2 & B3).
  apply (round_spec White (m_room r)) in W1. apply (round_spec Black (m_room r)) in B1.
  change (rows_for w (hand S White) (fun k p => PW k p /\ ~ far_dead White (mem (m_room r)) k p)) in W1.
  change (rows_for b (hand S Black) (fun k p => PB k p /\ ~ far_dead Black (mem (m_room r)) k p)) in B1.
  assert (W2' : forall k p, living G S White k p -> PW k p /\ ~ far_dead White (mem (m_room r)) k p).
  { intros k p L. split; auto. eapply far_dead_sound; eauto. }
  assert (B2' : forall k p, living G S Black k p -> PB k p /\ ~ far_dead Black (mem (m_room r)) k p).
  { intros k p L. split; auto. eapply far_dead_sound; eauto. }
  assert (UR : forall p, mem R p <-> (exists k, PW k p /\ ~ far_dead White (mem (m_room r)) k p) \/ exists k, PB k p /\ ~ far_dead Black (mem (m_room r)) k p).
  { intro p. unfold R. rewrite (union_for _ _ _ W1), (union_for _ _ _ B1).
    split; [intros [[?%mem_none|?]|?]; tauto|tauto]. }
  assert (RR : forall q, room G S q -> mem R q).
  { intros q Q. apply (V_living G) in Q. destruct Q as (x & k & L). apply UR. destruct x; [left|right]; exists k; auto. }
  destruct (same_set R (m_room r)) eqn:Sm.
  - injection H as <-. apply same_set_iff in Sm.
    assert (AW : forall k p, PW k p /\ ~ far_dead White (mem (m_room r)) k p -> alive G S (mem R) White k p).
    { intros k p [H1 H2]. apply alive_iff. rewrite Sm. split; [auto|split; [|auto]]. rewrite <- Sm. apply UR. left. exists k. auto. }
    assert (AB : forall k p, PB k p /\ ~ far_dead Black (mem (m_room r)) k p -> alive G S (mem R) Black k p).
    { intros k p [H1 H2]. apply alive_iff. rewrite Sm. split; [auto|split; [|auto]]. rewrite <- Sm. apply UR. right. exists k. auto. }
    assert (St : stays G S (mem R)). { intros p M. apply UR in M. destruct M as [(k & K)|(k & K)]; [exists White, k|exists Black, k]; auto. }
    assert (RI : forall p, mem R p -> room G S p) by (intros p M; eapply room_largest; eauto).
    split.
    + intros [|]; cbn [rows m_white m_black].
      * eapply rows_for_iff; [|exact W1]. intros k p. split; [|auto]. intro H. apply AW in H. eapply alive_mono; [|exact H]. auto.
      * eapply rows_for_iff; [|exact B1]. intros k p. split; [|auto]. intro H. apply AB in H. eapply alive_mono; [|exact H]. auto.
    + intro p. cbn [m_room]. split; auto.
  - eapply IH; [| |exact H].
    + intros [|]; cbn [rows m_white m_black].
      * exists (fun k p => PW k p /\ ~ far_dead White (mem (m_room r)) k p). split; [auto|split; [auto|]]. intros k p [? ?]. auto.
      * exists (fun k p => PB k p /\ ~ far_dead Black (mem (m_room r)) k p). split; [auto|split; [auto|]]. intros k p [? ?]. auto.
    + exact RR.
Qed.
Theorem room_found r : room_of E (libs_of E) (see pass (s_black s)) (see pass (s_white s)) s = Some r -> is_room r.
Proof.
  unfold room_of. intro H. apply repeat_spec in H; auto.
  - intros [|]; cbn [rows m_white m_black].
    + exists (base White). split; [exact (base_rows_spec White)|]. split; [|auto]. intros k p L. apply alive_iff in L. tauto.
    + exists (base Black). split; [exact (base_rows_spec Black)|]. split; [|auto]. intros k p L. apply alive_iff in L. tauto.
  - intros q Q. cbn [m_room]. apply (V_living G) in Q. destruct Q as (x & k & L). apply alive_iff in L. destruct L as (L & _).
    rewrite (union_for _ _ _ (base_rows_spec White)), (union_for _ _ _ (base_rows_spec Black)).
    destruct x; eauto.
Qed.
End Of.
End Seen.
