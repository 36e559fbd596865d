//! Walls: what each side gets at least in a region of a game of fixed conflicts if every placement
//! costs a tax.
//!
//! This is the lower half of a thermograph (Berlekamp, Conway and Guy, 1982), with taxes from −1 on
//! as well (Siegel, 2013), and with a proof that needs nothing else. Side A is one of the players,
//! B the other.
//!
//! **Definition.** For a position X and a tax t ≥ −1, a_t(X) and b_t(X) are numbers for A and B to
//! move first. Without contested points both are the surplus as A sees it. Else let λ_t be the
//! largest b_t(X') − t over A's placements on contested points, each of which leads to an X', and
//! ρ_t the least a_t(X″) + t over B's. Let τ be the largest t with λ_t ≥ ρ_t, or −1 if there is
//! none. Up to τ, a_t = λ_t and b_t = ρ_t (at −1, b_t = λ_t if that is less); beyond τ both keep
//! the value m that b_t has at τ.
//!
//! By induction all are continuous in t; a_t falls or stays, b_t rises or stays, with slopes of at
//! most 1, so λ_t does not rise and ρ_t does not fall; a_τ = b_τ = m; a_t ≥ λ_t, b_t ≤ ρ_t,
//! a_t ≥ b_t and b_t ≥ min(λ_t, ρ_t) for every t. (A contested point of either side means one of
//! the other, so there are placements.)
//!
//! **Theorem 1.** If A is to move and a_t(X) > 0 for some t, A wins. **Proof.** Without contested
//! points the surplus decides. Else let t be no more than τ, since a_t = a_τ beyond it. A places so
//! that b_t(X') = a_t(X) + t. If B has no placement, A has won. If B uses a free point, X' grows by
//! 1, and a_t(X' + 1) ≥ b_t(X') + 1 > t + 1 ≥ 0. If B places on a contested point,
//! a_t(X″) ≥ ρ_t(X') − t ≥ b_t(X') − t > 0. The game is finite. ∎ **Corollary.** If B is to move
//! and b_t(X) > t for some t, A wins: B's first placement is one of those.
//!
//! **Theorem 2.** b_t(X + Y) ≥ b_t(X) + b_t(Y), and a_t(X + Y) ≥ a_t(X) + b_t(Y). **Proof**, by
//! induction, with β = b_t(X) + b_t(Y). A placement of B's in X leads to
//! a_t(X″ + Y) + t ≥ a_t(X″) + t + b_t(Y) ≥ ρ_t(X) + b_t(Y) ≥ β, and likewise in Y, so
//! ρ_t(X + Y) ≥ β. Up to τ(X), A's best placement in X gives λ_t(X + Y) ≥ λ_t(X) + b_t(Y) =
//! a_t(X) + b_t(Y) ≥ β, and up to τ(Y) one in Y gives λ_t(X + Y) ≥ β. So b_t(X + Y) ≥ β up to the
//! larger of τ(X) and τ(Y), beyond which β stays while b_t(X + Y) does not fall. The second claim
//! holds up to τ(X), as a_t ≥ λ_t, and beyond since a_t(X) = b_t(X) there, and
//! a_t(X + Y) ≥ b_t(X + Y). (An integer has no placements on contested points, and τ = −1.) ∎
//!
//! So what each region has at least may be added: the sum of all b_t, and for a_t the largest a_t −
//! b_t of a region more.
//!
//! **Theorem 3.** Let each of A's contested points weigh w_t, the smaller of (1 + t) / D and
//! 2 / (1 + D), with D as in weighing (`mod.rs`), and let W_t = s + Σ w_t − |T|. Then
//! b_t ≥ W_t. **Proof**, by induction. The larger a D, the smaller w_t, and no D grows. B's
//! placement on q adds 1 and takes D(q) points at most, each with a D of D(q) at least, so
//! (1 + t) / D(q) each at most: ρ_t ≥ W_t. A's placement on a point of least weight w_t gives
//! λ_t ≥ W_t + 1 − w_t − t. That point has the largest D of all; let u be (D − 1) / (D + 1). Up to
//! u, w_t ≤ (1 + t) / D ≤ 1 − t, so λ_t ≥ W_t, and b_t ≥ min(λ_t, ρ_t) ≥ W_t. From u on every point
//! weighs 2 / (1 + D) with its own D, so W_t stays, while b_t does not fall. ∎
//!
//! The theorems hold as well for the game without inferior placements (`mod.rs`), which is
//! equal.
//!
//! Walls hold values at some taxes only, and least values instead of exact ones. From least values
//! of λ and ρ follow those of b: the larger of min(λ_t, ρ_t) and of its own value at the tax
//! before; and of a: the largest of λ_t, b_t and its own value at the tax after. All are whole
//! sixtieths, rounded down.

use crate::solver::search::conflict::UNIT;

/// Number of taxes: from −1 to 2 3/4.
const TAXES: usize = 16;

/// Distance from one tax to the next, in sixtieths.
const STEP: i32 = UNIT / 4;

/// A value by tax, in sixtieths.
type Wall = [i16; TAXES];

const fn tax(k: usize) -> i32 {
    STEP * k as i32 - UNIT
}

const ALL_TAXES: Wall = {
    let mut taxes = [0; TAXES];
    let mut k = 0;
    while k < TAXES {
        taxes[k] = tax(k) as i16;
        k += 1;
    }
    taxes
};

/// Lower bounds of each side in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver::search) struct Walls {
    /// By side: a_t, if it moves first.
    first: [Wall; 2],
    /// By side: b_t, if the other moves first.
    second: [Wall; 2],
}

impl Walls {
    pub(in crate::solver::search) const ZERO: Walls = Walls { first: [[0; TAXES]; 2], second: [[0; TAXES]; 2] };

    /// Returns the same region with the colours swapped.
    pub(in crate::solver::search) fn negative(&self) -> Walls {
        let swapped = |[a, b]: [Wall; 2]| [b, a];
        Walls { first: swapped(self.first), second: swapped(self.second) }
    }
}

/// Lower bounds of each side in a sum.
#[derive(Clone, Copy)]
pub(in crate::solver::search) struct Tally {
    /// By side: the sum of all b_t.
    second: [Wall; 2],
    /// By side: the largest a_t − b_t.
    more: [Wall; 2],
}

impl Tally {
    /// Creates a tally without regions.
    pub(in crate::solver::search) fn new(surplus: i32) -> Tally {
        let surplus = (UNIT * surplus) as i16;
        Tally { second: [[surplus; TAXES], [-surplus; TAXES]], more: [[0; TAXES]; 2] }
    }

    #[inline]
    pub(in crate::solver::search) fn add(&mut self, walls: &Walls) {
        for side in [0, 1] {
            for k in 0..TAXES {
                let (first, second) = (walls.first[side][k], walls.second[side][k]);
                self.second[side][k] += second;
                self.more[side][k] = self.more[side][k].max(first - second);
            }
        }
    }

    #[inline]
    fn first(&self, side: usize) -> Wall {
        let mut first = self.second[side];
        first.iter_mut().zip(&self.more[side]).for_each(|(value, more)| *value += more);
        first
    }

    /// Returns `true` if the mover wins; `None` if that is not known.
    #[inline]
    pub(in crate::solver::search) fn decided(&self, mover: usize) -> Option<bool> {
        // Without a branch for each tax.
        let wins = self.first(mover).iter().fold(false, |wins, &value| wins | (value > 0));
        let loses =
            self.second[1 - mover].iter().zip(&ALL_TAXES).fold(false, |loses, (value, tax)| loses | (value > tax));
        if wins { Some(true) } else { loses.then_some(false) }
    }
}

/// Results of the placements in a region.
pub(in crate::solver::search) struct Options {
    /// By side: the largest b_t after its own placements.
    own: [Wall; 2],
    /// By side: the least a_t after the other's placements.
    other: [Wall; 2],
}

impl Options {
    pub(in crate::solver::search) const NONE: Options =
        Options { own: [[i16::MIN; TAXES]; 2], other: [[i16::MAX; TAXES]; 2] };

    /// Adds what a placement of a side leads to.
    #[inline]
    pub(in crate::solver::search) fn add(&mut self, mover: usize, next: &Tally) {
        let (mine, theirs) = (&next.second[mover], next.first(1 - mover));
        for k in 0..TAXES {
            self.own[mover][k] = self.own[mover][k].max(mine[k]);
            self.other[1 - mover][k] = self.other[1 - mover][k].min(theirs[k]);
        }
    }

    /// Returns the walls of the region, if every placement has been added and each side has one.
    pub(in crate::solver::search) fn walls(&self) -> Walls {
        let mut walls = Walls::ZERO;
        for side in [0, 1] {
            let (first, second) = (&mut walls.first[side], &mut walls.second[side]);
            let mut least = i16::MIN;
            for (k, t) in ALL_TAXES.into_iter().enumerate() {
                let (own, other) = (self.own[side][k] - t, self.other[side][k] + t);
                least = least.max(own.min(other));
                (first[k], second[k]) = (own.max(least), least);
            }
            for k in (1..TAXES).rev() {
                first[k - 1] = first[k - 1].max(first[k]);
            }
        }
        walls
    }
}

/// The weights of theorem 3.
pub(in crate::solver::search) struct TaxedWeights {
    /// By D.
    weights: Vec<Wall>,
}

impl TaxedWeights {
    /// Creates the weights for D up to `most`.
    pub(in crate::solver::search) fn new(most: usize) -> TaxedWeights {
        let weight = |d: i32, k: usize| ((UNIT + tax(k)) / d).min(2 * UNIT / (1 + d));
        let wall = |d: usize| std::array::from_fn(|k| if d == 0 { 0 } else { weight(d as i32, k) as i16 });
        TaxedWeights { weights: (0..=most).map(wall).collect() }
    }

    /// Returns the walls of a region. `each` names the contested points of a side, as numbers of
    /// points with one D; `points` are how many each side has.
    #[inline]
    pub(in crate::solver::search) fn walls(
        &self,
        points: [u32; 2],
        each: impl Fn(usize, &mut dyn FnMut(i32, i32)),
    ) -> Walls {
        let mut both = [1, 0].map(|other| [(-UNIT * points[other] as i32) as i16; TAXES]);
        for (side, wall) in both.iter_mut().enumerate() {
            each(side, &mut |count, most| {
                let weights = &self.weights[most as usize];
                wall.iter_mut().zip(weights).for_each(|(value, weight)| *value += count as i16 * weight);
            });
        }
        Walls { first: both, second: both }
    }
}
