//! Snort as pods sees it, and as the peers are given it: the points that are still open to each
//! player.

use std::sync::OnceLock;

use pods::engine::{Bitboard, Engine, Play};
use pods::geometry::{Direction, Point};
use pods::material::{Board, Side, board_from_toml, builtin_pods};
use pods::position::{Action, Game, Hand, Position};

/// Returns a grid of points, each joined to its neighbours in four directions.
pub fn grid(columns: usize, rows: usize) -> Result<Board, String> {
    let points = vec!["o"; columns].join("-");
    let lines = vec!["|"; columns].join(" ");
    let picture = vec![points; rows].join(&format!("\n{lines}\n"));
    let name = format!("grid {columns}x{rows}");
    let text = format!("name = \"{name}\"\nsource = \"made for the race\"\npoints = '''\n{picture}\n'''\n");
    board_from_toml(&name, &text).map_err(|e| e.to_string())
}

/// Creates Snort on a board: pods of four short legs, as many as there are points, no liberty asked
/// for, any opening (R9, R13).
pub fn game(board: Board) -> Result<(Game, Position), String> {
    let pods = builtin_pods("snort").ok_or("the built-in set snort is missing")?;
    let kind = pods.kind('o').ok_or("the set snort has no pod o")?;
    let hand: Hand = board.points().map(|_| kind).collect();
    let rules = "standard+placement-liberty=off+opening=any".parse().map_err(|e| format!("{e}"))?;
    let game = Game::new(board, pods, rules);
    let start = game.start(hand, hand, Side::White).map_err(|e| e.to_string())?;
    Ok((game, start))
}

/// By point: the points joined to it. Set once: a process plays on one board.
static NEAR: OnceLock<Vec<u64>> = OnceLock::new();

/// Says which board [`Snort`] is played on in this process.
pub fn play_on(board: &Board) {
    NEAR.get_or_init(|| {
        let joined = |p: Point| Direction::ALL.into_iter().filter_map(move |d| board.connected(p, d));
        board.points().map(|p| joined(p).fold(0, |set, q| set | 1 << q.index())).collect()
    });
}

fn near(point: u32) -> u64 {
    NEAR.get().map_or(0, |near| near[point as usize])
}

/// A position: the points open to the player to move, and to the other. What the rest of the game
/// depends on and no more, so that positions with the same future share an entry of a peer's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snort {
    pub mine: u64,
    pub theirs: u64,
}

impl Snort {
    pub fn start(board: &Board) -> Snort {
        let all = board.points().fold(0, |all, point| all | 1 << point.index());
        Snort { mine: all, theirs: all }
    }

    /// Returns the position after a move to an open point, seen by the opponent.
    #[inline]
    pub fn after(self, point: u32) -> Snort {
        let taken = 1 << point;
        Snort { mine: self.theirs & !taken & !near(point), theirs: self.mine & !taken }
    }

    /// Returns the mover's points, first those that close the most points to the opponent and the
    /// fewest to the mover: much as the search of pods orders them.
    pub fn ordered(self) -> impl Iterator<Item = u32> {
        let mut moves = [(0, 0); 64];
        let mut count = 0;
        let mut left = self.mine;
        while left != 0 {
            let point = left.trailing_zeros();
            left &= left - 1;
            let next = self.after(point);
            moves[count] = (2 * next.mine.count_ones() as i32 - next.theirs.count_ones() as i32, point);
            count += 1;
        }
        moves[..count].sort_unstable();
        moves.into_iter().take(count).map(|(_, point)| point)
    }
}

/// Plays random games to the end and compares what the peers are given with the legal actions of
/// pods.
pub fn check(game: &Game, start: &Position) -> Result<(), String> {
    let engine = Bitboard::new(game.clone());
    for seed in 1..=20_u64 {
        let (mut position, mut snort, mut random) = (start.clone(), Snort::start(game.board()), seed);
        loop {
            let actions = engine.sorted_actions(&position);
            let points = actions.iter().map(|action| match action {
                Action::Place { at, .. } => Ok(1_u64 << at.index()),
                other => Err(format!("{} is no placement", other.display(game))),
            });
            let open = points.sum::<Result<u64, String>>()?;
            if open != snort.mine {
                return Err(format!("{}: the rules differ", position.display(game)));
            }
            if actions.is_empty() {
                break;
            }
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let action = actions[(random >> 33) as usize % actions.len()];
            let Action::Place { at, .. } = action else { break };
            position = engine.apply(&position, action).map_err(|illegal| illegal.to_string())?.next;
            snort = snort.after(at.index() as u32);
        }
    }
    Ok(())
}
