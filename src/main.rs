//! The `pods` program.

fn main() {}
