//! The captions of the Standard game in 000, 001 and 002.

use super::scene::{Scene, Scenes};
use super::{CaptionResult, Witness};
use crate::geometry::{Direction, Point};
use crate::material::{PodKind, Reach, Side};
use crate::position::Position;
use crate::rules::Clause;

/// Returns a point without a free neighbour on its left and with an unjoined one on its right.
pub(super) fn bipod_left_and_right(scenes: &Scenes) -> CaptionResult {
    let bipods = scenes.kinds_with(2);
    let legs =
        |kind: &PodKind| [Direction::W, Direction::E].iter().all(|&d| scenes.pods().legs(*kind).toward(d).is_some());
    let wide: Vec<PodKind> = bipods.iter().copied().filter(legs).collect();
    if wide.is_empty() {
        return Err(format!("no bipod has a left and a right leg; bipods: {}", scenes.named(&bipods)));
    }
    // First the wording that there is no neighbour, then that it is taken.
    let on = |scene: &Scene, taken: bool| {
        let (kind, point) = wide.iter().find_map(|&kind| {
            let fits = |&p: &Point| {
                let right = scene.unjoined(p, Direction::E).is_some();
                right && scene.neighbour(p, Direction::W).is_some() == taken
            };
            Some((kind, scene.board().points().find(fits)?))
        })?;
        let left = scene.neighbour(point, Direction::W);
        let stands = scene.occupants(&left.into_iter().collect::<Vec<_>>(), kind)?;
        let position = scene.position(&stands, Side::White)?;
        let (name, id) = (scene.name(point), scene.pods().id(kind));
        let right = scene.unjoined(point, Direction::E).map(|p| scene.name(p))?;
        let left =
            left.map_or("no neighbour on the left".to_owned(), |p| format!("{} on the left is taken", scene.name(p)));
        let what = format!("{id}@{name} is illegal by R13: {left}, no line to {right}");
        let agrees = scene.refused(&position, kind, point) == Some(Clause::R13);
        agrees.then(|| scene.shows(what, &position, &scene.standard))
    };
    let found = scenes.find(|scene| on(scene, false)).or_else(|| scenes.find(|scene| on(scene, true)));
    found.ok_or_else(|| "no point has an unjoined neighbour on its right, in any orientation".to_owned())
}

pub(super) fn tripod_all_blocked(scenes: &Scenes) -> CaptionResult {
    let tripods = scenes.kinds_with(3);
    let readings = [[Direction::Nw, Direction::E], [Direction::Nw, Direction::Ne]];
    let mut meant = Vec::new();
    for taken in readings {
        for &kind in &tripods {
            let legs = scenes.pods().legs(kind);
            if [Direction::Sw, taken[0], taken[1]].iter().all(|&d| legs.toward(d).is_some()) {
                meant.push((kind, taken));
            }
        }
    }
    if meant.is_empty() {
        let all = scenes.named(&tripods);
        return Err(format!("no tripod has legs sw, nw and e (or sw, nw and ne), of any length; tripods: {all}"));
    }
    // Preferably the taken points are joined, so that the pods block.
    let on = |scene: &Scene, joined: bool| {
        let (kind, taken, point) = meant.iter().find_map(|&(kind, taken)| {
            let fits = |&p: &Point| {
                let there = |d| if joined { scene.joined(p, d) } else { scene.neighbour(p, d) };
                scene.unjoined(p, Direction::Sw).is_some() && taken.iter().all(|&d| there(d).is_some())
            };
            Some((kind, taken, scene.board().points().find(fits)?))
        })?;
        let points: Vec<Point> = taken.iter().filter_map(|&d| scene.neighbour(point, d)).collect();
        let position = scene.position(&scene.occupants(&points, kind)?, Side::White)?;
        let sw = scene.unjoined(point, Direction::Sw).map(|p| scene.name(p))?;
        let (id, name) = (scene.pods().id(kind), scene.name(point));
        let taken = points.iter().map(|&p| scene.name(p)).collect::<Vec<_>>().join(" and ");
        let what = format!("{id}@{name} is illegal by R13: {taken} are taken, no line to {sw}");
        let agrees = scene.refused(&position, kind, point) == Some(Clause::R13);
        agrees.then(|| scene.shows(what, &position, &scene.standard))
    };
    let found = scenes.find(|scene| on(scene, true)).or_else(|| scenes.find(|scene| on(scene, false)));
    found.ok_or_else(|| {
        "no point has an unjoined neighbour on its lower left and the two others, in any orientation".to_owned()
    })
}

pub(super) fn upper_right_free(scenes: &Scenes) -> CaptionResult {
    let pods = scenes.pods();
    let mut kinds: Vec<PodKind> = pods
        .kinds()
        .filter(|&kind| pods.legs(kind).toward(Direction::Ne).is_some() && pods.legs(kind).count() > 1)
        .collect();
    // The text speaks of a tripod before.
    kinds.sort_by_key(|&kind| pods.legs(kind).count().abs_diff(3));
    if kinds.is_empty() {
        return Err("no pod of two legs or more has an upper right leg".to_owned());
    }
    let on = |scene: &Scene, kind: PodKind, point: Point| {
        let free = scene.joined(point, Direction::Ne)?;
        let others = scene.pods().legs(kind).iter().filter(|leg| leg.direction != Direction::Ne);
        let taken: Vec<Point> = others.filter_map(|leg| scene.joined(point, leg.direction)).collect();
        let position = scene.position(&scene.occupants(&taken, kind)?, Side::White)?;
        let (id, name, free) = (scene.pods().id(kind), scene.name(point), scene.name(free));
        let what = format!("{id}@{name} is legal: {free} is free, its other legs are blocked");
        let agrees = scene.refused(&position, kind, point).is_none();
        agrees.then(|| scene.shows(what, &position, &scene.standard))
    };
    let found = kinds
        .iter()
        .find_map(|&kind| scenes.find(|scene| scene.board().points().find_map(|point| on(scene, kind, point))));
    found.ok_or_else(|| "no line goes to the upper right, in any orientation".to_owned())
}

/// A black pod as the fourth caption has it.
struct Target {
    kind: PodKind,
    at: Point,
    /// The unjoined neighbours on its upper and lower right.
    right: [Point; 2],
    attacked: Vec<Point>,
    position: Position,
}

/// Returns the black pods for which the fourth caption holds, apart from its last words (what is
/// legal for White).
fn targets(scene: &Scene) -> Vec<Target> {
    let mut found = Vec::new();
    for kind in scene.pods().kinds() {
        let legs = scene.pods().legs(kind).on_board(Side::Black);
        let reach = |d| legs.toward(d).map(|leg| leg.reach);
        match (reach(Direction::Ne), reach(Direction::Se)) {
            (Some(upper), Some(lower)) if upper != lower => {}
            _ => continue,
        }
        for at in scene.board().points() {
            let right = [Direction::Ne, Direction::Se].map(|d| scene.unjoined(at, d));
            let [Some(upper), Some(lower)] = right else { continue };
            let Some(position) = scene.position(&[(at, Side::Black, kind)], Side::White) else { continue };
            let attacked = scene.standard.attacked_points(&position, at);
            if attacked.len() == 3 {
                found.push(Target { kind, at, right: [upper, lower], attacked, position });
            }
        }
    }
    found
}

/// Returns the first result of `more` for a target, scene by scene. An error says why there is no
/// target at all.
fn with_target(scenes: &Scenes, more: impl Fn(&Scene, &Target) -> Option<Witness>) -> Result<Option<Witness>, String> {
    let pods = scenes.pods();
    let legs = |kind: PodKind| {
        let legs = pods.legs(kind).on_board(Side::Black);
        let reach = |d| legs.toward(d).map(|leg| leg.reach);
        let [upper, lower] = [reach(Direction::Ne), reach(Direction::Se)];
        upper.is_some() && lower.is_some() && upper != lower
    };
    if !pods.kinds().any(legs) {
        return Err("no pod of Black's has an upper right and a lower right leg on the board, one short and one long \
                    (sw and nw in the file)"
            .to_owned());
    }
    if scenes.find(|scene| targets(scene).pop()).is_none() {
        return Err("no such pod attacks exactly three points where it has no lines to the right, in any orientation"
            .to_owned());
    }
    Ok(scenes.find(|scene| targets(scene).iter().find_map(|target| more(scene, target))))
}

fn listed(scene: &Scene, points: &[Point]) -> String {
    points.iter().map(|&p| scene.name(p)).collect::<Vec<_>>().join(", ")
}

pub(super) fn black_attacks_three(scenes: &Scenes) -> CaptionResult {
    let quadripods = scenes.kinds_with(4);
    let more = |scene: &Scene, target: &Target| {
        let legal =
            |&&kind: &&PodKind| target.right.iter().all(|&p| scene.refused(&target.position, kind, p).is_none());
        let quadripod = quadripods.iter().find(legal)?;
        let (id, at) = (scene.pods().id(target.kind), scene.name(target.at));
        let what = format!(
            "Black's {id} on {at} attacks {}; White's {} may go to {}",
            listed(scene, &target.attacked),
            scene.pods().id(*quadripod),
            listed(scene, &target.right)
        );
        Some(scene.shows(what, &target.position, &scene.standard))
    };
    let found = with_target(scenes, more)?;
    found.ok_or_else(|| "there are such pods, but no quadripod may go to both points on their right".to_owned())
}

pub(super) fn quadripod_would_attack(scenes: &Scenes) -> CaptionResult {
    let quadripods = scenes.kinds_with(4);
    let more = |scene: &Scene, target: &Target| {
        quadripods.iter().find_map(|&kind| {
            let refused = |p: &Point| scene.refused(&target.position, kind, *p) == Some(Clause::R11);
            let attacking = scene.board().points().find(refused)?;
            let ring = scene.board().points().find(|&p| {
                let short = scene.pods().legs(kind).iter().filter(|leg| leg.reach == Reach::Short);
                let mut afar = short.filter(|leg| looks_from_afar(scene, p, leg.direction, target.at));
                afar.next().is_some() && scene.refused(&target.position, kind, p).is_none()
            })?;
            let id = scene.pods().id(kind);
            let black = format!("Black's {} on {}", scene.pods().id(target.kind), scene.name(target.at));
            let [attacking, ring] = [attacking, ring].map(|p| scene.name(p));
            let what = format!(
                "{id}@{attacking} is illegal by R11, {id}@{ring} is legal: it looks at {black} with a short leg"
            );
            Some(scene.shows(what, &target.position, &scene.standard))
        })
    };
    let found = with_target(scenes, more)?;
    found.ok_or_else(|| {
        "there are such black pods, but no quadripod with a short leg that looks at one from afar".to_owned()
    })
}

/// Returns `true` if a straight joined line of two steps or more leads from a point to another.
fn looks_from_afar(scene: &Scene, from: Point, direction: Direction, to: Point) -> bool {
    let run = std::iter::successors(scene.joined(from, direction), |&p| scene.joined(p, direction));
    run.skip(1).any(|point| point == to)
}
