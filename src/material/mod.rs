//! Boards and pods: what they are, how their files read, and the sets that come with the program.

mod board;
mod board_file;
mod builtin;
mod by_side;
mod either;
mod error;
mod lines;
mod look_alike;
mod names;
mod picture;
mod pod;
mod pod_file;
mod suggest;
mod symmetries;
mod template;
mod toml_file;

/// The most bytes of a board or pod file: a MiB. One of 64 points and 26 kinds of pods takes a
/// hundredth of it.
pub const MAX_BYTES: u64 = 1 << 20;

pub use board::{Board, BoardError};
pub use board_file::board_from_toml;
use board_file::read_board;
pub use builtin::{BUILTIN_BOARDS, BUILTIN_PODS, builtin_board, builtin_pods, find_board, find_pods};
pub use by_side::BySide;
pub use either::{Material, find_material, material_from_toml};
pub use error::{Fault, MaterialError, Place};
pub(crate) use lines::Lines;
pub(crate) use names::{BoardData, PodData, PodsData};
pub use pod::{Leg, Legs, LegsError, PodKind, PodSet, PodSetError, PodSpec, Reach, Side};
pub use pod_file::pods_from_toml;
use pod_file::read_pods;
pub use suggest::did_you_mean;
pub use symmetries::{BoardSymmetry, symmetries, symmetries_brute_force};
pub use template::{BOARD_TEMPLATE_SOURCE, POD_TEMPLATE};
pub(crate) use template::{POD_LETTERS, has_every_line, own_source, pods_of_the_template};
