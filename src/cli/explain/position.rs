//! `pods explain` without an action: a whole position.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use super::value::{Worth, WorthRow};
use crate::cli::cited::{CitedClause, cited};
use crate::cli::failure::Failure;
use crate::cli::format::{csv_rows, json_line};
use crate::engine::{Engine, Reference, Status, why_won};
use crate::files::{Object, record};
use crate::geometry::{Coord, Point};
use crate::position::{Game, Position};
use crate::report::{Choices, ExplainedRow, Verdict, choices};
use crate::rules::Clause;

record! {
    /// A whole position, as other programs read it.
    #[derive(Debug)]
    pub(in crate::cli) struct PositionReport {
        /// The position.
        position: String,
        /// `ongoing`, `white_won` or `black_won`.
        status: &'static str,
        /// Value of the position for the side to move, if the game goes on.
        #[serde(skip_serializing_if = "Option::is_none")]
        worth: Option<Object<WorthRow>>,
        /// Each kind in hand on each point.
        placements: Vec<Object<ExplainedRow>>,
        /// Each move, shove and kick that a leg points to.
        moves: Vec<Object<ExplainedRow>>,
        /// The clauses that `clause` of a placement or move names.
        clauses: Vec<Object<CitedClause>>,
    }
}

fn row(game: &Game, pod: char, [from, point]: [Option<Point>; 2], verdict: &Verdict) -> ExplainedRow {
    let name = |point| game.board().coord(point).to_string();
    let clause = verdict.clause();
    ExplainedRow {
        pod: pod.to_string(),
        from: from.map(name),
        point: point.map(name),
        action: verdict.action.display(game).to_string(),
        legal: verdict.illegal.is_none(),
        clause: clause.map(|clause| clause.to_string()),
        explanation: verdict.explain(game),
        sentence: clause.map(Clause::sentence),
    }
}

fn table(reference: &Reference, position: &Position, worth: Option<Worth>) -> PositionReport {
    let game = reference.game();
    let Choices { status, placements, moves } = choices(reference, position);
    let verdicts = placements.iter().flat_map(|(_, verdicts)| verdicts).chain(moves.iter().flat_map(|(_, v)| v));
    let named: BTreeSet<Clause> = verdicts.filter_map(Verdict::clause).collect();
    let placements = placements.iter().flat_map(|(kind, verdicts)| {
        let placed = move |(verdict, at)| Object(row(game, game.pods().id(*kind), [None, Some(at)], verdict));
        verdicts.iter().zip(game.board().points()).map(placed)
    });
    let moves = moves.iter().flat_map(|(from, verdicts)| {
        let pod = position.pod(*from).map(|pod| game.pods().id(pod.kind));
        verdicts.iter().filter_map(move |verdict| Some(Object(row(game, pod?, [Some(*from), None], verdict))))
    });
    PositionReport {
        position: position.display(game).to_string(),
        status: status.name(),
        worth: worth.map(|worth| Object(worth.row)),
        placements: placements.collect(),
        moves: moves.collect(),
        clauses: named.into_iter().map(|clause| Object(clause.into())).collect(),
    }
}

pub(super) fn json(
    reference: &Reference,
    position: &Position,
    worth: Option<Worth>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    json_line(out, &table(reference, position, worth))
}

pub(super) fn csv(reference: &Reference, position: &Position, out: &mut dyn Write) -> Result<(), Failure> {
    let PositionReport { placements, moves, .. } = table(reference, position, None);
    csv_rows(out, true, placements.into_iter().chain(moves).map(|Object(row)| row))
}

/// Writes everything on one line, for a stream: the legal actions, then the clauses with the
/// actions that they forbid.
pub(super) fn line(
    reference: &Reference,
    position: &Position,
    worth: Option<Worth>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let game = reference.game();
    let choices = choices(reference, position);
    let placements = choices.placements.iter().flat_map(|(_, verdicts)| verdicts);
    let all: Vec<&Verdict> = placements.chain(choices.moves.iter().flat_map(|(_, verdicts)| verdicts)).collect();
    let worth = worth.map(|worth| format!("; {}", worth.sentence(&position.to_move().to_string()))).unwrap_or_default();
    Ok(writeln!(out, "{}: {}{worth}", choices.status.name(), by_clause(game, &all))?)
}

/// Groups actions by the clause that forbids them, the legal ones first.
fn by_clause(game: &Game, verdicts: &[&Verdict]) -> String {
    let mut groups: BTreeMap<Option<Clause>, Vec<String>> = BTreeMap::new();
    for verdict in verdicts {
        groups.entry(verdict.clause()).or_default().push(verdict.action.display(game).to_string());
    }
    let group = |(clause, actions): (&Option<Clause>, &Vec<String>)| {
        format!("{} {}", clause.map_or("legal".to_owned(), |clause| clause.to_string()), actions.join(" "))
    };
    groups.iter().map(group).collect::<Vec<_>>().join("; ")
}

pub(super) fn text(
    reference: &Reference,
    position: &Position,
    worth: Option<Worth>,
    reasons: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let game = reference.game();
    let mover = position.to_move();
    let choices = choices(reference, position);
    writeln!(out, "position: {}", position.display(game))?;
    if let Status::Won(winner) = choices.status {
        writeln!(out, "{winner} has won: {}", why_won(reference.game(), position))?;
    } else {
        writeln!(out, "{mover} is to move")?;
    }
    if let Some(worth) = worth {
        writeln!(out, "{}", worth.sentence(&mover.to_string()))?;
    }
    let mut named: Vec<Clause> = Vec::new();
    for (kind, verdicts) in &choices.placements {
        let (spec, count) = (game.pods().spec(*kind), position.hand(mover).count(*kind));
        let legal = verdicts.iter().filter(|verdict| verdict.illegal.is_none()).count();
        let in_hand = if count > 1 { format!(", {count} in hand") } else { String::new() };
        let total = verdicts.len();
        write!(out, "\n{} ({}){in_hand}: may go to {legal} of {total} points", spec.id, spec.legs)?;
        // One clause for all points is named once.
        let only = verdicts.first().and_then(Verdict::clause);
        match only.filter(|_| verdicts.iter().all(|verdict| verdict.clause() == only)) {
            Some(clause) => writeln!(out, ": {clause}, {}", clause.title())?,
            None => write!(out, "\n{}", grid(game, verdicts))?,
        }
        named.extend(verdicts.iter().filter_map(Verdict::clause));
        write_reasons(game, verdicts, reasons, out)?;
    }
    if !game.rules().options().moves {
        writeln!(out, "\nno pod on the board moves ({})", Clause::R14)?;
    }
    for (from, verdicts) in &choices.moves {
        let id = position.pod(*from).map_or(' ', |pod| game.pods().id(pod.kind));
        let legs = position.pod(*from).map(|pod| game.pods().legs(pod.kind).on_board(pod.side).to_string());
        writeln!(out, "\n{id} on {} ({} on the board)", game.board().coord(*from), legs.unwrap_or_default())?;
        let legal: Vec<String> =
            verdicts.iter().filter(|v| v.illegal.is_none()).map(|v| v.action.display(game).to_string()).collect();
        writeln!(out, "  may: {}", if legal.is_empty() { "nothing".to_owned() } else { legal.join(" ") })?;
        // What nobody would try is in the other formats: a push of nothing, a move onto a pod where
        // a shove is legal.
        let worth_it: Vec<Verdict> = verdicts.iter().filter(|v| v.fits(position)).cloned().collect();
        let refused: Vec<&Verdict> = worth_it.iter().filter(|v| v.illegal.is_some()).collect();
        if !refused.is_empty() {
            writeln!(out, "  may not: {}", by_clause(game, &refused))?;
        }
        named.extend(worth_it.iter().filter_map(Verdict::clause));
        write_reasons(game, &worth_it, reasons, out)?;
    }
    named.sort();
    named.dedup();
    if !named.is_empty() {
        writeln!(out)?;
    }
    Ok(write!(out, "{}", cited(&named))?)
}

fn write_reasons(game: &Game, verdicts: &[Verdict], reasons: bool, out: &mut dyn Write) -> Result<(), Failure> {
    for verdict in verdicts.iter().filter(|verdict| reasons && verdict.illegal.is_some()) {
        writeln!(out, "  {}", verdict.explain(game))?;
    }
    Ok(())
}

/// Returns the board as a grid with `yes` or a clause at each point; a hole is blank.
fn grid(game: &Game, verdicts: &[Verdict]) -> String {
    let board = game.board();
    let cell = |coord: Coord| match board.point_at(coord).and_then(|point| verdicts.get(point.index())) {
        None => String::new(),
        Some(verdict) => verdict.clause().map_or("yes".to_owned(), |clause| clause.to_string()),
    };
    let mut grid = String::new();
    for row in (0..board.rows()).rev() {
        let cells: String = (0..board.columns()).map(|column| format!(" {:4}", cell(Coord { row, column }))).collect();
        grid.push_str(format!("{:>2} {cells}", row + 1).trim_end());
        grid.push('\n');
    }
    let letters: String = (0..board.columns()).map(|column| format!(" {:4}", (b'a' + column) as char)).collect();
    grid.push_str(format!("   {letters}").trim_end());
    grid.push('\n');
    grid
}
