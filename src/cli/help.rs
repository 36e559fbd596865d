//! Help texts. How lines are broken in the source is not how they are broken on a terminal.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory as _, Error};

use super::Cli;

/// Returns the command line of the program. In every help text the lines of a paragraph are one, to
/// be broken where they are shown.
pub(super) fn command() -> Command {
    with_whole_paragraphs(Cli::command())
}

fn with_whole_paragraphs(command: Command) -> Command {
    let joined = |text: Option<&StyledStr>| text.map(|text| whole_paragraphs(&text.to_string()));
    let long_about = joined(command.get_long_about());
    let after = joined(command.get_after_help());
    let command = long_about.into_iter().fold(command, Command::long_about);
    let command = after.into_iter().fold(command, Command::after_help);
    command.mut_args(with_whole_help).mut_subcommands(with_whole_paragraphs)
}

fn with_whole_help(arg: Arg) -> Arg {
    let long = arg.get_long_help().map(|text| whole_paragraphs(&text.to_string()));
    long.into_iter().fold(arg, Arg::long_help)
}

/// Returns the text with each paragraph in one line. Lines that are indented, as examples are, and
/// lines of lists stay as they are.
fn whole_paragraphs(text: &str) -> String {
    let is_part = |line: &str| !line.is_empty() && !line.starts_with([' ', '-', '*']);
    let mut whole = String::new();
    let mut last = "";
    for (i, line) in text.lines().enumerate() {
        if i > 0 {
            whole.push(if is_part(last) && is_part(line) { ' ' } else { '\n' });
        }
        whole.push_str(line);
        last = line;
    }
    whole
}

/// Returns an error about an unknown option with the limit that it is short for, such as
/// `--max-nodes` for `--nodes`, if the command has it.
pub(super) fn with_limit(mut error: Error, command: &Command) -> Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return error };
    let limit = format!("max-{}", typed.trim_start_matches('-'));
    let words = std::env::args_os().skip(1);
    let asked = words.fold(command, |command, word| command.find_subcommand(word).unwrap_or(command));
    if error.kind() == ErrorKind::UnknownArgument && asked.get_arguments().any(|arg| arg.get_long() == Some(&limit)) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{limit}")));
        // It was about the option suggested before.
        error.remove(ContextKind::Usage);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_joined_and_nothing_else() {
        let text = "Examples:\n  pods a\n  pods b\n\nOne sentence\nthat goes on.\nAnother.\n\n- a list\n- with lines\nEnd\nof it";
        let whole =
            "Examples:\n  pods a\n  pods b\n\nOne sentence that goes on. Another.\n\n- a list\n- with lines\nEnd of it";
        assert_eq!(whole_paragraphs(text), whole);
    }

    /// Collects every text of the command and those below it, with the name of the command.
    fn texts(command: &Command, all: &mut Vec<(String, String)>) {
        let own = [command.get_long_about(), command.get_after_help()].into_iter().flatten();
        let of_args = command.get_arguments().filter_map(Arg::get_long_help);
        all.extend(own.chain(of_args).map(|text| (command.get_name().to_owned(), text.to_string())));
        command.get_subcommands().for_each(|inner| texts(inner, all));
    }

    #[test]
    fn no_paragraph_has_a_break_of_its_own() {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        texts(&Cli::command(), &mut before);
        texts(&command(), &mut after);
        assert_eq!(before.len(), after.len());
        for ((name, text), (_, source)) in after.iter().zip(&before) {
            assert_eq!(*text, whole_paragraphs(source), "{name}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(text), words(source), "{name}");
        }
        assert!(before != after, "no text needs it any more");
    }
}
