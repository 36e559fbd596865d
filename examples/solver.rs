//! Solves a placement game, for the winner and, if it is small, the exact value:
//! `cargo run --example solver --no-default-features --features solver`

use std::error::Error;

use pods::material::{builtin_board, builtin_pods};
use pods::solver::search::Search;
use pods::solver::{Exhaustive, Silent, plain_exhaustive};
use pods::{Bitboard, Game, Limits, Outcome, Preset, Reference, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let (board, pods) = (builtin_board("nook9").ok_or("no board")?, builtin_pods("four").ok_or("no pods")?);
    let game = Game::new(board, pods, Preset::Standard.into());
    let start = game.parse_position("3/3/3 w bdt bdt open")?;
    let limits = Limits::default().with_memory(1 << 28);

    // The search for the winner takes any placement game.
    let search = Search::new(&game, 1 << 24).ok_or("rules with moves or captures")?;
    assert_eq!(search.solve(&start, limits, &Silent).outcome, Ok(Outcome::Win));

    // The distance too, where all positions can be visited.
    let mut exhaustive = Exhaustive::new(Bitboard::new(game.clone()), &[&start], limits);
    let value = exhaustive.value(&start, &Silent)?;
    println!("{value}, after {} positions", exhaustive.positions());
    assert_eq!(value, Value::Win(5));

    // A slow twin, with the reference engine and nothing of the fast one.
    assert_eq!(plain_exhaustive(&Reference::new(game), &start, &mut hashbrown::HashMap::new()), value);
    Ok(())
}
