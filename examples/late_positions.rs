//! Late positions of random play on `cave36` with all pods, and whether the side to move forces a
//! win, as CSV.
//!
//!     cargo run --release --example late_positions advanced 3 11 40 > forced.csv
//!
//! The arguments are the rules, the most pods in a hand, the plies within which a win is looked
//! for, and the number of positions. `scripts/results.sh forced` uses it.

use std::error::Error;
use std::time::Instant;

use pods::material::{builtin_board, builtin_pods};
use pods::solver::forced::{Forced, forced_win};
use pods::solver::{Limits, Silent};
use pods::{Bitboard, Engine, Game, Hand, Position, Setup, Side};
use rand::{RngExt as _, SeedableRng as _};

const NODES: u64 = 30_000_000;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, hands, plies, count] = &arguments[..] else {
        return Err("rules, largest hand, plies and number of positions, as in: advanced 3 11 40".into());
    };
    let (hands, plies, count): (usize, u16, u64) = (hands.parse()?, plies.parse()?, count.parse()?);
    let (board, pods) = (builtin_board("cave36").unwrap(), builtin_pods("pods14").unwrap());
    let whole = [(); 2].map(|()| Hand::whole(&pods));
    let setup = Setup::new(Game::new(board, pods, rules.parse()?), whole);
    let engine = Bitboard::new(setup.game().clone());
    println!("board,orientation,rules,hands,seed,position,answer,nodes,seconds");
    for seed in 0..count {
        let position = late_position(&engine, &setup.start(Side::White)?, hands, seed);
        let begun = Instant::now();
        let answer = forced_win(&engine, &position, plies, Limits::default().with_nodes(NODES), &Silent);
        let said = match answer.found {
            Forced::Win { plies, .. } => format!("win in {plies}"),
            Forced::NotWithin(plies) => format!("not within {plies}"),
            Forced::Unknown { .. } => "unknown".to_owned(),
        };
        let (seconds, position) = (begun.elapsed().as_secs_f64(), position.display(setup.game()));
        println!("cave36,0,{rules},{hands},{seed},{position},{said},{},{seconds:.3}", answer.nodes);
    }
    Ok(())
}

/// Returns the first unfinished position of random play in which no hand has more pods than given.
/// Hands may grow again by captures, so a game that is too long is given up.
fn late_position(engine: &Bitboard, start: &Position, hands: usize, seed: u64) -> Position {
    const LONGEST: u32 = 2_000;
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    loop {
        let mut position = start.clone();
        for _ in 0..LONGEST {
            let actions = engine.sorted_actions(&position);
            if actions.is_empty() {
                break;
            }
            if Side::BOTH.iter().all(|&side| position.hand(side).len() <= hands) {
                return position;
            }
            let action = actions[random.random_range(0..actions.len())];
            position = engine.position(&engine.play_state(&engine.state(&position), action));
        }
    }
}
