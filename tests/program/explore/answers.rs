//! Quick questions: the answers are those of the command line.

use pods::material::{BOARD_TEMPLATE_SOURCE, pods_from_toml};
use serde_json::{Value, json};

use super::{Served, setting};
use crate::run::{answer, run};

#[test]
fn what_is_legal_is_what_explain_says() {
    let served = Served::new(&[]);
    for (rules, actions) in [
        ("standard", &["b@c3", "o@e5"][..]),
        ("advanced", &["b@c3", "o@e5"]),
        ("very-advanced", &["b@a1"]),
        ("standard+opening=any", &[]),
    ] {
        let view =
            served.good("/api/view", &json!({ "setting": setting("cave36", "pods14", rules, "start", actions) }));
        let position = view["position"].as_str().unwrap();
        let explained = answer(&["explain", position, "--rules", rules, "--format", "json", "--no-values"], "");
        let explained: Value = serde_json::from_str(&explained).unwrap();
        let mut compared = 0;
        for placement in explained["placements"].as_array().unwrap() {
            let shown = &view["placements"][placement["pod"].as_str().unwrap()][placement["point"].as_str().unwrap()];
            assert_eq!(*shown, placement["clause"], "{placement}");
            compared += 1;
        }
        assert!(compared >= 36 * 13, "{compared}");
        assert_eq!(view["status"], explained["status"]);
        let legal = answer(&["moves", position, "--rules", rules, "--format", "json"], "");
        let legal: Value = serde_json::from_str(&legal).unwrap();
        let legal: Vec<&Value> = legal["actions"].as_array().unwrap().iter().map(|action| &action["action"]).collect();
        assert_eq!(view["legal"].as_array().unwrap().iter().collect::<Vec<_>>(), legal);
    }
}

#[test]
fn an_illegal_action_says_its_clause_and_what_is_to_blame() {
    let served = Served::new(&[]);
    let act = |actions: &[&str], action: &str| {
        let setting = setting("cave36", "pods14", "standard", "start", actions);
        served.post("/api/why", &json!({ "setting": setting, "action": action }))
    };
    let told = act(&["b@c3"], "d@c3").json();
    assert_eq!(told["illegal"]["clause"], "R10");
    assert_eq!(told["illegal"]["why"], "d@c3 is illegal by R10: White's pod b stands on c3");
    assert_eq!(told["illegal"]["blame"], json!(["c3"]));
    let sentence = told["illegal"]["sentence"].as_str().unwrap();
    assert!(answer(&["rules", "R10"], "").replace('\n', " ").contains(sentence), "{sentence}");
    let wrong = act(&[], "d@z9");
    assert_eq!(
        (wrong.status, wrong.json()["error"].as_str().unwrap().contains("no point of the board (R1)")),
        (422, true)
    );
    let not_open = act(&[], "o@c3").json();
    assert_eq!(not_open["illegal"]["clause"], "R9");
    // One that is legal is told as it is written.
    assert_eq!(act(&[], " b@c3 ").json(), json!({ "action": "b@c3", "illegal": null }));
}

#[test]
fn captures_come_as_one_step() {
    let served = Served::new(&[]);
    // b has a leg to each side: without its neighbour's line it is blocked at once and comes back
    // (R18).
    let setting = setting("nook9", "four", "advanced", "start", &[]);
    let view = served.good("/api/view", &json!({ "setting": setting }));
    let mut seen = 0;
    for action in view["legal"].as_array().unwrap() {
        let mut after = setting.clone();
        after["actions"] = json!([action]);
        let after = served.good("/api/view", &json!({ "setting": after }));
        let moved = answer(
            &["moves", "start", "--board", "nook9", "--pods", "four", "--rules", "advanced", "--format", "json"],
            "",
        );
        let moved: Value = serde_json::from_str(&moved).unwrap();
        let moved = moved["actions"].as_array().unwrap().iter().find(|one| one["action"] == *action).unwrap();
        for part in ["returned", "removed"] {
            assert_eq!(after["played"][0][part], moved[part], "{action}");
        }
        assert_eq!((&after["position"], &after["played"][0]["position"]), (&moved["position"], &moved["position"]));
        let captured = after["last"]["captured"].as_array().unwrap().len();
        assert_eq!(after["last"]["between"].is_string(), captured > 0);
        seen += captured;
    }
    assert!(seen > 0, "no opening is blocked: this test sees nothing");
}

#[test]
fn a_board_and_pods_can_be_made_by_single_changes() {
    let served = Served::new(&[]);
    let cave = served.good("/api/edit", &json!({ "board": { "text": "cave36", "change": null } }));
    let mut text = cave["text"].clone();
    let mut change = |change: Value| {
        let made = served.good("/api/edit", &json!({ "board": { "text": text, "change": change } }));
        text = made["text"].clone();
        made
    };
    change(json!({ "new": { "columns": 6, "rows": 6, "lines": false } }));
    for line in cave["lines"].as_array().unwrap().iter().filter(|line| line["is_line"] == true) {
        change(json!({ "lines": { "lines": [[line["from"], line["to"]]], "on": true } }));
    }
    change(json!({ "name": { "name": "cave36" } }));
    let made = change(json!({ "source": { "source": cave["source"] } }));
    assert_eq!(made["text"], cave["text"]);
    // The board that was turned is no longer the built-in one, so only its picture is the same.
    let picture = |text: &Value| text.as_str().unwrap().split_once("points").unwrap().1.to_owned();
    let turned: Vec<String> = (0..4).map(|_| picture(&change(json!({ "turn": {} }))["text"])).collect();
    assert_eq!((&turned[3], turned[1] == turned[3]), (&picture(&cave["text"]), false));
    change(json!({ "mirror": {} }));
    assert_eq!(picture(&change(json!({ "mirror": {} }))["text"]), picture(&cave["text"]));
    // A hole and back: its lines are gone.
    change(json!({ "point": { "at": "c3" } }));
    assert_eq!(change(json!({ "point": { "at": "c3" } }))["check"].as_str().unwrap().matches("36 in 6").count(), 1);

    let four = served.good("/api/edit", &json!({ "pods": { "text": "four", "change": null } }));
    let mut text = four["text"].clone();
    let mut change = |change: Value| {
        let made = served.good("/api/edit", &json!({ "pods": { "text": text, "change": change } }));
        text = made["text"].clone();
        made
    };
    let draft = change(json!({ "new": { "pods": 1 } }));
    assert!(draft["check"].is_null() && draft["fault"].as_str().unwrap().contains("R3"), "{draft}");
    for wanted in ["short", "long"] {
        let made = change(json!({ "leg": { "pod": "a", "direction": "ne" } }));
        assert_eq!(made["pods"][0]["legs"][1], json!(["ne", wanted]));
    }
    assert_eq!(change(json!({ "turn": { "pod": "a" } }))["pods"][0]["words"], "E");
    assert_eq!(change(json!({ "mirror": { "pod": "a" } }))["pods"][0]["words"], "W");
    let name = "\"quoted\" '''\u{1b}[31m\n\\ ö";
    assert_eq!(change(json!({ "name": { "name": name } }))["name"], name);
}

#[test]
fn what_was_edited_no_longer_has_the_name_and_source_of_a_built_in_set() {
    let served = Served::new(&[]);
    let edit = |what: &str, text: &Value, change: Value| {
        let made = served.good("/api/edit", &json!({ what: { "text": text, "change": change } }));
        (made["name"].as_str().unwrap().to_owned(), made["source"].as_str().unwrap().to_owned(), made["text"].clone())
    };
    let line = json!({ "lines": { "lines": [["a1", "b1"]], "on": false } });
    let (of_cave, of_pods) = (json!("cave36"), json!("pods14"));
    for change in
        [&line, &json!({ "turn": {} }), &json!({ "point": { "at": "a1" } }), &json!({ "grow": { "side": "n" } })]
    {
        let (name, source, _) = edit("board", &of_cave, change.clone());
        assert_eq!((&*name, &*source), ("cave36-edited", "edited from the built-in cave36"), "{change}");
    }
    for change in [json!({ "leg": { "pod": "b", "direction": "n" } }), json!({ "drop": { "pod": "b" } })] {
        let (name, source, _) = edit("pods", &of_pods, change);
        assert_eq!((&*name, &*source), ("pods14-edited", "edited from the built-in pods14"));
    }
    // What changes nothing leaves the built-in set what it is.
    let (name, source, text) = edit("board", &of_cave, Value::Null);
    assert!(name == "cave36" && source.contains("reconstruction"));
    let nothing = json!({ "lines": { "lines": [["a1", "b1"]], "on": true } });
    assert_eq!(edit("board", &of_cave, nothing).2, text);
    // Who renames it first keeps that name, and who has said where it comes from keeps that.
    let renamed = edit("board", &of_cave, json!({ "name": { "name": "mine" } })).2;
    let (name, source, _) = edit("board", &renamed, line.clone());
    assert_eq!((&*name, &*source), ("mine", "edited from the built-in cave36"));
    let sourced = edit("board", &of_cave, json!({ "source": { "source": "drawn from mine" } })).2;
    let (name, source, _) = edit("board", &sourced, line);
    assert_eq!((&*name, &*source), ("cave36-edited", "drawn from mine"));
    // The small test boards share one source.
    let renamed = edit("board", &json!("nook9"), json!({ "name": { "name": "mine" } })).2;
    assert_eq!(edit("board", &renamed, json!({ "mirror": {} })).1, "edited from a built-in set");
}

#[test]
fn lines_are_drawn_together_and_legs_are_copied_and_typed() {
    let served = Served::new(&[]);
    let edit = |question: Value| served.good("/api/edit", &question);
    let plain =
        edit(json!({ "board": { "text": "nook9", "change": { "new": { "columns": 2, "rows": 2, "lines": false } } } }));
    let drawn = |text: &Value, lines: Value, on: bool| {
        let made = edit(json!({ "board": { "text": text, "change": { "lines": { "lines": lines, "on": on } } } }));
        let is_line = |line: &&Value| line["is_line"] == true;
        let shown = made["lines"]
            .as_array()
            .unwrap()
            .iter()
            .filter(is_line)
            .map(|line| format!("{}{}", line["from"], line["to"]));
        (shown.collect::<Vec<_>>().join(" ").replace('"', ""), made["text"].clone())
    };
    let (lines, text) = drawn(&plain["text"], json!([["a1", "b2"], ["b1", "a1"], ["a1", "b1"]]), true);
    assert_eq!(lines, "a1b2 a1b1");
    // Drawing what is there, or taking away what is not, changes nothing.
    assert_eq!(drawn(&text, json!([["a1", "b1"]]), true).1, text);
    assert_eq!(drawn(&text, json!([["a1", "b1"], ["a2", "b2"]]), false).0, "a1b2");
    let four = json!("four");
    let legs = |change: Value, pod: &str| {
        let made = edit(json!({ "pods": { "text": four, "change": change } }));
        made["pods"].as_array().unwrap().iter().find(|one| one["id"] == pod).unwrap()["words"].clone()
    };
    assert_eq!(legs(json!({ "copy": { "pod": "b", "from": "t" } }), "b"), legs(json!({ "turn": { "pod": "d" } }), "t"));
    assert_eq!(legs(json!({ "legs": { "pod": "b", "legs": "S  n" } }), "b"), "n S");
    assert_eq!(legs(json!({ "legs": { "pod": "b", "legs": " " } }), "b"), "no legs");
    let wrong = served
        .post("/api/edit", &json!({ "pods": { "text": "four", "change": { "legs": { "pod": "b", "legs": "n N" } } } }));
    assert_eq!(wrong.status, 422, "{wrong:?}");
}

#[test]
fn help_has_every_clause_with_its_text_and_the_words() {
    let served = Served::new(&[]);
    let help = served.good("/api/help", &json!({}));
    let clauses = help["clauses"].as_array().unwrap();
    assert_eq!(clauses.len(), 34);
    for clause in clauses {
        let said = answer(&["rules", clause["id"].as_str().unwrap()], "").replace('\n', " ");
        assert!(said.contains(clause["title"].as_str().unwrap()), "{clause}");
    }
    assert!(clauses.iter().filter(|clause| clause["pictures"].as_array().unwrap().is_empty()).count() < 20);
    assert!(help["words"].as_array().unwrap().iter().any(|word| word["word"] == "liberty"));
}

#[test]
fn what_cannot_be_edited_is_said() {
    let served = Served::new(&[]);
    for change in [
        json!({ "lines": { "lines": [["a1", "a3"]], "on": true } }),
        json!({ "lines": { "lines": [["a1", "z26"]], "on": true } }),
        json!({ "lines": { "lines": [["", "a1"]], "on": false } }),
        json!({ "point": { "at": "zz" } }),
        json!({ "new": { "columns": 9, "rows": 9, "lines": true } }),
        json!({ "new": { "columns": 0, "rows": 3, "lines": true } }),
        json!({ "new": { "columns": 64, "rows": 1, "lines": true } }),
        json!({ "grow": { "side": "up" } }),
    ] {
        let answer = served.post("/api/edit", &json!({ "board": { "text": "nook9", "change": change } }));
        assert_eq!(answer.status, 422, "{change} {answer:?}");
        assert!(answer.json()["error"].is_string());
    }
    for change in [
        json!({ "leg": { "pod": "z", "direction": "n" } }),
        json!({ "leg": { "pod": "b", "direction": "up" } }),
        json!({ "new": { "pods": 27 } }),
        json!({ "drop": { "pod": "z" } }),
    ] {
        let answer = served.post("/api/edit", &json!({ "pods": { "text": "four", "change": change } }));
        assert_eq!(answer.status, 422, "{change} {answer:?}");
    }
}

#[test]
fn a_broken_file_has_the_message_of_check() {
    let served = Served::new(&[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.toml");
    for text in [
        "name = 'x'\nsource = 'y'\npoints = '''\no-o\n|?|\no-O\n'''\n",
        "name = 'x'\nsource = 'y'\n[[pod]]\nid = 'b'\nlegs = 'n n up'\n",
        "hello",
    ] {
        std::fs::write(&path, text).unwrap();
        let name = path.to_str().unwrap();
        let checked = run(&["check", name], "");
        let answer = served.post("/api/material", &json!({ "name": name, "text": text }));
        assert_eq!((checked.code, answer.status), (2, 422));
        assert_eq!(format!("pods: error: {}\n", answer.json()["error"].as_str().unwrap()), checked.err);
    }
    let good = std::fs::read_to_string("boards/nook9.toml").unwrap();
    let opened = served.good("/api/material", &json!({ "name": "boards/nook9.toml", "text": good }));
    assert_eq!(opened["check"], answer(&["check", "boards/nook9.toml"], ""));
    // A source that is missing is put in; where more is missing, the text's own faults are told.
    let unsourced = "name = 'two'\n[[pod]]\nid = 'b'\nlegs = 'n s'\n";
    let opened = served.good("/api/material", &json!({ "name": "pasted", "text": unsourced }));
    let text = opened["text"].as_str().unwrap();
    assert_eq!(pods_from_toml("pasted", text).unwrap().source(), BOARD_TEMPLATE_SOURCE);
    assert!(text.ends_with(unsourced), "{text}");
    let broken = unsourced.replace("n s", "n q");
    let answer = served.post("/api/material", &json!({ "name": "pasted", "text": broken }));
    assert_eq!(answer.status, 422);
    assert!(answer.json()["error"].as_str().unwrap().contains("pasted:4:"), "{answer:?}");
}

#[test]
fn a_position_can_be_set_up_by_hand() {
    let served = Served::new(&[]);
    let mut position = "start".to_owned();
    let mut change = |change: Value| {
        let setting = setting("nook9", "four", "standard", &position, &[]);
        let answer = served.post("/api/arrange", &json!({ "setting": setting, "change": change }));
        if answer.status == 200 {
            position = answer.json()["position"].as_str().unwrap().to_owned();
        }
        (answer.status, answer.json())
    };
    let mut place = |side: &str, pod: &str, at: &str| change(json!({ "put": { "pod": pod, "side": side, "at": at } }));
    assert_eq!(place("white", "b", "a1").1["position"], "3/3/B2 w dqt bdqt open");
    assert_eq!(place("black", "q", "c3").1["position"], "2q/3/B2 w dqt bdt open");
    // What stands there goes back to its owner's hand.
    assert_eq!(place("white", "t", "c3").1["position"], "2T/3/B2 w dq bdqt open");
    assert_eq!(place("white", "b", "b2").0, 422);
    assert_eq!(change(json!({ "carry": { "from": "c3", "to": "b2" } })).1["position"], "3/1T1/B2 w dq bdqt open");
    assert_eq!(change(json!({ "carry": { "from": "b2", "to": "a1" } })).0, 422);
    assert_eq!(change(json!({ "out": { "at": "b2" } })).1["position"], "3/3/B2 w dq bdqt open");
    assert_eq!(change(json!({ "take": { "pod": "t", "side": "white" } })).1["position"], "3/3/B2 w dqt bdqt open");
    assert_eq!(change(json!({ "take": { "pod": "t", "side": "white" } })).0, 422);
    assert_eq!(change(json!({ "mover": { "side": "black" } })).1["position"], "3/3/B2 b dqt bdqt open");
    assert_eq!(change(json!({ "open": { "on": false } })).1["position"], "3/3/B2 b dqt bdqt -");
    assert_eq!(change(json!({ "drop": { "pod": "q", "side": "black" } })).1["position"], "3/3/B2 b dqt bdt -");
    assert_eq!(change(json!({ "lift": { "at": "c3" } })).0, 422);
    assert_eq!(change(json!({ "clear": {} })).1["position"], "3/3/3 b bdqt bdt -");
}

#[test]
fn two_rule_sets_differ_where_moves_says_so() {
    let served = Served::new(&[]);
    let position = "3/1B1/2q w dt bdt -";
    let setting = setting("nook9", "four", "standard", position, &[]);
    let compared = served.good("/api/compare", &json!({ "setting": setting, "other": "advanced" }));
    let legal = |rules: &str| -> Vec<String> {
        let moves = answer(
            &["moves", position, "--board", "nook9", "--pods", "four", "--rules", rules, "--format", "json"],
            "",
        );
        let moves: Value = serde_json::from_str(&moves).unwrap();
        moves["actions"].as_array().unwrap().iter().map(|one| one["action"].as_str().unwrap().to_owned()).collect()
    };
    let (here, there) = (legal("standard"), legal("advanced"));
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        these.iter().filter(|action| !those.contains(action)).cloned().collect()
    };
    assert_eq!(compared["only_here"], json!(only(&here, &there)));
    assert_eq!(compared["only_there"], json!(only(&there, &here)));
    assert!(!compared["only_there"].as_array().unwrap().is_empty());
}

#[test]
fn a_setting_that_cannot_be_played_is_mended_by_as_little_as_it_takes() {
    let served = Served::new(&[]);
    let default = setting("cave36", "pods14", "standard", "start", &[]);
    let mended = |mut wrong: Value| {
        wrong["turn"] = wrong.get("turn").cloned().unwrap_or(json!(0));
        let mended = served.good("/api/mend", &json!({ "setting": wrong, "default": default }));
        let names = ["board", "pods", "turn", "rules", "position", "actions"];
        names
            .into_iter()
            .filter(|name| mended[name] != wrong[name])
            .map(|name| mended[name].clone())
            .collect::<Vec<_>>()
    };
    let small = |rules: &str, position: &str, actions: &[&str]| setting("nook9", "four", rules, position, actions);
    assert_eq!(mended(small("standard", "start", &["b@b2"])), Vec::<Value>::new());
    assert_eq!(mended(small("standard", "start", &["b@b2", "q@a3", "b@b2", "d@a1"])), [json!(["b@b2", "q@a3"])]);
    assert_eq!(mended(small("standard", "3/1X1/3 w bdqt bdqt open", &[])), [json!("start")]);
    assert_eq!(mended(small("nonsense", "3/1B1/2q w dt bt -", &[])), [json!("standard")]);
    assert_eq!(mended(setting("nosuch", "four", "standard", "start", &[])), [json!("cave36")]);
    let mut turned = small("standard", "start", &[]);
    turned["turn"] = json!(45);
    assert_eq!(mended(turned), [json!(0)]);
    let two = setting("nosuch", "none", "standard", "start", &[]);
    assert_eq!(mended(two), [json!("cave36"), json!("pods14")]);
}

#[test]
fn a_game_is_shared_as_one_page_and_as_a_picture() {
    let served = Served::new(&[]);
    let setting = setting("nook9", "four", "standard", "start", &["b@b2", "q@a3"]);
    let shared = served.good("/api/share", &json!({ "setting": setting }));
    let page = shared["page"].as_str().unwrap();
    for part in
        ["<!DOCTYPE html>", "White is to move.", "White: <code>b@b2</code>", "Black: <code>q@a3</code>", "q2/1B1/3 w"]
    {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(!["<script", "src=", "href=\"http"].iter().any(|word| page.contains(word)), "{page}");
    // The picture shows the position alone, without marks.
    let show = "show --board nook9 --pods four --format svg --no-attacks".split(' ');
    let svg = answer(&show.chain(["q2/1B1/3 w dqt bdt -"]).collect::<Vec<_>>(), "");
    assert_eq!(shared["picture"].as_str().unwrap(), svg);
    assert_eq!(shared["files"][0], std::fs::read_to_string("boards/nook9.toml").unwrap());
}
