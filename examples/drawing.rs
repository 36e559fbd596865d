//! A position as SVG and as text:
//! `cargo run --example drawing --no-default-features --features drawing`

use std::error::Error;

use pods::drawing::Drawing;
use pods::drawing::text::{self, Style};
use pods::material::{builtin_board, builtin_pods};
use pods::{Game, Preset};

fn main() -> Result<(), Box<dyn Error>> {
    let (board, pods) = (builtin_board("nook9").ok_or("no board")?, builtin_pods("four").ok_or("no pods")?);
    let game = Game::new(board, pods, Preset::Standard.into());
    let position = game.parse_position("3/1B1/2q w dt bdt -")?;

    let svg = Drawing::default().id("example").title("White to move").legend().position(&game, &position, &[]);
    println!("{svg}");
    assert!(svg.starts_with("<svg ") && svg.contains("White to move"));

    let picture = text::position(&game, &position, &[], Style::Ascii);
    println!("{picture}");
    assert!(picture.is_ascii() && picture.contains('B') && picture.contains('q'));
    Ok(())
}
