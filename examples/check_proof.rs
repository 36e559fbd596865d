//! Checks a certificate without solvers and tables:
//! `cargo run --example check_proof --no-default-features --features check -- FILE`

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;

use pods::certificate::{CheckOptions, check};
use pods::files::unpacked;

/// Memory that the check may take, in bytes.
const MEMORY: u64 = 1 << 30;

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args().nth(1).ok_or("name the file of a certificate")?;
    let packed = unpacked(BufReader::new(File::open(file)?), MEMORY / 8)?;
    let checked = check(packed.reader, CheckOptions::default().with_memory(MEMORY / 8 * 7))?;
    println!("{}: {}, {} lines", checked.root.display(&checked.game), checked.claim, checked.lines);
    Ok(())
}
