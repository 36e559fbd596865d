//! The plan of the games, and playing one of them.

use std::sync::atomic::AtomicBool;

use super::super::opening::common_openings;
use super::super::plan::PlanError;
use super::super::play::{Conventions, play};
use super::super::player::{Best, Player};
use super::super::ready::Ready;
use super::super::record::{GameLine, Line, Numbers, head};
use super::super::spec::{Budget, Spec};
use crate::engine::Engine as _;
use crate::geometry::Orientation;
use crate::material::Side;
use crate::position::Action;
use crate::report::{BalanceError, NamedSetup};

/// Memory of each player, in bytes. Which actions are played depends on it, so it is the same for
/// all.
pub const MEMORY: u64 = 64 << 20;

/// The most games of one setup, starter and strength.
pub(crate) const MAX_GAMES: u64 = 100_000;

/// Strength of both players, and the number of games from each start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Positions that a player looks at before each action.
    pub nodes: u64,
    /// Games from each start.
    pub games: u64,
}

impl Strength {
    /// Returns both players: the same one twice.
    fn players(self) -> [Spec; 2] {
        let budget = Budget::of_nodes(self.nodes);
        [Spec::Best(budget), Spec::Best(budget)]
    }
}

/// The plan: setups, strengths, openings and conventions.
#[derive(Clone, Debug)]
pub struct Balance {
    /// The setups.
    pub setups: Vec<NamedSetup>,
    /// The strengths.
    pub strengths: Vec<Strength>,
    /// Random placements at the beginning of each game, at least 1.
    pub opening_plies: u32,
    /// The seed of the openings.
    pub seed: u64,
    /// Conventions for draws.
    pub conventions: Conventions,
}

/// A setup and who starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The setup.
    pub setup: NamedSetup,
    /// Side that starts.
    pub first: Side,
    /// The number of its group. The starts of a group have the same openings.
    pub group: usize,
}

impl Start {
    fn differs_in_rules(&self, other: &Start) -> bool {
        let of = |start: &Start| (start.first, start.setup.orientation());
        of(self) == of(other) && self.setup.has_same_material(&other.setup)
    }
}

/// A plan that is ready to be played: the starts, and their openings.
pub struct Prepared {
    /// The starts, in the order of the setups, White's before Black's.
    pub starts: Vec<Start>,
    pub(super) ready: Vec<Ready>,
    /// By group.
    openings: Vec<Vec<Vec<Action>>>,
}

impl Balance {
    /// Returns the starts, and as many openings as the strength with the most games needs. With
    /// equal hands Black's start is White's with the board turned by 180°, so it is left out if the
    /// plan has the setup with the board turned that way. `None` if `interrupt` was set before all
    /// openings were drawn.
    ///
    /// # Errors
    ///
    /// If a setup cannot be started, or has too few openings.
    pub fn prepare(&self, interrupt: &AtomicBool) -> Result<Option<Prepared>, PlanError> {
        let (mut starts, mut ready): (Vec<Start>, Vec<Ready>) = (Vec::new(), Vec::new());
        for setup in &self.setups {
            for first in [Side::White, Side::Black] {
                let hands = setup.setup().hands();
                if first == Side::Black
                    && hands.white == hands.black
                    && self.setups.contains(&setup.turned(Orientation::R180))
                {
                    continue;
                }
                ready.push(Ready::new(setup.setup(), first).map_err(BalanceError::from)?);
                let mut own = Start { setup: setup.clone(), first, group: 0 };
                let groups = starts.iter().map(|start| start.group + 1).max().unwrap_or(0);
                own.group =
                    starts.iter().find(|start| start.differs_in_rules(&own)).map_or(groups, |start| start.group);
                starts.push(own);
            }
        }
        let games = self.strengths.iter().map(|strength| strength.games).max().unwrap_or(0);
        let groups = starts.iter().map(|start| start.group + 1).max().unwrap_or(0);
        let mut openings = Vec::new();
        for group in 0..groups {
            let own = starts.iter().zip(&ready).filter(|(start, _)| start.group == group);
            let own: Vec<&Ready> = own.map(|(_, ready)| ready).collect();
            match common_openings(&own, self.opening_plies, games, self.seed, interrupt)? {
                Some(drawn) => openings.push(drawn),
                None => return Ok(None),
            }
        }
        Ok(Some(Prepared { starts, ready, openings }))
    }

    /// Returns the lines before the games of a strength.
    pub(super) fn head(&self, prepared: &Prepared, strength: Strength) -> Vec<Line> {
        let setups = prepared.starts.iter().map(|start| &start.setup);
        head(&strength.players(), self.seed, self.conventions, None, setups.zip(&prepared.ready))
    }

    /// Plays one game of a strength. Games are numbered from 0: the first game of each start, then
    /// the second of each, and so on. The game is the same in every run. `None` if `interrupt` was
    /// set before its end.
    ///
    /// # Errors
    ///
    /// If a player cannot play.
    ///
    /// # Panics
    ///
    /// If there is no such game.
    pub fn play(
        &self,
        prepared: &Prepared,
        strength: Strength,
        number: usize,
        interrupt: &AtomicBool,
    ) -> Result<Option<GameLine>, PlanError> {
        let (setup, _) = prepared.start_of(number);
        let (of, opening) = (&prepared.ready[setup], prepared.opening(number));
        let game = of.engine.game();
        let [spec, _] = strength.players();
        let Spec::Best(budget) = &spec else { unreachable!("both are players of this program") };
        let player = || Box::new(Best::new(game, *budget, MEMORY)) as Box<dyn Player>;
        let mut players = [player(), player()];
        let played = play(&of.engine, &of.start, opening, &mut players, self.conventions, interrupt);
        let played = played.map_err(|cause| PlanError::Player { player: spec.to_string(), cause })?;
        let numbers = Numbers { game: number as u64 + 1, setup, pair: number as u64, white: 1, opening: opening.len() };
        Ok(played.map(|played| GameLine::of(numbers, game, &played)))
    }
}

impl Prepared {
    /// Returns the number of games that a strength has.
    #[must_use]
    pub fn games(&self, strength: Strength) -> usize {
        strength.games as usize * self.starts.len()
    }

    pub(super) fn start_of(&self, number: usize) -> (usize, usize) {
        (number % self.starts.len(), number / self.starts.len())
    }

    pub(super) fn opening(&self, number: usize) -> &[Action] {
        let (start, opening) = self.start_of(number);
        &self.openings[self.starts[start].group][opening]
    }
}
