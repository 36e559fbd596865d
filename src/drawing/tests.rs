//! Drawings read back as XML.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node};

use super::*;
use crate::engine::Reference;
use crate::geometry::{Coord, Direction, Orientation, Point, Symmetry};
use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS, PodSpec, builtin_board, builtin_pods};

fn of_class<'a>(svg: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| node.attribute("class").is_some_and(|of| of.split(' ').any(|one| one == class));
    svg.descendants().filter(has).collect()
}

fn attributes<'a>(nodes: &[Node<'a, '_>], name: &str) -> Vec<&'a str> {
    nodes.iter().map(|node| node.attribute(name).unwrap()).collect()
}

/// Returns the numbers of `translate(x y)`.
fn shift(node: &Node<'_, '_>) -> (f64, f64) {
    let text = node.attribute("transform").unwrap().strip_prefix("translate(").unwrap().split(')').next().unwrap();
    let (x, y) = text.split_once(' ').unwrap();
    (x.parse().unwrap(), y.parse().unwrap())
}

fn game(board: &str, pods: &str, rules: &str) -> Game {
    Game::new(builtin_board(board).unwrap(), builtin_pods(pods).unwrap(), rules.parse().unwrap())
}

fn at(game: &Game, name: &str) -> Point {
    game.board().point_at(name.parse().unwrap()).unwrap()
}

#[test]
fn every_point_and_line_of_every_built_in_board_is_there_once() {
    for (name, _) in BUILTIN_BOARDS {
        for orientation in Orientation::ALL {
            let board = builtin_board(name).unwrap().turned(orientation);
            let svg = Drawing::default().board(&board, &[]);
            let svg = Document::parse(&svg).unwrap();
            let points = of_class(&svg, "pods-point");
            let expected: Vec<String> = board.points().map(|point| board.coord(point).to_string()).collect();
            assert_eq!(attributes(&points, "data-point"), expected, "{name} at {orientation}");
            let lines = of_class(&svg, "pods-line");
            let named: BTreeSet<&str> = attributes(&lines, "data-line").into_iter().collect();
            assert_eq!((named.len(), lines.len()), (board.line_count(), board.line_count()), "{name}");
            // Where a line is drawn, and what it is called.
            let places: BTreeMap<String, (f64, f64)> =
                points.iter().map(|node| (node.attribute("data-point").unwrap().to_owned(), shift(node))).collect();
            for line in lines {
                let (from, to) = line.attribute("data-line").unwrap().split_once('-').unwrap();
                let number = |name: &str| -> f64 { line.attribute(name).unwrap().parse().unwrap() };
                assert_eq!((number("x1"), number("y1")), places[from], "{name}");
                assert_eq!((number("x2"), number("y2")), places[to], "{name}");
                let end = |name: &str| board.point_at(name.parse().unwrap()).unwrap();
                let joined = Direction::ALL.iter().any(|&d| board.connected(end(from), d) == Some(end(to)));
                assert!(joined, "{name}: {from}-{to}");
            }
        }
    }
}

#[test]
fn a_turned_board_is_drawn_turned() {
    // The image of every place is taken from the floor `geometry`, in units of the drawing.
    for (name, _) in BUILTIN_BOARDS {
        let board = builtin_board(name).unwrap();
        let drawn = |board: &Board| {
            let svg = Drawing::default().board(board, &[]);
            let svg = Document::parse(&svg).unwrap();
            let lines: BTreeSet<BTreeSet<String>> = attributes(&of_class(&svg, "pods-line"), "data-line")
                .iter()
                .map(|line| line.split('-').map(str::to_owned).collect())
                .collect();
            let columns: BTreeMap<String, (f64, f64)> = of_class(&svg, "pods-point")
                .iter()
                .map(|node| (node.attribute("data-point").unwrap().to_owned(), shift(node)))
                .collect();
            (lines, columns)
        };
        let (lines, places) = drawn(&board);
        for orientation in Orientation::ALL {
            let symmetry = Symmetry::from(orientation);
            let size = (board.columns(), board.rows());
            let image = |name: &str| symmetry.coord(name.parse().unwrap(), size).to_string();
            let (turned_lines, turned_places) = drawn(&board.turned(orientation));
            let images: BTreeSet<BTreeSet<String>> =
                lines.iter().map(|line| line.iter().map(|end| image(end)).collect()).collect();
            assert_eq!(images, turned_lines, "{name} at {orientation}");
            for (point, (x, y)) in &places {
                // Around the middle of the board, y downwards: a quarter turn clockwise sends (x,
                // y) to (-y, x).
                let middle = |columns: u8, rows: u8| {
                    let first = places["a1"].0.min(turned_places.values().map(|at| at.0).fold(f64::MAX, f64::min));
                    let top = places.values().map(|at| at.1).fold(f64::MAX, f64::min);
                    let half = |span: u8| f64::from(span - 1) * STEP / 2.0;
                    (first + half(columns), top + half(rows))
                };
                let before = middle(size.0, size.1);
                let (columns, rows) = symmetry.size(size);
                let after = middle(columns, rows);
                let (mut x, mut y) = (x - before.0, y - before.1);
                for _ in 0..orientation.degrees() / 90 {
                    (x, y) = (-y, x);
                }
                assert_eq!((x + after.0, y + after.1), turned_places[&image(point)], "{name} {point} at {orientation}");
            }
        }
    }
}

#[test]
fn every_leg_of_every_built_in_pod_is_there_once() {
    for (name, _) in BUILTIN_PODS {
        let pods = builtin_pods(name).unwrap();
        let check = |node: &Node<'_, '_>, side: Side| {
            let id = node.attribute("data-pod").unwrap().chars().next().unwrap();
            let legs = pods.legs(pods.kind(id).unwrap()).on_board(side);
            let drawn: Vec<Node<'_, '_>> = node.children().filter(|child| child.has_tag_name("path")).collect();
            let expected: Vec<String> = legs.iter().map(|leg| leg.to_string()).collect();
            assert_eq!(attributes(&drawn, "data-leg"), expected, "{name} {id}");
            for (leg, path) in legs.iter().zip(drawn) {
                let long = path.attribute("class").unwrap().contains("pods-long");
                assert_eq!(long, leg.reach == crate::material::Reach::Long);
                let angle = format!("rotate({})", 45 * leg.direction.index());
                assert_eq!(path.attribute("transform"), Some(angle.as_str()));
            }
            let body = node.children().filter(|child| child.attribute("class") == Some("pods-body"));
            let body: Vec<&str> = body.map(|node| node.tag_name().name()).collect();
            assert_eq!(body, [if side == Side::White { "circle" } else { "rect" }]);
        };
        for side in Side::BOTH {
            for kind in pods.kinds() {
                let svg = Drawing::default().pod(&pods, kind, side);
                let svg = Document::parse(&svg).unwrap();
                let drawn = of_class(&svg, "pods-pod");
                assert_eq!(drawn.len(), 1);
                check(&drawn[0], side);
            }
        }
        let sheet = Drawing::default().scale(20.0).sheet(&builtin_board("cave36").unwrap(), &pods);
        let sheet = Document::parse(&sheet).unwrap();
        let drawn = of_class(&sheet, "pods-pod");
        let ids: Vec<String> = pods.kinds().map(|kind| pods.id(kind).to_string()).collect();
        assert_eq!(attributes(&drawn, "data-pod"), ids);
        drawn.iter().for_each(|node| check(node, Side::White));
    }
}

#[test]
fn a_position_has_its_pods_on_points_and_in_hands() {
    let game = game("nook9", "four", "advanced");
    let position = game.parse_position("3/1B1/2q w dt bt -").unwrap();
    let svg = Drawing::default().id("p").position(&game, &position, &[]);
    let svg = Document::parse(&svg).unwrap();
    let on: Vec<(&str, &str, &str)> = of_class(&svg, "pods-pods")[0]
        .children()
        .filter(Node::is_element)
        .map(|node| ["data-at", "data-pod", "data-side"].map(|name| node.attribute(name).unwrap()).into())
        .collect();
    assert_eq!(on, [("c1", "q", "black"), ("b2", "b", "white")]);
    let hands: Vec<(&str, Vec<&str>)> = of_class(&svg, "pods-hand")
        .iter()
        .map(|hand| {
            let pods: Vec<Node<'_, '_>> = hand.children().filter(|node| node.attribute("data-pod").is_some()).collect();
            assert!(pods.iter().all(|pod| pod.attribute("data-side") == hand.attribute("data-hand")));
            (hand.attribute("data-hand").unwrap(), attributes(&pods, "data-pod"))
        })
        .collect();
    assert_eq!(hands, [("black", vec!["b", "t"]), ("white", vec!["d", "t"])]);
    let root = svg.root_element();
    assert_eq!(root.attribute("aria-labelledby"), Some("p-title"));
    let desc = root.children().find(|node| node.has_tag_name("desc")).unwrap();
    assert_eq!(desc.attribute("id"), Some("p-desc"));
    assert_eq!(desc.text(), Some("White to move. White's pods: b on b2; hand: dt. Black's pods: q on c1; hand: bt."));
}

#[test]
fn marks_are_those_of_the_reference_engine() {
    let game = game("nook9", "four", "advanced");
    let position = game.parse_position("3/1B1/2q w dt bt -").unwrap();
    let engine = Reference::new(game.clone());
    let marks = of_pod(&engine, &position, at(&game, "b2"));
    let (b2, c2) = (at(&game, "b2"), at(&game, "c2"));
    let expected = [
        Mark::Attack { from: b2, to: c2 },
        Mark::Attacked { point: c2, by: Side::White },
        Mark::Liberty { of: b2, point: c2 },
        Mark::Chosen { point: b2 },
    ];
    assert_eq!(marks, expected);
    assert_eq!(of_pod(&engine, &position, c2), []);
    let svg = Drawing::default().legend().position(&game, &position, &marks);
    let svg = Document::parse(&svg).unwrap();
    let titles: Vec<&str> =
        of_class(&svg, "pods-point").iter().map(|node| node.first_element_child().unwrap().text().unwrap()).collect();
    assert!(
        titles.contains(&"c2: empty, attacked by White, liberty") && titles.contains(&"b2: White's b"),
        "{titles:?}"
    );
    let legend: Vec<&str> = of_class(&svg, "pods-legend")[0]
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(legend, ["attacked by White", "liberty"]);

    // A pod whose legs find no line is blocked, and said to be.
    let blocked = game.parse_position("3/b2/3 w bdqt dqt -").unwrap();
    let marks = liberties(&engine, &blocked);
    let free = engine.liberties(&blocked, at(&game, "a2"));
    assert_eq!(marks.contains(&Mark::Blocked { point: at(&game, "a2") }), free.is_empty());
    assert!(free.is_empty(), "{free:?}");
    let svg = Drawing::default().position(&game, &blocked, &marks);
    assert!(svg.contains("a2: Black's b, blocked"));
}

#[test]
fn values_differ_by_shape_and_word_and_unknown_is_no_draw() {
    let board = builtin_board("nook9").unwrap();
    let worths =
        [Worth::Win(Some(5)), Worth::Draw, Worth::Loss(Some(12)), Worth::Unknown, Worth::Win(None), Worth::Loss(None)];
    let marks: Vec<Mark> = board.points().zip(worths).map(|(point, worth)| Mark::Value { point, worth }).collect();
    let svg = Drawing::default().board(&board, &marks);
    let svg = Document::parse(&svg).unwrap();
    let shown: Vec<(&str, &str, &str, &str)> = of_class(&svg, "pods-value")
        .iter()
        .map(|node| {
            let point = node.parent().unwrap();
            let shape = node.first_element_child().unwrap().tag_name().name();
            let sign = node.last_element_child().unwrap().text().unwrap();
            let words = point.first_element_child().unwrap().text().unwrap();
            (point.attribute("data-value").unwrap(), shape, sign, words)
        })
        .collect();
    let expected = [
        ("win", "circle", "+5", "a1: point, win in 5"),
        ("draw", "rect", "=", "b1: point, draw"),
        ("loss", "path", "−12", "c1: point, loss in 12"),
        ("unknown", "circle", "?", "a2: point, unknown"),
        ("win", "circle", "+", "b2: point, win"),
        ("loss", "path", "−", "c2: point, loss"),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn hostile_names_stay_text() {
    let evil = "<script>alert('1')</script>]]>&amp;\"\u{0}\u{1b}[31m\u{202e}\u{ffff}</title>";
    let a1 = Coord { row: 0, column: 0 };
    let board = Board::new(evil, evil, [a1], []).unwrap();
    let spec = PodSpec { id: 'b', name: evil.repeat(3), legs: "n S".parse().unwrap(), count: 7 };
    let pods = PodSet::new(evil, evil, vec![spec]).unwrap();
    let game = Game::new(board, pods, "standard".parse().unwrap());
    let position = game.parse_position("B w b6 b7 -").unwrap();
    let drawing = Drawing::default().id(evil).title(evil).scale(9.5).legend();
    let all = [
        drawing.board(game.board(), &[]),
        drawing.pods(game.pods()),
        drawing.sheet(game.board(), game.pods()),
        drawing.pod(game.pods(), PodKind::new(0), Side::Black),
        drawing.position(&game, &position, &[Mark::Chosen { point: Point::new(0) }]),
    ];
    for svg in all {
        let read = Document::parse(&svg).unwrap();
        let title = read.root_element().first_element_child().unwrap().text().unwrap();
        assert_eq!(title, "<script>alert('1')</script>]]>&amp;\"  [31m  </title>");
        assert!(read.descendants().all(|node| !node.has_tag_name("script")), "{svg}");
        assert!(!svg.contains(['\u{0}', '\u{1b}', '\u{202e}', '\u{ffff}']));
    }
}

#[test]
fn an_embedded_drawing_leaves_style_and_size_to_its_page() {
    let board = builtin_board("nook9").unwrap();
    let svg = Drawing::default().embedded().for_scripts().board(&board, &[]);
    let read = Document::parse(&svg).unwrap();
    let root = read.root_element();
    assert_eq!((root.attribute("width"), root.attribute("role")), (None, Some("group")));
    assert!(read.descendants().all(|node| !node.has_tag_name("style")));
    assert_eq!(of_class(&read, "pods-target").len(), 9);
    // Lines and gaps are all pairs of neighbours: 3 × 3 points have 20.
    let gaps = of_class(&read, "pods-gap").len();
    assert_eq!((gaps + of_class(&read, "pods-line").len(), gaps > 0), (20, true));
}

#[test]
fn a_scale_is_kept_in_millimetres() {
    let board = builtin_board("cave36").unwrap();
    let svg = Drawing::default().scale(25.0).board(&board, &[]);
    let read = Document::parse(&svg).unwrap();
    let root = read.root_element();
    let units: f64 = root.attribute("viewBox").unwrap().split(' ').nth(2).unwrap().parse().unwrap();
    let width: f64 = root.attribute("width").unwrap().strip_suffix("mm").unwrap().parse().unwrap();
    let places: Vec<(f64, f64)> = of_class(&read, "pods-point").iter().map(shift).collect();
    let step = places[1].0 - places[0].0;
    assert!((step * width / units - 25.0).abs() < 0.01, "{step} of {units} units on {width} mm");
}

/// Returns the relative luminance of a colour, by WCAG 2.
fn luminance(colour: &str) -> f64 {
    let digits = colour.strip_prefix('#').unwrap();
    let digits: Vec<u8> = digits.chars().map(|c| c.to_digit(16).unwrap() as u8).collect();
    let channels: Vec<u8> = match digits.len() {
        3 => digits.iter().map(|d| d * 17).collect(),
        _ => digits.chunks(2).map(|d| d[0] * 16 + d[1]).collect(),
    };
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(channels[0]) + 0.7152 * linear(channels[1]) + 0.0722 * linear(channels[2])
}

#[test]
fn colours_contrast_in_light_and_in_dark() {
    // Light: what stands behind each custom property. Dark: what the media query sets.
    let mut light = BTreeMap::new();
    for (at, _) in STYLE.match_indices("var(") {
        let (name, rest) = STYLE[at + 4..].split_once(',').unwrap();
        let colour = rest.split(')').next().unwrap();
        assert_eq!(*light.entry(name).or_insert(colour), colour, "{name}");
        assert!(
            STYLE[..at].trim_end_matches(|c| c != ';').ends_with(&format!("{colour};")),
            "{name}: another colour without var()"
        );
    }
    let (_, dark) = STYLE.split_once("prefers-color-scheme:dark){.pods-drawing{").unwrap();
    let dark: BTreeMap<&str, &str> = dark.split(['}', ';']).filter_map(|of| of.split_once(':')).collect();
    assert!(dark.keys().eq(light.keys()), "{dark:?} {light:?}");
    for colours in [light, dark] {
        let contrast = |a: &str, b: &str| {
            let (a, b) = (luminance(colours[a]), luminance(colours[b]));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for (text, ground) in [
            ("--pods-ink", "--pods-paper"),
            ("--pods-quiet", "--pods-paper"),
            ("--pods-on-white", "--pods-white"),
            ("--pods-on-black", "--pods-black"),
            ("--pods-on-win", "--pods-win"),
            ("--pods-loss", "--pods-paper"),
            ("--pods-on-draw", "--pods-draw"),
        ] {
            assert!(contrast(text, ground) >= 4.5, "{text} on {ground}: {}", contrast(text, ground));
        }
        for shape in ["line", "edge", "liberty", "blocked", "chosen", "win", "loss", "draw-edge"] {
            let shape = format!("--pods-{shape}");
            assert!(contrast(&shape, "--pods-paper") >= 3.0, "{shape}: {}", contrast(&shape, "--pods-paper"));
        }
        // Numbers on the darkest shade.
        let channel = |colour: &str, at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap());
        for shade in ["--pods-win", "--pods-loss"] {
            let [above, below] = [colours[shade], colours["--pods-paper"]];
            let mixed = [1, 3, 5].map(|at| {
                let of = super::heat::FULL_SHADE;
                (of * channel(above, at) + (1.0 - of) * channel(below, at)).round() as u8
            });
            let mixed = format!("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
            let (ink, ground) = (luminance(colours["--pods-ink"]), luminance(&mixed));
            let contrast = (ink.max(ground) + 0.05) / (ink.min(ground) + 0.05);
            assert!(contrast >= 4.5, "numbers on {shade}: {contrast}");
        }
    }
}

#[test]
fn colours_of_charts_are_those_of_drawings() {
    let colours = |style: &str| -> BTreeSet<String> {
        let parts = style.split("var(").skip(1);
        parts.map(|part| part.split(')').next().unwrap().to_owned()).collect()
    };
    assert!(colours(CHART_STYLE).is_subset(&colours(STYLE)));
    for (at, _) in CHART_STYLE.match_indices("var(") {
        let colour = CHART_STYLE[at + 4..].split([',', ')']).nth(1).unwrap();
        assert!(CHART_STYLE[..at].trim_end_matches(|c| c != ';').ends_with(&format!("{colour};")), "{colour}");
    }
    for series in 0..chart::SERIES {
        assert!(CHART_STYLE.contains(&format!(".pods-series-{series}{{")), "{series}");
    }
}

fn chart_of(knots: Vec<Knot>) -> Chart {
    let ends: Vec<f64> = knots.iter().filter_map(|knot| knot.value).collect();
    Chart {
        title: "<title>".to_owned(),
        across: Scale::around("plies", [0.0, 4.0]),
        up: Scale::around("actions", ends),
        curves: vec![Curve { name: "all & one".to_owned(), series: 0, knots }],
        field: [400.0, 100.0],
    }
}

#[test]
fn a_curve_has_a_gap_where_nothing_is_known() {
    let knot = |across: f64, value: Option<f64>| Knot { across, value, band: value.map(|x| [x - 1.0, x + 1.0]) };
    let knots = [Some(2.0), Some(10.0), None, Some(4.0), None].into_iter().zip(0_u8..);
    let chart = chart_of(knots.map(|(value, ply)| knot(f64::from(ply), value)).collect());
    let svg = Drawing::default().charts(&[chart], 2, "one", "two");
    let svg = Document::parse(&svg).unwrap();
    let curve = of_class(&svg, "pods-curve")[0];
    assert_eq!(curve.attribute("data-series"), Some("all & one"));
    // 100 units for 0 to 10, from the bottom at 134; 400 across for 0 to 4, from 66.
    assert_eq!(curve.attribute("d"), Some("M66.0 114.0L166.0 34.0M366.0 94.0h0"));
    let band = of_class(&svg, "pods-band")[0];
    let around = "M66.0 124.0L166.0 44.0L166.0 24.0L66.0 104.0ZM366.0 104.0L366.0 84.0Z";
    assert_eq!(band.attribute("d"), Some(around));
    let ticks = svg.descendants().filter(|node| node.attribute("data-tick") == Some("up"));
    assert_eq!(ticks.map(|node| node.text().unwrap()).collect::<Vec<_>>(), ["0", "2", "4", "6", "8", "10"]);
}

#[test]
fn scales_are_round_and_hold_all_numbers() {
    for (low, high) in [(0.0, 1.0), (0.0, 0.0), (-0.3, 0.04), (0.0, 0.007), (3.0, 61.0), (-250.0, -3.0), (0.0, 1.0e6)] {
        let chart = Chart { up: Scale::around("x", [low, high]), curves: Vec::new(), ..chart_of(Vec::new()) };
        let svg = Drawing::default().charts(&[chart], 1, "one", "two");
        let svg = Document::parse(&svg).unwrap();
        let ticks = svg.descendants().filter(|node| node.attribute("data-tick") == Some("up"));
        let ticks: Vec<f64> = ticks.map(|node| node.text().unwrap().parse().unwrap()).collect();
        assert!((2..=9).contains(&ticks.len()), "{low} to {high}: {ticks:?}");
        assert!(
            ticks[0] <= low && *ticks.last().unwrap() >= high && ticks.contains(&0.0),
            "{low} to {high}: {ticks:?}"
        );
        assert!(ticks.is_sorted_by(|a, b| a < b), "{ticks:?}");
    }
}

#[test]
fn shades_of_a_board_grow_with_their_numbers() {
    let board = builtin_board("nook9").unwrap();
    let mut numbers: Vec<Option<f64>> = (0..9).map(|n| Some(f64::from(n) - 4.0)).collect();
    numbers[8] = None;
    let heat = Heat { board: &board, title: "gain".to_owned(), numbers, full: 4.0 };
    let svg = Drawing::default().heats(&[heat], 3, "one", "two");
    let svg = Document::parse(&svg).unwrap();
    let shades = |class: &str| -> Vec<f64> {
        of_class(&svg, class).iter().map(|node| node.attribute("fill-opacity").unwrap().parse().unwrap()).collect()
    };
    assert_eq!((shades("pods-less"), shades("pods-more")), (vec![0.45, 0.34, 0.23, 0.11], vec![0.0, 0.11, 0.23, 0.34]));
    let texts = of_class(&svg, "pods-heat").into_iter().filter_map(|node| node.last_element_child()?.text());
    assert_eq!(texts.collect::<Vec<_>>(), ["−4", "−3", "−2", "−1", "0", "1", "2", "3", "?"]);
}
