//! Compares the two engines on random games, rules and boards:
//! `cargo run --example crosscheck --no-default-features --features crosscheck`

use std::error::Error;

use pods::engine::crosscheck::{case, compare, run};
use pods::progress::Silent;
use pods::{Bitboard, Reference};

fn main() -> Result<(), Box<dyn Error>> {
    // Cases by number: the same in every run from this seed.
    let totals = run(1, 32, &Silent).map_err(|failure| failure.difference.to_string())?;
    println!("{} cases, {} positions, {} actions", totals.cases, totals.positions, totals.actions);
    assert!(totals.cases == 32 && totals.actions > totals.positions);

    // One position of one's own.
    let case = case(1, 7);
    let game = case.game();
    let found = compare(&Reference::new(game.clone()), &Bitboard::new(game.clone()), &case.position(&game));
    assert_eq!(found.map_err(|difference| difference.to_string())?.positions, 1);
    Ok(())
}
