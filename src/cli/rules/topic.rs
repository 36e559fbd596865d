//! Topics of `pods rules`.

use super::columns::{OUTPUTS, Output};
use crate::material::did_you_mean;
use crate::oracle::protocol;
use crate::rules::formats::FORMATS;
use crate::rules::lemmas::LEMMAS;
use crate::rules::{
    Clause, OPTION_NAMES, OptionEntry, Preset, RULES, RuleSet, Section, Word, glossary, option_entries, rules_sections,
    sections,
};

/// Something that the rules or formats have an entry for.
pub(super) enum Topic {
    Clause(Clause),
    Option(&'static OptionEntry),
    RuleSet(RuleSet),
    Word(&'static Word),
    Section(Section),
    Whole(&'static str, &'static str),
    Columns(&'static Output),
}

const TEXTS: &[(&str, &str)] =
    &[("rules", RULES), ("formats", FORMATS), ("lemmas", LEMMAS), ("protocol", protocol::DESCRIPTION)];

/// The topic of all columns; with a command behind it, that of its columns.
const COLUMNS: &str = "columns";

/// Folds a word for comparison: capitals, blanks and hyphens make no difference.
fn key(text: &str) -> String {
    text.trim().to_lowercase().replace(['_', ' '], "-")
}

fn plural(word: &str) -> String {
    word.strip_suffix('y').map_or_else(|| format!("{word}s"), |stem| format!("{stem}ies"))
}

/// Returns everything of this name. A word may be several things: `opening` is an option and a
/// word.
///
/// # Errors
///
/// What is wrong with it, if it is no name of anything.
pub(super) fn find(asked: &str) -> Result<Vec<Topic>, String> {
    let key = key(asked);
    let mut found: Vec<Topic> = Vec::new();
    let number = key.strip_prefix('r').unwrap_or(&key);
    // 000 to 004 are the texts of the rules, words of the glossary.
    let is_text = key.len() == 3 && key.starts_with("00");
    if !number.is_empty() && !is_text && number.bytes().all(|b| b.is_ascii_digit()) {
        let clause = Clause::ALL.iter().find(|clause| Some(**clause as usize) == number.parse().ok());
        return match clause {
            Some(clause) => Ok(vec![Topic::Clause(*clause)]),
            None => Err(format!("there is no clause {asked}: clauses are R1 to R{}", Clause::ALL.len())),
        };
    }
    let option = key.split_once('=').map_or(key.as_str(), |(name, _)| name);
    found.extend(option_entries().iter().filter(|entry| entry.name == option).map(Topic::Option));
    match key.parse::<RuleSet>() {
        Ok(rules) => found.push(Topic::RuleSet(rules)),
        Err(error) if key.contains('+') => return Err(error.to_string()),
        Err(_) => {}
    }
    let words = |is: &dyn Fn(&str) -> bool| {
        glossary().iter().filter(|word| is(&self::key(&word.word))).map(Topic::Word).collect::<Vec<_>>()
    };
    found.extend(words(&|word| key == word));
    found.extend(all_sections().filter(|section| key == self::key(section.title)).map(Topic::Section));
    found.extend(TEXTS.iter().filter(|(name, _)| key == *name).map(|(name, text)| Topic::Whole(name, text)));
    if let Some(of) = format!("{key}-").strip_prefix(&format!("{COLUMNS}-")).map(|of| of.trim_end_matches('-')) {
        let name = |output: &Output| self::key(output.0.trim_start_matches("pods"));
        let of_one = OUTPUTS.iter().any(|output| name(output) == of);
        let is_asked_for = |output: &&Output| if of_one { name(output) == of } else { name(output).starts_with(of) };
        found.extend(OUTPUTS.iter().filter(is_asked_for).map(Topic::Columns));
    }
    if found.is_empty() {
        found = words(&|word| key == plural(word));
    }
    if found.is_empty() {
        found = words(&|word| word.split('-').next() == Some(&key));
    }
    if found.is_empty() {
        let names: Vec<String> = names().into_iter().flat_map(|(_, names)| names).collect();
        let near = did_you_mean(&key, names.iter().map(String::as_str));
        return Err(format!("there is no entry {asked:?}{near}"));
    }
    Ok(found)
}

fn all_sections() -> impl Iterator<Item = Section> {
    rules_sections().iter().cloned().chain(sections(FORMATS))
}

/// Returns all names but those of clauses, by kind.
fn names() -> Vec<(&'static str, Vec<String>)> {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    vec![
        ("rule sets", Preset::ALL.map(|preset| preset.name().to_owned()).to_vec()),
        ("options", owned(OPTION_NAMES)),
        ("words", glossary().iter().map(|word| word.word.clone()).collect()),
        ("parts", all_sections().map(|section| section.title.to_lowercase()).collect()),
        ("texts", TEXTS.iter().map(|(name, _)| *name).chain([COLUMNS]).map(str::to_owned).collect()),
    ]
}
