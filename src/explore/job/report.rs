//! The balance report of a setup (R34), a row for each orientation.

use std::convert::Infallible;
use std::time::Duration;

use serde_json::json;

use super::Kept;
use super::watch::Watch;
use crate::answer::{LookUp, Want};
use crate::explore::events::Events;
use crate::explore::refusal::Refusal;
use crate::explore::setting::Setting;
use crate::geometry::Orientation;
use crate::position::{Game, Hand};
use crate::report::page::{About, balance_page_of};
use crate::report::{BalanceError, BalanceRow, CSV_HEADER, Entry, Origins, balance_of, write_csv};
use crate::rules::RuleSet;

/// A setup, turned all four ways.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::explore) struct Asked {
    game: Game,
    hands: [Hand; 2],
}

impl Asked {
    /// The setup that the page shows, with the board not turned.
    pub(super) fn new(setting: Setting) -> Result<Asked, Refusal> {
        let (game, hands) = Setting { turn: 0, ..setting }.game()?;
        Ok(Asked { game, hands })
    }

    fn turned(&self, orientation: Orientation) -> Game {
        Game::new(self.game.board().turned(orientation), self.game.pods().clone(), *self.game.rules())
    }

    pub(super) fn rules(&self) -> RuleSet {
        *self.game.rules()
    }

    /// The setup with the board turned.
    pub(super) fn entry(&self, orientation: Orientation) -> Entry {
        let pods = self.game.pods();
        let [white_hand, black_hand] = self.hands.map(|hand| hand.text(pods));
        Entry {
            board: self.game.board().name().to_owned(),
            orientation,
            pods: pods.name().to_owned(),
            white_hand,
            black_hand,
            rules: self.rules(),
        }
    }

    /// Returns the sources of its board and pods.
    pub(super) fn origins(&self) -> Origins {
        Origins::of([&self.game])
    }

    /// The game and the hands of one of its entries, whose rules may be others.
    pub(super) fn game_of(&self, entry: &Entry) -> (Game, Hand, Hand) {
        let turned = self.turned(entry.orientation);
        let [white, black] = self.hands;
        (Game::new(turned.board().clone(), turned.pods().clone(), entry.rules), white, black)
    }

    pub(super) fn row(
        &self,
        orientation: Orientation,
        kept: &Kept<'_>,
        time: Duration,
        to: &Events,
    ) -> Result<BalanceRow, BalanceError> {
        let (game, entry) = (self.turned(orientation), self.entry(orientation));
        let known = LookUp { tables: kept.tables, library: true };
        balance_of(&entry, &game, self.hands, known, Want::Value, kept.limits(time, to), &Watch::new(to))
    }
}

/// Makes the report.
pub(super) fn report(kept: &mut Kept<'_>, asked: &Asked, time: Duration, to: &Events) -> Result<(), String> {
    // Frees the answerer of the last game, which would only take memory.
    kept.answerer = None;
    let mut rows = Vec::new();
    to.send("columns", &CSV_HEADER.as_slice());
    for orientation in Orientation::ALL {
        to.send("turn", &json!({ "degrees": orientation.degrees() }));
        let row = asked.row(orientation, kept, time, to).map_err(|error| error.to_string())?;
        if to.is_gone() {
            return Ok(());
        }
        to.send("row", &row.cells().as_slice());
        rows.push(row);
    }
    let mut csv = Vec::new();
    write_csv(&rows, &mut csv).map_err(|error| error.to_string())?;
    to.send("csv", &String::from_utf8_lossy(&csv));
    let origins = asked.origins();
    let about = About::new("explore", &origins);
    let game_of = |entry: &Entry| Ok::<_, Infallible>(asked.turned(entry.orientation));
    let Ok(page) = balance_page_of(&rows, about, game_of);
    to.send("page", &page);
    Ok(())
}
