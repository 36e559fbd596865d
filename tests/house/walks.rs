//! The walks of CONTRIBUTING.md: each names all files that have to do with its example, and no
//! others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn all_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all_files(&path, into);
        } else {
            into.push(path);
        }
    }
}

#[test]
fn walks_name_the_files_that_they_go_through() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let mut files = Vec::new();
    for folder in ["src", "tests", "boards", "scripts", "results"] {
        all_files(&root.join(folder), &mut files);
    }
    files.push(root.join("README.md"));
    // This test and what is built beside it name examples too.
    files.retain(|file| !file.starts_with(root.join("tests/house")) && !file.iter().any(|part| part == "target"));
    let mut walks = 0;
    for section in text.split("\n### ").skip(1) {
        let title = section.lines().next().unwrap();
        let (_, rest) = section.split_once("<!-- walk: ").unwrap_or_else(|| panic!("{title}: no words to look for"));
        let (words, walk) = rest.split_once(" -->").unwrap();
        let words: Vec<&str> = words.split(" | ").collect();
        let named: BTreeSet<&str> = walk
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|name| root.join(name).exists() && name.contains(['/', '.']))
            .collect();
        let mut stale = named.clone();
        let mut unnamed = Vec::new();
        for file in &files {
            let path = file.strip_prefix(root).unwrap().to_str().unwrap();
            let Ok(content) = fs::read_to_string(file) else { continue };
            let about = path.split('/').any(|part| words.iter().any(|word| part.starts_with(word)));
            if !about && !words.iter().any(|word| content.contains(word)) {
                continue;
            }
            let by = named.iter().find(|name| path == **name || name.ends_with('/') && path.starts_with(**name));
            match by {
                Some(name) => drop(stale.remove(name)),
                // What was computed with it is not part of the walk.
                None if path.starts_with("results/") || path.starts_with("tests/corpus/certificates/") => {}
                None => unnamed.push(path),
            }
        }
        assert!(unnamed.is_empty(), "{title}: CONTRIBUTING.md leaves out {unnamed:#?}");
        assert!(stale.is_empty(), "{title}: CONTRIBUTING.md names {stale:#?}, which have nothing to do with it");
        walks += 1;
    }
    assert_eq!(walks, 4);
}

#[test]
fn paths_in_contributing_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let mut paths = 0;
    for name in text.split('`').skip(1).step_by(2) {
        let folders = ["src/", "tests/", "scripts/", "boards/", "results/", ".ci/"];
        if folders.iter().any(|folder| name.starts_with(folder)) {
            assert!(root.join(name).exists(), "CONTRIBUTING.md names {name}, which is not there");
            paths += 1;
        }
    }
    assert!(paths > 20, "{paths} paths");
}
