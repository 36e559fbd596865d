//! Names of the release before this one and of other programs, with what to type in their place.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use crate::rules::OPTION_NAMES;

/// Command ("" for any), what was typed, and what replaces it. A line stays for one release.
const RENAMED: &[(&str, &str, &str)] = &[
    ("", "--white-hand", "is now `--hands WHITE:BLACK`"),
    ("", "--black-hand", "is now `--hands WHITE:BLACK`"),
    ("", "--max-positions", "is now `--max-nodes`"),
    ("solve", "--checkpoint", "is now `pods search --checkpoint`"),
    ("solve", "--checkpoint-from", "is now `pods search --checkpoint-from`"),
    ("solve", "--checkpoint-every", "is now `pods search --checkpoint-every`"),
    ("solve", "--checkpoint-size", "is now `pods search --checkpoint-size`"),
    ("solve", "--only", "is now `pods search --every-action --only`"),
    ("solve", "--replies", "is now `pods search --every-action --replies`"),
    ("prove", "--checkpoint-from", "is now `pods search --checkpoint-from`"),
    ("prove", "--checkpoint-every", "is now `pods search --checkpoint-every`"),
    ("prove", "--checkpoint-size", "is now `pods search --checkpoint-size`"),
    ("best", "--player", "is gone: the stronger search guesses under all rules"),
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

/// Options of other programs, and the one of this program; said where the command has that one.
const OPTIONS: &[(&str, &str)] = &[
    ("--json", "--format json"),
    ("--csv", "--format csv"),
    ("--html", "--format html"),
    ("--text", "--format text"),
    ("--svg", "--format svg"),
    ("--output", "--out FILE"),
    ("-o", "--out FILE"),
    ("-f", "--format"),
    ("-j", "--threads N"),
    ("-t", "--threads N"),
    ("--jobs", "--threads N"),
    ("--cores", "--threads N"),
    ("--nodes", "--max-nodes N"),
    ("--limit", "--max-nodes N"),
    ("--timeout", "--time SECONDS"),
    ("--seconds", "--time SECONDS"),
    ("--ram", "--memory SIZE"),
    ("--mem", "--memory SIZE"),
    ("--depth", "--max-plies N"),
    ("--plies", "--depth N"),
    ("--rotate", "--orientation DEGREES"),
    ("--turn", "--orientation DEGREES"),
    ("--preset", "--rules NAME"),
    ("--overwrite", "--force"),
    ("-v", "--version"),
];

/// Words that are no command or no argument of the command ("" for no command), and what to type.
const WORDS: &[(&str, &str, &str)] = &[
    ("list", "boards", "`pods list` shows all that is built in"),
    ("list", "pods", "`pods list` shows all that is built in"),
    ("list", "rules", "`pods list` shows all that is built in"),
    ("list", "presets", "`pods list` shows all that is built in"),
    ("list", "options", "`pods list` shows all that is built in"),
    ("", "play", "`pods explore --open` shows a board to play on, `pods match` plays two engines"),
    ("", "serve", "`pods explore` serves the page"),
    ("", "gui", "`pods explore --open` shows the page"),
    ("", "web", "`pods explore --open` shows the page"),
    ("", "analyse", "`pods solve` gives the value of a position, `pods best` an action to play"),
    ("", "analyze", "`pods solve` gives the value of a position, `pods best` an action to play"),
    ("", "move", "`pods moves` lists the legal actions, `pods best` names one to play"),
    ("", "verify", "`pods check-proof` checks certificates, `pods table verify` tables"),
    ("", "test", "`pods conform` tests an engine"),
    ("", "boards", "`pods list` shows all that is built in"),
    ("", "version", "`pods --version`"),
    ("", "build", "`pods table build` builds a table"),
    ("", "draw", "`pods show` draws a board"),
];

/// Returns what to type instead of an argument that a command, with these words, does not have.
fn way_out(words: &str, command: &Command, typed: &str, before: &[String]) -> String {
    let mine = |of: &str| of.is_empty() || of == words;
    if let Some((of, _, now)) = RENAMED.iter().find(|(of, name, _)| *name == typed && mine(of)) {
        let of = if typed.starts_with('-') && of.is_empty() {
            "".to_owned()
        } else {
            format!("pods {of} ").replace("  ", " ")
        };
        return format!("`{of}{typed}` {now}");
    }
    let has = |option: &str| command.get_arguments().any(|arg| arg.get_long().is_some_and(|long| option == long));
    let long = |now: &str| has(now.trim_start_matches('-').split(' ').next().unwrap_or_default());
    if let Some((_, now)) = OPTIONS.iter().find(|(name, now)| *name == typed && long(now)) {
        return format!("type `{now}`");
    }
    if let Some((_, _, now)) = WORDS.iter().find(|(of, name, _)| *name == typed && *of == words) {
        return (*now).to_owned();
    }
    let option = typed.trim_start_matches('+');
    if option.split_once('=').is_some_and(|(name, _)| OPTION_NAMES.contains(&name)) {
        return format!("options of the rules follow the preset with a +: `--rules advanced+{option}`");
    }
    match before {
        [.., option, hand] if option == "--hands" => {
            return format!("write both hands as one word: `--hands {hand}:{typed}`");
        }
        _ if words == "conform" && !typed.starts_with('-') => {
            return format!("the program stands behind an option: `pods conform --engine '{typed}'`");
        }
        _ if typed.parse::<u64>().is_ok() && has("depth") => return format!("type `--depth {typed}`"),
        _ => {}
    }
    match words {
        "" => "`pods help` lists the commands".to_owned(),
        words => format!("`pods help {words}` has examples and all options"),
    }
}

/// Returns an error about something that a command does not have, with what to type instead.
pub(super) fn with_way_out(mut error: Error, command: &Command) -> Error {
    let kind = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => return error,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return error };
    let all: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let (mut names, mut asked) = (Vec::new(), command);
    for word in &all {
        let Some(inner) = asked.find_subcommand(word) else { continue };
        names.push(inner.get_name());
        asked = inner;
    }
    // An option that takes its value behind a sign is one name.
    let name = typed.split_once('=').filter(|_| typed.starts_with('-')).map_or(typed.as_str(), |(name, _)| name);
    let is_it = |word: &String| word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
    let at = all.iter().rposition(is_it).unwrap_or(0);
    let similar = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand];
    let way_out = way_out(&names.join(" "), asked, name, &all[..at]);
    // A name that is nearly right says more than where all names stand.
    if way_out.starts_with("`pods help") && similar.iter().any(|kind| error.get(*kind).is_some()) {
        return error;
    }
    for kind in similar.into_iter().chain([ContextKind::Usage]) {
        error.remove(kind);
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![way_out.into()]));
    error
}
