//! Files that somebody made on purpose, with hashes that are right.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::process::Command;

use crate::common::{build_options, builtin_game};
use pods::position::Hand;
use pods::solver::Value;
use pods::table::{Content, build, table_path};
use sha2::{Digest, Sha256};
use tempfile::tempdir;

/// A list of blocks as long as the file says takes no memory before it is known that the table can have so many. The file is sparse: it
/// takes no room on disk.
#[test]
fn a_sparse_list_of_blocks_is_refused_in_little_memory() {
    const LIST: usize = 512 << 20;
    let folder = tempdir().unwrap();
    let game = builtin_game("ring8", 0, "duo", "advanced");
    let hands = [Hand::parse("b", game.pods()).unwrap(); 2];
    let name = folder.path().join("t");
    build(&game, &hands, &name, build_options().with_outcomes_only(true), &mut |_| ()).unwrap();
    let path = table_path(&name, Content::Outcomes);
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

#[test]
fn the_largest_distance_of_a_wide_tier_has_one_before_it() {
    assert_eq!(Value::Loss(u16::MAX - 1).before(), Value::Win(u16::MAX));
    assert_eq!(Value::Win(u16::MAX).before(), Value::Loss(u16::MAX));
}
