//! Rules verification and exact solving for PODS, the board game by Vincent Everaert.
//!
//! The house has floors, and a floor imports only the floors below it:
//!
//! | floor | holds |
//! | --- | --- |
//! | [`geometry`] | directions, points, sets of points, turns and reflections |
//! | [`material`] | boards, legs, pods; their files; the built-in sets |
//! | [`rules`] | the clauses by number, the options of a rule set, presets and names |
//! | [`position`] | setups, positions, actions, and their texts |
//! | [`engine`] | the reference engine and the bitboard engine, and what compares them |
//! | [`solver`] | exact values, their proofs and verification |
//! | [`table`] | setups solved completely, on disk: index, sweeps, files, verification |
//! | [`report`] | balance reports, manifests, drawings |
//! | [`cli`] | the command line, the only floor that prints |
//!
//! Clauses (R1 to R34) are those of the project's rules specification; [`rules::Clause`] lists them.
//!
//! ```
//! use pods::engine::{Engine, Reference};
//! use pods::material::{builtin_board, builtin_pods};
//! use pods::position::Game;
//! use pods::rules::Preset;
//! use pods::solver::{Request, Silent, Value, Verdict, solve};
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
//! let request = Request { method: None, verify: true, limits: Default::default() };
//! let solution = solve(&game, &start, request, &Silent)?;
//! assert_eq!(solution.verdict, Verdict::Value(Value::Win(5)));
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```

pub mod certificate;
pub mod cli;
pub mod engine;
pub mod geometry;
pub mod material;
pub mod oracle;
pub mod position;
pub mod report;
pub mod rules;
pub mod solver;
pub mod table;
