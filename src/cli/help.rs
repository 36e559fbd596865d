//! Help texts. How lines are broken in the source is not how they are broken on a terminal.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory as _, Error};

use super::Cli;
use crate::material::did_you_mean;

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

/// Returns the text of an error about a number with its cause in words.
pub fn number_in_words(text: &str) -> String {
    let text = text.replace("invalid digit found in string", "write a whole number, as in 1000000");
    let text = text.replace("number too large to fit in target type", "the number is too large");
    let Some((before, range)) = text.split_once(" is not in ") else { return text };
    let (range, after) = range.split_once('\n').unwrap_or((range, ""));
    let (Some((least, most)), Some((before, _))) = (range.split_once(".."), before.rsplit_once(' ')) else {
        return text;
    };
    let most = most.trim_start_matches('=');
    let words = match (least, most) {
        (least, "") => format!("it must be at least {least}"),
        (least, most) if most.len() > 15 => format!("it must be at least {least}"),
        ("", most) => format!("it must be at most {most}"),
        (least, most) => format!("it must be from {least} to {most}"),
    };
    format!("{before} {words}\n{after}")
}

/// Returns an error about an unknown command with the one that was meant, where clap has none.
pub(super) fn with_command(mut error: Error, command: &Command) -> Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let names = command.get_subcommands().map(|command| command.get_name().to_owned());
    let meant: Vec<String> = names.filter(|name| !did_you_mean(typed, [name.as_str()]).is_empty()).collect();
    if error.get(ContextKind::SuggestedSubcommand).is_none() && !meant.is_empty() {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(meant));
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_about_numbers_are_in_words() {
        for (from, to) in [
            (
                "value '1e6': invalid digit found in string\n\nFor",
                "value '1e6': write a whole number, as in 1000000\n\nFor",
            ),
            ("for '--port': 70000 is not in 0..=65535\n\nFor", "for '--port': it must be from 0 to 65535\n\nFor"),
            ("for '--cases': 0 is not in 1..18446744073709551615\n", "for '--cases': it must be at least 1\n"),
            ("the file is not in the folder", "the file is not in the folder"),
        ] {
            assert_eq!(number_in_words(from), to);
        }
    }

    /// A terminal of 100 columns breaks what is longer, and half a command would be pasted.
    #[test]
    fn no_example_is_broken() {
        let mut all = Vec::new();
        texts(&command(), &mut all);
        let lines = all.iter().flat_map(|(_, text)| text.lines()).filter(|line| line.starts_with("  pods "));
        let long: Vec<&str> = lines.clone().filter(|line| line.chars().count() > 100).collect();
        assert!(lines.count() > 50 && long.is_empty(), "{long:#?}");
    }

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
