//! The balance report of a setup (R34), a row for each orientation.

use std::time::Duration;

use serde_json::json;

use super::Kept;
use super::watch::Watch;
use crate::answer::{LookUp, Want};
use crate::explore::events::Events;
use crate::explore::refusal::Refusal;
use crate::explore::setting::Setting;
use crate::files::{Record as _, write_rows};
use crate::geometry::Orientation;
use crate::report::page::{About, balance_page};
use crate::report::{BalanceError, BalanceRecord, BalanceRow, NamedSetup, Origins, balance};
use crate::rules::RuleSet;

/// A setup, whose board is turned all four ways.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::explore) struct Asked(NamedSetup);

impl Asked {
    /// Returns the setup that the page shows, with the board not turned.
    pub(super) fn new(setting: Setting) -> Result<Asked, Refusal> {
        Ok(Asked(Setting { turn: 0, ..setting }.setup()?.into()))
    }

    pub(super) fn rules(&self) -> RuleSet {
        self.0.rules()
    }

    /// Returns the setup with the board turned.
    pub(super) fn turned(&self, orientation: Orientation) -> NamedSetup {
        self.0.turned(orientation)
    }

    /// Returns the sources of its board and pods.
    pub(super) fn origins(&self) -> Origins {
        Origins::of([self.0.game()])
    }

    pub(super) fn row(
        &self,
        orientation: Orientation,
        kept: &Kept<'_>,
        time: Duration,
        to: &Events,
    ) -> Result<BalanceRow, BalanceError> {
        let known = LookUp { tables: kept.tables, library: true };
        let limits = kept.limits(time, to);
        balance(&self.turned(orientation), known, Want::Value, limits, &Watch::new(to))
    }
}

/// Makes the report.
pub(super) fn report(kept: &mut Kept<'_>, asked: &Asked, time: Duration, to: &Events) -> Result<(), String> {
    // Frees the answerer of the last game, which would only take memory.
    kept.answerer = None;
    let mut rows = Vec::new();
    to.send("columns", &BalanceRecord::header());
    for orientation in Orientation::ALL {
        to.send("turn", &json!({ "degrees": orientation.degrees() }));
        let row = asked.row(orientation, kept, time, to).map_err(|error| error.to_string())?;
        if to.is_gone() {
            return Ok(());
        }
        to.send("row", &row.record().cells());
        rows.push(row);
    }
    let mut csv = Vec::new();
    write_rows(&mut csv, true, rows.iter().map(BalanceRow::record)).map_err(|error| error.to_string())?;
    to.send("csv", &String::from_utf8_lossy(&csv));
    let origins = asked.origins();
    let about = About::new("explore", &origins);
    to.send("page", &balance_page(&rows, about));
    Ok(())
}
