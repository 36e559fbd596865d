//! Builds a table of a small setup, verifies it and asks it for the values after each action:
//! `cargo run --example table --no-default-features --features tables`

use std::error::Error;

use pods::material::{Side, builtin_board, builtin_pods};
use pods::position::Setup;
use pods::progress::Silent;
use pods::table::{BuildOptions, Table, build};
use pods::{Bitboard, Engine, Game, Play, Preset, Status, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let (board, pods) = (builtin_board("ring8").ok_or("no board")?, builtin_pods("duo").ok_or("no pods")?);
    let setup = Setup::whole(Game::new(board, pods, Preset::Advanced.into()));
    let (game, start) = (setup.game(), setup.start(Side::White)?);

    let folder = tempfile::tempdir()?;
    let name = folder.path().join("ring8-duo");
    build(&setup, &name, BuildOptions { memory: 1 << 30, ..BuildOptions::default() }, &Silent)?;

    let table = Table::open(&name)?.of(&setup)?;
    let mut reader = table.reader()?;
    let value = reader.value(&start)?;
    println!("start: {value:?}");
    assert_eq!(value, Value::Win(3));
    let engine = Bitboard::new(game.clone());
    for action in engine.sorted_actions(&start) {
        let next = engine.apply(&start, action)?.next;
        // A finished game is in no table.
        if engine.status(&next) == Status::Ongoing {
            println!("{}: {:?} for the other side", action.display(game), reader.value(&next)?);
        }
    }
    Ok(())
}
