//! Comparison of a sample of situations with the reference engine.
//!
//! A situation is a position of a game whose pod set has, beside the kinds in hand, a kind for the
//! legs of each pod on the board: covers too.

use super::field::{Field, LegBits, bits};
use super::scene::{PairSets, Scene};
use crate::engine::{Engine, Reference, Status};
use crate::geometry::{Coord, Direction};
use crate::material::{Leg, Legs, PodKind, PodSet, PodSpec, Reach, Side};
use crate::position::{Action, Game, Position};

/// Situations of a section that are compared: the first ones, and one of so many of the others.
const FIRST: u64 = 64;
const ONE_OF: u64 = 1 << 11;

/// Number of situations that were compared with the reference engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// All of them.
    pub positions: u64,
    /// Those with a virtual pod on the board, one with legs that no kind has.
    pub virtual_pods: u64,
}

/// Returns `true` if a situation of a section, by its number, is in the sample.
pub(in crate::certificate) fn is_sampled(section: u64, number: u64) -> bool {
    let seed = section.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
    let mixed = (seed ^ seed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number < FIRST || (mixed >> 40).is_multiple_of(ONE_OF)
}

pub(in crate::certificate) struct AsPosition {
    pub(in crate::certificate) game: Game,
    pub(in crate::certificate) position: Position,
    /// By kind of this game: the kind of the other one; `None` for those that only stand on the
    /// board.
    kinds: Vec<Option<usize>>,
    /// True if some pod has legs that no kind of the other game has.
    pub(in crate::certificate) has_virtual_pods: bool,
}

impl AsPosition {
    /// Creates the position; `None` where there are more kinds than ids.
    pub(in crate::certificate) fn new(game: &Game, field: &Field, scene: &Scene) -> Option<AsPosition> {
        // By kind: the legs as White sees them, the kind in hand, and the counts of both sides.
        let mut kinds: Vec<(LegBits, Option<usize>, [u8; 2])> = Vec::new();
        for kind in bits(u64::from(scene.kinds[0] | scene.kinds[1])) {
            let counts = [0, 1].map(|side| scene.hands[side][kind]);
            kinds.push((field.legs[0][kind], Some(kind), counts));
        }
        let (columns, rows) = (usize::from(game.board().columns()), usize::from(game.board().rows()));
        let mut places = vec![vec![None; columns]; rows];
        let mut has_virtual_pods = false;
        for side in 0..2 {
            for point in bits(scene.held[side]) {
                let lie = scene.legs_on(side, point);
                let turns = 4 * side as u32;
                let legs = LegBits { all: lie.all.rotate_left(turns), long: lie.long.rotate_left(turns) };
                has_virtual_pods |= !field.legs[0][..field.kinds].contains(&legs);
                let number = kinds.iter().position(|kind| kind.0 == legs).unwrap_or_else(|| {
                    kinds.push((legs, None, [0; 2]));
                    kinds.len() - 1
                });
                kinds[number].2[side] += 1;
                let Coord { column, row } = game.board().coord(crate::geometry::Point::new(point));
                places[usize::from(row)][usize::from(column)] = Some((side, number));
            }
        }
        if kinds.len() > PodKind::MAX {
            return None;
        }
        let id = |number: usize| char::from(b'a' + number as u8);
        let spec = |(number, &(legs, _, counts)): (usize, &(LegBits, Option<usize>, [u8; 2]))| {
            let reach = |d: usize| if legs.long >> d & 1 == 1 { Reach::Long } else { Reach::Short };
            let directions = bits(u64::from(legs.all)).map(|d| (Direction::ALL[d], reach(d)));
            let legs = Legs::new(directions.map(|(direction, reach)| Leg { direction, reach }))?;
            Some(PodSpec { id: id(number), name: String::new(), legs, count: counts[0].max(counts[1]) })
        };
        let specs: Vec<PodSpec> = kinds.iter().enumerate().map(spec).collect::<Option<_>>()?;
        let letter = |(side, number): (usize, usize)| match side {
            0 => id(number).to_ascii_uppercase(),
            _ => id(number),
        };
        let row = |places: &Vec<Option<(usize, usize)>>| {
            let (mut text, mut gap) = (String::new(), 0);
            for place in places.iter().copied().chain([Some((2, 0))]) {
                let Some(pod) = place else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    text += &gap.to_string();
                    gap = 0;
                }
                // The last one only ends the row.
                if pod.0 < 2 {
                    text.push(letter(pod));
                }
            }
            text
        };
        let hand = |side: usize| {
            let in_hand = |(number, &(_, kind, _)): (usize, &(LegBits, Option<usize>, [u8; 2]))| {
                let count = kind.map_or(0, |kind| scene.hands[side][kind]);
                match count {
                    0 => String::new(),
                    1 => id(number).to_string(),
                    more => format!("{}{more}", id(number)),
                }
            };
            let text: String = kinds.iter().enumerate().map(in_hand).collect();
            if text.is_empty() { "-".to_owned() } else { text }
        };
        let text = format!(
            "{} {} {} {} {}",
            places.iter().rev().map(row).collect::<Vec<_>>().join("/"),
            ["w", "b"][scene.mover],
            hand(0),
            hand(1),
            if scene.open { "open" } else { "-" }
        );
        let pods = PodSet::new("pods and covers", "a certificate", specs).ok()?;
        let game = Game::new(game.board().clone(), pods, *game.rules());
        let position = game.parse_position(&text).ok()?;
        let kinds = kinds.into_iter().map(|(_, kind, _)| kind).collect();
        Some(AsPosition { game, position, kinds, has_virtual_pods })
    }

    /// Compares the choices of the side to move with those of the reference engine; what is wrong.
    pub(in crate::certificate) fn differs(&self, choices: &PairSets) -> Option<String> {
        let reference = Reference::new(self.game.clone());
        let mut left = *choices;
        let mut same = true;
        for action in reference.sorted_actions(&self.position) {
            let Action::Place { kind, at } = action else {
                same = false;
                break;
            };
            let there =
                self.kinds[kind.index()].map(|kind| &mut left.at[kind]).filter(|set| **set >> at.index() & 1 == 1);
            match there {
                Some(set) => *set &= !(1 << at.index()),
                None => same = false,
            }
        }
        let stuck = choices.any == 0;
        let loser = Side::BOTH[usize::from(self.position.to_move() == Side::Black)];
        let over = reference.status(&self.position) == Status::Won(loser.other());
        if same && left.at.iter().all(|&set| set == 0) && stuck == over {
            return None;
        }
        let text = self.position.display(&self.game).to_string();
        Some(format!("the reference engine and the rules of the walk differ on {text} with pods {}", self.pods()))
    }

    fn pods(&self) -> String {
        let pods = self.game.pods();
        let of = |kind| format!("{} = {}", pods.id(kind), pods.legs(kind));
        pods.kinds().map(of).collect::<Vec<_>>().join(", ")
    }
}
