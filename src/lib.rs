//! Rules verification and exact solving for PODS, the board game by Vincent Everaert.

pub mod certificate;
pub mod cli;
pub mod engine;
pub mod geometry;
pub mod material;
pub mod position;
pub mod report;
pub mod rules;
pub mod solver;
