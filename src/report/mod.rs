//! What is written for people and for other programs: drawings.

pub mod drawing;
