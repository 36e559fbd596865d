//! `pods frontier`: rows that are measured, summed up and drawn.

use crate::run::{answer, pods};
use std::fs;

#[test]
fn measured_rows_are_summed_up_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (rows, picture) = (path("rows.csv"), path("picture.svg"));
    let measured =
        answer(&["frontier", "--ply", "16", "--ply", "14", "--ply", "15", "--count", "4", "--memory", "1MiB"], "");
    fs::write(&rows, &measured).unwrap();
    let text = answer(&["frontier", "--from", &rows, "--plot", &picture], "");
    assert_eq!(
        text.lines().map(|line| line.split_whitespace().next().unwrap()).collect::<Vec<_>>(),
        ["ply", "14", "15", "16"]
    );
    let csv = answer(&["frontier", "--from", &rows, "--format", "csv"], "");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0]), (4, "ply,positions,solved,median_nodes,median_seconds,mean_nodes"));
    assert!(lines[1].starts_with("14,4,4,"), "{csv}");
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    // Every position is a dot in both charts, and each legend has one.
    assert_eq!(svg.matches("<circle").count(), 2 * (12 + 1));
    assert_eq!(svg.matches(r#"data-series="median""#).count(), 2);
    // The same rows make the same picture.
    answer(&["frontier", "--from", &rows, "--plot", &path("again.svg")], "");
    assert_eq!(fs::read_to_string(path("again.svg")).unwrap(), svg);
}

#[test]
fn unsolved_rows_are_no_values() {
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.csv");
    let measured = answer(&["frontier", "--ply", "8", "--count", "3", "--max-nodes", "10", "--memory", "1MiB"], "");
    assert_eq!(measured.lines().skip(1).filter(|line| line.contains(" -,,")).count(), 3, "{measured}");
    fs::write(&rows, &measured).unwrap();
    let text = answer(&["frontier", "--from", rows.to_str().unwrap()], "");
    assert!(text.contains(" >"), "{text}");
}

#[test]
fn the_published_picture_is_of_the_published_rows() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("frontier.svg");
    answer(&["frontier", "--from", "results/frontier/frontier.csv", "--plot", picture.to_str().unwrap()], "");
    let published = fs::read_to_string("results/frontier/frontier.svg").unwrap();
    assert!(fs::read_to_string(picture).unwrap() == published, "draw it again: scripts/frontier.sh");
}

#[test]
fn wrong_questions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    fs::write(&file, "board,ply\nnook9,3\n").unwrap();
    let file = file.to_str().unwrap();
    for (arguments, words) in [
        (vec!["frontier"], "--ply"),
        (vec!["frontier", "--plot", "x.svg", "--ply", "3"], "--from"),
        (vec!["frontier", "--format", "html", "--ply", "3"], "--from"),
        (vec!["frontier", "--from", file, "--ply", "3"], "leave out --ply"),
        (vec!["frontier", "--from", "nowhere.csv"], "nowhere.csv"),
        (vec!["frontier", "--from", file], "no rows of positions by ply"),
        (vec!["frontier", "--ply", "3", "--rules", "advanced"], "nothing moves"),
    ] {
        let ran = pods(&arguments);
        let message = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
}
