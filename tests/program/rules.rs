//! `pods rules`: the text of the rules as its readers see it.

use crate::common::program;
use std::process::Output;

use pods::rules::{Clause, OPTION_NAMES, Preset, RULES, RuleSet, glossary, option_values};

fn run(args: &[&str]) -> Output {
    program().arg("rules").args(args).output().unwrap()
}

#[track_caller]
fn rules(args: &[&str]) -> String {
    let ran = run(args);
    let err = String::from_utf8(ran.stderr).unwrap();
    assert_eq!((ran.status.code(), err.as_str()), (Some(0), ""), "{args:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// Returns the records of an answer in JSON.
#[track_caller]
fn records(args: &[&str]) -> Vec<serde_json::Value> {
    rules(&[args, &["--format", "json"]].concat()).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns a text as one line, as it was before it was wrapped.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_whole_text_is_shown_and_fits_a_terminal() {
    let text = rules(&[]);
    assert!(text.starts_with("The rules of PODS\n=================\n\nPODS is a game for two"), "{text}");
    let flat_text = flat(&text);
    for clause in Clause::ALL {
        assert!(text.contains(&format!("\n{}\n    ", clause.heading())), "{clause}");
        assert!(flat_text.contains(&flat(clause.sentence())), "{clause}");
    }
    for word in glossary() {
        assert!(flat_text.contains(&format!("- {}: {}", word.word, flat(&word.meaning))), "{}", word.word);
    }
    // Nothing but the tables may be wider: every word of the Markdown is there, its marks aside.
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.iter().all(|line| line.starts_with("preset ") || line.contains("  on  ") || line.contains("  off ")));
    let bare = |text: &str| {
        let marks = ['#', '|', '`', '*', '=', '-'];
        text.split_whitespace().map(|word| word.replace(marks, "")).filter(|word| !word.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(bare(&text), bare(RULES));
}

#[test]
fn a_clause_is_found_by_its_number() {
    let expected = "\
R13 a placed pod needs a liberty (Turns)

Where `placement-liberty` is on, a pod may not be placed on a point where it
would be blocked.

To block other pods by a placement, friends or foes, is no offence. The texts
agree on this clause for the Standard game only.

option  placement-liberty: on, off

proven: a pod that needs a liberty where it is placed is not taken off by its
        own placement (Placements.a_placed_pod_with_a_liberty_stays)
";
    for name in ["R13", "r13", "13", "013"] {
        assert_eq!(rules(&[name]), expected, "{name}");
    }
    let several = rules(&["R13", "6"]);
    assert_eq!(
        several,
        format!("{expected}\nR6 attack (Material)\n\nA pod attacks every point that one of its legs reaches.\n")
    );
    for clause in Clause::ALL {
        let record = &records(&[&clause.to_string()])[0];
        assert_eq!(record["kind"], "clause");
        assert_eq!(
            (record["name"].as_str(), record["title"].as_str()),
            (Some(&*clause.to_string()), Some(clause.title()))
        );
        assert_eq!(
            (record["sentence"].as_str(), record["text"].as_str()),
            (Some(clause.sentence()), Some(clause.text()))
        );
    }
    assert_eq!(records(&["R18"])[0]["options"], serde_json::json!(["captures"]));
}

#[test]
fn what_is_proven_of_a_clause_is_a_theorem_of_src_formal() {
    let formal = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/formal");
    let project = std::fs::read_to_string(formal.join("_CoqProject")).unwrap();
    let mut theorems = 0;
    for proven in Clause::ALL.iter().flat_map(|clause| clause.proven()) {
        let file = format!("{}.v", proven.file);
        assert!(project.lines().any(|line| line == file), "_CoqProject does not name {file}");
        let text = std::fs::read_to_string(formal.join(&file)).unwrap();
        let begins = format!("Theorem {} ", proven.theorem);
        assert!(text.lines().any(|line| line.starts_with(&begins)), "{file} has no {begins}");
        theorems += 1;
    }
    assert!(theorems > 15, "{theorems} theorems");
    let one_wave = "after captures nothing more would be captured: one wave suffices (Captures.one_wave_suffices)";
    assert!(flat(&rules(&["R18"])).contains(&format!("proven: {one_wave}")));
    assert_eq!(records(&["R18"])[0]["proven"][1], one_wave);
    assert_eq!(records(&["R6"])[0]["proven"], serde_json::json!([]));
}

#[test]
fn a_rule_set_shows_its_options_and_the_clauses_in_force() {
    let text = rules(&["advanced"]);
    for line in [
        "rules advanced\n",
        "\n  placement-liberty  off\n",
        "\n  captures           every-turn\n",
        "\nR17  In the Advanced",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let not = "\nnot in force  R13, R14, R15, R16, R22, R23, R24, R25, R26, R27, R28\n";
    assert!(text.ends_with(not) && !text.contains("\nR13"), "{text}");
    let changed = rules(&["advanced+placement-liberty=on"]);
    assert!(
        changed.contains("\n  placement-liberty  on (advanced: off)\n") && changed.contains("\nR13  Where"),
        "{changed}"
    );
    assert_eq!(rules(&["Very Advanced"]), rules(&["very-advanced"]));
    for preset in Preset::ALL {
        let record = &records(&[preset.name()])[0];
        assert_eq!((record["kind"].as_str(), record["name"].as_str()), (Some("rule-set"), Some(preset.name())));
        for option in OPTION_NAMES {
            assert_eq!(record["options"][option].as_str(), RuleSet::from(preset).value(option), "{preset:?} {option}");
        }
        let both: usize = ["in_force", "not_in_force"].iter().map(|key| record[key].as_array().unwrap().len()).sum();
        assert_eq!(both, Clause::ALL.len());
    }
}

#[test]
fn the_clauses_in_force_follow_the_options() {
    let out = |rules: &str| -> Vec<u8> {
        let rules: RuleSet = rules.parse().unwrap();
        Clause::ALL.iter().filter(|clause| !clause.in_force(&rules)).map(|clause| *clause as u8).collect()
    };
    let shoves = [22, 23, 24, 25, 26, 27, 28];
    assert_eq!(out("standard"), [&[17, 18, 19, 20, 21][..], &shoves].concat());
    assert_eq!(out("basic-author+opening=any"), [&[9, 17, 18, 19, 20, 21][..], &shoves, &[32]].concat());
    assert_eq!(out("advanced-author"), [&[14, 15, 16][..], &shoves].concat());
    assert_eq!(out("very-advanced"), [14, 15, 16]);
    assert_eq!(out("very-advanced+captures=never+empty-hand=loses"), [14, 15, 18, 19, 27]);
    // Shoves without moves are none.
    assert_eq!(out("standard+shoves=on"), out("standard"));
}

#[test]
fn an_option_shows_its_values_presets_sources_and_clauses() {
    let expected = "\
option placement-liberty

Whether a placed pod needs a liberty where it stands.

on            standard, basic-author, advanced-dutch, advanced-author,
              very-advanced
off           advanced

sources       on in the Standard game of all texts and in the Advanced game of
              001 and 003; off in the Advanced game of 000, which says so
              outright, and of 002

R13  Where `placement-liberty` is on, a pod may not be placed on a point where
     it would be blocked.
R21  Positions may repeat without limit, since no text forbids it; a position in
     which neither player can force a win is a draw.
";
    assert_eq!(rules(&["placement-liberty"]), expected);
    assert_eq!(rules(&["placement-liberty=off"]), expected);
    for option in OPTION_NAMES {
        let record = &records(&[option])[0];
        assert_eq!((record["kind"].as_str(), record["name"].as_str()), (Some("option"), Some(*option)));
        assert_eq!(record["values"], serde_json::json!(option_values(option).unwrap()));
        for preset in Preset::ALL {
            assert_eq!(record["presets"][preset.name()].as_str(), RuleSet::from(preset).value(option));
        }
    }
}

#[test]
fn words_parts_and_texts_are_found() {
    assert_eq!(rules(&["blocked"]), "blocked: without a liberty (R7).\n");
    assert_eq!(rules(&["Liberties"]), rules(&["liberty"]));
    assert_eq!(rules(&["mirror", "theorem"]), rules(&["mirror-theorem"]));
    let text = rules(&["glossary"]);
    assert!(
        text.starts_with("Glossary\n--------\n\n- 000: ") && text.contains("\n- action: what a player does in a turn"),
        "{text}"
    );
    let text = rules(&["lemmas"]);
    assert!(text.contains("Covers") && text.contains("Equal essence"), "{text}");
    let text = rules(&["formats"]);
    for part in ["Board file\n-----", "Pod file\n-----", "    |\\|/|\n", "kick    c3>c4+2", "Command line\n-----"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(rules(&["protocol"]).contains("\n    > {\"id\":2,\"type\":\"moves\",\"position\":\"2/2 w b b open\"}\n"));
    assert!(rules(&["traps"]).contains("\n10. Both players can be stuck"));
    // The texts of the rules have names that look like clauses.
    assert_eq!(rules(&["003"]), "003: a text of the rules: the author's own leaflet in French.\n");
    assert!(rules(&["03"]).starts_with("R3 ") && rules(&["stuck"]).starts_with("stuck: "));
    // A word of the glossary and a part of the formats.
    let both = records(&["position"]);
    assert_eq!(both.iter().map(|record| record["kind"].as_str().unwrap()).collect::<Vec<_>>(), ["word", "section"]);
    let presets = rules(&["presets"]);
    assert!(presets.starts_with("Presets\n-------\n"), "{presets}");
}

#[test]
fn everything_is_there_as_records_too() {
    let all = records(&[]);
    let of = |kind: &str| all.iter().filter(|record| record["kind"] == kind).count();
    assert_eq!(of("clause"), Clause::ALL.len());
    assert_eq!((of("option"), of("rule-set")), (OPTION_NAMES.len(), Preset::ALL.len()));
    assert_eq!((of("word"), of("section")), (glossary().len(), 3));
}

#[test]
fn what_is_not_there_is_told_with_a_way_out() {
    for (words, cause) in [
        (&["bloked"][..], "there is no entry \"bloked\"; did you mean blocked?"),
        (&["advnced"], "did you mean advanced"),
        (&["placement-librety"], "did you mean placement-liberty"),
        (&["R35"], "there is no clause R35: clauses are R1 to R34"),
        (&["R0"], "there is no clause R0"),
        (&["99999999999999999999999"], "there is no clause 9"),
        (&["advanced+captures=always"], "cannot be \"always\""),
        (&["R13", "xyzzy"], "there is no entry \"xyzzy\" (`pods rules glossary` lists all words"),
        (&[""], "there is no entry \"\""),
    ] {
        let ran = run(words);
        let err = String::from_utf8(ran.stderr).unwrap();
        assert_eq!((ran.status.code(), ran.stdout.len()), (Some(2), 0), "{words:?}");
        assert!(err.contains(cause), "{words:?}: {err}");
        assert!(err.contains("`pods rules glossary`") && err.lines().count() == 1, "{words:?}: {err}");
    }
}
