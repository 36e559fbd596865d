//! Positions that counting alone decides.
//!
//! Say the mover can make at least m placements and at most M, whatever the opponent does, and the
//! opponent at least n and at most N ([`super::bounds`] finds the four numbers).
//!
//! **If an empty hand loses** (R15, R16): the mover places m times and more if need be; the
//! opponent is stuck after at most N placements of its own, and is the first to be so if m > N.
//! Likewise the mover is stuck first if n ≥ M.
//!
//! **If an empty hand wins** (R16): the same, provided the one who is to be stuck cannot win by
//! placing its whole hand: N, or M, is smaller than its hand. Further, the mover wins if it can
//! surely place its whole hand and that hand is no larger than the opponent's; the opponent wins if
//! it can surely place its whole hand and that hand is smaller than the mover's. The other side is
//! too late with its own hand, or stuck even before.

use super::bounds::{Lives, most, surely};
use super::field::Field;
use super::node::{Node, Used, placements};

/// Returns `true` if the mover of an unfinished position wins, and what its winner uses; `None` if
/// counting does not tell.
pub(super) fn decided(field: &Field, node: &Node, lives: &Lives) -> Option<(bool, Used)> {
    if node.open {
        // The opening clause (R9) may forbid the placements that were counted.
        return None;
    }
    let (mover, foe) = (node.mover as usize, 1 - node.mover as usize);
    let passes = [mover, foe].map(|side| if node.has_ghosts(side) { u32::from(node.passes) } else { 0 });
    if lives.pairs[foe].any == 0 && passes[1] == 0 {
        // The opponent never places again, and does not win by an empty hand, as the position is
        // not over: the mover's next placement or pass wins.
        let mut used = if field.empty_hand_wins { Used::ALL } else { Used::NONE };
        placements(&lives.open[mover]).take(usize::from(passes[0] == 0)).for_each(|placement| used.add(placement));
        return Some((true, used));
    }
    let pods = [u32::from(node.in_hand[0]), u32::from(node.in_hand[1])];
    let wins = field.empty_hand_wins;
    // No side has more safe pairs than points where the opponent never comes: what is cheap to
    // count goes first.
    let at_most = |side: usize| (lives.open[side].any & !lives.pairs[1 - side].any).count_ones().min(pods[side]);
    let m_cheap = (at_most(mover) + 1).min(pods[mover]) + passes[0];
    let n_most = most(&lives.pairs[foe], node, foe, m_cheap + 1) + passes[1];
    if m_cheap > n_most || wins && m_cheap >= pods[mover] && pods[mover] <= pods[foe] {
        // Of the n_most + 1 placements that are enough, one may be the extra placement, which need
        // not be safe.
        let least = if wins { 0 } else { n_most.saturating_sub(passes[0]) };
        let safe = lives.safe(field, node, mover, least);
        let sure = surely(field, &safe, Some(&lives.open[mover]), &lives.pairs[foe], node, mover, least);
        let m = sure.count() + passes[0];
        if m > n_most && (!wins || n_most < pods[foe]) || wins && m >= pods[mover] && pods[mover] <= pods[foe] {
            let used = if wins { Used::ALL } else { sure.used((n_most + 1).saturating_sub(passes[0])) };
            return Some((true, used));
        }
    }
    let n_cheap = at_most(foe) + passes[1];
    let m_most = most(&lives.pairs[mover], node, mover, n_cheap + 1) + passes[0];
    if n_cheap >= m_most || wins && n_cheap >= pods[foe] && pods[foe] < pods[mover] {
        let least = if wins { 0 } else { m_most.saturating_sub(passes[1]) };
        let safe = lives.safe(field, node, foe, least);
        let sure = surely(field, &safe, None, &lives.pairs[mover], node, foe, least);
        let n = sure.count() + passes[1];
        if n >= m_most && (!wins || m_most < pods[mover]) || wins && n >= pods[foe] && pods[foe] < pods[mover] {
            let used = if wins { Used::ALL } else { sure.used(m_most.saturating_sub(passes[1])) };
            return Some((false, used));
        }
    }
    None
}
