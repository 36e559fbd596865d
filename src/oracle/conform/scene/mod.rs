//! Positions made for one purpose: lanes of points for legs, runs, chains and slides; small crowded
//! boards for liberties, captures and the end of a game; wide boards and large hands; long games.

mod crowd;
mod draft;
mod lane;
mod long_game;
mod wide;

pub(super) use draft::Draft;
pub(super) use long_game::long_game;
pub(super) use wide::{crossing, wide};

use rand_pcg::Pcg64;

use super::misreading::{Length, Misreading, Wrong};
use crate::oracle::draw::below;
use crate::rules::Clause;

/// Returns a draft of a position about which `misreading` may answer wrongly. `turn` counts the
/// attempts; the lengths in the draft take turns with it.
pub(super) fn scene(misreading: Misreading, turn: usize, random: &mut Pcg64) -> Draft {
    use Wrong::*;
    let mut draft = match misreading {
        Misreading::AtMost(length, most) => match (length, longer(most, turn)) {
            (Length::AttackReach, length) => lane::attack(length, random),
            (Length::MoveReach, length) => lane::movement(length, random),
            (Length::ChainAtMost, length) => lane::shove(0, length, random),
            (Length::RunAtMost, length) => lane::shove(length, 1 + below(random, 3), random),
            (Length::KickAtMost, length) => lane::kick(length, random),
            (Length::SavingChain, length) => lane::saved(length, random),
            (Length::LongGame, _) => crowd::crowd(random),
        },
        Misreading::Option(..) => match misreading.clause() {
            Clause::R5 => lane::attack(2 + turn % 7, random),
            Clause::R9 => crowd::opening(random),
            Clause::R22 if turn.is_multiple_of(2) => lane::shove(below(random, 3), 1 + turn / 2 % 8, random),
            Clause::R22 => lane::kick(1 + turn / 2 % 8, random),
            Clause::R23 => lane::shove(1 + turn % 7, 1 + below(random, 4), random),
            Clause::R24 => lane::kick(2 + turn % 7, random),
            Clause::R27 => lane::saved(1 + turn % 4, random),
            _ => crowd::crowd(random),
        },
        Misreading::Of(wrong) => match wrong {
            StopsBefore | ThroughFriends | ThroughFoes | AttackOverGaps | FirstLegAttacks | MutualOnly | MayAttack
            | MayBeAttacked | FriendsForbid | FriendsAttack
                if !turn.is_multiple_of(4) =>
            {
                lane::attack(1 + turn % 8, random)
            }
            LinesStay if !turn.is_multiple_of(4) => lane::cut(1 + turn % 4, random),
            Jumps | MovesOverGaps | ToTheEnd | AttacksBindMoves | TakesByMoving if !turn.is_multiple_of(4) => {
                lane::movement(1 + turn % 8, random)
            }
            OwnNotShoved | FoesNotShoved | LastStepUnjoined | ChainUnjoined | PushedOff | PushedNeedsLeg
            | BlockedDoesNotPush | PushedSpared | NoCaptureAfterPush | PushesDoNotCount
                if !turn.is_multiple_of(4) =>
            {
                lane::shove(below(random, 3), 1 + turn % 8, random)
            }
            ShortKicks | KickAfterRun | KickUnjoined | KickPastPods | KickOverHoles | KickNeedsLines | KickFarthest
            | KickSparesEdge | OwnNotKicked | FoesNotKicked | ListedTwice | ListedAsKick
                if !turn.is_multiple_of(4) =>
            {
                lane::kick(1 + turn % 8, random)
            }
            KicksDoNotSave | SavesMoverOnly if !turn.is_multiple_of(4) => lane::saved(1 + turn % 3, random),
            OpeningIsFree | OpeningNeedsLiberty | OpeningStays | OneLegOpens | MoreLegsOpen | AnswerOpens
            | OpenMoves | EmptyBoardOpens | BlackOpensFreely | OpenWithPods => crowd::opening(random),
            KindUsedUp | HandKept | NotHeld if turn.is_multiple_of(2) => crowd::rich(random),
            _ => crowd::crowd(random),
        },
    };
    if below(random, 5) == 0 {
        draft.displace(random);
    }
    draft
}

/// Returns a length above the limit `most`, by 1 or 2; every fifth turn, the limit itself.
fn longer(most: u16, turn: usize) -> usize {
    most as usize + [1, 1, 2, 1, 0][turn % 5]
}
