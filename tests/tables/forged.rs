//! Files that somebody made on purpose, with hashes that are right.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::process::Command;

use crate::common::{build_options, builtin_game, program};
use pods::position::{Hand, Setup};
use pods::solver::{Silent, Value};
use pods::table::{build, table_path};
use sha2::{Digest, Sha256};
use tempfile::tempdir;

/// A list of blocks as long as the file says takes no memory before it is known that the table can
/// have so many. The file is sparse: it takes no room on disk.
#[test]
fn a_sparse_list_of_blocks_is_refused_in_little_memory() {
    const LIST: usize = 512 << 20;
    let folder = tempdir().unwrap();
    let game = builtin_game("ring8", 0, "duo", "advanced");
    let hands = [Hand::parse("b", game.pods()).unwrap(); 2];
    let name = folder.path().join("t");
    build(&Setup::new(game.clone(), hands), &name, build_options(), &Silent).unwrap();
    let path = table_path(&name);
    let whole = fs::read(&path).unwrap();
    let head = &whole[..16 + u32::from_le_bytes(whole[12..16].try_into().unwrap()) as usize];
    let offsets = (head.len() as u64).to_le_bytes();
    let mut frame = Sha256::new_with_prefix(head);
    (0..LIST >> 20).for_each(|_| frame.update([0; 1 << 20]));
    frame.update(offsets);
    let mut file = File::create(&path).unwrap();
    file.write_all(head).unwrap();
    file.seek(SeekFrom::Current(LIST as i64)).unwrap();
    file.write_all(&[&offsets[..], &frame.finalize(), &[0; 32]].concat()).unwrap();
    let limited = ["-c", "ulimit -v 400000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_pods"), "table", "stats"];
    let ran = Command::new("sh").args(limited).arg(&name).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.code() == Some(2) && said.contains("the number of its blocks"), "{said}");
}

/// Returns the blocks of a file: where they begin and end.
fn blocks(file: &[u8]) -> Vec<std::ops::Range<usize>> {
    let number = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
    let trailer = file.len() - 72;
    let starts: Vec<usize> = (number(trailer)..trailer).step_by(8).map(number).collect();
    starts.windows(2).map(|block| block[0]..block[1]).collect()
}

/// Makes the hashes of a file right.
fn mend(file: &mut [u8]) {
    let all = file.len();
    let (head, trailer) = (16 + u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize, all - 72);
    let offsets = u64::from_le_bytes(file[trailer..trailer + 8].try_into().unwrap()) as usize;
    let frame = Sha256::new().chain_update(&file[..head]).chain_update(&file[offsets..trailer + 8]).finalize();
    file[trailer + 8..trailer + 40].copy_from_slice(&frame);
    let whole = Sha256::digest(&file[..all - 32]);
    file[all - 32..].copy_from_slice(&whole);
}

/// Returns a table, and the bytes of its file.
fn table_of_nook9() -> (tempfile::TempDir, std::path::PathBuf, Vec<u8>) {
    let folder = tempdir().unwrap();
    let game = builtin_game("nook9", 0, "trio", "advanced");
    let hands = [Hand::parse("bdt", game.pods()).unwrap(); 2];
    let name = folder.path().join("t");
    build(&Setup::new(game.clone(), hands), &name, build_options(), &Silent).unwrap();
    let file = fs::read(table_path(&name)).unwrap();
    (folder, name, file)
}

/// Returns the answers of `pods table stats`, or of `verify`: both read every block.
fn says(command: &str, name: &std::path::Path) -> (Option<i32>, String, String) {
    let ran = program().args(["table", command]).arg(name).output().unwrap();
    let [said, wrong] = [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
    (ran.status.code(), said, wrong)
}

/// Every hash is right, and so is what each of the blocks says of itself.
#[test]
fn blocks_that_have_changed_places_are_damaged() {
    for command in ["verify", "stats"] {
        let (_folder, name, good) = table_of_nook9();
        assert_eq!(says(command, &name).0, Some(0));
        let all = blocks(&good);
        let differ = |one: &usize, other: &usize| {
            let (one, other) = (&good[all[*one].clone()], &good[all[*other].clone()]);
            // Not the checksum alone.
            one.len() == other.len() && one.len() > 4 && one[..one.len() - 4] != other[..other.len() - 4]
        };
        let pairs = (0..all.len()).flat_map(|one| (one + 1..all.len()).map(move |other| (one, other)));
        let mut found = 0;
        for (one, other) in pairs.filter(|(one, other)| differ(one, other)).step_by(7).take(5) {
            let mut bad = good.clone();
            bad[all[one].clone()].copy_from_slice(&good[all[other].clone()]);
            bad[all[other].clone()].copy_from_slice(&good[all[one].clone()]);
            mend(&mut bad);
            fs::write(table_path(&name), &bad).unwrap();
            let (code, _, wrong) = says(command, &name);
            let named = wrong.contains(&format!("block {one} ")) || wrong.contains(&format!("block {other} "));
            assert!(code == Some(1) && wrong.contains("damaged") && named, "{one} {other}: {wrong}");
            found += 1;
        }
        assert_eq!(found, 5, "{command}");
    }
}

#[test]
fn the_largest_distance_of_a_wide_tier_has_one_before_it() {
    assert_eq!(Value::Loss(u16::MAX - 1).before(), Value::Win(u16::MAX));
    assert_eq!(Value::Win(u16::MAX).before(), Value::Loss(u16::MAX));
}
