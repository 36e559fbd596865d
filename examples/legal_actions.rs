//! Legal actions of a position, and why another one is illegal. Needs no feature:
//! `cargo run --example legal_actions --no-default-features`

use std::error::Error;
use std::ops::ControlFlow;

use pods::material::{builtin_board, builtin_pods};
use pods::{Action, Bitboard, Clause, Engine, Game, Play, Preset, Reference};

fn main() -> Result<(), Box<dyn Error>> {
    let (board, pods) = (builtin_board("nook9").ok_or("no board")?, builtin_pods("four").ok_or("no pods")?);
    let game = Game::new(board, pods, Preset::Advanced.into());
    // Rows from the top, capitals are White's; then the side to move, White's hand, Black's hand,
    // the opening clause.
    let position = game.parse_position("3/1B1/2q w dt bdt -")?;

    // An unsorted list is the cheapest; a visit can stop at the first that fits.
    let fast = Bitboard::new(game.clone());
    assert_eq!(fast.legal_actions(&position).len(), 11);
    let mut moved = None;
    let _ = fast.try_for_each_action(&position, &mut |action| {
        moved = matches!(action, Action::Move { .. }).then_some(action);
        if moved.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(moved.is_some_and(|action| fast.is_legal(&position, action)));

    // Both engines list the actions sorted by their texts, and agree.
    let reference = Reference::new(game.clone());
    for action in reference.sorted_actions(&position) {
        let after = fast.apply(&position, action)?;
        assert_eq!(reference.apply(&position, action)?, after);
        println!("{} leads to {}", action.display(&game), after.next.display(&game));
    }

    // An error names the clause that an illegal action breaks, and what is to blame.
    for (text, clause) in [("t@b2", Clause::R10), ("d@b1", Clause::R12), ("b2-c3", Clause::R17), ("b2>c1", Clause::R22)]
    {
        let action = game.parse_action(text)?;
        let illegal = fast.apply(&position, action).unwrap_err();
        println!("{}", illegal.explain(&game, action));
        assert_eq!(illegal.clause, clause);
    }
    Ok(())
}
