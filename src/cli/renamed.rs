//! Commands and options of the release before, and what they are now.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Command (empty where the command itself is meant), what was typed, and what replaces it. A line
/// stays for one release.
const RENAMED: &[(&str, &str, &str)] = &[
    ("", "compare-rules", "is now `pods report readings A B`"),
    ("", "bench", "is no command any more: `cargo bench` measures the engines, the solvers and the tables"),
    (
        "",
        "frontier",
        "is no command any more: `pods solve` says the nodes of a search, and the example `late_positions` draws positions",
    ),
    ("report", "--full", "is now `pods report play`; positions are no longer sampled"),
    ("report", "--play", "is now `pods report play`"),
    ("report", "--measures", "is now `pods report measures`"),
    ("report", "--readings", "is now `pods report readings`"),
    ("report", "--strength", "is an option of `pods report play` and `pods report measures`"),
    ("report", "--count", "is an option of `pods report play` and `pods report measures`"),
    ("report", "--seed", "is an option of `pods report play` and `pods report measures`"),
    ("report", "--pictures", "is an option of `pods report measures`"),
    ("report measures", "--doublings", "is no option any more: `pods match` plays unequal nodes"),
    ("report measures", "--repetitions", "is no option any more: a game is drawn at the third repetition"),
    (
        "report readings",
        "--rules",
        "is no option here, since each reading brings its rules: name two rule sets to compare them, `pods report readings A B`",
    ),
    ("match", "--elo0", "is now the first number of --sprt ELO:ELO"),
    ("match", "--elo1", "is now the second number of --sprt ELO:ELO"),
    ("match", "--alpha", "is now the third number of --sprt ELO:ELO:ALPHA:BETA"),
    ("match", "--beta", "is now the fourth number of --sprt ELO:ELO:ALPHA:BETA"),
];

/// Returns an error about a name of before with what it is now, or the same error.
pub(super) fn with_new_name(error: Error, command: &mut Command) -> Error {
    let kind = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => return error,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return error };
    let typed = typed.split('=').next().unwrap_or_default();
    let (mut names, mut asked) = (Vec::new(), &*command);
    for word in std::env::args_os().skip(1) {
        let Some(inner) = asked.find_subcommand(&word) else { break };
        names.push(word.to_string_lossy().into_owned());
        asked = inner;
    }
    let asked = names.join(" ");
    match RENAMED.iter().find(|(of, name, _)| *of == asked && *name == typed) {
        None => error,
        Some((_, _, now)) => {
            let space = if asked.is_empty() { "" } else { " " };
            command.error(error.kind(), format_args!("`pods {asked}{space}{typed}` {now}"))
        }
    }
}
