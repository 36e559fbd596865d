//! Help texts. How lines are broken in the source is not how they are broken on a terminal.

use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, CommandFactory as _, Error};

use super::Cli;
use crate::material::did_you_mean;

/// The commands by what they are for.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Play and look",
        &["explore", "show", "moves", "explain", "best", "match", "replay", "rules", "list", "check", "new"],
    ),
    ("Solve and prove", &["solve", "search", "prove", "check-proof"]),
    ("Report", &["report"]),
    ("Test others", &["conform", "oracle", "engine", "crosscheck", "perft"]),
    ("Tables", &["table"]),
    ("Program", &["completions", "man", "help"]),
];

/// Returns the command line of the program. In every help text the lines of a paragraph are one, to
/// be broken where they are shown; examples come first, and each option takes a line or two.
pub(crate) fn command() -> Command {
    let command = with_whole_paragraphs(Cli::command());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let template =
        format!("{about}\n\n{{usage-heading}} {{usage}}\n\n{}\nOptions:\n{{options}}{{after-help}}", groups(&command));
    command.help_template(template)
}

/// Returns the commands with a line for each, by what they are for. A command of no group is one of
/// the program.
fn groups(command: &Command) -> String {
    let of = |name: &str| GROUPS.iter().position(|(_, names)| names.contains(&name)).unwrap_or(GROUPS.len() - 1);
    let about = |inner: &Command| inner.get_about().map(ToString::to_string).unwrap_or_default();
    let mut all: Vec<(String, String)> =
        command.get_subcommands().map(|inner| (inner.get_name().to_owned(), about(inner))).collect();
    all.push(("help".to_owned(), "Show examples and options of a command".to_owned()));
    let place = |name: &str| GROUPS[of(name)].1.iter().position(|other| *other == name);
    all.sort_by_key(|(name, _)| place(name));
    let mut text = String::new();
    for (number, (heading, _)) in GROUPS.iter().enumerate() {
        text.push_str(&format!("{heading}:\n"));
        for (name, about) in all.iter().filter(|(name, _)| of(name) == number) {
            let line = format!("  {name:<15}{}", about.trim_end_matches('.'));
            text.push_str(&format!("{}\n", line.trim_end()));
        }
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}

fn with_whole_paragraphs(command: Command) -> Command {
    let joined = |text: Option<&StyledStr>| text.map(|text| whole_paragraphs(&text.to_string()));
    let about = joined(command.get_long_about()).or_else(|| joined(command.get_about())).unwrap_or_default();
    let after = joined(command.get_after_help()).unwrap_or_default();
    let (examples, notes) = with_examples_apart(&after);
    let (first, rest) = about.split_once("\n\n").unwrap_or((&about, ""));
    let before: Vec<&str> = [rest, &examples].into_iter().filter(|text| !text.is_empty()).collect();
    let command = command.about(first.to_owned()).long_about(Resettable::Reset).after_help(notes);
    let command = command.before_help(before.join("\n\n")).help_template(TEMPLATE);
    command.mut_args(with_whole_help).mut_subcommands(with_whole_paragraphs)
}

/// Order of the parts of a command's help.
const TEMPLATE: &str = "\
{about-with-newline}
{before-help}{usage-heading} {usage}

{all-args}{after-help}";

/// Splits the examples, if the text begins with some, from the notes behind them.
fn with_examples_apart(text: &str) -> (String, String) {
    let is_of_examples =
        |part: &str| part.starts_with("Example") || part.lines().any(|line| line.starts_with("  pods "));
    let parts: Vec<&str> = text.split("\n\n").collect();
    let (examples, notes): (Vec<&str>, Vec<&str>) = parts.into_iter().partition(|part| is_of_examples(part));
    (examples.join("\n\n"), notes.join("\n\n"))
}

/// Shows the whole help of an argument in a line or two, also where `--help` is typed.
fn with_whole_help(arg: Arg) -> Arg {
    let help = arg.get_long_help().or(arg.get_help()).map(|text| whole_paragraphs(&text.to_string()));
    let mut help = help.unwrap_or_default();
    let values = arg.get_possible_values();
    // Values with a help of their own would make a list.
    if values.iter().any(|value| value.get_help().is_some()) {
        let names: Vec<&str> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
        help.push_str(&format!(" [possible values: {}]", names.join(", ")));
        return arg.help(help).long_help(Resettable::Reset).hide_possible_values(true);
    }
    arg.help(help).long_help(Resettable::Reset)
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

/// Returns the text of an error about a number with its cause in words.
pub(crate) fn number_in_words(text: &str) -> String {
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
pub(crate) fn with_command(mut error: Error, command: &Command) -> Error {
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
        let all = texts(&command());
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

    /// Returns every text of the command and those below it, with the name of the command.
    fn texts(command: &Command) -> Vec<(String, String)> {
        let own = [command.get_about(), command.get_before_help(), command.get_after_help()].into_iter().flatten();
        let all = own.chain(command.get_arguments().filter_map(Arg::get_help));
        let own = all.map(|text| (command.get_name().to_owned(), text.to_string()));
        own.chain(command.get_subcommands().flat_map(texts)).collect()
    }

    #[test]
    fn no_paragraph_has_a_break_of_its_own() {
        for (name, text) in texts(&command()) {
            assert_eq!(text, whole_paragraphs(&text), "{name}");
        }
    }

    /// Returns the command and those below it, each with the words to type.
    fn commands(command: &Command, words: &str) -> Vec<(String, Command)> {
        let named = |inner: &Command| commands(inner, format!("{words} {}", inner.get_name()).trim());
        let own = std::iter::once((words.to_owned(), command.clone()));
        own.chain(command.get_subcommands().flat_map(named)).collect()
    }

    #[test]
    fn a_command_has_few_options_and_its_help_fits_on_two_screens() {
        for (name, mut command) in commands(&command(), "") {
            let options = command.get_arguments().filter(|arg| !arg.is_positional()).count();
            assert!(options <= 18, "{name}: {options} options");
            let lines = command.render_help().to_string().lines().count();
            assert!(lines <= 90, "{name}: {lines} lines");
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = command();
        let mut names: Vec<&str> = command.get_subcommands().map(Command::get_name).chain(["help"]).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        names.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(names, grouped);
    }
}
