//! The captions of the author's leaflet, 003.

use super::scene::{Scene, Scenes, Stands};
use super::{CaptionResult, Witness};
use crate::engine::Engine as _;
use crate::geometry::Point;
use crate::material::{PodKind, Reach, Side};
use crate::position::Action;

/// Points that the quadripod of the first picture controls.
const CONTROLLED: usize = 5;

/// The search for pods that block one another goes up to this many.
const MAX_BLOCKING: usize = 3;

pub(super) fn quadripod_controls_five(scenes: &Scenes) -> CaptionResult {
    let quadripods = scenes.kinds_with(4);
    let fits = |kind: &PodKind| scenes.pods().legs(*kind).long().len() == 1;
    let meant: Vec<PodKind> = quadripods.iter().copied().filter(fits).collect();
    if meant.is_empty() {
        let all = scenes.named(&quadripods);
        return Err(format!("no quadripod has three short legs and one long one; quadripods: {all}"));
    }
    let on = |scene: &Scene, kind: PodKind, at: Point| {
        let position = scene.position(&[(at, Side::White, kind)], Side::Black)?;
        let attacked = scene.standard.attacked_points(&position, at);
        let points = attacked.iter().map(|&p| scene.name(p)).collect::<Vec<_>>().join(", ");
        let what = format!("{} on {} controls {points}", scene.pods().id(kind), scene.name(at));
        (attacked.len() == CONTROLLED).then(|| scene.shows(what, &position, &scene.standard))
    };
    let found =
        scenes.find(|scene| meant.iter().find_map(|&kind| scene.board().points().find_map(|at| on(scene, kind, at))));
    found.ok_or_else(|| format!("{} control five points from nowhere", scenes.named(&meant)))
}

pub(super) fn pods_block_each_other(scenes: &Scenes) -> CaptionResult {
    let on = |scene: &Scene| {
        let first = |at: Point| scene.pods().kinds().find_map(|kind| closed(scene, vec![(at, Side::White, kind)]));
        let stands = scene.board().points().find_map(first)?;
        let position = scene.position(&stands, Side::Black)?;
        let all_blocked = scene.standard.blocked_pods(&position).len() == stands.len();
        let named = stands.iter().map(|&(at, _, kind)| format!("{} on {}", scene.pods().id(kind), scene.name(at)));
        let what = format!("{} block one another", named.collect::<Vec<_>>().join(", "));
        all_blocked.then(|| scene.shows(what, &position, &scene.standard))
    };
    scenes.find(on).ok_or_else(|| "no two or three pods do so, in any orientation".to_owned())
}

/// Adds a pod on each point where a leg still has a liberty, until every leg is blocked; `None` if
/// that takes too many pods.
fn closed(scene: &Scene, stands: Vec<Stands>) -> Option<Vec<Stands>> {
    let taken = |point: Point| stands.iter().any(|&(at, ..)| at == point);
    let open = stands.iter().find_map(|&(at, _, kind)| {
        scene.pods().legs(kind).iter().filter_map(|leg| scene.joined(at, leg.direction)).find(|&next| !taken(next))
    });
    let Some(open) = open else { return (stands.len() > 1).then_some(stands) };
    if stands.len() == MAX_BLOCKING {
        return None;
    }
    let free = |&kind: &PodKind| {
        let used = stands.iter().filter(|&&(_, _, of)| of == kind).count();
        used < usize::from(scene.pods().spec(kind).count)
    };
    scene.pods().kinds().filter(free).find_map(|kind| {
        let mut more = stands.clone();
        more.push((open, Side::White, kind));
        closed(scene, more)
    })
}

fn mixed_hexapods(scenes: &Scenes) -> Result<Vec<PodKind>, String> {
    let hexapods = scenes.kinds_with(6);
    let mixed = |kind: &PodKind| {
        let legs = scenes.pods().legs(*kind);
        !legs.short().is_empty() && !legs.long().is_empty()
    };
    let meant: Vec<PodKind> = hexapods.iter().copied().filter(mixed).collect();
    if meant.is_empty() {
        return Err(format!("no hexapod has both short and long legs; hexapods: {}", scenes.named(&hexapods)));
    }
    Ok(meant)
}

pub(super) fn hexapod_both_legs(scenes: &Scenes) -> CaptionResult {
    mixed_hexapods(scenes).map(|hexapods| Witness::plain(scenes.named(&hexapods)))
}

pub(super) fn hexapod_captures(scenes: &Scenes) -> CaptionResult {
    let hexapods = mixed_hexapods(scenes)?;
    let bipods = scenes.kinds_with(2);
    if bipods.is_empty() {
        return Err("there is no bipod".to_owned());
    }
    // By a long leg if possible: the text shows a run.
    let on = |scene: &Scene, reach: Reach| {
        for &bipod in &bipods {
            for target in scene.board().points() {
                let alone = scene.position(&[(target, Side::Black, bipod)], Side::White)?;
                let [last] = scene.author.liberties(&alone, target)[..] else { continue };
                for &hexapod in &hexapods {
                    let witness =
                        scene.board().points().filter(|&from| from != last && from != target).find_map(|from| {
                            capture(scene, [(target, Side::Black, bipod), (from, Side::White, hexapod)], last, reach)
                        });
                    if witness.is_some() {
                        return witness;
                    }
                }
            }
        }
        None
    };
    let found = scenes.find(|scene| on(scene, Reach::Long)).or_else(|| scenes.find(|scene| on(scene, Reach::Short)));
    found.ok_or_else(|| {
        "no hexapod comes to the last liberty of a black bipod that has one liberty, with no other pod on the board"
            .to_owned()
    })
}

/// Lets the hexapod, the second of the pods, take the last liberty of the first.
fn capture(scene: &Scene, stands: [Stands; 2], last: Point, reach: Reach) -> Option<Witness> {
    let [(target, _, bipod), (from, _, hexapod)] = stands;
    let position = scene.position(&stands, Side::White)?;
    let action = Action::Move { from, to: last };
    let (a, b) = (scene.board().coord(from), scene.board().coord(last));
    let direction = crate::geometry::Direction::ALL.into_iter().find(|d| {
        let (right, up) = d.delta();
        let signs = (i16::from(b.column) - i16::from(a.column), i16::from(b.row) - i16::from(a.row));
        (i16::from(right), i16::from(up)) == (signs.0.signum(), signs.1.signum())
    })?;
    if scene.pods().legs(hexapod).toward(direction)?.reach != reach {
        return None;
    }
    let after = scene.author.transition(&position, action)?;
    let [hexapod, bipod_id] = [hexapod, bipod].map(|kind| scene.pods().id(kind));
    let how = if reach == Reach::Long { "long" } else { "short" };
    let what = format!(
        "{}: {hexapod} goes on a {how} leg and captures Black's {bipod_id} on {}",
        action.display(scene.author.game()),
        scene.name(target)
    );
    (after.removed == [bipod]).then(|| scene.shows(what, &position, &scene.author))
}
