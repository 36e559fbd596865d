//! The types of the rules in the data formats of serde: those with a text as their text.

use ::serde::de::Error;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::data::SetupData;
use super::{Setup, UncheckedPosition};
use crate::geometry::{Coord, Direction, Orientation};
use crate::material::{Board, BoardData, Leg, Legs, PodSet, PodsData, Side};
use crate::rules::{Clause, RuleSet};

/// Serializes types by `Display`, and deserializes them by `FromStr`.
macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_text!(Coord, Direction, Side, Leg, Legs, RuleSet, Clause, UncheckedPosition);

/// Serializes types by a struct of plain data, and deserializes them by what that may refuse.
macro_rules! as_data {
    ($($type:ty: $data:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$data>::from(self.clone()).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                <$data>::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
            }
        }
    )*};
}

as_data!(Board: BoardData, PodSet: PodsData, Setup: SetupData);

/// A number of degrees, as in every row.
impl Serialize for Orientation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.degrees().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Orientation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Orientation, D::Error> {
        let degrees = u16::deserialize(deserializer)?;
        Orientation::from_degrees(degrees)
            .ok_or_else(|| D::Error::custom(format!("{degrees} is no orientation: 0, 90, 180 or 270")))
    }
}
