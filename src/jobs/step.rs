//! Ways from the root to the positions of jobs: placements and covers.

use sha2::{Digest as _, Sha256};

use crate::certificate::{GameData, Situation, union};
use crate::files::hex;
use crate::geometry::{Coord, Point};
use crate::material::{PodKind, PodSet, PodSpec, Side};
use crate::position::{Action, Game, Position, UncheckedPosition};

/// A step of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// A placement.
    Place(PodKind, Point),
    /// All placements on a point at once: a pod with the legs of all of them, and nothing is taken
    /// from the hand.
    Cover(Point),
}

impl Step {
    /// Returns `b@c3`, or `*@c3` for a cover.
    pub(super) fn text(self, game: &Game) -> String {
        match self {
            Step::Place(kind, at) => game.action_text(Action::Place { kind, at }),
            Step::Cover(at) => format!("*@{}", game.board().coord(at)),
        }
    }

    /// Takes the step from a situation; `None` if it is not possible.
    pub(super) fn taken(self, game: &Game, from: &Situation) -> Option<Situation> {
        let legal = from.placements(game);
        match self {
            Step::Place(kind, at) => legal.contains(kind, at).then(|| from.after(game, kind, at)),
            Step::Cover(at) => from.cover(game, &legal, at),
        }
    }
}

/// Returns the steps as texts.
pub(super) fn texts(game: &Game, path: &[Step]) -> Vec<String> {
    path.iter().map(|step| step.text(game)).collect()
}

/// A position of a job by itself: a game with a kind of pods for each cover, and the position in
/// it.
#[derive(Clone, Debug)]
pub(super) struct Own {
    pub(super) game: Game,
    pub(super) position: Position,
    /// The kinds that stand for covers.
    pub(super) covers: Vec<PodSpec>,
}

/// Returns the letters of kinds.
fn letters() -> impl Iterator<Item = char> {
    'a'..='z'
}

/// Returns the number of covers that a way may have: each is a kind of its own, and needs a letter.
pub(super) fn most_covers(game: &Game) -> usize {
    letters().count() - game.pods().kinds().len()
}

impl Own {
    /// Follows a path from the root; `None` if it cannot be followed, or has too many covers.
    pub(super) fn of(game: &Game, root: &Position, path: &[Step]) -> Option<Own> {
        let pods = game.pods();
        let mut specs: Vec<PodSpec> = pods.kinds().map(|kind| pods.spec(kind).clone()).collect();
        let own = specs.len();
        let mut setup = UncheckedPosition::parse(&root.text(game)).ok()?;
        let mut situation = Situation::new(game, root);
        for &step in path {
            let side = situation.to_move;
            let (at, id) = match step {
                Step::Place(kind, at) => {
                    let id = pods.id(kind);
                    setup.hands[side.index()].iter_mut().find(|(other, _)| *other == id)?.1 -= 1;
                    (at, id)
                }
                Step::Cover(at) => {
                    let id = letters().find(|&letter| specs.iter().all(|spec| spec.id != letter))?;
                    let legal = situation.placements(game);
                    let legs = union(legal.kinds_at(at).map(|kind| pods.legs(kind)))?;
                    specs.push(PodSpec { id, name: format!("cover on {}", coord(game, at)), legs, count: 1 });
                    (at, id)
                }
            };
            situation = step.taken(game, &situation)?;
            setup.pods.push((coord(game, at), side, id));
            setup.to_move = side.other();
            setup.open = false;
        }
        for hand in &mut setup.hands {
            hand.retain(|&(_, count)| count > 0);
        }
        let covers = specs[own..].to_vec();
        let name = if covers.is_empty() { pods.name().to_owned() } else { format!("{} and covers", pods.name()) };
        let pods = PodSet::new(name, pods.source(), specs).ok()?;
        let game = Game::new(game.board().clone(), pods, *game.rules());
        let position = setup.check(&game).ok()?;
        Some(Own { game, position, covers })
    }
}

fn coord(game: &Game, at: Point) -> Coord {
    game.board().coord(at)
}

/// Names jobs by their content: points, lines, pods, options, and the position with its covers.
/// What the board and the pods are called makes no difference, nor does the way to the position.
#[derive(Clone, Debug)]
pub(super) struct Namer {
    begun: Sha256,
    buffer: Vec<u8>,
}

impl Namer {
    pub(super) fn new(game: &Game) -> Namer {
        let mut begun = Sha256::new();
        // Texts and numbers are JSON.
        begun.update(serde_json::to_vec(&GameData::new(game).content()).unwrap_or_default());
        begun.update(b"\n");
        Namer { begun, buffer: Vec::new() }
    }

    /// Returns the name of a situation: 32 hexadecimal digits.
    pub(super) fn name(&mut self, situation: &Situation) -> String {
        situation.identity(&mut self.buffer);
        let digest = self.begun.clone().chain_update(&self.buffer).finalize();
        hex(&digest[..16])
    }
}

/// Returns `win` or `loss` for the side to move.
pub(super) fn value_name(winner: Side, to_move: Side) -> &'static str {
    if winner == to_move { "win" } else { "loss" }
}

/// Returns the winner that a value says; `None` if it is none of `win` and `loss`.
pub(super) fn winner_of(value: &str, to_move: Side) -> Option<Side> {
    match value {
        "win" => Some(to_move),
        "loss" => Some(to_move.other()),
        _ => None,
    }
}
