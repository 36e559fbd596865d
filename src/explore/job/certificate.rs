//! A certificate of a position's value.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use super::Kept;
use super::watch::Watch;
use crate::certificate::{ProofMethod, prove};
use crate::explore::events::Events;
use crate::explore::refusal::Refusal;
use crate::explore::setting::{Setting, SideAsked};
use crate::files::Thousands;
use crate::files::{hex, sha256_hex};
use crate::position::{Game, Position};
use crate::solver::search::HowFar;
use crate::solver::{Observer, Phase, Stopped};

/// The most lines of a certificate that is sent to a page: some 20 MB.
const MAX_LINES: u64 = 200_000;

/// A position, and how much of its value is to be proven.
#[derive(Debug)]
pub(in crate::explore) struct ProofQuery {
    game: Game,
    root: Position,
    exact: bool,
}

impl ProofQuery {
    /// Returns the position that the page shows, or the start with this side to begin.
    pub(super) fn new(setting: &Setting, starts: Option<SideAsked>, exact: bool) -> Result<ProofQuery, Refusal> {
        let Some(side) = starts else {
            let course = setting.course()?;
            return Ok(ProofQuery { game: course.game().clone(), root: course.now().clone(), exact });
        };
        let setup = setting.setup()?;
        let root = setup.start(side.into())?;
        Ok(ProofQuery { game: setup.game().clone(), root, exact })
    }
}

/// Observer that passes progress on, and ends the job when there are too many lines.
struct Bounded<'a> {
    watch: Watch<'a>,
    is_too_long: AtomicBool,
}

impl<'a> Bounded<'a> {
    fn new(to: &'a Events) -> Bounded<'a> {
        Bounded { watch: Watch::new(to), is_too_long: AtomicBool::new(false) }
    }
}

impl Observer for Bounded<'_> {
    fn progress(&self, phase: Phase, done: u64, total: Option<u64>) {
        if phase == Phase::Prove {
            // After a strategy with too many lines a proof by choices of a search may follow, which
            // counts from 1 and may be shorter.
            self.is_too_long.store(done > MAX_LINES, Ordering::Relaxed);
        }
        self.watch.progress(phase, done, total);
    }

    fn search(&self, far: &HowFar) {
        self.watch.search(far);
    }

    fn stop(&self) -> Option<Stopped> {
        let too_long = || Stopped::LimitReached { positions: MAX_LINES };
        self.watch.stop().or_else(|| self.is_too_long.load(Ordering::Relaxed).then(too_long))
    }
}

pub(super) fn certificate(kept: &mut Kept<'_>, asked: &ProofQuery, time: Duration, to: &Events) -> Result<(), String> {
    let ProofQuery { game, root, exact } = asked;
    let limits = kept.limits(time, to);
    let observer = Bounded::new(to);
    let answerer = kept.of(game).map_err(|error| error.to_string())?;
    let proof = prove(answerer, root, ProofMethod::fitting(*exact), limits, &observer).map_err(|error| {
        if observer.is_too_long.load(Ordering::Relaxed) {
            let most = Thousands(u128::from(MAX_LINES));
            return format!(
                "it would have more than {most} lines, too many for a page: `pods prove` writes it to a file"
            );
        }
        error.to_string()
    })?;
    // The proof of a search is no text.
    let text = std::str::from_utf8(&proof.bytes).ok();
    let bytes = text.is_none().then(|| hex(&proof.bytes));
    to.send(
        "certificate",
        &json!({
            "position": root.display(game).to_string(),
            "claim": format!("{} for {}", proof.checked.claim, root.to_move()),
            "lines": proof.checked.lines,
            "bytes": proof.bytes.len(),
            "sha256": sha256_hex(&proof.bytes),
            "text": text,
            "hex": bytes,
        }),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::Semaphore;

    use super::*;
    use crate::explore::events::events;

    #[test]
    fn too_many_lines_end_the_job() {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        let (to, _answer) = events(permit, || ());
        let observer = Bounded::new(&to);
        observer.progress(Phase::Prove, MAX_LINES, None);
        observer.progress(Phase::Check, MAX_LINES + 1, None);
        assert_eq!(observer.stop(), None);
        observer.progress(Phase::Prove, MAX_LINES + 1, None);
        assert_eq!(observer.stop(), Some(Stopped::LimitReached { positions: MAX_LINES }));
        observer.progress(Phase::Prove, 1, None);
        assert_eq!(observer.stop(), None);
    }
}
