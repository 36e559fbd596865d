//! A position under another rule set.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::setting::Setting;
use super::view::{Marks, View};
use crate::engine::Engine;
use crate::position::{Action, Game, UncheckedPosition};
use crate::rules::RuleSet;

/// A question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    setting: Setting,
    /// The name of the other rule set.
    other: String,
}

/// The position under the other rules, and where the two differ.
#[derive(Debug, Serialize)]
pub(super) struct Compared {
    view: View,
    /// Actions that only the first rule set allows.
    only_here: Vec<String>,
    /// Actions that only the other one allows.
    only_there: Vec<String>,
    /// Changes that the position needed.
    note: Option<&'static str>,
}

/// Shows a position under another rule set.
pub(super) fn answer(Ask { setting, other }: Ask) -> Result<Compared, Refusal> {
    let here = setting.course()?;
    let rules: RuleSet = other.parse()?;
    let (game, now) = (here.game(), here.now());
    let there = Game::new(game.board().clone(), game.pods().clone(), rules);
    let mut setup = now.display(game).to_string().parse::<UncheckedPosition>()?;
    let (position, note) = match setup.check(&there) {
        Ok(position) => (position, None),
        // Whether the opening is restricted is a matter of the rules (R9).
        Err(refusals) if !setup.open => return Err(refusals.into()),
        Err(_) => {
            setup.open = false;
            (setup.check(&there)?, Some("Under the other rules the opening is not restricted (R9)."))
        }
    };
    let text = position.display(&there).to_string();
    let other = Setting { rules: other, position: text, actions: Vec::new(), ..setting }.course()?;
    let only = |these: &[Action], those: &[Action]| -> Vec<String> {
        these.iter().filter(|action| !those.contains(action)).map(|&action| action.display(game).to_string()).collect()
    };
    let (legal, others) = (here.engine.sorted_actions(now), other.engine.sorted_actions(&position));
    Ok(Compared {
        view: View::new(&other, &Marks::None),
        only_here: only(&legal, &others),
        only_there: only(&others, &legal),
        note,
    })
}
