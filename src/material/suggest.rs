//! Suggestions for mistyped names.

/// Returns the names nearest to a word, if any is near enough to be meant: all that are equally
/// near.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word = word.to_lowercase();
    let far = |name: &str| strsim::osa_distance(&word, &name.to_lowercase());
    let near = |name: &str, far: usize| far <= (word.chars().count().max(name.chars().count()) / 3).max(1);
    let names: Vec<(usize, &str)> =
        names.into_iter().map(|name| (far(name), name)).filter(|&(far, name)| near(name, far)).collect();
    let least = names.iter().map(|(far, _)| *far).min();
    // A single letter is near to every other one.
    let enough = |&(far, name): &(usize, &str)| far < name.chars().count().max(2);
    names.iter().filter(|named| Some(named.0) == least && enough(named)).map(|named| named.1).collect()
}

/// Returns `; did you mean …?` with the names nearest to a word, or nothing if none is near enough
/// to be meant.
///
/// ```
/// assert_eq!(pods::material::did_you_mean("advnced", ["basic", "advanced"]), "; did you mean advanced?");
/// ```
#[must_use]
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, names).as_slice() {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [first @ .., last] => format!("; did you mean {} or {last}?", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_others_are_not() {
        let boards = ["cave16", "cave25", "cave36", "nook9"];
        for (word, nearest_ones) in [
            ("cave35", &["cave25", "cave36"][..]),
            ("Cave36", &["cave36"]),
            ("nock9", &["nook9"]),
            ("cvae16", &["cave16"]),
            ("board", &[]),
            ("", &[]),
        ] {
            assert_eq!(nearest(word, boards), nearest_ones, "{word}");
        }
        assert_eq!(did_you_mean("cave35", boards), "; did you mean cave25 or cave36?");
        assert_eq!(did_you_mean("pods", ["name", "source", "pod"]), "; did you mean pod?");
        assert_eq!(did_you_mean("zzz", boards), "");
    }
}
