//! Pictures and pages: all of a report stands in its page, as text too, and nothing in it needs
//! anything else.

use std::collections::BTreeSet;
use std::fs;

use pods::files::sha256_hex;
use roxmltree::{Document, Node, NodeType};
use serde_json::Value;
use tempfile::tempdir;

use crate::run::{answer, run};

/// Returns the page as XML: the document type and places for breaks apart, and empty elements
/// closed.
fn as_xml(page: &str) -> String {
    let body = page.strip_prefix("<!DOCTYPE html>").expect("a document type");
    let mut xml = String::new();
    for (i, part) in body.replace("<wbr>", "").split("<meta").enumerate() {
        if i == 0 {
            xml.push_str(part);
        } else {
            xml.push_str(&format!("<meta{}", part.replacen('>', "/>", 1)));
        }
    }
    xml
}

/// Returns all text in an element.
fn text(node: Node<'_, '_>) -> String {
    let of = |node: Node<'_, '_>| (node.node_type() == NodeType::Text).then(|| node.text().unwrap().to_owned());
    node.descendants().filter_map(of).collect()
}

/// Checks that a page is well formed, needs nothing from elsewhere, and can be read aloud.
fn check(page: &str) -> BTreeSet<String> {
    let xml = as_xml(page);
    let read = Document::parse(&xml).unwrap_or_else(|error| panic!("{error}\n{page}"));
    let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http", "//", "@import", "url(", "<script", "src=", "onload="] {
        assert!(!elsewhere.contains(word), "{word}");
    }
    let all = || read.descendants().filter(Node::is_element);
    let named = |name: &'static str| all().filter(move |node| node.tag_name().name() == name);
    assert_eq!(read.root_element().attribute("lang"), Some("en"));
    assert_eq!((named("h1").count(), named("main").count()), (1, 1));
    // Headings have no gaps.
    let levels: Vec<u32> = all().filter_map(|node| node.tag_name().name().strip_prefix('h')?.parse().ok()).collect();
    assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
    let ids: Vec<&str> = all().filter_map(|node| node.attribute("id")).collect();
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(distinct.len(), ids.len());
    for attribute in ["aria-labelledby", "aria-describedby"] {
        assert!(all().filter_map(|node| node.attribute(attribute)).all(|id| distinct.contains(id)), "{attribute}");
    }
    for link in named("a").map(|node| node.attribute("href").unwrap()) {
        assert!(distinct.contains(link.strip_prefix('#').unwrap()), "{link}");
    }
    // Pictures are named, or said to be left out.
    for picture in named("svg") {
        let title = picture.children().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
        let title = title.is_some_and(|title| !text(title).is_empty());
        assert!(picture.attribute("aria-hidden") == Some("true") || picture.attribute("role") == Some("img") && title);
    }
    let mut cells = BTreeSet::new();
    assert!(named("table").count() > 0);
    for table in named("table") {
        let caption = table.first_element_child().unwrap();
        assert!(caption.has_tag_name("caption") && !text(caption).is_empty());
        for cell in table.descendants().filter(|node| node.has_tag_name("th") || node.has_tag_name("td")) {
            let scope = cell.attribute("scope");
            let in_head = cell.parent().unwrap().parent().unwrap().has_tag_name("thead");
            let expected = if in_head { Some("col") } else { Some("row").filter(|_| cell.has_tag_name("th")) };
            assert_eq!(scope, expected, "{}", text(cell));
            cells.insert(text(cell));
        }
        let (first, rest) = {
            let mut rows = table.descendants().filter(|node| node.has_tag_name("tr")).map(|row| {
                let span = |cell: Node<'_, '_>| cell.attribute("colspan").map_or(1, |n| n.parse().unwrap());
                row.children().filter(Node::is_element).map(span).sum::<usize>()
            });
            (rows.next().unwrap(), rows.collect::<Vec<usize>>())
        };
        assert!(rest.iter().all(|&row| row == first), "{}: {first} {rest:?}", text(caption));
    }
    cells
}

/// Checks that all cells of a CSV and the names of its columns are in a page's tables.
fn holds(page: &str, csv: &str) {
    let cells = check(page);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    for name in reader.headers().unwrap() {
        assert!(cells.contains(&name.replace('_', " ")), "{name}");
    }
    let mut rows = 0;
    for row in reader.records() {
        rows += 1;
        for cell in row.unwrap().iter() {
            let shown = if cell.is_empty() { "–" } else { cell };
            assert!(cells.contains(shown), "{cell:?}");
        }
    }
    assert!(rows > 0);
}

#[test]
fn the_page_of_a_balance_report_holds_all_its_figures() {
    let setups = ["report", "--board", "nook9", "--board", "ring8", "--pods", "four", "--hands", "bdt"];
    let setups = [setups.as_slice(), &["--rules", "standard", "--rules", "advanced"]].concat();
    let with = |format: &'static str| answer(&[setups.as_slice(), &["--format", format]].concat(), "");
    let page = with("html");
    holds(&page, &with("csv"));
    // Maps: as many as there are setups, turns and bipods; each opening once.
    let xml = as_xml(&page);
    let read = Document::parse(&xml).unwrap();
    let figures: Vec<Node<'_, '_>> = read.descendants().filter(|node| node.has_tag_name("figure")).collect();
    assert_eq!(figures.len(), 2 * 2 * 4 * 2);
    let csv = with("csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    // Rows and maps have the same order: setup, turn; each row has two maps.
    for (row, maps) in rows.iter().zip(figures.chunks(2)) {
        let classes: Vec<&str> = maps
            .iter()
            .flat_map(|map| map.descendants())
            .filter_map(|node| node.attribute("class")?.strip_prefix("pods-value pods-"))
            .collect();
        for (outcome, column) in [("win", 11), ("draw", 12), ("loss", 13), ("unknown", 20)] {
            let drawn = classes.iter().filter(|class| **class == outcome).count();
            assert_eq!(drawn.to_string(), row[column], "{outcome} {row:?}");
        }
    }
}

#[test]
fn what_is_not_known_is_not_drawn_as_a_draw() {
    let setup = ["report", "--board", "lair16", "--pods", "four", "--orientation", "0", "--max-nodes", "9"];
    let with = |format: &'static str| answer(&[setup.as_slice(), &["--format", format]].concat(), "");
    let (page, csv) = (with("html"), with("csv"));
    holds(&page, &csv);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let row = reader.records().next().unwrap().unwrap();
    assert_eq!((&row[6], &row[8], &row[10]), ("", "", ""), "{row:?}");
    let maps = page.split("<figure>").skip(1).map(|map| map.split("</figure>").next().unwrap()).collect::<String>();
    assert!(maps.contains("pods-value pods-unknown") && !maps.contains("pods-value pods-draw"));
    assert!(page.contains("Who wins is not known") && !page.contains("class-drawn\""));
}

#[test]
fn pages_of_readings_and_of_play_hold_all_figures() {
    let readings = ["report", "readings", "--board", "nook9", "--pods", "duo"];
    let played = ["report", "play", "--board", "nook9", "--pods", "four", "--strength", "20", "--count", "6"];
    let played = [&played[..], &["--rules", "standard", "--rules", "very-advanced"]].concat();
    for command in [readings.as_slice(), &played] {
        let with = |format: &'static str| answer(&[command, &["--format", format]].concat(), "");
        holds(&with("html"), &with("csv"));
    }
}

#[test]
fn a_page_goes_to_its_file_or_into_the_folder_and_is_the_same_each_time() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let out = path("page.html");
    let setup = ["report", "--board", "nook9", "--pods", "duo", "--format", "html", "--commit", "abc", "--out"];
    let to = |out: &std::path::Path| answer(&[setup.as_slice(), &[out.to_str().unwrap()]].concat(), "");
    assert_eq!(to(&out), "");
    let first = fs::read_to_string(&out).unwrap();
    check(&first.replace(folder.path().to_str().unwrap(), "folder"));
    assert!(first.contains("commit <code>abc</code>"));
    // A page is replaced by a page, with the same bytes.
    assert_eq!(to(&out), "");
    assert!(fs::read_to_string(&out).unwrap() == first);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let results = path("results");
    assert_eq!(to(&results), "");
    let page = fs::read(results.join("balance.html")).unwrap();
    let manifest: Value = serde_json::from_slice(&fs::read(results.join("balance.manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["page"]["file"], "balance.html");
    assert_eq!(manifest["page"]["sha256"], sha256_hex(&page));
    holds(
        &String::from_utf8(page).unwrap().replace(folder.path().to_str().unwrap(), "folder"),
        &fs::read_to_string(results.join("balance.csv")).unwrap(),
    );
}

#[test]
fn hostile_names_stay_text_in_pages() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let board = "name = \"</h2><script>x</script>\"\nsource = '<b>'\npoints = '''\no-o-o\n|X|\\|\no-o-o\n'''\n";
    let pods =
        "name = \"<img>\"\nsource = '&'\n[[pod]]\nid = 'b'\nname = \"<script>\\u001B[31m&'\\\"\"\nlegs = 'e w'\n";
    fs::write(path("b<i>&.toml"), board).unwrap();
    fs::write(path("pods.toml"), pods).unwrap();
    let (board, pods) = (path("b<i>&.toml"), path("pods.toml"));
    let page = answer(&["report", "--board", &board, "--pods", &pods, "--format", "html"], "");
    let page = page.replace(folder.path().to_str().unwrap(), "folder");
    check(&page);
    assert!(
        page.contains("&lt;/h2&gt;&lt;script&gt;x&lt;/script&gt;") && page.contains("&lt;script&gt; [31m&amp;'&quot;"),
        "{page}"
    );
    let sheet = answer(&["show", "--board", &board, "--pods", &pods, "--format", "svg"], "");
    let sheet = Document::parse(&sheet).unwrap();
    assert!(sheet.descendants().all(|node| !["script", "img", "b"].contains(&node.tag_name().name())));
}

#[test]
fn a_board_is_drawn_as_before() {
    let drawn = answer(&["show", "--board", "nook9", "--pods", "four", "--no-pods", "--format", "svg"], "");
    let golden = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/nook9.svg")).unwrap();
    let anew = "look at it, then: pods show --board nook9 --pods four --no-pods --format svg > tests/golden/nook9.svg";
    assert!(drawn == golden, "{anew}");
}

#[test]
#[cfg(unix)]
fn the_pictures_in_results_are_drawn_as_before() {
    let (folder, root) = (tempdir().unwrap(), std::path::Path::new(env!("CARGO_MANIFEST_DIR")));
    let drawn = std::process::Command::new("sh")
        .args([root.join("scripts/results.sh").as_os_str(), "drawings".as_ref()])
        .env("PODS", env!("CARGO_BIN_EXE_pods"))
        .env("OUT", folder.path())
        .env("COMMIT", "")
        .status();
    assert!(drawn.unwrap().success());
    let files = |folder: &std::path::Path| {
        let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| path.extension() == Some("svg".as_ref()))
            .map(|path| (path.file_name().unwrap().to_owned(), fs::read_to_string(path).unwrap()))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    let (now, before) = (files(folder.path()), files(&root.join("results/laboratory/drawings")));
    assert!(now.len() == 2 && now == before, "look at them, then: scripts/results.sh drawings");
}

#[test]
fn pictures_are_drawn_of_what_is_asked() {
    let show = ["show", "--board", "nook9", "--pods", "four", "--format", "svg"];
    let with = |more: &[&str]| answer(&[show.as_slice(), more].concat(), "");
    let position = "3/1B1/2q w dt bt -";
    let class = |svg: &str, name: &str| svg.matches(&format!("class=\"{name}")).count();
    let attacks = with(&[position]);
    assert!(class(&attacks, "pods-attacked") > 0 && class(&attacks, "pods-liberty") == 0);
    assert_eq!(class(&with(&[position, "--no-attacks"]), "pods-attacked"), 0);
    assert!(class(&with(&[position, "--liberties"]), "pods-liberty") > 0);
    assert_eq!(class(&with(&[position, "--of", "b2"]), "pods-ray\""), 1);
    assert!(with(&["--pods-only"]).matches("data-pod=").count() == 4);
    assert!(with(&["--scale", "25"]).contains("mm\""));
    // Values: a win at once is a win in one ply, and each legal point has a value.
    let values = with(&["start", "--values", "600"]);
    assert_eq!(
        (values.matches("data-value=\"win\"").count(), values.matches("data-value=\"unknown\"").count()),
        (2, 0)
    );
    for (arguments, words) in [
        (vec![position, "--of", "a1"], "no pod stands on a1"),
        (vec![position, "--of", "z9"], "is no point of the board"),
        (vec!["-"], "one position"),
        (vec!["--scale", "0"], "from 0.5 to 500"),
        (vec!["--scale", "NaN"], "from 0.5 to 500"),
    ] {
        let ran = run(&[show.as_slice(), &arguments].concat(), "");
        assert!(ran.code == 2 && ran.err.contains(words) && ran.out.is_empty(), "{arguments:?}: {}", ran.err);
    }
    let ran = run(&["show", "--scale", "25"], "");
    assert!(ran.code == 2 && ran.err.contains("--format svg"), "{}", ran.err);
}
