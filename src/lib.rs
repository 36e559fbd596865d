//! Rules verification and exact solving for PODS, the board game by Vincent Everaert.
//!
//! The house has floors, and a floor imports only the floors below it. The rules alone need no feature and few other crates;
//! each feature adds floors, and those that they stand on:
//!
//! | floor | feature | holds |
//! | --- | --- | --- |
//! | [`files`] | | readers with a bound; with `tables` outputs that lose nothing, and locks |
//! | [`geometry`] | | directions, points, sets of points, turns and reflections |
//! | [`material`] | | boards, legs, pods; their files; the built-in sets |
//! | [`rules`] | | the clauses by number, the options of a rule set, presets and names |
//! | [`position`] | | setups, positions, actions, and their texts |
//! | [`engine`] | | the reference engine and the bitboard engine |
//! | [`engine::crosscheck`] | `crosscheck` | random games in which the two engines must agree |
//! | [`solver`] | `solver` | exact values, their proofs and verification |
//! | [`table`] | `tables` | setups solved completely, on disk: index, sweeps, files, verification |
//! | [`answer`] | `tables` | the one door to a value: chooses among tables, solvers and searches within one set of limits |
//! | [`certificate`] | `tables` | values written down so that the reference engine alone can check them |
//! | [`report`] | `report` | balance reports, manifests, drawings; with `plot` a picture of effort by ply |
//! | [`oracle`] | `oracle` | facts for other implementations of the rules, and their examination |
//!
//! The default feature `cli` has all of them and the program `pods`, which owns the command line.
//! The folder `examples` asks each of them something: legal actions, a solved setup, a table, an oracle set, a balance report.
//!
//! What is used most stands at the root as well: [`Game`] and [`Position`], [`Action`], the engines [`Reference`] and
//! [`Bitboard`] behind [`Engine`].
//!
//! Clauses (R1 to R34) are those of the text in the docs of [`rules`]; [`rules::Clause`] lists them. What the program reads
//! and writes is described in [`rules::formats`].
//!
//! ```
//! use pods::answer::{Request, solve};
//! use pods::material::{builtin_board, builtin_pods};
//! use pods::solver::{Silent, Verdict};
//! use pods::{Engine, Game, Preset, Reference, Value};
//!
//! // A game: a board as it lies, pods, rules.
//! let game = Game::new(builtin_board("nook9").unwrap(), builtin_pods("four").unwrap(), Preset::Standard.into());
//!
//! // A position, checked against the game.
//! let start = game.position("3/3/3 w bdt bdt open")?;
//! let engine = Reference::new(game.clone());
//! assert_eq!(engine.actions(&start).len(), 13);
//!
//! // Its exact value, derived again with the reference engine.
//! let solution = solve(&game, &start, Request::default(), &Silent)?;
//! assert_eq!(solution.verdict, Verdict::Value(Value::Win(5)));
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```

#[cfg(feature = "tables")]
pub mod answer;
#[cfg(feature = "tables")]
pub mod certificate;
pub mod engine;
pub mod files;
pub mod geometry;
pub mod material;
#[cfg(feature = "oracle")]
pub mod oracle;
pub mod position;
#[cfg(feature = "report")]
pub mod report;
pub mod rules;
#[cfg(feature = "solver")]
pub mod solver;
#[cfg(feature = "tables")]
pub mod table;

pub use engine::{ActionList, Bitboard, Engine, Reference, Status, Transition};
pub use geometry::{Coord, Direction, Orientation, Point, PointSet};
pub use material::{Board, Legs, PodKind, PodSet, Side};
pub use position::{Action, Game, Hand, Pod, Position};
pub use rules::{Clause, Preset, RuleSet};
#[cfg(feature = "solver")]
pub use solver::{Limits, Outcome, Value};
