//! The numbers that the player weighs, of every position in a file of games, with what came of the
//! game.
//!
//!     pods match 'best --nodes 2000' 'best --nodes 2000' --rules advanced --out games.jsonl
//!     cargo run --release --example player_positions games.jsonl > positions.csv
//!
//! A row has the number of the game, the points of the player to move (1, 0.5 or 0), and the
//! numbers by name; those of which the name ends in `*` grow with the pods in hand.
//! `scripts/player-fit.py` fits weights to such rows.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use pods::answer::best::{FEATURE_NAMES, position_features};
use pods::matches::Line;
use pods::{Bitboard, Engine, Status};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let starred = FEATURE_NAMES.map(|name| format!("{name}*"));
    writeln!(out, "game,points,{},{}", FEATURE_NAMES.join(","), starred.join(","))?;
    let mut number = 0;
    for path in std::env::args().skip(1) {
        let mut setups = Vec::new();
        for line in BufReader::new(File::open(path)?).lines() {
            match serde_json::from_str(&line?)? {
                Line::Match(_) | Line::End(_) => {}
                Line::Setup(setup) => {
                    let game = setup.game.setup()?.game().clone();
                    let start = game.parse_position(&setup.start)?;
                    setups.push((Bitboard::new(game), start));
                }
                Line::Game(game) => {
                    let (engine, start) = &setups[game.setup];
                    let mut state = engine.state(start);
                    for (ply, text) in game.actions.split(' ').enumerate() {
                        // What the opening led to by chance is left out, and so is what ends the
                        // game.
                        if ply > game.opening && engine.state_status(&state) == Status::Ongoing {
                            let points = match (game.result.as_str(), state.to_move().index()) {
                                ("draw", _) => "0.5",
                                ("white", 0) | ("black", 1) => "1",
                                _ => "0",
                            };
                            write!(out, "{number},{points}")?;
                            for value in position_features(engine, &state) {
                                write!(out, ",{value:.4}")?;
                            }
                            writeln!(out)?;
                        }
                        let action = engine.game().parse_action(text)?;
                        state = engine.play_state(&state, action);
                    }
                    number += 1;
                }
            }
        }
    }
    Ok(out.flush()?)
}
