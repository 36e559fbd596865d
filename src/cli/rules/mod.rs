//! `pods rules`

mod columns;
mod topic;

use std::io::Write;

use serde::Serialize;
use serde_json::{Map, Value};

use super::cited::sentences;
use super::failure::{CommandResult, Exit, Failure};
use super::format::{PlainFormat, json_line};
use super::render::{hanging, markdown, width};
use crate::files::Column;
use crate::rules::{
    Clause, OPTION_NAMES, OptionEntry, Preset, RULES, RuleSet, glossary, option_entries, rules_sections,
};
use columns::OUTPUTS;
use topic::{Topic, find};

/// Show the rules: clauses, options, rule sets, words, formats and the protocol.
///
/// Without a word, all of the rules are shown. A clause is shown by its number; a rule set shows
/// its options and the clauses in force.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  pods rules                      all clauses, options, presets, the glossary
  pods rules R18                  a clause (also 18; also several)
  pods rules advanced             a rule set: its options, and the clauses in force
  pods rules placement-liberty    an option: values, clauses, what the sources say
  pods rules blocked              a word
  pods rules glossary             all words; also options, presets, disagreements, traps, ...
  pods rules formats              board and pod files, positions, actions, files for programs
  pods rules columns              the data dictionary: columns of CSV, fields of JSON, by command
  pods rules columns report       those of one command (also 'report play')
  pods rules lemmas               lemmas behind certificates of placement games, with proofs
  pods rules protocol             the protocol by which another implementation is checked
  pods rules --format json        everything, an object a line")]
pub(super) struct Args {
    /// A clause, rule set, option, word, or part of the rules or formats [default: all of the
    /// rules]
    #[arg(value_name = "WORD")]
    words: Vec<String>,

    /// Format of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: PlainFormat,
}

/// An entry as other programs read it.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Record {
    /// `text` is Markdown; `options` are those whose entries name the clause; `proven` are
    /// theorems of `src/formal`.
    Clause {
        name: String,
        title: &'static str,
        section: &'static str,
        sentence: &'static str,
        text: &'static str,
        options: Vec<&'static str>,
        proven: Vec<String>,
    },
    Option {
        name: &'static str,
        sentence: String,
        values: Vec<String>,
        presets: Map<String, Value>,
        clauses: Vec<String>,
        sources: String,
    },
    RuleSet {
        name: String,
        options: Map<String, Value>,
        in_force: Vec<String>,
        not_in_force: Vec<String>,
    },
    Word {
        name: String,
        meaning: String,
    },
    Section {
        name: &'static str,
        text: &'static str,
    },
    Text {
        name: &'static str,
        text: &'static str,
    },
    Columns {
        name: &'static str,
        columns: Vec<Column>,
    },
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let topics = if args.words.is_empty() { everything(args.format) } else { asked_for(&args.words)? };
    match args.format {
        PlainFormat::Json => {
            for topic in &topics {
                json_line(out, &Record::of(topic))?;
            }
        }
        PlainFormat::Text => {
            let pages: Vec<String> = topics.iter().map(|topic| text(topic, width())).collect();
            out.write_all(pages.join("\n").as_bytes())?;
        }
    }
    Ok(Exit::Good)
}

/// Returns the text of the rules, or each entry of it as a record of its own.
fn everything(format: PlainFormat) -> Vec<Topic> {
    if format == PlainFormat::Text {
        return vec![Topic::Whole("rules", RULES)];
    }
    let mut topics: Vec<Topic> = Clause::ALL.iter().map(|clause| Topic::Clause(*clause)).collect();
    topics.extend(option_entries().iter().map(Topic::Option));
    topics.extend(Preset::ALL.map(|preset| Topic::RuleSet(preset.into())));
    topics.extend(glossary().iter().map(Topic::Word));
    let no_entries = |title: &str| ["Disagreements", "Traps", "Printed game"].contains(&title);
    topics.extend(rules_sections().iter().filter(|section| no_entries(section.title)).cloned().map(Topic::Section));
    topics
}

/// Finds the topic that all words together name, or else the topic of each.
fn asked_for(words: &[String]) -> Result<Vec<Topic>, Failure> {
    if let Ok(topics) = find(&words.join(" ")) {
        return Ok(topics);
    }
    let mut topics = Vec::new();
    for word in words {
        topics.extend(find(word).map_err(|cause| {
            Failure::wrong(format_args!(
                "{cause} (`pods rules glossary` lists all words, `pods help rules` everything else)"
            ))
        })?);
    }
    Ok(topics)
}

fn options_of(clause: Clause) -> impl Iterator<Item = &'static OptionEntry> {
    option_entries().iter().filter(move |entry| entry.clauses.contains(&clause))
}

fn text(topic: &Topic, width: usize) -> String {
    match topic {
        Topic::Clause(clause) => {
            let mut text = format!("{} ({})\n\n{}", clause.heading(), clause.section(), markdown(clause.text(), width));
            for (i, option) in options_of(*clause).enumerate() {
                text.push_str(if i == 0 { "\n" } else { "" });
                text.push_str(&hanging("option  ", &format!("{}: {}", option.name, option.values.join(", ")), width));
            }
            for (i, proven) in clause.proven().enumerate() {
                text.push_str(if i == 0 { "\n" } else { "" });
                text.push_str(&hanging("proven: ", &proven.to_string(), width));
            }
            text
        }
        Topic::Option(option) => option_text(option, width),
        Topic::RuleSet(rules) => rule_set_text(rules, width),
        Topic::Word(word) => hanging(&format!("{}: ", word.word), &word.meaning, width),
        Topic::Section(section) => markdown(&format!("## {}\n\n{}", section.title, section.text), width),
        Topic::Whole(_, whole) => markdown(whole, width),
        Topic::Columns((command, columns)) => {
            let columns = columns();
            let line = |Column { name, kind, meaning }: &Column| {
                hanging(&format!("  {name}  "), &format!("{kind}: {meaning}"), width)
            };
            let lines: String = columns.iter().map(line).collect();
            let others: Vec<&str> = OUTPUTS.iter().map(|(name, _)| *name).filter(|name| more(name, command)).collect();
            let others =
                others.iter().map(|name| format!("more: pods rules columns '{}'\n", name.trim_start_matches("pods ")));
            format!("columns of {command}\n\n{lines}{}", others.collect::<String>())
        }
    }
}

/// Returns `true` if an output is of the same command as another, with an option besides.
fn more(name: &str, command: &str) -> bool {
    name.strip_prefix(command).is_some_and(|rest| rest.starts_with(' '))
}

fn option_text(option: &OptionEntry, width: usize) -> String {
    let mut text = format!("option {}\n\n", option.name);
    text.push_str(&hanging("", &option.sentence, width));
    text.push('\n');
    for value in &option.values {
        let has = |preset: &Preset| RuleSet::from(*preset).value(option.name) == Some(value);
        let presets: Vec<&str> = Preset::ALL.iter().filter(|preset| has(preset)).map(|preset| preset.name()).collect();
        let presets = if presets.is_empty() { "in no preset".to_owned() } else { presets.join(", ") };
        text.push_str(&hanging(&format!("{value:12}  "), &presets, width));
    }
    text.push('\n');
    text.push_str(&hanging("sources       ", &option.sources, width));
    text.push('\n');
    text.push_str(&sentences(&option.clauses, width));
    text
}

fn rule_set_text(rules: &RuleSet, width: usize) -> String {
    let mut text = format!("rules {rules}\n\n");
    let longest = OPTION_NAMES.iter().map(|name| name.len()).max().unwrap_or(0);
    for option in OPTION_NAMES {
        let value = rules.value(option).unwrap_or_default();
        let of_preset = RuleSet::from(rules.preset()).value(option).unwrap_or_default();
        let changed =
            if value == of_preset { String::new() } else { format!(" ({}: {of_preset})", rules.preset().name()) };
        text.push_str(&format!("  {option:longest$}  {value}{changed}\n"));
    }
    let (in_force, not): (Vec<Clause>, Vec<Clause>) = Clause::ALL.iter().partition(|clause| clause.in_force(rules));
    text.push_str("\nclauses in force\n");
    text.push_str(&sentences(&in_force, width));
    if !not.is_empty() {
        let not: Vec<String> = not.iter().map(Clause::to_string).collect();
        text.push('\n');
        text.push_str(&hanging("not in force  ", &not.join(", "), width));
    }
    text
}

impl Record {
    fn of(topic: &Topic) -> Record {
        let names = |clauses: &[Clause]| clauses.iter().map(Clause::to_string).collect::<Vec<_>>();
        match topic {
            Topic::Clause(clause) => Record::Clause {
                name: clause.to_string(),
                title: clause.title(),
                section: clause.section(),
                sentence: clause.sentence(),
                text: clause.text(),
                options: options_of(*clause).map(|option| option.name).collect(),
                proven: clause.proven().map(ToString::to_string).collect(),
            },
            Topic::Option(option) => {
                let of = |preset: Preset| {
                    let value = RuleSet::from(preset).value(option.name).unwrap_or_default();
                    (preset.name().to_owned(), value.into())
                };
                Record::Option {
                    name: option.name,
                    sentence: option.sentence.clone(),
                    values: option.values.clone(),
                    presets: Preset::ALL.map(of).into_iter().collect(),
                    clauses: names(&option.clauses),
                    sources: option.sources.clone(),
                }
            }
            Topic::RuleSet(rules) => {
                let (in_force, not): (Vec<Clause>, Vec<Clause>) =
                    Clause::ALL.iter().partition(|clause| clause.in_force(rules));
                Record::RuleSet {
                    name: rules.to_string(),
                    options: rules.values().map(|(name, value)| (name.to_owned(), value.into())).collect(),
                    in_force: names(&in_force),
                    not_in_force: names(&not),
                }
            }
            Topic::Word(word) => Record::Word { name: word.word.clone(), meaning: word.meaning.clone() },
            Topic::Section(section) => Record::Section { name: section.title, text: section.text },
            Topic::Whole(name, text) => Record::Text { name, text },
            Topic::Columns((command, columns)) => Record::Columns { name: command, columns: columns() },
        }
    }
}
