//! No circles: of the files and folders that stand side by side in a folder, none needs itself by
//! way of others.
//!
//! A folder's own `mod.rs` and the files in it may name each other: they are one room.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use crate::{code_of, source_folder, sources};

/// The path of a module below the crate: `["table", "plan"]`.
type Module = Vec<String>;

/// A path as it is written: `super`, `plan`, `TablePlan`.
type Written = Vec<String>;

struct House {
    /// The modules, and what each re-exports: name, path.
    modules: BTreeMap<Module, BTreeMap<String, Written>>,
    /// The names that each uses.
    named: BTreeMap<Module, Vec<Written>>,
}

fn module_of(file: &Path) -> Option<Module> {
    let path = file.strip_prefix(source_folder()).unwrap().with_extension("");
    let mut names: Module = path.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    match names.last().unwrap().as_str() {
        "mod" => drop(names.pop()),
        "main" if names.len() == 1 => return None,
        "lib" if names.len() == 1 => names.clear(),
        _ => {}
    }
    Some(names)
}

/// Returns the paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn spread(tree: &str) -> Vec<String> {
    let Some((before, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let (mut depth, mut parts, mut part) = (0, Vec::new(), String::new());
    for c in rest.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        part.push(c);
    }
    parts.push(part);
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| spread(part)).map(|part| format!("{}{part}", before.trim())).collect()
}

fn steps(path: &str) -> Written {
    let mut steps: Written = path.split("::").map(|step| step.trim().to_owned()).collect();
    if steps.last().is_some_and(|last| last == "self") {
        steps.pop();
    }
    steps
}

/// Returns the paths of two and more names in a text.
fn paths(text: &str) -> impl Iterator<Item = Written> {
    let in_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    text.split(move |c| !in_path(c))
        .map(|word| word.trim_matches(':'))
        .filter(|word| word.contains("::") && !word.split("::").any(str::is_empty))
        .map(steps)
}

impl House {
    fn read() -> House {
        let mut house = House { modules: BTreeMap::new(), named: BTreeMap::new() };
        for file in sources(&source_folder()) {
            let Some(module) = module_of(&file) else { continue };
            let text = code_of(&fs::read_to_string(&file).unwrap());
            let (mut exported, mut named) = (BTreeMap::new(), Vec::new());
            let mut rest = String::new();
            for statement in text.split_inclusive(';') {
                let at = statement.rfind("use ").filter(|&at| {
                    let before = statement[..at].trim_end();
                    before.is_empty() || before.ends_with(['}', ']', ')', '{']) || before.ends_with("pub")
                });
                let Some(at) = at else {
                    rest.push_str(statement);
                    continue;
                };
                let public = statement[..at].trim_end().ends_with("pub")
                    || statement[..at].trim_end().ends_with(')') && statement[..at].contains("pub(");
                for path in spread(statement[at + 4..].trim_end_matches(';')) {
                    let (path, name) = path.split_once(" as ").map_or((path.as_str(), None), |(p, n)| (p, Some(n)));
                    let path = steps(path);
                    let name = name.map_or_else(|| path.last().unwrap().clone(), |name| name.trim().to_owned());
                    if public {
                        exported.insert(name, path);
                    } else {
                        named.push(path);
                    }
                }
                rest.push_str(&statement[..at]);
            }
            named.extend(paths(&rest));
            house.modules.insert(module.clone(), exported);
            house.named.insert(module, named);
        }
        house
    }

    /// Returns the module in which stands what a module names, if it is of this crate.
    fn home(&self, from: &Module, path: &[String]) -> Option<Module> {
        let mut at = from.clone();
        let mut path = path.iter();
        let mut first = true;
        loop {
            let Some(step) = path.next() else { return Some(at) };
            match step.as_str() {
                "crate" if first => at.clear(),
                "self" if first => {}
                "super" => drop(at.pop()),
                name => {
                    let child: Module = at.iter().cloned().chain([name.to_owned()]).collect();
                    if self.modules.contains_key(&child) {
                        at = child;
                    } else if first {
                        return None;
                    } else if let Some(path) = self.modules[&at].get(name) {
                        // An own re-export of something from outside has no home.
                        return self.home(&at, path);
                    } else {
                        return Some(at);
                    }
                }
            }
            first = false;
        }
    }
}

#[test]
fn files_side_by_side_have_no_circles() {
    let house = House::read();
    // Of each folder: what stands in it, and which of these names which.
    let mut needs: BTreeMap<&[String], BTreeSet<(&str, &str)>> = BTreeMap::new();
    for (module, named) in &house.named {
        for home in named.iter().filter_map(|path| house.home(module, path)) {
            let (home, _) = house.modules.get_key_value(&home).unwrap();
            let shared = module.iter().zip(home).take_while(|(a, b)| a == b).count();
            if let (Some(a), Some(b)) = (module.get(shared), home.get(shared)) {
                needs.entry(&module[..shared]).or_default().insert((a, b));
            }
        }
    }
    let seen: usize = needs.values().map(BTreeSet::len).sum();
    assert!(seen > 400, "only {seen} seen");
    let mut circles = Vec::new();
    for (folder, needs) in needs {
        let names: Vec<&str> = needs.iter().flat_map(|&(a, b)| [a, b]).collect::<BTreeSet<_>>().into_iter().collect();
        let mut graph = DiGraph::<&str, ()>::new();
        let nodes: BTreeMap<&str, _> = names.into_iter().map(|name| (name, graph.add_node(name))).collect();
        graph.extend_with_edges(needs.iter().map(|(a, b)| (nodes[a], nodes[b])));
        for circle in tarjan_scc(&graph).iter().filter(|circle| circle.len() > 1) {
            let names: Vec<&str> = circle.iter().map(|&node| graph[node]).collect();
            circles.push(format!("src/{}: {}", folder.join("/"), names.join(" ")));
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}
