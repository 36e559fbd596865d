//! Origins of boards and pods, as the reader of a result is told.

use std::collections::BTreeMap;
use std::fmt;

use super::NamedSetup;
use crate::files::escaped;
use crate::material::{builtin_board, builtin_pods, own_source};
use crate::position::Game;

/// The note where everything is built in.
const BUILT_IN: &str = "Boards and pods are reconstructions or made for the purpose; nothing here is about the printed board \
                        of PODS.";

/// Kind of material: a board or a set of pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BoardOrPods {
    Board,
    Pods,
}

/// Origin of a board or of pods.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ComesFrom {
    BuiltIn,
    /// The `source` that its file gives, if it gives one.
    File(Option<String>),
}

/// Origins of the boards and pods of results: a reconstruction where they are built in, else the
/// words of their files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origins(BTreeMap<(BoardOrPods, String), ComesFrom>);

impl Origins {
    #[must_use]
    pub(crate) fn of<'g>(games: impl IntoIterator<Item = &'g Game>) -> Origins {
        let mut all = BTreeMap::new();
        let origin = |is_built_in: bool, source: &str| match is_built_in {
            true => ComesFrom::BuiltIn,
            false => ComesFrom::File(own_source(source).map(str::to_owned)),
        };
        for game in games {
            let (board, pods) = (game.board(), game.pods());
            let known = builtin_board(board.name()).map(|known| known.turned(board.orientation()));
            let of_board = origin(known.as_ref() == Some(board), board.source());
            all.insert((BoardOrPods::Board, board.name().to_owned()), of_board);
            let of_pods = origin(builtin_pods(pods.name()).as_ref() == Some(pods), pods.source());
            all.insert((BoardOrPods::Pods, pods.name().to_owned()), of_pods);
        }
        Origins(all)
    }

    #[must_use]
    pub(crate) fn of_setups(setups: &[NamedSetup]) -> Origins {
        Origins::of(setups.iter().map(NamedSetup::game))
    }

    /// Returns the sentences, a line for each.
    pub(crate) fn lines(&self) -> Vec<String> {
        if self.0.values().all(|origin| *origin == ComesFrom::BuiltIn) {
            return vec![BUILT_IN.to_owned()];
        }
        self.0.iter().map(|((kind, name), origin)| line(*kind, &escaped(name).to_string(), origin)).collect()
    }
}

fn line(kind: BoardOrPods, name: &str, origin: &ComesFrom) -> String {
    let (what, come, are) = match kind {
        BoardOrPods::Board => (
            "Board",
            "it comes",
            "is built in: a reconstruction, or made for the purpose; nothing here is about the printed board of PODS.",
        ),
        BoardOrPods::Pods => (
            "Pods",
            "they come",
            "are built in: reconstructions, or made for the purpose; nothing here is about the printed pods of PODS.",
        ),
    };
    match origin {
        ComesFrom::BuiltIn => format!("{what} {name} {are}"),
        ComesFrom::File(Some(source)) => format!("{what} {name}, as the file says: {}", escaped(source)),
        ComesFrom::File(None) => format!("{what} {name}: nobody has said yet where {come} from."),
    }
}

impl fmt::Display for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Orientation;
    use crate::material::{board_from_toml, builtin_pods, pods_from_toml};
    use crate::rules::Preset;

    fn origins_of(board: &str, pods: &str) -> Vec<String> {
        let board = match builtin_board(board) {
            Some(board) => board.turned(Orientation::R90),
            None => board_from_toml("b.toml", board).expect("a board"),
        };
        let pods = builtin_pods(pods).unwrap_or_else(|| pods_from_toml("p.toml", pods).expect("pods"));
        Origins::of([&Game::new(board, pods, Preset::Standard.into())]).lines()
    }

    #[test]
    fn reconstructions_are_said_of_what_is_built_in_alone() {
        let board = |name: &str, source: &str| format!("name = '{name}'\nsource = '{source}'\npoints = 'o-o'\n");
        let pods = "name = 'mine'\nsource = 'from my shelf'\n[[pod]]\nid = 'b'\nlegs = 'n s'\n";
        assert_eq!(origins_of("cave36", "pods14"), [BUILT_IN]);
        assert_eq!(
            origins_of(&board("table", "the box of 2010"), pods),
            ["Board table, as the file says: the box of 2010", "Pods mine, as the file says: from my shelf"]
        );
        let mixed = origins_of(&board("table", ""), "pods14");
        assert_eq!(mixed[0], "Board table: nobody has said yet where it comes from.");
        assert!(mixed[1].starts_with("Pods pods14 are built in: "), "{mixed:?}");
        assert!(!mixed.concat().contains("printed board"), "{mixed:?}");
        // A name alone makes nothing built in, and a source makes no lines.
        let forged = origins_of(&board("nook9", "me"), pods);
        assert_eq!(forged[0], "Board nook9, as the file says: me");
        assert_eq!(origins_of(&board("x", "a\\nb").replace('\'', "\""), "duo").len(), 2);
    }
}
