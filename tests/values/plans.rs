//! Plans: the method that answers is a step of the plan, and what is refused is not used.

use crate::common::{builtin_game, random_games};
use pods::answer::{Answerer, Finds, Request, Step, Used};
use pods::engine::{Bitboard, Engine as _, Status};
use pods::solver::{Limits, Method, Silent};

fn used(steps: &[Step]) -> Vec<(Method, Finds)> {
    let is_used = |step: &&Step| matches!(step.used, Used::Yes | Used::IfOpen);
    steps.iter().filter(is_used).map(|step| (step.method, step.finds)).collect()
}

#[test]
fn the_method_that_answers_is_in_the_plan() {
    let (mut asked, mut refused) = (0, 0);
    random_games(48, 60, 12, |game, positions| {
        for position in positions.iter().rev().take(2) {
            if Bitboard::new(game.clone()).status(position) != Status::Ongoing {
                continue;
            }
            for memory in [1 << 14, 1 << 20, 1 << 28] {
                let limits = Limits::default().with_memory(memory).with_nodes(20_000);
                let request = Request::new(limits);
                let mut answerer = Answerer::new(game);
                let steps = answerer.plan(position, request).unwrap();
                let first = steps.iter().find(|step| matches!(step.used, Used::Yes | Used::IfOpen)).unwrap();
                assert_eq!(first.used, Used::Yes, "{steps:?}");
                let found = answerer.answer(position, request, &Silent).unwrap();
                // A forced win is named after the search that found it.
                let method = match found.method() {
                    Method::AlphaBeta | Method::Tree => Method::Forced,
                    method => method,
                };
                assert!(used(&steps).iter().any(|(planned, _)| *planned == method), "{method} {steps:?}");
                refused += usize::from(steps.iter().any(|step| matches!(step.used, Used::Refused(_))));
                asked += 1;
            }
        }
    });
    assert!(asked > 200 && refused > 20, "{asked} plans, {refused} with a step that is refused");
}

#[test]
fn the_plan_is_what_the_docs_say() {
    use Finds::{Distance, ForcedWin, Value, Winner};
    let steps = |board: &str, pods: &str, rules: &str| {
        let game = builtin_game(board, 0, pods, rules);
        let start = game.whole_start().unwrap();
        Answerer::new(&game).plan(&start, Request::default()).unwrap()
    };
    let placement = [(Method::Exhaustive, Value), (Method::Search, Winner), (Method::Exhaustive, Distance)];
    assert_eq!(used(&steps("nook9", "four", "standard")), placement);
    let symmetric = used(&steps("mirror36", "pods14", "standard"));
    assert_eq!(symmetric[..2], [(Method::Mirror, Winner), (Method::Exhaustive, Value)]);
    assert_eq!(used(&steps("ring8", "trio", "advanced")), [(Method::Sweeps, Value), (Method::Forced, ForcedWin)]);
    let large = steps("cave36", "pods14", "advanced");
    assert_eq!(used(&large), [(Method::Retrograde, Value), (Method::Forced, ForcedWin)]);
}
