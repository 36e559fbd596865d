//! `pods show`

use std::io::Write;
use std::time::Duration;

use clap::ValueEnum;

use super::engines::attacks;
use super::failure::{CommandResult, Exit, Failure, interrupted};
use super::limits::{Stopper, seconds};
use super::setup::SetupArgs;
use super::stream::{each_line, is_stream};
use super::tables::TablesArg;
use crate::drawing::text::{self as drawing, Style};
use crate::drawing::{self as svg, Drawing};
use crate::engine::Reference;
use crate::material::{PodKind, Side};
use crate::position::{Position, Setup};
use crate::report::point_values;
use crate::solver::Limits;

/// Draw the board and the pods of a setup, or a position.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods show --orientation 90
  pods show --pods-only --pods mini7
  pods show '3/1B1/2q w dt bt -' --board nook9 --ascii
  pods show --format svg --scale 25 > sheet.svg
  pods show '3/1B1/2q w dt bt -' --board nook9 --format svg --of b2 > position.svg
  pods show start --board nook9 --pods four --format svg --values 10 > openings.svg

With `-` each position is drawn, with an empty line between.

An SVG picture has one position. A sheet of board and pods with --scale is as large as the real
thing, to be laid beside it.")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions on standard input; without it, the setup is
    /// drawn
    #[arg(value_name = "POSITION")]
    position: Option<String>,

    /// Format of the drawing
    #[arg(long, value_enum, default_value = "text")]
    format: PictureFormat,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Print with this many millimetres from a point to the next (SVG)
    #[arg(long, value_name = "MM", value_parser = millimetres)]
    scale: Option<f64>,

    /// Mark the points that the pod on this point attacks, and its liberties (SVG)
    #[arg(long, value_name = "POINT", requires = "position", conflicts_with = "no_attacks")]
    of: Option<String>,

    /// Mark liberties and blocked pods instead of attacked points (SVG)
    #[arg(long, requires = "position", conflicts_with_all = ["of", "no_attacks"])]
    liberties: bool,

    /// Draw the pods, not the board
    #[arg(long, conflicts_with_all = ["no_pods", "position", "no_attacks"])]
    pods_only: bool,

    /// Leave out the legs of the pods
    #[arg(long)]
    no_pods: bool,

    /// Leave out the marks of attacked points
    #[arg(long, requires = "position")]
    no_attacks: bool,

    /// Mark each point with the value of the best action there, if it is found within this many
    /// seconds (SVG)
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "position")]
    #[arg(conflicts_with_all = ["of", "liberties", "no_attacks"])]
    values: Option<Duration>,

    #[command(flatten)]
    tables: TablesArg,

    #[command(flatten)]
    setup: SetupArgs,
}

/// Format of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PictureFormat {
    /// For a terminal
    Text,
    /// A picture
    Svg,
}

/// Parses millimetres, within bounds that keep a board of 26 columns within what viewers take.
fn millimetres(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number.filter(|mm| (0.5..=500.0).contains(mm)).ok_or_else(|| "a number of millimetres from 0.5 to 500".to_owned())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    if args.format == PictureFormat::Svg {
        let stopper = args.values.map(|_| Stopper::new(true)).transpose()?;
        write!(out, "{}", draw_svg(args, &setup, stopper.as_ref())?)?;
        if stopper.is_some_and(|stopper| stopper.is_set()) {
            return interrupted(out, "values not found by then are drawn as unknown");
        }
        return Ok(Exit::Good);
    }
    if args.scale.is_some() || args.of.is_some() || args.liberties || args.values.is_some() {
        return Err(Failure::wrong("--scale, --of, --liberties and --values are for pictures: add --format svg"));
    }
    match args.position.as_deref() {
        None => write!(out, "{}", draw_setup(args, &setup))?,
        Some(stream) if is_stream(stream) => {
            let mut between = "";
            return each_line(out, |line, out| {
                write!(out, "{between}{}", draw_position(args, &setup, &setup.parse_position(line)?))?;
                between = "\n";
                Ok(())
            });
        }
        Some(text) => write!(out, "{}", draw_position(args, &setup, &setup.parse_position(text)?))?,
    }
    Ok(Exit::Good)
}

fn draw_svg(args: &Args, setup: &Setup, stopper: Option<&Stopper>) -> Result<String, Failure> {
    let (game, drawing) = (setup.game(), Drawing::default().legend());
    let drawing = args.scale.into_iter().fold(drawing, Drawing::scale);
    let Some(text) = args.position.as_deref() else {
        return Ok(match (args.pods_only, args.no_pods) {
            (true, _) => drawing.pods(game.pods()),
            (_, true) => drawing.board(game.board(), &[]),
            _ => drawing.sheet(game.board(), game.pods()),
        });
    };
    if is_stream(text) {
        return Err(Failure::wrong("an SVG picture shows one position: name it instead of -"));
    }
    let position = setup.parse_position(text)?;
    let engine = Reference::new(game.clone());
    let marks = match &args.of {
        Some(name) => {
            let at = name.parse().ok().and_then(|coord| game.board().point_at(coord));
            let at = at.ok_or_else(|| Failure::wrong(format_args!("{name:?} is no point of the board")).at("--of"))?;
            if position.pod(at).is_none() {
                return Err(Failure::wrong(format_args!("no pod stands on {name}")).at("--of"));
            }
            svg::of_pod(&engine, &position, at)
        }
        None if args.values.is_some() => {
            let tables = args.tables.open()?;
            let limits = stopper.map_or(Limits::default(), |stopper| Limits::default().with_interrupt(stopper.flag()));
            point_values(game, tables.as_ref(), &position, args.values.unwrap_or_default(), limits)?
        }
        None if args.liberties => svg::liberties(&engine, &position),
        None if args.no_attacks => Vec::new(),
        None => svg::attacks(&engine, &position),
    };
    Ok(drawing.position(game, &position, &marks))
}

fn style(args: &Args) -> Style {
    if args.ascii { Style::Ascii } else { Style::Unicode }
}

fn draw_setup(args: &Args, setup: &Setup) -> String {
    let (board, pods, style) = (setup.game().board(), setup.game().pods(), style(args));
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

fn draw_position(args: &Args, setup: &Setup, position: &Position) -> String {
    let (game, style) = (setup.game(), style(args));
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

/// Returns `true` if the side has such a pod on the board or in hand.
fn in_play(position: &Position, side: Side, kind: PodKind) -> bool {
    position.hand(side).count(kind) > 0 || position.pods().any(|(_, pod)| pod.side == side && pod.kind == kind)
}
