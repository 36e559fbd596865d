//! Makes proofs with a broken rule.

use super::super::super::shown_before::ShownKey;
use super::super::coder::Encoder;
use super::super::counting::{Pair, Plan, most};
use super::super::essence::{Secret, key};
use super::super::field::{Field, bits};
use super::super::lemma_tests::{can_be_made, pairs_of};
use super::super::model::{Model, Verdict};
use super::super::scene::{Living, PairSets, Scene, Surroundings};
use super::Broken::{self, *};

/// The most steps that are tried for a certificate, and the most that it has.
const PATIENCE: u32 = 3_000;
const LONGEST: usize = 400;

#[derive(Clone)]
enum Coded<'a> {
    Verdict(usize, PairSets, Verdict),
    Choice(usize, PairSets, Option<Pair>),
    Cover((usize, usize), u32, bool),
    Plan(Box<Plan<'a>>, Vec<Pair>),
}

/// Makes the proof of a claim with a broken rule, in the order of the walk.
pub(super) struct Forger<'a> {
    broken: Broken,
    field: &'a Field,
    /// The same without `placement-liberty`, with any images, and without winning hands.
    lax: &'a Field,
    winner: usize,
    secret: Secret,
    listed: Vec<ShownKey>,
    counted: Vec<ShownKey>,
    coded: Vec<Coded<'a>>,
    later: Vec<Scene>,
    /// For [`ShownForward`]: the one that is, and whether it was.
    forward: Option<(ShownKey, bool)>,
    /// Uses of the rule where the claim is true.
    pub(super) uses: usize,
    patience: u32,
}

impl<'a> Forger<'a> {
    pub(super) fn new(broken: Broken, (field, lax): (&'a Field, &'a Field), winner: usize) -> Forger<'a> {
        let (listed, counted, coded, later) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (secret, forward) = (Secret::new(), None);
        Forger {
            broken,
            field,
            lax,
            winner,
            secret,
            listed,
            counted,
            coded,
            later,
            forward,
            uses: 0,
            patience: PATIENCE,
        }
    }

    /// Shows that X wins, if that can be shown so.
    fn prove(&mut self, scene: &Scene, is_start: bool) -> bool {
        let Some(patience) = self.patience.checked_sub(1) else { return false };
        self.patience = patience;
        if self.coded.len() > LONGEST {
            return false;
        }
        let moves = scene.mover == self.winner;
        if let Some(side) = scene.won_by_hand(self.field) {
            return side == self.winner || self.broken == Hand;
        }
        let around = Surroundings::new(self.field, scene);
        let choices = self.choices(scene, &around);
        let pairs = pairs_of(&choices);
        if moves && pairs.is_empty() && self.broken != PlanOpen {
            return self.broken == StuckWinner;
        }
        if !moves && pairs.len() <= usize::from(self.broken == StuckLoser) {
            return true;
        }
        let living = Living::new(self.field, scene, &around);
        let key = self.key(scene, &around, &living);
        let level = scene.level();
        let verdict = |verdict| Coded::Verdict(level, choices, verdict);
        if self.is_mirrored(scene) {
            self.coded.push(verdict(Verdict::Mirror));
            return true;
        }
        if !is_start && self.is_shown(&key) {
            self.coded.push(verdict(Verdict::Shown));
            return true;
        }
        let puts_off = self.broken == ShownAtStart || self.broken == LaterAtStart && self.later.is_empty();
        if puts_off && !is_start {
            self.coded.push(verdict(Verdict::Later));
            self.later.push(scene.clone());
            return true;
        }
        if let Some((plan, pairs)) = self.plan(scene, &around, &living) {
            self.coded.extend([verdict(Verdict::Counting), Coded::Plan(Box::new(plan), pairs)]);
            self.counted.push(key);
            return true;
        }
        let mark = self.mark();
        self.coded.push(verdict(Verdict::Step));
        if !scene.open {
            self.listed.push(key);
        }
        let shown = if moves { self.follow(scene, &choices) } else { self.refute(scene, &choices) };
        if !shown {
            self.back(mark);
        }
        shown
    }

    fn mark(&self) -> (usize, usize, usize, usize) {
        (self.coded.len(), self.listed.len(), self.counted.len(), self.later.len())
    }

    fn back(&mut self, mark: (usize, usize, usize, usize)) {
        self.coded.truncate(mark.0);
        self.listed.truncate(mark.1);
        self.counted.truncate(mark.2);
        self.later.truncate(mark.3);
    }

    fn follow(&mut self, scene: &Scene, choices: &PairSets) -> bool {
        if self.broken == NoChoice {
            self.coded.push(Coded::Choice(scene.level(), *choices, None));
            return true;
        }
        let mark = self.mark();
        pairs_of(choices).into_iter().any(|(kind, point)| {
            self.coded.push(Coded::Choice(scene.level(), *choices, Some((kind, point))));
            let mut before = scene.clone();
            before.hands[scene.mover][kind] = before.hands[scene.mover][kind].max(1);
            before.kinds[scene.mover] |= 1 << kind;
            let shown = self.prove(&before.after(self.field, kind, point), false);
            if !shown {
                self.back(mark);
            }
            shown
        })
    }

    fn refute(&mut self, scene: &Scene, choices: &PairSets) -> bool {
        let least = if self.broken == CoverAlone { 0 } else { 1 };
        let may_cover = !self.field.hand_wins || self.broken == CoverHandWins;
        bits(choices.any).all(|point| {
            let kinds = choices.kinds_at(point);
            if kinds.count_ones() > least && may_cover {
                let mark = self.mark();
                let at = (scene.level(), point);
                self.coded.push(Coded::Cover(at, kinds, true));
                if self.prove(&self.cover(scene, kinds, point), false) {
                    return true;
                }
                self.back(mark);
                self.coded.push(Coded::Cover(at, kinds, false));
            }
            bits(u64::from(kinds)).all(|kind| self.prove(&scene.after(self.field, kind, point), false))
        })
    }

    fn choices(&self, scene: &Scene, around: &Surroundings) -> PairSets {
        let mut choices = around.choices(self.field, scene);
        let (mover, foe) = (scene.mover, 1 - scene.mover);
        if mover != self.winner {
            let last = 63_u32.saturating_sub(choices.any.leading_zeros());
            let kept = if self.broken == PointLeftOut { !(1 << last) } else { u64::MAX };
            let left_out = pairs_of(&choices).pop().filter(|_| self.broken == LeftOut);
            let all = std::mem::take(&mut choices);
            for kind in bits(u64::from(all.kinds)) {
                let but =
                    if left_out.is_some_and(|pair| pair.0 == kind) { left_out.map_or(0, |p| 1 << p.1) } else { 0 };
                choices.set(kind, all.at[kind] & kept & !but);
            }
            return choices;
        }
        // Legality by one clause alone, each from a situation or field that lacks the others.
        let mut no_pods = scene.clone();
        no_pods.held[mover] |= no_pods.held[foe];
        no_pods.held[foe] = 0;
        (no_pods.legs[foe], no_pods.long[foe]) = ([0; 8], [0; 8]);
        let mut no_attackers = scene.clone();
        (no_attackers.legs[foe], no_attackers.long[foe]) = ([0; 8], [0; 8]);
        let mut free = self.field.clone();
        free.liberty = false;
        let mut legless = free.clone();
        legless.legs[mover] = Default::default();
        let of = |field: &Field, scene: &Scene| Surroundings::new(field, scene).legal(field, scene, mover);
        let sets = [of(&free, &no_attackers), of(&legless, scene), of(self.field, &no_pods)];
        let without = match self.broken {
            Attacks => 0,
            Attacked => 1,
            Liberty => 2,
            Opening => return around.legal(self.field, scene, mover),
            NotInHand => {
                let mut rich = scene.clone();
                rich.hands[mover][..self.field.kinds].fill(1);
                rich.kinds[mover] = (1 << self.field.kinds) - 1;
                return Surroundings::new(self.field, &rich).choices(self.field, &rich);
            }
            _ => return choices,
        };
        let mut broken = PairSets::default();
        for kind in bits(u64::from(scene.kinds[mover])) {
            let others = sets.iter().enumerate().filter(|&(i, _)| i != without);
            let may_open = !scene.open || self.field.bipods >> kind & 1 == 1;
            broken.set(kind, if may_open { others.fold(u64::MAX, |at, (_, set)| at & set.at[kind]) } else { 0 });
        }
        broken
    }

    fn cover(&self, scene: &Scene, kinds: u32, point: usize) -> Scene {
        let lowest = kinds & kinds.wrapping_neg();
        let mut cover = scene.cover(self.field, if self.broken == CoverOfOne { lowest } else { kinds }, point);
        match self.broken {
            CoverShort => cover.long[scene.mover].iter_mut().for_each(|long| *long &= !(1 << point)),
            CoverFromHand => {
                for kind in bits(u64::from(kinds)) {
                    cover.hands[scene.mover][kind] -= 1;
                    if cover.hands[scene.mover][kind] == 0 {
                        cover.kinds[scene.mover] &= !(1 << kind);
                    }
                }
            }
            _ => {}
        }
        cover
    }

    pub(super) fn is_mirrored(&self, scene: &Scene) -> bool {
        let moves = scene.mover == self.winner;
        let mut like = scene.clone();
        match self.broken {
            MirrorMover => return moves && scene.is_mirrored(self.field),
            MirrorLines | MirrorOwn | MirrorInLine | MirrorHandWins => return !moves && scene.is_mirrored(self.lax),
            MirrorHands => like.hands[1] = like.hands[0],
            MirrorPods => like.held = [0; 2],
            MirrorLegs => (like.legs, like.long) = ([[0; 8]; 2], [[0; 8]; 2]),
            _ => {}
        }
        !moves && like.is_mirrored(self.field)
    }

    fn is_shown(&mut self, key: &ShownKey) -> bool {
        let counted = self.broken == ShownCounted && self.counted.contains(key);
        self.uses += usize::from(counted && !self.listed.contains(key));
        if let Some((forward, seen @ false)) = &mut self.forward
            && forward == key
        {
            *seen = true;
            return true;
        }
        self.listed.contains(key) || counted || self.broken == ShownNowhere
    }

    fn key(&self, scene: &Scene, around: &Surroundings, living: &Living) -> ShownKey {
        let (mut field, mut scene) = (self.field.clone(), scene.clone());
        let (mut around, mut living) = (around.clone(), living.clone());
        match self.broken {
            EssenceMover => scene.mover = 0,
            EssenceCounts => scene.hands.as_flattened_mut().iter_mut().for_each(|count| *count = (*count).min(1)),
            EssenceHands => field.hand_wins = false,
            EssenceLiberties => field.liberty = false,
            EssenceRuns => field.through = true,
            EssenceStruck => scene.long = [[0; 8]; 2],
            EssenceStrikes => around.near = [[0; 8]; 2],
            EssenceLegs => field.legs = Default::default(),
            EssenceRoom => living.pairs = [PairSets::default(); 2],
            _ => return key(self.field, &scene, &around, &living, self.secret),
        }
        key(&field, &scene, &around, &living, self.secret)
    }

    fn plan(&self, scene: &Scene, around: &Surroundings, living: &Living) -> Option<(Plan<'a>, Vec<Pair>)> {
        let may = match self.broken {
            PlanOpen => scene.open && !self.field.hand_wins,
            PlanHandWins => !scene.open && self.field.hand_wins,
            _ => !scene.open && !self.field.hand_wins,
        };
        if !may {
            return None;
        }
        let (mut like, mut living) = (scene.clone(), living.clone());
        let loser = 1 - self.winner;
        let mut pods = most(&living.pairs[loser], &scene.hands[loser]);
        match self.broken {
            PlanOfKinds => pods = most(&living.pairs[loser], &scene.hands[loser].map(|count| count.min(1))),
            PlanTheirs => living.pairs[loser].any = 0,
            PlanReached => living.pairs[loser].kinds = 0,
            PlanHand => {
                for kind in bits(u64::from(scene.kinds[self.winner])) {
                    like.hands[self.winner][kind] += 1;
                }
            }
            _ => {}
        }
        let field = if self.broken == PlanLiberty { self.lax } else { self.field };
        let mut plan = Plan::new(field, &like, around, &living, self.winner);
        plan.missing = pods + usize::from(plan.is_free);
        match self.broken {
            PlanShort => plan.missing = plan.missing.saturating_sub(1),
            PlanNoFirst => plan.missing -= usize::from(plan.is_free),
            PlanStops if !can_be_made(&plan) => return Some((plan, Vec::new())),
            _ => {}
        }
        let pairs = plan.find()?;
        Some((plan, pairs))
    }

    fn section(&self) -> (Vec<u8>, u64) {
        let (mut model, mut bits, mut lines) = (Model::new(self.field), Encoder::new(), 0);
        for coded in &self.coded {
            match coded.clone() {
                Coded::Verdict(level, choices, verdict) => {
                    model.verdict(&mut bits, level, &choices, verdict).unwrap();
                    lines += 1;
                }
                Coded::Choice(level, choices, pair) => {
                    model.choice(&mut bits, level, &choices, pair).unwrap();
                }
                Coded::Cover(at, kinds, covered) => {
                    model.is_covered(&mut bits, at, kinds, covered).unwrap();
                }
                Coded::Plan(plan, pairs) => {
                    model.plan(&mut bits, *plan, &pairs).unwrap();
                }
            }
        }
        (bits.finish(), lines)
    }

    /// Shows a claim in sections; `None` if that cannot be done with the rule broken.
    pub(super) fn sections(&mut self, root: &Scene) -> Option<(Vec<Vec<u8>>, u64)> {
        if self.broken == ShownForward {
            if !self.prove(root, true) {
                return None;
            }
            let twice = self.listed.iter().copied().find(|key| {
                let mut again = Forger::new(self.broken, (self.field, self.lax), self.winner);
                (again.secret, again.forward) = (self.secret, Some((*key, false)));
                again.prove(root, true) && again.forward == Some((*key, true)) && again.listed.contains(key)
            })?;
            *self = Forger { secret: self.secret, ..Forger::new(self.broken, (self.field, self.lax), self.winner) };
            self.forward = Some((twice, false));
            self.uses = 1;
        }
        if !self.prove(root, true) {
            return None;
        }
        let alone = |coded: &Coded<'_>| matches!(coded, Coded::Cover(_, kinds, true) if kinds.count_ones() == 1);
        self.uses += self.coded.iter().filter(|&coded| alone(coded)).count();
        let (first, mut lines) = self.section();
        let mut sections = vec![first];
        if matches!(self.broken, ShownAtStart | LaterAtStart) {
            let later = std::mem::take(&mut self.later);
            let verdict = if self.broken == ShownAtStart { Verdict::Shown } else { Verdict::Later };
            for scene in &later {
                let choices = Surroundings::new(self.field, scene).choices(self.field, scene);
                self.coded = vec![Coded::Verdict(scene.level(), choices, verdict)];
                sections.push(self.section().0);
                lines += 1;
            }
            if later.is_empty() {
                return None;
            }
            if self.broken == LaterAtStart {
                // What was left twice is shown at last.
                (self.coded, self.listed, self.uses) = (Vec::new(), Vec::new(), 1);
                self.later = later;
                if !self.prove(&self.later[0].clone(), true) {
                    return None;
                }
                let (last, more) = self.section();
                sections.push(last);
                lines += more;
            }
        }
        Some((sections, lines))
    }
}
