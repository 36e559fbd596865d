//! The clauses of the rules, by number.

use std::fmt;

macro_rules! clauses {
    ($($clause:ident $number:literal $title:literal;)*) => {
        /// A numbered clause of the rules that this program implements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Clause {
            $(#[doc = $title] $clause = $number,)*
        }

        impl Clause {
            /// All clauses by number.
            pub const ALL: &[Clause] = &[$(Clause::$clause),*];

            /// Returns the subject of the clause, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Clause::$clause => $title,)* }
            }
        }
    };
}

clauses! {
    R1 1 "points and lines";
    R2 2 "orientation of the board";
    R3 3 "pods and hands";
    R4 4 "pods face their owners";
    R5 5 "reach of a leg";
    R6 6 "attack";
    R7 7 "liberty";
    R8 8 "White first, no pass";
    R9 9 "the opening places a bipod";
    R10 10 "a placement goes from hand to an empty point";
    R11 11 "a placed pod may not attack";
    R12 12 "a placed pod may not be attacked";
    R13 13 "a placed pod needs a liberty";
    R14 14 "the Standard game only places";
    R15 15 "who cannot place loses";
    R16 16 "what an empty hand means";
    R17 17 "moves";
    R18 18 "captures";
    R19 19 "an emptied hand wins";
    R20 20 "who cannot act loses";
    R21 21 "endless play is a draw";
    R22 22 "shoves";
    R23 23 "a long leg may run, then shove";
    R24 24 "kicks";
    R25 25 "a kick that is the same as a shove";
    R26 26 "placements neither shove nor kick";
    R27 27 "captures after shoves and kicks";
    R28 28 "shoves and kicks are actions";
    R29 29 "a position is consistent";
    R30 30 "empty hands in a set position";
    R31 31 "blocked pods in a set position";
    R32 32 "the opening flag";
    R33 33 "values and distances";
    R34 34 "first-player advantage";
}

impl Clause {
    /// Returns the clauses that a text cites, each once, in the order of the text.
    ///
    /// ```
    /// use pods::rules::Clause;
    /// assert_eq!(Clause::cited_in("back to hand (R7, R18), see R7"), [Clause::R7, Clause::R18]);
    /// ```
    #[must_use]
    pub fn cited_in(text: &str) -> Vec<Clause> {
        let mut cited: Vec<Clause> = Vec::new();
        for clause in text.split(|c: char| !c.is_alphanumeric()).filter_map(|word| word.parse().ok()) {
            if !cited.contains(&clause) {
                cited.push(clause);
            }
        }
        cited
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{}", *self as u8)
    }
}

/// A text that is not the number of a clause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no clause: clauses are R1 to R{last}", last = Clause::ALL.len())]
pub struct NoClause(pub String);

impl std::str::FromStr for Clause {
    type Err = NoClause;

    fn from_str(text: &str) -> Result<Clause, NoClause> {
        Clause::ALL.iter().copied().find(|clause| clause.to_string() == text).ok_or_else(|| NoClause(text.to_owned()))
    }
}
