//! Two engines that implement the rules independently of each other, the interface that they share,
//! and the cross-check that compares them.
//!
//! # Drawn examples
//!
//! Capital letters are White's pods, small ones Black's, `o` is an empty point. Legs are as the
//! owner sees them: on the board, Black's are turned (R4).
//!
//! ```
//! use pods::engine::{Engine, Play, Reference};
//! use pods::material::{board_from_toml, pods_from_toml};
//! use pods::position::Game;
//!
//! fn engine(board: &str, pods: &str, rules: &str) -> Reference {
//!     let board = format!("name = 'row'\nsource = 'drawn'\npoints = \"\"\"\n{board}\n\"\"\"");
//!     let pod = |pod: &str| {
//!         let (id, legs) = pod.split_once(": ").unwrap();
//!         format!("[[pod]]\nid = '{id}'\nlegs = '{legs}'\ncount = 2\n")
//!     };
//!     let pods: String = pods.split(", ").map(pod).collect();
//!     let pods = format!("name = 'few'\nsource = 'drawn'\n{pods}");
//!     let (board, pods) = (board_from_toml("row", &board), pods_from_toml("few", &pods));
//!     Reference::new(Game::new(board.unwrap(), pods.unwrap(), rules.parse().unwrap()))
//! }
//! /// What follows an action, or the clause that forbids it.
//! fn played(engine: &Reference, position: &str, action: &str) -> String {
//!     let game = engine.game();
//!     let position = game.parse_position(position).unwrap();
//!     match engine.apply(&position, game.parse_action(action).unwrap()) {
//!         Ok(result) => result.next.display(game).to_string(),
//!         Err(illegal) => illegal.clause.to_string(),
//!     }
//! }
//!
//! // M-m o-o    Two pods, each of which is what blocks the other: after h@c1 both go, White's to
//! //            White's hand, Black's for good (R18).
//! let pairs = engine("o-o o-o", "m: e, p: w, h: e w", "advanced");
//! assert_eq!(played(&pairs, "Mm2 w h h -", "h@c1"), "2H1 b m h -");
//!
//! // M-o-p      White's p on b1 would block M and itself; Black's p is blocked already. All go.
//! let row = engine("o-o-o", "m: e, p: w, h: n e", "advanced");
//! assert_eq!(played(&row, "M1p w hp hm -", "p@b1"), "3 b hmp hm -");
//!
//! // o-o o      The last pod comes back from c1, where it has no liberty: no win (R19).
//! let gap = engine("o-o o", "t: e w, m: e", "advanced");
//! assert_eq!(played(&gap, "3 w t t -", "t@c1"), "3 b t t -");
//!
//! // o-u-o-o    Attacks may run one way: M on a1 would attack u (R11), and where m stands, which
//! // o-m-o-o    looks west, it attacks a1 (R12).
//! let four = engine("o-o-o-o", "m: e, u: n", "advanced");
//! assert_eq!(played(&four, "1u2 w m m -", "m@a1"), "R11");
//! assert_eq!(played(&four, "1m2 w u u -", "u@a1"), "R12");
//!
//! // o-U-u-u-o  U shields Black's pods from a long leg on a1, unless attacks go through (R5).
//! let rules = "advanced+captures=never";
//! let five = engine("o-o-o-o-o", "l: E, u: n", rules);
//! assert_eq!(played(&five, "1Uuu1 w l l -", "l@a1"), "LUuu1 b - l -");
//! let through = engine("o-o-o-o-o", "l: E, u: n", &format!("{rules}+attack-through=on"));
//! assert_eq!(played(&through, "1Uuu1 w l l -", "l@a1"), "R11");
//!
//! // M-M-o o    The point left is no liberty of the pod that has moved, whose leg looks east; the
//! //            other one has it.
//! let end = engine("o-o-o o", "m: e, r: w e, h: n", "advanced");
//! assert_eq!(played(&end, "MM2 w h h -", "b1-c1"), "M3 b hm h -");
//!
//! // L-o-o-o    A long leg moves as far as it likes, and may be captured where it ends.
//! let run = engine("o-o-o-o", "l: E, t: e w", "advanced-author");
//! assert_eq!(played(&run, "L3 w t t -", "a1-d1"), "4 b lt t -");
//! ```

pub mod bitboard;
#[cfg(feature = "crosscheck")]
pub mod crosscheck;
mod outcome;
mod play;
pub mod reference;
mod sequences;

pub use bitboard::Bitboard;
pub use outcome::{ActionList, Engine, Illegal, LegBlock, Reason, Status, Transition, why_won};
pub use play::Play;
pub use reference::Reference;
pub use sequences::Sequences;
