//! `pods explain`

mod position;
mod value;

use std::cell::RefCell;
use std::io::Write;

pub(super) use self::position::PositionReport;
pub(super) use self::value::WorthRow;
use self::value::{Source, ValueArgs, Worth};
use crate::cli::cited::{CitedClause, cited};
use crate::cli::failure::{CommandResult, Exit, Failure, interrupted};
use crate::cli::format::{Format, json_line};
use crate::cli::limits::Stopper;
use crate::cli::setup::SetupArgs;
use crate::cli::stream::{each_line, is_stream};
use crate::engine::{Engine, LegBlock, Reference, Status, Transition, why_won};
use crate::files::{Object, record};
use crate::material::Leg;
use crate::position::{Action, Game, Position, Setup};
use crate::report::{BlockedPod, blocked_after};
use crate::rules::Clause;

/// Explain what an action does, or which clause forbids it and why.
///
/// Without an action, every possible one is explained: for each pod in the mover's hand a grid of
/// the board, with `yes` or the forbidding clause at each point; for each pod of the mover on the
/// board its legal moves, shoves and kicks.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods explain start b@a2
  pods explain start --board nook9 --pods duo
  pods explain '3/1B1/2q w dt bt -' --board nook9 --pods four --reasons
  pods explain '3/1B1/2q w dt bt -' b2-b3 --board nook9 --rules advanced
  echo '3/1B1/2q w dt bt - b2-b3' | pods explain - --board nook9 --rules advanced --format json

On standard input, a line is a position and an action after one more blank, or a position alone.
Each answer is one line, and the exit status is 0 for legal and illegal actions alike.

The winner is looked for within 200,000 nodes or positions, or within the limits that you give; on
standard input only if you give one. `pods solve` finds more.

`pods rules` shows the clauses, R1 to R34.")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions and actions on standard input
    #[arg(value_name = "POSITION")]
    position: String,

    /// b@c3 places, c3-c5 moves, c3>c5 shoves, c3>c4+2 kicks [default: every possible action]; not
    /// with `-`
    #[arg(value_name = "ACTION")]
    action: Option<String>,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Without an action, give the reason for each illegal one
    #[arg(long, conflicts_with = "action")]
    reasons: bool,

    #[command(flatten)]
    values: ValueArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

record! {
    /// The answer about an action. An illegal action leads nowhere, a legal one breaks no clause.
    #[derive(Debug)]
    pub(super) struct Explanation {
        /// The position.
        position: String,
        /// The action.
        action: String,
        /// True if it is legal.
        legal: bool,
        /// Clause that forbids it.
        #[serde(skip_serializing_if = "Option::is_none")]
        clause: Option<String>,
        /// The reason, or the effects, a sentence each.
        explanation: Vec<String>,
        /// Pods without a liberty after a legal action.
        #[serde(skip_serializing_if = "Option::is_none")]
        blocked: Option<Vec<Object<Blocked>>>,
        /// Position after a legal action.
        #[serde(skip_serializing_if = "Option::is_none")]
        next: Option<String>,
        /// Letters of the pods that come back to the hand (R18).
        #[serde(skip_serializing_if = "Option::is_none")]
        returned: Option<Vec<String>>,
        /// Letters of the pods that leave the game.
        #[serde(skip_serializing_if = "Option::is_none")]
        removed: Option<Vec<String>>,
        /// `ongoing`, `white_won` or `black_won` after a legal action.
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str>,
        /// Value of the action for its player, if it is legal and the game goes on.
        #[serde(skip_serializing_if = "Option::is_none")]
        worth: Option<Object<WorthRow>>,
        /// The clauses that the explanation cites.
        clauses: Vec<Object<CitedClause>>,
    }
}

record! {
    /// A pod without a liberty after the action, judged before any is taken off.
    #[derive(Debug)]
    pub(super) struct Blocked {
        /// Its point.
        point: String,
        /// Its owner.
        side: String,
        /// Its letter.
        pod: String,
        /// True if it is captured.
        captured: bool,
        /// Its legs, each blocked.
        legs: Vec<Object<BlockedLeg>>,
    }
}

record! {
    /// A leg as it lies on the board.
    #[derive(Debug)]
    pub(super) struct BlockedLeg {
        /// The leg.
        leg: String,
        /// `edge`, `no-line` or `occupied`.
        block: &'static str,
        /// Point that it would reach.
        #[serde(skip_serializing_if = "Option::is_none")]
        point: Option<String>,
        /// Pod that stands there, with its owner.
        #[serde(skip_serializing_if = "Option::is_none")]
        pod: Option<String>,
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    let engine = Reference::new(setup.game().clone());
    if args.format == Format::Csv && (args.action.is_some() || is_stream(&args.position)) {
        return Err(Failure::wrong("--format csv is for the table of one position: use text or json"));
    }
    let streamed = is_stream(&args.position);
    let (tables, stopper) = (args.values.open()?, Stopper::new(!streamed)?);
    let values = RefCell::new(args.values.source(setup.game(), tables.as_ref(), &stopper, streamed)?);
    let answer = |position: &str, action: &str, out: &mut dyn Write, in_a_line: bool| {
        let explanation = explain(&engine, &setup, position, action, values.borrow_mut().as_mut())?;
        let lines = &explanation.explanation;
        match args.format {
            Format::Json => json_line(out, &explanation),
            Format::Text | Format::Csv if in_a_line => Ok(writeln!(out, "{}", lines.join("; "))?),
            Format::Text | Format::Csv => {
                let text = lines.join("\n");
                Ok(write!(out, "{text}\n\n{}", cited(&Clause::cited_in(&text)))?)
            }
        }
    };
    let table = |position: &str, out: &mut dyn Write, in_a_line: bool| {
        let position = setup.parse_position(position)?;
        let worth = match values.borrow_mut().as_mut() {
            Some(values) if args.format != Format::Csv => values.of(&position)?,
            _ => None,
        };
        match args.format {
            Format::Json => position::json(&engine, &position, worth, out),
            Format::Csv => position::csv(&engine, &position, out),
            Format::Text if in_a_line => position::line(&engine, &position, worth, out),
            Format::Text => position::text(&engine, &position, worth, args.reasons, out),
        }
    };
    let ended = match (streamed, &args.action) {
        (true, None) => each_line(out, |line, out| match line.rsplit_once(' ') {
            // A position has five fields, `start` stands for one.
            Some((position, action)) if position == "start" || position.matches(' ').count() > 3 => {
                answer(position, action, out, true)
            }
            _ => table(line, out, true),
        }),
        (false, Some(action)) => answer(&args.position, action, out, false).map(|()| Exit::Good),
        (false, None) => table(&args.position, out, false).map(|()| Exit::Good),
        (true, Some(_)) => Err(Failure::wrong("with - the actions stand on standard input, behind the positions")),
    };
    match ended {
        Ok(_) if stopper.is_set() => interrupted(out, "the rules are explained; the winner is not known"),
        ended => ended,
    }
}

fn explain(
    engine: &Reference,
    setup: &Setup,
    position: &str,
    action: &str,
    values: Option<&mut Source<'_>>,
) -> Result<Explanation, Failure> {
    let game = setup.game();
    let position = setup.parse_position(position)?;
    let action = setup.parse_action(action).map_err(Failure::wrong)?;
    let mut worth = None;
    let (clause, explanation, blocked, after) = match engine.turn(&position, action) {
        Err(illegal) => (Some(illegal.clause.to_string()), vec![illegal.explain(game, action)], None, None),
        Ok(transition) => {
            let status = engine.status(&transition.next);
            let blocked = blocked_after(engine, &position, action).map_err(|e| {
                Failure::Discrepancy(format!("the engine plays an action that it refuses: {}", e.explain(game, action)))
            })?;
            let mut explanation = effects(engine, &position, action, &transition, &blocked, status);
            worth = values.map(|values| values.of_action(&transition.next)).transpose()?.flatten();
            explanation.extend(worth.iter().map(|worth: &Worth| worth.sentence(&action.display(game).to_string())));
            let blocked = blocked.iter().map(|pod| Object(Blocked::new(game, pod))).collect();
            (None, explanation, Some(blocked), Some((transition, status)))
        }
    };
    let clauses = Clause::cited_in(&explanation.join(" ")).into_iter().map(|clause| Object(clause.into()));
    let after = after.as_ref();
    Ok(Explanation {
        position: position.display(game).to_string(),
        action: action.display(game).to_string(),
        legal: clause.is_none(),
        clause,
        explanation,
        blocked,
        next: after.map(|(transition, _)| transition.next.display(game).to_string()),
        returned: after.map(|(transition, _)| game.pods().ids(&transition.returned)),
        removed: after.map(|(transition, _)| game.pods().ids(&transition.removed)),
        status: after.map(|(_, status)| status.name()),
        worth: worth.map(|worth| Object(worth.row)),
        clauses: clauses.collect(),
    })
}

impl Blocked {
    fn new(game: &Game, blocked: &BlockedPod) -> Blocked {
        let name = |point| game.board().coord(point).to_string();
        let leg = |&(leg, block): &(Leg, LegBlock)| {
            let (block, point, pod) = match block {
                LegBlock::Edge => ("edge", None, None),
                LegBlock::NoLine(to) => ("no-line", Some(name(to)), None),
                LegBlock::Occupied(to, by) => {
                    ("occupied", Some(name(to)), Some(format!("{}'s {}", by.side, game.pods().id(by.kind))))
                }
            };
            Object(BlockedLeg { leg: leg.to_string(), block, point, pod })
        };
        Blocked {
            point: name(blocked.point),
            side: blocked.pod.side.to_string(),
            pod: game.pods().id(blocked.pod.kind).to_string(),
            captured: blocked.captured,
            legs: blocked.legs.iter().map(leg).collect(),
        }
    }
}

/// Describes the effects of a legal action, a sentence each.
fn effects(
    engine: &Reference,
    position: &Position,
    action: Action,
    transition: &Transition,
    blocked: &[BlockedPod],
    status: Status,
) -> Vec<String> {
    let game = engine.game();
    let (mover, other) = (position.to_move(), position.to_move().other());
    let name = |point| game.board().coord(point);
    let pod = |point| position.pod(point).map_or(String::new(), |p| format!("{}'s {}", p.side, game.pods().id(p.kind)));
    let deed = match action {
        Action::Place { kind, at } => {
            format!("{mover} places {} on {} ({})", game.pods().id(kind), name(at), Clause::R10)
        }
        Action::Move { from, to } => {
            format!("{} moves from {} to {} ({})", pod(from), name(from), name(to), Clause::R17)
        }
        Action::Shove { from, to } => format!(
            "{} goes from {} to {} and shoves {} on by one point ({})",
            pod(from),
            name(from),
            name(to),
            pod(to),
            Clause::R22
        ),
        Action::Kick { from, to, distance } => format!(
            "{} goes from {} to {} and kicks {} on by {distance} point{} ({})",
            pod(from),
            name(from),
            name(to),
            pod(to),
            if distance == 1 { "" } else { "s" },
            Clause::R24
        ),
    };
    let mut lines = vec![format!("{} is legal: {deed}", action.display(game).to_string())];
    for (kinds, owner, fate) in
        [(&transition.returned, mover, "back to hand"), (&transition.removed, other, "out of the game")]
    {
        if !kinds.is_empty() {
            let ids = game.pods().ids(kinds).join(" ");
            lines.push(format!("blocked, so taken off: {owner}'s {ids}, {fate} ({})", Clause::R18));
        }
    }
    lines.extend(blocked.iter().map(|pod| pod.explain(game, mover)));
    lines.push(format!("position: {}", transition.next.display(game)));
    lines.push(match status {
        Status::Ongoing => format!("{other} is to move"),
        Status::Won(winner) => format!("{winner} wins: {}", why_won(engine.game(), &transition.next)),
    });
    lines
}
