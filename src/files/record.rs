//! Records: rows of CSV and objects of JSON, declared once with their columns.

use std::collections::BTreeMap;
use std::fmt::Display;
#[cfg(feature = "report")]
use std::io;

use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};

/// A column of CSV, or a field of a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The name.
    #[serde(rename = "column")]
    pub name: &'static str,
    /// The type: `text`, `whole number`, `number`, `yes or no`, a `list`, a `map` or an `object`,
    /// and whether it may be empty.
    #[serde(rename = "type")]
    pub kind: String,
    /// The meaning.
    pub meaning: String,
}

/// A row of CSV and an object of JSON, in one form.
///
/// The fields of the struct are the columns, and their doc comments the meanings: together they are
/// the data dictionary.
pub trait Record: Serialize {
    /// Returns the columns, in the order of the cells.
    fn columns() -> Vec<Column>;

    /// Returns the cells; what is not known is empty.
    fn cells(&self) -> Vec<String>;

    /// Returns the names of the columns.
    #[must_use]
    fn header() -> Vec<&'static str> {
        Self::columns().iter().map(|column| column.name).collect()
    }
}

/// The columns of a data dictionary.
impl Record for Column {
    fn columns() -> Vec<Column> {
        let meanings = [("column", "The name."), ("type", "The type."), ("meaning", "The meaning.")];
        meanings.map(|(name, meaning)| Column { name, kind: String::kind(), meaning: meaning.to_owned() }).into()
    }

    fn cells(&self) -> Vec<String> {
        vec![self.name.to_owned(), self.kind.clone(), self.meaning.clone()]
    }
}

impl<R: Record> Record for &R {
    fn columns() -> Vec<Column> {
        R::columns()
    }

    fn cells(&self) -> Vec<String> {
        R::cells(self)
    }
}

/// Writes records as CSV, below a header if that is wanted. Lines end with a line feed.
///
/// # Errors
///
/// If `out` cannot be written to.
#[cfg(feature = "report")]
pub fn write_rows<R: Record>(
    out: impl io::Write,
    header: bool,
    records: impl IntoIterator<Item = R>,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    if header {
        writer.write_record(R::header())?;
    }
    for record in records {
        writer.write_record(record.cells())?;
    }
    writer.flush()
}

pub(crate) trait Cell {
    fn kind() -> String;

    /// Returns the text of the value; an unknown value is empty.
    fn cell(&self) -> String;
}

macro_rules! cells_as_displayed {
    ($kind:literal: $($type:ty),*) => { $(impl Cell for $type {
        fn kind() -> String {
            $kind.to_owned()
        }

        fn cell(&self) -> String {
            self.to_string()
        }
    })* };
}

cells_as_displayed!("text": String, &str, char);
cells_as_displayed!("whole number": u8, u16, u32, u64, u128, usize, i16, i64);
cells_as_displayed!("number": f64);

impl Cell for bool {
    fn kind() -> String {
        "yes or no".to_owned()
    }

    fn cell(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}

impl<C: Cell> Cell for Option<C> {
    fn kind() -> String {
        C::kind() + " or empty"
    }

    fn cell(&self) -> String {
        self.as_ref().map(C::cell).unwrap_or_default()
    }
}

/// A list is one cell, with a blank between its items.
impl<C: Cell> Cell for Vec<C> {
    fn kind() -> String {
        "list".to_owned()
    }

    fn cell(&self) -> String {
        self.iter().map(C::cell).collect::<Vec<_>>().join(" ")
    }
}

/// A map is one cell, with a blank between `key:value`.
impl<K: Display, C: Cell> Cell for BTreeMap<K, C> {
    fn kind() -> String {
        "map".to_owned()
    }

    fn cell(&self) -> String {
        self.iter().map(|(key, value)| format!("{key}:{}", value.cell())).collect::<Vec<_>>().join(" ")
    }
}

/// An object in an object, whose fields are the columns of its record; in CSV a cell of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Object<R>(pub R);

impl<R: Record> Cell for Object<R> {
    fn kind() -> String {
        "object".to_owned()
    }

    fn cell(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }
}

/// A number with a fixed number of digits after the point.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(transparent)]
pub struct Decimal<const DIGITS: usize>(pub f64);

impl<const DIGITS: usize> Cell for Decimal<DIGITS> {
    fn kind() -> String {
        "number".to_owned()
    }

    fn cell(&self) -> String {
        format!("{:.DIGITS$}", self.0)
    }
}

impl<const DIGITS: usize> Serialize for Decimal<DIGITS> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.cell().parse().unwrap_or(self.0))
    }
}

/// Columns that may all be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OrNone<R>(pub Option<R>);

impl<R: Record> Serialize for OrNone<R> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Some(row) = &self.0 else {
            let mut map = to.serialize_map(None)?;
            R::header().iter().try_for_each(|name| map.serialize_entry(name, &None::<()>))?;
            return map.end();
        };
        row.serialize(to)
    }
}

impl<R: Record> Record for OrNone<R> {
    fn columns() -> Vec<Column> {
        R::columns()
    }

    fn cells(&self) -> Vec<String> {
        self.0.as_ref().map_or_else(|| vec![String::new(); R::columns().len()], R::cells)
    }
}

/// Declares a struct that is a [`Record`]: each field is a column, with its doc comment as the
/// meaning.
///
/// The columns of another record may stand before them, as one field with `#[serde(flatten)]`.
#[doc(hidden)]
#[macro_export]
macro_rules! record {
    ($(#[$meta:meta])* $vis:vis struct $name:ident$(<$life:lifetime>)? {
        $(#[serde(flatten)] $base_vis:vis $base:ident: $base_type:ty,)?
        $($(#[doc = $doc:literal])+ $(#[serde($($serde:tt)*)])? $field_vis:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(serde::Serialize)]
        $vis struct $name$(<$life>)? {
            $(#[serde(flatten)] #[allow(missing_docs)] $base_vis $base: $base_type,)?
            $($(#[doc = $doc])+ $(#[serde($($serde)*)])? $field_vis $field: $type,)*
        }

        impl$(<$life>)? $crate::files::Record for $name$(<$life>)? {
            fn columns() -> Vec<$crate::files::Column> {
                #[allow(unused_mut)]
                let mut columns = Vec::new();
                $(columns.extend(<$base_type as $crate::files::Record>::columns());)?
                columns.extend([$($crate::files::Column {
                    name: stringify!($field),
                    kind: <$type as $crate::files::Cell>::kind(),
                    meaning: concat!($($doc),+).trim().to_owned(),
                }),*]);
                columns
            }

            fn cells(&self) -> Vec<String> {
                #[allow(unused_mut)]
                let mut cells = Vec::new();
                $(cells.extend($crate::files::Record::cells(&self.$base));)?
                cells.extend([$($crate::files::Cell::cell(&self.$field)),*]);
                cells
            }
        }
    };
}
#[doc(hidden)]
pub use record;

#[cfg(test)]
mod tests {
    use super::*;

    record! {
        /// A place.
        struct Place {
            /// The name.
            name: &'static str,
            /// Degrees,
            /// clockwise.
            turn: u16,
        }
    }

    record! {
        /// A thing in a place.
        struct Thing {
            #[serde(flatten)]
            place: OrNone<Place>,
            /// Words.
            words: Vec<&'static str>,
            /// A share.
            share: Option<Decimal<2>>,
            /// True if it is so.
            #[serde(skip_serializing_if = "Option::is_none")]
            holds: Option<bool>,
            /// More places.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            more: Vec<Object<Place>>,
        }
    }

    #[test]
    fn columns_cells_and_fields_are_the_same() {
        assert_eq!(Thing::header(), ["name", "turn", "words", "share", "holds", "more"]);
        assert_eq!(Thing::columns()[1].meaning, "Degrees, clockwise.");
        let kinds: Vec<String> = Thing::columns().into_iter().map(|column| column.kind).collect();
        assert_eq!(kinds, ["text", "whole number", "list", "number or empty", "yes or no or empty", "list"]);
        let place = Place { name: "here", turn: 90 };
        let thing = Thing {
            place: OrNone(Some(place)),
            words: vec!["a", "b"],
            share: Some(Decimal(0.5)),
            holds: None,
            more: vec![],
        };
        assert_eq!(thing.cells(), ["here", "90", "a b", "0.50", "", ""]);
        let more = vec![Object(Place { name: "there", turn: 0 })];
        let nowhere = Thing { place: OrNone(None), holds: Some(true), more, ..thing };
        assert_eq!(nowhere.cells(), ["", "", "a b", "0.50", "yes", r#"{"name":"there","turn":0}"#]);
    }

    #[test]
    fn objects_have_the_columns_as_fields() {
        let thing =
            Thing { place: OrNone(None), words: vec!["a"], share: Some(Decimal(1.0 / 3.0)), holds: None, more: vec![] };
        let json = serde_json::to_string(&thing).unwrap();
        assert_eq!(json, r#"{"name":null,"turn":null,"words":["a"],"share":0.33}"#);
    }
}
