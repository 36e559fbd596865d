//! Pod files: TOML with a table per kind of pod.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::{Legs, MaterialError, PodSet, PodSetError, PodSpec};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PodFile {
    name: String,
    source: String,
    #[serde(default)]
    pod: Vec<PodEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PodEntry {
    id: Spanned<String>,
    #[serde(default)]
    name: String,
    legs: Spanned<String>,
    count: Option<Spanned<i64>>,
}

/// Reads a pod file.
///
/// # Errors
///
/// If the file cannot be read or does not hold a pod set, with line, column and cause.
pub fn read_pods(path: &Path) -> Result<PodSet, MaterialError> {
    let file = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|e| MaterialError::new(&file, format!("cannot be read: {e}")))?;
    pods_from_toml(&file, &text)
}

/// Reads a pod set from the text of a pod file; `file` is named in errors.
///
/// # Errors
///
/// If the text is not a pod file, with line, column and cause.
pub fn pods_from_toml(file: &str, text: &str) -> Result<PodSet, MaterialError> {
    let parsed: PodFile = toml::from_str(text).map_err(|e| MaterialError::toml(file, text, &e))?;
    let mut specs = Vec::new();
    for entry in &parsed.pod {
        let error = |cause: String, span| MaterialError::new(file, cause).at_span(text, span);
        let mut letters = entry.id.get_ref().chars();
        let (Some(id), None) = (letters.next(), letters.next()) else {
            return Err(error(
                format!("the id {:?} is not one letter from a to z", entry.id.get_ref()),
                entry.id.span(),
            ));
        };
        let legs: Legs = entry.legs.get_ref().parse().map_err(|cause| error(cause, entry.legs.span()))?;
        let count = entry.count.as_ref().map_or(Ok(1), |count| {
            u8::try_from(*count.get_ref())
                .ok()
                .filter(|n| (1..=PodSet::MAX_COUNT).contains(n))
                .ok_or_else(|| error(format!("the count {} is not from 1 to 64", count.get_ref()), count.span()))
        })?;
        specs.push(PodSpec { id, name: entry.name.clone(), legs, count });
        // Checked entry by entry, so that the place is that of the entry at fault.
        match PodSet::new("", "", specs.clone()) {
            Ok(_) => {}
            Err(e @ (PodSetError::BadId(_) | PodSetError::RepeatedId(_))) => {
                return Err(error(e.to_string(), entry.id.span()));
            }
            Err(e) => return Err(MaterialError::new(file, e.to_string())),
        }
    }
    PodSet::new(parsed.name, parsed.source, specs).map_err(|e| MaterialError::new(file, e.to_string()))
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
            ("id='tt'\nlegs='n'", Some((4, 4)), "one letter"),
            ("id='T'\nlegs='n'", Some((4, 4)), "a to z"),
            ("id='t'\nlegs='n N'", Some((5, 6)), "two legs point n"),
            ("id='t'\nlegs='Ne'", Some((5, 6)), "no leg"),
            ("id='t'\nlegs=''", Some((5, 6)), "at least one leg"),
            ("id='t'\nlegs='n'\ncount=0", Some((6, 7)), "1 to 64"),
            ("id='t'\nlegs='n'\n[[pod]]\nid='t'\nlegs='s'", Some((7, 4)), "twice"),
            ("id='t'\nlegs='n'\nleg='n'", Some((6, 1)), "unknown field"),
        ] {
            let error = pods_from_toml("p", &format!("{head}[[pod]]\n{entry}\n")).unwrap_err();
            assert_eq!(error.place, place, "{error}");
            assert!(error.to_string().contains(words), "{error}");
        }
        assert!(pods_from_toml("p", head).unwrap_err().cause.contains("at least one pod"));
    }
}
