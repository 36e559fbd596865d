//! Certificates that the page is given: those of `pods prove`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Served, setting};
use crate::run::{answer, run};

/// Returns the question for a small setup.
fn small(rules: &str, position: &str, actions: &[&str], starts: Option<&str>, exact: bool) -> Value {
    let mut setting = setting("nook9", "four", rules, position, actions);
    setting["turn"] = json!(90);
    setting["white"] = json!("bdt");
    setting["black"] = json!("bdt");
    json!({ "certificate": { "setting": setting, "starts": starts, "exact": exact, "seconds": 600.0 } })
}

/// Returns the certificate that comes of a question, in a file.
fn certificate(served: &Served, question: &Value, folder: &Path) -> (Value, String) {
    let events = served.events(question);
    let made = events.iter().find(|event| event.0 == "certificate").unwrap_or_else(|| panic!("{events:?}"));
    assert_eq!(events.last().unwrap().0, "done");
    let file = folder.join("saved.jsonl");
    fs::write(&file, made.1["text"].as_str().unwrap()).unwrap();
    (made.1.clone(), file.to_str().unwrap().to_owned())
}

/// Returns the setup of [`small`] for the command line.
fn of(rules: &str) -> Vec<&str> {
    let setup = ["--board", "nook9", "--orientation", "90", "--pods", "four", "--hands", "bdt"];
    [&setup[..], &["--rules", rules]].concat()
}

#[test]
fn a_certificate_is_that_of_prove_and_passes_its_check() {
    let served = Served::new(&[]);
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own.jsonl");
    for (rules, position, actions, starts, about, exact) in [
        ("standard", "start", &[][..], Some("white"), "3/3/3 w bdt bdt open", true),
        ("standard", "start", &[], Some("black"), "3/3/3 b bdt bdt open", true),
        ("standard", "start", &["b@b2"], None, "3/1B1/3 b dt bdt -", false),
        // The side to begin is asked for, and the position does not matter.
        ("advanced", "3/1B1/3 b dt bdt -", &[], Some("white"), "3/3/3 w bdt bdt open", true),
        ("basic-author", "3/1B1/3 b - bdt -", &[], None, "3/1B1/3 b - bdt -", true),
    ] {
        let (made, saved) = certificate(&served, &small(rules, position, actions, starts, exact), folder.path());
        let check = [&["check-proof", &saved, "--about", about, "--format", "json"][..], &of(rules)].concat();
        let checked: Value = serde_json::from_str(&answer(&check, "")).unwrap();
        assert_eq!((&made["position"], &made["lines"]), (&checked["position"], &checked["lines"]), "{made}");
        let claim = made["claim"].as_str().unwrap();
        assert!(claim.starts_with(checked["value"].as_str().unwrap()), "{claim} {checked}");
        assert_eq!(checked["plies"].is_u64(), exact && checked["value"] != "draw", "{checked}");
        let exact = if exact { &["--exact"][..] } else { &[] };
        let prove = ["prove", about, "--force", "--out", own.to_str().unwrap()];
        answer(&[&prove[..], exact, &of(rules)].concat(), "");
        assert!(fs::read(&saved).unwrap() == fs::read(&own).unwrap(), "{made}");
    }
    // A byte more or less, and it proves nothing.
    let (made, saved) = certificate(&served, &small("standard", "start", &[], Some("white"), true), folder.path());
    fs::write(&saved, made["text"].as_str().unwrap().replacen("b@", "d@", 1)).unwrap();
    assert_eq!(run(&["check-proof", &saved], "").code, 1);
}

#[test]
fn a_certificate_has_its_limits_and_can_be_given_up() {
    let served = Served::new(&[]);
    let endless = |seconds: f64| {
        let setting = setting("cave36", "pods14", "standard", "start", &[]);
        json!({ "certificate": { "setting": setting, "starts": "white", "exact": false, "seconds": seconds } })
    };
    let events = served.events(&endless(0.05));
    let error = &events.iter().find(|event| event.0 == "error").unwrap_or_else(|| panic!("{events:?}")).1["error"];
    assert!(error.as_str().unwrap().starts_with("stopped "), "{error}");
    assert!(events.iter().all(|event| event.0 != "certificate"), "{events:?}");
    let mut first = served.job(&endless(3600.0));
    first.until("begun");
    let mut second = served.job(&small("standard", "start", &[], Some("white"), true));
    assert_eq!(second.until("waiting")["before"], 1);
    drop(first);
    assert_eq!(second.until("certificate")["claim"], "win in exactly 5 for White");
}

#[test]
fn what_cannot_be_proven_is_refused_before_it_waits() {
    let served = Served::new(&[]);
    let good = small("standard", "start", &[], Some("white"), true);
    let with = |name: &str, value: Value| {
        let mut asked = good.clone();
        asked["certificate"][name] = value;
        served.post("/api/job", &asked)
    };
    for (name, value) in
        [("starts", json!("green")), ("exact", json!("yes")), ("seconds", json!(0)), ("file", json!("x"))]
    {
        let refused = with(name, value);
        assert_eq!(refused.status, 422, "{name} {refused:?}");
    }
    let mut setting = good["certificate"]["setting"].clone();
    setting["black"] = json!("qt");
    assert_eq!(with("setting", setting.clone()).status, 200);
    // Black has no bipod to open with.
    let mut asked = good.clone();
    asked["certificate"]["setting"] = setting;
    asked["certificate"]["starts"] = json!("black");
    let refused = served.post("/api/job", &asked);
    assert!(refused.status == 422 && refused.body.contains("R9"), "{refused:?}");
}
