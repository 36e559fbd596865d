//! A match between the player of this program and a random one:
//! `cargo run --example match_players --no-default-features --features matches`

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use pods::matches::{Conventions, Plan, Tally, WinDrawLoss};
use pods::report::NamedSetup;
use pods::solver::Silent;
use pods::{Preset, Side};

fn main() -> Result<(), Box<dyn Error>> {
    let plan = Plan {
        players: ["best --max-nodes 500".parse()?, "random".parse()?],
        setups: NamedSetup::read_turns("nook9", "four", "bdt", Preset::Advanced.into())?.into(),
        first: Side::White,
        pairs: 6,
        opening_plies: 1,
        seed: 1,
        conventions: Conventions { repetitions: 3, plies: 100 },
        memory: 1 << 26,
        grace: Duration::from_secs(1),
    };
    let ready = plan.ready()?;
    let interrupt = AtomicBool::new(false);
    let mut tally = Tally::default();
    // Each opening is played twice, with the colours swapped.
    for (number, opening) in (0..).zip(plan.openings(&ready, &Silent)?) {
        tally.add(&plan.play(number, &opening, &ready, &interrupt)?.ok_or("interrupted")?);
    }
    let WinDrawLoss { wins, draws, losses } = tally.first_player;
    println!("{wins} won, {draws} drawn, {losses} lost");
    assert_eq!((wins, draws, losses), (11, 0, 1));
    Ok(())
}
