//! A caption as a row, for tables and for other programs.

use serde::Serialize;

use super::Caption;

/// A caption, and whether it holds, in separate fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaptionRow {
    /// A short name.
    pub name: &'static str,
    /// The texts, by number, and the place in them.
    pub source: &'static str,
    /// Its text.
    pub says: &'static str,
    /// True if it holds.
    pub holds: bool,
    /// Finding, or the reason why the caption does not hold.
    pub found: String,
    /// The orientation of the board in the position that shows it, in degrees; `None` without such
    /// a position.
    pub orientation: Option<u16>,
    /// The name of the rules of that position.
    pub rules: Option<String>,
    /// Text of that position.
    pub position: Option<String>,
}

impl From<Caption> for CaptionRow {
    fn from(caption: Caption) -> CaptionRow {
        let Caption { name, source, says, found } = caption;
        let (holds, found, shown) = match found {
            Ok(witness) => (true, witness.what, witness.shown),
            Err(why) => (false, why, None),
        };
        let orientation = shown.as_ref().map(|shown| shown.orientation.degrees());
        let (rules, position) = shown.map(|shown| (shown.rules, shown.position)).unzip();
        CaptionRow { name, source, says, holds, found, orientation, rules, position }
    }
}

impl CaptionRow {
    /// The names of the columns.
    pub const HEADER: [&str; 8] = ["name", "source", "says", "holds", "found", "orientation", "rules", "position"];

    /// Returns the cells, in the order of the columns; empty where no position shows the caption.
    #[must_use]
    pub fn cells(&self) -> [String; 8] {
        [
            self.name.to_owned(),
            self.source.to_owned(),
            self.says.to_owned(),
            if self.holds { "yes" } else { "no" }.to_owned(),
            self.found.clone(),
            self.orientation.map(|degrees| degrees.to_string()).unwrap_or_default(),
            self.rules.clone().unwrap_or_default(),
            self.position.clone().unwrap_or_default(),
        ]
    }
}
