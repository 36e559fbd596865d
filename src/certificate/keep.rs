//! Rules for files that a new certificate may replace.

use super::header::{Claim, Claimed, Header};
use super::{FORMAT, STRATEGIES};
use crate::position::{Game, Position};

/// Checks that a certificate of `root` may replace a file that begins with `head`.
///
/// Only a certificate of the same position that proves no more is replaced. `exact` says that the
/// new one proves the distance too. Names make no difference; points, lines, legs, counts and
/// options do.
///
/// # Errors
///
/// If it may not; the message says what the file is.
pub fn may_replace(head: &[u8], game: &Game, root: &Position, exact: bool) -> Result<(), String> {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let Ok(there) = serde_json::from_slice::<Header>(line) else {
        return Err(format!("it is no certificate ({FORMAT}) of a version known here"));
    };
    let new = Header::new(STRATEGIES, game, root, Claim { value: Claimed::Draw, plies: None });
    if !there.is_about_the_same(&new) {
        return Err("it is a certificate of another position or setup".to_owned());
    }
    match there.claimed_plies() {
        Some(plies) if !exact => Err(format!("it proves more: the distance too, {plies} plies")),
        _ => Ok(()),
    }
}
