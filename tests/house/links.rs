//! Links in Markdown files lead somewhere, and every folder of results explains itself.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn markdown_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !name.starts_with('.') && !name.starts_with("target") && name != "node_modules" {
                markdown_files(&path, found);
            }
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Returns the targets of the inline links of a Markdown text, code spans and fenced blocks left
/// out.
fn link_targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for (i, part) in line.split("](").enumerate() {
            if i > 0
                && let Some(end) = part.find(')')
            {
                targets.push(part[..end].to_owned());
            }
        }
    }
    targets
}

#[test]
fn relative_links_lead_to_files() {
    let mut files = Vec::new();
    markdown_files(root(), &mut files);
    let mut checked = 0;
    let mut broken = Vec::new();
    for file in &files {
        for target in link_targets(&fs::read_to_string(file).unwrap()) {
            let path = target.split('#').next().unwrap();
            if path.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            if !file.parent().unwrap().join(path).exists() {
                broken.push(format!("{}: {target}", file.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    assert!(checked > 50, "only {checked} links were found");
}

#[test]
fn every_folder_of_results_has_a_readme_with_question_and_answer() {
    let contents = fs::read_to_string(root().join("results/README.md")).unwrap();
    for entry in fs::read_dir(root().join("results")).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let readme =
            fs::read_to_string(path.join("README.md")).unwrap_or_else(|e| panic!("results/{name}/README.md: {e}"));
        for part in ["# ", "**Question.** ", "**Answer.** "] {
            assert!(readme.contains(part), "results/{name}/README.md has no {part:?}");
        }
        assert!(contents.contains(&format!("({name}/README.md)")), "results/README.md does not link to {name}");
    }
}
