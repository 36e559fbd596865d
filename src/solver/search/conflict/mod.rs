//! Games of fixed conflicts, such as Snort: hands do not run out, and placements exclude each other
//! for good.
//!
//! If nothing moves and nothing is captured, an empty hand loses, R13 is off, no leg's reach
//! depends on what stands where (short legs, or `attack-through`), and each side has pods of one
//! kind only in hand, at least as many as there are empty points, then a position is two sets of
//! points, White's and Black's (where they may place now), with fixed *conflicts*: a white pod on p
//! and a black pod on q conflict if p = q or a leg of one reaches the other. A placement takes its
//! point from its player's set, and the points in conflict from the opponent's (R10–R12). Nothing
//! ever comes back.
//!
//! - **Free points.** A point that conflicts with no point of the opponent's set is a move that the
//!   opponent cannot prevent and that does not harm the opponent: the number 1 for White, −1 for
//!   Black, in the sum of games (Conway, 1976). Numbers of the two colours cancel, so all free
//!   points are replaced by the difference n of their numbers, which gives only one side moves. A
//!   game keeps its winner, for either player to start, when a part is replaced by an equal one.
//! - **Counting.** Contested points are the others; a side makes at most one placement on each of
//!   its own. If n ≥ b, the number of Black's contested points, and b > 0, then White wins whoever
//!   starts. If Black starts: White answers on free points, of which there are as many as Black has
//!   placements. If White starts: there is a contested white point, since b > 0 and conflicts are
//!   mutual; taking it leaves Black fewer than b, and n is enough again. Likewise if −n ≥ w > 0.
//!   With no contested point left, n decides: its sign names the winner, and whoever is to move
//!   loses at 0.
//! - **Weighing.** See below.
//! - **Looking first.** All next positions are looked up before any is searched: one that counting,
//!   weighing or the table knows to be lost for the opponent ends the matter.
//! - **Walls.** Small regions are searched by themselves for what each side gets at least in them
//!   (`walls.rs`).
//! - **Inferior placements.** See below.
//! - **Regions.** The table keeps one entry for all positions that are equal sums of regions
//!   (`regions/mod.rs`).
//!
//! - **Mirror.** Let π be a symmetry that is its own inverse, maps conflicts to conflicts and swaps
//!   the colours. Let M be the mover's contested points and R the opponent's, with π(M) ⊆ R, no
//!   point of M in conflict with its image, and no surplus for the mover. Then the mover loses: the
//!   opponent answers p with π(p), which is in R and not excluded by p. With E the points that p
//!   excludes, M becomes M − p − π(E) and R becomes R − π(p) − E, so π(M) ⊆ R again; and a surplus
//!   of the opponent's is a number that does no harm. (This is the theorem of `solver/mirror.rs`
//!   for the contested points that are left; it holds on boards with a centre too, once the centre
//!   is taken.)
//!
//! # Weighing
//!
//! Let s be the surplus as side A sees it, M the contested points of A and T those of the opponent
//! B. A placement of B on q in T excludes D(q) points of M, and D(q) ≥ 1, since conflicts are
//! mutual. A point p of M weighs w(p) = 2 / (1 + D), with D the largest D(q) of the q in T that p
//! conflicts with; so w(p) ≤ 1. Let Φ = s + Σ w(p) − |T|.
//!
//! **Theorem.** If A is to move and Φ > 0, A wins. **Proof.** If M is empty, so is T, and s > 0
//! decides. Else A places on a p of M of least weight. It takes k ≥ 1 points from T, and turns f ≥
//! 0 other points of M into free ones; nothing of B's becomes free, as whoever conflicts with p is
//! taken. So Φ changes by k − w(p) + Σ (1 − w) over the f points, which is at least 1 − w(p). If B
//! has no placement, A has won. If B uses a free point, s grows by 1, and Φ with it. If B places on
//! q in T, then |T| falls by 1, points of B that become free leave T and lower s alike, and M loses
//! D(q) points at most, each of a weight of at most 2 / (1 + D(q)). Before p was taken, one of them
//! weighed no more than that, and p had the least weight, so w(p) is at most that too. Together at
//! most (D(q) + 1) · 2 / (1 + D(q)) = 2 is lost, and 1 + 1 is won. (If q excludes none that is
//! left, q is free by now.) Sets only shrink, so no D grows and no weight falls. Hence Φ > 0 again
//! with A to move, and the game is finite. ∎
//!
//! **Corollary.** If B is to move and Φ + 1 > 2 D / (1 + D), with D the largest of all D(q), A
//! wins: a placement of B's on a contested point leaves Φ + 1 − 2 D / (1 + D) at least, one on a
//! free point Φ + 1, as in the proof.
//!
//! Weights are counted in sixtieths and rounded down, which keeps both inequalities of the proof.
//!
//! # Inferior placements
//!
//! **Theorem.** Let p and p' be contested points of side A, and let p exclude no contested point of
//! B that p' does not exclude. Then a placement on p' is at least as good for A as one on p,
//! whatever the rest of the sum. **Proof.** A position is at least as good for A as another if A
//! has more points there, or B fewer: each of A's placements in the poorer position and each of B's
//! in the richer one is one in the other position too, and leads to such a pair again, so A answers
//! all that B does in the difference of the two. Now let M be A's points but p and p', T those of
//! B, E and E' what p and p' exclude of T. After p', nothing that is left conflicts with p, as E ⊆
//! E', so the position is (M, T − E') + 1. After p it is (M + p', T − E), no better for A than (M +
//! p', T − E'); and nothing there conflicts with p', so that is (M, T − E') + 1 too. ∎
//!
//! So A leaves out p, and of several that exclude the same it keeps one. A game without dominated
//! options is equal to the game with them, so this holds in searches and in walls alike. (In
//! theorem 3 of `walls.rs`, A places on a point p of least weight. If p is left out, one that
//! excludes more is kept, has no smaller D, and so weighs no more.)
//!
//! `results/search/snort.md` has what each of these saves.

mod regions;
pub(in crate::solver::search) mod search;
mod shapes;
mod walls;

use crate::geometry::{MAX_POINTS, Symmetry};
use crate::material::symmetries;
use crate::position::Game;
use crate::solver::search::conflict::shapes::Shapes;
use crate::solver::search::field::{Field, bits};
use crate::solver::search::node::Node;

/// The weight of a free point: weights are counted in sixtieths.
pub(in crate::solver::search) const UNIT: i32 = 60;

/// A position: contested points of White and of Black, and the surplus of White's free points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver::search) struct Sum {
    pub(in crate::solver::search) sets: [u64; 2],
    pub(in crate::solver::search) surplus: i32,
}

/// Moves some points of a set by the same distance in the numbering of points.
struct Shift {
    from: u64,
    left: u32,
}

impl Shift {
    #[inline]
    fn of(&self, set: u64) -> u64 {
        (set & self.from).rotate_left(self.left)
    }
}

/// A game of fixed conflicts.
pub(in crate::solver::search) struct Conflicts {
    /// By side and point: the opponent's points that a placement there excludes.
    pub(in crate::solver::search) excluded: [[u64; MAX_POINTS]; 2],
    /// By side: the shifts from the point of an opposing pod to the neighbours where a pod of the
    /// side conflicts with it.
    steps: [Vec<Shift>; 2],
    /// By side: the directions in which a pod conflicts with opposing ones at any distance, by a
    /// leg of its own or of theirs.
    long: [u8; 2],
    pub(in crate::solver::search) images: Vec<Image>,
    pub(in crate::solver::search) shapes: Shapes,
    /// True if some of the images swap the colours.
    pub(in crate::solver::search) swaps: bool,
    /// The numbers of both sides' kinds, packed into one: part of every key, since kinds decide the
    /// conflicts.
    pub(in crate::solver::search) kinds: u64,
    pub(in crate::solver::search) field: Field,
}

/// A symmetry of the board that keeps the conflicts, as a table of images by byte of a set.
pub(in crate::solver::search) struct Image {
    bytes: Vec<[u64; 256]>,
    /// True if conflicts stay conflicts if the colours stay, and if they are swapped: at least one
    /// of both.
    pub(in crate::solver::search) kept: [bool; 2],
    /// By side: the points where a pod of that side does not conflict with an opposing pod on the
    /// image of the point. Empty unless the map swaps the colours and is its own inverse.
    apart: [u64; 2],
}

impl Image {
    pub(in crate::solver::search) fn of(&self, set: u64) -> u64 {
        self.bytes.iter().enumerate().fold(0, |image, (i, byte)| image | byte[(set >> (8 * i) & 0xff) as usize])
    }
}

impl Conflicts {
    /// Returns the conflicts of the game from a position on; `None` if it is not a game of fixed
    /// conflicts.
    pub(in crate::solver::search) fn new(game: &Game, field: &Field, root: &Node) -> Option<Conflicts> {
        if field.empty_hand_wins || field.liberty || root.open {
            return None;
        }
        let room = root.empty(field).count_ones();
        let mut kind = [0; 2];
        for side in [0, 1] {
            if root.kinds[side].count_ones() != 1 || u32::from(root.in_hand[side]) < room {
                return None;
            }
            kind[side] = root.kinds[side].trailing_zeros() as usize;
            let long = field.legs[side][kind[side]].long != 0 || root.beams[side].iter().any(|&set| set != 0);
            if long && !field.through {
                return None;
            }
        }
        let mut excluded = [[0; MAX_POINTS]; 2];
        for p in bits(field.points) {
            for side in [0, 1] {
                let reach = |of: usize, turn: usize| {
                    let legs = field.legs[of][kind[of]];
                    let short = bits(u64::from(legs.short)).fold(0, |set, d| set | field.near[d ^ turn][p]);
                    bits(u64::from(legs.long)).fold(short, |set, d| set | field.sight(d ^ turn, p, 0))
                };
                // What a pod here attacks, and from where an opposing pod attacks here.
                excluded[side][p] = 1 << p | reach(side, 0) | reach(1 - side, 4);
            }
        }
        let images = images(game, field, &excluded);
        let short = |side: usize| field.legs[side][kind[side]].short;
        let long = |side: usize| field.legs[side][kind[side]].long;
        let ways = |of: &dyn Fn(usize) -> u8, side: usize| of(side) | of(1 - side).rotate_left(4);
        let steps = [0, 1].map(|side| shifts(field, ways(&short, side)));
        let long = [0, 1].map(|side| ways(&long, side));
        let shapes = Shapes::new(game, field.points, &excluded);
        let swaps = images.iter().any(|image| image.kept[1]);
        let kinds = (kind[0] | kind[1] << 8) as u64;
        Some(Conflicts { excluded, steps, long, images, shapes, swaps, kinds, field: field.clone() })
    }

    /// Returns `true` if the mover wins by weighing.
    #[inline]
    pub(in crate::solver::search) fn outweighs(&self, sum: Sum, mover: usize) -> bool {
        let (m, t) = (sum.sets[mover].count_ones() as i32, sum.sets[1 - mover].count_ones() as i32);
        let lead = if mover == 0 { sum.surplus - t } else { -sum.surplus - t };
        lead + m > 0 && UNIT * lead + self.weigh(sum, mover).0 > 0
    }

    /// Returns `true` if the mover loses since the opponent wins by weighing after every placement.
    #[inline]
    pub(in crate::solver::search) fn is_outweighed(&self, sum: Sum, mover: usize) -> bool {
        let (m, t) = (sum.sets[1 - mover].count_ones() as i32, sum.sets[mover].count_ones() as i32);
        let lead = if mover == 0 { -sum.surplus - t } else { sum.surplus - t };
        if lead + m <= 0 {
            return false;
        }
        let (weight, most) = self.weigh(sum, 1 - mover);
        UNIT * (lead + 1) + weight > 2 * UNIT - 2 * UNIT / (1 + most)
    }

    /// Returns the weights of a side's contested points together, and the most of them that one
    /// placement excludes.
    #[inline]
    fn weigh(&self, sum: Sum, side: usize) -> (i32, i32) {
        let (mut weight, mut most) = (0, 0);
        self.weights(sum.sets, side, |count, number| {
            weight += count * (2 * UNIT / (1 + number));
            most = most.max(number);
        });
        (weight, most)
    }

    /// Calls `visit` with how many of a side's contested points have the same D, and with that D.
    #[inline]
    pub(in crate::solver::search) fn weights(&self, sets: [u64; 2], side: usize, mut visit: impl FnMut(i32, i32)) {
        let (mine, theirs) = (sets[side], sets[1 - side]);
        let mut left = mine;
        if self.long[0] | self.long[1] != 0 {
            let mut excludes = [0; MAX_POINTS];
            for q in bits(theirs) {
                excludes[q] = (self.excluded[1 - side][q] & mine).count_ones() as i32;
            }
            let of = |p: usize| bits(self.excluded[side][p] & theirs).map(|q| excludes[q]).max().unwrap_or(1);
            bits(mine).for_each(|p| visit(1, of(p)));
            return;
        }
        // By point, how many of `mine` a placement there would exclude, bit-sliced: set i holds bit
        // i of every point's count.
        let mut digits = [0_u64; 4];
        let mut count = |mut carry: u64| {
            for digit in &mut digits {
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
        };
        count(mine);
        for shift in &self.steps[1 - side] {
            count(shift.of(mine));
        }
        let highest = if digits[3] & theirs != 0 {
            9
        } else if digits[2] & theirs != 0 {
            7
        } else {
            3
        };
        for number in (1..=highest).rev() {
            if left == 0 {
                break;
            }
            let at = (0..4).fold(theirs, |at, i| at & if number >> i & 1 == 1 { digits[i] } else { !digits[i] });
            if at == 0 {
                continue;
            }
            let met = self.met(side, at);
            visit((left & met).count_ones() as i32, number);
            left &= !met;
        }
    }

    /// Returns the contested points of a side on which placements are not inferior to others.
    pub(in crate::solver::search) fn superior(&self, sets: [u64; 2], side: usize) -> u64 {
        let mut kept = sets[side];
        for p in bits(sets[side]) {
            // Who excludes a point is excluded from there.
            let taken = bits(self.excluded[side][p] & sets[1 - side]);
            let mut others = kept & !(1 << p);
            for q in taken {
                others &= self.excluded[1 - side][q];
            }
            if others != 0 {
                kept &= !(1 << p);
            }
        }
        kept
    }

    /// Returns the position after a placement of a side on a contested point.
    #[inline]
    pub(in crate::solver::search) fn after(&self, sum: Sum, side: usize, point: usize) -> Sum {
        let mut sets = sum.sets;
        sets[side] &= !(1 << point);
        sets[1 - side] &= !self.excluded[side][point];
        self.contested(sets, sum.surplus)
    }

    /// Returns the region of the first white point.
    #[inline]
    pub(in crate::solver::search) fn region(&self, sets: [u64; 2]) -> [u64; 2] {
        let mut region = [sets[0] & sets[0].wrapping_neg(), 0];
        loop {
            let black = self.met(1, region[0]) & sets[1];
            let white = region[0] | self.met(0, black) & sets[0];
            if [white, black] == region {
                return region;
            }
            region = [white, black];
        }
    }

    /// Returns `true` if the mover loses since the opponent can mirror.
    pub(in crate::solver::search) fn mirrored(&self, sum: Sum, mover: usize) -> bool {
        let (mine, theirs) = (sum.sets[mover], sum.sets[1 - mover]);
        let surplus = if mover == 0 { sum.surplus } else { -sum.surplus };
        surplus <= 0
            && mine.count_ones() <= theirs.count_ones()
            && self.images.iter().any(|image| mine & !image.apart[mover] == 0 && image.of(mine) & !theirs == 0)
    }

    /// Returns the points from which a side's pod would conflict with one of the opponent's on a
    /// point of a set.
    #[inline]
    pub(in crate::solver::search) fn met(&self, side: usize, set: u64) -> u64 {
        let near = self.steps[side].iter().fold(set, |met, shift| met | shift.of(set));
        if self.long[side] == 0 {
            return near;
        }
        // From p in direction d lies a point of the set: from that, p lies in the opposite
        // direction.
        bits(u64::from(self.long[side])).fold(near, |met, d| met | self.field.lines.run_into(d, set, self.field.points))
    }

    /// Returns the sum of two sets and a surplus: free points go into the surplus.
    #[inline]
    pub(in crate::solver::search) fn contested(&self, sets: [u64; 2], surplus: i32) -> Sum {
        let contested = [sets[0] & self.met(0, sets[1]), sets[1] & self.met(1, sets[0])];
        let free = |side: usize| (sets[side] & !contested[side]).count_ones() as i32;
        Sum { sets: contested, surplus: surplus + free(0) - free(1) }
    }
}

/// Returns the shifts from a set to all points from which a step in one of the directions leads
/// into it. Each pair of neighbours is in one shift.
fn shifts(field: &Field, directions: u8) -> Vec<Shift> {
    let mut shifts: Vec<Shift> = Vec::new();
    for d in bits(u64::from(directions)) {
        for p in bits(field.joined[d]) {
            let there = field.near[d][p].trailing_zeros();
            let left = (p as u32 + 64 - there) % 64;
            match shifts.iter_mut().find(|shift| shift.left == left) {
                Some(shift) => shift.from |= 1 << there,
                None => shifts.push(Shift { from: 1 << there, left }),
            }
        }
    }
    shifts
}

/// Returns the symmetries of the board under which conflicts stay conflicts; the identity only if
/// the colours may be swapped.
fn images(game: &Game, field: &Field, excluded: &[[u64; MAX_POINTS]; 2]) -> Vec<Image> {
    let bytes = (u64::BITS - field.points.leading_zeros()).div_ceil(8) as usize;
    let mut images = Vec::new();
    for symmetry in symmetries(game.board()) {
        let twin = |p: usize| symmetry.points[p].index();
        let map = |set: u64| bits(set).fold(0, |image, p| image | 1_u64 << twin(p));
        let kept = [0, 1].map(|swap| {
            let kept =
                |side: usize| bits(field.points).all(|p| map(excluded[side][p]) == excluded[side ^ swap][twin(p)]);
            kept(0) && kept(1)
        });
        if kept == [false; 2] || symmetry.symmetry == Symmetry::IDENTITY && !kept[1] {
            continue;
        }
        let byte = |i: usize| std::array::from_fn(|b| map((b as u64) << (8 * i) & field.points));
        let inverse = bits(field.points).all(|p| twin(twin(p)) == p);
        let apart = [0, 1].map(|side: usize| {
            let apart = |p: &usize| kept[1] && inverse && excluded[side][*p] >> twin(*p) & 1 == 0;
            bits(field.points).filter(apart).fold(0, |set, p| set | 1 << p)
        });
        images.push(Image { bytes: (0..bytes).map(byte).collect(), kept, apart });
    }
    images
}

#[cfg(test)]
pub(in crate::solver::search) mod tests;
