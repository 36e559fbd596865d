//! Replays `boards/captions.toml`: what the captions of the rules texts show, on the
//! reconstruction.

use crate::common::{action, actions, builtin_game, engines, play, position};
use pods::engine::Reference;
use pods::position::Game;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Captions {
    board: String,
    pods: String,
    rules: String,
    caption: Vec<Caption>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Caption {
    name: String,
    source: String,
    says: String,
    rules: Option<String>,
    orientation: u16,
    position: String,
    legal: Vec<String>,
    illegal: Vec<Forbidden>,
    #[serde(default)]
    attacks: Vec<Attacks>,
    complete: Option<Complete>,
    #[serde(default)]
    captures: Vec<Captures>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Forbidden {
    action: String,
    clause: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attacks {
    point: String,
    attacks: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Complete {
    pod: char,
    points: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Captures {
    action: String,
    removed: Vec<String>,
    returned: Vec<String>,
}

fn captions() -> Captions {
    toml::from_str(include_str!("../../boards/captions.toml")).unwrap_or_else(|e| panic!("captions.toml: {e}"))
}

impl Caption {
    fn game(&self, file: &Captions) -> Game {
        let rules = self.rules.as_ref().unwrap_or(&file.rules);
        builtin_game(&file.board, self.orientation, &file.pods, rules)
    }

    fn replay(&self, file: &Captions) {
        let game = self.game(file);
        self.replay_attacks(&game);
        for engine in engines(&game) {
            let engine = engine.as_ref();
            let all = actions(engine, &self.position);
            let all: Vec<&str> = all.split(' ').collect();
            for legal in &self.legal {
                assert!(all.contains(&legal.as_str()), "{legal} should be legal: {all:?}");
                assert!(!play(engine, &self.position, legal).starts_with("illegal"), "{legal}");
            }
            for Forbidden { action, clause } in &self.illegal {
                assert_eq!(play(engine, &self.position, action), format!("illegal by {clause}"), "{action}");
            }
            if let Some(Complete { pod, points }) = &self.complete {
                let placed: Vec<&str> = all.iter().filter_map(|a| a.strip_prefix(&format!("{pod}@"))).collect();
                assert_eq!(&placed, points, "pod {pod}");
            }
            if !self.captures.is_empty() {
                // These captions list every move.
                let moves: Vec<&str> = all.iter().copied().filter(|a| !a.contains('@')).collect();
                assert_eq!(moves, self.legal);
            }
            for Captures { action: text, removed, returned } in &self.captures {
                let result = engine.transition(&position(&game, &self.position), action(&game, text)).unwrap();
                let ids = |kinds: &[_]| kinds.iter().map(|&k| game.pods().id(k).to_string()).collect::<Vec<_>>();
                assert_eq!((&ids(&result.removed), &ids(&result.returned)), (removed, returned), "{text}");
            }
        }
    }

    fn replay_attacks(&self, game: &Game) {
        let (reference, position) = (Reference::new(game.clone()), position(game, &self.position));
        for Attacks { point, attacks } in &self.attacks {
            let point = game.board().points().find(|&p| game.board().coord(p).to_string() == *point).unwrap();
            let mut reached: Vec<String> = reference
                .attacked_points(&position, point)
                .iter()
                .map(|&p| game.board().coord(p).to_string())
                .collect();
            reached.sort();
            assert_eq!(&reached, attacks, "attacks of the pod on {}", game.board().coord(point));
        }
    }
}

macro_rules! caption_tests {
    ($($test:ident $name:literal;)*) => {
        const TESTED: &[&str] = &[$($name),*];

        $(#[test]
        fn $test() {
            let file = captions();
            let caption = file.caption.iter().find(|c| c.name == $name).expect("a caption of this name");
            caption.replay(&file);
        })*
    };
}

caption_tests! {
    bipod_left_and_right "bipod-left-and-right";
    bipod_left_and_right_turned "bipod-left-and-right-turned";
    bipod_left_taken "bipod-left-taken";
    tripod_all_legs_blocked "tripod-all-legs-blocked";
    tripod_all_legs_blocked_above "tripod-all-legs-blocked-above";
    tripod_upper_right_free "tripod-upper-right-free";
    black_pod_attacks_three "black-pod-attacks-three";
    quadripod_would_attack "quadripod-would-attack";
    quadripod_all_legal_points "quadripod-all-legal-points";
    quadripod_controls_five "quadripod-controls-five";
    blocked_trio_and_hexapod "blocked-trio-and-hexapod";
    hexapod_takes_last_liberty "hexapod-takes-last-liberty";
    hexapod_takes_last_liberty_short "hexapod-takes-last-liberty-short";
}

#[test]
fn every_caption_has_a_test_and_says_where_it_comes_from() {
    let file = captions();
    let names: Vec<&str> = file.caption.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, TESTED);
    for caption in &file.caption {
        assert!(!caption.source.is_empty() && !caption.says.is_empty(), "{}", caption.name);
        assert!(!caption.legal.is_empty() && !caption.illegal.is_empty(), "{}", caption.name);
        assert!(caption.legal.is_sorted(), "{}", caption.name);
    }
}

#[test]
fn the_trio_on_the_left_blocks_itself() {
    let file = captions();
    let caption = file.caption.iter().find(|c| c.name == "blocked-trio-and-hexapod").unwrap();
    let game = caption.game(&file);
    let blocked: Vec<String> = Reference::new(game.clone())
        .blocked_pods(&position(&game, &caption.position))
        .into_iter()
        .map(|point| game.board().coord(point).to_string())
        .collect();
    assert_eq!(blocked, ["a3", "b3", "c4"]);
}
