//! Displacement of the opponent's uncaptured pods: none, or, by a shove or a kick, to elsewhere.

use crate::geometry::{Direction, MAX_POINTS, Point, PointSet};
use crate::material::Lines;
use crate::position::Game;
use crate::rules::KickGaps;

/// No point: beyond an edge, a hole or a missing line.
pub(in crate::table) const NOWHERE: u8 = u8::MAX;

/// Effects of actions on the opponent's pods beside captures, as far as an evaluator says.
#[derive(Clone, Copy)]
pub(in crate::table) enum Displacement<'a> {
    /// Nothing: there are no shoves.
    None,
    Pushed(&'a PushTables),
    /// It does not say.
    Unknown,
}

/// Targets of pushed pods (R22, R24). Directions are given by their number ([`Direction::index`]).
#[derive(Clone, Debug)]
pub(in crate::table) struct PushTables {
    /// The connected neighbour of each point by direction, or [`NOWHERE`].
    pub(in crate::table) next: [[u8; MAX_POINTS]; 8],
    /// True if a long leg may run and then shove (R23).
    pub(in crate::table) after_run: bool,
    /// For each direction and point, the points that a kicked pod slides over if all are empty,
    /// nearest first.
    slides: Vec<Vec<u8>>,
    /// For each point, those from which a kicked pod can slide there.
    kicked_from: [u64; MAX_POINTS],
    lines: Lines,
}

impl PushTables {
    pub(in crate::table) fn new(game: &Game) -> PushTables {
        let (board, options) = (game.board(), game.rules().options());
        let mut tables = PushTables {
            next: [[NOWHERE; MAX_POINTS]; 8],
            after_run: options.shove_after_run,
            slides: vec![Vec::new(); 8 * MAX_POINTS],
            kicked_from: [0; MAX_POINTS],
            lines: Lines::new(board),
        };
        for (direction, from) in Direction::ALL.into_iter().flat_map(|d| board.points().map(move |from| (d, from))) {
            let connected = |at: Point| board.connected(at, direction);
            if let Some(to) = connected(from) {
                tables.next[direction.index()][from.index()] = to.index() as u8;
            }
            let slide = &mut tables.slides[direction.index() * MAX_POINTS + from.index()];
            let mut at = from;
            while let Some(to) = board.neighbour(at, direction) {
                slide.push(to.index() as u8);
                tables.kicked_from[to.index()] |= 1 << from.index();
                if options.kick_gaps == KickGaps::LastStep && connected(at).is_none() {
                    break;
                }
                at = to;
            }
        }
        tables
    }

    /// Returns the direction that leads back: lines work both ways (R1).
    pub(in crate::table) fn opposite(direction: usize) -> usize {
        direction ^ 4
    }

    /// Returns the points that a pod kicked off a point slides over if all are empty, nearest
    /// first.
    #[inline]
    pub(in crate::table) fn slides(&self, direction: usize, from: u8) -> &[u8] {
        &self.slides[direction * MAX_POINTS + from as usize]
    }

    /// Returns the points that a pod kicked off a point can be left on when these are empty.
    #[inline]
    pub(in crate::table) fn slide(&self, direction: usize, from: u8, empty: u64) -> u64 {
        let reached = self.slides(direction, from).iter().take_while(|&to| empty >> to & 1 == 1);
        reached.fold(0, |set, to| set | 1 << to)
    }

    /// Adds to some arrangements of pods those from which a push can lead to one of them: a shove,
    /// which moves pods of one line by a step each, or a kick of one pod. The point of the last pod
    /// is a bit of a word, those of the others are the digits of its number, all as in a
    /// [frontier](crate::table::retro::frontier). What else stands on the board is not asked: so
    /// there are more than those.
    pub(super) fn spread(&self, words: &mut [u64], points: usize, pods: u32) {
        let strides: Vec<usize> = (0..pods.saturating_sub(1)).map(|digit| points.pow(digit)).collect();
        let before = words.to_vec();
        let held = || before.iter().enumerate().filter(|(_, word)| **word != 0);
        for (number, &word) in held() {
            for &stride in &strides {
                let point = number / stride % points;
                for from in PointSet(self.kicked_from[point]) {
                    words[number - point * stride + from.index() * stride] |= word;
                }
            }
            words[number] |= PointSet(word).into_iter().fold(0, |set, point| set | self.kicked_from[point.index()]);
        }
        for back in 0..8 {
            let mut shoved = before.clone();
            for &stride in &strides {
                let unmoved = shoved.clone();
                for (number, &word) in unmoved.iter().enumerate().filter(|(_, word)| **word != 0) {
                    let point = number / stride % points;
                    let from = self.next[back][point];
                    if from != NOWHERE {
                        shoved[number - point * stride + from as usize * stride] |= word;
                    }
                }
            }
            for (word, shoved) in words.iter_mut().zip(shoved) {
                *word |= shoved | self.lines.step(back, shoved);
            }
        }
    }
}
