//! Bits that are read and written at a situation, and their contexts.

use super::coder::{BadBits, Context, Decoder, Encoder};
use super::counting::{Pair, Plan};
use super::field::{Field, bits};
use super::scene::PairSets;

/// The number of levels: none to 64 pods on the board.
const LEVELS: usize = 65;

/// The most that counts are told apart up to.
const WIDEST: usize = 7;
const LOWEST_RANK: usize = 31;
const LAST_RANK: usize = 3;
const PLAN_RANK: usize = 15;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::certificate) enum Verdict {
    Step,
    Counting,
    Shown,
    Later,
    Mirror,
}

impl Verdict {
    const ALL: [Verdict; 5] = [Verdict::Step, Verdict::Counting, Verdict::Shown, Verdict::Later, Verdict::Mirror];
}

/// Source or sink of the bits of a section.
pub(in crate::certificate) trait Bits {
    /// Reads a bit, or writes the one that is wanted; returns it.
    fn bit(&mut self, context: &mut Context, wanted: bool) -> Result<bool, BadBits>;
}

impl Bits for Decoder<'_> {
    #[inline]
    fn bit(&mut self, context: &mut Context, _: bool) -> Result<bool, BadBits> {
        Decoder::bit(self, context)
    }
}

impl Bits for Encoder {
    fn bit(&mut self, context: &mut Context, wanted: bool) -> Result<bool, BadBits> {
        Encoder::bit(self, context, wanted);
        Ok(wanted)
    }
}

/// The contexts, and what they depend on.
pub(in crate::certificate) struct Model {
    verdicts: Vec<[[[Context; 4]; Verdict::ALL.len()]; WIDEST + 1]>,
    choices: [[Context; LOWEST_RANK + 1]; LAST_RANK + 1],
    covers: [[[Context; 2]; 2]; WIDEST + 1],
    plans: [[Context; PLAN_RANK + 1]; 2],
    last_verdicts: [Verdict; LEVELS],
    last_ranks: [usize; LEVELS],
    last_covers: [bool; LEVELS],
    covers_of_points: [bool; 64],
    /// By level: all pairs, the last choices first.
    lists: Vec<Vec<(u8, u8)>>,
}

impl Model {
    pub(in crate::certificate) fn new(field: &Field) -> Model {
        let pairs = (0..field.kinds as u8).flat_map(|kind| bits(field.points).map(move |point| (kind, point as u8)));
        Model {
            verdicts: vec![[[[Context::default(); 4]; Verdict::ALL.len()]; WIDEST + 1]; LEVELS],
            choices: [[Context::default(); LOWEST_RANK + 1]; LAST_RANK + 1],
            covers: [[[Context::default(); 2]; 2]; WIDEST + 1],
            plans: [[Context::default(); PLAN_RANK + 1]; 2],
            last_verdicts: [Verdict::Step; LEVELS],
            last_ranks: [0; LEVELS],
            last_covers: [true; LEVELS],
            covers_of_points: [true; 64],
            lists: vec![pairs.collect(); LEVELS],
        }
    }

    pub(in crate::certificate) fn verdict(
        &mut self,
        bits: &mut impl Bits,
        level: usize,
        choices: &PairSets,
        wanted: Verdict,
    ) -> Result<Verdict, BadBits> {
        let width = (choices.any.count_ones() as usize).min(WIDEST);
        let last = &mut self.last_verdicts[level];
        let contexts = &mut self.verdicts[level][width][*last as usize];
        let mut found = Verdict::Mirror;
        for (context, verdict) in contexts.iter_mut().zip(Verdict::ALL) {
            if !bits.bit(context, wanted != verdict)? {
                found = verdict;
                break;
            }
        }
        *last = found;
        Ok(found)
    }

    /// Returns the winner's placement; `None` if none is chosen.
    pub(in crate::certificate) fn choice(
        &mut self,
        bits: &mut impl Bits,
        level: usize,
        choices: &PairSets,
        wanted: Option<Pair>,
    ) -> Result<Option<Pair>, BadBits> {
        let contexts = &mut self.choices[self.last_ranks[level]];
        let list = &mut self.lists[level];
        let mut rank = 0;
        for i in 0..list.len() {
            let (kind, point) = list[i];
            let pair = (usize::from(kind), usize::from(point));
            if choices.at[pair.0] >> pair.1 & 1 == 0 {
                continue;
            }
            if bits.bit(&mut contexts[rank.min(LOWEST_RANK)], wanted == Some(pair))? {
                list[..=i].rotate_right(1);
                self.last_ranks[level] = rank.min(LAST_RANK);
                return Ok(Some(pair));
            }
            rank += 1;
        }
        Ok(None)
    }

    /// Reads or writes the bit that says if a point with choices of `kinds` kinds is covered.
    pub(in crate::certificate) fn is_covered(
        &mut self,
        bits: &mut impl Bits,
        (level, point): (usize, usize),
        kinds: u32,
        wanted: bool,
    ) -> Result<bool, BadBits> {
        let (of_level, of_point) = (&mut self.last_covers[level], &mut self.covers_of_points[point]);
        let kinds = (kinds.count_ones() as usize).min(WIDEST);
        let context = &mut self.covers[kinds][usize::from(*of_level)][usize::from(*of_point)];
        let covered = bits.bit(context, wanted)?;
        (*of_level, *of_point) = (covered, covered);
        Ok(covered)
    }

    /// Makes a plan whole; `false` if it is not. `wanted` are its pairs.
    pub(in crate::certificate) fn plan(
        &mut self,
        bits: &mut impl Bits,
        mut plan: Plan<'_>,
        wanted: &[Pair],
    ) -> Result<bool, BadBits> {
        let mut wanted = wanted.iter().copied();
        while plan.missing > 0 {
            let next = wanted.next();
            let contexts = &mut self.plans[usize::from(plan.is_free)];
            let mut chosen = None;
            for (rank, pair) in plan.pairs().enumerate() {
                if bits.bit(&mut contexts[rank.min(PLAN_RANK)], next == Some(pair))? {
                    chosen = Some(pair);
                    break;
                }
            }
            let Some(pair) = chosen else { return Ok(false) };
            plan.go_on(pair);
        }
        Ok(true)
    }
}
