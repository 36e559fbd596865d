//! Solves a small setup from its first action, with best play to the end:
//! `cargo run --example solve_setup --no-default-features --features tables`

use std::error::Error;
use std::time::Duration;

use pods::answer::{Answerer, Request};
use pods::material::{builtin_board, builtin_pods};
use pods::solver::{Finding, Silent, Value, Verdict};
use pods::{Bitboard, Game, Limits, Play, Preset};

fn main() -> Result<(), Box<dyn Error>> {
    let (board, pods) = (builtin_board("nook9").ok_or("no board")?, builtin_pods("trio").ok_or("no pods")?);
    let game = Game::new(board, pods, Preset::Advanced.into());
    let start = game.whole_start()?;

    let mut request = Request::default();
    request.limits = Limits::default().with_memory(1 << 30).with_time(Duration::from_secs(60));
    // Tables, solvers and searches are tried, the cheapest first.
    match Answerer::new(&game).answer(&start, request, &Silent)? {
        Finding::Solved(solution) => {
            assert_eq!(solution.verdict, Verdict::Value(Value::Win(5)));
            println!("{:?} by {:?}, {} positions", solution.verdict, solution.method, solution.positions);
            let texts =
                |actions: &[pods::Action]| actions.iter().map(|&a| a.display(&game).to_string()).collect::<Vec<_>>();
            println!("best actions: {}", solution.best.as_deref().map(texts).unwrap_or_default().join(" "));
            let (engine, mut position) = (Bitboard::new(game.clone()), start);
            for action in solution.line.unwrap_or_default() {
                position = engine.apply(&position, action)?.next;
                println!("{} {}", action.display(&game), position.display(&game));
            }
        }
        // Nothing is guessed: what stopped the work is all that is said.
        Finding::Unknown(unsolved) => println!("not known: {}", unsolved.stopped),
    }
    Ok(())
}
