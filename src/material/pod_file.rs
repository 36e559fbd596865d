//! Pod files: TOML with a table per kind of pod.

use std::path::Path;

use toml::de::DeValue;

use super::toml_file::{Fields, Text, TomlFile};
use super::{Leg, Legs, MAX_BYTES, MaterialError, PodSet, PodSpec};
use crate::files::{read_text, shortened};

/// Reads a pod file.
///
/// # Errors
///
/// If the file cannot be read or does not hold a pod set, with line, column and cause.
pub(crate) fn read_pods(path: &Path) -> Result<PodSet, MaterialError> {
    let file = path.display().to_string();
    let text = read_text(path, MAX_BYTES).map_err(|e| MaterialError::new(&file, e.to_string()))?;
    pods_from_toml(&file, &text)
}

/// Reads a pod set from the text of a pod file; `file` is named in errors.
///
/// # Errors
///
/// If the text is not a pod file, with everything that is wrong with it.
pub fn pods_from_toml(file: &str, text: &str) -> Result<PodSet, MaterialError> {
    let mut reading = TomlFile::new(file, text);
    let table = reading.parse();
    if table.contains_key("points") && !table.contains_key("pod") {
        return Err(MaterialError::new(file, "this is a board file: it has a picture of `points` and no [[pod]]"));
    }
    let fields = reading.fields(&table, None, &["name", "source", "pod"]);
    let name = reading.text(&fields, "name", "\"my pods\"");
    let source = reading.text(&fields, "source", "\"where they come from\"");
    let mut specs = Vec::new();
    match fields.get("pod").map(|pods| (pods.span(), pods.get_ref())) {
        None => reading.fault_of(&fields, format!("a pod set has at least one pod (R3){EXAMPLE}")),
        Some((_, DeValue::Array(entries))) if entries.is_empty() => {
            reading.fault_of(&fields, format!("a pod set has at least one pod (R3){EXAMPLE}"));
        }
        Some((_, DeValue::Array(entries))) => {
            let mut ids = Vec::new();
            for entry in entries {
                match entry.get_ref() {
                    DeValue::Table(pod) => {
                        let fields = reading.fields(pod, Some(entry.span()), &["id", "name", "legs", "count"]);
                        specs.extend(read_pod(&mut reading, &fields, &mut ids));
                    }
                    _ => reading.fault(entry.span(), format!("this is no pod{EXAMPLE}")),
                }
            }
        }
        Some((span, DeValue::Table(_))) => {
            reading.fault(span, format!("pods are written with two brackets each{EXAMPLE}"));
        }
        Some((span, _)) => reading.fault(span, format!("this is no list of pods{EXAMPLE}")),
    }
    let set = name.zip(source).and_then(|(name, source)| PodSet::new(name.value, source.value, specs).ok());
    reading.finish(set)
}

const EXAMPLE: &str = ": write [[pod]], id = \"b\" and legs = \"n SE\", each in its own line";

fn read_pod<'t>(reading: &mut TomlFile<'t>, fields: &Fields<'_, 't>, ids: &mut Vec<(char, usize)>) -> Option<PodSpec> {
    let id = reading.text(fields, "id", "\"b\"").and_then(|id| read_id(reading, &id, ids));
    let name = fields.get("name").is_some().then(|| reading.text(fields, "name", "\"bipod n-SE\""));
    let legs = reading.text(fields, "legs", "\"n SE\"").and_then(|legs| read_legs(reading, &legs));
    let mut count = Some(1);
    if let Some(value) = fields.get("count") {
        let number = value.get_ref().as_integer().and_then(|n| u8::from_str_radix(n.as_str(), n.radix()).ok());
        count = number.filter(|n| (1..=PodSet::MAX_COUNT).contains(n));
        if count.is_none() {
            reading.fault(
                value.span(),
                format!("the count is not a number from 1 to {}, as in count = 2", PodSet::MAX_COUNT),
            );
        }
    }
    let name = name.map_or(Some(String::new()), |name| name.map(|name| name.value));
    Some(PodSpec { id: id?, name: name?, legs: legs?, count: count? })
}

fn read_id(reading: &mut TomlFile<'_>, id: &Text, ids: &mut Vec<(char, usize)>) -> Option<char> {
    let mut letters = id.value.chars();
    let (Some(letter @ 'a'..='z'), None) = (letters.next(), letters.next()) else {
        reading.fault(id.span.clone(), format!("the id {:?} is not one letter from a to z", shortened(&id.value)));
        return None;
    };
    if let Some((_, first)) = ids.iter().find(|(other, _)| *other == letter) {
        let line = reading.line(*first);
        let cause =
            format!("the id {letter:?} is given twice, first in line {line}; use `count` for several pods of one kind");
        reading.fault(id.span.clone(), cause);
        return None;
    }
    ids.push((letter, id.span.start));
    Some(letter)
}

fn read_legs(reading: &mut TomlFile<'_>, text: &Text) -> Option<Legs> {
    let mut legs: Vec<Leg> = Vec::new();
    let mut sound = true;
    let mut number = 0;
    for word in text.value.split(char::is_whitespace) {
        let span = text.span_of(number..number + word.chars().count());
        number += word.chars().count() + 1;
        if word.is_empty() {
            continue;
        }
        let cause = match word.parse::<Leg>() {
            Ok(leg) if legs.iter().any(|other| other.direction == leg.direction) => {
                format!("two legs point {}, there may be one per direction (R3)", leg.direction)
            }
            Ok(leg) => {
                legs.push(leg);
                continue;
            }
            Err(error) => error.to_string(),
        };
        sound = false;
        reading.fault(span, cause);
    }
    if sound && legs.is_empty() {
        reading.fault(text.span.clone(), "a pod has at least one leg (R3), as in legs = \"n SE\"");
    }
    Legs::new(legs).filter(|_| sound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pods_sort_by_id_and_errors_name_the_place() {
        let head = "name = 'p'\nsource = 'test'\n";
        let set =
            pods_from_toml("p", &format!("{head}[[pod]]\nid='t'\nlegs='N se'\n[[pod]]\nid='b'\nlegs='w e'\ncount=2\n"))
                .unwrap();
        assert_eq!(set.kinds().map(|k| set.id(k)).collect::<String>(), "bt");
        assert!(set.is_bipod(set.kind('b').unwrap()));
        for (entry, place, words) in [
            ("id='tt'\nlegs='n'", (4, 4), "one letter"),
            ("id='T'\nlegs='n'", (4, 4), "a to z"),
            ("id='t'\nlegs='n N'", (5, 9), "two legs point n"),
            ("id='t'\nlegs='s Ne w'", (5, 9), "\"Ne\" is no leg: write ne for a short leg, NE for a long one"),
            ("id='t'\nlegs='ne,s'", (5, 7), "legs have blanks between them"),
            ("id='t'\nlegs=\"\\u0020up\"", (5, 13), "no leg: n ne e se s sw w nw are short legs"),
            ("id='t'\nlegs=''", (5, 6), "at least one leg"),
            ("id='t'\nlegs=['ne', 'S']", (5, 6), "with blanks between the legs: legs = \"ne S\""),
            ("id='t'\nlegs=[]", (5, 6), "legs = \"n SE\""),
            ("id='t'\nlegs='n'\ncount=0", (6, 7), "1 to 64"),
            ("id='t'\nlegs='n'\ncount='2'", (6, 7), "1 to 64"),
            ("id='t'\nlegs='n'\ncount=300", (6, 7), "1 to 64"),
            ("id='t'\nlegs='n'\n[[pod]]\nid='t'\nlegs='s'", (7, 4), "twice, first in line 4"),
            ("id='t'\nlegs='n'\nleg='n'", (6, 1), "the key `leg` is not known here; there are"),
            ("id='t'\nleg='n'", (5, 1), "did you mean `legs`?"),
            ("legs='n'", (3, 1), "`id` is missing, as in id = \"b\""),
        ] {
            let error = pods_from_toml("p", &format!("{head}[[pod]]\n{entry}\n")).unwrap_err();
            let [fault] = &error.faults[..] else { panic!("{error}") };
            assert_eq!(fault.place.as_ref().map(|place| (place.line, place.column)), Some(place), "{error}");
            assert!(fault.cause.contains(words), "{error}");
        }
        assert!(pods_from_toml("p", head).unwrap_err().to_string().contains("at least one pod"));
        let single = pods_from_toml("p", &format!("{head}[pod]\nid='t'\nlegs='n'\n")).unwrap_err().to_string();
        assert!(single.contains("two brackets") && single.contains("[[pod]]"), "{single}");
        let several =
            pods_from_toml("p", &format!("{head}[[pods]]\nid='t'\nlegs='x y'\n[[pods]]\nid='t'\n")).unwrap_err();
        let causes: Vec<&str> = several.faults.iter().map(|fault| fault.cause.as_str()).collect();
        assert_eq!(several.faults.len(), 5, "{several}");
        assert!(causes[0].contains("did you mean `pod`, as in [[pod]]?"), "{several}");
    }
}
