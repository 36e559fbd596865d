//! Boards with a number on each point, shaded by it.

use maud::html;

use super::board::Canvas;
use super::part::{Num, Part, STEP, gap, stack, text};
use super::words;
use crate::material::Board;

#[derive(Clone, Debug)]
pub(crate) struct Heat<'a> {
    pub(crate) board: &'a Board,
    pub(crate) title: String,
    /// By point; `None` where it is not known.
    pub(crate) numbers: Vec<Option<f64>>,
    /// The size of a number with full shade: the same for boards that are compared.
    pub(crate) full: f64,
}

/// Opacity of a full shade: numbers on it can be read in light and in dark.
pub(super) const FULL_SHADE: f64 = 0.45;

impl Heat<'_> {
    pub(super) fn part(&self) -> Part {
        let canvas = Canvas { board: self.board, on: None, marks: &[], targets: false, compact: true };
        let board = canvas.part();
        let shade = |number: f64| FULL_SHADE * (number.abs() / self.full.max(f64::MIN_POSITIVE)).min(1.0);
        let markup = html! {
            (board.markup)
            @for (point, number) in self.board.points().zip(&self.numbers) {
                g class="pods-heat" data-point=(words::point(self.board, point)) transform=(canvas.place(point).shift()) {
                    circle class="pods-paper" r=(Num(0.4 * STEP)) {}
                    @match number {
                        Some(number) => {
                            @let class = if *number < 0.0 { "pods-less" } else { "pods-more" };
                            circle class=(class) r=(Num(0.4 * STEP)) fill-opacity=(Num(shade(*number))) {}
                            text dy=".35em" { (short(*number)) }
                        }
                        None => text dy=".35em" { "?" },
                    }
                }
                "\n"
            }
        };
        let width = board.width;
        stack(vec![text(&self.title, 14.0, width, "pods-label"), gap(4.0), Part { markup, ..board }])
    }
}

/// Returns a number to two decimals, with a minus sign and without idle zeros.
fn short(number: f64) -> String {
    Num(number).to_string().replace('-', "−")
}
