//! `pods solve`

use std::io::Write;

use super::ask::{AskArgs, certificate};
use super::every_action;
use super::failure::{CommandResult, Failure};
use super::forced::{self, ForcedLine};
use super::format::{Format, csv_rows, json_line};
use super::limits::{Stopper, way_out, with_way_out};
use super::method::MethodArg;
use super::planned;
use super::progress::SolverProgress;
use super::setup::SetupArgs;
use super::stream::{for_each_position, is_stream};
use super::terminal::note;
use crate::answer::{Answerer, Request, SolveError, SomeActions, Want};
use crate::position::{Position, Setup};
use crate::report::{PlannedRow, SolvedRow};
use crate::solver::{Finding, Limits, Method, Solution, Stopped, Unsolved, Value};
use crate::table::TableError;

/// Solve a position exactly: value, distance in plies, best actions, a main line.
///
/// Games that cannot cycle are searched to the end; the others are solved backward, from the
/// finished games. Where neither fits in the limits, a search finds the winner. The reference
/// engine then derives all values again. For a large table it derives a sample; a second evaluator
/// derives every value.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods solve start --board nook9 --pods four --hands bdt
  pods solve start --board ring8 --pods trio --rules advanced --format json
  pods solve '3/1B1/2q w dt bt -' --board nook9 --pods four --rules very-advanced
  pods solve - --format json < positions.txt
  pods solve start --rules advanced --max-plies 3
  pods solve start --board lair16 --pods duo --rules advanced --tables tables
  pods solve start --winner --time 60
  pods solve start --every-action --max-nodes 1000000
  pods solve start --rules advanced --explain-method

`unknown` means that a limit was reached, never a draw; the answer still says what is known.

The mirror theorem and the search for the winner give no distance and no best actions: `best` is
then empty in JSON and CSV. `pods search` keeps what a long search proves in a file.

A signal ends the work with what is known by then; a second one, a second later, ends the program.")]
pub(super) struct Args {
    /// A position's text, `start`, or `-` for positions on standard input
    #[arg(value_name = "POSITION")]
    position: String,

    /// Solve by this method [default: the cheapest that fits the rules]
    #[arg(long, value_enum)]
    method: Option<MethodArg>,

    /// Ask only whether the side to move can force a win within N plies, in a game of any size
    #[arg(long, value_name = "N", conflicts_with_all = ["method", "no_verify"])]
    max_plies: Option<u16>,

    /// Find the winner only, without a distance
    #[arg(long, conflicts_with = "max_plies")]
    winner: bool,

    /// Find the winner after each action; --max-nodes is for each of them, --time for all
    #[arg(long, conflicts_with = "max_plies")]
    every_action: bool,

    /// Do not derive the value again with the reference engine
    #[arg(long)]
    no_verify: bool,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// List the methods that would be tried, in order, each with its expected cost and its limit;
    /// nothing is solved
    #[arg(long, conflicts_with_all = ["method", "max_plies", "every_action"])]
    explain_method: bool,

    #[command(flatten)]
    ask: AskArgs,

    #[command(flatten)]
    setup: SetupArgs,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let setup = args.setup.read()?;
    let streamed = is_stream(&args.position);
    if args.every_action && streamed {
        return Err(Failure::wrong("--every-action is for one position: name it in place of -"));
    }
    let stopper = Stopper::new(!streamed)?;
    let limits = args.ask.budget.limits(&stopper);
    let tables = args.ask.tables.open()?;
    // One for all lines: what it learns from one serves the next.
    let mut answerer = args.ask.answerer(setup.game(), tables.as_ref())?;
    if args.method == Some(MethodArg::Library) {
        answerer = answerer.with_library(true);
    }
    let question = |text: &str, out: &mut dyn Write| {
        let position = setup.parse_position(text)?;
        answer(args, &setup, &position, request(args, limits), &mut answerer, out)
    };
    for_each_position(&args.position, out, |out| header(args, out), question)
}

/// Writes the header of the rows, before the first answer.
fn header(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    match args.format {
        Format::Csv if args.max_plies.is_some() => csv_rows::<ForcedLine>(out, true, []),
        Format::Csv if args.explain_method => csv_rows::<PlannedRow>(out, true, []),
        Format::Csv if !args.every_action => csv_rows::<SolvedRow>(out, true, []),
        _ => Ok(()),
    }
}

/// Answers the question about one position.
fn answer(
    args: &Args,
    setup: &Setup,
    position: &Position,
    request: Request<'_>,
    answerer: &mut Answerer<'_>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let progress = SolverProgress::default();
    if let Some(plies) = args.max_plies {
        let query = forced::ForcedQuery { plies, limits: request.limits, format: args.format };
        return forced::answer(&query, setup, position, is_stream(&args.position), out);
    }
    if args.explain_method {
        let steps = answerer.plan(position, request)?;
        return planned::write(&position.display(setup.game()).to_string(), &steps, args.format, out);
    }
    if args.every_action {
        let found = answerer.every_action(&SomeActions::default(), position, request, &progress)?;
        return every_action::write(setup, position, &found, args.format, out);
    }
    let finding = answerer.answer(position, request, &progress)?;
    let certificate = certificate(answerer, position);
    let shown = Shown { format: args.format, streamed: is_stream(&args.position) };
    shown.write(setup, position, (&finding, certificate), out)
}

fn request<'a>(args: &Args, limits: Limits<'a>) -> Request<'a> {
    let mut request = Request::new(limits);
    request = args.method.map_or(request, |method| request.by(method.into()));
    request = if args.winner { request.wanting(Want::Winner) } else { request };
    if args.no_verify { request.unverified() } else { request }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        match &error {
            SolveError::Discrepancy(discrepancy) => Failure::Discrepancy(discrepancy.to_string()),
            SolveError::Stopped(Stopped::Interrupted) => Failure::Interrupted("there is no answer yet".to_owned()),
            SolveError::Stopped(stopped) => Failure::Limit(with_way_out(stopped)),
            SolveError::Index(error) => {
                Failure::wrong(format_args!("no table fits: {error}; take --method retrograde, or none at all"))
            }
            SolveError::NotPlacement => Failure::wrong(format_args!("{error}: `pods solve --max-plies`")),
            SolveError::Table(error) if matches!(**error, TableError::Damaged { .. } | TableError::Shorter { .. }) => {
                Failure::Discrepancy(error.to_string())
            }
            SolveError::NoTable => Failure::wrong(format_args!("{error}: --tables FOLDER")),
            other => Failure::wrong(other),
        }
    }
}

/// The way in which a finding is written.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) format: Format,
    /// True if it is one of many, a line each.
    pub(super) streamed: bool,
}

impl Shown {
    /// Writes a finding, with the certificate that the library has for the position.
    pub(super) fn write(
        self,
        setup: &Setup,
        position: &Position,
        (finding, certificate): (&Finding, Option<String>),
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let (stopped, why) = match finding {
            Finding::Solved(solution) => (solution.stopped, solution.stopped.as_ref().map(with_way_out)),
            Finding::Unknown(unsolved) => (Some(unsolved.stopped), Some(why(unsolved).join("; "))),
        };
        let mut line = SolvedRow::of(setup.game(), position, finding, why);
        line.certificate = certificate.filter(|_| finding.method() == Method::Library);
        if self.format == Format::Text && !self.streamed {
            return match finding {
                Finding::Solved(solution) => text_solved(setup, position, solution, &line, out),
                Finding::Unknown(unsolved) => text_unknown(unsolved, &line, out),
            };
        }
        if let Some(stopped) = stopped {
            note(with_way_out(&stopped));
        }
        match self.format {
            Format::Text => {
                let plies = line.plies.map(in_plies).unwrap_or_default();
                Ok(writeln!(out, "{}", format!("{}{plies} {}", line.value, line.best.join(" ")).trim_end())?)
            }
            Format::Json => json_line(out, &line),
            Format::Csv => csv_rows(out, false, [line]),
        }
    }
}

fn in_plies(n: u16) -> String {
    format!(" in {n} {}", if n == 1 { "ply" } else { "plies" })
}

/// Describes the work of the method in its own unit.
fn effort(method: Method, number: u64) -> String {
    let unit = if matches!(method, Method::Search | Method::Forced | Method::AlphaBeta) { "node" } else { "position" };
    format!("{method}, {number} {unit}{}", if number == 1 { "" } else { "s" })
}

fn text_solved(
    setup: &Setup,
    position: &Position,
    solution: &Solution,
    line: &SolvedRow,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "position  {}", line.position)?;
    writeln!(out, "status    {}", line.status)?;
    let plies = line.plies.map(in_plies).unwrap_or_default();
    writeln!(out, "value     {}{plies} for {}", line.value, position.to_move())?;
    if !line.best.is_empty() {
        writeln!(out, "best      {}", line.best.join(" "))?;
    }
    if let Some(action) = &line.wins_by {
        writeln!(out, "wins by   {action}")?;
    }
    let main = setup.game().texts(solution.line.iter().flatten());
    if !main.is_empty() {
        writeln!(out, "line      {}", main.join(" "))?;
    }
    let mut unverified = "; not verified".to_owned();
    if let Some(stopped) = solution.stopped {
        let parts = [
            ("distance", solution.verdict.plies().is_some()),
            ("best", solution.best.is_some()),
            ("line", solution.line.is_some()),
        ];
        let missing: Vec<&str> = parts.iter().filter(|(_, known)| !known).map(|(name, _)| *name).collect();
        if missing.is_empty() {
            unverified = format!("; not verified: {}", with_way_out(&stopped));
        } else {
            writeln!(out, "unknown   {}: {}", missing.join(", "), with_way_out(&stopped))?;
        }
    }
    if let Some(certificate) = &line.certificate {
        return Ok(writeln!(out, "method    {}: proven, {certificate}", solution.method)?);
    }
    let verified = match solution.verified {
        Some(1) if matches!(solution.method, Method::Table | Method::Sweeps) => {
            "; derived again with the reference engine from the table's values of the next positions".to_owned()
        }
        Some(n) => format!("; verified by the reference engine, which went through {n}"),
        None if solution.method == Method::Mirror => "; by theorem, see the docs of pods::solver".to_owned(),
        None => unverified,
    };
    Ok(writeln!(out, "method    {}{verified}", effort(solution.method, solution.positions))?)
}

/// Returns the reasons why the winner is not known, each with what may help: why the search ended,
/// and why no table was made.
fn why(unsolved: &Unsolved) -> Vec<String> {
    let mut reasons = vec![with_way_out(&unsolved.stopped)];
    reasons.extend(unsolved.refused.as_ref().map(|refused| match refused {
        Stopped::WouldNotFit { predicted, limit } => {
            format!("no table: {predicted} needed, the limit is {limit}{}", way_out(refused))
        }
        _ => format!("no table: {}", with_way_out(refused)),
    }));
    reasons
}

fn text_unknown(unsolved: &Unsolved, line: &SolvedRow, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "position  {}", line.position)?;
    writeln!(out, "status    {}", line.status)?;
    writeln!(out, "value     unknown: {}", why(unsolved).join("\n          "))?;
    let bound = |words: &str, value: Option<Value>| value.map(|value| format!("no {words} than {value}"));
    let bounds: Vec<String> =
        [bound("worse", unsolved.at_least), bound("better", unsolved.at_most)].into_iter().flatten().collect();
    if !bounds.is_empty() {
        writeln!(out, "bounds    {}", bounds.join("; "))?;
    }
    let (losing, actions) = (unsolved.losing.len(), unsolved.actions);
    writeln!(
        out,
        "{}",
        format!("losing    {losing} of {actions} actions so far: {}", line.losing.join(" "))
            .trim_end_matches([':', ' '])
    )?;
    Ok(writeln!(out, "method    {}", effort(unsolved.method, unsolved.positions))?)
}
