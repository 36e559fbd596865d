//! `pods check-proof`

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::failure::{CommandResult, Exit, Failure, interrupted};
use super::format::{Format, csv_rows, json_line};
use super::limits::{Stopper, memory};
use super::progress::Progress;
use super::setup::SetupArgs;
use super::threads::ThreadsArg;
use crate::certificate::{
    CertificateError, CheckOptions, Checked, Compared, Fault, LONGEST_TRAILER, ProofError, ProofSummary, check,
    lines_counted, unpack,
};
use crate::files::{Bytes, ReadError, escaped};
use crate::geometry::Orientation;
use crate::position::Setup;

/// Check a certificate in one pass, by the rules alone and without a solver.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods check-proof win.jsonl
  pods check-proof win.jsonl --about start --board nook9 --pods four --hands bdt
  pods check-proof results/solved/0-start.proof
  pods check-proof - --format json < win.jsonl

Here strategies are named .jsonl and searches .proof; the name does not matter. Certificates packed
by xz or zstd are unpacked while they are read, within an eighth of --memory.

A certificate is about the setup that it holds, whatever names it gives to board and pods; --about
compares that with the setup you mean.

Exit status: 0 the claim is proven; 1 the file is damaged, proves nothing, or is about another
setup; 2 it is no certificate, or needs more than --memory.")]
pub(super) struct Args {
    /// A certificate, plain or packed by xz or zstd, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Require that the certificate is about this position (or `start`) of the setup given by the
    /// setup options
    #[arg(long, value_name = "POSITION")]
    about: Option<String>,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Use at most this much memory, such as 500MiB or 16GiB: a short certificate may lead to many
    /// positions
    #[arg(long, value_name = "SIZE", default_value = "8GiB", value_parser = memory)]
    memory: u64,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    setup: SetupArgs,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    args.threads.set_up()?;
    let about = match &args.about {
        None if args.setup.is_given() => {
            return Err(Failure::wrong(
                "the setup is compared with the certificate's only with --about: add --about start, or leave the setup out",
            ));
        }
        None => None,
        Some(position) => {
            let setup = args.setup.read()?;
            let position = setup.parse_position(position)?;
            Some((setup, position))
        }
    };
    let input: Box<dyn BufRead> = if args.file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&args.file).map_err(|e| Failure::wrong(ReadError::from(e)).at(args.file.display()))?;
        Box::new(BufReader::with_capacity(1 << 16, file))
    };
    let (input, memory) = unpack(input, args.memory).map_err(|e| Failure::wrong(e).at(args.file.display()))?;
    let stopper = Stopper::reading(&args.file)?;
    let total = total(&args.file, args.memory, &stopper);
    let observer = Progress::new("check", "lines").until(&stopper);
    let options = CheckOptions::default().with_memory(memory).with_total(total).with_observer(&observer);
    let checked = check(input, options);
    drop(observer);
    let checked = match checked {
        Err(error) if error.fault == Fault::Stopped => {
            return interrupted(out, format_args!("{}: {error}", args.file.display()));
        }
        checked => checked.map_err(|e| failure(&args.file, e, args.memory))?,
    };
    if let Some((setup, position)) = about {
        let other = difference(&setup, &position.display(setup.game()).to_string(), &checked);
        if let Some(other) = other {
            return Err(
                Failure::Discrepancy(format!("proven, but not what --about asks for: {other}")).at(args.file.display())
            );
        }
    }
    let answer = checked.summary();
    match args.format {
        Format::Json => json_line(out, &answer)?,
        Format::Csv => csv_rows(out, true, [answer])?,
        Format::Text => text(out, &answer, &checked)?,
    }
    Ok(Exit::Good)
}

/// Returns the number of lines that the end of a file counts, to show how much of the check is left.
///
/// A packed file is unpacked for that, which takes a small part of the time of its check.
fn total(path: &Path, memory: u64, stopper: &Stopper) -> Option<u64> {
    let mut file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|there| there.is_file()))?;
    let (mut input, left) = unpack(BufReader::new(&file), memory).ok()?;
    let mut end = Vec::new();
    if left < memory {
        let mut read = 1;
        while read > 0 && !stopper.is_set() {
            end.drain(..end.len().saturating_sub(LONGEST_TRAILER as usize));
            read = (&mut input).take(1 << 16).read_to_end(&mut end).ok()?;
        }
    } else {
        drop(input);
        let length = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LONGEST_TRAILER))).ok()?;
        file.read_to_end(&mut end).ok()?;
    }
    lines_counted(&end)
}

/// Converts an error: a certificate that fails is a failed verification, a file that is no
/// certificate is wrong input.
fn failure(file: &Path, error: CertificateError, memory: u64) -> Failure {
    match error.fault {
        Fault::NoCertificate => Failure::wrong(format_args!("{error}; make one with `pods prove`")),
        Fault::Stopped => Failure::Interrupted(error.to_string()),
        Fault::Memory => Failure::Limit(format!("{error}; raise --memory, which is {}", Bytes(memory.into()))),
        Fault::Damaged | Fault::Unproven => Failure::Discrepancy(error.to_string()),
    }
    .at(file.display())
}

/// Converts the error of a certificate at `file` that was not made, or does not pass the check
/// within so many bytes.
pub(super) fn failed(file: &Path, error: ProofError, memory: u64) -> Failure {
    match error {
        ProofError::Solve(error) => Failure::from(error),
        ProofError::Certificate(error) => failure(file, error, memory),
    }
}

/// Describes in what a proven certificate is about something else.
fn difference(wanted: &Setup, position: &str, checked: &Checked) -> Option<String> {
    let (wanted, game) = (wanted.game(), &checked.game);
    let rules = |way_out: String| match wanted.rules().options() == game.rules().options() {
        true => format!(": add {way_out}"),
        false => format!(" and under {}, not {}: add {way_out} --rules {}", game.rules(), wanted.rules(), game.rules()),
    };
    if !wanted.board().same_shape(game.board()) {
        let asked = wanted.board().orientation();
        let lies_so = |to: &Orientation| {
            let by = Orientation::ALL.into_iter().find(|&by| asked.then(by) == *to);
            by.is_some_and(|by| wanted.board().turned(by).same_shape(game.board()))
        };
        // Of several that look the same, the one that the certificate names.
        let all = [game.board().orientation()].into_iter().chain(Orientation::ALL);
        return Some(match all.into_iter().find(lies_so) {
            Some(lies) => {
                let way_out = rules(format!("--orientation {lies}"));
                format!("it is about orientation {lies}, not {asked}{way_out}")
            }
            None => "it is about another board".to_owned(),
        });
    }
    if !wanted.pods().same_pods(game.pods()) {
        return Some("it is about other pods".to_owned());
    }
    if wanted.rules().options() != game.rules().options() {
        let (rules, asked) = (game.rules(), wanted.rules());
        return Some(format!("it is about the rules {rules}, not {asked}: add --rules {rules}"));
    }
    let text = checked.root.display(game).to_string();
    (text != position).then(|| format!("it is about the position {text}, not {position}"))
}

/// Returns the number of lines, and of sections if there are several.
pub(super) fn lines(checked: &Checked) -> String {
    match checked.sections {
        0 | 1 => checked.lines.to_string(),
        more => format!("{} in {more} sections", checked.lines),
    }
}

fn text(out: &mut dyn Write, answer: &ProofSummary, checked: &Checked) -> Result<(), Failure> {
    let built_in = |is: bool| if is { "the built-in one" } else { "not a built-in one" };
    writeln!(out, "proven    {} for {}", checked.claim, checked.root.to_move())?;
    writeln!(out, "position  {}", answer.position)?;
    writeln!(
        out,
        "board     {}, orientation {}: {}",
        escaped(&answer.board),
        answer.orientation,
        built_in(answer.board_is_built_in)
    )?;
    writeln!(out, "pods      {}: {}", escaped(&answer.pods), built_in(answer.pods_are_built_in))?;
    writeln!(out, "rules     {}", answer.rules)?;
    let how = match checked.is_walk() {
        false => "answers followed with the reference engine",
        true => "replies followed, alone or covered together, by the checker's own code of the rules",
    };
    writeln!(out, "lines     {}, {} {how}", lines(checked), answer.answers)?;
    if let Some(Compared { positions, virtual_pods }) = checked.compared {
        writeln!(
            out,
            "sample    {positions} positions, {virtual_pods} with covers, compared with the reference engine"
        )?;
    }
    writeln!(out, "trailer   sha256 {} of every byte before it", answer.trailer_sha256)?;
    Ok(writeln!(out, "file      sha256 {} of the whole, unpacked", answer.file_sha256)?)
}
