//! Sides, legs, pods and pod sets (R3, R4).

use std::fmt;

use crate::files::shortened;
use crate::geometry::{Direction, DirectionSet, NameError};

/// A player, and the owner of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Sits at the south side and moves first (R4, R8).
    White,
    /// Sits at the north side.
    Black,
}

impl Side {
    /// White, then Black.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// Returns the opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// Returns 0 for White, 1 for Black.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl std::str::FromStr for Side {
    type Err = NameError;

    /// Reads `white` or `black`, capitalized or not.
    fn from_str(name: &str) -> Result<Side, NameError> {
        match name {
            "white" | "White" => Ok(Side::White),
            "black" | "Black" => Ok(Side::Black),
            _ => Err(NameError::new(name, "side: white or black")),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

/// Reach of a leg (R5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// To the connected neighbour.
    Short,
    /// Along the straight line of connected points.
    Long,
}

/// One leg of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Leg {
    /// Direction of the leg.
    pub direction: Direction,
    /// Reach of the leg.
    pub reach: Reach,
}

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reach {
            Reach::Short => write!(f, "{}", self.direction),
            Reach::Long => write!(f, "{}", self.direction.name().to_uppercase()),
        }
    }
}

/// The legs of a pod: 1 to 8, at most one per direction (R3).
///
/// ```
/// use pods::material::{Legs, Side};
/// let legs: Legs = "n SE".parse().unwrap();
/// assert_eq!(legs.on_board(Side::Black).to_string(), "s NW"); // Black's pods face the other way (R4)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Legs {
    short: DirectionSet,
    long: DirectionSet,
}

impl Legs {
    /// Returns these legs; `None` if there is none, or two point the same way (R3).
    #[must_use]
    pub fn new(legs: impl IntoIterator<Item = Leg>) -> Option<Legs> {
        let (mut short, mut long, mut all) = (DirectionSet::EMPTY, DirectionSet::EMPTY, DirectionSet::EMPTY);
        for leg in legs {
            if !all.insert(leg.direction) {
                return None;
            }
            match leg.reach {
                Reach::Short => short.insert(leg.direction),
                Reach::Long => long.insert(leg.direction),
            };
        }
        (!all.is_empty()).then_some(Legs { short, long })
    }

    /// Returns the directions of the short legs.
    #[must_use]
    pub const fn short(self) -> DirectionSet {
        self.short
    }

    /// Returns the directions of the long legs.
    #[must_use]
    pub const fn long(self) -> DirectionSet {
        self.long
    }

    /// Returns the leg that points in a direction.
    #[must_use]
    pub fn toward(self, direction: Direction) -> Option<Leg> {
        if self.short.contains(direction) {
            Some(Leg { direction, reach: Reach::Short })
        } else if self.long.contains(direction) {
            Some(Leg { direction, reach: Reach::Long })
        } else {
            None
        }
    }

    /// Returns the legs, clockwise from north.
    pub fn iter(self) -> impl Iterator<Item = Leg> {
        Direction::ALL.into_iter().filter_map(move |d| self.toward(d))
    }

    /// Returns the number of legs, 1 to 8.
    #[must_use]
    pub const fn count(self) -> usize {
        self.short.len() + self.long.len()
    }

    /// Returns the legs with `map` applied to every direction. No two directions may have the same
    /// image.
    #[must_use]
    pub fn mapped(self, map: impl Fn(Direction) -> Direction) -> Legs {
        let turn = |set: DirectionSet| set.iter().map(&map).collect();
        Legs { short: turn(self.short), long: turn(self.long) }
    }

    /// Returns all legs of both: a long one where one of them has a long one.
    #[must_use]
    pub fn union(self, other: Legs) -> Legs {
        let long = self.long | other.long;
        Legs { short: (self.short | other.short) - long, long }
    }

    /// Returns the legs as they lie on the board: the owner's view for White, turned by 180° for
    /// Black (R4).
    #[must_use]
    pub fn on_board(self, side: Side) -> Legs {
        match side {
            Side::White => self,
            Side::Black => Legs { short: self.short.opposite(), long: self.long.opposite() },
        }
    }
}

impl fmt::Display for Legs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, leg) in self.iter().enumerate() {
            write!(f, "{}{leg}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// Reasons why a text is not the legs of a pod (R3).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LegsError {
    /// A word is no leg.
    #[error("{:?} is no leg: n ne e se s sw w nw are short legs, N NE E SE S SW W NW long ones (R3)", shortened(.0))]
    Word(String),
    /// A direction is neither in small letters nor in capitals.
    #[error("{word:?} is no leg: write {direction} for a short leg, {long} for a long one (R3)", long = direction.name().to_uppercase())]
    Mixed {
        /// The word.
        word: String,
        /// The direction that it names.
        direction: Direction,
    },
    /// Legs are not separated by blanks.
    #[error("{:?} is no leg: legs have blanks between them, as in \"n SE\" (R3)", shortened(.0))]
    Joined(String),
    /// Two legs point in one direction.
    #[error("two legs point {0}, there may be one per direction (R3)")]
    Twice(Direction),
    /// There is no leg.
    #[error("a pod has at least one leg (R3)")]
    None,
}

impl std::str::FromStr for Leg {
    type Err = LegsError;

    fn from_str(word: &str) -> Result<Leg, LegsError> {
        let lower = word.to_ascii_lowercase();
        let reach = if word == lower { Reach::Short } else { Reach::Long };
        let text = word.to_owned();
        match lower.parse() {
            Ok(direction) if word == lower || word == lower.to_ascii_uppercase() => Ok(Leg { direction, reach }),
            Ok(direction) => Err(LegsError::Mixed { word: text, direction }),
            Err(_) if word.contains([',', ';', '-', '/']) => Err(LegsError::Joined(text)),
            Err(_) => Err(LegsError::Word(text)),
        }
    }
}

impl std::str::FromStr for Legs {
    type Err = LegsError;

    fn from_str(text: &str) -> Result<Legs, LegsError> {
        let mut legs: Vec<Leg> = Vec::new();
        for word in text.split_whitespace() {
            let leg: Leg = word.parse()?;
            if legs.iter().any(|other| other.direction == leg.direction) {
                return Err(LegsError::Twice(leg.direction));
            }
            legs.push(leg);
        }
        Legs::new(legs).ok_or(LegsError::None)
    }
}

/// One kind of pod of one particular pod set: its number when sorted by id, 0 to 25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PodKind(u8);

impl PodKind {
    /// The number of kinds that ids can tell apart.
    pub const MAX: usize = 26;

    /// Returns the kind with this number.
    ///
    /// # Panics
    ///
    /// If the number is [`PodKind::MAX`] or more.
    #[must_use]
    pub fn new(index: usize) -> PodKind {
        assert!(index < PodKind::MAX);
        PodKind(index as u8)
    }

    /// Returns the number of the kind, 0 to 25.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One kind of pod as a pod file gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodSpec {
    /// One letter from a to z.
    pub id: char,
    /// A name for people; may be empty.
    pub name: String,
    /// The legs as the owner sees them (R4).
    pub legs: Legs,
    /// Number of these that each player has, 1 to 64.
    pub count: u8,
}

/// The pods of a game: each player starts with the same set, or with a part of it (R3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodSet {
    name: String,
    source: String,
    specs: Vec<PodSpec>,
}

/// Reasons why pods do not make a set (R3).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PodSetError {
    /// There is no pod.
    #[error("a pod set has at least one pod (R3)")]
    Empty,
    /// An id is not a letter from a to z.
    #[error("{0:?} is no pod id: ids are single letters from a to z")]
    BadId(char),
    /// Two pods have the same id.
    #[error("the id {0:?} is given twice; use `count` for several pods of one kind")]
    RepeatedId(char),
    /// A count is not from 1 to 64.
    #[error("pod {id:?} has count {count}; it must be from 1 to 64")]
    BadCount {
        /// The pod's id.
        id: char,
        /// The count given.
        count: u8,
    },
}

impl PodSet {
    /// The most of one kind that a player may have.
    pub(crate) const MAX_COUNT: u8 = 64;

    /// Returns the set of these pods, in any order.
    ///
    /// # Errors
    ///
    /// If there is no pod, an id is no letter or repeated, or a count is out of range.
    pub fn new(
        name: impl Into<String>,
        source: impl Into<String>,
        mut specs: Vec<PodSpec>,
    ) -> Result<PodSet, PodSetError> {
        if specs.is_empty() {
            return Err(PodSetError::Empty);
        }
        for (i, spec) in specs.iter().enumerate() {
            if !spec.id.is_ascii_lowercase() {
                return Err(PodSetError::BadId(spec.id));
            }
            if specs[..i].iter().any(|s| s.id == spec.id) {
                return Err(PodSetError::RepeatedId(spec.id));
            }
            if !(1..=PodSet::MAX_COUNT).contains(&spec.count) {
                return Err(PodSetError::BadCount { id: spec.id, count: spec.count });
            }
        }
        specs.sort_by_key(|s| s.id);
        Ok(PodSet { name: name.into(), source: source.into(), specs })
    }

    /// Returns the name of the set.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the source of the set, in the file's own words.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns `true` if both sets have the same ids with the same legs, as often; names may
    /// differ.
    #[must_use]
    pub fn same_pods(&self, other: &PodSet) -> bool {
        let content = |pods: &PodSet| -> Vec<_> {
            pods.kinds().map(|kind| (pods.id(kind), pods.legs(kind), pods.spec(kind).count)).collect()
        };
        content(self) == content(other)
    }

    /// Returns the kinds, sorted by id.
    pub fn kinds(&self) -> impl DoubleEndedIterator<Item = PodKind> + ExactSizeIterator + use<> {
        (0..self.specs.len()).map(PodKind::new)
    }

    /// Returns id, name, legs and count of a kind.
    ///
    /// # Panics
    ///
    /// If the kind is not of this set.
    #[must_use]
    pub fn spec(&self, kind: PodKind) -> &PodSpec {
        &self.specs[kind.index()]
    }

    /// Returns the letters of kinds, one text each.
    pub(crate) fn ids(&self, kinds: &[PodKind]) -> Vec<String> {
        kinds.iter().map(|&kind| self.id(kind).to_string()).collect()
    }

    /// Returns the letter of a kind.
    ///
    /// # Panics
    ///
    /// If the kind is not of this set.
    #[must_use]
    pub fn id(&self, kind: PodKind) -> char {
        self.spec(kind).id
    }

    /// Returns the legs of a kind as its owner sees them (R4).
    ///
    /// # Panics
    ///
    /// If the kind is not of this set.
    #[must_use]
    pub fn legs(&self, kind: PodKind) -> Legs {
        self.spec(kind).legs
    }

    /// Returns the kind with an id; `None` if the set has none.
    #[must_use]
    pub fn kind(&self, id: char) -> Option<PodKind> {
        self.specs.iter().position(|s| s.id == id).map(PodKind::new)
    }

    /// Returns `true` if a kind is a bipod: it has exactly two legs (R9).
    ///
    /// # Panics
    ///
    /// If the kind is not of this set.
    #[must_use]
    pub fn is_bipod(&self, kind: PodKind) -> bool {
        self.legs(kind).count() == 2
    }
}
