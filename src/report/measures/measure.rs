//! The measures by name: the one list that rows, docs and tests go by.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::files::Cell;

/// Defines the measures with their names in reports, which are those of their variants.
macro_rules! measures {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// A measure of play. A decision is a position of a game that is not over.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Measure {
            $($(#[$doc])+ $name,)+
        }

        impl Measure {
            /// All measures, in the order of reports.
            pub const ALL: &[Measure] = &[$(Measure::$name),+];

            /// Returns the name, as in reports.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Measure::$name => stringify!($name),)+
                }
            }
        }
    };
}

measures! {
    /// Share of the games that the side that starts wins.
    AdvantageP1,
    /// Share of the games that nobody has won at the horizon, or that repetition ends.
    Drawishness,
    /// Plies of a finished game.
    GameLength,
    /// Standard deviation of these.
    GameLengthDeviation,
    /// Median of these.
    GameLengthMedian,
    /// Share of the games that go on to this ply.
    Ongoing,
    /// Share of the decisions that are won for the side to move.
    Won,
    /// Share that are drawn.
    Drawn,
    /// Share that are lost.
    Lost,
    /// Plies to the end with best play, of decisions that are won or lost (R33).
    Distance,
    /// Legal actions of a decision.
    BranchingFactor,
    /// Actions of a decision that win.
    WinningActions,
    /// Share of the decisions, of those that are not lost and have a choice, in which one action
    /// alone keeps the outcome.
    OnlyAction,
    /// Share of the actions that give the outcome away, on average over the decisions that are not
    /// lost.
    LosingActions,
    /// Share of the decisions in which some action wins at once.
    DecisiveAction,
    /// Share of the points that are held at a decision.
    BoardSitesOccupied,
    /// Share of the points on which a pod stood in the course of a finished game.
    BoardCoverage,
    /// Plies of a game after which someone else wins with best play than before, or nobody; by ply,
    /// the share of the games that go on in which this ply is one.
    LeadChange,
    /// Decisions of a finished game that are lost for the later winner.
    Drama,
    /// Plies to the end with best play, of those decisions.
    DramaDistance,
    /// Share of the finished games that have such a decision.
    Comeback,
    /// Decisions at the end of a finished game, all of them won for the later winner: so many plies
    /// before the end, an ideal observer knows who wins for good.
    KnownBeforeEnd,
    /// Pods of either side that leave a game by captures (R18).
    Captures,
    /// Pods that come back to hand by captures (R18).
    Returns,
    /// Actions of a game that end on the point of the item.
    PointUse,
    /// Score after an action that ends on the point of the item, less the mean score after all
    /// actions of the decision; 1, ½ and 0 for an action that wins, draws and loses.
    PointGain,
    /// The same for placements of the pod of the item.
    PodGain,
    /// Score of the owner from the start with White to move, less that score without one pod of
    /// the item in the owner's hand.
    PodRemoved,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl Cell for Measure {
    fn kind() -> String {
        String::kind()
    }

    fn cell(&self) -> String {
        self.name().to_owned()
    }
}
