//! First-player advantage on a board of one's own, in all four orientations:
//! `cargo run --example balance --no-default-features --features report`

use std::error::Error;
use std::fs;
use std::io;

use pods::answer::{LookUp, Want};
use pods::files::write_rows;
use pods::report::{BalanceRow, NamedSetup, balance};
use pods::solver::Silent;
use pods::{Limits, Preset};

/// Points `o` at even rows and columns, lines between them, Black's side at the top.
const BOARD: &str = r"
name = 'step'
source = 'an example'
points = '''
o-o o
|\|/|
o-o-o
| |X|
o-o-o
'''
";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("step.toml");
    fs::write(&file, BOARD)?;
    let mut rows = Vec::new();
    for setup in NamedSetup::read_turns(&file.display().to_string(), "four", "bdt", Preset::Standard.into())? {
        let limits = Limits::default().with_memory(1 << 30);
        rows.push(balance(&setup, LookUp::default(), Want::Value, limits, &Silent)?);
    }
    write_rows(io::stdout(), true, rows.iter().map(BalanceRow::record))?;
    let class = |row: &BalanceRow| row.record().outcome_class;
    assert_eq!(rows.iter().map(class).collect::<Vec<_>>(), ["first", "black", "first", "white"].map(Some));
    Ok(())
}
