//! A certificate is made in a file beside its own, which a later run goes on from and never takes
//! for something else.

use std::fs;

use crate::run::{answer, run};

const LATE: &str = "c1k3/3KT1/1B3V/1f2G1/2p1C1/1o1g2 w dfhjopqy bdhjqtvy -";
const OTHER: &str = "c1k3/3KT1/1B3V/1f2G1/2p1C1/1o1g2 w dfhjopqy bdhjqtv -";

#[test]
fn what_is_there_is_gone_on_with_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, part) = (path("c.jsonl"), path("c.jsonl.part"));
    let prove = |position: &str| run(&["prove", position, "--out", &file, "--method", "search", "--threads", "2"], "");
    assert_eq!(prove(LATE).code, 0);
    assert!(!fs::exists(&part).unwrap(), "the file takes its place");
    let whole = fs::read(&file).unwrap();
    let is_coded = String::from_utf8_lossy(&whole).contains("\"version\":4");
    assert!(is_coded && answer(&["check-proof", &file], "").contains("loss for White"));

    // A run that was killed before the first section was there, in it, or before the file took its
    // place.
    for there in [&[], &whole[..20], &whole[..whole.len() / 2], &whole[..whole.len() - 3], &whole[..]] {
        fs::remove_file(&file).unwrap();
        fs::write(&part, there).unwrap();
        let ran = prove(LATE);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(!fs::exists(&part).unwrap());
        assert!(answer(&["check-proof", &file, "--about", LATE], "").contains("loss for White"));
    }

    // One that is complete and damaged does not take the place.
    let mut damaged = whole.clone();
    let [digit, end @ ..] = damaged.last_chunk_mut::<4>().unwrap();
    assert_eq!(end, b"\"}\n");
    *digit = if *digit == b'0' { b'1' } else { b'0' };
    fs::write(&part, &damaged).unwrap();
    let ran = prove(LATE);
    assert!(ran.code != 0 && ran.err.contains("c.jsonl.part"), "{}", ran.err);
    assert!(answer(&["check-proof", &file], "").contains("loss for White"));

    // One whose sections are damaged is a discrepancy, which is named where it is.
    let mut damaged = whole.clone();
    let header = whole.iter().position(|&byte| byte == b'\n').unwrap();
    damaged[header + 6] ^= 0x55;
    fs::write(&part, &damaged).unwrap();
    let ran = prove(LATE);
    assert!(ran.code == 1 && ran.err.contains("section 1") && ran.err.contains("--force"), "{} {}", ran.code, ran.err);
    assert_eq!(fs::read(&part).unwrap(), damaged);
    fs::remove_file(&part).unwrap();

    // What is about something else, or no certificate, is kept unless told otherwise.
    for there in [&whole[..], b"my notes\n", b"my notes"] {
        let part = path("e.jsonl.part");
        fs::write(&part, there).unwrap();
        let ran = run(&["prove", OTHER, "--out", &path("e.jsonl"), "--method", "search"], "");
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert_eq!(fs::read(&part).unwrap(), there, "{}", ran.err);
    }
    let anew = ["prove", OTHER, "--out", &path("e.jsonl"), "--method", "search", "--force"];
    assert!(run(&anew[..6], "").err.contains("begin anew with --force"));
    assert!(answer(&anew, "").contains("the choices of a search"));
    fs::create_dir(path("e.jsonl.part")).unwrap();
    assert!(run(&anew, "").err.contains("move it away"));
}

#[test]
fn nothing_is_left_where_nothing_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.jsonl").to_str().unwrap().to_owned();
    let prove = ["prove", LATE, "--out", &file, "--method", "search"];
    let ran = run(&[&prove[..], &["--rules", "advanced"]].concat(), "");
    assert!(ran.code == 2 && ran.err.contains("without moves"), "{}", ran.err);
    let text = answer(&[&prove[..], &["--max-nodes", "20"]].concat(), "");
    assert!(text.contains("claim     unknown: stopped at the limit of 20 nodes; raise --max-nodes"), "{text}");
    assert!(text.contains("c.jsonl is not written\n"), "{text}");
    let ran = run(&[&prove[..], &["--max-nodes", "20", "--format", "json"]].concat(), "");
    assert!(ran.code == 0 && ran.err.contains("note: stopped at the limit of 20 nodes"), "{}", ran.err);
    let unknown = "\"value\":\"unknown\",\"plies\":null,\"file\":null,\"lines\":null,\"sections\":null,\"bytes\":null";
    assert!(ran.out.contains(unknown), "{}", ran.out);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_device_or_a_fifo_is_no_place_for_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo").to_str().unwrap().to_owned();
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for out in ["/dev/null", &fifo] {
        for method in ["search", "strategy"] {
            let ran = run(&["prove", LATE, "--out", out, "--method", method], "");
            assert!(ran.code == 2 && ran.err.contains("no plain file"), "{out} {method} {}", ran.err);
        }
    }
}

#[test]
fn an_old_certificate_is_refused_and_the_way_out_is_named() {
    let corpus = |name: &str| format!("{}/tests/corpus/certificates/{name}", env!("CARGO_MANIFEST_DIR"));
    for old in ["v2-03-Loss.jsonl", "v3-03-Loss.jsonl"] {
        let refused = run(&["check-proof", &corpus(old)], "");
        let way_out = "this program reads 1 and 4; release 0.3.0 of this program reads versions 2 and 3";
        assert!(refused.code == 2 && refused.err.contains(way_out), "{}", refused.err);
    }
    let damaged = run(&["check-proof", &corpus("damaged.proof")], "");
    assert!(damaged.code == 1, "{}", damaged.err);
}
