(** Boards as words: the claim of a certificate as data ([header]), the game that it is about, and the steps and slides of sets of
    points that the checker computes with. A point is the number of its place in the grid, row by row from the bottom. *)
From Coq Require Import List Arith Lia Bool Uint63.
Import ListNotations.
From Pods Require Import Game Essence Sets.
Local Open Scope nat_scope.

(** ** The claim *)

Record header := Header {
  h_points : list point;
  h_lines : list (point * dir * point);       (* each from one of its ends *)
  h_kinds : list (list (dir * len));          (* legs as their owner sees them *)
  h_liberty : bool; h_through : bool; h_wins : bool;   (* placement-liberty, attack-through, empty-hand=wins *)
  h_pods : list (point * (side * kind));      (* the pods on the board *)
  h_white : list nat; h_black : list nat;     (* the hands: a count for each kind *)
  h_mover : side;
  h_open : bool;                              (* R32 *)
  h_winner : side }.

Definition dir_eqb (a b : dir) := match a, b with
  | dn, dn | dne, dne | de, de | dse, dse | ds, ds | dsw, dsw | dw, dw | dnw, dnw => true | _, _ => false end.
Fixpoint next_of (l : list (point * dir * point)) (d : dir) (p : point) : option point := match l with
  | [] => None
  | (a, e, b) :: r =>
      if dir_eqb e d && Nat.eqb a p then Some b
      else if dir_eqb (opp e) d && Nat.eqb b p then Some a else next_of r d p end.
Fixpoint legs_of_list (l : list (dir * len)) : legs := match l with
  | [] => fun _ => None
  | (e, n) :: r => fun d => if dir_eqb e d then Some n else legs_of_list r d end.

(** The game of a claim, and the situation of which it says who wins. *)
Definition game_of (h : header) : game := {|
  points := h_points h;
  next := next_of (h_lines h);
  kind_legs := fun k => legs_of_list (nth k (h_kinds h) []);
  placement_liberty := h_liberty h;
  attack_through := h_through h;
  empty_hand_wins := h_wins h |}.
Definition h_hand (h : header) x := match x with White => h_white h | Black => h_black h end.
Fixpoint pods_of (G : game) (l : list (point * (side * kind))) : point -> option (side * legs) := match l with
  | [] => fun _ => None
  | (p, (x, k)) :: r => put (pods_of G r) p (Some (x, lie G x k)) end.
Definition start_of (h : header) : situation := {|
  at_ := pods_of (game_of h) (h_pods h);
  hand := fun x k => nth k (h_hand h x) 0;
  mover := h_mover h;
  opening := h_open h |}.

(** ** Words *)

Record oct {A : Type} := Oct { o_n : A; o_ne : A; o_e : A; o_se : A; o_s : A; o_sw : A; o_w : A; o_nw : A }.
Arguments oct : clear implicits.
Definition get {A} (t : oct A) (d : dir) : A := match d with
  dn => o_n t | dne => o_ne t | de => o_e t | dse => o_se t | ds => o_s t | dsw => o_sw t | dw => o_w t | dnw => o_nw t end.
Definition tab {A} (f : dir -> A) : oct A := Oct _ (f dn) (f dne) (f de) (f dse) (f ds) (f dsw) (f dw) (f dnw).
Lemma get_tab {A} (f : dir -> A) d : get (tab f) d = f d. Proof. destruct d; auto. Qed.

(** In a direction each neighbour is as many places further on (or back) as every other. *)
Record way := Way { w_from : set; w_by : int; w_up : bool }.
Record pt := Pt { pt_no : nat; pt_bit : set }.
Record geo := Geo { g_all : set; g_ways : oct way; g_points : list pt }.

(** The points next to those of f. *)
Definition go (w : way) (f : set) : set := if w_up w then up (and f (w_from w)) (w_by w) else down (and f (w_from w)) (w_by w).
Fixpoint slide_ (n : nat) (w : way) (f pass acc : set) : set := match n with
  | 0 => acc
  | S n => if is_none f then acc else slide_ n w (go w (and f pass)) pass (or acc f) end.
Definition fuel : nat := 63.
(** The points straight on from those of f, all points between being in [pass]. *)
Definition slide (w : way) (f pass : set) : set := if is_none f then none else slide_ fuel w (go w f) pass none.

Record geo_ok (G : game) (B : geo) : Prop := {
  go_next : forall d, exists o, 1 <= o < 63 /\ w_by (get (g_ways B) d) = ip o /\
    forall p q, next G d p = Some q <-> mem (w_from (get (g_ways B) d)) p /\
      if w_up (get (g_ways B) d) then q = p + o /\ q < 63 else p = q + o;
  go_all : forall p, mem (g_all B) p <-> In p (points G);
  go_pts : forall t, In t (g_points B) -> pt_no t < 63 /\ pt_bit t = one (pt_no t) /\ In (pt_no t) (points G);
  go_pts' : forall p, In p (points G) -> exists t, In t (g_points B) /\ pt_no t = p }.

Section Words.
Context (G : game) (W : wf G) (B : geo) (Ok : geo_ok G B).
Notation way_of d := (get (g_ways B) d).

Lemma pts_below p : In p (points G) -> p < 63.
Proof. intro I. apply (go_all _ _ Ok) in I. eapply mem_below; eauto. Qed.
Lemma next_below d p q : next G d p = Some q -> p < 63 /\ q < 63.
Proof. intro N. destruct (wf_in _ W _ _ _ N). split; now apply pts_below. Qed.
Lemma go_spec d f q : mem (go (way_of d) f) q <-> exists p, mem f p /\ next G d p = Some q.
Proof.
  destruct (go_next _ _ Ok d) as (o & O & E & N). unfold go. rewrite E. destruct (w_up (way_of d)) eqn:U.
  - rewrite mem_up by lia. split.
    + intros (p & P & Q & L). apply mem_and in P. exists p. split; [tauto|]. apply N. tauto.
    + intros (p & P & Q). apply N in Q. exists p. rewrite mem_and. tauto.
  - rewrite mem_down by lia. split.
    + intros [L P]. apply mem_and in P. exists (q + o). split; [tauto|]. apply N. tauto.
    + intros (p & P & Q). pose proof (next_below _ _ _ Q). apply N in Q. destruct Q as [Q ->]. rewrite mem_and. tauto.
Qed.
Lemma go_back d f p : mem (go (way_of (opp d)) f) p <-> exists q, mem f q /\ next G d p = Some q.
Proof.
  rewrite go_spec. split; intros (q & Q & N); exists q; split; auto; [|now apply (wf_sym _ W)].
  apply (wf_sym _ W) in N. now rewrite opp_opp in N.
Qed.

(** Runs end: numbers of points go up, or down. *)
Definition left_ d p := if w_up (way_of d) then 62 - p else p.
Lemma left_next d p q : next G d p = Some q -> left_ d q < left_ d p.
Proof.
  intro H. pose proof (next_below _ _ _ H). destruct (go_next _ _ Ok d) as (o & O & _ & N). apply N in H.
  unfold left_. destruct (w_up (way_of d)); lia.
Qed.
Lemma slide_loop d pass q : forall n f acc, (forall p, mem f p -> left_ d p < n) ->
  mem (slide_ n (way_of d) f pass acc) q <->
  mem acc q \/ exists p, mem f p /\ (p = q \/ (mem pass p /\ run G (mem pass) d p q)).
Proof.
  induction n as [|n IH]; intros f acc H; simpl.
  - split; auto. intros [?|(p & P & _)]; auto. specialize (H p P). lia.
  - destruct (is_none f) eqn:Z.
    + split; auto. intros [?|(p & P & _)]; auto. now destruct (proj1 (is_none_iff f) Z p).
    + rewrite IH.
      * rewrite mem_or. split.
        -- intros [[?|?]|(r & R & C)]; auto; right; [eauto|]. apply go_spec in R. destruct R as (p & P & N).
           apply mem_and in P. exists p. split; [tauto|]. right. split; [tauto|].
           destruct C as [->|[Pr Rr]]; [now apply run_next|eapply run_on; eauto].
        -- intros [?|(p & P & [->|[Pp R]])]; auto. right. inversion R; subst.
           ++ exists q. split; auto. apply go_spec. exists p. rewrite mem_and. auto.
           ++ exists r. split; [apply go_spec; exists p; rewrite mem_and; auto|auto].
      * intros r R. apply go_spec in R. destruct R as (p & P & N). apply mem_and in P. pose proof (left_next _ _ _ N).
        specialize (H p (proj1 P)). lia.
Qed.
Lemma slide_spec d f pass q : mem (slide (way_of d) f pass) q <-> exists p, mem f p /\ run G (mem pass) d p q.
Proof.
  unfold slide. destruct (is_none f) eqn:Z.
  - split; [now intros ?%mem_none|]. intros (p & P & _). now destruct (proj1 (is_none_iff f) Z p).
  - rewrite slide_loop.
    + split.
      * intros [?%mem_none|(r & R & C)]; [tauto|]. apply go_spec in R. destruct R as (p & P & N). exists p. split; auto.
        destruct C as [->|[? ?]]; [now apply run_next|eapply run_on; eauto].
      * intros (p & P & R). right. inversion R; subst; [exists q|exists r]; (split; [apply go_spec; eauto|auto]).
    + intros p P. apply mem_below in P. unfold left_, fuel. destruct (w_up (way_of d)); lia.
Qed.
Lemma slide_back d f pass p : mem (slide (way_of (opp d)) f pass) p <-> exists q, mem f q /\ run G (mem pass) d p q.
Proof.
  rewrite slide_spec. split; intros (q & Q & R); exists q; split; auto; [|now apply (run_rev G W)].
  apply (run_rev G W) in R. now rewrite opp_opp in R.
Qed.
Lemma run_points P d p q : run G P d p q -> In p (points G) /\ In q (points G).
Proof. induction 1 as [p q N|p r q N _ _ IH]; [now apply (wf_in _ W) in N|]. apply (wf_in _ W) in N. tauto. Qed.
(** what a run passes lies on the board *)
Lemma run_on_board (P Q : point -> Prop) d p q : (forall r, In r (points G) -> P r -> Q r) -> run G P d p q -> run G Q d p q.
Proof.
  intros H. induction 1 as [p q N|p r q N Pr R IH]; [now apply run_next|]. eapply run_on; eauto. apply H; auto. apply (wf_in _ W) in N. tauto.
Qed.
Lemma run_iff (P Q : point -> Prop) d p q : (forall r, In r (points G) -> (P r <-> Q r)) -> (run G P d p q <-> run G Q d p q).
Proof. intro H. split; apply run_on_board; intros r I K; now apply (H r I). Qed.
Lemma pt_one t f : In t (g_points B) -> (meet f (pt_bit t) = true <-> mem f (pt_no t)).
Proof. intro I. destruct (go_pts _ _ Ok t I) as (L & -> & _). now apply meet_one. Qed.
End Words.

(** ** The words of a board, and a check that they are right *)

Definition ups := Oct _ true true true false false false false true.
Definition diff_of (up : bool) (p q : nat) := if up then q - p else p - q.
Definition by_of (G : game) (up : bool) (d : dir) : nat :=
  fold_right (fun p o => match next G d p with Some q => diff_of up p q | None => o end) 1 (points G).
Definition way_of (G : game) (d : dir) : way := {|
  w_from := fold_right (fun p m => match next G d p with Some _ => or m (one p) | None => m end) none (points G);
  w_by := ip (by_of G (get ups d) d);
  w_up := get ups d |}.
Definition geo_of (G : game) : geo := {|
  g_all := fold_right (fun p m => or m (one p)) none (points G);
  g_ways := tab (way_of G);
  g_points := map (fun p => Pt p (one p)) (points G) |}.

Definition is_in (p : nat) (l : list nat) := existsb (Nat.eqb p) l.
Fixpoint no_twice (l : list nat) := match l with [] => true | p :: r => negb (is_in p r) && no_twice r end.
Definition places := seq 0 63.
Definition right_at (G : game) (B : geo) d p : bool :=
  let w := get (g_ways B) d in let o := by_of G (get ups d) d in
  match next G d p with
  | Some q => meet (w_from w) (one p) && is_in p (points G) && is_in q (points G) &&
      (if w_up w then Nat.eqb q (p + o) && Nat.ltb q 63 else Nat.eqb p (q + o)) &&
      match next G (opp d) q with Some r => Nat.eqb r p | None => false end
  | None => negb (meet (w_from w) (one p)) end.
Definition geo_right (G : game) (B : geo) (lines : list (point * dir * point)) : bool :=
  forallb (fun p => Nat.ltb p 63) (points G) && no_twice (points G) &&
  forallb (fun d => Nat.ltb 0 (by_of G (get ups d) d) && Nat.ltb (by_of G (get ups d) d) 63) all_dirs &&
  forallb (fun l => Nat.ltb (fst (fst l)) 63 && Nat.ltb (snd l) 63) lines &&
  forallb (fun d => forallb (right_at G B d) places) all_dirs &&
  forallb (fun p => Bool.eqb (meet (g_all B) (one p)) (is_in p (points G))) places.

Lemma is_in_iff p l : is_in p l = true <-> In p l.
Proof.
  unfold is_in. rewrite existsb_exists. split; [intros (q & Q & E); apply Nat.eqb_eq in E; now subst|].
  intro H. exists p. split; auto. apply Nat.eqb_refl.
Qed.
Lemma no_twice_iff l : no_twice l = true -> NoDup l.
Proof.
  induction l as [|p r IH]; simpl; [constructor|]. rewrite andb_true_iff, negb_true_iff. intros [A C]. constructor; auto.
  intro I. apply is_in_iff in I. congruence.
Qed.
Lemma all_all_dirs d : In d all_dirs. Proof. destruct d; simpl; auto 10. Qed.
Lemma next_of_below l d p q : forallb (fun l => Nat.ltb (fst (fst l)) 63 && Nat.ltb (snd l) 63) l = true ->
  next_of l d p = Some q -> p < 63.
Proof.
  induction l as [|[[a e] b] r IH]; simpl; [discriminate|]. rewrite !andb_true_iff, !Nat.ltb_lt. intros [[A C] D].
  destruct (dir_eqb e d && Nat.eqb a p) eqn:X.
  - intros _. apply andb_true_iff in X. destruct X as [_ X]. apply Nat.eqb_eq in X. lia.
  - destruct (dir_eqb (opp e) d && Nat.eqb b p) eqn:Y; auto.
    intros _. apply andb_true_iff in Y. destruct Y as [_ Y]. apply Nat.eqb_eq in Y. lia.
Qed.
Lemma places_iff p : In p places <-> p < 63. Proof. unfold places. rewrite in_seq. lia. Qed.

Theorem geo_right_ok h : geo_right (game_of h) (geo_of (game_of h)) (h_lines h) = true ->
  wf (game_of h) /\ geo_ok (game_of h) (geo_of (game_of h)).
Proof.
  set (G := game_of h). set (B := geo_of G). unfold geo_right. rewrite !andb_true_iff.
  intros [[[[[Pb Nd] Os] Ls] Rt] Al].
  assert (RT : forall d p, p < 63 -> right_at G B d p = true).
  { intros d p P. rewrite forallb_forall in Rt. specialize (Rt d (all_all_dirs d)). rewrite forallb_forall in Rt.
    apply Rt. now apply places_iff. }
  assert (NB : forall d p q, next G d p = Some q -> p < 63) by (intros d p q; now apply next_of_below).
  assert (WY : forall d, get (g_ways B) d = way_of G d) by (intro d; unfold B, geo_of; simpl; apply get_tab).
  assert (SM : forall d p q, next G d p = Some q -> mem (w_from (get (g_ways B) d)) p /\ In p (points G) /\ In q (points G) /\
     (if w_up (get (g_ways B) d) then q = p + by_of G (get ups d) d /\ q < 63 else p = q + by_of G (get ups d) d) /\
     next G (opp d) q = Some p).
  { intros d p q N. pose proof (NB _ _ _ N) as L. specialize (RT d p L). unfold right_at in RT. rewrite N in RT.
    rewrite !andb_true_iff in RT. destruct RT as [[[[R1 R2] R3] R4] R5]. rewrite meet_one in R1 by auto.
    rewrite is_in_iff in R2, R3. split; [exact R1|split; [auto|split; [auto|split]]].
    - revert R4. destruct (w_up (get (g_ways B) d)); intro R4.
      + rewrite andb_true_iff, Nat.eqb_eq, Nat.ltb_lt in R4. auto.
      + rewrite Nat.eqb_eq in R4. auto.
    - destruct (next G (opp d) q); [|discriminate]. apply Nat.eqb_eq in R5. now subst. }
  split; split.
  - intros d p q N. now apply SM in N.
  - intros d p q N. apply SM in N. tauto.
  - now apply no_twice_iff.
  - intro d. exists (by_of G (get ups d) d). split; [|split].
    + rewrite forallb_forall in Os. specialize (Os d (all_all_dirs d)). rewrite andb_true_iff, !Nat.ltb_lt in Os. lia.
    + rewrite WY. reflexivity.
    + intros p q. split; [intro N; apply SM in N; tauto|]. intros [M E].
      pose proof (RT d p (mem_below _ _ M)) as R. unfold right_at in R. destruct (next G d p) as [r|] eqn:N.
      * apply SM in N. destruct N as (_ & _ & _ & E' & _). f_equal. destruct (w_up (get (g_ways B) d)); lia.
      * rewrite negb_true_iff in R. rewrite <- meet_one in M by (eapply mem_below; eauto). congruence.
  - intro p. rewrite forallb_forall in Al. split.
    + intro M. pose proof (mem_below _ _ M) as L. specialize (Al p (proj2 (places_iff p) L)). apply Bool.eqb_prop in Al.
      apply is_in_iff. rewrite <- Al. now apply meet_one.
    + intro I. rewrite forallb_forall in Pb. pose proof (Pb p I) as L. apply Nat.ltb_lt in L.
      specialize (Al p (proj2 (places_iff p) L)). apply Bool.eqb_prop in Al. rewrite <- meet_one by auto. rewrite Al. now apply is_in_iff.
  - intros t I. apply in_map_iff in I. destruct I as (p & <- & I). simpl. rewrite forallb_forall in Pb. pose proof (Pb p I) as L.
    apply Nat.ltb_lt in L. auto.
  - intros p I. exists (Pt p (one p)). split; auto. apply in_map_iff. eauto.
Qed.
