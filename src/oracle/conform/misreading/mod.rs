//! Wrong readings of the rules, one at a time. They make certain that a question tests a clause.
//!
//! A question is *decided* by a clause if a program that reads the clause wrongly answers
//! otherwise. [`Misreader`] is such a program: the rules once more, plain and slow, with one
//! [`Misreading`] built in. Questions are made until enough of them are decided by each misreading;
//! and where a program differs, the misreadings that give its answer name the clause.

mod captures;
mod engine;
mod moves;
mod placements;

pub use engine::Misreader;

use std::fmt;

use crate::rules::{Captures, Clause, EmptyHand, Opening, Options, RULE_OPTIONS, RuleOption};

/// One wrong reading of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Misreading {
    /// An option is read as if it had another value.
    Option(&'static str, &'static str),
    /// A length is limited to this number.
    AtMost(Length, u16),
    /// Any other.
    Of(Wrong),
}

macro_rules! misread {
    ($about:literal enum $enum:ident { $($name:ident $clause:ident $says:literal, $applies:expr;)* }) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $enum {
            $(#[doc = $says] $name,)*
        }

        impl $enum {
            pub(crate) const ALL: &[$enum] = &[$($enum::$name),*];

            const fn clause(self) -> Clause {
                match self { $($enum::$name => Clause::$clause,)* }
            }

            const fn says(self) -> &'static str {
                match self { $($enum::$name => $says,)* }
            }

            fn applies(self, options: &Options) -> bool {
                let applies: fn(&Options) -> bool = match self { $($enum::$name => $applies,)* };
                applies(options)
            }
        }
    };
}

const ALWAYS: fn(&Options) -> bool = |_| true;
const MOVES: fn(&Options) -> bool = |o| o.moves;
const STANDARD: fn(&Options) -> bool = |o| !o.moves;
const PUSHES: fn(&Options) -> bool = Options::pushes;
const LIBERTY: fn(&Options) -> bool = |o| o.placement_liberty;
const CAPTURES: fn(&Options) -> bool = |o| o.captures == Captures::EveryTurn || captures_moves(o);
const LIBERTIES: fn(&Options) -> bool = |o| LIBERTY(o) || CAPTURES(o);
const PUSH_CAPTURES: fn(&Options) -> bool = |o| PUSHES(o) && o.captures != Captures::Never;
const SAVES: fn(&Options) -> bool = |o| PUSH_CAPTURES(o) && o.shove_liberty;
const BIPOD: fn(&Options) -> bool = |o| o.opening == Opening::Bipod;
const WINS: fn(&Options) -> bool = |o| o.empty_hand == EmptyHand::Wins;
const PLACED: fn(&Options) -> bool = |o| o.captures == Captures::EveryTurn;
const EMPTIED: fn(&Options) -> bool = |o| o.moves && WINS(o) && PLACED(o);
const MOVED: fn(&Options) -> bool = |o| o.moves && CAPTURES(o);

fn captures_moves(options: &Options) -> bool {
    options.captures == Captures::AfterMoves && options.moves
}

misread! { "The lengths that are read as limited; `#` stands for the number." enum Length {
    AttackReach R5 "a long leg attacks at most # points", ALWAYS;
    MoveReach R17 "a long leg moves by at most # points", MOVES;
    ChainAtMost R22 "a shove pushes at most # pods", PUSHES;
    RunAtMost R23 "a long leg runs over at most # points before a shove", |o| PUSHES(o) && o.shove_after_run;
    KickAtMost R24 "a kicked pod slides by at most # points", PUSHES;
    SavingChain R27 "a shove of more than # pods does not save from capture", SAVES;
    LongGame R21 "a game ends after # plies", MOVES;
} }

misread! { "The misreadings without a number, by clause." enum Wrong {
    UnjoinedIsJoined R1 "neighbours are connected without a line", ALWAYS;
    OneWay R1 "a line works in one direction only", ALWAYS;
    NoDiagonals R1 "diagonal lines are left out", ALWAYS;
    HalfTurned R2 "Black's turns are looked up on the board turned by 180°, if its points allow that", ALWAYS;
    AllShort R3 "long legs are read as short", ALWAYS;
    AllLong R3 "short legs are read as long", ALWAYS;
    NotTurned R4 "Black's legs are not turned", ALWAYS;
    Flipped R4 "Black's legs are turned over, left and right kept", ALWAYS;
    StopsBefore R5 "a long leg stops before the first occupied point", |o| !o.attack_through;
    ThroughFriends R5 "a long leg attacks past friends", |o| !o.attack_through;
    ThroughFoes R5 "a long leg attacks past foes", |o| !o.attack_through;
    AttackOverGaps R5 "a long leg attacks over missing lines", ALWAYS;
    LinesStay R5 "a placement does not cut the lines of its own side before the next turn", ALWAYS;
    FirstLegAttacks R6 "only a pod's first leg attacks", ALWAYS;
    BlockedAttacksNothing R6 "a blocked pod attacks nothing", ALWAYS;
    UnjoinedIsLiberty R7 "an empty neighbour without a line is a liberty", LIBERTIES;
    LegNotNeeded R7 "a liberty needs no leg", LIBERTIES;
    FriendIsLiberty R7 "a point that a friend holds is a liberty", LIBERTIES;
    FoeIsLiberty R7 "a point that a foe holds is a liberty", LIBERTIES;
    FarIsLiberty R7 "a long leg has a liberty anywhere on its line", LIBERTIES;
    ShortLibertiesOnly R7 "long legs have no liberties", LIBERTIES;
    LeftIsFree R7 "the point that a pod has left is its liberty, whatever its legs", MOVED;
    WhiteNext R8 "it is always White's turn", ALWAYS;
    TakerAgain R8 "who takes a foe has another turn", MOVED;
    OneLegOpens R9 "a pod with one leg opens too", BIPOD;
    MoreLegsOpen R9 "a pod with more than two legs opens too", BIPOD;
    AnswerOpens R9 "the opening binds the answer too", BIPOD;
    OpenMoves R9 "an opening may move a pod instead", |o| BIPOD(o) && o.moves;
    OntoPods R10 "a placement may take an occupied point", ALWAYS;
    HandKept R10 "a placed pod stays in hand too", ALWAYS;
    KindUsedUp R10 "with one pod all of its kind leave the hand", ALWAYS;
    NotHeld R10 "a pod that is not in hand may be placed", ALWAYS;
    MayAttack R11 "a placed pod may attack", ALWAYS;
    FriendsForbid R11 "a placed pod may not attack friends either", ALWAYS;
    MayBeAttacked R12 "a placed pod may be attacked", ALWAYS;
    MutualOnly R12 "a placement is illegal only if both pods attack each other", ALWAYS;
    LastLiberty R12 "a placement may take a foe's last liberty", ALWAYS;
    FriendsAttack R12 "a placed pod may not be attacked by friends either", ALWAYS;
    NoFriendBlocked R13 "a placement may not block a friend", LIBERTY;
    NoPodBlocked R13 "a placement may not leave any pod blocked", LIBERTY;
    OpeningIsFree R13 "the opening needs no liberty", |o| BIPOD(o) && LIBERTY(o);
    OpeningNeedsLiberty R13 "the opening always needs a liberty", |o| BIPOD(o) && !LIBERTY(o);
    StuckGoesOn R15 "a player who cannot place has not lost", STANDARD;
    StuckWins R15 "a player who cannot place has won", STANDARD;
    OtherStuck R15 "a player who cannot place loses even when it is not that player's turn", STANDARD;
    BothStuck R15 "if both cannot place, the player who has just acted loses", STANDARD;
    OnlyBothStuck R15 "only if both cannot place has one of them lost", STANDARD;
    Jumps R17 "a long leg moves past pods", MOVES;
    MovesOverGaps R17 "a move needs no line", MOVES;
    ToTheEnd R17 "a long leg must move as far as it can", MOVES;
    AttacksBindMoves R17 "a moved pod may neither attack nor be attacked", MOVES;
    TakesByMoving R17 "a move may end on a foe, which is out", MOVES;
    OneByOne R18 "blocked pods are taken off one after the other", CAPTURES;
    OwnOut R18 "the mover's blocked pods are out of the game", CAPTURES;
    FoesReturn R18 "the opponent's blocked pods go back to the opponent's hand", MOVED;
    FoesToMover R18 "the opponent's blocked pods go to the mover's hand", MOVED;
    ActorSpared R18 "the acting pod is not captured", CAPTURES;
    MoverSpared R18 "a pod that has moved is not captured", |o| o.moves && PLACED(o);
    PlacedAlone R18 "after a placement only the placed pod is captured", PLACED;
    OpeningStays R18 "nothing is captured after the opening", |o| BIPOD(o) && PLACED(o) && !LIBERTY(o);
    LeftIsTaken R18 "the point that a pod has left counts as occupied for captures", MOVED;
    OnlyFoes R18 "only the opponent's pods are captured", CAPTURES;
    FoesFirst R18 "the opponent's blocked pods go first, which may save the mover's", MOVED;
    BeforeCaptures R19 "a hand that empties wins before captures give pods back", EMPTIED;
    EmptiedWins R19 "a hand that empties wins though captures give pods back", EMPTIED;
    EmptiedStays R19 "a hand that empties stays empty, whatever comes back", EMPTIED;
    EmptyGoesOn R19 "a hand that empties does not win at once", |o| o.moves && WINS(o);
    MovelessGoesOn R20 "a player who cannot act has not lost", MOVES;
    MovelessWins R20 "a player who cannot act has won", MOVES;
    OtherMoveless R20 "a player who cannot act loses even when it is not that player's turn", MOVES;
    BothMoveless R20 "if both cannot act, the player who has just acted loses", MOVES;
    OnlyBothMoveless R20 "only if both cannot act has one of them lost", MOVES;
    PlacementNeeded R20 "a player who can move but not place has lost", MOVES;
    Repetition R21 "a position that comes up for the third time ends the game", MOVES;
    OwnNotShoved R22 "friends are not shoved", PUSHES;
    FoesNotShoved R22 "foes are not shoved", PUSHES;
    LastStepUnjoined R22 "the last pushed pod needs no line", PUSHES;
    ChainUnjoined R22 "pods are pushed over missing lines", PUSHES;
    PushedOff R22 "a pod may be pushed off the board", PUSHES;
    BlockedDoesNotPush R22 "a blocked pod neither shoves nor kicks", PUSHES;
    ShortKicks R24 "a short leg kicks too", PUSHES;
    KickAfterRun R24 "a kick may follow a run", PUSHES;
    KickUnjoined R24 "a kick needs no line to the kicked pod", PUSHES;
    KickPastPods R24 "a kicked pod slides past pods", PUSHES;
    KickOverHoles R24 "a kicked pod slides over holes", PUSHES;
    KickNeedsLines R24 "every step of a kick needs a line", PUSHES;
    KickFarthest R24 "a kicked pod slides as far as it can", PUSHES;
    KickSparesEdge R24 "a kicked pod does not come to rest at the edge", PUSHES;
    OwnNotKicked R24 "friends are not kicked", PUSHES;
    FoesNotKicked R24 "foes are not kicked", PUSHES;
    ListedTwice R25 "a kick of one point along a line is listed besides the shove", PUSHES;
    ListedAsKick R25 "a kick of one point along a line is listed instead of the shove", PUSHES;
    PlacementShoves R26 "a placement may shove what stands on the point", PUSHES;
    PushedNeedsLeg R26 "a pushed pod needs a leg in that direction", PUSHES;
    NoCaptureAfterPush R27 "nothing is captured after a shove or a kick", PUSH_CAPTURES;
    PushedSpared R27 "pushed pods are not captured", PUSH_CAPTURES;
    KicksDoNotSave R27 "a kick of its own does not save a pod", SAVES;
    SavesMoverOnly R27 "a shove of its own saves the mover's pods only", SAVES;
    SavedPlacement R27 "a shove of its own counts for the liberty of a placed pod too",
        |o| PUSHES(o) && o.shove_liberty && o.placement_liberty;
    PushesDoNotCount R28 "a player who can only shove or kick has lost", PUSHES;
    MoverFirst R30 "the hand of the player to move is asked first", WINS;
    MoverNotAsked R30 "the hand of the player to move is not asked", WINS;
    OtherNotAsked R30 "the hand of the player who is not to move is not asked", WINS;
    CapturedAtOnce R31 "pods that are set up blocked come off before the action", CAPTURES;
    BlockedStays R31 "pods that are set up blocked stay", CAPTURES;
    FreedTaken R31 "a pod that was set up blocked is captured though the action frees it", CAPTURES;
    EmptyBoardOpens R32 "an empty board is an opening, whatever the flag says", BIPOD;
    BlackOpensFreely R32 "the flag does not bind Black", BIPOD;
    OpenWithPods R32 "the flag does not bind once pods are on the board", BIPOD;
} }

/// The longest run, chain and slide that is asked about; chains are one pod longer.
const LONGEST: u16 = 7;

impl Misreading {
    /// Returns every misreading.
    pub fn all() -> impl Iterator<Item = Misreading> {
        let options = RULE_OPTIONS
            .iter()
            .flat_map(|option| option.values.iter().map(|&value| Misreading::Option(option.name, value)));
        let at_most = |most| move |&length: &Length| Misreading::AtMost(length, most);
        let lengths = (1..=LONGEST).flat_map(move |most| Length::ALL[..5].iter().map(at_most(most)));
        let saving = (1..4).map(|most| Misreading::AtMost(Length::SavingChain, most));
        let games = [50, 100].map(|plies| Misreading::AtMost(Length::LongGame, plies));
        options.chain(lengths).chain(saving).chain(games).chain(Wrong::ALL.iter().map(|&wrong| Misreading::Of(wrong)))
    }

    /// Returns the clause that is read wrongly.
    #[must_use]
    pub fn clause(self) -> Clause {
        match self {
            Misreading::Option("moves", "on") => Clause::R14,
            Misreading::Option(name, _) => RuleOption::named(name).map_or(Clause::R1, |option| option.clause),
            Misreading::AtMost(length, _) => length.clause(),
            Misreading::Of(wrong) => wrong.clause(),
        }
    }

    /// Returns `true` if it can make a difference under these options, and one that concerns its
    /// clause.
    pub(crate) fn is_about_clause(self, options: &Options) -> bool {
        let clause_applies = match self {
            Misreading::Option(name, _) => RuleOption::named(name).is_some_and(|option| (option.binds)(options)),
            _ => true,
        };
        clause_applies && self.applies(options)
    }

    /// Returns `true` if it can make a difference under these options.
    pub(crate) fn applies(self, options: &Options) -> bool {
        match self {
            Misreading::Option(name, value) => RuleOption::named(name)
                .is_some_and(|option| option.value(options) != value && (option.matters)(options, value)),
            Misreading::AtMost(length, _) => length.applies(options),
            Misreading::Of(wrong) => wrong.applies(options),
        }
    }
}

impl fmt::Display for Misreading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Misreading::Option(name, value) => write!(f, "{name} is read as {value}"),
            Misreading::AtMost(length, most) => {
                let text = length.says().replace('#', &most.to_string());
                f.write_str(&if most == 1 { text.replace("points", "point").replace("pods", "pod") } else { text })
            }
            Misreading::Of(wrong) => f.write_str(wrong.says()),
        }
    }
}
