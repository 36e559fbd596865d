//! A setup, a position and its actions as JSON, and back:
//! `cargo run --example saved_game --no-default-features --features serde`

use std::error::Error;

use pods::material::{builtin_board, builtin_pods};
use pods::position::UncheckedPosition;
use pods::{Engine, Game, Orientation, Preset, Reference, Setup};
use serde::{Deserialize, Serialize};

/// A game that was left off. Positions and actions are texts, which its setup reads.
#[derive(Serialize, Deserialize)]
struct Saved {
    setup: Setup,
    position: UncheckedPosition,
    legal: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let board = builtin_board("nook9").ok_or("no board")?.turned(Orientation::R90);
    let setup = Setup::whole(Game::new(board, builtin_pods("four").ok_or("no pods")?, Preset::Standard.into()));
    let game = setup.game();
    let position = setup.parse_position("3/1B1/2q w dt bdt -")?;
    let mut legal = Reference::new(game.clone()).legal_actions(&position);
    game.sort_actions(&mut legal);
    let saved = Saved {
        position: position.display(game).to_string().parse()?,
        legal: legal.iter().map(|action| action.display(game).to_string()).collect(),
        setup: setup.clone(),
    };
    let json = serde_json::to_string_pretty(&saved)?;
    println!("{json}");

    let read: Saved = serde_json::from_str(&json)?;
    assert_eq!(read.setup, setup);
    assert_eq!(read.position.check(read.setup.game())?, position);
    for (text, action) in read.legal.iter().zip(legal) {
        assert_eq!(read.setup.game().parse_action(text)?, action);
    }
    Ok(())
}
