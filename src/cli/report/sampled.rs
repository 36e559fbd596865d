//! Options of games that the program plays against itself.

use crate::cli::failure::Failure;
use crate::matches::balance::{MAX_GAMES, Strength};

/// Options of the games.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
pub(super) struct SampleArgs {
    /// Let both players look at this many positions before each action; with :GAMES, play that many
    /// games in place of --count. May be given several times [default: 500 and 4000]
    #[arg(long, value_name = "NODES[:GAMES]", value_parser = strength)]
    strength: Vec<(u64, Option<u64>)>,

    /// Play this many games for each setup, starter and strength
    #[arg(long, value_name = "N", default_value = "50", value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    pub(super) count: u64,

    /// Begin with this seed
    #[arg(long, value_name = "N", default_value = "0")]
    pub(super) seed: u64,

    /// Begin each game with this many random placements, the same under all rules
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub(super) opening_plies: u32,

    /// Call a game drawn when it has this many plies
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) max_plies: u32,
}

fn strength(text: &str) -> Result<(u64, Option<u64>), String> {
    let (nodes, games) = match text.split_once(':') {
        None => (text, None),
        Some((nodes, games)) => (nodes, Some(games)),
    };
    let nodes = nodes.parse().ok().filter(|&nodes: &u64| nodes > 0);
    let nodes = nodes.ok_or("it begins with a number of positions, at least 1, as in 4000 or 4000:100")?;
    let games = games.map(|games| games.parse().ok().filter(|games| (1..=MAX_GAMES).contains(games)));
    match games {
        Some(None) => Err(format!("behind the colon stands a number of games from 1 to {MAX_GAMES}")),
        Some(games) => Ok((nodes, games)),
        None => Ok((nodes, None)),
    }
}

impl SampleArgs {
    pub(super) fn strengths(&self) -> Result<Vec<Strength>, Failure> {
        let given = if self.strength.is_empty() { &[(500, None), (4000, None)] } else { &self.strength[..] };
        let mut strengths: Vec<Strength> = Vec::new();
        for &(nodes, games) in given {
            if strengths.iter().any(|strength| strength.nodes == nodes) {
                return Err(Failure::wrong(format_args!("--strength {nodes} is given twice")));
            }
            strengths.push(Strength { nodes, games: games.unwrap_or(self.count) });
        }
        Ok(strengths)
    }
}
