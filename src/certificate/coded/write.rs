//! Writes sections of version 4 with the choices of a guide.

use super::super::placing::{self, Guide, Situation};
use super::super::shown_before::{Shown, ShownBefore};
use super::coder::{BadBits, Context, Encoder};
use super::counting::Pair;
use super::field::{LegBits, bits};
use super::model::{Bits, Verdict};
use super::scene::{PairSets, Scene};
use super::walk::{SectionWalk, Statement, Teller, View};
use crate::geometry::{Direction, Point};
use crate::material::{BySide, Leg, Legs, PodKind, Reach, Side};
use crate::position::{Game, Hand};

/// A section that is made.
pub(in crate::certificate) struct Written {
    pub(in crate::certificate) bytes: Vec<u8>,
    pub(in crate::certificate) lines: u64,
    pub(in crate::certificate) ends: Vec<Scene>,
    pub(in crate::certificate) shown: Shown,
}

impl Statement<'_> {
    /// Makes the section that starts from a situation, with the choices of a guide. What `earlier`
    /// sections have listed is not shown again.
    pub(in crate::certificate) fn write<G: Guide>(
        &self,
        start: &Scene,
        guide: &mut G,
        earlier: Option<&ShownBefore>,
    ) -> Result<Written, G::Error> {
        let writer = Writer { claim: self, guide, bits: Encoder::new(), earlier, ends: Vec::new() };
        let mut walk = SectionWalk::new(self, u64::MAX, writer);
        walk.start(start)?;
        let SectionWalk { teller, shown, lines, .. } = walk;
        Ok(Written { bytes: teller.bits.finish(), lines, ends: teller.ends, shown })
    }

    /// Walks the same and writes nothing.
    pub(in crate::certificate) fn try_out<G: Guide>(
        &self,
        start: &Scene,
        guide: &mut G,
        earlier: &ShownBefore,
    ) -> Result<(), G::Error> {
        let writer = Writer { claim: self, guide, bits: NoBits, earlier: Some(earlier), ends: Vec::new() };
        SectionWalk::new(self, u64::MAX, writer).start(start)
    }
}

/// Sink that drops all bits.
struct NoBits;

impl Bits for NoBits {
    fn bit(&mut self, _: &mut Context, wanted: bool) -> Result<bool, BadBits> {
        Ok(wanted)
    }
}

struct Writer<'a, 'g, G, B> {
    claim: &'a Statement<'a>,
    guide: &'g mut G,
    bits: B,
    earlier: Option<&'a ShownBefore>,
    ends: Vec<Scene>,
}

impl<G: Guide, B: Bits> Teller for Writer<'_, '_, G, B> {
    type Error = G::Error;
    type Bits = B;

    fn bits(&mut self) -> &mut B {
        &mut self.bits
    }

    fn verdict(&mut self, view: &View<'_>, shown: &Shown) -> Result<(Verdict, Vec<Pair>), G::Error> {
        let only = |verdict| Ok((verdict, Vec::new()));
        if view.is_mirrored() {
            return only(Verdict::Mirror);
        }
        if !view.is_start {
            let key = view.key();
            if shown.contains(&key) || self.earlier.is_some_and(|earlier| earlier.has(&key)) {
                return only(Verdict::Shown);
            }
        }
        if let Some(pairs) = view.plan().and_then(|plan| plan.find()) {
            return Ok((Verdict::Counting, pairs));
        }
        if !view.is_start && self.guide.elsewhere(&situation(self.claim.game, view.scene), None)? {
            return only(Verdict::Later);
        }
        only(Verdict::Step)
    }

    fn winning(&mut self, view: &View<'_>) -> Result<Option<Pair>, G::Error> {
        let (kind, at) = self.guide.winning(&situation(self.claim.game, view.scene))?;
        Ok(Some((kind.index(), at.index())))
    }

    fn covered(&mut self, view: &View<'_>) -> Result<u64, G::Error> {
        Ok(self.guide.covered(&situation(self.claim.game, view.scene), &pairs(&view.choices))?.0)
    }

    fn leaves(&mut self, scene: &Scene) -> Result<(), G::Error> {
        self.ends.push(scene.clone());
        Ok(())
    }

    fn bad(&self, _: BadBits) -> G::Error {
        self.guide.fault("bits that are written cannot be read".to_owned())
    }

    fn fault(&self, cause: &str) -> G::Error {
        self.guide.fault(cause.to_owned())
    }

    fn too_large(&self, memory: u64) -> G::Error {
        self.guide.too_large(memory)
    }
}

impl Scene {
    /// Converts a situation of the search.
    pub(in crate::certificate) fn of(situation: &Situation) -> Scene {
        let hands = Side::BOTH.map(|side| situation.hand(side));
        let mut scene = Scene::bare(hands, situation.to_move, situation.open);
        for (point, side, legs) in situation.pods() {
            scene.stand(side.index(), LegBits::of(legs), point.index());
        }
        scene
    }
}

/// Returns the situation in the form that guides take.
fn situation(game: &Game, scene: &Scene) -> Situation {
    let legs = |side: usize, point: usize| {
        let has = scene.legs_on(side, point);
        let reach = |d: usize| if has.long >> d & 1 == 1 { Reach::Long } else { Reach::Short };
        Legs::new(bits(u64::from(has.all)).map(|d| Leg { direction: Direction::ALL[d], reach: reach(d) }))
    };
    let of_side = |side: usize| {
        bits(scene.held[side]).filter_map(move |point| Some((Point::new(point), Side::BOTH[side], legs(side, point)?)))
    };
    let hands = BySide::from(scene.hands).map(|counts| {
        let mut hand = Hand::default();
        for (kind, count) in counts.into_iter().enumerate() {
            (0..count).for_each(|_| hand.add(PodKind::new(kind)));
        }
        hand
    });
    Situation::of(game, of_side(0).chain(of_side(1)), hands, Side::BOTH[scene.mover], scene.open)
}

fn pairs(choices: &PairSets) -> placing::Pairs {
    let mut pairs = placing::Pairs::default();
    for kind in bits(u64::from(choices.kinds)) {
        bits(choices.at[kind]).for_each(|point| pairs.insert(PodKind::new(kind), Point::new(point)));
    }
    pairs
}
