//! A position under another rule set.

use serde_json::{Value, json};

use super::refusal::Refusal;
use super::setting::Setting;
use super::view::{Marks, view};
use crate::engine::Engine;
use crate::position::{Action, Game, UncheckedPosition};
use crate::rules::RuleSet;

/// Shows a position under another rule set: the actions that only one of both allows, and what the
/// position needed to be changed.
pub(super) fn answer(setting: Setting, other: String) -> Result<Value, Refusal> {
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
    let only = |these: &[Action], those: &[Action]| game.texts(these.iter().filter(|action| !those.contains(action)));
    let (legal, others) = (here.engine.sorted_actions(now), other.engine.sorted_actions(&position));
    Ok(json!({
        "view": view(&other, &Marks::None),
        "only_here": only(&legal, &others),
        "only_there": only(&others, &legal),
        "note": note,
    }))
}
