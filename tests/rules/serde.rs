//! Types of the rules in the formats of serde: what is written reads back, and wrong data are told.

use pods::geometry::{Coord, Direction, Orientation};
use pods::material::{BUILTIN_BOARDS, BUILTIN_PODS, Legs, builtin_board, builtin_pods};
use pods::position::UncheckedPosition;
use pods::rules::{Clause, OPTION_NAMES, option_values};
use pods::{BySide, Game, Hand, Outcome, Preset, RuleSet, Setup, Side, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Asserts that a value reads back from JSON and from TOML, and returns the JSON.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value);
    // TOML has tables alone at its top.
    let toml = toml::to_string(&BySide { white: value, black: value }).unwrap();
    let read: BySide<T> = toml::from_str(&toml).unwrap();
    assert!(read.as_ref().into_array().into_iter().all(|read| read == value), "{toml}");
    json
}

#[test]
fn every_built_in_setup_reads_back() {
    for (name, _) in BUILTIN_BOARDS {
        for orientation in Orientation::ALL {
            let board = builtin_board(name).unwrap().turned(orientation);
            round_trip(&board);
            for preset in Preset::ALL {
                let game = Game::new(board.clone(), builtin_pods("duo").unwrap(), preset.into());
                round_trip(&Setup::whole(game));
            }
        }
    }
    for (name, _) in BUILTIN_PODS {
        let pods = builtin_pods(name).unwrap();
        round_trip(&pods);
        let game = Game::new(builtin_board("nook9").unwrap(), pods, Preset::Standard.into());
        round_trip(&game);
        let hand = Hand::whole(game.pods());
        round_trip(&Setup::new(game, [hand, Hand::EMPTY]));
    }
}

#[test]
fn every_rule_set_reads_back() {
    for preset in Preset::ALL {
        assert_eq!(round_trip(&preset), format!("{:?}", preset.name()));
        for option in OPTION_NAMES {
            for value in option_values(option).unwrap() {
                let rules = RuleSet::from(preset).with(option, value).unwrap();
                assert_eq!(round_trip(&rules), format!("{:?}", rules.to_string()));
            }
        }
    }
}

#[test]
fn what_has_a_text_is_that_text() {
    assert_eq!(round_trip(&Coord { row: 3, column: 2 }), r#""c4""#);
    assert_eq!(round_trip(&Direction::Ne), r#""ne""#);
    assert_eq!(round_trip(&"n SE".parse::<Legs>().unwrap()), r#""n SE""#);
    assert_eq!(round_trip(&Clause::R18), r#""R18""#);
    assert_eq!(round_trip(&BySide { white: 1, black: 2 }), r#"{"white":1,"black":2}"#);
    assert_eq!(Side::BOTH.map(|side| round_trip(&side)), [r#""White""#, r#""Black""#]);
    assert_eq!(Orientation::ALL.map(|turn| round_trip(&turn)), ["0", "90", "180", "270"]);
    let values = [Value::Win(5), Value::Draw, Value::Loss(4)].map(|value| round_trip(&value));
    assert_eq!(values, [r#"{"win":5}"#, r#""draw""#, r#"{"loss":4}"#]);
    assert_eq!(
        [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|of| round_trip(&of)),
        [r#""win""#, r#""draw""#, r#""loss""#]
    );
}

#[test]
fn unchecked_positions_are_written_as_they_were_read() {
    for text in ["3/1B1/2q w dt bdt -", "3/3/3 b b2dt - open", "1/26/2z5/1A w - z64 -", "10A w a b -"] {
        let position: UncheckedPosition = text.parse().unwrap();
        assert_eq!(position.to_string(), text);
        assert_eq!(round_trip(&position), format!("{text:?}"));
    }
}

#[test]
fn wrong_data_are_refused_with_the_cause() {
    let refused = |json: &str, words: &str| {
        let error = serde_json::from_str::<Setup>(json).unwrap_err().to_string();
        assert!(error.contains(words), "{json}\n{error}");
    };
    let game = Game::new(builtin_board("nook9").unwrap(), builtin_pods("duo").unwrap(), Preset::Standard.into());
    let right = serde_json::to_string(&Setup::whole(game)).unwrap();
    for (from, to, words) in [
        (r#""orientation":0"#, r#""orientation":45"#, "the orientation is one of 0, 90, 180, 270"),
        (r#""a1""#, r#""a01""#, "no name of a point"),
        (r#""white_hand":"bt""#, r#""white_hand":"x""#, "white_hand: the pod set duo has no pod x"),
        (r#""standard""#, r#""standart""#, "presets are standard"),
        (r#""black_hand""#, r#""hand""#, "unknown field `hand`"),
        (r#""count":1"#, r#""count":65"#, "it must be from 1 to 64"),
    ] {
        assert!(right.contains(from), "{right}");
        refused(&right.replacen(from, to, 1), words);
    }
    assert!(serde_json::from_str::<Orientation>("45").unwrap_err().to_string().contains("45 is no orientation"));
    assert!(serde_json::from_str::<UncheckedPosition>(r#""3/3 w""#).unwrap_err().to_string().contains("five fields"));
}
