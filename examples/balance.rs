//! First-player advantage on a board of one's own, in all four orientations:
//! `cargo run --example balance --no-default-features --features report`

use std::error::Error;
use std::fs;
use std::io;

use pods::report::{Entry, balance, write_csv};
use pods::solver::Silent;
use pods::{Limits, Orientation, Preset};

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
    for orientation in Orientation::ALL {
        let entry = Entry {
            board: file.display().to_string(),
            orientation,
            pods: "four".to_owned(),
            white_hand: "bdt".to_owned(),
            black_hand: "bdt".to_owned(),
            rules: Preset::Standard.into(),
        };
        rows.push(balance(&entry, Limits::default().with_memory(1 << 30), &Silent)?);
    }
    write_csv(&rows, &mut io::stdout())?;
    Ok(())
}
