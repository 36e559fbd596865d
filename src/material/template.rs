//! Files to begin with, and what of them is left in a user's own.

use super::{Board, PodKind, PodSet, pods_from_toml};
use crate::geometry::Direction;

/// A pod file with as many pods as the real game has, whose legs are made up.
pub const POD_TEMPLATE: &str = include_str!("pod_template.toml");

/// The letters of pods, in the order in which new pods get them: those that look like a digit, a
/// sign or another letter come last.
pub(crate) const POD_LETTERS: &str = "abcdefghjkmnpqrstuvwxyzilo";

/// The `source` of a board file to begin with.
pub const BOARD_TEMPLATE_SOURCE: &str = "where this board comes from";

/// Returns the pods that have the id and the legs of a pod of [`POD_TEMPLATE`].
///
/// # Panics
///
/// Never: a test reads the template.
pub(crate) fn pods_of_the_template(pods: &PodSet) -> Vec<PodKind> {
    let template = pods_from_toml("template", POD_TEMPLATE).expect("the template is well formed");
    let made_up = |id| template.kind(id).map(|kind| template.legs(kind));
    pods.kinds().filter(|&kind| made_up(pods.id(kind)) == Some(pods.legs(kind))).collect()
}

/// Returns `true` if a board of several columns and rows has every line that could be drawn, as a
/// template has.
pub(crate) fn has_every_line(board: &Board) -> bool {
    let all = |point| Direction::ALL.iter().all(|&d| board.neighbour(point, d) == board.connected(point, d));
    board.columns() > 1 && board.rows() > 1 && board.points().all(all)
}

/// Returns the `source` of a file, unless it is still that of a file to begin with.
pub(crate) fn own_source(source: &str) -> Option<&str> {
    let still = [BOARD_TEMPLATE_SOURCE, "where these pods come from"];
    (!source.trim().is_empty() && !still.contains(&source)).then_some(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{BUILTIN_PODS, builtin_pods};

    #[test]
    fn the_template_is_known_pod_by_pod() {
        let ids = |text: &str| {
            let pods = pods_from_toml("t", text).expect("pods");
            pods_of_the_template(&pods).into_iter().map(|kind| pods.id(kind)).collect::<String>()
        };
        assert_eq!(ids(POD_TEMPLATE), POD_LETTERS[..14]);
        assert_eq!(
            ids(&POD_TEMPLATE.replace("\"w E\"", "\"w e\"").replace("\"N e S w\"", "\"N e S W\"")),
            "bcdefhjkmnpq"
        );
        // The same legs on a pod of another name are another pod.
        assert_eq!(ids(&POD_TEMPLATE.replace("id = \"q\"", "id = \"z\"")), "abcdefghjkmnp");
        assert_eq!(own_source(pods_from_toml("t", POD_TEMPLATE).expect("pods").source()), None);
        for (name, _) in BUILTIN_PODS {
            let pods = builtin_pods(name).expect("built in");
            assert_eq!(pods_of_the_template(&pods), [], "{name}");
            assert!(own_source(pods.source()).is_some());
        }
    }
}
