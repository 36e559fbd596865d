//! Legal actions of a position, and why another one is illegal. Needs no feature:
//! `cargo run --example legal_actions --no-default-features`

use std::error::Error;
use std::ops::ControlFlow;

use pods::material::{builtin_board, builtin_pods};
use pods::{Action, Bitboard, Engine, Game, Preset, Reference};

fn main() -> Result<(), Box<dyn Error>> {
    let (board, pods) = (builtin_board("nook9").ok_or("no board")?, builtin_pods("four").ok_or("no pods")?);
    let game = Game::new(board, pods, Preset::Advanced.into());
    // Rows from the top, capitals are White's; then the side to move, White's hand, Black's hand,
    // the opening clause.
    let position = game.position("3/1B1/2q w dt bdt -")?;

    // The fast engine works on states: an unsorted list, a visit that can stop, a question about
    // one action.
    let fast = Bitboard::new(game.clone());
    let state = fast.state(&position);
    println!("{} legal actions", fast.legal_actions(&state).len());
    let first_move = fast.try_for_each_action(&state, |action| match action {
        Action::Move { .. } => ControlFlow::Break(game.action_text(action)),
        _ => ControlFlow::Continue(()),
    });
    println!("a move: {}", first_move.break_value().as_deref().unwrap_or("none"));

    // Both engines list the actions sorted by their texts, and agree.
    let reference = Reference::new(game.clone());
    for action in reference.actions(&position) {
        assert!(fast.allows(&state, action));
        let after = fast.apply(&position, action).ok_or("listed, so legal")?;
        println!("{:6} {}", game.action_text(action), after.next.text(&game));
    }

    // The reference engine names the clause that an illegal action breaks, and what is to blame.
    for text in ["t@b2", "d@b1", "b2-c3", "b2>c1"] {
        let action = game.action(text)?;
        match reference.check(&position, action) {
            Ok(()) => println!("{text} is legal"),
            Err(illegal) => println!("{}", illegal.explain(&game, action)),
        }
    }
    Ok(())
}
