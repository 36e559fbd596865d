//! Heavy questions: one at a time, ended when who asked has gone; and how the server ends.

use crate::common::program;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use pods::rules::Preset;
use serde_json::{Value, json};

use super::{Job, Served, setting};
use crate::run::{answer, run};

/// Returns a question that nobody answers in an hour.
fn endless() -> Value {
    json!({ "values": { "setting": setting("cave36", "pods14", "standard", "start", &[]), "seconds": 3600.0 } })
}

fn values(board: &str, pods: &str, rules: &str, seconds: f64) -> Value {
    json!({ "values": { "setting": setting(board, pods, rules, "start", &[]), "seconds": seconds } })
}

#[test]
fn values_are_those_of_solve() {
    let served = Served::new(&[]);
    for (board, pods, rules) in [("nook9", "four", "standard"), ("ring8", "duo", "advanced")] {
        let of = ["--board", board, "--pods", pods, "--rules", rules, "--format", "json"];
        let solve = |position: &str| -> Value {
            serde_json::from_str(&answer(&[&["solve", position][..], &of].concat(), "")).unwrap()
        };
        let moves: Value = serde_json::from_str(&answer(&[&["moves", "start"][..], &of].concat(), "")).unwrap();
        let events = served.events(&values(board, pods, rules, 600.0));
        let mut known = BTreeMap::new();
        for (_, data) in events.iter().filter(|event| event.0 == "action") {
            known.insert(data["action"].as_str().unwrap(), &data["worth"]);
        }
        let actions = moves["actions"].as_array().unwrap();
        assert_eq!(known.len(), actions.len(), "{events:?}");
        for action in actions {
            let worth = known[action["action"].as_str().unwrap()];
            let next = solve(action["position"].as_str().unwrap());
            let seen = match next["value"].as_str().unwrap() {
                "win" => "loss",
                "loss" => "win",
                other => other,
            };
            assert_eq!(worth["value"], seen, "{action} {worth}");
            assert_eq!(worth["plies"].as_u64(), next["plies"].as_u64().map(|plies| plies + 1), "{action} {worth}");
        }
        let root = &events.iter().rev().find(|event| event.0 == "root").unwrap().1;
        let solved = solve("start");
        assert_eq!((&root["value"], &root["plies"]), (&solved["value"], &solved["plies"]), "{board}");
        assert_eq!(events.last().unwrap().0, "done");
    }
}

#[test]
fn what_is_not_known_is_no_draw() {
    let served = Served::new(&[]);
    let events = served.events(&values("cave36", "pods14", "basic-author", 0.3));
    assert!(events.iter().all(|event| event.0 != "root"), "{events:?}");
    assert!(events.iter().all(|event| event.1["worth"]["value"] != "draw"), "{events:?}");
    let unknown = &events.iter().find(|event| event.0 == "unknown").unwrap().1;
    assert!(unknown["actions"].as_u64().unwrap() > 20 && unknown["why"].is_string(), "{unknown}");
}

#[test]
fn what_certificates_prove_is_known_at_once() {
    let served = Served::new(&[]);
    let events = served.events(&values("cave36", "pods14", "standard", 5.0));
    let root = &events.iter().find(|event| event.0 == "root").unwrap().1;
    assert_eq!((&root["value"], &root["method"]), (&json!("loss"), &json!("library")), "{events:?}");
    assert!(root["certificate"].as_str().unwrap().contains("results/solved/0-start.proof"), "{root}");
    let lost = events.iter().filter(|event| event.0 == "action" && event.1["worth"]["value"] == "loss");
    assert_eq!(lost.count(), 51, "{events:?}");
}

#[test]
fn tables_answer() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let table = folder.path().join("small");
    let setup = ["--board", "nook9", "--pods", "duo", "--rules", "advanced"];
    let built = run(&[&["table", "build", table.to_str().unwrap()][..], &setup].concat(), "");
    assert_eq!(built.code, 0, "{}", built.err);
    let served = Served::new(&["--tables", tables]);
    let events = served.events(&values("nook9", "duo", "advanced", 600.0));
    let methods: Vec<&Value> =
        events.iter().filter(|event| event.0 == "action").map(|event| &event.1["worth"]["method"]).collect();
    assert!(methods.len() > 5 && methods.iter().all(|method| **method == "table"), "{events:?}");
}

#[test]
fn the_program_plays_a_game_to_its_end() {
    let served = Served::new(&[]);
    let mut actions: Vec<String> = Vec::new();
    let view = loop {
        let played: Vec<&str> = actions.iter().map(String::as_str).collect();
        let mut setting = setting("nook9", "four", "standard", "start", &played);
        setting["white"] = json!("bdt");
        setting["black"] = json!("bdt");
        let view = served.good("/api/view", &json!({ "setting": setting }));
        if view["status"] != "ongoing" {
            break view;
        }
        let events = served.events(&json!({ "move": { "setting": setting, "seconds": 1.0 } }));
        let chosen = &events.iter().find(|event| event.0 == "move").unwrap().1;
        let action = chosen["action"].as_str().unwrap().to_owned();
        assert!(view["legal"].as_array().unwrap().contains(&chosen["action"]), "{chosen}");
        actions.push(action);
    };
    // As it is solved: White wins in 5.
    assert_eq!((actions.len(), &view["status"]), (5, &json!("white_won")), "{actions:?}");
}

#[test]
fn fairness_is_told_by_games_that_grow_and_by_exact_values() {
    let served = Served::new(&[]);
    let mut setting = setting("nook9", "four", "standard", "start", &[]);
    setting["white"] = json!("bdt");
    setting["black"] = json!("bdt");
    let question = json!({ "fair": { "setting": setting, "nodes": 50, "games": 6, "seconds": 600.0 } });
    let events = served.events(&question);
    let last = |events: &[(String, Value)], name: &str| -> Value {
        events.iter().rev().find(|event| event.0 == name).unwrap_or_else(|| panic!("no {name}")).1.clone()
    };
    let games = last(&events, "games");
    let games = games.as_array().unwrap();
    // With equal hands Black's start is White's on the board turned by 180 degrees.
    let turns: Vec<(&Value, &Value)> = games.iter().map(|game| (&game["turn"], &game["first"])).collect();
    let white = json!("white");
    assert_eq!(turns, [(&json!(0), &white), (&json!(90), &white), (&json!(180), &white), (&json!(270), &white)]);
    for game in games {
        let count = |name: &str| game[name].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), 6, "{game}");
        let share: Vec<f64> = game["share"].as_array().unwrap().iter().map(|share| share.as_f64().unwrap()).collect();
        assert!(share[1] <= share[0] && share[0] <= share[2], "{game}");
    }
    let shown: Vec<u64> =
        events.iter().filter(|event| event.0 == "games").map(|event| event.1[0]["wins"].as_u64().unwrap()).collect();
    assert!(shown.len() >= 2 && shown.is_sorted(), "{shown:?}");
    let readings = last(&events, "readings");
    assert!(
        readings.as_array().unwrap().iter().any(|reading| reading["option"] == "opening" && reading["clause"] == "R9"),
        "{readings}"
    );
    // The other named rule sets have their games too, and the exact values that are found at once.
    let sets = last(&events, "rule-sets");
    let rules = |row: &Value| row["rules"].as_str().unwrap().to_owned();
    let named: BTreeSet<String> = sets.as_array().unwrap().iter().map(rules).collect();
    let others = Preset::ALL.into_iter().filter(|preset| *preset != Preset::Standard);
    assert_eq!(named, others.map(|preset| preset.name().to_owned()).collect::<BTreeSet<String>>());
    let games = |row: &Value| ["wins", "draws", "losses"].map(|name| row[name].as_u64().unwrap()).iter().sum::<u64>();
    assert!(sets.as_array().unwrap().iter().all(|row| games(row) > 0 && row["option"].is_null()), "{sets}");
    let solved = ["solve", "start", "--board", "nook9", "--pods", "four", "--hands", "bdt", "--rules", "basic-author"];
    let solved: Value = serde_json::from_str(&answer(&[&solved[..], &["--format", "json"]].concat(), "")).unwrap();
    let of_author = |(name, of): &&(String, Value)| name == "exact" && of["rules"] == "basic-author";
    for (_, exact) in events.iter().filter(of_author).filter(|(_, of)| of["turn"] == 0 && of["first"] == "white") {
        assert_eq!(exact["value"], solved["value"]);
    }
    let csv = answer(&["report", "--board", "nook9", "--pods", "four", "--hands", "bdt", "--format", "csv"], "");
    let reports = last(&events, "reports");
    assert_eq!((&reports["csv"], &reports["exact"]), (&json!(csv), &json!(4)));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    let out = ["--format", "html", "--out", file.to_str().unwrap()];
    answer(&[&["report", "--board", "nook9", "--pods", "four", "--hands", "bdt"][..], &out].concat(), "");
    // The pages differ in how they say that they were made.
    let main = |page: &str| page[page.find("<main").unwrap()..page.find("<footer").unwrap()].to_owned();
    assert_eq!(main(reports["page"].as_str().unwrap()), main(&std::fs::read_to_string(&file).unwrap()));
    // Each exact value names the position that it is about.
    let told = events.iter().filter(|(name, of)| name == "exact" && of["rules"] == "standard" && of["turn"] == 90);
    for (_, exact) in told {
        let position = exact["position"].as_str().unwrap();
        let of = ["--board", "nook9", "--pods", "four", "--hands", "bdt", "--orientation", "90", "--format", "json"];
        let solved: Value = serde_json::from_str(&answer(&[&["solve", position][..], &of].concat(), "")).unwrap();
        assert_eq!(exact["value"], solved["value"], "{exact}");
        assert_eq!(&position[6..7], &exact["first"].as_str().unwrap()[..1]);
    }
    // Asked again, it goes on with the games that were played.
    let mut more = question;
    more["fair"]["games"] = json!(7);
    let again = served.events(&more);
    let first = &again.iter().find(|event| event.0 == "games").unwrap().1[0];
    assert_eq!(["wins", "draws", "losses"].map(|name| first[name].as_u64().unwrap()).iter().sum::<u64>(), 6, "{first}");
}

#[test]
fn games_are_played_until_the_shares_are_known_well_enough() {
    let served = Served::new(&[]);
    let mut setting = setting("nook9", "four", "standard", "start", &[]);
    setting["white"] = json!("bdt");
    setting["black"] = json!("bdt");
    let played = |half_width: f64| {
        let question = json!({ "setting": setting, "nodes": 1, "games": 150, "within": half_width, "seconds": 0.01 });
        let events = served.events(&json!({ "fair": question }));
        let rows = events.iter().rev().find(|event| event.0 == "games").unwrap().1.as_array().unwrap().clone();
        let share = |row: &Value, i: usize| row["share"][i].as_f64().unwrap();
        let widest = rows.iter().map(|row| (share(row, 2) - share(row, 1)) / 2.0).fold(0.0, f64::max);
        let games = ["wins", "draws", "losses"].map(|name| rows[0][name].as_u64().unwrap()).iter().sum::<u64>();
        (widest, games)
    };
    let (rough, few) = played(0.5);
    let (fine, more) = played(0.93 * rough);
    let (finest, all) = played(0.000_1);
    assert!(rough <= 0.5 && few == 100, "{rough} after {few}");
    assert!(fine <= 0.93 * rough && (101..150).contains(&more), "{fine} after {more}");
    assert!(finest > 0.000_1 && all == 150, "{finest} after {all}");
}

#[test]
fn a_second_page_waits_until_the_first_hangs_up() {
    let served = Served::new(&[]);
    let mut first = served.job(&endless());
    first.until("begun");
    let mut second = served.job(&values("nook9", "four", "standard", 600.0));
    assert_eq!(second.until("waiting")["before"], 1);
    // What is quick is answered meanwhile.
    served.good("/api/view", &json!({ "setting": setting("cave36", "pods14", "standard", "start", &[]) }));
    drop(first);
    assert_eq!(second.until("root")["value"], "win");
}

#[test]
fn streams_are_limited_and_a_place_is_free_again_when_one_ends() {
    let served = Served::new(&[]);
    let jobs: Vec<Job> = (0..200).map(|_| served.job(&endless())).collect();
    let open = jobs.iter().filter(|job| job.status == 200).count();
    let refused = jobs.iter().filter(|job| job.status == 503).count();
    assert_eq!((open, refused), (16, 184));
    assert_eq!(served.get("/").status, 200);
    drop(jobs);
    // The server notices each hang-up by itself, so the first tries may come too early.
    let asked = (0..100_000).map(|_| served.job(&endless()).status).find(|&status| status == 200);
    assert_eq!(asked, Some(200));
}

#[test]
fn times_that_make_no_sense_are_refused() {
    let served = Served::new(&[]);
    for seconds in ["0", "-1", "1e9", "1e999", "\"5\"", "null"] {
        let setting = setting("nook9", "four", "standard", "start", &[]);
        let question = format!("{{\"values\":{{\"setting\":{setting},\"seconds\":{seconds}}}}}");
        assert_eq!(served.post_text("/api/job", &question).status / 100, 4, "{seconds}");
    }
}

#[test]
fn a_port_in_use_is_said() {
    let served = Served::new(&[]);
    let port = served.port.to_string();
    let ran = run(&["explore", "--port", &port], "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    let wanted = format!(
        "pods: error: --port: port {port} is in use by another program: name another, or 0 for any that is free\n"
    );
    assert_eq!(ran.err, wanted);
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_server_and_its_streams() {
    let mut served = Served::new(&[]);
    let mut job = served.job(&endless());
    job.until("begun");
    assert!(Command::new("kill").args(["-INT", &served.child.id().to_string()]).status().unwrap().success());
    // The stream ends without an end: the page sees that the server has gone.
    while job.event().is_some() {}
    assert_eq!(served.child.wait().unwrap().code(), Some(130));
    let again = program()
        .args(["explore", "--port", &served.port.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut again = again.unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(again.stdout.take().unwrap()), &mut line).unwrap();
    assert!(line.starts_with("http://127.0.0.1:"), "{line}");
    again.kill().unwrap();
    again.wait().unwrap();
}
