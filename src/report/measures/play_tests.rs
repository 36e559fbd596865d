//! Measures from play alone, against plain twins: intervals and pictures.

use std::collections::BTreeMap;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use roxmltree::{Document, Node};

use super::games::{Games, median_ranks};
use super::observed::{Flow, Observed, Starter};
use super::pictures::BY_PLY;
use super::*;
use crate::geometry::Orientation;
use crate::material::BySide;
use crate::solver::Silent;
use crate::statistics::Interval;

fn setup(board: &str, pods: &str, hand: &str, rules: &str) -> NamedSetup {
    let hands = BySide { white: hand, black: hand };
    NamedSetup::read(board, Orientation::R90, pods, hands, rules.parse().unwrap()).unwrap()
}

fn plan(strengths: &[(u64, u64)]) -> MeasurePlan {
    let strengths = strengths.to_vec();
    MeasurePlan { horizon: 30, repetitions: 3, opening_plies: 2, seed: 7, games: 12, strengths }
}

/// Measures a setup as if it were too large to be solved.
fn by_play(named: &NamedSetup, plan: &MeasurePlan) -> Vec<MeasureRow> {
    measures(named, None, plan, Limits::default().with_nodes(10), &Silent).unwrap()
}

#[test]
fn ranks_of_medians_are_those_of_all_outcomes_of_coins() {
    for count in 1..=40_u32 {
        let mut ways = vec![1_u128];
        for _ in 0..count {
            let next = |k: usize| ways.get(k).unwrap_or(&0) + if k > 0 { ways[k - 1] } else { 0 };
            ways = (0..=ways.len()).map(next).collect();
        }
        // The largest rank such that at most 2.5 % of the outcomes have fewer members below.
        let may = |rank: usize| 40 * ways[..rank].iter().sum::<u128>() <= 1 << count;
        let rank = (0..ways.len()).take_while(|&rank| may(rank)).last().unwrap() as u64;
        let expected = (rank > 0).then(|| [rank, u64::from(count) + 1 - rank]);
        assert_eq!(median_ranks(count.into()), expected, "{count}");
    }
    // Where single chances are smaller than numbers can be.
    let [low, high] = median_ranks(1_000_000).unwrap();
    assert!((499_019..=499_022).contains(&low) && high == 1_000_001 - low, "{low} {high}");
}

fn lengths(plies: impl IntoIterator<Item = u32>) -> (Interval, Interval) {
    let mut games = Games::default();
    for plies in plies {
        let mut game = Observed::new(9, 2);
        game.won(plies, &Flow::game(), Starter::First);
        games.add(&game);
    }
    let named = setup("nook9", "duo", "b", "standard");
    let figures = games.figures(named.game(), true);
    let of = |measure| figures.iter().find(|of| of.measure == measure).unwrap().interval.unwrap();
    (of(Measure::GameLengthMedian), of(Measure::GameLengthDeviation))
}

#[test]
fn intervals_of_lengths_hold_the_truth_as_often_as_they_say() {
    // Ten, eleven, ... nineteen plies, each as likely: the median is 14 or 15, the deviation √8.25.
    let mut random = Pcg64::seed_from_u64(51);
    let (mut medians, mut deviations) = (0, 0);
    for _ in 0..400 {
        let (median, deviation) = lengths((0..60).map(|_| random.random_range(10..20)));
        medians += u32::from(median.low <= 15.0 && median.high >= 14.0);
        deviations += u32::from(deviation.low <= 8.25_f64.sqrt() && deviation.high >= 8.25_f64.sqrt());
        assert!(median.high - median.low < 8.0 && deviation.high - deviation.low < 1.5);
    }
    // 95 % of 400 and more: ranks are whole. The other interval is one of large samples.
    assert!(medians >= 375, "{medians}");
    assert!((365..=397).contains(&deviations), "{deviations}");
}

#[test]
fn random_games_show_what_needs_no_judge_and_nothing_else() {
    let named = setup("ring8", "duo", "bt", "advanced");
    let rows = by_play(&named, &plan(&[(20, 2)]));
    let random: Vec<&MeasureRow> = rows.iter().filter(|row| row.play == "random").collect();
    assert!(random.iter().all(|row| row.method == Method::Sampled && row.games == Some(12)));
    let has = |measure: Measure| random.iter().any(|row| row.measure == measure);
    for &measure in Measure::ALL {
        let seen = [
            Measure::AdvantageP1,
            Measure::Drawishness,
            Measure::GameLength,
            Measure::GameLengthDeviation,
            Measure::GameLengthMedian,
            Measure::Ongoing,
            Measure::BranchingFactor,
            Measure::BoardSitesOccupied,
            Measure::BoardCoverage,
            Measure::Captures,
            Measure::Returns,
            Measure::PointUse,
        ];
        assert_eq!(has(measure), seen.contains(&measure), "{measure}");
    }
    // The same games as those that exact values judge have the same figures.
    let exact = measures(&named, None, &plan(&[]), Limits::default(), &Silent).unwrap();
    let of = |rows: &[MeasureRow], measure| {
        rows.iter().find(|row| row.play == "random" && row.measure == measure && row.ply == Some(0)).unwrap().value.0
    };
    assert_eq!(of(&rows, Measure::BranchingFactor), of(&exact, Measure::BranchingFactor));
}

/// The curves of a chart with their paths, and the scale of each axis, as a factor and a shift from
/// places to numbers.
type Drawn<'d> = (Vec<(&'d str, &'d str)>, [[f64; 2]; 2]);

fn charts<'d>(svg: &'d Document<'_>) -> BTreeMap<&'d str, Drawn<'d>> {
    let titles = svg.descendants().filter(|node| node.attribute("font-size") == Some("15"));
    let chart = |title: Node<'d, '_>| {
        let parts = || title.parent().unwrap().children();
        let curve = |node: Node<'d, '_>| {
            let is = node.attribute("class")?.starts_with("pods-curve");
            is.then_some((node.attribute("data-series")?, node.attribute("d")?))
        };
        let scale = |name: &str, place: &str| {
            let ticks: Vec<[f64; 2]> = parts()
                .filter(|node| node.attribute("data-tick") == Some(name))
                .map(|node| [node.attribute(place).unwrap(), node.text().unwrap()].map(|text| text.parse().unwrap()))
                .collect();
            let [first, last] = [ticks[0], ticks[ticks.len() - 1]];
            let factor = (last[1] - first[1]) / (last[0] - first[0]);
            [factor, first[1] - factor * first[0]]
        };
        (title.text().unwrap(), (parts().filter_map(curve).collect(), [scale("across", "x"), scale("up", "y")]))
    };
    titles.map(chart).collect()
}

#[test]
fn curves_have_the_numbers_of_the_rows() {
    let named = setup("ring8", "duo", "bt", "advanced");
    let rows = measures(&named, None, &plan(&[(20, 6)]), Limits::default(), &Silent).unwrap();
    let text = by_ply_picture(&named, &rows).unwrap();
    assert_eq!(text, by_ply_picture(&named, &rows).unwrap());
    let svg = Document::parse(&text).unwrap();
    let charts = charts(&svg);
    let mut drawn: Vec<Measure> = rows.iter().filter(|row| row.ply.is_some()).map(|row| row.measure).collect();
    drawn.sort();
    drawn.dedup();
    let names: Vec<&str> = BY_PLY.iter().map(|(measure, _)| measure.name()).collect();
    assert!(drawn.iter().all(|measure| names.contains(&measure.name())), "{drawn:?}");
    assert_eq!(charts.len(), drawn.len());
    let mut points = 0;
    for measure in drawn {
        let (curves, [across, up]) = &charts[measure.name()];
        assert!(!curves.is_empty());
        for (name, path) in curves {
            let (play, rest) = name.split_once(": ").unwrap();
            let method = rest.split(',').next().unwrap();
            let of = |row: &&MeasureRow| {
                row.measure == measure && row.play == play && row.method.name() == method && row.ply.is_some()
            };
            let expected: Vec<[f64; 2]> =
                rows.iter().filter(of).map(|row| [f64::from(row.ply.unwrap()), row.value.0]).collect();
            let ends = path.split(['M', 'L']).filter(|end| !end.is_empty()).map(|end| end.trim_end_matches("h0"));
            let found: Vec<[f64; 2]> = ends
                .map(|end| {
                    let (x, y) = end.split_once(' ').unwrap();
                    let [x, y]: [f64; 2] = [x, y].map(|text| text.parse().unwrap());
                    [across[0] * x + across[1], up[0] * y + up[1]]
                })
                .collect();
            assert_eq!(found.len(), expected.len(), "{measure}, {name}");
            for (found, expected) in found.iter().zip(&expected) {
                // Places have one decimal.
                let near = |axis: usize, scale: [f64; 2]| (found[axis] - expected[axis]).abs() <= 0.1 * scale[0].abs();
                assert!(near(0, *across) && near(1, *up), "{measure}, {name}: {found:?} {expected:?}");
            }
            points += found.len();
        }
    }
    assert!(points > 200, "{points}");
    assert!(by_ply_picture(&named, &[]).is_none() && points_picture(&named, &[]).is_none());
}

#[test]
fn boards_have_the_numbers_of_the_rows_and_unknown_is_no_zero() {
    let named = setup("ring8", "duo", "bt", "advanced");
    let mut rows = measures(&named, None, &plan(&[]), Limits::default(), &Silent).unwrap();
    rows.retain(|row| matches!(row.measure, Measure::PointUse | Measure::PointGain));
    let lost = rows.remove(0);
    let text = points_picture(&named, &rows).unwrap();
    let svg = Document::parse(&text).unwrap();
    let points: Vec<Node<'_, '_>> =
        svg.descendants().filter(|node| node.attribute("class") == Some("pods-heat")).collect();
    let number = |node: &Node<'_, '_>| {
        let text = node.children().find(|child| child.has_tag_name("text")).unwrap().text().unwrap();
        (node.attribute("data-point").unwrap().to_owned(), text.replace('−', "-").parse::<f64>().ok())
    };
    let found: Vec<(String, Option<f64>)> = points.iter().map(number).collect();
    // Optimal and random play, use and gain.
    assert_eq!(found.len(), 4 * named.game().board().points().count());
    assert_eq!(found[0], (lost.item.unwrap(), None));
    assert_eq!(points[0].children().filter(|child| child.has_tag_name("circle")).count(), 1, "no shade");
    // The rows come play by play, the boards measure by measure.
    let sorted = [Measure::PointUse, Measure::PointGain];
    let rows: Vec<&MeasureRow> =
        sorted.iter().flat_map(|&measure| rows.iter().filter(move |row| row.measure == measure)).collect();
    assert_eq!(found.len(), rows.len() + 1);
    for ((point, number), row) in found[1..].iter().zip(rows) {
        assert_eq!(Some(point), row.item.as_ref());
        assert!((number.unwrap() - row.value.0).abs() < 0.006, "{point}: {number:?} {row:?}");
    }
}
