//! The rules as text: what `RULES.md` says of each clause, option and word.

use std::sync::LazyLock;

use super::Clause;

/// The rules, in Markdown: all clauses, options, presets, disagreements of the texts, traps, and
/// the glossary.
pub const RULES: &str = include_str!("RULES.md");

/// A part of a text under a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// The Markdown under the heading, entries included.
    pub text: &'static str,
    /// The parts of the section that have headings of their own.
    pub entries: Vec<Subsection>,
}

/// A part of a section under a heading of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subsection {
    /// The heading.
    pub title: &'static str,
    /// The Markdown under the heading.
    pub body: &'static str,
}

impl Subsection {
    /// Returns the first paragraph, on one line.
    pub(crate) fn lead(&self) -> String {
        unwrapped(self.body.split("\n\n").next().unwrap_or_default())
    }
}

/// Splits a Markdown text at its headings of the second level, and each part at those of the third.
/// What stands before the first heading of the second level, the title and the introduction, is
/// left out.
#[must_use]
pub fn sections(text: &'static str) -> Vec<Section> {
    parts(text, "\n## ")
        .map(|(title, body)| {
            let entries = parts(body, "\n### ").map(|(title, body)| Subsection { title, body: body.trim() }).collect();
            Section { title, text: body.trim(), entries }
        })
        .collect()
}

/// Returns the headings that begin with this mark, each with what stands under it.
fn parts(text: &'static str, mark: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.split(mark).skip(1).map(|part| {
        let (title, body) = part.split_once('\n').unwrap_or((part, ""));
        // The line break stays, as the mark of a heading right below begins with one.
        (title.trim(), &part[part.len() - body.len() - usize::from(part.len() > title.len())..])
    })
}

fn unwrapped(lines: &str) -> String {
    lines.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

struct ClauseText {
    sentence: String,
    body: &'static str,
    section: &'static str,
}

/// Returns the sections of [`RULES`].
pub fn rules_sections() -> &'static [Section] {
    static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| sections(RULES));
    &SECTIONS
}

fn clause_text(clause: Clause) -> &'static ClauseText {
    static CLAUSES: LazyLock<Vec<ClauseText>> = LazyLock::new(|| {
        let of = |clause: &Clause| {
            let heading = clause.heading();
            let found = rules_sections()
                .iter()
                .find_map(|section| Some((section.title, section.entries.iter().find(|e| e.title == heading)?)));
            let (section, entry) = found.unwrap_or(("", &Subsection { title: "", body: "" }));
            ClauseText { sentence: entry.lead(), body: entry.body, section }
        };
        Clause::ALL.iter().map(of).collect()
    });
    &CLAUSES[clause as usize - 1]
}

impl Clause {
    /// Returns the number and the title, as in the heading of the clause in [`RULES`].
    #[must_use]
    pub fn heading(self) -> String {
        format!("{self} {}", self.title())
    }

    /// Returns the first paragraph of the clause's text, a sentence or two on one line.
    ///
    /// ```
    /// use pods::rules::Clause;
    /// assert_eq!(Clause::R6.sentence(), "A pod attacks every point that one of its legs reaches.");
    /// ```
    #[must_use]
    pub fn sentence(self) -> &'static str {
        &clause_text(self).sentence
    }

    /// Returns all that [`RULES`] says of the clause, in Markdown.
    #[must_use]
    pub fn text(self) -> &'static str {
        clause_text(self).body
    }

    /// Returns the section of [`RULES`] that the clause belongs to.
    #[must_use]
    pub fn section(self) -> &'static str {
        clause_text(self).section
    }
}

/// Text of an option of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionEntry {
    /// The name, as in [`super::OPTION_NAMES`].
    pub name: &'static str,
    /// Effect of the option, in a sentence.
    pub sentence: String,
    /// The clauses that it is about.
    pub clauses: Vec<Clause>,
    /// The values, as [`super::option_values`] has them.
    pub values: Vec<String>,
    /// Readings by source text.
    pub sources: String,
}

/// Returns the text of each option, in the order of [`super::OPTION_NAMES`].
pub fn option_entries() -> &'static [OptionEntry] {
    static OPTIONS: LazyLock<Vec<OptionEntry>> = LazyLock::new(|| {
        let section = rules_sections().iter().find(|section| section.title == "Options");
        section.map_or(Vec::new(), |section| section.entries.iter().map(option_entry).collect())
    });
    &OPTIONS
}

fn option_entry(entry: &Subsection) -> OptionEntry {
    let items = items(entry.body);
    let item = |name: &str| {
        let found = items.iter().find_map(|item| item.strip_prefix(name)?.strip_prefix(": "));
        found.unwrap_or_default().to_owned()
    };
    let list = |text: &str| text.split(", ").map(|word| word.trim_matches('`').to_owned()).collect::<Vec<_>>();
    OptionEntry {
        name: entry.title,
        sentence: entry.lead(),
        clauses: list(&item("Clauses")).iter().filter_map(|name| name.parse().ok()).collect(),
        values: list(&item("Values")),
        sources: item("Sources"),
    }
}

/// Returns the items of the list in a Markdown text, each on one line.
fn items(body: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in body.lines() {
        match (line.strip_prefix("- "), items.last_mut()) {
            (Some(first), _) => items.push(first.to_owned()),
            (None, Some(item)) if line.starts_with("  ") => {
                item.push(' ');
                item.push_str(line.trim());
            }
            _ => {}
        }
    }
    items
}

/// A word of the glossary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub word: String,
    /// Its meaning.
    pub meaning: String,
}

/// Returns the glossary, in alphabetical order.
pub fn glossary() -> &'static [Word] {
    static WORDS: LazyLock<Vec<Word>> = LazyLock::new(|| {
        let section = rules_sections().iter().find(|section| section.title == "Glossary");
        let word = |item: String| {
            let (word, meaning) = item.strip_prefix("**")?.split_once("**: ")?;
            Some(Word { word: word.to_owned(), meaning: meaning.to_owned() })
        };
        section.map_or(Vec::new(), |section| items(section.text).into_iter().filter_map(word).collect())
    });
    &WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{OPTION_NAMES, Preset, RuleSet, option_values};

    #[test]
    fn every_clause_has_its_entry_under_its_title_and_in_order() {
        let clauses: Vec<Clause> = rules_sections()
            .iter()
            .filter(|section| section.title != "Options")
            .flat_map(|section| &section.entries)
            .map(|entry| {
                let clause: Clause = entry.title.split(' ').next().unwrap().parse().unwrap();
                assert_eq!(entry.title, clause.heading());
                assert_eq!(entry.body, clause.text());
                assert!(clause.text().starts_with(clause.sentence().split(' ').next().unwrap()), "{clause}");
                clause
            })
            .collect();
        assert_eq!(clauses, Clause::ALL);
        for clause in Clause::ALL {
            let sentence = clause.sentence();
            assert!(sentence.ends_with('.') && sentence.len() > 40 && !sentence.contains('\n'), "{clause}: {sentence}");
            assert!(!clause.section().is_empty(), "{clause}");
        }
        assert_eq!(Clause::R18.section(), "Advanced game");
        assert_eq!(Clause::R12.sentence(), "A pod may not be placed on a point that a pod of the opponent attacks.");
    }

    #[test]
    fn every_option_has_its_entry_with_its_values_clauses_and_sources() {
        let names: Vec<&str> = option_entries().iter().map(|entry| entry.name).collect();
        assert_eq!(names, OPTION_NAMES);
        for entry in option_entries() {
            assert_eq!(entry.values, option_values(entry.name).unwrap(), "{}", entry.name);
            assert!(!entry.clauses.is_empty() && entry.sentence.ends_with(['.', ';']), "{entry:?}");
            assert!(entry.sources.len() > 10, "{entry:?}");
        }
    }

    #[test]
    fn the_table_of_presets_says_what_the_presets_are() {
        let section = rules_sections().iter().find(|section| section.title == "Presets").unwrap();
        let rows: Vec<Vec<&str>> = section
            .text
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect())
            .collect();
        let columns = &rows[0][1..rows[0].len() - 1];
        let body = &rows[2..];
        assert_eq!(body.iter().map(|row| row[0]).collect::<Vec<_>>(), Preset::ALL.map(Preset::name));
        for (row, preset) in body.iter().zip(Preset::ALL) {
            let rules = RuleSet::from(preset);
            for (column, value) in columns.iter().zip(&row[1..]) {
                assert_eq!(rules.value(column), Some(*value), "{preset:?} {column}");
            }
            for option in OPTION_NAMES.iter().filter(|option| !columns.contains(option)) {
                let said = format!("`{option}={}`", rules.value(option).unwrap());
                assert!(unwrapped(section.text).contains(&said), "{said} of {preset:?}");
            }
        }
    }

    #[test]
    fn the_glossary_is_sorted_and_cites_clauses_that_there_are() {
        let words: Vec<&str> = glossary().iter().map(|word| word.word.as_str()).collect();
        assert!(words.is_sorted(), "{words:?}");
        for word in ["pod", "leg", "liberty", "blocked", "tier", "ply", "orientation", "certificate"] {
            assert!(words.contains(&word), "{word}");
        }
        let section = rules_sections().iter().find(|section| section.title == "Glossary").unwrap();
        assert_eq!(words.len(), section.text.matches("- **").count());
    }
}
