//! How early in the game positions of the real size are solved: seeded random positions of cave36 and pods14, `standard`.
//!
//! `cargo run --release --example frontier -- PLY COUNT NODES > rows.csv`: for each seed from 0, the orientation seed mod 4,
//! a position after PLY uniformly random plies from the full hands, searched by one thread with at most NODES nodes and a
//! table of 64 MiB of its own. An unknown outcome is an empty cell.

use std::time::Instant;

use pods::engine::{Bitboard, Engine};
use pods::geometry::Orientation;
use pods::material::{Side, builtin_board, builtin_pods};
use pods::position::{Game, Hand};
use pods::rules::Preset;
use pods::solver::Silent;
use pods::solver::search::{Budget, Search};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|arg| arg.parse::<u64>());
    let mut number = || numbers.next().ok_or("usage: frontier PLY COUNT NODES")?.map_err(|e| e.to_string());
    let (ply, count, nodes) = (number()?, number()?, number()?);
    let mut out = csv::Writer::from_writer(std::io::stdout());
    out.write_record(["ply", "seed", "orientation", "position", "value", "nodes", "seconds"])?;
    for seed in 0..count {
        let orientation = Orientation::ALL[seed as usize % 4];
        let board = builtin_board("cave36").ok_or("no board")?.turned(orientation);
        let pods = builtin_pods("pods14").ok_or("no pods")?;
        let hand = Hand::whole(&pods);
        let game = Game::new(board, pods, Preset::Standard.into());
        let engine = Bitboard::new(game.clone());
        let mut position = game.start(hand, hand, Side::White)?;
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(12_345);
        for _ in 0..ply {
            let actions = engine.actions(&position);
            if actions.is_empty() {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let action = actions[((random >> 33) % actions.len() as u64) as usize];
            position = engine.apply(&position, action).ok_or("listed as legal")?.next;
        }
        let search = Search::new(&game, 64 << 20).ok_or("a placement game")?;
        let start = Instant::now();
        let answer = search.solve(&position, Budget { nodes, ..Budget::default() }, &Silent);
        let seconds = start.elapsed().as_secs_f64();
        out.write_record([
            ply.to_string(),
            seed.to_string(),
            orientation.to_string(),
            position.text(&game),
            answer.outcome.map_or("", |outcome| outcome.name()).to_owned(),
            answer.nodes.to_string(),
            format!("{seconds:.3}"),
        ])?;
        out.flush()?;
    }
    Ok(())
}
