//! Shares and their intervals, in words and as pictures.

use maud::{Markup, html};

use crate::report::full::Interval;

/// Returns a share in per cent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

pub(crate) fn range(interval: Option<Interval>) -> String {
    interval.map_or("–".to_owned(), |i| format!("{} to {}", percent(i.low), percent(i.high)))
}

/// Returns a share as a dot on a line from 0 to 100 %, its interval as a thick line, and a wider
/// one as a thin line.
pub(crate) fn picture(wide: Option<Interval>, interval: Option<Interval>, share: Option<f64>) -> Markup {
    let x = |share: f64| format!("{:.1}", 6.0 + 188.0 * share);
    html! {
        svg class="interval" viewBox="0 0 200 22" aria-hidden="true" {
            path class="grid" d=(format!("M6 2V20M{} 2V20M194 2V20", x(0.5))) {}
            @if let Some(wide) = wide {
                line class="all" x1=(x(wide.low)) x2=(x(wide.high)) y1="11" y2="11" {}
            }
            @if let Some(interval) = interval {
                line class="solved" x1=(x(interval.low)) x2=(x(interval.high)) y1="11" y2="11" {}
            }
            @if let Some(share) = share {
                circle class="share" cx=(x(share)) cy="11" r="4.6" {}
            }
        }
    }
}
