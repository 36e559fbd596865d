//! Rules verification and exact solving for PODS, the board game by Vincent Everaert.
//!
//! The modules are floors: a floor imports only floors that stand before it in this table. The
//! rules alone need no feature and few other crates; each feature adds its floors and those that
//! they need:
//!
//! | floor | feature | holds |
//! | --- | --- | --- |
//! | [`files`] | | readers with a limit; with `tables` outputs that never replace the wrong file, and locks |
//! | [`progress`] | | the observer of a long job: how far it is, and whether it should end |
//! | [`statistics`] | | shares of a sample with their intervals |
//! | [`geometry`] | | directions, points, sets of points, turns and reflections |
//! | [`material`] | | boards, legs, pods; their files; the built-in sets |
//! | [`rules`] | | the clauses by number, the options of a rule set, presets and names |
//! | [`position`] | | games, positions, actions, and their texts |
//! | [`engine`] | | the reference engine and the bitboard engine |
//! | [`engine::crosscheck`] | `crosscheck` | random games in which the two engines must agree |
//! | [`drawing`] | `drawing` | boards, pods and positions as SVG and as text |
//! | [`solver`] | `solver` | exact values, their proofs and verification |
//! | [`table`] | `tables` | tablebases: setups solved completely by retrograde analysis, in files; probing, verification; with `cluster` by several processes |
//! | [`answer`] | `tables` | the value of any position: chooses among tables, solvers and searches, under one set of limits |
//! | [`certificate`] | `tables` | files that prove a value, checked without a solver |
//! | [`report`] | `report` | balance reports as rows and as pages, manifests |
//! | [`oracle`] | `oracle` | test data for other implementations of the rules, and a protocol that tests them |
//! | [`matches`](mod@matches) | `matches` | matches between engines, with statistics, and games as text that can be replayed |
//! | [`explore`] | `explore` | a server on this machine, and the page that it shows: play, values, editors, reports |
//! | `python` | `python` | the binding for Python, which `pip install .` builds (`pyproject.toml`) |
//!
//! The default features have all but the last, and the program `pods`, which owns the command line
//! (`cli`). The folder `examples` has a short program for each.
//!
//! With the feature `serde`, what has a text is serialized as that text: points, directions, sides,
//! legs, rule sets, clauses, [`UncheckedPosition`](position::UncheckedPosition). An orientation is
//! a number of degrees; boards, pod sets, games, setups and values have fields. Hands, positions
//! and actions are read against a game: write their texts, as the example `saved_game` does.
//!
//! The types that are used most can also be imported from the root: [`Game`] and [`Position`],
//! [`Action`], and the engines [`Reference`] and [`Bitboard`] with their trait [`Engine`].
//!
//! The clauses R1 to R34 that the docs cite stand in the docs of [`rules`]; [`rules::Clause`] lists
//! them. The formats that the program reads and writes stand in [`rules::formats`].
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
//! let start = game.parse_position("3/3/3 w bdt bdt open")?;
//! let engine = Reference::new(game.clone());
//! assert_eq!(engine.legal_actions(&start).len(), 13);
//!
//! // Its exact value, derived again with the reference engine.
//! let solution = solve(&game, &start, Request::default(), &Silent)?;
//! assert_eq!(solution.verdict, Verdict::Value(Value::Win(5)));
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```
//!
//! ## Words
//!
//! The words of the game, and those that answers use, have their own list with the clauses:
//! [`rules::glossary`] (`pods rules glossary`). These are the words of the program:
//!
//! | word | meaning |
//! | --- | --- |
//! | floor | a module of the first table; it imports only those that stand before it |
//! | twin | a slow, plain form of fast code, which tests compare with it |
//! | kind, piece type | the pods of one set with the same id and legs ([`PodKind`]); those of one player ([`table::PieceType`]) |
//! | mover | the side to move |
//! | placement game | a game without moves and captures: each action is a placement that stays |
//! | start | the first position of a setup, with White or with Black to move ([`position::Setup`]) |
//! | root | the position that a question is about |
//! | value, outcome | win, loss or draw for the mover, with the distance ([`Value`]); without it ([`Outcome`]) |
//! | outcome class | who wins a setup when White starts and when Black starts ([`report::OutcomeClass`], R34) |
//! | guess | a heuristic score, which never becomes a value ([`answer::best::Guess`]) |
//! | refutation | the proof that a placement loses |
//! | transposition table | results of a search by position, so that none is searched twice ([`solver::search`]) |
//! | canonical key | what the rest of a placement game depends on; positions that agree in it share an entry (`canonical.rs`) |
//! | ghost | a virtual pod on a point; with passes, ghosts refute the replies on several points together (`ghosts.rs`) |
//! | tablebase | the tables of a folder ([`table::Tablebase`]) |
//! | slice | the positions of a tier with the same pods on the board ([`table::Slice`]) |
//! | row of a slice, cell | in a slice: where all pods but the last stand; where the last one stands ([`table::Place`]) |
//! | column, strip | the positions of a tier in which one player moves and the other has the same pods on the board; a part of a column |
//! | code | a value as a number: 0 for a draw, else the distance and one |
//! | sweep | one pass of retrograde analysis over a tier, which decides the positions of one distance ([`table::Swept`]) |
//! | frontier | in a tier, the cells that the last sweep decided |
//! | section | a part of a certificate that stands by itself ([`certificate`]) |
//! | reading | one way to read a rule that the sources leave open, as an option ([`report::Reading`]) |
//! | misreading | one wrong way to read a rule; test questions are made to reveal it ([`oracle::conform::misreading`]) |

// What one floor offers another is dead where that one's feature is off; the default build has all.
#![cfg_attr(not(all(feature = "cli", feature = "explore", feature = "cluster")), allow(dead_code, unused_imports))]

#[cfg(feature = "tables")]
pub mod answer;
#[cfg(feature = "check")]
pub mod certificate;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "drawing")]
pub mod drawing;
pub mod engine;
#[cfg(feature = "explore")]
pub mod explore;
pub mod files;
pub mod geometry;
#[cfg(feature = "matches")]
pub mod matches;
pub mod material;
#[cfg(feature = "oracle")]
pub mod oracle;
pub mod position;
pub mod progress;
#[cfg(feature = "python")]
mod python;
#[cfg(feature = "report")]
pub mod report;
pub mod rules;
#[cfg(feature = "solver")]
pub mod solver;
pub mod statistics;
#[cfg(feature = "tables")]
pub mod table;

#[cfg(feature = "cli")]
pub use cli::run_program;
pub use engine::{ActionList, Bitboard, Engine, Play, Reference, Status, Transition};
pub use geometry::{Coord, Direction, Orientation, Point, PointSet};
pub use material::{Board, BySide, Legs, PodKind, PodSet, Side};
pub use position::{Action, Game, Hand, Pod, Position, Setup};
pub use rules::{Clause, Preset, RuleSet};
#[cfg(feature = "solver")]
pub use solver::{Limits, Outcome, Value};
