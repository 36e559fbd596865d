//! Every reader takes any bytes: it may refuse, it may not panic.
//!
//! They are fed random bytes and the corpus in `tests/corpus/readers`.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::damage::draw;
use proptest::collection::vec;
use proptest::prelude::*;

use pods::certificate;
use pods::matches::replay;
use pods::material::{board_from_toml, builtin_board, builtin_pods, pods_from_toml};
use pods::oracle::protocol::{read_request, read_response};
use pods::position::{Game, UncheckedPosition};
use pods::rules::{Preset, RuleSet};

/// Gives a text to every reader of text.
fn read(game: &Game, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = board_from_toml("fuzz", &text);
    let _ = board_from_toml("fuzz", &format!("name = 'f'\nsource = 'f'\npoints = '''\n{text}'''\n"));
    let _ = pods_from_toml("fuzz", &text);
    let _ = pods_from_toml("fuzz", &format!("name = 'f'\nsource = 'f'\n[[pod]]\nid = 'a'\nlegs = '{text}'\n"));
    let _ = text.parse::<RuleSet>();
    let _ = text.parse::<UncheckedPosition>().map(|setup| setup.check(game));
    let _ = game.parse_action(&text);
    let _ = read_request(&text);
    let _ = read_response(&text);
    let _ = replay(&mut &bytes[..], &mut |_| ControlFlow::Continue(()));
    let _ = certificate::check(bytes, certificate::CheckOptions::default());
}

fn game() -> Game {
    Game::new(builtin_board("nook9").unwrap(), builtin_pods("four").unwrap(), Preset::VeryAdvanced.into())
}

#[test]
fn readers_take_any_bytes() {
    let game = game();
    // Most are short, so that many are tried.
    let bytes = prop_oneof![99 => vec(any::<u8>(), 0..256), 1 => vec(any::<u8>(), 0..4096)];
    draw(&bytes, 8_000, |bytes| read(&game, &bytes));
}

#[test]
fn readers_take_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/readers");
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        read(&game(), &bytes);
        bytes.split(|b| *b == b'\n').for_each(|line| read(&game(), line));
        files += 1;
    }
    assert!(files >= 5, "{files} files");
}
