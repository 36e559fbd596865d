//! A caption as a row, for tables and for other programs.

use super::Caption;
use crate::files::record;

record! {
    /// A caption, and whether it holds, in separate fields.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CaptionRow {
        /// A short name.
        pub name: &'static str,
        /// The rules texts, by number, and the place in them.
        pub source: &'static str,
        /// Its text.
        pub says: &'static str,
        /// True (in CSV `yes`) if it holds.
        pub holds: bool,
        /// Finding, or the reason why the caption does not hold.
        pub found: String,
        /// The orientation of the board in the position that shows it, in degrees; empty without
        /// such a position.
        pub orientation: Option<u16>,
        /// The name of the rules of that position.
        pub rules: Option<String>,
        /// Text of that position.
        pub position: Option<String>,
    }
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
