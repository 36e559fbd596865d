//! `pods show`

use std::io::Write;

use super::engines::attacks;
use super::failure::{Exit, Outcome};
use super::setup::{Setting, SetupArgs};
use super::stream::{each_line, is_stream};
use crate::material::{PodKind, Side};
use crate::position::Position;
use crate::report::drawing::{self, Style};

/// Draws the board and the pods of a setup, or a position.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods show --orientation 90
  pods show --pods-only --pods mini7
  pods show '3/1B1/2q w dt bt -' --board nook9 --ascii

With `-` each position is drawn, with an empty line between.")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions on standard input; without it, the setup is drawn
    #[arg(value_name = "POSITION")]
    position: Option<String>,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Draw the pods, not the board
    #[arg(long, conflicts_with_all = ["no_pods", "position", "no_attacks"])]
    pods_only: bool,

    /// Leave out the legs of the pods
    #[arg(long)]
    no_pods: bool,

    /// Leave out the marks of attacked points
    #[arg(long, requires = "position")]
    no_attacks: bool,

    #[command(flatten)]
    setup: SetupArgs,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let setting = args.setup.read()?;
    match args.position.as_deref() {
        None => write!(out, "{}", draw_setup(args, &setting))?,
        Some(stream) if is_stream(stream) => {
            let mut between = "";
            return each_line(out, |line, out| {
                write!(out, "{between}{}", draw_position(args, &setting, &setting.position(line)?))?;
                between = "\n";
                Ok(())
            });
        }
        Some(text) => write!(out, "{}", draw_position(args, &setting, &setting.position(text)?))?,
    }
    Ok(Exit::Good)
}

fn style(args: &Args) -> Style {
    if args.ascii { Style::Ascii } else { Style::Unicode }
}

fn draw_setup(args: &Args, setting: &Setting) -> String {
    let (board, pods, style) = (setting.game.board(), setting.game.pods(), style(args));
    let mut blocks = Vec::new();
    if !args.pods_only {
        blocks.extend([drawing::board_title(board), drawing::board(board, style)]);
    }
    if !args.no_pods {
        let roses = drawing::legs(pods, Side::White, pods.kinds(), true, style);
        blocks.extend([drawing::pods_title(pods), roses, drawing::legs_legend(style)]);
    }
    blocks.join("\n")
}

fn draw_position(args: &Args, setting: &Setting, position: &Position) -> String {
    let (game, style) = (&setting.game, style(args));
    let (board, pods) = (game.board(), game.pods());
    let attacks = if args.no_attacks { Vec::new() } else { attacks(game, position) };
    let titles = format!("{}{}rules {}\n", drawing::board_title(board), drawing::pods_title(pods), game.rules());
    let mut blocks = vec![titles, drawing::position(game, position, &attacks, style)];
    if !args.no_attacks {
        blocks.push(drawing::position_legend(style));
    }
    if !args.no_pods {
        for side in Side::BOTH {
            let kinds: Vec<PodKind> = pods.kinds().filter(|&kind| in_play(position, side, kind)).collect();
            if !kinds.is_empty() {
                let roses = drawing::legs(pods, side, kinds, false, style);
                blocks.push(format!("{side}'s pods, as they lie on the board\n\n{roses}"));
            }
        }
        blocks.push(drawing::legs_legend(style));
    }
    blocks.join("\n")
}

/// Whether the side has such a pod on the board or in hand.
fn in_play(position: &Position, side: Side, kind: PodKind) -> bool {
    position.hand(side).count(kind) > 0 || position.pods().any(|(_, pod)| pod.side == side && pod.kind == kind)
}
