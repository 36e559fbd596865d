//! Writes an oracle set and checks an engine of one's own against it:
//! `cargo run --example oracle_set --no-default-features --features oracle`

use std::error::Error;
use std::fs;

use pods::files::{Destination, Inputs};
use pods::material::{builtin_board, builtin_pods};
use pods::oracle::Line;
use pods::oracle::export::{POSITIONS, Spec, export};
use pods::progress::Silent;
use pods::{Bitboard, Engine, Game, Play, Preset, Setup};

fn main() -> Result<(), Box<dyn Error>> {
    let (board, pods) = (builtin_board("nook9").ok_or("no board")?, builtin_pods("four").ok_or("no pods")?);
    let setup = Setup::whole(Game::new(board, pods, Preset::VeryAdvanced.into()));

    let folder = tempfile::tempdir()?;
    let inputs = Inputs::default();
    let to = Destination { folder: folder.path(), force: false, inputs: &inputs };
    let spec = Spec::new(setup.clone()).with_count(5).with_seed(7);
    let manifest = export(&spec, None, to, false, &Silent)?;
    println!("{} positions, sha256 {}", manifest.positions.lines, manifest.positions.sha256);

    // Put an engine of your own here. Positions and actions are texts, so it may be written in any
    // language.
    let game = setup.game();
    let mine = Bitboard::new(game.clone());
    let mut actions = 0;
    for text in fs::read_to_string(folder.path().join(POSITIONS))?.lines() {
        let line = Line::parse(text)?;
        let position = game.parse_position(&line.position)?;
        assert_eq!(mine.status(&position).name(), line.status, "{}", line.position);
        let listed: Vec<String> =
            mine.sorted_actions(&position).iter().map(|&action| action.display(game).to_string()).collect();
        let wanted: Vec<&String> = line.actions.iter().map(|entry| &entry.action).collect();
        assert_eq!(listed.iter().collect::<Vec<_>>(), wanted, "{}", line.position);
        for entry in &line.actions {
            let after = mine.apply(&position, game.parse_action(&entry.action)?)?.next;
            assert_eq!(after.display(game).to_string(), entry.position, "{} {}", line.position, entry.action);
        }
        for forbidden in &line.illegal {
            assert!(!mine.is_legal(&position, game.parse_action(&forbidden.action)?), "{}", forbidden.clause);
        }
        actions += listed.len();
    }
    println!("the engine agrees on {actions} actions");
    Ok(())
}
