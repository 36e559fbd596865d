//! Every reader is fed damaged texts: it may refuse, it may not panic.
//!
//! Texts come from a small corpus (`tests/corpus/readers`, and the boards and pods that are built
//! in) and are damaged at random by proptest: bytes changed, cut out, doubled, and words of one
//! text put into another. A failure prints the text; add it to the corpus.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::damage::fuzz_texts as fuzz;
use pods::engine::{Engine, Reference};
use pods::geometry::Coord;
use pods::matches::replay;
use pods::material::{
    BUILTIN_BOARDS, BUILTIN_PODS, Legs, board_from_toml, builtin_board, builtin_pods, pods_from_toml,
};
use pods::oracle::protocol::{read_request, read_response};
use pods::oracle::{GameRecord, Line, OracleManifest, Session};
use pods::position::{Game, Hand};
use pods::rules::{Clause, Preset, RuleSet};

fn corpus(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/readers").join(name);
    fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect()
}

fn games() -> Vec<Game> {
    let game = |board: &str, pods: &str, rules: RuleSet| {
        Game::new(builtin_board(board).unwrap(), builtin_pods(pods).unwrap(), rules)
    };
    let open = RuleSet::from(Preset::Standard).with("opening", "any").unwrap();
    vec![
        game("nook9", "four", Preset::VeryAdvanced.into()),
        game("ring8", "four", Preset::Advanced.into()),
        game("nook9", "snort", open),
    ]
}

#[test]
fn board_and_pod_files() {
    let texts: Vec<String> = BUILTIN_BOARDS.iter().chain(BUILTIN_PODS).map(|(_, text)| (*text).to_owned()).collect();
    fuzz(&texts, |text| {
        let _ = board_from_toml("fuzz", text).map(|board| board.picture());
        let _ = pods_from_toml("fuzz", text);
    });
}

#[test]
fn positions_and_what_follows_from_them() {
    let games = games();
    fuzz(&corpus("positions.txt"), |text| {
        for game in &games {
            let Ok(position) = game.parse_position(text) else { continue };
            assert_eq!(position.display(game).to_string(), text);
            let engine = Reference::new(game.clone());
            let actions = engine.sorted_actions(&position);
            assert_eq!(actions.is_empty(), engine.status(&position).name() != "ongoing");
        }
    });
}

#[test]
fn actions_and_why_they_are_illegal() {
    let games = games();
    fuzz(&corpus("actions.txt"), |text| {
        for game in &games {
            let Ok(action) = game.parse_action(text) else { continue };
            assert_eq!(action.display(game).to_string(), text);
            let engine = Reference::new(game.clone());
            for position in ["1B1/2t/3 w dt b -", "1d1/bt1/Q1T b b q -", "3/3/3 w bdqt bdqt open"] {
                let Ok(position) = game.parse_position(position) else { continue };
                let _ = engine.check(&position, action).map_err(|illegal| illegal.explain(game, action));
            }
        }
    });
}

#[test]
fn names_legs_hands_clauses_and_commands() {
    let pods = builtin_pods("snort").unwrap();
    fuzz(&corpus("names.txt"), |text| {
        let _ = text.parse::<RuleSet>().map(|rules| assert_eq!(rules.to_string().parse(), Ok(rules)));
        let _ = text.parse::<Legs>();
        let _ = text.parse::<Clause>();
        let _ = text.parse::<Coord>();
        let _ = Hand::parse(text, &pods);
        let _ = shell_words::split(text);
    });
}

#[test]
fn lines_of_oracle_sets() {
    let game = Game::new(builtin_board("ring8").unwrap(), builtin_pods("four").unwrap(), Preset::Advanced.into());
    let reference = Reference::new(game);
    fuzz(&corpus("oracle_lines.txt"), |text| {
        if let Ok(line) = Line::parse(text) {
            let _ = line.verify(&reference, Some(300), None);
        }
    });
}

#[test]
fn manifests_of_oracle_sets() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/oracle/advanced/manifest.json");
    fuzz(&[fs::read_to_string(path).unwrap()], |text| {
        if let Ok(manifest) = serde_json::from_str::<OracleManifest>(text) {
            let _ = manifest.game.setup();
        }
    });
}

#[test]
fn files_of_games() {
    let lines = corpus("games.txt");
    fuzz(&[lines.join("\n")], |text| {
        let _ = replay(&mut text.as_bytes(), &mut |game| {
            let all = game.said.actions.split(' ').filter(|action| !action.is_empty()).count();
            assert!(game.fault.is_some() || game.plies() == all);
            ControlFlow::Continue(())
        });
    });
}

#[test]
fn protocol_messages() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Reference::new(game.clone())) };
    let requests = corpus("requests.txt");
    fuzz(&requests, |text| {
        let _ = read_request(text);
        let mut session = Session::new("fuzz", &make);
        session.respond(&requests[1]);
        // A deep count and a deep search are slow and cannot go wrong.
        if !text.contains("perft") && !text.contains("best") {
            session.respond(text);
        }
        for request in &requests[2..5] {
            session.respond(request);
        }
    });
    fuzz(&corpus("responses.txt"), |text| {
        let _ = read_response(text).map(|response| response.answer.essence());
    });
    let records = [requests[1].clone()];
    fuzz(&records, |text| {
        let _ = serde_json::from_str::<GameRecord>(text).map(|record| record.setup());
    });
}
