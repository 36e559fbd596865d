//! The library: positions whose winner follows from a certificate that was checked.
//!
//! It holds the positions of the certificates, and those one step away: after every action in a
//! lost position the other side wins, and after the winning action of a certificate the other side
//! loses. The empty board where Black starts is that where White starts, turned by 180° and with
//! the colours swapped (R4).

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

use super::play::next;
use crate::engine::{Bitboard, Engine as _};
use crate::geometry::Orientation;
use crate::material::{Side, builtin_board, builtin_pods};
use crate::position::{Action, Game, Hand, Position};
use crate::rules::RuleSet;
use crate::solver::{Method, Outcome, Solution, Verdict};

/// A certificate that was checked, and what it is about.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Certified {
    /// The name of the built-in board.
    pub board: String,
    /// By how many degrees the board is turned.
    pub orientation: u16,
    /// The name of the built-in pods.
    pub pods: String,
    /// The rule set.
    pub rules: String,
    /// The action that leads from the empty board to the position of the certificate, or `start`.
    pub opening: String,
    /// The winner.
    pub winner: String,
    /// The action that wins, where the kept file shows it.
    pub action: Option<String>,
    /// The SHA-256 of the certificate, unpacked.
    pub file_sha256: String,
    /// The SHA-256 in its trailer, where it is known.
    pub trailer_sha256: Option<String>,
    /// The file in `results/solved`, where it is kept.
    pub kept: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Certificates {
    certificate: Vec<Certified>,
}

static CERTIFICATES: LazyLock<Vec<Certified>> = LazyLock::new(|| {
    let read: Certificates = toml::from_str(include_str!("proven.toml")).expect("the built-in list is well formed");
    read.certificate
});

/// Returns the certificates of the library.
///
/// # Panics
///
/// Never: a test reads the list.
#[must_use]
pub fn certificates() -> &'static [Certified] {
    &CERTIFICATES
}

impl Certified {
    fn game(&self) -> Option<Game> {
        let board = builtin_board(&self.board)?.turned(Orientation::from_degrees(self.orientation)?);
        Some(Game::new(board, builtin_pods(&self.pods)?, self.rules.parse::<RuleSet>().ok()?))
    }

    /// Returns `true` if the entry is about this game, whatever the names of board and pods.
    fn is_about(&self, game: &Game) -> bool {
        let same = |own: Game| {
            own.board().same_shape(game.board())
                && own.pods().same_pods(game.pods())
                && own.rules().options() == game.rules().options()
        };
        self.game().is_some_and(same)
    }
}

impl Certified {
    /// Describes the certificate and its position.
    #[must_use]
    pub fn with_position(&self) -> String {
        let about = match self.opening.as_str() {
            "start" => "the empty board".to_owned(),
            opening => format!("the position after {opening}"),
        };
        format!("{self}, about {about} at {}°", self.orientation)
    }
}

impl fmt::Display for Certified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "certificate sha256 {}", self.file_sha256)?;
        match &self.kept {
            Some(file) => write!(f, ", results/solved/{file}"),
            None => f.write_str(", checked and not kept"),
        }
    }
}

/// A position's proven outcome, as the library has it.
#[derive(Clone, Copy, Debug)]
pub struct Proven {
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// An action that wins, where the certificate shows one.
    pub winning: Option<Action>,
    /// The certificate that it follows from.
    pub certificate: &'static Certified,
}

impl Proven {
    pub(super) fn solution(&self) -> Solution {
        let solution = Solution::new(Verdict::Outcome(self.outcome), Method::Library, 1);
        Solution { winning: self.winning, ..solution }
    }
}

/// The positions of a game that the library knows.
#[derive(Clone, Debug, Default)]
pub(super) struct Library(Vec<(Position, Proven)>);

impl Library {
    /// Selects the entries that are about this game.
    pub(super) fn of(engine: &Bitboard) -> Library {
        let (game, mut known) = (engine.game(), Library::default());
        let about = CERTIFICATES.iter().filter(|certificate| certificate.is_about(game));
        let roots: Vec<(Position, Proven)> = about.filter_map(|certificate| root(engine, certificate)).collect();
        // What a certificate is about itself goes before what only follows.
        roots.iter().for_each(|(root, proven)| known.add(root.clone(), *proven));
        for (root, proven) in roots {
            for (action, position) in next(engine, &root) {
                if proven.outcome == Outcome::Loss || proven.winning == Some(action) {
                    known.add(position, Proven { outcome: proven.outcome.reversed(), winning: None, ..proven });
                }
            }
        }
        let other = Game::new(game.board().turned(Orientation::R180), game.pods().clone(), *game.rules());
        let hand = Hand::whole(game.pods());
        let black_starts = game.start(hand, hand, Side::Black).ok();
        let turned = CERTIFICATES.iter().find(|one| one.opening == "start" && one.is_about(&other));
        if let (Some(start), Some(certificate)) = (black_starts, turned) {
            let outcome = if certificate.winner == Side::White.to_string() { Outcome::Win } else { Outcome::Loss };
            known.add(start, Proven { outcome, winning: None, certificate });
        }
        known
    }

    fn add(&mut self, position: Position, proven: Proven) {
        if self.get(&position).is_none() {
            self.0.push((position, proven));
        }
    }

    pub(super) fn get(&self, position: &Position) -> Option<Proven> {
        self.0.iter().find(|(known, _)| known == position).map(|(_, proven)| *proven)
    }
}

fn root(engine: &Bitboard, certificate: &'static Certified) -> Option<(Position, Proven)> {
    let game = engine.game();
    let start = game.whole_start().ok()?;
    let root = match certificate.opening.as_str() {
        "start" => start,
        opening => {
            let opening = game.parse_action(opening).ok()?;
            next(engine, &start).find(|&(action, _)| action == opening)?.1
        }
    };
    let wins = certificate.winner == root.to_move().to_string();
    let winning = certificate.action.as_ref().and_then(|action| game.parse_action(action).ok());
    let outcome = if wins { Outcome::Win } else { Outcome::Loss };
    Some((root, Proven { outcome, winning, certificate }))
}
